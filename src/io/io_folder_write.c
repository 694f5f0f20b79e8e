/* SPDX-License-Identifier: Apache-2.0 */
/* A graph into a dataset folder, as io_folder.c reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "base_utf8.h"
#include "bytes_jansson.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "graph_labels.h"
#include "io_formats.h"
#include "io_new_folder.h"

static const char *const all_files[] = {"edges.tsv",    "nodes.csv",  "features.mtx",
                                        "features.npy", "labels.txt", "train.txt",
                                        "val.txt",      "test.txt",   "meta.json"};

/* ---- one file each ---- */

/* What an edge list cannot hold stands in the other files, so it has nothing to say. */
static dgm_status write_edges(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    dgm_note_fn note = ctx->note;
    ctx->note = NULL;
    dgm_status status = dgmi_io_write_edges(ctx, graph, output);
    ctx->note = note;
    return status;
}

static dgm_status write_labels(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    const int32_t *labels = dgm_graph_labels(graph);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t node = 0; status == DGM_OK && node < dgm_graph_nodes(graph); node++) {
        dgmi_text_integer(&text, dgm_graph_class_number(graph, labels[node]));
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_split(dgm_context *ctx, const dgm_graph *graph, uint8_t split,
                              dgmi_bytes_output *output) {
    const uint8_t *splits = dgm_graph_splits(graph);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    for (int64_t node = 0; status == DGM_OK && node < dgm_graph_nodes(graph); node++) {
        if (splits[node] != split)
            continue;
        dgmi_text_integer(&text, node);
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_train(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    return write_split(ctx, graph, DGM_SPLIT_TRAIN, output);
}
static dgm_status write_validation(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    return write_split(ctx, graph, DGM_SPLIT_VALIDATION, output);
}
static dgm_status write_test(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    return write_split(ctx, graph, DGM_SPLIT_TEST, output);
}

static dgm_status write_sparse(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_text_format(&text, "%%%%MatrixMarket matrix coordinate %s general\n%lld %lld %lld\n",
                     features.values ? "real" : "pattern", (long long)nodes,
                     (long long)features.width, (long long)features.offsets[nodes]);
    for (int64_t node = 0; status == DGM_OK && node < nodes; node++) {
        for (int64_t i = features.offsets[node]; i < features.offsets[node + 1]; i++) {
            dgmi_text_integer(&text, node + 1);
            dgmi_text_append(&text, " ", 1);
            dgmi_text_integer(&text, (int64_t)features.columns[i] + 1);
            if (features.values) {
                dgmi_text_append(&text, " ", 1);
                dgmi_text_real(&text, (double)features.values[i]);
            }
            dgmi_text_append(&text, "\n", 1);
        }
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

static dgm_status write_dense(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_bytes_npy_header(&text, big ? ">f4" : "<f4", nodes, features.width);
    dgm_status status = dgmi_io_end_text(output, &text, DGM_OK);
    if (status == DGM_OK)
        status = dgmi_bytes_output_write(
            output, features.values, (size_t)(nodes * features.width) * sizeof *features.values);
    return status;
}

/* ---- nodes.csv ---- */

/* A column of that name would be taken for the ids. */
static bool is_id(const dgm_attribute *attribute) {
    return strcasecmp(attribute->name, "id") == 0;
}

static void write_entry(dgmi_text *text, const dgm_attribute *attribute, int64_t node) {
    dgmi_text_append(text, ",", 1);
    if (attribute->kind == DGM_ATTRIBUTE_NUMBER &&
        attribute->numbers[node] == attribute->numbers[node])
        dgmi_text_real(text, attribute->numbers[node]);
    else if (attribute->kind == DGM_ATTRIBUTE_TEXT && attribute->texts[node])
        dgmi_bytes_lines_write(text, attribute->texts[node], strlen(attribute->texts[node]), ',');
}

static void write_id(dgmi_text *text, const dgm_graph *graph, int64_t node) {
    size_t length;
    const char *name = dgm_graph_name_text(graph, node, &length);
    if (name)
        dgmi_bytes_lines_write(text, name, length, ',');
    else
        dgmi_text_integer(text, node + dgm_graph_name_base(graph));
}

static dgm_status write_table(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    int64_t columns = dgm_graph_attributes(graph);
    dgm_status status = DGM_OK;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_text_string(&text, "id");
    for (int64_t k = 0; k < columns; k++) {
        dgm_attribute attribute = dgm_graph_attribute(graph, k);
        if (is_id(&attribute)) {
            dgmi_note(ctx, "the attribute \"%s\" is left out: nodes.csv has an id column",
                      attribute.name);
            continue;
        }
        dgmi_text_append(&text, ",", 1);
        dgmi_bytes_lines_write(&text, attribute.name, strlen(attribute.name), ',');
    }
    dgmi_text_append(&text, "\n", 1);
    for (int64_t node = 0; status == DGM_OK && node < dgm_graph_nodes(graph); node++) {
        write_id(&text, graph, node);
        for (int64_t k = 0; k < columns; k++) {
            dgm_attribute attribute = dgm_graph_attribute(graph, k);
            if (!is_id(&attribute))
                write_entry(&text, &attribute, node);
        }
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    return dgmi_io_end_text(output, &text, status);
}

/* ---- meta.json ---- */

/* Puts the value under the key, and takes it over; false where either is missing for want of
 * memory, or a text is not UTF-8. */
static bool set_meta(json_t *meta, const char *key, json_t *value) {
    return json_object_set_new(meta, key, value) == 0;
}

/* By number, those of classes that no node has among them. */
static bool set_class_names(json_t *meta, const dgm_graph *graph) {
    if (!dgmi_graph_number_name(graph, 0))
        return true;
    json_t *names = json_array();
    bool set = set_meta(meta, "class_names", names);
    for (int32_t c = 0; set && dgmi_graph_number_name(graph, c); c++)
        set = json_array_append_new(names, json_string(dgmi_graph_number_name(graph, c))) == 0;
    return set;
}

/* NULL for want of memory. */
static json_t *make_meta(const dgm_graph *graph) {
    json_t *meta = json_object();
    bool set = set_meta(meta, "name", json_string(dgm_graph_source(graph))) &&
               set_meta(meta, "nodes", json_integer(dgm_graph_nodes(graph))) &&
               set_meta(meta, "edges", json_integer(dgm_graph_edges(graph))) &&
               set_meta(meta, "directed", json_boolean(dgm_graph_get_rows(graph).directed));
    if (set && dgm_graph_get_rows(graph).weights)
        set = set_meta(meta, "columns", json_pack("[s, s, s]", "source", "target", "weight"));
    if (set && set_class_names(meta, graph))
        return meta;
    json_decref(meta);
    return NULL;
}

static bool is_utf8(const char *text) {
    return dgmi_utf8_check(text, strlen(text)) == strlen(text);
}

static bool names_are_utf8(const dgm_graph *graph) {
    bool good = is_utf8(dgm_graph_source(graph));
    for (int32_t c = 0; good && dgmi_graph_number_name(graph, c); c++)
        good = is_utf8(dgmi_graph_number_name(graph, c));
    return good;
}

static dgm_status write_meta(dgm_context *ctx, const void *graph, dgmi_bytes_output *output) {
    if (!names_are_utf8(graph))
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graph's source or class names are not UTF-8: no meta.json");
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    json_t *meta = make_meta(graph);
    dgm_status status = dgmi_bytes_json_write(meta, JSON_INDENT(1), "meta.json", &text);
    json_decref(meta);
    dgmi_text_append(&text, "\n", 1);
    return dgmi_io_end_text(output, &text, status);
}

/* ---- the folder ---- */

static dgm_status write_files(dgm_context *ctx, const char *folder, const void *what) {
    const dgm_graph *graph = what;
    bool split = dgm_graph_splits(graph);
    dgm_graph_features features = dgm_graph_get_features(graph);
    const struct {
        const char *name;
        dgmi_io_file_writer writer;
        bool there;
    } files[] = {
        {"edges.tsv", write_edges, true},
        {"nodes.csv", write_table, dgm_graph_attributes(graph) > 0},
        {"features.mtx", write_sparse, features.width > 0 && features.columns},
        {"features.npy", write_dense, features.width > 0 && !features.columns},
        {"labels.txt", write_labels, dgm_graph_labels(graph)},
        {"train.txt", write_train, split},
        {"val.txt", write_validation, split},
        {"test.txt", write_test, split},
        {"meta.json", write_meta, true},
    };
    dgm_status status = DGM_OK;
    for (size_t i = 0; status == DGM_OK && i < sizeof files / sizeof *files; i++)
        if (files[i].there)
            status = dgmi_io_write_file(ctx, folder, files[i].name, files[i].writer, graph);
    return status;
}

static void remove_files(const char *folder, const void *graph) {
    (void)graph;
    for (size_t i = 0; i < sizeof all_files / sizeof *all_files; i++)
        dgmi_io_remove_file(folder, all_files[i]);
}

dgm_status dgmi_io_write_folder(dgm_context *ctx, const dgm_graph *graph, const char *path) {
    return dgmi_io_make_folder(ctx, path,
                               &(dgmi_io_folder_content){write_files, remove_files, graph});
}
