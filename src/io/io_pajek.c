/* SPDX-License-Identifier: Apache-2.0 */
/* Pajek's networks (.net).
 *
 *   *Vertices 3            1 "Ann B" 0.1 0.5 0.5 ellipse     (lines may be missing)
 *   *Arcs, *Edges          1 2 0.5                           (two numbers, and perhaps a weight)
 *   *Arcslist, *Edgeslist  1 2 3                             (a number, and its neighbours)
 *   *Matrix                0 1 0.5                           (one row per vertex)
 *
 * Vertices are numbered from 1; their labels are the nodes' names where no two are alike. Places,
 * shapes and times are left out, with a note. A % begins a comment. Whatever follows the network
 * (partitions, vectors) is not read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "bytes_lines.h"
#include "bytes_scan.h"
#include "io_collect.h"
#include "io_formats.h"

typedef enum { BEFORE, VERTICES, PAIRS, LISTS, MATRIX, BEHIND } section;

typedef struct {
    dgm_context *ctx;
    const dgm_graph_options *options;
    dgmi_bytes_lines lines;
    dgmi_io_collector graph;
    uint32_t labels; /* the column */
    section part;
    dgmi_io_direction direction;
    int64_t vertices; /* promised; -1: not yet */
    int64_t listed;   /* lines of vertices */
    int64_t row;      /* of a matrix */
    bool places;      /* some vertex line says more than a label */
} pajek_reader;

#define fail_line(reader, ...) dgmi_lines_fail(&(reader)->lines, DGM_ERROR_FORMAT, __VA_ARGS__)

/* ---- sections ---- */

static bool is_word(const dgmi_bytes_field *field, const char *word) {
    return strncasecmp(field->text, word, strlen(word)) == 0 &&
           (field->text[strlen(word)] == '\0' || field->text[strlen(word)] == ':');
}

static dgm_status begin_vertices(pajek_reader *reader) {
    if (reader->vertices >= 0)
        return fail_line(reader, "a second *Vertices; one network a file is read");
    if (reader->lines.count < 2)
        return fail_line(reader, "*Vertices is followed by their number");
    reader->part = VERTICES;
    if (reader->lines.count > 2)
        dgmi_note(reader->ctx, "%s: vertices of two kinds are read as nodes of one graph",
                  reader->graph.file);
    return dgmi_bytes_lines_integer(&reader->lines, 1, 0, DGM_MAX_NODES, "a number of vertices",
                                    &reader->vertices);
}

static dgm_status begin_section(pajek_reader *reader) {
    static const struct {
        const char *word;
        section part;
        dgmi_io_direction direction;
    } known[] = {
        {"*arcs", PAIRS, DGMI_IO_EDGE_DIRECTED},     {"*edges", PAIRS, DGMI_IO_EDGE_UNDIRECTED},
        {"*arcslist", LISTS, DGMI_IO_EDGE_DIRECTED}, {"*edgeslist", LISTS, DGMI_IO_EDGE_UNDIRECTED},
        {"*matrix", MATRIX, DGMI_IO_EDGE_DIRECTED},
    };
    const dgmi_bytes_field *head = &reader->lines.fields[0];
    if (is_word(head, "*network"))
        return DGM_OK;
    if (is_word(head, "*vertices"))
        return begin_vertices(reader);
    reader->part = BEHIND;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (is_word(head, known[k].word)) {
            reader->part = known[k].part;
            reader->direction = known[k].direction;
        }
    if (reader->part == BEHIND)
        dgmi_note(reader->ctx, "%s: \"%.40s\" and what follows is not read", reader->graph.file,
                  head->text);
    else if (reader->vertices < 0)
        return fail_line(reader, "%.40s stands before *Vertices", head->text);
    return DGM_OK;
}

/* ---- lines ---- */

static dgm_status take_vertex(pajek_reader *reader) {
    const dgmi_bytes_lines *lines = &reader->lines;
    char id[24];
    int64_t number = 0;
    uint32_t node;
    dgm_status status =
        dgmi_bytes_lines_integer(lines, 0, 1, reader->vertices, "a vertex (from 1)", &number);
    if (status != DGM_OK)
        return status;
    int length = snprintf(id, sizeof id, "%lld", (long long)number);
    status = dgmi_io_collect_node(&reader->graph, id, (size_t)length, lines->line, &node);
    bool named = lines->count > 1 && lines->fields[1].length > 0;
    if (status == DGM_OK)
        status = dgmi_io_collect_text(&reader->graph, reader->labels, node,
                                      named ? lines->fields[1].text : id,
                                      named ? lines->fields[1].length : (size_t)length);
    reader->listed++;
    reader->places |= lines->count > 2;
    return status;
}

static dgm_status add_edge(pajek_reader *reader, int64_t source, int64_t target,
                           const double *weight) {
    char from[24], to[24];
    snprintf(from, sizeof from, "%lld", (long long)source);
    snprintf(to, sizeof to, "%lld", (long long)target);
    return dgmi_io_collect_edge(&reader->graph, from, to, reader->lines.line, reader->direction,
                                weight);
}

/* The vertex in that field. A minus in a list marks a line of another kind, which does not matter.
 */
