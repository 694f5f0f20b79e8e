/* SPDX-License-Identifier: Apache-2.0 */
#include "study_measure.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_simple.h"
#include "graph_union.h"
#include "mapper_dust.h"
#include "mapper_summary.h"

/* ---- the graph ---- */

static bool is_dust(const dgmi_study_graph *about, uint32_t node) {
    return about->sizes[about->component[node]] < about->dust_size;
}

dgm_status dgmi_study_graph_make(dgm_context *ctx, const dgm_graph *graph, int64_t dust_size,
                                 dgmi_study_graph *out) {
    int64_t nodes = dgm_graph_nodes(graph);
    *out = (dgmi_study_graph){.graph = graph};
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
    dgmi_study_graph_dust(out, dust_size);
    return DGM_OK;
}

void dgmi_study_graph_dust(dgmi_study_graph *about, int64_t dust_size) {
    about->dust_size = dust_size;
    about->nodes = 0;
    for (int64_t c = 0; c < about->components; c++)
        about->nodes += about->sizes[c] >= dust_size ? about->sizes[c] : 0;
}

int64_t dgmi_study_judged(const dgmi_study_graph *about) {
    int64_t nodes = dgm_graph_nodes(about->graph);
    return about->nodes > 0 && 2 * about->nodes < nodes ? about->nodes : nodes;
}

/* The node that was reached last from `from`, and how far it is. `level` is -1 at all nodes. */
static int64_t search_from(const dgmi_graph_simple_rows *rows, int64_t from, uint32_t *queue,
                           int32_t *level, int64_t *last) {
    int64_t reached = 1;
    queue[0] = (uint32_t)from;
    level[from] = 0;
    for (int64_t i = 0; i < reached; i++)
        for (int64_t e = rows->offsets[queue[i]]; e < rows->offsets[queue[i] + 1]; e++) {
            uint32_t v = rows->targets[e];
            if (level[v] >= 0)
                continue;
            level[v] = level[queue[i]] + 1;
            queue[reached++] = v;
        }
    *last = queue[reached - 1];
    return level[*last];
}

/* The end of a search from the node of the most edges is a far end of the graph. */
dgm_status dgmi_study_is_long(dgm_context *ctx, const dgm_graph *graph, bool *out) {
    const double often = 4, few = 2.5;
    int64_t nodes = dgm_graph_nodes(graph), hub = 0, end;
    dgmi_graph_simple_rows rows;
    *out = false;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &rows);
    uint32_t *queue = dgmi_scratch(ctx, nodes, sizeof *queue);
    int32_t *level = dgmi_scratch(ctx, nodes, sizeof *level);
    if (status == DGM_OK && (!queue || !level))
        status = DGM_ERROR_MEMORY;
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++)
        if (dgmi_graph_simple_degree(&rows, u) > dgmi_graph_simple_degree(&rows, hub))
            hub = u;
    if (status == DGM_OK && nodes > 1) {
        memset(level, 0xFF, (size_t)nodes * sizeof *level);
        search_from(&rows, hub, queue, level, &end);
        memset(level, 0xFF, (size_t)nodes * sizeof *level);
        *out = (double)search_from(&rows, end, queue, level, &end) > often * log2((double)nodes) &&
               (double)rows.offsets[nodes] / 2 <= few * (double)nodes;
    }
    dgmi_arena_release(ctx, hold);
    return status;
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

/* The pieces of the summary that have at least dust_size different nodes. */
static dgm_status count_pieces(dgm_context *ctx, const dgmi_study_graph *about,
                               const dgm_summary *summary, const dgm_summary_clusters *clusters,
                               int64_t *count) {
    int64_t edge_count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &edge_count);
    uint32_t *parent = dgmi_scratch(ctx, clusters->count, sizeof *parent);
    int64_t *sizes = dgmi_scratch_zero(ctx, clusters->count, sizeof *sizes);
    char *seen = dgmi_scratch_zero(ctx, dgm_graph_nodes(about->graph), sizeof *seen);
    if (!parent || !sizes || !seen)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters->count; c++)
        parent[c] = (uint32_t)c;
    for (int64_t e = 0; e < edge_count; e++)
        dgmi_graph_union_link(parent, edges[e].source, edges[e].target);
    for (int64_t c = 0; c < clusters->count; c++)
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
            sizes[dgmi_graph_union_find(parent, (uint32_t)c)] += !seen[clusters->members[i]];
            seen[clusters->members[i]] = 1;
        }
    for (int64_t c = 0; c < clusters->count; c++)
        *count += sizes[c] >= about->dust_size;
    return DGM_OK;
}

/* ---- marks ---- */

dgm_status dgmi_study_count_marks(dgm_context *ctx, const dgm_summary *summary, int64_t dust_size,
                                  int64_t *marks) {
    dgmi_mapper_dust *dust;
    dgm_status status = dgmi_mapper_dust_find(ctx, summary, dust_size, &dust);
    if (status != DGM_OK)
        return status;
    *marks = dgm_summary_get_clusters(summary).count;
    *marks -= dust ? dust->clusters - dust->pile_count : 0;
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
        status = count_pieces(ctx, about, summary, &clusters, &out->pieces);
    if (status == DGM_OK)
        status = dgmi_study_count_marks(ctx, summary, about->dust_size, &out->marks);
    if (status == DGM_OK)
        status = dgm_summary_measure_bits(ctx, summary, about->graph, about->dust_size, &out->bits);
    dgmi_arena_release(ctx, hold);
    out->inside = out->bits.edges > 0 ? (double)out->bits.inside / (double)out->bits.edges : 1;
    out->taken = coverage.taken;
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
    dgmi_arena_release(ctx, hold);
    return status;
}
