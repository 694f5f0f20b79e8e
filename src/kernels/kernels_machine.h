/* SPDX-License-Identifier: Apache-2.0 */
/* What the last digits of heavy products depend on: the instruction set of our own kernels, and the
 * kernel that OpenBLAS chose for this processor. */
#ifndef KERNELS_MACHINE_H
#define KERNELS_MACHINE_H

enum { DGMI_KERNELS_MACHINE_SPACE = 96 };

/* Returns the name of the instruction set: "avx512". */
const char *dgmi_kernels_machine_name(void);
/* Writes the version and the kernel of OpenBLAS: "OpenBLAS 0.3.21 SkylakeX". */
const char *dgmi_kernels_machine_blas(char buffer[DGMI_KERNELS_MACHINE_SPACE]);

#endif
