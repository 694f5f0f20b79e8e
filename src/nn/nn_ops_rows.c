/* SPDX-License-Identifier: Apache-2.0 */
/* Ops that gather rows, and that fold segments of rows. */
#include <string.h>

#include "base_assert.h"
#include "base_parallel.h"
#include "nn_ops.h"
#include "nn_ops_loop.h"

/* ---- gather ---- */

typedef struct gather_state {
    const uint32_t *rows;
    int64_t count;
} gather_state;

typedef struct gather_task {
    const gather_state *state;
    const dgmi_table_tensor *from;
    dgmi_table_tensor *to;
} gather_task;

enum { GATHER_GRAIN = 256 };

static void gather_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    gather_task *task = argument;
    assert(task->from->columns == task->to->columns && task->state->count == task->to->rows);
    int64_t columns = task->to->columns, begin, end;
    dgmi_chunk(task->state->count, GATHER_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        memcpy(task->to->values + i * columns, task->from->values + task->state->rows[i] * columns,
               (size_t)columns * sizeof(float));
}

enum { SCATTER_COLUMNS = 64 };

/* Rows may repeat, so they are added one after the other; columns go in parallel. */
static void scatter_columns(void *argument, int64_t chunk, int thread) {
    (void)thread;
    gather_task *task = argument;
    assert(task->from->columns == task->to->columns && task->state->count == task->from->rows);
    int64_t columns = task->to->columns, begin, end;
    dgmi_chunk(columns, SCATTER_COLUMNS, chunk, &begin, &end);
    for (int64_t i = 0; i < task->state->count; i++) {
        float *to = task->to->values + task->state->rows[i] * columns;
        const float *from = task->from->values + i * columns;
        for (int64_t j = begin; j < end; j++)
            to[j] += from[j];
    }
}

static void gather_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    gather_task task = {.state = node->state, .from = &node->gradient};
    bool add;
    task.to = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (!task.to)
        return;
    if (!add)
        memset(task.to->values, 0, (size_t)dgmi_table_tensor_count(task.to) * sizeof(float));
    dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(task.to->columns, SCATTER_COLUMNS),
                  scatter_columns, &task);
}

static const dgmi_nn_op gather_op = {"gather", gather_backward};

dgmi_nn_node *dgmi_nn_op_gather(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                                int64_t count) {
    DGMI_ASSERT_WALK(!x || dgmi_all_below(rows, count, x->value.rows));
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &gather_op, count, x->value.columns, 1, &x) : NULL;
    gather_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (gather_state){rows, count};
    node->state = state;
    gather_task task = {state, &x->value, &node->value};
    dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(count, GATHER_GRAIN), gather_chunk,
                  &task);
    return node;
}

/* ---- permutation ---- */

typedef struct permute_task {
    const uint32_t *rows;
    const dgmi_table_tensor *from;
    dgmi_table_tensor *to;
    bool add;
} permute_task;

static void permute_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    permute_task *task = argument;
    assert(task->from->columns == task->to->columns);
    int64_t columns = task->to->columns, begin, end;
    dgmi_chunk(task->to->rows, GATHER_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *from = task->from->values + task->rows[i] * columns;
        float *to = task->to->values + i * columns;
        if (!task->add)
            memcpy(to, from, (size_t)columns * sizeof *to);
        else
            for (int64_t j = 0; j < columns; j++)
                to[j] += from[j];
    }
}

static void permute_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    permute_task task = {.rows = node->state, .from = &node->gradient};
    task.to = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.to)
        dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(task.to->rows, GATHER_GRAIN),
                      permute_chunk, &task);
}

static const dgmi_nn_op permute_op = {"permute", permute_backward};

dgmi_nn_node *dgmi_nn_op_permute(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                                 const uint32_t *inverse) {
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &permute_op, x->value.rows, x->value.columns, 1, &x) : NULL;
    if (!node)
        return NULL;
    node->state = inverse;
    DGMI_ASSERT_WALK(dgmi_all_below(rows, x->value.rows, x->value.rows) &&
                     dgmi_all_below(inverse, x->value.rows, x->value.rows));
    permute_task task = {.rows = rows, .from = &x->value, .to = &node->value};
    dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(x->value.rows, GATHER_GRAIN),
                  permute_chunk, &task);
    return node;
}

