/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate search: Dong, Moses and Li, "Efficient k-nearest neighbor graph construction for
 * generic similarity measures" (2011). A neighbour of a neighbour is likely a neighbour: every
 * point introduces some of those that list it or that it lists to each other, new ones to new and
 * known ones, until the recall of a sample is reached or hardly a list changes.
 *
 * Lists start from the leaves of random projection trees, and points are put in the order of the
 * first tree, so that those that meet lie near each other in memory too. A list is the best of all
 * that was offered, whatever came first; what is drawn by lot is drawn by a hash of the two points:
 * the same bytes come out for any number of threads.
 */
#include "linalg_knn_descent.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "linalg_gaps.h"

enum {
    GRAIN = 1024,
    PANEL = 512,   /* columns at once */
    BATCH = 64,    /* rows at once */
    MOST = 60,     /* new points that a point introduces in a round, and known ones */
    SAMPLE = 1024, /* points whose recall is measured */
    ROUNDS = 20,   /* at most */
};
#define NOBODY UINT32_C(0x7fffffff)
#define FRESH  UINT32_C(0x80000000) /* not introduced yet */
#define STILL  0.0005               /* the share of entries that change when all is found */

/* What a thread needs. */
typedef struct {
    float *panel;    /* dim x PANEL */
    float *squares;  /* BATCH x PANEL */
    uint16_t *below; /* BATCH x blocks of PANEL */
    float limits[PANEL], row_limits[BATCH];
    uint32_t members[PANEL];
    const float *row[BATCH];
    double *exact; /* k */
} space;

/* Some points of each point, drawn by lot: heaps, the highest lot first. */
typedef struct {
    uint32_t *items; /* count x most */
    uint8_t *counts;
} circle;

typedef struct {
    dgm_context *ctx;
    const dgm_knn_options *options;
    const dgmi_gap_kernels *kernels;
    dgmi_knn_points set; /* in the order of the first tree */
    dgmi_knn_search search;
    uint32_t *ids;
    int64_t count, k, most;
    int64_t width;   /* of lists */
    uint32_t *lists; /* count x width: positions, nearest first, and whether they are FRESH */
    float *squares;  /* count x width */
    float *worst;    /* of each list: a point must be nearer */
    circle fresh, known;
    uint64_t salt; /* of this round's lots */
    int64_t changes[DGMI_RANGES];
    space *spaces;
    const dgmi_forest *forest;
    int64_t tree;
    uint32_t *sample; /* positions */
    int64_t sampled;
    float *reached; /* of each of the sample: the true k-th distance */
    dgmi_post *post;
    dgm_neighbours *out;
} descent;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool is_zero(const descent *job, int64_t at) {
    return job->set.metric == DGM_METRIC_COSINE && job->set.size[at] == 0;
}

/* ---- lists ---- */

/* A pair always has the same square, so one that is listed is found where it would be put. */
static bool insert(descent *job, int64_t at, uint32_t other, float square) {
    uint32_t *list = job->lists + at * job->width;
    float *squares = job->squares + at * job->width;
    int64_t low = 0, high = job->width;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        bool before = squares[middle] < square ||
                      (squares[middle] == square && (list[middle] & ~FRESH) < other);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    if (low == job->width || (squares[low] == square && (list[low] & ~FRESH) == other))
        return false;
    size_t moved = (size_t)(job->width - 1 - low);
    memmove(list + low + 1, list + low, moved * sizeof *list);
    memmove(squares + low + 1, squares + low, moved * sizeof *squares);
    list[low] = other | FRESH;
    squares[low] = square;
    job->worst[at] = squares[job->width - 1];
    return true;
}

/* Coordinates of `count` points, side by side; the last block is filled up with the first point,
 * which is below no limit. */
static int64_t fill_panel(const descent *job, space *own, int64_t count) {
    int64_t columns = (count + DGMI_GAP_COLUMNS - 1) / DGMI_GAP_COLUMNS * DGMI_GAP_COLUMNS;
    for (int64_t j = 0; j < columns; j++) {
        const float *row = job->set.rows + own->members[j < count ? j : 0] * job->set.width;
        float *to = own->panel + j;
        for (int64_t c = 0; c < job->set.dim; c++, to += columns)
            *to = row[c];
    }
    return columns;
}

