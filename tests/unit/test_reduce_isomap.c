/* SPDX-License-Identifier: Apache-2.0 */
/* Isomap against scikit-learn's, its paths against a slow search, and landmarks. */
#include "unit_fixture.h"

#include "base_memory.h"
#include "reduce_isomap.h"
#include "reduce_manifold.h"

/* Columns agree to this share of the largest entry, up to their signs. */
static void assert_same_axes(const dgm_matrix *axes, const dgm_matrix *wanted, double share) {
    int64_t rows = dgm_matrix_rows(axes), dim = dgm_matrix_columns(axes);
    const double *x = dgm_matrix_values(axes), *y = dgm_matrix_values(wanted);
    double largest = 0;
    for (int64_t i = 0; i < rows * dim; i++)
        largest = fmax(largest, fabs(y[i]));
    for (int64_t c = 0; c < dim; c++) {
        double dot = 0;
        for (int64_t i = 0; i < rows; i++)
            dot += x[i * dim + c] * y[i * dim + c];
        for (int64_t i = 0; i < rows; i++)
            assert_near(x[i * dim + c], copysign(1, dot) * y[i * dim + c], share * largest);
    }
}

static double figure(const dgm_reduce_report *report, const char *name) {
    for (int i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, name) == 0)
            return report->figures[i].values[0];
    fail_msg("no figure %s", name);
    return 0;
}

static void axes_are_those_of_scikit_learn(void **state) {
    (void)state;
    FILE *file = open_oracle("reduce_isomap.txt");
    char name[32];
    int rows, columns, neighbours, dim, cases = 0;
    double residual, error;
    while (fscanf(file, " case %31s %d %d %d %d %lf %lf", name, &rows, &columns, &neighbours, &dim,
                  &residual, &error) == 7) {
        dgm_matrix *table = read_table(file, rows, columns), *axes;
        dgm_matrix *wanted = read_table(file, rows, dim);
        dgm_points points = dgm_points_of_matrix(table);
        dgm_isomap_options options = DGM_ISOMAP_OPTIONS_INIT;
        dgm_reduce_report report;
        options.neighbours = neighbours;
        assert_int_equal(dgm_reduce_isomap(ctx, &points, dim, &options, &report, &axes), DGM_OK);
        assert_same_axes(axes, wanted, 1e-5);
        assert_near(figure(&report, "residual_variance"), residual, 1e-3 * residual + 1e-6);
        assert_near(figure(&report, "reconstruction_error"), error, 1e-3 * error + 1e-3);
        assert_near(figure(&report, "components"), strcmp(name, "parts") == 0 ? 4 : 1, 0);
        assert_string_equal(dgm_matrix_column_name(axes, 0), "isomap1");
        dgm_matrix_free(axes);
        dgm_matrix_free(wanted);
        dgm_matrix_free(table);
        cases++;
    }
    assert_int_equal(cases, 5);
    fclose(file);
}

/* Floyd and Warshall. */
static void search_slowly(const dgmi_reduce_isomap_graph *graph, double *lengths) {
    int64_t n = graph->rows;
    for (int64_t i = 0; i < n * n; i++)
        lengths[i] = i % (n + 1) == 0 ? 0 : INFINITY;
    for (int64_t i = 0; i < n; i++)
        for (int64_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++) {
            double *length = &lengths[i * n + graph->targets[e]];
            *length = fmin(*length, graph->lengths[e]);
        }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                lengths[i * n + j] =
                    fmin(lengths[i * n + j], lengths[i * n + k] + lengths[k * n + j]);
}

