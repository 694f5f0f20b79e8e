/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_context.h"

/* A context of its own: errors stay in a context until the next one. */
static int make_fresh(void **state) {
    (void)state;
    return dgm_context_create(NULL, &ctx);
}

static void a_new_context_has_no_error(void **state) {
    (void)state;
    dgm_error error = dgm_context_error_parts(ctx);
    assert_string_equal(dgm_context_error(ctx), "");
    assert_int_equal(error.status, DGM_OK);
    assert_string_equal(error.message, "");
    assert_null(error.file);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.byte, -1);
}

static void an_error_is_kept_whole_and_in_parts(void **state) {
    (void)state;
    assert_int_equal(
        dgmi_fail_at(ctx, DGM_ERROR_FORMAT, "a/b.tsv", 12, 345, "expected %d fields", 3),
        DGM_ERROR_FORMAT);
    dgm_error error = dgm_context_error_parts(ctx);
    assert_string_equal(dgm_context_error(ctx), "a/b.tsv:12: expected 3 fields");
    assert_int_equal(error.status, DGM_ERROR_FORMAT);
    assert_string_equal(error.message, "expected 3 fields");
    assert_string_equal(error.file, "a/b.tsv");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.byte, 345);
    ASSERT_FAILS(dgmi_fail_at(ctx, DGM_ERROR_FILE, "a/b.tsv", 0, -1, "is missing"), DGM_ERROR_FILE,
                 "a/b.tsv: is missing");
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "no file is to blame"), DGM_ERROR_DATA,
                 "no file is to blame");
    assert_null(dgm_context_error_parts(ctx).file);
    assert_int_equal(dgm_context_error_parts(ctx).line, 0);
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
}

static void control_characters_become_question_marks(void **state) {
    (void)state;
    ASSERT_FAILS(dgmi_fail_at(ctx, DGM_ERROR_DATA, "evil\nname", 3, 0, "a\tb\r\nc\x1b[31m\x7f"),
                 DGM_ERROR_DATA, "evil?name:3: a?b??c?[31m?");
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "caf\xc3\xa9 \xe2\x82\xac"), DGM_ERROR_DATA,
                 "caf\xc3\xa9 \xe2\x82\xac");
}

static void a_long_error_is_cut_and_stays_one_line(void **state) {
    (void)state;
    char text[5000];
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = '\0';
    dgmi_fail_at(ctx, DGM_ERROR_DATA, text, 1234567, 0, "%s", text);
    assert_int_equal(strlen(dgm_context_error_parts(ctx).message), 1023);
    assert_int_equal(strlen(dgm_context_error_parts(ctx).file), 1023);
    assert_int_equal(strlen(dgm_context_error(ctx)), 1023 + strlen(":1234567: ") + 1023);
}

typedef struct {
    int calls, stop_at;
    char stage[64];
    double fraction;
} watcher;

static bool watch(void *user, const char *stage, double fraction) {
    watcher *seen = user;
    strncpy(seen->stage, stage, sizeof seen->stage - 1);
    seen->fraction = fraction;
    return ++seen->calls != seen->stop_at;
}

static void progress_reaches_the_caller_who_may_stop(void **state) {
    (void)state;
    watcher seen = {.stop_at = 2};
    assert_int_equal(dgmi_progress(ctx, "unwatched", 0), DGM_OK);
    dgm_context_set_progress(ctx, watch, &seen);
    assert_int_equal(dgmi_progress(ctx, "counting", 0.25), DGM_OK);
    assert_string_equal(seen.stage, "counting");
    assert_true(seen.fraction == 0.25);
    ASSERT_FAILS(dgmi_progress(ctx, "counting", -1), DGM_ERROR_CANCELLED,
                 "interrupted while counting");
    assert_true(seen.fraction == -1);
    assert_int_equal(dgmi_progress(ctx, "counting", 1), DGM_OK); /* one no is one stop */
    assert_int_equal(seen.calls, 3);
}

static void a_cancelled_context_stays_so_until_it_resumes(void **state) {
    (void)state;
    watcher seen = {.stop_at = -1};
    dgm_context_set_progress(ctx, watch, &seen);
    assert_false(dgmi_cancelled(ctx));
    dgm_context_cancel(ctx);
    assert_true(dgmi_cancelled(ctx));
    assert_int_equal(dgmi_progress(ctx, "waiting", 0), DGM_ERROR_CANCELLED);
    assert_int_equal(dgmi_progress(ctx, "waiting", 0), DGM_ERROR_CANCELLED);
    assert_int_equal(seen.calls, 0);
    dgm_context_resume(ctx);
    assert_int_equal(dgmi_progress(ctx, "waiting", 0), DGM_OK);
    assert_int_equal(seen.calls, 1);
}

