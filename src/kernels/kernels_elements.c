/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that treat every number by itself. */
#include <assert.h>
#include <math.h>

#include "base_random.h"
#include "kernels_lanes.h"
#include "kernels_maths.h"

/* Others are woken from WORTH numbers on; CURVED where each costs an exponential or a hash. */
enum { GRAIN = 1 << 14, WORTH = 1 << 17, WORTH_CURVED = 1 << 15 };

typedef struct {
    dgmi_kernels_function f;
    bool add;
    int64_t count;
    const float *x, *dy;
    float *y;
    float scale;
    uint64_t seed, stream;
    uint32_t threshold;
    const uint32_t *positions;
    int64_t columns;
    const dgmi_kernels_adam_step *step;
    float *first, *second;
} element_job;

/* tanh |x| = -e / (2 + e), e = exp(-2 |x|) - 1 */
KERNEL_INLINE lanes tanh_of(lanes x) {
    const lanes_int sign = (lanes_int)x & INT32_MIN;
    lanes e = lanes_exp_less_one((lanes)((lanes_int)(x * -2) | INT32_MIN));
    return (lanes)((lanes_int)(-e / (2 + e)) ^ sign);
}

KERNEL_INLINE lanes apply(dgmi_kernels_function f, lanes x) {
    switch (f) {
    case DGMI_KERNELS_RELU:
        return lanes_choose(x < 0, (lanes){0}, x);
    case DGMI_KERNELS_ELU:
        return lanes_elu(x);
    case DGMI_KERNELS_SIGMOID:
        return 1 / (1 + lanes_exp(-x));
    case DGMI_KERNELS_TANH:
        return tanh_of(x);
    case DGMI_KERNELS_EXP:
        return lanes_exp(x);
    }
    return x;
}

KERNEL_INLINE lanes slope(dgmi_kernels_function f, lanes y) {
    switch (f) {
    case DGMI_KERNELS_RELU:
        return lanes_choose(y > 0, lanes_all(1), (lanes){0});
    case DGMI_KERNELS_ELU:
        return lanes_elu_slope(y);
    case DGMI_KERNELS_SIGMOID:
        return y * (1 - y);
    case DGMI_KERNELS_TANH:
        return 1 - y * y;
    case DGMI_KERNELS_EXP:
        return y;
    }
    return y;
}

KERNEL_INLINE void map_range(dgmi_kernels_function f, int64_t count, const float *x, float *y) {
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        lanes_store(y + i, apply(f, lanes_load(x + i)));
    int rest = (int)(count - i);
    if (rest)
        lanes_store_some(y + i, apply(f, lanes_load_some(x + i, rest)), rest);
}

/* One loop a function, so that none chooses inside. */
static void map_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    const float *x = job->x + begin;
    float *y = job->y + begin;
    int64_t count = end - begin;
    switch (job->f) {
    case DGMI_KERNELS_RELU:
        map_range(DGMI_KERNELS_RELU, count, x, y);
        break;
    case DGMI_KERNELS_ELU:
        map_range(DGMI_KERNELS_ELU, count, x, y);
        break;
    case DGMI_KERNELS_SIGMOID:
        map_range(DGMI_KERNELS_SIGMOID, count, x, y);
        break;
    case DGMI_KERNELS_TANH:
        map_range(DGMI_KERNELS_TANH, count, x, y);
        break;
    case DGMI_KERNELS_EXP:
        map_range(DGMI_KERNELS_EXP, count, x, y);
        break;
    }
}

void KERNEL(apply)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *x,
                   float *y) {
    assert(count >= 0 && f <= DGMI_KERNELS_EXP);
    element_job job = {.f = f, .count = count, .x = x, .y = y};
    bool worth = count >= (f == DGMI_KERNELS_RELU ? WORTH : WORTH_CURVED);
    kernel_loop(ctx, worth, dgmi_chunks(count, GRAIN), map_chunk, &job);
}

KERNEL_INLINE lanes change(dgmi_kernels_function f, lanes y, lanes dy) {
    if (f == DGMI_KERNELS_RELU) /* no 0 * infinity */
        return lanes_choose(y > 0, dy, (lanes){0});
    return dy * slope(f, y);
}

KERNEL_INLINE void backward_range(dgmi_kernels_function f, bool add, int64_t count, const float *y,
                                  const float *dy, float *dx) {
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        lanes d = change(f, lanes_load(y + i), lanes_load(dy + i));
        lanes_store(dx + i, add ? d + lanes_load(dx + i) : d);
    }
    int rest = (int)(count - i);
    if (rest) {
        lanes d = change(f, lanes_load_some(y + i, rest), lanes_load_some(dy + i, rest));
        lanes_store_some(dx + i, add ? d + lanes_load_some(dx + i, rest) : d, rest);
    }
}

