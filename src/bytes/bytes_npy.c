/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

enum { LARGEST_HEADER = 1 << 16, LONGEST_WORD = 32 };

dgm_status dgmi_bytes_npy_fail(const dgmi_bytes_npy *npy, dgm_status status, const char *format,
                               ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return dgmi_fail_in(npy->ctx, status, npy->file, "%s%s%s", npy->what ? npy->what : "",
                        npy->what ? ": " : "", message);
}

/* ---- the header: a Python literal ---- */

typedef struct {
    const char *next, *end;
    char descr[32]; /* "" until met */
    bool structured;
    bool order_met, shape_met;
} header_text;

static void skip_blanks(header_text *text) {
    while (text->next < text->end && (*text->next == ' ' || *text->next == '\n'))
        text->next++;
}

/* Takes the character if it is next. */
static bool take(header_text *text, char c) {
    skip_blanks(text);
    bool there = text->next < text->end && *text->next == c;
    text->next += there;
    return there;
}

static bool take_word(header_text *text, const char *word) {
    size_t length = strlen(word);
    skip_blanks(text);
    bool there =
        (size_t)(text->end - text->next) >= length && memcmp(text->next, word, length) == 0;
    text->next += there ? length : 0;
    return there;
}

/* A quoted string without escapes, cut to what fits. */
static bool take_string(header_text *text, char *value, size_t size) {
    skip_blanks(text);
    if (text->next == text->end || (*text->next != '\'' && *text->next != '"'))
        return false;
    char quote = *text->next++;
    const char *stop = memchr(text->next, quote, (size_t)(text->end - text->next));
    if (!stop)
        return false;
    snprintf(value, size, "%.*s", (int)(stop - text->next), text->next);
    text->next = stop + 1;
    return true;
}

/* (), (3,), (3, 2); Python 2 wrote 3L. */
static bool take_shape(header_text *text, dgmi_bytes_npy *npy) {
    if (!take(text, '('))
        return false;
    while (!take(text, ')')) {
        skip_blanks(text);
        const char *start = text->next;
        while (text->next < text->end && *text->next >= '0' && *text->next <= '9')
            text->next++;
        if (npy->dimensions == DGMI_BYTES_NPY_DIMENSIONS ||
            !dgmi_parse_integer(start, (size_t)(text->next - start),
                                &npy->shape[npy->dimensions++]))
            return false;
        take(text, 'L');
        if (!take(text, ',') && !(text->next < text->end && *text->next == ')'))
            return false;
    }
    return true;
}

/* A list of fields stands for records: what is in it does not matter. */
static bool take_descr(header_text *text) {
    skip_blanks(text);
    text->structured = text->next < text->end && *text->next == '[';
    return text->structured || take_string(text, text->descr, sizeof text->descr);
}

static bool take_entry(header_text *text, dgmi_bytes_npy *npy) {
    char key[32];
    if (!take_string(text, key, sizeof key) || !take(text, ':'))
        return false;
    if (strcmp(key, "descr") == 0)
        return take_descr(text);
    if (strcmp(key, "fortran_order") == 0) {
        npy->fortran = take_word(text, "True");
        text->order_met = npy->fortran || take_word(text, "False");
        return text->order_met;
    }
    if (strcmp(key, "shape") == 0)
        return text->shape_met = take_shape(text, npy);
    return false;
}

static bool parse_dictionary(header_text *text, dgmi_bytes_npy *npy) {
    if (!take(text, '{'))
        return false;
    while (!take(text, '}')) {
        if (!take_entry(text, npy))
            return false;
        if (text->structured)
            return true;
        if (!take(text, ',') && !(text->next < text->end && *text->next == '}'))
            return false;
    }
    return text->descr[0] && text->order_met && text->shape_met;
}

/* ---- what the elements are ---- */

static dgm_status refuse_type(const dgmi_bytes_npy *npy, const char *descr) {
    const char *kind = descr[0] && strchr("<>|=", descr[0]) ? descr + 1 : descr;
    const char *what = *kind == 'O'                   ? "Python objects (a pickle)"
                       : *kind == 'U' || *kind == 'S' ? "strings"
                       : *kind == 'c'                 ? "complex numbers"
                       : *kind == 'M' || *kind == 'm' ? "dates"
                       : *kind == 'V' || !*kind       ? "records"
                                                      : "a type that is not known";
    return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                               "the array holds %s (%s); save booleans, integers or reals", what,
                               *descr ? descr : "a list of fields");
}

