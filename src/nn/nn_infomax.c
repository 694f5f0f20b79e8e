/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax with one convolution and PReLU, as one fused op. */
#include "nn_infomax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_parallel.h"

enum { SLAB = 64 };
enum { WEIGHT, BIAS, SLOPE, DISCRIMINATOR, DISCRIMINATOR_BIAS, INPUTS };

/* H is the graph's half, H' the shuffled one's; Z and Z' are both before PReLU, slab by slab. */
typedef struct infomax_state {
    dgmi_nn_tape *tape;
    const dgmi_nn_sparse *features, *propagation;
    dgmi_table_csr shuffled, shuffled_back; /* P with shuffled columns, and its transpose */
    int64_t nodes, width, slabs;
    float slope;
    float *z, *shuffled_z;
    float *product;          /* X W of a slab, one per thread */
    float *summary;          /* s */
    float *direction;        /* W s */
    float *scores;           /* of both halves */
    float *partial_scores;   /* likewise, by slab */
    float *weights;          /* d loss / d scores */
    float *everywhere;       /* d loss / d h through the mean, the same for all nodes */
    float *direction_slopes; /* d loss / d direction */
    double *slope_slopes;    /* by slab */
    bool *spent;             /* Z has given way to dZ */
} infomax_state;

static int64_t slab_width(const infomax_state *state, int64_t slab) {
    assert(0 <= slab && slab < state->slabs);
    int64_t left = state->width - slab * SLAB;
    return left < SLAB ? left : SLAB;
}

static dgmi_kernels_slab slab_of(const infomax_state *state, float *z, int64_t slab) {
    return (dgmi_kernels_slab){state->nodes, slab_width(state, slab), state->slope,
                               z + slab * SLAB * state->nodes};
}

static const float *input_values(const dgmi_nn_node *node, int input) {
    return node->inputs[input]->value.values;
}

/* ---- the other graph ---- */

/* Row i of `matrix` is row rows[i] of `from` (NULL: i), its columns renamed by `columns`
 * (likewise). */
static void rename_entries(const dgmi_table_csr *from, const uint32_t *rows,
                           const uint32_t *columns, int64_t *offsets, uint32_t *indices,
                           float *values) {
    int64_t at = 0;
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t row = rows ? rows[i] : i;
        offsets[i] = at;
        for (int64_t e = from->offsets[row]; e < from->offsets[row + 1]; e++, at++) {
            indices[at] = columns ? columns[from->indices[e]] : from->indices[e];
            values[at] = from->values[e];
        }
    }
    offsets[from->rows] = at;
    assert(at == dgmi_table_csr_entries(from));
}

static dgm_status rename_matrix(dgmi_nn_tape *tape, const dgmi_table_csr *from,
                                const uint32_t *rows, const uint32_t *columns,
                                dgmi_table_csr *out) {
    int64_t entries = dgmi_table_csr_entries(from);
    int64_t *offsets = dgmi_nn_tape_memory(tape, from->rows + 1, sizeof *offsets);
    uint32_t *indices = dgmi_nn_tape_memory(tape, entries, sizeof *indices);
    float *values = dgmi_nn_tape_memory(tape, entries, sizeof *values);
    if (!values)
        return dgmi_nn_tape_status(tape);
    rename_entries(from, rows, columns, offsets, indices, values);
    *out = (dgmi_table_csr){from->rows, from->columns, offsets, indices, values};
    return DGM_OK;
}

/* ---- forward ---- */

