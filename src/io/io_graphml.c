/* SPDX-License-Identifier: Apache-2.0 */
/* GraphML (graphml.graphdrawing.org): keys declare attributes, nodes and edges hold <data> for
 * them.
 *
 * Read: one graph without nested graphs, hyperedges or ports. The weight is the edge attribute
 * named "weight" (by attr.name, or by the key's id). Keys without attr.type hold texts; keys of
 * yEd's drawings are skipped. Written: labels as the whole-number attribute "label"; keys n0, n1,
 * ... for nodes, "weight" for edges.
 */
#include "io_formats.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_xml.h"
#include "io_collect.h"
#include "io_emit.h"

typedef enum { KIND_TEXT, KIND_NUMBER, KIND_BOOLEAN, KIND_SKIPPED } key_kind;

typedef struct {
    key_kind kind;
    bool of_nodes, of_edges;
    bool is_weight;  /* of edges */
    bool has_column; /* of nodes; made when a value comes, or at once for for="node" */
    uint32_t column;
    double weight; /* an edge's default; NaN: none */
    char *name;
} graphml_key;

typedef struct {
    dgm_context *ctx;
    dgmi_io_collector graph;
    dgmi_graph_names key_ids;
    graphml_key *keys;
    int64_t key_capacity;
    int64_t key; /* under way: of <key>, or of <data> */
    bool in_graph, had_graph;
    bool directed; /* edgedefault */
    uint32_t node; /* under way */
    /* the edge under way */
    char *source, *target;
    dgmi_io_direction direction;
    double weight; /* NaN: none */
    int64_t line;
} graphml_reader;

enum {
    OUTSIDE,
    IN_FILE,
    IN_KEY,
    IN_DEFAULT,
    IN_GRAPH,
    IN_NODE,
    IN_EDGE,
    IN_NODE_DATA,
    IN_EDGE_DATA
};

/* ---- keys ---- */

static dgm_status find_kind(dgmi_bytes_xml *xml, const char **attributes, key_kind *kind) {
    static const struct {
        const char *name;
        key_kind kind;
    } kinds[] = {{"string", KIND_TEXT},    {"boolean", KIND_BOOLEAN}, {"int", KIND_NUMBER},
                 {"long", KIND_NUMBER},    {"float", KIND_NUMBER},    {"double", KIND_NUMBER},
                 {"integer", KIND_NUMBER}, {NULL, KIND_TEXT}};
    const char *type = dgmi_bytes_xml_attribute(attributes, "attr.type");
    *kind = dgmi_bytes_xml_attribute(attributes, "yfiles.type") ? KIND_SKIPPED : KIND_TEXT;
    if (!type)
        return DGM_OK;
    for (int i = 0; kinds[i].name; i++)
        if (strcasecmp(kinds[i].name, type) == 0) {
            *kind = kinds[i].kind;
            return DGM_OK;
        }
    return dgmi_bytes_xml_fail(
        xml, DGM_ERROR_FORMAT,
        "attr.type '%s' is none of boolean, int, long, float, double, string", type);
}

/* The key's column among the attributes of nodes. */
static dgm_status need_column(graphml_reader *reader, graphml_key *key) {
    if (key->has_column)
        return DGM_OK;
    dgm_status status =
        dgmi_io_collect_column(&reader->graph, key->name, strlen(key->name), &key->column);
    if (status == DGM_OK) {
        key->has_column = true;
        if (key->kind == KIND_TEXT)
            reader->graph.columns[key->column].declared_text = true;
    }
    return status;
}

/* Adds the key of that id, with its name; *key is NULL on failure. */
static dgm_status open_key(graphml_reader *reader, dgmi_bytes_xml *xml, const char *id,
                           const char *name, graphml_key **out) {
    uint32_t index;
    int64_t known = reader->key_ids.count;
    void *keys = reader->keys;
    dgm_status status =
        dgmi_reserve(reader->ctx, &keys, &reader->key_capacity, known + 1, sizeof *reader->keys);
    reader->keys = keys;
    if (status != DGM_OK)
        return status;
    reader->keys[known] = (graphml_key){.weight = NAN};
    status = dgmi_graph_names_intern(reader->ctx, &reader->key_ids, id, strlen(id), &index);
    if (status != DGM_OK)
        return status;
    if (index != known) {
        dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "key '%s' is declared twice", id);
        return DGM_ERROR_FORMAT;
    }
    *out = &reader->keys[known];
    (*out)->name = dgmi_strdup(reader->ctx, name);
    reader->key = known;
    return (*out)->name ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status start_key(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    graphml_reader *reader = user;
    graphml_key *key = NULL;
    const char *id = dgmi_bytes_xml_need(xml, attributes, "id");
    if (!id)
        return DGM_ERROR_FORMAT;
    const char *name = dgmi_bytes_xml_attribute(attributes, "attr.name");
    const char *domain = dgmi_bytes_xml_attribute(attributes, "for");
    dgm_status status = open_key(reader, xml, id, name ? name : id, &key);
    if (status == DGM_OK)
        status = find_kind(xml, attributes, &key->kind);
    if (status != DGM_OK)
        return status;
    bool all = !domain || strcmp(domain, "all") == 0;
    key->of_nodes = all || strcmp(domain, "node") == 0;
    key->of_edges = all || strcmp(domain, "edge") == 0;
    key->is_weight = strcasecmp(key->name, "weight") == 0 || strcasecmp(id, "weight") == 0;
    if (!all && key->of_nodes && key->kind != KIND_SKIPPED)
        return need_column(reader, key);
    return DGM_OK;
}

