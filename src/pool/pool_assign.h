/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings that the graph alone decides: which nodes go into which cluster, and the graph over the
 * clusters. */
#ifndef POOL_ASSIGN_H
#define POOL_ASSIGN_H

#include "pool_pool.h"

/* A graph that is to be pooled. */
typedef struct dgmi_pool_subject {
    const dgm_graph *graph;
    int64_t index;    /* its number in the set; the random lens draws by it */
    int level;        /* how often it was pooled before */
    int64_t clusters; /* the number of clusters that are asked for */
    int64_t seed;
    dgm_matrix **lens; /* becomes the values of the lens of MPR, for the caller; NULL: not wanted */
} dgmi_pool_subject;

/* Makes the assignment S of the nodes to clusters. Clusters that would be empty are left out, except
 * in the variant `newest` of MPR. */
dgm_status dgmi_pool_assign(dgm_context *ctx, const dgmi_pool_request *request,
                            const dgmi_pool_subject *subject, dgm_membership **out);

/* Makes the pooled graph with the adjacency matrix S'AS, of which the variant `newest` keeps only
 * where entries are. */
dgm_status dgmi_pool_coarsen(dgm_context *ctx, const dgmi_pool_request *request,
                             const dgm_graph *graph, const dgm_membership *membership,
                             dgm_graph **out);
/* Makes the same graph without weights and self-loops. */
dgm_status dgmi_pool_unweighted(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out);

#endif
