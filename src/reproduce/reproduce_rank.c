/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about PageRank as the lens of pooling (MPR): whom it merges, and what alpha does. */
#include <math.h>
#include <stdio.h>

#include "dgm/io.h"
#include "dgm/set.h"

#include "base_context.h"
#include "reproduce_parts.h"

/* ---- hubs and dangling nodes ---- */

/* Graphs that are pooled, with the cover of the first pooling in the authors' code. */
typedef struct pooled {
    const char *name, *called;
    int intervals;
    double overlap;
    bool quick; /* it is looked at in a quick run, too */
} pooled;
static const pooled all_sets[] = {
    {"DD", "D&D", 20, 0.1, false},        {"PROTEINS", "Proteins", 8, 0.25, true},
    {"COLLAB", "Collab", 20, 0.1, false}, {"REDDIT-BINARY", "Reddit-Binary", 20, 0.25, false},
    {"cora", "Cora", 20, 0.1, true},
};
enum { SETS = sizeof all_sets / sizeof *all_sets };

/* The first and the last cell of one graph. */
typedef struct ends {
    int64_t nodes[2];    /* how many they hold */
    int64_t degrees[2];  /* the sum of their degrees */
    int64_t dangling[2]; /* nodes of at most one neighbour among them */
} ends;
enum { FIRST, LAST };

/* What became of all graphs of a set. */
typedef struct tally {
    int64_t graphs;
    int64_t constant;        /* graphs whose nodes all have one rank, and lie in one cell */
    int64_t fewer, denser;   /* others whose last cell has fewer nodes, or a larger mean degree */
    int64_t many;            /* those whose first cell has more than an even share of the nodes */
    int64_t nodes;           /* nodes of these graphs */
    double share[2];         /* sums over graphs of the share of nodes in these cells */
    double degree[2];        /* sums over graphs of the mean degree in these cells */
    int64_t dangling, first; /* dangling nodes of all these graphs, and those in first cells */
} tally;

static int64_t degree_of(const dgm_graph_rows *rows, int64_t node) {
    return rows->offsets[node + 1] - rows->offsets[node];
}

/* By the default rule the intervals of [0, 1] are L = 1 / (n - (n - 1) g) long: the first ends at
 * L, and the last begins at 1 - L. Both may hold a node if L is above 1/2. */
static ends find_ends(const dgm_graph_rows *rows, const double *rank, int64_t from, int64_t to,
                      double low, double high, double length) {
    ends are = {{0, 0}, {0, 0}, {0, 0}};
    for (int64_t v = from; v < to; v++) {
        double scaled = (rank[v] - low) / (high - low);
        bool in[2] = {scaled < length, scaled >= 1 - length};
        for (int end = FIRST; end <= LAST; end++) {
            are.nodes[end] += in[end];
            are.degrees[end] += in[end] ? degree_of(rows, v) : 0;
            are.dangling[end] += in[end] && degree_of(rows, v) <= 1;
        }
    }
    return are;
}

static void add_graph(tally *sum, const dgm_graph_rows *rows, const double *rank, int64_t from,
                      int64_t to, const pooled *of) {
    double n = of->intervals, length = 1 / (n - (n - 1) * of->overlap);
    double low = INFINITY, high = -INFINITY;
    for (int64_t v = from; v < to; v++) {
        low = fmin(low, rank[v]);
        high = fmax(high, rank[v]);
    }
    sum->graphs++;
    if (!(high - low > 1e-9 * high)) {
        sum->constant++;
        return;
    }
    ends are = find_ends(rows, rank, from, to, low, high, length);
    double mean[2];
    for (int end = FIRST; end <= LAST; end++) {
        mean[end] = (double)are.degrees[end] / (double)are.nodes[end];
        sum->share[end] += (double)are.nodes[end] / (double)(to - from);
        sum->degree[end] += mean[end];
    }
    sum->fewer += are.nodes[LAST] < are.nodes[FIRST];
    sum->denser += mean[LAST] > mean[FIRST];
    sum->many += (double)are.nodes[FIRST] * n > (double)(to - from);
    sum->nodes += to - from;
    sum->first += are.dangling[FIRST];
    for (int64_t v = from; v < to; v++)
        sum->dangling += degree_of(rows, v) <= 1;
}

