/* SPDX-License-Identifier: Apache-2.0 */
/* Local moving: a node u goes to the community c for which
 *
 *   w(u, c) - pull strength_u total_c        pull = resolution / sum of all strengths
 *
 * is the largest, its own strength taken out of the total of its own community. A round gives each
 * node whose neighbourhood has changed one look: in groups, each of which decides in parallel. When
 * few nodes are left, or from the beginning where the graph is small, nodes are taken one by one
 * from a queue until none gains by moving.
 */
#include "parts_communities.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum {
    STREAM = 0x4C454944,
    FEW_NODES = 1024, /* so few are taken one by one */
    GROUP = 4096,     /* nodes of a group, roughly */
    FEWEST_GROUPS = 8,
    MOST_ROUNDS = 100,
    REPORT = 1 << 16, /* looks between two reports of progress */
};

typedef struct {
    const dgmi_parts_level *level;
    uint32_t *labels;
    int64_t *totals;  /* by label: the strengths of its nodes */
    uint32_t *sizes;  /* by label: how many nodes it has */
    uint8_t *active;  /* by node: it should look for a better community */
    uint32_t *wanted; /* by place in the group's list: where its node wants to go */
    dgmi_parts_groups groups;
    dgmi_parts_tally *tallies; /* by thread */
    uint32_t group;            /* the one that is being moved */
    int64_t moves;
} mover;

/* ---- one node ---- */

/* Each node draws anew: if all preferred the same label, they would crowd there. */
static bool wins_tie(const mover *m, uint32_t u, uint32_t a, uint32_t b) {
    uint64_t salt = m->groups.salt + ((uint64_t)u << 32);
    return dgmi_parts_mix(salt, a) > dgmi_parts_mix(salt, b);
}

/* Empty communities have no label of their own: `empty` is one that nobody has, or NO_LABEL. */
static uint32_t best_label(const mover *m, uint32_t u, uint32_t empty, dgmi_parts_tally *tally) {
    const dgmi_parts_level *level = m->level;
    int64_t strength = level->strengths[u], length = level->end[u] - level->begin[u];
    uint32_t home = m->labels[u], best = home;
    dgmi_parts_tally_open(tally, length < level->nodes ? length : level->nodes);
    for (int64_t e = level->begin[u]; e < level->end[u]; e++)
        if (level->targets[e] != u)
            dgmi_parts_tally_add(tally, m->labels[level->targets[e]], dgmi_parts_weight(level, e));
    double pull = level->pull * (double)strength;
    double stay =
        (double)dgmi_parts_tally_get(tally, home) - pull * (double)(m->totals[home] - strength);
    /* Below this a gain may be nothing but rounding. */
    double most = stay + 1e-14 * (1 + level->resolution) * (double)strength;
    if (empty != DGMI_PARTS_NO_LABEL && 0 > most) {
        most = 0;
        best = empty;
    }
    for (int64_t i = 0; i < tally->count; i++) {
        uint32_t label = tally->labels[tally->slots[i]];
        double weight = (double)tally->sums[tally->slots[i]];
        if (label == home || weight < most) /* totals are not looked up in vain */
            continue;
        double gain = weight - pull * (double)m->totals[label];
        if (gain > most || (gain == most && best != home && wins_tie(m, u, label, best))) {
            most = gain;
            best = label;
        }
    }
    dgmi_parts_tally_clear(tally);
    return best;
}

static void move_node(mover *m, uint32_t u, uint32_t to) {
    uint32_t home = m->labels[u];
    int64_t strength = m->level->strengths[u];
    __atomic_fetch_sub(&m->totals[home], strength, __ATOMIC_RELAXED);
    __atomic_fetch_add(&m->totals[to], strength, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&m->sizes[home], 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&m->sizes[to], 1, __ATOMIC_RELAXED);
    m->labels[u] = to;
}

/* ---- groups ---- */

