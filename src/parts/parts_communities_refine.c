/* SPDX-License-Identifier: Apache-2.0 */
/* Refinement: what a community is made of, in parts that each hang together.
 *
 * Inside each community S all nodes begin alone. A node u that is still alone joins the part C of
 * S for which w(u, C) - pull strength_u total_C is the largest, if that is above zero. Both have
 * to be well connected with the rest of S:
 *
 *   w(C, S - C) >= pull total_C (total_S - total_C)
 *
 * Nodes decide in groups. A node of the group that is still alone takes nobody in meanwhile, so
 * whoever is joined stays. The paper draws among the parts that gain, the better ones with the
 * higher probability; here each gain is multiplied by a draw from 1 to 1.5, and the largest is
 * taken.
 */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { STREAM = 0x52454649, GROUP = 1024, FEWEST_GROUPS = 8 };

typedef struct {
    const dgmi_parts_level *level;
    const uint32_t *labels; /* the communities */
    int64_t *wholes;        /* by label: the strengths of the community */
    uint32_t *parts;        /* by node: a node of its part, which stays there */
    int64_t *totals;        /* by part: the strengths of its nodes */
    int64_t *cuts;          /* by part: its weight towards the rest of the community */
    uint32_t *sizes;        /* by part */
    dgmi_parts_groups groups;
    dgmi_parts_tally *tallies; /* by thread */
    uint32_t group;            /* the one that decides; groups.groups: none, nodes go one by one */
    uint8_t *joined;           /* by node: it has joined a part while its group decided */
    uint32_t *wanted;          /* by node */
} refiner;

/* ---- one node ---- */

static bool well_connected(const refiner *r, uint32_t part, uint32_t label) {
    double rest = (double)(r->wholes[label] - r->totals[part]);
    return (double)r->cuts[part] >= r->level->pull * (double)r->totals[part] * rest;
}

static bool decides(const refiner *r, uint32_t part) {
    return r->sizes[part] == 1 && r->group < r->groups.groups &&
           dgmi_parts_group(r->groups.salt, part, r->groups.groups) == r->group;
}

static void add_parts_near(const refiner *r, uint32_t u, dgmi_parts_tally *tally) {
    const dgmi_parts_level *level = r->level;
    int64_t length = level->end[u] - level->begin[u];
    dgmi_parts_tally_open(tally, length < level->nodes ? length : level->nodes);
    for (int64_t e = level->begin[u]; e < level->end[u]; e++) {
        uint32_t v = level->targets[e];
        if (v != u && r->labels[v] == r->labels[u])
            dgmi_parts_tally_add(tally, r->parts[v], dgmi_parts_weight(level, e));
    }
}

static double luck(const refiner *r, uint32_t u, uint32_t part) {
    uint64_t bits = dgmi_parts_mix(r->groups.salt + ((uint64_t)u << 32), part);
    return (double)(bits >> 32) * 0x1p-33;
}

static uint32_t best_part(const refiner *r, uint32_t u, dgmi_parts_tally *tally) {
    uint32_t label = r->labels[u], best = u;
    double pull = r->level->pull * (double)r->level->strengths[u], most = 0;
    if (r->sizes[u] != 1 || r->parts[u] != u || !well_connected(r, u, label))
        return u;
    add_parts_near(r, u, tally);
    for (int64_t i = 0; i < tally->count; i++) {
        uint32_t part = tally->labels[tally->slots[i]];
        double gain = (double)tally->sums[tally->slots[i]] - pull * (double)r->totals[part];
        gain *= 1 + luck(r, u, part);
        bool better = gain > most || (gain == most && best != u && part < best);
        if (better && !decides(r, part) && well_connected(r, part, label)) {
            most = gain;
            best = part;
        }
    }
    dgmi_parts_tally_clear(tally);
    return best;
}

static void join(refiner *r, uint32_t u, uint32_t part) {
    __atomic_fetch_add(&r->totals[part], r->level->strengths[u], __ATOMIC_RELAXED);
    __atomic_fetch_add(&r->sizes[part], 1, __ATOMIC_RELAXED);
    r->sizes[u] = 0;
    r->parts[u] = part;
}

/* What u has brought into the cut of its part: its edges to the rest are new there, those to the
 * part are there no more. Two that join together each take their edge away once. */
static void cut_again(refiner *r, uint32_t u) {
    const dgmi_parts_level *level = r->level;
    int64_t inside = 0;
    for (int64_t e = level->begin[u]; e < level->end[u]; e++) {
        uint32_t v = level->targets[e];
        if (v != u && r->parts[v] == r->parts[u])
            inside += dgmi_parts_weight(level, e) << !r->joined[v];
    }
    __atomic_fetch_add(&r->cuts[r->parts[u]], r->cuts[u] - inside, __ATOMIC_RELAXED);
}

/* ---- groups ---- */

static void group_chunk(const refiner *r, int64_t chunk, int64_t *begin, int64_t *end) {
    int64_t first = r->groups.start[r->group], last = r->groups.start[r->group + 1];
    dgmi_chunk(last - first, dgmi_parts_grain(r->level), chunk, begin, end);
    *begin += first;
    *end += first;
}

