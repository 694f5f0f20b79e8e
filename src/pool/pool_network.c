/* SPDX-License-Identifier: Apache-2.0 */
/* The network that classifies graphs: its weights and its forward pass. */
#include "pool_network.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_memory.h"

/* ---- weights ---- */

static dgm_status add_weight(dgm_context *ctx, dgmi_pool_network *network, const char *name, int a,
                             int b, int64_t rows, int64_t columns, int *index) {
    dgmi_nn_weight weight = {.rows = rows, .columns = columns, .decays = true};
    snprintf(weight.name, sizeof weight.name, name, a, b);
    *index = network->weights.count;
    return dgmi_nn_weights_add(ctx, &network->weights, weight);
}

static dgm_status add_layer(dgm_context *ctx, dgmi_pool_network *network, int level, int layer,
                            int64_t in) {
    const dgmi_pool_design *design = &network->design;
    dgmi_pool_layer *to = &network->layer[level][layer];
    int64_t out = design->width;
    *to = (dgmi_pool_layer){-1, -1, -1, -1, -1};
    dgm_status status =
        add_weight(ctx, network, "level%d.layer%d.weight", level, layer, in, out, &to->weight);
    if (status == DGM_OK && !design->skip)
        status = add_weight(ctx, network, "level%d.layer%d.bias", level, layer, 1, out, &to->bias);
    if (status == DGM_OK && design->skip)
        status = add_weight(ctx, network, "level%d.layer%d.skip", level, layer, in, out, &to->skip);
    if (status != DGM_OK || design->net != DGM_NET_GIN)
        return status;
    status = add_weight(ctx, network, "level%d.layer%d.second.weight", level, layer, out, out,
                        &to->second);
    return status == DGM_OK ? add_weight(ctx, network, "level%d.layer%d.second.bias", level, layer,
                                         1, out, &to->second_bias)
                            : status;
}

/* The weights of a learned lens: two axes, or one, and the cover. */
static dgm_status add_lens(dgm_context *ctx, dgmi_pool_network *network, int step) {
    dgmi_pool_gate *gate = &network->gate[step];
    int64_t width = network->design.width, cells = network->design.clusters[step];
    dgm_status status =
        add_weight(ctx, network, "pool%d.lens.weight", step, 0, width, 1, &gate->weight);
    if (status == DGM_OK)
        status = add_weight(ctx, network, "pool%d.lens.bias", step, 0, 1, 1, &gate->bias);
    if (status == DGM_OK)
        status =
            add_weight(ctx, network, "pool%d.cover.centres", step, 0, 1, cells, &gate->centres);
    if (status == DGM_OK)
        status =
            add_weight(ctx, network, "pool%d.cover.spreads", step, 0, 1, cells, &gate->spreads);
    if (status != DGM_OK || network->design.request->options.axes == 1)
        return status;
    status = add_weight(ctx, network, "pool%d.lens2.weight", step, 0, width, 1, &gate->weight2);
    if (status == DGM_OK)
        status = add_weight(ctx, network, "pool%d.lens2.bias", step, 0, 1, 1, &gate->bias2);
    return status == DGM_OK ? add_weight(ctx, network, "pool%d.cover2.centres", step, 0, 1, cells,
                                         &gate->centres2)
                            : status;
}

/* A penalty on large weights would draw the cells to 0, and a frozen cover away from where it starts;
 * the frozen lens is 0 and stays there. */
static void spare_cover(dgmi_pool_network *network, const dgmi_pool_gate *gate) {
    network->weights.list[gate->centres].decays = false;
    network->weights.list[gate->spreads].decays = false;
    if (gate->centres2 >= 0)
        network->weights.list[gate->centres2].decays = false;
}

/* `in` is the width before the layers of the level, from which DiffPool makes its assignment. */
static dgm_status add_gate(dgm_context *ctx, dgmi_pool_network *network, int step, int64_t in) {
    const dgmi_pool_design *design = &network->design;
    dgmi_pool_gate *gate = &network->gate[step];
    int method = design->request->options.method;
    int64_t rows = method == DGM_POOL_DIFFPOOL ? in : design->width;
    int64_t columns = design->request->family == DGMI_POOL_SELECT ? 1 : design->clusters[step];
    *gate = (dgmi_pool_gate){-1, -1, -1, -1, -1, -1, -1};
    if (design->request->family == DGMI_POOL_FIXED)
        return DGM_OK;
    if (dgmi_pool_learns_lens(design->request)) {
        dgm_status status = add_lens(ctx, network, step);
        if (status == DGM_OK)
            spare_cover(network, gate);
        return status;
    }
    dgm_status status =
        add_weight(ctx, network, "pool%d.weight", step, 0, rows, columns, &gate->weight);
    if (status != DGM_OK || method == DGM_POOL_TOPK)
        return status;
    return add_weight(ctx, network, "pool%d.bias", step, 0, 1, columns, &gate->bias);
}

