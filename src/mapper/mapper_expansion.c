/* SPDX-License-Identifier: Apache-2.0 */
/* The expanded graph and the 1-hop expansion of the paper's appendix A, with which proposition 4.2
 * is tested: the nerve of the expanded assignment on the expanded graph has the edges of S'AS.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "mapper_membership.h"

/* Undirected external degree: neighbours other than the node itself. */
static int64_t external_degree(dgm_graph_rows rows, int64_t u) {
    int64_t degree = 0;
    for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
        degree += rows.targets[e] != u;
    return degree;
}

static dgm_status add_pair(dgm_graph_builder *builder, int64_t a, int64_t b) {
    uint32_t ends[2] = {(uint32_t)a, (uint32_t)b};
    return dgm_graph_builder_add(builder, 1, ends, NULL);
}

/* All copies of a node joined, loops included; copies of u are first[u] .. first[u + 1]. */
static dgm_status join_copies(dgm_graph_builder *builder, const int64_t *first, int64_t nodes) {
    dgm_status status = DGM_OK;
    for (int64_t u = 0; u < nodes; u++)
        for (int64_t a = first[u]; a < first[u + 1]; a++)
            for (int64_t b = a; b < first[u + 1] && status == DGM_OK; b++)
                status = add_pair(builder, a, b);
    return status;
}

/* The k-th external edge of a node uses its k-th copy. */
static dgm_status join_externals(dgm_graph_builder *builder, dgm_graph_rows rows,
                                 const int64_t *first, int64_t *unused) {
    dgm_status status = DGM_OK;
    memcpy(unused, first, (size_t)rows.nodes * sizeof *unused);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1] && status == DGM_OK; e++)
            if (rows.targets[e] > u)
                status = add_pair(builder, unused[u]++, unused[rows.targets[e]]++);
    return status;
}

static dgm_status count_copies(dgm_context *ctx, dgm_graph_rows rows, int64_t *first) {
    first[0] = 0;
    for (int64_t u = 0; u < rows.nodes; u++) {
        int64_t degree = external_degree(rows, u);
        first[u + 1] = first[u] + (degree ? degree : 2);
        if (first[u + 1] > DGM_MAX_NODES)
            return dgmi_fail(ctx, DGM_ERROR_DATA, "the expanded graph has over %lld nodes",
                             (long long)DGM_MAX_NODES);
    }
    return DGM_OK;
}

