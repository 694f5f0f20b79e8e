/* SPDX-License-Identifier: Apache-2.0 */
/* The question `columns`, and the columns that nodes are chosen by. */
#include "explore_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "explore_nodes.h"

/* ---- memory that stays as long as the lens does ---- */

static void *keep(dgm_context *ctx, dgm_explorer *explorer, int64_t count, size_t size) {
    dgmi_arena_swap(ctx, &explorer->column_arena);
    void *block = dgmi_scratch_zero(ctx, count, size);
    dgmi_arena_swap(ctx, &explorer->column_arena);
    return block;
}

static const char *keep_text(dgm_context *ctx, dgm_explorer *explorer, const char *text) {
    char *copy = keep(ctx, explorer, (int64_t)strlen(text) + 1, 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

/* ---- numbers ---- */

int dgmi_explore_bin(double value, double low, double high, int bins) {
    double at = high > low ? (value - low) / (high - low) * bins : 0;
    return at >= bins ? bins - 1 : at > 0 ? (int)at : 0;
}

int dgmi_explore_column_bin(const dgmi_explore_column *column, int64_t node) {
    if (column->category)
        return column->category[node] == DGMI_EXPLORE_NO_CATEGORY ? -1 : column->category[node];
    double value = column->numbers[node * column->stride];
    return isnan(value) ? -1
                        : dgmi_explore_bin(value, column->low, column->high, DGMI_EXPLORE_BINS);
}

static void add_numbers(const dgm_explorer *explorer, const char *name, const double *numbers,
                        int64_t stride, dgmi_explore_columns *columns) {
    dgmi_explore_column *column = &columns->list[columns->count];
    if (columns->count == DGMI_EXPLORE_MOST_COLUMNS)
        return;
    *column = (dgmi_explore_column){
        .name = name, .numbers = numbers, .stride = stride, .low = NAN, .high = NAN};
    for (int64_t u = 0; u < dgm_graph_nodes(explorer->graph); u++) {
        column->low = fmin(column->low, numbers[u * stride]); /* NaN is no minimum */
        column->high = fmax(column->high, numbers[u * stride]);
    }
    columns->count++;
}

static dgm_status add_degrees(dgm_context *ctx, dgm_explorer *explorer,
                              dgmi_explore_columns *columns) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    double *degrees = keep(ctx, explorer, nodes, sizeof *degrees);
    if (!degrees)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        degrees[u] = (double)dgmi_graph_simple_degree(&explorer->rows, u);
    add_numbers(explorer, "degree", degrees, 1, columns);
    return DGM_OK;
}

static void add_lens(const dgm_explorer *explorer, dgmi_explore_columns *columns) {
    const dgm_matrix *axes = explorer->lens.axes;
    int64_t width = dgm_matrix_columns(axes);
    for (int64_t c = 0; c < width && c < DGM_MAX_AXES; c++)
        add_numbers(explorer, dgm_matrix_column_name(axes, c), dgm_matrix_values(axes) + c, width,
                    columns);
}

/* ---- categories ---- */

typedef struct {
    int32_t value;
    int64_t count;
} frequency;

static int compare_frequencies(const void *a, const void *b) {
    const frequency *p = a, *q = b;
    if (p->count != q->count)
        return p->count < q->count ? 1 : -1;
    return (p->value > q->value) - (p->value < q->value);
}

/* Counts values from 0 up to `most`, the most frequent first; those that do not occur are left out.
 * Scratch memory, or NULL. */
static frequency *count_values(dgm_context *ctx, const int32_t *values, int64_t nodes, int32_t most,
                               int32_t *found) {
    frequency *list = dgmi_scratch_zero(ctx, most, sizeof *list);
    *found = 0;
    if (!list)
        return NULL;
    for (int32_t v = 0; v < most; v++)
        list[v].value = v;
    for (int64_t u = 0; u < nodes; u++)
        if (values[u] >= 0 && values[u] < most)
            list[values[u]].count++;
    qsort(list, (size_t)most, sizeof *list, compare_frequencies);
    while (*found < most && list[*found].count > 0)
        (*found)++;
    return list;
}

/* Adds a column of values that have names; with too many of them the rare ones are one category. */
static dgm_status add_categories(dgm_context *ctx, dgm_explorer *explorer, const char *name,
                                 const int32_t *values, int32_t most, const char *const *names,
                                 dgmi_explore_columns *columns) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    dgmi_explore_column *column = &columns->list[columns->count];
    int32_t found;
    if (columns->count == DGMI_EXPLORE_MOST_COLUMNS)
        return DGM_OK;
    frequency *list = count_values(ctx, values, nodes, most, &found);
    uint8_t *category = keep(ctx, explorer, nodes, sizeof *category);
    uint8_t *place = dgmi_scratch_zero(ctx, most, sizeof *place);
    if (!list || !category || !place)
        return DGM_ERROR_MEMORY;
    *column = (dgmi_explore_column){.name = name, .category = category, .low = NAN, .high = NAN};
    for (int32_t i = 0; i < found; i++) {
        bool rare = found > DGMI_EXPLORE_BINS && i >= DGMI_EXPLORE_BINS - 1;
        place[list[i].value] = (uint8_t)(rare ? DGMI_EXPLORE_BINS - 1 : i);
        if (!rare)
            column->names[column->name_count++] = names[list[i].value];
    }
    if (found > DGMI_EXPLORE_BINS) {
        char others[40];
        snprintf(others, sizeof others, "%d others", found - (DGMI_EXPLORE_BINS - 1));
        column->names[column->name_count++] = keep_text(ctx, explorer, others);
        if (!column->names[DGMI_EXPLORE_BINS - 1])
            return DGM_ERROR_MEMORY;
    }
    for (int64_t u = 0; u < nodes; u++)
        category[u] =
            values[u] >= 0 && values[u] < most ? place[values[u]] : DGMI_EXPLORE_NO_CATEGORY;
    columns->count++;
    return DGM_OK;
}

