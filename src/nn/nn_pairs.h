/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution on two graphs with the same edges at once, as Deep Graph Infomax needs it for a
 * graph and its shuffled copy. */
#ifndef NN_PAIRS_H
#define NN_PAIRS_H

#include "nn_ops.h"

/* Returns whether dgmi_nn_op_pairs has kernels for these widths. `weight` may be NULL. */
bool dgmi_nn_pairs_fit(const dgmi_table_tensor *x, const dgmi_table_tensor *weight);
/* ELU((P x) W + b), W the identity where `weight` is NULL. Rows 2i and 2i + 1 of x are node i of
 * the one graph and of the other. */
dgmi_nn_node *dgmi_nn_op_pairs(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                               dgmi_nn_node *x, dgmi_nn_node *weight, dgmi_nn_node *bias);

#endif