/* Places of a group's list are cut as nodes are. */
static void group_chunk(const mover *m, int64_t chunk, int64_t *begin, int64_t *end) {
    int64_t first = m->groups.start[m->group], last = m->groups.start[m->group + 1];
    dgmi_chunk(last - first, dgmi_parts_grain(m->level), chunk, begin, end);
    *begin += first;
    *end += first;
}

/* Two nodes that are alone would change places, if both moved: the one with the larger label moves.
 * A node that is alone is mostly called by its own number, which tells its group. */
static bool must_wait(const mover *m, uint32_t u, uint32_t to) {
    uint32_t home = m->labels[u];
    return m->sizes[home] == 1 && m->sizes[to] == 1 && to > home &&
           dgmi_parts_group(m->groups.salt, to, m->groups.groups) == m->group;
}

static void look_in_group(void *argument, int64_t chunk, int thread) {
    mover *m = argument;
    int64_t begin, end;
    group_chunk(m, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = m->groups.nodes[i];
        dgmi_parts_prefetch(m->level, m->groups.nodes, i, end, m->labels);
        uint32_t to =
            best_label(m, u, m->sizes[u] == 0 ? u : DGMI_PARTS_NO_LABEL, &m->tallies[thread]);
        m->active[u] = must_wait(m, u, to);
        m->wanted[i] = m->active[u] ? m->labels[u] : to;
    }
}

static void move_in_group(void *argument, int64_t chunk, int thread) {
    (void)thread;
    mover *m = argument;
    int64_t begin, end, moves = 0;
    group_chunk(m, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = m->groups.nodes[i];
        bool moves_on = m->wanted[i] != m->labels[u];
        if (moves_on)
            move_node(m, u, m->wanted[i]);
        else
            m->wanted[i] = DGMI_PARTS_NO_LABEL; /* it has not moved */
        moves += moves_on;
    }
    __atomic_fetch_add(&m->moves, moves, __ATOMIC_RELAXED);
}

/* The neighbours of those that moved look again, but for those of the same community. */
static void wake_round_group(void *argument, int64_t chunk, int thread) {
    (void)thread;
    mover *m = argument;
    const dgmi_parts_level *level = m->level;
    int64_t begin, end;
    group_chunk(m, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = m->groups.nodes[i];
        for (int64_t e = level->begin[u]; m->wanted[i] != DGMI_PARTS_NO_LABEL && e < level->end[u];
             e++)
            if (m->labels[level->targets[e]] != m->labels[u])
                __atomic_store_n(&m->active[level->targets[e]], 1, __ATOMIC_RELAXED);
    }
}

static void run_group(dgm_context *ctx, mover *m, uint32_t group) {
    int64_t count = m->groups.start[group + 1] - m->groups.start[group];
    int64_t chunks = dgmi_chunks(count, dgmi_parts_grain(m->level));
    m->group = group;
    dgmi_parallel(ctx, chunks, look_in_group, m);
    dgmi_parallel(ctx, chunks, move_in_group, m);
    dgmi_parallel(ctx, chunks, wake_round_group, m);
}

