/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

/* ---- gather ---- */

typedef struct gather_argument {
    uint32_t rows[16];
    int64_t count;
} gather_argument;

static dgmi_nn_node *build_gather(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    const gather_argument *given = argument;
    return dgmi_nn_op_gather(tape, leaf[0], given->rows, given->count);
}

static void gathered_rows_may_repeat_or_miss(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gather_argument argument = {.count = any_size(1, 16)};
        int64_t rows = any_size(1, 8);
        for (int64_t i = 0; i < argument.count; i++)
            argument.rows[i] = (uint32_t)any_size(0, rows - 1);
        gradient_case check = {
            "gather", 1, {any_numbers(rows, any_size(1, 70), -1, 1)}, build_gather, &argument};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void nothing_can_be_gathered(void **state) {
    (void)state;
    const gather_argument argument = {.count = 0};
    gradient_seed(0);
    gradient_case check = {"gather", 1, {any_numbers(3, 2, -1, 1)}, build_gather, &argument};
    check_gradient(&check);
}

/* ---- permutation ---- */

static const uint32_t permutation[] = {3, 0, 4, 1, 2}, inverse[] = {1, 3, 4, 0, 2};

static dgmi_nn_node *build_permutation(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                       const void *argument) {
    (void)argument;
    return dgmi_nn_op_permute(tape, leaf[0], permutation, inverse);
}

static void a_permutation_takes_the_gradient_back(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {
            "permutation", 1, {any_numbers(5, any_size(1, 7), -1, 1)}, build_permutation, NULL};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static dgmi_nn_node *build_pairs(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    (void)argument;
    return dgmi_nn_op_pair(tape, leaf[0], permutation, inverse);
}

static void pairs_stand_side_by_side_and_give_both_gradients_back(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {
            "pair", 1, {any_numbers(5, any_size(1, 7), -1, 1)}, build_pairs, NULL};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
    dgmi_nn_tape *tape;
    const float x[] = {10, 11, 12, 13, 14}, both[] = {10, 13, 11, 10, 12, 14, 13, 11, 14, 12};
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *leaf = dgmi_nn_tape_constant(tape, 5, 1, x);
    dgmi_nn_node *pairs = build_pairs(tape, &leaf, NULL);
    assert_int_equal(pairs->value.rows, 10);
    assert_memory_equal(pairs->value.values, both, sizeof both);
    dgmi_nn_tape_free(tape);
}

/* ---- segments ---- */

typedef struct segments_argument {
    dgmi_nn_fold fold;
    const int64_t *offsets;
    int64_t segments;
} segments_argument;

static dgmi_nn_node *build_segments(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                    const void *argument) {
    const segments_argument *given = argument;
    return dgmi_nn_op_segments(tape, given->fold, leaf[0], given->offsets, given->segments);
}

static const char *const fold_names[] = {"segment sum", "segment mean", "segment maximum"};

static void segments_fold_empty_ones_too(void **state) {
    (void)state;
    FOR_EACH_SEED for (int fold = 0; fold < 3; fold++) {
        int64_t offsets[7] = {0};
        const segments_argument argument = {(dgmi_nn_fold)fold, offsets, 6};
        for (int s = 0; s < 6; s++)
            offsets[s + 1] = offsets[s] + (s % 3 == 1 ? 0 : any_size(1, 4));
        gradient_case check = {fold_names[fold],
                               1,
                               {make_distinct(offsets[6], any_size(1, 5))},
                               build_segments,
                               &argument};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void without_offsets_all_rows_are_one_segment(void **state) {
    (void)state;
    FOR_EACH_SEED for (int fold = 0; fold < 3; fold++) {
        const segments_argument argument = {(dgmi_nn_fold)fold, NULL, 0};
        gradient_case check = {fold_names[fold],
                               1,
                               {make_distinct(any_size(1, 9), any_size(1, 5))},
                               build_segments,
                               &argument};
        check_gradient(&check);
    }
}

static void segments_are_the_sums_means_and_maxima_of_their_rows(void **state) {
    (void)state;
    float x[] = {1, -2, 3, -8, 5, -4};
    static const int64_t offsets[] = {0, 1, 1, 3};
    segments_argument argument = {DGMI_NN_FOLD_SUM, offsets, 3};
    gradient_case check = {"segments", 1, {{3, 2, x}}, build_segments, &argument};
    check_values(&check, 3, 2, (double[]){1, -2, 0, 0, 8, -12});
    argument.fold = DGMI_NN_FOLD_MEAN;
    check_values(&check, 3, 2, (double[]){1, -2, 0, 0, 4, -6});
    argument.fold = DGMI_NN_FOLD_MAX;
    check_values(&check, 3, 2, (double[]){1, -2, 0, 0, 5, -4});
}

static void of_equal_maxima_the_first_row_gets_the_gradient(void **state) {
    (void)state;
    dgmi_nn_tape *tape;
    float x[] = {1, 7, 7, 7, 3, 7}, gradient[6];
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgmi_nn_node *weight = dgmi_nn_tape_weight(tape, 3, 2, x, gradient);
    dgmi_nn_node *folded = dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MAX, weight, NULL, 0);
    assert_int_equal(dgmi_nn_tape_backward(tape, dgmi_nn_op_sum(tape, folded)), DGM_OK);
    assert_memory_equal(gradient, ((float[]){0, 1, 1, 0, 0, 0}), sizeof gradient);
    dgmi_nn_tape_free(tape);
}

static void many_rows_fold_alike_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    for (int fold = DGMI_NN_FOLD_SUM; fold <= DGMI_NN_FOLD_MEAN; fold++) {
        const segments_argument argument = {(dgmi_nn_fold)fold, NULL, 0};
        gradient_case check = {
            fold_names[fold], 1, {any_numbers(5000, 33, -1, 1)}, build_segments, &argument};
        check_large_gradient(&check);
    }
}

static uint32_t shuffled[3000];

static dgmi_nn_node *build_shuffle(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    (void)argument;
    return dgmi_nn_op_gather(tape, leaf[0], shuffled, COUNT(shuffled));
}

static void many_rows_are_gathered_alike_on_any_number_of_threads(void **state) {
    (void)state;
    gradient_seed(0);
    for (int64_t i = 0; i < COUNT(shuffled); i++)
        shuffled[i] = (uint32_t)any_size(0, 1999);
    gradient_case check = {"gather", 1, {any_numbers(2000, 75, -1, 1)}, build_shuffle, NULL};
    check_large_gradient(&check);
}

static void segments_that_do_not_cover_the_rows_are_refused(void **state) {
    (void)state;
    static const int64_t too_long[] = {0, 2, 4}, late[] = {1, 2, 3};
    segments_argument argument = {DGMI_NN_FOLD_SUM, too_long, 2};
    gradient_seed(0);
    gradient_case check = {"segments", 1, {any_numbers(3, 2, 0, 1)}, build_segments, &argument};
    check_refused(&check, "segments: rows 0 to 4 of 3");
    argument.offsets = late;
    check_refused(&check, "segments: rows 1 to 3 of 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathered_rows_may_repeat_or_miss),
        cmocka_unit_test(nothing_can_be_gathered),
        cmocka_unit_test(a_permutation_takes_the_gradient_back),
        cmocka_unit_test(pairs_stand_side_by_side_and_give_both_gradients_back),
        cmocka_unit_test(segments_fold_empty_ones_too),
        cmocka_unit_test(without_offsets_all_rows_are_one_segment),
        cmocka_unit_test(segments_are_the_sums_means_and_maxima_of_their_rows),
        cmocka_unit_test(of_equal_maxima_the_first_row_gets_the_gradient),
        cmocka_unit_test(many_rows_fold_alike_on_any_number_of_threads),
        cmocka_unit_test(many_rows_are_gathered_alike_on_any_number_of_threads),
        cmocka_unit_test(segments_that_do_not_cover_the_rows_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
