/* SPDX-License-Identifier: Apache-2.0 */
/* Shortest paths along arcs with lengths (Dijkstra 1959), by a binary heap that knows where its
 * nodes are, so that a length can be lowered in place. A round of sources is searched in parallel,
 * each into its own column of distances; then every node adds up its row in the sources' order.
 * O((n + m) log n) per source.
 */
#include "graph_bfs.h"

#include <math.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum {
    ROUND = 16, /* sources at a time: fixed, so that memory does not grow with the threads */
    GRAIN = 1 << 12
};

typedef struct {
    double *distance; /* by place; INFINITY: not reached */
    uint32_t *heap;   /* places, the nearest first */
    uint32_t *where;  /* by place: its index in the heap */
    int64_t size;
    int64_t begin, end; /* places of the source's component */
} search;

typedef struct {
    dgm_context *ctx;
    const dgmi_graph_patches *patches;
    const dgmi_graph_sweep *sweep;
    const uint32_t *sources;
    int64_t count;
    search searches[ROUND];
} round_job;

static void set(search *s, int64_t index, uint32_t place) {
    assert(index >= 0 && index < s->end - s->begin);
    assert(place >= s->begin && place < s->end);
    s->heap[index] = place;
    s->where[place] = (uint32_t)index;
}

static void rise(search *s, uint32_t place) {
    int64_t i = s->where[place];
    assert(i < s->size && s->heap[i] == place);
    for (; i > 0; i = (i - 1) / 2) {
        uint32_t parent = s->heap[(i - 1) / 2];
        if (s->distance[parent] <= s->distance[place])
            break;
        set(s, i, parent);
    }
    set(s, i, place);
}

/* The nearest; the last one sinks into its room. */
static uint32_t pop(search *s) {
    assert(s->size > 0);
    uint32_t nearest = s->heap[0], moving = s->heap[--s->size];
    int64_t i = 0;
    for (int64_t child; (child = 2 * i + 1) < s->size; i = child) {
        if (child + 1 < s->size && s->distance[s->heap[child + 1]] < s->distance[s->heap[child]])
            child++;
        if (s->distance[moving] <= s->distance[s->heap[child]])
            break;
        set(s, i, s->heap[child]);
    }
    if (s->size > 0)
        set(s, i, moving);
    DGMI_ASSERT_WALK(s->size > 64 || dgmi_heap_holds(s->heap, s->distance, s->size));
    return nearest;
}

static void relax(search *s, uint32_t place, double distance) {
    assert(distance >= 0);
    if (!(distance < s->distance[place]))
        return;
    if (isinf(s->distance[place])) {
        s->distance[place] = distance;
        set(s, s->size++, place);
    } else {
        s->distance[place] = distance;
    }
    rise(s, place);
}

/* Distances from source number `chunk` of the round; those beyond the cutoff stay infinite. */
static void search_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    round_job *job = argument;
    search *s = &job->searches[chunk];
    const dgmi_graph_arcs *arcs = &job->patches->out;
    uint32_t source = job->sources[chunk], component = job->patches->component[source];
    s->begin = job->patches->starts[component];
    s->end = job->patches->starts[component + 1];
    s->size = 0;
    assert(s->begin <= source && source < s->end);
    for (int64_t p = s->begin; p < s->end; p++)
        s->distance[p] = INFINITY;
    relax(s, source, 0);
    while (s->size > 0 && !dgmi_cancelled(job->ctx)) {
        uint32_t u = pop(s);
        int64_t row = dgmi_graph_arcs_row(arcs, u);
        for (int64_t e = arcs->offsets[row]; e < arcs->offsets[row + 1]; e++) {
            double distance = s->distance[u] + (arcs->lengths ? arcs->lengths[e] : 1);
            if (distance <= job->sweep->cutoff)
                relax(s, dgmi_graph_arcs_target(arcs, e), distance);
        }
    }
}

static void add_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const round_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->patches->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = 0; i < job->count; i++) {
        const search *s = &job->searches[i];
        int64_t first = begin > s->begin ? begin : s->begin, last = end < s->end ? end : s->end;
        for (int64_t p = first; p < last; p++)
            if (p != job->sources[i] && isfinite(s->distance[p]))
                dgmi_graph_sweep_add(job->sweep, p,
                                     job->sweep->kernel(job->sweep->argument, s->distance[p]),
                                     s->distance[p]);
    }
}

static dgm_status take_memory(dgm_context *ctx, round_job *job) {
    int64_t n = job->patches->nodes;
    for (int i = 0; i < ROUND; i++) {
        search *s = &job->searches[i];
        s->distance = dgmi_scratch(ctx, n, sizeof *s->distance);
        s->heap = dgmi_scratch(ctx, n, sizeof *s->heap);
        s->where = dgmi_scratch(ctx, n, sizeof *s->where);
        if (!s->distance || !s->heap || !s->where)
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

dgm_status dgmi_graph_dijkstra_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                     const dgmi_graph_sweep *sweep) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    round_job job = {.ctx = ctx, .patches = patches, .sweep = sweep};
    DGMI_ASSERT_WALK(dgmi_ascends(sweep->sources, sweep->count) &&
                     dgmi_all_below(sweep->sources, sweep->count, patches->nodes));
    dgm_status status = take_memory(ctx, &job);
    for (int64_t i = 0; status == DGM_OK && i < sweep->count; i += ROUND) {
        status = dgmi_progress(ctx, sweep->stage, (double)i / (double)sweep->count);
        if (status != DGM_OK)
            break;
        job.sources = sweep->sources + i;
        job.count = sweep->count - i < ROUND ? sweep->count - i : ROUND;
        dgmi_parallel(ctx, job.count, search_chunk, &job);
        dgmi_parallel(ctx, dgmi_chunks(patches->nodes, GRAIN), add_chunk, &job);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
