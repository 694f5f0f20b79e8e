/* SPDX-License-Identifier: Apache-2.0 */
/* The question `subgraph`: some nodes with the edges between them, drawn for themselves. */
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "draw_paint.h"
#include "explore_excerpt.h"
#include "explore_legend.h"
#include "explore_marks.h"
#include "explore_nodes.h"
#include "workspace_workspace.h"

enum { MOST_NODES = 100000, MOST_EDGES = 1000000 };

typedef struct {
    dgm_context *ctx;
    dgm_explorer *explorer;
    const dgmi_explore_shown *shown;
    dgmi_explore_nodes nodes; /* those that are drawn */
    int64_t all;              /* those that were asked for */
    dgmi_explore_excerpt excerpt;
    dgm_view *view;    /* with places and links */
    dgm_view *painted; /* the same nodes as points, which have a lens to be coloured by */
    dgmi_draw_paint paint;
    dgmi_explore_answer *answer;
} drawing;

/* ---- who is drawn ---- */

typedef struct {
    uint32_t node;
    int64_t degree;
} ranked;

static int compare_degrees(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->degree != q->degree)
        return p->degree < q->degree ? 1 : -1;
    return (p->node > q->node) - (p->node < q->node);
}

static int compare_nodes(const void *a, const void *b) {
    const uint32_t *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

/* Of too many nodes those with the most neighbours stay. */
static dgm_status cut_nodes(drawing *d) {
    const int64_t count = d->nodes.count;
    d->all = count;
    if (count <= MOST_NODES)
        return DGM_OK;
    ranked *rank = dgmi_scratch(d->ctx, count, sizeof *rank);
    uint32_t *kept = dgmi_scratch(d->ctx, MOST_NODES, sizeof *kept);
    if (!rank || !kept)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        rank[i] = (ranked){d->nodes.list[i],
                           dgmi_graph_simple_degree(&d->explorer->rows, d->nodes.list[i])};
    qsort(rank, (size_t)count, sizeof *rank, compare_degrees);
    for (int64_t i = 0; i < MOST_NODES; i++)
        kept[i] = rank[i].node;
    qsort(kept, MOST_NODES, sizeof *kept, compare_nodes);
    d->nodes.list = kept;
    d->nodes.count = MOST_NODES;
    return DGM_OK;
}

/* The edges between nodes that are marked, each once. */
static int64_t count_edges(const drawing *d, const dgmi_explore_nodes *nodes, const uint8_t *in) {
    const dgmi_graph_simple_rows *rows = &d->explorer->rows;
    int64_t count = 0;
    for (int64_t i = 0; i < nodes->count; i++)
        for (int64_t e = rows->offsets[nodes->list[i]]; e < rows->offsets[nodes->list[i] + 1]; e++)
            count += rows->targets[e] > nodes->list[i] && in[rows->targets[e]];
    return count;
}

static dgm_status say_sizes(drawing *d, const dgmi_explore_nodes *asked) {
    uint8_t *in = dgmi_scratch_zero(d->ctx, dgm_graph_nodes(d->explorer->graph), sizeof *in);
    if (!in)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < asked->count; i++)
        in[asked->list[i]] = 1;
    dgmi_explore_integer(d->answer, "serial", d->explorer->serial);
    dgmi_explore_integer(d->answer, "nodes", asked->count);
    dgmi_explore_integer(d->answer, "edges", count_edges(d, asked, in));
    return DGM_OK;
}

/* ---- places and colours ---- */

/* The largest 1,000,000 links stay, which are all but in a graph that no picture could show. */
static dgm_status place(drawing *d) {
    dgm_layout_options layout = d->explorer->workspace->layout_options;
    layout.layout = DGM_LAYOUT_STRESS;
    layout.start = NULL;
    layout.anchor = 0;
    dgm_status status =
        dgm_view_from_graph(d->ctx, d->excerpt.graph, d->excerpt.predictions, &d->view);
    if (status == DGM_OK)
        status = dgm_view_lay_out(d->ctx, d->view, &layout);
    if (status == DGM_OK && d->view->link_count > MOST_EDGES)
        d->view->link_count = MOST_EDGES;
    return status;
}

