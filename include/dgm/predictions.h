/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions: the class that a classifier gives to each node of a graph, and, if they are known,
 * the probabilities of all classes. They come from a network of this library or from any other
 * program.
 *
 * Predictions copy what they need of the graph and do not keep a pointer to it. They never change
 * after they were made, so many threads may read them at once.
 */
#ifndef DGM_PREDICTIONS_H
#define DGM_PREDICTIONS_H

#include <stdint.h>

#include "dgm/context.h"
#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef struct dgm_predictions dgm_predictions;

/* ---- making predictions: everything is copied, and the caller frees the result ----
 *
 * `splits` holds one dgm_split per node and says which nodes the classifier was trained on. NULL
 * means that it was trained on the split of the graph, if the graph has one.
 *
 * This is how the columns of logits and of probabilities belong to classes. Logits that
 * dgm_model_run made know the numbers of their classes. Otherwise, if there are as many columns as
 * the graph has classes, the columns are these classes in their order. Otherwise column c is the
 * class of number c; it is then an error if a label has a number that no column has and some
 * numbers in between do not occur.
 */

/* Makes predictions from a table of logits with one row per node. The probabilities are the softmax
 * of each row. */
DGM_API dgm_status dgm_predictions_from_logits(dgm_context *ctx, const dgm_graph *graph,
                                               const dgm_matrix *logits, const uint8_t *splits,
                                               dgm_predictions **out);

/* The largest difference from 1 that the sum of a node's probabilities may have. Tables that were
 * rounded to two digits pass; logits and percentages do not. */
#define DGM_PREDICTIONS_TOLERANCE 0.01

/* Makes predictions from probabilities that were computed elsewhere: `columns` values per node, row
 * after row. They are kept in single precision. The predicted class is the one with the largest of
 * these, and the first of them if several are equal. It is DGM_ERROR_DATA if a value is negative or
 * not finite, or if a row does not sum to 1. */
DGM_API dgm_status dgm_predictions_from_probabilities(dgm_context *ctx, const dgm_graph *graph,
                                                      const double *probabilities, int32_t columns,
                                                      const uint8_t *splits, dgm_predictions **out);

/* Makes predictions from one class per node, found elsewhere. Classes are counted as
 * dgm_graph_labels counts them; -1 means that nothing is predicted. It is DGM_ERROR_DATA if the
 * graph has no such class. A graph without labels has no classes of its own; there a class may be
 * any number below the number of nodes. */
DGM_API dgm_status dgm_predictions_from_classes(dgm_context *ctx, const dgm_graph *graph,
                                                const int32_t *classes, const uint8_t *splits,
                                                dgm_predictions **out);

/* Makes the predictions of a subgraph, for dgm_graph_induced(ctx, graph, nodes, ...) = part, out of
 * those of the graph. Classes that no label of the subgraph has are known all the same. */
DGM_API dgm_status dgm_predictions_induced(dgm_context *ctx, const dgm_predictions *predictions,
                                           const dgm_graph *part, const uint32_t *nodes,
                                           dgm_predictions **out);

DGM_API void dgm_predictions_free(dgm_predictions *predictions); /* NULL is fine */

/* ---- looking at predictions: everything that is returned belongs to them ---- */

DGM_API int64_t dgm_predictions_nodes(const dgm_predictions *predictions);
/* Returns the predicted class of each node, counted as dgm_graph_labels counts classes, or -1. */
DGM_API const int32_t *dgm_predictions_classes(const dgm_predictions *predictions);
/* Returns the probabilities, one row per node, and in *columns the number of columns (`columns` may
 * be NULL). If only classes are known, it returns NULL and 0 columns. */
DGM_API const float *dgm_predictions_probabilities(const dgm_predictions *predictions,
                                                   int32_t *columns);
/* Returns the class of a column of probabilities, or -1 if there is no such column. */
DGM_API int32_t dgm_predictions_probability_class(const dgm_predictions *predictions,
                                                  int32_t column);
/* Returns one dgm_split per node, which says which nodes the classifier was trained on. NULL means
 * the split of the graph (dgm_graph_splits). */
DGM_API const uint8_t *dgm_predictions_splits(const dgm_predictions *predictions);

/* Returns how many classes the labels and the classifier have together. The classes of the graph
 * come first, and those that no label has follow. */
DGM_API int32_t dgm_predictions_known_classes(const dgm_predictions *predictions);
/* These do the same as dgm_graph_class_number, dgm_graph_class_name and dgm_graph_class_text, and
 * also know the classes that no label has. `graph` is the graph of the predictions. */
DGM_API int32_t dgm_predictions_class_number(const dgm_predictions *predictions, int32_t label);
DGM_API const char *dgm_predictions_class_name(const dgm_predictions *predictions,
                                               const dgm_graph *graph, int32_t label);
DGM_API const char *dgm_predictions_class_text(const dgm_predictions *predictions,
                                               const dgm_graph *graph, int32_t label, char *buffer,
                                               size_t size);

#endif
