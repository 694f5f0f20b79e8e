/* SPDX-License-Identifier: Apache-2.0 */
/* Layers, each made of a few ops. The input of a layer is a node of the tape, or, for the first
 * layer, the features of the graph. */
#ifndef NN_LAYERS_H
#define NN_LAYERS_H

#include "nn_data.h"
#include "nn_ops.h"

typedef struct dgmi_nn_input {
    const dgmi_nn_features *features; /* where node is NULL */
    dgmi_nn_node *node;
} dgmi_nn_input;

/* Dropout of the input: of the entries of sparse features, or of the cells of dense ones. One-hot
 * features stay as they are. p = 0 means no dropout. */
typedef struct dgmi_nn_drop {
    float p;
    uint64_t seed, stream;
} dgmi_nn_drop;

/* x w */
dgmi_nn_node *dgmi_nn_layer_linear(dgmi_nn_tape *tape, dgmi_nn_input x, dgmi_nn_drop drop,
                                   dgmi_nn_node *weight);
/* P x w (Kipf and Welling, 2017), in the order that costs less */
dgmi_nn_node *dgmi_nn_layer_convolve(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                                     dgmi_nn_input x, dgmi_nn_drop drop, dgmi_nn_node *weight);
/* Whether (P x) w takes fewer multiplications than P (x w). */
bool dgmi_nn_layer_gathers_first(const dgmi_table_csr *propagation,
                                 const dgmi_table_tensor *weight);
/* ReLU(P x w + x skip): the block that minCUT pooling is built of, with a skip connection */
dgmi_nn_node *dgmi_nn_layer_skip(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                                 dgmi_nn_input x, dgmi_nn_node *weight, dgmi_nn_node *skip);

#endif
