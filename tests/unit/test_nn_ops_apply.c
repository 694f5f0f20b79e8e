/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

static dgmi_nn_node *build_map(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                               const void *argument) {
    return dgmi_nn_op_apply(tape, *(const dgmi_kernels_function *)argument, leaf[0]);
}

static void activations_differentiate(void **state) {
    (void)state;
    static const dgmi_kernels_function functions[] = {DGMI_KERNELS_RELU, DGMI_KERNELS_ELU,
                                                      DGMI_KERNELS_SIGMOID, DGMI_KERNELS_TANH,
                                                      DGMI_KERNELS_EXP};
    static const char *const names[] = {"relu", "elu", "sigmoid", "tanh", "exp"};
    FOR_EACH_SEED for (int f = 0; f < COUNT(functions); f++) {
        gradient_case check = {names[f],
                               1,
                               {keep_away(any_numbers(any_size(1, 6), any_size(1, 9), -2, 2))},
                               build_map,
                               &functions[f]};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void relu_has_no_gradient_at_its_kink(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {-1, 0, 2}, gradient[3];
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *weight = dgmi_nn_tape_weight(tape, 1, 3, x, gradient);
    dgmi_nn_node *loss = dgmi_nn_op_sum(tape, dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, weight));
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_memory_equal(gradient, ((float[]){0, 0, 1}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

static dgmi_nn_node *build_layer(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    dgmi_nn_node *product = dgmi_nn_op_product(tape, leaf[0], false, leaf[1], false);
    return dgmi_nn_op_apply_over(tape, *(const dgmi_kernels_function *)argument,
                                 dgmi_nn_op_bias_over(tape, product, leaf[2]));
}

static void a_layer_in_place_differentiates(void **state) {
    (void)state;
    static const dgmi_kernels_function functions[] = {DGMI_KERNELS_SIGMOID, DGMI_KERNELS_TANH,
                                                      DGMI_KERNELS_EXP};
    FOR_EACH_SEED for (int f = 0; f < COUNT(functions); f++) {
        int64_t inner = any_size(1, 4), columns = any_size(1, 4);
        gradient_case check = {"a layer in place",
                               3,
                               {any_numbers(any_size(1, 5), inner, -1, 1),
                                any_numbers(inner, columns, -1, 1), any_numbers(1, columns, -1, 1)},
                               build_layer,
                               &functions[f]};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

/* Four ops that hand their gradient's memory on have the same input, before and after one that
 * does not. */
static dgmi_nn_node *build_fan(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                               const void *argument) {
    (void)argument;
    dgmi_nn_node *hidden = dgmi_nn_op_product(tape, leaf[0], false, leaf[1], false);
    dgmi_nn_node *a = dgmi_nn_op_apply(tape, DGMI_KERNELS_TANH, hidden);
    dgmi_nn_node *b = dgmi_nn_op_dropout(tape, hidden, 0.3F, 1, 2);
    dgmi_nn_node *c = dgmi_nn_op_square(tape, hidden);
    dgmi_nn_node *d = dgmi_nn_op_bias(tape, hidden, leaf[2]);
    dgmi_nn_node *e = dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, d);
    dgmi_nn_node *sum =
        dgmi_nn_op_algebra(tape, DGMI_NN_ADD, dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, a, b),
                           dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, c, d));
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, sum, e);
}

static void shared_inputs_survive_gradients_in_place(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {
            "a fan",
            3,
            {any_numbers(4, 3, -1, 1), any_numbers(3, 5, -1, 1), any_numbers(1, 5, -1, 1)},
            build_fan,
            NULL};
        check_gradient(&check);
    }
}

/* ---- PReLU ---- */

static dgmi_nn_node *build_prelu(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    (void)argument;
    return dgmi_nn_op_prelu(tape, leaf[0], leaf[1]);
}

static void prelu_differentiates_by_both_inputs(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"prelu",
                               2,
                               {keep_away(any_numbers(any_size(1, 6), any_size(1, 9), -2, 2)),
                                any_numbers(1, 1, 0.05, 0.5)},
                               build_prelu,
                               NULL};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void prelu_of_many_numbers_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case check = {"prelu",
                           2,
                           {keep_away(any_numbers(1500, 70, -2, 2)), any_numbers(1, 1, 0.1, 0.2)},
                           build_prelu,
                           NULL};
    check_large_gradient(&check);
}

static void prelu_has_one_slope(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case check = {
        "prelu", 2, {any_numbers(2, 3, -1, 1), any_numbers(1, 3, 0, 1)}, build_prelu, NULL};
    check_refused(&check, "prelu: the slope is one number, not 1 x 3");
    check.leaf[1] = any_numbers(2, 1, 0, 1);
    check_refused(&check, "prelu: the slope is one number, not 2 x 1");
}

/* ---- dropout ---- */

typedef struct dropout_argument {
    float p;
    uint64_t seed, stream;
} dropout_argument;

static dgmi_nn_node *build_dropout(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    const dropout_argument *given = argument;
    return dgmi_nn_op_dropout(tape, leaf[0], given->p, given->seed, given->stream);
}

static void dropout_draws_the_same_backwards(void **state) {
    (void)state;
    FOR_EACH_SEED {
        const dropout_argument argument = {0.4F, gradient_random.seed, 7};
        gradient_case check = {"dropout",
                               1,
                               {any_numbers(any_size(3, 9), any_size(3, 9), -1, 1)},
                               build_dropout,
                               &argument};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void dropout_keeps_the_expected_sum(void **state) {
    (void)state;
    enum { CELLS = 40000 };
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    gradient_seed(0);
    dgmi_table_tensor ones = any_numbers(200, 200, 1, 1);
    dgmi_nn_node *x = dgmi_nn_tape_constant(tape, 200, 200, ones.values);
    dgmi_nn_node *y = dgmi_nn_op_dropout(tape, x, 0.3F, 5, 1);
    int64_t kept = 0;
    for (int64_t i = 0; i < CELLS; i++) {
        assert_true(y->value.values[i] == 0 || fabsf(y->value.values[i] - 1 / 0.7F) < 1e-6F);
        kept += y->value.values[i] != 0;
    }
    assert_near((double)kept / CELLS, 0.7, 0.012); /* five deviations */
    assert_ptr_equal(dgmi_nn_op_dropout(tape, x, 0, 5, 1), x);
    dgmi_nn_tape_free(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(activations_differentiate),
        cmocka_unit_test(relu_has_no_gradient_at_its_kink),
        cmocka_unit_test(a_layer_in_place_differentiates),
        cmocka_unit_test(shared_inputs_survive_gradients_in_place),
        cmocka_unit_test(prelu_differentiates_by_both_inputs),
        cmocka_unit_test(prelu_of_many_numbers_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(prelu_has_one_slope),
        cmocka_unit_test(dropout_draws_the_same_backwards),
        cmocka_unit_test(dropout_keeps_the_expected_sum),
    };
    return RUN_WITH_CONTEXT(tests);
}