static dgm_status add_weights(dgm_context *ctx, dgmi_pool_network *network) {
    const dgmi_pool_design *design = &network->design;
    int64_t in = design->features;
    dgm_status status = DGM_OK;
    for (int l = 0; status == DGM_OK && l <= design->steps; l++) {
        int64_t before = in;
        for (int k = 0; status == DGM_OK && k < design->layers; k++) {
            status = add_layer(ctx, network, l, k, in);
            in = design->width;
        }
        if (status == DGM_OK && l < design->steps)
            status = add_gate(ctx, network, l, before);
    }
    if (status == DGM_OK)
        status =
            add_weight(ctx, network, "linear.weight", 0, 0, in, design->classes, &network->weight);
    if (status == DGM_OK)
        status = add_weight(ctx, network, "linear.bias", 0, 0, 1, design->classes, &network->bias);
    return status == DGM_OK ? dgmi_nn_weights_finish(ctx, &network->weights) : status;
}

/* Cells of equal distances whose spread is half of it; the lens starts at PageRank alone. On the
 * second axis centres lie to both sides of 1/2, where all nodes are. */
static void start_lens(dgmi_pool_network *network, int step) {
    const dgmi_pool_gate *gate = &network->gate[step];
    dgmi_nn_weights *weights = &network->weights;
    int64_t cells = network->design.clusters[step];
    dgmi_nn_weights_fill(weights, gate->weight, 0);
    for (int64_t k = 0; k < cells; k++) {
        dgmi_nn_weights_at(weights, gate->centres)[k] = ((float)k + 0.5F) / (float)cells;
        dgmi_nn_weights_at(weights, gate->spreads)[k] = logf(0.5F / (float)cells);
        if (gate->centres2 >= 0)
            dgmi_nn_weights_at(weights, gate->centres2)[k] = k % 2 ? 0.75F : 0.25F;
    }
    if (gate->weight2 >= 0)
        dgmi_nn_weights_fill(weights, gate->weight2, 0);
}

/* Matrices by the rule of Glorot and Bengio (2010), biases 0. */
static void draw_weights(dgmi_pool_network *network) {
    dgmi_nn_weights *weights = &network->weights;
    for (int i = 0; i < weights->count; i++) {
        const dgmi_nn_weight *weight = &weights->list[i];
        const char *end = strrchr(weight->name, '.');
        if (strcmp(end, ".bias") != 0)
            dgmi_nn_weights_draw(weights, i, (double)(weight->rows + weight->columns),
                                 network->design.seed);
    }
    if (dgmi_pool_learns_lens(network->design.request))
        for (int l = 0; l < network->design.steps; l++)
            start_lens(network, l);
}

dgm_status dgmi_pool_network_make(dgm_context *ctx, const dgmi_pool_design *design,
                                  dgmi_pool_network *out) {
    assert(design->steps <= DGMI_POOL_MOST_STEPS && design->layers <= DGMI_POOL_MOST_LAYERS);
    *out = (dgmi_pool_network){.design = *design};
    dgm_status status = add_weights(ctx, out);
    if (status == DGM_OK)
        draw_weights(out);
    else
        dgmi_pool_network_free(out);
    return status;
}

void dgmi_pool_network_free(dgmi_pool_network *network) {
    dgmi_nn_weights_free(&network->weights);
}

dgmi_nn_node *dgmi_pool_weight(const dgmi_pool_pass *pass, int index) {
    assert(index >= 0);
    return dgmi_nn_weight_node(pass->tape, &pass->network->weights, index, pass->optimiser);
}

void dgmi_pool_add_loss(dgmi_pool_pass *pass, dgmi_nn_node *loss) {
    pass->losses[pass->loss_count++] = loss;
    pass->extra =
        pass->extra ? dgmi_nn_op_algebra(pass->tape, DGMI_NN_ADD, pass->extra, loss) : loss;
}

/* ---- layers ---- */

dgmi_nn_node *dgmi_pool_times(const dgmi_pool_pass *pass, const dgmi_pool_state *state,
                              dgmi_nn_node *x) {
    dgmi_nn_tape *tape = pass->tape;
    if (!state->matrix)
        return state->adjacency ? dgmi_nn_op_sparse_product(tape, state->adjacency, NULL, x) : NULL;
    if (state->scale)
        x = dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, x, state->scale);
    dgmi_nn_node *product =
        dgmi_nn_op_block_product(tape, dgmi_pool_blocks(state), state->matrix, x);
    return state->scale ? dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, product, state->scale)
                        : product;
}

