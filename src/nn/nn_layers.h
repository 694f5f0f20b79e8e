/* SPDX-License-Identifier: Apache-2.0 */
/* Layers: a few ops each. An input is a node, or the graph's features where no op has touched them
 * yet. */
#ifndef NN_LAYERS_H
#define NN_LAYERS_H

#include "nn_data.h"
#include "nn_ops.h"

typedef struct dgmi_nn_input {
    const dgmi_nn_features *features; /* where node is NULL */
    dgmi_nn_node *node;
} dgmi_nn_input;

/* x with dropout, as far as x can have it: entries of sparse features, cells of dense ones; one-hot
 * features stay. p = 0: none. */
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
