/* SPDX-License-Identifier: Apache-2.0 */
/* Views laid out: no overlaps, pieces apart, all layouts, failures that leave the view alone. */
#include "unit_fixture.h"

#include "layout_sample.h"
#include "unit_faults.h"

static dgm_view *view_of(sample s, int64_t dimension, int layout) {
    dgm_view *view = sample_view(ctx, &s, dimension);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    assert_non_null(view);
    options.layout = layout;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    assert_int_equal(view->layout, layout);
    for (int64_t m = 0; m < view->marks; m++) {
        assert_true(isfinite(view->x[m]) && isfinite(view->y[m]));
        assert_true(view->radius[m] > 0 && isfinite(view->radius[m]));
    }
    free(s.links);
    return view;
}

static double overlap_of(const dgm_view *view) {
    return worst_overlap(view->marks, view->x, view->y, 1, view->radius, 0);
}

/* The box of marks from .. to - 1: low x, low y, high x, high y. */
static void box_of(const dgm_view *view, int64_t from, int64_t to, double box[4]) {
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (int64_t m = from; m < to; m++) {
        box[0] = fmin(box[0], view->x[m] - view->radius[m]);
        box[1] = fmin(box[1], view->y[m] - view->radius[m]);
        box[2] = fmax(box[2], view->x[m] + view->radius[m]);
        box[3] = fmax(box[3], view->y[m] + view->radius[m]);
    }
}

/* Pieces of sizes that differ: cycles of 3, 4, .., and singles behind them. */
static sample many_pieces(int64_t cycles, int64_t singles) {
    sample s = {.marks = 0};
    for (int64_t c = 0; c < cycles; c++) {
        int64_t size = 3 + c % 40;
        for (int64_t m = 0; m < size; m++)
            sample_link(&s, s.marks + m, s.marks + (m + 1) % size);
        s.marks += size;
    }
    s.marks += singles;
    return s;
}

static void marks_do_not_overlap(void **state) {
    (void)state;
    sample samples[] = {sample_tree(400, 300), sample_star(800),    sample_complete(60),
                        sample_grid(20),       sample_path(300),    many_pieces(60, 200),
                        many_pieces(0, 700),   {.marks = 1},        sample_path(2),
                        many_pieces(1, 300),   sample_tree(1000, 9)};
    for (int64_t k = 0; k < COUNT(samples); k++)
        for (int64_t dimension = 0; dimension <= 2; dimension++) {
            sample copy = samples[k];
            copy.links = NULL;
            copy.count = copy.capacity = 0;
            for (int64_t l = 0; l < samples[k].count; l++)
                sample_link(&copy, samples[k].links[l].source, samples[k].links[l].target);
            dgm_view *view = view_of(copy, dimension, DGM_LAYOUT_STRESS);
            assert_true(overlap_of(view) < 1e-8);
            dgm_view_free(view);
        }
    for (int64_t k = 0; k < COUNT(samples); k++)
        free(samples[k].links);
}

static void pieces_do_not_lie_over_each_other(void **state) {
    (void)state;
    dgm_view *view = view_of(many_pieces(50, 0), 0, DGM_LAYOUT_STRESS);
    double boxes[50][4];
    int64_t from = 0;
    for (int64_t c = 0; c < 50; c++) {
        box_of(view, from, from + 3 + c % 40, boxes[c]);
        from += 3 + c % 40;
        for (int64_t o = 0; o < c; o++)
            assert_true(boxes[c][0] > boxes[o][2] || boxes[o][0] > boxes[c][2] ||
                        boxes[c][1] > boxes[o][3] || boxes[o][1] > boxes[c][3]);
    }
    dgm_view_free(view);
}

static void assert_page(int64_t cycles, int64_t singles) {
    dgm_view *view = view_of(many_pieces(cycles, singles), 0, DGM_LAYOUT_STRESS);
    double box[4];
    box_of(view, 0, view->marks, box);
    double width = box[2] - box[0], height = box[3] - box[1];
    assert_true(width / height > 0.7 && width / height < 2.5);
    assert_near(box[0] + box[2], 0, 1e-6 * width); /* centred */
    assert_near(box[1] + box[3], 0, 1e-6 * height);
    dgm_view_free(view);
}

static void pages_are_about_as_wide_as_4_to_3(void **state) {
    (void)state;
    assert_page(0, 500);
    assert_page(0, 50000);
    assert_page(40, 0);
    assert_page(40, 100);
    assert_page(40, 5000);
    assert_page(300, 10);
}

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
    sample s = {.marks = 3000};
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

