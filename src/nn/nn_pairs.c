/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution with ELU on two graphs at once, Y = ELU((P X) W + b), as one fused op. It works in
 * blocks of rows, which stay in the cache from P to ELU and on the way back. */
#include "nn_pairs.h"

#include <assert.h>
#include <string.h>

#include "base_parallel.h"

enum { INPUT, BIAS, WEIGHT, INPUTS };
enum { SLAB = DGMI_KERNELS_BLOCK_SLAB, HALF = SLAB / 2, MOST_GROUPS = 16, BLOCK_NODES = 48 };

/* What a group of nodes adds up to, by itself, so that threads change no bit. */
typedef struct group_sums {
    float bias[SLAB];
    float *weights; /* in x out */
} group_sums;

typedef struct pairs_state {
    const dgmi_kernels *kernels;
    const dgmi_nn_sparse *propagation;
    int64_t nodes, in, out;
    int64_t groups, group_nodes;
    float bias[SLAB]; /* as often as it fits */
    float *gathered;  /* P X, then its slopes; Y itself where there is no W */
    float *turned;    /* W' */
    group_sums *sums;
    bool *spent; /* P X has given way to its slopes */
} pairs_state;

/* ---- forward ---- */

/* A pair's rows are one row of P X. */
static void embed_nodes(dgmi_nn_node *node, int64_t begin, int64_t end) {
    const pairs_state *state = node->state;
    assert(0 <= begin && begin < end && end <= state->nodes && end - begin <= BLOCK_NODES);
    const float *x = node->inputs[INPUT]->value.values;
    float *y = node->value.values + begin * 2 * state->out;
    int64_t wide = 2 * state->in;
    state->kernels->csr_rows(&state->propagation->matrix, begin, end, x, wide, wide, false,
                             state->gathered, wide);
    if (node->inputs[WEIGHT]) {
        const dgmi_kernels_tile tile = {.rows = 2 * (end - begin),
                                        .depth = state->in,
                                        .columns = state->out,
                                        .a = state->gathered + begin * wide,
                                        .a_row = state->in,
                                        .a_step = 1,
                                        .b = node->inputs[WEIGHT]->value.values,
                                        .b_stride = state->out,
                                        .c = y,
                                        .c_stride = state->out};
        state->kernels->tile_product(&tile);
    }
    state->kernels->block_elu((end - begin) * 2 * state->out / SLAB, state->bias, y);
}

static void embed_group(void *argument, int64_t group, int thread) {
    (void)thread;
    dgmi_nn_node *node = argument;
    const pairs_state *state = node->state;
    int64_t begin, end;
    dgmi_chunk(state->nodes, state->group_nodes, group, &begin, &end);
    for (int64_t at = begin; at < end; at += BLOCK_NODES)
        embed_nodes(node, at, at + BLOCK_NODES < end ? at + BLOCK_NODES : end);
}

/* ---- backward ---- */

/* dW += (P X)' dZ, then d (P X) = dZ W' in its place. */
static void descend_product(const pairs_state *state, group_sums *sums, bool first, int64_t rows,
                            float *x, const float *dz) {
    assert(rows > 0 && rows % 2 == 0);
    const dgmi_kernels_tile weights = {.rows = state->in,
                                       .depth = rows,
                                       .columns = state->out,
                                       .a = x,
                                       .a_row = 1,
                                       .a_step = state->in,
                                       .b = dz,
                                       .b_stride = state->out,
                                       .c = sums->weights,
                                       .c_stride = state->out,
                                       .add = !first};
    state->kernels->tile_product(&weights);
    const dgmi_kernels_tile slopes = {.rows = rows,
                                      .depth = state->out,
                                      .columns = state->in,
                                      .a = dz,
                                      .a_row = state->out,
                                      .a_step = 1,
                                      .b = state->turned,
                                      .b_stride = state->in,
                                      .c = x,
                                      .c_stride = state->in};
    state->kernels->tile_product(&slopes);
}

static void descend_group(void *argument, int64_t group, int thread) {
    (void)thread;
    dgmi_nn_node *node = argument;
    const pairs_state *state = node->state;
    group_sums *sums = &state->sums[group];
    int64_t begin, end, next;
    dgmi_chunk(state->nodes, state->group_nodes, group, &begin, &end);
    for (int64_t at = begin; at < end; at = next) {
        next = at + BLOCK_NODES < end ? at + BLOCK_NODES : end;
        int64_t from = at * 2 * state->out;
        float *slopes = node->gradient.values + from;
        state->kernels->block_elu_backward((next - at) * 2 * state->out / SLAB,
                                           node->value.values + from, slopes, sums->bias);
        if (node->inputs[WEIGHT])
            descend_product(state, sums, at == begin, 2 * (next - at),
                            state->gathered + at * 2 * state->in, slopes);
    }
}

static void hand_bias(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const pairs_state *state = node->state;
    bool add;
    dgmi_table_tensor *bias = dgmi_nn_node_gradient(tape, node, BIAS, &add);
    for (int64_t j = 0; bias && j < state->out; j++) {
        double sum = add ? (double)bias->values[j] : 0;
        for (int64_t g = 0; g < state->groups; g++)
            for (int64_t k = j; k < SLAB; k += state->out)
                sum += (double)state->sums[g].bias[k];
        bias->values[j] = (float)sum;
    }
}

