/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GRAPH_ROWS_H
#define GRAPH_ROWS_H

#include "graph_graph.h"

/* Marks a target that came from the reverse of a record, in rows of a weighted undirected graph
 * before merging. */
#define DGMI_GRAPH_REVERSED 0x80000000u

/* Sorts every row, merges repeats (weights of the same ordered pair add; of the two directions the
 * larger counts), closes the gaps, and sets entries, counts.edges, counts.loops_kept and
 * counts.uneven_weights. */
dgm_status dgmi_graph_rows_merge(dgm_context *ctx, dgm_graph *graph);

#endif