/* A set's union has one PageRank. Inside each graph it is in proportion to the graph's own, since
 * all nodes get the same share from outside: scaled to [0, 1] graph by graph, both are the same. */
static dgm_status read_ranks(dgmi_reproduce_making *making, const pooled *of, dgm_matrix **out) {
    char file[64];
    snprintf(file, sizeof file, "tables/%s-pagerank.npy", of->name);
    dgm_status status = dgmi_reproduce_need(
        making, file, "lens data/%s --lens pagerank:tolerance=1e-13 -o %s", of->name, file);
    return status == DGM_OK ? dgm_matrix_read(making->ctx, file, NULL, out) : status;
}

static dgm_status add_graphs(dgmi_reproduce_making *making, const pooled *of,
                             const dgm_graph *united, const int64_t *offsets, int64_t count,
                             tally *sum) {
    dgm_matrix *ranks = NULL;
    dgm_graph_rows rows = dgm_graph_get_rows(united);
    dgm_status status = read_ranks(making, of, &ranks);
    if (status == DGM_OK && dgm_matrix_rows(ranks) != rows.nodes)
        status = dgmi_fail(making->ctx, DGM_ERROR_DATA, "%s: the ranks are those of another graph",
                           of->name);
    for (int64_t k = 0; status == DGM_OK && k < count; k++)
        if (offsets[k + 1] > offsets[k])
            add_graph(sum, &rows, dgm_matrix_values(ranks), offsets[k], offsets[k + 1], of);
    dgm_matrix_free(ranks);
    return status;
}

/* Cora is one graph, and the others are sets of graphs. */
static dgm_status look_at_ends(dgmi_reproduce_making *making, const pooled *of, tally *sum) {
    char data[48];
    dgm_graph_set *set = NULL;
    dgm_graph *graph = NULL;
    dgm_status status;
    snprintf(data, sizeof data, "data/%s", of->name);
    *sum = (tally){0};
    if (dgm_graph_set_exists(data)) {
        status = dgm_graph_set_open(making->ctx, data, NULL, &set);
        if (status == DGM_OK)
            status = add_graphs(making, of, dgm_graph_set_union(set), dgm_graph_set_offsets(set),
                                dgm_graph_set_count(set), sum);
    } else {
        status = dgmi_reproduce_open(making, data, &graph);
        if (status == DGM_OK)
            status = add_graphs(making, of, graph, (int64_t[]){0, dgm_graph_nodes(graph)}, 1, sum);
    }
    dgm_graph_set_free(set);
    dgm_graph_free(graph);
    return status;
}

static void tabulate_ends(dgmi_reproduce_making *making, const pooled *of, const tally *sum) {
    double others = fmax(1, (double)(sum->graphs - sum->constant));
    dgmi_reproduce_row(making, "%s\t%d\t%g\t%lld\t%lld\t%.1f%%\t%.1f%%\t%.2f\t%.2f\t%.1f%%\t%.0f%%",
                       of->called, of->intervals, of->overlap, (long long)sum->graphs,
                       (long long)sum->constant, 100 * sum->share[FIRST] / others,
                       100 * sum->share[LAST] / others, sum->degree[FIRST] / others,
                       sum->degree[LAST] / others,
                       100 * (double)sum->dangling / fmax(1, (double)sum->nodes),
                       sum->dangling > 0 ? 100 * (double)sum->first / (double)sum->dangling : 0);
}

