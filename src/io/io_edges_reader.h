/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of an edge list, as the files that read one share it. io_edges.c has the text and what
 * is read in parallel, io_edges_record.c one record at a time, io_edges_settle.c what the first line
 * and comments say of all others. */
#ifndef IO_EDGES_READER_H
#define IO_EDGES_READER_H

#include "base_context.h"
#include "bytes_scan.h"
#include "io_edges.h"
#include "io_formats.h"

enum {
    DGMI_IO_EDGE_BLOCK = 1 << 22,   /* bytes read at a time */
    DGMI_IO_EDGE_LONGEST = 1 << 20, /* bytes of one record */
    DGMI_IO_EDGE_BATCH = 1 << 12,   /* records handed to the builder at a time, on the slow way */
    DGMI_IO_EDGE_SHOWN = 40,        /* bytes of the text in a message */
    DGMI_IO_EDGE_PIECES = (DGMI_IO_EDGE_BLOCK + DGMI_IO_EDGE_LONGEST) / DGMI_IO_EDGE_PIECE + 1,
};

typedef struct dgmi_io_edge_reader {
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    const dgm_graph_options *options;
    dgmi_io_edge_hints hints;
    dgm_graph_builder *builder;

    int64_t block; /* bytes read at a time */
    int64_t carry; /* that a record may have left of the block before */
    char *buffer;  /* carry + block and slack */
    char *at;      /* the next record */
    char *limit;   /* the end of the last whole line read */
    char *end;     /* of the bytes read */
    bool ended;    /* nothing follows */
    int64_t line;  /* number of the line at `at` */

    bool settled;                   /* the first line was seen: */
    char separator;                 /* as dgmi_io_edge_cut_line takes it */
    int64_t columns;                /* of every line; 0 until an edge was met */
    int64_t source, target, weight; /* their columns; weight -1: none */
    bool dicts;                     /* the third column holds {'weight': 2}, or {} */
    bool dicts_cut;                 /* and in some lines other things too */
    int64_t unweighted;             /* dictionaries without a weight */

    bool names;      /* ids are names, */
    bool verbatim;   /* as they stand, */
    bool ordered;    /* and stay in the order of appearance */
    int64_t base;    /* of node numbers */
    int64_t nodes;   /* that a directive promised */
    int64_t highest; /* node number met; -1: none */
    int64_t records;
    int64_t first_line; /* of the first edge */

    uint32_t *ends; /* records on their way to the builder */
    double *weights;
    int64_t waiting;
    dgmi_io_edge_piece pieces[DGMI_IO_EDGE_PIECES];
    int64_t window;        /* bytes to try the fast way next time */
    dgmi_io_edge_line cut; /* the record at hand */
} dgmi_io_edge_reader;

#define dgmi_io_edge_fail(reader, ...)                                                             \
    dgmi_fail_at((reader)->ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name((reader)->stream),        \
                 (reader)->line, -1, __VA_ARGS__)
/* Arguments for %.*s%s: a field, cut short. */
#define DGMI_IO_EDGE_SHOW(field)                                                                   \
    (int)((field)->length < DGMI_IO_EDGE_SHOWN ? (field)->length : DGMI_IO_EDGE_SHOWN),            \
        (field)->text, (field)->length > DGMI_IO_EDGE_SHOWN ? "..." : ""

/* ---- io_edges_record.c ---- */

/* Hands the edges that wait to the builder. */
dgm_status dgmi_io_edge_flush(dgmi_io_edge_reader *reader);
/* From here on ids are names; those so far become names too. `field` is the first that is one. */
dgm_status dgmi_io_edge_turn_to_names(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field);
/* Finds or makes the node of that name. */
dgm_status dgmi_io_edge_take_name(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
                                  uint32_t *node);
/* Tells whether there are columns behind those that are read. */
bool dgmi_io_edge_skips_columns(const dgmi_io_edge_reader *reader);
/* Cuts the record at `at`; *more if it does not end within what was read. */
dgm_status dgmi_io_edge_cut_at(dgmi_io_edge_reader *reader, char *at, char separator, bool *more);
/* Takes what stands at reader->at, a record or a comment. */
dgm_status dgmi_io_edge_take_record(dgmi_io_edge_reader *reader, bool *more);

/* ---- io_edges_settle.c ---- */

/* Learns the layout from the first record, which is cut; *header says whether it was a header. */
dgm_status dgmi_io_edge_settle(dgmi_io_edge_reader *reader, bool *header);
/* Takes the comment at `at`, which may be a directive. */
dgm_status dgmi_io_edge_take_comment(dgmi_io_edge_reader *reader, char *at, bool *more);

#endif
