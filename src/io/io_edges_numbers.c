/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of numbers, in parallel.
 *
 * A text is cut into pieces of fixed size, moved to the next beginning of a line, so that neither
 * the pieces nor the result depend on the number of threads. A piece stops at the first line that
 * is not plain (a name, a quote, a directive, anything wrong); io_edges.c takes that line the slow
 * way and comes back.
 */
#include <math.h>
#include <string.h>

#include "base_parallel.h"
#include "base_text.h"
#include "io_edges.h"

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* The whole number at *at, moved behind it; false if there is none or it has more than 18 digits.
 * Eight bytes are looked at together: digits xor '0' are 0 to 9, the first other byte ends the
 * number, and three multiplications join neighbours to numbers of two, four and eight digits. Reads
 * up to eight bytes behind the number. */
static inline bool take_number(const char **at, uint64_t *number) {
    const char *text = *at;
    uint64_t value = 0;
    int digits = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    bytes ^= '0' * EACH_BYTE;
    uint64_t others = ((bytes + (0x80 - 10) * EACH_BYTE) | bytes) & 0x80 * EACH_BYTE;
    digits = others ? __builtin_ctzll(others) / 8 : 8;
    if (digits == 0)
        return false;
    bytes <<= 8 * (8 - digits);
    bytes = (bytes * 10 + (bytes >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes * 100 + (bytes >> 16)) & UINT64_C(0x0000ffff0000ffff);
    value = (bytes * 10000 + (bytes >> 32)) & UINT64_C(0xffffffff);
    text += digits;
    if (digits < 8) {
        *at = text;
        *number = value;
        return true;
    }
#endif
    for (; *text >= '0' && *text <= '9' && digits <= 18; text++, digits++)
        value = value * 10 + (uint64_t)(*text - '0');
    *at = text;
    *number = value;
    return digits > 0 && digits <= 18;
}

static inline const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* Blanks that may stand around a field: tabs do not where they separate. */
static inline const char *skip_padding(const char *at, char separator) {
    while (*at == ' ' || (*at == '\t' && separator != '\t'))
        at++;
    return at;
}

/* Behind the separator and the blanks around it; NULL if there is none. */
static inline const char *skip_separator(const char *at, char separator) {
    const char *behind = skip_padding(at, separator);
    if (separator == ' ')
        return behind > at ? behind : NULL;
    return *behind == separator ? skip_padding(behind + 1, separator) : NULL;
}

/* The weight at `at`; NULL if it is no finite number, or quoted. */
static const char *take_weight(const char *at, char separator, double *weight) {
    const char *end = at;
    while (*end != separator && *end != ' ' && *end != '\t' && *end != '\r' && *end != '\n')
        end++;
    return dgmi_parse_real(at, (size_t)(end - at), weight) && isfinite(*weight) ? end : NULL;
}

/* The beginning of the next line; NULL where a quote may hide a newline. */
static const char *skip_line(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return memchr(at, '"', (size_t)(newline - at)) ? NULL : newline + 1;
}

/* Behind the line's end, if nothing else stands at `at`; NULL otherwise. */
static inline const char *take_end(const char *at) {
    at = skip_blanks(at);
    at += *at == '\r';
    return *at == '\n' ? at + 1 : NULL;
}

/* The line at `at` as record number piece->records; NULL if it is not plain. */
static inline const char *take_record(const dgmi_io_edge_layout *layout, dgmi_io_edge_piece *piece,
                                      const char *at) {
    uint64_t source, target;
    if (!take_number(&at, &source) || !(at = skip_separator(at, layout->separator)) ||
        !take_number(&at, &target))
        return NULL;
    source -= (uint64_t)layout->base;
    target -= (uint64_t)layout->base;
    if (source >= DGM_MAX_NODES || target >= DGM_MAX_NODES)
        return NULL;
    if (layout->weights || layout->skip) {
        at = skip_separator(at, layout->separator);
        if (!at || *at == '\n' || *at == '\r')
            return NULL;
    }
    if (layout->weights &&
        !(at = take_weight(at, layout->separator, &piece->weights[piece->records])))
        return NULL;
    at = layout->skip ? skip_line(at, piece->end) : take_end(at);
    if (!at)
        return NULL;
    uint32_t u = (uint32_t)source, v = (uint32_t)target, larger = u > v ? u : v;
    piece->ends[2 * piece->records] = u;
    piece->ends[2 * piece->records + 1] = v;
    piece->records++;
    piece->highest = larger > piece->highest ? larger : piece->highest;
    return at;
}

/* Behind a comment or an empty line; NULL if the line is neither, or may be a directive. */
static const char *take_comment(const char *at, const char *end) {
    at = skip_blanks(at);
    if ((*at == '#' && strncmp(at, "# dgm ", 6) != 0) || *at == '%' || (*at == '/' && at[1] == '/'))
        return (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    return take_end(at);
}

void dgmi_io_edge_parse_piece(const dgmi_io_edge_layout *layout, dgmi_io_edge_piece *piece) {
    const char *at = piece->begin;
    piece->records = piece->lines = 0;
    piece->highest = 0;
    while (at < piece->end) {
        const char *next = take_record(layout, piece, skip_padding(at, layout->separator));
        if (!next)
            next = take_comment(at, piece->end);
        if (!next)
            break;
        at = next;
        piece->lines++;
    }
    piece->stop = at;
}

typedef struct parse_job {
    const dgmi_io_edge_layout *layout;
    const char *begin, *end;
    dgmi_io_edge_piece *pieces;
} parse_job;

/* The first beginning of a line at or after `at`. */
static const char *line_start(const parse_job *job, const char *at) {
    if (at <= job->begin)
        return job->begin;
    if (at >= job->end)
        return job->end;
    return (const char *)memchr(at - 1, '\n', (size_t)(job->end - at + 1)) + 1;
}

static void parse_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    parse_job *job = argument;
    dgmi_io_edge_piece *piece = &job->pieces[chunk];
    int64_t begin, end;
    dgmi_chunk(job->end - job->begin, DGMI_IO_EDGE_PIECE, chunk, &begin, &end);
    piece->begin = line_start(job, job->begin + begin);
    piece->end = line_start(job, job->begin + end);
    dgmi_io_edge_parse_piece(job->layout, piece);
}

int64_t dgmi_io_edge_parse_numbers(dgm_context *ctx, const dgmi_io_edge_layout *layout,
                                   const char *begin, const char *end, dgmi_io_edge_piece *pieces) {
    parse_job job = {layout, begin, end, pieces};
    int64_t chunks = dgmi_chunks(end - begin, DGMI_IO_EDGE_PIECE);
    dgmi_parallel(ctx, chunks, parse_chunk, &job);
    return chunks;
}
