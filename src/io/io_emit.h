/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of GraphML, GEXF, GML and JSON share: text handed on piece by piece, the columns
 * to write, the walk over the edges, and the notes about what a format cannot hold.
 *
 * Writers append and check nothing: the first failure stays in text.status, and loops end on it.
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
    const char *format; /* "GraphML", in notes */
    dgmi_escape escape;
    const char *const
        *label_names;     /* names that class labels may take, best first, NULL-terminated */
    const char *reserved; /* a key that no attribute may have; NULL: names are free */
    bool plain_keys;      /* keys are letters, digits and underscores */
} dgmi_io_emit_style;

/* One attribute as it is written: numbers, texts or labels, the others NULL. */
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
    dgmi_io_emit_column *columns; /* scratch memory */
    int64_t column_count;
    int64_t replaced; /* characters that the format cannot hold */
} dgmi_io_emit;

/* Always followed by close, which hands the rest on and returns the first failure. */
void dgmi_io_emit_open(dgmi_io_emit *emit, dgm_context *ctx, const dgm_graph *graph,
                       dgmi_bytes_output *output, const dgmi_io_emit_style *style);
dgm_status dgmi_io_emit_close(dgmi_io_emit *emit);

/* Hands text on when there is enough of it; false once anything failed. */
bool dgmi_io_emit_step(dgmi_io_emit *emit);

void dgmi_io_emit_string(dgmi_io_emit *emit, const char *string); /* as it is */
void dgmi_io_emit_text(dgmi_io_emit *emit, const char *text); /* escaped; what is lost is counted */
/* Escaped; a name that the format cannot hold is an error, since two could become one. */
void dgmi_io_emit_name(dgmi_io_emit *emit, int64_t node);

/* Whether the node has a value in the column; numbers and labels go to *value, texts to *text. */
bool dgmi_io_emit_entry(const dgmi_io_emit_column *column, int64_t node, double *value,
                        const char **text);

bool dgmi_io_emit_has_values(const dgmi_io_emit *emit, const dgmi_io_emit_column *column);

/* Every edge once, as the graph holds it (u <= v where undirected). weight NULL: unweighted. */
typedef void (*dgmi_io_emit_edge)(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                                  const double *weight);
void dgmi_io_emit_edges(dgmi_io_emit *emit, dgmi_io_emit_edge write);

#endif
