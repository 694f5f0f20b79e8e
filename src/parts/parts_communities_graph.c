/* SPDX-License-Identifier: Apache-2.0 */
/* The lowest level: rows of both directions, with weights in fixed point.
 *
 * The sum of all strengths is at most 2^52, so that it and all parts of it are exact as 64-bit
 * integers and as floating-point numbers alike. Real weights are multiplied by a power of two that
 * brings the sum near to that; what is above zero stays above zero.
 */
#include "parts_communities.h"

#include <math.h>
#include <stddef.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

enum { SUM_BITS = 51, GRAIN = 1 << 13, MOST_SUMS = 256 };

static const dgm_option communities_options[] = {
    {.name = "resolution",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_communities_options, resolution),
     .minimum = 1e-6,
     .maximum = 1e6,
     .default_text = "1",
     .argument = "R",
     .help = "larger numbers give more and smaller communities"},
    {.name = "weighted",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_communities_options, weighted),
     .default_text = "true",
     .help = "edges count by their weights, those below zero as zero"},
    DGMI_SEED_OPTION(offsetof(dgm_communities_options, seed)),
};

const dgm_option_table dgmi_parts_communities_table = {
    "communities", communities_options, sizeof communities_options / sizeof *communities_options};

const dgm_option_table *dgm_communities_option_table(void) {
    return &dgmi_parts_communities_table;
}

dgm_status dgmi_parts_options_take(dgm_context *ctx, const dgm_communities_options *given,
                                   dgm_communities_options *out) {
    dgm_communities_options_init(out);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_communities_options, seed, given, out);
    return status == DGM_OK ? dgm_options_check(ctx, dgm_communities_option_table(), out) : status;
}

/* ---- from weights to whole numbers ---- */

/* A power of two as two factors: one alone may be out of range. */
typedef struct {
    double first, second;
} power;

static power power_of_two(int exponent) {
    return (power){ldexp(1, exponent / 2), ldexp(1, exponent - exponent / 2)};
}

typedef struct {
    const double *weights;
    int64_t entries, grain;
    power scale;
    double results[MOST_SUMS]; /* by chunk */
} weight_job;

static void find_largest(void *argument, int64_t chunk, int thread) {
    (void)thread;
    weight_job *job = argument;
    int64_t begin, end;
    double largest = 0;
    dgmi_chunk(job->entries, job->grain, chunk, &begin, &end);
    for (int64_t e = begin; e < end; e++)
        largest = job->weights[e] > largest ? job->weights[e] : largest;
    job->results[chunk] = largest;
}

static void sum_weights(void *argument, int64_t chunk, int thread) {
    (void)thread;
    weight_job *job = argument;
    int64_t begin, end;
    double sum = 0;
    dgmi_chunk(job->entries, job->grain, chunk, &begin, &end);
    for (int64_t e = begin; e < end; e++)
        if (job->weights[e] > 0)
            sum += job->weights[e] * job->scale.first * job->scale.second;
    job->results[chunk] = sum;
}

/* The power of two that weights are multiplied by: `copies` times their sum is then about 2^51. */
static power find_scale(dgm_context *ctx, const dgm_graph_rows *rows) {
    weight_job job = {.weights = rows->weights, .entries = rows->entries};
    double largest = 0, sum = 0;
    int of_largest, of_sum;
    job.grain = (rows->entries + MOST_SUMS - 1) / MOST_SUMS;
    job.grain = job.grain < GRAIN ? GRAIN : job.grain;
    int64_t chunks = dgmi_chunks(rows->entries, job.grain);
    dgmi_parallel(ctx, chunks, find_largest, &job);
    for (int64_t c = 0; c < chunks; c++)
        largest = fmax(largest, job.results[c]);
    frexp(largest, &of_largest);
    job.scale = power_of_two(-of_largest);
    dgmi_parallel(ctx, chunks, sum_weights, &job);
    for (int64_t c = 0; c < chunks; c++)
        sum += job.results[c];
    frexp(2 * sum, &of_sum); /* twice: directed edges stand in two rows, and loops count double */
    return power_of_two(SUM_BITS - of_sum - of_largest);
}

static int64_t fixed(power scale, double weight) {
    if (!(weight > 0))
        return 0;
    int64_t whole = llrint(weight * scale.first * scale.second);
    return whole > 0 ? whole : 1;
}

/* ---- rows ---- */

typedef struct {
    dgm_graph_rows rows;
    power scale;
    bool weighted;
    int64_t grain;     /* in nodes */
    int64_t *offsets;  /* of the level's rows */
    int64_t *places;   /* directed: where the next edge from outside goes */
    uint32_t *targets; /* directed */
    int64_t *weights;  /* weighted */
    int64_t *strengths;
} level_job;

static void fix_weights(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const level_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.entries, GRAIN, chunk, &begin, &end);
    for (int64_t e = begin; e < end; e++)
        job->weights[e] = fixed(job->scale, job->rows.weights[e]);
}

/* A directed edge stands in two rows, and a loop in one. */
static void count_ends(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const level_job *job = argument;
    const dgm_graph_rows *rows = &job->rows;
    int64_t begin, end;
    dgmi_chunk(rows->nodes, job->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        __atomic_fetch_add(&job->offsets[u], rows->offsets[u + 1] - rows->offsets[u],
                           __ATOMIC_RELAXED);
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
            if (rows->targets[e] != u)
                __atomic_fetch_add(&job->offsets[rows->targets[e]], 1, __ATOMIC_RELAXED);
    }
}

