/* SPDX-License-Identifier: Apache-2.0 */
/* What a classifier says of the nodes, beside what the labels say. */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"

static int32_t likeliest(const float *probabilities, int32_t classes) {
    int32_t best = 0;
    for (int32_t c = 1; c < classes; c++)
        if (probabilities[c] > probabilities[best])
            best = c;
    return best;
}

dgm_status dgm_graph_set_probabilities(dgm_context *ctx, dgm_graph *graph, int32_t classes,
                                       const float *probabilities) {
    int64_t cells = graph->nodes * classes;
    if (classes < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "predictions need at least one class");
    for (int64_t i = 0; i < cells; i++)
        if (!isfinite(probabilities[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the prediction of node number %lld is not a number",
                             (long long)(i / classes));
    int32_t *predictions =
        dgmi_allocator_resize(&graph->allocator, NULL, graph->nodes + 1, sizeof *predictions);
    float *copy = dgmi_allocator_resize(&graph->allocator, NULL, cells + 1, sizeof *copy);
    if (!predictions || !copy) {
        dgmi_allocator_free(&graph->allocator, predictions);
        dgmi_allocator_free(&graph->allocator, copy);
        return dgmi_fail_memory(ctx, cells, sizeof *copy);
    }
    if (cells)
        memcpy(copy, probabilities, (size_t)cells * sizeof *copy);
    for (int64_t i = 0; i < graph->nodes; i++)
        predictions[i] = likeliest(copy + i * classes, classes);
    dgmi_allocator_free(&graph->allocator, graph->predictions);
    dgmi_allocator_free(&graph->allocator, graph->probabilities);
    dgmi_allocator_free(&graph->allocator, graph->prediction_splits);
    graph->prediction_splits = NULL;
    graph->predictions = predictions;
    graph->probabilities = copy;
    graph->predicted_classes = classes;
    return DGM_OK;
}

const int32_t *dgm_graph_predictions(const dgm_graph *graph) {
    return graph->predictions;
}

const float *dgm_graph_probabilities(const dgm_graph *graph, int32_t *classes) {
    if (classes)
        *classes = graph->predicted_classes;
    return graph->probabilities;
}

dgm_status dgm_graph_set_prediction_splits(dgm_context *ctx, dgm_graph *graph,
                                           const uint8_t *splits) {
    for (int64_t u = 0; u < graph->nodes; u++)
        if (splits[u] >= DGM_SPLITS)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "node number %lld is in a part %d of the split",
                             (long long)u, splits[u]);
    uint8_t *copy = dgmi_allocator_resize(&graph->allocator, NULL, graph->nodes + 1, sizeof *copy);
    if (!copy)
        return dgmi_fail_memory(ctx, graph->nodes + 1, sizeof *copy);
    if (graph->nodes)
        memcpy(copy, splits, (size_t)graph->nodes);
    dgmi_allocator_free(&graph->allocator, graph->prediction_splits);
    graph->prediction_splits = copy;
    return DGM_OK;
}

const uint8_t *dgm_graph_prediction_splits(const dgm_graph *graph) {
    return graph->prediction_splits ? graph->prediction_splits : graph->splits;
}
