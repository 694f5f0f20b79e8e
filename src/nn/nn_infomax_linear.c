/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax where the last layer is linear, Y = X W + b. Rows of Y meet the
 * loss only in their mean and in products with one vector W_d s, so Y itself is never made:
 * mean(Y) = mean(X) W + b, and Y d = X (W d) + b d. */
#include "nn_infomax.h"

#include <assert.h>

dgmi_node *dgmi_infomax_linear_loss(dgmi_tape *tape, const dgmi_infomax_linear *infomax) {
    assert(!infomax->input || infomax->input->value.rows % 2 == 0);
    dgmi_node *x = infomax->input, *weight = infomax->weight, *bias = infomax->bias;
    if (!x)
        return NULL;
    dgmi_node *own = dgmi_tape_constant(tape, x->value.rows, 1, infomax->shares);
    dgmi_node *mean = dgmi_op_product(tape, x, true, own, false);
    dgmi_node *mean_y = dgmi_op_bias(tape, dgmi_op_product(tape, mean, true, weight, false), bias);
    dgmi_node *summary = dgmi_op_map(tape, DGMI_MAP_SIGMOID, mean_y);
    dgmi_node *direction = dgmi_op_product(tape, infomax->discriminator, false, summary, true);
    dgmi_node *along = dgmi_op_product(tape, weight, false, direction, false);
    dgmi_node *level = dgmi_op_product(tape, bias, false, direction, false);
    dgmi_node *scores =
        dgmi_op_bias_over(tape, dgmi_op_product(tape, x, false, along, false), level);
    scores = dgmi_op_bias_over(tape, scores, infomax->discriminator_bias);
    return dgmi_op_binary_cross_entropy(tape, scores, infomax->targets);
}
