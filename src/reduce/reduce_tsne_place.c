/* SPDX-License-Identifier: Apache-2.0 */
/* Adds points to a map of t-SNE, which stays as it is. A new point i has affinities p_j|i with its
 * neighbours j among the old points. It goes where sum_j p_j|i log(p_j|i / q_j|i) is least, with
 * q_j|i = w_ij / sum_k w_ik. The forces are those of the descent, and new points do not act on each
 * other.
 */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_parallel.h"
#include "dgm/knn.h"
#include "reduce_reduce.h"
#include "reduce_tsne.h"

enum { ROWS = 64, STEPS = 100 };
static const float RATE = 0.5F, MOMENTUM = 0.5F;

typedef struct {
    dgm_context *ctx;
    dgmi_kernels_embedding map, y; /* old and new points */
    const dgm_neighbours *lists;
    double entropy;
    int64_t *offsets;
    float *p;
    double *rows;      /* of each thread: one row of p */
    double *entropies; /* of each new point: sum of p log p */
    const dgmi_kernels_embed_table *kernels;
    float *pull[DGMI_KERNELS_EMBED_MOST], *push[DGMI_KERNELS_EMBED_MOST],
        *speed[DGMI_KERNELS_EMBED_MOST];
    float *sums, *logs;
    int64_t steps; /* to take now */
} place_job;

/* Affinities, and the mean of the neighbours. */
static void begin_chunk(void *argument, int64_t chunk, int thread) {
    place_job *job = argument;
    int64_t k = dgm_neighbours_k(job->lists), begin, end;
    double *p = job->rows + thread * k;
    dgmi_chunk(job->y.count, ROWS, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const uint32_t *near = dgm_neighbours_indices(job->lists) + i * k;
        double mean[DGMI_KERNELS_EMBED_MOST] = {0};
        dgmi_reduce_affinity_row(k, dgm_neighbours_distances(job->lists) + i * k, job->entropy, p);
        job->entropies[i] = 0;
        for (int64_t j = 0; j < k; j++) {
            job->p[i * k + j] = (float)p[j];
            job->entropies[i] += p[j] > 0 ? p[j] * log(p[j]) : 0;
            for (int axis = 0; axis < job->y.dim; axis++)
                mean[axis] += p[j] * (double)job->map.axis[axis][near[j]];
        }
        for (int axis = 0; axis < job->y.dim; axis++)
            job->y.axis[axis][i] = (float)mean[axis];
    }
}

static void find_forces(place_job *job, int64_t begin, int64_t end, float *logs) {
    dgmi_kernels_embed_links links = {job->offsets, dgm_neighbours_indices(job->lists), job->p};
    job->kernels->repel(&job->map, &job->y, begin, end, job->push, job->sums);
    job->kernels->attract(&job->map, &job->y, &links, begin, end, job->pull, logs);
}

static void step_chunk(void *argument, int64_t chunk, int thread) {
    place_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->y.count, ROWS, chunk, &begin, &end);
    for (int64_t step = 0; step < job->steps && !dgmi_cancelled(job->ctx); step++) {
        find_forces(job, begin, end, NULL);
        for (int axis = 0; axis < job->y.dim; axis++)
            for (int64_t i = begin; i < end; i++) {
                float gradient = job->pull[axis][i] - job->push[axis][i] / job->sums[i];
                job->speed[axis][i] = MOMENTUM * job->speed[axis][i] - RATE * gradient;
                job->y.axis[axis][i] += job->speed[axis][i];
            }
    }
    if (job->steps == 0)
        find_forces(job, begin, end, job->logs);
}

/* Mean over the new points of the divergence of their own affinities. */
static double find_divergence(place_job *job) {
    double sum = 0;
    job->steps = 0;
    dgmi_parallel(job->ctx, dgmi_chunks(job->y.count, ROWS), step_chunk, job);
    for (int64_t i = 0; i < job->y.count; i++)
        sum += job->entropies[i] + (double)job->logs[i] + log((double)job->sums[i]);
    return sum / (double)job->y.count;
}

