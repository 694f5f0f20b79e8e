/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_cycle.h"
#include "nn_infomax.h"

static dgmi_nn_infomax infomax_of(dgmi_nn_node *const *leaf) {
    return (dgmi_nn_infomax){.features = &features,
                             .propagation = &propagation,
                             .shuffle = shuffle,
                             .inverse = inverse,
                             .weight = leaf[0],
                             .bias = leaf[1],
                             .slope = leaf[2],
                             .discriminator = leaf[3],
                             .discriminator_bias = leaf[4]};
}

static dgmi_nn_node *build_infomax(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    (void)argument;
    const dgmi_nn_infomax infomax = infomax_of(leaf);
    return dgmi_nn_op_infomax(tape, &infomax);
}

/* The same of many ops. */
static dgmi_nn_node *build_parts(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    static const float targets[2 * NODES] = {1, 1, 1, 1, 1};
    (void)argument;
    dgmi_nn_node *halves[2];
    for (int half = 0; half < 2; half++) {
        dgmi_nn_node *mixed = dgmi_nn_op_sparse_product(tape, &features, NULL, leaf[0]);
        if (half)
            mixed = dgmi_nn_op_permute(tape, mixed, shuffle, inverse);
        dgmi_nn_node *z = dgmi_nn_op_sparse_product(tape, &propagation, NULL, mixed);
        halves[half] = dgmi_nn_op_prelu(tape, dgmi_nn_op_bias(tape, z, leaf[1]), leaf[2]);
    }
    dgmi_nn_node *mean = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, halves[0], NULL, 0);
    dgmi_nn_node *summary = dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, mean);
    dgmi_nn_node *direction = dgmi_nn_op_product(tape, leaf[3], false, summary, true);
    dgmi_nn_node *scores =
        dgmi_nn_op_product(tape, dgmi_nn_op_join_rows(tape, 2, halves), false, direction, false);
    return dgmi_nn_op_binary_cross_entropy(tape, dgmi_nn_op_bias(tape, scores, leaf[4]), targets);
}

/* A large bias keeps every number of the hidden layer away from PReLU's kink. */
static gradient_case infomax_case(int64_t width) {
    gradient_case made = {"infomax",
                          5,
                          {any_numbers(FEATURES, width, -0.1, 0.1), any_numbers(1, width, -1, 1),
                           any_numbers(1, 1, 0.1, 0.4), any_numbers(width, width, -0.5, 0.5),
                           any_numbers(1, 1, -0.5, 0.5)},
                          build_infomax,
                          NULL};
    for (int64_t j = 0; j < width; j++)
        made.leaf[1].values[j] += made.leaf[1].values[j] < 0 ? -1.0F : 1.0F;
    return made;
}

static void infomax_differentiates_by_its_five_inputs(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = infomax_case(any_size(1, 4));
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void infomax_is_what_its_parts_are(void **state) {
    (void)state;
    static const int64_t widths[] = {3, 64, 130};
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    for (int c = 0; c < COUNT(widths); c++) {
        float *gradients[2][GRADIENT_LEAVES];
        gradient_seed(c);
        gradient_case check = infomax_case(widths[c]);
        const dgmi_table_tensor one = any_numbers(1, 1, 1, 1);
        for (int way = 0; way < 2; way++) {
            for (int k = 0; k < check.leaves; k++)
                gradients[way][k] = take_numbers(dgmi_table_tensor_count(&check.leaf[k]));
            check.build = way ? build_parts : build_infomax;
            backward_into(tape, &check, 31, 1, &one, gradients[way]);
        }
        for (int k = 0; k < check.leaves; k++)
            for (int64_t i = 0; i < dgmi_table_tensor_count(&check.leaf[k]); i++)
                assert_near((double)gradients[0][k][i], (double)gradients[1][k][i], 1e-5);
    }
    dgmi_nn_tape_free(tape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(infomax_differentiates_by_its_five_inputs),
        cmocka_unit_test(infomax_is_what_its_parts_are),
    };
    return RUN_GROUP(tests, make_matrices, free_matrices);
}
