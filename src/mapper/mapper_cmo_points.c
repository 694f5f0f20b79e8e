/* SPDX-License-Identifier: Apache-2.0 */
/* The neighbours of points that Carriere, Michel and Oudot take for their choice of the resolution
 * (mapper_cmo.c): pairs within delta of each other, where delta tells how densely the points lie.
 *
 * With n points, subsamples of s = n / (log n)^(1 + beta) of them are drawn. The distance of
 * Hausdorff between all points and a subsample is the largest distance of a point from its nearest
 * one in the subsample. delta is the mean of this over all subsamples. The result is the largest
 * |f(u) - f(v)| over all pairs of points with |u - v| <= delta.
 *
 * Points are sorted by the column in which they differ most, and looked for from there outwards: the
 * distance in one column is no more than the whole. A point also need not be looked at any longer
 * once it is nearer to the subsample than another point is known to be, and a pair whose values
 * differ less than those of another pair need not be measured. All of this leaves the result as it
 * is, to the last bit, so that threads may do it in any order. Memory O(n); time up to O(n s) for
 * each subsample and O(n^2) for the pairs, and far less if there are few columns.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "mapper_points.h"
#include "mapper_stages.h"

enum { GRAIN = 1 << 9, STREAM = 0xc307 };

/* Points along the column in which they differ most. */
typedef struct {
    double along;
    uint32_t point;
} position;

typedef struct {
    dgmi_mapper_points points;
    const double *values; /* the filter f */
    position *order;      /* all points */
    position *sample;     /* the subsample */
    int64_t sample_count;
    double square; /* delta^2, as the points are scaled */
    double *most;  /* for each chunk, the largest square or difference */
} cmo_job;

static int compare_positions(const void *a, const void *b) {
    const position *p = a, *q = b;
    if (p->along != q->along)
        return p->along < q->along ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

static int64_t widest_column(const dgmi_mapper_points *points) {
    int64_t widest = 0;
    double most = -1;
    for (int64_t k = 0; k < points->columns; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < points->count; i++) {
            low = fmin(low, points->rows[i * points->columns + k]);
            high = fmax(high, points->rows[i * points->columns + k]);
        }
        if (high - low > most) {
            most = high - low;
            widest = k;
        }
    }
    return widest;
}

static dgm_status open_job(dgm_context *ctx, cmo_job *job) {
    const dgmi_mapper_points *points = &job->points;
    int64_t column = widest_column(points);
    job->order = dgmi_scratch(ctx, points->count, sizeof *job->order);
    job->sample = dgmi_scratch(ctx, points->count, sizeof *job->sample);
    job->most = dgmi_scratch(ctx, dgmi_chunks(points->count, GRAIN), sizeof *job->most);
    if (!job->order || !job->sample || !job->most)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < points->count; i++)
        job->order[i] = (position){points->rows[i * points->columns + column], (uint32_t)i};
    qsort(job->order, (size_t)points->count, sizeof *job->order, compare_positions);
    return DGM_OK;
}

static double largest_of_chunks(dgm_context *ctx, cmo_job *job, dgmi_chunk_fn body) {
    int64_t chunks = dgmi_chunks(job->points.count, GRAIN);
    double most = 0;
    dgmi_parallel(ctx, chunks, body, job);
    for (int64_t c = 0; c < chunks; c++)
        most = fmax(most, job->most[c]);
    return most;
}

/* ---- subsamples ---- */

static int64_t subsample_size(int64_t count, double beta) {
    double logarithm = log((double)count);
    double size = logarithm > 1 ? (double)count / pow(logarithm, 1 + beta) : (double)count;
    return size < 1 ? count > 0 : (int64_t)size;
}

