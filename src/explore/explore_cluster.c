/* SPDX-License-Identifier: Apache-2.0 */
/* The question `cluster`: what one cluster is, against the whole graph. */
#include <math.h>
#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"

enum { BINS = 32, MOST_DIFFERENCES = 12, MOST_HUBS = DGM_PROFILE_TOPS };

typedef struct {
    dgm_context *ctx;
    dgm_explorer *explorer;
    const dgmi_explore_shown *shown;
    int64_t cluster;
    const uint32_t *members;
    int64_t size;
    dgmi_explore_answer *answer;
} portrait;

/* ---- classes ---- */

/* How many nodes of the whole graph have each class, in scratch memory. */
static int64_t *count_all(const portrait *p, const int32_t *classes, int32_t class_count) {
    int64_t *all = dgmi_scratch_zero(p->ctx, class_count + 1, sizeof *all);
    for (int64_t u = 0; all && classes && u < dgm_graph_nodes(p->explorer->graph); u++)
        if (classes[u] >= 0 && classes[u] < class_count)
            all[classes[u]]++;
    return all;
}

static dgm_status say_classes(const portrait *p, const char *key, dgm_profile_counts counts,
                              const int32_t *classes) {
    int64_t *all = count_all(p, classes, dgm_profile_classes(p->shown->profile));
    if (!all)
        return DGM_ERROR_MEMORY;
    dgmi_explore_open(p->answer, key, '[');
    int64_t end = counts.offsets ? counts.offsets[p->cluster + 1] : 0;
    for (int64_t i = counts.offsets ? counts.offsets[p->cluster] : 0; i < end; i++) {
        dgmi_explore_open(p->answer, NULL, '{');
        dgmi_explore_text(p->answer, "name",
                          dgm_profile_class_name(p->shown->profile, counts.values[i]));
        dgmi_explore_integer(p->answer, "count", counts.counts[i]);
        dgmi_explore_integer(p->answer, "all", all[counts.values[i]]);
        dgmi_explore_close(p->answer, '{');
    }
    dgmi_explore_close(p->answer, '[');
    return DGM_OK;
}

static dgm_status say_all_classes(const portrait *p) {
    const dgm_profile *profile = p->shown->profile;
    const dgm_predictions *predictions = p->explorer->lens.predictions;
    dgm_status status =
        say_classes(p, "labels", dgm_profile_labels(profile), dgm_graph_labels(p->explorer->graph));
    if (status == DGM_OK)
        status = say_classes(p, "predictions", dgm_profile_predictions(profile),
                             predictions ? dgm_predictions_classes(predictions) : NULL);
    return status;
}

static void say_mistakes(const portrait *p) {
    const dgm_profile *profile = p->shown->profile;
    const int64_t *judged = dgm_profile_judged(profile), *wrong = dgm_profile_mistakes(profile);
    int64_t count = 0;
    const dgm_profile_mixup *mixups = dgm_profile_mixups(profile, p->cluster, &count);
    dgmi_explore_real(p->answer, "judged", judged ? (double)judged[p->cluster] : NAN);
    dgmi_explore_real(p->answer, "mistakes", wrong ? (double)wrong[p->cluster] : NAN);
    dgmi_explore_open(p->answer, "mixups", '[');
    for (int64_t i = 0; i < count; i++) {
        dgmi_explore_open(p->answer, NULL, '{');
        dgmi_explore_text(p->answer, "label", dgm_profile_class_name(profile, mixups[i].label));
        dgmi_explore_text(p->answer, "prediction",
                          dgm_profile_class_name(profile, mixups[i].prediction));
        dgmi_explore_integer(p->answer, "count", mixups[i].count);
        dgmi_explore_close(p->answer, '{');
    }
    dgmi_explore_close(p->answer, '[');
}

/* ---- the lens ---- */

static void say_bins(dgmi_explore_answer *answer, const char *key, const int64_t bins[BINS]) {
    dgmi_explore_open(answer, key, '[');
    for (int i = 0; i < BINS; i++)
        dgmi_explore_integer(answer, NULL, bins[i]);
    dgmi_explore_close(answer, '[');
}

static int bin_of(double value, double low, double high) {
    int bin = high > low ? (int)((value - low) / (high - low) * BINS) : 0;
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
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
        all[bin_of(values[u * columns], low, high)]++;
    for (int64_t i = 0; i < p->size; i++) {
        double value = values[p->members[i] * columns];
        least = fmin(least, value);
        most = fmax(most, value);
        sum += value;
        inside[bin_of(value, low, high)]++;
    }
    dgmi_explore_open(p->answer, NULL, '{');
    dgmi_explore_text(p->answer, "name", dgm_matrix_column_name(axes, column));
    dgmi_explore_real(p->answer, "low", least);
    dgmi_explore_real(p->answer, "high", most);
    dgmi_explore_real(p->answer, "mean", sum / (double)p->size);
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
    for (int64_t e = 0; e < edges; e++)
        if (edge[e].source == p->cluster || edge[e].target == p->cluster)
            list[count++] = &edge[e];
    qsort(list, (size_t)count, sizeof *list, compare_weights);
    dgmi_explore_open(p->answer, "neighbours", '[');
    for (int64_t i = 0; i < count; i++) {
        int64_t other = list[i]->source == p->cluster ? list[i]->target : list[i]->source;
        dgmi_explore_open(p->answer, NULL, '{');
        dgmi_explore_integer(p->answer, "cluster", other);
        dgmi_explore_say_cluster(p->answer, "name", p->shown, other);
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

static void say_cell(const portrait *p) {
    const dgm_summary_clusters *clusters = &p->shown->clusters;
    dgmi_explore_open(p->answer, "cell", '[');
    for (int64_t a = 0; a < clusters->axes; a++)
        dgmi_explore_integer(p->answer, NULL, clusters->cells[p->cluster * clusters->axes + a]);
    dgmi_explore_close(p->answer, '[');
}

static void say_hubs(const portrait *p) {
    dgmi_explore_open(p->answer, "hubs", '[');
    for (int64_t rank = 0; rank < MOST_HUBS; rank++) {
        const char *hub = dgm_profile_hub(p->shown->profile, p->cluster, rank);
        if (hub)
            dgmi_explore_text(p->answer, NULL, hub);
    }
    dgmi_explore_close(p->answer, '[');
}

static dgm_status paint_portrait(const portrait *p) {
    dgmi_explore_integer(p->answer, "serial", p->explorer->serial);
    dgmi_explore_integer(p->answer, "cluster", p->cluster);
    dgmi_explore_integer(p->answer, "size", p->size);
    dgmi_explore_say_cluster(p->answer, "name", p->shown, p->cluster);
    say_cell(p);
    say_hubs(p);
    say_mistakes(p);
    say_lens(p);
    dgm_status status = say_all_classes(p);
    if (status == DGM_OK)
        status = say_differences(p);
    return status == DGM_OK ? say_neighbours(p) : status;
}

dgm_status dgmi_explore_cluster(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    int64_t cluster;
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_cluster_of(ctx, &shown, query, "cluster", &cluster);
    if (status != DGM_OK)
        return status;
    const int64_t *offsets = shown.clusters.offsets;
    const portrait p = {ctx,
                        explorer,
                        &shown,
                        cluster,
                        shown.clusters.members + offsets[cluster],
                        offsets[cluster + 1] - offsets[cluster],
                        answer};
    return paint_portrait(&p);
}
