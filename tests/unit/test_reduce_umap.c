/* SPDX-License-Identifier: Apache-2.0 */
/* UMAP against umap-learn's curves, graphs and the trust in its maps; few points, and threads. */
#include "unit_fixture.h"

#include "base_memory.h"
#include "base_random.h"
#include "reduce_manifold.h"
#include "reduce_umap.h"

static void curves_are_those_of_umap_learn(void **state) {
    (void)state;
    FILE *file = open_oracle("reduce_umap.txt");
    int count;
    assert_int_equal(fscanf(file, " curves %d", &count), 1);
    assert_int_equal(count, 6);
    for (int i = 0; i < count; i++) {
        double min_dist = read_number(file), spread = read_number(file);
        double a = read_number(file), b = read_number(file);
        dgmi_reduce_umap_curve curve = dgmi_reduce_umap_fit(min_dist, spread);
        assert_near(curve.a, a, 1e-5 * a);
        assert_near(curve.b, b, 1e-5 * b);
    }
    fclose(file);
}

/* Where a point at y stands after an edge has pulled it towards `other` in both its directions: the
 * gradient of log 1 / (1 + a d^2b), each step no longer than 4. */
static double pulled_twice(dgmi_reduce_umap_curve curve, double y, double other) {
    for (int pull = 0; pull < 2; pull++) {
        double apart = y - other, square = apart * apart, power = pow(square, curve.b);
        double force = -2 * curve.a * curve.b * power / (square * (1 + curve.a * power));
        y += fmax(-4, fmin(4, force * apart));
    }
    return y;
}

/* Pairs of points at distances from 1/50 to 100, in the first of epochs, without negatives. The
 * power is computed to about 1e-5. The very first edge begins with one pull and is not looked at.
 */
static void a_step_follows_the_gradient(void **state) {
    (void)state;
    enum { PAIRS = 60, POINTS = 2 * PAIRS };
    int64_t offsets[POINTS + 1];
    uint32_t columns[POINTS];
    double values[POINTS];
    float y[POINTS], before[POINTS];
    const dgmi_reduce_umap_curve curve = dgmi_reduce_umap_fit(0.1, 1);
    dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
    options.negatives = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        offsets[i] = i;
        columns[i] = i ^ 1;
        values[i] = 1;
        before[i] = y[i] = i % 2 ? (float)(0.02 * pow(1.155, i / 2)) : 0;
    }
    offsets[POINTS] = POINTS;
    const dgmi_spectral_adjacency graph = {POINTS, offsets, columns, values, NULL, NULL, 0, 0};
    assert_int_equal(dgmi_reduce_umap_descend(ctx, &graph, curve, &options, 1, 1, y), DGM_OK);
    for (int i = 2; i < POINTS; i++)
        assert_near((double)y[i], pulled_twice(curve, (double)before[i], (double)before[i ^ 1]),
                    1e-4 * (1 + fabs((double)before[i] - (double)before[i ^ 1])));
}

static void the_default_curve_is_known(void **state) {
    (void)state;
    dgmi_reduce_umap_curve curve = dgmi_reduce_umap_fit(0.1, 1);
    assert_near(curve.a, 1.577, 1e-3);
    assert_near(curve.b, 0.895, 1e-3);
}

/* Goes to the line that begins with `word`. */
static void find_line(FILE *file, const char *word) {
    char line[4096];
    size_t length = strlen(word);
    for (long at = ftell(file); fgets(line, sizeof line, file); at = ftell(file))
        if (strncmp(line, word, length) == 0) {
            fseek(file, at, SEEK_SET);
            return;
        }
    fail_msg("there is no %s", word);
}

static double mean_of(const dgm_neighbours *neighbours) {
    int64_t count = dgm_neighbours_rows(neighbours) * dgm_neighbours_k(neighbours);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += dgm_neighbours_distances(neighbours)[i];
    return sum / (double)(count + dgm_neighbours_rows(neighbours));
}

static void memberships_are_those_of_umap_learn(void **state) {
    (void)state;
    FILE *file = open_oracle("reduce_umap.txt");
    int rows, columns, count, entries;
    find_line(file, "graph");
    assert_int_equal(fscanf(file, " graph %d %d %d %d", &rows, &columns, &count, &entries), 4);
    dgm_matrix *table = read_table(file, rows, columns);
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *neighbours;
    dgmi_spectral_adjacency graph;
    options.k = count - 1;
    assert_int_equal(dgm_knn_matrix(ctx, table, &options, &neighbours), DGM_OK);
    for (int i = 0; i < rows; i++) {
        double rho, sigma;
        dgmi_reduce_umap_smooth(options.k, dgm_neighbours_distances(neighbours) + i * options.k,
                                mean_of(neighbours), &rho, &sigma);
        assert_near(rho, read_number(file), 1e-6);
        assert_near(sigma, read_number(file), 1e-4);
    }
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_reduce_umap_graph(ctx, neighbours, &graph), DGM_OK);
    assert_int_equal(graph.offsets[rows], entries);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = graph.offsets[i]; e < graph.offsets[i + 1]; e++) {
            assert_int_equal(i, (int64_t)read_number(file));
            assert_int_equal(graph.columns[e], (int64_t)read_number(file));
            assert_near(graph.values[e], read_number(file), 1e-4);
        }
    dgmi_arena_release(ctx, hold);
    dgm_neighbours_free(neighbours);
    dgm_matrix_free(table);
    fclose(file);
}