/* ---- pairs ---- */

typedef struct pair_state {
    const uint32_t *rows, *inverse;
} pair_state;

typedef struct pair_task {
    const pair_state *state;
    const float *from;
    dgmi_table_tensor *to;
    bool add;
} pair_task;

static void pair_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const pair_task *task = argument;
    int64_t columns = task->to->columns, begin, end;
    size_t bytes = (size_t)columns * sizeof(float);
    dgmi_chunk(task->to->rows / 2, GATHER_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        float *to = task->to->values + 2 * i * columns;
        memcpy(to, task->from + i * columns, bytes);
        memcpy(to + columns, task->from + task->state->rows[i] * columns, bytes);
    }
}

/* dx[i] = dy[2i] + dy[2j + 1], j the other place where x[i] stands */
static void unpair_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const pair_task *task = argument;
    int64_t columns = task->to->columns, begin, end;
    dgmi_chunk(task->to->rows, GATHER_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *one = task->from + 2 * i * columns;
        const float *other = task->from + (2 * (int64_t)task->state->inverse[i] + 1) * columns;
        float *restrict to = task->to->values + i * columns;
        for (int64_t j = 0; j < columns; j++)
            to[j] = (task->add ? to[j] : 0) + one[j] + other[j];
    }
}

static void pair_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    pair_task task = {.state = node->state, .from = node->gradient.values};
    task.to = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.to)
        dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(task.to->rows, GATHER_GRAIN),
                      unpair_chunk, &task);
}

static const dgmi_nn_op pair_op = {"pair", pair_backward};

dgmi_nn_node *dgmi_nn_op_pair(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                              const uint32_t *inverse) {
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &pair_op, 2 * x->value.rows, x->value.columns, 1, &x) : NULL;
    pair_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (pair_state){rows, inverse};
    node->state = state;
    pair_task task = {.state = state, .from = x->value.values, .to = &node->value};
    dgmi_parallel(dgmi_nn_tape_context(tape), dgmi_chunks(x->value.rows, GATHER_GRAIN), pair_chunk,
                  &task);
    return node;
}

/* ---- segments ---- */

typedef struct segments_state {
    dgmi_nn_fold fold;
    const int64_t *offsets;
    int64_t segments;
    int64_t whole[2];  /* offsets of the one segment of all rows */
    uint32_t *largest; /* row of each maximum */
} segments_state;

typedef struct segments_task {
    const segments_state *state;
    const dgmi_table_tensor *x;
    dgmi_table_tensor *y, *dx;
    bool add;
} segments_task;

static void fold_maximum(const segments_task *task, int64_t segment) {
    const int64_t *offsets = task->state->offsets;
    int64_t columns = task->x->columns, begin = offsets[segment];
    float *y = task->y->values + segment * columns;
    uint32_t *largest = task->state->largest + segment * columns;
    for (int64_t j = 0; j < columns; j++) {
        y[j] = begin < offsets[segment + 1] ? task->x->values[begin * columns + j] : 0;
        largest[j] = (uint32_t)begin;
    }
    for (int64_t i = begin + 1; i < offsets[segment + 1]; i++)
        for (int64_t j = 0; j < columns; j++)
            if (task->x->values[i * columns + j] > y[j]) {
                y[j] = task->x->values[i * columns + j];
                largest[j] = (uint32_t)i;
            }
}

static float segment_scale(const segments_state *state, int64_t segment) {
    int64_t size = state->offsets[segment + 1] - state->offsets[segment];
    return state->fold == DGMI_NN_FOLD_MEAN && size ? 1 / (float)size : 1;
}

static void fold_segment(void *argument, int64_t segment, int thread) {
    (void)thread;
    segments_task *task = argument;
    const int64_t *offsets = task->state->offsets;
    if (task->state->fold == DGMI_NN_FOLD_MAX) {
        fold_maximum(task, segment);
        return;
    }
    int64_t columns = task->x->columns;
    float *y = task->y->values + segment * columns, scale = segment_scale(task->state, segment);
    memset(y, 0, (size_t)columns * sizeof *y);
    for (int64_t i = offsets[segment]; i < offsets[segment + 1]; i++)
        for (int64_t j = 0; j < columns; j++)
            y[j] += task->x->values[i * columns + j];
    for (int64_t j = 0; j < columns; j++)
        y[j] *= scale;
}

