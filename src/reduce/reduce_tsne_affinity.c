/* SPDX-License-Identifier: Apache-2.0 */
/* Affinities of t-SNE (van der Maaten and Hinton, 2008): of each point i the nearest neighbours j
 * with p_j|i = exp(-beta_i d_ij^2) / sum, the entropy of which is the logarithm of the perplexity;
 * then p_ij = (p_j|i + p_i|j) / 2n.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_sort.h"
#include "dgm/knn.h"
#include "reduce_reduce.h"
#include "reduce_tsne.h"

enum {
    GRAIN = 256,        /* rows of a chunk */
    STEPS = 200,        /* of the search for beta; fewer than 10 where distances differ */
    AT_ONCE = 64 * 256, /* rows between two reports of progress */
};

/* ---- one row ---- */

/* Weights exp(-beta (d_j^2 - d_0^2)) into p; returns the entropy and its slope by log beta. */
static double entropy_of(int64_t k, const float *distances, double beta, double *p, double *slope) {
    double sum = 0, first = 0, second = 0, nearest = (double)distances[0] * distances[0];
    for (int64_t j = 0; j < k; j++) {
        double above = (double)distances[j] * distances[j] - nearest;
        p[j] = exp(-beta * above);
        sum += p[j];
        first += p[j] * above;
        second += p[j] * above * above;
    }
    for (int64_t j = 0; j < k; j++)
        p[j] /= sum;
    first /= sum;
    second /= sum;
    *slope = -beta * beta * (second - first * first);
    return log(sum) + beta * first;
}

/* Newton's steps on log beta, kept between bounds that close in. */
void dgmi_reduce_affinity_row(int64_t k, const float *distances, double entropy, double *p) {
    assert(k > 0);
    double low = -INFINITY, high = INFINITY, slope, mean = 0;
    for (int64_t j = 0; j < k; j++)
        mean += (double)distances[j] * distances[j] - (double)distances[0] * distances[0];
    double t = mean > 0 ? log((double)k / mean) : 0; /* log beta */
    for (int step = 0; step < STEPS; step++) {
        double excess = entropy_of(k, distances, exp(t), p, &slope) - entropy;
        if (fabs(excess) < 1e-10)
            return;
        if (excess > 0)
            low = t;
        else
            high = t;
        double next = slope < 0 ? t - excess / slope : NAN;
        if (!(next > t - 3 && next < t + 3))
            next = excess > 0 ? t + 3 : t - 3;
        if (next <= low || next >= high)
            next = (low + high) / 2;
        if (next == t || fabs(next) > 700)
            return;
        t = next;
    }
}

int64_t dgmi_reduce_affinity_neighbours(double perplexity, int64_t n) {
    assert(perplexity >= 0 && n > 0);
    double wanted = floor(3 * perplexity + 1);
    return wanted < (double)(n - 1) ? (int64_t)wanted : n - 1;
}

/* ---- all rows ---- */

typedef struct {
    const dgm_neighbours *lists;
    double entropy;
    float *p;         /* rows x k: p_j|i, in the order of the lists */
    uint32_t *sorted; /* rows x k: the lists by index */
    double *rows;     /* of each thread: k entries, twice */
    int64_t first;
    /* links towards a row: those of row j are back[starts[j] ..] */
    const int64_t *starts;
    const uint32_t *back;
    const float *back_p;
    dgmi_reduce_affinities *out;
    double *partial; /* entropy of each chunk */
} affinity_job;

/* Neighbours by index, with their p: insertion sort over pieces is enough for a hundred. */
static void sort_row(int64_t k, uint32_t *columns, float *p) {
    for (int64_t gap = k > 40 ? 40 : 1; gap > 0; gap = gap == 40 ? 13 : gap == 13 ? 4 : gap / 4)
        for (int64_t i = gap; i < k; i++) {
            uint32_t column = columns[i];
            float value = p[i];
            int64_t at = i;
            for (; at >= gap && columns[at - gap] > column; at -= gap) {
                columns[at] = columns[at - gap];
                p[at] = p[at - gap];
            }
            columns[at] = column;
            p[at] = value;
        }
}

static void search_chunk(void *argument, int64_t chunk, int thread) {
    affinity_job *job = argument;
    int64_t k = dgm_neighbours_k(job->lists), rows = dgm_neighbours_rows(job->lists), begin, end;
    double *row = job->rows + thread * k;
    dgmi_chunk(rows, GRAIN, job->first + chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        dgmi_reduce_affinity_row(k, dgm_neighbours_distances(job->lists) + i * k, job->entropy,
                                 row);
        memcpy(job->sorted + i * k, dgm_neighbours_indices(job->lists) + i * k,
               (size_t)k * sizeof *job->sorted);
        for (int64_t j = 0; j < k; j++)
            job->p[i * k + j] = (float)row[j];
        sort_row(k, job->sorted + i * k, job->p + i * k);
    }
}