/* Places end where they end: what stands behind them is not the layout's. */
static void a_circle_writes_its_places_alone(void **state) {
    (void)state;
    double radius[10], places[30];
    for (int m = 0; m < 10; m++)
        radius[m] = m == 3 ? 5 : 1;
    for (int i = 0; i < 30; i++)
        places[i] = 7;
    assert_int_equal(dgmi_layout_circular(ctx, 10, radius, places), DGM_OK);
    for (int i = 20; i < 30; i++)
        assert_true(places[i] == 7);
    assert_true(worst_overlap(10, places, places + 1, 2, radius, 0) <= 0);
}

static void circles_and_grids_do_not_overlap(void **state) {
    (void)state;
    const int64_t marks[] = {1, 2, 3, 10, 500};
    for (int64_t k = 0; k < COUNT(marks); k++)
        for (int layout = DGM_LAYOUT_CIRCULAR; layout <= DGM_LAYOUT_GRID; layout++) {
            dgm_view *view = view_of((sample){.marks = marks[k]}, 1, layout);
            assert_true(overlap_of(view) < 1e-8);
            dgm_view_free(view);
        }
}

static void a_circle_begins_at_the_top_and_is_round(void **state) {
    (void)state;
    sample s = {.marks = 12};
    dgm_view *view = sample_view(ctx, &s, 0);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    for (int64_t m = 0; m < s.marks; m++)
        view->size[m] = 5;
    options.layout = DGM_LAYOUT_CIRCULAR;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    for (int64_t m = 0; m < s.marks; m++) { /* places have seven digits */
        double angle = 2 * 3.14159265358979323846 * (double)m / 12;
        assert_near(view->x[m] / view->y[0], sin(angle), 1e-5);
        assert_near(view->y[m] / view->y[0], cos(angle), 1e-5);
    }
    dgm_view_free(view);
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

static void nothing_to_lay_out_is_fine(void **state) {
    (void)state;
    for (int layout = DGM_LAYOUT_STRESS; layout <= DGM_LAYOUT_GRID; layout++)
        dgm_view_free(view_of((sample){.marks = 0}, 1, layout));
}

static void large_views_are_laid_out(void **state) {
    (void)state;
    dgm_view_free(view_of((sample){.marks = 50000}, 0, DGM_LAYOUT_STRESS));
    dgm_view_free(view_of(sample_star(10000), 1, DGM_LAYOUT_STRESS));
    dgm_view_free(view_of(sample_path(5000), 0, DGM_LAYOUT_STRESS));
    dgm_view_free(view_of(sample_tree(6000, 20000), 2, DGM_LAYOUT_STRESS));
}

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

/* ---- from panel to panel ---- */

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

static void bytes_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads++) {
        dgm_context_set_threads(ctx, threads % 4);
        dgm_view *view = view_of(many_pieces(70, 40), 1, DGM_LAYOUT_STRESS);
        uint64_t now = hash_of(view->x, view->marks) * 3 + hash_of(view->y, view->marks) * 5 +
                       hash_of(view->radius, view->marks);
        hash = threads == 1 ? now : hash;
        assert_true(now == hash);
        dgm_view_free(view);
    }
    dgm_context_set_threads(ctx, 0);
}

/* A hub with leaves and tails, by pivots, with discs that crowd: fans and free cells. */
static sample sample_hub(int64_t leaves) {
    sample s = sample_star(leaves + 1);
    for (int64_t t = 0; t < leaves / 20; t++)
        for (int64_t m = 0; m < 3; m++) {
            sample_link(&s, m == 0 ? 1 + t : s.marks - 1, s.marks);
            s.marks++;
        }
    return s;
}

static void hubs_have_known_bytes_and_discs_apart(void **state) {
    (void)state;
    dgm_view *view = view_of(sample_hub(4000), 1, DGM_LAYOUT_STRESS);
    uint64_t hash = hash_of(view->x, view->marks) * 3 + hash_of(view->y, view->marks);
    assert_true(overlap_of(view) < 1e-3);
    if (hash != UINT64_C(0xb2e52bccd2afa432))
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    dgm_view_free(view);
}

