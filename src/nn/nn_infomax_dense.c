/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax from the input of its last layer on, Y = ELU(X W + b). What a node
 * of the shuffled graph adds to the loss and to its slopes depends on nobody but s, so its row of Y
 * is made, judged and taken back while it is in the cache, and never stored; the graph's own rows
 * wait for the mean and for the slope that comes back through it. */
#include <math.h>
#include <string.h>

#include "base_parallel.h"
#include "nn_infomax.h"

enum { INPUT, WEIGHT, BIAS, DISCRIMINATOR, DISCRIMINATOR_BIAS, INPUTS };
enum { PANEL = DGMI_BLOCK_PANEL, MOST_GROUPS = 16, BLOCK_ROWS = 60, TILE_ROWS = 6 };

/* What the rows of a group add up to, by themselves, so that threads change no bit. */
typedef struct group_sums {
    double loss, offset;          /* offset: d loss / d discriminator's bias */
    float *values;                /* sums of Y over the graph's nodes */
    float *direction_slopes;      /* d loss / d W s */
    float *bias_slopes, *weights; /* d loss / d b, d loss / d W (depth x padded) */
} group_sums;

typedef struct dense_state {
    dgmi_tape *tape;
    const dgmi_kernels *kernels;
    int64_t nodes, depth, width;
    int64_t panels, padded; /* of the width */
    int64_t padded_depth;
    int64_t groups, group_rows;
    float *packed; /* W by panels of columns: depth x PANEL each */
    float *turned; /* W' : padded x padded_depth */
    float *bias;   /* padded with zeros, as are all below */
    float *summary, *direction;
    float *direction_slopes, *everywhere; /* as in nn_infomax.c */
    float *y;                             /* of the graph's nodes, block after block */
    float *judged;                        /* d loss / d scores of the graph's nodes */
    float *input_slopes;                  /* d loss / d X */
    float *room;                          /* a block of Y and one of d X for each thread */
    group_sums *sums;
    bool *spent; /* Y has given way to its slopes */
} dense_state;

static const float *input_values(const dgmi_node *node, int input) {
    return node->inputs[input]->value.values;
}

static int64_t room_of_thread(const dense_state *state) {
    return BLOCK_ROWS * (state->padded + state->padded_depth);
}

/* ---- blocks of rows ---- */

/* Rows [begin, begin + block.rows) of one graph: 0 the graph, 1 the shuffled one. */
typedef struct rows_of {
    const dense_state *state;
    const dgmi_node *node;
    group_sums *sums;
    int64_t begin;
    int graph;
    bool first; /* of the group */
    dgmi_block block;
    float *slopes; /* room for d X of the block, where rows are no whole panels */
} rows_of;

static const float *input_row(const rows_of *at) {
    return input_values(at->node, INPUT) + (2 * at->begin + at->graph) * at->state->depth;
}

/* A panel of the block's columns alone. */
static dgmi_block panel_of(const rows_of *at, int64_t panel) {
    return (dgmi_block){at->block.rows, 1, at->block.y + panel * at->block.rows * PANEL};
}

/* Y = ELU(X W + b), panel by panel while it is in the first cache */
static void embed_rows(const rows_of *at, float *sums) {
    const dense_state *state = at->state;
    for (int64_t p = 0; p < state->panels; p++) {
        const dgmi_block panel = panel_of(at, p);
        const dgmi_tile tile = {.rows = panel.rows,
                                .depth = state->depth,
                                .columns = PANEL,
                                .a = input_row(at),
                                .a_row = 2 * state->depth,
                                .a_step = 1,
                                .b = state->packed + p * state->depth * PANEL,
                                .b_stride = PANEL,
                                .c = panel.y,
                                .c_stride = PANEL};
        state->kernels->tile_product(&tile);
        state->kernels->block_elu(&panel, state->bias + p * PANEL, sums ? sums + p * PANEL : NULL);
    }
}