static void paths_are_the_shortest(void **state) {
    (void)state;
    enum { ROWS = 90, SOURCES = 37 };
    static double slow[ROWS * ROWS];
    float values[ROWS * 3], found[SOURCES * ROWS];
    uint32_t sources[SOURCES];
    dgm_matrix *table = scattered(ROWS, 3);
    dgm_neighbours *neighbours;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgmi_reduce_isomap_graph graph;
    for (int i = 0; i < ROWS * 3; i++)
        values[i] = (float)(dgm_matrix_values(table)[i] + (i % 9 == 0 ? 20 : 0));
    for (int i = 0; i < SOURCES; i++)
        sources[i] = (uint32_t)(2 * i);
    options.k = 4;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgm_knn(ctx, values, ROWS, 3, &options, &neighbours), DGM_OK);
    assert_int_equal(dgmi_reduce_isomap_graph_make(ctx, values, 3, 0, neighbours, &graph), DGM_OK);
    assert_int_equal(graph.components, 2);
    assert_int_equal(dgmi_reduce_isomap_paths(ctx, &graph, sources, SOURCES, found), DGM_OK);
    search_slowly(&graph, slow);
    for (int i = 0; i < SOURCES * ROWS; i++) {
        double wanted = slow[sources[i / ROWS] * ROWS + i % ROWS];
        assert_near(found[i], wanted, 1e-5 * wanted);
    }
    dgmi_arena_release(ctx, hold);
    dgm_neighbours_free(neighbours);
    dgm_matrix_free(table);
}

/* A strip of a plane, rolled up: distances along it are known. */
static dgm_matrix *rolled(int64_t rows, dgm_matrix **flat) {
    dgm_matrix *table = build_matrix(rows, 3, NULL), *places = scattered(rows, 2);
    double *x = dgm_matrix_values_mutable(table), *y = dgm_matrix_values_mutable(places);
    for (int64_t i = 0; i < rows; i++) {
        y[2 * i] *= 3;
        x[3 * i] = 2 * cos(y[2 * i] / 2);
        x[3 * i + 1] = 2 * sin(y[2 * i] / 2);
        x[3 * i + 2] = y[2 * i + 1];
    }
    *flat = places;
    return table;
}

static void landmarks_unroll_as_all_points_do(void **state) {
    (void)state;
    dgm_matrix *flat, *table = rolled(900, &flat), *all, *some;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    assert_int_equal(dgm_reduce_run(ctx, &points, "isomap:neighbours=10", 2, 1, &report, &all),
                     DGM_OK);
    assert_true(figure(&report, "residual_variance") < 0.01);
    assert_true(trustworthiness(flat, all, 10) > 0.98);
    assert_int_equal(
        dgm_reduce_run(ctx, &points, "isomap:neighbours=10,landmarks=60", 2, 1, &report, &some),
        DGM_OK);
    assert_near(figure(&report, "landmarks"), 60, 0);
    assert_true(figure(&report, "residual_variance") < 0.01);
    assert_true(trustworthiness(flat, some, 10) > 0.98);
    dgm_matrix_free(some);
    /* as many landmarks as points are all of them */
    some = reduce_table(table, "isomap:neighbours=10,landmarks=900", 2);
    assert_same_axes(some, all, 1e-12);
    dgm_matrix_free(some);
    dgm_matrix_free(all);
    dgm_matrix_free(flat);
    dgm_matrix_free(table);
}

static void many_points_take_landmarks_and_say_so(void **state) {
    (void)state;
    dgm_matrix *flat, *table = rolled(5100, &flat), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    assert_int_equal(dgm_reduce_run(ctx, &points, "isomap", 2, 1, &report, &axes), DGM_OK);
    assert_near(figure(&report, "landmarks"), 1000, 0);
    assert_true(figure(&report, "residual_variance") < 0.05);
    dgm_matrix_free(axes);
    dgm_matrix_free(flat);
    dgm_matrix_free(table);
}

static void axes_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    dgm_matrix *table = scattered(700, 5);
    assert_same_bytes_for_threads(table, "isomap", 2);
    assert_same_bytes_for_threads(table, "isomap:landmarks=100,metric=cosine", 3);
    dgm_matrix_free(table);
}

static void few_points_have_axes_of_any_dim(void **state) {
    (void)state;
    static const int64_t dims[] = {1, 2, 5, DGM_REDUCE_MOST};
    for (int64_t rows = 1; rows <= 6; rows++) {
        dgm_matrix *table = scattered(rows, 2);
        for (int64_t d = 0; d < COUNT(dims); d++) {
            dgm_matrix_free(reduce_table(table, "isomap", dims[d]));
            dgm_matrix_free(reduce_table(table, "isomap:landmarks=2,neighbours=1", dims[d]));
        }
        dgm_matrix_free(table);
    }
}

