/* SPDX-License-Identifier: Apache-2.0 */
/* Figures 1, 4 and 9: the graph of spammers and others, which the program makes itself. */
#include <stdio.h>
#include <string.h>

#include "base_memory.h"
#include "reproduce_measure.h"
#include "reproduce_parts.h"

/* The network of the authors' code. */
#define LENS "--lens gcn:preset=reference"
/* The paper prints neither n nor g for its figures of spam; these are those of the authors' code. */
#define COVER "--intervals 20 --overlap 0.1"

/* What figures of spam look at. Class 1 is spam. */
enum { OTHERS = 0, SPAM = 1 };
typedef struct spam_seen {
    dgm_graph *graph;
    dgm_summary *summary;
    dgm_profile *profile;
    int32_t *truth, *said; /* the most frequent class of each cluster: of labels, of predictions */
    dgmi_reproduce_sizes spammers, others; /* clusters by truth */
    dgmi_reproduce_sizes all;              /* all clusters */
} spam_seen;

static void forget(dgmi_reproduce_making *making, spam_seen *spam) {
    dgmi_free(making->ctx, spam->truth);
    dgmi_free(making->ctx, spam->said);
    dgm_profile_free(spam->profile);
    dgm_summary_free(spam->summary);
    dgm_graph_free(spam->graph);
    memset(spam, 0, sizeof *spam);
}

static dgm_status find_majorities(dgmi_reproduce_making *making, spam_seen *spam) {
    int64_t count = dgm_summary_get_clusters(spam->summary).count;
    spam->truth = dgmi_alloc(making->ctx, count, sizeof *spam->truth);
    spam->said = dgmi_alloc(making->ctx, count, sizeof *spam->said);
    if (!spam->truth || !spam->said)
        return DGM_ERROR_MEMORY;
    dgmi_reproduce_majorities(dgm_profile_labels(spam->profile), count, spam->truth);
    dgmi_reproduce_majorities(dgm_profile_predictions(spam->profile), count, spam->said);
    dgm_status status = dgmi_reproduce_measure_sizes(making->ctx, spam->summary, spam->truth, SPAM,
                                                     &spam->spammers);
    if (status == DGM_OK)
        status = dgmi_reproduce_measure_sizes(making->ctx, spam->summary, spam->truth, OTHERS,
                                              &spam->others);
    if (status == DGM_OK)
        status = dgmi_reproduce_measure_sizes(making->ctx, spam->summary, spam->truth,
                                              DGMI_REPRODUCE_ANY, &spam->all);
    return status;
}

/* Reads what a command wrote, and measures it. On failure nothing is left to forget. */
static dgm_status look_at(dgmi_reproduce_making *making, const char *file, spam_seen *spam) {
    memset(spam, 0, sizeof *spam);
    dgm_status status = dgmi_reproduce_open(making, "spam", &spam->graph);
    if (status == DGM_OK)
        status = dgmi_reproduce_read(making, file, spam->graph, &spam->summary, &spam->profile);
    if (status == DGM_OK)
        status = find_majorities(making, spam);
    if (status != DGM_OK)
        forget(making, spam);
    return status;
}

static void tabulate(dgmi_reproduce_making *making, const char *set, const spam_seen *spam) {
    const dgmi_reproduce_sizes *sides[2] = {&spam->spammers, &spam->others};
    for (int i = 0; i < 2; i++)
        dgmi_reproduce_row(making, "%s\t%s\t%lld\t%.1f\t%.1f\t%lld", set,
                           i == 0 ? "spammers" : "others", (long long)sides[i]->clusters,
                           sides[i]->mean, sides[i]->median, (long long)sides[i]->largest);
}

#define SIZE_TITLES "set\tmostly\tclusters\tmean nodes\tmedian nodes\tlargest"

/* ---- figure 1 ---- */

static void check_sizes(dgmi_reproduce_making *making, const char *set, const spam_seen *spam) {
    const dgmi_reproduce_sizes *bad = &spam->spammers, *good = &spam->others;
    char claim[160];
    snprintf(claim, sizeof claim, "%s: fewer clusters are mostly spammers than mostly others.",
             set);
    dgmi_reproduce_judge(making, bad->clusters < good->clusters, claim, "%lld against %lld.",
                         (long long)bad->clusters, (long long)good->clusters);
    snprintf(claim, sizeof claim, "%s: the clusters of spammers are larger on average.", set);
    dgmi_reproduce_judge(making, bad->mean > good->mean, claim,
                         "a mean of %.1f nodes against %.1f, and a largest of %lld against %lld.",
                         bad->mean, good->mean, (long long)bad->largest, (long long)good->largest);
}

