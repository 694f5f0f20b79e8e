/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_random.h"
#include "base_text.h"

enum { SEED = 20240229 };

static double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static const char *format(double value) {
    static char buffer[DGMI_NUMBER_SPACE];
    int length = dgmi_format_real(value, buffer);
    assert_int_equal(length, strlen(buffer));
    return buffer;
}

/* ---- numbers to text ---- */

static void numbers_are_written_as_people_write_them(void **state) {
    (void)state;
    assert_string_equal(format(0.1), "0.1");
    assert_string_equal(format(0.3), "0.3");
    assert_string_equal(format(0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(format(-1.5), "-1.5");
    assert_string_equal(format(0), "0");
    assert_string_equal(format(1e5), "100000");
    assert_string_equal(format(-7), "-7");
    assert_string_equal(format(999999999999999), "999999999999999");
    assert_string_equal(format(1e22), "1e+22");
    assert_string_equal(format(123456789012345680.0), "1.2345678901234568e+17");
    assert_string_equal(format(1e300), "1e+300");
    assert_string_equal(format(5e-324), "5e-324");
    assert_string_equal(format(0x1p-1022), "2.2250738585072014e-308");
    assert_string_equal(format(1.7976931348623157e308), "1.7976931348623157e+308");
    assert_string_equal(format(NAN), "nan");
    assert_string_equal(format(-NAN), "nan");
    assert_string_equal(format(INFINITY), "inf");
    assert_string_equal(format(-INFINITY), "-inf");
}

static void minus_zero_keeps_its_sign(void **state) {
    (void)state;
    double back;
    assert_string_equal(format(-0.0), "-0");
    assert_true(dgmi_parse_real("-0", 2, &back));
    assert_true(same_bits(back, -0.0));
}

/* Digits of the mantissa, without leading and trailing zeros. */
static int digits_of(const char *text) {
    int digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits + zeros == 0))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

/* Whether some decimal of that many digits reads back as the value: the nearest one or a neighbour.
 */
static bool reads_back_with(double value, int digits) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    long long mantissa = 0;
    int exponent = atoi(strchr(text, 'e') + 1);
    for (const char *c = text; *c != 'e'; c++)
        if (*c >= '0' && *c <= '9')
            mantissa = mantissa * 10 + (*c - '0');
    for (int step = -1; step <= 1; step++) {
        snprintf(text, sizeof text, "%llde%d", mantissa + step, exponent - digits + 1);
        if (strtod(text, NULL) == fabs(value))
            return true;
    }
    return false;
}

static void assert_shortest(double value) {
    double back;
    const char *text = format(value);
    int digits = digits_of(text);
    if (!dgmi_parse_real(text, strlen(text), &back) || !same_bits(back, value))
        fail_msg("seed %d: %a is written as %s and read as %a", SEED, value, text, back);
    if (!same_bits(strtod(text, NULL), value))
        fail_msg("seed %d: strtod reads %s as another number than %a", SEED, text, value);
    if (digits > 1 && reads_back_with(value, digits - 1))
        fail_msg("seed %d: %s has a digit too many", SEED, text);
}

static void any_number_is_read_back_from_its_shortest_form(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        double value = from_bits(dgmi_random_bits(SEED, 1, i));
        if (isfinite(value))
            assert_shortest(value);
    }
}

static void subnormal_numbers_are_read_back_too(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 2000; i++)
        assert_shortest(from_bits(dgmi_random_bits(SEED, 2, i) >> (12 + i % 52)));
}

/* Below a power of two numbers stand closer, so the nearest decimal may miss where another hits. */
static void powers_of_two_are_read_back_from_their_shortest_form(void **state) {
    (void)state;
    for (int exponent = -1074; exponent < 1024; exponent++)
        assert_shortest(ldexp(1, exponent));
}

static void short_decimals_come_back_as_they_were(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 5000; i++) {
        char text[32];
        long long digits = (long long)dgmi_random_below(SEED, 3, i, 1000000000) + 1;
        double value = (double)digits / 1e4;
        snprintf(text, sizeof text, "%lld.%04lld", digits / 10000, digits % 10000);
        size_t length = strlen(text);
        while (text[length - 1] == '0')
            text[--length] = '\0';
        if (text[length - 1] == '.')
            text[--length] = '\0';
        assert_string_equal(format(value), text);
    }
}

/* ---- text to numbers ---- */

