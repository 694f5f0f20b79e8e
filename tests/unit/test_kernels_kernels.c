/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels there are; elementwise loops and sums in every variant that this processor runs,
 * against a plain loop in double, for 1, 2 and 5 threads. */
#include "../naive_kernels.h"
#include "kernels_sample.h"

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

/* ---- elementwise ---- */

enum { MAPS = DGMI_KERNELS_EXP + 1 };

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
            kernels->apply(ctx, (dgmi_kernels_function)f, POINTS, x, y);
            for (int i = 0; i < POINTS; i++)
                assert_last_places(x[i], y[i], naive_function((dgmi_kernels_function)f, x[i]), 3);
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
            kernels->apply(ctx, (dgmi_kernels_function)f, shift + 10, all, y);
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

static void run_maps(const dgmi_kernels *kernels, int64_t count, dgmi_kernels_function f,
                     const float *x) {
    float *y = copy_floats(count, x), *dy = make_floats(count, 8), *into = make_floats(count, 9);
    float *same = copy_floats(count, dy), *added = copy_floats(count, into);
    kernels->apply(ctx, f, count, y, y); /* in place */
    kernels->apply_backward(ctx, f, count, y, dy, true, added);
    kernels->apply_backward(ctx, f, count, y, same, false, same);
    for (int64_t i = 0; i < count; i++) {
        double d = dy[i] * naive_slope(f, y[i]);
        assert_last_places(x[i], y[i], naive_function(f, x[i]), 3);
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
            run_maps(kernels, lengths[i], (dgmi_kernels_function)f, x);
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
        dgmi_table_tensor x = make_tensor(shapes[i][0], shapes[i][1], 3);
        int64_t count = dgmi_table_tensor_count(&x);
        float *bias = make_floats(x.columns, 4);
        FOR_EACH_VARIANT(kernels) {
            dgmi_table_tensor y = {x.rows, x.columns, copy_floats(count, x.values)};
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
        dgmi_kernels_adam_step step = {
            .rate = 0.01F, .beta1 = 0.9F, .beta2 = 0.999F, .epsilon = 1e-8F};
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

/* Moments that no gradient reaches any more fall to 0 below 1e-35, from either side. */
static void the_smallest_moments_are_nought(void **state) {
    (void)state;
    const dgmi_kernels_adam_step step = {.rate = 0.01F,
                                         .beta1 = 0.5F,
                                         .beta2 = 0.5F,
                                         .epsilon = 1e-8F,
                                         .correction1 = 1,
                                         .correction2 = 1};
    FOR_EACH_VARIANT(kernels) {
        const float none[4] = {0};
        float weights[4] = {1, 1, 1, 1};
        float first[4] = {1.8e-35F, -1.8e-35F, 2.2e-35F, -2.2e-35F};
        float second[4] = {1.8e-35F, 2.2e-35F, 1.8e-35F, 2.2e-35F};
        kernels->adam(ctx, &step, 4, none, weights, first, second);
        assert_true(first[0] == 0 && first[1] == 0 && first[2] == 1.1e-35F &&
                    first[3] == -1.1e-35F);
        assert_true(second[0] == 0 && second[1] == 1.1e-35F && second[2] == 0);
    }
}

/* ---- sums ---- */

static void column_sums_agree_with_a_loop(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{0, 3},     {3, 0},     {1, 1},     {5, 7},
                                        {2708, 7},  {2708, 16}, {1500, 64}, {1025, 100},
                                        {9001, 33}, {70001, 3}, {3, 1433},  {300, 513}};
    for (int i = 0; i < COUNT(shapes); i++) {
        dgmi_table_tensor x = make_tensor(shapes[i][0], shapes[i][1], 3);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_variant_is_found_and_names_find_their_own),
        cmocka_unit_test(maps_are_good_to_a_few_last_places),
        cmocka_unit_test(maps_know_infinity_zero_and_not_a_number),
        cmocka_unit_test(maps_and_their_slopes_agree_with_a_loop),
        cmocka_unit_test(axpy_agrees_with_a_loop),
        cmocka_unit_test(a_bias_is_added_to_every_row),
        cmocka_unit_test(adam_agrees_with_the_algorithm_in_double),
        cmocka_unit_test(the_smallest_moments_are_nought),
        cmocka_unit_test(column_sums_agree_with_a_loop),
        cmocka_unit_test(inner_products_are_exact_to_double),
    };
    return RUN_WITH_CONTEXT(tests);
}
