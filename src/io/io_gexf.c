/* SPDX-License-Identifier: Apache-2.0 */
/* GEXF 1.1 to 1.3 (gexf.net), as Gephi and NetworkX write it.
 *
 * Read: nodes with their attributes, also nested ones; an edge's weight is its attribute `weight`,
 * or the declared one titled "weight". Colours and places (viz), times and the hierarchy are left
 * out, the last two with a note. A node's label becomes the attribute "label" unless every label is
 * the node's id. Written: 1.2; the text attribute "label", or the name, as the node's label; class
 * labels as the attribute "class".
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

typedef enum { KIND_TEXT, KIND_NUMBER, KIND_BOOLEAN } value_kind;

typedef struct {
    value_kind kind;
    bool is_weight;  /* of edges */
    uint32_t column; /* of nodes */
    char *title;
} gexf_attribute;

/* Declared attributes of nodes, or of edges, by id. */
typedef struct {
    dgmi_graph_names ids;
    gexf_attribute *list;
    int64_t capacity;
} gexf_attributes;

typedef struct {
    dgm_context *ctx;
    dgmi_io_collector graph;
    gexf_attributes of_nodes, of_edges;
    bool edge_class;          /* <attributes class="edge"> is under way */
    gexf_attribute *declared; /* <attribute> under way, of nodes; or NULL */
    bool had_graph;
    dgmi_io_direction direction;          /* defaultedgetype */
    uint32_t nodes[DGMI_BYTES_XML_DEPTH]; /* under way, from the outermost inwards */
    int node_depth;
    bool declared_label; /* an attribute of nodes is titled "label" */
    bool timed, nested, label_lost;
    /* the edge under way */
    char *source, *target;
    dgmi_io_direction edge_direction;
    double weight, weight_value; /* the attribute, the declared one; NaN: none */
    int64_t line;
} gexf_reader;

enum {
    OUTSIDE,
    IN_FILE,
    IN_GRAPH,
    IN_ATTRIBUTES,
    IN_ATTRIBUTE,
    IN_DEFAULT,
    IN_NODES,
    IN_NODE,
    IN_NODE_VALUES,
    IN_EDGES,
    IN_EDGE,
    IN_EDGE_VALUES,
    IN_NOTHING,
};

/* ---- declarations ---- */

static value_kind kind_of(const char *type) {
    static const char *const numbers[] = {"integer", "long", "float",      "double",     "short",
                                          "byte",    "int",  "bigdecimal", "biginteger", NULL};
    if (strcasecmp(type, "boolean") == 0)
        return KIND_BOOLEAN;
    for (const char *const *name = numbers; *name; name++)
        if (strcasecmp(type, *name) == 0)
            return KIND_NUMBER;
    return KIND_TEXT;
}

static bool has_times(const char **attributes) {
    static const char *const times[] = {"start",     "end",     "startopen", "endopen",
                                        "timestamp", "timeset", NULL};
    for (const char *const *name = times; *name; name++)
        if (dgmi_bytes_xml_attribute(attributes, *name))
            return true;
    return false;
}

static bool is_equal(const char *value, const char *word) {
    return value && strcmp(value, word) == 0;
}

static dgm_status start_attributes(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    (void)xml;
    gexf_reader *reader = user;
    reader->edge_class = is_equal(dgmi_bytes_xml_attribute(attributes, "class"), "edge");
    reader->timed |= is_equal(dgmi_bytes_xml_attribute(attributes, "mode"), "dynamic");
    return DGM_OK;
}

static dgm_status declare(gexf_reader *reader, dgmi_bytes_xml *xml, gexf_attributes *into,
                          const char *id, gexf_attribute **out) {
    uint32_t index;
    int64_t known = into->ids.count;
    void *list = into->list;
    dgm_status status =
        dgmi_reserve(reader->ctx, &list, &into->capacity, known + 1, sizeof *into->list);
    into->list = list;
    if (status != DGM_OK)
        return status;
    into->list[known] = (gexf_attribute){0};
    status = dgmi_graph_names_intern(reader->ctx, &into->ids, id, strlen(id), &index);
    if (status == DGM_OK && index != known) {
        dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "attribute '%s' is declared twice", id);
        return DGM_ERROR_FORMAT;
    }
    *out = &into->list[known];
    return status;
}

