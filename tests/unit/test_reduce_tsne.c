/* SPDX-License-Identifier: Apache-2.0 */
/* t-SNE: maps of points whose map is known, and few points. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"
#include "unit_faults.h"

/* ---- maps ---- */

static double normal(uint64_t stream, int64_t i) {
    double u = 1 - dgmi_random_unit(21, stream, 2 * (uint64_t)i);
    return sqrt(-2 * log(u)) * cos(6.2831853 * dgmi_random_unit(21, stream, 2 * (uint64_t)i + 1));
}

/* Row i belongs to cluster i % clusters; middles are far apart. */
static dgm_matrix *make_clusters(int64_t rows, int64_t columns, int64_t clusters) {
    dgm_matrix *matrix = build_matrix(rows, columns, NULL);
    double *values = dgm_matrix_values_mutable(matrix);
    for (int64_t i = 0; i < rows * columns; i++)
        values[i] = normal(1, i) + 8 * normal(2, i / columns % clusters * columns + i % columns);
    return matrix;
}

static double distance_in(const dgm_matrix *map, int64_t i, const dgm_matrix *other, int64_t j) {
    int64_t dim = dgm_matrix_columns(map);
    double square = 0;
    for (int64_t a = 0; a < dim; a++) {
        double d = dgm_matrix_values(map)[i * dim + a] - dgm_matrix_values(other)[j * dim + a];
        square += d * d;
    }
    return sqrt(square);
}

/* The nearest row of `map` to each of `rows`, itself left out where they are one, is of its own
 * cluster; the share that is not. */
static double strangers(const dgm_matrix *rows, const dgm_matrix *map, int64_t clusters) {
    int64_t wrong = 0, count = dgm_matrix_rows(rows);
    for (int64_t i = 0; i < count; i++) {
        int64_t nearest = -1;
        for (int64_t j = 0; j < dgm_matrix_rows(map); j++)
            if ((rows != map || i != j) &&
                (nearest < 0 || distance_in(rows, i, map, j) < distance_in(rows, i, map, nearest)))
                nearest = j;
        wrong += nearest % clusters != i % clusters;
    }
    return (double)wrong / (double)count;
}

static double figure_of(const dgm_reduce_report *report, const char *name) {
    for (int i = 0; i < report->figure_count; i++)
        if (strcmp(report->figures[i].name, name) == 0)
            return report->figures[i].values[0];
    fail_msg("no figure '%s'", name);
    return NAN;
}

