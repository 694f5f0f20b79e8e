/* SPDX-License-Identifier: Apache-2.0 */
/* Communities by the Leiden method (Traag, Waltman and van Eck 2019): nodes are moved between
 * communities, communities are refined, and what refinement leaves together becomes one node of the
 * next level, where the same begins again. The whole is repeated from its own result. */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { STREAM = 0x434F4D4D, MOST_LEVELS = 64, PASSES = 2, MOST_POLISHES = 8, GRAIN = 1 << 12 };

/* ---- labels from level to level ---- */

typedef struct {
    int64_t nodes;
    const uint32_t *from; /* by node: labels, or what `through` is asked for */
    const uint32_t *through;
    uint32_t *to;
} relabel_job;

static void pass_on(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const relabel_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->to[u] = job->through[job->from[u]];
}

static void take_least(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const relabel_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint32_t *least = &job->to[job->from[u]], node = job->through[u];
        uint32_t seen = __atomic_load_n(least, __ATOMIC_RELAXED);
        while (node < seen && !__atomic_compare_exchange_n(least, &seen, node, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
}

/* The communities as labels of the merged level: each is called by its smallest merged node. */
static dgm_status lift_labels(dgm_context *ctx, const dgmi_parts_level *level,
                              const uint32_t *labels, const uint32_t *number,
                              const dgmi_parts_level *merged, uint32_t *lifted) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *least = dgmi_scratch(ctx, level->nodes, sizeof *least);
    int64_t chunks = dgmi_chunks(level->nodes, GRAIN);
    (void)merged;
    if (least) {
        for (int64_t u = 0; u < level->nodes; u++)
            least[u] = UINT32_MAX;
        relabel_job job = {level->nodes, labels, number, least};
        dgmi_parallel(ctx, chunks, take_least, &job);
        for (int64_t u = 0; u < level->nodes; u++)
            lifted[number[u]] = least[labels[u]];
    }
    dgmi_arena_release(ctx, hold);
    return least ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status count_labels(dgm_context *ctx, int64_t nodes, const uint32_t *labels,
                               int64_t *count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint8_t *used = dgmi_scratch_zero(ctx, nodes, sizeof *used);
    *count = 0;
    for (int64_t u = 0; used && u < nodes; u++) {
        *count += !used[labels[u]];
        used[labels[u]] = 1;
    }
    dgmi_arena_release(ctx, hold);
    return used ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- one pass ---- */

typedef struct {
    dgmi_parts_level level;
    uint32_t *labels;  /* by node of the level */
    uint32_t *members; /* by node of the graph: the node of the level that it is in */
    bool done;
} ladder;

/* From a level to the one above; done where nothing is left to merge. */
static dgm_status climb(dgm_context *ctx, uint64_t seed, int64_t nodes, ladder *l) {
    int64_t moves, count;
    const dgmi_parts_level *level = &l->level;
    dgm_status status = dgmi_parts_move(ctx, level, seed, l->labels, &moves);
    if (status == DGM_OK)
        status = count_labels(ctx, level->nodes, l->labels, &count);
    l->done = status == DGM_OK && count == level->nodes;
    if (status != DGM_OK || l->done)
        return status;
    dgmi_parts_level merged;
    uint32_t *refined = dgmi_scratch(ctx, level->nodes, sizeof *refined);
    uint32_t *number = dgmi_scratch(ctx, level->nodes, sizeof *number);
    if (!refined || !number)
        return DGM_ERROR_MEMORY;
    status = dgmi_parts_refine(ctx, level, seed, l->labels, refined);
    if (status == DGM_OK)
        status = dgmi_parts_merge(ctx, level, refined, number, &merged);
    if (status != DGM_OK)
        return status;
    l->done = merged.nodes == level->nodes;
    if (l->done)
        return DGM_OK;
    uint32_t *lifted = dgmi_scratch(ctx, merged.nodes, sizeof *lifted);
    status =
        lifted ? lift_labels(ctx, level, l->labels, number, &merged, lifted) : DGM_ERROR_MEMORY;
    relabel_job job = {nodes, l->members, number, l->members};
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), pass_on, &job);
    l->level = merged;
    l->labels = lifted;
    return status;
}

static dgm_status run_pass(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                           uint32_t *labels) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t nodes = level->nodes;
    ladder l = {*level, dgmi_scratch(ctx, nodes, sizeof *l.labels),
                dgmi_scratch(ctx, nodes, sizeof *l.members), false};
    dgm_status status = l.labels && l.members ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        dgmi_parts_count_up(ctx, l.members, nodes);
        relabel_job copy = {nodes, l.members, labels, l.labels};
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), pass_on, &copy);
    }
    for (int step = 0; status == DGM_OK && !l.done && step < MOST_LEVELS; step++)
        status = climb(ctx, dgmi_random_bits(seed, STREAM, (uint64_t)step), nodes, &l);
    relabel_job job = {nodes, l.members, l.labels, labels};
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), pass_on, &job);
    dgmi_arena_release(ctx, hold);
    return status == DGM_OK ? dgmi_parts_split(ctx, level, labels) : status;
}

/* ---- all ---- */

/* Until no node gains by moving and each community hangs together. */
static dgm_status polish(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                         uint32_t *labels) {
    int64_t moves = 1;
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && moves > 0 && i < MOST_POLISHES; i++) {
        uint64_t own = dgmi_random_bits(seed, STREAM + 1, (uint64_t)i);
        status = dgmi_parts_move(ctx, level, own, labels, &moves);
        if (status == DGM_OK && moves > 0)
            status = dgmi_parts_split(ctx, level, labels);
    }
    return status;
}

static dgm_status find(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                       uint32_t *labels) {
    dgm_status status = DGM_OK;
    dgmi_parts_count_up(ctx, labels, level->nodes);
    for (uint64_t pass = 0; status == DGM_OK && pass < PASSES; pass++)
        status = run_pass(ctx, level, dgmi_random_bits(seed, STREAM + 2, pass), labels);
    return status == DGM_OK ? polish(ctx, level, seed, labels) : status;
}

dgm_status dgm_communities(dgm_context *ctx, const dgm_graph *graph,
                           const dgm_communities_options *options, uint32_t *parts,
                           int64_t *count) {
    dgm_communities_options own;
    dgmi_parts_level level;
    *count = 0;
    dgm_status status = dgmi_parts_options_take(ctx, options, &own);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = dgmi_progress(ctx, "finding communities", 0);
    if (status == DGM_OK)
        status = dgmi_parts_level_make(ctx, graph, &own, &level);
    if (status == DGM_OK)
        status = find(ctx, &level, (uint64_t)own.seed, parts);
    if (status == DGM_OK)
        status = dgmi_parts_number(ctx, level.nodes, parts, count);
    if (status != DGM_OK)
        *count = 0;
    dgmi_arena_release(ctx, hold);
    return status;
}
