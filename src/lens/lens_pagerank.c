/* SPDX-License-Identifier: Apache-2.0 */
/* PageRank (Brin and Page 1998) by pull-style power iteration.
 *
 *   x_i <- (1 - alpha) / n + alpha (sum over j -> i of x_j w_ji / s_j + dangling / n),   s_j = sum
 * of w_ji over i
 *
 * (the paper's equation divides by the degree of i; it must be that of j). Stops when the L1 change
 * of a step is below the tolerance. O(m) a step; chunks are fixed, so sums are the same for any
 * number of threads.
 */
#include "lens_lens.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 1 << 12 };

static const dgm_option pagerank_options[] = {
    {.name = "alpha",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_pagerank_options, alpha),
     .minimum = 0,
     .maximum = 1,
     .open_maximum = true,
     .default_text = "0.85",
     .argument = "A",
     .help = "chance of following an edge"},
    {.name = "tolerance",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_pagerank_options, tolerance),
     .minimum = 1e-15,
     .maximum = 1,
     .default_text = "1e-10",
     .argument = "T",
     .help = "stop when a step changes less than this in sum"},
    {.name = "iterations",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_pagerank_options, iterations),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "1000",
     .argument = "N",
     .help = "at most this many steps"},
    {.name = "weighted",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_pagerank_options, weighted),
     .default_text = "false",
     .help = "follow edges in proportion to their weights"},
};
const dgm_option_table dgmi_pagerank_table = {"pagerank", pagerank_options,
                                              sizeof pagerank_options / sizeof *pagerank_options};

const dgm_option_table *dgm_pagerank_option_table(void) {
    return &dgmi_pagerank_table;
}

void dgm_pagerank_options_init(dgm_pagerank_options *options) {
    *options = (dgm_pagerank_options)DGM_PAGERANK_OPTIONS_INIT;
}

/* Who points at each node: the rows themselves if the graph is undirected, their transpose
 * otherwise. */
typedef struct {
    const int64_t *offsets;
    const uint32_t *sources;
    const double *weights; /* NULL: ones */
} in_rows;

typedef struct {
    in_rows in;
    int64_t nodes;
    double *rank, *next;
    double *share;      /* rank / strength: what a node gives along an edge of weight 1 */
    double *strength;   /* sum of the weights of out-edges; 0: dangling */
    double base, alpha; /* next = base + alpha * sum of shares */
    double *change;     /* by chunk: L1 */
    double *dangling;   /* by chunk: rank of dangling nodes after the step */
} power_job;

static void power_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    power_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    double change = 0, dangling = 0;
    for (int64_t i = begin; i < end; i++) {
        double sum = 0;
        for (int64_t e = job->in.offsets[i]; e < job->in.offsets[i + 1]; e++)
            sum += job->in.weights ? job->share[job->in.sources[e]] * job->in.weights[e]
                                   : job->share[job->in.sources[e]];
        double rank = job->base + job->alpha * sum;
        change += fabs(rank - job->rank[i]);
        dangling += job->strength[i] > 0 ? 0 : rank;
        job->next[i] = rank;
    }
    job->change[chunk] = change;
    job->dangling[chunk] = dangling;
}

static void share_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    power_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->share[i] = job->strength[i] > 0 ? job->rank[i] / job->strength[i] : 0;
}

