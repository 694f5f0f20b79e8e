/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the edges of a summary: which of them close loops, and where they come from. */
#include <stdio.h>

#include "reproduce_panels.h"
#include "reproduce_parts.h"

/* ---- trees ---- */

/* A lens that is mapped with several covers. */
typedef struct lens {
    const char *data, *called, *looks;
} lens;

#define GCN "--lens gcn:preset=reference"
/* All but the last have one axis; that one has two, and the one before it is the same network by
 * t-SNE onto one axis. */
static const lens lenses[] = {
    {"spam", "spam, GCN (figure 1)", GCN},
    {"spam", "spam, PageRank", "--lens pagerank"},
    {"data/cora", "Cora, GCN, the probability of one class", GCN " --reduce prob"},
    {"data/cora", "Cora, PageRank", "--lens pagerank"},
    {"data/cora", "Cora, density", "--lens density:delta=3"},
    {"data/cora", "Cora, mean distance", "--lens agd"},
    {"data/cora", "Cora, Fiedler vector", "--lens eigen"},
    {"data/citeseer", "CiteSeer, GCN, the probability of one class", GCN " --reduce prob"},
    {"data/citeseer", "CiteSeer, density", "--lens density:delta=4"},
    {"data/citeseer", "CiteSeer, Fiedler vector", "--lens eigen"},
    {"data/cora", "Cora, GCN, t-SNE onto one axis", GCN " --reduce tsne --dim 1"},
    {"data/cora", "Cora, GCN, t-SNE onto two axes", GCN " --reduce tsne --dim 2"},
};
enum { LENSES = sizeof lenses / sizeof *lenses, LINE = LENSES - 2, PLANE = LENSES - 1 };
#define LOOP_COVERS "--intervals 10,20,40 --overlap 0.1,0.2,0.4"
enum { COVERS = 9, FIGURE1 = 1 /* 20 intervals and an overlap of 0.1 */ };

/* A summary is called tree-like if fewer than one in twenty of its edges close a loop. */
static const double few = 0.05;

static double share_of_loops(const dgmi_reproduce_panel *panel) {
    return panel->edges > 0 ? (double)panel->cycle_rank / (double)panel->edges : 0;
}

static int64_t count_tree_like(const dgmi_reproduce_panel panels[COVERS]) {
    int64_t count = 0;
    for (int i = 0; i < COVERS; i++)
        count += share_of_loops(&panels[i]) < few;
    return count;
}

/* A row has the covers with the fewest and the most clusters, and the worst of all. */
static void tabulate_loops(dgmi_reproduce_making *making, const char *called,
                           const dgmi_reproduce_panel panels[COVERS]) {
    int worst = 0, forests = 0;
    for (int i = 0; i < COVERS; i++) {
        forests += panels[i].cycle_rank == 0;
        if (share_of_loops(&panels[i]) > share_of_loops(&panels[worst]))
            worst = i;
    }
    const dgmi_reproduce_panel *most = &panels[worst];
    dgmi_reproduce_row(making, "%s\t%d\t%lld\t%lld, %g\t%lld\t%lld\t%lld\t%lld\t%lld\t%.1f%%",
                       called, forests, (long long)count_tree_like(panels),
                       (long long)most->intervals, most->overlap, (long long)most->clusters,
                       (long long)most->edges, (long long)most->b0, (long long)most->cycle_rank,
                       (long long)most->b1, 100 * share_of_loops(most));
}

