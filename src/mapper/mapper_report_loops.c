/* SPDX-License-Identifier: Apache-2.0 */
/* Independent loops of the nerve that no triangles fill, as short as a search from every cluster
 * finds them.
 *
 * The nerve is collapsed to its core, and cycles are reduced modulo the boundaries of triangles
 * (mapper_cycles.h). That leaves some edges open, one for each loop. The signature of an edge says
 * which of these loops a way along it takes part in: an open edge has a bit of its own, an edge of
 * the forest none, and every other edge the sum of the lower edges that it equals modulo boundaries.
 * The signature of a closed way is the sum over its edges, and it is 0 if triangles fill the way.
 *
 * Candidates are the ways that close in a breadth-first search from each cluster, along one edge
 * outside its tree. Taken from the shortest on, those whose signatures are independent are a basis
 * of the least length (Erickson and Whittlesey 2005; signatures as in Busaryev, Cabello, Chen, Dey
 * and Wang 2012). Of candidates with equal signatures only the shortest is kept. Time: O(n m w) for n clusters and m edges of the core,
 * and w words of signature; where this is too much, the search begins only at the ends of open
 * edges, or the ways through the forest are taken as they are.
 */
#include "mapper_report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "mapper_cycles.h"

enum { MOST_CANDIDATES = 1 << 18 };       /* signatures that are kept */
static const double MOST_WORDS = 1 << 24; /* of all signatures of edges */
#define NO_EDGE UINT32_MAX

/* A way that closes: from the root of a search to both ends of an edge. */
typedef struct {
    uint32_t root, edge;
    int64_t length;
    const uint64_t *signature;
} candidate;

typedef struct {
    dgmi_mapper_reporter *r;
    dgmi_mapper_skeleton skeleton;
    dgmi_mapper_cycles cycles;
    int64_t loops, words;
    uint64_t *signatures; /* `words` for each edge */

    int64_t *side_start; /* vertices + 1 positions in `sides` */
    uint32_t *sides;     /* the edges of each vertex */

    /* One search. */
    uint32_t *queue, *up; /* up: the edge to the parent, or NO_EDGE */
    int64_t *depth;       /* -1: not reached */
    uint64_t *path;       /* the signature of the way from the root */

    /* Candidates by signature. */
    uint32_t *table; /* open addressing: number + 1; 0 is empty */
    int64_t table_size;
    candidate *candidates;
    int64_t candidate_count, candidate_room;
} search;

static uint32_t low_end(const search *s, uint32_t edge) {
    return (uint32_t)(s->skeleton.keys[edge] >> 32);
}

static uint32_t high_end(const search *s, uint32_t edge) {
    return (uint32_t)s->skeleton.keys[edge];
}

static uint32_t other_end(const search *s, uint32_t edge, uint32_t vertex) {
    return low_end(s, edge) == vertex ? high_end(s, edge) : low_end(s, edge);
}

/* ---- signatures ---- */

static void add_words(uint64_t *to, const uint64_t *from, int64_t words) {
    for (int64_t w = 0; w < words; w++)
        to[w] ^= from[w];
}

static void add_edge(search *s, uint32_t edge, uint32_t to) {
    add_words(s->signatures + to * s->words, s->signatures + edge * s->words, s->words);
}

/* Edges are gone through from the lowest on, so that whatever one equals is known. */
static void sign_edge(search *s, uint32_t edge, int64_t *open) {
    const dgmi_mapper_cycles *cycles = &s->cycles;
    uint32_t place = cycles->place[edge], apex = s->skeleton.apex[edge];
    if (place == DGMI_MAPPER_NO_PLACE)
        return;
    if (dgmi_mapper_cycles_is_open(cycles, place)) {
        s->signatures[edge * s->words + *open / 64] |= UINT64_C(1) << (*open % 64);
        ++*open;
    } else if (apex != DGMI_MAPPER_NO_APEX) {
        const uint32_t ends[] = {low_end(s, edge), high_end(s, edge)};
        for (int i = 0; i < 2; i++)
            add_edge(s, (uint32_t)dgmi_mapper_skeleton_edge(&s->skeleton, apex, ends[i]), edge);
    } else {
        for (int64_t i = 0; i < cycles->lengths[place]; i++)
            if (cycles->leads[place][i] != place)
                add_edge(s, cycles->edge_at[cycles->leads[place][i]], edge);
    }
}

