/* SPDX-License-Identifier: Apache-2.0 */
/* Dataset folders.
 *
 *   edges.tsv (.csv .txt .mtx .npy ...)   the edges
 *   nodes.csv (.tsv)                      typed columns, and the order of names
 *   features.mtx or features.npy          one row per node
 *   labels.txt                            one class per node, -1 for none
 *   train.txt val.txt test.txt            numbers of nodes, counted from 0
 *   meta.json                             class_names, nodes, columns, directed (reported, not
 *                                         applied)
 *
 * Only the edges must exist. Rows of every other file follow the numbers of the nodes, counted from
 * 0, or where ids are names the order of nodes.csv, or without it the order in which they first
 * appear.
 *
 * Any of them may be packed (.gz .xz .zst .zip). There are as many nodes as any of the files says,
 * and files that hold one row per node must all agree on it.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_jansson.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "bytes_path.h"
#include "bytes_scan.h"
#include "graph_builder.h"
#include "io_formats.h"
#include "io_table.h"
#include "io_tu.h"

typedef struct {
    dgm_context *ctx;
    const char *path;
    const dgm_graph_options *options;
    dgm_graph_builder *builder;

    json_t *meta;    /* the object in meta.json, or NULL */
    char *meta_path; /* NULL: there is none */
    dgmi_io_edge_hints hints;
    dgmi_io_table *table; /* nodes.csv, or NULL */

    char largest[160]; /* who asks for the most nodes, as the end of a sentence */
    int64_t nodes;     /* and how many that is */
} dataset;

static void note_largest(dataset *folder, int64_t nodes, const char *file, const char *says) {
    if (nodes <= folder->nodes)
        return;
    folder->nodes = nodes;
    snprintf(folder->largest, sizeof folder->largest, "%.90s %s", file, says);
}

/* Somebody's word on the number of nodes. */
static dgm_status count_nodes(dataset *folder, int64_t nodes, const char *file, const char *says) {
    note_largest(folder, nodes, file, says);
    return dgm_graph_builder_reserve_nodes(folder->builder, nodes);
}

/* A file that holds one row per node must have them all. */
static dgm_status check_rows(const dataset *folder, const char *path, int64_t rows,
                             const char *what) {
    if (rows == folder->nodes)
        return DGM_OK;
    return dgmi_fail_in(folder->ctx, DGM_ERROR_DATA, path,
                        "%lld %s for %lld nodes, which is what %s", (long long)rows, what,
                        (long long)folder->nodes, folder->largest);
}

/* ---- meta.json ---- */

static dgm_status parse_meta(dataset *folder, const char *data, int64_t size) {
    json_error_t error;
    folder->meta = json_loadb(data, (size_t)size, 0, &error);
    if (!folder->meta && dgmi_bytes_json_lacks_memory(&error))
        return dgmi_fail_memory(folder->ctx, size, 1);
    if (!folder->meta)
        return dgmi_fail_at(folder->ctx, DGM_ERROR_FORMAT, folder->meta_path, error.line, -1,
                            "not JSON: %s", error.text);
    if (!json_is_object(folder->meta))
        return dgmi_fail_in(folder->ctx, DGM_ERROR_FORMAT, folder->meta_path,
                            "an object { ... } is needed");
    return DGM_OK;
}

static dgm_status read_meta(dataset *folder) {
    static const char *const names[] = {"meta.json", NULL};
    dgmi_bytes_stream *stream;
    char *data;
    int64_t size;
    dgm_status status =
        dgmi_bytes_path_find(folder->ctx, folder->path, names, &folder->meta_path, NULL);
    if (status != DGM_OK || !folder->meta_path)
        return status;
    status = dgmi_bytes_stream_open(folder->ctx, folder->meta_path, &stream);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_stream_read_all(stream, &data, &size);
    if (status == DGM_OK)
        status = parse_meta(folder, data, size);
    dgmi_free(folder->ctx, data);
    dgmi_bytes_stream_close(stream);
    return status;
}

static bool is_weight(const char *column) {
    static const char *const words[] = {"weight", "weights", "w", "value", "strength", "count"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(column, words[i]) == 0)
            return true;
    return false;
}

/* What meta.json says about the edges, before they are read. */
static void use_columns(dataset *folder) {
    const char *third =
        json_string_value(json_array_get(json_object_get(folder->meta, "columns"), 2));
    if (third && !is_weight(third)) {
        folder->hints.no_weights = true;
        dgmi_note(folder->ctx, "the third column of the edges, \"%s\", is not taken for a weight",
                  third);
    }
    if (json_is_true(json_object_get(folder->meta, "directed")) && !folder->options->directed)
        dgmi_note(folder->ctx,
                  "%s calls the graph directed; it is read as undirected (" DGMI_NAMED(
                      "directed") " keeps "
                                  "directions)",
                  folder->meta_path);
}

