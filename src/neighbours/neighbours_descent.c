/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbours of neighbours: Dong, Moses and Li, "Efficient k-nearest neighbor graph construction
 * for generic similarity measures" (2011). A neighbour of a neighbour is likely to be a neighbour.
 * Every point takes some of the points that it lists or that list it and compares them with each
 * other, new ones with new and known ones, until the recall of a sample is reached. If lists hardly
 * change before that, they are made longer than k, since a longer list leads to more points.
 *
 * A list holds the best of all that were offered, in whatever order they came, and random draws are
 * a hash of the two points. So the same bytes come out for any number of threads.
 */
#include "neighbours_descent.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "kernels_gaps.h"

enum {
    GRAIN = 1024,
    SLAB = 512,  /* columns at once */
    MOST = 40,   /* new points that a point introduces in a round, and known ones */
    WIDTH = 40,  /* of lists, at least */
    ROUNDS = 40, /* at most */
    WIDENED = 3, /* times, at most */
};
#define NOBODY UINT32_C(0x7fffffff)
#define FRESH  UINT64_C(1) /* not introduced yet */
enum { LOTS = 21 };        /* stream of random numbers */
#define STILL 0.0005       /* the share of entries that change when all is found */

/* What a thread needs. */
typedef struct {
    float *slab;     /* dim x SLAB */
    float *squares;  /* MOST x SLAB */
    uint16_t *below; /* MOST x blocks of SLAB */
    float limits[SLAB], row_limits[MOST];
    uint32_t members[SLAB];
    const float *row[MOST], *column[SLAB];
    double *exact; /* k */
} space;

/* Some points of each point, drawn by lot: heaps, the highest lot first. */
typedef struct {
    uint32_t *items; /* count x MOST */
    uint8_t *counts;
} circle;

typedef struct {
    dgm_context *ctx;
    const dgm_knn_options *options;
    const dgmi_kernels_gap_table *kernels;
    const dgmi_neighbours_points *set;
    dgmi_neighbours_search search;
    const dgmi_neighbours_sample *sample;
    const dgm_neighbours *start;
    uint32_t *positions; /* of each point */
    int64_t count, k;
    int64_t width;   /* of lists */
    uint64_t *lists; /* count x width: entries, nearest first; owned */
    float *worst;    /* of each list: a point must be nearer; -1: none is wanted */
    circle fresh, known;
    uint64_t salt; /* of this round's lots */
    int64_t changes[DGMI_NEIGHBOURS_RANGES];
    space *spaces;
    dgmi_neighbours_post *post;
    dgm_neighbours *out;
} descent;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool is_zero(const descent *job, int64_t at) {
    return job->set->metric == DGM_METRIC_COSINE && job->set->size[at] == 0;
}

/* ---- lists ---- */

/* An entry has the bits of the square of a distance, which are in the order of the squares, then
 * the position, then whether it is new. */
static uint64_t entry_of(float square, uint32_t position) {
    uint32_t bits;
    memcpy(&bits, &square, sizeof bits);
    return (uint64_t)bits << 32 | position << 1 | FRESH;
}

static uint32_t position_of(uint64_t entry) {
    return (uint32_t)entry >> 1;
}

static float square_of(uint64_t entry) {
    uint32_t bits = (uint32_t)(entry >> 32);
    float square;
    memcpy(&square, &bits, sizeof square);
    return square;
}

/* A pair always has the same square, so one that is listed is found where it would be put. */
static bool insert(descent *job, int64_t at, uint32_t other, float square) {
    uint64_t *list = job->lists + at * job->width, entry = entry_of(square, other);
    int64_t low = 0;
    for (int64_t left = job->width; left > 0;) { /* entries from list + low */
        int64_t half = (left + 1) / 2;
        low = (list[low + half - 1] | FRESH) < entry ? low + half : low;
        left -= half;
    }
    if (low == job->width || (list[low] | FRESH) == entry)
        return false;
    memmove(list + low + 1, list + low, (size_t)(job->width - 1 - low) * sizeof *list);
    list[low] = entry;
    job->worst[at] = square_of(list[job->width - 1]);
    return true;
}

