/* SPDX-License-Identifier: Apache-2.0 */
/* Edges that come in the order of the rows they end up in.
 *
 * Arrays of edges are mostly rows already: all sources ascending, then the targets, and each edge
 * in both directions. Such edges need no records: sources are kept as runs, targets stand where the
 * finished graph has them, and a look at every entry's reverse tells that nothing is missing. As
 * soon as something does not fit, the builder makes records of them and goes its usual way.
 */
#ifndef GRAPH_SORTED_H
#define GRAPH_SORTED_H

#include "graph_graph.h"

/* The targets of `source` end before entry `end`. */
typedef struct dgmi_graph_run {
    int64_t end;
    uint32_t source;
} dgmi_graph_run;

typedef struct dgmi_graph_sorted {
    bool on;
    dgmi_graph_run *runs; /* ascending sources */
    int64_t run_count, run_capacity;
    int64_t entries;   /* sources met */
    uint32_t *targets; /* entries, or NULL: none met yet */
    int64_t target_count;
    double *weights; /* likewise */
    int64_t weight_count;
} dgmi_graph_sorted;

/* Takes sources as long as they ascend; *taken says how many that were. */
dgm_status dgmi_graph_sorted_add(dgm_context *ctx, dgmi_graph_sorted *sorted, int64_t count,
                                 const uint32_t *sources, int64_t *taken);
/* The next targets, or weights. */
dgm_status dgmi_graph_sorted_fill_targets(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const uint32_t *targets);
dgm_status dgmi_graph_sorted_fill_weights(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const double *weights);
/* Moves everything into the graph's rows, if they are sorted, without repeats, and (undirected)
 * hold every edge in both directions with one weight; otherwise *done is false and nothing
 * happened. graph->nodes is set. */
dgm_status dgmi_graph_sorted_finish(dgm_context *ctx, dgmi_graph_sorted *sorted, dgm_graph *graph,
                                    bool keep_loops, bool *done);
void dgmi_graph_sorted_free(dgm_context *ctx, dgmi_graph_sorted *sorted);

#endif
