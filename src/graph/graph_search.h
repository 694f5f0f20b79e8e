/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first searches from one source at a time, for graphs with many levels. */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph_bfs.h"

/* Does what dgmi_graph_bfs_sweep does, with one search for each source: O(n + m) per source. It
 * takes about 140 bytes of scratch memory for each node of the largest component with a source. */
dgm_status dgmi_graph_search_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   const dgmi_graph_sweep *sweep);
/* Searches an undirected graph from one source in each of `count` components, in O(n + m) for all
 * of them. levels[p] becomes one more than the distance of place p from the source of its
 * component, and depths[i] the largest distance from source i. `queue` is working memory; like
 * `levels` it has an entry for every place. */
void dgmi_graph_search_levels(dgm_context *ctx, const dgmi_graph_patches *patches,
                              const uint32_t *sources, int64_t count, uint32_t *levels,
                              uint32_t *queue, uint32_t *depths);
/* Finds the distance of the farthest place that the source reaches. */
dgm_status dgmi_graph_search_depth(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   uint32_t source, int64_t *depth);

#endif
