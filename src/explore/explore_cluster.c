/* SPDX-License-Identifier: Apache-2.0 */
/* The question `cluster`: what a cluster or another set of nodes is, against the whole graph. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_columns.h"
#include "explore_marks.h"
#include "explore_nodes.h"
#include "mapper_profile.h"

enum { BINS = DGMI_EXPLORE_BINS, MOST_DIFFERENCES = 12, MOST_HUBS = DGM_PROFILE_TOPS };

typedef struct {
    dgm_context *ctx;
    dgm_explorer *explorer;
    const dgmi_explore_shown *shown;
    int64_t cluster; /* -1: the nodes are no cluster */
    const uint32_t *members;
    int64_t size;
    dgmi_explore_answer *answer;
} portrait;

/* ---- classes ---- */

/* Counts the classes of some nodes, or of all if `nodes` is NULL. Scratch memory, or NULL. */
static int64_t *count_classes(const portrait *p, const int32_t *classes, const uint32_t *nodes,
                              int64_t count) {
    int32_t most = dgm_profile_classes(p->shown->profile);
    int64_t *counts = dgmi_scratch_zero(p->ctx, most, sizeof *counts);
    for (int64_t i = 0; counts && i < count; i++) {
        int32_t of = classes[nodes ? nodes[i] : i];
        if (of >= 0 && of < most)
            counts[of]++;
    }
    return counts;
}

static dgm_status say_classes(const portrait *p, const char *key, const int32_t *classes) {
    const dgm_profile *profile = p->shown->profile;
    dgmi_explore_open(p->answer, key, '[');
    if (classes) {
        int64_t *inside = count_classes(p, classes, p->members, p->size);
        int64_t *all = count_classes(p, classes, NULL, dgm_graph_nodes(p->explorer->graph));
        if (!inside || !all)
            return DGM_ERROR_MEMORY;
        for (int32_t c = 0; c < dgm_profile_classes(profile); c++) {
            if (inside[c] == 0)
                continue;
            dgmi_explore_open(p->answer, NULL, '{');
            dgmi_explore_text(p->answer, "name", dgm_profile_class_name(profile, c));
            dgmi_explore_integer(p->answer, "count", inside[c]);
            dgmi_explore_integer(p->answer, "all", all[c]);
            dgmi_explore_close(p->answer, '{');
        }
    }
    dgmi_explore_close(p->answer, '[');
    return DGM_OK;
}

static dgm_status say_all_classes(const portrait *p) {
    const dgm_predictions *predictions = p->explorer->lens.predictions;
    dgm_status status = say_classes(p, "labels", dgm_graph_labels(p->explorer->graph));
    if (status == DGM_OK)
        status = say_classes(p, "predictions",
                             predictions ? dgm_predictions_classes(predictions) : NULL);
    return status;
}

/* ---- mistakes ---- */

static int compare_mixups(const void *a, const void *b) {
    const dgm_profile_mixup *p = a, *q = b;
    if (p->count != q->count)
        return p->count < q->count ? 1 : -1;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    return (p->prediction > q->prediction) - (p->prediction < q->prediction);
}

static int compare_kinds(const void *a, const void *b) {
    const dgm_profile_mixup *p = a, *q = b;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    return (p->prediction > q->prediction) - (p->prediction < q->prediction);
}

/* Lists the mistakes among the members by their kind, the most frequent first. Scratch memory. */
static dgm_status list_mixups(const portrait *p, const int32_t *labels, const int32_t *said,
                              dgm_profile_mixup **out, int64_t *count, int64_t *judged) {
    dgm_profile_mixup *list = dgmi_scratch(p->ctx, p->size, sizeof *list);
    int64_t wrong = 0;
    *count = *judged = 0;
    *out = list;
    if (!list)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->size; i++) {
        uint32_t node = p->members[i];
        *judged += labels[node] >= 0 && said[node] >= 0;
        if (dgmi_mapper_is_mistake(labels[node], said[node]))
            list[wrong++] = (dgm_profile_mixup){labels[node], said[node], 1};
    }
    qsort(list, (size_t)wrong, sizeof *list, compare_kinds);
    for (int64_t i = 0; i < wrong; i++)
        if (*count > 0 && compare_kinds(&list[*count - 1], &list[i]) == 0)
            list[*count - 1].count++;
        else
            list[(*count)++] = list[i];
    qsort(list, (size_t)*count, sizeof *list, compare_mixups);
    return DGM_OK;
}

