/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first searches from one source at a time, for graphs of many levels. */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph_bfs.h"

/* Does what dgmi_graph_bfs_sweep does, with a search of its own for every source: O(n + m) per source. It
 * takes about 140 bytes of scratch memory for each node of the largest component with a source. */
dgm_status dgmi_graph_search_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   const dgmi_graph_sweep *sweep);
/* One source in each of `count` components: levels[p] becomes one more than the distance from the
 * source of its component, at all places of these components, and depths[i] the largest distance
 * from source i. `queue` is space; like levels it has an entry for every place. O(n + m) for all of
 * them. The graph is undirected. */
void dgmi_graph_search_levels(dgm_context *ctx, const dgmi_graph_patches *patches,
                              const uint32_t *sources, int64_t count, uint32_t *levels,
                              uint32_t *queue, uint32_t *depths);
/* The distance of the farthest place that the source reaches. */
dgm_status dgmi_graph_search_depth(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   uint32_t source, int64_t *depth);

#endif
