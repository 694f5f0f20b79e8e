/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the edges of the graph between bundles of nodes.
 *
 * Edges of the few large bundles are counted in the order of the nodes, with one byte per node and
 * a small matrix of counters. Edges of the many small bundles are counted bundle by bundle in a row
 * of counters, as in Gustavson's sparse product (1978). Each edge takes one look-up: O(m).
 */
#include "mapper_stages.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum {
    TASK_ENTRIES = 1 << 18,
    BLOCK_CROSSINGS = DGMI_BUFFER(1 << 14),
    ROWS_AHEAD = 8,
    GRAIN = 1 << 12,
    MOST_LARGE = 63, /* large bundles */
    LEAST_LARGE = 8, /* nodes of a large bundle */
    LEAST_NEAR_BITS = 10,
};

/* Counters of one thread, by bundle. */
typedef struct {
    uint32_t *count;   /* one more than bundles: nodes in no cluster */
    uint32_t *touched; /* bundles counted, and room for one that is not new */
    int64_t touched_count;
    uint64_t
        *matrix; /* (large_count + 1) squared: edges between large bundles, each from both ends */
    int64_t *loops; /* of large bundles */
} counter_row;

typedef struct {
    dgm_graph_rows rows;
    const dgmi_mapper_bundles *bundles;
    const bool *silent; /* by bundle: its edges to other bundles are not asked for; or NULL */
    uint64_t *near;     /* bits at the hashes of pairs of clusters that share nodes; or NULL */
    int near_bits;      /* their number is a power of two */
    dgmi_mapper_crossings *crossings;
    uint32_t *large; /* the large bundles */
    int64_t large_count;
    uint8_t *rank;       /* by bundle: its place among the large ones, or large_count */
    uint8_t *rank_of;    /* by node */
    uint32_t *by_bundle; /* nodes of small bundles, grouped by bundle */
    int64_t nodes;       /* of them */
    int64_t *task_start;
    int64_t tasks;
    counter_row *counters; /* by thread */
} crossing_job;

static dgmi_mapper_crossing *open_crossing(dgmi_mapper_crossings *crossings, int thread) {
    dgmi_mapper_crossing_block *block = crossings->chains[thread];
    if (!block || block->count == BLOCK_CROSSINGS) {
        block = dgmi_allocator_resize(&crossings->allocator, NULL, 1,
                                      sizeof *block + BLOCK_CROSSINGS * sizeof *block->items);
        if (!block) {
            crossings->failed[thread] = true;
            return NULL;
        }
        block->older = crossings->chains[thread];
        block->count = 0;
        crossings->chains[thread] = block;
    }
    assert(block->count < BLOCK_CROSSINGS);
    return &block->items[block->count++];
}

static uint64_t near_hash(const crossing_job *job, uint32_t a, uint32_t b) {
    assert(job->near_bits > 0 && job->near_bits < 64);
    return dgmi_mapper_pair(a, b) * 0x9E3779B97F4A7C15u >> (64 - job->near_bits);
}

/* Whether anything is asked of edges between two bundles. Clusters whose pair happens to have the
 * hash of another are told apart later. */
static bool is_asked(const crossing_job *job, uint32_t a, uint32_t b) {
    if (!job->silent)
        return true;
    if (job->silent[a] || job->silent[b])
        return false;
    if (a >= job->bundles->clusters || b >= job->bundles->clusters)
        return true;
    uint64_t hash = near_hash(job, a, b);
    return job->near[hash / 64] >> hash % 64 & 1;
}

static void write_crossing(const crossing_job *job, uint32_t a, uint32_t b, int64_t edges,
                           int thread) {
    if (edges == 0 || !is_asked(job, a, b))
        return;
    dgmi_mapper_crossing *crossing = open_crossing(job->crossings, thread);
    if (crossing)
        *crossing = (dgmi_mapper_crossing){a, b, edges};
}

/* Writes down what a small bundle met, and clears the counters. In an undirected graph an edge
 * between two small bundles was counted from both ends and is written from the lower one, an edge
 * to a large bundle is counted here alone, edges inside the bundle were counted twice, loops once.
 */
static void flush_bundle(const crossing_job *job, uint32_t mine, int64_t loops, int thread) {
    counter_row *counter = &job->counters[thread];
    bool directed = job->rows.directed;
    int64_t same = (int64_t)counter->count[mine] - loops;
    assert(same >= 0 && counter->touched_count <= job->bundles->count + 1);
    for (int64_t i = 0; i < counter->touched_count; i++) {
        uint32_t other = counter->touched[i];
        bool here = directed ? other != mine : other > mine || job->rank[other] < job->large_count;
        if (here && other != job->bundles->count)
            write_crossing(job, mine, other, counter->count[other], thread);
        counter->count[other] = 0;
    }
    counter->touched_count = 0;
    if (same)
        __atomic_fetch_add(&job->crossings->same[mine], same, __ATOMIC_RELAXED);
}

