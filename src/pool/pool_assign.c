/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings that the graph alone decides: cells of a lens (MPR), pairs along heavy edges, and one
 * cluster for all nodes. */
#include "pool_assign.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "dgm/lens.h"
#include "mapper_membership.h"

/* ---- one cluster ---- */

/* S is a column of ones, or of 1 / n for a mean. A graph without nodes has no cluster. */
static dgm_status assign_all(dgm_context *ctx, const dgmi_pool_subject *subject, bool mean,
                             dgm_membership **out) {
    int64_t nodes = dgm_graph_nodes(subject->graph);
    dgm_status status = dgmi_mapper_membership_alloc(ctx, nodes, nodes > 0, nodes, out);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        (*out)->offsets[u + 1] = u + 1;
        (*out)->columns[u] = 0;
        (*out)->values[u] = mean ? 1.0 / (double)nodes : 1;
    }
    return status;
}

/* ---- MPR ---- */

/* The seed of the random lens for one graph and level. */
static int64_t draw_seed(const dgmi_pool_subject *subject) {
    uint64_t bits = dgmi_random_bits((uint64_t)subject->seed, (uint64_t)subject->index,
                                     (uint64_t)subject->level);
    return (int64_t)(bits >> 12);
}

/* Scales an axis to [0, 1] and rounds it to multiples of 2^-40, so that nodes which are alike but
 * for the last bits of their values lie in the same cells, however the nodes are numbered. */
static void settle(dgm_matrix *lens) {
    int64_t rows = dgm_matrix_rows(lens), columns = dgm_matrix_columns(lens);
    double *values = dgm_matrix_values_mutable(lens);
    for (int64_t j = 0; j < columns; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < rows; i++) {
            low = fmin(low, values[i * columns + j]);
            high = fmax(high, values[i * columns + j]);
        }
        double range = high - low, size = fmax(fabs(low), fabs(high));
        for (int64_t i = 0; i < rows; i++) {
            double *value = &values[i * columns + j];
            *value = range > size * 0x1p-40 ? rint((*value - low) / range * 0x1p40) * 0x1p-40 : 0;
        }
    }
}

static bool joins_nodes(const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.targets[e] != u)
                return true;
    return false;
}

/* The lens `eigen` has no values where no edge joins two nodes, as in a pooled graph of one node.
 * All nodes are alike to it there. */
static bool sees_nothing(const dgmi_pool_request *request, const dgm_graph *graph) {
    size_t name = strcspn(request->lens, ":");
    return name == strlen("eigen") && strncmp(request->lens, "eigen", name) == 0 &&
           !joins_nodes(graph);
}

static dgm_status look(dgm_context *ctx, const dgmi_pool_request *request,
                       const dgmi_pool_subject *subject, dgm_matrix **out) {
    const char *const lenses[] = {request->lens};
    dgm_lens_options options = DGM_LENS_OPTIONS_INIT;
    dgm_lens_result *result = NULL;
    if (sees_nothing(request, subject->graph))
        return dgm_matrix_create(ctx, dgm_graph_nodes(subject->graph), 1, out);
    options.seed = draw_seed(subject);
    options.predict = false;
    dgm_status status = dgm_lens_run(ctx, subject->graph, lenses, 1, &options, &result);
    *out = status == DGM_OK ? dgm_lens_result_take_axes(result) : NULL;
    dgm_lens_result_free(result);
    return status;
}

/* The variant `newest`: the softmax of 0 and 1 over all cells, so that no entry is 0. Cells that
 * hold no node count as well. */
static dgm_status soften(dgm_context *ctx, dgm_membership *cells, int64_t clusters,
                         dgm_membership **out) {
    dgm_status status =
        dgmi_mapper_membership_alloc(ctx, cells->nodes, clusters, cells->nodes * clusters, out);
    for (int64_t u = 0; status == DGM_OK && u < cells->nodes; u++) {
        int64_t begin = cells->offsets[u], end = cells->offsets[u + 1];
        double total = (double)(clusters - (end - begin)) + (double)(end - begin) * exp(1);
        (*out)->offsets[u + 1] = (u + 1) * clusters;
        for (int64_t c = 0; c < clusters; c++) {
            (*out)->columns[u * clusters + c] = (uint32_t)c;
            (*out)->values[u * clusters + c] = 1 / total;
        }
        for (int64_t i = begin; i < end; i++)
            (*out)->values[u * clusters + cells->columns[i]] = exp(1) / total;
    }
    dgm_membership_free(cells);
    return status;
}

