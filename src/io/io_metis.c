/* SPDX-License-Identifier: Apache-2.0 */
/* METIS graphs (Karypis, "METIS manual", 5.1.0, section 4.1.1; Chaco's are the same).
 *
 *   % comments
 *   nodes edges [fmt [ncon]]        fmt: three digits, vertex sizes / vertex weights / edge weights
 *   [size] [ncon weights] {neighbour [edge weight]}     a line per node, neighbours counted from 1
 *
 * Every edge stands at both its ends. A node without neighbours is an empty line. Sizes and weights
 * of nodes become the attributes "size" and "weight" (several: "weight1", "weight2", ...). Nodes
 * keep their numbers from 1 as names.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "base_text.h"
#include "bytes_scan.h"
#include "io_formats.h"

enum { BATCH = 1 << 12, MOST_CONSTRAINTS = 64 };

typedef struct metis_reader {
    dgm_context *ctx;
    dgmi_bytes_scan scan;
    dgm_graph_builder *builder;
    bool directed;

    int64_t nodes, edges; /* as promised */
    bool sizes, edge_weights;
    int64_t constraints; /* weights of a node */

    double *columns; /* node by node: size, weights */
    int64_t column_values, column_capacity;

    int64_t entries, loops; /* neighbours met, and those that are the node itself */
    /* Sums of a hash of the edge over the entries that point up, and over those that point down:
     * equal if (but for one chance in 2^64) every edge stands at both ends with the same weight. */
    uint64_t up, down;

    uint32_t *ends;
    double *weights;
    int64_t waiting;
} metis_reader;

/* ---- the header ---- */

static dgm_status take_format(metis_reader *reader) {
    dgmi_bytes_word word;
    dgm_status status = dgmi_bytes_scan_word(&reader->scan, &word);
    if (status != DGM_OK || word.length == 0)
        return status;
    int digits[3] = {0, 0, 0};
    bool good = word.length <= 3;
    for (size_t i = 0; good && i < word.length; i++) {
        good = word.text[i] == '0' || word.text[i] == '1';
        digits[3 - word.length + i] = word.text[i] == '1';
    }
    if (!good)
        return dgmi_scan_fail(
            &reader->scan,
            "format \"%.*s%s\" is not three digits of 0 and 1 (vertex sizes, vertex "
            "weights, edge weights)",
            DGMI_BYTES_SHOW_WORD(&word));
    reader->sizes = digits[0];
    reader->constraints = digits[1];
    reader->edge_weights = digits[2];
    return DGM_OK;
}

static dgm_status take_constraints(metis_reader *reader) {
    dgmi_bytes_word word;
    int64_t count;
    dgm_status status = dgmi_bytes_scan_word(&reader->scan, &word);
    if (status != DGM_OK || word.length == 0)
        return status;
    if (!dgmi_parse_integer(word.text, word.length, &count) || count < 0 ||
        count > MOST_CONSTRAINTS)
        return dgmi_scan_fail(&reader->scan,
                              "number of node weights \"%.*s%s\" is not from 0 to %d",
                              DGMI_BYTES_SHOW_WORD(&word), MOST_CONSTRAINTS);
    /* The count matters only where the format says that there are weights. */
    if (reader->constraints)
        reader->constraints = count;
    return DGM_OK;
}

/* Passes over comments; *found is false at the end of the text. */
static dgm_status skip_comments(metis_reader *reader, bool *found) {
    bool comment = false;
    dgm_status status = DGM_OK;
    do {
        if (comment)
            status = dgmi_bytes_scan_next_line(&reader->scan, found);
        if (status == DGM_OK && *found)
            status = dgmi_bytes_scan_starts_with(&reader->scan, '%', &comment);
    } while (status == DGM_OK && *found && comment);
    return status;
}

static dgm_status take_header(metis_reader *reader) {
    dgmi_bytes_scan *scan = &reader->scan;
    bool found = true;
    dgm_status status = skip_comments(reader, &found);
    if (status == DGM_OK && !found)
        status = dgmi_scan_fail(scan, "the line with the numbers of nodes and edges is missing");
    if (status == DGM_OK)
        status = dgmi_bytes_scan_integer(scan, "number of nodes", 0, DGM_MAX_NODES, &reader->nodes);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_integer(scan, "number of edges", 0, INT64_MAX / 2, &reader->edges);
    if (status == DGM_OK)
        status = take_format(reader);
    if (status == DGM_OK)
        status = take_constraints(reader);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_line_end(scan);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_check_promise(scan, "nodes", reader->nodes, 1);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_check_promise(scan, "edges", reader->edges, 2);
    return status;
}

