/* SPDX-License-Identifier: Apache-2.0 */
/* Rewires a graph: every node keeps its degree, and its edges go elsewhere.
 *
 * All edges are cut in two halves, and the halves are paired at random: the configuration model of
 * Bollobas, "A probabilistic proof of an asymptotic formula for the number of labelled regular
 * graphs" (1980). Some pairs are loops or repeats. Each of them changes ends with an edge drawn at
 * random until there are none left, so that a sparse graph takes O(m) expected.
 *
 * Where more than a few pairs were bad, hubs now have too many edges to each other: of two edges
 * between them one is left, and chance would often leave none. Edges drawn at random therefore
 * change ends in pairs, MIXING times m tries, which is the Markov chain of Maslov and Sneppen,
 * "Specificity and stability in topology of protein networks" (2002). In graphs of heavy tails this
 * brought triangles from 15% too many to what long chains have.
 *
 * In a dense graph many pairs are bad, and what mends them may not exist: a complete graph is the
 * only one of its degrees. Such a graph goes through the chain from its own edges, SWEEPS times m
 * tries. Whatever the graph is, both ways end.
 *
 * One thread draws everything, so that the number of threads is no part of the result. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_random.h"
#include "graph_graph.h"
#include "graph_labels.h"
#include "graph_transpose.h"

enum {
    SWEEPS = 10,     /* tries of the chain for each edge; each touches two */
    MIXING = 2,      /* the same, where the edges are random already */
    MEND_TRIES = 64, /* for each bad pair, on average */
    LEAST_TRIES = 1024,
    MOST_BAD = 8,   /* more bad pairs than one in so many are not mended */
    FEW_BAD = 1024, /* no more than one in so many do not matter */
    AHEAD = 16,     /* edges whose slot is fetched early */
    BETWEEN_REPORTS = 1 << 16,
};

/* Streams of the random numbers, one a purpose. */
enum { STREAM_HALVES = 301, STREAM_EDGES = 303 };

typedef struct {
    dgm_context *ctx;
    const dgm_graph *graph;
    int64_t edges;   /* without loops, which stay where they are */
    uint32_t *ends;  /* edge k goes from ends[2k] to ends[2k + 1] */
    double *weights; /* or NULL */
    int64_t bad;     /* the first so many edges are loops or repeats, and not in the set */
    uint64_t *slots; /* the set of all other edges: a table of keys, 0 where it is empty */
    uint64_t mask;   /* the number of slots, a power of two, less one */
    dgmi_random random;
} rewiring;

/* ---- the set of edges ---- */

/* Never 0, since no edge of the set is a loop. */
static uint64_t key_of(const rewiring *w, uint32_t u, uint32_t v) {
    bool turn = !w->graph->directed && u > v;
    return turn ? (uint64_t)v << 32 | u : (uint64_t)u << 32 | v;
}

static uint64_t home_of(const rewiring *w, uint64_t key) {
    uint64_t mixed = key * UINT64_C(0x9E3779B97F4A7C15);
    return (mixed ^ mixed >> 32) & w->mask;
}

/* The slot that has the key, or the empty one where it belongs. */
static uint64_t find(const rewiring *w, uint64_t key) {
    uint64_t slot = home_of(w, key);
    while (w->slots[slot] && w->slots[slot] != key)
        slot = (slot + 1) & w->mask;
    return slot;
}

static bool is_edge(const rewiring *w, uint64_t key) {
    return w->slots[find(w, key)] != 0;
}

static void insert(rewiring *w, uint64_t key) {
    w->slots[find(w, key)] = key;
}

/* Keys behind the hole move into it unless their home lies behind it, so that none is cut off. */
static void take_out(rewiring *w, uint64_t key) {
    uint64_t hole = find(w, key);
    for (uint64_t at = (hole + 1) & w->mask; w->slots[at]; at = (at + 1) & w->mask)
        if (((at - home_of(w, w->slots[at])) & w->mask) >= ((at - hole) & w->mask)) {
            w->slots[hole] = w->slots[at];
            hole = at;
        }
    w->slots[hole] = 0;
}

