/* SPDX-License-Identifier: Apache-2.0 */
/* The probability of a class against softmax by hand. */
#include "unit_fixture.h"

#include <math.h>

#include "unit_faults.h"

/* Rows of logits, `rows` probabilities of the class. */
static void assert_prob(int64_t rows, int64_t columns, const double *logits, int64_t of,
                        const double *wanted) {
    dgm_matrix *table = build_matrix(rows, columns, logits), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    assert_int_equal(
        dgm_reduce_prob(ctx, &points,
                        &(dgm_prob_options){.size = sizeof(dgm_prob_options), .class_index = of},
                        &report, &axes),
        DGM_OK);
    assert_int_equal(dgm_matrix_rows(axes), rows);
    assert_int_equal(dgm_matrix_columns(axes), 1);
    assert_string_equal(dgm_matrix_column_name(axes, 0), "prob1");
    for (int64_t i = 0; i < rows; i++)
        assert_near(dgm_matrix_values(axes)[i], wanted[i], 1e-15 * wanted[i]);
    assert_string_equal(report.method, "prob");
    assert_true(report.rows == rows && report.columns == columns && report.dim == 1);
    assert_string_equal(report.figures[0].name, "class");
    assert_true(report.figures[0].values[0] == (double)(of >= 0        ? of
                                                        : columns == 1 ? 1
                                                                       : columns - 1));
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
}

static void probabilities_are_those_of_softmax(void **state) {
    (void)state;
    const double logits[] = {0, 0, 0, log(2), log(5), 0, -1e6, 0, -1e6};
    assert_prob(3, 3, logits, 0, (const double[]){1.0 / 3, 2.0 / 8, 0});
    assert_prob(3, 3, logits, 1, (const double[]){1.0 / 3, 5.0 / 8, 1});
    assert_prob(3, 3, logits, 2, (const double[]){1.0 / 3, 1.0 / 8, 0});
    assert_prob(3, 3, logits, -1, (const double[]){1.0 / 3, 1.0 / 8, 0});
}

/* exp of these overflows or is 0; what is small keeps its digits on both sides. */
static void large_logits_keep_their_digits(void **state) {
    (void)state;
    const double pairs[] = {1e300, 1e300, 1e308, -1e308, 0, -700, 800, 100};
    assert_prob(4, 2, pairs, 1, (const double[]){0.5, 0, exp(-700), exp(-700)});
    assert_prob(4, 2, pairs, 0, (const double[]){0.5, 1, 1, 1});
    const double single[] = {0, 700, -700, 1e308, -1e308};
    assert_prob(5, 1, single, 1, (const double[]){0.5, 1, exp(-700), 1, 0});
    assert_prob(5, 1, single, -1, (const double[]){0.5, 1, exp(-700), 1, 0});
    assert_prob(5, 1, single, 0, (const double[]){0.5, exp(-700), 1, 0, 1});
}

static dgm_status reduce(int64_t rows, int64_t columns, const double *logits, int64_t of) {
    dgm_matrix *table = build_matrix(rows, columns, logits), *axes = (dgm_matrix *)&axes;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_status status = dgm_reduce_prob(
        ctx, &points, &(dgm_prob_options){.size = sizeof(dgm_prob_options), .class_index = of},
        NULL, &axes);
    assert_true((status == DGM_OK) == (axes != NULL));
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
    return status;
}

static void classes_that_are_not_there_are_refused(void **state) {
    (void)state;
    const double logits[] = {1, 2, 3, 4};
    assert_int_equal(reduce(2, 2, logits, 1), DGM_OK);
    ASSERT_FAILS(reduce(2, 2, logits, 2), DGM_ERROR_USAGE,
                 "there is no class 2: 2 columns of logits are classes 0 to 1");
    ASSERT_FAILS(reduce(4, 1, logits, 2), DGM_ERROR_USAGE,
                 "there is no class 2: 1 columns of logits are classes 0 to 1");
    assert_int_equal(reduce(2, 2, logits, -2), DGM_ERROR_USAGE);
    assert_int_equal(reduce(2, 2, logits, INT64_MAX), DGM_ERROR_USAGE);
}

static void logits_that_are_no_numbers_are_named(void **state) {
    (void)state;
    ASSERT_FAILS(reduce(2, 2, (const double[]){1, 2, 3, NAN}, 0), DGM_ERROR_DATA,
                 "row 1, column 1 of the points is NaN, not a finite number");
    ASSERT_FAILS(reduce(2, 2, (const double[]){1, -INFINITY, 3, NAN}, 0), DGM_ERROR_DATA,
                 "row 0, column 1 of the points is infinite, not a finite number");
    ASSERT_FAILS(reduce(0, 2, NULL, 0), DGM_ERROR_DATA,
                 "0 rows of 2 columns: there is nothing to reduce");
}

static dgm_status reduce_two(dgm_context *own, void *argument) {
    dgm_matrix *axes;
    dgm_status status = dgm_reduce_prob(own, argument, NULL, NULL, &axes);
    assert_true((status == DGM_OK) == (axes != NULL));
    dgm_matrix_free(axes);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = build_matrix(2, 2, (const double[]){1, 2, 3, 4});
    dgm_points points = dgm_points_of_matrix(table);
    fail_each_allocation(reduce_two, &points);
    dgm_matrix_free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_softmax),
        cmocka_unit_test(large_logits_keep_their_digits),
        cmocka_unit_test(classes_that_are_not_there_are_refused),
        cmocka_unit_test(logits_that_are_no_numbers_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
