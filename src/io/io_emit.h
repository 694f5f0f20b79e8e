/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of GraphML, GEXF, GML and JSON share: text handed on piece by piece, the columns
 * to write, the walk over the edges, and the notes about what a format cannot hold.
 *
 * Writers append without checks. The first failure stays in text.status, and loops end on it.
 */
#ifndef IO_EMIT_H
#define IO_EMIT_H

#include "dgm/graph.h"

#include "base_escape.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_output.h"

/* What a format asks for. */
typedef struct dgmi_io_emit_style {
    const char *format; /* the name of the format in notes: "GraphML" */
    dgmi_escape escape; /* how characters with a meaning of their own are written */
    /* Names that the column of class labels may have, the best first, then NULL. */
    const char *const *label_names;
    const char *reserved; /* a key that no attribute may have; NULL: there is none */
    bool plain_keys;      /* keys may have only letters, digits and underscores */
} dgmi_io_emit_style;

/* An attribute as it is written. One of numbers, texts and labels is given, the others are NULL. */
typedef struct dgmi_io_emit_column {
    const char *name;
    const double *numbers;
    const char *const *texts;
    const int32_t *labels;
    bool whole; /* every number is a whole one */
} dgmi_io_emit_column;

typedef struct dgmi_io_emit {
    dgm_context *ctx;
    const dgm_graph *graph;
    const dgmi_io_emit_style *style;
    dgmi_bytes_output *output;
    dgmi_text text;
    dgmi_hold hold;
    dgmi_io_emit_column *columns; /* the columns to write, in scratch memory */
    int64_t column_count;
    int64_t replaced; /* how many characters were replaced, since the format cannot hold them */
} dgmi_io_emit;

/* Begins to write. Close must be called whatever happens: it hands the rest on and returns the
 * first failure. */
void dgmi_io_emit_open(dgmi_io_emit *emit, dgm_context *ctx, const dgm_graph *graph,
                       dgmi_bytes_output *output, const dgmi_io_emit_style *style);
dgm_status dgmi_io_emit_close(dgmi_io_emit *emit);

/* Hands text on if there is enough of it. Returns false if anything has failed. */
bool dgmi_io_emit_step(dgmi_io_emit *emit);

/* Appends a string as it is. */
void dgmi_io_emit_string(dgmi_io_emit *emit, const char *string);
/* Appends a text with escapes, and counts characters that the format cannot hold. */
void dgmi_io_emit_text(dgmi_io_emit *emit, const char *text);
/* Appends the name of a node with escapes. A name that the format cannot hold is an error, since
 * two names could become the same. */
void dgmi_io_emit_name(dgmi_io_emit *emit, int64_t node);

/* Tells whether the node has a value in the column. A number or label goes to *value, a text to
 * *text. */
bool dgmi_io_emit_entry(const dgmi_io_emit_column *column, int64_t node, double *value,
                        const char **text);

/* Tells whether any node has a value in the column. */
bool dgmi_io_emit_has_values(const dgmi_io_emit *emit, const dgmi_io_emit_column *column);

/* Writes an edge. `weight` is NULL if the graph has no weights. */
typedef void (*dgmi_io_emit_edge)(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                                  const double *weight);
/* Calls `write` for every edge once, as the graph holds it: with u <= v if it is undirected. */
void dgmi_io_emit_edges(dgmi_io_emit *emit, dgmi_io_emit_edge write);

#endif