static dgm_status start_attribute(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    gexf_attribute *declared = NULL;
    const char *id = dgmi_bytes_xml_need(xml, attributes, "id");
    const char *title = dgmi_bytes_xml_attribute(attributes, "title");
    const char *type = dgmi_bytes_xml_attribute(attributes, "type");
    reader->declared = NULL;
    if (!id)
        return DGM_ERROR_FORMAT;
    dgm_status status = declare(
        reader, xml, reader->edge_class ? &reader->of_edges : &reader->of_nodes, id, &declared);
    if (status != DGM_OK)
        return status;
    declared->kind = kind_of(type ? type : "string");
    declared->title = dgmi_strdup(reader->ctx, title ? title : id);
    if (!declared->title)
        return DGM_ERROR_MEMORY;
    declared->is_weight = reader->edge_class && strcasecmp(declared->title, "weight") == 0;
    if (reader->edge_class)
        return DGM_OK;
    reader->declared = declared;
    reader->declared_label |= strcmp(declared->title, "label") == 0;
    status = dgmi_io_collect_column(&reader->graph, declared->title, strlen(declared->title),
                                    &declared->column);
    if (status == DGM_OK && declared->kind == KIND_TEXT)
        reader->graph.columns[declared->column].declared_text = true;
    return status;
}

/* A number or a boolean; NaN where there is nothing. */
static dgm_status read_number(gexf_reader *reader, dgmi_bytes_xml *xml,
                              const gexf_attribute *declared, const char *text, double *value) {
    *value = NAN;
    if (text[strspn(text, " \t\r\n")] == '\0')
        return DGM_OK;
    if (declared->kind == KIND_BOOLEAN
            ? dgmi_io_collect_parse_boolean(&reader->graph, text, strlen(text), value)
            : dgmi_io_collect_parse(&reader->graph, text, strlen(text), value))
        return DGM_OK;
    return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "'%s' is '%.40s': expected %s",
                               declared->title, text,
                               declared->kind == KIND_BOOLEAN ? "true or false" : "a number");
}

static dgm_status end_default(void *user, dgmi_bytes_xml *xml) {
    gexf_reader *reader = user;
    const gexf_attribute *declared = reader->declared;
    size_t length;
    const char *text = dgmi_bytes_xml_text(xml, &length);
    double value;
    if (!declared)
        return DGM_OK;
    if (declared->kind == KIND_TEXT)
        return dgmi_io_collect_default_text(&reader->graph, declared->column, text, length);
    dgm_status status = read_number(reader, xml, declared, text, &value);
    if (status == DGM_OK && !isnan(value))
        status = dgmi_io_collect_default_number(&reader->graph, declared->column, value);
    return status;
}

/* ---- graph and nodes ---- */

static dgm_status find_direction(dgmi_bytes_xml *xml, const char *type,
                                 dgmi_io_direction *direction) {
    if (is_equal(type, "directed"))
        *direction = DGMI_IO_EDGE_DIRECTED;
    else if (is_equal(type, "undirected"))
        *direction = DGMI_IO_EDGE_UNDIRECTED;
    else if (is_equal(type, "mutual"))
        *direction = DGMI_IO_EDGE_MUTUAL;
    else if (type)
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "the edge type '%s' is none of directed, undirected, mutual",
                                   type);
    return DGM_OK;
}

static dgm_status start_graph(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    if (reader->had_graph)
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "a second graph: only files of one are read");
    reader->had_graph = true;
    reader->timed |= is_equal(dgmi_bytes_xml_attribute(attributes, "mode"), "dynamic");
    return find_direction(xml, dgmi_bytes_xml_attribute(attributes, "defaultedgetype"),
                          &reader->direction);
}

static dgm_status add_label(gexf_reader *reader, uint32_t node, const char *id, const char *label) {
    uint32_t column;
    if (!label)
        return DGM_OK;
    if (reader->declared_label) {
        reader->label_lost |= strcmp(label, id) != 0;
        return DGM_OK;
    }
    dgm_status status = dgmi_io_collect_column(&reader->graph, "label", 5, &column);
    if (status == DGM_OK)
        status = dgmi_io_collect_text(&reader->graph, column, node, label, strlen(label));
    return status;
}

static dgm_status start_node(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    uint32_t node;
    const char *id = dgmi_bytes_xml_need(xml, attributes, "id");
    if (!id)
        return DGM_ERROR_FORMAT;
    reader->timed |= has_times(attributes);
    reader->nested |= reader->node_depth > 0 || dgmi_bytes_xml_attribute(attributes, "pid") != NULL;
    dgm_status status =
        dgmi_io_collect_node(&reader->graph, id, strlen(id), dgmi_bytes_xml_line(xml), &node);
    reader->nodes[reader->node_depth++] = node;
    if (status == DGM_OK)
        status = add_label(reader, node, id, dgmi_bytes_xml_attribute(attributes, "label"));
    return status;
}

