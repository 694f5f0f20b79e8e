/* SPDX-License-Identifier: Apache-2.0 */
#include "study_measure.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "mapper_dust.h"
#include "mapper_summary.h"

/* ---- the graph ---- */

int64_t dgm_study_dust_size(int64_t nodes) {
    enum { LEAST = 5, SHARE = 2000 };
    static const int64_t steps[] = {1, 2, 5};
    int64_t size = LEAST;
    /* 5, 10, 20, 50, 100 and so on: the largest that is no more than the share. */
    for (int64_t power = 1; power <= nodes / SHARE; power *= 10)
        for (int i = 0; i < 3; i++)
            if (steps[i] * power <= nodes / SHARE && steps[i] * power > size)
                size = steps[i] * power;
    return size;
}

static bool is_dust(const dgmi_study_graph *about, uint32_t node) {
    return about->sizes[about->component[node]] < about->dust_size;
}

dgm_status dgmi_study_graph_make(dgm_context *ctx, const dgm_graph *graph, int64_t dust_size,
                                 dgmi_study_graph *out) {
    int64_t nodes = dgm_graph_nodes(graph);
    *out = (dgmi_study_graph){.graph = graph, .dust_size = dust_size};
    out->component = dgmi_scratch(ctx, nodes, sizeof *out->component);
    if (!out->component)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgm_graph_components(ctx, graph, out->component, &out->components);
    if (status != DGM_OK)
        return status;
    out->sizes = dgmi_scratch_zero(ctx, out->components, sizeof *out->sizes);
    if (!out->sizes)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        out->sizes[out->component[u]]++;
    for (int64_t c = 0; c < out->components; c++)
        if (out->sizes[c] >= dust_size) {
            out->large++;
            out->nodes += out->sizes[c];
        }
    return DGM_OK;
}

int64_t dgmi_study_judged(const dgmi_study_graph *about) {
    int64_t nodes = dgm_graph_nodes(about->graph);
    return about->nodes > 0 && 2 * about->nodes < nodes ? about->nodes : nodes;
}

/* ---- clusters ---- */

static void count_sizes(const dgmi_study_graph *about, const dgm_summary_clusters *clusters,
                        dgm_study_measures *out) {
    int64_t largest = 0, nodes = dgm_graph_nodes(about->graph);
    out->clusters = clusters->count;
    for (int64_t c = 0; c < clusters->count; c++) {
        int64_t size = clusters->offsets[c + 1] - clusters->offsets[c];
        out->shown += size >= about->dust_size;
        out->singles += size == 1;
        largest = size > largest ? size : largest;
    }
    out->largest = nodes > 0 ? (double)largest / (double)nodes : 0;
}

/* The share of the nodes that lie in a shown cluster, where their component would allow it. */
static dgm_status count_held(dgm_context *ctx, const dgmi_study_graph *about,
                             const dgm_summary_clusters *clusters, dgm_study_measures *out) {
    int64_t held = 0;
    char *seen = dgmi_scratch_zero(ctx, dgm_graph_nodes(about->graph), sizeof *seen);
    if (!seen)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters->count; c++) {
        if (clusters->offsets[c + 1] - clusters->offsets[c] < about->dust_size)
            continue;
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
            uint32_t node = clusters->members[i];
            held += !seen[node] && !is_dust(about, node);
            seen[node] = 1;
        }
    }
    out->held = about->nodes > 0 ? (double)held / (double)about->nodes : 1;
    return DGM_OK;
}

/* ---- pieces ---- */

static uint32_t find_root(uint32_t *parent, uint32_t c) {
    while (parent[c] != c) {
        parent[c] = parent[parent[c]];
        c = parent[c];
    }
    return c;
}

