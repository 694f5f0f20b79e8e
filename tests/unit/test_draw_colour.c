/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw_colour.h"

static void assert_colour(dgmi_draw_colour actual, dgmi_draw_colour expected, int tolerance) {
    if (abs(actual.red - expected.red) > tolerance ||
        abs(actual.green - expected.green) > tolerance ||
        abs(actual.blue - expected.blue) > tolerance)
        fail_msg("#%02x%02x%02x is not #%02x%02x%02x", (unsigned)actual.red, (unsigned)actual.green,
                 (unsigned)actual.blue, (unsigned)expected.red, (unsigned)expected.green,
                 (unsigned)expected.blue);
}

static dgmi_draw_colour hex(unsigned value) {
    return (dgmi_draw_colour){(int)(value >> 16), (int)(value >> 8 & 255), (int)(value & 255)};
}

/* ---- spaces ---- */

/* Ottosson's own figures, to their three digits; white and grey have no colour. */
static void oklab_has_its_published_values(void **state) {
    (void)state;
    dgmi_draw_oklab white = dgmi_draw_oklab_of(hex(0xFFFFFF)), black = dgmi_draw_oklab_of(hex(0));
    assert_near(white.l, 1, 1e-6);
    assert_near(white.a, 0, 1e-6);
    assert_near(white.b, 0, 1e-6);
    assert_near(black.l, 0, 1e-12);
    dgmi_draw_oklab red = dgmi_draw_oklab_of(hex(0xFF0000)),
                    blue = dgmi_draw_oklab_of(hex(0x0000FF));
    assert_near(red.l, 0.628, 5e-4);
    assert_near(red.a, 0.225, 5e-4);
    assert_near(red.b, 0.126, 5e-4);
    assert_near(blue.l, 0.452, 5e-4);
    assert_near(blue.a, -0.032, 5e-4);
    assert_near(blue.b, -0.312, 5e-4);
}

static void every_colour_comes_back_from_oklab(void **state) {
    (void)state;
    for (unsigned value = 0; value < 1u << 24; value += 1021) {
        assert_colour(dgmi_draw_colour_of_oklab(dgmi_draw_oklab_of(hex(value))), hex(value), 0);
        assert_colour(dgmi_draw_colour_mix(hex(value), hex(0x336699), 0), hex(value), 0);
        assert_colour(dgmi_draw_colour_mix(hex(0x336699), hex(value), 1), hex(value), 0);
    }
}

static void colours_outside_srgb_are_clipped(void **state) {
    (void)state;
    assert_colour(dgmi_draw_colour_of_oklab((dgmi_draw_oklab){2, 0, 0}), hex(0xFFFFFF), 0);
    assert_colour(dgmi_draw_colour_of_oklab((dgmi_draw_oklab){-1, 0, 0}), hex(0), 0);
    assert_int_equal(dgmi_draw_colour_of_oklab((dgmi_draw_oklab){0.7, 0.5, 0}).red, 255);
}

static void a_mix_lies_in_the_middle(void **state) {
    (void)state;
    dgmi_draw_colour a = hex(0x0072B2), b = hex(0xE69F00), middle = dgmi_draw_colour_mix(a, b, 0.5);
    double whole = dgmi_draw_oklab_distance(dgmi_draw_oklab_of(a), dgmi_draw_oklab_of(b));
    assert_near(dgmi_draw_oklab_distance(dgmi_draw_oklab_of(a), dgmi_draw_oklab_of(middle)),
                whole / 2, 0.005);
    assert_near(dgmi_draw_oklab_distance(dgmi_draw_oklab_of(b), dgmi_draw_oklab_of(middle)),
                whole / 2, 0.005);
}

static void a_deuteranope_sees_greys_and_blues_but_takes_red_for_green(void **state) {
    (void)state;
    for (unsigned grey = 0; grey < 256; grey += 15)
        assert_colour(dgmi_draw_colour_deuteranopia(hex(grey * 0x10101)), hex(grey * 0x10101), 1);
    dgmi_draw_colour alike[] = {hex(0xD0453A), hex(0x7F7A20)},
                     apart[] = {hex(0x2060C0), hex(0xC0A020)};
    double seen =
        dgmi_draw_oklab_distance(dgmi_draw_oklab_of(alike[0]), dgmi_draw_oklab_of(alike[1]));
    assert_true(dgmi_draw_classes_apart(alike, 2) < seen / 2);
    assert_true(dgmi_draw_classes_apart(apart, 2) > 0.2);
    assert_true(isinf(dgmi_draw_classes_apart(apart, 1)));
    assert_true(isinf(dgmi_draw_classes_apart(NULL, 0)));
}

