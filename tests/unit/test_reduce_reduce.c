/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by name. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "unit_faults.h"

static void every_reduction_is_listed_with_its_help(void **state) {
    (void)state;
    static const char *const known[] = {"none", "prob", "pca"};
    size_t count;
    const dgm_reduce_kind *kinds = dgm_reduce_kinds(&count);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(dgm_reduce_check(ctx, kinds[i].name, 0), DGM_OK);
        assert_true(strlen(kinds[i].help) > 0);
        if (i < 3)
            assert_string_equal(kinds[i].name, known[i]);
    }
    assert_null(kinds[0].options);
    assert_ptr_equal(kinds[1].options, dgm_prob_option_table());
    assert_ptr_equal(kinds[2].options, dgm_pca_option_table());
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
                 "--dim takes a whole number from 1 to 64, not 100");
    ASSERT_FAILS(dgm_reduce_check(ctx, "pca", -1), DGM_ERROR_USAGE,
                 "--dim takes a whole number from 1 to 64, not -1");
    ASSERT_FAILS(dgm_reduce_check(ctx, "prob", 2), DGM_ERROR_USAGE,
                 "the reduction 'prob' has one axis, not 2");
    ASSERT_FAILS(dgm_reduce_check(ctx, "none", 2), DGM_ERROR_USAGE,
                 "the reduction 'none' keeps every column, so it takes no --dim");
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
    size_t count;
    const dgm_reduce_kind *kinds = dgm_reduce_kinds(&count);
    dgm_matrix *table = build_matrix(10, 3, values), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    for (size_t i = 0; i < count; i++) {
        ASSERT_FAILS(dgm_reduce_run(ctx, &points, kinds[i].name, 0, 1, NULL, &axes), DGM_ERROR_DATA,
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
    };
    return RUN_WITH_CONTEXT(tests);
}
