/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs into NumPy arrays, as io_npz.c reads them and numpy.load opens them.
 *
 * The zip is written by hand: members are stored, dates are fixed, so the same graph gives the same
 * bytes. Every size is in the 64-bit fields, as numpy.savez does it. A member's checksum stands
 * before its data, so every member is produced twice: once to measure it and once to write it.
 */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_checksum.h"
#include "bytes_npy.h"
#include "io_formats.h"

enum { FLUSH_AT = 1 << 16, ZIP_VERSION = 45, DOS_1980 = 0x21, FIELDS_64 = 0xffff };

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE ">"
#else
#define NATIVE "<"
#endif

/* Where a member's bytes go. */
typedef struct {
    dgmi_bytes_output *output; /* NULL: they are only measured */
    dgmi_text block;
    uint32_t crc;
    int64_t size;
    dgm_status status;
} byte_sink;

/* Lets the block go once it is large, or if it is the last. */
static void flow(byte_sink *sink, bool last) {
    if (sink->status != DGM_OK || (!last && sink->block.length < FLUSH_AT))
        return;
    sink->status = sink->block.status;
    if (sink->status != DGM_OK || sink->block.length == 0)
        return;
    sink->crc = dgmi_bytes_crc32(sink->crc, sink->block.data, sink->block.length);
    sink->size += sink->block.length;
    if (sink->output)
        sink->status =
            dgmi_bytes_output_write(sink->output, sink->block.data, (size_t)sink->block.length);
    sink->block.length = 0;
}

static void put_integer(byte_sink *sink, int64_t value) {
    dgmi_text_append(&sink->block, (const char *)&value, sizeof value);
    flow(sink, false);
}

/* ---- the arrays ---- */

/* Both directions of an undirected edge, as PyTorch Geometric holds them. */
static void emit_edge_index(byte_sink *sink, const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_bytes_npy_header(&sink->block, NATIVE "i8", 2, rows.entries);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++)
            put_integer(sink, u);
    for (int64_t i = 0; i < rows.entries; i++)
        put_integer(sink, rows.targets[i]);
}

static void emit_edge_weight(byte_sink *sink, const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_bytes_npy_header(&sink->block, NATIVE "f8", rows.entries, -1);
    for (int64_t i = 0; i < rows.entries; i++) {
        dgmi_text_append(&sink->block, (const char *)&rows.weights[i], sizeof *rows.weights);
        flow(sink, false);
    }
}

/* Zeros, and then what stands in the row. */
static void emit_sparse_row(byte_sink *sink, const dgm_graph_features *features, int64_t node) {
    const float zero = 0;
    int64_t start = sink->block.length;
    for (int64_t k = 0; k < features->width; k++)
        dgmi_text_append(&sink->block, (const char *)&zero, sizeof zero);
    if (sink->block.status != DGM_OK)
        return;
    for (int64_t i = features->offsets[node]; i < features->offsets[node + 1]; i++) {
        float value = features->values ? features->values[i] : 1;
        memcpy(sink->block.data + start + (int64_t)sizeof value * features->columns[i], &value,
               sizeof value);
    }
}

static void emit_x(byte_sink *sink, const dgm_graph *graph) {
    dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_bytes_npy_header(&sink->block, NATIVE "f4", nodes, features.width);
    for (int64_t node = 0; node < nodes; node++, flow(sink, false)) {
        if (features.columns)
            emit_sparse_row(sink, &features, node);
        else
            dgmi_text_append(&sink->block, (const char *)(features.values + node * features.width),
                             (size_t)features.width * sizeof *features.values);
    }
}

static void emit_y(byte_sink *sink, const dgm_graph *graph) {
    const int32_t *labels = dgm_graph_labels(graph);
    dgmi_bytes_npy_header(&sink->block, NATIVE "i8", dgm_graph_nodes(graph), -1);
    for (int64_t node = 0; node < dgm_graph_nodes(graph); node++)
        put_integer(sink, dgm_graph_class_number(graph, labels[node]));
}

static void emit_mask(byte_sink *sink, const dgm_graph *graph, uint8_t split) {
    const uint8_t *splits = dgm_graph_splits(graph);
    dgmi_bytes_npy_header(&sink->block, "|b1", dgm_graph_nodes(graph), -1);
    for (int64_t node = 0; node < dgm_graph_nodes(graph); node++) {
        char flag = splits[node] == split;
        dgmi_text_append(&sink->block, &flag, 1);
        flow(sink, false);
    }
}

