/* SPDX-License-Identifier: Apache-2.0 */
/* The fuzzy graph of neighbours: each point measures distances in its own units, so that the
 * nearest neighbour belongs to it wholly and the sum of memberships is the same everywhere; then
 * two points are joined if either holds the other: w + w' - w w'.
 */
#include "reduce_umap.h"

#include <math.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 256, BISECTIONS = 64 };
#define SUM_TOLERANCE  1e-5 /* of log2(k + 1) */
#define SMALLEST_SCALE 1e-3 /* of sigma, as a share of the mean distance */

/* Directed memberships: row i has k entries, or rows of any length after turning. */
typedef struct {
    int64_t *offsets;
    uint32_t *columns;
    double *values;
} fuzzy_rows;

/* ---- one point's units ---- */

static double sum_memberships(int64_t k, const float *distances, double rho, double sigma) {
    double sum = 0;
    for (int64_t j = 0; j < k; j++) {
        double beyond = (double)distances[j] - rho;
        sum += beyond > 0 ? exp(-beyond / sigma) : 1;
    }
    return sum;
}

void dgmi_reduce_umap_smooth(int64_t k, const float *distances, double mean, double *rho,
                             double *sigma) {
    double low = 0, high = INFINITY, middle = 1, own = 0, target = log2((double)(k + 1));
    *rho = 0;
    for (int64_t j = 0; j < k; j++) {
        if (*rho == 0)
            *rho = distances[j];
        own += distances[j];
    }
    own /= (double)(k + 1);
    for (int i = 0; i < BISECTIONS; i++) {
        double sum = sum_memberships(k, distances, *rho, middle);
        if (fabs(sum - target) < SUM_TOLERANCE)
            break;
        if (sum > target)
            high = middle;
        else
            low = middle;
        middle = isinf(high) ? middle * 2 : (low + high) / 2;
    }
    *sigma = fmax(middle, SMALLEST_SCALE * (*rho > 0 ? own : mean));
}

typedef struct {
    const dgm_neighbours *neighbours;
    int64_t rows, k;
    double mean;
    double *values; /* rows * k: memberships */
} smooth_job;

static void smooth_chunk(void *argument, int64_t chunk, int thread) {
    smooth_job *job = argument;
    const float *distances = dgm_neighbours_distances(job->neighbours);
    int64_t begin, end, k = job->k;
    (void)thread;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double rho, sigma;
        dgmi_reduce_umap_smooth(k, distances + i * k, job->mean, &rho, &sigma);
        for (int64_t j = i * k; j < (i + 1) * k; j++) {
            double beyond = (double)distances[j] - rho;
            job->values[j] = beyond <= 0 || sigma == 0 ? 1 : exp(-beyond / sigma);
        }
    }
}

static double mean_distance(const dgm_neighbours *neighbours) {
    int64_t rows = dgm_neighbours_rows(neighbours), k = dgm_neighbours_k(neighbours);
    const float *distances = dgm_neighbours_distances(neighbours);
    double sum = 0;
    for (int64_t i = 0; i < rows * k; i++)
        sum += distances[i];
    return sum / (double)(rows * (k + 1));
}

/* ---- both directions ---- */

/* The entries of `from` by column; those of a row are then ordered by the row that they came from.
 */
static dgm_status turn(dgm_context *ctx, int64_t rows, const fuzzy_rows *from, fuzzy_rows *to) {
    int64_t entries = from->offsets[rows];
    to->offsets = dgmi_scratch_zero(ctx, rows + 2, sizeof *to->offsets);
    to->columns = dgmi_scratch(ctx, entries, sizeof *to->columns);
    to->values = dgmi_scratch(ctx, entries, sizeof *to->values);
    if (!to->offsets || !to->columns || !to->values)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < entries; e++)
        to->offsets[from->columns[e] + 2]++;
    for (int64_t i = 2; i <= rows; i++)
        to->offsets[i] += to->offsets[i - 1];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = from->offsets[i]; e < from->offsets[i + 1]; e++) {
            int64_t place = to->offsets[from->columns[e] + 1]++;
            to->columns[place] = (uint32_t)i;
            to->values[place] = from->values[e];
        }
    assert(to->offsets[0] == 0 && to->offsets[rows] == entries);
    return DGM_OK;
}

