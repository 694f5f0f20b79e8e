/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and classes. A label is a number that the data gives to a class; the classes of a graph
 * are the labels that occur, counted from 0. */
#ifndef GRAPH_LABELS_H
#define GRAPH_LABELS_H

#include "dgm/graph.h"

/* The first two change a graph. They are for graphs that nobody else holds yet, since a finished
 * graph never changes. */

/* Copies the labels and finds the classes among them. On failure nothing changes. */
dgm_status dgmi_graph_take_labels(dgm_context *ctx, dgm_graph *graph, int64_t count,
                                  const int32_t *labels);

/* Replaces the labels of all nodes. The class of number c is called names[c]. */
dgm_status dgmi_graph_give_labels(dgm_context *ctx, dgm_graph *graph, const int32_t *labels,
                                  int32_t name_count, const char *const *names);

/* Makes a copy of a graph, which the caller frees. */
dgm_status dgmi_graph_copy(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out);

/* Returns the name that the data gives a number, whether a node has that class or not; NULL if it
 * has no name. */
const char *dgmi_graph_number_name(const dgm_graph *graph, int32_t number);

/* Returns the number of the class that a column of a classifier stands for, if the classifier does
 * not say it. `columns` is the number of its columns. */
int32_t dgmi_graph_column_number(const dgm_graph *graph, int32_t columns, int32_t column);

#endif
