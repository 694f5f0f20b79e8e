/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as the data numbers them, and classes as a graph counts them. */
#ifndef GRAPH_LABELS_H
#define GRAPH_LABELS_H

#include "dgm/graph.h"

/* The first two are for graphs that nobody else holds yet: a finished graph never changes. */

/* Copies the labels, numbers of the data, and finds the classes among them. On failure nothing
 * changes. */
dgm_status dgmi_graph_take_labels(dgm_context *ctx, dgm_graph *graph, int64_t count,
                                  const int32_t *labels);

/* Labels for all nodes in the place of those that are there, number c being called names[c]. */
dgm_status dgmi_graph_give_labels(dgm_context *ctx, dgm_graph *graph, const int32_t *labels,
                                  int32_t name_count, const char *const *names);

/* A graph that shares nothing with the first. */
dgm_status dgmi_graph_copy(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out);

/* The name that the data gives a number, whether a node has that class or not; NULL: none. */
const char *dgmi_graph_number_name(const dgm_graph *graph, int32_t number);

/* The number of a column's class where the classifier, of so many columns, does not know it. */
int32_t dgmi_graph_column_number(const dgm_graph *graph, int32_t columns, int32_t column);

#endif
