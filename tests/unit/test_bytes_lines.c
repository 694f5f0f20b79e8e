/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base_memory.h"
#include "bytes_lines.h"
#include "io_scratch.h"

/* Records of `text` with | between fields and / behind each, into `out`. */
static dgm_status cut_as(const char *text, size_t size, char separator, bool comments,
                         char out[512]) {
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    out[0] = '\0';
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, size, "t.txt", &stream), DGM_OK);
    dgmi_bytes_lines_init(&lines, ctx, stream);
    lines.separator = separator;
    lines.comments = comments;
    dgm_status status;
    while ((status = dgmi_bytes_lines_next(&lines)) == DGM_OK && lines.count > 0) {
        for (int64_t k = 0; k < lines.count; k++) {
            assert_int_equal(strlen(lines.fields[k].text), lines.fields[k].length);
            strcat(strcat(out, k ? "|" : ""), lines.fields[k].text);
        }
        strcat(out, "/");
    }
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
    return status;
}

static void expect_cut(const char *text, const char *expected) {
    char out[512];
    assert_int_equal(cut_as(text, strlen(text), 0, true, out), DGM_OK);
    assert_string_equal(out, expected);
}

static void the_first_line_decides_the_separator(void **state) {
    (void)state;
    expect_cut("a b  c\nd\te f\n", "a|b|c/d|e|f/");
    expect_cut("a,b\nc , d\n", "a|b/c|d/");
    expect_cut("a\tb, c\nd\t\n", "a|b, c/d|/");
    expect_cut("a;b\nc;d", "a|b/c|d/");
    expect_cut("\"a,b\"\tc\n", "a,b|c/");
    expect_cut("\"a \"\"b, c\"\" d\" 2\n", "a \"b, c\" d|2/");
}

static void comments_and_empty_lines_and_marks_are_passed_over(void **state) {
    (void)state;
    expect_cut("\xef\xbb\xbf# x\n\n% y\n  \n1 2\r\n\r\n3 4\r\n", "1|2/3|4/");
    expect_cut("", "");
    expect_cut("\n\n", "");
    char out[512];
    assert_int_equal(cut_as("#1,2\n", 5, ',', false, out), DGM_OK);
    assert_string_equal(out, "#1|2/");
}

static void empty_fields_are_kept_between_separators(void **state) {
    (void)state;
    expect_cut("a,,b\n,\n", "a||b/|/");
    expect_cut("a\t\tb\n", "a||b/");
}

static void quotes_hold_separators_line_ends_and_quotes(void **state) {
    (void)state;
    expect_cut("a,\"x, y\",b\n", "a|x, y|b/");
    expect_cut("\"say \"\"hi\"\"\",2\n", "say \"hi\"|2/");
    expect_cut("\"one\ntwo\n\nthree\",2\n4,5\n", "one\ntwo\n\nthree|2/4|5/");
    expect_cut("\"a\" \"b c\"  d\n", "a|b c|d/");
    expect_cut("5\" x,y\n", "5\" x|y/");
    expect_cut("\"\",\"\"\n", "|/");
}

static void bad_text_is_refused_with_its_line(void **state) {
    (void)state;
    char out[512];
    assert_int_equal(cut_as("a,b\n\"c,d\ne,f\n", 13, 0, true, out), DGM_ERROR_FORMAT);
    scratch_check_error("t.txt:2: a quote that opens in this record never closes");
    assert_int_equal(cut_as("a,b\n\"c\"d,e\n", 11, 0, true, out), DGM_ERROR_FORMAT);
    scratch_check_error("t.txt:2: text behind a closing quote");
    assert_int_equal(cut_as("a,b\nc,\0d\n", 9, 0, true, out), DGM_ERROR_FORMAT);
    scratch_check_error("t.txt:2: a zero byte");
    assert_int_equal(cut_as("a,b\nc,\x93\n", 8, 0, true, out), DGM_ERROR_FORMAT);
    scratch_check_error("t.txt:2: this is no UTF-8 text");
}

/* The quote behind the comma closes at the one behind the second tab, where that is still a separator
 * among others; then tabs alone separate, and the last field has a quote of its own. */
static void a_quote_that_the_separator_leaves_open_is_refused(void **state) {
    (void)state;
    char out[512];
    static const char text[] = "x\ta,\"b\t\"c\n";
    assert_int_equal(cut_as(text, sizeof text - 1, 0, true, out), DGM_ERROR_FORMAT);
    scratch_check_error("t.txt:1: a quote that opens in this record never closes");
}

