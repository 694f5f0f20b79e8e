/* SPDX-License-Identifier: Apache-2.0 */
/* From the records of a builder to sorted rows without repeats.
 *
 * Finishing counts degrees, scatters the records into their rows, sorts and merges every row, and
 * closes the gaps: beside the rows only the records are held. Cost O(m log d), d the largest
 * degree. Every row is filled in the order of the records, so sums of weights do not depend on the
 * number of threads.
 */
#include <assert.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_builder.h"
#include "graph_builder_parts.h"
#include "graph_rows.h"

/* Records as they lie in a block, or as rows that were given spell them out. */
typedef struct {
    const uint32_t *ends;
    const double *weights; /* NULL: ones */
    int64_t count;
} record_span;

typedef struct {
    int64_t block;
    dgmi_graph_sorted_cursor cursor;
    uint32_t ends[2 * DGMI_GRAPH_FIRST_BLOCK];
} record_reader;

/* The next records in the order in which they were given; false behind the last, or where the work
 * is to stop. */
static bool next_span(const dgm_graph_builder *builder, record_reader *reader, record_span *span) {
    if (dgmi_cancelled(builder->ctx))
        return false;
    if (builder->sorted.on) {
        const dgmi_graph_sorted *sorted = &builder->sorted;
        int64_t first = reader->cursor.entry;
        span->count =
            dgmi_graph_sorted_read(sorted, &reader->cursor, DGMI_GRAPH_FIRST_BLOCK, reader->ends);
        span->ends = reader->ends;
        span->weights = sorted->weights ? sorted->weights + first : NULL;
        return span->count > 0;
    }
    if (reader->block == builder->block_count)
        return false;
    const dgmi_graph_edge_block *block = &builder->blocks[reader->block++];
    *span = (record_span){block->ends, block->weights, block->count};
    return true;
}

/* Nodes are cut into ranges; each range reads all records and keeps what falls into it, so that no
 * two threads write to the same row and every row is filled in the order of the records. */
typedef struct {
    const dgm_graph_builder *builder;
    int64_t nodes, ranges;
    int64_t *cursor; /* counting: degree of u at cursor[u + 1]; placing: next free place of row u */
    uint32_t *targets; /* placing */
    double *weights;   /* placing, or NULL */
    int64_t *loops;    /* counting: self-loops met, by range */
} scatter_job;

static void range_of(const scatter_job *job, int64_t range, uint32_t *low, uint32_t *width) {
    int64_t begin = job->nodes * range / job->ranges;
    int64_t end = job->nodes * (range + 1) / job->ranges;
    *low = (uint32_t)begin;
    *width = (uint32_t)(end - begin);
    assert(0 <= begin && begin <= end && end <= job->nodes);
}

static void count_range(void *argument, int64_t range, int thread) {
    (void)thread;
    scatter_job *job = argument;
    const dgm_graph_builder *builder = job->builder;
    bool keep_loops = builder->options.keep_loops, both = !builder->options.directed;
    int64_t *degree = job->cursor + 1, loops = 0;
    uint32_t low, width;
    range_of(job, range, &low, &width);
    record_reader reader = {.block = 0};
    for (record_span span; next_span(builder, &reader, &span);) {
        for (int64_t i = 0; i < span.count; i++) {
            uint32_t u = span.ends[2 * i], v = span.ends[2 * i + 1];
            bool loop = u == v, mine = u - low < width;
            loops += loop & mine;
            if (mine && (!loop || keep_loops))
                degree[u]++;
            if (both && !loop && v - low < width)
                degree[v]++;
        }
    }
    job->loops[range] = loops;
}

static void place_range(void *argument, int64_t range, int thread) {
    (void)thread;
    scatter_job *job = argument;
    const dgm_graph_builder *builder = job->builder;
    bool keep_loops = builder->options.keep_loops, both = !builder->options.directed;
    uint32_t low, width, mark = job->weights ? DGMI_GRAPH_REVERSED : 0;
    range_of(job, range, &low, &width);
    record_reader reader = {.block = 0};
    for (record_span span; next_span(builder, &reader, &span);) {
        for (int64_t i = 0; i < span.count; i++) {
            uint32_t u = span.ends[2 * i], v = span.ends[2 * i + 1];
            bool loop = u == v;
            double weight = span.weights ? span.weights[i] : 1.0;
            if (u - low < width && (!loop || keep_loops)) {
                int64_t place = job->cursor[u]++;
                job->targets[place] = v;
                if (job->weights)
                    job->weights[place] = weight;
            }
            if (both && !loop && v - low < width) {
                int64_t place = job->cursor[v]++;
                job->targets[place] = u | mark;
                if (job->weights)
                    job->weights[place] = weight;
            }
        }
    }
}