/* (A + I) x */
static dgmi_nn_node *gather_with_self(const dgmi_pool_pass *pass, const dgmi_pool_state *state,
                                      dgmi_nn_node *x) {
    return dgmi_nn_op_algebra(pass->tape, DGMI_NN_ADD, dgmi_pool_times(pass, state, x), x);
}

/* P x of dense graphs is s (A + I) s x with s = 1 / sqrt((A + I) 1), a column. */
static dgmi_nn_node *propagate_dense(const dgmi_pool_pass *pass, dgmi_pool_state *state,
                                     dgmi_nn_node *x) {
    dgmi_nn_tape *tape = pass->tape;
    int64_t nodes = state->starts[state->graphs];
    if (pass->network->design.net == DGM_NET_GIN)
        return gather_with_self(pass, state, x);
    if (!state->inverse) {
        dgmi_nn_node *ones = dgmi_pool_constant(tape, nodes, 1, 1);
        dgmi_nn_node *sums = gather_with_self(pass, state, ones);
        state->inverse =
            dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, ones, dgmi_nn_op_root(tape, sums));
    }
    x = dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, x, state->inverse);
    return dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, gather_with_self(pass, state, x),
                              state->inverse);
}

dgmi_nn_node *dgmi_pool_propagate(const dgmi_pool_pass *pass, dgmi_pool_state *state,
                                  dgmi_nn_node *x) {
    if (!x || pass->network->design.net == DGM_NET_MLP)
        return x;
    if (state->matrix)
        return propagate_dense(pass, state, x);
    return state->propagation ? dgmi_nn_op_sparse_product(pass->tape, state->propagation, NULL, x)
                              : NULL;
}

/* x w, where x may still be the features; with `gathered`, P x w. */
static dgmi_nn_node *multiply(const dgmi_pool_pass *pass, const dgmi_pool_batch *batch,
                              const dgmi_pool_state *state, bool gathered, int weight) {
    const dgmi_pool_bank *bank = batch->bank;
    dgmi_nn_node *w = dgmi_pool_weight(pass, weight);
    if (state->x)
        return dgmi_nn_op_product(pass->tape, state->x, false, w, false);
    bool plain = !gathered || pass->network->design.net == DGM_NET_MLP;
    const dgmi_nn_sparse *x =
        dgmi_pool_batch_features(batch, plain ? &bank->features : &bank->gathered);
    return x ? dgmi_nn_op_sparse_product(pass->tape, x, NULL, w) : NULL;
}

/* One layer: ReLU(P x w + b), or with a skip ReLU(P x w + x v). */
static void run_layer(dgmi_pool_pass *pass, const dgmi_pool_batch *batch, dgmi_pool_state *state,
                      const dgmi_pool_layer *layer) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_node *y = multiply(pass, batch, state, true, layer->weight);
    if (state->x)
        y = dgmi_pool_propagate(pass, state, y);
    if (layer->skip >= 0)
        y = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, y,
                               multiply(pass, batch, state, false, layer->skip));
    if (layer->bias >= 0)
        y = dgmi_nn_op_bias_over(tape, y, dgmi_pool_weight(pass, layer->bias));
    y = dgmi_nn_op_apply_over(tape, DGMI_KERNELS_RELU, y);
    if (layer->second >= 0) {
        y = dgmi_nn_op_product(tape, y, false, dgmi_pool_weight(pass, layer->second), false);
        y = dgmi_nn_op_bias_over(tape, y, dgmi_pool_weight(pass, layer->second_bias));
        y = dgmi_nn_op_apply_over(tape, DGMI_KERNELS_RELU, y);
    }
    state->x = y;
}

/* ---- poolings that the bank has made ---- */

/* The maximum over each graph that has nodes; one without nodes has no pooled node either. */
static dgmi_nn_node *pool_max(dgmi_pool_pass *pass, const dgmi_pool_state *state) {
    int64_t *offsets = dgmi_nn_tape_memory(pass->tape, state->graphs + 1, sizeof *offsets);
    int64_t count = 0;
    for (int64_t g = 0; offsets && g < state->graphs; g++)
        if (state->starts[g] < state->starts[g + 1])
            offsets[count++] = state->starts[g];
    if (!offsets)
        return NULL;
    offsets[count] = state->starts[state->graphs];
    return dgmi_nn_op_segments(pass->tape, DGMI_NN_FOLD_MAX, state->x, offsets, count);
}

