/* SPDX-License-Identifier: Apache-2.0 */
/* The questions `thumbnail` and `persistence`: what other settings would show, without changing what
 * is shown. They have a workspace of their own, beside that of the picture. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "draw_carry.h"
#include "explore_explorer.h"
#include "explore_legend.h"
#include "explore_marks.h"
#include "workspace_workspace.h"

enum { MOST_STEPS = 16 };

/* Makes a workspace with the settings of the picture, which the caller frees. */
static dgm_status open_aside(dgm_context *ctx, const dgm_explorer *explorer, dgm_workspace **out) {
    dgm_status status = dgm_workspace_create(ctx, explorer->graph, out);
    if (status == DGM_OK)
        status = dgm_workspace_set_axes(ctx, *out, explorer->lens.axes);
    if (status == DGM_OK)
        status = dgm_workspace_set_predictions(ctx, *out, explorer->lens.predictions);
    for (int i = 0; status == DGM_OK && i < explorer->setting_count; i++) {
        const dgmi_explore_setting *setting = &explorer->settings[i];
        const char *usual = setting->option->default_text;
        if (*setting->text && (!usual || strcmp(usual, setting->text) != 0) &&
            strcmp(setting->text, "false") != 0)
            status = dgm_workspace_set(ctx, *out, setting->option->name, setting->text);
    }
    return status;
}

/* ---- a thumbnail ---- */

/* Marks start from where their nodes stand in the picture, so that both can be compared. */
static dgm_status place(dgm_context *ctx, const dgm_explorer *explorer, dgm_workspace *aside,
                        const dgm_view **view) {
    dgm_layout_options layout = aside->layout_options;
    const dgm_summary *summary;
    dgm_status status = dgm_workspace_summary(ctx, aside, &summary);
    if (status != DGM_OK)
        return status;
    if (explorer->node) {
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        double *start = dgmi_scratch(ctx, 2 * clusters.count, sizeof *start);
        if (!start)
            return DGM_ERROR_MEMORY;
        dgmi_draw_carry_clusters(&clusters, explorer->node, start);
        layout.start = start;
        layout.anchor = DGMI_DRAW_HOLD;
        status = dgm_workspace_set_layout(ctx, aside, &layout);
    }
    return status == DGM_OK ? dgm_workspace_view(ctx, aside, view) : status;
}

static dgm_status draw_aside(dgm_context *ctx, const dgm_explorer *explorer, dgm_workspace *aside,
                             dgmi_explore_answer *answer) {
    const dgm_figure_options *figure = &aside->figure_options;
    const dgm_summary *summary;
    const dgm_view *view;
    dgmi_draw_paint paint;
    dgmi_explore_marks marks;
    int64_t edges;
    dgm_status status = place(ctx, explorer, aside, &view);
    if (status == DGM_OK)
        status = dgm_workspace_summary(ctx, aside, &summary);
    if (status == DGM_OK)
        status = dgmi_draw_paint_make(ctx, view, figure->colour, figure, NULL, &paint);
    if (status == DGM_OK)
        status = dgmi_explore_marks_list(ctx, view, &paint, &marks);
    if (status != DGM_OK)
        return status;
    dgm_summary_edges(summary, &edges);
    dgmi_explore_integer(answer, "clusters", dgm_summary_get_clusters(summary).count);
    dgmi_explore_integer(answer, "links", edges);
    dgmi_explore_say_ledger(summary, view, answer);
    status = dgmi_explore_put_places(ctx, &marks, answer);
    if (status == DGM_OK)
        status = dgmi_explore_put_looks(ctx, &marks, answer);
    return status == DGM_OK ? dgmi_explore_put_links(ctx, &marks, false, answer) : status;
}

dgm_status dgmi_explore_thumbnail(dgm_context *ctx, dgm_explorer *explorer,
                                  const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgm_workspace *aside = NULL;
    if (!explorer->lens.axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the explorer has no lens yet");
    dgm_status status = open_aside(ctx, explorer, &aside);
    for (int i = 0; status == DGM_OK && i < query->count; i++)
        if (strcmp(query->names[i], "serial") != 0)
            status = dgm_workspace_set(ctx, aside, query->names[i], query->values[i]);
    if (status == DGM_OK)
        status = draw_aside(ctx, explorer, aside, answer);
    dgm_workspace_free(aside);
    if (status != DGM_OK)
        return status;
    dgmi_explore_open(answer, "settings", '{');
    for (int i = 0; i < query->count; i++)
        dgmi_explore_text(answer, query->names[i], query->values[i]);
    dgmi_explore_close(answer, '{');
    return DGM_OK;
}

/* ---- what persists ---- */

/* Summaries from fine to coarse, which belong to it. */
typedef struct {
    int count;
    int64_t intervals[MOST_STEPS];
    dgm_summary *summaries[MOST_STEPS];
} stack;

static dgm_status read_intervals(dgm_context *ctx, const dgmi_explore_query *query, stack *out) {
    const char *text = dgmi_explore_query_find(query, "intervals");
    for (const char *at = text; at;) {
        size_t length = strcspn(at, ",");
        if (out->count == MOST_STEPS ||
            !dgmi_parse_integer(at, length, &out->intervals[out->count]) ||
            out->intervals[out->count] < 1)
            break;
        out->count++;
        at = at[length] ? at + length + 1 : NULL;
        if (!at)
            return DGM_OK;
    }
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     DGMI_NAMED("intervals") " is a list of at most %d numbers such as 20,10,5",
                     MOST_STEPS);
}

