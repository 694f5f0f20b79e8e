/* SPDX-License-Identifier: Apache-2.0 */
/* The public calls for nearest neighbours (dgm/knn.h), their options, and the exact search, which
 * compares all pairs of points tile by tile. */
#include "neighbours_neighbours.h"

#include <assert.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_parallel.h"

enum { TILES_AT_ONCE = 64 }; /* between two reports of progress */

static const char *const metric_names[] = {"l2", "cosine", NULL};
static const char *const method_names[] = {"auto",  "exact",   "approximate",
                                           "cells", "descent", NULL};

static const dgm_option knn_options[] = {
    {.name = "knn",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_knn_options, k),
     .minimum = 1,
     .maximum = 10000,
     .argument = "K",
     .help = "the operand is a table of points; join each with its K nearest"},
    {.name = "metric",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_knn_options, metric),
     .choices = metric_names,
     .default_text = "l2",
     .help = "distance between points: Euclidean, or 1 - cos of the angle"},
    {.name = "search",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_knn_options, method),
     .choices = method_names,
     .default_text = "auto",
     .help =
         "look at every pair; at points of near cells; at neighbours of neighbours. approximate: "
         "one of the last two; auto: exact up to the budget"},
    {.name = "budget",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_knn_options, budget),
     .minimum = 0,
     .maximum = (double)DGM_MAX_NODES,
     .default_text = "100000",
     .argument = "N",
     .help = "more points than this are searched approximately"},
    {.name = "recall",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_knn_options, recall),
     .minimum = 0.1,
     .maximum = 1,
     .default_text = "0.95",
     .argument = "R",
     .help = "approximate: look until this share of the neighbours of a sample is found"},
};
static const dgm_option_table knn_table = {"Points", knn_options,
                                           sizeof knn_options / sizeof *knn_options};

const dgm_option_table *dgm_knn_option_table(void) {
    return &knn_table;
}

const char *const *dgm_metric_names(void) {
    return metric_names;
}

/* ---- lists of neighbours ---- */

dgm_status dgmi_neighbours_create(dgm_context *ctx, int64_t rows, int64_t k, dgm_neighbours **out) {
    assert(rows >= 0 && k >= 0);
    *out = NULL;
    dgm_neighbours *lists = dgmi_alloc_zero(ctx, 1, sizeof *lists);
    if (!lists)
        return DGM_ERROR_MEMORY;
    *lists = (dgm_neighbours){.allocator = ctx->allocator, .rows = rows, .k = k, .recall = 1};
    lists->indices = dgmi_alloc_zero(ctx, rows * k, sizeof *lists->indices);
    lists->distances = dgmi_alloc_zero(ctx, rows * k, sizeof *lists->distances);
    if (!lists->indices || !lists->distances) {
        dgm_neighbours_free(lists);
        return DGM_ERROR_MEMORY;
    }
    *out = lists;
    return DGM_OK;
}

void dgm_neighbours_free(dgm_neighbours *neighbours) {
    if (!neighbours)
        return;
    dgm_allocator allocator = neighbours->allocator;
    dgmi_allocator_free(&allocator, neighbours->indices);
    dgmi_allocator_free(&allocator, neighbours->distances);
    dgmi_allocator_free(&allocator, neighbours);
}

int64_t dgm_neighbours_rows(const dgm_neighbours *neighbours) {
    return neighbours->rows;
}

int64_t dgm_neighbours_k(const dgm_neighbours *neighbours) {
    return neighbours->k;
}

const uint32_t *dgm_neighbours_indices(const dgm_neighbours *neighbours) {
    return neighbours->indices;
}

const float *dgm_neighbours_distances(const dgm_neighbours *neighbours) {
    return neighbours->distances;
}

double dgm_neighbours_recall(const dgm_neighbours *neighbours) {
    return neighbours->recall;
}

/* ---- the exact search ---- */

typedef struct {
    dgm_context *ctx;
    dgmi_neighbours_search search;
    dgmi_neighbours_space *spaces;
    dgm_neighbours *out;
    int64_t first_tile;
} exact_job;

static void search_tile(void *argument, int64_t chunk, int thread) {
    exact_job *job = argument;
    dgmi_neighbours_space *space = &job->spaces[thread];
    int64_t begin, end, k = job->search.k;
    if (dgmi_cancelled(job->ctx))
        return;
    dgmi_chunk(job->search.queries->count, DGMI_NEIGHBOURS_QUERIES, job->first_tile + chunk, &begin,
               &end);
    dgmi_neighbours_begin(&job->search, space, begin, end);
    dgmi_neighbours_meet(&job->search, space, begin, end, 0, job->search.points->count);
    for (int64_t i = begin; i < end; i++)
        dgmi_neighbours_finish(&job->search, space, i - begin, job->out->indices + i * k,
                               job->out->distances + i * k);
}

static dgm_status search_all(exact_job *job) {
    int64_t tiles = dgmi_chunks(job->search.queries->count, DGMI_NEIGHBOURS_QUERIES);
    dgm_status status =
        dgmi_neighbours_spaces(job->ctx, dgm_context_threads(job->ctx), job->search.queries->width,
                               job->search.k, &job->spaces);
    for (job->first_tile = 0; status == DGM_OK && job->first_tile < tiles;
         job->first_tile += TILES_AT_ONCE) {
        int64_t left = tiles - job->first_tile;
        dgmi_parallel(job->ctx, left < TILES_AT_ONCE ? left : TILES_AT_ONCE, search_tile, job);
        status =
            dgmi_progress(job->ctx, "nearest neighbours", (double)(tiles - left) / (double)tiles);
    }
    return status;
}

