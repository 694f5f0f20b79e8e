/* SPDX-License-Identifier: Apache-2.0 */
/* Betweenness (Freeman 1977): the sum over sources s of Brandes' dependencies delta_s(v), O(nm).
 *
 * Beyond a budget of nodes, k sources stand for all (Brandes and Pich 2007), drawn without
 * replacement. delta_v(v) is no path through v, so v's own draw, if it happened, is left out: with
 * k_v = k or k - 1 draws x among the N = n - 1 other nodes,
 *
 *   estimate(v) = N / k_v * sum x,     error(v) = N sqrt((1 - k_v / N) var(x) / k_v),
 *
 * var being the sample variance. The error of the lens is the largest error(v). Its 95% interval
 * estimate(v) +- h holds for all nodes at once: h is where sum over v of P(|Z| > h / error(v)), Z
 * normal, comes down to 0.05 (Bonferroni's bound).
 *
 * Sums go into a number of accumulators that depends on the graph alone, each fed with its own
 * sources in order, and are added up in order: the same bytes for any number of threads.
 */
#include "lens_brandes.h"
#include "lens_columns.h"
#include "lens_lens.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_option.h"
#include "base_parallel.h"
#include "base_random.h"
#include "graph_scale.h"

static const dgm_option betweenness_options[] = {
    {.name = "weighted",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_betweenness_options, weighted),
     .default_text = "false",
     .help = "weights are lengths of edges"},
    {.name = "normalised",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_betweenness_options, normalised),
     .default_text = "true",
     .help = "divide by the number of pairs of other nodes"},
    {.name = "budget",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_betweenness_options, budget),
     .minimum = 0,
     .maximum = (double)DGM_MAX_NODES,
     .default_text = "20000",
     .argument = "N",
     .help = "graphs of more nodes are sampled"},
    {.name = "samples",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_betweenness_options, samples),
     .minimum = 3,
     .maximum = (double)DGM_MAX_NODES,
     .default_text = "512",
     .argument = "K",
     .help = "sources to search from beyond the budget"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_betweenness_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of the sample"},
};
const dgm_option_table dgmi_lens_betweenness_table = {
    "betweenness", betweenness_options, sizeof betweenness_options / sizeof *betweenness_options};

const dgm_option_table *dgm_betweenness_option_table(void) {
    return &dgmi_lens_betweenness_table;
}

/* ---- sums over the sources ---- */

typedef struct {
    dgm_graph_rows rows;
    bool weighted;
    const uint32_t *sources; /* NULL: every node */
    int64_t source_count;
    int64_t accumulators, turn;      /* sources that an accumulator takes in one round */
    int64_t begin;                   /* first source of the round */
    dgmi_lens_brandes_space *spaces; /* by thread */
    double *sums, *squares;          /* accumulators * nodes; squares NULL: not wanted */
} sum_job;

static void sum_chunk(void *argument, int64_t accumulator, int thread) {
    const sum_job *job = argument;
    int64_t begin = job->begin + accumulator * job->turn, end = begin + job->turn;
    int64_t shift = accumulator * job->rows.nodes;
    for (int64_t i = begin; i < end && i < job->source_count; i++)
        dgmi_lens_brandes_add(&job->rows, job->weighted,
                              job->sources ? job->sources[i] : (uint32_t)i, &job->spaces[thread],
                              job->sums + shift, job->squares ? job->squares + shift : NULL);
}

/* Enough accumulators to keep threads busy in at most some 64 MB, turns long enough to be worth it.
 */
static void plan_sums(sum_job *job) {
    enum { ENTRIES = 1 << 23, FEWEST = 4, MOST = 64, WORK = 1 << 18 };
    int64_t fit = ENTRIES / (job->rows.nodes + 1);
    int64_t turn = WORK / (job->rows.nodes + job->rows.entries + 1);
    job->accumulators = fit < FEWEST ? FEWEST : fit > MOST ? MOST : fit;
    job->turn = turn < 1 ? 1 : turn > MOST ? MOST : turn;
}

