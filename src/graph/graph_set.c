/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of graphs: one graph that holds them all, and the ranges of its nodes (dgm/set.h). */
#include "graph_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_sorted.h"

struct dgm_graph_set {
    dgm_allocator allocator;
    dgm_graph *united;
    int64_t count;
    int64_t *offsets;       /* count + 1 */
    int32_t *classes;       /* of each graph, counted from 0; NULL: none */
    int32_t *class_numbers; /* their numbers in the data, ascending */
    int32_t class_count;
    int32_t *folds; /* of each graph, -1: in none; NULL: there are none */
    int32_t fold_count;
};

/* ---- looking ---- */

int64_t dgm_graph_set_count(const dgm_graph_set *set) {
    return set->count;
}

const dgm_graph *dgm_graph_set_union(const dgm_graph_set *set) {
    return set->united;
}

const int64_t *dgm_graph_set_offsets(const dgm_graph_set *set) {
    return set->offsets;
}

const int32_t *dgm_graph_set_classes(const dgm_graph_set *set, int32_t *classes) {
    if (classes)
        *classes = set->class_count;
    return set->classes;
}

int32_t dgm_graph_set_class_number(const dgm_graph_set *set, int32_t class_index) {
    assert(class_index >= 0 && class_index < set->class_count);
    return set->class_numbers[class_index];
}

const int32_t *dgm_graph_set_folds(const dgm_graph_set *set, int32_t *folds) {
    if (folds)
        *folds = set->fold_count;
    return set->folds;
}

/* ---- edges stay inside ---- */