static void backward_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    const float *y = job->x + begin, *dy = job->dy + begin;
    float *dx = job->y + begin;
    int64_t count = end - begin;
    bool add = job->add;
    switch (job->f) {
    case DGMI_KERNELS_RELU:
        backward_range(DGMI_KERNELS_RELU, add, count, y, dy, dx);
        break;
    case DGMI_KERNELS_ELU:
        backward_range(DGMI_KERNELS_ELU, add, count, y, dy, dx);
        break;
    case DGMI_KERNELS_SIGMOID:
        backward_range(DGMI_KERNELS_SIGMOID, add, count, y, dy, dx);
        break;
    case DGMI_KERNELS_TANH:
        backward_range(DGMI_KERNELS_TANH, add, count, y, dy, dx);
        break;
    case DGMI_KERNELS_EXP:
        backward_range(DGMI_KERNELS_EXP, add, count, y, dy, dx);
        break;
    }
}

void KERNEL(apply_backward)(dgm_context *ctx, dgmi_kernels_function f, int64_t count,
                            const float *y, const float *dy, bool add, float *dx) {
    assert(!add || dx != dy); /* a sum in place would lose what is added to */
    element_job job = {.f = f, .add = add, .count = count, .x = y, .dy = dy, .y = dx};
    kernel_loop(ctx, count >= WORTH, dgmi_chunks(count, GRAIN), backward_chunk, &job);
}

/* 32 bits that look random, of a number and a key: multiplications and shifts spread every bit of
 * the number, and the second half of the key comes in between, so that no two keys are shifted
 * copies of each other. */
KERNEL_INLINE lanes_bits scramble(lanes_bits number, uint64_t key) {
    lanes_bits h = number ^ (uint32_t)key;
    h = (h ^ (h >> 16)) * 0x7feb352dU;
    h = (h ^ (h >> 15)) + (uint32_t)(key >> 32);
    h = (h ^ (h >> 14)) * 0x846ca68bU;
    return h ^ (h >> 16);
}

/* Comparing 31 bits is enough, and processors compare signed numbers. */
KERNEL_INLINE lanes drop(lanes x, lanes_bits number, uint64_t key, uint32_t threshold,
                         float scale) {
    lanes_int draw = (lanes_int)(scramble(number, key) >> 1);
    return lanes_choose(draw < (int32_t)threshold, (lanes){0}, x * scale);
}

static void dropout_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t i, end;
    dgmi_chunk(job->count, GRAIN, chunk, &i, &end);
    /* GRAIN divides 2^32, so the upper half of i is one number in a chunk. */
    uint64_t key = dgmi_random_bits(job->seed, job->stream, (uint64_t)i >> 32);
    const float *x = job->x;
    float *y = job->y, scale = job->scale;
    lanes_bits number;
    for (int lane = 0; lane < LANES; lane++)
        number[lane] = (uint32_t)(i + lane);
    for (; i + LANES <= end; i += LANES, number += LANES) {
        lanes kept = drop(lanes_load(x + i), number, key, job->threshold, scale);
        lanes_store(y + i, job->add ? kept + lanes_load(y + i) : kept);
    }
    int rest = (int)(end - i);
    if (rest) {
        lanes kept = drop(lanes_load_some(x + i, rest), number, key, job->threshold, scale);
        lanes_store_some(y + i, job->add ? kept + lanes_load_some(y + i, rest) : kept, rest);
    }
}

void KERNEL(dropout)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                     const float *x, bool add, float *y) {
    assert(p >= 0 && p <= 1);
    bool all = p >= 1; /* nothing is left */
    element_job job = {.add = add, .count = count, .x = x, .y = y, .seed = seed, .stream = stream};
    job.scale = all ? 0 : 1 / (1 - p);
    job.threshold = all ? INT32_MAX : (uint32_t)((double)p * 0x1p31);
    kernel_loop(ctx, count >= WORTH_CURVED, dgmi_chunks(count, GRAIN), dropout_chunk, &job);
}

