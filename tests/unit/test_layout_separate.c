/* SPDX-License-Identifier: Apache-2.0 */
/* Discs apart and pieces side by side, checked pair by pair; radii. */
#include "unit_fixture.h"

#include "layout_sample.h"
#include "unit_faults.h"

typedef struct {
    int64_t marks;
    double *places, *radius;
} discs;

/* In a square of that side; radii from 0.05 to `largest`, few of them large. */
static discs discs_make(int64_t marks, double side, double largest) {
    discs d = {marks, malloc((size_t)(2 * marks) * sizeof(double)),
               malloc((size_t)marks * sizeof(double))};
    assert_true(d.places && d.radius);
    for (int64_t m = 0; m < marks; m++) {
        double u = dgmi_random_unit(4, 2, (uint64_t)m);
        d.places[2 * m] = side * dgmi_random_unit(4, 0, (uint64_t)m);
        d.places[2 * m + 1] = side * dgmi_random_unit(4, 1, (uint64_t)m);
        d.radius[m] = 0.05 + (largest - 0.05) * u * u * u * u * u * u;
    }
    return d;
}

static void discs_free(discs *d) {
    free(d->places);
    free(d->radius);
}

static void assert_apart(const discs *d, double gap) {
    for (int64_t i = 0; i < 2 * d->marks; i++)
        assert_true(isfinite(d->places[i]));
    assert_true(worst_overlap(d->marks, d->places, d->places + 1, 2, d->radius, gap) < 1e-8);
}

static void discs_end_up_apart(void **state) {
    (void)state;
    const double sides[] = {60, 20, 5, 0.01, 0};
    const double gaps[] = {0, 0.1};
    for (int64_t s = 0; s < COUNT(sides); s++)
        for (int64_t g = 0; g < COUNT(gaps); g++) {
            discs d = discs_make(700, sides[s], 0.8);
            assert_int_equal(dgmi_layout_separate(ctx, d.marks, d.radius, gaps[g], d.places, NULL),
                             DGM_OK);
            assert_apart(&d, gaps[g]);
            discs_free(&d);
        }
}

static void discs_on_a_line_and_in_one_place_end_up_apart(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        discs d = discs_make(3000, 10, 0.05);
        for (int64_t m = 0; m < d.marks; m++) {
            d.places[2 * m + 1] = 0;
            d.places[2 * m] = kind == 0 ? d.places[2 * m] : 1e6;
        }
        assert_int_equal(dgmi_layout_separate(ctx, d.marks, d.radius, 0.01, d.places, NULL),
                         DGM_OK);
        assert_apart(&d, 0.01);
        discs_free(&d);
    }
}

static void discs_apart_stay_where_they_are(void **state) {
    (void)state;
    double places[] = {0, 0, 1, 0, 0, 1, 5, 5}, radius[] = {0.4, 0.4, 0.5, 3};
    double before[COUNT(places)];
    memcpy(before, places, sizeof places);
    assert_int_equal(dgmi_layout_separate(ctx, 4, radius, 0.05, places, NULL), DGM_OK);
    assert_memory_equal(before, places, sizeof places);
}

static void the_smaller_of_two_moves_further(void **state) {
    (void)state;
    double places[] = {0, 0, 1, 0, 30, 0}, radius[] = {2, 1, 1};
    assert_int_equal(dgmi_layout_separate(ctx, 3, radius, 0, places, NULL), DGM_OK);
    assert_true(places[0] < 0 && places[2] > 2 && -places[0] < 0.5);
    assert_near(places[2] - places[0], 3, 0.1);
    assert_near(places[4], 30, 0.5);
}