/* Z = P X W + b and Z' = P' X W + b of a slab, and the mean of its columns of H. */
static void embed_slab(void *argument, int64_t slab, int thread) {
    const dgmi_nn_node *node = argument;
    const infomax_state *state = node->state;
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(state->tape);
    int64_t nodes = state->nodes, columns = slab_width(state, slab), first = slab * SLAB;
    const float *bias = input_values(node, BIAS) + first;
    float *product = state->product + thread * nodes * SLAB;
    const dgmi_kernels_slab z = slab_of(state, state->z, slab);
    const dgmi_kernels_slab other = slab_of(state, state->shuffled_z, slab);
    kernels->csr_rows(&state->features->matrix, 0, nodes, input_values(node, WEIGHT) + first,
                      state->width, columns, false, product, columns);
    for (int64_t i = 0; i < nodes; i++) {
        memcpy(z.z + i * columns, bias, (size_t)columns * sizeof *bias);
        memcpy(other.z + i * columns, bias, (size_t)columns * sizeof *bias);
    }
    kernels->csr_rows(&state->propagation->matrix, 0, nodes, product, columns, columns, true, z.z,
                      columns);
    kernels->csr_rows(&state->shuffled, 0, nodes, product, columns, columns, true, other.z,
                      columns);
    kernels->slab_sums(&z, NULL, false, state->summary + first);
    for (int64_t j = first; j < first + columns; j++)
        state->summary[j] = (float)(1 / (1 + exp(-state->summary[j] / (double)nodes)));
}

static void score_slab(void *argument, int64_t slab, int thread) {
    (void)thread;
    const dgmi_nn_node *node = argument;
    const infomax_state *state = node->state;
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(state->tape);
    const dgmi_kernels_slab z = slab_of(state, state->z, slab);
    const dgmi_kernels_slab other = slab_of(state, state->shuffled_z, slab);
    float *scores = state->partial_scores + slab * 2 * state->nodes;
    kernels->slab_scores(&z, state->direction + slab * SLAB, scores);
    kernels->slab_scores(&other, state->direction + slab * SLAB, scores + state->nodes);
}

/* max(x, 0) - x t + log(1 + exp(-|x|)), and its slope sigmoid(x) - t, over both halves. */
static double judge_scores(const infomax_state *state, float bias) {
    int64_t count = 2 * state->nodes;
    double loss = 0;
    for (int64_t i = 0; i < count; i++) {
        double x = bias, target = i < state->nodes ? 1 : 0;
        for (int64_t p = 0; p < state->slabs; p++)
            x += state->partial_scores[p * count + i];
        double e = exp(-fabs(x));
        loss += fmax(x, 0) - x * target + log1p(e);
        state->weights[i] = (float)(((x > 0 ? 1 : e) / (1 + e) - target) / (double)count);
    }
    return loss / (double)count;
}

static void multiply(const infomax_state *state, bool transpose, const dgmi_table_tensor *a,
                     const dgmi_table_tensor *b, bool add, dgmi_table_tensor *c) {
    const dgmi_kernels_product product = {transpose, false, add, a, b, c};
    dgmi_nn_tape_kernels(state->tape)->product(dgmi_nn_tape_context(state->tape), &product);
}

static void run_forward(dgmi_nn_node *node) {
    const infomax_state *state = node->state;
    dgm_context *ctx = dgmi_nn_tape_context(state->tape);
    const dgmi_table_tensor summary = {state->width, 1, state->summary};
    dgmi_table_tensor direction = {state->width, 1, state->direction};
    dgmi_parallel(ctx, state->slabs, embed_slab, node);
    multiply(state, false, &node->inputs[DISCRIMINATOR]->value, &summary, false, &direction);
    dgmi_parallel(ctx, state->slabs, score_slab, node);
    node->value.values[0] = (float)judge_scores(state, input_values(node, DISCRIMINATOR_BIAS)[0]);
}

/* ---- backward ---- */

static void direction_slab(void *argument, int64_t slab, int thread) {
    (void)thread;
    const dgmi_nn_node *node = argument;
    const infomax_state *state = node->state;
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(state->tape);
    const dgmi_kernels_slab z = slab_of(state, state->z, slab);
    const dgmi_kernels_slab other = slab_of(state, state->shuffled_z, slab);
    float *slopes = state->direction_slopes + slab * SLAB;
    kernels->slab_sums(&z, state->weights, false, slopes);
    kernels->slab_sums(&other, state->weights + state->nodes, true, slopes);
}

