/* SPDX-License-Identifier: Apache-2.0 */
/* PReLU: a line with one slope above 0 and another, learned, below. */
#include "kernels_lanes.h"

#include <assert.h>

enum { GRAIN = 1 << 14, WORTH = 1 << 16, MOST_CHUNKS = 64 };

typedef struct {
    float slope;
    bool add;
    int64_t count, grain;
    const float *x, *dy;
    float *y; /* or dx, NULL: not wanted */
    double *partials;
} prelu_job;

static void prelu_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const prelu_job *job = argument;
    int64_t i, end;
    dgmi_chunk(job->count, job->grain, chunk, &i, &end);
    for (; i + LANES <= end; i += LANES) {
        lanes x = lanes_load(job->x + i);
        lanes_store(job->y + i, lanes_bend(x, job->slope, x));
    }
    int rest = (int)(end - i);
    if (rest) {
        lanes x = lanes_load_some(job->x + i, rest);
        lanes_store_some(job->y + i, lanes_bend(x, job->slope, x), rest);
    }
}

void KERNEL(prelu)(dgm_context *ctx, float slope, int64_t count, const float *x, float *y) {
    prelu_job job = {.slope = slope, .count = count, .grain = GRAIN, .x = x, .y = y};
    kernel_loop(ctx, count >= WORTH, dgmi_chunks(count, GRAIN), prelu_chunk, &job);
}

static void backward_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const prelu_job *job = argument;
    int64_t i, end;
    dgmi_chunk(job->count, job->grain, chunk, &i, &end);
    lanes sums = {0};
    for (; i < end; i += LANES) {
        int some = end - i < LANES ? (int)(end - i) : 0;
        lanes x = lanes_load_rest(job->x + i, some);
        lanes dy = lanes_load_rest(job->dy + i, some);
        sums += dy * lanes_choose(x > 0, (lanes){0}, x);
        if (!job->y)
            continue;
        lanes dx = lanes_bend(x, job->slope, dy);
        if (job->add)
            dx += lanes_load_rest(job->y + i, some);
        lanes_store_rest(job->y + i, dx, some);
    }
    double total = 0;
    for (int lane = 0; lane < LANES; lane++)
        total += sums[lane];
    job->partials[chunk] = total;
}

double KERNEL(prelu_backward)(dgm_context *ctx, float slope, int64_t count, const float *x,
                              const float *dy, bool add, float *dx) {
    double partials[MOST_CHUNKS], total = 0;
    prelu_job job = {slope, add, count, dgmi_chunks(count, MOST_CHUNKS), x, dy, dx, partials};
    job.grain = job.grain < GRAIN ? GRAIN : (job.grain + LANES - 1) / LANES * LANES;
    int64_t chunks = dgmi_chunks(count, job.grain);
    assert(chunks <= MOST_CHUNKS);
    kernel_loop(ctx, count >= WORTH, chunks, backward_chunk, &job);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        total += partials[chunk];
    return total;
}
