/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of Isomap: the graph of neighbours, its shortest paths, and their scaling. */
#ifndef REDUCE_ISOMAP_H
#define REDUCE_ISOMAP_H

#include "dgm/knn.h"
#include "dgm/reduce.h"

/* An undirected graph whose edges have lengths, in scratch memory. Each edge stands in both rows.
 */
typedef struct dgmi_reduce_isomap_graph {
    int64_t rows;
    int64_t *offsets;
    uint32_t *targets;
    float *lengths;
    int64_t components; /* their number before they were joined */
} dgmi_reduce_isomap_graph;

/* Joins each point with its neighbours, and then every two components by their nearest pair of
 * points, as scikit-learn does. */
dgm_status dgmi_reduce_isomap_graph_make(dgm_context *ctx, const float *points, int64_t columns,
                                         int metric, const dgm_neighbours *neighbours,
                                         dgmi_reduce_isomap_graph *out);

/* Sets lengths[s * rows + v] to the length of the shortest path from sources[s] to v. No source may
 * be given twice. */
dgm_status dgmi_reduce_isomap_paths(dgm_context *ctx, const dgmi_reduce_isomap_graph *graph,
                                    const uint32_t *sources, int64_t count, float *lengths);

/* Places for points whose distances from some of them, the sources, are known. */
typedef struct dgmi_reduce_scaling {
    int64_t rows;            /* the number of points */
    int64_t count;           /* the number of sources */
    const uint32_t *sources; /* which points they are */
    const float *lengths;    /* count x rows distances of the points from the sources */
    int64_t dim;             /* the number of axes */
    double *values;          /* the result: dim eigenvalues, the largest first */
    double *axes;            /* the result: rows x dim coordinates */
    double error; /* the result: |B - B'| / count, where B has the centred products of the sources
                        by their lengths, and B' those by their coordinates */
    /* The result: the residual variance, which is 1 less the squared correlation of lengths and
     * distances. */
    double variance;
} dgmi_reduce_scaling;
/* Places the sources by classical scaling (Torgerson 1952), and all other points by their distances
 * from the sources (de Silva and Tenenbaum 2004). */
dgm_status dgmi_reduce_scaling_run(dgm_context *ctx, uint64_t seed, dgmi_reduce_scaling *scaling);

#endif
