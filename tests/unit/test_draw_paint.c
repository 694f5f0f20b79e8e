/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "unit_faults.h"

#include <math.h>
#include <stdio.h>

#include "draw_paint.h"

/* ---- a summary of four clusters ---- */

/* Classes (0 ham, 1 spam) and members: 3 + 1 of 4, 0 + 2 of 2, none known of 3, 1 + 1 of 5. */
static int64_t sizes[] = {4, 2, 3, 5};
static int64_t offsets[] = {0, 2, 3, 3, 5};
static int32_t values[] = {0, 1, 1, 0, 1};
static int64_t counts[] = {3, 1, 2, 1, 1};
static char *two_names[] = {"ham", "spam"};
static char *two_axes[] = {"height", "width"};
static double heights[] = {0, 0.25, 1, NAN};
static double places[] = {0, 0, 1, 0, 0, 1, 1, 1};
static int64_t judged[] = {4, 2, 0, 2};
static int64_t mistakes[] = {0, 1, 0, 1};
static double entropies[] = {0.5, 0, NAN, 1};
static double years[] = {1999, 2001, NAN, 2003};
static char *texts[] = {"x", "y"};

static dgmi_view_attribute attributes[] = {
    {.name = "year", .kind = DGM_ATTRIBUTE_NUMBER, .means = years},
    {.name = "side",
     .kind = DGM_ATTRIBUTE_TEXT,
     .counts = {offsets, values, counts},
     .texts = texts,
     .text_count = 2},
};

static dgm_view summary(void) {
    return (dgm_view){.kind = DGM_VIEW_SUMMARY,
                      .marks = 4,
                      .size = sizes,
                      .dimension = 1,
                      .lens = heights,
                      .axes = two_axes,
                      .classes = 2,
                      .class_names = two_names,
                      .labels = {offsets, values, counts},
                      .predictions = {offsets, values, counts},
                      .judged = judged,
                      .mistakes = mistakes,
                      .entropy = entropies,
                      .attribute_count = 2,
                      .attributes = attributes,
                      .source = "s",
                      .lens_name = "height",
                      .parameters = "",
                      .command = ""};
}

/* As many classes as there are marks, one each; class c has c + 1 members. */
enum { MANY = 12 };
static int64_t many_sizes[MANY], many_offsets[MANY + 1], many_counts[MANY];
static int32_t many_values[MANY];
static char many_words[MANY][16];
static char *many_names[MANY];

static dgm_view summary_of_classes(int classes) {
    dgm_view view = summary();
    for (int c = 0; c < classes; c++) {
        snprintf(many_words[c], sizeof many_words[c], "c%d", c);
        many_names[c] = many_words[c];
        many_offsets[c + 1] = c + 1;
        many_values[c] = c;
        many_sizes[c] = many_counts[c] = c + 1;
    }
    view.marks = view.classes = classes;
    view.size = many_sizes;
    view.class_names = many_names;
    view.labels = view.predictions = (dgmi_counts){many_offsets, many_values, many_counts};
    return view;
}

static dgm_figure_options options;

static int reset_options(void **state) {
    (void)state;
    dgm_figure_options_init(&options);
    return 0;
}

static dgmi_paint painted(const dgm_view *view, const char *colour) {
    dgmi_paint paint;
    if (dgmi_paint_make(ctx, view, colour, &options, NULL, &paint) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return paint;
}

static bool same(dgmi_colour a, dgmi_colour b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static void assert_same(dgmi_colour a, dgmi_colour b) {
    if (!same(a, b))
        fail_msg("#%02x%02x%02x is not #%02x%02x%02x", (unsigned)a.red, (unsigned)a.green,
                 (unsigned)a.blue, (unsigned)b.red, (unsigned)b.green, (unsigned)b.blue);
}

static char last_note[256];
static int notes;

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
    notes++;
}

/* ---- numbers ---- */

static void one_axis_is_a_ramp_of_what_occurs(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_paint paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_PAINT_RAMP);
    assert_int_equal(paint.map, DGMI_MAP_VIRIDIS);
    assert_string_equal(paint.title, "mean height");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_false(paint.scale.centred);
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_VIRIDIS, 0.25));
    assert_true(paint.value[1] == 0.25 && isnan(paint.value[3]));
    assert_int_equal(paint.unknown, 1);
    assert_same(paint.fill[3], dgmi_unknown_colour(DGM_THEME_LIGHT));
    assert_null(paint.slices);
}