/* max(x, 0) - x t + log(1 + exp(-|x|)), its slope sigmoid(x) - t, and what that means for W s. */
static void judge_rows(const rows_of *at, float *slopes) {
    const dense_state *state = at->state;
    double offset = (double)input_values(at->node, DISCRIMINATOR_BIAS)[0];
    double target = at->graph == 0, count = 2 * (double)state->nodes, product = 1;
    state->kernels->block_scores(&at->block, state->direction, slopes);
    for (int64_t i = 0; i < at->block.rows; i++) {
        double x = slopes[i] + offset, e = exp(-fabs(x));
        double slope = ((x > 0 ? 1 : e) / (1 + e) - target) / count;
        at->sums->loss += fmax(x, 0) - x * target;
        product *= 1 + e; /* at most 2^BLOCK_ROWS: one logarithm does for all */
        at->sums->offset += slope;
        slopes[i] = (float)slope;
    }
    at->sums->loss += log(product);
    state->kernels->block_sums(&at->block, slopes, at->sums->direction_slopes);
}

/* dW += X' dZ, from the shuffled graph's first rows on */
static void add_weight_slopes(const rows_of *at, int64_t p) {
    const dense_state *state = at->state;
    const dgmi_block panel = panel_of(at, p);
    const dgmi_tile tile = {.rows = state->depth,
                            .depth = panel.rows,
                            .columns = PANEL,
                            .a = input_row(at),
                            .a_row = 1,
                            .a_step = 2 * state->depth,
                            .b = panel.y,
                            .b_stride = PANEL,
                            .c = at->sums->weights + p * state->depth * PANEL,
                            .c_stride = PANEL,
                            .add = !at->first};
    state->kernels->tile_product(&tile);
}

/* dX (+)= dZ W', and panel p of `ahead` is asked for. */
static void add_input_slopes(const rows_of *at, int64_t p, const float *ahead) {
    const dense_state *state = at->state;
    const dgmi_block panel = panel_of(at, p);
    bool whole = state->depth == state->padded_depth;
    float *to = state->input_slopes + (2 * at->begin + at->graph) * state->depth;
    const dgmi_tile tile = {.rows = panel.rows,
                            .depth = PANEL,
                            .columns = state->padded_depth,
                            .a = panel.y,
                            .a_row = PANEL,
                            .a_step = 1,
                            .b = state->turned + p * PANEL * state->padded_depth,
                            .b_stride = state->padded_depth,
                            .c = whole ? to : at->slopes,
                            .c_stride = whole ? 2 * state->depth : state->padded_depth,
                            .add = p > 0,
                            .ahead = ahead + p * panel.rows * PANEL,
                            .ahead_bytes = panel.rows * PANEL * (int64_t)sizeof(float)};
    state->kernels->tile_product(&tile);
    for (int64_t i = 0; !whole && p + 1 == state->panels && i < panel.rows; i++)
        memcpy(to + 2 * i * state->depth, at->slopes + i * state->padded_depth,
               (size_t)state->depth * sizeof *to);
}

/* Y gives way to dZ. `ahead`: a block of Y as long as this one that is wanted soon. */
static void descend_rows(const rows_of *at, const float *judged, const float *everywhere,
                         const float *ahead) {
    const dense_state *state = at->state;
    for (int64_t p = 0; p < state->panels; p++) {
        const dgmi_block panel = panel_of(at, p);
        state->kernels->block_backward(&panel, judged, state->direction + p * PANEL,
                                       everywhere ? everywhere + p * PANEL : NULL,
                                       at->sums->bias_slopes + p * PANEL);
        add_weight_slopes(at, p);
        add_input_slopes(at, p, ahead);
    }
}

/* ---- passes over groups ---- */

typedef void (*rows_fn)(rows_of *at, float *own_y);

/* The group's blocks one after the other, about as long as each other and of whole tiles. own_y: a
 * block of Y that is not kept. */
static void over_blocks(const dgmi_node *node, int64_t group, int thread, rows_fn body) {
    const dense_state *state = node->state;
    int64_t begin, end;
    dgmi_chunk(state->nodes, state->group_rows, group, &begin, &end);
    int64_t blocks = dgmi_chunks(end - begin, BLOCK_ROWS);
    int64_t rows = dgmi_chunks(dgmi_chunks(end - begin, blocks), TILE_ROWS) * TILE_ROWS;
    float *room = state->room + thread * room_of_thread(state);
    for (int64_t row = begin; row < end; row += rows) {
        rows_of at = {.state = state,
                      .node = node,
                      .sums = &state->sums[group],
                      .begin = row,
                      .first = row == begin,
                      .block = {.rows = end - row < rows ? end - row : rows,
                                .panels = state->panels,
                                .y = state->y + row * state->padded},
                      .slopes = room + BLOCK_ROWS * state->padded};
        body(&at, room);
    }
}