static dgm_matrix *map_of(const dgm_matrix *table, int64_t dim, const dgm_tsne_options *options,
                          dgm_reduce_report *report) {
    dgm_points points = dgm_points_of_matrix(table);
    dgm_matrix *map;
    if (dgm_reduce_tsne(ctx, &points, dim, options, report, &map) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(dgm_matrix_rows(map), dgm_matrix_rows(table));
    assert_int_equal(dgm_matrix_columns(map), dim);
    for (int64_t i = 0; i < dgm_matrix_rows(map) * dim; i++)
        assert_true(isfinite(dgm_matrix_values(map)[i]));
    return map;
}

static void clusters_stay_together_in_any_dimension_by_any_method(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(400, 10, 5);
    for (int64_t dim = 1; dim <= 3; dim++)
        for (int method = DGM_TSNE_EXACT; method <= (dim < 3 ? DGM_TSNE_FFT : DGM_TSNE_TREE);
             method++) {
            dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
            dgm_reduce_report report;
            options.repulsion = method;
            options.iterations = 400;
            dgm_matrix *map = map_of(table, dim, &options, &report);
            assert_string_equal(report.method, "tsne");
            assert_string_equal(dgm_matrix_column_name(map, 0), "tsne1");
            if (strangers(map, map, 5) > 0.01)
                fail_msg("%lld axes, method %d: %g strangers", (long long)dim, method,
                         strangers(map, map, 5));
            assert_true(figure_of(&report, "divergence") < (dim == 1 ? 1.6 : 0.9));
            dgm_matrix_free(map);
        }
    dgm_matrix_free(table);
}

static void a_map_goes_on_where_it_stopped(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(300, 8, 4);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgm_reduce_report first, second, none;
    options.iterations = 300;
    dgm_matrix *map = map_of(table, 2, &options, &first);
    options.start = map;
    dgm_matrix *longer = map_of(table, 2, &options, &second);
    options.iterations = 0;
    dgm_matrix *same = map_of(table, 2, &options, &none);
    assert_true(figure_of(&second, "divergence") < figure_of(&first, "divergence"));
    assert_near(figure_of(&none, "divergence"), figure_of(&first, "divergence"), 1e-6);
    for (int64_t i = 0; i < 600; i++)
        assert_true(dgm_matrix_values(same)[i] == dgm_matrix_values(map)[i]);
    assert_true(distance_in(longer, 0, map, 0) < 20);
    dgm_matrix_free(same);
    dgm_matrix_free(longer);
    dgm_matrix_free(map);
    dgm_matrix_free(table);
}

static void new_points_come_to_their_own(void **state) {
    (void)state;
    enum { OLD = 300, NEW = 50, COLUMNS = 8 };
    dgm_matrix *all = make_clusters(OLD + NEW, COLUMNS, 5), *placed, *alone;
    dgm_matrix *old = build_matrix(OLD, COLUMNS, dgm_matrix_values(all));
    dgm_matrix *new = build_matrix(NEW, COLUMNS, dgm_matrix_values(all) + OLD * COLUMNS);
    dgm_matrix *one = build_matrix(1, COLUMNS, dgm_matrix_values(new));
    for (int64_t dim = 1; dim <= 3; dim++) {
        dgm_matrix *map = map_of(old, dim, NULL, NULL);
        dgm_points points = dgm_points_of_matrix(old), added = dgm_points_of_matrix(new);
        dgm_points single = dgm_points_of_matrix(one);
        dgm_reduce_report report;
        assert_int_equal(dgm_tsne_place(ctx, &points, map, &added, NULL, &report, &placed), DGM_OK);
        assert_int_equal(dgm_matrix_rows(placed), NEW);
        assert_true(strangers(placed, map, 5) == 0);
        assert_true(figure_of(&report, "divergence") < 2.5);
        assert_int_equal(dgm_tsne_place(ctx, &points, map, &single, NULL, NULL, &alone), DGM_OK);
        assert_near(distance_in(alone, 0, placed, 0), 0, 1e-4);
        dgm_matrix_free(alone);
        dgm_matrix_free(placed);
        dgm_matrix_free(map);
    }
    dgm_matrix_free(one);
    dgm_matrix_free(new);
    dgm_matrix_free(old);
    dgm_matrix_free(all);
}

/* 17,000 points are sorted on the way and repelled by a grid; 500 in space by a tree. */
static void the_same_seed_gives_the_same_bytes_for_any_threads(void **state) {
    (void)state;
    static const struct {
        int64_t rows, dim;
        int method;
    } cases[] = {{17000, 2, DGM_TSNE_FFT},
                 {500, 3, DGM_TSNE_TREE},
                 {700, 2, DGM_TSNE_EXACT},
                 {3000, 1, DGM_TSNE_FFT}};
    for (int64_t c = 0; c < COUNT(cases); c++) {
        dgm_matrix *table = make_clusters(cases[c].rows, 3, 6), *maps[3];
        dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
        options.perplexity = 5;
        options.iterations = 30;
        options.early = 20;
        options.repulsion = cases[c].method;
        for (int run = 0; run < 3; run++) {
            dgm_context_set_threads(ctx, run == 0 ? 1 : run + 2);
            maps[run] = map_of(table, cases[c].dim, &options, NULL);
            assert_memory_equal(dgm_matrix_values(maps[run]), dgm_matrix_values(maps[0]),
                                (size_t)(cases[c].rows * cases[c].dim) * sizeof(double));
        }
        for (int run = 0; run < 3; run++)
            dgm_matrix_free(maps[run]);
        dgm_matrix_free(table);
    }
    dgm_context_set_threads(ctx, 0);
}

/* ---- little to go by ---- */

static char last_note[256];

static void keep_note(void *user, const char *note) {
    (void)user;
    if (strstr(note, "perplexity"))
        snprintf(last_note, sizeof last_note, "%s", note);
}

static void few_points_lower_the_perplexity_and_say_so(void **state) {
    (void)state;
    for (int64_t rows = 1; rows <= 100; rows += rows < 5 ? 1 : 19)
        for (int64_t dim = 1; dim <= 3; dim++) {
            dgm_matrix *table = make_clusters(rows, 4, 2);
            dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
            dgm_reduce_report report;
            options.iterations = 300;
            *last_note = '\0';
            dgm_context_set_notes(ctx, keep_note, NULL);
            dgm_matrix *map = map_of(table, dim, &options, &report);
            dgm_context_set_notes(ctx, NULL, NULL);
            double wanted = fmin(30, fmax(1, (double)(rows - 1) / 3));
            assert_near(figure_of(&report, "perplexity"), wanted, 1e-12);
            assert_true((*last_note != '\0') == (rows > 1 && rows < 91));
            for (int64_t i = 0; i < rows * dim; i++)
                assert_true(fabs(dgm_matrix_values(map)[i]) < 1e5);
            dgm_matrix_free(map);
            dgm_matrix_free(table);
        }
}

static void constant_columns_and_points_in_one_place_are_fine(void **state) {
    (void)state;
    dgm_matrix *table = build_matrix(60, 3, NULL); /* all in one place */
    dgm_matrix_free(map_of(table, 2, NULL, NULL));
    for (int64_t i = 0; i < 60; i++) /* six places, one column */
        dgm_matrix_values_mutable(table)[3 * i] = (double)(i % 6);
    dgm_matrix_free(map_of(table, 2, NULL, NULL));
    dgm_matrix_free(map_of(table, 3, NULL, NULL));
    dgm_matrix_free(table);
    table = make_clusters(120, 1, 3); /* more axes than columns */
    dgm_matrix *map = map_of(table, 2, NULL, NULL);
    assert_true(strangers(map, map, 3) < 0.05);
    dgm_matrix_free(map);
    dgm_matrix_free(table);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(20, 3, 2), *narrow = make_clusters(20, 2, 2), *out;
    dgm_points points = dgm_points_of_matrix(table), other = dgm_points_of_matrix(narrow);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    ASSERT_FAILS(dgm_reduce_tsne(ctx, &points, 4, NULL, NULL, &out), DGM_ERROR_USAGE,
                 "tsne gives 1, 2 or 3 axes, not 4 (pca gives more)");
    assert_null(out);
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 0, NULL, NULL, &out), DGM_ERROR_USAGE);
    options.perplexity = 0;
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, &options, NULL, &out), DGM_ERROR_USAGE);
    options.perplexity = 5;
    options.repulsion = DGM_TSNE_FFT;
    ASSERT_FAILS(dgm_reduce_tsne(ctx, &points, 3, &options, NULL, &out), DGM_ERROR_USAGE,
                 "repulsion=fft is for 1 or 2 axes; 3 take repulsion=tree or exact");
    options.start = table;
    ASSERT_FAILS(dgm_reduce_tsne(ctx, &points, 2, &options, NULL, &out), DGM_ERROR_DATA,
                 "the start has 20 rows of 3 columns; 20 points in 2 axes need as many");
    ASSERT_FAILS(dgm_tsne_place(ctx, &points, narrow, &other, NULL, NULL, &out), DGM_ERROR_DATA,
                 "the new points have 2 columns, those of the map 3");
    dgm_matrix *wide = build_matrix(20, 4, NULL);
    ASSERT_FAILS(dgm_tsne_place(ctx, &points, wide, &points, NULL, NULL, &out), DGM_ERROR_DATA,
                 "a map of tsne has 1, 2 or 3 columns, not 4");
    dgm_matrix_free(wide);
    dgm_matrix_values_mutable(table)[7] = NAN;
    ASSERT_FAILS(dgm_reduce_tsne(ctx, &points, 2, NULL, NULL, &out), DGM_ERROR_DATA,
                 "row 2, column 1 of the points is NaN, not a finite number");
    dgm_matrix_free(narrow);
    dgm_matrix_free(table);
}

