/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cells that each node lies in: the pull-back of the cover along the lens. Only cells
 * that hold a node get a number.
 *
 * If the cover has few cells compared with the nodes, the cells that hold a node are marked in an
 * array. Otherwise their coordinates are collected in a hash table and sorted. Time and memory are
 * O(slots), however many cells the cover has.
 */
#include "mapper_cover.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_parallel.h"
#include "base_sort.h"

enum { GRAIN = 1 << 12, SLOTS_A_LOOK = 1 << 20 };
#define WORTH_ASKING 0x1p26 /* bytes: less is there, or its allocation says so soon */

typedef struct {
    const dgm_context *ctx; /* to ask whether to go on, and nothing else */
    const dgmi_mapper_cover *cover;
    uint32_t *offsets;
    int64_t *chunk_slots; /* by chunk */
    uint32_t *cell;       /* dense: place in the product */
    uint32_t *node;
    int32_t *coordinates;   /* sparse: slots * axes */
    uint32_t *hit;          /* dense: by place */
    int64_t *wheels;        /* by thread: 3 * axes */
    const uint32_t *number; /* renaming: place or provisional id -> cell number */
} pullback_job;

static bool in_given(const dgmi_mapper_cover *cover, int64_t k, double x) {
    assert(k >= 0 && k < cover->given_count);
    const dgm_interval *cell = &cover->given[k];
    return x >= cell->low && (x < cell->high || (x == cell->high && x == cover->given_top));
}

/* Number of cells that hold the node; at most DGMI_MAPPER_MOST_SLOTS + 1. */
static int64_t count_cells(const dgmi_mapper_cover *cover, int64_t node) {
    const double *row = cover->values + node * cover->columns;
    int64_t count = 0;
    if (cover->lists.offsets)
        return cover->lists.offsets[node + 1] - cover->lists.offsets[node];
    if (cover->kind == DGM_COVER_SIMPLEX) {
        for (int64_t k = 0; k < cover->columns; k++)
            count += row[k] > 0;
        return count;
    }
    if (cover->kind == DGM_COVER_INTERVALS) {
        for (int64_t k = 0; k < cover->given_count; k++)
            count += in_given(cover, k, row[0]);
        return count;
    }
    count = 1;
    for (int64_t k = 0; k < cover->axes; k++) {
        int64_t first, last;
        dgmi_mapper_axis_locate(&cover->axis[k], row[k], &first, &last);
        assert(0 <= first && first <= last && last < cover->axis[k].cells);
        count *= last - first + 1;
        if (count > DGMI_MAPPER_MOST_SLOTS)
            return DGMI_MAPPER_MOST_SLOTS + 1;
    }
    return count;
}

/* The cells of a product in lexicographic order: places (dense) or coordinates (sparse). Counts
 * through them like an odometer whose wheel k runs from first[k] to last[k]. */
static void write_product(const dgmi_mapper_cover *cover, const double *row, int64_t *wheels,
                          uint32_t *place, int32_t *coordinates) {
    int64_t axes = cover->axes, *first = wheels, *last = wheels + axes, *now = wheels + 2 * axes;
    for (int64_t k = 0; k < axes; k++) {
        dgmi_mapper_axis_locate(&cover->axis[k], row[k], &first[k], &last[k]);
        now[k] = first[k];
    }
    for (int64_t k = 0; k >= 0;) {
        int64_t linear = 0;
        for (k = 0; k < axes; k++) {
            if (coordinates) /* whose product may be too large for a place */
                *coordinates++ = (int32_t)now[k];
            else
                linear = linear * cover->axis[k].cells + now[k];
        }
        if (place)
            *place++ = (uint32_t)linear;
        for (k = axes - 1; k >= 0 && now[k] == last[k]; k--)
            now[k] = first[k];
        if (k >= 0)
            now[k]++;
    }
}

static void write_cells(const pullback_job *job, int64_t node, int thread) {
    assert(node >= 0 && node < job->cover->nodes);
    const dgmi_mapper_cover *cover = job->cover;
    const double *row = cover->values + node * cover->columns;
    int64_t slot = job->offsets[node];
    uint32_t *place = job->coordinates ? NULL : job->cell + slot;
    assert(place || (cover->axis && !cover->lists.offsets &&
                     cover->kind != DGM_COVER_SIMPLEX)); /* only a product has coordinates */
    if (cover->lists.offsets) {
        for (int64_t i = cover->lists.offsets[node]; i < cover->lists.offsets[node + 1]; i++)
            *place++ = cover->lists.cell[i];
    } else if (cover->kind == DGM_COVER_SIMPLEX) {
        for (int64_t k = 0; k < cover->columns; k++)
            if (row[k] > 0)
                *place++ = (uint32_t)k;
    } else if (cover->kind == DGM_COVER_INTERVALS) {
        for (int64_t k = 0; k < cover->given_count; k++)
            if (in_given(cover, k, row[0]))
                *place++ = (uint32_t)k;
    } else {
        write_product(cover, row, job->wheels + 3 * cover->axes * thread, place,
                      job->coordinates ? job->coordinates + slot * cover->axes : NULL);
    }
}