static void link_clusters(uint32_t *parent, uint32_t a, uint32_t b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Pieces of the summary: sets of clusters. */
typedef struct cluster_pieces {
    const dgm_summary_clusters *clusters;
    uint32_t *parent;
    const char *skipped; /* by member: it does not count; NULL: all do */
} cluster_pieces;

static dgm_status open_pieces(dgm_context *ctx, const dgm_summary_clusters *clusters,
                              cluster_pieces *out) {
    *out = (cluster_pieces){.clusters = clusters};
    out->parent = dgmi_scratch(ctx, clusters->count, sizeof *out->parent);
    for (int64_t c = 0; out->parent && c < clusters->count; c++)
        out->parent[c] = (uint32_t)c;
    return out->parent ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status find_pieces(dgm_context *ctx, const dgm_summary *summary,
                              const dgm_summary_clusters *clusters, cluster_pieces *out) {
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    dgm_status status = open_pieces(ctx, clusters, out);
    for (int64_t e = 0; status == DGM_OK && e < count; e++)
        link_clusters(out->parent, edges[e].source, edges[e].target);
    return status;
}

/* The pieces as they were before nodes were taken across. */
static dgm_status find_apart(dgm_context *ctx, const dgm_summary *summary, int64_t nodes,
                             const dgm_summary_clusters *clusters, cluster_pieces *out) {
    uint32_t *first = dgmi_scratch(ctx, nodes, sizeof *first);
    char *skipped = dgmi_scratch_zero(ctx, clusters->offsets[clusters->count], sizeof *skipped);
    dgm_status status = open_pieces(ctx, clusters, out);
    if (!first || !skipped || status != DGM_OK)
        return DGM_ERROR_MEMORY;
    out->skipped = skipped;
    memset(first, 0xff, (size_t)nodes * sizeof *first);
    for (int64_t i = 0; i < summary->taken_count; i++)
        skipped[summary->taken[i]] = 1;
    for (int64_t c = 0; c < clusters->count; c++)
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
            uint32_t *of = &first[clusters->members[i]];
            if (skipped[i])
                continue;
            if (*of == UINT32_MAX)
                *of = (uint32_t)c;
            link_clusters(out->parent, *of, (uint32_t)c);
        }
    return DGM_OK;
}

/* By cluster, and 0 but for roots: the nodes of the piece. A node counts once in a piece, however
 * many of its clusters have it. */
static dgm_status size_pieces(dgm_context *ctx, int64_t nodes, const cluster_pieces *pieces,
                              int64_t *sizes) {
    const dgm_summary_clusters *clusters = pieces->clusters;
    char *seen = dgmi_scratch_zero(ctx, nodes, sizeof *seen);
    if (!seen)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters->count; c++)
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
            if (pieces->skipped && pieces->skipped[i])
                continue;
            sizes[find_root(pieces->parent, (uint32_t)c)] += !seen[clusters->members[i]];
            seen[clusters->members[i]] = 1;
        }
    return DGM_OK;
}

/* A piece belongs to one component of the graph, that of any of its nodes. */
static dgm_status count_pieces(dgm_context *ctx, const dgmi_study_graph *about,
                               const cluster_pieces *pieces, int64_t *count, double *share) {
    const dgm_summary_clusters *clusters = pieces->clusters;
    int64_t *sizes = dgmi_scratch_zero(ctx, clusters->count, sizeof *sizes);
    int64_t *largest = dgmi_scratch_zero(ctx, about->components, sizeof *largest), joined = 0;
    if (!sizes || !largest)
        return DGM_ERROR_MEMORY;
    dgm_status status = size_pieces(ctx, dgm_graph_nodes(about->graph), pieces, sizes);
    for (int64_t c = 0; status == DGM_OK && c < clusters->count; c++) {
        uint32_t node = clusters->members[clusters->offsets[c]];
        int64_t *most = &largest[about->component[node]];
        if (sizes[c] > *most && !is_dust(about, node)) {
            joined += sizes[c] - *most;
            *most = sizes[c];
        }
        *count += sizes[c] >= about->dust_size;
    }
    *share = about->nodes > 0 ? fmin(1, (double)joined / (double)about->nodes) : 1;
    return status;
}

static dgm_status measure_pieces(dgm_context *ctx, const dgmi_study_graph *about,
                                 const dgm_summary *summary, const dgm_summary_clusters *clusters,
                                 dgm_study_measures *out) {
    cluster_pieces pieces;
    dgm_status status = find_pieces(ctx, summary, clusters, &pieces);
    if (status == DGM_OK)
        status = count_pieces(ctx, about, &pieces, &out->pieces, &out->joined);
    out->apart = out->pieces;
    if (status != DGM_OK || summary->taken_count == 0)
        return status;
    out->apart = 0;
    status = find_apart(ctx, summary, dgm_graph_nodes(about->graph), clusters, &pieces);
    if (status == DGM_OK)
        status = count_pieces(ctx, about, &pieces, &out->apart, &out->joined);
    return status;
}

/* ---- chance ---- */

/* Cells of nodes, in rows that ascend. */
typedef struct cells_of_nodes {
    int64_t *offsets;
    uint32_t *cells;
} cells_of_nodes;

/* Clusters come in the order of their cells, so that a cell is a run of clusters. */
static void number_cells(const dgm_summary_clusters *clusters, uint32_t *cell) {
    uint32_t number = 0;
    for (int64_t c = 0; c < clusters->count; c++) {
        const int32_t *own = clusters->cells + c * clusters->axes;
        if (c > 0 && memcmp(own, own - clusters->axes, (size_t)clusters->axes * sizeof *own) != 0)
            number++;
        cell[c] = number;
    }
}