static void all_neighbours_of_two_columns_give_the_plane_back(void **state) {
    (void)state;
    dgm_matrix *table = scattered(12, 2), *axes = reduce_table(table, "isomap:neighbours=11", 2);
    for (int64_t i = 0; i < 12; i++)
        for (int64_t j = 0; j < 12; j++) {
            const double *x = dgm_matrix_values(table), *y = dgm_matrix_values(axes);
            assert_near(hypot(y[2 * i] - y[2 * j], y[2 * i + 1] - y[2 * j + 1]),
                        hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]), 1e-5);
        }
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
}

/* Where all points are joined, paths are straight: landmarks place them as they lie, whether their
 * scaling is solved whole or, beyond 256 of them, by products. */
static void straight_paths_give_the_plane_back(void **state) {
    (void)state;
    static const struct {
        int64_t rows;
        const char *what;
    } cases[] = {{40, "isomap:neighbours=39,landmarks=5"},
                 {256, "isomap:neighbours=255"},
                 {257, "isomap:neighbours=256"},
                 {300, "isomap:neighbours=299,landmarks=280"}};
    for (int64_t c = 0; c < COUNT(cases); c++) {
        dgm_matrix *table = scattered(cases[c].rows, 2), *axes;
        dgm_points points = dgm_points_of_matrix(table);
        dgm_reduce_report report;
        assert_int_equal(dgm_reduce_run(ctx, &points, cases[c].what, 2, 1, &report, &axes), DGM_OK);
        const double *x = dgm_matrix_values(table), *y = dgm_matrix_values(axes);
        for (int64_t i = 0; i < cases[c].rows; i++)
            for (int64_t j = 0; j < cases[c].rows; j += 9)
                assert_near(hypot(y[2 * i] - y[2 * j], y[2 * i + 1] - y[2 * j + 1]),
                            hypot(x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]), 1e-4);
        assert_near(figure(&report, "residual_variance"), 0, 1e-6);
        assert_near(figure(&report, "reconstruction_error"), 0, 1e-3);
        dgm_matrix_free(axes);
        dgm_matrix_free(table);
    }
}

static char all_notes[2048];

static void add_note(void *user, const char *note) {
    (void)user;
    strncat(all_notes, note, sizeof all_notes - strlen(all_notes) - 2);
    strcat(all_notes, "\n");
}

static void too_few_points_for_their_neighbours_are_noted(void **state) {
    (void)state;
    static const char *const words[] = {NULL, NULL, "isomap: 2 points: 1 neighbour instead of 3\n",
                                        "isomap: 3 points: 2 neighbours instead of 3\n", ""};
    for (int64_t rows = 2; rows <= 4; rows++) {
        dgm_matrix *table = scattered(rows, 2);
        size_t length = strlen(words[rows]);
        *all_notes = '\0';
        dgm_context_set_notes(ctx, add_note, NULL);
        dgm_matrix_free(reduce_table(table, "isomap:neighbours=3", 1));
        dgm_context_set_notes(ctx, NULL, NULL);
        assert_int_equal(strncmp(all_notes, words[rows], length), 0);
        assert_int_equal(strncmp(all_notes + length, "isomap: residual variance 0.", 28), 0);
        dgm_matrix_free(table);
    }
}

static void notes_tell_of_fewer_neighbours_and_of_components(void **state) {
    (void)state;
    dgm_matrix *table = scattered(40, 2);
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t i = 0; i < 20; i++)
        dgm_matrix_values_mutable(table)[i * 2] += 50;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    dgm_matrix *axes;
    assert_int_equal(dgm_reduce_isomap(ctx, &points, 1, NULL, &report, &axes), DGM_OK);
    assert_near(figure(&report, "components"), 2, 0);
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
    table = scattered(3, 2);
    points = dgm_points_of_matrix(table);
    assert_int_equal(dgm_reduce_isomap(ctx, &points, 1, NULL, &report, &axes), DGM_OK);
    assert_near(figure(&report, "neighbours"), 2, 0);
    dgm_context_set_notes(ctx, NULL, NULL);
    ASSERT_HAS(noted, "isomap: residual variance ");
    dgm_matrix_free(axes);
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
    dgm_matrix *axes = reduce_table(table, "isomap", 2);
    for (int64_t i = 20; i < 60; i++) /* duplicates share their place */
        assert_near(dgm_matrix_values(axes)[2 * i], dgm_matrix_values(axes)[i % 20 * 2], 1e-5);
    dgm_matrix_free(axes);
    axes = reduce_table(same, "isomap", 2); /* all in one place */
    for (int64_t i = 0; i < 80; i++)
        assert_near(dgm_matrix_values(axes)[i], 0, 0);
    dgm_matrix_free(axes);
    dgm_matrix_free(same);
    dgm_matrix_free(table);
}