/* The element's text as the number that the key promises; NaN if there is none. */
static dgm_status read_number(graphml_reader *reader, dgmi_bytes_xml *xml, const graphml_key *key,
                              double *value) {
    size_t length;
    const char *text = dgmi_bytes_xml_text(xml, &length);
    *value = NAN;
    if (strspn(text, " \t\r\n") == length)
        return DGM_OK;
    if (key->kind == KIND_BOOLEAN
            ? dgmi_io_collect_parse_boolean(&reader->graph, text, length, value)
            : dgmi_io_collect_parse(&reader->graph, text, length, value))
        return DGM_OK;
    return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "'%s' is '%.40s': expected %s", key->name,
                               text, key->kind == KIND_BOOLEAN ? "true or false" : "a number");
}

static dgm_status end_default(void *user, dgmi_bytes_xml *xml) {
    graphml_reader *reader = user;
    graphml_key *key = &reader->keys[reader->key];
    double number = NAN;
    size_t length;
    const char *text = dgmi_bytes_xml_text(xml, &length);
    dgm_status status = DGM_OK;
    if (key->kind == KIND_SKIPPED || dgmi_bytes_xml_has_children(xml))
        return DGM_OK;
    if (key->kind != KIND_TEXT || (key->is_weight && !key->of_nodes))
        status = read_number(reader, xml, key, &number);
    if (key->is_weight)
        key->weight = number;
    if (status != DGM_OK || !key->of_nodes)
        return status;
    status = need_column(reader, key);
    if (status == DGM_OK && key->kind == KIND_TEXT)
        return dgmi_io_collect_default_text(&reader->graph, key->column, text, length);
    if (status == DGM_OK && !isnan(number))
        status = dgmi_io_collect_default_number(&reader->graph, key->column, number);
    return status;
}

/* ---- graph, nodes, edges ---- */

static dgm_status start_graph(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    graphml_reader *reader = user;
    if (reader->had_graph)
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "a second graph: only files of one are read");
    const char *edges = dgmi_bytes_xml_attribute(attributes, "edgedefault");
    if (edges && strcmp(edges, "directed") != 0 && strcmp(edges, "undirected") != 0)
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "edgedefault is '%s': expected directed or undirected", edges);
    reader->had_graph = true;
    reader->directed = edges && strcmp(edges, "directed") == 0;
    return DGM_OK;
}

static dgm_status start_node(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    graphml_reader *reader = user;
    const char *id = dgmi_bytes_xml_need(xml, attributes, "id");
    return id ? dgmi_io_collect_node(&reader->graph, id, strlen(id), dgmi_bytes_xml_line(xml),
                                     &reader->node)
              : DGM_ERROR_FORMAT;
}

static dgm_status refuse(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    (void)user, (void)attributes;
    return dgmi_bytes_xml_fail(
        xml, DGM_ERROR_FORMAT,
        "nested graphs, hyperedges and ports are not read: expected plain nodes "
        "and edges");
}

