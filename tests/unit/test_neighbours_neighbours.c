/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest neighbours against a plain loop over all pairs in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_memory.h"
#include "base_random.h"

static float *random_points(int64_t count, int64_t dim, uint64_t seed) {
    float *points = malloc((size_t)(count * dim + 1) * sizeof *points);
    assert_non_null(points);
    for (int64_t i = 0; i < count * dim; i++)
        points[i] = (float)(dgmi_random_unit(seed, 7, (uint64_t)i) - 0.5);
    return points;
}

static double distance_between(const float *a, const float *b, int64_t dim, int metric) {
    double square = 0, dot = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < dim; c++) {
        square += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
        dot += (double)a[c] * b[c];
        aa += (double)a[c] * a[c];
        bb += (double)b[c] * b[c];
    }
    if (metric == DGM_METRIC_L2)
        return sqrt(square);
    return aa == 0 || bb == 0 ? 1 : 1 - dot / sqrt(aa * bb);
}

/* Every list is ascending, without the point itself, without repeats, and no point left out is
 * nearer than the last one; equal distances (to `slack`) are in order of index. */
static void assert_neighbours(const dgm_neighbours *lists, const float *points, int64_t count,
                              int64_t dim, int metric, double slack) {
    int64_t k = dgm_neighbours_k(lists);
    unsigned char *listed = calloc((size_t)count, 1);
    assert_int_equal(dgm_neighbours_rows(lists), count);
    for (int64_t i = 0; i < count; i++) {
        const uint32_t *row = dgm_neighbours_indices(lists) + i * k;
        const float *distance = dgm_neighbours_distances(lists) + i * k;
        memset(listed, 0, (size_t)count);
        for (int64_t j = 0; j < k; j++) {
            assert_int_not_equal(row[j], i);
            assert_true(row[j] < count && !listed[row[j]]);
            listed[row[j]] = 1;
            assert_near(distance[j],
                        distance_between(points + i * dim, points + row[j] * dim, dim, metric),
                        slack);
            if (j > 0)
                assert_true(distance[j] > distance[j - 1] ||
                            (distance[j] == distance[j - 1] && slack > 0) || row[j] > row[j - 1]);
        }
        for (int64_t j = 0; j < count; j++)
            if (j != i && !listed[j])
                assert_true(distance_between(points + i * dim, points + j * dim, dim, metric) >=
                            (double)distance[k - 1] - slack);
    }
    free(listed);
}

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

static const int approximate[] = {DGM_KNN_APPROXIMATE, DGM_KNN_CELLS, DGM_KNN_DESCENT};

/* The share of neighbours as near as the true ones; each list is ascending and repeats nobody. */
static double recall_of(const dgm_neighbours *lists, const float *points, int64_t dim,
                        dgm_knn_options options) {
    int64_t count = dgm_neighbours_rows(lists), k = dgm_neighbours_k(lists), hits = 0;
    const uint32_t *row = dgm_neighbours_indices(lists);
    const float *far = dgm_neighbours_distances(lists);
    dgm_neighbours *exact;
    int64_t *seen = calloc((size_t)count, sizeof *seen);
    options.method = DGM_KNN_EXACT;
    assert_int_equal(dgm_knn(ctx, points, count, dim, &options, &exact), DGM_OK);
    for (int64_t i = 0; i < count * k; i++) {
        assert_true(row[i] < count && row[i] != i / k && seen[row[i]] != i / k + 1);
        seen[row[i]] = i / k + 1;
        assert_true(i % k == 0 || far[i] > far[i - 1] ||
                    (far[i] == far[i - 1] && row[i] > row[i - 1]) || far[i] > 0);
        hits += far[i] <= dgm_neighbours_distances(exact)[i / k * k + k - 1];
    }
    free(seen);
    dgm_neighbours_free(exact);
    return (double)hits / (double)(count * k);
}

static void approximate_lists_reach_their_recall(void **state) {
    (void)state;
    enum { POINTS = 4000, DIM = 12 };
    for (int variant = 0; variant < 12; variant++) {
        bool clustered = variant / 2 % 2;
        float *points = random_points(POINTS, DIM, 21);
        for (int64_t i = 0; clustered && i < POINTS * DIM; i++)
            points[i] += (float)(8 * dgmi_random_unit(4, (uint64_t)(i / DIM % 20), i % DIM));
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *lists;
        options.k = 10;
        options.metric = variant % 2;
        options.method = approximate[variant / 4];
        options.recall = 0.97;
        assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
        assert_true(dgm_neighbours_recall(lists) >= 0.97);
        assert_near(recall_of(lists, points, DIM, options), dgm_neighbours_recall(lists), 0.03);
        dgm_neighbours_free(lists);
        free(points);
    }
}

