/* SPDX-License-Identifier: Apache-2.0 */
/* The question `picture`: clusters with places and colours, links, legend and ledger. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "draw_carry.h"
#include "draw_paint.h"
#include "draw_view.h"
#include "explore_explorer.h"
#include "workspace_workspace.h"

enum { RAMP_COLOURS = 32, SQUARE_SIDE = 8 };

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

static dgm_status remember_places(dgm_context *ctx, dgm_explorer *explorer,
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

/* The marks that are drawn, one after another. All of it is scratch memory. */
typedef struct {
    const dgm_view *view;
    const dgmi_draw_paint *paint;
    int64_t count;
    uint32_t *cluster; /* the cluster of each mark */
    uint32_t *mark;    /* the mark of each cluster that has one */
} marks;

static dgm_status list_marks(dgm_context *ctx, const dgm_view *view, const dgmi_draw_paint *paint,
                             marks *out) {
    *out = (marks){.view = view, .paint = paint};
    out->cluster = dgmi_scratch(ctx, view->marks, sizeof *out->cluster);
    out->mark = dgmi_scratch_zero(ctx, view->marks, sizeof *out->mark);
    if (!out->cluster || !out->mark)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < view->marks; c++)
        if (dgmi_draw_view_is_drawn(view, c)) {
            out->mark[c] = (uint32_t)out->count;
            out->cluster[out->count++] = (uint32_t)c;
        }
    return DGM_OK;
}

static int64_t size_of(const dgm_view *view, int64_t cluster) {
    const dgmi_mapper_pile *pile = dgmi_draw_view_pile(view, cluster);
    return pile ? pile->nodes : view->size[cluster];
}

static dgm_status put_places(dgm_context *ctx, const marks *m, dgmi_explore_answer *answer) {
    const double *const from[] = {m->view->x, m->view->y, m->view->radius};
    static const char *const names[] = {"x", "y", "radius"};
    float *values = dgmi_scratch(ctx, m->count, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int k = 0; k < 3; k++) {
        for (int64_t i = 0; i < m->count; i++)
            values[i] = (float)from[k][m->cluster[i]];
        dgmi_explore_floats(answer, names[k], values, m->count);
    }
    return DGM_OK;
}

/* The share of mistakes among the members that were judged. */
static dgm_status put_errors(dgm_context *ctx, const marks *m, dgmi_explore_answer *answer) {
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

/* The piece of each cluster, counted by their first clusters. */
static dgm_status put_pieces(dgm_context *ctx, const marks *m, dgmi_explore_answer *answer) {
    const dgm_view *view = m->view;
    uint32_t *piece = dgmi_scratch(ctx, view->marks, sizeof *piece);
    uint32_t *of_mark = dgmi_scratch(ctx, m->count, sizeof *of_mark);
    if (!piece || !of_mark)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < view->marks; c++)
        piece[c] = (uint32_t)c;
    for (bool moved = true; moved;) { /* the smaller number wins, and chains are cut short */
        moved = false;
        for (int64_t l = 0; l < view->link_count; l++) {
            uint32_t a = piece[view->links[l].source], b = piece[view->links[l].target];
            if (a == b)
                continue;
            uint32_t low = a < b ? a : b, high = a < b ? b : a;
            piece[high] = low;
            piece[view->links[l].source] = piece[view->links[l].target] = low;
            moved = true;
        }
        for (int64_t c = 0; c < view->marks; c++)
            piece[c] = piece[piece[c]];
    }
    for (int64_t i = 0; i < m->count; i++)
        of_mark[i] = piece[m->cluster[i]];
    dgmi_explore_numbers(answer, "piece", of_mark, m->count);
    return DGM_OK;
}