static void ink_is_white_on_dark_grounds(void **state) {
    (void)state;
    assert_colour(dgmi_draw_colour_ink_on(hex(0)), hex(0xFFFFFF), 0);
    assert_colour(dgmi_draw_colour_ink_on(hex(0x440154)), hex(0xFFFFFF), 0);
    assert_colour(dgmi_draw_colour_ink_on(hex(0x0000FF)), hex(0xFFFFFF), 0);
    assert_colour(dgmi_draw_colour_ink_on(hex(0xFDE725)), hex(0), 0);
    assert_colour(dgmi_draw_colour_ink_on(hex(0xFFFFFF)), hex(0), 0);
    assert_colour(dgmi_draw_colour_ink_on(hex(0x00FF00)), hex(0), 0);
}

/* ---- colormaps ---- */

static void maps_have_their_published_colours(void **state) {
    (void)state;
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0), hex(0x440154), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.5), hex(0x21918C), 2);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 1), hex(0xFDE725), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_CIVIDIS, 0), hex(0x00224E), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_CIVIDIS, 1), hex(0xFEE838), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOLWARM, 0), hex(0x3B4CC0), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOLWARM, 0.5), hex(0xDDDDDD), 2);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOLWARM, 1), hex(0xB40426), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5), hex(0xF7F7F7), 0);
    assert_colour(dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOL, 0.5), hex(0x8080FF), 1);
}

static void maps_stay_near_matplotlib(void **state) {
    (void)state;
    char path[512], line[128], name[16];
    int index, red, green, blue, count = 0;
    snprintf(path, sizeof path, "%s/oracle/draw_colour.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%15s %d %d %d %d", name, &index, &red, &green, &blue) != 5)
            continue;
        int map = 0;
        while (strcmp(dgmi_draw_colormap_names()[map], name) != 0)
            map++;
        assert_colour(dgmi_draw_colormap_at((dgmi_draw_colormap)map, index / 255.0),
                      (dgmi_draw_colour){red, green, blue},
                      map == DGMI_DRAW_COLORMAP_CIVIDIS ? 3 : 2);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 4 * 86);
}

static void values_outside_are_clipped_and_nan_is_low(void **state) {
    (void)state;
    for (int map = 0; map < DGMI_DRAW_COLORMAPS; map++) {
        dgmi_draw_colour low = dgmi_draw_colormap_at((dgmi_draw_colormap)map, 0);
        dgmi_draw_colour high = dgmi_draw_colormap_at((dgmi_draw_colormap)map, 1);
        assert_colour(dgmi_draw_colormap_at((dgmi_draw_colormap)map, -3), low, 0);
        assert_colour(dgmi_draw_colormap_at((dgmi_draw_colormap)map, NAN), low, 0);
        assert_colour(dgmi_draw_colormap_at((dgmi_draw_colormap)map, INFINITY), high, 0);
        assert_non_null(dgmi_draw_colormap_names()[map]);
    }
    assert_null(dgmi_draw_colormap_names()[DGMI_DRAW_COLORMAPS]);
}

/* Lightness goes one way between two places of a map, give or take the rounding of bytes. */
static void assert_one_way(dgmi_draw_colormap map, double from, double to, double sign) {
    enum { STEPS = 200 };
    double last = -INFINITY;
    for (int i = 0; i <= STEPS; i++) {
        double at = from + (to - from) * i / STEPS;
        double lightness = sign * dgmi_draw_oklab_of(dgmi_draw_colormap_at(map, at)).l;
        if (!(lightness >= last - 0.003))
            fail_msg("map %d at %g: %g after %g", (int)map, at, lightness, last);
        last = fmax(last, lightness);
    }
}

static void lightness_goes_one_way(void **state) {
    (void)state;
    assert_one_way(DGMI_DRAW_COLORMAP_VIRIDIS, 0, 1, 1);
    assert_one_way(DGMI_DRAW_COLORMAP_CIVIDIS, 0, 1, 1);
    assert_one_way(DGMI_DRAW_COLORMAP_DIVERGING, 0, 0.5, 1);
    assert_one_way(DGMI_DRAW_COLORMAP_DIVERGING, 0.5, 1, -1);
    assert_one_way(DGMI_DRAW_COLORMAP_COOLWARM, 0, 0.49, 1);
    assert_one_way(DGMI_DRAW_COLORMAP_COOLWARM, 0.51, 1, -1);
}

