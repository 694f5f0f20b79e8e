/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts that start from places and keep to them. */
#include "view_sample.h"

static void the_same_view_again_stays_still(void **state) {
    (void)state;
    sample s = sample_tree(250, 100);
    dgm_view *view = sample_view(ctx, &s, 2);
    double start[500];
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    for (int64_t m = 0; m < s.marks; m++) {
        start[2 * m] = view->x[m];
        start[2 * m + 1] = view->y[m];
    }
    options.start = start;
    options.anchor = 1;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    double moved = 0;
    for (int64_t m = 0; m < s.marks; m++)
        moved += hypot(view->x[m] - start[2 * m], view->y[m] - start[2 * m + 1]) / 250;
    assert_true(moved < 0.25);
    dgm_view_free(view);
    free(s.links);
}

static void start_from(const dgm_view *view, double *start) {
    for (int64_t m = 0; m < view->marks; m++) {
        start[2 * m] = view->x[m];
        start[2 * m + 1] = view->y[m];
    }
}

/* The view with that start, held. */
static void lay_out_held(dgm_view *view, const double *start) {
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    options.start = start;
    options.anchor = 1;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    assert_true(overlap_of(view) < 1e-8);
}

/* How far the middle of the box of marks from .. to - 1 is from where it was, in half-diagonals. */
static double moved(const dgm_view *before, const dgm_view *after, int64_t from, int64_t to) {
    double a[4], b[4];
    box_of(before, from, to, a);
    box_of(after, from, to, b);
    return hypot(b[0] + b[2] - a[0] - a[2], b[1] + b[3] - a[1] - a[3]) /
           hypot(b[2] - b[0], b[3] - b[1]);
}

/* A long chain, a few cycles and many singles; in the next panel the chain is closed, which gives
 * it another shape, and the others are what they were. */
static void pieces_keep_their_place_where_it_is_free(void **state) {
    (void)state;
    enum { CHAIN = 60, CYCLE = 5, CYCLES = 4, SINGLES = 30 };
    sample s = sample_path(CHAIN);
    for (int64_t c = 0; c < CYCLES; c++, s.marks += CYCLE)
        for (int64_t m = 0; m < CYCLE; m++)
            sample_link(&s, s.marks + m, s.marks + (m + 1) % CYCLE);
    s.marks += SINGLES;
    dgm_view *before = sample_view(ctx, &s, 0);
    double start[2 * (CHAIN + CYCLE * CYCLES + SINGLES)];
    assert_int_equal(dgm_view_lay_out(ctx, before, NULL), DGM_OK);
    start_from(before, start);
    sample_link(&s, CHAIN / 2 - 2, CHAIN / 2 + 2);
    dgm_view *after = sample_view(ctx, &s, 0);
    lay_out_held(after, start);
    int64_t strayed = 0;
    for (int64_t c = 0; c < CYCLES; c++)
        strayed += moved(before, after, CHAIN + c * CYCLE, CHAIN + (c + 1) * CYCLE) > 1;
    for (int64_t m = CHAIN + CYCLE * CYCLES; m < s.marks; m++)
        strayed += moved(before, after, m, m + 1) > 1;
    assert_int_equal(strayed, 0);
    dgm_view_free(before);
    dgm_view_free(after);
    free(s.links);
}

/* Two singles want one place and a fourth is new: the larger one stays, the other is beside it. */
static void a_piece_whose_place_is_taken_stands_beside(void **state) {
    (void)state;
    sample s = {.marks = 4};
    dgm_view *view = sample_view(ctx, &s, 0);
    const double start[] = {5, 5, 5, 5, 4, 5, NAN, NAN};
    lay_out_held(view, start);
    int64_t first = view->radius[1] > view->radius[0];
    assert_near(view->x[first], 5, 1e-6);
    assert_near(view->y[first], 5, 1e-6);
    assert_true(hypot(view->x[!first] - 5, view->y[!first] - 5) < 4 * view->radius[first]);
    assert_near(view->x[2], 4, 1e-6);
    assert_near(view->y[2], 5, 1e-6);
    dgm_view_free(view);
}

/* Three singles far from each other: the smaller ones come nearer to the largest, each on its side.
 */
static void an_empty_page_is_drawn_together(void **state) {
    (void)state;
    sample s = {.marks = 3};
    dgm_view *view = sample_view(ctx, &s, 0);
    const double start[] = {-100, 0, 0, 50, 100, 0};
    double box[4], area = 0;
    lay_out_held(view, start);
    box_of(view, 0, 3, box);
    for (int64_t m = 0; m < 3; m++)
        area += 4 * view->radius[m] * view->radius[m];
    assert_true((box[2] - box[0]) * (box[3] - box[1]) < 20 * area);
    assert_true(view->x[0] < view->x[1] && view->x[1] < view->x[2]);
    assert_true(view->y[0] < view->y[1] && view->y[2] < view->y[1]);
    dgm_view_free(view);
}

/* More of them than are looked at one by one. */
static void crowds_in_one_place_are_parted(void **state) {
    (void)state;
    enum { CROWD = 3000 };
    static double start[2 * CROWD];
    sample s = {.marks = CROWD};
    dgm_view *view = sample_view(ctx, &s, 0);
    for (int64_t m = 0; m < CROWD; m++)
        start[2 * m] = m % 3 == 0 ? NAN : (double)(m % 7);
    lay_out_held(view, start);
    dgm_view_free(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_view_again_stays_still),
        cmocka_unit_test(pieces_keep_their_place_where_it_is_free),
        cmocka_unit_test(a_piece_whose_place_is_taken_stands_beside),
        cmocka_unit_test(an_empty_page_is_drawn_together),
        cmocka_unit_test(crowds_in_one_place_are_parted),
    };
    return RUN_WITH_CONTEXT(tests);
}
