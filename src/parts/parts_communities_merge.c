/* SPDX-License-Identifier: Apache-2.0 */
/* The level above: a node for each part, an edge for each two parts with edges between them. */
#include "parts_communities.h"

#include "base_context.h"
#include "base_memory.h"

typedef struct {
    const dgmi_parts_level *level;
    const uint32_t *refined;
    uint32_t *number;     /* by node: the merged node that it is in */
    int64_t *ranks;       /* by node: 1 where it names a part, then the part's number */
    int64_t *starts;      /* by merged node: where its members begin */
    int64_t *places;      /* by merged node: where its next member goes */
    uint32_t *members;    /* sorted by merged node */
    int64_t *begin, *end; /* the merged rows; there are gaps between them */
    uint32_t *targets;
    int64_t *weights, *strengths;
    dgmi_parts_tally *tallies;
    int64_t nodes, grain, longest;
} merger;

/* ---- numbers ---- */

static void mark_parts(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const merger *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->level->nodes, m->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        m->ranks[u] = m->refined[u] == u;
}

static void number_nodes(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const merger *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->level->nodes, m->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        m->number[u] = (uint32_t)m->ranks[m->refined[u]];
        __atomic_fetch_add(&m->starts[m->number[u]], 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&m->begin[m->number[u]], m->level->end[u] - m->level->begin[u],
                           __ATOMIC_RELAXED);
    }
}

static void place_members(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const merger *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->level->nodes, m->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        m->members[m->starts[m->number[u]] +
                   __atomic_fetch_add(&m->places[m->number[u]], 1, __ATOMIC_RELAXED)] = (uint32_t)u;
}

/* Threads raced for the places, so the order of the members has to be made again. */
static void sort_members(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const merger *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->nodes, m->grain, chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++)
        dgmi_parts_sort(m->members + m->starts[c], NULL, m->starts[c + 1] - m->starts[c]);
}

/* ---- rows ---- */

static void merge_row(merger *m, int64_t c, dgmi_parts_tally *tally) {
    const dgmi_parts_level *level = m->level;
    int64_t strength = 0, place = m->begin[c], room = m->begin[c + 1] - place;
    dgmi_parts_tally_open(tally, room < m->nodes ? room : m->nodes);
    for (int64_t i = m->starts[c]; i < m->starts[c + 1]; i++) {
        uint32_t u = m->members[i];
        dgmi_parts_prefetch(level, m->members, i, m->starts[m->nodes], m->number);
        strength += level->strengths[u];
        for (int64_t e = level->begin[u]; e < level->end[u]; e++) {
            uint32_t d = m->number[level->targets[e]];
            if (d != c)
                dgmi_parts_tally_add(tally, d, dgmi_parts_weight(level, e));
        }
    }
    for (int64_t i = 0; i < tally->count; i++) {
        m->targets[place] = tally->labels[tally->slots[i]];
        m->weights[place++] = tally->sums[tally->slots[i]];
    }
    m->end[c] = place;
    m->strengths[c] = strength;
    assert(place <= m->begin[c + 1]);
    dgmi_parts_tally_clear(tally);
}

static void merge_rows(void *argument, int64_t chunk, int thread) {
    merger *m = argument;
    int64_t begin, end;
    dgmi_chunk(m->nodes, m->grain, chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++)
        merge_row(m, c, &m->tallies[thread]);
}

/* ---- all ---- */

static dgm_status number_parts(dgm_context *ctx, merger *m) {
    int64_t nodes = m->level->nodes, chunks = dgmi_chunks(nodes, m->grain);
    dgmi_parallel(ctx, chunks, mark_parts, m);
    m->nodes = dgmi_parts_scan(ctx, m->ranks, nodes);
    m->begin = dgmi_scratch_zero(ctx, m->nodes + 1, sizeof *m->begin);
    m->end = dgmi_scratch(ctx, m->nodes, sizeof *m->end);
    m->strengths = dgmi_scratch(ctx, m->nodes, sizeof *m->strengths);
    m->starts = dgmi_scratch_zero(ctx, m->nodes + 1, sizeof *m->starts);
    m->places = dgmi_scratch_zero(ctx, m->nodes, sizeof *m->places);
    if (!m->begin || !m->end || !m->strengths || !m->starts || !m->places)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, number_nodes, m);
    for (int64_t c = 0; c < m->nodes; c++)
        m->longest = m->begin[c] > m->longest ? m->begin[c] : m->longest;
    dgmi_parts_scan(ctx, m->begin, m->nodes + 1);
    dgmi_parts_scan(ctx, m->starts, m->nodes + 1);
    dgmi_parallel(ctx, chunks, place_members, m);
    dgmi_parallel(ctx, dgmi_chunks(m->nodes, m->grain), sort_members, m);
    return DGM_OK;
}

static dgm_status fill_rows(dgm_context *ctx, merger *m, dgmi_parts_level *merged) {
    int64_t room = m->begin[m->nodes];
    int64_t longest = m->longest < m->nodes ? m->longest : m->nodes;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_parts_tallies_make(ctx, longest, &m->tallies);
    *merged = (dgmi_parts_level){.nodes = m->nodes, .entries = room};
    m->grain = dgmi_parts_grain(merged);
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(m->nodes, m->grain), merge_rows, m);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_parts_merge(dgm_context *ctx, const dgmi_parts_level *level,
                            const uint32_t *refined, const dgmi_parts_room *room, uint32_t *number,
                            dgmi_parts_level *merged) {
    merger m = {.level = level,
                .refined = refined,
                .number = number,
                .targets = room->targets,
                .weights = room->weights};
    m.grain = dgmi_parts_grain(level);
    m.ranks = dgmi_scratch(ctx, level->nodes, sizeof *m.ranks);
    m.members = dgmi_scratch(ctx, level->nodes, sizeof *m.members);
    if (!m.ranks || !m.members)
        return DGM_ERROR_MEMORY;
    dgm_status status = number_parts(ctx, &m);
    if (status == DGM_OK)
        status = fill_rows(ctx, &m, merged);
    if (status != DGM_OK)
        return status;
    int64_t entries = 0, longest = 0;
    for (int64_t c = 0; c < m.nodes; c++) {
        int64_t length = m.end[c] - m.begin[c];
        entries += length;
        longest = length > longest ? length : longest;
    }
    *merged = (dgmi_parts_level){m.nodes,   entries,   longest,     m.begin,           m.end,
                                 m.targets, m.weights, m.strengths, level->resolution, level->pull};
    return DGM_OK;
}