static void numbers_are_read_as_strtod_reads_them(void **state) {
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+1",
                                        "1.",
                                        ".5",
                                        "-.5e1",
                                        "1e0",
                                        "1E+05",
                                        "1e-5",
                                        "123456789.125",
                                        "0.1",
                                        "0.30000000000000004",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "9999999999999999999",
                                        "1e22",
                                        "1e23",
                                        "8.41e21",
                                        "9.5e-1",
                                        "1.7976931348623157e308",
                                        "1.7976931348623159e308",
                                        "1e400",
                                        "-1e400",
                                        "4.9e-324",
                                        "2.4e-324",
                                        "1e-400",
                                        "2.2250738585072011e-308",
                                        "0.0000000000000000000000001",
                                        "0.00000000000000000000000000000000000000000000001",
                                        "inf",
                                        "-inf",
                                        "INFINITY",
                                        "Inf",
                                        "00000000000000000000000000000000001",
                                        "000.000",
                                        "1.00000000000000011102230246251565",
                                        "6929495644600919.5",
                                        "3.14159265358979323846264338327950288419716939937510"};
    for (int64_t i = 0; i < COUNT(texts); i++) {
        double value = 99;
        if (!dgmi_parse_real(texts[i], strlen(texts[i]), &value) ||
            !same_bits(value, strtod(texts[i], NULL)))
            fail_msg("%s is read as %a, not %a", texts[i], value, strtod(texts[i], NULL));
    }
    double value = 0;
    assert_true(dgmi_parse_real("nan", 3, &value) && isnan(value));
    assert_true(dgmi_parse_real("-NaN", 4, &value) && isnan(value));
}

static void random_decimals_are_read_as_strtod_reads_them(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        char text[64];
        uint64_t draw = dgmi_random_bits(SEED, 4, 2 * i),
                 shape = dgmi_random_bits(SEED, 4, 2 * i + 1);
        draw >>= shape % 64;
        int length =
            shape >> 32 & 1
                ? snprintf(text, sizeof text, "%llue%d", (unsigned long long)draw,
                           (int)(shape >> 8 & 0x3F) - 32)
                : snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)draw % 1000,
                           (int)(shape >> 8 & 0xF) + 1, (unsigned long long)draw / 1000);
        double value = 0;
        if (!dgmi_parse_real(text, (size_t)length, &value) || !same_bits(value, strtod(text, NULL)))
            fail_msg("seed %d: %s is read as %a, not %a", SEED, text, value, strtod(text, NULL));
    }
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",       " ",     "1 ",   " 1",      "1\n",  "0x10",
                                        "1e",     "e5",    "1e+",  ".",       "-",    "+",
                                        "--1",    "1.2.3", "1,5",  "abc",     "nanx", "in",
                                        "nan(1)", "1_0",   "1e5x", "infinit", "0X1p3"};
    for (int64_t i = 0; i < COUNT(texts); i++) {
        double value;
        if (dgmi_parse_real(texts[i], strlen(texts[i]), &value))
            fail_msg("'%s' is taken for %g", texts[i], value);
    }
    double value;
    assert_false(dgmi_parse_real("1\0", 2, &value));
    assert_true(dgmi_parse_real("12345", 2, &value) && value == 12); /* the length rules */
}

static void a_decimal_comma_in_the_locale_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",      "fr_FR.UTF-8",
                                        "fr_FR",       "ru_RU.UTF-8", "pt_BR.UTF-8"};
    const char *found = NULL;
    for (int64_t i = 0; !found && i < COUNT(names); i++)
        found = setlocale(LC_ALL, names[i]);
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        setlocale(LC_ALL, "C");
        print_message("# no locale with a decimal comma is installed\n");
        return;
    }
    double value = 0;
    char text[DGMI_NUMBER_SPACE];
    bool point = dgmi_parse_real("1234.5678e1", 11, &value),
         comma = dgmi_parse_real("1,5", 3, &(double){0});
    dgmi_format_real(0.125, text);
    setlocale(LC_ALL, "C");
    assert_true(point && value == 12345.678);
    assert_false(comma);
    assert_string_equal(text, "0.125");
}

static void whole_numbers_are_read_to_the_last_that_fits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {{"0", true, 0},
                 {"-0", true, 0},
                 {"+7", true, 7},
                 {"007", true, 7},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"-9223372036854775808", true, INT64_MIN},
                 {"-9223372036854775809", false, 0},
                 {"92233720368547758070", false, 0},
                 {"18446744073709551617", false, 0},
                 {"", false, 0},
                 {"-", false, 0},
                 {"+", false, 0},
                 {"1.0", false, 0},
                 {"1e3", false, 0},
                 {" 1", false, 0},
                 {"1 ", false, 0},
                 {"+-1", false, 0},
                 {"/", false, 0},
                 {":", false, 0}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        int64_t value = 99;
        bool fits = dgmi_parse_integer(cases[i].text, strlen(cases[i].text), &value);
        if (fits != cases[i].fits || value != (fits ? cases[i].value : 99))
            fail_msg("'%s' is read as %lld", cases[i].text, (long long)value);
    }
}

