/* SPDX-License-Identifier: Apache-2.0 */
/* Small multiples of a sweep: one layout carried through all panels, the bars of the longest towers
 * and the pairs of classes below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "draw_carry.h"
#include "pipeline_sweep.h"

enum { TITLE_SPACE = 160, MOST_LINES = 8, MOST_BARCODES = 3 };

/* ---- one layout ---- */

typedef struct {
    dgm_context *ctx;
    dgm_sweep *sweep;
    double *node;  /* x y by node: the mean place of its clusters; NaN: in none */
    double *count; /* clusters of a node */
    double *start; /* x y by cluster */
} carrier;

/* The nodes stand where a panel has them, and the clusters of another start in their middle. */
static void carry(carrier *c, int64_t from, int64_t to) {
    dgm_summary_clusters old = dgm_summary_get_clusters(c->sweep->summaries[from]);
    dgm_summary_clusters new = dgm_summary_get_clusters(c->sweep->summaries[to]);
    dgm_places places = dgm_view_get_places(c->sweep->views[from]);
    dgmi_draw_carry_nodes(&old, &places, dgm_graph_nodes(c->sweep->graph), c->node, c->count);
    dgmi_draw_carry_clusters(&new, c->node, c->start);
}

/* The finest panel is laid out by itself; every other goes on from its right neighbour, the first
 * of a row from the one above. */
static dgm_status lay_out_panel(carrier *c, const dgm_job *job, int64_t row, int64_t column) {
    dgm_sweep *sweep = c->sweep;
    int64_t panel = row * sweep->columns + column;
    bool first = row == 0 && column == sweep->columns - 1;
    dgm_layout_options layout = job->layout;
    if (!first) {
        carry(c, column + 1 < sweep->columns ? panel + 1 : panel - sweep->columns, panel);
        layout.start = c->start;
        layout.anchor = DGMI_DRAW_HOLD;
    }
    dgm_status status = dgm_profile_create(c->ctx, sweep->summaries[panel], sweep->graph,
                                           sweep->predictions, &sweep->profiles[panel]);
    if (status == DGM_OK)
        status = dgm_view_from_summary(c->ctx, sweep->summaries[panel], sweep->profiles[panel],
                                       NULL, &sweep->views[panel]);
    if (status == DGM_OK)
        status = dgm_view_set_graph(c->ctx, sweep->views[panel], sweep->graph);
    return status == DGM_OK ? dgm_view_lay_out(c->ctx, sweep->views[panel], &layout) : status;
}

dgm_status dgmi_pipeline_sweep_lay_out(dgm_context *ctx, const dgm_job *job, dgm_sweep *sweep) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t nodes = dgm_graph_nodes(sweep->graph), most = 0;
    for (int64_t i = 0; i < sweep->panel_count; i++) {
        int64_t count = dgm_summary_get_clusters(sweep->summaries[i]).count;
        most = count > most ? count : most;
    }
    carrier c = {ctx, sweep, dgmi_scratch(ctx, 2 * nodes, sizeof *c.node),
                 dgmi_scratch(ctx, nodes, sizeof *c.count),
                 dgmi_scratch(ctx, 2 * most, sizeof *c.start)};
    dgm_status status = c.node && c.count && c.start ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t row = 0; row < sweep->rows; row++)
        for (int64_t column = sweep->columns - 1; status == DGM_OK && column >= 0; column--)
            status = lay_out_panel(&c, job, row, column);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the figure ---- */

static dgm_status add_panels(dgm_figure *figure, const dgm_sweep *sweep) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < sweep->panel_count; i++) {
        char title[TITLE_SPACE];
        int64_t edges;
        dgm_summary_edges(sweep->summaries[i], &edges);
        snprintf(title, sizeof title, "n = %lld, g = %.4g \xc2\xb7 %lld / %lld",
                 (long long)sweep->panels[i].intervals, sweep->panels[i].overlap,
                 (long long)dgm_summary_get_clusters(sweep->summaries[i]).count, (long long)edges);
        status = dgm_figure_add_view(figure, sweep->views[i], NULL, title, NULL, 0);
    }
    return status;
}

/* Names of a tower's panels: what changes along it. */
static dgm_status add_barcode(dgm_context *ctx, dgm_figure *figure, const dgm_sweep *sweep,
                              const dgm_sweep_tower *tower) {
    char names[DGM_SWEEP_MOST][32], title[TITLE_SPACE];
    const char *list[DGM_SWEEP_MOST];
    const dgm_sweep_panel *panels = sweep->panels, *first = &panels[tower->panels[0]];
    bool row = panels[tower->panels[1]].overlap == first->overlap;
    dgm_figure_bar *bars = dgmi_scratch(ctx, tower->bar_count, sizeof *bars);
    if (!bars)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < tower->count; i++) {
        const dgm_sweep_panel *panel = &panels[tower->panels[i]];
        if (row)
            snprintf(names[i], sizeof names[i], "n = %lld", (long long)panel->intervals);
        else
            snprintf(names[i], sizeof names[i], "g = %.4g", panel->overlap);
        list[i] = names[i];
    }
    for (int64_t b = 0; b < tower->bar_count; b++)
        bars[b] =
            (dgm_figure_bar){tower->bars[b].dimension, tower->bars[b].birth, tower->bars[b].death};
    if (row)
        snprintf(title, sizeof title, "What persists at g = %.4g%s", first->overlap,
                 tower->loops_known ? "" : " (pieces alone)");
    else
        snprintf(title, sizeof title, "What persists at n = %lld%s", (long long)first->intervals,
                 tower->loops_known ? "" : " (pieces alone)");
    return dgm_figure_add_barcode(figure, title, tower->count, list, tower->bar_count, bars);
}

