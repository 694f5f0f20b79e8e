/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of Isomap: the graph of neighbours, its shortest paths, their scaling. */
#ifndef REDUCE_ISOMAP_H
#define REDUCE_ISOMAP_H

#include "dgm/knn.h"
#include "dgm/reduce.h"

/* An undirected graph with lengths, each edge in both rows; scratch memory. */
typedef struct dgmi_reduce_isomap_graph {
    int64_t rows;
    int64_t *offsets;
    uint32_t *targets;
    float *lengths;
    int64_t components; /* before they were joined */
} dgmi_reduce_isomap_graph;

/* Each point with its neighbours, and the nearest pair of points of every two components, as
 * scikit-learn has it. */
dgm_status dgmi_reduce_isomap_graph_make(dgm_context *ctx, const float *points, int64_t columns,
                                         int metric, const dgm_neighbours *neighbours,
                                         dgmi_reduce_isomap_graph *out);

/* lengths[s * rows + v]: of the shortest path from sources[s] to v. The sources differ. */
dgm_status dgmi_reduce_isomap_paths(dgm_context *ctx, const dgmi_reduce_isomap_graph *graph,
                                    const uint32_t *sources, int64_t count, float *lengths);

/* Where every point lies that the sources see at these distances. */
typedef struct dgmi_reduce_scaling {
    int64_t rows, count; /* of points, and of sources among them */
    const uint32_t *sources;
    const float *lengths; /* count x rows */
    int64_t dim;
    double *values;  /* dim: eigenvalues, largest first */
    double *axes;    /* rows x dim */
    double error;    /* |B - B of the map| / count, B being the sources' centred products */
    double variance; /* residual: 1 - the squared correlation of lengths and distances */
} dgmi_reduce_scaling;
/* Classical scaling of the sources (Torgerson 1952); all other points by their distances from them
 * (de Silva and Tenenbaum 2004). */
dgm_status dgmi_reduce_scaling_run(dgm_context *ctx, uint64_t seed, dgmi_reduce_scaling *scaling);

#endif
