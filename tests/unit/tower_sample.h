/* SPDX-License-Identifier: Apache-2.0 */
/* Towers of summaries of one graph, from fine to coarse covers. */
#ifndef TOWER_SAMPLE_H
#define TOWER_SAMPLE_H

#include "../check_tower.h"
#include "mapper_sample.h"

enum { MOST_LEVELS = CHECK_TOWER_LEVELS };

typedef struct {
    int64_t intervals;
    double overlap;
} cover;

typedef struct {
    int levels;
    dgm_summary *summaries[MOST_LEVELS];
    dgm_tower *tower;
} built;

static inline built build_tower(const dgm_graph *graph, int64_t columns, const double *lens,
                                int levels, const cover *covers, const dgm_mapper_options *base) {
    built b = {.levels = levels};
    for (int i = 0; i < levels; i++) {
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        if (base)
            options = *base;
        options.intervals[0] = covers[i].intervals;
        options.overlap[0] = covers[i].overlap;
        b.summaries[i] = map_graph(graph, columns, lens, &options);
    }
    if (dgm_tower_create(ctx, (const dgm_summary *const *)b.summaries, levels, &b.tower) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return b;
}

static inline void free_built(built *b) {
    for (int i = 0; i < b->levels; i++)
        dgm_summary_free(b->summaries[i]);
    dgm_tower_free(b->tower);
}

#endif
