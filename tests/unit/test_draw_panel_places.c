/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, links, marks and dust of a panel: their places, widths and colours on the page. */
#include "unit_fixture.h"

#include "figure_sample.h"
#include "list_sample.h"

/* ---- frames ---- */

static dgmi_draw_frame frame_of(int64_t marks, const double *x, const double *y,
                                const double *radius) {
    dgm_view view = {.kind = DGM_VIEW_POINTS, .marks = marks};
    dgmi_draw_panel panel = {.view = &view};
    dgmi_draw_plot plot = {.panel = &panel, .x = x, .y = y, .radius = radius};
    dgmi_draw_frame_of(&plot);
    return plot.frame;
}

static void a_frame_holds_all_discs(void **state) {
    (void)state;
    static const double x[] = {5, 2, 9}, y[] = {-4, 7, 1}, radius[] = {1, 3, 0.5};
    dgmi_draw_frame frame = frame_of(3, x, y, radius);
    assert_true(frame.left == -1 && frame.right == 9.5 && frame.bottom == -5 && frame.top == 10);
    assert_true(frame.largest == 3);
    frame = frame_of(1, x, y, radius);
    assert_true(frame.left == 4 && frame.right == 6 && frame.bottom == -5 && frame.top == -3);
    frame = frame_of(0, NULL, NULL, NULL);
    assert_true(frame.left == -1 && frame.right == 1 && frame.bottom == -1 && frame.top == 1);
    assert_true(frame.largest == 0);
}

/* It fills the shorter side of its box, in the middle of the longer one; but no mark is larger than
 * one and a half times the widest, 6.5 mm. */
static void a_frame_fits_its_box(void **state) {
    (void)state;
    dgmi_draw_frame frame = {.left = 10, .right = 30, .bottom = -5, .top = 5, .largest = 1};
    assert_near(dgmi_draw_frame_scale(&frame, 100, 80), 5, 1e-12);
    assert_near(dgmi_draw_frame_scale(&frame, 100, 40), 4, 1e-12);
    assert_near(dgmi_draw_frame_scale(&frame, 190, 100), 9.5, 1e-12);
    assert_near(dgmi_draw_frame_scale(&frame, 200, 100), 9.75, 1e-12);
    frame.largest = 2;
    assert_near(dgmi_draw_frame_scale(&frame, 200, 100), 4.875, 1e-12);
    frame.largest = 0;
    assert_near(dgmi_draw_frame_scale(&frame, 200, 100), 10, 1e-12);
    dgmi_draw_frame_fit(&frame, (dgmi_draw_box){3, 7, 100, 80});
    assert_near(frame.scale, 5, 1e-12);
    assert_near(dgmi_draw_frame_x(&frame, 10), 3, 1e-12);
    assert_near(dgmi_draw_frame_x(&frame, 30), 103, 1e-12);
    assert_near(dgmi_draw_frame_y(&frame, 5), 7 + 15, 1e-12); /* upwards */
    assert_near(dgmi_draw_frame_y(&frame, -5), 7 + 65, 1e-12);
    dgmi_draw_frame_fit(&frame, (dgmi_draw_box){3, 7, 100, 40});
    assert_near(dgmi_draw_frame_x(&frame, 10), 3 + 10, 1e-12);
    assert_near(dgmi_draw_frame_y(&frame, 5), 7, 1e-12);
}

static void a_mark_is_seen_however_small(void **state) {
    (void)state;
    static const double radius[] = {0.01, 0.5};
    dgmi_draw_plot plot = {.radius = radius, .shrink = 0.5, .frame = {.scale = 8}};
    assert_near(dgmi_draw_mark_radius(&plot, 0), 0.18, 1e-12);
    assert_near(dgmi_draw_mark_radius(&plot, 1), 2, 1e-12);
}

/* ---- links ---- */

