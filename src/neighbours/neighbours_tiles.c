/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a tile of queries with a tile of points. A product of matrices in single precision gives
 * the scores of all pairs. Pairs that could still be among the k best, if the rounding error is
 * allowed for, become candidates. When there is no room for more, most candidates are dropped,
 * since they are worse than the k-th best. The distances of those that are left in the end are
 * computed again in double precision. So the lists are those of exact arithmetic, whatever cancels
 * in |x|^2 + |y|^2 - 2 x'y, and few pairs are computed twice.
 */
#include "neighbours_neighbours.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "kernels_blas.h"

enum { GRAIN = 4096, LANES = 8, STEP = 32, MORE_ROOM = 128, HALVES = 16 };
enum { TIES = 0x6b6e6e }; /* a stream of random numbers */

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

dgm_status dgmi_neighbours_check(dgm_context *ctx, const char *what, const float *points,
                                 int64_t count, int64_t dim) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
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
    dgmi_arena_release(ctx, hold);
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
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t chunks = dgmi_chunks(count, GRAIN);
    column_job job = {points, count, dim, dgmi_scratch(ctx, chunks * dim, sizeof(double)), NULL};
    if (job.partial) {
        dgmi_parallel(ctx, chunks, sum_chunk, &job);
        for (int64_t i = 0; i < chunks * dim; i++)
            sums[i % dim] += job.partial[i];
    }
    dgmi_arena_release(ctx, hold);
    return job.partial ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status find_reach(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                             const double *middle, double *reach) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t chunks = dgmi_chunks(count, GRAIN);
    column_job job = {points, count, dim, dgmi_scratch(ctx, chunks, sizeof(double)), middle};
    if (job.partial) {
        dgmi_parallel(ctx, chunks, reach_chunk, &job);
        for (int64_t i = 0; i < chunks; i++)
            *reach = fmax(*reach, job.partial[i]);
    }
    dgmi_arena_release(ctx, hold);
    return job.partial ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_neighbours_rescaling_find(dgm_context *ctx, int metric, const float *points,
                                          int64_t count, const float *more, int64_t more_count,
                                          int64_t dim, dgmi_neighbours_rescaling *rescaling) {
    *rescaling = (dgmi_neighbours_rescaling){NULL, 1};
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
    *rescaling = (dgmi_neighbours_rescaling){middle, ldexp(1, -exponent)};
    return status;
}

typedef struct {
    dgmi_neighbours_points *set;
    const dgmi_neighbours_rescaling *rescaling;
} make_job;

static void make_row(const make_job *job, int64_t position) {
    dgmi_neighbours_points *set = job->set;
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
        row[c] = (float)((x[c] - job->rescaling->middle[c]) * job->rescaling->scale);
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

dgm_status dgmi_neighbours_points_make(dgm_context *ctx, int metric, const float *points,
                                       const uint32_t *ids, int64_t count, int64_t dim,
                                       const dgmi_neighbours_rescaling *rescaling,
                                       dgmi_neighbours_points *out) {
    int64_t width = metric == DGM_METRIC_L2 ? dim + 1 : dim;
    assert(count >= 0 && dim >= 0 && (metric == DGM_METRIC_COSINE || rescaling->middle));
    *out = (dgmi_neighbours_points){.count = count,
                                    .dim = dim,
                                    .width = width,
                                    .metric = metric,
                                    .origin = points,
                                    .ids = ids,
                                    .scale = rescaling->scale,
                                    .largest = 1};
    out->rows = dgmi_scratch(ctx, count * width, sizeof *out->rows);
    out->size = dgmi_scratch(ctx, count, sizeof *out->size);
    if (!out->rows || !out->size)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(count, GRAIN), make_chunk, &(make_job){out, rescaling});
    return DGM_OK;
}

