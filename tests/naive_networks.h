/* SPDX-License-Identifier: Apache-2.0 */
/* The fused ops of the room nn as anybody would write them: plain loops in double, forward passes
 * alone. To understand a fused op, read its twin here first. tests/unit/test_naive_networks.c holds
 * the ops against these, and their gradients against difference quotients of these. */
#ifndef NAIVE_NETWORKS_H
#define NAIVE_NETWORKS_H

#include "table_tensor.h"

/* The weights of Deep Graph Infomax with one convolution; nn_infomax.h says what they are. */
typedef struct naive_infomax {
    const dgmi_table_csr *features, *propagation;
    const uint32_t *shuffle;
    const dgmi_table_tensor *weight, *bias, *slope, *discriminator, *discriminator_bias;
} naive_infomax;

/* The twin of dgmi_nn_op_infomax. */
double naive_infomax_loss(const naive_infomax *infomax);

/* The twin of dgmi_nn_infomax_linear_loss: rows 2i and 2i + 1 of `input` are node i of the graph and
 * of the shuffled one. */
double naive_infomax_linear_loss(const dgmi_table_tensor *input, const dgmi_table_tensor *weight,
                                 const dgmi_table_tensor *bias,
                                 const dgmi_table_tensor *discriminator,
                                 const dgmi_table_tensor *discriminator_bias);

/* The twin of dgmi_nn_op_pairs: ELU((P x) W + b), where rows 2i and 2i + 1 of x are node i of the one
 * graph and of the other; `weight` may be NULL. `y` has room for 2 x rows x columns numbers. */
void naive_pairs(const dgmi_table_csr *propagation, const dgmi_table_tensor *x,
                 const dgmi_table_tensor *weight, const dgmi_table_tensor *bias, double *y);

#endif
