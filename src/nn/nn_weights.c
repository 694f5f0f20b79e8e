/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the weights of a network in one block, and changes them by Adam or SGD. */
#include "nn_weights.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { LINE = 64, LINE_FLOATS = LINE / (int)sizeof(float), WEIGHT_STREAM = 0x57, SMALL = 1 << 16 };

dgm_status dgmi_nn_weights_add(dgm_context *ctx, dgmi_nn_weights *weights, dgmi_nn_weight weight) {
    dgmi_nn_weight *list =
        dgmi_realloc(ctx, weights->list, weights->count + 1, sizeof *weights->list);
    if (!list)
        return DGM_ERROR_MEMORY;
    weights->allocator = ctx->allocator;
    weights->list = list;
    int64_t size;
    if (__builtin_mul_overflow(weight.rows, weight.columns, &size) ||
        size > INT64_MAX / 64 - weights->total)
        return dgmi_fail(ctx, DGM_ERROR_MEMORY, "a layer of %lld x %lld weights is too large",
                         (long long)weight.rows, (long long)weight.columns);
    assert(weight.rows > 0 && weight.columns > 0 && weights->total % LINE_FLOATS == 0);
    weight.at = weights->total;
    weights->total += (size + LINE_FLOATS - 1) / LINE_FLOATS * LINE_FLOATS;
    weights->list[weights->count++] = weight;
    return DGM_OK;
}

/* `blocks` blocks of zeros, each as long as the weights. */
static float *aligned_zeros(dgm_context *ctx, int64_t total, int blocks, void **owned) {
    *owned = dgmi_alloc_zero(ctx, total * blocks + LINE_FLOATS, sizeof(float));
    if (!*owned)
        return NULL;
    char *start = *owned;
    return (void *)(start + (LINE - (uintptr_t)start % LINE) % LINE);
}

dgm_status dgmi_nn_weights_finish(dgm_context *ctx, dgmi_nn_weights *weights) {
    weights->values = aligned_zeros(ctx, weights->total, 1, &weights->owned);
    return weights->values ? DGM_OK : DGM_ERROR_MEMORY;
}

void dgmi_nn_weights_free(dgmi_nn_weights *weights) {
    dgmi_allocator_free(&weights->allocator, weights->owned);
    dgmi_allocator_free(&weights->allocator, weights->list);
    *weights = (dgmi_nn_weights){.allocator = weights->allocator};
}

void dgmi_nn_weights_draw(dgmi_nn_weights *weights, int index, double fans, int64_t seed) {
    assert(index >= 0 && index < weights->count && fans > 0);
    const dgmi_nn_weight *weight = &weights->list[index];
    double bound = sqrt(6 / fans);
    float *values = dgmi_nn_weights_at(weights, index);
    uint64_t stream = (uint64_t)WEIGHT_STREAM << 32 | (uint64_t)index;
    for (int64_t i = 0; i < weight->rows * weight->columns; i++)
        values[i] =
            (float)(bound * (2 * dgmi_random_unit((uint64_t)seed, stream, (uint64_t)i) - 1));
}

void dgmi_nn_weights_fill(dgmi_nn_weights *weights, int index, float value) {
    assert(index >= 0 && index < weights->count);
    const dgmi_nn_weight *weight = &weights->list[index];
    float *values = dgmi_nn_weights_at(weights, index);
    for (int64_t i = 0; i < weight->rows * weight->columns; i++)
        values[i] = value;
}

/* ---- optimisers ---- */

dgm_status dgmi_nn_optimiser_make(dgm_context *ctx, const dgmi_nn_weights *weights,
                                  const dgmi_nn_optimiser_options *options,
                                  dgmi_nn_optimiser *out) {
    *out = (dgmi_nn_optimiser){
        .options = *options, .kernels = dgmi_kernels_find(NULL), .total = weights->total};
    out->gradient = aligned_zeros(ctx, weights->total, 3, &out->owned);
    if (!out->gradient)
        return DGM_ERROR_MEMORY;
    out->first = out->gradient + weights->total;
    out->second = out->first + weights->total;
    return DGM_OK;
}

