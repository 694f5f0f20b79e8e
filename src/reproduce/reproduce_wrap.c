/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_wrap.h"

#include <string.h>

/* Columns of a line, and of one that goes on, with its indent: a backslash fits behind either. */
enum { COLUMNS = 116, COLUMNS_BELOW = 118 };

/* How a kind of line goes on in the next one. */
typedef struct manner {
    const char *before, *after; /* what ends a line, and what the next one begins with */
    bool options;               /* it is broken before options alone */
} manner;

static manner manner_of(const char *line) {
    if (strncmp(line, "    ", 4) == 0)
        return (manner){" \\", "        ", true};
    return (manner){"", strncmp(line, "- ", 2) == 0 ? "  " : "", false};
}

/* The number of characters of UTF-8 text: bytes that begin one. */
static int64_t count_columns(const char *text, const char *end) {
    int64_t columns = 0;
    for (; text < end; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

/* The last blank at which the line can be broken so that it has at most `most` columns, or else the
 * first one; NULL if the rest stays in one piece. */
static const char *find_break(const char *line, const char *end, const manner *how, int64_t most) {
    const char *found = NULL;
    for (const char *at = line + strspn(line, " -"); at < end; at++) {
        if (*at != ' ' || (how->options && at[1] != '-'))
            continue;
        if (found && count_columns(line, at) > most)
            break;
        found = at;
    }
    return found;
}

static void wrap_line(dgmi_text *out, const char *line, const char *end) {
    const manner how = manner_of(line);
    int64_t indent = 0;
    while (count_columns(line, end) + indent > COLUMNS && *line != '|' && *line != '!') {
        const char *at = find_break(line, end, &how, indent > 0 ? COLUMNS_BELOW - indent : COLUMNS);
        if (!at)
            break;
        dgmi_text_append(out, line, (size_t)(at - line));
        dgmi_text_format(out, "%s\n%s", how.before, how.after);
        indent = (int64_t)strlen(how.after);
        line = at + 1;
    }
    dgmi_text_append(out, line, (size_t)(end - line));
    dgmi_text_string(out, "\n");
}

void dgmi_reproduce_wrap(dgmi_text *out, const char *markdown) {
    for (const char *end; *markdown; markdown = end + (*end == '\n')) {
        end = markdown + strcspn(markdown, "\n");
        wrap_line(out, markdown, end);
    }
}
