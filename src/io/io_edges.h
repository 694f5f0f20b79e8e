/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the edge list reader; io_edges.c says what an edge list is. */
#ifndef IO_EDGES_H
#define IO_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/graph.h"

/* ---- fields of a line (io_edges_fields.c) ---- */

enum { DGMI_IO_EDGE_FIELDS = 32 }; /* kept of a line; more are counted only */

typedef struct dgmi_io_edge_field {
    char *text; /* not terminated */
    int64_t length;
    bool quoted;
    bool doubled; /* "" still stand inside */
} dgmi_io_edge_field;

typedef struct dgmi_io_edge_line {
    dgmi_io_edge_field fields[DGMI_IO_EDGE_FIELDS];
    int64_t count;    /* of fields, those not kept too */
    int64_t newlines; /* that the record took: more than one if a quoted field holds some */
    char *next;       /* the byte behind the record */
} dgmi_io_edge_line;

typedef enum dgmi_io_edge_cut {
    DGMI_IO_CUT_GOOD,
    DGMI_IO_CUT_UNCLOSED,   /* the text ends inside a quoted field */
    DGMI_IO_CUT_QUOTE_TEXT, /* text behind a closing quote */
} dgmi_io_edge_cut;

/* Cuts the record at `begin` at `separator`: ',' ';' '\t', or ' ' for any run of blanks and tabs.
 * The text up to `end` ends in a newline. Nothing is written to the text. */
dgmi_io_edge_cut dgmi_io_edge_cut_line(char *begin, const char *end, char separator,
                                       dgmi_io_edge_line *line);
/* Takes the doubled quotes out, in place. Cut lines are not cut again after this. */
void dgmi_io_edge_unquote(dgmi_io_edge_field *field);
/* The separator that suits the record at `begin`. */
char dgmi_io_edge_separator(char *begin, const char *end);
/* Whether the line is blank or a comment (# % //); `begin` stands behind leading blanks. */
bool dgmi_io_edge_is_comment(const char *begin);
char *dgmi_io_edge_skip_blanks(char *begin);

/* What a column is called in a header. */
typedef enum dgmi_io_edge_role {
    DGMI_IO_ROLE_OTHER,
    DGMI_IO_ROLE_SOURCE,
    DGMI_IO_ROLE_TARGET,
    DGMI_IO_ROLE_WEIGHT
} dgmi_io_edge_role;
dgmi_io_edge_role dgmi_io_edge_role_of(const char *text, int64_t length);
/* Whether `first` is a header, `second` being the record behind it or NULL. */
bool dgmi_io_edge_is_header(const dgmi_io_edge_line *first, const dgmi_io_edge_line *second);

/* Whether the record looks like a point, not like an edge: two numbers with fractions first, or
 * many columns of numbers, under a header that does not name the ends of an edge or under none. */
bool dgmi_io_edge_is_point(const dgmi_io_edge_line *record, const dgmi_io_edge_line *header);

/* What a field {'weight': 2.0, ...} holds, as NetworkX writes them. */
typedef enum dgmi_io_edge_dict {
    DGMI_IO_DICT_NO_WEIGHT,
    DGMI_IO_DICT_WEIGHT,
    DGMI_IO_DICT_BAD_WEIGHT, /* that is no number */
} dgmi_io_edge_dict;
dgmi_io_edge_dict dgmi_io_edge_dict_weight(const dgmi_io_edge_field *field, double *weight);
/* Whether it holds anything else. */
bool dgmi_io_edge_dict_has_more(const dgmi_io_edge_field *field);
/* Optional sign and digits alone. */
bool dgmi_io_edge_is_whole(const char *text, int64_t length);
/* Valid UTF-8 without zero bytes. */
bool dgmi_io_edge_is_text(const char *text, int64_t length);

/* ---- numbers, many lines at a time (io_edges_numbers.c) ---- */

enum {
    DGMI_IO_EDGE_PIECE = 1 << 18, /* bytes that one thread takes at a time */
    DGMI_IO_EDGE_SLACK = 16,      /* readable bytes that a text needs behind its end */
    DGMI_IO_EDGE_RECORDS = DGMI_IO_EDGE_PIECE / 4 + 2, /* that a piece can hold: "1 2\n" */
};

/* What lines look like: two whole numbers, then nothing, a weight, or columns to pass over. */
typedef struct dgmi_io_edge_layout {
    char separator;
    bool weights;
    bool skip; /* pass over what stands behind the two numbers */
    int64_t base;
} dgmi_io_edge_layout;

typedef struct dgmi_io_edge_piece {
    uint32_t *ends; /* room for two a record; a piece has at most a record for every four bytes, and
                       one more */
    double *weights; /* room for one a record, or NULL */
    const char *begin, *end;
    const char
        *stop; /* lines before this were taken; stop < end: the next one needs the slow way */
    int64_t records, lines;
    uint32_t highest; /* node */
} dgmi_io_edge_piece;

/* Parses [begin, end), whole lines, in parallel; returns the number of pieces. */
int64_t dgmi_io_edge_parse_numbers(dgm_context *ctx, const dgmi_io_edge_layout *layout,
                                   const char *begin, const char *end, dgmi_io_edge_piece *pieces);
/* One piece: takes lines from piece->begin on as long as they are plain. */
void dgmi_io_edge_parse_piece(const dgmi_io_edge_layout *layout, dgmi_io_edge_piece *piece);

#endif