static void measure_gaps(const descent *job, space *own, int64_t rows, int64_t columns) {
    job->kernels->gaps(&(dgmi_gaps){.dim = job->set.dim,
                                    .rows = rows,
                                    .columns = columns,
                                    .row = own->row,
                                    .panel = own->panel,
                                    .row_limits = own->row_limits,
                                    .limits = own->limits,
                                    .squares = own->squares,
                                    .below = own->below});
}

/* ---- the start: all pairs of a leaf ---- */

static void meet_columns(descent *job, space *own, uint32_t at, int64_t row, int64_t count,
                         int64_t columns) {
    const uint16_t *below = own->below + row * (columns / DGMI_GAP_COLUMNS);
    for (int64_t b = 0; b * DGMI_GAP_COLUMNS < count; b++)
        for (unsigned bits = below[b]; bits; bits &= bits - 1) {
            int64_t j = b * DGMI_GAP_COLUMNS + __builtin_ctz(bits);
            if (j >= count || own->members[j] == at)
                continue;
            float square = own->squares[row * columns + j];
            if (is_zero(job, own->members[j]))
                square = 2;
            if (square < job->worst[at])
                insert(job, at, own->members[j], square);
        }
}

static void meet_leaf(void *argument, int64_t leaf, int thread) {
    descent *job = argument;
    space *own = &job->spaces[thread];
    const dgmi_forest *forest = job->forest;
    int64_t begin = dgmi_forest_begin(forest, forest->depth, leaf);
    int64_t end = dgmi_forest_begin(forest, forest->depth, leaf + 1);
    const dgmi_forest_entry *entries = forest->entries + job->tree * job->count;
    if (dgmi_cancelled(job->ctx))
        return;
    for (int64_t first = begin; first < end; first += PANEL) {
        int64_t count = smaller(PANEL, end - first);
        for (int64_t j = 0; j < count; j++)
            own->members[j] = entries[first + j].position;
        for (int64_t j = 0; j < PANEL; j++)
            own->limits[j] = -1;
        int64_t columns = fill_panel(job, own, count);
        for (int64_t batch = begin; batch < end; batch += BATCH) {
            int64_t rows = smaller(BATCH, end - batch);
            for (int64_t i = 0; i < rows; i++) {
                own->row[i] = job->set.rows + entries[batch + i].position * job->set.width;
                own->row_limits[i] = job->worst[entries[batch + i].position];
            }
            measure_gaps(job, own, rows, columns);
            for (int64_t i = 0; i < rows; i++)
                meet_columns(job, own, entries[batch + i].position, i, count, columns);
        }
    }
}

/* ---- who is introduced ---- */

/* Lots do not depend on who asks when. */
static uint64_t lot_of(const descent *job, int64_t at, uint32_t other) {
    uint64_t x = ((uint64_t)at << 32 | other) ^ job->salt;
    x = (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 32) << 32 | other;
}

static void sift_up(const descent *job, int64_t at, uint32_t *heap, int64_t place, uint32_t other) {
    uint64_t lot = lot_of(job, at, other);
    for (int64_t parent; place > 0; place = parent) {
        parent = (place - 1) / 2;
        if (lot_of(job, at, heap[parent]) >= lot)
            break;
        heap[place] = heap[parent];
    }
    heap[place] = other;
}

static void sift_down(const descent *job, int64_t at, uint32_t *heap, int64_t size,
                      uint32_t other) {
    uint64_t lot = lot_of(job, at, other);
    int64_t place = 0;
    for (int64_t child; (child = 2 * place + 1) < size; place = child) {
        if (child + 1 < size && lot_of(job, at, heap[child]) < lot_of(job, at, heap[child + 1]))
            child++;
        if (lot >= lot_of(job, at, heap[child]))
            break;
        heap[place] = heap[child];
    }
    heap[place] = other;
}

static bool is_among(const uint32_t *items, int64_t count, uint32_t other) {
    int found = 0;
    for (int64_t i = 0; i < count; i++)
        found |= items[i] == other;
    return found;
}

