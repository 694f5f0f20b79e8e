/* SPDX-License-Identifier: Apache-2.0 */
/* Modularity (Newman and Girvan 2004), with a resolution (Reichardt and Bornholdt 2006):
 *
 *   sum over communities c of  inside_c / whole - resolution (total_c / whole)^2
 *
 * inside_c is twice the weight of the edges inside c, total_c the strengths of its nodes, whole
 * those of all nodes.
 */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"

typedef struct {
    const dgmi_parts_level *level;
    const uint32_t *labels;
    int64_t *totals; /* by label */
    int64_t whole, outside;
} sum_job;

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    sum_job *job = argument;
    const dgmi_parts_level *level = job->level;
    int64_t begin, end, whole = 0, outside = 0;
    dgmi_chunk(level->nodes, dgmi_parts_grain(level), chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        __atomic_fetch_add(&job->totals[job->labels[u]], level->strengths[u], __ATOMIC_RELAXED);
        whole += level->strengths[u];
        for (int64_t e = level->begin[u]; e < level->end[u]; e++)
            if (job->labels[level->targets[e]] != job->labels[u])
                outside += dgmi_parts_weight(level, e);
    }
    __atomic_fetch_add(&job->whole, whole, __ATOMIC_RELAXED);
    __atomic_fetch_add(&job->outside, outside, __ATOMIC_RELAXED);
}

dgm_status dgmi_parts_modularity(dgm_context *ctx, const dgmi_parts_level *level,
                                 const uint32_t *labels, int64_t bound, double *out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sum_job job = {level, labels, dgmi_scratch_zero(ctx, bound, sizeof *job.totals), 0, 0};
    *out = 0;
    if (job.totals)
        dgmi_parallel(ctx, dgmi_chunks(level->nodes, dgmi_parts_grain(level)), sum_chunk, &job);
    double whole = (double)job.whole, chance = 0;
    for (int64_t c = 0; job.whole > 0 && c < bound; c++)
        chance += (double)job.totals[c] / whole * ((double)job.totals[c] / whole);
    if (job.whole > 0)
        *out = (double)(job.whole - job.outside) / whole - level->resolution * chance;
    dgmi_arena_release(ctx, hold);
    return job.totals ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status check_parts(dgm_context *ctx, const dgm_graph *graph, const uint32_t *parts,
                              int64_t count) {
    int64_t nodes = dgm_graph_nodes(graph);
    if (count < 0 || count > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "%lld is no number of parts", (long long)count);
    for (int64_t u = 0; u < nodes; u++)
        if (parts[u] >= count)
            return dgmi_fail(ctx, DGM_ERROR_DATA, "node %lld is in part %lld, but there are %lld",
                             (long long)u, (long long)parts[u], (long long)count);
    return DGM_OK;
}

dgm_status dgm_modularity(dgm_context *ctx, const dgm_graph *graph, const uint32_t *parts,
                          int64_t count, const dgm_communities_options *options, double *out) {
    dgm_communities_options own;
    dgmi_parts_level level;
    *out = 0;
    dgm_status status = dgmi_parts_options_take(ctx, options, &own);
    if (status == DGM_OK)
        status = check_parts(ctx, graph, parts, count);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = dgmi_parts_level_make(ctx, graph, &own, &level);
    if (status == DGM_OK)
        status = dgmi_parts_modularity(ctx, &level, parts, count, out);
    dgmi_arena_release(ctx, hold);
    return status;
}
