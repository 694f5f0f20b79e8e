/* SPDX-License-Identifier: Apache-2.0 */
/* The descent of t-SNE: with w_ij = 1 / (1 + |y_i - y_j|^2) and Z = sum of w_ij over i != j,
 *
 *   dKL/dy_i = 4 sum_j (a p_ij - w_ij / Z) w_ij (y_i - y_j)
 *
 * a the exaggeration, first 12, then 1; momentum and a gain for every coordinate (Jacobs, 1988).
 */
#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_sort.h"
#include "reduce_tsne.h"

enum {
    ROWS = 64,      /* of a chunk of links */
    GRAIN = 4096,   /* of a chunk of steps */
    CHECK = 50,     /* iterations between two looks at the divergence */
    PATIENCE = 300, /* iterations without progress */
    LOOK = 10,      /* early iterations between two looks at how far the map reaches */
    WORTH = 16384,  /* points whose order in memory is worth keeping */
};
static const double SMALLEST_GRADIENT = 1e-7;
static const double SHRUNK = 1e-3;  /* of the start: exaggeration has nothing to draw together */
static const double SETTLED = 1e-2; /* deviation of a map that forces have shaped */
static const float SMALLEST_GAIN = 0.01F;
static const float WILDER = 2.5F; /* exaggeration of a wild descent */

typedef struct {
    dgm_context *ctx;
    dgmi_reduce_affinities *affinities;
    dgmi_kernels_embedding *y;
    dgmi_reduce_descent *descent;
    dgmi_reduce_repulsion repulsion;
    float *pull[DGMI_KERNELS_EMBED_MOST];
    float *speed[DGMI_KERNELS_EMBED_MOST], *gain[DGMI_KERNELS_EMBED_MOST];
    float *logs;    /* of each point: its part of the divergence */
    bool with_logs; /* this time */
    double *partial;
    double narrow;   /* deviation of the narrowest direction at the start */
    uint32_t *order; /* position -> row; NULL: points stay where they are */
    /* of this iteration */
    double z;
    float exaggeration, momentum, rate;
} descent_job;

/* ---- one iteration ---- */

static void pull_chunk(void *argument, int64_t chunk, int thread) {
    descent_job *job = argument;
    dgmi_kernels_embed_links links = {job->affinities->offsets, job->affinities->columns,
                                      job->affinities->values};
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->y->count, ROWS, chunk, &begin, &end);
    job->repulsion.kernels->attract(job->y, job->y, &links, begin, end, job->pull,
                                    job->with_logs ? job->logs : NULL);
}

/* Z without the points themselves, and where it was asked for the divergence: sum p log(p / q) with
 * q = w / Z. */
static void sum_up(descent_job *job) {
    double sum = 0, logs = 0;
    for (int64_t i = 0; i < job->y->count; i++)
        sum += (double)job->repulsion.sums[i];
    job->z = fmax(sum - (double)job->y->count, 1e-30);
    if (!job->with_logs)
        return;
    for (int64_t i = 0; i < job->y->count; i++)
        logs += (double)job->logs[i];
    job->descent->divergence = fmax(job->affinities->entropy + logs + log(job->z), 0);
}

static dgm_status find_forces(descent_job *job) {
    dgm_status status = dgmi_reduce_repulsion_run(&job->repulsion);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(job->ctx, dgmi_chunks(job->y->count, ROWS), pull_chunk, job);
    sum_up(job);
    return DGM_OK;
}

/* One axis of some points; returns the sum of squares of the gradient / 4. */
static double step_axis(const descent_job *job, int axis, int64_t begin, int64_t end) {
    const float *pull = job->pull[axis], *push = job->repulsion.force[axis];
    float *speed = job->speed[axis], *gain = job->gain[axis], *y = job->y->axis[axis];
    float inverse = (float)(1 / job->z), sum = 0;
    double squares = 0;
    for (int64_t i = begin; i < end; i++) {
        float gradient = job->exaggeration * pull[i] - inverse * push[i];
        float grown = speed[i] * gradient < 0 ? gain[i] + 0.2F : gain[i] * 0.8F;
        gain[i] = grown > SMALLEST_GAIN ? grown : SMALLEST_GAIN;
        speed[i] = job->momentum * speed[i] - job->rate * gain[i] * gradient;
        y[i] += speed[i];
        sum += gradient * gradient;
        if ((i & 255) == 255) {
            squares += (double)sum;
            sum = 0;
        }
    }
    return squares + (double)sum;
}