static bool take_space(dgm_context *ctx, int64_t width, int64_t k, dgmi_neighbours_space *space) {
    enum { QUERIES = DGMI_NEIGHBOURS_QUERIES };
    space->room = 2 * k + MORE_ROOM;
    space->query = dgmi_scratch(ctx, QUERIES * width, sizeof(float));
    space->scores = dgmi_scratch(ctx, QUERIES * DGMI_NEIGHBOURS_TARGETS, sizeof(float));
    space->least = dgmi_scratch(ctx, QUERIES, sizeof(float));
    space->waiting = dgmi_scratch(ctx, QUERIES * space->room, sizeof *space->waiting);
    space->count = dgmi_scratch(ctx, QUERIES, sizeof(int64_t));
    space->selection = dgmi_scratch(ctx, space->room, sizeof(float));
    space->distances = dgmi_scratch(ctx, QUERIES * k, sizeof(double));
    space->indices = dgmi_scratch(ctx, QUERIES * k, sizeof(uint32_t));
    space->held = dgmi_scratch(ctx, QUERIES, sizeof(int64_t));
    return space->query && space->scores && space->least && space->waiting && space->count &&
           space->selection && space->distances && space->indices && space->held;
}

dgm_status dgmi_neighbours_spaces(dgm_context *ctx, int threads, int64_t width, int64_t k,
                                  dgmi_neighbours_space **out) {
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status != DGM_OK)
        return status;
    *out = dgmi_scratch_zero(ctx, threads, sizeof **out);
    for (int t = 0; *out && t < threads; t++)
        if (!take_space(ctx, width, k, &(*out)[t]))
            return DGM_ERROR_MEMORY;
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

static int64_t row_of(const dgmi_neighbours_points *set, int64_t position) {
    assert(position >= 0 && position < set->count);
    return set->ids ? set->ids[position] : position;
}

double dgmi_neighbours_distance(const dgmi_neighbours_search *search, int64_t query,
                                int64_t target) {
    const dgmi_neighbours_points *from = search->queries, *to = search->points;
    const float *a = from->origin + row_of(from, query) * from->dim;
    const float *b = to->origin + row_of(to, target) * to->dim;
    if (from->metric == DGM_METRIC_L2)
        return square_of(a, b, from->dim);
    return angle_of(a, from->size[query], b, to->size[target], from->dim);
}

/* ---- which of equals is taken ---- */

/* A one-to-one map of rows to ranks, of each query another: among points of which many are equally
 * far, those of smallest index would otherwise be everybody's neighbours. */
typedef struct {
    uint32_t add, factor, back; /* back * factor = 1 */
} rank_rule;

static rank_rule rule_of(const dgmi_neighbours_search *search, int64_t query) {
    if (!search->scatter)
        return (rank_rule){0, 1, 1};
    uint64_t bits = dgmi_random_bits(search->seed, TIES, (uint64_t)row_of(search->queries, query));
    uint32_t factor = (uint32_t)bits | 1, back = factor;
    for (int step = 0; step < 4; step++) /* Newton's: 3 bits are right, then twice as many */
        back *= 2 - factor * back;
    return (rank_rule){(uint32_t)(bits >> 32), factor, back};
}

static uint32_t rank_of(rank_rule rule, uint32_t row) {
    if (rule.factor == 1)
        return row;
    uint32_t rank = (row + rule.add) * rule.factor;
    return (rank ^ rank >> 16) * rule.factor;
}

