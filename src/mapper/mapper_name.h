/* SPDX-License-Identifier: Apache-2.0 */
/* What clusters are called: in figures, on the explorer's page, and in files.
 *
 * The name of a cluster is the first of these that it has:
 *
 *   its class     if most members are labelled and at least 80% of these are of one class
 *   a difference  the attribute or feature by which it differs most from all other nodes, by the
 *                 statistics of reports: a delta of at least 1/3, and a rate of false discoveries of
 *                 at most 0.05 over all clusters
 *   a member      the one that is most its own: the number of its neighbours in the cluster over the
 *                 number of clusters that it lies in
 *   its number    "cluster 7", where nothing is known of the members
 *
 * If several clusters would have one name, each of them adds the next of these by which it differs:
 * "Theory, node 154". A class or a member whose name is a number is called "class 3" or "node 154". A
 * member is in one name only, that of the largest cluster of which it is the best member left. No
 * two names are equal. Clusters of fewer than 5 members are called by a member, since a class or a
 * difference says little of so few.
 *
 * Names that came with the summary from a file stay as they are.
 */
#ifndef MAPPER_NAME_H
#define MAPPER_NAME_H

#include "dgm/report.h"

#include "base_memory.h"

/* What names are made from. */
typedef struct dgmi_mapper_name_source {
    const dgm_summary *summary;
    const dgm_graph *graph;           /* NULL: not known, so that there are no differences */
    const dgm_profile *profile;       /* NULL: not known */
    const dgm_comparison *comparison; /* one of the graph; NULL: one is made if it is needed */
} dgmi_mapper_name_source;

/* The names of all clusters. All zero: there are none. */
typedef struct dgmi_mapper_names {
    dgm_allocator allocator;
    int64_t count;
    int64_t *starts; /* where each name begins in `text` */
    char *text;      /* the names, each with its final 0 */
} dgmi_mapper_names;

/* Makes the names, in time proportional to the neighbours of all members and to what the columns of
 * the graph say of them. The caller frees `out`, which is empty after a failure. */
dgm_status dgmi_mapper_names_make(dgm_context *ctx, const dgmi_mapper_name_source *from,
                                  dgmi_mapper_names *out);
void dgmi_mapper_names_free(dgmi_mapper_names *names);
static inline const char *dgmi_mapper_names_get(const dgmi_mapper_names *names, int64_t cluster) {
    return names->text + names->starts[cluster];
}

#endif
