/* SPDX-License-Identifier: Apache-2.0 */
/* From edge records to sorted rows without repeats.
 *
 * Records are kept in blocks (8 bytes each, 16 with weights). Finishing counts degrees, scatters
 * the records into their rows, sorts and merges every row, and closes the gaps: beside the rows
 * only the records are held. Cost O(m log d), d the largest degree. Every row is filled in the
 * order of the records, so sums of weights do not depend on the number of threads. Edges that come
 * as rows stay rows (graph_sorted.h): where they are sorted and whole nothing is left to do, and
 * otherwise they are read as records from where they lie.
 */
#include "graph_graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_parallel.h"
#include "graph_builder.h"
#include "graph_labels.h"
#include "graph_rows.h"
#include "graph_sorted.h"

enum { FIRST_BLOCK = 1 << 10, LARGEST_BLOCK = 1 << 20 };

typedef struct edge_block {
    uint32_t *ends;  /* 2 * count */
    double *weights; /* count, or NULL: ones */
    int64_t count, capacity;
} edge_block;

struct dgm_graph_builder {
    dgm_context *ctx;
    dgm_graph_options options;
    dgm_graph *graph; /* what is known so far, without rows */
    edge_block *blocks;
    int64_t block_count, block_capacity;
    int64_t nodes;   /* at least this many */
    int64_t stated;  /* of them, whether an edge names them or not */
    int64_t records; /* edges added */
    bool weighted;
    dgmi_graph_sorted sorted; /* where it is on, edges are here and not in blocks */
};

/* ---- collecting ---- */

dgm_status dgm_graph_builder_create(dgm_context *ctx, const dgm_graph_options *options,
                                    dgm_graph_builder **out) {
    *out = NULL;
    dgm_graph_options use = DGM_GRAPH_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_graph_options, ids, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, dgm_graph_option_table(), &use);
    if (status == DGM_OK && use.graph)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE,
                           DGMI_NAMED("graph") " takes one graph out of a set, and this is a "
                                               "single graph");
    if (status != DGM_OK)
        return status;
    dgm_graph_builder *builder = dgmi_alloc_zero(ctx, 1, sizeof *builder);
    if (!builder)
        return DGM_ERROR_MEMORY;
    builder->ctx = ctx;
    builder->options = use;
    builder->nodes = builder->stated = use.nodes;
    builder->graph = dgmi_alloc_zero(ctx, 1, sizeof *builder->graph);
    if (!builder->graph) {
        dgm_graph_builder_free(builder);
        return DGM_ERROR_MEMORY;
    }
    builder->graph->allocator = ctx->allocator;
    builder->graph->directed = use.directed;
    *out = builder;
    return DGM_OK;
}

static void free_block(dgm_graph_builder *builder, edge_block *block) {
    dgmi_free(builder->ctx, block->ends);
    dgmi_free(builder->ctx, block->weights);
    *block = (edge_block){0};
}

void dgm_graph_builder_free(dgm_graph_builder *builder) {
    if (!builder)
        return;
    for (int64_t b = 0; b < builder->block_count; b++)
        free_block(builder, &builder->blocks[b]);
    dgmi_free(builder->ctx, builder->blocks);
    dgmi_graph_sorted_free(builder->ctx, &builder->sorted);
    dgm_graph_free(builder->graph);
    dgmi_free(builder->ctx, builder);
}

/* A block with room for more records of the wanted kind; NULL on failure. */
static edge_block *open_block(dgm_graph_builder *builder, bool weighted) {
    edge_block *last = builder->block_count ? &builder->blocks[builder->block_count - 1] : NULL;
    if (last && last->count < last->capacity && (last->weights != NULL) == weighted)
        return last;
    void *blocks = builder->blocks;
    dgm_status status = dgmi_reserve(builder->ctx, &blocks, &builder->block_capacity,
                                     builder->block_count + 1, sizeof *builder->blocks);
    builder->blocks = blocks;
    if (status != DGM_OK)
        return NULL;
    int64_t capacity = builder->records < FIRST_BLOCK     ? FIRST_BLOCK
                       : builder->records > LARGEST_BLOCK ? LARGEST_BLOCK
                                                          : builder->records;
    edge_block block = {dgmi_alloc(builder->ctx, 2 * capacity, sizeof(uint32_t)), NULL, 0,
                        capacity};
    if (weighted)
        block.weights = dgmi_alloc(builder->ctx, capacity, sizeof(double));
    if (!block.ends || (weighted && !block.weights)) {
        free_block(builder, &block);
        return NULL;
    }
    builder->blocks[builder->block_count] = block;
    return &builder->blocks[builder->block_count++];
}

