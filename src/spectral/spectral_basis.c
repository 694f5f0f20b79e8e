/* SPDX-License-Identifier: Apache-2.0 */
/* Products and combinations of a few long columns, with sums over fixed chunks. */
#include "spectral_basis.h"

#include <assert.h>
#include <string.h>

#include "base_memory.h"
#include "base_parallel.h"

/* GRAIN rows of a column stay in the nearest cache, of all columns in the second; TILE rows of all
 * columns stay on the stack. */
enum { GRAIN = 1 << 12, STRIDE = DGMI_SPECTRAL_BASIS_MOST + 1, TILE = 64, LANES = 8 };

typedef struct {
    const dgmi_spectral_basis *basis, *images;
    int64_t first, count, into;
    const double *weights;
    double value;
    const double *from;
    double *x;
    bool dots;
} basis_job;

dgm_status dgmi_spectral_basis_create(dgm_context *ctx, int64_t rows, int64_t columns,
                                      dgmi_spectral_basis *basis) {
    assert(rows >= 0 && columns >= 0 && columns <= DGMI_SPECTRAL_BASIS_MOST);
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

/* to += the first `columns` columns times `weights`, four at a time: what is summed is read and
 * written a quarter as often. */
static void accumulate(int64_t count, int64_t columns, const double *from, int64_t stride,
                       const double *weights, double factor, double *restrict to) {
    int64_t c = 0;
    for (; c + 4 <= columns; c += 4) {
        const double *restrict a = from + c * stride, *restrict b = a + stride;
        const double *restrict p = b + stride, *restrict q = p + stride;
        double wa = factor * weights[c], wb = factor * weights[c + 1];
        double wp = factor * weights[c + 2], wq = factor * weights[c + 3];
        for (int64_t i = 0; i < count; i++)
            to[i] += (wa * a[i] + wb * b[i]) + (wp * p[i] + wq * q[i]);
    }
    for (; c < columns; c++) {
        const double *restrict a = from + c * stride;
        double w = factor * weights[c];
        for (int64_t i = 0; i < count; i++)
            to[i] += w * a[i];
    }
}

/* sums[c] over all chunks, in their order. */
static void reduce(const dgmi_spectral_basis *basis, int64_t count, double *sums) {
    memset(sums, 0, (size_t)count * sizeof *sums);
    for (int64_t chunk = 0; chunk < dgmi_chunks(basis->rows, GRAIN); chunk++)
        for (int64_t c = 0; c < count; c++)
            sums[c] += basis->partials[chunk * STRIDE + c];
}

static double reduce_last(const dgmi_spectral_basis *basis) {
    double sum = 0;
    for (int64_t chunk = 0; chunk < dgmi_chunks(basis->rows, GRAIN); chunk++)
        sum += basis->partials[chunk * STRIDE + DGMI_SPECTRAL_BASIS_MOST];
    return sum;
}

static void dots_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    double *sums = job->basis->partials + chunk * STRIDE;
    for (int64_t c = 0; c < job->count; c++)
        sums[c] =
            dot(end - begin, dgmi_spectral_basis_column(job->basis, c) + begin, job->from + begin);
    sums[DGMI_SPECTRAL_BASIS_MOST] = dot(end - begin, job->from + begin, job->from + begin);
}

double dgmi_spectral_basis_dots(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t count,
                                const double *x, double *dots) {
    assert(count >= 0 && count <= DGMI_SPECTRAL_BASIS_MOST);
    basis_job job = {.basis = basis, .count = count, .from = x};
    dgmi_parallel(ctx, dgmi_chunks(basis->rows, GRAIN), dots_chunk, &job);
    reduce(basis, count, dots);
    return reduce_last(basis);
}

static void subtract_chunk(void *argument, int64_t chunk, int thread) {
    const basis_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->basis->rows, GRAIN, chunk, &begin, &end);
    accumulate(end - begin, job->count, job->basis->values + begin, job->basis->rows, job->weights,
               -1, job->x + begin);
    for (int64_t i = begin; job->value != 1 && i < end; i++)
        job->x[i] *= job->value;
    if (job->dots)
        dots_chunk(argument, chunk, thread);
    else
        job->basis->partials[chunk * STRIDE + DGMI_SPECTRAL_BASIS_MOST] =
            dot(end - begin, job->x + begin, job->x + begin);
}

double dgmi_spectral_basis_subtract(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    int64_t count, const double *weights, double factor, double *x,
                                    double *dots) {
    assert(count >= 0 && count <= DGMI_SPECTRAL_BASIS_MOST);
    basis_job job = {.basis = basis,
                     .count = count,
                     .weights = weights,
                     .value = factor,
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
    accumulate(end - begin, job->count, job->images->values + begin, job->images->rows,
               job->weights, 1, x);
    accumulate(end - begin, job->count, job->basis->values + begin, job->basis->rows, job->weights,
               -job->value, x);
    job->basis->partials[chunk * STRIDE + DGMI_SPECTRAL_BASIS_MOST] = dot(end - begin, x, x);
}

double dgmi_spectral_basis_residual(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    const dgmi_spectral_basis *images, int64_t count,
                                    const double *weights, double value, double *x) {
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
    assert(width > 0 && width <= TILE && begin + width <= job->basis->rows);
    double tile[DGMI_SPECTRAL_BASIS_MOST * TILE];
    memset(tile, 0, (size_t)(job->into * TILE) * sizeof *tile);
    const double *columns = dgmi_spectral_basis_column(job->basis, job->first) + begin;
    for (int64_t i = 0; i < job->into; i++)
        accumulate(width, job->count, columns, job->basis->rows, job->weights + i * job->count, 1,
                   tile + i * TILE);
    for (int64_t i = 0; i < job->into; i++)
        memcpy(dgmi_spectral_basis_column(job->basis, job->first + i) + begin, tile + i * TILE,
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

void dgmi_spectral_basis_combine(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t first,
                                 int64_t count, const double *weights, int64_t into) {
    assert(first >= 0 && into <= count && first + count <= DGMI_SPECTRAL_BASIS_MOST);
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

void dgmi_spectral_basis_scale(dgm_context *ctx, int64_t rows, double factor, double *x) {
    basis_job job = {.count = rows, .value = factor, .x = x};
    dgmi_parallel(ctx, dgmi_chunks(rows, GRAIN), scale_chunk, &job);
}
