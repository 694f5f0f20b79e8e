/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution for two graphs of the same edges at once. */
#ifndef NN_PAIRS_H
#define NN_PAIRS_H

#include "nn_ops.h"

/* Whether dgmi_op_pairs does it: for the widths that its kernels have. weight NULL: none. */
bool dgmi_pairs_fit(const dgmi_tensor *x, const dgmi_tensor *weight);
/* ELU((P x) W + b), W the identity where `weight` is NULL. Rows 2i and 2i + 1 of x are node i of
 * the one graph and of the other. */
dgmi_node *dgmi_op_pairs(dgmi_tape *tape, const dgmi_sparse *propagation, dgmi_node *x,
                         dgmi_node *weight, dgmi_node *bias);

#endif
