/* SPDX-License-Identifier: Apache-2.0 */
/* Words and lines of a text that is longer than what is held of it. */
#include "unit_progress.h"

#include <stdlib.h>

#include "base_memory.h"
#include "bytes_scan.h"

enum { BLOCK = 1 << 18 }; /* as much as is read at a time */

static dgmi_bytes_stream *stream;
static dgmi_bytes_scan scan;
static dgmi_hold hold;

static void begin_with(const char *text, size_t size) {
    hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, size, "t.txt", &stream), DGM_OK);
    assert_int_equal(dgmi_bytes_scan_init(&scan, ctx, stream), DGM_OK);
}

static void begin(const char *text) {
    begin_with(text, strlen(text));
}

static void end(void) {
    dgmi_bytes_stream_close(stream);
    dgmi_arena_release(ctx, hold);
}

static void assert_word(const char *text) {
    dgmi_bytes_word word;
    assert_int_equal(dgmi_bytes_scan_word(&scan, &word), DGM_OK);
    assert_int_equal(word.length, strlen(text));
    assert_memory_equal(word.text, text, word.length);
}

static void words_and_lines_come_one_after_the_other(void **state) {
    (void)state;
    bool found, yes;
    begin(" a\tbc \r\n\n  d");
    assert_word("a");
    assert_word("bc");
    assert_word("");
    assert_int_equal(scan.line, 1);
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    assert_true(found && scan.line == 2);
    assert_int_equal(dgmi_bytes_scan_starts_with(&scan, '\n', &yes), DGM_OK);
    assert_true(yes);
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    assert_true(found && scan.line == 3);
    assert_int_equal(dgmi_bytes_scan_starts_with(&scan, 'e', &yes), DGM_OK);
    assert_false(yes);
    assert_int_equal(dgmi_bytes_scan_starts_with(&scan, 'd', &yes), DGM_OK);
    assert_true(yes);
    assert_int_equal(dgmi_bytes_scan_at_end(&scan, &yes), DGM_OK);
    assert_false(yes);
    assert_word("d");
    assert_int_equal(dgmi_bytes_scan_at_end(&scan, &yes), DGM_OK);
    assert_true(yes);
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    assert_true(!found && scan.line == 3);
    end();
}

static void a_newline_at_the_end_begins_no_line(void **state) {
    (void)state;
    bool found;
    begin("a\n");
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    assert_false(found);
    assert_int_equal(scan.line, 1);
    end();
    begin("");
    assert_word("");
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    assert_false(found);
    end();
}

/* Blanks, then the longest word there may be, wherever a block ends in it. */
static void words_across_the_end_of_a_block_are_whole(void **state) {
    (void)state;
    char *text = malloc(BLOCK + 2000);
    char longest[DGMI_BYTES_LONGEST_WORD + 1];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    static const int before[] = {1, 2, 256, 510, 511, 512, 513, 514};
    for (int64_t i = 0; i < COUNT(before); i++) {
        size_t at = (size_t)(BLOCK - before[i]);
        memset(text, ' ', at);
        memcpy(text + at, longest, sizeof longest - 1);
        strcpy(text + at + sizeof longest - 1, " y\nz");
        bool found;
        begin(text);
        assert_word(longest);
        assert_word("y");
        assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
        assert_true(found);
        assert_word("z");
        end();
    }
    free(text);
}

static void a_word_that_is_too_long_is_refused(void **state) {
    (void)state;
    char text[DGMI_BYTES_LONGEST_WORD + 2];
    dgmi_bytes_word word;
    memset(text, 'x', sizeof text);
    begin_with(text, DGMI_BYTES_LONGEST_WORD + 1);
    ASSERT_FAILS(dgmi_bytes_scan_word(&scan, &word), DGM_ERROR_FORMAT,
                 "t.txt:1: a word of more than 512 bytes, where numbers are expected");
    end();
}

/* The line is longer than two blocks; its rest is passed over. */
static void a_long_line_is_passed_over_and_progress_is_told(void **state) {
    (void)state;
    enum { LENGTH = 2 * BLOCK + 100 };
    char *text = malloc(LENGTH + 3);
    bool found;
    memset(text, 'x', LENGTH);
    strcpy(text + LENGTH, "\n7");
    hear_progress();
    begin(text);
    assert_int_equal(dgmi_bytes_scan_next_line(&scan, &found), DGM_OK);
    hear_no_more();
    assert_true(found);
    assert_int_equal(scan.line, 2);
    assert_word("7");
    end();
    assert_int_equal(heard_count, 3);
    assert_string_equal(heard_reports[0].stage, "reading");
    assert_near(heard_reports[0].fraction, (double)BLOCK / (LENGTH + 2), 1e-12);
    assert_near(heard_reports[1].fraction, 2.0 * BLOCK / (LENGTH + 2), 1e-12);
    assert_near(heard_reports[2].fraction, 1, 0);
    free(text);
}