static void lines_longer_than_a_block_are_whole(void **state) {
    (void)state;
    enum { LONG = 700000 };
    char *text = malloc(2 * LONG + 16);
    memset(text, 'x', LONG);
    text[LONG] = ' ';
    memset(text + LONG + 1, 'y', LONG);
    strcpy(text + 2 * LONG + 1, "\n1 2\n");
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "t", &stream), DGM_OK);
    dgmi_bytes_lines_init(&lines, ctx, stream);
    assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.fields[0].length, LONG);
    assert_int_equal(lines.fields[1].length, LONG);
    assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
    assert_int_equal(lines.line, 2);
    assert_string_equal(lines.fields[1].text, "2");
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
    free(text);
}

static void many_lines_keep_their_numbers(void **state) {
    (void)state;
    enum { LINES = 70000 }; /* more than between two reports of progress */
    char *text = malloc(LINES * 8);
    size_t used = 0;
    for (int i = 1; i <= LINES; i++)
        used += (size_t)sprintf(text + used, "%d\n", i);
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, used, "t", &stream), DGM_OK);
    dgmi_bytes_lines_init(&lines, ctx, stream);
    for (int i = 1; i <= LINES; i++) {
        int64_t value;
        assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
        assert_int_equal(lines.line, i);
        assert_int_equal(dgmi_bytes_lines_integer(&lines, 0, 0, LINES, "a number", &value), DGM_OK);
        assert_int_equal(value, i);
    }
    assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
    assert_int_equal(lines.count, 0);
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
    free(text);
}

static void whole_numbers_may_be_written_as_reals(void **state) {
    (void)state;
    int32_t *values;
    int64_t count;
    const char *path = scratch_text("column.txt", "3\n-1\n2.0\n1.000000000000000000e+00\n");
    assert_int_equal(dgmi_bytes_lines_read_column(ctx, path, -1, 9, "a class", &values, &count),
                     DGM_OK);
    assert_int_equal(count, 4);
    const int32_t expected[] = {3, -1, 2, 1};
    assert_memory_equal(values, expected, sizeof expected);
    dgmi_free(ctx, values);
    const char *bad[] = {"1\n2.5\n", "1\n10\n", "1\n-2\n", "1\nnan\n", "1\n99999999999999999999\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        path = scratch_text("column.txt", bad[i]);
        assert_int_equal(dgmi_bytes_lines_read_column(ctx, path, -1, 9, "a class", &values, &count),
                         DGM_ERROR_DATA);
        assert_null(values);
        scratch_check_error("column.txt:2: \"");
        scratch_check_error("is not a class");
    }
}

static void fields_written_are_read_back(void **state) {
    (void)state;
    static const char *const fields[] = {"plain", "two words", "a,b", "a\tb", "say \"hi\"", " x ",
                                         "#1",    "%2",        "",    "a;b",  "line\nend",  "1.5"};
    enum { FIELDS = sizeof fields / sizeof *fields };
    static const char separators[] = {',', '\t', ' '};
    for (size_t s = 0; s < sizeof separators; s++) {
        dgmi_text text;
        dgmi_text_init(&text, ctx);
        for (size_t i = 0; i < FIELDS; i++) {
            dgmi_bytes_lines_write(&text, fields[i], strlen(fields[i]), separators[s]);
            dgmi_text_append(&text, i + 1 < FIELDS ? &separators[s] : "\n", 1);
        }
        dgmi_bytes_stream *stream;
        dgmi_bytes_lines lines;
        assert_int_equal(
            dgmi_bytes_stream_open_memory(ctx, text.data, (size_t)text.length, "t", &stream),
            DGM_OK);
        dgmi_bytes_lines_init(&lines, ctx, stream);
        lines.separator = separators[s];
        assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
        assert_int_equal(lines.count, FIELDS);
        for (size_t i = 0; i < FIELDS; i++)
            assert_string_equal(lines.fields[i].text, fields[i]);
        dgmi_bytes_lines_free(&lines);
        dgmi_bytes_stream_close(stream);
        dgmi_text_free(&text);
    }
}

