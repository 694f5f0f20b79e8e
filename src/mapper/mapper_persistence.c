/* SPDX-License-Identifier: Apache-2.0 */
/* Persistence of a tower of simplicial maps K_0 -> K_1 -> ..., mod 2, in dimensions 0 and 1.
 *
 * Classes are carried along with the step at which they were born. At each step the images of the
 * older ones come first: one that is a sum of boundaries and of images of older ones dies there
 * (the elder rule), and what the images leave over of H(K_j) is born there. The classes born up to
 * i that are alive at j are then a basis of the image of H(K_i) in H(K_j), which is what a barcode
 * says.
 *
 * H_1 at one step: boundaries are known first (mapper_cycles.c), then come the older loops, and a
 * place that leads no vector is a new one: its edge and the way through the forest.
 *
 * Time: near linear in the pairs of clusters in a simplex, and an elimination with as many vectors
 * as there are lower links in pieces and loops, cubic at worst.
 */
#include "mapper_cycles.h"
#include "mapper_tower.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

#define MOST_LOOP_EDGES INT64_C(100000000)

static dgm_status add_bar(dgm_context *ctx, dgmi_mapper_bars *bars, int dimension, int64_t birth,
                          int64_t death) {
    void *room = bars->list;
    dgm_status status =
        dgmi_reserve(ctx, &room, &bars->capacity, bars->count + 1, sizeof *bars->list);
    bars->list = room;
    if (status == DGM_OK)
        bars->list[bars->count++] = (dgm_bar){dimension, birth, death};
    return status;
}

static int compare_bars(const void *x, const void *y) {
    const dgm_bar *p = x, *q = y;
    if (p->dimension != q->dimension)
        return p->dimension < q->dimension ? -1 : 1;
    if (p->birth != q->birth)
        return p->birth < q->birth ? -1 : 1;
    uint64_t a = (uint64_t)p->death, b = (uint64_t)q->death; /* never is the latest */
    return a < b ? -1 : a > b;
}

/* ---- the nerve of a summary ---- */

static int compare_keys(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

static dgm_status bundle_nodes(dgm_context *ctx, const dgm_summary *summary,
                               dgmi_mapper_bundles *bundles) {
    dgm_membership *membership;
    dgm_status status = dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_ONES, &membership);
    if (status != DGM_OK)
        return status;
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    uint32_t *offsets = dgmi_scratch(ctx, rows.nodes + 1, sizeof *offsets);
    if (offsets) {
        for (int64_t u = 0; u <= rows.nodes; u++)
            offsets[u] = (uint32_t)rows.offsets[u];
        const dgmi_mapper_pullback slots = {.nodes = rows.nodes, .offsets = offsets};
        status = dgmi_mapper_bundles_make(ctx, &slots, rows.columns, rows.clusters, bundles);
    } else {
        status = DGM_ERROR_MEMORY;
    }
    dgm_membership_free(membership);
    return status;
}

static dgm_status make_nerve(dgm_context *ctx, const dgm_summary *summary,
                             dgmi_mapper_skeleton *nerve) {
    dgmi_mapper_bundles bundles;
    dgmi_mapper_complex complex;
    dgm_status status = bundle_nodes(ctx, summary, &bundles);
    if (status == DGM_OK)
        status = dgmi_mapper_complex_make(ctx, &bundles, NULL, &complex);
    if (status == DGM_OK)
        status = dgmi_mapper_complex_prune(ctx, &complex);
    return status == DGM_OK ? dgmi_mapper_skeleton_make(ctx, &complex, false, nerve) : status;
}

/* ---- pieces ---- */

typedef struct {
    uint32_t *root; /* by cluster: the smallest of its piece; owned */
    int64_t *birth; /* by cluster that is a root; owned */
    int64_t count;  /* of clusters */
} pieces;

static void free_pieces(dgm_context *ctx, pieces *p) {
    dgmi_free(ctx, p->root);
    dgmi_free(ctx, p->birth);
    *p = (pieces){0};
}

