/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as the data numbers them, and classes as a graph counts them. */
#ifndef GRAPH_LABELS_H
#define GRAPH_LABELS_H

#include "dgm/graph.h"

/* Copies the labels, numbers of the data, and finds the classes among them. What was predicted
 * before is forgotten. On failure nothing changes. */
dgm_status dgmi_graph_take_labels(dgm_context *ctx, dgm_graph *graph, int64_t count,
                                  const int32_t *labels);

/* The name that the data gives a number, whether a node has that class or not; NULL: none. */
const char *dgmi_graph_number_name(const dgm_graph *graph, int32_t number);

void dgmi_graph_forget_predictions(dgm_graph *graph);

/* dgm_graph_set_probabilities of a classifier that knows the number of each column's class,
 * no two alike. NULL: it does not. */
dgm_status dgmi_graph_set_probabilities(dgm_context *ctx, dgm_graph *graph, int32_t columns,
                                        const int32_t *numbers, const float *probabilities);

/* The number of a column's class where the classifier, of so many columns, does not know it. */
int32_t dgmi_graph_column_number(const dgm_graph *graph, int32_t columns, int32_t column);

#endif