/* Whatever the rate, a map is finite or refused. */
static void a_map_that_runs_away_is_refused(void **state) {
    (void)state;
    static const int64_t rows[] = {30, 4200};
    int refused = 0;
    for (int r = 0; r < 2; r++) {
        dgm_matrix *table = make_clusters(rows[r], 3, 2), *map;
        dgm_points points = dgm_points_of_matrix(table);
        for (int method = r == 0 ? DGM_TSNE_EXACT : DGM_TSNE_TREE; method <= DGM_TSNE_FFT; method++)
            for (double rate = 1e5; rate <= 1e9; rate *= 1e4) {
                dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
                dgm_matrix *start = build_matrix(rows[r], 2, NULL);
                for (int64_t i = 0; i < 2 * rows[r]; i++) /* far out already */
                    dgm_matrix_values_mutable(start)[i] =
                        (rate > 1e8 ? 3e37 : 1e-3) * (double)(i % 17 - 8);
                options.rate = rate;
                options.repulsion = method;
                options.perplexity = 5;
                options.iterations = 30;
                options.start = start;
                dgm_status status = dgm_reduce_tsne(ctx, &points, 2, &options, NULL, &map);
                if (status != DGM_OK) {
                    assert_int_equal(status, DGM_ERROR_DATA);
                    ASSERT_HAS(dgm_context_error(ctx), "lower the rate");
                    refused++;
                }
                for (int64_t i = 0; map && i < 2 * rows[r]; i++)
                    assert_true(isfinite(dgm_matrix_values(map)[i]));
                dgm_matrix_free(map);
                dgm_matrix_free(start);
            }
        dgm_matrix_free(table);
    }
    assert_true(refused > 0);
}

