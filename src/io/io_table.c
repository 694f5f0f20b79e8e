/* SPDX-License-Identifier: Apache-2.0 */
#include "io_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "bytes_scan.h"
#include "graph_builder.h"
#include "io_foreign.h"
#include "io_formats.h"

struct dgmi_io_table {
    dgm_context *ctx;
    char *file;
    char **names; /* of columns */
    int64_t columns, id_column;
    dgmi_text pool; /* all entries, each terminated */
    int64_t rows;
    int64_t *entries; /* rows * columns: where each begins in the pool; -1: empty */
    int64_t entry_capacity;
    int64_t *lines; /* of each row, for messages */
    int64_t line_capacity;
    uint32_t *nodes; /* of each row, once matched */
};

void dgmi_io_table_free(dgmi_io_table *table) {
    if (!table)
        return;
    dgm_context *ctx = table->ctx;
    for (int64_t k = 0; table->names && k < table->columns; k++)
        dgmi_free(ctx, table->names[k]);
    dgmi_text_free(&table->pool);
    void *blocks[] = {table->file, table->names, table->entries, table->lines, table->nodes, table};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_free(ctx, blocks[i]);
}

/* ---- reading ---- */

/* Rows between two looks at the wish to stop. */
enum { ROWS_A_LOOK = 1 << 16 };

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static dgm_status check_names(const dgmi_io_table *table, const dgmi_bytes_lines *lines) {
    dgmi_hold hold = dgmi_arena_hold(table->ctx);
    char **sorted = dgmi_scratch(table->ctx, table->columns, sizeof *sorted);
    dgm_status status = sorted ? DGM_OK : DGM_ERROR_MEMORY;
    if (sorted) {
        memcpy(sorted, table->names, (size_t)table->columns * sizeof *sorted);
        qsort(sorted, (size_t)table->columns, sizeof *sorted, compare_names);
    }
    for (int64_t k = 1; status == DGM_OK && k < table->columns; k++)
        if (strcmp(sorted[k - 1], sorted[k]) == 0)
            status = dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "two columns are called \"%.60s\"",
                                     sorted[k]);
    dgmi_arena_release(table->ctx, hold);
    return status;
}

static dgm_status take_header(dgmi_io_table *table, const dgmi_bytes_lines *lines) {
    int64_t id = dgmi_bytes_lines_find(lines, "id");
    table->id_column = id >= 0 ? id : 0;
    table->names = dgmi_alloc_zero(table->ctx, lines->count, sizeof *table->names);
    if (!table->names)
        return DGM_ERROR_MEMORY;
    table->columns = lines->count;
    for (int64_t k = 0; k < table->columns; k++) {
        const char *name = lines->fields[k].text;
        if (!*name && k != table->id_column)
            return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "column %lld has no name in the header",
                                   (long long)k + 1);
        if (!(table->names[k] = dgmi_strdup(table->ctx, name)))
            return DGM_ERROR_MEMORY;
    }
    return check_names(table, lines);
}

static dgm_status take_row(dgmi_io_table *table, const dgmi_bytes_lines *lines) {
    if (lines->count != table->columns)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "%lld columns, but the header has %lld",
                               (long long)lines->count, (long long)table->columns);
    if (lines->fields[table->id_column].length == 0)
        return dgmi_lines_fail(lines, DGM_ERROR_DATA, "the id is missing");
    void *entries = table->entries, *numbers = table->lines;
    int64_t first = table->rows * table->columns;
    dgm_status status = dgmi_reserve(table->ctx, &entries, &table->entry_capacity,
                                     first + table->columns, sizeof *table->entries);
    table->entries = entries;
    if (status == DGM_OK)
        status = dgmi_reserve(table->ctx, &numbers, &table->line_capacity, table->rows + 1,
                              sizeof *table->lines);
    table->lines = numbers;
    if (status != DGM_OK)
        return status;
    for (int64_t k = 0; k < table->columns; k++) {
        const dgmi_bytes_field *field = &lines->fields[k];
        table->entries[first + k] = field->length ? table->pool.length : -1;
        if (field->length)
            dgmi_text_append(&table->pool, field->text, field->length + 1);
    }
    table->lines[table->rows++] = lines->line;
    return table->pool.status;
}