/* Where all neighbours are equally near, sigma would be 0. As in umap-learn it is a thousandth of the
 * mean distance then: that of the point to its neighbours and itself, or of all where it is on them. */
static void sigma_is_never_less_than_a_thousandth_of_the_mean(void **state) {
    (void)state;
    enum { K = 15 };
    float away[K], on[K] = {0};
    double rho, sigma;
    for (int j = 0; j < K; j++)
        away[j] = 8;
    dgmi_reduce_umap_smooth(K, away, 100, &rho, &sigma);
    assert_near(rho, 8, 0);
    assert_near(sigma, 1e-3 * 8 * K / (K + 1), 1e-12);
    dgmi_reduce_umap_smooth(K, on, 100, &rho, &sigma);
    assert_near(rho, 0, 0);
    assert_near(sigma, 0.1, 1e-12);
}

/* Means over three seeds, as in the file: points near in the map are near, and near ones are near
 * in the map. */
static void assert_trusted(const dgm_matrix *table, const char *init, int64_t k, double trust,
                           double kept) {
    double trust_sum = 0, kept_sum = 0;
    for (int seed = 1; seed <= 3; seed++) {
        char what[64];
        snprintf(what, sizeof what, "umap:init=%s,seed=%d", init, seed);
        dgm_matrix *map = reduce_table(table, what, 2);
        trust_sum += trustworthiness(table, map, k);
        kept_sum += trustworthiness(map, table, k);
        dgm_matrix_free(map);
    }
    assert_near(trust_sum / 3, trust, 0.02);
    assert_near(kept_sum / 3, kept, 0.02);
}

static void maps_are_as_trustworthy_as_those_of_umap_learn(void **state) {
    (void)state;
    FILE *file = open_oracle("reduce_umap.txt");
    char name[32];
    int rows, columns, k, cases = 0;
    double trust, kept, random_trust, random_kept;
    /* One start is enough to see that another instruction set gives a map as good. */
    const bool all_starts = !getenv("DGM_CPU");
    find_line(file, "trust");
    /* umap-learn's own values with a random start deviate by 0.009 or less between seeds */
    while (fscanf(file, " trust %31s %d %d %d %lf %lf %lf %lf %*f %*f", name, &rows, &columns, &k,
                  &trust, &kept, &random_trust, &random_kept) == 8) {
        dgm_matrix *table = read_table(file, rows, columns);
        assert_trusted(table, "spectral", k, trust, kept);
        if (all_starts) {
            assert_trusted(table, "pca", k, trust, kept);
            assert_trusted(table, "random", k, random_trust, random_kept);
        }
        dgm_matrix_free(table);
        cases++;
    }
    assert_int_equal(cases, 3);
    fclose(file);
}

/* Eigenvectors are the same wherever their search began, signs among them. */
static void a_spectral_start_does_not_depend_on_the_seed(void **state) {
    (void)state;
    enum { ROWS = 120 };
    dgm_matrix *table = scattered(ROWS, 3);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_knn_options knn = DGM_KNN_OPTIONS_INIT;
    dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
    dgm_neighbours *neighbours;
    dgmi_spectral_adjacency graph;
    float first[ROWS * 2], y[ROWS * 2];
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgm_knn_matrix(ctx, table, &knn, &neighbours), DGM_OK);
    assert_int_equal(dgmi_reduce_umap_graph(ctx, neighbours, &graph), DGM_OK);
    assert_int_equal(dgmi_reduce_umap_start(ctx, &points, &graph, &options, 2, first), DGM_OK);
    for (options.seed = 2; options.seed < 9; options.seed++) {
        assert_int_equal(dgmi_reduce_umap_start(ctx, &points, &graph, &options, 2, y), DGM_OK);
        for (int i = 0; i < ROWS * 2; i++)
            assert_near(y[i], first[i], 0.02);
    }
    dgmi_arena_release(ctx, hold);
    dgm_neighbours_free(neighbours);
    dgm_matrix_free(table);
}

