/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a summary from JSON. Jansson has parsed the file into a tree; every value in the tree is
 * checked before it is used. */
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
    json_t **clusters;    /* the objects of "nodes" in the order of their ids; scratch memory */
    dgm_summary *summary; /* the summary that is made */
    dgm_profile *profile; /* the profile that is made; NULL: it is not wanted */
} dgmi_archive_saved;

/* ---- values (archive_read.c) ---- */

/* Records an error about an object, "nodes[3] ...", or about the whole file if `list` is NULL. */
dgm_status dgmi_archive_saved_fail(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Reads the whole number of a key, from `low` to `high`. If the object has no such key, *out
 * becomes `missing`. */
dgm_status dgmi_archive_saved_integer(const dgmi_archive_saved *saved, const char *list,
                                      int64_t index, const json_t *object, const char *key,
                                      int64_t low, int64_t high, int64_t missing, int64_t *out);
/* Reads a real number in the same way; null is NaN. */
dgm_status dgmi_archive_saved_real(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const json_t *object, const char *key, double low, double high,
                                   double missing, double *out);
/* Returns the text at section.key, or "" if there is none. */
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
/* Reads that a pooling made the summary, if the file says so (archive_read_pooling.c). */
dgm_status dgmi_archive_saved_pooling(const dgmi_archive_saved *saved);
/* *out is NULL if the file has no places (archive_read_places.c). */
dgm_status dgmi_archive_saved_places(const dgmi_archive_saved *saved, dgm_places **out);
dgm_status dgmi_archive_saved_edges(const dgmi_archive_saved *saved); /* archive_read_clusters.c */
dgm_status
dgmi_archive_saved_ledger(const dgmi_archive_saved *saved); /* archive_read_ledger.c: mistakes */
dgm_status dgmi_archive_saved_profile(
    const dgmi_archive_saved *saved); /* archive_read_profile.c: all the rest */
/* Reads the members: their names or, if the graph is given, their numbers
 * (archive_read_members.c). */
dgm_status dgmi_archive_saved_members(const dgmi_archive_saved *saved, const dgm_graph *graph);

#endif