static void links_are_as_wide_as_they_are_strong(void **state) {
    (void)state;
    dgm_view view = {.kind = DGM_VIEW_SUMMARY};
    dgmi_draw_panel panel = {.view = &view};
    dgmi_draw_plot plot = {.panel = &panel, .heaviest = 4, .widest = 16, .slim = 1};
    assert_near(dgmi_draw_link_width(&plot, 1), 1.3 / 4, 1e-12);
    assert_near(dgmi_draw_link_width(&plot, 0.1), 0.1, 1e-12);
    plot.slim = 0.5;
    assert_near(dgmi_draw_link_width(&plot, 1), 1.3 / 8, 1e-12);
    assert_near(dgmi_draw_link_width(&plot, 0), 0.05, 1e-12);
    plot.slim = 0.1;
    assert_near(dgmi_draw_link_width(&plot, 0), 0.04, 1e-12);
    plot.heaviest = 0;
    plot.slim = 1;
    assert_near(dgmi_draw_link_width(&plot, 0.5), 0.65, 1e-12);
    view.kind = DGM_VIEW_GRAPH;
    view.link_count = 1999;
    assert_near(dgmi_draw_link_width(&plot, 0.5), 0.15, 1e-12);
    view.link_count = 2000;
    assert_near(dgmi_draw_link_width(&plot, 0.5), 0.08, 1e-12);
}

static void the_heaviest_link_is_what_a_weight_of_1_counts(void **state) {
    (void)state;
    static double weighed[] = {1};
    dgm_summary_edge links[] = {{.shared = 2, .links = 9, .weight = 0.5},
                                {.shared = 4, .links = 3, .weight = 1},
                                {.shared = 1, .links = 6, .weight = 0.25}};
    dgm_view view = {.kind = DGM_VIEW_SUMMARY, .links = links, .link_count = 3};
    assert_int_equal(dgmi_draw_link_heaviest(&view), 4);
    view.weighed = weighed; /* shared weight is no count */
    assert_int_equal(dgmi_draw_link_heaviest(&view), 0);
    view.structural = true;
    assert_int_equal(dgmi_draw_link_heaviest(&view), 0); /* weights are those of shared nodes */
    links[0].weight = 1;
    links[1].weight = 1.0 / 3;
    links[2].weight = 2.0 / 3;
    assert_int_equal(dgmi_draw_link_heaviest(&view), 9);
    links[2].weight += 2e-6;
    assert_int_equal(dgmi_draw_link_heaviest(&view), 0);
    view.link_count = 2;
    assert_int_equal(dgmi_draw_link_heaviest(&view), 9);
    view.link_count = 0;
    assert_int_equal(dgmi_draw_link_heaviest(&view), 0);
}

/* A page with the view at 1 mm a unit, (0, 0) at (50, 50). */
static dgm_figure *open_view(sheet *s, dgm_view *view, dgmi_draw_colour *fill) {
    dgm_figure *figure;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.names = "0";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
    sheet_open(s, figure, (dgmi_draw_box){0, 0, 100, 100});
    s->plot.x = view->x;
    s->plot.y = view->y;
    s->plot.radius = view->radius;
    s->plot.paint.fill = fill;
    s->plot.colour = "lens";
    s->plot.frame = (dgmi_draw_frame){.scale = 1, .x = 50, .y = 50};
    return figure;
}

/* Of a summary with more than 3,000 links and of any graph they are paler. */
static void many_links_are_pale(void **state) {
    (void)state;
    static const struct {
        int64_t links;
        bool graph, backed;
        double opacity, width; /* a width of 0: that of its weight */
    } cases[] = {
        {3000, false, false, 0.7, 0}, {3001, false, false, 0.45, 0},
        {100, true, false, 0.5, 0},   {8099, true, false, 30 / 90.0, 0},
        {100, true, true, 0.9, 0.25}, {100, false, true, 0.7, 0},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view *view = ring(ctx, 100, cases[i].links - 100);
        dgmi_draw_colour fill[100] = {{0, 0, 0}};
        sheet s;
        view->kind = cases[i].graph ? DGM_VIEW_GRAPH : DGM_VIEW_SUMMARY;
        dgm_figure *figure = open_view(&s, view, fill);
        s.page.backed = cases[i].backed;
        assert_int_equal(dgmi_draw_panel_choose(ctx, &s.plot), DGM_OK);
        assert_int_equal(dgmi_draw_panel_draw(&s.page, &s.plot, 0), DGM_OK);
        assert_string_equal(word_at(&s, next_item(&s, DGMI_DRAW_ITEM_OPEN)->text), "edges");
        double before = -1;
        for (int64_t l = 0; l < cases[i].links; l++) {
            const dgmi_draw_item *line = next_item(&s, DGMI_DRAW_ITEM_LINE);
            assert_near(line->opacity, cases[i].opacity, 1e-9);
            assert_true(same_colour(line->stroke, sample_look.link));
            assert_true(line->width >= before); /* heavy ones lie on top */
            before = line->width;
            if (cases[i].width > 0)
                assert_near(line->width, cases[i].width, 1e-12);
        }
        next_item(&s, DGMI_DRAW_ITEM_CLOSE);
        sheet_close(&s);
        dgm_figure_free(figure);
        dgm_view_free(view);
    }
}

