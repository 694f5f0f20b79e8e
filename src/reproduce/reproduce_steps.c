/* SPDX-License-Identifier: Apache-2.0 */
/* Makes figure 2: a figure of a person, with two legs, a loop for a body and two arms, as a graph
 * whose nodes are joined where they are near each other. */
#include "reproduce_steps.h"

#include <math.h>
#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "reproduce_places.h"

#define NEAR      1.6  /* nodes that are nearer than this are joined */
#define DOT       0.25 /* the radius of a node */
#define PER_ROOT  0.22 /* the radius of a cluster by the root of its number of nodes */
#define INTERVALS 5
#define OVERLAP   0.35
#define WIDTH     "170mm"

/* Two legs, the hips, both sides of the body, the shoulders, two arms. */
static const dgmi_reproduce_place places[] = {
    {2.50, 0.27},  {1.51, 0.67},  {1.90, 1.60},   {0.97, 2.09},   {1.29, 3.01},  {-2.37, 0.34},
    {-1.52, 0.78}, {-1.84, 1.58}, {-1.09, 2.02},  {-1.39, 2.92},  {0.41, 3.45},  {-0.41, 3.57},
    {1.48, 3.87},  {1.61, 4.85},  {2.51, 5.64},   {1.84, 6.20},   {1.62, 7.27},  {-1.52, 3.81},
    {-1.76, 4.99}, {-2.63, 5.58}, {-1.73, 6.22},  {-1.70, 7.34},  {0.53, 7.40},  {-0.33, 7.85},
    {0.74, 8.25},  {1.91, 8.65},  {1.35, 9.53},   {2.26, 9.93},   {2.02, 10.87}, {-0.85, 8.48},
    {-1.73, 8.72}, {-1.51, 9.56}, {-2.56, 10.12}, {-2.01, 10.99},
};
enum { NODES = sizeof places / sizeof *places };

/* ---- the graph and its lens ---- */

static dgm_status join_near(dgm_graph_builder *builder) {
    dgm_status status = DGM_OK;
    for (uint32_t u = 0; u < NODES; u++)
        for (uint32_t v = 0; v < u && status == DGM_OK; v++)
            if (hypot(places[u].x - places[v].x, places[u].y - places[v].y) < NEAR)
                status = dgm_graph_builder_add(builder, 1, (const uint32_t[]){v, u}, NULL);
    return status;
}

static dgm_status make_graph(dgm_context *ctx, dgm_graph **out) {
    double x[NODES], y[NODES];
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status != DGM_OK)
        return status;
    for (int u = 0; u < NODES; u++) {
        x[u] = places[u].x;
        y[u] = places[u].y;
    }
    status = join_near(builder);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(builder, "a figure of a person");
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "x", NODES, x);
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "height", NODES, y);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

static dgm_status make_lens(dgm_context *ctx, dgm_matrix **out) {
    dgm_status status = dgm_matrix_create(ctx, NODES, 1, out);
    for (int u = 0; u < NODES && status == DGM_OK; u++)
        dgm_matrix_values_mutable(*out)[u] = places[u].y;
    return status == DGM_OK ? dgm_matrix_set_column_name(ctx, *out, 0, "height") : status;
}

static dgm_status summarise(dgm_context *ctx, const dgmi_reproduce_steps *steps, int clustering,
                            dgm_summary **out) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = INTERVALS;
    options.overlap[0] = OVERLAP;
    options.cluster = clustering;
    dgm_status status = dgm_mapper_run(ctx, steps->graph, steps->lens, &options, out);
    if (status == DGM_OK)
        status = dgm_summary_set_provenance(
            ctx, *out, &(dgm_provenance){.lens = "height", .seed = options.seed});
    return status;
}

/* ---- views ---- */

static dgm_status make_views(dgm_context *ctx, dgmi_reproduce_steps *steps) {
    dgm_status status = dgm_view_from_graph(ctx, steps->graph, NULL, &steps->graph_view);
    if (status == DGM_OK)
        status = dgmi_reproduce_place_nodes(ctx, places, DOT, steps->graph_view);
    if (status == DGM_OK)
        status = dgm_profile_create(ctx, steps->summary, steps->graph, NULL, &steps->profile);
    if (status == DGM_OK)
        status =
            dgm_view_from_summary(ctx, steps->summary, steps->profile, NULL, &steps->nerve_view);
    if (status == DGM_OK)
        status = dgmi_reproduce_place_clusters(ctx, places, steps->summary, 0, PER_ROOT,
                                               steps->nerve_view);
    return status;
}

