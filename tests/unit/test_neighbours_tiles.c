/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a search by tiles: points made ready, distances, and queries that meet points in
 * several pieces. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "neighbours_neighbours.h"
#include "unit_progress.h"

/* The middle of all points moves to 0, and the farthest coordinate of points and queries lies
 * between a half and 1. */
static void points_are_moved_to_the_middle_and_scaled_by_a_power_of_two(void **state) {
    (void)state;
    const float points[] = {0, 6, 8, 6, 4, 3}, more[] = {20, 5, 4, -9};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_neighbours_rescaling rescaling;
    assert_int_equal(
        dgmi_neighbours_rescaling_find(ctx, DGM_METRIC_L2, points, 3, NULL, 0, 2, &rescaling),
        DGM_OK);
    assert_true(rescaling.middle[0] == 4 && rescaling.middle[1] == 5);
    assert_true(rescaling.scale == 1.0 / 8);
    assert_int_equal(
        dgmi_neighbours_rescaling_find(ctx, DGM_METRIC_L2, points, 3, more, 2, 2, &rescaling),
        DGM_OK);
    assert_true(rescaling.middle[0] == 4 && rescaling.middle[1] == 5);
    assert_true(rescaling.scale == 1.0 / 32);
    assert_int_equal(
        dgmi_neighbours_rescaling_find(ctx, DGM_METRIC_L2, points, 1, NULL, 0, 2, &rescaling),
        DGM_OK);
    assert_true(rescaling.scale == 1); /* nothing lies apart */
    assert_int_equal(
        dgmi_neighbours_rescaling_find(ctx, DGM_METRIC_COSINE, points, 3, NULL, 0, 2, &rescaling),
        DGM_OK);
    assert_true(!rescaling.middle && rescaling.scale == 1);
    dgmi_arena_release(ctx, hold);
}

static void rows_hold_what_a_product_of_matrices_needs(void **state) {
    (void)state;
    const float points[] = {0, 6, 8, 6, 4, 3}, directions[] = {3, 4, 0, 0, -2, 0};
    static const uint32_t ids[] = {2, 0, 1};
    double middle[] = {4, 5};
    const dgmi_neighbours_rescaling rescaling = {middle, 0.5}, none = {NULL, 1};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_neighbours_points set;
    assert_int_equal(
        dgmi_neighbours_points_make(ctx, DGM_METRIC_L2, points, ids, 3, 2, &rescaling, &set),
        DGM_OK);
    const float rows[] = {0, -1, -0.5F, -2, 0.5F, -2.125F, 2, 0.5F, -2.125F};
    assert_int_equal(set.width, 3);
    assert_memory_equal(set.rows, rows, sizeof rows);
    assert_true(set.size[0] == 1 && set.size[1] == sqrt(4.25) && set.scale == 0.5);
    assert_int_equal(
        dgmi_neighbours_points_make(ctx, DGM_METRIC_COSINE, directions, NULL, 3, 2, &none, &set),
        DGM_OK);
    assert_int_equal(set.width, 2);
    const float units[] = {0.6F, 0.8F, 0, 0, -1, 0};
    for (int i = 0; i < 6; i++)
        assert_near((double)set.rows[i], (double)units[i], 1e-7);
    assert_true(set.size[0] == 1.0 / 5 && set.size[1] == 0 && set.size[2] == 0.5);
    dgmi_arena_release(ctx, hold);
}

typedef struct {
    float *points;
    uint32_t ids[400];
    dgmi_neighbours_points set;
    dgmi_neighbours_search search;
    dgmi_neighbours_space *space;
    dgmi_hold hold;
} scene;

static void open_scene(scene *s, int metric, int64_t count, int64_t dim, int64_t k) {
    dgmi_neighbours_rescaling rescaling;
    s->points = calloc((size_t)(count * dim), sizeof *s->points);
    for (int64_t i = 0; i < count * dim; i++)
        s->points[i] = (float)dgmi_random_unit(6, (uint64_t)dim, (uint64_t)i);
    for (int64_t i = 0; i < count; i++)
        s->ids[i] = (uint32_t)(i * 7 % count);
    s->hold = dgmi_arena_hold(ctx);
    assert_int_equal(
        dgmi_neighbours_rescaling_find(ctx, metric, s->points, count, NULL, 0, dim, &rescaling),
        DGM_OK);
    assert_int_equal(dgmi_neighbours_points_make(ctx, metric, s->points, s->ids, count, dim,
                                                 &rescaling, &s->set),
                     DGM_OK);
    s->search =
        (dgmi_neighbours_search){.points = &s->set, .queries = &s->set, .same = true, .k = k};
    assert_int_equal(dgmi_neighbours_spaces(ctx, 1, s->set.width, k, &s->space), DGM_OK);
}

