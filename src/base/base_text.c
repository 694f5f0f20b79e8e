/* SPDX-License-Identifier: Apache-2.0 */
#include "base_text.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"

void dgmi_text_init(dgmi_text *text, dgm_context *ctx) {
    *text = (dgmi_text){ctx, NULL, 0, 0, DGM_OK};
}

void dgmi_text_free(dgmi_text *text) {
    dgmi_free(text->ctx, text->data);
    text->data = NULL;
}

/* Room for `extra` more bytes and the terminator; NULL once the text has failed. */
static char *text_room(dgmi_text *text, size_t extra) {
    assert(text->length >= 0 && text->length <= text->capacity);
    if (text->status != DGM_OK)
        return NULL;
    void *data = text->data;
    text->status =
        dgmi_reserve(text->ctx, &data, &text->capacity, text->length + (int64_t)extra + 1, 1);
    text->data = data;
    return text->status == DGM_OK ? text->data + text->length : NULL;
}

void dgmi_text_append(dgmi_text *text, const char *data, size_t length) {
    char *end = text_room(text, length);
    if (!end)
        return;
    memcpy(end, data, length);
    end[length] = '\0';
    text->length += (int64_t)length;
}

void dgmi_text_string(dgmi_text *text, const char *string) {
    dgmi_text_append(text, string, strlen(string));
}

void dgmi_text_format(dgmi_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *end = text_room(text, (size_t)length);
    if (!end)
        return;
    va_start(arguments, format);
    vsnprintf(end, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += length;
    assert(text->length < text->capacity); /* the terminator has its place */
}

void dgmi_text_integer(dgmi_text *text, int64_t value) {
    char buffer[DGMI_NUMBER_SPACE];
    char *start = buffer + sizeof buffer;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--start = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--start = '-';
    dgmi_text_append(text, start, (size_t)(buffer + sizeof buffer - start));
}

void dgmi_text_real(dgmi_text *text, double value) {
    char buffer[DGMI_NUMBER_SPACE];
    dgmi_text_append(text, buffer, (size_t)dgmi_format_real(value, buffer));
}

/* The C locale's point, whatever the program's locale writes. */
static int with_point(char *text, int length) {
    for (int i = 0; i < length; i++)
        if (text[i] == ',')
            text[i] = '.';
    return length;
}

static int print_digits(double value, int digits, char *buffer) {
    return with_point(buffer, snprintf(buffer, DGMI_NUMBER_SPACE, "%.*g", digits, value));
}

static bool reads_back(const char *text, int length, double value) {
    double back;
    return dgmi_parse_real(text, (size_t)length, &back) && back == value;
}

/* Numbers stand closer below a power of two than above, so there the nearest decimal of 16 digits
 * may miss where the next one away from zero hits. */
static int print_stepped(double value, char *buffer) {
    int length = snprintf(buffer, DGMI_NUMBER_SPACE, "%.15e", value);
    char *digit = strchr(buffer, 'e') - 1;
    assert(digit > buffer);
    if (*digit < '9')
        ++*digit;
    return with_point(buffer, length);
}

int dgmi_format_real(double value, char buffer[DGMI_NUMBER_SPACE]) {
    int length;
    if (!isfinite(value))
        return snprintf(buffer, DGMI_NUMBER_SPACE, "%s",
                        isnan(value) ? "nan"
                        : value > 0  ? "inf"
                                     : "-inf");
    if (fabs(value) < 1e15 && value == (double)(int64_t)value)
        return snprintf(buffer, DGMI_NUMBER_SPACE, "%s%lld",
                        value == 0 && signbit(value) ? "-" : "", (long long)value);
    /* 15 digits are enough for any decimal that a person wrote; subnormals may need fewer. */
    int least = fabs(value) < 2.3e-308 ? 1 : 15;
    for (int digits = least; digits < 17; digits++) {
        length = print_digits(value, digits, buffer);
        if (reads_back(buffer, length, value))
            return length;
    }
    if (fabs(frexp(value, &(int){0})) == 0.5) {
        length = print_stepped(value, buffer);
        if (reads_back(buffer, length, value))
            return length;
    }
    return print_digits(value, 17, buffer);
}

/* Exact powers of ten: with at most 19 digits below 2^53 and one of these, one rounding gives the
 * nearest double (Clinger 1990). */
static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Plain decimals with few digits, exactly; false where the slow path is needed or the text is no
 * such number. */
static bool parse_short_decimal(const char *text, const char *end, double *value) {
    bool negative = text < end && *text == '-';
    if (text < end && (*text == '-' || *text == '+'))
        text++;
    uint64_t digits = 0;
    int count = 0, scale = 0;
    const char *start = text;
    for (; text < end && *text >= '0' && *text <= '9'; text++, count++)
        digits = digits * 10 + (uint64_t)(*text - '0');
    int64_t seen = text - start;
    if (text < end && *text == '.') {
        const char *point = ++text;
        for (; text < end && *text >= '0' && *text <= '9'; text++, count++)
            digits = digits * 10 + (uint64_t)(*text - '0');
        scale = (int)(text - point);
        seen += scale;
    }
    if (text != end || seen == 0 || count > 19 || digits >> 53)
        return false;
    *value = (double)digits / powers_of_ten[scale];
    if (negative)
        *value = -*value;
    return true;
}

bool dgmi_parse_real(const char *text, size_t length, double *value) {
    if (parse_short_decimal(text, text + length, value))
        return true;
    char buffer[512];
    if (length == 0 || length >= sizeof buffer)
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] == 'x' || text[i] == 'X' || (unsigned char)text[i] <= ' ' || text[i] == '(')
            return false;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    char *end;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* shared and free in glibc */
    *value = locale ? strtod_l(buffer, &end, locale) : strtod(buffer, &end);
    if (locale)
        freelocale(locale);
    return end == buffer + length;
}

bool dgmi_parse_integer(const char *text, size_t length, int64_t *value) {
    size_t i = length && (*text == '-' || *text == '+');
    if (i == length)
        return false;
    int64_t result = 0;
    for (; i < length; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(result, 10, &result) ||
            __builtin_sub_overflow(result, digit, &result))
            return false;
    }
    if (*text != '-' && __builtin_sub_overflow((int64_t)0, result, &result))
        return false;
    *value = result;
    return true;
}
