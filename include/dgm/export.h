/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries to files. */
#ifndef DGM_EXPORT_H
#define DGM_EXPORT_H

#include "dgm/graph.h"
#include "dgm/mapper.h"

typedef enum dgm_export_format {
    DGM_EXPORT_JSON,
    DGM_EXPORT_CSV, /* F.csv: node,cluster; and beside it F.clusters.csv */
    DGM_EXPORT_GRAPHML,
    DGM_EXPORT_GEXF,
    DGM_EXPORT_DOT,
} dgm_export_format;

/* The format that a file name's extension asks for. DGM_ERROR_USAGE lists the known ones. */
DGM_API dgm_status dgm_export_format_find(dgm_context *ctx, const char *path,
                                          dgm_export_format *format);
/* Known extensions, NULL-terminated, in the order of the enum ("json", "csv", ...). */
DGM_API const char *const *dgm_export_extensions(void);

/* Writes all the files or none: each goes to a temporary file first and all are renamed at the end.
 * A path "-" is standard output (JSON). provenance NULL: empty. */
DGM_API dgm_status dgm_export_write(dgm_context *ctx, const dgm_summary *summary,
                                    const dgm_graph *graph, const dgm_provenance *provenance,
                                    const char *const *paths, int count);
/* One format into memory, freed with dgm_export_text_free. The csv formats: part 0 memberships,
 * part 1 clusters. */
DGM_API dgm_status dgm_export_text(dgm_context *ctx, const dgm_summary *summary,
                                   const dgm_graph *graph, const dgm_provenance *provenance,
                                   dgm_export_format format, int part, char **text, size_t *length);
DGM_API void dgm_export_text_free(dgm_context *ctx, char *text);

#endif
