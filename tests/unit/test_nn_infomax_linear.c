/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax from a linear last layer on, against finite differences and
 * against the same loss by way of that layer's output. */
#include "nn_gradient.h"
#include "nn_infomax.h"

enum { INPUT, WEIGHT, BIAS, DISCRIMINATOR, DISCRIMINATOR_BIAS, INPUTS, ALL = (1 << INPUTS) - 1 };
enum { MOST_NODES = 400 };

static dgmi_nn_node *build_short(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    static float targets[2 * MOST_NODES], shares[2 * MOST_NODES];
    int64_t nodes = leaf[INPUT] ? leaf[INPUT]->value.rows / 2 : 0;
    (void)argument;
    for (int64_t i = 0; i < nodes; i++) {
        targets[2 * i] = 1;
        shares[2 * i] = 1 / (float)nodes;
    }
    const dgmi_nn_infomax_linear infomax = {
        leaf[INPUT], leaf[WEIGHT], leaf[BIAS], leaf[DISCRIMINATOR], leaf[DISCRIMINATOR_BIAS],
        targets,     shares};
    return dgmi_nn_infomax_linear_loss(tape, &infomax);
}

static dgmi_nn_node *build_long(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                const void *argument) {
    static float targets[2 * MOST_NODES];
    static uint32_t rows[2][MOST_NODES];
    int64_t nodes = leaf[INPUT]->value.rows / 2;
    (void)argument;
    dgmi_nn_node *halves[2];
    for (int half = 0; half < 2; half++) {
        for (int64_t i = 0; i < nodes; i++) {
            rows[half][i] = (uint32_t)(2 * i + half);
            targets[half * nodes + i] = half == 0;
        }
        dgmi_nn_node *x = dgmi_nn_op_gather(tape, leaf[INPUT], rows[half], nodes);
        dgmi_nn_node *z = dgmi_nn_op_product(tape, x, false, leaf[WEIGHT], false);
        halves[half] = dgmi_nn_op_bias(tape, z, leaf[BIAS]);
    }
    dgmi_nn_node *mean = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, halves[0], NULL, 1);
    dgmi_nn_node *summary = dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID, mean);
    dgmi_nn_node *direction = dgmi_nn_op_product(tape, leaf[DISCRIMINATOR], false, summary, true);
    dgmi_nn_node *scores =
        dgmi_nn_op_product(tape, dgmi_nn_op_join_rows(tape, 2, halves), false, direction, false);
    return dgmi_nn_op_binary_cross_entropy(
        tape, dgmi_nn_op_bias(tape, scores, leaf[DISCRIMINATOR_BIAS]), targets);
}

static gradient_case any_case(int64_t nodes, int64_t depth, int64_t width) {
    return (gradient_case){"infomax",
                           INPUTS,
                           {any_numbers(2 * nodes, depth, -1, 1), any_numbers(depth, width, -1, 1),
                            any_numbers(1, width, -1, 1), any_numbers(width, width, -0.5, 0.5),
                            any_numbers(1, 1, -0.5, 0.5)},
                           build_short,
                           NULL};
}

static void it_differentiates_by_its_five_inputs(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = any_case(any_size(1, 4), any_size(1, 4), any_size(1, 4));
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

/* Both ways, on one backend; `factor` times the loss. */
static void compare(const dgmi_kernels *kernels, gradient_case *check, float factor) {
    float *gradients[2][GRADIENT_LEAVES];
    const dgmi_table_tensor weight = {1, 1, &factor};
    dgmi_nn_tape *tape;
    double loss[2];
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_tape_set_kernels(tape, kernels);
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < INPUTS; k++)
            gradients[way][k] = take_numbers(dgmi_table_tensor_count(&check->leaf[k]));
        check->build = way ? build_long : build_short;
        backward_into(tape, check, ALL, 1, &weight, gradients[way]);
        loss[way] = (double)forward_constant(tape, check)->value.values[0];
    }
    assert_near(loss[0], loss[1], 1e-5 * loss[1]);
    for (int k = 0; k < INPUTS; k++) {
        double size = 1e-4;
        int64_t count = dgmi_table_tensor_count(&check->leaf[k]);
        for (int64_t i = 0; i < count; i++)
            size = fmax(size, fabs((double)gradients[1][k][i]));
        for (int64_t i = 0; i < count; i++)
            assert_near((double)gradients[0][k][i], (double)gradients[1][k][i], 2e-5 * size);
    }
    dgmi_nn_tape_free(tape);
}

static const struct {
    int64_t nodes, depth, width;
} shapes[] = {{1, 1, 1}, {7, 3, 5}, {16, 64, 64}, {33, 70, 65}, {130, 13, 130}, {400, 64, 128}};

static void it_is_the_loss_of_the_output(void **state) {
    (void)state;
    static const char *const backends[] = {"plain", "avx2", "avx512"};
    for (int b = 0; b < COUNT(backends); b++)
        for (int c = 0; dgmi_kernels_find(backends[b]) && c < COUNT(shapes); c++) {
            gradient_seed(c);
            gradient_case check = any_case(shapes[c].nodes, shapes[c].depth, shapes[c].width);
            compare(dgmi_kernels_find(backends[b]), &check, c % 2 ? 1 : 3);
        }
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
    (void)state;
    static const float one = 1;
    gradient_seed(0);
    gradient_case check = any_case(400, 20, 200);
    float *gradients[2][GRADIENT_LEAVES], unit = one;
    const dgmi_table_tensor weight = {1, 1, &unit};
    for (int k = 0; k < INPUTS; k++)
        for (int way = 0; way < 2; way++)
            gradients[way][k] = take_numbers(dgmi_table_tensor_count(&check.leaf[k]));
    for (int threads = 1; threads <= 5; threads++) {
        dgmi_nn_tape *tape;
        dgm_context_set_threads(ctx, threads);
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        backward_into(tape, &check, ALL, 1, &weight, gradients[threads > 1]);
        for (int k = 0; threads > 1 && k < INPUTS; k++)
            assert_memory_equal(gradients[0][k], gradients[1][k],
                                (size_t)dgmi_table_tensor_count(&check.leaf[k]) * sizeof(float));
        dgmi_nn_tape_free(tape);
    }
    dgm_context_set_threads(ctx, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_differentiates_by_its_five_inputs),
        cmocka_unit_test(it_is_the_loss_of_the_output),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
    };
    return RUN_WITH_CONTEXT(tests);
}