static void hand_weight(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const pairs_state *state = node->state;
    bool add;
    dgmi_table_tensor *weight = dgmi_nn_node_gradient(tape, node, WEIGHT, &add);
    if (!weight)
        return;
    int64_t count = dgmi_table_tensor_count(weight);
    float *restrict to = weight->values;
    for (int64_t g = 0; g < state->groups; g++) {
        const float *from = state->sums[g].weights;
        for (int64_t i = 0; i < count; i++)
            to[i] = g > 0 || add ? to[i] + from[i] : from[i];
    }
}

/* P X as n x 2 in: through P as if both graphs were one. */
static void hand_input(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const pairs_state *state = node->state;
    bool add;
    dgmi_table_tensor *input = dgmi_nn_node_gradient(tape, node, INPUT, &add);
    if (!input)
        return;
    const dgmi_table_tensor from = {state->nodes, 2 * state->in,
                                    node->inputs[WEIGHT] ? state->gathered : node->gradient.values};
    dgmi_table_tensor to = {state->nodes, 2 * state->in, input->values};
    state->kernels->csr_product(dgmi_nn_tape_context(tape), &state->propagation->transpose, &from,
                                add, &to);
}

static void pairs_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const pairs_state *state = node->state;
    if (*state->spent) {
        dgmi_nn_tape_fail(tape, "pairs: they can be differentiated only once");
        return;
    }
    *state->spent = true;
    for (int64_t i = 0; state->turned && i < state->in; i++)
        for (int64_t j = 0; j < state->out; j++)
            state->turned[j * state->in + i] =
                node->inputs[WEIGHT]->value.values[i * state->out + j];
    dgmi_parallel(dgmi_nn_tape_context(tape), state->groups, descend_group, node);
    hand_bias(tape, node);
    if (node->inputs[WEIGHT])
        hand_weight(tape, node);
    hand_input(tape, node);
}

static const dgmi_nn_op pairs_op = {"pairs", pairs_backward};

/* ---- building ---- */

static void take_memory(dgmi_nn_tape *tape, dgmi_nn_node *node, pairs_state *state) {
    bool weighted = node->inputs[WEIGHT] != NULL;
    int64_t cells = state->in * state->out;
    state->gathered = node->value.values;
    if (weighted) {
        state->gathered = dgmi_nn_tape_memory(tape, 2 * state->nodes * state->in, sizeof(float));
        state->turned = dgmi_nn_tape_memory(tape, cells, sizeof(float));
    }
    state->spent = dgmi_nn_tape_memory(tape, 1, sizeof *state->spent);
    state->sums = dgmi_nn_tape_memory(tape, state->groups, sizeof *state->sums);
    for (int64_t g = 0; state->sums && g < state->groups; g++)
        state->sums[g] = (group_sums){
            .weights = weighted ? dgmi_nn_tape_memory(tape, cells, sizeof(float)) : NULL};
}

bool dgmi_nn_pairs_fit(const dgmi_table_tensor *x, const dgmi_table_tensor *weight) {
    int64_t out = weight ? weight->columns : x->columns;
    return x->rows > 0 && x->rows % 2 == 0 && x->columns % HALF == 0 &&
           (out == SLAB || out == HALF) && (!weight || weight->rows == x->columns);
}

dgmi_nn_node *dgmi_nn_op_pairs(dgmi_nn_tape *tape, const dgmi_nn_sparse *propagation,
                               dgmi_nn_node *x, dgmi_nn_node *weight, dgmi_nn_node *bias) {
    dgmi_nn_node *const inputs[INPUTS] = {[INPUT] = x, [BIAS] = bias, [WEIGHT] = weight};
    if (!x || !bias)
        return NULL;
    int64_t out = weight ? weight->value.columns : x->value.columns;
    dgmi_nn_node *node =
        dgmi_nn_tape_node(tape, &pairs_op, x->value.rows, out, weight ? INPUTS : WEIGHT, inputs);
    pairs_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (pairs_state){.kernels = dgmi_nn_tape_kernels(tape),
                           .propagation = propagation,
                           .nodes = x->value.rows / 2,
                           .in = x->value.columns,
                           .out = out};
    state->group_nodes = dgmi_chunks(state->nodes, MOST_GROUPS);
    state->groups = dgmi_chunks(state->nodes, state->group_nodes);
    assert(dgmi_nn_pairs_fit(&x->value, weight ? &weight->value : NULL));
    assert(state->groups <= MOST_GROUPS && propagation->matrix.rows == state->nodes);
    for (int64_t j = 0; j < SLAB; j++)
        state->bias[j] = bias->value.values[j % out];
    node->state = state;
    take_memory(tape, node, state);
    if (dgmi_nn_tape_status(tape) != DGM_OK)
        return NULL;
    *state->spent = false;
    dgmi_parallel(dgmi_nn_tape_context(tape), state->groups, embed_group, node);
    return node;
}