static void check_ends(dgmi_reproduce_making *making, const pooled *of, const tally *sum) {
    int64_t others = sum->graphs - sum->constant;
    const char *where = sum->graphs > 1 ? ", in most graphs" : "";
    char claim[240];
    snprintf(claim, sizeof claim,
             "%s: the last cell, with the highest ranks, has fewer nodes than the first%s.",
             of->called, where);
    dgmi_reproduce_judge(making, 2 * sum->fewer > others, claim, "in %lld of %lld.",
                         (long long)sum->fewer, (long long)others);
    snprintf(claim, sizeof claim, "%s: its nodes are better connected than those of the first%s.",
             of->called, where);
    dgmi_reproduce_judge(making, 2 * sum->denser > others, claim,
                         "their mean degree is larger in %lld of %lld.", (long long)sum->denser,
                         (long long)others);
    snprintf(claim, sizeof claim,
             "%s: the first cell has many nodes, more than one in %d, which is an even share%s.",
             of->called, of->intervals, where);
    dgmi_reproduce_judge(making, 2 * sum->many > others, claim, "in %lld of %lld.",
                         (long long)sum->many, (long long)others);
    snprintf(claim, sizeof claim,
             "%s: most dangling nodes, of at most one neighbour, are merged in the first cell.",
             of->called);
    dgmi_reproduce_judge(making, 2 * sum->first > sum->dangling, claim,
                         "%lld of %lld; %.1f%% of all nodes are dangling.", (long long)sum->first,
                         (long long)sum->dangling,
                         100 * (double)sum->dangling / fmax(1, (double)sum->nodes));
}

static dgm_status show_pooling(dgmi_reproduce_making *making) {
    dgm_status status = dgmi_reproduce_do(making, "pool data/PROTEINS --graph 7 --method "
                                                  "mpr:clusters=8,overlap=0.25 --width 170mm -o "
                                                  "claim-hubs/protein.svg");
    if (status == DGM_OK)
        dgmi_reproduce_show(making, "claim-hubs/protein.svg",
                            "A graph of Proteins and what MPR makes of it.");
    return status;
}

dgm_status dgmi_reproduce_claim_hubs(dgmi_reproduce_making *making) {
    tally sums[SETS];
    dgm_status status = DGM_OK;
    dgmi_reproduce_say(
        making, "Ranks are scaled to [0, 1] graph by graph. The cover is that of the first pooling "
                "in the authors' settings; Cora has that of D&D. Shares and degrees are means over "
                "graphs. Where all nodes of a graph have the same rank, there is one cell and "
                "nothing to compare.");
    for (int i = 0; status == DGM_OK && i < SETS; i++)
        if (all_sets[i].quick || !making->options->quick)
            status = look_at_ends(making, &all_sets[i], &sums[i]);
    if (status == DGM_OK)
        status = show_pooling(making);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making,
                        "set\tintervals\toverlap\tgraphs\tgraphs of one rank\tnodes in the first "
                        "cell\tin the last\tmean degree in the first\tin the last\tdangling "
                        "nodes\tof them in the first");
    for (int i = 0; i < SETS; i++)
        if (all_sets[i].quick || !making->options->quick)
            tabulate_ends(making, &all_sets[i], &sums[i]);
    for (int i = 0; i < SETS; i++)
        if (all_sets[i].quick || !making->options->quick)
            check_ends(making, &all_sets[i], &sums[i]);
    return DGM_OK;
}

/* ---- alpha ---- */

enum { ALPHAS = 5, INTERVALS = 20 };
static const char *const alphas[ALPHAS] = {"0.85", "0.5", "0.1", "0.01", "0.001"};

/* The cells of PageRank with one alpha. */
typedef struct spread {
    double ratio;   /* the largest rank divided by the smallest */
    double highest; /* the largest rank */
    int64_t cells;  /* cells that hold a node */
    double largest; /* the share of nodes that the largest of them holds */
} spread;