static void another_colormap_may_be_asked_for(void **state) {
    (void)state;
    dgm_view view = summary();
    options.colormap = "cividis";
    dgmi_paint paint = painted(&view, "lens");
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_CIVIDIS, 0.25));
    paint = painted(&view, "labels");
    assert_int_equal(paint.map, DGMI_MAP_CIVIDIS);
    assert_false(paint.scale.centred);
    options.colormap = "coolwarm";
    paint = painted(&view, "labels");
    assert_int_equal(paint.map, DGMI_MAP_COOLWARM);
    assert_true(paint.scale.centred);
}

static void a_constant_lens_has_the_middle_colour_and_a_huge_one_a_range(void **state) {
    (void)state;
    dgm_view view = summary();
    double constant[] = {7, 7, 7, 7}, huge[] = {-1.7e308, 0, 1.7e308, INFINITY};
    view.lens = constant;
    assert_same(painted(&view, "lens").fill[2], dgmi_colormap_at(DGMI_MAP_VIRIDIS, 0.5));
    view.lens = huge;
    dgmi_paint paint = painted(&view, "lens");
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_VIRIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
}

static void a_probability_is_centred_on_the_threshold(void **state) {
    (void)state;
    dgm_view view = summary();
    char *axes[] = {"prob1"};
    view.axes = axes;
    view.lens_name = "gcn+prob";
    options.threshold = 0.25;
    dgmi_paint paint = painted(&view, "lens");
    assert_string_equal(paint.title, "mean probability");
    assert_int_equal(paint.map, DGMI_MAP_DIVERGING);
    assert_true(paint.scale.centred && paint.scale.middle == 0.25);
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.5));
    assert_same(paint.fill[2], dgmi_colormap_at(DGMI_MAP_DIVERGING, 1));
    options.style = DGM_STYLE_PAPER;
    assert_int_equal(painted(&view, "lens").map, DGMI_MAP_COOLWARM);
}

static void a_threshold_may_lie_at_either_end(void **state) {
    (void)state;
    dgm_view view = summary();
    options.threshold = 0;
    assert_same(painted(&view, "labels").fill[0], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.625));
    options.threshold = 1;
    dgmi_paint paint = painted(&view, "labels");
    assert_same(paint.fill[0], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.125));
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.5));
}

static void two_axes_are_a_square(void **state) {
    (void)state;
    dgm_view view = summary();
    view.dimension = 2;
    view.lens = places;
    dgmi_paint paint = painted(&view, NULL);
    assert_int_equal(paint.scale.kind, DGMI_PAINT_SQUARE);
    assert_string_equal(paint.axes[0], "height");
    assert_string_equal(paint.axes[1], "width");
    assert_null(paint.value);
    for (int m = 0; m < 4; m++)
        assert_same(paint.fill[m],
                    dgmi_square_at(DGM_STYLE_DEFAULT, places[2 * m], places[2 * m + 1]));
    options.style = DGM_STYLE_PAPER;
    assert_same(painted(&view, "lens").fill[2], dgmi_square_at(DGM_STYLE_PAPER, 0, 1));
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
    dgmi_paint paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_PAINT_CLASSES);
    assert_string_equal(paint.title, "most frequent label");
    assert_string_equal(last_note,
                        "the lens has 3 axes, too many for colours: they show the labels");
    view.labels.offsets = NULL;
    paint = painted(&view, "lens");
    assert_int_equal(paint.scale.kind, DGMI_PAINT_RAMP);
    assert_string_equal(paint.title, "mean a");
    assert_string_equal(last_note,
                        "the lens has 3 axes, too many for colours: they show its first axis, a");
    assert_int_equal(notes, 2);
    dgm_context_set_notes(ctx, NULL, NULL);
}

