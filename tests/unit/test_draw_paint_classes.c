/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of classes, and pies. */
#include "unit_fixture.h"

#include "paint_sample.h"

/* ---- classes ---- */

static void up_to_twelve_classes_have_colours_in_their_order(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(12);
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 12);
    assert_false(paint.scale.other);
    for (int c = 0; c < 12; c++) {
        assert_int_equal(dgmi_draw_paint_shape(&paint, c), DGMI_DRAW_SHAPE_DISC);
        assert_same(paint.fill[c], dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, c));
        assert_string_equal(paint.entries[c].name, many_words[c]);
        assert_int_equal(paint.entries[c].members, c + 1);
    }
}

/* No two classes have both colour and shape in common, and the most frequent are discs. */
static void more_classes_differ_by_colour_or_shape(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(20);
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 20);
    assert_false(paint.scale.other);
    assert_string_equal(paint.entries[0].name, "c19");
    for (int a = 0; a < 20; a++) {
        assert_int_equal(paint.entries[a].shape,
                         a < 12 ? DGMI_DRAW_SHAPE_DISC : DGMI_DRAW_SHAPE_SQUARE);
        assert_int_equal(dgmi_draw_paint_shape(&paint, 19 - a), paint.entries[a].shape);
        assert_same(paint.fill[19 - a], paint.entries[a].colour);
        for (int b = 0; b < a; b++)
            assert_true(paint.entries[a].shape != paint.entries[b].shape ||
                        !same(paint.entries[a].colour, paint.entries[b].colour));
    }
}

static void very_many_classes_are_the_most_frequent_and_other(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.scale.shown, 35);
    assert_true(paint.scale.other);
    assert_int_equal(paint.entry_count, 36);
    assert_string_equal(paint.entries[0].name, "c39");
    assert_int_equal(paint.entries[0].members, 40);
    assert_string_equal(paint.entries[35].name, "other (5 classes)");
    assert_int_equal(paint.entries[35].members, 1 + 2 + 3 + 4 + 5);
    assert_same(paint.fill[4], dgmi_draw_other_colour(DGM_THEME_LIGHT));
    assert_same(paint.fill[39], dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, 0));
}

/* Predictions take the order of the labels, so that a class looks the same in both. */
static void labels_and_predictions_agree_on_colours(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    int64_t reversed[MANY];
    for (int c = 0; c < MANY; c++)
        reversed[c] = MANY - c;
    dgmi_draw_paint labels = painted(&view, "labels");
    view.own.profile->predictions.counts = reversed;
    dgmi_draw_paint predictions = painted(&view, "prediction");
    assert_string_equal(predictions.title, "most frequent prediction");
    for (int c = 0; c < MANY; c++)
        assert_same(labels.fill[c], predictions.fill[c]);
    view.own.profile->labels.offsets = NULL;
    assert_int_equal(painted(&view, "prediction").scale.classes[0], 0);
}

static void the_unlabelled_are_counted(void **state) {
    (void)state;
    dgm_view view = summary();
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 3);
    assert_int_equal(paint.entries[0].members, 4);
    assert_int_equal(paint.entries[1].members, 4);
    assert_string_equal(paint.entries[2].name, "unlabelled");
    assert_int_equal(paint.entries[2].members, 6);
    assert_same(paint.entries[2].colour, dgmi_draw_unknown_colour(DGM_THEME_LIGHT));
    assert_string_equal(painted(&view, "prediction").entries[2].name, "no prediction");
    assert_int_equal(paint.unknown, 1);
}

static void classes_that_do_not_occur_are_not_in_the_legend(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(3);
    many_values[0] = 1;
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.entry_count, 2);
    assert_string_equal(paint.entries[0].name, "c1");
    assert_same(paint.entries[0].colour, dgmi_draw_class_colour(0, 0, 1));
}

static void pies_have_slices_that_sum_to_one(void **state) {
    (void)state;
    dgm_view view = summary();
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_draw_paint paint = painted(&view, "labels");
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
    assert_same(paint.slices[3].colour, dgmi_draw_unknown_colour(DGM_THEME_LIGHT));
}