/* Whether `other` would be let into the circle of a point. */
static bool is_drawn(const descent *job, const circle *of, int64_t at, uint32_t other) {
    return of->counts[at] < job->most ||
           lot_of(job, at, other) < lot_of(job, at, of->items[at * job->most]);
}

static void offer(const descent *job, circle *of, int64_t at, uint32_t other) {
    uint32_t *heap = of->items + at * job->most;
    int64_t size = of->counts[at];
    if (!is_drawn(job, of, at, other) || is_among(heap, size, other))
        return;
    if (size < job->most)
        sift_up(job, at, heap, of->counts[at]++, other);
    else
        sift_down(job, at, heap, size, other);
}

static void offer_own(void *argument, int64_t chunk, int thread) {
    descent *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        job->fresh.counts[i] = job->known.counts[i] = 0;
        for (int64_t e = i * job->width; e < (i + 1) * job->width; e++)
            if ((job->lists[e] & ~FRESH) != NOBODY)
                offer(job, job->lists[e] & FRESH ? &job->fresh : &job->known, i,
                      job->lists[e] & ~FRESH);
    }
}

/* A point tells those it lists of itself. */
static void write_offers(void *user, int64_t i, dgmi_bag *bag, int thread) {
    descent *job = user;
    (void)thread;
    for (int64_t e = i * job->width; e < (i + 1) * job->width; e++) {
        uint32_t fresh = job->lists[e] & FRESH, other = job->lists[e] & ~FRESH;
        if (other != NOBODY && is_drawn(job, fresh ? &job->fresh : &job->known, other, (uint32_t)i))
            dgmi_post_write(bag, (dgmi_letter){other, (uint32_t)i, {.kind = fresh}});
    }
}

static void read_offer(void *user, int64_t range, const dgmi_letter *letter) {
    descent *job = user;
    (void)range;
    offer(job, letter->kind ? &job->fresh : &job->known, letter->to, letter->from);
}

/* Entries that are introduced now are known from here on. */
static void mark_known(void *argument, int64_t chunk, int thread) {
    descent *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        for (int64_t e = i * job->width; e < (i + 1) * job->width; e++)
            if (job->lists[e] & FRESH && is_among(job->fresh.items + i * job->most,
                                                  job->fresh.counts[i], job->lists[e] & ~FRESH))
                job->lists[e] &= ~FRESH;
}

static dgm_status draw_circles(descent *job, int64_t round) {
    int64_t chunks = dgmi_chunks(job->count, GRAIN);
    job->salt = dgmi_random_bits((uint64_t)job->options->seed, 21, (uint64_t)round);
    dgmi_parallel(job->ctx, chunks, offer_own, job);
    job->post->most = job->width;
    job->post->write = write_offers;
    job->post->read = read_offer;
    dgm_status status = dgmi_post_round(job->post, -1, -1);
    if (status == DGM_OK)
        dgmi_parallel(job->ctx, chunks, mark_known, job);
    return status;
}

/* ---- introductions ---- */

static void write_pair(const descent *job, dgmi_bag *bag, uint32_t a, uint32_t b, float square) {
    if (is_zero(job, a) || is_zero(job, b))
        square = 2;
    if (square < job->worst[a])
        dgmi_post_write(bag, (dgmi_letter){a, b, {.square = square}});
    if (square < job->worst[b])
        dgmi_post_write(bag, (dgmi_letter){b, a, {.square = square}});
}

static void fetch_row(const descent *job, uint32_t at) {
    const char *row = (const char *)(job->set.rows + at * job->set.width);
    for (size_t byte = 0; byte < (size_t)job->set.dim * sizeof(float); byte += 64)
        __builtin_prefetch(row + byte);
    __builtin_prefetch(&job->worst[at]);
}

/* Asks for what the next point will want, which lies anywhere in memory. */
static void fetch_members(const descent *job, int64_t i) {
    if (i >= job->count || job->fresh.counts[i] == 0)
        return;
    for (int64_t j = 0; j < job->fresh.counts[i]; j++)
        fetch_row(job, job->fresh.items[i * job->most + j]);
    for (int64_t j = 0; j < job->known.counts[i]; j++)
        fetch_row(job, job->known.items[i * job->most + j]);
}

