/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries that are written down by hand, cluster by cluster, for tests of dust. */
#ifndef DUST_SAMPLE_H
#define DUST_SAMPLE_H

#include "unit_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base_memory.h"
#include "mapper_summary.h"

enum { DUST_CLUSTERS = 64, DUST_EDGES = 2048, DUST_SIZE = 16 };

/* Clusters are lists of nodes that end with -1. */
typedef struct dust_draft {
    int64_t clusters, edges;
    int members[DUST_CLUSTERS][DUST_SIZE + 1];
    uint32_t ends[DUST_EDGES][2];
    double weights[DUST_EDGES];
} dust_draft;

/* A cluster of the nodes first .. first + size - 1. */
static inline int64_t dust_cluster(dust_draft *draft, int first, int size) {
    for (int i = 0; i < size; i++)
        draft->members[draft->clusters][i] = first + i;
    draft->members[draft->clusters][size] = -1;
    return draft->clusters++;
}

static inline void dust_join(dust_draft *draft, int64_t a, int64_t b, double weight) {
    draft->ends[draft->edges][0] = (uint32_t)(a < b ? a : b);
    draft->ends[draft->edges][1] = (uint32_t)(a < b ? b : a);
    draft->weights[draft->edges++] = weight;
}

static inline int64_t dust_size(const dust_draft *draft, int64_t cluster) {
    int64_t size = 0;
    while (draft->members[cluster][size] >= 0)
        size++;
    return size;
}

/* The names of the members, as a file has them that was read without its graph. */
static inline void dust_name_members(dgm_summary *summary) {
    int64_t count = summary->offsets[summary->clusters], used = 0;
    summary->name_text = dgmi_alloc(ctx, 12 * count + 1, 1);
    summary->name_starts = dgmi_alloc(ctx, count + 1, sizeof *summary->name_starts);
    for (int64_t i = 0; i < count; i++) {
        summary->name_starts[i] = used;
        used += sprintf(summary->name_text + used, "%u", summary->members[i]);
    }
    summary->name_starts[count] = used;
    dgmi_free(ctx, summary->members);
    summary->members = NULL;
}

static inline dgm_summary *dust_summary(const dust_draft *draft) {
    dgm_summary *summary;
    assert_int_equal(dgmi_mapper_summary_create(ctx, &summary), DGM_OK);
    int64_t members = 0;
    for (int64_t c = 0; c < draft->clusters; c++)
        members += dust_size(draft, c);
    summary->nodes = summary->coverage.nodes = summary->coverage.covered = 1000;
    summary->clusters = draft->clusters;
    summary->offsets = dgmi_alloc_zero(ctx, draft->clusters + 1, sizeof *summary->offsets);
    summary->members = dgmi_alloc(ctx, members, sizeof *summary->members);
    summary->edges = dgmi_alloc_zero(ctx, draft->edges, sizeof *summary->edges);
    summary->edge_count = draft->edges;
    for (int64_t c = 0; c < draft->clusters; c++) {
        summary->offsets[c + 1] = summary->offsets[c] + dust_size(draft, c);
        for (int64_t i = 0; i < dust_size(draft, c); i++)
            summary->members[summary->offsets[c] + i] = (uint32_t)draft->members[c][i];
    }
    for (int64_t e = 0; e < draft->edges; e++)
        summary->edges[e] = (dgm_summary_edge){.source = draft->ends[e][0],
                                               .target = draft->ends[e][1],
                                               .shared = 1,
                                               .weight = draft->weights[e]};
    return summary;
}

#endif