static void step_chunk(void *argument, int64_t chunk, int thread) {
    descent_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->y->count, GRAIN, chunk, &begin, &end);
    job->partial[chunk] = 0;
    for (int axis = 0; axis < job->y->dim; axis++)
        job->partial[chunk] += step_axis(job, axis, begin, end);
}

static void take_step(descent_job *job) {
    int64_t chunks = dgmi_chunks(job->y->count, GRAIN);
    double squares = 0;
    dgmi_parallel(job->ctx, chunks, step_chunk, job);
    for (int64_t c = 0; c < chunks; c++)
        squares += job->partial[c];
    job->descent->gradient = 4 * sqrt(squares);
}

/* ---- order in memory ---- */

/* Bits of x, each followed by a gap. */
static uint64_t spread_bits(uint64_t x, int dim) {
    uint64_t spread = 0;
    for (int bit = 0; bit < 16; bit++)
        spread |= (x >> bit & 1) << bit * dim;
    return spread;
}

/* Along Morton's curve, points near each other in the map are near each other in memory. */
static void find_keys(const dgmi_kernels_embedding *y, uint64_t *keys) {
    memset(keys, 0, (size_t)y->count * sizeof *keys);
    for (int axis = 0; axis < y->dim; axis++) {
        float low = y->axis[axis][0], high = low;
        for (int64_t i = 0; i < y->count; i++) {
            low = fminf(low, y->axis[axis][i]);
            high = fmaxf(high, y->axis[axis][i]);
        }
        float scale = high > low ? 65535.0F / (high - low) : 0;
        for (int64_t i = 0; i < y->count; i++) {
            float t = (y->axis[axis][i] - low) * scale; /* NaN where the map ran away */
            keys[i] |= spread_bits(t >= 0 && t <= 65535 ? (uint64_t)t : 0, y->dim) << axis;
        }
    }
}

static void permute_floats(float *values, const uint32_t *order, int64_t count, float *space) {
    DGMI_ASSERT_WALK(dgmi_all_below(order, count, count));
    for (int64_t i = 0; i < count; i++)
        space[i] = values[order[i]];
    memcpy(values, space, (size_t)count * sizeof *values);
}

typedef struct {
    const dgmi_reduce_affinities *from;
    dgmi_reduce_affinities *to;
    const uint32_t *order, *place; /* new position -> old, and back */
} move_job;

static void move_chunk(void *argument, int64_t chunk, int thread) {
    move_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->from->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t at = job->to->offsets[i], e = job->from->offsets[job->order[i]];
        for (; e < job->from->offsets[job->order[i] + 1]; e++, at++) {
            job->to->columns[at] = job->place[job->from->columns[e]];
            job->to->values[at] = job->from->values[e];
        }
    }
}

/* The rows of the affinities in a new order. */
static dgm_status move_rows(descent_job *job, const uint32_t *order, const uint32_t *place) {
    dgmi_reduce_affinities *old = job->affinities, moved = *old;
    int64_t rows = old->rows, links = old->offsets[rows];
    moved.offsets = dgmi_alloc_zero(job->ctx, rows + 1, sizeof *moved.offsets);
    moved.columns = dgmi_alloc(job->ctx, links, sizeof *moved.columns);
    moved.values = dgmi_alloc(job->ctx, links, sizeof *moved.values);
    if (!moved.offsets || !moved.columns || !moved.values) {
        moved.copies = NULL; /* still those of the old ones */
        dgmi_reduce_affinities_free(job->ctx, &moved);
        return DGM_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < rows; i++)
        moved.offsets[i + 1] =
            moved.offsets[i] + old->offsets[order[i] + 1] - old->offsets[order[i]];
    move_job move = {old, &moved, order, place};
    dgmi_parallel(job->ctx, dgmi_chunks(rows, GRAIN), move_chunk, &move);
    old->copies = NULL; /* they move along, and are put in order with the points */
    dgmi_reduce_affinities_free(job->ctx, old);
    *old = moved;
    return DGM_OK;
}

