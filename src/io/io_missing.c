/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary stand-ins for readers and writers that are not there yet; this file goes when they all
 * are. */
#include "base_context.h"
#include "io_formats.h"

#define MISSING(what) return dgmi_fail(ctx, DGM_ERROR_USAGE, what " is not there yet")
#define WEAK          __attribute__((weak))
WEAK dgm_status dgmi_read_graphml(dgm_context *ctx, dgmi_stream *stream,
                                  const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("graphml");
}
WEAK dgm_status dgmi_write_graphml(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("graphml");
}
WEAK dgm_status dgmi_read_gexf(dgm_context *ctx, dgmi_stream *stream,
                               const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("gexf");
}
WEAK dgm_status dgmi_write_gexf(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("gexf");
}
WEAK dgm_status dgmi_read_gml(dgm_context *ctx, dgmi_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("gml");
}
WEAK dgm_status dgmi_write_gml(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("gml");
}
WEAK dgm_status dgmi_read_json(dgm_context *ctx, dgmi_stream *stream,
                               const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("json");
}
WEAK dgm_status dgmi_write_json(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("json");
}
WEAK dgm_status dgmi_read_npz(dgm_context *ctx, dgmi_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("npz");
}
WEAK dgm_status dgmi_write_npz(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("npz");
}
WEAK dgm_status dgmi_read_npy(dgm_context *ctx, dgmi_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("npy");
}
WEAK dgm_status dgmi_write_npy(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("npy");
}
WEAK dgm_status dgmi_read_edges(dgm_context *ctx, dgmi_stream *stream,
                                const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("edges");
}
WEAK dgm_status dgmi_write_edges(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("edges");
}
WEAK dgm_status dgmi_read_mtx(dgm_context *ctx, dgmi_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("mtx");
}
WEAK dgm_status dgmi_write_mtx(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("mtx");
}
WEAK dgm_status dgmi_read_metis(dgm_context *ctx, dgmi_stream *stream,
                                const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)builder;
    MISSING("metis");
}
WEAK dgm_status dgmi_write_metis(dgm_context *ctx, const dgm_graph *graph, dgmi_output *output) {
    (void)graph;
    (void)output;
    MISSING("metis");
}
WEAK dgm_status dgmi_read_folder(dgm_context *ctx, const char *path,
                                 const dgm_graph_options *options, dgm_graph_builder *builder) {
    (void)path;
    (void)options;
    (void)builder;
    MISSING("folder");
}
WEAK dgm_status dgmi_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                             dgm_graph_builder *builder) {
    (void)path;
    (void)options;
    (void)builder;
    MISSING("tu");
}
WEAK bool dgmi_is_tu_folder(const char *path) {
    (void)path;
    return false;
}
WEAK dgm_status dgmi_read_node_table(dgm_context *ctx, const char *path,
                                     dgm_graph_builder *builder) {
    (void)path;
    (void)builder;
    MISSING("node table");
}
WEAK dgm_status dgmi_write_folder(dgm_context *ctx, const dgm_graph *graph, const char *path) {
    (void)path;
    (void)graph;
    MISSING("folder");
}
WEAK dgm_status dgmi_read_mtx_features(dgm_context *ctx, dgmi_stream *stream,
                                       dgm_graph_builder *builder, int64_t *rows) {
    (void)stream;
    (void)builder;
    (void)rows;
    MISSING("mtx features");
}
WEAK dgm_status dgmi_read_edges_hinted(dgm_context *ctx, dgmi_stream *stream,
                                       const dgm_graph_options *options,
                                       const dgmi_edge_hints *hints, dgm_graph_builder *builder) {
    (void)stream;
    (void)options;
    (void)hints;
    (void)builder;
    MISSING("hinted edges");
}
WEAK dgm_status dgm_matrix_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                                dgm_matrix **out) {
    (void)path;
    (void)graph;
    (void)out;
    MISSING("matrix");
}
WEAK dgm_status dgm_matrix_write(dgm_context *ctx, const dgm_matrix *matrix, const dgm_graph *graph,
                                 const char *path) {
    (void)path;
    (void)graph;
    (void)matrix;
    MISSING("matrix");
}
