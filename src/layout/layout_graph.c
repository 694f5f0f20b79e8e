/* SPDX-License-Identifier: Apache-2.0 */
/* Makes sparse rows of links, each in both directions, and finds the connected pieces. */
#include "layout_layout.h"

#include "base_assert.h"
#include "base_memory.h"

dgm_status dgmi_layout_graph_make(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_graph *out) {
    int64_t *offsets = dgmi_scratch_zero(ctx, marks + 2, sizeof *offsets);
    uint32_t *targets = dgmi_scratch(ctx, 2 * link_count, sizeof *targets);
    if (!offsets || !targets)
        return DGM_ERROR_MEMORY;
    int64_t *next = offsets + 1; /* ends as offsets */
    for (int64_t l = 0; l < link_count; l++) {
        if (links[l].source == links[l].target)
            continue;
        next[links[l].source + 1]++;
        next[links[l].target + 1]++;
    }
    for (int64_t m = 0; m < marks; m++)
        next[m + 1] += next[m];
    for (int64_t l = 0; l < link_count; l++) {
        if (links[l].source == links[l].target)
            continue;
        targets[next[links[l].source]++] = links[l].target;
        targets[next[links[l].target]++] = links[l].source;
    }
    DGMI_ASSERT_WALK(dgmi_rows_fit(offsets, targets, marks, marks));
    *out = (dgmi_layout_graph){marks, offsets, targets};
    return DGM_OK;
}

dgm_status dgmi_layout_find_pieces(dgm_context *ctx, const dgmi_layout_graph *graph,
                                   uint32_t *piece, int64_t *pieces) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *queue = dgmi_scratch(ctx, graph->marks, sizeof *queue);
    if (!queue)
        return DGM_ERROR_MEMORY;
    *pieces = 0;
    for (int64_t m = 0; m < graph->marks; m++)
        piece[m] = UINT32_MAX;
    for (int64_t m = 0; m < graph->marks; m++) {
        if (piece[m] != UINT32_MAX)
            continue;
        int64_t reached = 1;
        queue[0] = (uint32_t)m;
        piece[m] = (uint32_t)*pieces;
        for (int64_t q = 0; q < reached; q++)
            for (int64_t e = graph->offsets[queue[q]]; e < graph->offsets[queue[q] + 1]; e++)
                if (piece[graph->targets[e]] == UINT32_MAX) {
                    assert(reached < graph->marks);
                    piece[graph->targets[e]] = (uint32_t)*pieces;
                    queue[reached++] = graph->targets[e];
                }
        ++*pieces;
    }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

dgm_status dgmi_layout_members(dgm_context *ctx, int64_t marks, const uint32_t *piece,
                               int64_t pieces, dgmi_layout_sets *out) {
    int64_t *offsets = dgmi_scratch_zero(ctx, pieces + 2, sizeof *offsets);
    uint32_t *members = dgmi_scratch(ctx, marks, sizeof *members);
    if (!offsets || !members)
        return DGM_ERROR_MEMORY;
    int64_t *next = offsets + 1;
    for (int64_t m = 0; m < marks; m++)
        next[piece[m] + 1]++;
    for (int64_t p = 0; p < pieces; p++)
        next[p + 1] += next[p];
    for (int64_t m = 0; m < marks; m++)
        members[next[piece[m]]++] = (uint32_t)m;
    DGMI_ASSERT_WALK(dgmi_rows_sorted(offsets, members, pieces, marks));
    *out = (dgmi_layout_sets){pieces, offsets, members};
    return DGM_OK;
}

dgm_status dgmi_layout_take_apart(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_parts *out) {
    int64_t pieces;
    uint32_t *piece = dgmi_scratch(ctx, marks, sizeof *piece);
    if (!piece)
        return DGM_ERROR_MEMORY;
    out->piece = piece;
    dgm_status status = dgmi_layout_graph_make(ctx, marks, links, link_count, &out->graph);
    if (status == DGM_OK)
        status = dgmi_layout_find_pieces(ctx, &out->graph, piece, &pieces);
    if (status == DGM_OK)
        status = dgmi_layout_members(ctx, marks, piece, pieces, &out->sets);
    return status;
}
