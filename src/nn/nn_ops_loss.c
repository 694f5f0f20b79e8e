/* SPDX-License-Identifier: Apache-2.0 */
/* Losses. Each is one number, summed in double precision in a fixed order. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "nn_ops.h"

/* The node of a loss, with a copy of what its backward pass has to know. */
static dgmi_nn_node *loss_node(dgmi_nn_tape *tape, const dgmi_nn_op *op, dgmi_nn_node *scores,
                               const void *state, size_t size) {
    dgmi_nn_node *node = scores ? dgmi_nn_tape_node(tape, op, 1, 1, 1, &scores) : NULL;
    void *copy = node ? dgmi_nn_tape_memory(tape, 1, size) : NULL;
    if (!copy)
        return NULL;
    memcpy(copy, state, size);
    node->state = copy;
    return node;
}

/* ---- cross-entropy ---- */

typedef struct entropy_state {
    dgmi_nn_targets targets;
    double total; /* weight */
} entropy_state;

static float class_weight(const dgmi_nn_targets *targets, int64_t row) {
    return targets->weights ? targets->weights[targets->classes[row]] : 1;
}

/* log sum exp, safe for any size of scores */
static double log_sum(const float *scores, int64_t columns) {
    assert(columns > 0);
    double largest = scores[0], sum = 0;
    for (int64_t j = 1; j < columns; j++)
        largest = fmax(largest, scores[j]);
    for (int64_t j = 0; j < columns; j++)
        sum += exp(scores[j] - largest);
    return largest + log(sum);
}

static void cross_entropy_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const entropy_state *state = node->state;
    const dgmi_table_tensor *scores = &node->inputs[0]->value;
    int64_t columns = scores->columns;
    bool add;
    dgmi_table_tensor *slopes = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (!slopes)
        return;
    if (!add)
        memset(slopes->values, 0, (size_t)dgmi_table_tensor_count(slopes) * sizeof(float));
    for (int64_t t = 0; state->total > 0 && t < state->targets.count; t++) {
        int64_t row = state->targets.rows[t];
        const float *x = scores->values + row * columns;
        float *dx = slopes->values + row * columns;
        double scale = node->gradient.values[0] * class_weight(&state->targets, row) / state->total;
        double log_total = log_sum(x, columns);
        for (int64_t j = 0; j < columns; j++)
            dx[j] += (float)(scale *
                             (exp(x[j] - log_total) - (j == state->targets.classes[row] ? 1 : 0)));
    }
}

static const dgmi_nn_op cross_entropy_op = {"cross-entropy", cross_entropy_backward};

dgmi_nn_node *dgmi_nn_op_cross_entropy(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                       const dgmi_nn_targets *targets) {
    entropy_state state = {.targets = *targets};
    double sum = 0;
    if (!scores)
        return NULL;
    for (int64_t t = 0; t < targets->count; t++) {
        int64_t row = targets->rows[t];
        assert(row < scores->value.rows && targets->classes[row] >= 0 &&
               targets->classes[row] < scores->value.columns);
        const float *x = scores->value.values + row * scores->value.columns;
        float weight = class_weight(targets, row);
        sum += weight * (log_sum(x, scores->value.columns) - x[targets->classes[row]]);
        state.total += weight;
    }
    dgmi_nn_node *node = loss_node(tape, &cross_entropy_op, scores, &state, sizeof state);
    if (node)
        node->value.values[0] = state.total > 0 ? (float)(sum / state.total) : 0;
    return node;
}

/* ---- binary cross-entropy ---- */

static void binary_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const float *targets = *(const float *const *)node->state;
    const dgmi_table_tensor *scores = &node->inputs[0]->value;
    int64_t count = dgmi_table_tensor_count(scores);
    bool add;
    dgmi_table_tensor *slopes = dgmi_nn_node_gradient(tape, node, 0, &add);
    for (int64_t i = 0; slopes && i < count; i++) {
        double probability = 1 / (1 + exp(-(double)scores->values[i]));
        float slope =
            (float)(node->gradient.values[0] * (probability - targets[i]) / (double)count);
        slopes->values[i] = add ? slopes->values[i] + slope : slope;
    }
}

static const dgmi_nn_op binary_op = {"binary cross-entropy", binary_backward};

/* max(x, 0) - x t + log(1 + exp(-|x|)): no overflow for any x */
dgmi_nn_node *dgmi_nn_op_binary_cross_entropy(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                              const float *targets) {
    dgmi_nn_node *node = loss_node(tape, &binary_op, scores, &targets, sizeof(const float *));
    if (!node)
        return NULL;
    int64_t count = dgmi_table_tensor_count(&scores->value);
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = scores->value.values[i];
        sum += fmax(x, 0) - x * targets[i] + log1p(exp(-fabs(x)));
    }
    node->value.values[0] = count ? (float)(sum / (double)count) : 0;
    return node;
}

/* ---- squared error ---- */

typedef struct squared_state {
    const uint32_t *rows;
    int64_t count;
    const float *targets;
} squared_state;

static void squared_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const squared_state *state = node->state;
    const float *scores = node->inputs[0]->value.values;
    bool add;
    dgmi_table_tensor *slopes = dgmi_nn_node_gradient(tape, node, 0, &add);
    if (!slopes)
        return;
    if (!add)
        memset(slopes->values, 0, (size_t)dgmi_table_tensor_count(slopes) * sizeof(float));
    for (int64_t t = 0; t < state->count; t++) {
        uint32_t row = state->rows[t];
        slopes->values[row] += node->gradient.values[0] * 2 * (scores[row] - state->targets[row]) /
                               (float)state->count;
    }
}

static const dgmi_nn_op squared_op = {"squared error", squared_backward};

dgmi_nn_node *dgmi_nn_op_squared_error(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                       const uint32_t *rows, int64_t count, const float *targets) {
    const squared_state state = {rows, count, targets};
    if (scores && scores->value.columns != 1) {
        dgmi_nn_tape_fail(tape, "squared error: %lld columns of scores, not 1",
                          (long long)scores->value.columns);
        return NULL;
    }
    dgmi_nn_node *node = loss_node(tape, &squared_op, scores, &state, sizeof state);
    double sum = 0;
    for (int64_t t = 0; node && t < count; t++) {
        double difference = scores->value.values[rows[t]] - targets[rows[t]];
        sum += difference * difference;
    }
    if (node)
        node->value.values[0] = count ? (float)(sum / (double)count) : 0;
    return node;
}
