/* SPDX-License-Identifier: Apache-2.0 */
/* Elementwise functions. */
#include "base_parallel.h"
#include "nn_ops.h"

/* ---- activations ---- */

static void map_backward(dgmi_tape *tape, dgmi_node *node) {
    const dgmi_map *f = node->state;
    bool add;
    dgmi_tensor *dx = dgmi_node_gradient_over(tape, node, 0, &add);
    if (dx)
        dgmi_tape_kernels(tape)->map_backward(dgmi_tape_context(tape), *f, dgmi_tensor_count(dx),
                                              node->value.values, node->gradient.values, add,
                                              dx->values);
}

static const dgmi_op map_op = {"map", map_backward};

/* y = f(x) into the node's value; NULL where there is no node. */
static dgmi_node *apply_map(dgmi_tape *tape, dgmi_map f, const dgmi_node *x, dgmi_node *node) {
    dgmi_map *state = node ? dgmi_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = f;
    node->state = state;
    dgmi_tape_kernels(tape)->map(dgmi_tape_context(tape), f, dgmi_tensor_count(&x->value),
                                 x->value.values, node->value.values);
    return node;
}

dgmi_node *dgmi_op_map(dgmi_tape *tape, dgmi_map f, dgmi_node *x) {
    if (!x)
        return NULL;
    return apply_map(tape, f, x,
                     dgmi_tape_node(tape, &map_op, x->value.rows, x->value.columns, 1, &x));
}

dgmi_node *dgmi_op_map_over(dgmi_tape *tape, dgmi_map f, dgmi_node *x) {
    if (!x)
        return NULL;
    return apply_map(tape, f, x, dgmi_tape_node_over(tape, &map_op, 1, &x));
}

/* ---- PReLU ---- */

enum { GRAIN = 32768 };

typedef struct prelu_task {
    int64_t count;
    float slope;
    const float *x, *dy;
    float *y;      /* or dx */
    double *parts; /* of the slope's gradient, by chunk */
    bool add;
} prelu_task;

static void prelu_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    prelu_task *task = argument;
    int64_t begin, end;
    dgmi_chunk(task->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        task->y[i] = task->x[i] > 0 ? task->x[i] : task->slope * task->x[i];
}

static void prelu_input_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    prelu_task *task = argument;
    int64_t begin, end;
    dgmi_chunk(task->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        float slope = task->x[i] > 0 ? task->dy[i] : task->slope * task->dy[i];
        task->y[i] = task->add ? task->y[i] + slope : slope;
    }
}

static void prelu_slope_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    prelu_task *task = argument;
    int64_t begin, end;
    double sum = 0;
    dgmi_chunk(task->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        sum += task->x[i] > 0 ? 0 : task->x[i] * task->dy[i];
    task->parts[chunk] = sum;
}

static void prelu_backward(dgmi_tape *tape, dgmi_node *node) {
    dgm_context *ctx = dgmi_tape_context(tape);
    const dgmi_tensor *x = &node->inputs[0]->value;
    prelu_task task = {.count = dgmi_tensor_count(x),
                       .slope = node->inputs[1]->value.values[0],
                       .x = x->values,
                       .dy = node->gradient.values};
    int64_t chunks = dgmi_chunks(task.count, GRAIN);
    bool add;
    dgmi_tensor *dslope = dgmi_node_gradient(tape, node, 1, &add);
    task.parts = dslope ? dgmi_tape_memory(tape, chunks, sizeof *task.parts) : NULL;
    if (task.parts) {
        dgmi_parallel(ctx, chunks, prelu_slope_chunk, &task);
        double sum = add ? dslope->values[0] : 0;
        for (int64_t c = 0; c < chunks; c++)
            sum += task.parts[c];
        dslope->values[0] = (float)sum;
    }
    dgmi_tensor *dx = dgmi_node_gradient_over(tape, node, 0, &task.add);
    if (dx) {
        task.y = dx->values;
        dgmi_parallel(ctx, chunks, prelu_input_chunk, &task);
    }
}

static const dgmi_op prelu_op = {"prelu", prelu_backward};

dgmi_node *dgmi_op_prelu(dgmi_tape *tape, dgmi_node *x, dgmi_node *slope) {
    if (!x || !slope)
        return NULL;
    if (slope->value.rows != 1 || slope->value.columns != 1) {
        dgmi_tape_fail(tape, "prelu: the slope is one number, not %lld x %lld",
                       (long long)slope->value.rows, (long long)slope->value.columns);
        return NULL;
    }
    dgmi_node *node = dgmi_tape_node(tape, &prelu_op, x->value.rows, x->value.columns, 2,
                                     (dgmi_node *const[]){x, slope});
    if (!node)
        return NULL;
    prelu_task task = {.count = dgmi_tensor_count(&x->value),
                       .slope = slope->value.values[0],
                       .x = x->value.values,
                       .y = node->value.values};
    dgmi_parallel(dgmi_tape_context(tape), dgmi_chunks(task.count, GRAIN), prelu_chunk, &task);
    return node;
}

/* ---- dropout (Srivastava and others, 2014) ---- */

typedef struct dropout_state {
    float p;
    uint64_t seed, stream;
} dropout_state;

/* The same draws again instead of a stored mask. */
static void dropout_backward(dgmi_tape *tape, dgmi_node *node) {
    const dropout_state *state = node->state;
    bool add;
    dgmi_tensor *dx = dgmi_node_gradient_over(tape, node, 0, &add);
    if (dx)
        dgmi_tape_kernels(tape)->dropout(dgmi_tape_context(tape), state->p, state->seed,
                                         state->stream, dgmi_tensor_count(dx),
                                         node->gradient.values, add, dx->values);
}

static const dgmi_op dropout_op = {"dropout", dropout_backward};

dgmi_node *dgmi_op_dropout(dgmi_tape *tape, dgmi_node *x, float p, uint64_t seed, uint64_t stream) {
    if (!x || p == 0)
        return x;
    dgmi_node *node = dgmi_tape_node(tape, &dropout_op, x->value.rows, x->value.columns, 1, &x);
    dropout_state *state = node ? dgmi_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (dropout_state){p, seed, stream};
    node->state = state;
    dgmi_tape_kernels(tape)->dropout(dgmi_tape_context(tape), p, seed, stream,
                                     dgmi_tensor_count(&x->value), x->value.values, false,
                                     node->value.values);
    return node;
}