static dgm_status read_rows(dgmi_io_table *table, dgmi_bytes_lines *lines) {
    dgm_status status = dgmi_bytes_lines_next(lines);
    if (status == DGM_OK && lines->count == 0)
        return dgmi_fail_in(table->ctx, DGM_ERROR_FORMAT, table->file,
                            "the table of nodes is empty; a header line is needed");
    if (status == DGM_OK)
        status = take_header(table, lines);
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(lines)) == DGM_OK &&
           lines->count > 0)
        status = take_row(table, lines);
    return status;
}

/* A table of one column has nothing to cut at. */
static char separator_of(const dgmi_bytes_stream *stream) {
    const char *name = dgmi_bytes_stream_inner_name(stream);
    return dgmi_bytes_ends_with(name, ".tsv") ? '\t' : 0;
}

dgm_status dgmi_io_table_read(dgm_context *ctx, const char *path, dgmi_io_table **out) {
    dgmi_bytes_stream *stream;
    dgmi_bytes_lines lines;
    *out = NULL;
    dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_NODES);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status != DGM_OK)
        return status;
    dgmi_bytes_lines_init(&lines, ctx, stream);
    lines.comments = false;
    lines.separator = separator_of(stream);
    dgmi_io_table *table = dgmi_alloc_zero(ctx, 1, sizeof *table);
    status = DGM_ERROR_MEMORY;
    if (table) {
        table->ctx = ctx;
        dgmi_text_init(&table->pool, ctx);
        table->file = dgmi_strdup(ctx, dgmi_bytes_stream_name(stream));
        status = table->file ? read_rows(table, &lines) : DGM_ERROR_MEMORY;
    }
    dgmi_bytes_lines_free(&lines);
    dgmi_bytes_stream_close(stream);
    if (status == DGM_OK)
        *out = table;
    else
        dgmi_io_table_free(table);
    return status;
}

/* ---- rows to nodes ---- */

static const char *entry(const dgmi_io_table *table, int64_t row, int64_t column) {
    int64_t start = table->entries[row * table->columns + column];
    return start < 0 ? NULL : table->pool.data + start;
}

bool dgmi_io_table_has_numbers(const dgmi_io_table *table) {
    int64_t number;
    for (int64_t row = 0; row < table->rows; row++) {
        const char *id = entry(table, row, table->id_column);
        if (!dgmi_parse_integer(id, strlen(id), &number))
            return false;
    }
    return true;
}

static dgm_status number_to_node(const dgmi_io_table *table, int64_t row, int64_t base,
                                 uint32_t *node) {
    const char *id = entry(table, row, table->id_column);
    int64_t number;
    if (!dgmi_parse_integer(id, strlen(id), &number) || number < base ||
        number - base >= DGM_MAX_NODES)
        return dgmi_fail_at(table->ctx, DGM_ERROR_DATA, table->file, table->lines[row], -1,
                            "the id \"%.60s\" is no node of a graph whose nodes are numbered from "
                            "%lld",
                            id, (long long)base);
    *node = (uint32_t)(number - base);
    return DGM_OK;
}

/* Marks the node as met; a second row for it is an error. */
static dgm_status mark_node(dgmi_io_table *table, int64_t row, uint8_t **met, int64_t *capacity) {
    int64_t need = (int64_t)table->nodes[row] + 1, old = *capacity;
    void *grown = *met;
    dgm_status status = dgmi_reserve(table->ctx, &grown, capacity, need, 1);
    *met = grown;
    if (status != DGM_OK)
        return status;
    memset(*met + old, 0, (size_t)(*capacity - old));
    if ((*met)[need - 1])
        return dgmi_fail_at(table->ctx, DGM_ERROR_DATA, table->file, table->lines[row], -1,
                            "a second row for node \"%.60s\"; every node has one",
                            entry(table, row, table->id_column));
    (*met)[need - 1] = 1;
    return DGM_OK;
}

/* A number far beyond all others would cost memory that no data stands behind. */
static dgm_status reserve_number(const dgmi_io_table *table, int64_t nodes,
                                 dgm_graph_builder *builder) {
    const dgm_graph_options known = {.size = sizeof(dgm_graph_options),
                                     .nodes = dgm_graph_builder_nodes(builder)};
    dgm_status status = dgmi_bytes_check_sparse_nodes(
        table->ctx, table->file, nodes, dgmi_graph_builder_records(builder) + table->rows, &known);
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(builder, nodes) : status;
}

