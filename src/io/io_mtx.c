/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files (Boisvert, Pozo and Remington, "The Matrix Market exchange formats", NIST
 * 1996).
 *
 *   %%MatrixMarket matrix coordinate|array pattern|integer|real general|symmetric|skew-symmetric
 *   % comments
 *   rows columns entries
 *   row column [value]          counted from 1
 *
 * As a graph: a square coordinate matrix, entry (i, j) is an edge from i to j and its value the
 * weight; nodes keep their numbers from 1 as names. The other half of a symmetric matrix is there
 * only where directions are kept. As features: a general matrix with one row per node; an array
 * (dense, by columns) will do.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_scan.h"
#include "io_formats.h"

enum { BATCH = 1 << 12, LEAST_ENTRY = 4 /* bytes: "1 1\n" */, LEAST_VALUE = 2 /* "1\n" */ };

typedef enum mtx_values { PATTERN, INTEGER, REAL } mtx_values;
typedef enum mtx_symmetry { GENERAL, SYMMETRIC, SKEW } mtx_symmetry;

typedef struct mtx_header {
    bool array;
    mtx_values values;
    mtx_symmetry symmetry;
    int64_t rows, columns, entries;
} mtx_header;

/* ---- the header ---- */

/* The word's place among the choices (NULL-terminated). */
static dgm_status take_choice(dgmi_bytes_scan *scan, const char *what, const char *const *choices,
                              int *choice) {
    dgmi_bytes_word word;
    dgm_status status = dgmi_bytes_scan_word(scan, &word);
    if (status != DGM_OK)
        return status;
    for (*choice = 0; choices[*choice]; (*choice)++)
        if (word.length == strlen(choices[*choice]) &&
            strncasecmp(word.text, choices[*choice], word.length) == 0)
            return DGM_OK;
    return dgmi_scan_fail(scan, "%s \"%.*s%s\" of a Matrix Market file is not one that can be read",
                          what, DGMI_BYTES_SHOW_WORD(&word));
}

static dgm_status take_banner(dgmi_bytes_scan *scan, mtx_header *header) {
    static const char *const banners[] = {"%%MatrixMarket", NULL},
                             *const objects[] = {"matrix", NULL},
                             *const formats[] = {"coordinate", "array", NULL},
                             *const fields[] = {"pattern", "integer", "real", "double", NULL},
                             *const symmetries[] = {"general", "symmetric", "skew-symmetric", NULL};
    dgmi_bytes_word word;
    int format = 0, field = 0, symmetry = 0, only;
    dgm_status status = dgmi_bytes_scan_word(scan, &word);
    if (status != DGM_OK)
        return status;
    if (word.length != strlen(banners[0]) || strncasecmp(word.text, banners[0], word.length) != 0)
        return dgmi_scan_fail(scan, "a Matrix Market file begins with %s", banners[0]);
    status = take_choice(scan, "the object", objects, &only);
    if (status == DGM_OK)
        status = take_choice(scan, "the format", formats, &format);
    if (status == DGM_OK)
        status = take_choice(scan, "the field", fields, &field);
    if (status == DGM_OK)
        status = take_choice(scan, "the symmetry", symmetries, &symmetry);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_line_end(scan);
    header->array = format == 1;
    header->values = field < REAL ? (mtx_values)field : REAL;
    header->symmetry = (mtx_symmetry)symmetry;
    if (status == DGM_OK && header->values == PATTERN &&
        (header->array || header->symmetry == SKEW))
        status = dgmi_scan_fail(scan, "a pattern cannot be an array or skew-symmetric");
    return status;
}

/* The next line that is neither empty nor a comment; *found is false at the end. */
static dgm_status next_data_line(dgmi_bytes_scan *scan, bool *found) {
    dgm_status status;
    bool empty = true, comment = false;
    do {
        status = dgmi_bytes_scan_next_line(scan, found);
        if (status == DGM_OK && *found)
            status = dgmi_bytes_scan_starts_with(scan, '\n', &empty);
        if (status == DGM_OK && *found)
            status = dgmi_bytes_scan_starts_with(scan, '%', &comment);
    } while (status == DGM_OK && *found && (empty || comment));
    return status;
}

