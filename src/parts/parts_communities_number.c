/* SPDX-License-Identifier: Apache-2.0 */
/* From communities as they were found to those that are told: each hangs together, the largest has
 * number 0. */
#include "parts_communities.h"

#include "base_memory.h"
#include "base_sort.h"
#include "graph_union.h"

enum { GRAIN = 1 << 12 };

typedef struct {
    const dgmi_parts_level *level;
    uint32_t *labels, *parent;
} split_job;

static void link_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const split_job *job = argument;
    const dgmi_parts_level *level = job->level;
    int64_t begin, end;
    dgmi_chunk(level->nodes, dgmi_parts_grain(level), chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        for (int64_t e = level->begin[u]; e < level->end[u]; e++) {
            uint32_t v = level->targets[e];
            if (v < u && job->labels[v] == job->labels[u] && dgmi_parts_weight(level, e) > 0)
                dgmi_graph_union_link(job->parent, (uint32_t)u, v);
        }
}

static void label_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const split_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->level->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->labels[u] = dgmi_graph_union_find(job->parent, (uint32_t)u);
}

dgm_status dgmi_parts_split(dgm_context *ctx, const dgmi_parts_level *level, uint32_t *labels) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    split_job job = {level, labels, dgmi_scratch(ctx, level->nodes, sizeof *job.parent)};
    if (job.parent) {
        dgmi_parts_count_up(ctx, job.parent, level->nodes);
        dgmi_parallel(ctx, dgmi_chunks(level->nodes, dgmi_parts_grain(level)), link_chunk, &job);
        dgmi_parallel(ctx, dgmi_chunks(level->nodes, GRAIN), label_chunk, &job);
    }
    dgmi_arena_release(ctx, hold);
    return job.parent ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- numbers ---- */

typedef struct {
    int64_t nodes;
    uint32_t *labels, *sizes, *numbers;
} number_job;

static void count_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const number_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        __atomic_fetch_add(&job->sizes[job->labels[u]], 1, __ATOMIC_RELAXED);
}

static void number_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const number_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->labels[u] = job->numbers[job->labels[u]];
}

/* The sort is stable, so that of equals the one with the smaller label comes first. */
static dgm_status sort_by_size(dgm_context *ctx, const number_job *job, int64_t *count) {
    uint64_t *keys = dgmi_scratch(ctx, job->nodes, sizeof *keys);
    uint32_t *items = dgmi_scratch(ctx, job->nodes, sizeof *items);
    if (!keys || !items)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < job->nodes; u++)
        if (job->sizes[u] > 0) {
            keys[*count] = (uint64_t)job->nodes - job->sizes[u];
            items[(*count)++] = (uint32_t)u;
        }
    dgm_status status = dgmi_sort_pairs(ctx, keys, items, *count);
    for (int64_t c = 0; status == DGM_OK && c < *count; c++)
        job->numbers[items[c]] = (uint32_t)c;
    return status;
}

dgm_status dgmi_parts_number(dgm_context *ctx, int64_t nodes, uint32_t *labels, int64_t *count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    number_job job = {nodes, labels, dgmi_scratch_zero(ctx, nodes, sizeof *job.sizes),
                      dgmi_scratch(ctx, nodes, sizeof *job.numbers)};
    dgm_status status = job.sizes && job.numbers ? DGM_OK : DGM_ERROR_MEMORY;
    *count = 0;
    if (status == DGM_OK) {
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), count_chunk, &job);
        status = sort_by_size(ctx, &job, count);
    }
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), number_chunk, &job);
    dgmi_arena_release(ctx, hold);
    return status;
}