static dgm_status make_arrays(place_job *job) {
    dgm_context *ctx = job->ctx;
    int64_t count = job->y.count, k = dgm_neighbours_k(job->lists);
    job->offsets = dgmi_scratch(ctx, count + 1, sizeof *job->offsets);
    job->p = dgmi_scratch(ctx, count * k, sizeof *job->p);
    job->rows = dgmi_scratch(ctx, dgm_context_threads(ctx) * k, sizeof *job->rows);
    job->entropies = dgmi_scratch(ctx, count, sizeof *job->entropies);
    job->sums = dgmi_scratch(ctx, count, sizeof *job->sums);
    job->logs = dgmi_scratch(ctx, count, sizeof *job->logs);
    bool whole = job->offsets && job->p && job->rows && job->entropies && job->sums && job->logs;
    for (int axis = 0; axis < job->y.dim; axis++) {
        job->pull[axis] = dgmi_scratch(ctx, count, sizeof(float));
        job->push[axis] = dgmi_scratch(ctx, count, sizeof(float));
        job->speed[axis] = dgmi_scratch_zero(ctx, count, sizeof(float));
        whole = whole && job->pull[axis] && job->push[axis] && job->speed[axis];
    }
    for (int64_t i = 0; whole && i <= count; i++)
        job->offsets[i] = i * k;
    return whole ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status place(place_job *job, double *divergence) {
    int64_t chunks = dgmi_chunks(job->y.count, ROWS);
    dgm_status status = make_arrays(job);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(job->ctx, chunks, begin_chunk, job);
    job->steps = STEPS / 10;
    for (int64_t done = 0; status == DGM_OK && done < STEPS; done += job->steps) {
        dgmi_parallel(job->ctx, chunks, step_chunk, job);
        status = dgmi_progress(job->ctx, "placing points", (double)done / STEPS);
    }
    *divergence = status == DGM_OK ? find_divergence(job) : 0;
    return status;
}

static dgm_status find_neighbours(dgm_context *ctx, const dgm_points *points,
                                  const dgm_points *added, int64_t k, dgm_neighbours **lists) {
    dgm_knn_options search = DGM_KNN_OPTIONS_INIT;
    const float *old, *new;
    dgm_points rescaled, rescaled_new;
    dgm_matrix *made = NULL, *made_new = NULL;
    dgmi_reduce_rescaling rescaling;
    search.k = k;
    *lists = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_reduce_rescaling_find(ctx, points, added->matrix != NULL, &rescaling);
    if (!added->matrix) /* floats, which are rescaled in another way */
        rescaling.power = 0;
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_apply(ctx, &rescaling, points, &rescaled, &made);
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_apply(ctx, &rescaling, added, &rescaled_new, &made_new);
    if (status == DGM_OK)
        status = dgmi_reduce_points_floats(ctx, &rescaled, &old);
    if (status == DGM_OK)
        status = dgmi_reduce_points_floats(ctx, &rescaled_new, &new);
    if (status == DGM_OK)
        status = dgm_knn_query(ctx, old, points->rows, new, added->rows, points->columns, &search,
                               lists);
    dgm_matrix_free(made);
    dgm_matrix_free(made_new);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status check(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                        const dgm_points *added, const dgm_tsne_options *options) {
    int64_t dim = dgm_matrix_columns(map), rows = dgm_matrix_rows(map);
    dgm_points where = dgm_points_of_matrix(map);
    dgm_status status = dgm_options_check(ctx, &dgmi_reduce_tsne_table, options);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, &where);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, added);
    if (status != DGM_OK)
        return status;
    if (rows != points->rows)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the map has %lld rows, but there are %lld points",
                         (long long)rows, (long long)points->rows);
    if (dim > DGMI_KERNELS_EMBED_MOST)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "a map of tsne has 1, 2 or 3 columns, not %lld",
                         (long long)dim);
    if (added->columns != points->columns)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the new points have %lld columns, those of the map %lld",
                         (long long)added->columns, (long long)points->columns);
    return DGM_OK;
}

static dgm_status place_all(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                            const dgm_points *added, double perplexity, double *divergence,
                            dgm_matrix *out) {
    place_job job = {.ctx = ctx, .kernels = dgmi_kernels_embed_find(NULL)};
    dgm_neighbours *lists = NULL;
    int dim = (int)dgm_matrix_columns(map);
    job.entropy = log(perplexity);
    dgm_status status = find_neighbours(
        ctx, points, added, dgmi_reduce_affinity_neighbours(perplexity, points->rows + 1), &lists);
    job.lists = lists;
    if (status == DGM_OK)
        status = dgmi_reduce_embedding_make(ctx, dim, points->rows, &job.map);
    if (status == DGM_OK)
        status = dgmi_reduce_embedding_make(ctx, dim, added->rows, &job.y);
    if (status == DGM_OK) {
        dgmi_reduce_embedding_read(map, &job.map);
        status = place(&job, divergence);
    }
    if (status == DGM_OK)
        dgmi_reduce_embedding_write(&job.y, out);
    dgm_neighbours_free(lists);
    return status;
}

dgm_status dgm_tsne_place(dgm_context *ctx, const dgm_points *points, const dgm_matrix *map,
                          const dgm_points *added, const dgm_tsne_options *options,
                          dgm_reduce_report *report, dgm_matrix **out) {
    dgm_tsne_options own = DGM_TSNE_OPTIONS_INIT;
    const dgm_tsne_options *use = &own;
    double perplexity = 0, divergence = 0;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_tsne_options, keep, options, &own);
    if (status == DGM_OK)
        status = check(ctx, points, map, added, use);
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "tsne", added->rows, dgm_matrix_columns(map), out);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    perplexity = dgmi_reduce_perplexity_fit(ctx, use->perplexity, points->rows + 1);
    status = place_all(ctx, points, map, added, perplexity, &divergence, *out);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
        return status;
    }
    dgmi_reduce_report_begin(report, "tsne", added, dgm_matrix_columns(map));
    dgmi_reduce_report_number(report, "divergence", divergence);
    dgmi_reduce_report_number(report, "perplexity", perplexity);
    return DGM_OK;
}
