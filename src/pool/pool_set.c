/* SPDX-License-Identifier: Apache-2.0 */
/* The graphs of a set, one by one: their assignments side by side, and where learned lenses start. */
#include "pool_set.h"

#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "dgm/lens.h"
#include "mapper_membership.h"
#include "pool_assign.h"
#include "pool_learned.h"

/* ---- one graph ---- */

dgm_status dgmi_pool_cut(dgm_context *ctx, const dgm_graph *united, int64_t begin, int64_t end,
                         dgm_graph **out) {
    dgm_graph_rows all = dgm_graph_get_rows(united);
    dgm_graph_rows rows = {.nodes = end - begin,
                           .entries = all.offsets[end] - all.offsets[begin],
                           .directed = all.directed};
    const dgm_graph_options options = {
        .size = sizeof options, .directed = all.directed, .keep_loops = true, .nodes = rows.nodes};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *offsets = dgmi_scratch(ctx, rows.nodes + 1, sizeof *offsets);
    uint32_t *targets = dgmi_scratch(ctx, rows.entries, sizeof *targets);
    dgm_status status = offsets && targets ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = begin; status == DGM_OK && u <= end; u++)
        offsets[u - begin] = all.offsets[u] - all.offsets[begin];
    for (int64_t e = 0; status == DGM_OK && e < rows.entries; e++)
        targets[e] = all.targets[all.offsets[begin] + e] - (uint32_t)begin;
    rows.offsets = offsets;
    rows.targets = targets;
    rows.weights = all.weights ? all.weights + all.offsets[begin] : NULL;
    if (status == DGM_OK)
        status = dgm_graph_from_rows(ctx, &rows, &options, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status get_graph(dgm_context *ctx, const dgm_graph_set *set, int64_t index,
                            dgm_graph **out) {
    const int64_t *starts = dgm_graph_set_offsets(set);
    return dgmi_pool_cut(ctx, dgm_graph_set_union(set), starts[index], starts[index + 1], out);
}

/* ---- where a learned lens starts ---- */

typedef struct place_job {
    const dgm_graph_set *set;
    float *positions;
} place_job;

static dgm_status place_by(dgm_context *ctx, const dgm_matrix *pagerank, float *positions) {
    int64_t nodes = dgm_matrix_rows(pagerank);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_pool_ranked *room = dgmi_scratch(ctx, nodes, sizeof *room);
    if (room)
        dgmi_pool_positions(nodes, dgm_matrix_values(pagerank), DGMI_POOL_ALIKE, room, positions);
    dgmi_arena_release(ctx, hold);
    return room ? DGM_OK : DGM_ERROR_MEMORY;
}

/* PageRank of one graph, its mid-ranks, and the inverse of the logistic function. */
static dgm_status place_graph(dgm_context *ctx, void *argument, int64_t index) {
    const place_job *job = argument;
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    options.weighted = true;
    options.tolerance = 1e-13;
    dgm_status status = get_graph(ctx, job->set, index, &graph);
    if (status == DGM_OK)
        status = dgm_lens_pagerank(ctx, graph, &options, &lens);
    if (status == DGM_OK)
        status = place_by(ctx, lens, job->positions + dgm_graph_set_offsets(job->set)[index]);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return status;
}

dgm_status dgmi_pool_place(dgm_context *ctx, const dgm_graph_set *set, float **out) {
    int64_t nodes = dgm_graph_nodes(dgm_graph_set_union(set));
    place_job job = {set, *out = dgmi_alloc(ctx, nodes, sizeof **out)};
    return *out ? dgmi_each(ctx, "computing PageRank", dgm_graph_set_count(set), place_graph, &job)
                : DGM_ERROR_MEMORY;
}

dgm_status dgm_pool_ranks(dgm_context *ctx, const dgm_graph_set *set, dgm_matrix **out) {
    int64_t nodes = dgm_graph_nodes(dgm_graph_set_union(set));
    float *positions = NULL;
    *out = NULL;
    dgm_status status = dgmi_pool_place(ctx, set, &positions);
    if (status == DGM_OK)
        status = dgm_matrix_create(ctx, nodes, 1, out);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++)
        dgm_matrix_values_mutable(*out)[u] = (double)positions[u];
    dgmi_free(ctx, positions);
    return status;
}

