/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for blocks of a dense layer, in every variant, against a plain loop in double. */
#include "kernels_sample.h"

enum { SLAB = DGMI_KERNELS_BLOCK_SLAB };

/* ---- the product ---- */

static void check_tile(const dgmi_kernels *kernels, dgmi_kernels_tile t) {
    float *before = make_floats(t.rows * t.c_stride, 3);
    t.c = make_floats(t.rows * t.c_stride, 3);
    kernels->tile_product(&t);
    for (int64_t i = 0; i < t.rows; i++)
        for (int64_t j = 0; j < t.c_stride; j++) {
            double sum = t.add || j >= t.columns ? (double)before[i * t.c_stride + j] : 0;
            double size = fabs(sum);
            for (int64_t k = 0; j < t.columns && k < t.depth; k++) {
                double term =
                    (double)t.a[i * t.a_row + k * t.a_step] * (double)t.b[k * t.b_stride + j];
                sum += term;
                size += fabs(term);
            }
            assert_near((double)t.c[i * t.c_stride + j], sum, 1e-6 * size);
        }
    free(before);
    free(t.c);
}

static void products_of_every_number_of_rows_agree_with_a_loop(void **state) {
    (void)state;
    enum { MOST = 20, GAP = 5 };
    float *a = make_floats(MOST * (MOST + GAP), 1), *b = make_floats(MOST * (2 * SLAB + GAP), 2);
    FOR_EACH_VARIANT(kernels) {
        for (int64_t rows = 0; rows <= MOST; rows++)
            for (int64_t depth = 0; depth <= MOST; depth += 4)
                for (int kind = 0; kind < 12; kind++) {
                    bool turned = kind & 1;
                    check_tile(kernels, (dgmi_kernels_tile){.rows = rows,
                                                            .depth = depth,
                                                            .columns = kind >= 8  ? SLAB + SLAB / 2
                                                                       : kind & 2 ? 2 * SLAB
                                                                                  : SLAB,
                                                            .a = a,
                                                            .a_row = turned ? 1 : MOST + GAP,
                                                            .a_step = turned ? MOST + GAP : 1,
                                                            .b = b,
                                                            .b_stride = 2 * SLAB + GAP,
                                                            .c_stride = 2 * SLAB + GAP,
                                                            .add = kind & 4});
                }
    }
    free(a);
    free(b);
}

/* ---- passes ---- */

static double elu(double x) {
    return x > 0 ? x : expm1(x);
}

static void check_elu(const dgmi_kernels *kernels, int64_t rows) {
    float *before = make_floats(rows * SLAB, 4), *y = make_floats(rows * SLAB, 4);
    float *bias = make_floats(SLAB, 5);
    kernels->block_elu(rows, bias, y);
    for (int64_t i = 0; i < rows * SLAB; i++) {
        double wanted = elu((double)(before[i] + bias[i % SLAB]));
        assert_near((double)y[i], wanted, 4e-7 * fmax(1, wanted));
    }
    free(before);
    free(y);
    free(bias);
}

static void check_elu_backward(const dgmi_kernels *kernels, int64_t rows) {
    float *y = make_floats(rows * SLAB, 4), *slopes = make_floats(rows * SLAB, 6);
    float *given = make_floats(rows * SLAB, 6);
    float *sums = make_floats(SLAB, 7), *start = make_floats(SLAB, 7);
    kernels->block_elu_backward(rows, y, slopes, sums);
    for (int64_t j = 0; j < SLAB; j++) {
        double sum = (double)start[j];
        for (int64_t i = j; i < rows * SLAB; i += SLAB) {
            double dz = (double)given[i] * (y[i] > 0 ? 1 : (double)y[i] + 1);
            assert_near((double)slopes[i], dz, 1e-5);
            sum += dz;
        }
        assert_near((double)sums[j], sum, 1e-5 * (double)(rows + 1));
    }
    float *const all[] = {y, slopes, given, sums, start};
    for (int k = 0; k < COUNT(all); k++)
        free(all[k]);
}

static void passes_over_blocks_agree_with_a_loop(void **state) {
    (void)state;
    static const int64_t rows[] = {0, 1, 7, 96};
    FOR_EACH_VARIANT(kernels) {
        for (int r = 0; r < COUNT(rows); r++) {
            check_elu(kernels, rows[r]);
            check_elu_backward(kernels, rows[r]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_every_number_of_rows_agree_with_a_loop),
        cmocka_unit_test(passes_over_blocks_agree_with_a_loop),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
