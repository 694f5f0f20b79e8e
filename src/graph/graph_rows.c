/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the rows of a new graph and merges repeated edges, in parallel. */
#include "graph_rows.h"

#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 1 << 12, SMALL_RUN = 16 };

typedef struct {
    dgm_allocator allocator;
    uint32_t *targets;
    double *weights;
    int64_t capacity;
} sort_space; /* one per thread */

typedef struct {
    const dgm_context *ctx; /* to ask whether to go on, and nothing else */
    dgm_graph *graph;
    int64_t *kept;      /* entries left in each row */
    sort_space *spaces; /* by thread */
    int64_t *uneven;    /* by chunk */
    int64_t *loops;     /* by chunk */
    bool *failed;       /* by thread: memory ran out */
    bool *infinite;     /* by thread: weights added up beyond all numbers */
} merge_job;

/* Order of entries: by target, the record's own direction before the reverse. */
static uint32_t key(uint32_t target) {
    return target << 1 | target >> 31;
}

static void insertion_sort(uint32_t *targets, double *weights, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        uint32_t target = targets[i];
        double weight = weights ? weights[i] : 0;
        int64_t j = i;
        for (; j > 0 && key(targets[j - 1]) > key(target); j--) {
            targets[j] = targets[j - 1];
            if (weights)
                weights[j] = weights[j - 1];
        }
        targets[j] = target;
        if (weights)
            weights[j] = weight;
    }
}

/* Merges [begin, middle) and [middle, end) of `from` into `to`. */
static void merge_runs(const uint32_t *from, const double *from_weights, uint32_t *to,
                       double *to_weights, int64_t begin, int64_t middle, int64_t end) {
    assert(begin <= middle && middle <= end);
    int64_t a = begin, b = middle;
    for (int64_t i = begin; i < end; i++) {
        bool left = b == end || (a < middle && key(from[a]) <= key(from[b]));
        int64_t take = left ? a : b;
        to[i] = from[take];
        if (to_weights)
            to_weights[i] = from_weights[take];
        a += left;
        b += !left;
    }
    assert(a == middle && b == end); /* both runs are used up */
}

/* Stable merge sort, bottom up, from runs that insertion sorted. */
static void sort_row(uint32_t *targets, double *weights, int64_t count, sort_space *space) {
    assert(count <= SMALL_RUN || count <= space->capacity);
    for (int64_t begin = 0; begin < count; begin += SMALL_RUN) {
        int64_t run = count - begin < SMALL_RUN ? count - begin : SMALL_RUN;
        insertion_sort(targets + begin, weights ? weights + begin : NULL, run);
    }
    uint32_t *from = targets, *to = space->targets;
    double *from_weights = weights, *to_weights = weights ? space->weights : NULL;
    for (int64_t run = SMALL_RUN; run < count; run *= 2) {
        for (int64_t begin = 0; begin < count; begin += 2 * run) {
            int64_t middle = begin + run < count ? begin + run : count;
            int64_t end = begin + 2 * run < count ? begin + 2 * run : count;
            merge_runs(from, from_weights, to, to_weights, begin, middle, end);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
        double *swap_weights = from_weights;
        from_weights = to_weights;
        to_weights = swap_weights;
    }
    if (from != targets) {
        memcpy(targets, from, (size_t)count * sizeof *targets);
        if (weights)
            memcpy(weights, from_weights, (size_t)count * sizeof *weights);
    }
}

static bool sort_space_reserve(sort_space *space, int64_t count, bool weighted) {
    if (count <= space->capacity)
        return true;
    int64_t grown = count + count / 2;
    uint32_t *targets =
        dgmi_allocator_resize(&space->allocator, space->targets, grown, sizeof *targets);
    if (!targets)
        return false;
    space->targets = targets;
    if (weighted) {
        double *weights =
            dgmi_allocator_resize(&space->allocator, space->weights, grown, sizeof *weights);
        if (!weights)
            return false;
        space->weights = weights;
    }
    space->capacity = grown;
    assert(space->capacity >= count);
    return true;
}

static int64_t drop_repeats(uint32_t *targets, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || targets[kept - 1] != targets[i])
            targets[kept++] = targets[i];
    return kept;
}

/* Weights of the same ordered pair add up; where both directions were given, the larger sum stands
 * for the edge. */
static int64_t merge_weights(uint32_t *targets, double *weights, int64_t count, int64_t *uneven,
                             uint32_t row) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count;) {
        uint32_t target = targets[i] & ~DGMI_GRAPH_REVERSED;
        double sums[2] = {0, 0};
        bool given[2] = {false, false};
        for (; i < count && (targets[i] & ~DGMI_GRAPH_REVERSED) == target; i++) {
            bool reversed = (targets[i] & DGMI_GRAPH_REVERSED) != 0;
            sums[reversed] += weights[i];
            given[reversed] = true;
        }
        double larger = sums[0] > sums[1] ? sums[0] : sums[1];
        targets[kept] = target;
        weights[kept++] = given[0] && given[1] ? larger : sums[given[1]];
        *uneven += given[0] && given[1] && sums[0] != sums[1] && row < target;
    }
    return kept;
}

