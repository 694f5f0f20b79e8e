/* SPDX-License-Identifier: Apache-2.0 */
/* What a pointer reads over a mark. */
#include "unit_fixture.h"

#include "paint_sample.h"

/* ---- words ---- */

static void assert_described(const dgm_view *view, const char *colour, int64_t mark,
                             const char *expected) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_draw_paint_describe(view, colour, mark, &text);
    assert_int_equal(text.status, DGM_OK);
    assert_string_equal(text.data ? text.data : "", expected);
    dgmi_text_free(&text);
}

static void marks_are_described(void **state) {
    (void)state;
    dgm_view view = summary();
    assert_described(&view, "lens", 1, "height 0.25");
    assert_described(&view, "lens", 3, "height unknown");
    assert_described(&view, NULL, 3, "ham 1 of 5, spam 1"); /* the labels */
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
    assert_described(&view, "error", 1, "wrong");
    view.dimension = 4; /* the first three of them */
    view.own.profile->labels.offsets = NULL;
    view.lens = (double[]){1, 2, 3, 4};
    view.axes = (char *[]){"a", "b", "c", "d"};
    assert_described(&view, "lens", 0, "a 1, b 2, c 3");
}

static void mistakes_say_what_was_taken_for_what(void **state) {
    (void)state;
    dgm_view view = summary();
    int64_t starts[] = {0, 0, 1, 1, 3};
    dgm_profile_mixup mixups[] = {{0, 1, 1}, {1, 0, 4}, {0, 1, 2}};
    char *numbers[] = {"0", "1"}, *unnamed[] = {"", "x"};
    view.own.profile->mixup_offsets = starts;
    view.own.profile->mixups = mixups;
    assert_described(&view, "error", 0, "0 of 4 wrong");
    assert_described(&view, "error", 1, "1 of 2 wrong: ham taken for spam 1");
    assert_described(&view, "error", 3, "1 of 2 wrong: spam taken for ham 4, ham taken for spam 2");
    view.own.profile->class_names = numbers;
    assert_described(&view, "error", 1, "1 of 2 wrong: class 0 taken for class 1 1");
    view.own.profile->class_names = unnamed;
    assert_described(&view, "error", 1, "1 of 2 wrong:  taken for x 1");
}

static void many_classes_are_described_by_the_first_five(void **state) {
    (void)state;
    dgm_view view = summary_of_classes(12);
    int64_t one[] = {0, 12}, size[] = {90};
    view.own.profile->labels.offsets = one;
    view.size = size;
    assert_described(&view, "labels", 0, "c11 12 of 90, c10 11, c9 10, c8 9, c7 8 and 7 more");
}

/* Ranks are not the numbers that were ranked. */
static void transformed_axes_are_called_so(void **state) {
    (void)state;
    static const struct {
        char *transform, *title, *words;
    } cases[] = {
        {"none", "mean height", "height 0.25"},
        {"rank", "mean rank of height", "rank of height 0.25"},
        {"log", "mean log height", "log height 0.25"},
        {"log1p", "mean log(1 + height)", "log(1 + height) 0.25"},
        {"zscore", "mean z-score of height", "z-score of height 0.25"},
        {"log, rank", "mean rank of log height", "rank of log height 0.25"},
        {"log1p, zscore", "mean z-score of log(1 + height)", "z-score of log(1 + height) 0.25"},
        {"cube", "mean cube of height", "cube of height 0.25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_view view = summary();
        char *transforms[] = {cases[i].transform, "rank"};
        view.transforms = transforms;
        assert_string_equal(painted(&view, "lens").title, cases[i].title);
        assert_described(&view, "lens", 1, cases[i].words);
        view.dimension = 2;
        view.lens = places;
        assert_string_equal(painted(&view, "lens").axes[1], "rank of width");
    }
}

/* Half of the way through the ranks is no probability of a half. */
static void ranks_of_probabilities_are_no_probabilities(void **state) {
    (void)state;
    dgm_view view = summary();
    char *transforms[] = {"none"};
    view.transforms = transforms;
    view.lens_name = "gcn+prob";
    assert_string_equal(painted(&view, "lens").title, "mean probability");
    assert_true(painted(&view, "lens").scale.centred);
    transforms[0] = "rank";
    assert_string_equal(painted(&view, "lens").title, "mean rank of height");
    assert_false(painted(&view, "lens").scale.centred);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(marks_are_described),
        TEST(mistakes_say_what_was_taken_for_what),
        TEST(many_classes_are_described_by_the_first_five),
        TEST(transformed_axes_are_called_so),
        TEST(ranks_of_probabilities_are_no_probabilities),
    };
    return RUN_WITH_CONTEXT(tests);
}