typedef struct {
    int64_t rows;
    fuzzy_rows out, in; /* sorted */
    int64_t *offsets;   /* of the union: counts at i + 1, then starts */
    uint32_t *columns;  /* NULL: count only */
    double *values;
} union_job;

/* The union of two sorted rows; returns its length. */
static int64_t unite_row(const union_job *job, int64_t row, int64_t place) {
    int64_t a = job->out.offsets[row], a_end = job->out.offsets[row + 1], start = place;
    int64_t b = job->in.offsets[row], b_end = job->in.offsets[row + 1];
    assert(a <= a_end && b <= b_end);
    while (a < a_end || b < b_end) {
        uint32_t left = a < a_end ? job->out.columns[a] : UINT32_MAX;
        uint32_t right = b < b_end ? job->in.columns[b] : UINT32_MAX;
        double w = left <= right ? job->out.values[a++] : 0;
        double v = right <= left ? job->in.values[b++] : 0;
        if (job->columns) {
            job->columns[place] = left < right ? left : right;
            job->values[place] = w + v - w * v;
        }
        place++;
    }
    return place - start;
}

static void count_chunk(void *argument, int64_t chunk, int thread) {
    union_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->offsets[i + 1] = unite_row(job, i, 0);
}

static void unite_chunk(void *argument, int64_t chunk, int thread) {
    union_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        unite_row(job, i, job->offsets[i]);
}

static dgm_status unite(dgm_context *ctx, union_job *job) {
    int64_t rows = job->rows, chunks = dgmi_chunks(rows, GRAIN);
    job->offsets = dgmi_scratch_zero(ctx, rows + 1, sizeof *job->offsets);
    if (!job->offsets)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, count_chunk, job);
    for (int64_t i = 0; i < rows; i++)
        job->offsets[i + 1] += job->offsets[i];
    job->columns = dgmi_scratch(ctx, job->offsets[rows], sizeof *job->columns);
    job->values = dgmi_scratch(ctx, job->offsets[rows], sizeof *job->values);
    if (!job->columns || !job->values)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, unite_chunk, job);
    DGMI_ASSERT_WALK(dgmi_rows_sorted(job->offsets, job->columns, rows, rows));
    return DGM_OK;
}

dgm_status dgmi_reduce_umap_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                                  dgmi_spectral_adjacency *out) {
    int64_t rows = dgm_neighbours_rows(neighbours), k = dgm_neighbours_k(neighbours);
    int64_t *starts = dgmi_scratch(ctx, rows + 1, sizeof *starts);
    uint32_t *columns = dgmi_scratch(ctx, rows * k, sizeof *columns);
    smooth_job job = {neighbours, rows, k, mean_distance(neighbours),
                      dgmi_scratch(ctx, rows * k, sizeof(double))};
    union_job both = {.rows = rows};
    if (!starts || !columns || !job.values)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(rows, GRAIN), smooth_chunk, &job);
    for (int64_t i = 0; i <= rows; i++)
        starts[i] = i * k;
    for (int64_t i = 0; i < rows * k; i++)
        columns[i] = dgm_neighbours_indices(neighbours)[i];
    const fuzzy_rows given = {starts, columns, job.values};
    dgm_status status = turn(ctx, rows, &given, &both.in);
    if (status == DGM_OK)
        status = turn(ctx, rows, &both.in, &both.out); /* twice turned, rows are sorted */
    if (status == DGM_OK)
        status = unite(ctx, &both);
    *out = (dgmi_spectral_adjacency){
        .rows = rows, .offsets = both.offsets, .columns = both.columns, .values = both.values};
    return status;
}
