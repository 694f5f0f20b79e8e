/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of numbers, one row per node: lens files, embeddings.
 *
 * Text is streamed line by line, and values are kept in the order of the file. With an `id` column
 * they are put into the order of the nodes at the end, in place: beside the matrix only one number
 * a row is held.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "dgm/io.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "bytes_output.h"
#include "io_foreign.h"
#include "io_rows.h"
#include "table_matrix.h"

/* An array without rows has no bytes that speak for its columns. */
enum { MOST_EMPTY_COLUMNS = 1 << 16 };

typedef struct {
    dgm_context *ctx;
    dgmi_bytes_lines lines;
    const dgm_graph *graph;  /* or NULL */
    dgm_graph_index *index;  /* with an id column and a graph */
    int64_t nodes;           /* of the graph */
    int64_t id_column;       /* -1: none */
    int64_t fields, columns; /* of a row; columns without the id */
    char **names;            /* of columns; NULL: no header */
    int64_t rows;
    double *values; /* in the order of the file */
    int64_t capacity;
    uint32_t *node_of_row; /* with an index */
    int64_t node_capacity;
    uint8_t *met;           /* nodes that have a row; with an index */
    dgm_graph_builder *ids; /* rows as nodes, where the caller wants their names */
    bool renamed;           /* they are not 0, 1, 2, ... */
} row_table;

/* ---- the header ---- */

/* A first line is a header if it names an id column, or if nothing in it is a number. */
static bool is_header(const dgmi_bytes_lines *lines) {
    double value;
    if (dgmi_bytes_lines_find(lines, "id") >= 0)
        return true;
    for (int64_t k = 0; k < lines->count; k++)
        if (!lines->fields[k].quoted &&
            dgmi_parse_real(lines->fields[k].text, lines->fields[k].length, &value))
            return false;
    return true;
}

static dgm_status take_header(row_table *table) {
    const dgmi_bytes_lines *lines = &table->lines;
    table->id_column = dgmi_bytes_lines_find(lines, "id");
    table->columns = table->fields - (table->id_column >= 0);
    if (table->columns == 0)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "the header has an id column and no other");
    table->names = dgmi_alloc_zero(table->ctx, table->columns, sizeof *table->names);
    if (!table->names)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0, column = 0; k < lines->count; k++)
        if (k != table->id_column &&
            !(table->names[column++] = dgmi_strdup(table->ctx, lines->fields[k].text)))
            return DGM_ERROR_MEMORY;
    if (table->id_column < 0 || !table->graph)
        return DGM_OK;
    table->met = dgmi_alloc_zero(table->ctx, table->nodes, 1);
    return table->met ? dgm_graph_index_create(table->ctx, table->graph, &table->index)
                      : DGM_ERROR_MEMORY;
}

/* ---- rows ---- */

static dgm_status refuse_value(const row_table *table, int64_t field) {
    const dgmi_bytes_field *entry = &table->lines.fields[field];
    double value;
    if (entry->length == 0)
        return dgmi_lines_fail(&table->lines, DGM_ERROR_DATA, "the value in column %lld is missing",
                               (long long)field + 1);
    if (dgmi_parse_real(entry->text, entry->length, &value))
        return dgmi_lines_fail(&table->lines, DGM_ERROR_DATA,
                               "\"%.40s\" in column %lld is not a finite number", entry->text,
                               (long long)field + 1);
    return dgmi_lines_fail(&table->lines, DGM_ERROR_FORMAT,
                           "\"%.40s\" in column %lld is not a number%s", entry->text,
                           (long long)field + 1,
                           table->id_column < 0 && field == 0
                               ? "; a column of node names needs a header that calls it \"id\""
                               : "");
}

/* Finds the node that the row's id names and remembers it. */
static dgm_status match_row(row_table *table) {
    int64_t node;
    dgm_status status =
        dgmi_io_rows_match(&table->lines, table->id_column, table->index, table->met, &node);
    if (status != DGM_OK)
        return status;
    void *nodes = table->node_of_row;
    status = dgmi_reserve(table->ctx, &nodes, &table->node_capacity, table->rows + 1,
                          sizeof *table->node_of_row);
    table->node_of_row = nodes;
    if (status == DGM_OK)
        table->node_of_row[table->rows] = (uint32_t)node;
    return status;
}