static uint32_t highest(const uint32_t *ends, int64_t count) {
    uint32_t high = 0;
    for (int64_t i = 0; i < count; i++)
        high = ends[i] > high ? ends[i] : high;
    return high;
}

static dgm_status grow_nodes(dgm_graph_builder *builder, int64_t nodes) {
    if (nodes < 0 || nodes > DGM_MAX_NODES)
        return dgmi_fail(builder->ctx, DGM_ERROR_DATA, "%lld nodes are more than the %lld that fit",
                         (long long)nodes, (long long)DGM_MAX_NODES);
    if (nodes > builder->nodes)
        builder->nodes = nodes;
    return DGM_OK;
}

dgm_status dgm_graph_builder_reserve_nodes(dgm_graph_builder *builder, int64_t nodes) {
    dgm_status status = grow_nodes(builder, nodes);
    if (status == DGM_OK && nodes > builder->stated)
        builder->stated = nodes;
    return status;
}

static dgm_status leave_sorted(dgm_graph_builder *builder);

dgm_status dgm_graph_builder_add(dgm_graph_builder *builder, int64_t count, const uint32_t *ends,
                                 const double *weights) {
    if (count == 0)
        return DGM_OK;
    dgm_status status = grow_nodes(builder, (int64_t)highest(ends, 2 * count) + 1);
    if (status == DGM_OK && builder->sorted.on)
        status = leave_sorted(builder);
    for (int64_t i = 0; status == DGM_OK && weights && i < count; i++)
        if (!isfinite(weights[i]))
            status =
                dgmi_fail(builder->ctx, DGM_ERROR_DATA, "an edge weight is not a finite number");
    while (status == DGM_OK && count > 0) {
        edge_block *block = open_block(builder, weights != NULL);
        if (!block)
            return DGM_ERROR_MEMORY;
        int64_t room = block->capacity - block->count;
        int64_t take = count < room ? count : room;
        memcpy(block->ends + 2 * block->count, ends, 2 * (size_t)take * sizeof *ends);
        ends += 2 * take;
        if (weights) {
            memcpy(block->weights + block->count, weights, (size_t)take * sizeof *weights);
            weights += take;
            builder->weighted = true;
        }
        block->count += take;
        builder->records += take;
        count -= take;
    }
    return status;
}

