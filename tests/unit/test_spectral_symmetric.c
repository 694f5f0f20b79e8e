/* SPDX-License-Identifier: Apache-2.0 */
/* The largest eigenvalues of dense symmetric matrices, against closed forms. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "spectral_symmetric.h"
#include "unit_faults.h"

enum { SIZE = 90 };

/* The path's matrix: 2 on the diagonal, 1 beside it. Its values are 2 + 2 cos(pi i / (n + 1)). What
 * is below the diagonal is never read. */
static double *path_matrix(int64_t size) {
    double *matrix = calloc((size_t)(size * size), sizeof *matrix);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            matrix[i * size + j] = j < i ? NAN : j == i ? 2 : j == i + 1;
    return matrix;
}

static double path_value(int64_t size, int64_t i) {
    return 2 + 2 * cos(acos(-1) * (double)(i + 1) / (double)(size + 1));
}

static void assert_orthonormal(const double *vectors, int64_t count, int64_t size,
                               double tolerance) {
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j <= i; j++) {
            double dot = 0;
            for (int64_t c = 0; c < size; c++)
                dot += vectors[i * size + c] * vectors[j * size + c];
            assert_near(dot, i == j, tolerance);
        }
}

static void the_largest_values_come_first_with_their_vectors(void **state) {
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, SIZE}, counts[] = {1, 2, 3, 7, SIZE};
    for (int64_t s = 0; s < COUNT(sizes); s++)
        for (int64_t c = 0; c < COUNT(counts) && counts[c] <= sizes[s]; c++) {
            int64_t size = sizes[s], count = counts[c];
            double *matrix = path_matrix(size), values[SIZE];
            double *vectors = malloc((size_t)(size * count) * sizeof *vectors);
            assert_int_equal(dgmi_spectral_symmetric_top(ctx, size, matrix, count, values, vectors),
                             DGM_OK);
            assert_orthonormal(vectors, count, size, 1e-12);
            for (int64_t i = 0; i < count; i++) {
                const double *x = vectors + i * size;
                assert_near(values[i], path_value(size, i), 1e-13);
                for (int64_t j = 0; j < size; j++) {
                    double image =
                        2 * x[j] + (j > 0 ? x[j - 1] : 0) + (j + 1 < size ? x[j + 1] : 0);
                    assert_near(image, values[i] * x[j], 1e-12);
                }
            }
            free(matrix);
            free(vectors);
        }
}

static void values_that_repeat_have_vectors_at_right_angles(void **state) {
    (void)state;
    double matrix[25] = {0}, values[4], vectors[20];
    for (int i = 0; i < 5; i++)
        matrix[6 * i] = i == 2 ? -7 : 3;
    assert_int_equal(dgmi_spectral_symmetric_top(ctx, 5, matrix, 4, values, vectors), DGM_OK);
    for (int i = 0; i < 4; i++) {
        assert_near(values[i], 3, 1e-14);
        assert_near(vectors[5 * i + 2], 0, 1e-14);
    }
    assert_orthonormal(vectors, 4, 5, 1e-14);
}

static void nothing_wanted_is_nothing_done(void **state) {
    (void)state;
    double one = 5, value = 8, vector = 9;
    assert_int_equal(dgmi_spectral_symmetric_top(ctx, 0, &one, 0, &value, &vector), DGM_OK);
    assert_int_equal(dgmi_spectral_symmetric_top(ctx, 1, &one, 0, &value, &vector), DGM_OK);
    assert_true(one == 5 && value == 8 && vector == 9);
}

static void what_is_too_large_is_refused_before_memory_is_asked_for(void **state) {
    (void)state;
    double one = 1;
    ASSERT_FAILS(dgmi_spectral_symmetric_top(ctx, 40001, &one, 1, &one, &one), DGM_ERROR_DATA,
                 "a dense matrix of 40001 rows is too large to solve");
}

static dgm_status solve_path(dgm_context *own, void *argument) {
    double *matrix = path_matrix(20), values[3], vectors[60];
    (void)argument;
    dgm_status status = dgmi_spectral_symmetric_top(own, 20, matrix, 3, values, vectors);
    free(matrix);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation(solve_path, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_values_come_first_with_their_vectors),
        cmocka_unit_test(values_that_repeat_have_vectors_at_right_angles),
        cmocka_unit_test(nothing_wanted_is_nothing_done),
        cmocka_unit_test(what_is_too_large_is_refused_before_memory_is_asked_for),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
