/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that fold each row into one number, or a whole tensor into one: sum, trace, norm. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "nn_ops.h"
#include "nn_ops_loop.h"

/* ---- each row ---- */

typedef struct row_fold_state {
    dgmi_nn_fold fold;
    uint32_t *largest; /* column of each row's maximum */
} row_fold_state;

typedef struct row_fold_task {
    const row_fold_state *state;
    const dgmi_table_tensor *x; /* backward: dx */
    float *y;                   /* backward: dy */
    bool add;
} row_fold_task;

static float fold_largest(const float *x, int64_t columns, uint32_t *largest) {
    *largest = 0;
    for (int64_t j = 1; j < columns; j++)
        if (x[j] > x[*largest])
            *largest = (uint32_t)j;
    return columns ? x[*largest] : 0;
}

static float row_scale(dgmi_nn_fold fold, int64_t columns) {
    return fold == DGMI_NN_FOLD_MEAN && columns ? 1 / (float)columns : 1;
}

static void row_fold_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const row_fold_task *task = argument;
    const row_fold_state *state = task->state;
    int64_t columns = task->x->columns, begin, end;
    double scale = row_scale(state->fold, columns);
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *x = task->x->values + i * columns;
        double sum = 0;
        if (state->fold == DGMI_NN_FOLD_MAX) {
            task->y[i] = fold_largest(x, columns, &state->largest[i]);
            continue;
        }
        for (int64_t j = 0; j < columns; j++)
            sum += x[j];
        task->y[i] = (float)(sum * scale);
    }
}

static void row_unfold_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const row_fold_task *task = argument;
    const row_fold_state *state = task->state;
    int64_t columns = task->x->columns, begin, end;
    float scale = row_scale(state->fold, columns);
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        float *dx = task->x->values + i * columns, slope = task->y[i] * scale;
        if (state->fold == DGMI_NN_FOLD_MAX) {
            if (!task->add)
                memset(dx, 0, (size_t)columns * sizeof *dx);
            if (columns)
                dx[state->largest[i]] += slope;
            continue;
        }
        for (int64_t j = 0; j < columns; j++)
            dx[j] = task->add ? dx[j] + slope : slope;
    }
}

static void row_fold_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    row_fold_task task = {.state = node->state, .y = node->gradient.values};
    task.x = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.x)
        dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, row_unfold_chunk, &task);
}

static const dgmi_nn_op row_fold_op = {"row fold", row_fold_backward};

dgmi_nn_node *dgmi_nn_op_row_fold(dgmi_nn_tape *tape, dgmi_nn_fold fold, dgmi_nn_node *x) {
    dgmi_nn_node *node = x ? dgmi_nn_tape_node(tape, &row_fold_op, x->value.rows, 1, 1, &x) : NULL;
    row_fold_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (row_fold_state){.fold = fold};
    if (fold == DGMI_NN_FOLD_MAX)
        state->largest = dgmi_nn_tape_memory(tape, x->value.rows, sizeof *state->largest);
    if (dgmi_nn_tape_status(tape) != DGM_OK)
        return NULL;
    node->state = state;
    row_fold_task task = {.state = state, .x = &x->value, .y = node->value.values};
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, row_fold_chunk, &task);
    return node;
}

/* ---- all cells ---- */

typedef struct sum_task {
    const dgmi_table_tensor *x; /* backward: dx */
    double partials[DGMI_NN_ROW_CHUNKS];
    float slope;
    bool add;
} sum_task;

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    sum_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    double sum = 0;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; i < end * columns; i++)
        sum += task->x->values[i];
    task->partials[chunk] = sum;
}

static void spread_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    sum_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    float *dx = task->x->values, slope = task->slope;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; i < end * columns; i++)
        dx[i] = task->add ? dx[i] + slope : slope;
}

static void sum_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    sum_task task = {.slope = node->gradient.values[0]};
    task.x = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.x)
        dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, spread_chunk, &task);
}

static const dgmi_nn_op sum_op = {"sum", sum_backward};

dgmi_nn_node *dgmi_nn_op_sum(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    dgmi_nn_node *node = x ? dgmi_nn_tape_node(tape, &sum_op, 1, 1, 1, &x) : NULL;
    if (!node)
        return NULL;
    sum_task task = {.x = &x->value};
    double sum = 0;
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, sum_chunk, &task);
    for (int64_t chunk = 0; chunk < dgmi_nn_row_chunks(task.x); chunk++)
        sum += task.partials[chunk];
    node->value.values[0] = (float)sum;
    return node;
}

/* ---- trace ---- */

static void trace_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (!dx)
        return;
    if (!add)
        memset(dx->values, 0, (size_t)dgmi_table_tensor_count(dx) * sizeof(float));
    for (int64_t i = 0; i < dx->rows; i++)
        dx->values[i * dx->columns + i] += node->gradient.values[0];
}

static const dgmi_nn_op trace_op = {"trace", trace_backward};

dgmi_nn_node *dgmi_nn_op_trace(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    if (x && x->value.rows != x->value.columns) {
        dgmi_nn_tape_fail(tape, "trace: %lld rows, %lld columns", (long long)x->value.rows,
                          (long long)x->value.columns);
        return NULL;
    }
    dgmi_nn_node *node = x ? dgmi_nn_tape_node(tape, &trace_op, 1, 1, 1, &x) : NULL;
    double sum = 0;
    for (int64_t i = 0; node && i < x->value.rows; i++)
        sum += x->value.values[i * x->value.columns + i];
    if (node)
        node->value.values[0] = (float)sum;
    return node;
}

/* ---- the Frobenius norm ---- */

/* dx = x / |x|; 0 at 0, the smallest of the subgradients there. */
static void norm_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const dgmi_table_tensor *x = &node->inputs[0]->value;
    float norm = node->value.values[0];
    float slope = norm >= FLT_MIN ? node->gradient.values[0] / norm : 0;
    bool add;
    dgmi_table_tensor *dx = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (dx)
        dgmi_nn_tape_kernels(tape)->axpy(dgmi_nn_tape_context(tape), slope,
                                         dgmi_table_tensor_count(x), x->values, add, dx->values);
}

static const dgmi_nn_op norm_op = {"norm", norm_backward};

dgmi_nn_node *dgmi_nn_op_norm(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    dgmi_nn_node *node = x ? dgmi_nn_tape_node(tape, &norm_op, 1, 1, 1, &x) : NULL;
    if (node)
        node->value.values[0] = (float)sqrt(dgmi_nn_tape_kernels(tape)->dot(
            dgmi_nn_tape_context(tape), dgmi_table_tensor_count(&x->value), x->value.values,
            x->value.values));
    return node;
}
