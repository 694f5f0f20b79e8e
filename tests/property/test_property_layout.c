/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of graphs that nobody drew for a book: hubs with leaves and tails, double stars,
 * caterpillars, crowds of discs. Finite, no two discs over each other, bounded in spread and cost.
 */
#include "base_random.h" /* before the fixture, whose `seed` its arguments would hide */

#include "property_fixture.h"

#include <string.h>

#include "../unit/layout_sample.h"

static uint64_t draw(uint64_t *counter, uint64_t below) {
    return dgmi_random_below(seed, 0x6c61796f7574, (*counter)++, below);
}

/* Hubs hang on hubs before them, leaves on hubs, and tails on some leaves. */
static sample hubs(uint64_t *counter, int64_t marks) {
    sample s = {.marks = marks};
    int64_t count = 1 + (int64_t)draw(counter, 6), tail = 1 + (int64_t)draw(counter, 4);
    for (int64_t m = 1; m < marks; m++) {
        int64_t to = (int64_t)draw(counter, (uint64_t)(m < count ? m : count));
        if (m > count && draw(counter, 20) < (uint64_t)tail)
            to = m - 1;
        sample_link(&s, to, m);
    }
    return s;
}

static double side_of(int64_t marks, const double *x, const double *y, int64_t step) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t m = 0; m < marks; m++) {
        low[0] = fmin(low[0], x[m * step]);
        high[0] = fmax(high[0], x[m * step]);
        low[1] = fmin(low[1], y[m * step]);
        high[1] = fmax(high[1], y[m * step]);
    }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* The side of a square with the area of all squares around discs and gaps. */
static double square_of(int64_t marks, const double *radius, double gap) {
    double area = 0;
    for (int64_t m = 0; m < marks; m++)
        area += (2 * radius[m] + gap) * (2 * radius[m] + gap);
    return sqrt(area);
}

static void hubs_are_laid_out_to_be_seen(void **state) {
    (void)state;
    uint64_t counter = 0;
    const int64_t sizes[] = {40, 700, 3200, 6000};
    for (int k = 0; k < 4; k++)
        for (int64_t dimension = 0; dimension <= 1; dimension++) {
            sample s = hubs(&counter, sizes[k]);
            dgm_view *view = sample_view(ctx, &s, dimension);
            for (int64_t m = 0; m < s.marks; m++) /* members differ a thousandfold */
                view->size[m] = draw(&counter, 50) == 0 ? 1000 : 1 + (int64_t)draw(&counter, 9);
            assert_int_equal(dgm_view_lay_out(ctx, view, NULL), DGM_OK);
            for (int64_t m = 0; m < s.marks; m++)
                assert_true(isfinite(view->x[m]) && isfinite(view->y[m]) && view->radius[m] > 0);
            assert_true(worst_overlap(s.marks, view->x, view->y, 1, view->radius, 0) < 1e-3);
            /* a long tail may be straight, but nothing is farther than its links can reach */
            double side = side_of(s.marks, view->x, view->y, 1);
            double square = square_of(s.marks, view->radius, 0);
            assert_true(side < 100 * square);
            dgm_view_free(view);
            free(s.links);
        }
}

/* Clumps, each in a place of its own or in a small square, and one mark far away. */
static void crowd(uint64_t *counter, int64_t marks, double *places, double *radius) {
    int64_t clumps = 1 + (int64_t)draw(counter, 4);
    bool alike = draw(counter, 2) == 0;
    double wide = draw(counter, 3) == 0 ? 0 : 1e-3 * (double)draw(counter, 3000);
    double far = draw(counter, 2) == 0 ? 10 : 1e5;
    for (int64_t m = 0; m < marks; m++) {
        double clump = (double)draw(counter, (uint64_t)clumps);
        places[2 * m] = 3 * clump + wide * (double)draw(counter, 1000) / 1000;
        places[2 * m + 1] = wide * (double)draw(counter, 1000) / 1000;
        double u = (double)draw(counter, 1000) / 1000;
        radius[m] = alike ? 0.05 : 0.01 + 0.15 * u * u * u * u;
    }
    places[0] = places[1] = far;
}

static void crowds_part_at_a_bounded_cost(void **state) {
    (void)state;
    uint64_t counter = 0;
    const int64_t sizes[] = {2, 50, 800, 3000, 20000};
    for (int turn = 0; turn < 15; turn++) {
        int64_t marks = sizes[turn % 5], work = 0, overlaps;
        double *places = malloc((size_t)(2 * marks) * sizeof *places), worst;
        double *radius = malloc((size_t)marks * sizeof *radius), gap = turn % 2 == 0 ? 0.01 : 0;
        assert_true(places && radius);
        crowd(&counter, marks, places, radius);
        double before = side_of(marks, places, places + 1, 2);
        assert_int_equal(dgmi_layout_separate(ctx, marks, radius, gap, places, &work), DGM_OK);
        for (int64_t i = 0; i < 2 * marks; i++)
            assert_true(isfinite(places[i]));
        assert_int_equal(dgmi_layout_crowding(ctx, marks, radius, gap, places, &overlaps, &worst),
                         DGM_OK);
        assert_true(worst < 1 + 1e-8);
        if (marks <= 3000)
            assert_true(worst_overlap(marks, places, places + 1, 2, radius, gap) < 1e-8);
        assert_true(side_of(marks, places, places + 1, 2) <=
                    2 * before + 16 * square_of(marks, radius, gap));
        assert_true(work <= DGMI_LAYOUT_SEPARATE_WORK * marks);
        free(places);
        free(radius);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hubs_are_laid_out_to_be_seen),
        cmocka_unit_test(crowds_part_at_a_bounded_cost),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
