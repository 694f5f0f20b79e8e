/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a dgm_model: a stack of layers with their weights, and its forward pass. */
#ifndef NN_NETWORK_H
#define NN_NETWORK_H

#include "nn_layers.h"
#include "nn_weights.h"

typedef enum dgmi_nn_activation {
    DGMI_NN_ACTIVATION_NONE,
    DGMI_NN_ACTIVATION_RELU,
    DGMI_NN_ACTIVATION_ELU,
    DGMI_NN_ACTIVATION_PRELU,
} dgmi_nn_activation;

typedef struct dgmi_nn_layer {
    bool convolution; /* a convolution; otherwise a linear layer */
    int64_t in, out;  /* the number of input and of output columns */
    dgmi_nn_activation activation;
    float dropout;           /* the share of the input that is dropped in training */
    int weight, bias, slope; /* the indices of its weights; -1: none */
} dgmi_nn_layer;

enum { DGMI_NN_MOST_LAYERS = 32 };

struct dgm_model {
    dgm_allocator allocator;
    dgm_model_kind kind;
    bool regression; /* it predicts a number, which is scale * output + shift */
    double scale, shift;
    int features;           /* a dgm_feature_kind */
    int normalise;          /* a dgmi_nn_scaling: how features are scaled */
    int32_t *class_numbers; /* the numbers of the classes of its outputs; NULL: not known */
    dgmi_nn_layer layers[DGMI_NN_MOST_LAYERS];
    int layer_count;
    dgmi_nn_weights weights;
    int discriminator, discriminator_bias; /* the indices of these weights of DGI; -1: none */
    int column_shift, column_scale; /* those of its features' columns; -1: they are not scaled */
    dgm_training_epoch *history;    /* of its training; NULL: it was read from a file */
    int64_t history_count, history_room;
};

dgm_status dgmi_nn_model_create(dgm_context *ctx, dgm_model_kind kind, dgm_model **out);
/* Appends a layer, whose `in` must be the `out` of the layer before. With `decays`, the decay of
 * the optimiser applies to its weights. */
dgm_status dgmi_nn_model_add_layer(dgm_context *ctx, dgm_model *model, dgmi_nn_layer layer,
                                   bool decays);
/* Adds the bilinear discriminator of DGI over the output of the last layer. */
dgm_status dgmi_nn_model_add_discriminator(dgm_context *ctx, dgm_model *model);
/* Adds the shift and the scale of each column of the features. They are no weights that are learnt,
 * but belong to the network all the same. */
dgm_status dgmi_nn_model_add_columns(dgm_context *ctx, dgm_model *model);
/* Makes and draws all weights, after the last layer was added. Biases are 0, slopes 1/4. */
dgm_status dgmi_nn_model_finish(dgm_context *ctx, dgm_model *model, int64_t seed);
/* Makes room for the numbers of as many classes as the network has outputs. */
dgm_status dgmi_nn_model_number_classes(dgm_context *ctx, dgm_model *model);
/* Turns an answer of the network, one row per node, into a table with named columns. This is the
 * last step of dgm_model_run. */
dgm_status dgmi_nn_model_table(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                               const dgmi_table_tensor *answer, dgm_matrix **out);
/* Reads "32-64-128" into `sizes`; *count becomes their number. */
dgm_status dgmi_nn_model_sizes(dgm_context *ctx, const char *hidden, int64_t *sizes, int *count);

/* What the network sees of a graph. */
typedef struct dgmi_nn_sight {
    dgmi_nn_features features;
    dgmi_nn_sparse propagation;
} dgmi_nn_sight;
dgm_status dgmi_nn_sight_read(dgm_context *ctx, const dgm_graph *graph,
                              const dgmi_nn_reading *reading, dgmi_nn_sight *out);
/* The same by rows (`normalise`) or not scaled at all. */
dgm_status dgmi_nn_sight_make(dgm_context *ctx, const dgm_graph *graph, int features,
                              bool normalise, dgmi_nn_sight *out);
/* Returns how the network reads a graph. */
dgmi_nn_reading dgmi_nn_model_reading(const dgm_model *model);
/* The model will read other graphs as this one was read, except for what depends on the graph. */
void dgmi_nn_model_reads(dgm_model *model, const dgmi_nn_reading *reading,
                         const dgmi_nn_features *features);
/* The model remembers how the features of its training were scaled. dgmi_nn_model_settle moves
 * their factor into the first weights, after the training; no bit of an answer changes. */
void dgmi_nn_model_remember(dgm_model *model, const dgmi_nn_features *features);
void dgmi_nn_model_settle(dgm_model *model, const dgmi_nn_features *features);
void dgmi_nn_sight_free(dgm_context *ctx, dgmi_nn_sight *sight);

typedef struct dgmi_nn_reach dgmi_nn_reach; /* nn_reach.h */

/* One forward pass of a network. In training, dropout is drawn from seed and epoch. */
typedef struct dgmi_nn_pass {
    dgmi_nn_tape *tape;
    const dgm_model *model;
    const dgmi_nn_sight *sight;
    const dgmi_nn_optimiser *optimiser; /* NULL: it is no training, without gradients and dropout */
    const dgmi_nn_reach *reach;         /* the reach of the nodes that are asked for; NULL: all */
    uint64_t seed, epoch;
} dgmi_nn_pass;
/* Runs all layers. */
dgmi_nn_node *dgmi_nn_pass_run(const dgmi_nn_pass *pass);
/* These run the product x w of the first layer, and all that follows it. DGI needs the second part
 * twice for one product. */
dgmi_nn_node *dgmi_nn_pass_first(const dgmi_nn_pass *pass);
dgmi_nn_node *dgmi_nn_pass_rest(const dgmi_nn_pass *pass, dgmi_nn_node *first);
/* Runs two graphs at once, up to P x of the last layer. Rows 2i and 2i + 1 are node i of the one
 * and of the other graph. */
dgmi_nn_node *dgmi_nn_pass_pairs(const dgmi_nn_pass *pass, dgmi_nn_node *first);
/* Returns the stream of random numbers for the dropout of a layer in this epoch. */
uint64_t dgmi_nn_pass_stream(const dgmi_nn_pass *pass, int layer);

#endif