static void emit_train(byte_sink *sink, const dgm_graph *graph) {
    emit_mask(sink, graph, DGM_SPLIT_TRAIN);
}
static void emit_validation(byte_sink *sink, const dgm_graph *graph) {
    emit_mask(sink, graph, DGM_SPLIT_VALIDATION);
}
static void emit_test(byte_sink *sink, const dgm_graph *graph) {
    emit_mask(sink, graph, DGM_SPLIT_TEST);
}

static void emit_num_nodes(byte_sink *sink, const dgm_graph *graph) {
    dgmi_bytes_npy_header(&sink->block, NATIVE "i8", -1, -1);
    put_integer(sink, dgm_graph_nodes(graph));
}

/* ---- the zip ---- */

typedef void (*emit_fn)(byte_sink *sink, const dgm_graph *graph);

typedef struct {
    dgm_context *ctx;
    const dgm_graph *graph;
    dgmi_bytes_output *output;
    dgmi_text directory; /* the central directory so far */
    int64_t members, offset;
} zip_writer;

static void put_number(dgmi_text *text, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++) {
        char byte = (char)(value >> 8 * k);
        dgmi_text_append(text, &byte, 1);
    }
}

static dgm_status write_bytes(zip_writer *zip, dgmi_text *text) {
    dgm_status status = text->status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_write(zip->output, text->data, (size_t)text->length);
    zip->offset += text->length;
    dgmi_text_free(text);
    return status;
}

/* What a local header and a directory entry have in common: version to method, date, checksum,
 * sizes in the extra field. */
static void put_common(dgmi_text *text, const byte_sink *measured, const char *name, int extra) {
    put_number(text, ZIP_VERSION, 2);
    put_number(text, 0, 2); /* flags */
    put_number(text, 0, 2); /* stored */
    put_number(text, 0, 2); /* midnight */
    put_number(text, DOS_1980, 2);
    put_number(text, measured->crc, 4);
    put_number(text, UINT32_MAX, 4);
    put_number(text, UINT32_MAX, 4);
    put_number(text, strlen(name), 2);
    put_number(text, (uint64_t)extra, 2);
}

static void put_sizes(dgmi_text *text, const byte_sink *measured, int bytes) {
    put_number(text, 1, 2); /* the 64-bit field */
    put_number(text, (uint64_t)bytes, 2);
    put_number(text, (uint64_t)measured->size, 8);
    put_number(text, (uint64_t)measured->size, 8);
}

static dgm_status write_local(zip_writer *zip, const byte_sink *measured, const char *name) {
    dgmi_text text;
    dgmi_text_init(&text, zip->ctx);
    put_number(&text, 0x04034b50, 4);
    put_common(&text, measured, name, 20);
    dgmi_text_string(&text, name);
    put_sizes(&text, measured, 16);
    return write_bytes(zip, &text);
}

static void add_to_directory(zip_writer *zip, const byte_sink *measured, const char *name) {
    dgmi_text *text = &zip->directory;
    put_number(text, 0x02014b50, 4);
    put_number(text, ZIP_VERSION, 2);
    put_common(text, measured, name, 28);
    put_number(text, 0, 6); /* no comment, first disk, bytes */
    put_number(text, 0, 4); /* attributes */
    put_number(text, UINT32_MAX, 4);
    dgmi_text_string(text, name);
    put_sizes(text, measured, 24);
    put_number(text, (uint64_t)zip->offset, 8);
    zip->members++;
}

static byte_sink run(const zip_writer *zip, emit_fn emit, dgmi_bytes_output *output) {
    byte_sink sink = {.output = output};
    dgmi_text_init(&sink.block, zip->ctx);
    emit(&sink, zip->graph);
    flow(&sink, true);
    dgmi_text_free(&sink.block);
    return sink;
}

static dgm_status write_member(zip_writer *zip, const char *name, emit_fn emit) {
    byte_sink measured = run(zip, emit, NULL);
    if (measured.status != DGM_OK)
        return measured.status;
    add_to_directory(zip, &measured, name);
    dgm_status status = dgmi_progress(zip->ctx, "writing", -1);
    if (status == DGM_OK)
        status = write_local(zip, &measured, name);
    if (status == DGM_OK)
        status = run(zip, emit, zip->output).status;
    zip->offset += measured.size;
    return status;
}

