/* SPDX-License-Identifier: Apache-2.0 */
/* Text by lines and fields, streamed: only one line is held at a time.
 *
 *   dgmi_bytes_lines lines;
 *   dgmi_bytes_lines_init(&lines, ctx, stream);
 *   while ((status = dgmi_bytes_lines_next(&lines)) == DGM_OK && lines.count > 0)
 *       ... lines.fields[0 .. lines.count), lines.line for messages ...
 *   dgmi_bytes_lines_free(&lines);
 *
 * Empty lines are passed over. So are comments, which are lines that begin with # or %, if
 * `comments` is set. The separator of fields is ',' '\t' ';', or ' ' for any run of blanks; if it
 * is 0, the first line decides. Blanks around a field do not belong to it. A field in double quotes
 * may hold separators, line ends, and "" for a quote. A line may also end in \r\n, and a byte order
 * mark is passed over. A zero byte or broken UTF-8 is an error, because the file is not text then.
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
    char *text;    /* the text with a zero byte behind it; valid until the next call */
    size_t length; /* its length in bytes */
    bool quoted;   /* it stood in double quotes, which are not part of the text */
} dgmi_bytes_field;

typedef struct dgmi_bytes_lines {
    bool comments;            /* pass over lines that begin with # or %; init sets it */
    char separator;           /* what stands between fields; init sets it to 0 */
    int64_t line;             /* the line where this record begins, counted from 1 */
    dgmi_bytes_field *fields; /* the fields of this record */
    int64_t count;            /* their number; 0 at the end of the text */

    /* What follows is the reader's own. */
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    char *buffer; /* its bytes from `begin` to `end` were read and not handed on yet */
    int64_t capacity, begin, end;
    int64_t next_line, field_capacity;
    bool ended;
} dgmi_bytes_lines;

void dgmi_bytes_lines_init(dgmi_bytes_lines *lines, dgm_context *ctx, dgmi_bytes_stream *stream);
void dgmi_bytes_lines_free(dgmi_bytes_lines *lines);
/* Opens a file and begins with its lines; the second ends both. After an error there is nothing to
 * close. */
dgm_status dgmi_bytes_lines_open(dgmi_bytes_lines *lines, dgm_context *ctx, const char *path);
void dgmi_bytes_lines_close(dgmi_bytes_lines *lines);
dgm_status dgmi_bytes_lines_next(dgmi_bytes_lines *lines);

/* Records an error at the line of this record and returns `status`. */
#define dgmi_lines_fail(lines, status, ...)                                                        \
    dgmi_fail_at((lines)->ctx, status, dgmi_bytes_stream_name((lines)->stream), (lines)->line, -1, \
                 __VA_ARGS__)

/* Reads a field as a whole number from `least` to `most`: "3", and also "3.0" as numpy.savetxt
 * writes it. `what` says in messages what was expected: "a class (0, 1, ...)". */
dgm_status dgmi_bytes_lines_integer(const dgmi_bytes_lines *lines, int64_t field, int64_t least,
                                    int64_t most, const char *what, int64_t *value);
/* Reads a whole file with one such number per line. The caller owns *values. */
dgm_status dgmi_bytes_lines_read_column(dgm_context *ctx, const char *path, int64_t least,
                                        int64_t most, const char *what, int32_t **values,
                                        int64_t *count);

/* Appends a field to a text that is written. It is put in quotes if reading it back would otherwise
 * give something else. `separator` is the one of the text. */
void dgmi_bytes_lines_write(dgmi_text *text, const char *field, size_t length, char separator);

/* Returns the number of the column that has this name in this record, in upper or lower case, or -1
 * if there is none. */
int64_t dgmi_bytes_lines_find(const dgmi_bytes_lines *lines, const char *name);

#endif