static void close_scene(scene *s) {
    dgmi_arena_release(ctx, s->hold);
    free(s->points);
}

static double slow_distance(const scene *s, int64_t i, int64_t j) {
    int64_t dim = s->set.dim;
    const float *a = s->points + s->ids[i] * dim, *b = s->points + s->ids[j] * dim;
    double square = 0, dot = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < dim; c++) {
        square += pow((double)a[c] - (double)b[c], 2);
        dot += (double)a[c] * (double)b[c];
        aa += (double)a[c] * (double)a[c];
        bb += (double)b[c] * (double)b[c];
    }
    return s->set.metric == DGM_METRIC_L2 ? square : 1 - dot / sqrt(aa * bb);
}

/* Eight coordinates at a time, and the rest. */
static void distances_of_any_length_are_those_of_a_loop(void **state) {
    (void)state;
    for (int metric = 0; metric < 2; metric++)
        for (int64_t dim = 1; dim <= 25; dim++) {
            scene s;
            open_scene(&s, metric, 5, dim, 1);
            for (int64_t i = 0; i < 25; i++)
                assert_near(dgmi_neighbours_distance(&s.search, i / 5, i % 5),
                            slow_distance(&s, i / 5, i % 5), 1e-12);
            close_scene(&s);
        }
}

/* Of the points [first, last), those nearest to i, itself left out; ties by their row. Returns how
 * many there are. */
static int64_t search_slowly(const scene *s, int64_t i, int64_t first, int64_t last, int64_t *to) {
    int64_t held = 0;
    for (int64_t round = 0; round < s->search.k; round++) {
        int64_t best = -1;
        for (int64_t j = first; j < last; j++) {
            bool taken = j == i;
            for (int64_t t = 0; t < held; t++)
                taken = taken || to[t] == j;
            if (!taken && (best < 0 || slow_distance(s, i, j) < slow_distance(s, i, best)))
                best = j;
        }
        if (best >= 0)
            to[held++] = best;
    }
    return held;
}

/* Queries that meet a few points, then more of them, and in the end all but some. */
static void queries_hold_the_best_of_what_they_met(void **state) {
    (void)state;
    enum { COUNT_OF_POINTS = 331, BEGIN = 17, END = 23, K = 9 };
    static const int64_t stops[] = {17, 20, 24, 30, 200, 329};
    for (int metric = 0; metric < 2; metric++)
        for (int64_t stop = 1; stop < COUNT(stops); stop++) {
            scene s;
            open_scene(&s, metric, COUNT_OF_POINTS, 3, K);
            dgmi_neighbours_begin(&s.search, s.space, BEGIN, END);
            for (int64_t p = 0; p < stop; p++)
                dgmi_neighbours_meet(&s.search, s.space, BEGIN, END, stops[p], stops[p + 1]);
            for (int64_t i = BEGIN; i < END; i++) {
                uint32_t found[K];
                float distances[K];
                int64_t wanted[K], held = search_slowly(&s, i, stops[0], stops[stop], wanted);
                assert_int_equal(
                    dgmi_neighbours_finish(&s.search, s.space, i - BEGIN, found, distances), held);
                for (int64_t j = 0; j < held; j++) {
                    double far = slow_distance(&s, i, wanted[j]);
                    assert_int_equal(found[j], s.ids[wanted[j]]);
                    assert_near((double)distances[j], metric ? far : sqrt(far), 1e-6);
                }
            }
            close_scene(&s);
        }
}

/* ---- the calls ---- */

static char note[256];

static void keep_note(void *user, const char *words) {
    (void)user;
    snprintf(note, sizeof note, "%s", words);
}

