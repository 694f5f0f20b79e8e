/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_chance.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

/* What both measures look at. All arrays are scratch memory. */
typedef struct seen {
    dgm_summary_clusters clusters;
    const dgm_summary_edge *edges;
    int64_t edge_count, nodes;
    int32_t classes;
    bool *counts;      /* for each cluster: it has two nodes with a label */
    double *weight;    /* for each node: 1 / its clusters that count; 0: it has none, or no label */
    int32_t *labels;   /* for each node, as they are or shuffled */
    uint32_t *who;     /* the nodes with a label */
    int64_t labelled;  /* how many these are */
    double *tally;     /* the weight of each class in one cluster */
    int32_t *majority; /* the class of each cluster that counts */
    int64_t *mixing;   /* classes x classes: ends of edges */
} seen;

static dgm_status make_room(dgm_context *ctx, seen *on) {
    int64_t clusters = on->clusters.count, classes = on->classes;
    on->counts = dgmi_scratch_zero(ctx, clusters + 1, sizeof *on->counts);
    on->weight = dgmi_scratch_zero(ctx, on->nodes + 1, sizeof *on->weight);
    on->labels = dgmi_scratch(ctx, on->nodes + 1, sizeof *on->labels);
    on->who = dgmi_scratch(ctx, on->nodes + 1, sizeof *on->who);
    on->tally = dgmi_scratch(ctx, classes + 1, sizeof *on->tally);
    on->majority = dgmi_scratch(ctx, clusters + 1, sizeof *on->majority);
    on->mixing = dgmi_scratch(ctx, classes * classes + 1, sizeof *on->mixing);
    return on->counts && on->weight && on->labels && on->who && on->tally && on->majority &&
                   on->mixing
               ? DGM_OK
               : DGM_ERROR_MEMORY;
}

/* Decides which clusters count, and the weights of nodes. */
static void weigh(seen *on, const int32_t *labels, dgmi_reproduce_classes *out) {
    dgm_summary_clusters of = on->clusters;
    for (int64_t c = 0; c < of.count; c++) {
        int64_t labelled = 0;
        for (int64_t i = of.offsets[c]; i < of.offsets[c + 1]; i++)
            labelled += labels[of.members[i]] >= 0;
        on->counts[c] = labelled >= 2;
        out->clusters += on->counts[c];
        for (int64_t i = of.offsets[c]; on->counts[c] && i < of.offsets[c + 1]; i++)
            on->weight[of.members[i]] += labels[of.members[i]] >= 0;
    }
    for (int64_t v = 0; v < on->nodes; v++) {
        out->nodes += on->weight[v] > 0;
        on->weight[v] = on->weight[v] > 0 ? 1 / on->weight[v] : 0;
        if (labels[v] >= 0)
            on->who[on->labelled++] = (uint32_t)v;
    }
    for (int64_t i = 0; i < on->edge_count; i++)
        out->edges += on->counts[on->edges[i].source] && on->counts[on->edges[i].target];
}

/* Returns the weight of the class of most weight in a cluster, and sets its class. */
static double judge_cluster(seen *on, int64_t c) {
    dgm_summary_clusters of = on->clusters;
    int32_t best = 0;
    memset(on->tally, 0, (size_t)on->classes * sizeof *on->tally);
    for (int64_t i = of.offsets[c]; i < of.offsets[c + 1]; i++)
        if (on->labels[of.members[i]] >= 0)
            on->tally[on->labels[of.members[i]]] += on->weight[of.members[i]];
    /* sums of shares that are equal may differ by rounding */
    for (int32_t k = 1; k < on->classes; k++)
        if (on->tally[k] > on->tally[best] * (1 + 1e-12))
            best = k;
    on->majority[c] = best;
    return on->tally[best];
}

/* Sets the classes of the clusters, too. */
static double find_purity(seen *on, int64_t nodes) {
    double pure = 0;
    for (int64_t c = 0; c < on->clusters.count; c++)
        if (on->counts[c])
            pure += judge_cluster(on, c);
    return nodes > 0 ? pure / (double)nodes : NAN;
}

