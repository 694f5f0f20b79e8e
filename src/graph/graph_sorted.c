/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the rows of a graph from edges that come in order, without records. */
#include "graph_sorted.h"

#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

void dgmi_graph_sorted_free(dgm_context *ctx, dgmi_graph_sorted *sorted) {
    dgmi_free(ctx, sorted->runs);
    dgmi_free(ctx, sorted->targets);
    dgmi_free(ctx, sorted->weights);
    *sorted = (dgmi_graph_sorted){.on = false};
}

/* ---- collecting ---- */

dgm_status dgmi_graph_sorted_add(dgm_context *ctx, dgmi_graph_sorted *sorted, int64_t count,
                                 const uint32_t *sources, int64_t *taken) {
    dgm_status status = DGM_OK;
    for (*taken = 0; status == DGM_OK && *taken < count;) {
        uint32_t source = sources[*taken];
        int64_t runs = sorted->run_count;
        uint32_t last = runs ? sorted->runs[runs - 1].source : 0;
        if (runs && source < last)
            break;
        int64_t end = *taken + 1;
        while (end < count && sources[end] == source)
            end++;
        if (!runs || source > last) {
            void *grown = sorted->runs;
            status =
                dgmi_reserve(ctx, &grown, &sorted->run_capacity, runs + 1, sizeof *sorted->runs);
            sorted->runs = grown;
            if (status != DGM_OK)
                break;
            sorted->runs[sorted->run_count++].source = source;
        }
        sorted->entries += end - *taken;
        sorted->runs[sorted->run_count - 1].end = sorted->entries;
        assert(*taken < end && end <= count);
        *taken = end;
    }
    return status;
}

/* Sources were all met, so there is room for as many values as there are data. */
static dgm_status fill(dgm_context *ctx, const dgmi_graph_sorted *sorted, void **all,
                       int64_t *filled, int64_t count, const void *values, size_t size) {
    if (*filled + count > sorted->entries)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "more values than edges");
    assert(*filled >= 0 && count >= 0);
    if (!*all)
        *all = dgmi_alloc(ctx, sorted->entries, size);
    if (!*all)
        return DGM_ERROR_MEMORY;
    if (count) /* a caller without values may have no array of them */
        memcpy((char *)*all + (size_t)*filled * size, values, (size_t)count * size);
    *filled += count;
    return DGM_OK;
}

dgm_status dgmi_graph_sorted_fill_targets(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const uint32_t *targets) {
    void *all = sorted->targets;
    dgm_status status =
        fill(ctx, sorted, &all, &sorted->target_count, count, targets, sizeof *targets);
    sorted->targets = all;
    return status;
}

dgm_status dgmi_graph_sorted_fill_weights(dgm_context *ctx, dgmi_graph_sorted *sorted,
                                          int64_t count, const double *weights) {
    void *all = sorted->weights;
    dgm_status status =
        fill(ctx, sorted, &all, &sorted->weight_count, count, weights, sizeof *weights);
    sorted->weights = all;
    return status;
}

/* ---- rows that a caller has ---- */

dgm_status dgmi_graph_check_offsets(dgm_context *ctx, const char *what, const int64_t *offsets,
                                    int64_t count) {
    if (offsets[0] != 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the offsets of the %s begin with %lld, not with 0",
                         what, (long long)offsets[0]);
    for (int64_t u = 0; u < count; u++)
        if (offsets[u] > offsets[u + 1])
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the offsets of the %s fall from %lld to %lld at row %lld", what,
                             (long long)offsets[u], (long long)offsets[u + 1], (long long)u);
    return DGM_OK;
}

static dgm_status check_offsets(dgm_context *ctx, const dgm_graph_rows *rows) {
    dgm_status status = dgmi_graph_check_offsets(ctx, "rows", rows->offsets, rows->nodes);
    if (status == DGM_OK && rows->offsets[rows->nodes] != rows->entries)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the offsets of the rows end with %lld, but there are %lld entries",
                         (long long)rows->offsets[rows->nodes], (long long)rows->entries);
    return status;
}

static dgm_status check_targets(dgm_context *ctx, const dgm_graph_rows *rows) {
    int64_t row = 0;
    for (int64_t i = 0; i < rows->entries; i++) {
        if (rows->targets[i] < rows->nodes)
            continue;
        while (rows->offsets[row + 1] <= i)
            row++;
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "row %lld has the target %lld, but there are only %lld nodes",
                         (long long)row, (long long)rows->targets[i], (long long)rows->nodes);
    }
    return DGM_OK;
}

