/* SPDX-License-Identifier: Apache-2.0 */
/* The undirected graph without self-loops, for the lenses that need it. */
#ifndef LENS_ROWS_H
#define LENS_ROWS_H

#include "dgm/graph.h"

#include <assert.h>

/* The rows of the graph: every edge stands in the rows of both its ends, two nodes have at most one
 * edge, there are no loops, and rows are sorted. */
typedef struct dgmi_lens_simple_rows {
    int64_t nodes;
    const int64_t *offsets;
    const uint32_t *targets;
} dgmi_lens_simple_rows;

/* Makes these rows. They are the graph's own if those are simple already, and otherwise lie in
 * scratch memory, which the caller's hold releases. For a directed graph, a note says that `lens`
 * does not see directions. */
dgm_status dgmi_lens_simple_rows_make(dgm_context *ctx, const dgm_graph *graph, const char *lens,
                                      dgmi_lens_simple_rows *out);

static inline int64_t dgmi_lens_simple_degree(const dgmi_lens_simple_rows *rows, int64_t node) {
    assert(node >= 0 && node < rows->nodes);
    return rows->offsets[node + 1] - rows->offsets[node];
}

#endif
