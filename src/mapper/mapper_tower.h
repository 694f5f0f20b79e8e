/* SPDX-License-Identifier: Apache-2.0 */
/* The persistence of a tower: which pieces and loops of the nerves last from one summary to the
 * next coarser ones. */
#ifndef MAPPER_TOWER_H
#define MAPPER_TOWER_H

#include "mapper_stages.h"

typedef struct dgmi_mapper_bars {
    dgm_bar *list; /* owned */
    int64_t count, capacity;
} dgmi_mapper_bars;

/* Finds the bars of `count` summaries. maps[i] sends each cluster of summary i to its parent in
 * summary i + 1. Births and deaths are counted from `first`, and the bars are sorted. */
dgm_status dgmi_mapper_persistence(dgm_context *ctx, const dgm_summary *const *summaries,
                                   const uint32_t *const *maps, int64_t count, int64_t first,
                                   dgmi_mapper_bars *bars, bool *loops_known);

#endif
