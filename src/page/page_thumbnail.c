/* SPDX-License-Identifier: Apache-2.0 */
/* What a candidate of a study shows, in few numbers: to be looked at and clicked. */
#include <math.h>

#include "base_memory.h"
#include "explore_legend.h"
#include "explore_marks.h"
#include "page_page.h"
#include "workspace_workspace.h"

/* Thumbnails of larger graphs would take seconds: each needs a lens of its own. */
enum { MOST_EDGES = 200000 };

static void say_numbers(dgmi_explore_answer *answer, const char *key, const double *values,
                        const dgmi_explore_marks *m) {
    dgmi_explore_open(answer, key, '[');
    for (int64_t i = 0; i < m->count; i++) /* a thousandth of a radius is nothing to see */
        dgmi_explore_real(answer, NULL, rint(values[m->cluster[i]] * 1000) / 1000);
    dgmi_explore_close(answer, '[');
}

static void say_links(dgmi_explore_answer *answer, const dgmi_explore_marks *m) {
    dgmi_explore_open(answer, "links", '[');
    for (int64_t l = 0; l < m->view->link_count; l++) {
        const dgm_summary_edge *link = &m->view->links[l];
        if (!dgmi_draw_view_is_drawn(m->view, link->source) ||
            !dgmi_draw_view_is_drawn(m->view, link->target))
            continue;
        dgmi_explore_integer(answer, NULL, m->mark[link->source]);
        dgmi_explore_integer(answer, NULL, m->mark[link->target]);
    }
    dgmi_explore_close(answer, '[');
}

static dgm_status say_view(dgm_context *ctx, dgm_workspace *workspace,
                           dgmi_explore_answer *answer) {
    const dgm_view *view;
    dgmi_draw_paint paint;
    dgmi_explore_marks m;
    dgm_status status = dgm_workspace_view(ctx, workspace, &view);
    if (status == DGM_OK)
        status = dgmi_draw_paint_make(ctx, view, NULL, &workspace->figure_options, NULL, &paint);
    if (status == DGM_OK)
        status = dgmi_explore_marks_list(ctx, view, &paint, &m);
    if (status != DGM_OK)
        return status;
    dgmi_explore_open(answer, "picture", '{');
    say_numbers(answer, "x", view->x, &m);
    say_numbers(answer, "y", view->y, &m);
    say_numbers(answer, "radius", view->radius, &m);
    dgmi_explore_open(answer, "fill", '[');
    for (int64_t i = 0; i < m.count; i++)
        dgmi_explore_say_colour(answer, NULL, paint.fill[m.cluster[i]]);
    dgmi_explore_close(answer, '[');
    say_links(answer, &m);
    dgmi_explore_close(answer, '{');
    return DGM_OK;
}

/* Options of a job that are none of a workspace belong to the lens. */
static dgm_status set_all(dgm_context *ctx, const dgm_study_candidate *candidate,
                          dgm_workspace *workspace) {
    const dgm_option_table *lens = dgm_job_lens_option_table();
    char value[DGM_STUDY_VALUE];
    const char *name;
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && dgm_study_setting(candidate, i, &name, value); i++)
        if (!dgm_option_find(lens, name))
            status = dgm_workspace_set(ctx, workspace, name, value);
    return status;
}

static dgm_status draw(dgm_context *ctx, const dgm_graph *graph,
                       const dgm_study_candidate *candidate, const dgm_lens_result *lens,
                       dgmi_explore_answer *answer) {
    dgm_workspace *workspace = NULL;
    dgm_status status = dgm_workspace_create(ctx, graph, &workspace);
    if (status == DGM_OK)
        status = dgm_workspace_set_axes(ctx, workspace, dgm_lens_result_axes(lens));
    if (status == DGM_OK)
        status = set_all(ctx, candidate, workspace);
    if (status == DGM_OK)
        status = say_view(ctx, workspace, answer);
    dgm_workspace_free(workspace);
    return status;
}

/* The lens of the best candidate is there; that of another is made again, if it is another. */
static dgm_status make_lens(dgm_context *ctx, const dgmi_page *page, const dgm_study *study,
                            int64_t candidate, dgm_lens_result **out) {
    dgm_job job;
    int64_t count;
    dgm_status status = DGM_OK;
    *out = NULL;
    if (candidate == 0 || !dgm_study_candidates(study, &count)[candidate].lens)
        return DGM_OK;
    dgm_job_init(&job);
    for (int i = 0; status == DGM_OK && i < page->input.setting_count; i++)
        if (!dgm_option_find(dgm_job_lens_option_table(), page->input.settings[i][0]))
            status = dgm_job_set(ctx, &job, page->input.settings[i][0], page->input.settings[i][1]);
    if (status == DGM_OK)
        status = dgm_study_apply(ctx, study, candidate, &job);
    return status == DGM_OK ? dgm_job_lens(ctx, &job, dgm_explorer_graph(page->explorer), out)
                            : status;
}

dgm_status dgmi_page_say_thumbnail(dgm_context *ctx, const dgmi_page *page, const dgm_study *study,
                                   int64_t candidate, dgmi_explore_answer *answer) {
    const dgm_graph *graph = dgm_explorer_graph(page->explorer);
    dgm_lens_result *made = NULL;
    int64_t count;
    if (dgm_graph_edges(graph) > MOST_EDGES) {
        dgmi_explore_text(answer, "picture", NULL);
        return DGM_OK;
    }
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = make_lens(ctx, page, study, candidate, &made);
    if (status == DGM_OK)
        status = draw(ctx, graph, dgm_study_candidates(study, &count) + candidate,
                      made ? made : dgm_study_lens(study), answer);
    dgm_lens_result_free(made);
    dgmi_arena_release(ctx, hold);
    return status;
}
