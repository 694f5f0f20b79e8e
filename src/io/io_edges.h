/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the edge list reader; io_edges.c says what an edge list is. */
#ifndef IO_EDGES_H
#define IO_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/graph.h"

/* ---- fields of a line (io_edges_fields.c) ---- */

enum { DGMI_IO_EDGE_FIELDS = 32 }; /* how many fields of a line are kept; more are only counted */

typedef struct dgmi_io_edge_field {
    char *text;     /* the text, without a zero byte behind it */
    int64_t length; /* its length in bytes */
    bool quoted;    /* it stood in double quotes, which are not part of the text */
    bool doubled;   /* the text still has "" for a quote */
} dgmi_io_edge_field;

typedef struct dgmi_io_edge_line {
    dgmi_io_edge_field fields[DGMI_IO_EDGE_FIELDS];
    int64_t count;    /* the number of fields, including those that are not kept */
    int64_t newlines; /* the number of lines that the record takes: several, if a quoted field has
                         line ends */
    char *next;       /* the byte behind the record */
} dgmi_io_edge_line;

typedef enum dgmi_io_edge_cut {
    DGMI_IO_CUT_GOOD,
    DGMI_IO_CUT_UNCLOSED,   /* the text ends inside a quoted field */
    DGMI_IO_CUT_QUOTE_TEXT, /* text stands behind a closing quote */
} dgmi_io_edge_cut;

/* Cuts the record at `begin` at `separator`: ',' ';' '\t', or ' ' for any run of blanks and tabs.
 * The text up to `end` ends in a newline. Nothing is written to the text. */
dgmi_io_edge_cut dgmi_io_edge_cut_line(char *begin, const char *end, char separator,
                                       dgmi_io_edge_line *line);
/* Turns doubled quotes into single ones, in place. A line must not be cut again after this. */
void dgmi_io_edge_unquote(dgmi_io_edge_field *field);
/* Returns the separator that suits the record at `begin`. */
char dgmi_io_edge_separator(char *begin, const char *end);
/* Tells whether the line is blank or a comment, which begins with #, % or //. `begin` is its first
 * byte that is not blank. */
bool dgmi_io_edge_is_comment(const char *begin);
/* Returns the first byte from `begin` on that is not blank. */
char *dgmi_io_edge_skip_blanks(char *begin);

/* What the name of a column in a header says of it. */
typedef enum dgmi_io_edge_role {
    DGMI_IO_ROLE_OTHER,
    DGMI_IO_ROLE_SOURCE,
    DGMI_IO_ROLE_TARGET,
    DGMI_IO_ROLE_WEIGHT
} dgmi_io_edge_role;
dgmi_io_edge_role dgmi_io_edge_role_of(const char *text, int64_t length);
/* Tells whether `first` is a header. `second` is the record behind it, or NULL. */
bool dgmi_io_edge_is_header(const dgmi_io_edge_line *first, const dgmi_io_edge_line *second);

/* Tells whether the record looks like a point and not like an edge: it begins with two numbers with
 * fractions, or it has many columns of numbers, and there is no header that names the ends of an
 * edge. */
bool dgmi_io_edge_is_point(const dgmi_io_edge_line *record, const dgmi_io_edge_line *header);

/* What a field {'weight': 2.0, ...} holds, as NetworkX writes them. */
typedef enum dgmi_io_edge_dict {
    DGMI_IO_DICT_NO_WEIGHT,
    DGMI_IO_DICT_WEIGHT,
    DGMI_IO_DICT_BAD_WEIGHT, /* a weight that is no number */
} dgmi_io_edge_dict;
dgmi_io_edge_dict dgmi_io_edge_dict_weight(const dgmi_io_edge_field *field, double *weight);
/* Tells whether the field holds anything besides a weight. */
bool dgmi_io_edge_dict_has_more(const dgmi_io_edge_field *field);
/* Tells whether the text has digits alone, perhaps with a sign in front. */
bool dgmi_io_edge_is_whole(const char *text, int64_t length);
/* Tells whether the text is UTF-8 without zero bytes. */
bool dgmi_io_edge_is_text(const char *text, int64_t length);

/* ---- numbers, many lines at a time (io_edges_numbers.c) ---- */

enum {
    DGMI_IO_EDGE_PIECE = 1 << 18, /* how many bytes one thread takes at a time */
    DGMI_IO_EDGE_SLACK = 16,      /* how many bytes behind the end of a text must be readable */
    /* The most records that a piece can hold: the shortest is "1 2\n". */
    DGMI_IO_EDGE_RECORDS = DGMI_IO_EDGE_PIECE / 4 + 2,
};

/* What lines look like: two whole numbers, then nothing, a weight, or columns to pass over. */
typedef struct dgmi_io_edge_layout {
    char separator; /* what stands between fields */
    bool weights;   /* a weight stands behind the two numbers */
    bool skip;      /* what stands behind the two numbers is passed over */
    int64_t base;   /* what is subtracted from ids */
} dgmi_io_edge_layout;

typedef struct dgmi_io_edge_piece {
    uint32_t *ends;          /* has room for two nodes of DGMI_IO_EDGE_RECORDS records */
    double *weights;         /* has room for one weight per record, or NULL */
    const char *begin, *end; /* the text of the piece */
    const char *stop;        /* lines before this were taken; if it is not the end, the next line
                                needs the slow way */
    int64_t records, lines;  /* how many were taken */
    uint32_t highest;        /* the largest node number among them */
} dgmi_io_edge_piece;

/* Parses the whole lines from `begin` to `end` in parallel, and returns the number of pieces. */
int64_t dgmi_io_edge_parse_numbers(dgm_context *ctx, const dgmi_io_edge_layout *layout,
                                   const char *begin, const char *end, dgmi_io_edge_piece *pieces);
/* Parses one piece: it takes lines from piece->begin on, as long as they are plain. */
void dgmi_io_edge_parse_piece(const dgmi_io_edge_layout *layout, dgmi_io_edge_piece *piece);

#endif