static dgm_status check_weights(dgm_context *ctx, const dgm_graph_rows *rows) {
    for (int64_t i = 0; rows->weights && i < rows->entries; i++)
        if (!isfinite(rows->weights[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA, "an edge weight is not a finite number");
    return DGM_OK;
}

/* One run for each row that is not empty. */
static dgm_status set_runs(dgm_context *ctx, const dgm_graph_rows *rows,
                           dgmi_graph_sorted *sorted) {
    int64_t filled = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        filled += rows->offsets[u] < rows->offsets[u + 1];
    sorted->runs = dgmi_alloc(ctx, filled, sizeof *sorted->runs);
    if (!sorted->runs)
        return DGM_ERROR_MEMORY;
    sorted->run_capacity = filled;
    for (int64_t u = 0; u < rows->nodes; u++)
        if (rows->offsets[u] < rows->offsets[u + 1])
            sorted->runs[sorted->run_count++] = (dgmi_graph_run){rows->offsets[u + 1], (uint32_t)u};
    sorted->entries = rows->entries;
    return DGM_OK;
}

dgm_status dgmi_graph_sorted_from_rows(dgm_context *ctx, const dgm_graph_rows *rows,
                                       dgmi_graph_sorted *sorted) {
    *sorted = (dgmi_graph_sorted){.on = false};
    dgm_status status = check_offsets(ctx, rows);
    if (status == DGM_OK)
        status = check_targets(ctx, rows);
    if (status == DGM_OK)
        status = check_weights(ctx, rows);
    if (status == DGM_OK)
        status = set_runs(ctx, rows, sorted);
    if (status == DGM_OK)
        status = dgmi_graph_sorted_fill_targets(ctx, sorted, rows->entries, rows->targets);
    if (status == DGM_OK && rows->weights)
        status = dgmi_graph_sorted_fill_weights(ctx, sorted, rows->entries, rows->weights);
    if (status != DGM_OK)
        dgmi_graph_sorted_free(ctx, sorted);
    sorted->on = status == DGM_OK;
    return status;
}

/* ---- reading ---- */

int64_t dgmi_graph_sorted_read(const dgmi_graph_sorted *sorted, dgmi_graph_sorted_cursor *cursor,
                               int64_t most, uint32_t *ends) {
    int64_t count = 0;
    while (count < most && cursor->run < sorted->run_count) {
        const dgmi_graph_run *run = &sorted->runs[cursor->run];
        for (; cursor->entry < run->end && count < most; cursor->entry++, count++) {
            ends[2 * count] = run->source;
            ends[2 * count + 1] =
                cursor->entry < sorted->target_count ? sorted->targets[cursor->entry] : 0;
        }
        cursor->run += cursor->entry == run->end;
    }
    return count;
}

/* ---- finishing ---- */

/* Every row ascends without repeats; *loops counts entries (u, u). */
static bool rows_ascend(const dgmi_graph_sorted *sorted, int64_t *loops) {
    int64_t begin = 0;
    *loops = 0;
    for (int64_t r = 0; r < sorted->run_count; r++) {
        const dgmi_graph_run *run = &sorted->runs[r];
        bool ascends = true;
        for (int64_t i = begin + 1; i < run->end; i++)
            ascends &= sorted->targets[i - 1] < sorted->targets[i];
        for (int64_t i = begin; i < run->end; i++)
            *loops += sorted->targets[i] == run->source;
        if (!ascends)
            return false;
        begin = run->end;
    }
    return true;
}

/* Row starts from runs. */
static void set_offsets(const dgmi_graph_sorted *sorted, int64_t nodes, int64_t *offsets) {
    assert(sorted->run_count == 0 || sorted->runs[sorted->run_count - 1].source < nodes);
    int64_t u = 0, begin = 0;
    for (int64_t r = 0; r < sorted->run_count; r++) {
        for (; u <= sorted->runs[r].source; u++)
            offsets[u] = begin;
        begin = sorted->runs[r].end;
    }
    for (; u <= nodes; u++)
        offsets[u] = begin;
    assert(begin == sorted->entries);
    DGMI_ASSERT_WALK(dgmi_rises(offsets, nodes));
}

/* Entries (u, v) with u < v look for (v, u). Rows are walked in order, so the reverses of a row v
 * come by in the order in which row v begins: one cursor per row is enough, and once it has passed
 * all entries below v and no others, row v is whole. Each range of nodes sees to the reverses that
 * lie in its own rows. */
enum { RUNS_A_LOOK = 1 << 12 };

typedef struct {
    const dgm_context *ctx; /* to ask whether to go on, and nothing else */
    const dgmi_graph_sorted *sorted;
    int64_t nodes, ranges;
    const int64_t *offsets;
    int64_t *cursor;
    bool *uneven; /* by range: a reverse is missing or weighs something else */
} mirror_job;

static bool has_reverse(const mirror_job *job, uint32_t u, int64_t entry) {
    const dgmi_graph_sorted *sorted = job->sorted;
    int64_t at = job->cursor[sorted->targets[entry]]++;
    return at < sorted->entries && sorted->targets[at] == u &&
           (!sorted->weights || sorted->weights[at] == sorted->weights[entry]);
}

/* Whether the cursors of rows low .. low + width stand behind the entries below the diagonal. */
static bool rows_are_whole(const mirror_job *job, int64_t low, int64_t width) {
    for (int64_t v = low; v < low + width; v++) {
        int64_t at = job->cursor[v], begin = job->offsets[v], end = job->offsets[v + 1];
        if (at > end || (at > begin && job->sorted->targets[at - 1] >= v) ||
            (at < end && job->sorted->targets[at] < v))
            return false;
    }
    return true;
}

static void mirror_range(void *argument, int64_t range, int thread) {
    (void)thread;
    mirror_job *job = argument;
    const dgmi_graph_sorted *sorted = job->sorted;
    uint32_t low = (uint32_t)(job->nodes * range / job->ranges);
    uint32_t width = (uint32_t)(job->nodes * (range + 1) / job->ranges) - low;
    int64_t begin = 0;
    for (int64_t r = 0; r < sorted->run_count; begin = sorted->runs[r++].end) {
        uint32_t u = sorted->runs[r].source;
        if (r % RUNS_A_LOOK == 0 && dgmi_cancelled(job->ctx))
            return;
        for (int64_t i = begin; i < sorted->runs[r].end; i++)
            if (sorted->targets[i] > u && sorted->targets[i] - low < width &&
                !has_reverse(job, u, i)) {
                job->uneven[range] = true;
                return;
            }
    }
    job->uneven[range] = !rows_are_whole(job, low, width);
}

/* Whether every entry has its reverse. */
static dgm_status check_mirror(dgm_context *ctx, const dgmi_graph_sorted *sorted, int64_t nodes,
                               const int64_t *offsets, bool *even) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    mirror_job job = {ctx, sorted, nodes, dgm_context_threads(ctx), offsets, NULL, NULL};
    job.cursor = dgmi_scratch(ctx, nodes, sizeof *job.cursor);
    job.uneven = dgmi_scratch_zero(ctx, job.ranges, sizeof *job.uneven);
    dgm_status status = job.cursor && job.uneven ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        memcpy(job.cursor, offsets, (size_t)nodes * sizeof *offsets);
        dgmi_parallel(ctx, job.ranges, mirror_range, &job);
        status = dgmi_progress(ctx, "building the graph", -1);
        for (int64_t r = 0; r < job.ranges; r++)
            *even &= !job.uneven[r];
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static void drop_loops(dgm_graph *graph) {
    int64_t kept = 0;
    for (int64_t u = 0; u < graph->nodes; u++) {
        int64_t begin = graph->offsets[u], end = graph->offsets[u + 1];
        graph->offsets[u] = kept;
        for (int64_t i = begin; i < end; i++) {
            if (graph->targets[i] == u)
                continue;
            graph->targets[kept] = graph->targets[i];
            if (graph->weights)
                graph->weights[kept] = graph->weights[i];
            kept++;
        }
    }
    assert(kept <= graph->entries);
    graph->offsets[graph->nodes] = graph->entries = kept;
}

/* Where rows are merged a weight is a sum that begins at 0, which is never -0. */
static void drop_signs_of_zero(dgm_graph *graph) {
    for (int64_t i = 0; graph->weights && i < graph->entries; i++)
        graph->weights[i] += 0.0;
}

/* From here on the rows are the graph's. */
static void give_rows(dgmi_graph_sorted *sorted, dgm_graph *graph, int64_t *offsets, int64_t loops,
                      bool keep_loops) {
    graph->offsets = offsets;
    graph->targets = sorted->targets;
    graph->weights = sorted->weights;
    graph->entries = sorted->entries;
    sorted->targets = NULL;
    sorted->weights = NULL;
    if (loops && !keep_loops)
        drop_loops(graph);
    drop_signs_of_zero(graph);
    graph->counts.loops_dropped = keep_loops ? 0 : loops;
    graph->counts.loops_kept = keep_loops ? loops : 0;
    graph->counts.edges = graph->directed ? graph->entries
                                          : (graph->entries - graph->counts.loops_kept) / 2 +
                                                graph->counts.loops_kept;
    DGMI_ASSERT_WALK(dgmi_rows_sorted(graph->offsets, graph->targets, graph->nodes, graph->nodes));
}

dgm_status dgmi_graph_sorted_finish(dgm_context *ctx, dgmi_graph_sorted *sorted, dgm_graph *graph,
                                    bool keep_loops, bool *done) {
    int64_t loops = 0;
    *done = false;
    if (!sorted->targets || sorted->target_count != sorted->entries ||
        (sorted->weights && sorted->weight_count != sorted->entries) ||
        !rows_ascend(sorted, &loops))
        return DGM_OK;
    int64_t *offsets = dgmi_alloc(ctx, graph->nodes + 1, sizeof *offsets);
    if (!offsets)
        return DGM_ERROR_MEMORY;
    set_offsets(sorted, graph->nodes, offsets);
    bool even = true;
    dgm_status status =
        graph->directed ? DGM_OK : check_mirror(ctx, sorted, graph->nodes, offsets, &even);
    *done = status == DGM_OK && even;
    if (*done)
        give_rows(sorted, graph, offsets, loops, keep_loops);
    else
        dgmi_free(ctx, offsets);
    return status;
}