static void count_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pullback_job *job = argument;
    int64_t begin, end, sum = 0;
    dgmi_chunk(job->cover->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        int64_t count = count_cells(job->cover, u);
        job->offsets[u + 1] = (uint32_t)count;
        sum += count;
    }
    job->chunk_slots[chunk] = sum;
}

/* Turns counts into offsets, the chunk's first offset being known. */
static void offset_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pullback_job *job = argument;
    int64_t begin, end, sum = job->chunk_slots[chunk];
    dgmi_chunk(job->cover->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        sum += job->offsets[u + 1];
        job->offsets[u + 1] = (uint32_t)sum;
    }
}

static void fill_chunk(void *argument, int64_t chunk, int thread) {
    pullback_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->cover->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++) {
        write_cells(job, u, thread);
        for (int64_t s = job->offsets[u]; s < job->offsets[u + 1]; s++)
            job->node[s] = (uint32_t)u;
    }
    if (!job->hit || dgmi_cancelled(job->ctx))
        return;
    for (int64_t s = job->offsets[begin]; s < job->offsets[end]; s++)
        __atomic_store_n(&job->hit[job->cell[s]], 1, __ATOMIC_RELAXED);
}

static void rename_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pullback_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->cover->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t s = job->offsets[begin]; s < job->offsets[end]; s++)
        job->cell[s] = job->number[job->cell[s]];
}

const char *dgmi_mapper_fewer_slots(const dgmi_mapper_cover *cover) {
    if (cover->kind == DGM_COVER_BALLS)
        return "lower the radius of the balls";
    if (cover->kind >= DGM_COVER_ADAPTIVE)
        return "lower " DGMI_NAMED("overlap");
    return "lower " DGMI_NAMED("overlap") " or " DGMI_NAMED("intervals");
}

dgm_status dgmi_mapper_fail_slots(dgm_context *ctx, const dgmi_mapper_cover *cover) {
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "this cover puts the nodes into over %lld cells in all; %s",
                     (long long)DGMI_MAPPER_MOST_SLOTS, dgmi_mapper_fewer_slots(cover));
}

/* offsets, and their end; too many slots is an error of the options, not of memory. */
static dgm_status count_slots(dgm_context *ctx, pullback_job *job, int64_t *slots) {
    int64_t nodes = job->cover->nodes, chunks = dgmi_chunks(nodes, GRAIN), sum = 0;
    job->offsets = dgmi_scratch(ctx, nodes + 1, sizeof *job->offsets);
    job->chunk_slots = dgmi_scratch(ctx, chunks, sizeof *job->chunk_slots);
    if (!job->offsets || !job->chunk_slots)
        return DGM_ERROR_MEMORY;
    job->offsets[0] = 0;
    dgmi_parallel(ctx, chunks, count_chunk, job);
    for (int64_t c = 0; c < chunks; c++) {
        int64_t here = job->chunk_slots[c];
        job->chunk_slots[c] = sum;
        sum += here;
        if (sum > DGMI_MAPPER_MOST_SLOTS)
            return dgmi_mapper_fail_slots(ctx, job->cover);
    }
    dgmi_parallel(ctx, chunks, offset_chunk, job);
    *slots = sum;
    assert(job->offsets[nodes] == sum);
    return DGM_OK;
}

/* Bytes that every slot takes at least, from here to the clusters: cell, node, its place in its
 * cell, label, parent, number and place in a list. */
enum { SLOT_BYTES = 7 * sizeof(uint32_t) };

static dgm_status check_slots(dgm_context *ctx, const dgmi_mapper_cover *cover, int64_t slots) {
    char what[128];
    double bytes = (double)slots * SLOT_BYTES;
    if (bytes < WORTH_ASKING)
        return DGM_OK;
    snprintf(what, sizeof what, "a cover that puts %lld nodes into %lld cells in all",
             (long long)cover->nodes, (long long)slots);
    return dgmi_need_check(ctx, &(dgmi_need){what, bytes, bytes, dgmi_mapper_fewer_slots(cover)});
}