static void two_classes_are_the_share_of_the_second(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.scale.kind, DGMI_PAINT_RAMP);
    assert_string_equal(paint.title, "share of spam");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1 && paint.scale.centred);
    assert_true(paint.value[0] == 0.25 && paint.value[1] == 1 && paint.value[3] == 0.5);
    assert_int_equal(paint.unknown, 1);
    assert_same(paint.fill[3], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.5));
    assert_string_equal(painted(&view, "prediction").title, "share predicted as spam");
    char *numbers[] = {"0", "1"};
    view.class_names = numbers;
    assert_string_equal(painted(&view, "labels").title, "share of class 1");
}

static void mistakes_go_from_calm_to_the_most_there_is(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_paint paint = painted(&view, "error");
    assert_string_equal(paint.title, "share of mistakes");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 0.5);
    assert_same(paint.fill[0], dgmi_colormap_at(DGMI_MAP_DIVERGING, 0.5));
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_DIVERGING, 1));
    assert_int_equal(paint.unknown, 1);
    options.theme = DGM_THEME_DARK;
    paint = painted(&view, "error");
    assert_same(paint.fill[0], dgmi_colormap_at(DGMI_MAP_CIVIDIS, 0));
    int64_t none[] = {0, 0, 0, 0};
    view.mistakes = none;
    assert_true(painted(&view, "error").scale.high[0] == 1);
}

static void entropy_says_of_what(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_paint paint = painted(&view, "entropy");
    assert_string_equal(paint.title, "entropy of predictions");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_same(paint.fill[0], dgmi_colormap_at(DGMI_MAP_CIVIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
    view.entropy_of_labels = true;
    assert_string_equal(painted(&view, "entropy").title, "entropy of labels");
}

static void attributes_are_means_or_classes(void **state) {
    (void)state;
    dgm_view view = summary();
    dgmi_paint paint = painted(&view, "attr:year");
    assert_string_equal(paint.title, "mean year");
    assert_true(paint.scale.low[0] == 1999 && paint.scale.high[0] == 2003);
    assert_same(paint.fill[1], dgmi_colormap_at(DGMI_MAP_VIRIDIS, 0.5));
    assert_int_equal(paint.unknown, 1);
    paint = painted(&view, "attr:side");
    assert_int_equal(paint.scale.kind, DGMI_PAINT_CLASSES);
    assert_string_equal(paint.title, "most frequent side");
    assert_int_equal(paint.entry_count, 3);
    assert_string_equal(paint.entries[0].name, "x");
    assert_string_equal(paint.entries[2].name, "no value");
}

/* ---- classes ---- */

static void up_to_eight_classes_have_colours_in_their_order(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(8);
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 8);
    assert_false(paint.scale.other);
    for (int c = 0; c < 8; c++) {
        assert_same(paint.fill[c], dgmi_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, c));
        assert_string_equal(paint.entries[c].name, many_words[c]);
        assert_int_equal(paint.entries[c].members, c + 1);
    }
}

static void more_classes_are_the_most_frequent_and_other(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.scale.shown, 7);
    assert_true(paint.scale.other);
    assert_int_equal(paint.entry_count, 8);
    assert_string_equal(paint.entries[0].name, "c11");
    assert_int_equal(paint.entries[0].members, 12);
    assert_string_equal(paint.entries[7].name, "other (5 classes)");
    assert_int_equal(paint.entries[7].members, 1 + 2 + 3 + 4 + 5);
    assert_same(paint.fill[4], dgmi_other_colour(DGM_THEME_LIGHT));
    assert_same(paint.fill[11], dgmi_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, 0));
}