static void pool_fixed(dgmi_pool_pass *pass, const dgmi_pool_batch *batch, dgmi_pool_state *state) {
    const dgmi_pool_design *design = &pass->network->design;
    int level = state->level++;
    if (design->request->options.method == DGM_POOL_NONE)
        return;
    if (design->request->options.method == DGM_POOL_MAX) {
        state->x = pool_max(pass, state);
    } else {
        const dgmi_nn_sparse *down = dgmi_pool_batch_down(batch, level);
        state->x = down ? dgmi_nn_op_sparse_product(pass->tape, down, NULL, state->x) : NULL;
    }
    state->starts = batch->starts[level + 1];
    if (design->net != DGM_NET_MLP)
        state->propagation = dgmi_pool_batch_propagation(batch, level + 1);
}

/* ---- after a learned assignment ---- */

const int64_t *dgmi_pool_equal_starts(dgmi_nn_tape *tape, int64_t graphs, int64_t side) {
    int64_t *starts = dgmi_nn_tape_memory(tape, graphs + 1, sizeof *starts);
    for (int64_t g = 0; starts && g <= graphs; g++)
        starts[g] = g * side;
    return starts;
}

void dgmi_pool_state_coarsen(dgmi_pool_pass *pass, dgmi_pool_state *state, dgmi_nn_node *s,
                             dgmi_nn_node *matrix, dgmi_nn_node *scale) {
    dgmi_nn_tape *tape = pass->tape;
    dgmi_nn_blocks blocks = dgmi_pool_blocks(state);
    pass->assignment[state->level] = s;
    if (!matrix)
        matrix = dgmi_nn_op_block_gather(tape, blocks, s, dgmi_pool_times(pass, state, s));
    dgmi_nn_node *x = dgmi_nn_op_block_gather(tape, blocks, s, state->x);
    int64_t side = s ? s->value.columns : 0;
    *state = (dgmi_pool_state){.graphs = state->graphs,
                               .starts = dgmi_pool_equal_starts(tape, state->graphs, side),
                               .x = x,
                               .level = state->level + 1,
                               .matrix = matrix,
                               .scale = scale,
                               .side = side};
}

/* ---- the whole ---- */

static void pool(dgmi_pool_pass *pass, const dgmi_pool_batch *batch, dgmi_pool_state *state,
                 dgmi_nn_node *before) {
    const dgmi_pool_request *request = pass->network->design.request;
    if (!state->x)
        return;
    if (request->family == DGMI_POOL_FIXED)
        pool_fixed(pass, batch, state);
    else if (request->family == DGMI_POOL_SELECT)
        dgmi_pool_select(pass, state);
    else if (request->options.method == DGM_POOL_MINCUT)
        dgmi_pool_mincut(pass, state);
    else if (request->options.method == DGM_POOL_DIFFPOOL)
        dgmi_pool_diffpool(pass, state, before);
    else
        dgmi_pool_learned(pass, state, batch);
}

static dgmi_pool_state begin(const dgmi_pool_pass *pass, const dgmi_pool_batch *batch) {
    const dgmi_pool_design *design = &pass->network->design;
    dgmi_pool_state state = {.graphs = batch->graphs, .starts = batch->starts[0]};
    if (design->net != DGM_NET_MLP)
        state.propagation = dgmi_pool_batch_propagation(batch, 0);
    if (design->request->family != DGMI_POOL_FIXED)
        state.adjacency = dgmi_pool_batch_adjacency(batch);
    return state;
}

dgmi_nn_node *dgmi_pool_network_run(dgmi_pool_pass *pass, const dgmi_pool_batch *batch) {
    const dgmi_pool_network *network = pass->network;
    const dgmi_pool_design *design = &network->design;
    dgmi_nn_tape *tape = pass->tape;
    dgmi_pool_state state = begin(pass, batch);
    for (int l = 0; l <= design->steps && dgmi_nn_tape_status(tape) == DGM_OK; l++) {
        dgmi_nn_node *before = state.x;
        if (!before && design->request->options.method == DGM_POOL_DIFFPOOL)
            before = multiply(pass, batch, &state, true, network->gate[0].weight);
        for (int k = 0; k < design->layers; k++)
            run_layer(pass, batch, &state, &network->layer[l][k]);
        if (l < design->steps) {
            pool(pass, batch, &state, before);
            pass->after[l] = state;
        }
    }
    pass->last = state;
    dgmi_nn_node *x = state.x;
    if (pass->optimiser)
        x = dgmi_nn_op_dropout(tape, x, design->dropout, (uint64_t)design->seed, pass->stream);
    x = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, x, state.starts, state.graphs);
    x = dgmi_nn_op_product(tape, x, false, dgmi_pool_weight(pass, network->weight), false);
    return dgmi_nn_op_bias_over(tape, x, dgmi_pool_weight(pass, network->bias));
}
