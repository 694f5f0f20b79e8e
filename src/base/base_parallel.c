/* SPDX-License-Identifier: Apache-2.0 */
#include "base_parallel.h"

#ifndef DGM_SERIAL
#include <assert.h>
#include <sched.h>
#include <unistd.h>

#include "base_context.h"
#include "base_pool.h"
#endif

int dgmi_cores(void) {
#ifdef DGM_SERIAL
    return 1;
#else
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
#endif
}

void dgmi_parallel(dgm_context *ctx, int64_t chunks, dgmi_chunk_fn body, void *argument) {
    assert(chunks >= 0 && body);
    int64_t threads = dgm_context_threads(ctx);
    assert(threads > 0);
    if (threads > chunks)
        threads = chunks;
#ifndef DGM_SERIAL
    if (threads > 1) {
        dgmi_pool_run(&ctx->pool, &ctx->allocator, (int)threads - 1, chunks, body, argument);
        return;
    }
#endif
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}
