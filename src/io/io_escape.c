/* SPDX-License-Identifier: Apache-2.0 */
#include "io_escape.h"

#include <stdio.h>
#include <string.h>

enum { REPLACEMENT = 0xFFFD };

/* ---- UTF-8 ---- */

/* Bytes of the sequence that `lead` opens, 0 if none does. */
static size_t sequence_size(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

int32_t dgmi_utf8_next(const char *text, size_t length, size_t *size) {
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    size_t need = sequence_size(bytes[0]);
    *size = 1;
    if (need <= 1)
        return need ? bytes[0] : -1;
    int32_t code = bytes[0] & (0x7F >> need);
    for (size_t i = 1; i < need; i++) {
        if (i == length || (bytes[i] & 0xC0) != 0x80)
            return -1;
        code = code << 6 | (bytes[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < least[need] || code > 0x10FFFF || surrogate)
        return -1;
    *size = need;
    return code;
}

size_t dgmi_utf8_check(const char *text, size_t length) {
    size_t at = 0, size;
    while (at < length && dgmi_utf8_next(text + at, length - at, &size) >= 0)
        at += size;
    return at;
}

void dgmi_utf8_append(dgmi_text *out, uint32_t code) {
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    char bytes[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(leads[size] | code);
    dgmi_text_append(out, bytes, size);
}

/* ---- escaping ---- */

/* How a format writes one character. */
typedef enum { AS_IT_IS, ESCAPED, IMPOSSIBLE } fate;
typedef fate (*judge)(int32_t code);
typedef void (*spell)(dgmi_text *out, int32_t code);

/* Copies runs of plain characters whole and spells the others one by one. */
static int64_t escape(dgmi_text *out, const char *text, size_t length, judge judge_of,
                      spell spell_of) {
    int64_t lost = 0;
    size_t plain = 0, at = 0, size;
    for (; at < length; at += size) {
        int32_t code = dgmi_utf8_next(text + at, length - at, &size);
        fate what = code < 0 ? IMPOSSIBLE : judge_of(code);
        if (what == AS_IT_IS)
            continue;
        dgmi_text_append(out, text + plain, at - plain);
        plain = at + size;
        lost += what == IMPOSSIBLE;
        if (what == ESCAPED)
            spell_of(out, code);
        else if (judge_of(REPLACEMENT) == ESCAPED)
            spell_of(out, REPLACEMENT);
        else
            dgmi_utf8_append(out, REPLACEMENT);
    }
    dgmi_text_append(out, text + plain, length - plain);
    return lost;
}

/* Characters of XML 1.0 (section 2.2). Blanks other than spaces would be normalised away, so they
 * are escaped. */
static fate judge_xml(int32_t code) {
    if (code == '\t' || code == '\n' || code == '\r')
        return ESCAPED;
    if (code < 0x20 || code == 0xFFFE || code == 0xFFFF)
        return IMPOSSIBLE;
    return code == '<' || code == '>' || code == '&' || code == '"' ? ESCAPED : AS_IT_IS;
}

static void spell_xml(dgmi_text *out, int32_t code) {
    switch (code) {
    case '<':
        dgmi_text_string(out, "&lt;");
        break;
    case '>':
        dgmi_text_string(out, "&gt;");
        break;
    case '&':
        dgmi_text_string(out, "&amp;");
        break;
    case '"':
        dgmi_text_string(out, "&quot;");
        break;
    default:
        dgmi_text_format(out, "&#%d;", (int)code);
    }
}

static fate judge_json(int32_t code) {
    return code < 0x20 || code == '"' || code == '\\' || code == 0x7F ? ESCAPED : AS_IT_IS;
}

static void spell_json(dgmi_text *out, int32_t code) {
    if (code == '"' || code == '\\')
        dgmi_text_format(out, "\\%c", (char)code);
    else if (code == '\n')
        dgmi_text_string(out, "\\n");
    else if (code == '\t')
        dgmi_text_string(out, "\\t");
    else
        dgmi_text_format(out, "\\u%04x", (unsigned)code);
}

/* GML is ASCII; everything else is a numbered entity. */
static fate judge_gml(int32_t code) {
    return code < 0x20 || code > 0x7E || code == '"' || code == '&' ? ESCAPED : AS_IT_IS;
}

static void spell_gml(dgmi_text *out, int32_t code) {
    dgmi_text_format(out, "&#%d;", (int)code);
}

int64_t dgmi_escape_xml(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, judge_xml, spell_xml);
}

int64_t dgmi_escape_json(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, judge_json, spell_json);
}

int64_t dgmi_escape_gml(dgmi_text *out, const char *text, size_t length) {
    return escape(out, text, length, judge_gml, spell_gml);
}