/* Predictions take the order of the labels, so that a class looks the same in both. */
static void labels_and_predictions_agree_on_colours(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    int64_t reversed[MANY];
    for (int c = 0; c < MANY; c++)
        reversed[c] = MANY - c;
    dgmi_paint labels = painted(&view, "labels");
    view.predictions.counts = reversed;
    dgmi_paint predictions = painted(&view, "prediction");
    assert_string_equal(predictions.title, "most frequent prediction");
    for (int c = 0; c < MANY; c++)
        assert_same(labels.fill[c], predictions.fill[c]);
    view.labels.offsets = NULL;
    assert_int_equal(painted(&view, "prediction").scale.classes[0], 0);
}

static void the_unlabelled_are_counted(void **state) {
    (void)state;
    dgm_view view = summary();
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 3);
    assert_int_equal(paint.entries[0].members, 4);
    assert_int_equal(paint.entries[1].members, 4);
    assert_string_equal(paint.entries[2].name, "unlabelled");
    assert_int_equal(paint.entries[2].members, 6);
    assert_same(paint.entries[2].colour, dgmi_unknown_colour(DGM_THEME_LIGHT));
    assert_string_equal(painted(&view, "prediction").entries[2].name, "no prediction");
    assert_int_equal(paint.unknown, 1);
}

static void classes_that_do_not_occur_are_not_in_the_legend(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(3);
    many_values[0] = 1;
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 2);
    assert_string_equal(paint.entries[0].name, "c1");
    assert_same(paint.entries[0].colour, dgmi_class_colour(0, 0, 1));
}

static void pies_have_slices_that_sum_to_one(void **state) {
    (void)state;
    dgm_view view = summary();
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_paint paint = painted(&view, "labels");
    assert_string_equal(paint.title, "labels");
    static const int64_t slices[] = {2, 1, 1, 3};
    for (int m = 0; m < 4; m++) {
        double sum = 0;
        assert_int_equal(paint.slice_offsets[m + 1] - paint.slice_offsets[m], slices[m]);
        for (int64_t s = paint.slice_offsets[m]; s < paint.slice_offsets[m + 1]; s++)
            sum += paint.slices[s].share;
        assert_near(sum, 1, 1e-12);
    }
    assert_true(paint.slices[0].share == 0.75 && paint.slices[1].share == 0.25);
    assert_same(paint.slices[0].colour, paint.entries[0].colour);
    assert_same(paint.fill[0], paint.entries[0].colour);
    assert_same(paint.slices[3].colour, dgmi_unknown_colour(DGM_THEME_LIGHT));
}

static void slices_of_other_classes_are_one(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    int64_t one[] = {0, MANY}, size[] = {78};
    view.marks = 1;
    view.size = size;
    view.labels.offsets = one;
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_paint paint = painted(&view, "labels");
    assert_int_equal(paint.slice_offsets[1], 8);
    assert_near(paint.slices[7].share, 15 / 78.0, 1e-12);
    assert_same(paint.slices[7].colour, dgmi_other_colour(DGM_THEME_LIGHT));
}

static void nodes_have_classes_and_no_means(void **state) {
    (void)state;
    dgm_view view = summary();
    view.kind = DGM_VIEW_GRAPH;
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_paint paint = painted(&view, NULL);
    assert_int_equal(paint.scale.kind, DGMI_PAINT_CLASSES);
    assert_string_equal(paint.title, "label");
    assert_null(paint.slice_offsets);
    assert_string_equal(painted(&view, "attr:year").title, "year");
    assert_string_equal(painted(&view, "error").title, "mistakes");
}

