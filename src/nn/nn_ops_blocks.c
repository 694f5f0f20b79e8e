/* SPDX-License-Identifier: Apache-2.0 */
/* Ops for products block by block: those of many graphs in one batch, each with its own part of a
 * tensor. Blocks are small and many, so a loop goes over blocks and each product is a plain one. */
#include <assert.h>

#include "base_parallel.h"
#include "nn_ops.h"

typedef struct blocks_state {
    dgmi_nn_blocks blocks;
    bool gathers; /* C_g = A_g' B_g; otherwise C_g = A_g B_g */
} blocks_state;

/* One product per block. A tall tensor has the rows of its block, a square one `side` rows. */
typedef struct blocks_task {
    dgm_context *ctx;
    const dgmi_kernels *kernels;
    const blocks_state *state;
    const dgmi_table_tensor *a, *b;
    dgmi_table_tensor *c;
    bool tall_a, tall_b, tall_c;
    bool transpose_a, transpose_b, add;
    int64_t side;
} blocks_task;

static dgmi_table_tensor part(const blocks_task *task, const dgmi_table_tensor *whole, bool tall,
                              int64_t block) {
    const int64_t *offsets = task->state->blocks.offsets;
    int64_t begin = tall ? offsets[block] : block * task->side;
    int64_t end = tall ? offsets[block + 1] : begin + task->side;
    assert(0 <= begin && begin <= end && end <= whole->rows);
    return (dgmi_table_tensor){end - begin, whole->columns, whole->values + begin * whole->columns};
}

static void multiply_block(void *argument, int64_t block, int thread) {
    (void)thread;
    const blocks_task *task = argument;
    dgmi_table_tensor a = part(task, task->a, task->tall_a, block);
    dgmi_table_tensor b = part(task, task->b, task->tall_b, block);
    dgmi_table_tensor c = part(task, task->c, task->tall_c, block);
    const dgmi_kernels_product product = {
        task->transpose_a, task->transpose_b, task->add, &a, &b, &c};
    task->kernels->product(task->ctx, &product);
}

static void multiply_blocks(dgmi_nn_tape *tape, const blocks_state *state, blocks_task task) {
    task.ctx = dgmi_nn_tape_context(tape);
    task.kernels = dgmi_nn_tape_kernels(tape);
    task.state = state;
    dgmi_parallel(task.ctx, state->blocks.count, multiply_block, &task);
}

/* C = A'B: dA = B dC' and dB = A dC. C = A B: dA = dC B' and dB = A'dC. */
static void blocks_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const blocks_state *state = node->state;
    const dgmi_table_tensor *a = &node->inputs[0]->value, *b = &node->inputs[1]->value;
    const dgmi_table_tensor *dc = &node->gradient;
    bool gathers = state->gathers, add;
    int64_t side = a->columns;
    dgmi_table_tensor *da = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (da)
        multiply_blocks(tape, state,
                        (blocks_task){.a = gathers ? b : dc,
                                      .b = gathers ? dc : b,
                                      .c = da,
                                      .tall_a = true,
                                      .tall_c = true,
                                      .transpose_b = true,
                                      .add = add,
                                      .side = side});
    dgmi_table_tensor *db = dgmi_nn_node_gradient(tape, node, 1, &add);
    if (db)
        multiply_blocks(tape, state,
                        (blocks_task){.a = a,
                                      .b = dc,
                                      .c = db,
                                      .tall_a = true,
                                      .tall_b = !gathers,
                                      .tall_c = gathers,
                                      .transpose_a = !gathers,
                                      .add = add,
                                      .side = side});
}

static const dgmi_nn_op blocks_op = {"block product", blocks_backward};

static dgmi_nn_node *blocks_product(dgmi_nn_tape *tape, dgmi_nn_blocks blocks, bool gathers,
                                    dgmi_nn_node *a, dgmi_nn_node *b) {
    if (!a || !b)
        return NULL;
    int64_t tall = blocks.offsets[blocks.count], side = a->value.columns;
    int64_t flat = blocks.count * side, inner = gathers ? tall : flat;
    if (a->value.rows != tall || b->value.rows != inner) {
        dgmi_nn_tape_fail(tape, "block product: %lld and %lld rows for %lld and %lld",
                          (long long)a->value.rows, (long long)b->value.rows, (long long)tall,
                          (long long)inner);
        return NULL;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &blocks_op, gathers ? flat : tall,
                                           b->value.columns, 2, (dgmi_nn_node *const[]){a, b});
    blocks_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (blocks_state){blocks, gathers};
    node->state = state;
    multiply_blocks(tape, state,
                    (blocks_task){.a = &a->value,
                                  .b = &b->value,
                                  .c = &node->value,
                                  .tall_a = true,
                                  .tall_b = gathers,
                                  .tall_c = !gathers,
                                  .transpose_a = gathers,
                                  .side = side});
    return node;
}

dgmi_nn_node *dgmi_nn_op_block_gather(dgmi_nn_tape *tape, dgmi_nn_blocks blocks, dgmi_nn_node *a,
                                      dgmi_nn_node *b) {
    return blocks_product(tape, blocks, true, a, b);
}

dgmi_nn_node *dgmi_nn_op_block_product(dgmi_nn_tape *tape, dgmi_nn_blocks blocks, dgmi_nn_node *a,
                                       dgmi_nn_node *b) {
    return blocks_product(tape, blocks, false, a, b);
}
