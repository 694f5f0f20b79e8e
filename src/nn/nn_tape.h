/* SPDX-License-Identifier: Apache-2.0 */
/* Reverse-mode differentiation. A call of nn_ops.h computes its value at once and records a node on
 * the tape. dgmi_nn_tape_backward goes back over the tape and leaves in each node the derivative of
 * one number, the loss, by the value of that node.
 *
 *     dgmi_nn_tape_rewind(tape);
 *     dgmi_nn_node *hidden = dgmi_nn_op_product(tape, x, false, w, false);
 *     dgmi_nn_node *scores = dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, hidden);
 *     dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, scores, &targets);
 *     if (dgmi_nn_tape_backward(tape, loss) != DGM_OK) ...
 *
 * The tape remembers the first error. After that every op returns NULL, and ops accept NULL as
 * input, so one check at the end is enough. The tape keeps its memory from one step to the next.
 */
#ifndef NN_TAPE_H
#define NN_TAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels_kernels.h"

typedef struct dgmi_nn_tape dgmi_nn_tape;
typedef struct dgmi_nn_node dgmi_nn_node;

/* An op. Its forward pass is the function in nn_ops.h. `backward` takes node->gradient and adds to
 * the gradients of those inputs that want one. */
typedef struct dgmi_nn_op {
    const char *name;
    void (*backward)(dgmi_nn_tape *tape, dgmi_nn_node *node);
} dgmi_nn_op;

enum { DGMI_NN_MOST_INPUTS = 6 };

struct dgmi_nn_node {
    dgmi_table_tensor value;
    dgmi_table_tensor gradient; /* its values are NULL until something was added */
    bool wants_gradient;
    bool touched; /* the gradient holds something, so more is added to it */
    const dgmi_nn_op *op;
    dgmi_nn_node *inputs[DGMI_NN_MOST_INPUTS]; /* the inputs, then NULL */
    const void *state;           /* what the op itself needs; it lives as long as the node */
    dgmi_nn_node *before;        /* the node before this one on the tape */
    dgmi_nn_node *weight_before; /* the weight before this one, if it is a weight */
};

dgm_status dgmi_nn_tape_create(dgm_context *ctx, dgmi_nn_tape **out);
void dgmi_nn_tape_free(dgmi_nn_tape *tape);
/* Removes all nodes and keeps the memory. */
void dgmi_nn_tape_rewind(dgmi_nn_tape *tape);
/* Does the same for steps whose tensors differ in size, as those of batches do: blocks that were too
 * small for the next step would stay behind unused, so several blocks become one. */
void dgmi_nn_tape_rewind_whole(dgmi_nn_tape *tape);
dgm_status dgmi_nn_tape_status(const dgmi_nn_tape *tape);
dgm_context *dgmi_nn_tape_context(const dgmi_nn_tape *tape);
const dgmi_kernels *dgmi_nn_tape_kernels(const dgmi_nn_tape *tape);
/* Sets the kernels, which are otherwise the best for this processor. */
void dgmi_nn_tape_set_kernels(dgmi_nn_tape *tape, const dgmi_kernels *kernels);
/* The most bytes that the tape ever held. */
int64_t dgmi_nn_tape_bytes(const dgmi_nn_tape *tape);

/* Adds a constant. `values` must stay until the tape is rewound. */
dgmi_nn_node *dgmi_nn_tape_constant(dgmi_nn_tape *tape, int64_t rows, int64_t columns,
                                    const float *values);
/* Adds a weight. The backward pass writes its gradient to `gradient`, which has the same shape. A
 * second call with the same weight returns the same node, so that the gradients of all its uses are
 * summed. */
dgmi_nn_node *dgmi_nn_tape_weight(dgmi_nn_tape *tape, int64_t rows, int64_t columns, float *values,
                                  float *gradient);

/* Runs the backward pass from `loss`, which is 1 x 1. Afterwards every weight that the loss depends
 * on has its gradient; others have 0. A second call starts again from zero gradients. */
dgm_status dgmi_nn_tape_backward(dgmi_nn_tape *tape, dgmi_nn_node *loss);

/* ---- for ops ---- */

/* Returns memory that is aligned to 64 bytes and not cleared. It returns NULL, and sets the status
 * of the tape, if there is none. */
void *dgmi_nn_tape_memory(dgmi_nn_tape *tape, int64_t count, size_t size);
/* A node with memory for its value. NULL if an input among the first `count` is NULL or the tape
 * has failed. */
dgmi_nn_node *dgmi_nn_tape_node(dgmi_nn_tape *tape, const dgmi_nn_op *op, int64_t rows,
                                int64_t columns, int count, dgmi_nn_node *const *inputs);
/* A node that takes over the memory of its first input's value: the op changes it in place. Only
 * for inputs whose value neither their own backward pass nor another op reads. */
dgmi_nn_node *dgmi_nn_tape_node_over(dgmi_nn_tape *tape, const dgmi_nn_op *op, int count,
                                     dgmi_nn_node *const *inputs);
/* Sets the status of the tape to DGM_ERROR_DATA, with this message, unless it has failed before. */
dgm_status dgmi_nn_tape_fail(dgmi_nn_tape *tape, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns where the gradient of input k goes, or NULL if it wants none. *add says whether to add to
 * it or to replace it. */
dgmi_table_tensor *dgmi_nn_node_gradient(dgmi_nn_tape *tape, dgmi_nn_node *node, int k, bool *add);
/* The same for ops that can work in place: where nothing is there yet, the input of the same shape
 * takes over the memory of node->gradient, which is then lost. */
dgmi_table_tensor *dgmi_nn_node_gradient_over(dgmi_nn_tape *tape, dgmi_nn_node *node, int k,
                                              bool *add);

#endif