/* Members side by side; the last block is filled up with the first of them, which is below no
 * limit there. */
static int64_t fill_slab(const descent *job, space *own, int64_t count) {
    int64_t columns = (count + DGMI_KERNELS_GAP_COLUMNS - 1) / DGMI_KERNELS_GAP_COLUMNS *
                      DGMI_KERNELS_GAP_COLUMNS;
    for (int64_t j = 0; j < columns; j++)
        own->column[j] = job->set->rows + own->members[j < count ? j : 0] * job->set->width;
    job->kernels->lay(job->set->dim, own->column, columns, own->slab);
    return columns;
}

static void measure_gaps(const descent *job, space *own, int64_t rows, int64_t columns) {
    job->kernels->gaps(&(dgmi_kernels_gaps){.dim = job->set->dim,
                                            .rows = rows,
                                            .columns = columns,
                                            .row = own->row,
                                            .slab = own->slab,
                                            .row_limits = own->row_limits,
                                            .limits = own->limits,
                                            .squares = own->squares,
                                            .below = own->below});
}

/* ---- the start ---- */

/* Places of a list after `held` that are filled from the slab. */
static void list_columns(descent *job, space *own, int64_t at, int64_t held, int64_t count) {
    uint64_t *list = job->lists + at * job->width;
    int64_t columns = fill_slab(job, own, count);
    own->row[0] = job->set->rows + at * job->set->width;
    own->row_limits[0] = -1;
    for (int64_t j = 0; j < columns; j++)
        own->limits[j] = -1;
    measure_gaps(job, own, 1, columns);
    for (int64_t j = 0; j < count; j++) {
        float square = is_zero(job, own->members[j]) ? 2 : own->squares[j];
        uint64_t entry = entry_of(square, own->members[j]);
        int64_t place = held + j;
        for (; place > 0 && list[place - 1] > entry; place--) /* they come nearly in order */
            list[place] = list[place - 1];
        list[place] = entry;
    }
}

/* Lists that were found in another way; their squares are computed as all others will be. */
static void start_chunk(void *argument, int64_t chunk, int thread) {
    descent *job = argument;
    space *own = &job->spaces[thread];
    int64_t begin, end, width = job->width;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const uint32_t *row = job->start->indices + job->set->ids[i] * width;
        job->worst[i] = -1;
        if (is_zero(job, i))
            continue;
        for (int64_t first = 0; first < width; first += SLAB) {
            int64_t count = smaller(SLAB, width - first);
            for (int64_t j = 0; j < count; j++)
                own->members[j] = job->positions[row[first + j]];
            list_columns(job, own, i, first, count);
        }
        job->worst[i] = square_of(job->lists[(i + 1) * width - 1]);
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
    return of->counts[at] < MOST || lot_of(job, at, other) < lot_of(job, at, of->items[at * MOST]);
}

static void offer(const descent *job, circle *of, int64_t at, uint32_t other) {
    uint32_t *heap = of->items + at * MOST;
    int64_t size = of->counts[at];
    if (!is_drawn(job, of, at, other) || is_among(heap, size, other))
        return;
    if (size < MOST)
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
            if (position_of(job->lists[e]) != NOBODY)
                offer(job, job->lists[e] & FRESH ? &job->fresh : &job->known, i,
                      position_of(job->lists[e]));
    }
}

/* A point tells those it lists of itself. */
static void write_offers(void *user, int64_t i, dgmi_neighbours_bag *bag, int thread) {
    descent *job = user;
    (void)thread;
    for (int64_t e = i * job->width; e < (i + 1) * job->width; e++) {
        uint32_t fresh = job->lists[e] & FRESH, other = position_of(job->lists[e]);
        if (other != NOBODY && is_drawn(job, fresh ? &job->fresh : &job->known, other, (uint32_t)i))
            dgmi_neighbours_post_write(
                bag, (dgmi_neighbours_letter){other, (uint32_t)i, {.kind = fresh}});
    }
}

