/* SPDX-License-Identifier: Apache-2.0 */
/* The subgraph of some nodes, with all that is known of them. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "graph_graph.h"

/* What is taken from where. Temporaries are scratch memory. */
typedef struct {
    dgm_context *ctx;
    const dgm_graph *graph;
    const uint32_t *nodes;
    int64_t count;
    uint32_t *place; /* of each node of the graph among those taken; NOT_TAKEN: it is not */
    bool features;   /* they are taken along */
    dgm_graph_builder *builder;
} part;

#define NOT_TAKEN UINT32_MAX

static dgm_status number_nodes(part *p) {
    int64_t all = dgm_graph_nodes(p->graph);
    p->place = dgmi_scratch(p->ctx, all, sizeof *p->place);
    if (!p->place)
        return DGM_ERROR_MEMORY;
    memset(p->place, 0xff, (size_t)all * sizeof *p->place);
    for (int64_t i = 0; i < p->count; i++) {
        if (p->nodes[i] >= all)
            return dgmi_fail(p->ctx, DGM_ERROR_USAGE, "the graph has no node %u", p->nodes[i]);
        if (p->place[p->nodes[i]] != NOT_TAKEN)
            return dgmi_fail(p->ctx, DGM_ERROR_USAGE, "node %u is named twice", p->nodes[i]);
        p->place[p->nodes[i]] = (uint32_t)i;
    }
    return DGM_OK;
}

/* Nodes keep their names, also where these are numbers: node 7 is still called 7. */
static dgm_status add_names(const part *p) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < p->count; i++) {
        char number[32];
        size_t length;
        uint32_t node;
        const char *name = dgm_graph_name_text(p->graph, p->nodes[i], &length);
        if (!name) {
            length = dgm_graph_name(p->graph, p->nodes[i], number, sizeof number);
            name = number;
        }
        status = dgm_graph_builder_node(p->builder, name, length, &node);
    }
    return status;
}

static dgm_status add_edges(const part *p) {
    const dgm_graph_rows rows = dgm_graph_get_rows(p->graph);
    int64_t most = 0, at = 0;
    for (int64_t i = 0; i < p->count; i++)
        most += rows.offsets[p->nodes[i] + 1] - rows.offsets[p->nodes[i]];
    int64_t *offsets = dgmi_scratch(p->ctx, p->count + 1, sizeof *offsets);
    uint32_t *targets = dgmi_scratch(p->ctx, most, sizeof *targets);
    double *weights = rows.weights ? dgmi_scratch(p->ctx, most, sizeof *weights) : NULL;
    if (!offsets || !targets || (rows.weights && !weights))
        return DGM_ERROR_MEMORY;
    offsets[0] = 0;
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t e = rows.offsets[p->nodes[i]]; e < rows.offsets[p->nodes[i] + 1]; e++) {
            if (p->place[rows.targets[e]] == NOT_TAKEN)
                continue;
            targets[at] = p->place[rows.targets[e]];
            if (weights)
                weights[at] = rows.weights[e];
            at++;
        }
        offsets[i + 1] = at;
    }
    const dgm_graph_rows taken = {p->count, at, offsets, targets, weights, rows.directed};
    return dgm_graph_builder_add_rows(p->builder, &taken);
}

/* Classes keep the numbers of the data, and so their names. */
static dgm_status add_labels(const part *p) {
    const int32_t *labels = dgm_graph_labels(p->graph);
    int32_t classes = dgm_graph_classes(p->graph);
    if (!labels)
        return DGM_OK;
    int32_t *taken = dgmi_scratch(p->ctx, p->count, sizeof *taken);
    if (!taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->count; i++)
        taken[i] = dgm_graph_class_number(p->graph, labels[p->nodes[i]]);
    dgm_status status = dgm_graph_builder_set_labels(p->builder, p->count, taken);
    if (status != DGM_OK || !classes || !dgm_graph_class_name(p->graph, 0))
        return status;
    int32_t *numbers = dgmi_scratch(p->ctx, classes, sizeof *numbers);
    const char **names = numbers ? dgmi_scratch(p->ctx, classes, sizeof *names) : NULL;
    if (!names)
        return DGM_ERROR_MEMORY;
    int32_t named = 0;
    for (int32_t c = 0; c < classes; c++) {
        const char *name = dgm_graph_class_name(p->graph, c);
        numbers[named] = dgm_graph_class_number(p->graph, c);
        names[named] = name;
        named += name != NULL;
    }
    return dgm_graph_builder_name_classes(p->builder, named, numbers, names);
}

static dgm_status add_splits(const part *p) {
    const uint8_t *splits = dgm_graph_splits(p->graph);
    uint8_t *taken = splits ? dgmi_scratch(p->ctx, p->count, sizeof *taken) : NULL;
    if (!splits || !taken)
        return splits ? DGM_ERROR_MEMORY : DGM_OK;
    for (int64_t i = 0; i < p->count; i++)
        taken[i] = splits[p->nodes[i]];
    return dgm_graph_builder_set_splits(p->builder, p->count, taken);
}