static dgm_status say_mistakes(const portrait *p) {
    const dgm_predictions *predictions = p->explorer->lens.predictions;
    const int32_t *labels = dgm_graph_labels(p->explorer->graph);
    const bool known = predictions && labels;
    dgm_profile_mixup *list = NULL;
    int64_t count = 0, judged = 0, wrong = 0;
    if (known && list_mixups(p, labels, dgm_predictions_classes(predictions), &list, &count,
                             &judged) != DGM_OK)
        return DGM_ERROR_MEMORY;
    dgmi_explore_open(p->answer, "mixups", '[');
    for (int64_t i = 0; i < count; i++) {
        wrong += list[i].count;
        dgmi_explore_open(p->answer, NULL, '{');
        dgmi_explore_text(p->answer, "label",
                          dgm_profile_class_name(p->shown->profile, list[i].label));
        dgmi_explore_text(p->answer, "prediction",
                          dgm_profile_class_name(p->shown->profile, list[i].prediction));
        dgmi_explore_integer(p->answer, "count", list[i].count);
        dgmi_explore_close(p->answer, '{');
    }
    dgmi_explore_close(p->answer, '[');
    dgmi_explore_real(p->answer, "judged", known ? (double)judged : NAN);
    dgmi_explore_real(p->answer, "mistakes", known ? (double)wrong : NAN);
    return DGM_OK;
}

/* ---- the lens ---- */

static void say_bins(dgmi_explore_answer *answer, const char *key, const int64_t bins[BINS]) {
    dgmi_explore_open(answer, key, '[');
    for (int i = 0; i < BINS; i++)
        dgmi_explore_integer(answer, NULL, bins[i]);
    dgmi_explore_close(answer, '[');
}

/* One column: its range in the cluster, and a histogram over the range of the whole graph. */
static void say_column(const portrait *p, int64_t column) {
    const dgm_matrix *axes = p->explorer->lens.axes;
    const int64_t columns = dgm_matrix_columns(axes), rows = dgm_matrix_rows(axes);
    const double *values = dgm_matrix_values(axes) + column;
    int64_t all[BINS] = {0}, inside[BINS] = {0};
    double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY, sum = 0;
    for (int64_t u = 0; u < rows; u++) {
        low = fmin(low, values[u * columns]);
        high = fmax(high, values[u * columns]);
    }
    for (int64_t u = 0; u < rows; u++)
        all[dgmi_explore_bin(values[u * columns], low, high, BINS)]++;
    for (int64_t i = 0; i < p->size; i++) {
        double value = values[p->members[i] * columns];
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
        inside[dgmi_explore_bin(value, low, high, BINS)]++;
    }
    dgmi_explore_open(p->answer, NULL, '{');
    dgmi_explore_text(p->answer, "name", dgm_matrix_column_name(axes, column));
    dgmi_explore_real(p->answer, "low", least);
    dgmi_explore_real(p->answer, "high", most);
    dgmi_explore_real(p->answer, "mean", p->size ? sum / (double)p->size : NAN);
    say_bins(p->answer, "inside", inside);
    say_bins(p->answer, "all", all);
    dgmi_explore_close(p->answer, '{');
}

static void say_lens(const portrait *p) {
    int64_t columns = dgm_matrix_columns(p->explorer->lens.axes);
    dgmi_explore_open(p->answer, "lens", '[');
    for (int64_t c = 0; c < columns && c < DGM_MAX_AXES; c++)
        say_column(p, c);
    dgmi_explore_close(p->answer, '[');
}

/* ---- differences ---- */

static void say_difference(const portrait *p, const dgm_difference *is) {
    static const char *const kinds[] = {"class", "text", "feature", "number", "measure"};
    dgmi_explore_open(p->answer, NULL, '{');
    dgmi_explore_text(p->answer, "kind", kinds[is->kind]);
    dgmi_explore_text(p->answer, "column", is->name);
    dgmi_explore_text(p->answer, "text", is->value);
    dgmi_explore_integer(p->answer, "number", is->column);
    dgmi_explore_real(p->answer, "inside", is->mean);
    dgmi_explore_real(p->answer, "outside", is->mean_outside);
    dgmi_explore_real(p->answer, "delta", is->delta);
    dgmi_explore_real(p->answer, "log_odds", is->log_odds);
    dgmi_explore_real(p->answer, "q", is->q);
    dgmi_explore_flag(p->answer, "lens", is->seen);
    dgmi_explore_close(p->answer, '{');
}

static dgm_status say_differences(const portrait *p) {
    dgm_explorer *explorer = p->explorer;
    dgm_differences *found = NULL;
    int64_t count = 0;
    dgm_status status = DGM_OK;
    if (!explorer->comparison)
        status = dgm_comparison_create(p->ctx, explorer->graph, explorer->lens.name,
                                       &explorer->comparison);
    if (status == DGM_OK)
        status = dgm_comparison_run(p->ctx, explorer->comparison, p->members, p->size, &found);
    if (status != DGM_OK)
        return status;
    const dgm_difference *list = dgm_differences_list(found, &count);
    dgmi_explore_open(p->answer, "differences", '[');
    for (int64_t i = 0; i < count && i < MOST_DIFFERENCES; i++)
        say_difference(p, &list[i]);
    dgmi_explore_close(p->answer, '[');
    dgm_differences_free(found);
    return DGM_OK;
}

/* ---- neighbours ---- */

static int compare_weights(const void *a, const void *b) {
    const dgm_summary_edge *const *p = a, *const *q = b;
    if ((*p)->weight != (*q)->weight)
        return (*p)->weight < (*q)->weight ? 1 : -1;
    return (*p > *q) - (*p < *q);
}