/* ---- the assignments of all graphs ---- */

typedef struct assign_job {
    const dgm_graph_set *set;
    const dgmi_pool_request *request;
    int64_t seed;
    dgm_membership **parts; /* one for each graph */
} assign_job;

/* A ratio is a share of the nodes of the graph itself, so that it is pooled alike in every set. */
static dgm_status assign_graph(dgm_context *ctx, void *argument, int64_t index) {
    const assign_job *job = argument;
    dgm_graph *graph = NULL;
    dgm_note_fn note = ctx->note;
    ctx->note = NULL; /* what a lens says of one graph among thousands helps nobody */
    dgm_status status = get_graph(ctx, job->set, index, &graph);
    if (status == DGM_OK) {
        const dgmi_pool_subject subject = {
            graph,     index,
            0,         dgmi_pool_clusters(job->request, 0, (double)dgm_graph_nodes(graph)),
            job->seed, NULL};
        status = dgmi_pool_assign(ctx, job->request, &subject, &job->parts[index]);
    }
    dgm_graph_free(graph);
    ctx->note = note;
    return status;
}

/* Appends the rows of a graph, whose first node and cluster are `node` and `cluster`. */
static void append_rows(const dgm_membership *part, int64_t node, int64_t cluster,
                        dgm_membership *to) {
    int64_t base = to->offsets[node];
    for (int64_t u = 0; u < part->nodes; u++)
        to->offsets[node + u + 1] = base + part->offsets[u + 1];
    for (int64_t i = 0; i < part->offsets[part->nodes]; i++) {
        to->columns[base + i] = (uint32_t)(cluster + part->columns[i]);
        to->values[base + i] = part->values[i];
    }
}

static dgm_status join_rows(dgm_context *ctx, const assign_job *job, dgm_membership **out,
                            int64_t *starts) {
    int64_t count = dgm_graph_set_count(job->set), entries = 0;
    const int64_t *nodes = dgm_graph_set_offsets(job->set);
    starts[0] = 0;
    for (int64_t g = 0; g < count; g++) {
        starts[g + 1] = starts[g] + job->parts[g]->clusters;
        entries += job->parts[g]->offsets[job->parts[g]->nodes];
    }
    if (starts[count] > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the pooled graphs have more than %lld nodes",
                         (long long)DGM_MAX_NODES);
    dgm_status status =
        dgmi_mapper_membership_alloc(ctx, nodes[count], starts[count], entries, out);
    for (int64_t g = 0; status == DGM_OK && g < count; g++)
        append_rows(job->parts[g], nodes[g], starts[g], *out);
    return status;
}

static dgm_status assign_all(dgm_context *ctx, assign_job *job, dgm_membership **out,
                             int64_t *starts) {
    int64_t count = dgm_graph_set_count(job->set);
    job->parts = dgmi_alloc_zero(ctx, count, sizeof *job->parts);
    if (!job->parts)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_each(ctx, "pooling", count, assign_graph, job);
    if (status == DGM_OK)
        status = join_rows(ctx, job, out, starts);
    for (int64_t g = 0; g < count; g++)
        dgm_membership_free(job->parts[g]);
    dgmi_free(ctx, job->parts);
    return status;
}

dgm_status dgm_pool_run_set(dgm_context *ctx, const dgm_graph_set *set, const char *pool,
                            int64_t seed, dgm_membership **out, int64_t *starts) {
    *out = NULL;
    dgmi_pool_request *request = dgmi_alloc(ctx, 1, sizeof *request);
    if (!request)
        return DGM_ERROR_MEMORY;
    assign_job job = {set, request, seed, NULL};
    dgm_status status = dgmi_pool_parse(ctx, pool, request);
    if (status == DGM_OK && request->family != DGMI_POOL_FIXED)
        status =
            dgmi_fail(ctx, DGM_ERROR_USAGE,
                      "'%s' learns which nodes go where; this call takes methods that the graph "
                      "alone decides",
                      pool);
    if (status == DGM_OK)
        status = assign_all(ctx, &job, out, starts);
    dgmi_free(ctx, request);
    return status;
}
