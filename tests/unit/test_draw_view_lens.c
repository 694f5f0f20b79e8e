/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts whose axes are those of the lens. */
#include "view_sample.h"

static void the_lens_orders_the_layout(void **state) {
    (void)state;
    sample s = sample_path(80);
    dgm_view *view = sample_view(ctx, &s, 1);
    for (int64_t m = 0; m < s.marks; m++)
        view->own.lens[m] = (double)m * (double)m;
    assert_int_equal(dgm_view_lay_out(ctx, view, NULL), DGM_OK);
    for (int64_t m = 1; m < s.marks; m++)
        assert_true(view->x[m] > view->x[m - 1]);
    dgm_view_free(view);
    free(s.links);
}

static void a_lens_of_two_axes_is_the_layout(void **state) {
    (void)state;
    dgm_view *view = view_of(sample_grid(10), 2, DGM_LAYOUT_LENS);
    double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int64_t m = 1; m < view->marks; m++) {
        assert_true((view->x[m] > view->x[0]) == (view->lens[2 * m] > view->lens[0]));
        assert_true((view->y[m] > view->y[0]) == (view->lens[2 * m + 1] > view->lens[1]));
    }
    for (int64_t m = 0; m < view->marks; m++) {
        box[0] = fmin(box[0], view->x[m]);
        box[1] = fmin(box[1], view->y[m]);
        box[2] = fmax(box[2], view->x[m]);
        box[3] = fmax(box[3], view->y[m]);
    }
    assert_near((box[2] - box[0]) / (box[3] - box[1]), 1, 1e-9);
    dgm_view_free(view);
}

static void a_lens_of_one_axis_hides_no_mark(void **state) {
    (void)state;
    const int64_t marks[] = {1, 2, 600, 3000};
    for (int64_t k = 0; k < COUNT(marks); k++) {
        dgm_view *view = view_of((sample){.marks = marks[k]}, 1, DGM_LAYOUT_LENS);
        assert_true(overlap_of(view) < 1e-8);
        for (int64_t m = 1; m < view->marks; m++)
            assert_true((view->x[m] > view->x[0]) == (view->lens[m] > view->lens[0]));
        dgm_view_free(view);
    }
}

static void equal_values_of_a_lens_are_stacked(void **state) {
    (void)state;
    sample s = {.marks = 1200};
    dgm_view *view = sample_view(ctx, &s, 1);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    options.layout = DGM_LAYOUT_LENS;
    for (int64_t m = 0; m < s.marks; m++)
        view->own.lens[m] = m % 3 == 0 ? 7 : m % 3 == 1 ? NAN : 8;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    assert_true(overlap_of(view) < 1e-8);
    dgm_view_free(view);
}

/* Too many values coincide for a swarm: each value has a column of its own, which begins at the
 * axis, grows to both sides alike and leaves no holes. */
static void crowds_of_equal_values_stand_in_columns(void **state) {
    (void)state;
    enum { MARKS = 4500, VALUES = 3 };
    double *lens = malloc(MARKS * sizeof *lens), *radius = malloc(MARKS * sizeof *radius);
    double *places = malloc(2 * MARKS * sizeof *places);
    double total[VALUES] = {0}, low[VALUES] = {0}, high[VALUES] = {0}, column[VALUES] = {0};
    for (int64_t m = 0; m < MARKS; m++) {
        lens[m] = 5.0 * (double)(m % VALUES);
        radius[m] = 0.5 + 0.3 * dgmi_random_unit(3, 4, (uint64_t)m);
        total[m % VALUES] += 2 * radius[m];
    }
    assert_int_equal(dgmi_layout_lens(ctx, MARKS, 1, lens, false, radius, places), DGM_OK);
    assert_true(worst_overlap(MARKS, places, places + 1, 2, radius, 0) <= 0);
    for (int64_t m = 0; m < MARKS; m++) {
        int64_t value = m % VALUES;
        column[value] = m < VALUES ? places[2 * m] : column[value];
        assert_true(places[2 * m] == column[value]);
        low[value] = fmin(low[value], places[2 * m + 1] - radius[m]);
        high[value] = fmax(high[value], places[2 * m + 1] + radius[m]);
    }
    for (int64_t value = 0; value < VALUES; value++) {
        assert_true(value == 0 || column[value - 1] < column[value]);
        assert_true(high[value] - low[value] < 1.4 * total[value]);
        assert_near(high[value], -low[value], 2);
    }
    /* The values lie as far apart as the lens has them. */
    assert_near((column[1] - column[0]) / (column[2] - column[0]), 0.5, 0.02);
    /* About as wide as it is high, four to three, if the lens filled the page evenly. */
    double area = 0;
    for (int64_t m = 0; m < MARKS; m++)
        area += 2 * radius[m] * 2 * 0.8;
    assert_near((column[2] - column[0]) / sqrt(area * 4 / 3), 1.1, 0.2);
    free(lens);
    free(radius);
    free(places);
}

