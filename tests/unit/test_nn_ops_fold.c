/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

static const dgmi_nn_fold folds[] = {DGMI_NN_FOLD_SUM, DGMI_NN_FOLD_MEAN, DGMI_NN_FOLD_MAX};
static const char *const fold_names[] = {"row sum", "row mean", "row maximum"};

static dgmi_nn_node *build_row_fold(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                    const void *argument) {
    return dgmi_nn_op_row_fold(tape, *(const dgmi_nn_fold *)argument, leaf[0]);
}

static void row_folds_differentiate(void **state) {
    (void)state;
    FOR_EACH_SEED for (int f = 0; f < 3; f++) {
        gradient_case check = {fold_names[f],
                               1,
                               {make_distinct(any_size(1, 6), any_size(1, 6))},
                               build_row_fold,
                               &folds[f]};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void rows_fold_to_sums_means_and_maxima(void **state) {
    (void)state;
    float x[] = {1, -2, 4, -5, -3, -7};
    gradient_case check = {"row fold", 1, {{2, 3, x}}, build_row_fold, &folds[0]};
    check_values(&check, 2, 1, (double[]){3, -15});
    check.argument = &folds[1];
    check_values(&check, 2, 1, (double[]){1, -5});
    check.argument = &folds[2];
    check_values(&check, 2, 1, (double[]){4, -3});
    check.leaf[0].columns = 0;
    for (int f = 0; f < 3; f++) {
        check.argument = &folds[f];
        check_values(&check, 2, 1, (double[]){0, 0});
    }
}

static void of_equal_maxima_the_first_column_gets_the_gradient(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {1, 7, 7, 2, 2, 2}, gradient[6];
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *folded =
        dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_MAX, dgmi_nn_tape_weight(tape, 2, 3, x, gradient));
    assert_int_equal(dgmi_nn_tape_backward(tape, dgmi_nn_op_sum(tape, folded)), DGM_OK);
    assert_memory_equal(gradient, ((float[]){0, 1, 0, 1, 0, 0}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

/* ---- one number ---- */

static dgmi_nn_node *build_sum(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                               const void *argument) {
    (void)argument;
    return dgmi_nn_op_sum(tape, leaf[0]);
}

static dgmi_nn_node *build_trace(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    (void)argument;
    return dgmi_nn_op_trace(tape, leaf[0]);
}

static dgmi_nn_node *build_norm(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                const void *argument) {
    (void)argument;
    return dgmi_nn_op_norm(tape, leaf[0]);
}

static void sum_trace_and_norm_differentiate(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t size = any_size(1, 6);
        gradient_case checks[] = {
            {"sum", 1, {any_numbers(any_size(1, 6), any_size(1, 6), -1, 1)}, build_sum, NULL},
            {"trace", 1, {any_numbers(size, size, -1, 1)}, build_trace, NULL},
            {"norm", 1, {any_numbers(any_size(1, 6), any_size(2, 6), 0.3, 1)}, build_norm, NULL},
        };
        for (int c = 0; c < 3; c++) {
            check_gradient(&checks[c]);
            check_nothing_from_nothing(&checks[c]);
        }
    }
}

static void many_rows_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case checks[] = {
        {"row sum", 1, {any_numbers(6000, 20, -1, 1)}, build_row_fold, &folds[0]},
        {"row mean", 1, {any_numbers(6000, 20, -1, 1)}, build_row_fold, &folds[1]},
        {"row maximum", 1, {make_distinct(6000, 20)}, build_row_fold, &folds[2]},
        {"sum", 1, {any_numbers(6000, 20, -1, 1)}, build_sum, NULL},
        {"norm", 1, {any_numbers(6000, 20, -1, 1)}, build_norm, NULL},
    };
    for (int c = 0; c < COUNT(checks); c++)
        check_large_gradient(&checks[c]);
}

static void sum_trace_and_norm_have_their_values(void **state) {
    (void)state;
    float x[] = {3, 10, -4, 0.5F}, huge[] = {3e30F, 4e30F};
    gradient_case check = {"sum", 1, {{2, 2, x}}, build_sum, NULL};
    check_values(&check, 1, 1, (double[]){9.5});
    check.build = build_trace;
    check_values(&check, 1, 1, (double[]){3.5});
    check.build = build_norm;
    check_values(&check, 1, 1, (double[]){sqrt(9 + 100 + 16 + 0.25)});
    check.leaf[0] = (dgmi_table_tensor){1, 2, huge};
    check_values(&check, 1, 1, (double[]){5e30});
    check.leaf[0].rows = 0;
    check_values(&check, 1, 1, (double[]){0});
    check.build = build_sum;
    check_values(&check, 1, 1, (double[]){0});
}

static void the_norm_of_zeros_has_gradient_0(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {0, 0, 0}, gradient[3] = {1, 1, 1};
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *norm = dgmi_nn_op_norm(tape, dgmi_nn_tape_weight(tape, 3, 1, x, gradient));
    assert_true(norm->value.values[0] == 0);
    assert_int_equal(dgmi_nn_tape_backward(tape, norm), DGM_OK);
    assert_memory_equal(gradient, ((float[]){0, 0, 0}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

static void only_squares_have_a_trace(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case check = {"trace", 1, {any_numbers(2, 3, 0, 1)}, build_trace, NULL};
    check_refused(&check, "trace: 2 rows, 3 columns");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row_folds_differentiate),
        cmocka_unit_test(rows_fold_to_sums_means_and_maxima),
        cmocka_unit_test(of_equal_maxima_the_first_column_gets_the_gradient),
        cmocka_unit_test(sum_trace_and_norm_differentiate),
        cmocka_unit_test(many_rows_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(sum_trace_and_norm_have_their_values),
        cmocka_unit_test(the_norm_of_zeros_has_gradient_0),
        cmocka_unit_test(only_squares_have_a_trace),
    };
    return RUN_WITH_CONTEXT(tests);
}
