/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of summaries share: the text under way, escaping, looks. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "dgm/export.h"

#include "base_text.h"
#include "draw_colour.h"
#include "export_facts.h"

/* One summary on its way out. Writers append to `text` and check nothing: a failure of any kind,
 * also of the sink or a wish to stop, is kept in text.status, and loops over clusters, members
 * and edges end on it. */
typedef struct dgmi_export {
    dgm_context *ctx;
    const dgm_summary *summary;
    const dgm_graph *graph;     /* or NULL: the summary has the names of its members */
    const dgm_profile *profile; /* never NULL; an empty one where the caller gave none */
    dgm_profile *own_profile;
    dgm_places places;        /* x is NULL where there are none */
    const dgm_view *view;     /* for pictures and colours; NULL until one is asked for */
    dgm_view *own_view;       /* where the caller gave none */
    const dgm_figure *figure; /* for the formats that are pictures; NULL until one is written */
    dgm_figure *own_figure;
    dgm_figure_options figure_options;
    const char *json; /* of a figure that stands for itself: what goes into JSON, or NULL */
    size_t json_length;
    dgm_provenance provenance;
    dgm_summary_clusters clusters;
    const dgm_summary_edge *edges;
    int64_t edge_count;
    dgmi_export_facts facts; /* what is known of the clusters; scratch memory */
    dgmi_draw_colour
        *fill; /* one colour for each cluster; NULL until a format needs them; scratch */

    dgmi_text text;
    const dgm_sink *sink; /* takes the text piece by piece; NULL: all of it stays in `text` */
    int64_t pause;        /* length of text at which it is handed on */
    bool replaced;        /* some bytes were replaced by U+FFFD */

    int64_t largest; /* size of the largest cluster */
} dgmi_export;

/* Takes scratch memory: the caller holds the arena, and closes the job whatever comes back. */
dgm_status dgmi_export_open(dgmi_export *job, dgm_context *ctx, const dgm_export_subject *subject);
/* The text stays, for whoever takes it. */
void dgmi_export_close(dgmi_export *job);

typedef void (*dgmi_export_writer)(dgmi_export *job);
enum { DGMI_EXPORT_PARTS = 3 }; /* files that one format has at most */
/* The writer of a part of a format; NULL: there is no such part. */
dgmi_export_writer dgmi_export_writer_of(dgm_export_format format, int part);
/* Everything that the writer writes goes into the sink, or into job->text where `sink` is NULL. */
dgm_status dgmi_export_run(dgmi_export *job, dgmi_export_writer write, const dgm_sink *sink);
/* Says so where some bytes were replaced. */
void dgmi_export_note_replaced(const dgmi_export *job);

void dgmi_export_json(dgmi_export *job);
void dgmi_export_csv_memberships(dgmi_export *job);
void dgmi_export_csv_clusters(dgmi_export *job);
void dgmi_export_csv_edges(dgmi_export *job);
void dgmi_export_graphml(dgmi_export *job);
void dgmi_export_gexf(dgmi_export *job);
void dgmi_export_dot(dgmi_export *job);
void dgmi_export_svg(dgmi_export *job); /* export_figure.c */
void dgmi_export_pdf(dgmi_export *job);
void dgmi_export_png(dgmi_export *job);

/* Names of layouts, in the order of dgm_layout. */
extern const char *const dgmi_export_layouts[4];

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

/* Types of attributes and their values, as GraphML and GEXF write them. */
extern const char *const dgmi_export_xml_types[];
void dgmi_export_xml_fact(dgmi_export *job, dgmi_export_fact_type type,
                          const dgmi_export_fact_value *value);

/* ---- export_looks.c ---- */

void dgmi_export_looks_open(dgmi_export *job);
/* Makes job->view, if that was not done yet. */
dgm_status dgmi_export_view(dgmi_export *job);
/* Fills job->fill with the colours that a figure of the view has; false once anything failed. */
bool dgmi_export_paint(dgmi_export *job);
/* sqrt(size / largest size): areas are as the sizes. */
double dgmi_export_scale(const dgmi_export *job, int64_t cluster);

#endif