static dgm_status put_looks(dgm_context *ctx, const marks *m, dgmi_explore_answer *answer) {
    uint32_t *size = dgmi_scratch(ctx, m->count, sizeof *size);
    uint8_t *fill = dgmi_scratch(ctx, 3 * m->count, sizeof *fill);
    uint8_t *shape = dgmi_scratch(ctx, m->count, sizeof *shape);
    uint8_t *pile = dgmi_scratch(ctx, m->count, sizeof *pile);
    if (!size || !fill || !shape || !pile)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < m->count; i++) {
        int64_t c = m->cluster[i];
        size[i] = (uint32_t)size_of(m->view, c);
        fill[3 * i] = (uint8_t)m->paint->fill[c].red;
        fill[3 * i + 1] = (uint8_t)m->paint->fill[c].green;
        fill[3 * i + 2] = (uint8_t)m->paint->fill[c].blue;
        shape[i] = (uint8_t)dgmi_draw_paint_shape(m->paint, c);
        pile[i] = dgmi_draw_view_pile(m->view, c) != NULL;
    }
    dgmi_explore_numbers(answer, "size", size, m->count);
    dgmi_explore_numbers(answer, "cluster", m->cluster, m->count);
    dgmi_explore_octets(answer, "fill", fill, 3 * m->count);
    dgmi_explore_octets(answer, "shape", shape, m->count);
    dgmi_explore_octets(answer, "pile", pile, m->count);
    return DGM_OK;
}

static void put_names(dgm_context *ctx, const marks *m, const dgmi_explore_shown *shown,
                      dgmi_explore_answer *answer) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_explore_open(answer, "names", '[');
    for (int64_t i = 0; i < m->count; i++) {
        const dgmi_mapper_pile *pile = dgmi_draw_view_pile(m->view, m->cluster[i]);
        if (!pile) {
            dgmi_explore_say_cluster(answer, NULL, shown, m->cluster[i]);
            continue;
        }
        text.length = 0;
        dgmi_draw_dust_say(pile, &text);
        dgmi_explore_text(answer, NULL, text.data ? text.data : "");
    }
    dgmi_explore_close(answer, '[');
    if (text.status != DGM_OK)
        answer->json.status = text.status;
    dgmi_text_free(&text);
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