static void both_sides_of_a_threshold_differ_for_a_deuteranope(void **state) {
    (void)state;
    for (int i = 1; i <= 10; i++) {
        dgmi_draw_colour sides[] = {
            dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5 - i / 20.0),
            dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5 + i / 20.0)};
        if (!(dgmi_draw_classes_apart(sides, 2) > 0.03 * fmin(i, 4)))
            fail_msg("%d / 20 off the middle: %g apart", i, dgmi_draw_classes_apart(sides, 2));
    }
}

/* ---- two axes ---- */

static void the_square_tells_its_places_apart(void **state) {
    (void)state;
    enum { SIDE = 4 };
    dgmi_draw_colour colours[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        colours[i] = dgmi_draw_square_at(DGM_STYLE_DEFAULT, i % SIDE / (SIDE - 1.0),
                                         i / SIDE / (SIDE - 1.0));
    assert_true(dgmi_draw_classes_apart(colours, SIDE * SIDE) >= DGMI_DRAW_APART);
    dgmi_draw_oklab middle = dgmi_draw_oklab_of(dgmi_draw_square_at(DGM_STYLE_DEFAULT, 0.5, 0.5));
    assert_true(middle.l > 0.6 && middle.l < 0.75 && hypot(middle.a, middle.b) < 0.05);
}

static void the_square_is_clipped_and_bilinear(void **state) {
    (void)state;
    assert_colour(dgmi_draw_square_at(DGM_STYLE_DEFAULT, -1, NAN), hex(0x4A4FB5), 0);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_DEFAULT, 9, 0), hex(0xC9432F), 0);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_DEFAULT, 0, 9), hex(0x55C4E0), 0);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_DEFAULT, 1, 1), hex(0xF5CF4D), 0);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_DEFAULT, 0.3, 0),
                  dgmi_draw_colour_mix(hex(0x4A4FB5), hex(0xC9432F), 0.3), 0);
}

/* (cool(x) + coolwarm(y)) / 2, in bytes. */
static void the_paper_s_square_is_the_mean_of_two_maps(void **state) {
    (void)state;
    assert_colour(dgmi_draw_square_at(DGM_STYLE_PAPER, 0, 0), hex(0x1EA6E0), 1);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_PAPER, 1, 1), hex(0xDA0293), 1);
    assert_colour(dgmi_draw_square_at(DGM_STYLE_PAPER, 0, 1), hex(0x5A8293), 1);
}

/* ---- classes ---- */

static int64_t shown(int style, int theme, int64_t count, dgmi_draw_colour *colours) {
    for (int i = 0; i < count; i++)
        colours[i] = dgmi_draw_class_colour(style, theme, i);
    colours[count] = dgmi_draw_other_colour(theme);
    colours[count + 1] = dgmi_draw_unknown_colour(theme);
    return count + 2;
}

static void classes_stay_apart_for_the_colour_blind(void **state) {
    (void)state;
    for (int theme = DGM_THEME_LIGHT; theme <= DGM_THEME_DARK; theme++)
        for (int64_t count = 2; count <= DGMI_DRAW_CLASS_COLOURS; count++) {
            dgmi_draw_colour colours[DGMI_DRAW_CLASS_COLOURS + 2];
            double apart =
                dgmi_draw_classes_apart(colours, shown(DGM_STYLE_DEFAULT, theme, count, colours));
            if (!(apart >= DGMI_DRAW_APART))
                fail_msg("theme %d, %lld classes: %g", theme, (long long)count, apart);
        }
}

/* To everybody else they are twice as far apart, from the ground too. */
static void twelve_classes_stay_apart(void **state) {
    (void)state;
    static const dgmi_draw_colour grounds[] = {{255, 255, 255}, {22, 24, 29}};
    for (int theme = DGM_THEME_LIGHT; theme <= DGM_THEME_DARK; theme++)
        for (int a = 0; a < DGMI_DRAW_CLASS_COLOURS; a++)
            for (int b = 0; b <= a; b++) {
                dgmi_draw_colour other =
                    b == a ? grounds[theme] : dgmi_draw_class_colour(0, theme, b);
                double apart = dgmi_draw_oklab_distance(
                    dgmi_draw_oklab_of(dgmi_draw_class_colour(0, theme, a)),
                    dgmi_draw_oklab_of(other));
                if (!(apart >= 2 * DGMI_DRAW_APART))
                    fail_msg("theme %d, classes %d and %d: %g", theme, a, b, apart);
            }
}