static dgm_status assign_cells(dgm_context *ctx, const dgmi_pool_request *request,
                               const dgmi_pool_subject *subject, dgm_membership **out) {
    dgm_matrix *lens = NULL;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    bool newest = request->options.variant == DGM_MPR_NEWEST;
    options.cover = request->options.cover;
    options.intervals[0] = subject->clusters;
    options.overlap[0] = request->options.overlap;
    if (dgm_graph_nodes(subject->graph) == 0)
        return assign_all(ctx, subject, false, out);
    dgm_status status = look(ctx, request, subject, &lens);
    if (status == DGM_OK && subject->lens)
        status = dgm_matrix_join(ctx, (const dgm_matrix *const *)&lens, 1, subject->lens);
    if (status == DGM_OK) {
        settle(lens);
        status = dgm_membership_from_lens(
            ctx, lens, &options,
            request->options.variant == DGM_MPR_PAPER ? DGM_MEMBERSHIP_SPLIT : DGM_MEMBERSHIP_ONES,
            out);
    }
    if (status == DGM_OK && newest) {
        int64_t cells = (*out)->clusters > subject->clusters ? (*out)->clusters : subject->clusters;
        status = soften(ctx, *out, cells, out);
    }
    dgm_matrix_free(lens);
    return status;
}

/* ---- pairs ---- */

/* The free neighbour v of u with the largest w_uv (1 / d_u + 1 / d_v), which is what a normalised
 * cut gains by joining both; u itself if there is none. Of equal ones the first counts. */
static int64_t find_mate(const dgm_graph_rows *rows, const double *strength, const int64_t *mate,
                         int64_t u) {
    int64_t best = u;
    double gain = 0;
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
        int64_t v = rows->targets[e];
        double weight = rows->weights ? rows->weights[e] : 1;
        double value = weight * (1 / strength[u] + 1 / strength[v]);
        if (v != u && mate[v] < 0 && value > gain) {
            gain = value;
            best = v;
        }
    }
    return best;
}

static void match(const dgm_graph_rows *rows, const double *strength, int64_t *mate) {
    for (int64_t u = 0; u < rows->nodes; u++)
        mate[u] = -1;
    for (int64_t u = 0; u < rows->nodes; u++) {
        if (mate[u] >= 0)
            continue;
        int64_t v = find_mate(rows, strength, mate, u);
        mate[u] = v;
        mate[v] = u;
    }
}

/* Greedy matching in the order of nodes (Dhillon, Guan and Kulis, 2007); a pair is pooled to its
 * mean. */
static dgm_status assign_pairs(dgm_context *ctx, const dgmi_pool_subject *subject,
                               dgm_membership **out) {
    dgm_graph_rows rows = dgm_graph_get_rows(subject->graph);
    int64_t *mate = dgmi_scratch(ctx, rows.nodes, sizeof *mate);
    double *strength = dgmi_scratch_zero(ctx, rows.nodes, sizeof *strength);
    if (!mate || !strength)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            strength[u] += rows.weights ? rows.weights[e] : 1;
    match(&rows, strength, mate);
    int64_t clusters = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        clusters += mate[u] >= u;
    dgm_status status = dgmi_mapper_membership_alloc(ctx, rows.nodes, clusters, rows.nodes, out);
    clusters = 0;
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        (*out)->offsets[u + 1] = u + 1;
        (*out)->columns[u] = mate[u] >= u ? (uint32_t)clusters++ : (*out)->columns[mate[u]];
        (*out)->values[u] = mate[u] == u ? 1 : 0.5;
    }
    return status;
}

/* ---- nothing ---- */

static dgm_status assign_each(dgm_context *ctx, const dgmi_pool_subject *subject,
                              dgm_membership **out) {
    int64_t nodes = dgm_graph_nodes(subject->graph);
    dgm_status status = dgmi_mapper_membership_alloc(ctx, nodes, nodes, nodes, out);
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++) {
        (*out)->offsets[u + 1] = u + 1;
        (*out)->columns[u] = (uint32_t)u;
        (*out)->values[u] = 1;
    }
    return status;
}

dgm_status dgmi_pool_assign(dgm_context *ctx, const dgmi_pool_request *request,
                            const dgmi_pool_subject *subject, dgm_membership **out) {
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status;
    switch (request->options.method) {
    case DGM_POOL_MPR:
        status = assign_cells(ctx, request, subject, out);
        break;
    case DGM_POOL_GRACLUS:
        status = assign_pairs(ctx, subject, out);
        break;
    case DGM_POOL_NONE:
        status = assign_each(ctx, subject, out);
        break;
    default:
        status = assign_all(ctx, subject, request->options.method == DGM_POOL_MEAN, out);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the pooled graph ---- */

dgm_status dgmi_pool_unweighted(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT; /* which drop self-loops */
    rows.weights = NULL;
    return dgm_graph_from_rows(ctx, &rows, &options, out);
}

dgm_status dgmi_pool_coarsen(dgm_context *ctx, const dgmi_pool_request *request,
                             const dgm_graph *graph, const dgm_membership *membership,
                             dgm_graph **out) {
    dgm_graph *weighted = NULL;
    dgm_status status = dgm_membership_adjacency(ctx, graph, membership, false, &weighted);
    bool newest =
        request->options.method == DGM_POOL_MPR && request->options.variant == DGM_MPR_NEWEST;
    *out = weighted;
    if (status != DGM_OK || !newest)
        return status;
    status = dgmi_pool_unweighted(ctx, weighted, out);
    dgm_graph_free(weighted);
    return status;
}
