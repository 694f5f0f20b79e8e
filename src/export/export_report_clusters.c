/* SPDX-License-Identifier: Apache-2.0 */
/* The clusters of a report: the largest in full, the others as a table. */
#include "export_report.h"

#include <math.h>

/* Clusters of fewer members than FULL_MEMBERS are told in a row of the table. */
enum { FULL_CLUSTERS = 30, FULL_MEMBERS = 3, LISTED_CLUSTERS = 200 };

static void put(dgmi_export_page *page, const char *words) {
    dgmi_export_words(page, words);
}

/* The cell of a class in a table: "Theory (93%)". */
static void put_main_class(dgmi_export_page *page, const dgm_report_cluster *cluster) {
    if (cluster->class_index < 0) {
        put(page, "-");
        return;
    }
    dgmi_export_class(page, cluster->main_class.value);
    put(page, " (");
    dgmi_export_percent(page, cluster->main_class.mean);
    put(page, ")");
}

/* "town = Rome", "feature 12" */
static void put_column(dgmi_export_page *page, const dgm_difference *difference) {
    if (difference->name) {
        dgmi_export_name(page, difference->name);
    } else {
        put(page, "feature ");
        dgmi_text_integer(page->to, difference->column);
    }
    if (difference->value) {
        put(page, " = ");
        dgmi_export_name(page, difference->value);
    }
}

/* "age: 45.1 against 30.2 (delta +0.52, q 1e-6)", "town = Rome: 88% against 8% (...)" */
static void put_difference(dgmi_export_page *page, const dgm_difference *difference) {
    bool question = difference->kind == DGM_COLUMN_TEXT || difference->kind == DGM_COLUMN_FEATURE;
    void (*put_mean)(dgmi_export_page *, double) =
        question ? dgmi_export_percent : dgmi_export_number;
    put_column(page, difference);
    put(page, ": ");
    put_mean(page, difference->mean);
    put(page, " against ");
    put_mean(page, difference->mean_outside);
    put(page, " (delta ");
    dgmi_export_signed(page, difference->delta);
    dgmi_export_rate(page, difference->q);
    put(page, difference->seen ? ", seen by the lens)" : ")");
}

static void put_differences(dgmi_export_page *page, const dgm_report_differences *differences) {
    if (differences->total == 0)
        return;
    dgmi_export_label(page, "**Differs**");
    for (int64_t i = 0; i < differences->count; i++) {
        put(page, i ? "; " : "");
        put_difference(page, &differences->items[i]);
    }
    if (differences->count < differences->total) {
        put(page, "; and ");
        dgmi_export_count(page, differences->total - differences->count);
        put(page, " more");
    }
    dgmi_export_item_end(page);
}

/* A class that chance may explain is told too, with its p. */
static void put_unclear_class(dgmi_export_page *page, const dgm_difference *class_) {
    dgmi_export_class(page, class_->value);
    put(page, " ");
    dgmi_export_count(page, class_->yes);
    put(page, " of ");
    dgmi_export_count(page, class_->inside);
    put(page, " (");
    dgmi_export_percent(page, class_->mean);
    if (!isnan(class_->lift)) {
        put(page, ", ");
        dgmi_export_decimals(page, class_->lift);
        put(page, " times chance");
    }
    if (!isnan(class_->p)) {
        put(page, ", p ");
        dgmi_export_chance(page, class_->p);
        put(page, ": not clear of chance over all clusters");
    }
    put(page, ")");
}

static void put_cluster_class(dgmi_export_page *page, const dgm_report_cluster *cluster) {
    if (cluster->class_index < 0)
        return;
    dgmi_export_label(page, "**Class**");
    if (cluster->classes.count)
        dgmi_export_classes(page, &cluster->classes);
    else
        put_unclear_class(page, &cluster->main_class);
    dgmi_export_item_end(page);
}