typedef struct descent {
    const dgmi_nn_node *node;
    float *weight_slopes, *bias_slopes; /* NULL: not wanted */
    bool add, add_bias;
} descent;

/* dZ, dZ', then d(X W) = P^T dZ + P'^T dZ' and dW = X^T d(X W) of a slab. */
static void descend_slab(void *argument, int64_t slab, int thread) {
    const descent *task = argument;
    const infomax_state *state = task->node->state;
    const dgmi_kernels *kernels = dgmi_nn_tape_kernels(state->tape);
    int64_t nodes = state->nodes, columns = slab_width(state, slab), first = slab * SLAB;
    const dgmi_kernels_slab z = slab_of(state, state->z, slab);
    const dgmi_kernels_slab other = slab_of(state, state->shuffled_z, slab);
    const float *direction = state->direction + first;
    float *product = state->product + thread * nodes * SLAB;
    float sums[SLAB] = {0};
    state->slope_slopes[slab] =
        kernels->slab_backward(&z, state->weights, direction, state->everywhere + first, sums) +
        kernels->slab_backward(&other, state->weights + nodes, direction, NULL, sums);
    for (int64_t j = 0; task->bias_slopes && j < columns; j++)
        task->bias_slopes[first + j] =
            (task->add_bias ? task->bias_slopes[first + j] : 0) + sums[j];
    if (!task->weight_slopes)
        return;
    kernels->csr_rows(&state->propagation->transpose, 0, nodes, z.z, columns, columns, false,
                      product, columns);
    kernels->csr_rows(&state->shuffled_back, 0, nodes, other.z, columns, columns, true, product,
                      columns);
    kernels->csr_rows(&state->features->transpose, 0, state->features->transpose.rows, product,
                      columns, columns, task->add, task->weight_slopes + first, state->width);
}

/* Through W s: dW = d direction s^T, ds = W^T d direction, and on through sigmoid and mean. */
static void descend_summary(dgmi_nn_node *node, float *everywhere) {
    const infomax_state *state = node->state;
    bool add;
    const dgmi_table_tensor slopes = {state->width, 1, state->direction_slopes};
    const dgmi_table_tensor summary = {1, state->width, state->summary};
    dgmi_table_tensor back = {state->width, 1, everywhere};
    dgmi_table_tensor *discriminator =
        dgmi_nn_node_gradient(state->tape, node, DISCRIMINATOR, &add);
    if (discriminator)
        multiply(state, false, &slopes, &summary, add, discriminator);
    multiply(state, true, &node->inputs[DISCRIMINATOR]->value, &slopes, false, &back);
    for (int64_t j = 0; j < state->width; j++)
        everywhere[j] *= state->summary[j] * (1 - state->summary[j]) / (float)state->nodes;
}

static void add_number(dgmi_nn_tape *tape, dgmi_nn_node *node, int input, double slope) {
    bool add;
    dgmi_table_tensor *gradient = dgmi_nn_node_gradient(tape, node, input, &add);
    if (gradient)
        gradient->values[0] = (float)(slope + (add ? gradient->values[0] : 0));
}

static void infomax_backward(dgmi_nn_tape *tape, dgmi_nn_node *node) {
    const infomax_state *state = node->state;
    dgm_context *ctx = dgmi_nn_tape_context(tape);
    double bias = 0, slope = 0;
    descent task = {.node = node};
    if (*state->spent) {
        dgmi_nn_tape_fail(tape, "infomax: it can be differentiated only once");
        return;
    }
    *state->spent = true;
    assert(node->gradient.values); /* the loss has been asked for */
    for (int64_t i = 0; i < 2 * state->nodes; i++) {
        state->weights[i] *= node->gradient.values[0];
        bias += state->weights[i];
    }
    dgmi_parallel(ctx, state->slabs, direction_slab, node);
    descend_summary(node, state->everywhere);
    dgmi_table_tensor *weight = dgmi_nn_node_gradient(tape, node, WEIGHT, &task.add);
    dgmi_table_tensor *offset = dgmi_nn_node_gradient(tape, node, BIAS, &task.add_bias);
    if (dgmi_nn_tape_status(tape) != DGM_OK)
        return;
    task.weight_slopes = weight ? weight->values : NULL;
    task.bias_slopes = offset ? offset->values : NULL;
    dgmi_parallel(ctx, state->slabs, descend_slab, &task);
    for (int64_t p = 0; p < state->slabs; p++)
        slope += state->slope_slopes[p];
    add_number(tape, node, SLOPE, slope);
    add_number(tape, node, DISCRIMINATOR_BIAS, bias);
}

