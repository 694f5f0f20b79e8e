/* SPDX-License-Identifier: Apache-2.0 */
/* A crew of nobody: the calling thread does all the work. For builds without threads. */
#include "base_crew.h"

void dgmi_crew_run(dgmi_crew **crew, const dgm_allocator *allocator, int helpers, int64_t chunks,
                   dgmi_chunk_fn body, void *argument) {
    (void)crew, (void)allocator, (void)helpers;
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}

void dgmi_crew_free(dgmi_crew *crew, const dgm_allocator *allocator) {
    (void)crew, (void)allocator;
}

int dgmi_cores(void) {
    return 1;
}