static dgm_status keep_id(graphml_reader *reader, char **field, const char *id) {
    dgmi_free(reader->ctx, *field);
    *field = dgmi_strdup(reader->ctx, id);
    return *field ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status start_edge(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    graphml_reader *reader = user;
    const char *source = dgmi_bytes_xml_need(xml, attributes, "source");
    const char *target = source ? dgmi_bytes_xml_need(xml, attributes, "target") : NULL;
    const char *directed = dgmi_bytes_xml_attribute(attributes, "directed");
    if (!target)
        return DGM_ERROR_FORMAT;
    if (dgmi_bytes_xml_attribute(attributes, "sourceport") ||
        dgmi_bytes_xml_attribute(attributes, "targetport"))
        return refuse(user, xml, attributes);
    bool arc = directed ? strcmp(directed, "true") == 0 : reader->directed;
    reader->direction = arc ? DGMI_IO_EDGE_DIRECTED : DGMI_IO_EDGE_UNDIRECTED;
    reader->weight = NAN;
    reader->line = dgmi_bytes_xml_line(xml);
    dgm_status status = keep_id(reader, &reader->source, source);
    return status == DGM_OK ? keep_id(reader, &reader->target, target) : status;
}

static dgm_status end_edge(void *user, dgmi_bytes_xml *xml) {
    (void)xml;
    graphml_reader *reader = user;
    for (int64_t k = 0; isnan(reader->weight) && k < reader->key_ids.count; k++)
        if (reader->keys[k].of_edges && reader->keys[k].is_weight)
            reader->weight = reader->keys[k].weight;
    return dgmi_io_collect_edge(&reader->graph, reader->source, reader->target, reader->line,
                                reader->direction, isnan(reader->weight) ? NULL : &reader->weight);
}

/* ---- data ---- */

static dgm_status start_data(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    graphml_reader *reader = user;
    const char *id = dgmi_bytes_xml_need(xml, attributes, "key");
    if (!id)
        return DGM_ERROR_FORMAT;
    reader->key = dgmi_graph_names_find(&reader->key_ids, id, strlen(id));
    if (reader->key < 0)
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "<data> has the key '%s', which no <key> before it declares",
                                   id);
    return DGM_OK;
}

static dgm_status end_node_data(void *user, dgmi_bytes_xml *xml) {
    graphml_reader *reader = user;
    graphml_key *key = &reader->keys[reader->key];
    size_t length;
    const char *text = dgmi_bytes_xml_text(xml, &length);
    if (key->kind == KIND_SKIPPED)
        return DGM_OK;
    if (dgmi_bytes_xml_has_children(xml)) {
        dgmi_io_collect_leave_nested(&reader->graph, key->name, strlen(key->name));
        return DGM_OK;
    }
    double number;
    dgm_status status = need_column(reader, key);
    if (status == DGM_OK && key->kind == KIND_TEXT)
        return dgmi_io_collect_text(&reader->graph, key->column, reader->node, text, length);
    if (status == DGM_OK)
        status = read_number(reader, xml, key, &number);
    if (status == DGM_OK)
        status = dgmi_io_collect_number(&reader->graph, key->column, reader->node, number);
    return status;
}

static dgm_status end_edge_data(void *user, dgmi_bytes_xml *xml) {
    graphml_reader *reader = user;
    const graphml_key *key = &reader->keys[reader->key];
    double number;
    if (key->kind == KIND_SKIPPED)
        return DGM_OK;
    if (!key->is_weight || dgmi_bytes_xml_has_children(xml)) {
        dgmi_io_collect_leave_edge_attribute(&reader->graph, key->name, strlen(key->name));
        return DGM_OK;
    }
    dgm_status status = read_number(reader, xml, key, &number);
    /* "NaN" is a text that was there: the edge refuses it. */
    if (status == DGM_OK && isnan(number) && dgmi_bytes_xml_text(xml, &(size_t){0})[0])
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "the weight of an edge is not a finite number");
    reader->weight = number;
    return status;
}

static const dgmi_bytes_xml_rule rules[] = {
    {OUTSIDE, "graphml", IN_FILE, false, NULL, NULL},
    {IN_FILE, "key", IN_KEY, false, start_key, NULL},
    {IN_KEY, "default", IN_DEFAULT, true, NULL, end_default},
    {IN_FILE, "graph", IN_GRAPH, false, start_graph, NULL},
    {IN_GRAPH, "node", IN_NODE, false, start_node, NULL},
    {IN_GRAPH, "edge", IN_EDGE, false, start_edge, end_edge},
    {IN_GRAPH, "hyperedge", IN_GRAPH, false, refuse, NULL},
    {IN_GRAPH, "graph", IN_GRAPH, false, refuse, NULL},
    {IN_NODE, "graph", IN_GRAPH, false, refuse, NULL},
    {IN_NODE, "port", IN_GRAPH, false, refuse, NULL},
    {IN_NODE, "data", IN_NODE_DATA, true, start_data, end_node_data},
    {IN_EDGE, "graph", IN_GRAPH, false, refuse, NULL},
    {IN_EDGE, "data", IN_EDGE_DATA, true, start_data, end_edge_data},
    {0, NULL, 0, false, NULL, NULL},
};