static dgm_status add_classes(dgm_context *ctx, dgm_explorer *explorer, const char *name,
                              const int32_t *classes, dgmi_explore_columns *columns) {
    const dgm_predictions *predictions = explorer->lens.predictions;
    int32_t most = predictions ? dgm_predictions_known_classes(predictions)
                               : dgm_graph_classes(explorer->graph);
    const char **names = dgmi_scratch(ctx, most, sizeof *names);
    if (!classes || !names)
        return names ? DGM_OK : DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < most; c++) {
        char buffer[16];
        const char *text =
            predictions
                ? dgm_predictions_class_text(predictions, explorer->graph, c, buffer, sizeof buffer)
                : dgm_graph_class_text(explorer->graph, c, buffer, sizeof buffer);
        names[c] = keep_text(ctx, explorer, text);
        if (!names[c])
            return DGM_ERROR_MEMORY;
    }
    return add_categories(ctx, explorer, name, classes, most, names, columns);
}

/* ---- texts ---- */

typedef struct {
    const char *text;
    uint32_t node;
} word;

static int compare_words(const void *a, const void *b) {
    const word *p = a, *q = b;
    return strcmp(p->text, q->text);
}

/* Numbers the different texts; those of nodes without one are -1. Scratch memory. */
static dgm_status number_texts(dgm_context *ctx, const char *const *texts, int64_t nodes,
                               int32_t *values, const char **names, int32_t *count) {
    word *words = dgmi_scratch(ctx, nodes, sizeof *words);
    int64_t known = 0;
    if (!words)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        values[u] = -1;
        if (texts[u])
            words[known++] = (word){texts[u], (uint32_t)u};
    }
    qsort(words, (size_t)known, sizeof *words, compare_words);
    *count = 0;
    for (int64_t i = 0; i < known; i++) {
        if (i == 0 || strcmp(words[i].text, words[i - 1].text) != 0)
            names[(*count)++] = words[i].text;
        values[words[i].node] = *count - 1;
    }
    return DGM_OK;
}

static dgm_status add_texts(dgm_context *ctx, dgm_explorer *explorer,
                            const dgm_attribute *attribute, dgmi_explore_columns *columns) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    int32_t *values = dgmi_scratch(ctx, nodes, sizeof *values), count;
    const char **names = dgmi_scratch(ctx, nodes, sizeof *names);
    if (!values || !names)
        return DGM_ERROR_MEMORY;
    dgm_status status = number_texts(ctx, attribute->texts, nodes, values, names, &count);
    return status == DGM_OK
               ? add_categories(ctx, explorer, attribute->name, values, count, names, columns)
               : status;
}

