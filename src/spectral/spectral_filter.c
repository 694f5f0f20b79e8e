/* SPDX-License-Identifier: Apache-2.0 */
/* Applies a polynomial by Chebyshev's iteration for (N - shift) t = r (Golub and Varga 1961). It
 * works in single precision, which moves half the bytes: the result only extends a search space, so
 * its rounding errors do not matter.
 *
 * The computation is in terms of z = B^-1/2 x, where N becomes B^-1 L. A row is then a plain sum
 * over its neighbours, and one product together with one step of the recurrence is one pass,
 *
 *   t[k+1] = t[k] + c (t[k] - t[k-1]) + s (r - (B^-1 L - shift) t[k]),
 *
 * and the null vector is constant, so that L maps it to 0. Rounding errors along it grow fastest.
 * Each pass therefore also sums B t, and the next one subtracts the mean.
 */
#include "spectral_filter.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "spectral_basis.h"
#include "spectral_dense.h"

enum { GRAIN = 1 << 12, PROBES = 16, AHEAD = 32 };

typedef struct {
    const dgmi_spectral_filter *filter;
    double *x;
    float *now;
    float *next; /* holds t[k-1] before */
    float now_mean, before_mean;
    float momentum, step; /* c, s */
    float diagonal, shift;
} filter_job;

/* Four sums at once: one alone waits for its own additions. What is needed `ahead` entries later,
 * in the rows that follow, is asked for already: the neighbours lie anywhere. */
static inline float sum_of_ones(const uint32_t *columns, int64_t count, int64_t ahead,
                                const float *t) {
    float a = 0, b = 0, c = 0, d = 0;
    int64_t e = 0;
    for (; e + 4 <= count; e += 4) {
        const uint32_t *now = columns + e, *later = now + ahead;
        __builtin_prefetch(t + later[0]);
        __builtin_prefetch(t + later[1]);
        __builtin_prefetch(t + later[2]);
        __builtin_prefetch(t + later[3]);
        a += t[now[0]];
        b += t[now[1]];
        c += t[now[2]];
        d += t[now[3]];
    }
    for (; e < count; e++)
        a += t[columns[e]];
    return (a + b) + (c + d);
}

static inline float sum_of_values(const uint32_t *columns, const double *values, int64_t count,
                                  int64_t ahead, const float *t) {
    float even = 0, odd = 0;
    int64_t e = 0;
    for (; e + 2 <= count; e += 2) {
        __builtin_prefetch(t + columns[e + ahead]);
        __builtin_prefetch(t + columns[e + 1 + ahead]);
        even += (float)values[e] * t[columns[e]];
        odd += (float)values[e + 1] * t[columns[e + 1]];
    }
    if (e < count)
        even += (float)values[e] * t[columns[e]];
    return even + odd;
}

static void step_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const filter_job *job = argument;
    const dgmi_spectral_filter *filter = job->filter;
    const dgmi_spectral_adjacency *graph = &filter->laplacian->graph;
    double mass = 0;
    int64_t entries = dgmi_spectral_adjacency_entries(graph);
    int64_t begin, end;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, i);
        int64_t first = graph->offsets[row], count = graph->offsets[row + 1] - first;
        const uint32_t *columns = graph->columns + first;
        int64_t ahead = first + count + AHEAD <= entries ? AHEAD : 0;
        float sum = graph->values
                        ? sum_of_values(columns, graph->values + first, count, ahead, job->now)
                        : sum_of_ones(columns, count, ahead, job->now);
        float own = job->now[row] - job->now_mean, old = job->next[row] - job->before_mean;
        /* (B^-1 L t)_i = N_ii t_i - sum / B_i, where the mean is N_ii times in the sum as well. */
        float image = job->diagonal * job->now[row] - filter->inverse[i] * sum - job->shift * own;
        float next = own + job->momentum * (own - old) + job->step * (filter->right[i] - image);
        job->next[row] = next;
        mass += (double)(next / filter->inverse[i]);
    }
    filter->partials[chunk] = mass;
}

static double sum_chunks(const dgmi_spectral_filter *filter) {
    double sum = 0;
    for (int64_t chunk = 0; chunk < dgmi_chunks(filter->laplacian->graph.rows, GRAIN); chunk++)
        sum += filter->partials[chunk];
    return sum;
}

/* r = B^-1/2 x, and the first step from nothing. */
static void load_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const filter_job *job = argument;
    const dgmi_spectral_filter *filter = job->filter;
    const double *root = filter->laplacian->root;
    int64_t begin, end;
    const dgmi_spectral_adjacency *graph = &filter->laplacian->graph;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, i);
        filter->right[i] = (float)(root ? job->x[i] / root[i] : job->x[i]);
        filter->now[row] = job->step * filter->right[i];
        filter->before[row] = 0;
    }
}

static void store_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const filter_job *job = argument;
    const double *root = job->filter->laplacian->root;
    int64_t begin, end;
    const dgmi_spectral_adjacency *graph = &job->filter->laplacian->graph;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double t = (double)(job->now[dgmi_spectral_adjacency_row(graph, i)] - job->now_mean);
        job->x[i] = root ? t * root[i] : t;
    }
}

/* Shares below the shift grow against those at it, and rounding errors of seven digits suffice to
 * begin with; they must not hide the rest. */
