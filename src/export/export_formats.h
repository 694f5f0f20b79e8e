/* SPDX-License-Identifier: Apache-2.0 */
/* What the writers of summaries share: the state of one output, escapes of texts, and the colours
 * and sizes of clusters. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "dgm/export.h"

#include "base_text.h"
#include "draw_colour.h"
#include "export_facts.h"
#include "mapper_name.h"

/* The state of an output while it is written. Writers append to `text` and check nothing. Every
 * failure, also of the sink, and a request to cancel are kept in text.status, and loops over
 * clusters, members and edges end when it is not DGM_OK. */
typedef struct dgmi_export {
    dgm_context *ctx;
    const dgm_summary *summary;
    const dgm_graph *graph;     /* the graph; NULL: the summary has the names of its members */
    const dgm_profile *profile; /* never NULL; an empty one if the caller gave none */
    dgm_profile *own_profile;   /* that empty one, which the job frees */
    dgm_places places;          /* x is NULL if there are none */
    const dgm_view *view;       /* for pictures and colours; NULL until it is needed */
    dgm_view *own_view;         /* the view that the job frees */
    const dgm_figure *figure;   /* for formats that are pictures; NULL until one is written */
    dgm_figure *own_figure;     /* the figure that the job frees */
    dgm_figure_options figure_options;
    const char *json; /* the text for JSON files if a figure is written; or NULL */
    size_t json_length;
    dgm_provenance provenance;
    dgm_summary_clusters clusters;
    const dgm_summary_edge *edges;
    int64_t edge_count;
    dgmi_export_facts facts; /* what is known about the clusters; scratch memory */
    /* The colour of each cluster, in scratch memory; NULL until a format needs them. */
    dgmi_draw_colour *fill;
    /* What the clusters are called, which the job frees; empty until a format needs it. */
    dgmi_mapper_names names;

    dgmi_text text;
    const dgm_sink *sink; /* takes the text piece by piece; NULL: all of it stays in `text` */
    int64_t pause;        /* the length of text at which it goes to the sink */
    bool replaced;        /* some bytes were replaced by U+FFFD */

    int64_t largest; /* the size of the largest cluster */
    int64_t taken;   /* JSON: how many of the summary's `taken` were written */
} dgmi_export;

/* Takes scratch memory. The caller holds the arena, and closes the job whatever this returns. */
dgm_status dgmi_export_open(dgmi_export *job, dgm_context *ctx, const dgm_export_subject *subject);
/* Frees everything but the text, which the caller takes or frees. */
void dgmi_export_close(dgmi_export *job);

typedef void (*dgmi_export_writer)(dgmi_export *job);
enum { DGMI_EXPORT_PARTS = 3 }; /* the largest number of files of a format */
/* Returns the writer of a part of a format, or NULL if there is no such part. */
dgmi_export_writer dgmi_export_writer_of(dgm_export_format format, int part);
/* Runs a writer. What it writes goes into the sink, or stays in job->text if `sink` is NULL. */
dgm_status dgmi_export_run(dgmi_export *job, dgmi_export_writer write, const dgm_sink *sink);
/* Sends a note if some bytes were replaced. */
void dgmi_export_note_replaced(const dgmi_export *job);

void dgmi_export_json(dgmi_export *job);
void dgmi_export_csv_memberships(dgmi_export *job);
void dgmi_export_csv_clusters(dgmi_export *job);
void dgmi_export_csv_edges(dgmi_export *job);
void dgmi_export_graphml(dgmi_export *job);
void dgmi_export_gexf(dgmi_export *job);
void dgmi_export_dot(dgmi_export *job);
void dgmi_export_report(dgmi_export *job);       /* as Markdown */
void dgmi_export_report_plain(dgmi_export *job); /* as text for a terminal */
void dgmi_export_svg(dgmi_export *job);          /* export_figure.c */
void dgmi_export_pdf(dgmi_export *job);
void dgmi_export_png(dgmi_export *job);

/* Names of layouts, in the order of dgm_layout. */
extern const char *const dgmi_export_layouts[4];

/* ---- export_text.c ---- */

/* Gives the text to the sink; dgmi_export_step does so only when there is enough of it. Both return
 * false after a failure. */
bool dgmi_export_flush(dgmi_export *job);
static inline bool dgmi_export_step(dgmi_export *job) {
    return job->text.length < job->pause ? job->text.status == DGM_OK : dgmi_export_flush(job);
}

/* These append a text as a JSON string with its quotes, as the content of an XML attribute or
 * element, as the content of a DOT string, and as a CSV field. All write valid UTF-8 whatever the
 * bytes are. */
void dgmi_export_json_text(dgmi_export *job, const char *string, size_t length);
void dgmi_export_xml_text(dgmi_export *job, const char *string);
void dgmi_export_dot_text(dgmi_export *job, const char *string);
void dgmi_export_csv_text(dgmi_export *job, const char *string, size_t length);

/* Returns whether the names of members are known, from the summary or from the graph. If they are
 * not, it records an error. */
bool dgmi_export_knows_names(dgmi_export *job);
/* Makes job->names, if that was not done yet; returns false after a failure. */
bool dgmi_export_call(dgmi_export *job);
static inline const char *dgmi_export_called(const dgmi_export *job, int64_t cluster) {
    return dgmi_mapper_names_get(&job->names, cluster);
}
/* Returns whether members have names to write: those of the graph or of the summary. */
static inline bool dgmi_export_has_members(const dgmi_export *job) {
    return (job->graph && job->clusters.members) ||
           dgm_summary_member_name(job->summary, 0, &(size_t){0});
}
/* Appends the names of all members of a cluster for XML, with line ends between them. */
void dgmi_export_xml_members(dgmi_export *job, int64_t cluster);
/* Appends the coordinates of the cell of a cluster: "3 7". */
void dgmi_export_cell(dgmi_export *job, int64_t cluster);
/* Appends a number with three decimals, for colours and sizes and not for data. */
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
/* Fills job->fill with the colours that a figure of the view has; returns false after a failure. */
bool dgmi_export_paint(dgmi_export *job);
/* Returns sqrt(size / largest size), so that areas are proportional to sizes. */
double dgmi_export_scale(const dgmi_export *job, int64_t cluster);

#endif
