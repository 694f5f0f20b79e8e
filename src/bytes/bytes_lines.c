/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_lines.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_utf8.h"

enum { READ_BLOCK = DGMI_BUFFER(1 << 17), PROGRESS_LINES = 1 << 16 };

void dgmi_bytes_lines_init(dgmi_bytes_lines *lines, dgm_context *ctx, dgmi_bytes_stream *stream) {
    *lines = (dgmi_bytes_lines){.comments = true, .ctx = ctx, .stream = stream, .next_line = 1};
}

void dgmi_bytes_lines_free(dgmi_bytes_lines *lines) {
    dgmi_free(lines->ctx, lines->buffer);
    dgmi_free(lines->ctx, lines->fields);
    lines->buffer = NULL;
    lines->fields = NULL;
}

dgm_status dgmi_bytes_lines_open(dgmi_bytes_lines *lines, dgm_context *ctx, const char *path) {
    dgmi_bytes_stream *stream;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        dgmi_bytes_lines_init(lines, ctx, stream);
    return status;
}

void dgmi_bytes_lines_close(dgmi_bytes_lines *lines) {
    dgmi_bytes_lines_free(lines);
    dgmi_bytes_stream_close(lines->stream);
}

/* Reads on behind buffer[.. end), moving what is pending to the front first. */
static dgm_status fill(dgmi_bytes_lines *lines) {
    int64_t pending = lines->end - lines->begin, got;
    assert(pending >= 0 && lines->end <= lines->capacity);
    if (lines->buffer && lines->begin > 0)
        memmove(lines->buffer, lines->buffer + lines->begin, (size_t)pending);
    lines->begin = 0;
    lines->end = pending;
    void *buffer = lines->buffer;
    dgm_status status =
        dgmi_reserve(lines->ctx, &buffer, &lines->capacity, pending + READ_BLOCK + 1, 1);
    lines->buffer = buffer;
    if (status != DGM_OK)
        return status;
    int64_t room = lines->capacity - 1 - pending;
    assert(room > 0);
    status = dgmi_bytes_stream_read(lines->stream, lines->buffer + pending, room, &got);
    if (status == DGM_OK) {
        lines->end += got;
        lines->ended = got < room;
    }
    return status;
}

/* Finds the line end at or behind begin + from; *length is then the distance from begin. At the end
 * of the text the end itself. */
static dgm_status find_line_end(dgmi_bytes_lines *lines, int64_t from, int64_t *length) {
    assert(from >= 0);
    for (;;) {
        char *start = lines->buffer + lines->begin;
        int64_t pending = lines->end - lines->begin;
        char *found = pending > from ? memchr(start + from, '\n', (size_t)(pending - from)) : NULL;
        if (found || lines->ended) {
            *length = found ? found - start : pending;
            return DGM_OK;
        }
        from = pending;
        dgm_status status = fill(lines);
        if (status != DGM_OK)
            return status;
    }
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ---- fields ---- */

/* While the separator is not known (0), every one that could be it counts. */
static bool ends_field(char separator, char c) {
    if (separator == 0)
        return is_blank(c) || c == ',' || c == ';';
    return c == separator || (separator == ' ' && is_blank(c));
}

/* The first of tab, comma, semicolon that stands outside quotes; otherwise blanks. */
static char find_separator(const char *text, const char *end) {
    bool tab = false, comma = false, semicolon = false, quoted = false, first = true;
    for (; text < end; text++) {
        bool escaped = quoted && *text == '"' && text + 1 < end && text[1] == '"';
        quoted ^= *text == '"' && (quoted || first) && !escaped;
        text += escaped;
        comma |= !quoted && *text == ',';
        semicolon |= !quoted && *text == ';';
        tab |= !quoted && *text == '\t';
        first = !quoted && ends_field(0, *text);
    }
    return tab ? '\t' : comma ? ',' : semicolon ? ';' : ' ';
}

static dgm_status add_field(dgmi_bytes_lines *lines, char *text, const char *end, bool quoted) {
    assert(text <= end);
    void *fields = lines->fields;
    dgm_status status = dgmi_reserve(lines->ctx, &fields, &lines->field_capacity, lines->count + 1,
                                     sizeof *lines->fields);
    lines->fields = fields;
    if (status == DGM_OK)
        lines->fields[lines->count++] = (dgmi_bytes_field){text, (size_t)(end - text), quoted};
    return status;
}

/* The closing quote of a field that begins behind an opening one; NULL if the text ends first. */
static char *closing_quote(char *text, char *end) {
    while ((text = memchr(text, '"', (size_t)(end - text)))) {
        if (text + 1 == end || text[1] != '"')
            return text;
        text += 2;
    }
    return NULL;
}

/* "" becomes ". */
static void unescape(dgmi_bytes_field *field) {
    size_t kept = 0;
    for (size_t i = 0; i < field->length; i++, kept++) {
        field->text[kept] = field->text[i];
        i += field->text[i] == '"';
    }
    field->length = kept;
}

/* Whether text[0 .. end) leaves a quoted field open; `quoted` says whether it begins inside one.
 * Quotes open a field only at its beginning. */
static bool leaves_open(char separator, const char *text, const char *end, bool quoted) {
    if (!quoted && !memchr(text, '"', (size_t)(end - text)))
        return false;
    for (bool first = !quoted; text < end; text++) {
        if (quoted && *text == '"') {
            bool escaped = text + 1 < end && text[1] == '"';
            text += escaped;
            quoted = escaped;
            first = false;
        } else if (!quoted && *text == '"' && first) {
            quoted = true;
        } else if (!quoted) {
            first = ends_field(separator, *text) || (is_blank(*text) && first);
        }
    }
    return quoted;
}

static char *skip_blanks(const dgmi_bytes_lines *lines, char *text, const char *end) {
    while (text < end && is_blank(*text) && (*text != lines->separator || *text == ' '))
        text++;
    return text;
}

static dgm_status fail_open_quote(const dgmi_bytes_lines *lines) {
    return dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                           "a quote that opens in this record never closes");
}