/* ---- the nodes ---- */

static dgm_status flush(metis_reader *reader) {
    int64_t count = reader->waiting;
    reader->waiting = 0;
    return dgm_graph_builder_add(reader->builder, count, reader->ends,
                                 reader->edge_weights ? reader->weights : NULL);
}

static uint64_t edge_hash(uint64_t low, uint64_t high, double weight) {
    uint64_t bits;
    weight += 0.0; /* -0 and 0 are the same */
    memcpy(&bits, &weight, sizeof bits);
    return dgmi_random_bits(bits, low, high);
}

static dgm_status take_neighbour(metis_reader *reader, int64_t node, bool *taken) {
    dgmi_bytes_scan *scan = &reader->scan;
    bool line_end;
    int64_t neighbour;
    double weight = 1;
    dgm_status status = dgmi_bytes_scan_starts_with(scan, '\n', &line_end);
    *taken = status == DGM_OK && !line_end;
    if (!*taken)
        return status;
    status = dgmi_bytes_scan_integer(scan, "neighbour", 1, reader->nodes, &neighbour);
    if (status == DGM_OK && reader->edge_weights)
        status = dgmi_bytes_scan_real(scan, "edge weight", &weight);
    if (status != DGM_OK)
        return status;
    neighbour--;
    reader->entries++;
    reader->loops += neighbour == node;
    if (neighbour > node)
        reader->up += edge_hash((uint64_t)node, (uint64_t)neighbour, weight);
    else if (neighbour < node)
        reader->down += edge_hash((uint64_t)neighbour, (uint64_t)node, weight);
    /* An undirected edge is taken at its lower end alone. */
    if (!reader->directed && neighbour < node)
        return DGM_OK;
    reader->ends[2 * reader->waiting] = (uint32_t)node;
    reader->ends[2 * reader->waiting + 1] = (uint32_t)neighbour;
    reader->weights[reader->waiting++] = weight;
    return reader->waiting == BATCH ? flush(reader) : DGM_OK;
}

static dgm_status take_columns(metis_reader *reader) {
    int64_t count = reader->sizes + reader->constraints;
    void *block = reader->columns;
    dgm_status status = dgmi_reserve(reader->ctx, &block, &reader->column_capacity,
                                     reader->column_values + count, sizeof *reader->columns);
    reader->columns = block;
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        status =
            dgmi_bytes_scan_real(&reader->scan, i < reader->sizes ? "node size" : "node weight",
                                 &reader->columns[reader->column_values++]);
    return status;
}

static dgm_status take_node(metis_reader *reader, int64_t node) {
    bool found = false, taken = true;
    dgm_status status = dgmi_bytes_scan_next_line(&reader->scan, &found);
    if (status == DGM_OK)
        status = skip_comments(reader, &found);
    if (status == DGM_OK && !found)
        status = dgmi_scan_fail(&reader->scan, "the file ends after %lld of %lld nodes",
                                (long long)node, (long long)reader->nodes);
    if (status == DGM_OK)
        status = take_columns(reader);
    while (status == DGM_OK && taken)
        status = take_neighbour(reader, node, &taken);
    return status;
}

/* ---- the end ---- */

static dgm_status check_rest(metis_reader *reader) {
    bool found = true, empty = true;
    dgm_status status = DGM_OK;
    while (status == DGM_OK && found && empty) {
        status = dgmi_bytes_scan_next_line(&reader->scan, &found);
        if (status == DGM_OK)
            status = skip_comments(reader, &found);
        if (status == DGM_OK && found)
            status = dgmi_bytes_scan_starts_with(&reader->scan, '\n', &empty);
    }
    if (status == DGM_OK && found)
        status = dgmi_scan_fail(&reader->scan, "a line behind those of the %lld nodes",
                                (long long)reader->nodes);
    return status;
}