/* The accumulators added up, in order, in the first. */
static void fold(const sum_job *job, double *sums) {
    int64_t n = job->rows.nodes;
    for (int64_t a = 1; sums && a < job->accumulators; a++)
        for (int64_t u = 0; u < n; u++)
            sums[u] += sums[a * n + u];
}

/* Accumulators, and a search for every thread. */
static dgm_status tell_need(dgm_context *ctx, const sum_job *job, int threads, bool squares) {
    double node = (double)(job->accumulators * (squares ? 2 : 1)) * sizeof(double) +
                  (double)(threads * dgmi_lens_brandes_space_bytes(job->weighted));
    double bytes = node * (double)job->rows.nodes;
    const dgmi_need need = {
        "the lens 'betweenness'", bytes, bytes,
        "use fewer threads (" DGMI_NAMED("threads=1") ") or another lens (pagerank and core "
                                                      "need far less)"};
    return dgmi_need_tell(ctx, &need);
}

static dgm_status sum_sources(dgm_context *ctx, sum_job *job, bool squares) {
    int threads = dgm_context_threads(ctx);
    int64_t n = job->rows.nodes;
    plan_sums(job);
    dgm_status fits = tell_need(ctx, job, threads, squares);
    if (fits != DGM_OK)
        return fits;
    job->spaces = dgmi_scratch(ctx, threads, sizeof *job->spaces);
    job->sums = dgmi_scratch_zero(ctx, job->accumulators * n, sizeof *job->sums);
    if (squares)
        job->squares = dgmi_scratch_zero(ctx, job->accumulators * n, sizeof *job->squares);
    if (!job->spaces || !job->sums || (squares && !job->squares))
        return DGM_ERROR_MEMORY;
    for (int t = 0; t < threads; t++)
        if (dgmi_lens_brandes_space_make(ctx, n, job->weighted, &job->spaces[t]) != DGM_OK)
            return DGM_ERROR_MEMORY;
    int64_t round = job->accumulators * job->turn;
    for (; job->begin < job->source_count; job->begin += round) {
        dgm_status status = dgmi_progress(ctx, "computing betweenness",
                                          (double)job->begin / (double)job->source_count);
        if (status != DGM_OK)
            return status;
        int64_t left = dgmi_chunks(job->source_count - job->begin, job->turn);
        dgmi_parallel(ctx, left < job->accumulators ? left : job->accumulators, sum_chunk, job);
    }
    fold(job, job->sums);
    fold(job, job->squares);
    return DGM_OK;
}

/* ---- samples ---- */

/* The first `count` of all nodes in random order (Fisher and Yates). */
static dgm_status draw_sources(dgm_context *ctx, int64_t nodes, int64_t count, int64_t seed,
                               uint32_t **out) {
    dgmi_random random = {(uint64_t)seed, 0x6277 /* this lens's stream */, 0};
    uint32_t *order = dgmi_scratch(ctx, nodes, sizeof *order);
    if (!order)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        order[u] = (uint32_t)u;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = i + (int64_t)dgmi_random_next_below(&random, (uint64_t)(nodes - i));
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    *out = order;
    return DGM_OK;
}

/* Estimates into values, as the head of this file says, errors into job->squares; the largest. */
static double estimate(const sum_job *job, const uint8_t *drawn, double scale, double *values) {
    double others = (double)(job->rows.nodes - 1), worst = 0;
    for (int64_t u = 0; u < job->rows.nodes; u++) {
        double draws = (double)(job->source_count - drawn[u]), mean = job->sums[u] / draws;
        double variance = (job->squares[u] - mean * job->sums[u]) / (draws - 1);
        double error =
            others * scale * sqrt(fmax(variance, 0) * fmax(1 - draws / others, 0) / draws);
        values[u] = others * scale * mean;
        job->squares[u] = error;
        worst = error > worst ? error : worst;
    }
    return worst;
}