static dgm_status put_origins(dgm_context *ctx, const dgm_explorer *explorer, const marks *m,
                              const dgmi_explore_shown *shown, dgmi_explore_answer *answer) {
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
static dgm_status remember_marks(dgm_context *ctx, dgm_explorer *explorer, const marks *m,
                                 const dgmi_explore_shown *shown) {
    int64_t nodes = dgm_graph_nodes(explorer->graph);
    const dgm_view *view = m->view;
    if (!explorer->mark)
        explorer->mark = dgmi_alloc(ctx, nodes, sizeof *explorer->mark);
    if (!explorer->mark)
        return DGM_ERROR_MEMORY;
    memset(explorer->mark, 0xff, (size_t)nodes * sizeof *explorer->mark);
    for (int64_t c = 0; c < shown->clusters.count; c++) {
        int64_t at =
            dgmi_draw_view_is_plain(view, c) ? c : view->dust->piles[view->dust->pile[c]].first;
        if (dgmi_draw_view_is_drawn(view, at))
            for (int64_t i = shown->clusters.offsets[c]; i < shown->clusters.offsets[c + 1]; i++)
                explorer->mark[shown->clusters.members[i]] = m->mark[at];
    }
    explorer->last_marks = m->count;
    return DGM_OK;
}

/* ---- links ---- */

static dgm_status put_links(dgm_context *ctx, const marks *m, dgmi_explore_answer *answer) {
    const dgm_view *view = m->view;
    uint32_t *source = dgmi_scratch(ctx, view->link_count, sizeof *source);
    uint32_t *target = dgmi_scratch(ctx, view->link_count, sizeof *target);
    uint32_t *shared = dgmi_scratch(ctx, view->link_count, sizeof *shared);
    uint32_t *crossing = dgmi_scratch(ctx, view->link_count, sizeof *crossing);
    float *weight = dgmi_scratch(ctx, view->link_count, sizeof *weight);
    if (!source || !target || !shared || !crossing || !weight)
        return DGM_ERROR_MEMORY;
    int64_t count = 0;
    for (int64_t l = 0; l < view->link_count; l++) {
        const dgm_summary_edge *link = &view->links[l];
        if (!dgmi_draw_view_is_drawn(view, link->source) ||
            !dgmi_draw_view_is_drawn(view, link->target))
            continue;
        source[count] = m->mark[link->source];
        target[count] = m->mark[link->target];
        shared[count] = (uint32_t)(link->shared > 0 ? link->shared : 0);
        crossing[count] = (uint32_t)(link->links > 0 ? link->links : 0);
        weight[count++] = (float)link->weight;
    }
    dgmi_explore_numbers(answer, "source", source, count);
    dgmi_explore_numbers(answer, "target", target, count);
    dgmi_explore_numbers(answer, "shared", shared, count);
    dgmi_explore_numbers(answer, "crossing", crossing, count);
    dgmi_explore_floats(answer, "weight", weight, count);
    return DGM_OK;
}

/* ---- the legend ---- */

static void say_hex(dgmi_explore_answer *answer, const char *key, dgmi_draw_colour colour) {
    char hex[8];
    snprintf(hex, sizeof hex, "#%02x%02x%02x", (unsigned)colour.red & 255U,
             (unsigned)colour.green & 255U, (unsigned)colour.blue & 255U);
    dgmi_explore_text(answer, key, hex);
}

static void say_ramp(const dgmi_draw_paint *paint, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "ramp");
    dgmi_explore_real(answer, "low", paint->scale.low[0]);
    dgmi_explore_real(answer, "high", paint->scale.high[0]);
    dgmi_explore_real(answer, "middle", paint->scale.centred ? paint->scale.middle : NAN);
    dgmi_explore_open(answer, "colours", '[');
    for (int i = 0; i < RAMP_COLOURS; i++)
        say_hex(answer, NULL, dgmi_draw_colormap_at(paint->map, (double)i / (RAMP_COLOURS - 1)));
    dgmi_explore_close(answer, '[');
    dgmi_explore_integer(answer, "unknown", paint->unknown);
}

