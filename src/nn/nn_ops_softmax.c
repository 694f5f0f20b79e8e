/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of each row, and its logarithm. The largest score of a row is taken off first, so that no
 * exponential overflows. */
#include <assert.h>
#include <math.h>

#include "nn_ops.h"
#include "nn_ops_loop.h"

typedef struct softmax_task {
    const dgmi_table_tensor *x; /* backward: y */
    const dgmi_table_tensor *dy;
    dgmi_table_tensor *to; /* y or dx */
    bool add;
} softmax_task;

static float largest_of(const float *x, int64_t columns) {
    assert(columns > 0);
    float largest = x[0];
    for (int64_t j = 1; j < columns; j++)
        largest = x[j] > largest ? x[j] : largest;
    return largest;
}

static void take(float *to, bool add, float slope) {
    *to = add ? *to + slope : slope;
}

/* ---- softmax ---- */

static void softmax_row(const float *x, int64_t columns, float *y) {
    float largest = largest_of(x, columns);
    double sum = 0;
    for (int64_t j = 0; j < columns; j++) {
        y[j] = expf(x[j] - largest);
        sum += y[j];
    }
    float scale = (float)(1 / sum);
    for (int64_t j = 0; j < columns; j++)
        y[j] *= scale;
}

/* dx = y (dy - dy . y) */
static void softmax_slope_row(const float *y, const float *dy, int64_t columns, bool add,
                              float *dx) {
    double inner = 0;
    for (int64_t j = 0; j < columns; j++)
        inner += (double)dy[j] * y[j];
    for (int64_t j = 0; j < columns; j++)
        take(&dx[j], add, (float)(y[j] * (dy[j] - inner)));
}

static void softmax_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const softmax_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; columns && i < end * columns; i += columns)
        softmax_row(task->x->values + i, columns, task->to->values + i);
}

static void softmax_slope_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const softmax_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; columns && i < end * columns; i += columns)
        softmax_slope_row(task->x->values + i, task->dy->values + i, columns, task->add,
                          task->to->values + i);
}

/* ---- its logarithm ---- */

static void log_softmax_row(const float *x, int64_t columns, float *y) {
    float largest = largest_of(x, columns);
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
        sum += expf(x[j] - largest);
    double log_sum = log(sum);
    for (int64_t j = 0; j < columns; j++)
        y[j] = (float)((double)x[j] - largest - log_sum);
}

/* dx = dy - exp(y) sum dy */
static void log_softmax_slope_row(const float *y, const float *dy, int64_t columns, bool add,
                                  float *dx) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
        sum += dy[j];
    for (int64_t j = 0; j < columns; j++)
        take(&dx[j], add, (float)(dy[j] - expf(y[j]) * sum));
}

static void log_softmax_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const softmax_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; columns && i < end * columns; i += columns)
        log_softmax_row(task->x->values + i, columns, task->to->values + i);
}

static void log_softmax_slope_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const softmax_task *task = argument;
    int64_t columns = task->x->columns, begin, end;
    dgmi_nn_row_chunk(task->x, chunk, &begin, &end);
    for (int64_t i = begin * columns; columns && i < end * columns; i += columns)
        log_softmax_slope_row(task->x->values + i, task->dy->values + i, columns, task->add,
                              task->to->values + i);
}

/* ---- on the tape ---- */

static void backward_by(dgmi_nn_tape *tape, dgmi_nn_node *node, dgmi_chunk_fn body) {
    softmax_task task = {.x = &node->value, .dy = &node->gradient};
    task.to = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.to)
        dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, body, &task);
}

static void softmax_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    backward_by(tape, node, softmax_slope_chunk);
}

static void log_softmax_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    backward_by(tape, node, log_softmax_slope_chunk);
}

static const dgmi_nn_op softmax_op = {"softmax", softmax_backward};
static const dgmi_nn_op log_softmax_op = {"log-softmax", log_softmax_backward};

static dgmi_nn_node *forward_by(dgmi_nn_tape *tape, const dgmi_nn_op *op, dgmi_nn_node *x,
                                dgmi_chunk_fn body) {
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, op, x->value.rows, x->value.columns, 1, &x) : NULL;
    if (!node)
        return NULL;
    softmax_task task = {.x = &x->value, .to = &node->value};
    dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.x, body, &task);
    return node;
}

dgmi_nn_node *dgmi_nn_op_softmax(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    return forward_by(tape, &softmax_op, x, softmax_chunk);
}

dgmi_nn_node *dgmi_nn_op_log_softmax(dgmi_nn_tape *tape, dgmi_nn_node *x) {
    return forward_by(tape, &log_softmax_op, x, log_softmax_chunk);
}
