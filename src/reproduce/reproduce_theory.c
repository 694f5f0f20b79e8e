/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 2 and 8, and the propositions: what needs no command, because the library is asked. */
#include <stdio.h>
#include <string.h>

#include "dgm/io.h"
#include "dgm/set.h"

#include "reproduce_cut.h"
#include "reproduce_parts.h"
#include "reproduce_proof.h"
#include "reproduce_relabel.h"
#include "reproduce_steps.h"

/* The command of a part that runs no other: it makes the part once more, in a folder of its own. */
static void show_itself(dgmi_reproduce_making *making, bool needs_data) {
    char command[128], seed[40] = "";
    if (making->options->seed != 1)
        snprintf(seed, sizeof seed, " --seed %lld", (long long)making->options->seed);
    snprintf(command, sizeof command, "dgm reproduce%s --only %s%s -o again",
             needs_data ? " --data data" : "", making->name, seed);
    dgmi_reproduce_record_add(making->record, DGMI_REPRODUCE_COMMAND, command, NULL, false);
}

static dgm_status write_svg(dgmi_reproduce_making *making, const dgm_figure *figure,
                            const char *file) {
    show_itself(making, false);
    return dgm_figure_write(making->ctx, figure, NULL, 0, &file, 1);
}

/* ---- figure 2 ---- */

static void check_steps(dgmi_reproduce_making *making, const dgmi_reproduce_steps_facts *is) {
    dgmi_reproduce_say(making,
                       "A graph of %lld nodes and %lld edges, made for this figure; the lens is "
                       "the height of a node, with %lld intervals that overlap by %.0f%%.",
                       (long long)is->nodes, (long long)is->edges, (long long)is->intervals,
                       100 * is->overlap);
    dgmi_reproduce_judge(making, is->clusters > is->cells,
                         "The refined pull-back cover has more sets than the pull-back cover.",
                         "%lld sets of %lld cells.", (long long)is->clusters, (long long)is->cells);
    dgmi_reproduce_judge(
        making, is->nerve_pieces == is->components && is->nerve_loops == is->graph_holes,
        "The nerve has the shape of the graph: as many pieces and loops.",
        "%lld and %lld, and the graph has %lld and %lld.", (long long)is->nerve_pieces,
        (long long)is->nerve_loops, (long long)is->components, (long long)is->graph_holes);
}

dgm_status dgmi_reproduce_fig2(dgmi_reproduce_making *making) {
    dgmi_reproduce_steps steps;
    dgm_status status = dgmi_reproduce_steps_make(making->ctx, NULL, &steps);
    if (status != DGM_OK)
        return status;
    status = write_svg(making, steps.figure, "fig2/steps.svg");
    dgmi_reproduce_show(making, "fig2/steps.svg",
                        "Graph, height, cover, pull-back, refined pull-back, nerve.");
    check_steps(making, &steps.facts);
    dgmi_reproduce_steps_free(&steps);
    return status;
}

/* ---- figure 8 and proposition 4.2 ---- */

#define EXPANSION_TITLES                                                                           \
    "graph\tnodes\tclusters\tcopies\tpairs joined by S'AS\twrong in the nerve\t"                   \
    "wrong on G itself\twrong without expansion"

/* How many pairs a nerve has otherwise than S'AS. */
static long long count_wrong(const dgmi_reproduce_difference *is) {
    return (long long)(is->missing + is->extra);
}

static void put_expansion(dgmi_reproduce_making *making, const char *name,
                          const dgmi_reproduce_expansion *is) {
    dgmi_reproduce_row(making, "%s\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld\t%lld", name,
                       (long long)is->nodes, (long long)is->clusters, (long long)is->copies,
                       (long long)is->pairs, count_wrong(&is->nerve), count_wrong(&is->on_graph),
                       count_wrong(&is->plain));
}

static void check_expansion(dgmi_reproduce_making *making, const char *name,
                            const dgmi_reproduce_expansion *is) {
    char claim[160];
    snprintf(claim, sizeof claim, "%s: the nerve joins exactly the clusters that S'AS joins.",
             name);
    dgmi_reproduce_judge(
        making, count_wrong(&is->nerve) == 0 && !is->complete, claim,
        "%lld of %lld pairs differ%s.", count_wrong(&is->nerve), (long long)is->pairs,
        is->complete ? ", but all pairs are joined, so that nothing is shown" : "");
}

