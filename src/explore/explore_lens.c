/* SPDX-License-Identifier: Apache-2.0 */
/* The question `lens_view`: the values that the cover cuts, and the cells that it cuts them into. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "draw_paint.h"
#include "explore_columns.h"
#include "explore_marks.h"
#include "explore_nodes.h"
#include "workspace_workspace.h"

enum { BINS_1D = 64, BINS_2D = 64, MOST_POINTS = 20000, MOST_PAINTED = 100000 };

typedef struct {
    dgm_context *ctx;
    dgm_explorer *explorer;
    const dgmi_explore_shown *shown;
    dgmi_explore_answer *answer;
    int64_t axes[2]; /* which are looked at */
    int axis_count;
    double low[2], high[2];
    int64_t nodes;
} sight;

static double value_at(const sight *s, int64_t node, int axis) {
    const dgm_matrix *lens = s->explorer->lens.axes;
    return dgm_matrix_values(lens)[node * dgm_matrix_columns(lens) + s->axes[axis]];
}

static void say_axes(sight *s) {
    dgmi_explore_open(s->answer, "axes", '[');
    for (int a = 0; a < s->axis_count; a++) {
        s->low[a] = INFINITY, s->high[a] = -INFINITY;
        for (int64_t u = 0; u < s->nodes; u++) {
            s->low[a] = fmin(s->low[a], value_at(s, u, a));
            s->high[a] = fmax(s->high[a], value_at(s, u, a));
        }
        dgmi_explore_open(s->answer, NULL, '{');
        dgmi_explore_integer(s->answer, "number", s->axes[a]);
        dgmi_explore_text(s->answer, "name",
                          dgm_matrix_column_name(s->explorer->lens.axes, s->axes[a]));
        dgmi_explore_real(s->answer, "low", s->low[a]);
        dgmi_explore_real(s->answer, "high", s->high[a]);
        dgmi_explore_close(s->answer, '{');
    }
    dgmi_explore_close(s->answer, '[');
}

/* ---- how many nodes are where ---- */

static dgm_status put_counts(const sight *s) {
    const bool square = s->axis_count == 2;
    const int bins = square ? BINS_2D : BINS_1D;
    int64_t size = square ? (int64_t)bins * bins : bins;
    uint32_t *counts = dgmi_scratch_zero(s->ctx, size, sizeof *counts);
    if (!counts)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < s->nodes; u++) {
        int x = dgmi_explore_bin(value_at(s, u, 0), s->low[0], s->high[0], bins);
        int y = square ? dgmi_explore_bin(value_at(s, u, 1), s->low[1], s->high[1], bins) : 0;
        counts[y * bins + x]++;
    }
    dgmi_explore_integer(s->answer, "bins", bins);
    dgmi_explore_numbers(s->answer, square ? "density" : "all", counts, size);
    return DGM_OK;
}

/* ---- points ---- */

/* The colour of each node in the colouring of the picture, on the same scale. */
static dgm_status paint_nodes(const sight *s, dgmi_draw_paint *out, dgm_view **view) {
    const dgm_figure_options *figure = &s->explorer->workspace->figure_options;
    const dgm_explorer_lens *lens = &s->explorer->lens;
    dgmi_draw_paint_scale scale;
    const char *colour = figure->colour ? figure->colour : dgmi_draw_paint_default(s->shown->view);
    dgm_status status =
        dgm_view_from_points(s->ctx, lens->axes, s->explorer->graph, lens->predictions, view);
    if (status == DGM_OK)
        status = dgmi_draw_paint_scale_of(s->ctx, s->shown->view, colour, figure, &scale);
    return status == DGM_OK ? dgmi_draw_paint_make(s->ctx, *view, colour, figure, &scale, out)
                            : status;
}

/* The colours of points, red, green and blue: their own, or where nodes are many or have no such
 * colour, those of their marks. */
static dgm_status put_fills(const sight *s, int64_t stride, int64_t count) {
    const dgm_figure_options *figure = &s->explorer->workspace->figure_options;
    uint8_t *fill = dgmi_scratch_zero(s->ctx, 3 * count, sizeof *fill);
    dgmi_draw_paint of_nodes, of_marks;
    dgmi_explore_marks marks;
    dgm_view *view = NULL;
    bool own = s->nodes <= MOST_PAINTED;
    dgm_status status =
        dgmi_draw_paint_make(s->ctx, s->shown->view, figure->colour, figure, NULL, &of_marks);
    if (status == DGM_OK)
        status = dgmi_explore_marks_list(s->ctx, s->shown->view, &of_marks, &marks);
    if (status == DGM_OK && own) {
        status = paint_nodes(s, &of_nodes, &view);
        own = status == DGM_OK;
        status = status == DGM_ERROR_USAGE ? DGM_OK : status;
    }
    if (status == DGM_OK && !fill)
        status = DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        uint32_t mark = s->explorer->mark[i * stride];
        dgmi_draw_colour colour = {128, 128, 128};
        if (own)
            colour = of_nodes.fill[i * stride];
        else if (mark != DGMI_EXPLORE_NOWHERE)
            colour = of_marks.fill[marks.cluster[mark]];
        fill[3 * i] = (uint8_t)colour.red;
        fill[3 * i + 1] = (uint8_t)colour.green;
        fill[3 * i + 2] = (uint8_t)colour.blue;
    }
    if (status == DGM_OK)
        dgmi_explore_octets(s->answer, "pfill", fill, 3 * count);
    dgm_view_free(view);
    return status;
}