/* Faultless clusters are nearly white, and the unknown are: an outline shows them. */
static void what_is_nearly_the_ground_is_pale(void **state) {
    (void)state;
    assert_true(dgmi_draw_colour_pale(hex(0xF7F7F7), hex(0xFFFFFF)));
    assert_true(dgmi_draw_colour_pale(dgmi_draw_unknown_colour(DGM_THEME_LIGHT), hex(0xFFFFFF)));
    assert_true(dgmi_draw_colour_pale(hex(0x16181D), hex(0x16181D)));
    for (int c = 0; c < DGMI_DRAW_CLASS_COLOURS; c++)
        assert_false(
            dgmi_draw_colour_pale(dgmi_draw_class_colour(0, DGM_THEME_LIGHT, c), hex(0xFFFFFF)));
}

/* Dark2 has no six colours that do: its order puts those that do first. */
static void five_classes_of_the_paper_stay_apart(void **state) {
    (void)state;
    for (int theme = DGM_THEME_LIGHT; theme <= DGM_THEME_DARK; theme++)
        for (int64_t count = 2; count <= DGMI_DRAW_CLASS_COLOURS; count++) {
            dgmi_draw_colour colours[DGMI_DRAW_CLASS_COLOURS + 2];
            double apart =
                dgmi_draw_classes_apart(colours, shown(DGM_STYLE_PAPER, theme, count, colours));
            if ((apart >= DGMI_DRAW_APART) != (count <= 5))
                fail_msg("theme %d, %lld classes: %g", theme, (long long)count, apart);
        }
}

static void any_number_has_some_class_colour(void **state) {
    (void)state;
    assert_colour(dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, 0), hex(0x0072B2), 0);
    assert_colour(dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, 12), hex(0x0072B2), 0);
    assert_int_equal(dgmi_draw_class_shape(11), DGMI_DRAW_SHAPE_DISC);
    assert_int_equal(dgmi_draw_class_shape(12), DGMI_DRAW_SHAPE_SQUARE);
    assert_int_equal(dgmi_draw_class_shape(24), DGMI_DRAW_SHAPE_DIAMOND);
    assert_int_equal(dgmi_draw_class_shape(-1), DGMI_DRAW_SHAPE_DISC);
    assert_colour(dgmi_draw_class_colour(DGM_STYLE_PAPER, DGM_THEME_LIGHT, -1), hex(0x1B9E77), 0);
    assert_colour(dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_DARK, 7), hex(0xFFFFFF), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oklab_has_its_published_values),
        cmocka_unit_test(every_colour_comes_back_from_oklab),
        cmocka_unit_test(colours_outside_srgb_are_clipped),
        cmocka_unit_test(a_mix_lies_in_the_middle),
        cmocka_unit_test(a_deuteranope_sees_greys_and_blues_but_takes_red_for_green),
        cmocka_unit_test(ink_is_white_on_dark_grounds),
        cmocka_unit_test(maps_have_their_published_colours),
        cmocka_unit_test(maps_stay_near_matplotlib),
        cmocka_unit_test(values_outside_are_clipped_and_nan_is_low),
        cmocka_unit_test(lightness_goes_one_way),
        cmocka_unit_test(both_sides_of_a_threshold_differ_for_a_deuteranope),
        cmocka_unit_test(the_square_tells_its_places_apart),
        cmocka_unit_test(the_square_is_clipped_and_bilinear),
        cmocka_unit_test(the_paper_s_square_is_the_mean_of_two_maps),
        cmocka_unit_test(classes_stay_apart_for_the_colour_blind),
        cmocka_unit_test(twelve_classes_stay_apart),
        cmocka_unit_test(what_is_nearly_the_ground_is_pale),
        cmocka_unit_test(five_classes_of_the_paper_stay_apart),
        cmocka_unit_test(any_number_has_some_class_colour),
    };
    return RUN_WITH_CONTEXT(tests);
}
