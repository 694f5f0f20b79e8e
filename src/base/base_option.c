/* SPDX-License-Identifier: Apache-2.0 */
#include "base_option.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_text.h"

const dgm_option *dgm_option_find(const dgm_option_table *table, const char *name) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->options[i].name, name) == 0)
            return &table->options[i];
    return NULL;
}

static bool within(const dgm_option *option, double value) {
    assert(option->minimum <= option->maximum);
    return value >= option->minimum &&
           (option->open_maximum ? value < option->maximum : value <= option->maximum);
}

/* "0 <= G < 1", "at least 1" */
static const char *bounds_text(const dgm_option *option, char *buffer, size_t size) {
    char low[DGMI_NUMBER_SPACE], high[DGMI_NUMBER_SPACE];
    dgmi_format_real(option->minimum, low);
    dgmi_format_real(option->maximum, high);
    if (isinf(option->maximum))
        snprintf(buffer, size, "of at least %s", low);
    else if (option->open_maximum)
        snprintf(buffer, size, "from %s to below %s", low, high);
    else
        snprintf(buffer, size, "from %s to %s", low, high);
    return buffer;
}

/* An option and how messages call it. */
typedef struct {
    const dgm_option *option;
    const char *called;
} called_option;

static dgm_status fail_value(dgm_context *ctx, const called_option *at, const char *value) {
    const dgm_option *option = at->option;
    bool whole = option->kind == DGM_OPTION_INTEGER || option->kind == DGM_OPTION_INTEGERS;
    char bounds[96];
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s takes %s %s, not '%.200s'", at->called,
                     whole ? "a whole number" : "a number",
                     bounds_text(option, bounds, sizeof bounds), value);
}

static dgm_status fail_choice(dgm_context *ctx, const called_option *at, const char *value) {
    const dgm_option *option = at->option;
    assert(option->choices);
    char list[256] = "";
    for (const char *const *choice = option->choices; *choice; choice++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *choice);
    }
    const char *near = dgm_name_nearest(value, option->choices);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "%s does not know '%.200s'; did you mean '%s'? (one of %s)", at->called,
                         value, near, list);
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s does not know '%.200s'; it takes one of %s",
                     at->called, value, list);
}

static bool parse_number(const dgm_option *option, const char *text, size_t length, double *real,
                         int64_t *integer) {
    bool whole = option->kind == DGM_OPTION_INTEGER || option->kind == DGM_OPTION_INTEGERS;
    if (whole) {
        if (!dgmi_parse_integer(text, length, integer))
            return false;
        *real = (double)*integer;
    } else if (!dgmi_parse_real(text, length, real)) {
        return false;
    }
    return within(option, *real);
}

static dgm_status set_list(dgm_context *ctx, const called_option *at, const char *value,
                           void *field) {
    const dgm_option *option = at->option;
    const char *item = value;
    for (int axis = 0;; axis++) {
        size_t length = strcspn(item, ",");
        double real;
        int64_t integer = 0;
        if (axis == DGM_MAX_AXES)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s takes at most %d values", at->called,
                             DGM_MAX_AXES);
        if (!parse_number(option, item, length, &real, &integer))
            return fail_value(ctx, at, value);
        for (int rest = axis; rest < DGM_MAX_AXES; rest++) {
            if (option->kind == DGM_OPTION_INTEGERS)
                ((int64_t *)field)[rest] = rest == axis ? integer : DGM_SAME;
            else
                ((double *)field)[rest] = rest == axis ? real : DGM_SAME;
        }
        if (item[length] == '\0')
            return DGM_OK;
        item += length + 1;
    }
}

static dgm_status set_flag(dgm_context *ctx, const called_option *at, const char *value,
                           bool *field) {
    if (!value || strcmp(value, "true") == 0)
        *field = true;
    else if (strcmp(value, "false") == 0)
        *field = false;
    else
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s is true or false, not '%.200s'", at->called,
                         value);
    return DGM_OK;
}

static dgm_status set_choice(dgm_context *ctx, const called_option *at, const char *value,
                             int *field) {
    const dgm_option *option = at->option;
    for (int i = 0; option->choices[i]; i++)
        if (strcmp(option->choices[i], value) == 0) {
            *field = i;
            return DGM_OK;
        }
    return fail_choice(ctx, at, value);
}