static void read_offer(void *user, int64_t range, const dgmi_neighbours_letter *letter) {
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
            if (job->lists[e] & FRESH && is_among(job->fresh.items + i * MOST, job->fresh.counts[i],
                                                  position_of(job->lists[e])))
                job->lists[e] &= ~FRESH;
}

static dgm_status draw_circles(descent *job, int64_t round) {
    int64_t chunks = dgmi_chunks(job->count, GRAIN);
    job->salt = dgmi_random_bits((uint64_t)job->options->seed, LOTS, (uint64_t)round);
    dgmi_parallel(job->ctx, chunks, offer_own, job);
    job->post->most = job->width;
    job->post->write = write_offers;
    job->post->read = read_offer;
    dgm_status status = dgmi_neighbours_post_round(job->post);
    if (status == DGM_OK)
        dgmi_parallel(job->ctx, chunks, mark_known, job);
    return status;
}

/* ---- introductions ---- */

static void write_pair(const descent *job, dgmi_neighbours_bag *bag, uint32_t a, uint32_t b,
                       float square) {
    if (is_zero(job, a) || is_zero(job, b))
        square = 2;
    if (square < job->worst[a])
        dgmi_neighbours_post_write(bag, (dgmi_neighbours_letter){a, b, {.square = square}});
    if (square < job->worst[b])
        dgmi_neighbours_post_write(bag, (dgmi_neighbours_letter){b, a, {.square = square}});
}

static void fetch_row(const descent *job, uint32_t at) {
    const char *row = (const char *)(job->set->rows + at * job->set->width);
    for (size_t byte = 0; byte < (size_t)job->set->dim * sizeof(float); byte += 64)
        __builtin_prefetch(row + byte);
    __builtin_prefetch(&job->worst[at]);
}

/* Asks for what the next point will want, which lies anywhere in memory. */
static void fetch_members(const descent *job, int64_t i) {
    if (i >= job->count || job->fresh.counts[i] == 0)
        return;
    for (int64_t j = 0; j < job->fresh.counts[i]; j++)
        fetch_row(job, job->fresh.items[i * MOST + j]);
    for (int64_t j = 0; j < job->known.counts[i]; j++)
        fetch_row(job, job->known.items[i * MOST + j]);
}

/* New points meet new ones, each pair once, and known ones. */
static void introduce(void *user, int64_t i, dgmi_neighbours_bag *bag, int thread) {
    descent *job = user;
    space *own = &job->spaces[thread];
    int64_t fresh = job->fresh.counts[i], count = fresh + job->known.counts[i];
    uint32_t *members = own->members;
    fetch_members(job, i + 1);
    if (fresh == 0)
        return;
    memcpy(members, job->fresh.items + i * MOST, (size_t)fresh * sizeof *members);
    memcpy(members + fresh, job->known.items + i * MOST, (size_t)(count - fresh) * sizeof *members);
    int64_t columns = fill_slab(job, own, count);
    for (int64_t j = 0; j < columns; j++)
        own->limits[j] = j < count ? job->worst[members[j]] : -1;
    for (int64_t j = 0; j < fresh; j++) {
        own->row[j] = job->set->rows + members[j] * job->set->width;
        own->row_limits[j] = own->limits[j];
    }
    measure_gaps(job, own, fresh, columns);
    const uint16_t *below = own->below;
    for (int64_t r = 0; r < fresh; r++)
        for (int64_t b = 0; b < columns; b += DGMI_KERNELS_GAP_COLUMNS)
            for (unsigned bits = *below++; bits; bits &= bits - 1) {
                int64_t j = b + __builtin_ctz(bits);
                if (j > r && j < count && members[j] != members[r])
                    write_pair(job, bag, members[r], members[j], own->squares[r * columns + j]);
            }
}