static dgm_status search_rows(dgm_context *ctx, affinity_job *job) {
    int64_t rows = dgm_neighbours_rows(job->lists), chunks = dgmi_chunks(rows, GRAIN);
    int64_t step = AT_ONCE / GRAIN;
    dgm_status status = DGM_OK;
    for (job->first = 0; status == DGM_OK && job->first < chunks; job->first += step) {
        int64_t left = chunks - job->first;
        dgmi_parallel(ctx, left < step ? left : step, search_chunk, job);
        status = dgmi_progress(ctx, "perplexity", (double)job->first / (double)chunks);
    }
    return status;
}

/* Who has row j among its neighbours, ascending. */
static dgm_status turn_lists(dgm_context *ctx, affinity_job *job) {
    int64_t rows = dgm_neighbours_rows(job->lists), k = dgm_neighbours_k(job->lists);
    int64_t *starts = dgmi_scratch_zero(ctx, rows + 2, sizeof *starts);
    uint32_t *back = dgmi_scratch(ctx, rows * k, sizeof *back);
    float *back_p = dgmi_scratch(ctx, rows * k, sizeof *back_p);
    if (!starts || !back || !back_p)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < rows * k; e++)
        starts[job->sorted[e] + 2]++;
    for (int64_t j = 0; j < rows; j++)
        starts[j + 2] += starts[j + 1];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = i * k; e < (i + 1) * k; e++) {
            int64_t to = starts[job->sorted[e] + 1]++;
            back[to] = (uint32_t)i;
            back_p[to] = job->p[e];
        }
    job->starts = starts;
    assert(starts[0] == 0 && starts[rows] == rows * k);
    job->back = back;
    job->back_p = back_p;
    return DGM_OK;
}

/* The union of the neighbours of i and of those that have i: how many, and where `columns` is not
 * NULL which, with p_j|i + p_i|j. */
static int64_t merge_row(const affinity_job *job, int64_t i, uint32_t *columns, float *values) {
    int64_t k = dgm_neighbours_k(job->lists), count = 0;
    int64_t a = i * k, a_end = a + k, b = job->starts[i], b_end = job->starts[i + 1];
    while (a < a_end || b < b_end) {
        uint32_t left = a < a_end ? job->sorted[a] : UINT32_MAX;
        uint32_t right = b < b_end ? job->back[b] : UINT32_MAX;
        float value = 0;
        if (left <= right)
            value += job->p[a++];
        if (right <= left)
            value += job->back_p[b++];
        if (columns) {
            columns[count] = left < right ? left : right;
            values[count] = value;
        }
        count++;
    }
    return count;
}

static void count_chunk(void *argument, int64_t chunk, int thread) {
    affinity_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->out->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->out->offsets[i + 1] = merge_row(job, i, NULL, NULL);
}

static void merge_chunk(void *argument, int64_t chunk, int thread) {
    affinity_job *job = argument;
    dgmi_reduce_affinities *out = job->out;
    double scale = 1 / (2 * (double)out->rows), entropy = 0;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(out->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        merge_row(job, i, out->columns + out->offsets[i], out->values + out->offsets[i]);
        for (int64_t e = out->offsets[i]; e < out->offsets[i + 1]; e++) {
            double p = (double)out->values[e] * scale;
            out->values[e] = (float)p;
            entropy += p > 0 ? p * log(p) : 0;
        }
    }
    job->partial[chunk] = entropy;
}

static dgm_status merge_rows(dgm_context *ctx, affinity_job *job) {
    dgmi_reduce_affinities *out = job->out;
    int64_t chunks = dgmi_chunks(out->rows, GRAIN);
    job->partial = dgmi_scratch(ctx, chunks, sizeof *job->partial);
    out->offsets = dgmi_alloc_zero(ctx, out->rows + 1, sizeof *out->offsets);
    if (!job->partial || !out->offsets)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, count_chunk, job);
    for (int64_t i = 0; i < out->rows; i++)
        out->offsets[i + 1] += out->offsets[i];
    out->columns = dgmi_alloc(ctx, out->offsets[out->rows], sizeof *out->columns);
    out->values = dgmi_alloc(ctx, out->offsets[out->rows], sizeof *out->values);
    if (!out->columns || !out->values)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, merge_chunk, job);
    DGMI_ASSERT_WALK(dgmi_rows_sorted(out->offsets, out->columns, out->rows, out->rows));
    for (int64_t c = 0; c < chunks; c++)
        out->entropy += job->partial[c];
    return DGM_OK;
}

/* ---- equal rows ---- */

typedef struct {
    const float *values;
    int64_t rows, columns;
    uint64_t *keys; /* equal for equal rows, and hardly ever else */
    uint32_t *order;
    float *copies;
} copies_job;

