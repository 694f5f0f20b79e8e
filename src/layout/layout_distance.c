/* SPDX-License-Identifier: Apache-2.0 */
/* Counts hops along links: from one mark, between all pairs of marks, and from pivots, which are
 * marks that lie far apart. */
#include "layout_piece.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

uint32_t dgmi_layout_piece_hops(const dgmi_layout_graph *graph, uint32_t from, float *hops,
                                uint32_t *queue) {
    int64_t reached = 1;
    for (int64_t m = 0; m < graph->marks; m++)
        hops[m] = -1;
    queue[0] = from;
    hops[from] = 0;
    for (int64_t q = 0; q < reached && reached < graph->marks; q++) {
        float next = hops[queue[q]] + 1;
        for (int64_t e = graph->offsets[queue[q]]; e < graph->offsets[queue[q] + 1]; e++)
            if (hops[graph->targets[e]] < 0) {
                hops[graph->targets[e]] = next;
                queue[reached++] = graph->targets[e];
            }
    }
    return queue[reached - 1];
}

/* ---- all pairs ---- */

enum { SOURCES = 16 }; /* of a chunk */
#define UNSEEN UINT16_MAX

typedef struct {
    const dgmi_layout_graph *graph;
    int64_t stride;
    uint16_t *rounds;
    uint16_t **hops;    /* of a thread */
    uint32_t **queues;  /* of a thread */
    uint16_t *farthest; /* of a source */
} rounds_job;

/* Marks come off the queue in the order of their distance, so each is written once. */
static uint16_t hops_from(const dgmi_layout_graph *graph, uint32_t from, uint16_t *hops,
                          uint32_t *queue) {
    const int64_t *offsets = graph->offsets;
    const uint32_t *targets = graph->targets;
    int64_t reached = 1, n = graph->marks;
    for (int64_t m = 0; m < n; m++)
        hops[m] = UNSEEN;
    queue[0] = from;
    hops[from] = 0;
    for (int64_t q = 0; q < reached && reached < n; q++) {
        uint16_t next = (uint16_t)(hops[queue[q]] + 1);
        for (int64_t e = offsets[queue[q]]; e < offsets[queue[q] + 1]; e++)
            if (hops[targets[e]] == UNSEEN) {
                hops[targets[e]] = next;
                queue[reached++] = targets[e];
            }
    }
    return hops[queue[reached - 1]];
}

/* Pairs (a, b) with a < b: into round a + b where that is less than n, else a + b - n. */
static void spread_hops(const rounds_job *job, int64_t a, const uint16_t *hops) {
    int64_t n = job->graph->marks, stride = job->stride, b = a + 1;
    for (; b < n - a; b++)
        job->rounds[(a + b) * stride + a] = hops[b];
    for (; b < n; b++) {
        int64_t round = a + b - n;
        job->rounds[round * stride + dgmi_layout_round_low(round) + a - round - 1] = hops[b];
    }
}

static void search_sources(void *argument, int64_t chunk, int thread) {
    const rounds_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->graph->marks, SOURCES, chunk, &begin, &end);
    for (int64_t a = begin; a < end; a++) {
        job->farthest[a] =
            hops_from(job->graph, (uint32_t)a, job->hops[thread], job->queues[thread]);
        spread_hops(job, a, job->hops[thread]);
    }
}

dgm_status dgmi_layout_piece_rounds(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    dgmi_layout_rounds *out) {
    int64_t n = graph->marks;
    int threads = dgm_context_threads(ctx);
    rounds_job job = {.graph = graph, .stride = n / 2 + 1};
    job.rounds = dgmi_scratch(ctx, n * job.stride, sizeof *job.rounds);
    job.farthest = dgmi_scratch(ctx, n, sizeof *job.farthest);
    job.hops = dgmi_scratch(ctx, threads, sizeof *job.hops);
    job.queues = dgmi_scratch(ctx, threads, sizeof *job.queues);
    if (!job.rounds || !job.farthest || !job.hops || !job.queues)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < threads; t++) {
        job.hops[t] = dgmi_scratch(ctx, n, sizeof **job.hops);
        job.queues[t] = dgmi_scratch(ctx, n, sizeof **job.queues);
        if (!job.hops[t] || !job.queues[t])
            return DGM_ERROR_MEMORY;
    }
    dgmi_parallel(ctx, dgmi_chunks(n, SOURCES), search_sources, &job);
    *out = (dgmi_layout_rounds){n, job.stride, job.rounds, 0};
    for (int64_t a = 0; a < n; a++)
        out->farthest = job.farthest[a] > out->farthest ? job.farthest[a] : out->farthest;
    return DGM_OK;
}

