/* SPDX-License-Identifier: Apache-2.0 */
#include "../check_memory.h"
#include "nn_gradient.h"

static dgmi_nn_tape *new_tape(void) {
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    return tape;
}

static void a_node_used_three_times_adds_its_gradients(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    float x[] = {3}, gradient[] = {100};
    dgmi_nn_node *w = dgmi_nn_tape_weight(tape, 1, 1, x, gradient);
    dgmi_nn_node *cube = dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, dgmi_nn_op_square(tape, w), w);
    dgmi_nn_node *loss = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, cube, w); /* x^3 + x */
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_near((double)gradient[0], 28, 1e-5);
    dgmi_nn_tape_free(tape);
}

static void weights_that_the_loss_does_not_need_have_gradient_0(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    float x[] = {1, 2}, y[] = {3, 4}, dx[] = {9, 9}, dy[] = {9, 9};
    dgmi_nn_node *a = dgmi_nn_tape_weight(tape, 1, 2, x, dx);
    dgmi_nn_node *b = dgmi_nn_tape_weight(tape, 1, 2, y, dy);
    dgmi_nn_node *loss = dgmi_nn_op_sum(tape, a);
    dgmi_nn_op_sum(tape, b); /* after the loss, and in vain */
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_memory_equal(dx, ((float[]){1, 1}), sizeof dx);
    assert_memory_equal(dy, ((float[]){0, 0}), sizeof dy);
    dgmi_nn_tape_free(tape);
}

static void constants_get_no_gradient(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    static const float x[] = {1, 2};
    dgmi_nn_node *constant = dgmi_nn_tape_constant(tape, 1, 2, x);
    dgmi_nn_node *square = dgmi_nn_op_square(tape, constant), *loss = dgmi_nn_op_sum(tape, square);
    assert_false(loss->wants_gradient);
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_null(constant->gradient.values);
    assert_null(square->gradient.values);
    dgmi_nn_tape_free(tape);
}

static void a_weight_can_be_the_loss(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    float x[] = {5}, gradient[] = {9};
    assert_int_equal(dgmi_nn_tape_backward(tape, dgmi_nn_tape_weight(tape, 1, 1, x, gradient)),
                     DGM_OK);
    assert_true(gradient[0] == 1);
    dgmi_nn_tape_free(tape);
}

static void only_one_number_can_be_differentiated(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    static const float x[] = {1, 2};
    ASSERT_FAILS(dgmi_nn_tape_backward(tape, dgmi_nn_tape_constant(tape, 1, 2, x)), DGM_ERROR_DATA,
                 "only a single number can be differentiated");
    dgmi_nn_tape_rewind(tape);
    ASSERT_FAILS(dgmi_nn_tape_backward(tape, dgmi_nn_tape_constant(tape, 2, 1, x)), DGM_ERROR_DATA,
                 "only a single number can be differentiated");
    dgmi_nn_tape_rewind(tape);
    ASSERT_FAILS(dgmi_nn_tape_backward(tape, NULL), DGM_ERROR_DATA,
                 "there is nothing to differentiate");
    dgmi_nn_tape_free(tape);
}

/* With in-place gradients nodes share memory, and yet the second pass starts anew. */
static void a_second_backward_pass_starts_anew(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    float x[] = {0.5F, -1}, w[] = {2, 1, -1, 3}, gradient[4], first[4];
    dgmi_nn_node *weight = dgmi_nn_tape_weight(tape, 2, 2, w, gradient);
    dgmi_nn_node *hidden =
        dgmi_nn_op_product(tape, dgmi_nn_tape_constant(tape, 1, 2, x), false, weight, false);
    dgmi_nn_node *small = dgmi_nn_op_sum(tape, dgmi_nn_op_apply(tape, DGMI_KERNELS_TANH, hidden));
    dgmi_nn_node *large = dgmi_nn_op_sum(tape, dgmi_nn_op_apply(tape, DGMI_KERNELS_EXP, hidden));
    dgmi_nn_node *both = dgmi_nn_op_algebra(tape, DGMI_NN_ADD, small, large);
    assert_int_equal(dgmi_nn_tape_backward(tape, both), DGM_OK);
    memcpy(first, gradient, sizeof first);
    assert_int_equal(dgmi_nn_tape_backward(tape, small), DGM_OK);
    assert_true(memcmp(first, gradient, sizeof first) != 0);
    assert_int_equal(dgmi_nn_tape_backward(tape, both), DGM_OK);
    assert_memory_equal(first, gradient, sizeof first);
    dgmi_nn_tape_free(tape);
}

