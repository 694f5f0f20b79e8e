/* SPDX-License-Identifier: Apache-2.0 */
/* Memberships as a sparse matrix S with a row per node and a column per cluster, and the graph over
 * the clusters whose adjacency matrix is S'AS. */
#include "dgm/mapper.h"

#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "graph_transpose.h"
#include "mapper_membership.h"
#include "mapper_stages.h"
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

static dgm_status fail_weights(dgm_context *ctx) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "there are no weights: make the summary with " DGMI_NAMED("weights=gaussian"));
}

dgm_status dgm_membership_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                       dgm_membership_kind kind, dgm_membership **out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t nodes = dgm_summary_get_coverage(summary).nodes;
    int64_t entries = clusters.offsets[clusters.count];
    const double *weights = dgm_summary_weights(summary);
    *out = NULL;
    if (kind == DGM_MEMBERSHIP_WEIGHTS && !weights)
        return fail_weights(ctx);
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
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            int64_t place = offsets[clusters.members[i]]++;
            (*out)->columns[place] = (uint32_t)c;
            (*out)->values[place] = weights ? weights[i] : 1;
        }
    memmove(offsets + 1, offsets, (size_t)nodes * sizeof *offsets);
    offsets[0] = 0;
    DGMI_ASSERT_WALK(dgmi_rows_sorted(offsets, (*out)->columns, nodes, clusters.count));
    for (int64_t u = 0; kind != DGM_MEMBERSHIP_WEIGHTS && u < nodes; u++)
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            (*out)->values[i] =
                kind == DGM_MEMBERSHIP_SPLIT ? 1.0 / (double)(offsets[u + 1] - offsets[u]) : 1.0;
    return DGM_OK;
}

/* ---- cells ---- */

