/* SPDX-License-Identifier: Apache-2.0 */
/* Block Krylov spaces on matrices whose eigenvalues are known: a diagonal d between two
 * reflections, A = H d H, H = 1 - 2 u u'. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "spectral_symmetric.h"
#include "unit_faults.h"

enum { SIZE = 400, MOST = 6 };

typedef struct {
    int64_t size;
    double diagonal[SIZE], unit[SIZE];
    int64_t calls, fail_at; /* 0: never */
} known_matrix;

static known_matrix known;
static double values[MOST], vectors[MOST * SIZE];
static dgmi_spectral_krylov_report report;

static void reflect(const known_matrix *matrix, double *x) {
    double dot = 0;
    for (int64_t i = 0; i < matrix->size; i++)
        dot += matrix->unit[i] * x[i];
    for (int64_t i = 0; i < matrix->size; i++)
        x[i] -= 2 * dot * matrix->unit[i];
}

static dgm_status multiply(void *user, int64_t columns, const double *x, double *y) {
    known_matrix *matrix = user;
    if (++matrix->calls == matrix->fail_at)
        return DGM_ERROR_CANCELLED;
    memcpy(y, x, (size_t)(columns * matrix->size) * sizeof *y);
    for (int64_t c = 0; c < columns; c++) {
        double *to = y + c * matrix->size;
        reflect(matrix, to);
        for (int64_t i = 0; i < matrix->size; i++)
            to[i] *= matrix->diagonal[i];
        reflect(matrix, to);
    }
    return DGM_OK;
}

/* Values are value(i), descending; on the diagonal they lie about. */
static void know(int64_t size, double (*value)(int64_t i)) {
    double square = 0;
    known = (known_matrix){.size = size};
    for (int64_t i = 0; i < size; i++) {
        known.diagonal[i * 11 % size] = value(i);
        known.unit[i] = sin((double)(i + 1));
        square += known.unit[i] * known.unit[i];
    }
    for (int64_t i = 0; i < size; i++)
        known.unit[i] /= sqrt(square);
}

static dgm_status solve(dgm_context *own, const dgmi_spectral_krylov_request *request) {
    return dgmi_spectral_krylov_top(own, known.size, multiply, &known, request, values, vectors,
                                    &report);
}

/* What the report says of the residual is true, and vectors are orthonormal. */
static void assert_eigenpairs(int64_t count, double tolerance) {
    double image[SIZE], worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *x = vectors + i * known.size;
        double square = 0;
        multiply(&known, 1, x, image);
        for (int64_t c = 0; c < known.size; c++)
            square += pow(image[c] - values[i] * x[c], 2);
        worst = fmax(worst, sqrt(square) / values[0]);
        for (int64_t j = 0; j <= i; j++) {
            double dot = 0;
            for (int64_t c = 0; c < known.size; c++)
                dot += x[c] * vectors[j * known.size + c];
            assert_near(dot, i == j, 1e-10);
        }
    }
    assert_near(worst, report.residual, 1e-13);
    assert_true(worst <= tolerance);
}

static double falling(int64_t i) {
    return 5 * pow(0.8, (double)i);
}

static double twins(int64_t i) {
    return i < 6 ? 3 - (double)(i / 3) : 0.01 / (double)i;
}

static double crowded(int64_t i) {
    return 1 - 1e-4 * (double)i;
}

static double flat(int64_t i) {
    return i < 2 ? 2 - (double)i : 0;
}

static void values_that_fall_are_found_in_few_products(void **state) {
    (void)state;
    know(399, falling);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){4, 1e-9, 300, 12, 240, 1}), DGM_OK);
    assert_true(report.converged);
    assert_true(report.products < 15 && report.products == known.calls);
    assert_eigenpairs(4, 1e-9);
    for (int64_t i = 0; i < 4; i++)
        assert_near(values[i], falling(i), 1e-12);
}

static void values_that_repeat_are_found_as_often(void **state) {
    (void)state;
    know(399, twins);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){6, 1e-10, 300, 8, 64, 1}), DGM_OK);
    assert_true(report.converged);
    assert_eigenpairs(6, 1e-10);
    for (int64_t i = 0; i < 6; i++)
        assert_near(values[i], twins(i), 1e-12);
}

