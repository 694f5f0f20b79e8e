/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the graph of nearest neighbours, in which i and j are joined if one of them is a neighbour
 * of the other. */
#include "dgm/knn.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

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

/* Nodes in the order of the points. */
static dgm_status add_nodes(dgm_graph_builder *builder, const dgm_graph *names, int64_t count) {
    dgm_status status = DGM_OK;
    size_t length;
    if (!names || count == 0 || !dgm_graph_name_text(names, 0, &length)) {
        dgm_graph_builder_set_name_base(builder, names ? dgm_graph_name_base(names) : 0);
        return dgm_graph_builder_reserve_nodes(builder, count);
    }
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        uint32_t node;
        const char *text = dgm_graph_name_text(names, i, &length);
        status = dgm_graph_builder_node(builder, text, length, &node);
    }
    return status;
}

static dgm_status add_points(dgm_context *ctx, dgm_graph_builder *builder,
                             const dgm_matrix *points) {
    int64_t rows = dgm_matrix_rows(points), width = dgm_matrix_columns(points);
    const double *values = dgm_matrix_values(points);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *copy = dgmi_scratch(ctx, rows * width, sizeof *copy);
    for (int64_t i = 0; copy && i < rows * width; i++)
        copy[i] = (float)values[i];
    const dgm_graph_features features = {.width = width, .values = copy};
    dgm_status status =
        copy ? dgm_graph_builder_set_features(builder, rows, &features) : DGM_ERROR_MEMORY;
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status build(dgm_context *ctx, const dgm_neighbours *lists, int64_t edges,
                        const uint32_t *ends, const double *weights,
                        const dgm_knn_graph_options *options, dgm_graph **out) {
    dgm_graph_builder *builder;
    int64_t nodes = dgm_neighbours_rows(lists);
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status != DGM_OK)
        return status;
    status = add_nodes(builder, options->names, nodes);
    if (status == DGM_OK && options->source)
        status = dgm_graph_builder_set_source(builder, options->source);
    if (status == DGM_OK)
        status = dgm_graph_builder_add(builder, edges, ends, weights);
    if (status == DGM_OK && options->points)
        status = add_points(ctx, builder, options->points);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

dgm_status dgm_knn_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                         const dgm_knn_graph_options *options, dgm_graph **out) {
    dgm_knn_graph_options own = DGM_KNN_GRAPH_OPTIONS_INIT;
    const dgm_knn_graph_options *use = &own;
    int64_t rows = dgm_neighbours_rows(neighbours), most = rows * dgm_neighbours_k(neighbours);
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_knn_graph_options, source, options, &own);
    if (status != DGM_OK)
        return status;
    if (use->names && dgm_graph_nodes(use->names) != rows)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "%lld names for %lld points",
                         (long long)dgm_graph_nodes(use->names), (long long)rows);
    if (use->points && dgm_matrix_rows(use->points) != rows)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "%lld points to keep for %lld points",
                         (long long)dgm_matrix_rows(use->points), (long long)rows);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *ends = dgmi_scratch(ctx, 2 * most, sizeof *ends);
    double *weights = use->distances ? dgmi_scratch(ctx, most, sizeof *weights) : NULL;
    status = ends && (weights || !use->distances) ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status =
            build(ctx, neighbours, collect(neighbours, ends, weights), ends, weights, use, out);
    dgmi_arena_release(ctx, hold);
    return status;
}