static void free_reader(graphml_reader *reader) {
    for (int64_t k = 0; k < reader->key_ids.count; k++)
        dgmi_free(reader->ctx, reader->keys[k].name);
    dgmi_free(reader->ctx, reader->keys);
    dgmi_free(reader->ctx, reader->source);
    dgmi_free(reader->ctx, reader->target);
    dgmi_graph_names_free(&reader->ctx->allocator, &reader->key_ids);
    dgmi_io_collect_free(&reader->graph);
}

dgm_status dgmi_io_read_graphml(dgm_context *ctx, dgmi_bytes_stream *stream,
                                const dgm_graph_options *options, dgm_graph_builder *builder) {
    graphml_reader reader = {.ctx = ctx};
    dgmi_io_collect_open(&reader.graph, ctx, dgmi_bytes_stream_name(stream), options, builder);
    dgm_status status = dgmi_bytes_xml_read(ctx, stream, rules, &reader);
    if (status == DGM_OK && !reader.had_graph)
        status = dgmi_fail_in(ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name(stream),
                              "the file holds no <graph>");
    if (status == DGM_OK)
        status = dgmi_io_collect_finish(&reader.graph);
    free_reader(&reader);
    return status;
}

/* ---- writing ---- */

static void write_keys(dgmi_io_emit *emit) {
    if (dgm_graph_get_rows(emit->graph).weights)
        dgmi_io_emit_string(emit, "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" "
                                  "attr.type=\"double\"/>\n");
    for (int64_t k = 0; k < emit->column_count && dgmi_io_emit_step(emit); k++) {
        const dgmi_io_emit_column *column = &emit->columns[k];
        dgmi_text_format(&emit->text, "  <key id=\"n%lld\" for=\"node\" attr.name=\"",
                         (long long)k);
        dgmi_io_emit_text(emit, column->name);
        dgmi_text_format(&emit->text, "\" attr.type=\"%s\"/>\n",
                         column->texts   ? "string"
                         : column->whole ? "long"
                                         : "double");
    }
}

/* Java's and Python's word, since readers are mostly theirs. */
static void write_number(dgmi_io_emit *emit, double value) {
    if (isinf(value))
        dgmi_io_emit_string(emit, value > 0 ? "Infinity" : "-Infinity");
    else
        dgmi_text_real(&emit->text, value);
}

static void write_node(dgmi_io_emit *emit, int64_t node) {
    bool any = false;
    dgmi_io_emit_string(emit, "    <node id=\"");
    dgmi_io_emit_name(emit, node);
    for (int64_t k = 0; k < emit->column_count; k++) {
        double value = 0;
        const char *text;
        if (!dgmi_io_emit_entry(&emit->columns[k], node, &value, &text))
            continue;
        dgmi_text_format(&emit->text, "%s<data key=\"n%lld\">", any ? "" : "\">", (long long)k);
        any = true;
        if (text)
            dgmi_io_emit_text(emit, text);
        else
            write_number(emit, value);
        dgmi_io_emit_string(emit, "</data>");
    }
    dgmi_io_emit_string(emit, any ? "</node>\n" : "\"/>\n");
}

static void write_edge(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                       const double *weight) {
    (void)edge;
    dgmi_io_emit_string(emit, "    <edge source=\"");
    dgmi_io_emit_name(emit, u);
    dgmi_io_emit_string(emit, "\" target=\"");
    dgmi_io_emit_name(emit, v);
    if (!weight) {
        dgmi_io_emit_string(emit, "\"/>\n");
        return;
    }
    dgmi_io_emit_string(emit, "\"><data key=\"weight\">");
    dgmi_text_real(&emit->text, *weight);
    dgmi_io_emit_string(emit, "</data></edge>\n");
}

dgm_status dgmi_io_write_graphml(dgm_context *ctx, const dgm_graph *graph,
                                 dgmi_bytes_output *output) {
    static const char *const label_names[] = {"label", "class", "y", NULL};
    static const dgmi_io_emit_style style = {"GraphML", dgmi_escape_xml, label_names, NULL, false};
    dgmi_io_emit emit;
    dgmi_io_emit_open(&emit, ctx, graph, output, &style);
    dgmi_io_emit_string(&emit, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    write_keys(&emit);
    dgmi_text_format(&emit.text, "  <graph id=\"G\" edgedefault=\"%s\">\n",
                     dgm_graph_get_rows(graph).directed ? "directed" : "undirected");
    for (int64_t u = 0; u < dgm_graph_nodes(graph) && dgmi_io_emit_step(&emit); u++)
        write_node(&emit, u);
    dgmi_io_emit_edges(&emit, write_edge);
    dgmi_io_emit_string(&emit, "  </graph>\n</graphml>\n");
    return dgmi_io_emit_close(&emit);
}
