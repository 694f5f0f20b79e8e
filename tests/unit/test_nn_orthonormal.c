/* SPDX-License-Identifier: Apache-2.0 */
/* Columns become orthonormal and span what they spanned. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "nn_orthonormal.h"
#include "unit_faults.h"

enum { COLUMNS = DGMI_NN_ORTHONORMAL };

static float *random_table(int64_t rows, int stream) {
    check_random random = check_random_case(check_random_seed(), stream, (int)rows);
    float *table = malloc((size_t)(rows * COLUMNS + 1) * sizeof *table);
    for (int64_t i = 0; i < rows * COLUMNS; i++)
        table[i] = (float)(check_random_unit(&random) - 0.3);
    return table;
}

static double product(const float *table, int64_t rows, int i, int j) {
    double sum = 0;
    for (int64_t u = 0; u < rows; u++)
        sum += (double)table[u * COLUMNS + i] * table[u * COLUMNS + j];
    return sum;
}

/* Gram and Schmidt, column after column, in double precision; true: the column depends on others. */
static bool next_column(double *q, int64_t rows, int column) {
    double before = 0, length = 0;
    for (int64_t u = 0; u < rows; u++)
        before += q[u * COLUMNS + column] * q[u * COLUMNS + column];
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < column; j++) {
            double sum = 0;
            for (int64_t u = 0; u < rows; u++)
                sum += q[u * COLUMNS + column] * q[u * COLUMNS + j];
            for (int64_t u = 0; u < rows; u++)
                q[u * COLUMNS + column] -= sum * q[u * COLUMNS + j];
        }
    for (int64_t u = 0; u < rows; u++)
        length += q[u * COLUMNS + column] * q[u * COLUMNS + column];
    bool depends = length <= 1e-10 * before;
    for (int64_t u = 0; u < rows; u++)
        q[u * COLUMNS + column] = depends ? 0 : q[u * COLUMNS + column] / sqrt(length);
    return depends;
}

static void check_table(int64_t rows, float *table) {
    double *naive = malloc((size_t)(rows * COLUMNS) * sizeof *naive);
    bool none[COLUMNS];
    for (int64_t i = 0; i < rows * COLUMNS; i++)
        naive[i] = table[i];
    for (int i = 0; i < COLUMNS; i++)
        none[i] = next_column(naive, rows, i);
    assert_int_equal(dgmi_nn_orthonormalise(ctx, rows, table), DGM_OK);
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j <= i; j++)
            assert_near(product(table, rows, i, j), i == j && !none[i], 1e-4);
    for (int64_t i = 0; i < rows * COLUMNS; i++)
        assert_near(table[i], naive[i], 1e-3);
    free(naive);
}

static void columns_are_those_of_gram_and_schmidt(void **state) {
    (void)state;
    static const int64_t rows[] = {200, 1500, 3000};
    for (int64_t i = 0; i < COUNT(rows); i++) {
        float *table = random_table(rows[i], 1);
        check_table(rows[i], table);
        free(table);
    }
}

/* A sum of two others, a copy, and a column of zeros have no length left. */
static void columns_that_depend_on_others_become_zero(void **state) {
    (void)state;
    enum { ROWS = 300 };
    float *table = random_table(ROWS, 2);
    for (int64_t u = 0; u < ROWS; u++) {
        float *row = table + u * COLUMNS;
        row[5] = row[1] + row[3];
        row[9] = row[0];
        row[20] = 0;
    }
    check_table(ROWS, table);
    for (int64_t u = 0; u < ROWS; u++)
        assert_true(table[u * COLUMNS + 5] == 0 && table[u * COLUMNS + 9] == 0 &&
                    table[u * COLUMNS + 20] == 0);
    free(table);
}

/* Of a few rows only so many columns can be orthonormal. */
static void few_rows_have_few_columns(void **state) {
    (void)state;
    float one[COLUMNS], zeros[3 * COLUMNS] = {0};
    for (int j = 0; j < COLUMNS; j++)
        one[j] = j == 0 ? 0 : (float)-j;
    assert_int_equal(dgmi_nn_orthonormalise(ctx, 1, one), DGM_OK);
    for (int j = 0; j < COLUMNS; j++)
        assert_near(one[j], j == 1 ? -1 : 0, 0);
    assert_int_equal(dgmi_nn_orthonormalise(ctx, 3, zeros), DGM_OK);
    for (int j = 0; j < 3 * COLUMNS; j++)
        assert_near(zeros[j], 0, 0);
    assert_int_equal(dgmi_nn_orthonormalise(ctx, 0, NULL), DGM_OK);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    enum { ROWS = 5000 };
    float *one = random_table(ROWS, 3), *four = random_table(ROWS, 3);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_nn_orthonormalise(ctx, ROWS, one), DGM_OK);
    dgm_context_set_threads(ctx, 4);
    assert_int_equal(dgmi_nn_orthonormalise(ctx, ROWS, four), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(one, four, ROWS * COLUMNS * sizeof *one);
    free(one);
    free(four);
}

static dgm_status orthonormalise_once(dgm_context *own, void *argument) {
    return dgmi_nn_orthonormalise(own, 70, argument);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    float *table = random_table(70, 4);
    fail_each_allocation(orthonormalise_once, table);
    free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_of_gram_and_schmidt),
        cmocka_unit_test(columns_that_depend_on_others_become_zero),
        cmocka_unit_test(few_rows_have_few_columns),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
