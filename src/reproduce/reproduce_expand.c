/* SPDX-License-Identifier: Apache-2.0 */
/* Checks proposition 4.2 on a graph and an assignment. Of the copies of a node, and of S'AS, only the
 * pattern counts, so all sets are sets of bits.
 */
#include "reproduce_expand.h"

#include "base_context.h"
#include "base_memory.h"

enum { MOST_CLUSTERS = 65536 };

/* Pairs of clusters, as bits of a square; a pair x < y is at (x, y). */
typedef struct {
    int64_t clusters;
    uint64_t *bits; /* scratch memory */
} pair_set;

static bool open_pairs(dgm_context *ctx, int64_t clusters, pair_set *out) {
    *out = (pair_set){clusters,
                      dgmi_scratch_zero(ctx, clusters * clusters / 64 + 1, sizeof *out->bits)};
    return out->bits != NULL;
}

static void join(const pair_set *set, uint32_t a, uint32_t b) {
    uint32_t x = a < b ? a : b, y = a < b ? b : a;
    int64_t at = x * set->clusters + y;
    if (x != y)
        set->bits[at / 64] |= UINT64_C(1) << (at % 64);
}

static int64_t count_bits(uint64_t bits) {
    int64_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static int64_t count_pairs(const pair_set *set) {
    int64_t count = 0;
    for (int64_t i = 0; i <= set->clusters * set->clusters / 64; i++)
        count += count_bits(set->bits[i]);
    return count;
}

static dgmi_reproduce_difference compare(const pair_set *nerve, const pair_set *pooled) {
    dgmi_reproduce_difference out = {count_pairs(nerve), 0, 0};
    for (int64_t i = 0; i <= nerve->clusters * nerve->clusters / 64; i++) {
        out.missing += count_bits(pooled->bits[i] & ~nerve->bits[i]);
        out.extra += count_bits(nerve->bits[i] & ~pooled->bits[i]);
    }
    return out;
}

/* ---- the pattern of S'AS ---- */

static void join_rows(const pair_set *set, dgm_membership_rows s, int64_t u, int64_t v) {
    for (int64_t i = s.offsets[u]; i < s.offsets[u + 1]; i++)
        for (int64_t j = s.offsets[v]; j < s.offsets[v + 1]; j++)
            join(set, s.columns[i], s.columns[j]);
}

/* x and y are joined if S_ix, A_ij and S_jy are above 0 for some i and j; A_ii is. */
static void pool(const pair_set *set, dgm_graph_rows rows, dgm_membership_rows s) {
    for (int64_t u = 0; u < rows.nodes; u++) {
        join_rows(set, s, u, u);
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.targets[e] > u)
                join_rows(set, s, u, rows.targets[e]);
    }
}

/* ---- nerves ---- */

/* The clusters that the 1-hop expansion gives to a node, each once. */
typedef struct {
    uint32_t *list;
    int64_t count;
    int64_t *met; /* by cluster: the last node that met it, plus one */
} cluster_list;

static bool open_list(dgm_context *ctx, int64_t clusters, cluster_list *out) {
    *out = (cluster_list){dgmi_scratch(ctx, clusters, sizeof *out->list), 0,
                          dgmi_scratch_zero(ctx, clusters, sizeof *out->met)};
    return out->list && out->met;
}

static void add_row(cluster_list *own, dgm_membership_rows s, int64_t node, int64_t from) {
    for (int64_t i = s.offsets[from]; i < s.offsets[from + 1]; i++)
        if (own->met[s.columns[i]] != node + 1) {
            own->met[s.columns[i]] = node + 1;
            own->list[own->count++] = s.columns[i];
        }
}

/* Whose clusters a node has: only its own, those of its neighbours, or both. */
typedef enum { OWN = 1, NEIGHBOURS = 2, BOTH = 3 } whose;

/* Joins the clusters that meet at some node. Node u stands for node origin[u] of S, or for itself. */
static void take_nerve(const pair_set *set, cluster_list *own, dgm_graph_rows rows,
                       const uint32_t *origin, dgm_membership_rows s, whose of) {
    for (int64_t c = 0; c < s.clusters; c++)
        own->met[c] = 0;
    for (int64_t u = 0; u < rows.nodes; u++) {
        own->count = 0;
        if (of & OWN)
            add_row(own, s, u, origin ? origin[u] : u);
        for (int64_t e = rows.offsets[u]; of & NEIGHBOURS && e < rows.offsets[u + 1]; e++)
            add_row(own, s, u, origin ? origin[rows.targets[e]] : rows.targets[e]);
        for (int64_t i = 0; i < own->count; i++)
            for (int64_t j = 0; j < i; j++)
                join(set, own->list[i], own->list[j]);
    }
}

/* ---- the comparison ---- */

static dgm_status check_input(dgm_context *ctx, dgm_graph_rows rows, dgm_membership_rows s) {
    if (rows.directed)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "only an undirected graph can be expanded");
    if (rows.nodes != s.nodes)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "an assignment of %lld nodes is none of %lld",
                         (long long)s.nodes, (long long)rows.nodes);
    if (s.clusters > MOST_CLUSTERS)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%lld clusters are too many: %d are the most",
                         (long long)s.clusters, MOST_CLUSTERS);
    return DGM_OK;
}

static int64_t count_edges(dgm_graph_rows rows) {
    int64_t edges = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            edges += rows.targets[e] > u;
    return edges;
}

dgm_status dgmi_reproduce_expand_compare(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_membership *membership,
                                         const dgm_graph *expanded, const uint32_t *origin,
                                         dgmi_reproduce_expansion *out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph), copies = dgm_graph_get_rows(expanded);
    dgm_membership_rows s = dgm_membership_get_rows(membership);
    pair_set pooled, nerve, on_graph, plain;
    cluster_list own;
    dgm_status status = check_input(ctx, rows, s);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    if (!open_pairs(ctx, s.clusters, &pooled) || !open_pairs(ctx, s.clusters, &nerve) ||
        !open_pairs(ctx, s.clusters, &on_graph) || !open_pairs(ctx, s.clusters, &plain) ||
        !open_list(ctx, s.clusters, &own))
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        pool(&pooled, rows, s);
        take_nerve(&nerve, &own, copies, origin, s, NEIGHBOURS);
        take_nerve(&on_graph, &own, rows, NULL, s, BOTH);
        take_nerve(&plain, &own, rows, NULL, s, OWN);
        *out = (dgmi_reproduce_expansion){.nodes = rows.nodes,
                                          .edges = count_edges(rows),
                                          .clusters = s.clusters,
                                          .memberships = s.offsets[s.nodes],
                                          .copies = copies.nodes,
                                          .copy_edges = dgm_graph_edges(expanded),
                                          .pairs = count_pairs(&pooled),
                                          .nerve = compare(&nerve, &pooled),
                                          .on_graph = compare(&on_graph, &pooled),
                                          .plain = compare(&plain, &pooled)};
        out->complete = out->pairs == s.clusters * (s.clusters - 1) / 2;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_reproduce_expand_check(dgm_context *ctx, const dgm_graph *graph,
                                       const dgm_membership *membership,
                                       dgmi_reproduce_expansion *out) {
    dgm_graph *expanded;
    uint32_t *origin;
    dgm_status status =
        check_input(ctx, dgm_graph_get_rows(graph), dgm_membership_get_rows(membership));
    if (status == DGM_OK)
        status = dgm_graph_expand(ctx, graph, &expanded, &origin);
    if (status != DGM_OK)
        return status;
    status = dgmi_reproduce_expand_compare(ctx, graph, membership, expanded, origin, out);
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
    return status;
}