static void a_cancelled_call_leaves_nothing_and_the_next_works(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_context_cancel(ctx);
    dgm_generate_options use = DGM_GENERATE_OPTIONS_INIT;
    use.kind = DGM_GENERATE_RMAT;
    use.nodes = 64;
    ASSERT_FAILS(dgm_graph_generate(ctx, &use, NULL, &graph), DGM_ERROR_CANCELLED,
                 "interrupted while generating");
    assert_null(graph);
    dgm_context_resume(ctx);
    assert_int_equal(dgm_graph_generate(ctx, &use, NULL, &graph), DGM_OK);
    dgm_graph_free(graph);
}

static void keep_note(void *user, const char *note) {
    strncpy(user, note, 63);
}

static void notes_reach_the_caller_on_one_line(void **state) {
    (void)state;
    char note[64] = "";
    dgmi_note(ctx, "nobody listens");
    dgm_context_set_notes(ctx, keep_note, note);
    dgmi_note(ctx, "%d self-loops\ndropped", 12);
    assert_string_equal(note, "12 self-loops?dropped");
    assert_string_equal(dgm_context_error(ctx), ""); /* a note is no error */
}

static void every_status_has_a_word(void **state) {
    (void)state;
    assert_string_equal(dgm_status_name(DGM_OK), "ok");
    assert_string_equal(dgm_status_name(DGM_ERROR_MEMORY), "memory");
    assert_string_equal(dgm_status_name(DGM_ERROR_USAGE), "usage");
    assert_string_equal(dgm_status_name(DGM_ERROR_FILE), "file");
    assert_string_equal(dgm_status_name(DGM_ERROR_FORMAT), "format");
    assert_string_equal(dgm_status_name(DGM_ERROR_DATA), "data");
    assert_string_equal(dgm_status_name(DGM_ERROR_CANCELLED), "cancelled");
    assert_string_equal(dgm_status_name((dgm_status)99), "unknown");
    assert_int_equal(strspn(dgm_version(), "0123456789."), strlen(dgm_version()));
}

static void characters_beside_the_controls_are_printed(void **state) {
    (void)state;
    ASSERT_FAILS(dgmi_fail(ctx, DGM_ERROR_DATA, "\x1f|\x20|\x7e|\x7f|\xc2\x80|\xc2\x9f|\xc2\xa0"),
                 DGM_ERROR_DATA, "?| |~|?|?|?|\xc2\xa0");
}

static void keep_length(void *user, const char *note) {
    *(size_t *)user = strlen(note);
}

static void a_long_note_is_cut_like_an_error(void **state) {
    (void)state;
    char text[3000];
    size_t length = 0;
    memset(text, 'n', sizeof text);
    text[sizeof text - 1] = '\0';
    dgm_context_set_notes(ctx, keep_length, &length);
    dgmi_note(ctx, "%s", text);
    assert_int_equal(length, 1023);
}

static void a_limit_of_unpacking_is_kept_and_none_is_below_nought(void **state) {
    (void)state;
    assert_int_equal(ctx->unpack_limit, DGM_UNPACK_LIMIT);
    static const int64_t limits[][2] = {{1, 1}, {0, 0}, {-1, 0}, {7000, 7000}};
    for (int64_t i = 0; i < COUNT(limits); i++) {
        dgm_context_set_unpack_limit(ctx, limits[i][0]);
        assert_int_equal(ctx->unpack_limit, limits[i][1]);
    }
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgm_context_threads(ctx), 1);
}

static void *resize_dirty(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    void *fresh = realloc(block, size);
    return fresh && !block ? memset(fresh, 0x5a, size) : fresh;
}

static void a_context_does_not_rely_on_memory_that_is_zero(void **state) {
    (void)state;
    dgm_context *other;
    assert_int_equal(dgm_context_create(&(dgm_allocator){resize_dirty, NULL}, &other), DGM_OK);
    assert_string_equal(dgm_context_error(other), "");
    assert_null(dgm_context_error_parts(other).option);
    assert_int_equal(dgm_context_threads(other), dgm_context_threads(ctx));
    assert_int_equal(dgmi_progress(other, "listening", 0), DGM_OK);
    dgmi_note(other, "nobody listens");
    dgm_context_free(other);
}

static void a_status_behind_the_last_is_unknown(void **state) {
    (void)state;
    assert_string_equal(dgm_status_name((dgm_status)(DGM_ERROR_CANCELLED + 1)), "unknown");
    assert_string_equal(dgm_status_name((dgm_status)-1), "unknown");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fresh, free_context)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_new_context_has_no_error),
        TEST(an_error_is_kept_whole_and_in_parts),
        TEST(control_characters_become_question_marks),
        TEST(a_long_error_is_cut_and_stays_one_line),
        TEST(progress_reaches_the_caller_who_may_stop),
        TEST(a_cancelled_context_stays_so_until_it_resumes),
        TEST(a_cancelled_call_leaves_nothing_and_the_next_works),
        TEST(notes_reach_the_caller_on_one_line),
        TEST(every_status_has_a_word),
        TEST(characters_beside_the_controls_are_printed),
        TEST(a_long_note_is_cut_like_an_error),
        TEST(a_limit_of_unpacking_is_kept_and_none_is_below_nought),
        TEST(a_context_does_not_rely_on_memory_that_is_zero),
        TEST(a_status_behind_the_last_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