/* The row's id becomes the name of a node. */
static dgm_status name_row(row_table *table) {
    const dgmi_bytes_field *id = &table->lines.fields[table->id_column];
    uint32_t node;
    char number[32];
    size_t length = (size_t)snprintf(number, sizeof number, "%lld", (long long)table->rows);
    table->renamed |= length != id->length || memcmp(number, id->text, length) != 0;
    if (id->length == 0)
        return dgmi_lines_fail(&table->lines, DGM_ERROR_DATA, "the id is empty; every row has one");
    dgm_status status = dgm_graph_builder_node(table->ids, id->text, id->length, &node);
    if (status == DGM_OK && node < table->rows)
        status = dgmi_lines_fail(&table->lines, DGM_ERROR_DATA,
                                 "a second row for \"%.60s\"; every id has one", id->text);
    return status;
}

static dgm_status take_row(row_table *table) {
    const dgmi_bytes_lines *lines = &table->lines;
    if (lines->count != table->fields)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                               "%lld columns, but the lines before have %lld",
                               (long long)lines->count, (long long)table->fields);
    void *values = table->values;
    dgm_status status = dgmi_reserve(table->ctx, &values, &table->capacity,
                                     (table->rows + 1) * table->columns, sizeof *table->values);
    table->values = values;
    if (status == DGM_OK && table->index)
        status = match_row(table);
    if (status == DGM_OK && table->ids && table->id_column >= 0)
        status = name_row(table);
    if (status != DGM_OK)
        return status;
    double *row = table->values + table->rows * table->columns;
    for (int64_t k = 0; k < lines->count; k++) {
        if (k == table->id_column)
            continue;
        if (!dgmi_parse_real(lines->fields[k].text, lines->fields[k].length, row) ||
            !isfinite(*row))
            return refuse_value(table, k);
        row++;
    }
    table->rows++;
    return DGM_OK;
}

/* Reads all lines; rows beyond the nodes are counted and not kept. */
static dgm_status read_lines(row_table *table) {
    dgmi_bytes_lines *lines = &table->lines;
    dgm_status status = dgmi_bytes_lines_next(lines);
    if (status == DGM_OK && lines->count == 0)
        return dgmi_fail_in(table->ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name(lines->stream),
                            "no rows in it");
    table->fields = table->columns = lines->count;
    if (status == DGM_OK && is_header(lines)) {
        status = take_header(table);
        if (status == DGM_OK)
            status = dgmi_bytes_lines_next(lines);
    }
    while (status == DGM_OK && lines->count > 0) {
        if (table->graph && table->rows >= table->nodes && !table->index)
            table->rows++;
        else
            status = take_row(table);
        if (status == DGM_OK)
            status = dgmi_bytes_lines_next(lines);
    }
    return status;
}

/* ---- from rows to the matrix ---- */

static dgm_status fail_count(dgm_context *ctx, const char *file, int64_t rows, int64_t nodes,
                             bool header) {
    return dgmi_fail_in(ctx, DGM_ERROR_DATA, file,
                        "%lld rows, but the graph has %lld nodes; one row per node is needed%s",
                        (long long)rows, (long long)nodes,
                        header && rows + 1 == nodes ? " (the first line was taken for a header)"
                                                    : "");
}

static dgm_status fail_missing(const row_table *table) {
    char name[80];
    int64_t node = 0;
    while (table->met[node])
        node++;
    dgm_graph_name(table->graph, node, name, sizeof name);
    return dgmi_fail_in(table->ctx, DGM_ERROR_DATA, dgmi_bytes_stream_name(table->lines.stream),
                        "%lld rows, but the graph has %lld nodes: no row for node \"%s\"",
                        (long long)table->rows, (long long)table->nodes, name);
}

static dgm_status check_rows(const row_table *table) {
    if (!table->graph || table->rows == table->nodes)
        return DGM_OK;
    if (table->index)
        return fail_missing(table);
    return fail_count(table->ctx, dgmi_bytes_stream_name(table->lines.stream), table->rows,
                      table->nodes, table->names != NULL);
}

/* Moves every row to its node's place: each exchange puts one row where it stays. */
static void order_rows(row_table *table) {
    int64_t width = table->columns;
    for (int64_t i = 0; table->index && i < table->rows; i++)
        while (table->node_of_row[i] != i) {
            uint32_t place = table->node_of_row[i];
            double *here = table->values + i * width, *there = table->values + place * width;
            for (int64_t k = 0; k < width; k++) {
                double value = here[k];
                here[k] = there[k];
                there[k] = value;
            }
            table->node_of_row[i] = table->node_of_row[place];
            table->node_of_row[place] = place;
        }
}

static dgm_status make_matrix(row_table *table, dgm_matrix **out) {
    dgm_context *ctx = table->ctx;
    dgm_status status = check_rows(table);
    if (status != DGM_OK)
        return status;
    order_rows(table);
    double *values =
        dgmi_realloc(ctx, table->values, table->rows * table->columns, sizeof *table->values);
    if (!values)
        return DGM_ERROR_MEMORY;
    table->values = NULL;
    status = dgmi_table_matrix_adopt(ctx, table->rows, table->columns, values, out);
    for (int64_t k = 0; status == DGM_OK && table->names && k < table->columns; k++)
        if (table->names[k][0])
            status = dgm_matrix_set_column_name(ctx, *out, k, table->names[k]);
    return status;
}