static dgm_status sort_points(descent_job *job) {
    int64_t count = job->y->count;
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    uint64_t *keys = dgmi_scratch(job->ctx, count, sizeof *keys);
    uint32_t *order = dgmi_scratch(job->ctx, count, sizeof *order);
    uint32_t *place = dgmi_scratch(job->ctx, count, sizeof *place);
    float *space = dgmi_scratch(job->ctx, count, sizeof *space);
    dgm_status status = keys && order && place && space ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        find_keys(job->y, keys);
        for (int64_t i = 0; i < count; i++)
            order[i] = (uint32_t)i;
        status = dgmi_sort_pairs(job->ctx, keys, order, count);
    }
    if (status == DGM_OK) {
        for (int64_t i = 0; i < count; i++)
            place[order[i]] = (uint32_t)i;
        status = move_rows(job, order, place);
    }
    if (status == DGM_OK) {
        for (int axis = 0; axis < job->y->dim; axis++) {
            permute_floats(job->y->axis[axis], order, count, space);
            permute_floats(job->speed[axis], order, count, space);
            permute_floats(job->gain[axis], order, count, space);
        }
        if (job->affinities->copies)
            permute_floats(job->affinities->copies, order, count, space);
        for (int64_t i = 0; i < count; i++)
            place[i] = job->order[order[i]];
        memcpy(job->order, place, (size_t)count * sizeof *place);
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* Every point back to its own row. */
static void unsort_points(descent_job *job) {
    float *space = job->logs;
    for (int axis = 0; axis < job->y->dim; axis++) {
        for (int64_t i = 0; i < job->y->count; i++)
            space[job->order[i]] = job->y->axis[axis][i];
        memcpy(job->y->axis[axis], space, (size_t)job->y->count * sizeof *space);
    }
}

/* At the start, and whenever the map has changed much. */
static bool is_time_to_sort(const descent_job *job, int64_t iteration) {
    return job->order && (iteration == 0 || iteration == 60 || iteration == 120 ||
                          iteration == 250 || iteration % 500 == 0);
}

/* ---- the early phase ---- */

/* Where the map has shrunk since the start, exaggeration draws no clusters together but everything:
 * the early phase ends, and what became too narrow is wide again. */
static dgm_status hold_spread(descent_job *job, int64_t iteration) {
    dgmi_reduce_spread spread;
    dgm_status status = dgmi_reduce_spread_find(job->ctx, job->y, &spread);
    if (status != DGM_OK || spread.narrowest >= SHRUNK * job->narrow)
        return status;
    dgmi_reduce_spread_widen(&spread, DGMI_REDUCE_TSNE_SPREAD,
                             (uint64_t)job->descent->options->seed, job->y);
    job->descent->early = iteration + 1;
    return DGM_OK;
}

static dgm_status find_start(descent_job *job) {
    dgmi_reduce_spread spread;
    dgm_status status = dgmi_reduce_spread_find(job->ctx, job->y, &spread);
    job->narrow = spread.narrowest;
    return status;
}

/* ---- all iterations ---- */

static void set_phase(descent_job *job, int64_t iteration) {
    const dgm_tsne_options *options = job->descent->options;
    bool early = iteration < job->descent->early;
    double rate = options->rate, count = (double)job->y->count;
    if (rate == 0)
        rate = fmax(count / options->exaggeration,
                    fmin(200, job->descent->wild ? 2 * count : count / 5));
    job->rate = (float)rate;
    job->exaggeration = early ? (float)options->exaggeration : 1;
    if (early && job->descent->wild)
        job->exaggeration *= WILDER;
    job->momentum = early ? 0.5F : 0.8F;
    if (iteration == job->descent->early) /* old gains and speeds are those of other forces */
        for (int axis = 0; axis < job->y->dim; axis++)
            for (int64_t i = 0; i < job->y->count; i++) {
                job->gain[axis][i] = 1;
                job->speed[axis][i] = 0;
            }
}

/* Forces are small in a map that has collapsed, too: there they would grow again. */
static bool is_settled(const descent_job *job) {
    dgmi_reduce_spread spread;
    return dgmi_reduce_spread_find(job->ctx, job->y, &spread) == DGM_OK &&
           spread.narrowest > SETTLED;
}

/* Says why to stop, or NULL. */
static const char *look_back(descent_job *job, int64_t iteration, double *best, int64_t *best_at) {
    if (iteration < job->descent->early)
        return NULL;
    if (job->descent->gradient <= SMALLEST_GRADIENT && is_settled(job))
        return "the gradient vanished";
    if (job->descent->divergence < *best) {
        *best = job->descent->divergence;
        *best_at = iteration;
    }
    return iteration - *best_at > PATIENCE ? "no more progress" : NULL;
}

static dgm_status report(const descent_job *job, int64_t done) {
    const dgmi_reduce_descent *descent = job->descent;
    return dgmi_progress(job->ctx, "t-SNE",
                         (double)(descent->before + done) / (double)descent->whole);
}

static dgm_status iterate(descent_job *job) {
    dgmi_reduce_descent *descent = job->descent;
    double best = INFINITY;
    int64_t best_at = 0;
    dgm_status status = find_start(job);
    for (int64_t i = 0; status == DGM_OK && i < descent->iterations && !descent->stop; i++) {
        bool check = (i + 1) % CHECK == 0;
        job->with_logs = check;
        set_phase(job, i);
        if (is_time_to_sort(job, i))
            status = sort_points(job);
        if (status == DGM_OK)
            status = find_forces(job);
        if (status != DGM_OK)
            break;
        take_step(job);
        if (!isfinite(descent->gradient))
            return dgmi_reduce_tsne_fail_bounds(job->ctx);
        descent->done = i + 1;
        if (i < descent->early && (i + 1) % LOOK == 0)
            status = hold_spread(job, i);
        if (check && status == DGM_OK)
            descent->stop = look_back(job, i, &best, &best_at);
        if (status == DGM_OK)
            status = report(job, i + 1);
        if (status == DGM_ERROR_CANCELLED && descent->options->keep && i >= descent->early) {
            dgm_context_resume(job->ctx);
            descent->stop = "interrupted";
            status = DGM_OK;
        }
    }
    if (status != DGM_OK)
        return status;
    job->with_logs = true; /* the divergence of where it ends */
    return find_forces(job);
}

static dgm_status prepare(descent_job *job) {
    int64_t count = job->y->count;
    bool whole = true;
    for (int axis = 0; axis < job->y->dim; axis++) {
        job->pull[axis] = dgmi_scratch(job->ctx, count, sizeof(float));
        job->speed[axis] = dgmi_scratch_zero(job->ctx, count, sizeof(float));
        job->gain[axis] = dgmi_scratch(job->ctx, count, sizeof(float));
        whole = whole && job->pull[axis] && job->speed[axis] && job->gain[axis];
        for (int64_t i = 0; whole && i < count; i++)
            job->gain[axis][i] = 1;
    }
    job->logs = dgmi_scratch(job->ctx, count, sizeof *job->logs);
    job->partial = dgmi_scratch(job->ctx, dgmi_chunks(count, GRAIN), sizeof *job->partial);
    if (!whole || !job->logs || !job->partial)
        return DGM_ERROR_MEMORY;
    if (count < WORTH)
        return DGM_OK;
    job->order = dgmi_scratch(job->ctx, count, sizeof *job->order);
    for (int64_t i = 0; job->order && i < count; i++)
        job->order[i] = (uint32_t)i;
    return job->order ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_reduce_descent_run(dgm_context *ctx, dgmi_reduce_affinities *affinities,
                                   dgmi_kernels_embedding *y, dgmi_reduce_descent *descent) {
    descent_job job = {.ctx = ctx, .affinities = affinities, .y = y, .descent = descent};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = prepare(&job);
    if (status == DGM_OK)
        status = dgmi_reduce_repulsion_open(ctx, descent->options->repulsion, y, &job.repulsion);
    job.repulsion.copies = affinities->copies;
    if (status == DGM_OK)
        status = iterate(&job);
    if (status == DGM_OK && job.order)
        unsort_points(&job);
    dgmi_reduce_repulsion_close(&job.repulsion);
    dgmi_arena_release(ctx, hold);
    return status;
}
