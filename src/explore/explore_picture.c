/* SPDX-License-Identifier: Apache-2.0 */
/* The question `picture`: clusters with places and colours, links, legend and ledger. */
#include <math.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "draw_carry.h"
#include "draw_view.h"
#include "explore_explorer.h"
#include "explore_legend.h"
#include "explore_marks.h"
#include "workspace_workspace.h"

/* ---- a layout that starts from the last one ---- */

/* The clusters start where their nodes stood. Without a picture before, and with `cold`, the layout
 * is the one that `dgm map` makes. */
static dgm_status prepare_layout(dgm_context *ctx, dgm_explorer *explorer, bool cold) {
    dgm_workspace *workspace = explorer->workspace;
    dgm_layout_options layout = workspace->layout_options;
    const dgm_summary *summary;
    if (workspace->view && !cold)
        return DGM_OK;
    dgm_status status = dgm_workspace_summary(ctx, workspace, &summary);
    if (status != DGM_OK)
        return status;
    layout.start = NULL;
    layout.anchor = 0;
    if (explorer->node && !cold) {
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        double *start = dgmi_scratch(ctx, 2 * clusters.count, sizeof *start);
        if (!start)
            return DGM_ERROR_MEMORY;
        dgmi_draw_carry_clusters(&clusters, explorer->node, start);
        layout.start = start;
        layout.anchor = DGMI_DRAW_HOLD;
    }
    return dgm_workspace_set_layout(ctx, workspace, &layout);
}

/* The start is scratch memory: nothing may keep it. */
static void forget_start(dgm_workspace *workspace) {
    workspace->layout_options.start = NULL;
    workspace->layout_options.anchor = 0;
}

dgm_status dgmi_explore_remember_places(dgm_context *ctx, dgm_explorer *explorer,
                                        const dgmi_explore_shown *shown) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    dgm_places places = dgm_view_get_places(shown->view);
    double *count = dgmi_scratch(ctx, nodes, sizeof *count);
    if (!explorer->node)
        explorer->node = dgmi_alloc(ctx, 2 * nodes, sizeof *explorer->node);
    if (!count || !explorer->node)
        return DGM_ERROR_MEMORY;
    dgmi_draw_carry_nodes(&shown->clusters, &places, nodes, explorer->node, count);
    return DGM_OK;
}
/* ---- marks ---- */

/* The share of mistakes among the members that were judged. */
static dgm_status put_errors(dgm_context *ctx, const dgmi_explore_marks *m,
                             dgmi_explore_answer *answer) {
    const int64_t *judged = dgm_profile_judged(m->view->profile);
    const int64_t *mistakes = dgm_profile_mistakes(m->view->profile);
    float *values = dgmi_scratch(ctx, m->count, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < m->count; i++) {
        int64_t c = m->cluster[i];
        bool known = judged && mistakes && judged[c] > 0 && dgmi_draw_view_is_plain(m->view, c);
        values[i] = known ? (float)mistakes[c] / (float)judged[c] : NAN;
    }
    dgmi_explore_floats(answer, "error", values, m->count);
    return DGM_OK;
}

static dgm_status put_pieces(dgm_context *ctx, const dgmi_explore_marks *m,
                             dgmi_explore_answer *answer) {
    uint32_t *piece = dgmi_explore_pieces(ctx, m->view);
    uint32_t *of_mark = dgmi_scratch(ctx, m->count, sizeof *of_mark);
    if (!piece || !of_mark)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < m->count; i++)
        of_mark[i] = piece[m->cluster[i]];
    dgmi_explore_numbers(answer, "piece", of_mark, m->count);
    return DGM_OK;
}

static dgm_status put_names(dgm_context *ctx, dgm_explorer *explorer, const dgmi_explore_marks *m,
                            const dgmi_explore_shown *shown, dgmi_explore_answer *answer) {
    dgmi_text text;
    dgm_status status = dgmi_explore_name_clusters(ctx, explorer, shown);
    if (status != DGM_OK)
        return status;
    dgmi_text_init(&text, ctx);
    dgmi_explore_open(answer, "names", '[');
    for (int64_t i = 0; i < m->count; i++) {
        const dgmi_mapper_pile *pile = dgmi_draw_view_pile(m->view, m->cluster[i]);
        if (!pile) {
            dgmi_explore_say_cluster(answer, NULL, explorer, m->cluster[i]);
            continue;
        }
        text.length = 0;
        dgmi_draw_dust_say(pile, &text);
        dgmi_explore_text(answer, NULL, text.data ? text.data : "");
    }
    dgmi_explore_close(answer, '[');
    status = text.status;
    dgmi_text_free(&text);
    return status;
}

/* ---- where marks come from ---- */