/* By the classes that find_purity has set. */
static double find_assortativity(seen *on, int64_t edges) {
    int64_t classes = on->classes;
    double ends = 2 * (double)edges, inside = 0, by_chance = 0;
    if (edges == 0)
        return NAN;
    memset(on->mixing, 0, (size_t)(classes * classes) * sizeof *on->mixing);
    for (int64_t i = 0; i < on->edge_count; i++) {
        const dgm_summary_edge *edge = &on->edges[i];
        if (on->counts[edge->source] && on->counts[edge->target]) {
            on->mixing[on->majority[edge->source] * classes + on->majority[edge->target]] += 1;
            on->mixing[on->majority[edge->target] * classes + on->majority[edge->source]] += 1;
        }
    }
    for (int64_t a = 0; a < classes; a++) {
        int64_t of_class = 0;
        for (int64_t b = 0; b < classes; b++)
            of_class += on->mixing[a * classes + b];
        inside += (double)on->mixing[a * classes + a] / ends;
        by_chance += ((double)of_class / ends) * ((double)of_class / ends);
    }
    return by_chance < 1 ? (inside - by_chance) / (1 - by_chance) : NAN;
}

/* Counts the classes that are the class of a cluster, by those that find_purity has set. */
static int32_t count_shown(seen *on) {
    int32_t shown = 0;
    memset(on->tally, 0, (size_t)on->classes * sizeof *on->tally);
    for (int64_t c = 0; c < on->clusters.count; c++)
        if (on->counts[c])
            on->tally[on->majority[c]] += 1;
    for (int32_t k = 0; k < on->classes; k++)
        shown += on->tally[k] > 0;
    return shown;
}

/* Deals the labels out again, after Fisher and Yates. */
static void shuffle(seen *on, dgmi_random random) {
    for (int64_t i = on->labelled - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(&random, (uint64_t)i + 1);
        int32_t label = on->labels[on->who[i]];
        on->labels[on->who[i]] = on->labels[on->who[j]];
        on->labels[on->who[j]] = label;
    }
}

/* The sums of a measure over those shufflings in which it is defined. */
typedef struct sums {
    double sum, squares;
    int64_t count;
} sums;

static void add_to(sums *of, double value) {
    if (isnan(value))
        return;
    of->sum += value;
    of->squares += value * value;
    of->count++;
}

static void conclude(dgmi_reproduce_chance *measure, const sums *of) {
    double n = (double)of->count;
    measure->expected = of->count > 0 ? of->sum / n : NAN;
    measure->deviation =
        of->count > 1 ? sqrt(fmax(0, of->squares - of->sum * of->sum / n) / (n - 1)) : NAN;
    measure->above = measure->found - measure->expected;
}

dgm_status dgmi_reproduce_measure_classes(dgm_context *ctx, const dgm_summary *summary,
                                          const dgm_graph *graph, int64_t shuffles, int64_t seed,
                                          dgmi_reproduce_classes *out) {
    const int32_t *labels = dgm_graph_labels(graph);
    seen on = {.clusters = dgm_summary_get_clusters(summary),
               .nodes = dgm_graph_get_rows(graph).nodes,
               .classes = dgm_graph_classes(graph)};
    sums purity = {0, 0, 0}, assortativity = {0, 0, 0};
    memset(out, 0, sizeof *out);
    if (!labels)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph has no labels");
    on.edges = dgm_summary_edges(summary, &on.edge_count);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = make_room(ctx, &on);
    if (status == DGM_OK) {
        weigh(&on, labels, out);
        memcpy(on.labels, labels, (size_t)on.nodes * sizeof *labels);
        out->purity.found = find_purity(&on, out->nodes);
        out->assortativity.found = find_assortativity(&on, out->edges);
        out->shown = count_shown(&on);
        for (int64_t k = 0; k < shuffles; k++) {
            memcpy(on.labels, labels, (size_t)on.nodes * sizeof *labels);
            shuffle(&on, (dgmi_random){(uint64_t)seed, (uint64_t)k, 0});
            add_to(&purity, find_purity(&on, out->nodes));
            add_to(&assortativity, find_assortativity(&on, out->edges));
        }
        conclude(&out->purity, &purity);
        conclude(&out->assortativity, &assortativity);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
