/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by name. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "reduce_reduce.h"
#include "unit_faults.h"

static void every_reduction_is_listed_with_its_help(void **state) {
    (void)state;
    static const char *const known[] = {"none", "prob", "pca"};
    const dgm_reduce_kind *kind;
    size_t count = 0;
    for (; (kind = dgm_reduce_kind_at(count)); count++) {
        assert_int_equal(dgm_reduce_check(ctx, kind->name, 0), DGM_OK);
        assert_true(strlen(kind->help) > 0);
        assert_ptr_equal(dgm_reduce_find(kind->name), kind);
        if (count < 3)
            assert_string_equal(kind->name, known[count]);
    }
    assert_true(count >= 3);
    assert_null(dgm_reduce_find("none:")->options);
    assert_int_equal(dgm_reduce_find("none")->flags, DGM_REDUCE_KEEPS);
    assert_int_equal(dgm_reduce_find("tsne:early=0")->flags, DGM_REDUCE_STEPS | DGM_REDUCE_VARIES);
    assert_ptr_equal(dgm_reduce_kind_at(1)->options, dgm_prob_option_table());
    assert_ptr_equal(dgm_reduce_kind_at(2)->options, dgm_pca_option_table());
    assert_null(dgm_reduce_find("pc"));
    assert_int_equal(dgm_pca_option_table()->count, 3); /* tolerance, passes, seed */
}

static void good_specifications_are_taken(void **state) {
    (void)state;
    static const char *const good[] = {"none",
                                       "none:",
                                       "prob",
                                       "prob:class=0",
                                       "prob:class=-1",
                                       "pca",
                                       "pca:tolerance=1e-5",
                                       "pca:passes=1,seed=0,tolerance=0.1"};
    for (int64_t i = 0; i < COUNT(good); i++)
        if (dgm_reduce_check(ctx, good[i], 0) != DGM_OK)
            fail_msg("%s: %s", good[i], dgm_context_error(ctx));
}

static void bad_specifications_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      ":",
                                      "PCA",
                                      "pca ",
                                      "pca,prob",
                                      "none:x",
                                      "prob:class",
                                      "prob:class=",
                                      "prob:class=1.5",
                                      "prob:class=-2",
                                      "pca:tolerance=0",
                                      "pca:tolerance=1",
                                      "pca:tolerance=nan",
                                      "pca:passes=0",
                                      "pca:passes=1e300",
                                      "pca:class=1",
                                      "pca:passes=1,,seed=2"};
    for (int64_t i = 0; i < COUNT(bad); i++)
        if (dgm_reduce_check(ctx, bad[i], 0) != DGM_ERROR_USAGE)
            fail_msg("'%s' is taken for a reduction", bad[i]);
}

static void the_words_say_what_would_be_right(void **state) {
    (void)state;
    assert_int_equal(dgm_reduce_check(ctx, "pac", 0), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx),
               "there is no reduction 'pac'; did you mean 'pca'? (known: none, prob, pca");
    assert_int_equal(dgm_reduce_check(ctx, "hexagons", 0), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx),
               "there is no reduction 'hexagons'; known reductions: none, prob, pca");
    ASSERT_FAILS(dgm_reduce_check(ctx, "pca:pases=3", 0), DGM_ERROR_USAGE,
                 "the reduction 'pca' has no key 'pases' (it takes tolerance, passes, seed); did "
                 "you mean 'passes'?");
    ASSERT_FAILS(dgm_reduce_check(ctx, "none:x", 0), DGM_ERROR_USAGE,
                 "the reduction 'none' takes no keys, not 'x'");
}

/* 0 stands for "not given" here; that --dim 0 is refused is the program's. */
static void axes_are_counted_by_the_reduction(void **state) {
    (void)state;
    assert_int_equal(dgm_reduce_check(ctx, "pca", 1), DGM_OK);
    assert_int_equal(dgm_reduce_check(ctx, "pca", DGM_REDUCE_MOST), DGM_OK);
    assert_int_equal(dgm_reduce_check(ctx, "prob", 1), DGM_OK);
    ASSERT_FAILS(dgm_reduce_check(ctx, "pca", 100), DGM_ERROR_USAGE,
                 "dim takes a whole number from 1 to 64, not 100");
    ASSERT_FAILS(dgm_reduce_check(ctx, "pca", -1), DGM_ERROR_USAGE,
                 "dim takes a whole number from 1 to 64, not -1");
    ASSERT_FAILS(dgm_reduce_check(ctx, "prob", 2), DGM_ERROR_USAGE,
                 "the reduction 'prob' has one axis, not 2");
    ASSERT_FAILS(dgm_reduce_check(ctx, "none", 2), DGM_ERROR_USAGE,
                 "the reduction 'none' keeps every column, so it takes no dim");
}

