/* SPDX-License-Identifier: Apache-2.0 */
/* JSON in the node-link form of D3 and NetworkX:
 *
 *   {"directed": false,
 *    "nodes": [{"id": "a", "age": 3}, ...],
 *    "links": [{"source": "a", "target": "b", "weight": 2}]}
 *
 * Read: `links` or `edges`; ids are texts or numbers, and nodes without any id are numbered as they
 * stand. Scalars of a node are attributes (true and false are 1 and 0, null is missing), lists and
 * objects are left out. The weight is `weight`, or `value` where that is a number. Written:
 * `edges`, as NetworkX reads by default. JSON has no infinite numbers: they are the texts "inf" and
 * "-inf", which among numbers are read back as numbers.
 */
#include "io_formats.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_jansson.h"
#include "io_collect.h"
#include "io_emit.h"

enum { STEP = 1 << 16 };

typedef struct {
    dgm_context *ctx;
    const char *file;
    dgmi_io_collector graph;
    dgmi_text id, target; /* ids as text */
    bool numbered;        /* nodes have no ids */
} json_reader;

/* ---- looking into it ---- */

static dgm_status fail(const json_reader *reader, const char *list, size_t index,
                       const char *words) {
    return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file, "%s[%zu] %s", list, index,
                        words);
}

/* The id as text; false if it is neither text nor number. */
static bool read_id(dgmi_text *out, const json_t *id) {
    out->length = 0;
    switch (json_typeof(id)) {
    case JSON_STRING:
        dgmi_text_append(out, json_string_value(id), json_string_length(id));
        return true;
    case JSON_INTEGER:
        dgmi_text_integer(out, json_integer_value(id));
        return true;
    case JSON_REAL:
        dgmi_text_real(out, json_real_value(id));
        return true;
    default:
        return false;
    }
}

static double read_number(json_reader *reader, const json_t *value) {
    if (json_typeof(value) == JSON_REAL)
        return json_real_value(value);
    int64_t whole = json_integer_value(value);
    double number = (double)whole;
    reader->graph.rounded += number >= 0x1p63 || (int64_t)number != whole;
    return number;
}

static dgm_status add_attribute(json_reader *reader, uint32_t node, const char *key,
                                const json_t *value) {
    uint32_t column;
    json_type type = json_typeof(value);
    if (type == JSON_OBJECT || type == JSON_ARRAY) {
        dgmi_io_collect_leave_nested(&reader->graph, key, strlen(key));
        return DGM_OK;
    }
    if (type == JSON_NULL)
        return DGM_OK;
    dgm_status status = dgmi_io_collect_column(&reader->graph, key, strlen(key), &column);
    if (status != DGM_OK)
        return status;
    if (type == JSON_STRING)
        return dgmi_io_collect_text(&reader->graph, column, node, json_string_value(value),
                                    json_string_length(value));
    bool boolean = type == JSON_TRUE || type == JSON_FALSE;
    reader->graph.booleans |= boolean;
    double number = boolean ? type == JSON_TRUE : read_number(reader, value);
    return dgmi_io_collect_number(&reader->graph, column, node, number);
}

static dgm_status read_node(json_reader *reader, size_t index, json_t *node) {
    const char *key;
    json_t *value;
    uint32_t number;
    if (json_typeof(node) != JSON_OBJECT)
        return fail(reader, "nodes", index, "is no object {\"id\": ...}");
    json_t *id = json_object_get(node, "id");
    if (reader->numbered && !id) {
        reader->id.length = 0;
        dgmi_text_integer(&reader->id, (int64_t)index);
    } else if (!id) {
        return fail(reader, "nodes", index, "has no id");
    } else if (reader->numbered) {
        return fail(reader, "nodes", index, "has an id, others have none");
    } else if (!read_id(&reader->id, id)) {
        return fail(reader, "nodes", index, "has an id that is neither text nor number");
    }
    dgm_status status = reader->id.status;
    if (status == DGM_OK)
        status = dgmi_io_collect_node(&reader->graph, reader->id.data, (size_t)reader->id.length, 0,
                                      &number);
    json_object_foreach(node, key, value) {
        if (status == DGM_OK && value != id)
            status = add_attribute(reader, number, key, value);
    }
    return status;
}

