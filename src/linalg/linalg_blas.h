/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as this library calls it: one thread a call, on tiles that we cut ourselves, so that
 * results do not depend on the number of threads. Include this in place of cblas.h. */
#ifndef LINALG_BLAS_H
#define LINALG_BLAS_H

#include <cblas.h>

#include "linalg_kernels.h" /* dgmi_blas_open */

#endif