/* There is no graph that would know the names of nodes, so they are told by number. */
static dgm_status check_lens(dgm_context *ctx, const dgm_matrix *lens) {
    int64_t rows = dgm_matrix_rows(lens), columns = dgm_matrix_columns(lens);
    const double *values = dgm_matrix_values(lens);
    if (columns < 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the lens has no columns");
    for (int64_t i = 0; i < rows * columns; i++)
        if (!isfinite(values[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the lens is %s at node %lld, counted from 0 (column %lld)",
                             isnan(values[i]) ? "not a number" : "infinite",
                             (long long)(i / columns), (long long)(i % columns) + 1);
    return DGM_OK;
}

static dgm_status take_cells(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                             dgm_membership_kind kind, dgm_membership **out) {
    dgm_status status =
        dgmi_mapper_membership_alloc(ctx, pullback->nodes, pullback->cells, pullback->slots, out);
    for (int64_t u = 0; status == DGM_OK && u < pullback->nodes; u++) {
        int64_t begin = pullback->offsets[u], end = pullback->offsets[u + 1];
        (*out)->offsets[u + 1] = end;
        for (int64_t i = begin; i < end; i++) {
            (*out)->columns[i] = pullback->cell[i];
            (*out)->values[i] = kind == DGM_MEMBERSHIP_SPLIT ? 1.0 / (double)(end - begin) : 1.0;
        }
    }
    return status;
}

dgm_status dgm_membership_from_lens(dgm_context *ctx, const dgm_matrix *lens,
                                    const dgm_mapper_options *options, dgm_membership_kind kind,
                                    dgm_membership **out) {
    *out = NULL;
    dgm_mapper_options use = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_cover cover;
    dgmi_mapper_pullback pullback;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_mapper_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_mapper_check(ctx, &use);
    if (status == DGM_OK && kind == DGM_MEMBERSHIP_WEIGHTS)
        status = fail_weights(ctx);
    if (status == DGM_OK)
        status = check_lens(ctx, lens);
    if (status == DGM_OK)
        status = dgmi_mapper_cover_make(ctx, lens, &use, &cover);
    if (status == DGM_OK)
        status = dgmi_mapper_pullback_make(ctx, &cover, &pullback);
    if (status == DGM_OK)
        status = take_cells(ctx, &pullback, kind, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- S'AS ---- */

/* S'AS is made row by row, each summed up in an array with an entry per cluster: time is that of
 * the products, and memory is linear. The matrix is symmetric, so the part of a row at and right
 * of the diagonal decides both halves. */
typedef struct pooled_rows {
    dgm_graph_rows out, in;  /* of the graph; `in` has no nodes if it is undirected */
    const dgm_membership *s; /* S */
    int64_t *starts;         /* clusters + 1 positions in the next two arrays, the rows of S' */
    uint32_t *members;
    double *shares;
    bool loops;        /* A has ones on its diagonal, in place of the graph's self-loops */
    double *sums;      /* the row that is made */
    bool *seen;        /* the clusters that have an entry in it */
    uint32_t *touched; /* the same as a list */
    int64_t count;     /* its length */
    uint32_t *ends;    /* the row as records of the builder */
    double *weights;
} pooled_rows;

/* Underflow is no absence: such an edge weighs the least there is. */
static double multiply(double a, double b) {
    double product = a * b;
    return product == 0 && a != 0 && b != 0 ? copysign(0x1p-1074, a) * copysign(1, b) : product;
}

/* Adds weight * S_node to the row of a cluster. */
static void add_node(pooled_rows *rows, uint32_t cluster, int64_t node, double weight) {
    const dgm_membership *s = rows->s;
    for (int64_t i = s->offsets[node]; i < s->offsets[node + 1]; i++) {
        uint32_t other = s->columns[i];
        if (other < cluster)
            continue;
        if (!rows->seen[other])
            rows->touched[rows->count++] = other;
        rows->seen[other] = true;
        rows->sums[other] += multiply(weight, s->values[i]);
    }
}

static void add_neighbours(pooled_rows *rows, const dgm_graph_rows *graph, uint32_t cluster,
                           uint32_t node, double share) {
    for (int64_t e = graph->offsets[node]; e < graph->offsets[node + 1]; e++) {
        double weight = graph->weights ? graph->weights[e] : 1;
        if (graph->targets[e] != node)
            add_node(rows, cluster, graph->targets[e], multiply(share, weight));
        else if (!rows->loops && graph == &rows->out)
            add_node(rows, cluster, node, multiply(share, weight));
    }
}

static dgm_status add_cluster(pooled_rows *rows, uint32_t cluster, dgm_graph_builder *builder) {
    rows->count = 0;
    for (int64_t i = rows->starts[cluster]; i < rows->starts[cluster + 1]; i++) {
        uint32_t node = rows->members[i];
        if (rows->loops)
            add_node(rows, cluster, node, rows->shares[i]);
        add_neighbours(rows, &rows->out, cluster, node, rows->shares[i]);
        if (rows->out.directed)
            add_neighbours(rows, &rows->in, cluster, node, rows->shares[i]);
    }
    for (int64_t k = 0; k < rows->count; k++) {
        uint32_t other = rows->touched[k];
        rows->ends[2 * k] = cluster;
        rows->ends[2 * k + 1] = other;
        rows->weights[k] = rows->sums[other];
        rows->sums[other] = 0;
        rows->seen[other] = false;
    }
    return dgm_graph_builder_add(builder, rows->count, rows->ends, rows->weights);
}

/* The rows of S', by counting. */
static dgm_status turn_membership(dgm_context *ctx, pooled_rows *rows) {
    const dgm_membership *s = rows->s;
    int64_t entries = s->offsets[s->nodes];
    rows->starts = dgmi_scratch_zero(ctx, s->clusters + 2, sizeof *rows->starts);
    rows->members = dgmi_scratch(ctx, entries, sizeof *rows->members);
    rows->shares = dgmi_scratch(ctx, entries, sizeof *rows->shares);
    if (!rows->starts || !rows->members || !rows->shares)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < entries; i++)
        rows->starts[s->columns[i] + 2]++;
    for (int64_t c = 0; c < s->clusters; c++)
        rows->starts[c + 2] += rows->starts[c + 1];
    for (int64_t u = 0; u < s->nodes; u++)
        for (int64_t i = s->offsets[u]; i < s->offsets[u + 1]; i++) {
            int64_t at = rows->starts[s->columns[i] + 1]++;
            rows->members[at] = (uint32_t)u;
            rows->shares[at] = s->values[i];
        }
    return DGM_OK;
}

static dgm_status prepare_rows(dgm_context *ctx, pooled_rows *rows) {
    int64_t clusters = rows->s->clusters;
    rows->sums = dgmi_scratch_zero(ctx, clusters, sizeof *rows->sums);
    rows->seen = dgmi_scratch_zero(ctx, clusters, sizeof *rows->seen);
    rows->touched = dgmi_scratch(ctx, clusters, sizeof *rows->touched);
    rows->ends = dgmi_scratch(ctx, 2 * clusters, sizeof *rows->ends);
    rows->weights = dgmi_scratch(ctx, clusters, sizeof *rows->weights);
    if (!rows->sums || !rows->seen || !rows->touched || !rows->ends || !rows->weights)
        return DGM_ERROR_MEMORY;
    dgm_status status = turn_membership(ctx, rows);
    if (status == DGM_OK && rows->out.directed)
        status = dgmi_graph_rows_transpose(ctx, rows->out, &rows->in);
    return status;
}

static dgm_status add_clusters(dgm_context *ctx, pooled_rows *rows, dgm_graph_builder *builder) {
    int64_t clusters = rows->s->clusters;
    dgm_status status = dgm_graph_builder_reserve_nodes(builder, clusters);
    for (int64_t c = 0; status == DGM_OK && c < clusters; c++) {
        status = add_cluster(rows, (uint32_t)c, builder);
        if (status == DGM_OK && c % 64 == 0)
            status = dgmi_progress(ctx, "pooling", (double)c / (double)clusters);
    }
    return status;
}

dgm_status dgm_membership_adjacency(dgm_context *ctx, const dgm_graph *graph,
                                    const dgm_membership *membership, bool loops, dgm_graph **out) {
    *out = NULL;
    pooled_rows rows = {.out = dgm_graph_get_rows(graph), .s = membership, .loops = loops};
    if (rows.out.nodes != membership->nodes)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "memberships of %lld nodes for a graph of %lld",
                         (long long)membership->nodes, (long long)rows.out.nodes);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph_builder *builder = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = prepare_rows(ctx, &rows);
    if (status == DGM_OK)
        status = dgm_graph_builder_create(ctx, &options, &builder);
    if (status == DGM_OK)
        status = add_clusters(ctx, &rows, builder);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}
