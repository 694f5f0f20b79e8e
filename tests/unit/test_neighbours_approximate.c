/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbours that are searched for where near points are likely: as many are found as is promised. */
#include "unit_fixture.h"

#include "neighbours_points.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(approximate_lists_reach_their_recall),
        cmocka_unit_test(neighbours_of_neighbours_find_what_near_cells_lack),
        cmocka_unit_test(lists_that_rest_too_early_grow),
        cmocka_unit_test(approximate_lists_of_duplicates_are_full),
        cmocka_unit_test(few_points_are_all_neighbours_of_each_other),
        cmocka_unit_test(zero_vectors_are_found_and_find_the_first_points),
        cmocka_unit_test(zero_vectors_have_the_first_points_in_every_list),
        cmocka_unit_test(zero_vectors_give_way_to_points_at_less_than_a_right_angle),
        cmocka_unit_test(lists_of_a_descent_have_exact_distances_in_order),
        cmocka_unit_test(long_lists_are_as_good_as_short_ones),
        cmocka_unit_test(a_search_can_be_stopped_anywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