/* ---- edges ---- */

static void list_edges(rewiring *w) {
    const dgm_graph *graph = w->graph;
    int64_t k = 0;
    for (int64_t u = 0; u < graph->nodes; u++)
        for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
            uint32_t v = graph->targets[e];
            if (v == u || (!graph->directed && v < u))
                continue;
            w->ends[2 * k] = (uint32_t)u;
            w->ends[2 * k + 1] = v;
            if (w->weights)
                w->weights[k] = graph->weights[e];
            k++;
        }
    assert(k == w->edges);
}

static void swap_ends(rewiring *w, int64_t i, int64_t j) {
    uint32_t end = w->ends[i];
    w->ends[i] = w->ends[j];
    w->ends[j] = end;
}

/* The first half of each edge takes a random one of those that are left; where there are
 * directions, one of the targets that are left. */
static void pair_halves(rewiring *w) {
    int64_t halves = 2 * w->edges;
    for (int64_t i = 1; i < halves; i += 2) {
        int64_t left = halves - i;
        uint64_t other = w->graph->directed
                             ? 2 * dgmi_random_next_below(&w->random, (uint64_t)(left + 1) / 2)
                             : dgmi_random_next_below(&w->random, (uint64_t)left);
        swap_ends(w, i, i + (int64_t)other);
    }
}

static void swap_edges(rewiring *w, int64_t i, int64_t j) {
    swap_ends(w, 2 * i, 2 * j);
    swap_ends(w, 2 * i + 1, 2 * j + 1);
    if (w->weights) {
        double weight = w->weights[i];
        w->weights[i] = w->weights[j];
        w->weights[j] = weight;
    }
}

/* Puts edges into the empty set, and those that are loops or repeats before all others. */
static void sift(rewiring *w) {
    memset(w->slots, 0, (size_t)(w->mask + 1) * sizeof *w->slots);
    w->bad = 0;
    for (int64_t k = 0; k < w->edges; k++) {
        int64_t later = k + AHEAD < w->edges ? k + AHEAD : k;
        uint64_t next = key_of(w, w->ends[2 * later], w->ends[2 * later + 1]);
        __builtin_prefetch(&w->slots[home_of(w, next)], 1);
        uint64_t key = key_of(w, w->ends[2 * k], w->ends[2 * k + 1]);
        if (w->ends[2 * k] == w->ends[2 * k + 1] || is_edge(w, key))
            swap_edges(w, k, w->bad++);
        else
            insert(w, key);
    }
}

/* An edge drawn among the good ones, and from either of its ends where there are no directions. */
typedef struct {
    int64_t near, far; /* the places of its ends */
} partner;

static partner draw_partner(const rewiring *w, uint64_t ahead) {
    uint64_t draw = dgmi_random_below(w->random.seed, w->random.stream, w->random.counter + ahead,
                                      2 * (uint64_t)(w->edges - w->bad));
    int64_t edge = w->bad + (int64_t)(draw / 2);
    int64_t turn = w->graph->directed ? 0 : (int64_t)(draw & 1);
    return (partner){2 * edge + turn, 2 * edge + 1 - turn};
}

/* The chain waits for memory most of the time. What the next tries will look at is asked for now,
 * first the ends and then the slots of their keys; whether they change until then does not matter. */
static void fetch(const rewiring *w, int64_t edge) {
    __builtin_prefetch(&w->ends[draw_partner(w, 2 * AHEAD).near]);
    partner other = draw_partner(w, AHEAD);
    uint32_t a = w->ends[2 * edge], b = w->ends[2 * edge + 1];
    uint32_t c = w->ends[other.near], d = w->ends[other.far];
    __builtin_prefetch(&w->slots[home_of(w, key_of(w, a, d))]);
    __builtin_prefetch(&w->slots[home_of(w, key_of(w, c, b))]);
    __builtin_prefetch(&w->slots[home_of(w, key_of(w, a, b))]);
    __builtin_prefetch(&w->slots[home_of(w, key_of(w, c, d))]);
}

