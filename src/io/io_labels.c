/* SPDX-License-Identifier: Apache-2.0 */
/* A file of classes for a graph: text or .npy, one class per row in the order
 * of the nodes, or with an `id` column in any order and for some of the nodes.
 *
 * Classes that are all whole numbers (-1: none) keep them; words become classes in the order in
 * which they first appear, and an empty entry or NA is none.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "dgm/io.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "graph_labels.h"
#include "graph_names.h"
#include "io_foreign.h"
#include "io_formats.h"
#include "io_rows.h"

typedef struct {
    dgm_context *ctx;
    const char *path;
    const dgm_graph *graph;
    dgm_graph_index *index; /* with an id column */
    int64_t id_column, class_column, columns;
    int64_t nodes, rows;
    dgmi_graph_names words; /* that were met, in order */
    int32_t *word;          /* by node: its word, or -1 */
    uint8_t *met;           /* by node, with an id column */
} label_file;

/* ---- text ---- */

static bool is_label_word(const char *word) {
    static const char *const words[] = {"label", "labels", "class", "classes", "y", "target"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(words[i], word) == 0)
            return true;
    return false;
}

/* A header names an id column, or is the word for a class by itself. */
static dgm_status take_header(label_file *file, const dgmi_bytes_lines *lines, bool *header) {
    file->columns = lines->count;
    file->id_column = dgmi_bytes_lines_find(lines, "id");
    file->class_column = 0;
    *header = file->id_column >= 0 || (lines->count == 1 && is_label_word(lines->fields[0].text));
    if (lines->count == 1 && file->id_column < 0)
        return DGM_OK;
    if (file->id_column < 0)
        return dgmi_lines_fail(
            lines, DGM_ERROR_FORMAT,
            "%lld columns; classes are one column in the order of the nodes, or "
            "come with a header that calls a column \"id\" and another \"label\"",
            (long long)lines->count);
    file->class_column = -1;
    for (int64_t k = 0; k < lines->count && file->class_column < 0; k++)
        if (k != file->id_column && (lines->count == 2 || is_label_word(lines->fields[k].text)))
            file->class_column = k;
    if (file->class_column < 0)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "no column is called \"label\"");
    return dgm_graph_index_create(file->ctx, file->graph, &file->index);
}

static dgm_status take_row(label_file *file, const dgmi_bytes_lines *lines) {
    int64_t node = file->rows++;
    uint32_t word;
    dgm_status status = DGM_OK;
    if (lines->count != file->columns)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT, "%lld columns, but the first line has %lld",
                               (long long)lines->count, (long long)file->columns);
    if (file->index)
        status = dgmi_io_rows_match(lines, file->id_column, file->index, file->met, &node);
    if (status != DGM_OK || node >= file->nodes)
        return status; /* too many are counted, and refused at the end */
    const dgmi_bytes_field *field = &lines->fields[file->class_column];
    if (field->length == 0 || strcmp(field->text, "NA") == 0)
        return DGM_OK;
    status = dgmi_graph_names_intern(file->ctx, &file->words, field->text, field->length, &word);
    if (status == DGM_OK)
        file->word[node] = (int32_t)word;
    return status;
}

static dgm_status read_lines(label_file *file, dgmi_bytes_lines *lines) {
    bool header = false;
    dgm_status status = dgmi_bytes_lines_next(lines);
    if (status == DGM_OK && lines->count > 0)
        status = take_header(file, lines, &header);
    if (status == DGM_OK && header)
        status = dgmi_bytes_lines_next(lines);
    while (status == DGM_OK && lines->count > 0) {
        status = take_row(file, lines);
        if (status == DGM_OK)
            status = dgmi_bytes_lines_next(lines);
    }
    return status;
}

/* ---- arrays ---- */

/* Rows of one whole number, each taken for the word that it is. */
static dgm_status read_array(label_file *file) {
    dgm_matrix *table;
    dgm_status status = dgm_matrix_read(file->ctx, file->path, file->graph, &table);
    if (status != DGM_OK)
        return status;
    if (dgm_matrix_columns(table) != 1)
        status = dgmi_fail_in(file->ctx, DGM_ERROR_FORMAT, file->path,
                              "%lld columns; classes are one column, a row for each node",
                              (long long)dgm_matrix_columns(table));
    const double *values = dgm_matrix_values(table);
    file->rows = dgm_matrix_rows(table);
    for (int64_t u = 0; status == DGM_OK && u < file->rows; u++) {
        char text[DGMI_NUMBER_SPACE];
        uint32_t word;
        int length = dgmi_format_real(values[u], text);
        status = dgmi_graph_names_intern(file->ctx, &file->words, text, (size_t)length, &word);
        if (status == DGM_OK)
            file->word[u] = (int32_t)word;
    }
    dgm_matrix_free(table);
    return status;
}

