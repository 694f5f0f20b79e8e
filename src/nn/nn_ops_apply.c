/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that put each number through a function: ReLU and others, PReLU, dropout. */
#include "nn_ops.h"

/* ---- activations ---- */

static void apply_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_kernels_function *f = node->state;
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient_over(tape, node, 0, &add);
    if (dx)
        dgmi_nn_tape_kernels(tape)->apply_backward(dgmi_nn_tape_context(tape), *f,
                                                   dgmi_table_tensor_count(dx), node->value.values,
                                                   node->gradient.values, add, dx->values);
}

static const dgmi_nn_op apply_op = {"map", apply_backward};

/* y = f(x) into the node's value; NULL where there is no node. */
static dgmi_nn_node *apply_function(dgmi_nn_tape *tape, dgmi_kernels_function f,
                                    const dgmi_nn_node *x, dgmi_nn_node *node) {
    dgmi_kernels_function *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = f;
    node->state = state;
    dgmi_nn_tape_kernels(tape)->apply(dgmi_nn_tape_context(tape), f,
                                      dgmi_table_tensor_count(&x->value), x->value.values,
                                      node->value.values);
    return node;
}

dgmi_nn_node *dgmi_nn_op_apply(dgmi_nn_tape *tape, dgmi_kernels_function f, dgmi_nn_node *x) {
    if (!x)
        return NULL;
    return apply_function(
        tape, f, x, dgmi_nn_tape_node(tape, &apply_op, x->value.rows, x->value.columns, 1, &x));
}

dgmi_nn_node *dgmi_nn_op_apply_over(dgmi_nn_tape *tape, dgmi_kernels_function f, dgmi_nn_node *x) {
    if (!x)
        return NULL;
    return apply_function(tape, f, x, dgmi_nn_tape_node_over(tape, &apply_op, 1, &x));
}

/* ---- PReLU ---- */

static void prelu_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_table_tensor *x = &node->inputs[0]->value;
    bool add_slope, add = false;
    dgmi_table_tensor *dslope = dgmi_nn_node_gradient(tape, node, 1, &add_slope);
    dgmi_table_tensor *dx = dgmi_nn_node_gradient_over(tape, node, 0, &add);
    if (dgmi_nn_tape_status(tape) != DGM_OK)
        return;
    double sum = dgmi_nn_tape_kernels(tape)->prelu_backward(
        dgmi_nn_tape_context(tape), node->inputs[1]->value.values[0], dgmi_table_tensor_count(x),
        x->values, node->gradient.values, add, dx ? dx->values : NULL);
    if (dslope)
        dslope->values[0] = (float)(sum + (add_slope ? dslope->values[0] : 0));
}

static const dgmi_nn_op prelu_op = {"prelu", prelu_backward};

dgmi_nn_node *dgmi_nn_op_prelu(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *slope) {
    if (!x || !slope)
        return NULL;
    if (slope->value.rows != 1 || slope->value.columns != 1) {
        dgmi_nn_tape_fail(tape, "prelu: the slope is one number, not %lld x %lld",
                          (long long)slope->value.rows, (long long)slope->value.columns);
        return NULL;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &prelu_op, x->value.rows, x->value.columns, 2,
                                           (dgmi_nn_node *const[]){x, slope});
    if (!node)
        return NULL;
    dgmi_nn_tape_kernels(tape)->prelu(dgmi_nn_tape_context(tape), slope->value.values[0],
                                      dgmi_table_tensor_count(&x->value), x->value.values,
                                      node->value.values);
    return node;
}

/* ---- dropout (Srivastava and others, 2014) ---- */

/* The same draws again instead of a stored mask. */
static void dropout_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_nn_dropout_state *state = node->state;
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient_over(tape, node, 0, &add);
    if (dx)
        dgmi_nn_tape_kernels(tape)->dropout(dgmi_nn_tape_context(tape), state->p, state->seed,
                                            state->stream, dgmi_table_tensor_count(dx),
                                            node->gradient.values, add, dx->values);
}

const dgmi_nn_op dgmi_nn_dropout_op = {"dropout", dropout_backward};

dgmi_nn_node *dgmi_nn_op_dropout(dgmi_nn_tape *tape, dgmi_nn_node *x, float p, uint64_t seed,
                                 uint64_t stream) {
    if (!x || p == 0)
        return x;
    dgmi_nn_node *node =
        dgmi_nn_tape_node(tape, &dgmi_nn_dropout_op, x->value.rows, x->value.columns, 1, &x);
    dgmi_nn_dropout_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (dgmi_nn_dropout_state){p, seed, stream};
    node->state = state;
    dgmi_nn_tape_kernels(tape)->dropout(dgmi_nn_tape_context(tape), p, seed, stream,
                                        dgmi_table_tensor_count(&x->value), x->value.values, false,
                                        node->value.values);
    return node;
}
