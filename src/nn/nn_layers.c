/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_layers.h"

#include <assert.h>

static dgmi_node *sparse_linear(dgmi_tape *tape, const dgmi_features *features, dgmi_drop drop,
                                dgmi_node *weight) {
    const dgmi_csr *matrix = &features->sparse.matrix;
    dgmi_node *values = NULL;
    if (drop.p > 0) {
        values = dgmi_tape_constant(tape, dgmi_csr_entries(matrix), 1, matrix->values);
        values = dgmi_op_dropout(tape, values, drop.p, drop.seed, drop.stream);
        if (!values)
            return NULL;
    }
    return dgmi_op_sparse_product(tape, &features->sparse, values, weight);
}

/* The input as a node, dropped out: not for sparse features. */
static dgmi_node *dense_input(dgmi_tape *tape, dgmi_input x, dgmi_drop drop) {
    dgmi_node *node = x.node;
    if (!node)
        node = dgmi_tape_constant(tape, x.features->rows, x.features->width, x.features->dense);
    return dgmi_op_dropout(tape, node, drop.p, drop.seed, drop.stream);
}

dgmi_node *dgmi_layer_linear(dgmi_tape *tape, dgmi_input x, dgmi_drop drop, dgmi_node *weight) {
    if (!x.node && x.features->one_hot)
        return weight;
    if (!x.node && !x.features->dense)
        return sparse_linear(tape, x.features, drop, weight);
    return dgmi_op_product(tape, dense_input(tape, x, drop), false, weight, false);
}

bool dgmi_layer_gathers_first(const dgmi_csr *propagation, const dgmi_tensor *weight) {
    assert(propagation->rows >= 0 && weight->rows >= 0 && weight->columns >= 0);
    double entries = (double)dgmi_csr_entries(propagation);
    double in = (double)weight->rows, out = (double)weight->columns;
    return entries * in + (double)propagation->rows * in * out <
           entries * out + (double)propagation->columns * in * out;
}

dgmi_node *dgmi_layer_convolve(dgmi_tape *tape, const dgmi_sparse *propagation, dgmi_input x,
                               dgmi_drop drop, dgmi_node *weight) {
    bool sparse = !x.node && !x.features->dense;
    if (!weight || sparse || !dgmi_layer_gathers_first(&propagation->matrix, &weight->value))
        return dgmi_op_sparse_product(tape, propagation, NULL,
                                      dgmi_layer_linear(tape, x, drop, weight));
    dgmi_node *gathered =
        dgmi_op_sparse_product(tape, propagation, NULL, dense_input(tape, x, drop));
    return dgmi_op_product(tape, gathered, false, weight, false);
}

dgmi_node *dgmi_layer_skip(dgmi_tape *tape, const dgmi_sparse *propagation, dgmi_input x,
                           dgmi_node *weight, dgmi_node *skip) {
    const dgmi_drop none = {0};
    dgmi_node *passed = dgmi_layer_convolve(tape, propagation, x, none, weight);
    dgmi_node *kept = dgmi_layer_linear(tape, x, none, skip);
    return dgmi_op_map(tape, DGMI_MAP_RELU, dgmi_op_algebra(tape, DGMI_ADD, passed, kept));
}