/* The longest towers, as many as fit beside the lines in one row. */
static dgm_status add_barcodes(dgm_context *ctx, dgm_figure *figure, const dgm_sweep *sweep,
                               bool *any) {
    int64_t most = sweep->columns - (sweep->pair_count > 0), added = 0, longest = 0;
    dgm_status status = DGM_OK;
    most = most < 1 ? 1 : most > MOST_BARCODES ? MOST_BARCODES : most;
    for (int64_t i = 0; i < sweep->tower_count; i++)
        longest = sweep->towers[i].count > longest ? sweep->towers[i].count : longest;
    for (; longest >= 2 && added < most; longest--)
        for (int64_t i = 0; status == DGM_OK && i < sweep->tower_count && added < most; i++)
            if (sweep->towers[i].count == longest) {
                status = add_barcode(ctx, figure, sweep, &sweep->towers[i]);
                added++;
            }
    *any = added > 0;
    return status;
}

/* Steps of the lines: the panels, with a gap between rows. -1: a gap. */
static int64_t panel_of_step(const dgm_sweep *sweep, int64_t step) {
    int64_t row = step / (sweep->columns + 1), column = step % (sweep->columns + 1);
    return column < sweep->columns ? row * sweep->columns + column : -1;
}

static void fill_lines(const dgm_sweep *sweep, int64_t rows, int64_t steps, double *values) {
    for (int64_t r = 0; r < rows; r++)
        for (int64_t s = 0; s < steps; s++) {
            int64_t panel = panel_of_step(sweep, s);
            values[r * steps + s] = panel < 0 ? NAN : (double)sweep->pairs[r].edges[panel];
        }
}

static dgm_status add_lines(dgm_context *ctx, dgm_figure *figure, const dgm_sweep *sweep) {
    int64_t rows = sweep->pair_count < MOST_LINES ? sweep->pair_count : MOST_LINES;
    int64_t steps = sweep->panel_count + sweep->rows - 1;
    char names[2 * DGM_SWEEP_MOST][32] = {""}, pairs[MOST_LINES][TITLE_SPACE], a[32], b[32],
                   title[TITLE_SPACE];
    const char *step_names[2 * DGM_SWEEP_MOST], *row_names[MOST_LINES];
    if (rows == 0)
        return DGM_OK;
    double *values = dgmi_scratch(ctx, rows * steps, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    fill_lines(sweep, rows, steps, values);
    for (int64_t s = 0; s < steps; s++) {
        int64_t panel = panel_of_step(sweep, s);
        if (panel >= 0)
            snprintf(names[s], sizeof names[s], "%lld, %.4g",
                     (long long)sweep->panels[panel].intervals, sweep->panels[panel].overlap);
        step_names[s] = names[s];
    }
    for (int64_t r = 0; r < rows; r++) {
        snprintf(pairs[r], sizeof pairs[r], "%.60s \xe2\x80\x93 %.60s",
                 dgmi_pipeline_sweep_class(sweep, sweep->pairs[r].low, a),
                 dgmi_pipeline_sweep_class(sweep, sweep->pairs[r].high, b));
        row_names[r] = pairs[r];
    }
    snprintf(title, sizeof title, "Edges between classes");
    if (rows < sweep->pair_count)
        snprintf(title, sizeof title, "Class pairs (%lld of %lld)", (long long)rows,
                 (long long)sweep->pair_count);
    return dgm_figure_add_lines(figure, title, steps, step_names, rows, row_names, values);
}

static dgm_status fill_figure(dgm_context *ctx, const dgm_sweep *sweep, dgm_figure *figure) {
    bool bars = false;
    dgm_figure_set_columns(figure, sweep->columns);
    dgm_status status = add_panels(figure, sweep);
    if (status == DGM_OK)
        status = dgm_figure_add_note(
            figure, "panels: n intervals, overlap g, clusters / edges; a cluster starts from where "
                    "its nodes are in the panel on its right or above");
    if (status == DGM_OK)
        status = add_barcodes(ctx, figure, sweep, &bars);
    if (status == DGM_OK)
        status = add_lines(ctx, figure, sweep);
    if (status == DGM_OK && bars)
        status = dgm_figure_add_note(figure, "bars: pieces and loops of the nerve along panels "
                                             "that refine each other, from fine to coarse");
    if (status == DGM_OK && sweep->pair_count)
        status = dgm_figure_add_note(figure, "lines: edges between clusters of two classes (by "
                                             "most frequent label), at n, g");
    return status;
}

dgm_status dgmi_pipeline_sweep_draw(dgm_context *ctx, const dgm_job *job, const dgm_sweep *sweep,
                                    dgm_figure **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_figure_options options = job->figure;
    if (!options.width && sweep->columns > 1)
        options.width = sweep->columns > 2 ? "180mm" : "140mm";
    dgm_status status = dgm_figure_create(ctx, &options, out);
    if (status == DGM_OK)
        status = fill_figure(ctx, sweep, *out);
    if (status != DGM_OK) {
        dgm_figure_free(*out);
        *out = NULL;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