/* The mark of the last picture with which a mark shares the most members; scratch memory. */
static uint32_t most_shared(const dgm_explorer *explorer, const uint32_t *members, int64_t size,
                            uint32_t *count) {
    uint32_t best = DGMI_EXPLORE_NOWHERE;
    for (int64_t i = 0; i < size; i++) {
        uint32_t before = explorer->mark[members[i]];
        if (before == DGMI_EXPLORE_NOWHERE)
            continue;
        count[before]++;
        if (best == DGMI_EXPLORE_NOWHERE || count[before] > count[best])
            best = before;
    }
    for (int64_t i = 0; i < size; i++) /* zeros again, for the next mark */
        if (explorer->mark[members[i]] != DGMI_EXPLORE_NOWHERE)
            count[explorer->mark[members[i]]] = 0;
    return best;
}

static dgm_status put_origins(dgm_context *ctx, const dgm_explorer *explorer,
                              const dgmi_explore_marks *m, const dgmi_explore_shown *shown,
                              dgmi_explore_answer *answer) {
    const int64_t *offsets = shown->clusters.offsets;
    uint32_t *origin = dgmi_scratch(ctx, m->count, sizeof *origin);
    /* The last picture had no more marks than there are nodes in clusters, each counted once. */
    uint32_t *count = dgmi_scratch_zero(ctx, explorer->last_marks, sizeof *count);
    if (!origin || !count)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < m->count; i++) {
        int64_t c = m->cluster[i];
        origin[i] = explorer->mark ? most_shared(explorer, shown->clusters.members + offsets[c],
                                                 offsets[c + 1] - offsets[c], count)
                                   : DGMI_EXPLORE_NOWHERE;
    }
    dgmi_explore_numbers(answer, "origin", origin, m->count);
    return DGM_OK;
}

/* Which mark each node is in, for the next picture. Clusters of a pile have its mark. */
static dgm_status remember_marks(dgm_context *ctx, dgm_explorer *explorer,
                                 const dgmi_explore_marks *m, const dgmi_explore_shown *shown) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    const dgm_view *view = m->view;
    if (!explorer->mark)
        explorer->mark = dgmi_alloc(ctx, nodes, sizeof *explorer->mark);
    if (!explorer->mark)
        return DGM_ERROR_MEMORY;
    memset(explorer->mark, 0xff, (size_t)nodes * sizeof *explorer->mark);
    for (int64_t c = 0; c < shown->clusters.count; c++) {
        int64_t at = dgmi_explore_shown_by(view, c);
        if (dgmi_draw_view_is_drawn(view, at))
            for (int64_t i = shown->clusters.offsets[c]; i < shown->clusters.offsets[c + 1]; i++)
                explorer->mark[shown->clusters.members[i]] = m->mark[at];
    }
    explorer->last_marks = m->count;
    return DGM_OK;
}

/* Times are no part of a file, which has the same bytes every time. */
static void say_seconds(const dgm_explorer *explorer, const double clock[4],
                        dgmi_explore_answer *answer) {
    static const char *const names[] = {"map", "layout", "paint"};
    dgmi_explore_open(answer, "seconds", '{');
    for (int i = 0; i < 3; i++)
        dgmi_explore_real(answer, names[i], explorer->untimed ? 0 : clock[i + 1] - clock[i]);
    dgmi_explore_close(answer, '{');
}

/* ---- notes ---- */

enum { MOST_NOTES = 8 };

/* What the library has to say while a picture is made. */
typedef struct {
    dgm_context *ctx;
    char *list[MOST_NOTES];
    int count;
    dgm_note_fn before; /* who heard notes until now, and hears them again afterwards */
    void *before_user;
} notes;

static void keep_note(void *user, const char *note) {
    notes *kept = user;
    char *copy = kept->count < MOST_NOTES ? dgmi_strdup(kept->ctx, note) : NULL;
    if (copy)
        kept->list[kept->count++] = copy;
}

static void hear_notes(dgm_context *ctx, notes *kept) {
    *kept = (notes){.ctx = ctx, .before = ctx->note, .before_user = ctx->note_user};
    dgm_context_set_notes(ctx, keep_note, kept);
}

static void end_notes(notes *kept) {
    dgm_context_set_notes(kept->ctx, kept->before, kept->before_user);
    for (int i = 0; i < kept->count; i++)
        dgmi_free(kept->ctx, kept->list[i]);
}

static void say_notes(const notes *kept, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "notes", '[');
    for (int i = 0; i < kept->count; i++)
        dgmi_explore_text(answer, NULL, kept->list[i]);
    dgmi_explore_close(answer, '[');
}

/* ---- all of it ---- */

