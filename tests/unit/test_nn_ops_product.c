/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_gradient.h"

/* ---- dense ---- */

static dgmi_nn_node *build_product(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    const bool *transposed = argument;
    return dgmi_nn_op_product(tape, leaf[0], transposed[0], leaf[1], transposed[1]);
}

static gradient_case product_case(const bool transposed[2], int64_t rows, int64_t inner,
                                  int64_t columns) {
    return (gradient_case){
        .name = "product",
        .leaves = 2,
        .leaf = {transposed[0] ? any_numbers(inner, rows, -1, 1) : any_numbers(rows, inner, -1, 1),
                 transposed[1] ? any_numbers(columns, inner, -1, 1)
                               : any_numbers(inner, columns, -1, 1)},
        .build = build_product,
        .argument = transposed};
}

static void products_differentiate_in_all_four_orientations(void **state) {
    (void)state;
    FOR_EACH_SEED for (int which = 0; which < 4; which++) {
        const bool transposed[2] = {which & 1, which & 2};
        gradient_case check =
            product_case(transposed, any_size(1, 6), any_size(1, 6), any_size(1, 6));
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static dgmi_nn_node *build_square(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    (void)argument;
    return dgmi_nn_op_product(tape, leaf[0], true, leaf[0], false);
}

static void a_product_with_itself_adds_both_gradients(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"x' x", 1, {any_numbers(5, 3, -1, 1)}, build_square, NULL};
        check_gradient(&check);
    }
}

static void products_that_do_not_fit_are_refused(void **state) {
    (void)state;
    const bool transposed[2] = {false, true};
    gradient_seed(0);
    gradient_case check = product_case(transposed, 3, 4, 5);
    check.leaf[1] = any_numbers(5, 6, -1, 1);
    check_refused(&check, "product: 4 columns meet 6 rows");
}

/* ---- sparse ---- */

typedef struct sparse_argument {
    dgmi_nn_sparse sparse;
    bool own_values;
} sparse_argument;

static dgmi_nn_node *build_sparse(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    const sparse_argument *given = argument;
    return dgmi_nn_op_sparse_product(tape, &given->sparse, given->own_values ? NULL : leaf[1],
                                     leaf[0]);
}

enum { MOST_ENTRIES = 64 };

/* A random pattern, with empty rows and columns now and then. */
typedef struct random_csr {
    int64_t offsets[9];
    uint32_t indices[MOST_ENTRIES];
    float values[MOST_ENTRIES];
    dgmi_table_csr matrix;
} random_csr;

static void any_csr(int64_t rows, int64_t columns, bool with_values, random_csr *out) {
    int64_t entries = 0;
    for (int64_t i = 0; i < rows; i++) {
        out->offsets[i] = entries;
        for (int64_t j = 0; j < columns; j++)
            if (dgmi_random_next(&gradient_random) < 0.4) {
                out->indices[entries] = (uint32_t)j;
                out->values[entries++] = (float)dgmi_random_next(&gradient_random) * 2 - 1;
            }
    }
    out->offsets[rows] = entries;
    out->matrix = (dgmi_table_csr){rows, columns, out->offsets, out->indices,
                                   with_values ? out->values : NULL};
}

static void sparse_products_differentiate_by_x(void **state) {
    (void)state;
    FOR_EACH_SEED for (int with_values = 0; with_values < 2; with_values++) {
        random_csr csr;
        sparse_argument argument = {.own_values = true};
        any_csr(any_size(1, 8), any_size(1, 8), with_values, &csr);
        assert_int_equal(dgmi_nn_sparse_make(ctx, &csr.matrix, false, &argument.sparse), DGM_OK);
        gradient_case check = {"sparse product",
                               1,
                               {any_numbers(csr.matrix.columns, any_size(1, 5), -1, 1)},
                               build_sparse,
                               &argument};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
        dgmi_nn_sparse_free(ctx, &argument.sparse);
    }
}

static void sparse_products_differentiate_by_their_values_too(void **state) {
    (void)state;
    FOR_EACH_SEED {
        random_csr csr;
        sparse_argument argument = {.own_values = false};
        any_csr(any_size(2, 8), any_size(2, 8), false, &csr);
        assert_int_equal(dgmi_nn_sparse_make(ctx, &csr.matrix, false, &argument.sparse), DGM_OK);
        gradient_case check = {"sparse product with values",
                               2,
                               {any_numbers(csr.matrix.columns, any_size(1, 20), -1, 1),
                                any_numbers(dgmi_table_csr_entries(&csr.matrix), 1, -1, 1)},
                               build_sparse,
                               &argument};
        check_gradient(&check);
        dgmi_nn_sparse_free(ctx, &argument.sparse);
    }
}

