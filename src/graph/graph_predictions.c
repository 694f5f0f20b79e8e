/* SPDX-License-Identifier: Apache-2.0 */
/* Makes predictions from logits, probabilities or classes (dgm/predictions.h), and matches the
 * columns of a classifier with the classes of the graph. */
#include "graph_predictions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_graph.h"
#include "graph_labels.h"
#include "table_matrix.h"

struct dgm_predictions {
    dgm_allocator allocator;
    int64_t nodes;
    int32_t *classes;        /* one for each node, or -1 */
    float *probabilities;    /* nodes x columns, or NULL */
    int32_t *column_classes; /* the class of each column */
    int32_t columns;
    int32_t *numbers; /* of the known classes; NULL: class c has the number c */
    int32_t known;    /* the classes of the graph, and behind them those that no label has */
    uint8_t *splits;  /* or NULL */
};

/* ---- looking ---- */

int64_t dgm_predictions_nodes(const dgm_predictions *predictions) {
    return predictions->nodes;
}

const int32_t *dgm_predictions_classes(const dgm_predictions *predictions) {
    return predictions->classes;
}

const float *dgm_predictions_probabilities(const dgm_predictions *predictions, int32_t *columns) {
    if (columns)
        *columns = predictions->columns;
    return predictions->probabilities;
}

int32_t dgm_predictions_probability_class(const dgm_predictions *predictions, int32_t column) {
    return column >= 0 && column < predictions->columns ? predictions->column_classes[column] : -1;
}

const uint8_t *dgm_predictions_splits(const dgm_predictions *predictions) {
    return predictions->splits;
}

int32_t dgm_predictions_known_classes(const dgm_predictions *predictions) {
    return predictions->known;
}

int32_t dgm_predictions_class_number(const dgm_predictions *predictions, int32_t label) {
    if (label < 0 || label >= predictions->known)
        return -1;
    return predictions->numbers ? predictions->numbers[label] : label;
}

const char *dgm_predictions_class_name(const dgm_predictions *predictions, const dgm_graph *graph,
                                       int32_t label) {
    return dgmi_graph_number_name(graph, dgm_predictions_class_number(predictions, label));
}

const char *dgm_predictions_class_text(const dgm_predictions *predictions, const dgm_graph *graph,
                                       int32_t label, char *buffer, size_t size) {
    const char *name = dgm_predictions_class_name(predictions, graph, label);
    if (name)
        return name;
    snprintf(buffer, size, "%d", (int)dgm_predictions_class_number(predictions, label));
    return buffer;
}

dgm_status dgmi_graph_predictions_check(dgm_context *ctx, const dgm_predictions *predictions,
                                        const dgm_graph *graph) {
    if (!predictions)
        return DGM_OK;
    if (predictions->nodes != graph->nodes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "predictions of %lld nodes for a graph of %lld",
                         (long long)predictions->nodes, (long long)graph->nodes);
    bool same = predictions->known >= graph->classes;
    for (int32_t c = 0; same && c < graph->classes; c++)
        same = dgm_predictions_class_number(predictions, c) == dgm_graph_class_number(graph, c);
    return same ? DGM_OK
                : dgmi_fail(ctx, DGM_ERROR_USAGE,
                            "the predictions were made for a graph with other classes");
}

/* ---- which class a column is ---- */

