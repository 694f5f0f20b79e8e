/* SPDX-License-Identifier: Apache-2.0 */
/* A convolution of two graphs at once as one op, against finite differences and against the same
 * out of many ops. */
#include "nn_gradient.h"
#include "nn_pairs.h"

enum { INPUT, BIAS, WEIGHT, MOST_NODES = 150, ENTRIES = 2 * MOST_NODES };

static int64_t offsets[MOST_NODES + 1];
static uint32_t indices[ENTRIES];
static float values[ENTRIES];

/* A directed cycle with loops, which is not its own transpose. */
static dgmi_nn_sparse make_cycle(int64_t nodes) {
    dgmi_nn_sparse made;
    for (int64_t i = 0; i < nodes; i++) {
        offsets[i + 1] = 2 * (i + 1);
        bool last = i + 1 == nodes; /* its next one comes before itself: columns ascend */
        indices[2 * i + last] = (uint32_t)i;
        indices[2 * i + !last] = (uint32_t)((i + 1) % nodes);
        values[2 * i + last] = 0.3F + 0.4F * (float)(i % 2);
        values[2 * i + !last] = 0.6F;
    }
    const dgmi_table_csr matrix = {nodes, nodes, offsets, indices, values};
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &made), DGM_OK);
    return made;
}

static dgmi_nn_node *build_whole(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    return dgmi_nn_op_pairs(tape, argument, leaf[INPUT], leaf[WEIGHT], leaf[BIAS]);
}

static dgmi_nn_node *build_parts(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    int64_t rows = leaf[INPUT]->value.rows, columns = leaf[INPUT]->value.columns;
    dgmi_nn_node *x = dgmi_nn_op_reshape(tape, leaf[INPUT], rows / 2, 2 * columns);
    x = dgmi_nn_op_reshape(tape, dgmi_nn_op_sparse_product(tape, argument, NULL, x), rows, columns);
    if (leaf[WEIGHT])
        x = dgmi_nn_op_product(tape, x, false, leaf[WEIGHT], false);
    return dgmi_nn_op_apply(tape, DGMI_KERNELS_ELU, dgmi_nn_op_bias(tape, x, leaf[BIAS]));
}

/* out 0: no weight. */
static gradient_case any_case(const dgmi_nn_sparse *propagation, int64_t in, int64_t out) {
    gradient_case made = {"pairs",
                          out > 0 ? 3 : 2,
                          {any_numbers(2 * propagation->matrix.rows, in, -1, 1),
                           any_numbers(1, out > 0 ? out : in, -1, 1)},
                          build_whole,
                          propagation};
    if (out > 0)
        made.leaf[WEIGHT] = any_numbers(in, out, -0.5, 0.5);
    return made;
}

/* ELU bends at 0: small numbers and a large bias keep away from it. */
static void pairs_differentiate_by_their_inputs(void **state) {
    (void)state;
    for (int64_t out = 0; out <= 32; out += 32) {
        gradient_seed(out);
        dgmi_nn_sparse propagation = make_cycle(2);
        gradient_case check = any_case(&propagation, 32, out);
        for (int64_t i = 0; i < dgmi_table_tensor_count(&check.leaf[INPUT]); i++)
            check.leaf[INPUT].values[i] *= 0.1F;
        for (int64_t j = 0; j < check.leaf[BIAS].columns; j++)
            check.leaf[BIAS].values[j] += check.leaf[BIAS].values[j] < 0 ? -1.0F : 1.0F;
        check_gradient(&check);
        dgmi_nn_sparse_free(ctx, &propagation);
    }
}

static void take_gradients(const gradient_case *check, float **gradients) {
    for (int k = 0; k < check->leaves; k++)
        gradients[k] = take_numbers(dgmi_table_tensor_count(&check->leaf[k]));
}

static void compare(const dgmi_kernels *kernels, gradient_case *check) {
    float *gradients[2][GRADIENT_LEAVES], *y[2];
    dgmi_nn_tape *tape;
    unsigned all = (1U << check->leaves) - 1;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_tape_set_kernels(tape, kernels);
    const dgmi_table_tensor made = forward_constant(tape, check)->value;
    const dgmi_table_tensor weight = any_numbers(made.rows, made.columns, -1, 1);
    int64_t count = dgmi_table_tensor_count(&made);
    for (int way = 0; way < 2; way++) {
        check->build = way ? build_parts : build_whole;
        take_gradients(check, gradients[way]);
        backward_into(tape, check, all, 1, &weight, gradients[way]);
        y[way] = take_numbers(count);
        memcpy(y[way], forward_constant(tape, check)->value.values, (size_t)count * sizeof(float));
    }
    for (int64_t i = 0; i < count; i++)
        assert_near((double)y[0][i], (double)y[1][i], 1e-5);
    for (int k = 0; k < check->leaves; k++)
        for (int64_t i = 0; i < dgmi_table_tensor_count(&check->leaf[k]); i++)
            assert_near((double)gradients[0][k][i], (double)gradients[1][k][i],
                        1e-4 * fmax(1, fabs((double)gradients[1][k][i])));
    dgmi_nn_tape_free(tape);
}

