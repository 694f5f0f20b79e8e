/* SPDX-License-Identifier: Apache-2.0 */
/* What a pointer reads over a mark. */
#include "unit_fixture.h"

#include "paint_sample.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(marks_are_described),
        TEST(many_classes_are_described_by_the_first_five),
    };
    return RUN_WITH_CONTEXT(tests);
}
