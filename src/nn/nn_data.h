/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a graph into the input of a network: features, propagation matrix, targets and splits; and
 * measures how good the answers of a network are. What is made here belongs to its struct and is
 * freed by its _free. */
#ifndef NN_DATA_H
#define NN_DATA_H

#include "dgm/graph.h"
#include "dgm/neural.h"
#include "nn_ops.h"

/* How features are scaled for a network. */
typedef enum dgmi_nn_scaling {
    DGMI_NN_SCALE_NONE,
    DGMI_NN_SCALE_ROWS,    /* rows are divided by their sum, if there is more than one column and no
                              number is negative */
    DGMI_NN_SCALE_COLUMNS, /* columns have mean 0 and deviation 1; those of a sparse table keep
                              their zeros and have a mean square of 1 */
    DGMI_NN_SCALE_BY_KIND, /* one of these, as the numbers look: nn_scaling.c */
} dgmi_nn_scaling;

/* What a network reads of a graph. */
typedef struct dgmi_nn_reading {
    int kind;       /* a dgm_feature_kind */
    bool structure; /* AUTO takes STRUCTURE for large graphs without features */
    int scaling;    /* a dgmi_nn_scaling */
    bool unit; /* afterwards all numbers are multiplied by one power of two, so that a row has a
                    length near 1 in the mean of squares */
    int64_t columns; /* of a trained network that knows their shift and scale; 0: they
                                   are measured where columns are scaled */
    const float *shift, *scale;
} dgmi_nn_reading;

/* The input X of a network, sparse if the features of the graph are, else dense. Arrays that need
 * no change are borrowed from the graph, which must outlive this. */
typedef struct dgmi_nn_features {
    int64_t rows, width;
    dgmi_nn_sparse sparse; /* the features if `dense` is NULL; its values are never NULL */
    const float *dense;    /* the features, rows x width */
    bool one_hot;          /* X is the identity, so that X W is W; `sparse` holds its entries */
    int kind;              /* the dgm_feature_kind that was used */
    int scaling;           /* the dgmi_nn_scaling that was used; not BY_KIND */
    float factor;          /* the power of two that all numbers were multiplied by */
    const float *shift, *scale; /* x became (x - shift) * scale, if columns were scaled */
    void *owned[4];             /* the memory that is not borrowed */
} dgmi_nn_features;
/* Makes the input. DGM_FEATURES_AUTO takes the features of the graph; if it has none, it takes the
 * one-hot identity, and a note says so. The other kinds ignore the features of the graph. A NaN or
 * infinity is an error that names the node and the column. */
dgm_status dgmi_nn_features_read(dgm_context *ctx, const dgm_graph *graph,
                                 const dgmi_nn_reading *reading, dgmi_nn_features *out);
/* The same by rows (`normalise`) or not scaled at all. */
dgm_status dgmi_nn_features_make(dgm_context *ctx, const dgm_graph *graph, int kind, bool normalise,
                                 dgmi_nn_features *out);
void dgmi_nn_features_free(dgm_context *ctx, dgmi_nn_features *features);

/* Makes the propagation matrix D^-1/2 (A + I) D^-1/2 with edge weights (Kipf and Welling, 2017). In
 * a directed graph a node gathers from the nodes that point at it, and D is the weight of incoming
 * edges. A self-loop of the graph adds to the 1 of the identity. Negative weights are an error. The
 * matrix owns its memory. */
dgm_status dgmi_nn_propagation_make(dgm_context *ctx, const dgm_graph *graph, dgmi_nn_sparse *out);
void dgmi_nn_propagation_free(dgm_context *ctx, dgmi_nn_sparse *propagation);

/* Finds the labels of the graph, which are borrowed, and the number of classes. It is an error if
 * there are no labels or only one class; the message says what to do. */
dgm_status dgmi_nn_labels_find(dgm_context *ctx, const dgm_graph *graph, const int32_t **labels,
                               int32_t *classes);

/* The nodes for training, validation and test: the split of the graph, or fractions that are drawn
 * class by class from the seed, or from all nodes if `labels` is NULL. Nodes without a label are in
 * no part. */
typedef struct dgmi_nn_split {
    uint32_t *train, *validation, *test; /* ascending */
    int64_t train_count, validation_count, test_count;
} dgmi_nn_split;
/* If `train` and `validation` are 0, it takes the split of the graph, and it is an error if there
 * is none; the message says what to do. The nodes that are left over are for the test. Every class
 * has at least one training node. A note names classes that have none in the split of the graph. */
dgm_status dgmi_nn_split_make(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                              double train, double validation, int64_t seed, dgmi_nn_split *out);
/* If no node validates, some of the training nodes do from now on: one in five, drawn class by
 * class, and a note says so. A split with fewer than 50 training nodes stays as it is. */
dgm_status dgmi_nn_split_hold_out(dgm_context *ctx, const int32_t *labels, int64_t nodes,
                                  int64_t seed, dgmi_nn_split *split);
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
