/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a legend: what they say of sizes and widths, and where it stands. */
#include "unit_fixture.h"

#include "figure_sample.h"
#include "list_sample.h"

#include "draw_legend.h"

#define SMALL   (7 * 25.4 / 72) /* mm, the height of small letters */
#define LINES   (SMALL * 1.25)  /* mm, from line to line of wrapped text */
#define HEADING (LINES + 0.8)   /* mm, a heading of one line */
#define BASE    (SMALL * 0.35)  /* mm from the middle of small letters to their ground */

/* A view of three marks on a page of one unit a millimetre. */
static dgm_figure *open_three(sheet *s, dgm_view **view, const int64_t *size,
                              const double *radius) {
    static const double x[] = {0, 10, 20};
    dgm_figure *figure;
    *view = ring(ctx, 3, 0);
    assert_int_equal(dgm_view_set_places(ctx, *view, x, x, radius), DGM_OK);
    for (int m = 0; m < 3; m++)
        (*view)->size[m] = size[m];
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, *view, NULL, NULL, NULL, 0), DGM_OK);
    sheet_open(s, figure, (dgmi_draw_box){0, 0, 100, 100});
    s->plot.radius = (*view)->radius;
    s->plot.frame.scale = 1;
    return figure;
}

static void close_three(sheet *s, dgm_view *view, dgm_figure *figure) {
    sheet_close(s);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

static void expect_heading(sheet *s, double x, double y, const char *words) {
    assert_true(
        expect_text(s, x, y + 0.8 * SMALL, DGMI_DRAW_ANCHOR_START, sample_look.ink, words)->bold);
}

/* A line around a disc that is not filled. */
static void expect_circle(sheet *s, double x, double y, double radius, dgmi_draw_colour ink,
                          double width) {
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_DISC);
    assert_places(item, x, y, radius, 0);
    assert_true(item->stroked && !item->filled && same_colour(item->stroke, ink));
    assert_near(item->width, width, 1e-12);
}

/* ---- sizes ---- */

/* The largest, one whose radius is nearest to the middle, and the smallest; numbers are lines
 * apart, the lowest half a line over the ground. */
static void sizes_are_discs_on_one_ground(void **state) {
    (void)state;
    static const struct {
        int64_t size[3];
        double radius[3];
        int count;
        int order[3];
        double at[3]; /* of the numbers, over the ground */
        const char *words[3];
    } cases[] = {
        {{40, 1000, 5}, {3, 5, 1}, 3, {1, 0, 2}, {9.7, 5.7, 1.7}, {"1,000", "40", "5"}},
        {{9, 9, 5}, {3, 3, 1}, 2, {0, 2}, {5.7, 1.7}, {"9", "5"}},
        {{9, 9, 9}, {3, 3, 3}, 1, {0}, {5.7}, {"9"}},
        /* too near each other for their numbers */
        {{3, 2, 1}, {0.5, 0.4, 0.3}, 3, {0, 1, 2}, {7.35, 4.25, 1.15}, {"3", "2", "1"}},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        sheet s;
        dgm_view *view;
        dgm_figure *figure = open_three(&s, &view, cases[i].size, cases[i].radius);
        double largest = cases[i].radius[cases[i].order[0]];
        double high = dgmi_draw_legend_sizes(&s.page, &s.plot, 10, 20, 50);
        double ground = 20 + HEADING + fmax(2 * largest + 0.4, 3.1 * cases[i].count);
        assert_near(high, ground + 0.5 - 20, 1e-9);
        expect_heading(&s, 10, 20, "size: nodes");
        for (int k = 0; k < cases[i].count; k++) {
            double r = cases[i].radius[cases[i].order[k]], label = 10 + 2 * largest + 2.6;
            double y = ground - cases[i].at[k];
            expect_circle(&s, 10 + largest + 0.2, ground - r, r, sample_look.faint, 0.2);
            expect_line(&s, 10 + largest + 0.2, ground - 2 * r, label - 0.6, y, 0.1,
                        sample_look.faint);
            expect_text(&s, label, y + BASE, DGMI_DRAW_ANCHOR_START, sample_look.ink,
                        cases[i].words[k]);
        }
        assert_int_equal(s.at, s.list.count);
        close_three(&s, view, figure);
    }
}

static void sizes_that_look_alike_are_said_in_words(void **state) {
    (void)state;
    static const int64_t size[] = {1200, 30, 2};
    static const double near[] = {1, 0.99, 0.9801}, far[] = {1, 0.99, 0.9799};
    sheet s;
    dgm_view *view;
    dgm_figure *figure = open_three(&s, &view, size, near);
    assert_true(dgmi_draw_legend_sizes_alike(&s.page));
    double high = dgmi_draw_legend_one_size(&s.page, &s.plot, 10, 20, 90);
    assert_near(high, LINES, 1e-9);
    expect_text(&s, 10, 20 + 0.8 * SMALL, DGMI_DRAW_ANCHOR_START, sample_look.faint,
                "a mark is a cluster of 2 to 1,200 nodes; all have one size");
    close_three(&s, view, figure);
    figure = open_three(&s, &view, size, far);
    assert_false(dgmi_draw_legend_sizes_alike(&s.page));
    close_three(&s, view, figure);
    figure = open_three(&s, &view, (const int64_t[]){4, 4, 4}, (const double[]){1, 1, 1});
    assert_false(dgmi_draw_legend_sizes_alike(&s.page)); /* one size is not several */
    close_three(&s, view, figure);
}