static void alike_classes_of_the_paper_are_noted(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(7);
    dgm_context_set_notes(ctx, keep_note, NULL);
    notes = 0;
    painted(&view, "labels");
    assert_int_equal(notes, 0);
    options.style = DGM_STYLE_PAPER;
    painted(&view, "labels");
    assert_int_equal(notes, 1);
    assert_string_equal(last_note, "the colours of 'c1' and 'c6' look alike to a deuteranope; "
                                   "--style default has eight that do not");
    view = summary_of_classes(5);
    painted(&view, "labels");
    assert_int_equal(notes, 1);
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* ---- shared scales ---- */

static dgmi_paint_scale scale_of(const dgm_view *view, const char *colour) {
    dgmi_paint_scale scale;
    assert_int_equal(dgmi_paint_scale_of(ctx, view, colour, &options, &scale), DGM_OK);
    return scale;
}

static void panels_share_a_range(void **state) {
    (void)state;
    dgm_view view = summary(), wider = summary(), empty = summary();
    double more[] = {-1, 3, 0, 0}, none[] = {NAN, NAN, NAN, NAN};
    wider.lens = more;
    empty.lens = none;
    dgmi_paint_scale scale = scale_of(&view, "lens"), other = scale_of(&wider, "lens");
    dgmi_paint_scale nothing = scale_of(&empty, "lens");
    dgmi_paint_scale_join(&scale, &nothing);
    assert_true(scale.low[0] == 0 && scale.high[0] == 1);
    dgmi_paint_scale_join(&scale, &other);
    dgmi_paint paint;
    assert_int_equal(dgmi_paint_make(ctx, &view, "lens", &options, &scale, &paint), DGM_OK);
    assert_true(paint.scale.low[0] == -1 && paint.scale.high[0] == 3);
    assert_same(paint.fill[2], dgmi_colormap_at(DGMI_MAP_VIRIDIS, 0.5));
    paint = painted(&empty, "lens");
    assert_true(paint.scale.low[0] == 0 && paint.scale.high[0] == 1);
    assert_int_equal(paint.unknown, 4);
}

static void panels_share_classes(void **state) {
    (void)state;
    dgmi_paint_scale a = {.kind = DGMI_PAINT_CLASSES, .shown = 3, .classes = {4, 2, 0}};
    dgmi_paint_scale b = {.kind = DGMI_PAINT_CLASSES, .shown = 3, .classes = {2, 7, 1}};
    dgmi_paint_scale_join(&a, &b);
    assert_int_equal(a.shown, 5);
    assert_false(a.other);
    static const int32_t both[] = {4, 2, 0, 7, 1};
    assert_memory_equal(a.classes, both, sizeof both);
    dgmi_paint_scale eight = {
        .kind = DGMI_PAINT_CLASSES, .shown = 8, .classes = {10, 11, 12, 13, 14, 15, 16, 17}};
    dgmi_paint_scale_join(&a, &eight);
    assert_true(a.other);
    assert_int_equal(a.shown, 7);
    assert_int_equal(a.classes[6], 11);
    dgmi_paint_scale_join(&eight, &b);
    assert_true(eight.other);
    assert_int_equal(eight.shown, 7);
    dgmi_paint_scale ramp = {.kind = DGMI_PAINT_RAMP};
    dgmi_paint_scale_join(&ramp, &eight);
    assert_int_equal(ramp.shown, 0);
}

static void a_scale_of_other_classes_or_another_kind_does_no_harm(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(3);
    dgmi_paint_scale foreign = {.kind = DGMI_PAINT_CLASSES, .shown = 2, .classes = {2, 90}};
    dgmi_paint paint;
    assert_int_equal(dgmi_paint_make(ctx, &view, "labels", &options, &foreign, &paint), DGM_OK);
    assert_same(paint.fill[2], dgmi_class_colour(0, 0, 0));
    assert_same(paint.fill[0], dgmi_other_colour(0));
    assert_string_equal(paint.entries[1].name, "other (2 classes)");
    foreign.kind = DGMI_PAINT_RAMP;
    assert_int_equal(dgmi_paint_make(ctx, &view, "labels", &options, &foreign, &paint), DGM_OK);
    assert_int_equal(paint.entry_count, 3);
}

/* ---- nothing to show ---- */

static void a_bare_graph_has_one_colour(void **state) {
    (void)state;
    dgm_view view = {.kind = DGM_VIEW_GRAPH, .marks = 4, .size = sizes};
    assert_string_equal(dgmi_paint_default(&view), "none");
    dgmi_paint paint = painted(&view, NULL);
    assert_string_equal(paint.title, "");
    assert_int_equal(paint.entry_count, 0);
    assert_int_equal(paint.unknown, 0);
    assert_same(paint.fill[3], paint.fill[0]);
}

static void no_clusters_at_all_are_fine(void **state) {
    (void)state;
    static const char *const all[] = {"lens",    "labels",    "prediction", "error",
                                      "entropy", "attr:year", "attr:side",  "none"};
    dgm_view view = summary();
    int64_t nothing[] = {0};
    view.marks = 0;
    view.labels.offsets = view.predictions.offsets = nothing;
    for (int64_t i = 0; i < COUNT(all); i++) {
        dgmi_paint paint = painted(&view, all[i]);
        assert_int_equal(paint.entry_count, 0);
        assert_true(paint.scale.low[0] <= paint.scale.high[0]);
    }
}

/* ---- errors ---- */

static dgm_status try(const dgm_view *view, const char *colour) {
    dgmi_paint_scale scale;
    dgmi_paint paint;
    dgm_status status = dgmi_paint_scale_of(ctx, view, colour, &options, &scale);
    assert_int_equal(dgmi_paint_make(ctx, view, colour, &options, NULL, &paint), status);
    return status;
}

static void what_is_not_there_is_an_error_with_a_way_out(void **state) {
    (void)state;
    dgm_view view = summary();
    view.labels.offsets = view.predictions.offsets = NULL;
    view.judged = view.mistakes = NULL;
    view.entropy = NULL;
    ASSERT_FAILS(try(&view, "labels"), DGM_ERROR_USAGE,
                 "the summary has no labels: put labels.txt beside the edges and map it again, or "
                 "colour by lens");
    ASSERT_FAILS(try(&view, "prediction"), DGM_ERROR_USAGE,
                 "the summary has no predictions: map it with --lens gcn");
    ASSERT_FAILS(try(&view, "error"), DGM_ERROR_USAGE,
                 "the summary has no predictions to be wrong: map it with --lens gcn");
    ASSERT_FAILS(try(&view, "entropy"), DGM_ERROR_USAGE,
                 "the summary has neither predictions nor labels to take the entropy of: map it "
                 "with --lens gcn");
    view.predictions.offsets = offsets;
    ASSERT_FAILS(try(&view, "error"), DGM_ERROR_USAGE,
                 "the summary has no labels to judge its predictions by: colour by prediction");
    view.kind = DGM_VIEW_GRAPH;
    view.dimension = 0;
    ASSERT_FAILS(try(&view, "lens"), DGM_ERROR_USAGE,
                 "the graph has no lens: colour by labels, prediction, attr:NAME or none");
}

static void unknown_attributes_are_named(void **state) {
    (void)state;
    dgm_view view = summary();
    ASSERT_FAILS(try(&view, "attr:yaer"), DGM_ERROR_USAGE,
                 "the summary has no attribute 'yaer'; did you mean 'year'? (it has year, side)");
    ASSERT_FAILS(try(&view, "attr:temperature"), DGM_ERROR_USAGE,
                 "the summary has no attribute 'temperature' (it has year, side)");
    view.attribute_count = 0;
    view.kind = DGM_VIEW_POINTS;
    ASSERT_FAILS(try(&view, "attr:year"), DGM_ERROR_USAGE,
                 "the table of points has no attributes, so none called 'year'");
}

static void names_of_many_long_attributes_stay_one_line(void **state) {
    (void)state;
    enum { ATTRIBUTES = 40 };
    static char long_name[4000];
    memset(long_name, 'n', sizeof long_name - 1);
    dgmi_view_attribute many[ATTRIBUTES];
    for (int i = 0; i < ATTRIBUTES; i++)
        many[i] = (dgmi_view_attribute){.name = long_name, .means = years};
    dgm_view view = summary();
    view.attributes = many;
    view.attribute_count = ATTRIBUTES;
    assert_int_equal(try(&view, "attr:year"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), ", ...)");
}

static void unknown_colourings_and_maps_have_suggestions(void **state) {
    (void)state;
    dgm_view view = summary();
    assert_int_equal(dgmi_paint_check(ctx, "attr:anything"), DGM_OK);
    assert_int_equal(dgmi_paint_check(ctx, "entropy"), DGM_OK);
    ASSERT_FAILS(dgmi_paint_check(ctx, "label"), DGM_ERROR_USAGE,
                 "there is no colouring 'label'; did you mean 'labels'? (one of lens, labels, "
                 "prediction, error, entropy, attr:NAME, none)");
    ASSERT_FAILS(try(&view, "quux"), DGM_ERROR_USAGE,
                 "there is no colouring 'quux'; write lens, labels, prediction, error, entropy, "
                 "attr:NAME or none");
    assert_int_equal(dgmi_paint_check(ctx, "attr:"), DGM_ERROR_USAGE);
    options.colormap = "virdis";
    ASSERT_FAILS(try(&view, "lens"), DGM_ERROR_USAGE,
                 "there is no colormap 'virdis'; did you mean 'viridis'? (one of viridis, cividis, "
                 "coolwarm, diverging, cool)");
    options.colormap = "jet!";
    ASSERT_FAILS(
        try(&view, "labels"), DGM_ERROR_USAGE,
        "there is no colormap 'jet!' (one of viridis, cividis, coolwarm, diverging, cool)");
}

/* ---- words ---- */

static void assert_described(const dgm_view *view, const char *colour, int64_t mark,
                             const char *expected) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_paint_describe(view, colour, mark, &text);
    assert_int_equal(text.status, DGM_OK);
    assert_string_equal(text.data ? text.data : "", expected);
    dgmi_text_free(&text);
}