static void unfold_segment(void *argument, int64_t segment, int thread) {
    (void)thread;
    segments_task *task = argument;
    const segments_state *state = task->state;
    int64_t columns = task->dx->columns;
    const float *dy = task->y->values + segment * columns;
    float scale = segment_scale(state, segment);
    for (int64_t i = state->offsets[segment]; i < state->offsets[segment + 1]; i++)
        for (int64_t j = 0; j < columns; j++) {
            bool takes = state->fold != DGMI_NN_FOLD_MAX ||
                         state->largest[segment * columns + j] == (uint32_t)i;
            float slope = takes ? dy[j] * scale : 0;
            float *to = &task->dx->values[i * columns + j];
            *to = task->add ? *to + slope : slope;
        }
}

/* The one segment of all rows would keep one thread busy: its rows are shared out instead. */
static bool is_whole(const segments_state *state) {
    return state->segments == 1 && state->fold != DGMI_NN_FOLD_MAX;
}

static void fold_whole(dgmi_nn_tape *tape, const segments_task *task) {
    float scale = segment_scale(task->state, 0);
    dgmi_nn_tape_kernels(tape)->column_sums(dgmi_nn_tape_context(tape), task->x, false,
                                            task->y->values);
    for (int64_t j = 0; j < task->y->columns; j++)
        task->y->values[j] *= scale;
}

static void unfold_whole_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    segments_task *task = argument;
    int64_t columns = task->dx->columns, begin, end;
    const float *dy = task->y->values;
    float scale = segment_scale(task->state, 0);
    dgmi_nn_row_chunk(task->dx, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        float *dx = task->dx->values + i * columns;
        for (int64_t j = 0; j < columns; j++)
            dx[j] = task->add ? dx[j] + dy[j] * scale : dy[j] * scale;
    }
}

static void segments_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    segments_task task = {.state = node->state, .y = &node->gradient};
    task.dx = dgmi_nn_node_gradient(tape, node, 0, &task.add);
    if (task.dx && is_whole(task.state))
        dgmi_nn_row_loop(dgmi_nn_tape_context(tape), task.dx, unfold_whole_chunk, &task);
    else if (task.dx)
        dgmi_parallel(dgmi_nn_tape_context(tape), task.state->segments, unfold_segment, &task);
}

static const dgmi_nn_op segments_op = {"segments", segments_backward};

static segments_state *describe_segments(dgmi_nn_tape *tape, dgmi_nn_fold fold,
                                         const dgmi_table_tensor *x, const int64_t *offsets,
                                         int64_t segments) {
    segments_state *state = dgmi_nn_tape_memory(tape, 1, sizeof *state);
    if (!state)
        return NULL;
    *state = (segments_state){fold, offsets, segments, {0, x->rows}, NULL};
    if (!offsets)
        state->offsets = state->whole;
    if (fold == DGMI_NN_FOLD_MAX)
        state->largest = dgmi_nn_tape_memory(tape, segments * x->columns, sizeof(uint32_t));
    return dgmi_nn_tape_status(tape) == DGM_OK ? state : NULL;
}

dgmi_nn_node *dgmi_nn_op_segments(dgmi_nn_tape *tape, dgmi_nn_fold fold, dgmi_nn_node *x,
                                  const int64_t *offsets, int64_t segments) {
    if (!offsets)
        segments = 1;
    dgmi_nn_node *node =
        x ? dgmi_nn_tape_node(tape, &segments_op, segments, x->value.columns, 1, &x) : NULL;
    if (!node)
        return NULL;
    if (offsets && (offsets[0] != 0 || offsets[segments] != x->value.rows)) {
        dgmi_nn_tape_fail(tape, "segments: rows %lld to %lld of %lld", (long long)offsets[0],
                          (long long)offsets[segments], (long long)x->value.rows);
        return NULL;
    }
    node->state = describe_segments(tape, fold, &x->value, offsets, segments);
    if (!node->state)
        return NULL;
    segments_task task = {.state = node->state, .x = &x->value, .y = &node->value};
    if (is_whole(task.state))
        fold_whole(tape, &task);
    else
        dgmi_parallel(dgmi_nn_tape_context(tape), segments, fold_segment, &task);
    return node;
}