/* "|S3", "<U3": texts of three characters. */
static bool set_text_type(dgmi_bytes_npy *npy, const char *descr) {
    int64_t length;
    if (!strchr("<>|=", descr[0]) || (descr[1] != 'S' && descr[1] != 'U') ||
        !dgmi_parse_integer(descr + 2, strlen(descr + 2), &length) || length < 0 ||
        length > LONGEST_WORD)
        return false;
    npy->kind = descr[1];
    npy->width = (int)length * (descr[1] == 'U' ? 4 : 1);
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    npy->swapped = descr[1] == 'U' && descr[0] == (big ? '<' : '>');
    return true;
}

static dgm_status set_type(dgmi_bytes_npy *npy, const char *descr) {
    static const char *const known[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                        "u2", "u4", "u8", "f2", "f4", "f8"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strchr("<>|=", descr[0]) && strcmp(descr + 1, known[i]) == 0) {
            npy->kind = known[i][0];
            npy->width = known[i][1] - '0';
            bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
            npy->swapped = npy->width > 1 && descr[0] == (big ? '<' : '>');
            return DGM_OK;
        }
    return refuse_type(npy, descr);
}

static dgm_status set_count(dgmi_bytes_npy *npy) {
    int64_t bytes;
    npy->count = 1;
    for (int k = 0; k < npy->dimensions; k++)
        if (npy->shape[k] == 0) {
            npy->count = 0;
            return DGM_OK;
        }
    for (int k = 0; k < npy->dimensions; k++)
        if (__builtin_mul_overflow(npy->count, npy->shape[k], &npy->count) ||
            __builtin_mul_overflow(npy->count, npy->width, &bytes))
            return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                                       "the header asks for more than any machine holds");
    return DGM_OK;
}

/* `size` bytes or an error. */
static dgm_status read_exactly(const dgmi_bytes_npy *npy, void *buffer, int64_t size) {
    int64_t got;
    dgm_status status = npy->read(npy->user, buffer, size, &got);
    if (status == DGM_OK && got < size)
        status = dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT, "the header of the array is cut off");
    return status;
}

/* Checks magic and version, and finds the header's length. */
static dgm_status read_preamble(const dgmi_bytes_npy *npy, int64_t *length) {
    unsigned char head[12] = {0};
    int64_t got;
    dgm_status status = npy->read(npy->user, head, 8, &got);
    if (status != DGM_OK)
        return status;
    if (got < 8 || memcmp(head, "\x93NUMPY", 6) != 0)
        return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                                   "not a NumPy array (.npy); save it with numpy.save");
    int major = head[6];
    if (major < 1 || major > 3)
        return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                                   "version %d of the .npy format is not known (1, 2 and 3 are)",
                                   major);
    status = read_exactly(npy, head + 8, major == 1 ? 2 : 4);
    *length = (int64_t)head[8] | (int64_t)head[9] << 8 | (int64_t)head[10] << 16 |
              (int64_t)head[11] << 24;
    if (status == DGM_OK && *length > LARGEST_HEADER)
        status = dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT, "a header of %lld bytes is too long",
                                     (long long)*length);
    return status;
}

static dgm_status parse_header(dgmi_bytes_npy *npy, const char *data, int64_t length,
                               bool text_wanted) {
    header_text text = {.next = data, .end = data + length};
    if (!parse_dictionary(&text, npy))
        return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT,
                                   "the header of the array cannot be read (at byte %lld of it)",
                                   (long long)(text.next - data));
    if (text.structured)
        return refuse_type(npy, "");
    if (text_wanted && set_text_type(npy, text.descr))
        return set_count(npy);
    dgm_status status = set_type(npy, text.descr);
    return status == DGM_OK ? set_count(npy) : status;
}