static void check_trees(dgmi_reproduce_making *making,
                        dgmi_reproduce_panel panels[LENSES][COVERS]) {
    const dgmi_reproduce_panel *figure = &panels[0][FIGURE1];
    int64_t tree_like = 0, less = 0, of_spam = count_tree_like(panels[0]);
    dgmi_reproduce_judge(making, share_of_loops(figure) < few,
                         "The summary of figure 1 is tree-like.",
                         "%lld of its %lld edges close a loop.", (long long)figure->cycle_rank,
                         (long long)figure->edges);
    dgmi_reproduce_judge(making, 2 * of_spam > COVERS,
                         "Through the network of figure 1, most covers give a tree-like summary.",
                         "%lld of %d covers.", (long long)of_spam, COVERS);
    for (int i = 1; i < PLANE; i++)
        tree_like += count_tree_like(panels[i]);
    dgmi_reproduce_judge(making, 2 * tree_like > (int64_t)(PLANE - 1) * COVERS,
                         "Through other lenses of one axis, too, most summaries are tree-like.",
                         "%lld of %d summaries.", (long long)tree_like, (PLANE - 1) * COVERS);
    for (int i = 0; i < COVERS; i++)
        less += share_of_loops(&panels[LINE][i]) < share_of_loops(&panels[PLANE][i]);
    dgmi_reproduce_judge(making, less == COVERS,
                         "On two axes a larger share of edges closes loops than on one, with every "
                         "cover.",
                         "with %lld of %d covers.", (long long)less, COVERS);
}

dgm_status dgmi_reproduce_claim_trees(dgmi_reproduce_making *making) {
    dgmi_reproduce_panel panels[LENSES][COVERS];
    char file[48];
    int64_t count;
    dgm_status status = DGM_OK;
    dgmi_reproduce_say(making,
                       "Each lens is mapped with %d covers: 10, 20 and 40 intervals with overlaps "
                       "of 0.1, 0.2 and 0.4. We call a summary tree-like if fewer than %.0f%% of "
                       "its edges close a loop. The table has for each lens the cover with the "
                       "largest share of such edges. With little overlap many clusters stand "
                       "alone: pieces are counted beside the loops.",
                       COVERS, 100 * few);
    for (int i = 0; status == DGM_OK && i < LENSES; i++) {
        snprintf(file, sizeof file, "claim-trees/lens%d.json", i + 1);
        status = dgmi_reproduce_do(making, "sweep %s %s " LOOP_COVERS " -o %s", lenses[i].data,
                                   lenses[i].looks, file);
        if (status == DGM_OK)
            status = dgmi_reproduce_panels_read(making, file, COVERS, COVERS, panels[i], &count);
    }
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "lens\tcovers without loops\ttree-like covers\tmost loops at n, "
                                "g\tclusters\tedges\tpieces\tedges that close loops\tloops that no "
                                "triangles fill\tshare of edges");
    for (int i = 0; i < LENSES; i++)
        tabulate_loops(making, lenses[i].called, panels[i]);
    check_trees(making, panels);
    return DGM_OK;
}

/* ---- what g trades ---- */

enum { OVERLAPS = 5 };
static const char *const overlaps[OVERLAPS] = {"0", "0.1", "0.2", "0.3", "0.4"};

/* Edges of a summary by what joins their clusters. */
typedef struct edges {
    int64_t clusters, all;
    int64_t semantic;   /* the clusters share nodes */
    int64_t structural; /* they do not: only edges of the graph join them */
} edges;

static dgm_status count_edges(dgmi_reproduce_making *making, const char *file,
                              const dgm_graph *graph, edges *out) {
    dgm_summary *summary;
    dgm_profile *profile;
    dgm_status status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status != DGM_OK)
        return status;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &out->all);
    out->clusters = dgm_summary_get_clusters(summary).count;
    out->semantic = 0;
    for (int64_t i = 0; i < out->all; i++)
        out->semantic += edge[i].shared > 0;
    out->structural = out->all - out->semantic;
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    return DGM_OK;
}

static double share_of_semantic(const edges *are) {
    return are->all > 0 ? (double)are->semantic / (double)are->all : 0;
}