/* ---- the figure ---- */

enum { NAME_SPACE = 24 };
enum { PANEL_GRAPH, PANEL_HEIGHT, PANEL_COVER, PANEL_PULLBACK, PANEL_REFINED, PANEL_NERVE, PANELS };

dgm_interval dgmi_reproduce_steps_interval(double low, double high, int64_t intervals,
                                           double overlap, int64_t cell) {
    double length = (high - low) / ((double)intervals - (double)(intervals - 1) * overlap);
    double start = low + (double)cell * length * (1 - overlap);
    return (dgm_interval){start, cell == intervals - 1 ? high : start + length};
}

static dgm_status add_panels(const dgmi_reproduce_steps *steps) {
    static const struct {
        const char *title, *colour;
    } panels[PANELS] = {
        [PANEL_GRAPH] = {"a  graph", "none"},
        [PANEL_HEIGHT] = {"b  height of its nodes", "attr:height"},
        [PANEL_COVER] = {"c  cover of the heights", "attr:height"},
        [PANEL_PULLBACK] = {"d  pull-back cover", "none"},
        [PANEL_REFINED] = {"e  refined pull-back cover", "none"},
        [PANEL_NERVE] = {"f  nerve", "attr:height"},
    };
    dgm_status status = DGM_OK;
    for (int p = 0; p < PANELS && status == DGM_OK; p++)
        status = dgm_figure_add_view(steps->figure,
                                     p == PANEL_NERVE ? steps->nerve_view : steps->graph_view,
                                     panels[p].colour, panels[p].title, NULL, 0);
    return status;
}

static void name_cell(int64_t cell, char name[NAME_SPACE]) {
    snprintf(name, NAME_SPACE, "U%lld", (long long)cell + 1);
}

static dgm_status add_bands(const dgmi_reproduce_steps *steps) {
    double low, high;
    dgm_status status = DGM_OK;
    dgm_summary_lens_range(steps->summary, 0, &low, &high);
    for (int64_t k = 0; k < INTERVALS && status == DGM_OK; k++) {
        dgm_interval cell = dgmi_reproduce_steps_interval(low, high, INTERVALS, OVERLAP, k);
        char name[NAME_SPACE];
        name_cell(k, name);
        status = dgm_figure_add_band(steps->figure, PANEL_COVER, cell.low, cell.high, k, name);
    }
    return status;
}

/* A region around each cluster, in the colour of its cell. */
static dgm_status add_regions(const dgmi_reproduce_steps *steps, const dgm_summary *summary,
                              int64_t panel) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgm_status status = DGM_OK;
    for (int64_t c = 0; c < clusters.count && status == DGM_OK; c++) {
        char name[NAME_SPACE];
        name_cell(clusters.cells[c], name);
        status = dgm_figure_add_region(steps->figure, panel, clusters.members + clusters.offsets[c],
                                       clusters.offsets[c + 1] - clusters.offsets[c],
                                       clusters.cells[c], name);
    }
    return status;
}

static dgm_status make_figure(dgm_context *ctx, const dgm_figure_options *given,
                              dgmi_reproduce_steps *steps) {
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    if (given)
        options = *given;
    if (!options.width)
        options.width = WIDTH;
    dgm_status status = dgm_figure_create(ctx, &options, &steps->figure);
    if (status != DGM_OK)
        return status;
    dgm_figure_set_columns(steps->figure, PANELS / 2);
    dgm_figure_align_panels(steps->figure);
    status = add_panels(steps);
    if (status == DGM_OK)
        status = add_bands(steps);
    if (status == DGM_OK)
        status = add_regions(steps, steps->cells, PANEL_PULLBACK);
    if (status == DGM_OK)
        status = add_regions(steps, steps->summary, PANEL_REFINED);
    return status;
}

/* ---- facts ---- */

static bool are_joined(dgm_graph_rows rows, int64_t u, int64_t v) {
    for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
        if (rows.targets[e] == v)
            return true;
    return false;
}

/* Numbers the edges and triangles of the graph, and sets the entry of each of their nodes in a table
 * with a column for each, if there is one. Returns how many there are. */
static int64_t list_simplices(dgm_graph_rows rows, int64_t columns, double *values) {
    int64_t count = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t v = 0; v < u; v++) {
            if (!are_joined(rows, u, v))
                continue;
            for (int64_t w = v; w < u; w++) { /* w = v stands for the edge alone */
                if (w != v && !(are_joined(rows, u, w) && are_joined(rows, v, w)))
                    continue;
                if (values)
                    values[u * columns + count] = values[v * columns + count] =
                        values[w * columns + count] = 1;
                count++;
            }
        }
    return count;
}

