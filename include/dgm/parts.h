/* SPDX-License-Identifier: Apache-2.0 */
/* Parts: a partition of the nodes of a graph, each node in exactly one part. */
#ifndef DGM_PARTS_H
#define DGM_PARTS_H

#include "dgm/graph.h"

typedef struct dgm_communities_options {
    size_t size;       /* the size of this struct, filled in by the initialiser */
    double resolution; /* above 0: larger numbers give more and smaller communities; by default 1 */
    bool weighted;     /* edges count by their weights, those below zero as zero; by default true */
    int64_t seed;      /* the seed of the order in which nodes are visited; by default 1 */
} dgm_communities_options;
#define DGM_COMMUNITIES_OPTIONS_INIT                                                               \
    { sizeof(dgm_communities_options), 1.0, true, 1 }
static inline void dgm_communities_options_init(dgm_communities_options *options) {
    const dgm_communities_options defaults = DGM_COMMUNITIES_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_communities_option_table(void);

/* Finds communities, sets of nodes with more edges among them than chance would have: those of
 * high modularity, by the Leiden method (Traag, Waltman and van Eck 2019). Directions of edges
 * do not count: two nodes with an edge in each direction are joined by the sum of their weights.
 * A self-loop counts for both its ends. Each community is connected by edges of weight above
 * zero. parts[u], of which there is one for each node, becomes the community of node u;
 * communities are numbered from 0 by their sizes, the largest first, and of equals the one with
 * the smallest node. The result is the same for any number of threads. If `options` is NULL,
 * they have their defaults. */
DGM_API dgm_status dgm_communities(dgm_context *ctx, const dgm_graph *graph,
                                   const dgm_communities_options *options, uint32_t *parts,
                                   int64_t *count);
/* Returns the modularity of a partition at that resolution, 0 if the graph has no weight.
 * parts[u] is below `count`, DGM_ERROR_DATA otherwise; not every part need have a node. If
 * `options` is NULL, they have their defaults. */
DGM_API dgm_status dgm_modularity(dgm_context *ctx, const dgm_graph *graph, const uint32_t *parts,
                                  int64_t count, const dgm_communities_options *options,
                                  double *out);

#endif
