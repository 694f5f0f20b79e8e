/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the axes of a lens: where they come from, and how many they should be. */
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "reproduce_parts.h"
#include "reproduce_starts.h"

typedef struct data_set {
    const char *name, *called;
} data_set;
static const data_set sets[2] = {{"cora", "Cora"}, {"citeseer", "CiteSeer"}};

/* A quick run looks at the first alone. */
static int count_sets(const dgmi_reproduce_making *making) {
    return making->options->quick ? 1 : 2;
}

static dgm_status open_set(dgmi_reproduce_making *making, const data_set *set, dgm_graph **out) {
    char data[32];
    snprintf(data, sizeof data, "data/%s", set->name);
    return dgmi_reproduce_open(making, data, out);
}

/* ---- t-SNE of a wide embedding against a narrow one ---- */

enum { WIDE, NARROW, NARROW_RANKS, NARROW_AUTHORS, WAYS };
static const char *const ways[WAYS] = {"512 columns, then t-SNE", "2 columns",
                                       "2 columns, on ranks",
                                       "2 columns, the authors' layers (32-64-2)"};
static const char *const way_names[WAYS] = {"wide", "narrow", "ranks", "authors"};

/* Makes the axes of one way, from one start of the network. The first one is shared with other
 * parts. */
static dgm_status make_axes(dgmi_reproduce_making *making, const data_set *set, int way, int start,
                            char axes[80]) {
    char table[64], seed[32] = "";
    if (start > 0)
        snprintf(seed, sizeof seed, "seed=%lld", (long long)making->options->seed + start);
    if (way == WIDE) {
        char mark[16] = "";
        if (start > 0)
            snprintf(mark, sizeof mark, "-%d", start + 1);
        snprintf(table, sizeof table, "tables/%s-dgi%s.npy", set->name, mark);
        snprintf(axes, 80, "tables/%s-dgi%s-tsne.npy", set->name, mark);
        dgm_status status = dgmi_reproduce_need(making, table, "lens data/%s --lens dgi%s%s -o %s",
                                                set->name, start > 0 ? ":" : "", seed, table);
        return status == DGM_OK
                   ? dgmi_reproduce_need(making, axes, "reduce %s --method tsne --dim 2 -o %s",
                                         table, axes)
                   : status;
    }
    snprintf(axes, 80, "claim-tsne/%s-%s-%d.npy", set->name,
             way == NARROW_AUTHORS ? "authors" : "narrow", start + 1);
    return dgmi_reproduce_need(making, axes, "lens data/%s --lens dgi:%s%s%s -o %s", set->name,
                               way == NARROW_AUTHORS ? "preset=reference,hidden=32-64-2"
                                                     : "hidden=2,rate=0.01,patience=0",
                               start > 0 ? "," : "", seed, axes);
}

static dgm_status measure_way(dgmi_reproduce_making *making, const data_set *set, int way,
                              int start, const dgm_graph *graph, dgmi_reproduce_look *out) {
    char axes[80], file[80];
    dgm_status status = make_axes(making, set, way, start, axes);
    snprintf(file, sizeof file, "claim-tsne/%s-%s-%d.json", set->name, way_names[way], start + 1);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(
            making, "map data/%s --lens-file %s%s --intervals 8 --overlap 0.2 -o %s", set->name,
            axes, way == NARROW_RANKS ? " --transform rank" : "", file);
    return status == DGM_OK ? dgmi_reproduce_look_at(making, file, graph, out) : status;
}

static dgm_status compare_embeddings(dgmi_reproduce_making *making, const data_set *set) {
    dgmi_reproduce_look looks[WAYS][DGMI_REPRODUCE_STARTS];
    dgm_graph *graph;
    dgm_status status = open_set(making, set, &graph);
    for (int i = 0; status == DGM_OK && i < WAYS * DGMI_REPRODUCE_STARTS; i++)
        status = measure_way(making, set, i / DGMI_REPRODUCE_STARTS, i % DGMI_REPRODUCE_STARTS,
                             graph, &looks[i / DGMI_REPRODUCE_STARTS][i % DGMI_REPRODUCE_STARTS]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_starts_tell(making, set->called, ways, WAYS, looks, "t-SNE of 512 columns is");
    return DGM_OK;
}

dgm_status dgmi_reproduce_claim_tsne(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(
        making,
        "Each network is trained from %d starts and mapped with 8 intervals an axis and an overlap "
        "of 0.2. With the learning rate and the patience of the wide network, one of 2 columns "
        "hardly leaves its start; so it has ten times the rate and all 1000 epochs. Its values "
        "crowd in a corner of the plane, so they are mapped by rank as well.",
        DGMI_REPRODUCE_STARTS);
    dgmi_reproduce_look_words(making, false);
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < count_sets(making); i++)
        status = compare_embeddings(making, &sets[i]);
    for (int way = WIDE; status == DGM_OK && way <= NARROW; way++) {
        char file[48];
        snprintf(file, sizeof file, "claim-tsne/cora-%s.svg", way_names[way]);
        status = dgmi_reproduce_do(
            making, "draw claim-tsne/cora-%s-1.json --colour labels --style paper -o %s",
            way_names[way], file);
        if (status == DGM_OK)
            dgmi_reproduce_show(making, file, "Cora: %s, from the first start.", ways[way]);
    }
    return status;
}

