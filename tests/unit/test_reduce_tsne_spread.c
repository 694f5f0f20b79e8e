/* SPDX-License-Identifier: Apache-2.0 */
/* Clouds without clusters keep their spread, and come out as well as in other programs: the exact
 * divergence of a map is computed here, by all pairs and from the definitions alone. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "reduce_tsne.h"

enum { PERPLEXITY = 30 };

/* ---- the exact divergence ---- */

static int compare_reals(const void *x, const void *y) {
    double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

static double squared_distance(const double *values, int64_t columns, int64_t i, int64_t j) {
    double square = 0;
    for (int64_t c = 0; c < columns; c++)
        square += (values[i * columns + c] - values[j * columns + c]) *
                  (values[i * columns + c] - values[j * columns + c]);
    return square;
}

/* p of row i over neighbours up to the distance `limit`, ties among them, by bisection. */
static void find_row(int64_t n, const double *squares, double limit, double entropy, double *p) {
    double low = 0, high = INFINITY, beta = 1, nearest = INFINITY;
    for (int64_t j = 0; j < n; j++)
        nearest = fmin(nearest, squares[j]);
    for (int step = 0; step < 200; step++) {
        double sum = 0, mean = 0;
        for (int64_t j = 0; j < n; j++) {
            p[j] = squares[j] <= limit ? exp(-beta * (squares[j] - nearest)) : 0;
            sum += p[j];
            mean += p[j] > 0 ? p[j] * (squares[j] - nearest) : 0;
        }
        for (int64_t j = 0; j < n; j++)
            p[j] /= sum;
        if (log(sum) + beta * mean / sum > entropy)
            low = beta;
        else
            high = beta;
        beta = isinf(high) ? 2 * beta : (low + high) / 2;
        if (beta > 1e200)
            return;
    }
}

/* p_j|i of all pairs. */
static double *find_affinities(const dgm_matrix *table, double perplexity) {
    int64_t n = dgm_matrix_rows(table), k = (int64_t)(3 * perplexity + 1);
    double *p = calloc((size_t)(n * n), sizeof *p), *squares = calloc((size_t)n, sizeof *squares);
    double *sorted = calloc((size_t)n, sizeof *sorted);
    assert_true(p && squares && sorted);
    k = k < n - 1 ? k : n - 1;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            squares[j] = i == j ? INFINITY
                                : squared_distance(dgm_matrix_values(table),
                                                   dgm_matrix_columns(table), i, j);
        memcpy(sorted, squares, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, compare_reals);
        find_row(n, squares, sorted[k - 1], log(perplexity), p + i * n);
    }
    free(sorted);
    free(squares);
    return p;
}

static double exact_divergence(const dgm_matrix *table, const dgm_matrix *map) {
    int64_t n = dgm_matrix_rows(table), dim = dgm_matrix_columns(map);
    double *p = find_affinities(table, fmin(PERPLEXITY, (double)(n - 1) / 3));
    double z = 0, sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            z += i == j ? 0 : 1 / (1 + squared_distance(dgm_matrix_values(map), dim, i, j));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double both = (p[i * n + j] + p[j * n + i]) / (2 * (double)n);
            double q = 1 / (1 + squared_distance(dgm_matrix_values(map), dim, i, j)) / z;
            sum += both > 0 ? both * log(both / q) : 0;
        }
    free(p);
    return sum;
}

/* ---- clouds ---- */

static void find_spread(const dgm_matrix *map, dgmi_reduce_spread *spread) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    assert_int_equal(
        dgmi_reduce_embedding_make(ctx, (int)dgm_matrix_columns(map), dgm_matrix_rows(map), &y),
        DGM_OK);
    dgmi_reduce_embedding_read(map, &y);
    assert_int_equal(dgmi_reduce_spread_find(ctx, &y, spread), DGM_OK);
    dgmi_arena_release(ctx, hold);
}

