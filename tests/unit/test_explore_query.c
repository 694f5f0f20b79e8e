/* SPDX-License-Identifier: Apache-2.0 */
/* Settings as forms write them. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_memory.h"
#include "explore_query.h"

static void settings_are_decoded(void **state) {
    (void)state;
    dgmi_explore_query query;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(
        dgmi_explore_query_parse(ctx, "text=a+b%26c%3D%C3%A9&cover=adaptive%3Asize=9&n=", &query),
        DGM_OK);
    assert_int_equal(query.count, 3);
    assert_string_equal(dgmi_explore_query_find(&query, "text"), "a b&c=\xc3\xa9");
    assert_string_equal(dgmi_explore_query_find(&query, "cover"), "adaptive:size=9");
    assert_string_equal(dgmi_explore_query_find(&query, "n"), "");
    assert_null(dgmi_explore_query_find(&query, "tex"));
    assert_int_equal(dgmi_explore_query_parse(ctx, NULL, &query), DGM_OK);
    assert_int_equal(query.count, 0);
    assert_int_equal(dgmi_explore_query_parse(ctx, "", &query), DGM_OK);
    assert_int_equal(query.count, 0);
    dgmi_arena_release(ctx, hold);
}

static bool is_digit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Every pair of bytes behind a percent sign is a byte, or none if one of them is no digit; a 0
 * would end the text. */
static void two_digits_are_a_byte(void **state) {
    (void)state;
    for (int high = 1; high < 256; high++)
        for (int low = 1; low < 256; low++) {
            const char settings[] = {'a', '=', '%', (char)high, (char)low, 'z', '\0'};
            const char digits[] = {(char)high, (char)low, '\0'};
            dgmi_explore_query query;
            dgmi_hold hold = dgmi_arena_hold(ctx);
            dgm_status status = dgmi_explore_query_parse(ctx, settings, &query);
            int byte = is_digit(high) && is_digit(low) ? (int)strtol(digits, NULL, 16) : 0;
            assert_int_equal(status, byte ? DGM_OK : DGM_ERROR_USAGE);
            if (byte) {
                assert_int_equal((unsigned char)query.values[0][0], byte);
                assert_string_equal(query.values[0] + 1, "z");
            }
            dgmi_arena_release(ctx, hold);
        }
}

/* What is missing may be as small or as large as what is given. */
static void what_is_missing_has_bounds_as_well(void **state) {
    (void)state;
    const dgmi_explore_query query = {.count = 0};
    int64_t value;
    assert_int_equal(dgmi_explore_query_integer(ctx, &query, "d", 2, 6, 2, &value), DGM_OK);
    assert_int_equal(value, 2);
    assert_int_equal(dgmi_explore_query_integer(ctx, &query, "d", 2, 6, 6, &value), DGM_OK);
    assert_int_equal(value, 6);
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "d", 2, 6, 7, &value), DGM_ERROR_USAGE,
                 "the question needs d");
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "d", 2, 6, 1, &value), DGM_ERROR_USAGE,
                 "the question needs d");
}

static void malformed_settings_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"a",    "=1",    "a=1&&b=2", "a=%",
                                        "a=%4", "a=%zz", "a=%00",    "%g=1"};
    dgmi_explore_query query;
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        ASSERT_FAILS(dgmi_explore_query_parse(ctx, wrong[i], &query), DGM_ERROR_USAGE,
                     "settings are written as name=value, with '&' between them");
        dgmi_arena_release(ctx, hold);
    }
}

static void there_are_not_too_many_settings(void **state) {
    (void)state;
    char text[4 * DGMI_EXPLORE_MOST_SETTINGS + 8] = "";
    dgmi_explore_query query;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    for (int i = 0; i < DGMI_EXPLORE_MOST_SETTINGS; i++)
        strcat(text, i ? "&a=1" : "a=1");
    assert_int_equal(dgmi_explore_query_parse(ctx, text, &query), DGM_OK);
    strcat(text, "&a=1");
    ASSERT_FAILS(dgmi_explore_query_parse(ctx, text, &query), DGM_ERROR_USAGE,
                 "a question has at most 128 settings");
    dgmi_arena_release(ctx, hold);
}

static void whole_numbers_have_bounds(void **state) {
    (void)state;
    dgmi_explore_query query = {3, {"a", "b", "c"}, {"7", "x", "-3"}};
    int64_t value;
    assert_int_equal(dgmi_explore_query_integer(ctx, &query, "a", 0, 7, -1, &value), DGM_OK);
    assert_int_equal(value, 7);
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "a", 0, 6, -1, &value), DGM_ERROR_USAGE,
                 "a is from 0 to 6, not 7");
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "c", -2, 6, 0, &value), DGM_ERROR_USAGE,
                 "c is from -2 to 6, not -3");
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "b", 0, 6, 0, &value), DGM_ERROR_USAGE,
                 "b is a whole number, not 'x'");
    ASSERT_FAILS(dgmi_explore_query_integer(ctx, &query, "d", 0, 6, -1, &value), DGM_ERROR_USAGE,
                 "the question needs d");
    assert_int_equal(dgmi_explore_query_integer(ctx, &query, "d", 0, 6, 4, &value), DGM_OK);
    assert_int_equal(value, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_decoded),
        cmocka_unit_test(two_digits_are_a_byte),
        cmocka_unit_test(what_is_missing_has_bounds_as_well),
        cmocka_unit_test(malformed_settings_are_refused),
        cmocka_unit_test(there_are_not_too_many_settings),
        cmocka_unit_test(whole_numbers_have_bounds),
    };
    return RUN_WITH_CONTEXT(tests);
}
