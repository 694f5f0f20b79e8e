/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of numbers: ramps and squares. */
#include "unit_fixture.h"

#include "paint_sample.h"

/* ---- numbers ---- */

static void one_axis_is_a_ramp_of_what_occurs(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_RAMP);
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_VIRIDIS);
    assert_string_equal(paint.title, "mean height");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_false(paint.scale.centred);
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.25));
    assert_true(paint.value[1] == 0.25 && isnan(paint.value[3]));
    assert_int_equal(paint.unknown, 1);
    assert_same(paint.fill[3], dgmi_draw_unknown_colour(DGM_THEME_LIGHT));
    assert_null(paint.slices);
}

static void another_colormap_may_be_asked_for(void **state) {
    (void)state;
    dgm_view view = summary();
    options.colormap = "cividis";
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_CIVIDIS, 0.25));
    paint = painted(&view, "labels");
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_CIVIDIS);
    assert_false(paint.scale.centred);
    options.colormap = "coolwarm";
    paint = painted(&view, "labels");
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_COOLWARM);
    assert_true(paint.scale.centred);
}

static void a_constant_lens_has_the_middle_colour_and_a_huge_one_a_range(void **state) {
    (void)state;
    dgm_view view = summary();
    double constant[] = {7, 7, 7, 7}, huge[] = {-1.7e308, 0, 1.7e308, INFINITY};
    view.lens = constant;
    assert_same(painted(&view, "lens").fill[2],
                dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.5));
    view.lens = huge;
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
}

static void a_probability_is_centred_on_the_threshold(void **state) {
    (void)state;
    dgm_view view = summary();
    char *axes[] = {"prob1"};
    view.axes = axes;
    view.lens_name = "gcn+prob";
    options.threshold = 0.25;
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_string_equal(paint.title, "mean probability");
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_DIVERGING);
    assert_true(paint.scale.centred && paint.scale.middle == 0.25);
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5));
    assert_same(paint.fill[2], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 1));
    options.style = DGM_STYLE_PAPER;
    assert_int_equal(painted(&view, "lens").map, DGMI_DRAW_COLORMAP_COOLWARM);
}

/* A probability is known by the name of its axis or of its lens. */
static void probabilities_are_known_by_their_names(void **state) {
    (void)state;
    static const struct {
        char *axis, *lens;
        bool probability;
    } cases[] = {{"prob", "gcn", true},
                 {"prob1", "gcn", true},
                 {"first", "gcn+prob", true},
                 {"probable", "gcn", false},
                 {"height", "height", false}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view view = summary();
        char *axes[] = {cases[i].axis};
        view.axes = axes;
        view.lens_name = cases[i].lens;
        dgmi_draw_paint paint = painted(&view, "lens");
        assert_int_equal(strcmp(paint.title, "mean probability") == 0, cases[i].probability);
        assert_int_equal(paint.scale.centred, cases[i].probability);
    }
}

/* Half of a diverging map is nearly as light as paper; on a dark ground it would shine. */
static void mistakes_on_a_dark_ground_have_a_map_of_one_side(void **state) {
    (void)state;
    dgm_view view = summary();
    assert_true(painted(&view, "error").scale.centred);
    options.theme = DGM_THEME_DARK;
    dgmi_draw_paint paint = painted(&view, "error");
    assert_false(paint.scale.centred);
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_CIVIDIS);
    options.theme = DGM_THEME_LIGHT;
    options.colormap = "cool";
    paint = painted(&view, "error");
    assert_false(paint.scale.centred);
    assert_int_equal(paint.map, DGMI_DRAW_COLORMAP_COOL);
}

static void a_threshold_may_lie_at_either_end(void **state) {
    (void)state;
    dgm_view view = summary();
    options.threshold = 0;
    assert_same(painted(&view, "labels").fill[0],
                dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.625));
    options.threshold = 1;
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_same(paint.fill[0], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.125));
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5));
}

static void two_axes_are_a_square(void **state) {
    (void)state;
    dgm_view view = summary_of_two_axes();
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_SQUARE);
    assert_string_equal(paint.axes[0], "height");
    assert_string_equal(paint.axes[1], "width");
    assert_null(paint.value);
    for (int m = 0; m < 4; m++)
        assert_same(paint.fill[m],
                    dgmi_draw_square_at(DGM_STYLE_DEFAULT, places[2 * m], places[2 * m + 1]));
    options.style = DGM_STYLE_PAPER;
    assert_same(painted(&view, "lens").fill[2], dgmi_draw_square_at(DGM_STYLE_PAPER, 0, 1));
}