static dgm_status take_header(dgmi_bytes_scan *scan, mtx_header *header) {
    bool found = false;
    dgm_status status = take_banner(scan, header);
    if (status == DGM_OK)
        status = next_data_line(scan, &found);
    if (status == DGM_OK && !found)
        status = dgmi_scan_fail(scan, "the line with the matrix's size is missing");
    if (status == DGM_OK)
        status = dgmi_bytes_scan_integer(scan, "number of rows", 0, DGM_MAX_NODES, &header->rows);
    if (status == DGM_OK)
        status =
            dgmi_bytes_scan_integer(scan, "number of columns", 0, DGM_MAX_NODES, &header->columns);
    if (status == DGM_OK)
        header->entries = header->rows * header->columns;
    if (status == DGM_OK && !header->array)
        status = dgmi_bytes_scan_integer(scan, "number of entries", 0, INT64_MAX, &header->entries);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_line_end(scan);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_check_promise(scan, "entries", header->entries,
                                               header->array ? LEAST_VALUE : LEAST_ENTRY);
    return status;
}

/* ---- entries ---- */

typedef struct mtx_entry {
    int64_t row, column; /* from 0 */
    double value;        /* 1 of a pattern */
} mtx_entry;

static dgm_status take_entry(dgmi_bytes_scan *scan, const mtx_header *header, int64_t number,
                             mtx_entry *entry) {
    bool found = false;
    *entry = (mtx_entry){1, 1, 1};
    dgm_status status = next_data_line(scan, &found);
    if (status == DGM_OK && !found)
        status = dgmi_scan_fail(scan, "the file ends after %lld of %lld entries", (long long)number,
                                (long long)header->entries);
    if (status == DGM_OK && !header->array)
        status = dgmi_bytes_scan_integer(scan, "row", 1, header->rows, &entry->row);
    if (status == DGM_OK && !header->array)
        status = dgmi_bytes_scan_integer(scan, "column", 1, header->columns, &entry->column);
    if (status == DGM_OK && header->values != PATTERN)
        status = dgmi_bytes_scan_real(scan, "value", &entry->value);
    if (status == DGM_OK)
        status = dgmi_bytes_scan_line_end(scan);
    if (status == DGM_OK) {
        entry->row--;
        entry->column--;
    }
    return status;
}

static dgm_status check_end(dgmi_bytes_scan *scan, const mtx_header *header) {
    bool found = false;
    dgm_status status = next_data_line(scan, &found);
    if (status == DGM_OK && found)
        status = dgmi_scan_fail(scan, "more than the %lld entries that were promised",
                                (long long)header->entries);
    return status;
}

/* ---- a graph ---- */

typedef struct edge_batch {
    dgm_graph_builder *builder;
    bool weighted;
    int64_t count;
    uint32_t ends[2 * BATCH];
    double weights[BATCH];
} edge_batch;

static dgm_status flush(edge_batch *batch) {
    int64_t count = batch->count;
    batch->count = 0;
    return dgm_graph_builder_add(batch->builder, count, batch->ends,
                                 batch->weighted ? batch->weights : NULL);
}

static dgm_status add(edge_batch *batch, int64_t source, int64_t target, double weight) {
    batch->ends[2 * batch->count] = (uint32_t)source;
    batch->ends[2 * batch->count + 1] = (uint32_t)target;
    batch->weights[batch->count++] = weight;
    return batch->count == BATCH ? flush(batch) : DGM_OK;
}

/* An undirected edge of a skew-symmetric matrix weighs the larger of its two values, as for any
 * file that gives both directions. */
static dgm_status add_entry(edge_batch *batch, const mtx_header *header, const mtx_entry *entry,
                            bool directed) {
    bool skew = header->symmetry == SKEW;
    double weight = skew && !directed ? fabs(entry->value) : entry->value;
    dgm_status status = add(batch, entry->row, entry->column, weight);
    if (status == DGM_OK && directed && header->symmetry != GENERAL && entry->row != entry->column)
        status = add(batch, entry->column, entry->row, skew ? -weight : weight);
    return status;
}

static dgm_status check_graph(dgmi_bytes_scan *scan, const mtx_header *header) {
    if (header->array)
        return dgmi_scan_fail(scan, "a graph is a coordinate matrix, and this is an array");
    if (header->rows != header->columns)
        return dgmi_scan_fail(scan, "a graph is a square matrix, and this one is %lld x %lld",
                              (long long)header->rows, (long long)header->columns);
    return DGM_OK;
}

static dgm_status read_graph(dgm_context *ctx, dgmi_bytes_scan *scan,
                             const dgm_graph_options *options, edge_batch *batch) {
    mtx_header header = {0};
    mtx_entry entry;
    dgm_status status = take_header(scan, &header);
    if (status == DGM_OK)
        status = check_graph(scan, &header);
    batch->weighted = header.values != PATTERN;
    for (int64_t i = 0; status == DGM_OK && i < header.entries; i++) {
        status = take_entry(scan, &header, i, &entry);
        if (status == DGM_OK)
            status = add_entry(batch, &header, &entry, options->directed);
    }
    if (status == DGM_OK)
        status = check_end(scan, &header);
    if (status == DGM_OK)
        status = flush(batch);
    if (status == DGM_OK)
        status = dgmi_bytes_check_sparse_nodes(ctx, dgmi_bytes_stream_name(scan->stream),
                                               header.rows, header.entries, options);
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(batch->builder, header.rows) : status;
}