static dgm_status write_directory(zip_writer *zip) {
    int64_t start = zip->offset, size = zip->directory.length;
    dgm_status status = write_bytes(zip, &zip->directory);
    dgmi_text text;
    dgmi_text_init(&text, zip->ctx);
    put_number(&text, 0x06064b50, 4); /* the end of the directory, with 64-bit fields */
    put_number(&text, 44, 8);
    put_number(&text, ZIP_VERSION, 2);
    put_number(&text, ZIP_VERSION, 2);
    put_number(&text, 0, 8);
    put_number(&text, (uint64_t)zip->members, 8);
    put_number(&text, (uint64_t)zip->members, 8);
    put_number(&text, (uint64_t)size, 8);
    put_number(&text, (uint64_t)start, 8);
    put_number(&text, 0x07064b50, 4); /* where that stands */
    put_number(&text, 0, 4);
    put_number(&text, (uint64_t)(start + size), 8);
    put_number(&text, 1, 4);
    put_number(&text, 0x06054b50, 4); /* the end that old programs look for */
    put_number(&text, 0, 4);
    put_number(&text, FIELDS_64, 2);
    put_number(&text, FIELDS_64, 2);
    put_number(&text, UINT32_MAX, 4);
    put_number(&text, UINT32_MAX, 4);
    put_number(&text, 0, 2);
    if (status == DGM_OK)
        return write_bytes(zip, &text);
    dgmi_text_free(&text);
    return status;
}

static void note_losses(dgm_context *ctx, const dgm_graph *graph) {
    if (dgm_graph_name_base(graph) != 0)
        dgmi_note(ctx, "NumPy arrays count nodes from 0: names are not kept");
    if (dgm_graph_attributes(graph) > 0)
        dgmi_note(ctx, "NumPy arrays of a graph hold no node attributes: %lld are left out",
                  (long long)dgm_graph_attributes(graph));
}

static dgm_status write_members(zip_writer *zip) {
    const dgm_graph *graph = zip->graph;
    bool weighted = dgm_graph_get_rows(graph).weights, split = dgm_graph_splits(graph);
    const struct {
        const char *name;
        emit_fn emit;
        bool there;
    } members[] = {
        {"edge_index.npy", emit_edge_index, true},
        {"edge_weight.npy", emit_edge_weight, weighted},
        {"x.npy", emit_x, dgm_graph_get_features(graph).width > 0},
        {"y.npy", emit_y, dgm_graph_labels(graph)},
        {"train_mask.npy", emit_train, split},
        {"val_mask.npy", emit_validation, split},
        {"test_mask.npy", emit_test, split},
        {"num_nodes.npy", emit_num_nodes, true},
    };
    dgm_status status = DGM_OK;
    for (size_t m = 0; status == DGM_OK && m < sizeof members / sizeof *members; m++)
        if (members[m].there)
            status = write_member(zip, members[m].name, members[m].emit);
    return status;
}

dgm_status dgmi_io_write_npz(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    zip_writer zip = {.ctx = ctx, .graph = graph, .output = output};
    dgmi_text_init(&zip.directory, ctx);
    note_losses(ctx, graph);
    dgm_status status = write_members(&zip);
    if (status == DGM_OK)
        return write_directory(&zip);
    dgmi_text_free(&zip.directory);
    return status;
}

/* Whether an edge_index alone says less than the graph. */
static bool has_more_than_edges(const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t nodes = 0;
    for (int64_t i = 0; i < rows.entries; i++)
        nodes = rows.targets[i] >= nodes ? (int64_t)rows.targets[i] + 1 : nodes;
    for (int64_t u = rows.nodes; u > nodes; u--)
        if (rows.offsets[u] > rows.offsets[u - 1])
            nodes = u;
    return nodes < rows.nodes || rows.weights || dgm_graph_labels(graph) ||
           dgm_graph_splits(graph) || dgm_graph_get_features(graph).width > 0;
}

dgm_status dgmi_io_write_npy(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    const zip_writer alone = {.ctx = ctx, .graph = graph};
    note_losses(ctx, graph);
    if (has_more_than_edges(graph))
        dgmi_note(ctx, "an edge_index alone holds no weights, features, labels, splits, nor nodes "
                       "without edges; .npz does");
    return run(&alone, emit_edge_index, output).status;
}
