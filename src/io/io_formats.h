/* SPDX-License-Identifier: Apache-2.0 */
/* One reader and one writer a format; io_graph.c finds the format and calls them.
 *
 * A reader fills the builder from the stream and records errors with file and line (dgmi_fail_at with
 * dgmi_stream_name(stream)). It does not finish the builder. A writer appends to the output. Counts promised by a file
 * are never trusted for an allocation.
 */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include "dgm/io.h"

#include "io_output.h"
#include "io_stream.h"

typedef dgm_status (*dgmi_graph_reader)(dgm_context *ctx, dgmi_stream *stream,
                                        const dgm_graph_options *options,
                                        dgm_graph_builder *builder);
typedef dgm_status (*dgmi_graph_writer)(dgm_context *ctx, const dgm_graph *graph,
                                        dgmi_output *output);

dgm_status dgmi_read_edges(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                           dgm_graph_builder *builder);
dgm_status dgmi_read_mtx(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder);
dgm_status dgmi_read_metis(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                           dgm_graph_builder *builder);
dgm_status dgmi_read_graphml(dgm_context *ctx, dgmi_stream *stream,
                             const dgm_graph_options *options, dgm_graph_builder *builder);
dgm_status dgmi_read_gexf(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                          dgm_graph_builder *builder);
dgm_status dgmi_read_gml(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder);
dgm_status dgmi_read_json(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                          dgm_graph_builder *builder);
dgm_status dgmi_read_npz(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder);
dgm_status dgmi_read_npy(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder);
/* Folders: `path` is the folder. */
dgm_status dgmi_read_folder(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                            dgm_graph_builder *builder);
dgm_status dgmi_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                        dgm_graph_builder *builder);
/* Whether the folder holds NAME_A.txt and NAME_graph_indicator.txt. */
bool dgmi_is_tu_folder(const char *path);
/* A CSV of node attributes, matched by its `id` column (or first column) to the nodes of a graph whose edges were read;
 * numbers and texts become typed columns. New names become isolated nodes, with a note. */
dgm_status dgmi_read_node_table(dgm_context *ctx, const char *path, dgm_graph_builder *builder);

dgm_status dgmi_write_edges(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_mtx(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_metis(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_graphml(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_gexf(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_gml(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_json(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_npz(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
dgm_status dgmi_write_npy(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output);
/* Writes edges.tsv, and features, labels, splits, meta.json where the graph has them, into a new folder. */
dgm_status dgmi_write_folder(dgm_context *ctx, const dgm_graph *graph, const char *path);

#endif
