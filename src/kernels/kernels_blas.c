/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels_blas.h"

#include <string.h>

#include "base_context.h"
#include "base_need.h"

/* OpenBLAS 0.3 takes 128 MiB on x86-64 for every thread that multiplies, and keeps them; threads of
 * its own may still be about to take theirs, and malloc takes half as much for each. All of it is
 * addresses: few are written to. */
#define THREAD_BYTES (3 * (INT64_C(1) << 27))

bool dgmi_kernels_blas_is_blind(void) {
    static const char *const old[] = {"Prescott", "Core2", "Penryn", "Nehalem", "Generic"};
    const char *core = openblas_get_corename();
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (strcmp(core, old[i]) == 0)
            return true;
    return false;
}

dgm_status dgmi_kernels_blas_open(dgm_context *ctx) {
    int threads = dgm_context_threads(ctx);
    openblas_set_num_threads(1);
    if (threads <= ctx->blas_threads)
        return DGM_OK;
    if (!dgmi_room_for(threads * THREAD_BYTES))
        return dgmi_fail(ctx, DGM_ERROR_MEMORY,
                         "out of memory (products on %d threads take %.3g MB of addresses); "
                         "lower " DGMI_NAMED("threads") ", or raise the limit (ulimit -v)",
                         threads, (double)threads * (double)THREAD_BYTES / 1e6);
    ctx->blas_threads = threads;
    return DGM_OK;
}
