/* SPDX-License-Identifier: Apache-2.0 */
#include "io_emit.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_labels.h"
#include "io_collect.h"
#include "io_formats.h"

enum { BLOCK = DGMI_BUFFER(1 << 18) };

/* ---- columns ---- */

static bool all_whole(const double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!isnan(values[i]) && (values[i] != floor(values[i]) || fabs(values[i]) > 0x1p53))
            return false;
    return true;
}

/* A reader keeps the attribute that it took the labels from: it is not to be written twice. */
static bool holds_labels(const dgmi_io_emit *emit, int64_t column, const int32_t *labels) {
    assert(column >= 0 && column < emit->column_count);
    const double *values = emit->columns[column].numbers;
    int64_t nodes = dgm_graph_nodes(emit->graph);
    for (int64_t i = 0; values && i < nodes; i++)
        if (isnan(values[i]) ? labels[i] != -1 : values[i] != labels[i])
            return false;
    return values != NULL;
}

static int64_t find_column(const dgmi_io_emit *emit, const char *name) {
    for (int64_t k = 0; k < emit->column_count; k++)
        if (strcmp(emit->columns[k].name, name) == 0)
            return k;
    return -1;
}

/* Whether a reader takes labels of that name for the labels, whatever the columns but `except` are.
 */
static bool is_read_as_labels(const dgmi_io_emit *emit, const char *name, int64_t except) {
    bool beside_x = find_column(emit, "x") >= 0;
    int rank = dgmi_io_label_rank(name, beside_x);
    for (int64_t k = 0; k < emit->column_count; k++) {
        const dgmi_io_emit_column *column = &emit->columns[k];
        if (k == except)
            continue;
        if (strcmp(column->name, name) == 0)
            return false;
        if (column->numbers && dgmi_io_label_rank(column->name, beside_x) > rank &&
            dgmi_io_are_labels(column->numbers, dgm_graph_nodes(emit->graph)))
            return false;
    }
    return rank > 0;
}

/* The column that a reader took the labels from, or -1. */
static int64_t find_label_column(const dgmi_io_emit *emit, const int32_t *labels) {
    static const char *const names[] = {"label", "y", "class", NULL};
    for (const char *const *name = names; *name; name++) {
        int64_t k = find_column(emit, *name);
        if (k >= 0 && holds_labels(emit, k, labels))
            return k;
    }
    return -1;
}

static void note_rename(const dgmi_io_emit *emit, const char *from, const char *to) {
    dgmi_note(emit->ctx, "%s: the attribute '%s' is written as '%s'", emit->style->format, from,
              to);
}

/* The labels as the data numbers them; scratch memory. NULL on failure. */
static const int32_t *number_labels(const dgmi_io_emit *emit) {
    const int32_t *labels = dgm_graph_labels(emit->graph);
    int64_t nodes = dgm_graph_nodes(emit->graph);
    int32_t *numbers = dgmi_scratch(emit->ctx, nodes, sizeof *numbers);
    for (int64_t i = 0; numbers && i < nodes; i++)
        numbers[i] = dgm_graph_class_number(emit->graph, labels[i]);
    return numbers;
}

/* Labels become a column of their own unless one holds them. */
static void add_labels(dgmi_io_emit *emit, const int32_t *labels) {
    int64_t column = find_label_column(emit, labels);
    const char *fitting = NULL;
    for (const char *const *name = emit->style->label_names; *name; name++) {
        if (column >= 0 && strcmp(emit->columns[column].name, *name) == 0)
            return;
        if (!fitting && is_read_as_labels(emit, *name, column))
            fitting = *name;
    }
    if (column >= 0 && fitting) {
        note_rename(emit, emit->columns[column].name, fitting);
        emit->columns[column].name = fitting;
    } else if (fitting) {
        emit->columns[emit->column_count++] =
            (dgmi_io_emit_column){.name = fitting, .labels = labels, .whole = true};
    } else if (column < 0) {
        dgmi_note(emit->ctx,
                  "%s: the labels are left out, since attributes would be taken for them",
                  emit->style->format);
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

static bool is_key(const dgmi_io_emit *emit, const char *name) {
    if (!emit->style->plain_keys)
        return true;
    if (!is_letter(*name))
        return false;
    while (is_word(*name))
        name++;
    return *name == '\0';
}

/* Whether something else has the key: the format, a column before this one, or one behind it by its
 * own name. */
static bool is_taken(const dgmi_io_emit *emit, int64_t column, const char *key) {
    bool own = strcmp(emit->columns[column].name, key) == 0;
    if (strcmp(key, emit->style->reserved) == 0)
        return true;
    for (int64_t k = 0; k < emit->column_count; k++)
        if ((k < column || (k > column && !own)) && strcmp(emit->columns[k].name, key) == 0)
            return true;
    return false;
}

/* Where names of attributes are keys of the format they must be allowed and differ from each other.
 */
static dgm_status settle_key(dgmi_io_emit *emit, int64_t column) {
    enum { SUFFIX = 24 };
    const char *name = emit->columns[column].name;
    if (is_key(emit, name) && !is_taken(emit, column, name))
        return DGM_OK;
    size_t size = strlen(name), length = 0;
    char *key = dgmi_scratch(emit->ctx, (int64_t)size + SUFFIX + 2, 1);
    if (!key)
        return DGM_ERROR_MEMORY;
    if (emit->style->plain_keys && !is_letter(*name))
        key[length++] = 'a';
    for (size_t i = 0; i < size; i++)
        key[length++] = is_word(name[i]) || !emit->style->plain_keys ? name[i] : '_';
    key[length] = '\0';
    for (int64_t k = 2; is_taken(emit, column, key); k++)
        snprintf(key + length, SUFFIX, "_%lld", (long long)k);
    emit->columns[column].name = key;
    note_rename(emit, name, key);
    return DGM_OK;
}

bool dgmi_io_emit_has_values(const dgmi_io_emit *emit, const dgmi_io_emit_column *column) {
    double value;
    const char *text;
    for (int64_t i = 0; i < dgm_graph_nodes(emit->graph); i++)
        if (dgmi_io_emit_entry(column, i, &value, &text))
            return true;
    return false;
}

static void add_column(dgmi_io_emit *emit, dgm_attribute attribute) {
    bool number = attribute.kind == DGM_ATTRIBUTE_NUMBER;
    dgmi_io_emit_column column = {.name = attribute.name,
                                  .numbers = number ? attribute.numbers : NULL,
                                  .texts = number ? NULL : attribute.texts};
    column.whole = number && all_whole(attribute.numbers, dgm_graph_nodes(emit->graph));
    if (emit->style->reserved && !dgmi_io_emit_has_values(emit, &column))
        dgmi_note(emit->ctx, "%s: the attribute '%s' has no values and is left out",
                  emit->style->format, column.name);
    else
        emit->columns[emit->column_count++] = column;
}

static dgm_status plan_columns(dgmi_io_emit *emit) {
    int64_t count = dgm_graph_attributes(emit->graph);
    emit->columns = dgmi_scratch_zero(emit->ctx, count + 1, sizeof *emit->columns);
    if (!emit->columns)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++)
        add_column(emit, dgm_graph_attribute(emit->graph, k));
    const int32_t *labels = dgm_graph_labels(emit->graph) ? number_labels(emit) : NULL;
    if (labels)
        add_labels(emit, labels);
    dgm_status status = labels || !dgm_graph_labels(emit->graph) ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t k = 0; status == DGM_OK && emit->style->reserved && k < emit->column_count; k++)
        status = settle_key(emit, k);
    return status;
}

