/* SPDX-License-Identifier: Apache-2.0 */
/* A short cut of the builder for edges that come in the order of the finished rows.
 *
 * Arrays of edges often are sorted rows already: all sources ascend, and each edge is there in both
 * directions. Such edges need no records. Sources are kept as runs, targets are stored where the
 * finished graph has them, and at the end the reverse of every entry is looked up, so that nothing
 * is missing. As soon as something does not fit, the builder turns the edges into records and goes
 * its usual way. A caller who has rows in memory hands them over as they are.
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
    bool on;              /* the short cut is still being taken */
    dgmi_graph_run *runs; /* the sources, ascending */
    int64_t run_count, run_capacity;
    int64_t entries;   /* the number of sources so far */
    uint32_t *targets; /* the target of each entry; NULL: there are none yet */
    int64_t target_count;
    double *weights; /* the weight of each entry; NULL: there are none yet */
    int64_t weight_count;
} dgmi_graph_sorted;

/* Takes sources as long as they ascend; *taken becomes the number of those. */
dgm_status dgmi_graph_sorted_add(dgm_context *ctx, dgmi_graph_sorted *sorted, int64_t count,
                                 const uint32_t *sources, int64_t *taken);
/* These take the next targets, or the next weights. */
dgm_status dgmi_graph_sorted_fill_targets(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const uint32_t *targets);
dgm_status dgmi_graph_sorted_fill_weights(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const double *weights);
/* Offsets that a caller gives rise from 0; the error says of what they are. */
dgm_status dgmi_graph_check_offsets(dgm_context *ctx, const char *what, const int64_t *offsets,
                                    int64_t count);

/* The rows as a caller has them, copied: entries of rows without order, with repeats and loops.
 * Where they do not fit together this is an error, and `sorted` stays empty. */
dgm_status dgmi_graph_sorted_from_rows(dgm_context *ctx, const dgm_graph_rows *rows,
                                       dgmi_graph_sorted *sorted);

/* Where a reader of the edges stands; begins as {0}. */
typedef struct dgmi_graph_sorted_cursor {
    int64_t run, entry;
} dgmi_graph_sorted_cursor;
/* Spells out the next edges, at most `most` of them, as pairs of ends; the weights of these `count`
 * are those before the cursor's entry. Returns 0 behind the last edge. */
int64_t dgmi_graph_sorted_read(const dgmi_graph_sorted *sorted, dgmi_graph_sorted_cursor *cursor,
                               int64_t most, uint32_t *ends);

/* Moves everything into the rows of the graph, if the rows are sorted and without repeats, and in
 * an undirected graph every edge is there in both directions with the same weight. Otherwise *done
 * is false and nothing happens. graph->nodes must be set. */
dgm_status dgmi_graph_sorted_finish(dgm_context *ctx, dgmi_graph_sorted *sorted, dgm_graph *graph,
                                    bool keep_loops, bool *done);
void dgmi_graph_sorted_free(dgm_context *ctx, dgmi_graph_sorted *sorted);

#endif
