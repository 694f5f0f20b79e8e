/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

static dgmi_nn_node *build_columns(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    return dgmi_nn_op_join_columns(tape, *(const int *)argument, leaf);
}

static dgmi_nn_node *build_rows(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                const void *argument) {
    return dgmi_nn_op_join_rows(tape, *(const int *)argument, leaf);
}

static void joined_parts_get_their_share_of_the_gradient(void **state) {
    (void)state;
    FOR_EACH_SEED for (int parts = 1; parts <= DGMI_NN_MOST_INPUTS; parts++) {
        gradient_case columns = {
            .name = "join columns", .leaves = parts, .build = build_columns, .argument = &parts};
        gradient_case rows = {
            .name = "join rows", .leaves = parts, .build = build_rows, .argument = &parts};
        int64_t common = any_size(1, 5);
        for (int k = 0; k < parts; k++) {
            columns.leaf[k] = any_numbers(common, any_size(1, 4), -1, 1);
            rows.leaf[k] = any_numbers(any_size(1, 4), common, -1, 1);
        }
        check_gradient(&columns);
        check_nothing_from_nothing(&columns);
        check_gradient(&rows);
        check_nothing_from_nothing(&rows);
    }
}

static void many_rows_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    static const int two = 2;
    gradient_seed(0);
    gradient_case columns = {"join columns",
                             2,
                             {any_numbers(4000, 9, -1, 1), any_numbers(4000, 20, -1, 1)},
                             build_columns,
                             &two};
    gradient_case rows = {"join rows",
                          2,
                          {any_numbers(3000, 30, -1, 1), any_numbers(2000, 30, -1, 1)},
                          build_rows,
                          &two};
    check_large_gradient(&columns);
    check_large_gradient(&rows);
}

static void parts_stand_in_order(void **state) {
    (void)state;
    static const int two = 2;
    float a[] = {1, 2, 3, 4}, b[] = {5, 6};
    gradient_case check = {"join columns", 2, {{2, 2, a}, {2, 1, b}}, build_columns, &two};
    check_values(&check, 2, 3, (double[]){1, 2, 5, 3, 4, 6});
    check.leaf[1] = (dgmi_table_tensor){1, 2, b};
    check.build = build_rows;
    check_values(&check, 3, 2, (double[]){1, 2, 3, 4, 5, 6});
}

static dgmi_nn_node *build_twice(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    (void)argument;
    return dgmi_nn_op_join_columns(tape, 2, (dgmi_nn_node *const[]){leaf[0], leaf[0]});
}

static void a_part_that_stands_twice_gets_both_gradients(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"join columns", 1, {any_numbers(3, 2, -1, 1)}, build_twice, NULL};
        check_gradient(&check);
    }
}

static void parts_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const int two = 2;
    gradient_seed(0);
    gradient_case check = {
        "join", 2, {any_numbers(3, 2, 0, 1), any_numbers(2, 3, 0, 1)}, build_columns, &two};
    check_refused(&check, "join columns: 2 rows beside 3");
    check.build = build_rows;
    check_refused(&check, "join rows: 3 columns below 2");
}

static void there_is_a_part_and_there_are_not_too_many(void **state) {
    (void)state;
    static const int counts[] = {0, DGMI_NN_MOST_INPUTS + 1};
    gradient_case check = {.name = "join"};
    for (int c = 0; c < COUNT(counts); c++) {
        char words[2][80];
        for (int k = 0; k < 2; k++)
            snprintf(words[k], sizeof words[k], "join %s: %d parts, but 1 to %d can be joined",
                     k ? "rows" : "columns", counts[c], DGMI_NN_MOST_INPUTS);
        check.argument = &counts[c];
        check.build = build_columns;
        check_refused(&check, words[0]);
        check.build = build_rows;
        check_refused(&check, words[1]);
    }
}

/* A leaf's memory is not the tape's to take, so a scaled copy of it is put in other rows; it is
 * used a second time, so that two gradients meet. */
static dgmi_nn_node *build_reshaped(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                    const void *argument) {
    const int64_t *shape = argument;
    dgmi_nn_node *copy = leaf[0] ? dgmi_nn_op_scale(tape, 2, leaf[0]) : NULL;
    dgmi_nn_node *other = dgmi_nn_op_reshape(tape, copy, shape[0], shape[1]);
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, dgmi_nn_op_apply(tape, DGMI_KERNELS_TANH, other),
                              other);
}

static void another_shape_has_the_same_numbers_and_gradients(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{6, 4}, {3, 8}, {24, 1}, {1, 24}};
    FOR_EACH_SEED {
        for (int c = 0; c < COUNT(shapes); c++) {
            gradient_case check = {
                "reshape", 1, {any_numbers(6, 4, -1, 1)}, build_reshaped, shapes[c]};
            check_gradient(&check);
            check_nothing_from_nothing(&check);
        }
    }
}

static void a_shape_of_another_size_is_refused(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{5, 4}, {-6, -4}, {INT64_MAX, 24}};
    gradient_seed(0);
    gradient_case check = {"reshape", 1, {any_numbers(6, 4, -1, 1)}, build_reshaped, shapes[0]};
    check_refused(&check, "reshape: 6 x 4 numbers do not become 5 x 4");
    check.argument = shapes[1];
    check_refused(&check, "reshape: 6 x 4 numbers do not become -6 x -4");
    check.argument = shapes[2];
    check_refused(&check, "reshape: 6 x 4 numbers do not become 9223372036854775807 x 24");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_parts_get_their_share_of_the_gradient),
        cmocka_unit_test(many_rows_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(parts_stand_in_order),
        cmocka_unit_test(a_part_that_stands_twice_gets_both_gradients),
        cmocka_unit_test(parts_that_do_not_fit_are_refused),
        cmocka_unit_test(there_is_a_part_and_there_are_not_too_many),
        cmocka_unit_test(another_shape_has_the_same_numbers_and_gradients),
        cmocka_unit_test(a_shape_of_another_size_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