static void after_an_error_every_op_is_null_until_the_tape_is_rewound(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    static const float x[] = {1, 2, 3, 4, 5, 6};
    dgmi_nn_node *a = dgmi_nn_tape_constant(tape, 2, 3, x);
    assert_null(dgmi_nn_op_product(tape, a, false, a, false));
    assert_null(dgmi_nn_op_square(tape, a));
    assert_null(dgmi_nn_op_trace(tape, a)); /* the first error stays */
    assert_null(dgmi_nn_tape_constant(tape, 2, 3, x));
    ASSERT_FAILS(dgmi_nn_tape_backward(tape, NULL), DGM_ERROR_DATA,
                 "product: 3 columns meet 2 rows");
    dgmi_nn_tape_rewind(tape);
    assert_int_equal(dgmi_nn_tape_status(tape), DGM_OK);
    assert_non_null(dgmi_nn_op_square(tape, dgmi_nn_tape_constant(tape, 2, 3, x)));
    dgmi_nn_tape_free(tape);
}

static void sizes_that_overflow_are_refused(void **state) {
    (void)state;
    dgmi_nn_tape *tape = new_tape();
    static const float x[] = {1};
    static const int64_t huge = INT64_C(1) << 40;
    dgmi_nn_node *tall = dgmi_nn_tape_constant(tape, huge, 1, x);
    dgmi_nn_node *wide = dgmi_nn_tape_constant(tape, 1, huge, x);
    assert_null(dgmi_nn_op_product(tape, tall, false, wide, false));
    assert_int_equal(dgmi_nn_tape_status(tape), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "product: a tensor of ");
    dgmi_nn_tape_rewind(tape);
    assert_null(dgmi_nn_tape_memory(tape, INT64_MAX, sizeof(float)));
    assert_int_equal(dgmi_nn_tape_status(tape), DGM_ERROR_MEMORY);
    dgmi_nn_tape_rewind(tape);
    assert_null(dgmi_nn_tape_memory(tape, INT64_MAX, 2)); /* a size_t holds it, but no memory */
    assert_int_equal(dgmi_nn_tape_status(tape), DGM_ERROR_MEMORY);
    dgmi_nn_tape_rewind(tape);
    assert_null(dgmi_nn_tape_memory(tape, -1, sizeof(float)));
    dgmi_nn_tape_free(tape);
}

static void memory_is_aligned_and_used_again_after_a_rewind(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 100000, 7, 0, 300000, 65, 40000, 3};
    dgmi_nn_tape *tape = new_tape();
    int64_t bytes = 0;
    for (int step = 0; step < 4; step++) {
        dgmi_nn_tape_rewind(tape);
        for (int k = 0; k < COUNT(sizes); k++) {
            char *memory = dgmi_nn_tape_memory(tape, sizes[k], sizeof(float));
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % 64, 0);
            memset(memory, step, (size_t)sizes[k] * sizeof(float));
        }
        if (step == 0)
            bytes = dgmi_nn_tape_bytes(tape);
        assert_int_equal(dgmi_nn_tape_bytes(tape), bytes);
    }
    dgmi_nn_tape_free(tape);
}

/* ---- a step that has every op in it ---- */

typedef struct everything {
    dgmi_nn_sparse matrix, symmetric;
    float x[12], w[12], bias[3], slope[1], values[5];
    float dx[12], dw[12], dbias[3], dslope[1], dvalues[5];
} everything;

