/* SPDX-License-Identifier: Apache-2.0 */
/* Where regions and bands, their lines and their names stand, in millimetres. */
#include "unit_fixture.h"

#include <math.h>

#include "back_sample.h"
#include "list_sample.h"

/* One unit of these is one millimetre, and the page has y downwards: (x, y) is at (x, 100 - y). */
enum { MOST = 24 };
static const double frame_of_all[] = {1, 1, 99, 99};

/* The frame of the page is held by its first two marks, in the corners. */
static void open_places(back_sample *s, int64_t count, const double *places) {
    double all[2 * MOST];
    assert_true(count + 2 <= MOST);
    memcpy(all, frame_of_all, sizeof frame_of_all);
    for (int64_t i = 0; i < 2 * count; i++)
        all[4 + i] = places[i];
    open_sample(s, ctx, count + 2, all);
}

static void add_region(back_sample *s, int64_t count, const uint32_t *marks, int64_t colour,
                       const char *name) {
    assert_int_equal(dgm_figure_add_region(s->figure, 0, marks, count, colour, name), DGM_OK);
}

static const char *words_of(const back_sample *s, int64_t offset) {
    return offset < 0 ? "" : dgmi_draw_list_string(&s->list, offset);
}

/* ---- regions ---- */

/* Marks of radius 1 have outlines 0.8 mm away, and three of these in turn 0.35 mm more each. */
static void outlines_are_a_little_farther_than_their_marks(void **state) {
    (void)state;
    static const double distances[] = {1.8, 2.15, 2.5, 1.8};
    static const int64_t colours[] = {0, 11, 12, 25};
    for (int dark = 0; dark < 2; dark++) {
        back_sample s;
        open_places(&s, 1, (const double[]){40, 70});
        s.figure->options.theme = dark ? DGM_THEME_DARK : DGM_THEME_LIGHT;
        for (int i = 0; i < 4; i++)
            add_region(&s, i == 3 ? 2 : 1, (const uint32_t[]){2, 0}, colours[i],
                       i == 1 ? "n" : NULL);
        lay_sample(&s);
        s.page.look.ink = (dgmi_draw_colour){10, 20, 30};
        assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
        assert_int_equal(s.list.count, 8);
        for (int i = 0; i < 8; i++) {
            const dgmi_draw_item *item = &s.list.items[i];
            dgmi_draw_colour fill = dgmi_draw_class_colour(
                DGM_STYLE_DEFAULT, s.figure->options.theme, (int)(colours[i % 4] % 12));
            assert_near(item->a, distances[i % 4], 1e-9);
            assert_near(item->opacity, i >= 4 ? 0.9 : dark ? 0.26 : 0.2, 1e-9);
            assert_near(item->width, 0.35, 1e-9);
            assert_true(item->filled == (i < 4) && item->stroked == (i >= 4));
            assert_true(same_colour(item->fill, fill));
            assert_true(
                same_colour(item->stroke, dgmi_draw_colour_mix(fill, s.page.look.ink, 0.25)));
            assert_string_equal(words_of(&s, item->title), i % 4 == 3   ? "2 points"
                                                           : i % 4 == 1 ? "n: 1 point"
                                                                        : "1 point");
            if (i % 4 != 3) {
                assert_int_equal(item->kind, DGMI_DRAW_ITEM_DISC);
                assert_near(item->x, 40, 1e-9);
                assert_near(item->y, 30, 1e-9);
            }
        }
        close_sample(&s);
    }
}

/* Room for the farthest outline and half of its line, and above and below for a name. */
static void a_panel_leaves_room_for_outlines_and_names(void **state) {
    (void)state;
    double around = 0.8 + 0.7 + 0.175, name = 0.5 + 7 * 25.4 / 72;
    back_sample s;
    open_places(&s, 1, (const double[]){50, 50});
    for (int regions = 0; regions < 3; regions++) {
        dgmi_draw_room room = dgmi_draw_region_room(&s.figure->panels[0]);
        double above = around + (regions == 2 ? name : 0);
        assert_near(room.left, regions ? around : 0, 1e-9);
        assert_near(room.right, regions ? around : 0, 1e-9);
        assert_near(room.above, regions ? above : 0, 1e-9);
        assert_near(room.below, regions ? above : 0, 1e-9);
        add_region(&s, 1, (const uint32_t[]){2}, 0, regions == 1 ? "a" : NULL);
    }
    close_sample(&s);
}

