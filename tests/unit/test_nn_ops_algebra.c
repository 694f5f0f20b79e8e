/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

static const char *const algebra_names[] = {"add", "subtract", "multiply", "divide"};

static dgmi_nn_node *build_algebra(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    return dgmi_nn_op_algebra(tape, *(const dgmi_nn_algebra *)argument, leaf[0], leaf[1]);
}

/* n x f, 1 x f, n x 1, 1 x 1 */
static dgmi_table_tensor any_operand(int shape, int64_t rows, int64_t columns, double low,
                                     double high) {
    return any_numbers(shape & 1 ? 1 : rows, shape & 2 ? 1 : columns, low, high);
}

static gradient_case algebra_case(const dgmi_nn_algebra *kind, int shapes, int64_t rows,
                                  int64_t columns) {
    return (gradient_case){algebra_names[*kind],
                           2,
                           {any_operand(shapes & 3, rows, columns, -1, 1),
                            any_operand(shapes >> 2, rows, columns, 0.7, 2)},
                           build_algebra,
                           kind};
}

static const dgmi_nn_algebra kinds[] = {DGMI_NN_ADD, DGMI_NN_SUBTRACT, DGMI_NN_MULTIPLY,
                                        DGMI_NN_DIVIDE};

static void algebra_differentiates_for_all_pairs_of_shapes(void **state) {
    (void)state;
    FOR_EACH_SEED for (int k = 0; k < 4; k++) for (int shapes = 0; shapes < 16; shapes++) {
        gradient_case check = algebra_case(&kinds[k], shapes, any_size(1, 4), any_size(1, 4));
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void algebra_of_wide_rows_differentiates(void **state) {
    (void)state;
    gradient_seed(0);
    for (int k = 0; k < 4; k++)
        for (int shapes = 0; shapes < 16; shapes++) {
            gradient_case check = algebra_case(&kinds[k], shapes, 3, 600);
            check_large_gradient(&check);
            gradient_used = 0;
        }
}

static void algebra_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    for (int k = 0; k < 4; k++)
        for (int shapes = 0; shapes < 16; shapes++) {
            gradient_case check = algebra_case(&kinds[k], shapes, 2001, 37);
            check_large_gradient(&check);
            gradient_used = 0;
        }
}

static void operands_are_repeated_to_one_shape(void **state) {
    (void)state;
    float a[] = {1, 2, 3, 4}, b[] = {10, 20};
    gradient_case check = {"add", 2, {{2, 2, a}, {1, 2, b}}, build_algebra, &kinds[0]};
    check_values(&check, 2, 2, (double[]){11, 22, 13, 24});
    check.leaf[1] = (dgmi_table_tensor){2, 1, b};
    check.argument = &kinds[1];
    check_values(&check, 2, 2, (double[]){-9, -8, -17, -16});
    check.leaf[0] = (dgmi_table_tensor){1, 2, a};
    check.argument = &kinds[2];
    check_values(&check, 2, 2, (double[]){10, 20, 20, 40});
    check.leaf[0] = (dgmi_table_tensor){1, 1, a};
    check.argument = &kinds[3];
    check_values(&check, 2, 1, (double[]){0.1, 0.05});
}

static void operands_that_do_not_fit_are_refused(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case check = {"multiply",
                           2,
                           {any_numbers(3, 2, 0, 1), any_numbers(2, 2, 0, 1)},
                           build_algebra,
                           &kinds[2]};
    check_refused(&check, "multiply: 3 x 2 numbers meet 2 x 2");
    check.leaf[1] = any_numbers(3, 4, 0, 1);
    check.argument = &kinds[1];
    check_refused(&check, "subtract: 3 x 2 numbers meet 3 x 4");
}

static dgmi_nn_node *build_with_itself(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                       const void *argument) {
    return dgmi_nn_op_algebra(tape, *(const dgmi_nn_algebra *)argument, leaf[0], leaf[0]);
}

static void a_tensor_meets_itself(void **state) {
    (void)state;
    FOR_EACH_SEED for (int k = 0; k < 4; k++) {
        gradient_case check = {
            algebra_names[k], 1, {any_numbers(2, 3, 0.7, 2)}, build_with_itself, &kinds[k]};
        check_gradient(&check);
    }
}

/* ---- one operand ---- */

static dgmi_nn_node *build_scale(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    return dgmi_nn_op_scale(tape, *(const float *)argument, leaf[0]);
}

static dgmi_nn_node *build_square(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    (void)argument;
    return dgmi_nn_op_square(tape, leaf[0]);
}

static dgmi_nn_node *build_root(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                const void *argument) {
    (void)argument;
    return dgmi_nn_op_root(tape, leaf[0]);
}

static dgmi_nn_node *build_log(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                               const void *argument) {
    (void)argument;
    return dgmi_nn_op_log(tape, leaf[0]);
}

static void multiples_squares_roots_and_logarithms_differentiate(void **state) {
    (void)state;
    static const float factor = -1.75F;
    FOR_EACH_SEED {
        gradient_case checks[] = {
            {"scale", 1, {any_numbers(any_size(1, 5), 3, -2, 2)}, build_scale, &factor},
            {"square", 1, {any_numbers(any_size(1, 5), 3, -2, 2)}, build_square, NULL},
            {"root", 1, {any_numbers(any_size(1, 5), 3, 0.5, 2)}, build_root, NULL},
            {"log", 1, {any_numbers(any_size(1, 5), 3, 0.5, 2)}, build_log, NULL},
        };
        for (int c = 0; c < COUNT(checks); c++) {
            check_gradient(&checks[c]);
            check_nothing_from_nothing(&checks[c]);
        }
    }
    gradient_case large[] = {
        {"scale", 1, {any_numbers(3000, 40, -2, 2)}, build_scale, &factor},
        {"square", 1, {any_numbers(3000, 40, -2, 2)}, build_square, NULL},
        {"root", 1, {any_numbers(3000, 40, 0.5, 2)}, build_root, NULL},
        {"log", 1, {any_numbers(3000, 40, 0.5, 2)}, build_log, NULL},
    };
    for (int c = 0; c < COUNT(large); c++)
        check_large_gradient(&large[c]);
}

static void multiples_squares_roots_and_logarithms_have_their_values(void **state) {
    (void)state;
    static const float factor = -2;
    float x[] = {0, 1, 4};
    gradient_case check = {"scale", 1, {{1, 3, x}}, build_scale, &factor};
    check_values(&check, 1, 3, (double[]){0, -2, -8});
    check.build = build_square;
    check_values(&check, 1, 3, (double[]){0, 1, 16});
    check.build = build_root;
    check_values(&check, 1, 3, (double[]){0, 1, 2});
    check.build = build_log;
    check_values(&check, 1, 3, (double[]){-INFINITY, 0, log(4)});
}

static void a_root_has_gradient_0_at_0(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {0, 4}, gradient[2];
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *root = dgmi_nn_op_root(tape, dgmi_nn_tape_weight(tape, 2, 1, x, gradient));
    assert_int_equal(dgmi_nn_tape_backward(tape, dgmi_nn_op_sum(tape, root)), DGM_OK);
    assert_memory_equal(gradient, ((float[]){0, 0.25F}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algebra_differentiates_for_all_pairs_of_shapes),
        cmocka_unit_test(algebra_of_wide_rows_differentiates),
        cmocka_unit_test(algebra_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(operands_are_repeated_to_one_shape),
        cmocka_unit_test(operands_that_do_not_fit_are_refused),
        cmocka_unit_test(a_tensor_meets_itself),
        cmocka_unit_test(multiples_squares_roots_and_logarithms_differentiate),
        cmocka_unit_test(multiples_squares_roots_and_logarithms_have_their_values),
        cmocka_unit_test(a_root_has_gradient_0_at_0),
    };
    return RUN_WITH_CONTEXT(tests);
}
