/* SPDX-License-Identifier: Apache-2.0 */
/* From maps between summaries to their persistence. */
#ifndef MAPPER_TOWER_H
#define MAPPER_TOWER_H

#include "mapper_stages.h"

typedef struct dgmi_mapper_bars {
    dgm_bar *list; /* owned */
    int64_t count, capacity;
} dgmi_mapper_bars;

/* Persistence of the nerves along maps[i]: clusters of summary i -> clusters of summary i + 1.
 * Bars are counted from `first`, and sorted. */
dgm_status dgmi_mapper_persistence(dgm_context *ctx, const dgm_summary *const *summaries,
                                   const uint32_t *const *maps, int64_t count, int64_t first,
                                   dgmi_mapper_bars *bars, bool *loops_known);

#endif
