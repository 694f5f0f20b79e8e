/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax with one convolution and PReLU, as one op. */
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

#endif
