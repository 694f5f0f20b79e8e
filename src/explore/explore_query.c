/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_query.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decodes in place up to `end` and writes a 0 there. Returns false if a percent sign is not followed
 * by two digits, or stands for a 0. */
static bool decode(char *from, const char *end) {
    char *to = from;
    for (; from < end; from++) {
        char c = *from == '+' ? ' ' : *from;
        if (c == '%') {
            int high = hex_digit(from[1]), low = high < 0 ? -1 : hex_digit(from[2]);
            if (low < 0 || high + low == 0)
                return false;
            c = (char)(high * 16 + low);
            from += 2;
        }
        *to++ = c;
    }
    *to = '\0';
    return true;
}

/* One "name=value", which is cut out of the text and decoded in place. */
static bool take_pair(char *pair, const char **name, const char **value) {
    char *equals = strchr(pair, '=');
    if (!equals || equals == pair)
        return false;
    *equals = '\0';
    *name = pair;
    *value = equals + 1;
    return decode(equals + 1, equals + 1 + strlen(equals + 1)) && decode(pair, equals);
}

dgm_status dgmi_explore_query_parse(dgm_context *ctx, const char *text, dgmi_explore_query *out) {
    size_t length = text ? strlen(text) : 0;
    char *copy = dgmi_scratch(ctx, (int64_t)length + 1, 1);
    out->count = 0;
    if (!copy)
        return DGM_ERROR_MEMORY;
    memcpy(copy, text ? text : "", length + 1);
    for (char *pair = copy, *next; pair && *pair; pair = next) {
        next = strchr(pair, '&');
        if (next)
            *next++ = '\0';
        if (out->count == DGMI_EXPLORE_MOST_SETTINGS)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "a question has at most %d settings",
                             DGMI_EXPLORE_MOST_SETTINGS);
        if (!take_pair(pair, &out->names[out->count], &out->values[out->count]))
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "settings are written as name=value, with '&' between them");
        out->count++;
    }
    return DGM_OK;
}

const char *dgmi_explore_query_find(const dgmi_explore_query *query, const char *name) {
    for (int i = 0; i < query->count; i++)
        if (strcmp(query->names[i], name) == 0)
            return query->values[i];
    return NULL;
}

dgm_status dgmi_explore_query_integer(dgm_context *ctx, const dgmi_explore_query *query,
                                      const char *name, int64_t low, int64_t high, int64_t missing,
                                      int64_t *out) {
    const char *text = dgmi_explore_query_find(query, name);
    *out = missing;
    if (text && !dgmi_parse_integer(text, strlen(text), out))
        return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("%s") " is a whole number, not '%.100s'",
                         name, text);
    if (!text && (missing < low || missing > high))
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the question needs " DGMI_NAMED("%s"), name);
    if (*out < low || *out > high)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("%s") " is from %lld to %lld, not %lld",
                         name, (long long)low, (long long)high, (long long)*out);
    return DGM_OK;
}
