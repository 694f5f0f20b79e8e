/* SPDX-License-Identifier: Apache-2.0 */
#include "io_npy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dgm/graph.h"

#include "base_context.h"
#include "base_memory.h"

enum { LARGEST_HEADER = 1 << 16, BLOCK_ELEMENTS = 1 << 13, LARGEST_ELEMENT = 8 };

dgm_status dgmi_npy_fail(const dgmi_npy *npy, dgm_status status, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return dgmi_fail_at(npy->ctx, status, npy->file, 0, -1, "%s%s%s", npy->what ? npy->what : "",
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
static bool take_shape(header_text *text, dgmi_npy *npy) {
    if (!take(text, '('))
        return false;
    while (!take(text, ')')) {
        skip_blanks(text);
        const char *start = text->next;
        while (text->next < text->end && *text->next >= '0' && *text->next <= '9')
            text->next++;
        if (npy->dimensions == DGMI_NPY_DIMENSIONS ||
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

static bool take_entry(header_text *text, dgmi_npy *npy) {
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

static bool parse_dictionary(header_text *text, dgmi_npy *npy) {
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

static dgm_status refuse_type(const dgmi_npy *npy, const char *descr) {
    const char *kind = descr[0] && strchr("<>|=", descr[0]) ? descr + 1 : descr;
    const char *what = *kind == 'O'                   ? "Python objects (a pickle)"
                       : *kind == 'U' || *kind == 'S' ? "strings"
                       : *kind == 'c'                 ? "complex numbers"
                       : *kind == 'M' || *kind == 'm' ? "dates"
                       : *kind == 'V' || !*kind       ? "records"
                                                      : "a type that is not known";
    return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                         "the array holds %s (%s); save booleans, integers or reals", what,
                         *descr ? descr : "a list of fields");
}

static dgm_status set_type(dgmi_npy *npy, const char *descr) {
    static const char *const known[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                        "u2", "u4", "u8", "f2", "f4", "f8"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (descr[0] && strchr("<>|=", descr[0]) && strcmp(descr + 1, known[i]) == 0) {
            npy->kind = known[i][0];
            npy->width = known[i][1] - '0';
            bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
            npy->swapped = npy->width > 1 && descr[0] == (big ? '<' : '>');
            return DGM_OK;
        }
    return refuse_type(npy, descr);
}

static dgm_status set_count(dgmi_npy *npy) {
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
            return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                                 "the header asks for more than any machine holds");
    return DGM_OK;
}

/* `size` bytes or an error. */
static dgm_status read_exactly(const dgmi_npy *npy, void *buffer, int64_t size) {
    int64_t got;
    dgm_status status = npy->read(npy->user, buffer, size, &got);
    if (status == DGM_OK && got < size)
        status = dgmi_npy_fail(npy, DGM_ERROR_FORMAT, "the header of the array is cut off");
    return status;
}

/* Checks magic and version, and finds the header's length. */
static dgm_status read_preamble(const dgmi_npy *npy, int64_t *length) {
    unsigned char head[12] = {0};
    int64_t got;
    dgm_status status = npy->read(npy->user, head, 8, &got);
    if (status != DGM_OK)
        return status;
    if (got < 8 || memcmp(head, "\x93NUMPY", 6) != 0)
        return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                             "not a NumPy array (.npy); save it with numpy.save");
    int major = head[6];
    if (major < 1 || major > 3)
        return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                             "version %d of the .npy format is not known (1, 2 and 3 are)", major);
    status = read_exactly(npy, head + 8, major == 1 ? 2 : 4);
    *length = (int64_t)head[8] | (int64_t)head[9] << 8 | (int64_t)head[10] << 16 |
              (int64_t)head[11] << 24;
    if (status == DGM_OK && *length > LARGEST_HEADER)
        status = dgmi_npy_fail(npy, DGM_ERROR_FORMAT, "a header of %lld bytes is too long",
                               (long long)*length);
    return status;
}

static dgm_status parse_header(dgmi_npy *npy, const char *data, int64_t length) {
    header_text text = {.next = data, .end = data + length};
    if (!parse_dictionary(&text, npy))
        return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                             "the header of the array cannot be read (at byte %lld of it)",
                             (long long)(text.next - data));
    if (text.structured)
        return refuse_type(npy, "");
    dgm_status status = set_type(npy, text.descr);
    return status == DGM_OK ? set_count(npy) : status;
}

dgm_status dgmi_npy_open(dgm_context *ctx, const char *file, const char *what,
                         dgmi_npy_read_fn read, void *user, dgmi_npy *out) {
    *out = (dgmi_npy){.ctx = ctx, .file = file, .what = what, .read = read, .user = user};
    int64_t length = 0;
    dgm_status status = read_preamble(out, &length);
    if (status != DGM_OK)
        return status;
    char *header = dgmi_alloc(ctx, length, 1);
    status = header ? read_exactly(out, header, length) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = parse_header(out, header, length);
    dgmi_free(ctx, header);
    return status;
}

static dgm_status read_stream(void *user, void *buffer, int64_t size, int64_t *got) {
    return dgmi_stream_read(user, buffer, size, got);
}

dgm_status dgmi_npy_open_stream(dgm_context *ctx, dgmi_stream *stream, dgmi_npy *out) {
    return dgmi_npy_open(ctx, dgmi_stream_name(stream), NULL, read_stream, stream, out);
}

/* ---- shapes ---- */

bool dgmi_npy_matrix(const dgmi_npy *npy, int64_t *rows, int64_t *columns) {
    *rows = npy->dimensions ? npy->shape[0] : 0;
    *columns = npy->dimensions == 2 ? npy->shape[1] : 1;
    return npy->dimensions == 1 || npy->dimensions == 2;
}

const char *dgmi_npy_shape_text(const dgmi_npy *npy, char buffer[128]) {
    int used = snprintf(buffer, 128, "(");
    for (int k = 0; k < npy->dimensions && used < 100; k++)
        used += snprintf(buffer + used, (size_t)(128 - used), "%s%lld", k ? ", " : "",
                         (long long)npy->shape[k]);
    snprintf(buffer + used, (size_t)(128 - used), npy->dimensions == 1 ? ",)" : ")");
    return buffer;
}

/* The element's place for messages: NumPy's indices. */
static const char *place_text(const dgmi_npy *npy, int64_t index, char buffer[128]) {
    int64_t rows, columns;
    if (!dgmi_npy_matrix(npy, &rows, &columns))
        snprintf(buffer, 128, "element %lld", (long long)index);
    else if (npy->dimensions == 1)
        snprintf(buffer, 128, "row %lld", (long long)index);
    else
        snprintf(buffer, 128, "row %lld, column %lld",
                 (long long)(npy->fortran ? index % rows : index / columns),
                 (long long)(npy->fortran ? index / rows : index % columns));
    return buffer;
}

/* ---- elements ---- */

/* IEEE half precision: sign, 5 bits of exponent, 10 of fraction. */
static double half_to_double(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

/* An element as an unsigned integer of its width. */
static uint64_t load_bits(const dgmi_npy *npy, const unsigned char *raw) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (npy->width) {
    case 1:
        return *raw;
    case 2:
        memcpy(&two, raw, sizeof two);
        return npy->swapped ? __builtin_bswap16(two) : two;
    case 4:
        memcpy(&four, raw, sizeof four);
        return npy->swapped ? __builtin_bswap32(four) : four;
    default:
        memcpy(&eight, raw, sizeof eight);
        return npy->swapped ? __builtin_bswap64(eight) : eight;
    }
}

static int64_t sign_extend(uint64_t bits, int width) {
    int shift = 64 - 8 * width;
    return (int64_t)(bits << shift) >> shift;
}

static double load_real(const dgmi_npy *npy, const unsigned char *raw) {
    uint64_t bits = load_bits(npy, raw);
    if (npy->kind == 'i')
        return (double)sign_extend(bits, npy->width);
    if (npy->kind != 'f')
        return (double)bits;
    if (npy->width == 2)
        return half_to_double((uint16_t)bits);
    double wide;
    float narrow;
    uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return npy->width == 8 ? wide : (double)narrow;
}

/* The element as a whole number; false where it is none or does not fit. */
static bool load_integer(const dgmi_npy *npy, const unsigned char *raw, int64_t *value) {
    if (npy->kind != 'f') {
        uint64_t bits = load_bits(npy, raw);
        *value = npy->kind == 'i' ? sign_extend(bits, npy->width) : (int64_t)bits;
        return npy->kind != 'u' || bits <= INT64_MAX;
    }
    double real = load_real(npy, raw);
    if (!(fabs(real) < 0x1p62) || real != floor(real))
        return false;
    *value = (int64_t)real;
    return true;
}

/* ---- from elements to what the caller wants ---- */

typedef struct {
    size_t size;          /* bytes of a value */
    int64_t least, most;  /* of whole numbers */
    const char *expected; /* for messages; NULL: reals */
} type_facts;

static const type_facts types[] = {
    [DGMI_NPY_REAL] = {sizeof(double), 0, 0, NULL},
    [DGMI_NPY_FLOAT] = {sizeof(float), 0, 0, NULL},
    [DGMI_NPY_NODE] = {sizeof(uint32_t), 0, DGM_MAX_NODES - 1, "a node (0 to 2147483646)"},
    [DGMI_NPY_LABEL] = {sizeof(int32_t), -1, DGMI_MAX_CLASSES - 1,
                        "a class (whole numbers from 0, -1 for none)"},
    [DGMI_NPY_FLAG] = {sizeof(uint8_t), 0, 1, "true or false"},
    [DGMI_NPY_COUNT] = {sizeof(int64_t), 0, DGM_MAX_NODES, "a count (0 to 2147483647)"},
};

static dgm_status refuse_element(const dgmi_npy *npy, dgmi_npy_type type, int64_t index,
                                 const unsigned char *raw) {
    char place[128], number[DGMI_NUMBER_SPACE];
    int64_t whole;
    if (npy->kind == 'f' || !load_integer(npy, raw, &whole))
        dgmi_format_real(load_real(npy, raw), number);
    else
        snprintf(number, sizeof number, "%lld", (long long)whole);
    return dgmi_npy_fail(npy, DGM_ERROR_DATA, "%s (counted from 0) is %s, not %s",
                         place_text(npy, index, place), number,
                         types[type].expected ? types[type].expected : "a finite number");
}

static bool store_real(const dgmi_npy *npy, dgmi_npy_type type, const unsigned char *raw,
                       void *place) {
    double value = load_real(npy, raw);
    if (type == DGMI_NPY_REAL)
        *(double *)place = value;
    else
        *(float *)place = (float)value;
    return isfinite(value) && (type == DGMI_NPY_REAL || isfinite(*(float *)place));
}

static bool store_integer(const dgmi_npy *npy, dgmi_npy_type type, const unsigned char *raw,
                          void *place) {
    int64_t value;
    if (!load_integer(npy, raw, &value) || value < types[type].least || value > types[type].most)
        return false;
    if (type == DGMI_NPY_NODE)
        *(uint32_t *)place = (uint32_t)value;
    else if (type == DGMI_NPY_LABEL)
        *(int32_t *)place = (int32_t)value;
    else if (type == DGMI_NPY_FLAG)
        *(uint8_t *)place = (uint8_t)value;
    else
        *(int64_t *)place = value;
    return true;
}

/* Elements first .. first + count of the array, from raw bytes to values. */
static dgm_status convert(const dgmi_npy *npy, dgmi_npy_type type, int64_t first, int64_t count,
                          const unsigned char *raw, char *values) {
    bool whole = types[type].expected != NULL;
    for (int64_t i = 0; i < count; i++, raw += npy->width, values += types[type].size)
        if (!(whole ? store_integer : store_real)(npy, type, raw, values))
            return refuse_element(npy, type, first + i, raw);
    return DGM_OK;
}

static dgm_status fail_short(const dgmi_npy *npy, int64_t bytes) {
    char shape[128];
    return dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                         "the header promises %s elements of %d bytes (%.3g MB), but only %lld "
                         "bytes of data are there",
                         dgmi_npy_shape_text(npy, shape), npy->width,
                         (double)npy->count * npy->width / 1e6, (long long)bytes);
}

static dgm_status check_end(const dgmi_npy *npy) {
    char shape[128], more;
    int64_t got;
    dgm_status status = npy->read(npy->user, &more, 1, &got);
    if (status == DGM_OK && got > 0)
        status = dgmi_npy_fail(npy, DGM_ERROR_FORMAT,
                               "data go on behind an array of shape %s: one array a file",
                               dgmi_npy_shape_text(npy, shape));
    return status;
}

/* Reads all blocks into *values, which grows with the data. */
static dgm_status read_blocks(dgmi_npy *npy, dgmi_npy_type type, unsigned char *block,
                              void **values) {
    size_t size = types[type].size;
    int64_t capacity = 0;
    dgm_status status = DGM_OK;
    for (int64_t done = 0; status == DGM_OK && done < npy->count;) {
        int64_t take = npy->count - done < BLOCK_ELEMENTS ? npy->count - done : BLOCK_ELEMENTS;
        int64_t got = 0;
        status = npy->read(npy->user, block, take * npy->width, &got);
        if (status == DGM_OK && got < take * npy->width)
            status = fail_short(npy, done * npy->width + got);
        if (status == DGM_OK)
            status = dgmi_reserve(npy->ctx, values, &capacity, done + take, size);
        if (status == DGM_OK)
            status = convert(npy, type, done, take, block, (char *)*values + (size_t)done * size);
        if (status == DGM_OK)
            status =
                dgmi_progress(npy->ctx, "reading", (double)(done += take) / (double)npy->count);
    }
    return status;
}

dgm_status dgmi_npy_read(dgmi_npy *npy, dgmi_npy_type type, void **values) {
    dgmi_mark mark = dgmi_arena_mark(npy->ctx);
    *values = NULL;
    unsigned char *block = dgmi_scratch(npy->ctx, BLOCK_ELEMENTS, LARGEST_ELEMENT);
    dgm_status status = block ? read_blocks(npy, type, block, values) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = check_end(npy);
    if (status == DGM_OK) { /* give back what growing took too much */
        void *fitted = dgmi_realloc(npy->ctx, *values, npy->count, types[type].size);
        status = fitted ? DGM_OK : DGM_ERROR_MEMORY;
        *values = fitted ? fitted : *values;
    }
    if (status != DGM_OK) {
        dgmi_free(npy->ctx, *values);
        *values = NULL;
    }
    dgmi_arena_release(npy->ctx, mark);
    return status;
}

/* columns x rows, one behind the other, into rows x columns. */
static void transpose(const char *from, char *to, int64_t rows, int64_t columns, size_t size) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++, to += size)
            memcpy(to, from + (size_t)(c * rows + r) * size, size);
}

dgm_status dgmi_npy_read_rows(dgmi_npy *npy, dgmi_npy_type type, void **values) {
    int64_t rows, columns;
    dgm_status status = dgmi_npy_read(npy, type, values);
    if (status != DGM_OK || !dgmi_npy_matrix(npy, &rows, &columns) || !npy->fortran || rows < 2 ||
        columns < 2)
        return status;
    void *turned = dgmi_alloc(npy->ctx, npy->count, types[type].size);
    if (turned)
        transpose(*values, turned, rows, columns, types[type].size);
    dgmi_free(npy->ctx, *values);
    *values = turned;
    return turned ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- writing ---- */

void dgmi_npy_header(dgmi_text *text, const char *descr, int64_t rows, int64_t columns) {
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