/* ---- growing text ---- */

static void text_grows_by_pieces(void **state) {
    (void)state;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int i = 0; i < 1000; i++) {
        dgmi_text_append(&text, "abc", 2);
        dgmi_text_string(&text, "c");
    }
    assert_int_equal(text.status, DGM_OK);
    assert_int_equal(text.length, 3000);
    assert_int_equal(strlen(text.data), 3000);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(text.data[i], "abc"[i % 3]);
    dgmi_text_free(&text);
    assert_null(text.data);
}

static void text_takes_numbers_and_formats(void **state) {
    (void)state;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_text_integer(&text, INT64_MIN);
    dgmi_text_string(&text, " ");
    dgmi_text_integer(&text, INT64_MAX);
    dgmi_text_string(&text, " ");
    dgmi_text_integer(&text, 0);
    dgmi_text_format(&text, " <%s|%5d> ", "a longer piece than the first room of sixteen bytes",
                     42);
    dgmi_text_real(&text, 0.1);
    assert_string_equal(text.data,
                        "-9223372036854775808 9223372036854775807 0 <a longer piece than "
                        "the first room of sixteen bytes|   42> 0.1");
    dgmi_text_free(&text);
}

/* Allocates until the budget is spent. */
static void *resize_with_budget(void *user, void *block, size_t size) {
    size_t *budget = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size <= *budget ? realloc(block, size) : NULL;
}

static void text_that_failed_stays_failed(void **state) {
    (void)state;
    size_t budget = 1 << 16;
    const dgm_allocator allocator = {resize_with_budget, &budget};
    dgm_context *small;
    assert_int_equal(dgm_context_create(&allocator, &small), DGM_OK);
    dgmi_text text;
    dgmi_text_init(&text, small);
    dgmi_text_string(&text, "kept");
    budget = 8;
    dgmi_text_string(&text, "this one needs more than there is");
    assert_int_equal(text.status, DGM_ERROR_MEMORY);
    ASSERT_HAS(dgm_context_error(small), "out of memory");
    budget = 1 << 16;
    dgmi_text_string(&text, "late");
    dgmi_text_integer(&text, 5);
    dgmi_text_format(&text, "%d", 5);
    assert_int_equal(text.status, DGM_ERROR_MEMORY);
    assert_string_equal(text.data, "kept");
    dgmi_text_free(&text);
    dgm_context_free(small);
}

static void whole_numbers_from_a_quadrillion_on_have_exponents(void **state) {
    (void)state;
    assert_string_equal(format(1e15), "1e+15");
    assert_string_equal(format(-1e15), "-1e+15");
    assert_string_equal(format(1.5e15), "1.5e+15");
    assert_string_equal(format(-999999999999999), "-999999999999999");
}

/* Twenty digits may be more than 64 bits hold, and 511 are as many as are looked at. */
static void numbers_of_many_digits_are_read_whole_or_refused(void **state) {
    (void)state;
    double value = 0;
    assert_true(dgmi_parse_real("18446744073709551617", 20, &value) && value == 0x1p64);
    assert_true(dgmi_parse_real("1844674407370955161.7", 21, &value) && value == 0x1p64 / 10);
    char text[513];
    memset(text, '0', sizeof text);
    text[510] = '7';
    assert_true(dgmi_parse_real(text, 511, &value) && value == 7);
    text[510] = '0';
    text[511] = '7';
    assert_false(dgmi_parse_real(text, 512, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_as_people_write_them),
        cmocka_unit_test(minus_zero_keeps_its_sign),
        cmocka_unit_test(any_number_is_read_back_from_its_shortest_form),
        cmocka_unit_test(subnormal_numbers_are_read_back_too),
        cmocka_unit_test(powers_of_two_are_read_back_from_their_shortest_form),
        cmocka_unit_test(short_decimals_come_back_as_they_were),
        cmocka_unit_test(numbers_are_read_as_strtod_reads_them),
        cmocka_unit_test(random_decimals_are_read_as_strtod_reads_them),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_decimal_comma_in_the_locale_changes_nothing),
        cmocka_unit_test(whole_numbers_are_read_to_the_last_that_fits),
        cmocka_unit_test(text_grows_by_pieces),
        cmocka_unit_test(text_takes_numbers_and_formats),
        cmocka_unit_test(text_that_failed_stays_failed),
        cmocka_unit_test(whole_numbers_from_a_quadrillion_on_have_exponents),
        cmocka_unit_test(numbers_of_many_digits_are_read_whole_or_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