static dgm_status open_array(dgm_context *ctx, const char *file, const char *what,
                             dgmi_bytes_npy_read_fn read, void *user, bool text_wanted,
                             dgmi_bytes_npy *out) {
    *out = (dgmi_bytes_npy){.ctx = ctx, .file = file, .what = what, .read = read, .user = user};
    int64_t length = 0;
    dgm_status status = read_preamble(out, &length);
    if (status != DGM_OK)
        return status;
    char *header = dgmi_alloc(ctx, length, 1);
    status = header ? read_exactly(out, header, length) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = parse_header(out, header, length, text_wanted);
    dgmi_free(ctx, header);
    return status;
}

dgm_status dgmi_bytes_npy_open(dgm_context *ctx, const char *file, const char *what,
                               dgmi_bytes_npy_read_fn read, void *user, dgmi_bytes_npy *out) {
    return open_array(ctx, file, what, read, user, false, out);
}

dgm_status dgmi_bytes_npy_read_word(dgm_context *ctx, const char *file, const char *what,
                                    dgmi_bytes_npy_read_fn read, void *user, char *word,
                                    size_t size) {
    dgmi_bytes_npy npy;
    unsigned char raw[4 * LONGEST_WORD];
    size_t length = 0;
    dgm_status status = open_array(ctx, file, what, read, user, true, &npy);
    if (status != DGM_OK)
        return status;
    if ((npy.kind != 'S' && npy.kind != 'U') || npy.count != 1)
        return dgmi_bytes_npy_fail(&npy, DGM_ERROR_FORMAT, "one short text is needed");
    status = read_exactly(&npy, raw, npy.width);
    int step = npy.kind == 'U' ? 4 : 1, lowest = npy.swapped ? step - 1 : 0;
    for (int i = 0; status == DGM_OK && i < npy.width && length + 1 < size; i += step)
        word[length++] = (char)raw[i + lowest];
    word[length] = '\0';
    return status;
}

static dgm_status read_stream(void *user, void *buffer, int64_t size, int64_t *got) {
    return dgmi_bytes_stream_read(user, buffer, size, got);
}

dgm_status dgmi_bytes_npy_open_stream(dgm_context *ctx, dgmi_bytes_stream *stream,
                                      dgmi_bytes_npy *out) {
    return dgmi_bytes_npy_open(ctx, dgmi_bytes_stream_name(stream), NULL, read_stream, stream, out);
}

/* ---- shapes ---- */

bool dgmi_bytes_npy_matrix(const dgmi_bytes_npy *npy, int64_t *rows, int64_t *columns) {
    *rows = npy->dimensions ? npy->shape[0] : 0;
    *columns = npy->dimensions == 2 ? npy->shape[1] : 1;
    return npy->dimensions == 1 || npy->dimensions == 2;
}

const char *dgmi_bytes_npy_shape_text(const dgmi_bytes_npy *npy, char buffer[128]) {
    int used = snprintf(buffer, 128, "(");
    for (int k = 0; k < npy->dimensions && used < 100; k++)
        used += snprintf(buffer + used, (size_t)(128 - used), "%s%lld", k ? ", " : "",
                         (long long)npy->shape[k]);
    snprintf(buffer + used, (size_t)(128 - used), npy->dimensions == 1 ? ",)" : ")");
    return buffer;
}

/* ---- writing ---- */

void dgmi_bytes_npy_header(dgmi_text *text, const char *descr, int64_t rows, int64_t columns) {
    char shape[64] = "()", header[192];
    if (rows >= 0 && columns >= 0)
        snprintf(shape, sizeof shape, "(%lld, %lld)", (long long)rows, (long long)columns);
    else if (rows >= 0)
        snprintf(shape, sizeof shape, "(%lld,)", (long long)rows);
    int length = snprintf(header, sizeof header,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    int padded = (10 + length + 1 + 63) / 64 * 64 - 10;
    const char preamble[] = {'\x93', 'N', 'U', 'M',          'P',
                             'Y',    1,   0,   (char)padded, (char)(padded >> 8)};
    dgmi_text_append(text, preamble, sizeof preamble);
    dgmi_text_format(text, "%s%*s", header, padded - length, "\n");
}