/* ---- pivots ---- */

/* The new pivot takes the marks that are nearer to it; the mark farthest from all, the first of
 * equals. */
static uint32_t take_region(int64_t marks, const float *hops, uint32_t pivot, float *gap,
                            uint32_t *nearest) {
    uint32_t farthest = 0;
    for (int64_t m = 0; m < marks; m++) {
        if (hops[m] < gap[m]) {
            gap[m] = hops[m];
            nearest[m] = pivot;
        }
        if (gap[m] > gap[farthest])
            farthest = (uint32_t)m;
    }
    return farthest;
}

dgm_status dgmi_layout_piece_pivots(dgm_context *ctx, const dgmi_layout_graph *graph,
                                    int64_t wanted, dgmi_layout_pivot_set *out) {
    int64_t n = graph->marks;
    if (wanted > n)
        wanted = n;
    *out = (dgmi_layout_pivot_set){.stride = dgmi_chunks(n, DGMI_LAYOUT_PIECE_BLOCK) *
                                             DGMI_LAYOUT_PIECE_BLOCK};
    out->mark = dgmi_scratch(ctx, wanted, sizeof *out->mark);
    out->hops = dgmi_scratch(ctx, wanted * out->stride, sizeof *out->hops);
    out->nearest = dgmi_scratch_zero(ctx, n, sizeof *out->nearest);
    float *gap = dgmi_scratch(ctx, n, sizeof *gap);
    uint32_t *queue = dgmi_scratch(ctx, n, sizeof *queue);
    if (!out->mark || !out->hops || !out->nearest || !gap || !queue)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < n; m++)
        gap[m] = (float)n;
    uint32_t next = dgmi_layout_piece_hops(graph, 0, out->hops, queue);
    for (int64_t p = 0; p < wanted; p++) {
        float *hops = out->hops + p * out->stride;
        uint32_t last = dgmi_layout_piece_hops(graph, next, hops, queue);
        for (int64_t m = n; m < out->stride; m++)
            hops[m] = 0;
        out->farthest = hops[last] > out->farthest ? hops[last] : out->farthest;
        out->mark[out->count++] = next;
        next = take_region(n, hops, (uint32_t)p, gap, out->nearest);
        if (gap[next] == 0)
            break;
        if (p % 16 == 0 && dgmi_progress(ctx, "laying out", -1) != DGM_OK)
            return DGM_ERROR_CANCELLED;
    }
    return DGM_OK;
}

/* ---- how good places are ---- */

static double stress_from(int64_t marks, uint32_t from, const float *hops, const double *places,
                          int64_t *pairs) {
    double sum = 0, x = places[2 * from], y = places[2 * from + 1];
    for (int64_t m = 0; m < marks; m++) {
        if (hops[m] <= 0)
            continue;
        double dx = places[2 * m] - x, dy = places[2 * m + 1] - y;
        double ratio = __builtin_sqrt(dx * dx + dy * dy) / (double)hops[m] - 1;
        sum += ratio * ratio;
        ++*pairs;
    }
    return sum;
}

dgm_status dgmi_layout_measure(dgm_context *ctx, const dgmi_layout_graph *graph, int64_t sources,
                               const double *places, double *stress) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t n = graph->marks, pairs = 0;
    double sum = 0;
    float *hops = dgmi_scratch(ctx, n, sizeof *hops);
    uint32_t *queue = dgmi_scratch(ctx, n, sizeof *queue);
    if (!hops || !queue)
        return DGM_ERROR_MEMORY;
    sources = sources < n ? sources : n;
    for (int64_t s = 0; s < sources; s++) {
        uint32_t from = (uint32_t)(s * n / sources);
        dgmi_layout_piece_hops(graph, from, hops, queue);
        sum += stress_from(n, from, hops, places, &pairs);
    }
    *stress = pairs > 0 ? sum / (double)pairs : 0;
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}
