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

/* ---- drawings that are much wider than their discs ---- */

/* Thin strips, upright and lying, so long that cells of the search stand for several places: the
 * large disc reaches beyond the strip on both sides, and yet meets each of its neighbours once. */
static void a_disc_wider_than_its_strip_meets_each_neighbour_once(void **state) {
    (void)state;
    enum { MARKS = 100, NEAR = 30 };
    for (int lying = 0; lying < 2; lying++) {
        double places[2 * MARKS], radius[MARKS], worst, worst_slowly = 1;
        int64_t overlaps, slowly = 0;
        for (int m = 0; m < MARKS; m++) {
            double across = 5 * dgmi_random_unit(9, 0, (uint64_t)m);
            double along = m < NEAR ? 4990 + 20 * dgmi_random_unit(9, 1, (uint64_t)m)
                                    : 10000 * dgmi_random_unit(9, 1, (uint64_t)m);
            radius[m] = m == 0 ? 10 : 0.01;
            places[2 * m + !lying] = m == 0 ? 5000 : along;
            places[2 * m + lying] = m == 0 ? 2.5 : across;
        }
        for (int a = 0; a < MARKS; a++)
            for (int b = 0; b < a; b++) {
                double need = radius[a] + radius[b];
                double far =
                    hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1]);
                slowly += far < need;
                worst_slowly = fmax(worst_slowly, need / far);
            }
        assert_true(slowly > NEAR / 2);
        assert_int_equal(dgmi_layout_crowding(ctx, MARKS, radius, 0, places, &overlaps, &worst),
                         DGM_OK);
        assert_int_equal(overlaps, slowly);
        assert_near(worst / worst_slowly, 1, 1e-12);
        assert_int_equal(dgmi_layout_separate(ctx, MARKS, radius, 0, places, NULL), DGM_OK);
        assert_true(worst_overlap(MARKS, places, places + 1, 2, radius, 0) < 1e-8);
    }
}

/* So far from each other that no disc could be seen: drawn together, in proportion. */
static void what_is_too_far_apart_is_drawn_together(void **state) {
    (void)state;
    double places[] = {0, 0, 2, 0, 1e12, 5e11, 4e11, 1e12}, radius[] = {1, 1, 1, 1};
    assert_int_equal(dgmi_layout_separate(ctx, 4, radius, 0.5, places, NULL), DGM_OK);
    assert_true(worst_overlap(4, places, places + 1, 2, radius, 0.5) < 1e-8);
    double wide = places[4] - places[0], high = places[7] - places[1];
    assert_true(wide > 1e6 && wide < 1e8);
    assert_near(high / wide, 1, 1e-3);
    assert_near((places[5] - places[1]) / wide, 0.5, 1e-3);
}

static void discs_without_size_need_the_gap_alone(void **state) {
    (void)state;
    double places[] = {1, 1, 1, 1, 7, 7}, before[6], radius[] = {0, 0, 0}, worst;
    int64_t overlaps;
    memcpy(before, places, sizeof places);
    assert_int_equal(dgmi_layout_separate(ctx, 3, radius, 0, places, NULL), DGM_OK);
    assert_memory_equal(before, places, sizeof places);
    assert_int_equal(dgmi_layout_crowding(ctx, 3, radius, 0, places, &overlaps, &worst), DGM_OK);
    assert_true(overlaps == 0 && worst == 1);
    assert_int_equal(dgmi_layout_separate(ctx, 3, radius, 0.5, places, NULL), DGM_OK);
    assert_true(worst_overlap(3, places, places + 1, 2, radius, 0.5) < 1e-8);
    /* neither is larger: both go as far */
    assert_near(places[0] - 1, 1 - places[2], 0.05);
    assert_near(places[1] - 1, 1 - places[3], 0.05);
}

static void one_disc_has_nothing_to_overlap(void **state) {
    (void)state;
    double places[] = {3, 4}, radius[] = {2}, worst = 0;
    int64_t overlaps = 7;
    for (int64_t marks = 0; marks < 2; marks++) {
        assert_int_equal(dgmi_layout_separate(ctx, marks, radius, 1, places, NULL), DGM_OK);
        assert_int_equal(dgmi_layout_crowding(ctx, marks, radius, 1, places, &overlaps, &worst),
                         DGM_OK);
        assert_true(overlaps == 0 && worst == 1);
    }
    assert_true(places[0] == 3 && places[1] == 4);
}