static dgm_matrix *map_of(const dgm_matrix *table, const char *specification) {
    dgm_points points = dgm_points_of_matrix(table);
    dgm_matrix *map;
    if (dgm_reduce_run(ctx, &points, specification, 0, 1, NULL, &map) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    for (int64_t i = 0; i < dgm_matrix_rows(map) * dgm_matrix_columns(map); i++)
        assert_true(isfinite(dgm_matrix_values(map)[i]));
    return map;
}

static void clouds_come_out_as_well_as_elsewhere(void **state) {
    (void)state;
    char path[512], name[32];
    int rows, columns, cases = 0;
    double peers[2];
    snprintf(path, sizeof path, "%s/oracle/reduce_clouds.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "#%*[^\n]"), 0);
    while (fscanf(file, " case %31s %d %d %lf %lf", name, &rows, &columns, &peers[0], &peers[1]) ==
           5) {
        dgm_matrix *table = build_matrix(rows, columns, NULL);
        for (int i = 0; i < rows * columns; i++)
            assert_int_equal(fscanf(file, "%lf", &dgm_matrix_values_mutable(table)[i]), 1);
        dgm_matrix *map = map_of(table, "tsne");
        dgmi_reduce_spread spread;
        find_spread(map, &spread);
        double own = exact_divergence(table, map), better = fmin(peers[0], peers[1]);
        if (own > 1.02 * better)
            fail_msg("%s, %d x %d: divergence %g, elsewhere %g", name, rows, columns, own, better);
        if (!(spread.deviations[1] > 0.3 * spread.deviations[0]))
            fail_msg("%s, %d x %d: deviations %g and %g", name, rows, columns, spread.deviations[0],
                     spread.deviations[1]);
        dgm_matrix_free(map);
        dgm_matrix_free(table);
        cases++;
    }
    assert_int_equal(cases, 8);
    fclose(file);
}

static double normal(uint64_t stream, uint64_t i) {
    return dgmi_reduce_draw_normal(77, stream, i);
}

/* A cloud of so many columns that every mode of it shrinks under exaggeration. */
static dgm_matrix *make_cloud(int64_t rows, int64_t columns) {
    dgm_matrix *table = build_matrix(rows, columns, NULL);
    for (int64_t i = 0; i < rows * columns; i++)
        dgm_matrix_values_mutable(table)[i] = normal((uint64_t)columns, (uint64_t)i);
    return table;
}

static void no_cloud_collapses_by_any_repulsion_or_start(void **state) {
    (void)state;
    static const char *const ways[] = {"tsne:repulsion=tree", "tsne:repulsion=fft",
                                       "tsne:init=random", "tsne:exaggeration=50",
                                       "tsne:early=600"};
    dgm_matrix *table = make_cloud(900, 20);
    for (int64_t w = 0; w < COUNT(ways); w++) {
        dgm_matrix *map = map_of(table, ways[w]);
        dgmi_reduce_spread spread;
        find_spread(map, &spread);
        if (!(spread.narrowest > 3 && spread.narrowest > 0.5 * spread.deviations[0]))
            fail_msg("%s: deviations %g and %g", ways[w], spread.deviations[0], spread.narrowest);
        dgm_matrix_free(map);
    }
    dgm_matrix_free(table);
}

static void two_points_and_three_keep_apart(void **state) {
    (void)state;
    for (int64_t rows = 2; rows <= 5; rows++) {
        dgm_matrix *table = make_cloud(rows, 4), *map = map_of(table, "tsne");
        dgmi_reduce_spread spread;
        find_spread(map, &spread);
        assert_true(spread.deviations[0] > 1e-5);
        dgm_matrix_free(map);
        dgm_matrix_free(table);
    }
}

/* ---- the parts ---- */

static void deviations_are_those_of_a_turned_ellipse(void **state) {
    (void)state;
    enum { N = 4000 };
    dgm_matrix *map = build_matrix(N, 2, NULL);
    double *y = dgm_matrix_values_mutable(map);
    for (uint64_t i = 0; i < N; i++) {
        double long_way = 5 * normal(1, i), short_way = 0.5 * normal(2, i);
        y[2 * i] = 100 + 0.6 * long_way - 0.8 * short_way;
        y[2 * i + 1] = -30 + 0.8 * long_way + 0.6 * short_way;
    }
    dgmi_reduce_spread spread;
    find_spread(map, &spread);
    assert_near(spread.middle[0], 100, 0.3);
    assert_near(spread.middle[1], -30, 0.3);
    assert_near(spread.deviations[0], 5, 0.2);
    assert_near(spread.narrowest, 0.5, 0.02);
    assert_near(fabs(spread.directions[0]), 0.6, 0.02);
    dgm_matrix_free(map);
}

static void narrow_directions_become_wide_and_others_stay(void **state) {
    (void)state;
    enum { N = 500 };
    for (int collapsed = 0; collapsed < 2; collapsed++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_kernels_embedding y;
        dgmi_reduce_spread before, after;
        assert_int_equal(dgmi_reduce_embedding_make(ctx, 2, N, &y), DGM_OK);
        for (uint64_t i = 0; i < N; i++) {
            y.axis[0][i] = (float)(3 + 2 * normal(3, i));
            y.axis[1][i] = collapsed ? 0 : (float)(1e-12 * normal(4, i));
        }
        assert_int_equal(dgmi_reduce_spread_find(ctx, &y, &before), DGM_OK);
        dgmi_reduce_spread_widen(&before, 1e-4, 1, &y);
        assert_int_equal(dgmi_reduce_spread_find(ctx, &y, &after), DGM_OK);
        assert_near(after.deviations[0], before.deviations[0], 1e-4);
        assert_true(after.narrowest > 0.9e-4 && after.narrowest < 1.1e-4);
        assert_near(after.middle[0], 0, 1e-4);
        dgmi_arena_release(ctx, hold);
    }
}

/* A map that ran away has no spread to hold it to; that it did is noticed by its gradient. */
static void a_map_that_is_not_finite_is_never_too_narrow(void **state) {
    (void)state;
    float x[] = {0, 1, INFINITY}, y[] = {0, 1, 2};
    const dgmi_kernels_embedding map = {.count = 3, .dim = 2, .axis = {x, y}};
    dgmi_reduce_spread spread;
    assert_int_equal(dgmi_reduce_spread_find(ctx, &map, &spread), DGM_OK);
    assert_true(isinf(spread.narrowest));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_come_out_as_well_as_elsewhere),
        cmocka_unit_test(no_cloud_collapses_by_any_repulsion_or_start),
        cmocka_unit_test(two_points_and_three_keep_apart),
        cmocka_unit_test(deviations_are_those_of_a_turned_ellipse),
        cmocka_unit_test(narrow_directions_become_wide_and_others_stay),
        cmocka_unit_test(a_map_that_is_not_finite_is_never_too_narrow),
    };
    return RUN_WITH_CONTEXT(tests);
}
