/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution for two graphs of the same edges at once. */
#ifndef NN_PAIRS_H
#define NN_PAIRS_H

#include "nn_ops.h"

/* Whether dgmi_nn_op_pairs does it: for the widths that its kernels have. weight NULL: none. */
bool dgmi_nn_pairs_fit(const dgmi_table_tensor *x, const dgmi_table_tensor *weight);
/* ELU((P x) W + b), W the identity where `weight` is NULL. Rows 2i and 2i + 1 of x are node i of
 * the one graph and of the other. */
dgmi_nn_node *dgmi_nn_op_pairs(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                               dgmi_nn_node *x, dgmi_nn_node *weight, dgmi_nn_node *bias);

#endif
