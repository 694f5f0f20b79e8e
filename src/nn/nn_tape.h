/* SPDX-License-Identifier: Apache-2.0 */
/* Reverse-mode differentiation. A call of nn_ops.h computes its value at once and is written on the
 * tape; dgmi_nn_tape_backward walks the tape back and leaves in each node the derivative of one number
 * (the loss) by that node's value.
 *
 *     dgmi_nn_tape_rewind(tape);
 *     dgmi_nn_node *hidden = dgmi_nn_op_product(tape, x, false, w, false);
 *     dgmi_nn_node *scores = dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, hidden);
 *     dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, scores, &targets);
 *     if (dgmi_nn_tape_backward(tape, loss) != DGM_OK) ...
 *
 * Errors stick: after a failure every op returns NULL, and NULL inputs are fine, so one check at
 * the end is enough. Memory stays with the tape from one step to the next.
 */
#ifndef NN_TAPE_H
#define NN_TAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels_kernels.h"

typedef struct dgmi_nn_tape dgmi_nn_tape;
typedef struct dgmi_nn_node dgmi_nn_node;

/* Forward is the builder in the op's file; backward adds to the gradients of the inputs that want
 * one, given node->gradient. */
typedef struct dgmi_nn_op {
    const char *name;
    void (*backward)(dgmi_nn_tape *tape, dgmi_nn_node *node);
} dgmi_nn_op;

enum { DGMI_NN_MOST_INPUTS = 6 };

struct dgmi_nn_node {
    dgmi_table_tensor value;
    dgmi_table_tensor gradient; /* values NULL until something was added */
    bool wants_gradient;
    bool touched; /* the gradient holds something: add to it */
    const dgmi_nn_op *op;
    dgmi_nn_node *inputs[DGMI_NN_MOST_INPUTS]; /* NULL where there is none */
    const void *state;                         /* the op's own; lives as long as the node */
    dgmi_nn_node *before;                      /* on the tape */
    dgmi_nn_node *weight_before;               /* among the weights */
};

dgm_status dgmi_nn_tape_create(dgm_context *ctx, dgmi_nn_tape **out);
void dgmi_nn_tape_free(dgmi_nn_tape *tape);
/* Forgets all nodes, keeps the memory. */
void dgmi_nn_tape_rewind(dgmi_nn_tape *tape);
dgm_status dgmi_nn_tape_status(const dgmi_nn_tape *tape);
dgm_context *dgmi_nn_tape_context(const dgmi_nn_tape *tape);
const dgmi_kernels *dgmi_nn_tape_kernels(const dgmi_nn_tape *tape);
/* Another backend than the best of this processor. */
void dgmi_nn_tape_set_kernels(dgmi_nn_tape *tape, const dgmi_kernels *kernels);
/* The most bytes that the tape ever held. */
int64_t dgmi_nn_tape_bytes(const dgmi_nn_tape *tape);

/* A constant. `values` outlive the tape's next rewind. */
dgmi_nn_node *dgmi_nn_tape_constant(dgmi_nn_tape *tape, int64_t rows, int64_t columns,
                                    const float *values);
/* A weight: its gradient is written (not added) to `gradient`, of the same shape. Asked for twice,
 * it is the same node, so that what it does in several places adds up. */
dgmi_nn_node *dgmi_nn_tape_weight(dgmi_nn_tape *tape, int64_t rows, int64_t columns, float *values,
                                  float *gradient);

/* loss is 1 x 1. A second call starts anew. Afterwards every weight that it depends on has its
 * gradient; others have 0. */
dgm_status dgmi_nn_tape_backward(dgmi_nn_tape *tape, dgmi_nn_node *loss);

/* ---- for ops ---- */

/* NULL, with the tape's status set. 64-byte aligned, not cleared. */
void *dgmi_nn_tape_memory(dgmi_nn_tape *tape, int64_t count, size_t size);
/* A node with memory for its value. NULL if an input among the first `count` is NULL or the tape
 * has failed. */
dgmi_nn_node *dgmi_nn_tape_node(dgmi_nn_tape *tape, const dgmi_nn_op *op, int64_t rows,
                                int64_t columns, int count, dgmi_nn_node *const *inputs);
/* A node that takes over the memory of its first input's value: the op changes it in place. Only
 * for inputs whose value neither their own backward pass nor another op reads. */
dgmi_nn_node *dgmi_nn_tape_node_over(dgmi_nn_tape *tape, const dgmi_nn_op *op, int count,
                                     dgmi_nn_node *const *inputs);
/* The tape's status is DGM_ERROR_DATA, with these words, unless it has failed before. */
dgm_status dgmi_nn_tape_fail(dgmi_nn_tape *tape, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Where to put input k's gradient, NULL if it wants none; *add says whether to add to it. */
dgmi_table_tensor *dgmi_nn_node_gradient(dgmi_nn_tape *tape, dgmi_nn_node *node, int k, bool *add);
/* The same for ops that can work in place: where nothing is there yet, the input of the same shape
 * takes over the memory of node->gradient, which is then lost. */
dgmi_table_tensor *dgmi_nn_node_gradient_over(dgmi_nn_tape *tape, dgmi_nn_node *node, int k,
                                              bool *add);

#endif