dgm_status dgmi_io_table_match(dgmi_io_table *table, dgm_graph_builder *builder) {
    bool names = dgmi_graph_builder_has_names(builder);
    if (!names && dgmi_graph_builder_records(builder) == 0)
        names =
            dgmi_graph_builder_ids(builder) == DGM_IDS_NAME || !dgmi_io_table_has_numbers(table);
    int64_t base = dgmi_graph_builder_name_base(builder), capacity = 0;
    uint8_t *met = NULL;
    dgmi_free(table->ctx, table->nodes);
    table->nodes = dgmi_alloc(table->ctx, table->rows, sizeof *table->nodes);
    dgm_status status = table->nodes ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t row = 0; status == DGM_OK && row < table->rows; row++) {
        const char *id = entry(table, row, table->id_column);
        status = names ? dgm_graph_builder_node(builder, id, strlen(id), &table->nodes[row])
                       : number_to_node(table, row, base, &table->nodes[row]);
        if (status == DGM_OK && !names)
            status = reserve_number(table, (int64_t)table->nodes[row] + 1, builder);
        if (status == DGM_OK)
            status = mark_node(table, row, &met, &capacity);
        if (status == DGM_OK && row % ROWS_A_LOOK == ROWS_A_LOOK - 1)
            status = dgmi_progress(table->ctx, "reading", -1);
    }
    dgmi_free(table->ctx, met);
    return status;
}

/* ---- columns ---- */

/* The entry as a number; an empty one is NaN. False if it is something else. */
static bool entry_number(const char *text, double *value) {
    *value = (double)NAN;
    return !text || strcmp(text, "NA") == 0 || dgmi_parse_real(text, strlen(text), value);
}

static bool is_number_column(const dgmi_io_table *table, int64_t column) {
    bool any = false;
    double value;
    for (int64_t row = 0; row < table->rows; row++) {
        const char *text = entry(table, row, column);
        if (!entry_number(text, &value))
            return false;
        any |= text && strcmp(text, "NA") != 0;
    }
    return any;
}

/* ---- classes that are named by texts ---- */

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the texts that are there and keeps one of each; returns how many. */
static int64_t distinct_texts(const char **sorted, int64_t count) {
    int64_t kept = 0;
    qsort(sorted, (size_t)count, sizeof *sorted, compare_texts);
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(sorted[kept - 1], sorted[i]) != 0)
            sorted[kept++] = sorted[i];
    return kept;
}

/* The place of a text that is among them. */
static int32_t find_text(const char *const *sorted, int64_t count, const char *text) {
    const char *const *found = bsearch(&text, sorted, (size_t)count, sizeof *sorted, compare_texts);
    return (int32_t)(found - sorted);
}

static dgm_status set_text_labels(const dgmi_io_table *table, int64_t nodes,
                                  const char *const *texts, const char *const *classes,
                                  int64_t count, dgm_graph_builder *builder) {
    int32_t *labels = dgmi_alloc(table->ctx, nodes, sizeof *labels);
    if (!labels)
        return DGM_ERROR_MEMORY;
    for (int64_t node = 0; node < nodes; node++)
        labels[node] = texts[node] ? find_text(classes, count, texts[node]) : -1;
    dgm_status status = dgm_graph_builder_set_labels(builder, nodes, labels);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, (int32_t)count, classes);
    dgmi_free(table->ctx, labels);
    return status;
}

/* A column `label` of texts names classes, in the order of their bytes. Texts that are all
 * different are names of nodes, as other programs use the word. */
static dgm_status apply_text_labels(const dgmi_io_table *table, int64_t nodes,
                                    const char *const *texts, dgm_graph_builder *builder) {
    const char **classes = dgmi_alloc(table->ctx, nodes, sizeof *classes);
    int64_t given = 0;
    dgm_status status = classes ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t node = 0; classes && node < nodes; node++)
        if (texts[node])
            classes[given++] = texts[node];
    int64_t count = classes ? distinct_texts(classes, given) : 0;
    if (status == DGM_OK && count == given && given > 1)
        dgmi_note(
            table->ctx,
            "%s: the column \"label\" differs from node to node, so it is not taken for classes",
            table->file);
    else if (status == DGM_OK && count > 0 && count <= DGMI_BYTES_MAX_CLASSES)
        status = set_text_labels(table, nodes, texts, classes, count, builder);
    dgmi_free(table->ctx, classes);
    return status;
}