static void whole_numbers_have_bounds_and_reals_are_finite(void **state) {
    (void)state;
    int64_t value = 0;
    double real = 0;
    begin("1 9 0 10 x 2.5 inf nan");
    assert_int_equal(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_OK);
    assert_int_equal(value, 1);
    assert_int_equal(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_OK);
    assert_int_equal(value, 9);
    ASSERT_FAILS(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_ERROR_FORMAT,
                 "t.txt:1: the count 0 is outside 1 to 9");
    ASSERT_FAILS(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_ERROR_FORMAT,
                 "t.txt:1: the count 10 is outside 1 to 9");
    ASSERT_FAILS(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_ERROR_FORMAT,
                 "t.txt:1: the count \"x\" is not a whole number that fits");
    assert_int_equal(dgmi_bytes_scan_real(&scan, "the weight", &real), DGM_OK);
    assert_near(real, 2.5, 0);
    ASSERT_FAILS(dgmi_bytes_scan_real(&scan, "the weight", &real), DGM_ERROR_FORMAT,
                 "t.txt:1: the weight \"inf\" is not a finite number");
    ASSERT_FAILS(dgmi_bytes_scan_real(&scan, "the weight", &real), DGM_ERROR_FORMAT,
                 "t.txt:1: the weight \"nan\" is not a finite number");
    ASSERT_FAILS(dgmi_bytes_scan_real(&scan, "the weight", &real), DGM_ERROR_FORMAT,
                 "t.txt:1: the weight is missing");
    ASSERT_FAILS(dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value), DGM_ERROR_FORMAT,
                 "t.txt:1: the count is missing");
    assert_int_equal(dgmi_bytes_scan_line_end(&scan), DGM_OK);
    end();
    begin("one");
    ASSERT_FAILS(dgmi_bytes_scan_line_end(&scan), DGM_ERROR_FORMAT,
                 "t.txt:1: \"one\" is one word too many on this line");
    end();
}

/* Of the file's 30 bytes each thing takes three, and one more may stand without its newline. */
static void a_promise_is_kept_by_the_length_of_the_file(void **state) {
    (void)state;
    begin("123456789 123456789 123456789 ");
    assert_int_equal(dgmi_bytes_scan_check_promise(&scan, "edges", 11, 3), DGM_OK);
    ASSERT_FAILS(dgmi_bytes_scan_check_promise(&scan, "edges", 12, 3), DGM_ERROR_FORMAT,
                 "t.txt:1: 12 edges are promised, more than the file's 30 bytes can hold");
    end();
    begin(""); /* nothing is a length as well */
    assert_int_equal(dgmi_bytes_scan_check_promise(&scan, "edges", 1, 3), DGM_OK);
    ASSERT_FAILS(dgmi_bytes_scan_check_promise(&scan, "edges", 2, 3), DGM_ERROR_FORMAT,
                 "t.txt:1: 2 edges are promised, more than the file's 0 bytes can hold");
    end();
}

static void nodes_without_edges_are_so_many_and_no_more(void **state) {
    (void)state;
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    const int64_t most = (1 << 20) + 64 * 3;
    assert_int_equal(dgmi_bytes_check_sparse_nodes(ctx, "f", most, 3, &options), DGM_OK);
    ASSERT_FAILS(dgmi_bytes_check_sparse_nodes(ctx, "f", most + 1, 3, &options), DGM_ERROR_FORMAT,
                 "f: 1048769 nodes are promised for 3 edges; if that is right, say nodes=1048769");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    options.nodes = most + 1;
    assert_int_equal(dgmi_bytes_check_sparse_nodes(ctx, "f", most + 1, 3, &options), DGM_OK);
    options.nodes = most;
    assert_int_equal(dgmi_bytes_check_sparse_nodes(ctx, "f", most + 1, 3, &options),
                     DGM_ERROR_FORMAT);
}

static bool refuse(void *user, const char *stage, double fraction) {
    (void)user, (void)stage, (void)fraction;
    return false;
}

/* What the calls below have in common: each reads on before it looks. */
static dgm_status read_real(void) {
    double value;
    return dgmi_bytes_scan_real(&scan, "the weight", &value);
}

static dgm_status read_integer(void) {
    int64_t value;
    return dgmi_bytes_scan_integer(&scan, "the count", 1, 9, &value);
}

static dgm_status read_line_end(void) {
    return dgmi_bytes_scan_line_end(&scan);
}

static dgm_status read_next_line(void) {
    bool found = true;
    dgm_status status = dgmi_bytes_scan_next_line(&scan, &found);
    assert_false(found);
    return status;
}

static void a_caller_may_stop_the_reading_at_any_word_or_line(void **state) {
    (void)state;
    dgm_status (*const calls[])(void) = {read_real, read_integer, read_line_end, read_next_line};
    for (int64_t i = 0; i < COUNT(calls); i++) {
        begin("1 2\n3");
        dgm_context_set_progress(ctx, refuse, NULL);
        dgm_status status = calls[i]();
        dgm_context_set_progress(ctx, NULL, NULL);
        ASSERT_FAILS(status, DGM_ERROR_CANCELLED, "interrupted while reading");
        end();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_lines_come_one_after_the_other),
        cmocka_unit_test(a_newline_at_the_end_begins_no_line),
        cmocka_unit_test(words_across_the_end_of_a_block_are_whole),
        cmocka_unit_test(a_word_that_is_too_long_is_refused),
        cmocka_unit_test(a_long_line_is_passed_over_and_progress_is_told),
        cmocka_unit_test(whole_numbers_have_bounds_and_reals_are_finite),
        cmocka_unit_test(a_promise_is_kept_by_the_length_of_the_file),
        cmocka_unit_test(nodes_without_edges_are_so_many_and_no_more),
        cmocka_unit_test(a_caller_may_stop_the_reading_at_any_word_or_line),
    };
    return RUN_WITH_CONTEXT(tests);
}
