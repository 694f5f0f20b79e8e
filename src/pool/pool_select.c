/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings that keep the nodes of highest score: top-k of Graph U-Nets (Gao and Ji, 2019) and
 * SAGPool (Lee and others, 2019). A node that stays is multiplied by a gate of its score, through
 * which the scores learn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool_network.h"

/* Top-k scores nodes by x p / |p|, SAGPool by a convolution. */
static dgmi_nn_node *score(dgmi_pool_pass *pass, dgmi_pool_state *state) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_pool_gate *gate = &pass->network->gate[state->level];
    dgmi_nn_node *weight = dgmi_pool_weight(pass, gate->weight);
    dgmi_nn_node *product = dgmi_nn_op_product(tape, state->x, false, weight, false);
    if (pass->network->design.request->options.method == DGM_POOL_TOPK)
        return dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, product, dgmi_nn_op_norm(tape, weight));
    return dgmi_nn_op_bias(tape, dgmi_pool_propagate(pass, state, product),
                           dgmi_pool_weight(pass, gate->bias));
}

typedef struct ranked {
    float score;
    uint32_t node;
} ranked;

static int by_score(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_node(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The ceil(ratio n) best nodes of each graph, in the order of their numbers. Of equal scores the
 * lower number is better. */
static uint32_t *choose(dgmi_nn_tape *tape, const dgmi_pool_state *state, const float *scores,
                        double ratio, int64_t *starts) {
    int64_t nodes = state->starts[state->graphs];
    ranked *list = dgmi_nn_tape_memory(tape, nodes, sizeof *list);
    uint32_t *kept = dgmi_nn_tape_memory(tape, nodes, sizeof *kept);
    starts[0] = 0;
    for (int64_t g = 0; list && kept && g < state->graphs; g++) {
        int64_t begin = state->starts[g], count = state->starts[g + 1] - begin;
        int64_t stay = dgmi_pool_round_up(ratio * (double)count);
        for (int64_t i = 0; i < count; i++)
            list[i] = (ranked){scores[begin + i], (uint32_t)(begin + i)};
        qsort(list, (size_t)count, sizeof *list, by_score);
        for (int64_t i = 0; i < stay; i++)
            kept[starts[g] + i] = list[i].node;
        qsort(kept + starts[g], (size_t)stay, sizeof *kept, by_node);
        starts[g + 1] = starts[g] + stay;
    }
    return list ? kept : NULL;
}

/* ---- the graph among the nodes that stay ---- */

typedef struct subgraph {
    const dgmi_table_csr *from;
    const uint32_t *kept;
    int64_t count;
    uint32_t *place; /* of each node among those that stay; UINT32_MAX: it goes */
    int64_t *offsets;
    uint32_t *indices;
    float *values;
} subgraph;

static int64_t induce_row(subgraph *sub, int64_t row, int64_t at) {
    const dgmi_table_csr *from = sub->from;
    int64_t u = sub->kept[row];
    for (int64_t e = from->offsets[u]; e < from->offsets[u + 1]; e++) {
        uint32_t to = sub->place[from->indices[e]];
        if (to == UINT32_MAX)
            continue;
        sub->indices[at] = to;
        sub->values[at++] = from->values ? from->values[e] : 1;
    }
    return at;
}

static const dgmi_nn_sparse *induce(dgmi_nn_tape *tape, const dgmi_table_csr *from,
                                    const uint32_t *kept, int64_t count) {
    int64_t entries = dgmi_table_csr_entries(from);
    subgraph sub = {.from = from,
                    .kept = kept,
                    .count = count,
                    .place = dgmi_nn_tape_memory(tape, from->rows, sizeof *sub.place),
                    .offsets = dgmi_nn_tape_memory(tape, count + 1, sizeof *sub.offsets),
                    .indices = dgmi_nn_tape_memory(tape, entries, sizeof *sub.indices),
                    .values = dgmi_nn_tape_memory(tape, entries, sizeof *sub.values)};
    dgmi_nn_sparse *sparse = dgmi_nn_tape_memory(tape, 1, sizeof *sparse);
    if (!sparse || !sub.place || !sub.offsets || !sub.indices || !sub.values)
        return NULL;
    memset(sub.place, 0xff, (size_t)from->rows * sizeof *sub.place);
    for (int64_t i = 0; i < count; i++)
        sub.place[kept[i]] = (uint32_t)i;
    sub.offsets[0] = 0;
    for (int64_t i = 0; i < count; i++)
        sub.offsets[i + 1] = induce_row(&sub, i, sub.offsets[i]);
    *sparse = (dgmi_nn_sparse){.matrix = {count, count, sub.offsets, sub.indices, sub.values}};
    sparse->transpose = sparse->matrix;
    return sparse;
}

/* ---- its propagation ---- */

/* Writes a row of A + I and returns its end. */
static int64_t add_self(const dgmi_table_csr *a, int64_t u, uint32_t *indices, float *values,
                        int64_t at) {
    bool placed = false;
    for (int64_t e = a->offsets[u]; e < a->offsets[u + 1]; e++) {
        int64_t v = a->indices[e];
        if (v > u && !placed) {
            indices[at] = (uint32_t)u;
            values[at++] = 1;
        }
        placed = placed || v >= u;
        indices[at] = (uint32_t)v;
        values[at++] = a->values[e] + (v == u ? 1.0F : 0.0F);
    }
    if (!placed) {
        indices[at] = (uint32_t)u;
        values[at++] = 1;
    }
    return at;
}

static void normalise(int64_t rows, const int64_t *offsets, const uint32_t *indices, float *values,
                      float *scale) {
    for (int64_t u = 0; u < rows; u++) {
        float sum = 0;
        for (int64_t e = offsets[u]; e < offsets[u + 1]; e++)
            sum += values[e];
        scale[u] = 1 / sqrtf(sum);
    }
    for (int64_t u = 0; u < rows; u++)
        for (int64_t e = offsets[u]; e < offsets[u + 1]; e++)
            values[e] *= scale[u] * scale[indices[e]];
}

/* GIN sums up neighbours, whatever the weights of their edges are. */
static void count_once(int64_t entries, float *values) {
    for (int64_t e = 0; e < entries; e++)
        values[e] = 1;
}

static const dgmi_nn_sparse *propagation(dgmi_nn_tape *tape, const dgmi_table_csr *a, int net) {
    int64_t entries = dgmi_table_csr_entries(a) + a->rows;
    int64_t *offsets = dgmi_nn_tape_memory(tape, a->rows + 1, sizeof *offsets);
    uint32_t *indices = dgmi_nn_tape_memory(tape, entries, sizeof *indices);
    float *values = dgmi_nn_tape_memory(tape, entries, sizeof *values);
    float *scale = dgmi_nn_tape_memory(tape, a->rows, sizeof *scale);
    dgmi_nn_sparse *sparse = dgmi_nn_tape_memory(tape, 1, sizeof *sparse);
    if (!offsets || !indices || !values || !scale || !sparse)
        return NULL;
    offsets[0] = 0;
    for (int64_t u = 0; u < a->rows; u++)
        offsets[u + 1] = add_self(a, u, indices, values, offsets[u]);
    if (net == DGM_NET_GCN)
        normalise(a->rows, offsets, indices, values, scale);
    else
        count_once(offsets[a->rows], values);
    *sparse = (dgmi_nn_sparse){.matrix = {a->rows, a->rows, offsets, indices, values}};
    sparse->transpose = sparse->matrix;
    return sparse;
}

/* ---- the whole ---- */

void dgmi_pool_select(dgmi_pool_pass *pass, dgmi_pool_state *state) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_pool_design *design = &pass->network->design;
    const dgm_pool_options *options = &design->request->options;
    dgmi_nn_node *scores = score(pass, state);
    int64_t *starts = dgmi_nn_tape_memory(tape, state->graphs + 1, sizeof *starts);
    uint32_t *kept =
        scores && starts ? choose(tape, state, scores->value.values, options->ratio, starts) : NULL;
    if (!kept || !state->adjacency) {
        state->x = NULL;
        return;
    }
    int64_t count = starts[state->graphs];
    dgmi_nn_node *gates = dgmi_nn_op_apply(
        tape, options->gate == DGM_GATE_TANH ? DGMI_KERNELS_TANH : DGMI_KERNELS_SIGMOID, scores);
    pass->kept[state->level] = kept;
    pass->lens[state->level][0] = scores;
    state->x =
        dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, dgmi_nn_op_gather(tape, state->x, kept, count),
                           dgmi_nn_op_gather(tape, gates, kept, count));
    state->adjacency = induce(tape, &state->adjacency->matrix, kept, count);
    if (state->adjacency && design->net != DGM_NET_MLP)
        state->propagation = propagation(tape, &state->adjacency->matrix, design->net);
    state->starts = starts;
    state->level++;
}
