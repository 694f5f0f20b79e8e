/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products in every variant that this processor runs, against a plain loop in double, for 1,
 * 2 and 5 threads. */
#include "kernels_sample.h"

static float entry(const dgmi_table_tensor *t, bool transposed, int64_t i, int64_t j) {
    return transposed ? t->values[j * t->columns + i] : t->values[i * t->columns + j];
}

static void check_product(const dgmi_kernels_product *p, int64_t depth, const float *before) {
    int64_t step = p->c->rows > 1000 ? 97 : 1;
    for (int64_t i = 0; i < p->c->rows; i += step)
        for (int64_t j = 0; j < p->c->columns; j++) {
            double sum = p->add ? before[i * p->c->columns + j] : 0, size = fabs(sum);
            for (int64_t k = 0; k < depth; k++) {
                double term = (double)entry(p->a, p->transpose_a, i, k) *
                              (double)entry(p->b, p->transpose_b, k, j);
                sum += term;
                size += fabs(term);
            }
            assert_close(p->c->values[i * p->c->columns + j], sum, size);
        }
}

static void run_product(const dgmi_kernels_product *given, int64_t depth) {
    int64_t count = dgmi_table_tensor_count(given->c);
    float *before = make_floats(count, 5);
    FOR_EACH_VARIANT(kernels) {
        float *first = NULL;
        for (int t = 0; t < COUNT(thread_counts); t++) {
            dgm_context_set_threads(ctx, thread_counts[t]);
            dgmi_table_tensor c = *given->c;
            dgmi_kernels_product p = *given;
            p.c = &c;
            c.values = copy_floats(count, before);
            kernels->product(ctx, &p);
            if (!first) {
                check_product(&p, depth, before);
                first = copy_floats(count, c.values);
            }
            assert_same_bytes(count, first, c.values);
            free(c.values);
        }
        free(first);
    }
    free(before);
}

static void run_shape(int64_t rows, int64_t depth, int64_t columns) {
    for (int kind = 0; kind < 8; kind++) {
        bool ta = kind & 1, tb = kind & 2;
        dgmi_table_tensor a = make_tensor(ta ? depth : rows, ta ? rows : depth, 1);
        dgmi_table_tensor b = make_tensor(tb ? columns : depth, tb ? depth : columns, 2);
        dgmi_table_tensor c = {rows, columns, NULL};
        dgmi_kernels_product p = {ta, tb, kind & 4, &a, &b, &c};
        run_product(&p, depth);
        free(a.values);
        free(b.values);
    }
}

static void dense_products_of_every_shape_agree_with_a_loop(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 2, 7, 16, 17, 33};
    for (int i = 0; i < COUNT(sizes); i++)
        for (int j = 0; j < COUNT(sizes); j++)
            for (int k = 0; k < COUNT(sizes); k++)
                run_shape(sizes[i], sizes[j], sizes[k]);
    run_shape(0, 3, 4);
    run_shape(3, 0, 4);
    run_shape(3, 4, 0);
    run_shape(100, 700, 1); /* pieces of a column's sums, */
    run_shape(5000, 3, 1);  /* and a column too long for them */
    run_shape(65, 100, 130);
}

/* Tall, wide, and deep: those whose tiles or sums are cut. */
static void large_dense_products_agree_with_a_loop(void **state) {
    (void)state;
    run_shape(2708, 16, 7);
    run_shape(2708, 7, 16);
    run_shape(1300, 64, 64);
    run_shape(30, 40, 1100);
    run_shape(16, 2708, 7);
    run_shape(33, 20011, 17);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_products_of_every_shape_agree_with_a_loop),
        cmocka_unit_test(large_dense_products_agree_with_a_loop),
    };
    return RUN_WITH_CONTEXT(tests);
}
