/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdio.h>

#include "base_context.h"
#include "base_words.h"

static char noted[1024];

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(noted, sizeof noted, "%s", note);
}

/* As a shell would have it. */
static void write_slashed(void *user, const char *name, const char *value, char *words,
                          size_t size) {
    snprintf(words, size, "%s%s%s%s", (const char *)user, name, value ? ":" : "",
             value ? value : "");
}

static void options_in_errors_are_written_plainly(void **state) {
    (void)state;
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_USAGE,
                           DGMI_NAMED("dim") " needs a reduction: " DGMI_NAMED("reduce=pca")),
                 DGM_ERROR_USAGE, "dim needs a reduction: reduce=pca");
    assert_string_equal(dgm_context_error_parts(ctx).option, "dim");
    ASSERT_FAILS(dgmi_fail_at(ctx, DGM_ERROR_DATA, "a.tsv", 3, -1,
                              "say " DGMI_NAMED("nodes=%d") ", or " DGMI_NAMED("lens=gcn:k=v"), 7),
                 DGM_ERROR_DATA, "a.tsv:3: say nodes=7, or lens=gcn:k=v");
    assert_string_equal(dgm_context_error_parts(ctx).option, "nodes");
}

static void an_error_that_names_no_option_blames_none(void **state) {
    (void)state;
    dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("dim") " is wrong");
    dgmi_fail(ctx, DGM_ERROR_DATA, "no option is to blame");
    assert_null(dgm_context_error_parts(ctx).option);
}

static void the_caller_says_how_options_are_written(void **state) {
    (void)state;
    char slash[] = "/";
    dgm_context_set_option_words(ctx, write_slashed, slash);
    dgm_context_set_notes(ctx, keep_note, NULL);
    dgmi_note(ctx, "try " DGMI_NAMED("reduce=%s") " or " DGMI_NAMED("min-size"), "none");
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_USAGE, "lower " DGMI_NAMED("overlap")), DGM_ERROR_USAGE,
                 "lower /overlap");
    assert_string_equal(dgm_context_error_parts(ctx).option, "overlap");
    dgm_context_set_option_words(ctx, NULL, NULL);
    assert_string_equal(noted, "try /reduce:none or /min-size");
    dgmi_note(ctx, "try " DGMI_NAMED("reduce=%s"), "none");
    assert_string_equal(noted, "try reduce=none");
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* Data may hold anything: marks that do not close, and very long words between two marks. */
static void marks_in_data_do_no_harm(void **state) {
    (void)state;
    char text[8], wide[700];
    memset(wide, 'w', sizeof wide);
    wide[0] = DGMI_OPTION_BEGIN;
    wide[sizeof wide - 2] = DGMI_OPTION_END;
    wide[sizeof wide - 1] = '\0';
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "'%s'",
                           "\x0e"
                           "a"),
                 DGM_ERROR_DATA, "'?a'");
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "'%s'", "a\x0f"), DGM_ERROR_DATA, "'a?'");
    dgmi_fail(ctx, DGM_ERROR_DATA, "%s", wide);
    assert_int_equal(strlen(dgm_context_error(ctx)), sizeof wide - 1);
    assert_null(dgm_context_error_parts(ctx).option);
    dgmi_words_render(ctx, DGMI_NAMED("reduce=tsne"), text, sizeof text, NULL);
    assert_string_equal(text, "reduce=");
}

static void advice_speaks_of_the_stage_or_of_the_lens(void **state) {
    (void)state;
    char advice[DGMI_ADVICE_SPACE];
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "try %s", dgmi_advice(ctx, "rate", "1", advice)),
                 DGM_ERROR_DATA, "try rate=1");
    ctx->lens = "gcn";
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "try %s", dgmi_advice(ctx, "rate", "1", advice)),
                 DGM_ERROR_DATA, "try lens=gcn:rate=1");
    ctx->lens = NULL;
}

/* An option of 254 bytes is one, and of 255 is none; the parts of an error keep 63 of its name. */
static void the_longest_option_is_rendered_and_a_longer_one_is_left(void **state) {
    (void)state;
    char marked[400], text[400];
    for (size_t length = 253; length <= 256; length++) {
        bool rendered = length < 255;
        memset(marked, 'o', sizeof marked);
        marked[0] = DGMI_OPTION_BEGIN;
        marked[length + 1] = DGMI_OPTION_END;
        marked[length + 2] = '\0';
        dgmi_words_render(ctx, marked, text, sizeof text, NULL);
        assert_int_equal(strlen(text), rendered ? length : length + 2);
        assert_int_equal(text[0], rendered ? 'o' : DGMI_OPTION_BEGIN);
    }
    for (size_t length = DGMI_OPTION_SPACE - 2; length <= DGMI_OPTION_SPACE; length++) {
        char first[DGMI_OPTION_SPACE];
        marked[length + 1] = DGMI_OPTION_END;
        marked[length + 2] = '\0';
        dgmi_words_render(ctx, marked, text, sizeof text, first);
        assert_int_equal(strlen(first),
                         length < DGMI_OPTION_SPACE ? length : DGMI_OPTION_SPACE - 1);
        marked[length + 1] = 'o';
    }
}

/* Fills the room that it is given, or writes nothing at all. */
static void write_all_or_nothing(void *user, const char *name, const char *value, char *words,
                                 size_t size) {
    (void)value;
    *(size_t *)user = size;
    if (strcmp(name, "nothing") == 0)
        return;
    memset(words, 'w', size - 1);
    words[size - 1] = '\0';
}

static void words_have_twice_the_room_of_an_option_and_may_be_none(void **state) {
    (void)state;
    char text[1000];
    size_t room = 0;
    dgm_context_set_option_words(ctx, write_all_or_nothing, &room);
    dgmi_words_render(ctx, "<" DGMI_NAMED("all") ">", text, sizeof text, NULL);
    assert_int_equal(room, 512);
    assert_int_equal(strlen(text), 513);
    assert_int_equal(text[512], '>');
    dgmi_words_render(ctx, "<" DGMI_NAMED("nothing") ">", text, sizeof text, NULL);
    assert_string_equal(text, "<>");
    dgm_context_set_option_words(ctx, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_in_errors_are_written_plainly),
        cmocka_unit_test(an_error_that_names_no_option_blames_none),
        cmocka_unit_test(the_caller_says_how_options_are_written),
        cmocka_unit_test(marks_in_data_do_no_harm),
        cmocka_unit_test(advice_speaks_of_the_stage_or_of_the_lens),
        cmocka_unit_test(the_longest_option_is_rendered_and_a_longer_one_is_left),
        cmocka_unit_test(words_have_twice_the_room_of_an_option_and_may_be_none),
    };
    return RUN_WITH_CONTEXT(tests);
}
