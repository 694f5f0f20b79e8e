/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search from a batch of sources at once, one bit per source (the idea is that of
 * Then and others, "The more the merrier: efficient multi-source graph traversal", VLDB 2014).
 *
 *   fresh(v) = (OR over arcs u -> v of front(u)) and not seen(v);   seen(v) |= fresh(v)
 *
 * The number of bits of fresh(v) at level d is the number of sources at distance d from v, and that
 * is all a radial kernel needs. A level is pushed along the arcs of the front while it is small,
 * and otherwise pulled by every node that still misses sources, in parallel; a node's sums are
 * written by one thread, level after level. A batch takes O(levels * (n + m)) words of 512 bits at
 * worst, which is why sources that lie apart on a long graph are searched one by one
 * (graph_search.h).
 */
#include "graph_bfs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_cpu.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_search.h"

enum {
    WORDS = DGMI_GRAPH_BFS_WORDS,
    BATCH = DGMI_GRAPH_BFS_BATCH,
    GRAIN = 1 << 10,       /* nodes per chunk */
    PULL_SHARE = 4,        /* a front with more than this part of the arcs is pulled */
    SERIAL = 1 << 16,      /* ranges with fewer arcs are not worth waking threads for */
    AHEAD = 24,            /* arcs between a prefetch and its use */
    LEVELS_A_REPORT = 256, /* between looks at whether to go on */
    FEW = 16,              /* so few sources do not make a batch */
    LONG = 256,            /* levels from which a batch costs more than searches one by one */
};

/* The bits of a node; the compiler cuts it into what the machine has. */
typedef uint64_t row __attribute__((vector_size(WORDS * 8), aligned(WORDS * 8)));

typedef struct {
    const dgmi_graph_patches *patches;
    const dgmi_graph_sweep *sweep;
    const uint32_t *sources;
    int64_t count;
    int64_t begin, end;            /* the places of the sources' components */
    row all;                       /* a bit for every source */
    row *seen, *front, *fresh;     /* by place, less `begin`; so are the arrays below */
    uint8_t *active, *active_next; /* whether the front holds bits of the node; rows of others
                                      hold rubbish */
    uint32_t *left;                /* sources that the node may still see */
    uint32_t *list, *list_next;    /* the front's nodes, if listed */
    int64_t listed;                /* how many; -1: only `active` knows */
    int64_t arcs;                  /* out of the front */
    int64_t range_arcs;            /* out of all nodes in the range */
    double distance, weight;       /* of the level: d, kernel(d) */
    int64_t *chunk_arcs;           /* by chunk: arcs out of its part of the next front */
    int code;                      /* dgmi_graph_bfs_code */
} batch;

#define INLINE static inline __attribute__((always_inline))

INLINE bool is_empty(const row *bits) {
    uint64_t any = 0;
    for (int w = 0; w < WORDS; w++)
        any |= (*bits)[w];
    return any == 0;
}

INLINE int64_t count_bits(const row *bits) {
    int64_t count = 0;
    for (int w = 0; w < WORDS; w++)
        count += __builtin_popcountll((*bits)[w]);
    return count;
}

/* Adds `count` sources at the level's distance to the node's sums. */
INLINE void add(const batch *b, int64_t v, int64_t count) {
    const dgmi_graph_sweep *sweep = b->sweep;
    sweep->sums[v] += (double)count * b->weight;
    if (sweep->squares)
        sweep->squares[v] += (double)count * (b->weight * b->weight);
    if (sweep->reached)
        sweep->reached[v] += count;
    if (sweep->farthest && sweep->farthest[v] < b->distance)
        sweep->farthest[v] = b->distance;
}

/* What came to node v at this level; returns the arcs out of it if that is anything new. */
INLINE int64_t take(batch *b, int64_t v, const row *came) {
    int64_t at = v - b->begin;
    row fresh = *came & ~b->seen[at];
    if (is_empty(&fresh)) {
        b->active_next[at] = 0;
        return 0;
    }
    b->active_next[at] = 1;
    b->fresh[at] = fresh;
    b->seen[at] |= fresh;
    int64_t count = count_bits(&fresh);
    assert(count <= b->left[at]); /* no source is seen twice */
    b->left[at] -= (uint32_t)count;
    add(b, v, count);
    return dgmi_graph_arcs_degree(&b->patches->out, v);
}

/* Adds the front of the node at `at` to what came; whether nothing is missing any more. */
INLINE bool join(const batch *b, uint32_t at, const row *missing, row *came) {
    if (!b->active[at])
        return false;
    *came |= b->front[at];
    row still = *missing & ~*came;
    return is_empty(&still);
}