static void three_axes_give_way_to_labels_and_say_so(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(3);
    char *axes[] = {"a", "b", "c"};
    double lens[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    view.dimension = 3;
    view.axes = axes;
    view.lens = lens;
    dgm_context_set_notes(ctx, keep_note, NULL);
    notes = 0;
    dgmi_draw_paint paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_CLASSES);
    assert_string_equal(paint.title, "most frequent label");
    assert_string_equal(last_note,
                        "the lens has 3 axes, too many for colours: they show the labels");
    view.own.profile->labels.offsets = NULL;
    paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_RAMP);
    assert_string_equal(paint.title, "mean a");
    assert_string_equal(last_note,
                        "the lens has 3 axes, too many for colours: they show its first axis, a");
    assert_int_equal(notes, 2);
    dgm_context_set_notes(ctx, NULL, NULL);
}

static void two_classes_are_the_share_of_the_second(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_RAMP);
    assert_string_equal(paint.title, "share of spam");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1 && paint.scale.centred);
    assert_true(paint.value[0] == 0.25 && paint.value[1] == 1 && paint.value[3] == 0.5);
    assert_int_equal(paint.unknown, 1);
    assert_same(paint.fill[3], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5));
    assert_string_equal(painted(&view, "prediction").title, "share predicted as spam");
    char *numbers[] = {"0", "1"};
    view.own.profile->class_names = numbers;
    assert_string_equal(painted(&view, "labels").title, "share of class 1");
}

static void mistakes_go_from_calm_to_the_most_there_is(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_draw_paint paint = painted(&view, "error");
    assert_string_equal(paint.title, "share of mistakes");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 0.5);
    assert_same(paint.fill[0], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 0.5));
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_DIVERGING, 1));
    assert_int_equal(paint.unknown, 1);
    options.theme = DGM_THEME_DARK;
    paint = painted(&view, "error");
    assert_same(paint.fill[0], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_CIVIDIS, 0));
    int64_t none[] = {0, 0, 0, 0};
    view.own.profile->mistakes = none;
    assert_true(painted(&view, "error").scale.high[0] == 1);
}

static void entropy_says_of_what(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_draw_paint paint = painted(&view, "entropy");
    assert_string_equal(paint.title, "entropy of predictions");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_same(paint.fill[0], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_CIVIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
    view.own.profile->entropy_of_labels = true;
    assert_string_equal(painted(&view, "entropy").title, "entropy of labels");
}

/* The share of the edges of members that lead out of their group. */
static void what_leaves_a_group_is_a_share(void **state) {
    (void)state;
    double shares[] = {0.25, 0.5, 0.75, 0.25};
    dgm_view view = summary();
    view.own.profile->outward = shares;
    dgmi_draw_paint paint = painted(&view, "outward");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_RAMP);
    assert_string_equal(paint.title, "share of edges that leave the group");
    assert_true(paint.value[1] == 0.5 && paint.unknown == 0);
    assert_same(paint.fill[3], paint.fill[0]);
    assert_false(same(paint.fill[2], paint.fill[1]));
}

static void attributes_are_means_or_classes(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_draw_paint paint = painted(&view, "attr:year");
    assert_string_equal(paint.title, "mean year");
    assert_true(paint.scale.low[0] == 1999 && paint.scale.high[0] == 2003);
    assert_same(paint.fill[1], dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_VIRIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
    paint = painted(&view, "attr:side");
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_CLASSES);
    assert_string_equal(paint.title, "most frequent side");
    assert_int_equal(paint.entry_count, 3);
    assert_string_equal(paint.entries[0].name, "x");
    assert_string_equal(paint.entries[2].name, "no value");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_axis_is_a_ramp_of_what_occurs),
        TEST(another_colormap_may_be_asked_for),
        TEST(a_constant_lens_has_the_middle_colour_and_a_huge_one_a_range),
        TEST(a_probability_is_centred_on_the_threshold),
        TEST(probabilities_are_known_by_their_names),
        TEST(mistakes_on_a_dark_ground_have_a_map_of_one_side),
        TEST(a_threshold_may_lie_at_either_end),
        TEST(two_axes_are_a_square),
        TEST(three_axes_give_way_to_labels_and_say_so),
        TEST(two_classes_are_the_share_of_the_second),
        TEST(mistakes_go_from_calm_to_the_most_there_is),
        TEST(entropy_says_of_what),
        TEST(what_leaves_a_group_is_a_share),
        TEST(attributes_are_means_or_classes),
    };
    return RUN_WITH_CONTEXT(tests);
}
