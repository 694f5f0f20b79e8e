/* SPDX-License-Identifier: Apache-2.0 */
/* Where the descent of t-SNE begins, and where points go that are added to a map, against plain
 * loops in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"
#include "unit_progress.h"

enum { OLD = 150, NEW = 70, COLUMNS = 4, K = 10, STEPS = 100, MOST = 3 };

static dgm_matrix *scattered(int64_t rows, int64_t columns, uint64_t stream, double scale) {
    dgm_matrix *table = build_matrix(rows, columns, NULL);
    for (int64_t i = 0; i < rows * columns; i++)
        dgm_matrix_values_mutable(table)[i] = scale * dgmi_random_unit(3, stream, (uint64_t)i);
    return table;
}

/* ---- new points ---- */

/* The affinities of a new point with its ten nearest old ones: those of perplexity 3, which are
 * tested elsewhere. */
static void find_affinities(const dgm_matrix *old, const double *x, int64_t *near, double *p) {
    float distances[K];
    double squares[OLD];
    for (int64_t j = 0; j < OLD; j++) {
        squares[j] = 0;
        for (int64_t c = 0; c < COLUMNS; c++)
            squares[j] += pow(x[c] - dgm_matrix_values(old)[j * COLUMNS + c], 2);
    }
    for (int64_t k = 0; k < K; k++) {
        near[k] = 0;
        for (int64_t j = 1; j < OLD; j++)
            near[k] = squares[j] < squares[near[k]] ? j : near[k];
        distances[k] = (float)sqrt(squares[near[k]]);
        squares[near[k]] = INFINITY;
    }
    dgmi_reduce_affinity_row(K, distances, log(3), p);
}

/* From the mean of its neighbours a hundred steps of length a half down the gradient, with half of
 * the step before. Returns the divergence there. */
static double place(const dgm_matrix *map, const int64_t *near, const double *p, double *y) {
    const double *at = dgm_matrix_values(map);
    int64_t dim = dgm_matrix_columns(map);
    double speed[MOST] = {0}, z = 0, divergence = 0;
    for (int64_t a = 0; a < dim; a++) {
        y[a] = 0;
        for (int64_t k = 0; k < K; k++)
            y[a] += p[k] * at[near[k] * dim + a];
    }
    for (int step = 0; step <= STEPS; step++) {
        double w[OLD], gradient[MOST] = {0};
        z = 0;
        for (int64_t j = 0; j < OLD; j++) {
            double square = 1;
            for (int64_t a = 0; a < dim; a++)
                square += pow(y[a] - at[j * dim + a], 2);
            w[j] = 1 / square;
            z += w[j];
        }
        for (int64_t a = 0; a < dim; a++) {
            for (int64_t k = 0; k < K; k++)
                gradient[a] += p[k] * w[near[k]] * (y[a] - at[near[k] * dim + a]);
            for (int64_t j = 0; j < OLD; j++)
                gradient[a] -= w[j] / z * w[j] * (y[a] - at[j * dim + a]);
        }
        if (step == STEPS)
            for (int64_t k = 0; k < K; k++)
                divergence += p[k] > 0 ? p[k] * log(p[k] * z / w[near[k]]) : 0;
        for (int64_t a = 0; a < dim && step < STEPS; a++) {
            speed[a] = 0.5 * speed[a] - 0.5 * gradient[a];
            y[a] += speed[a];
        }
    }
    return divergence;
}

static void new_points_go_where_the_gradient_leads_them(void **state) {
    (void)state;
    dgm_matrix *old = scattered(OLD, COLUMNS, 1, 10), *new = scattered(NEW, COLUMNS, 2, 10);
    dgm_points points = dgm_points_of_matrix(old), added = dgm_points_of_matrix(new);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    options.perplexity = 3;
    for (int64_t dim = 1; dim <= MOST; dim++) {
        dgm_matrix *map = scattered(OLD, dim, 3, 5), *placed;
        dgm_reduce_report report;
        double divergence = 0;
        hear_progress();
        assert_int_equal(dgm_tsne_place(ctx, &points, map, &added, &options, &report, &placed),
                         DGM_OK);
        hear_no_more();
        assert_int_equal(reports_of("placing points"), 10);
        for (int64_t i = 0; i < 10; i++)
            assert_near(heard_reports[heard_count - 10 + i].fraction, 0.1 * (double)i, 1e-12);
        for (int64_t i = 0; i < NEW; i++) {
            int64_t near[K];
            double p[K], y[MOST];
            find_affinities(old, dgm_matrix_values(new) + i * COLUMNS, near, p);
            divergence += place(map, near, p, y) / NEW;
            for (int64_t a = 0; a < dim; a++)
                assert_near(dgm_matrix_values(placed)[i * dim + a], y[a], 2e-3);
        }
        assert_string_equal(report.method, "tsne");
        assert_string_equal(report.figures[0].name, "divergence");
        assert_near(report.figures[0].values[0], divergence, 1e-3);
        assert_string_equal(report.figures[1].name, "perplexity");
        assert_near(report.figures[1].values[0], 3, 0);
        dgm_matrix_free(placed);
        dgm_matrix_free(map);
    }
    dgm_matrix_free(old);
    dgm_matrix_free(new);
}