static const struct {
    int64_t nodes, in, out;
} shapes[] = {{1, 32, 0}, {7, 64, 0}, {150, 32, 0}, {5, 32, 64}, {33, 96, 32}, {150, 32, 64}};

static void pairs_are_what_their_parts_are(void **state) {
    (void)state;
    static const char *const backends[] = {"plain", "avx2", "avx512"};
    for (int b = 0; b < COUNT(backends); b++)
        for (int c = 0; dgmi_kernels_find(backends[b]) && c < COUNT(shapes); c++) {
            gradient_seed(c);
            dgmi_nn_sparse propagation = make_cycle(shapes[c].nodes);
            gradient_case check = any_case(&propagation, shapes[c].in, shapes[c].out);
            compare(dgmi_kernels_find(backends[b]), &check);
            dgmi_nn_sparse_free(ctx, &propagation);
        }
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
    (void)state;
    gradient_seed(0);
    dgmi_nn_sparse propagation = make_cycle(MOST_NODES);
    gradient_case check = any_case(&propagation, 32, 64);
    float *gradients[2][GRADIENT_LEAVES];
    const dgmi_table_tensor weight = any_numbers(2 * (int64_t)MOST_NODES, 64, -1, 1);
    take_gradients(&check, gradients[0]);
    take_gradients(&check, gradients[1]);
    for (int threads = 1; threads <= 4; threads++) {
        dgmi_nn_tape *tape;
        dgm_context_set_threads(ctx, threads);
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        backward_into(tape, &check, 7, 1, &weight, gradients[threads > 1]);
        for (int k = 0; threads > 1 && k < check.leaves; k++)
            assert_memory_equal(gradients[0][k], gradients[1][k],
                                (size_t)dgmi_table_tensor_count(&check.leaf[k]) * sizeof(float));
        dgmi_nn_tape_free(tape);
    }
    dgm_context_set_threads(ctx, 1);
    dgmi_nn_sparse_free(ctx, &propagation);
}

static void other_widths_do_not_fit(void **state) {
    (void)state;
    const dgmi_table_tensor narrow = {8, 16, NULL}, odd = {7, 32, NULL}, x = {8, 32, NULL};
    const dgmi_table_tensor wide = {32, 128, NULL}, other = {64, 64, NULL}, good = {32, 64, NULL};
    assert_false(dgmi_nn_pairs_fit(&narrow, NULL));
    assert_false(dgmi_nn_pairs_fit(&odd, NULL));
    assert_false(dgmi_nn_pairs_fit(&x, &wide));
    assert_false(dgmi_nn_pairs_fit(&x, &other));
    assert_true(dgmi_nn_pairs_fit(&x, NULL));
    assert_true(dgmi_nn_pairs_fit(&x, &good));
}

/* What the forward pass left behind is used up by the backward pass. */
static void pairs_are_differentiated_only_once(void **state) {
    (void)state;
    gradient_seed(0);
    dgmi_nn_sparse propagation = make_cycle(2);
    gradient_case check = any_case(&propagation, 32, 0);
    float *gradients[GRADIENT_LEAVES];
    dgmi_nn_node *leaves[GRADIENT_LEAVES];
    dgmi_nn_tape *tape;
    take_gradients(&check, gradients);
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    for (int k = 0; k < check.leaves; k++)
        leaves[k] = dgmi_nn_tape_weight(tape, check.leaf[k].rows, check.leaf[k].columns,
                                        check.leaf[k].values, gradients[k]);
    leaves[WEIGHT] = NULL;
    dgmi_nn_node *loss = dgmi_nn_op_sum(tape, build_whole(tape, leaves, &propagation));
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    ASSERT_FAILS(dgmi_nn_tape_backward(tape, loss), DGM_ERROR_DATA,
                 "pairs: they can be differentiated only once");
    dgmi_nn_tape_free(tape);
    dgmi_nn_sparse_free(ctx, &propagation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_differentiate_by_their_inputs),
        cmocka_unit_test(pairs_are_what_their_parts_are),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(other_widths_do_not_fit),
        cmocka_unit_test(pairs_are_differentiated_only_once),
    };
    return RUN_WITH_CONTEXT(tests);
}