static void marks_are_described(void **state) {
    (void)state;
    dgm_view view = summary();
    assert_described(&view, "lens", 1, "height 0.25");
    assert_described(&view, NULL, 3, "height unknown");
    assert_described(&view, "labels", 0, "ham 3 of 4, spam 1");
    assert_described(&view, "labels", 2, "label unknown");
    assert_described(&view, "prediction", 1, "prediction spam 2 of 2");
    assert_described(&view, "error", 3, "1 of 2 wrong");
    assert_described(&view, "error", 2, "mistakes unknown");
    assert_described(&view, "entropy", 0, "entropy of predictions 0.5");
    assert_described(&view, "attr:year", 0, "year 1999");
    assert_described(&view, "attr:side", 3, "side x 1 of 5, y 1");
    assert_described(&view, "none", 0, "");
    assert_described(&view, "attr:nowhere", 0, "");
    years[0] = 1.0 / 3;
    assert_described(&view, "attr:year", 0, "year 0.3333");
    years[0] = 1999;
    view.dimension = 2;
    view.lens = places;
    assert_described(&view, "lens", 2, "height 0, width 1");
    view.kind = DGM_VIEW_GRAPH;
    assert_described(&view, "labels", 1, "spam");
    assert_described(&view, "error", 0, "right");
}

