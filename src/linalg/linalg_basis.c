/* SPDX-License-Identifier: Apache-2.0 */
#include "linalg_basis.h"

#include <string.h>

#include "base_memory.h"
#include "base_parallel.h"

/* GRAIN rows of a column stay in the nearest cache, of all columns in the second; TILE rows of all
 * columns stay on the stack. */
enum { GRAIN = 1 << 12, STRIDE = DGMI_BASIS_MOST + 1, TILE = 16, LANES = 8 };

typedef struct {
    const dgmi_basis *basis, *images;
    int64_t first, count, into;
    const double *weights;
    double value;
    const double *from;
    double *x;
    bool dots;
} basis_job;

dgm_status dgmi_basis_create(dgm_context *ctx, int64_t rows, int64_t columns, dgmi_basis *basis) {
    basis->rows = rows;
    basis->values = dgmi_scratch(ctx, columns, (size_t)rows * sizeof(double));
    basis->partials = dgmi_scratch(ctx, dgmi_chunks(rows, GRAIN), STRIDE * sizeof(double));
    return basis->values && basis->partials ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Sums in lanes, so that the compiler may use vectors. */
static double dot(int64_t count, const double *restrict a, const double *restrict b) {
    double sums[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += a[i + lane] * b[i + lane];
    for (; i < count; i++)
        sums[0] += a[i] * b[i];
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++)
            sums[lane] += sums[lane + half];
    return sums[0];
}

static void add(int64_t count, double factor, const double *restrict from, double *restrict to) {
    for (int64_t i = 0; i < count; i++)
        to[i] += factor * from[i];
}

/* sums[c] over all chunks, in their order. */
static void reduce(const dgmi_basis *basis, int64_t count, double *sums) {
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int64_t chunk = 0; chunk < dgmi_chunks(basis->rows, GRAIN); chunk++)
        for (int64_t c = 0; c < count; c++)
            sums[c] += basis->partials[chunk * STRIDE + c];
}

static double reduce_last(const dgmi_basis *basis) {
    double sum = 0;
    for (int64_t chunk = 0; chunk < dgmi_chunks(basis->rows, GRAIN); chunk++)
        sum += basis->partials[chunk * STRIDE + DGMI_BASIS_MOST];
    return sum;
}

static void dots_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    double *sums = job->basis->partials + chunk * STRIDE;
    for (int64_t c = 0; c < job->count; c++)
        sums[c] = dot(end - begin, dgmi_basis_column(job->basis, c) + begin, job->from + begin);
}

void dgmi_basis_dots(dgm_context *ctx, const dgmi_basis *basis, int64_t count, const double *x,
                     double *dots) {
    basis_job job = {.basis = basis, .count = count, .from = x};
    dgmi_parallel(ctx, dgmi_chunks(basis->rows, GRAIN), dots_chunk, &job);
    reduce(basis, count, dots);
}

static void subtract_chunk(void *argument, int64_t chunk, int thread) {
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    for (int64_t c = 0; c < job->count; c++)
        add(end - begin, -job->weights[c], dgmi_basis_column(job->basis, c) + begin,
            job->x + begin);
    job->basis->partials[chunk * STRIDE + DGMI_BASIS_MOST] =
        dot(end - begin, job->x + begin, job->x + begin);
    if (job->dots)
        dots_chunk(argument, chunk, thread);
}

double dgmi_basis_subtract(dgm_context *ctx, const dgmi_basis *basis, int64_t count,
                           const double *weights, double *x, double *dots) {
    basis_job job = {.basis = basis,
                     .count = count,
                     .weights = weights,
                     .from = x,
                     .x = x,
                     .dots = dots != NULL};
    dgmi_parallel(ctx, dgmi_chunks(basis->rows, GRAIN), subtract_chunk, &job);
    if (dots)
        reduce(basis, count, dots);
    return reduce_last(basis);
}

static void residual_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    double *x = job->x + begin;
    memset(x, 0, (size_t)(end - begin) * sizeof *x);
    for (int64_t c = 0; c < job->count; c++) {
        const double *restrict image = dgmi_basis_column(job->images, c) + begin;
        const double *restrict column = dgmi_basis_column(job->basis, c) + begin;
        for (int64_t i = 0; i < end - begin; i++)
            x[i] += job->weights[c] * (image[i] - job->value * column[i]);
    }
    job->basis->partials[chunk * STRIDE + DGMI_BASIS_MOST] = dot(end - begin, x, x);
}

double dgmi_basis_residual(dgm_context *ctx, const dgmi_basis *basis, const dgmi_basis *images,
                           int64_t count, const double *weights, double value, double *x) {
    basis_job job = {.basis = basis,
                     .images = images,
                     .count = count,
                     .weights = weights,
                     .value = value,
                     .x = x};
    dgmi_parallel(ctx, dgmi_chunks(basis->rows, GRAIN), residual_chunk, &job);
    return reduce_last(basis);
}

static void combine_tile(const basis_job *job, int64_t begin, int64_t width) {
    double tile[DGMI_BASIS_MOST * TILE];
    memset(tile, 0, (size_t)(job->into * TILE) * sizeof *tile);
    for (int64_t c = 0; c < job->count; c++) {
        const double *column = dgmi_basis_column(job->basis, job->first + c) + begin;
        for (int64_t i = 0; i < job->into; i++)
            add(width, job->weights[i * job->count + c], column, tile + i * TILE);
    }
    for (int64_t i = 0; i < job->into; i++)
        memcpy(dgmi_basis_column(job->basis, job->first + i) + begin, tile + i * TILE,
               (size_t)width * sizeof *tile);
}

static void combine_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    for (; begin < end; begin += TILE)
        combine_tile(job, begin, begin + TILE < end ? TILE : end - begin);
}

void dgmi_basis_combine(dgm_context *ctx, const dgmi_basis *basis, int64_t first, int64_t count,
                        const double *weights, int64_t into) {
    basis_job job = {
        .basis = basis, .first = first, .count = count, .into = into, .weights = weights};
    dgmi_parallel(ctx, dgmi_chunks(basis->rows, GRAIN), combine_chunk, &job);
}

static void scale_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->x[i] *= job->value;
}

void dgmi_basis_scale(dgm_context *ctx, int64_t rows, double factor, double *x) {
    basis_job job = {.count = rows, .value = factor, .x = x};
    dgmi_parallel(ctx, dgmi_chunks(rows, GRAIN), scale_chunk, &job);
}