/* Lays a region around marks 2 .. `own` + 1 out with these places, and finds where its name stands;
 * returns whether it does. */
static bool find_name(int64_t own, int64_t count, const double *places, const char *name,
                      dgmi_draw_box *box) {
    static const uint32_t marks[] = {2, 3};
    back_sample s;
    dgmi_draw_box taken[1];
    int64_t found;
    open_places(&s, count, places);
    add_region(&s, own, marks, 0, name);
    lay_sample(&s);
    for (int64_t m = 2 + own; m < count + 2; m++) /* in the way */
        s.view->radius[m] = 0.5;
    assert_int_equal(dgmi_draw_region_name(&s.page, &s.plot, taken, &found), DGM_OK);
    assert_int_equal(found, s.list.count);
    if (found) {
        const dgmi_draw_item *text = &s.list.items[0];
        *box = taken[0];
        assert_string_equal(words_of(&s, text->text), name);
        assert_near(text->x, box->x + box->width / 2, 1e-9);
        assert_near(text->y, box->y + 0.8 * box->height, 1e-9);
        assert_near(text->width, 0.5, 1e-9);
        assert_true(text->stroked && same_colour(text->stroke, s.page.look.ground));
        assert_int_equal(text->anchor, DGMI_DRAW_ANCHOR_MIDDLE);
    }
    close_sample(&s);
    return found > 0;
}

/* A name stands half a millimetre from the line of its outline: above, below, right, left, and
 * between them; the next place where a mark is in the way, and nowhere if there is none. */
static void the_name_of_a_circle_has_eight_places(void **state) {
    (void)state;
    static const double ways[][2] = {{0, 1},     {0, -1},     {1, 0},       {-1, 0},
                                     {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}};
    const char *const name = "name";
    double width = small_width(name), height = 7 * 25.4 / 72, away = 1.8 + 0.175 + 0.5;
    double places[2 * MOST] = {50, 50};
    for (int k = 0; k <= 8; k++) {
        dgmi_draw_box box;
        assert_int_equal(find_name(1, k + 1, places, name, &box), k < 8);
        if (k == 8)
            break;
        double x = 50 + ways[k][0] * (away + width / 2), y = 50 + ways[k][1] * (away + height / 2);
        assert_near(box.x + box.width / 2, x, 1e-9);
        assert_near(100 - box.y - box.height / 2, y, 1e-9);
        assert_near(box.width, width, 1e-9);
        assert_near(box.height, height, 1e-9);
        places[2 * (k + 1)] = x; /* a mark stands there the next time */
        places[2 * (k + 1) + 1] = y;
    }
}

/* Beside two marks it may also stand along the line between them, at its quarters, on both sides;
 * on a slant it would touch the outline, so that comes last. */
static void the_name_of_a_capsule_stands_along_its_sides_too(void **state) {
    (void)state;
    static const double from[][2] = {{30, 50}, {30, 50}, {70, 50}, {30, 50}, {40, 50},
                                     {50, 50}, {60, 50}, {60, 50}, {50, 50}, {40, 50},
                                     {70, 50}, {30, 50}, {30, 50}, {70, 50}};
    static const double ways[][2] = {{0, 1},     {0, -1},     {1, 0},       {-1, 0},    {0, 1},
                                     {0, 1},     {0, 1},      {0, -1},      {0, -1},    {0, -1},
                                     {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}};
    const char *const name = "name";
    double width = small_width(name), height = 7 * 25.4 / 72, away = 1.8 + 0.175 + 0.5;
    double places[2 * MOST] = {30, 50, 70, 50};
    for (int k = 0; k <= COUNT(from); k++) {
        dgmi_draw_box box;
        assert_int_equal(find_name(2, k + 2, places, name, &box), k < COUNT(from));
        if (k == COUNT(from))
            break;
        double x = from[k][0] + ways[k][0] * (away + width / 2);
        double y = from[k][1] + ways[k][1] * (away + height / 2);
        assert_near(box.x + box.width / 2, x, 1e-9);
        assert_near(100 - box.y - box.height / 2, y, 1e-9);
        places[2 * (k + 2)] = x;
        places[2 * (k + 2) + 1] = y;
    }
}

