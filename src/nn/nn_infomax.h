/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax as one op, for one convolution and PReLU and for the last of
 * several layers with ELU. */
#ifndef NN_INFOMAX_H
#define NN_INFOMAX_H

#include "nn_ops.h"

typedef struct dgmi_infomax {
    const dgmi_sparse *features, *propagation;
    const uint32_t *shuffle,
        *inverse;                     /* node i of the other graph has the features of shuffle[i] */
    dgmi_node *weight, *bias, *slope; /* of the convolution */
    dgmi_node *discriminator, *discriminator_bias;
} dgmi_infomax;

/* The binary cross-entropy of sigmoid(h W s + b), 1 for nodes h of the graph and 0 for those of the
 * shuffled one, s = sigmoid(mean h). What `infomax` points at outlives the tape's next rewind.
 *
 * Columns of the hidden layer meet only in s and in the scores, so each thread takes a panel of
 * columns through product, propagation and activation while it is in the cache. */
dgmi_node *dgmi_op_infomax(dgmi_tape *tape, const dgmi_infomax *infomax);

/* The same where the network has more layers: from the input of the last one on, whose activation
 * is ELU. Rows 2i and 2i + 1 of `input` are node i of the graph and of the shuffled one. */
typedef struct dgmi_infomax_dense {
    dgmi_node *input, *weight, *bias;
    dgmi_node *discriminator, *discriminator_bias;
} dgmi_infomax_dense;
dgmi_node *dgmi_op_infomax_dense(dgmi_tape *tape, const dgmi_infomax_dense *infomax);

#endif
