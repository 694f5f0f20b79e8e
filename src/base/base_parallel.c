/* SPDX-License-Identifier: Apache-2.0 */
#include "base_parallel.h"

#ifndef DGM_SERIAL
#include <omp.h>
#endif

int dgmi_cores(void) {
#ifdef DGM_SERIAL
    return 1;
#else
    return omp_get_num_procs();
#endif
}

void dgmi_parallel(dgm_context *ctx, int64_t chunks, dgmi_chunk_fn body, void *argument) {
    int64_t threads = dgm_context_threads(ctx);
    if (threads > chunks)
        threads = chunks;
#ifndef DGM_SERIAL
    if (threads > 1) {
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)threads)
        for (int64_t c = 0; c < chunks; c++)
            body(argument, c, omp_get_thread_num());
        return;
    }
#endif
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}
