/* SPDX-License-Identifier: Apache-2.0 */
/* MPR with a lens that learns. The lens is f = sigmoid(logit r + w'h + b): r is the mid-rank of the
 * node's PageRank, scaled to (0, 1), and h its state. With w = 0 and b = 0, where the training
 * begins, f is r. Cell k has the membership exp(-(f - c_k)^2 / (2 s_k^2)), divided by the sum over
 * all cells; centres c and spreads s = exp(theta) are learned too. S'X and S'AS take the gradient to
 * all of them. */
#include "pool_learned.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pool_network.h"

/* ---- where the lens starts ---- */

static int by_value(const void *a, const void *b) {
    const dgmi_pool_ranked *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Values that are equal but for rounding share a rank, so that ranks do not depend on how nodes are
 * numbered. */
void dgmi_pool_positions(int64_t nodes, const double *pagerank, double alike,
                         dgmi_pool_ranked *room, float *positions) {
    if (nodes == 0)
        return;
    for (int64_t i = 0; i < nodes; i++)
        room[i] = (dgmi_pool_ranked){pagerank[i], i};
    qsort(room, (size_t)nodes, sizeof *room, by_value);
    double slack = alike * room[nodes - 1].value;
    for (int64_t begin = 0, end; begin < nodes; begin = end) {
        for (end = begin + 1; end < nodes && room[end].value - room[end - 1].value <= slack;)
            end++;
        double rank = ((double)(begin + end - 1) / 2 + 0.5) / (double)nodes;
        for (int64_t i = begin; i < end; i++)
            positions[room[i].node] = (float)log(rank / (1 - rank));
    }
}

/* ---- PageRank of small dense graphs ---- */

enum { MOST_STEPS = 200 };

/* x = (1 - alpha) / n + alpha (A D^-1 x, and what nodes without weight hold, evenly), by power
 * iteration until a step changes less than 1e-10. */
static void rank_dense(int64_t n, const float *a, const double *sums, double *x, double *next) {
    const double alpha = 0.85;
    double change = 1;
    for (int64_t i = 0; i < n; i++)
        x[i] = 1.0 / (double)n;
    for (int step = 0; step < MOST_STEPS && change > 1e-10; step++) {
        double dangling = 0;
        for (int64_t i = 0; i < n; i++) {
            dangling += sums[i] > 0 ? 0 : x[i];
            next[i] = 0;
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; sums[i] > 0 && j < n; j++)
                next[j] += (double)a[i * n + j] * x[i] / sums[i];
        change = 0;
        for (int64_t i = 0; i < n; i++) {
            double value = (1 - alpha + alpha * dangling) / (double)n + alpha * next[i];
            change += fabs(value - x[i]);
            x[i] = value;
        }
    }
}

/* The positions of the nodes of pooled graphs, as constants: ranks have no derivative. */
static const float *rank_pooled(dgmi_pool_pass *pass, const dgmi_pool_state *state) {
    dgmi_nn_tape *tape = pass->tape;
    int64_t n = state->side;
    float *positions = dgmi_nn_tape_memory(tape, state->graphs * n, sizeof *positions);
    double *sums = dgmi_nn_tape_memory(tape, 3 * n, sizeof *sums);
    dgmi_pool_ranked *room = dgmi_nn_tape_memory(tape, n, sizeof *room);
    for (int64_t g = 0; positions && sums && room && g < state->graphs; g++) {
        const float *a = state->matrix->value.values + g * n * n;
        for (int64_t i = 0; i < n; i++) {
            sums[i] = 0;
            for (int64_t j = 0; j < n; j++)
                sums[i] += (double)a[i * n + j];
        }
        rank_dense(n, a, sums, sums + n, sums + 2 * n);
        dgmi_pool_positions(n, sums + n, DGMI_POOL_POOLED_ALIKE, room, positions + g * n);
    }
    return sums && room ? positions : NULL;
}

/* The same of the nodes of the batch's own graphs, which the bank has. */
static const float *rank_given(dgmi_pool_pass *pass, const dgmi_pool_batch *batch) {
    const int64_t *starts = batch->starts[0], *from = batch->bank->level[0].starts;
    float *positions = dgmi_nn_tape_memory(pass->tape, starts[batch->graphs], sizeof *positions);
    for (int64_t i = 0; positions && i < batch->graphs; i++)
        memcpy(positions + starts[i], batch->bank->positions + from[batch->list[i]],
               (size_t)(starts[i + 1] - starts[i]) * sizeof *positions);
    return positions;
}

/* ---- lens and cover ---- */

/* A weight that is trained only if it is among those that learn. */
static dgmi_nn_node *weight_if(const dgmi_pool_pass *pass, int index, bool learns) {
    return dgmi_nn_weight_node(pass->tape, &pass->network->weights, index,
                               learns ? pass->optimiser : NULL);
}

/* sigmoid(start + x w + b), a column */
static dgmi_nn_node *axis(const dgmi_pool_pass *pass, const dgmi_pool_state *state,
                          dgmi_nn_node *start, int weight, int bias, bool learns) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_node *sum =
        dgmi_nn_op_product(tape, state->x, false, weight_if(pass, weight, learns), false);
    sum = dgmi_nn_op_bias(tape, sum, weight_if(pass, bias, learns));
    if (start)
        sum = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, sum, start);
    return dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, sum);
}