static dgm_status use_node_count(dataset *folder) {
    const json_t *nodes = json_object_get(folder->meta, "nodes");
    if (!nodes)
        return DGM_OK;
    int64_t count = json_integer_value(nodes);
    if (!json_is_integer(nodes) || count < 0 || count > DGM_MAX_NODES)
        return dgmi_fail_in(folder->ctx, DGM_ERROR_DATA, folder->meta_path,
                            "\"nodes\" must be a whole number from 0 to %lld",
                            (long long)DGM_MAX_NODES);
    const dgm_graph_options known = {.size = sizeof(dgm_graph_options), .nodes = folder->nodes};
    dgm_status status = dgmi_bytes_check_sparse_nodes(
        folder->ctx, folder->meta_path, count, dgmi_graph_builder_records(folder->builder), &known);
    return status == DGM_OK ? count_nodes(folder, count, "meta.json", "says") : status;
}

static dgm_status use_class_names(dataset *folder) {
    const json_t *names = json_object_get(folder->meta, "class_names");
    if (!names)
        names = json_object_get(folder->meta, "classes");
    if (!json_is_array(names)) /* "classes" may be a mere number */
        return DGM_OK;
    size_t count = json_array_size(names);
    if (count > DGMI_BYTES_MAX_CLASSES)
        return dgmi_fail_in(folder->ctx, DGM_ERROR_DATA, folder->meta_path,
                            "%zu classes are more than fit", count);
    dgmi_hold hold = dgmi_arena_hold(folder->ctx);
    const char **texts = dgmi_scratch(folder->ctx, (int64_t)count, sizeof *texts);
    dgm_status status = texts ? DGM_OK : DGM_ERROR_MEMORY;
    for (size_t c = 0; status == DGM_OK && c < count; c++) {
        texts[c] = json_string_value(json_array_get(names, c));
        if (!texts[c])
            status = dgmi_fail_in(folder->ctx, DGM_ERROR_DATA, folder->meta_path,
                                  "the name of class %zu is not a string", c);
    }
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(folder->builder, (int32_t)count, texts);
    dgmi_arena_release(folder->ctx, hold);
    return status;
}

/* ---- nodes.csv ---- */

/* Names stand in the order of the table, so they are made before the edges are read. Numbers wait
 * until the edges have said from where they count. */
static dgm_status read_table(dataset *folder) {
    static const char *const names[] = {"nodes.csv", "nodes.tsv", NULL};
    char *path;
    dgm_status status = dgmi_bytes_path_find(folder->ctx, folder->path, names, &path, NULL);
    if (status != DGM_OK || !path)
        return status;
    status = dgmi_io_table_read(folder->ctx, path, &folder->table);
    dgmi_free(folder->ctx, path);
    if (status == DGM_OK &&
        (folder->options->ids == DGM_IDS_NAME || !dgmi_io_table_has_numbers(folder->table)))
        status = dgmi_io_table_match(folder->table, folder->builder);
    return status;
}

static dgm_status match_table(dataset *folder) {
    if (!folder->table)
        return DGM_OK;
    dgm_status status = dgmi_io_table_match(folder->table, folder->builder);
    if (status != DGM_OK)
        return status;
    return count_nodes(folder, dgm_graph_builder_nodes(folder->builder), "the table of nodes",
                       "lists");
}

/* ---- edges ---- */

static const char *const edge_names[] = {"edges.tsv",     "edges.csv",  "edges.txt",   "edges.mtx",
                                         "edges.npy",     "edges.npz",  "edges.graph", "edges.json",
                                         "edges.graphml", "edges.gexf", "edges.gml",   NULL};
static dgm_status fail_no_edges(const dataset *folder) {
    char list[256] = "";
    if (dgmi_io_tu_is_half(folder->path))
        return dgmi_io_tu_fail_half(folder->ctx, folder->path);
    for (int i = 0; edge_names[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? " " : "",
                 strchr(edge_names[i], '.'));
    }
    return dgmi_fail_in(folder->ctx, DGM_ERROR_FILE, folder->path,
                        "no file of edges in this folder: looked for edges with the endings %s "
                        "(packed or not), and for NAME_A.txt with NAME_graph_indicator.txt",
                        list);
}

