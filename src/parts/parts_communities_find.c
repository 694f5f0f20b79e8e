/* SPDX-License-Identifier: Apache-2.0 */
/* The Leiden method as a whole. In a pass nodes are moved between communities, communities are
 * refined, and what refinement leaves together becomes one node of the next level, where the same
 * begins again. Passes begin from the result of the one before, until they bring little.
 *
 * A level that is small is cheap: several runs of the method begin there, each with a seed of its
 * own, and the best of them counts.
 */
#include "parts_communities.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "base_random.h"

enum {
    STREAM = 0x434F4D4D,
    MOST_LEVELS = 64,
    FEWEST_PASSES = 3,
    MOST_PASSES = 10,
    PASS_ENTRIES = 20000000, /* in all passes, roughly */
    MOST_POLISHES = 8,
    MOST_SMALL_POLISHES = 10000,
    FEWEST_TRIES = 4,
    MOST_TRIES = 16,
    TRY_ENTRIES = 40000, /* in all tries, roughly */
    GRAIN = 1 << 12
};

/* ---- labels from level to level ---- */

typedef struct {
    int64_t nodes;
    const uint32_t *from; /* by node: labels, or what `through` is asked for */
    const uint32_t *through;
    uint32_t *to;
    const uint32_t *least;
} relabel_job;

static void look_up_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const relabel_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->to[u] = job->through[job->from[u]];
}

/* to[u] = through[from[u]] for all nodes. */
static void look_up(dgm_context *ctx, int64_t nodes, const uint32_t *from, const uint32_t *through,
                    uint32_t *to) {
    relabel_job job = {nodes, from, through, to, NULL};
    dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), look_up_chunk, &job);
}

static void copy_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const relabel_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    memcpy(job->to + begin, job->from + begin, (size_t)(end - begin) * sizeof *job->to);
}

static void copy(dgm_context *ctx, int64_t nodes, const uint32_t *from, uint32_t *to) {
    relabel_job job = {nodes, from, NULL, to, NULL};
    dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), copy_chunk, &job);
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

/* All nodes of a merged node write the same. */
static void hand_on_least(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const relabel_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        __atomic_store_n(&job->to[job->through[u]], job->least[job->from[u]], __ATOMIC_RELAXED);
}

/* The communities as labels of the merged level: each is called by its smallest merged node. */
static dgm_status lift_labels(dgm_context *ctx, int64_t nodes, const uint32_t *labels,
                              const uint32_t *number, uint32_t *lifted) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *least = dgmi_scratch(ctx, nodes, sizeof *least);
    relabel_job job = {nodes, labels, number, least, NULL};
    if (least) {
        memset(least, 0xff, (size_t)nodes * sizeof *least);
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), take_least, &job);
        job.to = lifted;
        job.least = least;
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), hand_on_least, &job);
    }
    dgmi_arena_release(ctx, hold);
    return least ? DGM_OK : DGM_ERROR_MEMORY;
}

typedef struct {
    int64_t nodes;
    const uint32_t *labels;
    uint8_t *used; /* by label */
    int64_t count;
} count_job;

static void count_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    count_job *job = argument;
    int64_t begin, end, count = 0;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        if (!__atomic_load_n(&job->used[job->labels[u]], __ATOMIC_RELAXED))
            count += !__atomic_exchange_n(&job->used[job->labels[u]], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&job->count, count, __ATOMIC_RELAXED);
}

static dgm_status count_labels(dgm_context *ctx, int64_t nodes, const uint32_t *labels,
                               int64_t *count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    count_job job = {nodes, labels, dgmi_scratch_zero(ctx, nodes, sizeof *job.used), 0};
    if (job.used)
        dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), count_chunk, &job);
    dgmi_arena_release(ctx, hold);
    *count = job.count;
    return job.used ? DGM_OK : DGM_ERROR_MEMORY;
}

/* ---- one pass ---- */

