/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of summaries that checks compare. */
#ifndef REPRODUCE_MEASURE_H
#define REPRODUCE_MEASURE_H

#include "dgm/mapper.h"
#include "dgm/profile.h"

/* The most frequent class of each cluster, the first of those that are equally frequent; -1: no
 * member has one. `counts` are labels or predictions of a profile. */
void dgmi_reproduce_majorities(dgm_profile_counts counts, int64_t clusters, int32_t *majority);

/* The clusters of one class: how many they are and how large. */
typedef struct dgmi_reproduce_sizes {
    int64_t clusters;
    double mean, median; /* numbers of members; 0 if there is no cluster */
    int64_t largest;
} dgmi_reproduce_sizes;
/* Measures the clusters whose majority is `class_index`, or all of them. */
enum { DGMI_REPRODUCE_ANY = -2 };
dgm_status dgmi_reproduce_measure_sizes(dgm_context *ctx, const dgm_summary *summary,
                                        const int32_t *majority, int32_t class_index,
                                        dgmi_reproduce_sizes *out);

/* Counts the edges of a summary between clusters of two classes; if both are the same, those inside
 * it. */
int64_t dgmi_reproduce_count_edges(const dgm_summary *summary, const int32_t *majority, int32_t one,
                                   int32_t other);

/* The largest number of clusters that one node lies in: these clusters are a clique of the nerve. */
dgm_status dgmi_reproduce_count_deepest(dgm_context *ctx, const dgm_summary *summary, int64_t *out);

#endif
