/* SPDX-License-Identifier: Apache-2.0 */
/* TU Dortmund folders (Morris et al. 2020): many graphs, read as one whose components lie in them.
 *
 *   NAME_A.txt                "u, v" on each line, nodes counted from 1 over all graphs
 *   NAME_graph_indicator.txt  the graph of each node, counted from 1
 *   NAME_graph_labels.txt     one per graph; they become the node attribute `graph_label`
 *   NAME_node_labels.txt      one per node; they become the labels
 *   NAME_node_attributes.txt  one row of numbers per node; they become the features
 *
 * The node attribute `graph` holds the number of the graph, counted from 0. Labels and attributes
 * of edges are left out, with a note.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "bytes_path.h"
#include "io_formats.h"

enum { LONGEST_NAME = 256 };

typedef struct {
    dgm_context *ctx;
    const char *path;
    char name[LONGEST_NAME];
    dgm_graph_builder *builder;
    int64_t nodes; /* lines of the indicator */
    int64_t graphs;
    int32_t *graph_of; /* of each node, counted from 1 */
} tu_folder;

/* ---- finding the files ---- */

static bool holds(const char *path, const char *name, const char *ending) {
    char file[4096];
    int length = snprintf(file, sizeof file, "%s/%s%s", path, name, ending);
    return length < (int)sizeof file && dgmi_bytes_path_is_file(file);
}

/* The first NAME in the order of the alphabet for which both files are there; false if there is
 * none. */
static bool find_name(const char *path, char name[LONGEST_NAME]) {
    static const char ending[] = "_A.txt";
    DIR *folder = opendir(path);
    name[0] = '\0';
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char candidate[LONGEST_NAME];
        size_t length = strlen(entry->d_name);
        if (length < sizeof ending || length >= sizeof candidate ||
            strcmp(entry->d_name + length - (sizeof ending - 1), ending) != 0)
            continue;
        memcpy(candidate, entry->d_name, length);
        candidate[length - (sizeof ending - 1)] = '\0';
        if (holds(path, candidate, "_graph_indicator.txt") &&
            (!name[0] || strcmp(candidate, name) < 0))
            memcpy(name, candidate, sizeof candidate);
    }
    if (folder)
        closedir(folder);
    return name[0] != '\0';
}

bool dgmi_io_is_tu_folder(const char *path) {
    char name[LONGEST_NAME];
    return find_name(path, name);
}

/* The path of NAME_what.txt, owned by the caller; *file is NULL where an optional one is not there.
 */
static dgm_status find_file(const tu_folder *tu, const char *what, char **file) {
    char last[2 * LONGEST_NAME];
    snprintf(last, sizeof last, "%s_%s.txt", tu->name, what);
    *file = dgmi_bytes_path_join(tu->ctx, tu->path, last);
    if (!*file)
        return DGM_ERROR_MEMORY;
    if (!dgmi_bytes_path_is_file(*file)) {
        dgmi_free(tu->ctx, *file);
        *file = NULL;
    }
    return DGM_OK;
}

/* ---- graphs ---- */

static dgm_status read_indicator(tu_folder *tu) {
    char *file;
    dgm_status status = find_file(tu, "graph_indicator", &file);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, 1, DGM_MAX_NODES,
                                          "a graph (counted from 1)", &tu->graph_of, &tu->nodes);
    dgmi_free(tu->ctx, file);
    for (int64_t i = 0; i < tu->nodes; i++)
        tu->graphs = tu->graph_of[i] > tu->graphs ? tu->graph_of[i] : tu->graphs;
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(tu->builder, tu->nodes) : status;
}

static dgm_status read_adjacency(tu_folder *tu, const dgm_graph_options *options) {
    const dgmi_io_edge_hints hints = {.no_weights = true, .numbers_only = true, .base = 1};
    char *file;
    const char *data;
    int64_t size = 0;
    dgmi_bytes_stream *stream = NULL;
    dgm_status status = find_file(tu, "A", &file);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_open(tu->ctx, file, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status == DGM_OK && size > 0)
        status = dgmi_io_read_edges_hinted(tu->ctx, stream, options, &hints, tu->builder);
    int64_t nodes = dgm_graph_builder_nodes(tu->builder);
    if (status == DGM_OK && nodes > tu->nodes)
        status = dgmi_fail_at(tu->ctx, DGM_ERROR_DATA, file, 0, -1,
                              "%lld nodes are named or asked for, but %s_graph_indicator.txt has "
                              "%lld lines",
                              (long long)nodes, tu->name, (long long)tu->nodes);
    dgmi_bytes_stream_close(stream);
    dgmi_free(tu->ctx, file);
    return status;
}

/* values[graph of the node] as a node attribute; NULL: the graph itself, counted from 0. */
static dgm_status add_by_graph(const tu_folder *tu, const char *name, const int32_t *values) {
    double *numbers = dgmi_alloc(tu->ctx, tu->nodes, sizeof *numbers);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < tu->nodes; i++)
        numbers[i] = values ? values[tu->graph_of[i] - 1] : tu->graph_of[i] - 1;
    dgm_status status = dgm_graph_builder_add_numbers(tu->builder, name, tu->nodes, numbers);
    dgmi_free(tu->ctx, numbers);
    return status;
}