/* All cells of the cover, or -1 if they are many beside the slots. */
static int64_t dense_cells(const dgmi_mapper_cover *cover, int64_t slots) {
    if (cover->lists.offsets)
        return cover->lists.cells;
    if (cover->kind == DGM_COVER_SIMPLEX)
        return cover->columns;
    if (cover->kind == DGM_COVER_INTERVALS)
        return cover->given_count;
    int64_t product = 1, most = 2 * slots + 1024;
    for (int64_t k = 0; k < cover->axes; k++) {
        if (cover->axis[k].cells > most / product)
            return -1;
        product *= cover->axis[k].cells;
    }
    return product;
}

/* Coordinates of a place in the product. */
static void place_coordinates(const dgmi_mapper_cover *cover, int64_t place, int32_t *coordinates) {
    assert(place >= 0);
    if (!cover->axis) {
        coordinates[0] = (int32_t)place;
        return;
    }
    for (int64_t k = cover->axes - 1; k >= 0; k--) {
        coordinates[k] = (int32_t)(place % cover->axis[k].cells);
        place /= cover->axis[k].cells;
    }
    assert(place == 0); /* it was a place of the product */
}

static dgm_status number_dense(dgm_context *ctx, pullback_job *job, int64_t product,
                               dgmi_mapper_pullback *pullback) {
    int64_t chunks = dgmi_chunks(pullback->nodes, GRAIN), cells = 0;
    job->hit = dgmi_scratch_zero(ctx, product, sizeof *job->hit);
    if (!job->hit)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, fill_chunk, job);
    dgm_status status = dgmi_progress(ctx, "assigning cells", 0.5);
    if (status != DGM_OK)
        return status;
    for (int64_t place = 0; place < product; place++)
        cells += job->hit[place];
    int32_t *coordinates = dgmi_scratch(ctx, cells * pullback->axes, sizeof *coordinates);
    if (!coordinates)
        return DGM_ERROR_MEMORY;
    cells = 0;
    for (int64_t place = 0; place < product; place++)
        if (job->hit[place]) {
            place_coordinates(job->cover, place, coordinates + cells * pullback->axes);
            job->hit[place] = (uint32_t)cells++;
        }
    job->number = job->hit;
    dgmi_parallel(ctx, chunks, rename_chunk, job);
    pullback->cells = cells;
    pullback->coordinates = coordinates;
    return DGM_OK;
}

/* ---- sparse: cells by their coordinates ---- */

static uint64_t hash_coordinates(const int32_t *coordinates, int64_t axes) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (int64_t k = 0; k < axes; k++) {
        hash = (hash ^ (uint32_t)coordinates[k]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    return hash;
}

typedef struct {
    int64_t axes, count, size;
    uint32_t *table;            /* provisional id + 1; 0 is empty */
    uint32_t *first_slot;       /* by id: where its coordinates stand */
    const int32_t *coordinates; /* of all slots */
} cell_table;

static uint32_t intern_cell(cell_table *cells, int64_t slot) {
    assert(cells->count < cells->size); /* there is an empty place, so the search ends */
    const int32_t *mine = cells->coordinates + slot * cells->axes;
    size_t bytes = (size_t)cells->axes * sizeof *mine;
    int64_t mask = cells->size - 1;
    int64_t place = (int64_t)(hash_coordinates(mine, cells->axes) & (uint64_t)mask);
    for (; cells->table[place]; place = (place + 1) & mask) {
        uint32_t id = cells->table[place] - 1;
        if (memcmp(cells->coordinates + (int64_t)cells->first_slot[id] * cells->axes, mine,
                   bytes) == 0)
            return id;
    }
    cells->first_slot[cells->count] = (uint32_t)slot;
    cells->table[place] = (uint32_t)++cells->count;
    return (uint32_t)(cells->count - 1);
}

/* Cells in lexicographic order of their coordinates: two axes at a time, the last ones first. */
static dgm_status sort_cells(dgm_context *ctx, const cell_table *cells, uint32_t *order) {
    dgm_status status = DGM_OK;
    uint64_t *keys = dgmi_scratch(ctx, cells->count, sizeof *keys);
    if (!keys)
        return DGM_ERROR_MEMORY;
    for (int64_t id = 0; id < cells->count; id++)
        order[id] = (uint32_t)id;
    for (int64_t k = cells->axes - 1; k >= 0 && status == DGM_OK; k -= 2) {
        for (int64_t i = 0; i < cells->count; i++) {
            const int32_t *at = cells->coordinates + cells->first_slot[order[i]] * cells->axes;
            keys[i] = (k > 0 ? (uint64_t)at[k - 1] << 32 : 0) | (uint64_t)at[k];
        }
        status = dgmi_sort_pairs(ctx, keys, order, cells->count);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, "assigning cells", 0.6);
    }
    return status;
}