/* New points meet new ones, each pair once, and known ones. */
static void introduce(void *user, int64_t i, dgmi_bag *bag, int thread) {
    descent *job = user;
    space *own = &job->spaces[thread];
    int64_t fresh = job->fresh.counts[i], count = fresh + job->known.counts[i];
    uint32_t *members = own->members;
    fetch_members(job, i + 1);
    if (fresh == 0)
        return;
    memcpy(members, job->fresh.items + i * job->most, (size_t)fresh * sizeof *members);
    memcpy(members + fresh, job->known.items + i * job->most,
           (size_t)(count - fresh) * sizeof *members);
    int64_t columns = fill_panel(job, own, count);
    for (int64_t j = 0; j < columns; j++)
        own->limits[j] = j < count ? job->worst[members[j]] : -1;
    for (int64_t j = 0; j < fresh; j++) {
        own->row[j] = job->set.rows + members[j] * job->set.width;
        own->row_limits[j] = own->limits[j];
    }
    measure_gaps(job, own, fresh, columns);
    const uint16_t *below = own->below;
    for (int64_t r = 0; r < fresh; r++)
        for (int64_t b = 0; b < columns; b += DGMI_GAP_COLUMNS)
            for (unsigned bits = *below++; bits; bits &= bits - 1) {
                int64_t j = b + __builtin_ctz(bits);
                if (j > r && j < count && members[j] != members[r])
                    write_pair(job, bag, members[r], members[j], own->squares[r * columns + j]);
            }
}

static void read_pair(void *user, int64_t range, const dgmi_letter *letter) {
    descent *job = user;
    if (letter->square < job->worst[letter->to])
        job->changes[range] += insert(job, letter->to, letter->from, letter->square);
}

/* ---- recall ---- */

static float distance_of(const descent *job, int64_t at, int64_t other) {
    double distance = dgmi_knn_distance(&job->search, at, other);
    return (float)(job->set.metric == DGM_METRIC_L2 ? sqrt(distance) : distance);
}

static dgm_status find_truth(descent *job, const dgmi_knn_frame *frame) {
    dgmi_mark mark = dgmi_arena_mark(job->ctx);
    int64_t dim = job->set.dim, k = job->k;
    dgm_knn_options options = *job->options;
    dgm_neighbours *truth = NULL;
    float *queries = dgmi_scratch(job->ctx, job->sampled * dim, sizeof *queries);
    (void)frame;
    options.k = k + 1; /* itself, or one in its place */
    for (int64_t i = 0; queries && i < job->sampled; i++) {
        int64_t begin = i * job->count / job->sampled, end = (i + 1) * job->count / job->sampled;
        job->sample[i] =
            (uint32_t)(begin + (int64_t)dgmi_random_below((uint64_t)job->options->seed, 22,
                                                          (uint64_t)i, (uint64_t)(end - begin)));
        memcpy(queries + i * dim, job->set.origin + job->ids[job->sample[i]] * dim,
               (size_t)dim * sizeof *queries);
    }
    dgm_status status = queries ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgm_knn_query(job->ctx, job->set.origin, job->count, queries, job->sampled, dim,
                               &options, &truth);
    for (int64_t i = 0; status == DGM_OK && i < job->sampled; i++)
        job->reached[i] = dgm_neighbours_distances(truth)[i * (k + 1) + k];
    dgm_neighbours_free(truth);
    dgmi_arena_release(job->ctx, mark);
    return status;
}

static double measure_recall(const descent *job) {
    int64_t hits = 0;
    for (int64_t i = 0; i < job->sampled; i++) {
        int64_t at = job->sample[i];
        if (is_zero(job, at)) {
            hits += job->k;
            continue;
        }
        for (int64_t e = at * job->width; e < at * job->width + job->k; e++)
            hits += distance_of(job, at, job->lists[e] & ~FRESH) <= job->reached[i];
    }
    return (double)hits / (double)(job->sampled * job->k);
}

/* ---- the end: distances in double, rows in the order of the points ---- */