/* The scale is that of the picture, so that a colour means the same in both. */
static dgm_status paint(drawing *d, const char *colour) {
    const dgm_figure_options *figure = &d->explorer->workspace->figure_options;
    dgmi_draw_paint_scale scale;
    dgm_status status = dgm_view_from_points(d->ctx, d->excerpt.axes, d->excerpt.graph,
                                             d->excerpt.predictions, &d->painted);
    if (status != DGM_OK)
        return status;
    if (!colour)
        colour = figure->colour ? figure->colour : dgmi_draw_paint_default(d->shown->view);
    status = dgmi_draw_paint_scale_of(d->ctx, d->shown->view, colour, figure, &scale);
    if (status == DGM_OK)
        status = dgmi_draw_paint_make(d->ctx, d->painted, colour, figure, &scale, &d->paint);
    if (status == DGM_ERROR_USAGE) /* single nodes have no such value */
        status = dgmi_draw_paint_make(d->ctx, d->painted, NULL, figure, NULL, &d->paint);
    return status;
}

/* ---- what is known of each node ---- */

static dgm_status put_nodes(const drawing *d) {
    const int64_t count = d->nodes.count;
    uint32_t *degree = dgmi_scratch(d->ctx, count, sizeof *degree);
    uint32_t *mark = dgmi_scratch(d->ctx, count, sizeof *mark);
    uint8_t *core = dgmi_scratch(d->ctx, count, sizeof *core);
    if (!degree || !mark || !core)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        uint32_t node = d->nodes.list[i];
        degree[i] = (uint32_t)dgmi_graph_simple_degree(&d->explorer->rows, node);
        mark[i] = d->explorer->mark[node];
        core[i] = d->nodes.core[node];
    }
    dgmi_explore_numbers(d->answer, "node", d->nodes.list, count);
    dgmi_explore_numbers(d->answer, "degree", degree, count);
    dgmi_explore_numbers(d->answer, "mark", mark, count);
    dgmi_explore_octets(d->answer, "core", core, count);
    dgmi_explore_open(d->answer, "names", '[');
    for (int64_t i = 0; i < count; i++)
        dgmi_explore_say_node(d->answer, NULL, d->explorer->graph, d->nodes.list[i]);
    dgmi_explore_close(d->answer, '[');
    return DGM_OK;
}

static dgm_status draw(drawing *d, const char *colour) {
    dgmi_explore_marks marks;
    dgm_status status = place(d);
    if (status == DGM_OK)
        status = paint(d, colour);
    if (status == DGM_OK)
        status = dgmi_explore_marks_list(d->ctx, d->view, &d->paint, &marks);
    if (status == DGM_OK)
        status = dgmi_explore_put_places(d->ctx, &marks, d->answer);
    if (status == DGM_OK)
        status = dgmi_explore_put_looks(d->ctx, &marks, d->answer);
    if (status == DGM_OK)
        status = dgmi_explore_put_links(d->ctx, &marks, false, d->answer);
    if (status != DGM_OK)
        return status;
    dgmi_explore_integer(d->answer, "shown_nodes", d->view->marks);
    dgmi_explore_integer(d->answer, "shown_edges", d->view->link_count);
    dgmi_explore_say_legend(&d->paint, d->explorer->workspace->figure_options.style, d->answer);
    return put_nodes(d);
}

dgm_status dgmi_explore_subgraph(dgm_context *ctx, dgm_explorer *explorer,
                                 const dgmi_explore_query *query, dgmi_explore_answer *answer) {
    dgmi_explore_shown shown;
    drawing d = {.ctx = ctx, .explorer = explorer, .shown = &shown, .answer = answer};
    dgm_status status = dgmi_explore_current(ctx, explorer, query, &shown);
    if (status == DGM_OK)
        status = dgmi_explore_nodes_find(ctx, explorer, &shown, query, &d.nodes);
    if (status == DGM_OK && d.nodes.count == 0)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no such node");
    if (status == DGM_OK)
        status = say_sizes(&d, &d.nodes);
    if (status == DGM_OK)
        status = cut_nodes(&d);
    if (status == DGM_OK)
        status = dgmi_explore_excerpt_make(ctx, explorer, d.nodes.list, d.nodes.count, false,
                                           &d.excerpt);
    if (status == DGM_OK)
        status = draw(&d, dgmi_explore_query_find(query, "colour"));
    dgm_view_free(d.view);
    dgm_view_free(d.painted);
    dgmi_explore_excerpt_free(&d.excerpt);
    return status;
}
