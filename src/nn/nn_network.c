/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a network from layers, and runs its forward pass on a tape. */
#include "nn_network.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "nn_pairs.h"
#include "nn_reach.h"

/* ---- building ---- */

dgm_status dgmi_nn_model_create(dgm_context *ctx, dgm_model_kind kind, dgm_model **out) {
    *out = dgmi_alloc_zero(ctx, 1, sizeof **out);
    if (!*out)
        return DGM_ERROR_MEMORY;
    dgm_model *model = *out;
    model->allocator = ctx->allocator;
    model->weights.allocator = ctx->allocator;
    model->kind = kind;
    model->scale = 1;
    model->discriminator = model->discriminator_bias = -1;
    model->column_shift = model->column_scale = -1;
    return DGM_OK;
}

void dgm_model_free(dgm_model *model) {
    if (!model)
        return;
    dgmi_nn_weights_free(&model->weights);
    dgmi_allocator_free(&model->allocator, model->class_numbers);
    dgmi_allocator_free(&model->allocator, model->history);
    dgmi_allocator_free(&model->allocator, model);
}

const dgm_training_epoch *dgm_model_history(const dgm_model *model, int64_t *count) {
    *count = model->history_count;
    return model->history;
}

bool dgm_model_weight_at(const dgm_model *model, int64_t index, dgm_model_weight *out) {
    if (index < 0 || index >= model->weights.count)
        return false;
    const dgmi_nn_weight *weight = &model->weights.list[index];
    *out = (dgm_model_weight){.name = weight->name,
                              .rows = weight->rows,
                              .columns = weight->columns,
                              .vector = weight->vector,
                              .transpose = weight->transpose,
                              .values = dgmi_nn_weights_at(&model->weights, (int)index)};
    return true;
}