/* The field at `text`; returns where it ends, NULL on failure. In the first record a quote may have
 * been opened by a separator that then turned out to be none. */
static char *cut_quoted(dgmi_bytes_lines *lines, char *text, char *end) {
    char *stop = closing_quote(text + 1, end);
    if (!stop) {
        fail_open_quote(lines);
        return NULL;
    }
    char *next = skip_blanks(lines, stop + 1, end);
    if (next < end && lines->separator != ' ' && *next != lines->separator) {
        dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                        "text behind a closing quote; a quote inside is written twice");
        return NULL;
    }
    return add_field(lines, text + 1, stop, true) == DGM_OK ? next : NULL;
}

static char *cut_plain(dgmi_bytes_lines *lines, char *text, char *end) {
    char separator = lines->separator, *start = text;
    while (text < end && !ends_field(separator, *text))
        text++;
    char *stop = text;
    while (stop > start && is_blank(stop[-1]))
        stop--;
    return add_field(lines, start, stop, false) == DGM_OK ? text : NULL;
}

/* Cuts text[0 .. end) into fields. */
static dgm_status cut(dgmi_bytes_lines *lines, char *text, char *end) {
    text = skip_blanks(lines, text, end);
    for (bool more = true; more;) {
        text =
            text < end && *text == '"' ? cut_quoted(lines, text, end) : cut_plain(lines, text, end);
        if (!text)
            return lines->ctx->status;
        if (lines->separator == ' ') {
            text = skip_blanks(lines, text, end);
            more = text < end;
        } else {
            more = text < end;
            text = skip_blanks(lines, text + more, end);
        }
    }
    return DGM_OK;
}

/* Terminates every field. A field's end is a separator, a quote, a blank or the end of the buffer,
 * which has room. */
static void close_fields(dgmi_bytes_lines *lines) {
    for (int64_t k = 0; k < lines->count; k++) {
        dgmi_bytes_field *field = &lines->fields[k];
        if (field->quoted)
            unescape(field);
        field->text[field->length] = '\0';
    }
}

/* ---- records ---- */

/* Whether the line text[0 .. length) holds anything to read. */
static bool is_record(const dgmi_bytes_lines *lines, const char *text, int64_t length) {
    int64_t i = 0;
    while (i < length && is_blank(text[i]))
        i++;
    return i < length && !(lines->comments && (text[i] == '#' || text[i] == '%'));
}

/* Moves to the next line that holds something; its length, or -1 at the end. */
static dgm_status find_record(dgmi_bytes_lines *lines, int64_t *length) {
    for (;;) {
        dgm_status status = find_line_end(lines, 0, length);
        if (status != DGM_OK)
            return status;
        char *text = lines->buffer + lines->begin;
        lines->line = lines->next_line;
        if (lines->line == 1 && *length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
            memcpy(text, "   ", 3);
        if (is_record(lines, text, *length))
            return DGM_OK;
        if (lines->begin + *length >= lines->end) {
            *length = -1;
            return DGM_OK;
        }
        lines->begin += *length + 1;
        lines->next_line++;
    }
}

/* Takes in further lines as long as a quote is open. */
static dgm_status find_record_end(dgmi_bytes_lines *lines, int64_t *length) {
    bool open = false;
    for (int64_t from = 0;;) {
        char *text = lines->buffer + lines->begin;
        open = leaves_open(lines->separator, text + from, text + *length, open);
        if (!open)
            return DGM_OK;
        if (lines->begin + *length >= lines->end)
            return fail_open_quote(lines);
        from = *length + 1;
        lines->next_line++;
        dgm_status status = find_line_end(lines, from, length);
        if (status != DGM_OK)
            return status;
    }
}

static dgm_status cut_record(dgmi_bytes_lines *lines, int64_t length) {
    char *text = lines->buffer + lines->begin;
    if (!lines->separator)
        lines->separator = find_separator(text, text + length);
    if (memchr(text, 0, (size_t)length))
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "a zero byte: this is no text");
    if (dgmi_utf8_check(text, (size_t)length) < (size_t)length)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "this is no UTF-8 text");
    return cut(lines, text, text + length);
}