/* Eight cells hold half of the neighbours of such points. */
static void neighbours_of_neighbours_find_what_near_cells_lack(void **state) {
    (void)state;
    enum { POINTS = 3000, DIM = 16 };
    for (int metric = 0; metric < 2; metric++)
        for (int64_t k = 5; k <= 45; k += 40) {
            float *points = random_points(POINTS, DIM, 33);
            dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
            dgm_neighbours *lists;
            options.k = k;
            options.metric = metric;
            options.method = DGM_KNN_DESCENT;
            options.recall = 0.1; /* the start */
            assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
            assert_true(dgm_neighbours_recall(lists) < 0.7);
            assert_near(recall_of(lists, points, DIM, options), dgm_neighbours_recall(lists), 0.05);
            dgm_neighbours_free(lists);
            options.recall = 0.95;
            assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
            assert_true(dgm_neighbours_recall(lists) >= 0.95);
            assert_near(recall_of(lists, points, DIM, options), dgm_neighbours_recall(lists), 0.02);
            dgm_neighbours_free(lists);
            free(points);
        }
}

/* In so many dimensions lists of 40 come to rest before all is found; longer ones go on. */
static void lists_that_rest_too_early_grow(void **state) {
    (void)state;
    enum { POINTS = 3000, DIM = 48 };
    float *points = random_points(POINTS, DIM, 5);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = 10;
    options.method = DGM_KNN_DESCENT;
    options.recall = 0.9999;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    assert_true(dgm_neighbours_recall(lists) >= 0.9999);
    assert_near(recall_of(lists, points, DIM, options), dgm_neighbours_recall(lists), 0.001);
    dgm_neighbours_free(lists);
    free(points);
}

/* Cells of one place each, some empty: still k neighbours for all. */
static void approximate_lists_of_duplicates_are_full(void **state) {
    (void)state;
    enum { POINTS = 700 };
    float *points = malloc(POINTS * sizeof *points);
    for (int64_t i = 0; i < POINTS; i++)
        points[i] = (float)(i % 5 * i % 3);
    for (int variant = 0; variant < 6; variant++) {
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *lists;
        options.method = approximate[variant % 3];
        options.k = variant / 3 ? 3 : 300;
        options.recall = 1;
        assert_int_equal(dgm_knn(ctx, points, POINTS, 1, &options, &lists), DGM_OK);
        assert_int_equal(dgm_neighbours_k(lists), options.k);
        assert_true(recall_of(lists, points, 1, options) > 0.99);
        dgm_neighbours_free(lists);
    }
    free(points);
}

static void few_points_are_all_neighbours_of_each_other(void **state) {
    (void)state;
    float *points = random_points(20, 3, 9);
    for (int64_t m = 0; m < COUNT(approximate); m++)
        for (int64_t count = 1; count <= 20; count++) {
            dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
            dgm_neighbours *lists;
            options.k = 25;
            options.method = approximate[m];
            assert_int_equal(dgm_knn(ctx, points, count, 3, &options, &lists), DGM_OK);
            assert_int_equal(dgm_neighbours_k(lists), count - 1);
            if (count > 1)
                assert_neighbours(lists, points, count, 3, DGM_METRIC_L2, 1e-6);
            dgm_neighbours_free(lists);
        }
    free(points);
}

/* Every third point is the zero vector, which is as far from all as a right angle. */
static void zero_vectors_are_found_and_find_the_first_points(void **state) {
    (void)state;
    enum { POINTS = 1500, DIM = 6, K = 8 };
    float *points = random_points(POINTS, DIM, 41);
    for (int64_t i = 0; i < POINTS * DIM; i++)
        points[i] = i / DIM % 3 ? fabsf(points[i]) : 0;
    for (int64_t c = 0; c < DIM; c++) /* whose nearest are the zero vectors */
        points[DIM + c] = -points[DIM + c];
    for (int64_t m = 0; m < COUNT(approximate); m++) {
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *lists;
        options.k = K;
        options.metric = DGM_METRIC_COSINE;
        options.method = approximate[m];
        options.recall = 0.999;
        assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
        assert_true(recall_of(lists, points, DIM, options) > 0.98);
        assert_true(dgm_neighbours_recall(lists) > 0.98); /* theirs are found, too */
        for (int64_t j = 0; j < K; j++)
            assert_true(dgm_neighbours_distances(lists)[3 * K + j] == 1);
        if (options.method == DGM_KNN_DESCENT)
            for (int64_t j = 0; j < K; j++)
                assert_int_equal(dgm_neighbours_indices(lists)[3 * K + j], j + (j >= 3));
        dgm_neighbours_free(lists);
    }
    free(points);
}

static void zero_vectors_have_the_first_points_in_every_list(void **state) {
    (void)state;
    enum { POINTS = 600, DIM = 6, K = 8 };
    float *points = random_points(POINTS, DIM, 43);
    for (int64_t i = 0; i < POINTS * DIM; i++)
        points[i] = i / DIM % 3 ? points[i] : 0;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = K;
    options.metric = DGM_METRIC_COSINE;
    options.method = DGM_KNN_DESCENT;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    for (int64_t i = 0; i < POINTS; i += 3)
        for (int64_t j = 0; j < K; j++) {
            assert_int_equal(dgm_neighbours_indices(lists)[i * K + j], j + (j >= i));
            assert_true(dgm_neighbours_distances(lists)[i * K + j] == 1);
        }
    dgm_neighbours_free(lists);
    free(points);
}