static dgm_status find_spread(dgmi_reproduce_making *making, const char *data, const char *name,
                              const char *alpha, const dgm_graph *graph, spread *out) {
    char file[64];
    double low;
    dgm_summary *summary;
    dgm_profile *profile;
    snprintf(file, sizeof file, "claim-alpha/%s-%s.json", name, alpha);
    dgm_status status = dgmi_reproduce_do(
        making,
        "map %s --lens pagerank:alpha=%s,tolerance=1e-14 --cluster none --intervals %d --overlap "
        "0.1 -o %s",
        data, alpha, INTERVALS, file);
    if (status == DGM_OK)
        status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status != DGM_OK)
        return status;
    dgm_summary_clusters cells = dgm_summary_get_clusters(summary);
    dgm_summary_lens_range(summary, 0, &low, &out->highest);
    out->ratio = out->highest / low;
    out->cells = cells.count;
    out->largest = 0;
    for (int64_t c = 0; c < cells.count; c++)
        out->largest = fmax(out->largest, (double)(cells.offsets[c + 1] - cells.offsets[c]) /
                                              (double)dgm_graph_nodes(graph));
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    return DGM_OK;
}

static void check_alphas(dgmi_reproduce_making *making, const char *called,
                         const spread are[ALPHAS]) {
    bool more_even = true, larger = true;
    char claim[160];
    for (int i = 1; i < ALPHAS; i++) {
        more_even &= are[i].ratio < are[i - 1].ratio;
        larger &= are[i].largest > are[i - 1].largest;
    }
    snprintf(claim, sizeof claim, "%s: the smaller alpha is, the more uniform are the ranks.",
             called);
    dgmi_reproduce_judge(making, more_even, claim,
                         "the largest is %.4g times the smallest at %s, and %.4g times at %s.",
                         are[0].ratio, alphas[0], are[ALPHAS - 1].ratio, alphas[ALPHAS - 1]);
    snprintf(claim, sizeof claim, "%s: the smaller alpha is, the more nodes does one cluster hold.",
             called);
    dgmi_reproduce_judge(making, larger, claim, "%.1f%%, %.1f%%, %.1f%%, %.1f%% and %.1f%%.",
                         100 * are[0].largest, 100 * are[1].largest, 100 * are[2].largest,
                         100 * are[3].largest, 100 * are[4].largest);
    snprintf(claim, sizeof claim, "%s: with alpha near 0, all nodes are in one cluster.", called);
    dgmi_reproduce_judge(making, are[ALPHAS - 1].cells == 1, claim,
                         "at %s there are %lld clusters, and the largest holds %.1f%%.",
                         alphas[ALPHAS - 1], (long long)are[ALPHAS - 1].cells,
                         100 * are[ALPHAS - 1].largest);
}

static dgm_status compare_alphas(dgmi_reproduce_making *making, const char *data, const char *name,
                                 const char *called) {
    spread are[ALPHAS];
    dgm_graph *graph;
    dgm_status status = dgmi_reproduce_open(making, data, &graph);
    for (int i = 0; status == DGM_OK && i < ALPHAS; i++)
        status = find_spread(making, data, name, alphas[i], graph, &are[i]);
    dgm_graph_free(graph);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "set\talpha\tlargest rank\tlargest rank / "
                                "smallest\tclusters\tnodes in the largest");
    for (int i = 0; i < ALPHAS; i++)
        dgmi_reproduce_row(making, "%s\t%s\t%.3g\t%.4g\t%lld\t%.1f%%", called, alphas[i],
                           are[i].highest, are[i].ratio, (long long)are[i].cells,
                           100 * are[i].largest);
    check_alphas(making, called, are);
    if (are[0].highest < 1.0 / INTERVALS)
        dgmi_reproduce_say(making,
                           "%s: the largest rank is %.3g. Without scaling, all nodes would lie in "
                           "the first of %d intervals of [0, 1], with alpha = %s as well.",
                           called, are[0].highest, INTERVALS, alphas[0]);
    return DGM_OK;
}

dgm_status dgmi_reproduce_claim_alpha(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(making,
                       "%d intervals with an overlap of 0.1 over the range of the ranks, which is "
                       "what scaling to [0, 1] does; a cell is one cluster, as in MPR.",
                       INTERVALS);
    dgm_status status = compare_alphas(making, "data/cora", "cora", "Cora");
    return status == DGM_OK ? compare_alphas(making, "spam", "spam", "spam") : status;
}
