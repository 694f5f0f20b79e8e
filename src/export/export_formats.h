/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of summaries share: the text under way, escaping, looks. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "dgm/export.h"

#include "base_text.h"
#include "io_output.h"

/* How many members of a cluster carry a label. */
typedef struct dgmi_tally {
    int32_t label;
    int64_t count;
} dgmi_tally;

/* One summary on its way out. Writers append to `text` and check nothing: a failure of any kind,
 * also of the output or a wish to stop, is kept in text.status, and loops over clusters, members
 * and edges end on it. */
typedef struct dgmi_export {
    dgm_context *ctx;
    const dgm_summary *summary;
    const dgm_graph *graph;
    dgm_provenance provenance; /* no NULL in it */
    dgm_summary_clusters clusters;
    const dgm_summary_edge *edges;
    int64_t edge_count;
    const char **axes; /* columns of the lens as attributes: "lens_pagerank", all different; scratch
                          memory */

    dgmi_text text;
    dgmi_output *output; /* takes the text piece by piece; NULL: all of it stays in `text` */
    int64_t pause;       /* length of text at which it is handed on */
    bool replaced;       /* some bytes were replaced by U+FFFD */

    /* labels, if the graph has any (export_labels.c); scratch memory */
    const int32_t *labels;
    const int32_t *predictions; /* by a classifier, likewise */
    int64_t classes;            /* of labels and predictions */
    bool named;                 /* classes are written by name */
    int32_t *sorted;            /* labels of one cluster */
    int64_t *counts;            /* by label */
    dgmi_tally *tally;

    int64_t largest;            /* size of the largest cluster */
    double mean_low, mean_high; /* over the clusters, of the lens's first axis */
} dgmi_export;

typedef void (*dgmi_export_writer)(dgmi_export *job);
void dgmi_export_json(dgmi_export *job);
void dgmi_export_csv_memberships(dgmi_export *job);
void dgmi_export_csv_clusters(dgmi_export *job);
void dgmi_export_graphml(dgmi_export *job);
void dgmi_export_gexf(dgmi_export *job);
void dgmi_export_dot(dgmi_export *job);

/* ---- export_text.c ---- */

/* Hands the text on; dgmi_export_step does so only when there is enough of it. False once anything
 * failed. */
bool dgmi_export_flush(dgmi_export *job);
static inline bool dgmi_export_step(dgmi_export *job) {
    return job->text.length < job->pause ? job->text.status == DGM_OK : dgmi_export_flush(job);
}

/* Text as a JSON string with its quotes; inside a quoted XML attribute or element; inside a quoted
 * DOT string; as a CSV field. All of them write valid UTF-8 whatever the bytes are. */
void dgmi_export_json_text(dgmi_export *job, const char *string, size_t length);
void dgmi_export_xml_text(dgmi_export *job, const char *string);
void dgmi_export_dot_text(dgmi_export *job, const char *string);
void dgmi_export_csv_text(dgmi_export *job, const char *string, size_t length);

/* Pieces that several formats write alike. */
void dgmi_export_cell(dgmi_export *job, int64_t cluster); /* "3 7" */
/* To three decimals: for looks, not for data. */
void dgmi_export_rough(dgmi_export *job, double value);

static inline int64_t dgmi_export_size(const dgmi_export *job, int64_t cluster) {
    return job->clusters.offsets[cluster + 1] - job->clusters.offsets[cluster];
}

/* ---- export_labels.c ---- */

dgm_status dgmi_export_labels_open(dgmi_export *job); /* takes scratch memory */
/* Labels among the members of a cluster, ascending, the unlabelled left out; borrowed until the
 * next call. */
const dgmi_tally *dgmi_export_tally(dgmi_export *job, const int32_t *labels, int64_t cluster,
                                    int64_t *count);
/* Labelled members whose prediction is another class. */
int64_t dgmi_export_mistakes(const dgmi_export *job, int64_t cluster);
/* The most frequent (the smallest of equals); label -1 if no member is labelled. */
dgmi_tally dgmi_export_majority(dgmi_export *job, int64_t cluster);
/* The class's name, or its number written into buffer. */
const char *dgmi_export_class(const dgmi_export *job, int32_t label,
                              char buffer[DGMI_NUMBER_SPACE]);

/* ---- export_looks.c ---- */

typedef struct dgmi_colour {
    int red, green, blue; /* 0 .. 255 */
} dgmi_colour;

void dgmi_export_looks_open(dgmi_export *job);
/* The first axis of the lens, lowest cluster to highest, on viridis. */
dgmi_colour dgmi_export_colour(const dgmi_export *job, int64_t cluster);
/* sqrt(size / largest size): areas are as the sizes. */
double dgmi_export_scale(const dgmi_export *job, int64_t cluster);

#endif