typedef struct {
    const float *points;
    int64_t count;
} point_set;

/* queries.points NULL: the points themselves. */
static dgm_status search_exactly(dgm_context *ctx, point_set points, point_set queries, int64_t dim,
                                 const dgm_knn_options *options, dgm_neighbours *out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_neighbours_rescaling rescaling;
    dgmi_neighbours_points set, asking;
    bool same = !queries.points;
    int metric = options->metric;
    dgm_status status = dgmi_neighbours_rescaling_find(
        ctx, metric, points.points, points.count, queries.points, queries.count, dim, &rescaling);
    if (status == DGM_OK)
        status = dgmi_neighbours_points_make(ctx, metric, points.points, NULL, points.count, dim,
                                             &rescaling, &set);
    if (status == DGM_OK && !same)
        status = dgmi_neighbours_points_make(ctx, metric, queries.points, NULL, queries.count, dim,
                                             &rescaling, &asking);
    if (status == DGM_OK) {
        exact_job job = {.ctx = ctx, .out = out};
        job.search = (dgmi_neighbours_search){.points = &set,
                                              .queries = same ? &set : &asking,
                                              .same = same,
                                              .k = out->k,
                                              .scatter = same && options->scatter,
                                              .seed = (uint64_t)options->seed};
        status = search_all(&job);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the calls ---- */

static dgm_status check_shape(dgm_context *ctx, int64_t count, int64_t dim,
                              const dgm_knn_options *options) {
    dgm_status status = dgm_options_check(ctx, &knn_table, options);
    if (status != DGM_OK)
        return status;
    if (count < 0 || count > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "%lld points cannot be searched; at most %lld can",
                         (long long)count, (long long)DGM_MAX_NODES);
    if (dim < 1 || dim > INT32_MAX - 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "points of %lld coordinates have no neighbours",
                         (long long)dim);
    return DGM_OK;
}

static bool is_exact(const dgm_knn_options *options, int64_t count) {
    if (options->method == DGM_KNN_AUTO)
        return count <= options->budget;
    return options->method == DGM_KNN_EXACT;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

dgm_status dgm_knn(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                   const dgm_knn_options *options, dgm_neighbours **out) {
    dgm_knn_options own = DGM_KNN_OPTIONS_INIT;
    const dgm_knn_options *use = &own;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_knn_options, scatter, options, &own);
    if (status == DGM_OK)
        status = check_shape(ctx, count, dim, use);
    if (status == DGM_OK)
        status = dgmi_neighbours_check(ctx, "points", points, count, dim);
    if (status == DGM_OK)
        status =
            dgmi_neighbours_create(ctx, count, count > 0 ? smaller(use->k, count - 1) : 0, out);
    if (status == DGM_OK && (*out)->k < use->k)
        dgmi_note(ctx, "%lld point%s: each has %lld neighbour%s, not %lld", (long long)count,
                  count == 1 ? "" : "s", (long long)(*out)->k, (*out)->k == 1 ? "" : "s",
                  (long long)use->k);
    if (status == DGM_OK && (*out)->k > 0)
        status = is_exact(use, count) ? search_exactly(ctx, (point_set){points, count},
                                                       (point_set){NULL, 0}, dim, use, *out)
                                      : dgmi_neighbours_cells(ctx, points, count, dim, use, *out);
    if (status != DGM_OK) {
        dgm_neighbours_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_knn_query(dgm_context *ctx, const float *points, int64_t count, const float *queries,
                         int64_t query_count, int64_t dim, const dgm_knn_options *options,
                         dgm_neighbours **out) {
    dgm_knn_options own = DGM_KNN_OPTIONS_INIT;
    const dgm_knn_options *use = &own;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_knn_options, scatter, options, &own);
    if (status == DGM_OK)
        status = check_shape(ctx, count, dim, use);
    if (status == DGM_OK)
        status = check_shape(ctx, query_count, dim, use);
    if (status == DGM_OK)
        status = dgmi_neighbours_check(ctx, "points", points, count, dim);
    if (status == DGM_OK)
        status = dgmi_neighbours_check(ctx, "queries", queries, query_count, dim);
    if (status == DGM_OK)
        status = dgmi_neighbours_create(ctx, query_count, smaller(use->k, count), out);
    if (status == DGM_OK && (*out)->k > 0 && query_count > 0)
        status = search_exactly(ctx, (point_set){points, count}, (point_set){queries, query_count},
                                dim, use, *out);
    if (status != DGM_OK) {
        dgm_neighbours_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_knn_matrix(dgm_context *ctx, const dgm_matrix *points,
                          const dgm_knn_options *options, dgm_neighbours **out) {
    int64_t rows = dgm_matrix_rows(points), columns = dgm_matrix_columns(points);
    const double *values = dgm_matrix_values(points);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    *out = NULL;
    float *rounded = dgmi_scratch(ctx, rows * columns, sizeof *rounded);
    for (int64_t i = 0; rounded && i < rows * columns; i++)
        rounded[i] = (float)values[i];
    dgm_status status =
        rounded ? dgm_knn(ctx, rounded, rows, columns, options, out) : DGM_ERROR_MEMORY;
    dgmi_arena_release(ctx, hold);
    return status;
}