/* In 64 dimensions most pairs are nearly at a right angle. The start finds fewer than k points at
 * less than that, so that lists hold zero vectors, which must give way to what is found later. */
static void zero_vectors_give_way_to_points_at_less_than_a_right_angle(void **state) {
    (void)state;
    enum { POINTS = 900, DIM = 64, K = 150 };
    float *points = random_points(POINTS, DIM, 47);
    for (int64_t i = 0; i < POINTS * DIM; i++)
        points[i] = i / DIM % 3 ? points[i] : 0;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    int64_t zeros = 0;
    options.k = K;
    options.metric = DGM_METRIC_COSINE;
    options.method = DGM_KNN_DESCENT;
    options.recall = 0.1; /* the start */
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    for (int64_t i = 0; i < (int64_t)POINTS * K; i++)
        zeros += i / K % 3 != 0 && dgm_neighbours_indices(lists)[i] % 3 == 0;
    assert_true(zeros > POINTS);
    dgm_neighbours_free(lists);
    options.recall = 0.99;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    assert_true(dgm_neighbours_recall(lists) >= 0.99);
    assert_true(recall_of(lists, points, DIM, options) > 0.98);
    dgm_neighbours_free(lists);
    free(points);
}

/* Two clusters so far from each other that the order of neighbours is lost in single precision:
 * distances of lists are those of their points all the same, and ascend. */
static void lists_of_a_descent_have_exact_distances_in_order(void **state) {
    (void)state;
    enum { POINTS = 600, DIM = 5, K = 12 };
    float *points = random_points(POINTS, DIM, 3);
    for (int64_t i = 0; i < POINTS * DIM; i++) /* 1e4 apart, 1e-2 wide */
        points[i] = points[i] * 0.02F + (i / DIM % 2 ? 1e4F : 0);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = K;
    options.method = DGM_KNN_DESCENT;
    assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
    for (int64_t i = 0; i < (int64_t)POINTS * K; i++) {
        const float *far = dgm_neighbours_distances(lists) + i;
        uint32_t other = dgm_neighbours_indices(lists)[i];
        assert_near(
            *far, distance_between(points + i / K * DIM, points + other * DIM, DIM, DGM_METRIC_L2),
            1e-6 * *far);
        assert_true(i % K == 0 || far[0] >= far[-1]);
    }
    dgm_neighbours_free(lists);
    free(points);
}

/* Lists of more entries than are measured at once. */
static void long_lists_are_as_good_as_short_ones(void **state) {
    (void)state;
    enum { POINTS = 1300, DIM = 16, K = 600 };
    float *points = random_points(POINTS, DIM, 53);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = K;
    options.method = DGM_KNN_DESCENT;
    for (options.recall = 0.1; options.recall < 1; options.recall += 0.89) { /* the start, 0.99 */
        assert_int_equal(dgm_knn(ctx, points, POINTS, DIM, &options, &lists), DGM_OK);
        assert_true(dgm_neighbours_recall(lists) >= options.recall);
        assert_near(recall_of(lists, points, DIM, options), dgm_neighbours_recall(lists), 0.03);
        dgm_neighbours_free(lists);
    }
    free(points);
}

static bool stop_later(void *user, const char *stage, double fraction) {
    int *left = user;
    (void)stage;
    (void)fraction;
    return (*left)-- > 0;
}

static void a_search_can_be_stopped_anywhere(void **state) {
    (void)state;
    float *points = random_points(1000, 20, 2);
    for (int64_t m = 0; m < COUNT(approximate); m++)
        for (int steps = 0;; steps += 1 + steps / 2) {
            int left = steps;
            dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
            dgm_neighbours *lists;
            options.method = approximate[m];
            options.recall = 0.98;
            dgm_context_set_progress(ctx, stop_later, &left);
            dgm_status status = dgm_knn(ctx, points, 1000, 20, &options, &lists);
            dgm_context_set_progress(ctx, NULL, NULL);
            assert_true((status == DGM_OK) == (lists != NULL));
            dgm_neighbours_free(lists);
            if (status == DGM_OK)
                break;
            assert_int_equal(status, DGM_ERROR_CANCELLED);
            dgm_context_resume(ctx);
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
        cmocka_unit_test(lists_that_rest_too_early_grow),
        cmocka_unit_test(approximate_lists_reach_their_recall),
        cmocka_unit_test(neighbours_of_neighbours_find_what_near_cells_lack),
        cmocka_unit_test(approximate_lists_of_duplicates_are_full),
        cmocka_unit_test(few_points_are_all_neighbours_of_each_other),
        cmocka_unit_test(zero_vectors_are_found_and_find_the_first_points),
        cmocka_unit_test(zero_vectors_have_the_first_points_in_every_list),
        cmocka_unit_test(zero_vectors_give_way_to_points_at_less_than_a_right_angle),
        cmocka_unit_test(lists_of_a_descent_have_exact_distances_in_order),
        cmocka_unit_test(long_lists_are_as_good_as_short_ones),
        cmocka_unit_test(a_search_can_be_stopped_anywhere),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(points_of_the_last_tile_have_neighbours_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
