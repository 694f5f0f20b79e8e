/* SPDX-License-Identifier: Apache-2.0 */
/* Classical scaling: with S the squared distances among the sources and J = 1 - 11'/n, the matrix
 * B = -1/2 J S J holds the products of their places around the middle, and its largest eigenvectors
 * times the roots of their values are the axes. Other points follow from their squared distances s
 * to the sources: -1/2 v'(s - mean of S) / sqrt(value).
 */
#include "reduce_isomap.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "kernels_blas.h"
#include "spectral_symmetric.h"

enum {
    WHOLE = 256, /* sources up to so many are solved whole */
    TILE = 32,   /* rows of S at a time */
    GRAIN = 64,
    EXTRA = 8,   /* vectors of a block beyond those wanted */
    BLOCKS = 12, /* of a Krylov space */
    PRODUCTS = 300
};
#define TOLERANCE 1e-7 /* of |B v - value v|, as a share of the largest value */
/* Path lengths are in single precision and add up along a path: smaller shares of the largest value
 * are rounding. */
#define ROUNDING 1e-6
static_assert((DGM_REDUCE_MOST + EXTRA) * 3 <= WHOLE, "a block is small beside the sources");

typedef struct {
    dgm_context *ctx;
    dgmi_reduce_scaling *scaling;
    int64_t count, found;
    double *mean;    /* of each row of S */
    double all;      /* mean of these */
    double *vectors; /* found x count */
    double **tiles;  /* of each thread: TILE x count */
    const double *x; /* of a product: columns x count, centred */
    double *y;
    int64_t columns;
    double *sums; /* of each chunk */
} scaling_job;

static double squared(const scaling_job *job, int64_t i, int64_t j) {
    assert(i >= 0 && j >= 0);
    double length = job->scaling->lengths[i * job->scaling->rows + job->scaling->sources[j]];
    return length * length;
}

/* ---- B ---- */

static void mean_chunk(void *argument, int64_t chunk, int thread) {
    scaling_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double sum = 0;
        for (int64_t j = 0; j < job->count; j++)
            sum += squared(job, i, j);
        job->mean[i] = sum / (double)job->count;
    }
}

static void find_means(scaling_job *job) {
    dgmi_parallel(job->ctx, dgmi_chunks(job->count, GRAIN), mean_chunk, job);
    for (int64_t i = 0; i < job->count; i++)
        job->all += job->mean[i] / (double)job->count;
}

static double centred(const scaling_job *job, int64_t i, int64_t j) {
    return -0.5 * (squared(job, i, j) - job->mean[i] - job->mean[j] + job->all);
}

/* y = S x, TILE rows at a time. */
static void multiply_tile(void *argument, int64_t chunk, int thread) {
    scaling_job *job = argument;
    double *tile = job->tiles[thread];
    int64_t begin, end, count = job->count;
    dgmi_chunk(count, TILE, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < count; j++)
            tile[(i - begin) * count + j] = squared(job, i, j);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)job->columns, (int)(end - begin),
                (int)count, 1, job->x, (int)count, tile, (int)count, 0, job->y + begin, (int)count);
}

static void centre(double *x, int64_t count, double factor) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i];
    for (int64_t i = 0; i < count; i++)
        x[i] = factor * (x[i] - sum / (double)count);
}

static dgm_status multiply(void *user, int64_t columns, const double *x, double *y) {
    scaling_job *job = user;
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    int64_t count = job->count;
    double *from = dgmi_scratch(job->ctx, columns * count, sizeof *from);
    dgm_status status = from ? dgmi_progress(job->ctx, "scaling", -1) : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        memcpy(from, x, (size_t)(columns * count) * sizeof *from);
        for (int64_t c = 0; c < columns; c++)
            centre(from + c * count, count, 1);
        job->x = from;
        job->y = y;
        job->columns = columns;
        dgmi_parallel(job->ctx, dgmi_chunks(count, TILE), multiply_tile, job);
        for (int64_t c = 0; c < columns; c++)
            centre(y + c * count, count, -0.5);
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* ---- eigenvectors ---- */

static dgm_status solve_whole(scaling_job *job) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    int64_t count = job->count;
    double *matrix = dgmi_scratch(job->ctx, count * count, sizeof *matrix);
    for (int64_t i = 0; matrix && i < count; i++)
        for (int64_t j = 0; j < count; j++)
            matrix[i * count + j] = centred(job, i, j);
    dgm_status status = matrix ? dgmi_spectral_symmetric_top(job->ctx, count, matrix, job->found,
                                                             job->scaling->values, job->vectors)
                               : DGM_ERROR_MEMORY;
    dgmi_arena_release(job->ctx, hold);
    return status;
}

static dgm_status solve_products(scaling_job *job, uint64_t seed) {
    int64_t width = job->found + EXTRA;
    const dgmi_spectral_krylov_request request = {
        .count = job->found,
        .tolerance = TOLERANCE,
        .products = PRODUCTS,
        .width = width,
        .most = width * BLOCKS < job->count ? width * BLOCKS : job->count,
        .seed = seed};
    dgmi_spectral_krylov_report report;
    int threads = dgm_context_threads(job->ctx);
    job->tiles = dgmi_scratch(job->ctx, threads, sizeof(double *));
    if (!job->tiles)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < threads; t++) {
        job->tiles[t] = dgmi_scratch(job->ctx, TILE * job->count, sizeof(double));
        if (!job->tiles[t])
            return DGM_ERROR_MEMORY;
    }
    dgm_status status = dgmi_spectral_krylov_top(job->ctx, job->count, multiply, job, &request,
                                                 job->scaling->values, job->vectors, &report);
    if (status == DGM_OK && !report.converged)
        dgmi_note(job->ctx, "isomap: axes are exact to a residual of %.2g of the largest, not %.2g",
                  report.residual, TOLERANCE);
    return status;
}

