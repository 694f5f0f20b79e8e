/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the Leiden method (Traag, Waltman and van Eck 2019), each of them parallel and
 * independent of the number of threads.
 *
 * Weights are whole numbers (fixed point), so that sums of them do not depend on their order. A
 * parallel step decides for a group of nodes at a time: all of the group look at the same frozen
 * state, and then all are moved. The groups are drawn from the seed. Small graphs take the
 * sequential form of the same steps, which is as quick there and decides a little better.
 */
#ifndef PARTS_COMMUNITIES_H
#define PARTS_COMMUNITIES_H

#include <assert.h>

#include "dgm/parts.h"

#include "base_parallel.h"

/* A level of the method: the graph itself, or one whose nodes are communities of the level below.
 * Every edge stands in the rows of both its ends. Loops count in strengths alone; entries of a row
 * that point back at the row's node mean nothing. */
typedef struct dgmi_parts_level {
    int64_t nodes;
    int64_t entries;      /* an upper bound of the sum of all row lengths */
    int64_t longest;      /* the longest row has at most as many entries */
    const int64_t *begin; /* the entries of node u: begin[u] up to, and without, end[u] */
    const int64_t *end;
    const uint32_t *targets;
    const int64_t *weights;   /* of the entries; NULL: 1 each */
    const int64_t *strengths; /* the weight of a node's edges, loops counted twice */
    double resolution;
    double pull; /* the resolution divided by the sum of all strengths; 0: there is no weight */
} dgmi_parts_level;

static inline int64_t dgmi_parts_weight(const dgmi_parts_level *level, int64_t entry) {
    return level->weights ? level->weights[entry] : 1;
}

/* ---- the graph (parts_communities_graph.c) ---- */

extern const dgm_option_table dgmi_parts_communities_table;

/* Makes the lowest level, in scratch memory where the graph's own rows do not do. */
dgm_status dgmi_parts_level_make(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_communities_options *options, dgmi_parts_level *level);
/* Copies the options over the defaults, and checks them. */
dgm_status dgmi_parts_options_take(dgm_context *ctx, const dgm_communities_options *given,
                                   dgm_communities_options *out);

/* About how much memory the search for communities takes at its peak (parts_communities.c). */
double dgmi_parts_need(const dgm_graph *graph, bool weighted);

/* ---- loops over nodes ---- */

/* Loads what a loop over the nodes `list` needs soon: where the row of a later node lies, the
 * row of a nearer one, and the labels of the next one's neighbours. Those lie all over, and
 * what is not in a cache takes longer to come than all that is done with it. GCC takes a call
 * of a function that only prefetches for one without effect, and drops it, unless it is inlined
 * at once. */
__attribute__((always_inline)) static inline void dgmi_parts_prefetch(const dgmi_parts_level *level,
                                                                      const uint32_t *list,
                                                                      int64_t i, int64_t end,
                                                                      const uint32_t *labels) {
    enum { FAR = 16, NEAR = 8, NEXT = 2, MOST = 64 };
    if (i + FAR < end) {
        uint32_t u = list[i + FAR];
        __builtin_prefetch(&level->begin[u]);
        __builtin_prefetch(&level->end[u]);
        __builtin_prefetch(&level->strengths[u]);
        __builtin_prefetch(&labels[u]);
    }
    if (i + NEAR < end) {
        int64_t e = level->begin[list[i + NEAR]];
        for (int line = 0; line < 4; line++)
            __builtin_prefetch(&level->targets[e + 16 * line]);
        for (int line = 0; level->weights && line < 6; line++)
            __builtin_prefetch(&level->weights[e + 8 * line]);
    }
    if (i + NEXT < end) {
        uint32_t u = list[i + NEXT];
        int64_t most = level->begin[u] + MOST;
        for (int64_t e = level->begin[u]; e < level->end[u] && e < most; e++)
            __builtin_prefetch(&labels[level->targets[e]]);
    }
}

/* How many nodes a chunk has, so that it holds enough entries and few nodes of long rows. */
int64_t dgmi_parts_grain(const dgmi_parts_level *level);
/* Replaces each count by the sum of those before it, and returns the sum of all. */
int64_t dgmi_parts_scan(dgm_context *ctx, int64_t *counts, int64_t items);
/* Sorts keys, none of which occurs twice, and their values with them (NULL: there are none). */
void dgmi_parts_sort(uint32_t *keys, int64_t *values, int64_t count);
/* items[i] = i. */
void dgmi_parts_count_up(dgm_context *ctx, uint32_t *items, int64_t count);

/* A number drawn for a node: the same on every thread. */
static inline uint64_t dgmi_parts_mix(uint64_t salt, uint64_t node) {
    uint64_t z = (node + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ salt;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 29);
}
/* The group of a node, in 0 .. groups - 1. */
static inline uint32_t dgmi_parts_group(uint64_t salt, uint64_t node, uint32_t groups) {
    return (uint32_t)((dgmi_parts_mix(salt, node) >> 32) * groups >> 32);
}