/* Rounds until few nodes are left. */
static dgm_status move_in_groups(dgm_context *ctx, mover *m, uint64_t seed) {
    int64_t nodes = m->level->nodes, active = nodes;
    for (int round = 0; round < MOST_ROUNDS && active > FEW_NODES; round++) {
        int64_t groups = active / GROUP;
        m->groups.salt = dgmi_random_bits(seed, STREAM, (uint64_t)round);
        m->groups.groups = (uint32_t)(groups < FEWEST_GROUPS            ? FEWEST_GROUPS
                                      : groups > DGMI_PARTS_MOST_GROUPS ? DGMI_PARTS_MOST_GROUPS
                                                                        : groups);
        dgmi_parts_groups_fill(ctx, nodes, m->active, &m->groups);
        active = m->groups.start[m->groups.groups];
        if (active <= FEW_NODES)
            break;
        for (uint32_t g = 0; g < m->groups.groups; g++)
            run_group(ctx, m, g);
        dgm_status status = dgmi_progress(ctx, "finding communities", -1);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* ---- one by one ---- */

typedef struct {
    uint32_t *nodes; /* a ring of level->nodes places */
    int64_t first, count;
    uint32_t *empty; /* labels that nobody has */
    int64_t empty_count;
} queue;

static void queue_push(queue *q, int64_t nodes, uint32_t u) {
    int64_t place = q->first + q->count++;
    q->nodes[place < nodes ? place : place - nodes] = u;
    assert(q->count <= nodes);
}

static uint32_t queue_pop(queue *q, int64_t nodes) {
    uint32_t u = q->nodes[q->first];
    q->first = q->first + 1 < nodes ? q->first + 1 : 0;
    q->count--;
    return u;
}

static void look_once(mover *m, queue *q, uint32_t u) {
    const dgmi_parts_level *level = m->level;
    uint32_t home = m->labels[u];
    uint32_t empty = q->empty_count > 0 ? q->empty[q->empty_count - 1] : DGMI_PARTS_NO_LABEL;
    uint32_t to = best_label(m, u, empty, &m->tallies[0]);
    m->active[u] = 0;
    if (to == home)
        return;
    q->empty_count -= to == empty;
    move_node(m, u, to);
    if (m->sizes[home] == 0)
        q->empty[q->empty_count++] = home;
    m->moves++;
    for (int64_t e = level->begin[u]; e < level->end[u]; e++) {
        uint32_t v = level->targets[e];
        if (m->labels[v] != to && !m->active[v]) {
            m->active[v] = 1;
            queue_push(q, level->nodes, v);
        }
    }
}

static dgm_status move_one_by_one(dgm_context *ctx, mover *m, uint64_t seed) {
    int64_t nodes = m->level->nodes;
    queue q = {.nodes = m->groups.nodes, .empty = m->wanted};
    m->groups.salt = dgmi_random_bits(seed, STREAM, MOST_ROUNDS);
    q.count = dgmi_parts_shuffle(nodes, m->active, m->groups.salt, q.nodes);
    for (int64_t label = nodes - 1; label >= 0; label--)
        if (m->sizes[label] == 0)
            q.empty[q.empty_count++] = (uint32_t)label;
    for (int64_t looks = 1; q.count > 0; looks++) {
        look_once(m, &q, queue_pop(&q, nodes));
        dgm_status status = looks % REPORT ? DGM_OK : dgmi_progress(ctx, "finding communities", -1);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* ---- all ---- */

static void enter_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    mover *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->level->nodes, GROUP, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint32_t label = m->labels[u];
        m->active[u] = 1;
        __atomic_fetch_add(&m->totals[label], m->level->strengths[u], __ATOMIC_RELAXED);
        __atomic_fetch_add(&m->sizes[label], 1, __ATOMIC_RELAXED);
    }
}

static dgm_status move_all(dgm_context *ctx, mover *m, uint64_t seed) {
    int64_t nodes = m->level->nodes;
    m->totals = dgmi_scratch_zero(ctx, nodes, sizeof *m->totals);
    m->sizes = dgmi_scratch_zero(ctx, nodes, sizeof *m->sizes);
    m->active = dgmi_scratch(ctx, nodes, sizeof *m->active);
    m->wanted = dgmi_scratch(ctx, nodes, sizeof *m->wanted);
    if (!m->totals || !m->sizes || !m->active || !m->wanted)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_parts_groups_make(ctx, nodes, &m->groups);
    if (status == DGM_OK)
        status = dgmi_parts_tallies_make(ctx, m->level->longest < nodes ? m->level->longest : nodes,
                                         &m->tallies);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(ctx, dgmi_chunks(nodes, GROUP), enter_chunk, m);
    if (!dgmi_parts_is_small(m->level))
        status = move_in_groups(ctx, m, seed);
    return status == DGM_OK ? move_one_by_one(ctx, m, seed) : status;
}

dgm_status dgmi_parts_move(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                           uint32_t *labels, int64_t *moves) {
    mover m = {.level = level, .labels = labels};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = level->pull > 0 ? move_all(ctx, &m, seed) : DGM_OK;
    dgmi_arena_release(ctx, hold);
    *moves = m.moves;
    return status;
}