/* Counts the row's entries by bundle without a branch; returns its loops. */
static int64_t count_row(const crossing_job *job, uint32_t u, counter_row *counter) {
    const uint32_t *bundle_of = job->bundles->of_node, *targets = job->rows.targets;
    uint32_t *count = counter->count, *touched = counter->touched;
    int64_t loops = 0, used = counter->touched_count;
    for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
        uint32_t v = targets[e], other = bundle_of[v];
        loops += v == u;
        touched[used] = other;
        used += count[other]++ == 0;
    }
    counter->touched_count = used;
    return loops;
}

/* Rows of the same bundle lie far apart: fetch the beginnings of those to come, two lines of each.
 */
static void fetch_ahead(const crossing_job *job, int64_t i, int64_t end) {
    enum { LINE_ENTRIES = 16 };
    if (i + 2 * ROWS_AHEAD < end)
        __builtin_prefetch(&job->rows.offsets[job->by_bundle[i + 2 * ROWS_AHEAD]]);
    if (i + ROWS_AHEAD < end) {
        const uint32_t *row = &job->rows.targets[job->rows.offsets[job->by_bundle[i + ROWS_AHEAD]]];
        __builtin_prefetch(row);
        __builtin_prefetch(row + LINE_ENTRIES);
    }
}

static void cross_task(void *argument, int64_t task, int thread) {
    const crossing_job *job = argument;
    const uint32_t *bundle_of = job->bundles->of_node;
    /* The last bundles are those of the hubs: the longest tasks start first. */
    int64_t begin = job->task_start[job->tasks - 1 - task],
            end = job->task_start[job->tasks - task];
    assert(0 <= task && task < job->tasks && begin < end && end <= job->nodes);
    uint32_t mine = bundle_of[job->by_bundle[begin]];
    int64_t loops = 0;
    for (int64_t i = begin; i < end; i++) {
        uint32_t u = job->by_bundle[i];
        if (bundle_of[u] != mine) {
            flush_bundle(job, mine, loops, thread);
            mine = bundle_of[u];
            loops = 0;
        }
        fetch_ahead(job, i, end);
        loops += count_row(job, u, &job->counters[thread]);
    }
    flush_bundle(job, mine, loops, thread);
}

/* Rows of large bundles, in node order. */
static void cross_large(void *argument, int64_t chunk, int thread) {
    const crossing_job *job = argument;
    const uint8_t *rank_of = job->rank_of;
    const uint32_t *targets = job->rows.targets;
    counter_row *counter = &job->counters[thread];
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        if (rank_of[u] == job->large_count)
            continue;
        uint64_t *row = counter->matrix + rank_of[u] * (job->large_count + 1);
        int64_t loops = 0;
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
            row[rank_of[targets[e]]]++;
            loops += targets[e] == u;
        }
        counter->loops[rank_of[u]] += loops;
    }
}

/* The matrices of all threads, written down. */
static void flush_large(const crossing_job *job) {
    int64_t width = job->large_count + 1;
    for (int t = 0; t < job->crossings->threads; t++)
        for (int64_t a = 0; a < job->large_count; a++) {
            const uint64_t *row = job->counters[t].matrix + a * width;
            job->crossings->same[job->large[a]] += (int64_t)row[a] - job->counters[t].loops[a];
            for (int64_t b = a + 1; b < job->large_count; b++)
                write_crossing(job, job->large[a], job->large[b], (int64_t)row[b], t);
        }
}

/* Chooses the largest bundles, up to MOST_LARGE of them. A directed edge stands in one row alone,
 * so there all are small. */
static dgm_status choose_large(dgm_context *ctx, crossing_job *job) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    job->large = dgmi_scratch(ctx, MOST_LARGE + 1, sizeof *job->large);
    job->rank = dgmi_scratch(ctx, bundles->count + 1, sizeof *job->rank);
    job->rank_of = dgmi_scratch(ctx, job->rows.nodes, sizeof *job->rank_of);
    if (!job->large || !job->rank || !job->rank_of)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < bundles->count && !job->rows.directed; c++) {
        if (bundles->members[c] < LEAST_LARGE)
            continue;
        int64_t k = job->large_count; /* insertion into the list of the largest, by size */
        for (; k > 0 && bundles->members[job->large[k - 1]] < bundles->members[c]; k--)
            job->large[k] = job->large[k - 1];
        job->large[k] = (uint32_t)c;
        job->large_count += job->large_count < MOST_LARGE;
    }
    assert(job->large_count <= MOST_LARGE);
    memset(job->rank, (int)job->large_count, (size_t)bundles->count + 1);
    for (int64_t k = 0; k < job->large_count; k++)
        job->rank[job->large[k]] = (uint8_t)k;
    for (int64_t u = 0; u < job->rows.nodes; u++)
        job->rank_of[u] = job->rank[bundles->of_node[u]];
    return DGM_OK;
}

