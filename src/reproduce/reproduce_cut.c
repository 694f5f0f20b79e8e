/* SPDX-License-Identifier: Apache-2.0 */
/* Checks proposition 4.1 on the largest component of a graph. */
#include "reproduce_cut.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "dgm/mapper.h"

#define TOLERANCE 1e-12
enum { ITERATIONS = 100000, LEAST_NODES = 4 };

/* ---- the Laplacian ---- */

static double degree_of(dgm_graph_rows rows, int64_t u) {
    return (double)(rows.offsets[u + 1] - rows.offsets[u]);
}

/* y = L x without weights, for L = D - A or D^-1/2 (D - A) D^-1/2. */
static void apply(dgm_graph_rows rows, int laplacian, const double *x, double *y) {
    bool plain = laplacian == DGM_LAPLACIAN_PLAIN;
    for (int64_t u = 0; u < rows.nodes; u++) {
        double degree = degree_of(rows, u), sum = 0;
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t v = rows.targets[e];
            sum += plain ? x[u] - x[v] : x[u] / degree - x[v] / sqrt(degree * degree_of(rows, v));
        }
        y[u] = sum;
    }
}

/* The Rayleigh quotient of x, and |L x - quotient x| / |x|. */
static dgm_status find_residual(dgm_context *ctx, dgm_graph_rows rows, int laplacian,
                                const double *x, double *quotient, double *residual) {
    double length = 0, product = 0, rest = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *y = dgmi_scratch(ctx, rows.nodes, sizeof *y);
    if (!y)
        return DGM_ERROR_MEMORY;
    apply(rows, laplacian, x, y);
    for (int64_t u = 0; u < rows.nodes; u++) {
        length += x[u] * x[u];
        product += x[u] * y[u];
    }
    *quotient = product / length;
    for (int64_t u = 0; u < rows.nodes; u++)
        rest += (y[u] - *quotient * x[u]) * (y[u] - *quotient * x[u]);
    *residual = sqrt(rest / length);
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

/* ---- Mapper ---- */

static dgm_status summarise(dgm_context *ctx, const dgm_graph *graph, const double *vector,
                            double eps, int clustering, dgm_summary **out) {
    const dgm_interval halves[] = {{-INFINITY, eps}, {-eps, INFINITY}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_matrix *lens;
    dgm_status status = dgm_matrix_borrow(ctx, vector, dgm_graph_nodes(graph), 1, &lens);
    if (status != DGM_OK)
        return status;
    options.cover = DGM_COVER_INTERVALS;
    options.given = halves;
    options.given_count = 2;
    options.cluster = clustering;
    status = dgm_mapper_run(ctx, graph, lens, &options, out);
    dgm_matrix_free(lens);
    return status;
}

/* Whether the first of two sets has the nodes of negative sign, and the second all others. */
static bool splits_by_sign(const dgm_summary *summary, int64_t nodes, const double *vector) {
    dgm_summary_clusters sets = dgm_summary_get_clusters(summary);
    if (sets.count != 2 || sets.offsets[2] != nodes)
        return false;
    for (int set = 0; set < 2; set++)
        for (int64_t i = sets.offsets[set]; i < sets.offsets[set + 1]; i++)
            if ((vector[sets.members[i]] > 0) != (set == 1))
                return false;
    return true;
}

static dgm_status map(dgm_context *ctx, const dgm_graph *graph, const double *vector,
                      dgmi_reproduce_cut *cut) {
    dgm_summary *cells = NULL, *refined = NULL;
    dgm_status status = summarise(ctx, graph, vector, cut->eps, DGM_CLUSTER_NONE, &cells);
    if (status == DGM_OK)
        status = summarise(ctx, graph, vector, cut->eps, DGM_CLUSTER_COMPONENTS, &refined);
    if (status == DGM_OK) {
        cut->bipartition = splits_by_sign(cells, cut->nodes, vector);
        cut->clusters = dgm_summary_get_clusters(refined).count;
        dgm_summary_edges(refined, &cut->joined);
    }
    dgm_summary_free(refined);
    dgm_summary_free(cells);
    return status;
}

/* ---- the check ---- */

static void look_at_signs(dgm_graph_rows rows, const double *vector, dgmi_reproduce_cut *cut) {
    double length = 0;
    cut->least = INFINITY;
    for (int64_t u = 0; u < rows.nodes; u++) {
        length += vector[u] * vector[u];
        cut->least = fmin(cut->least, fabs(vector[u]));
        cut->negative += vector[u] < 0;
        cut->positive += vector[u] > 0;
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            cut->crossing +=
                rows.targets[e] > u && (vector[u] < 0) != (vector[rows.targets[e]] < 0);
    }
    cut->eps = cut->least / 2;
    cut->certain = cut->least > cut->error * sqrt(length);
}

dgm_status dgmi_reproduce_cut_judge(dgm_context *ctx, const dgm_graph *graph, int laplacian,
                                    const double *vector, double next, dgmi_reproduce_cut *out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    *out = (dgmi_reproduce_cut){.nodes = rows.nodes, .edges = dgm_graph_edges(graph), .next = next};
    dgm_status status =
        find_residual(ctx, rows, laplacian, vector, &out->eigenvalue, &out->residual);
    if (status != DGM_OK)
        return status;
    out->error = sqrt(2) * out->residual / fmax(next - out->eigenvalue, 0);
    look_at_signs(rows, vector, out);
    return out->eps > 0 ? map(ctx, graph, vector, out) : DGM_OK;
}

/* The nodes of the largest component, the first of equals. */
static dgm_status take_largest(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out) {
    int64_t nodes = dgm_graph_nodes(graph), count, best = 0, kept = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *component = dgmi_scratch(ctx, nodes, sizeof *component);
    uint32_t *members = dgmi_scratch(ctx, nodes, sizeof *members);
    int64_t *sizes = dgmi_scratch_zero(ctx, nodes + 1, sizeof *sizes);
    dgm_status status = component && members && sizes
                            ? dgm_graph_components(ctx, graph, component, &count)
                            : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        for (int64_t u = 0; u < nodes; u++)
            sizes[component[u]]++;
        for (int64_t c = 1; c < count; c++)
            best = sizes[c] > sizes[best] ? c : best;
        for (int64_t u = 0; u < nodes; u++)
            if (component[u] == best)
                members[kept++] = (uint32_t)u;
        status = kept < LEAST_NODES
                     ? dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "the largest component has %lld nodes, too few to be cut in two",
                                 (long long)kept)
                     : dgm_graph_induced(ctx, graph, members, kept, out);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* The second and the third eigenvector, one after the other. */
static dgm_status find_vectors(dgm_context *ctx, const dgm_graph *graph, int laplacian,
                               double *vectors) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgm_eigen_options options = DGM_EIGEN_OPTIONS_INIT;
    dgm_matrix *both;
    options.k = 2;
    options.laplacian = laplacian;
    options.tolerance = TOLERANCE;
    options.iterations = ITERATIONS;
    dgm_status status = dgm_lens_eigen(ctx, graph, &options, &both);
    if (status != DGM_OK)
        return status;
    for (int64_t u = 0; u < nodes; u++) {
        vectors[u] = dgm_matrix_values(both)[2 * u];
        vectors[nodes + u] = dgm_matrix_values(both)[2 * u + 1];
    }
    dgm_matrix_free(both);
    return DGM_OK;
}

dgm_status dgmi_reproduce_cut_check(dgm_context *ctx, const dgm_graph *graph, int laplacian,
                                    dgmi_reproduce_cut *out) {
    dgm_graph *part;
    double next, residual;
    dgm_status status = take_largest(ctx, graph, &part);
    if (status != DGM_OK)
        return status;
    dgm_graph_rows rows = dgm_graph_get_rows(part);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *vectors = dgmi_scratch(ctx, 2 * rows.nodes, sizeof *vectors);
    status = vectors ? find_vectors(ctx, part, laplacian, vectors) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = find_residual(ctx, rows, laplacian, vectors + rows.nodes, &next, &residual);
    if (status == DGM_OK)
        status = dgmi_reproduce_cut_judge(ctx, part, laplacian, vectors, next, out);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(part);
    return status;
}
