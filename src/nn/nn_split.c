/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the nodes for training, validation and test, and the weights of classes in the loss. */
#include "nn_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "base_sort.h"
#include "base_text.h"

enum { STREAM = 0x73706c74 /* of this file's random numbers */, MOST_NAMES = 5 };

/* The share of training nodes that is held out, and the fewest nodes that are worth it. */
static const double HELD_OUT = 0.2;
enum { LEAST_HELD_OUT = 10 };

/* ---- labels ---- */

dgm_status dgmi_nn_labels_find(dgm_context *ctx, const dgm_graph *graph, const int32_t **labels,
                               int32_t *classes) {
    int32_t count = dgm_graph_classes(graph);
    char number[16];
    *labels = NULL;
    *classes = 0;
    if (count == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "no node has a label to learn from: give classes by " DGMI_NAMED(
                             "labels=FILE") ", or "
                                            "labels.txt in the graph's folder; dgi needs none");
    if (count == 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "all labels are %s: a classifier needs two classes or more; dgi needs no "
                         "labels",
                         dgm_graph_class_text(graph, 0, number, sizeof number));
    *labels = dgm_graph_labels(graph);
    *classes = count;
    return DGM_OK;
}

/* The highest label + 1, with an error where that is beyond reason: arrays have one place a class.
 */
static dgm_status count_classes(dgm_context *ctx, const int32_t *labels, int64_t nodes,
                                int64_t *classes) {
    int32_t top = labels ? -1 : 0;
    for (int64_t u = 0; labels && u < nodes; u++)
        top = labels[u] > top ? labels[u] : top;
    *classes = (int64_t)top + 1;
    if (labels && *classes > nodes)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the highest label is %d, but there are only %lld nodes: number the "
                         "classes from 0",
                         top, (long long)nodes);
    return DGM_OK;
}

/* ---- drawing ---- */

static inline int64_t class_of(const int32_t *labels, int64_t node) {
    return labels ? labels[node] : 0;
}

/* How many of a class are still to train and to validate. */
typedef struct quota {
    int64_t nodes, train, validation;
} quota;

/* The whole nodes of a fraction of [before, after). Rounded along the classes one behind the other,
 * shares are right to within a node each, and right all together. */
static int64_t share(double fraction, int64_t before, int64_t after) {
    int64_t nodes = (int64_t)floor(fraction * (double)after + 0.5) -
                    (int64_t)floor(fraction * (double)before + 0.5);
    return nodes < after - before ? nodes : after - before;
}

/* A class that would have no training node gets one. Where training nodes leave no place for a
 * class's validation node, the next class has one more. */
static void share_out(quota *quotas, int64_t classes, double train, double validation) {
    bool no_test = train + validation > 1 - 1e-9;
    int64_t before = 0, owed = 0;
    for (int64_t c = 0; c < classes; c++) {
        quota *q = &quotas[c];
        int64_t after = before + q->nodes;
        q->train = share(train, before, after);
        if (q->train == 0 && q->nodes > 0)
            q->train = 1;
        int64_t rest = q->nodes - q->train, wanted = share(validation, before, after) + owed;
        q->validation = no_test || wanted > rest ? rest : wanted;
        owed = wanted > q->validation ? 1 : 0;
        before = after;
    }
}

/* Nodes in random order, each into what its class still lacks. */
static dgm_status draw(dgm_context *ctx, const int32_t *labels, int64_t nodes, quota *quotas,
                       int64_t seed, uint8_t *parts) {
    uint64_t *keys = dgmi_scratch(ctx, nodes, sizeof *keys);
    uint32_t *order = dgmi_scratch(ctx, nodes, sizeof *order);
    if (!keys || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        keys[u] = dgmi_random_bits((uint64_t)seed, STREAM, (uint64_t)u);
        order[u] = (uint32_t)u;
    }
    dgm_status status = dgmi_sort_pairs(ctx, keys, order, nodes);
    for (int64_t i = 0; status == DGM_OK && i < nodes; i++) {
        int64_t class = class_of(labels, order[i]);
        if (class < 0)
            continue;
        quota *q = &quotas[class];
        parts[order[i]] = q->train > 0        ? DGM_SPLIT_TRAIN
                          : q->validation > 0 ? DGM_SPLIT_VALIDATION
                                              : DGM_SPLIT_TEST;
        q->validation -= q->train == 0 && q->validation > 0;
        q->train -= q->train > 0;
    }
    return status;
}

