/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries to files. */
#ifndef DGM_EXPORT_H
#define DGM_EXPORT_H

#include "dgm/draw.h"
#include "dgm/graph.h"
#include "dgm/mapper.h"

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

/* Whether the format is a picture: it needs a view that was laid out. */
DGM_API bool dgm_export_is_figure(dgm_export_format format);

/* How a summary is seen. Zeros are fine. */
typedef struct dgm_export_looks {
    const dgm_view *view; /* of the same summary; laid out, its places go into JSON, CSV,
                             GraphML and GEXF, and pictures can be drawn. NULL: no places, no
                             pictures */
    const dgm_figure_options *figure;   /* NULL: defaults. GEXF and DOT have the figure's colours */
    const dgm_predictions *predictions; /* what a classifier says of the graph's nodes, where no
                                           view is given, which has them already; NULL: nothing */
} dgm_export_looks;

/* Writes all the files or none: each goes to a temporary file first and all are renamed at the end.
 * A path "-" is standard output (JSON). provenance NULL: empty; looks NULL: none. */
DGM_API dgm_status dgm_export_write(dgm_context *ctx, const dgm_summary *summary,
                                    const dgm_graph *graph, const dgm_provenance *provenance,
                                    const dgm_export_looks *looks, const char *const *paths,
                                    int count);
/* One format into memory, freed with dgm_export_text_free. Of CSV, part 0 are the
 * memberships, part 1 the clusters and part 2 the edges. */
DGM_API dgm_status dgm_export_text(dgm_context *ctx, const dgm_summary *summary,
                                   const dgm_graph *graph, const dgm_provenance *provenance,
                                   const dgm_export_looks *looks, dgm_export_format format,
                                   int part, char **text, size_t *length);
DGM_API void dgm_export_text_free(dgm_context *ctx, char *text);

/* A figure into files, all of them or none: .svg .pdf .png, and `json` into those that end in .json
 * or are "-"; NULL: there are none of these. */
DGM_API dgm_status dgm_figure_write(dgm_context *ctx, const dgm_figure *figure, const char *json,
                                    size_t json_length, const char *const *paths, int count);

/* ---- a summary back from its JSON ---- */

/* Whether the file is JSON that calls itself a summary, by its first bytes. Missing files and "-"
 * are not. */
DGM_API bool dgm_view_is_summary(dgm_context *ctx, const char *path);
/* The view of a summary that was written as JSON, plain or compressed; laid out if places are in
 * it. DGM_ERROR_FORMAT where it is none. */
DGM_API dgm_status dgm_view_read(dgm_context *ctx, const char *path, dgm_view **out);
/* The JSON of the summary at `path` once more, with the view's places in it; freed with
 * dgm_export_text_free. */
DGM_API dgm_status dgm_view_rewrite(dgm_context *ctx, const char *path, const dgm_view *view,
                                    char **text, size_t *length);

#endif
