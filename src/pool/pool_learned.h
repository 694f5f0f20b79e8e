/* SPDX-License-Identifier: Apache-2.0 */
/* A lens that learns: f = sigmoid(logit r + w'h + b), where r is the mid-rank of PageRank, and h the
 * state of the node. */
#ifndef POOL_LEARNED_H
#define POOL_LEARNED_H

#include <stdint.h>

/* Values of PageRank count as equal if they differ by less than this share of the largest: by
 * rounding alone. Pooled graphs have weights in single precision. */
#define DGMI_POOL_ALIKE        1e-9
#define DGMI_POOL_POOLED_ALIKE 1e-5

typedef struct dgmi_pool_ranked {
    double value;
    int64_t node;
} dgmi_pool_ranked;

/* Turns values of PageRank into logit((mid-rank + 1/2) / n), one per node. Values that are equal but
 * for `alike`, one of the above, share their rank. `room` has as many entries. */
void dgmi_pool_positions(int64_t nodes, const double *pagerank, double alike,
                         dgmi_pool_ranked *room, float *positions);

#endif
