/* SPDX-License-Identifier: Apache-2.0 */
/* PageRank (Brin and Page 1998): x = alpha P x + b, b = (1 - alpha) v, v uniform or on given seeds,
 *
 *   (P x)_i = sum over j -> i of x_j w_ji / s_j,   s_j = sum over i of w_ji
 *
 * (the paper's equation divides by the degree of i; it must be that of j). Nodes that point nowhere
 * would spread as v does; leaving that out only scales x, so x is solved without and divided by its
 * sum (Del Corso, Gulli, Romani 2005).
 *
 * Undirected: with z = x / s the system (S - alpha A) z = b is symmetric and positive definite, and
 * conjugate gradients with the preconditioner S need a third to a half of the steps of the power
 * iteration. Directed: the power iteration. Both stop when the residual, which is what a power step
 * would change, is below the tolerance in sum. A step takes O(m). Chunks are fixed, so sums are the
 * same for any number of threads.
 */
#include "lens_lens.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_parallel.h"
#include "graph_scale.h"
#include "graph_transpose.h"

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
    {.name = "seeds",
     .kind = DGM_OPTION_TEXT,
     .offset = offsetof(dgm_pagerank_options, seeds),
     .argument = "A;B;...",
     .help = "personalised: walks restart at these nodes alone, given by name"},
};
const dgm_option_table dgmi_lens_pagerank_table = {
    "pagerank", pagerank_options, sizeof pagerank_options / sizeof *pagerank_options};

const dgm_option_table *dgm_pagerank_option_table(void) {
    return &dgmi_lens_pagerank_table;
}

/* The system, and what both ways of solving it need. */
typedef struct {
    int64_t nodes;
    const int64_t *offsets; /* who points at a node: its row, or the transpose's */
    const uint32_t *sources;
    const double *weights; /* NULL: ones */
    double alpha;
    double *strength; /* s; 0: points nowhere */
    double *restart;  /* b */
    double *x;        /* the result; z while conjugate gradients run */
    double *residual, *direction, *product;
    double step, turn; /* of conjugate gradients */
    double *sums[3];   /* by chunk */
} pagerank_job;

static double add_up(const pagerank_job *job, int which) {
    assert(which >= 0 && which < 3);
    double sum = 0;
    for (int64_t c = 0; c < dgmi_chunks(job->nodes, GRAIN); c++)
        sum += job->sums[which][c];
    return sum;
}

/* (A y)_i */
static double gather(const pagerank_job *job, const double *y, int64_t i) {
    double sum = 0;
    if (job->weights)
        for (int64_t e = job->offsets[i]; e < job->offsets[i + 1]; e++)
            sum += y[job->sources[e]] * job->weights[e];
    else
        for (int64_t e = job->offsets[i]; e < job->offsets[i + 1]; e++)
            sum += y[job->sources[e]];
    return sum;
}

/* The change shrinks by a factor a step: steps that are left tell the fraction. */
static dgm_status report(dgm_context *ctx, int64_t step, double first, double now, double wanted) {
    double fraction = step ? log(first / now) / log(first / wanted) : 0;
    return dgmi_progress(ctx, "computing PageRank", fmin(fmax(fraction, 0), 1));
}

static dgm_status fail_to_converge(dgm_context *ctx, const dgm_pagerank_options *options,
                                   double reached) {
    return dgmi_fail(
        ctx, DGM_ERROR_DATA,
        "PageRank reached a change of %.3g, not %.3g, in %lld steps; raise iterations or "
        "tolerance (" DGMI_NAMED("lens=pagerank:iterations=...,tolerance=...") ")",
        reached, options->tolerance, (long long)options->iterations);
}

/* ---- undirected: conjugate gradients on (S - alpha A) z = b ---- */

/* q = (S - alpha A) p, and p'q. */
static void multiply_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pagerank_job *job = argument;
    const double *p = job->direction;
    double dot = 0;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double q = job->strength[i] * p[i] - job->alpha * gather(job, p, i);
        job->product[i] = q;
        dot += p[i] * q;
    }
    job->sums[0][chunk] = dot;
}

/* z += step p, r -= step q; sums of r'S^-1 r and |r|. */
static void descend_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pagerank_job *job = argument;
    double energy = 0, size = 0;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        if (job->strength[i] == 0)
            continue;
        job->x[i] += job->step * job->direction[i];
        double r = job->residual[i] - job->step * job->product[i];
        job->residual[i] = r;
        energy += r * r / job->strength[i];
        size += fabs(r);
    }
    job->sums[1][chunk] = energy;
    job->sums[2][chunk] = size;
}