static dgm_status end_node(void *user, dgmi_bytes_xml *xml) {
    (void)xml;
    gexf_reader *reader = user;
    reader->node_depth--;
    return DGM_OK;
}

/* <attvalue for="id" value="...">; versions before 1.2 say id for for. */
static dgm_status find_value(dgmi_bytes_xml *xml, const gexf_attributes *among,
                             const char **attributes, const gexf_attribute **declared,
                             const char **value) {
    const char *id = dgmi_bytes_xml_attribute(attributes, "for");
    if (!id)
        id = dgmi_bytes_xml_attribute(attributes, "id");
    if (!id)
        id = dgmi_bytes_xml_need(xml, attributes, "for");
    *value = id ? dgmi_bytes_xml_need(xml, attributes, "value") : NULL;
    if (!*value)
        return DGM_ERROR_FORMAT;
    int64_t index = dgmi_graph_names_find(&among->ids, id, strlen(id));
    if (index < 0) {
        dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                            "<attvalue> is for '%s', which no <attribute> before it declares", id);
        return DGM_ERROR_FORMAT;
    }
    *declared = &among->list[index];
    return DGM_OK;
}

static dgm_status start_node_value(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    const gexf_attribute *declared;
    const char *text;
    double number;
    uint32_t node = reader->nodes[reader->node_depth - 1];
    reader->timed |= has_times(attributes);
    dgm_status status = find_value(xml, &reader->of_nodes, attributes, &declared, &text);
    if (status != DGM_OK)
        return status;
    if (declared->kind == KIND_TEXT)
        return dgmi_io_collect_text(&reader->graph, declared->column, node, text, strlen(text));
    status = read_number(reader, xml, declared, text, &number);
    if (status == DGM_OK)
        status = dgmi_io_collect_number(&reader->graph, declared->column, node, number);
    return status;
}

/* ---- edges ---- */

static dgm_status keep_id(gexf_reader *reader, char **field, const char *id) {
    dgmi_free(reader->ctx, *field);
    *field = dgmi_strdup(reader->ctx, id);
    return *field ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status read_weight(gexf_reader *reader, dgmi_bytes_xml *xml, const char *text,
                              double *weight) {
    if (dgmi_io_collect_parse(&reader->graph, text, strlen(text), weight) && isfinite(*weight))
        return DGM_OK;
    return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "the weight '%.40s' is not a finite number",
                               text);
}

static dgm_status start_edge(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    const char *source = dgmi_bytes_xml_need(xml, attributes, "source");
    const char *target = source ? dgmi_bytes_xml_need(xml, attributes, "target") : NULL;
    const char *weight = dgmi_bytes_xml_attribute(attributes, "weight");
    const char *label = dgmi_bytes_xml_attribute(attributes, "label");
    if (!target)
        return DGM_ERROR_FORMAT;
    reader->timed |= has_times(attributes);
    if (label && *label)
        dgmi_io_collect_leave_edge_attribute(&reader->graph, "label", 5);
    reader->edge_direction = reader->direction;
    reader->weight = reader->weight_value = NAN;
    reader->line = dgmi_bytes_xml_line(xml);
    dgm_status status =
        find_direction(xml, dgmi_bytes_xml_attribute(attributes, "type"), &reader->edge_direction);
    if (status == DGM_OK && weight)
        status = read_weight(reader, xml, weight, &reader->weight);
    if (status == DGM_OK)
        status = keep_id(reader, &reader->source, source);
    return status == DGM_OK ? keep_id(reader, &reader->target, target) : status;
}

static dgm_status start_edge_value(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    gexf_reader *reader = user;
    const gexf_attribute *declared;
    const char *text;
    reader->timed |= has_times(attributes);
    dgm_status status = find_value(xml, &reader->of_edges, attributes, &declared, &text);
    if (status != DGM_OK)
        return status;
    if (declared->is_weight)
        return read_weight(reader, xml, text, &reader->weight_value);
    if (strcmp(declared->title, "networkx_key") != 0)
        dgmi_io_collect_leave_edge_attribute(&reader->graph, declared->title,
                                             strlen(declared->title));
    return DGM_OK;
}