static void fewer_neighbours_than_asked_for_are_noted(void **state) {
    (void)state;
    static const char *const words[] = {
        "0 points: each has 0 neighbours, not 3", "1 point: each has 0 neighbours, not 3",
        "2 points: each has 1 neighbour, not 3", "3 points: each has 2 neighbours, not 3", ""};
    const float points[] = {1, 2, 4, 8};
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t count = 0; count <= 4; count++) {
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *lists;
        options.k = 3;
        *note = '\0';
        assert_int_equal(dgm_knn(ctx, points, count, 1, &options, &lists), DGM_OK);
        assert_string_equal(note, words[count]);
        dgm_neighbours_free(lists);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* 65 tiles of 128 queries: 64 of them are searched between two reports. */
static void a_search_of_many_tiles_tells_how_far_it_is(void **state) {
    (void)state;
    enum { POINTS = 64 * 128 + 1 };
    float *points = calloc(POINTS, sizeof *points);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    for (int64_t i = 0; i < POINTS; i++)
        points[i] = (float)i;
    options.k = 1;
    hear_progress();
    assert_int_equal(dgm_knn(ctx, points, POINTS, 1, &options, &lists), DGM_OK);
    hear_no_more();
    assert_int_equal(heard_count, 2);
    assert_true(heard_reports[0].fraction == 0 && heard_reports[1].fraction == 64.0 / 65);
    assert_int_equal(dgm_neighbours_indices(lists)[POINTS - 1], POINTS - 2);
    dgm_neighbours_free(lists);
    free(points);
}

static void shapes_and_queries_that_cannot_be_are_named(void **state) {
    (void)state;
    const float points[] = {1, 2, 3, NAN};
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    ASSERT_FAILS(dgm_knn_query(ctx, points, 1, points, 2, 2, NULL, &lists), DGM_ERROR_DATA,
                 "row 1, column 1 of the queries is NaN, not a finite number");
    assert_null(lists);
    ASSERT_FAILS(dgm_knn_query(ctx, points, 2, points, 1, 2, NULL, &lists), DGM_ERROR_DATA,
                 "row 1, column 1 of the points is NaN, not a finite number");
    ASSERT_FAILS(dgm_knn_query(ctx, points, 1, points, -1, 2, NULL, &lists), DGM_ERROR_DATA,
                 "-1 points cannot be searched; at most 2147483647 can");
    ASSERT_FAILS(dgm_knn(ctx, points, 0, INT32_MAX, NULL, &lists), DGM_ERROR_DATA,
                 "points of 2147483647 coordinates have no neighbours");
    assert_int_equal(dgm_knn(ctx, points, 0, INT32_MAX - 1, NULL, &lists), DGM_OK);
    dgm_neighbours_free(lists);
    options.k = 10000;
    assert_int_equal(dgm_knn(ctx, points, 1, 1, &options, &lists), DGM_OK);
    dgm_neighbours_free(lists);
    options.k = 10001;
    assert_int_equal(dgm_knn(ctx, points, 1, 1, &options, &lists), DGM_ERROR_USAGE);
    options.k = 1;
    options.budget = 0;
    options.recall = 0.1;
    assert_int_equal(dgm_knn(ctx, points, 3, 1, &options, &lists), DGM_OK);
    dgm_neighbours_free(lists);
    options.budget = -1;
    assert_int_equal(dgm_knn(ctx, points, 3, 1, &options, &lists), DGM_ERROR_USAGE);
    options.budget = 0;
    options.recall = 0.09;
    assert_int_equal(dgm_knn(ctx, points, 3, 1, &options, &lists), DGM_ERROR_USAGE);
}

/* As many points as the budget are searched exactly, which tells no recall. */
static void one_point_beyond_the_budget_is_searched_approximately(void **state) {
    (void)state;
    float points[50];
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    for (int i = 0; i < 50; i++)
        points[i] = (float)(i * i);
    options.k = 2;
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (options.budget = 49; options.budget <= 50; options.budget++) {
        *note = '\0';
        assert_int_equal(dgm_knn(ctx, points, 50, 1, &options, &lists), DGM_OK);
        assert_string_equal(note, options.budget == 50
                                      ? ""
                                      : "nearest neighbours: about 100.0% of the true ones were "
                                        "found (of a sample)");
        dgm_neighbours_free(lists);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_moved_to_the_middle_and_scaled_by_a_power_of_two),
        cmocka_unit_test(rows_hold_what_a_product_of_matrices_needs),
        cmocka_unit_test(distances_of_any_length_are_those_of_a_loop),
        cmocka_unit_test(queries_hold_the_best_of_what_they_met),
        cmocka_unit_test(fewer_neighbours_than_asked_for_are_noted),
        cmocka_unit_test(a_search_of_many_tiles_tells_how_far_it_is),
        cmocka_unit_test(shapes_and_queries_that_cannot_be_are_named),
        cmocka_unit_test(one_point_beyond_the_budget_is_searched_approximately),
    };
    return RUN_WITH_CONTEXT(tests);
}
