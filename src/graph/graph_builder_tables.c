/* SPDX-License-Identifier: Apache-2.0 */
/* What a builder knows of nodes beside their edges: names, labels, features, attributes. */
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_builder.h"
#include "graph_builder_parts.h"
#include "graph_labels.h"

dgm_status dgm_graph_builder_node(dgm_graph_builder *builder, const char *name, size_t length,
                                  uint32_t *node) {
    dgmi_graph_names *names = &builder->graph->names;
    if (names->count >= DGM_MAX_NODES)
        return dgm_graph_builder_reserve_nodes(builder, DGM_MAX_NODES + 1);
    dgm_status status = dgmi_graph_names_intern(builder->ctx, names, name, length, node);
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(builder, names->count) : status;
}

int64_t dgm_graph_builder_nodes(const dgm_graph_builder *builder) {
    return builder->nodes;
}

void dgm_graph_builder_set_name_base(dgm_graph_builder *builder, int64_t base) {
    builder->graph->name_base = base;
}

bool dgmi_graph_builder_has_names(const dgm_graph_builder *builder) {
    return builder->graph->names.count > 0;
}

int64_t dgmi_graph_builder_records(const dgm_graph_builder *builder) {
    return builder->records;
}

bool dgmi_graph_builder_counts_by_ids(const dgm_graph_builder *builder) {
    const dgm_graph *graph = builder->graph;
    return builder->records > 0 && graph->names.count == 0 && builder->stated < builder->nodes &&
           !graph->labels && graph->feature_width == 0;
}

bool dgmi_graph_builder_has_labels(const dgm_graph_builder *builder) {
    return builder->graph->labels != NULL;
}

int64_t dgmi_graph_builder_name_base(const dgm_graph_builder *builder) {
    return builder->graph->name_base;
}

int dgmi_graph_builder_ids(const dgm_graph_builder *builder) {
    return builder->options.ids;
}

dgm_status dgmi_graph_builder_name_numbers(dgm_graph_builder *builder) {
    dgm_status left = builder->sorted.on ? dgmi_graph_builder_leave_sorted(builder) : DGM_OK;
    if (left != DGM_OK)
        return left;
    builder->nodes = builder->options.nodes;
    for (int64_t b = 0; b < builder->block_count; b++) {
        dgmi_graph_edge_block *block = &builder->blocks[b];
        for (int64_t i = 0; i < 2 * block->count; i++) {
            char text[24];
            int length = snprintf(text, sizeof text, "%lld",
                                  (long long)block->ends[i] + (long long)builder->graph->name_base);
            dgm_status status =
                dgm_graph_builder_node(builder, text, (size_t)length, &block->ends[i]);
            if (status != DGM_OK)
                return status;
        }
    }
    return DGM_OK;
}

dgm_status dgmi_graph_builder_renumber(dgm_graph_builder *builder, const uint32_t *rank) {
    dgm_status status = builder->sorted.on ? dgmi_graph_builder_leave_sorted(builder) : DGM_OK;
    for (int64_t b = 0; status == DGM_OK && b < builder->block_count; b++) {
        dgmi_graph_edge_block *block = &builder->blocks[b];
        for (int64_t i = 0; i < 2 * block->count; i++)
            block->ends[i] = rank[block->ends[i]];
    }
    return status;
}

dgm_status dgmi_graph_builder_sort_names(dgm_graph_builder *builder) {
    dgm_context *ctx = builder->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *rank = dgmi_scratch(ctx, builder->graph->names.count, sizeof *rank);
    dgm_status status =
        rank ? dgmi_graph_names_sort(ctx, &builder->graph->names, rank) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_graph_builder_renumber(builder, rank);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Replaces *field by a copy of `count` elements. */
static dgm_status replace(dgm_context *ctx, void **field, const void *values, int64_t count,
                          size_t size) {
    void *copy = dgmi_alloc(ctx, count, size);
    if (!copy)
        return DGM_ERROR_MEMORY;
    if (count)
        memcpy(copy, values, (size_t)count * size);
    dgmi_free(ctx, *field);
    *field = copy;
    return DGM_OK;
}

dgm_status dgm_graph_builder_set_source(dgm_graph_builder *builder, const char *source) {
    return replace(builder->ctx, (void **)&builder->graph->source, source,
                   (int64_t)strlen(source) + 1, 1);
}

dgm_status dgm_graph_builder_set_labels(dgm_graph_builder *builder, int64_t count,
                                        const int32_t *labels) {
    return dgmi_graph_take_labels(builder->ctx, builder->graph, count, labels);
}

static void forget_class_names(dgm_context *ctx, dgm_graph *graph) {
    for (int32_t c = 0; c < graph->class_name_count; c++)
        dgmi_free(ctx, graph->class_names[c]);
    dgmi_free(ctx, graph->class_names);
    dgmi_free(ctx, graph->class_name_numbers);
    graph->class_names = NULL;
    graph->class_name_numbers = NULL;
    graph->class_name_count = 0;
}

dgm_status dgm_graph_builder_set_class_names(dgm_graph_builder *builder, int32_t count,
                                             const char *const *names) {
    dgm_graph *graph = builder->graph;
    forget_class_names(builder->ctx, graph);
    graph->class_names = dgmi_alloc_zero(builder->ctx, count, sizeof *graph->class_names);
    if (!graph->class_names)
        return DGM_ERROR_MEMORY;
    for (; graph->class_name_count < count; graph->class_name_count++) {
        char *copy = dgmi_strdup(builder->ctx, names[graph->class_name_count]);
        if (!copy)
            return DGM_ERROR_MEMORY;
        graph->class_names[graph->class_name_count] = copy;
    }
    return DGM_OK;
}

dgm_status dgm_graph_builder_name_classes(dgm_graph_builder *builder, int32_t count,
                                          const int32_t *numbers, const char *const *names) {
    for (int32_t i = 0, above = 0; i < count; above = numbers[i++])
        if (numbers[i] < 0 || (i > 0 && numbers[i] <= above))
            return dgmi_fail(builder->ctx, DGM_ERROR_DATA,
                             "the numbers of the classes with names do not ascend from 0 or more");
    dgm_status status = dgm_graph_builder_set_class_names(builder, count, names);
    if (status != DGM_OK || count == 0 || numbers[count - 1] == count - 1)
        return status;
    return replace(builder->ctx, (void **)&builder->graph->class_name_numbers, numbers, count,
                   sizeof *numbers);
}

dgm_status dgm_graph_builder_set_splits(dgm_graph_builder *builder, int64_t count,
                                        const uint8_t *splits) {
    for (int64_t u = 0; u < count; u++)
        if (splits[u] >= DGM_SPLITS)
            return dgmi_fail(builder->ctx, DGM_ERROR_DATA,
                             "node number %lld is in a part %d of the split", (long long)u,
                             splits[u]);
    builder->graph->split_count = count;
    return replace(builder->ctx, (void **)&builder->graph->splits, splits, count, 1);
}

/* Whether everything lies inside: what reads features trusts the offsets and the columns. */
static dgm_status check_sparse(dgm_context *ctx, int64_t count, const dgm_graph_features *sparse) {
    const int64_t *offsets = sparse->offsets;
    if (!offsets || !sparse->columns)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "sparse features need both offsets and columns");
    dgm_status status = dgmi_graph_check_offsets(ctx, "features", offsets, count);
    if (status != DGM_OK)
        return status;
    for (int64_t u = 0; u < count; u++)
        for (int64_t e = offsets[u]; e < offsets[u + 1]; e++)
            if (sparse->columns[e] >= sparse->width)
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "row %lld has a feature in column %lld (from 0), but there are "
                                 "only %lld columns",
                                 (long long)u, (long long)sparse->columns[e],
                                 (long long)sparse->width);
    return DGM_OK;
}

