/* SPDX-License-Identifier: Apache-2.0 */
/* Text by lines and fields, streamed: only one line is held at a time.
 *
 *   dgmi_bytes_lines lines;
 *   dgmi_bytes_lines_init(&lines, ctx, stream);
 *   while ((status = dgmi_bytes_lines_next(&lines)) == DGM_OK && lines.count > 0)
 *       ... lines.fields[0 .. lines.count), lines.line for messages ...
 *   dgmi_bytes_lines_free(&lines);
 *
 * Empty lines are passed over, and so are comments (# or % first) where `comments` is set. Fields
 * are cut at `separator`:
 * ',' '\t' ';', or ' ' for any run of blanks; 0 lets the first line decide. Blanks around a field
 * do not belong to it. A field in double quotes may hold separators, line ends and "" for a quote.
 * \r\n ends a line too, a byte order mark is passed over, and a zero byte or broken UTF-8 is an
 * error: the file is not text.
 */
#ifndef BYTES_LINES_H
#define BYTES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

#include "base_text.h"
#include "bytes_stream.h"

typedef struct dgmi_bytes_field {
    char *text; /* terminated; valid until the next call */
    size_t length;
    bool quoted;
} dgmi_bytes_field;

typedef struct dgmi_bytes_lines {
    bool comments;  /* pass over lines that begin with # or %; true after init */
    char separator; /* 0 after init */
    int64_t line;   /* where the record begins, counted from 1 */
    dgmi_bytes_field *fields;
    int64_t count; /* of fields; 0 at the end of the text */

    /* the rest is the reader's own */
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    char *buffer; /* buffer[begin .. end) was read and not handed on */
    int64_t capacity, begin, end;
    int64_t next_line, field_capacity;
    bool ended;
} dgmi_bytes_lines;

void dgmi_bytes_lines_init(dgmi_bytes_lines *lines, dgm_context *ctx, dgmi_bytes_stream *stream);
void dgmi_bytes_lines_free(dgmi_bytes_lines *lines);
dgm_status dgmi_bytes_lines_next(dgmi_bytes_lines *lines);

/* Records an error at the present line and returns `status`. */
#define dgmi_lines_fail(lines, status, ...)                                                        \
    dgmi_fail_at((lines)->ctx, status, dgmi_bytes_stream_name((lines)->stream), (lines)->line, -1, \
                 __VA_ARGS__)

/* The field as a whole number within bounds ("3", also "3.0" as numpy.savetxt writes it). `what` is
 * for messages: "a class (0, 1, ...)". */
dgm_status dgmi_bytes_lines_integer(const dgmi_bytes_lines *lines, int64_t field, int64_t least,
                                    int64_t most, const char *what, int64_t *value);
/* A whole file of those, one per line, owned by the caller. */
dgm_status dgmi_bytes_lines_read_column(dgm_context *ctx, const char *path, int64_t least,
                                        int64_t most, const char *what, int32_t **values,
                                        int64_t *count);

/* Appends a field for writing: in quotes where reading it back would otherwise give something else.
 * `separator` as above. */
void dgmi_bytes_lines_write(dgmi_text *text, const char *field, size_t length, char separator);

/* The column of that name in the present record (in either case), or -1. */
int64_t dgmi_bytes_lines_find(const dgmi_bytes_lines *lines, const char *name);

#endif