static void say_square(const dgmi_draw_paint *paint, int style, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "square");
    dgmi_explore_open(answer, "axes", '[');
    for (int axis = 0; axis < 2; axis++)
        dgmi_explore_text(answer, NULL, paint->axes[axis]);
    dgmi_explore_close(answer, '[');
    for (int end = 0; end < 2; end++) {
        dgmi_explore_open(answer, end ? "high" : "low", '[');
        for (int axis = 0; axis < 2; axis++)
            dgmi_explore_real(answer, NULL, end ? paint->scale.high[axis] : paint->scale.low[axis]);
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_open(answer, "colours", '[');
    for (int y = 0; y < SQUARE_SIDE; y++) {
        dgmi_explore_open(answer, NULL, '[');
        for (int x = 0; x < SQUARE_SIDE; x++)
            say_hex(answer, NULL,
                    dgmi_draw_square_at(style, (double)x / (SQUARE_SIDE - 1),
                                        (double)y / (SQUARE_SIDE - 1)));
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_close(answer, '[');
}

static void say_entries(const dgmi_draw_paint *paint, dgmi_explore_answer *answer) {
    dgmi_explore_text(answer, "kind", "classes");
    dgmi_explore_open(answer, "entries", '[');
    for (int64_t i = 0; i < paint->entry_count; i++) {
        const dgmi_draw_class_entry *entry = &paint->entries[i];
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", entry->name);
        say_hex(answer, "colour", entry->colour);
        dgmi_explore_integer(answer, "shape", entry->shape);
        dgmi_explore_integer(answer, "members", entry->members);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

static void say_legend(const dgmi_draw_paint *paint, int style, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "legend", '{');
    dgmi_explore_text(answer, "title", paint->title);
    if (paint->scale.kind == DGMI_DRAW_PAINT_RAMP)
        say_ramp(paint, answer);
    else if (paint->scale.kind == DGMI_DRAW_PAINT_SQUARE)
        say_square(paint, style, answer);
    else
        say_entries(paint, answer);
    dgmi_explore_close(answer, '{');
}

/* ---- the ledger ---- */

static void say_coverage(const dgm_summary *summary, dgmi_explore_answer *answer) {
    const dgm_summary_coverage is = dgm_summary_get_coverage(summary);
    dgmi_explore_open(answer, "coverage", '{');
    dgmi_explore_integer(answer, "nodes", is.nodes);
    dgmi_explore_integer(answer, "covered", is.covered);
    dgmi_explore_integer(answer, "filtered", is.filtered);
    dgmi_explore_integer(answer, "filtered_cover", is.filtered_cover);
    dgmi_explore_integer(answer, "filtered_min_size", is.filtered_min_size);
    dgmi_explore_integer(answer, "filtered_min_component", is.filtered_min_component);
    dgmi_explore_integer(answer, "lost", is.lost);
    dgmi_explore_integer(answer, "edges", is.edges);
    dgmi_explore_integer(answer, "edges_inside", is.edges_inside);
    dgmi_explore_close(answer, '{');
}

static void say_topology(const dgm_summary *summary, dgmi_explore_answer *answer) {
    const dgm_summary_topology is = dgm_summary_get_topology(summary);
    dgmi_explore_open(answer, "topology", '{');
    dgmi_explore_integer(answer, "b0", is.b0);
    dgmi_explore_integer(answer, "b1", is.b1);
    dgmi_explore_integer(answer, "triangles", is.triangles);
    dgmi_explore_integer(answer, "skeleton_loops", is.skeleton_loops);
    dgmi_explore_integer(answer, "cycle_rank", is.cycle_rank);
    dgmi_explore_close(answer, '{');
}

static void say_dust(const dgm_view *view, dgmi_explore_answer *answer) {
    const dgm_view_dust dust = dgm_view_get_dust(view);
    dgmi_explore_open(answer, "dust", '{');
    dgmi_explore_integer(answer, "size", dust.size);
    dgmi_explore_integer(answer, "clusters", dust.clusters);
    dgmi_explore_integer(answer, "nodes", dust.nodes);
    dgmi_explore_integer(answer, "marks", dust.marks);
    dgmi_explore_close(answer, '{');
}

static void say_seconds(const double clock[4], dgmi_explore_answer *answer) {
    static const char *const names[] = {"map", "layout", "paint"};
    dgmi_explore_open(answer, "seconds", '{');
    for (int i = 0; i < 3; i++)
        dgmi_explore_real(answer, names[i], clock[i + 1] - clock[i]);
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
    marks m;
    dgm_status status = list_marks(ctx, shown->view, paint, &m);
    if (status == DGM_OK)
        status = put_places(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_looks(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_errors(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_pieces(ctx, &m, answer);
    if (status == DGM_OK)
        status = put_origins(ctx, explorer, &m, shown, answer);
    if (status == DGM_OK)
        status = remember_marks(ctx, explorer, &m, shown);
    if (status == DGM_OK)
        status = put_links(ctx, &m, answer);
    if (status == DGM_OK)
        put_names(ctx, &m, shown, answer);
    return status;
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
    say_coverage(shown->summary, answer);
    say_topology(shown->summary, answer);
    say_dust(shown->view, answer);
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
    clock[2] = dgmi_seconds();
    return remember_places(ctx, explorer, shown);
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
    say_summary(explorer, &shown, answer);
    say_seconds(clock, answer);
    say_notes(kept, answer);
    say_legend(&paint, figure->style, answer);
    return put_marks(ctx, explorer, &shown, &paint, answer);
}

dgm_status dgmi_explore_picture(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    static const char *const others[] = {"cold", NULL};
    dgmi_explore_change change;
    notes kept;
    int64_t cold;
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
