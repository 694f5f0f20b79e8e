/* SPDX-License-Identifier: Apache-2.0 */
/* The undirected graph without self-loops, and what needs it: cores and triangles. */
#ifndef GRAPH_SIMPLE_H
#define GRAPH_SIMPLE_H

#include "dgm/graph.h"

#include <assert.h>

/* The rows of the graph: every edge stands in the rows of both its ends, two nodes have at most one
 * edge, there are no loops, and rows are sorted. */
typedef struct dgmi_graph_simple_rows {
    int64_t nodes;
    const int64_t *offsets;
    const uint32_t *targets;
} dgmi_graph_simple_rows;

/* Makes these rows. They are the graph's own if those are simple already, and otherwise lie in
 * scratch memory, which the caller's hold releases. Directions are not seen. */
dgm_status dgmi_graph_simple_make(dgm_context *ctx, const dgm_graph *graph,
                                  dgmi_graph_simple_rows *out);

static inline int64_t dgmi_graph_simple_degree(const dgmi_graph_simple_rows *rows, int64_t node) {
    assert(node >= 0 && node < rows->nodes);
    return rows->offsets[node + 1] - rows->offsets[node];
}

/* The core number of each node, and the number of triangles that it is in. */
dgm_status dgmi_graph_cores(dgm_context *ctx, const dgmi_graph_simple_rows *rows, double *cores);
dgm_status dgmi_graph_triangles(dgm_context *ctx, const dgmi_graph_simple_rows *rows,
                                double *triangles);
/* The share of a node's pairs of neighbours that are joined, by its triangles (Watts and Strogatz,
 * 1998): triangles / (degree (degree - 1) / 2). */
static inline double dgmi_graph_clustering(const dgmi_graph_simple_rows *rows, int64_t node,
                                           double triangles) {
    double degree = (double)dgmi_graph_simple_degree(rows, node);
    return degree < 2 ? 0 : 2 * triangles / (degree * (degree - 1));
}

#endif
