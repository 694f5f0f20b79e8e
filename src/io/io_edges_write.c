/* SPDX-License-Identifier: Apache-2.0 */
/* Writes edge lists: commas and a header in .csv, tabs in .tsv, blanks elsewhere. Each edge stands
 * once.
 *
 * What two columns cannot say is left in directives (io_edges.c), and only where it is needed:
 * isolated nodes, numbers that count from 1, names that look like numbers, an order of names that
 * is not the order of their appearance.
 */
#include <string.h>

#include "base_context.h"
#include "base_text.h"
#include "io_edges.h"
#include "io_formats.h"

enum { PROGRESS_ROWS = 1 << 16 };

typedef struct edge_writer {
    dgm_context *ctx;
    const dgm_graph *graph;
    dgm_graph_rows rows;
    dgmi_bytes_output *output;
    dgmi_text text;
    char separator;
    bool named;
    int64_t appeared; /* named: nodes below this were written */
} edge_writer;

/* Whether the reader would take the bare name for something else. */
static bool needs_quotes(const char *name, size_t length) {
    if (length == 0 || *name == '#' || *name == '%' || (*name == '/' && name[1] == '/') ||
        strncmp(name, "\xef\xbb\xbf", 3) == 0) /* a byte order mark, if it stands first */
        return true;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] <= ' ' || strchr(",;\"", name[i]))
            return true;
    double value; /* two numbers with fractions look like a point */
    return !dgmi_io_edge_is_whole(name, (int64_t)length) && dgmi_parse_real(name, length, &value);
}

static void write_name(edge_writer *writer, const char *name, size_t length) {
    dgmi_text *text = &writer->text;
    if (!needs_quotes(name, length)) {
        dgmi_text_append(text, name, length);
        return;
    }
    dgmi_text_append(text, "\"", 1);
    for (const char *quote; (quote = memchr(name, '"', length));) {
        size_t part = (size_t)(quote - name) + 1;
        dgmi_text_append(text, name, part);
        dgmi_text_append(text, "\"", 1);
        name += part;
        length -= part;
    }
    dgmi_text_append(text, name, length);
    dgmi_text_append(text, "\"", 1);
}

static void write_node(edge_writer *writer, int64_t node) {
    size_t length;
    const char *name = dgm_graph_name_text(writer->graph, node, &length);
    if (name)
        write_name(writer, name, length);
    else
        dgmi_text_integer(&writer->text, node + dgm_graph_name_base(writer->graph));
}

static void declare_nodes(edge_writer *writer, int64_t end) {
    for (; writer->appeared < end; writer->appeared++) {
        dgmi_text_string(&writer->text, "# dgm node ");
        write_node(writer, writer->appeared);
        dgmi_text_append(&writer->text, "\n", 1);
    }
}

/* Makes sure that names appear in the order of the nodes. */
static void prepare_nodes(edge_writer *writer, int64_t source, int64_t target) {
    int64_t next = writer->appeared + (source == writer->appeared);
    next += target == next;
    int64_t larger = source > target ? source : target;
    if (larger >= next)
        declare_nodes(writer, larger + 1);
    else
        writer->appeared = next;
}

static void write_edge(edge_writer *writer, int64_t source, int64_t place) {
    dgmi_text *text = &writer->text;
    int64_t target = writer->rows.targets[place];
    if (writer->named)
        prepare_nodes(writer, source, target);
    write_node(writer, source);
    dgmi_text_append(text, &writer->separator, 1);
    write_node(writer, target);
    if (writer->rows.weights) {
        dgmi_text_append(text, &writer->separator, 1);
        dgmi_text_real(text, writer->rows.weights[place]);
    }
    dgmi_text_append(text, "\n", 1);
}

static dgm_status write_rows(edge_writer *writer) {
    const dgm_graph_rows *rows = &writer->rows;
    dgm_status status = DGM_OK;
    for (int64_t u = 0; status == DGM_OK && u < rows->nodes; u++) {
        for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++)
            if (rows->directed || rows->targets[i] >= u)
                write_edge(writer, u, i);
        status = dgmi_bytes_output_drain(writer->output, &writer->text, false);
        if (status == DGM_OK && u % PROGRESS_ROWS == 0)
            status = dgmi_progress(writer->ctx, "writing edges", (double)u / (double)rows->nodes);
    }
    return status;
}

