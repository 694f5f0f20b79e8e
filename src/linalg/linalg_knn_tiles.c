/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of queries against tiles of points. A product of matrices in single precision scores all
 * pairs; a pair whose score, its rounding error allowed for, could still be among the k best is
 * computed anew in double from the points as given. So the lists are those of exact arithmetic,
 * whatever cancels in |x|^2 + |y|^2 - 2 x'y, and few pairs are computed twice.
 */
#include "linalg_knn.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "linalg_blas.h"

enum { GRAIN = 4096, LANES = 8, STEP = 32 };

/* ---- points made ready ---- */

typedef struct {
    const float *points;
    int64_t count, dim;
    int64_t *bad; /* of each chunk: the first entry that is not finite, or -1 */
} check_job;

static void check_chunk(void *argument, int64_t chunk, int thread) {
    check_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    job->bad[chunk] = -1;
    for (int64_t row = begin; row < end; row++) {
        const float *x = job->points + row * job->dim;
        float sum = 0; /* of zeros, unless an entry is NaN or infinite */
        for (int64_t c = 0; c < job->dim; c++)
            sum += x[c] * 0.0F;
        if (sum == 0)
            continue;
        int64_t c = 0;
        while (isfinite(x[c]))
            c++;
        job->bad[chunk] = row * job->dim + c;
        return;
    }
}

dgm_status dgmi_knn_check(dgm_context *ctx, const char *what, const float *points, int64_t count,
                          int64_t dim) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t chunks = dgmi_chunks(count, GRAIN);
    check_job job = {points, count, dim, dgmi_scratch(ctx, chunks, sizeof(int64_t))};
    dgm_status status = job.bad ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        dgmi_parallel(ctx, chunks, check_chunk, &job);
    for (int64_t c = 0; status == DGM_OK && c < chunks; c++)
        if (job.bad[c] >= 0)
            status = dgmi_fail(ctx, DGM_ERROR_DATA,
                               "row %lld, column %lld of the %s is %s, not a finite number",
                               (long long)(job.bad[c] / dim), (long long)(job.bad[c] % dim), what,
                               isnan(points[job.bad[c]]) ? "NaN" : "infinite");
    dgmi_arena_release(ctx, mark);
    return status;
}

/* Adds `points` to the sums of columns, chunk by chunk in order. */
typedef struct {
    const float *points;
    int64_t count, dim;
    double *partial; /* chunks x dim */
    const double *middle;
} column_job;

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    column_job *job = argument;
    double *sum = job->partial + chunk * job->dim;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    memset(sum, 0, (size_t)job->dim * sizeof *sum);
    for (int64_t row = begin; row < end; row++)
        for (int64_t c = 0; c < job->dim; c++)
            sum[c] += job->points[row * job->dim + c];
}

static void reach_chunk(void *argument, int64_t chunk, int thread) {
    column_job *job = argument;
    int64_t begin, end;
    double reach = 0;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t row = begin; row < end; row++)
        for (int64_t c = 0; c < job->dim; c++)
            reach = fmax(reach, fabs(job->points[row * job->dim + c] - job->middle[c]));
    job->partial[chunk] = reach;
}

static dgm_status add_columns(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                              double *sums) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t chunks = dgmi_chunks(count, GRAIN);
    column_job job = {points, count, dim, dgmi_scratch(ctx, chunks * dim, sizeof(double)), NULL};
    if (job.partial) {
        dgmi_parallel(ctx, chunks, sum_chunk, &job);
        for (int64_t i = 0; i < chunks * dim; i++)
            sums[i % dim] += job.partial[i];
    }
    dgmi_arena_release(ctx, mark);
    return job.partial ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status find_reach(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                             const double *middle, double *reach) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t chunks = dgmi_chunks(count, GRAIN);
    column_job job = {points, count, dim, dgmi_scratch(ctx, chunks, sizeof(double)), middle};
    if (job.partial) {
        dgmi_parallel(ctx, chunks, reach_chunk, &job);
        for (int64_t i = 0; i < chunks; i++)
            *reach = fmax(*reach, job.partial[i]);
    }
    dgmi_arena_release(ctx, mark);
    return job.partial ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_knn_frame_find(dgm_context *ctx, int metric, const float *points, int64_t count,
                               const float *more, int64_t more_count, int64_t dim,
                               dgmi_knn_frame *frame) {
    *frame = (dgmi_knn_frame){NULL, 1};
    if (metric == DGM_METRIC_COSINE)
        return DGM_OK;
    double *middle = dgmi_scratch_zero(ctx, dim, sizeof *middle), reach = 0;
    dgm_status status = middle ? add_columns(ctx, points, count, dim, middle) : DGM_ERROR_MEMORY;
    for (int64_t c = 0; status == DGM_OK && c < dim; c++)
        middle[c] /= (double)(count > 0 ? count : 1);
    if (status == DGM_OK)
        status = find_reach(ctx, points, count, dim, middle, &reach);
    if (status == DGM_OK && more)
        status = find_reach(ctx, more, more_count, dim, middle, &reach);
    int exponent = 0;
    if (reach > 0)
        frexp(reach, &exponent); /* a power of two: scaling rounds nothing */
    *frame = (dgmi_knn_frame){middle, ldexp(1, -exponent)};
    return status;
}