int32_t dgmi_graph_column_number(const dgm_graph *graph, int32_t columns, int32_t column) {
    return columns == graph->classes ? dgm_graph_class_number(graph, column) : column;
}

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
    return dgmi_fail(
        ctx, DGM_ERROR_DATA,
        "the network has %d outputs, but the labels are %d classes with numbers up to "
        "%d: number the labels as the outputs, from 0 to %d (" DGMI_NAMED("labels=FILE") ")",
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

/* The classes of the graph, with room for `more` that no label has. */
static dgm_status know_classes(dgm_context *ctx, const dgm_graph *graph, int32_t more,
                               dgm_predictions *into) {
    into->numbers = dgmi_alloc(ctx, (int64_t)graph->classes + more, sizeof *into->numbers);
    if (!into->numbers)
        return DGM_ERROR_MEMORY;
    into->known = graph->classes;
    for (int32_t c = 0; c < graph->classes; c++)
        into->numbers[c] = dgm_graph_class_number(graph, c);
    return DGM_OK;
}

/* Most classes have the number that they are counted by, and need no list. */
static void drop_plain_numbers(dgm_context *ctx, dgm_predictions *into) {
    int32_t same = 0;
    while (same < into->known && into->numbers[same] == same)
        same++;
    if (same < into->known)
        return;
    dgmi_free(ctx, into->numbers);
    into->numbers = NULL;
}

/* Columns whose class no label has are classes behind the others. `numbers` are those of the
 * columns' classes, no two alike; NULL: the classifier does not know them. */
static dgm_status place_columns(dgm_context *ctx, const dgm_graph *graph, int32_t columns,
                                const int32_t *numbers, dgm_predictions *into) {
    dgm_status status = numbers ? DGM_OK : check_columns(ctx, graph, columns);
    if (status == DGM_OK)
        status = know_classes(ctx, graph, columns, into);
    if (status != DGM_OK)
        return status;
    into->column_classes = dgmi_alloc(ctx, columns, sizeof *into->column_classes);
    if (!into->column_classes)
        return DGM_ERROR_MEMORY;
    into->columns = columns;
    for (int32_t j = 0; j < columns; j++) {
        int32_t number = numbers ? numbers[j] : dgmi_graph_column_number(graph, columns, j);
        int32_t class = find_class(graph, number);
        into->column_classes[j] = class >= 0 ? class : into->known;
        if (class < 0)
            into->numbers[into->known++] = number;
    }
    drop_plain_numbers(ctx, into);
    return DGM_OK;
}

/* ---- what it says ---- */

/* Predictions with room for the classes of the nodes, and the split. */
static dgm_status begin(dgm_context *ctx, const dgm_graph *graph, const uint8_t *splits,
                        dgm_predictions **out) {
    *out = NULL;
    for (int64_t u = 0; splits && u < graph->nodes; u++)
        if (splits[u] >= DGM_SPLITS)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "node number %lld is in a part %d of the split",
                             (long long)u, splits[u]);
    dgm_predictions *made = dgmi_alloc_zero(ctx, 1, sizeof *made);
    if (!made)
        return DGM_ERROR_MEMORY;
    *out = made;
    made->allocator = ctx->allocator;
    made->nodes = graph->nodes;
    made->classes = dgmi_alloc(ctx, graph->nodes, sizeof *made->classes);
    made->splits = splits ? dgmi_alloc(ctx, graph->nodes, sizeof *made->splits) : NULL;
    if (!made->classes || (splits && !made->splits))
        return DGM_ERROR_MEMORY;
    if (splits && graph->nodes)
        memcpy(made->splits, splits, (size_t)graph->nodes);
    return DGM_OK;
}

/* What is not whole is nothing. */
static dgm_status finish(dgm_status status, dgm_predictions **out) {
    if (status == DGM_OK)
        return DGM_OK;
    dgm_predictions_free(*out);
    *out = NULL;
    return status;
}

/* Begins with a table of probabilities that is still empty. */
static dgm_status begin_table(dgm_context *ctx, const dgm_graph *graph, int32_t columns,
                              const int32_t *numbers, const uint8_t *splits,
                              dgm_predictions **out) {
    *out = NULL;
    if (columns < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "predictions need at least one class");
    dgm_status status = begin(ctx, graph, splits, out);
    if (status == DGM_OK)
        status = place_columns(ctx, graph, columns, numbers, *out);
    if (status != DGM_OK)
        return status;
    (*out)->probabilities = dgmi_alloc(ctx, graph->nodes * columns, sizeof(float));
    return (*out)->probabilities ? DGM_OK : DGM_ERROR_MEMORY;
}

static int32_t likeliest(const float *probabilities, int32_t columns) {
    int32_t best = 0;
    for (int32_t j = 1; j < columns; j++)
        if (probabilities[j] > probabilities[best])
            best = j;
    return best;
}

static void find_likeliest(dgm_predictions *into) {
    for (int64_t u = 0; u < into->nodes; u++) {
        const float *row = into->probabilities + u * into->columns;
        into->classes[u] = into->column_classes[likeliest(row, into->columns)];
    }
}

/* ---- from logits ---- */

