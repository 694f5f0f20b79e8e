/* SPDX-License-Identifier: Apache-2.0 */
/* Writes summaries and figures to files, and reads summaries back from JSON. */
#ifndef DGM_EXPORT_H
#define DGM_EXPORT_H

#include "dgm/draw.h"
#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/profile.h"

typedef enum dgm_export_format {
    DGM_EXPORT_JSON,
    DGM_EXPORT_SVG,
    DGM_EXPORT_PDF,
    DGM_EXPORT_PNG,
    DGM_EXPORT_CSV, /* three files: F.csv with a row for each node in a cluster, F.clusters.csv, and
                       F.edges.csv */
    DGM_EXPORT_GRAPHML,
    DGM_EXPORT_GEXF,
    DGM_EXPORT_DOT,
    DGM_EXPORT_MD, /* the report in words (dgm/report.h), as Markdown */
} dgm_export_format;

/* Finds the format by the extension of a path. If the extension is unknown, the error is
 * DGM_ERROR_USAGE, and the message lists the known ones. */
DGM_API dgm_status dgm_export_format_find(dgm_context *ctx, const char *path,
                                          dgm_export_format *format);
/* Does the same where only some formats are written: `extensions` lists them, then NULL, and `what` is
 * written as them, such as "figures", for the message. "-", standard output, is "json". The list may
 * hold an ending of the caller's own, which is none of these formats: the message names it too. */
DGM_API dgm_status dgm_export_format_among(dgm_context *ctx, const char *path, const char *what,
                                           const char *const *extensions,
                                           dgm_export_format *format);
/* Returns the known extensions, "json", "svg", ..., in the order of the enum, then NULL. */
DGM_API const char *const *dgm_export_extensions(void);

/* Writes the path of one of the files of an output into `buffer`, at most `size` bytes with the
 * final 0, and returns the length of the whole path. Part 0 is the path itself; parts 1 and 2 of
 * F.csv are F.clusters.csv and F.edges.csv. It returns 0 if there is no such part. */
DGM_API size_t dgm_export_part_path(const char *path, int part, char *buffer, size_t size);

/* Returns whether the format is a picture, which needs places. */
DGM_API bool dgm_export_is_figure(dgm_export_format format);

/* Where bytes go, piece by piece: a file, memory, a page. `write` takes all of the bytes; a status
 * other than DGM_OK ends the writing, and is what the call returns. */
typedef struct dgm_sink {
    dgm_status (*write)(void *user, const void *bytes, size_t length);
    void *user;
} dgm_sink;

/* What is written. All but the summary may be NULL. */
typedef struct dgm_export_subject {
    const dgm_summary *summary;
    const dgm_graph *graph;     /* the graph, for the names of the members in JSON and CSV; NULL:
                                   the summary has the names itself, and can be written as JSON */
    const dgm_profile *profile; /* what is known about the members; NULL: nothing */
    const dgm_places *places;   /* the places, for JSON, CSV, GraphML, GEXF and pictures; NULL: none
                                 */
    const dgm_figure_options *figure; /* how pictures look, and which colours GEXF and DOT have;
                                         NULL: defaults */
    const dgm_view *view; /* a view of the same summary, from which pictures are drawn and whose
                             places count where `places` is NULL; NULL: one is made per call */
} dgm_export_subject;

/* Writes the summary to `count` files, in the formats of their extensions. Either all files appear
 * or none: each is first written to a temporary file, and all are renamed at the end. The path "-"
 * is standard output, as JSON. */
DGM_API dgm_status dgm_export_write(dgm_context *ctx, const dgm_export_subject *subject,
                                    const char *const *paths, int count);
/* Writes one format into memory; the text is freed with dgm_export_text_free. The parts of CSV are
 * the memberships (0), the clusters (1) and the edges (2); other formats have part 0 alone. */
DGM_API dgm_status dgm_export_text(dgm_context *ctx, const dgm_export_subject *subject,
                                   dgm_export_format format, int part, char **text, size_t *length);
/* The same piece by piece into a sink. */
DGM_API dgm_status dgm_export_stream(dgm_context *ctx, const dgm_export_subject *subject,
                                     dgm_export_format format, int part, const dgm_sink *sink);
/* Writes the report of the summary (dgm/report.h) into memory as plain text for a terminal, which is
 * freed with dgm_export_text_free. As Markdown it is the format DGM_EXPORT_MD. */
DGM_API dgm_status dgm_report_text(dgm_context *ctx, const dgm_export_subject *subject, char **text,
                                   size_t *length);
DGM_API void dgm_export_text_free(dgm_context *ctx, char *text);

/* Writes a figure to `count` files (.svg .pdf .png), all of them or none. Paths that end in .json,
 * and "-", get the text `json` instead, which may be NULL if there are no such paths. */
DGM_API dgm_status dgm_figure_write(dgm_context *ctx, const dgm_figure *figure, const char *json,
                                    size_t json_length, const char *const *paths, int count);

/* Writes a figure and the summary that it shows to `count` files, all of them or none: pictures are
 * the figure, and every other format is that of the subject, as dgm_export_write writes it. */
DGM_API dgm_status dgm_figure_write_with(dgm_context *ctx, const dgm_figure *figure,
                                         const dgm_export_subject *subject,
                                         const char *const *paths, int count);

/* ---- reading a summary from JSON ---- */

/* Returns whether the first bytes of a file say that it is a summary in JSON. A missing file is not
 * one. "-" is one, since nothing else is read from standard input here. */
DGM_API bool dgm_summary_is_file(dgm_context *ctx, const char *path);
/* Reads a summary from JSON, which may be compressed. If it is written again, it gives the same
 * bytes. The error is DGM_ERROR_FORMAT if the file is not a summary.
 *
 * *profile becomes what is known about the members, and *places the places of the clusters, or NULL
 * if the file has none. Both pointers may be NULL if the caller does not want them; the caller
 * frees what it gets. If `graph` is NULL, members have names and no node numbers. If it is the
 * graph that was summarised, they have numbers; it is DGM_ERROR_DATA if no node has such a name. */
DGM_API dgm_status dgm_summary_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                                    dgm_summary **summary, dgm_profile **profile,
                                    dgm_places **places);
DGM_API void dgm_places_free(dgm_context *ctx, dgm_places *places); /* NULL is fine */

#endif