static void put_cluster_mistakes(dgmi_export_page *page, int64_t cluster) {
    const dgm_profile *profile = page->job->profile;
    const int64_t *judged = dgm_profile_judged(profile);
    int64_t count;
    if (!judged || !judged[cluster] || !dgm_profile_mistakes(profile)[cluster])
        return;
    dgmi_export_label(page, "**Wrong**");
    dgmi_export_count(page, dgm_profile_mistakes(profile)[cluster]);
    put(page, " of ");
    dgmi_export_count_of(page, judged[cluster], "prediction");
    const dgm_profile_mixup *mixups = dgm_profile_mixups(profile, cluster, &count);
    for (int64_t i = 0; i < count; i++) {
        put(page, i ? ", " : "; ");
        dgmi_export_class(page, dgm_profile_class_name(profile, mixups[i].label));
        put(page, " taken for ");
        dgmi_export_class(page, dgm_profile_class_name(profile, mixups[i].prediction));
        put(page, " ");
        dgmi_export_count(page, mixups[i].count);
    }
    dgmi_export_item_end(page);
}

static void put_cluster_heading(dgmi_export_page *page, const dgm_report_cluster *cluster) {
    if (page->markdown)
        put(page, "### ");
    dgmi_text_format(page->to, "Cluster %u: ", cluster->cluster);
    dgmi_export_count_of(page, cluster->members.total, "node");
    if (page->totals.pieces > 1)
        dgmi_text_format(page->to, ", in piece %lld", (long long)cluster->piece + 1);
    dgmi_text_string(page->to, page->markdown ? "\n\n" : "\n");
}

static void put_cluster(dgmi_export_page *page, const dgm_report_cluster *cluster) {
    put_cluster_heading(page, cluster);
    dgmi_export_label(page, "**Who**");
    dgmi_export_members(page, &cluster->members);
    dgmi_export_item_end(page);
    put_cluster_class(page, cluster);
    put_cluster_mistakes(page, cluster->cluster);
    put_differences(page, &cluster->differences);
    dgmi_text_string(page->to, "\n");
    dgmi_export_step(page->job);
}

static void put_cluster_row(dgmi_export_page *page, const dgm_report_cluster *cluster) {
    dgmi_text_integer(page->to, cluster->cluster);
    dgmi_export_cell_end(page);
    dgmi_export_count(page, cluster->members.total);
    dgmi_export_cell_end(page);
    dgmi_text_integer(page->to, cluster->piece + 1);
    dgmi_export_cell_end(page);
    if (dgmi_export_has_classes(page)) {
        put_main_class(page, cluster);
        dgmi_export_cell_end(page);
    }
    dgmi_export_members(page, &cluster->members);
    dgmi_export_cell_end(page);
}

static void put_smaller_clusters(dgmi_export_page *page, int64_t from) {
    const dgm_report_cluster *clusters = dgm_report_clusters(page->report);
    int64_t count = page->totals.clusters, end = from + LISTED_CLUSTERS;
    end = end < count ? end : count;
    if (page->markdown)
        dgmi_export_heading(page, 3, "Smaller clusters");
    dgmi_export_grid_begin(page, dgmi_export_has_classes(page)
                                     ? ">cluster|>nodes|>piece|most frequent class|who"
                                     : ">cluster|>nodes|>piece|who");
    for (int64_t i = from; i < end; i++)
        put_cluster_row(page, &clusters[i]);
    dgmi_export_grid_end(page);
    if (end < count) {
        dgmi_export_rest(page, count - end, "cluster", clusters[end].members.total,
                         "; -o FILE.csv writes all clusters with all of their members.");
    }
}

void dgmi_export_clusters(dgmi_export_page *page) {
    const dgm_report_cluster *clusters = dgm_report_clusters(page->report);
    int64_t count = page->totals.clusters, full = 0;
    if (count == 0)
        return;
    while (full < count && full < FULL_CLUSTERS && clusters[full].members.total >= FULL_MEMBERS)
        full++;
    dgmi_export_heading(page, 2, "Clusters");
    if (page->totals.columns) {
        put(page, "The largest first. Delta is Cliff's: the chance that a member has the larger "
                  "value, less the chance that it has the smaller one, against a node outside.");
        dgmi_export_paragraph_end(page);
    }
    if (page->totals.left_out) {
        dgmi_export_count_of(page, page->totals.left_out, "column");
        put(page, " of dense features are too many to compare, and are left out.");
        dgmi_export_paragraph_end(page);
    }
    for (int64_t i = 0; i < full && page->to->status == DGM_OK; i++)
        put_cluster(page, &clusters[i]);
    if (full < count)
        put_smaller_clusters(page, full);
}
