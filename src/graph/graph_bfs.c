/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search from a batch of sources at once, one bit a source (the idea is that of Then
 * and others, "The more the merrier: efficient multi-source graph traversal", VLDB 2014).
 *
 *   fresh(v) = (OR over arcs u -> v of front(u)) and not seen(v);   seen(v) |= fresh(v)
 *
 * The number of bits of fresh(v) at level d is the number of sources at distance d from v, and that
 * is all a radial kernel needs. A level is pushed along the arcs of the front while it is small,
 * and otherwise pulled by every node that still misses sources, in parallel; a node's sums are
 * written by one thread, level after level. O(levels * (n + m)) words of 512 bits a batch at worst.
 */
#include "graph_bfs.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum {
    WORDS = DGMI_BFS_WORDS,
    BATCH = DGMI_BFS_BATCH,
    GRAIN = 1 << 10,       /* nodes a chunk */
    PULL_SHARE = 4,        /* a front with more than this part of the arcs is pulled */
    SERIAL = 1 << 16,      /* ranges with fewer arcs are not worth waking threads for */
    AHEAD = 24,            /* arcs between a prefetch and its use */
    LEVELS_A_REPORT = 256, /* between looks at whether to go on */
};

/* The bits of a node; the compiler cuts it into what the machine has. */
typedef uint64_t row __attribute__((vector_size(WORDS * 8), aligned(WORDS * 8)));

typedef struct {
    const dgmi_patches *patches;
    const dgmi_sweep *sweep;
    const uint32_t *sources;
    int64_t count;
    int64_t begin, end; /* the places of the sources' components */
    row all;            /* a bit for every source */
    row *seen, *front, *fresh;
    uint8_t *active, *active_next; /* whether the front holds bits of the node; rows of others
                                      hold rubbish */
    uint32_t *left;                /* sources that the node may still see */
    uint32_t *list, *list_next;    /* the front's nodes, if listed */
    int64_t listed;                /* how many; -1: only `active` knows */
    int64_t arcs;                  /* out of the front */
    double distance, weight;       /* of the level: d, kernel(d) */
    int64_t *chunk_arcs;           /* by chunk: arcs out of its part of the next front */
    int code;                      /* dgmi_bfs_code */
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
    const dgmi_sweep *sweep = b->sweep;
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
    row fresh = *came & ~b->seen[v];
    if (is_empty(&fresh)) {
        b->active_next[v] = 0;
        return 0;
    }
    b->active_next[v] = 1;
    b->fresh[v] = fresh;
    b->seen[v] |= fresh;
    int64_t count = count_bits(&fresh);
    b->left[v] -= (uint32_t)count;
    add(b, v, count);
    return b->patches->out.offsets[v + 1] - b->patches->out.offsets[v];
}

/* Nodes [begin, end) ask their neighbours, until they have all there is. */
INLINE void pull_nodes(batch *b, int64_t begin, int64_t end, int64_t *arcs) {
    const int64_t *offsets = b->patches->in.offsets;
    const uint32_t *targets = b->patches->in.targets;
    const uint32_t *last = targets + offsets[end] - 1;
    int64_t sum = 0;
    for (int64_t v = begin; v < end; v++) {
        if (b->left[v] == 0) {
            b->active_next[v] = 0;
            continue;
        }
        row came = {0}, missing = b->all & ~b->seen[v];
        const uint32_t *near = targets + offsets[v], *stop = targets + offsets[v + 1];
        for (; near < stop; near++) {
            __builtin_prefetch(&b->front[near + AHEAD < last ? near[AHEAD] : *last]);
            if (!b->active[*near])
                continue;
            came |= b->front[*near];
            row still = missing & ~came;
            if (is_empty(&still))
                break;
        }
        sum += take(b, v, &came);
    }
    *arcs = sum;
}