static dgm_status read_graph_labels(const tu_folder *tu) {
    char *file;
    int32_t *labels = NULL;
    int64_t count;
    dgm_status status = find_file(tu, "graph_labels", &file);
    if (status != DGM_OK || !file)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, INT32_MIN, INT32_MAX, "a whole number",
                                          &labels, &count);
    if (status == DGM_OK && count < tu->graphs)
        status = dgmi_fail_at(tu->ctx, DGM_ERROR_DATA, file, 0, -1,
                              "%lld labels, but %s_graph_indicator.txt counts %lld graphs",
                              (long long)count, tu->name, (long long)tu->graphs);
    if (status == DGM_OK)
        status = add_by_graph(tu, "graph_label", labels);
    dgmi_free(tu->ctx, labels);
    dgmi_free(tu->ctx, file);
    return status;
}

/* ---- nodes ---- */

static dgm_status fail_count(const tu_folder *tu, const char *file, int64_t count) {
    return dgmi_fail_at(tu->ctx, DGM_ERROR_DATA, file, 0, -1,
                        "%lld rows for %lld nodes, which is what %s_graph_indicator.txt counts",
                        (long long)count, (long long)tu->nodes, tu->name);
}

static dgm_status read_node_labels(const tu_folder *tu) {
    char *file;
    int32_t *labels = NULL;
    int64_t count;
    dgm_status status = find_file(tu, "node_labels", &file);
    if (status != DGM_OK || !file)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, -1, DGMI_BYTES_MAX_CLASSES - 1,
                                          "a class (whole numbers from 0, -1 for none)", &labels,
                                          &count);
    if (status == DGM_OK && count != tu->nodes)
        status = fail_count(tu, file, count);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(tu->builder, count, labels);
    dgmi_free(tu->ctx, labels);
    dgmi_free(tu->ctx, file);
    return status;
}

typedef struct {
    float *values;
    int64_t capacity, width, rows;
} float_rows;

static dgm_status take_floats(const dgmi_bytes_lines *lines, float_rows *rows) {
    if (rows->rows == 0)
        rows->width = lines->count;
    if (lines->count != rows->width)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                               "%lld columns, but the lines before have %lld",
                               (long long)lines->count, (long long)rows->width);
    void *values = rows->values;
    int64_t first = rows->rows * rows->width;
    dgm_status status =
        dgmi_reserve(lines->ctx, &values, &rows->capacity, first + rows->width, sizeof(float));
    rows->values = values;
    if (status != DGM_OK)
        return status;
    for (int64_t k = 0; k < rows->width; k++) {
        const dgmi_bytes_field *field = &lines->fields[k];
        double value;
        if (!dgmi_parse_real(field->text, field->length, &value) || !isfinite((float)value))
            return dgmi_lines_fail(lines, DGM_ERROR_DATA, "\"%.40s\" is not a finite number",
                                   field->text);
        rows->values[first + k] = (float)value;
    }
    rows->rows++;
    return DGM_OK;
}

static dgm_status read_floats(const tu_folder *tu, const char *file, float_rows *rows) {
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_stream_open(tu->ctx, file, &stream);
    if (status != DGM_OK)
        return status;
    dgmi_bytes_lines_init(&lines, tu->ctx, stream);
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(&lines)) == DGM_OK &&
           lines.count > 0)
        status = take_floats(&lines, rows);
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
    return status;
}

static dgm_status read_node_attributes(const tu_folder *tu) {
    char *file;
    float_rows rows = {0};
    dgm_status status = find_file(tu, "node_attributes", &file);
    if (status != DGM_OK || !file)
        return status;
    status = read_floats(tu, file, &rows);
    if (status == DGM_OK && rows.rows != tu->nodes)
        status = fail_count(tu, file, rows.rows);
    dgm_graph_features features = {.width = rows.width, .values = rows.values};
    if (status == DGM_OK)
        status = dgm_graph_builder_set_features(tu->builder, rows.rows, &features);
    dgmi_free(tu->ctx, rows.values);
    dgmi_free(tu->ctx, file);
    return status;
}

static dgm_status note_rest(const tu_folder *tu) {
    static const char *const left_out[] = {"edge_labels", "edge_attributes", "graph_attributes"};
    dgm_status status = DGM_OK;
    for (size_t i = 0; status == DGM_OK && i < sizeof left_out / sizeof *left_out; i++) {
        char *file;
        status = find_file(tu, left_out[i], &file);
        if (status == DGM_OK && file)
            dgmi_note(tu->ctx, "%s_%s.txt is not used", tu->name, left_out[i]);
        dgmi_free(tu->ctx, file);
    }
    return status;
}

dgm_status dgmi_io_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           dgm_graph_builder *builder) {
    tu_folder tu = {.ctx = ctx, .path = path, .builder = builder};
    if (!find_name(path, tu.name))
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, path, 0, -1,
                            "no NAME_A.txt with a NAME_graph_indicator.txt in this folder");
    dgm_status status = read_indicator(&tu);
    if (status == DGM_OK)
        status = read_adjacency(&tu, options);
    if (status == DGM_OK)
        status = add_by_graph(&tu, "graph", NULL);
    if (status == DGM_OK)
        status = read_graph_labels(&tu);
    if (status == DGM_OK)
        status = read_node_labels(&tu);
    if (status == DGM_OK)
        status = read_node_attributes(&tu);
    if (status == DGM_OK)
        status = note_rest(&tu);
    dgmi_free(ctx, tu.graph_of);
    return status;
}