/* A bundle is silent if it is a single cluster that shares no node with another one: the nerve does
 * not need its edges. */
static bool *find_silent(dgm_context *ctx, const dgmi_mapper_bundles *bundles) {
    bool *silent = dgmi_scratch_zero(ctx, bundles->count, sizeof *silent);
    if (!silent)
        return NULL;
    memset(silent, true, (size_t)bundles->clusters * sizeof *silent);
    for (int64_t i = 0; i < bundles->list_start[bundles->count - bundles->clusters]; i++)
        silent[bundles->lists[i]] = false;
    return silent;
}

/* Notes which pairs of clusters share nodes, about sixteen bits for each list. */
static dgm_status find_near(dgm_context *ctx, crossing_job *job) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    int64_t lists = bundles->count - bundles->clusters;
    for (job->near_bits = LEAST_NEAR_BITS; INT64_C(1) << job->near_bits < 16 * lists;)
        job->near_bits++;
    job->near = dgmi_scratch_zero(ctx, INT64_C(1) << (job->near_bits - 6), sizeof *job->near);
    if (!job->near)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < lists && !dgmi_cancelled(ctx); k++)
        for (int64_t i = bundles->list_start[k]; i < bundles->list_start[k + 1]; i++)
            for (int64_t j = i + 1; j < bundles->list_start[k + 1]; j++) {
                uint64_t hash = near_hash(job, bundles->lists[i], bundles->lists[j]);
                job->near[hash / 64] |= UINT64_C(1) << hash % 64;
            }
    return dgmi_progress(ctx, "joining clusters", 0);
}

/* Nodes in no cluster, and a silent bundle of one node: it has no edges inside either. */
static bool is_left_out(const crossing_job *job, int64_t bundle) {
    return bundle == job->bundles->count ||
           (job->silent && job->silent[bundle] && job->bundles->members[bundle] == 1);
}

/* Nodes of small bundles by bundle, by counting. */
static dgm_status group_nodes(dgm_context *ctx, crossing_job *job) {
    const dgmi_mapper_bundles *bundles = job->bundles;
    int64_t small = job->rows.nodes;
    for (int64_t k = 0; k < job->large_count; k++)
        small -= bundles->members[job->large[k]];
    job->by_bundle = dgmi_scratch(ctx, small, sizeof *job->by_bundle);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *start = dgmi_scratch(ctx, bundles->count + 1, sizeof *start);
    if (!job->by_bundle || !start)
        return DGM_ERROR_MEMORY;
    start[0] = 0;
    for (int64_t c = 0; c < bundles->count; c++)
        start[c + 1] = start[c] + (job->rank[c] == job->large_count && !is_left_out(job, c)
                                       ? (uint32_t)bundles->members[c]
                                       : 0);
    job->nodes = start[bundles->count];
    assert(job->nodes <= small);
    for (int64_t u = 0; u < job->rows.nodes; u++)
        if (job->rank_of[u] == job->large_count && !is_left_out(job, bundles->of_node[u]))
            job->by_bundle[start[bundles->of_node[u]]++] = (uint32_t)u;
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

/* Tasks of about TASK_ENTRIES entries each, whatever the degrees are. */
static dgm_status cut_tasks(dgm_context *ctx, crossing_job *job) {
    const int64_t *offsets = job->rows.offsets;
    int64_t most = (job->rows.entries + job->nodes) / TASK_ENTRIES + 2, load = TASK_ENTRIES;
    job->task_start = dgmi_scratch(ctx, most + 1, sizeof *job->task_start);
    if (!job->task_start)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < job->nodes; i++) {
        if (load >= TASK_ENTRIES) {
            job->task_start[job->tasks++] = i;
            load = 0;
        }
        uint32_t u = job->by_bundle[i];
        load += offsets[u + 1] - offsets[u] + 1;
    }
    job->task_start[job->tasks] = job->nodes;
    assert(job->tasks <= most);
    return DGM_OK;
}

