/* SPDX-License-Identifier: Apache-2.0 */
/* Persistence of a tower of simplicial maps K_0 -> K_1 -> ..., mod 2, in dimensions 0 and 1.
 *
 * Classes are carried along with the step at which they were born. At each step the images of the
 * older ones come first: one that is a sum of boundaries and of images of older ones dies there
 * (the elder rule), and what the images leave over of H(K_j) is born there. The classes born up to
 * i that are alive at j are then a basis of the image of H(K_i) in H(K_j), which is what a barcode
 * says.
 *
 * H_1 at one step. Free edges are collapsed; of the edges left a spanning forest is dropped, and a
 * cycle is known by its other edges. Triangles give vectors over these, reduced from the highest
 * place down; a collapsed edge is the highest place of its triangle. Then come the older loops. A
 * place that leads no vector is a new loop: its edge and the way through the forest.
 *
 * Time: sorting of the triangles, and an elimination with as many vectors as there are triangles
 * that do not collapse and loops, cubic at worst and near linear on nerves of covers.
 */
#include "mapper_tower.h"

#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

#define MOST_LOOP_EDGES INT64_C(100000000)
#define NO_PLACE        UINT32_MAX

static dgm_status add_bar(dgm_context *ctx, dgmi_bars *bars, int dimension, int64_t birth,
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

static int64_t sort_distinct(uint64_t *keys, int64_t count) {
    int64_t kept = 0;
    if (count == 0)
        return 0;
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int64_t i = 0; i < count; i++)
        if (kept == 0 || keys[kept - 1] != keys[i])
            keys[kept++] = keys[i];
    return kept;
}

/* All pairs of clusters that share a node. Repeats are thrown out before more room is made. */
static dgm_status pair_classes(dgm_context *ctx, const dgmi_classes *classes, uint64_t **keys,
                               int64_t *count) {
    int64_t capacity = 0;
    dgm_status status = DGM_OK;
    for (int64_t id = classes->clusters; status == DGM_OK && id < classes->count; id++) {
        uint32_t one;
        const uint32_t *list;
        int64_t k = dgmi_class_list(classes, (uint32_t)id, &one, &list), need = k * (k - 1) / 2;
        if (*count + need > capacity) {
            void *room = *keys;
            *count = sort_distinct(*keys, *count);
            status = dgmi_reserve(ctx, &room, &capacity, 2 * *count + need, sizeof **keys);
            *keys = room;
        }
        for (int64_t a = 0; status == DGM_OK && a < k; a++)
            for (int64_t b = a + 1; b < k; b++)
                (*keys)[(*count)++] = dgmi_pair(list[a], list[b]);
    }
    if (status == DGM_OK)
        *count = sort_distinct(*keys, *count);
    return status;
}

static dgm_status class_nodes(dgm_context *ctx, const dgm_summary *summary, dgmi_classes *classes) {
    dgm_membership *membership;
    dgm_status status = dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_ONES, &membership);
    if (status != DGM_OK)
        return status;
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    uint32_t *offsets = dgmi_scratch(ctx, rows.nodes + 1, sizeof *offsets);
    if (offsets) {
        for (int64_t u = 0; u <= rows.nodes; u++)
            offsets[u] = (uint32_t)rows.offsets[u];
        const dgmi_pullback slots = {.nodes = rows.nodes, .offsets = offsets};
        status = dgmi_classes_make(ctx, &slots, rows.columns, rows.clusters, classes);
    } else {
        status = DGM_ERROR_MEMORY;
    }
    dgm_membership_free(membership);
    return status;
}