static dgm_status check_fractions(dgm_context *ctx, double train, double validation) {
    if (!(train > 0 && train <= 1 && validation >= 0 && validation <= 1))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a split of %g,%g: the training part must be above 0, and both at most 1",
                         train, validation);
    if (train + validation > 1 + 1e-9)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a split of %g,%g: the parts add up to more than all nodes", train,
                         validation);
    return DGM_OK;
}

static dgm_status draw_parts(dgm_context *ctx, const int32_t *labels, int64_t nodes,
                             int64_t classes, double train, double validation, int64_t seed,
                             uint8_t *parts) {
    dgm_status status = check_fractions(ctx, train, validation);
    quota *quotas = status == DGM_OK ? dgmi_scratch_zero(ctx, classes, sizeof *quotas) : NULL;
    if (status == DGM_OK && !quotas)
        status = DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    for (int64_t u = 0; u < nodes; u++)
        if (class_of(labels, u) >= 0)
            quotas[class_of(labels, u)].nodes++;
    share_out(quotas, classes, train, validation);
    return draw(ctx, labels, nodes, quotas, seed, parts);
}

/* ---- the graph's own ---- */

static dgm_status own_parts(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                            uint8_t *parts) {
    const uint8_t *splits = dgm_graph_splits(graph);
    char advice[DGMI_ADVICE_SPACE];
    if (!splits)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graph does not say which nodes train and which test: draw them by "
                         "%s, or add train.txt, val.txt and test.txt to its folder",
                         dgmi_advice(ctx, "split", "0.8,0.1", advice));
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        parts[u] = class_of(labels, u) >= 0 ? splits[u] : DGM_SPLIT_NONE;
    return DGM_OK;
}

/* ---- a split ---- */

static dgm_status collect(dgm_context *ctx, const uint8_t *parts, int64_t nodes, dgm_split part,
                          uint32_t **out, int64_t *out_count) {
    int64_t count = 0;
    for (int64_t u = 0; u < nodes; u++)
        count += parts[u] == part;
    uint32_t *list = *out = dgmi_alloc(ctx, count, sizeof *list);
    if (!list)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        if (parts[u] == part)
            *list++ = (uint32_t)u;
    *out_count = count;
    return DGM_OK;
}

static size_t append_class(char *text, size_t used, size_t size, const dgm_graph *graph,
                           const int32_t *labels, int64_t class) {
    bool graphs_own = labels == dgm_graph_labels(graph);
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)class);
    int length = snprintf(
        text + used, size - used, "%s%s", used > 0 ? ", " : "",
        graphs_own ? dgm_graph_class_text(graph, (int32_t) class, number, sizeof number) : number);
    used += length > 0 ? (size_t)length : 0;
    return used < size ? used : size - 1;
}

/* Says which classes occur, but not among the nodes that train. */
static dgm_status note_untrained(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                                 int64_t classes, const uint8_t *parts) {
    enum { OCCURS = 1, TRAINS = 2 };
    char names[512] = "";
    size_t used = 0;
    int64_t missing = 0;
    uint8_t *seen = dgmi_scratch_zero(ctx, classes, sizeof *seen);
    if (!seen)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        if (labels[u] >= 0)
            seen[labels[u]] |= parts[u] == DGM_SPLIT_TRAIN ? OCCURS | TRAINS : OCCURS;
    for (int64_t c = 0; c < classes; c++)
        if (seen[c] == OCCURS && missing++ < MOST_NAMES)
            used = append_class(names, used, sizeof names, graph, labels, c);
    if (missing > MOST_NAMES)
        dgmi_note(ctx, "no training node has class %s or %lld others: they are never learnt", names,
                  (long long)(missing - MOST_NAMES));
    else if (missing > 0)
        dgmi_note(ctx, "no training node has class %s: it is never learnt", names);
    return DGM_OK;
}