static bool stop_at_half(void *user, const char *stage, double fraction) {
    (void)user;
    return strcmp(stage, "t-SNE") != 0 || fraction < 0.5;
}

static void a_descent_can_be_cancelled(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(100, 3, 2), *out;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_context_set_progress(ctx, stop_at_half, NULL);
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, NULL, NULL, &out), DGM_ERROR_CANCELLED);
    assert_null(out);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_matrix_free(table);
}

static void an_interrupted_descent_may_keep_its_map_and_go_on(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(100, 3, 2), *half, *whole;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgm_reduce_report report;
    options.keep = true;
    options.iterations = 600;
    dgm_context_set_progress(ctx, stop_at_half, NULL);
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, &options, &report, &half), DGM_OK);
    dgm_context_set_progress(ctx, NULL, NULL);
    double reached = report.figures[0].values[0];
    assert_string_equal(report.figures[1].name, "iterations");
    assert_true(report.figures[1].values[0] >= 300 && report.figures[1].values[0] < 320);
    options.start = half;
    options.iterations = 300;
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, &options, &report, &whole), DGM_OK);
    assert_true(report.figures[0].values[0] <= reached);
    dgm_matrix_free(half);
    dgm_matrix_free(whole);
    dgm_matrix_free(table);
}

/* Before the early phase is over there is no map that is worth keeping. */
static void a_descent_interrupted_early_keeps_nothing(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(100, 3, 2), *out;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    options.keep = true;
    options.early = 500;
    options.iterations = 600;
    dgm_context_set_progress(ctx, stop_at_half, NULL);
    assert_int_equal(dgm_reduce_tsne(ctx, &points, 2, &options, NULL, &out), DGM_ERROR_CANCELLED);
    assert_null(out);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_matrix_free(table);
}

/* Ten points on a line, and a new one beside the last, a thousand times nearer to it than to the
 * others: those have no part in it. */
static void a_new_point_follows_its_one_near_neighbour(void **state) {
    (void)state;
    double places[10], at[10];
    for (int i = 0; i < 10; i++) {
        places[i] = 1e4 * i;
        at[i] = 5 * i;
    }
    dgm_matrix *old = build_matrix(10, 1, places), *map = build_matrix(10, 1, at), *placed;
    dgm_matrix *new = build_matrix(1, 1, (const double[]){9e4 + 1e-3});
    dgm_points points = dgm_points_of_matrix(old), added = dgm_points_of_matrix(new);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgm_reduce_report report;
    options.perplexity = 1;
    assert_int_equal(dgm_tsne_place(ctx, &points, map, &added, &options, &report, &placed), DGM_OK);
    assert_near(dgm_matrix_values(placed)[0], 45, 2.5); /* nearer to the last than to any other */
    assert_true(isfinite(figure_of(&report, "divergence")));
    dgm_matrix_free(placed);
    dgm_matrix_free(new);
    dgm_matrix_free(map);
    dgm_matrix_free(old);
}

