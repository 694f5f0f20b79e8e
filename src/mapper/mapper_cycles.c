/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the loops of a complex modulo boundaries, by elimination mod 2.
 *
 * A cycle is determined by its edges outside a spanning forest. The forest consists of edges
 * without an apex (mapper_skeleton.h). These connect the same vertices as all edges do, since the
 * triangle of an edge with an apex leads around it by lower edges. Vectors are reduced from the
 * highest edge down. An edge with an apex is the highest edge of its triangle, so this triangle is
 * added when it is needed and not stored; the few other triangles are reduced one by one. An edge
 * that is the highest of no vector in the end gives a loop: the edge and the way between its ends
 * through the forest.
 */
#include "mapper_cycles.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

/* ---- vectors ---- */

static void flip(dgmi_mapper_cycles *c, uint32_t place) {
    assert(place < c->places);
    uint64_t bit = UINT64_C(1) << (place & 63);
    c->bits[place >> 6] ^= bit;
    c->ones += c->bits[place >> 6] & bit ? 1 : -1;
    assert(c->ones >= 0);
    if ((int64_t)place > c->top)
        c->top = place;
}

void dgmi_mapper_cycles_add(dgmi_mapper_cycles *c, int64_t edge) {
    if (c->place[edge] != DGMI_MAPPER_NO_PLACE)
        flip(c, c->place[edge]);
}

/* The highest place in bits, or -1. */
static int64_t highest(dgmi_mapper_cycles *c) {
    if (c->ones == 0)
        return -1;
    int64_t word = c->top >> 6;
    assert(c->top >= 0); /* nothing stands above the top */
    while (!c->bits[word])
        word--;
    c->top = word * 64 + 63 - __builtin_clzll(c->bits[word]);
    return c->top;
}

bool dgmi_mapper_cycles_is_open(const dgmi_mapper_cycles *c, int64_t place) {
    return !c->leads[place] && c->skeleton->apex[c->edge_at[place]] == DGMI_MAPPER_NO_APEX;
}

static void add_triangle(dgmi_mapper_cycles *c, uint32_t x, uint32_t y, uint32_t z) {
    dgmi_mapper_cycles_add(c, dgmi_mapper_skeleton_edge(c->skeleton, x, y));
    dgmi_mapper_cycles_add(c, dgmi_mapper_skeleton_edge(c->skeleton, x, z));
    dgmi_mapper_cycles_add(c, dgmi_mapper_skeleton_edge(c->skeleton, y, z));
}

static void add_lead(dgmi_mapper_cycles *c, int64_t place) {
    uint32_t edge = c->edge_at[place], apex = c->skeleton->apex[edge];
    uint64_t key = c->skeleton->keys[edge];
    if (apex != DGMI_MAPPER_NO_APEX)
        add_triangle(c, apex, (uint32_t)(key >> 32), (uint32_t)key);
    else
        for (int64_t i = 0; i < c->lengths[place]; i++)
            flip(c, c->leads[place][i]);
}

dgm_status dgmi_mapper_cycles_settle(dgmi_mapper_cycles *c, bool *fresh) {
    int64_t place;
    while ((place = highest(c)) >= 0 && !dgmi_mapper_cycles_is_open(c, place))
        add_lead(c, place);
    *fresh = place >= 0;
    if (!*fresh)
        return DGM_OK;
    uint32_t *lead = dgmi_alloc(c->ctx, c->ones, sizeof *lead);
    if (!lead)
        return DGM_ERROR_MEMORY;
    assert(c->open > 0);
    c->leads[place] = lead;
    c->lengths[place] = c->ones;
    c->open--;
    for (int64_t at = c->ones; at > 0; at--) {
        lead[at - 1] = (uint32_t)highest(c);
        flip(c, lead[at - 1]);
    }
    assert(c->ones == 0);
    c->top = -1;
    return DGM_OK;
}

/* ---- the forest ---- */

/* Edges without an apex, by their ends. */
static bool list_sides(dgm_context *ctx, const dgmi_mapper_skeleton *skeleton, int64_t **offsets,
                       uint32_t **sides) {
    int64_t n = skeleton->vertices;
    *offsets = dgmi_scratch_zero(ctx, n + 2, sizeof **offsets);
    *sides = dgmi_scratch(ctx, 2 * (skeleton->edges - skeleton->apexes), sizeof **sides);
    if (!*offsets || !*sides)
        return false;
    int64_t *start = *offsets;
    for (int64_t e = 0; e < skeleton->edges; e++)
        if (skeleton->apex[e] == DGMI_MAPPER_NO_APEX) {
            start[(skeleton->keys[e] >> 32) + 2]++;
            start[(uint32_t)skeleton->keys[e] + 2]++;
        }
    for (int64_t v = 0; v < n; v++)
        start[v + 2] += start[v + 1];
    for (int64_t e = 0; e < skeleton->edges; e++)
        if (skeleton->apex[e] == DGMI_MAPPER_NO_APEX) {
            (*sides)[start[(skeleton->keys[e] >> 32) + 1]++] = (uint32_t)e;
            (*sides)[start[(uint32_t)skeleton->keys[e] + 1]++] = (uint32_t)e;
        }
    return true;
}