void dgmi_nn_optimiser_free(dgm_context *ctx, dgmi_nn_optimiser *optimiser) {
    dgmi_free(ctx, optimiser->owned);
    optimiser->owned = NULL;
}

void dgmi_nn_optimiser_reset(dgmi_nn_optimiser *optimiser) {
    memset(optimiser->gradient, 0, (size_t)optimiser->total * 3 * sizeof(float));
    optimiser->steps = 0;
}

static void descend_plainly(const dgmi_nn_optimiser *optimiser, const dgmi_nn_weight *weight,
                            float *values) {
    const dgmi_nn_optimiser_options *options = &optimiser->options;
    const float *gradient = optimiser->gradient + weight->at;
    assert(weight->at + weight->rows * weight->columns <= optimiser->total);
    float *velocity = optimiser->first + weight->at;
    float decay = weight->decays ? (float)options->decay : 0, rate = (float)options->rate;
    float momentum = (float)options->momentum;
    for (int64_t i = 0; i < weight->rows * weight->columns; i++) {
        float slope = gradient[i] + (options->decoupled ? 0 : decay * values[i]);
        velocity[i] = momentum * velocity[i] + slope;
        values[i] -= rate * (velocity[i] + (options->decoupled ? decay * values[i] : 0));
    }
}

static bool is_small(const dgmi_nn_weight *weight) {
    return weight->rows * weight->columns < SMALL;
}

/* A weight large enough for several threads is by itself: each of them then has the rows that it
 * had in the products before. Padding stays 0. */
static void descend_by_adam(dgm_context *ctx, const dgmi_nn_optimiser *optimiser, bool decays,
                            int64_t begin, int64_t end, float *values) {
    const dgmi_nn_optimiser_options *options = &optimiser->options;
    float decay = decays ? (float)options->decay : 0;
    assert(optimiser->steps > 0 && 0 <= begin && begin <= end && end <= optimiser->total);
    const dgmi_kernels_adam_step step = {
        .rate = (float)options->rate,
        .beta1 = 0.9F,
        .beta2 = 0.999F,
        .epsilon = 1e-8F,
        .correction1 = (float)(1 - pow(0.9, (double)optimiser->steps)),
        .correction2 = (float)(1 - pow(0.999, (double)optimiser->steps)),
        .decay = options->decoupled ? 0 : decay,
        .shrink = options->decoupled ? decay : 0,
    };
    optimiser->kernels->adam(ctx, &step, end - begin, optimiser->gradient + begin, values + begin,
                             optimiser->first + begin, optimiser->second + begin);
}

void dgmi_nn_optimiser_step(dgm_context *ctx, dgmi_nn_optimiser *optimiser,
                            dgmi_nn_weights *weights) {
    optimiser->steps++;
    for (int k = 0, next; k < weights->count; k = next) {
        next = k + 1;
        if (optimiser->options.descent == DGMI_NN_SGD) {
            descend_plainly(optimiser, &weights->list[k], dgmi_nn_weights_at(weights, k));
            continue;
        }
        while (next < weights->count && is_small(&weights->list[next]) &&
               (optimiser->options.decay == 0 ||
                weights->list[next].decays == weights->list[k].decays))
            next++;
        int64_t end = next < weights->count ? weights->list[next].at : weights->total;
        descend_by_adam(ctx, optimiser, weights->list[k].decays, weights->list[k].at, end,
                        weights->values);
    }
}

dgmi_nn_node *dgmi_nn_weight_node(dgmi_nn_tape *tape, const dgmi_nn_weights *weights, int index,
                                  const dgmi_nn_optimiser *optimiser) {
    const dgmi_nn_weight *weight = &weights->list[index];
    float *values = dgmi_nn_weights_at(weights, index);
    if (!optimiser)
        return dgmi_nn_tape_constant(tape, weight->rows, weight->columns, values);
    return dgmi_nn_tape_weight(tape, weight->rows, weight->columns, values,
                               optimiser->gradient + weight->at);
}
