/* SPDX-License-Identifier: Apache-2.0 */
/* Distances from many sources at once, added up at every node; never all of them in memory. */
#ifndef GRAPH_BFS_H
#define GRAPH_BFS_H

#include "graph_patches.h"

/* What is added up at every place p, over the sources s != p that reach it within the cutoff, d
 * being the distance from s to p. Sums are taken over the sources in their order, so they do not
 * depend on the number of threads. */
typedef struct dgmi_graph_sweep {
    const uint32_t *sources; /* places, ascending, no repeats */
    int64_t count;
    double cutoff; /* INFINITY: none */
    double (*kernel)(const void *argument, double distance);
    const void *argument;
    double *sums;      /* += kernel(d) */
    double *squares;   /* += kernel(d)^2, or NULL */
    int64_t *reached;  /* += 1, or NULL */
    double *farthest;  /* the largest d, or NULL */
    const char *stage; /* for progress */
} dgmi_graph_sweep;

/* A source at `distance` from p, whose kernel there is `weight`. */
static inline void dgmi_graph_sweep_add(const dgmi_graph_sweep *sweep, int64_t p, double weight,
                                        double distance) {
    sweep->sums[p] += weight;
    if (sweep->squares)
        sweep->squares[p] += weight * weight;
    if (sweep->reached)
        sweep->reached[p]++;
    if (sweep->farthest && sweep->farthest[p] < distance)
        sweep->farthest[p] = distance;
}

enum { DGMI_GRAPH_BFS_WORDS = 8, DGMI_GRAPH_BFS_BATCH = 64 * DGMI_GRAPH_BFS_WORDS };

/* Bytes of scratch memory per node, as said below. */
enum { DGMI_GRAPH_BFS_NODE = 206, DGMI_GRAPH_SEARCH_NODE = 136, DGMI_GRAPH_DIJKSTRA_NODE = 256 };

/* Every arc counts 1. Batches of DGMI_GRAPH_BFS_BATCH sources, one bit each: about 206 bytes of scratch
 * memory for each node of the widest batch's components. Few sources, and many that lie apart on a
 * graph of many levels, are searched one by one instead. */
dgm_status dgmi_graph_bfs_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                const dgmi_graph_sweep *sweep);

/* Arcs have lengths. Some sources at a time: about 256 bytes of scratch memory per node. */
dgm_status dgmi_graph_dijkstra_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                     const dgmi_graph_sweep *sweep);

/* The instruction sets that the inner loops are compiled for: tests try each. */
typedef enum dgmi_graph_bfs_code {
    DGMI_GRAPH_BFS_PLAIN,
    DGMI_GRAPH_BFS_AVX2,
    DGMI_GRAPH_BFS_AVX512
} dgmi_graph_bfs_code;
bool dgmi_graph_bfs_runs(dgmi_graph_bfs_code code); /* on this machine */
dgm_status dgmi_graph_bfs_sweep_by(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   const dgmi_graph_sweep *sweep, dgmi_graph_bfs_code code);

#endif