static dgm_status make_split(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                             double train, double validation, int64_t seed, dgmi_nn_split *out) {
    int64_t nodes = dgm_graph_nodes(graph), classes;
    uint8_t *parts = dgmi_scratch_zero(ctx, nodes, sizeof *parts);
    dgm_status status = parts ? count_classes(ctx, labels, nodes, &classes) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = train == 0 && validation == 0
                     ? own_parts(ctx, graph, labels, parts)
                     : draw_parts(ctx, labels, nodes, classes, train, validation, seed, parts);
    if (status == DGM_OK)
        status = collect(ctx, parts, nodes, DGM_SPLIT_TRAIN, &out->train, &out->train_count);
    if (status == DGM_OK)
        status = collect(ctx, parts, nodes, DGM_SPLIT_VALIDATION, &out->validation,
                         &out->validation_count);
    if (status == DGM_OK)
        status = collect(ctx, parts, nodes, DGM_SPLIT_TEST, &out->test, &out->test_count);
    char advice[DGMI_ADVICE_SPACE];
    if (status == DGM_OK && out->train_count == 0)
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "no labelled node is in the training part: draw another by %s",
                           dgmi_advice(ctx, "split", "0.8,0.1", advice));
    if (status == DGM_OK && labels)
        status = note_untrained(ctx, graph, labels, classes, parts);
    return status;
}