static dgm_status map_steps(dgm_context *ctx, dgm_workspace *aside, stack *steps) {
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < steps->count; i++) {
        char text[DGMI_NUMBER_SPACE];
        const dgm_summary *summary;
        dgm_profile *profile;
        dgm_view *view;
        dgmi_format_real((double)steps->intervals[i], text);
        status = dgm_workspace_set(ctx, aside, "intervals", text);
        if (status == DGM_OK)
            status = dgm_workspace_summary(ctx, aside, &summary);
        if (status == DGM_OK)
            dgm_workspace_take(aside, &steps->summaries[i], &profile, &view);
    }
    return status;
}

static void say_bar(const dgm_bar *bar, int64_t count, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_integer(answer, "dimension", bar->dimension);
    dgmi_explore_integer(answer, "birth", bar->birth);
    if (bar->death < 0)
        dgmi_explore_text(answer, "death", NULL);
    else
        dgmi_explore_integer(answer, "death", bar->death);
    dgmi_explore_integer(answer, "count", count);
    dgmi_explore_close(answer, '{');
}

/* Bars are sorted, so that those that are alike stand together; each kind is said once. */
static void say_bars(const dgm_tower_run *run, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "bars", '[');
    for (int64_t b = 0, next; b < run->bar_count; b = next) {
        const dgm_bar *bar = &run->bars[b];
        for (next = b + 1; next < run->bar_count && run->bars[next].dimension == bar->dimension &&
                           run->bars[next].birth == bar->birth &&
                           run->bars[next].death == bar->death;)
            next++;
        say_bar(bar, next - b, answer);
    }
    dgmi_explore_close(answer, '[');
}

static void say_runs(const dgm_tower *tower, dgmi_explore_answer *answer) {
    int64_t count;
    const dgm_tower_run *runs = dgm_tower_runs(tower, &count);
    dgmi_explore_open(answer, "runs", '[');
    for (int64_t r = 0; r < count; r++) {
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_integer(answer, "first", runs[r].first);
        dgmi_explore_integer(answer, "last", runs[r].last);
        dgmi_explore_flag(answer, "loops_known", runs[r].loops_known);
        say_bars(&runs[r], answer);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

static void say_steps(const stack *steps, const dgm_tower *tower, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "steps", '[');
    for (int i = 0; i < steps->count; i++) {
        const dgm_summary_topology is = dgm_summary_get_topology(steps->summaries[i]);
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_integer(answer, "intervals", steps->intervals[i]);
        dgmi_explore_integer(answer, "clusters",
                             dgm_summary_get_clusters(steps->summaries[i]).count);
        dgmi_explore_integer(answer, "b0", is.b0);
        dgmi_explore_integer(answer, "b1", is.b1);
        if (i + 1 < steps->count)
            dgmi_explore_flag(answer, "refines",
                              dgm_tower_get_step(tower, i).kind == DGM_STEP_REFINEMENT);
        else
            dgmi_explore_text(answer, "refines", NULL);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

dgm_status dgmi_explore_persistence(dgm_context *ctx, dgm_explorer *explorer,
                                    const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    const char *overlap = dgmi_explore_query_find(query, "overlap");
    dgm_workspace *aside = NULL;
    dgm_tower *tower = NULL;
    stack steps = {.count = 0};
    if (!explorer->lens.axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the explorer has no lens yet");
    dgm_status status = read_intervals(ctx, query, &steps);
    if (status == DGM_OK)
        status = open_aside(ctx, explorer, &aside);
    if (status == DGM_OK && overlap)
        status = dgm_workspace_set(ctx, aside, "overlap", overlap);
    if (status == DGM_OK)
        status = map_steps(ctx, aside, &steps);
    if (status == DGM_OK)
        status =
            dgm_tower_create(ctx, (const dgm_summary *const *)steps.summaries, steps.count, &tower);
    if (status == DGM_OK) {
        dgmi_explore_integer(answer, "serial", explorer->serial);
        say_steps(&steps, tower, answer);
        say_runs(tower, answer);
    }
    dgm_tower_free(tower);
    dgm_workspace_free(aside);
    for (int i = 0; i < steps.count; i++)
        dgm_summary_free(steps.summaries[i]);
    return status;
}
