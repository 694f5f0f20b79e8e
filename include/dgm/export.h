/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries to files. */
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
    DGM_EXPORT_CSV, /* F.csv: node,cluster; beside it F.clusters.csv and F.edges.csv */
    DGM_EXPORT_GRAPHML,
    DGM_EXPORT_GEXF,
    DGM_EXPORT_DOT,
} dgm_export_format;

/* The format that a file name's extension asks for. DGM_ERROR_USAGE lists the known ones. */
DGM_API dgm_status dgm_export_format_find(dgm_context *ctx, const char *path,
                                          dgm_export_format *format);
/* Known extensions, NULL-terminated, in the order of the enum ("json", "svg", ...). */
DGM_API const char *const *dgm_export_extensions(void);

/* Writes the path of a part of an output into buffer (at most size bytes, always terminated) and
 * returns the length that it needs: the path itself for part 0; F.clusters.csv and F.edges.csv are
 * parts 1 and 2 of F.csv. 0: there is no such part. */
DGM_API size_t dgm_export_part_path(const char *path, int part, char *buffer, size_t size);

/* Whether the format is a picture: it needs places. */
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
    const dgm_graph *graph;     /* has the names of the members, which JSON and CSV list; NULL: the
                                   summary has them (JSON alone can be written) */
    const dgm_profile *profile; /* NULL: nothing is known of the members */
    const dgm_places *places;   /* for JSON, CSV, GraphML, GEXF and pictures; NULL: none */
    const dgm_figure_options *figure; /* NULL: defaults. GEXF and DOT have the figure's colours */
    const dgm_view *view; /* of the same summary, which pictures are drawn from and whose places
                             count where `places` is NULL; NULL: one is made for each call */
} dgm_export_subject;

/* Writes all the files or none: each goes to a temporary file first and all are renamed at the end.
 * A path "-" is standard output (JSON). */
DGM_API dgm_status dgm_export_write(dgm_context *ctx, const dgm_export_subject *subject,
                                    const char *const *paths, int count);
/* One format into memory, freed with dgm_export_text_free. Of CSV, part 0 are the
 * memberships, part 1 the clusters and part 2 the edges. */
DGM_API dgm_status dgm_export_text(dgm_context *ctx, const dgm_export_subject *subject,
                                   dgm_export_format format, int part, char **text, size_t *length);
/* The same piece by piece into a sink. */
DGM_API dgm_status dgm_export_stream(dgm_context *ctx, const dgm_export_subject *subject,
                                     dgm_export_format format, int part, const dgm_sink *sink);
DGM_API void dgm_export_text_free(dgm_context *ctx, char *text);

/* A figure into files, all of them or none: .svg .pdf .png, and `json` into those that end in .json
 * or are "-"; NULL: there are none of these. */
DGM_API dgm_status dgm_figure_write(dgm_context *ctx, const dgm_figure *figure, const char *json,
                                    size_t json_length, const char *const *paths, int count);

/* ---- a summary back from its JSON ---- */

/* Whether the file is JSON that calls itself a summary, by its first bytes. Missing files are not;
 * "-" is, since nothing else is read from there. */
DGM_API bool dgm_summary_is_file(dgm_context *ctx, const char *path);
/* Reads a summary that was written as JSON, plain or compressed. DGM_ERROR_FORMAT where it is none.
 *
 * Written again, it gives the same bytes. What the members are goes to `profile`, and where the
 * clusters stand to `places`, which is NULL if the file says nothing of that; either may be NULL if
 * the caller does not want it. graph NULL: the members are known by name. With the graph that was
 * summarised they are node numbers, and it is DGM_ERROR_DATA if it has no node of a name. */
DGM_API dgm_status dgm_summary_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                                    dgm_summary **summary, dgm_profile **profile,
                                    dgm_places **places);
DGM_API void dgm_places_free(dgm_context *ctx, dgm_places *places); /* NULL is fine */

#endif