static dgm_status end_edge(void *user, dgmi_bytes_xml *xml) {
    (void)xml;
    gexf_reader *reader = user;
    double weight = isnan(reader->weight) ? reader->weight_value : reader->weight;
    return dgmi_io_collect_edge(&reader->graph, reader->source, reader->target, reader->line,
                                reader->edge_direction, isnan(weight) ? NULL : &weight);
}

static dgm_status see_time(void *user, dgmi_bytes_xml *xml, const char **attributes) {
    (void)xml, (void)attributes;
    ((gexf_reader *)user)->timed = true;
    return DGM_OK;
}

static const dgmi_bytes_xml_rule rules[] = {
    {OUTSIDE, "gexf", IN_FILE, false, NULL, NULL},
    {IN_FILE, "graph", IN_GRAPH, false, start_graph, NULL},
    {IN_GRAPH, "attributes", IN_ATTRIBUTES, false, start_attributes, NULL},
    {IN_ATTRIBUTES, "attribute", IN_ATTRIBUTE, false, start_attribute, NULL},
    {IN_ATTRIBUTE, "default", IN_DEFAULT, true, NULL, end_default},
    {IN_GRAPH, "nodes", IN_NODES, false, NULL, NULL},
    {IN_NODES, "node", IN_NODE, false, start_node, end_node},
    {IN_NODE, "attvalues", IN_NODE_VALUES, false, NULL, NULL},
    {IN_NODE_VALUES, "attvalue", IN_NOTHING, false, start_node_value, NULL},
    {IN_NODE, "nodes", IN_NODES, false, NULL, NULL},
    {IN_NODE, "edges", IN_EDGES, false, NULL, NULL},
    {IN_NODE, "spells", IN_NOTHING, false, see_time, NULL},
    {IN_GRAPH, "edges", IN_EDGES, false, NULL, NULL},
    {IN_EDGES, "edge", IN_EDGE, false, start_edge, end_edge},
    {IN_EDGE, "attvalues", IN_EDGE_VALUES, false, NULL, NULL},
    {IN_EDGE_VALUES, "attvalue", IN_NOTHING, false, start_edge_value, NULL},
    {IN_EDGE, "spells", IN_NOTHING, false, see_time, NULL},
    {0, NULL, 0, false, NULL, NULL},
};

static void free_attributes(dgm_context *ctx, gexf_attributes *attributes) {
    for (int64_t k = 0; k < attributes->ids.count; k++)
        dgmi_free(ctx, attributes->list[k].title);
    dgmi_free(ctx, attributes->list);
    dgmi_graph_names_free(&ctx->allocator, &attributes->ids);
}

static void free_reader(gexf_reader *reader) {
    free_attributes(reader->ctx, &reader->of_nodes);
    free_attributes(reader->ctx, &reader->of_edges);
    dgmi_free(reader->ctx, reader->source);
    dgmi_free(reader->ctx, reader->target);
    dgmi_io_collect_free(&reader->graph);
}

static void say_notes(const gexf_reader *reader) {
    const char *file = reader->graph.file;
    if (reader->timed)
        dgmi_note(reader->ctx, "%s: the graph changes with time; times are left out", file);
    if (reader->nested)
        dgmi_note(reader->ctx, "%s: nodes inside nodes are read as plain nodes", file);
    if (reader->label_lost)
        dgmi_note(reader->ctx, "%s: labels of nodes give way to the attribute titled 'label'",
                  file);
}

dgm_status dgmi_io_read_gexf(dgm_context *ctx, dgmi_bytes_stream *stream,
                             const dgm_graph_options *options, dgm_graph_builder *builder) {
    gexf_reader reader = {.ctx = ctx};
    dgmi_io_collect_open(&reader.graph, ctx, dgmi_bytes_stream_name(stream), options, builder);
    reader.graph.label_may_be_name = true;
    dgm_status status = dgmi_bytes_xml_read(ctx, stream, rules, &reader);
    if (status == DGM_OK && !reader.had_graph)
        status = dgmi_fail_in(ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name(stream),
                              "the file holds no <graph>");
    if (status == DGM_OK)
        status = dgmi_io_collect_finish(&reader.graph);
    if (status == DGM_OK)
        say_notes(&reader);
    free_reader(&reader);
    return status;
}

/* ---- writing ---- */