static void quotes_decide_nothing_about_the_separator(void **state) {
    (void)state;
    expect_cut("\"a;b\" \"c\"\n", "a;b|c/");
    expect_cut("x\"y,z\"\n", "x\"y|z\"/");
    expect_cut("\"a\"\"b,c\" d\n", "a\"b,c|d/");
    expect_cut("\"a,\"", "a,/");
    expect_cut("\"a\tb\",c\n", "a\tb|c/");
    expect_cut("a;\"b,c\"\n", "a|b,c/");
    expect_cut("a \"b,c\"\n", "a|b,c/");
    expect_cut("\"\"\"\",b\n", "\"|b/");
}

static void a_quote_opens_a_field_at_its_beginning_alone(void **state) {
    (void)state;
    expect_cut("a, \"b\nc\"\n1,2\n", "a|b\nc/1|2/");
    expect_cut("a,b\n1,x \"y\n2,3\n", "a|b/1|x \"y/2|3/");
    expect_cut("\"a\"\"\nb\",c\n", "a\"\nb|c/");
    expect_cut("\"a\n\",b\n1,2\n", "a\n|b/1|2/");
    expect_cut("a,b\n\"c\" ,d\n", "a|b/c|d/");
    expect_cut("\ta\tb\n", "|a|b/");
}

static void a_mark_stands_at_the_beginning_alone(void **state) {
    (void)state;
    expect_cut("\xef\xbb\xbf\n1 2\n", "1|2/");
    expect_cut("\xef\xbb\xbf", "");
    expect_cut("\xef\xbb\xbf"
               "1 2\n",
               "1|2/");
    expect_cut("1 2\n\xef\xbb\xbf"
               "3 4\n",
               "1|2/\xef\xbb\xbf"
               "3|4/");
}

static void only_fields_that_need_quotes_have_them(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"plain", "plain"},
                                           {"two words", "two words"},
                                           {"x#y%", "x#y%"},
                                           {"\x7f~!", "\x7f~!"},
                                           {"#1", "\"#1\""},
                                           {"%2", "\"%2\""},
                                           {"", "\"\""},
                                           {" x", "\" x\""},
                                           {"x ", "\"x \""},
                                           {"a;b", "\"a;b\""},
                                           {"\x1f", "\"\x1f\""},
                                           {"a\tb", "\"a\tb\""},
                                           {"a|b", "\"a|b\""},
                                           {"PK\3\4", "\"PK\3\4\""},
                                           {"\xc3\xaf", "\xc3\xaf"},
                                           {"\xef\xbb\xbf", "\"\xef\xbb\xbf\""},
                                           {"a\"", "\"a\"\"\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgmi_text text;
        dgmi_text_init(&text, ctx);
        dgmi_bytes_lines_write(&text, cases[i][0], strlen(cases[i][0]), '|');
        assert_string_equal(text.data, cases[i][1]);
        dgmi_text_free(&text);
    }
}

static void columns_have_one_whole_number_a_line(void **state) {
    (void)state;
    int32_t *values;
    int64_t count = 7;
    const char *path = scratch_text("column.txt", "-1\n9\n");
    assert_int_equal(dgmi_bytes_lines_read_column(ctx, path, -1, 9, "a class", &values, &count),
                     DGM_OK);
    assert_int_equal(count, 2);
    assert_true(values[0] == -1 && values[1] == 9);
    dgmi_free(ctx, values);
    path = scratch_text("column.txt", "1\n2 3\n");
    assert_int_equal(dgmi_bytes_lines_read_column(ctx, path, -1, 9, "a class", &values, &count),
                     DGM_ERROR_DATA);
    scratch_check_error("column.txt:2: 2 values on a line; one is needed, a class");
    assert_null(values);
    assert_int_equal(count, 0);
}

static void reals_stand_for_whole_numbers_below_2_to_the_53(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value; /* 0: refused */
    } cases[] = {{"9007199254740991.0", 9007199254740991},
                 {"9007199254740992.0", 0},
                 {"9007199254740992", 9007199254740992},
                 {"-9007199254740991.0", -9007199254740991},
                 {"-9007199254740992.0", 0},
                 {"1.5", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgmi_bytes_stream *stream;
        dgmi_bytes_lines lines;
        int64_t value = 0;
        assert_int_equal(
            dgmi_bytes_stream_open_memory(ctx, cases[i].text, strlen(cases[i].text), "t", &stream),
            DGM_OK);
        dgmi_bytes_lines_init(&lines, ctx, stream);
        assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
        dgm_status status =
            dgmi_bytes_lines_integer(&lines, 0, INT64_MIN, INT64_MAX, "whole", &value);
        assert_int_equal(status, cases[i].value ? DGM_OK : DGM_ERROR_DATA);
        if (cases[i].value)
            assert_int_equal(value, cases[i].value);
        dgmi_bytes_lines_free(&lines);
        dgmi_bytes_stream_close(stream);
    }
}