/* What the proposition does not claim must be wrong, or the check would show nothing. */
static void check_controls(dgmi_reproduce_making *making, const char *name,
                           const dgmi_reproduce_expansion *is) {
    char claim[160];
    snprintf(claim, sizeof claim,
             "%s: both steps are needed. Without copies too much is joined, without the expansion "
             "too little.",
             name);
    dgmi_reproduce_judge(making, is->on_graph.extra > 0 && is->plain.missing > 0, claim,
                         "pairs too many: %lld; pairs that are missing: %lld.",
                         (long long)is->on_graph.extra, (long long)is->plain.missing);
}

dgm_status dgmi_reproduce_fig8(dgmi_reproduce_making *making) {
    dgmi_reproduce_proof proof;
    dgm_status status = dgmi_reproduce_proof_make(making->ctx, NULL, &proof);
    if (status != DGM_OK)
        return status;
    status = write_svg(making, proof.figure, "fig8/proof.svg");
    dgmi_reproduce_show(making, "fig8/proof.svg",
                        "Graph and clusters, expanded graph, 1-hop expansion, nerve.");
    dgmi_reproduce_head(making, EXPANSION_TITLES);
    put_expansion(making, "figure", &proof.facts);
    check_expansion(making, "The graph of the figure", &proof.facts);
    check_controls(making, "The graph of the figure", &proof.facts);
    dgmi_reproduce_proof_free(&proof);
    return status;
}

/* S is the membership of a summary that a command wrote. */
static dgm_status expand_set(dgmi_reproduce_making *making, const char *set,
                             dgmi_reproduce_expansion *out) {
    dgm_graph *graph = NULL;
    dgm_summary *summary = NULL;
    dgm_profile *profile = NULL;
    dgm_membership *membership = NULL;
    char name[64], file[64];
    snprintf(name, sizeof name, "data/%s", set);
    snprintf(file, sizeof file, "prop42/%s.json", set);
    dgm_status status = dgmi_reproduce_do(making,
                                          "map %s --lens pagerank --transform rank --intervals 10 "
                                          "--overlap 0.3 -o %s",
                                          name, file);
    if (status == DGM_OK)
        status = dgmi_reproduce_open(making, name, &graph);
    if (status == DGM_OK)
        status = dgmi_reproduce_read(making, file, graph, &summary, &profile);
    if (status == DGM_OK)
        status =
            dgm_membership_from_summary(making->ctx, summary, DGM_MEMBERSHIP_SPLIT, &membership);
    if (status == DGM_OK)
        status = dgmi_reproduce_expand_check(making->ctx, graph, membership, out);
    dgm_membership_free(membership);
    dgm_profile_free(profile);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return status;
}

dgm_status dgmi_reproduce_prop42(dgmi_reproduce_making *making) {
    static const char *const sets[] = {"cora", "citeseer"};
    static const char *const names[] = {"Cora", "CiteSeer"};
    dgmi_reproduce_expansion is[2];
    dgm_status status = DGM_OK;
    dgmi_reproduce_say(making, "S says in which clusters of a summary a node lies, and divides it "
                               "among them. An assignment that joins all clusters would show "
                               "nothing, and such are those that are learned: they are above 0 "
                               "everywhere. Beside the nerve of the proposition stand two that it "
                               "does not claim to be right: of the 1-hop expansion on the graph "
                               "itself, and of S as it is.");
    for (int i = 0; status == DGM_OK && i < 2; i++)
        status = expand_set(making, sets[i], &is[i]);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_head(making, EXPANSION_TITLES);
    for (int i = 0; i < 2; i++)
        put_expansion(making, names[i], &is[i]);
    for (int i = 0; i < 2; i++)
        check_expansion(making, names[i], &is[i]);
    for (int i = 0; i < 2; i++)
        check_controls(making, names[i], &is[i]);
    return DGM_OK;
}

/* ---- proposition 4.1 ---- */

static void check_cut(dgmi_reproduce_making *making, const char *name,
                      const dgmi_reproduce_cut *is) {
    char claim[192];
    snprintf(claim, sizeof claim,
             "%s: the two half-lines cut the largest component into two clusters by the signs, "
             "and no edge joins them.",
             name);
    dgmi_reproduce_judge(
        making, is->certain && is->bipartition && is->clusters == 2 && is->joined == 0, claim,
        "%lld clusters and %lld edges; the least entry is %.2g, and entries are "
        "known to %.1g%s.",
        (long long)is->clusters, (long long)is->joined, is->least, is->error,
        is->certain ? "" : ", so that not all signs are certain");
}