static void many_classes_are_described_by_the_first_five(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    int64_t one[] = {0, MANY}, size[] = {90};
    view.labels.offsets = one;
    view.size = size;
    assert_described(&view, "labels", 0, "c11 12 of 90, c10 11, c9 10, c8 9, c7 8 and 7 more");
}

/* ---- memory ---- */

static dgm_status paint_all(dgm_context *own, void *argument) {
    static const char *const all[] = {"lens", "labels", "prediction", "attr:year", "attr:side"};
    dgm_view view = summary_of_classes(MANY);
    dgmi_mark mark = dgmi_arena_mark(own);
    dgm_status status = DGM_OK;
    (void)argument;
    view.marks = 4;
    options.mixture = DGM_MIXTURE_PIE;
    for (int64_t i = 0; i < COUNT(all) && status == DGM_OK; i++) {
        dgmi_paint paint;
        dgmi_text text;
        dgmi_text_init(&text, own);
        status = dgmi_paint_make(own, &view, all[i], &options, NULL, &paint);
        dgmi_paint_describe(&view, all[i], 0, &text);
        if (status == DGM_OK)
            status = text.status;
        dgmi_text_free(&text);
    }
    dgmi_arena_release(own, mark);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fail_each_allocation(paint_all, NULL);
}

/* Large enough that each array has a block of its own. */
static dgm_status paint_large(dgm_context *own, void *argument) {
    enum { MARKS = 200000 };
    dgm_view view = summary();
    dgmi_mark mark = dgmi_arena_mark(own);
    dgmi_paint paint;
    int64_t *large = argument;
    view.marks = MARKS;
    view.size = large + MARKS + 1;
    view.labels = (dgmi_counts){large, values, counts};
    options.mixture = DGM_MIXTURE_PIE;
    dgm_status status = dgmi_paint_make(own, &view, "labels", &options, NULL, &paint);
    if (status == DGM_OK)
        assert_int_equal(paint.unknown, MARKS);
    dgmi_arena_release(own, mark);
    return status;
}

