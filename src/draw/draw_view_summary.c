/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a summary: marks are clusters. */
#include "draw_view.h"

#include <math.h>

#include "base_context.h"

static dgm_status copy_lens(dgm_context *ctx, dgm_view *view, const dgm_summary *summary,
                            const dgm_summary_clusters *clusters) {
    int64_t values = clusters->count * clusters->dimension;
    view->lens = dgmi_view_alloc(ctx, view, values, sizeof *view->lens);
    view->axes =
        view->lens ? dgmi_view_alloc(ctx, view, clusters->dimension, sizeof *view->axes) : NULL;
    if (!view->axes)
        return DGM_ERROR_MEMORY;
    view->dimension = clusters->dimension;
    view->transforms = dgmi_view_alloc(ctx, view, view->dimension, sizeof *view->transforms);
    if (!view->transforms)
        return DGM_ERROR_MEMORY;
    /* Means beyond the largest number are unknown, in files too. */
    for (int64_t i = 0; i < values; i++)
        view->lens[i] = isfinite(clusters->lens[i]) ? clusters->lens[i] : NAN;
    for (int64_t c = 0; c < view->dimension; c++)
        if (!(view->axes[c] = dgmi_view_strdup(ctx, view, dgm_summary_axis_name(summary, c))) ||
            !(view->transforms[c] =
                  dgmi_view_strdup(ctx, view, dgm_summary_axis_transform(summary, c))))
            return DGM_ERROR_MEMORY;
    return DGM_OK;
}

static void copy_links(dgm_view *view, const dgm_summary_edge *edges) {
    for (int64_t e = 0; e < view->link_count; e++)
        view->links[e] = (dgmi_view_link){edges[e].source, edges[e].target, edges[e].weight,
                                          edges[e].shared, edges[e].links};
}

static dgm_status fill_words(dgm_context *ctx, dgm_view *view, const dgm_summary *summary,
                             const dgm_graph *graph, const dgm_provenance *provenance) {
    dgmi_view_words words;
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    view->nodes = dgm_graph_nodes(graph);
    view->edges = dgm_graph_edges(graph);
    view->covered = coverage.covered;
    view->structural = dgm_summary_options(summary)->edges == DGM_EDGES_STRUCTURAL;
    dgm_status status = dgmi_view_set_text(ctx, view, &view->source, dgm_graph_source(graph));
    if (status == DGM_OK && provenance) {
        view->seed = provenance->seed;
        status = dgmi_view_set_text(ctx, view, &view->lens_name, provenance->lens);
        if (status == DGM_OK)
            status = dgmi_view_set_text(ctx, view, &view->command, provenance->command);
    }
    dgmi_view_words_of(dgm_summary_options(summary), view->dimension, &words);
    return status == DGM_OK ? dgmi_view_describe(ctx, view, &words) : status;
}

dgm_status dgm_view_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                 const dgm_graph *graph, const dgm_predictions *predictions,
                                 const dgm_provenance *provenance, dgm_view **out) {
    int64_t edge_count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &edge_count);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    *out = NULL;
    int64_t nodes = dgm_summary_get_coverage(summary).nodes;
    if (nodes != dgm_graph_nodes(graph))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the summary is of a graph of %lld nodes, and this one has %lld",
                         (long long)nodes, (long long)dgm_graph_nodes(graph));
    dgm_status status = dgmi_view_create(ctx, DGM_VIEW_SUMMARY, clusters.count, edge_count, out);
    if (status != DGM_OK)
        return status;
    for (int64_t c = 0; c < clusters.count; c++)
        (*out)->size[c] = clusters.offsets[c + 1] - clusters.offsets[c];
    copy_links(*out, edges);
    status = copy_lens(ctx, *out, summary, &clusters);
    if (status == DGM_OK)
        status = fill_words(ctx, *out, summary, graph, provenance);
    if (status == DGM_OK)
        status = dgmi_view_look(ctx, *out, graph, predictions,
                                (dgmi_view_members){clusters.offsets, clusters.members});
    if (status == DGM_OK)
        status = dgmi_view_stand_out(ctx, *out, graph,
                                     (dgmi_view_members){clusters.offsets, clusters.members},
                                     dgm_summary_get_peaks(summary));
    if (status == DGM_OK)
        status = dgm_summary_count_mistakes(ctx, summary, graph, predictions, &(*out)->ledger);
    if (status != DGM_OK) {
        dgm_view_free(*out);
        *out = NULL;
    }
    return status;
}
