/* SPDX-License-Identifier: Apache-2.0 */
/* Learned partitions: minCUT and DiffPool. Their losses compare S with the graph; both are computed
 * from K x K blocks, never from an n x n matrix. */
#include <math.h>

#include "pool_network.h"

/* What both need of an assignment, graph by graph; all are columns with a row per graph. */
typedef struct partition {
    dgmi_nn_node *s;
    dgmi_nn_node *pooled;       /* S'AS, one block per graph */
    dgmi_nn_node *pooled_trace; /* tr S'AS */
    dgmi_nn_node *square_trace; /* tr S'S */
    dgmi_nn_node *square_norm2; /* |S'S|^2 */
} partition;

/* A constant mask over square blocks: `on` on the diagonal, `off` elsewhere. */
static dgmi_nn_node *diagonal(dgmi_nn_tape *tape, int64_t blocks, int64_t side, float on,
                              float off) {
    float *values = dgmi_nn_tape_memory(tape, blocks * side * side, sizeof *values);
    for (int64_t i = 0; values && i < blocks * side; i++)
        for (int64_t j = 0; j < side; j++)
            values[i * side + j] = i % side == j ? on : off;
    return values ? dgmi_nn_tape_constant(tape, blocks * side, side, values) : NULL;
}

/* The sum of all entries of each block of rows. */
static dgmi_nn_node *sum_blocks(dgmi_nn_tape *tape, dgmi_nn_node *x, const int64_t *starts,
                                int64_t graphs) {
    return dgmi_nn_op_segments(tape, DGMI_NN_FOLD_SUM,
                               dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_SUM, x), starts, graphs);
}

static partition measure(dgmi_pool_pass *pass, const dgmi_pool_state *state, dgmi_nn_node *s) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_blocks blocks = dgmi_pool_blocks(state);
    int64_t side = s->value.columns, graphs = state->graphs;
    const int64_t *squares = dgmi_pool_equal_starts(tape, graphs, side);
    dgmi_nn_node *mask = diagonal(tape, graphs, side, 1, 0);
    partition p = {.s = s};
    p.pooled = dgmi_nn_op_block_gather(tape, blocks, s, dgmi_pool_times(pass, state, s));
    p.pooled_trace = sum_blocks(tape, dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, p.pooled, mask),
                                squares, graphs);
    p.square_trace = sum_blocks(tape, dgmi_nn_op_square(tape, s), state->starts, graphs);
    dgmi_nn_node *square = dgmi_nn_op_block_gather(tape, blocks, s, s);
    p.square_norm2 = sum_blocks(tape, dgmi_nn_op_square(tape, square), squares, graphs);
    return p;
}

/* The mean over graphs of a column. */
static dgmi_nn_node *mean(dgmi_nn_tape *tape, dgmi_nn_node *x, int64_t graphs) {
    return dgmi_nn_op_scale(tape, 1 / (float)graphs, dgmi_nn_op_sum(tape, x));
}

static dgmi_nn_node *add_number(dgmi_nn_tape *tape, dgmi_nn_node *x, float number) {
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, x, dgmi_pool_constant(tape, 1, 1, number));
}

/* ---- minCUT (Bianchi, Grattarola and Alippi, 2020) ---- */

/* - tr S'AS / tr S'DS, where tr S'DS is the sum over nodes of d_i |s_i|^2. A graph without edges
 * has no cut. */
static dgmi_nn_node *cut_loss(dgmi_pool_pass *pass, const dgmi_pool_state *state,
                              const partition *p) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_node *ones = dgmi_pool_constant(tape, state->starts[state->graphs], 1, 1);
    dgmi_nn_node *degrees = dgmi_pool_times(pass, state, ones);
    dgmi_nn_node *sizes =
        dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_SUM, dgmi_nn_op_square(tape, p->s));
    dgmi_nn_node *all = sum_blocks(tape, dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, degrees, sizes),
                                   state->starts, state->graphs);
    dgmi_nn_node *shares =
        dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, p->pooled_trace, add_number(tape, all, 1e-15F));
    return dgmi_nn_op_scale(tape, -1, mean(tape, shares, state->graphs));
}

/* |S'S / |S'S| - I / sqrt K|, of which the square is 2 - 2 tr S'S / (sqrt K |S'S|). */
static dgmi_nn_node *orthogonality_loss(dgmi_pool_pass *pass, const dgmi_pool_state *state,
                                        const partition *p) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_node *norms = add_number(tape, dgmi_nn_op_root(tape, p->square_norm2), 1e-15F);
    dgmi_nn_node *cosine = dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, p->square_trace, norms);
    float factor = -2 / sqrtf((float)p->s->value.columns);
    dgmi_nn_node *square = add_number(tape, dgmi_nn_op_scale(tape, factor, cosine), 2);
    square = dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, square); /* rounding may go below 0 */
    return mean(tape, dgmi_nn_op_root(tape, square), state->graphs);
}

