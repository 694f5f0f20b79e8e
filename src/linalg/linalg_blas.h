/* SPDX-License-Identifier: Apache-2.0 */
/* OpenBLAS as this library calls it: one thread a call, on tiles that we cut ourselves, so that
 * results do not depend on the number of threads. Include this in place of cblas.h. */
#ifndef LINALG_BLAS_H
#define LINALG_BLAS_H

#include <cblas.h>

/* Ends the threads that OpenBLAS starts when it is loaded and makes anew should anyone need them;
 * where it is built with its own pool. */
#if defined __ELF__
__attribute__((weak)) int blas_thread_shutdown_(void);
#endif

/* To be called before the first parallel loop with products in it; cheap. OpenBLAS's threads would
 * turn in circles, waiting, for the first tenth of a second, on cores that we want. */
static inline void dgmi_blas_single(void) {
    if (openblas_get_num_threads() == 1)
        return;
    openblas_set_num_threads(1);
#if defined __ELF__
    if (blas_thread_shutdown_)
        blas_thread_shutdown_();
#endif
}

#endif
