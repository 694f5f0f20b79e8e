/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: what the members of a summary's clusters are.
 *
 * A summary says which nodes lie together. Its profile says of each cluster how often classes occur
 * among the members, what a classifier said of them and where it was wrong, the entropy of that,
 * the attributes of the members, and which members stand out. It is made when asked for, from the
 * summary and its graph, or it comes from a file together with the summary (dgm_summary_read in
 * export.h). Either way it needs neither of them afterwards, and it never changes.
 */
#ifndef DGM_PROFILE_H
#define DGM_PROFILE_H

#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/predictions.h"

typedef struct dgm_profile dgm_profile;

/* predictions NULL: nothing was predicted. DGM_ERROR_USAGE if the summary or the predictions are
 * not of this graph, or if the summary was read without it. */
DGM_API dgm_status dgm_profile_create(dgm_context *ctx, const dgm_summary *summary,
                                      const dgm_graph *graph, const dgm_predictions *predictions,
                                      dgm_profile **out);
DGM_API void dgm_profile_free(dgm_profile *profile); /* NULL is fine */

/* ---- looking at a profile: everything returned is borrowed ---- */

DGM_API int64_t dgm_profile_clusters(const dgm_profile *profile);

/* Classes that occur among the labels, or that a classifier knows, in the order of their numbers. A
 * class without a name of its own is called by its number. */
DGM_API int32_t dgm_profile_classes(const dgm_profile *profile);
DGM_API const char *dgm_profile_class_name(const dgm_profile *profile, int32_t class_index);

/* How often values occur among the members of each cluster: those of cluster c are at [offsets[c]
 * .. offsets[c + 1]), ascending by value. offsets NULL: not known. */
typedef struct dgm_profile_counts {
    const int64_t *offsets;
    const int32_t *values; /* classes, or indices into an attribute's texts */
    const int64_t *counts;
} dgm_profile_counts;
DGM_API dgm_profile_counts dgm_profile_labels(const dgm_profile *profile);
DGM_API dgm_profile_counts dgm_profile_predictions(const dgm_profile *profile);

/* By cluster: members that have a label and a prediction, and those of them where the two differ.
 * NULL: there are no labels or no predictions. */
DGM_API const int64_t *dgm_profile_judged(const dgm_profile *profile);
DGM_API const int64_t *dgm_profile_mistakes(const dgm_profile *profile);
/* Mistakes of all nodes, in clusters and left out; `known` is false where there are none to know.
 */
DGM_API dgm_summary_mistakes dgm_profile_get_mistakes(const dgm_profile *profile);

/* So many members of a class were taken for another. */
typedef struct dgm_profile_mixup {
    int32_t label, prediction; /* classes */
    int64_t count;
} dgm_profile_mixup;
/* The most frequent mistakes of a cluster first, at most DGM_PROFILE_TOPS; of equals the one of the
 * first class. */
enum { DGM_PROFILE_TOPS = 3 };
DGM_API const dgm_profile_mixup *dgm_profile_mixups(const dgm_profile *profile, int64_t cluster,
                                                    int64_t *count);

/* Clusters where labels and predictions differ: writes at most `most` of them and returns how many;
 * those come first whose share of mistakes is surely large (the lower end of its 95 % interval), so
 * that 89 of 94 comes before 1 of 1. 0 where there are no predictions. */
typedef struct dgm_profile_dispute {
    uint32_t cluster;
    int64_t judged, mistakes;
    /* The most frequent mistake: so many of a class were taken for another. Names of the profile;
     * NULL: not known. */
    const char *label, *prediction;
    int64_t confused;
} dgm_profile_dispute;
DGM_API int64_t dgm_profile_disputes(const dgm_profile *profile, int64_t most,
                                     dgm_profile_dispute *out);

/* By cluster, from 0 to 1: the mean entropy of the members' predicted probabilities over the
 * largest that it can be; *of_labels: that of the labels among the members, since nothing was
 * predicted. NULL: there are neither. of_labels may be NULL. */
DGM_API const double *dgm_profile_entropy(const dgm_profile *profile, bool *of_labels);

/* A node attribute seen over the members: the mean of a number, how many have each text. Attributes
 * of more than 64 different texts are left out. */
typedef struct dgm_profile_attribute {
    const char *name;
    dgm_attribute_kind kind;
    const double *means;       /* NUMBER: of the members that have one; NaN: none has */
    dgm_profile_counts counts; /* TEXT */
    const char *const *texts;  /* TEXT: the different values, ascending */
    int64_t text_count;
} dgm_profile_attribute;
DGM_API int64_t dgm_profile_attributes(const dgm_profile *profile);
DGM_API dgm_profile_attribute dgm_profile_get_attribute(const dgm_profile *profile, int64_t index);

/* Names of members that stand out in a cluster, at most DGM_PROFILE_TOPS; NULL behind the last, and
 * where they are not known. Hubs have the most neighbours, of equals the first node; a cluster of
 * no more members has all of them, in their order. Peaks are where a lens of one axis is highest,
 * in clusters of more members. */
DGM_API const char *dgm_profile_hub(const dgm_profile *profile, int64_t cluster, int64_t rank);
DGM_API const char *dgm_profile_peak(const dgm_profile *profile, int64_t cluster, int64_t rank);

#endif
