/* SPDX-License-Identifier: Apache-2.0 */
/* Communities of a graph: the public calls. */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"

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