/* Adds edges that lie in rows, and frees those. */
static dgm_status add_sorted(dgm_graph_builder *builder, dgmi_graph_sorted *sorted) {
    dgm_context *ctx = builder->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *ends = dgmi_scratch(ctx, 2 * FIRST_BLOCK, sizeof *ends);
    dgm_status status = ends ? DGM_OK : DGM_ERROR_MEMORY;
    dgmi_graph_sorted_cursor cursor = {0};
    for (int64_t count = 1; status == DGM_OK && count > 0;) {
        int64_t first = cursor.entry;
        count = dgmi_graph_sorted_read(sorted, &cursor, FIRST_BLOCK, ends);
        status = dgm_graph_builder_add(builder, count, ends,
                                       sorted->weights ? sorted->weights + first : NULL);
    }
    dgmi_graph_sorted_free(ctx, sorted);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Makes records of edges that came in the order of their rows. */
static dgm_status leave_sorted(dgm_graph_builder *builder) {
    dgmi_graph_sorted sorted = builder->sorted;
    builder->sorted = (dgmi_graph_sorted){.on = false};
    builder->records = 0;
    return add_sorted(builder, &sorted);
}

dgm_status dgm_graph_builder_add_rows(dgm_graph_builder *builder, const dgm_graph_rows *rows) {
    dgmi_graph_sorted sorted = {.on = false};
    dgm_status status = dgm_graph_builder_reserve_nodes(builder, rows->nodes);
    if (status == DGM_OK)
        status = dgmi_graph_sorted_from_rows(builder->ctx, rows, &sorted);
    if (status != DGM_OK)
        return status;
    if (builder->records > 0 || builder->sorted.on || rows->entries == 0)
        return add_sorted(builder, &sorted);
    builder->sorted = sorted;
    builder->records = rows->entries;
    builder->weighted = rows->weights != NULL;
    return DGM_OK;
}

dgm_status dgm_graph_from_rows(dgm_context *ctx, const dgm_graph_rows *rows,
                               const dgm_graph_options *options, dgm_graph **out) {
    *out = NULL;
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, options, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_add_rows(builder, rows);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

dgm_status dgmi_graph_builder_add_sources(dgm_graph_builder *builder, int64_t count,
                                          const uint32_t *sources) {
    if (count == 0)
        return DGM_OK;
    dgm_status status = grow_nodes(builder, (int64_t)highest(sources, count) + 1);
    builder->sorted.on |= builder->records == 0;
    if (status == DGM_OK && builder->sorted.on) {
        int64_t taken = 0;
        status = dgmi_graph_sorted_add(builder->ctx, &builder->sorted, count, sources, &taken);
        builder->records += taken;
        sources += taken;
        count -= taken;
        if (status == DGM_OK && count > 0)
            status = leave_sorted(builder);
    }
    while (status == DGM_OK && count > 0) {
        edge_block *block = open_block(builder, false);
        if (!block)
            return DGM_ERROR_MEMORY;
        int64_t room = block->capacity - block->count;
        int64_t take = count < room ? count : room;
        uint32_t *ends = block->ends + 2 * block->count;
        for (int64_t i = 0; i < take; i++) {
            ends[2 * i] = sources[i];
            ends[2 * i + 1] = 0;
        }
        sources += take;
        block->count += take;
        builder->records += take;
        count -= take;
    }
    return status;
}

/* The block at the cursor with at least one record left in it; NULL behind the last record. */
static edge_block *block_at(dgm_graph_builder *builder, dgmi_graph_record_cursor *cursor) {
    while (cursor->block < builder->block_count &&
           cursor->place == builder->blocks[cursor->block].count) {
        cursor->block++;
        cursor->place = 0;
    }
    if (cursor->block < builder->block_count)
        return &builder->blocks[cursor->block];
    dgmi_fail(builder->ctx, DGM_ERROR_DATA, "more values than edges");
    return NULL;
}

dgm_status dgmi_graph_builder_fill_targets(dgm_graph_builder *builder,
                                           dgmi_graph_record_cursor *cursor, int64_t count,
                                           const uint32_t *targets) {
    dgm_status status = count ? grow_nodes(builder, (int64_t)highest(targets, count) + 1) : DGM_OK;
    if (status == DGM_OK && count && builder->sorted.on)
        return dgmi_graph_sorted_fill_targets(builder->ctx, &builder->sorted, count, targets);
    while (status == DGM_OK && count > 0) {
        edge_block *block = block_at(builder, cursor);
        if (!block)
            return DGM_ERROR_DATA;
        int64_t room = block->count - cursor->place, take = count < room ? count : room;
        uint32_t *ends = block->ends + 2 * cursor->place + 1;
        for (int64_t i = 0; i < take; i++)
            ends[2 * i] = targets[i];
        targets += take;
        cursor->place += take;
        count -= take;
    }
    return status;
}

dgm_status dgmi_graph_builder_fill_weights(dgm_graph_builder *builder,
                                           dgmi_graph_record_cursor *cursor, int64_t count,
                                           const double *weights) {
    if (count && builder->sorted.on) {
        builder->weighted = true;
        return dgmi_graph_sorted_fill_weights(builder->ctx, &builder->sorted, count, weights);
    }
    while (count > 0) {
        edge_block *block = block_at(builder, cursor);
        if (!block)
            return DGM_ERROR_DATA;
        if (!block->weights) {
            block->weights = dgmi_alloc(builder->ctx, block->capacity, sizeof *block->weights);
            if (!block->weights)
                return DGM_ERROR_MEMORY;
            for (int64_t i = 0; i < block->count; i++)
                block->weights[i] = 1;
        }
        int64_t room = block->count - cursor->place, take = count < room ? count : room;
        memcpy(block->weights + cursor->place, weights, (size_t)take * sizeof *weights);
        builder->weighted = true;
        weights += take;
        cursor->place += take;
        count -= take;
    }
    return DGM_OK;
}

dgm_status dgm_graph_builder_node(dgm_graph_builder *builder, const char *name, size_t length,
                                  uint32_t *node) {
    dgmi_graph_names *names = &builder->graph->names;
    if (names->count >= DGM_MAX_NODES)
        return dgm_graph_builder_reserve_nodes(builder, DGM_MAX_NODES + 1);
    dgm_status status = dgmi_graph_names_intern(builder->ctx, names, name, length, node);
    return status == DGM_OK ? dgm_graph_builder_reserve_nodes(builder, names->count) : status;
}

int64_t dgm_graph_builder_nodes(const dgm_graph_builder *builder) {
    return builder->nodes;
}

void dgm_graph_builder_set_name_base(dgm_graph_builder *builder, int64_t base) {
    builder->graph->name_base = base;
}

bool dgmi_graph_builder_has_names(const dgm_graph_builder *builder) {
    return builder->graph->names.count > 0;
}

int64_t dgmi_graph_builder_records(const dgm_graph_builder *builder) {
    return builder->records;
}

bool dgmi_graph_builder_counts_by_ids(const dgm_graph_builder *builder) {
    const dgm_graph *graph = builder->graph;
    return builder->records > 0 && graph->names.count == 0 && builder->stated < builder->nodes &&
           !graph->labels && graph->feature_width == 0;
}

bool dgmi_graph_builder_has_labels(const dgm_graph_builder *builder) {
    return builder->graph->labels != NULL;
}

int64_t dgmi_graph_builder_name_base(const dgm_graph_builder *builder) {
    return builder->graph->name_base;
}

int dgmi_graph_builder_ids(const dgm_graph_builder *builder) {
    return builder->options.ids;
}

dgm_status dgmi_graph_builder_name_numbers(dgm_graph_builder *builder) {
    dgm_status left = builder->sorted.on ? leave_sorted(builder) : DGM_OK;
    if (left != DGM_OK)
        return left;
    builder->nodes = builder->options.nodes;
    for (int64_t b = 0; b < builder->block_count; b++) {
        edge_block *block = &builder->blocks[b];
        for (int64_t i = 0; i < 2 * block->count; i++) {
            char text[24];
            int length = snprintf(text, sizeof text, "%lld",
                                  (long long)block->ends[i] + (long long)builder->graph->name_base);
            dgm_status status =
                dgm_graph_builder_node(builder, text, (size_t)length, &block->ends[i]);
            if (status != DGM_OK)
                return status;
        }
    }
    return DGM_OK;
}

dgm_status dgmi_graph_builder_renumber(dgm_graph_builder *builder, const uint32_t *rank) {
    dgm_status status = builder->sorted.on ? leave_sorted(builder) : DGM_OK;
    for (int64_t b = 0; status == DGM_OK && b < builder->block_count; b++) {
        edge_block *block = &builder->blocks[b];
        for (int64_t i = 0; i < 2 * block->count; i++)
            block->ends[i] = rank[block->ends[i]];
    }
    return status;
}

dgm_status dgmi_graph_builder_sort_names(dgm_graph_builder *builder) {
    dgm_context *ctx = builder->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *rank = dgmi_scratch(ctx, builder->graph->names.count, sizeof *rank);
    dgm_status status =
        rank ? dgmi_graph_names_sort(ctx, &builder->graph->names, rank) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_graph_builder_renumber(builder, rank);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Replaces *field by a copy of `count` elements. */
static dgm_status replace(dgm_context *ctx, void **field, const void *values, int64_t count,
                          size_t size) {
    void *copy = dgmi_alloc(ctx, count, size);
    if (!copy)
        return DGM_ERROR_MEMORY;
    if (count)
        memcpy(copy, values, (size_t)count * size);
    dgmi_free(ctx, *field);
    *field = copy;
    return DGM_OK;
}

dgm_status dgm_graph_builder_set_source(dgm_graph_builder *builder, const char *source) {
    return replace(builder->ctx, (void **)&builder->graph->source, source,
                   (int64_t)strlen(source) + 1, 1);
}

dgm_status dgm_graph_builder_set_labels(dgm_graph_builder *builder, int64_t count,
                                        const int32_t *labels) {
    return dgmi_graph_take_labels(builder->ctx, builder->graph, count, labels);
}

dgm_status dgm_graph_builder_set_class_names(dgm_graph_builder *builder, int32_t count,
                                             const char *const *names) {
    dgm_graph *graph = builder->graph;
    for (int32_t c = 0; c < graph->class_name_count; c++)
        dgmi_free(builder->ctx, graph->class_names[c]);
    dgmi_free(builder->ctx, graph->class_names);
    graph->class_name_count = 0;
    graph->class_names = dgmi_alloc_zero(builder->ctx, count, sizeof *graph->class_names);
    if (!graph->class_names)
        return DGM_ERROR_MEMORY;
    for (; graph->class_name_count < count; graph->class_name_count++) {
        char *copy = dgmi_strdup(builder->ctx, names[graph->class_name_count]);
        if (!copy)
            return DGM_ERROR_MEMORY;
        graph->class_names[graph->class_name_count] = copy;
    }
    return DGM_OK;
}

dgm_status dgm_graph_builder_set_splits(dgm_graph_builder *builder, int64_t count,
                                        const uint8_t *splits) {
    for (int64_t u = 0; u < count; u++)
        if (splits[u] >= DGM_SPLITS)
            return dgmi_fail(builder->ctx, DGM_ERROR_DATA,
                             "node number %lld is in a part %d of the split", (long long)u,
                             splits[u]);
    builder->graph->split_count = count;
    return replace(builder->ctx, (void **)&builder->graph->splits, splits, count, 1);
}

/* Whether everything lies inside: what reads features trusts the offsets and the columns. */
static dgm_status check_sparse(dgm_context *ctx, int64_t count, const dgm_graph_features *sparse) {
    const int64_t *offsets = sparse->offsets;
    if (!offsets || !sparse->columns)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "sparse features need both offsets and columns");
    dgm_status status = dgmi_graph_check_offsets(ctx, "features", offsets, count);
    if (status != DGM_OK)
        return status;
    for (int64_t u = 0; u < count; u++)
        for (int64_t e = offsets[u]; e < offsets[u + 1]; e++)
            if (sparse->columns[e] >= sparse->width)
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "row %lld has a feature in column %lld (from 0), but there are "
                                 "only %lld columns",
                                 (long long)u, (long long)sparse->columns[e],
                                 (long long)sparse->width);
    return DGM_OK;
}

dgm_status dgm_graph_builder_set_features(dgm_graph_builder *builder, int64_t count,
                                          const dgm_graph_features *features) {
    dgm_graph *graph = builder->graph;
    bool sparse = features->offsets || features->columns;
    dgm_status status = sparse ? check_sparse(builder->ctx, count, features) : DGM_OK;
    if (status != DGM_OK)
        return status;
    int64_t values = features->offsets ? features->offsets[count] : count * features->width;
    dgmi_free(builder->ctx, graph->feature_offsets);
    dgmi_free(builder->ctx, graph->feature_columns);
    dgmi_free(builder->ctx, graph->feature_values);
    graph->feature_offsets = NULL;
    graph->feature_columns = NULL;
    graph->feature_values = NULL;
    graph->feature_rows = count;
    graph->feature_width = features->width;
    if (features->offsets)
        status = replace(builder->ctx, (void **)&graph->feature_offsets, features->offsets,
                         count + 1, sizeof(int64_t));
    if (status == DGM_OK && features->columns)
        status = replace(builder->ctx, (void **)&graph->feature_columns, features->columns, values,
                         sizeof(uint32_t));
    if (status == DGM_OK && features->values)
        status = replace(builder->ctx, (void **)&graph->feature_values, features->values, values,
                         sizeof(float));
    return status;
}

/* An empty column at the end of the table; NULL on failure. */
static dgmi_graph_column *open_column(dgm_graph_builder *builder, const char *name) {
    dgm_graph *graph = builder->graph;
    void *columns = graph->columns;
    dgm_status status = dgmi_reserve(builder->ctx, &columns, &graph->column_capacity,
                                     graph->column_count + 1, sizeof *graph->columns);
    graph->columns = columns;
    if (status != DGM_OK)
        return NULL;
    dgmi_graph_column *column = &graph->columns[graph->column_count];
    *column = (dgmi_graph_column){.name = dgmi_strdup(builder->ctx, name)};
    if (!column->name)
        return NULL;
    graph->column_count++;
    return column;
}

dgm_status dgm_graph_builder_add_numbers(dgm_graph_builder *builder, const char *name,
                                         int64_t count, const double *values) {
    dgmi_graph_column *column = open_column(builder, name);
    if (!column)
        return DGM_ERROR_MEMORY;
    column->kind = DGM_ATTRIBUTE_NUMBER;
    column->count = count;
    return replace(builder->ctx, (void **)&column->numbers, values, count, sizeof *values);
}

dgm_status dgm_graph_builder_add_texts(dgm_graph_builder *builder, const char *name, int64_t count,
                                       const char *const *values) {
    dgmi_graph_column *column = open_column(builder, name);
    if (!column)
        return DGM_ERROR_MEMORY;
    column->kind = DGM_ATTRIBUTE_TEXT;
    column->count = count;
    int64_t bytes = 0;
    for (int64_t i = 0; i < count; i++)
        bytes += values[i] ? (int64_t)strlen(values[i]) + 1 : 0;
    column->texts = dgmi_alloc_zero(builder->ctx, count, sizeof *column->texts);
    column->text_pool = dgmi_alloc(builder->ctx, bytes, 1);
    if (!column->texts || !column->text_pool)
        return DGM_ERROR_MEMORY;
    char *place = column->text_pool;
    for (int64_t i = 0; i < count; i++) {
        if (!values[i])
            continue;
        size_t size = strlen(values[i]) + 1;
        column->texts[i] = memcpy(place, values[i], size);
        place += size;
    }
    return DGM_OK;
}

/* ---- finishing ---- */

/* Records as they lie in a block, or as rows that were given spell them out. */
typedef struct {
    const uint32_t *ends;
    const double *weights; /* NULL: ones */
    int64_t count;
} record_span;

typedef struct {
    int64_t block;
    dgmi_graph_sorted_cursor cursor;
    uint32_t ends[2 * FIRST_BLOCK];
} record_reader;

/* The next records in the order in which they were given; false behind the last, or where the work
 * is to stop. */
static bool next_span(const dgm_graph_builder *builder, record_reader *reader, record_span *span) {
    if (dgmi_cancelled(builder->ctx))
        return false;
    if (builder->sorted.on) {
        const dgmi_graph_sorted *sorted = &builder->sorted;
        int64_t first = reader->cursor.entry;
        span->count = dgmi_graph_sorted_read(sorted, &reader->cursor, FIRST_BLOCK, reader->ends);
        span->ends = reader->ends;
        span->weights = sorted->weights ? sorted->weights + first : NULL;
        return span->count > 0;
    }
    if (reader->block == builder->block_count)
        return false;
    const edge_block *block = &builder->blocks[reader->block++];
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

static void free_records(dgm_graph_builder *builder) {
    for (int64_t b = 0; b < builder->block_count; b++)
        free_block(builder, &builder->blocks[b]);
    builder->block_count = 0;
    dgmi_graph_sorted_free(builder->ctx, &builder->sorted);
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
    free_records(builder);
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
