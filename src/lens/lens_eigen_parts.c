/* SPDX-License-Identifier: Apache-2.0 */
#include "lens_eigen_parts.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_scale.h"
#include "graph_transpose.h"
#include "graph_union.h"

enum { GRAIN = 1 << 13 };

/* ---- rows ---- */

static dgm_status check_weights(dgm_context *ctx, dgm_graph_rows rows, bool *zeros) {
    *zeros = false;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            if (rows.weights[e] < 0)
                return dgmi_fail(ctx, DGM_ERROR_DATA,
                                 "weighted eigenvectors need finite weights of at least 0; an edge "
                                 "of node %lld weighs %.6g",
                                 (long long)u, rows.weights[e]);
            *zeros = *zeros || rows.weights[e] == 0;
        }
    return DGM_OK;
}

typedef struct {
    int64_t *offsets;
    uint32_t *targets;
    double *weights; /* NULL: ones */
} row_space;

static bool take_row_space(dgm_context *ctx, int64_t nodes, int64_t entries, bool weighted,
                           row_space *space) {
    space->offsets = dgmi_scratch_zero(ctx, nodes + 2, sizeof *space->offsets);
    space->targets = dgmi_scratch(ctx, entries, sizeof *space->targets);
    space->weights = weighted ? dgmi_scratch(ctx, entries, sizeof *space->weights) : NULL;
    return space->offsets && space->targets && (!weighted || space->weights);
}

/* Row u of `to`: what leaves u and what comes in, sorted, without loops and zeros; returns the
 * degree, which loops are part of. */
static double merge_row(dgm_graph_rows rows, const dgm_graph_rows *in, int64_t u, row_space *to,
                        int64_t *place) {
    int64_t i = rows.offsets[u], i_end = rows.offsets[u + 1];
    int64_t j = rows.directed ? in->offsets[u] : 0, j_end = rows.directed ? in->offsets[u + 1] : 0;
    double degree = 0;
    while (i < i_end || j < j_end) {
        bool out = i < i_end && (j == j_end || rows.targets[i] <= in->targets[j]);
        bool back = j < j_end && (i == i_end || in->targets[j] <= rows.targets[i]);
        uint32_t target = out ? rows.targets[i] : in->targets[j];
        double weight = 1;
        if (to->weights)
            weight = fmax(out ? rows.weights[i] : 0, back ? in->weights[j] : 0);
        i += out;
        j += back;
        degree += weight;
        if (target == u || weight == 0)
            continue;
        to->targets[*place] = target;
        if (to->weights)
            to->weights[*place] = weight;
        ++*place;
    }
    return degree;
}

static dgm_status merge_rows(dgm_context *ctx, dgm_graph_rows rows, bool weighted, double *degree,
                             dgmi_spectral_adjacency *out) {
    dgm_graph_rows in = {0};
    row_space to;
    int64_t n = rows.nodes, place = 0, most = rows.directed ? 2 * rows.entries : rows.entries;
    rows.weights = weighted ? rows.weights : NULL;
    if (!take_row_space(ctx, n, most, weighted, &to) ||
        (rows.directed && dgmi_graph_rows_transpose(ctx, rows, &in) != DGM_OK))
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < n; u++) {
        to.offsets[u] = place;
        degree[u] = merge_row(rows, &in, u, &to, &place);
    }
    to.offsets[n] = place;
    *out = (dgmi_spectral_adjacency){
        .rows = n, .offsets = to.offsets, .columns = to.targets, .values = to.weights};
    return DGM_OK;
}

static void sum_rows(dgm_graph_rows rows, bool weighted, double *degree) {
    for (int64_t u = 0; u < rows.nodes; u++) {
        degree[u] = weighted ? 0 : (double)(rows.offsets[u + 1] - rows.offsets[u]);
        for (int64_t e = rows.offsets[u]; weighted && e < rows.offsets[u + 1]; e++)
            degree[u] += rows.weights[e];
    }
}

static dgm_status make_rows(dgm_context *ctx, const dgm_graph *graph, bool weighted,
                            dgmi_lens_eigen_parts *out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    bool zeros = false;
    out->exponent = 0;
    weighted = weighted && rows.weights;
    if (weighted) {
        dgm_status status = check_weights(ctx, rows, &zeros);
        if (status == DGM_OK)
            status = dgmi_graph_weights_scale(ctx, &rows, &out->exponent);
        if (status != DGM_OK)
            return status;
    }
    double *degree = dgmi_scratch(ctx, rows.nodes, sizeof *degree);
    out->degree = degree;
    if (!degree)
        return DGM_ERROR_MEMORY;
    if (rows.directed || zeros || dgm_graph_get_counts(graph).loops_kept > 0)
        return merge_rows(ctx, rows, weighted, degree, &out->rows);
    sum_rows(rows, weighted, degree);
    out->rows = (dgmi_spectral_adjacency){.rows = rows.nodes,
                                          .offsets = rows.offsets,
                                          .columns = rows.targets,
                                          .values = weighted ? rows.weights : NULL};
    return DGM_OK;
}

