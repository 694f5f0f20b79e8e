/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of graphs, for readers: what a file says of a set beyond its graphs and their classes. */
#ifndef GRAPH_SET_H
#define GRAPH_SET_H

#include "dgm/set.h"

/* Copies the fold of each graph, -1 for none. It is for a set that nobody else holds yet. */
dgm_status dgmi_graph_set_give_folds(dgm_context *ctx, dgm_graph_set *set, int32_t count,
                                     const int32_t *folds);

/* Frees the set and returns its union, which the caller frees. */
dgm_graph *dgmi_graph_set_release(dgm_graph_set *set);

/* The first edge of a row that leads out of its graph; false if there is none. The offsets rise
 * from 0 to the number of nodes. */
typedef struct dgmi_graph_crossing {
    int64_t from, to; /* the nodes */
    int64_t from_graph, to_graph;
} dgmi_graph_crossing;
bool dgmi_graph_set_find_crossing(const dgm_graph *united, int64_t count, const int64_t *offsets,
                                  dgmi_graph_crossing *crossing);

#endif
