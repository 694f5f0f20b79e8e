/* SPDX-License-Identifier: Apache-2.0 */
/* The loops and branches of a report: which clusters they lead through, and who is in them. */
#include "export_report.h"

static void put(dgmi_export_page *page, const char *words) {
    dgmi_export_words(page, words);
}

/* "3 (Theory: 14, 2), 7 (Theory: 9)": each cluster with its class and who stands out in it. */
static void put_way(dgmi_export_page *page, const uint32_t *clusters, int64_t count,
                    const dgm_report_cluster *const *by_number, const char *between) {
    enum { MOST = 24, NAMED = 2 };
    for (int64_t i = 0; i < count && i < MOST; i++) {
        const dgm_report_cluster *cluster = by_number[clusters[i]];
        put(page, i ? between : "");
        dgmi_text_format(page->to, "%u", clusters[i]);
        put(page, cluster->class_index >= 0 || cluster->members.count ? " (" : "");
        if (cluster->class_index >= 0)
            dgmi_export_class(page, cluster->main_class.value);
        put(page, cluster->class_index >= 0 && cluster->members.count ? ": " : "");
        for (int64_t k = 0; k < cluster->members.count && k < NAMED; k++) {
            put(page, k ? ", " : "");
            dgmi_export_member(page, &cluster->members.items[k]);
        }
        put(page, cluster->class_index >= 0 || cluster->members.count ? ")" : "");
    }
    if (count > MOST) {
        put(page, " and ");
        dgmi_export_count(page, count - MOST);
        put(page, " more");
    }
}

static void put_loop(dgmi_export_page *page, int64_t index,
                     const dgm_report_cluster *const *by_number) {
    const dgm_report_loop *loop = &dgm_report_loops(page->report)[index];
    dgmi_export_item(page);
    dgmi_text_format(page->to, "Loop %lld, ", (long long)index + 1);
    dgmi_export_count_of(page, loop->cluster_count, "cluster");
    put(page, " with ");
    dgmi_export_count_of(page, loop->members.total, "node");
    put(page, ": ");
    put_way(page, loop->clusters, loop->cluster_count, by_number, " - ");
    dgmi_export_item_end(page);
    dgmi_export_step(page->job);
}

void dgmi_export_loops(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    const dgm_report_totals *totals = &page->totals;
    if (totals->clusters == 0)
        return;
    dgmi_export_heading(page, 2, "Loops");
    if (totals->loops <= 0) {
        put(page, totals->loops < 0 ? "The file does not name the members, so its loops cannot be "
                                      "followed."
                                    : "There is no loop that triangles of clusters do not fill.");
        dgmi_export_paragraph_end(page);
        return;
    }
    put(page, "Ways around something that no triangles of clusters fill: clusters in order around "
              "the loop, each with its most frequent class and its best connected members.");
    if (!totals->loops_short)
        put(page, " They are too many to look for the shortest.");
    dgmi_export_paragraph_end(page);
    for (int64_t i = 0; i < totals->loops_told; i++)
        put_loop(page, i, by_number);
    dgmi_text_string(page->to, totals->loops_told ? "\n" : "");
    if (totals->loops_told < totals->loops)
        dgmi_export_rest(page, totals->loops - totals->loops_told, "loop", 0, ".");
}

static void put_branch(dgmi_export_page *page, int64_t index,
                       const dgm_report_cluster *const *by_number) {
    const dgm_report_branch *branch = &dgm_report_branches(page->report)[index];
    dgmi_export_item(page);
    dgmi_text_format(page->to, "Branch %lld, ", (long long)index + 1);
    dgmi_export_count_of(page, branch->cluster_count, "cluster");
    put(page, " with ");
    dgmi_export_count_of(page, branch->members.total, "node");
    if (branch->root == DGM_REPORT_NO_CLUSTER)
        put(page, ", a piece of its own: ");
    else
        dgmi_text_format(page->to, ", from cluster %u: ", branch->root);
    bool forks = branch->end_count > 1 && branch->root != DGM_REPORT_NO_CLUSTER;
    put_way(page, branch->clusters, branch->cluster_count, by_number, forks ? "; " : " - ");
    put(page, branch->end_count == 1 ? "; its end is cluster " : "; its ends are clusters ");
    dgmi_export_cluster_list(page, branch->ends, branch->end_count, NULL);
    dgmi_export_item_end(page);
    dgmi_export_step(page->job);
}

void dgmi_export_branches(dgmi_export_page *page, const dgm_report_cluster *const *by_number) {
    const dgm_report_totals *totals = &page->totals;
    if (totals->clusters == 0)
        return;
    dgmi_export_heading(page, 2, "Branches");
    if (totals->branches == 0) {
        put(page, "Nothing hangs on the rest of the summary by one cluster alone.");
        dgmi_export_paragraph_end(page);
        return;
    }
    put(page, "Parts of the summary without any loop that hang on the rest by one cluster, the "
              "nearest cluster first.");
    dgmi_export_paragraph_end(page);
    for (int64_t i = 0; i < totals->branches_told; i++)
        put_branch(page, i, by_number);
    dgmi_text_string(page->to, totals->branches_told ? "\n" : "");
    if (totals->branches_told < totals->branches)
        dgmi_export_rest(page, totals->branches - totals->branches_told, "branch", 0, ".");
}