static bool sign_edges(search *s) {
    int64_t open = 0;
    s->signatures =
        dgmi_scratch_zero(s->r->ctx, s->skeleton.edges * s->words, sizeof *s->signatures);
    for (int64_t e = 0; s->signatures && e < s->skeleton.edges; e++)
        sign_edge(s, (uint32_t)e, &open);
    assert(!s->signatures || open == s->loops);
    return s->signatures != NULL;
}

/* ---- searches ---- */

static bool list_sides(search *s) {
    int64_t n = s->skeleton.vertices;
    int64_t *start = dgmi_scratch_zero(s->r->ctx, n + 2, sizeof *start);
    uint32_t *sides = dgmi_scratch(s->r->ctx, 2 * s->skeleton.edges, sizeof *sides);
    s->side_start = start;
    s->sides = sides;
    if (!start || !sides)
        return false;
    for (int64_t e = 0; e < s->skeleton.edges; e++) {
        start[low_end(s, (uint32_t)e) + 2]++;
        start[high_end(s, (uint32_t)e) + 2]++;
    }
    for (int64_t v = 0; v < n; v++)
        start[v + 2] += start[v + 1];
    for (int64_t e = 0; e < s->skeleton.edges; e++) {
        sides[start[low_end(s, (uint32_t)e) + 1]++] = (uint32_t)e;
        sides[start[high_end(s, (uint32_t)e) + 1]++] = (uint32_t)e;
    }
    return true;
}

static bool open_search(search *s) {
    int64_t n = s->skeleton.vertices;
    s->queue = dgmi_scratch(s->r->ctx, n, sizeof *s->queue);
    s->up = dgmi_scratch(s->r->ctx, n, sizeof *s->up);
    s->depth = dgmi_scratch(s->r->ctx, n, sizeof *s->depth);
    s->path = dgmi_scratch(s->r->ctx, n * s->words, sizeof *s->path);
    double ways = (double)n * (double)s->skeleton.edges; /* a basis is among them */
    s->candidate_room = ways < MOST_CANDIDATES ? (int64_t)ways : MOST_CANDIDATES + s->loops;
    s->candidates = dgmi_scratch(s->r->ctx, s->candidate_room, sizeof *s->candidates);
    for (s->table_size = 64; s->table_size < 2 * s->candidate_room;)
        s->table_size *= 2;
    s->table = dgmi_scratch_zero(s->r->ctx, s->table_size, sizeof *s->table);
    if (!s->queue || !s->up || !s->depth || !s->path || !s->candidates || !s->table)
        return false;
    memset(s->depth, -1, (size_t)n * sizeof *s->depth);
    return list_sides(s);
}

/* The tree of a breadth-first search; returns how many vertices it reaches, which are in s->queue. */
static int64_t spread(search *s, uint32_t root) {
    int64_t tail = 0;
    s->up[root] = NO_EDGE;
    s->depth[root] = 0;
    memset(s->path + root * s->words, 0, (size_t)s->words * sizeof *s->path);
    s->queue[tail++] = root;
    for (int64_t head = 0; head < tail; head++) {
        uint32_t v = s->queue[head];
        for (int64_t i = s->side_start[v]; i < s->side_start[v + 1]; i++) {
            uint32_t edge = s->sides[i], w = other_end(s, edge, v);
            if (s->depth[w] >= 0)
                continue;
            s->depth[w] = s->depth[v] + 1;
            s->up[w] = edge;
            memcpy(s->path + w * s->words, s->path + v * s->words,
                   (size_t)s->words * sizeof *s->path);
            add_words(s->path + w * s->words, s->signatures + edge * s->words, s->words);
            s->queue[tail++] = w;
        }
    }
    return tail;
}

static void forget(search *s, int64_t reached) {
    for (int64_t i = 0; i < reached; i++)
        s->depth[s->queue[i]] = -1;
}

/* ---- candidates ---- */