static dgmi_nn_node *add_to(dgmi_nn_tape *tape, dgmi_nn_node *sum, dgmi_nn_node *x) {
    dgmi_nn_node *mean = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, x, NULL, 0);
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, sum, dgmi_nn_op_sum(tape, mean));
}

/* h is 4 x 3 */
static dgmi_nn_node *sum_of_rows_and_maps(dgmi_nn_tape *tape, dgmi_nn_node *h,
                                          dgmi_nn_node *slope) {
    static const uint32_t rows[] = {2, 2, 0}, turned[] = {1, 2, 3, 0}, back[] = {3, 0, 1, 2};
    static const int64_t offsets[] = {0, 1, 1, 4};
    dgmi_nn_node *sum = dgmi_nn_op_norm(tape, h);
    for (int f = DGMI_KERNELS_RELU; f <= DGMI_KERNELS_EXP; f++)
        sum = add_to(tape, sum, dgmi_nn_op_apply(tape, (dgmi_kernels_function)f, h));
    for (int fold = 0; fold < 3; fold++) {
        sum = add_to(tape, sum, dgmi_nn_op_segments(tape, (dgmi_nn_fold)fold, h, offsets, 3));
        sum = add_to(tape, sum, dgmi_nn_op_row_fold(tape, (dgmi_nn_fold)fold, h));
    }
    sum = add_to(tape, sum, dgmi_nn_op_prelu(tape, h, slope));
    sum = add_to(tape, sum, dgmi_nn_op_dropout(tape, h, 0.5F, 1, 1));
    sum = add_to(tape, sum, dgmi_nn_op_gather(tape, h, rows, 3));
    sum = add_to(tape, sum, dgmi_nn_op_permute(tape, h, turned, back));
    sum = add_to(tape, sum, dgmi_nn_op_softmax(tape, h));
    sum = add_to(tape, sum, dgmi_nn_op_log_softmax(tape, h));
    sum = add_to(tape, sum, dgmi_nn_op_join_columns(tape, 2, (dgmi_nn_node *const[]){h, h}));
    return add_to(tape, sum, dgmi_nn_op_join_rows(tape, 2, (dgmi_nn_node *const[]){h, h}));
}

static dgmi_nn_node *sum_of_algebra_and_losses(dgmi_nn_tape *tape, dgmi_nn_node *h,
                                               dgmi_nn_node *bias) {
    static const uint32_t rows[] = {0, 3};
    static const int32_t classes[] = {0, 1, 2, 1};
    static const float targets[12] = {1, 0, 1};
    const dgmi_nn_targets labels = {2, rows, classes, NULL};
    dgmi_nn_node *positive = dgmi_nn_op_apply(tape, DGMI_KERNELS_EXP, h);
    dgmi_nn_node *sum = dgmi_nn_op_trace(tape, dgmi_nn_op_product(tape, h, true, h, false));
    sum = add_to(tape, sum, dgmi_nn_op_algebra(tape, DGMI_NN_SUBTRACT, h, bias));
    sum = add_to(tape, sum, dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, bias, positive));
    sum = add_to(tape, sum, dgmi_nn_op_scale(tape, 0.5F, h));
    sum = add_to(tape, sum, dgmi_nn_op_square(tape, h));
    sum = add_to(tape, sum, dgmi_nn_op_log(tape, dgmi_nn_op_root(tape, positive)));
    sum = add_to(tape, sum, dgmi_nn_op_cross_entropy(tape, h, &labels));
    sum = add_to(tape, sum, dgmi_nn_op_binary_cross_entropy(tape, h, targets));
    return add_to(tape, sum,
                  dgmi_nn_op_squared_error(tape, dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_SUM, h),
                                           rows, 2, targets));
}

