/* SPDX-License-Identifier: Apache-2.0 */
/* What a classifier says of every node of a graph: the class it takes for the likeliest, and where
 * they are known the probabilities of all classes. A network of this library made them, or any
 * other program.
 *
 * Predictions are an object of their own. They copy what they need of the graph, which they do not
 * keep, and they never change once they are made, so that many threads may read them.
 */
#ifndef DGM_PREDICTIONS_H
#define DGM_PREDICTIONS_H

#include <stdint.h>

#include "dgm/context.h"
#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef struct dgm_predictions dgm_predictions;

/* ---- making them: everything is copied ----
 *
 * `splits` holds one dgm_split for each node and says which nodes trained the classifier. NULL
 * means that it was trained on the split of the graph, if the graph has one.
 *
 * Columns of logits and of probabilities belong to classes in this way: if there are as many
 * columns as the graph has classes, then they are those classes in their order. Otherwise column c
 * is the class of number c, and it is an error if the labels have higher numbers and leave some
 * numbers out. Logits that dgm_model_run made know the numbers of their classes, and these count.
 */

/* The probabilities are the softmax of each row of the logits; the table has one row per node. */
DGM_API dgm_status dgm_predictions_from_logits(dgm_context *ctx, const dgm_graph *graph,
                                               const dgm_matrix *logits, const uint8_t *splits,
                                               dgm_predictions **out);

/* How far the probabilities of a node may be from a sum of 1. Tables that were rounded to two
 * digits pass; logits and percentages do not. */
#define DGM_PREDICTIONS_TOLERANCE 0.01

/* Probabilities that were computed elsewhere: `columns` values for each node, row after row. They
 * are kept in single precision, and the likeliest class is the first of the largest of these. It is
 * DGM_ERROR_DATA if a value is not finite or negative, or if a row does not sum to 1. */
DGM_API dgm_status dgm_predictions_from_probabilities(dgm_context *ctx, const dgm_graph *graph,
                                                      const double *probabilities, int32_t columns,
                                                      const uint8_t *splits, dgm_predictions **out);

/* Classes that were found elsewhere, one for each node, counted as dgm_graph_labels counts them; -1
 * where nothing is predicted. It is DGM_ERROR_DATA if the graph has no such class. A graph without
 * labels has no classes of its own: there a class may be any number below the number of nodes. */
DGM_API dgm_status dgm_predictions_from_classes(dgm_context *ctx, const dgm_graph *graph,
                                                const int32_t *classes, const uint8_t *splits,
                                                dgm_predictions **out);

DGM_API void dgm_predictions_free(dgm_predictions *predictions); /* NULL is fine */

/* ---- looking at them: everything returned is borrowed ---- */

DGM_API int64_t dgm_predictions_nodes(const dgm_predictions *predictions);
/* The predicted class of each node, counted as dgm_graph_labels counts them, or -1. */
DGM_API const int32_t *dgm_predictions_classes(const dgm_predictions *predictions);
/* The probabilities, one row per node, and how many columns there are (`columns` may be NULL). NULL
 * and 0 where only classes are known. */
DGM_API const float *dgm_predictions_probabilities(const dgm_predictions *predictions,
                                                   int32_t *columns);
/* The class of a column of probabilities; -1 if there is no such column. */
DGM_API int32_t dgm_predictions_probability_class(const dgm_predictions *predictions,
                                                  int32_t column);
/* Who trained the classifier, one dgm_split for each node; NULL: as dgm_graph_splits says. */
DGM_API const uint8_t *dgm_predictions_splits(const dgm_predictions *predictions);

/* How many classes labels and classifier know together. The classes of the graph come first, and
 * those that occur in no label are counted behind them. */
DGM_API int32_t dgm_predictions_known_classes(const dgm_predictions *predictions);
/* As dgm_graph_class_number, dgm_graph_class_name and dgm_graph_class_text, but also of classes
 * that occur in no label. `graph` is the one that the predictions were made for. */
DGM_API int32_t dgm_predictions_class_number(const dgm_predictions *predictions, int32_t label);
DGM_API const char *dgm_predictions_class_name(const dgm_predictions *predictions,
                                               const dgm_graph *graph, int32_t label);
DGM_API const char *dgm_predictions_class_text(const dgm_predictions *predictions,
                                               const dgm_graph *graph, int32_t label, char *buffer,
                                               size_t size);

#endif
