/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts that do not look at links, place by place; the room that discs have. */
#include "unit_fixture.h"

#include "layout_sample.h"

#define PI 3.14159265358979323846

/* Of n marks a row has the root of 4 n / 3, rounded up; each cell has a side of 1, or as much as
 * the largest disc and the gap need. */
static void a_grid_has_rows_of_equal_cells(void **state) {
    (void)state;
    static const struct {
        int marks, columns;
    } cases[] = {{1, 2}, {2, 2}, {3, 2}, {4, 3}, {12, 4}, {13, 5}, {27, 6}, {28, 7}};
    for (int64_t k = 0; k < 2 * COUNT(cases); k++) {
        double radius[28], places[56];
        int marks = cases[k / 2].marks, columns = cases[k / 2].columns;
        for (int m = 0; m < marks; m++)
            radius[m] = k % 2 == 0 ? 0.25 : 3;
        double cell = k % 2 == 0 ? 1 : 2 * 3 + 0.25 * 3;
        dgmi_layout_grid(marks, radius, places);
        for (int m = 0; m < marks; m++) {
            int column = m % columns, row = m / columns;
            assert_near(places[2 * m], column * cell, 1e-9);
            assert_near(places[2 * m + 1], -row * cell, 1e-9);
        }
    }
}

static void cells_of_a_grid_hold_the_largest_disc(void **state) {
    (void)state;
    const double radius[] = {1, 2, 1};
    double places[6];
    dgmi_layout_grid(3, radius, places);
    assert_near(places[2], 4 + 0.25 * sqrt(2), 1e-12);
    assert_near(places[5], -4 - 0.25 * sqrt(2), 1e-12);
}

/* Discs on a circle have as much of it as they are wide, with half a gap on both sides. Chords are
 * shorter than arcs, so the nearest two then touch. */
static void a_circle_has_room_for_each_disc(void **state) {
    (void)state;
    enum { MARKS = 7 };
    const double radius[MARKS] = {1, 2, 1, 0.5, 3, 1, 1};
    double places[2 * MARKS], gap = 0.25 * dgmi_layout_usual(MARKS, radius), total = 0, at = 0;
    for (int m = 0; m < MARKS; m++)
        total += 2 * radius[m] + gap;
    assert_int_equal(dgmi_layout_circular(ctx, MARKS, radius, places), DGM_OK);
    double circle = hypot(places[0], places[1]), nearest = INFINITY;
    for (int m = 0; m < MARKS; m++) {
        double angle = 2 * PI * (at + radius[m] - radius[0]) / total;
        assert_near(places[2 * m], circle * sin(angle), 1e-9 * circle);
        assert_near(places[2 * m + 1], circle * cos(angle), 1e-9 * circle);
        at += 2 * radius[m] + gap;
        for (int o = 0; o < m; o++)
            nearest = fmin(nearest, hypot(places[2 * m] - places[2 * o],
                                          places[2 * m + 1] - places[2 * o + 1]) /
                                        (radius[m] + radius[o] + gap));
    }
    assert_near(nearest, 1, 1e-6);
    assert_true(nearest >= 1);
}

/* Of equal discs so many that chords are nearly arcs. */
static void a_circle_is_as_long_as_its_discs_are_wide(void **state) {
    (void)state;
    enum { MARKS = 200 };
    double radius[MARKS], places[2 * MARKS];
    for (int marks = 1; marks <= MARKS; marks += MARKS - 1) {
        for (int m = 0; m < marks; m++)
            radius[m] = 0.4;
        assert_int_equal(dgmi_layout_circular(ctx, marks, radius, places), DGM_OK);
        double needs = 2 * 0.4 + 0.25 * 0.4; /* a chord: 2 r sin(pi / n) */
        assert_near(places[1], marks == 1 ? 0 : needs / 2 / sin(PI / MARKS), 1e-6);
        assert_near(places[0], 0, 1e-12);
    }
}

/* Discs so small that all stand on the axis, those with an unknown value in its middle. */
static void values_of_one_axis_fill_the_root_of_their_number(void **state) {
    (void)state;
    const double lens[] = {3, 5, NAN, 4.5, 4.875, 3.25, 7, 3.125, 4};
    double radius[9], places[18];
    for (int m = 0; m < 9; m++)
        radius[m] = 1e-3;
    assert_int_equal(dgmi_layout_lens(ctx, 9, 1, lens, false, radius, places), DGM_OK);
    for (int m = 0; m < 9; m++) {
        if (m == 2) /* where the mark at 5 is already */
            assert_near(places[2 * m], 1.5, 1e-12);
        else
            assert_near(places[2 * m], 3 * (lens[m] - 3) / 4, 1e-12);
        assert_near(places[2 * m + 1], m == 2 ? 2.25e-3 : 0, 1e-9);
    }
    const double plane[] = {0, 3, 1, 1, 3, 1, 2, 2};
    assert_int_equal(dgmi_layout_lens(ctx, 4, 2, plane, false, radius, places), DGM_OK);
    const double expected[] = {0, 2, 2.0 / 3, 0, 2, 0, 4.0 / 3, 1};
    for (int i = 0; i < 8; i++)
        assert_near(places[i], expected[i], 1e-12);
}

/* With one unit for both axes the area is that of as many squares as there are marks, but no side
 * is longer than three roots, and a lying strip no longer than the root of eight of them. */
