/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles: what is known about the members of a summary's clusters.
 *
 * A summary says which nodes lie together. Its profile counts for each cluster the classes of the
 * members, what a classifier predicted and where it was wrong, how mixed the classes are (entropy),
 * the attributes of the members, and which members stand out. A profile is made from a summary and
 * its graph, or comes from a file together with the summary (dgm_summary_read in export.h). It does
 * not need them afterwards, and it never changes.
 */
#ifndef DGM_PROFILE_H
#define DGM_PROFILE_H

#include "dgm/graph.h"
#include "dgm/mapper.h"
#include "dgm/predictions.h"

typedef struct dgm_profile dgm_profile;

/* Makes a profile, which the caller frees. `predictions` may be NULL if there are none. It is
 * DGM_ERROR_USAGE if the summary or the predictions are not of this graph, or if the summary was
 * read from a file without the graph. */
DGM_API dgm_status dgm_profile_create(dgm_context *ctx, const dgm_summary *summary,
                                      const dgm_graph *graph, const dgm_predictions *predictions,
                                      dgm_profile **out);
DGM_API void dgm_profile_free(dgm_profile *profile); /* NULL is fine */

/* ---- looking at a profile: everything that is returned belongs to the profile ---- */

DGM_API int64_t dgm_profile_clusters(const dgm_profile *profile);

/* The number and the names of the classes that occur among the labels or that the classifier knows,
 * in the order of their numbers. A class without a name is called by its number. */
DGM_API int32_t dgm_profile_classes(const dgm_profile *profile);
DGM_API const char *dgm_profile_class_name(const dgm_profile *profile, int32_t class_index);

/* How often each value occurs among the members of each cluster. The values of cluster c are at
 * offsets[c] up to, and without, offsets[c + 1], in ascending order. */
typedef struct dgm_profile_counts {
    const int64_t *offsets; /* clusters + 1 positions in the two arrays; NULL: nothing is known */
    const int32_t *values;  /* classes, or indices into the texts of an attribute */
    const int64_t *counts;  /* how many members have the value */
} dgm_profile_counts;
DGM_API dgm_profile_counts dgm_profile_labels(const dgm_profile *profile);
DGM_API dgm_profile_counts dgm_profile_predictions(const dgm_profile *profile);

/* The first returns for each cluster the number of members that have a label and a prediction, the
 * second the number of those whose label and prediction differ. Both return NULL if there are no
 * labels or no predictions. */
DGM_API const int64_t *dgm_profile_judged(const dgm_profile *profile);
DGM_API const int64_t *dgm_profile_mistakes(const dgm_profile *profile);
/* Returns the mistakes among all nodes, those in clusters and those in none. `known` is false if
 * there are no labels or no predictions. */
DGM_API dgm_summary_mistakes dgm_profile_get_mistakes(const dgm_profile *profile);

/* A kind of mistake: `count` members of the class `label` were predicted to be `prediction`. */
typedef struct dgm_profile_mixup {
    int32_t label, prediction;
    int64_t count;
} dgm_profile_mixup;
enum { DGM_PROFILE_TOPS = 3 };
/* Returns the kinds of mistakes of a cluster, the most frequent first, at most DGM_PROFILE_TOPS. If
 * two are equally frequent, the one with the first class comes first. */
DGM_API const dgm_profile_mixup *dgm_profile_mixups(const dgm_profile *profile, int64_t cluster,
                                                    int64_t *count);

/* A cluster in which labels and predictions differ. */
typedef struct dgm_profile_dispute {
    uint32_t cluster;
    int64_t judged, mistakes; /* as in dgm_judged */
    /* The most frequent kind of mistake: `confused` members of the class `label` were predicted to
     * be `prediction`. The names belong to the profile; NULL: not known. */
    const char *label, *prediction;
    int64_t confused;
} dgm_profile_dispute;
/* Writes at most `most` of these clusters to `out` and returns how many it wrote; 0 if there are no
 * predictions. They are sorted by the lower end of the 95% interval of their share of mistakes, the
 * largest first, so that 89 of 94 comes before 1 of 1. */
DGM_API int64_t dgm_profile_disputes(const dgm_profile *profile, int64_t most,
                                     dgm_profile_dispute *out);

/* Returns for each cluster the share of the edges of its members that lead out of it, from 0 to 1;
 * NULL: it is not known. */
DGM_API const double *dgm_profile_outward(const dgm_profile *profile);

/* Returns an entropy for each cluster, as a share of the largest possible one, from 0 to 1. It is
 * the mean entropy of the probabilities that were predicted for the members. If there are none,
 * *of_labels is true, and it is the entropy of the labels of the members. NULL: there are neither.
 * `of_labels` may be NULL. */
DGM_API const double *dgm_profile_entropy(const dgm_profile *profile, bool *of_labels);

/* A node attribute over the members of each cluster. Attributes with more than 64 different texts
 * are left out. */
typedef struct dgm_profile_attribute {
    const char *name;
    dgm_attribute_kind kind;
    const double *means;       /* NUMBER: the mean of the members that have a value; NaN: none has
                                */
    dgm_profile_counts counts; /* TEXT: how many members have each text */
    const char *const *texts;  /* TEXT: the different texts, ascending */
    int64_t text_count;        /* TEXT: how many of them there are */
} dgm_profile_attribute;
DGM_API int64_t dgm_profile_attributes(const dgm_profile *profile);
DGM_API dgm_profile_attribute dgm_profile_get_attribute(const dgm_profile *profile, int64_t index);

/* These return the name of a member that stands out in its cluster, for ranks from 0 up to, and
 * without, DGM_PROFILE_TOPS; NULL if there is none of that rank, or if it is not known. Hubs are
 * the members with the most neighbours, the smaller node first if they have equally many. Peaks are
 * the members with the highest values of a lens that has one column. A cluster of at most
 * DGM_PROFILE_TOPS members has all of them as hubs, in the order of their numbers, and no peaks. */
DGM_API const char *dgm_profile_hub(const dgm_profile *profile, int64_t cluster, int64_t rank);
DGM_API const char *dgm_profile_peak(const dgm_profile *profile, int64_t cluster, int64_t rank);

#endif