dgm_status dgmi_nerve_make(dgm_context *ctx, const dgm_summary *summary, dgmi_nerve *nerve) {
    uint64_t *found = NULL, *keys = NULL;
    int64_t count = 0;
    *nerve = (dgmi_nerve){.vertices = dgm_summary_get_clusters(summary).count};
    dgm_status status = class_nodes(ctx, summary, &nerve->classes);
    if (status == DGM_OK)
        status = pair_classes(ctx, &nerve->classes, &found, &count);
    if (status == DGM_OK) {
        keys = dgmi_scratch(ctx, count, sizeof *keys);
        status = keys ? DGM_OK : DGM_ERROR_MEMORY;
    }
    if (status == DGM_OK && count)
        memcpy(keys, found, (size_t)count * sizeof *keys);
    nerve->edges = (dgmi_edge_list){keys, count};
    dgmi_free(ctx, found);
    return status;
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

static dgm_status make_pieces(dgm_context *ctx, const dgmi_nerve *nerve, pieces *p) {
    *p = (pieces){dgmi_alloc(ctx, nerve->vertices, sizeof *p->root),
                  dgmi_alloc(ctx, nerve->vertices, sizeof *p->birth), nerve->vertices};
    if (!p->root || !p->birth)
        return DGM_ERROR_MEMORY;
    for (int64_t v = 0; v < nerve->vertices; v++) {
        p->root[v] = (uint32_t)v;
        p->birth[v] = -1;
    }
    for (int64_t e = 0; e < nerve->edges.count; e++)
        dgmi_union_link(p->root, (uint32_t)(nerve->edges.keys[e] >> 32),
                        (uint32_t)nerve->edges.keys[e]);
    for (int64_t v = 0; v < nerve->vertices; v++)
        p->root[v] = dgmi_union_find(p->root, (uint32_t)v);
    return DGM_OK;
}

/* Of pieces that come together the oldest goes on. */
static dgm_status carry_pieces(dgm_context *ctx, const pieces *old, const uint32_t *map, pieces *p,
                               int64_t now, dgmi_bars *bars) {
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

/* The 1-cycles of one nerve modulo boundaries. Scratch memory but for vectors that were reduced. */
typedef struct {
    dgm_context *ctx;
    const dgmi_nerve *nerve;
    dgmi_triangles triangles; /* that are left, the collapsed ones behind them */
    int64_t collapsed;
    uint32_t *free_edges; /* of the collapsed */
    uint32_t *place;      /* by edge: in vectors; NO_PLACE: it is of the forest */
    uint32_t *edge_at;    /* by place */
    int64_t places;
    dgmi_column *leads; /* by place: the vector whose highest one it is; capacity 0: not owned */
    uint32_t *sides;    /* of the collapsed triangles' vectors */
    uint64_t *bits;     /* the vector at work */
    int64_t top;        /* no one in bits above it */
    int64_t ones;       /* in bits */
    uint32_t *up;       /* forest: the cluster above, itself at a root */
    uint32_t *depth;
} cycles;

static void flip(cycles *c, uint32_t place) {
    uint64_t bit = UINT64_C(1) << (place & 63);
    c->bits[place >> 6] ^= bit;
    c->ones += c->bits[place >> 6] & bit ? 1 : -1;
    if ((int64_t)place > c->top)
        c->top = place;
}

/* The highest place in bits, or -1. */
static int64_t highest(cycles *c) {
    if (c->ones == 0)
        return -1;
    int64_t word = c->top >> 6;
    while (!c->bits[word])
        word--;
    c->top = word * 64 + 63 - __builtin_clzll(c->bits[word]);
    return c->top;
}

/* Takes from bits what is known. If anything is left, it leads the place it returns; else -1. The
 * bits are zero afterwards. */
static dgm_status settle(cycles *c, int64_t *place) {
    while ((*place = highest(c)) >= 0 && c->leads[*place].count)
        for (int64_t i = 0; i < c->leads[*place].count; i++)
            flip(c, c->leads[*place].ones[i]);
    if (*place < 0)
        return DGM_OK;
    dgmi_column *lead = &c->leads[*place];
    dgm_status status = dgmi_column_reserve(c->ctx, lead, c->ones);
    if (status != DGM_OK)
        return status;
    lead->count = c->ones;
    for (int64_t at = c->ones; at > 0; at--) {
        int64_t one = highest(c);
        lead->ones[at - 1] = (uint32_t)one;
        flip(c, (uint32_t)one);
    }
    c->top = -1;
    return DGM_OK;
}

/* Breadth first over the edges that were not collapsed (place 0 so far): other edges are numbered.
 */
static dgm_status plant_forest(cycles *c) {
    dgm_context *ctx = c->ctx;
    const dgmi_edge_list *edges = &c->nerve->edges;
    int64_t n = c->nerve->vertices;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t *offsets = dgmi_scratch_zero(ctx, n + 2, sizeof *offsets);
    uint32_t *sides = dgmi_scratch(ctx, 2 * edges->count, sizeof *sides);
    uint32_t *queue = dgmi_scratch(ctx, n, sizeof *queue);
    bool *reached = dgmi_scratch_zero(ctx, n, sizeof *reached);
    if (!offsets || !sides || !queue || !reached)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < edges->count; e++)
        if (c->place[e] == 0) {
            offsets[(edges->keys[e] >> 32) + 2]++;
            offsets[(uint32_t)edges->keys[e] + 2]++;
        }
    for (int64_t v = 0; v < n; v++)
        offsets[v + 2] += offsets[v + 1];
    for (int64_t e = 0; e < edges->count; e++)
        if (c->place[e] == 0) {
            sides[offsets[(edges->keys[e] >> 32) + 1]++] = (uint32_t)e;
            sides[offsets[(uint32_t)edges->keys[e] + 1]++] = (uint32_t)e;
        }
    for (int64_t root = 0, head = 0, tail = 0; root < n; root++) {
        if (reached[root])
            continue;
        reached[root] = true;
        c->up[root] = (uint32_t)root;
        c->depth[root] = 0;
        for (queue[tail++] = (uint32_t)root; head < tail; head++) {
            uint32_t v = queue[head];
            for (int64_t i = offsets[v]; i < offsets[v + 1]; i++) {
                uint64_t key = edges->keys[sides[i]];
                uint32_t w = (uint32_t)(key >> 32) == v ? (uint32_t)key : (uint32_t)(key >> 32);
                if (reached[w])
                    continue;
                reached[w] = true;
                c->up[w] = v;
                c->depth[w] = c->depth[v] + 1;
                c->place[sides[i]] = NO_PLACE;
                queue[tail++] = w;
            }
        }
    }
    dgmi_arena_release(ctx, mark);
    return DGM_OK;
}

/* Places: edges off the forest, then the collapsed ones, the first to go highest. */
static dgm_status number_edges(cycles *c) {
    int64_t count = c->nerve->edges.count;
    enum { COLLAPSED = 1 };
    for (int64_t i = 0; i < c->collapsed; i++)
        c->place[c->free_edges[i]] = COLLAPSED;
    dgm_status status = plant_forest(c);
    if (status != DGM_OK)
        return status;
    c->places = 0;
    for (int64_t e = 0; e < count; e++)
        if (c->place[e] == 0) {
            c->place[e] = (uint32_t)c->places;
            c->edge_at[c->places++] = (uint32_t)e;
        }
    for (int64_t i = c->collapsed - 1; i >= 0; i--) {
        c->place[c->free_edges[i]] = (uint32_t)c->places;
        c->edge_at[c->places++] = c->free_edges[i];
    }
    return DGM_OK;
}

/* A collapsed triangle leads its free edge: nothing to reduce. */
static void lead_collapsed(cycles *c) {
    for (int64_t i = 0; i < c->collapsed; i++) {
        const dgmi_triangle *triangle = &c->triangles.list[c->triangles.count + i];
        dgmi_column *lead = &c->leads[c->place[c->free_edges[i]]];
        lead->ones = c->sides + 3 * i;
        for (int side = 0; side < 3; side++)
            if (c->place[triangle->v[side]] != NO_PLACE)
                lead->ones[lead->count++] = c->place[triangle->v[side]];
    }
}

/* Scratch memory: the caller holds the mark, and calls close_cycles whatever this returns. */
static dgm_status open_cycles(dgm_context *ctx, const dgmi_nerve *nerve, cycles *c) {
    int64_t edges = nerve->edges.count;
    bool all;
    *c = (cycles){.ctx = ctx, .nerve = nerve, .top = -1};
    dgm_status status = dgmi_triangles_make(ctx, &nerve->classes, NULL, &c->triangles, &all);
    if (status != DGM_OK)
        return status;
    dgmi_triangles_name_edges(&nerve->edges, &c->triangles);
    c->free_edges = dgmi_scratch(ctx, edges, sizeof *c->free_edges);
    c->sides = dgmi_scratch(ctx, 3 * c->triangles.count, sizeof *c->sides);
    c->place = dgmi_scratch_zero(ctx, edges, sizeof *c->place);
    c->edge_at = dgmi_scratch(ctx, edges, sizeof *c->edge_at);
    c->bits = dgmi_scratch_zero(ctx, edges / 64 + 1, sizeof *c->bits);
    c->up = dgmi_scratch(ctx, nerve->vertices, sizeof *c->up);
    c->depth = dgmi_scratch(ctx, nerve->vertices, sizeof *c->depth);
    c->leads = dgmi_scratch_zero(ctx, edges, sizeof *c->leads);
    if (!c->free_edges || !c->sides || !c->place || !c->edge_at || !c->bits || !c->up ||
        !c->depth || !c->leads)
        return DGM_ERROR_MEMORY;
    status = dgmi_triangles_collapse(ctx, edges, &c->triangles, c->free_edges, &c->collapsed);
    if (status == DGM_OK)
        status = number_edges(c);
    if (status == DGM_OK)
        lead_collapsed(c);
    return status;
}

static void close_cycles(cycles *c) {
    for (int64_t i = 0; c->leads && i < c->places; i++)
        if (c->leads[i].capacity)
            dgmi_free(c->ctx, c->leads[i].ones);
}

static dgm_status settle_triangles(cycles *c) {
    dgm_status status = DGM_OK;
    int64_t place;
    for (int64_t i = 0; status == DGM_OK && i < c->triangles.count; i++) {
        for (int side = 0; side < 3; side++)
            if (c->place[c->triangles.list[i].v[side]] != NO_PLACE)
                flip(c, c->place[c->triangles.list[i].v[side]]);
        status = settle(c, &place);
        if (status == DGM_OK && i % 4096 == 0)
            status =
                dgmi_progress(c->ctx, "following loops", (double)i / (double)c->triangles.count);
    }
    return status;
}

/* Older loops, the oldest first; those that have become nothing end here. */
static dgm_status settle_loops(cycles *c, loops *all, int64_t now, dgmi_bars *bars) {
    dgm_status status = DGM_OK;
    int64_t alive = 0, place;
    for (int64_t i = 0; i < all->count; i++) {
        loop *l = &all->list[i];
        for (int64_t k = 0; status == DGM_OK && k < l->count; k++) {
            uint32_t at = c->place[dgmi_edge_of(&c->nerve->edges, (uint32_t)(l->keys[k] >> 32),
                                                (uint32_t)l->keys[k])];
            if (at != NO_PLACE)
                flip(c, at);
        }
        place = 0;
        if (status == DGM_OK)
            status = settle(c, &place);
        if (status == DGM_OK && i % 256 == 0)
            status = dgmi_progress(c->ctx, "following loops", (double)i / (double)all->count);
        if (status == DGM_OK && place < 0) {
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
static dgm_status bear_loop(cycles *c, uint32_t edge, int64_t now, loops *all) {
    uint64_t key = c->nerve->edges.keys[edge];
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
        fresh.keys[fresh.count++] = dgmi_pair(*lower, c->up[*lower]);
        *lower = c->up[*lower];
    }
    all->edges += fresh.count;
    all->list[all->count++] = fresh;
    return DGM_OK;
}

static dgm_status bear_loops(cycles *c, int64_t now, loops *all) {
    dgm_status status = DGM_OK;
    for (int64_t p = 0; status == DGM_OK && p < c->places && all->edges <= MOST_LOOP_EDGES; p++)
        if (c->leads[p].count == 0)
            status = bear_loop(c, c->edge_at[p], now, all);
    return status;
}

static dgm_status carry_loops(dgm_context *ctx, const dgmi_nerve *nerve, int64_t now, loops *all,
                              dgmi_bars *bars) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    cycles c;
    dgm_status status = open_cycles(ctx, nerve, &c);
    if (status == DGM_OK)
        status = settle_triangles(&c);
    if (status == DGM_OK)
        status = settle_loops(&c, all, now, bars);
    if (status == DGM_OK)
        status = bear_loops(&c, now, all);
    close_cycles(&c);
    dgmi_arena_release(ctx, mark);
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
                l->keys[count++] = dgmi_pair(a, b);
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
    dgmi_bars *bars;
} persistence;

static dgm_status take_nerve(persistence *p, const dgm_summary *summary, const uint32_t *map,
                             int64_t now) {
    dgm_context *ctx = p->ctx;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgmi_nerve nerve;
    pieces next = {0};
    dgm_status status = dgmi_nerve_make(ctx, summary, &nerve);
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
    dgmi_arena_release(ctx, mark);
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

dgm_status dgmi_persistence(dgm_context *ctx, const dgm_summary *const *summaries,
                            const uint32_t *const *maps, int64_t count, int64_t first,
                            dgmi_bars *bars, bool *loops_known) {
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