static void check_trade(dgmi_reproduce_making *making, const char *called, const char *eps,
                        const edges are[OVERLAPS]) {
    bool rises = true, falls = true;
    char claim[200];
    for (int i = 1; i < OVERLAPS; i++) {
        rises &= share_of_semantic(&are[i]) > share_of_semantic(&are[i - 1]);
        falls &= are[i].structural < are[i - 1].structural;
    }
    snprintf(claim, sizeof claim, "%s, eps = %s: without overlap all edges are structural.", called,
             eps);
    dgmi_reproduce_judge(making, are[0].semantic == 0 && are[0].all > 0, claim,
                         "%lld of %lld edges join clusters that share nodes.",
                         (long long)are[0].semantic, (long long)are[0].all);
    snprintf(claim, sizeof claim,
             "%s, eps = %s: with each step of g the share of semantic edges grows.", called, eps);
    dgmi_reproduce_judge(making, rises, claim, "%.1f%%, %.1f%%, %.1f%%, %.1f%% and %.1f%%.",
                         100 * share_of_semantic(&are[0]), 100 * share_of_semantic(&are[1]),
                         100 * share_of_semantic(&are[2]), 100 * share_of_semantic(&are[3]),
                         100 * share_of_semantic(&are[4]));
    snprintf(claim, sizeof claim,
             "%s, eps = %s: with each step of g there are fewer structural edges.", called, eps);
    dgmi_reproduce_judge(making, falls, claim, "%lld, %lld, %lld, %lld and %lld.",
                         (long long)are[0].structural, (long long)are[1].structural,
                         (long long)are[2].structural, (long long)are[3].structural,
                         (long long)are[4].structural);
}

static dgm_status trade_edges(dgmi_reproduce_making *making, const lens *of, const char *name,
                              const char *eps, const dgm_graph *graph) {
    edges are[OVERLAPS];
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < OVERLAPS; i++) {
        char file[64];
        snprintf(file, sizeof file, "claim-overlap/%s-%s-%s.json", name, eps, overlaps[i]);
        status = dgmi_reproduce_do(
            making, "map %s %s --overlap %s --edges structural --strength sas --eps %s -o %s",
            of->data, of->looks, overlaps[i], eps, file);
        if (status == DGM_OK)
            status = count_edges(making, file, graph, &are[i]);
    }
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, "set\teps\tg\tclusters\tedges\tsemantic\tstructural");
    for (int i = 0; i < OVERLAPS; i++)
        dgmi_reproduce_row(making, "%s\t%s\t%s\t%lld\t%lld\t%lld\t%lld", of->called, eps,
                           overlaps[i], (long long)are[i].clusters, (long long)are[i].all,
                           (long long)are[i].semantic, (long long)are[i].structural);
    check_trade(making, of->called, eps, are);
    return DGM_OK;
}

static dgm_status trade_of(dgmi_reproduce_making *making, const lens *of, const char *name) {
    static const char *const eps[2] = {"0", "0.01"};
    dgm_graph *graph;
    dgm_status status = dgmi_reproduce_open(making, of->data, &graph);
    for (int i = 0; status == DGM_OK && i < 2; i++)
        status = trade_edges(making, of, name, eps[i], graph);
    dgm_graph_free(graph);
    return status;
}

/* The lenses, which other parts share. */
static dgm_status make_lenses(dgmi_reproduce_making *making) {
    dgm_status status = dgmi_reproduce_need(making, "tables/spam-gcn.npy",
                                            "lens spam " GCN " -o tables/spam-gcn.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(
            making, "tables/spam-gcn-prob.npy",
            "reduce tables/spam-gcn.npy --method prob -o tables/spam-gcn-prob.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(making, "tables/cora-dgi.npy",
                                     "lens data/cora --lens dgi -o tables/cora-dgi.npy");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(
            making, "tables/cora-dgi-tsne.npy",
            "reduce tables/cora-dgi.npy --method tsne --dim 2 -o tables/cora-dgi-tsne.npy");
    return status;
}

dgm_status dgmi_reproduce_claim_overlap(dgmi_reproduce_making *making) {
    static const lens spam = {"spam", "spam, GCN",
                              "--lens-file tables/spam-gcn-prob.npy --intervals 20"};
    static const lens cora = {"data/cora", "Cora, DGI",
                              "--lens-file tables/cora-dgi-tsne.npy --intervals 20"};
    dgmi_reproduce_say(
        making, "SDGM with 20 intervals an axis, and with the paper's strength of an edge: the "
                "entry of S'AS, in which nodes that two clusters share count as well. An edge of "
                "the summary is called semantic if its clusters share nodes, and structural if "
                "only edges of the graph join them. eps = 0 shows what g does alone; figure 9 has "
                "eps = 0.01.");
    dgm_status status = make_lenses(making);
    if (status == DGM_OK)
        status = trade_of(making, &spam, "spam");
    return status == DGM_OK ? trade_of(making, &cora, "cora") : status;
}
