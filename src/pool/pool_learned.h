/* SPDX-License-Identifier: Apache-2.0 */
/* A lens that learns: f = sigmoid(logit r + w'h + b), where r is the mid-rank of PageRank, and h the
 * state of the node. */
#ifndef POOL_LEARNED_H
#define POOL_LEARNED_H

#include "dgm/context.h"

/* Turns values of PageRank into logit((mid-rank + 1/2) / n), one per node. Values that differ by
 * less than 1e-9 of the largest count as equal. */
dgm_status dgmi_pool_positions(dgm_context *ctx, int64_t nodes, const double *pagerank,
                               float *positions);

#endif
