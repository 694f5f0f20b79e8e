/* SPDX-License-Identifier: Apache-2.0 */
/* The descent against a twin, which does the same with plain loops: each list has the best of all
 * that were ever offered, and each point introduces those 40 that draw the lowest lots. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "kernels_gaps.h"
#include "neighbours_descent.h"

enum { MOST = 40, ROUNDS = 40, WIDENED = 3, LOTS = 21, NOBODY = 0x7fffffff };

/* ---- the points of a case ---- */

/* What a case starts from: points, in another order than they were given, and lists of them. */
typedef struct {
    dgm_knn_options options;
    int64_t count, dim, width, k;
    float *points;
    uint32_t *ids, *start; /* count; count x width positions */
    dgmi_neighbours_points set;
    dgmi_neighbours_sample sample;
    dgmi_hold hold;
} scene;

static uint32_t draw_below(uint64_t stream, int64_t counter, int64_t bound) {
    return (uint32_t)dgmi_random_below(9, stream, (uint64_t)counter, (uint64_t)bound);
}

static double distance_of(const scene *s, int64_t i, int64_t j) {
    const float *a = s->points + s->ids[i] * s->dim, *b = s->points + s->ids[j] * s->dim;
    double square = 0, dot = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < s->dim; c++) {
        square += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
        dot += (double)a[c] * b[c];
        aa += (double)a[c] * a[c];
        bb += (double)b[c] * b[c];
    }
    if (s->options.metric == DGM_METRIC_L2)
        return sqrt(square);
    return aa == 0 || bb == 0 ? 1 : 1 - dot / sqrt(aa * bb);
}

static bool is_zero(const scene *s, int64_t i) {
    return s->options.metric == DGM_METRIC_COSINE && s->set.size[i] == 0;
}

/* Some others of each point, none twice. */
static void draw_start(scene *s) {
    for (int64_t i = 0; i < s->count; i++) {
        uint32_t *row = s->start + i * s->width;
        int64_t step = 1 + draw_below(3, i, 5), at = i + 1 + draw_below(4, i, 20);
        for (int64_t j = 0; j < s->width; at += step)
            if (at % s->count != i)
                row[j++] = (uint32_t)(at % s->count);
    }
}

static void make_set(scene *s) {
    dgmi_neighbours_rescaling rescaling;
    int metric = s->options.metric;
    s->hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_neighbours_rescaling_find(ctx, metric, s->points, s->count, NULL, 0,
                                                    s->dim, &rescaling),
                     DGM_OK);
    assert_int_equal(dgmi_neighbours_points_make(ctx, metric, s->points, s->ids, s->count, s->dim,
                                                 &rescaling, &s->set),
                     DGM_OK);
}

/* `zeros`: every so many points are zero vectors; 0: none. The count is a prime, so that no step
 * comes back to a point too soon. */
static void open_scene(scene *s, int metric, int64_t count, int64_t dim, int64_t width, int64_t k,
                       int64_t zeros) {
    *s = (scene){.options = DGM_KNN_OPTIONS_INIT, .count = count, .dim = dim, .width = width};
    s->k = k;
    s->options.metric = metric;
    s->options.seed = 77;
    s->points = calloc((size_t)(count * dim), sizeof *s->points);
    s->ids = calloc((size_t)count, sizeof *s->ids);
    s->start = calloc((size_t)(count * width), sizeof *s->start);
    for (int64_t i = 0; i < count * dim; i++)
        s->points[i] =
            zeros && i / dim % zeros == 0 ? 0 : (float)(dgmi_random_unit(11, 1, i) - 0.5);
    for (int64_t i = 0; i < count; i++)
        s->ids[i] = (uint32_t)(i * 7 % count);
    draw_start(s);
    make_set(s);
}

