/* SPDX-License-Identifier: Apache-2.0 */
/* Stages that run when their result is asked for, and stay until something before them changes. */
#include "workspace_workspace.h"

#include "base_context.h"
#include "base_memory.h"
#include "draw_view.h"
#include "mapper_dust.h"
#include "mapper_stages.h"
#include "mapper_summary.h"

dgm_status dgm_workspace_create(dgm_context *ctx, const dgm_graph *graph, dgm_workspace **out) {
    *out = NULL;
    dgm_workspace *workspace = dgmi_alloc_zero(ctx, 1, sizeof *workspace);
    if (!workspace)
        return DGM_ERROR_MEMORY;
    workspace->allocator = ctx->allocator;
    workspace->graph = graph;
    dgm_mapper_options_init(&workspace->mapper_options);
    dgm_layout_options_init(&workspace->layout_options);
    dgm_figure_options_init(&workspace->figure_options);
    workspace->provenance.seed = workspace->mapper_options.seed;
    *out = workspace;
    return DGM_OK;
}

void dgm_workspace_free(dgm_workspace *workspace) {
    if (!workspace)
        return;
    dgmi_workspace_drop_mapper(workspace);
    dgmi_workspace_free_options(workspace);
    dgmi_allocator_free(&workspace->allocator, workspace);
}

/* ---- what is out of date goes ---- */

void dgmi_workspace_drop_view(dgm_workspace *workspace) {
    dgm_view_free(workspace->view);
    workspace->view = NULL;
}

void dgmi_workspace_drop_profile(dgm_workspace *workspace) {
    dgmi_workspace_drop_view(workspace); /* which borrows the profile */
    dgm_profile_free(workspace->profile);
    workspace->profile = NULL;
}

void dgmi_workspace_drop_summary(dgm_workspace *workspace) {
    dgmi_workspace_drop_profile(workspace);
    dgm_summary_free(workspace->summary);
    workspace->summary = NULL;
}

static void free_stages(dgm_workspace *workspace) {
    dgm_mapper_free(workspace->mapper); /* which borrows the axes */
    workspace->mapper = NULL;
    dgm_matrix_free(workspace->transformed);
    workspace->transformed = NULL;
}

void dgmi_workspace_drop_mapper(dgm_workspace *workspace) {
    dgmi_workspace_drop_summary(workspace);
    free_stages(workspace);
}

void dgm_workspace_forget_axes(dgm_workspace *workspace) {
    free_stages(workspace);
    workspace->axes = NULL;
}

/* ---- what goes in ---- */

dgm_status dgm_workspace_set_axes(dgm_context *ctx, dgm_workspace *workspace,
                                  const dgm_matrix *axes) {
    if (!workspace->graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "axes need a graph, and the workspace was made without one");
    dgmi_workspace_drop_mapper(workspace);
    workspace->axes = axes;
    workspace->given_summary = NULL;
    workspace->given_profile = NULL;
    workspace->given_places = NULL;
    return DGM_OK;
}

dgm_status dgm_workspace_set_predictions(dgm_context *ctx, dgm_workspace *workspace,
                                         const dgm_predictions *predictions) {
    if (predictions && !workspace->graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "predictions need a graph, and the workspace was made without one");
    dgmi_workspace_drop_profile(workspace);
    workspace->predictions = predictions;
    return DGM_OK;
}

dgm_status dgm_workspace_set_summary(dgm_context *ctx, dgm_workspace *workspace,
                                     const dgm_summary *summary, const dgm_profile *profile,
                                     const dgm_places *places) {
    if (!summary)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "no summary was given");
    dgmi_workspace_drop_mapper(workspace);
    workspace->axes = NULL;
    workspace->given_summary = summary;
    workspace->given_profile = profile;
    workspace->given_places = places;
    return DGM_OK;
}

/* ---- what comes out ---- */

/* A copy of the axes, transformed. On failure there is none, so that the next call tries again. */
static dgm_status transform_axes(dgm_context *ctx, dgm_workspace *workspace) {
    dgm_status status = dgm_matrix_join(ctx, &workspace->axes, 1, &workspace->transformed);
    if (status == DGM_OK)
        status = dgm_transform_axes(ctx, workspace->graph, workspace->transformed,
                                    workspace->transforms, workspace->transform_count);
    if (status != DGM_OK) {
        dgm_matrix_free(workspace->transformed);
        workspace->transformed = NULL;
    }
    return status;
}

