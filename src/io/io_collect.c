/* SPDX-License-Identifier: Apache-2.0 */
#include "io_collect.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base_context.h"
#include "base_memory.h"

void dgmi_io_collect_open(dgmi_io_collector *collector, dgm_context *ctx, const char *file,
                          const dgm_graph_options *options, dgm_graph_builder *builder) {
    *collector = (dgmi_io_collector){
        .ctx = ctx, .file = file, .options = options, .builder = builder, .name_column = -1};
    dgmi_text_init(&collector->pool, ctx);
}

void dgmi_io_collect_free(dgmi_io_collector *collector) {
    dgm_context *ctx = collector->ctx;
    for (int64_t k = 0; k < collector->column_names.count; k++)
        dgmi_free(ctx, collector->columns[k].entries);
    dgmi_free(ctx, collector->columns);
    dgmi_free(ctx, collector->mentions);
    dgmi_free(ctx, collector->ends);
    dgmi_free(ctx, collector->weights);
    dgmi_text_free(&collector->pool);
    dgmi_graph_names_free(&ctx->allocator, &collector->ids);
    dgmi_graph_names_free(&ctx->allocator, &collector->column_names);
}

/* ---- nodes and edges ---- */

static dgm_status mention(dgmi_io_collector *collector, const char *id, size_t length, int64_t line,
                          uint32_t *node) {
    int64_t known = collector->ids.count;
    void *mentions = collector->mentions;
    if (known >= DGM_MAX_NODES) {
        dgm_graph_builder_reserve_nodes(collector->builder, DGM_MAX_NODES + 1);
        return DGM_ERROR_DATA;
    }
    /* Room first, so that every id has its mention whatever fails. */
    dgm_status status = dgmi_reserve(collector->ctx, &mentions, &collector->mention_capacity,
                                     known + 1, sizeof *collector->mentions);
    collector->mentions = mentions;
    if (status == DGM_OK)
        status = dgmi_graph_names_intern(collector->ctx, &collector->ids, id, length, node);
    if (status == DGM_OK && *node == known)
        collector->mentions[known] = (dgmi_io_mention){line, false};
    assert(status != DGM_OK || *node < collector->ids.count);
    return status;
}

dgm_status dgmi_io_collect_node(dgmi_io_collector *collector, const char *id, size_t length,
                                int64_t line, uint32_t *node) {
    dgm_status status = mention(collector, id, length, line, node);
    if (status != DGM_OK)
        return status;
    dgmi_io_mention *met = &collector->mentions[*node];
    if (met->declared && met->line)
        return dgmi_fail_at(collector->ctx, DGM_ERROR_FORMAT, collector->file, line, -1,
                            "node '%s' was given before, in line %lld", id, (long long)met->line);
    if (met->declared)
        return dgmi_fail_at(collector->ctx, DGM_ERROR_FORMAT, collector->file, line, -1,
                            "node '%s' is given twice", id);
    *met = (dgmi_io_mention){line, true};
    return DGM_OK;
}

/* Weights exist from the first edge on that has one; edges before it weigh 1. */
static dgm_status push_weight(dgmi_io_collector *collector, const double *weight) {
    if (!weight && !collector->weights)
        return DGM_OK;
    bool fresh = !collector->weights;
    void *weights = collector->weights;
    dgm_status status = dgmi_reserve(collector->ctx, &weights, &collector->weight_capacity,
                                     collector->edges + 1, sizeof *collector->weights);
    collector->weights = weights;
    if (status != DGM_OK)
        return status;
    for (int64_t e = 0; fresh && e < collector->edges; e++)
        collector->weights[e] = 1;
    collector->weights[collector->edges] = weight ? *weight : 1;
    return DGM_OK;
}

static dgm_status push_edge(dgmi_io_collector *collector, uint32_t source, uint32_t target,
                            const double *weight) {
    assert(source < collector->ids.count && target < collector->ids.count);
    void *ends = collector->ends;
    dgm_status status = dgmi_reserve(collector->ctx, &ends, &collector->end_capacity,
                                     2 * collector->edges + 2, sizeof *collector->ends);
    collector->ends = ends;
    if (status == DGM_OK)
        status = push_weight(collector, weight);
    if (status != DGM_OK)
        return status;
    collector->ends[2 * collector->edges] = source;
    collector->ends[2 * collector->edges + 1] = target;
    collector->edges++;
    return DGM_OK;
}

dgm_status dgmi_io_collect_edge(dgmi_io_collector *collector, const char *source,
                                const char *target, int64_t line, dgmi_io_direction direction,
                                const double *weight) {
    uint32_t from, to;
    if (weight && !isfinite(*weight))
        return dgmi_fail_at(collector->ctx, DGM_ERROR_FORMAT, collector->file, line, -1,
                            "the weight of the edge from '%s' to '%s' is not a finite number",
                            source, target);
    dgm_status status = mention(collector, source, strlen(source), line, &from);
    if (status == DGM_OK)
        status = mention(collector, target, strlen(target), line, &to);
    if (status == DGM_OK)
        status = push_edge(collector, from, to, weight);
    if (status == DGM_OK && direction == DGMI_IO_EDGE_MUTUAL && collector->options->directed)
        status = push_edge(collector, to, from, weight);
    collector->arcs += direction != DGMI_IO_EDGE_UNDIRECTED;
    collector->links += direction == DGMI_IO_EDGE_UNDIRECTED;
    return status;
}

