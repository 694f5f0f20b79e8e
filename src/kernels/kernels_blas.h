/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as this library calls it: one thread per call, on tiles that we cut ourselves, so that
 * results do not depend on the number of threads. Include this in place of cblas.h. */
#ifndef KERNELS_BLAS_H
#define KERNELS_BLAS_H

#include <cblas.h>

#include "kernels_kernels.h" /* dgmi_kernels_blas_open */

#endif