/* Draws of other places: what stands at i now was drawn at positions[i]. */
static void dropout_at_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t i, end;
    dgmi_chunk(job->count, GRAIN, chunk, &i, &end);
    uint64_t key = dgmi_random_bits(job->seed, job->stream, 0);
    for (; i < end; i += LANES) {
        int rest = end - i < LANES ? (int)(end - i) : 0;
        lanes_bits number = {0};
        memcpy(&number, job->positions + i, rest ? (size_t)rest * 4 : sizeof number);
        lanes x = lanes_load_rest(job->x + i, rest);
        lanes kept = drop(x, number, key, job->threshold, job->scale);
        lanes_store_rest(job->y + i, kept, rest);
    }
}

void KERNEL(dropout_at)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                        const uint32_t *positions, const float *x, float *y) {
    bool all = p >= 1;
    element_job job = {.count = count, .x = x, .y = y, .seed = seed, .stream = stream};
    job.positions = positions;
    job.scale = all ? 0 : 1 / (1 - p);
    job.threshold = all ? INT32_MAX : (uint32_t)((double)p * 0x1p31);
    kernel_loop(ctx, count >= WORTH_CURVED, dgmi_chunks(count, GRAIN), dropout_at_chunk, &job);
}

static void axpy_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    const float *x = job->x;
    float *y = job->y, scale = job->scale;
    if (job->add)
        for (int64_t i = begin; i < end; i++)
            y[i] += scale * x[i];
    else
        for (int64_t i = begin; i < end; i++)
            y[i] = scale * x[i];
}

void KERNEL(axpy)(dgm_context *ctx, float scale, int64_t count, const float *x, bool add,
                  float *y) {
    element_job job = {.add = add, .count = count, .x = x, .y = y, .scale = scale};
    kernel_loop(ctx, count >= WORTH, dgmi_chunks(count, GRAIN), axpy_chunk, &job);
}

static int64_t bias_rows(int64_t columns) {
    assert(columns > 0);
    return columns < GRAIN ? GRAIN / columns : 1;
}

static void bias_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t begin, end, columns = job->columns;
    dgmi_chunk(job->count, bias_rows(columns), chunk, &begin, &end);
    const float *restrict bias = job->x;
    for (int64_t i = begin; i < end; i++) {
        float *restrict row = job->y + i * columns;
        for (int64_t j = 0; j < columns; j++)
            row[j] += bias[j];
    }
}

void KERNEL(add_bias)(dgm_context *ctx, const float *bias, dgmi_table_tensor *x) {
    if (x->columns == 0)
        return;
    element_job job = {.count = x->rows, .columns = x->columns, .x = bias, .y = x->values};
    kernel_loop(ctx, dgmi_table_tensor_count(x) >= WORTH,
                dgmi_chunks(x->rows, bias_rows(x->columns)), bias_chunk, &job);
}

/* Moments of weights that no gradient reaches any more shrink towards numbers that processors are
 * slow with. Below this they are 0, which moves no weight: epsilon is far larger. */
#define LEAST_MOMENT 1e-35F

/* weight -= rate m^ / (sqrt(v^) + epsilon), m^ = m / (1 - beta1^t), v^ = v / (1 - beta2^t) */
static void adam_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const element_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    const dgmi_kernels_adam_step s = *job->step;
    const float keep = 1 - s.rate * s.shrink, pace = s.rate / s.correction1;
    const float norm = 1 / sqrtf(s.correction2);
    const float *restrict gradient = job->x;
    float *restrict weights = job->y, *restrict first = job->first, *restrict second = job->second;
    for (int64_t i = begin; i < end; i++) {
        float weight = weights[i] * keep;
        float g = gradient[i] + s.decay * weight;
        float m = s.beta1 * first[i] + (1 - s.beta1) * g;
        float v = s.beta2 * second[i] + (1 - s.beta2) * (g * g);
        first[i] = m = fabsf(m) < LEAST_MOMENT ? 0 : m;
        second[i] = v = v < LEAST_MOMENT ? 0 : v;
        weights[i] = weight - pace * m / (sqrtf(v) * norm + s.epsilon);
    }
}

void KERNEL(adam)(dgm_context *ctx, const dgmi_kernels_adam_step *step, int64_t count,
                  const float *gradient, float *weights, float *first, float *second) {
    assert(step->correction1 > 0 && step->correction2 > 0);
    assert(step->beta1 >= 0 && step->beta1 < 1 && step->beta2 >= 0 && step->beta2 < 1);
    element_job job = {.count = count,
                       .x = gradient,
                       .y = weights,
                       .step = step,
                       .first = first,
                       .second = second};
    kernel_loop(ctx, count >= WORTH_CURVED, dgmi_chunks(count, GRAIN), adam_chunk, &job);
}