static void a_map_must_have_a_row_for_each_point(void **state) {
    (void)state;
    dgm_matrix *old = scattered(6, 2, 1, 1), *map = scattered(5, 2, 2, 1), *placed;
    dgm_points points = dgm_points_of_matrix(old);
    ASSERT_FAILS(dgm_tsne_place(ctx, &points, map, &points, NULL, NULL, &placed), DGM_ERROR_DATA,
                 "the map has 5 rows, but there are 6 points");
    assert_null(placed);
    dgm_matrix_free(map);
    map = scattered(6, 2, 2, 1);
    dgm_matrix_values_mutable(map)[3] = NAN;
    ASSERT_FAILS(dgm_tsne_place(ctx, &points, map, &points, NULL, NULL, &placed), DGM_ERROR_DATA,
                 "row 1, column 1 of the points is NaN, not a finite number");
    dgm_matrix_free(map);
    dgm_matrix_free(old);
}

/* Whatever the caller's pointer was before. */
static void who_asks_for_the_impossible_gets_no_map(void **state) {
    (void)state;
    dgm_matrix *table = scattered(6, 2, 1, 1), *map = table;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    options.perplexity = 0.5;
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, &options, NULL, &map), DGM_ERROR_USAGE);
    assert_null(map);
    map = table;
    assert_int_equal(dgm_tsne_place(ctx, &points, table, &points, &options, NULL, &map),
                     DGM_ERROR_USAGE);
    assert_null(map);
    map = table;
    assert_int_equal(dgm_reduce_umap(ctx, &points, 0, NULL, NULL, &map), DGM_ERROR_USAGE);
    assert_null(map);
    map = table;
    assert_int_equal(dgm_reduce_isomap(ctx, &points, 0, NULL, NULL, &map), DGM_ERROR_USAGE);
    assert_null(map);
    map = table;
    assert_int_equal(dgm_reduce_pca(ctx, &points, 0, NULL, NULL, &map), DGM_ERROR_USAGE);
    assert_null(map);
    dgm_matrix_free(table);
}

/* ---- the start ---- */

static double deviation_of(const float *y, int64_t count) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < count; i++)
        mean += (double)y[i] / (double)count;
    for (int64_t i = 0; i < count; i++)
        square += pow((double)y[i] - mean, 2) / (double)count;
    return sqrt(square);
}

static void assert_drawn(const dgmi_kernels_embedding *y, int axis, uint64_t seed) {
    for (int64_t i = 0; i < y->count; i++)
        assert_near((double)y->axis[axis][i],
                    1e-4 * dgmi_reduce_draw_normal(seed, (uint64_t)axis, (uint64_t)i), 1e-10);
}

/* Two columns of deviations 4 to 1, and one that is constant: the third axis has no variance. */
static void a_start_has_components_of_a_ten_thousandth(void **state) {
    (void)state;
    enum { ROWS = 120 };
    dgm_matrix *table = build_matrix(ROWS, 3, NULL);
    for (int64_t i = 0; i < ROWS; i++) {
        dgm_matrix_values_mutable(table)[3 * i] = 4 * cos(0.1 * acos(-1) * (double)i);
        dgm_matrix_values_mutable(table)[3 * i + 1] = sin(0.1 * acos(-1) * (double)i);
        dgm_matrix_values_mutable(table)[3 * i + 2] = 7;
    }
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    options.seed = 4;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, 3, ROWS, &y), DGM_OK);
    assert_int_equal(dgmi_reduce_embedding_start(ctx, &points, &options, &y), DGM_OK);
    assert_near(deviation_of(y.axis[0], ROWS), 1e-4, 1e-8);
    assert_near(deviation_of(y.axis[1], ROWS), 0.25e-4, 1e-8);
    double scale = (double)y.axis[0][0] / 4; /* cos 0 is 1 */
    for (int64_t i = 0; i < ROWS; i++)
        assert_near((double)y.axis[0][i], scale * dgm_matrix_values(table)[3 * i], 1e-8);
    assert_drawn(&y, 2, 4);
    options.init = DGM_TSNE_RANDOM;
    assert_int_equal(dgmi_reduce_embedding_start(ctx, &points, &options, &y), DGM_OK);
    for (int axis = 0; axis < 3; axis++)
        assert_drawn(&y, axis, 4);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(table);
}

/* Means 0 and squares 1, one beside the other without a tie between them. */
static void normal_numbers_are_normal(void **state) {
    (void)state;
    enum { N = 40000 };
    double sum = 0, square = 0, beside = 0, fourth = 0, last = 0;
    for (uint64_t i = 0; i < N; i++) {
        double x = dgmi_reduce_draw_normal(1, 2, i);
        sum += x / N;
        square += x * x / N;
        fourth += x * x * x * x / N;
        beside += x * last / N;
        last = x;
    }
    assert_near(sum, 0, 0.02);
    assert_near(square, 1, 0.03);
    assert_near(fourth, 3, 0.25);
    assert_near(beside, 0, 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_points_go_where_the_gradient_leads_them),
        cmocka_unit_test(a_map_must_have_a_row_for_each_point),
        cmocka_unit_test(who_asks_for_the_impossible_gets_no_map),
        cmocka_unit_test(a_start_has_components_of_a_ten_thousandth),
        cmocka_unit_test(normal_numbers_are_normal),
    };
    return RUN_WITH_CONTEXT(tests);
}