static dgm_status take_end(pajek_reader *reader, int64_t field, int64_t *vertex) {
    dgm_status status = dgmi_bytes_lines_integer(&reader->lines, field, -reader->vertices,
                                                 reader->vertices, "a vertex (from 1)", vertex);
    if (status == DGM_OK && *vertex < 0)
        *vertex = -*vertex;
    return status == DGM_OK && *vertex == 0 ? fail_line(reader, "vertices are numbered from 1")
                                            : status;
}

static dgm_status take_pair(pajek_reader *reader) {
    const dgmi_bytes_lines *lines = &reader->lines;
    int64_t source = 0, target = 0;
    double weight = 1;
    if (lines->count < 2)
        return fail_line(reader, "one number, where a line joins two vertices");
    dgm_status status = take_end(reader, 0, &source);
    if (status == DGM_OK)
        status = take_end(reader, 1, &target);
    bool weighted = lines->count > 2 &&
                    dgmi_parse_real(lines->fields[2].text, lines->fields[2].length, &weight);
    if (lines->count > 2 + weighted)
        dgmi_io_collect_leave_edge_attribute(&reader->graph, lines->fields[2 + weighted].text,
                                             lines->fields[2 + weighted].length);
    return status == DGM_OK ? add_edge(reader, source, target, weighted ? &weight : NULL) : status;
}

static dgm_status take_list(pajek_reader *reader) {
    int64_t source = 0, target = 0;
    dgm_status status = take_end(reader, 0, &source);
    for (int64_t k = 1; status == DGM_OK && k < reader->lines.count; k++) {
        status = take_end(reader, k, &target);
        if (status == DGM_OK)
            status = add_edge(reader, source, target, NULL);
    }
    return status;
}

static dgm_status take_matrix_row(pajek_reader *reader) {
    const dgmi_bytes_lines *lines = &reader->lines;
    dgm_status status = DGM_OK;
    if (++reader->row > reader->vertices || lines->count != reader->vertices)
        return fail_line(reader, "a matrix of %lld vertices has as many rows of as many numbers",
                         (long long)reader->vertices);
    for (int64_t k = 0; status == DGM_OK && k < lines->count; k++) {
        double weight;
        if (!dgmi_parse_real(lines->fields[k].text, lines->fields[k].length, &weight))
            return fail_line(reader, "\"%.40s\" is not a number", lines->fields[k].text);
        if (weight != 0)
            status = add_edge(reader, reader->row, k + 1, &weight);
    }
    return status;
}

static dgm_status take_line(pajek_reader *reader) {
    if (reader->lines.fields[0].text[0] == '*' && !reader->lines.fields[0].quoted)
        return begin_section(reader);
    switch (reader->part) {
    case VERTICES:
        return take_vertex(reader);
    case PAIRS:
        return take_pair(reader);
    case LISTS:
        return take_list(reader);
    case MATRIX:
        return take_matrix_row(reader);
    case BEHIND:
        return DGM_OK;
    default:
        return fail_line(reader, "a Pajek network begins with *Vertices");
    }
}

/* ---- the end ---- */

/* Vertices without a line of their own. */
static dgm_status declare_rest(pajek_reader *reader) {
    if (reader->vertices < 0)
        return fail_line(reader, "no *Vertices in the file");
    dgm_status status =
        dgmi_bytes_check_sparse_nodes(reader->ctx, reader->graph.file, reader->vertices,
                                      reader->graph.edges + reader->listed, reader->options);
    for (int64_t v = 1;
         status == DGM_OK && reader->listed < reader->vertices && v <= reader->vertices; v++) {
        char id[24];
        uint32_t node;
        int length = snprintf(id, sizeof id, "%lld", (long long)v);
        int64_t known = dgmi_graph_names_find(&reader->graph.ids, id, (size_t)length);
        if (known >= 0 && reader->graph.mentions[known].declared)
            continue;
        status = dgmi_io_collect_node(&reader->graph, id, (size_t)length, 0, &node);
        if (status == DGM_OK)
            status = dgmi_io_collect_text(&reader->graph, reader->labels, node, id, (size_t)length);
    }
    return status;
}

static dgm_status read_all(pajek_reader *reader) {
    dgm_status status = dgmi_io_collect_column(&reader->graph, "label", 5, &reader->labels);
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(&reader->lines)) == DGM_OK &&
           reader->lines.count > 0)
        status = take_line(reader);
    if (status == DGM_OK)
        status = declare_rest(reader);
    if (status == DGM_OK && reader->places)
        dgmi_note(reader->ctx, "%s: places, shapes and colours of vertices are left out",
                  reader->graph.file);
    return status == DGM_OK ? dgmi_io_collect_finish(&reader->graph) : status;
}

dgm_status dgmi_io_read_pajek(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    pajek_reader reader = {.ctx = ctx, .options = options, .vertices = -1};
    dgmi_bytes_lines_init(&reader.lines, ctx, stream);
    reader.lines.separator = ' ';
    dgmi_io_collect_open(&reader.graph, ctx, dgmi_bytes_stream_name(stream), options, builder);
    reader.graph.label_may_be_name = reader.graph.label_is_name = true;
    dgm_status status = read_all(&reader);
    dgmi_io_collect_free(&reader.graph);
    dgmi_bytes_lines_free(&reader.lines);
    return status;
}