/* Edges a-b and c-d become a-d and c-b, unless one of these is a loop or there already. */
static bool change_ends(rewiring *w, int64_t edge) {
    partner other = draw_partner(w, 0);
    uint32_t a = w->ends[2 * edge], b = w->ends[2 * edge + 1];
    uint32_t c = w->ends[other.near], d = w->ends[other.far];
    uint64_t here = key_of(w, a, d), there = key_of(w, c, b);
    w->random.counter++;
    if (a == d || c == b || here == there || is_edge(w, here) || is_edge(w, there))
        return false;
    if (edge >= w->bad)
        take_out(w, key_of(w, a, b));
    take_out(w, key_of(w, c, d));
    insert(w, here);
    insert(w, there);
    w->ends[2 * edge + 1] = d;
    w->ends[other.far] = b;
    return true;
}

/* The bad edges change ends, the last of them first. Some may be left. */
static dgm_status mend(rewiring *w) {
    int64_t tries = MEND_TRIES * w->bad + LEAST_TRIES;
    dgm_status status = DGM_OK;
    for (; status == DGM_OK && w->bad > 0 && w->bad < w->edges && tries > 0; tries--) {
        w->bad -= change_ends(w, w->bad - 1);
        if (tries % BETWEEN_REPORTS == 0)
            status = dgmi_progress(w->ctx, "rewiring", -1);
    }
    return status;
}

static int64_t edge_at(const rewiring *w, int64_t turn) {
    return (int64_t)dgmi_random_below(w->random.seed, STREAM_EDGES, (uint64_t)turn,
                                      (uint64_t)w->edges);
}

static dgm_status run_chain(rewiring *w, int64_t tries) {
    dgm_status status = DGM_OK;
    for (int64_t t = 0; status == DGM_OK && t < tries; t++) {
        fetch(w, edge_at(w, t + AHEAD));
        change_ends(w, edge_at(w, t));
        if (t % BETWEEN_REPORTS == 0)
            status = dgmi_progress(w->ctx, "rewiring", (double)t / (double)tries);
    }
    return status;
}

static dgm_status draw_edges(rewiring *w) {
    dgm_status status = DGM_OK;
    list_edges(w);
    pair_halves(w);
    sift(w);
    bool few = w->bad <= w->edges / FEW_BAD;
    if (w->bad <= w->edges / MOST_BAD)
        status = mend(w);
    if (status != DGM_OK)
        return status;
    if (w->bad == 0)
        return few ? DGM_OK : run_chain(w, MIXING * w->edges);
    list_edges(w);
    sift(w);
    return run_chain(w, SWEEPS * w->edges);
}

/* ---- the graph ---- */

/* Rows that are being filled. */
typedef struct {
    int64_t *next; /* the next free entry of each row */
    uint32_t *targets;
    double *weights;
} filling;

static void put_entry(filling *rows, uint32_t u, uint32_t v, const double *weight) {
    int64_t entry = rows->next[u]++;
    rows->targets[entry] = v;
    if (weight)
        rows->weights[entry] = *weight;
}

static void put_loops(const dgm_graph *graph, filling *rows) {
    for (uint32_t u = 0; graph->counts.loops_kept > 0 && u < graph->nodes; u++)
        for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
            if (graph->targets[e] == u)
                put_entry(rows, u, u, graph->weights ? &graph->weights[e] : NULL);
}

static void put_edges(const rewiring *w, filling *rows) {
    for (int64_t k = 0; k < w->edges; k++) {
        const double *weight = w->weights ? &w->weights[k] : NULL;
        put_entry(rows, w->ends[2 * k], w->ends[2 * k + 1], weight);
        if (!w->graph->directed)
            put_entry(rows, w->ends[2 * k + 1], w->ends[2 * k], weight);
    }
}

