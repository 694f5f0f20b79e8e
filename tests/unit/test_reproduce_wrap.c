/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdio.h>

#include "reproduce_wrap.h"

/* Forty times "word " with the last blank cut off: 199 columns. */
static void write_long(char *line, const char *begin, const char *word, int count) {
    strcpy(line, begin);
    for (int i = 0; i < count; i++)
        sprintf(line + strlen(line), "%s%s", i ? " " : "", word);
}

static char *wrap(const char *markdown) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_reproduce_wrap(&text, markdown);
    assert_int_equal(text.status, DGM_OK);
    return text.data;
}

/* Every line fits; and put together again with `between` they are what they were. */
static void expect_wrapped(const char *line, const char *between) {
    char together[2048] = "";
    char *wrapped = wrap(line);
    const char *first = between;
    int lines = 0;
    for (char *rest = wrapped, *piece; (piece = strsep(&rest, "\n")) && (rest || *piece); lines++) {
        assert_true(strlen(piece) <= 120);
        if (*together) {
            assert_memory_equal(piece, first, strlen(first));
            piece += strlen(first);
            strcat(together, " ");
        }
        size_t length = strlen(piece);
        if (length > 2 && strcmp(piece + length - 2, " \\") == 0)
            piece[length - 2] = '\0';
        strcat(together, piece);
    }
    assert_true(lines > 1);
    assert_string_equal(together, line);
    dgmi_free(ctx, wrapped);
}

static void paragraphs_go_on_in_the_next_line(void **state) {
    char line[1024];
    (void)state;
    write_long(line, "", "word", 60);
    expect_wrapped(line, "");
}

/* Two words of so many columns in all, and one more: where the first line ends. */
static size_t first_line(int columns) {
    char line[512];
    memset(line, 'x', sizeof line);
    line[57] = line[columns] = ' ';
    strcpy(line + columns + 1, "and more");
    char *wrapped = wrap(line);
    size_t length = strcspn(wrapped, "\n");
    dgmi_free(ctx, wrapped);
    return length;
}

static void a_line_is_as_long_as_it_may_be(void **state) {
    (void)state;
    assert_int_equal(first_line(116), 116);
    assert_int_equal(first_line(117), 57);
    assert_int_equal(first_line(80), 89); /* it fits as it is */
    assert_int_equal(first_line(107), 116);
    assert_int_equal(first_line(108), 112); /* 117 columns in all, with "and more" */
}

/* Lines that go on are indented, and end in a backslash: they have room for fewer words. */
static void indented_lines_fit_as_well(void **state) {
    char line[2048];
    (void)state;
    for (int length = 1; length < 12; length++) {
        char option[32] = "--";
        memset(option + 2, 'o', (size_t)length);
        option[2 + length] = '\0';
        write_long(line, "    dgm map ", option, 90);
        expect_wrapped(line, "        ");
        write_long(line, "- ", option, 90);
        expect_wrapped(line, "  ");
    }
}

static void entries_of_lists_go_on_below_their_text(void **state) {
    char line[1024];
    (void)state;
    write_long(line, "- ", "word", 60);
    expect_wrapped(line, "  ");
}

/* A dash without a blank begins no list, and three blanks begin no command. */
static void what_only_looks_like_a_list_is_a_paragraph(void **state) {
    char line[1024];
    (void)state;
    write_long(line, "-", "word", 60);
    expect_wrapped(line, "");
    write_long(line, "   ", "word", 60);
    expect_wrapped(line, "");
}

static void commands_are_broken_before_options_alone(void **state) {
    char line[1024];
    (void)state;
    write_long(line, "    $ dgm map ", "--option some-value", 12);
    expect_wrapped(line, "        ");
    char *wrapped = wrap(line);
    for (const char *at = wrapped; (at = strstr(at, "\n        ")); at++)
        assert_int_equal(at[9], '-');
    dgmi_free(ctx, wrapped);
}

static void tables_pictures_and_short_lines_stay_as_they_are(void **state) {
    char line[1024];
    static const char *const begins[] = {"| ", "![", ""};
    (void)state;
    for (int i = 0; i < 3; i++) {
        write_long(line, begins[i], "word", i < 2 ? 60 : 5);
        strcat(line, "\n");
        char *wrapped = wrap(line);
        assert_string_equal(wrapped, line);
        dgmi_free(ctx, wrapped);
    }
}

static void characters_are_counted_and_not_bytes(void **state) {
    char line[1024];
    (void)state;
    write_long(line, "", "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 20); /* 99 columns, 179 bytes */
    strcat(line, "\n");
    char *wrapped = wrap(line);
    assert_string_equal(wrapped, line);
    dgmi_free(ctx, wrapped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paragraphs_go_on_in_the_next_line),
        cmocka_unit_test(a_line_is_as_long_as_it_may_be),
        cmocka_unit_test(indented_lines_fit_as_well),
        cmocka_unit_test(entries_of_lists_go_on_below_their_text),
        cmocka_unit_test(what_only_looks_like_a_list_is_a_paragraph),
        cmocka_unit_test(commands_are_broken_before_options_alone),
        cmocka_unit_test(tables_pictures_and_short_lines_stay_as_they_are),
        cmocka_unit_test(characters_are_counted_and_not_bytes),
    };
    return RUN_WITH_CONTEXT(tests);
}
