/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search from one source at a time, by a queue. A batch of sources that lie far apart
 * on a long graph (a lattice, a path, a road) shares no work: every level of every source is a
 * level of the batch, and each costs a passage over the whole graph. One by one, a source costs
 * O(n + m), however many levels there are. A round of sources is searched in parallel, each into
 * its own column of levels; then every node adds up its row in the sources' order.
 */
#include "graph_search.h"

#include <assert.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum {
    ROUND = 16, /* sources at a time: fixed, so that memory does not grow with the threads */
    GRAIN = 1 << 12,
    SOURCES = 64, /* of components that are searched side by side, in a chunk */
    NOT_REACHED = 0,
};

typedef struct {
    uint32_t *level; /* by place, less `begin`: one more than the distance, or NOT_REACHED */
    uint32_t *queue;
    int64_t begin, end; /* places of the source's component */
    int64_t depth;      /* of the last level */
} search;

typedef struct {
    dgm_context *ctx;
    const dgmi_graph_patches *patches;
    const dgmi_graph_sweep *sweep;
    const uint32_t *sources;
    int64_t count;
    int64_t levels;  /* of which the kernel is known */
    double *weights; /* by distance: the kernel */
    search searches[ROUND];
} round_job;

/* How many places ahead of the queue's head a node's offset (FAR) and then its arcs (NEAR) are
   fetched into the cache: in a large graph each is a wait for memory of its own. */
enum { NEAR = 8, FAR = 16 };

static void fetch_ahead(const dgmi_graph_arcs *arcs, const uint32_t *queue_head) {
    __builtin_prefetch(&arcs->offsets[dgmi_graph_arcs_row(arcs, queue_head[FAR])]);
    __builtin_prefetch(&arcs->targets[arcs->offsets[dgmi_graph_arcs_row(arcs, queue_head[NEAR])]]);
}

static void search_from(const dgmi_graph_patches *patches, uint32_t source, double cutoff,
                        search *s) {
    const dgmi_graph_arcs *arcs = &patches->out;
    uint32_t component = patches->component[source];
    int64_t head = 0, tail = 0;
    s->begin = patches->starts[component];
    s->end = patches->starts[component + 1];
    assert(s->begin <= source && source < s->end);
    for (int64_t i = 0; i < s->end - s->begin; i++)
        s->level[i] = NOT_REACHED;
    s->level[source - s->begin] = 1;
    s->queue[tail++] = source;
    while (head < tail) {
        uint32_t u = s->queue[head++], level = s->level[u - s->begin];
        assert(level > NOT_REACHED && tail <= s->end - s->begin);
        s->depth = level - 1;
        if ((double)level > cutoff)
            break;
        if (head + FAR < tail)
            fetch_ahead(arcs, s->queue + head);
        int64_t row = dgmi_graph_arcs_row(arcs, u);
        for (int64_t e = arcs->offsets[row]; e < arcs->offsets[row + 1]; e++) {
            uint32_t v = dgmi_graph_arcs_target(arcs, e);
            if (s->level[v - s->begin] != NOT_REACHED)
                continue;
            s->level[v - s->begin] = level + 1;
            s->queue[tail++] = v;
        }
    }
}

static void search_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    round_job *job = argument;
    search_from(job->patches, job->sources[chunk], job->sweep->cutoff, &job->searches[chunk]);
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
            if (s->level[p - s->begin] > 1) {
                int64_t distance = s->level[p - s->begin] - 1;
                dgmi_graph_sweep_add(job->sweep, p, job->weights[distance], (double)distance);
            }
    }
}

/* The kernel at every distance of the round. */
static void weigh_levels(round_job *job) {
    int64_t deepest = 0;
    for (int64_t i = 0; i < job->count; i++)
        deepest = job->searches[i].depth > deepest ? job->searches[i].depth : deepest;
    for (; job->levels <= deepest; job->levels++)
        job->weights[job->levels] = job->sweep->kernel(job->sweep->argument, (double)job->levels);
}

/* Nodes of the largest component that a source lies in. */
static int64_t widest_component(const dgmi_graph_patches *patches, const uint32_t *sources,
                                int64_t count) {
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t c = patches->component[sources[i]];
        int64_t size = patches->starts[c + 1] - patches->starts[c];
        most = size > most ? size : most;
    }
    return most;
}

static dgm_status take_memory(dgm_context *ctx, round_job *job, int64_t searches) {
    int64_t room = widest_component(job->patches, job->sweep->sources, job->sweep->count);
    job->weights = dgmi_scratch(ctx, room + 1, sizeof *job->weights);
    job->levels = 1;
    if (!job->weights)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < searches; i++) {
        search *s = &job->searches[i];
        s->level = dgmi_scratch(ctx, room, sizeof *s->level);
        s->queue = dgmi_scratch(ctx, room, sizeof *s->queue);
        if (!s->level || !s->queue)
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

dgm_status dgmi_graph_search_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   const dgmi_graph_sweep *sweep) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    round_job job = {.ctx = ctx, .patches = patches, .sweep = sweep};
    dgm_status status = take_memory(ctx, &job, sweep->count < ROUND ? sweep->count : ROUND);
    for (int64_t i = 0; status == DGM_OK && i < sweep->count; i += ROUND) {
        status = dgmi_progress(ctx, sweep->stage, (double)i / (double)sweep->count);
        if (status != DGM_OK)
            break;
        job.sources = sweep->sources + i;
        job.count = sweep->count - i < ROUND ? sweep->count - i : ROUND;
        dgmi_parallel(ctx, job.count, search_chunk, &job);
        weigh_levels(&job);
        dgmi_parallel(ctx, dgmi_chunks(patches->nodes, GRAIN), add_chunk, &job);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

typedef struct {
    const dgmi_graph_patches *patches;
    const uint32_t *sources;
    int64_t count;
    uint32_t *levels, *queue, *depths;
} levels_job;

/* Components do not overlap, so each has its own part of levels and queue. */
static void levels_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const levels_job *job = argument;
    const dgmi_graph_patches *patches = job->patches;
    int64_t begin, end;
    dgmi_chunk(job->count, SOURCES, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t first = patches->starts[patches->component[job->sources[i]]];
        search s = {.level = job->levels + first, .queue = job->queue + first};
        search_from(patches, job->sources[i], (double)patches->nodes, &s);
        job->depths[i] = (uint32_t)s.depth;
    }
}

void dgmi_graph_search_levels(dgm_context *ctx, const dgmi_graph_patches *patches,
                              const uint32_t *sources, int64_t count, uint32_t *levels,
                              uint32_t *queue, uint32_t *depths) {
    levels_job job = {patches, sources, count, levels, queue, depths};
    dgmi_parallel(ctx, dgmi_chunks(count, SOURCES), levels_chunk, &job);
}

dgm_status dgmi_graph_search_depth(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   uint32_t source, int64_t *depth) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t room = widest_component(patches, &source, 1);
    search s = {.level = dgmi_scratch(ctx, room, sizeof *s.level),
                .queue = dgmi_scratch(ctx, room, sizeof *s.queue)};
    dgm_status status = s.level && s.queue ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        search_from(patches, source, (double)patches->nodes, &s);
    *depth = s.depth;
    dgmi_arena_release(ctx, hold);
    return status;
}