static void sort_list(double *distances, uint32_t *list, int64_t k) {
    for (int64_t i = 1; i < k; i++) { /* nearly sorted already */
        double distance = distances[i];
        uint32_t index = list[i];
        int64_t j = i;
        for (; j > 0 && (distances[j - 1] > distance ||
                         (distances[j - 1] == distance && list[j - 1] > index));
             j--) {
            distances[j] = distances[j - 1];
            list[j] = list[j - 1];
        }
        distances[j] = distance;
        list[j] = index;
    }
}

/* All points are equally far from the zero vector. */
static void list_first(const descent *job, int64_t at, uint32_t *indices, float *distances) {
    for (int64_t j = 0; j < job->k; j++) {
        indices[j] = (uint32_t)(j < job->ids[at] ? j : j + 1);
        distances[j] = 1;
    }
}

static void finish_list(const descent *job, int64_t at, double *exact, uint32_t *indices,
                        float *distances) {
    const uint32_t *list = job->lists + at * job->width;
    for (int64_t j = 0; j < job->k; j++) {
        exact[j] = dgmi_knn_distance(&job->search, at, list[j] & ~FRESH);
        indices[j] = job->ids[list[j] & ~FRESH];
    }
    sort_list(exact, indices, job->k);
    for (int64_t j = 0; j < job->k; j++)
        distances[j] = (float)(job->set.metric == DGM_METRIC_L2 ? sqrt(exact[j]) : exact[j]);
}

static void finish_chunk(void *argument, int64_t chunk, int thread) {
    descent *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t *indices = job->out->indices + job->ids[i] * job->k;
        float *distances = job->out->distances + job->ids[i] * job->k;
        if (is_zero(job, i))
            list_first(job, i, indices, distances);
        else
            finish_list(job, i, job->spaces[thread].exact, indices, distances);
    }
}

static void finish(descent *job) {
    dgmi_parallel(job->ctx, dgmi_chunks(job->count, GRAIN), finish_chunk, job);
}

/* ---- the search ---- */

static bool take_spaces(descent *job) {
    dgm_context *ctx = job->ctx;
    int threads = dgm_context_threads(ctx);
    job->spaces = dgmi_scratch_zero(ctx, threads, sizeof *job->spaces);
    for (int t = 0; job->spaces && t < threads; t++) {
        space *own = &job->spaces[t];
        own->panel = dgmi_scratch(ctx, job->set.dim * PANEL, sizeof(float));
        own->squares = dgmi_scratch(ctx, (int64_t)BATCH * PANEL, sizeof(float));
        own->below = dgmi_scratch(ctx, (int64_t)BATCH * PANEL / DGMI_GAP_COLUMNS, sizeof(uint16_t));
        own->exact = dgmi_scratch(ctx, job->k, sizeof(double));
        if (!own->panel || !own->squares || !own->below || !own->exact)
            return false;
    }
    return job->spaces != NULL;
}

static dgm_status take_space(descent *job) {
    dgm_context *ctx = job->ctx;
    int64_t n = job->count;
    job->lists = dgmi_scratch(ctx, n * job->width, sizeof *job->lists);
    job->squares = dgmi_scratch(ctx, n * job->width, sizeof *job->squares);
    if (!job->lists || !job->squares)
        return DGM_ERROR_MEMORY;
    job->worst = dgmi_scratch(ctx, n, sizeof *job->worst);
    job->fresh.items = dgmi_scratch(ctx, n * job->most, sizeof(uint32_t));
    job->known.items = dgmi_scratch(ctx, n * job->most, sizeof(uint32_t));
    job->fresh.counts = dgmi_scratch(ctx, n, 1);
    job->known.counts = dgmi_scratch(ctx, n, 1);
    job->sampled = smaller(n, SAMPLE);
    job->sample = dgmi_scratch(ctx, job->sampled, sizeof *job->sample);
    job->reached = dgmi_scratch(ctx, job->sampled, sizeof *job->reached);
    if (!job->worst || !job->fresh.items || !job->known.items || !job->fresh.counts ||
        !job->known.counts || !job->sample || !job->reached || !take_spaces(job))
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n * job->width; i++) {
        job->lists[i] = NOBODY;
        job->squares[i] = INFINITY;
    }
    for (int64_t i = 0; i < n; i++)
        job->worst[i] = is_zero(job, i) ? -1 : INFINITY;
    return DGM_OK;
}