static void look_in_group(void *argument, int64_t chunk, int thread) {
    refiner *r = argument;
    int64_t begin, end;
    group_chunk(r, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = r->groups.nodes[i];
        dgmi_parts_prefetch(r->level, r->groups.nodes, i, end, r->labels);
        r->wanted[u] = best_part(r, u, &r->tallies[thread]);
    }
}

static void join_in_group(void *argument, int64_t chunk, int thread) {
    (void)thread;
    refiner *r = argument;
    int64_t begin, end;
    group_chunk(r, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = r->groups.nodes[i];
        r->joined[u] = r->wanted[u] != u;
        if (r->joined[u])
            join(r, u, r->wanted[u]);
    }
}

static void cut_in_group(void *argument, int64_t chunk, int thread) {
    (void)thread;
    refiner *r = argument;
    int64_t begin, end;
    group_chunk(r, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        if (r->joined[r->groups.nodes[i]])
            cut_again(r, r->groups.nodes[i]);
}

static void end_group(void *argument, int64_t chunk, int thread) {
    (void)thread;
    refiner *r = argument;
    int64_t begin, end;
    group_chunk(r, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        r->joined[r->groups.nodes[i]] = 0;
}

static dgm_status refine_in_groups(dgm_context *ctx, refiner *r) {
    int64_t groups = r->level->nodes / GROUP;
    r->groups.groups = (uint32_t)(groups < FEWEST_GROUPS            ? FEWEST_GROUPS
                                  : groups > DGMI_PARTS_MOST_GROUPS ? DGMI_PARTS_MOST_GROUPS
                                                                    : groups);
    dgmi_parts_groups_fill(ctx, r->level->nodes, NULL, &r->groups);
    for (r->group = 0; r->group < r->groups.groups; r->group++) {
        int64_t count = r->groups.start[r->group + 1] - r->groups.start[r->group];
        int64_t chunks = dgmi_chunks(count, dgmi_parts_grain(r->level));
        dgmi_parallel(ctx, chunks, look_in_group, r);
        dgmi_parallel(ctx, chunks, join_in_group, r);
        dgmi_parallel(ctx, chunks, cut_in_group, r);
        dgmi_parallel(ctx, chunks, end_group, r);
    }
    return dgmi_progress(ctx, "finding communities", -1);
}

/* ---- one by one ---- */

static dgm_status refine_one_by_one(dgm_context *ctx, refiner *r) {
    (void)ctx;
    uint32_t *order = r->groups.nodes;
    int64_t count = dgmi_parts_shuffle(r->level->nodes, NULL, r->groups.salt, order);
    r->groups.groups = r->group = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t u = order[i], part = best_part(r, u, &r->tallies[0]);
        if (part == u)
            continue;
        join(r, u, part);
        r->joined[u] = 1;
        cut_again(r, u);
        r->joined[u] = 0;
    }
    return DGM_OK;
}

/* ---- all ---- */

static void enter_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    refiner *r = argument;
    const dgmi_parts_level *level = r->level;
    int64_t begin, end;
    dgmi_chunk(level->nodes, dgmi_parts_grain(level), chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        int64_t cut = 0;
        for (int64_t e = level->begin[u]; e < level->end[u]; e++)
            if (level->targets[e] != u && r->labels[level->targets[e]] == r->labels[u])
                cut += dgmi_parts_weight(level, e);
        r->parts[u] = (uint32_t)u;
        r->cuts[u] = cut;
        r->totals[u] = level->strengths[u];
        r->sizes[u] = 1;
        __atomic_fetch_add(&r->wholes[r->labels[u]], level->strengths[u], __ATOMIC_RELAXED);
    }
}

static dgm_status refine_all(dgm_context *ctx, refiner *r) {
    int64_t nodes = r->level->nodes;
    r->wholes = dgmi_scratch_zero(ctx, nodes, sizeof *r->wholes);
    r->totals = dgmi_scratch(ctx, nodes, sizeof *r->totals);
    r->cuts = dgmi_scratch(ctx, nodes, sizeof *r->cuts);
    r->sizes = dgmi_scratch(ctx, nodes, sizeof *r->sizes);
    r->joined = dgmi_scratch_zero(ctx, nodes, sizeof *r->joined);
    r->wanted = dgmi_scratch(ctx, nodes, sizeof *r->wanted);
    if (!r->wholes || !r->totals || !r->cuts || !r->sizes || !r->joined || !r->wanted)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_parts_groups_make(ctx, nodes, &r->groups);
    if (status == DGM_OK)
        status = dgmi_parts_tallies_make(ctx, r->level->longest < nodes ? r->level->longest : nodes,
                                         &r->tallies);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(ctx, dgmi_chunks(nodes, dgmi_parts_grain(r->level)), enter_chunk, r);
    return dgmi_parts_is_small(r->level) ? refine_one_by_one(ctx, r) : refine_in_groups(ctx, r);
}

dgm_status dgmi_parts_refine(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                             const uint32_t *labels, uint32_t *refined) {
    refiner r = {.level = level, .labels = labels, .parts = refined};
    r.groups.salt = dgmi_random_bits(seed, STREAM, 0);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = refine_all(ctx, &r);
    dgmi_arena_release(ctx, hold);
    return status;
}