/* The entry of largest size is made positive. */
static void fix_sign(double *x, int64_t size) {
    int64_t largest = 0;
    for (int64_t i = 1; i < size; i++)
        if (fabs(x[i]) > fabs(x[largest]) * (1 + 1e-6))
            largest = i;
    if (x[largest] < 0)
        cblas_dscal((int)size, -1, x, 1);
}

/* ---- places ---- */

static void place_chunk(void *argument, int64_t chunk, int thread) {
    scaling_job *job = argument;
    dgmi_reduce_scaling *scaling = job->scaling;
    int64_t begin, end, rows = scaling->rows, dim = scaling->dim;
    (void)thread;
    dgmi_chunk(rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = 0; i < job->count; i++)
        for (int64_t v = begin; v < end; v++) {
            double length = scaling->lengths[i * rows + v];
            double beyond = length * length - job->mean[i];
            for (int64_t c = 0; c < job->found; c++)
                scaling->axes[v * dim + c] -= 0.5 * job->vectors[c * job->count + i] * beyond;
        }
}

/* Where the value is rounding, vectors are 0 and so are the places. */
static void place_points(scaling_job *job) {
    dgmi_reduce_scaling *scaling = job->scaling;
    for (int64_t c = 0; c < job->found; c++) {
        double value = scaling->values[c], *v = job->vectors + c * job->count;
        bool real = value > ROUNDING * scaling->values[0]; /* never where the first is below 0 */
        fix_sign(v, job->count);
        cblas_dscal((int)job->count, real ? 1 / sqrt(value) : 0, v, 1);
        scaling->values[c] = real ? value : 0;
    }
    dgmi_parallel(job->ctx, dgmi_chunks(scaling->rows, GRAIN), place_chunk, job);
}

/* ---- how good they are ---- */

enum { SUM_X, SUM_Y, SUM_XX, SUM_YY, SUM_XY, SUM_BB, SUMS };

static void sum_row(const scaling_job *job, int64_t i, double *sums) {
    const dgmi_reduce_scaling *scaling = job->scaling;
    int64_t dim = scaling->dim, rows = scaling->rows;
    const double *from = scaling->axes + scaling->sources[i] * dim;
    for (int64_t v = 0; v < rows; v++) {
        double x = scaling->lengths[i * rows + v], y = 0;
        for (int64_t c = 0; c < dim; c++) {
            double apart = scaling->axes[v * dim + c] - from[c];
            y += apart * apart;
        }
        y = sqrt(y);
        sums[SUM_X] += x;
        sums[SUM_Y] += y;
        sums[SUM_XX] += x * x;
        sums[SUM_YY] += y * y;
        sums[SUM_XY] += x * y;
    }
    for (int64_t j = 0; j < job->count; j++) {
        double product = centred(job, i, j);
        sums[SUM_BB] += product * product;
    }
}

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    scaling_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        sum_row(job, i, job->sums + chunk * SUMS);
}

static dgm_status measure(scaling_job *job) {
    dgmi_reduce_scaling *scaling = job->scaling;
    int64_t chunks = dgmi_chunks(job->count, GRAIN);
    double all[SUMS] = {0}, pairs = (double)job->count * (double)scaling->rows;
    job->sums = dgmi_scratch_zero(job->ctx, chunks * SUMS, sizeof *job->sums);
    if (!job->sums)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(job->ctx, chunks, sum_chunk, job);
    for (int64_t i = 0; i < chunks * SUMS; i++)
        all[i % SUMS] += job->sums[i];
    double xx = all[SUM_XX] - all[SUM_X] * all[SUM_X] / pairs;
    double yy = all[SUM_YY] - all[SUM_Y] * all[SUM_Y] / pairs;
    double xy = all[SUM_XY] - all[SUM_X] * all[SUM_Y] / pairs;
    scaling->variance = xx > 0 && yy > 0 ? fmax(0, 1 - xy * xy / (xx * yy)) : xx > 0;
    for (int64_t c = 0; c < job->found; c++)
        all[SUM_BB] -= scaling->values[c] * scaling->values[c];
    scaling->error = sqrt(fmax(0, all[SUM_BB])) / (double)job->count;
    return DGM_OK;
}

dgm_status dgmi_reduce_scaling_run(dgm_context *ctx, uint64_t seed, dgmi_reduce_scaling *scaling) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t count = scaling->count;
    scaling_job job = {.ctx = ctx,
                       .scaling = scaling,
                       .count = count,
                       .found = scaling->dim < count ? scaling->dim : count,
                       .mean = dgmi_scratch(ctx, count, sizeof(double))};
    job.vectors = dgmi_scratch(ctx, job.found * count, sizeof(double));
    dgm_status status = job.mean && job.vectors ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        find_means(&job);
        status = count <= WHOLE ? solve_whole(&job) : solve_products(&job, seed);
    }
    if (status == DGM_OK) {
        place_points(&job);
        status = measure(&job);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