bool dgmi_io_emit_entry(const dgmi_io_emit_column *column, int64_t node, double *value,
                        const char **text) {
    *text = column->texts ? column->texts[node] : NULL;
    if (column->texts)
        return *text != NULL;
    assert(column->labels || column->numbers);
    *value = column->labels ? column->labels[node] : column->numbers[node];
    return !isnan(*value);
}

/* ---- text ---- */

void dgmi_io_emit_open(dgmi_io_emit *emit, dgm_context *ctx, const dgm_graph *graph,
                       dgmi_bytes_output *output, const dgmi_io_emit_style *style) {
    *emit = (dgmi_io_emit){.ctx = ctx, .graph = graph, .style = style, .output = output};
    emit->hold = dgmi_arena_hold(ctx);
    dgmi_text_init(&emit->text, ctx);
    emit->text.status = plan_columns(emit);
}

static void hand_on(dgmi_io_emit *emit) {
    dgmi_text *text = &emit->text;
    if (text->status == DGM_OK)
        text->status = dgmi_progress(emit->ctx, "writing the graph", -1);
    if (text->status == DGM_OK)
        text->status = dgmi_bytes_output_write(emit->output, text->data, (size_t)text->length);
    text->length = 0;
}

dgm_status dgmi_io_emit_close(dgmi_io_emit *emit) {
    hand_on(emit);
    dgm_status status = emit->text.status;
    dgmi_text_free(&emit->text);
    dgmi_arena_release(emit->ctx, emit->hold);
    if (status != DGM_OK)
        return status;
    dgmi_io_note_losses(emit->ctx, emit->graph, emit->output,
                        DGMI_IO_KEEPS_NAMES | DGMI_IO_KEEPS_WEIGHTS | DGMI_IO_KEEPS_LABELS |
                            DGMI_IO_KEEPS_NUMBERS | DGMI_IO_KEEPS_TEXTS);
    if (dgmi_graph_number_name(emit->graph, 0))
        dgmi_note(emit->ctx, "%s: this format does not keep the names of classes",
                  dgmi_bytes_output_name(emit->output));
    if (emit->replaced)
        dgmi_note(emit->ctx,
                  "%s: %lld characters of attributes cannot be written and became U+FFFD",
                  emit->style->format, (long long)emit->replaced);
    return DGM_OK;
}

bool dgmi_io_emit_step(dgmi_io_emit *emit) {
    if (emit->text.length >= BLOCK)
        hand_on(emit);
    return emit->text.status == DGM_OK;
}

void dgmi_io_emit_string(dgmi_io_emit *emit, const char *string) {
    dgmi_text_string(&emit->text, string);
}

void dgmi_io_emit_text(dgmi_io_emit *emit, const char *text) {
    emit->replaced += emit->style->escape(&emit->text, text, strlen(text));
}

void dgmi_io_emit_name(dgmi_io_emit *emit, int64_t node) {
    size_t length;
    const char *name = dgm_graph_name_text(emit->graph, node, &length);
    if (!name)
        dgmi_text_integer(&emit->text, node + dgm_graph_name_base(emit->graph));
    else if (emit->style->escape(&emit->text, name, length) && emit->text.status == DGM_OK)
        emit->text.status = dgmi_fail(
            emit->ctx, DGM_ERROR_DATA,
            "%s cannot hold the node name '%s': it has a control character or is not UTF-8",
            emit->style->format, name);
}

void dgmi_io_emit_edges(dgmi_io_emit *emit, dgmi_io_emit_edge write) {
    dgm_graph_rows rows = dgm_graph_get_rows(emit->graph);
    int64_t edge = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t v = rows.targets[e];
            if (!rows.directed && v < u)
                continue;
            if (!dgmi_io_emit_step(emit))
                return;
            write(emit, edge++, u, v, rows.weights ? &rows.weights[e] : NULL);
        }
}
