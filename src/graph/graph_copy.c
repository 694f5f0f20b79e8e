/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a graph. A finished graph never changes, so a graph with other labels begins as a copy. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"
#include "graph_labels.h"

/* Copies blocks until one does not fit into memory; all that follow are then NULL. */
typedef struct {
    dgm_context *ctx;
    dgm_status status;
} copier;

/* NULL of NULL. */
static void *copy_block(copier *c, const void *block, int64_t count, size_t size) {
    void *copy = block && c->status == DGM_OK ? dgmi_alloc(c->ctx, count, size) : NULL;
    if (copy && count > 0)
        memcpy(copy, block, (size_t)count * size);
    if (block && !copy)
        c->status = DGM_ERROR_MEMORY;
    return copy;
}

static char *copy_text(copier *c, const char *text) {
    return copy_block(c, text, text ? (int64_t)strlen(text) + 1 : 0, 1);
}

static void copy_rows(copier *c, const dgm_graph *from, dgm_graph *to) {
    to->offsets = copy_block(c, from->offsets, from->nodes + 1, sizeof *to->offsets);
    to->targets = copy_block(c, from->targets, from->entries, sizeof *to->targets);
    to->weights = copy_block(c, from->weights, from->entries, sizeof *to->weights);
}

/* Finished graphs have no table of names: an index makes its own. */
static void copy_names(copier *c, const dgmi_graph_names *from, dgmi_graph_names *to) {
    to->count = from->count;
    to->pool_used = to->pool_capacity = from->pool_used;
    to->starts_capacity = from->count + 1;
    to->pool = copy_block(c, from->pool, from->pool_used, 1);
    to->starts = copy_block(c, from->starts, from->count + 1, sizeof *to->starts);
}

static void copy_classes(copier *c, const dgm_graph *from, dgm_graph *to) {
    to->labels = copy_block(c, from->labels, from->label_count, sizeof *to->labels);
    to->label_count = from->label_count;
    to->classes = from->classes;
    to->class_numbers =
        copy_block(c, from->class_numbers, from->classes, sizeof *to->class_numbers);
    to->class_names =
        copy_block(c, from->class_names, from->class_name_count, sizeof *to->class_names);
    to->class_name_numbers = copy_block(c, from->class_name_numbers, from->class_name_count,
                                        sizeof *to->class_name_numbers);
    for (int32_t i = 0; c->status == DGM_OK && i < from->class_name_count; i++) {
        to->class_names[i] = copy_text(c, from->class_names[i]);
        to->class_name_count += c->status == DGM_OK;
    }
}

static void copy_features(copier *c, const dgm_graph *from, dgm_graph *to) {
    int64_t entries = from->feature_offsets ? from->feature_offsets[from->feature_rows]
                                            : from->feature_rows * from->feature_width;
    to->feature_rows = from->feature_rows;
    to->feature_width = from->feature_width;
    to->feature_offsets =
        copy_block(c, from->feature_offsets, from->feature_rows + 1, sizeof *to->feature_offsets);
    to->feature_columns =
        copy_block(c, from->feature_columns, entries, sizeof *to->feature_columns);
    to->feature_values = copy_block(c, from->feature_values, entries, sizeof *to->feature_values);
}

/* The texts of a column lie in one pool, one behind the other. */
static void copy_texts(copier *c, const dgmi_graph_column *from, dgmi_graph_column *to) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < from->count; i++)
        bytes += from->texts[i] ? (int64_t)strlen(from->texts[i]) + 1 : 0;
    to->text_pool = copy_block(c, from->text_pool, bytes, 1);
    to->texts = copy_block(c, from->texts, from->count, sizeof *to->texts);
    for (int64_t i = 0; c->status == DGM_OK && i < from->count; i++)
        if (from->texts[i])
            to->texts[i] = to->text_pool + (from->texts[i] - from->text_pool);
}

static void copy_columns(copier *c, const dgm_graph *from, dgm_graph *to) {
    to->columns = c->status == DGM_OK
                      ? dgmi_alloc_zero(c->ctx, from->column_count, sizeof *to->columns)
                      : NULL;
    if (!to->columns) {
        c->status = DGM_ERROR_MEMORY;
        return;
    }
    to->column_count = to->column_capacity = from->column_count;
    for (int64_t k = 0; k < from->column_count; k++) {
        const dgmi_graph_column *column = &from->columns[k];
        dgmi_graph_column *copy = &to->columns[k];
        copy->kind = column->kind;
        copy->count = column->count;
        copy->name = copy_text(c, column->name);
        copy->numbers = copy_block(c, column->numbers, column->count, sizeof *copy->numbers);
        if (column->texts)
            copy_texts(c, column, copy);
    }
}

