/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of views: discs apart, pieces side by side, the same bytes. */
#include "view_sample.h"

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

/* A mark without links is one operation. */
static void marks_by_themselves_are_counted(void **state) {
    (void)state;
    enum { MARKS = 40000, ALONE = 7 };
    double operations[2];
    for (int with = 0; with < 2; with++) {
        sample s = sample_star(MARKS);
        s.marks += with ? ALONE : 0;
        dgm_view *view = sample_view(ctx, &s, 1);
        dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
        bool worth;
        assert_int_equal(dgmi_draw_view_weigh_layout(ctx, view, &options, &worth), DGM_OK);
        assert_false(worth);
        operations[with] = view->layout_operations;
        dgm_view_free(view);
        free(s.links);
    }
    assert_near(operations[1] - operations[0], ALONE, 0);
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
        cmocka_unit_test(a_circle_writes_its_places_alone),
        cmocka_unit_test(circles_and_grids_do_not_overlap),
        cmocka_unit_test(a_circle_begins_at_the_top_and_is_round),
        cmocka_unit_test(nothing_to_lay_out_is_fine),
        cmocka_unit_test(large_views_are_laid_out),
        cmocka_unit_test(bytes_do_not_depend_on_threads),
        cmocka_unit_test(hubs_have_known_bytes_and_discs_apart),
        cmocka_unit_test(layouts_are_weighed_against_their_graph),
        cmocka_unit_test(what_no_picture_can_show_is_not_kept),
        cmocka_unit_test(a_failure_leaves_the_view_as_it_was),
        cmocka_unit_test(a_layout_costs_what_its_way_costs),
        cmocka_unit_test(marks_by_themselves_are_counted),
        cmocka_unit_test(links_of_a_mark_to_itself_are_none),
        cmocka_unit_test(what_is_no_layout_is_refused),
        cmocka_unit_test(marks_without_a_lens_are_laid_out_too),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
