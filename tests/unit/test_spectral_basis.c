/* SPDX-License-Identifier: Apache-2.0 */
/* Long columns against plain loops. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "spectral_basis.h"

enum { ROWS = 10007, COLUMNS = 7 };

static dgmi_spectral_basis basis, images;
static double *x;

static void draw(uint64_t stream, int64_t count, double *out) {
    for (int64_t i = 0; i < count; i++)
        out[i] = dgmi_random_unit(1, stream, (uint64_t)i) - 0.5;
}

static int make_columns(void **state) {
    (void)state;
    if (make_context(state) || dgmi_spectral_basis_create(ctx, ROWS, COLUMNS, &basis) != DGM_OK ||
        dgmi_spectral_basis_create(ctx, ROWS, COLUMNS, &images) != DGM_OK)
        return 1;
    x = dgmi_scratch(ctx, ROWS, sizeof *x);
    return x == NULL;
}

static int draw_columns(void **state) {
    (void)state;
    draw(0, (int64_t)ROWS * COLUMNS, basis.values);
    draw(1, (int64_t)ROWS * COLUMNS, images.values);
    draw(2, ROWS, x);
    return 0;
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int64_t i = 0; i < ROWS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void dots_are_sums_of_products(void **state) {
    (void)state;
    double dots[COLUMNS];
    assert_near(dgmi_spectral_basis_dots(ctx, &basis, COLUMNS, x, dots), dot(x, x), 1e-10);
    for (int64_t c = 0; c < COLUMNS; c++)
        assert_near(dots[c], dot(dgmi_spectral_basis_column(&basis, c), x), 1e-10);
}

static void subtracting_leaves_what_the_loop_leaves(void **state) {
    (void)state;
    const double weights[] = {1, -2, 0.5, 0, 3, 1e-3, -1};
    double dots[COLUMNS], *expected = malloc(ROWS * sizeof *expected);
    for (int64_t i = 0; i < ROWS; i++) {
        expected[i] = x[i];
        for (int64_t c = 0; c < COLUMNS; c++)
            expected[i] -= weights[c] * dgmi_spectral_basis_column(&basis, c)[i];
        expected[i] *= 2;
    }
    double square = dgmi_spectral_basis_subtract(ctx, &basis, COLUMNS, weights, 2, x, dots);
    for (int64_t i = 0; i < ROWS; i++)
        assert_near(x[i], expected[i], 1e-14);
    assert_near(square, dot(expected, expected), 1e-9);
    for (int64_t c = 0; c < COLUMNS; c++)
        assert_near(dots[c], dot(dgmi_spectral_basis_column(&basis, c), expected), 1e-9);
    free(expected);
}

static void a_residual_is_image_less_value_times_vector(void **state) {
    (void)state;
    const double weights[] = {1, -2, 0.5};
    double square = dgmi_spectral_basis_residual(ctx, &basis, &images, 3, weights, 0.7, x), sum = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        double expected = 0;
        for (int64_t c = 0; c < 3; c++)
            expected += weights[c] * (dgmi_spectral_basis_column(&images, c)[i] -
                                      0.7 * dgmi_spectral_basis_column(&basis, c)[i]);
        assert_near(x[i], expected, 1e-14);
        sum += expected * expected;
    }
    assert_near(square, sum, 1e-9);
}

static void combining_replaces_columns_in_place(void **state) {
    (void)state;
    const double weights[] = {1, 2, 0, -1, 0, 0, 0.5, 0.5}; /* two combinations of four columns */
    double *before = malloc(sizeof *before * ROWS * COLUMNS);
    memcpy(before, basis.values, sizeof *before * ROWS * COLUMNS);
    dgmi_spectral_basis_combine(ctx, &basis, 1, 4, weights, 2);
    for (int64_t i = 0; i < ROWS; i++) {
        const double *old = before + i;
        assert_true(basis.values[i] == old[0]);
        assert_near(basis.values[ROWS + i], old[ROWS] + 2 * old[2 * ROWS] - old[4 * ROWS], 1e-14);
        assert_near(basis.values[2 * ROWS + i], (old[3 * ROWS] + old[4 * ROWS]) / 2, 1e-14);
        assert_true(basis.values[5 * ROWS + i] == old[5 * ROWS]);
    }
    dgmi_spectral_basis_scale(ctx, ROWS, -3, x);
    assert_near(x[ROWS - 1], -3 * (dgmi_random_unit(1, 2, ROWS - 1) - 0.5), 1e-15);
    free(before);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    double one[COLUMNS], four[COLUMNS], weights[COLUMNS] = {1, 2, 3};
    dgm_context_set_threads(ctx, 1);
    dgmi_spectral_basis_dots(ctx, &basis, COLUMNS, x, one);
    double square = dgmi_spectral_basis_residual(ctx, &basis, &images, 3, weights, 0.1, x);
    draw_columns(state);
    dgm_context_set_threads(ctx, 4);
    dgmi_spectral_basis_dots(ctx, &basis, COLUMNS, x, four);
    assert_memory_equal(one, four, sizeof one);
    assert_true(square == dgmi_spectral_basis_residual(ctx, &basis, &images, 3, weights, 0.1, x));
    dgm_context_set_threads(ctx, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(dots_are_sums_of_products, draw_columns),
        cmocka_unit_test_setup(subtracting_leaves_what_the_loop_leaves, draw_columns),
        cmocka_unit_test_setup(a_residual_is_image_less_value_times_vector, draw_columns),
        cmocka_unit_test_setup(combining_replaces_columns_in_place, draw_columns),
        cmocka_unit_test_setup(threads_do_not_change_a_bit, draw_columns),
    };
    return RUN_GROUP(tests, make_columns, free_context);
}
