/* SPDX-License-Identifier: Apache-2.0 */
/* Classes that come to a graph that is built already. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"

static char *copy_text(const dgm_allocator *allocator, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = dgmi_allocator_resize(allocator, NULL, (int64_t)size, 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static void free_names(const dgm_allocator *allocator, char **names, int32_t count) {
    for (int32_t c = 0; names && c < count; c++)
        dgmi_allocator_free(allocator, names[c]);
    dgmi_allocator_free(allocator, names);
}

/* NULL where one does not fit into memory. */
static char **copy_names(const dgm_allocator *allocator, int32_t count, const char *const *names) {
    char **copy = dgmi_allocator_resize(allocator, NULL, (int64_t)count + 1, sizeof *copy);
    for (int32_t c = 0; copy && c < count; c++)
        if (!(copy[c] = copy_text(allocator, names[c]))) {
            free_names(allocator, copy, c);
            return NULL;
        }
    return copy;
}

dgm_status dgm_graph_set_labels(dgm_context *ctx, dgm_graph *graph, const int32_t *labels,
                                int32_t name_count, const char *const *names) {
    const dgm_allocator *allocator = &graph->allocator;
    int32_t top = -1;
    for (int64_t u = 0; u < graph->nodes; u++) {
        if (labels[u] < -1)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "label %d of node %lld is below -1 (-1 means unlabelled)", labels[u],
                             (long long)u);
        top = labels[u] > top ? labels[u] : top;
    }
    int32_t *copy = dgmi_allocator_resize(allocator, NULL, graph->nodes + 1, sizeof *copy);
    char **class_names = copy_names(allocator, name_count, names);
    if (!copy || !class_names) {
        dgmi_allocator_free(allocator, copy);
        free_names(allocator, class_names, name_count);
        return dgmi_fail_memory(ctx, graph->nodes, sizeof *copy);
    }
    if (graph->nodes)
        memcpy(copy, labels, (size_t)graph->nodes * sizeof *copy);
    dgmi_allocator_free(allocator, graph->labels);
    free_names(allocator, graph->class_names, graph->class_name_count);
    graph->labels = copy;
    graph->label_count = graph->nodes;
    graph->classes = top + 1;
    graph->class_names = class_names;
    graph->class_name_count = name_count;
    return DGM_OK;
}