static void layouts_are_weighed_against_their_graph(void **state) {
    (void)state;
    sample samples[] = {sample_path(2000), sample_star(60000), {.marks = 60000}};
    const bool small[] = {true, false, true};
    for (int64_t k = 0; k < COUNT(samples); k++) {
        dgm_view *view = sample_view(ctx, &samples[k], 1);
        dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
        bool worth;
        view->nodes = view->edges = samples[k].marks;
        assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
        assert_int_equal(worth, small[k]);
        assert_int_equal(view->layout_operations > view->layout_budget, !worth);
        view->edges = 100000000; /* such a graph's summary costs more than the layout */
        assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
        assert_true(worth && view->layout_operations == 0);
        dgm_view_free(view);
        free(samples[k].links);
    }
}

/* Starts that are too far apart for a picture, and held. */
static void what_no_picture_can_show_is_not_kept(void **state) {
    (void)state;
    sample s = sample_path(3);
    dgm_view *view = sample_view(ctx, &s, 0);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    const double start[] = {0, 0, 1e200, 0, -1e200, 1e200};
    options.start = start;
    options.anchor = 1e6;
    if (dgm_view_lay_out(ctx, view, &options) == DGM_OK)
        for (int64_t m = 0; m < s.marks; m++)
            assert_true(fabs(view->x[m]) < 1e9 && fabs(view->y[m]) < 1e9 && view->radius[m] > 0);
    else
        assert_null(view->x);
    dgm_view_free(view);
    free(s.links);
}

/* Layouts that ask no graph cost nothing to speak of, and a piece is laid out by all pairs only if
 * it is small enough, whatever is asked for. */
static void a_layout_costs_what_its_way_costs(void **state) {
    (void)state;
    enum { MARKS = 40000 }; /* all pairs of so many are never looked at */
    sample s = sample_star(MARKS);
    dgm_view *view = sample_view(ctx, &s, 1);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    bool worth;
    options.exact = 0;
    assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
    assert_false(worth);
    double by_pivots = view->layout_operations;
    options.exact = 1000000;
    assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
    assert_near(view->layout_operations, by_pivots, 0);
    options.layout = DGM_LAYOUT_GRID;
    assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
    assert_true(worth && view->layout_operations == 0);
    dgm_view_free(view);
    free(s.links);
}

static void links_of_a_mark_to_itself_are_none(void **state) {
    (void)state;
    sample s = sample_path(3);
    sample_link(&s, 1, 1);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_layout_graph graph = sample_graph(&s);
    static const int64_t offsets[] = {0, 1, 3, 4};
    static const uint32_t targets[] = {1, 0, 2, 1};
    for (int m = 0; m < 4; m++)
        assert_int_equal(graph.offsets[m], offsets[m]);
    for (int i = 0; i < 4; i++)
        assert_int_equal(graph.targets[i], targets[i]);
    dgmi_arena_release(ctx, hold);
    free(s.links);
}

static void what_is_no_layout_is_refused(void **state) {
    (void)state;
    static const struct {
        int layout;
        double anchor;
        const char *words;
    } cases[] = {
        {-1, 0, "-1 is no layout"},
        {99, 0, "99 is no layout"},
        {DGM_LAYOUT_STRESS, -1, "the anchor is -1; it must be 0 or more"},
        {DGM_LAYOUT_STRESS, NAN, "the anchor is nan; it must be 0 or more"},
        {DGM_LAYOUT_LENS, 0, "there is no lens to lay out by; use stress, circular or grid"},
    };
    sample s = sample_path(3);
    dgm_view *view = sample_view(ctx, &s, 0);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
        options.layout = cases[i].layout;
        options.anchor = cases[i].anchor;
        ASSERT_FAILS(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_USAGE, cases[i].words);
        assert_null(view->x);
    }
    dgm_view_free(view);
    free(s.links);
}