static void names_keys_and_dim_reach_the_reduction(void **state) {
    (void)state;
    const double values[] = {0, 0, 1, 4, 0, 1, 0, 2, 1, 4, 2, 1};
    dgm_matrix *table = build_matrix(4, 3, values), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    assert_int_equal(dgm_matrix_set_column_name(ctx, table, 1, "width"), DGM_OK);
    assert_int_equal(dgm_reduce_run(ctx, &points, "none", 0, 1, &report, &axes), DGM_OK);
    assert_memory_equal(dgm_matrix_values(axes), values, sizeof values);
    assert_string_equal(dgm_matrix_column_name(axes, 1), "width");
    assert_true(report.dim == 3 && report.figure_count == 0);
    dgm_matrix_free(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "pca", 0, 1, &report, &axes), DGM_OK);
    assert_int_equal(dgm_matrix_columns(axes), 2);
    assert_string_equal(report.method, "pca");
    dgm_matrix_free(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "pca", 1, 1, NULL, &axes), DGM_OK);
    assert_int_equal(dgm_matrix_columns(axes), 1);
    assert_near(dgm_matrix_values(axes)[1], 2, 1e-12);
    dgm_matrix_free(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "prob:class=2", 0, 1, &report, &axes), DGM_OK);
    assert_near(dgm_matrix_values(axes)[0], exp(1) / (2 + exp(1)), 1e-15);
    assert_true(report.figures[0].values[0] == 2);
    dgm_matrix_free(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "nothing", 0, 1, NULL, &axes), DGM_ERROR_USAGE);
    assert_null(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "pca", 100, 1, NULL, &axes), DGM_ERROR_USAGE);
    assert_null(axes);
    dgm_matrix_free(table);
}

static void numbers_that_are_not_finite_are_named_by_every_reduction(void **state) {
    (void)state;
    double values[30];
    for (int i = 0; i < 30; i++)
        values[i] = (double)(i * i % 7);
    values[17] = NAN;
    const dgm_reduce_kind *kind;
    dgm_matrix *table = build_matrix(10, 3, values), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    for (size_t i = 0; (kind = dgm_reduce_kind_at(i)); i++) {
        ASSERT_FAILS(dgm_reduce_run(ctx, &points, kind->name, 0, 1, NULL, &axes), DGM_ERROR_DATA,
                     "row 5, column 2 of the points is NaN, not a finite number");
        assert_null(axes);
    }
    dgm_matrix_free(table);
}

static dgm_status reduce_none(dgm_context *own, void *argument) {
    dgm_matrix *axes;
    dgm_status status = dgm_reduce_run(own, argument, "none", 0, 1, NULL, &axes);
    assert_true((status == DGM_OK) == (axes != NULL));
    dgm_matrix_free(axes);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = build_matrix(2, 2, (const double[]){1, 2, 3, 4});
    dgm_points points = dgm_points_of_matrix(table);
    fail_each_allocation(reduce_none, &points);
    dgm_matrix_free(table);
}

/* ---- features ---- */

enum { ROWS = 40, COLUMNS = 6 };

/* The same numbers as a table, as dense features, and as sparse ones that leave out zeros. */
typedef struct {
    double table[ROWS * COLUMNS];
    float dense[ROWS * COLUMNS], values[ROWS * COLUMNS];
    int64_t offsets[ROWS + 1];
    uint32_t columns[ROWS * COLUMNS];
} stored;

static void store(stored *s, bool pattern) {
    int64_t count = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        int value = i * i % 11 * (i % 7) % 5;
        s->dense[i] = (float)(pattern ? value > 1 : value);
        s->table[i] = s->dense[i];
        if (s->dense[i] != 0) {
            s->columns[count] = (uint32_t)(i % COLUMNS);
            s->values[count++] = s->dense[i];
        }
        s->offsets[i / COLUMNS + 1] = count;
    }
}

static dgm_points dense_points(const stored *s) {
    return (dgm_points){
        .rows = ROWS, .columns = COLUMNS, .features = {.width = COLUMNS, .values = s->dense}};
}

static dgm_points sparse_points(const stored *s, bool pattern) {
    return (dgm_points){.rows = ROWS,
                        .columns = COLUMNS,
                        .features = {COLUMNS, s->offsets, s->columns, pattern ? NULL : s->values}};
}

