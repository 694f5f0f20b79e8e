/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse rows times a table in every variant that this processor runs, against a plain loop in
 * double, for 1, 2 and 5 threads. */
#include "kernels_sample.h"

typedef struct {
    dgmi_table_csr csr;
    int64_t *offsets;
    uint32_t *indices;
    float *values;
} sparse;

/* Rows of 0 to 2 * degree entries, a third of them empty, one with `longest` entries. */
static sparse make_sparse(int64_t rows, int64_t columns, int64_t degree, int64_t longest) {
    sparse s = {.csr = {.rows = rows, .columns = columns}};
    s.offsets = calloc((size_t)rows + 1, sizeof *s.offsets);
    s.indices = malloc((size_t)(rows * 2 * degree + longest + 1) * sizeof *s.indices);
    assert_true(s.offsets && s.indices);
    int64_t entries = 0;
    for (int64_t row = 0; row < rows; row++) {
        uint64_t draw = dgmi_random_bits(3, 0, (uint64_t)row);
        int64_t count = draw % 3 == 0 ? 0 : (int64_t)(draw / 3 % (uint64_t)(2 * degree));
        if (row == rows / 2)
            count = longest;
        if (columns == 0)
            count = 0;
        for (int64_t e = 0; e < count; e++)
            s.indices[entries++] =
                (uint32_t)dgmi_random_below(4, (uint64_t)row, (uint64_t)e, (uint64_t)columns);
        s.offsets[row + 1] = entries;
    }
    s.values = make_floats(entries, 99);
    s.csr.offsets = s.offsets;
    s.csr.indices = s.indices;
    s.csr.values = s.values;
    return s;
}

static void free_sparse(sparse *s) {
    free(s->offsets);
    free(s->indices);
    free(s->values);
}

static void check_csr(const dgmi_table_csr *a, const dgmi_table_tensor *x, const float *before,
                      bool add, const dgmi_table_tensor *y) {
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t c = 0; c < x->columns; c++) {
            double sum = add ? before[row * x->columns + c] : 0, size = fabs(sum);
            for (int64_t e = a->offsets[row]; e < a->offsets[row + 1]; e++) {
                double term = x->values[a->indices[e] * x->columns + c];
                term *= a->values ? a->values[e] : 1;
                sum += term;
                size += fabs(term);
            }
            assert_close(y->values[row * x->columns + c], sum, size);
        }
}

static void run_csr(const dgmi_table_csr *a, const dgmi_table_tensor *x, bool add) {
    dgmi_table_tensor y = {a->rows, x->columns, NULL};
    int64_t count = dgmi_table_tensor_count(&y);
    float *before = make_floats(count, 5);
    FOR_EACH_VARIANT(kernels) {
        float *first = NULL;
        for (int t = 0; t < COUNT(thread_counts); t++) {
            dgm_context_set_threads(ctx, thread_counts[t]);
            y.values = copy_floats(count, before);
            kernels->csr_product(ctx, a, x, add, &y);
            if (!first) {
                check_csr(a, x, before, add, &y);
                first = copy_floats(count, y.values);
            }
            assert_same_bytes(count, first, y.values);
            free(y.values);
        }
        free(first);
    }
    free(before);
}

static void run_csr_widths(int64_t rows, int64_t columns, int64_t degree, int64_t longest,
                           int64_t widest) {
    static const int64_t widths[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,   15,  16,  17,
                                     31, 33, 48, 63, 64, 65, 79, 96, 100, 129, 200, 512};
    sparse s = make_sparse(rows, columns, degree, longest);
    for (int i = 0; i < COUNT(widths) && widths[i] <= widest; i++) {
        dgmi_table_tensor x = make_tensor(columns, widths[i], (uint64_t)i);
        run_csr(&s.csr, &x, false);
        run_csr(&s.csr, &x, true);
        dgmi_table_csr ones = s.csr;
        ones.values = NULL;
        run_csr(&ones, &x, i % 2);
        free(x.values);
    }
    free_sparse(&s);
}

static void sparse_products_of_every_width_agree_with_a_loop(void **state) {
    (void)state;
    run_csr_widths(61, 40, 5, 200, 512);
    run_csr_widths(1, 1, 1, 3, 512);
    run_csr_widths(5, 0, 1, 0, 65);
    run_csr_widths(0, 5, 1, 0, 65);
}