static double sum_of(const double *values, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static dgm_status iterate(dgm_context *ctx, power_job *job, const dgm_pagerank_options *options) {
    int64_t chunks = dgmi_chunks(job->nodes, GRAIN), n = job->nodes;
    double dangling = 0, change = 0;
    for (int64_t i = 0; i < n; i++) {
        job->rank[i] = 1.0 / (double)n;
        dangling += job->strength[i] > 0 ? 0 : job->rank[i];
    }
    for (int64_t step = 0; step < options->iterations; step++) {
        /* The change shrinks by about alpha a step: steps left tell the fraction. */
        double left =
            change > 0 ? log(options->tolerance / change) / log(options->alpha + 1e-9) : 99;
        dgm_status status = dgmi_progress(ctx, "computing PageRank",
                                          (double)step / ((double)step + (left > 1 ? left : 1)));
        if (status != DGM_OK)
            return status;
        job->base = (1 - job->alpha + job->alpha * dangling) / (double)n;
        dgmi_parallel(ctx, chunks, share_chunk, job);
        dgmi_parallel(ctx, chunks, power_chunk, job);
        change = sum_of(job->change, chunks);
        dangling = sum_of(job->dangling, chunks);
        double *swap = job->rank;
        job->rank = job->next;
        job->next = swap;
        if (change < options->tolerance)
            return DGM_OK;
    }
    return dgmi_fail(
        ctx, DGM_ERROR_DATA,
        "PageRank reached a change of %.3g, not %.3g, in %lld steps; raise iterations or "
        "tolerance (--lens pagerank:iterations=...,tolerance=...)",
        change, options->tolerance, (long long)options->iterations);
}

/* In-rows of a directed graph by counting; in scratch memory. */
static dgm_status transpose(dgm_context *ctx, dgm_graph_rows rows, bool weighted, in_rows *in) {
    int64_t *offsets = dgmi_scratch_zero(ctx, rows.nodes + 2, sizeof *offsets);
    uint32_t *sources = dgmi_scratch(ctx, rows.entries, sizeof *sources);
    double *weights = weighted ? dgmi_scratch(ctx, rows.entries, sizeof *weights) : NULL;
    if (!offsets || !sources || (weighted && !weights))
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < rows.entries; e++)
        offsets[rows.targets[e] + 2]++;
    for (int64_t i = 0; i < rows.nodes; i++)
        offsets[i + 2] += offsets[i + 1];
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t place = offsets[rows.targets[e] + 1]++;
            sources[place] = (uint32_t)u;
            if (weighted)
                weights[place] = rows.weights[e];
        }
    *in = (in_rows){offsets, sources, weights};
    return DGM_OK;
}

static dgm_status out_strengths(dgm_context *ctx, dgm_graph_rows rows, bool weighted,
                                double *strength) {
    for (int64_t u = 0; u < rows.nodes; u++) {
        strength[u] = weighted ? 0 : (double)(rows.offsets[u + 1] - rows.offsets[u]);
        for (int64_t e = rows.offsets[u]; weighted && e < rows.offsets[u + 1]; e++) {
            if (rows.weights[e] < 0)
                return dgmi_fail(
                    ctx, DGM_ERROR_DATA,
                    "weighted PageRank needs weights of at least 0; an edge of node %lld "
                    "weighs %.6g",
                    (long long)u, rows.weights[e]);
            strength[u] += rows.weights[e];
        }
    }
    return DGM_OK;
}

static dgm_status pagerank(dgm_context *ctx, dgm_graph_rows rows,
                           const dgm_pagerank_options *options, double *result) {
    bool weighted = options->weighted && rows.weights;
    int64_t n = rows.nodes, chunks = dgmi_chunks(n, GRAIN);
    power_job job = {.in = {rows.offsets, rows.targets, weighted ? rows.weights : NULL},
                     .nodes = n,
                     .alpha = options->alpha,
                     .rank = result};
    job.next = dgmi_scratch(ctx, n, sizeof(double));
    job.share = dgmi_scratch(ctx, n, sizeof(double));
    job.strength = dgmi_scratch(ctx, n, sizeof(double));
    job.change = dgmi_scratch(ctx, chunks, sizeof(double));
    job.dangling = dgmi_scratch(ctx, chunks, sizeof(double));
    if (!job.next || !job.share || !job.strength || !job.change || !job.dangling)
        return DGM_ERROR_MEMORY;
    dgm_status status = out_strengths(ctx, rows, weighted, job.strength);
    if (status == DGM_OK && rows.directed)
        status = transpose(ctx, rows, weighted, &job.in);
    if (status == DGM_OK)
        status = iterate(ctx, &job, options);
    for (int64_t i = 0; status == DGM_OK && job.rank != result && i < n; i++)
        result[i] = job.rank[i];
    return status;
}

dgm_status dgm_lens_pagerank(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_pagerank_options *options, dgm_matrix **out) {
    *out = NULL;
    dgm_pagerank_options use = DGM_PAGERANK_OPTIONS_INIT;
    if (options)
        use = *options;
    dgm_matrix *lens = NULL;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgm_status status = dgm_options_check(ctx, &dgmi_pagerank_table, &use);
    if (status == DGM_OK)
        status = dgm_matrix_create(ctx, dgm_graph_nodes(graph), 1, &lens);
    if (status == DGM_OK)
        status = dgm_matrix_set_column_name(ctx, lens, 0, "pagerank");
    if (status == DGM_OK && dgm_graph_nodes(graph) > 0)
        status = pagerank(ctx, dgm_graph_get_rows(graph), &use, dgm_matrix_values_mutable(lens));
    dgmi_arena_release(ctx, mark);
    if (status != DGM_OK) {
        dgm_matrix_free(lens);
        return status;
    }
    *out = lens;
    return DGM_OK;
}