static dgm_status number_sparse(dgm_context *ctx, pullback_job *job,
                                dgmi_mapper_pullback *pullback) {
    int64_t slots = pullback->slots, axes = pullback->axes,
            chunks = dgmi_chunks(pullback->nodes, GRAIN);
    job->coordinates = dgmi_scratch(ctx, slots * axes, sizeof *job->coordinates);
    cell_table cells = {.axes = axes, .size = 64, .coordinates = job->coordinates};
    while (cells.size < 2 * slots)
        cells.size *= 2;
    cells.table = dgmi_scratch_zero(ctx, cells.size, sizeof *cells.table);
    cells.first_slot = dgmi_scratch(ctx, slots, sizeof *cells.first_slot);
    if (!job->coordinates || !cells.table || !cells.first_slot)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, fill_chunk, job);
    dgm_status status = dgmi_progress(ctx, "assigning cells", 0.3);
    for (int64_t s = 0; s < slots && status == DGM_OK; s++) {
        job->cell[s] = intern_cell(&cells, s);
        if (s % SLOTS_A_LOOK == SLOTS_A_LOOK - 1)
            status = dgmi_progress(ctx, "assigning cells", 0.3);
    }
    if (status != DGM_OK)
        return status;
    uint32_t *order = dgmi_scratch(ctx, cells.count, sizeof *order);
    uint32_t *number = dgmi_scratch(ctx, cells.count, sizeof *number);
    int32_t *coordinates = dgmi_scratch(ctx, cells.count * axes, sizeof *coordinates);
    if (!order || !number || !coordinates)
        return DGM_ERROR_MEMORY;
    status = sort_cells(ctx, &cells, order);
    if (status != DGM_OK)
        return status;
    for (int64_t rank = 0; rank < cells.count; rank++) {
        number[order[rank]] = (uint32_t)rank;
        memcpy(coordinates + rank * axes,
               cells.coordinates + (int64_t)cells.first_slot[order[rank]] * axes,
               (size_t)axes * sizeof *coordinates);
    }
    job->number = number;
    dgmi_parallel(ctx, chunks, rename_chunk, job);
    pullback->cells = cells.count;
    pullback->coordinates = coordinates;
    return DGM_OK;
}

/* By counting. */
dgm_status dgmi_mapper_pullback_group(dgm_context *ctx, dgmi_mapper_pullback *pullback) {
    uint32_t *start = dgmi_scratch_zero(ctx, pullback->cells + 2, sizeof *start);
    uint32_t *by_cell = dgmi_scratch(ctx, pullback->slots, sizeof *by_cell);
    if (!start || !by_cell)
        return DGM_ERROR_MEMORY;
    for (int64_t s = 0; s < pullback->slots; s++)
        start[pullback->cell[s] + 2]++;
    for (int64_t c = 0; c < pullback->cells; c++)
        start[c + 2] += start[c + 1];
    for (int64_t s = 0; s < pullback->slots; s++)
        by_cell[start[pullback->cell[s] + 1]++] = (uint32_t)s;
    pullback->cell_start = start;
    pullback->by_cell = by_cell;
    return DGM_OK;
}

dgm_status dgmi_mapper_pullback_make(dgm_context *ctx, const dgmi_mapper_cover *cover,
                                     dgmi_mapper_pullback *pullback) {
    *pullback = (dgmi_mapper_pullback){.nodes = cover->nodes, .axes = cover->axes};
    pullback_job job = {.ctx = ctx, .cover = cover};
    dgm_status status = count_slots(ctx, &job, &pullback->slots);
    if (status == DGM_OK)
        status = check_slots(ctx, cover, pullback->slots);
    if (status != DGM_OK)
        return status;
    job.cell = dgmi_scratch(ctx, pullback->slots, sizeof *job.cell);
    job.node = dgmi_scratch(ctx, pullback->slots, sizeof *job.node);
    job.wheels = dgmi_scratch(ctx, 3 * cover->axes * dgm_context_threads(ctx), sizeof *job.wheels);
    if (!job.cell || !job.node || !job.wheels)
        return DGM_ERROR_MEMORY;
    int64_t product = dense_cells(cover, pullback->slots);
    status = product >= 0 ? number_dense(ctx, &job, product, pullback)
                          : number_sparse(ctx, &job, pullback);
    if (status != DGM_OK)
        return status;
    pullback->offsets = job.offsets;
    pullback->cell = job.cell;
    pullback->node = job.node;
    return dgmi_mapper_pullback_group(ctx, pullback);
}