/* X beyond the near caches, whose rows are asked for ahead: some columns of many rows. */
static void rows_from_far_away_agree_with_a_loop_at_every_width(void **state) {
    (void)state;
    for (int64_t width = 1; width <= 68; width += width < 20 ? 1 : 6) {
        int64_t columns = 200000 / (width < 64 ? width : 64) + 1;
        sparse s = make_sparse(41, columns, 5, 150);
        dgmi_table_tensor x = make_tensor(columns, width, (uint64_t)width);
        dgmi_table_csr ones = s.csr;
        ones.values = NULL;
        for (int add = 0; add < 2; add++) {
            run_csr(&s.csr, &x, add);
            run_csr(&ones, &x, add);
        }
        free(x.values);
        free_sparse(&s);
    }
}

/* So large that the loop is parallel, and X beyond the near caches. */
static void large_sparse_products_agree_with_a_loop(void **state) {
    (void)state;
    sparse s = make_sparse(9000, 8000, 6, 20000);
    static const int64_t widths[] = {7, 16, 64, 100};
    for (int i = 0; i < COUNT(widths); i++) {
        dgmi_table_tensor x = make_tensor(8000, widths[i], (uint64_t)i);
        run_csr(&s.csr, &x, false);
        run_csr(&s.csr, &x, true);
        free(x.values);
    }
    free_sparse(&s);
}

/* Nothing of a row that is not a neighbour's comes in, whatever it holds. */
static void infinities_stay_with_the_rows_that_have_them(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 1, 2};
    const uint32_t indices[] = {0, 1};
    float values[2 * 19];
    for (int i = 0; i < 19; i++) {
        values[i] = INFINITY;
        values[19 + i] = 3;
    }
    const dgmi_table_csr a = {3, 2, offsets, indices, NULL};
    const dgmi_table_tensor x = {2, 19, values};
    FOR_EACH_VARIANT(kernels) {
        float results[3 * 19];
        dgmi_table_tensor y = {3, 19, results};
        kernels->csr_product(ctx, &a, &x, false, &y);
        for (int i = 0; i < 19; i++) {
            assert_true(isinf(results[i]));
            assert_true(results[19 + i] == 0);
            assert_true(results[38 + i] == 3);
        }
    }
}

/* Two entries a row, in `columns` columns; every row is looked at where lines are shared by rows.
 */
static void check_large_result(int64_t columns, int64_t every) {
    enum { ROWS = 140000, X_ROWS = 5000 };
    int64_t *offsets = malloc((ROWS + 1) * sizeof *offsets);
    uint32_t *indices = malloc(2 * ROWS * sizeof *indices);
    dgmi_table_tensor x = {X_ROWS, columns, aligned_alloc(64, X_ROWS * 64 * sizeof(float))};
    dgmi_table_tensor y = {ROWS, columns, aligned_alloc(64, (size_t)ROWS * 64 * sizeof(float))};
    assert_true(columns <= 64 && offsets && indices && x.values && y.values);
    for (int64_t i = 0; i <= ROWS; i++)
        offsets[i] = 2 * i;
    for (int64_t e = 0; e < 2 * ROWS; e++)
        indices[e] = (uint32_t)(e % 2 * (X_ROWS / 2) + e * 7919 % (X_ROWS / 2));
    for (int64_t i = 0; i < X_ROWS * columns; i++)
        x.values[i] = (float)(i % 1021);
    const dgmi_table_csr a = {ROWS, X_ROWS, offsets, indices, NULL};
    FOR_EACH_VARIANT(kernels) {
        memset(y.values, 0, (size_t)ROWS * 64 * sizeof(float));
        kernels->csr_product(ctx, &a, &x, false, &y);
        for (int64_t i = 0; i < ROWS; i += every) {
            const float *one = x.values + indices[2 * i] * columns;
            const float *other = x.values + indices[2 * i + 1] * columns;
            for (int64_t j = 0; j < columns; j++)
                assert_true(y.values[i * columns + j] == one[j] + other[j]);
        }
        for (int64_t i = ROWS * columns; i < ROWS * 64; i++)
            assert_true(y.values[i] == 0); /* nothing behind the last row */
    }
    free(offsets);
    free(indices);
    free(x.values);
    free(y.values);
}

/* So large that it is written past the caches. */
static void a_product_that_no_cache_holds_is_right_too(void **state) {
    (void)state;
    check_large_result(64, 37);
    check_large_result(61, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_products_of_every_width_agree_with_a_loop),
        cmocka_unit_test(rows_from_far_away_agree_with_a_loop_at_every_width),
        cmocka_unit_test(large_sparse_products_agree_with_a_loop),
        cmocka_unit_test(infinities_stay_with_the_rows_that_have_them),
        cmocka_unit_test(a_product_that_no_cache_holds_is_right_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
