/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_sample.h"

#include "base_escape.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static void assert_escaped(dgmi_escape escape, const char *text, const char *expected,
                           int64_t lost) {
    dgmi_text out;
    dgmi_text_init(&out, ctx);
    assert_int_equal(escape(&out, text, strlen(text)), lost);
    assert_int_equal(out.status, DGM_OK);
    assert_string_equal(out.data, expected);
    dgmi_text_free(&out);
}

static void characters_of_one_to_four_bytes_come_back(void **state) {
    (void)state;
    static const uint32_t codes[] = {1,      0x7F,   0x80,   0x7FF,   0x800,
                                     0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    dgmi_text out;
    dgmi_text_init(&out, ctx);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        size_t size;
        out.length = 0;
        dgmi_utf8_append(&out, codes[i]);
        assert_int_equal(dgmi_utf8_next(out.data, (size_t)out.length, &size), codes[i]);
        assert_int_equal(size, out.length);
    }
    dgmi_text_free(&out);
}

static void broken_utf8_is_seen(void **state) {
    (void)state;
    static const char *const broken[] = {"\x80",         "\xC0\xAF",         "\xC3",
                                         "\xE2\x82",     "\xED\xA0\x80",     "\xF0\x80\x80\x80",
                                         "\xE0\x80\x80", "\xF4\x90\x80\x80", "\xFF"};
    /* Only a sequence that was right until it ended is skipped as one. */
    static const size_t skipped[] = {1, 1, 1, 2, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        size_t size;
        assert_int_equal(dgmi_utf8_next(broken[i], strlen(broken[i]), &size), -1);
        assert_int_equal(size, skipped[i]);
    }
    assert_int_equal(dgmi_utf8_check("a\xC3\xA9\xC3", 4), 3);
    assert_int_equal(dgmi_utf8_check("a\xC3\xA9", 3), 3);
}

static void xml_escapes_markup_and_blanks_and_cannot_hold_control_characters(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_xml, "<a b=\"c\">&\xC3\xA9",
                   "&lt;a b=&quot;c&quot;&gt;&amp;\xC3\xA9", 0);
    assert_escaped(dgmi_escape_xml, "\t\r\n ", "&#9;&#13;&#10; ", 0);
    assert_escaped(dgmi_escape_xml, "a\x01\xEF\xBF\xBF\xFFz",
                   "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz", 3);
}

static void json_escapes_quotes_backslashes_and_control_characters(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_json, "a\"\\\n\t\x01\xC3\xA9", "a\\\"\\\\\\n\\t\\u0001\xC3\xA9", 0);
    assert_escaped(dgmi_escape_json, "\xC3", "\xEF\xBF\xBD", 1);
}

static void gml_is_ascii_with_entities(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_gml, "a\"&\n\xC3\xA9<", "a&#34;&#38;&#10;&#233;<", 0);
    assert_escaped(dgmi_escape_gml, "\xC3", "&#65533;", 1);
}

static void fields_of_csv_are_quoted_where_readers_need_it(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"plain", "plain"},     {"", "\"\""},         {" a", "\" a\""},     {"a ", "\"a \""},
        {"\ta", "\"\ta\""},     {"a\t", "\"a\t\""},   {"a b", "a b"},       {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""}, {"a\rb", "\"a\rb\""}, {"a\nb", "\"a\nb\""}, {"a\tb", "a\tb"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_escaped(dgmi_escape_csv, cases[k][0], cases[k][1], 0);
    dgmi_text out;
    dgmi_text_init(&out, ctx);
    assert_int_equal(dgmi_escape_csv(&out, "a\0b", 3), 1); /* no reader takes a zero byte */
    assert_string_equal(out.data, "a\xEF\xBF\xBD"
                                  "b");
    dgmi_text_free(&out);
}