static void points_are_their_lens(void **state) {
    (void)state;
    sample s = {.marks = 100};
    dgm_view *view = sample_view(ctx, &s, 2);
    view->kind = DGM_VIEW_POINTS;
    for (int64_t m = 0; m < s.marks; m++)
        view->own.lens[2 * m] *= 3;
    assert_int_equal(dgm_view_lay_out(ctx, view, NULL), DGM_OK);
    double scale = (view->x[1] - view->x[0]) / (view->lens[2] - view->lens[0]);
    for (int64_t m = 1; m < s.marks; m++) { /* one unit for both axes */
        assert_near(view->x[m] - view->x[0], scale * (view->lens[2 * m] - view->lens[0]), 1e-5);
        assert_near(view->y[m] - view->y[0], scale * (view->lens[2 * m + 1] - view->lens[1]), 1e-5);
    }
    dgm_view_free(view);
}

/* One unit for both axes, in a strip of any shape; a lens of two measures has sides that are alike,
 * and no number is too large. */
static void points_keep_their_proportions(void **state) {
    (void)state;
    static const struct {
        double lens[6];
        bool alike;
        double ratio; /* height by width */
    } cases[] = {
        {{0, 0, 4, 1, 2, 2}, true, 0.5},
        {{0, 0, 1, 100, 0.5, 50}, true, 100},
        {{0, 0, 100, 1, 50, 0.5}, true, 0.01},
        {{0, 0, 4, 1, 2, 2}, false, 1},
        {{-1.7e308, 0, 1.7e308, 1, 0, 0.5}, true, 1},
        {{0, -1.7e308, 1, 1.7e308, 0.5, 0}, true, 1},
        {{-1.7e308, -1.7e308, 1.7e308, 1.7e308, 0, 0}, false, 1},
    };
    const double radius[] = {0.1, 0.1, 0.1};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        double places[6];
        assert_int_equal(dgmi_layout_lens(ctx, 3, 2, cases[i].lens, cases[i].alike, radius, places),
                         DGM_OK);
        double wide = fmax(places[0], fmax(places[2], places[4])) -
                      fmin(places[0], fmin(places[2], places[4]));
        double high = fmax(places[1], fmax(places[3], places[5])) -
                      fmin(places[1], fmin(places[3], places[5]));
        assert_near(high / wide / cases[i].ratio, 1, 1e-9);
        assert_near(places[4], (places[0] + places[2]) / 2, 1e-9);
    }
    /* an axis without a value has no length that the other could be measured by */
    for (int wide = 0; wide < 2; wide++) {
        const double unknown[] = {0, NAN, wide ? 400 : 4, NAN, wide ? 200 : 2, NAN};
        double places[6];
        assert_int_equal(dgmi_layout_lens(ctx, 3, 2, unknown, true, radius, places), DGM_OK);
        assert_near(places[2] - places[0], sqrt(3), 1e-9);
        assert_true(places[1] == places[3] && places[3] == places[5]);
    }
    /* all on one line */
    static const double lines[][4] = {{0, 5, 2, 5}, {5, 0, 5, 2}};
    for (int i = 0; i < 2; i++) {
        double places[4];
        assert_int_equal(dgmi_layout_lens(ctx, 2, 2, lines[i], true, radius, places), DGM_OK);
        assert_true(places[i] < places[2 + i] && places[!i] == places[2 + !i]);
    }
}

