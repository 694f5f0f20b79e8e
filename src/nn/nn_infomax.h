/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax (Velickovic and others, 2019). A network of one convolution with
 * PReLU has it as one fused op; a network of several layers, of which the last is linear, has it as
 * a few small ops. */
#ifndef NN_INFOMAX_H
#define NN_INFOMAX_H

#include "nn_ops.h"

typedef struct dgmi_nn_infomax {
    const dgmi_nn_sparse *features, *propagation;
    const uint32_t *shuffle,
        *inverse; /* node i of the other graph has the features of shuffle[i] */
    dgmi_nn_node *weight, *bias, *slope; /* of the convolution */
    dgmi_nn_node *discriminator, *discriminator_bias;
} dgmi_nn_infomax;

/* Returns the binary cross-entropy of sigmoid(h W s + b), with target 1 for nodes h of the graph
 * and 0 for those of the shuffled graph, where s = sigmoid(mean h). What `infomax` points at must
 * stay until the tape is rewound.
 *
 * Columns of the hidden layer are combined only in s and in the scores. So each thread takes a
 * slab of columns through product, propagation and activation while it is in the cache. */
dgmi_nn_node *dgmi_nn_op_infomax(dgmi_nn_tape *tape, const dgmi_nn_infomax *infomax);

/* The same for a network with more layers of which the last is linear, from the input of that layer
 * on. Rows 2i and 2i + 1 of `input` are node i of the graph and of the shuffled one. `targets` and
 * `shares`, which are the shares of rows in the mean, have one number for each row. */
typedef struct dgmi_nn_infomax_linear {
    dgmi_nn_node *input, *weight, *bias;
    dgmi_nn_node *discriminator, *discriminator_bias;
    const float *targets; /* 1, 0, 1, 0 ... */
    const float *shares;  /* 1 / n, 0, 1 / n, 0 ... */
} dgmi_nn_infomax_linear;
dgmi_nn_node *dgmi_nn_infomax_linear_loss(dgmi_nn_tape *tape,
                                          const dgmi_nn_infomax_linear *infomax);

#endif