/* ---- the scores of a GCN on one, two and three axes ---- */

/* Makes the scores of the network and their t-SNE. The start of t-SNE is that by principal
 * components (0), or a random one. */
static dgm_status reduce_scores(dgmi_reproduce_making *making, const data_set *set, int axes,
                                int start, char out[80]) {
    char table[64], random[48] = "", mark[16] = "";
    snprintf(table, sizeof table, "tables/%s-gcn.npy", set->name);
    if (start > 0) {
        snprintf(random, sizeof random, ":init=random,seed=%lld",
                 (long long)making->options->seed + start);
        snprintf(mark, sizeof mark, "-%d", start + 1);
    }
    snprintf(out, 80, "tables/%s-gcn-tsne%d%s.npy", set->name, axes, mark);
    dgm_status status = dgmi_reproduce_need(
        making, table, "lens data/%s --lens gcn:preset=reference -o %s", set->name, table);
    return status == DGM_OK
               ? dgmi_reproduce_need(making, out, "reduce %s --method tsne%s --dim %d -o %s", table,
                                     random, axes, out)
               : status;
}

/* One axis with as many intervals as one of the two has, and with as many as both have cells. */
enum { PLANE, LINE, LONG_LINE, SHAPES };
static const char *const shapes[SHAPES] = {"two axes, 9 × 9 intervals", "one axis, 9 intervals",
                                           "one axis, 81 intervals"};
static const int shape_axes[SHAPES] = {2, 1, 1}, shape_intervals[SHAPES] = {9, 9, 81};

static dgm_status measure_shape(dgmi_reproduce_making *making, const data_set *set, int shape,
                                int start, const dgm_graph *graph, dgmi_reproduce_look *out) {
    char axes[80], file[80];
    dgm_status status = reduce_scores(making, set, shape_axes[shape], start, axes);
    snprintf(file, sizeof file, "claim-axes/%s-%d-%d-%d.json", set->name, shape_axes[shape],
             shape_intervals[shape], start + 1);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making,
                                   "map data/%s --lens-file %s --intervals %d --overlap 0.1 -o %s",
                                   set->name, axes, shape_intervals[shape], file);
    return status == DGM_OK ? dgmi_reproduce_look_at(making, file, graph, out) : status;
}

static dgm_status compare_planes_of(dgmi_reproduce_making *making, const data_set *set) {
    dgmi_reproduce_look looks[SHAPES][DGMI_REPRODUCE_STARTS];
    dgm_graph *graph;
    dgm_status status = open_set(making, set, &graph);
    for (int i = 0; status == DGM_OK && i < SHAPES * DGMI_REPRODUCE_STARTS; i++)
        status = measure_shape(making, set, i / DGMI_REPRODUCE_STARTS, i % DGMI_REPRODUCE_STARTS,
                               graph, &looks[i / DGMI_REPRODUCE_STARTS][i % DGMI_REPRODUCE_STARTS]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_starts_tell(making, set->called, shapes, SHAPES, looks, "two axes are");
    return DGM_OK;
}

dgm_status dgmi_reproduce_claim_axes(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(
        making,
        "The scores of the GCN of figure 3, by t-SNE onto two axes or one, with an overlap of 0.1. "
        "One axis has as many intervals as each of the two, or as many as both have cells; then it "
        "has about as many clusters, too. "
        "The first start of t-SNE is that by principal components, and the other %d are random.",
        DGMI_REPRODUCE_STARTS - 1);
    dgmi_reproduce_look_words(making, false);
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < count_sets(making); i++)
        status = compare_planes_of(making, &sets[i]);
    return status;
}

/* ---- cells ---- */

enum { AXES = 3, COVERS = 2 };
static const int cell_intervals[COVERS] = {5, 10};

/* How the nodes are spread over the cells of a cover. */
typedef struct filling {
    double cells;        /* cells of the cover */
    int64_t filled;      /* those that hold a node */
    double mean, median; /* nodes of such a cell; 0 where there is none */
    double single;       /* the share of clusters that are one node */
} filling;