/* A mark is in the way up to 0.3 mm from a name, on any side of it. */
static void names_keep_away_from_marks(void **state) {
    (void)state;
    const char *const name = "name";
    double width = small_width(name), height = 7 * 25.4 / 72, away = 1.8 + 0.175 + 0.5;
    double middle = 50 + away + height / 2;
    static const double sides[][2] = {{1, 0}, {-1, 0}, {0, 1}};
    for (int64_t i = 0; i < COUNT(sides); i++)
        for (int near = 0; near < 2; near++) {
            double far = 0.5 + 0.3 + (near ? -0.01 : 0.01);
            double places[] = {50, 50, 50 + sides[i][0] * (width / 2 + far),
                               middle + sides[i][1] * (height / 2 + far)};
            dgmi_draw_box box;
            assert_true(find_name(1, 2, places, name, &box));
            assert_int_equal(100 - box.y - box.height / 2 > 50, !near); /* above, or below */
        }
}

/* At a border of the panel the name goes where there is room for it. */
static void names_stay_inside_the_panel(void **state) {
    (void)state;
    const char *const name = "name";
    double width = small_width(name), height = 7 * 25.4 / 72, away = 1.8 + 0.175 + 0.5;
    for (int inside = 0; inside < 2; inside++) {
        double little = inside ? -0.01 : 0.01;
        dgmi_draw_box box;
        double high[] = {50, 100 - away - height + little};
        assert_true(find_name(1, 1, high, name, &box));
        assert_int_equal(100 - box.y - box.height / 2 > high[1], inside);
        double right[] = {100 - width / 2 + little, 50};
        assert_true(find_name(1, 1, right, name, &box));
        assert_near(box.x + box.width / 2, inside ? right[0] : right[0] - away - width / 2, 1e-9);
        double left[] = {width / 2 - little, 50};
        assert_true(find_name(1, 1, left, name, &box));
        assert_near(box.x + box.width / 2, inside ? left[0] : left[0] + away + width / 2, 1e-9);
        /* below where a mark is above */
        double low[] = {50, away + height - little, 50, 2 * away + height - little + height / 2};
        assert_true(find_name(1, 2, low, name, &box));
        assert_int_equal(100 - box.y - box.height / 2 < low[1] - 1, inside);
    }
}

/* A name over the outline of another region is worse than one over none, however near: which of its
 * places lie in a triangle, a corner of their box or its middle. */
static void names_avoid_other_regions_by_a_hair(void **state) {
    (void)state;
    const char *const name = "name";
    double width = small_width(name), height = 7 * 25.4 / 72, away = 1.8 + 0.175 + 0.5;
    for (int near = 0; near < 2;
         near++) { /* the lower side of the other region is above the name */
        double top = 50 + away + height, gap = 2.15 + (near ? -0.01 : 0.01);
        double places[] = {50, 50, 20, top + gap, 80, top + gap, 50, 99};
        back_sample s;
        dgmi_draw_box taken[2];
        int64_t found;
        open_places(&s, 4, places);
        add_region(&s, 1, (const uint32_t[]){2}, 0, name);
        add_region(&s, 3, (const uint32_t[]){3, 4, 5}, 1, NULL);
        lay_sample(&s);
        assert_int_equal(dgmi_draw_region_name(&s.page, &s.plot, taken, &found), DGM_OK);
        assert_int_equal(found, 1);
        assert_near(taken[0].x, 50 - width / 2, 1e-9);
        assert_near(100 - taken[0].y - height / 2,
                    near ? 50 - away - height / 2 : 50 + away + height / 2, 1e-9);
        close_sample(&s);
    }
}

/* ---- bands ---- */

static void add_band(back_sample *s, double low, double high, int64_t colour, const char *name) {
    assert_int_equal(dgm_figure_add_band(s->figure, 0, low, high, colour, name), DGM_OK);
}

