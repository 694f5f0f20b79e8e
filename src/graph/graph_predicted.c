/* SPDX-License-Identifier: Apache-2.0 */
/* What a classifier says of the nodes, beside what the labels say. */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"
#include "graph_labels.h"

static int32_t likeliest(const float *probabilities, int32_t classes) {
    int32_t best = 0;
    for (int32_t c = 1; c < classes; c++)
        if (probabilities[c] > probabilities[best])
            best = c;
    return best;
}

/* ---- which class a column is ---- */

/* The highest number among the labels; -1: there are none. */
static int32_t highest_number(const dgm_graph *graph) {
    return dgm_graph_class_number(graph, graph->classes - 1);
}

/* Where labels leave numbers out and a classifier does not reach the highest, its columns are
 * neither the classes nor the numbers. */
static dgm_status check_columns(dgm_context *ctx, const dgm_graph *graph, int32_t columns) {
    int32_t classes = graph->classes, top = highest_number(graph);
    if (columns == classes || columns > top || classes == top + 1)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "the network has %d outputs, but the labels are %d classes with numbers up to "
                     "%d: number the labels as the outputs, from 0 to %d (--labels FILE)",
                     columns, classes, top, columns - 1);
}

/* The class of that number among those that occur, or -1. */
static int32_t find_class(const dgm_graph *graph, int32_t number) {
    int32_t low = 0, high = graph->classes;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (dgm_graph_class_number(graph, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->classes && dgm_graph_class_number(graph, low) == number ? low : -1;
}

/* What becomes of a graph's classes when a classifier speaks. */
typedef struct {
    int32_t *columns; /* the class of each */
    int32_t *numbers; /* of all classes */
    int32_t known;
    bool plain; /* class c has the number c */
} known_classes;

/* Columns whose class no label has are classes behind the others. */
static void place_columns(const dgm_graph *graph, int32_t columns, const int32_t *numbers,
                          known_classes *out) {
    for (int32_t c = 0; c < graph->classes; c++)
        out->numbers[c] = dgm_graph_class_number(graph, c);
    out->known = graph->classes;
    for (int32_t j = 0; j < columns; j++) {
        int32_t number = numbers ? numbers[j] : dgmi_graph_column_number(graph, columns, j);
        int32_t class = find_class(graph, number);
        out->columns[j] = class >= 0 ? class : out->known;
        if (class < 0)
            out->numbers[out->known++] = number;
    }
    out->plain = true;
    for (int32_t c = 0; c < out->known; c++)
        out->plain &= out->numbers[c] == c;
}

/* ---- what it says ---- */

void dgmi_graph_forget_predictions(dgm_graph *graph) {
    dgmi_allocator_free(&graph->allocator, graph->predictions);
    dgmi_allocator_free(&graph->allocator, graph->probabilities);
    dgmi_allocator_free(&graph->allocator, graph->probability_classes);
    dgmi_allocator_free(&graph->allocator, graph->prediction_splits);
    graph->predictions = NULL;
    graph->probabilities = NULL;
    graph->probability_classes = NULL;
    graph->prediction_splits = NULL;
    graph->probability_columns = 0;
}

static dgm_status check_probabilities(dgm_context *ctx, const dgm_graph *graph, int32_t columns,
                                      const float *probabilities) {
    if (columns < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "predictions need at least one class");
    for (int64_t i = 0; i < graph->nodes * columns; i++)
        if (!isfinite(probabilities[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the prediction of node number %lld is not a number",
                             (long long)(i / columns));
    return DGM_OK;
}

static void take_probabilities(dgm_graph *graph, int32_t columns, const float *values,
                               const known_classes *classes, float *table, int32_t *predictions) {
    if (graph->nodes)
        memcpy(table, values, (size_t)(graph->nodes * columns) * sizeof *table);
    for (int64_t i = 0; i < graph->nodes; i++)
        predictions[i] = classes->columns[likeliest(table + i * columns, columns)];
    dgmi_graph_forget_predictions(graph);
    dgmi_allocator_free(&graph->allocator, graph->class_numbers);
    if (classes->plain)
        dgmi_allocator_free(&graph->allocator, classes->numbers);
    graph->class_numbers = classes->plain ? NULL : classes->numbers;
    graph->known_classes = classes->known;
    graph->predictions = predictions;
    graph->probabilities = table;
    graph->probability_classes = classes->columns;
    graph->probability_columns = columns;
}

dgm_status dgmi_graph_set_probabilities(dgm_context *ctx, dgm_graph *graph, int32_t columns,
                                        const int32_t *numbers, const float *probabilities) {
    const dgm_allocator *allocator = &graph->allocator;
    int64_t cells = graph->nodes * columns;
    dgm_status status = check_probabilities(ctx, graph, columns, probabilities);
    if (status == DGM_OK && !numbers)
        status = check_columns(ctx, graph, columns);
    if (status != DGM_OK)
        return status;
    known_classes classes = {
        .columns = dgmi_allocator_resize(allocator, NULL, columns, sizeof *classes.columns),
        .numbers = dgmi_allocator_resize(allocator, NULL, (int64_t)graph->classes + columns,
                                         sizeof *classes.numbers)};
    int32_t *predictions =
        dgmi_allocator_resize(allocator, NULL, graph->nodes + 1, sizeof *predictions);
    float *table = dgmi_allocator_resize(allocator, NULL, cells + 1, sizeof *table);
    if (!classes.columns || !classes.numbers || !predictions || !table) {
        void *const blocks[] = {classes.columns, classes.numbers, predictions, table};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            dgmi_allocator_free(allocator, blocks[i]);
        return dgmi_fail_memory(ctx, cells, sizeof *table);
    }
    place_columns(graph, columns, numbers, &classes);
    take_probabilities(graph, columns, probabilities, &classes, table, predictions);
    return DGM_OK;
}

dgm_status dgm_graph_set_probabilities(dgm_context *ctx, dgm_graph *graph, int32_t columns,
                                       const float *probabilities) {
    return dgmi_graph_set_probabilities(ctx, graph, columns, NULL, probabilities);
}

const int32_t *dgm_graph_predictions(const dgm_graph *graph) {
    return graph->predictions;
}

const float *dgm_graph_probabilities(const dgm_graph *graph, int32_t *columns) {
    if (columns)
        *columns = graph->probability_columns;
    return graph->probabilities;
}

int32_t dgm_graph_probability_class(const dgm_graph *graph, int32_t column) {
    return column >= 0 && column < graph->probability_columns ? graph->probability_classes[column]
                                                              : -1;
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
