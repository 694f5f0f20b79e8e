/* SPDX-License-Identifier: Apache-2.0 */
/* Words that several sections of a report use: names, members, classes, lists of clusters. */
#include "export_report.h"

#include <math.h>
#include <string.h>

static void put(dgmi_export_page *page, const char *words) {
    dgmi_export_words(page, words);
}

void dgmi_export_name(dgmi_export_page *page, const char *name) {
    dgmi_export_data(page, name, strlen(name));
}

void dgmi_export_class(dgmi_export_page *page, const char *name) {
    if (*name >= '0' && *name <= '9')
        put(page, "class ");
    dgmi_export_name(page, name);
}

void dgmi_export_member(dgmi_export_page *page, const dgm_report_member *member) {
    dgmi_export_data(page, member->name, member->length);
}

/* "33, 0, 2 and 14 more" */
void dgmi_export_members(dgmi_export_page *page, const dgm_report_members *members) {
    for (int64_t i = 0; i < members->count; i++) {
        put(page, i ? ", " : "");
        dgmi_export_member(page, &members->items[i]);
    }
    if (members->count == 0)
        put(page, "not named in the file");
    else if (members->count < members->total) {
        put(page, " and ");
        dgmi_export_count(page, members->total - members->count);
        put(page, " more");
    }
}

/* "q 0.003", or nothing where it is not known. */
void dgmi_export_rate(dgmi_export_page *page, double q) {
    if (isnan(q))
        return;
    put(page, ", q ");
    dgmi_export_chance(page, q);
}

/* "Theory 13 of 14 (93%, 3.1 times chance, q 0.003)" */
static void put_class(dgmi_export_page *page, const dgm_difference *class_) {
    dgmi_export_class(page, class_->value);
    put(page, " ");
    dgmi_export_count(page, class_->yes);
    put(page, " of ");
    dgmi_export_count(page, class_->inside);
    put(page, " (");
    dgmi_export_percent(page, class_->mean);
    put(page, ", ");
    dgmi_export_decimals(page, class_->lift);
    put(page, " times chance");
    dgmi_export_rate(page, class_->q);
    put(page, class_->seen ? ", seen by the lens)" : ")");
}

void dgmi_export_classes(dgmi_export_page *page, const dgm_report_differences *classes) {
    for (int64_t i = 0; i < classes->count; i++) {
        put(page, i ? "; " : "");
        put_class(page, &classes->items[i]);
    }
}

/* The cell of classes above chance in a table: "Theory (93%), Case_Based (5%)". */
void dgmi_export_class_cell(dgmi_export_page *page, const dgm_report_differences *classes) {
    enum { MOST = 3 };
    for (int64_t i = 0; i < classes->count && i < MOST; i++) {
        put(page, i ? ", " : "");
        dgmi_export_class(page, classes->items[i].value);
        put(page, " (");
        dgmi_export_percent(page, classes->items[i].mean);
        put(page, ")");
    }
    if (classes->count > MOST) {
        put(page, " and ");
        dgmi_export_count(page, classes->count - MOST);
        put(page, " more");
    }
    if (classes->count == 0)
        put(page, "-");
}

void dgmi_export_label(dgmi_export_page *page, const char *words) {
    dgmi_export_item(page);
    put(page, words);
    put(page, ": ");
}

bool dgmi_export_has_classes(const dgmi_export_page *page) {
    return dgm_profile_labels(page->job->profile).offsets != NULL;
}

/* "12 more clusters of at most 3 nodes are not listed here." `most` is 0 if they have no size. */
void dgmi_export_rest(dgmi_export_page *page, int64_t count, const char *noun, int64_t most,
                      const char *advice) {
    dgmi_export_count(page, count);
    put(page, " more ");
    dgmi_export_noun(page, count, noun);
    if (most) {
        put(page, " of at most ");
        dgmi_export_count_of(page, most, "node");
    }
    put(page, count == 1 ? " is not listed here" : " are not listed here");
    put(page, advice);
    dgmi_export_paragraph_end(page);
}

/* "3 (Theory), 7" */
void dgmi_export_cluster_list(dgmi_export_page *page, const uint32_t *clusters, int64_t count,
                              const dgm_report_cluster *const *by_number) {
    enum { MOST = 8 };
    for (int64_t i = 0; i < count && i < MOST; i++) {
        dgmi_text_format(page->to, "%s%u", i ? ", " : "", clusters[i]);
        if (by_number && by_number[clusters[i]]->class_index >= 0) {
            put(page, " (");
            dgmi_export_class(page, by_number[clusters[i]]->main_class.value);
            put(page, ")");
        }
    }
    if (count > MOST) {
        put(page, " and ");
        dgmi_export_count(page, count - MOST);
        put(page, " more");
    }
}