static void merge_chunk(void *argument, int64_t chunk, int thread) {
    merge_job *job = argument;
    dgm_graph *graph = job->graph;
    int64_t begin, end;
    dgmi_chunk(graph->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++) {
        int64_t start = graph->offsets[u], count = graph->offsets[u + 1] - start;
        assert(start >= 0 && count >= 0 && start + count <= graph->entries);
        uint32_t *targets = graph->targets + start;
        double *weights = graph->weights ? graph->weights + start : NULL;
        sort_space *space = &job->spaces[thread];
        if (count > SMALL_RUN && !sort_space_reserve(space, count, weights != NULL)) {
            job->failed[thread] = true;
            return;
        }
        sort_row(targets, weights, count, space);
        job->kept[u] =
            weights ? merge_weights(targets, weights, count, &job->uneven[chunk], (uint32_t)u)
                    : drop_repeats(targets, count);
        assert(job->kept[u] <= count);
        DGMI_ASSERT_WALK(dgmi_ascends(targets, job->kept[u]));
        for (int64_t i = 0; weights && i < job->kept[u]; i++)
            job->infinite[thread] |= !isfinite(weights[i]);
        for (int64_t i = 0; i < job->kept[u] && targets[i] <= u; i++)
            job->loops[chunk] += targets[i] == u;
    }
}

/* Moves rows together and sets their new offsets. */
static void close_gaps(dgm_graph *graph, const int64_t *kept) {
    int64_t place = 0;
    for (int64_t u = 0; u < graph->nodes; u++) {
        int64_t start = graph->offsets[u];
        assert(place <= start); /* rows only move towards the front */
        if (place != start) {
            memmove(graph->targets + place, graph->targets + start,
                    (size_t)kept[u] * sizeof *graph->targets);
            if (graph->weights)
                memmove(graph->weights + place, graph->weights + start,
                        (size_t)kept[u] * sizeof *graph->weights);
        }
        graph->offsets[u] = place;
        place += kept[u];
    }
    graph->offsets[graph->nodes] = graph->entries = place;
    DGMI_ASSERT_WALK(dgmi_rows_sorted(graph->offsets, graph->targets, graph->nodes, graph->nodes));
}

/* Gives back what merging freed; keeping the larger block is no failure. */
static void shrink(dgm_context *ctx, dgm_graph *graph) {
    void *targets = dgmi_allocator_resize(&ctx->allocator, graph->targets, graph->entries,
                                          sizeof *graph->targets);
    if (targets)
        graph->targets = targets;
    if (!graph->weights)
        return;
    void *weights = dgmi_allocator_resize(&ctx->allocator, graph->weights, graph->entries,
                                          sizeof *graph->weights);
    if (weights)
        graph->weights = weights;
}

static dgm_status merge_rows(dgm_context *ctx, dgm_graph *graph, merge_job *job, int threads) {
    int64_t chunks = dgmi_chunks(graph->nodes, GRAIN), loops = 0;
    dgmi_parallel(ctx, chunks, merge_chunk, job);
    dgm_status status = dgmi_progress(ctx, "building the graph", -1);
    if (status != DGM_OK)
        return status;
    for (int t = 0; t < threads; t++)
        if (job->failed[t])
            return dgmi_fail_memory(ctx, job->spaces[t].capacity, sizeof *graph->targets);
    for (int t = 0; t < threads; t++)
        if (job->infinite[t])
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the weights of a repeated edge add up beyond what a number can hold");
    for (int64_t c = 0; c < chunks; c++) {
        graph->counts.uneven_weights += job->uneven[c];
        loops += job->loops[c];
    }
    graph->counts.loops_kept = loops;
    int64_t before = graph->entries;
    close_gaps(graph, job->kept);
    assert(graph->entries <= before && (graph->directed || (graph->entries - loops) % 2 == 0));
    graph->counts.edges = graph->directed ? graph->entries : (graph->entries - loops) / 2 + loops;
    if (graph->entries < before)
        shrink(ctx, graph);
    return DGM_OK;
}

dgm_status dgmi_graph_rows_merge(dgm_context *ctx, dgm_graph *graph) {
    DGMI_ASSERT_WALK(dgmi_rises(graph->offsets, graph->nodes));
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int threads = dgm_context_threads(ctx);
    int64_t chunks = dgmi_chunks(graph->nodes, GRAIN);
    merge_job job = {.ctx = ctx, .graph = graph};
    job.kept = dgmi_scratch(ctx, graph->nodes, sizeof *job.kept);
    job.spaces = dgmi_scratch_zero(ctx, threads, sizeof *job.spaces);
    job.failed = dgmi_scratch_zero(ctx, threads, sizeof *job.failed);
    job.infinite = dgmi_scratch_zero(ctx, threads, sizeof *job.infinite);
    job.uneven = dgmi_scratch_zero(ctx, chunks, sizeof *job.uneven);
    job.loops = dgmi_scratch_zero(ctx, chunks, sizeof *job.loops);
    if (!job.kept || !job.spaces || !job.failed || !job.infinite || !job.uneven || !job.loops)
        goto done;
    for (int t = 0; t < threads; t++)
        job.spaces[t].allocator = ctx->allocator;
    status = merge_rows(ctx, graph, &job, threads);
    for (int t = 0; t < threads; t++) {
        dgmi_free(ctx, job.spaces[t].targets);
        dgmi_free(ctx, job.spaces[t].weights);
    }
done:
    dgmi_arena_release(ctx, hold);
    return status;
}
