/* SPDX-License-Identifier: Apache-2.0 */
/* Betti numbers of the nerve, mod 2, from its 2-skeleton: b1 = edges - vertices + b0 - rank of the
 * triangles' boundaries.
 *
 * The nerve is the union of one simplex a class. The rank is found in two steps: edges that lie on
 * one triangle alone are removed together with it (an elementary collapse keeps the homotopy type,
 * and each counts one for the rank) until none is left; what remains is reduced by columns, the
 * pivot being a column's highest edge.
 */
#include "mapper_skeleton.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

/* ---- the rank of the boundary ---- */

/* Gaussian elimination by columns; owner[e] is the column whose highest edge is e. */
static dgm_status reduce(dgm_context *ctx, const dgmi_triangles *found, dgmi_column *columns,
                         int64_t *owner, int64_t *rank) {
    dgmi_column work = {0}, space = {0};
    dgm_status status = DGM_OK;
    *rank = 0;
    for (int64_t i = 0; status == DGM_OK && i < found->count; i++) {
        status = dgmi_column_reserve(ctx, &work, 3);
        if (status != DGM_OK)
            break;
        memcpy(work.ones, found->list[i].v, sizeof found->list[i].v);
        work.count = 3;
        while (status == DGM_OK && work.count && owner[work.ones[work.count - 1]] >= 0)
            status =
                dgmi_column_add(ctx, &work, &columns[owner[work.ones[work.count - 1]]], &space);
        if (status == DGM_OK && work.count) {
            owner[work.ones[work.count - 1]] = *rank;
            columns[(*rank)++] = work;
            work = (dgmi_column){0};
        }
        if (status == DGM_OK && i % 4096 == 0)
            status = dgmi_progress(ctx, "counting loops", (double)i / (double)found->count);
    }
    dgmi_free(ctx, work.ones);
    dgmi_free(ctx, space.ones);
    return status;
}

static dgm_status boundary_rank(dgm_context *ctx, const dgmi_edge_list *edges,
                                dgmi_triangles *found, int64_t *rank) {
    int64_t collapsed = 0, reduced = 0;
    dgmi_triangles_name_edges(edges, found);
    dgm_status status = dgmi_triangles_collapse(ctx, edges->count, found, NULL, &collapsed);
    dgmi_column *columns = dgmi_scratch_zero(ctx, found->count, sizeof *columns);
    int64_t *owner = dgmi_scratch(ctx, edges->count, sizeof *owner);
    if (!columns || !owner)
        status = DGM_ERROR_MEMORY;
    for (int64_t e = 0; status == DGM_OK && e < edges->count; e++)
        owner[e] = -1;
    if (status == DGM_OK)
        status = reduce(ctx, found, columns, owner, &reduced);
    for (int64_t i = 0; columns && i < found->count; i++)
        dgmi_free(ctx, columns[i].ones);
    *rank = collapsed + reduced;
    return status;
}

/* ---- the whole ---- */

/* Connected components of the kept clusters under the given edges. */
static dgm_status count_components(dgm_context *ctx, int64_t clusters, const bool *kept,
                                   const dgmi_edge_list *edges, int64_t *count) {
    uint32_t *parent = dgmi_scratch(ctx, clusters, sizeof *parent);
    if (!parent)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters; c++)
        parent[c] = (uint32_t)c;
    for (int64_t e = 0; e < edges->count; e++)
        dgmi_union_link(parent, (uint32_t)(edges->keys[e] >> 32), (uint32_t)edges->keys[e]);
    *count = 0;
    for (int64_t c = 0; c < clusters; c++)
        *count += kept[c] && parent[c] == c;
    return DGM_OK;
}

dgm_status dgmi_topology_make(dgm_context *ctx, const dgmi_classes *classes, const bool *kept,
                              const dgmi_meeting *meetings, int64_t meeting_count,
                              dgm_summary_topology *topology) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t vertices = 0, rank = 0;
    bool all;
    dgmi_triangles found;
    uint64_t *keys = dgmi_scratch(ctx, meeting_count, sizeof *keys);
    if (!keys)
        goto done;
    dgmi_edge_list edges = {keys, 0};
    for (int64_t i = 0; i < meeting_count; i++)
        if (meetings[i].shared > 0 && kept[meetings[i].low] && kept[meetings[i].high])
            keys[edges.count++] = dgmi_pair(meetings[i].low, meetings[i].high);
    for (int64_t c = 0; c < classes->clusters; c++)
        vertices += kept[c];
    status = dgmi_triangles_make(ctx, classes, kept, &found, &all);
    if (status != DGM_OK)
        goto done;
    topology->triangles = all ? found.count : -1;
    status = count_components(ctx, classes->clusters, kept, &edges, &topology->b0);
    if (status == DGM_OK)
        status = boundary_rank(ctx, &edges, &found, &rank);
    topology->skeleton_loops = edges.count - vertices + topology->b0;
    topology->b1 = topology->skeleton_loops - rank;
done:
    dgmi_arena_release(ctx, mark);
    return status;
}
