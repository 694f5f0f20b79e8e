/* SPDX-License-Identifier: Apache-2.0 */
/* Memberships as a sparse matrix S with a row per node and a column per cluster, and the graph over
 * the clusters whose adjacency matrix is S'AS. */
#include "dgm/mapper.h"

#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "mapper_membership.h"
#include "mapper_summary.h"

void dgm_membership_free(dgm_membership *membership) {
    if (!membership)
        return;
    dgm_allocator allocator = membership->allocator;
    dgmi_allocator_free(&allocator, membership->offsets);
    dgmi_allocator_free(&allocator, membership->columns);
    dgmi_allocator_free(&allocator, membership->values);
    dgmi_allocator_free(&allocator, membership);
}

dgm_membership_rows dgm_membership_get_rows(const dgm_membership *membership) {
    return (dgm_membership_rows){membership->nodes, membership->clusters, membership->offsets,
                                 membership->columns, membership->values};
}

dgm_status dgmi_mapper_membership_alloc(dgm_context *ctx, int64_t nodes, int64_t clusters,
                                        int64_t entries, dgm_membership **out) {
    *out = NULL;
    assert(nodes >= 0 && clusters >= 0 && entries >= 0);
    dgm_membership *membership = dgmi_alloc_zero(ctx, 1, sizeof *membership);
    if (!membership)
        return DGM_ERROR_MEMORY;
    membership->allocator = ctx->allocator;
    membership->nodes = nodes;
    membership->clusters = clusters;
    membership->offsets = dgmi_alloc_zero(ctx, nodes + 1, sizeof *membership->offsets);
    membership->columns = dgmi_alloc(ctx, entries, sizeof *membership->columns);
    membership->values = dgmi_alloc(ctx, entries, sizeof *membership->values);
    if (!membership->offsets || !membership->columns || !membership->values) {
        dgm_membership_free(membership);
        return DGM_ERROR_MEMORY;
    }
    *out = membership;
    return DGM_OK;
}

static dgm_status check_rows(dgm_context *ctx, const dgm_membership_rows *rows) {
    if (rows->nodes < 0 || rows->clusters < 0 || rows->clusters > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "memberships of %lld nodes in %lld clusters are not possible",
                         (long long)rows->nodes, (long long)rows->clusters);
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++) {
            bool ascending = i == rows->offsets[u] || rows->columns[i - 1] < rows->columns[i];
            if (!ascending || rows->columns[i] >= rows->clusters || !(rows->values[i] > 0) ||
                !isfinite(rows->values[i]))
                return dgmi_fail(
                    ctx, DGM_ERROR_DATA,
                    "memberships of node %lld: clusters must ascend below %lld and values "
                    "be positive",
                    (long long)u, (long long)rows->clusters);
        }
    return DGM_OK;
}

dgm_status dgm_membership_create(dgm_context *ctx, const dgm_membership_rows *rows,
                                 dgm_membership **out) {
    *out = NULL;
    dgm_status status = check_rows(ctx, rows);
    if (status != DGM_OK)
        return status;
    int64_t entries = rows->nodes ? rows->offsets[rows->nodes] : 0;
    status = dgmi_mapper_membership_alloc(ctx, rows->nodes, rows->clusters, entries, out);
    if (status != DGM_OK)
        return status;
    if (rows->nodes)
        memcpy((*out)->offsets, rows->offsets, (size_t)(rows->nodes + 1) * sizeof *rows->offsets);
    if (entries) {
        memcpy((*out)->columns, rows->columns, (size_t)entries * sizeof *rows->columns);
        memcpy((*out)->values, rows->values, (size_t)entries * sizeof *rows->values);
    }
    return DGM_OK;
}

dgm_status dgm_membership_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                       dgm_membership_kind kind, dgm_membership **out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t nodes = dgm_summary_get_coverage(summary).nodes;
    int64_t entries = clusters.offsets[clusters.count];
    *out = NULL;
    dgm_status status = dgmi_mapper_summary_check_members(ctx, summary);
    if (status == DGM_OK)
        status = dgmi_mapper_membership_alloc(ctx, nodes, clusters.count, entries, out);
    if (status != DGM_OK)
        return status;
    /* Counting sort by node; clusters are met in ascending order. Placing shifts starts by one row.
     */
    int64_t *offsets = (*out)->offsets;
    for (int64_t i = 0; i < entries; i++)
        offsets[clusters.members[i] + 1]++;
    for (int64_t u = 0; u < nodes; u++)
        offsets[u + 1] += offsets[u];
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            (*out)->columns[offsets[clusters.members[i]]++] = (uint32_t)c;
    memmove(offsets + 1, offsets, (size_t)nodes * sizeof *offsets);
    offsets[0] = 0;
    DGMI_ASSERT_WALK(dgmi_rows_sorted(offsets, (*out)->columns, nodes, clusters.count));
    for (int64_t u = 0; u < nodes; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            (*out)->values[i] =
                kind == DGM_MEMBERSHIP_SPLIT ? 1.0 / (double)(offsets[u + 1] - offsets[u]) : 1.0;
    return DGM_OK;
}

/* Adds weight * S_u' S_v to the builder as directed records (x, y). */
static dgm_status add_product(dgm_graph_builder *builder, const dgm_membership *s, int64_t u,
                              int64_t v, double weight) {
    dgm_status status = DGM_OK;
    for (int64_t i = s->offsets[u]; i < s->offsets[u + 1] && status == DGM_OK; i++)
        for (int64_t j = s->offsets[v]; j < s->offsets[v + 1] && status == DGM_OK; j++) {
            /* A'_xy and A'_yx are equal: both are recorded under (smaller, larger), half each. */
            uint32_t x = s->columns[i], y = s->columns[j];
            uint32_t ends[2] = {x < y ? x : y, x < y ? y : x};
            double value = weight * s->values[i] * s->values[j] * (x == y ? 1 : 0.5);
            if (value == 0 && weight != 0) /* underflow is no absence: the edge weighs the least */
                value = copysign(0x1p-1074, weight);
            status = dgm_graph_builder_add(builder, 1, ends, &value);
        }
    return status;
}

static dgm_status add_adjacency(dgm_context *ctx, dgm_graph_rows rows, const dgm_membership *s,
                                dgm_graph_builder *builder) {
    dgm_status status = DGM_OK;
    for (int64_t u = 0; u < rows.nodes && status == DGM_OK; u++) {
        status = add_product(builder, s, u, u, 1);
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1] && status == DGM_OK; e++) {
            uint32_t v = rows.targets[e];
            if (v == u)
                continue;
            double weight = rows.weights ? rows.weights[e] : 1;
            status = add_product(builder, s, u, v, weight);
            if (status == DGM_OK && rows.directed)
                status = add_product(builder, s, v, u, weight);
        }
        if (status == DGM_OK && u % (1 << 16) == 0)
            status = dgmi_progress(ctx, "pooling", (double)u / (double)rows.nodes);
    }
    return status;
}

dgm_status dgm_membership_adjacency(dgm_context *ctx, const dgm_graph *graph,
                                    const dgm_membership *membership, dgm_graph **out) {
    *out = NULL;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    if (rows.nodes != membership->nodes)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "memberships of %lld nodes for a graph of %lld",
                         (long long)membership->nodes, (long long)rows.nodes);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_reserve_nodes(builder, membership->clusters);
    if (status == DGM_OK)
        status = add_adjacency(ctx, rows, membership, builder);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}
