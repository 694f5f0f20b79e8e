/* SPDX-License-Identifier: Apache-2.0 */
/* Layers: a few ops each. An input is a node, or the graph's features where no op has touched them
 * yet. */
#ifndef NN_LAYERS_H
#define NN_LAYERS_H

#include "nn_data.h"
#include "nn_ops.h"

typedef struct dgmi_input {
    const dgmi_features *features; /* where node is NULL */
    dgmi_node *node;
} dgmi_input;

/* x with dropout, as far as x can have it: entries of sparse features, cells of dense ones; one-hot
 * features stay. p = 0: none. */
typedef struct dgmi_drop {
    float p;
    uint64_t seed, stream;
} dgmi_drop;

/* x w */
dgmi_node *dgmi_layer_linear(dgmi_tape *tape, dgmi_input x, dgmi_drop drop, dgmi_node *weight);
/* P x w (Kipf and Welling, 2017), in the order that costs less */
dgmi_node *dgmi_layer_convolve(dgmi_tape *tape, const dgmi_sparse *propagation, dgmi_input x,
                               dgmi_drop drop, dgmi_node *weight);
/* Whether (P x) w takes fewer multiplications than P (x w). */
bool dgmi_layer_gathers_first(const dgmi_csr *propagation, const dgmi_tensor *weight);
/* ReLU(P x w + x skip): the block that minCUT pooling is built of, with a skip connection */
dgmi_node *dgmi_layer_skip(dgmi_tape *tape, const dgmi_sparse *propagation, dgmi_input x,
                           dgmi_node *weight, dgmi_node *skip);

#endif