static uint64_t hash_words(const uint64_t *words, int64_t count) {
    uint64_t hash = 0;
    for (int64_t w = 0; w < count; w++) {
        hash = (hash ^ words[w]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_zero(const uint64_t *words, int64_t count) {
    for (int64_t w = 0; w < count; w++)
        if (words[w])
            return false;
    return true;
}

/* Keeps a candidate that is the first of its signature, or shorter than the one before. */
static bool offer(search *s, candidate new) {
    uint64_t mask = (uint64_t)s->table_size - 1;
    uint64_t place = hash_words(new.signature, s->words) & mask;
    size_t bytes = (size_t)s->words * sizeof *new.signature;
    for (; s->table[place]; place = (place + 1) & mask) {
        candidate *other = &s->candidates[s->table[place] - 1];
        if (memcmp(other->signature, new.signature, bytes) != 0)
            continue;
        if (new.length < other->length) {
            new.signature = other->signature;
            *other = new;
        }
        return true;
    }
    if (s->candidate_count == s->candidate_room)
        return true; /* the ways of open edges were the first, so there is a basis without it */
    uint64_t *copy = dgmi_scratch(s->r->ctx, s->words, sizeof *copy);
    if (!copy)
        return false;
    memcpy(copy, new.signature, bytes);
    new.signature = copy;
    s->candidates[s->candidate_count++] = new;
    s->table[place] = (uint32_t)s->candidate_count;
    return true;
}

/* Every way that closes along an edge outside the tree. `sum` is room for a signature. */
static bool offer_all(search *s, uint32_t root, int64_t reached, uint64_t *sum) {
    for (int64_t i = 0; i < reached; i++) {
        uint32_t v = s->queue[i];
        for (int64_t k = s->side_start[v]; k < s->side_start[v + 1]; k++) {
            uint32_t edge = s->sides[k], w = other_end(s, edge, v);
            if (w < v || s->up[v] == edge || s->up[w] == edge)
                continue;
            memcpy(sum, s->path + v * s->words, (size_t)s->words * sizeof *sum);
            add_words(sum, s->path + w * s->words, s->words);
            add_words(sum, s->signatures + edge * s->words, s->words);
            if (is_zero(sum, s->words))
                continue;
            if (!offer(s, (candidate){root, edge, s->depth[v] + s->depth[w] + 1, sum}))
                return false;
        }
    }
    return true;
}

static dgm_status search_from(search *s, uint32_t root, uint64_t *sum) {
    int64_t reached = spread(s, root);
    bool whole = offer_all(s, root, reached, sum);
    forget(s, reached);
    return whole ? dgmi_progress(s->r->ctx, "finding short loops", -1) : DGM_ERROR_MEMORY;
}

/* The ways through the forest come first: they alone are a basis. Their length is not known, so that
 * any other way with the same signature takes their place. */
static bool offer_forest(search *s) {
    for (int64_t e = 0; e < s->skeleton.edges; e++) {
        uint32_t place = s->cycles.place[e];
        if (place == DGMI_MAPPER_NO_PLACE || !dgmi_mapper_cycles_is_open(&s->cycles, place))
            continue;
        if (!offer(s, (candidate){NO_EDGE, (uint32_t)e, INT64_MAX, s->signatures + e * s->words}))
            return false;
    }
    return true;
}

static bool has_edges(const search *s, int64_t vertex) {
    return s->side_start[vertex] < s->side_start[vertex + 1];
}

/* Whether a search begins here. */
static bool is_root(const search *s, int64_t vertex, bool everywhere) {
    bool root = everywhere && has_edges(s, vertex);
    for (int64_t i = s->side_start[vertex]; !root && i < s->side_start[vertex + 1]; i++) {
        uint32_t place = s->cycles.place[s->sides[i]];
        root = place != DGMI_MAPPER_NO_PLACE && dgmi_mapper_cycles_is_open(&s->cycles, place);
    }
    return root;
}

static double steps_of(const search *s, bool everywhere) {
    double roots = 0;
    for (int64_t v = 0; v < s->skeleton.vertices; v++)
        roots += is_root(s, v, everywhere);
    return roots * (double)(s->skeleton.edges + s->skeleton.vertices) * (double)s->words;
}

static dgm_status find_candidates(search *s) {
    uint64_t *sum = dgmi_scratch(s->r->ctx, s->words, sizeof *sum);
    dgm_status status = sum && offer_forest(s) ? DGM_OK : DGM_ERROR_MEMORY;
    bool everywhere = steps_of(s, true) <= s->r->most_steps;
    bool somewhere = everywhere || steps_of(s, false) <= s->r->most_steps;
    s->r->out->totals.loops_short = everywhere;
    for (int64_t v = 0; somewhere && v < s->skeleton.vertices && status == DGM_OK; v++)
        if (is_root(s, v, everywhere))
            status = search_from(s, (uint32_t)v, sum);
    return status;
}

/* ---- a basis ---- */

static int compare_candidates(const void *a, const void *b) {
    const candidate *p = a, *q = b;
    if (p->length != q->length)
        return p->length < q->length ? -1 : 1;
    if (p->root != q->root)
        return p->root < q->root ? -1 : 1;
    return (p->edge > q->edge) - (p->edge < q->edge);
}

static int64_t highest_bit(const uint64_t *words, int64_t count) {
    for (int64_t w = count - 1; w >= 0; w--)
        if (words[w])
            return w * 64 + 63 - __builtin_clzll(words[w]);
    return -1;
}

/* Moves the candidates of a basis to the front, the shortest first. */
static dgm_status choose_basis(search *s) {
    uint64_t **leads = dgmi_scratch_zero(s->r->ctx, s->loops, sizeof *leads);
    uint64_t *rows = dgmi_scratch(s->r->ctx, s->loops * s->words, sizeof *rows);
    int64_t chosen = 0, top;
    if (!leads || !rows)
        return DGM_ERROR_MEMORY;
    qsort(s->candidates, (size_t)s->candidate_count, sizeof *s->candidates, compare_candidates);
    for (int64_t i = 0; i < s->candidate_count && chosen < s->loops; i++) {
        uint64_t *row = rows + chosen * s->words;
        memcpy(row, s->candidates[i].signature, (size_t)s->words * sizeof *row);
        while ((top = highest_bit(row, s->words)) >= 0 && leads[top])
            add_words(row, leads[top], s->words);
        if (top < 0)
            continue;
        leads[top] = row;
        s->candidates[chosen++] = s->candidates[i];
    }
    assert(chosen == s->loops);
    return DGM_OK;
}

/* ---- ways ---- */

/* A loop as a list of vertices in `out`, which has room for all; returns their number. The ways from
 * both ends of the edge go up to where they meet. */
static int64_t trace(search *s, const candidate *from, uint32_t *out) {
    bool forest = from->root == NO_EDGE;
    int64_t reached = forest ? 0 : spread(s, from->root), count = 0, back = 0;
    uint32_t a = low_end(s, from->edge), b = high_end(s, from->edge);
    uint32_t *turn = out + s->skeleton.vertices;
    while (a != b) {
        bool of_a = forest ? s->cycles.depth[a] >= s->cycles.depth[b] : s->depth[a] >= s->depth[b];
        uint32_t *end = of_a ? &a : &b;
        if (of_a)
            out[count++] = *end;
        else
            turn[-++back] = *end;
        *end = forest ? s->cycles.up[*end] : other_end(s, s->up[*end], *end);
    }
    out[count++] = a;
    memmove(out + count, turn - back, (size_t)back * sizeof *out);
    forget(s, reached);
    return count + back;
}

/* From the smallest cluster on, to the smaller of the two beside it. */
static void turn_loop(const uint32_t *loop, int64_t count, uint32_t *out) {
    int64_t first = 0;
    for (int64_t i = 1; i < count; i++)
        if (loop[i] < loop[first])
            first = i;
    bool onwards = loop[(first + 1) % count] < loop[(first + count - 1) % count];
    for (int64_t i = 0; i < count; i++)
        out[i] = loop[(first + (onwards ? i : count - i)) % count];
}

static int compare_loops(const void *a, const void *b) {
    const dgm_report_loop *p = a, *q = b;
    if (p->cluster_count != q->cluster_count)
        return p->cluster_count > q->cluster_count ? -1 : 1;
    for (int64_t i = 0; i < p->cluster_count; i++)
        if (p->clusters[i] != q->clusters[i])
            return p->clusters[i] < q->clusters[i] ? -1 : 1;
    return 0;
}

static dgm_status write_loop(search *s, const candidate *from, uint32_t *room,
                             dgm_report_loop *out) {
    int64_t count = trace(s, from, room);
    uint32_t *clusters = dgmi_mapper_report_keep(s->r, count, sizeof *clusters);
    if (!clusters)
        return DGM_ERROR_MEMORY;
    turn_loop(room, count, clusters);
    *out = (dgm_report_loop){.cluster_count = count, .clusters = clusters};
    return DGM_OK;
}

static dgm_status write_loops(search *s) {
    dgm_report *report = s->r->out;
    int64_t told = s->loops < s->r->options.loops ? s->loops : s->r->options.loops;
    uint32_t *room = dgmi_scratch(s->r->ctx, 2 * s->skeleton.vertices, sizeof *room);
    dgm_report_loop *loops = dgmi_mapper_report_keep(s->r, s->loops, sizeof *loops);
    dgm_status status = room && loops ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < s->loops && status == DGM_OK; i++)
        status = write_loop(s, &s->candidates[i], room, &loops[i]);
    if (status == DGM_OK && s->loops > 1)
        qsort(loops, (size_t)s->loops, sizeof *loops, compare_loops);
    for (int64_t i = 0; i < told && status == DGM_OK; i++)
        status = dgmi_mapper_report_gather(s->r, loops[i].clusters, loops[i].cluster_count,
                                           &loops[i].members);
    report->loops = loops;
    report->totals.loops = s->loops;
    report->totals.loops_told = told;
    return status;
}

/* ---- the whole ---- */

static dgm_status find_core(search *s) {
    dgmi_mapper_complex complex;
    dgm_context *ctx = s->r->ctx;
    dgm_status status = dgmi_mapper_complex_make(ctx, &s->r->bundles, NULL, &complex);
    if (status == DGM_OK)
        status = dgmi_mapper_complex_prune(ctx, &complex);
    if (status == DGM_OK)
        status = dgmi_mapper_complex_collapse(ctx, &complex);
    return status == DGM_OK ? dgmi_mapper_skeleton_make(ctx, &complex, false, &s->skeleton)
                            : status;
}

/* A loop counts for the piece of its first cluster. */
static void count_in_pieces(const dgmi_mapper_reporter *r, int64_t loops) {
    for (int64_t p = 0; p < r->out->totals.pieces; p++)
        r->out->pieces[p].loops = 0;
    for (int64_t i = 0; i < loops; i++)
        r->out->pieces[r->piece_of[r->out->loops[i].clusters[0]]].loops++;
}

static dgm_status find_basis(search *s) {
    if (s->loops == 0) {
        count_in_pieces(s->r, 0);
        return DGM_OK;
    }
    s->words = (s->loops + 63) / 64;
    if ((double)s->skeleton.edges * (double)s->words > MOST_WORDS)
        return DGM_OK; /* too large; that there are loops is told, and none of them */
    dgm_status status = sign_edges(s) && open_search(s) ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = find_candidates(s);
    if (status == DGM_OK)
        status = choose_basis(s);
    if (status == DGM_OK)
        status = write_loops(s);
    if (status == DGM_OK)
        count_in_pieces(s->r, s->loops);
    return status;
}

dgm_status dgmi_mapper_report_loops(dgmi_mapper_reporter *r) {
    search s = {.r = r};
    r->out->totals.loops = r->cast ? 0 : -1;
    if (!r->cast)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(r->ctx);
    dgm_status status = find_core(&s);
    if (status == DGM_OK) {
        status = dgmi_mapper_cycles_open(r->ctx, &s.skeleton, &s.cycles);
        s.loops = r->out->totals.loops = s.cycles.open;
        if (status == DGM_OK)
            status = find_basis(&s);
        dgmi_mapper_cycles_close(&s.cycles);
    }
    dgmi_arena_release(r->ctx, hold);
    return status;
}