/* The text column that is the nodes' label; -1: their names are. */
static int64_t label_column(const dgmi_io_emit *emit) {
    for (int64_t k = 0; k < emit->column_count; k++)
        if (emit->columns[k].texts && strcmp(emit->columns[k].name, "label") == 0 &&
            dgmi_io_emit_has_values(emit, &emit->columns[k]))
            return k;
    return -1;
}

static void write_attributes(dgmi_io_emit *emit) {
    int64_t label = label_column(emit);
    if (emit->column_count == (label >= 0))
        return;
    dgmi_io_emit_string(emit, "    <attributes class=\"node\" mode=\"static\">\n");
    for (int64_t k = 0; k < emit->column_count && dgmi_io_emit_step(emit); k++) {
        const dgmi_io_emit_column *column = &emit->columns[k];
        if (k == label)
            continue;
        dgmi_text_format(&emit->text, "      <attribute id=\"%lld\" title=\"", (long long)k);
        dgmi_io_emit_text(emit, column->name);
        dgmi_text_format(&emit->text, "\" type=\"%s\"/>\n",
                         column->texts   ? "string"
                         : column->whole ? "long"
                                         : "double");
    }
    dgmi_io_emit_string(emit, "    </attributes>\n");
}

static void write_value(dgmi_io_emit *emit, int64_t column, int64_t node, bool *any) {
    double value = 0;
    const char *text;
    if (!dgmi_io_emit_entry(&emit->columns[column], node, &value, &text))
        return;
    dgmi_text_format(&emit->text, "%s<attvalue for=\"%lld\" value=\"", *any ? "" : "<attvalues>",
                     (long long)column);
    if (text)
        dgmi_io_emit_text(emit, text);
    else if (isinf(value))
        dgmi_io_emit_string(emit, value > 0 ? "Infinity" : "-Infinity");
    else
        dgmi_text_real(&emit->text, value);
    dgmi_io_emit_string(emit, "\"/>");
    *any = true;
}

static void write_node(dgmi_io_emit *emit, int64_t node, int64_t label) {
    bool any = false;
    const char *text = label >= 0 ? emit->columns[label].texts[node] : NULL;
    dgmi_io_emit_string(emit, "      <node id=\"");
    dgmi_io_emit_name(emit, node);
    if (text || label < 0)
        dgmi_io_emit_string(emit, "\" label=\"");
    if (text)
        dgmi_io_emit_text(emit, text);
    else if (label < 0)
        dgmi_io_emit_name(emit, node);
    dgmi_io_emit_string(emit, "\">");
    for (int64_t k = 0; k < emit->column_count; k++)
        if (k != label)
            write_value(emit, k, node, &any);
    dgmi_io_emit_string(emit, any ? "</attvalues></node>\n" : "</node>\n");
}

static void write_edge(dgmi_io_emit *emit, int64_t edge, int64_t u, int64_t v,
                       const double *weight) {
    dgmi_text_format(&emit->text, "      <edge id=\"%lld\" source=\"", (long long)edge);
    dgmi_io_emit_name(emit, u);
    dgmi_io_emit_string(emit, "\" target=\"");
    dgmi_io_emit_name(emit, v);
    if (weight) {
        dgmi_io_emit_string(emit, "\" weight=\"");
        dgmi_text_real(&emit->text, *weight);
    }
    dgmi_io_emit_string(emit, "\"/>\n");
}

dgm_status dgmi_io_write_gexf(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    static const char *const label_names[] = {"class", "y", NULL};
    static const dgmi_io_emit_style style = {"GEXF", dgmi_escape_xml, label_names, NULL, false};
    dgmi_io_emit emit;
    dgmi_io_emit_open(&emit, ctx, graph, output, &style);
    dgmi_text_format(&emit.text,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
                     "  <graph mode=\"static\" defaultedgetype=\"%s\">\n",
                     dgm_graph_get_rows(graph).directed ? "directed" : "undirected");
    write_attributes(&emit);
    dgmi_io_emit_string(&emit, "    <nodes>\n");
    int64_t label = label_column(&emit);
    for (int64_t u = 0; u < dgm_graph_nodes(graph) && dgmi_io_emit_step(&emit); u++)
        write_node(&emit, u, label);
    dgmi_io_emit_string(&emit, "    </nodes>\n    <edges>\n");
    dgmi_io_emit_edges(&emit, write_edge);
    dgmi_io_emit_string(&emit, "    </edges>\n  </graph>\n</gexf>\n");
    return dgmi_io_emit_close(&emit);
}
