/* SPDX-License-Identifier: Apache-2.0 */
/* Finds connected components by union-find, in parallel. */
#include "dgm/graph.h"

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"

enum { GRAIN = 1 << 13 };

typedef struct {
    dgm_graph_rows rows;
    uint32_t *parent;
} union_job;

static void union_rows(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const union_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++)
            if (job->rows.directed || job->rows.targets[e] > u)
                dgmi_graph_union_link(job->parent, (uint32_t)u, job->rows.targets[e]);
}

dgm_status dgm_graph_components(dgm_context *ctx, const dgm_graph *graph, uint32_t *component,
                                int64_t *count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    union_job job = {dgm_graph_get_rows(graph), NULL};
    int64_t nodes = job.rows.nodes;
    DGMI_ASSERT_WALK(
        dgmi_rows_fit(job.rows.offsets, job.rows.targets, job.rows.nodes, job.rows.nodes));
    job.parent = dgmi_scratch(ctx, nodes, sizeof *job.parent);
    if (!job.parent)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        job.parent[u] = (uint32_t)u;
    dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), union_rows, &job);

    /* A root is its set's smallest member, so numbers are given in one pass: parents come before
     * children. */
    int64_t found = 0;
    uint32_t *number = component ? component : job.parent;
    for (int64_t u = 0; u < nodes; u++) {
        uint32_t up = job.parent[u];
        if (up == u)
            number[u] = (uint32_t)found++;
        else
            number[u] = number[up];
    }
    assert(found <= nodes && (nodes == 0 || found > 0));
    *count = found;
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}
