/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of layers with its weights: the inside of a dgm_model. */
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
    bool convolution; /* else linear */
    int64_t in, out;
    dgmi_nn_activation activation;
    float dropout;           /* of the input, in training */
    int weight, bias, slope; /* indices of weights, -1: none */
} dgmi_nn_layer;

enum { DGMI_NN_MOST_LAYERS = 32 };

struct dgm_model {
    dgm_allocator allocator;
    dgm_model_kind kind;
    bool regression; /* predicts a number: scale * output + shift */
    double scale, shift;
    int features;           /* dgm_feature_kind */
    bool normalise;         /* rows of features */
    int32_t *class_numbers; /* of a classifier's outputs; NULL: nobody knows */
    dgmi_nn_layer layers[DGMI_NN_MOST_LAYERS];
    int layer_count;
    dgmi_nn_weights weights;
    int discriminator, discriminator_bias; /* of DGI, -1: none */
};

dgm_status dgmi_nn_model_create(dgm_context *ctx, dgm_model_kind kind, dgm_model **out);
/* Appends a layer; its in is the former one's out. `decays`: its weight under the optimiser's
 * decay.
 */
dgm_status dgmi_nn_model_add_layer(dgm_context *ctx, dgm_model *model, dgmi_nn_layer layer,
                                   bool decays);
/* The bilinear discriminator of DGI over the last layer's output. */
dgm_status dgmi_nn_model_add_discriminator(dgm_context *ctx, dgm_model *model);
/* After the last layer: makes the weights and draws them (biases 0, slopes 1/4). */
dgm_status dgmi_nn_model_finish(dgm_context *ctx, dgm_model *model, int64_t seed);
/* Room for the numbers of as many classes as the network has outputs. */
dgm_status dgmi_nn_model_number_classes(dgm_context *ctx, dgm_model *model);
/* What the network answered, one row per node, as a table whose columns are named: the end of
 * dgm_model_run, for those who have an answer already. */
dgm_status dgmi_nn_model_table(dgm_context *ctx, const dgm_model *model, const dgm_graph *graph,
                               const dgmi_table_tensor *answer, dgm_matrix **out);
/* "32-64-128" into sizes; the number of them in *count. */
dgm_status dgmi_nn_model_sizes(dgm_context *ctx, const char *hidden, int64_t *sizes, int *count);

/* What the network sees of a graph. */
typedef struct dgmi_nn_sight {
    dgmi_nn_features features;
    dgmi_nn_sparse propagation;
} dgmi_nn_sight;
dgm_status dgmi_nn_sight_make(dgm_context *ctx, const dgm_graph *graph, int features,
                              bool normalise, dgmi_nn_sight *out);
void dgmi_nn_sight_free(dgm_context *ctx, dgmi_nn_sight *sight);

typedef struct dgmi_nn_field dgmi_nn_field; /* nn_field.h */

/* One pass. In training `optimiser` is there and dropout is drawn from seed and epoch. */
typedef struct dgmi_nn_pass {
    dgmi_nn_tape *tape;
    const dgm_model *model;
    const dgmi_nn_sight *sight;
    const dgmi_nn_optimiser *optimiser; /* NULL: no gradients, no dropout */
    const dgmi_nn_field *field;         /* what the answer is asked for at; NULL: all nodes */
    uint64_t seed, epoch;
} dgmi_nn_pass;
/* All layers. */
dgmi_nn_node *dgmi_nn_pass_run(const dgmi_nn_pass *pass);
/* x w of the first layer, and all that follows it: what DGI does twice with one product. */
dgmi_nn_node *dgmi_nn_pass_first(const dgmi_nn_pass *pass);
dgmi_nn_node *dgmi_nn_pass_rest(const dgmi_nn_pass *pass, dgmi_nn_node *first);
/* The same for two graphs at once, up to the product of the last layer: rows 2i and 2i + 1 are node
 * i of the one and of the other. P x of the last layer. */
dgmi_nn_node *dgmi_nn_pass_pairs(const dgmi_nn_pass *pass, dgmi_nn_node *first);
/* Draws of dropout: one stream per layer and epoch. */
uint64_t dgmi_nn_pass_stream(const dgmi_nn_pass *pass, int layer);

#endif