/* A loop may stand once or twice in its line. */
static dgm_status check_edges(metis_reader *reader) {
    const char *name = dgmi_bytes_stream_name(reader->scan.stream);
    if (reader->entries != 2 * reader->edges &&
        reader->entries + reader->loops != 2 * reader->edges)
        return dgmi_fail_in(
            reader->ctx, DGM_ERROR_FORMAT, name,
            "%lld neighbours are listed, where %lld edges are promised, each listed "
            "at both ends",
            (long long)reader->entries, (long long)reader->edges);
    if (reader->up != reader->down)
        return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT, name,
                            "an edge is listed at one of its ends only, or with two weights");
    return DGM_OK;
}

static dgm_status add_column(metis_reader *reader, int64_t index, double *values) {
    char name[32] = "size";
    int64_t count = reader->sizes + reader->constraints;
    for (int64_t node = 0; node < reader->nodes; node++)
        values[node] = reader->columns[node * count + index];
    if (index >= reader->sizes) {
        if (reader->constraints == 1)
            snprintf(name, sizeof name, "weight");
        else
            snprintf(name, sizeof name, "weight%lld", (long long)(index - reader->sizes + 1));
    }
    return dgm_graph_builder_add_numbers(reader->builder, name, reader->nodes, values);
}

static dgm_status add_columns(metis_reader *reader) {
    int64_t count = reader->sizes + reader->constraints;
    if (count == 0)
        return DGM_OK;
    double *values = dgmi_scratch(reader->ctx, reader->nodes, sizeof *values);
    dgm_status status = values ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        status = add_column(reader, i, values);
    return status;
}

static dgm_status read_graph(metis_reader *reader) {
    dgm_status status = dgmi_bytes_scan_init(&reader->scan, reader->ctx, reader->scan.stream);
    reader->ends = dgmi_scratch(reader->ctx, 2 * BATCH, sizeof *reader->ends);
    reader->weights = dgmi_scratch(reader->ctx, BATCH, sizeof *reader->weights);
    if (status == DGM_OK && (!reader->ends || !reader->weights))
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = take_header(reader);
    for (int64_t node = 0; status == DGM_OK && node < reader->nodes; node++)
        status = take_node(reader, node);
    if (status == DGM_OK)
        status = check_rest(reader);
    if (status == DGM_OK)
        status = check_edges(reader);
    if (status == DGM_OK)
        status = flush(reader);
    if (status == DGM_OK)
        status = add_columns(reader);
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(reader->builder, reader->nodes)
                            : status;
}

dgm_status dgmi_io_read_metis(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    metis_reader reader = {.ctx = ctx, .builder = builder, .directed = options->directed};
    reader.scan.stream = stream;
    dgm_graph_builder_set_name_base(builder, 1);
    dgm_status status = read_graph(&reader);
    dgmi_free(ctx, reader.columns);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- writing ---- */

typedef struct metis_writer {
    dgm_context *ctx;
    const dgm_graph *graph;
    dgm_graph_rows rows;
    dgmi_bytes_output *output;
    dgmi_text text;
    const double *columns[1 + MOST_CONSTRAINTS]; /* of sizes and weights */
    int64_t sizes, constraints;
} metis_writer;

/* The numbers of that attribute if every node has one; NULL otherwise. */
static const double *find_column(const dgm_graph *graph, const char *name) {
    int64_t index = dgm_graph_attribute_find(graph, name);
    if (index < 0)
        return NULL;
    const double *numbers = dgm_graph_attribute(graph, index).numbers;
    for (int64_t u = 0; numbers && u < dgm_graph_nodes(graph); u++)
        if (!isfinite(numbers[u]))
            return NULL;
    return numbers;
}

static void find_columns(metis_writer *writer) {
    writer->columns[0] = find_column(writer->graph, "size");
    writer->sizes = writer->columns[0] != NULL;
    const double **weights = writer->columns + writer->sizes;
    weights[0] = find_column(writer->graph, "weight");
    writer->constraints = weights[0] != NULL;
    bool several = !weights[0];
    while (several && writer->constraints < MOST_CONSTRAINTS) {
        char name[32];
        snprintf(name, sizeof name, "weight%lld", (long long)writer->constraints + 1);
        weights[writer->constraints] = find_column(writer->graph, name);
        several = weights[writer->constraints] != NULL;
        writer->constraints += several;
    }
}

static void write_node(metis_writer *writer, int64_t u) {
    const dgm_graph_rows *rows = &writer->rows;
    dgmi_text *text = &writer->text;
    const char *space = "";
    for (int64_t c = 0; c < writer->sizes + writer->constraints; c++, space = " ") {
        dgmi_text_string(text, space);
        dgmi_text_real(text, writer->columns[c][u]);
    }
    for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++, space = " ") {
        dgmi_text_string(text, space);
        dgmi_text_integer(text, (int64_t)rows->targets[i] + 1);
        if (rows->weights) {
            dgmi_text_append(text, " ", 1);
            dgmi_text_real(text, rows->weights[i]);
        }
    }
    dgmi_text_append(text, "\n", 1);
}

