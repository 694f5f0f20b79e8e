/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, ticks and lines of text for people. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "figure_sample.h"

/* ---- numbers ---- */

static void numbers_have_three_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *said;
    } cases[] = {{0, "0"},
                 {NAN, "none"},
                 {INFINITY, "none"},
                 {0.00123456, "0.00123"},
                 {12.3456, "12.3"},
                 {9999, "10,000"},
                 {9994, "9990"},
                 {123456, "123,000"},
                 {-123456, "-123,000"},
                 {1e14, "100,000,000,000,000"},
                 {2e15, "2e+15"},
                 {-2e15, "-2e+15"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        char text[DGMI_DRAW_WORDS_SPACE];
        assert_string_equal(dgmi_draw_words_number(cases[i].value, text), cases[i].said);
    }
}

static void ticks_are_round_and_two_at_least(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double low = (double)(int64_t)(seed >> 40) / 1000 - 8000, ticks[8];
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double high = low + pow(10, (double)(seed >> 48) / 6553.6 - 4);
        for (int most = 4; most <= 5; most++) {
            int count = dgmi_draw_words_ticks(low, high, most, ticks);
            assert_true(count >= 2 && count <= most);
            double slack = 1e-6 * (high - low);
            for (int t = 0; t < count; t++)
                assert_true(ticks[t] >= low - slack && ticks[t] <= high + slack);
            double step = ticks[1] - ticks[0], digits = step / pow(10, floor(log10(step) + 1e-6));
            assert_true(fabs(digits - 1) < 1e-4 || fabs(digits - 2) < 1e-4 ||
                        fabs(digits - 5) < 1e-4);
        }
    }
    double ticks[8];
    assert_int_equal(dgmi_draw_words_ticks(0, 5e-324, 4, ticks), 0); /* no step is so small */
}

static void a_range_always_has_round_ticks(void **state) {
    (void)state;
    double ticks[8];
    assert_int_equal(dgmi_draw_words_ticks(0.0001, 0.9999, 5, ticks), 4);
    assert_true(fabs(ticks[0] - 0.2) < 1e-12 && fabs(ticks[3] - 0.8) < 1e-12);
    assert_int_equal(dgmi_draw_words_ticks(0, 1, 5, ticks), 3);
    assert_int_equal(dgmi_draw_words_ticks(4, 4, 5, ticks), 1);
}

/* ---- lines ---- */

/* The lines that a text is broken into, joined by a bar. */
static const char *wrapped(const char *text, double width) {
    static char joined[8192];
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    dgmi_draw_words_wrap(&list, 0, 0, width, DGMI_DRAW_SMALL, false, (dgmi_draw_colour){0, 0, 0},
                         text);
    assert_int_equal(list.status, DGM_OK);
    joined[0] = '\0';
    for (int64_t i = 0; i < list.count; i++)
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i ? "|" : "",
                 dgmi_draw_list_string(&list, list.items[i].text));
    dgmi_draw_list_free(&list);
    return joined;
}

static void words_hold_on_to_their_signs(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"a b", "a|b"},         {"n = 5", "n = 5"},
        {"n = 5 m", "n = 5|m"}, {"n= 5", "n=|5"}, /* no sign of its own */
        {"= 5", "=|5"},         {"a \xc2\xb7 b", "a \xc2\xb7|b"},
    };
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(wrapped(cases[i][0], 100), cases[i][0]);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        double narrow = dgmi_draw_text_width("n = 5", DGMI_DRAW_SMALL, false);
        const char *lines = wrapped(cases[i][0], i < 1 || i > 2 ? 0.5 * narrow : narrow);
        if (i > 2 || i == 0) /* too narrow for both: words may be cut, but the breaks are there */
            assert_int_equal(count_of(lines, "|"), count_of(cases[i][1], "|"));
        else
            assert_string_equal(lines, cases[i][1]);
    }
}

/* However wide the page is, a line has no more than 512 bytes, and words are whole. */
static void very_long_texts_are_broken_on_the_widest_page(void **state) {
    (void)state;
    char text[2001], word[601];
    for (int i = 0; i < 2000; i++)
        text[i] = i % 10 == 9 ? ' ' : 'a';
    text[1999] = '\0';
    const char *lines = wrapped(text, 1e6);
    assert_int_equal(strlen(lines), 1999);
    int64_t breaks = count_of(lines, "|");
    assert_true(breaks >= 3);
    for (const char *at = lines; *at;) {
        size_t length = strcspn(at, "|");
        assert_true(length < 512 && length % 10 == 9);
        at += length + (at[length] != '\0');
    }
    memset(word, 'b', 600); /* one word is never broken */
    word[600] = '\0';
    assert_string_equal(wrapped(word, 1e6), word);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits),
        cmocka_unit_test(ticks_are_round_and_two_at_least),
        cmocka_unit_test(a_range_always_has_round_ticks),
        cmocka_unit_test(words_hold_on_to_their_signs),
        cmocka_unit_test(very_long_texts_are_broken_on_the_widest_page),
    };
    return RUN_WITH_CONTEXT(tests);
}