dgm_status dgm_graph_builder_set_features(dgm_graph_builder *builder, int64_t count,
                                          const dgm_graph_features *features) {
    dgm_graph *graph = builder->graph;
    bool sparse = features->offsets || features->columns;
    dgm_status status = sparse ? check_sparse(builder->ctx, count, features) : DGM_OK;
    if (status != DGM_OK)
        return status;
    int64_t values = features->offsets ? features->offsets[count] : count * features->width;
    dgmi_free(builder->ctx, graph->feature_offsets);
    dgmi_free(builder->ctx, graph->feature_columns);
    dgmi_free(builder->ctx, graph->feature_values);
    graph->feature_offsets = NULL;
    graph->feature_columns = NULL;
    graph->feature_values = NULL;
    graph->feature_rows = count;
    graph->feature_width = features->width;
    if (features->offsets)
        status = replace(builder->ctx, (void **)&graph->feature_offsets, features->offsets,
                         count + 1, sizeof(int64_t));
    if (status == DGM_OK && features->columns)
        status = replace(builder->ctx, (void **)&graph->feature_columns, features->columns, values,
                         sizeof(uint32_t));
    if (status == DGM_OK && features->values)
        status = replace(builder->ctx, (void **)&graph->feature_values, features->values, values,
                         sizeof(float));
    return status;
}

/* An empty column at the end of the table; NULL on failure. */
static dgmi_graph_column *open_column(dgm_graph_builder *builder, const char *name) {
    dgm_graph *graph = builder->graph;
    void *columns = graph->columns;
    dgm_status status = dgmi_reserve(builder->ctx, &columns, &graph->column_capacity,
                                     graph->column_count + 1, sizeof *graph->columns);
    graph->columns = columns;
    if (status != DGM_OK)
        return NULL;
    dgmi_graph_column *column = &graph->columns[graph->column_count];
    *column = (dgmi_graph_column){.name = dgmi_strdup(builder->ctx, name)};
    if (!column->name)
        return NULL;
    graph->column_count++;
    return column;
}

dgm_status dgm_graph_builder_add_numbers(dgm_graph_builder *builder, const char *name,
                                         int64_t count, const double *values) {
    dgmi_graph_column *column = open_column(builder, name);
    if (!column)
        return DGM_ERROR_MEMORY;
    column->kind = DGM_ATTRIBUTE_NUMBER;
    column->count = count;
    return replace(builder->ctx, (void **)&column->numbers, values, count, sizeof *values);
}

dgm_status dgm_graph_builder_add_texts(dgm_graph_builder *builder, const char *name, int64_t count,
                                       const char *const *values) {
    dgmi_graph_column *column = open_column(builder, name);
    if (!column)
        return DGM_ERROR_MEMORY;
    column->kind = DGM_ATTRIBUTE_TEXT;
    column->count = count;
    int64_t bytes = 0;
    for (int64_t i = 0; i < count; i++)
        bytes += values[i] ? (int64_t)strlen(values[i]) + 1 : 0;
    column->texts = dgmi_alloc_zero(builder->ctx, count, sizeof *column->texts);
    column->text_pool = dgmi_alloc(builder->ctx, bytes, 1);
    if (!column->texts || !column->text_pool)
        return DGM_ERROR_MEMORY;
    char *place = column->text_pool;
    for (int64_t i = 0; i < count; i++) {
        if (!values[i])
            continue;
        size_t size = strlen(values[i]) + 1;
        column->texts[i] = memcpy(place, values[i], size);
        place += size;
    }
    return DGM_OK;
}
