/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvectors of the graph's Laplacian; the first after the constant one is Fiedler's (1973),
 * whose signs cut the graph in two.
 *
 *   plain   L = D - A                  sym   D^-1/2 L D^-1/2
 *   rw      D^-1 L, whose eigenvectors are D^-1/2 times those of sym
 *
 * On a disconnected graph the eigenvalue 0 repeats, so each component is a problem of its own.
 */
#include "lens_lens.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_option.h"
#include "lens_eigen_parts.h"

/* Two entries that differ by less than this share are equally large when a sign is chosen. */
#define TIE 1e-6

/* Rows of a component with at most so many entries are copied, which keeps its vectors close
 * together; a larger copy would take as much memory as the graph. */
enum { COPIED = 1 << 24 };

static const char *const laplacian_names[] = {"sym", "rw", "plain", NULL};
static const char *const outside_names[] = {"constant", "own", "large", NULL};

/* A component is large if it has at least this share of the nodes of the largest one. */
#define LARGE 0.1
/* How far below all other values the nodes of small components lie, as a share of their range. */
#define BELOW 0.125

static const dgm_option eigen_options[] = {
    {.name = "k",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_eigen_options, k),
     .minimum = 1,
     .maximum = DGM_EIGEN_MOST,
     .default_text = "1",
     .argument = "K",
     .help = "eigenvectors, an axis each; 1 is the Fiedler vector"},
    {.name = "laplacian",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_eigen_options, laplacian),
     .choices = laplacian_names,
     .default_text = "sym",
     .help = "symmetric normalised, of the random walk, or D - A"},
    {.name = "outside",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(dgm_eigen_options, outside),
     .choices = outside_names,
     .default_text = "constant",
     .help = "outside the largest component: 0; each component its own eigenvectors; or those for "
             "components of a tenth of the largest, and one place below all values for the rest"},
    {.name = "weighted",
     .kind = DGM_OPTION_FLAG,
     .offset = offsetof(dgm_eigen_options, weighted),
     .default_text = "false",
     .help = "edges count by their weights"},
    {.name = "tolerance",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_eigen_options, tolerance),
     .minimum = 1e-14,
     .maximum = 0.1,
     .default_text = "1e-08",
     .argument = "T",
     .help = "stop at residuals below this share of the eigenvalue"},
    {.name = "iterations",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_eigen_options, iterations),
     .minimum = 1,
     .maximum = 1e6,
     .default_text = "5000",
     .argument = "N",
     .help = "at most this many steps"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_eigen_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992,
     .default_text = "that of the run",
     .argument = "S",
     .help = "of the starting vectors"},
};
const dgm_option_table dgmi_lens_eigen_table = {"eigen", eigen_options,
                                                sizeof eigen_options / sizeof *eigen_options};

const dgm_option_table *dgm_eigen_option_table(void) {
    return &dgmi_lens_eigen_table;
}

typedef struct {
    dgm_context *ctx;
    dgm_eigen_options options;
    dgmi_lens_eigen_parts parts;
    double *lens;                                             /* nodes x k */
    double values[DGM_EIGEN_MOST], residuals[DGM_EIGEN_MOST]; /* of the largest component */
    double worst;                                             /* residual of any */
    int64_t solved, nodes; /* components that got eigenvectors, and their nodes */
} eigen_job;

static int64_t size_of(const eigen_job *job, int64_t component) {
    return job->parts.offsets[component + 1] - job->parts.offsets[component];
}

/* ---- one component ---- */

/* B^1/2 of the component's nodes, NULL for the plain Laplacian. */
static dgm_status find_roots(eigen_job *job, int64_t component, const double **roots) {
    const uint32_t *members = job->parts.members + job->parts.offsets[component];
    int64_t size = size_of(job, component);
    *roots = NULL;
    if (job->options.laplacian == DGM_LAPLACIAN_PLAIN)
        return DGM_OK;
    double *root = dgmi_scratch(job->ctx, size, sizeof *root);
    if (!root)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < size; i++)
        root[i] = sqrt(job->parts.degree[members[i]]);
    *roots = root;
    return DGM_OK;
}

/* An eigenvector is one up to its sign: the entry of largest size, the first of several, is made
 * positive. */
static double sign_of(int64_t size, const double *x) {
    double largest = 0;
    int64_t first = 0;
    for (int64_t i = 0; i < size; i++)
        largest = fmax(largest, fabs(x[i]));
    while (fabs(x[first]) < (1 - TIE) * largest)
        first++;
    return x[first] < 0 ? -1 : 1;
}

/* Column `axis` of the lens on the component. Components are made equally large in the mean square,
 * the largest of unit length: otherwise the smallest ones stick out. */
static void place_vector(eigen_job *job, int64_t component, const double *roots, int64_t axis,
                         double *x) {
    const uint32_t *members = job->parts.members + job->parts.offsets[component];
    int64_t size = size_of(job, component);
    double square = 0;
    for (int64_t i = 0; i < size; i++) {
        if (job->options.laplacian == DGM_LAPLACIAN_RW)
            x[i] /= roots[i];
        square += x[i] * x[i];
    }
    double share = (double)size / (double)size_of(job, job->parts.largest);
    double factor = sign_of(size, x) * sqrt(share / square);
    for (int64_t i = 0; i < size; i++)
        job->lens[members[i] * job->options.k + axis] = factor * x[i] + 0.0; /* no -0 */
}