static dgm_status make_pieces(dgm_context *ctx, const dgmi_mapper_skeleton *nerve, pieces *p) {
    *p = (pieces){dgmi_alloc(ctx, nerve->vertices, sizeof *p->root),
                  dgmi_alloc(ctx, nerve->vertices, sizeof *p->birth), nerve->vertices};
    if (!p->root || !p->birth)
        return DGM_ERROR_MEMORY;
    for (int64_t v = 0; v < nerve->vertices; v++) {
        p->root[v] = (uint32_t)v;
        p->birth[v] = -1;
    }
    for (int64_t e = 0; e < nerve->edges; e++)
        dgmi_graph_union_link(p->root, (uint32_t)(nerve->keys[e] >> 32), (uint32_t)nerve->keys[e]);
    for (int64_t v = 0; v < nerve->vertices; v++)
        p->root[v] = dgmi_graph_union_find(p->root, (uint32_t)v);
    return DGM_OK;
}

/* Of pieces that come together the oldest goes on. */
static dgm_status carry_pieces(dgm_context *ctx, const pieces *old, const uint32_t *map, pieces *p,
                               int64_t now, dgmi_mapper_bars *bars) {
    dgm_status status = DGM_OK;
    for (int64_t v = 0; status == DGM_OK && v < old->count; v++) {
        if (old->root[v] != v)
            continue;
        int64_t *there = &p->birth[p->root[map[v]]], mine = old->birth[v];
        if (*there >= 0) {
            status = add_bar(ctx, bars, 0, *there > mine ? *there : mine, now);
            *there = *there < mine ? *there : mine;
        } else {
            *there = mine;
        }
    }
    for (int64_t v = 0; v < p->count; v++)
        if (p->root[v] == v && p->birth[v] < 0)
            p->birth[v] = now;
    return status;
}

/* ---- loops ---- */

typedef struct {
    uint64_t *keys; /* its edges in the nerve that is being looked at; owned */
    int64_t count, birth;
} loop;

typedef struct {
    loop *list; /* by birth; owned */
    int64_t count, capacity;
    int64_t edges; /* of all of them */
} loops;

static void free_loops(dgm_context *ctx, loops *all) {
    for (int64_t i = 0; i < all->count; i++)
        dgmi_free(ctx, all->list[i].keys);
    dgmi_free(ctx, all->list);
    *all = (loops){0};
}

/* Older loops, the oldest first; those that have become nothing end here. */
static dgm_status settle_loops(dgmi_mapper_cycles *c, loops *all, int64_t now,
                               dgmi_mapper_bars *bars) {
    dgm_status status = DGM_OK;
    int64_t alive = 0;
    for (int64_t i = 0; i < all->count; i++) {
        loop *l = &all->list[i];
        bool fresh = status != DGM_OK;
        for (int64_t k = 0; status == DGM_OK && c->open && k < l->count; k++)
            dgmi_mapper_cycles_add(c, dgmi_mapper_skeleton_edge(c->skeleton,
                                                                (uint32_t)(l->keys[k] >> 32),
                                                                (uint32_t)l->keys[k]));
        if (status == DGM_OK)
            status = dgmi_mapper_cycles_settle(c, &fresh);
        if (status == DGM_OK && i % 256 == 0)
            status = dgmi_progress(c->ctx, "following loops", (double)i / (double)all->count);
        if (status == DGM_OK && !fresh) {
            status = add_bar(c->ctx, bars, 1, l->birth, now);
            all->edges -= l->count;
            dgmi_free(c->ctx, l->keys);
        } else {
            all->list[alive++] = *l;
        }
    }
    all->count = alive;
    return status;
}

/* The edge and the ways up from both its ends to where they meet. */
static dgm_status bear_loop(dgmi_mapper_cycles *c, uint32_t edge, int64_t now, loops *all) {
    uint64_t key = c->skeleton->keys[edge];
    uint32_t a = (uint32_t)(key >> 32), b = (uint32_t)key;
    uint64_t *keys = dgmi_alloc(c->ctx, (int64_t)c->depth[a] + c->depth[b] + 1, sizeof *keys);
    void *room = all->list;
    dgm_status status =
        dgmi_reserve(c->ctx, &room, &all->capacity, all->count + 1, sizeof *all->list);
    all->list = room;
    if (!keys || status != DGM_OK) {
        dgmi_free(c->ctx, keys);
        return DGM_ERROR_MEMORY;
    }
    loop fresh = {.keys = keys, .birth = now};
    fresh.keys[fresh.count++] = key;
    while (a != b) {
        uint32_t *lower = c->depth[a] > c->depth[b] ? &a : &b;
        fresh.keys[fresh.count++] = dgmi_mapper_pair(*lower, c->up[*lower]);
        *lower = c->up[*lower];
    }
    all->edges += fresh.count;
    all->list[all->count++] = fresh;
    return DGM_OK;
}

