/* SPDX-License-Identifier: Apache-2.0 */
/* Every kernel in every variant that this processor runs, against a plain loop in double, for 1, 2
 * and 5 threads. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "linalg_kernels.h"

static const char *const names[] = {"plain", "avx2", "avx512"};
static const int thread_counts[] = {1, 2, 5};

/* The variants of this processor, one after the other. */
#define FOR_EACH_VARIANT(k)                                                                        \
    for (size_t variant = 0; variant < 3; variant++)                                               \
        for (const dgmi_kernels *k = dgmi_kernels_find(names[variant]); k; k = NULL)

static float *make_floats(int64_t count, uint64_t stream) {
    float *values = malloc((size_t)(count + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        double unit = dgmi_random_unit(7, stream, (uint64_t)i);
        values[i] = unit < 0.05 ? 0 : (float)(4 * unit - 2);
    }
    return values;
}

static dgmi_tensor make_tensor(int64_t rows, int64_t columns, uint64_t stream) {
    return (dgmi_tensor){rows, columns, make_floats(rows * columns, stream)};
}

static float *copy_floats(int64_t count, const float *values) {
    float *copy = malloc((size_t)(count + 1) * sizeof *copy);
    assert_non_null(copy);
    if (count > 0)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static void assert_same_bytes(int64_t count, const float *a, const float *b) {
    if (count > 0)
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Within 1e-5 of `expected`, relative to `size`: what was summed, in absolute values. */
static void assert_close(double actual, double expected, double size) {
    assert_near(actual, expected, 1e-5 * size + 1e-30);
}

/* ---- which kernels ---- */

static void the_best_variant_is_found_and_names_find_their_own(void **state) {
    (void)state;
    assert_non_null(dgmi_kernels_find(NULL));
    assert_string_equal(dgmi_kernels_find("plain")->name, "plain");
    assert_null(dgmi_kernels_find("mmx"));
    assert_null(dgmi_kernels_find(""));
    const dgmi_kernels *best = dgmi_kernels_find(NULL);
    FOR_EACH_VARIANT(kernels) {
        assert_string_equal(kernels->name, names[variant]);
        if (variant == 2 || !dgmi_kernels_find(names[variant + 1]))
            assert_ptr_equal(best, kernels);
    }
}

/* ---- sparse rows times a table ---- */

typedef struct {
    dgmi_csr csr;
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

static void check_csr(const dgmi_csr *a, const dgmi_tensor *x, const float *before, bool add,
                      const dgmi_tensor *y) {
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

static void run_csr(const dgmi_csr *a, const dgmi_tensor *x, bool add) {
    dgmi_tensor y = {a->rows, x->columns, NULL};
    int64_t count = dgmi_tensor_count(&y);
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
        dgmi_tensor x = make_tensor(columns, widths[i], (uint64_t)i);
        run_csr(&s.csr, &x, false);
        run_csr(&s.csr, &x, true);
        dgmi_csr ones = s.csr;
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

/* So large that the loop is parallel, and X beyond the near caches. */
static void large_sparse_products_agree_with_a_loop(void **state) {
    (void)state;
    sparse s = make_sparse(9000, 8000, 6, 20000);
    static const int64_t widths[] = {7, 16, 64, 100};
    for (int i = 0; i < COUNT(widths); i++) {
        dgmi_tensor x = make_tensor(8000, widths[i], (uint64_t)i);
        run_csr(&s.csr, &x, i % 2);
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
    const dgmi_csr a = {3, 2, offsets, indices, NULL};
    const dgmi_tensor x = {2, 19, values};
    FOR_EACH_VARIANT(kernels) {
        float results[3 * 19];
        dgmi_tensor y = {3, 19, results};
        kernels->csr_product(ctx, &a, &x, false, &y);
        for (int i = 0; i < 19; i++) {
            assert_true(isinf(results[i]));
            assert_true(results[19 + i] == 0);
            assert_true(results[38 + i] == 3);
        }
    }
}

/* ---- dense products ---- */

static float entry(const dgmi_tensor *t, bool transposed, int64_t i, int64_t j) {
    return transposed ? t->values[j * t->columns + i] : t->values[i * t->columns + j];
}

static void check_product(const dgmi_product *p, int64_t depth, const float *before) {
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

static void run_product(const dgmi_product *given, int64_t depth) {
    int64_t count = dgmi_tensor_count(given->c);
    float *before = make_floats(count, 5);
    FOR_EACH_VARIANT(kernels) {
        float *first = NULL;
        for (int t = 0; t < COUNT(thread_counts); t++) {
            dgm_context_set_threads(ctx, thread_counts[t]);
            dgmi_tensor c = *given->c;
            dgmi_product p = *given;
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
        dgmi_tensor a = make_tensor(ta ? depth : rows, ta ? rows : depth, 1);
        dgmi_tensor b = make_tensor(tb ? columns : depth, tb ? depth : columns, 2);
        dgmi_tensor c = {rows, columns, NULL};
        dgmi_product p = {ta, tb, kind & 4, &a, &b, &c};
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

/* ---- elementwise ---- */

static double map_of(dgmi_map f, double x) {
    switch (f) {
    case DGMI_MAP_RELU:
        return x > 0 ? x : 0;
    case DGMI_MAP_ELU:
        return x > 0 ? x : expm1(x);
    case DGMI_MAP_SIGMOID:
        return 1 / (1 + exp(-x));
    case DGMI_MAP_TANH:
        return tanh(x);
    case DGMI_MAP_EXP:
        return exp(x);
    }
    return NAN;
}

static double slope_of(dgmi_map f, double y) {
    switch (f) {
    case DGMI_MAP_RELU:
        return y > 0;
    case DGMI_MAP_ELU:
        return y > 0 ? 1 : y + 1;
    case DGMI_MAP_SIGMOID:
        return y * (1 - y);
    case DGMI_MAP_TANH:
        return 1 - y * y;
    case DGMI_MAP_EXP:
        return y;
    }
    return NAN;
}

enum { MAPS = DGMI_MAP_EXP + 1 };

/* In units of the last place of `expected`, or of the smallest normal number. */
static void assert_last_places(float x, float actual, double expected, double places) {
    double unit = fmax(fabs(expected), 0x1p-126) * 0x1p-23;
    if (!(fabs(actual - expected) <= places * unit))
        fail_msg("f(%a) is %a, not %a", (double)x, (double)actual, expected);
}

static void maps_are_good_to_a_few_last_places(void **state) {
    (void)state;
    enum { POINTS = 40001 };
    static float x[POINTS], y[POINTS];
    for (int scale = 0; scale < 8; scale++) {
        double width = (const double[]){87.3, 20, 5, 1, 0.1, 1e-3, 1e-10, 1e-36}[scale];
        for (int i = 0; i < POINTS; i++)
            x[i] = (float)(width * (2.0 * i / (POINTS - 1) - 1));
        FOR_EACH_VARIANT(kernels) for (int f = 0; f < MAPS; f++) {
            kernels->map(ctx, (dgmi_map)f, POINTS, x, y);
            for (int i = 0; i < POINTS; i++)
                assert_last_places(x[i], y[i], map_of((dgmi_map)f, x[i]), 3);
        }
    }
}

static void maps_know_infinity_zero_and_not_a_number(void **state) {
    (void)state;
    const float x[] = {INFINITY, -INFINITY, NAN, 0, -0.0F, 3e38F, -3e38F, 1e-40F, 88.73F, -104};
    const float expected[MAPS][10] = {
        {INFINITY, 0, NAN, 0, 0, 3e38F, 0, 1e-40F, 88.73F, 0},
        {INFINITY, -1, NAN, 0, 0, 3e38F, -1, 1e-40F, 88.73F, -1},
        {1, 0, NAN, 0.5F, 0.5F, 1, 0, 0.5F, 1, 0},
        {1, -1, NAN, 0, 0, 1, -1, 1e-40F, 1, -1},
        {INFINITY, 0, NAN, 1, 1, INFINITY, 0, 1, INFINITY, 0},
    };
    FOR_EACH_VARIANT(kernels) for (int f = 0; f < MAPS; f++) {
        float y[37];
        for (int64_t shift = 0; shift <= 27; shift++) { /* in vectors and in what is left of them */
            float all[37] = {0};
            memcpy(all + shift, x, sizeof x);
            kernels->map(ctx, (dgmi_map)f, shift + 10, all, y);
            for (int i = 0; i < 10; i++)
                if (isnan(expected[f][i]))
                    assert_true(isnan(y[shift + i]));
                else if (isinf(expected[f][i]))
                    assert_true(y[shift + i] == expected[f][i]);
                else
                    assert_near(y[shift + i], expected[f][i], 1e-38 + fabs(expected[f][i]) * 1e-6);
        }
    }
}

static const int64_t lengths[] = {0, 1, 3, 15, 16, 17, 63, 100, 16384, 16385, 300001};

static void run_maps(const dgmi_kernels *kernels, int64_t count, dgmi_map f, const float *x) {
    float *y = copy_floats(count, x), *dy = make_floats(count, 8), *into = make_floats(count, 9);
    float *same = copy_floats(count, dy), *added = copy_floats(count, into);
    kernels->map(ctx, f, count, y, y); /* in place */
    kernels->map_backward(ctx, f, count, y, dy, true, added);
    kernels->map_backward(ctx, f, count, y, same, false, same);
    for (int64_t i = 0; i < count; i++) {
        double d = dy[i] * slope_of(f, y[i]);
        assert_last_places(x[i], y[i], map_of(f, x[i]), 3);
        assert_close(same[i], d, fabs((double)dy[i]) * 2);
        assert_close(added[i], into[i] + d, fabs((double)into[i]) + fabs(d) + 1);
    }
    free(y);
    free(dy);
    free(into);
    free(same);
    free(added);
}

static void maps_and_their_slopes_agree_with_a_loop(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(lengths); i++) {
        float *x = make_floats(lengths[i], 7);
        FOR_EACH_VARIANT(kernels) for (int f = 0; f < MAPS; f++) {
            dgm_context_set_threads(ctx, thread_counts[f % 3]);
            run_maps(kernels, lengths[i], (dgmi_map)f, x);
        }
        free(x);
    }
}

static void axpy_agrees_with_a_loop(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(lengths); i++) {
        int64_t count = lengths[i];
        float *x = make_floats(count, 1), *into = make_floats(count, 2);
        FOR_EACH_VARIANT(kernels) for (int add = 0; add < 2; add++) {
            float *y = copy_floats(count, into);
            kernels->axpy(ctx, -0.3F, count, x, add, y);
            for (int64_t j = 0; j < count; j++)
                assert_close(y[j], (add ? into[j] : 0) - 0.3F * (double)x[j], 3);
            free(y);
        }
        free(x);
        free(into);
    }
}

static void a_bias_is_added_to_every_row(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{0, 3}, {3, 0}, {1, 1}, {100, 7}, {9001, 33}, {2, 40000}};
    for (int i = 0; i < COUNT(shapes); i++) {
        dgmi_tensor x = make_tensor(shapes[i][0], shapes[i][1], 3);
        int64_t count = dgmi_tensor_count(&x);
        float *bias = make_floats(x.columns, 4);
        FOR_EACH_VARIANT(kernels) {
            dgmi_tensor y = {x.rows, x.columns, copy_floats(count, x.values)};
            kernels->add_bias(ctx, bias, &y);
            for (int64_t j = 0; j < count; j++)
                assert_true(y.values[j] == x.values[j] + bias[j % x.columns]);
            free(y.values);
        }
        free(x.values);
        free(bias);
    }
}

/* Kingma and Ba, algorithm 1, in double. */
static void adam_agrees_with_the_algorithm_in_double(void **state) {
    (void)state;
    enum { SIZE = 1003, STEPS = 20 };
    FOR_EACH_VARIANT(kernels) for (int decoupled = 0; decoupled < 2; decoupled++) {
        float *weights = make_floats(SIZE, 1), first[SIZE] = {0}, second[SIZE] = {0};
        double exact[SIZE], m[SIZE] = {0}, v[SIZE] = {0};
        for (int i = 0; i < SIZE; i++)
            exact[i] = weights[i];
        dgmi_adam_step step = {.rate = 0.01F, .beta1 = 0.9F, .beta2 = 0.999F, .epsilon = 1e-8F};
        step.decay = decoupled ? 0 : 5e-4F;
        step.shrink = decoupled ? 0.1F : 0;
        for (int t = 1; t <= STEPS; t++) {
            float *gradient = make_floats(SIZE, (uint64_t)(100 + t));
            step.correction1 = (float)(1 - pow(0.9, t));
            step.correction2 = (float)(1 - pow(0.999, t));
            kernels->adam(ctx, &step, SIZE, gradient, weights, first, second);
            for (int i = 0; i < SIZE; i++) {
                exact[i] *= 1 - 0.01 * step.shrink;
                double g = gradient[i] + step.decay * exact[i];
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                exact[i] -=
                    0.01 * (m[i] / (1 - pow(0.9, t))) / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8);
            }
            free(gradient);
        }
        for (int i = 0; i < SIZE; i++)
            assert_near(weights[i], exact[i], 2e-5);
        free(weights);
    }
}

/* ---- sums ---- */

static void column_sums_agree_with_a_loop(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{0, 3},     {3, 0},     {1, 1},     {5, 7},
                                        {2708, 7},  {2708, 16}, {1500, 64}, {1025, 100},
                                        {9001, 33}, {70001, 3}, {3, 1433},  {300, 513}};
    for (int i = 0; i < COUNT(shapes); i++) {
        dgmi_tensor x = make_tensor(shapes[i][0], shapes[i][1], 3);
        float *into = make_floats(x.columns, 4);
        FOR_EACH_VARIANT(kernels) for (int add = 0; add < 2; add++) {
            float *first = NULL;
            for (int t = 0; t < COUNT(thread_counts); t++) {
                dgm_context_set_threads(ctx, thread_counts[t]);
                float *sums = copy_floats(x.columns, into);
                kernels->column_sums(ctx, &x, add, sums);
                if (!first)
                    first = copy_floats(x.columns, sums);
                assert_same_bytes(x.columns, first, sums);
                free(sums);
            }
            for (int64_t c = 0; c < x.columns; c++) {
                double sum = add ? into[c] : 0, size = fabs(sum);
                for (int64_t r = 0; r < x.rows; r++) {
                    sum += x.values[r * x.columns + c];
                    size += fabs((double)x.values[r * x.columns + c]);
                }
                assert_close(first[c], sum, size);
            }
            free(first);
        }
        free(x.values);
        free(into);
    }
}

static void inner_products_are_exact_to_double(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(lengths); i++) {
        int64_t count = lengths[i];
        float *x = make_floats(count, 1), *y = make_floats(count, 2);
        double exact = 0;
        for (int64_t j = 0; j < count; j++)
            exact += (double)x[j] * (double)y[j];
        FOR_EACH_VARIANT(kernels) {
            dgm_context_set_threads(ctx, 1);
            double first = kernels->dot(ctx, count, x, y);
            assert_near(first, exact, 1e-12 * (double)(count + 1));
            for (int t = 0; t < COUNT(thread_counts); t++) {
                dgm_context_set_threads(ctx, thread_counts[t]);
                assert_true(kernels->dot(ctx, count, x, y) == first);
            }
        }
        free(x);
        free(y);
    }
}

/* ---- dropout ---- */

static float *mask(const dgmi_kernels *kernels, float p, uint64_t seed, uint64_t stream,
                   int64_t count) {
    float *ones = malloc((size_t)count * sizeof *ones), *y = malloc((size_t)count * sizeof *y);
    assert_true(ones && y);
    for (int64_t i = 0; i < count; i++)
        ones[i] = 1;
    kernels->dropout(ctx, p, seed, stream, count, ones, false, y);
    free(ones);
    return y;
}

static void every_variant_and_number_of_threads_drops_the_same(void **state) {
    (void)state;
    enum { SIZE = 100001 };
    float *x = make_floats(SIZE, 1), *into = make_floats(SIZE, 2), *drawn = NULL;
    FOR_EACH_VARIANT(kernels) for (int t = 0; t < COUNT(thread_counts); t++) {
        dgm_context_set_threads(ctx, thread_counts[t]);
        float *m = mask(kernels, 0.3F, 11, 12, SIZE);
        if (!drawn)
            drawn = copy_floats(SIZE, m);
        assert_same_bytes(SIZE, drawn, m);
        for (int add = 0; add < 2; add++) {
            float *y = copy_floats(SIZE, into);
            kernels->dropout(ctx, 0.3F, 11, 12, SIZE, x, add, y);
            for (int i = 0; i < SIZE; i++)
                assert_close(y[i], (add ? into[i] : 0) + (double)x[i] * (double)m[i], 4);
            free(y);
        }
        free(m);
    }
    free(drawn);
    free(x);
    free(into);
}

static void dropping_nothing_or_everything_is_exact(void **state) {
    (void)state;
    FOR_EACH_VARIANT(kernels) {
        float x[37], y[37];
        for (int i = 0; i < 37; i++)
            x[i] = i == 3 ? INFINITY : (float)i;
        kernels->dropout(ctx, 0, 1, 2, 37, x, false, y);
        assert_memory_equal(x, y, sizeof x);
        kernels->dropout(ctx, 1, 1, 2, 37, x, false, y);
        for (int i = 0; i < 37; i++)
            assert_true(y[i] == 0);
    }
}

/* The correlation of two masks of chance 1 - p; about +-1 / sqrt(count) by chance. */
static double correlation(float p, int64_t count, const float *a, const float *b) {
    double keep = 1 - (double)p, sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += ((a[i] > 0) - keep) * ((b[i] > 0) - keep);
    return sum / ((double)count * keep * (1 - keep));
}

static void dropout_looks_like_independent_coins(void **state) {
    (void)state;
    enum { SIZE = 1 << 18 };
    const double five = 5 / sqrt(SIZE); /* standard deviations */
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    for (int chance = 0; chance < 3; chance++) {
        float p = (const float[]){0.5F, 0.1F, 0.6F}[chance];
        float *a = mask(kernels, p, 1, 1, SIZE + 64);
        double mean = 0;
        for (int i = 0; i < SIZE; i++)
            mean += a[i];
        assert_near(mean / SIZE, 1, five * sqrt((double)p / (1 - (double)p)));
        for (int lag = 1; lag <= 64; lag++)
            assert_near(correlation(p, SIZE, a, a + lag), 0, five);
        for (uint64_t other = 0; other < 20; other++) {
            float *b = mask(kernels, p, 1, other + 2, SIZE);
            float *c = mask(kernels, p, other + 2, 1, SIZE);
            assert_near(correlation(p, SIZE, a, b), 0, five);
            assert_near(correlation(p, SIZE, a, c), 0, five);
            assert_near(correlation(p, SIZE - 1, b, c + 1), 0, five);
            free(b);
            free(c);
        }
        free(a);
    }
}

/* Counts of kept among 64 in a row have the variance of coins, also along columns of 16. */
static void dropout_varies_as_coins_do(void **state) {
    (void)state;
    enum { GROUPS = 1 << 13 };
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    float *a = mask(kernels, 0.5F, 5, 6, (int64_t)GROUPS * 64);
    for (int along = 0; along < 2; along++) {
        double squares = 0;
        for (int g = 0; g < GROUPS; g++) {
            int64_t start = along ? (int64_t)(g / 16) * 1024 + g % 16 : (int64_t)g * 64;
            int kept = 0;
            for (int64_t i = 0; i < 64; i++)
                kept += a[start + i * (along ? 16 : 1)] > 0;
            squares += (kept - 32.0) * (kept - 32.0);
        }
        assert_near(squares / GROUPS, 16, 16 * 5 * sqrt(2.0 / GROUPS));
    }
    free(a);
}

/* So large that it is written past the caches. */
static void a_product_that_no_cache_holds_is_right_too(void **state) {
    (void)state;
    enum { ROWS = 140000, X_ROWS = 5000, COLUMNS = 64 };
    int64_t *offsets = malloc((ROWS + 1) * sizeof *offsets);
    uint32_t *indices = malloc(2 * ROWS * sizeof *indices);
    float *x = aligned_alloc(64, X_ROWS * COLUMNS * sizeof *x);
    float *y = aligned_alloc(64, (size_t)ROWS * COLUMNS * sizeof *y);
    assert_true(offsets && indices && x && y);
    for (int64_t i = 0; i <= ROWS; i++)
        offsets[i] = 2 * i;
    for (int64_t e = 0; e < 2 * ROWS; e++)
        indices[e] = (uint32_t)(e % 2 * (X_ROWS / 2) + e * 7919 % (X_ROWS / 2));
    for (int64_t i = 0; i < X_ROWS * COLUMNS; i++)
        x[i] = (float)(i % 1021);
    const dgmi_csr a = {ROWS, X_ROWS, offsets, indices, NULL};
    const dgmi_tensor from = {X_ROWS, COLUMNS, x};
    for (int v = 0; v < 3; v++) {
        const dgmi_kernels *kernels = dgmi_kernels_find(names[v]);
        dgmi_tensor to = {ROWS, COLUMNS, y};
        if (!kernels)
            continue;
        kernels->csr_product(ctx, &a, &from, false, &to);
        for (int64_t i = 0; i < ROWS; i += 37)
            for (int64_t j = 0; j < COLUMNS; j++)
                assert_true(y[i * COLUMNS + j] ==
                            x[indices[2 * i] * COLUMNS + j] + x[indices[2 * i + 1] * COLUMNS + j]);
    }
    free(offsets);
    free(indices);
    free(x);
    free(y);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_variant_is_found_and_names_find_their_own),
        cmocka_unit_test(sparse_products_of_every_width_agree_with_a_loop),
        cmocka_unit_test(large_sparse_products_agree_with_a_loop),
        cmocka_unit_test(infinities_stay_with_the_rows_that_have_them),
        cmocka_unit_test(dense_products_of_every_shape_agree_with_a_loop),
        cmocka_unit_test(large_dense_products_agree_with_a_loop),
        cmocka_unit_test(maps_are_good_to_a_few_last_places),
        cmocka_unit_test(maps_know_infinity_zero_and_not_a_number),
        cmocka_unit_test(maps_and_their_slopes_agree_with_a_loop),
        cmocka_unit_test(axpy_agrees_with_a_loop),
        cmocka_unit_test(a_bias_is_added_to_every_row),
        cmocka_unit_test(adam_agrees_with_the_algorithm_in_double),
        cmocka_unit_test(column_sums_agree_with_a_loop),
        cmocka_unit_test(inner_products_are_exact_to_double),
        cmocka_unit_test(every_variant_and_number_of_threads_drops_the_same),
        cmocka_unit_test(dropping_nothing_or_everything_is_exact),
        cmocka_unit_test(dropout_looks_like_independent_coins),
        cmocka_unit_test(dropout_varies_as_coins_do),
        cmocka_unit_test(a_product_that_no_cache_holds_is_right_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