/* ---- widths ---- */

/* The widest, the thinnest that there is, and one between them; the same number only once. */
static void widths_are_explained_by_three_lines(void **state) {
    (void)state;
    static const struct {
        double weights[3];
        int64_t heaviest, widest;
        const char *heading;
        int count;
        double widths[3];
        const char *words[3];
    } cases[] = {
        {{1, 0.5, 0.25},
         8,
         8,
         "width: shared nodes",
         3,
         {1.3, 1.3 * 5 / 8, 1.3 / 4},
         {"8", "5", "2"}},
        {{1, 1, 1}, 8, 8, "width: shared nodes", 1, {1.3}, {"8"}},
        {{1, 1, 0.5}, 2, 2, "width: shared nodes", 2, {1.3, 0.65}, {"2", "1"}},
        {{1, 0.5, 0.2}, 0, 0, "width: weight", 3, {1.3, 0.78, 0.26}, {"1", "0.6", "0.2"}},
        {{1, 0.5, 0.5},
         4,
         16,
         "width: shared nodes",
         3,
         {1.3, 1.3 * 9 / 16, 1.3 * 2 / 16},
         {"16", "9", "2"}},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        sheet s;
        dgm_view *view;
        dgm_figure *figure =
            open_three(&s, &view, (const int64_t[]){1, 2, 3}, (const double[]){1, 1, 1});
        assert_int_equal(view->link_count, 3);
        for (int l = 0; l < 3; l++)
            view->own.links[l].weight = cases[i].weights[l];
        s.plot.heaviest = cases[i].heaviest;
        s.plot.widest = cases[i].widest;
        double high = dgmi_draw_legend_widths(&s.page, &s.plot, 10, 20, 50);
        assert_near(high, HEADING + 3.1 * cases[i].count, 1e-9);
        expect_heading(&s, 10, 20, cases[i].heading);
        for (int k = 0; k < cases[i].count; k++) {
            double y = 20 + HEADING + 3.1 * k + 1.5;
            const dgmi_draw_item *line =
                expect_line(&s, 10.6, y, 17, y, cases[i].widths[k], sample_look.link);
            assert_near(line->opacity, 0.8, 1e-12);
            expect_text(&s, 18.2, y + BASE, DGMI_DRAW_ANCHOR_START, sample_look.ink,
                        cases[i].words[k]);
        }
        assert_int_equal(s.at, s.list.count);
        close_three(&s, view, figure);
    }
}

static void widths_are_called_what_they_are(void **state) {
    (void)state;
    static double weighed[] = {1, 2, 3};
    for (int k = 0; k < 4; k++) {
        sheet s;
        dgm_view *view;
        dgm_figure *figure =
            open_three(&s, &view, (const int64_t[]){1, 2, 3}, (const double[]){1, 1, 1});
        double *before = view->weighed;
        s.plot.heaviest = s.plot.widest = k < 2 ? 4 : 0;
        view->structural = k % 2 == 1;
        view->weighed = k == 2 ? weighed : before;
        dgmi_draw_legend_widths(&s.page, &s.plot, 10, 20, 50);
        expect_heading(&s, 10, 20,
                       k == 0   ? "width: shared nodes"
                       : k == 1 ? "width: graph edges"
                       : k == 2 ? "width: shared weight"
                                : "width: weight");
        view->weighed = before;
        close_three(&s, view, figure);
    }
}

/* ---- the rest ---- */

static void dots_are_nodes_or_points(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        sheet s;
        dgm_view *view;
        dgm_figure *figure =
            open_three(&s, &view, (const int64_t[]){1, 1, 1}, (const double[]){1, 1, 1});
        view->kind = k == 0 ? DGM_VIEW_GRAPH : DGM_VIEW_POINTS;
        view->source = k == 2 ? "" : "ring";
        assert_near(dgmi_draw_legend_nodes(&s.page, &s.plot, 10, 20, 50), LINES, 1e-9);
        expect_text(&s, 10, 20 + 0.8 * SMALL, DGMI_DRAW_ANCHOR_START, sample_look.faint,
                    k == 0   ? "a dot is a node, a line an edge"
                    : k == 1 ? "a dot is a node"
                             : "a dot is a point");
        close_three(&s, view, figure);
    }
}

