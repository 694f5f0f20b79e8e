/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that put tensors side by side or one below the other, or change the length of rows. */
#include <string.h>

#include "nn_ops.h"
#include "nn_ops_loop.h"

/* Whether there are parts, few enough, and none is missing. */
static bool parts_there(dgmi_nn_tape *tape, const dgmi_nn_op *op, int count,
                        dgmi_nn_node *const *parts) {
    if (count < 1 || count > DGMI_NN_MOST_INPUTS) {
        dgmi_nn_tape_fail(tape, "%s: %d parts, but 1 to %d can be joined", op->name, count,
                          DGMI_NN_MOST_INPUTS);
        return false;
    }
    for (int k = 0; k < count; k++)
        if (!parts[k])
            return false;
    return true;
}

/* ---- columns ---- */

/* `part` is the columns from `first` on of `whole`. */
typedef struct columns_task {
    dgmi_table_tensor *whole, *part;
    int64_t first;
    bool add; /* to the part */
} columns_task;

static void fill_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const columns_task *task = argument;
    int64_t width = task->whole->columns, columns = task->part->columns, begin, end;
    dgmi_nn_row_chunk(task->whole, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        memcpy(task->whole->values + i * width + task->first, task->part->values + i * columns,
               (size_t)columns * sizeof(float));
}

static void split_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const columns_task *task = argument;
    int64_t width = task->whole->columns, columns = task->part->columns, begin, end;
    dgmi_nn_row_chunk(task->whole, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *from = task->whole->values + i * width + task->first;
        float *to = task->part->values + i * columns;
        for (int64_t j = 0; j < columns; j++)
            to[j] = task->add ? to[j] + from[j] : from[j];
    }
}

static void join_columns_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    columns_task task = {.whole = &node->gradient};
    for (int k = 0; k < DGMI_NN_MOST_INPUTS && node->inputs[k]; k++) {
        task.part = dgmi_nn_node_gradient(tape, node, k, &task.add);
        if (task.part)
            dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.whole, split_chunk, &task);
        task.first += node->inputs[k]->value.columns;
    }
}

static const dgmi_nn_op join_columns_op = {"join columns", join_columns_backward};

dgmi_nn_node *dgmi_nn_op_join_columns(dgmi_nn_tape *tape, int count, dgmi_nn_node *const *parts) {
    if (!parts_there(tape, &join_columns_op, count, parts))
        return NULL;
    int64_t rows = parts[0]->value.rows, columns = 0;
    for (int k = 0; k < count; k++) {
        if (parts[k]->value.rows != rows) {
            dgmi_nn_tape_fail(tape, "join columns: %lld rows beside %lld",
                              (long long)parts[k]->value.rows, (long long)rows);
            return NULL;
        }
        columns += parts[k]->value.columns;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &join_columns_op, rows, columns, count, parts);
    columns_task task = {.whole = node ? &node->value : NULL};
    for (int k = 0; node && k < count; k++) {
        task.part = &parts[k]->value;
        dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.whole, fill_chunk, &task);
        task.first += task.part->columns;
    }
    return node;
}

/* ---- rows ---- */

static void join_rows_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const float *from = node->gradient.values;
    for (int k = 0; k < DGMI_NN_MOST_INPUTS && node->inputs[k]; k++) {
        int64_t count = dgmi_table_tensor_count(&node->inputs[k]->value);
        bool add;
        dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, k, &add);
        if (dx)
            dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), 1, count, from, add,
                                             dx->values);
        from += count;
    }
}

static const dgmi_nn_op join_rows_op = {"join rows", join_rows_backward};

dgmi_nn_node *dgmi_nn_op_join_rows(dgmi_nn_tape *tape, int count, dgmi_nn_node *const *parts) {
    if (!parts_there(tape, &join_rows_op, count, parts))
        return NULL;
    int64_t rows = 0, columns = parts[0]->value.columns;
    for (int k = 0; k < count; k++) {
        if (parts[k]->value.columns != columns) {
            dgmi_nn_tape_fail(tape, "join rows: %lld columns below %lld",
                              (long long)parts[k]->value.columns, (long long)columns);
            return NULL;
        }
        rows += parts[k]->value.rows;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &join_rows_op, rows, columns, count, parts);
    float *to = node ? node->value.values : NULL;
    for (int k = 0; node && k < count; k++) {
        int64_t cells = dgmi_table_tensor_count(&parts[k]->value);
        dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), 1, cells,
                                         parts[k]->value.values, false, to);
        to += cells;
    }
    return node;
}

/* ---- another shape ---- */

static void reshape_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient_over(tape, node, 0, &add);
    if (dx && dx->values != node->gradient.values)
        dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), 1, dgmi_table_tensor_count(dx),
                                         node->gradient.values, add, dx->values);
}

static const dgmi_nn_op reshape_op = {"reshape", reshape_backward};

dgmi_nn_node *dgmi_nn_op_reshape(dgmi_nn_tape *tape, dgmi_nn_node *x, int64_t rows,
                                 int64_t columns) {
    int64_t cells;
    if (!x)
        return NULL;
    if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &cells) ||
        cells != dgmi_table_tensor_count(&x->value)) {
        dgmi_nn_tape_fail(tape, "reshape: %lld x %lld numbers do not become %lld x %lld",
                          (long long)x->value.rows, (long long)x->value.columns, (long long)rows,
                          (long long)columns);
        return NULL;
    }
    dgmi_nn_node *node = dgmi_nn_tape_node_over(tape, &reshape_op, 1, &x);
    if (node) {
        node->value.rows = node->gradient.rows = rows;
        node->value.columns = node->gradient.columns = columns;
    }
    return node;
}
