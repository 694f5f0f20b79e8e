/* SPDX-License-Identifier: Apache-2.0 */
/* Makes views whose marks are single nodes: of a whole graph, and of a cloud of points. */
#include "draw_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"

/* ---- links ---- */

static const uint32_t *find_arc(const dgm_graph_rows *rows, int64_t source, uint32_t target) {
    int64_t low = rows->offsets[source], high = rows->offsets[source + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (rows->targets[middle] == target)
            return rows->targets + middle;
        if (rows->targets[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Whether entry i of row u is the one that makes the link: each pair of nodes has one, whatever the
 * directions. */
static bool makes_link(const dgm_graph_rows *rows, int64_t u, int64_t i) {
    uint32_t v = rows->targets[i];
    return u < v || (rows->directed && u > v && !find_arc(rows, v, (uint32_t)u));
}

static double entry_weight(const dgm_graph_rows *rows, int64_t i) {
    return rows->weights ? fabs(rows->weights[i]) : 1;
}

/* Of two arcs between the same nodes the heavier one counts. */
static double link_weight(const dgm_graph_rows *rows, int64_t u, int64_t i) {
    double weight = entry_weight(rows, i);
    if (!rows->directed || !rows->weights || (int64_t)rows->targets[i] < u)
        return weight;
    const uint32_t *back = find_arc(rows, rows->targets[i], (uint32_t)u);
    return back ? fmax(weight, entry_weight(rows, back - rows->targets)) : weight;
}

static int64_t count_links(const dgm_graph_rows *rows, double *heaviest) {
    int64_t count = 0;
    *heaviest = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++) {
            count += makes_link(rows, u, i);
            *heaviest = fmax(*heaviest, entry_weight(rows, i));
        }
    return count;
}

static void fill_links(dgm_view *view, const dgm_graph_rows *rows, double heaviest) {
    int64_t count = 0;
    for (int64_t u = 0; u < rows->nodes; u++)
        for (int64_t i = rows->offsets[u]; i < rows->offsets[u + 1]; i++) {
            if (!makes_link(rows, u, i))
                continue;
            uint32_t v = rows->targets[i], node = (uint32_t)u;
            view->own.links[count++] =
                (dgm_summary_edge){.source = node < v ? node : v,
                                   .target = node < v ? v : node,
                                   .shared = -1,
                                   .links = -1,
                                   .inner = -1,
                                   .weight = link_weight(rows, u, i) / heaviest};
        }
}

/* ---- the views ---- */

static dgm_status name_marks(dgm_context *ctx, dgm_view *view, const dgm_graph *graph) {
    view->name_base = dgm_graph_name_base(graph);
    if (view->name_base >= 0)
        return DGM_OK;
    view->name_base = 0;
    view->names = dgmi_draw_view_alloc(ctx, view, view->marks, sizeof *view->names);
    if (!view->names)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++) {
        size_t length;
        const char *name = dgm_graph_name_text(graph, m, &length);
        view->names[m] = dgmi_draw_view_alloc(ctx, view, (int64_t)length + 1, 1);
        if (!view->names[m])
            return DGM_ERROR_MEMORY;
        memcpy(view->names[m], name, length);
    }
    return DGM_OK;
}

static dgm_status fill_from_graph(dgm_context *ctx, dgm_view *view,
                                  dgmi_mapper_profile_source from) {
    const dgmi_mapper_members nodes = {view->marks, NULL, NULL};
    view->nodes = dgm_graph_nodes(from.graph);
    view->edges = dgm_graph_edges(from.graph);
    dgm_status status = dgmi_draw_view_own_source(ctx, view, dgm_graph_source(from.graph));
    if (status == DGM_OK)
        status = name_marks(ctx, view, from.graph);
    return status == DGM_OK ? dgmi_mapper_profile_look(ctx, view->own.profile, from, nodes)
                            : status;
}

static dgm_status create_view(dgm_context *ctx, dgm_view_kind kind, int64_t marks, dgm_view **out) {
    dgm_status status = dgmi_draw_view_create(ctx, kind, marks, out);
    if (status != DGM_OK)
        return status;
    for (int64_t m = 0; m < marks; m++)
        (*out)->size[m] = 1;
    (*out)->covered = (*out)->nodes = marks;
    return dgmi_draw_view_own_profile(ctx, *out);
}

static dgm_status close_view(dgm_status status, dgm_view **out) {
    if (status != DGM_OK) {
        dgm_view_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_view_from_graph(dgm_context *ctx, const dgm_graph *graph,
                               const dgm_predictions *predictions, dgm_view **out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double heaviest;
    int64_t links = count_links(&rows, &heaviest);
    dgm_status status = create_view(ctx, DGM_VIEW_GRAPH, rows.nodes, out);
    if (status == DGM_OK)
        status = dgmi_draw_view_own_links(ctx, *out, links);
    if (status == DGM_OK)
        fill_links(*out, &rows, heaviest > 0 ? heaviest : 1);
    if (status == DGM_OK)
        status = dgmi_draw_view_set_text(ctx, *out, &(*out)->parameters, "every node and edge");
    if (status == DGM_OK)
        status = fill_from_graph(ctx, *out, (dgmi_mapper_profile_source){graph, predictions});
    return close_view(status, out);
}

/* The columns are the lens, and the first two of them the place. */
static dgm_status fill_points(dgm_context *ctx, dgm_view *view, const dgm_matrix *points) {
    int64_t columns = dgm_matrix_columns(points), values = view->marks * columns;
    const double *from = dgm_matrix_values(points);
    dgm_status status = dgmi_draw_view_own_lens(ctx, view, columns);
    for (int64_t c = 0; c < columns && status == DGM_OK; c++) {
        view->own.axes[c] = dgmi_draw_view_strdup(ctx, view, dgm_matrix_column_name(points, c));
        status = view->own.axes[c] ? DGM_OK : DGM_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < values && status == DGM_OK; i++) {
        if (!isfinite(from[i]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "row %lld of the points has a value that is not finite",
                             (long long)(i / columns) + 1);
        view->own.lens[i] = from[i];
    }
    return status;
}

/* Discs of one size that cover a tenth of the field together. */
static double point_radius(const double *x, const double *y, int64_t count) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t m = 0; m < count; m++) {
        low[0] = fmin(low[0], x[m]);
        high[0] = fmax(high[0], x[m]);
        low[1] = fmin(low[1], y[m]);
        high[1] = fmax(high[1], y[m]);
    }
    double width = high[0] / 2 - low[0] / 2, height = high[1] / 2 - low[1] / 2;
    double side = fmax(width, height), other = fmax(fmin(width, height), side / 16);
    double radius = 2 * sqrt(side) * sqrt(other) * sqrt(0.1 / 3.141592653589793 / (double)count);
    return radius > 0 && isfinite(radius) ? radius : 1;
}

static dgm_status place_points(dgm_context *ctx, dgm_view *view) {
    int64_t columns = view->dimension;
    double **const places[] = {&view->x, &view->y, &view->radius};
    for (int i = 0; i < 3; i++)
        if (!(*places[i] = dgmi_draw_view_alloc(ctx, view, view->marks, sizeof(double))))
            return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks; m++) {
        view->x[m] = view->lens[m * columns];
        view->y[m] = columns > 1 ? view->lens[m * columns + 1] : 0;
    }
    double radius = point_radius(view->x, view->y, view->marks);
    for (int64_t m = 0; m < view->marks; m++)
        view->radius[m] = radius;
    return DGM_OK;
}

dgm_status dgm_view_from_points(dgm_context *ctx, const dgm_matrix *points, const dgm_graph *graph,
                                const dgm_predictions *predictions, dgm_view **out) {
    char line[64], count[DGMI_NUMBER_SPACE];
    int64_t rows = dgm_matrix_rows(points);
    *out = NULL;
    if (dgm_matrix_columns(points) < 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "points to draw need at least one column");
    if (rows > DGM_MAX_NODES)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "%lld points are more than can be drawn",
                         (long long)rows);
    if (graph && dgm_graph_nodes(graph) != rows)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "%lld points do not match a graph of %lld nodes: one row per node",
                         (long long)rows, (long long)dgm_graph_nodes(graph));
    dgm_status status = create_view(ctx, DGM_VIEW_POINTS, rows, out);
    if (status == DGM_OK)
        status = fill_points(ctx, *out, points);
    if (status == DGM_OK)
        status = place_points(ctx, *out);
    snprintf(line, sizeof line, "%s points", dgmi_draw_view_count(rows, count));
    if (status == DGM_OK)
        status = dgmi_draw_view_set_text(ctx, *out, &(*out)->parameters, line);
    if (status == DGM_OK && graph)
        status = fill_from_graph(ctx, *out, (dgmi_mapper_profile_source){graph, predictions});
    return close_view(status, out);
}