static void assert_reduced_alike(const char *name, const dgm_points *points,
                                 const dgm_points *other, double tolerance) {
    dgm_matrix *axes[2];
    assert_int_equal(dgm_reduce_run(ctx, points, name, 0, 1, NULL, &axes[0]), DGM_OK);
    assert_int_equal(dgm_reduce_run(ctx, other, name, 0, 1, NULL, &axes[1]), DGM_OK);
    assert_int_equal(dgm_matrix_columns(axes[0]), dgm_matrix_columns(axes[1]));
    for (int64_t i = 0; i < ROWS * dgm_matrix_columns(axes[0]); i++)
        assert_near(dgm_matrix_values(axes[1])[i], dgm_matrix_values(axes[0])[i], tolerance);
    dgm_matrix_free(axes[0]);
    dgm_matrix_free(axes[1]);
}

/* Whichever way the numbers are stored, they are the same points. Maps that grow from rounding
 * errors (tsne, umap) are compared where the sums are made in the same order. */
static void points_are_reduced_alike_however_they_are_stored(void **state) {
    (void)state;
    static const char *const by_sums[] = {"none", "pca", "isomap", "prob:class=1"};
    static const char *const by_steps[] = {"tsne:perplexity=5", "umap"};
    for (int pattern = 0; pattern < 2; pattern++) {
        static stored s;
        store(&s, pattern);
        dgm_matrix *table = build_matrix(ROWS, COLUMNS, s.table);
        dgm_points points = dgm_points_of_matrix(table), dense = dense_points(&s);
        dgm_points sparse = sparse_points(&s, pattern);
        for (int64_t i = 0; i < COUNT(by_sums); i++) {
            assert_reduced_alike(by_sums[i], &points, &dense, 1e-9);
            assert_reduced_alike(by_sums[i], &points, &sparse, 1e-9);
        }
        for (int64_t i = 0; i < COUNT(by_steps); i++)
            assert_reduced_alike(by_steps[i], &points, &dense, 0);
        dgm_matrix_free(table);
    }
}

static void features_that_are_not_finite_are_named(void **state) {
    (void)state;
    static stored s;
    dgm_matrix *axes;
    store(&s, false);
    s.dense[3 * COLUMNS + 2] = NAN;
    dgm_points dense = dense_points(&s), sparse = sparse_points(&s, false);
    ASSERT_FAILS(dgm_reduce_run(ctx, &dense, "none", 0, 1, NULL, &axes), DGM_ERROR_DATA,
                 "row 3, column 2 of the points is NaN, not a finite number");
    assert_null(axes);
    int64_t last = s.offsets[5] - 1; /* of row 4 */
    char words[128];
    s.values[last] = -INFINITY;
    snprintf(words, sizeof words, "row 4, column %u of the points is infinite, not a finite number",
             s.columns[last]);
    ASSERT_FAILS(dgm_reduce_run(ctx, &sparse, "pca", 0, 1, NULL, &axes), DGM_ERROR_DATA, words);
    assert_null(axes);
}

static void a_graph_without_features_has_nothing_to_reduce(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_points points = dgm_points_of_features(graph);
    dgm_matrix *axes;
    ASSERT_FAILS(dgm_reduce_run(ctx, &points, "pca", 0, 1, NULL, &axes), DGM_ERROR_DATA,
                 "3 rows of 0 columns: there is nothing to reduce");
    assert_null(axes);
    dgm_graph_free(graph);
}

static void a_report_keeps_the_figures_that_it_has_room_for(void **state) {
    (void)state;
    const dgm_points points = {.rows = 1, .columns = 1};
    dgm_reduce_report report;
    dgmi_reduce_report_begin(&report, "pca", &points, 1);
    for (int i = 0; i < DGM_REDUCE_FIGURES + 1; i++)
        dgmi_reduce_report_number(&report, "figure", i);
    assert_int_equal(report.figure_count, DGM_REDUCE_FIGURES);
    for (int i = 0; i < DGM_REDUCE_FIGURES; i++)
        assert_true(report.figures[i].values[0] == i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reduction_is_listed_with_its_help),
        cmocka_unit_test(good_specifications_are_taken),
        cmocka_unit_test(bad_specifications_are_refused),
        cmocka_unit_test(the_words_say_what_would_be_right),
        cmocka_unit_test(axes_are_counted_by_the_reduction),
        cmocka_unit_test(names_keys_and_dim_reach_the_reduction),
        cmocka_unit_test(numbers_that_are_not_finite_are_named_by_every_reduction),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(points_are_reduced_alike_however_they_are_stored),
        cmocka_unit_test(features_that_are_not_finite_are_named),
        cmocka_unit_test(a_graph_without_features_has_nothing_to_reduce),
        cmocka_unit_test(a_report_keeps_the_figures_that_it_has_room_for),
    };
    return RUN_WITH_CONTEXT(tests);
}