static dgm_status bear_loops(dgmi_mapper_cycles *c, int64_t now, loops *all) {
    dgm_status status = DGM_OK;
    for (int64_t p = 0; status == DGM_OK && p < c->places && all->edges <= MOST_LOOP_EDGES; p++)
        if (dgmi_mapper_cycles_is_open(c, p))
            status = bear_loop(c, c->edge_at[p], now, all);
    return status;
}

static dgm_status carry_loops(dgm_context *ctx, const dgmi_mapper_skeleton *nerve, int64_t now,
                              loops *all, dgmi_mapper_bars *bars) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_cycles c;
    dgm_status status = dgmi_mapper_cycles_open(ctx, nerve, &c);
    if (status == DGM_OK)
        status = settle_loops(&c, all, now, bars);
    if (status == DGM_OK)
        status = bear_loops(&c, now, all);
    dgmi_mapper_cycles_close(&c);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Loops as their images: edges that shrink to a point are gone, those that meet cancel. */
static void map_loops(const uint32_t *map, loops *all) {
    all->edges = 0;
    for (int64_t i = 0; i < all->count; i++) {
        loop *l = &all->list[i];
        int64_t count = 0, kept = 0;
        for (int64_t k = 0; k < l->count; k++) {
            uint32_t a = map[l->keys[k] >> 32], b = map[(uint32_t)l->keys[k]];
            if (a != b)
                l->keys[count++] = dgmi_mapper_pair(a, b);
        }
        qsort(l->keys, (size_t)count, sizeof *l->keys, compare_keys);
        for (int64_t k = 0; k < count; k++) {
            if (kept && l->keys[kept - 1] == l->keys[k])
                kept--;
            else
                l->keys[kept++] = l->keys[k];
        }
        l->count = kept;
        all->edges += kept;
    }
}

/* ---- the whole ---- */

typedef struct {
    dgm_context *ctx;
    pieces pieces;
    loops loops;
    bool loops_known;
    dgmi_mapper_bars *bars;
} persistence;

static dgm_status take_nerve(persistence *p, const dgm_summary *summary, const uint32_t *map,
                             int64_t now) {
    dgm_context *ctx = p->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_skeleton nerve;
    pieces next = {0};
    dgm_status status = make_nerve(ctx, summary, &nerve);
    if (status == DGM_OK)
        status = make_pieces(ctx, &nerve, &next);
    if (status == DGM_OK)
        status = carry_pieces(ctx, &p->pieces, map, &next, now, p->bars);
    if (status == DGM_OK && p->loops_known && map)
        map_loops(map, &p->loops);
    if (status == DGM_OK && p->loops_known)
        status = carry_loops(ctx, &nerve, now, &p->loops, p->bars);
    if (status == DGM_OK && p->loops.edges > MOST_LOOP_EDGES)
        p->loops_known = false;
    free_pieces(ctx, &p->pieces);
    p->pieces = next;
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status end_bars(persistence *p) {
    dgm_status status = DGM_OK;
    for (int64_t v = 0; status == DGM_OK && v < p->pieces.count; v++)
        if (p->pieces.root[v] == v)
            status = add_bar(p->ctx, p->bars, 0, p->pieces.birth[v], -1);
    for (int64_t i = 0; status == DGM_OK && p->loops_known && i < p->loops.count; i++)
        status = add_bar(p->ctx, p->bars, 1, p->loops.list[i].birth, -1);
    if (p->bars->count)
        qsort(p->bars->list, (size_t)p->bars->count, sizeof *p->bars->list, compare_bars);
    while (!p->loops_known && p->bars->count &&
           p->bars->list[p->bars->count - 1].dimension == 1) /* those that died before */
        p->bars->count--;
    return status;
}

dgm_status dgmi_mapper_persistence(dgm_context *ctx, const dgm_summary *const *summaries,
                                   const uint32_t *const *maps, int64_t count, int64_t first,
                                   dgmi_mapper_bars *bars, bool *loops_known) {
    persistence p = {.ctx = ctx, .bars = bars, .loops_known = true};
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < count; i++)
        p.loops_known = p.loops_known && dgm_summary_get_topology(summaries[i]).triangles >= 0;
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        status = take_nerve(&p, summaries[i], i ? maps[i - 1] : NULL, first + i);
    if (status == DGM_OK)
        status = end_bars(&p);
    *loops_known = p.loops_known;
    free_pieces(ctx, &p.pieces);
    free_loops(ctx, &p.loops);
    return status;
}