/* The space is too small to hold what it takes: its best vectors start again and again. */
static void a_space_that_is_full_starts_again_from_its_best(void **state) {
    (void)state;
    know(399, crowded);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){2, 1e-6, 5000, 6, 30, 1}), DGM_OK);
    assert_true(report.converged);
    assert_true(report.products > 5);
    assert_eigenpairs(2, 1e-6);
    assert_near(values[0], 1, 1e-6);
}

static void what_was_reached_is_taken_and_said(void **state) {
    (void)state;
    know(399, crowded);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){2, 1e-12, 3, 6, 60, 1}), DGM_OK);
    assert_true(!report.converged);
    assert_int_equal(report.products, 3);
    assert_true(report.residual > 1e-12);
    assert_eigenpairs(2, 1);
}

/* Of two values, five are asked for: three are 0, and their vectors do no harm. */
static void ranks_below_what_is_asked_for_end_in_zeros(void **state) {
    (void)state;
    know(399, flat);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){5, 1e-9, 50, 9, 90, 1}), DGM_OK);
    assert_true(report.converged);
    for (int64_t i = 0; i < 5; i++)
        assert_near(values[i], flat(i), 1e-12);
}

/* Blocks wider than the space they live in. */
static void tiny_matrices_are_solved_whole(void **state) {
    (void)state;
    know(3, falling);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){2, 1e-9, 50, 10, 200, 1}), DGM_OK);
    assert_true(report.converged);
    for (int64_t i = 0; i < 2; i++)
        assert_near(values[i], falling(i), 1e-12);
}

static double nothing(int64_t i) {
    (void)i;
    return 0;
}

static void the_zero_matrix_has_zeros(void **state) {
    (void)state;
    know(50, nothing);
    assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){2, 1e-9, 50, 5, 40, 1}), DGM_OK);
    assert_true(report.converged && values[0] == 0 && values[1] == 0);
}

static void seeds_begin_elsewhere_and_end_alike(void **state) {
    (void)state;
    double first[MOST * SIZE];
    know(399, falling);
    const dgmi_spectral_krylov_request request = {3, 1e-11, 300, 9, 180, 1},
                                       other = {3, 1e-11, 300, 9, 180, 2};
    assert_int_equal(solve(ctx, &request), DGM_OK);
    memcpy(first, vectors, sizeof first);
    assert_int_equal(solve(ctx, &request), DGM_OK);
    assert_memory_equal(first, vectors, 3 * 399 * sizeof *vectors);
    assert_int_equal(solve(ctx, &other), DGM_OK);
    assert_memory_not_equal(first, vectors, 3 * 399 * sizeof *vectors);
    for (int64_t i = 0; i < 3 * 399; i++)
        assert_near(fabs(vectors[i]), fabs(first[i]), 1e-8);
}

static void a_product_that_fails_ends_it(void **state) {
    (void)state;
    for (int64_t at = 1; at < 4; at++) {
        know(399, falling);
        known.fail_at = at;
        assert_int_equal(solve(ctx, &(dgmi_spectral_krylov_request){4, 1e-9, 300, 12, 240, 1}),
                         DGM_ERROR_CANCELLED);
        assert_int_equal(known.calls, at);
    }
}

static dgm_status solve_small(dgm_context *own, void *argument) {
    return solve(own, argument);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgmi_spectral_krylov_request request = {2, 1e-9, 20, 5, 20, 1};
    know(60, falling);
    fail_each_allocation(solve_small, &request);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_fall_are_found_in_few_products),
        cmocka_unit_test(values_that_repeat_are_found_as_often),
        cmocka_unit_test(a_space_that_is_full_starts_again_from_its_best),
        cmocka_unit_test(what_was_reached_is_taken_and_said),
        cmocka_unit_test(ranks_below_what_is_asked_for_end_in_zeros),
        cmocka_unit_test(tiny_matrices_are_solved_whole),
        cmocka_unit_test(the_zero_matrix_has_zeros),
        cmocka_unit_test(seeds_begin_elsewhere_and_end_alike),
        cmocka_unit_test(a_product_that_fails_ends_it),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
