/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles through each node.
 *
 * Each edge points from the end of lower degree to the other (ties by number), so no node points at
 * more than sqrt(2m) others, and a triangle is found once, from its lowest node u: mark what u
 * points at, then look for marks among what those point at. O(m^1.5); Schank and Wagner (2005),
 * Latapy (2008). Counts are whole numbers, so threads may add them in any order.
 */
#include "graph_simple.h"

#include <assert.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 1 << 8, CHUNKS_BETWEEN_REPORTS = 1 << 10 };

/* Nodes renumbered by degree; row u holds the neighbours of higher number. */
typedef struct {
    int64_t nodes;
    uint32_t *rank;   /* new number of a node */
    int64_t *offsets; /* by new number */
    uint32_t *targets;
    int64_t *counts; /* triangles by new number */
    uint8_t *marks;  /* threads * nodes */
    int64_t first;   /* chunk of this stretch */
} forward_job;

/* Chunks are taken from the end: nodes of high degree, and so the long rows, come first. */
static void count_chunk(void *argument, int64_t chunk, int thread) {
    const forward_job *job = argument;
    uint8_t *mark = job->marks + thread * job->nodes;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, dgmi_chunks(job->nodes, GRAIN) - 1 - job->first - chunk, &begin,
               &end);
    for (int64_t u = begin; u < end; u++) {
        const uint32_t *row = job->targets + job->offsets[u];
        int64_t length = job->offsets[u + 1] - job->offsets[u], of_u = 0;
        assert(length >= 0);
        if (length < 2)
            continue;
        for (int64_t i = 0; i < length; i++)
            mark[row[i]] = 1;
        for (int64_t i = 0; i < length; i++) {
            int64_t of_pair = 0;
            for (int64_t e = job->offsets[row[i]]; e < job->offsets[row[i] + 1]; e++)
                if (mark[job->targets[e]]) {
                    of_pair++;
                    __atomic_fetch_add(&job->counts[job->targets[e]], 1, __ATOMIC_RELAXED);
                }
            if (of_pair)
                __atomic_fetch_add(&job->counts[row[i]], of_pair, __ATOMIC_RELAXED);
            of_u += of_pair;
        }
        for (int64_t i = 0; i < length; i++)
            mark[row[i]] = 0;
        if (of_u)
            __atomic_fetch_add(&job->counts[u], of_u, __ATOMIC_RELAXED);
    }
}

/* rank[u]: nodes ordered by degree, then number. */
static dgm_status rank_by_degree(dgm_context *ctx, const dgmi_graph_simple_rows *rows,
                                 uint32_t *rank) {
    int64_t most = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        most = dgmi_graph_simple_degree(rows, u) > most ? dgmi_graph_simple_degree(rows, u) : most;
    int64_t *next = dgmi_scratch_zero(ctx, most + 2, sizeof *next);
    if (!next)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows->nodes; u++)
        next[dgmi_graph_simple_degree(rows, u) + 1]++;
    for (int64_t d = 0; d <= most; d++)
        next[d + 1] += next[d];
    for (int64_t u = 0; u < rows->nodes; u++)
        rank[u] = (uint32_t)next[dgmi_graph_simple_degree(rows, u)]++;
    return DGM_OK;
}

/* Row lengths first, then the rows. */
static void point_upwards(const dgmi_graph_simple_rows *rows, forward_job *job) {
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            job->offsets[job->rank[u] + 1] += job->rank[rows->targets[e]] > job->rank[u];
    for (int64_t i = 0; i < rows->nodes; i++)
        job->offsets[i + 1] += job->offsets[i];
    assert(job->offsets[rows->nodes] == rows->offsets[rows->nodes] / 2);
    for (int64_t u = 0; u < rows->nodes; u++) {
        int64_t place = job->offsets[job->rank[u]];
        assert(job->rank[u] < rows->nodes);
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            if (job->rank[rows->targets[e]] > job->rank[u])
                job->targets[place++] = job->rank[rows->targets[e]];
    }
}

static dgm_status count_triangles(dgm_context *ctx, const dgmi_graph_simple_rows *rows,
                                  double *triangles) {
    int64_t n = rows->nodes, chunks = dgmi_chunks(n, GRAIN);
    forward_job job = {.nodes = n};
    job.rank = dgmi_scratch(ctx, n, sizeof *job.rank);
    job.offsets = dgmi_scratch_zero(ctx, n + 1, sizeof *job.offsets);
    job.targets = dgmi_scratch(ctx, rows->offsets[n] / 2, sizeof *job.targets);
    job.counts = dgmi_scratch_zero(ctx, n, sizeof *job.counts);
    job.marks = dgmi_scratch_zero(ctx, dgm_context_threads(ctx) * n, sizeof *job.marks);
    if (!job.rank || !job.offsets || !job.targets || !job.counts || !job.marks ||
        rank_by_degree(ctx, rows, job.rank) != DGM_OK)
        return DGM_ERROR_MEMORY;
    point_upwards(rows, &job);
    for (; job.first < chunks; job.first += CHUNKS_BETWEEN_REPORTS) {
        int64_t left = chunks - job.first;
        dgm_status status =
            dgmi_progress(ctx, "counting triangles", (double)job.first / (double)chunks);
        if (status != DGM_OK)
            return status;
        dgmi_parallel(ctx, left < CHUNKS_BETWEEN_REPORTS ? left : CHUNKS_BETWEEN_REPORTS,
                      count_chunk, &job);
    }
    for (int64_t u = 0; u < n; u++)
        triangles[u] = (double)job.counts[job.rank[u]];
    return DGM_OK;
}

dgm_status dgmi_graph_triangles(dgm_context *ctx, const dgmi_graph_simple_rows *rows,
                                double *triangles) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = count_triangles(ctx, rows, triangles);
    dgmi_arena_release(ctx, hold);
    return status;
}