typedef struct {
    dgmi_knn_points *set;
    const dgmi_knn_frame *frame;
} make_job;

static void make_row(const make_job *job, int64_t position) {
    dgmi_knn_points *set = job->set;
    int64_t dim = set->dim, from = set->ids ? set->ids[position] : position;
    const float *x = set->origin + from * dim;
    float *row = set->rows + position * set->width;
    double square = 0;
    if (set->metric == DGM_METRIC_COSINE) {
        for (int64_t c = 0; c < dim; c++)
            square += (double)x[c] * x[c];
        double inverse = square > 0 ? 1 / sqrt(square) : 0;
        for (int64_t c = 0; c < dim; c++)
            row[c] = (float)(x[c] * inverse);
        set->size[position] = inverse;
        return;
    }
    for (int64_t c = 0; c < dim; c++) {
        row[c] = (float)((x[c] - job->frame->middle[c]) * job->frame->scale);
        square += (double)row[c] * row[c];
    }
    row[dim] = (float)(-square / 2);
    set->size[position] = sqrt(square);
}

static void make_chunk(void *argument, int64_t chunk, int thread) {
    make_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->set->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        make_row(job, i);
}

dgm_status dgmi_knn_points_make(dgm_context *ctx, int metric, const float *points,
                                const uint32_t *ids, int64_t count, int64_t dim,
                                const dgmi_knn_frame *frame, dgmi_knn_points *out) {
    int64_t width = metric == DGM_METRIC_L2 ? dim + 1 : dim;
    *out = (dgmi_knn_points){.count = count,
                             .dim = dim,
                             .width = width,
                             .metric = metric,
                             .origin = points,
                             .ids = ids,
                             .scale = frame->scale,
                             .largest = 1};
    out->rows = dgmi_scratch(ctx, count * width, sizeof *out->rows);
    out->size = dgmi_scratch(ctx, count, sizeof *out->size);
    if (!out->rows || !out->size)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(count, GRAIN), make_chunk, &(make_job){out, frame});
    return DGM_OK;
}

