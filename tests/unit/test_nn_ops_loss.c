/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

/* ---- cross-entropy ---- */

static dgmi_nn_node *build_cross_entropy(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                         const void *argument) {
    return dgmi_nn_op_cross_entropy(tape, leaf[0], argument);
}

static void cross_entropy_differentiates_with_and_without_class_weights(void **state) {
    (void)state;
    FOR_EACH_SEED for (int weighted = 0; weighted < 2; weighted++) {
        static const float weights[] = {0.2F, 3, 1, 0, 2};
        uint32_t rows[8];
        int32_t classes[8];
        int64_t count = 0, columns = any_size(2, 5);
        for (uint32_t i = 0; i < 8; i++) {
            classes[i] = (int32_t)any_size(0, columns - 1);
            if (i == 0 || i % 3)
                rows[count++] = i;
        }
        classes[0] = 0; /* some weight there is */
        const dgmi_nn_targets targets = {count, rows, classes, weighted ? weights : NULL};
        gradient_case check = {
            "cross-entropy", 1, {any_numbers(8, columns, -2, 2)}, build_cross_entropy, &targets};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void cross_entropy_is_the_weighted_mean_of_log_probabilities(void **state) {
    (void)state;
    static const uint32_t rows[] = {0, 2};
    static const int32_t classes[] = {1, 0, 0};
    static const float weights[] = {3, 1};
    float scores[] = {0, 1, 9, 9, 2, 0};
    const dgmi_nn_targets targets = {2, rows, classes, weights};
    gradient_case check = {"cross-entropy", 1, {{3, 2, scores}}, build_cross_entropy, &targets};
    double expected = (log1p(exp(-1)) + 3 * log1p(exp(-2))) / 4;
    check_values(&check, 1, 1, &expected);
}

/* The loss of huge scores is finite, and so is its gradient. */
static void cross_entropy_bears_scores_of_any_size(void **state) {
    (void)state;
    static const uint32_t rows[] = {0, 1};
    static const int32_t classes[] = {0, 0};
    float scores[] = {1e30F, -1e30F, -5, 1000}, gradient[4];
    const dgmi_nn_targets targets = {2, rows, classes, NULL};
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *x = dgmi_nn_tape_weight(tape, 2, 2, scores, gradient);
    dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, x, &targets);
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_near((double)loss->value.values[0], 502.5, 1e-3);
    assert_memory_equal(gradient, ((float[]){0, 0, -0.5F, 0.5F}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

static void no_weight_means_no_loss_and_no_gradient(void **state) {
    (void)state;
    static const uint32_t rows[] = {0};
    static const int32_t classes[] = {0};
    static const float weights[] = {0, 1};
    float scores[] = {1, 2}, gradient[2];
    for (int64_t count = 0; count < 2; count++) {
        const dgmi_nn_targets targets = {count, rows, classes, weights};
        dgmi_nn_tape *tape;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        dgmi_nn_node *x = dgmi_nn_tape_weight(tape, 1, 2, scores, gradient);
        dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, x, &targets);
        assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
        assert_true(loss->value.values[0] == 0);
        assert_memory_equal(gradient, ((float[]){0, 0}), sizeof gradient);
        dgmi_nn_tape_free(tape);
    }
}

/* ---- binary cross-entropy ---- */

static dgmi_nn_node *build_binary(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    return dgmi_nn_op_binary_cross_entropy(tape, leaf[0], argument);
}

static void binary_cross_entropy_differentiates(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t rows = any_size(1, 9), columns = any_size(1, 3);
        dgmi_table_tensor targets = any_numbers(rows, columns, 0, 1);
        gradient_case check = {"binary cross-entropy",
                               1,
                               {any_numbers(rows, columns, -3, 3)},
                               build_binary,
                               targets.values};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void binary_cross_entropy_bears_scores_of_any_size(void **state) {
    (void)state;
    static const float targets[] = {1, 0, 1, 0};
    float scores[] = {1e30F, -1e30F, 0, 0};
    gradient_case check = {"binary cross-entropy", 1, {{4, 1, scores}}, build_binary, targets};
    double expected = log(2) / 2;
    check_values(&check, 1, 1, &expected);
    check.leaf[0].rows = 0;
    expected = 0;
    check_values(&check, 1, 1, &expected);
}

/* ---- squared error ---- */

typedef struct squared_argument {
    const uint32_t *rows;
    int64_t count;
    const float *targets;
} squared_argument;

static dgmi_nn_node *build_squared(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    const squared_argument *given = argument;
    return dgmi_nn_op_squared_error(tape, leaf[0], given->rows, given->count, given->targets);
}

static void squared_errors_differentiate(void **state) {
    (void)state;
    static const uint32_t rows[] = {0, 2, 3, 7};
    FOR_EACH_SEED {
        dgmi_table_tensor targets = any_numbers(8, 1, -1, 1);
        const squared_argument argument = {rows, any_size(0, 4), targets.values};
        gradient_case check = {
            "squared error", 1, {any_numbers(8, 1, -1, 1)}, build_squared, &argument};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void a_squared_error_is_of_one_column(void **state) {
    (void)state;
    static const uint32_t rows[] = {0};
    static const float targets[] = {0, 0};
    const squared_argument argument = {rows, 1, targets};
    gradient_seed(0);
    gradient_case check = {"squared error", 1, {any_numbers(2, 2, 0, 1)}, build_squared, &argument};
    check_refused(&check, "squared error: 2 columns of scores, not 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_entropy_differentiates_with_and_without_class_weights),
        cmocka_unit_test(cross_entropy_is_the_weighted_mean_of_log_probabilities),
        cmocka_unit_test(cross_entropy_bears_scores_of_any_size),
        cmocka_unit_test(no_weight_means_no_loss_and_no_gradient),
        cmocka_unit_test(binary_cross_entropy_differentiates),
        cmocka_unit_test(binary_cross_entropy_bears_scores_of_any_size),
        cmocka_unit_test(squared_errors_differentiate),
        cmocka_unit_test(a_squared_error_is_of_one_column),
    };
    return RUN_WITH_CONTEXT(tests);
}