static dgm_status compare_sizes_of(dgmi_reproduce_making *making) {
    static const char *const files[2] = {"fig1/dgm.json", "fig1/authors.json"};
    static const char *const sets[2] = {"gain rule", "authors' settings"};
    spam_seen seen[2];
    dgm_status status = look_at(making, files[0], &seen[0]);
    if (status != DGM_OK)
        return status;
    status = look_at(making, files[1], &seen[1]);
    if (status == DGM_OK) {
        dgmi_reproduce_head(making, SIZE_TITLES);
        for (int i = 0; i < 2; i++)
            tabulate(making, sets[i], &seen[i]);
        for (int i = 0; i < 2; i++)
            check_sizes(making, sets[i], &seen[i]);
        forget(making, &seen[1]);
    }
    forget(making, &seen[0]);
    return status;
}

dgm_status dgmi_reproduce_fig1(dgmi_reproduce_making *making) {
    dgmi_reproduce_say(making, "The paper names neither the number of intervals nor the overlap of "
                               "this figure. Ours are 20 and 0.1, as in the authors' code; nothing "
                               "is filtered. The second set drops pieces of fewer than 4 nodes, "
                               "as that code does.");
    dgm_status status = dgmi_reproduce_do(making, "draw spam --colour labels -o fig1/graph.png");
    if (status == DGM_OK)
        status =
            dgmi_reproduce_do(making, "map spam " LENS " " COVER " --colour lens --style paper "
                                      "-o fig1/dgm.json -o fig1/dgm.svg");
    if (status == DGM_OK)
        status =
            dgmi_reproduce_do(making, "map spam " LENS " " COVER
                                      " --compat dgm --min-component 4 --colour lens --style paper "
                                      "-o fig1/authors.json -o fig1/authors.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig1/graph.png", "The whole graph.");
    dgmi_reproduce_show(making, "fig1/dgm.svg",
                        "Its summary through the network's probability of spam.");
    dgmi_reproduce_show(making, "fig1/authors.svg", "The same with the authors' settings.");
    return compare_sizes_of(making);
}

/* ---- figure 4 ---- */

/* Clusters whose most frequent prediction is not their most frequent class. */
typedef struct misjudged {
    int64_t all;   /* either way */
    int64_t small; /* those of them that are at most as large as the median cluster */
    int64_t spam;  /* those that are called spam */
} misjudged;

static misjudged count_misjudged(const spam_seen *spam, double median) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(spam->summary);
    misjudged count = {0, 0, 0};
    for (int64_t c = 0; c < clusters.count; c++)
        if (spam->said[c] != spam->truth[c]) {
            count.all++;
            count.small += (double)(clusters.offsets[c + 1] - clusters.offsets[c]) <= median;
            count.spam += spam->said[c] == SPAM;
        }
    return count;
}

enum { LISTED = 10 };

static void list_mistakes(dgmi_reproduce_making *making, const spam_seen *spam) {
    dgm_profile_dispute disputes[LISTED];
    int64_t count = dgm_profile_disputes(spam->profile, LISTED, disputes);
    dgmi_reproduce_head(making, "cluster\tnodes\tmistakes\tmost frequent mistake\tnodes of it");
    for (int64_t i = 0; i < count; i++)
        dgmi_reproduce_row(making, "#%u\t%lld\t%lld\t%s taken for %s\t%lld", disputes[i].cluster,
                           (long long)disputes[i].judged, (long long)disputes[i].mistakes,
                           disputes[i].label ? disputes[i].label : "?",
                           disputes[i].prediction ? disputes[i].prediction : "?",
                           (long long)disputes[i].confused);
}

static void check_misjudged(dgmi_reproduce_making *making, const spam_seen *spam) {
    int64_t clusters = dgm_summary_get_clusters(spam->summary).count;
    double median = spam->all.median;
    misjudged count = count_misjudged(spam, median);
    dgmi_reproduce_judge(making, count.all > 0,
                         "The two pictures show clusters that the network mostly gets wrong.",
                         "%lld of %lld clusters.", (long long)count.all, (long long)clusters);
    dgmi_reproduce_judge(making, 2 * count.small > count.all,
                         "Most of these are small: at most as large as the median cluster.",
                         "%lld of %lld have at most %.1f nodes.", (long long)count.small,
                         (long long)count.all, median);
    dgmi_reproduce_judge(making, 2 * count.spam > count.all,
                         "In most of these the network sees spam where there is none.",
                         "%lld of %lld; in the others it misses spammers.", (long long)count.spam,
                         (long long)count.all);
}

static dgm_status check_mistakes(dgmi_reproduce_making *making) {
    spam_seen spam;
    dgm_status status = look_at(making, "fig4/dgm.json", &spam);
    if (status != DGM_OK)
        return status;
    dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(spam.profile);
    dgm_judged judged = dgm_judged_sum(mistakes.covered);
    dgmi_reproduce_say(making,
                       "The network errs at %lld of %lld nodes. The clusters with the largest "
                       "share of mistakes, those of many nodes first:",
                       (long long)judged.mistakes, (long long)judged.judged);
    list_mistakes(making, &spam);
    check_misjudged(making, &spam);
    forget(making, &spam);
    return DGM_OK;
}

