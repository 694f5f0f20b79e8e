/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

static dgmi_nn_node *build_softmax(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    (void)argument;
    return dgmi_nn_op_softmax(tape, leaf[0]);
}

static dgmi_nn_node *build_log_softmax(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                       const void *argument) {
    (void)argument;
    return dgmi_nn_op_log_softmax(tape, leaf[0]);
}

static void softmax_and_its_logarithm_differentiate(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case checks[] = {
            {"softmax",
             1,
             {any_numbers(any_size(1, 6), any_size(1, 7), -2, 2)},
             build_softmax,
             NULL},
            {"log-softmax",
             1,
             {any_numbers(any_size(1, 6), any_size(1, 7), -2, 2)},
             build_log_softmax,
             NULL},
        };
        for (int c = 0; c < 2; c++) {
            check_gradient(&checks[c]);
            check_nothing_from_nothing(&checks[c]);
        }
    }
}

static void many_rows_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case checks[] = {
        {"softmax", 1, {any_numbers(9000, 9, -2, 2)}, build_softmax, NULL},
        {"log-softmax", 1, {any_numbers(9000, 9, -2, 2)}, build_log_softmax, NULL},
    };
    for (int c = 0; c < 2; c++)
        check_large_gradient(&checks[c]);
}

static void rows_of_probabilities_follow_the_scores(void **state) {
    (void)state;
    float x[] = {0, 0, (float)log(3), 5, 5, 5};
    gradient_case check = {"softmax", 1, {{2, 3, x}}, build_softmax, NULL};
    check_values(&check, 2, 3, (double[]){0.2, 0.2, 0.6, 1 / 3.0, 1 / 3.0, 1 / 3.0});
    check.build = build_log_softmax;
    check_values(&check, 2, 3, (double[]){log(0.2), log(0.2), log(0.6), -log(3), -log(3), -log(3)});
}

static void scores_may_be_of_any_size(void **state) {
    (void)state;
    float x[] = {1e30F, -1e30F, 1e30F, -1e30F, -1e30F, -1e30F, 1000, 0, -1000};
    gradient_case check = {"softmax", 1, {{3, 3, x}}, build_softmax, NULL};
    check_values(&check, 3, 3, (double[]){0.5, 0, 0.5, 1 / 3.0, 1 / 3.0, 1 / 3.0, 1, 0, 0});
    check.build = build_log_softmax;
    check_values(&check, 3, 3,
                 (double[]){-log(2), -2e30, -log(2), -log(3), -log(3), -log(3), 0, -1000, -2000});
}

static void gradients_of_huge_scores_are_finite(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {1e30F, -1e30F, 1e30F}, gradient[3];
    static const float w[] = {1, 2, 3};
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *weight = dgmi_nn_tape_weight(tape, 1, 3, x, gradient);
    dgmi_nn_node *y = dgmi_nn_op_softmax(tape, weight);
    dgmi_nn_node *weighted =
        dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, y, dgmi_nn_tape_constant(tape, 1, 3, w));
    assert_int_equal(dgmi_nn_tape_backward(tape, dgmi_nn_op_sum(tape, weighted)), DGM_OK);
    assert_memory_equal(gradient, ((float[]){-0.5F, 0, 0.5F}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

static void a_row_without_columns_stays_empty(void **state) {
    (void)state;
    float nothing[1];
    gradient_case check = {"softmax", 1, {{3, 0, nothing}}, build_softmax, NULL};
    check_values(&check, 3, 0, NULL);
    check.build = build_log_softmax;
    check_values(&check, 3, 0, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(softmax_and_its_logarithm_differentiate),
        cmocka_unit_test(many_rows_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(rows_of_probabilities_follow_the_scores),
        cmocka_unit_test(scores_may_be_of_any_size),
        cmocka_unit_test(gradients_of_huge_scores_are_finite),
        cmocka_unit_test(a_row_without_columns_stays_empty),
    };
    return RUN_WITH_CONTEXT(tests);
}
