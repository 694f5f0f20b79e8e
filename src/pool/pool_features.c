/* SPDX-License-Identifier: Apache-2.0 */
/* The features of the nodes of a set as one sparse matrix: one-hot labels, one-hot degrees, or
 * attributes. */
#include "pool_features.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"

dgm_status dgmi_pool_stack_alloc(dgm_context *ctx, int64_t rows, int64_t entries, bool ones,
                                 dgmi_pool_stack *out) {
    out->offsets = dgmi_alloc_zero(ctx, rows + 1, sizeof *out->offsets);
    out->indices = dgmi_alloc(ctx, entries, sizeof *out->indices);
    out->values = ones ? NULL : dgmi_alloc(ctx, entries, sizeof *out->values);
    return out->offsets && out->indices && (ones || out->values) ? DGM_OK : DGM_ERROR_MEMORY;
}

void dgmi_pool_stack_free(const dgm_allocator *allocator, dgmi_pool_stack *stack) {
    dgmi_allocator_free(allocator, stack->offsets);
    dgmi_allocator_free(allocator, stack->indices);
    dgmi_allocator_free(allocator, stack->values);
    *stack = (dgmi_pool_stack){0};
}

/* What a row of the features is put together from. */
typedef struct feature_plan {
    const int32_t *labels;  /* NULL: they are not used */
    int64_t classes;        /* the columns of labels */
    const int32_t *columns; /* the column of each class; NULL: the class itself */
    dgm_graph_features attributes;
    bool uses_attributes;
    bool uses_degree;
    int64_t clamp;
    dgm_graph_rows rows;
} feature_plan;

static dgm_status fail_features(dgm_context *ctx, const char *what) {
    return dgmi_fail(
        ctx, DGM_ERROR_DATA,
        "the nodes of this set have no %s; " DGMI_NAMED("features=auto") " takes what there is",
        what);
}

/* Finds the column of each class of the graph among those of a trained network. */
static dgm_status match_labels(dgm_context *ctx, const dgmi_pool_plan *plan, feature_plan *out) {
    const dgm_graph *united = dgm_graph_set_union(plan->set);
    int32_t classes = dgm_graph_classes(united);
    int32_t *columns = dgmi_scratch(ctx, classes, sizeof *columns);
    if (!columns)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < classes; c++) {
        int32_t number = dgm_graph_class_number(united, c);
        columns[c] = 0;
        while (columns[c] < plan->label_count && plan->label_numbers[columns[c]] != number)
            columns[c]++;
        if (columns[c] == plan->label_count)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "a node has the label %d, which the network has never seen", number);
    }
    out->columns = columns;
    return DGM_OK;
}

static dgm_status plan_features(dgm_context *ctx, const dgmi_pool_plan *plan, feature_plan *out) {
    const dgm_graph *united = dgm_graph_set_union(plan->set);
    const int32_t *labels = dgm_graph_labels(united);
    int kind = plan->features;
    *out = (feature_plan){.clamp = plan->clamp,
                          .rows = dgm_graph_get_rows(united),
                          .attributes = dgm_graph_get_features(united)};
    if (kind == DGM_POOL_FEATURES_AUTO)
        kind = labels ? DGM_POOL_FEATURES_LABELS : DGM_POOL_FEATURES_DEGREE;
    out->uses_degree = kind == DGM_POOL_FEATURES_DEGREE;
    out->uses_attributes = kind == DGM_POOL_FEATURES_ATTRIBUTES || kind == DGM_POOL_FEATURES_ALL;
    if (out->uses_attributes && out->attributes.width == 0)
        return fail_features(ctx, "attributes");
    if (kind != DGM_POOL_FEATURES_LABELS && kind != DGM_POOL_FEATURES_ALL)
        return DGM_OK;
    if (!labels)
        return fail_features(ctx, "labels");
    out->labels = labels;
    out->classes = plan->label_numbers ? plan->label_count : dgm_graph_classes(united);
    return plan->label_numbers ? match_labels(ctx, plan, out) : DGM_OK;
}

static int64_t degree_of(const feature_plan *plan, int64_t node) {
    int64_t degree = plan->rows.offsets[node + 1] - plan->rows.offsets[node];
    return degree < plan->clamp ? degree : plan->clamp;
}

/* The entries of a node's attributes, of which a dense row has all. */
static int64_t attribute_range(const feature_plan *plan, int64_t node, int64_t *begin) {
    const dgm_graph_features *attributes = &plan->attributes;
    *begin = attributes->offsets ? attributes->offsets[node] : node * attributes->width;
    return attributes->offsets ? attributes->offsets[node + 1] - *begin : attributes->width;
}

static int64_t put_row(const feature_plan *plan, int64_t node, dgmi_pool_stack *out, int64_t at) {
    if (plan->uses_degree) {
        out->indices[at] = (uint32_t)degree_of(plan, node);
        out->values[at++] = 1;
    }
    if (plan->labels && plan->labels[node] >= 0) {
        out->indices[at] =
            (uint32_t)(plan->columns ? plan->columns[plan->labels[node]] : plan->labels[node]);
        out->values[at++] = 1;
    }
    int64_t begin, count = plan->uses_attributes ? attribute_range(plan, node, &begin) : 0;
    for (int64_t i = 0; i < count; i++) {
        const dgm_graph_features *from = &plan->attributes;
        int64_t column = from->offsets ? from->columns[begin + i] : i;
        out->indices[at] = (uint32_t)(plan->classes + column);
        out->values[at++] = from->values ? from->values[begin + i] : 1;
    }
    return at;
}

dgm_status dgmi_pool_features_make(dgm_context *ctx, const dgmi_pool_plan *plan,
                                   dgmi_pool_stack *out, int64_t *width) {
    feature_plan features;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = plan_features(ctx, plan, &features);
    if (status != DGM_OK) {
        dgmi_arena_release(ctx, hold);
        return status;
    }
    int64_t nodes = features.rows.nodes, entries = 2 * nodes;
    for (int64_t u = 0; features.uses_attributes && u < nodes; u++) {
        int64_t begin;
        entries += attribute_range(&features, u, &begin);
    }
    *width = features.uses_degree ? features.clamp + 1 : features.classes;
    *width += features.uses_attributes ? features.attributes.width : 0;
    status = dgmi_pool_stack_alloc(ctx, nodes, entries, false, out);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++)
        out->offsets[u + 1] = put_row(&features, u, out, out->offsets[u]);
    dgmi_arena_release(ctx, hold);
    return status;
}