/* What the neighbours of node v have. Rows follow each other up to `last`. */
INLINE void ask_moved(const batch *b, int64_t v, const uint32_t *last, const row *missing,
                      row *came) {
    const dgmi_graph_arcs *in = &b->patches->in;
    const uint32_t first = (uint32_t)b->begin;
    const uint32_t *near = in->targets + in->offsets[v], *stop = in->targets + in->offsets[v + 1];
    for (; near < stop; near++) {
        __builtin_prefetch(&b->front[(near + AHEAD < last ? near[AHEAD] : *last) - first]);
        if (join(b, *near - first, missing, came))
            return;
    }
}

/* Borrowed rows lie anywhere: those of the nodes that follow v are fetched meanwhile. */
INLINE void fetch_rows(const batch *b, int64_t v, int64_t end) {
    const dgmi_graph_arcs *in = &b->patches->in;
    assert(in->node);
    if (v + AHEAD < end)
        __builtin_prefetch(&in->offsets[in->node[v + AHEAD]]);
    if (v + AHEAD / 2 < end) {
        const uint32_t *near = in->targets + in->offsets[in->node[v + AHEAD / 2]];
        __builtin_prefetch(near);
        __builtin_prefetch(near + 16);
    }
}

/* The same by the graph's own arcs: some neighbours are looked up, then asked. */
INLINE void ask_borrowed(const batch *b, int64_t v, const row *missing, row *came) {
    const dgmi_graph_arcs *in = &b->patches->in;
    int64_t own = in->node[v];
    const uint32_t *near = in->targets + in->offsets[own];
    const uint32_t *stop = in->targets + in->offsets[own + 1];
    uint32_t at[AHEAD];
    while (near < stop) {
        int64_t count = stop - near < AHEAD ? stop - near : AHEAD;
        for (int64_t i = 0; i < count; i++) {
            at[i] = in->place[near[i]] - (uint32_t)b->begin;
            __builtin_prefetch(&b->front[at[i]]);
        }
        for (int64_t i = 0; i < count; i++)
            if (join(b, at[i], missing, came))
                return;
        near += count;
    }
}

/* Nodes [begin, end) ask their neighbours, until they have all there is. */
INLINE void pull_nodes(batch *b, int64_t begin, int64_t end, int64_t *arcs) {
    const dgmi_graph_arcs *in = &b->patches->in;
    const uint32_t *last = in->node ? NULL : in->targets + in->offsets[end] - 1;
    int64_t sum = 0;
    for (int64_t v = begin; v < end; v++) {
        int64_t at = v - b->begin;
        if (b->left[at] == 0) {
            b->active_next[at] = 0;
            continue;
        }
        row came = {0}, missing = b->all & ~b->seen[at];
        if (last)
            ask_moved(b, v, last, &missing, &came);
        else {
            fetch_rows(b, v, end);
            ask_borrowed(b, v, &missing, &came);
        }
        sum += take(b, v, &came);
    }
    *arcs = sum;
}

/* The front's nodes give to their neighbours; one thread. */
INLINE void push_front(batch *b) {
    const dgmi_graph_arcs *out = &b->patches->out;
    const uint32_t first = (uint32_t)b->begin;
    int64_t touched = 0, kept = 0, arcs = 0;
    for (int64_t i = 0; i < b->listed; i++) {
        uint32_t u = b->list[i];
        int64_t own = dgmi_graph_arcs_row(out, u);
        for (int64_t e = out->offsets[own]; e < out->offsets[own + 1]; e++) {
            uint32_t v = dgmi_graph_arcs_target(out, e), at = v - first;
            if (b->left[at] == 0)
                continue;
            if (b->active_next[at]) {
                b->fresh[at] |= b->front[u - first];
                continue;
            }
            b->fresh[at] = b->front[u - first];
            b->active_next[at] = 1;
            b->list_next[touched++] = v;
        }
    }
    for (int64_t i = 0; i < b->listed; i++)
        b->active[b->list[i] - first] = 0;
    for (int64_t i = 0; i < touched; i++) {
        uint32_t v = b->list_next[i];
        row came = b->fresh[v - first];
        arcs += take(b, v, &came);
        if (b->active_next[v - first])
            b->list_next[kept++] = v;
    }
    b->listed = kept;
    b->arcs = arcs;
}

/* ---- the same loops for each instruction set ---- */

typedef struct {
    void (*pull)(batch *b, int64_t begin, int64_t end, int64_t *arcs);
    void (*push)(batch *b);
} loops;

static void pull_plain(batch *b, int64_t begin, int64_t end, int64_t *arcs) {
    pull_nodes(b, begin, end, arcs);
}
static void push_plain(batch *b) {
    push_front(b);
}

#if defined(__x86_64__) && defined(__GNUC__)
#define AVX2   __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx512f,avx512vl,avx512vpopcntdq,popcnt")))