static void axes_of_one_unit_keep_the_area_up_to_a_strip(void **state) {
    (void)state;
    static const struct {
        double wide, high; /* of the lens */
        double x, y;       /* of the places, for four marks */
    } cases[] = {
        {1, 1, 2, 2},
        {4, 1, 4, 1},
        {1, 4, 1, 4},
        {8, 1, 2 * 2.8284271247461903, 2 / 2.8284271247461903},
        {32, 1, 2 * 2.8284271247461903, 2 * 2.8284271247461903 / 32},
        {1, 8, 2 / 2.8284271247461903, 2 * 2.8284271247461903},
        {1, 9, 2.0 / 3, 6},
        {1, 100, 0.06, 6},
    };
    for (int64_t k = 0; k < COUNT(cases); k++) {
        double lens[] = {0, 0, cases[k].wide, cases[k].high, 0, 0, 0, 0}, places[8];
        const double radius[4] = {0};
        assert_int_equal(dgmi_layout_lens(ctx, 4, 2, lens, true, radius, places), DGM_OK);
        assert_near(places[2] - places[0], cases[k].x, 1e-9);
        assert_near(places[3] - places[1], cases[k].y, 1e-9);
    }
}

/* Two discs in one place of the axis: the second stands above the first, the third below. */
static void marks_of_one_value_stand_above_and_below_by_turns(void **state) {
    (void)state;
    enum { MARKS = 5 };
    const double lens[MARKS] = {1, 1, 1, 1, 1};
    const double radius[MARKS] = {2, 2, 2, 2, 2};
    double places[2 * MARKS];
    assert_int_equal(dgmi_layout_lens(ctx, MARKS, 1, lens, false, radius, places), DGM_OK);
    const double turns[MARKS] = {0, 1, -1, 2, -2};
    for (int m = 0; m < MARKS; m++) {
        assert_near(places[2 * m], sqrt(MARKS) / 2, 1e-12);
        assert_near(places[2 * m + 1], turns[m] * 4.5, 1e-6);
    }
}

/* The same in columns: their width is that of the largest disc and a gap, and each begins on the
 * axis. */
static void columns_grow_by_turns_from_the_axis(void **state) {
    (void)state;
    enum { MARKS = 1600 }; /* so many of one value are not looked at pair by pair */
    static double lens[MARKS], radius[MARKS], places[2 * MARKS];
    for (int m = 0; m < MARKS; m++) {
        lens[m] = m == MARKS - 1 ? 1 : 0;
        radius[m] = 0.1;
    }
    radius[MARKS - 2] = 0.4;
    assert_int_equal(dgmi_layout_lens(ctx, MARKS, 1, lens, false, radius, places), DGM_OK);
    double gap = 0.25 * dgmi_layout_usual(MARKS, radius), cell = 0.8 + gap, one = 0.2 + gap;
    for (int m = 0; m < MARKS - 2; m++) {
        int turn = m % 2 == 1 ? (m + 1) / 2 : -(m / 2);
        assert_near(places[2 * m], cell / 2, 1e-9);
        assert_near(places[2 * m + 1], turn * one, 1e-6);
    }
    /* the large one ends the column above, and the last mark is alone at the other end */
    assert_near(places[2 * (MARKS - 2)], cell / 2, 1e-9);
    assert_near(fabs(places[2 * (MARKS - 2) + 1]), (MARKS / 2 - 1.5) * one + cell / 2, 1e-6);
    double total = (MARKS - 1) * one + cell;
    double wide = fmax(40, sqrt(cell * total * 4 / 3));
    assert_near(places[2 * (MARKS - 1)], (floor(wide / cell) + 0.5) * cell, 1e-9);
    assert_near(places[2 * (MARKS - 1) + 1], 0, 0);
}

/* ---- the room that discs have ---- */

static double factor_of(int64_t pieces, const int64_t *offsets, const uint32_t *members,
                        const double *places) {
    const dgmi_layout_sets sets = {pieces, offsets, members};
    return dgmi_layout_radii_factor(&sets, places);
}

/* A box is half a unit wider on each side, single marks do not count, and more room than a unit for
 * each mark is no reason to grow. */
static void discs_shrink_where_marks_have_less_than_a_unit_of_room(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 4, 5, 7};
    const uint32_t members[] = {0, 2, 3, 6, 1, 4, 5};
    const double places[] = {0, 0, 90, 90, 0.5, 0, 0, 0.25, 7, 7, 7, 7.5, 0.5, 0.25};
    double first = 1.5 * 1.25, last = 1 * 1.5;
    assert_near(factor_of(1, offsets, members, places), sqrt(first / 4), 1e-12);
    assert_near(factor_of(2, offsets, members, places), sqrt(first / 4), 1e-12);
    assert_near(factor_of(3, offsets, members, places), sqrt((first + last) / 6), 1e-12);
    const double wide[] = {0, 0, 90, 90, 3, 0, 0, 0, 7, 7, 7, 7, 0, 0};
    assert_near(factor_of(1, offsets, members, wide), 1, 0);
    assert_near(factor_of(0, offsets, members, wide), 1, 0);
    const double wider[] = {0, 0, 90, 90, 3, 0, 0, 9, 7, 7, 7, 7, 0, 0};
    assert_near(factor_of(1, offsets, members, wider), 1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_rows_of_equal_cells),
        cmocka_unit_test(cells_of_a_grid_hold_the_largest_disc),
        cmocka_unit_test(a_circle_has_room_for_each_disc),
        cmocka_unit_test(a_circle_is_as_long_as_its_discs_are_wide),
        cmocka_unit_test(values_of_one_axis_fill_the_root_of_their_number),
        cmocka_unit_test(axes_of_one_unit_keep_the_area_up_to_a_strip),
        cmocka_unit_test(marks_of_one_value_stand_above_and_below_by_turns),
        cmocka_unit_test(columns_grow_by_turns_from_the_axis),
        cmocka_unit_test(discs_shrink_where_marks_have_less_than_a_unit_of_room),
    };
    return RUN_WITH_CONTEXT(tests);
}
