/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the classes of the members of each cluster, by their labels and by the predictions of a
 * classifier; counts where the two differ; and finds how sure the classifier was (entropy). */
#include "mapper_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "base_utf8.h"

/* Labels and predictions as the profile counts their classes: those that occur among the labels or
 * that a classifier knows, in the order of the data's numbers. Scratch memory. */
typedef struct {
    const int32_t *labels, *predictions; /* one per node, -1: none; NULL: there are none */
    const int32_t *list;                 /* the graph's classes */
    int64_t classes;
    bool named;
} classes_of;

/* Classes of the graph, and behind them those that only a classifier knows. */
static int32_t count_known(dgmi_mapper_profile_source from) {
    return from.predictions ? dgm_predictions_known_classes(from.predictions)
                            : dgm_graph_classes(from.graph);
}

static int32_t number_of(dgmi_mapper_profile_source from, int32_t class) {
    return from.predictions ? dgm_predictions_class_number(from.predictions, class)
                            : dgm_graph_class_number(from.graph, class);
}

static const char *name_of(dgmi_mapper_profile_source from, int32_t class) {
    return from.predictions ? dgm_predictions_class_name(from.predictions, from.graph, class)
                            : dgm_graph_class_name(from.graph, class);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names stand for classes if there is one for each, all different and all valid text: as keys of a
 * JSON object they must neither clash nor be repaired. */
static dgm_status judge_names(dgm_context *ctx, dgmi_mapper_profile_source from,
                              classes_of *classes) {
    int64_t count = classes->classes;
    const char **names = dgmi_scratch(ctx, count, sizeof *names);
    if (!names)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        names[c] = name_of(from, classes->list[c]);
        if (!names[c] || dgmi_utf8_check(names[c], strlen(names[c])) < strlen(names[c]))
            return DGM_OK;
    }
    if (count)
        qsort(names, (size_t)count, sizeof *names, compare_texts);
    for (int64_t c = 1; c < count; c++)
        if (strcmp(names[c - 1], names[c]) == 0)
            return DGM_OK;
    classes->named = true;
    return DGM_OK;
}

/* Codes of the graph as places in the list; as they are where those are the same. */
static const int32_t *renumber(dgm_context *ctx, const int32_t *codes, int64_t nodes,
                               const int32_t *places, int64_t known) {
    int64_t same = 0;
    while (same < known && places[same] == same)
        same++;
    if (!codes || same == known)
        return codes;
    int32_t *result = dgmi_scratch(ctx, nodes, sizeof *result);
    for (int64_t u = 0; result && u < nodes; u++)
        result[u] = codes[u] < 0 ? -1 : places[codes[u]];
    return result;
}

typedef struct {
    int32_t number, class;
} numbered;

static int compare_numbered(const void *x, const void *y) {
    const numbered *a = x, *b = y;
    return (a->number > b->number) - (a->number < b->number);
}

/* Lists the classes by number; places[c] is where class c stands. */
static dgm_status list_classes(dgm_context *ctx, dgmi_mapper_profile_source from, int64_t known,
                               int32_t *places, classes_of *classes) {
    numbered *order = dgmi_scratch(ctx, known, sizeof *order);
    int32_t *list = dgmi_scratch(ctx, known, sizeof *list);
    if (!order || !list)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < known; c++)
        order[c] = (numbered){number_of(from, c), c};
    if (known)
        qsort(order, (size_t)known, sizeof *order, compare_numbered);
    for (int32_t c = 0; c < known; c++) {
        list[c] = order[c].class;
        places[list[c]] = c;
    }
    classes->list = list;
    classes->classes = known;
    return DGM_OK;
}

static dgm_status find_classes(dgm_context *ctx, dgmi_mapper_profile_source from,
                               classes_of *classes) {
    const int32_t *labels = dgm_graph_labels(from.graph);
    const int32_t *predictions =
        from.predictions ? dgm_predictions_classes(from.predictions) : NULL;
    int64_t nodes = dgm_graph_nodes(from.graph), known = count_known(from);
    int32_t *places = dgmi_scratch(ctx, known, sizeof *places);
    dgm_status status = places ? list_classes(ctx, from, known, places, classes) : DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    classes->labels = renumber(ctx, labels, nodes, places, known);
    classes->predictions = renumber(ctx, predictions, nodes, places, known);
    if ((labels && !classes->labels) || (predictions && !classes->predictions))
        return DGM_ERROR_MEMORY;
    return judge_names(ctx, from, classes);
}