static dgm_status add_attributes(dgm_context *ctx, dgm_explorer *explorer,
                                 dgmi_explore_columns *columns) {
    dgm_status status = DGM_OK;
    for (int64_t k = 0; status == DGM_OK && k < dgm_graph_attributes(explorer->graph) &&
                        columns->count < DGMI_EXPLORE_MOST_COLUMNS;
         k++) {
        const dgm_attribute attribute = dgm_graph_attribute(explorer->graph, k);
        dgmi_hold hold = dgmi_arena_hold(ctx);
        if (attribute.kind == DGM_ATTRIBUTE_NUMBER)
            add_numbers(explorer, attribute.name, attribute.numbers, 1, columns);
        else
            status = add_texts(ctx, explorer, &attribute, columns);
        dgmi_arena_release(ctx, hold);
    }
    return status;
}

/* ---- all of them ---- */

static dgm_status make_columns(dgm_context *ctx, dgm_explorer *explorer,
                               dgmi_explore_columns *columns) {
    const dgm_predictions *predictions = explorer->lens.predictions;
    dgm_status status = add_degrees(ctx, explorer, columns);
    if (status == DGM_OK)
        add_lens(explorer, columns);
    if (status == DGM_OK && dgm_graph_labels(explorer->graph))
        status = add_classes(ctx, explorer, "class", dgm_graph_labels(explorer->graph), columns);
    if (status == DGM_OK && predictions)
        status =
            add_classes(ctx, explorer, "prediction", dgm_predictions_classes(predictions), columns);
    return status == DGM_OK ? add_attributes(ctx, explorer, columns) : status;
}

dgm_status dgmi_explore_columns_find(dgm_context *ctx, dgm_explorer *explorer,
                                     const dgmi_explore_columns **out) {
    dgm_status status = DGM_OK;
    if (!explorer->columns) {
        dgmi_explore_columns *columns = keep(ctx, explorer, 1, sizeof *columns);
        dgmi_hold hold = dgmi_arena_hold(ctx);
        status = columns ? make_columns(ctx, explorer, columns) : DGM_ERROR_MEMORY;
        dgmi_arena_release(ctx, hold);
        if (status == DGM_OK)
            explorer->columns = columns;
        else
            dgmi_arena_drop(&explorer->allocator, &explorer->column_arena);
    }
    *out = explorer->columns;
    return status;
}

/* ---- the question ---- */

static void say_column(const dgmi_explore_column *column, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_text(answer, "name", column->name);
    dgmi_explore_text(answer, "kind", column->category ? "category" : "number");
    dgmi_explore_real(answer, "low", column->low);
    dgmi_explore_real(answer, "high", column->high);
    dgmi_explore_open(answer, "names", '[');
    for (int i = 0; i < column->name_count; i++)
        dgmi_explore_text(answer, NULL, column->names[i]);
    dgmi_explore_close(answer, '[');
    dgmi_explore_close(answer, '{');
}

/* Counts nodes by column and bin; all of them if `nodes` is NULL. */
static dgm_status put_counts(dgm_context *ctx, const dgm_explorer *explorer, const char *name,
                             const dgmi_explore_nodes *nodes, dgmi_explore_answer *answer) {
    const dgmi_explore_columns *columns = explorer->columns;
    int64_t size = (int64_t)columns->count * DGMI_EXPLORE_BINS;
    int64_t count = nodes ? nodes->count : dgm_graph_nodes(explorer->graph);
    uint32_t *counts = dgmi_scratch_zero(ctx, size, sizeof *counts);
    if (!counts)
        return DGM_ERROR_MEMORY;
    for (int c = 0; c < columns->count; c++)
        for (int64_t i = 0; i < count; i++) {
            int bin = dgmi_explore_column_bin(&columns->list[c], nodes ? nodes->list[i] : i);
            if (bin >= 0)
                counts[c * DGMI_EXPLORE_BINS + bin]++;
        }
    dgmi_explore_numbers(answer, name, counts, size);
    return DGM_OK;
}

dgm_status dgmi_explore_columns_ask(dgm_context *ctx, dgm_explorer *explorer,
                                    const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    const dgmi_explore_columns *columns;
    dgmi_explore_shown shown;
    dgmi_explore_nodes nodes;
    bool named = dgmi_explore_nodes_are_named(query);
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_columns_find(ctx, explorer, &columns);
    if (status == DGM_OK && named)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &nodes);
    if (status != DGM_OK)
        return status;
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_open(answer, "columns", '[');
    for (int c = 0; c < columns->count; c++)
        say_column(&columns->list[c], answer);
    dgmi_explore_close(answer, '[');
    status = put_counts(ctx, explorer, "all", NULL, answer);
    return status == DGM_OK && named ? put_counts(ctx, explorer, "inside", &nodes, answer) : status;
}
