/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of the builder: rows are sorted, and repeats are merged. */
#ifndef GRAPH_ROWS_H
#define GRAPH_ROWS_H

#include "graph_graph.h"

/* Marks a target that came from the reverse of a record, in rows of a weighted undirected graph
 * before merging. */
#define DGMI_GRAPH_REVERSED 0x80000000u

/* Sorts every row, merges repeats and closes the gaps. The weights of the same ordered pair are
 * added; of the sums of the two directions the larger counts. It sets entries, counts.edges,
 * counts.loops_kept and counts.uneven_weights. */
dgm_status dgmi_graph_rows_merge(dgm_context *ctx, dgm_graph *graph);

#endif
