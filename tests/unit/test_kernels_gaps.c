/* SPDX-License-Identifier: Apache-2.0 */
/* Squares of distances, of every instruction set that this processor runs. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "kernels_gaps.h"

static const char *const variants[] = {"plain", "avx2", "avx512"};
enum { POINTS = 32, MOST_DIM = 70 };

static float points[POINTS][MOST_DIM];

static void draw_points(void) {
    for (uint64_t i = 0; i < POINTS; i++)
        for (uint64_t c = 0; c < MOST_DIM; c++)
            points[i][c] = (float)(dgmi_random_unit(3, i, c) - 0.5);
}

static double square_between(int64_t a, int64_t b, int64_t dim) {
    double square = 0;
    for (int64_t c = 0; c < dim; c++)
        square += ((double)points[a][c] - points[b][c]) * ((double)points[a][c] - points[b][c]);
    return square;
}

/* All points against all, the rows from the first on. */
static void measure(const dgmi_kernels_gap_table *kernels, int64_t dim, int64_t rows, float limit,
                    float *squares, uint16_t *below) {
    const float *row[POINTS];
    float limits[POINTS], row_limits[POINTS];
    float *slab = malloc((size_t)(dim * POINTS) * sizeof *slab);
    for (int64_t i = 0; i < POINTS; i++) {
        row[i] = points[i];
        limits[i] = i % 2 ? limit : -1;
        row_limits[i] = i % 3 ? -1 : limit;
    }
    kernels->lay(dim, row, POINTS, slab);
    kernels->gaps(
        &(dgmi_kernels_gaps){dim, rows, POINTS, row, slab, row_limits, limits, squares, below});
    free(slab);
}

static void squares_are_those_of_a_plain_loop(void **state) {
    (void)state;
    draw_points();
    for (int64_t v = 0; v < COUNT(variants); v++) {
        const dgmi_kernels_gap_table *kernels = dgmi_kernels_gap_find(variants[v]);
        for (int64_t dim = 1; kernels && dim <= MOST_DIM; dim += 3) {
            float squares[POINTS * POINTS], limit = (float)dim / 6;
            uint16_t below[POINTS * POINTS / DGMI_KERNELS_GAP_COLUMNS];
            measure(kernels, dim, 31, limit, squares, below);
            for (int64_t i = 0; i < 31 * POINTS; i++) {
                int64_t a = i / POINTS, b = i % POINTS;
                bool limited = a % 3 == 0 || b % 2;
                assert_near(squares[i], square_between(a, b, dim), 1e-5 * (double)dim);
                assert_int_equal(
                    below[i / DGMI_KERNELS_GAP_COLUMNS] >> i % DGMI_KERNELS_GAP_COLUMNS & 1,
                    limited && squares[i] < limit);
            }
        }
    }
}

static void a_pair_has_the_same_bits_wherever_it_is_met(void **state) {
    (void)state;
    draw_points();
    for (int64_t v = 0; v < COUNT(variants); v++) {
        const dgmi_kernels_gap_table *kernels = dgmi_kernels_gap_find(variants[v]);
        float all[POINTS * POINTS], some[POINTS * POINTS];
        uint16_t below[POINTS * POINTS / DGMI_KERNELS_GAP_COLUMNS];
        if (!kernels)
            continue;
        measure(kernels, 51, POINTS, 1, all, below);
        for (int64_t rows = 1; rows < 9; rows++) {
            measure(kernels, 51, rows, 1, some, below);
            assert_memory_equal(some, all, (size_t)(rows * POINTS) * sizeof *all);
        }
        for (int64_t i = 0; i < POINTS * POINTS; i++)
            assert_true(all[i] == all[i % POINTS * POINTS + i / POINTS]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_those_of_a_plain_loop),
        cmocka_unit_test(a_pair_has_the_same_bits_wherever_it_is_met),
    };
    return RUN_WITH_CONTEXT(tests);
}