static bool count_reports(void *user, const char *stage, double fraction) {
    assert_string_equal(stage, "reading");
    assert_true(fraction > 0 && fraction <= 1);
    ++*(int *)user;
    return true;
}

static void progress_is_told_once_in_65536_lines(void **state) {
    (void)state;
    enum { LINES = 2 << 16 };
    char *text = malloc(2 * LINES);
    for (int i = 0; i < LINES; i++)
        memcpy(text + 2 * (size_t)i, "1\n", 2);
    for (int lines_there = (1 << 16) - 2; lines_there <= LINES; lines_there += 1 << 15) {
        dgmi_bytes_stream *stream;
        dgmi_bytes_lines lines;
        int reports = 0;
        assert_int_equal(
            dgmi_bytes_stream_open_memory(ctx, text, 2 * (size_t)lines_there, "t", &stream),
            DGM_OK);
        dgm_context_set_progress(ctx, count_reports, &reports);
        dgmi_bytes_lines_init(&lines, ctx, stream);
        do
            assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
        while (lines.count > 0);
        dgm_context_set_progress(ctx, NULL, NULL);
        assert_int_equal(reports, (lines_there + 1) >> 16);
        dgmi_bytes_lines_free(&lines);
        dgmi_bytes_stream_close(stream);
    }
    free(text);
}

static void columns_are_found_by_name_in_any_case(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, "Id,x,LABEL", 10, "t", &stream), DGM_OK);
    dgmi_bytes_lines_init(&lines, ctx, stream);
    assert_int_equal(dgmi_bytes_lines_next(&lines), DGM_OK);
    assert_int_equal(dgmi_bytes_lines_find(&lines, "id"), 0);
    assert_int_equal(dgmi_bytes_lines_find(&lines, "label"), 2);
    assert_int_equal(dgmi_bytes_lines_find(&lines, "labe"), -1);
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
}

/* Reads all records and forgets them. */
static dgm_status read_records(void *text) {
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "t.txt", &stream);
    if (status != DGM_OK)
        return status;
    dgmi_bytes_lines_init(&lines, ctx, stream);
    do
        status = dgmi_bytes_lines_next(&lines);
    while (status == DGM_OK && lines.count > 0);
    dgmi_bytes_lines_close(&lines);
    return status;
}

/* A line and a quoted field of several lines, both longer than what is read at a time. */
static void every_allocation_for_a_long_record_may_fail(void **state) {
    (void)state;
    enum { LONG = 300000 };
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = '\0';
    scratch_fail_each(read_records, text);
    memcpy(text, "\"\n", 2);
    text[LONG - 1] = '"';
    scratch_fail_each(read_records, text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_decides_the_separator),
        cmocka_unit_test(comments_and_empty_lines_and_marks_are_passed_over),
        cmocka_unit_test(empty_fields_are_kept_between_separators),
        cmocka_unit_test(quotes_hold_separators_line_ends_and_quotes),
        cmocka_unit_test(bad_text_is_refused_with_its_line),
        cmocka_unit_test(a_quote_that_the_separator_leaves_open_is_refused),
        cmocka_unit_test(lines_longer_than_a_block_are_whole),
        cmocka_unit_test(many_lines_keep_their_numbers),
        cmocka_unit_test(whole_numbers_may_be_written_as_reals),
        cmocka_unit_test(fields_written_are_read_back),
        cmocka_unit_test(quotes_decide_nothing_about_the_separator),
        cmocka_unit_test(a_quote_opens_a_field_at_its_beginning_alone),
        cmocka_unit_test(a_mark_stands_at_the_beginning_alone),
        cmocka_unit_test(only_fields_that_need_quotes_have_them),
        cmocka_unit_test(columns_have_one_whole_number_a_line),
        cmocka_unit_test(reals_stand_for_whole_numbers_below_2_to_the_53),
        cmocka_unit_test(progress_is_told_once_in_65536_lines),
        cmocka_unit_test(columns_are_found_by_name_in_any_case),
        cmocka_unit_test(every_allocation_for_a_long_record_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