/* One epoch moves a point by little: the map is still the plane of the first two components. */
static void a_start_by_principal_components_is_theirs(void **state) {
    (void)state;
    enum { ROWS = 300 };
    dgm_matrix *table = build_matrix(ROWS, 3, NULL);
    for (int i = 0; i < ROWS; i++)
        for (int c = 0; c < 3; c++)
            dgm_matrix_values_mutable(table)[3 * i + c] =
                (c == 0   ? 100
                 : c == 1 ? 10
                          : 1) *
                dgmi_random_unit(3, (uint64_t)c, (uint64_t)i);
    dgm_matrix *map = reduce_table(table, "umap:init=pca,epochs=1", 2);
    for (int axis = 0; axis < 2; axis++) {
        double xy = 0, xx = 0, yy = 0, mx = 0, my = 0;
        for (int i = 0; i < ROWS; i++) {
            mx += dgm_matrix_values(table)[3 * i + axis] / ROWS;
            my += dgm_matrix_values(map)[2 * i + axis] / ROWS;
        }
        for (int i = 0; i < ROWS; i++) {
            double x = dgm_matrix_values(table)[3 * i + axis] - mx;
            double y = dgm_matrix_values(map)[2 * i + axis] - my;
            xy += x * y;
            xx += x * x;
            yy += y * y;
        }
        assert_true(fabs(xy) / sqrt(xx * yy) > 0.9);
    }
    dgm_matrix_free(map);
    dgm_matrix_free(table);
}

static void maps_lie_around_0(void **state) {
    (void)state;
    enum { ROWS = 60 };
    static const char *const starts[] = {"umap:epochs=5", "umap:epochs=5,init=random"};
    dgm_matrix *table = scattered(ROWS, 3);
    for (int64_t s = 0; s < COUNT(starts); s++) {
        dgm_matrix *map = reduce_table(table, starts[s], 2);
        for (int axis = 0; axis < 2; axis++) {
            double mean = 0, size = 0;
            for (int64_t i = 0; i < ROWS; i++) {
                mean += dgm_matrix_values(map)[2 * i + axis] / ROWS;
                size = fmax(size, fabs(dgm_matrix_values(map)[2 * i + axis]));
            }
            assert_true(size > 1);
            assert_near(mean, 0, 1e-12 * size);
        }
        dgm_matrix_free(map);
    }
    dgm_matrix_free(table);
}

static void maps_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    dgm_matrix *table = scattered(700, 5);
    assert_same_bytes_for_threads(table, "umap:epochs=30", 2);
    assert_same_bytes_for_threads(table, "umap:epochs=10,metric=cosine", 3);
    assert_same_bytes_for_threads(table, "umap:epochs=10,init=pca", 7);
    dgm_matrix_free(table);
}

static void a_seed_gives_its_own_map(void **state) {
    (void)state;
    dgm_matrix *table = scattered(50, 4);
    dgm_matrix *one = reduce_table(table, "umap:seed=3", 2);
    dgm_matrix *same = reduce_table(table, "umap:seed=3", 2);
    dgm_matrix *other = reduce_table(table, "umap:seed=4", 2);
    size_t bytes = 100 * sizeof(double);
    assert_memory_equal(dgm_matrix_values(one), dgm_matrix_values(same), bytes);
    assert_memory_not_equal(dgm_matrix_values(one), dgm_matrix_values(other), bytes);
    dgm_matrix_free(one);
    dgm_matrix_free(same);
    dgm_matrix_free(other);
    dgm_matrix_free(table);
}

static void few_points_have_maps_of_any_dim(void **state) {
    (void)state;
    static const char *const starts[] = {"umap", "umap:init=pca", "umap:init=random",
                                         "umap:negatives=0", "umap:metric=cosine"};
    static const int64_t dims[] = {1, 2, 3, 5, DGM_REDUCE_MOST};
    for (int64_t rows = 1; rows <= 6; rows++) {
        dgm_matrix *table = scattered(rows, 3);
        for (int64_t s = 0; s < COUNT(starts) * COUNT(dims); s++)
            dgm_matrix_free(
                reduce_table(table, starts[s % COUNT(starts)], dims[s / COUNT(starts)]));
        dgm_matrix_free(table);
    }
}