static void every_large_allocation_may_fail(void **state) {
    (void)state;
    static int64_t zeros[400001];
    fail_each_allocation(paint_large, zeros);
}

#define TEST(name) cmocka_unit_test_setup(name, reset_options)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_axis_is_a_ramp_of_what_occurs),
        TEST(another_colormap_may_be_asked_for),
        TEST(a_constant_lens_has_the_middle_colour_and_a_huge_one_a_range),
        TEST(a_probability_is_centred_on_the_threshold),
        TEST(a_threshold_may_lie_at_either_end),
        TEST(two_axes_are_a_square),
        TEST(three_axes_give_way_to_labels_and_say_so),
        TEST(two_classes_are_the_share_of_the_second),
        TEST(mistakes_go_from_calm_to_the_most_there_is),
        TEST(entropy_says_of_what),
        TEST(attributes_are_means_or_classes),
        TEST(up_to_eight_classes_have_colours_in_their_order),
        TEST(more_classes_are_the_most_frequent_and_other),
        TEST(labels_and_predictions_agree_on_colours),
        TEST(the_unlabelled_are_counted),
        TEST(classes_that_do_not_occur_are_not_in_the_legend),
        TEST(pies_have_slices_that_sum_to_one),
        TEST(slices_of_other_classes_are_one),
        TEST(nodes_have_classes_and_no_means),
        TEST(alike_classes_of_the_paper_are_noted),
        TEST(panels_share_a_range),
        TEST(panels_share_classes),
        TEST(a_scale_of_other_classes_or_another_kind_does_no_harm),
        TEST(a_bare_graph_has_one_colour),
        TEST(no_clusters_at_all_are_fine),
        TEST(what_is_not_there_is_an_error_with_a_way_out),
        TEST(unknown_attributes_are_named),
        TEST(names_of_many_long_attributes_stay_one_line),
        TEST(unknown_colourings_and_maps_have_suggestions),
        TEST(marks_are_described),
        TEST(many_classes_are_described_by_the_first_five),
        TEST(every_allocation_may_fail),
        TEST(every_large_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
