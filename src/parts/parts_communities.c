/* SPDX-License-Identifier: Apache-2.0 */
/* Communities of a graph: the public calls. */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"

enum { NODE_BYTES = 200 };

/* Two rooms for entries of merged levels, the rows of both directions, and what the steps and the
 * levels keep for each node. */
double dgmi_parts_need(const dgm_graph *graph, bool weighted) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double room = sizeof(uint32_t) + sizeof(int64_t), entries = (double)rows.entries, own = 0;
    if (rows.directed)
        own = 2 * entries * sizeof(uint32_t);
    entries *= rows.directed ? 2 : 1;
    if (weighted && rows.weights)
        own += entries * sizeof(int64_t);
    return own + 2 * room * entries + NODE_BYTES * (double)rows.nodes;
}

static dgm_status tell_need(dgm_context *ctx, const dgm_graph *graph, bool weighted) {
    double bytes = dgmi_parts_need(graph, weighted);
    const dgmi_need need = {"finding communities", bytes, bytes,
                            "take a part of the graph, or a machine with more memory"};
    return dgmi_need_tell(ctx, &need);
}

dgm_status dgm_communities(dgm_context *ctx, const dgm_graph *graph,
                           const dgm_communities_options *options, uint32_t *parts,
                           int64_t *count) {
    dgm_communities_options own;
    dgmi_parts_level level;
    *count = 0;
    dgm_status status = dgmi_parts_options_take(ctx, options, &own);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = dgmi_progress(ctx, "finding communities", 0);
    if (status == DGM_OK)
        status = tell_need(ctx, graph, own.weighted);
    if (status == DGM_OK)
        status = dgmi_parts_level_make(ctx, graph, &own, &level);
    if (status == DGM_OK)
        status = dgmi_parts_find(ctx, &level, (uint64_t)own.seed, parts);
    if (status == DGM_OK)
        status = dgmi_parts_number(ctx, level.nodes, parts, count);
    if (status != DGM_OK)
        *count = 0;
    dgmi_arena_release(ctx, hold);
    return status;
}