static int64_t choose_degree(double centre, double half, double shift, double lowest) {
    assert(half > 0 && shift < centre - half);
    double growth = acosh((centre - lowest) / half) - acosh((centre - shift) / half);
    double most = growth > 0 ? log(1e6) / growth : DGMI_SPECTRAL_FILTER_DEGREE;
    return most < 2                             ? 2
           : most < DGMI_SPECTRAL_FILTER_DEGREE ? (int64_t)most
                                                : DGMI_SPECTRAL_FILTER_DEGREE;
}

int64_t dgmi_spectral_filter_apply(dgm_context *ctx, const dgmi_spectral_filter *filter,
                                   double shift, double low, double lowest, double *x) {
    double centre = (filter->top + low) / 2, half = (filter->top - low) / 2;
    double sigma = (centre - shift) / half, rho = 1 / sigma;
    int64_t chunks = dgmi_chunks(filter->laplacian->graph.rows, GRAIN);
    int64_t degree = choose_degree(centre, half, shift, lowest);
    filter_job job = {.filter = filter,
                      .x = x,
                      .now = filter->now,
                      .next = filter->before,
                      .step = (float)(1 / (centre - shift)),
                      .diagonal = (float)filter->diagonal,
                      .shift = (float)shift};
    dgmi_parallel(ctx, chunks, load_chunk, &job);
    for (int64_t k = 1; k <= degree; k++) {
        double after = 1 / (2 * sigma - rho);
        job.momentum = (float)(after * rho);
        job.step = (float)(2 * after / half);
        dgmi_parallel(ctx, chunks, step_chunk, &job);
        float *next = job.next;
        job.next = job.now;
        job.now = next;
        job.before_mean = job.now_mean;
        job.now_mean = (float)(sum_chunks(filter) / filter->mass);
        rho = after;
    }
    dgmi_parallel(ctx, chunks, store_chunk, &job);
    return degree;
}

/* ---- the top ---- */

/* T of Lanczos' method: columns 0 and 1 of `basis` are the last two vectors, 2 is the next. Returns
 * the coupling to the vector after the last. */
static double tridiagonalise(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                             const dgmi_spectral_basis *basis, double *scaled, double *matrix) {
    int64_t rows = basis->rows;
    double *before = basis->values, *now = before + rows, *next = now + rows;
    double dots[2], coupling = 0;
    memset(before, 0, (size_t)rows * sizeof *before);
    for (int64_t k = 0; k < PROBES; k++) {
        dgmi_spectral_laplacian_product(ctx, laplacian, now, next, scaled);
        dgmi_spectral_basis_dots(ctx, basis, 2, next, dots);
        dots[0] = coupling;
        matrix[k * PROBES + k] = dots[1];
        coupling = sqrt(dgmi_spectral_basis_subtract(ctx, basis, 2, dots, 1, next, NULL));
        if (k + 1 < PROBES)
            matrix[(k + 1) * PROBES + k] = coupling;
        if (!(coupling > 0))
            break;
        memcpy(before, now, (size_t)rows * sizeof *now);
        memcpy(now, next, (size_t)rows * sizeof *now);
        dgmi_spectral_basis_scale(ctx, rows, 1 / coupling, now);
    }
    return coupling;
}

static dgm_status find_top(dgm_context *ctx, dgmi_spectral_filter *filter, uint64_t seed,
                           double bound) {
    int64_t rows = filter->laplacian->graph.rows;
    double matrix[PROBES * PROBES] = {0}, values[PROBES], vectors[PROBES * PROBES], space[PROBES];
    double square = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_spectral_basis basis;
    double *scaled = dgmi_scratch(ctx, dgmi_spectral_adjacency_numbers(&filter->laplacian->graph),
                                  sizeof *scaled);
    dgm_status status =
        scaled ? dgmi_spectral_basis_create(ctx, rows, 3, &basis) : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        double *now = dgmi_spectral_basis_column(&basis, 1);
        for (int64_t i = 0; i < rows; i++) {
            now[i] = dgmi_random_unit(seed, UINT64_MAX, (uint64_t)i) - 0.5;
            square += now[i] * now[i];
        }
        dgmi_spectral_basis_scale(ctx, rows, 1 / sqrt(square), now);
        double coupling = tridiagonalise(ctx, filter->laplacian, &basis, scaled, matrix);
        filter->top = bound;
        if (dgmi_spectral_dense_eigen(PROBES, matrix, values, vectors, space))
            filter->top =
                fmin(bound, values[PROBES - 1] + coupling * fabs(vectors[PROBES * PROBES - 1]));
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_spectral_filter_create(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                       double diagonal, uint64_t seed, dgmi_spectral_filter *out,
                                       int64_t *products) {
    int64_t rows = laplacian->graph.rows,
            numbers = dgmi_spectral_adjacency_numbers(&laplacian->graph);
    *out = (dgmi_spectral_filter){.laplacian = laplacian, .diagonal = diagonal};
    out->inverse = dgmi_scratch(ctx, rows, sizeof *out->inverse);
    out->right = dgmi_scratch(ctx, rows, sizeof *out->right);
    out->now = dgmi_scratch(ctx, numbers, sizeof *out->now);
    out->before = dgmi_scratch(ctx, numbers, sizeof *out->before);
    out->partials = dgmi_scratch(ctx, dgmi_chunks(rows, GRAIN), sizeof *out->partials);
    if (!out->inverse || !out->right || !out->now || !out->before || !out->partials)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < rows; i++) {
        double b = laplacian->root ? laplacian->root[i] * laplacian->root[i] : 1;
        out->inverse[i] = (float)(1 / b);
        out->mass += b;
    }
    *products += PROBES;
    return find_top(ctx, out, seed, 2 * diagonal);
}