static void write_header(metis_writer *writer) {
    dgmi_text *text = &writer->text;
    bool weighted = writer->rows.weights != NULL;
    dgmi_text_format(text, "%lld %lld", (long long)writer->rows.nodes,
                     (long long)dgm_graph_edges(writer->graph));
    if (writer->sizes || writer->constraints || weighted)
        dgmi_text_format(text, " %d%d%d", writer->sizes > 0, writer->constraints > 0, weighted);
    if (writer->constraints > 1)
        dgmi_text_format(text, " %lld", (long long)writer->constraints);
    dgmi_text_append(text, "\n", 1);
}

/* The format asks for weights of edges from 1 and of nodes from 0, whole ones. */
static bool has_fractions(const metis_writer *writer) {
    for (int64_t i = 0; writer->rows.weights && i < writer->rows.entries; i++)
        if (writer->rows.weights[i] < 1 ||
            writer->rows.weights[i] != floor(writer->rows.weights[i]))
            return true;
    for (int64_t c = 0; c < writer->sizes + writer->constraints; c++)
        for (int64_t u = 0; u < writer->rows.nodes; u++)
            if (writer->columns[c][u] < 0 || writer->columns[c][u] != floor(writer->columns[c][u]))
                return true;
    return false;
}

static void note_losses(const metis_writer *writer) {
    bool all = dgm_graph_attributes(writer->graph) == writer->sizes + writer->constraints;
    int keeps = DGMI_IO_KEEPS_WEIGHTS | (all ? DGMI_IO_KEEPS_NUMBERS | DGMI_IO_KEEPS_TEXTS : 0);
    dgmi_io_note_losses(writer->ctx, writer->graph, writer->output, keeps);
    if (has_fractions(writer))
        dgmi_note(
            writer->ctx,
            "%s: METIS knows whole numbers alone; weights with fractions or below 1 are written "
            "as they are, which other programs may refuse: scale them first",
            dgmi_bytes_output_name(writer->output));
    if (dgm_graph_name_base(writer->graph) == 0)
        dgmi_note(writer->ctx, "%s: METIS counts nodes from 1",
                  dgmi_bytes_output_name(writer->output));
}

dgm_status dgmi_io_write_metis(dgm_context *ctx, const dgm_graph *graph,
                               dgmi_bytes_output *output) {
    metis_writer writer = {
        .ctx = ctx, .graph = graph, .rows = dgm_graph_get_rows(graph), .output = output};
    if (writer.rows.directed)
        return dgmi_fail_in(
            ctx, DGM_ERROR_DATA, dgmi_bytes_output_name(output),
            "METIS files hold undirected graphs; read the graph without " DGMI_NAMED("directed"));
    dgm_status status = DGM_OK;
    find_columns(&writer);
    note_losses(&writer);
    dgmi_text_init(&writer.text, ctx);
    write_header(&writer);
    for (int64_t u = 0; status == DGM_OK && u < writer.rows.nodes; u++) {
        write_node(&writer, u);
        status = dgmi_bytes_output_drain(output, &writer.text, false);
        if (status == DGM_OK && u % (1 << 16) == 0)
            status = dgmi_progress(ctx, "writing edges", (double)u / (double)writer.rows.nodes);
    }
    if (status == DGM_OK)
        status = dgmi_bytes_output_drain(output, &writer.text, true);
    dgmi_text_free(&writer.text);
    return status;
}
