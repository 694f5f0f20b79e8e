/* SPDX-License-Identifier: Apache-2.0 */
/* Laplacians times vectors, by hand. */
#include "spectral_graphs.h"

/* A triangle 0 1 2 of weights 1, 2, 4 and node 3 hanging from 0 by 8. */
static known_graph small(bool normalised) {
    const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 0, 3};
    const double weights[] = {1, 2, 4, 8};
    return take_graph(build_graph(NULL, 0, 4, ends, weights), normalised);
}

static void the_plain_laplacian_sums_weighted_differences(void **state) {
    (void)state;
    known_graph known = small(false);
    const double x[] = {1, -1, 3, 0};
    double y[4], space[4];
    dgmi_spectral_laplacian_product(ctx, &known.laplacian, x, y, space);
    assert_near(y[0], 1 * 2 + 4 * -2 + 8 * 1, 0);
    assert_near(y[1], 1 * -2 + 2 * -4, 0);
    assert_near(y[2], 2 * 4 + 4 * 2, 0);
    assert_near(y[3], -8, 0);
    free_graph(&known);
}

static void the_normalised_one_divides_by_roots_on_both_sides(void **state) {
    (void)state;
    known_graph known = small(true);
    const double x[] = {0, 1, 0, 0}; /* column 1: -w / sqrt(d d), 1 on the diagonal */
    double y[4], space[4];
    dgmi_spectral_laplacian_product(ctx, &known.laplacian, x, y, space);
    assert_near(y[0], -1 / sqrt(13 * 3), 1e-15);
    assert_near(y[1], 1, 1e-15);
    assert_near(y[2], -2 / sqrt(3 * 6), 1e-15);
    assert_near(y[3], 0, 0);
    free_graph(&known);
}

static void constants_go_to_zero_exactly(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_BA, 9000, false);
    double *x = malloc(9000 * sizeof *x), *y = malloc(9000 * sizeof *y);
    for (int i = 0; i < 9000; i++)
        x[i] = 0.1;
    dgmi_spectral_laplacian_product(ctx, &known.laplacian, x, y, NULL);
    for (int i = 0; i < 9000; i++)
        assert_true(y[i] == 0);
    free(x);
    free(y);
    free_graph(&known);
}

static void the_diagonal_bounds_the_eigenvalues(void **state) {
    (void)state;
    double diagonal[4];
    known_graph plain = small(false), normalised = small(true);
    assert_near(dgmi_spectral_laplacian_diagonal(ctx, &plain.laplacian, diagonal), 26, 0);
    assert_near(diagonal[1], 3, 0);
    assert_near(dgmi_spectral_laplacian_diagonal(ctx, &normalised.laplacian, diagonal), 2, 1e-15);
    assert_near(diagonal[3], 1, 1e-15);
    free_graph(&plain);
    free_graph(&normalised);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_laplacian_sums_weighted_differences),
        cmocka_unit_test(the_normalised_one_divides_by_roots_on_both_sides),
        cmocka_unit_test(constants_go_to_zero_exactly),
        cmocka_unit_test(the_diagonal_bounds_the_eigenvalues),
    };
    return RUN_WITH_CONTEXT(tests);
}