/* The front's nodes give to their neighbours; one thread. */
INLINE void push_front(batch *b) {
    const int64_t *offsets = b->patches->out.offsets;
    const uint32_t *targets = b->patches->out.targets;
    int64_t touched = 0, kept = 0, arcs = 0;
    for (int64_t i = 0; i < b->listed; i++) {
        uint32_t u = b->list[i];
        for (int64_t e = offsets[u]; e < offsets[u + 1]; e++) {
            uint32_t v = targets[e];
            if (b->left[v] == 0)
                continue;
            if (b->active_next[v]) {
                b->fresh[v] |= b->front[u];
                continue;
            }
            b->fresh[v] = b->front[u];
            b->active_next[v] = 1;
            b->list_next[touched++] = v;
        }
    }
    for (int64_t i = 0; i < b->listed; i++)
        b->active[b->list[i]] = 0;
    for (int64_t i = 0; i < touched; i++) {
        uint32_t v = b->list_next[i];
        row came = b->fresh[v];
        arcs += take(b, v, &came);
        if (b->active_next[v])
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

bool dgmi_bfs_runs(dgmi_bfs_code code) {
    if (code == DGMI_BFS_AVX512)
        return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl");
    return code == DGMI_BFS_PLAIN || __builtin_cpu_supports("avx2");
}
#else
static const loops compiled[] = {{pull_plain, push_plain}};

bool dgmi_bfs_runs(dgmi_bfs_code code) {
    return code == DGMI_BFS_PLAIN;
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

static int64_t arcs_in_range(const batch *b) {
    return b->patches->out.offsets[b->end] - b->patches->out.offsets[b->begin];
}

static void pull_level(dgm_context *ctx, batch *b) {
    b->listed = -1;
    if (arcs_in_range(b) < SERIAL) {
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
        if (b->active[v])
            b->list[b->listed++] = (uint32_t)v;
}

static void push_level(batch *b) {
    if (b->listed < 0) {
        list_front(b);
        memset(b->active_next + b->begin, 0, (size_t)(b->end - b->begin));
    }
    compiled[b->code].push(b);
    uint32_t *list = b->list;
    b->list = b->list_next;
    b->list_next = list;
}

static void step(dgm_context *ctx, batch *b) {
    if (b->arcs > arcs_in_range(b) / PULL_SHARE)
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

/* Level 0: every source has seen itself, and may be seen by the rest of its component. */
static void start(batch *b) {
    const dgmi_patches *patches = b->patches;
    int64_t first = patches->component[b->sources[0]];
    int64_t last = patches->component[b->sources[b->count - 1]];
    b->begin = patches->starts[first];
    b->end = patches->starts[last + 1];
    memset(b->seen + b->begin, 0, (size_t)(b->end - b->begin) * sizeof *b->seen);
    memset(b->active + b->begin, 0, (size_t)(b->end - b->begin));
    memset(b->active_next + b->begin, 0, (size_t)(b->end - b->begin));
    for (int64_t c = first, i = 0; c <= last; c++) {
        int64_t before = i;
        while (i < b->count && b->sources[i] < patches->starts[c + 1])
            i++;
        for (int64_t v = patches->starts[c]; v < patches->starts[c + 1]; v++)
            b->left[v] = (uint32_t)(i - before);
    }
    b->all = (row){0};
    b->arcs = 0;
    for (int64_t i = 0; i < b->count; i++) {
        uint32_t s = b->sources[i];
        row self = {0};
        self[i / 64] = UINT64_C(1) << i % 64;
        b->all |= self;
        b->seen[s] = b->front[s] = self;
        b->active[s] = 1;
        b->left[s]--;
        b->list[i] = s;
        b->arcs += patches->out.offsets[s + 1] - patches->out.offsets[s];
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

dgm_status dgmi_bfs_sweep_by(dgm_context *ctx, const dgmi_patches *patches, const dgmi_sweep *sweep,
                             dgmi_bfs_code code) {
    int64_t n = patches->nodes;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    batch b = {.patches = patches, .sweep = sweep, .code = code};
    b.seen = dgmi_scratch(ctx, n, sizeof(row));
    b.front = dgmi_scratch(ctx, n, sizeof(row));
    b.fresh = dgmi_scratch(ctx, n, sizeof(row));
    b.active = dgmi_scratch(ctx, n, 1);
    b.active_next = dgmi_scratch(ctx, n, 1);
    b.left = dgmi_scratch(ctx, n, sizeof *b.left);
    b.list = dgmi_scratch(ctx, n, sizeof *b.list);
    b.list_next = dgmi_scratch(ctx, n, sizeof *b.list_next);
    b.chunk_arcs = dgmi_scratch(ctx, dgmi_chunks(n, GRAIN), sizeof *b.chunk_arcs);
    bool fits = b.seen && b.front && b.fresh && b.active && b.active_next && b.left && b.list &&
                b.list_next && b.chunk_arcs;
    dgm_status status = fits ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < sweep->count; i += BATCH) {
        b.sources = sweep->sources + i;
        b.count = sweep->count - i < BATCH ? sweep->count - i : BATCH;
        status = run(ctx, &b, (double)i / (double)sweep->count);
    }
    dgmi_arena_release(ctx, mark);
    return status;
}

dgm_status dgmi_bfs_sweep(dgm_context *ctx, const dgmi_patches *patches, const dgmi_sweep *sweep) {
    dgmi_bfs_code code = DGMI_BFS_AVX512;
    while (!dgmi_bfs_runs(code))
        code--;
    return dgmi_bfs_sweep_by(ctx, patches, sweep, code);
}
