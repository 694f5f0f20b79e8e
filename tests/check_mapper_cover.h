/* SPDX-License-Identifier: Apache-2.0 */
/* The checker's cells and their clusters, and what both of its files say sets of nodes in. Included by
 * them alone. */
#ifndef CHECK_MAPPER_COVER_H
#define CHECK_MAPPER_COVER_H

#include <stdlib.h>

#include "check_mapper.h"

static inline void *must_alloc(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block)
        abort();
    return block;
}

static inline uint64_t bit(int i) {
    return UINT64_C(1) << i;
}

static inline int size_of(uint64_t set) {
    return __builtin_popcountll(set);
}

/* Lists the clusters of all cells in the order of the cells, before any filter. Sets `doubtful`,
 * `too_large`, `axes`, `count` and `clusters`. */
void check_cover(const check_problem *problem, check_summary *summary);

#endif