static void a_symmetric_matrix_is_its_own_transpose(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 2, 5, 6, 8};
    static const uint32_t indices[] = {0, 1, 0, 1, 3, 2, 1, 3};
    static const float values[] = {0.5F, 2, 2, -1, 3, 4, 3, 0.25F};
    const dgmi_table_csr matrix = {4, 4, offsets, indices, values};
    sparse_argument argument = {.own_values = true};
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, true, &argument.sparse), DGM_OK);
    FOR_EACH_SEED {
        gradient_case check = {
            "symmetric product", 1, {any_numbers(4, 3, -1, 1)}, build_sparse, &argument};
        check_gradient(&check);
    }
    dgmi_nn_sparse_free(ctx, &argument.sparse);
}

static void the_transpose_knows_where_its_entries_were(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 2, 2, 5};
    static const uint32_t indices[] = {1, 3, 0, 1, 3};
    static const float values[] = {1, 2, 3, 4, 5};
    const dgmi_table_csr matrix = {3, 4, offsets, indices, values};
    dgmi_nn_sparse sparse;
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &sparse), DGM_OK);
    assert_int_equal(sparse.transpose.rows, 4);
    assert_int_equal(sparse.transpose.columns, 3);
    assert_memory_equal(sparse.transpose.offsets, ((int64_t[]){0, 1, 3, 3, 5}),
                        5 * sizeof(int64_t));
    assert_memory_equal(sparse.transpose.indices, ((uint32_t[]){2, 0, 2, 0, 2}),
                        5 * sizeof(uint32_t));
    assert_memory_equal(sparse.transpose.values, ((float[]){3, 1, 4, 2, 5}), 5 * sizeof(float));
    assert_memory_equal(sparse.positions, ((uint32_t[]){2, 0, 3, 1, 4}), 5 * sizeof(uint32_t));
    dgmi_nn_sparse_free(ctx, &sparse);
}

static void sparse_products_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 1, 2};
    static const uint32_t indices[] = {1, 0};
    const dgmi_table_csr matrix = {2, 2, offsets, indices, NULL};
    sparse_argument plain = {.own_values = true}, mirrored = {.own_values = false};
    gradient_seed(0);
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &plain.sparse), DGM_OK);
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, true, &mirrored.sparse), DGM_OK);
    gradient_case check = {"sparse product", 2, {any_numbers(3, 2, 0, 1)}, build_sparse, &plain};
    check.leaf[1] = any_numbers(2, 1, 0, 1);
    check_refused(&check, "sparse product: 2 columns meet 3 rows");
    check.leaf[0] = any_numbers(2, 2, 0, 1);
    check.argument = &mirrored;
    check_refused(&check, "sparse product: a symmetric matrix keeps its own values");
    plain.own_values = false;
    check.argument = &plain;
    check.leaf[1] = any_numbers(3, 1, 0, 1);
    check_refused(&check, "sparse product: 3 x 1 values for 2 entries");
    check.leaf[1] = any_numbers(2, 2, 0, 1);
    check_refused(&check, "sparse product: 2 x 2 values for 2 entries");
    dgmi_nn_sparse_free(ctx, &plain.sparse);
}

/* ---- bias ---- */

static dgmi_nn_node *build_bias(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                const void *argument) {
    (void)argument;
    return dgmi_nn_op_bias(tape, leaf[0], leaf[1]);
}

static void a_bias_gathers_the_gradient_of_its_column(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t columns = any_size(1, 20);
        gradient_case check = {
            "bias",
            2,
            {any_numbers(any_size(1, 6), columns, -1, 1), any_numbers(1, columns, -1, 1)},
            build_bias,
            NULL};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

static void a_bias_that_does_not_fit_is_refused(void **state) {
    (void)state;
    gradient_seed(0);
    gradient_case check = {
        "bias", 2, {any_numbers(3, 4, 0, 1), any_numbers(1, 3, 0, 1)}, build_bias, NULL};
    check_refused(&check, "bias: 1 x 3 numbers for 4 columns");
    check.leaf[1] = any_numbers(2, 4, 0, 1);
    check_refused(&check, "bias: 2 x 4 numbers for 4 columns");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_differentiate_in_all_four_orientations),
        cmocka_unit_test(a_product_with_itself_adds_both_gradients),
        cmocka_unit_test(products_that_do_not_fit_are_refused),
        cmocka_unit_test(sparse_products_differentiate_by_x),
        cmocka_unit_test(sparse_products_differentiate_by_their_values_too),
        cmocka_unit_test(a_symmetric_matrix_is_its_own_transpose),
        cmocka_unit_test(the_transpose_knows_where_its_entries_were),
        cmocka_unit_test(sparse_products_that_do_not_fit_are_refused),
        cmocka_unit_test(a_bias_gathers_the_gradient_of_its_column),
        cmocka_unit_test(a_bias_that_does_not_fit_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