/* The largest logit is subtracted first, so that no exponential overflows. */
static void softmax(const double *logits, int32_t columns, float *probabilities) {
    double largest = logits[0], sum = 0;
    for (int32_t j = 1; j < columns; j++)
        largest = fmax(largest, logits[j]);
    for (int32_t j = 0; j < columns; j++)
        sum += exp(logits[j] - largest);
    for (int32_t j = 0; j < columns; j++)
        probabilities[j] = (float)(exp(logits[j] - largest) / sum);
}

static dgm_status check_finite(dgm_context *ctx, const dgm_predictions *made) {
    for (int64_t i = 0; i < made->nodes * made->columns; i++)
        if (!isfinite(made->probabilities[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the prediction of node number %lld is not a number",
                             (long long)(i / made->columns));
    return DGM_OK;
}

/* The numbers of the columns' classes, where the network knows them, into `numbers`. */
static bool find_numbers(const dgm_matrix *logits, int32_t *numbers) {
    for (int64_t j = 0; j < dgm_matrix_columns(logits); j++)
        if ((numbers[j] = dgmi_table_matrix_column_class(logits, j)) < 0)
            return false;
    return true;
}

static dgm_status take_logits(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *logits,
                              const uint8_t *splits, dgm_predictions **out) {
    int32_t columns = (int32_t)dgm_matrix_columns(logits);
    int32_t *numbers = dgmi_scratch(ctx, columns, sizeof *numbers);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    dgm_status status = begin_table(ctx, graph, columns,
                                    find_numbers(logits, numbers) ? numbers : NULL, splits, out);
    if (status != DGM_OK)
        return status;
    for (int64_t u = 0; u < graph->nodes; u++)
        softmax(dgm_matrix_values(logits) + u * columns, columns,
                (*out)->probabilities + u * columns);
    find_likeliest(*out);
    return check_finite(ctx, *out);
}

dgm_status dgm_predictions_from_logits(dgm_context *ctx, const dgm_graph *graph,
                                       const dgm_matrix *logits, const uint8_t *splits,
                                       dgm_predictions **out) {
    *out = NULL;
    if (dgm_matrix_rows(logits) != graph->nodes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "logits of %lld nodes for a graph of %lld",
                         (long long)dgm_matrix_rows(logits), (long long)graph->nodes);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = take_logits(ctx, graph, logits, splits, out);
    dgmi_arena_release(ctx, hold);
    return finish(status, out);
}

/* ---- from probabilities ---- */

static dgm_status take_row(dgm_context *ctx, int64_t node, const double *row, int32_t columns,
                           float *into) {
    double sum = 0;
    for (int32_t j = 0; j < columns; j++) {
        if (!isfinite(row[j]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the prediction of node number %lld is not a number", (long long)node);
        if (row[j] < 0)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "a probability of node number %lld is negative (%g): probabilities "
                             "are expected, not logits",
                             (long long)node, row[j]);
        into[j] = (float)row[j];
        sum += row[j];
    }
    if (fabs(sum - 1) <= DGM_PREDICTIONS_TOLERANCE)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "the probabilities of node number %lld sum to %g instead of 1",
                     (long long)node, sum);
}

dgm_status dgm_predictions_from_probabilities(dgm_context *ctx, const dgm_graph *graph,
                                              const double *probabilities, int32_t columns,
                                              const uint8_t *splits, dgm_predictions **out) {
    dgm_status status = begin_table(ctx, graph, columns, NULL, splits, out);
    for (int64_t u = 0; status == DGM_OK && u < graph->nodes; u++)
        status = take_row(ctx, u, probabilities + u * columns, columns,
                          (*out)->probabilities + u * columns);
    if (status == DGM_OK)
        find_likeliest(*out);
    return finish(status, out);
}

/* ---- from classes ---- */

static dgm_status take_classes(dgm_context *ctx, const dgm_graph *graph, const int32_t *classes,
                               dgm_predictions *into) {
    int64_t most = graph->classes ? graph->classes : graph->nodes;
    for (int64_t u = 0; u < graph->nodes; u++) {
        if (classes[u] < -1 || classes[u] >= most)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the prediction of node number %lld is class %d, but classes are "
                             "counted from 0 to %lld (-1 means none)",
                             (long long)u, (int)classes[u], (long long)most - 1);
        into->classes[u] = classes[u];
        if (classes[u] >= into->known)
            into->known = classes[u] + 1;
    }
    return DGM_OK;
}

dgm_status dgm_predictions_from_classes(dgm_context *ctx, const dgm_graph *graph,
                                        const int32_t *classes, const uint8_t *splits,
                                        dgm_predictions **out) {
    dgm_status status = begin(ctx, graph, splits, out);
    if (status == DGM_OK)
        status = know_classes(ctx, graph, 0, *out);
    if (status == DGM_OK) {
        drop_plain_numbers(ctx, *out);
        status = take_classes(ctx, graph, classes, *out);
    }
    return finish(status, out);
}

/* ---- of a part of the graph ---- */

/* Where the known classes of the whole are among those of the part, in scratch memory. */
static dgm_status place_classes(dgm_context *ctx, const dgm_predictions *whole,
                                const dgm_graph *part, dgm_predictions *into, int32_t **out) {
    dgm_status status = know_classes(ctx, part, whole->known, into);
    int32_t *place = dgmi_scratch(ctx, whole->known, sizeof *place);
    *out = place;
    if (status != DGM_OK || !place)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < whole->known; c++) {
        int32_t number = dgm_predictions_class_number(whole, c);
        place[c] = find_class(part, number);
        if (place[c] < 0) {
            place[c] = into->known;
            into->numbers[into->known++] = number;
        }
    }
    drop_plain_numbers(ctx, into);
    return DGM_OK;
}