enum { DGMI_PARTS_MOST_GROUPS = 32 };
/* Some nodes, sorted by their groups, and in each group by number. */
typedef struct dgmi_parts_groups {
    uint32_t *nodes;
    int64_t *counts; /* room for the counting */
    int64_t start[DGMI_PARTS_MOST_GROUPS + 1];
    uint32_t groups;
    uint64_t salt;
} dgmi_parts_groups;
dgm_status dgmi_parts_groups_make(dgm_context *ctx, int64_t nodes, dgmi_parts_groups *groups);
/* Sorts the nodes whose flag is set (NULL: all) into groups->groups groups by groups->salt. */
void dgmi_parts_groups_fill(dgm_context *ctx, int64_t nodes, const uint8_t *flags,
                            dgmi_parts_groups *groups);
/* Puts the nodes whose flag is set (NULL: all) in an order that the seed gives; returns how many
 * they are. */
int64_t dgmi_parts_shuffle(int64_t nodes, const uint8_t *flags, uint64_t salt, uint32_t *order);

/* ---- sums by label ---- */

/* The weights that a node has towards labels. The table is as large as the node's row needs, so
 * that that of a short row stays in the nearest cache. */
typedef struct dgmi_parts_tally {
    _Alignas(64) uint32_t *labels; /* by slot; NO_LABEL: empty */
    int64_t *sums;                 /* by slot */
    uint32_t *slots;               /* those in use */
    int64_t count;
    int shift; /* of the hash, which leaves the number of a slot */
    uint32_t mask;
} dgmi_parts_tally;
#define DGMI_PARTS_NO_LABEL UINT32_MAX

/* One tally for each thread, for rows of that length. */
dgm_status dgmi_parts_tallies_make(dgm_context *ctx, int64_t longest, dgmi_parts_tally **tallies);

static inline void dgmi_parts_tally_open(dgmi_parts_tally *tally, int64_t length) {
    int bits = 4;
    while (bits < 31 && INT64_C(1) << bits < 2 * length)
        bits++;
    tally->shift = 32 - bits;
    tally->mask = (UINT32_C(1) << bits) - 1;
    assert(tally->count == 0);
}

static inline uint32_t dgmi_parts_tally_slot(const dgmi_parts_tally *tally, uint32_t label) {
    uint32_t slot = label * UINT32_C(2654435769) >> tally->shift;
    while (tally->labels[slot] != label && tally->labels[slot] != DGMI_PARTS_NO_LABEL)
        slot = (slot + 1) & tally->mask;
    return slot;
}

static inline void dgmi_parts_tally_add(dgmi_parts_tally *tally, uint32_t label, int64_t weight) {
    uint32_t slot = dgmi_parts_tally_slot(tally, label);
    if (tally->labels[slot] == DGMI_PARTS_NO_LABEL) {
        tally->labels[slot] = label;
        tally->sums[slot] = 0;
        tally->slots[tally->count++] = slot;
    }
    tally->sums[slot] += weight;
}

static inline int64_t dgmi_parts_tally_get(const dgmi_parts_tally *tally, uint32_t label) {
    uint32_t slot = dgmi_parts_tally_slot(tally, label);
    return tally->labels[slot] == label ? tally->sums[slot] : 0;
}

static inline void dgmi_parts_tally_clear(dgmi_parts_tally *tally) {
    for (int64_t i = 0; i < tally->count; i++)
        tally->labels[tally->slots[i]] = DGMI_PARTS_NO_LABEL;
    tally->count = 0;
}

/* ---- the steps ---- */

enum { DGMI_PARTS_FEW_ENTRIES = 20000 }; /* up to here a level's nodes are taken one by one */
/* Whether a level is so small that its nodes are taken one by one. */
static inline bool dgmi_parts_is_small(const dgmi_parts_level *level) {
    return level->entries <= DGMI_PARTS_FEW_ENTRIES;
}

/* Finds the communities of the lowest level. Labels become nodes of their communities. */
dgm_status dgmi_parts_find(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                           uint32_t *labels);

/* Moves nodes to the communities of their neighbours as long as that raises modularity. Labels are
 * below level->nodes. *moves counts the moves. */
dgm_status dgmi_parts_move(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                           uint32_t *labels, int64_t *moves);
/* Merges nodes inside communities: refined[u] becomes a node of the part that u is in, and each
 * part hangs together. */
dgm_status dgmi_parts_refine(dgm_context *ctx, const dgmi_parts_level *level, uint64_t seed,
                             const uint32_t *labels, uint32_t *refined);
/* Room for the entries of a level. Two of them serve all levels in turn, because none has more
 * entries than the one below. */
typedef struct dgmi_parts_room {
    uint32_t *targets;
    int64_t *weights;
} dgmi_parts_room;
/* Makes the level whose nodes are the parts of `refined`, with its entries in `room`. number[u]
 * becomes the node of `merged` that u is in. */
dgm_status dgmi_parts_merge(dgm_context *ctx, const dgmi_parts_level *level,
                            const uint32_t *refined, const dgmi_parts_room *room, uint32_t *number,
                            dgmi_parts_level *merged);
/* Splits communities that do not hang together: labels[u] becomes the smallest node that u reaches
 * inside its community. */
dgm_status dgmi_parts_split(dgm_context *ctx, const dgmi_parts_level *level, uint32_t *labels);
/* Numbers communities by size, and of equals the one with the smallest node first. The label of a
 * community is its smallest node. */
dgm_status dgmi_parts_number(dgm_context *ctx, int64_t nodes, uint32_t *labels, int64_t *count);
/* Labels are below `bound`. */
dgm_status dgmi_parts_modularity(dgm_context *ctx, const dgmi_parts_level *level,
                                 const uint32_t *labels, int64_t bound, double *out);

#endif