/* Each would be markup, HTML, a link, a formula or another line if it were left as it is. */
static void markdown_escapes_whatever_could_begin_something(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"plain (text), 1.5 - 2; \xC3\xA9", "plain (text), 1.5 - 2; \xC3\xA9"},
        {"a|b", "a\\|b"},
        {"*a* _b_ `c` ~~d~~", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~"},
        {"<b>&amp;", "\\<b\\>\\&amp;"},
        {"![i](j) [l]: m", "\\!\\[i\\](j) \\[l\\]\\: m"},
        {"http://e www.e WWW.e ww.e a@b", "http\\://e www\\.e WWW\\.e ww.e a\\@b"},
        {"$x$ ^y^ {z} #", "\\$x\\$ \\^y\\^ \\{z\\} \\#"},
        {"a\nb\r\nc\td\xE2\x80\xA8"
         "e",
         "a b  c d e"},
        {"back\\slash", "back\\\\slash"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_escaped(dgmi_escape_markdown, texts[i][0], texts[i][1], 0);
}

static void text_for_people_has_no_controls(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_plain, "*a*|<b>\\", "*a*|<b>\\", 0);
    assert_escaped(dgmi_escape_plain, "\x1b[31m", "\xEF\xBF\xBD[31m", 1);
    assert_escaped(dgmi_escape_plain,
                   "\x7f\xC2\x9b"
                   "x",
                   "\xEF\xBF\xBD\xEF\xBF\xBDx", 2);
    /* right-to-left override, an isolate, a zero-width space; the joiner of emoji stays */
    assert_escaped(dgmi_escape_plain, "\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x8B",
                   "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3);
    assert_escaped(dgmi_escape_plain, "\xE2\x80\x8D", "\xE2\x80\x8D", 0);
    assert_escaped(dgmi_escape_plain, "cut \xE2\x82", "cut \xEF\xBF\xBD", 1);
}

static void json_has_a_form_for_every_control_character(void **state) {
    (void)state;
    static const char *const short_forms[32] = {
        [8] = "\\b", [9] = "\\t", [10] = "\\n", [12] = "\\f", [13] = "\\r"};
    for (int code = 1; code < 0x20; code++) {
        char text[2] = {(char)code, '\0'}, form[8];
        snprintf(form, sizeof form, "\\u00%02x", (unsigned)code);
        assert_escaped(dgmi_escape_json, text, short_forms[code] ? short_forms[code] : form, 0);
    }
    assert_escaped(dgmi_escape_json, " \x7f~", " \x7f~", 0);
}

static void dot_has_blanks_for_controls_and_cannot_hold_noncharacters(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_dot, "a\"b\\c&d\ne<f>", "a\\\"b\\\\c&amp;d\\ne<f>", 0);
    assert_escaped(dgmi_escape_dot, "\x01\t\x1f|\x7f|~ \xC2\x80", "   | |~ \xC2\x80", 0);
    assert_escaped(dgmi_escape_dot, "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBC",
                   "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBC", 2);
}

static void characters_beside_the_forbidden_ones_stay(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_xml, "\x1f \x7f\xEF\xBF\xBC\xEF\xBF\xBE",
                   "\xEF\xBF\xBD \x7f\xEF\xBF\xBC\xEF\xBF\xBD", 2);
    assert_escaped(dgmi_escape_gml, "\x1f ~\x7f", "&#31; ~&#127;", 0);
}

/* Each range of unseen characters, from one before it to one behind it. */
static void text_for_people_loses_exactly_the_unseen_characters(void **state) {
    (void)state;
    static const struct {
        uint32_t first, last;
    } unseen[] = {{1, 8},           {14, 31},         {0x7F, 0x84},     {0x86, 0x9F},
                  {0x61C, 0x61C},   {0x200B, 0x200C}, {0x200E, 0x200F}, {0x202A, 0x202E},
                  {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFFE, 0xFFFF}};
    static const uint32_t blanks[] = {9, 10, 11, 12, 13, 0x85, 0x2028, 0x2029};
    for (uint32_t code = 1; code < 0x10010; code++) {
        bool lost = false, blank = false;
        for (int64_t i = 0; i < COUNT(unseen); i++)
            lost = lost || (code >= unseen[i].first && code <= unseen[i].last);
        for (int64_t i = 0; i < COUNT(blanks); i++)
            blank = blank || code == blanks[i];
        if (code >= 0xD800 && code <= 0xDFFF) /* no character at all */
            continue;
        char text[5] = {0};
        dgmi_utf8_encode(code, text);
        assert_escaped(dgmi_escape_plain, text, lost ? "\xEF\xBF\xBD" : blank ? " " : text, lost);
    }
}

static void a_dot_is_markup_behind_three_w_alone(void **state) {
    (void)state;
    assert_escaped(dgmi_escape_markdown, "www.e", "www\\.e", 0);
    assert_escaped(dgmi_escape_markdown, "wwx.e", "wwx.e", 0);
    assert_escaped(dgmi_escape_markdown, "xww.e", "xww.e", 0);
    static const char beyond[] = "www.e"; /* the first of them is not in the text */
    assert_escaped(dgmi_escape_markdown, beyond + 1, "ww.e", 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_escapes_whatever_could_begin_something),
        cmocka_unit_test(text_for_people_has_no_controls),
        cmocka_unit_test(characters_of_one_to_four_bytes_come_back),
        cmocka_unit_test(broken_utf8_is_seen),
        cmocka_unit_test(xml_escapes_markup_and_blanks_and_cannot_hold_control_characters),
        cmocka_unit_test(json_escapes_quotes_backslashes_and_control_characters),
        cmocka_unit_test(gml_is_ascii_with_entities),
        cmocka_unit_test(fields_of_csv_are_quoted_where_readers_need_it),
        cmocka_unit_test(json_has_a_form_for_every_control_character),
        cmocka_unit_test(dot_has_blanks_for_controls_and_cannot_hold_noncharacters),
        cmocka_unit_test(characters_beside_the_forbidden_ones_stay),
        cmocka_unit_test(text_for_people_loses_exactly_the_unseen_characters),
        cmocka_unit_test(a_dot_is_markup_behind_three_w_alone),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
