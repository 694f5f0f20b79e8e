/* SPDX-License-Identifier: Apache-2.0 */
/* The undirected graph without self-loops, for the lenses that need it. */
#ifndef LENS_ROWS_H
#define LENS_ROWS_H

#include "dgm/graph.h"

#include <assert.h>

/* Every edge in both rows, each pair of ends once, no loops; rows sorted. */
typedef struct dgmi_lens_simple_rows {
    int64_t nodes;
    const int64_t *offsets;
    const uint32_t *targets;
} dgmi_lens_simple_rows;

/* Borrows the graph's own rows where they are simple already; otherwise scratch memory, for the
 * caller's hold. A note says that `lens` does not see the directions of a directed graph. */
dgm_status dgmi_lens_simple_rows_make(dgm_context *ctx, const dgm_graph *graph, const char *lens,
                                      dgmi_lens_simple_rows *out);

static inline int64_t dgmi_lens_simple_degree(const dgmi_lens_simple_rows *rows, int64_t node) {
    assert(node >= 0 && node < rows->nodes);
    return rows->offsets[node + 1] - rows->offsets[node];
}

#endif
