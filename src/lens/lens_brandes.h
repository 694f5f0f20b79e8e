/* SPDX-License-Identifier: Apache-2.0 */
/* Brandes' dependencies of one source s: delta_s(v) is the sum over all nodes t of the share of the
 * shortest paths from s to t that pass through v (Brandes, "A faster algorithm for betweenness
 * centrality", 2001). */
#ifndef LENS_BRANDES_H
#define LENS_BRANDES_H

#include "dgm/graph.h"

/* The memory of one search: arrays with one number per node. A search leaves them as it found them,
 * so that the next one can use them. */
typedef struct dgmi_lens_brandes_space {
    uint32_t *queue;  /* the nodes in the order in which they are reached; one place is spare */
    double *paths;    /* the number of shortest paths from the source; in the careful pass, which is
                         for numbers that overflow, its mantissa */
    double *pull;     /* (1 + delta) / paths of the level below; in the careful pass, delta */
    uint32_t *level;  /* the number of edges from the source; UINT32_MAX: not reached */
    int32_t *power;   /* the power of two that belongs to the mantissa */
    double *distance; /* with weights: the distance from the source; infinite: not reached */
    uint32_t *heap;   /* with weights: nodes by distance, the nearest first */
    uint32_t *place;  /* with weights: the place of a node in the heap, and later in the queue */
} dgmi_lens_brandes_space;

/* Makes the arrays in scratch memory, which the caller's hold releases. */
dgm_status dgmi_lens_brandes_space_make(dgm_context *ctx, int64_t nodes, bool weighted,
                                        dgmi_lens_brandes_space *space);
/* Returns how many bytes they take per node. */
int64_t dgmi_lens_brandes_space_bytes(bool weighted);

/* Adds delta_source(v) to sums[v], and its square to squares[v] unless that is NULL. Paths follow
 * directions. If `weighted` is set, the weights, which are all positive, are lengths. */
void dgmi_lens_brandes_add(const dgm_graph_rows *rows, bool weighted, uint32_t source,
                           dgmi_lens_brandes_space *space, double *sums, double *squares);

#endif