/* Rows filled in record order, not yet sorted. graph->offsets are their starts. */
static dgm_status scatter_records(dgm_graph_builder *builder) {
    assert(builder->nodes >= 0 && !builder->graph->offsets);
    dgm_context *ctx = builder->ctx;
    dgm_graph *graph = builder->graph;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t nodes = builder->nodes;
    scatter_job job = {.builder = builder, .nodes = nodes, .ranges = dgm_context_threads(ctx)};
    job.cursor = graph->offsets = dgmi_alloc_zero(ctx, nodes + 1, sizeof *graph->offsets);
    job.loops = dgmi_scratch_zero(ctx, job.ranges, sizeof *job.loops);
    if (!job.cursor || !job.loops)
        goto done;
    dgmi_parallel(ctx, job.ranges, count_range, &job);
    status = dgmi_progress(ctx, "building the graph", -1);
    if (status != DGM_OK)
        goto done;
    int64_t loops = 0;
    for (int64_t r = 0; r < job.ranges; r++)
        loops += job.loops[r];
    graph->counts.loops_dropped = builder->options.keep_loops ? 0 : loops;
    for (int64_t u = 0; u < nodes; u++)
        graph->offsets[u + 1] += graph->offsets[u];
    graph->entries = graph->offsets[nodes];
    DGMI_ASSERT_WALK(dgmi_rises(graph->offsets, nodes));

    job.targets = graph->targets = dgmi_alloc(ctx, graph->entries, sizeof *graph->targets);
    if (builder->weighted)
        job.weights = graph->weights = dgmi_alloc(ctx, graph->entries, sizeof *graph->weights);
    status = DGM_ERROR_MEMORY;
    if (!graph->targets || (builder->weighted && !graph->weights))
        goto done;
    /* Placing moves every start to its row's end, which is the next row's start: shift back. */
    dgmi_parallel(ctx, job.ranges, place_range, &job);
    memmove(graph->offsets + 1, graph->offsets, (size_t)nodes * sizeof *graph->offsets);
    graph->offsets[0] = 0;
    assert(graph->offsets[nodes] == graph->entries || dgmi_cancelled(ctx));
    status = dgmi_progress(ctx, "building the graph", -1);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status check_count(dgm_context *ctx, const char *what, int64_t count, int64_t nodes) {
    if (count == nodes)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_DATA, "%s: %lld rows for %lld nodes", what, (long long)count,
                     (long long)nodes);
}

static dgm_status check_tables(const dgm_graph_builder *builder) {
    const dgm_graph *graph = builder->graph;
    dgm_context *ctx = builder->ctx;
    int64_t nodes = builder->nodes;
    dgm_status status = DGM_OK;
    if (graph->names.count && graph->names.count != nodes)
        status = dgmi_fail(ctx, DGM_ERROR_DATA, "%lld nodes but %lld names", (long long)nodes,
                           (long long)graph->names.count);
    if (!graph->names.count &&
        (graph->name_base < 0 || graph->name_base > INT64_MAX - DGM_MAX_NODES))
        status = dgmi_fail(ctx, DGM_ERROR_DATA, "%lld cannot be the number of the first node",
                           (long long)graph->name_base);
    if (status == DGM_OK && graph->labels)
        status = check_count(ctx, "labels", graph->label_count, nodes);
    if (status == DGM_OK && graph->splits)
        status = check_count(ctx, "split", graph->split_count, nodes);
    if (status == DGM_OK && graph->feature_width)
        status = check_count(ctx, "features", graph->feature_rows, nodes);
    for (int64_t k = 0; status == DGM_OK && k < graph->column_count; k++)
        status = check_count(ctx, graph->columns[k].name, graph->columns[k].count, nodes);
    return status;
}

/* Rows from records. */
static dgm_status make_rows(dgm_graph_builder *builder) {
    dgm_status status = scatter_records(builder);
    if (status != DGM_OK)
        return status;
    dgmi_graph_builder_free_records(builder);
    return dgmi_graph_rows_merge(builder->ctx, builder->graph);
}

static dgm_status finish(dgm_graph_builder *builder) {
    dgm_graph *graph = builder->graph;
    bool done = false;
    dgm_status status = check_tables(builder);
    if (status == DGM_OK)
        status = dgmi_progress(builder->ctx, "building the graph", -1);
    graph->nodes = builder->nodes;
    if (status == DGM_OK && builder->sorted.on)
        status = dgmi_graph_sorted_finish(builder->ctx, &builder->sorted, graph,
                                          builder->options.keep_loops, &done);
    if (status == DGM_OK && !done)
        status = make_rows(builder);
    if (status != DGM_OK)
        return status;
    dgmi_graph_names_freeze(&graph->allocator, &graph->names);
    graph->counts.records = builder->records;
    graph->counts.repeats_merged =
        builder->records - graph->counts.loops_dropped - graph->counts.edges;
    assert(graph->offsets[0] == 0 && graph->offsets[graph->nodes] == graph->entries);
    assert(graph->counts.repeats_merged >= 0);
    DGMI_ASSERT_WALK(dgmi_rows_sorted(graph->offsets, graph->targets, graph->nodes, graph->nodes));
    return status;
}

dgm_status dgm_graph_builder_finish(dgm_graph_builder *builder, dgm_graph **out) {
    *out = NULL;
    dgm_status status = finish(builder);
    if (status == DGM_OK) {
        *out = builder->graph;
        builder->graph = NULL;
    }
    dgm_graph_builder_free(builder);
    return status;
}
