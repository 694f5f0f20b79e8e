/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph says about the members of marks: their classes, counted once for every figure and
 * file, mistakes, entropy and attributes. */
#include "draw_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_utf8.h"
#include "graph_predictions.h"

enum { STEP = 1 << 12, MOST_TEXTS = 64 };

static int64_t first_member(dgmi_view_members members, int64_t mark) {
    return members.offsets ? members.offsets[mark] : mark;
}

static int64_t member_at(dgmi_view_members members, int64_t index) {
    return members.nodes ? members.nodes[index] : index;
}

static dgm_status step(dgm_context *ctx, int64_t mark) {
    return mark % STEP ? DGM_OK : dgmi_progress(ctx, "looking at the members", -1);
}

/* ---- counting codes among the members ---- */

typedef struct {
    dgm_context *ctx;
    const int32_t *codes; /* one a node, -1: none */
    int64_t classes;
    int32_t *found;  /* codes of one mark */
    int64_t *number; /* by code, all zero between marks; NULL: more classes than members */
    int64_t capacity, used;
    dgmi_counts *out;
} tally;

static int compare_codes(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static dgm_status put_pair(tally *t, int32_t code, int64_t count) {
    int64_t room = t->capacity;
    dgm_status status =
        dgmi_reserve(t->ctx, (void **)&t->out->values, &room, t->used + 1, sizeof *t->out->values);
    if (status == DGM_OK)
        status = dgmi_reserve(t->ctx, (void **)&t->out->counts, &t->capacity, t->used + 1,
                              sizeof *t->out->counts);
    if (status == DGM_OK) {
        t->out->values[t->used] = code;
        t->out->counts[t->used++] = count;
    }
    return status;
}

/* For marks with at least as many members as there are classes. */
static dgm_status put_by_counting(tally *t, int64_t found) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < found; i++)
        t->number[t->found[i]]++;
    for (int64_t c = 0; c < t->classes; c++) {
        if (t->number[c] && status == DGM_OK)
            status = put_pair(t, (int32_t)c, t->number[c]);
        t->number[c] = 0;
    }
    return status;
}

static dgm_status put_by_sorting(tally *t, int64_t found) {
    dgm_status status = DGM_OK;
    if (found > 1)
        qsort(t->found, (size_t)found, sizeof *t->found, compare_codes);
    for (int64_t i = 0, next; i < found && status == DGM_OK; i = next) {
        for (next = i + 1; next < found && t->found[next] == t->found[i];)
            next++;
        status = put_pair(t, t->found[i], next - i);
    }
    return status;
}

static dgm_status count_mark(tally *t, dgmi_view_members members, int64_t mark) {
    int64_t found = 0, first = first_member(members, mark), last = first_member(members, mark + 1);
    for (int64_t i = first; i < last; i++) {
        int32_t code = t->codes[member_at(members, i)];
        if (code >= 0)
            t->found[found++] = code;
    }
    return t->number && found >= t->classes ? put_by_counting(t, found) : put_by_sorting(t, found);
}

static dgm_status count_codes(dgm_context *ctx, dgm_view *view, dgmi_view_members members,
                              const int32_t *codes, int64_t classes, dgmi_counts *out) {
    int64_t largest = 1;
    for (int64_t m = 0; m < view->marks; m++)
        largest = view->size[m] > largest ? view->size[m] : largest;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    tally t = {.ctx = ctx, .codes = codes, .classes = classes, .out = out};
    dgm_status status = DGM_ERROR_MEMORY;
    t.found = dgmi_scratch(ctx, largest, sizeof *t.found);
    if (classes <= largest)
        t.number = dgmi_scratch_zero(ctx, classes, sizeof *t.number);
    out->offsets = dgmi_view_alloc(ctx, view, view->marks + 1, sizeof *out->offsets);
    if (t.found && out->offsets && (t.number || classes > largest))
        status = DGM_OK;
    for (int64_t m = 0; m < view->marks && status == DGM_OK; m++) {
        status = step(ctx, m);
        if (status == DGM_OK)
            status = count_mark(&t, members, m);
        out->offsets[m + 1] = t.used;
    }
    dgmi_arena_release(ctx, mark);
    return status;
}

/* ---- classes ---- */

/* Labels and predictions as the view counts their classes: those that occur among the labels or
 * that a classifier knows, in the order of the data's numbers. Scratch memory. */