static dgm_status fail_steps(eigen_job *job, const double *values, const double *residuals) {
    int64_t slow = 0;
    for (int64_t i = 0; i < job->options.k; i++)
        if (residuals[i] / values[i] > residuals[slow] / values[slow])
            slow = i;
    return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                     "eigenvector %lld reached a residual of %.3g of its eigenvalue %.6g, not "
                     "%.3g, in %lld steps; raise iterations or tolerance "
                     "(" DGMI_NAMED("lens=eigen:iterations=...,tolerance=...") ")",
                     (long long)slow + 1, residuals[slow] / values[slow], values[slow],
                     job->options.tolerance, (long long)job->options.iterations);
}

/* Eigenvalues of D - A are in the unit of the weights. */
static double unit_of(const eigen_job *job) {
    return job->options.laplacian == DGM_LAPLACIAN_PLAIN ? ldexp(1, job->parts.exponent) : 1;
}

static dgm_status solve(eigen_job *job, int64_t component, dgmi_spectral_laplacian *laplacian,
                        double *x) {
    int64_t size = size_of(job, component), k = job->options.k;
    double values[DGM_EIGEN_MOST], residuals[DGM_EIGEN_MOST];
    const dgmi_spectral_eigen_request request = {.count = k,
                                                 .tolerance = job->options.tolerance,
                                                 .steps = job->options.iterations,
                                                 .seed = (uint64_t)job->options.seed};
    dgmi_spectral_eigen_report report;
    dgm_status status =
        dgmi_spectral_laplacian_eigen(job->ctx, laplacian, &request, x, values, residuals, &report);
    if (status != DGM_OK)
        return status;
    if (!report.converged)
        return fail_steps(job, values, residuals);
    for (int64_t i = 0; i < k; i++) {
        place_vector(job, component, laplacian->root, i, x + i * size);
        values[i] *= unit_of(job);
        residuals[i] *= unit_of(job);
        job->worst = fmax(job->worst, residuals[i]);
        if (component == job->parts.largest) {
            job->values[i] = values[i];
            job->residuals[i] = residuals[i];
        }
    }
    job->solved++;
    job->nodes += size;
    return DGM_OK;
}

static dgm_status solve_component(eigen_job *job, int64_t component) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    dgmi_spectral_laplacian laplacian;
    dgm_status status =
        dgmi_lens_eigen_parts_rows(job->ctx, &job->parts, component, COPIED, &laplacian.graph);
    if (status == DGM_OK)
        status = find_roots(job, component, &laplacian.root);
    if (status == DGM_OK) {
        double *x = dgmi_scratch(job->ctx, job->options.k * size_of(job, component), sizeof *x);
        status = x ? solve(job, component, &laplacian, x) : DGM_ERROR_MEMORY;
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

/* ---- the graph ---- */

static dgm_status check_size(eigen_job *job) {
    int64_t nodes = job->parts.rows.rows;
    int64_t largest = nodes > 0 ? size_of(job, job->parts.largest) : 0;
    if (largest < 2)
        return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                         "the lens 'eigen' needs edges between nodes, and the graph has none%s",
                         job->options.weighted ? " of positive weight" : "");
    if (job->options.k >= largest)
        return dgmi_fail(job->ctx, DGM_ERROR_DATA,
                         "the largest component has %lld nodes, so the lens 'eigen' takes k from 1 "
                         "to %lld here, not %lld",
                         (long long)largest, (long long)largest - 1, (long long)job->options.k);
    return DGM_OK;
}

/* What the largest component will take: the solver's space, B^1/2, the vectors, and a copy of its
 * rows where one is made. */
static dgm_status tell_need(eigen_job *job) {
    dgmi_spectral_adjacency rows;
    double least, most;
    dgm_status status =
        dgmi_lens_eigen_parts_rows(job->ctx, &job->parts, job->parts.largest, 0, &rows);
    if (status != DGM_OK)
        return status;
    dgmi_spectral_laplacian_eigen_bytes(&rows, job->options.k, &least, &most);
    double own = 8 * (double)rows.rows * (double)(1 + job->options.k);
    if (rows.members && rows.entries <= COPIED)
        own += (rows.values ? 12 : 4) * (double)rows.entries + 8 * (double)rows.rows;
    const dgmi_need need = {"the lens 'eigen'", least + own, most + own,
                            "ask for fewer eigenvectors (k=1) or for another lens (pagerank and "
                            "core need far less)"};
    return dgmi_need_tell(job->ctx, &need);
}