static dgm_status apply_texts(const dgmi_io_table *table, int64_t column, int64_t nodes,
                              dgm_graph_builder *builder) {
    const char **texts = dgmi_alloc_zero(table->ctx, nodes, sizeof *texts);
    if (!texts)
        return DGM_ERROR_MEMORY;
    for (int64_t row = 0; row < table->rows; row++)
        texts[table->nodes[row]] = entry(table, row, column);
    dgm_status status = dgm_graph_builder_add_texts(builder, table->names[column], nodes, texts);
    if (status == DGM_OK && strcmp(table->names[column], "label") == 0 &&
        !dgmi_graph_builder_has_labels(builder))
        status = apply_text_labels(table, nodes, texts, builder);
    dgmi_free(table->ctx, texts);
    return status;
}

/* The numbers as labels, if they can be; otherwise nothing happens. */
static dgm_status apply_labels(const dgmi_io_table *table, int64_t nodes, const double *numbers,
                               dgm_graph_builder *builder) {
    int32_t *labels = dgmi_alloc(table->ctx, nodes, sizeof *labels);
    if (!labels)
        return DGM_ERROR_MEMORY;
    bool whole = true;
    for (int64_t node = 0; whole && node < nodes; node++) {
        double number = isnan(numbers[node]) ? -1 : numbers[node];
        whole = number >= -1 && number < DGMI_BYTES_MAX_CLASSES && number == floor(number);
        labels[node] = whole ? (int32_t)number : -1;
    }
    dgm_status status = whole ? dgm_graph_builder_set_labels(builder, nodes, labels) : DGM_OK;
    dgmi_free(table->ctx, labels);
    return status;
}

static dgm_status apply_numbers(const dgmi_io_table *table, int64_t column, int64_t nodes,
                                dgm_graph_builder *builder) {
    double *numbers = dgmi_alloc(table->ctx, nodes, sizeof *numbers);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t node = 0; node < nodes; node++)
        numbers[node] = (double)NAN;
    for (int64_t row = 0; row < table->rows; row++)
        entry_number(entry(table, row, column), &numbers[table->nodes[row]]);
    const char *name = table->names[column];
    dgm_status status = dgm_graph_builder_add_numbers(builder, name, nodes, numbers);
    if (status == DGM_OK && strcmp(name, "label") == 0 && !dgmi_graph_builder_has_labels(builder))
        status = apply_labels(table, nodes, numbers, builder);
    dgmi_free(table->ctx, numbers);
    return status;
}

/* Every column has an entry per node: if few of them are in the file, it would cost memory that no
 * data stand behind. */
static dgm_status check_entries(const dgmi_io_table *table, int64_t nodes,
                                const dgm_graph_builder *builder) {
    const double spare = 0x1p26, each = 64;
    double behind = (double)table->rows * (double)table->columns;
    if ((double)nodes * (double)table->columns <=
        spare + each * (behind + (double)dgmi_graph_builder_records(builder)))
        return DGM_OK;
    return dgmi_fail_in(
        table->ctx, DGM_ERROR_DATA, table->file,
        "%lld columns for %lld nodes, of which %lld have a row: too few for a table "
        "of that size; leave columns out, or give every node its row",
        (long long)table->columns, (long long)nodes, (long long)table->rows);
}

dgm_status dgmi_io_table_apply(const dgmi_io_table *table, dgm_graph_builder *builder) {
    int64_t nodes = dgm_graph_builder_nodes(builder);
    dgm_status status = check_entries(table, nodes, builder);
    for (int64_t k = 0; status == DGM_OK && k < table->columns; k++) {
        if (k != table->id_column)
            status = (is_number_column(table, k) ? apply_numbers : apply_texts)(table, k, nodes,
                                                                                builder);
        if (status == DGM_OK)
            status = dgmi_progress(table->ctx, "reading", (double)k / (double)table->columns);
    }
    return status;
}

dgm_status dgmi_io_read_node_table(dgm_context *ctx, const char *path, dgm_graph_builder *builder) {
    dgmi_io_table *table;
    dgm_status status = dgmi_io_table_read(ctx, path, &table);
    if (status != DGM_OK)
        return status;
    int64_t before = dgm_graph_builder_nodes(builder);
    status = dgmi_io_table_match(table, builder);
    int64_t made = dgm_graph_builder_nodes(builder) - before;
    if (status == DGM_OK && made > 0)
        dgmi_note(ctx, "%s: %lld nodes that no edge names", path, (long long)made);
    if (status == DGM_OK)
        status = dgmi_io_table_apply(table, builder);
    dgmi_io_table_free(table);
    return status;
}
