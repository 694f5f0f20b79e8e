/* SPDX-License-Identifier: Apache-2.0 */
#include "base_parallel.h"

#include <assert.h>

#include "base_context.h"
#include "base_crew.h"

void dgmi_parallel(dgm_context *ctx, int64_t chunks, dgmi_chunk_fn body, void *argument) {
    assert(chunks >= 0 && body);
    int64_t threads = dgm_context_threads(ctx);
    assert(threads > 0);
    if (threads > chunks)
        threads = chunks;
    if (threads > 1) {
        dgmi_crew_run(&ctx->crew, &ctx->allocator, (int)threads - 1, chunks, body, argument);
        return;
    }
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}