/* Draws without putting back: the first places of a shuffle, then sorted. */
static void draw_sample(cmo_job *job, uint64_t seed, int64_t number) {
    for (int64_t i = 0; i < job->points.count; i++)
        job->sample[i] = job->order[i];
    dgmi_random random = {.seed = seed, .stream = (uint64_t)STREAM << 32 | (uint64_t)number};
    for (int64_t i = 0; i < job->sample_count; i++) {
        int64_t other =
            i + (int64_t)dgmi_random_next_below(&random, (uint64_t)(job->points.count - i));
        position kept = job->sample[i];
        job->sample[i] = job->sample[other];
        job->sample[other] = kept;
    }
    qsort(job->sample, (size_t)job->sample_count, sizeof *job->sample, compare_positions);
}

/* The first of the subsample that is not before a place. */
static int64_t find_place(const cmo_job *job, double along) {
    int64_t low = 0, high = job->sample_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (job->sample[middle].along < along)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The square of the distance to the nearest of the subsample, or anything up to `enough`. */
static double nearest_square(const cmo_job *job, position own, double enough) {
    int64_t right = find_place(job, own.along), left = right - 1;
    double nearest = INFINITY;
    while (nearest > enough) {
        double before = left >= 0 ? own.along - job->sample[left].along : INFINITY;
        double behind = right < job->sample_count ? job->sample[right].along - own.along : INFINITY;
        double away = fmin(before, behind);
        if (away * away >= nearest || isinf(away))
            break;
        uint32_t other = before <= behind ? job->sample[left--].point : job->sample[right++].point;
        nearest = fmin(nearest, dgmi_mapper_points_square(&job->points, own.point, other));
    }
    return nearest;
}

static void hausdorff_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    cmo_job *job = argument;
    int64_t begin, end;
    double most = 0;
    dgmi_chunk(job->points.count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        most = fmax(most, nearest_square(job, job->order[i], most));
    job->most[chunk] = most;
}

static dgm_status find_delta(dgm_context *ctx, cmo_job *job, const dgm_mapper_options *options,
                             double *delta) {
    dgm_status status = DGM_OK;
    double sum = 0;
    job->sample_count = subsample_size(job->points.count, options->beta);
    for (int64_t k = 0; status == DGM_OK && k < options->subsamples; k++) {
        draw_sample(job, (uint64_t)options->seed, k);
        sum += dgmi_mapper_points_distance_of(&job->points,
                                              largest_of_chunks(ctx, job, hausdorff_chunk));
        status =
            dgmi_progress(ctx, "drawing subsamples", (double)(k + 1) / (double)options->subsamples);
    }
    *delta = sum / (double)options->subsamples;
    return status;
}

/* ---- pairs ---- */

static void pairs_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    cmo_job *job = argument;
    int64_t begin, end;
    double most = 0;
    dgmi_chunk(job->points.count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = i + 1; j < job->points.count; j++) {
            double away = job->order[j].along - job->order[i].along;
            if (away * away > job->square)
                break;
            uint32_t u = job->order[i].point, v = job->order[j].point;
            double difference = fabs(job->values[u] - job->values[v]);
            if (difference > most && dgmi_mapper_points_square(&job->points, u, v) <= job->square)
                most = difference;
        }
    job->most[chunk] = most;
}

static dgm_status look_at_points(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_mapper_options *options, cmo_job *job, double *longest,
                                 double *delta) {
    dgm_status status = dgmi_mapper_points_features(
        ctx, graph, options->metric,
        "take for points; without of=features neighbours are the ends of edges", &job->points);
    if (status == DGM_OK)
        status = open_job(ctx, job);
    if (status == DGM_OK)
        status = find_delta(ctx, job, options, delta);
    if (status != DGM_OK)
        return status;
    job->square = dgmi_mapper_points_square_of(&job->points, *delta);
    *longest = largest_of_chunks(ctx, job, pairs_chunk);
    return dgmi_progress(ctx, "drawing subsamples", 1);
}

dgm_status dgmi_mapper_cmo_points(dgm_context *ctx, const dgm_graph *graph, const double *values,
                                  const dgm_mapper_options *options, double *longest,
                                  double *delta) {
    cmo_job job = {.values = values};
    *longest = *delta = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = look_at_points(ctx, graph, options, &job, longest, delta);
    dgmi_arena_release(ctx, hold);
    return status;
}