/* p = S^-1 r + turn p */
static void turn_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pagerank_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->direction[i] = job->strength[i] > 0 ? job->residual[i] / job->strength[i] +
                                                       job->turn * job->direction[i]
                                                 : 0;
}

static dgm_status solve_undirected(dgm_context *ctx, pagerank_job *job,
                                   const dgm_pagerank_options *options) {
    int64_t chunks = dgmi_chunks(job->nodes, GRAIN);
    for (int64_t i = 0; i < job->nodes; i++) {
        job->x[i] = job->product[i] = 0;
        job->residual[i] = job->restart[i];
    }
    job->step = job->turn = 0;
    dgmi_parallel(ctx, chunks, descend_chunk, job);
    double energy = add_up(job, 1), first = add_up(job, 2), size = first;
    for (int64_t step = 0; size >= options->tolerance; step++) {
        if (step == options->iterations)
            return fail_to_converge(ctx, options, size);
        dgm_status status = report(ctx, step, first, size, options->tolerance);
        if (status != DGM_OK)
            return status;
        dgmi_parallel(ctx, chunks, turn_chunk, job);
        dgmi_parallel(ctx, chunks, multiply_chunk, job);
        job->step = energy / add_up(job, 0);
        dgmi_parallel(ctx, chunks, descend_chunk, job);
        double before = energy;
        energy = add_up(job, 1);
        size = add_up(job, 2);
        job->turn = energy / before;
    }
    for (int64_t i = 0; i < job->nodes; i++)
        job->x[i] = job->strength[i] > 0 ? job->x[i] * job->strength[i] : job->restart[i];
    return DGM_OK;
}

/* ---- directed: power iteration ---- */

static void share_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pagerank_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->direction[i] = job->strength[i] > 0 ? job->x[i] / job->strength[i] : 0;
}

static void power_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    pagerank_job *job = argument;
    double change = 0;
    int64_t begin, end;
    dgmi_chunk(job->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        double next = job->restart[i] + job->alpha * gather(job, job->direction, i);
        change += fabs(next - job->x[i]);
        job->x[i] = next;
    }
    job->sums[0][chunk] = change;
}

static dgm_status solve_directed(dgm_context *ctx, pagerank_job *job,
                                 const dgm_pagerank_options *options) {
    int64_t chunks = dgmi_chunks(job->nodes, GRAIN);
    double first = 0, change = INFINITY;
    memcpy(job->x, job->restart, (size_t)job->nodes * sizeof *job->x);
    for (int64_t step = 0; change >= options->tolerance; step++) {
        if (step == options->iterations)
            return fail_to_converge(ctx, options, change);
        dgm_status status = report(ctx, step, first, change, options->tolerance);
        if (status != DGM_OK)
            return status;
        dgmi_parallel(ctx, chunks, share_chunk, job);
        dgmi_parallel(ctx, chunks, power_chunk, job);
        change = add_up(job, 0);
        first = step ? first : change;
    }
    return DGM_OK;
}

/* The rows of who points at each node. */
static dgm_status point_back(dgm_context *ctx, dgm_graph_rows rows, pagerank_job *job) {
    dgm_graph_rows in;
    rows.weights = job->weights;
    dgm_status status = dgmi_graph_rows_transpose(ctx, rows, &in);
    if (status != DGM_OK)
        return status;
    job->offsets = in.offsets;
    job->sources = in.targets;
    job->weights = in.weights;
    return DGM_OK;
}

/* ---- the system ---- */

static dgm_status out_strengths(dgm_context *ctx, dgm_graph_rows rows, bool weighted, int exponent,
                                double *strength) {
    for (int64_t u = 0; u < rows.nodes; u++) {
        strength[u] = weighted ? 0 : (double)(rows.offsets[u + 1] - rows.offsets[u]);
        for (int64_t e = rows.offsets[u]; weighted && e < rows.offsets[u + 1]; e++) {
            if (rows.weights[e] < 0)
                return dgmi_fail(
                    ctx, DGM_ERROR_DATA,
                    "weighted PageRank needs finite weights of at least 0; an edge of node %lld "
                    "weighs %.6g",
                    (long long)u, ldexp(rows.weights[e], exponent));
            strength[u] += rows.weights[e];
        }
    }
    return DGM_OK;
}

