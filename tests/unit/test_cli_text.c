/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers for people, JSON for programs and words for a shell, as the program writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_text.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void digits_stand_in_groups_of_three(void **state) {
    (void)state;
    static const struct {
        int64_t number;
        const char *text;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {-7, "-7"},
        {999, "999"},
        {1000, "1,000"},
        {-999, "-999"},
        {-1000, "-1,000"},
        {12345, "12,345"},
        {-123456, "-123,456"},
        {1234567, "1,234,567"},
        {INT64_MAX, "9,223,372,036,854,775,807"},
        {INT64_MIN, "-9,223,372,036,854,775,808"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buffer[CLI_COUNT_SPACE];
        assert_string_equal(cli_count(cases[i].number, buffer), cases[i].text);
    }
}

static void one_is_singular_and_all_others_are_plural(void **state) {
    (void)state;
    char buffer[CLI_NOUN_SPACE];
    assert_string_equal(cli_count_of(0, "node", buffer), "0 nodes");
    assert_string_equal(cli_count_of(1, "node", buffer), "1 node");
    assert_string_equal(cli_count_of(2, "node", buffer), "2 nodes");
    assert_string_equal(cli_count_of(1234, "edge", buffer), "1,234 edges");
}

/* What a call writes, freed by the caller. */
typedef struct {
    char *text;
    size_t length;
    FILE *stream;
} written;

static FILE *begin_text(written *out) {
    out->stream = open_memstream(&out->text, &out->length);
    assert_non_null(out->stream);
    return out->stream;
}

static void check_text(written *out, const char *expected) {
    assert_true(cli_close_text(out->stream, &out->text));
    assert_string_equal(out->text, expected);
    free(out->text);
}

static void objects_and_lists_are_indented_by_two(void **state) {
    (void)state;
    cli_json json;
    written out;
    cli_json_begin(&json, begin_text(&out));
    cli_json_integer(&json, "a", -5);
    cli_json_open(&json, "list", '[');
    cli_json_integer(&json, NULL, 1);
    cli_json_open(&json, NULL, '{');
    cli_json_bool(&json, "yes", true);
    cli_json_bool(&json, "no", false);
    cli_json_close(&json, '}');
    cli_json_close(&json, ']');
    cli_json_open(&json, "none", '[');
    cli_json_close(&json, ']');
    cli_json_text(&json, "text", "b");
    cli_json_text(&json, "null", NULL);
    cli_json_end(&json);
    check_text(&out, "{\n"
                     "  \"a\": -5,\n"
                     "  \"list\": [\n"
                     "    1,\n"
                     "    {\n"
                     "      \"yes\": true,\n"
                     "      \"no\": false\n"
                     "    }\n"
                     "  ],\n"
                     "  \"none\": [],\n"
                     "  \"text\": \"b\",\n"
                     "  \"null\": null\n"
                     "}\n");
    cli_json_begin(&json, begin_text(&out));
    cli_json_end(&json);
    check_text(&out, "{}\n");
}

static void reals_are_as_short_as_they_can_be(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},          {5, "5"},
                 {0.1, "0.1"},      {1.0 / 3, "0.3333333333333333"},
                 {-2.5, "-2.5"},    {0.1 + 0.2, "0.30000000000000004"},
                 {1e300, "1e+300"}, {NAN, "null"},
                 {INFINITY, "null"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[64];
        cli_json json;
        written out;
        snprintf(expected, sizeof expected, "{\n  \"r\": %s\n}\n", cases[i].text);
        cli_json_begin(&json, begin_text(&out));
        cli_json_real(&json, "r", cases[i].value);
        cli_json_end(&json);
        check_text(&out, expected);
    }
}

#define LOST "\\ufffd"

/* A file name may hold any bytes; JSON is UTF-8. */
static void what_is_no_character_is_replaced_byte_by_byte(void **state) {
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"a\"b\\c/", "a\\\"b\\\\c/"},
        {"\x01\x1f \x7f", "\\u0001\\u001f \x7f"},
        {"\x80", LOST},
        {"\xbf", LOST},
        {"\xc1\x80", LOST LOST},
        {"\xc2\x80", "\xc2\x80"},
        {"\xdf\xbf", "\xdf\xbf"},
        {"\xc2\x7f", LOST "\x7f"},
        {"\xc2\xc0z", LOST LOST "z"},
        {"\xe0\x9f\xbf", LOST LOST LOST},
        {"\xe0\xa0\x80", "\xe0\xa0\x80"},
        {"\xe1\x80\x80", "\xe1\x80\x80"},
        {"\xed\x9f\xbf", "\xed\x9f\xbf"},
        {"\xed\xa0\x80", LOST LOST LOST},
        {"\xef\xbf\xbf", "\xef\xbf\xbf"},
        {"\xe2\x82z", LOST LOST "z"},
        {"\xf0\x8f\xbf\xbf", LOST LOST LOST LOST},
        {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"},
        {"\xf1\x80\x80\x80", "\xf1\x80\x80\x80"},
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        {"\xf4\x90\x80\x80", LOST LOST LOST LOST},
        {"\xf3\xb0\x80z", LOST LOST LOST "z"},
        {"\xf5\x80\x80\x80", LOST LOST LOST LOST},
        {"\xff", LOST},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char expected[128];
        cli_json json;
        written out;
        snprintf(expected, sizeof expected, "{\n  \"%s\": \"%s\"\n}\n", cases[i].json,
                 cases[i].json);
        cli_json_begin(&json, begin_text(&out));
        cli_json_text(&json, cases[i].text, cases[i].text);
        cli_json_end(&json);
        check_text(&out, expected);
    }
}

static void words_are_quoted_where_a_shell_would_read_them_otherwise(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"},
        {"azAZ09_./:=,@%+-", "azAZ09_./:=,@%+-"},
        {"", "''"},
        {"a b", "'a b'"},
        {"it's", "'it'\\''s'"},
        {"'", "''\\'''"},
        {"$HOME", "'$HOME'"},
        {"a*", "'a*'"},
        {"~", "'~'"},
        {"\xc3\xa9", "'\xc3\xa9'"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        written out;
        cli_shell_quote(begin_text(&out), cases[i][0]);
        check_text(&out, cases[i][1]);
    }
}

/* A stream that failed at any time failed, whatever closing it says. */
static void a_text_is_whole_only_if_nothing_failed(void **state) {
    (void)state;
    char *text = "there", *none = NULL;
    FILE *full = fopen("/dev/null", "r");
    assert_non_null(full);
    assert_int_equal(putc('x', full), EOF);
    assert_false(cli_close_text(full, &text));
    FILE *good = fopen("/dev/null", "w");
    assert_non_null(good);
    assert_false(cli_close_text(good, &none));
    good = fopen("/dev/null", "w");
    assert_non_null(good);
    assert_true(cli_close_text(good, &text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_stand_in_groups_of_three),
        cmocka_unit_test(one_is_singular_and_all_others_are_plural),
        cmocka_unit_test(objects_and_lists_are_indented_by_two),
        cmocka_unit_test(reals_are_as_short_as_they_can_be),
        cmocka_unit_test(what_is_no_character_is_replaced_byte_by_byte),
        cmocka_unit_test(words_are_quoted_where_a_shell_would_read_them_otherwise),
        cmocka_unit_test(a_text_is_whole_only_if_nothing_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