AVX2 static void pull_avx2(batch *b, int64_t begin, int64_t end, int64_t *arcs) {
    pull_nodes(b, begin, end, arcs);
}
AVX2 static void push_avx2(batch *b) {
    push_front(b);
}
AVX512 static void pull_avx512(batch *b, int64_t begin, int64_t end, int64_t *arcs) {
    pull_nodes(b, begin, end, arcs);
}
AVX512 static void push_avx512(batch *b) {
    push_front(b);
}

static const loops compiled[] = {
    {pull_plain, push_plain}, {pull_avx2, push_avx2}, {pull_avx512, push_avx512}};

bool dgmi_graph_bfs_runs(dgmi_graph_bfs_code code) {
    if (code == DGMI_GRAPH_BFS_AVX512)
        return dgmi_cpu_best() == DGMI_CPU_AVX512 && __builtin_cpu_supports("avx512vpopcntdq");
    return code == DGMI_GRAPH_BFS_PLAIN || dgmi_cpu_best() >= DGMI_CPU_AVX2;
}
#else
static const loops compiled[] = {{pull_plain, push_plain}};

bool dgmi_graph_bfs_runs(dgmi_graph_bfs_code code) {
    return code == DGMI_GRAPH_BFS_PLAIN;
}
#endif

/* ---- a batch ---- */

static void pull_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    batch *b = argument;
    int64_t begin, end;
    dgmi_chunk(b->end - b->begin, GRAIN, chunk, &begin, &end);
    compiled[b->code].pull(b, b->begin + begin, b->begin + end, &b->chunk_arcs[chunk]);
}

static int64_t count_arcs(const dgmi_graph_arcs *arcs, int64_t begin, int64_t end) {
    int64_t count = 0;
    if (!arcs->node)
        return arcs->offsets[end] - arcs->offsets[begin];
    for (int64_t p = begin; p < end; p++)
        count += dgmi_graph_arcs_degree(arcs, p);
    return count;
}

static void pull_level(dgm_context *ctx, batch *b) {
    b->listed = -1;
    if (b->range_arcs < SERIAL) {
        compiled[b->code].pull(b, b->begin, b->end, &b->arcs);
        return;
    }
    int64_t chunks = dgmi_chunks(b->end - b->begin, GRAIN);
    dgmi_parallel(ctx, chunks, pull_chunk, b);
    b->arcs = 0;
    for (int64_t c = 0; c < chunks; c++)
        b->arcs += b->chunk_arcs[c];
}

static void list_front(batch *b) {
    b->listed = 0;
    for (int64_t v = b->begin; v < b->end; v++)
        if (b->active[v - b->begin])
            b->list[b->listed++] = (uint32_t)v;
}

static void push_level(batch *b) {
    assert(b->listed <= b->end - b->begin);
    if (b->listed < 0) {
        list_front(b);
        memset(b->active_next, 0, (size_t)(b->end - b->begin));
    }
    compiled[b->code].push(b);
    uint32_t *list = b->list;
    b->list = b->list_next;
    b->list_next = list;
}

static void step(dgm_context *ctx, batch *b) {
    if (b->arcs > b->range_arcs / PULL_SHARE)
        pull_level(ctx, b);
    else
        push_level(b);
    row *front = b->front;
    b->front = b->fresh;
    b->fresh = front;
    uint8_t *active = b->active;
    b->active = b->active_next;
    b->active_next = active;
}

/* The places of the components that the sources lie in and of those between. */
static void find_range(const dgmi_graph_patches *patches, const uint32_t *sources, int64_t count,
                       int64_t *begin, int64_t *end) {
    *begin = patches->starts[patches->component[sources[0]]];
    *end = patches->starts[patches->component[sources[count - 1]] + 1];
}

/* Level 0: every source has seen itself, and may be seen by the rest of its component. */
static void start(batch *b) {
    const dgmi_graph_patches *patches = b->patches;
    find_range(patches, b->sources, b->count, &b->begin, &b->end);
    assert(b->count > 0 && b->count <= BATCH);
    assert(b->begin <= b->sources[0] && b->sources[b->count - 1] < b->end);
    b->range_arcs = count_arcs(&patches->out, b->begin, b->end);
    size_t range = (size_t)(b->end - b->begin);
    memset(b->seen, 0, range * sizeof *b->seen);
    memset(b->active, 0, range);
    memset(b->active_next, 0, range);
    for (int64_t c = patches->component[b->sources[0]], i = 0; i < b->count; c++) {
        int64_t before = i;
        assert(c < patches->components);
        while (i < b->count && b->sources[i] < patches->starts[c + 1])
            i++;
        for (int64_t v = patches->starts[c]; v < patches->starts[c + 1]; v++)
            b->left[v - b->begin] = (uint32_t)(i - before);
    }
    b->all = (row){0};
    b->arcs = 0;
    for (int64_t i = 0; i < b->count; i++) {
        uint32_t s = b->sources[i];
        int64_t at = s - b->begin;
        row self = {0};
        self[i / 64] = UINT64_C(1) << i % 64;
        b->all |= self;
        b->seen[at] = b->front[at] = self;
        b->active[at] = 1;
        assert(b->left[at] > 0);
        b->left[at]--;
        b->list[i] = s;
        b->arcs += dgmi_graph_arcs_degree(&patches->out, s);
    }
    b->listed = b->count;
}