static void at_most_60000_links_are_drawn(void **state) {
    (void)state;
    static dgm_summary_edge links[60003];
    dgm_view view = {.kind = DGM_VIEW_SUMMARY, .links = links};
    dgmi_draw_panel panel = {.view = &view};
    static const struct {
        int64_t count, light; /* links of half the weight */
        dgmi_draw_choice choice;
    } cases[] = {{60000, 0, 0},
                 {60001, 0, DGMI_DRAW_CHOICE_SAMPLE},
                 {60003, 3, DGMI_DRAW_CHOICE_HEAVIEST},
                 {60003, 4, DGMI_DRAW_CHOICE_BOTH},
                 {60003, 2, DGMI_DRAW_CHOICE_SAMPLE}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_draw_plot plot = {.panel = &panel};
        view.link_count = cases[i].count;
        for (int64_t l = 0; l < cases[i].count; l++)
            links[l].weight = l % 10000 == 7 && l / 10000 < cases[i].light ? 0.5 : 1;
        assert_int_equal(dgmi_draw_panel_choose(ctx, &plot), DGM_OK);
        assert_int_equal(plot.thin, cases[i].count - 60000);
        assert_int_equal(plot.order != NULL, plot.thin > 0);
        for (int64_t l = 0; plot.thin && l < cases[i].light; l++)
            assert_near(links[plot.order[l]].weight, 0.5, 0); /* they are left out first */
        if (plot.thin)
            assert_int_equal(plot.choice, cases[i].choice);
        dgmi_arena_release(ctx, hold);
    }
}

/* ---- marks ---- */

/* Large ones first, of equal ones the last; small ones have no line unless they are pale. */
static void marks_have_lines_of_their_colour(void **state) {
    (void)state;
    enum { MARKS = 5 };
    static const double x[] = {1, 2, 3, 4, 5}, radius[] = {0.4, 1.2, 0.41, 1.21, 0.4};
    static const int order[] = {3, 1, 2, 4, 0};
    dgm_view *view = ring(ctx, MARKS, 0);
    dgmi_draw_colour fill[MARKS];
    for (int m = 0; m < MARKS; m++)
        fill[m] = m == 4 ? (dgmi_draw_colour){250, 250, 250} : (dgmi_draw_colour){200, 10 * m, 0};
    assert_int_equal(dgm_view_set_places(ctx, view, x, x, radius), DGM_OK);
    for (int64_t count = 1; count <= 2; count++) {
        sheet s;
        dgm_figure *figure = open_view(&s, view, fill);
        s.page.count = count;
        assert_int_equal(dgmi_draw_panel_draw(&s.page, &s.plot, 1), DGM_OK);
        while (s.list.items[s.at].kind != DGMI_DRAW_ITEM_DISC)
            s.at++;
        assert_string_equal(word_at(&s, s.list.items[s.at - 1].text),
                            count == 1 ? "nodes" : "p2-nodes");
        for (int i = 0; i < MARKS; i++) {
            int m = order[i];
            char id[16];
            const dgmi_draw_item *disc = expect_disc(&s, 50 + x[m], 50 - x[m], radius[m], fill[m]);
            snprintf(id, sizeof id, count == 1 ? "n%d" : "p2-n%d", m);
            assert_string_equal(word_at(&s, disc->id), id);
            assert_int_equal(disc->stroked, m != 0);
            assert_near(disc->width, m == 3 ? 0.15 : 0.1, 1e-12);
            assert_true(same_colour(disc->stroke, dgmi_draw_colour_mix(fill[m], sample_look.ink,
                                                                       m == 4 ? 0.55 : 0.45)));
        }
        next_item(&s, DGMI_DRAW_ITEM_CLOSE);
        sheet_close(&s);
        dgm_figure_free(figure);
    }
    dgm_view_free(view);
}

