/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel loops. The work is cut into chunks that do not depend on the number of threads, so
 * results do not either. Without threads (base_crew_serial.c) the loop is a plain one.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <assert.h>
#include <stdint.h>

#include "dgm/context.h"

/* `thread` is in 0 .. dgm_context_threads(ctx) - 1. Bodies record no errors and report no progress.
 */
typedef void (*dgmi_chunk_fn)(void *argument, int64_t chunk, int thread);

/* Calls body(argument, c, t) once for each chunk c in 0 .. chunks - 1, in any order. A loop inside
 * a body is a plain loop on the thread of that body. */
void dgmi_parallel(dgm_context *ctx, int64_t chunks, dgmi_chunk_fn body, void *argument);

/* Chunk c of n items cut into pieces of at most `grain`: [*begin, *end). */
static inline int64_t dgmi_chunks(int64_t items, int64_t grain) {
    assert(items >= 0 && grain > 0);
    return (items + grain - 1) / grain;
}
static inline void dgmi_chunk(int64_t items, int64_t grain, int64_t chunk, int64_t *begin,
                              int64_t *end) {
    *begin = chunk * grain;
    *end = *begin + grain < items ? *begin + grain : items;
    assert(0 <= *begin && *begin < *end && *end <= items);
}

int dgmi_cores(void); /* that this process may use */

#endif