typedef struct {
    const dgm_matrix *table;
    int64_t dim;
    int method;
    int iterations; /* 310: several descents, the best of which goes on */
} fault_case;

static dgm_status reduce_and_place(dgm_context *own, void *argument) {
    const fault_case *work = argument;
    dgm_points points = dgm_points_of_matrix(work->table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgm_matrix *map, *placed = NULL;
    options.iterations = work->iterations;
    options.early = 1;
    options.perplexity = 5;
    options.repulsion = work->method;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgm_reduce_tsne(own, &points, work->dim, &options, NULL, &map);
    if (status == DGM_OK)
        status = dgm_tsne_place(own, &points, map, &points, &options, NULL, &placed);
    assert_true((status == DGM_OK) == (placed != NULL));
    dgm_matrix_free(map);
    dgm_matrix_free(placed);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = make_clusters(40, 3, 2);
    fault_case cases[] = {
        {table, 2, DGM_TSNE_EXACT, 310}, {table, 2, DGM_TSNE_FFT, 3}, {table, 3, DGM_TSNE_TREE, 3}};
    for (int64_t c = 0; c < COUNT(cases); c++)
        fail_each_allocation(reduce_and_place, &cases[c]);
    dgm_matrix_free(table);
}

/* Points on a ring, each tied to both beside it; so many that they are sorted on the way. */
static dgm_status descend_a_ring(dgm_context *own, void *argument) {
    enum { N = 16400 };
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_reduce_descent descent = {.options = &options, .iterations = 2, .whole = 2};
    dgmi_reduce_affinities p = {.rows = N, .recall = 1};
    dgmi_hold hold = dgmi_arena_hold(own);
    dgmi_kernels_embedding y;
    (void)argument;
    dgm_context_set_threads(own, 1);
    p.offsets = dgmi_alloc(own, N + 1, sizeof *p.offsets);
    p.columns = dgmi_alloc(own, 2 * N, sizeof *p.columns);
    p.values = dgmi_alloc(own, 2 * N, sizeof *p.values);
    bool whole = p.offsets && p.columns && p.values;
    for (uint32_t i = 0; whole && i < N; i++) {
        p.offsets[i] = 2 * (int64_t)i;
        p.offsets[i + 1] = p.offsets[i] + 2;
        p.columns[2 * i] = (i + 1) % N;
        p.columns[2 * i + 1] = (i + N - 1) % N;
        p.values[2 * i] = p.values[2 * i + 1] = 0.5F / N;
    }
    dgm_status status = whole ? dgmi_reduce_embedding_make(own, 1, N, &y) : DGM_ERROR_MEMORY;
    for (uint64_t i = 0; status == DGM_OK && i < N; i++)
        y.axis[0][i] = (float)dgmi_reduce_draw_normal(5, 1, i);
    if (status == DGM_OK)
        status = dgmi_reduce_descent_run(own, &p, &y, &descent);
    dgmi_reduce_affinities_free(own, &p);
    dgmi_arena_release(own, hold);
    return status;
}

static void every_allocation_of_sorting_may_fail(void **state) {
    (void)state;
    fail_each_allocation(descend_a_ring, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_stay_together_in_any_dimension_by_any_method),
        cmocka_unit_test(a_map_goes_on_where_it_stopped),
        cmocka_unit_test(new_points_come_to_their_own),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_for_any_threads),
        cmocka_unit_test(few_points_lower_the_perplexity_and_say_so),
        cmocka_unit_test(constant_columns_and_points_in_one_place_are_fine),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(a_map_that_runs_away_is_refused),
        cmocka_unit_test(a_descent_can_be_cancelled),
        cmocka_unit_test(an_interrupted_descent_may_keep_its_map_and_go_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_of_sorting_may_fail),
        cmocka_unit_test(a_descent_interrupted_early_keeps_nothing),
        cmocka_unit_test(a_new_point_follows_its_one_near_neighbour),
    };
    return RUN_WITH_CONTEXT(tests);
}
