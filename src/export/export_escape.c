/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as valid text of each format. Bytes that are not UTF-8, and characters that a format
 * cannot hold, become U+FFFD, one for each maximal broken sequence as the Unicode standard
 * recommends (section 3.9).
 */
#include "export_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"

enum { BLOCK = 1 << 20 };

bool dgmi_export_flush(dgmi_export *job) {
    dgmi_text *text = &job->text;
    if (text->status == DGM_OK)
        text->status = dgmi_progress(job->ctx, "writing the summary", -1);
    if (text->status == DGM_OK && job->output && text->length) {
        text->status = dgmi_output_write(job->output, text->data, (size_t)text->length);
        text->length = 0;
    }
    job->pause = text->length + BLOCK;
    return text->status == DGM_OK;
}

/* ---- UTF-8 ---- */

typedef struct {
    uint32_t code;
    size_t size; /* bytes */
    bool valid;
} rune;

/* The first character of s[0 .. length), length > 0: table 3-7 of the Unicode standard. */
static rune next_rune(const char *string, size_t length) {
    const unsigned char *s = (const unsigned char *)string;
    unsigned char lead = s[0];
    if (lead < 0x80)
        return (rune){lead, 1, true};
    size_t more = lead < 0xC2 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : lead < 0xF5 ? 3 : 0;
    unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    rune result = {lead & (0x3Fu >> more), 1, more > 0};
    for (size_t i = 1; i <= more; i++, low = 0x80, high = 0xBF) {
        if (i == length || s[i] < low || s[i] > high) {
            result.valid = false;
            break;
        }
        result.code = result.code << 6 | (s[i] & 0x3Fu);
        result.size++;
    }
    return result;
}

bool dgmi_utf8_valid(const char *string) {
    size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        rune next = next_rune(string + i, length - i);
        if (!next.valid)
            return false;
        i += next.size;
    }
    return true;
}

/* ---- escaping ---- */

/* What stands for a character: NULL for itself, FORBIDDEN if the format cannot hold it. `space` may
 * be written to. */
typedef const char *(*escape_rule)(uint32_t code, char space[8]);
static const char FORBIDDEN[] = "\xEF\xBF\xBD";

/* Stands for itself in every format: what most names are made of. */
static inline bool is_plain(char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '&' && c != '<' && c != '>';
}

static void append_escaped(dgmi_export *job, const char *string, size_t length, escape_rule rule) {
    char space[8];
    size_t plain = 0; /* where the characters begin that stand for themselves */
    for (size_t i = 0; i < length;) {
        if (is_plain(string[i])) {
            i++;
            continue;
        }
        rune next = next_rune(string + i, length - i);
        const char *instead = next.valid ? rule(next.code, space) : FORBIDDEN;
        if (instead) {
            dgmi_text_append(&job->text, string + plain, i - plain);
            dgmi_text_string(&job->text, instead);
            job->replaced |= instead == FORBIDDEN;
            plain = i + next.size;
        }
        i += next.size;
    }
    dgmi_text_append(&job->text, string + plain, length - plain);
}

static const char *json_rule(uint32_t code, char space[8]) {
    static const char short_forms[] = "btn?fr"; /* of 8 to 13 */
    if (code >= 0x20 && code != '"' && code != '\\')
        return NULL;
    space[0] = '\\';
    if (code >= 0x20 || (code >= 8 && code <= 13 && code != 11)) {
        space[1] = code >= 0x20 ? (char)code : short_forms[code - 8];
        space[2] = '\0';
        return space;
    }
    memcpy(space + 1, "u00", 3);
    space[4] = (char)('0' + code / 16);
    space[5] = "0123456789abcdef"[code % 16];
    space[6] = '\0';
    return space;
}

static bool is_noncharacter(uint32_t code) {
    return code == 0xFFFE || code == 0xFFFF;
}

/* XML 1.0, section 2.2 (what a character is) and 3.3.3 (blanks in attributes need references). */
static const char *xml_rule(uint32_t code, char space[8]) {
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

/* Graphviz reads backslashes and entities inside quoted strings, and passes the rest on into SVG.
 */
static const char *dot_rule(uint32_t code, char space[8]) {
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

static const char *csv_rule(uint32_t code, char space[8]) {
    (void)space;
    return code == '"' ? "\"\"" : code == 0 ? FORBIDDEN : NULL;
}

void dgmi_export_json_text(dgmi_export *job, const char *string, size_t length) {
    dgmi_text_append(&job->text, "\"", 1);
    append_escaped(job, string, length, json_rule);
    dgmi_text_append(&job->text, "\"", 1);
}

void dgmi_export_xml_text(dgmi_export *job, const char *string) {
    append_escaped(job, string, strlen(string), xml_rule);
}

void dgmi_export_dot_text(dgmi_export *job, const char *string) {
    append_escaped(job, string, strlen(string), dot_rule);
}

/* RFC 4180 asks for quotes around the first four; readers differ on blanks at the ends and on
 * nothing at all. */
static bool needs_quotes(const char *string, size_t length) {
    if (length == 0 || string[0] == ' ' || string[length - 1] == ' ' || string[0] == '\t' ||
        string[length - 1] == '\t')
        return true;
    for (size_t i = 0; i < length; i++)
        if (string[i] == ',' || string[i] == '"' || string[i] == '\r' || string[i] == '\n')
            return true;
    return false;
}

void dgmi_export_csv_text(dgmi_export *job, const char *string, size_t length) {
    bool quotes = needs_quotes(string, length);
    if (quotes)
        dgmi_text_append(&job->text, "\"", 1);
    append_escaped(job, string, length, csv_rule);
    if (quotes)
        dgmi_text_append(&job->text, "\"", 1);
}

/* ---- pieces ---- */

void dgmi_export_cell(dgmi_export *job, int64_t cluster) {
    const int32_t *cell = job->clusters.cells + cluster * job->clusters.axes;
    for (int64_t a = 0; a < job->clusters.axes; a++) {
        if (a)
            dgmi_text_append(&job->text, " ", 1);
        dgmi_text_integer(&job->text, cell[a]);
    }
}

void dgmi_export_rough(dgmi_export *job, double value) {
    dgmi_text_real(&job->text, round(value * 1000) / 1000);
}
