/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "mapper_words.h"

static void every_value_has_a_word_and_is_found_by_it(void **state) {
    (void)state;
    const struct {
        const char *const *words;
        int last;
        const char *word;
    } cases[] = {{dgmi_mapper_cover_words(), DGM_COVER_PARTS, "parts"},
                 {dgmi_mapper_rule_words(), DGM_RULE_MOG, "mog"},
                 {dgmi_mapper_cluster_words(), DGM_CLUSTER_GIVEN, "given"},
                 {dgmi_mapper_edge_words(), DGM_EDGES_STRUCTURAL, "structural"},
                 {dgmi_mapper_strength_words(), DGM_STRENGTH_SAS, "sas"},
                 {dgmi_mapper_metric_words(), DGM_METRIC_COSINE, "cosine"},
                 {dgmi_mapper_piece_words(), DGM_PIECES_JOINED, "joined"},
                 {dgmi_mapper_weight_words(), DGM_WEIGHTS_BUMP, "bump"},
                 {dgmi_mapper_space_words(), DGM_SPACE_FEATURES, "features"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(cases[i].words[cases[i].last], cases[i].word);
        assert_null(cases[i].words[cases[i].last + 1]);
        assert_int_equal(dgmi_mapper_word_find(cases[i].words, cases[i].word), cases[i].last);
        assert_int_equal(dgmi_mapper_word_find(cases[i].words, "no such word"), -1);
    }
}

static void a_cover_is_told_by_its_axes(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_words words;
    options.intervals[1] = 7;
    dgmi_mapper_words_of(&options, 3, &words);
    assert_string_equal(words.cover, "uniform");
    assert_int_equal(words.axes, 3);
    assert_true(words.intervals[0] == 10 && words.intervals[1] == 7 && words.intervals[2] == 7);
    assert_true(words.overlaps == 3 && words.overlap[2] == 0.2);
    for (int64_t axes = DGM_MAX_AXES - 1; axes <= DGM_MAX_AXES + 1; axes++) {
        dgmi_mapper_words_of(&options, axes, &words);
        assert_int_equal(words.axes, axes < DGM_MAX_AXES ? axes : DGM_MAX_AXES);
        assert_int_equal(words.overlaps, words.axes);
        assert_true(words.intervals[words.axes - 1] == 7 && words.overlap[words.axes - 1] == 0.2);
    }
    options.overlap[0] = 0; /* which is an overlap, too */
    dgmi_mapper_words_of(&options, 1, &words);
    assert_true(words.axes == 1 && words.overlaps == 1 && words.overlap[0] == 0);
    options.intervals[0] = 0; /* a file did not say */
    options.overlap[0] = DGM_SAME;
    dgmi_mapper_words_of(&options, 3, &words);
    assert_true(words.axes == 0 && words.overlaps == 0);
}

static void cells_that_are_given_stand_on_one_axis(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_words words;
    options.cover = DGM_COVER_SIMPLEX;
    dgmi_mapper_words_of(&options, 4, &words);
    assert_true(words.axes == 1 && words.intervals[0] == 4 && words.overlaps == 0);
    options.cover = DGM_COVER_INTERVALS;
    options.given_count = 6;
    dgmi_mapper_words_of(&options, 1, &words);
    assert_true(words.axes == 1 && words.intervals[0] == 6 && words.overlaps == 0);
    options.cover = DGM_COVER_ADAPTIVE; /* which has overlaps on each */
    options.intervals[0] = 12;
    dgmi_mapper_words_of(&options, 2, &words);
    assert_true(words.axes == 1 && words.intervals[0] == 12 && words.overlaps == 2);
    options.cover = DGM_COVER_BALLS;
    dgmi_mapper_words_of(&options, 2, &words);
    assert_true(words.axes == 1 && words.intervals[0] == 12 && words.overlaps == 0);
    options.cover = DGM_COVER_LANDMARKS;
    dgmi_mapper_words_of(&options, 2, &words);
    assert_true(words.axes == 1 && words.intervals[0] == 12 && words.overlaps == 1);
}

static void a_pooled_summary_says_by_what_and_at_which_step(void **state) {
    (void)state;
    char words[100];
    dgmi_mapper_pooled_words("mpr", 1, 1, false, words, sizeof words);
    assert_string_equal(words, "pooled by mpr");
    dgmi_mapper_pooled_words("mpr", 2, 2, true, words, sizeof words);
    assert_string_equal(words, "pooled by mpr \xc2\xb7 step 2 of 2 \xc2\xb7 trained");
    dgmi_mapper_pooled_words("diffpool", 1, 3, false, words, sizeof words);
    assert_string_equal(words, "pooled by diffpool \xc2\xb7 step 1 of 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_word_and_is_found_by_it),
        cmocka_unit_test(a_cover_is_told_by_its_axes),
        cmocka_unit_test(cells_that_are_given_stand_on_one_axis),
        cmocka_unit_test(a_pooled_summary_says_by_what_and_at_which_step),
    };
    return RUN_WITH_CONTEXT(tests);
}
