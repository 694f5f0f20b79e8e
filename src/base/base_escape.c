/* SPDX-License-Identifier: Apache-2.0 */
#include "base_escape.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void dgmi_utf8_append(dgmi_text *out, uint32_t code) {
    char bytes[4];
    dgmi_text_append(out, bytes, dgmi_utf8_encode(code, bytes));
}

enum { SPACE = 16 };

/* What stands for a character: NULL for itself, FORBIDDEN if the format cannot hold it. `space` may
 * be written to. */
typedef const char *(*escape_rule)(int32_t code, char space[SPACE]);
static const char FORBIDDEN[] = "\xEF\xBF\xBD";

/* Stands for itself in every format: what most names are made of. */
static bool is_plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '&' && c != '<' && c != '>';
}

static int64_t escape(dgmi_text *out, const char *text, size_t length, escape_rule rule) {
    char space[SPACE];
    int64_t lost = 0;
    size_t plain = 0, size; /* plain: where the characters begin that stand for themselves */
    for (size_t at = 0; at < length; at += size) {
        size = 1;
        if (is_plain(text[at]))
            continue;
        int32_t code = dgmi_utf8_next(text + at, length - at, &size);
        const char *instead = code < 0 ? FORBIDDEN : rule(code, space);
        if (!instead)
            continue;
        dgmi_text_append(out, text + plain, at - plain);
        const char *mark = instead == FORBIDDEN ? rule(0xFFFD, space) : NULL;
        dgmi_text_string(out, mark ? mark : instead);
        lost += instead == FORBIDDEN;
        plain = at + size;
    }
    dgmi_text_append(out, text + plain, length - plain);
    return lost;
}

static bool is_noncharacter(int32_t code) {
    return code == 0xFFFE || code == 0xFFFF;
}

/* XML 1.0, section 2.2 (what a character is) and 3.3.3 (blanks in attributes need references). */
static const char *xml_rule(int32_t code, char space[SPACE]) {
    (void)space;
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return code < 0x20 || is_noncharacter(code) ? FORBIDDEN : NULL;
    }
}

static const char *json_rule(int32_t code, char space[SPACE]) {
    static const char short_forms[] = "btn?fr"; /* of 8 to 13 */
    if (code >= 0x20 && code != '"' && code != '\\')
        return NULL;
    if (code >= 0x20)
        snprintf(space, SPACE, "\\%c", (char)code);
    else if (code >= 8 && code <= 13 && code != 11)
        snprintf(space, SPACE, "\\%c", short_forms[code - 8]);
    else
        snprintf(space, SPACE, "\\u%04x", (unsigned)code);
    return space;
}

/* GML is ASCII; everything else is a numbered entity. */
static const char *gml_rule(int32_t code, char space[SPACE]) {
    if (code >= 0x20 && code <= 0x7E && code != '"' && code != '&')
        return NULL;
    snprintf(space, SPACE, "&#%d;", (int)code);
    return space;
}

/* Graphviz reads backslashes and entities inside quoted strings, and passes the rest on into SVG.
 */
static const char *dot_rule(int32_t code, char space[SPACE]) {
    (void)space;
    switch (code) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '&':
        return "&amp;";
    case '\n':
        return "\\n";
    default:
        return code < 0x20 || code == 0x7F ? " " : is_noncharacter(code) ? FORBIDDEN : NULL;
    }
}

static const char *csv_rule(int32_t code, char space[SPACE]) {
    (void)space;
    return code == '"' ? "\"\"" : code == 0 ? FORBIDDEN : NULL;
}

int64_t dgmi_escape_xml(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, xml_rule);
}

int64_t dgmi_escape_json(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, json_rule);
}

int64_t dgmi_escape_gml(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, gml_rule);
}

int64_t dgmi_escape_dot(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, dot_rule);
}

/* RFC 4180 asks for quotes around the first four; readers differ on blanks at the ends and on
 * nothing at all. */
static bool needs_quotes(const char *text, size_t length) {
    if (length == 0 || text[0] == ' ' || text[length - 1] == ' ' || text[0] == '\t' ||
        text[length - 1] == '\t')
        return true;
    for (size_t i = 0; i < length; i++)
        if (text[i] == ',' || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
            return true;
    return false;
}

int64_t dgmi_escape_csv(dgmi_text *out, const char *text, size_t length) {
    const char *quote = needs_quotes(text, length) ? "\"" : "";
    dgmi_text_string(out, quote);
    int64_t lost = escape(out, text, length, csv_rule);
    dgmi_text_string(out, quote);
    return lost;
}

/* ---- for people ---- */

/* Unicode's controls of direction (UAX #9, section 2), the line and paragraph separators, and what
 * is drawn as nothing at all. */
static bool is_unseen(int32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0xFEFF ||
           (code >= 0x200B && code <= 0x200F && code != 0x200D) ||
           (code >= 0x202A && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           is_noncharacter(code);
}

static bool is_line_end(int32_t code) {
    return (code >= 9 && code <= 13) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/* CommonMark 0.31, section 2.4: a backslash before any of ASCII's punctuation makes it a plain
 * character. These are all that could begin something inside a line; a dot does so in "www.". */
static bool is_markup(const char *text, size_t at) {
    return strchr("\\`*_{}[]<>#|~&$!@:^", text[at]) != NULL ||
           (text[at] == '.' && at >= 3 && strncasecmp(text + at - 3, "www", 3) == 0);
}

static int64_t escape_for_people(dgmi_text *out, const char *text, size_t length, bool markdown) {
    int64_t lost = 0;
    size_t size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = dgmi_utf8_next(text + at, length - at, &size);
        bool bad = code < 0 || (is_unseen(code) && !is_line_end(code));
        lost += bad;
        if (bad) {
            dgmi_text_string(out, FORBIDDEN);
        } else if (is_line_end(code)) {
            dgmi_text_string(out, " ");
        } else {
            if (markdown && code < 0x80 && is_markup(text, at))
                dgmi_text_string(out, "\\");
            dgmi_text_append(out, text + at, size);
        }
    }
    return lost;
}

int64_t dgmi_escape_plain(dgmi_text *out, const char *text, size_t length) {
    return escape_for_people(out, text, length, false);
}

int64_t dgmi_escape_markdown(dgmi_text *out, const char *text, size_t length) {
    return escape_for_people(out, text, length, true);
}