static const dgmi_nn_op infomax_op = {"infomax", infomax_backward};

/* ---- building ---- */

static void take_memory(infomax_state *state) {
    dgmi_nn_tape *tape = state->tape;
    int threads = dgm_context_threads(dgmi_nn_tape_context(tape));
    int64_t half = state->slabs * SLAB * state->nodes, padded = state->slabs * SLAB;
    int64_t used = threads < state->slabs ? threads : state->slabs;
    state->z = dgmi_nn_tape_memory(tape, half, sizeof(float));
    state->shuffled_z = dgmi_nn_tape_memory(tape, half, sizeof(float));
    state->product = dgmi_nn_tape_memory(tape, used * state->nodes * SLAB, sizeof(float));
    state->summary = dgmi_nn_tape_memory(tape, padded, sizeof(float));
    state->direction = dgmi_nn_tape_memory(tape, padded, sizeof(float));
    state->everywhere = dgmi_nn_tape_memory(tape, padded, sizeof(float));
    state->direction_slopes = dgmi_nn_tape_memory(tape, padded, sizeof(float));
    state->partial_scores =
        dgmi_nn_tape_memory(tape, state->slabs * 2 * state->nodes, sizeof(float));
    state->weights = dgmi_nn_tape_memory(tape, 2 * state->nodes, sizeof(float));
    state->slope_slopes = dgmi_nn_tape_memory(tape, state->slabs, sizeof(double));
    state->spent = dgmi_nn_tape_memory(tape, 1, sizeof *state->spent);
}

dgmi_nn_node *dgmi_nn_op_infomax(dgmi_nn_tape *tape, const dgmi_nn_infomax *infomax) {
    dgmi_nn_node *const inputs[INPUTS] = {
        [WEIGHT] = infomax->weight,
        [BIAS] = infomax->bias,
        [SLOPE] = infomax->slope,
        [DISCRIMINATOR] = infomax->discriminator,
        [DISCRIMINATOR_BIAS] = infomax->discriminator_bias,
    };
    dgmi_nn_node *node = dgmi_nn_tape_node(tape, &infomax_op, 1, 1, INPUTS, inputs);
    infomax_state *state = node ? dgmi_nn_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    const dgmi_table_csr *propagation = &infomax->propagation->matrix;
    *state = (infomax_state){.tape = tape,
                             .features = infomax->features,
                             .propagation = infomax->propagation,
                             .nodes = propagation->rows,
                             .width = infomax->weight->value.columns,
                             .slope = infomax->slope->value.values[0]};
    state->slabs = dgmi_chunks(state->width, SLAB);
    assert(infomax->features->matrix.rows == state->nodes);
    assert(infomax->features->matrix.columns == infomax->weight->value.rows);
    assert(infomax->discriminator->value.rows == state->width &&
           infomax->discriminator->value.columns == state->width);
    assert(infomax->bias->value.columns == state->width);
    node->state = state;
    take_memory(state);
    rename_matrix(tape, propagation, NULL, infomax->shuffle, &state->shuffled);
    rename_matrix(tape, &infomax->propagation->transpose, infomax->inverse, NULL,
                  &state->shuffled_back);
    if (dgmi_nn_tape_status(tape) != DGM_OK)
        return NULL;
    *state->spent = false;
    run_forward(node);
    return node;
}
