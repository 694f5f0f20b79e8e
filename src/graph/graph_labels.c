/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the classes of a graph: the numbers that occur among its labels, counted from 0. The
 * numbers of the data may be high and far apart; the memory does not depend on the highest. */
#include "graph_labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"

/* ---- looking ---- */

const int32_t *dgm_graph_labels(const dgm_graph *graph) {
    return graph->labels;
}

int32_t dgm_graph_classes(const dgm_graph *graph) {
    return graph->classes;
}

int32_t dgm_graph_class_number(const dgm_graph *graph, int32_t label) {
    if (label < 0 || !graph->class_numbers)
        return label;
    return label < graph->classes ? graph->class_numbers[label] : -1;
}

static int compare_numbers(const void *x, const void *y) {
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

const char *dgmi_graph_number_name(const dgm_graph *graph, int32_t number) {
    const int32_t *numbers = graph->class_name_numbers;
    int32_t count = graph->class_name_count;
    if (number < 0 || number > (numbers ? numbers[count - 1] : count - 1))
        return NULL;
    if (!numbers)
        return graph->class_names[number];
    const int32_t *at = bsearch(&number, numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return at ? graph->class_names[at - numbers] : "";
}

const char *dgm_graph_class_name(const dgm_graph *graph, int32_t label) {
    return dgmi_graph_number_name(graph, dgm_graph_class_number(graph, label));
}

const char *dgm_graph_class_text(const dgm_graph *graph, int32_t label, char *buffer, size_t size) {
    const char *name = dgm_graph_class_name(graph, label);
    if (name)
        return name;
    snprintf(buffer, size, "%d", (int)dgm_graph_class_number(graph, label));
    return buffer;
}

/* ---- the numbers that occur ---- */

/* Both list the numbers among the labels, ascending, in scratch memory; NULL on failure. */

/* Numbers below the number of labels are ticked off. */
static int32_t *list_by_ticking(dgm_context *ctx, const int32_t *labels, int64_t count, int32_t top,
                                int64_t *distinct) {
    uint8_t *met = dgmi_scratch_zero(ctx, (int64_t)top + 1, sizeof *met);
    for (int64_t i = 0; met && i < count; i++)
        if (labels[i] >= 0)
            met[labels[i]] = 1;
    for (int32_t number = 0; met && number <= top; number++)
        *distinct += met[number];
    int32_t *numbers = met ? dgmi_scratch(ctx, *distinct, sizeof *numbers) : NULL;
    for (int32_t number = 0, c = 0; numbers && number <= top; number++)
        if (met[number])
            numbers[c++] = number;
    return numbers;
}

static int32_t *list_by_sorting(dgm_context *ctx, const int32_t *labels, int64_t count,
                                int64_t *distinct) {
    int32_t *numbers = dgmi_scratch(ctx, count, sizeof *numbers);
    int64_t labelled = 0;
    for (int64_t i = 0; numbers && i < count; i++)
        if (labels[i] >= 0)
            numbers[labelled++] = labels[i];
    if (numbers)
        qsort(numbers, (size_t)labelled, sizeof *numbers, compare_numbers);
    for (int64_t i = 0; numbers && i < labelled; i++)
        if (i == 0 || numbers[i] != numbers[i - 1])
            numbers[(*distinct)++] = numbers[i];
    return numbers;
}

/* ---- taking labels ---- */

static dgm_status find_top(dgm_context *ctx, const int32_t *labels, int64_t count, int32_t *top) {
    *top = -1;
    for (int64_t u = 0; u < count; u++) {
        if (labels[u] < -1)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "label %d of node %lld is below -1 (-1 means unlabelled)", labels[u],
                             (long long)u);
        *top = labels[u] > *top ? labels[u] : *top;
    }
    return DGM_OK;
}

/* Each label becomes the place of its number. */
static void renumber(int32_t *labels, int64_t count, const int32_t *numbers, int64_t distinct) {
    for (int64_t u = 0; u < count; u++) {
        const int32_t *at = labels[u] < 0 ? NULL
                                          : bsearch(&labels[u], numbers, (size_t)distinct,
                                                    sizeof *numbers, compare_numbers);
        labels[u] = at ? (int32_t)(at - numbers) : -1;
    }
}

static void *copy_block(const dgm_allocator *allocator, const void *values, int64_t count,
                        size_t size) {
    void *copy = dgmi_allocator_resize(allocator, NULL, count + 1, size);
    if (copy && count)
        memcpy(copy, values, (size_t)count * size);
    return copy;
}

static dgm_status take(dgm_context *ctx, dgm_graph *graph, int64_t count, const int32_t *labels) {
    const dgm_allocator *allocator = &graph->allocator;
    int32_t top;
    int64_t distinct = 0;
    dgm_status status = find_top(ctx, labels, count, &top);
    if (status != DGM_OK)
        return status;
    const int32_t *numbers = top < count ? list_by_ticking(ctx, labels, count, top, &distinct)
                                         : list_by_sorting(ctx, labels, count, &distinct);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    bool gaps = distinct <= top;
    int32_t *copy = copy_block(allocator, labels, count, sizeof *copy);
    int32_t *kept = copy && gaps ? copy_block(allocator, numbers, distinct, sizeof *kept) : NULL;
    if (!copy || (gaps && !kept)) {
        dgmi_allocator_free(allocator, copy);
        return dgmi_fail_memory(ctx, count, sizeof *copy);
    }
    if (gaps)
        renumber(copy, count, numbers, distinct);
    dgmi_allocator_free(allocator, graph->labels);
    dgmi_allocator_free(allocator, graph->class_numbers);
    graph->labels = copy;
    graph->label_count = count;
    graph->class_numbers = kept;
    graph->classes = (int32_t)distinct;
    return DGM_OK;
}

dgm_status dgmi_graph_take_labels(dgm_context *ctx, dgm_graph *graph, int64_t count,
                                  const int32_t *labels) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = take(ctx, graph, count, labels);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- labels with names ---- */

static void free_names(const dgm_allocator *allocator, char **names, int32_t count) {
    for (int32_t c = 0; names && c < count; c++)
        dgmi_allocator_free(allocator, names[c]);
    dgmi_allocator_free(allocator, names);
}

/* NULL where one does not fit into memory. */
static char **copy_names(const dgm_allocator *allocator, int32_t count, const char *const *names) {
    char **copy = dgmi_allocator_resize(allocator, NULL, (int64_t)count + 1, sizeof *copy);
    for (int32_t c = 0; copy && c < count; c++)
        if (!(copy[c] = copy_block(allocator, names[c], (int64_t)strlen(names[c]) + 1, 1))) {
            free_names(allocator, copy, c);
            return NULL;
        }
    return copy;
}

dgm_status dgmi_graph_give_labels(dgm_context *ctx, dgm_graph *graph, const int32_t *labels,
                                  int32_t name_count, const char *const *names) {
    char **copy = copy_names(&graph->allocator, name_count, names);
    if (!copy)
        return dgmi_fail_memory(ctx, name_count, sizeof *copy);
    dgm_status status = dgmi_graph_take_labels(ctx, graph, graph->nodes, labels);
    if (status != DGM_OK) {
        free_names(&graph->allocator, copy, name_count);
        return status;
    }
    free_names(&graph->allocator, graph->class_names, graph->class_name_count);
    dgmi_allocator_free(&graph->allocator, graph->class_name_numbers);
    graph->class_names = copy;
    graph->class_name_count = name_count;
    graph->class_name_numbers = NULL;
    return DGM_OK;
}
