/* SPDX-License-Identifier: Apache-2.0 */
/* How many bits of the graph a summary explains. */
#ifndef MAPPER_BITS_H
#define MAPPER_BITS_H

#include "dgm/mapper.h"

/* Puts each node into a block, a number below *blocks: the mark that a figure shows for its largest
 * cluster (of equals the first), where clusters of fewer than `least` nodes are dust. Nodes in no
 * cluster are a block. The summary must know its members by number. */
dgm_status dgmi_mapper_bits_blocks(dgm_context *ctx, const dgm_summary *summary, int64_t least,
                                   uint32_t *block, int64_t *blocks);
/* Measures blocks; the fields about chance become 0. */
dgm_status dgmi_mapper_bits_measure(dgm_context *ctx, const dgm_graph *graph, const uint32_t *block,
                                    int64_t blocks, dgm_bits *out);
/* Finds the share of the variance of the features that lies between blocks; -1: the graph has no
 * features. */
dgm_status dgmi_mapper_features_explained(dgm_context *ctx, const dgm_graph *graph,
                                          const uint32_t *block, int64_t blocks, double *share);

#endif
