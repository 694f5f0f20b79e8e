/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on towers: dense ranks mod 2 of every composed map, at most 64 clusters and 64
 * nodes a summary. Shares no code and no idea with the library: cycles are a null space, and bars
 * come from ranks by inclusion and exclusion. */
#ifndef CHECK_TOWER_H
#define CHECK_TOWER_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/dgm.h"

enum { CHECK_TOWER_CLUSTERS = 64, CHECK_TOWER_LEVELS = 8 };

/* bars[d][i][j]: how many of dimension d are born at i and gone at j; j = levels: never. */
typedef struct check_tower_bars {
    int levels;
    int64_t bars[2][CHECK_TOWER_LEVELS][CHECK_TOWER_LEVELS + 1];
} check_tower_bars;

/* False: a summary is too large. maps[i]: clusters of summary i -> of summary i + 1. */
bool check_tower(const dgm_summary *const *summaries, const uint32_t *const *maps, int levels,
                 check_tower_bars *out);

#endif
