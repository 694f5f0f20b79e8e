/* SPDX-License-Identifier: Apache-2.0 */
/* Finds shortest paths from many sources. Sixteen sources near each other are searched at once, in
 * the lanes of a vector. A point whose distance got smaller in some lane tells its neighbours,
 * round after round until nothing changes (Bellman 1958, Ford 1956). Points are looked at a few
 * times instead of once, but for all lanes together, which takes a tenth of the time of sixteen
 * searches by Dijkstra.
 *
 * The result does not depend on the order: rounding keeps the order of numbers, so it is the
 * smallest of the sums of all paths, each rounded along its path. */
#include "reduce_isomap.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_cpu.h"
#include "base_memory.h"
#include "base_parallel.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    LANES = 16,
    AT_ONCE = 64, /* blocks between two reports of progress */
    TILE = 64
};
typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t lanes_int __attribute__((vector_size(4 * LANES)));

/* Of each thread. */
typedef struct {
    lanes *reached;           /* by point */
    uint32_t *active, *later; /* points that came nearer in the last round, in this one */
    uint8_t *waiting;         /* by point: is in `later` */
} path_space;

typedef struct {
    dgm_context *ctx;
    const dgmi_reduce_isomap_graph *graph;
    const uint32_t *sources; /* of `lengths` */
    const uint32_t *order;   /* of the sources: those of a block are near each other */
    int64_t count, first_block;
    path_space *spaces;
    float *lengths;
} path_job;

/* ---- one block ---- */

/* Lengths at v through u; whether any lane came nearer. */
INLINE bool relax(const lanes *from, float length, lanes *to) {
    lanes through = *from + length;
    lanes_int nearer = through < *to;
    lanes now = (lanes)((nearer & (lanes_int)through) | (~nearer & (lanes_int)*to));
    int64_t halves[LANES / 2], any = 0;
    *to = now;
    memcpy(halves, &nearer, sizeof halves);
    for (int i = 0; i < LANES / 2; i++)
        any |= halves[i];
    return any != 0;
}

INLINE void search(const dgmi_reduce_isomap_graph *graph, path_space *space, int64_t held) {
    while (held > 0) {
        int64_t next = 0;
        for (int64_t i = 0; i < held; i++) {
            uint32_t u = space->active[i];
            assert(u < graph->rows && held <= graph->rows);
            lanes from = space->reached[u];
            space->waiting[u] = 0;
            for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
                uint32_t v = graph->targets[e];
                if (relax(&from, graph->lengths[e], &space->reached[v]) && !space->waiting[v]) {
                    space->waiting[v] = 1;
                    space->later[next++] = v;
                }
            }
        }
        uint32_t *swap = space->active;
        space->active = space->later;
        space->later = swap;
        held = next;
    }
}

static void search_plain(const dgmi_reduce_isomap_graph *graph, path_space *space, int64_t held) {
    search(graph, space, held);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void search_avx2(const dgmi_reduce_isomap_graph *graph,
                                                        path_space *space, int64_t held) {
    search(graph, space, held);
}

__attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))) static void
search_avx512(const dgmi_reduce_isomap_graph *graph, path_space *space, int64_t held) {
    search(graph, space, held);
}

static void run_search(const dgmi_reduce_isomap_graph *graph, path_space *space, int64_t held) {
    static void (*const compiled[])(const dgmi_reduce_isomap_graph *, path_space *, int64_t) = {
        [DGMI_CPU_PLAIN] = search_plain,
        [DGMI_CPU_AVX2] = search_avx2,
        [DGMI_CPU_AVX512] = search_avx512,
    };
    compiled[dgmi_cpu_best()](graph, space, held);
}
#else
static void run_search(const dgmi_reduce_isomap_graph *graph, path_space *space, int64_t held) {
    search_plain(graph, space, held);
}
#endif

static void search_block(void *argument, int64_t chunk, int thread) {
    const path_job *job = argument;
    path_space *space = &job->spaces[thread];
    int64_t begin, end, held = 0, rows = job->graph->rows;
    if (dgmi_cancelled(job->ctx))
        return;
    dgmi_chunk(job->count, LANES, job->first_block + chunk, &begin, &end);
    for (int64_t v = 0; v < rows; v++)
        space->reached[v] = INFINITY - (lanes){0};
    for (int64_t i = begin; i < end; i++) {
        uint32_t source = job->sources[job->order[i]];
        space->reached[source][i - begin] = 0;
        if (!space->waiting[source]) {
            space->waiting[source] = 1;
            space->active[held++] = source;
        }
    }
    run_search(job->graph, space, held);
    for (int64_t i = begin; i < end; i++)
        for (int64_t v = 0; v < rows; v++)
            job->lengths[job->order[i] * rows + v] = space->reached[v][i - begin];
}