static dgm_status read_end(json_reader *reader, const char *list, size_t index, const json_t *id,
                           dgmi_text *out) {
    if (!id)
        return fail(reader, list, index, "has no source or no target");
    if (!read_id(out, id))
        return fail(reader, list, index, "has an end that is neither text nor number");
    if (out->status == DGM_OK &&
        dgmi_graph_names_find(&reader->graph.ids, out->data, (size_t)out->length) < 0)
        return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file,
                            "%s[%zu] names the node '%s', which is not among the nodes", list,
                            index, out->data);
    return out->status;
}

static void leave_attributes(json_reader *reader, json_t *link, const json_t *weight) {
    static const char *const known[] = {"source", "target", "id", "key", NULL};
    const char *key;
    json_t *value;
    json_object_foreach(link, key, value) {
        bool other = value != weight;
        for (const char *const *name = known; *name; name++)
            other &= strcmp(key, *name) != 0;
        if (other)
            dgmi_io_collect_leave_edge_attribute(&reader->graph, key, strlen(key));
    }
}

static dgm_status read_link(json_reader *reader, const char *list, size_t index, json_t *link,
                            bool directed) {
    if (json_typeof(link) != JSON_OBJECT)
        return fail(reader, list, index, "is no object {\"source\": ..., \"target\": ...}");
    dgm_status status = read_end(reader, list, index, json_object_get(link, "source"), &reader->id);
    if (status == DGM_OK)
        status = read_end(reader, list, index, json_object_get(link, "target"), &reader->target);
    if (status != DGM_OK)
        return status;
    json_t *weight = json_object_get(link, "weight");
    if (!weight && json_is_number(json_object_get(link, "value")))
        weight = json_object_get(link, "value");
    bool weighted = json_is_number(weight);
    if (weight && !weighted && json_typeof(weight) != JSON_NULL)
        return fail(reader, list, index, "has a weight that is no number");
    leave_attributes(reader, link, weight);
    double number = weighted ? read_number(reader, weight) : 1;
    return dgmi_io_collect_edge(&reader->graph, reader->id.data, reader->target.data, 0,
                                directed ? DGMI_IO_EDGE_DIRECTED : DGMI_IO_EDGE_UNDIRECTED,
                                weighted ? &number : NULL);
}

/* ---- the whole ---- */

static dgm_status check_root(const json_reader *reader, const json_t *root, const char **list) {
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format && strcmp(format, "dgm-summary") == 0)
        return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file,
                            "this is a summary, not a graph: give the graph that it was made from");
    bool links = json_is_array(json_object_get(root, "links"));
    bool edges = json_is_array(json_object_get(root, "edges"));
    *list = links ? "links" : "edges";
    if (!json_is_array(json_object_get(root, "nodes")) || !(links || edges))
        return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file,
                            "expected an object with the lists \"nodes\" and \"links\" or "
                            "\"edges\"");
    if (links && edges)
        return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, reader->file,
                            "both \"links\" and \"edges\": expected one of them");
    return DGM_OK;
}

static dgm_status step(const json_reader *reader, size_t index) {
    return index % STEP ? DGM_OK : dgmi_progress(reader->ctx, "reading the graph", -1);
}

static dgm_status read_lists(json_reader *reader, json_t *root, const char *list) {
    json_t *nodes = json_object_get(root, "nodes"), *links = json_object_get(root, list);
    bool directed = json_is_true(json_object_get(root, "directed"));
    dgm_status status = DGM_OK;
    json_t *first = json_array_get(nodes, 0);
    reader->numbered = json_is_object(first) && !json_object_get(first, "id");
    for (size_t i = 0; status == DGM_OK && i < json_array_size(nodes); i++) {
        status = step(reader, i);
        if (status == DGM_OK)
            status = read_node(reader, i, json_array_get(nodes, i));
    }
    for (size_t i = 0; status == DGM_OK && i < json_array_size(links); i++) {
        status = step(reader, i);
        if (status == DGM_OK)
            status = read_link(reader, list, i, json_array_get(links, i), directed);
    }
    return status;
}

