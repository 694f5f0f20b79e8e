/* SPDX-License-Identifier: Apache-2.0 */
/* The 2-skeleton of a nerve and what its homology mod 2 needs: triangles, collapses, columns. */
#ifndef MAPPER_SKELETON_H
#define MAPPER_SKELETON_H

#include "mapper_stages.h"

typedef struct dgmi_triangle {
    uint32_t v[3]; /* three clusters at first, then its three edges; ascending */
} dgmi_triangle;

typedef struct dgmi_triangles {
    dgmi_triangle *list; /* scratch memory */
    int64_t count;
} dgmi_triangles;

/* Edges of the nerve as dgmi_pair, ascending. */
typedef struct dgmi_edge_list {
    const uint64_t *keys;
    int64_t count;
} dgmi_edge_list;

/* The number of an edge that is there. */
uint32_t dgmi_edge_of(const dgmi_edge_list *edges, uint32_t a, uint32_t b);

/* Triples of kept clusters that share a node, distinct and sorted. Above 20 million only those at
 * the first vertex of each simplex are listed, and *all is false: they span the same boundaries.
 * kept NULL: all are. */
dgm_status dgmi_triangles_make(dgm_context *ctx, const dgmi_classes *classes, const bool *kept,
                               dgmi_triangles *found, bool *all);
/* Corners become edges. */
void dgmi_triangles_name_edges(const dgmi_edge_list *edges, dgmi_triangles *found);

/* Removes free edges (those of one triangle alone) with their triangles until there are none: an
 * elementary collapse keeps the homotopy type. What was removed stands behind the `count` triangles
 * that are left, in the order of removal; free_edges[i] is the edge of the i-th, or free_edges is
 * NULL. No triangle removed later has that edge. */
dgm_status dgmi_triangles_collapse(dgm_context *ctx, int64_t edges, dgmi_triangles *found,
                                   uint32_t *free_edges, int64_t *removed);

/* A vector mod 2: the places of its ones, ascending. The block is owned. */
typedef struct dgmi_column {
    uint32_t *ones;
    int64_t count, capacity;
} dgmi_column;

dgm_status dgmi_column_reserve(dgm_context *ctx, dgmi_column *column, int64_t count);
/* target += other; `space` is swapped with target. */
dgm_status dgmi_column_add(dgm_context *ctx, dgmi_column *target, const dgmi_column *other,
                           dgmi_column *space);

#endif