typedef struct {
    dgmi_parts_level level;
    uint32_t *labels;         /* by node of the level: its community */
    uint32_t *members;        /* by node of the lowest level: the node of the level that it is in */
    int64_t nodes;            /* of the lowest level */
    dgmi_parts_room rooms[2]; /* for the levels in turn */
    int step;
    bool done; /* nothing is left to merge */
} ladder;

static dgm_status explore(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                          uint32_t *labels);

/* From a level to the one above, whose nodes are the refined parts of the communities. */
static dgm_status climb(dgm_context *ctx, uint64_t seed, ladder *l) {
    dgmi_parts_level level = l->level, merged;
    uint32_t *refined = dgmi_scratch(ctx, level.nodes, sizeof *refined);
    uint32_t *number = dgmi_scratch(ctx, level.nodes, sizeof *number);
    if (!refined || !number)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_parts_refine(ctx, &level, seed, l->labels, refined);
    if (status == DGM_OK)
        status = dgmi_parts_merge(ctx, &level, refined, &l->rooms[l->step++ % 2], number, &merged);
    l->done = status != DGM_OK || merged.nodes == level.nodes;
    if (l->done)
        return status;
    uint32_t *lifted = dgmi_scratch(ctx, merged.nodes, sizeof *lifted);
    status = lifted ? lift_labels(ctx, level.nodes, l->labels, number, lifted) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        look_up(ctx, l->nodes, l->members, number, l->members);
    l->level = merged;
    l->labels = lifted;
    return status;
}

/* Moves the nodes of a level, and climbs on unless each is a community by itself. */
static dgm_status move_and_climb(dgm_context *ctx, uint64_t seed, bool explores, ladder *l) {
    int64_t moves, count;
    if (explores && dgmi_parts_is_small(&l->level)) {
        l->done = true;
        return explore(ctx, &l->level, seed, l->labels);
    }
    dgm_status status = dgmi_parts_move(ctx, &l->level, seed, l->labels, &moves);
    if (status == DGM_OK)
        status = count_labels(ctx, l->level.nodes, l->labels, &count);
    l->done = status != DGM_OK || count == l->level.nodes;
    return l->done ? status : climb(ctx, seed, l);
}

/* Merges the communities of a level whose nodes have been moved. */
static dgm_status run_pass(dgm_context *ctx, const dgmi_parts_level *level,
                           const dgmi_parts_room *rooms, uint64_t seed, bool explores,
                           uint32_t *labels) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    ladder l = {.level = *level,
                .labels = labels,
                .members = dgmi_scratch(ctx, level->nodes, sizeof *l.members),
                .nodes = level->nodes,
                .rooms = {rooms[0], rooms[1]}};
    dgm_status status = l.members ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        dgmi_parts_count_up(ctx, l.members, level->nodes);
        status = climb(ctx, dgmi_random_bits(seed, STREAM, 0), &l);
    }
    while (status == DGM_OK && !l.done && l.step < MOST_LEVELS)
        status =
            move_and_climb(ctx, dgmi_random_bits(seed, STREAM, (uint64_t)l.step), explores, &l);
    if (status == DGM_OK && l.labels != labels)
        look_up(ctx, level->nodes, l.members, l.labels, labels);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- passes ---- */

/* Until no node gains by moving and each community hangs together. Where communities are long and
 * thin, their ends go to and fro for a trifle, so that large graphs get a few rounds and no more. */
static dgm_status polish(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                         uint32_t *labels) {
    int64_t moves = 1, most = dgmi_parts_is_small(level) ? MOST_SMALL_POLISHES : MOST_POLISHES;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && moves > 0 && i < most; i++) {
        uint64_t own = dgmi_random_bits(seed, STREAM + 1, (uint64_t)i);
        status = dgmi_parts_move(ctx, level, own, labels, &moves);
        if (status == DGM_OK && moves > 0)
            status = dgmi_parts_split(ctx, level, labels);
    }
    return status;
}