static int64_t leaf_size(const descent *job) {
    return larger(256, 2 * (job->width + 1));
}

/* The order of the points: that of the leaves of a tree. */
static dgm_status order_points(descent *job, const float *points, int64_t dim,
                               const dgmi_knn_frame *frame) {
    dgm_context *ctx = job->ctx;
    int metric = job->options->metric;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgmi_knn_points unordered;
    dgmi_forest tree;
    dgm_status status =
        dgmi_knn_points_make(ctx, metric, points, NULL, job->count, dim, frame, &unordered);
    if (status == DGM_OK)
        status = dgmi_forest_grow(ctx, &unordered, 1, leaf_size(job), (uint64_t)job->options->seed,
                                  0, &tree);
    for (int64_t i = 0; status == DGM_OK && i < job->count; i++)
        job->ids[i] = tree.entries[i].position;
    dgmi_arena_release(ctx, mark);
    if (status == DGM_OK)
        status =
            dgmi_knn_points_make(ctx, metric, points, job->ids, job->count, dim, frame, &job->set);
    job->search = (dgmi_knn_search){&job->set, &job->set, true, job->k};
    return status;
}

static dgm_status start(descent *job, int64_t trees) {
    dgmi_mark mark = dgmi_arena_mark(job->ctx);
    dgmi_forest forest;
    dgm_status status = dgmi_forest_grow(job->ctx, &job->set, trees, leaf_size(job),
                                         (uint64_t)job->options->seed, 1, &forest);
    job->forest = &forest;
    for (job->tree = 0; status == DGM_OK && job->tree < trees; job->tree++) {
        dgmi_parallel(job->ctx, (int64_t)1 << forest.depth, meet_leaf, job);
        status = dgmi_progress(job->ctx, "nearest neighbours", -1);
    }
    job->forest = NULL;
    dgmi_arena_release(job->ctx, mark);
    return status;
}

#include <stdio.h>
static dgm_status descend(descent *job) {
    dgm_status status = dgmi_post_open(job->ctx, job->count, &job->post);
    for (int64_t round = 0; status == DGM_OK && round < ROUNDS; round++) {
        int64_t changes = 0;
        job->out->recall = measure_recall(job);
        if (job->out->recall >= job->options->recall)
            break;
        job->post->user = job;
        status = draw_circles(job, round);
        memset(job->changes, 0, sizeof job->changes);
        job->post->most = job->most * (job->most - 1) + 2 * job->most * job->most;
        job->post->write = introduce;
        job->post->read = read_pair;
        if (status == DGM_OK)
            status = dgmi_post_round(job->post, -1, -1);
        for (int r = 0; r < DGMI_RANGES; r++)
            changes += job->changes[r];
        if ((double)changes <= STILL * (double)(job->count * job->width))
            break;
    }
    return status;
}

dgm_status dgmi_knn_descent(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                            const dgm_knn_options *options, dgm_neighbours *out) {
    descent job_ = {.ctx = ctx,
                    .options = options,
                    .kernels = dgmi_gap_kernels_find(NULL),
                    .count = count,
                    .k = out->k,
                    .most = smaller(MOST, 30),
                    .width = larger(out->k, 30),
                    .out = out},
            *job = &job_;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgmi_knn_frame frame;
    job->ids = dgmi_scratch(ctx, count, sizeof *job->ids);
    dgm_status status = job->ids ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_knn_frame_find(ctx, options->metric, points, count, NULL, 0, dim, &frame);
    if (status == DGM_OK)
        status = order_points(job, points, dim, &frame);
    if (status == DGM_OK)
        status = take_space(job);
    if (status == DGM_OK)
        status = find_truth(job, &frame);
    if (status == DGM_OK)
        status = start(job, 4);
    if (status == DGM_OK)
        status = descend(job);
    out->recall = measure_recall(job);
    if (status == DGM_OK)
        finish(job);
    if (status == DGM_OK)
        dgmi_note(ctx, "nearest neighbours: about %.1f%% of the true ones were found (of a sample)",
                  100 * out->recall);
    dgmi_arena_release(ctx, mark);
    return status;
}