static dgm_status put_marks(dgm_context *ctx, dgm_explorer *explorer,
                            const dgmi_explore_shown *shown, const dgmi_draw_paint *paint,
                            dgmi_explore_answer *answer) {
    dgmi_explore_marks m;
    dgm_status status = dgmi_explore_marks_list(ctx, shown->view, paint, &m);
    if (status == DGM_OK)
        status = dgmi_explore_put_places(ctx, &m, answer);
    if (status == DGM_OK)
        status = dgmi_explore_put_looks(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_errors(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_pieces(ctx, &m, answer);
    if (status == DGM_OK)
        status = dgmi_explore_put_pinned(ctx, explorer, shown, &m, answer);
    if (status == DGM_OK)
        status = put_origins(ctx, explorer, &m, shown, answer);
    if (status == DGM_OK)
        status = remember_marks(ctx, explorer, &m, shown);
    if (status == DGM_OK)
        status = dgmi_explore_put_links(ctx, &m, true, answer);
    return status == DGM_OK ? put_names(ctx, explorer, &m, shown, answer) : status;
}

static void say_summary(const dgm_explorer *explorer, const dgmi_explore_shown *shown,
                        dgmi_explore_answer *answer) {
    int64_t edges;
    dgm_summary_edges(shown->summary, &edges);
    dgmi_explore_integer(answer, "serial", explorer->serial);
    dgmi_explore_integer(answer, "clusters", shown->clusters.count);
    dgmi_explore_integer(answer, "links", edges);
    dgmi_explore_text(answer, "command", explorer->command);
    dgmi_explore_settings_say(explorer, false, answer);
    dgmi_explore_say_ledger(shown->summary, shown->view, answer);
    dgmi_explore_say_axes(explorer, answer);
}

/* Maps and places what the settings say. The clock has the times of the beginning and of the end of
 * each part. */
static dgm_status show(dgm_context *ctx, dgm_explorer *explorer, bool cold,
                       dgmi_explore_shown *shown, double clock[4]) {
    dgm_status status = dgmi_explore_command_make(ctx, explorer);
    clock[0] = dgmi_seconds();
    if (status == DGM_OK)
        status = dgm_workspace_summary(ctx, explorer->workspace, &shown->summary);
    if (status == DGM_OK)
        status = dgm_workspace_profile(ctx, explorer->workspace, &shown->profile);
    clock[1] = dgmi_seconds();
    if (status == DGM_OK)
        status = prepare_layout(ctx, explorer, cold);
    if (status == DGM_OK)
        status = dgm_workspace_view(ctx, explorer->workspace, &shown->view);
    forget_start(explorer->workspace);
    if (status != DGM_OK)
        return status;
    shown->clusters = dgm_summary_get_clusters(shown->summary);
    status = dgmi_explore_pins_hold(ctx, explorer, shown);
    clock[2] = dgmi_seconds();
    return status == DGM_OK ? dgmi_explore_remember_places(ctx, explorer, shown) : status;
}

static dgm_status draw(dgm_context *ctx, dgm_explorer *explorer, bool cold, const notes *kept,
                       dgmi_explore_answer *answer) {
    const dgm_figure_options *figure = &explorer->workspace->figure_options;
    dgmi_explore_shown shown;
    dgmi_draw_paint paint;
    double clock[4];
    dgm_status status = show(ctx, explorer, cold, &shown, clock);
    if (status == DGM_OK)
        status = dgmi_draw_paint_make(ctx, shown.view, figure->colour, figure, NULL, &paint);
    if (status != DGM_OK)
        return status;
    clock[3] = dgmi_seconds();
    explorer->serial++; /* nothing can go wrong any more but memory */
    explorer->drawn = true;
    say_summary(explorer, &shown, answer);
    say_seconds(explorer, clock, answer);
    say_notes(kept, answer);
    dgmi_explore_say_legend(&paint, figure->style, answer);
    return put_marks(ctx, explorer, &shown, &paint, answer);
}

dgm_status dgmi_explore_picture(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    static const char *const others[] = {"cold", NULL};
    dgmi_explore_change change;
    notes kept;
    int64_t cold;
    if (!explorer->lens.axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the explorer has no lens yet");
    dgm_status status = dgmi_explore_query_integer(ctx, query, "cold", 0, 1, 0, &cold);
    if (status == DGM_OK)
        status = dgmi_explore_settings_begin(ctx, explorer);
    if (status == DGM_OK)
        status = dgmi_explore_settings_apply(ctx, explorer, query, others, &change);
    if (status != DGM_OK)
        return status;
    hear_notes(ctx, &kept);
    status = draw(ctx, explorer, cold, &kept, answer);
    end_notes(&kept);
    dgmi_explore_settings_end(ctx, explorer, &change, status == DGM_OK);
    return status;
}
