/* SPDX-License-Identifier: Apache-2.0 */
/* Products graph by graph: S'X, and S X of a batch of graphs. */
#include "nn_gradient.h"

/* Three blocks, of which the second has no rows. */
static const int64_t starts[] = {0, 2, 2, 5};
static const dgmi_nn_blocks three = {3, starts};

static dgmi_nn_node *build_gather(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    return dgmi_nn_op_block_gather(tape, *(const dgmi_nn_blocks *)argument, leaf[0], leaf[1]);
}

static dgmi_nn_node *build_product(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    return dgmi_nn_op_block_product(tape, *(const dgmi_nn_blocks *)argument, leaf[0], leaf[1]);
}

/* S'S, both of one tensor. */
static dgmi_nn_node *build_square(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    return dgmi_nn_op_block_gather(tape, *(const dgmi_nn_blocks *)argument, leaf[0], leaf[0]);
}

static void each_block_is_multiplied_by_itself(void **state) {
    (void)state;
    float a[] = {1, 2, 3, 4, 1, 0, 0, 1, 1, 1}, b[] = {1, -1, 5, 6, 7};
    /* The block without rows is 0, not what was in memory before. */
    const double gathered[] = {1 - 3, 2 - 4, 0, 0, 5 + 7, 6 + 7};
    gradient_case gather = {"gather", 2, {{5, 2, a}, {5, 1, b}}, build_gather, &three};
    check_values(&gather, 6, 1, gathered);
    float flat[] = {1, 10, 100, 1000, 2, 20};
    const double spread[] = {21, 43, 2, 20, 22};
    gradient_case product = {"product", 2, {{5, 2, a}, {6, 1, flat}}, build_product, &three};
    check_values(&product, 5, 1, spread);
}

static void gradients_are_difference_quotients(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t k = any_size(1, 3), f = any_size(1, 4);
        gradient_case gather = {"gather",
                                2,
                                {any_numbers(5, k, -1, 1), any_numbers(5, f, -1, 1)},
                                build_gather,
                                &three};
        check_gradient(&gather);
        check_nothing_from_nothing(&gather);
        gradient_case product = {"product",
                                 2,
                                 {any_numbers(5, k, -1, 1), any_numbers(3 * k, f, -1, 1)},
                                 build_product,
                                 &three};
        check_gradient(&product);
        check_nothing_from_nothing(&product);
        gradient_case square = {"square", 1, {any_numbers(5, k, -1, 1)}, build_square, &three};
        check_gradient(&square);
    }
}

/* Blocks of many sizes, among them one whose product is large enough to be cut, on any number of
 * threads. */
static void threads_change_nothing(void **state) {
    (void)state;
    enum { BLOCKS = 40 };
    static int64_t offsets[BLOCKS + 1];
    const dgmi_nn_blocks many = {BLOCKS, offsets};
    gradient_seed(0);
    for (int i = 0; i < BLOCKS; i++)
        offsets[i + 1] = offsets[i] + (i == 7 ? 2500 : any_size(0, 40));
    int64_t rows = offsets[BLOCKS];
    gradient_case gather = {"gather",
                            2,
                            {any_numbers(rows, 6, -1, 1), any_numbers(rows, 9, -1, 1)},
                            build_gather,
                            &many};
    check_large_gradient(&gather);
    gradient_case product = {"product",
                             2,
                             {any_numbers(rows, 6, -1, 1), any_numbers(BLOCKS * 6, 9, -1, 1)},
                             build_product,
                             &many};
    check_large_gradient(&product);
}

static void nothing_at_all_is_multiplied_to_nothing(void **state) {
    (void)state;
    const int64_t none = 0;
    const dgmi_nn_blocks blocks = {0, &none};
    float empty[1];
    gradient_case gather = {"gather", 2, {{0, 3, empty}, {0, 2, empty}}, build_gather, &blocks};
    check_values(&gather, 0, 2, NULL);
    gradient_case product = {"product", 2, {{0, 3, empty}, {0, 2, empty}}, build_product, &blocks};
    check_values(&product, 0, 2, NULL);
}

static void rows_that_do_not_fit_are_refused(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case gather = {
        "gather", 2, {any_numbers(5, 2, 0, 1), any_numbers(6, 2, 0, 1)}, build_gather, &three};
    check_refused(&gather, "block product: 5 and 6 rows for 5 and 5");
    gradient_case product = {
        "product", 2, {any_numbers(4, 2, 0, 1), any_numbers(6, 2, 0, 1)}, build_product, &three};
    check_refused(&product, "block product: 4 and 6 rows for 5 and 6");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_block_is_multiplied_by_itself),
        cmocka_unit_test(gradients_are_difference_quotients),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(nothing_at_all_is_multiplied_to_nothing),
        cmocka_unit_test(rows_that_do_not_fit_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