static void embed_block(rows_of *at, float *own_y) {
    (void)own_y;
    embed_rows(at, at->sums->values);
}

/* The shuffled graph's rows first: the others come from afar meanwhile. */
static void judge_block(rows_of *at, float *own_y) {
    float judged[BLOCK_ROWS], *y = at->block.y;
    at->graph = 1;
    at->block.y = own_y;
    embed_rows(at, NULL);
    judge_rows(at, judged);
    if (at->node->wants_gradient)
        descend_rows(at, judged, NULL, y);
    at->graph = 0;
    at->block.y = y;
    judge_rows(at, at->state->judged + at->begin);
}

/* The next panel is asked for, not the next block. */
static void descend_block(rows_of *at, float *own_y) {
    (void)own_y;
    bool last = at->begin + at->block.rows == at->state->nodes;
    at->first = false;
    descend_rows(at, at->state->judged + at->begin, at->state->everywhere,
                 at->block.y + (last ? 0 : at->block.rows * PANEL));
}

static void embed_group(void *argument, int64_t group, int thread) {
    over_blocks(argument, group, thread, embed_block);
}

static void judge_group(void *argument, int64_t group, int thread) {
    over_blocks(argument, group, thread, judge_block);
}

static void descend_group(void *argument, int64_t group, int thread) {
    over_blocks(argument, group, thread, descend_block);
}

/* ---- forward ---- */

/* W by panels of columns, and turned; zeros where there is none. */
static void pack_panel(void *argument, int64_t panel, int thread) {
    (void)thread;
    const dgmi_node *node = argument;
    const dense_state *state = node->state;
    const float *weight = input_values(node, WEIGHT) + panel * PANEL;
    float *packed = state->packed + panel * state->depth * PANEL;
    float *turned = state->turned + panel * PANEL * state->padded_depth;
    int64_t left = state->width - panel * PANEL, columns = left < PANEL ? left : PANEL;
    for (int64_t k = 0; k < state->depth; k++)
        for (int64_t j = 0; j < PANEL; j++)
            packed[k * PANEL + j] = j < columns ? weight[k * state->width + j] : 0;
    for (int64_t j = 0; j < PANEL; j++)
        for (int64_t k = 0; k < state->padded_depth; k++)
            turned[j * state->padded_depth + k] = k < state->depth ? packed[k * PANEL + j] : 0;
}

static void multiply(const dense_state *state, bool transpose, const dgmi_tensor *a,
                     const dgmi_tensor *b, bool add, dgmi_tensor *c) {
    const dgmi_product product = {transpose, false, add, a, b, c};
    state->kernels->product(dgmi_tape_context(state->tape), &product);
}

/* s = sigmoid(mean of Y) */
static void summarise(const dense_state *state) {
    for (int64_t j = 0; j < state->width; j++) {
        double sum = 0;
        for (int64_t g = 0; g < state->groups; g++)
            sum += state->sums[g].values[j];
        state->summary[j] = (float)(1 / (1 + exp(-sum / (double)state->nodes)));
    }
}

static void run_forward(dgmi_node *node) {
    const dense_state *state = node->state;
    dgm_context *ctx = dgmi_tape_context(state->tape);
    const dgmi_tensor summary = {state->width, 1, state->summary};
    dgmi_tensor direction = {state->width, 1, state->direction};
    double loss = 0;
    memcpy(state->bias, input_values(node, BIAS), (size_t)state->width * sizeof *state->bias);
    dgmi_parallel(ctx, state->panels, pack_panel, node);
    dgmi_parallel(ctx, state->groups, embed_group, node);
    summarise(state);
    multiply(state, false, &node->inputs[DISCRIMINATOR]->value, &summary, false, &direction);
    dgmi_parallel(ctx, state->groups, judge_group, node);
    for (int64_t g = 0; g < state->groups; g++)
        loss += state->sums[g].loss;
    node->value.values[0] = (float)(loss / (2 * (double)state->nodes));
}

/* ---- backward: the slopes of the loss itself, times `slope` when they are handed out ---- */