/* What a table is read for: rows in the order of a graph's nodes, or the rows' own names. */
typedef struct {
    const dgm_graph *graph; /* or NULL */
    dgm_graph_builder *ids; /* or NULL; gets the names of rows that have them */
    bool named, renamed;    /* they had; and not 0, 1, 2, ... */
} read_wish;

static dgm_status read_text(dgm_context *ctx, dgmi_bytes_stream *stream, read_wish *wish,
                            dgm_matrix **out) {
    const dgm_graph *graph = wish->graph;
    row_table table = {.ctx = ctx, .graph = graph, .id_column = -1, .ids = wish->ids};
    table.nodes = graph ? dgm_graph_nodes(graph) : 0;
    dgmi_bytes_lines_init(&table.lines, ctx, stream);
    dgm_status status = read_lines(&table);
    if (status == DGM_OK)
        status = make_matrix(&table, out);
    wish->named = table.id_column >= 0;
    wish->renamed = table.renamed;
    for (int64_t k = 0; table.names && k < table.columns; k++)
        dgmi_free(ctx, table.names[k]);
    dgmi_free(ctx, table.names);
    dgmi_free(ctx, table.values);
    dgmi_free(ctx, table.node_of_row);
    dgmi_free(ctx, table.met);
    dgm_graph_index_free(table.index);
    dgmi_bytes_lines_free(&table.lines);
    return status;
}

static dgm_status read_array(dgm_context *ctx, dgmi_bytes_stream *stream, read_wish *wish,
                             dgm_matrix **out) {
    const dgm_graph *graph = wish->graph;
    dgmi_bytes_npy npy;
    int64_t rows, columns;
    char shape[128];
    void *values;
    dgm_status status = dgmi_bytes_npy_open_stream(ctx, stream, &npy);
    if (status != DGM_OK)
        return status;
    if (!dgmi_bytes_npy_matrix(&npy, &rows, &columns) || columns == 0)
        return dgmi_bytes_npy_fail(
            &npy, DGM_ERROR_FORMAT,
            "an array of shape %s; rows of numbers are needed: (nodes, columns)",
            dgmi_bytes_npy_shape_text(&npy, shape));
    if (graph && rows != dgm_graph_nodes(graph))
        return fail_count(ctx, dgmi_bytes_stream_name(stream), rows, dgm_graph_nodes(graph), false);
    if (rows == 0 && columns > MOST_EMPTY_COLUMNS)
        return dgmi_bytes_npy_fail(
            &npy, DGM_ERROR_FORMAT,
            "an array of shape %s: there are no rows, and more than %d columns of nothing",
            dgmi_bytes_npy_shape_text(&npy, shape), MOST_EMPTY_COLUMNS);
    status = dgmi_bytes_npy_read_rows(&npy, DGMI_BYTES_NPY_REAL, &values);
    return status == DGM_OK ? dgmi_table_matrix_adopt(ctx, rows, columns, values, out) : status;
}

static dgm_status read_table(dgm_context *ctx, const char *path, read_wish *wish,
                             dgm_matrix **out) {
    dgmi_bytes_stream *stream;
    const char *data;
    int64_t size;
    *out = NULL;
    dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_TABLE);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_stream_peek(stream, &data, &size);
    bool array = size >= 6 && memcmp(data, "\x93NUMPY", 6) == 0;
    if (status == DGM_OK && !array &&
        dgmi_bytes_ends_with(dgmi_bytes_stream_inner_name(stream), ".npy"))
        array = true;
    if (status == DGM_OK)
        status = (array ? read_array : read_text)(ctx, stream, wish, out);
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    dgmi_bytes_stream_close(stream);
    return status;
}

dgm_status dgm_matrix_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                           dgm_matrix **out) {
    return read_table(ctx, path, &(read_wish){.graph = graph}, out);
}

dgm_status dgm_matrix_read_ids(dgm_context *ctx, const char *path, dgm_graph **ids,
                               dgm_matrix **out) {
    read_wish wish = {.graph = NULL};
    *ids = NULL;
    *out = NULL;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &wish.ids);
    if (status == DGM_OK)
        status = read_table(ctx, path, &wish, out);
    if (status == DGM_OK && wish.named && !wish.renamed) { /* nodes that need no names */
        dgm_graph_builder_free(wish.ids);
        status = dgm_graph_builder_create(ctx, NULL, &wish.ids);
        if (status == DGM_OK)
            status = dgm_graph_builder_reserve_nodes(wish.ids, dgm_matrix_rows(*out));
    }
    if (status == DGM_OK && wish.named) {
        status = dgm_graph_builder_finish(wish.ids, ids);
        wish.ids = NULL;
    }
    dgm_graph_builder_free(wish.ids);
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- writing ---- */