static dgm_status put_points(const sight *s) {
    int64_t stride = (s->nodes + MOST_POINTS - 1) / MOST_POINTS;
    stride = stride > 1 ? stride : 1;
    int64_t count = (s->nodes + stride - 1) / stride;
    float *values = dgmi_scratch(s->ctx, count, sizeof *values);
    uint32_t *node = dgmi_scratch(s->ctx, count, sizeof *node);
    uint32_t *mark = dgmi_scratch(s->ctx, count, sizeof *mark);
    if (!values || !node || !mark)
        return DGM_ERROR_MEMORY;
    for (int a = 0; a < s->axis_count; a++) {
        for (int64_t i = 0; i < count; i++)
            values[i] = (float)value_at(s, i * stride, a);
        dgmi_explore_floats(s->answer, a ? "py" : "px", values, count);
    }
    for (int64_t i = 0; i < count; i++) {
        node[i] = (uint32_t)(i * stride);
        mark[i] = s->explorer->mark[i * stride];
    }
    dgmi_explore_integer(s->answer, "stride", stride);
    dgmi_explore_numbers(s->answer, "pnode", node, count);
    dgmi_explore_numbers(s->answer, "pmark", mark, count);
    return put_fills(s, stride, count);
}

/* ---- cells ---- */

/* A cell as far as it is seen on these axes, and a cluster that is in it. */
typedef struct {
    int32_t at[2];
    uint32_t cluster;
} place;

static int compare_places(const void *a, const void *b) {
    const place *p = a, *q = b;
    for (int i = 0; i < 2; i++)
        if (p->at[i] != q->at[i])
            return p->at[i] < q->at[i] ? -1 : 1;
    return (p->cluster > q->cluster) - (p->cluster < q->cluster);
}

/* Where the cluster's cell is. Cells that are no product of intervals have a number alone. */
static place place_of(const sight *s, uint32_t cluster) {
    const dgm_summary_clusters *clusters = &s->shown->clusters;
    const int32_t *cell = clusters->cells + cluster * clusters->axes;
    const bool product = clusters->axes == dgm_matrix_columns(s->explorer->lens.axes);
    place is = {{cell[product ? s->axes[0] : 0], 0}, cluster};
    if (product && s->axis_count == 2)
        is.at[1] = cell[s->axes[1]];
    return is;
}

static void widen(const sight *s, uint32_t cluster, float *low, float *high) {
    dgmi_explore_nodes of = dgmi_explore_nodes_of(s->shown, cluster);
    for (int64_t i = 0; i < of.count; i++)
        for (int a = 0; a < s->axis_count; a++) {
            float value = (float)value_at(s, of.list[i], a);
            low[a] = fminf(low[a], value);
            high[a] = fmaxf(high[a], value);
        }
}

/* Cells reach as far as the nodes that are in them, whatever the cover is. */
static dgm_status put_cells(const sight *s) {
    const int64_t clusters = s->shown->clusters.count;
    const dgm_view *view = s->shown->view;
    place *list = dgmi_scratch(s->ctx, clusters, sizeof *list);
    uint32_t *cell = dgmi_scratch(s->ctx, clusters, sizeof *cell);
    uint32_t *of_mark = dgmi_scratch(s->ctx, clusters, sizeof *of_mark);
    float *low = dgmi_scratch(s->ctx, clusters * s->axis_count, sizeof *low);
    float *high = dgmi_scratch(s->ctx, clusters * s->axis_count, sizeof *high);
    int64_t cells = 0, marks = 0;
    if (!list || !cell || !of_mark || !low || !high)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters; c++)
        list[c] = place_of(s, (uint32_t)c);
    qsort(list, (size_t)clusters, sizeof *list, compare_places);
    for (int64_t i = 0; i < clusters; i++) {
        if (i == 0 || memcmp(list[i].at, list[i - 1].at, sizeof list->at) != 0) {
            for (int a = 0; a < s->axis_count; a++) {
                low[cells * s->axis_count + a] = INFINITY;
                high[cells * s->axis_count + a] = -INFINITY;
            }
            cells++;
        }
        cell[list[i].cluster] = (uint32_t)(cells - 1);
        widen(s, list[i].cluster, low + (cells - 1) * s->axis_count,
              high + (cells - 1) * s->axis_count);
    }
    for (int64_t c = 0; c < clusters; c++)
        if (dgmi_draw_view_is_drawn(view, c))
            of_mark[marks++] = dgmi_draw_view_pile(view, c) ? DGMI_EXPLORE_NOWHERE : cell[c];
    dgmi_explore_integer(s->answer, "cells", cells);
    dgmi_explore_floats(s->answer, "low", low, cells * s->axis_count);
    dgmi_explore_floats(s->answer, "high", high, cells * s->axis_count);
    dgmi_explore_numbers(s->answer, "mark_cell", of_mark, marks);
    return DGM_OK;
}

dgm_status dgmi_explore_lens_view(dgm_context *ctx, dgm_explorer *explorer,
                                  const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    sight s = {.ctx = ctx, .explorer = explorer, .shown = &shown, .answer = answer};
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_axes_find(ctx, explorer, query, s.axes, &s.axis_count);
    if (status != DGM_OK)
        return status;
    s.nodes = dgm_graph_nodes(explorer->graph);
    dgmi_explore_integer(answer, "serial", explorer->serial);
    say_axes(&s);
    status = put_counts(&s);
    if (status == DGM_OK)
        status = put_points(&s);
    return status == DGM_OK ? put_cells(&s) : status;
}
