/* SPDX-License-Identifier: Apache-2.0 */
/* Words and lines of a text that streams by: lines may be of any length, words are short. For
 * formats of numbers whose lines mean something (Matrix Market, METIS).
 */
#ifndef BYTES_SCAN_H
#define BYTES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dgm/graph.h"

#include "bytes_stream.h"

enum { DGMI_BYTES_LONGEST_WORD = 512 };

typedef struct dgmi_bytes_scan {
    int64_t line; /* at hand, from 1 */

    /* the rest is the scanner's own */
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    char *buffer;
    char *at, *end;
    bool ended; /* nothing is left to be read into the buffer */
    dgm_status status;
} dgmi_bytes_scan;

typedef struct dgmi_bytes_word {
    const char *text; /* not terminated; valid until the next call */
    size_t length;    /* 0: the line has no more words */
} dgmi_bytes_word;

/* The buffer is scratch memory: release the arena's hold to free it. */
dgm_status dgmi_bytes_scan_init(dgmi_bytes_scan *scan, dgm_context *ctx, dgmi_bytes_stream *stream);
/* The next word of this line. */
dgm_status dgmi_bytes_scan_word(dgmi_bytes_scan *scan, dgmi_bytes_word *word);
/* Goes to the beginning of the next line; *found is false at the end of the text. */
dgm_status dgmi_bytes_scan_next_line(dgmi_bytes_scan *scan, bool *found);
/* Whether this line's first byte that is not blank is `first`; '\n' asks for an empty line. Looks
 * ahead only. */
dgm_status dgmi_bytes_scan_starts_with(dgmi_bytes_scan *scan, char first, bool *yes);
/* Whether nothing stands at or behind this place. */
dgm_status dgmi_bytes_scan_at_end(dgmi_bytes_scan *scan, bool *yes);

/* Records an error at the line at hand and returns DGM_ERROR_FORMAT. */
#define dgmi_scan_fail(scan, ...)                                                                  \
    dgmi_fail_at((scan)->ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name((scan)->stream),            \
                 (scan)->line, -1, __VA_ARGS__)
/* Arguments for %.*s%s: a word, cut short. */
#define DGMI_BYTES_SHOW_WORD(word)                                                                 \
    (int)((word)->length < 40 ? (word)->length : 40), (word)->text, (word)->length > 40 ? "..." : ""

/* The next word as a whole number from `low` to `high`; `what` says what it is. */
dgm_status dgmi_bytes_scan_integer(dgmi_bytes_scan *scan, const char *what, int64_t low,
                                   int64_t high, int64_t *value);
/* The next word as a finite number. */
dgm_status dgmi_bytes_scan_real(dgmi_bytes_scan *scan, const char *what, double *value);
/* Nothing more may stand on this line. */
dgm_status dgmi_bytes_scan_line_end(dgmi_bytes_scan *scan);

/* Refuses a promise of `count` things of at least `bytes` bytes each where the file is known to be
 * shorter. */
dgm_status dgmi_bytes_scan_check_promise(dgmi_bytes_scan *scan, const char *what, int64_t count,
                                         int64_t bytes);
/* Refuses nodes by the gigabyte that no data stands behind: more than a million and 64 for each of
 * `records`, unless options ask for as many. */
dgm_status dgmi_bytes_check_sparse_nodes(dgm_context *ctx, const char *name, int64_t nodes,
                                         int64_t records, const dgm_graph_options *options);

#endif