/* Whether a component gets eigenvectors. */
static bool is_solved(const eigen_job *job, int64_t component) {
    int64_t size = size_of(job, component);
    if (size <= job->options.k)
        return false;
    if (job->options.outside == DGM_OUTSIDE_LARGE)
        return (double)size >= LARGE * (double)size_of(job, job->parts.largest);
    return job->options.outside == DGM_OUTSIDE_OWN || component == job->parts.largest;
}

static dgm_status solve_all(eigen_job *job) {
    dgm_status status = DGM_OK;
    for (int64_t c = 0; status == DGM_OK && c < job->parts.count; c++)
        if (is_solved(job, c))
            status = solve_component(job, c);
    return status;
}

/* The place on an axis below the values of all components that were solved. */
static double place_below(const eigen_job *job, int64_t axis) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t c = 0; c < job->parts.count; c++)
        for (int64_t i = job->parts.offsets[c]; is_solved(job, c) && i < job->parts.offsets[c + 1];
             i++) {
            double value = job->lens[job->parts.members[i] * job->options.k + axis];
            low = fmin(low, value);
            high = fmax(high, value);
        }
    return low - BELOW * (high - low);
}

/* Small components go to one place in the corner of all axes. Nothing else is there, and no
 * neighbouring interval reaches it, so that each becomes one cluster, and the ranks of the others
 * have no gap between them. */
static void put_small_below(eigen_job *job) {
    for (int64_t axis = 0; axis < job->options.k; axis++) {
        double below = place_below(job, axis);
        for (int64_t c = 0; c < job->parts.count; c++)
            for (int64_t i = job->parts.offsets[c];
                 !is_solved(job, c) && i < job->parts.offsets[c + 1]; i++)
                job->lens[job->parts.members[i] * job->options.k + axis] = below;
    }
}

static void note_results(const eigen_job *job, bool directed) {
    int64_t nodes = job->parts.rows.rows, k = job->options.k;
    if (directed)
        dgmi_note(job->ctx, "the lens 'eigen' reads a directed graph as undirected");
    if (job->options.outside == DGM_OUTSIDE_LARGE && job->parts.count > 1)
        dgmi_note(job->ctx,
                  "eigen: %lld of %lld components got eigenvectors of their own; %lld nodes in "
                  "smaller components lie below all values",
                  (long long)job->solved, (long long)job->parts.count,
                  (long long)(nodes - job->nodes));
    else if (job->options.outside == DGM_OUTSIDE_OWN && job->parts.count > 1)
        dgmi_note(job->ctx,
                  "eigen: %lld of %lld components got eigenvectors of their own; %lld nodes in "
                  "components of %lld or fewer get 0",
                  (long long)job->solved, (long long)job->parts.count,
                  (long long)(nodes - job->nodes), (long long)k);
    else if (job->parts.count > 1)
        dgmi_note(job->ctx,
                  "eigen: the largest of %lld components has %lld of %lld nodes; the other nodes "
                  "get 0 (outside=own: eigenvectors of their own)",
                  (long long)job->parts.count, (long long)job->nodes, (long long)nodes);
    if (k == 1)
        dgmi_note(job->ctx, "eigen: eigenvalue %.8g, residual %.2g", job->values[0], job->worst);
    else
        dgmi_note(job->ctx, "eigen: eigenvalues %.8g to %.8g, residuals at most %.2g",
                  job->values[0], job->values[k - 1], job->worst);
}

static dgm_status fill_lens(eigen_job *job, const dgm_graph *graph, dgm_matrix *lens) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    dgm_status status = DGM_OK;
    job->lens = dgm_matrix_values_mutable(lens);
    for (int64_t i = 0; status == DGM_OK && i < job->options.k; i++) {
        char name[32];
        snprintf(name, sizeof name, "eigen%lld", (long long)i + 1);
        status = dgm_matrix_set_column_name(job->ctx, lens, i, name);
    }
    if (status == DGM_OK)
        status = dgmi_lens_eigen_parts_make(job->ctx, graph, job->options.weighted, &job->parts);
    if (status == DGM_OK)
        status = check_size(job);
    if (status == DGM_OK)
        status = tell_need(job);
    if (status == DGM_OK)
        status = solve_all(job);
    if (status == DGM_OK && job->options.outside == DGM_OUTSIDE_LARGE)
        put_small_below(job);
    if (status == DGM_OK)
        note_results(job, dgm_graph_get_rows(graph).directed);
    dgmi_arena_release(job->ctx, hold);
    return status;
}

dgm_status dgm_lens_eigen(dgm_context *ctx, const dgm_graph *graph,
                          const dgm_eigen_options *options, dgm_matrix **out) {
    *out = NULL;
    eigen_job job = {.ctx = ctx, .options = DGM_EIGEN_OPTIONS_INIT};
    dgm_matrix *lens = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_eigen_options, seed, options, &job.options);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_eigen_table, &job.options);
    if (status == DGM_OK)
        status = dgm_matrix_create(ctx, dgm_graph_nodes(graph), job.options.k, &lens);
    if (status == DGM_OK)
        status = fill_lens(&job, graph, lens);
    if (status != DGM_OK) {
        dgm_matrix_free(lens);
        return status;
    }
    *out = lens;
    return DGM_OK;
}