/* A file without a byte is a graph without edges here: other files say how many nodes there are. */
static dgm_status read_stream(dataset *folder, dgmi_bytes_stream *stream,
                              dgmi_io_graph_reader *reader) {
    const char *data;
    int64_t size;
    dgm_graph_options options = *folder->options;
    if (dgmi_graph_builder_has_names(folder->builder)) /* nodes.csv listed them */
        options.ids = DGM_IDS_NAME;
    dgm_status status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status != DGM_OK || size == 0)
        return status;
    if (reader == dgmi_io_read_edges) /* of which hints may be known */
        return dgmi_io_read_edges_hinted(folder->ctx, stream, &options, &folder->hints,
                                         folder->builder);
    return reader(folder->ctx, stream, &options, folder->builder);
}

static dgm_status read_edges(dataset *folder) {
    char *path;
    int which;
    dgmi_bytes_stream *stream = NULL;
    dgm_status status = dgmi_bytes_path_find(folder->ctx, folder->path, edge_names, &path, &which);
    if (status == DGM_OK && !path)
        status = fail_no_edges(folder);
    if (status == DGM_OK)
        status = dgmi_bytes_ends_with(path, ".npz")
                     ? dgmi_bytes_stream_open_raw(folder->ctx, path, &stream)
                     : dgmi_bytes_stream_open(folder->ctx, path, &stream);
    if (status == DGM_OK)
        status = read_stream(folder, stream, dgmi_io_reader_of(edge_names[which]));
    if (status == DGM_OK)
        note_largest(folder, dgm_graph_builder_nodes(folder->builder), dgmi_bytes_path_last(path),
                     "names");
    dgmi_bytes_stream_close(stream);
    dgmi_free(folder->ctx, path);
    return status;
}

/* ---- features and labels: one row per node ---- */

static dgm_status read_dense(dataset *folder, dgmi_bytes_stream *stream, int64_t *rows) {
    dgmi_bytes_npy npy;
    dgm_graph_features features = {0};
    void *values;
    char shape[128];
    dgm_status status = dgmi_bytes_npy_open_stream(folder->ctx, stream, &npy);
    if (status != DGM_OK)
        return status;
    if (!dgmi_bytes_npy_matrix(&npy, rows, &features.width))
        return dgmi_bytes_npy_fail(&npy, DGM_ERROR_FORMAT,
                                   "features of shape %s; (nodes, columns) is needed",
                                   dgmi_bytes_npy_shape_text(&npy, shape));
    const dgm_graph_options known = {.size = sizeof(dgm_graph_options), .nodes = folder->nodes};
    if (features.width == 0) /* rows without columns are a mere promise */
        status = dgmi_bytes_check_sparse_nodes(folder->ctx, dgmi_bytes_stream_name(stream), *rows,
                                               dgmi_graph_builder_records(folder->builder), &known);
    if (status == DGM_OK)
        status = dgmi_bytes_npy_read_rows(&npy, DGMI_BYTES_NPY_FLOAT, &values);
    if (status != DGM_OK)
        return status;
    features.values = values;
    status = dgm_graph_builder_set_features(folder->builder, *rows, &features);
    dgmi_free(folder->ctx, values);
    return status;
}

/* *path is NULL where there are none, owned by the caller otherwise. */
static dgm_status read_features(dataset *folder, char **path, int64_t *rows) {
    static const char *const names[] = {"features.mtx", "features.npy", NULL};
    int which;
    dgmi_bytes_stream *stream;
    dgm_status status = dgmi_bytes_path_find(folder->ctx, folder->path, names, path, &which);
    if (status != DGM_OK || !*path)
        return status;
    status = dgmi_bytes_stream_open(folder->ctx, *path, &stream);
    if (status != DGM_OK)
        return status;
    status = which == 0 ? dgmi_io_read_mtx_features(folder->ctx, stream, folder->builder, rows)
                        : read_dense(folder, stream, rows);
    dgmi_bytes_stream_close(stream);
    if (status == DGM_OK)
        status = count_nodes(folder, *rows, dgmi_bytes_path_last(*path), "has rows for");
    return status;
}

static dgm_status read_labels(dataset *folder, char **path, int64_t *rows) {
    static const char *const names[] = {"labels.txt", NULL};
    int32_t *labels;
    dgm_status status = dgmi_bytes_path_find(folder->ctx, folder->path, names, path, NULL);
    if (status != DGM_OK || !*path)
        return status;
    status =
        dgmi_bytes_lines_read_column(folder->ctx, *path, -1, DGMI_BYTES_MAX_CLASSES - 1,
                                     "a class (whole numbers from 0, -1 for none)", &labels, rows);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(folder->builder, *rows, labels);
    dgmi_free(folder->ctx, labels);
    if (status == DGM_OK)
        status = count_nodes(folder, *rows, dgmi_bytes_path_last(*path), "has rows for");
    return status;
}