dgm_status dgmi_option_set_as(dgm_context *ctx, const char *called, const dgm_option *option,
                              const char *value, void *target) {
    const called_option at = {option, called};
    void *field = (char *)target + option->offset;
    if (!value && option->kind != DGM_OPTION_FLAG)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s needs a value", called);
    if (option->set)
        return option->set(ctx, option, value, target);
    double real = 0;
    int64_t integer = 0;
    switch (option->kind) {
    case DGM_OPTION_FLAG:
        return set_flag(ctx, &at, value, field);
    case DGM_OPTION_CHOICE:
        return set_choice(ctx, &at, value, field);
    case DGM_OPTION_TEXT:
        *(const char **)field = value;
        return DGM_OK;
    case DGM_OPTION_INTEGERS:
    case DGM_OPTION_REALS:
        return set_list(ctx, &at, value, field);
    case DGM_OPTION_INTEGER:
    case DGM_OPTION_REAL:
        if (!parse_number(option, value, strlen(value), &real, &integer))
            return fail_value(ctx, &at, value);
        if (option->kind == DGM_OPTION_INTEGER)
            *(int64_t *)field = integer;
        else
            *(double *)field = real;
        return DGM_OK;
    }
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s is of an unknown kind", called);
}

static const char *mark_name(const dgm_option *option, char called[DGMI_ADVICE_SPACE]) {
    snprintf(called, DGMI_ADVICE_SPACE, DGMI_NAMED("%s"), option->name);
    return called;
}

dgm_status dgm_option_set(dgm_context *ctx, const dgm_option *option, const char *value,
                          void *target) {
    char called[DGMI_ADVICE_SPACE];
    return dgmi_option_set_as(ctx, mark_name(option, called), option, value, target);
}

static dgm_status check_number(dgm_context *ctx, const dgm_option *option, double value) {
    if (within(option, value))
        return DGM_OK;
    char text[DGMI_NUMBER_SPACE];
    dgmi_format_real(value, text);
    char called[DGMI_ADVICE_SPACE];
    return fail_value(ctx, &(called_option){option, mark_name(option, called)}, text);
}

static dgm_status check_field(dgm_context *ctx, const dgm_option *option, const void *field) {
    switch (option->kind) {
    case DGM_OPTION_INTEGER:
        return check_number(ctx, option, (double)*(const int64_t *)field);
    case DGM_OPTION_REAL:
        return check_number(ctx, option, *(const double *)field);
    case DGM_OPTION_INTEGERS:
    case DGM_OPTION_REALS:
        for (int axis = 0; axis < DGM_MAX_AXES; axis++) {
            double value = option->kind == DGM_OPTION_REALS
                               ? ((const double *)field)[axis]
                               : (double)((const int64_t *)field)[axis];
            bool same = value == DGM_SAME || (option->kind == DGM_OPTION_INTEGERS && value == 0);
            if (axis > 0 && same)
                continue;
            dgm_status status = check_number(ctx, option, value);
            if (status != DGM_OK)
                return status;
        }
        return DGM_OK;
    case DGM_OPTION_CHOICE: {
        int count = 0;
        while (option->choices[count])
            count++;
        int choice = *(const int *)field;
        if (choice >= 0 && choice < count)
            return DGM_OK;
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%s: %d is none of its %d choices", option->name,
                         choice, count);
    }
    default:
        return DGM_OK;
    }
}

dgm_status dgm_options_check(dgm_context *ctx, const dgm_option_table *table, const void *target) {
    for (size_t i = 0; i < table->count; i++) {
        const dgm_option *option = &table->options[i];
        dgm_status status = check_field(ctx, option, (const char *)target + option->offset);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

dgm_status dgmi_options_take(dgm_context *ctx, const char *type, const void *given, size_t first,
                             size_t size, void *out) {
    if (!given)
        return DGM_OK;
    size_t given_size = *(const size_t *)given;
    if (given_size < first)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "%s was not initialised: its size is %zu, not %zu; begin with its "
                         "initialiser",
                         type, given_size, size);
    if (given_size > size)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "%s has %zu bytes, and this version of the library knows %zu of them: it "
                         "was not initialised, or is of a newer version",
                         type, given_size, size);
    memcpy(out, given, given_size);
    *(size_t *)out = size;
    return DGM_OK;
}

/* Longer words are no near misses of anything. */
enum { LONGEST_WORD = 64 };

/* Levenshtein distance; words that are too long are far from everything. */
static int edit_distance(const char *a, const char *b) {
    size_t la = strlen(a), lb = strlen(b);
    if (la >= LONGEST_WORD || lb >= LONGEST_WORD)
        return LONGEST_WORD;
    int row[LONGEST_WORD];
    for (size_t j = 0; j <= lb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= la; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= lb; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < best ? change : best;
        }
    }
    return row[lb];
}

const char *dgm_name_nearest(const char *word, const char *const *names) {
    const char *nearest = NULL;
    if (strlen(word) >= LONGEST_WORD)
        return NULL;
    int least = 1 + (int)strlen(word) / 3;
    for (; *names; names++) {
        int distance = edit_distance(word, *names);
        bool starts = strlen(word) >= 3 && strncmp(word, *names, strlen(word)) == 0;
        if (starts && !nearest)
            nearest = *names;
        if (distance <= least) {
            nearest = *names;
            least = distance - 1;
        }
    }
    return nearest;
}