static dgm_status say_neighbours(const portrait *p) {
    const dgm_summary_clusters *clusters = &p->shown->clusters;
    int64_t edges, count = 0;
    const dgm_summary_edge *edge = dgm_summary_edges(p->shown->summary, &edges);
    const dgm_summary_edge **list = dgmi_scratch(p->ctx, edges, sizeof *list);
    if (!list)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; p->cluster >= 0 && e < edges; e++)
        if (edge[e].source == p->cluster || edge[e].target == p->cluster)
            list[count++] = &edge[e];
    qsort(list, (size_t)count, sizeof *list, compare_weights);
    dgmi_explore_open(p->answer, "neighbours", '[');
    for (int64_t i = 0; i < count; i++) {
        int64_t other = list[i]->source == p->cluster ? list[i]->target : list[i]->source;
        dgmi_explore_open(p->answer, NULL, '{');
        dgmi_explore_integer(p->answer, "cluster", other);
        dgmi_explore_say_cluster(p->answer, "name", p->explorer, other);
        dgmi_explore_integer(p->answer, "size",
                             clusters->offsets[other + 1] - clusters->offsets[other]);
        dgmi_explore_integer(p->answer, "shared", list[i]->shared);
        dgmi_explore_integer(p->answer, "crossing", list[i]->links);
        dgmi_explore_close(p->answer, '{');
    }
    dgmi_explore_close(p->answer, '[');
    return DGM_OK;
}

/* ---- all of it ---- */

/* "3, 7": the cell on each axis. */
static void say_cell(const portrait *p) {
    const dgm_summary_clusters *clusters = &p->shown->clusters;
    char text[DGM_MAX_AXES * 16] = "";
    size_t length = 0;
    for (int64_t a = 0; a < clusters->axes && a < DGM_MAX_AXES; a++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", a ? ", " : "",
                                   clusters->cells[p->cluster * clusters->axes + a]);
    dgmi_explore_text(p->answer, "cell", text);
}

/* What a cluster has and other sets of nodes have not. */
static dgm_status say_place(const portrait *p) {
    if (p->cluster < 0) {
        static const char *const keys[] = {"cluster", "name", "cell", "piece"};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            dgmi_explore_text(p->answer, keys[i], NULL);
        return DGM_OK;
    }
    const uint32_t *piece = dgmi_explore_pieces(p->ctx, p->shown->view);
    if (!piece)
        return DGM_ERROR_MEMORY;
    dgmi_explore_integer(p->answer, "cluster", p->cluster);
    dgmi_explore_say_cluster(p->answer, "name", p->explorer, p->cluster);
    say_cell(p);
    dgmi_explore_integer(p->answer, "piece", piece[p->cluster]);
    return DGM_OK;
}

/* The members with the most neighbours, the smaller node first. */
static void say_hubs(const portrait *p) {
    const dgmi_graph_simple_rows *rows = &p->explorer->rows;
    uint32_t top[MOST_HUBS];
    int count = 0;
    for (int64_t i = 0; i < p->size; i++) {
        int at = count < MOST_HUBS ? count++ : MOST_HUBS;
        for (; at > 0 && dgmi_graph_simple_degree(rows, p->members[i]) >
                             dgmi_graph_simple_degree(rows, top[at - 1]);
             at--)
            if (at < MOST_HUBS)
                top[at] = top[at - 1];
        if (at < MOST_HUBS)
            top[at] = p->members[i];
    }
    dgmi_explore_open(p->answer, "hubs", '[');
    for (int i = 0; i < count; i++)
        dgmi_explore_say_node(p->answer, NULL, p->explorer->graph, top[i]);
    dgmi_explore_close(p->answer, '[');
}

static dgm_status paint_portrait(const portrait *p) {
    dgmi_explore_integer(p->answer, "serial", p->explorer->serial);
    dgmi_explore_integer(p->answer, "size", p->size);
    say_hubs(p);
    say_lens(p);
    dgm_status status = say_place(p);
    if (status == DGM_OK)
        status = say_mistakes(p);
    if (status == DGM_OK)
        status = say_all_classes(p);
    if (status == DGM_OK)
        status = say_differences(p);
    return status == DGM_OK ? say_neighbours(p) : status;
}

/* Whether a question is about a cluster and nothing else, so that it may be told where that is. */
static bool is_of_cluster(const dgmi_explore_query *query) {
    for (int i = 0; i < query->count; i++)
        if (strcmp(query->names[i], "cluster") != 0 && strcmp(query->names[i], "serial") != 0)
            return false;
    return true;
}

dgm_status dgmi_explore_cluster(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    dgmi_explore_nodes nodes;
    int64_t cluster = -1;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK && is_of_cluster(query))
        status = dgmi_explore_cluster_of(ctx, &shown, query, "cluster", &cluster);
    if (status == DGM_OK)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &nodes);
    if (status == DGM_OK)
        status = dgmi_explore_name_clusters(ctx, explorer, &shown);
    if (status != DGM_OK)
        return status;
    const portrait p = {ctx, explorer, &shown, cluster, nodes.list, nodes.count, answer};
    return paint_portrait(&p);
}
