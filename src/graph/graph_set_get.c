/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a graph of its own of one graph of a set: the rows of its nodes, counted from 0, and what
 * the union knows of them. */
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"
#include "graph_set.h"

/* Nodes begin up to, and without, end of the union. */
typedef struct {
    dgm_context *ctx;
    const dgm_graph *united;
    int64_t begin, nodes;
    dgm_graph_builder *builder;
} part;

/* ---- edges ---- */

/* Offsets of rows, or of features, that begin with 0; in scratch memory, NULL on failure. */
static int64_t *move_offsets(const part *p, const int64_t *offsets) {
    int64_t *moved = dgmi_scratch(p->ctx, p->nodes + 1, sizeof *moved);
    for (int64_t u = 0; moved && u <= p->nodes; u++)
        moved[u] = offsets[p->begin + u] - offsets[p->begin];
    return moved;
}

static dgm_status add_edges(const part *p) {
    dgm_graph_rows rows = dgm_graph_get_rows(p->united);
    int64_t first = rows.offsets[p->begin];
    int64_t entries = rows.offsets[p->begin + p->nodes] - first;
    const int64_t *offsets = move_offsets(p, rows.offsets);
    uint32_t *targets = dgmi_scratch(p->ctx, entries, sizeof *targets);
    if (!offsets || !targets)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < entries; e++)
        targets[e] = rows.targets[first + e] - (uint32_t)p->begin;
    const dgm_graph_rows own = {.nodes = p->nodes,
                                .entries = entries,
                                .offsets = offsets,
                                .targets = targets,
                                .weights = rows.weights ? rows.weights + first : NULL,
                                .directed = rows.directed};
    return dgm_graph_builder_add_rows(p->builder, &own);
}

/* ---- nodes ---- */

static dgm_status add_names(const part *p) {
    dgm_status status = DGM_OK;
    for (int64_t u = p->begin; status == DGM_OK && u < p->begin + p->nodes; u++) {
        char number[24];
        size_t length;
        uint32_t node;
        const char *name = dgm_graph_name_text(p->united, u, &length);
        if (!name)
            length = dgm_graph_name(p->united, u, number, sizeof number);
        status = dgm_graph_builder_node(p->builder, name ? name : number, length, &node);
    }
    return status;
}

/* Each label is given as the number of the data, which the names of classes go by. */
static dgm_status add_labels(const part *p) {
    const int32_t *labels = dgm_graph_labels(p->united);
    if (!labels)
        return DGM_OK;
    int32_t *numbers = dgmi_scratch(p->ctx, p->nodes, sizeof *numbers);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < p->nodes; u++)
        numbers[u] = dgm_graph_class_number(p->united, labels[p->begin + u]);
    return dgm_graph_builder_set_labels(p->builder, p->nodes, numbers);
}

static dgm_status add_class_names(const part *p) {
    if (!p->united->class_names)
        return DGM_OK;
    int32_t count = p->united->class_name_count;
    const char *const *names = (const char *const *)p->united->class_names;
    const int32_t *numbers = p->united->class_name_numbers;
    return numbers ? dgm_graph_builder_name_classes(p->builder, count, numbers, names)
                   : dgm_graph_builder_set_class_names(p->builder, count, names);
}

static dgm_status add_splits(const part *p) {
    const uint8_t *splits = dgm_graph_splits(p->united);
    return splits ? dgm_graph_builder_set_splits(p->builder, p->nodes, splits + p->begin) : DGM_OK;
}

static dgm_status add_features(const part *p) {
    dgm_graph_features all = dgm_graph_get_features(p->united), own = all;
    if (all.width == 0)
        return DGM_OK;
    int64_t first = all.offsets ? all.offsets[p->begin] : p->begin * all.width;
    if (all.offsets && !(own.offsets = move_offsets(p, all.offsets)))
        return DGM_ERROR_MEMORY;
    own.columns = all.columns ? all.columns + first : NULL;
    own.values = all.values ? all.values + first : NULL;
    return dgm_graph_builder_set_features(p->builder, p->nodes, &own);
}

static dgm_status add_attributes(const part *p) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < dgm_graph_attributes(p->united); i++) {
        dgm_attribute column = dgm_graph_attribute(p->united, i);
        status = column.kind == DGM_ATTRIBUTE_NUMBER
                     ? dgm_graph_builder_add_numbers(p->builder, column.name, p->nodes,
                                                     column.numbers + p->begin)
                     : dgm_graph_builder_add_texts(p->builder, column.name, p->nodes,
                                                   column.texts + p->begin);
    }
    return status;
}

/* ---- all of it ---- */

/* "PROTEINS, graph 7". */
static dgm_status add_source(const part *p, int64_t k) {
    char source[512];
    const char *whole = dgm_graph_source(p->united);
    snprintf(source, sizeof source, "%.480s%sgraph %lld", whole, whole[0] ? ", " : "",
             (long long)k);
    return dgm_graph_builder_set_source(p->builder, source);
}

static dgm_status fill(const part *p) {
    static dgm_status (*const adders[])(const part *p) = {
        add_edges, add_names, add_labels, add_class_names, add_splits, add_features, add_attributes,
    };
    dgm_status status = DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(p->ctx);
    for (size_t i = 0; status == DGM_OK && i < sizeof adders / sizeof *adders; i++)
        status = adders[i](p);
    dgmi_arena_release(p->ctx, hold);
    return status;
}

/* The builder got each undirected edge twice, from the rows of both ends: nobody gave it so. */
static dgm_status finish(dgm_graph_builder *builder, dgm_graph **out) {
    dgm_status status = dgm_graph_builder_finish(builder, out);
    if (status == DGM_OK) {
        (*out)->counts.records = (*out)->counts.edges;
        (*out)->counts.repeats_merged = 0;
    }
    return status;
}

dgm_status dgm_graph_set_get(dgm_context *ctx, const dgm_graph_set *set, int64_t k,
                             dgm_graph **out) {
    *out = NULL;
    if (k < 0 || k >= dgm_graph_set_count(set))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no graph %lld: the set has %lld graphs, counted from 0",
                         (long long)k, (long long)dgm_graph_set_count(set));
    const int64_t *offsets = dgm_graph_set_offsets(set);
    part p = {ctx, dgm_graph_set_union(set), offsets[k], offsets[k + 1] - offsets[k], NULL};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = dgm_graph_get_rows(p.united).directed;
    options.keep_loops = true; /* those that should be dropped are gone */
    dgm_status status = dgm_graph_builder_create(ctx, &options, &p.builder);
    if (status != DGM_OK)
        return status;
    status = fill(&p);
    if (status == DGM_OK)
        status = add_source(&p, k);
    if (status == DGM_OK)
        return finish(p.builder, out);
    dgm_graph_builder_free(p.builder);
    return status;
}