/* (f - c)^2, one row per node and one column per cell */
static dgmi_nn_node *distance(const dgmi_pool_pass *pass, dgmi_nn_node *f, int centres,
                              bool learns) {
    return dgmi_nn_op_square(pass->tape, dgmi_nn_op_algebra(pass->tape, DGMI_NN_SUBTRACT, f,
                                                            weight_if(pass, centres, learns)));
}

/* The softmax of -distance / (2 s^2) is the membership divided by its sum, and never 0 / 0. */
static dgmi_nn_node *memberships(const dgmi_pool_pass *pass, dgmi_nn_node *distances, int spreads,
                                 bool learns) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_node *theta = weight_if(pass, spreads, learns);
    dgmi_nn_node *precision =
        dgmi_nn_op_apply(tape, DGMI_KERNELS_EXP, dgmi_nn_op_scale(tape, -2, theta));
    return dgmi_nn_op_softmax(
        tape, dgmi_nn_op_scale(tape, -0.5F,
                               dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, distances, precision)));
}

void dgmi_pool_learned(dgmi_pool_pass *pass, dgmi_pool_state *state, const dgmi_pool_batch *batch) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_pool_gate *gate = &pass->network->gate[state->level];
    int learn = pass->network->design.request->options.learn;
    bool lens = learn == DGM_MPR_LEARN_BOTH || learn == DGM_MPR_LEARN_LENS;
    bool cover = learn == DGM_MPR_LEARN_BOTH || learn == DGM_MPR_LEARN_COVER;
    const float *positions = state->matrix ? rank_pooled(pass, state) : rank_given(pass, batch);
    if (!positions) {
        state->x = NULL;
        return;
    }
    dgmi_nn_node *start = dgmi_nn_tape_constant(tape, state->starts[state->graphs], 1, positions);
    dgmi_nn_node *f = axis(pass, state, start, gate->weight, gate->bias, lens);
    pass->lens[state->level][0] = f;
    dgmi_nn_node *distances = distance(pass, f, gate->centres, cover);
    if (gate->weight2 >= 0) {
        dgmi_nn_node *g = axis(pass, state, NULL, gate->weight2, gate->bias2, lens);
        pass->lens[state->level][1] = g;
        distances = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, distances,
                                       distance(pass, g, gate->centres2, cover));
    }
    dgmi_nn_node *s = memberships(pass, distances, gate->spreads, cover);
    dgmi_pool_state_coarsen(pass, state, s, NULL, NULL);
}
