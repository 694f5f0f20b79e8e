/* SPDX-License-Identifier: Apache-2.0 */
/* One reader and one writer per format; io_graph.c finds the format and calls them.
 *
 * A reader fills the builder from the stream and records errors with file and line (dgmi_fail_at
 * with dgmi_bytes_stream_name(stream)). It does not finish the builder. A writer appends to the
 * output. Counts promised by a file are never trusted for an allocation. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include "dgm/io.h"

#include "bytes_output.h"
#include "bytes_stream.h"

/* The classes in a file for a graph that nobody else holds yet. On failure the graph is freed and
 * *graph is NULL. */
dgm_status dgmi_io_graph_label(dgm_context *ctx, const char *path, dgm_graph **graph);

typedef dgm_status (*dgmi_io_graph_reader)(dgm_context *ctx, dgmi_bytes_stream *stream,
                                           const dgm_graph_options *options,
                                           dgm_graph_builder *builder);
typedef dgm_status (*dgmi_io_graph_writer)(dgm_context *ctx, const dgm_graph *graph,
                                           dgmi_bytes_output *output);

dgm_status dgmi_io_read_edges(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_mtx(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_metis(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_graphml(dgm_context *ctx, dgmi_bytes_stream *stream,
                                const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_gexf(dgm_context *ctx, dgmi_bytes_stream *stream,
                             const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_gml(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_json(dgm_context *ctx, dgmi_bytes_stream *stream,
                             const dgm_graph_options *options, dgm_graph_builder *builder);
/* The stream hands over the .npz as it is: one that holds several members is not opened as a .zip
 * around a file. */
dgm_status dgmi_io_read_npz(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_npy(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_pajek(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_io_read_lgl(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder);
/* An edge list of which the caller knows more than the text says; zeros are the plain case. For
 * folders (io_folder.c, io_tu.c). */
typedef struct dgmi_io_edge_hints {
    bool no_weights;   /* a third column is no weight (a time, a label): skip it */
    bool numbers_only; /* ids are whole numbers whatever options->ids says; anything else is an
                          error with its line */
    int64_t base;      /* the first id, 0 or 1: ids below it are errors, node = id - base, and the
                          builder's name base */
} dgmi_io_edge_hints;
dgm_status dgmi_io_read_edges_hinted(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     const dgm_graph_options *options,
                                     const dgmi_io_edge_hints *hints, dgm_graph_builder *builder);
/* A Matrix Market matrix as features, one row per node (dgm_graph_builder_set_features); *rows says
 * how many, for messages that compare it with other files. */
dgm_status dgmi_io_read_mtx_features(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     dgm_graph_builder *builder, int64_t *rows);
/* Folders: `path` is the folder. */
/* What dgm_format_names gives, for tables. */
extern const char *const dgmi_io_format_names[];
/* The reader that a file's ending asks for, or NULL. */
dgmi_io_graph_reader dgmi_io_reader_of(const char *name);
dgm_status dgmi_io_read_folder(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                               dgm_graph_builder *builder);
/* A TU folder makes its graph itself: the union of a set. */
dgm_status dgmi_io_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           const dgm_graph_tables *tables, dgm_graph **out);
/* Finishes the builder, or frees it where reading failed with `status`. Errors without a file are
 * put down to `name`, from which the graph also has its source. */
dgm_status dgmi_io_finish(dgm_context *ctx, dgm_graph_builder *builder, dgm_status status,
                          const char *name, dgm_graph **out);
/* Whether the folder holds NAME_A.txt and NAME_graph_indicator.txt. */
bool dgmi_io_is_tu_folder(const char *path);
/* A CSV of node attributes, matched by its `id` column (or first column) to the nodes of a graph
 * whose edges were read; numbers and texts become typed columns. New names become isolated nodes,
 * with a note. */
dgm_status dgmi_io_read_node_table(dgm_context *ctx, const char *path, dgm_graph_builder *builder);

dgm_status dgmi_io_write_edges(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_mtx(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_metis(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_graphml(dgm_context *ctx, const dgm_graph *graph,
                                 dgmi_bytes_output *output);
dgm_status dgmi_io_write_gexf(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_gml(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_json(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_npz(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
dgm_status dgmi_io_write_npy(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output);
/* What a format keeps of a graph beside its edges; what the graph has beyond that is said in a
 * note. */
enum {
    DGMI_IO_KEEPS_NAMES = 1,
    DGMI_IO_KEEPS_WEIGHTS = 2,
    DGMI_IO_KEEPS_LABELS = 4,
    DGMI_IO_KEEPS_SPLITS = 8,
    DGMI_IO_KEEPS_FEATURES = 16,
    DGMI_IO_KEEPS_NUMBERS = 32, /* columns of numbers */
    DGMI_IO_KEEPS_TEXTS = 64,   /* columns of texts */
};
void dgmi_io_note_losses(dgm_context *ctx, const dgm_graph *graph, const dgmi_bytes_output *output,
                         int keeps);
/* Writes edges.tsv, and features, labels, splits, meta.json where the graph has them, into a new
 * folder. */
dgm_status dgmi_io_write_folder(dgm_context *ctx, const dgm_graph *graph, const char *path);

#endif