static dgm_status run(dgm_context *ctx, batch *b, double done) {
    start(b);
    dgm_status status = dgmi_progress(ctx, b->sweep->stage, done);
    for (int64_t level = 1; status == DGM_OK && b->arcs > 0; level++) {
        b->distance = (double)level;
        if (b->distance > b->sweep->cutoff)
            break;
        b->weight = b->sweep->kernel(b->sweep->argument, b->distance);
        step(ctx, b);
        if (level % LEVELS_A_REPORT == 0)
            status = dgmi_progress(ctx, b->sweep->stage, done);
    }
    return status;
}

/* The sources of a sweep from number `from` on that make a batch. */
static int64_t batch_size(const dgmi_graph_sweep *sweep, int64_t from) {
    return sweep->count - from < BATCH ? sweep->count - from : BATCH;
}

static dgm_status take_memory(dgm_context *ctx, batch *b) {
    int64_t room = 0;
    for (int64_t i = 0; i < b->sweep->count; i += BATCH) {
        int64_t begin, end;
        find_range(b->patches, b->sweep->sources + i, batch_size(b->sweep, i), &begin, &end);
        room = end - begin > room ? end - begin : room;
    }
    b->seen = dgmi_scratch(ctx, room, sizeof(row));
    b->front = dgmi_scratch(ctx, room, sizeof(row));
    b->fresh = dgmi_scratch(ctx, room, sizeof(row));
    b->active = dgmi_scratch(ctx, room, 1);
    b->active_next = dgmi_scratch(ctx, room, 1);
    b->left = dgmi_scratch(ctx, room, sizeof *b->left);
    b->list = dgmi_scratch(ctx, room, sizeof *b->list);
    b->list_next = dgmi_scratch(ctx, room, sizeof *b->list_next);
    b->chunk_arcs = dgmi_scratch(ctx, dgmi_chunks(room, GRAIN), sizeof *b->chunk_arcs);
    bool fits = b->seen && b->front && b->fresh && b->active && b->active_next && b->left &&
                b->list && b->list_next && b->chunk_arcs;
    return fits ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_graph_bfs_sweep_by(dgm_context *ctx, const dgmi_graph_patches *patches,
                                   const dgmi_graph_sweep *sweep, dgmi_graph_bfs_code code) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    batch b = {.patches = patches, .sweep = sweep, .code = code};
    dgm_status status = take_memory(ctx, &b);
    for (int64_t i = 0; status == DGM_OK && i < sweep->count; i += BATCH) {
        b.sources = sweep->sources + i;
        b.count = batch_size(sweep, i);
        status = run(ctx, &b, (double)i / (double)sweep->count);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Whether searches one by one cost less than batches: there are few sources, or they lie apart (in
 * their middle a patch's worth of sources spans several patches) on a graph of many levels. */
static dgm_status is_long(dgm_context *ctx, const dgmi_graph_patches *patches,
                          const dgmi_graph_sweep *sweep, bool *yes) {
    int64_t middle = sweep->count / 2, depth = 0;
    int64_t last = middle + BATCH < sweep->count ? middle + BATCH : sweep->count - 1;
    dgm_status status = DGM_OK;
    *yes = sweep->count <= FEW;
    if (!*yes && sweep->sources[last] - sweep->sources[middle] >= 4 * (last - middle))
        status = dgmi_graph_search_depth(ctx, patches, sweep->sources[middle], &depth);
    *yes = *yes || fmin((double)depth, sweep->cutoff) >= LONG;
    return status;
}

dgm_status dgmi_graph_bfs_sweep(dgm_context *ctx, const dgmi_graph_patches *patches,
                                const dgmi_graph_sweep *sweep) {
    dgmi_graph_bfs_code code = DGMI_GRAPH_BFS_AVX512;
    bool one_by_one = false;
    dgm_status status = is_long(ctx, patches, sweep, &one_by_one);
    if (status != DGM_OK)
        return status;
    if (one_by_one)
        return dgmi_graph_search_sweep(ctx, patches, sweep);
    while (!dgmi_graph_bfs_runs(code))
        code--;
    return dgmi_graph_bfs_sweep_by(ctx, patches, sweep, code);
}