dgm_status dgmi_knn_spaces(dgm_context *ctx, int threads, int64_t width, int64_t k,
                           dgmi_knn_space **out) {
    dgmi_blas_single();
    *out = dgmi_scratch_zero(ctx, threads, sizeof **out);
    for (int t = 0; *out && t < threads; t++) {
        dgmi_knn_space *space = &(*out)[t];
        space->query = dgmi_scratch(ctx, DGMI_KNN_QUERIES * width, sizeof(float));
        space->scores = dgmi_scratch(ctx, DGMI_KNN_QUERIES * DGMI_KNN_TARGETS, sizeof(float));
        space->selection = dgmi_scratch(ctx, DGMI_KNN_TARGETS, sizeof(float));
        space->distances = dgmi_scratch(ctx, DGMI_KNN_QUERIES * k, sizeof(double));
        space->indices = dgmi_scratch(ctx, DGMI_KNN_QUERIES * k, sizeof(uint32_t));
        space->held = dgmi_scratch(ctx, DGMI_KNN_QUERIES, sizeof(int64_t));
        if (!space->query || !space->scores || !space->selection || !space->distances ||
            !space->indices || !space->held)
            return DGM_ERROR_MEMORY;
    }
    return *out ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- distances in double ---- */

static double add_lanes(const double *sum) {
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* |a - b|^2 */
static double square_of(const float *a, const float *b, int64_t dim) {
    double sum[LANES] = {0}, rest = 0;
    int64_t c = 0;
    for (; c + LANES <= dim; c += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double step = (double)a[c + lane] - (double)b[c + lane];
            sum[lane] += step * step;
        }
    for (; c < dim; c++)
        rest += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
    return add_lanes(sum) + rest;
}

/* 1 - cos = |a / |a| - b / |b||^2 / 2, in which nothing cancels; 1 where a vector is zero. */
static double angle_of(const float *a, double by_a, const float *b, double by_b, int64_t dim) {
    double sum[LANES] = {0}, rest = 0;
    int64_t c = 0;
    if (by_a == 0 || by_b == 0)
        return 1;
    for (; c + LANES <= dim; c += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double step = a[c + lane] * by_a - b[c + lane] * by_b;
            sum[lane] += step * step;
        }
    for (; c < dim; c++)
        rest += (a[c] * by_a - b[c] * by_b) * (a[c] * by_a - b[c] * by_b);
    return (add_lanes(sum) + rest) / 2;
}

static int64_t row_of(const dgmi_knn_points *set, int64_t position) {
    return set->ids ? set->ids[position] : position;
}

static double distance_of(const dgmi_knn_search *search, int64_t query, int64_t target) {
    const dgmi_knn_points *from = search->queries, *to = search->points;
    const float *a = from->origin + row_of(from, query) * from->dim;
    const float *b = to->origin + row_of(to, target) * to->dim;
    if (from->metric == DGM_METRIC_L2)
        return square_of(a, b, from->dim);
    return angle_of(a, from->size[query], b, to->size[target], from->dim);
}

/* ---- the k best of a query: a heap, the farthest on top ---- */

static bool is_nearer(double a, uint32_t i, double b, uint32_t j) {
    return a < b || (a == b && i < j);
}

static void sift_down(double *distances, uint32_t *indices, int64_t size, double distance,
                      uint32_t index) {
    int64_t at = 0;
    for (int64_t child; (child = 2 * at + 1) < size; at = child) {
        if (child + 1 < size &&
            is_nearer(distances[child], indices[child], distances[child + 1], indices[child + 1]))
            child++;
        if (!is_nearer(distance, index, distances[child], indices[child]))
            break;
        distances[at] = distances[child];
        indices[at] = indices[child];
    }
    distances[at] = distance;
    indices[at] = index;
}

static void sift_up(double *distances, uint32_t *indices, int64_t at, double distance,
                    uint32_t index) {
    for (int64_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!is_nearer(distances[parent], indices[parent], distance, index))
            break;
        distances[at] = distances[parent];
        indices[at] = indices[parent];
    }
    distances[at] = distance;
    indices[at] = index;
}

/* ---- the meeting of two tiles ---- */

void dgmi_knn_begin(const dgmi_knn_search *search, dgmi_knn_space *space, int64_t begin,
                    int64_t end) {
    int64_t width = search->queries->width;
    memcpy(space->query, search->queries->rows + begin * width,
           (size_t)((end - begin) * width) * sizeof *space->query);
    for (int64_t i = 0; i < end - begin; i++) {
        space->held[i] = 0;
        if (search->queries->metric == DGM_METRIC_L2)
            space->query[(i + 1) * width - 1] = 1; /* which adds -|y'|^2 / 2 to the product */
    }
}

/* Bounds what rounding does to a score: of coordinates moved to the middle, of products and sums.
 * |x'|, |y'| <= the sizes given. */
static double error_of(const dgmi_knn_points *set, double size, double largest) {
    double reach = size + largest;
    return (double)(set->dim + 16) * (FLT_EPSILON / 2) * reach * reach + 1e-36;
}

static float round_down(double value) {
    return nextafterf((float)value, -INFINITY);
}

/* The least score that a point as near as `distance` can have. */
static float least_score(const dgmi_knn_search *search, int64_t query, double distance,
                         double error) {
    const dgmi_knn_points *set = search->queries;
    if (set->metric == DGM_METRIC_COSINE)
        return round_down(1 - distance - error);
    double size = set->size[query], scale = search->points->scale;
    return round_down((size * size - distance * scale * scale) / 2 - error);
}

/* The `rank`-th largest of the values, which are reordered. */
static float select_largest(float *values, int64_t count, int64_t rank) {
    int64_t low = 0, high = count - 1, wanted = rank - 1;
    while (low < high) {
        float pivot = values[(low + high) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (values[i] > pivot)
                i++;
            while (values[j] < pivot)
                j--;
            if (i <= j) {
                float swap = values[i];
                values[i++] = values[j];
                values[j--] = swap;
            }
        }
        if (wanted <= j)
            high = j;
        else if (wanted >= i)
            low = i;
        else
            break;
    }
    return values[wanted];
}

static bool any_reaches(const float *scores, float least) {
    int reached = 0;
    for (int i = 0; i < STEP; i++)
        reached |= scores[i] >= least;
    return reached;
}

typedef struct {
    const dgmi_knn_search *search;
    int64_t query;     /* its position */
    int64_t first;     /* position of the first target */
    double error;      /* of a score */
    float least;       /* scores below this are of no use any more */
    double *distances; /* the heap */
    uint32_t *indices;
    int64_t held;
} row_search;

static void try_target(row_search *row, int64_t target) {
    const dgmi_knn_search *search = row->search;
    int64_t k = search->k;
    if (search->same && target == row->query)
        return;
    double distance = distance_of(search, row->query, target);
    uint32_t index = (uint32_t)row_of(search->points, target);
    if (row->held < k) {
        sift_up(row->distances, row->indices, row->held++, distance, index);
    } else {
        if (!is_nearer(distance, index, row->distances[0], row->indices[0]))
            return;
        sift_down(row->distances, row->indices, k, distance, index);
    }
    if (row->held == k)
        row->least =
            fmaxf(row->least, least_score(search, row->query, row->distances[0], row->error));
}

static void scan_row(row_search *row, const float *scores, int64_t count) {
    int64_t j = 0;
    for (; j + STEP <= count; j += STEP) {
        if (!any_reaches(scores + j, row->least))
            continue;
        for (int i = 0; i < STEP; i++)
            if (scores[j + i] >= row->least)
                try_target(row, row->first + j + i);
    }
    for (; j < count; j++)
        if (scores[j] >= row->least)
            try_target(row, row->first + j);
}

/* Scores of the tile are known: which of them matter? */
static void meet_row(const dgmi_knn_search *search, dgmi_knn_space *space, int64_t query,
                     int64_t begin, int64_t first, int64_t count, double largest) {
    int64_t i = query - begin, k = search->k;
    const float *scores = space->scores + i * DGMI_KNN_TARGETS;
    double size = search->queries->metric == DGM_METRIC_L2 ? search->queries->size[query] : 1;
    row_search row = {.search = search,
                      .query = query,
                      .first = first,
                      .error = error_of(search->queries, size, largest),
                      .least = -INFINITY,
                      .distances = space->distances + i * k,
                      .indices = space->indices + i * k,
                      .held = space->held[i]};
    if (row.held == k) {
        row.least = least_score(search, query, row.distances[0], row.error);
    } else if (count > k + 1) { /* one of them may be the query itself */
        memcpy(space->selection, scores, (size_t)count * sizeof *scores);
        row.least = round_down(select_largest(space->selection, count, k + 1) - 2 * row.error);
    }
    scan_row(&row, scores, count);
    space->held[i] = row.held;
}

static double largest_size(const dgmi_knn_points *set, int64_t first, int64_t last) {
    double largest = 0;
    if (set->metric == DGM_METRIC_COSINE)
        return 1;
    for (int64_t j = first; j < last; j++)
        largest = fmax(largest, set->size[j]);
    return largest;
}

void dgmi_knn_meet(const dgmi_knn_search *search, dgmi_knn_space *space, int64_t begin, int64_t end,
                   int64_t first, int64_t last) {
    int width = (int)search->points->width;
    for (; first < last; first += DGMI_KNN_TARGETS) {
        int64_t count = last - first < DGMI_KNN_TARGETS ? last - first : DGMI_KNN_TARGETS;
        double largest = largest_size(search->points, first, first + count);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)(end - begin), (int)count, width,
                    1, space->query, width, search->points->rows + first * width, width, 0,
                    space->scores, DGMI_KNN_TARGETS);
        for (int64_t query = begin; query < end; query++)
            meet_row(search, space, query, begin, first, count, largest);
    }
}

void dgmi_knn_finish(const dgmi_knn_search *search, dgmi_knn_space *space, int64_t i,
                     uint32_t *indices, float *distances) {
    int64_t k = search->k;
    double *heap = space->distances + i * k;
    uint32_t *held = space->indices + i * k;
    for (int64_t size = space->held[i]; size > 0; size--) {
        double far = heap[0];
        indices[size - 1] = held[0];
        distances[size - 1] = (float)(search->queries->metric == DGM_METRIC_L2 ? sqrt(far) : far);
        sift_down(heap, held, size - 1, heap[size - 1], held[size - 1]);
    }
}