/* The pooled graph loses its diagonal, and its rows are divided by the roots of their sums. */
static void zero_diagonal(dgmi_pool_pass *pass, const partition *p, int64_t graphs,
                          dgmi_nn_node **matrix, dgmi_nn_node **scale) {
    dgmi_nn_tape *tape = pass->tape;
    int64_t side = p->s->value.columns;
    *matrix =
        dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, p->pooled, diagonal(tape, graphs, side, 0, 1));
    dgmi_nn_node *sums = dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_SUM, *matrix);
    *scale = dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, dgmi_pool_constant(tape, 1, 1, 1),
                                dgmi_nn_op_root(tape, add_number(tape, sums, 1e-15F)));
}

void dgmi_pool_mincut(dgmi_pool_pass *pass, dgmi_pool_state *state) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_pool_gate *gate = &pass->network->gate[state->level];
    dgmi_nn_node *s =
        dgmi_nn_op_product(tape, state->x, false, dgmi_pool_weight(pass, gate->weight), false);
    s = dgmi_nn_op_softmax(tape, dgmi_nn_op_bias(tape, s, dgmi_pool_weight(pass, gate->bias)));
    if (!s)
        return;
    partition p = measure(pass, state, s);
    dgmi_nn_node *matrix, *scale;
    dgmi_pool_add_loss(pass, cut_loss(pass, state, &p));
    dgmi_pool_add_loss(pass, orthogonality_loss(pass, state, &p));
    zero_diagonal(pass, &p, state->graphs, &matrix, &scale);
    dgmi_pool_state_coarsen(pass, state, s, matrix, scale);
}

/* ---- DiffPool (Ying and others, 2018) ---- */

/* |A|^2 of each graph: of a sparse one by its entries. */
static dgmi_nn_node *adjacency_norm2(dgmi_pool_pass *pass, const dgmi_pool_state *state) {
    dgmi_nn_tape *tape = pass->tape;
    if (state->matrix)
        return sum_blocks(tape, dgmi_nn_op_square(tape, state->matrix), state->starts,
                          state->graphs);
    const dgmi_table_csr *a = &state->adjacency->matrix;
    float *norms = dgmi_nn_tape_memory(tape, state->graphs, sizeof *norms);
    for (int64_t g = 0; norms && g < state->graphs; g++) {
        double sum = 0;
        for (int64_t e = a->offsets[state->starts[g]]; e < a->offsets[state->starts[g + 1]]; e++)
            sum += a->values ? (double)a->values[e] * (double)a->values[e] : 1;
        norms[g] = (float)sum;
    }
    return norms ? dgmi_nn_tape_constant(tape, state->graphs, 1, norms) : NULL;
}

/* |A - SS'| / n^2, of which the square of the norm is |A|^2 - 2 tr S'AS + |S'S|^2. */
static dgmi_nn_node *link_loss(dgmi_pool_pass *pass, const dgmi_pool_state *state,
                               const partition *p) {
    dgmi_nn_tape *tape = pass->tape;
    float *sizes = dgmi_nn_tape_memory(tape, state->graphs, sizeof *sizes);
    for (int64_t g = 0; sizes && g < state->graphs; g++) {
        float nodes = (float)(state->starts[g + 1] - state->starts[g]);
        sizes[g] = nodes > 0 ? 1 / (nodes * nodes) : 0;
    }
    if (!sizes)
        return NULL;
    dgmi_nn_node *square = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, adjacency_norm2(pass, state),
                                              dgmi_nn_op_scale(tape, -2, p->pooled_trace));
    square = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, square, p->square_norm2);
    square = dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, square); /* rounding may go below 0 */
    dgmi_nn_node *norms = dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, dgmi_nn_op_root(tape, square),
                                             dgmi_nn_tape_constant(tape, state->graphs, 1, sizes));
    return mean(tape, norms, state->graphs);
}

/* The mean over nodes of the entropy of their rows of S. */
static dgmi_nn_node *entropy_loss(dgmi_nn_tape *tape, dgmi_nn_node *s) {
    dgmi_nn_node *logs = dgmi_nn_op_log(tape, add_number(tape, s, 1e-15F));
    dgmi_nn_node *sum = dgmi_nn_op_sum(tape, dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, s, logs));
    int64_t nodes = s->value.rows;
    return dgmi_nn_op_scale(tape, nodes > 0 ? -1 / (float)nodes : 0, sum);
}

/* S = softmax(P x w + b) of the state before the layers of the level. At level 0 `before` is P x w
 * already, since x is sparse there. */
void dgmi_pool_diffpool(dgmi_pool_pass *pass, dgmi_pool_state *state, dgmi_nn_node *before) {
    dgmi_nn_tape *tape = pass->tape;
    const dgmi_pool_gate *gate = &pass->network->gate[state->level];
    dgmi_nn_node *s = before;
    if (state->level > 0)
        s = dgmi_pool_propagate(
            pass, state,
            dgmi_nn_op_product(tape, s, false, dgmi_pool_weight(pass, gate->weight), false));
    s = dgmi_nn_op_softmax(tape, dgmi_nn_op_bias(tape, s, dgmi_pool_weight(pass, gate->bias)));
    if (!s)
        return;
    partition p = measure(pass, state, s);
    dgmi_pool_add_loss(pass, link_loss(pass, state, &p));
    dgmi_pool_add_loss(pass, entropy_loss(tape, s));
    dgmi_pool_state_coarsen(pass, state, s, p.pooled, NULL);
}