/* The axes that are cut into cells: those that were set, or their transformed copy. */
static dgm_status find_axes(dgm_context *ctx, dgm_workspace *workspace, const dgm_matrix **out) {
    dgm_status status = DGM_OK;
    *out = NULL;
    if (!workspace->axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the workspace has neither axes nor a summary");
    if (workspace->transform_count && !workspace->transformed)
        status = transform_axes(ctx, workspace);
    *out = workspace->transformed ? workspace->transformed : workspace->axes;
    return status;
}

/* The ledger counts the dust that figures of this summary fold. */
dgm_status dgmi_workspace_count_dust(dgm_context *ctx, dgm_workspace *workspace) {
    return workspace->summary ? dgmi_mapper_dust_count(ctx, workspace->summary,
                                                       workspace->layout_options.dust_size)
                              : DGM_OK;
}

dgm_status dgmi_workspace_count_bits(dgm_context *ctx, dgm_workspace *workspace) {
    dgm_bits bits;
    if (!workspace->summary)
        return DGM_OK;
    dgm_status status = dgm_summary_measure_bits(ctx, workspace->summary, workspace->graph,
                                                 workspace->layout_options.dust_size, &bits);
    if (status == DGM_OK)
        dgm_summary_set_bits(workspace->summary, &bits);
    return status;
}

void dgmi_workspace_set_chance(dgm_workspace *workspace, const dgm_bits *chance) {
    dgm_bits own = workspace->summary->bits, *bits = &workspace->summary->bits;
    *bits = *chance;
    bits->known = own.known;
    bits->blocks = own.blocks;
    bits->edges = own.edges;
    bits->inside = own.inside;
    bits->whole = own.whole;
    bits->gained = own.gained;
    bits->cost = own.cost;
    bits->told = own.told;
    bits->features = own.features;
}

static dgm_status map_axes(dgm_context *ctx, dgm_workspace *workspace) {
    const dgm_matrix *axes;
    dgm_status status = find_axes(ctx, workspace, &axes);
    if (status == DGM_OK && !workspace->mapper)
        status = dgm_mapper_create(ctx, workspace->graph, axes, &workspace->mapper);
    if (status == DGM_OK)
        status = dgmi_mapper_summarise_checked(ctx, workspace->mapper, &workspace->mapper_options,
                                               &workspace->summary);
    if (status == DGM_OK)
        status = dgmi_workspace_count_dust(ctx, workspace);
    if (status == DGM_OK)
        status = dgmi_workspace_count_bits(ctx, workspace);
    if (status == DGM_OK)
        status = dgmi_mapper_cover_note_apart(ctx, axes, &workspace->mapper_options);
    if (status == DGM_OK)
        dgmi_mapper_summary_note_apart(ctx, workspace->summary);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(ctx, workspace->summary, &workspace->provenance);
    if (status != DGM_OK)
        dgmi_workspace_drop_summary(workspace);
    return status;
}

dgm_status dgm_workspace_summary(dgm_context *ctx, dgm_workspace *workspace,
                                 const dgm_summary **out) {
    *out = NULL;
    dgm_status status = DGM_OK;
    if (!workspace->given_summary && !workspace->summary)
        status = map_axes(ctx, workspace);
    if (status == DGM_OK)
        *out = workspace->given_summary ? workspace->given_summary : workspace->summary;
    return status;
}

dgm_status dgm_workspace_profile(dgm_context *ctx, dgm_workspace *workspace,
                                 const dgm_profile **out) {
    const dgm_summary *summary;
    *out = NULL;
    dgm_status status = dgm_workspace_summary(ctx, workspace, &summary);
    if (status == DGM_OK && !workspace->given_profile && !workspace->profile && workspace->graph)
        status = dgm_profile_create(ctx, summary, workspace->graph, workspace->predictions,
                                    &workspace->profile);
    if (status == DGM_OK)
        *out = workspace->given_profile ? workspace->given_profile : workspace->profile;
    return status;
}

static dgm_status make_view(dgm_context *ctx, dgm_workspace *workspace) {
    const dgm_summary *summary;
    const dgm_profile *profile;
    if (workspace->view)
        return DGM_OK;
    dgm_status status = dgm_workspace_summary(ctx, workspace, &summary);
    if (status == DGM_OK)
        status = dgm_workspace_profile(ctx, workspace, &profile);
    if (status == DGM_OK)
        status =
            dgm_view_from_summary(ctx, summary, profile, workspace->given_places, &workspace->view);
    if (status == DGM_OK && workspace->graph && dgm_summary_get_clusters(summary).members)
        status = dgm_view_set_graph(ctx, workspace->view, workspace->graph);
    return status;
}

static bool is_placed(const dgm_workspace *workspace) {
    return workspace->view && dgm_view_get_places(workspace->view).x;
}

/* Whether the layout is worth its while, or wanted whatever it costs. */
static dgm_status weigh_layout(dgm_context *ctx, dgm_workspace *workspace, dgm_placing placing,
                               bool *worth) {
    *worth = true;
    if (placing == DGM_PLACING_ALWAYS)
        return DGM_OK;
    dgm_status status =
        dgmi_draw_view_weigh_layout(ctx, workspace->view, &workspace->layout_options, worth);
    if (status == DGM_OK && !*worth)
        dgmi_note(ctx, "the clusters have no places: a layout would take longer than the summary "
                       "did; 'dgm draw' makes one");
    return status;
}

static dgm_status place(dgm_context *ctx, dgm_workspace *workspace, dgm_placing placing) {
    bool worth;
    dgm_status status = make_view(ctx, workspace);
    if (status == DGM_OK) /* before the layout is weighed, since fewer marks cost less */
        status = dgm_view_fold_dust(ctx, workspace->view, &workspace->layout_options);
    if (status != DGM_OK || is_placed(workspace))
        return status;
    status = weigh_layout(ctx, workspace, placing, &worth);
    if (status == DGM_OK && worth)
        status = dgm_view_lay_out(ctx, workspace->view, &workspace->layout_options);
    return status;
}

dgm_status dgm_workspace_view(dgm_context *ctx, dgm_workspace *workspace, const dgm_view **out) {
    *out = NULL;
    dgm_status status = place(ctx, workspace, DGM_PLACING_ALWAYS);
    if (status == DGM_OK)
        *out = workspace->view;
    return status;
}

/* ---- into bytes ---- */

dgm_placing dgm_export_placing(dgm_export_format format) {
    if (dgm_export_is_figure(format))
        return DGM_PLACING_ALWAYS;
    bool table = format == DGM_EXPORT_CSV ||
                 format == DGM_EXPORT_DOT || /* Graphviz places itself */
                 format == DGM_EXPORT_MD;
    return table ? DGM_PLACING_NONE : DGM_PLACING_CHEAP;
}

dgm_status dgm_workspace_subject(dgm_context *ctx, dgm_workspace *workspace, dgm_placing placing,
                                 dgm_export_subject *out) {
    *out = (dgm_export_subject){.graph = workspace->graph, .figure = &workspace->figure_options};
    dgm_status status = dgm_workspace_summary(ctx, workspace, &out->summary);
    if (status == DGM_OK)
        status = dgm_workspace_profile(ctx, workspace, &out->profile);
    if (status == DGM_OK && (placing != DGM_PLACING_NONE || workspace->given_places))
        status = place(ctx, workspace, placing);
    if (status == DGM_OK)
        out->view = workspace->view;
    return status;
}

dgm_status dgm_workspace_text(dgm_context *ctx, dgm_workspace *workspace, dgm_export_format format,
                              int part, char **text, size_t *length) {
    dgm_export_subject subject;
    *text = NULL;
    if (length)
        *length = 0;
    dgm_status status = dgm_workspace_subject(ctx, workspace, dgm_export_placing(format), &subject);
    return status == DGM_OK ? dgm_export_text(ctx, &subject, format, part, text, length) : status;
}

dgm_status dgm_workspace_write(dgm_context *ctx, dgm_workspace *workspace, dgm_export_format format,
                               int part, const dgm_sink *sink) {
    dgm_export_subject subject;
    dgm_status status = dgm_workspace_subject(ctx, workspace, dgm_export_placing(format), &subject);
    return status == DGM_OK ? dgm_export_stream(ctx, &subject, format, part, sink) : status;
}

void dgm_workspace_take(dgm_workspace *workspace, dgm_summary **summary, dgm_profile **profile,
                        dgm_view **view) {
    *view = workspace->view;
    *profile = workspace->profile;
    *summary = workspace->summary;
    workspace->view = NULL;
    workspace->profile = NULL;
    workspace->summary = NULL;
}