typedef struct {
    const int32_t *labels, *predictions; /* one a node, -1: none; NULL: there are none */
    const dgm_predictions *said;         /* where the predictions come from, or NULL */
    const int32_t *list;                 /* the graph's classes */
    int64_t classes;
    bool named;
} classes_of;

/* The number and the name of a class, which may be known to the classifier alone. */
static int32_t class_number(const dgm_graph *graph, const classes_of *classes, int32_t class) {
    return classes->said ? dgm_predictions_class_number(classes->said, class)
                         : dgm_graph_class_number(graph, class);
}

static const char *class_name(const dgm_graph *graph, const classes_of *classes, int32_t class) {
    return classes->said ? dgm_predictions_class_name(classes->said, graph, class)
                         : dgm_graph_class_name(graph, class);
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names stand for classes if there is one for each, all different and all valid text: as keys of a
 * JSON object they must neither clash nor be repaired. */
static dgm_status judge_names(dgm_context *ctx, const dgm_graph *graph, classes_of *classes) {
    int64_t count = classes->classes;
    const char **names = dgmi_scratch(ctx, count, sizeof *names);
    if (!names)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        names[c] = class_name(graph, classes, classes->list[c]);
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
static dgm_status list_classes(dgm_context *ctx, const dgm_graph *graph, int64_t known,
                               int32_t *places, classes_of *classes) {
    numbered *order = dgmi_scratch(ctx, known, sizeof *order);
    int32_t *list = dgmi_scratch(ctx, known, sizeof *list);
    if (!order || !list)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < known; c++)
        order[c] = (numbered){class_number(graph, classes, c), c};
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

static dgm_status find_classes(dgm_context *ctx, const dgm_graph *graph, classes_of *classes) {
    const int32_t *labels = dgm_graph_labels(graph);
    const int32_t *predictions = classes->said ? dgm_predictions_classes(classes->said) : NULL;
    int64_t nodes = dgm_graph_nodes(graph);
    int32_t known =
        classes->said ? dgm_predictions_known_classes(classes->said) : dgm_graph_classes(graph);
    int32_t *places = dgmi_scratch(ctx, known, sizeof *places);
    dgm_status status =
        places ? list_classes(ctx, graph, known, places, classes) : DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    classes->labels = renumber(ctx, labels, nodes, places, known);
    classes->predictions = renumber(ctx, predictions, nodes, places, known);
    if ((labels && !classes->labels) || (predictions && !classes->predictions))
        return DGM_ERROR_MEMORY;
    return judge_names(ctx, graph, classes);
}

static dgm_status name_classes(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                               const classes_of *classes) {
    if (classes->classes == 0)
        return DGM_OK;
    view->class_names = dgmi_view_alloc(ctx, view, classes->classes, sizeof *view->class_names);
    if (!view->class_names)
        return DGM_ERROR_MEMORY;
    view->classes = (int32_t)classes->classes;
    for (int32_t c = 0; c < view->classes; c++) {
        char number[DGMI_NUMBER_SPACE];
        snprintf(number, sizeof number, "%d", (int)class_number(graph, classes, classes->list[c]));
        view->class_names[c] = dgmi_view_strdup(
            ctx, view, classes->named ? class_name(graph, classes, classes->list[c]) : number);
        if (!view->class_names[c])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status count_mistakes(dgm_context *ctx, dgm_view *view, dgmi_view_members members,
                                 const classes_of *classes) {
    view->judged = dgmi_view_alloc(ctx, view, view->marks, sizeof *view->judged);
    view->mistakes =
        view->judged ? dgmi_view_alloc(ctx, view, view->marks, sizeof *view->mistakes) : NULL;
    if (!view->mistakes)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++)
        for (int64_t i = first_member(members, m); i < first_member(members, m + 1); i++) {
            int64_t node = member_at(members, i);
            int32_t label = classes->labels[node], prediction = classes->predictions[node];
            view->judged[m] += label >= 0 && prediction >= 0;
            view->mistakes[m] += label >= 0 && prediction >= 0 && label != prediction;
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

static double entropy_of_counts(const dgmi_counts *counts, int64_t mark) {
    double members = 0, sum = 0;
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++)
        members += (double)counts->counts[i];
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++) {
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

static double mean_entropy(dgmi_view_members members, int64_t mark, const double *entropy) {
    double sum = 0;
    int64_t first = first_member(members, mark), last = first_member(members, mark + 1);
    for (int64_t i = first; i < last; i++)
        sum += entropy[member_at(members, i)];
    return sum / (double)(last - first);
}

/* Of single nodes the labels have none worth showing. */
dgm_status dgmi_view_entropy_of_labels(dgm_context *ctx, dgm_view *view) {
    if (!view->labels.offsets || view->kind != DGM_VIEW_SUMMARY)
        return DGM_OK;
    view->entropy = dgmi_view_alloc(ctx, view, view->marks, sizeof *view->entropy);
    if (!view->entropy)
        return DGM_ERROR_MEMORY;
    view->entropy_of_labels = true;
    for (int64_t m = 0; m < view->marks; m++)
        view->entropy[m] = over_largest(entropy_of_counts(&view->labels, m), view->classes);
    return DGM_OK;
}

static dgm_status measure_entropy(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                                  const dgm_predictions *predictions, dgmi_view_members members) {
    int32_t classes = 0;
    int64_t nodes = dgm_graph_nodes(graph);
    const float *probabilities =
        predictions ? dgm_predictions_probabilities(predictions, &classes) : NULL;
    if (!probabilities)
        return dgmi_view_entropy_of_labels(ctx, view);
    double *of_node = dgmi_scratch(ctx, nodes, sizeof *of_node);
    view->entropy = dgmi_view_alloc(ctx, view, view->marks, sizeof *view->entropy);
    if (!of_node || !view->entropy)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        of_node[u] = entropy_of_row(probabilities + u * classes, classes);
    for (int64_t m = 0; m < view->marks; m++)
        view->entropy[m] = over_largest(mean_entropy(members, m, of_node), classes);
    return DGM_OK;
}

static dgm_status look_at_classes(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                                  const dgm_predictions *predictions, dgmi_view_members members) {
    classes_of classes = {.said = predictions};
    dgm_status status = dgmi_predictions_check(ctx, predictions, graph);
    if (status == DGM_OK)
        status = find_classes(ctx, graph, &classes);
    if (status == DGM_OK)
        status = name_classes(ctx, view, graph, &classes);
    if (status == DGM_OK && classes.labels)
        status = count_codes(ctx, view, members, classes.labels, classes.classes, &view->labels);
    if (status == DGM_OK && classes.predictions)
        status = count_codes(ctx, view, members, classes.predictions, classes.classes,
                             &view->predictions);
    if (status == DGM_OK && classes.labels && classes.predictions)
        status = count_mistakes(ctx, view, members, &classes);
    if (status == DGM_OK && classes.labels && classes.predictions)
        status = dgmi_view_mix_up(ctx, view, members, classes.labels, classes.predictions);
    return status == DGM_OK ? measure_entropy(ctx, view, graph, predictions, members) : status;
}

/* ---- attributes ---- */

static double mean_number(dgmi_view_members members, int64_t mark, const double *numbers) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t i = first_member(members, mark); i < first_member(members, mark + 1); i++) {
        double number = numbers[member_at(members, i)];
        if (isfinite(number)) {
            sum += number;
            count++;
        }
    }
    double mean = sum / (double)count;
    return isfinite(mean) ? mean : NAN;
}

static dgm_status average(dgm_context *ctx, dgm_view *view, dgmi_view_members members,
                          const double *numbers, dgmi_view_attribute *attribute) {
    attribute->means = dgmi_view_alloc(ctx, view, view->marks, sizeof *attribute->means);
    if (!attribute->means)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++)
        attribute->means[m] = mean_number(members, m, numbers);
    return DGM_OK;
}

/* The text's place among at most MOST_TEXTS different ones in ascending order; false: it is one too
 * many, or no valid text. */
static bool find_text(const char **texts, int64_t *count, const char *text, int64_t *place) {
    int64_t low = 0, high = *count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        int order = strcmp(texts[middle], text);
        if (order == 0) {
            *place = middle;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    size_t length = strlen(text);
    if (*count == MOST_TEXTS || dgmi_utf8_check(text, length) < length)
        return false;
    memmove(texts + low + 1, texts + low, (size_t)(*count - low) * sizeof *texts);
    texts[low] = text;
    ++*count;
    *place = low;
    return true;
}

/* The different texts among the members; false if they are too many. */
static bool list_texts(const dgm_view *view, dgmi_view_members members, const char *const *values,
                       const char **texts, int64_t *count) {
    int64_t place;
    *count = 0;
    for (int64_t i = 0; i < first_member(members, view->marks); i++) {
        const char *text = values[member_at(members, i)];
        if (text && !find_text(texts, count, text, &place))
            return false;
    }
    return *count > 0;
}

static dgm_status copy_texts(dgm_context *ctx, dgm_view *view, const char **texts, int64_t count,
                             dgmi_view_attribute *attribute) {
    attribute->texts = dgmi_view_alloc(ctx, view, count, sizeof *attribute->texts);
    if (!attribute->texts)
        return DGM_ERROR_MEMORY;
    attribute->text_count = count;
    for (int64_t t = 0; t < count; t++)
        if (!(attribute->texts[t] = dgmi_view_strdup(ctx, view, texts[t])))
            return DGM_ERROR_MEMORY;
    return DGM_OK;
}

static dgm_status count_texts(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                              dgmi_view_members members, const char *const *values,
                              const char **texts, int64_t count, dgmi_view_attribute *attribute) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgm_status status = copy_texts(ctx, view, texts, count, attribute);
    int32_t *codes = status == DGM_OK ? dgmi_scratch(ctx, nodes, sizeof *codes) : NULL;
    if (!codes) {
        status = DGM_ERROR_MEMORY;
        goto done;
    }
    for (int64_t u = 0; u < nodes; u++) {
        /* Nodes in no mark may have texts of their own, which are not counted. */
        const char *const *at =
            values[u] ? bsearch(&values[u], texts, (size_t)count, sizeof *texts, compare_texts)
                      : NULL;
        codes[u] = at ? (int32_t)(at - (const char *const *)texts) : -1;
    }
    status = count_codes(ctx, view, members, codes, count, &attribute->counts);
done:
    dgmi_arena_release(ctx, mark);
    return status;
}

static dgm_status look_at_attribute(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                                    dgmi_view_members members, dgm_attribute values) {
    const char *texts[MOST_TEXTS];
    int64_t count = 0;
    size_t length = strlen(values.name);
    if (dgmi_utf8_check(values.name, length) < length)
        return DGM_OK;
    if (values.kind == DGM_ATTRIBUTE_TEXT &&
        !list_texts(view, members, values.texts, texts, &count))
        return DGM_OK;
    dgmi_view_attribute *attribute = &view->attributes[view->attribute_count++];
    attribute->kind = values.kind;
    attribute->name = dgmi_view_strdup(ctx, view, values.name);
    if (!attribute->name)
        return DGM_ERROR_MEMORY;
    if (values.kind == DGM_ATTRIBUTE_NUMBER)
        return average(ctx, view, members, values.numbers, attribute);
    return count_texts(ctx, view, graph, members, values.texts, texts, count, attribute);
}

dgm_status dgmi_view_look(dgm_context *ctx, dgm_view *view, const dgm_graph *graph,
                          const dgm_predictions *predictions, dgmi_view_members members) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t attributes = dgm_graph_attributes(graph);
    dgm_status status = look_at_classes(ctx, view, graph, predictions, members);
    dgmi_arena_release(ctx, mark);
    if (status == DGM_OK && attributes > 0) {
        view->attributes = dgmi_view_alloc(ctx, view, attributes, sizeof *view->attributes);
        status = view->attributes ? DGM_OK : DGM_ERROR_MEMORY;
    }
    for (int64_t a = 0; a < attributes && status == DGM_OK; a++)
        status = look_at_attribute(ctx, view, graph, members, dgm_graph_attribute(graph, a));
    return status;
}

dgm_status dgmi_view_name_marks(dgm_context *ctx, dgm_view *view, const dgm_graph *graph) {
    view->name_base = dgm_graph_name_base(graph);
    if (view->name_base >= 0)
        return DGM_OK;
    view->name_base = 0;
    view->names = dgmi_view_alloc(ctx, view, view->marks, sizeof *view->names);
    if (!view->names)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++) {
        size_t length;
        const char *name = dgm_graph_name_text(graph, m, &length);
        view->names[m] = dgmi_view_alloc(ctx, view, (int64_t)length + 1, 1);
        if (!view->names[m])
            return DGM_ERROR_MEMORY;
        memcpy(view->names[m], name, length);
    }
    return DGM_OK;
}