/* The name at the start of a list "a;b,c": up to the ';', if there is such a node, else up to the
 * comma. */
static int64_t find_seed(const dgm_graph_index *index, const char *list, size_t *length) {
    *length = strcspn(list, ";");
    int64_t node = dgm_graph_index_find(index, list, *length);
    if (node >= 0)
        return node;
    *length = strcspn(list, ",;");
    return dgm_graph_index_find(index, list, *length);
}

/* v on the seeds, each name once more for each time it is given. */
static dgm_status restart_at_seeds(dgm_context *ctx, const dgm_graph *graph, const char *seeds,
                                   double *restart) {
    dgm_graph_index *index;
    dgm_status status = dgm_graph_index_create(ctx, graph, &index);
    for (const char *name = seeds; status == DGM_OK && *name;) {
        size_t length;
        int64_t node = find_seed(index, name, &length);
        if (node < 0)
            status =
                dgmi_fail(ctx, DGM_ERROR_DATA, "the graph has no node '%.*s' for PageRank's seeds",
                          (int)(length < 100 ? length : 100), name);
        else
            restart[node] += 1;
        name += length + (name[length] != '\0');
    }
    dgm_graph_index_free(index);
    return status;
}

/* Makes the entries add up to `total`; false if they are all zero. */
static bool scale_to(double *values, int64_t count, double total) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    for (int64_t i = 0; sum > 0 && i < count; i++)
        values[i] *= total / sum;
    return sum > 0;
}

static dgm_status make_restart(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_pagerank_options *options, double *restart) {
    int64_t n = dgm_graph_nodes(graph);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < n; i++)
        restart[i] = options->seeds ? 0 : 1;
    if (options->seeds)
        status = restart_at_seeds(ctx, graph, options->seeds, restart);
    if (status == DGM_OK && !scale_to(restart, n, 1 - options->alpha))
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "PageRank's seeds name no node");
    return status;
}

static dgm_status pagerank(dgm_context *ctx, const dgm_graph *graph,
                           const dgm_pagerank_options *options, double *result) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    bool weighted = options->weighted && rows.weights;
    int64_t n = rows.nodes;
    int exponent = 0;
    if (weighted && dgmi_graph_weights_scale(ctx, &rows, &exponent) != DGM_OK)
        return DGM_ERROR_MEMORY;
    pagerank_job job = {.nodes = n,
                        .offsets = rows.offsets,
                        .sources = rows.targets,
                        .weights = weighted ? rows.weights : NULL,
                        .alpha = options->alpha,
                        .x = result};
    double **vectors[] = {&job.strength, &job.restart, &job.residual, &job.direction, &job.product};
    for (size_t k = 0; k < (rows.directed ? 4 : 5); k++)
        if (!(*vectors[k] = dgmi_scratch_zero(ctx, n, sizeof(double))))
            return DGM_ERROR_MEMORY;
    for (int k = 0; k < 3; k++)
        if (!(job.sums[k] = dgmi_scratch_zero(ctx, dgmi_chunks(n, GRAIN), sizeof(double))))
            return DGM_ERROR_MEMORY;
    dgm_status status = out_strengths(ctx, rows, weighted, exponent, job.strength);
    if (status == DGM_OK)
        status = make_restart(ctx, graph, options, job.restart);
    if (status == DGM_OK && rows.directed)
        status = point_back(ctx, rows, &job);
    if (status == DGM_OK)
        status = rows.directed ? solve_directed(ctx, &job, options)
                               : solve_undirected(ctx, &job, options);
    if (status == DGM_OK)
        scale_to(result, n, 1);
    return status;
}

dgm_status dgm_lens_pagerank(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_pagerank_options *options, dgm_matrix **out) {
    *out = NULL;
    dgm_pagerank_options use = DGM_PAGERANK_OPTIONS_INIT;
    dgm_matrix *lens = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_pagerank_options, seeds, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_pagerank_table, &use);
    if (status == DGM_OK)
        status = dgm_matrix_create(ctx, dgm_graph_nodes(graph), 1, &lens);
    if (status == DGM_OK)
        status = dgm_matrix_set_column_name(ctx, lens, 0, "pagerank");
    if (status == DGM_OK && dgm_graph_nodes(graph) > 0)
        status = pagerank(ctx, graph, &use, dgm_matrix_values_mutable(lens));
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgm_matrix_free(lens);
        return status;
    }
    *out = lens;
    return DGM_OK;
}