dgm_status dgmi_reproduce_fig4(dgmi_reproduce_making *making) {
    dgm_status status =
        dgmi_reproduce_do(making, "map spam " LENS " " COVER " --style paper -o fig4/dgm.json");
    if (status == DGM_OK)
        status = dgmi_reproduce_do(making, "draw fig4/dgm.json --compare prediction,labels --style "
                                           "paper --dust show --width 170mm -o fig4/compare.svg");
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig4/compare.svg",
                        "By prediction and by truth; the clusters that differ most are ringed.");
    return check_mistakes(making);
}

/* ---- figure 9 ---- */

static bool shares_nodes(const dgm_summary *summary) {
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t i = 0; i < count; i++)
        if (edges[i].shared > 0)
            return true;
    return false;
}

/* Edges at the clusters of one class, per cluster. */
static double mean_degree(const spam_seen *spam, int32_t class_index, int64_t clusters) {
    int32_t other = class_index == SPAM ? OTHERS : SPAM;
    int64_t inside =
        dgmi_reproduce_count_edges(spam->summary, spam->truth, class_index, class_index);
    int64_t across = dgmi_reproduce_count_edges(spam->summary, spam->truth, class_index, other);
    return clusters > 0 ? (double)(2 * inside + across) / (double)clusters : 0;
}

static void check_structure(dgmi_reproduce_making *making, const char *set, const spam_seen *spam,
                            int64_t nerve_across) {
    char claim[200];
    int64_t across = dgmi_reproduce_count_edges(spam->summary, spam->truth, SPAM, OTHERS);
    double bad = mean_degree(spam, SPAM, spam->spammers.clusters);
    double good = mean_degree(spam, OTHERS, spam->others.clusters);
    snprintf(claim, sizeof claim,
             "%s: clusters of spammers have more edges than clusters of others.", set);
    dgmi_reproduce_judge(making, bad > good, claim, "%.1f edges a cluster against %.1f.", bad,
                         good);
    snprintf(claim, sizeof claim, "%s: the others form smaller groups.", set);
    dgmi_reproduce_judge(making, spam->others.mean < spam->spammers.mean, claim,
                         "a mean of %.1f nodes against %.1f.", spam->others.mean,
                         spam->spammers.mean);
    snprintf(claim, sizeof claim,
             "%s: more edges join spammers with others than in the summary of figure 1.", set);
    dgmi_reproduce_judge(making, across > nerve_across, claim, "%lld edges against %lld.",
                         (long long)across, (long long)nerve_across);
    snprintf(claim, sizeof claim, "%s: without overlap all edges are structural.", set);
    dgmi_reproduce_judge(making, !shares_nodes(spam->summary), claim,
                         shares_nodes(spam->summary) ? "some clusters share nodes."
                                                     : "no two clusters share a node.");
}

static dgm_status compare_edges(dgmi_reproduce_making *making) {
    static const char *const files[2] = {"fig9/sdgm.json", "fig9/authors.json"};
    static const char *const sets[2] = {"gain rule", "authors' settings"};
    spam_seen seen;
    dgm_status status = look_at(making, "fig9/dgm.json", &seen);
    if (status != DGM_OK)
        return status;
    int64_t across = dgmi_reproduce_count_edges(seen.summary, seen.truth, SPAM, OTHERS);
    forget(making, &seen);
    for (int i = 0; i < 2; i++) {
        status = look_at(making, files[i], &seen);
        if (status != DGM_OK)
            return status;
        dgmi_reproduce_head(making, SIZE_TITLES);
        tabulate(making, sets[i], &seen);
        check_structure(making, sets[i], &seen, across);
        forget(making, &seen);
    }
    return DGM_OK;
}

dgm_status dgmi_reproduce_fig9(dgmi_reproduce_making *making) {
    static const char *const compat[2] = {"", " --compat dgm --min-component 4"};
    static const char *const names[2] = {"sdgm", "authors"};
    dgm_status status = dgmi_reproduce_do(making, "map spam " LENS " " COVER " -o fig9/dgm.json");
    for (int i = 0; status == DGM_OK && i < 2; i++)
        status =
            dgmi_reproduce_do(making,
                              "map spam " LENS " --intervals 20 --overlap 0 --edges "
                              "structural --eps 0.01%s --colour lens --style paper -o fig9/%s.json "
                              "-o fig9/%s.svg",
                              compat[i], names[i], names[i]);
    if (status != DGM_OK)
        return status;
    dgmi_reproduce_show(making, "fig9/sdgm.svg", "SDGM of the spam graph.");
    dgmi_reproduce_show(making, "fig9/authors.svg", "The same with the authors' settings.");
    return compare_edges(making);
}