static dgm_status name_classes(dgm_context *ctx, dgm_profile *profile,
                               dgmi_mapper_profile_source from, const classes_of *classes) {
    if (classes->classes == 0)
        return DGM_OK;
    profile->class_names = dgmi_alloc_zero(ctx, classes->classes, sizeof *profile->class_names);
    if (!profile->class_names)
        return DGM_ERROR_MEMORY;
    profile->classes = (int32_t)classes->classes;
    for (int32_t c = 0; c < profile->classes; c++) {
        char number[DGMI_NUMBER_SPACE];
        snprintf(number, sizeof number, "%d", (int)number_of(from, classes->list[c]));
        profile->class_names[c] =
            dgmi_strdup(ctx, classes->named ? name_of(from, classes->list[c]) : number);
        if (!profile->class_names[c])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status count_mistakes(dgm_context *ctx, dgm_profile *profile,
                                 dgmi_mapper_members members, const classes_of *classes) {
    profile->judged = dgmi_alloc_zero(ctx, profile->clusters, sizeof *profile->judged);
    profile->mistakes =
        profile->judged ? dgmi_alloc_zero(ctx, profile->clusters, sizeof *profile->mistakes) : NULL;
    if (!profile->mistakes)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < profile->clusters; c++)
        for (int64_t i = dgmi_mapper_members_begin(members, c);
             i < dgmi_mapper_members_begin(members, c + 1); i++) {
            int64_t node = dgmi_mapper_members_node(members, i);
            profile->judged[c] +=
                dgmi_mapper_is_judged(classes->labels[node], classes->predictions[node]);
            profile->mistakes[c] +=
                dgmi_mapper_is_mistake(classes->labels[node], classes->predictions[node]);
        }
    return DGM_OK;
}

/* ---- entropy, over its largest value ---- */

static double entropy_of_row(const float *row, int32_t classes) {
    double sum = 0;
    for (int32_t c = 0; c < classes; c++)
        sum -= row[c] > 0 ? (double)row[c] * log((double)row[c]) : 0;
    return sum;
}

static double entropy_of_counts(const dgmi_mapper_counts *counts, int64_t cluster) {
    double members = 0, sum = 0;
    for (int64_t i = counts->offsets[cluster]; i < counts->offsets[cluster + 1]; i++)
        members += (double)counts->counts[i];
    for (int64_t i = counts->offsets[cluster]; i < counts->offsets[cluster + 1]; i++) {
        double share = (double)counts->counts[i] / members;
        sum -= share * log(share);
    }
    return members > 0 ? sum : NAN;
}

static double over_largest(double entropy, int64_t classes) {
    if (isnan(entropy) || classes < 2)
        return isnan(entropy) ? NAN : 0;
    double share = entropy / log((double)classes);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double mean_entropy(dgmi_mapper_members members, int64_t cluster, const double *entropy) {
    double sum = 0;
    int64_t first = dgmi_mapper_members_begin(members, cluster),
            last = dgmi_mapper_members_begin(members, cluster + 1);
    for (int64_t i = first; i < last; i++)
        sum += entropy[dgmi_mapper_members_node(members, i)];
    return sum / (double)(last - first);
}

dgm_status dgmi_mapper_profile_entropy_of_labels(dgm_context *ctx, dgm_profile *profile) {
    if (!profile->labels.offsets)
        return DGM_OK;
    profile->entropy = dgmi_alloc_zero(ctx, profile->clusters, sizeof *profile->entropy);
    if (!profile->entropy)
        return DGM_ERROR_MEMORY;
    profile->entropy_of_labels = true;
    for (int64_t c = 0; c < profile->clusters; c++)
        profile->entropy[c] =
            over_largest(entropy_of_counts(&profile->labels, c), profile->classes);
    return DGM_OK;
}

static dgm_status measure_entropy(dgm_context *ctx, dgm_profile *profile,
                                  dgmi_mapper_profile_source from, dgmi_mapper_members members) {
    int32_t classes = 0;
    int64_t nodes = dgm_graph_nodes(from.graph);
    const float *probabilities =
        from.predictions ? dgm_predictions_probabilities(from.predictions, &classes) : NULL;
    if (!probabilities) /* of single nodes the labels have none worth showing */
        return members.offsets ? dgmi_mapper_profile_entropy_of_labels(ctx, profile) : DGM_OK;
    double *of_node = dgmi_scratch(ctx, nodes, sizeof *of_node);
    profile->entropy = dgmi_alloc_zero(ctx, profile->clusters, sizeof *profile->entropy);
    if (!of_node || !profile->entropy)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        of_node[u] = entropy_of_row(probabilities + u * classes, classes);
    for (int64_t c = 0; c < profile->clusters; c++)
        profile->entropy[c] = over_largest(mean_entropy(members, c, of_node), classes);
    return DGM_OK;
}

static dgm_status look(dgm_context *ctx, dgm_profile *profile, dgmi_mapper_profile_source from,
                       dgmi_mapper_members members) {
    classes_of classes = {0};
    dgm_status status = find_classes(ctx, from, &classes);
    if (status == DGM_OK)
        status = name_classes(ctx, profile, from, &classes);
    if (status == DGM_OK && classes.labels)
        status = dgmi_mapper_counts_make(ctx, members, classes.labels, classes.classes,
                                         &profile->labels);
    if (status == DGM_OK && classes.predictions)
        status = dgmi_mapper_counts_make(ctx, members, classes.predictions, classes.classes,
                                         &profile->predictions);
    if (status == DGM_OK && classes.labels && classes.predictions)
        status = count_mistakes(ctx, profile, members, &classes);
    if (status == DGM_OK && classes.labels && classes.predictions)
        status =
            dgmi_mapper_profile_mix_up(ctx, profile, members, classes.labels, classes.predictions);
    return status == DGM_OK ? measure_entropy(ctx, profile, from, members) : status;
}

dgm_status dgmi_mapper_profile_look_at_classes(dgm_context *ctx, dgm_profile *profile,
                                               dgmi_mapper_profile_source from,
                                               dgmi_mapper_members members) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = look(ctx, profile, from, members);
    dgmi_arena_release(ctx, hold);
    return status;
}