dgm_status dgmi_nn_split_make(dgm_context *ctx, const dgm_graph *graph, const int32_t *labels,
                              double train, double validation, int64_t seed, dgmi_nn_split *out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    *out = (dgmi_nn_split){0};
    dgm_status status = make_split(ctx, graph, labels, train, validation, seed, out);
    if (status != DGM_OK)
        dgmi_nn_split_free(ctx, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- holding out ---- */

/* The classes of the training nodes; -1 for all others. */
static int32_t *list_training(dgm_context *ctx, const int32_t *labels, int64_t nodes,
                              const dgmi_nn_split *split) {
    int32_t *classes = dgmi_scratch(ctx, nodes, sizeof *classes);
    for (int64_t u = 0; classes && u < nodes; u++)
        classes[u] = -1;
    for (int64_t i = 0; classes && i < split->train_count; i++)
        classes[split->train[i]] = (int32_t)class_of(labels, split->train[i]);
    return classes;
}

static dgm_status hold_out(dgm_context *ctx, const int32_t *labels, int64_t nodes, int64_t seed,
                           dgmi_nn_split *split) {
    dgmi_nn_split parts = {0};
    int64_t classes;
    int32_t *training = list_training(ctx, labels, nodes, split);
    uint8_t *drawn = dgmi_scratch_zero(ctx, nodes, sizeof *drawn);
    dgm_status status =
        training && drawn ? count_classes(ctx, training, nodes, &classes) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = draw_parts(ctx, training, nodes, classes, 1 - HELD_OUT, HELD_OUT, seed, drawn);
    if (status == DGM_OK)
        status = collect(ctx, drawn, nodes, DGM_SPLIT_TRAIN, &parts.train, &parts.train_count);
    if (status == DGM_OK)
        status = collect(ctx, drawn, nodes, DGM_SPLIT_VALIDATION, &parts.validation,
                         &parts.validation_count);
    if (status != DGM_OK) {
        dgmi_nn_split_free(ctx, &parts);
        return status;
    }
    dgmi_free(ctx, split->train);
    dgmi_free(ctx, split->validation);
    parts.test = split->test;
    parts.test_count = split->test_count;
    *split = parts;
    return DGM_OK;
}

dgm_status dgmi_nn_split_hold_out(dgm_context *ctx, const int32_t *labels, int64_t nodes,
                                  int64_t seed, dgmi_nn_split *split) {
    int64_t training = split->train_count;
    if (split->validation_count > 0 || HELD_OUT * (double)training < LEAST_HELD_OUT)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = hold_out(ctx, labels, nodes, seed, split);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        dgmi_note(ctx,
                  "no node validates: %lld of the %lld training nodes are held out, and say when "
                  "to stop",
                  (long long)split->validation_count, (long long)training);
    return status;
}

void dgmi_nn_split_free(dgm_context *ctx, dgmi_nn_split *split) {
    dgmi_free(ctx, split->train);
    dgmi_free(ctx, split->validation);
    dgmi_free(ctx, split->test);
    *split = (dgmi_nn_split){0};
}

/* ---- class weights ---- */

static dgm_status count_training(dgm_context *ctx, const int32_t *labels, int32_t classes,
                                 const dgmi_nn_split *split, int64_t **counts) {
    *counts = dgmi_scratch_zero(ctx, classes, sizeof **counts);
    for (int64_t i = 0; *counts && i < split->train_count; i++)
        (*counts)[labels[split->train[i]]]++;
    return *counts ? DGM_OK : DGM_ERROR_MEMORY;
}

/* A training node then weighs 1 in the mean, and a class as much as any other. */
static void balance(const int64_t *counts, int32_t classes, int64_t nodes, float *weights) {
    int64_t occurring = 0;
    for (int32_t c = 0; c < classes; c++)
        occurring += counts[c] > 0;
    for (int32_t c = 0; c < classes; c++)
        weights[c] =
            counts[c] > 0 ? (float)((double)nodes / ((double)occurring * (double)counts[c])) : 0;
}

static dgm_status parse_weights(dgm_context *ctx, const char *text, int32_t classes,
                                float *weights) {
    int64_t count = 0;
    for (const char *at = text; at; count++) {
        const char *end = strpbrk(at, ",;");
        size_t length = end ? (size_t)(end - at) : strlen(at);
        double value;
        if (!dgmi_parse_real(at, length, &value) || !(value >= 0) || !isfinite((float)value))
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             "class weights are none, balanced, or numbers of 0 or more as in "
                             "1,2,0.5, not \"%.60s\"",
                             text);
        if (count < classes)
            weights[count] = (float)value;
        at = end ? end + 1 : NULL;
    }
    if (count != classes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%lld class weights for %d classes",
                         (long long)count, classes);
    return DGM_OK;
}

/* The loss is a mean by these weights, so some training node must weigh something. */
static dgm_status check_weights(dgm_context *ctx, const float *weights, const int64_t *counts,
                                int32_t classes) {
    for (int32_t c = 0; c < classes; c++)
        if (counts[c] > 0 && weights[c] > 0)
            return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "all training nodes would weigh 0 by the class weights");
}

dgm_status dgmi_nn_class_weights(dgm_context *ctx, const char *text, const int32_t *labels,
                                 int32_t classes, const dgmi_nn_split *split, float **out) {
    *out = NULL;
    if (!text || strcmp(text, "none") == 0)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *counts;
    float *weights = dgmi_alloc(ctx, classes, sizeof *weights);
    dgm_status status =
        weights ? count_training(ctx, labels, classes, split, &counts) : DGM_ERROR_MEMORY;
    if (status == DGM_OK && strcmp(text, "balanced") == 0)
        balance(counts, classes, split->train_count, weights);
    else if (status == DGM_OK)
        status = parse_weights(ctx, text, classes, weights);
    if (status == DGM_OK)
        status = check_weights(ctx, weights, counts, classes);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        *out = weights;
    else
        dgmi_free(ctx, weights);
    return status;
}