dgm_status dgmi_io_read_json(dgm_context *ctx, dgmi_bytes_stream *stream,
                             const dgm_graph_options *options, dgm_graph_builder *builder) {
    json_reader reader = {.ctx = ctx, .file = dgmi_bytes_stream_name(stream)};
    json_t *root = NULL;
    const char *list = NULL;
    dgmi_text_init(&reader.id, ctx);
    dgmi_text_init(&reader.target, ctx);
    dgmi_io_collect_open(&reader.graph, ctx, reader.file, options, builder);
    reader.graph.spelled_infinity = true;
    dgm_status status = dgmi_bytes_json_load(ctx, stream, "reading the graph", &root);
    if (status == DGM_OK)
        status = check_root(&reader, root, &list);
    if (status == DGM_OK)
        status = read_lists(&reader, root, list);
    json_decref(root);
    if (status == DGM_OK)
        status = dgmi_io_collect_finish(&reader.graph);
    dgmi_text_free(&reader.id);
    dgmi_text_free(&reader.target);
    dgmi_io_collect_free(&reader.graph);
    return status;
}

/* ---- writing ---- */

static void write_text(dgmi_io_emit *emit, const char *text) {
    dgmi_io_emit_string(emit, "\"");
    dgmi_io_emit_text(emit, text);
    dgmi_io_emit_string(emit, "\"");
}

static void write_id(dgmi_io_emit *emit, int64_t node) {
    const char *quote = dgm_graph_name_base(emit->graph) < 0 ? "\"" : "";
    dgmi_io_emit_string(emit, quote);
    dgmi_io_emit_name(emit, node);
    dgmi_io_emit_string(emit, quote);
}

static void write_node(dgmi_io_emit *emit, int64_t node) {
    dgmi_io_emit_string(emit, node ? ",\n{\"id\": " : "\n{\"id\": ");
    write_id(emit, node);
    for (int64_t k = 0; k < emit->column_count; k++) {
        double value = 0;
        const char *text;
        if (!dgmi_io_emit_entry(&emit->columns[k], node, &value, &text))
            continue;
        dgmi_io_emit_string(emit, ", ");
        write_text(emit, emit->columns[k].name);
        dgmi_io_emit_string(emit, ": ");
        if (text)
            write_text(emit, text);
        else if (isinf(value))
            dgmi_io_emit_string(emit, value > 0 ? "\"inf\"" : "\"-inf\"");
        else
            dgmi_text_real(&emit->text, value);
    }
    dgmi_io_emit_string(emit, "}");
}

static void write_edge(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                       const double *weight) {
    dgmi_io_emit_string(emit, edge ? ",\n{\"source\": " : "\n{\"source\": ");
    write_id(emit, u);
    dgmi_io_emit_string(emit, ", \"target\": ");
    write_id(emit, v);
    if (weight) {
        dgmi_io_emit_string(emit, ", \"weight\": ");
        dgmi_text_real(&emit->text, *weight);
    }
    dgmi_io_emit_string(emit, "}");
}

dgm_status dgmi_io_write_json(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    static const char *const label_names[] = {"label", "class", "y", NULL};
    static const dgmi_io_emit_style style = {"JSON", dgmi_escape_json, label_names, "id", false};
    dgmi_io_emit emit;
    dgmi_io_emit_open(&emit, ctx, graph, output, &style);
    dgmi_text_format(&emit.text,
                     "{\"directed\": %s, \"multigraph\": false, \"graph\": {},\n\"nodes\": [",
                     dgm_graph_get_rows(graph).directed ? "true" : "false");
    for (int64_t u = 0; u < dgm_graph_nodes(graph) && dgmi_io_emit_step(&emit); u++)
        write_node(&emit, u);
    dgmi_io_emit_string(&emit, "],\n\"edges\": [");
    dgmi_io_emit_edges(&emit, write_edge);
    dgmi_io_emit_string(&emit, "]}\n");
    return dgmi_io_emit_close(&emit);
}
