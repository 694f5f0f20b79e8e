/* SPDX-License-Identifier: Apache-2.0 */
/* Layers of networks, each made of a few ops. */
#include "nn_layers.h"

#include <assert.h>

static dgmi_nn_node *sparse_linear(dgmi_nn_tape *tape, const dgmi_nn_features *features,
                                   dgmi_nn_drop drop, dgmi_nn_node *weight) {
    const dgmi_table_csr *matrix = &features->sparse.matrix;
    dgmi_nn_node *values = NULL;
    if (drop.p > 0) {
        values = dgmi_nn_tape_constant(tape, dgmi_table_csr_entries(matrix), 1, matrix->values);
        values = dgmi_nn_op_dropout(tape, values, drop.p, drop.seed, drop.stream);
        if (!values)
            return NULL;
    }
    return dgmi_nn_op_sparse_product(tape, &features->sparse, values, weight);
}

/* The input as a node, dropped out: not for sparse features. */
static dgmi_nn_node *dense_input(dgmi_nn_tape *tape, dgmi_nn_input x, dgmi_nn_drop drop) {
    dgmi_nn_node *node = x.node;
    if (!node)
        node = dgmi_nn_tape_constant(tape, x.features->rows, x.features->width, x.features->dense);
    return dgmi_nn_op_dropout(tape, node, drop.p, drop.seed, drop.stream);
}

dgmi_nn_node *dgmi_nn_layer_linear(dgmi_nn_tape *tape, dgmi_nn_input x, dgmi_nn_drop drop,
                                   dgmi_nn_node *weight) {
    if (!x.node && x.features->one_hot)
        return weight;
    if (!x.node && !x.features->dense)
        return sparse_linear(tape, x.features, drop, weight);
    return dgmi_nn_op_product(tape, dense_input(tape, x, drop), false, weight, false);
}

bool dgmi_nn_layer_gathers_first(const dgmi_table_csr *propagation,
                                 const dgmi_table_tensor *weight) {
    assert(propagation->rows >= 0 && weight->rows >= 0 && weight->columns >= 0);
    double entries = (double)dgmi_table_csr_entries(propagation);
    double in = (double)weight->rows, out = (double)weight->columns;
    return entries * in + (double)propagation->rows * in * out <
           entries * out + (double)propagation->columns * in * out;
}

dgmi_nn_node *dgmi_nn_layer_convolve(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                                     dgmi_nn_input x, dgmi_nn_drop drop, dgmi_nn_node *weight) {
    bool sparse = !x.node && !x.features->dense;
    if (!weight || sparse || !dgmi_nn_layer_gathers_first(&propagation->matrix, &weight->value))
        return dgmi_nn_op_sparse_product(tape, propagation, NULL,
                                         dgmi_nn_layer_linear(tape, x, drop, weight));
    dgmi_nn_node *gathered =
        dgmi_nn_op_sparse_product(tape, propagation, NULL, dense_input(tape, x, drop));
    return dgmi_nn_op_product(tape, gathered, false, weight, false);
}

dgmi_nn_node *dgmi_nn_layer_skip(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                                 dgmi_nn_input x, dgmi_nn_node *weight, dgmi_nn_node *skip) {
    const dgmi_nn_drop none = {0};
    dgmi_nn_node *passed = dgmi_nn_layer_convolve(tape, propagation, x, none, weight);
    dgmi_nn_node *kept = dgmi_nn_layer_linear(tape, x, none, skip);
    return dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU,
                            dgmi_nn_op_algebra(tape, DGMI_NN_ADD, passed, kept));
}
