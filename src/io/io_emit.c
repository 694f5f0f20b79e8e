/* SPDX-License-Identifier: Apache-2.0 */
#include "io_emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "io_formats.h"

enum { BLOCK = 1 << 18 };

/* ---- columns ---- */

static bool all_whole(const double *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!isnan(values[i]) && (values[i] != floor(values[i]) || fabs(values[i]) > 0x1p53))
            return false;
    return true;
}

/* A reader keeps the attribute that it took the labels from: it is not to be written twice. */
static bool holds_labels(const dgmi_emit *emit, int64_t column, const int32_t *labels) {
    const double *values = emit->columns[column].numbers;
    int64_t nodes = dgm_graph_nodes(emit->graph);
    for (int64_t i = 0; values && i < nodes; i++)
        if (isnan(values[i]) ? labels[i] != -1 : values[i] != labels[i])
            return false;
    return values != NULL;
}

static int64_t find_column(const dgmi_emit *emit, const char *name) {
    for (int64_t k = 0; k < emit->column_count; k++)
        if (strcmp(emit->columns[k].name, name) == 0)
            return k;
    return -1;
}

/* The first of the format's names for labels that no column but `except` has; NULL if there is
 * none. */
static const char *free_label_name(const dgmi_emit *emit, int64_t except) {
    for (const char *const *name = emit->style->label_names; *name; name++) {
        int64_t holder = find_column(emit, *name);
        if (holder < 0 || holder == except)
            return *name;
    }
    return NULL;
}

static void add_labels(dgmi_emit *emit) {
    static const char *const read_as_labels[] = {"label", "y", "class", NULL};
    const int32_t *labels = dgm_graph_labels(emit->graph);
    int64_t column = emit->column_count;
    if (!labels)
        return;
    for (const char *const *name = read_as_labels; *name; name++) {
        int64_t k = find_column(emit, *name);
        if (k >= 0 && holds_labels(emit, k, labels)) {
            bool fits = false;
            for (const char *const *good = emit->style->label_names; *good; good++)
                fits |= strcmp(*good, *name) == 0;
            if (fits)
                return;
            column = k;
            break;
        }
    }
    const char *name = free_label_name(emit, column);
    if (!name) {
        dgmi_note(emit->ctx,
                  "%s: the labels are left out, since attributes have all the names "
                  "that they could take",
                  emit->style->format);
        return;
    }
    if (column < emit->column_count)
        emit->columns[column].name = name;
    else
        emit->columns[emit->column_count++] =
            (dgmi_emit_column){.name = name, .labels = labels, .whole = true};
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

static bool is_key(const dgmi_emit *emit, const char *name) {
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
static bool is_taken(const dgmi_emit *emit, int64_t column, const char *key) {
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
static dgm_status settle_key(dgmi_emit *emit, int64_t column) {
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
    dgmi_note(emit->ctx, "%s: the attribute '%s' is written as '%s'", emit->style->format, name,
              key);
    return DGM_OK;
}

static dgm_status plan_columns(dgmi_emit *emit) {
    int64_t nodes = dgm_graph_nodes(emit->graph), count = dgm_graph_attributes(emit->graph);
    emit->columns = dgmi_scratch_zero(emit->ctx, count + 1, sizeof *emit->columns);
    if (!emit->columns)
        return DGM_ERROR_MEMORY;
    for (; emit->column_count < count; emit->column_count++) {
        dgm_attribute attribute = dgm_graph_attribute(emit->graph, emit->column_count);
        emit->columns[emit->column_count] = (dgmi_emit_column){
            .name = attribute.name,
            .numbers = attribute.kind == DGM_ATTRIBUTE_NUMBER ? attribute.numbers : NULL,
            .texts = attribute.kind == DGM_ATTRIBUTE_TEXT ? attribute.texts : NULL,
            .whole = attribute.kind == DGM_ATTRIBUTE_NUMBER && all_whole(attribute.numbers, nodes)};
    }
    add_labels(emit);
    dgm_status status = DGM_OK;
    for (int64_t k = 0; status == DGM_OK && emit->style->reserved && k < emit->column_count; k++)
        status = settle_key(emit, k);
    return status;
}

bool dgmi_emit_cell(const dgmi_emit_column *column, int64_t node, double *value,
                    const char **text) {
    *text = column->texts ? column->texts[node] : NULL;
    if (column->texts)
        return *text != NULL;
    *value = column->labels ? column->labels[node] : column->numbers[node];
    return !isnan(*value);
}

/* ---- text ---- */

void dgmi_emit_open(dgmi_emit *emit, dgm_context *ctx, const dgm_graph *graph, dgmi_output *output,
                    const dgmi_emit_style *style) {
    *emit = (dgmi_emit){.ctx = ctx, .graph = graph, .style = style, .output = output};
    emit->mark = dgmi_arena_mark(ctx);
    dgmi_text_init(&emit->text, ctx);
    emit->text.status = plan_columns(emit);
}

static void hand_on(dgmi_emit *emit) {
    dgmi_text *text = &emit->text;
    if (text->status == DGM_OK)
        text->status = dgmi_progress(emit->ctx, "writing the graph", -1);
    if (text->status == DGM_OK && text->length)
        text->status = dgmi_output_write(emit->output, text->data, (size_t)text->length);
    text->length = 0;
}

dgm_status dgmi_emit_close(dgmi_emit *emit) {
    hand_on(emit);
    dgm_status status = emit->text.status;
    dgmi_text_free(&emit->text);
    dgmi_arena_release(emit->ctx, emit->mark);
    if (status != DGM_OK)
        return status;
    dgmi_note_losses(emit->ctx, emit->graph, emit->output,
                     DGMI_KEEPS_NAMES | DGMI_KEEPS_WEIGHTS | DGMI_KEEPS_LABELS |
                         DGMI_KEEPS_NUMBERS | DGMI_KEEPS_TEXTS);
    if (dgm_graph_class_name(emit->graph, 0))
        dgmi_note(emit->ctx, "%s: this format does not keep the names of classes",
                  dgmi_output_name(emit->output));
    if (emit->replaced)
        dgmi_note(emit->ctx,
                  "%s: %lld characters of attributes cannot be written and became U+FFFD",
                  emit->style->format, (long long)emit->replaced);
    return DGM_OK;
}

bool dgmi_emit_step(dgmi_emit *emit) {
    if (emit->text.length >= BLOCK)
        hand_on(emit);
    return emit->text.status == DGM_OK;
}

void dgmi_emit_string(dgmi_emit *emit, const char *string) {
    dgmi_text_string(&emit->text, string);
}

void dgmi_emit_text(dgmi_emit *emit, const char *text) {
    emit->replaced += emit->style->escape(&emit->text, text, strlen(text));
}

void dgmi_emit_name(dgmi_emit *emit, int64_t node) {
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

void dgmi_emit_edges(dgmi_emit *emit, dgmi_emit_edge write) {
    dgm_graph_rows rows = dgm_graph_get_rows(emit->graph);
    int64_t edge = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t v = rows.targets[e];
            if (!rows.directed && v < u)
                continue;
            if (!dgmi_emit_step(emit))
                return;
            write(emit, edge++, u, v, rows.weights ? &rows.weights[e] : NULL);
        }
}
