/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the distances from many sources, kept at every node. The distances themselves are never
 * all in memory. */
#ifndef GRAPH_BFS_H
#define GRAPH_BFS_H

#include "graph_patches.h"

/* What is added up at every place p, over the sources s != p that reach it within the cutoff, d
 * being the distance from s to p. Sums are taken over the sources in their order, so they do not
 * depend on the number of threads. */
typedef struct dgmi_graph_sweep {
    const uint32_t *sources; /* the places of the sources, ascending and without repeats */
    int64_t count;           /* the number of sources */
    double cutoff;           /* the largest distance that counts; INFINITY: all count */
    double (*kernel)(const void *argument, double distance);
    const void *argument; /* the first argument of the kernel */
    double *sums;         /* grows by kernel(d) */
    double *squares;      /* grows by kernel(d)^2; or NULL */
    int64_t *reached;     /* grows by 1; or NULL */
    double *farthest;     /* becomes the largest d; or NULL */
    const char *stage;    /* the word for progress reports */
} dgmi_graph_sweep;

/* Adds a source at `distance` from place p, whose kernel there is `weight`. */
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

/* About how many bytes of scratch memory each kind of search takes per node. */
enum { DGMI_GRAPH_BFS_NODE = 206, DGMI_GRAPH_SEARCH_NODE = 136, DGMI_GRAPH_DIJKSTRA_NODE = 256 };

/* Sweeps over all sources, where every arc has length 1. Sources are searched in batches of
 * DGMI_GRAPH_BFS_BATCH, one bit each, which takes about 206 bytes of scratch memory for each node
 * in the components of the widest batch. If there are few sources, or if they lie far apart on a
 * graph with many levels, they are searched one by one instead. */
dgm_status dgmi_graph_bfs_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                const dgmi_graph_sweep *sweep);

/* Does the same for arcs with lengths, some sources at a time. It takes about 256 bytes of scratch
 * memory per node. */
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