static void hash_chunk(void *argument, int64_t chunk, int thread) {
    const copies_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint64_t hash = 0;
        for (int64_t c = 0; c < job->columns; c++) {
            float value = job->values[i * job->columns + c] + 0.0F; /* -0 is 0 */
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 29;
        }
        job->keys[i] = hash;
        job->order[i] = (uint32_t)i;
    }
}

static bool equal_rows(const copies_job *job, uint32_t a, uint32_t b) {
    const float *x = job->values + a * job->columns, *y = job->values + b * job->columns;
    for (int64_t c = 0; c < job->columns; c++)
        if (x[c] != y[c])
            return false;
    return true;
}

/* Equal rows stand together by now. True if there are any. */
static bool count_runs(const copies_job *job) {
    bool any = false;
    for (int64_t begin = 0, end; begin < job->rows; begin = end) {
        for (end = begin + 1; end < job->rows && job->keys[end] == job->keys[begin] &&
                              equal_rows(job, job->order[begin], job->order[end]);)
            end++;
        for (int64_t e = begin; e < end; e++)
            job->copies[job->order[e]] = (float)(end - begin);
        any = any || end - begin > 1;
    }
    return any;
}

/* How often each row is there; NULL where none is there twice. */
static dgm_status count_copies(dgm_context *ctx, const dgm_points *points, const float *values,
                               float **out) {
    copies_job job = {.values = values, .rows = points->rows, .columns = points->columns};
    job.keys = dgmi_scratch(ctx, job.rows, sizeof *job.keys);
    job.order = dgmi_scratch(ctx, job.rows, sizeof *job.order);
    job.copies = dgmi_alloc(ctx, job.rows, sizeof *job.copies);
    dgm_status status = job.keys && job.order && job.copies ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        dgmi_parallel(ctx, dgmi_chunks(job.rows, GRAIN), hash_chunk, &job);
        status = dgmi_sort_pairs(ctx, job.keys, job.order, job.rows);
    }
    if (status == DGM_OK && count_runs(&job)) {
        *out = job.copies;
        return DGM_OK;
    }
    dgmi_free(ctx, job.copies);
    return status;
}

/* Lists of neighbours, and which rows are there several times. */
static dgm_status find_neighbours(dgm_context *ctx, const dgm_points *points,
                                  const dgm_tsne_options *options, int64_t k,
                                  dgm_neighbours **lists, float **copies) {
    dgm_knn_options search = DGM_KNN_OPTIONS_INIT;
    const float *values;
    search.k = k;
    search.method = options->neighbours;
    search.seed = options->seed;
    search.scatter = true; /* no point shall be a neighbour of all for its place in the table */
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_reduce_points_floats(ctx, points, &values);
    if (status == DGM_OK)
        status = count_copies(ctx, points, values, copies);
    if (status == DGM_OK)
        status = dgm_knn(ctx, values, points->rows, points->columns, &search, lists);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status make_rows(dgm_context *ctx, affinity_job *job) {
    int64_t rows = dgm_neighbours_rows(job->lists), k = dgm_neighbours_k(job->lists);
    job->p = dgmi_scratch(ctx, rows * k, sizeof *job->p);
    job->sorted = dgmi_scratch(ctx, rows * k, sizeof *job->sorted);
    job->rows = dgmi_scratch(ctx, dgm_context_threads(ctx) * k, sizeof *job->rows);
    if (!job->p || !job->sorted || !job->rows)
        return DGM_ERROR_MEMORY;
    dgm_status status = search_rows(ctx, job);
    if (status == DGM_OK)
        status = turn_lists(ctx, job);
    return status == DGM_OK ? merge_rows(ctx, job) : status;
}

dgm_status dgmi_reduce_affinities_make(dgm_context *ctx, const dgm_points *points,
                                       const dgm_tsne_options *options, double perplexity,
                                       dgmi_reduce_affinities *out) {
    *out = (dgmi_reduce_affinities){.rows = points->rows};
    dgm_neighbours *lists = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t k = dgmi_reduce_affinity_neighbours(perplexity, points->rows);
    dgm_status status = find_neighbours(ctx, points, options, k, &lists, &out->copies);
    if (status == DGM_OK) {
        affinity_job job = {.lists = lists, .entropy = log(perplexity), .out = out};
        out->recall = dgm_neighbours_recall(lists);
        status = make_rows(ctx, &job);
    }
    dgm_neighbours_free(lists);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK)
        dgmi_reduce_affinities_free(ctx, out);
    return status;
}

void dgmi_reduce_affinities_free(dgm_context *ctx, dgmi_reduce_affinities *affinities) {
    dgmi_free(ctx, affinities->offsets);
    dgmi_free(ctx, affinities->columns);
    dgmi_free(ctx, affinities->values);
    dgmi_free(ctx, affinities->copies);
    *affinities = (dgmi_reduce_affinities){0};
}
