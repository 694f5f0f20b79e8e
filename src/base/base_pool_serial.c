/* SPDX-License-Identifier: Apache-2.0 */
/* A pool of nobody: the calling thread does all the work. For builds without threads. */
#include "base_pool.h"

void dgmi_pool_run(dgmi_pool **pool, const dgm_allocator *allocator, int helpers, int64_t chunks,
                   dgmi_chunk_fn body, void *argument) {
    (void)pool, (void)allocator, (void)helpers;
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}

void dgmi_pool_free(dgmi_pool *pool, const dgm_allocator *allocator) {
    (void)pool, (void)allocator;
}

int dgmi_cores(void) {
    return 1;
}