static void a_panel_leaves_room_for_bars_and_names(void **state) {
    (void)state;
    back_sample s;
    open_places(&s, 0, NULL);
    assert_near(dgmi_draw_band_room(&s.figure->panels[0]).right, 0, 0);
    add_band(&s, 10, 20, 0, NULL);
    assert_near(dgmi_draw_band_room(&s.figure->panels[0]).right, 1.5, 1e-9);
    add_band(&s, 15, 25, 0, "name");
    add_band(&s, 30, 40, 0, "n");
    dgmi_draw_room room = dgmi_draw_band_room(&s.figure->panels[0]);
    assert_near(room.right, 3 + 0.5 + small_width("name"), 1e-9);
    assert_true(room.left == 0 && room.above == 0 && room.below == 0);
    add_band(&s, 50, 60, 0, "a name that is far too long for the side of a panel");
    assert_near(dgmi_draw_band_room(&s.figure->panels[0]).right, 3 + 0.5 + 20, 1e-9);
    close_sample(&s);
}

static void bands_bars_and_names_stand_side_by_side(void **state) {
    (void)state;
    for (int dark = 0; dark < 2; dark++) {
        back_sample s;
        open_places(&s, 0, NULL);
        s.figure->options.theme = dark ? DGM_THEME_DARK : DGM_THEME_LIGHT;
        add_band(&s, 20, 50, 14, "low");
        add_band(&s, 40, 60, 1, NULL);
        add_band(&s, 30, 70, 3, "mid"); /* its middle is that of the one before */
        lay_sample(&s);
        s.page.look.ink = (dgmi_draw_colour){10, 20, 30};
        assert_int_equal(dgmi_draw_band_draw(&s.page, &s.plot), DGM_OK);
        double right = 100 - (3 * 1.5 + 0.5 + small_width("mid")), small = 7 * 25.4 / 72;
        static const struct {
            double top, bottom;
            int colour, column;
            const char *name;
        } strips[] = {{40, 60, 1, 1, ""}, {30, 70, 3, 2, "mid"}, {50, 80, 2, 0, "low"}};
        assert_int_equal(s.list.count, 14);
        const dgmi_draw_item *item = s.list.items;
        for (int64_t i = 0; i < COUNT(strips); i++) {
            dgmi_draw_colour colour = dgmi_draw_class_colour(
                DGM_STYLE_DEFAULT, s.figure->options.theme, strips[i].colour);
            dgmi_draw_colour ink = dgmi_draw_colour_mix(colour, s.page.look.ink, 0.25);
            double top = strips[i].top, high = strips[i].bottom - strips[i].top;
            assert_places(item, 0, top, right, high);
            assert_near(item->opacity, dark ? 0.26 : 0.2, 1e-9);
            assert_true(same_colour(item->fill, colour));
            assert_string_equal(words_of(&s, item++->title), strips[i].name);
            for (int end = 0; end < 2; end++, item++) {
                assert_places(item, 0, top + end * high, right, top + end * high);
                assert_near(item->width, 0.15, 1e-9);
                assert_near(item->opacity, 0.7, 1e-9);
                assert_true(same_colour(item->stroke, ink));
            }
            assert_places(item, right + 0.5 + 1.5 * strips[i].column, top, 1, high);
            assert_true(same_colour(item++->fill, colour));
        }
        for (int64_t i = 1; i < COUNT(strips); i++, item++) {
            double middle = (strips[i].top + strips[i].bottom) / 2;
            assert_string_equal(words_of(&s, item->text), strips[i].name);
            assert_places(item, right + 4.5 + 0.5, middle + 0.3 * small, 7, 0);
            assert_int_equal(item->anchor, DGMI_DRAW_ANCHOR_START);
        }
        close_sample(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_are_a_little_farther_than_their_marks),
        cmocka_unit_test(a_panel_leaves_room_for_outlines_and_names),
        cmocka_unit_test(the_name_of_a_circle_has_eight_places),
        cmocka_unit_test(the_name_of_a_capsule_stands_along_its_sides_too),
        cmocka_unit_test(names_keep_away_from_marks),
        cmocka_unit_test(names_stay_inside_the_panel),
        cmocka_unit_test(names_avoid_other_regions_by_a_hair),
        cmocka_unit_test(a_panel_leaves_room_for_bars_and_names),
        cmocka_unit_test(bands_bars_and_names_stand_side_by_side),
    };
    return RUN_WITH_CONTEXT(tests);
}