static uint32_t row_of_rank(rank_rule rule, uint32_t rank) {
    if (rule.factor == 1)
        return rank;
    rank *= rule.back;
    return (rank ^ rank >> 16) * rule.back - rule.add;
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

void dgmi_neighbours_begin(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                           int64_t begin, int64_t end) {
    assert(begin < end && end - begin <= DGMI_NEIGHBOURS_QUERIES);
    int64_t width = search->queries->width;
    memcpy(space->query, search->queries->rows + begin * width,
           (size_t)((end - begin) * width) * sizeof *space->query);
    space->begin = begin;
    for (int64_t i = 0; i < end - begin; i++) {
        space->held[i] = space->count[i] = 0;
        space->least[i] = -INFINITY;
        if (search->queries->metric == DGM_METRIC_L2)
            space->query[(i + 1) * width - 1] = 1; /* which adds -|y'|^2 / 2 to the product */
    }
}

/* Bounds what rounding does to a score: of coordinates moved to the middle, of products and sums.
 * |x'|, |y'| <= the sizes given. */
static double error_of(const dgmi_neighbours_points *set, double size, double largest) {
    double reach = size + largest;
    return (double)(set->dim + 24) * (FLT_EPSILON / 2) * reach * reach + 1e-36;
}

static float round_down(double value) {
    return nextafterf((float)value, -INFINITY);
}

/* The score of a point at a distance, but for the error of scores. */
static float score_of(const dgmi_neighbours_search *search, int64_t query, double distance) {
    const dgmi_neighbours_points *set = search->queries;
    if (set->metric == DGM_METRIC_COSINE)
        return round_down(1 - distance);
    double size = set->size[query], scale = search->points->scale;
    return round_down((size * size - distance * scale * scale) / 2);
}

static int64_t count_from(const float *values, int64_t count, float least) {
    int32_t reached = 0;
    for (int32_t i = 0; i < (int32_t)count; i++)
        reached += values[i] >= least;
    return reached;
}

/* A number that `wanted` of the values reach, and hardly more than these: by halves, without a
 * branch that depends on a value, which takes less time than the exact one. */
static float reached_by(const float *values, int64_t count, int64_t wanted) {
    assert(wanted > 0 && wanted <= count);
    float low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    for (int step = 0; step < HALVES; step++) {
        float middle = low + (high - low) / 2;
        bool enough = count_from(values, count, middle) >= wanted;
        low = enough ? middle : low;
        high = enough ? high : middle;
    }
    return low;
}

static bool any_reaches(const float *scores, float least) {
    int reached = 0;
    for (int i = 0; i < STEP; i++)
        reached |= scores[i] >= least;
    return reached;
}

/* Into the heap of query `i`, by its distance in double. */
static void settle(const dgmi_neighbours_search *search, dgmi_neighbours_space *space, int64_t i,
                   rank_rule rule, int64_t target) {
    int64_t k = search->k;
    double *distances = space->distances + i * k;
    uint32_t *indices = space->indices + i * k;
    double distance = dgmi_neighbours_distance(search, space->begin + i, target);
    uint32_t index = rank_of(rule, (uint32_t)row_of(search->points, target));
    if (space->held[i] < k)
        sift_up(distances, indices, space->held[i]++, distance, index);
    else if (is_nearer(distance, index, distances[0], indices[0]))
        sift_down(distances, indices, k, distance, index);
}

static void settle_all(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                       int64_t i) {
    const dgmi_neighbours_candidate *waiting = space->waiting + i * space->room;
    rank_rule rule = rule_of(search, space->begin + i);
    for (int64_t c = 0; c < space->count[i]; c++)
        settle(search, space, i, rule, waiting[c].target);
    space->count[i] = 0;
}

/* Sends away those that k others surely surpass. */
static void thin_out(dgmi_neighbours_space *space, int64_t i, int64_t k) {
    dgmi_neighbours_candidate *waiting = space->waiting + i * space->room;
    int64_t count = space->count[i], left = 0;
    if (count < k)
        return;
    for (int64_t c = 0; c < count; c++)
        space->selection[c] = waiting[c].lower;
    float least = fmaxf(space->least[i], reached_by(space->selection, count, k));
    for (int64_t c = 0; c < count; c++) {
        waiting[left] = waiting[c];
        left += waiting[c].upper >= least;
    }
    space->least[i] = least;
    space->count[i] = left;
}

/* Where scores are too near to each other to tell, distances in double do. */
static void make_room(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                      int64_t i) {
    int64_t k = search->k;
    thin_out(space, i, k);
    if (space->count[i] <= space->room - MORE_ROOM / 2)
        return;
    settle_all(search, space, i);
    if (space->held[i] == k)
        space->least[i] =
            fmaxf(space->least[i], score_of(search, space->begin + i, space->distances[i * k]));
}

typedef struct {
    const dgmi_neighbours_search *search;
    dgmi_neighbours_space *space;
    int64_t i;     /* of the query in its tile */
    int64_t first; /* position of the first target */
    float error;   /* of a score */
    float cut;     /* scores below this are of no use any more */
} row_search;

static void add_candidate(row_search *row, int64_t target, float score) {
    assert(target >= 0 && !isnan(score));
    dgmi_neighbours_space *space = row->space;
    int64_t i = row->i;
    if (row->search->same && target == space->begin + i)
        return;
    if (space->count[i] == space->room) {
        make_room(row->search, space, i);
        row->cut = space->least[i] - row->error;
    }
    space->waiting[i * space->room + space->count[i]++] =
        (dgmi_neighbours_candidate){score - row->error, score + row->error, (uint32_t)target};
}

static void scan_row(row_search *row, const float *scores, int64_t count) {
    int64_t j = 0;
    for (; j + STEP <= count; j += STEP) {
        if (!any_reaches(scores + j, row->cut))
            continue;
        for (int i = 0; i < STEP; i++)
            if (scores[j + i] >= row->cut)
                add_candidate(row, row->first + j + i, scores[j + i]);
    }
    for (; j < count; j++)
        if (scores[j] >= row->cut)
            add_candidate(row, row->first + j, scores[j]);
}

/* Scores of the tile are known: which of them matter? */
static void meet_row(const dgmi_neighbours_search *search, dgmi_neighbours_space *space, int64_t i,
                     int64_t first, int64_t count, double largest) {
    const dgmi_neighbours_points *set = search->queries;
    double size = set->metric == DGM_METRIC_L2 ? set->size[space->begin + i] : 1;
    row_search row = {.search = search, .space = space, .i = i, .first = first};
    row.error = nextafterf((float)error_of(set, size, largest), INFINITY);
    row.cut = space->least[i] - row.error;
    scan_row(&row, space->scores + i * DGMI_NEIGHBOURS_TARGETS, count);
}

static double largest_size(const dgmi_neighbours_points *set, int64_t first, int64_t last) {
    double largest = 0;
    if (set->metric == DGM_METRIC_COSINE)
        return 1;
    for (int64_t j = first; j < last; j++)
        largest = fmax(largest, set->size[j]);
    return largest;
}

void dgmi_neighbours_meet(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                          int64_t begin, int64_t end, int64_t first, int64_t last) {
    assert(first <= last && begin <= end);
    int width = (int)search->points->width;
    for (; first < last; first += DGMI_NEIGHBOURS_TARGETS) {
        int64_t count =
            last - first < DGMI_NEIGHBOURS_TARGETS ? last - first : DGMI_NEIGHBOURS_TARGETS;
        double largest = largest_size(search->points, first, first + count);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)(end - begin), (int)count, width,
                    1, space->query, width, search->points->rows + first * width, width, 0,
                    space->scores, DGMI_NEIGHBOURS_TARGETS);
        for (int64_t i = 0; i < end - begin; i++)
            meet_row(search, space, i, first, count, largest);
    }
}

int64_t dgmi_neighbours_finish(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                               int64_t i, uint32_t *indices, float *distances) {
    int64_t k = search->k;
    double *heap = space->distances + i * k;
    uint32_t *held = space->indices + i * k;
    rank_rule rule = rule_of(search, space->begin + i);
    thin_out(space, i, k);
    settle_all(search, space, i);
    for (int64_t size = space->held[i]; size > 0; size--) {
        double far = heap[0];
        indices[size - 1] = row_of_rank(rule, held[0]);
        distances[size - 1] = (float)(search->queries->metric == DGM_METRIC_L2 ? sqrt(far) : far);
        sift_down(heap, held, size - 1, heap[size - 1], held[size - 1]);
    }
    return space->held[i];
}
