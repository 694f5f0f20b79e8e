/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the edges of a graph.
 *
 * Edges are kept as records in blocks (8 bytes each, 16 with weights). Those that come as rows stay
 * rows (graph_sorted.h): if they are sorted and whole nothing is left to do, and otherwise they are
 * read as records from where they lie.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "graph_builder.h"
#include "graph_builder_parts.h"

enum { LARGEST_BLOCK = 1 << 20 };

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

static void free_block(dgm_graph_builder *builder, dgmi_graph_edge_block *block) {
    dgmi_free(builder->ctx, block->ends);
    dgmi_free(builder->ctx, block->weights);
    *block = (dgmi_graph_edge_block){0};
}

void dgmi_graph_builder_free_records(dgm_graph_builder *builder) {
    for (int64_t b = 0; b < builder->block_count; b++)
        free_block(builder, &builder->blocks[b]);
    builder->block_count = 0;
    dgmi_graph_sorted_free(builder->ctx, &builder->sorted);
}

void dgm_graph_builder_free(dgm_graph_builder *builder) {
    if (!builder)
        return;
    dgmi_graph_builder_free_records(builder);
    dgmi_free(builder->ctx, builder->blocks);
    dgm_graph_free(builder->graph);
    dgmi_free(builder->ctx, builder);
}

/* A block with room for more records of the wanted kind; NULL on failure. */
static dgmi_graph_edge_block *open_block(dgm_graph_builder *builder, bool weighted) {
    dgmi_graph_edge_block *last =
        builder->block_count ? &builder->blocks[builder->block_count - 1] : NULL;
    if (last && last->count < last->capacity && (last->weights != NULL) == weighted)
        return last;
    void *blocks = builder->blocks;
    dgm_status status = dgmi_reserve(builder->ctx, &blocks, &builder->block_capacity,
                                     builder->block_count + 1, sizeof *builder->blocks);
    builder->blocks = blocks;
    if (status != DGM_OK)
        return NULL;
    int64_t capacity = builder->records < DGMI_GRAPH_FIRST_BLOCK ? DGMI_GRAPH_FIRST_BLOCK
                       : builder->records > LARGEST_BLOCK        ? LARGEST_BLOCK
                                                                 : builder->records;
    dgmi_graph_edge_block block = {dgmi_alloc(builder->ctx, 2 * capacity, sizeof(uint32_t)), NULL,
                                   0, capacity};
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

dgm_status dgm_graph_builder_add(dgm_graph_builder *builder, int64_t count, const uint32_t *ends,
                                 const double *weights) {
    if (count == 0)
        return DGM_OK;
    dgm_status status = grow_nodes(builder, (int64_t)highest(ends, 2 * count) + 1);
    if (status == DGM_OK && builder->sorted.on)
        status = dgmi_graph_builder_leave_sorted(builder);
    for (int64_t i = 0; status == DGM_OK && weights && i < count; i++)
        if (!isfinite(weights[i]))
            status =
                dgmi_fail(builder->ctx, DGM_ERROR_DATA, "an edge weight is not a finite number");
    while (status == DGM_OK && count > 0) {
        dgmi_graph_edge_block *block = open_block(builder, weights != NULL);
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
    uint32_t *ends = dgmi_scratch(ctx, 2 * DGMI_GRAPH_FIRST_BLOCK, sizeof *ends);
    dgm_status status = ends ? DGM_OK : DGM_ERROR_MEMORY;
    dgmi_graph_sorted_cursor cursor = {0};
    for (int64_t count = 1; status == DGM_OK && count > 0;) {
        int64_t first = cursor.entry;
        count = dgmi_graph_sorted_read(sorted, &cursor, DGMI_GRAPH_FIRST_BLOCK, ends);
        status = dgm_graph_builder_add(builder, count, ends,
                                       sorted->weights ? sorted->weights + first : NULL);
    }
    dgmi_graph_sorted_free(ctx, sorted);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Makes records of edges that came in the order of their rows. */
dgm_status dgmi_graph_builder_leave_sorted(dgm_graph_builder *builder) {
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
            status = dgmi_graph_builder_leave_sorted(builder);
    }
    while (status == DGM_OK && count > 0) {
        dgmi_graph_edge_block *block = open_block(builder, false);
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
static dgmi_graph_edge_block *block_at(dgm_graph_builder *builder,
                                       dgmi_graph_record_cursor *cursor) {
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
        dgmi_graph_edge_block *block = block_at(builder, cursor);
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
        dgmi_graph_edge_block *block = block_at(builder, cursor);
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