static int compare_counts(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

static bool is_same_cell(const dgm_summary_clusters *of, int64_t a, int64_t b) {
    for (int64_t i = 0; i < of->axes; i++)
        if (of->cells[a * of->axes + i] != of->cells[b * of->axes + i])
            return false;
    return true;
}

/* Clusters are numbered by cell, so those of one cell stand together. */
static dgm_status count_cells(dgm_context *ctx, const dgm_summary *summary, filling *out) {
    dgm_summary_clusters of = dgm_summary_get_clusters(summary);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *held = dgmi_scratch(ctx, of.count + 1, sizeof *held), single = 0, sum = 0;
    if (!held)
        return DGM_ERROR_MEMORY;
    out->filled = 0;
    for (int64_t c = 0; c < of.count; c++) {
        int64_t size = of.offsets[c + 1] - of.offsets[c];
        if (c == 0 || !is_same_cell(&of, c - 1, c))
            held[out->filled++] = 0;
        held[out->filled - 1] += size;
        sum += size;
        single += size == 1;
    }
    out->mean = out->median = out->single = 0;
    if (of.count > 0) {
        const int64_t below = (out->filled - 1) / 2, above = out->filled / 2;
        qsort(held, (size_t)out->filled, sizeof *held, compare_counts);
        out->mean = (double)sum / (double)out->filled;
        out->median = 0.5 * (double)(held[below] + held[above]);
        out->single = (double)single / (double)of.count;
    }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

static dgm_status fill_cells(dgmi_reproduce_making *making, const data_set *set, int axes,
                             int intervals, const dgm_graph *graph, filling *out) {
    char table[80], file[80];
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_status status = reduce_scores(making, set, axes, 0, table);
    snprintf(file, sizeof file, "claim-cells/%s-%d-%d.json", set->name, axes, intervals);
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making,
                                   "map data/%s --lens-file %s --intervals %d --overlap 0.2 -o %s",
                                   set->name, table, intervals, file);
    if (status == DGM_OK)
        status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status != DGM_OK)
        return status;
    out->cells = 1;
    for (int i = 0; i < axes; i++)
        out->cells *= intervals;
    status = count_cells(making->ctx, summary, out);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    return status;
}

static void check_cells(dgmi_reproduce_making *making, const data_set *set, int intervals,
                        const filling are[AXES]) {
    double share[AXES];
    char claim[160];
    for (int i = 0; i < AXES; i++)
        share[i] = (double)are[i].filled / are[i].cells;
    snprintf(claim, sizeof claim,
             "%s, %d intervals an axis: the more axes, the smaller the share of cells that hold a "
             "node.",
             set->called, intervals);
    dgmi_reproduce_judge(making, share[0] > share[1] && share[1] > share[2], claim,
                         "%.0f%%, %.0f%% and %.0f%% of the cells.", 100 * share[0], 100 * share[1],
                         100 * share[2]);
    snprintf(claim, sizeof claim,
             "%s, %d intervals an axis: the more axes, the fewer nodes do these cells hold.",
             set->called, intervals);
    dgmi_reproduce_judge(making, are[0].mean > are[1].mean && are[1].mean > are[2].mean, claim,
                         "%.1f, %.1f and %.1f nodes on average.", are[0].mean, are[1].mean,
                         are[2].mean);
}

static dgm_status compare_cells(dgmi_reproduce_making *making, const data_set *set) {
    filling are[COVERS][AXES];
    dgm_graph *graph;
    dgm_status status = open_set(making, set, &graph);
    for (int i = 0; status == DGM_OK && i < COVERS * AXES; i++)
        status = fill_cells(making, set, i % AXES + 1, cell_intervals[i / AXES], graph,
                            &are[i / AXES][i % AXES]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "set\tintervals an axis\taxes\tcells\tcells with nodes\tmean nodes "
                                "of these\tmedian\tclusters of one node");
    for (int i = 0; i < COVERS * AXES; i++) {
        const filling *is = &are[i / AXES][i % AXES];
        dgmi_reproduce_row(making, "%s\t%d\t%d\t%.0f\t%lld\t%.1f\t%.1f\t%.0f%%", set->called,
                           cell_intervals[i / AXES], i % AXES + 1, is->cells, (long long)is->filled,
                           is->mean, is->median, 100 * is->single);
    }
    for (int i = 0; i < COVERS; i++)
        check_cells(making, set, cell_intervals[i], are[i]);
    return DGM_OK;
}

dgm_status dgmi_reproduce_claim_cells(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(making, "The scores of the GCN of figure 3, by t-SNE onto one, two and "
                               "three axes, with an overlap of 0.2.");
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < count_sets(making); i++)
        status = compare_cells(making, &sets[i]);
    return status;
}