static void what_cannot_be_reduced_is_said(void **state) {
    (void)state;
    dgm_matrix *table = scattered(5, 3), *map;
    dgm_points points = dgm_points_of_matrix(table);
    assert_int_equal(dgm_reduce_run(ctx, &points, "isomap:neighbours=0", 2, 1, NULL, &map),
                     DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_isomap(ctx, &points, 0, NULL, NULL, &map), DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_isomap(ctx, &points, 65, NULL, NULL, &map), DGM_ERROR_USAGE);
    dgm_matrix_values_mutable(table)[7] = -INFINITY;
    ASSERT_FAILS(dgm_reduce_isomap(ctx, &points, 2, NULL, NULL, &map), DGM_ERROR_DATA,
                 "row 2, column 1 of the points is infinite, not a finite number");
    assert_null(map);
    dgm_matrix_free(table);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = scattered(40, 2), *large = scattered(270, 2);
    for (int64_t i = 0; i < 20; i++)
        dgm_matrix_values_mutable(table)[i * 2] += 50;
    assert_every_allocation_may_fail(table, "isomap");
    assert_every_allocation_may_fail(large, "isomap"); /* by products */
    dgm_matrix_free(large);
    dgm_matrix_free(table);
}

static void it_may_be_stopped_at_any_report(void **state) {
    (void)state;
    dgm_matrix *table = scattered(300, 3);
    assert_in_range(assert_every_report_may_stop(table, "isomap", 500), 4, 499);
    dgm_matrix_free(table);
}

/* A chain of 1,100 points one apart: paths from all of them at once, more than one round's worth,
 * the last one first. */
static void paths_along_a_chain_are_as_long_as_the_steps_between(void **state) {
    (void)state;
    enum { CHAIN = 1100 };
    static float places[CHAIN], found[CHAIN * CHAIN];
    static uint32_t sources[CHAIN];
    dgm_neighbours *neighbours;
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgmi_reduce_isomap_graph graph;
    for (int i = 0; i < CHAIN; i++) {
        places[i] = (float)i;
        sources[i] = (uint32_t)(CHAIN - 1 - i);
    }
    options.k = 2;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgm_knn(ctx, places, CHAIN, 1, &options, &neighbours), DGM_OK);
    assert_int_equal(dgmi_reduce_isomap_graph_make(ctx, places, 1, 0, neighbours, &graph), DGM_OK);
    assert_int_equal(dgmi_reduce_isomap_paths(ctx, &graph, sources, CHAIN, found), DGM_OK);
    for (int64_t i = 0; i < CHAIN * CHAIN; i++)
        assert_true(found[i] == (float)llabs((int64_t)sources[i / CHAIN] - i % CHAIN));
    dgmi_arena_release(ctx, hold);
    dgm_neighbours_free(neighbours);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_those_of_scikit_learn),
        cmocka_unit_test(paths_are_the_shortest),
        cmocka_unit_test(landmarks_unroll_as_all_points_do),
        cmocka_unit_test(many_points_take_landmarks_and_say_so),
        cmocka_unit_test(axes_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(few_points_have_axes_of_any_dim),
        cmocka_unit_test(all_neighbours_of_two_columns_give_the_plane_back),
        cmocka_unit_test(straight_paths_give_the_plane_back),
        cmocka_unit_test(too_few_points_for_their_neighbours_are_noted),
        cmocka_unit_test(notes_tell_of_fewer_neighbours_and_of_components),
        cmocka_unit_test(duplicates_and_constant_columns_do_no_harm),
        cmocka_unit_test(what_cannot_be_reduced_is_said),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_may_be_stopped_at_any_report),
        cmocka_unit_test(paths_along_a_chain_are_as_long_as_the_steps_between),
    };
    return RUN_WITH_CONTEXT(tests);
}
