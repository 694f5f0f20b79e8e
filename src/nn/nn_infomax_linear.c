/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax for a linear last layer, Y = X W + b. The loss depends on Y only
 * by its mean and by the product with one vector d = W_d s. So Y itself is never computed: mean(Y)
 * = mean(X) W + b, and Y d = X (W d) + b d. */
#include "nn_infomax.h"

#include <assert.h>

dgmi_nn_node *dgmi_nn_infomax_linear_loss(dgmi_nn_tape *tape,
                                          const dgmi_nn_infomax_linear *infomax) {
    assert(!infomax->input || infomax->input->value.rows % 2 == 0);
    dgmi_nn_node *x = infomax->input, *weight = infomax->weight, *bias = infomax->bias;
    if (!x)
        return NULL;
    dgmi_nn_node *own = dgmi_nn_tape_constant(tape, x->value.rows, 1, infomax->shares);
    dgmi_nn_node *mean = dgmi_nn_op_product(tape, x, true, own, false);
    dgmi_nn_node *mean_y =
        dgmi_nn_op_bias(tape, dgmi_nn_op_product(tape, mean, true, weight, false), bias);
    dgmi_nn_node *summary = dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, mean_y);
    dgmi_nn_node *direction =
        dgmi_nn_op_product(tape, infomax->discriminator, false, summary, true);
    dgmi_nn_node *along = dgmi_nn_op_product(tape, weight, false, direction, false);
    dgmi_nn_node *level = dgmi_nn_op_product(tape, bias, false, direction, false);
    dgmi_nn_node *scores =
        dgmi_nn_op_bias_over(tape, dgmi_nn_op_product(tape, x, false, along, false), level);
    scores = dgmi_nn_op_bias_over(tape, scores, infomax->discriminator_bias);
    return dgmi_nn_op_binary_cross_entropy(tape, scores, infomax->targets);
}