static dgmi_nn_node *loss_of_everything(dgmi_nn_tape *tape, everything *data) {
    dgmi_nn_node *x = dgmi_nn_tape_weight(tape, 4, 3, data->x, data->dx);
    dgmi_nn_node *w = dgmi_nn_tape_weight(tape, 3, 3, data->w, data->dw);
    dgmi_nn_node *bias = dgmi_nn_tape_weight(tape, 1, 3, data->bias, data->dbias);
    dgmi_nn_node *slope = dgmi_nn_tape_weight(tape, 1, 1, data->slope, data->dslope);
    dgmi_nn_node *values = dgmi_nn_tape_weight(tape, 5, 1, data->values, data->dvalues);
    dgmi_nn_node *h = dgmi_nn_op_product(tape, x, false, w, true);
    h = dgmi_nn_op_sparse_product(tape, &data->matrix, values, h);
    h = dgmi_nn_op_sparse_product(tape, &data->symmetric, NULL, h);
    h = dgmi_nn_op_apply_over(tape, DGMI_KERNELS_TANH, dgmi_nn_op_bias_over(tape, h, bias));
    h = dgmi_nn_op_bias(tape, h, bias);
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, sum_of_rows_and_maps(tape, h, slope),
                              sum_of_algebra_and_losses(tape, h, bias));
}

/* Tensors large enough for blocks of their own. */
static dgmi_nn_node *with_large_ones(dgmi_nn_tape *tape, dgmi_nn_node *loss) {
    static const float numbers[16] = {1, 2, 3};
    dgmi_nn_node *wide = dgmi_nn_op_softmax(tape, dgmi_nn_tape_constant(tape, 4, 4, numbers));
    for (int k = 0; k < 6; k++)
        wide = dgmi_nn_op_join_rows(tape, 4, (dgmi_nn_node *const[]){wide, wide, wide, wide});
    return add_to(tape, loss, wide);
}

static dgm_status run_everything(dgm_context *context, everything *data) {
    dgmi_nn_tape *tape;
    dgm_status status = dgmi_nn_tape_create(context, &tape);
    for (int step = 0; status == DGM_OK && step < 2; step++) {
        dgmi_nn_tape_rewind(tape);
        dgmi_nn_node *loss = with_large_ones(tape, loss_of_everything(tape, data));
        status = dgmi_nn_tape_backward(tape, loss);
    }
    dgmi_nn_tape_free(tape);
    return status;
}

static const int64_t entry_offsets[] = {0, 2, 3, 3, 5};
static const uint32_t entry_indices[] = {0, 2, 1, 0, 3};
static const int64_t mirror_offsets[] = {0, 1, 2, 3, 4};
static const uint32_t mirror_indices[] = {1, 0, 3, 2};

static void fill_everything(everything *data) {
    const dgmi_table_csr matrix = {4, 4, entry_offsets, entry_indices, NULL};
    const dgmi_table_csr mirror = {4, 4, mirror_offsets, mirror_indices, NULL};
    gradient_seed(0);
    memset(data, 0, sizeof *data);
    float *const parts[] = {data->x, data->w, data->bias, data->slope, data->values};
    static const int64_t counts[] = {12, 12, 3, 1, 5};
    for (int k = 0; k < COUNT(counts); k++)
        memcpy(parts[k], any_numbers(1, counts[k], -1, 1).values,
               (size_t)counts[k] * sizeof(float));
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &data->matrix), DGM_OK);
    assert_int_equal(dgmi_nn_sparse_make(ctx, &mirror, true, &data->symmetric), DGM_OK);
}

static void each_allocation_may_fail(void **state) {
    (void)state;
    everything data;
    fill_everything(&data);
    long long k = 0;
    for (dgm_status status = DGM_ERROR_MEMORY; status != DGM_OK; k++) {
        check_memory memory = {.fail_at = 0};
        const dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *context;
        assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
        dgm_context_set_threads(context, 1); /* the pool's memory may fail without harm */
        memory.fail_at = memory.calls + k + 1;
        status = run_everything(context, &data);
        if (status != DGM_OK)
            assert_int_equal(status, DGM_ERROR_MEMORY);
        dgm_context_free(context);
        assert_int_equal(memory.blocks, 0);
    }
    assert_true(k > 3);
    dgmi_nn_sparse_free(ctx, &data.matrix);
}

/* Lets memory end after `lines` of 64 bytes of the tape's first block; or, in builds for tests, where
 * every tensor has a block of its own, after so many of them. */