/* Through W s: dW = d direction s', ds = W' d direction, and on through sigmoid and mean. */
static void descend_summary(dgmi_node *node, float slope) {
    const dense_state *state = node->state;
    const dgmi_tensor slopes = {state->width, 1, state->direction_slopes};
    const dgmi_tensor summary = {1, state->width, state->summary};
    dgmi_tensor back = {state->width, 1, state->everywhere};
    bool add;
    for (int64_t j = 0; j < state->width; j++) {
        double sum = 0;
        for (int64_t g = 0; g < state->groups; g++)
            sum += state->sums[g].direction_slopes[j];
        state->direction_slopes[j] = (float)sum;
    }
    multiply(state, true, &node->inputs[DISCRIMINATOR]->value, &slopes, false, &back);
    for (int64_t j = 0; j < state->width; j++)
        state->everywhere[j] *= state->summary[j] * (1 - state->summary[j]) / (float)state->nodes;
    dgmi_tensor *discriminator = dgmi_node_gradient(state->tape, node, DISCRIMINATOR, &add);
    for (int64_t j = 0; discriminator && j < state->width; j++)
        state->direction_slopes[j] *= slope;
    if (discriminator)
        multiply(state, false, &slopes, &summary, add, discriminator);
}

typedef struct handover {
    const dense_state *state;
    dgmi_tensor *weight;
    bool add;
    float slope;
} handover;

/* A panel of dW: the groups' one after the other. */
static void hand_weight_panel(void *argument, int64_t panel, int thread) {
    (void)thread;
    const handover *task = argument;
    const dense_state *state = task->state;
    int64_t left = state->width - panel * PANEL, columns = left < PANEL ? left : PANEL;
    for (int64_t k = 0; k < state->depth; k++) {
        float sums[PANEL] = {0}, *to = task->weight->values + k * state->width + panel * PANEL;
        for (int64_t g = 0; g < state->groups; g++) {
            const float *from = state->sums[g].weights + (panel * state->depth + k) * PANEL;
            for (int64_t j = 0; j < PANEL; j++)
                sums[j] += from[j];
        }
        for (int64_t j = 0; j < columns; j++)
            to[j] = sums[j] * task->slope + (task->add ? to[j] : 0);
    }
}

static void hand_weight(dgmi_node *node, float slope) {
    const dense_state *state = node->state;
    handover task = {.state = state, .slope = slope};
    task.weight = dgmi_node_gradient(state->tape, node, WEIGHT, &task.add);
    if (task.weight)
        dgmi_parallel(dgmi_tape_context(state->tape), state->panels, hand_weight_panel, &task);
}

static void hand_vectors(dgmi_node *node, float slope) {
    const dense_state *state = node->state;
    bool add;
    dgmi_tensor *bias = dgmi_node_gradient(state->tape, node, BIAS, &add);
    for (int64_t j = 0; bias && j < state->width; j++) {
        double sum = 0;
        for (int64_t g = 0; g < state->groups; g++)
            sum += state->sums[g].bias_slopes[j];
        bias->values[j] = (float)(sum * slope + (add ? bias->values[j] : 0));
    }
    dgmi_tensor *offset = dgmi_node_gradient(state->tape, node, DISCRIMINATOR_BIAS, &add);
    double sum = 0;
    for (int64_t g = 0; g < state->groups; g++)
        sum += state->sums[g].offset;
    if (offset)
        offset->values[0] = (float)(sum * slope + (add ? offset->values[0] : 0));
}

/* The input takes over our memory where it has none of its own yet. */
static void hand_input(dgmi_node *node, float slope) {
    const dense_state *state = node->state;
    dgmi_node *input = node->inputs[INPUT];
    bool add;
    if (input->wants_gradient && !input->gradient.values)
        input->gradient.values = state->input_slopes;
    dgmi_tensor *dx = dgmi_node_gradient(state->tape, node, INPUT, &add);
    if (dx && (dx->values != state->input_slopes || slope != 1))
        state->kernels->axpy(dgmi_tape_context(state->tape), slope, dgmi_tensor_count(dx),
                             state->input_slopes, add, dx->values);
}

static void dense_backward(dgmi_tape *tape, dgmi_node *node) {
    const dense_state *state = node->state;
    float slope = node->gradient.values[0];
    if (*state->spent) {
        dgmi_tape_fail(tape, "infomax: it can be differentiated only once");
        return;
    }
    *state->spent = true;
    descend_summary(node, slope);
    dgmi_parallel(dgmi_tape_context(tape), state->groups, descend_group, node);
    hand_weight(node, slope);
    hand_vectors(node, slope);
    hand_input(node, slope);
}

