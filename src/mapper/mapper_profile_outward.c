/* SPDX-License-Identifier: Apache-2.0 */
/* How much a cluster keeps to itself: the share of its members' edges that lead out of it. */
#include <math.h>

#include "base_memory.h"
#include "graph_simple.h"
#include "mapper_profile.h"

/* `inside` has, for each node, one more than the last cluster that it was seen in. */
static double share_outward(const dgmi_graph_simple_rows *rows, dgmi_mapper_members members,
                            int64_t cluster, int64_t *inside) {
    int64_t begin = dgmi_mapper_members_begin(members, cluster),
            end = dgmi_mapper_members_begin(members, cluster + 1), out = 0, all = 0;
    for (int64_t i = begin; i < end; i++)
        inside[dgmi_mapper_members_node(members, i)] = cluster + 1;
    for (int64_t i = begin; i < end; i++) {
        int64_t u = dgmi_mapper_members_node(members, i);
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            out += inside[rows->targets[e]] != cluster + 1;
        all += dgmi_graph_simple_degree(rows, u);
    }
    return all > 0 ? (double)out / (double)all : 0;
}

dgm_status dgmi_mapper_profile_look_outward(dgm_context *ctx, dgm_profile *profile,
                                            const dgm_graph *graph, dgmi_mapper_members members) {
    dgmi_graph_simple_rows rows;
    if (!members.offsets) /* single nodes keep nothing to themselves */
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &rows);
    int64_t *inside = dgmi_scratch_zero(ctx, dgm_graph_nodes(graph), sizeof *inside);
    profile->outward = dgmi_alloc(ctx, profile->clusters, sizeof *profile->outward);
    if (status == DGM_OK && (!inside || !profile->outward))
        status = DGM_ERROR_MEMORY;
    for (int64_t c = 0; status == DGM_OK && c < profile->clusters; c++)
        profile->outward[c] = share_outward(&rows, members, c, inside);
    dgmi_arena_release(ctx, hold);
    return status;
}