/* A piece that is held stays where it is, as far as the digits of places go. */
static void far_places_are_kept_to_seven_digits(void **state) {
    (void)state;
    sample s = sample_path(2);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    const double start[] = {3e8, -2e8, 3e8 + 1, -2e8};
    options.start = start;
    options.anchor = 1e6;
    dgm_view *view = sample_view(ctx, &s, 0);
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    for (int m = 0; m < 2; m++) {
        assert_near(view->x[m], 3e8, 100);
        assert_near(view->y[m], -2e8, 100);
        assert_true(view->x[m] == 10 * round(view->x[m] / 10) && view->radius[m] > 0);
    }
    dgm_view_free(view);
    for (int axis = 0; axis < 2; axis++) {
        double beyond[] = {0, 0, 1, 0};
        beyond[axis] += 2e9;
        beyond[2 + axis] += 2e9;
        options.start = beyond;
        view = sample_view(ctx, &s, 0);
        ASSERT_FAILS(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_DATA,
                     "the layout has places that no picture can show; use another one: "
                     "layout=grid");
        assert_null(view->x);
        dgm_view_free(view);
    }
    free(s.links);
}

/* Whether a mark at y leaves the gap to all that were placed before it, but for rounding. */
static bool is_free(const double *places, const double *radius, double gap, const int *order, int i,
                    double y) {
    for (int j = 0; j < i; j++) {
        double dx = places[2 * order[i]] - places[2 * order[j]], dy = y - places[2 * order[j] + 1];
        double need = radius[order[i]] + radius[order[j]] + gap;
        if (dx * dx + dy * dy < need * need * (1 - 1e-7))
            return false;
    }
    return true;
}

/* Of all y at which a mark touches the axis or two others, none that is nearer to the axis is free. */
static void marks_of_a_swarm_stand_as_near_to_the_axis_as_they_can(void **state) {
    (void)state;
    enum { MARKS = 60 };
    double lens[MARKS], radius[MARKS], places[2 * MARKS];
    int order[MARKS], away = 0;
    for (int m = 0; m < MARKS; m++) {
        lens[m] = m * m % 37 + 0.01 * m;
        radius[m] = 0.2 + 0.1 * (m % 7);
        order[m] = m;
    }
    for (int i = 1; i < MARKS; i++) /* from left to right */
        for (int j = i; j > 0 && lens[order[j]] < lens[order[j - 1]]; j--) {
            int before = order[j - 1];
            order[j - 1] = order[j];
            order[j] = before;
        }
    assert_int_equal(dgmi_layout_lens(ctx, MARKS, 1, lens, false, radius, places), DGM_OK);
    double gap = DGMI_LAYOUT_GAP * dgmi_layout_usual(MARKS, radius);
    for (int i = 0; i < MARKS; i++) {
        double y = places[2 * order[i] + 1], best = INFINITY;
        assert_true(is_free(places, radius, gap, order, i, y));
        if (is_free(places, radius, gap, order, i, 0))
            best = 0;
        for (int j = 0; j < i; j++) {
            double dx = places[2 * order[i]] - places[2 * order[j]];
            double need = radius[order[i]] + radius[order[j]] + gap;
            double reach = need > fabs(dx) ? sqrt(need * need - dx * dx) : 0;
            for (int side = -1; side <= 1; side += 2) {
                double touch = places[2 * order[j] + 1] + side * reach;
                if (is_free(places, radius, gap, order, i, touch))
                    best = fmin(best, fabs(touch));
            }
        }
        assert_near(fabs(y), best, 1e-5);
        away += y != 0;
    }
    assert_true(away > MARKS / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lens_orders_the_layout),
        cmocka_unit_test(a_lens_of_two_axes_is_the_layout),
        cmocka_unit_test(a_lens_of_one_axis_hides_no_mark),
        cmocka_unit_test(equal_values_of_a_lens_are_stacked),
        cmocka_unit_test(crowds_of_equal_values_stand_in_columns),
        cmocka_unit_test(marks_of_a_swarm_stand_as_near_to_the_axis_as_they_can),
        cmocka_unit_test(points_are_their_lens),
        cmocka_unit_test(points_keep_their_proportions),
        cmocka_unit_test(far_places_are_kept_to_seven_digits),
    };
    return RUN_WITH_CONTEXT(tests);
}
