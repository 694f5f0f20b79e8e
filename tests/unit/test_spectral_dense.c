/* SPDX-License-Identifier: Apache-2.0 */
/* The dense symmetric eigenproblem: closed forms, and residuals where there are none. */
#include "unit_fixture.h"

#include <math.h>

#include "base_random.h"
#include "spectral_dense.h"

enum { MOST = 60 };

static double matrix[MOST * MOST], values[MOST], vectors[MOST * MOST], space[MOST];

static double norm_of(int64_t size) {
    double sum = 0;
    for (int64_t i = 0; i < size * size; i++)
        sum += matrix[i] * matrix[i];
    return sqrt(sum);
}

/* A x = lambda x, x'y = 0, x'x = 1, values ascending. */
static void assert_solved(int64_t size) {
    double tolerance = 1e-14 * (double)size * fmax(norm_of(size), 1e-300);
    for (int64_t i = 0; i < size; i++) {
        const double *x = vectors + i * size;
        for (int64_t row = 0; row < size; row++) {
            double sum = 0;
            for (int64_t c = 0; c < size; c++)
                sum += matrix[row * size + c] * x[c];
            assert_near(sum, values[i] * x[row], tolerance);
        }
        for (int64_t j = 0; j <= i; j++) {
            double dot = 0;
            for (int64_t c = 0; c < size; c++)
                dot += x[c] * vectors[j * size + c];
            assert_near(dot, i == j, 1e-13 * (double)size);
        }
        assert_true(i == 0 || values[i - 1] <= values[i]);
    }
}

static void symmetric_matrices_of_random_numbers_are_solved(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        int64_t size = 1 + (int64_t)seed % MOST;
        double scale = pow(10, (double)(seed % 7) * 40 - 120);
        for (int64_t i = 0; i < size; i++)
            for (int64_t j = 0; j <= i; j++)
                matrix[i * size + j] = matrix[j * size + i] =
                    scale * (dgmi_random_unit(seed, (uint64_t)i, (uint64_t)j) - 0.5);
        assert_true(dgmi_spectral_dense_eigen(size, matrix, values, vectors, space));
        assert_solved(size);
    }
}

/* 2 - 2 cos(pi k / n) */
static void the_laplacian_of_a_path_has_its_closed_form(void **state) {
    (void)state;
    int64_t n = 50;
    memset(matrix, 0, sizeof matrix);
    for (int64_t i = 0; i + 1 < n; i++) {
        matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
        matrix[i * n + i] += 1;
        matrix[(i + 1) * n + i + 1] += 1;
    }
    assert_true(dgmi_spectral_dense_eigen(n, matrix, values, vectors, space));
    assert_solved(n);
    for (int64_t k = 0; k < n; k++)
        assert_near(values[k], 2 - 2 * cos(acos(-1) * (double)k / (double)n), 1e-14);
}

static void diagonals_zeros_and_repeats_are_solved(void **state) {
    (void)state;
    int64_t n = 12;
    memset(matrix, 0, sizeof matrix);
    assert_true(dgmi_spectral_dense_eigen(n, matrix, values, vectors, space));
    assert_solved(n);
    for (int64_t i = 0; i < n; i++)
        matrix[i * n + i] = (double)((i * 5) % n / 3);
    assert_true(dgmi_spectral_dense_eigen(n, matrix, values, vectors, space));
    assert_solved(n);
    for (int64_t i = 0; i < n; i++)
        assert_near(values[i], (double)(i / 3), 0);
    for (int64_t i = 0; i < n * n; i++) /* of rank one: n once, 0 else */
        matrix[i] = 1;
    assert_true(dgmi_spectral_dense_eigen(n, matrix, values, vectors, space));
    assert_solved(n);
    assert_near(values[n - 1], 12, 1e-13);
    assert_near(values[n - 2], 0, 1e-13);
}

static void only_the_lower_triangle_is_read(void **state) {
    (void)state;
    const double given[] = {2, NAN, 1, 2};
    assert_true(dgmi_spectral_dense_eigen(2, given, values, vectors, space));
    assert_near(values[0], 1, 1e-15);
    assert_near(values[1], 3, 1e-15);
}

static void what_has_no_finite_eigenvalues_is_refused(void **state) {
    (void)state;
    for (int64_t i = 0; i < 25; i++)
        matrix[i] = 1;
    for (int i = 0; i < 5; i++) { /* on the diagonal or below it, alone in its column or not */
        static const double flaws[] = {NAN, INFINITY, -INFINITY};
        for (int flaw = 0; flaw < 3; flaw++) {
            double kept = matrix[5 * i];
            matrix[5 * i] = flaws[flaw];
            assert_false(dgmi_spectral_dense_eigen(5, matrix, values, vectors, space));
            matrix[5 * i] = kept;
        }
    }
    assert_true(dgmi_spectral_dense_eigen(5, matrix, values, vectors, space));
    static const double empty_but_one[] = {1, 0, 0, 0, 1, 0, NAN, 0, 1};
    assert_false(dgmi_spectral_dense_eigen(3, empty_but_one, values, vectors, space));
    static const double too_large[] = {1.7e308, 0, 1.7e308, 1.7e308}; /* 0 and twice that */
    assert_false(dgmi_spectral_dense_eigen(2, too_large, values, vectors, space));
    assert_true(dgmi_spectral_dense_eigen(0, matrix, values, vectors, space));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetric_matrices_of_random_numbers_are_solved),
        cmocka_unit_test(the_laplacian_of_a_path_has_its_closed_form),
        cmocka_unit_test(diagonals_zeros_and_repeats_are_solved),
        cmocka_unit_test(only_the_lower_triangle_is_read),
        cmocka_unit_test(what_has_no_finite_eigenvalues_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