static dgm_status expand(dgm_context *ctx, dgm_graph_rows rows, const int64_t *first,
                         int64_t *unused, dgm_graph **out) {
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    status = join_copies(builder, first, rows.nodes);
    if (status == DGM_OK)
        status = join_externals(builder, rows, first, unused);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

dgm_status dgm_graph_expand(dgm_context *ctx, const dgm_graph *graph, dgm_graph **out,
                            uint32_t **origin) {
    *out = NULL;
    *origin = NULL;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    if (rows.directed)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "only an undirected graph can be expanded");
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *first = dgmi_scratch(ctx, rows.nodes + 1, sizeof *first);
    int64_t *unused = dgmi_scratch(ctx, rows.nodes, sizeof *unused);
    dgm_status status = first && unused ? count_copies(ctx, rows, first) : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        *origin = dgmi_alloc(ctx, first[rows.nodes], sizeof **origin);
        status = *origin ? DGM_OK : DGM_ERROR_MEMORY;
    }
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++)
        for (int64_t copy = first[u]; copy < first[u + 1]; copy++)
            (*origin)[copy] = (uint32_t)u;
    if (status == DGM_OK)
        status = expand(ctx, rows, first, unused, out);
    if (status != DGM_OK) {
        dgmi_free(ctx, *origin);
        *origin = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

void dgm_expansion_origin_free(dgm_context *ctx, uint32_t *origin) {
    dgmi_free(ctx, origin);
}

dgm_status dgm_membership_copy_rows(dgm_context *ctx, const dgm_membership *membership,
                                    int64_t count, const uint32_t *origin, dgm_membership **out) {
    *out = NULL;
    int64_t entries = 0;
    for (int64_t c = 0; c < count; c++) {
        if (origin[c] >= membership->nodes)
            return dgmi_fail(ctx, DGM_ERROR_DATA, "copy %lld stands for node %u of %lld",
                             (long long)c, origin[c], (long long)membership->nodes);
        entries += membership->offsets[origin[c] + 1] - membership->offsets[origin[c]];
    }
    dgm_status status =
        dgmi_mapper_membership_alloc(ctx, count, membership->clusters, entries, out);
    for (int64_t c = 0; status == DGM_OK && c < count; c++) {
        int64_t from = membership->offsets[origin[c]], to = (*out)->offsets[c];
        int64_t length = membership->offsets[origin[c] + 1] - from;
        memcpy((*out)->columns + to, membership->columns + from, (size_t)length * sizeof(uint32_t));
        memcpy((*out)->values + to, membership->values + from, (size_t)length * sizeof(double));
        (*out)->offsets[c + 1] = to + length;
    }
    return status;
}

/* ---- 1-hop expansion ---- */

/* One row of (A + I) S: sums by cluster, and the clusters met. */
typedef struct {
    double *sum;    /* by cluster */
    int64_t *met;   /* by cluster: the last row that met it, plus one */
    uint32_t *list; /* clusters of this row */
    int64_t count;
} hop_row;

static void add_row(hop_row *row, const dgm_membership *s, int64_t mark, int64_t v, double weight) {
    for (int64_t i = s->offsets[v]; i < s->offsets[v + 1]; i++) {
        uint32_t c = s->columns[i];
        if (row->met[c] != mark) {
            row->met[c] = mark;
            row->sum[c] = 0;
            row->list[row->count++] = c;
        }
        row->sum[c] += weight * s->values[i];
    }
}

static void gather_row(hop_row *row, dgm_graph_rows rows, const dgm_membership *s, int64_t u) {
    row->count = 0;
    add_row(row, s, u + 1, u, 1);
    for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
        if (rows.targets[e] != u)
            add_row(row, s, u + 1, rows.targets[e], rows.weights ? fabs(rows.weights[e]) : 1);
}

/* Ascending clusters, values divided by their sum; an underflow keeps the least positive value. */
static void store_row(hop_row *row, int64_t u, dgm_membership *out) {
    int64_t start = out->offsets[u];
    double total = 0;
    for (int64_t i = 0; i < row->count; i++) {
        uint32_t c = row->list[i];
        int64_t j = start + i;
        for (; j > start && out->columns[j - 1] > c; j--)
            out->columns[j] = out->columns[j - 1];
        out->columns[j] = c;
        total += row->sum[c];
    }
    for (int64_t i = start; i < start + row->count; i++) {
        double value = total > 0 ? row->sum[out->columns[i]] / total : 0;
        out->values[i] = value > 0 ? value : 0x1p-1074;
    }
    out->offsets[u + 1] = start + row->count;
}

dgm_status dgm_membership_expand(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_membership *membership, dgm_membership **out) {
    *out = NULL;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    if (rows.nodes != membership->nodes || rows.directed)
        return dgmi_fail(
            ctx, DGM_ERROR_DATA,
            "a 1-hop expansion needs an undirected graph of as many nodes as memberships");
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t clusters = membership->clusters, entries = 0;
    hop_row row = {dgmi_scratch(ctx, clusters, sizeof(double)),
                   dgmi_scratch_zero(ctx, clusters, sizeof(int64_t)),
                   dgmi_scratch(ctx, clusters, sizeof(uint32_t)), 0};
    dgm_status status = row.sum && row.met && row.list ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        gather_row(&row, rows, membership, u);
        entries += row.count;
    }
    if (status == DGM_OK)
        status = dgmi_mapper_membership_alloc(ctx, rows.nodes, clusters, entries, out);
    for (int64_t c = 0; status == DGM_OK && c < clusters; c++)
        row.met[c] = 0;
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        gather_row(&row, rows, membership, u);
        store_row(&row, u, *out);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
