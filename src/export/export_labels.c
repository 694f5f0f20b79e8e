/* SPDX-License-Identifier: Apache-2.0 */
/* Which classes the members of a cluster belong to. */
#include "export_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"
#include "base_utf8.h"

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names stand for classes if there is one for each, all different and all valid text: as keys of a
 * JSON object they must neither clash nor be repaired. */
static dgm_status judge_class_names(dgmi_export *job) {
    int32_t classes = (int32_t)job->classes, named = 0;
    for (const char *name; named < classes; named++)
        if (!(name = dgm_graph_class_name(job->graph, named)) ||
            dgmi_utf8_check(name, strlen(name)) < strlen(name))
            return DGM_OK;
    const char **names = dgmi_scratch(job->ctx, classes, sizeof *names);
    if (!names)
        return DGM_ERROR_MEMORY;
    for (int32_t c = 0; c < classes; c++)
        names[c] = dgm_graph_class_name(job->graph, c);
    qsort(names, (size_t)classes, sizeof *names, compare_texts);
    for (int32_t c = 1; c < classes; c++)
        if (strcmp(names[c - 1], names[c]) == 0)
            return DGM_OK;
    job->named = true;
    return DGM_OK;
}

dgm_status dgmi_export_labels_open(dgmi_export *job) {
    int32_t predicted;
    job->labels = dgm_graph_labels(job->graph);
    job->predictions = dgm_graph_predictions(job->graph);
    dgm_graph_probabilities(job->graph, &predicted);
    if (!job->labels && !job->predictions)
        return DGM_OK;
    job->classes = dgm_graph_classes(job->graph);
    if (job->classes < predicted)
        job->classes = predicted;
    int64_t fewer = job->classes < job->largest ? job->classes : job->largest;
    job->sorted = dgmi_scratch(job->ctx, job->largest, sizeof *job->sorted);
    job->counts = dgmi_scratch_zero(job->ctx, fewer, sizeof *job->counts);
    job->tally = dgmi_scratch(job->ctx, fewer, sizeof *job->tally);
    if (!job->sorted || !job->counts || !job->tally)
        return DGM_ERROR_MEMORY;
    return judge_class_names(job);
}

/* For clusters with at least as many members as there are classes. */
static int64_t tally_by_counting(dgmi_export *job, const int32_t *labels, const uint32_t *members,
                                 int64_t size) {
    int64_t distinct = 0;
    for (int64_t i = 0; i < size; i++)
        if (labels[members[i]] >= 0)
            job->counts[labels[members[i]]]++;
    for (int64_t c = 0; c < job->classes; c++) {
        if (job->counts[c])
            job->tally[distinct++] = (dgmi_tally){(int32_t)c, job->counts[c]};
        job->counts[c] = 0;
    }
    return distinct;
}

static int compare_labels(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* For small clusters of graphs with many classes. */
static int64_t tally_by_sorting(dgmi_export *job, const int32_t *labels, const uint32_t *members,
                                int64_t size) {
    int64_t labelled = 0, distinct = 0;
    for (int64_t i = 0; i < size; i++)
        if (labels[members[i]] >= 0)
            job->sorted[labelled++] = labels[members[i]];
    qsort(job->sorted, (size_t)labelled, sizeof *job->sorted, compare_labels);
    for (int64_t i = 0; i < labelled; i++) {
        if (i == 0 || job->sorted[i] != job->sorted[i - 1])
            job->tally[distinct++] = (dgmi_tally){job->sorted[i], 0};
        job->tally[distinct - 1].count++;
    }
    return distinct;
}

const dgmi_tally *dgmi_export_tally(dgmi_export *job, const int32_t *labels, int64_t cluster,
                                    int64_t *count) {
    const uint32_t *members = job->clusters.members + job->clusters.offsets[cluster];
    int64_t size = dgmi_export_size(job, cluster);
    *count = size >= job->classes ? tally_by_counting(job, labels, members, size)
                                  : tally_by_sorting(job, labels, members, size);
    return job->tally;
}

int64_t dgmi_export_mistakes(const dgmi_export *job, int64_t cluster) {
    const dgm_summary_clusters *clusters = &job->clusters;
    int64_t mistakes = 0;
    for (int64_t i = clusters->offsets[cluster]; i < clusters->offsets[cluster + 1]; i++) {
        int32_t label = job->labels[clusters->members[i]];
        mistakes += label >= 0 && label != job->predictions[clusters->members[i]];
    }
    return mistakes;
}

dgmi_tally dgmi_export_majority(dgmi_export *job, int64_t cluster) {
    int64_t count;
    const dgmi_tally *tally = dgmi_export_tally(job, job->labels, cluster, &count);
    dgmi_tally most = {-1, 0};
    for (int64_t i = 0; i < count; i++)
        if (tally[i].count > most.count)
            most = tally[i];
    return most;
}

const char *dgmi_export_class(const dgmi_export *job, int32_t label,
                              char buffer[DGMI_NUMBER_SPACE]) {
    if (job->named)
        return dgm_graph_class_name(job->graph, label);
    snprintf(buffer, DGMI_NUMBER_SPACE, "%d", label);
    return buffer;
}
