/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as this library calls it: one thread a call, on tiles that we cut ourselves, so that
 * results do not depend on the number of threads. Include this in place of cblas.h. */
#ifndef LINALG_BLAS_H
#define LINALG_BLAS_H

#include <cblas.h>

/* To be called before the first parallel loop with products in it; cheap. */
static inline void dgmi_blas_single(void) {
    openblas_set_num_threads(1);
}

#endif