static void slices_of_other_classes_are_one(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    int64_t one[] = {0, MANY}, size[] = {MANY * (MANY + 1) / 2};
    view.marks = 1;
    view.size = size;
    view.own.profile->labels.offsets = one;
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_draw_paint paint = painted(&view, "labels");
    assert_int_equal(paint.slice_offsets[1], 12); /* slices have no shape: as many as colours */
    assert_near(paint.slices[11].share, 29.0 * 30 / 2 / (MANY * (MANY + 1) / 2.0), 1e-12);
    assert_same(paint.slices[11].colour, dgmi_draw_other_colour(DGM_THEME_LIGHT));
    assert_int_equal(dgmi_draw_paint_shape(&paint, 0), DGMI_DRAW_SHAPE_DISC);
}

/* Those that occur are counted, and one is no more than one. */
static void other_classes_are_counted_in_words(void **state) {
    (void)state;
    static const struct {
        int classes;
        bool attribute;
        const char *name;
    } cases[] = {{12, false, "other (1 class)"},
                 {14, false, "other (3 classes)"},
                 {12, true, "other (1 value)"},
                 {14, true, "other (3 values)"}};
    dgmi_draw_paint_scale eleven = {
        .kind = DGMI_DRAW_PAINT_CLASSES, .most = 12, .shown = 11, .other = true};
    for (int c = 0; c < 11; c++)
        eleven.classes[c] = c;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view view = summary_of_classes(cases[i].classes);
        dgmi_mapper_profile_attribute kind = {.name = "kind",
                                              .kind = DGM_ATTRIBUTE_TEXT,
                                              .counts = view.own.profile->labels,
                                              .texts = view.own.profile->class_names,
                                              .text_count = cases[i].classes};
        view.own.profile->attributes = &kind;
        view.own.profile->attribute_count = 1;
        dgmi_draw_paint paint;
        assert_int_equal(dgmi_draw_paint_make(ctx, &view,
                                              cases[i].attribute ? "attr:kind" : "labels", &options,
                                              &eleven, &paint),
                         DGM_OK);
        assert_string_equal(paint.entries[paint.entry_count - 1].name, cases[i].name);
    }
}

/* Without labels the order of many classes is that of how often they are predicted. */
static void predictions_alone_have_an_order_of_their_own(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(MANY);
    view.own.profile->labels.offsets = NULL;
    dgmi_draw_paint paint = painted(&view, "prediction");
    assert_int_equal(paint.scale.classes[0], MANY - 1);
    assert_int_equal(paint.scale.classes[1], MANY - 2);
}

static void nodes_have_classes_and_no_means(void **state) {
    (void)state;
    dgm_view view = summary();
    view.kind = DGM_VIEW_GRAPH;
    options.mixture = DGM_MIXTURE_PIE;
    dgmi_draw_paint paint = painted(&view, NULL);
    assert_int_equal(paint.scale.kind, DGMI_DRAW_PAINT_CLASSES);
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
    assert_string_equal(last_note, "the colours of 'c1' and 'c5' look alike to the colour-blind; "
                                   "style=default has twelve that do not");
    view = summary_of_classes(5);
    painted(&view, "labels");
    assert_int_equal(notes, 1);
    dgm_context_set_notes(ctx, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(up_to_twelve_classes_have_colours_in_their_order),
        TEST(more_classes_differ_by_colour_or_shape),
        TEST(very_many_classes_are_the_most_frequent_and_other),
        TEST(labels_and_predictions_agree_on_colours),
        TEST(the_unlabelled_are_counted),
        TEST(classes_that_do_not_occur_are_not_in_the_legend),
        TEST(pies_have_slices_that_sum_to_one),
        TEST(slices_of_other_classes_are_one),
        TEST(other_classes_are_counted_in_words),
        TEST(predictions_alone_have_an_order_of_their_own),
        TEST(nodes_have_classes_and_no_means),
        TEST(alike_classes_of_the_paper_are_noted),
    };
    return RUN_WITH_CONTEXT(tests);
}