static dgm_status make_counters(dgm_context *ctx, crossing_job *job, int threads) {
    int64_t count = job->bundles->count, width = job->large_count + 1;
    job->counters = dgmi_scratch_zero(ctx, threads, sizeof *job->counters);
    for (int t = 0; job->counters && t < threads; t++) {
        job->counters[t].count = dgmi_scratch_zero(ctx, count + 1, sizeof(uint32_t));
        job->counters[t].touched = dgmi_scratch(ctx, count + 2, sizeof(uint32_t));
        job->counters[t].matrix = dgmi_scratch_zero(ctx, width * width, sizeof(uint64_t));
        job->counters[t].loops = dgmi_scratch_zero(ctx, width, sizeof(int64_t));
        if (!job->counters[t].count || !job->counters[t].touched || !job->counters[t].matrix ||
            !job->counters[t].loops)
            return DGM_ERROR_MEMORY;
    }
    return job->counters ? DGM_OK : DGM_ERROR_MEMORY;
}

void dgmi_mapper_crossings_free(dgmi_mapper_crossings *crossings) {
    for (int t = 0; t < crossings->threads; t++)
        while (crossings->chains[t]) {
            dgmi_mapper_crossing_block *block = crossings->chains[t];
            crossings->chains[t] = block->older;
            dgmi_allocator_free(&crossings->allocator, block);
        }
    crossings->threads = 0;
}

/* The blocks of all threads in one array. */
static dgm_status list_blocks(dgm_context *ctx, dgmi_mapper_crossings *crossings) {
    int64_t count = 0;
    for (int t = 0; t < crossings->threads; t++)
        for (dgmi_mapper_crossing_block *block = crossings->chains[t]; block; block = block->older)
            count++;
    crossings->blocks = dgmi_scratch(ctx, count, sizeof *crossings->blocks);
    if (!crossings->blocks)
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < crossings->threads; t++)
        for (dgmi_mapper_crossing_block *block = crossings->chains[t]; block; block = block->older)
            crossings->blocks[crossings->block_count++] = block;
    return DGM_OK;
}

static dgm_status cross_bundles(dgm_context *ctx, crossing_job *job, bool nerve_only) {
    dgmi_mapper_crossings *crossings = job->crossings;
    dgm_status status = choose_large(ctx, job);
    if (status == DGM_OK && nerve_only) {
        job->silent = find_silent(ctx, job->bundles);
        status = job->silent ? find_near(ctx, job) : DGM_ERROR_MEMORY;
    }
    if (status == DGM_OK)
        status = group_nodes(ctx, job);
    if (status == DGM_OK)
        status = cut_tasks(ctx, job);
    if (status == DGM_OK)
        status = make_counters(ctx, job, crossings->threads);
    if (status != DGM_OK)
        return status;
    if (job->large_count)
        dgmi_parallel(ctx, dgmi_chunks(job->rows.nodes, GRAIN), cross_large, job);
    dgmi_parallel(ctx, job->tasks, cross_task, job);
    flush_large(job);
    for (int t = 0; t < crossings->threads; t++)
        if (crossings->failed[t])
            return dgmi_fail_memory(ctx, BLOCK_CROSSINGS, sizeof(dgmi_mapper_crossing));
    for (int64_t c = 0; !job->rows.directed && c < job->bundles->count; c++)
        crossings->same[c] /= 2;
    return DGM_OK;
}

/* A cover of a few nodes by very many cells makes every cluster meet every other: known before any
 * pair is looked at. */
static dgm_status check_pairs(dgm_context *ctx, const dgmi_mapper_bundles *bundles) {
    double pairs = 0;
    for (int64_t k = 0; k < bundles->count - bundles->clusters; k++) {
        double length = (double)(bundles->list_start[k + 1] - bundles->list_start[k]);
        pairs += length * (length - 1) / 2;
    }
    return dgmi_mapper_meetings_check(ctx, bundles->clusters, pairs);
}

dgm_status dgmi_mapper_crossings_make(dgm_context *ctx, dgm_graph_rows rows,
                                      const dgmi_mapper_bundles *bundles, bool nerve_only,
                                      dgmi_mapper_crossings *crossings) {
    int threads = dgm_context_threads(ctx);
    *crossings = (dgmi_mapper_crossings){.allocator = ctx->allocator};
    dgm_status status = check_pairs(ctx, bundles);
    if (status != DGM_OK)
        return status;
    crossings->same = dgmi_scratch_zero(ctx, bundles->count, sizeof *crossings->same);
    crossings->chains = dgmi_scratch_zero(ctx, threads, sizeof *crossings->chains);
    crossings->failed = dgmi_scratch_zero(ctx, threads, sizeof *crossings->failed);
    if (!crossings->same || !crossings->chains || !crossings->failed)
        return DGM_ERROR_MEMORY;
    crossings->threads = threads;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    crossing_job job = {.rows = rows, .bundles = bundles, .crossings = crossings};
    status = cross_bundles(ctx, &job, nerve_only);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        status = list_blocks(ctx, crossings);
    if (status != DGM_OK)
        dgmi_mapper_crossings_free(crossings);
    return status;
}