static void close_scene(scene *s) {
    dgmi_arena_release(ctx, s->hold);
    free((void *)s->sample.positions);
    free((void *)s->sample.reached);
    free(s->points);
    free(s->ids);
    free(s->start);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Every so many points, with the distance between its k-th neighbour and the next one. */
static void take_sample(scene *s, int64_t step) {
    uint32_t *positions = calloc((size_t)s->count, sizeof *positions);
    float *reached = calloc((size_t)s->count, sizeof *reached);
    double *all = calloc((size_t)s->count, sizeof *all);
    for (int64_t i = 1; i < s->count; i += step) {
        for (int64_t j = 0; j < s->count; j++)
            all[j] = i == j ? -1 : distance_of(s, i, j);
        qsort(all, (size_t)s->count, sizeof *all, compare_doubles);
        positions[s->sample.count] = (uint32_t)i;
        reached[s->sample.count++] = (float)((all[s->k] + all[s->k + 1]) / 2);
    }
    s->sample.positions = positions;
    s->sample.reached = reached;
    free(all);
}

/* The library's lists, k of each point as it was given. */
static dgm_neighbours *descend(const scene *s, double recall) {
    dgm_neighbours *start, *out;
    dgm_knn_options options = s->options;
    options.recall = recall;
    assert_int_equal(dgmi_neighbours_create(ctx, s->count, s->width, &start), DGM_OK);
    assert_int_equal(dgmi_neighbours_create(ctx, s->count, s->k, &out), DGM_OK);
    for (int64_t i = 0; i < s->count * s->width; i++)
        start->indices[s->ids[i / s->width] * s->width + i % s->width] = s->ids[s->start[i]];
    assert_int_equal(dgmi_neighbours_descent(ctx, &s->set, &options, &s->sample, &start, out),
                     DGM_OK);
    assert_null(start);
    return out;
}

/* ---- the twin ---- */

typedef struct {
    float square;
    uint32_t other;
    bool fresh;
} entry;

typedef struct {
    const scene *s;
    int64_t count, width;
    entry *lists;        /* count x width */
    float *squares;      /* count x `columns` */
    bool *fresh, *known; /* count x count: who is introduced by whom */
    int64_t columns;
    int widened;
    double recall;
} twin;

/* By the kernel of the library, which has a test of its own, so that rounding is the same. */
static void measure_squares(twin *t) {
    const dgmi_kernels_gap_table *kernels = dgmi_kernels_gap_find(NULL);
    int64_t n = t->count, blocks = t->columns / DGMI_KERNELS_GAP_COLUMNS, dim = t->s->dim;
    const float **row = calloc((size_t)t->columns, sizeof *row);
    float *limits = calloc((size_t)t->columns, sizeof *limits);
    float *slab = calloc((size_t)(t->columns * dim), sizeof *slab);
    uint16_t *below = calloc((size_t)(n * blocks), sizeof *below);
    for (int64_t i = 0; i < t->columns; i++)
        row[i] = t->s->set.rows + (i < n ? i : 0) * t->s->set.width;
    kernels->lay(dim, row, t->columns, slab);
    kernels->gaps(
        &(dgmi_kernels_gaps){dim, n, t->columns, row, slab, limits, limits, t->squares, below});
    free(row);
    free(limits);
    free(slab);
    free(below);
}

static bool is_before(entry a, entry b) {
    return a.square < b.square || (a.square == b.square && a.other < b.other);
}

static bool offer(twin *t, int64_t at, uint32_t other) {
    entry *list = t->lists + at * t->width;
    bool zero = is_zero(t->s, at) || is_zero(t->s, other);
    entry one = {zero ? 2 : t->squares[at * t->columns + other], other, true};
    int64_t place = t->width - 1;
    if (is_zero(t->s, at) || !is_before(one, list[place]))
        return false;
    for (int64_t j = 0; j < t->width; j++)
        if (list[j].other == other)
            return false;
    for (; place > 0 && is_before(one, list[place - 1]); place--)
        list[place] = list[place - 1];
    list[place] = one;
    return true;
}

static void empty_lists(twin *t, int64_t width) {
    free(t->lists);
    t->width = width;
    t->lists = calloc((size_t)(t->count * width), sizeof *t->lists);
    for (int64_t i = 0; i < t->count * width; i++)
        t->lists[i] = (entry){INFINITY, NOBODY, false};
}

static void open_twin(twin *t, const scene *s) {
    int64_t blocks = (s->count + DGMI_KERNELS_GAP_COLUMNS - 1) / DGMI_KERNELS_GAP_COLUMNS;
    *t = (twin){.s = s, .count = s->count, .columns = blocks * DGMI_KERNELS_GAP_COLUMNS};
    t->squares = calloc((size_t)(t->count * t->columns), sizeof *t->squares);
    t->fresh = calloc((size_t)(t->count * t->count), sizeof *t->fresh);
    t->known = calloc((size_t)(t->count * t->count), sizeof *t->known);
    measure_squares(t);
    empty_lists(t, s->width);
    for (int64_t i = 0; i < s->count * s->width; i++)
        offer(t, i / s->width, s->start[i]);
}

static void close_twin(twin *t) {
    free(t->lists);
    free(t->squares);
    free(t->fresh);
    free(t->known);
}

static uint64_t lot_of(uint64_t salt, int64_t at, int64_t other) {
    uint64_t x = ((uint64_t)at << 32 | (uint64_t)other) ^ salt;
    x ^= x >> 32;
    x *= UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 32;
    return x << 32 | (uint64_t)other;
}

static int compare_lots(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Leaves the 40 lowest lots of each point; the low half of a lot says whose it is. */
static void thin_out(const twin *t, bool *circles, uint64_t salt) {
    uint64_t *lots = calloc((size_t)t->count, sizeof *lots);
    for (int64_t i = 0; i < t->count; i++) {
        bool *row = circles + i * t->count;
        int64_t held = 0;
        for (int64_t j = 0; j < t->count; j++)
            if (row[j])
                lots[held++] = lot_of(salt, i, j);
        qsort(lots, (size_t)held, sizeof *lots, compare_lots);
        for (int64_t j = MOST; j < held; j++)
            row[(uint32_t)lots[j]] = false;
    }
    free(lots);
}

static void draw_circles(twin *t, int64_t round) {
    uint64_t salt = dgmi_random_bits((uint64_t)t->s->options.seed, LOTS, (uint64_t)round);
    int64_t n = t->count;
    memset(t->fresh, 0, (size_t)(n * n) * sizeof *t->fresh);
    memset(t->known, 0, (size_t)(n * n) * sizeof *t->known);
    for (int64_t e = 0; e < n * t->width; e++) {
        bool *to = t->lists[e].fresh ? t->fresh : t->known;
        int64_t i = e / t->width, other = t->lists[e].other;
        if (other != NOBODY)
            to[i * n + other] = to[other * n + i] = true;
    }
    thin_out(t, t->fresh, salt);
    thin_out(t, t->known, salt);
    for (int64_t e = 0; e < n * t->width; e++)
        if (t->lists[e].other != NOBODY && t->fresh[e / t->width * n + t->lists[e].other])
            t->lists[e].fresh = false;
}

/* Each of `fresh` meets all others of the circle. */
static int64_t introduce(twin *t, const uint32_t *circle, int64_t fresh, int64_t count) {
    int64_t changes = 0;
    for (int64_t a = 0; a < fresh; a++)
        for (int64_t b = 0; b < count; b++)
            if (circle[a] != circle[b])
                changes += offer(t, circle[a], circle[b]) + offer(t, circle[b], circle[a]);
    return changes;
}

/* Returns how many were listed at some time in the round. */
static int64_t introduce_all(twin *t, int64_t round) {
    int64_t n = t->count, changes = 0;
    draw_circles(t, round);
    for (int64_t i = 0; i < n; i++) {
        uint32_t circle[2 * MOST];
        int64_t count = 0;
        for (int64_t j = 0; j < n; j++)
            if (t->fresh[i * n + j])
                circle[count++] = (uint32_t)j;
        int64_t fresh = count;
        for (int64_t j = 0; j < n; j++)
            if (t->known[i * n + j])
                circle[count++] = (uint32_t)j;
        changes += introduce(t, circle, fresh, count);
    }
    return changes;
}

static void measure_recall(twin *t) {
    const dgmi_neighbours_sample *sample = &t->s->sample;
    int64_t hits = 0, k = t->s->k;
    for (int64_t i = 0; i < sample->count; i++) {
        int64_t at = sample->positions[i];
        for (int64_t j = 0; j < k; j++)
            hits += is_zero(t->s, at) ||
                    distance_of(t->s, at, t->lists[at * t->width + j].other) <= sample->reached[i];
    }
    t->recall = (double)hits / (double)(sample->count * k);
}

static void widen(twin *t) {
    int64_t old = t->width, width = old + old / 2 < t->count - 1 ? old + old / 2 : t->count - 1;
    entry *before = t->lists;
    t->lists = NULL;
    empty_lists(t, width);
    for (int64_t i = 0; i < t->count * old; i++) {
        t->lists[i / old * width + i % old] = before[i];
        t->lists[i / old * width + i % old].fresh = before[i].other != NOBODY;
    }
    t->widened++;
    free(before);
}

/* One round and what follows it; false: there is nothing more to do. */
static bool go_on(twin *t, int64_t round) {
    int64_t changes = introduce_all(t, round);
    bool still = (double)changes <= 0.0005 * (double)(t->count * t->width);
    if (still && (t->widened == WIDENED || t->width == t->count - 1))
        return false;
    if (still)
        widen(t);
    measure_recall(t);
    return true;
}

static void assert_lists(const twin *t, const dgm_neighbours *lists) {
    const scene *s = t->s;
    for (int64_t i = 0; i < s->count; i++) {
        const uint32_t *indices = dgm_neighbours_indices(lists) + s->ids[i] * s->k;
        const float *distances = dgm_neighbours_distances(lists) + s->ids[i] * s->k;
        bool *listed = calloc((size_t)s->count, sizeof *listed);
        for (int64_t j = 0; j < s->k; j++)
            listed[is_zero(s, i) ? 0 : s->ids[t->lists[i * t->width + j].other]] = true;
        for (int64_t j = 0; j < s->k; j++) {
            int64_t at = 0; /* the position of that point */
            while (s->ids[at] != indices[j])
                at++;
            assert_near(distances[j], distance_of(s, i, at), 1e-6);
            assert_true(j == 0 || distances[j] >= distances[j - 1]);
            assert_true(is_zero(s, i) ? indices[j] == j + (j >= s->ids[i]) : listed[indices[j]]);
            listed[indices[j]] = false;
        }
        free(listed);
    }
}

/* After each of some rounds, and after the last, both have the same lists. The library is stopped
 * by the recall that it then has for the first time. */
static void compare_rounds(scene *s, const int64_t *rounds, int64_t count) {
    twin t;
    take_sample(s, s->count < 500 ? 2 : 16);
    open_twin(&t, s);
    measure_recall(&t);
    int64_t round = 0;
    double before = -1;
    bool more = true;
    for (int64_t r = 0; r < count; r++) {
        while (more && (round < rounds[r] || t.recall <= before)) {
            before = t.recall;
            more = go_on(&t, round++);
        }
        assert_true(round < ROUNDS);
        dgm_neighbours *lists = descend(s, more ? (before + t.recall) / 2 : 2);
        assert_lists(&t, lists);
        assert_true(dgm_neighbours_recall(lists) == t.recall);
        dgm_neighbours_free(lists);
    }
    close_twin(&t);
}

static void each_round_offers_what_the_lots_say(void **state) {
    (void)state;
    static const int64_t rounds[] = {0, 1, 2};
    for (int metric = 0; metric < 2; metric++) {
        scene s;
        open_scene(&s, metric, 397, 30, 30, 30, metric ? 5 : 0);
        compare_rounds(&s, rounds, COUNT(rounds));
        close_scene(&s);
    }
}

/* Lists of 45, of which each point introduces 40 in a round: the others stay new for the next. */
static void who_was_not_drawn_is_introduced_later(void **state) {
    (void)state;
    static const int64_t rounds[] = {1, 2, 3};
    scene s;
    open_scene(&s, DGM_METRIC_L2, 1499, 12, 45, 45, 0);
    compare_rounds(&s, rounds, COUNT(rounds));
    close_scene(&s);
}

/* Lists of 5 rest too early; the last round is that in which they rest for the fourth time. */
static void lists_that_rest_grow_by_half_and_everyone_is_new_again(void **state) {
    (void)state;
    static const int64_t rounds[] = {4, 8, 12, 16, 20, ROUNDS - 1};
    for (int metric = 0; metric < 2; metric++) {
        scene s;
        open_scene(&s, metric, 149, 20, 5, 5, metric ? 4 : 0);
        compare_rounds(&s, rounds, COUNT(rounds));
        close_scene(&s);
    }
}

/* A sample of one point, whose neighbours are never found. */
static void take_hopeless_sample(scene *s, uint32_t position) {
    uint32_t *positions = calloc(1, sizeof *positions);
    float *reached = calloc(1, sizeof *reached);
    *positions = position;
    *reached = -1;
    s->sample = (dgmi_neighbours_sample){1, positions, reached};
}

/* All list one zero vector, which introduces 40 of them. These are nearer to each other, and list
 * it no more. Everybody knows it then, and lists rest, until they are made longer by half of one,
 * which is none: three times. */
static void a_point_introduces_forty_at_once(void **state) {
    (void)state;
    enum { POINTS = 307, LEFT = POINTS - 1 - MOST * (1 + WIDENED) };
    scene s;
    open_scene(&s, DGM_METRIC_COSINE, POINTS, 3, 1, 1, POINTS);
    dgmi_arena_release(ctx, s.hold);
    for (int64_t i = 0; i < 3 * POINTS; i++) /* at less than a right angle to each other */
        s.points[i] = fabsf(s.points[i]);
    make_set(&s);
    memset(s.start, 0, POINTS * sizeof *s.start);
    s.start[0] = 1;
    take_hopeless_sample(&s, 5);
    dgm_neighbours *lists = descend(&s, 1);
    int64_t left = 0;
    for (int64_t i = 1; i < POINTS; i++)
        left += dgm_neighbours_indices(lists)[i] == 0;
    assert_int_equal(left, LEFT);
    assert_true(dgm_neighbours_recall(lists) == 0);
    dgm_neighbours_free(lists);
    close_scene(&s);
}

/* A line of points, each nearer to the next than to the one before, and a walker behind its end,
 * who knows the first. Each introduces the walker to the next one, round after round. */
static void there_are_forty_rounds(void **state) {
    (void)state;
    enum { LINE = 60, WALKER = LINE };
    scene s;
    open_scene(&s, DGM_METRIC_L2, LINE + 1, 1, 1, 1, 0);
    dgmi_arena_release(ctx, s.hold);
    for (int64_t i = 0; i <= LINE; i++) {
        s.ids[i] = (uint32_t)i;
        s.points[i] = (float)((LINE - i) * (LINE - i));
        s.start[i] = (uint32_t)(i < LINE - 1 ? i + 1 : i == WALKER ? 0 : i - 1);
    }
    make_set(&s);
    take_hopeless_sample(&s, WALKER);
    dgm_neighbours *lists = descend(&s, 1);
    assert_int_equal(dgm_neighbours_indices(lists)[WALKER], ROUNDS);
    dgm_neighbours_free(lists);
    close_scene(&s);
}

static void lists_start_with_forty_or_k_or_everyone(void **state) {
    (void)state;
    assert_int_equal(dgmi_neighbours_descent_width(1, 1000), 40);
    assert_int_equal(dgmi_neighbours_descent_width(40, 1000), 40);
    assert_int_equal(dgmi_neighbours_descent_width(41, 1000), 41);
    assert_int_equal(dgmi_neighbours_descent_width(15, 41), 40);
    assert_int_equal(dgmi_neighbours_descent_width(15, 40), 39);
    assert_int_equal(dgmi_neighbours_descent_width(50, 45), 44);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_offers_what_the_lots_say),
        cmocka_unit_test(who_was_not_drawn_is_introduced_later),
        cmocka_unit_test(lists_that_rest_grow_by_half_and_everyone_is_new_again),
        cmocka_unit_test(a_point_introduces_forty_at_once),
        cmocka_unit_test(there_are_forty_rounds),
        cmocka_unit_test(lists_start_with_forty_or_k_or_everyone),
    };
    return RUN_WITH_CONTEXT(tests);
}