/* One tree, breadth first; place[e] of its edges becomes DGMI_MAPPER_NO_PLACE. */
static void grow_tree(dgmi_mapper_cycles *c, uint32_t root, const int64_t *offsets,
                      const uint32_t *sides, bool *reached, uint32_t *queue) {
    int64_t head = 0, tail = 0;
    reached[root] = true;
    c->up[root] = root;
    c->depth[root] = 0;
    for (queue[tail++] = root; head < tail; head++) {
        uint32_t v = queue[head];
        for (int64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            uint64_t key = c->skeleton->keys[sides[i]];
            uint32_t w = (uint32_t)(key >> 32) == v ? (uint32_t)key : (uint32_t)(key >> 32);
            if (reached[w])
                continue;
            assert(tail < c->skeleton->vertices);
            reached[w] = true;
            c->up[w] = v;
            c->depth[w] = c->depth[v] + 1;
            c->place[sides[i]] = DGMI_MAPPER_NO_PLACE;
            queue[tail++] = w;
        }
    }
}

static dgm_status plant_forest(dgmi_mapper_cycles *c) {
    dgm_context *ctx = c->ctx;
    int64_t n = c->skeleton->vertices, *offsets;
    uint32_t *sides;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    uint32_t *queue = dgmi_scratch(ctx, n, sizeof *queue);
    bool *reached = dgmi_scratch_zero(ctx, n, sizeof *reached);
    if (!queue || !reached || !list_sides(ctx, c->skeleton, &offsets, &sides))
        goto done;
    for (int64_t root = 0; root < n; root++)
        if (!reached[root])
            grow_tree(c, (uint32_t)root, offsets, sides, reached, queue);
    status = DGM_OK;
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the whole ---- */

static void number_places(dgmi_mapper_cycles *c) {
    for (int64_t e = 0; e < c->skeleton->edges; e++)
        if (c->place[e] != DGMI_MAPPER_NO_PLACE) {
            c->place[e] = (uint32_t)c->places;
            c->edge_at[c->places++] = (uint32_t)e;
        }
    c->open = c->places - c->skeleton->apexes;
    assert(c->open >= 0);
}

static dgm_status settle_triangles(dgmi_mapper_cycles *c) {
    const dgmi_mapper_skeleton *skeleton = c->skeleton;
    dgm_status status = DGM_OK;
    bool fresh;
    for (int64_t i = 0; status == DGM_OK && c->open && i < skeleton->more_count; i++) {
        const uint32_t *v = skeleton->more[i].v;
        add_triangle(c, v[0], v[1], v[2]);
        status = dgmi_mapper_cycles_settle(c, &fresh);
        if (status == DGM_OK && i % 1024 == 0)
            status =
                dgmi_progress(c->ctx, "counting loops", (double)i / (double)skeleton->more_count);
    }
    return status;
}

dgm_status dgmi_mapper_cycles_open(dgm_context *ctx, const dgmi_mapper_skeleton *skeleton,
                                   dgmi_mapper_cycles *c) {
    int64_t edges = skeleton->edges, n = skeleton->vertices;
    *c = (dgmi_mapper_cycles){.ctx = ctx,
                              .skeleton = skeleton,
                              .place = dgmi_scratch_zero(ctx, edges, sizeof *c->place),
                              .edge_at = dgmi_scratch(ctx, edges, sizeof *c->edge_at),
                              .leads = dgmi_scratch_zero(ctx, edges, sizeof *c->leads),
                              .lengths = dgmi_scratch(ctx, edges, sizeof *c->lengths),
                              .bits = dgmi_scratch_zero(ctx, edges / 64 + 1, sizeof *c->bits),
                              .top = -1,
                              .up = dgmi_scratch(ctx, n, sizeof *c->up),
                              .depth = dgmi_scratch(ctx, n, sizeof *c->depth)};
    if (!c->place || !c->edge_at || !c->leads || !c->lengths || !c->bits || !c->up || !c->depth)
        return DGM_ERROR_MEMORY;
    dgm_status status = plant_forest(c);
    if (status == DGM_OK) {
        number_places(c);
        status = settle_triangles(c);
    }
    return status;
}

void dgmi_mapper_cycles_close(dgmi_mapper_cycles *c) {
    for (int64_t i = 0; c->leads && i < c->places; i++)
        dgmi_free(c->ctx, c->leads[i]);
}
