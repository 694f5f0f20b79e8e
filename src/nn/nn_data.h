/* SPDX-License-Identifier: Apache-2.0 */
/* From a graph to what a network eats: features, propagation matrix, targets, splits; and back:
 * how good the answers are. Everything made here is owned by the struct and freed by its _free. */
#ifndef NN_DATA_H
#define NN_DATA_H

#include "dgm/graph.h"
#include "dgm/neural.h"
#include "nn_ops.h"

/* The input X: sparse rows where the graph has them sparse, else dense. What is as it stands in the
 * graph is borrowed from it: the graph outlives it. */
typedef struct dgmi_nn_features {
    int64_t rows, width;
    dgmi_nn_sparse sparse; /* if dense is NULL; its values are never NULL */
    const float *dense;    /* rows x width */
    bool one_hot;          /* the identity: X W is W; sparse holds its n entries */
    void *owned[4];
} dgmi_nn_features;
/* DGM_FEATURES_AUTO: features of the graph; where it has none, the one-hot identity, said in a
 * note. The other kinds leave the graph's own aside. `normalise`: rows divided by their sum, where
 * there is more than one column and no number is negative. A NaN or infinity is an error that names
 * node and column. */
dgm_status dgmi_nn_features_make(dgm_context *ctx, const dgm_graph *graph, int kind, bool normalise,
                                 dgmi_nn_features *out);
void dgmi_nn_features_free(dgm_context *ctx, dgmi_nn_features *features);

/* D^-1/2 (A + I) D^-1/2 with edge weights (Kipf and Welling, 2017); of a directed graph a node
 * gathers from those who point at it, D being the weight of incoming edges. A loop that the graph
 * kept adds to the 1 of the identity. Negative weights are an error. Owns all its memory. */
dgm_status dgmi_nn_propagation_make(dgm_context *ctx, const dgm_graph *graph, dgmi_nn_sparse *out);
void dgmi_nn_propagation_free(dgm_context *ctx, dgmi_nn_sparse *propagation);

/* The graph's labels, borrowed, and how many classes there are; an error that
 * says what to do if there are none, or only one class. */
dgm_status dgmi_nn_labels_find(dgm_context *ctx, const dgm_graph *graph, const int32_t **labels,
                               int32_t *classes);

/* Who trains, who validates, who tests: the graph's own splits, or fractions drawn class by class
 * (stratified; labels NULL: plainly) from the seed. Unlabelled nodes are in none. */
typedef struct dgmi_nn_split {
    uint32_t *train, *validation, *test; /* ascending */
    int64_t train_count, validation_count, test_count;
} dgmi_nn_split;
/* train = 0 and validation = 0: the graph's own; an error that says what to do if it has none.
 * What is left of the nodes tests. Every class gives a training node at least. A class that occurs
 * but does not train (in the graph's own splits) is named in a note. */
dgm_status dgmi_nn_split_make(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                              double train, double validation, int64_t seed, dgmi_nn_split *out);
void dgmi_nn_split_free(dgm_context *ctx, dgmi_nn_split *split);

/* Class weights for the loss: "balanced" is n / (k n_c) over the n training nodes of k classes
 * (0 for a class without any), or a list "1,2,0.5" with one number per class. *out is NULL for
 * "none" and NULL; dgmi_free otherwise. */
dgm_status dgmi_nn_class_weights(dgm_context *ctx, const char *text, const int32_t *labels,
                                 int32_t classes, const dgmi_nn_split *split, float **out);

/* ---- quality ---- */

/* `scores` are logits with one row per node and one column per class. Of equal scores the first
 * counts as the largest. The labels of `rows` are not negative. */

/* Share of `rows` whose largest score is their class; NaN if there are none. */
double dgmi_nn_accuracy(const dgmi_table_tensor *scores, const int32_t *labels,
                        const uint32_t *rows, int64_t count);
/* Mean over classes that occur (among labels or predictions of the rows) of the F1 score. */
double dgmi_nn_macro_f1(const int64_t *confusion, int32_t classes);
/* confusion[true * classes + predicted] += 1 */
void dgmi_nn_confusion(const dgmi_table_tensor *scores, const int32_t *labels, const uint32_t *rows,
                       int64_t count, int64_t *confusion);
/* Expected calibration error in 15 equal bins of the largest probability, the softmax of the scores
 * (Guo and others, 2017); NaN if there are no rows or a score is NaN. */
double dgmi_nn_calibration_error(const dgmi_table_tensor *scores, const int32_t *labels,
                                 const uint32_t *rows, int64_t count);

#endif