dgm_status dgmi_io_read_mtx(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_bytes_scan scan;
    dgm_status status = dgmi_bytes_scan_init(&scan, ctx, stream);
    edge_batch *batch = dgmi_scratch(ctx, 1, sizeof *batch);
    if (status == DGM_OK)
        status = batch ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        batch->builder = builder;
        batch->count = 0;
        dgm_graph_builder_set_name_base(builder, 1);
        status = read_graph(ctx, &scan, options, batch);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- features ---- */

typedef struct feature_entry {
    uint32_t row, column;
    float value;
} feature_entry;

typedef struct feature_reader {
    dgm_context *ctx;
    dgmi_bytes_scan scan;
    mtx_header header;
    feature_entry *list; /* coordinate: the entries as they come */
    float *dense;        /* array: the values as they come, by columns */
    int64_t capacity, count;
    int64_t *offsets; /* by rows, */
    uint32_t *columns;
    float *values;
} feature_reader;

static dgm_status take_feature(feature_reader *reader) {
    mtx_entry entry;
    const mtx_header *header = &reader->header;
    void *block = header->array ? (void *)reader->dense : (void *)reader->list;
    dgm_status status = take_entry(&reader->scan, header, reader->count, &entry);
    if (status == DGM_OK && !isfinite((float)entry.value))
        status = dgmi_scan_fail(&reader->scan, "value %g is too large for a feature", entry.value);
    if (status == DGM_OK)
        status = dgmi_reserve(reader->ctx, &block, &reader->capacity, reader->count + 1,
                              header->array ? sizeof *reader->dense : sizeof *reader->list);
    if (status != DGM_OK)
        return status;
    if (header->array) {
        reader->dense = block;
        reader->dense[reader->count++] = (float)entry.value;
    } else {
        reader->list = block;
        reader->list[reader->count++] =
            (feature_entry){(uint32_t)entry.row, (uint32_t)entry.column, (float)entry.value};
    }
    return DGM_OK;
}

static dgm_status check_features(feature_reader *reader, const dgm_graph_builder *builder) {
    const mtx_header *header = &reader->header;
    if (header->symmetry != GENERAL)
        return dgmi_scan_fail(&reader->scan, "a matrix of features is a general one");
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options),
                                       .nodes = dgm_graph_builder_nodes(builder)};
    return header->array
               ? DGM_OK
               : dgmi_bytes_check_sparse_nodes(reader->ctx,
                                               dgmi_bytes_stream_name(reader->scan.stream),
                                               header->rows, header->entries, &options);
}

/* Offsets of the rows, and each row's entries in their place. */
static dgm_status sort_into_rows(feature_reader *reader) {
    dgm_context *ctx = reader->ctx;
    int64_t rows = reader->header.rows;
    reader->offsets = dgmi_scratch_zero(ctx, rows + 2, sizeof *reader->offsets);
    feature_entry *sorted = dgmi_scratch(ctx, reader->count, sizeof *sorted);
    if (!reader->offsets || !sorted)
        return DGM_ERROR_MEMORY;
    int64_t *next = reader->offsets + 1;
    for (int64_t i = 0; i < reader->count; i++)
        next[reader->list[i].row + 1]++;
    for (int64_t r = 0; r < rows; r++)
        next[r + 1] += next[r];
    for (int64_t i = 0; i < reader->count; i++)
        sorted[next[reader->list[i].row]++] = reader->list[i];
    memcpy(reader->list, sorted, (size_t)reader->count * sizeof *sorted);
    return DGM_OK;
}