static const dgmi_op dense_op = {"infomax", dense_backward};

/* ---- building ---- */

static float *zeros(dgmi_tape *tape, int64_t count) {
    float *made = dgmi_tape_memory(tape, count, sizeof *made);
    if (made)
        memset(made, 0, (size_t)count * sizeof *made);
    return made;
}

static void take_sums(dense_state *state) {
    dgmi_tape *tape = state->tape;
    state->sums = dgmi_tape_memory(tape, state->groups, sizeof *state->sums);
    for (int64_t g = 0; state->sums && g < state->groups; g++)
        state->sums[g] = (group_sums){
            .values = zeros(tape, state->padded),
            .direction_slopes = zeros(tape, state->padded),
            .bias_slopes = zeros(tape, state->padded),
            .weights = dgmi_tape_memory(tape, state->depth * state->padded, sizeof(float))};
}

static void take_memory(dense_state *state) {
    dgmi_tape *tape = state->tape;
    int threads = dgm_context_threads(dgmi_tape_context(tape));
    int64_t used = threads < state->groups ? threads : state->groups;
    state->packed = dgmi_tape_memory(tape, state->depth * state->padded, sizeof(float));
    state->turned = dgmi_tape_memory(tape, state->padded_depth * state->padded, sizeof(float));
    state->bias = zeros(tape, state->padded);
    state->summary = zeros(tape, state->padded);
    state->direction = zeros(tape, state->padded);
    state->direction_slopes = zeros(tape, state->padded);
    state->everywhere = zeros(tape, state->padded);
    state->y = dgmi_tape_memory(tape, state->nodes * state->padded, sizeof(float));
    state->judged = dgmi_tape_memory(tape, state->nodes, sizeof(float));
    state->input_slopes = dgmi_tape_memory(tape, 2 * state->nodes * state->depth, sizeof(float));
    state->room = dgmi_tape_memory(tape, used * room_of_thread(state), sizeof(float));
    take_sums(state);
    state->spent = dgmi_tape_memory(tape, 1, sizeof *state->spent);
}

static int64_t whole_panels(int64_t columns) {
    return dgmi_chunks(columns, PANEL) * PANEL;
}

static bool inputs_fit(dgmi_tape *tape, const dgmi_infomax_dense *infomax) {
    if (!infomax->input || !infomax->weight)
        return false;
    const dgmi_tensor *x = &infomax->input->value, *weight = &infomax->weight->value;
    if (x->rows < 2 || x->rows % 2)
        dgmi_tape_fail(tape, "infomax: %lld rows are no pairs", (long long)x->rows);
    else if (x->columns != weight->rows)
        dgmi_tape_fail(tape, "infomax: %lld columns meet %lld rows", (long long)x->columns,
                       (long long)weight->rows);
    return dgmi_tape_status(tape) == DGM_OK;
}

dgmi_node *dgmi_op_infomax_dense(dgmi_tape *tape, const dgmi_infomax_dense *infomax) {
    dgmi_node *const inputs[INPUTS] = {
        [INPUT] = infomax->input,
        [WEIGHT] = infomax->weight,
        [BIAS] = infomax->bias,
        [DISCRIMINATOR] = infomax->discriminator,
        [DISCRIMINATOR_BIAS] = infomax->discriminator_bias,
    };
    if (!inputs_fit(tape, infomax))
        return NULL;
    dgmi_node *node = dgmi_tape_node(tape, &dense_op, 1, 1, INPUTS, inputs);
    dense_state *state = node ? dgmi_tape_memory(tape, 1, sizeof *state) : NULL;
    if (!state)
        return NULL;
    *state = (dense_state){.tape = tape,
                           .kernels = dgmi_tape_kernels(tape),
                           .nodes = infomax->input->value.rows / 2,
                           .depth = infomax->weight->value.rows,
                           .width = infomax->weight->value.columns};
    state->padded = whole_panels(state->width);
    state->panels = state->padded / PANEL;
    state->padded_depth = whole_panels(state->depth);
    state->group_rows = dgmi_chunks(state->nodes, MOST_GROUPS);
    state->groups = dgmi_chunks(state->nodes, state->group_rows);
    node->state = state;
    take_memory(state);
    if (dgmi_tape_status(tape) != DGM_OK)
        return NULL;
    *state->spent = false;
    run_forward(node);
    return node;
}