/* A lens that is not known of some marks, or of none, places the others all the same. */
static void marks_without_a_lens_are_laid_out_too(void **state) {
    (void)state;
    static const int layouts[] = {DGM_LAYOUT_STRESS, DGM_LAYOUT_LENS};
    for (int64_t dimension = 1; dimension <= 2; dimension++)
        for (int64_t k = 0; k < COUNT(layouts); k++)
            for (int unknown = 1; unknown <= 6; unknown += 5) {
                sample s = sample_path(6);
                dgm_view *view = sample_view(ctx, &s, dimension);
                dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
                options.layout = layouts[k];
                for (int64_t i = 0; i < unknown * dimension; i++)
                    view->own.lens[i] = NAN;
                assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
                for (int64_t m = 0; m < 6; m++)
                    assert_true(isfinite(view->x[m]) && isfinite(view->y[m]));
                if (layouts[k] == DGM_LAYOUT_LENS && unknown == 1) { /* in the middle */
                    double low = INFINITY, high = -INFINITY;
                    for (int64_t m = 1; m < 6; m++) {
                        low = fmin(low, view->x[m]);
                        high = fmax(high, view->x[m]);
                    }
                    assert_near(view->x[0], (low + high) / 2, 1e-6);
                }
                dgm_view_free(view);
                free(s.links);
            }
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

static bool stop(void *user, const char *stage, double fraction) {
    (void)stage;
    (void)fraction;
    return --*(int *)user > 0;
}

static void a_failure_leaves_the_view_as_it_was(void **state) {
    (void)state;
    sample s = sample_grid(8);
    dgm_view *view = sample_view(ctx, &s, 0);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    options.layout = DGM_LAYOUT_LENS;
    ASSERT_FAILS(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_USAGE,
                 "there is no lens to lay out by; use stress, circular or grid");
    assert_null(view->x);
    options.layout = DGM_LAYOUT_GRID;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    uint64_t hash = hash_of(view->x, view->marks);
    options.layout = 9;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_USAGE);
    options.layout = DGM_LAYOUT_STRESS;
    options.anchor = NAN;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_USAGE);
    options.anchor = 0;
    for (int calls = 1; calls < 32; calls += 10) {
        int left = calls;
        dgm_context_set_progress(ctx, stop, &left);
        assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_ERROR_CANCELLED);
        dgm_context_set_progress(ctx, NULL, NULL);
    }
    assert_true(hash == hash_of(view->x, view->marks));
    assert_int_equal(view->layout, DGM_LAYOUT_GRID);
    dgm_view_free(view);
    free(s.links);
}

static dgm_status lay_out_all(dgm_context *own, void *argument) {
    sample s = many_pieces(4, 5);
    dgm_view *view = sample_view(own, &s, 1);
    dgm_status status = view ? DGM_OK : DGM_ERROR_MEMORY;
    (void)argument;
    for (int layout = DGM_LAYOUT_STRESS; status == DGM_OK && layout <= DGM_LAYOUT_GRID; layout++) {
        dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
        options.layout = layout;
        status = dgm_view_lay_out(own, view, &options);
        assert_true((view->x != NULL) == (view->y != NULL));
    }
    dgm_view_free(view);
    free(s.links);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation(lay_out_all, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_do_not_overlap),
        cmocka_unit_test(pieces_do_not_lie_over_each_other),
        cmocka_unit_test(pages_are_about_as_wide_as_4_to_3),
        cmocka_unit_test(the_lens_orders_the_layout),
        cmocka_unit_test(a_lens_of_two_axes_is_the_layout),
        cmocka_unit_test(a_lens_of_one_axis_hides_no_mark),
        cmocka_unit_test(equal_values_of_a_lens_are_stacked),
        cmocka_unit_test(crowds_of_equal_values_stand_in_columns),
        cmocka_unit_test(a_circle_writes_its_places_alone),
        cmocka_unit_test(circles_and_grids_do_not_overlap),
        cmocka_unit_test(a_circle_begins_at_the_top_and_is_round),
        cmocka_unit_test(points_are_their_lens),
        cmocka_unit_test(nothing_to_lay_out_is_fine),
        cmocka_unit_test(large_views_are_laid_out),
        cmocka_unit_test(the_same_view_again_stays_still),
        cmocka_unit_test(pieces_keep_their_place_where_it_is_free),
        cmocka_unit_test(a_piece_whose_place_is_taken_stands_beside),
        cmocka_unit_test(an_empty_page_is_drawn_together),
        cmocka_unit_test(crowds_in_one_place_are_parted),
        cmocka_unit_test(bytes_do_not_depend_on_threads),
        cmocka_unit_test(hubs_have_known_bytes_and_discs_apart),
        cmocka_unit_test(layouts_are_weighed_against_their_graph),
        cmocka_unit_test(what_no_picture_can_show_is_not_kept),
        cmocka_unit_test(a_failure_leaves_the_view_as_it_was),
        cmocka_unit_test(a_layout_costs_what_its_way_costs),
        cmocka_unit_test(links_of_a_mark_to_itself_are_none),
        cmocka_unit_test(what_is_no_layout_is_refused),
        cmocka_unit_test(marks_without_a_lens_are_laid_out_too),
        cmocka_unit_test(points_keep_their_proportions),
        cmocka_unit_test(far_places_are_kept_to_seven_digits),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
