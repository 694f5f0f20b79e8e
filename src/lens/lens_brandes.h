/* SPDX-License-Identifier: Apache-2.0 */
/* Brandes' dependencies of one source: delta_s(v) = sum over t of the share of the shortest paths
 * from s to t that pass v (Brandes, "A faster algorithm for betweenness centrality", 2001). */
#ifndef LENS_BRANDES_H
#define LENS_BRANDES_H

#include "dgm/graph.h"

/* What one search needs: arrays with one number per node. After a search they are again as they
 * were made. */
typedef struct dgmi_lens_brandes_space {
    uint32_t *queue;  /* nodes as they were reached; one place more than nodes */
    double *paths;    /* shortest paths from the source: number, or the mantissa of it */
    double *pull;     /* (1 + delta) / paths of the level below; delta in the careful pass */
    uint32_t *level;  /* edges from the source, UINT32_MAX: not reached */
    int32_t *power;   /* of two, beside the mantissa */
    double *distance; /* weighted: from the source, infinite: not reached */
    uint32_t *heap;   /* weighted: nodes by distance, the nearest first */
    uint32_t *place;  /* weighted: of a node in the heap, then in the queue */
} dgmi_lens_brandes_space;

/* Scratch memory, for the caller's hold. */
dgm_status dgmi_lens_brandes_space_make(dgm_context *ctx, int64_t nodes, bool weighted,
                                        dgmi_lens_brandes_space *space);
/* The bytes of it for each node. */
int64_t dgmi_lens_brandes_space_bytes(bool weighted);

/* Adds delta_source(v) to sums[v], and its square to squares[v] unless that is NULL. Paths follow
 * directions; with `weighted` the weights, all positive, are lengths. */
void dgmi_lens_brandes_add(const dgm_graph_rows *rows, bool weighted, uint32_t source,
                           dgmi_lens_brandes_space *space, double *sums, double *squares);

#endif