static void read_pair(void *user, int64_t range, const dgmi_neighbours_letter *letter) {
    descent *job = user;
    if (letter->square < job->worst[letter->to])
        job->changes[range] += insert(job, letter->to, letter->from, letter->square);
}

/* ---- recall ---- */

static float distance_of(const descent *job, int64_t at, int64_t other) {
    double distance = dgmi_neighbours_distance(&job->search, at, other);
    return (float)(job->set->metric == DGM_METRIC_L2 ? sqrt(distance) : distance);
}

static double measure_recall(const descent *job) {
    int64_t hits = 0;
    for (int64_t i = 0; i < job->sample->count; i++) {
        int64_t at = job->sample->positions[i];
        if (is_zero(job, at)) {
            hits += job->k;
            continue;
        }
        for (int64_t e = at * job->width; e < at * job->width + job->k; e++)
            hits += distance_of(job, at, position_of(job->lists[e])) <= job->sample->reached[i];
    }
    return (double)hits / (double)(job->sample->count * job->k);
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
        indices[j] = (uint32_t)(j < job->set->ids[at] ? j : j + 1);
        distances[j] = 1;
    }
}

static void finish_list(const descent *job, int64_t at, double *exact, uint32_t *indices,
                        float *distances) {
    const uint64_t *list = job->lists + at * job->width;
    for (int64_t j = 0; j < job->k; j++) {
        exact[j] = dgmi_neighbours_distance(&job->search, at, position_of(list[j]));
        indices[j] = job->set->ids[position_of(list[j])];
    }
    sort_list(exact, indices, job->k);
    for (int64_t j = 0; j < job->k; j++)
        distances[j] = (float)(job->set->metric == DGM_METRIC_L2 ? sqrt(exact[j]) : exact[j]);
}

static void finish_chunk(void *argument, int64_t chunk, int thread) {
    descent *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t *indices = job->out->indices + job->set->ids[i] * job->k;
        float *distances = job->out->distances + job->set->ids[i] * job->k;
        if (is_zero(job, i))
            list_first(job, i, indices, distances);
        else
            finish_list(job, i, job->spaces[thread].exact, indices, distances);
    }
}

/* ---- the search ---- */

static bool take_spaces(descent *job) {
    dgm_context *ctx = job->ctx;
    int threads = dgm_context_threads(ctx);
    job->spaces = dgmi_scratch_zero(ctx, threads, sizeof *job->spaces);
    for (int t = 0; job->spaces && t < threads; t++) {
        space *own = &job->spaces[t];
        own->slab = dgmi_scratch(ctx, job->set->dim * SLAB, sizeof(float));
        own->squares = dgmi_scratch(ctx, (int64_t)MOST * SLAB, sizeof(float));
        own->below =
            dgmi_scratch(ctx, (int64_t)MOST * SLAB / DGMI_KERNELS_GAP_COLUMNS, sizeof(uint16_t));
        own->exact = dgmi_scratch(ctx, job->k, sizeof(double));
        if (!own->slab || !own->squares || !own->below || !own->exact)
            return false;
    }
    return job->spaces != NULL;
}

static dgm_status take_space(descent *job) {
    dgm_context *ctx = job->ctx;
    int64_t n = job->count;
    job->worst = dgmi_scratch(ctx, n, sizeof *job->worst);
    job->fresh.items = dgmi_scratch(ctx, n * MOST, sizeof(uint32_t));
    job->known.items = dgmi_scratch(ctx, n * MOST, sizeof(uint32_t));
    job->fresh.counts = dgmi_scratch(ctx, n, 1);
    job->known.counts = dgmi_scratch(ctx, n, 1);
    if (!job->worst || !job->fresh.items || !job->known.items || !job->fresh.counts ||
        !job->known.counts || !take_spaces(job))
        return DGM_ERROR_MEMORY;
    return dgmi_neighbours_post_open(ctx, n, &job->post);
}

