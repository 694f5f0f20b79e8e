/* SPDX-License-Identifier: Apache-2.0 */
/* A saved summary on its way back. The tree is trusted in nothing. */
#ifndef ARCHIVE_READ_H
#define ARCHIVE_READ_H

#include "dgm/draw.h"

#include "bytes_jansson.h"
#include "mapper_profile.h"
#include "mapper_summary.h"

typedef struct dgmi_archive_saved {
    dgm_context *ctx;
    const char *file;
    json_t *root;
    json_t **clusters;    /* by id: the objects of "nodes"; scratch memory */
    dgm_summary *summary; /* what is made of them */
    dgm_profile *profile; /* or NULL: it is not wanted */
} dgmi_archive_saved;

/* ---- values (archive_read.c) ---- */

/* "nodes[3] ...": `list` NULL: the file as a whole. */
dgm_status dgmi_archive_saved_fail(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The key's whole number in low .. high; `missing` where there is no such key. */
dgm_status dgmi_archive_saved_integer(const dgmi_archive_saved *saved, const char *list,
                                      int64_t index, const json_t *object, const char *key,
                                      int64_t low, int64_t high, int64_t missing, int64_t *out);
/* Likewise a real one; null is NaN. */
dgm_status dgmi_archive_saved_real(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const json_t *object, const char *key, double low, double high,
                                   double missing, double *out);
/* The text at section.key, or "". */
const char *dgmi_archive_saved_text(const dgmi_archive_saved *saved, const char *section,
                                    const char *key);

static inline int64_t dgmi_archive_saved_size(const dgmi_archive_saved *saved, int64_t cluster) {
    return saved->summary->offsets[cluster + 1] - saved->summary->offsets[cluster];
}

/* ---- parts, in the order in which they are read ---- */

dgm_status dgmi_archive_saved_axes(const dgmi_archive_saved *saved);   /* archive_read_clusters.c */
dgm_status dgmi_archive_saved_origin(const dgmi_archive_saved *saved); /* archive_read_origin.c */
dgm_status
dgmi_archive_saved_clusters(const dgmi_archive_saved *saved); /* archive_read_clusters.c */
/* *out is NULL where the file says nothing of places (archive_read_places.c). */
dgm_status dgmi_archive_saved_places(const dgmi_archive_saved *saved, dgm_places **out);
dgm_status dgmi_archive_saved_edges(const dgmi_archive_saved *saved); /* archive_read_clusters.c */
dgm_status
dgmi_archive_saved_ledger(const dgmi_archive_saved *saved); /* archive_read_ledger.c: mistakes */
dgm_status dgmi_archive_saved_profile(
    const dgmi_archive_saved *saved); /* archive_read_profile.c: all the rest */
/* Names, or with the graph numbers (archive_read_members.c). */
dgm_status dgmi_archive_saved_members(const dgmi_archive_saved *saved, const dgm_graph *graph);

#endif