/* ---- all of them ---- */

/* Sources in the order in which a search along edges meets them. */
static dgm_status order_sources(path_job *job, uint32_t *order) {
    int64_t rows = job->graph->rows, held = 1, met = 0;
    uint32_t *queue = dgmi_scratch(job->ctx, rows, sizeof *queue);
    uint32_t *source = dgmi_scratch_zero(job->ctx, rows, sizeof *source); /* its number + 1 */
    uint8_t *seen = dgmi_scratch_zero(job->ctx, rows, sizeof *seen);
    if (!queue || !source || !seen)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < job->count; i++)
        source[job->sources[i]] = (uint32_t)i + 1;
    queue[0] = 0;
    seen[0] = 1;
    for (int64_t i = 0; i < held; i++) {
        uint32_t u = queue[i];
        if (source[u])
            order[met++] = source[u] - 1;
        for (int64_t e = job->graph->offsets[u]; e < job->graph->offsets[u + 1]; e++)
            if (!seen[job->graph->targets[e]]) {
                seen[job->graph->targets[e]] = 1;
                queue[held++] = job->graph->targets[e];
            }
    }
    assert(met == job->count); /* the sources differ, and the graph is connected */
    (void)met;
    job->order = order;
    return DGM_OK;
}

static dgm_status take_spaces(path_job *job) {
    int threads = dgm_context_threads(job->ctx);
    int64_t rows = job->graph->rows;
    job->spaces = dgmi_scratch_zero(job->ctx, threads, sizeof *job->spaces);
    for (int t = 0; job->spaces && t < threads; t++) {
        path_space *space = &job->spaces[t];
        space->reached = dgmi_scratch(job->ctx, rows, sizeof *space->reached);
        space->active = dgmi_scratch(job->ctx, rows, sizeof *space->active);
        space->later = dgmi_scratch(job->ctx, rows, sizeof *space->later);
        space->waiting = dgmi_scratch_zero(job->ctx, rows, sizeof *space->waiting);
        if (!space->reached || !space->active || !space->later || !space->waiting)
            return DGM_ERROR_MEMORY;
    }
    return job->spaces ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Rounded one way, a path may be shorter than the other way: both become the shorter. A chunk is
 * the pairs of a tile of sources with those before it. */
static void agree_chunk(void *argument, int64_t chunk, int thread) {
    const path_job *job = argument;
    int64_t begin, end, rows = job->graph->rows;
    (void)thread;
    dgmi_chunk(job->count, TILE, chunk, &begin, &end);
    for (int64_t first = 0; first < end; first += TILE)
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = first; j < first + TILE && j < i; j++) {
                float *there = &job->lengths[i * rows + job->sources[j]];
                float *back = &job->lengths[j * rows + job->sources[i]];
                float shorter = *there < *back ? *there : *back;
                *there = *back = shorter;
            }
}

dgm_status dgmi_reduce_isomap_paths(dgm_context *ctx, const dgmi_reduce_isomap_graph *graph,
                                    const uint32_t *sources, int64_t count, float *lengths) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    path_job job = {
        .ctx = ctx, .graph = graph, .sources = sources, .count = count, .lengths = lengths};
    int64_t blocks = dgmi_chunks(count, LANES);
    uint32_t *order = dgmi_scratch(ctx, count, sizeof *order);
    dgm_status status = order ? order_sources(&job, order) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = take_spaces(&job);
    for (; status == DGM_OK && job.first_block < blocks; job.first_block += AT_ONCE) {
        int64_t left = blocks - job.first_block;
        dgmi_parallel(ctx, left < AT_ONCE ? left : AT_ONCE, search_block, &job);
        status = dgmi_progress(ctx, "shortest paths",
                               1 - (double)(left > AT_ONCE ? left - AT_ONCE : 0) / (double)blocks);
    }
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(count, TILE), agree_chunk, &job);
    dgmi_arena_release(ctx, hold);
    return status;
}
