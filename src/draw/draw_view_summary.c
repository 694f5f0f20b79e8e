/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the view of a summary, whose marks are clusters. */
#include "draw_view.h"

#include "base_context.h"
#include "mapper_summary.h"

static void borrow(dgm_view *view, const dgm_summary *summary, const dgm_profile *profile) {
    view->summary = summary;
    view->profile = profile;
    view->dimension = summary->dimension;
    view->lens = summary->lens;
    view->axes = summary->axis_names;
    view->transforms = summary->transforms;
    view->link_count = summary->edge_count;
    view->links = summary->edges;
    view->structural = summary->options.edges == DGM_EDGES_STRUCTURAL;
    view->source = summary->source;
    view->lens_name = summary->lens_name;
    view->nodes = summary->nodes;
    view->edges = summary->graph_edges;
    view->covered = summary->coverage.covered;
    view->seed = summary->seed;
    for (int64_t c = 0; c < summary->clusters; c++)
        view->size[c] = summary->offsets[c + 1] - summary->offsets[c];
}

static dgm_status weigh_marks(dgm_context *ctx, dgm_view *view) {
    const dgm_summary *summary = view->summary;
    if (!summary->weights)
        return DGM_OK;
    view->weighed = dgmi_draw_view_alloc(ctx, view, view->marks, sizeof *view->weighed);
    for (int64_t c = 0; view->weighed && c < view->marks; c++)
        for (int64_t i = summary->offsets[c]; i < summary->offsets[c + 1]; i++)
            view->weighed[c] += summary->weights[i];
    return view->weighed ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_draw_view_retell(dgm_context *ctx, dgm_view *view) {
    const dgm_summary *summary = view->summary;
    view->lens_name = summary->lens_name;
    view->seed = summary->seed;
    return dgmi_draw_view_describe(ctx, view, &summary->options);
}

static dgm_status take_places(dgm_context *ctx, dgm_view *view, const dgm_places *places) {
    if (!places)
        return DGM_OK;
    dgm_status status = DGM_OK;
    if (places->x && places->dust > 0)
        status = dgmi_draw_dust_fold(ctx, view, places->dust);
    if (status == DGM_OK && places->x)
        status = dgm_view_set_places(ctx, view, places->x, places->y, places->radius);
    view->layout = places->x ? places->layout : -1;
    view->layout_seed = places->seed;
    view->layout_operations = places->operations;
    view->layout_budget = places->budget;
    return status;
}

dgm_status dgm_view_from_summary(dgm_context *ctx, const dgm_summary *summary,
                                 const dgm_profile *profile, const dgm_places *places,
                                 dgm_view **out) {
    *out = NULL;
    if (profile && profile->clusters != summary->clusters)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "a profile of %lld clusters is not one of a summary that has %lld",
                         (long long)profile->clusters, (long long)summary->clusters);
    dgm_status status = dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, summary->clusters, out);
    if (status != DGM_OK)
        return status;
    borrow(*out, summary, profile);
    status = weigh_marks(ctx, *out);
    if (status == DGM_OK && !profile)
        status = dgmi_draw_view_own_profile(ctx, *out);
    if (status == DGM_OK)
        status = dgmi_draw_view_describe(ctx, *out, &summary->options);
    if (status == DGM_OK)
        status = take_places(ctx, *out, places);
    if (status != DGM_OK) {
        dgm_view_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_view_set_graph(dgm_context *ctx, dgm_view *view, const dgm_graph *graph) {
    if (!view->summary)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "only the view of a summary is told its graph");
    dgm_status status = graph ? dgmi_mapper_summary_check_graph(ctx, view->summary, graph) : DGM_OK;
    if (status == DGM_OK)
        view->graph = graph;
    return status;
}