static dgm_status add_numbers(const part *p, const dgm_attribute *attribute) {
    double *taken = dgmi_scratch(p->ctx, p->count, sizeof *taken);
    if (!taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->count; i++)
        taken[i] = attribute->numbers[p->nodes[i]];
    return dgm_graph_builder_add_numbers(p->builder, attribute->name, p->count, taken);
}

static dgm_status add_texts(const part *p, const dgm_attribute *attribute) {
    const char **taken = dgmi_scratch(p->ctx, p->count, sizeof *taken);
    if (!taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->count; i++)
        taken[i] = attribute->texts[p->nodes[i]];
    return dgm_graph_builder_add_texts(p->builder, attribute->name, p->count, taken);
}

static dgm_status add_attributes(const part *p) {
    dgm_status status = DGM_OK;
    for (int64_t k = 0; status == DGM_OK && k < dgm_graph_attributes(p->graph); k++) {
        const dgm_attribute attribute = dgm_graph_attribute(p->graph, k);
        status = attribute.kind == DGM_ATTRIBUTE_NUMBER ? add_numbers(p, &attribute)
                                                        : add_texts(p, &attribute);
    }
    return status;
}

static dgm_status add_dense(const part *p, const dgm_graph_features *features) {
    dgm_graph_features taken = {.width = features->width};
    float *values = dgmi_scratch(p->ctx, p->count * features->width, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->count; i++)
        memcpy(values + i * features->width, features->values + p->nodes[i] * features->width,
               (size_t)features->width * sizeof *values);
    taken.values = values;
    return dgm_graph_builder_set_features(p->builder, p->count, &taken);
}

static dgm_status add_sparse(const part *p, const dgm_graph_features *features) {
    int64_t *offsets = dgmi_scratch(p->ctx, p->count + 1, sizeof *offsets), most = 0;
    for (int64_t i = 0; i < p->count; i++)
        most += features->offsets[p->nodes[i] + 1] - features->offsets[p->nodes[i]];
    uint32_t *columns = dgmi_scratch(p->ctx, most, sizeof *columns);
    float *values = features->values ? dgmi_scratch(p->ctx, most, sizeof *values) : NULL;
    if (!offsets || !columns || (features->values && !values))
        return DGM_ERROR_MEMORY;
    offsets[0] = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t from = features->offsets[p->nodes[i]];
        int64_t count = features->offsets[p->nodes[i] + 1] - from, at = offsets[i];
        for (int64_t k = 0; k < count; k++) {
            columns[at + k] = features->columns[from + k];
            if (values)
                values[at + k] = features->values[from + k];
        }
        offsets[i + 1] = at + count;
    }
    const dgm_graph_features taken = {features->width, offsets, columns, values};
    return dgm_graph_builder_set_features(p->builder, p->count, &taken);
}

static dgm_status add_features(const part *p) {
    const dgm_graph_features features = dgm_graph_get_features(p->graph);
    if (features.width == 0 || !p->features)
        return DGM_OK;
    return features.offsets ? add_sparse(p, &features) : add_dense(p, &features);
}

/* "cora (432 of 2,708 nodes)" */
static dgm_status set_source(const part *p) {
    const char *whole = dgm_graph_source(p->graph);
    dgmi_text text;
    dgmi_text_init(&text, p->ctx);
    dgmi_text_format(&text, "%s%s%lld of %lld nodes%s", whole, *whole ? " (" : "",
                     (long long)p->count, (long long)dgm_graph_nodes(p->graph), *whole ? ")" : "");
    dgm_status status = text.status;
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(p->builder, text.data);
    dgmi_text_free(&text);
    return status;
}

static dgm_status fill(const part *p) {
    static dgm_status (*const adders[])(const part *p) = {add_names,  add_edges,      add_labels,
                                                          add_splits, add_attributes, add_features};
    dgm_status status = set_source(p);
    for (size_t i = 0; status == DGM_OK && i < sizeof adders / sizeof *adders; i++)
        status = adders[i](p);
    return status;
}

static dgm_status build(part *p, dgm_graph **out) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = dgm_graph_get_rows(p->graph).directed;
    options.keep_loops = true;
    dgm_status status = number_nodes(p);
    if (status == DGM_OK)
        status = dgm_graph_builder_create(p->ctx, &options, &p->builder);
    if (status != DGM_OK)
        return status;
    status = fill(p);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(p->builder, out);
    dgm_graph_builder_free(p->builder);
    return status;
}

static dgm_status take(part *p, dgm_graph **out) {
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(p->ctx);
    dgm_status status = build(p, out);
    dgmi_arena_release(p->ctx, hold);
    return status;
}

dgm_status dgm_graph_induced(dgm_context *ctx, const dgm_graph *graph, const uint32_t *nodes,
                             int64_t count, dgm_graph **out) {
    return take(
        &(part){.ctx = ctx, .graph = graph, .nodes = nodes, .count = count, .features = true}, out);
}

dgm_status dgmi_graph_induced_bare(dgm_context *ctx, const dgm_graph *graph, const uint32_t *nodes,
                                   int64_t count, dgm_graph **out) {
    return take(&(part){.ctx = ctx, .graph = graph, .nodes = nodes, .count = count}, out);
}