dgm_status dgmi_graph_copy(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out) {
    copier c = {ctx, DGM_OK};
    *out = NULL;
    dgm_graph *copy = dgmi_alloc_zero(ctx, 1, sizeof *copy);
    if (!copy)
        return DGM_ERROR_MEMORY;
    copy->allocator = ctx->allocator;
    copy->nodes = graph->nodes;
    copy->entries = graph->entries;
    copy->directed = graph->directed;
    copy->counts = graph->counts;
    copy->name_base = graph->name_base;
    copy->source = copy_text(&c, graph->source);
    copy->splits = copy_block(&c, graph->splits, graph->split_count, sizeof *copy->splits);
    copy->split_count = graph->split_count;
    copy_rows(&c, graph, copy);
    copy_names(&c, &graph->names, &copy->names);
    copy_classes(&c, graph, copy);
    copy_features(&c, graph, copy);
    copy_columns(&c, graph, copy);
    if (c.status != DGM_OK) {
        dgm_graph_free(copy);
        return c.status;
    }
    *out = copy;
    return DGM_OK;
}

dgm_status dgm_graph_with_labels(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                                 int32_t name_count, const char *const *names, dgm_graph **out) {
    dgm_status status = dgmi_graph_copy(ctx, graph, out);
    if (status == DGM_OK)
        status = dgmi_graph_give_labels(ctx, *out, labels, name_count, names);
    if (status != DGM_OK) {
        dgm_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- one more attribute ---- */

static void drop_column(const dgm_allocator *allocator, dgmi_graph_column *column) {
    dgmi_allocator_free(allocator, column->name);
    dgmi_allocator_free(allocator, column->numbers);
    dgmi_allocator_free(allocator, column->texts);
    dgmi_allocator_free(allocator, column->text_pool);
    *column = (dgmi_graph_column){0};
}

/* The column of that name, emptied, or a new one at the end; NULL on failure. */
static dgmi_graph_column *open_column(dgm_context *ctx, dgm_graph *graph, const char *name) {
    void *columns = graph->columns;
    int64_t at = dgm_graph_attribute_find(graph, name);
    if (at >= 0) {
        drop_column(&graph->allocator, &graph->columns[at]);
        return &graph->columns[at];
    }
    dgm_status status = dgmi_reserve(ctx, &columns, &graph->column_capacity,
                                     graph->column_count + 1, sizeof *graph->columns);
    graph->columns = columns;
    if (status != DGM_OK)
        return NULL;
    graph->columns[graph->column_count] = (dgmi_graph_column){0};
    return &graph->columns[graph->column_count++];
}

/* Texts of a caller lie anywhere; those of a column one behind the other. */
static void gather_texts(copier *c, const char *const *texts, dgmi_graph_column *to) {
    int64_t bytes = 0;
    for (int64_t i = 0; i < to->count; i++)
        bytes += texts[i] ? (int64_t)strlen(texts[i]) + 1 : 0;
    to->texts = dgmi_alloc_zero(c->ctx, to->count, sizeof *to->texts);
    to->text_pool = dgmi_alloc(c->ctx, bytes, 1);
    if (!to->texts || !to->text_pool) {
        c->status = DGM_ERROR_MEMORY;
        return;
    }
    char *place = to->text_pool;
    for (int64_t i = 0; i < to->count; i++) {
        size_t size = texts[i] ? strlen(texts[i]) + 1 : 0;
        to->texts[i] = size ? memcpy(place, texts[i], size) : NULL;
        place += size;
    }
}

static dgm_status give_attribute(dgm_context *ctx, dgm_graph *graph,
                                 const dgm_attribute *attribute) {
    copier c = {ctx, DGM_OK};
    dgmi_graph_column *column = open_column(ctx, graph, attribute->name);
    if (!column)
        return DGM_ERROR_MEMORY;
    column->kind = attribute->kind;
    column->count = graph->nodes;
    column->name = copy_text(&c, attribute->name);
    if (attribute->kind == DGM_ATTRIBUTE_NUMBER)
        column->numbers =
            copy_block(&c, attribute->numbers, column->count, sizeof *column->numbers);
    else
        gather_texts(&c, attribute->texts, column);
    return c.status;
}

dgm_status dgm_graph_with_attribute(dgm_context *ctx, const dgm_graph *graph,
                                    const dgm_attribute *attribute, dgm_graph **out) {
    dgm_status status = dgmi_graph_copy(ctx, graph, out);
    if (status == DGM_OK)
        status = give_attribute(ctx, *out, attribute);
    if (status != DGM_OK) {
        dgm_graph_free(*out);
        *out = NULL;
    }
    return status;
}
