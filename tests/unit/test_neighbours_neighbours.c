/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest neighbours against a plain loop over all pairs in double. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "../check_memory.h"
#include "neighbours_points.h"

static void exact_neighbours_are_those_of_all_pairs(void **state) {
    (void)state;
    static const struct {
        int64_t count, dim, k;
    } shapes[] = {{2, 1, 1},    {3, 2, 2},     {50, 3, 49},   {129, 17, 5},
                  {300, 1, 20}, {1100, 8, 15}, {2100, 33, 7}, {1500, 4, 1200}};
    for (int metric = 0; metric < 2; metric++)
        for (int64_t s = 0; s < COUNT(shapes); s++) {
            float *points = random_points(shapes[s].count, shapes[s].dim, (uint64_t)s);
            dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
            dgm_neighbours *lists;
            options.k = shapes[s].k;
            options.metric = metric;
            assert_int_equal(dgm_knn(ctx, points, shapes[s].count, shapes[s].dim, &options, &lists),
                             DGM_OK);
            assert_int_equal(dgm_neighbours_k(lists), shapes[s].k);
            assert_neighbours(lists, points, shapes[s].count, shapes[s].dim, metric, 1e-6);
            assert_true(dgm_neighbours_recall(lists) == 1);
            dgm_neighbours_free(lists);
            free(points);
        }
}

/* In single precision |x|^2 + |y|^2 - 2xy of these is all rounding. */
static void points_far_from_the_origin_lose_nothing(void **state) {
    (void)state;
    enum { POINTS = 400, DIM = 5 };
    float *points = random_points(POINTS, DIM, 3);
    for (int64_t i = 0; i < POINTS * DIM; i++) /* two clusters, 1e4 apart, 1e-2 wide */
        points[i] = points[i] * 0.02F + 3000 + (i / DIM % 2 ? 1e4F : 0);
    dgm_neighbours *lists;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, NULL, &lists), DGM_OK);
    assert_neighbours(lists, points, POINTS, DIM, DGM_METRIC_L2, 1e-9);
    dgm_neighbours_free(lists);
    free(points);
}

static void huge_and_tiny_coordinates_are_fine(void **state) {
    (void)state;
    enum { POINTS = 200, DIM = 3 };
    for (int power = -35; power <= 35; power += 35) {
        float *points = random_points(POINTS, DIM, 5), factor = powf(10, (float)power);
        for (int64_t i = 0; i < POINTS * DIM; i++)
            points[i] *= factor;
        dgm_neighbours *lists;
        assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, NULL, &lists), DGM_OK);
        assert_neighbours(lists, points, POINTS, DIM, DGM_METRIC_L2, 1e-6 * factor);
        dgm_neighbours_free(lists);
        free(points);
    }
}

static void equal_distances_are_in_order_of_index(void **state) {
    (void)state;
    enum { POINTS = 3000 };
    float *points = malloc(POINTS * 2 * sizeof *points);
    for (int64_t i = 0; i < POINTS; i++) { /* four places, taken in turn */
        points[2 * i] = (float)(i % 2);
        points[2 * i + 1] = (float)(i / 2 % 2);
    }
    dgm_neighbours *lists;
    assert_int_equal(dgm_knn(ctx, points, POINTS, 2, NULL, &lists), DGM_OK);
    for (int64_t i = 0; i < POINTS; i++)
        for (int64_t j = 0; j < 15; j++) {
            int64_t wanted = i % 4 + 4 * (j + (i / 4 <= j));
            assert_int_equal(dgm_neighbours_indices(lists)[i * 15 + j], wanted);
            assert_true(dgm_neighbours_distances(lists)[i * 15 + j] == 0);
        }
    dgm_neighbours_free(lists);
    free(points);
}

/* Ten kinds of points, each of 60 in one place and equally far from all others: with `scatter`
 * every point has neighbours of its own, and none is taken much more often than another. */