static int compare_columns(const void *left, const void *right) {
    const feature_entry *a = left, *b = right;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* Ascending columns; false if an entry stands twice. */
static bool sort_row(feature_entry *row, int64_t count) {
    bool ascending = true;
    for (int64_t i = 1; i < count; i++)
        ascending &= row[i - 1].column <= row[i].column;
    if (!ascending)
        qsort(row, (size_t)count, sizeof *row, compare_columns);
    for (int64_t i = 1; i < count; i++)
        if (row[i - 1].column == row[i].column)
            return false;
    return true;
}

static dgm_status make_sparse(feature_reader *reader) {
    dgm_status status = sort_into_rows(reader);
    if (status != DGM_OK)
        return status;
    for (int64_t r = 0; r < reader->header.rows; r++)
        if (!sort_row(reader->list + reader->offsets[r],
                      reader->offsets[r + 1] - reader->offsets[r]))
            return dgmi_fail_in(reader->ctx, DGM_ERROR_FORMAT,
                                dgmi_bytes_stream_name(reader->scan.stream),
                                "an entry of row %lld is given twice", (long long)r + 1);
    reader->columns = dgmi_scratch(reader->ctx, reader->count, sizeof *reader->columns);
    if (reader->header.values != PATTERN)
        reader->values = dgmi_scratch(reader->ctx, reader->count, sizeof *reader->values);
    if (!reader->columns || (reader->header.values != PATTERN && !reader->values))
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < reader->count; i++) {
        reader->columns[i] = reader->list[i].column;
        if (reader->values)
            reader->values[i] = reader->list[i].value;
    }
    return DGM_OK;
}

/* From columns one behind the other to rows. */
static dgm_status make_dense(feature_reader *reader) {
    int64_t rows = reader->header.rows, columns = reader->header.columns;
    reader->values = dgmi_scratch(reader->ctx, reader->count, sizeof *reader->values);
    if (!reader->values)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < columns; c++)
        for (int64_t r = 0; r < rows; r++)
            reader->values[r * columns + c] = reader->dense[c * rows + r];
    return DGM_OK;
}

static dgm_status read_features(feature_reader *reader, dgm_graph_builder *builder) {
    const mtx_header *header = &reader->header;
    dgm_status status = take_header(&reader->scan, &reader->header);
    if (status == DGM_OK)
        status = check_features(reader, builder);
    while (status == DGM_OK && reader->count < header->entries)
        status = take_feature(reader);
    if (status == DGM_OK)
        status = check_end(&reader->scan, header);
    if (status == DGM_OK)
        status = header->array ? make_dense(reader) : make_sparse(reader);
    const dgm_graph_features features = {header->columns, reader->offsets, reader->columns,
                                         reader->values};
    return status == DGM_OK ? dgm_graph_builder_set_features(builder, header->rows, &features)
                            : status;
}

dgm_status dgmi_io_read_mtx_features(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     dgm_graph_builder *builder, int64_t *rows) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    feature_reader reader = {.ctx = ctx};
    dgm_status status = dgmi_bytes_scan_init(&reader.scan, ctx, stream);
    if (status == DGM_OK)
        status = read_features(&reader, builder);
    *rows = status == DGM_OK ? reader.header.rows : 0;
    dgmi_free(ctx, reader.list);
    dgmi_free(ctx, reader.dense);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- writing ---- */

static const char *field_of(const dgm_graph_rows *rows) {
    if (!rows->weights)
        return "pattern";
    for (int64_t i = 0; i < rows->entries; i++)
        if (rows->weights[i] != floor(rows->weights[i]) || fabs(rows->weights[i]) > 1e15)
            return "real";
    return "integer";
}

/* An undirected graph is the lower half of a symmetric matrix. */
static void write_row(dgmi_text *text, const dgm_graph_rows *rows, int64_t u) {
    for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++) {
        if (!rows->directed && rows->targets[i] > u)
            break;
        dgmi_text_integer(text, u + 1);
        dgmi_text_append(text, " ", 1);
        dgmi_text_integer(text, (int64_t)rows->targets[i] + 1);
        if (rows->weights) {
            dgmi_text_append(text, " ", 1);
            dgmi_text_real(text, rows->weights[i]);
        }
        dgmi_text_append(text, "\n", 1);
    }
}

dgm_status dgmi_io_write_mtx(dgm_context *ctx, const dgm_graph *graph, dgmi_bytes_output *output) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_text text;
    dgm_status status = DGM_OK;
    dgmi_io_note_losses(ctx, graph, output, DGMI_IO_KEEPS_WEIGHTS);
    if (dgm_graph_name_base(graph) == 0)
        dgmi_note(ctx, "%s: Matrix Market counts nodes from 1", dgmi_bytes_output_name(output));
    dgmi_text_init(&text, ctx);
    dgmi_text_format(&text, "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n",
                     field_of(&rows), rows.directed ? "general" : "symmetric",
                     (long long)rows.nodes, (long long)rows.nodes,
                     (long long)dgm_graph_edges(graph));
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        write_row(&text, &rows, u);
        status = dgmi_bytes_output_drain(output, &text, false);
        if (status == DGM_OK && u % (1 << 16) == 0)
            status = dgmi_progress(ctx, "writing edges", (double)u / (double)rows.nodes);
    }
    if (status == DGM_OK)
        status = dgmi_bytes_output_drain(output, &text, true);
    dgmi_text_free(&text);
    return status;
}
