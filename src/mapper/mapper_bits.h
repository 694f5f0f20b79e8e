/* SPDX-License-Identifier: Apache-2.0 */
/* How many bits of the graph a summary explains. */
#ifndef MAPPER_BITS_H
#define MAPPER_BITS_H

#include "dgm/mapper.h"

/* Finds the largest cluster of each node (of equals the first), and puts the node into a block, a
 * number below *blocks: the mark that a figure shows for this cluster, where clusters of fewer than
 * `least` nodes are dust. Nodes in no cluster are a block. The summary must know its members by
 * number. */
dgm_status dgmi_mapper_bits_blocks(dgm_context *ctx, const dgm_summary *summary, int64_t least,
                                   uint32_t *cluster, uint32_t *block, int64_t *blocks);
/* Measures blocks; the fields about chance become 0. cluster[u] is the largest cluster of node u, or
 * DGMI_MAPPER_NO_CLUSTER: edges inside clusters are counted by it. */
#define DGMI_MAPPER_NO_CLUSTER UINT32_MAX
dgm_status dgmi_mapper_bits_measure(dgm_context *ctx, const dgm_graph *graph, const uint32_t *block,
                                    int64_t blocks, const uint32_t *cluster, dgm_bits *out);
/* Finds the share of the variance of the features that lies between blocks; -1: the graph has no
 * features. */
dgm_status dgmi_mapper_features_explained(dgm_context *ctx, const dgm_graph *graph,
                                          const uint32_t *block, int64_t blocks, double *share);

#endif