dgm_status dgmi_reproduce_prop41(dgmi_reproduce_making *making) {
    static const char *const sets[] = {"data/cora", "data/citeseer"};
    static const char *const names[] = {"Cora", "CiteSeer"};
    dgmi_reproduce_cut is[2];
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < 2; i++) {
        dgm_graph *graph;
        status = dgmi_reproduce_open(making, sets[i], &graph);
        if (status == DGM_OK)
            status = dgmi_reproduce_cut_check(making->ctx, graph, DGM_LAPLACIAN_PLAIN, &is[i]);
        dgm_graph_free(graph);
    }
    if (status != DGM_OK)
        return status;
    show_itself(making, true);
    dgmi_reproduce_say(making, "The proposition needs a connected graph, so it is checked on the "
                               "largest component, with the Laplacian D - A.");
    dgmi_reproduce_head(making, "graph\tnodes\teigenvalue\tleast entry\tresidual\tnodes below 0\t"
                                "nodes above 0\tedges that are cut");
    for (int i = 0; i < 2; i++)
        dgmi_reproduce_row(making, "%s\t%lld\t%.4g\t%.2g\t%.1g\t%lld\t%lld\t%lld", names[i],
                           (long long)is[i].nodes, is[i].eigenvalue, is[i].least, is[i].residual,
                           (long long)is[i].negative, (long long)is[i].positive,
                           (long long)is[i].crossing);
    for (int i = 0; i < 2; i++)
        check_cut(making, names[i], &is[i]);
    return DGM_OK;
}

/* ---- proposition 4.3 ---- */

/* Sums in another order differ by roundings, and by nothing else. */
#define ROUNDING 1e-12

static bool is_same(const dgmi_reproduce_relabel *is) {
    return is->other_clusters == 0 && is->features < ROUNDING && is->adjacency < ROUNDING;
}

static void check_relabelled(dgmi_reproduce_making *making, const char *name,
                             const dgmi_reproduce_relabel *is) {
    char claim[160];
    snprintf(claim, sizeof claim, "%s: S'X and S'AS do not depend on the order of the nodes.",
             name);
    dgmi_reproduce_judge(making, is_same(is) && is->moved > 0, claim,
                         "%lld relabellings of %lld graphs; the largest difference of S'X is %.1g "
                         "and of S'AS %.1g of the largest entry; other clusters after %lld.",
                         (long long)is->relabellings, (long long)is->graphs, is->features,
                         is->adjacency, (long long)is->other_clusters);
}

/* A random lens goes by the numbers of the nodes: the same comparison must notice. */
static void check_random(dgmi_reproduce_making *making, const char *name,
                         const dgmi_reproduce_relabel *is) {
    char claim[160];
    snprintf(claim, sizeof claim, "%s: with a random lens in place of PageRank they do.", name);
    dgmi_reproduce_judge(making, !is_same(is), claim,
                         "S'X differs by up to %.2f, S'AS by %.2f; other clusters or edges after "
                         "%lld of %lld relabellings.",
                         is->features, is->adjacency, (long long)is->other_clusters,
                         (long long)is->relabellings);
}

/* Relabels Cora and the first graphs of PROTEINS; `more` are keys of the operator. */
static dgm_status relabel(dgmi_reproduce_making *making, const char *more,
                          dgmi_reproduce_relabel *one, dgmi_reproduce_relabel *many) {
    enum { TIMES = 5, GRAPHS = 200 };
    char wide[64], narrow[64];
    dgm_graph *graph = NULL;
    dgm_graph_set *set = NULL;
    snprintf(wide, sizeof wide, "mpr:clusters=20,overlap=0.1%s", more);
    snprintf(narrow, sizeof narrow, "mpr:clusters=8,overlap=0.25%s", more);
    dgm_status status = dgmi_reproduce_open(making, "data/cora", &graph);
    if (status == DGM_OK)
        status = dgmi_reproduce_relabel_graph(making->ctx, graph, wide, TIMES,
                                              making->options->seed, one);
    if (status == DGM_OK)
        status = dgm_graph_set_open(making->ctx, "data/PROTEINS", NULL, &set);
    if (status == DGM_OK)
        status = dgmi_reproduce_relabel_set(making->ctx, set, narrow, GRAPHS, making->options->seed,
                                            many);
    dgm_graph_set_free(set);
    dgm_graph_free(graph);
    return status;
}

dgm_status dgmi_reproduce_prop43(dgmi_reproduce_making *making) {
    dgmi_reproduce_relabel one = {0}, many = {0}, random_one = {0}, random_many = {0};
    dgm_status status = relabel(making, "", &one, &many);
    if (status == DGM_OK)
        status = relabel(making, ",lens=random", &random_one, &random_many);
    if (status != DGM_OK)
        return status;
    show_itself(making, true);
    check_relabelled(making, "Cora", &one);
    check_relabelled(making, "Proteins", &many);
    check_random(making, "Cora", &random_one);
    check_random(making, "Proteins", &random_many);
    return DGM_OK;
}