/* Moves the nodes, and keeps the labels in `best` if they are worth more than `*most`. */
static dgm_status move_and_keep(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                                uint32_t *labels, uint32_t *best, double *most, double *gain) {
    int64_t moves;
    double found;
    dgm_status status = dgmi_parts_move(ctx, level, seed, labels, &moves);
    if (status == DGM_OK)
        status = dgmi_parts_split(ctx, level, labels);
    if (status == DGM_OK)
        status = dgmi_parts_modularity(ctx, level, labels, level->nodes, &found);
    if (status != DGM_OK)
        return status;
    *gain = found - *most;
    if (*gain > 0) {
        *most = found;
        copy(ctx, level->nodes, labels, best);
    }
    return DGM_OK;
}

/* Passes until one brings little. */
static dgm_status run_passes(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                             bool explores, uint32_t *labels, double *most) {
    double gain, enough = dgmi_parts_is_small(level) ? 1e-7 : 1e-4;
    int64_t most_passes = PASS_ENTRIES / (level->entries + 1);
    most_passes = most_passes < FEWEST_PASSES ? FEWEST_PASSES
                  : most_passes > MOST_PASSES ? MOST_PASSES
                                              : most_passes;
    uint32_t *best = dgmi_scratch(ctx, level->nodes, sizeof *best);
    dgmi_parts_room rooms[2];
    for (int i = 0; i < 2; i++)
        rooms[i] = (dgmi_parts_room){dgmi_scratch(ctx, level->entries, sizeof(uint32_t)),
                                     dgmi_scratch(ctx, level->entries, sizeof(int64_t))};
    if (!best || !rooms[0].targets || !rooms[0].weights || !rooms[1].targets || !rooms[1].weights)
        return DGM_ERROR_MEMORY;
    *most = -INFINITY;
    dgm_status status = move_and_keep(ctx, level, seed, labels, best, most, &gain);
    for (int64_t pass = 1; status == DGM_OK && gain > enough && pass <= most_passes; pass++) {
        uint64_t own = dgmi_random_bits(seed, STREAM + 2, (uint64_t)pass);
        status = run_pass(ctx, level, rooms, own, explores, labels);
        if (status == DGM_OK)
            status = move_and_keep(ctx, level, own, labels, best, most, &gain);
    }
    if (status == DGM_OK)
        copy(ctx, level->nodes, best, labels);
    return status == DGM_OK ? polish(ctx, level, seed, labels) : status;
}

/* ---- several runs ---- */

typedef struct {
    const dgmi_parts_level *level;
    const uint32_t *labels; /* that each begins with */
    uint32_t *found;        /* their results, one after the other */
    double *worth;
    uint64_t seed;
} try_job;

static dgm_status run_try(dgm_context *ctx, void *argument, int64_t index) {
    const try_job *job = argument;
    int64_t nodes = job->level->nodes;
    uint32_t *labels = job->found + index * nodes;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    copy(ctx, nodes, job->labels, labels);
    dgm_status status =
        run_passes(ctx, job->level, dgmi_random_bits(job->seed, STREAM + 3, (uint64_t)index), false,
                   labels, &job->worth[index]);
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status explore(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                          uint32_t *labels) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double worth[MOST_TRIES];
    int64_t best = 0, nodes = level->nodes, tries = TRY_ENTRIES / (level->entries + 1);
    tries = tries < FEWEST_TRIES ? FEWEST_TRIES : tries > MOST_TRIES ? MOST_TRIES : tries;
    try_job job = {level, labels, dgmi_scratch(ctx, tries * nodes, sizeof *job.found), worth, seed};
    dgm_status status =
        job.found ? dgmi_each(ctx, "finding communities", tries, run_try, &job) : DGM_ERROR_MEMORY;
    for (int64_t i = 1; status == DGM_OK && i < tries; i++)
        best = worth[i] > worth[best] ? i : best;
    if (status == DGM_OK)
        copy(ctx, nodes, job.found + best * nodes, labels);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_parts_find(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                           uint32_t *labels) {
    double worth;
    dgmi_parts_count_up(ctx, labels, level->nodes);
    if (level->pull == 0)
        return DGM_OK;
    if (dgmi_parts_is_small(level))
        return explore(ctx, level, seed, labels);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = run_passes(ctx, level, seed, true, labels, &worth);
    dgmi_arena_release(ctx, hold);
    return status;
}