static void fewer_points_than_neighbours_are_noted(void **state) {
    (void)state;
    dgm_matrix *table = scattered(10, 3);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    dgm_matrix *map;
    dgm_context_set_notes(ctx, keep_note, NULL);
    assert_int_equal(dgm_reduce_umap(ctx, &points, 2, NULL, &report, &map), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_string_equal(noted, "umap: 10 points: 10 neighbours instead of 15");
    assert_string_equal(report.method, "umap");
    assert_string_equal(report.figures[0].name, "neighbours");
    assert_near(report.figures[0].values[0], 10, 0);
    assert_string_equal(dgm_matrix_column_name(map, 1), "umap2");
    dgm_matrix_free(map);
    dgm_matrix_free(table);
}

/* Two heaps far from each other have no path between them. */
static void components_start_from_principal_components_and_stay_apart(void **state) {
    (void)state;
    dgm_matrix *table = scattered(80, 3);
    for (int64_t i = 0; i < 40; i++)
        dgm_matrix_values_mutable(table)[i * 3] += 100;
    dgm_context_set_notes(ctx, keep_note, NULL);
    dgm_matrix *map = reduce_table(table, "umap", 2);
    dgm_context_set_notes(ctx, NULL, NULL);
    ASSERT_HAS(noted, "falls into 2 components");
    assert_near(trustworthiness(table, map, 5), 0.93, 0.07);
    for (int64_t i = 0; i < 40; i++) /* the nearest is of the same heap */
        for (int64_t j = 40; j < 80; j++) {
            const double *x = dgm_matrix_values(map);
            assert_true(hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]) > 2);
        }
    dgm_matrix_free(map);
    dgm_matrix_free(table);
}

static void duplicates_and_constant_columns_do_no_harm(void **state) {
    (void)state;
    dgm_matrix *table = scattered(60, 4), *same = build_matrix(40, 3, NULL);
    for (int64_t i = 0; i < 60; i++)
        dgm_matrix_values_mutable(table)[i * 4 + 2] = 7;
    for (int64_t i = 20; i < 60; i++) /* three of each */
        memcpy(dgm_matrix_values_mutable(table) + i * 4, dgm_matrix_values(table) + i % 20 * 4,
               4 * sizeof(double));
    dgm_matrix_free(reduce_table(table, "umap", 2));
    dgm_matrix_free(reduce_table(table, "umap:init=pca,metric=cosine", 3));
    dgm_matrix_free(reduce_table(same, "umap", 2)); /* all in one place */
    dgm_matrix_free(reduce_table(same, "umap:init=pca", 2));
    dgm_matrix_free(same);
    dgm_matrix_free(table);
}

static void what_cannot_be_reduced_is_said(void **state) {
    (void)state;
    dgm_matrix *table = scattered(5, 3), *map;
    dgm_points points = dgm_points_of_matrix(table);
    ASSERT_FAILS(dgm_reduce_run(ctx, &points, "umap:min-dist=2", 2, 1, NULL, &map), DGM_ERROR_USAGE,
                 "umap: min-dist is at most spread, and 2 is more than 1");
    assert_null(map);
    assert_int_equal(dgm_reduce_run(ctx, &points, "umap:neighbours=1", 2, 1, NULL, &map),
                     DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_run(ctx, &points, "umap:init=best", 2, 1, NULL, &map),
                     DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_umap(ctx, &points, 0, NULL, NULL, &map), DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_umap(ctx, &points, 65, NULL, NULL, &map), DGM_ERROR_USAGE);
    dgm_matrix_values_mutable(table)[7] = NAN;
    ASSERT_FAILS(dgm_reduce_umap(ctx, &points, 2, NULL, NULL, &map), DGM_ERROR_DATA,
                 "row 2, column 1 of the points is NaN, not a finite number");
    assert_null(map);
    dgm_matrix_free(table);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = scattered(40, 3);
    assert_every_allocation_may_fail(table, "umap:epochs=2,neighbours=5");
    assert_every_allocation_may_fail(table, "umap:epochs=2,init=pca");
    dgm_matrix_free(table);
}

static void it_may_be_stopped_at_any_report(void **state) {
    (void)state;
    dgm_matrix *table = scattered(40, 3);
    assert_in_range(assert_every_report_may_stop(table, "umap:epochs=20", 200), 21, 199);
    dgm_matrix_free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_umap_learn),
        cmocka_unit_test(a_step_follows_the_gradient),
        cmocka_unit_test(the_default_curve_is_known),
        cmocka_unit_test(memberships_are_those_of_umap_learn),
        cmocka_unit_test(sigma_is_never_less_than_a_thousandth_of_the_mean),
        cmocka_unit_test(maps_are_as_trustworthy_as_those_of_umap_learn),
        cmocka_unit_test(a_spectral_start_does_not_depend_on_the_seed),
        cmocka_unit_test(a_start_by_principal_components_is_theirs),
        cmocka_unit_test(maps_lie_around_0),
        cmocka_unit_test(maps_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(a_seed_gives_its_own_map),
        cmocka_unit_test(few_points_have_maps_of_any_dim),
        cmocka_unit_test(fewer_points_than_neighbours_are_noted),
        cmocka_unit_test(components_start_from_principal_components_and_stay_apart),
        cmocka_unit_test(duplicates_and_constant_columns_do_no_harm),
        cmocka_unit_test(what_cannot_be_reduced_is_said),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_may_be_stopped_at_any_report),
    };
    return RUN_WITH_CONTEXT(tests);
}