/* A graph's rows have ids; so do those of a matrix with a column called id, which would be taken
 * for them. */
static bool writes_ids(const dgm_matrix *matrix, const dgm_graph *graph) {
    for (int64_t k = 0; k < dgm_matrix_columns(matrix); k++)
        if (strcasecmp(dgm_matrix_column_name(matrix, k), "id") == 0)
            return true;
    return graph != NULL;
}

static void write_name(dgmi_text *text, const dgm_graph *graph, int64_t node, char separator) {
    size_t length;
    const char *name = graph ? dgm_graph_name_text(graph, node, &length) : NULL;
    if (name)
        dgmi_bytes_lines_write(text, name, length, separator);
    else
        dgmi_text_integer(text, node + (graph ? dgm_graph_name_base(graph) : 0));
}

/* Column names, in quotes also where one alone would be taken for a number or for several columns.
 */
static void write_header(dgmi_text *text, const dgm_matrix *matrix, bool ids, char separator) {
    int64_t columns = dgm_matrix_columns(matrix);
    if (ids)
        dgmi_text_string(text, "id");
    for (int64_t k = 0; k < columns; k++) {
        const char *name = dgm_matrix_column_name(matrix, k);
        double value;
        bool number = dgmi_parse_real(name, strlen(name), &value);
        if (ids || k > 0)
            dgmi_text_append(text, &separator, 1);
        if (number && !ids)
            dgmi_text_format(text, "\"%s\"", name);
        else
            dgmi_bytes_lines_write(text, name, strlen(name),
                                   columns == 1 && !ids ? ' ' : separator);
    }
    dgmi_text_append(text, "\n", 1);
}

static dgm_status write_text(dgm_context *ctx, const dgm_matrix *matrix, const dgm_graph *graph,
                             dgmi_bytes_output *output) {
    char separator =
        dgmi_bytes_ends_with(dgmi_bytes_output_inner_name(output), ".csv") ? ',' : '\t';
    bool ids = writes_ids(matrix, graph);
    int64_t rows = dgm_matrix_rows(matrix), columns = dgm_matrix_columns(matrix);
    const double *values = dgm_matrix_values(matrix);
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    write_header(&text, matrix, ids, separator);
    dgm_status status = DGM_OK;
    for (int64_t row = 0; status == DGM_OK && row < rows; row++) {
        if (ids)
            write_name(&text, graph, row, separator);
        for (int64_t k = 0; k < columns; k++) {
            if (ids || k > 0)
                dgmi_text_append(&text, &separator, 1);
            dgmi_text_real(&text, values[row * columns + k]);
        }
        dgmi_text_append(&text, "\n", 1);
        status = dgmi_bytes_output_drain(output, &text, false);
    }
    if (status == DGM_OK)
        status = dgmi_bytes_output_drain(output, &text, true);
    dgmi_text_free(&text);
    return status;
}

static dgm_status write_array(dgm_context *ctx, const dgm_matrix *matrix,
                              dgmi_bytes_output *output) {
    int64_t rows = dgm_matrix_rows(matrix), columns = dgm_matrix_columns(matrix);
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_bytes_npy_header(&text, big ? ">f8" : "<f8", rows, columns);
    dgm_status status = dgmi_bytes_output_drain(output, &text, true);
    dgmi_text_free(&text);
    if (status == DGM_OK && rows * columns > 0)
        status = dgmi_bytes_output_write(output, dgm_matrix_values(matrix),
                                         (size_t)(rows * columns) * sizeof(double));
    return status;
}

dgm_status dgm_matrix_write(dgm_context *ctx, const dgm_matrix *matrix, const dgm_graph *graph,
                            const char *path) {
    if (graph && dgm_graph_nodes(graph) != dgm_matrix_rows(matrix))
        return dgmi_fail(ctx, DGM_ERROR_DATA, "a matrix of %lld rows for a graph of %lld nodes",
                         (long long)dgm_matrix_rows(matrix), (long long)dgm_graph_nodes(graph));
    dgmi_bytes_output *output;
    dgm_status status = dgmi_bytes_output_open(ctx, path, &output);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_ends_with(dgmi_bytes_output_inner_name(output), ".npy")
                 ? write_array(ctx, matrix, output)
                 : write_text(ctx, matrix, graph, output);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}