dgm_status dgmi_bytes_lines_next(dgmi_bytes_lines *lines) {
    int64_t length;
    lines->count = 0;
    dgm_status status = lines->buffer ? DGM_OK : fill(lines);
    if (status == DGM_OK)
        status = find_record(lines, &length);
    if (status != DGM_OK || length < 0)
        return status;
    status = find_record_end(lines, &length);
    if (status == DGM_OK)
        status = cut_record(lines, length);
    if (status != DGM_OK)
        return status;
    close_fields(lines);
    lines->begin += length + (lines->begin + length < lines->end);
    lines->next_line++;
    if (lines->next_line % PROGRESS_LINES == 0)
        return dgmi_progress(lines->ctx, "reading", dgmi_bytes_stream_fraction(lines->stream));
    return DGM_OK;
}

int64_t dgmi_bytes_lines_find(const dgmi_bytes_lines *lines, const char *name) {
    for (int64_t k = 0; k < lines->count; k++)
        if (strcasecmp(lines->fields[k].text, name) == 0)
            return k;
    return -1;
}

dgm_status dgmi_bytes_lines_integer(const dgmi_bytes_lines *lines, int64_t field, int64_t least,
                                    int64_t most, const char *what, int64_t *value) {
    const dgmi_bytes_field *cell = &lines->fields[field];
    double real;
    bool whole = dgmi_parse_integer(cell->text, cell->length, value);
    if (!whole && dgmi_parse_real(cell->text, cell->length, &real) && fabs(real) < 0x1p53 &&
        real == floor(real)) {
        *value = (int64_t)real;
        whole = true;
    }
    if (whole && *value >= least && *value <= most)
        return DGM_OK;
    return dgmi_lines_fail(lines, DGM_ERROR_DATA, "\"%.40s\" is not %s", cell->text, what);
}

dgm_status dgmi_bytes_lines_read_column(dgm_context *ctx, const char *path, int64_t least,
                                        int64_t most, const char *what, int32_t **values,
                                        int64_t *count) {
    dgmi_bytes_lines lines;
    void *grown = NULL;
    int64_t capacity = 0;
    *values = NULL;
    *count = 0;
    dgm_status status = dgmi_bytes_lines_open(&lines, ctx, path);
    if (status != DGM_OK)
        return status;
    while ((status = dgmi_bytes_lines_next(&lines)) == DGM_OK && lines.count > 0) {
        int64_t value;
        status = lines.count == 1 ? dgmi_bytes_lines_integer(&lines, 0, least, most, what, &value)
                                  : dgmi_lines_fail(&lines, DGM_ERROR_DATA,
                                                    "%lld values on a line; one is needed, %s",
                                                    (long long)lines.count, what);
        if (status == DGM_OK)
            status = dgmi_reserve(ctx, &grown, &capacity, *count + 1, sizeof **values);
        if (status != DGM_OK)
            break;
        ((int32_t *)grown)[(*count)++] = (int32_t)value;
    }
    dgmi_bytes_lines_close(&lines);
    if (status != DGM_OK) {
        dgmi_free(ctx, grown);
        *count = 0;
        return status;
    }
    *values = grown;
    return DGM_OK;
}

static bool needs_quotes(const char *field, size_t length, char separator) {
    if (length == 0 || is_blank(field[0]) || is_blank(field[length - 1]) || field[0] == '#' ||
        field[0] == '%' || field[0] == '\xef') /* of a byte order mark */
        return true;
    /* Control characters too: a file that begins with PK\3\4 would be taken for a zip. */
    for (size_t i = 0; i < length; i++)
        if (field[i] == separator || (unsigned char)field[i] < ' ' || strchr("\",;", field[i]))
            return true;
    return false;
}

void dgmi_bytes_lines_write(dgmi_text *text, const char *field, size_t length, char separator) {
    if (!needs_quotes(field, length, separator)) {
        dgmi_text_append(text, field, length);
        return;
    }
    dgmi_text_append(text, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (field[i] == '"')
            dgmi_text_append(text, "\"", 1);
        dgmi_text_append(text, field + i, 1);
    }
    dgmi_text_append(text, "\"", 1);
}