static dgm_status list_cells(dgm_context *ctx, int64_t nodes, const dgm_summary_clusters *clusters,
                             cells_of_nodes *out) {
    uint32_t *cell = dgmi_scratch(ctx, clusters->count, sizeof *cell);
    out->offsets = dgmi_scratch_zero(ctx, nodes + 2, sizeof *out->offsets);
    out->cells = dgmi_scratch(ctx, clusters->offsets[clusters->count], sizeof *out->cells);
    if (!cell || !out->offsets || !out->cells)
        return DGM_ERROR_MEMORY;
    number_cells(clusters, cell);
    for (int64_t i = 0; i < clusters->offsets[clusters->count]; i++)
        out->offsets[clusters->members[i] + 2]++;
    for (int64_t u = 0; u < nodes; u++)
        out->offsets[u + 2] += out->offsets[u + 1];
    for (int64_t c = 0; c < clusters->count; c++)
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++)
            out->cells[out->offsets[clusters->members[i] + 1]++] = cell[c];
    return DGM_OK;
}

static bool share_cell(const cells_of_nodes *of, int64_t u, int64_t v) {
    int64_t i = of->offsets[u], j = of->offsets[v];
    while (i < of->offsets[u + 1] && j < of->offsets[v + 1]) {
        if (of->cells[i] == of->cells[j])
            return true;
        if (of->cells[i] < of->cells[j])
            i++;
        else
            j++;
    }
    return false;
}

/* The two ends of an edge share a cluster exactly if they share a cell, because the edge joins them
 * there. If the values of the lens were dealt out to the nodes at random, an edge would be inside
 * as often as any two nodes share a cell: 4,096 pairs tell it to about 1%. */
static dgm_status find_chance(dgm_context *ctx, const dgmi_study_graph *about,
                              const dgm_summary_clusters *clusters, dgm_study_measures *out) {
    enum { PAIRS = 4096, SEED = 1, STREAM = 0x57d1 };
    int64_t nodes = dgm_graph_nodes(about->graph), together = 0;
    cells_of_nodes of;
    dgm_status status = list_cells(ctx, nodes, clusters, &of);
    if (status != DGM_OK || nodes < 2)
        return status;
    for (uint64_t i = 0; i < PAIRS; i++) {
        int64_t u = (int64_t)dgmi_random_below(SEED, STREAM, 2 * i, (uint64_t)nodes);
        int64_t v = (int64_t)dgmi_random_below(SEED, STREAM, 2 * i + 1, (uint64_t)nodes - 1);
        together += share_cell(&of, u, v + (v >= u));
    }
    out->chance = (double)together / PAIRS;
    return DGM_OK;
}

/* ---- marks ---- */

/* Small clusters that are piled up are one mark, which says what it is. One that is a pile by itself
 * looks as one that is shown. */
dgm_status dgmi_study_count_marks(dgm_context *ctx, const dgmi_study_graph *about,
                                  const dgm_summary *summary, dgm_study_measures *out) {
    dgmi_mapper_dust *dust;
    dgm_status status = dgmi_mapper_dust_find(ctx, summary, about->dust_size, &dust);
    if (status != DGM_OK)
        return status;
    int64_t small = out->clusters - out->shown;
    out->marks = out->clusters - (dust ? dust->clusters - dust->pile_count : 0);
    out->dust = small - (dust ? dust->clusters : 0);
    for (int64_t p = 0; dust && p < dust->pile_count; p++)
        out->dust += dust->piles[p].clusters == 1;
    dgmi_mapper_dust_free(dust);
    return DGM_OK;
}

/* ---- all of it ---- */

dgm_status dgmi_study_measure_summary(dgm_context *ctx, const dgmi_study_graph *about,
                                      const dgm_summary *summary, dgm_study_measures *out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    *out = (dgm_study_measures){0};
    if (!clusters.members)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a summary that was read without its graph cannot be measured");
    dgmi_hold hold = dgmi_arena_hold(ctx);
    count_sizes(about, &clusters, out);
    dgm_status status = count_held(ctx, about, &clusters, out);
    if (status == DGM_OK)
        status = measure_pieces(ctx, about, summary, &clusters, out);
    if (status == DGM_OK)
        status = find_chance(ctx, about, &clusters, out);
    dgmi_arena_release(ctx, hold);
    out->inside = coverage.edges > 0 ? (double)coverage.edges_inside / (double)coverage.edges : 1;
    out->loops = topology.b1 > 0 ? topology.b1 : 0;
    return status;
}

dgm_status dgm_study_measure(dgm_context *ctx, const dgm_graph *graph, const dgm_summary *summary,
                             int64_t dust_size, dgm_study_measures *out) {
    dgmi_study_graph about;
    if (dust_size < 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the size of dust is at least 1");
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_study_graph_make(ctx, graph, dust_size, &about);
    if (status == DGM_OK)
        status = dgmi_study_measure_summary(ctx, &about, summary, out);
    if (status == DGM_OK)
        status = dgmi_study_count_marks(ctx, &about, summary, out);
    dgmi_arena_release(ctx, hold);
    return status;
}