/* Both, and then whether they agree with each other, with the edges and with meta.json. */
static dgm_status read_node_rows(dataset *folder) {
    char *features = NULL, *labels = NULL;
    int64_t feature_rows = 0, label_rows = 0;
    dgm_status status = read_features(folder, &features, &feature_rows);
    if (status == DGM_OK)
        status = read_labels(folder, &labels, &label_rows);
    if (status == DGM_OK)
        status = use_node_count(folder);
    if (status == DGM_OK && features)
        status = check_rows(folder, features, feature_rows, "rows");
    if (status == DGM_OK && labels)
        status = check_rows(folder, labels, label_rows, "labels");
    dgmi_free(folder->ctx, features);
    dgmi_free(folder->ctx, labels);
    return status;
}

/* ---- splits ---- */

static const char *const split_names[][2] = {[DGM_SPLIT_TRAIN] = {"train.txt"},
                                             [DGM_SPLIT_VALIDATION] = {"val.txt"},
                                             [DGM_SPLIT_TEST] = {"test.txt"}};

static dgm_status take_members(dataset *folder, dgmi_bytes_lines *lines, uint8_t split,
                               uint8_t *splits) {
    char what[80];
    snprintf(what, sizeof what, "one of the %lld nodes (numbers from 0)", (long long)folder->nodes);
    dgm_status status = DGM_OK;
    for (int64_t k = 0; status == DGM_OK && k < lines->count; k++) {
        int64_t node = 0;
        status = dgmi_bytes_lines_integer(lines, k, 0, folder->nodes - 1, what, &node);
        if (status == DGM_OK && splits[node])
            status = dgmi_lines_fail(lines, DGM_ERROR_DATA, "node %lld stands in %s already",
                                     (long long)node, split_names[splits[node]][0]);
        if (status == DGM_OK)
            splits[node] = split;
    }
    return status;
}

static dgm_status read_split(dataset *folder, uint8_t split, uint8_t *splits, bool *any) {
    char *path;
    dgmi_bytes_lines lines;
    dgm_status status =
        dgmi_bytes_path_find(folder->ctx, folder->path, split_names[split], &path, NULL);
    if (status != DGM_OK || !path)
        return status;
    status = dgmi_bytes_lines_open(&lines, folder->ctx, path);
    dgmi_free(folder->ctx, path);
    if (status != DGM_OK)
        return status;
    *any = true;
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(&lines)) == DGM_OK &&
           lines.count > 0)
        status = take_members(folder, &lines, split, splits);
    dgmi_bytes_lines_close(&lines);
    return status;
}

static dgm_status read_splits(dataset *folder) {
    uint8_t *splits = dgmi_alloc_zero(folder->ctx, folder->nodes, 1);
    bool any = false;
    dgm_status status = splits ? DGM_OK : DGM_ERROR_MEMORY;
    for (uint8_t split = DGM_SPLIT_TRAIN; status == DGM_OK && split <= DGM_SPLIT_TEST; split++)
        status = read_split(folder, split, splits, &any);
    if (status == DGM_OK && any)
        status = dgm_graph_builder_set_splits(folder->builder, folder->nodes, splits);
    dgmi_free(folder->ctx, splits);
    return status;
}

/* ---- all of it ---- */

static dgm_status read_all(dataset *folder) {
    dgm_status status = read_meta(folder);
    /* The builder has made them already. */
    note_largest(folder, folder->options->nodes, DGMI_NAMED("nodes"), "asks for");
    if (status == DGM_OK)
        status = read_table(folder);
    if (status == DGM_OK) {
        use_columns(folder);
        status = read_edges(folder);
    }
    if (status == DGM_OK)
        status = match_table(folder);
    if (status == DGM_OK)
        status = read_node_rows(folder);
    if (status == DGM_OK)
        status = read_splits(folder);
    if (status == DGM_OK)
        status = use_class_names(folder);
    if (status == DGM_OK && folder->table)
        status = dgmi_io_table_apply(folder->table, folder->builder);
    return status;
}

dgm_status dgmi_io_read_folder(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                               dgm_graph_builder *builder) {
    dataset folder = {.ctx = ctx, .path = path, .options = options, .builder = builder};
    dgm_status status = read_all(&folder);
    json_decref(folder.meta);
    dgmi_free(ctx, folder.meta_path);
    dgmi_io_table_free(folder.table);
    return status;
}