static void leave_room(dgmi_nn_tape *tape, int64_t lines, check_memory *memory) {
    assert_non_null(dgmi_nn_tape_memory(tape, 1, 64));
    memory->fail_on = true;
    if (dgmi_nn_tape_bytes(tape) == 64) {
        memory->fail_at = memory->calls + 1 + lines;
        return;
    }
    int64_t rest = dgmi_nn_tape_bytes(tape) / 64 - 1 - lines;
    for (int64_t piece; rest > 0; rest -= piece) {
        piece = rest < 1000 ? rest : 1000;
        assert_non_null(dgmi_nn_tape_memory(tape, piece, 64));
    }
    memory->fail_at = memory->calls + 1;
}

/* Here a block ends, and no other comes, at every place of a step. */
static void memory_may_end_at_any_place_of_a_step(void **state) {
    (void)state;
    everything data;
    fill_everything(&data);
    int64_t lines = 0;
    for (dgm_status status = DGM_ERROR_MEMORY; status != DGM_OK; lines++) {
        check_memory memory = {.fail_at = 0};
        const dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *context;
        dgmi_nn_tape *tape;
        assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
        dgm_context_set_threads(context, 1);
        assert_int_equal(dgmi_nn_tape_create(context, &tape), DGM_OK);
        leave_room(tape, lines, &memory);
        dgmi_nn_node *loss = loss_of_everything(tape, &data);
        assert_true(loss != NULL || dgmi_nn_tape_status(tape) == DGM_ERROR_MEMORY);
        status = dgmi_nn_tape_backward(tape, loss);
        if (status != DGM_OK)
            assert_int_equal(status, DGM_ERROR_MEMORY);
        dgmi_nn_tape_free(tape);
        dgm_context_free(context);
        assert_int_equal(memory.blocks, 0);
    }
    assert_true(lines > 150); /* a node and its values, and lines of both */
    dgmi_nn_sparse_free(ctx, &data.matrix);
}

static void making_a_transpose_may_fail(void **state) {
    (void)state;
    const dgmi_table_csr matrix = {4, 4, entry_offsets, entry_indices, NULL};
    check_memory memory = {.fail_at = 0};
    const dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *context;
    dgmi_nn_sparse sparse;
    assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
    memory.fail_at = memory.calls + 1;
    assert_int_equal(dgmi_nn_sparse_make(context, &matrix, false, &sparse), DGM_ERROR_MEMORY);
    dgmi_nn_sparse_free(context, &sparse);
    dgm_context_free(context);
    assert_int_equal(memory.blocks, 0);
}

/* Products on a million threads take more addresses than there are. */
static void a_tape_that_cannot_be_made_is_none(void **state) {
    (void)state;
    dgm_context *crowded;
    dgmi_nn_tape *known = new_tape(), *tape = known;
    assert_int_equal(dgm_context_create(NULL, &crowded), DGM_OK);
    dgm_context_set_threads(crowded, 1000000);
    assert_int_equal(dgmi_nn_tape_create(crowded, &tape), DGM_ERROR_MEMORY);
    assert_null(tape);
    assert_non_null(strstr(dgm_context_error(crowded), "lower threads"));
    dgm_context_free(crowded);
    dgmi_nn_tape_free(known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_that_cannot_be_made_is_none),
        cmocka_unit_test(a_node_used_three_times_adds_its_gradients),
        cmocka_unit_test(weights_that_the_loss_does_not_need_have_gradient_0),
        cmocka_unit_test(constants_get_no_gradient),
        cmocka_unit_test(a_weight_can_be_the_loss),
        cmocka_unit_test(only_one_number_can_be_differentiated),
        cmocka_unit_test(a_second_backward_pass_starts_anew),
        cmocka_unit_test(after_an_error_every_op_is_null_until_the_tape_is_rewound),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(memory_is_aligned_and_used_again_after_a_rewind),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(memory_may_end_at_any_place_of_a_step),
        cmocka_unit_test(making_a_transpose_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