/* ---- pieces ---- */

/* Everywhere above the long piece the page is as large; the nearest place is over its middle. */
static void of_equal_places_a_piece_takes_the_nearest(void **state) {
    (void)state;
    enum { LONG = 9 };
    double places[2 * LONG + 2], radius[LONG + 1];
    uint32_t piece[LONG + 1];
    for (int m = 0; m <= LONG; m++) {
        places[2 * m] = m < LONG ? m : 50;
        places[2 * m + 1] = m < LONG ? 0 : 70;
        radius[m] = 0.4;
        piece[m] = m == LONG;
    }
    assert_int_equal(dgmi_layout_pack(ctx, LONG + 1, piece, 2, NULL, radius, 0.1, places), DGM_OK);
    assert_near(places[2 * LONG], places[2 * (LONG / 2)], 1e-6);
    assert_near(fabs(places[2 * LONG + 1] - places[1]), 0.4 + 0.15 + 0.05 + 0.4, 1e-6);
}

/* An upright piece over the middle of a long one would be nearer, but the page would grow more. */
static void a_piece_stands_where_the_page_grows_least(void **state) {
    (void)state;
    enum { LONG = 9, HIGH = 4, MARKS = LONG + HIGH };
    double places[2 * MARKS], radius[MARKS];
    uint32_t piece[MARKS];
    for (int m = 0; m < MARKS; m++) {
        places[2 * m] = m < LONG ? m : 50;
        places[2 * m + 1] = m < LONG ? 0 : m;
        radius[m] = 0.4;
        piece[m] = m >= LONG;
    }
    assert_int_equal(dgmi_layout_pack(ctx, MARKS, piece, 2, NULL, radius, 0.1, places), DGM_OK);
    double aside =
        fmin(fabs(places[2 * LONG] - places[0]), fabs(places[2 * LONG] - places[2 * (LONG - 1)]));
    assert_near(aside, 0.4 + 0.15 + 0.15 + 0.4, 1e-6);
}

static void pieces_without_marks_take_no_place(void **state) {
    (void)state;
    double radius[] = {1, 1, 0.5, 0.5, 0.5}, without[] = {0, 0, 3, 0, 0, 0, 2, 0, 9, 9}, with[10];
    const uint32_t three[] = {0, 0, 1, 1, 2}, some[] = {0, 0, 2, 2, 4};
    memcpy(with, without, sizeof with);
    assert_int_equal(dgmi_layout_pack(ctx, 5, three, 3, NULL, radius, 0.1, without), DGM_OK);
    assert_int_equal(dgmi_layout_pack(ctx, 5, some, 5, NULL, radius, 0.1, with), DGM_OK);
    for (int i = 0; i < 10; i++)
        assert_near(with[i], without[i], 1e-9);
    assert_int_equal(dgmi_layout_pack(ctx, 0, NULL, 0, NULL, NULL, 0.1, NULL), DGM_OK);
}

/* ---- radii ---- */

static void no_marks_have_no_usual_radius(void **state) {
    (void)state;
    const double radius[] = {3, 4};
    assert_true(dgmi_layout_usual(0, NULL) == 0);
    assert_near(dgmi_layout_usual(2, radius), sqrt(12.5), 1e-12);
}

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
        cmocka_unit_test(a_disc_wider_than_its_strip_meets_each_neighbour_once),
        cmocka_unit_test(what_is_too_far_apart_is_drawn_together),
        cmocka_unit_test(discs_without_size_need_the_gap_alone),
        cmocka_unit_test(one_disc_has_nothing_to_overlap),
        cmocka_unit_test(of_equal_places_a_piece_takes_the_nearest),
        cmocka_unit_test(a_piece_stands_where_the_page_grows_least),
        cmocka_unit_test(pieces_without_marks_take_no_place),
        cmocka_unit_test(no_marks_have_no_usual_radius),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
