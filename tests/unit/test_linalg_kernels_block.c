/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for blocks of a dense layer, in every variant, against a plain loop in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "linalg_kernels.h"

enum { PANEL = DGMI_BLOCK_PANEL };
static const char *const names[] = {"plain", "avx2", "avx512"};

#define FOR_EACH_VARIANT(k)                                                                        \
    for (size_t variant = 0; variant < 3; variant++)                                               \
        for (const dgmi_kernels *k = dgmi_kernels_find(names[variant]); k; k = NULL)

static float *make_floats(int64_t count, uint64_t stream) {
    float *values = malloc((size_t)(count + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(4 * dgmi_random_unit(7, stream, (uint64_t)i) - 2);
    return values;
}

/* ---- the product ---- */

static void check_tile(const dgmi_kernels *kernels, dgmi_tile t) {
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
    float *a = make_floats(MOST * (MOST + GAP), 1), *b = make_floats(MOST * (2 * PANEL + GAP), 2);
    FOR_EACH_VARIANT(kernels) {
        for (int64_t rows = 0; rows <= MOST; rows++)
            for (int64_t depth = 0; depth <= MOST; depth += 4)
                for (int kind = 0; kind < 12; kind++) {
                    bool turned = kind & 1;
                    check_tile(kernels, (dgmi_tile){.rows = rows,
                                                    .depth = depth,
                                                    .columns = kind >= 8  ? PANEL + PANEL / 2
                                                               : kind & 2 ? 2 * PANEL
                                                                          : PANEL,
                                                    .a = a,
                                                    .a_row = turned ? 1 : MOST + GAP,
                                                    .a_step = turned ? MOST + GAP : 1,
                                                    .b = b,
                                                    .b_stride = 2 * PANEL + GAP,
                                                    .c_stride = 2 * PANEL + GAP,
                                                    .add = kind & 4});
                }
    }
    free(a);
    free(b);
}

/* ---- passes ---- */

static int64_t place(int64_t rows, int64_t i, int64_t j) {
    return (j / PANEL * rows + i) * PANEL + j % PANEL;
}

static double elu(double x) {
    return x > 0 ? x : expm1(x);
}

typedef struct setting {
    int64_t rows, columns;
    float *before, *over_columns, *more, *over_rows, *sums, *scores;
    dgmi_block block;
} setting;

static setting make_setting(int64_t rows, int64_t panels) {
    setting s = {.rows = rows, .columns = panels * PANEL};
    s.before = make_floats(rows * s.columns, 4);
    s.block = (dgmi_block){rows, panels, make_floats(rows * s.columns, 4)};
    s.over_columns = make_floats(s.columns, 5);
    s.more = make_floats(s.columns, 6);
    s.over_rows = make_floats(rows, 7);
    s.sums = make_floats(s.columns, 8);
    s.scores = make_floats(rows, 9);
    return s;
}

static void free_setting(setting *s) {
    float *const all[] = {s->before,    s->over_columns, s->more,  s->block.y,
                          s->over_rows, s->sums,         s->scores};
    for (int k = 0; k < COUNT(all); k++)
        free(all[k]);
}

static void check_sum(const setting *s, int64_t j, double added) {
    float *start = make_floats(s->columns, 8);
    assert_near((double)s->sums[j], (double)start[j] + added, 1e-5 * (double)(s->rows + 1));
    free(start);
}

static void check_elu(const dgmi_kernels *kernels, setting *s) {
    kernels->block_elu(&s->block, s->over_columns, s->sums);
    for (int64_t j = 0; j < s->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < s->rows; i++) {
            double y = elu((double)(s->before[place(s->rows, i, j)] + s->over_columns[j]));
            assert_near((double)s->block.y[place(s->rows, i, j)], y, 4e-7 * fmax(1, y));
            sum += y;
        }
        check_sum(s, j, sum);
    }
}

/* Slopes as they come, in the place of Y's numbers. */
static void check_elu_backward(const dgmi_kernels *kernels, setting *s) {
    float *slopes = make_floats(s->rows * s->columns, 10);
    float *given = make_floats(s->rows * s->columns, 10);
    kernels->block_elu_backward(&s->block, slopes, s->sums);
    for (int64_t j = 0; j < s->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < s->rows; i++) {
            double y = (double)s->before[place(s->rows, i, j)];
            double dz = (double)given[place(s->rows, i, j)] * (y > 0 ? 1 : y + 1);
            assert_near((double)slopes[place(s->rows, i, j)], dz, 1e-5);
            sum += dz;
        }
        check_sum(s, j, sum);
    }
    free(slopes);
    free(given);
}

static void check_scores(const dgmi_kernels *kernels, setting *s) {
    kernels->block_scores(&s->block, s->over_columns, s->scores);
    for (int64_t i = 0; i < s->rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < s->columns; j++)
            sum += (double)s->block.y[place(s->rows, i, j)] * (double)s->over_columns[j];
        assert_near((double)s->scores[i], sum, 1e-6 * (double)s->columns);
    }
}

static void check_sums(const dgmi_kernels *kernels, setting *s) {
    kernels->block_sums(&s->block, s->over_rows, s->sums);
    for (int64_t j = 0; j < s->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < s->rows; i++)
            sum += (double)s->block.y[place(s->rows, i, j)] * (double)s->over_rows[i];
        check_sum(s, j, sum);
    }
}

static void check_backward(const dgmi_kernels *kernels, setting *s, bool more) {
    kernels->block_backward(&s->block, s->over_rows, s->over_columns, more ? s->more : NULL,
                            s->sums);
    for (int64_t j = 0; j < s->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < s->rows; i++) {
            double y = (double)s->before[place(s->rows, i, j)];
            double dz = (double)s->over_rows[i] * (double)s->over_columns[j] +
                        (more ? (double)s->more[j] : 0);
            dz *= y > 0 ? 1 : y + 1;
            assert_near((double)s->block.y[place(s->rows, i, j)], dz, 1e-5);
            sum += dz;
        }
        check_sum(s, j, sum);
    }
}

static void passes_over_blocks_agree_with_a_loop(void **state) {
    (void)state;
    static const int64_t rows[] = {0, 1, 7, 96};
    FOR_EACH_VARIANT(kernels) {
        for (int r = 0; r < COUNT(rows); r++)
            for (int64_t panels = 1; panels <= 3; panels++)
                for (int pass = 0; pass < 6; pass++) {
                    setting s = make_setting(rows[r], panels);
                    if (pass == 0)
                        check_elu(kernels, &s);
                    else if (pass == 1)
                        check_scores(kernels, &s);
                    else if (pass == 2)
                        check_sums(kernels, &s);
                    else if (pass == 5)
                        check_elu_backward(kernels, &s);
                    else
                        check_backward(kernels, &s, pass == 4);
                    free_setting(&s);
                }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_every_number_of_rows_agree_with_a_loop),
        cmocka_unit_test(passes_over_blocks_agree_with_a_loop),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