/* The graph of a node: the last one that begins at it or before it. */
static int64_t graph_of(const int64_t *offsets, int64_t count, int64_t node) {
    int64_t low = 0, high = count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (offsets[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Rows are sorted, so the first and the last target tell. */
static const uint32_t *find_outside(const dgm_graph_rows *rows, int64_t node, int64_t begin,
                                    int64_t end) {
    const uint32_t *first = rows->targets + rows->offsets[node];
    const uint32_t *last = rows->targets + rows->offsets[node + 1] - 1;
    if (first > last)
        return NULL;
    return *first < begin ? first : *last >= end ? last : NULL;
}

bool dgmi_graph_set_find_crossing(const dgm_graph *united, int64_t count, const int64_t *offsets,
                                  dgmi_graph_crossing *crossing) {
    dgm_graph_rows rows = dgm_graph_get_rows(united);
    for (int64_t k = 0; k < count; k++)
        for (int64_t u = offsets[k]; u < offsets[k + 1]; u++) {
            const uint32_t *outside = find_outside(&rows, u, offsets[k], offsets[k + 1]);
            if (!outside)
                continue;
            *crossing = (dgmi_graph_crossing){u, *outside, k, graph_of(offsets, count, *outside)};
            return true;
        }
    return false;
}

static dgm_status check_edges(dgm_context *ctx, const dgm_graph *united, int64_t count,
                              const int64_t *offsets) {
    dgmi_graph_crossing crossing;
    char from[64], to[64];
    if (!dgmi_graph_set_find_crossing(united, count, offsets, &crossing))
        return DGM_OK;
    dgm_graph_name(united, crossing.from, from, sizeof from);
    dgm_graph_name(united, crossing.to, to, sizeof to);
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "an edge leads from node %s of graph %lld to node %s of graph %lld (graphs "
                     "counted from 0); the graphs of a set must not be joined",
                     from, (long long)crossing.from_graph, to, (long long)crossing.to_graph);
}

/* ---- making a set ---- */

static int compare_numbers(const void *x, const void *y) {
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* The numbers among the labels, ascending, then each label as a place among them. */
static dgm_status take_labels(dgm_context *ctx, dgm_graph_set *set, const int32_t *labels) {
    size_t size = sizeof *labels;
    int32_t *numbers = set->class_numbers = dgmi_alloc(ctx, set->count, size);
    set->classes = dgmi_alloc(ctx, set->count, size);
    if (!numbers || !set->classes)
        return DGM_ERROR_MEMORY;
    if (set->count > 0)
        memcpy(numbers, labels, (size_t)set->count * size);
    qsort(numbers, (size_t)set->count, size, compare_numbers);
    for (int64_t k = 0; k < set->count; k++)
        if (k == 0 || numbers[k] != numbers[k - 1])
            numbers[set->class_count++] = numbers[k];
    for (int64_t k = 0; k < set->count; k++) {
        const int32_t *at =
            bsearch(&labels[k], numbers, (size_t)set->class_count, size, compare_numbers);
        set->classes[k] = (int32_t)(at - numbers);
    }
    return DGM_OK;
}

static dgm_status check_offsets(dgm_context *ctx, const dgm_graph *united, int64_t count,
                                const int64_t *offsets) {
    if (count < 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "a set cannot have %lld graphs", (long long)count);
    dgm_status status = dgmi_graph_check_offsets(ctx, "graphs", offsets, count);
    if (status == DGM_OK && offsets[count] != dgm_graph_nodes(united))
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "the graphs of the set have %lld nodes, but their union has %lld",
                           (long long)offsets[count], (long long)dgm_graph_nodes(united));
    return status;
}

static dgm_status fill(dgm_context *ctx, dgm_graph_set *set, int64_t count, const int64_t *offsets,
                       const int32_t *labels) {
    dgm_status status = check_offsets(ctx, set->united, count, offsets);
    if (status == DGM_OK)
        status = check_edges(ctx, set->united, count, offsets);
    if (status != DGM_OK)
        return status;
    set->count = count;
    set->offsets = dgmi_alloc(ctx, count + 1, sizeof *offsets);
    if (!set->offsets)
        return DGM_ERROR_MEMORY;
    memcpy(set->offsets, offsets, ((size_t)count + 1) * sizeof *offsets);
    return labels ? take_labels(ctx, set, labels) : DGM_OK;
}

dgm_status dgm_graph_set_create(dgm_context *ctx, dgm_graph *united, int64_t count,
                                const int64_t *offsets, const int32_t *labels,
                                dgm_graph_set **out) {
    *out = NULL;
    dgm_graph_set *set = dgmi_alloc_zero(ctx, 1, sizeof *set);
    if (!set) {
        dgm_graph_free(united);
        return DGM_ERROR_MEMORY;
    }
    set->allocator = ctx->allocator;
    set->united = united;
    dgm_status status = fill(ctx, set, count, offsets, labels);
    if (status != DGM_OK) {
        dgm_graph_set_free(set);
        return status;
    }
    *out = set;
    return DGM_OK;
}

dgm_status dgmi_graph_set_give_folds(dgm_context *ctx, dgm_graph_set *set, int32_t count,
                                     const int32_t *folds) {
    assert(!set->folds);
    set->folds = dgmi_alloc(ctx, set->count, sizeof *folds);
    if (!set->folds)
        return DGM_ERROR_MEMORY;
    if (set->count > 0)
        memcpy(set->folds, folds, (size_t)set->count * sizeof *folds);
    set->fold_count = count;
    return DGM_OK;
}

/* ---- the end of a set ---- */

dgm_graph *dgmi_graph_set_release(dgm_graph_set *set) {
    dgm_graph *united = set->united;
    set->united = NULL;
    dgm_graph_set_free(set);
    return united;
}

void dgm_graph_set_free(dgm_graph_set *set) {
    if (!set)
        return;
    dgm_allocator allocator = set->allocator;
    dgm_graph_free(set->united);
    dgmi_allocator_free(&allocator, set->offsets);
    dgmi_allocator_free(&allocator, set->classes);
    dgmi_allocator_free(&allocator, set->class_numbers);
    dgmi_allocator_free(&allocator, set->folds);
    dgmi_allocator_free(&allocator, set);
}