static bool has_numeric_names(const dgm_graph *graph) {
    for (int64_t node = 0; node < dgm_graph_nodes(graph); node++) {
        size_t length;
        const char *name = dgm_graph_name_text(graph, node, &length);
        if (dgmi_io_edge_is_whole(name, (int64_t)length))
            return true;
    }
    return false;
}

/* Whether some name is a word that a header could hold. */
static bool has_header_names(const dgm_graph *graph) {
    for (int64_t node = 0; node < dgm_graph_nodes(graph); node++) {
        size_t length;
        const char *name = dgm_graph_name_text(graph, node, &length);
        if (dgmi_io_edge_role_of(name, (int64_t)length) != DGMI_IO_ROLE_OTHER)
            return true;
    }
    return false;
}

/* Whether most numbers have no edge: the reader takes that for a mistake unless it is told. */
static bool is_gappy(const dgm_graph_rows *rows) {
    int64_t met = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        met += rows->offsets[u + 1] > rows->offsets[u];
    return 2 * met < rows->nodes;
}

static int64_t highest_node(const dgm_graph_rows *rows) {
    int64_t highest = -1;
    for (int64_t u = rows->nodes - 1; u >= 0 && highest < 0; u--)
        if (rows->offsets[u + 1] > rows->offsets[u])
            highest = u;
    for (int64_t i = 0; rows->directed && i < rows->entries; i++)
        highest = rows->targets[i] > highest ? rows->targets[i] : highest;
    return highest;
}

static void write_header(edge_writer *writer) {
    const char *const columns[] = {"source", "target", "weight"};
    int count = writer->rows.weights ? 3 : 2;
    for (int c = 0; c < count; c++) {
        if (c > 0)
            dgmi_text_append(&writer->text, &writer->separator, 1);
        dgmi_text_string(&writer->text, columns[c]);
    }
    dgmi_text_append(&writer->text, "\n", 1);
}

static void write_top(edge_writer *writer) {
    const dgm_graph *graph = writer->graph;
    bool header = writer->separator == ',';
    if (writer->named) {
        bool numeric = has_numeric_names(graph);
        if (numeric)
            dgmi_text_string(&writer->text, "# dgm names\n");
        header = header || numeric || has_header_names(graph);
    } else {
        if (dgm_graph_name_base(graph) > 0)
            dgmi_text_format(&writer->text, "# dgm base %lld\n",
                             (long long)dgm_graph_name_base(graph));
        if (writer->rows.entries == 0 || is_gappy(&writer->rows) ||
            highest_node(&writer->rows) + 1 < writer->rows.nodes)
            dgmi_text_format(&writer->text, "# dgm nodes %lld\n", (long long)writer->rows.nodes);
    }
    if (header)
        write_header(writer);
}

dgm_status dgmi_io_write_edges(dgm_context *ctx, const dgm_graph *graph,
                               dgmi_bytes_output *output) {
    const char *name = dgmi_bytes_output_inner_name(output);
    edge_writer writer = {.ctx = ctx,
                          .graph = graph,
                          .rows = dgm_graph_get_rows(graph),
                          .output = output,
                          .named = dgm_graph_name_base(graph) < 0};
    writer.separator = dgmi_bytes_ends_with(name, ".csv")                             ? ','
                       : dgmi_bytes_ends_with(name, ".tsv") || strcmp(name, "-") == 0 ? '\t'
                                                                                      : ' ';
    dgmi_io_note_losses(ctx, graph, output, DGMI_IO_KEEPS_NAMES | DGMI_IO_KEEPS_WEIGHTS);
    dgmi_text_init(&writer.text, ctx);
    write_top(&writer);
    dgm_status status = write_rows(&writer);
    if (status == DGM_OK && writer.named)
        declare_nodes(&writer, writer.rows.nodes);
    if (status == DGM_OK)
        status = dgmi_bytes_output_drain(output, &writer.text, true);
    dgmi_text_free(&writer.text);
    return status;
}