static void scattered_ties_make_no_hubs(void **state) {
    (void)state;
    enum { KINDS = 10, POINTS = 60 * KINDS, K = 90 };
    float *points = calloc(POINTS * KINDS, sizeof *points);
    int taken[POINTS];
    assert_non_null(points);
    for (int64_t i = 0; i < POINTS; i++)
        points[i * KINDS + i % KINDS] = 1;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists, *again;
    options.k = K;
    options.scatter = true;
    assert_int_equal(dgm_knn(ctx, points, POINTS, KINDS, &options, &lists), DGM_OK);
    assert_neighbours(lists, points, POINTS, KINDS, DGM_METRIC_L2, 1e-6);
    memset(taken, 0, sizeof taken);
    for (int64_t e = 0; e < (int64_t)POINTS * K; e++)
        taken[dgm_neighbours_indices(lists)[e]]++;
    for (int64_t i = 0; i < POINTS; i++) /* 59 of its place take it, and 31 others or so */
        assert_true(taken[i] > 59 + 8 && taken[i] < 59 + 62);
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(dgm_knn(ctx, points, POINTS, KINDS, &options, &again), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(dgm_neighbours_indices(lists), dgm_neighbours_indices(again),
                        (size_t)POINTS * K * sizeof(uint32_t));
    dgm_neighbours_free(lists);
    dgm_neighbours_free(again);
    free(points);
}

static void the_zero_vector_has_no_direction(void **state) {
    (void)state;
    const float points[] = {0, 0, 1, 0, 2, 0, 0, 3, -1, 0};
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.metric = DGM_METRIC_COSINE;
    assert_int_equal(dgm_knn(ctx, points, 5, 2, &options, &lists), DGM_OK);
    assert_int_equal(dgm_neighbours_k(lists), 4);
    const uint32_t *indices = dgm_neighbours_indices(lists);
    const float *distances = dgm_neighbours_distances(lists);
    for (int j = 0; j < 4; j++) {
        assert_int_equal(indices[j], j + 1);
        assert_true(distances[j] == 1);
    }
    assert_int_equal(indices[4], 2);
    assert_true(distances[4] == 0);
    assert_true(distances[7] == 2); /* opposite */
    dgm_neighbours_free(lists);
}

static void one_point_has_no_neighbours(void **state) {
    (void)state;
    const float point[] = {1, 2};
    dgm_neighbours *lists;
    for (int64_t count = 0; count < 2; count++) {
        assert_int_equal(dgm_knn(ctx, point, count, 2, NULL, &lists), DGM_OK);
        assert_int_equal(dgm_neighbours_rows(lists), count);
        assert_int_equal(dgm_neighbours_k(lists), 0);
        dgm_neighbours_free(lists);
    }
}

static void numbers_that_are_not_finite_are_named(void **state) {
    (void)state;
    float *points = random_points(9000, 3, 1);
    dgm_neighbours *lists;
    points[8000 * 3 + 2] = NAN;
    ASSERT_FAILS(dgm_knn(ctx, points, 9000, 3, NULL, &lists), DGM_ERROR_DATA,
                 "row 8000, column 2 of the points is NaN, not a finite number");
    assert_null(lists);
    points[5000 * 3] = -INFINITY;
    ASSERT_FAILS(dgm_knn(ctx, points, 9000, 3, NULL, &lists), DGM_ERROR_DATA,
                 "row 5000, column 0 of the points is infinite, not a finite number");
    ASSERT_FAILS(dgm_knn(ctx, points, 9000, 0, NULL, &lists), DGM_ERROR_DATA,
                 "points of 0 coordinates have no neighbours");
    free(points);
}

static void options_out_of_bounds_are_usage_errors(void **state) {
    (void)state;
    const float points[] = {1, 2, 3};
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = 0;
    assert_int_equal(dgm_knn(ctx, points, 3, 1, &options, &lists), DGM_ERROR_USAGE);
    options = (dgm_knn_options)DGM_KNN_OPTIONS_INIT;
    options.recall = 1.5;
    assert_int_equal(dgm_knn(ctx, points, 3, 1, &options, &lists), DGM_ERROR_USAGE);
    ASSERT_FAILS(dgm_knn(ctx, points, -1, 1, NULL, &lists), DGM_ERROR_DATA,
                 "-1 points cannot be searched; at most 2147483647 can");
    ASSERT_FAILS(dgm_knn(ctx, points, DGM_MAX_NODES + 1, 1, NULL, &lists), DGM_ERROR_DATA,
                 "2147483648 points cannot be searched; at most 2147483647 can");
    assert_null(lists);
    assert_int_equal(dgm_knn_query(ctx, points, 3, points, 1, 1, NULL, &lists), DGM_OK);
    assert_int_equal(dgm_neighbours_indices(lists)[0], 0); /* the point itself, by default */
    dgm_neighbours_free(lists);
}

static void queries_find_points_in_their_own_place(void **state) {
    (void)state;
    float *points = random_points(500, 6, 11);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *self, *lists;
    options.k = 5;
    assert_int_equal(dgm_knn(ctx, points, 500, 6, &options, &self), DGM_OK);
    options.k = 6;
    assert_int_equal(dgm_knn_query(ctx, points, 500, points, 500, 6, &options, &lists), DGM_OK);
    for (int64_t i = 0; i < 500; i++) {
        const uint32_t *row = dgm_neighbours_indices(lists) + 6 * i;
        assert_int_equal(row[0], i);
        assert_memory_equal(row + 1, dgm_neighbours_indices(self) + 5 * i, 5 * sizeof *row);
    }
    dgm_neighbours_free(lists);
    assert_int_equal(dgm_knn_query(ctx, points, 3, points + 60, 1, 6, &options, &lists), DGM_OK);
    assert_int_equal(dgm_neighbours_k(lists), 3);
    dgm_neighbours_free(lists);
    dgm_neighbours_free(self);
    free(points);
}

static void lists_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    float *points = random_points(3000, 20, 2);
    dgm_neighbours *one, *many;
    for (int method = DGM_KNN_EXACT; method <= DGM_KNN_DESCENT; method++) {
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        options.method = method;
        options.recall = 0.999;
        dgm_context_set_threads(ctx, 1);
        assert_int_equal(dgm_knn(ctx, points, 3000, 20, &options, &one), DGM_OK);
        for (int threads = 2; threads <= 3; threads++) {
            dgm_context_set_threads(ctx, threads);
            assert_int_equal(dgm_knn(ctx, points, 3000, 20, &options, &many), DGM_OK);
            assert_memory_equal(dgm_neighbours_indices(one), dgm_neighbours_indices(many),
                                3000 * 15 * sizeof(uint32_t));
            assert_memory_equal(dgm_neighbours_distances(one), dgm_neighbours_distances(many),
                                3000 * 15 * sizeof(float));
            dgm_neighbours_free(many);
        }
        dgm_context_set_threads(ctx, 0);
        dgm_neighbours_free(one);
    }
    free(points);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    float *points = random_points(400, 12, 1);
    for (int method = DGM_KNN_EXACT; method <= DGM_KNN_DESCENT; method++)
        for (long long k = 1;; k++) {
            check_memory memory = {.fail_at = 0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
            dgm_neighbours *lists = NULL;
            dgm_context *own;
            options.method = method;
            options.recall = 1;
            options.k = 3;
            assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
            memory.fail_at = memory.calls + k;
            dgm_status status = dgm_knn(own, points, 400, 12, &options, &lists);
            memory.fail_at = 0;
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_true((status == DGM_OK) == (lists != NULL));
            dgm_neighbours_free(lists);
            dgm_context_free(own);
            assert_true(atomic_load(&memory.bytes) == 0);
            if (status == DGM_OK)
                break;
        }
    free(points);
}

/* As many groups of points as there are cells, 65, far from each other and one behind the other, so
 * that each is a cell and a tile: one more than are searched between two reports. */
static void points_of_the_last_tile_have_neighbours_too(void **state) {
    (void)state;
    enum { GROUPS = 65, POINTS = GROUPS * GROUPS, DIM = 2 };
    float *points = random_points(POINTS, DIM, 5);
    for (int64_t i = 0; i < POINTS; i++) {
        points[i * DIM] += (float)(i / GROUPS % 9 * 10);
        points[i * DIM + 1] += (float)(i / GROUPS / 9 * 10);
    }
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = 4;
    options.method = DGM_KNN_CELLS;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    assert_neighbours(lists, points, POINTS, DIM, DGM_METRIC_L2, 1e-5);
    dgm_neighbours_free(lists);
    free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_neighbours_are_those_of_all_pairs),
        cmocka_unit_test(points_far_from_the_origin_lose_nothing),
        cmocka_unit_test(huge_and_tiny_coordinates_are_fine),
        cmocka_unit_test(equal_distances_are_in_order_of_index),
        cmocka_unit_test(scattered_ties_make_no_hubs),
        cmocka_unit_test(the_zero_vector_has_no_direction),
        cmocka_unit_test(one_point_has_no_neighbours),
        cmocka_unit_test(numbers_that_are_not_finite_are_named),
        cmocka_unit_test(options_out_of_bounds_are_usage_errors),
        cmocka_unit_test(queries_find_points_in_their_own_place),
        cmocka_unit_test(lists_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(points_of_the_last_tile_have_neighbours_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
