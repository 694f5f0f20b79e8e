/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and attributes of the nodes of a TU folder (io_tu.c). */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_npy.h"
#include "bytes_path.h"
#include "io_tu.h"

static dgm_status fail_count(const dgmi_io_tu *tu, const char *file, int64_t count) {
    return dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, file,
                        "%lld rows for %lld nodes, which is what %s_graph_indicator.txt counts",
                        (long long)count, (long long)tu->nodes, tu->name);
}

/* Moves the row of each node of the file, `size` bytes, to its place in the set. */
static dgm_status move_rows(const dgmi_io_tu *tu, void *rows, size_t size) {
    if (!tu->rank)
        return DGM_OK;
    assert(rows && size > 0); /* nodes that are moved have rows, and a row has a column */
    dgmi_hold hold = dgmi_arena_hold(tu->ctx);
    char *copy = dgmi_scratch(tu->ctx, tu->nodes, size);
    if (copy) {
        memcpy(copy, rows, (size_t)tu->nodes * size);
        for (int64_t i = 0; i < tu->nodes; i++)
            memcpy((char *)rows + tu->rank[i] * size, copy + (size_t)i * size, size);
    }
    dgmi_arena_release(tu->ctx, hold);
    return copy ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- labels: any whole numbers ---- */

static int compare_numbers(const void *x, const void *y) {
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* The numbers among the labels, ascending, in scratch memory; NULL on failure. */
static int32_t *list_numbers(const dgmi_io_tu *tu, const int32_t *labels, int64_t *distinct) {
    int32_t *numbers = dgmi_scratch(tu->ctx, tu->nodes, sizeof *numbers);
    if (!numbers)
        return NULL;
    memcpy(numbers, labels, (size_t)tu->nodes * sizeof *numbers);
    qsort(numbers, (size_t)tu->nodes, sizeof *numbers, compare_numbers);
    *distinct = 0;
    for (int64_t i = 0; i < tu->nodes; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            numbers[(*distinct)++] = numbers[i];
    return numbers;
}

/* Classes are called by the numbers of the file. */
static dgm_status name_classes(const dgmi_io_tu *tu, const int32_t *numbers, int64_t count) {
    enum { LONGEST = 12 };
    char(*texts)[LONGEST] = dgmi_scratch(tu->ctx, count, sizeof *texts);
    const char **names = dgmi_scratch(tu->ctx, count, sizeof *names);
    if (!texts || !names)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        snprintf(texts[c], LONGEST, "%d", (int)numbers[c]);
        names[c] = texts[c];
    }
    return dgm_graph_builder_set_class_names(tu->builder, (int32_t)count, names);
}

/* Labels below -1 cannot be numbers of classes, and -1 would mean that a node has none: the lowest
 * becomes class 0, and so on. */
static dgm_status sort_labels(const dgmi_io_tu *tu, const char *file, int32_t *labels) {
    int64_t distinct;
    dgmi_hold hold = dgmi_arena_hold(tu->ctx);
    const int32_t *numbers = list_numbers(tu, labels, &distinct);
    dgm_status status = numbers ? name_classes(tu, numbers, distinct) : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < tu->nodes; i++) {
        const int32_t *at =
            bsearch(&labels[i], numbers, (size_t)distinct, sizeof *numbers, compare_numbers);
        labels[i] = (int32_t)(at - numbers);
    }
    if (status == DGM_OK)
        dgmi_note(tu->ctx,
                  "%s has labels from %d to %d; they are the classes 0 to %lld, in this order, and "
                  "called by their numbers",
                  dgmi_bytes_path_last(file), (int)numbers[0], (int)numbers[distinct - 1],
                  (long long)distinct - 1);
    dgmi_arena_release(tu->ctx, hold);
    return status;
}

/* Says that -1 means none, and puts labels in order that no class can have as its number. */
static dgm_status settle_labels(const dgmi_io_tu *tu, const char *file, int32_t *labels) {
    int64_t none = 0;
    for (int64_t i = 0; i < tu->nodes; i++) {
        if (labels[i] < -1 || labels[i] >= DGMI_BYTES_MAX_CLASSES)
            return sort_labels(tu, file, labels);
        none += labels[i] == -1;
    }
    if (none)
        dgmi_note(tu->ctx, "%s: %lld %s the label -1, which means none", dgmi_bytes_path_last(file),
                  (long long)none, none == 1 ? "node has" : "nodes have");
    return DGM_OK;
}

static dgm_status read_labels(const dgmi_io_tu *tu) {
    char *file;
    int32_t *labels = NULL;
    int64_t count;
    dgm_status status = dgmi_io_tu_find_file(tu, "node_labels", &file);
    if (status != DGM_OK || !file)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, INT32_MIN, INT32_MAX,
                                          "a class (a whole number)", &labels, &count);
    if (status == DGM_OK && count != tu->nodes)
        status = fail_count(tu, file, count);
    if (status == DGM_OK)
        status = settle_labels(tu, file, labels);
    if (status == DGM_OK)
        status = move_rows(tu, labels, sizeof *labels);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(tu->builder, count, labels);
    dgmi_free(tu->ctx, labels);
    dgmi_free(tu->ctx, file);
    return status;
}

