/* SPDX-License-Identifier: Apache-2.0 */
/* How many neighbours the members of a cluster have: the median, which a hub does not move. */
#include <stdlib.h>

#include "base_memory.h"
#include "graph_simple.h"
#include "mapper_profile.h"

static int compare_degrees(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of an even number of members the mean of the two in the middle. */
static double median_of(uint32_t *degrees, int64_t count) {
    qsort(degrees, (size_t)count, sizeof *degrees, compare_degrees);
    return ((double)degrees[(count - 1) / 2] + (double)degrees[count / 2]) / 2;
}

dgm_status dgmi_mapper_profile_look_at_degrees(dgm_context *ctx, dgm_profile *profile,
                                               const dgm_graph *graph,
                                               dgmi_mapper_members members) {
    dgmi_graph_simple_rows rows;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &rows);
    uint32_t *degrees = dgmi_scratch(ctx, dgm_graph_nodes(graph), sizeof *degrees);
    profile->degree = dgmi_alloc(ctx, profile->clusters, sizeof *profile->degree);
    if (status == DGM_OK && (!degrees || !profile->degree))
        status = DGM_ERROR_MEMORY;
    for (int64_t c = 0; status == DGM_OK && c < profile->clusters; c++) {
        int64_t begin = dgmi_mapper_members_begin(members, c), count = 0;
        for (int64_t i = begin; i < dgmi_mapper_members_begin(members, c + 1); i++)
            degrees[count++] =
                (uint32_t)dgmi_graph_simple_degree(&rows, dgmi_mapper_members_node(members, i));
        profile->degree[c] = median_of(degrees, count);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