/* The loops of the graph that its triangles do not fill: those of the nerve of all edges and
 * triangles, which has the shape of the complex that they make, by the nerve theorem. */
static dgm_status count_holes(dgm_context *ctx, const dgm_graph *graph, int64_t *holes) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    int64_t columns = list_simplices(rows, 0, NULL);
    dgm_matrix *table = NULL;
    dgm_summary *summary = NULL;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_status status = dgm_matrix_create(ctx, rows.nodes, columns, &table);
    if (status == DGM_OK) {
        list_simplices(rows, columns, dgm_matrix_values_mutable(table));
        status = dgm_mapper_run(ctx, graph, table, &options, &summary);
    }
    if (status == DGM_OK)
        *holes = dgm_summary_get_topology(summary).b1;
    dgm_summary_free(summary);
    dgm_matrix_free(table);
    return status;
}

/* Clusters that are joined with one other. */
static int64_t count_ends(const dgm_summary *summary) {
    int64_t edges, ends = 0, clusters = dgm_summary_get_clusters(summary).count;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    for (int64_t c = 0; c < clusters; c++) {
        int64_t degree = 0;
        for (int64_t e = 0; e < edges; e++)
            degree += edge[e].source == c || edge[e].target == c;
        ends += degree == 1;
    }
    return ends;
}

/* Nodes that lie in more than one cluster. */
static int64_t count_shared(dgm_summary_clusters clusters) {
    int64_t times[NODES] = {0}, shared = 0;
    for (int64_t i = 0; i < clusters.offsets[clusters.count]; i++)
        shared += ++times[clusters.members[i]] == 2;
    return shared;
}

static dgm_status find_facts(dgm_context *ctx, dgmi_reproduce_steps *steps) {
    dgmi_reproduce_steps_facts *facts = &steps->facts;
    dgm_summary_clusters clusters = dgm_summary_get_clusters(steps->summary);
    dgm_summary_topology topology = dgm_summary_get_topology(steps->summary);
    dgm_status status = dgm_graph_components(ctx, steps->graph, NULL, &facts->components);
    if (status == DGM_OK)
        status = count_holes(ctx, steps->graph, &facts->graph_holes);
    facts->nodes = dgm_graph_nodes(steps->graph);
    facts->edges = dgm_graph_edges(steps->graph);
    facts->graph_loops = facts->edges - facts->nodes + facts->components;
    facts->intervals = INTERVALS;
    facts->overlap = OVERLAP;
    facts->cells = dgm_summary_get_clusters(steps->cells).count;
    facts->clusters = clusters.count;
    facts->shared = count_shared(clusters);
    dgm_summary_edges(steps->summary, &facts->nerve_edges);
    facts->nerve_pieces = topology.b0;
    facts->nerve_loops = topology.b1;
    facts->nerve_ends = count_ends(steps->summary);
    return status;
}

/* ---- all of it ---- */

dgm_status dgmi_reproduce_steps_make(dgm_context *ctx, const dgm_figure_options *options,
                                     dgmi_reproduce_steps *out) {
    *out = (dgmi_reproduce_steps){.graph = NULL};
    dgm_status status = make_graph(ctx, &out->graph);
    if (status == DGM_OK)
        status = make_lens(ctx, &out->lens);
    if (status == DGM_OK)
        status = summarise(ctx, out, DGM_CLUSTER_NONE, &out->cells);
    if (status == DGM_OK)
        status = summarise(ctx, out, DGM_CLUSTER_COMPONENTS, &out->summary);
    if (status == DGM_OK)
        status = make_views(ctx, out);
    if (status == DGM_OK)
        status = make_figure(ctx, options, out);
    if (status == DGM_OK)
        status = find_facts(ctx, out);
    if (status != DGM_OK)
        dgmi_reproduce_steps_free(out);
    return status;
}

void dgmi_reproduce_steps_free(dgmi_reproduce_steps *steps) {
    dgm_figure_free(steps->figure);
    dgm_view_free(steps->nerve_view);
    dgm_view_free(steps->graph_view);
    dgm_profile_free(steps->profile);
    dgm_summary_free(steps->summary);
    dgm_summary_free(steps->cells);
    dgm_matrix_free(steps->lens);
    dgm_graph_free(steps->graph);
    *steps = (dgmi_reproduce_steps){.graph = NULL};
}
