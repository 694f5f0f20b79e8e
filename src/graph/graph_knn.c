/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of nearest neighbours: i - j where one is among the other's. */
#include "dgm/knn.h"

#include "base_context.h"
#include "base_memory.h"

/* Two points that name each other give one edge: the pair is added by the smaller of them, or by
 * the one that alone names the other. */
static bool names_back(const dgm_neighbours *lists, uint32_t from, uint32_t to) {
    int64_t k = dgm_neighbours_k(lists);
    const uint32_t *row = dgm_neighbours_indices(lists) + (int64_t)from * k;
    for (int64_t j = 0; j < k; j++)
        if (row[j] == to)
            return true;
    return false;
}

static int64_t collect(const dgm_neighbours *lists, uint32_t *ends, double *weights) {
    int64_t k = dgm_neighbours_k(lists), rows = dgm_neighbours_rows(lists), count = 0;
    const uint32_t *indices = dgm_neighbours_indices(lists);
    const float *distances = dgm_neighbours_distances(lists);
    for (int64_t i = 0; i < rows * k; i++) {
        uint32_t from = (uint32_t)(i / k), to = indices[i];
        if (to < from && names_back(lists, to, from))
            continue;
        ends[2 * count] = from;
        ends[2 * count + 1] = to;
        if (weights)
            weights[count] = distances[i];
        count++;
    }
    return count;
}

static dgm_status build(dgm_context *ctx, int64_t nodes, int64_t edges, const uint32_t *ends,
                        const double *weights, dgm_graph **out) {
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_reserve_nodes(builder, nodes);
    if (status == DGM_OK)
        status = dgm_graph_builder_add(builder, edges, ends, weights);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

dgm_status dgm_knn_graph(dgm_context *ctx, const dgm_neighbours *neighbours, bool distances,
                         dgm_graph **out) {
    *out = NULL;
    int64_t most = dgm_neighbours_rows(neighbours) * dgm_neighbours_k(neighbours);
    dgmi_mark mark = dgmi_arena_mark(ctx);
    uint32_t *ends = dgmi_scratch(ctx, 2 * most, sizeof *ends);
    double *weights = distances ? dgmi_scratch(ctx, most, sizeof *weights) : NULL;
    dgm_status status = ends && (weights || !distances) ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = build(ctx, dgm_neighbours_rows(neighbours), collect(neighbours, ends, weights),
                       ends, weights, out);
    dgmi_arena_release(ctx, mark);
    return status;
}