static void a_ring_is_explained_beside_one(void **state) {
    (void)state;
    sheet s;
    dgm_view *view;
    dgm_figure *figure =
        open_three(&s, &view, (const int64_t[]){1, 1, 1}, (const double[]){1, 1, 1});
    for (int named = 0; named < 2; named++) {
        if (named)
            assert_int_equal(dgm_figure_set_ring(figure, "of note"), DGM_OK);
        assert_near(dgmi_draw_legend_ring(&s.page, &s.plot, 10, 20, 60), 3.1, 1e-9);
        expect_circle(&s, 11.5, 21.6, 1.3, sample_look.ring, 0.45);
        expect_text(&s, 14.2, 20.2 + 0.8 * SMALL, DGMI_DRAW_ANCHOR_START, sample_look.ink,
                    named ? "of note" : "they disagree most");
    }
    close_three(&s, view, figure);
}

/* Marks without a value have a swatch under the bar of colours, lying or upright. */
static void marks_without_a_value_are_counted_under_the_bar(void **state) {
    (void)state;
    for (int across = 0; across < 2; across++)
        for (int64_t unknown = 0; unknown <= 1; unknown++) {
            sheet s;
            dgm_view *view;
            dgm_figure *figure =
                open_three(&s, &view, (const int64_t[]){1, 1, 1}, (const double[]){1, 1, 1});
            s.page.across = across;
            s.plot.paint = (dgmi_draw_paint){.title = "t", .unknown = unknown};
            s.plot.paint.scale.kind = DGMI_DRAW_PAINT_RAMP;
            s.plot.paint.scale.high[0] = 10;
            double high = dgmi_draw_legend_ramp(&s.page, &s.plot, 10, 20, 40);
            double bar = across ? HEADING + 0.4 + 3.8 + 3.1 : HEADING + 0.8 + 20 + 1.2;
            assert_near(high, bar + (unknown ? 4.1 : 0), 1e-9);
            if (unknown) {
                double y = 20 + bar + 1;
                s.at = s.list.count - 2;
                const dgmi_draw_item *swatch =
                    expect_rect(&s, 10, y, 2.2, 2.2, dgmi_draw_unknown_colour(DGM_THEME_LIGHT));
                assert_true(swatch->stroked && same_colour(swatch->stroke, sample_look.faint));
                assert_near(swatch->width, 0.12, 1e-12);
                expect_text(&s, 13.4, y + 1.1 + BASE, DGMI_DRAW_ANCHOR_START, sample_look.faint,
                            "no value (1)");
            }
            close_three(&s, view, figure);
        }
}

/* Where a scale has a middle, the middle of the map is there, and each half of the map fills its
 * side; each of 48 shades reaches under its neighbour. */
static void a_bar_of_colours_is_centred_on_its_middle(void **state) {
    (void)state;
    static const double middles[] = {-1, 2.5, 0, 10}; /* below 0: there is none */
    for (int64_t i = 0; i < 2 * COUNT(middles); i++) {
        sheet s;
        dgm_view *view;
        dgm_figure *figure =
            open_three(&s, &view, (const int64_t[]){1, 1, 1}, (const double[]){1, 1, 1});
        double middle = middles[i / 2], part = middle / 10;
        bool across = i % 2 == 1;
        s.page.across = across;
        s.plot.paint = (dgmi_draw_paint){.title = "t", .map = DGMI_DRAW_COLORMAP_COOLWARM};
        s.plot.paint.scale = (dgmi_draw_paint_scale){
            .kind = DGMI_DRAW_PAINT_RAMP, .high = {10}, .centred = middle >= 0, .middle = middle};
        dgmi_draw_legend_ramp(&s.page, &s.plot, 10, 20, 40);
        expect_heading(&s, 10, 20, "t");
        double top = 20 + HEADING + (across ? 0.4 : 0.8), length = 30;
        for (int k = 0; k < 48; k++) { /* upwards, or from the right */
            int shade = across ? 47 - k : k;
            double share = across ? (shade + 0.5) / 48 : 1 - (shade + 0.5) / 48;
            double at = middle < 0     ? share
                        : share < part ? share / part / 2
                                       : 0.5 + (share - part) / (1 - part) / 2;
            dgmi_draw_colour colour = dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOLWARM, at);
            int under = shade < 47 ? 2 : 1;
            if (across)
                expect_rect(&s, 11.6 + length * shade / 48, top, length / 48 * under, 3, colour);
            else
                expect_rect(&s, 10, top + 20.0 * shade / 48, 3, 20.0 / 48 * under, colour);
        }
        const dgmi_draw_item *frame =
            across ? expect_rect(&s, 11.6, top, length, 3, sample_look.ground)
                   : expect_rect(&s, 10, top, 3, 20, sample_look.ground);
        assert_true(!frame->filled && frame->stroked &&
                    same_colour(frame->stroke, sample_look.faint));
        close_three(&s, view, figure);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_discs_on_one_ground),
        cmocka_unit_test(sizes_that_look_alike_are_said_in_words),
        cmocka_unit_test(widths_are_explained_by_three_lines),
        cmocka_unit_test(widths_are_called_what_they_are),
        cmocka_unit_test(dots_are_nodes_or_points),
        cmocka_unit_test(a_ring_is_explained_beside_one),
        cmocka_unit_test(marks_without_a_value_are_counted_under_the_bar),
        cmocka_unit_test(a_bar_of_colours_is_centred_on_its_middle),
    };
    return RUN_WITH_CONTEXT(tests);
}
