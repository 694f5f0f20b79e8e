/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions by distances care neither where points lie nor how large their numbers are, although
 * they search in single precision. */
#include "unit_fixture.h"

#include <math.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_reduce.h"
#include "unit_faults.h"

enum { ROWS = 180, COLUMNS = 4, CLUSTERS = 3 };

/* Row i belongs to cluster i % CLUSTERS, each half as wide as they are apart; then scaled by a
 * power of two and moved. */
static dgm_matrix *make_points(int power, double shift) {
    dgm_matrix *table = build_matrix(ROWS, COLUMNS, NULL);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        int64_t row = i / COLUMNS, column = i % COLUMNS;
        double value = dgmi_random_unit(4, 1, (uint64_t)i) + (row % CLUSTERS == column ? 2 : 0);
        dgm_matrix_values_mutable(table)[i] = ldexp(value, power) + shift;
    }
    return table;
}

static dgm_matrix *map_of(const dgm_matrix *table, const char *method) {
    dgm_points points = dgm_points_of_matrix(table);
    dgm_matrix *map;
    if (dgm_reduce_run(ctx, &points, method, 0, 1, NULL, &map) != DGM_OK)
        fail_msg("%s: %s", method, dgm_context_error(ctx));
    return map;
}

static double distance_in(const dgm_matrix *map, int64_t i, int64_t j) {
    const double *y = dgm_matrix_values(map);
    return hypot(y[2 * i] - y[2 * j], y[2 * i + 1] - y[2 * j + 1]);
}

/* The share of rows whose nearest row is of another cluster. */
static double strangers(const dgm_matrix *map) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t nearest = i == 0;
        for (int64_t j = 0; j < ROWS; j++)
            if (j != i && distance_in(map, i, j) < distance_in(map, i, nearest))
                nearest = j;
        wrong += nearest % CLUSTERS != i % CLUSTERS;
    }
    return (double)wrong / ROWS;
}

static const struct {
    int power;
    double shift;
} places[] = {{0, 0}, {-10, 1e6}, {-1000, 0}, {1000, 0}, {0, 1e12}, {-100, 0}, {100, 0}};

static void clusters_are_found_wherever_they_lie(void **state) {
    (void)state;
    static const char *const methods[] = {"tsne", "umap", "isomap"};
    for (int64_t p = 0; p < COUNT(places); p++)
        for (int64_t m = 0; m < COUNT(methods); m++) {
            dgm_matrix *table = make_points(places[p].power, places[p].shift);
            dgm_matrix *map = map_of(table, methods[m]);
            if (strangers(map) > 0.02)
                fail_msg("%s, times 2^%d plus %g: %g strangers", methods[m], places[p].power,
                         places[p].shift, strangers(map));
            dgm_matrix_free(map);
            dgm_matrix_free(table);
        }
}

/* Isomap's axes are in the unit of the points, and its graph has no chance in it. */
static void isomap_is_the_same_but_for_its_unit(void **state) {
    (void)state;
    dgm_matrix *table = make_points(0, 0), *plain = map_of(table, "isomap");
    dgm_matrix_free(table);
    for (int64_t p = 1; p < COUNT(places); p++) {
        table = make_points(places[p].power, places[p].shift);
        dgm_matrix *map = map_of(table, "isomap");
        double tolerance = places[p].shift > 1e9 ? 1e-3 : 1e-5;
        for (int64_t i = 1; i < ROWS; i++)
            assert_near(ldexp(distance_in(map, 0, i), -places[p].power), distance_in(plain, 0, i),
                        tolerance * distance_in(plain, 0, i) + tolerance);
        dgm_matrix_free(map);
        dgm_matrix_free(table);
    }
    dgm_matrix_free(plain);
}

static void umap_and_tsne_of_a_power_of_two_are_alike(void **state) {
    (void)state;
    static const char *const methods[] = {"tsne", "umap"};
    for (int64_t m = 0; m < COUNT(methods); m++) {
        dgm_matrix *tiny = make_points(-1000, 0), *huge = make_points(1000, 0);
        dgm_matrix *a = map_of(tiny, methods[m]), *b = map_of(huge, methods[m]);
        assert_memory_equal(dgm_matrix_values(a), dgm_matrix_values(b), ROWS * 2 * sizeof(double));
        dgm_matrix_free(a);
        dgm_matrix_free(b);
        dgm_matrix_free(tiny);
        dgm_matrix_free(huge);
    }
}

typedef struct {
    const dgm_matrix *table;
    int64_t iterations;
} placing;

/* Rows of a map that came to rest come to their own cluster when they are placed into it. */
static dgm_status reduce_and_place(dgm_context *own, void *argument) {
    const placing *p = argument;
    dgm_points points = dgm_points_of_matrix(p->table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgm_matrix *map, *placed = NULL;
    options.iterations = p->iterations;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgm_reduce_tsne(own, &points, 2, &options, NULL, &map);
    if (status == DGM_OK)
        status = dgm_tsne_place(own, &points, map, &points, &options, NULL, &placed);
    if (status == DGM_OK && p->iterations >= 300)
        assert_true(strangers(placed) < 0.02);
    dgm_matrix_free(map);
    dgm_matrix_free(placed);
    return status;
}

static void points_far_away_are_placed_and_every_allocation_may_fail(void **state) {
    (void)state;
    dgm_matrix *table = make_points(-10, 1e6);
    assert_int_equal(reduce_and_place(ctx, &(placing){table, 300}), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    fail_each_allocation(reduce_and_place, &(placing){table, 20});
    dgm_matrix_free(table);
}

/* What single precision holds well is not touched; angles are not moved. */
static void ordinary_points_stay_as_they_are(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_matrix *table = make_points(3, 100), *far = make_points(0, 1e6), *made;
    dgm_points points = dgm_points_of_matrix(table), moved = dgm_points_of_matrix(far), rescaled;
    dgmi_reduce_rescaling rescaling;
    assert_int_equal(dgmi_reduce_rescaling_find(ctx, &points, true, &rescaling), DGM_OK);
    assert_int_equal(dgmi_reduce_rescaling_apply(ctx, &rescaling, &points, &rescaled, &made),
                     DGM_OK);
    assert_null(made);
    assert_ptr_equal(rescaled.matrix, table);
    assert_int_equal(dgmi_reduce_rescaling_find(ctx, &moved, false, &rescaling), DGM_OK);
    assert_false(rescaling.moves);
    assert_int_equal(rescaling.power, 0);
    assert_int_equal(dgmi_reduce_rescaling_find(ctx, &moved, true, &rescaling), DGM_OK);
    assert_true(rescaling.moves);
    assert_near(rescaling.middle[0], 1e6 + 1.5, 0.1);
    dgm_matrix_free(far);
    dgm_matrix_free(table);
    dgmi_arena_release(ctx, hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_found_wherever_they_lie),
        cmocka_unit_test(isomap_is_the_same_but_for_its_unit),
        cmocka_unit_test(umap_and_tsne_of_a_power_of_two_are_alike),
        cmocka_unit_test(points_far_away_are_placed_and_every_allocation_may_fail),
        cmocka_unit_test(ordinary_points_stay_as_they_are),
    };
    return RUN_WITH_CONTEXT(tests);
}