/* `count` x `width` places without anybody. */
static dgm_status make_lists(descent *job, int64_t width, uint64_t **lists) {
    *lists = dgmi_alloc(job->ctx, job->count * width, sizeof **lists);
    for (int64_t i = 0; *lists && i < job->count * width; i++)
        (*lists)[i] = entry_of(INFINITY, NOBODY) & ~FRESH;
    return *lists ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Lists as they were found until now. */
static dgm_status start_lists(descent *job) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    job->positions = dgmi_scratch(job->ctx, job->count, sizeof *job->positions);
    dgm_status status =
        job->positions ? make_lists(job, job->width, &job->lists) : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        for (int64_t i = 0; i < job->count; i++)
            job->positions[job->set->ids[i]] = (uint32_t)i;
        dgmi_parallel(job->ctx, dgmi_chunks(job->count, GRAIN), start_chunk, job);
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* Longer lists, in which everyone is new again. */
static dgm_status widen(descent *job) {
    int64_t old = job->width, width = smaller(old + old / 2, job->count - 1);
    uint64_t *lists;
    dgm_status status = make_lists(job, width, &lists);
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < job->count; i++) {
        if (job->worst[i] < 0)
            continue;
        for (int64_t j = 0; j < old; j++)
            lists[i * width + j] = job->lists[i * old + j] | FRESH;
        job->worst[i] = square_of(lists[(i + 1) * width - 1]);
    }
    dgmi_free(job->ctx, job->lists);
    job->lists = lists;
    job->width = width;
    return DGM_OK;
}

/* One round; *still: hardly a list changed. */
static dgm_status introduce_all(descent *job, int64_t round, bool *still) {
    int64_t changes = 0;
    dgm_status status = draw_circles(job, round);
    if (status != DGM_OK)
        return status;
    memset(job->changes, 0, sizeof job->changes);
    job->post->most = (int64_t)MOST * (MOST - 1) + 2 * MOST * MOST;
    job->post->write = introduce;
    job->post->read = read_pair;
    status = dgmi_neighbours_post_round(job->post);
    for (int r = 0; r < DGMI_NEIGHBOURS_RANGES; r++)
        changes += job->changes[r];
    *still = (double)changes <= STILL * (double)(job->count * job->width);
    return status;
}

static dgm_status descend(descent *job) {
    dgm_status status = DGM_OK;
    int widened = 0;
    job->post->user = job;
    for (int64_t round = 0; status == DGM_OK && round < ROUNDS; round++) {
        bool still;
        job->out->recall = measure_recall(job);
        if (job->out->recall >= job->options->recall)
            break;
        status = introduce_all(job, round, &still);
        if (status != DGM_OK || !still)
            continue;
        if (widened++ == WIDENED || job->width == job->count - 1)
            break;
        status = widen(job);
    }
    job->out->recall = measure_recall(job);
    return status;
}

int64_t dgmi_neighbours_descent_width(int64_t k, int64_t count) {
    return smaller(larger(k, WIDTH), count - 1);
}

dgm_status dgmi_neighbours_descent(dgm_context *ctx, const dgmi_neighbours_points *set,
                                   const dgm_knn_options *options,
                                   const dgmi_neighbours_sample *sample, dgm_neighbours **start,
                                   dgm_neighbours *out) {
    descent job = {.ctx = ctx,
                   .options = options,
                   .kernels = dgmi_kernels_gap_find(NULL),
                   .set = set,
                   .search = {.points = set, .queries = set, .same = true, .k = out->k},
                   .sample = sample,
                   .start = *start,
                   .count = set->count,
                   .k = out->k,
                   .width = (*start)->k,
                   .out = out};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = take_space(&job);
    if (status == DGM_OK)
        status = start_lists(&job);
    dgm_neighbours_free(*start);
    *start = NULL;
    if (status == DGM_OK)
        status = descend(&job);
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(job.count, GRAIN), finish_chunk, &job);
    dgmi_free(ctx, job.lists);
    dgmi_arena_release(ctx, hold);
    return status;
}