/* h by bisection. Errors below a quarter of the largest add nothing that a double would notice. */
static double half_width(double *errors, int64_t count, double worst) {
    double low = 0, high = 40 * worst;
    int64_t large = 0;
    for (int64_t u = 0; u < count; u++)
        if (errors[u] > worst / 4)
            errors[large++] = errors[u];
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2, outside = 0;
        for (int64_t i = 0; i < large && outside <= 0.05; i++)
            outside += erfc(middle / errors[i] / sqrt(2));
        if (outside > 0.05)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static dgm_status sampled(dgm_context *ctx, sum_job *job, const dgm_betweenness_options *options,
                          double scale, dgm_matrix *lens) {
    int64_t n = job->rows.nodes;
    uint32_t *sources = NULL;
    uint8_t *drawn = dgmi_scratch_zero(ctx, n, sizeof *drawn);
    job->source_count = options->samples;
    dgm_status status = drawn ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = draw_sources(ctx, n, options->samples, options->seed, &sources);
    job->sources = sources;
    if (status == DGM_OK)
        status = sum_sources(ctx, job, true);
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < options->samples; i++)
        drawn[sources[i]] = 1;
    double error = estimate(job, drawn, scale, dgm_matrix_values_mutable(lens));
    dgm_matrix_set_column_error(lens, 0, error);
    dgmi_note(ctx,
              "betweenness is estimated from %lld of %lld sources: standard error %.3g or less, "
              "95%% interval +-%.3g for all nodes at once (budget=%lld makes it exact)",
              (long long)options->samples, (long long)n, error, half_width(job->squares, n, error),
              (long long)n);
    return DGM_OK;
}

/* ---- the lens ---- */

static dgm_status check_lengths(dgm_context *ctx, const dgm_graph *graph, dgm_graph_rows rows) {
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (!(rows.weights[e] > 0)) {
                char name[64];
                dgm_graph_name(graph, u, name, sizeof name);
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "weighted betweenness takes weights as lengths, which must be "
                                 "above 0; an edge of node '%s' weighs %.6g",
                                 name, rows.weights[e]);
            }
    return DGM_OK;
}

/* Every unordered pair of an undirected graph is met from both ends. */
static double scale_of(const dgm_graph_rows *rows, bool normalised) {
    double n = (double)rows->nodes;
    if (normalised && n > 2)
        return 1 / ((n - 1) * (n - 2));
    return rows->directed ? 1 : 0.5;
}

static dgm_status betweenness(dgm_context *ctx, const dgm_graph *graph,
                              const dgm_betweenness_options *options, dgm_matrix *lens) {
    sum_job job = {.rows = dgm_graph_get_rows(graph)};
    job.weighted = options->weighted && job.rows.weights;
    job.source_count = job.rows.nodes;
    double scale = scale_of(&job.rows, options->normalised);
    int exponent;
    dgm_status status = job.weighted ? check_lengths(ctx, graph, job.rows) : DGM_OK;
    if (status == DGM_OK && job.weighted)
        status = dgmi_graph_weights_scale(ctx, &job.rows, &exponent);
    if (status != DGM_OK)
        return status;
    if (job.rows.nodes > options->budget && job.rows.nodes > options->samples)
        return sampled(ctx, &job, options, scale, lens);
    status = sum_sources(ctx, &job, false);
    for (int64_t u = 0; status == DGM_OK && u < job.rows.nodes; u++)
        dgm_matrix_values_mutable(lens)[u] = job.sums[u] * scale;
    return status;
}

dgm_status dgm_lens_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_betweenness_options *options, dgm_matrix **out) {
    *out = NULL;
    dgm_betweenness_options use = DGM_BETWEENNESS_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_betweenness_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_betweenness_table, &use);
    if (status == DGM_OK)
        status = dgmi_lens_column(ctx, graph, "betweenness", out);
    if (status == DGM_OK)
        status = betweenness(ctx, graph, &use, *out);
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}