static void place_edge(const level_job *job, int64_t place, uint32_t target, int64_t entry) {
    job->targets[place] = target;
    if (job->weights)
        job->weights[place] = fixed(job->scale, job->rows.weights[entry]);
}

/* A row begins with its node's own edges; those of others come behind, as threads race for it. */
static void place_ends(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const level_job *job = argument;
    const dgm_graph_rows *rows = &job->rows;
    int64_t begin, end;
    dgmi_chunk(rows->nodes, job->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            uint32_t v = rows->targets[e];
            place_edge(job, job->offsets[u] + e - rows->offsets[u], v, e);
            if (v != u)
                place_edge(job, __atomic_fetch_add(&job->places[v], 1, __ATOMIC_RELAXED),
                           (uint32_t)u, e);
        }
}

static void start_places(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const level_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, job->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->places[u] = job->offsets[u] + job->rows.offsets[u + 1] - job->rows.offsets[u];
}

static void sort_ends(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const level_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, job->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        int64_t from = job->offsets[u] + job->rows.offsets[u + 1] - job->rows.offsets[u];
        dgmi_parts_sort(job->targets + from, job->weights ? job->weights + from : NULL,
                        job->offsets[u + 1] - from);
    }
}

/* The rows of a directed graph and of its transpose, together. An edge in either direction adds
 * its weight. */
static dgm_status join_directions(dgm_context *ctx, level_job *job, dgmi_parts_level *level) {
    int64_t nodes = job->rows.nodes, chunks = dgmi_chunks(nodes, job->grain);
    job->offsets = dgmi_scratch_zero(ctx, nodes + 1, sizeof *job->offsets);
    job->places = dgmi_scratch(ctx, nodes, sizeof *job->places);
    if (!job->offsets || !job->places)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, count_ends, job);
    level->entries = dgmi_parts_scan(ctx, job->offsets, nodes + 1);
    job->targets = dgmi_scratch(ctx, level->entries, sizeof *job->targets);
    if (job->weighted)
        job->weights = dgmi_scratch(ctx, level->entries, sizeof *job->weights);
    if (!job->targets || (job->weighted && !job->weights))
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, start_places, job);
    dgmi_parallel(ctx, chunks, place_ends, job);
    dgmi_parallel(ctx, chunks, sort_ends, job);
    level->begin = job->offsets;
    level->targets = job->targets;
    return DGM_OK;
}

static dgm_status take_rows(dgm_context *ctx, level_job *job, dgmi_parts_level *level) {
    level->entries = job->rows.entries;
    level->begin = job->rows.offsets;
    level->targets = job->rows.targets;
    if (!job->weighted)
        return DGM_OK;
    job->weights = dgmi_scratch(ctx, level->entries, sizeof *job->weights);
    if (!job->weights)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(level->entries, GRAIN), fix_weights, job);
    return DGM_OK;
}

/* ---- strengths ---- */

typedef struct {
    const dgmi_parts_level *level;
    int64_t *strengths;
    int64_t grain;
    int64_t whole, longest; /* of all chunks */
} strength_job;

static void raise_to(int64_t *most, int64_t value) {
    int64_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (value > seen && !__atomic_compare_exchange_n(most, &seen, value, true, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
    }
}

static void sum_strengths(void *argument, int64_t chunk, int thread) {
    (void)thread;
    strength_job *job = argument;
    const dgmi_parts_level *level = job->level;
    int64_t begin, end, whole = 0, longest = 0;
    dgmi_chunk(level->nodes, job->grain, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        int64_t strength = 0, length = level->end[u] - level->begin[u];
        for (int64_t e = level->begin[u]; e < level->end[u]; e++)
            strength += dgmi_parts_weight(level, e) << (level->targets[e] == u);
        job->strengths[u] = strength;
        whole += strength;
        longest = length > longest ? length : longest;
    }
    __atomic_fetch_add(&job->whole, whole, __ATOMIC_RELAXED);
    raise_to(&job->longest, longest);
}

static dgm_status add_strengths(dgm_context *ctx, double resolution, dgmi_parts_level *level) {
    strength_job job = {.level = level, .grain = dgmi_parts_grain(level)};
    job.strengths = dgmi_scratch(ctx, level->nodes, sizeof *job.strengths);
    if (!job.strengths)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, dgmi_chunks(level->nodes, job.grain), sum_strengths, &job);
    assert(job.whole <= INT64_C(1) << (SUM_BITS + 1));
    level->strengths = job.strengths;
    level->longest = job.longest;
    level->resolution = resolution;
    level->pull = job.whole > 0 ? resolution / (double)job.whole : 0;
    return DGM_OK;
}

dgm_status dgmi_parts_level_make(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_communities_options *options, dgmi_parts_level *level) {
    level_job job = {.rows = dgm_graph_get_rows(graph)};
    DGMI_ASSERT_WALK(
        dgmi_rows_fit(job.rows.offsets, job.rows.targets, job.rows.nodes, job.rows.nodes));
    *level = (dgmi_parts_level){.nodes = job.rows.nodes, .entries = job.rows.entries};
    job.weighted = options->weighted && job.rows.weights;
    job.grain = dgmi_parts_grain(level);
    if (job.weighted)
        job.scale = find_scale(ctx, &job.rows);
    dgm_status status =
        job.rows.directed ? join_directions(ctx, &job, level) : take_rows(ctx, &job, level);
    level->end = level->begin + 1;
    level->weights = job.weights;
    return status == DGM_OK ? add_strengths(ctx, options->resolution, level) : status;
}