static void few_overlaps_move_little(void **state) {
    (void)state;
    discs d = discs_make(1000, 40, 0.6), before = discs_make(1000, 40, 0.6);
    double moved = 0;
    assert_int_equal(dgmi_layout_separate(ctx, d.marks, d.radius, 0, d.places, NULL), DGM_OK);
    for (int64_t i = 0; i < 2 * d.marks; i++)
        moved += fabs(d.places[i] - before.places[i]) / (double)(2 * d.marks);
    assert_true(moved < 0.2);
    discs_free(&d);
    discs_free(&before);
}

static void crowding_counts_every_overlap(void **state) {
    (void)state;
    discs d = discs_make(800, 12, 0.9);
    int64_t overlaps, slowly = 0;
    double worst, worst_slowly = 1;
    for (int64_t a = 0; a < d.marks; a++)
        for (int64_t b = 0; b < a; b++) {
            double need = d.radius[a] + d.radius[b] + 0.02;
            double far =
                hypot(d.places[2 * a] - d.places[2 * b], d.places[2 * a + 1] - d.places[2 * b + 1]);
            slowly += far < need;
            worst_slowly = fmax(worst_slowly, need / far);
        }
    assert_int_equal(
        dgmi_layout_crowding(ctx, d.marks, d.radius, 0.02, d.places, &overlaps, &worst), DGM_OK);
    assert_int_equal(overlaps, slowly);
    assert_near(worst / worst_slowly, 1, 1e-12);
    discs_free(&d);
}

/* ---- radii ---- */

static void discs_fill_a_tenth_of_the_place(void **state) {
    (void)state;
    const int64_t size[] = {1, 4, 9, 100, 1000000};
    const double powers[] = {0, 0.5, 1};
    double radius[COUNT(size)];
    for (int64_t k = 0; k < COUNT(powers); k++) {
        double area = 0, largest = 0, smallest = INFINITY;
        dgmi_layout_radii(COUNT(size), size, powers[k], radius);
        for (int64_t m = 0; m < COUNT(size); m++) {
            area += 3.14159265358979 * radius[m] * radius[m];
            largest = fmax(largest, radius[m]);
            smallest = fmin(smallest, radius[m]);
        }
        assert_near(area / (double)COUNT(size), 0.1, 1e-9);
        assert_near(smallest / largest, k == 0 ? 1 : 1.0 / 16, 1e-9);
    }
    dgmi_layout_radii(3, size, 1, radius);
    assert_near(radius[1] / radius[0], 2, 1e-12);
    assert_near(radius[2] / radius[0], 3, 1e-12);
    dgmi_layout_radii(2, (const int64_t[]){0, 0}, 1, radius);
    assert_near(radius[0], radius[1], 0);
    assert_true(radius[0] > 0);
}

static dgm_status separate_some(dgm_context *own, void *argument) {
    (void)argument;
    discs d = discs_make(200, 4, 0.5);
    uint32_t piece[200];
    bool held[90];
    for (uint32_t m = 0; m < 200; m++) {
        piece[m] = m % 90;
        held[m % 90] = m % 2;
    }
    dgm_status status = dgmi_layout_separate(own, d.marks, d.radius, 0.1, d.places, NULL);
    if (status == DGM_OK)
        status = dgmi_layout_pack(own, d.marks, piece, 90, NULL, d.radius, 0.1, d.places);
    if (status == DGM_OK)
        status = dgmi_layout_pack(own, d.marks, piece, 90, held, d.radius, 0.1, d.places);
    if (status == DGM_OK)
        status = dgmi_layout_crowding(own, d.marks, d.radius, 0.1, d.places, &(int64_t){0},
                                      &(double){0});
    discs_free(&d);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation(separate_some, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_end_up_apart),
        cmocka_unit_test(discs_on_a_line_and_in_one_place_end_up_apart),
        cmocka_unit_test(discs_apart_stay_where_they_are),
        cmocka_unit_test(the_smaller_of_two_moves_further),
        cmocka_unit_test(few_overlaps_move_little),
        cmocka_unit_test(crowding_counts_every_overlap),
        cmocka_unit_test(discs_fill_a_tenth_of_the_place),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
