/* SPDX-License-Identifier: Apache-2.0 */
/* One reader and one writer per format; io_graph.c finds the format and calls them.
 *
 * A reader fills the builder from the stream and records errors with file and line (dgmi_fail_at
 * with dgmi_bytes_stream_name(stream)). It does not finish the builder. A writer appends to the
 * output. No memory is allocated because a file promises a count. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include "dgm/io.h"

#include "bytes_output.h"
#include "bytes_stream.h"

/* Reads the classes in a file for a graph that nobody else holds yet. On failure the graph is freed
 * and *graph is NULL. */
dgm_status dgmi_io_graph_label(dgm_context *ctx, const char *path, dgm_graph **graph);

typedef dgm_status dgmi_io_graph_reader(dgm_context *ctx, dgmi_bytes_stream *stream,
                                        const dgm_graph_options *options,
                                        dgm_graph_builder *builder);
typedef dgm_status dgmi_io_graph_writer(dgm_context *ctx, const dgm_graph *graph,
                                        dgmi_bytes_output *output);

/* The readers. That of .npz takes a stream that was opened raw, because one that unpacks takes a
 * .zip with several members for an error. */
dgmi_io_graph_reader dgmi_io_read_edges, dgmi_io_read_mtx, dgmi_io_read_metis, dgmi_io_read_graphml,
    dgmi_io_read_gexf, dgmi_io_read_gml, dgmi_io_read_json, dgmi_io_read_npz, dgmi_io_read_npy,
    dgmi_io_read_pajek, dgmi_io_read_lgl;
/* Returns the reader that the ending of a file asks for, or NULL if there is none. */
dgmi_io_graph_reader *dgmi_io_reader_of(const char *name);
/* The names that dgm_format_names returns, for option tables. */
extern const char *const dgmi_io_format_names[];

/* What the caller knows of an edge list beyond its text, as the readers of folders do (io_folder.c,
 * io_tu.c). All zeros mean that nothing is known. */
typedef struct dgmi_io_edge_hints {
    bool no_weights;   /* the third column is no weight, but a time or a label, and is skipped */
    bool numbers_only; /* ids are whole numbers, whatever options->ids says; anything else is an
                          error that names its line */
    int64_t base; /* the smallest id, 0 or 1. Node numbers are ids less this base, which is also
                          the builder's name base; a smaller id is an error. */
} dgmi_io_edge_hints;
dgm_status dgmi_io_read_edges_hinted(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     const dgm_graph_options *options,
                                     const dgmi_io_edge_hints *hints, dgm_graph_builder *builder);
/* Reads a Matrix Market matrix as features, with one row per node. *rows is their number, for
 * messages that compare it with other files. */
dgm_status dgmi_io_read_mtx_features(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     dgm_graph_builder *builder, int64_t *rows);
/* Both read a folder: one of our own layout, and one as the TU graph sets have it. */
dgm_status dgmi_io_read_folder(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                               dgm_graph_builder *builder);
/* A TU folder makes its graph itself: the union of a set. */
dgm_status dgmi_io_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           const dgm_graph_tables *tables, dgm_graph **out);
/* Finishes the builder, or frees it where reading failed with `status`. Errors without a file are
 * put down to `name`, from which the graph also has its source. */
dgm_status dgmi_io_finish(dgm_context *ctx, dgm_graph_builder *builder, dgm_status status,
                          const char *name, dgm_graph **out);
/* Tells whether the folder holds NAME_A.txt and NAME_graph_indicator.txt. */
bool dgmi_io_is_tu_folder(const char *path);
/* Reads a CSV of node attributes. Its rows are matched to the nodes, whose edges were read before,
 * by the column `id` or else the first one. Columns become attributes of numbers or of texts. New
 * names become isolated nodes, and a note says so. */
dgm_status dgmi_io_read_node_table(dgm_context *ctx, const char *path, dgm_graph_builder *builder);

/* The writers. */
dgmi_io_graph_writer dgmi_io_write_edges, dgmi_io_write_mtx, dgmi_io_write_metis,
    dgmi_io_write_graphml, dgmi_io_write_gexf, dgmi_io_write_gml, dgmi_io_write_json,
    dgmi_io_write_npz, dgmi_io_write_npy;
/* What a format keeps of a graph besides its edges. */
enum {
    DGMI_IO_KEEPS_NAMES = 1,
    DGMI_IO_KEEPS_WEIGHTS = 2,
    DGMI_IO_KEEPS_LABELS = 4,
    DGMI_IO_KEEPS_SPLITS = 8,
    DGMI_IO_KEEPS_FEATURES = 16,
    DGMI_IO_KEEPS_NUMBERS = 32, /* columns of numbers */
    DGMI_IO_KEEPS_TEXTS = 64,   /* columns of texts */
};
/* Sends a note that names what the graph has and the format does not keep. */
void dgmi_io_note_losses(dgm_context *ctx, const dgm_graph *graph, const dgmi_bytes_output *output,
                         int keeps);
/* Writes a new folder with edges.tsv, and with features, labels, splits and meta.json if the graph
 * has them. */
dgm_status dgmi_io_write_folder(dgm_context *ctx, const dgm_graph *graph, const char *path);

#endif