/* ---- attributes ---- */

dgm_status dgmi_io_collect_column(dgmi_io_collector *collector, const char *name, size_t length,
                                  uint32_t *column) {
    int64_t known = collector->column_names.count;
    void *columns = collector->columns;
    dgm_status status = dgmi_reserve(collector->ctx, &columns, &collector->column_capacity,
                                     known + 1, sizeof *collector->columns);
    collector->columns = columns;
    if (status != DGM_OK)
        return status;
    collector->columns[known] = (dgmi_io_entries){0};
    return dgmi_graph_names_intern(collector->ctx, &collector->column_names, name, length, column);
}

static dgm_status push_entry(dgmi_io_collector *collector, uint32_t column, dgmi_io_entry entry) {
    dgmi_io_entries *into = &collector->columns[column];
    void *entries = into->entries;
    if (into->count && into->entries[into->count - 1].node == entry.node) {
        collector->repeated++;
        into->count--;
    }
    dgm_status status = dgmi_reserve(collector->ctx, &entries, &into->capacity, into->count + 1,
                                     sizeof *into->entries);
    into->entries = entries;
    if (status == DGM_OK)
        into->entries[into->count++] = entry;
    return status;
}

static dgm_status pool_text(dgmi_io_collector *collector, const char *text, size_t length,
                            dgmi_io_entry *entry) {
    entry->is_text = true;
    entry->text = collector->pool.length;
    dgmi_text_append(&collector->pool, text, length);
    dgmi_text_append(&collector->pool, "", 1);
    return collector->pool.status;
}

dgm_status dgmi_io_collect_number(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                  double value) {
    if (isnan(value)) /* how a missing number is kept anyway */
        return DGM_OK;
    return push_entry(collector, column, (dgmi_io_entry){.node = node, .number = value});
}

dgm_status dgmi_io_collect_text(dgmi_io_collector *collector, uint32_t column, uint32_t node,
                                const char *text, size_t length) {
    dgmi_io_entry entry = {.node = node};
    dgm_status status = pool_text(collector, text, length, &entry);
    return status == DGM_OK ? push_entry(collector, column, entry) : status;
}

dgm_status dgmi_io_collect_default_number(dgmi_io_collector *collector, uint32_t column,
                                          double value) {
    dgmi_io_entries *entries = &collector->columns[column];
    if (!entries->has_default)
        entries->value = (dgmi_io_entry){.number = value};
    entries->has_default = true;
    return DGM_OK;
}

dgm_status dgmi_io_collect_default_text(dgmi_io_collector *collector, uint32_t column,
                                        const char *text, size_t length) {
    dgmi_io_entries *entries = &collector->columns[column];
    if (entries->has_default)
        return DGM_OK;
    entries->has_default = true;
    return pool_text(collector, text, length, &entries->value);
}

static void remember(char name_of[64], const char *name, size_t length) {
    if (name_of[0] || length == 0)
        return;
    size_t take = length < 63 ? length : 63;
    memcpy(name_of, name, take);
    name_of[take] = '\0';
}

void dgmi_io_collect_leave_edge_attribute(dgmi_io_collector *collector, const char *name,
                                          size_t length) {
    remember(collector->edge_attribute, name, length);
}

void dgmi_io_collect_leave_nested(dgmi_io_collector *collector, const char *name, size_t length) {
    remember(collector->nested_attribute, name, length);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void trim(const char **text, size_t *length) {
    while (*length && is_blank(**text))
        ++*text, --*length;
    while (*length && is_blank((*text)[*length - 1]))
        --*length;
}

bool dgmi_io_collect_parse(dgmi_io_collector *collector, const char *text, size_t length,
                           double *value) {
    trim(&text, &length);
    if (!dgmi_parse_real(text, length, value))
        return false;
    int64_t whole;
    if (fabs(*value) >= 0x1p53 && dgmi_parse_integer(text, length, &whole))
        collector->rounded += *value >= 0x1p63 || (int64_t)*value != whole;
    return true;
}

bool dgmi_io_collect_parse_boolean(dgmi_io_collector *collector, const char *text, size_t length,
                                   double *value) {
    trim(&text, &length);
    collector->booleans = true;
    *value = (length == 4 && strncasecmp(text, "true", 4) == 0) || (length == 1 && *text == '1');
    return *value == 1 || (length == 5 && strncasecmp(text, "false", 5) == 0) ||
           (length == 1 && *text == '0');
}