/* ---- components ---- */

typedef struct {
    const dgmi_spectral_adjacency *rows;
    uint32_t *parent;
} union_job;

static void union_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const union_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows->rows, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        for (int64_t e = job->rows->offsets[u]; e < job->rows->offsets[u + 1]; e++)
            if (job->rows->columns[e] > u)
                dgmi_graph_union_link(job->parent, (uint32_t)u, job->rows->columns[e]);
}

/* Parents become components: a root is the smallest of its set and comes before it. */
static int64_t number_components(int64_t nodes, uint32_t *parent) {
    int64_t count = 0;
    for (int64_t u = 0; u < nodes; u++)
        parent[u] = parent[u] == u ? (uint32_t)count++ : parent[parent[u]];
    return count;
}

static dgm_status list_members(dgm_context *ctx, const uint32_t *component,
                               dgmi_lens_eigen_parts *out) {
    int64_t nodes = out->rows.rows;
    out->offsets = dgmi_scratch_zero(ctx, out->count + 2, sizeof *out->offsets);
    out->members = dgmi_scratch(ctx, nodes, sizeof *out->members);
    out->place = dgmi_scratch(ctx, nodes, sizeof *out->place);
    if (!out->offsets || !out->members || !out->place)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        out->place[u] = (uint32_t)out->offsets[component[u] + 2]++;
    out->largest = 0;
    for (int64_t c = 0, most = 0; c < out->count; c++)
        if (out->offsets[c + 2] > most) {
            most = out->offsets[c + 2];
            out->largest = c;
        }
    for (int64_t c = 0; c < out->count; c++)
        out->offsets[c + 2] += out->offsets[c + 1];
    for (int64_t u = 0; u < nodes; u++)
        out->members[out->offsets[component[u] + 1]++] = (uint32_t)u;
    return DGM_OK;
}

dgm_status dgmi_lens_eigen_parts_make(dgm_context *ctx, const dgm_graph *graph, bool weighted,
                                      dgmi_lens_eigen_parts *out) {
    dgm_status status = make_rows(ctx, graph, weighted, out);
    if (status != DGM_OK)
        return status;
    int64_t nodes = out->rows.rows;
    union_job job = {&out->rows, dgmi_scratch(ctx, nodes, sizeof *job.parent)};
    if (!job.parent)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        job.parent[u] = (uint32_t)u;
    dgmi_parallel(ctx, dgmi_chunks(nodes, GRAIN), union_chunk, &job);
    out->count = number_components(nodes, job.parent);
    return list_members(ctx, job.parent, out);
}

/* The rows where they lie: a vector for the products is then as long as the graph has nodes. */
static void borrow_rows(const dgmi_lens_eigen_parts *parts, int64_t component, int64_t entries,
                        dgmi_spectral_adjacency *out) {
    *out = parts->rows;
    out->rows = parts->offsets[component + 1] - parts->offsets[component];
    out->members = parts->members + parts->offsets[component];
    out->place = parts->place;
    out->numbers = parts->rows.rows;
    out->entries = entries;
}

static dgm_status copy_rows(dgm_context *ctx, const dgmi_lens_eigen_parts *parts,
                            const dgmi_spectral_adjacency *from, dgmi_spectral_adjacency *out) {
    int64_t place = 0;
    row_space to;
    if (!take_row_space(ctx, from->rows, from->entries, from->values != NULL, &to))
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t row = from->members[i];
        to.offsets[i] = place;
        for (int64_t e = from->offsets[row]; e < from->offsets[row + 1]; e++) {
            to.targets[place] = parts->place[from->columns[e]];
            if (to.weights)
                to.weights[place] = from->values[e];
            place++;
        }
    }
    to.offsets[from->rows] = place;
    *out = (dgmi_spectral_adjacency){
        .rows = from->rows, .offsets = to.offsets, .columns = to.targets, .values = to.weights};
    return DGM_OK;
}

dgm_status dgmi_lens_eigen_parts_rows(dgm_context *ctx, const dgmi_lens_eigen_parts *parts,
                                      int64_t component, int64_t most,
                                      dgmi_spectral_adjacency *out) {
    const dgmi_spectral_adjacency *all = &parts->rows;
    const uint32_t *members = parts->members + parts->offsets[component];
    int64_t count = parts->offsets[component + 1] - parts->offsets[component], entries = 0;
    *out = *all;
    if (count == all->rows)
        return DGM_OK;
    for (int64_t i = 0; i < count; i++)
        entries += all->offsets[members[i] + 1] - all->offsets[members[i]];
    dgmi_spectral_adjacency borrowed;
    borrow_rows(parts, component, entries, &borrowed);
    *out = borrowed;
    return entries > most ? DGM_OK : copy_rows(ctx, parts, &borrowed, out);
}