/* ---- attributes: rows of numbers ---- */

typedef struct {
    float *values;
    int64_t capacity, width, rows;
} float_rows;

static dgm_status take_floats(const dgmi_bytes_lines *lines, float_rows *rows) {
    if (rows->rows == 0)
        rows->width = lines->count;
    if (lines->count != rows->width)
        return dgmi_lines_fail(lines, DGM_ERROR_FORMAT,
                               "%lld columns, but the lines before have %lld",
                               (long long)lines->count, (long long)rows->width);
    void *values = rows->values;
    int64_t first = rows->rows * rows->width;
    dgm_status status =
        dgmi_reserve(lines->ctx, &values, &rows->capacity, first + rows->width, sizeof(float));
    rows->values = values;
    if (status != DGM_OK)
        return status;
    for (int64_t k = 0; k < rows->width; k++) {
        const dgmi_bytes_field *field = &lines->fields[k];
        double value;
        if (!dgmi_parse_real(field->text, field->length, &value) || !isfinite((float)value))
            return dgmi_lines_fail(lines, DGM_ERROR_DATA, "\"%.40s\" is not a finite number",
                                   field->text);
        rows->values[first + k] = (float)value;
    }
    rows->rows++;
    return DGM_OK;
}

static dgm_status read_floats(const dgmi_io_tu *tu, const char *file, float_rows *rows) {
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_lines_open(&lines, tu->ctx, file);
    if (status != DGM_OK)
        return status;
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(&lines)) == DGM_OK &&
           lines.count > 0)
        status = take_floats(&lines, rows);
    dgmi_bytes_lines_close(&lines);
    return status;
}

static dgm_status read_attributes(const dgmi_io_tu *tu) {
    char *file;
    float_rows rows = {0};
    dgm_status status = dgmi_io_tu_find_file(tu, "node_attributes", &file);
    if (status != DGM_OK || !file)
        return status;
    status = read_floats(tu, file, &rows);
    if (status == DGM_OK && rows.rows != tu->nodes)
        status = fail_count(tu, file, rows.rows);
    if (status == DGM_OK)
        status = move_rows(tu, rows.values, (size_t)rows.width * sizeof *rows.values);
    dgm_graph_features features = {.width = rows.width, .values = rows.values};
    if (status == DGM_OK)
        status = dgm_graph_builder_set_features(tu->builder, rows.rows, &features);
    dgmi_free(tu->ctx, rows.values);
    dgmi_free(tu->ctx, file);
    return status;
}

dgm_status dgmi_io_tu_read_nodes(const dgmi_io_tu *tu) {
    dgm_status status = read_labels(tu);
    return status == DGM_OK ? read_attributes(tu) : status;
}