/* Rows have the lengths that they had, and are not sorted. */
static dgm_status make_rows(const rewiring *w, dgm_graph_rows *rows) {
    const dgm_graph *graph = w->graph;
    filling made = {0};
    made.next = dgmi_scratch(w->ctx, graph->nodes, sizeof *made.next);
    made.targets = dgmi_scratch(w->ctx, graph->entries, sizeof *made.targets);
    if (w->weights)
        made.weights = dgmi_scratch(w->ctx, graph->entries, sizeof *made.weights);
    if (!made.next || !made.targets || (w->weights && !made.weights))
        return DGM_ERROR_MEMORY;
    memcpy(made.next, graph->offsets, (size_t)graph->nodes * sizeof *made.next);
    put_loops(graph, &made);
    put_edges(w, &made);
    *rows = dgm_graph_get_rows(graph);
    rows->targets = made.targets;
    rows->weights = made.weights;
    return DGM_OK;
}

/* The transpose has sorted rows, and without directions it is the same graph. */
static dgm_status give_rows(const rewiring *w, dgm_graph *to) {
    dgm_graph_rows rows;
    dgm_status status = make_rows(w, &rows);
    if (status == DGM_OK)
        status = dgmi_graph_rows_transpose(w->ctx, rows, &rows);
    if (status == DGM_OK && rows.directed)
        status = dgmi_graph_rows_transpose(w->ctx, rows, &rows);
    if (status != DGM_OK)
        return status;
    memcpy(to->targets, rows.targets, (size_t)to->entries * sizeof *to->targets);
    if (to->weights)
        memcpy(to->weights, rows.weights, (size_t)to->entries * sizeof *to->weights);
    to->counts = (dgm_graph_counts){.edges = to->counts.edges,
                                    .records = to->counts.edges,
                                    .loops_kept = to->counts.loops_kept};
    return DGM_OK;
}

static dgm_status tell_need(const rewiring *w) {
    double entry = w->graph->weights ? 12 : 4, edge = w->weights ? 16 : 8;
    double edges = 8 * (double)(w->mask + 1) + edge * (double)w->edges;
    double rows = 3 * entry * (double)w->graph->entries + edge * (double)w->edges;
    double least = edges > rows ? edges : rows;
    const dgmi_need need = {"rewiring", least, least, "rewire a part of the graph"};
    return dgmi_need_tell(w->ctx, &need);
}

/* The set goes before the rows come. */
static dgm_status draw_in_set(rewiring *w) {
    dgmi_hold hold = dgmi_arena_hold(w->ctx);
    w->slots = dgmi_scratch(w->ctx, (int64_t)w->mask + 1, sizeof *w->slots);
    dgm_status status = w->slots ? draw_edges(w) : DGM_ERROR_MEMORY;
    dgmi_arena_release(w->ctx, hold);
    return status;
}

static dgm_status rewire(rewiring *w, dgm_graph **out) {
    for (w->mask = 1; w->mask < 2 * (uint64_t)w->edges; w->mask = 2 * w->mask + 1) {
    }
    dgm_status status = tell_need(w);
    if (status != DGM_OK)
        return status;
    w->ends = dgmi_scratch(w->ctx, 2 * w->edges, sizeof *w->ends);
    if (w->graph->weights)
        w->weights = dgmi_scratch(w->ctx, w->edges, sizeof *w->weights);
    if (!w->ends || (w->graph->weights && !w->weights))
        return DGM_ERROR_MEMORY;
    status = draw_in_set(w);
    if (status == DGM_OK)
        status = dgmi_graph_copy(w->ctx, w->graph, out);
    return status == DGM_OK ? give_rows(w, *out) : status;
}

dgm_status dgm_graph_rewire(dgm_context *ctx, const dgm_graph *graph, int64_t seed,
                            dgm_graph **out) {
    rewiring w = {.ctx = ctx, .graph = graph, .random = {(uint64_t)seed, STREAM_HALVES, 0}};
    w.edges = graph->counts.edges - graph->counts.loops_kept;
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = rewire(&w, out);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgm_graph_free(*out);
        *out = NULL;
    }
    return status;
}