/* ---- from words to classes ---- */

/* numbers[w] is word w as a class, if all of them are whole numbers from -1. */
static bool are_numbers(const dgmi_graph_names *words, int32_t *numbers) {
    for (int64_t w = 0; w < words->count; w++) {
        size_t length;
        double value;
        const char *text = dgmi_graph_names_get(words, w, &length);
        if (!dgmi_parse_real(text, length, &value) || !(value >= -1) ||
            value >= DGMI_BYTES_MAX_CLASSES || value != floor(value))
            return false;
        numbers[w] = (int32_t)value;
    }
    return true;
}

static dgm_status apply(const label_file *file, dgm_graph *graph) {
    dgm_context *ctx = file->ctx;
    int64_t count = file->words.count;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int32_t *numbers = dgmi_scratch(ctx, count + 1, sizeof *numbers);
    const char **names = dgmi_scratch(ctx, count + 1, sizeof *names);
    dgm_status status = numbers && names ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && count > DGMI_BYTES_MAX_CLASSES)
        status = dgmi_fail_in(ctx, DGM_ERROR_DATA, file->path, "%lld classes are more than fit",
                              (long long)count);
    bool plain = status == DGM_OK && are_numbers(&file->words, numbers);
    for (int64_t u = 0; plain && u < file->nodes; u++)
        file->word[u] = file->word[u] < 0 ? -1 : numbers[file->word[u]];
    for (int64_t w = 0; status == DGM_OK && w < count; w++)
        names[w] = dgmi_graph_names_get(&file->words, w, NULL);
    if (status == DGM_OK)
        status = dgmi_graph_give_labels(ctx, graph, file->word, plain ? 0 : (int32_t)count, names);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status read_text(label_file *file) {
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_lines_open(&lines, file->ctx, file->path);
    if (status != DGM_OK)
        return status;
    lines.comments = false;
    status = read_lines(file, &lines);
    dgmi_bytes_lines_close(&lines);
    if (status == DGM_OK && !file->index && file->rows != file->nodes)
        status = dgmi_fail_in(file->ctx, DGM_ERROR_DATA, file->path,
                              "%lld classes for %lld nodes; one per node is needed, or a column id "
                              "that says whose they are",
                              (long long)file->rows, (long long)file->nodes);
    return status;
}

static dgm_status read_labels(dgm_context *ctx, const char *path, dgm_graph *graph) {
    label_file file = {.ctx = ctx, .path = path, .graph = graph, .nodes = dgm_graph_nodes(graph)};
    dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_LABELS);
    if (status != DGM_OK)
        return status;
    file.word = dgmi_alloc(ctx, file.nodes, sizeof *file.word);
    file.met = dgmi_alloc_zero(ctx, file.nodes, 1);
    status = file.word && file.met ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < file.nodes; u++)
        file.word[u] = -1;
    if (status == DGM_OK)
        status = (dgmi_bytes_ends_with(path, ".npy") ? read_array : read_text)(&file);
    if (status == DGM_OK)
        status = apply(&file, graph);
    dgm_graph_index_free(file.index);
    dgmi_graph_names_free(&ctx->allocator, &file.words);
    dgmi_free(ctx, file.word);
    dgmi_free(ctx, file.met);
    return status;
}

dgm_status dgmi_io_graph_label(dgm_context *ctx, const char *path, dgm_graph **graph) {
    dgm_status status = read_labels(ctx, path, *graph);
    if (status != DGM_OK) {
        dgm_graph_free(*graph);
        *graph = NULL;
    }
    return status;
}

dgm_status dgm_graph_read_labels(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                 dgm_graph **out) {
    dgm_status status = dgmi_graph_copy(ctx, graph, out);
    return status == DGM_OK ? dgmi_io_graph_label(ctx, path, out) : status;
}