static void an_empty_view_says_so_in_the_middle(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        dgm_view *view = ring(ctx, 0, 0);
        sheet s;
        view->kind = kind == 0 ? DGM_VIEW_SUMMARY : DGM_VIEW_POINTS;
        dgm_figure *figure = open_view(&s, view, NULL);
        assert_int_equal(dgmi_draw_panel_draw(&s.page, &s.plot, 0), DGM_OK);
        while (s.list.items[s.at].kind != DGMI_DRAW_ITEM_TEXT)
            s.at++;
        const dgmi_draw_item *text = next_item(&s, DGMI_DRAW_ITEM_TEXT);
        assert_places(text, 50, 49, 8, 0);
        assert_int_equal(text->anchor, DGMI_DRAW_ANCHOR_MIDDLE);
        assert_string_equal(word_at(&s, text->text),
                            kind == 0 ? "No clusters." : "Nothing to draw.");
        if (kind == 0)
            expect_text(&s, 50, 53.1, DGMI_DRAW_ANCHOR_MIDDLE, sample_look.faint,
                        "The filters left none, or the graph has no nodes.");
        next_item(&s, DGMI_DRAW_ITEM_CLOSE);
        sheet_close(&s);
        dgm_figure_free(figure);
        dgm_view_free(view);
    }
}

/* ---- dust ---- */

/* From 0.7 mm on it has three grains, which grow with it up to 0.4 mm and spread up to 2.5 mm. */
static void dust_has_grains_where_they_can_be_seen(void **state) {
    (void)state;
    static const struct {
        double radius, width, grain, spread; /* a grain of 0: none */
        bool small;
    } cases[] = {{0.7, 0.1, 0, 0, true},
                 {0.71, 0.12, 0.16 * 0.71, 0.71, false},
                 {1.2, 0.12, 0.16 * 1.2, 1.2, false},
                 {1.21, 0.2, 0.16 * 1.21, 1.21, false},
                 {2.4, 0.2, 0.16 * 2.4, 2.4, false},
                 {4, 0.2, 0.4, 2.5, false}};
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        sheet s;
        sheet_open(&s, figure, (dgmi_draw_box){0, 0, 100, 100});
        dgmi_draw_dust_disc(&s.page, 10, 20, cases[i].radius);
        dgmi_draw_dust_grains(&s.page, 10, 20, cases[i].radius);
        const dgmi_draw_item *disc =
            expect_disc(&s, 10, 20, cases[i].radius,
                        dgmi_draw_colour_mix(sample_look.ground, sample_look.faint, 0.12));
        assert_true(disc->stroked);
        assert_near(disc->width, cases[i].width, 1e-12);
        assert_true(same_colour(
            disc->stroke, cases[i].small
                              ? dgmi_draw_colour_mix(sample_look.ground, sample_look.faint, 0.6)
                              : sample_look.faint));
        if (cases[i].grain > 0) {
            double spread = cases[i].spread;
            expect_disc(&s, 10, 20 - 0.42 * spread, cases[i].grain, sample_look.faint);
            expect_disc(&s, 10 - 0.38 * spread, 20 + 0.26 * spread, cases[i].grain,
                        sample_look.faint);
            expect_disc(&s, 10 + 0.38 * spread, 20 + 0.26 * spread, cases[i].grain,
                        sample_look.faint);
        }
        assert_int_equal(s.at, s.list.count);
        sheet_close(&s);
    }
    dgm_figure_free(figure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_holds_all_discs),
        cmocka_unit_test(a_frame_fits_its_box),
        cmocka_unit_test(a_mark_is_seen_however_small),
        cmocka_unit_test(links_are_as_wide_as_they_are_strong),
        cmocka_unit_test(the_heaviest_link_is_what_a_weight_of_1_counts),
        cmocka_unit_test(many_links_are_pale),
        cmocka_unit_test(at_most_60000_links_are_drawn),
        cmocka_unit_test(marks_have_lines_of_their_colour),
        cmocka_unit_test(an_empty_view_says_so_in_the_middle),
        cmocka_unit_test(dust_has_grains_where_they_can_be_seen),
    };
    return RUN_WITH_CONTEXT(tests);
}
