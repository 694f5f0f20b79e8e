/* SPDX-License-Identifier: Apache-2.0 */
/* Reads words and lines of a text that streams by. Lines may have any length, and words are short.
 * It serves formats of numbers in which the ends of lines mean something: Matrix Market, METIS.
 */
#ifndef BYTES_SCAN_H
#define BYTES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/graph.h"

#include "bytes_stream.h"

enum { DGMI_BYTES_LONGEST_WORD = 512 }; /* in bytes; a longer word is an error */

typedef struct dgmi_bytes_scan {
    int64_t line; /* the number of this line, counted from 1 */

    /* What follows is the scanner's own. */
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    char *buffer;
    char *at, *end;    /* what is in the buffer and was not read yet */
    bool ended;        /* nothing is left to be read into the buffer */
    dgm_status status; /* the first failure of the stream, which every call returns from then on */
} dgmi_bytes_scan;

typedef struct dgmi_bytes_word {
    const char *text; /* no zero byte stands behind it; valid until the next call */
    size_t length;    /* its length in bytes; 0: the line has no more words */
} dgmi_bytes_word;

/* The buffer is scratch memory, which the caller's hold of the arena releases. */
dgm_status dgmi_bytes_scan_init(dgmi_bytes_scan *scan, dgm_context *ctx, dgmi_bytes_stream *stream);
/* Reads the next word of this line. */
dgm_status dgmi_bytes_scan_word(dgmi_bytes_scan *scan, dgmi_bytes_word *word);
/* Goes to the beginning of the next line. *found is false at the end of the text. */
dgm_status dgmi_bytes_scan_next_line(dgmi_bytes_scan *scan, bool *found);
/* Tells whether the first byte of this line that is not blank is `first`; '\n' asks whether the
 * line is empty. It only looks ahead. */
dgm_status dgmi_bytes_scan_starts_with(dgmi_bytes_scan *scan, char first, bool *yes);
/* Tells whether the text ends here. */
dgm_status dgmi_bytes_scan_at_end(dgmi_bytes_scan *scan, bool *yes);

/* Records an error at this line and returns DGM_ERROR_FORMAT. */
#define dgmi_scan_fail(scan, ...)                                                                  \
    dgmi_fail_at((scan)->ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name((scan)->stream),            \
                 (scan)->line, -1, __VA_ARGS__)
/* The arguments of "%.*s%s" that print a word, shortened if it is long. */
#define DGMI_BYTES_SHOW_WORD(word)                                                                 \
    (int)((word)->length < 40 ? (word)->length : 40), (word)->text, (word)->length > 40 ? "..." : ""

/* Reads the next word as a whole number from `low` to `high`. `what` says in messages what it is.
 */
dgm_status dgmi_bytes_scan_integer(dgmi_bytes_scan *scan, const char *what, int64_t low,
                                   int64_t high, int64_t *value);
/* Reads the next word as a finite number. */
dgm_status dgmi_bytes_scan_real(dgmi_bytes_scan *scan, const char *what, double *value);
/* Fails if anything more stands on this line. */
dgm_status dgmi_bytes_scan_line_end(dgmi_bytes_scan *scan);

/* Fails if a file promises `count` things of at least `bytes` bytes each and is known to be shorter
 * than that. */
dgm_status dgmi_bytes_scan_check_promise(dgmi_bytes_scan *scan, const char *what, int64_t count,
                                         int64_t bytes);
/* Fails if a file claims far more nodes than it has data for, since each takes memory: more than a
 * million plus 64 for each of its `records`, unless the options ask for as many. */
dgm_status dgmi_bytes_check_sparse_nodes(dgm_context *ctx, const char *name, int64_t nodes,
                                         int64_t records, const dgm_graph_options *options);

#endif