static dgm_status take_table(dgm_context *ctx, const dgm_predictions *whole, const uint32_t *nodes,
                             const int32_t *place, dgm_predictions *into) {
    int32_t columns = whole->columns;
    if (!whole->probabilities)
        return DGM_OK;
    into->probabilities = dgmi_alloc(ctx, into->nodes * columns, sizeof(float));
    into->column_classes = dgmi_alloc(ctx, columns, sizeof *into->column_classes);
    if (!into->probabilities || !into->column_classes)
        return DGM_ERROR_MEMORY;
    into->columns = columns;
    for (int32_t j = 0; j < columns; j++)
        into->column_classes[j] = place[whole->column_classes[j]];
    for (int64_t i = 0; i < into->nodes; i++)
        memcpy(into->probabilities + i * columns,
               whole->probabilities + (int64_t)nodes[i] * columns, (size_t)columns * sizeof(float));
    return DGM_OK;
}

static dgm_status take_part(dgm_context *ctx, const dgm_predictions *whole, const dgm_graph *part,
                            const uint32_t *nodes, dgm_predictions **out) {
    int32_t *place;
    dgm_status status = begin(ctx, part, NULL, out);
    if (status == DGM_OK)
        status = place_classes(ctx, whole, part, *out, &place);
    if (status == DGM_OK)
        status = take_table(ctx, whole, nodes, place, *out);
    if (status == DGM_OK && whole->splits) {
        (*out)->splits = dgmi_alloc(ctx, part->nodes, sizeof *whole->splits);
        status = (*out)->splits ? DGM_OK : DGM_ERROR_MEMORY;
    }
    for (int64_t i = 0; status == DGM_OK && i < part->nodes; i++) {
        int32_t said = whole->classes[nodes[i]];
        (*out)->classes[i] = said >= 0 ? place[said] : -1;
        if (whole->splits)
            (*out)->splits[i] = whole->splits[nodes[i]];
    }
    return status;
}

dgm_status dgm_predictions_induced(dgm_context *ctx, const dgm_predictions *predictions,
                                   const dgm_graph *part, const uint32_t *nodes,
                                   dgm_predictions **out) {
    *out = NULL;
    for (int64_t i = 0; i < part->nodes; i++)
        if (nodes[i] >= predictions->nodes)
            return dgmi_fail(ctx, DGM_ERROR_USAGE, "there are no predictions of node %u", nodes[i]);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = take_part(ctx, predictions, part, nodes, out);
    dgmi_arena_release(ctx, hold);
    return finish(status, out);
}

void dgm_predictions_free(dgm_predictions *predictions) {
    if (!predictions)
        return;
    dgm_allocator allocator = predictions->allocator;
    void *const blocks[] = {predictions->classes,        predictions->probabilities,
                            predictions->column_classes, predictions->numbers,
                            predictions->splits,         predictions};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}
