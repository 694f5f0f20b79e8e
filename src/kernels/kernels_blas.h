/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as this library calls it: one thread per call, on tiles that we cut ourselves, so that
 * results do not depend on the number of threads. Include this in place of cblas.h. */
#ifndef KERNELS_BLAS_H
#define KERNELS_BLAS_H

#include <cblas.h>

#include "kernels_kernels.h" /* dgmi_kernels_blas_open */

/* Whether OpenBLAS takes the processor for one without AVX: a version that is older than the
 * processor does, and is then several times slower than the loops of this room. */
bool dgmi_kernels_blas_is_blind(void);

#endif