dgm_status dgmi_nn_model_number_classes(dgm_context *ctx, dgm_model *model) {
    int64_t width = dgm_model_width(model);
    model->class_numbers = dgmi_alloc(ctx, width, sizeof *model->class_numbers);
    return model->class_numbers ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_nn_model_sizes(dgm_context *ctx, const char *hidden, int64_t *sizes, int *count) {
    const char *at = hidden;
    for (*count = 0; *count < DGMI_NN_MOST_LAYERS - 1;) {
        char *end;
        long long size = *at >= '0' && *at <= '9' ? strtoll(at, &end, 10) : 0;
        if (size < 1 || size > 65536 || (*end != '-' && *end != '\0'))
            break;
        sizes[(*count)++] = size;
        if (*end == '\0')
            return DGM_OK;
        at = end + 1;
    }
    return dgmi_fail(
        ctx, DGM_ERROR_USAGE,
        "hidden sizes are 1 to %d numbers from 1 to 65536 joined by '-', such as 16 or "
        "32-64-128, not '%s'",
        DGMI_NN_MOST_LAYERS - 1, hidden);
}

/* Adds a weight called "<prefix><number><suffix>" and returns its index, -1 on failure. */
static int add_weight(dgm_context *ctx, dgm_model *model, const char *prefix, int number,
                      const char *suffix, dgmi_nn_weight weight) {
    if (number > 0)
        snprintf(weight.name, sizeof weight.name, "%s%d%s", prefix, number, suffix);
    else
        snprintf(weight.name, sizeof weight.name, "%s%s", prefix, suffix);
    if (dgmi_nn_weights_add(ctx, &model->weights, weight) != DGM_OK)
        return -1;
    return model->weights.count - 1;
}

dgm_status dgmi_nn_model_add_layer(dgm_context *ctx, dgm_model *model, dgmi_nn_layer layer,
                                   bool decays) {
    int number = model->layer_count + 1;
    const char *prefix = layer.convolution ? "conv" : "lin";
    const char *suffix = layer.convolution ? ".lin.weight" : ".weight";
    int shown = layer.convolution ? number : 0;
    layer.bias = layer.slope = -1;
    layer.weight = add_weight(
        ctx, model, prefix, shown, suffix,
        (dgmi_nn_weight){
            .rows = layer.in, .columns = layer.out, .decays = decays, .transpose = true});
    if (layer.weight >= 0)
        layer.bias = add_weight(
            ctx, model, prefix, shown, ".bias",
            (dgmi_nn_weight){.rows = 1, .columns = layer.out, .decays = decays, .vector = true});
    if (layer.bias < 0)
        return DGM_ERROR_MEMORY;
    if (layer.activation == DGMI_NN_ACTIVATION_PRELU) {
        layer.slope = add_weight(ctx, model, "prelu", number, ".weight",
                                 (dgmi_nn_weight){.rows = 1, .columns = 1, .vector = true});
        if (layer.slope < 0)
            return DGM_ERROR_MEMORY;
    }
    model->layers[model->layer_count++] = layer;
    return DGM_OK;
}

dgm_status dgmi_nn_model_add_discriminator(dgm_context *ctx, dgm_model *model) {
    int64_t width = model->layers[model->layer_count - 1].out;
    model->discriminator = add_weight(ctx, model, "discriminator", 0, ".weight",
                                      (dgmi_nn_weight){.rows = width, .columns = width});
    if (model->discriminator >= 0)
        model->discriminator_bias =
            add_weight(ctx, model, "discriminator", 0, ".bias",
                       (dgmi_nn_weight){.rows = 1, .columns = 1, .vector = true});
    return model->discriminator_bias >= 0 ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_nn_model_add_columns(dgm_context *ctx, dgm_model *model) {
    const dgmi_nn_weight columns = {.rows = 1, .columns = model->layers[0].in, .vector = true};
    model->column_shift = add_weight(ctx, model, "features", 0, ".shift", columns);
    if (model->column_shift >= 0)
        model->column_scale = add_weight(ctx, model, "features", 0, ".scale", columns);
    return model->column_scale >= 0 ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_nn_model_finish(dgm_context *ctx, dgm_model *model, int64_t seed) {
    assert(model->layer_count > 0 && !model->weights.values);
    if (dgmi_nn_weights_finish(ctx, &model->weights) != DGM_OK)
        return DGM_ERROR_MEMORY;
    for (int l = 0; l < model->layer_count; l++) {
        const dgmi_nn_layer *layer = &model->layers[l];
        dgmi_nn_weights_draw(&model->weights, layer->weight, (double)(layer->in + layer->out),
                             seed);
        if (layer->slope >= 0)
            dgmi_nn_weights_fill(&model->weights, layer->slope, 0.25F);
    }
    if (model->discriminator >= 0) {
        /* It starts near 0, as a bilinear form of 1 x n x n numbers does that is drawn by Glorot's
         * rule (Deep Graph Infomax): nothing is believed at first. */
        double width = (double)model->weights.list[model->discriminator].rows;
        dgmi_nn_weights_draw(&model->weights, model->discriminator, width * (width + 1), seed);
    }
    return DGM_OK;
}

/* ---- seeing ---- */

dgm_status dgmi_nn_sight_read(dgm_context *ctx, const dgm_graph *graph,
                              const dgmi_nn_reading *reading, dgmi_nn_sight *out) {
    *out = (dgmi_nn_sight){0};
    dgm_status status = dgmi_nn_features_read(ctx, graph, reading, &out->features);
    if (status == DGM_OK)
        status = dgmi_nn_propagation_make(ctx, graph, &out->propagation);
    if (status != DGM_OK)
        dgmi_nn_sight_free(ctx, out);
    return status;
}

dgm_status dgmi_nn_sight_make(dgm_context *ctx, const dgm_graph *graph, int features,
                              bool normalise, dgmi_nn_sight *out) {
    const dgmi_nn_reading reading = {
        .kind = features, .scaling = normalise ? DGMI_NN_SCALE_ROWS : DGMI_NN_SCALE_NONE};
    return dgmi_nn_sight_read(ctx, graph, &reading, out);
}

dgmi_nn_reading dgmi_nn_model_reading(const dgm_model *model) {
    dgmi_nn_reading reading = {.kind = model->features, .scaling = model->normalise};
    if (model->column_scale >= 0) {
        reading.columns = model->layers[0].in;
        reading.shift = dgmi_nn_weights_at(&model->weights, model->column_shift);
        reading.scale = dgmi_nn_weights_at(&model->weights, model->column_scale);
    }
    return reading;
}

void dgmi_nn_model_reads(dgm_model *model, const dgmi_nn_reading *reading,
                         const dgmi_nn_features *features) {
    bool rows = reading->scaling == DGMI_NN_SCALE_ROWS;
    model->features = features->kind;
    model->normalise = rows ? DGMI_NN_SCALE_ROWS : features->scaling;
}

void dgmi_nn_model_remember(dgm_model *model, const dgmi_nn_features *features) {
    if (model->column_scale < 0)
        return;
    size_t bytes = (size_t)features->width * sizeof(float);
    memcpy(dgmi_nn_weights_at(&model->weights, model->column_shift), features->shift, bytes);
    memcpy(dgmi_nn_weights_at(&model->weights, model->column_scale), features->scale, bytes);
}

void dgmi_nn_model_settle(dgm_model *model, const dgmi_nn_features *features) {
    const dgmi_nn_layer *first = &model->layers[0];
    float *weight = dgmi_nn_weights_at(&model->weights, first->weight);
    for (int64_t i = 0; features->factor != 1 && i < first->in * first->out; i++)
        weight[i] *= features->factor;
}

void dgmi_nn_sight_free(dgm_context *ctx, dgmi_nn_sight *sight) {
    dgmi_nn_features_free(ctx, &sight->features);
    dgmi_nn_propagation_free(ctx, &sight->propagation);
}

/* ---- running ---- */

uint64_t dgmi_nn_pass_stream(const dgmi_nn_pass *pass, int layer) {
    return pass->epoch * DGMI_NN_MOST_LAYERS + (uint64_t)layer;
}

static dgmi_nn_drop layer_drop(const dgmi_nn_pass *pass, int l) {
    float p = pass->optimiser ? pass->model->layers[l].dropout : 0;
    return (dgmi_nn_drop){p, pass->seed, dgmi_nn_pass_stream(pass, l)};
}

/* Bias and activation of layer l over its product, in place where nothing reads the value before.
 */
static dgmi_nn_node *finish_layer(const dgmi_nn_pass *pass, int l, dgmi_nn_node *product) {
    assert(l >= 0 && l < pass->model->layer_count);
    assert(!product || product->value.columns == pass->model->layers[l].out);
    const dgmi_nn_layer *layer = &pass->model->layers[l];
    const dgmi_nn_weights *weights = &pass->model->weights;
    dgmi_nn_node *bias = dgmi_nn_weight_node(pass->tape, weights, layer->bias, pass->optimiser);
    dgmi_nn_node *sum = dgmi_nn_op_bias_over(pass->tape, product, bias);
    switch (layer->activation) {
    case DGMI_NN_ACTIVATION_NONE:
        return sum;
    case DGMI_NN_ACTIVATION_RELU:
        return dgmi_nn_op_apply_over(pass->tape, DGMI_KERNELS_RELU, sum);
    case DGMI_NN_ACTIVATION_ELU:
        return dgmi_nn_op_apply_over(pass->tape, DGMI_KERNELS_ELU, sum);
    case DGMI_NN_ACTIVATION_PRELU:
        return dgmi_nn_op_prelu(
            pass->tape, sum,
            dgmi_nn_weight_node(pass->tape, weights, layer->slope, pass->optimiser));
    }
    return NULL;
}

static dgmi_nn_node *run_layer(const dgmi_nn_pass *pass, int l, dgmi_nn_input x) {
    const dgmi_nn_layer *layer = &pass->model->layers[l];
    const dgmi_nn_sparse *propagation = &pass->sight->propagation;
    if (pass->reach && pass->reach->restricted[l])
        propagation = &pass->reach->propagation[l];
    dgmi_nn_node *weight =
        dgmi_nn_weight_node(pass->tape, &pass->model->weights, layer->weight, pass->optimiser);
    dgmi_nn_node *product =
        layer->convolution
            ? dgmi_nn_layer_convolve(pass->tape, propagation, x, layer_drop(pass, l), weight)
            : dgmi_nn_layer_linear(pass->tape, x, layer_drop(pass, l), weight);
    return finish_layer(pass, l, product);
}

static dgmi_nn_node *run_layers_from(const dgmi_nn_pass *pass, int l, dgmi_nn_node *node) {
    for (; node && l < pass->model->layer_count; l++)
        node = run_layer(pass, l, (dgmi_nn_input){.node = node});
    return node;
}

dgmi_nn_node *dgmi_nn_pass_run(const dgmi_nn_pass *pass) {
    bool restricted = pass->reach && pass->reach->restricts_features;
    const dgmi_nn_features *features = restricted ? &pass->reach->features : &pass->sight->features;
    dgmi_nn_node *first = run_layer(pass, 0, (dgmi_nn_input){.features = features});
    return run_layers_from(pass, 1, first);
}

dgmi_nn_node *dgmi_nn_pass_first(const dgmi_nn_pass *pass) {
    dgmi_nn_node *weight = dgmi_nn_weight_node(pass->tape, &pass->model->weights,
                                               pass->model->layers[0].weight, pass->optimiser);
    return dgmi_nn_layer_linear(pass->tape, (dgmi_nn_input){.features = &pass->sight->features},
                                layer_drop(pass, 0), weight);
}

dgmi_nn_node *dgmi_nn_pass_rest(const dgmi_nn_pass *pass, dgmi_nn_node *first) {
    dgmi_nn_node *gathered =
        dgmi_nn_op_sparse_product(pass->tape, &pass->sight->propagation, NULL, first);
    return run_layers_from(pass, 1, finish_layer(pass, 0, gathered));
}

/* P x for both graphs: a pair's rows, side by side, are one row of twice the columns. */
static dgmi_nn_node *gather_pairs(const dgmi_nn_pass *pass, dgmi_nn_node *x) {
    if (!x)
        return NULL;
    int64_t rows = x->value.rows, columns = x->value.columns;
    dgmi_nn_node *wide = dgmi_nn_op_reshape(pass->tape, x, rows / 2, 2 * columns);
    wide = dgmi_nn_op_sparse_product(pass->tape, &pass->sight->propagation, NULL, wide);
    return dgmi_nn_op_reshape(pass->tape, wide, rows, columns);
}

/* The layer as one op, where there is one that does it; weight NULL: x has been multiplied. */
static dgmi_nn_node *fused_pairs(const dgmi_nn_pass *pass, int l, dgmi_nn_node *x,
                                 dgmi_nn_node *weight) {
    const dgmi_nn_layer *layer = &pass->model->layers[l];
    if (!x || layer->activation != DGMI_NN_ACTIVATION_ELU ||
        !dgmi_nn_pairs_fit(&x->value, weight ? &weight->value : NULL))
        return NULL;
    dgmi_nn_node *bias =
        dgmi_nn_weight_node(pass->tape, &pass->model->weights, layer->bias, pass->optimiser);
    return dgmi_nn_op_pairs(pass->tape, &pass->sight->propagation, x, weight, bias);
}

static dgmi_nn_node *run_pairs(const dgmi_nn_pass *pass, int l, dgmi_nn_node *x) {
    dgmi_nn_node *weight = dgmi_nn_weight_node(pass->tape, &pass->model->weights,
                                               pass->model->layers[l].weight, pass->optimiser);
    if (!weight)
        return NULL;
    bool gathers = dgmi_nn_layer_gathers_first(&pass->sight->propagation.matrix, &weight->value);
    dgmi_nn_node *fused = gathers ? fused_pairs(pass, l, x, weight) : NULL;
    if (fused || dgmi_nn_tape_status(pass->tape) != DGM_OK)
        return fused;
    if (gathers)
        x = gather_pairs(pass, x);
    x = dgmi_nn_op_product(pass->tape, x, false, weight, false);
    if (!gathers)
        x = gather_pairs(pass, x);
    return finish_layer(pass, l, x);
}

dgmi_nn_node *dgmi_nn_pass_pairs(const dgmi_nn_pass *pass, dgmi_nn_node *first) {
    dgmi_nn_node *node = fused_pairs(pass, 0, first, NULL);
    if (!node)
        node = finish_layer(pass, 0, gather_pairs(pass, first));
    for (int l = 1; node && l + 1 < pass->model->layer_count; l++)
        node = run_pairs(pass, l, node);
    return gather_pairs(pass, node);
}
