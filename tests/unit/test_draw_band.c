/* SPDX-License-Identifier: Apache-2.0 */
/* Bands: strips across a panel between two heights, with a bar and a name at the side. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "back_sample.h"

/* One unit is one millimetre, and y = 0 the lower end of the page. */
static const double corners[] = {1, 1, 99, 99};

static void add_band(back_sample *s, double low, double high, int64_t colour, const char *name) {
    assert_int_equal(dgm_figure_add_band(s->figure, 0, low, high, colour, name), DGM_OK);
}

/* The items of that kind, in their order; returns how many there are. */
static int64_t find_items(const back_sample *s, dgmi_draw_item_kind kind,
                          const dgmi_draw_item *out[16]) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->list.count; i++)
        if (s->list.items[i].kind == kind && count < 16)
            out[count++] = &s->list.items[i];
    return count;
}

static void a_band_lies_between_its_heights(void **state) {
    (void)state;
    const dgmi_draw_item *rects[16], *lines[16], *texts[16];
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, 20, 50, 2, "U1");
    lay_sample(&s);
    assert_int_equal(dgmi_draw_band_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_RECT, rects), 2); /* the strip and its bar */
    double right = 100 - dgmi_draw_band_room(&s.figure->panels[0]).right;
    assert_near(rects[0]->x, 0, 1e-9);
    assert_near(rects[0]->a, right, 1e-9);
    for (int i = 0; i < 2; i++) {
        assert_near(rects[i]->y, 50, 1e-9); /* the page has y downwards */
        assert_near(rects[i]->b, 30, 1e-9);
    }
    assert_true(rects[0]->opacity < 0.5 && rects[1]->opacity == 1);
    assert_true(rects[1]->x > right);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_LINE, lines), 2);
    assert_near(lines[0]->y, 50, 1e-9);
    assert_near(lines[1]->y, 80, 1e-9);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_TEXT, texts), 1);
    assert_string_equal(dgmi_draw_list_string(&s.list, texts[0]->text), "U1");
    assert_true(texts[0]->x > rects[1]->x + rects[1]->a);
    assert_near(texts[0]->y, 65, 1.5); /* at the middle */
    assert_true(texts[0]->x + dgmi_draw_text_width("U1", DGMI_DRAW_SMALL, false) < 100 + 1e-9);
    close_sample(&s);
}

static void bars_of_bands_that_overlap_stand_side_by_side(void **state) {
    (void)state;
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, 0, 30, 0, NULL);
    add_band(&s, 20, 50, 1, NULL);
    add_band(&s, 40, 70, 2, NULL); /* it does not meet the first */
    add_band(&s, 25, 45, 3, NULL); /* it meets all of them */
    add_band(&s, 70, 90, 4, NULL); /* it touches one */
    const dgmi_draw_band *bands = s.figure->panels[0].bands;
    assert_int_equal(bands[0].column, 0);
    assert_int_equal(bands[1].column, 1);
    assert_int_equal(bands[2].column, 0);
    assert_int_equal(bands[3].column, 2);
    assert_int_equal(bands[4].column, 0);
    close_sample(&s);
}

static void what_lies_outside_the_panel_is_cut_off(void **state) {
    (void)state;
    const dgmi_draw_item *rects[16];
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, -INFINITY, 40, 0, NULL);
    add_band(&s, 60, INFINITY, 1, NULL);
    add_band(&s, 200, 300, 2, "nowhere");
    lay_sample(&s);
    assert_int_equal(dgmi_draw_band_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_RECT, rects), 4);
    assert_near(rects[0]->y, 0, 1e-9); /* from above */
    assert_near(rects[0]->b, 40, 1e-9);
    assert_near(rects[2]->y, 60, 1e-9);
    assert_near(rects[2]->b, 40, 1e-9);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_TEXT, rects), 0);
    close_sample(&s);
}

static void names_of_near_bands_are_a_line_apart(void **state) {
    (void)state;
    const dgmi_draw_item *texts[16];
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, 50, 51, 0, "c");
    add_band(&s, 51, 52, 1, "b");
    add_band(&s, 52, 53, 2, "a");
    lay_sample(&s);
    assert_int_equal(dgmi_draw_band_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_TEXT, texts), 3);
    for (int i = 0; i < 3; i++) /* from above, whatever the order in which they came */
        assert_string_equal(dgmi_draw_list_string(&s.list, texts[i]->text),
                            ((const char *const[]){"a", "b", "c"})[i]);
    for (int i = 1; i < 3; i++)
        assert_near(texts[i]->y - texts[i - 1]->y, DGMI_DRAW_LINE, 1e-9);
    close_sample(&s);
}

static void a_long_name_is_cut(void **state) {
    (void)state;
    const dgmi_draw_item *texts[16];
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, 10, 20, 0, "a name that is far too long for the side of a panel");
    lay_sample(&s);
    assert_int_equal(dgmi_draw_band_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(find_items(&s, DGMI_DRAW_ITEM_TEXT, texts), 1);
    const char *shown = dgmi_draw_list_string(&s.list, texts[0]->text);
    ASSERT_HAS(shown, "\xe2\x80\xa6");
    assert_true(texts[0]->x + dgmi_draw_text_width(shown, DGMI_DRAW_SMALL, false) < 100 + 1e-9);
    close_sample(&s);
}

static void bands_are_a_layer_behind_links_and_marks(void **state) {
    (void)state;
    back_sample s;
    char *svg;
    size_t length;
    open_sample(&s, ctx, 2, corners);
    add_band(&s, 10, 90, 0, "U & V");
    assert_int_equal(dgm_figure_render(ctx, s.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    const char *layer = strstr(svg, "<g id=\"bands\""), *edges = strstr(svg, "<g id=\"edges\"");
    assert_true(layer && edges && layer < edges);
    ASSERT_HAS(svg, ">U &amp; V</text>");
    ASSERT_HAS(svg, "<title>U &amp; V</title>");
    dgm_figure_bytes_free(ctx, svg);
    close_sample(&s);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    back_sample s;
    open_sample(&s, ctx, 2, corners);
    ASSERT_FAILS(dgm_figure_add_band(s.figure, 1, 0, 1, 0, NULL), DGM_ERROR_USAGE,
                 "panel 1 of 1 shows no view");
    ASSERT_FAILS(dgm_figure_add_band(s.figure, 0, 0, 1, -2, NULL), DGM_ERROR_USAGE,
                 "colour -2 is none: the first is 0");
    ASSERT_FAILS(dgm_figure_add_band(s.figure, 0, 1, 1, 0, NULL), DGM_ERROR_USAGE,
                 "a band from 1 to 1 has no height");
    ASSERT_FAILS(dgm_figure_add_band(s.figure, 0, NAN, 1, 0, NULL), DGM_ERROR_USAGE,
                 "a band from nan to 1 has no height");
    close_sample(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_band_lies_between_its_heights),
        cmocka_unit_test(bars_of_bands_that_overlap_stand_side_by_side),
        cmocka_unit_test(what_lies_outside_the_panel_is_cut_off),
        cmocka_unit_test(names_of_near_bands_are_a_line_apart),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(bands_are_a_layer_behind_links_and_marks),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
