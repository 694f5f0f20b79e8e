/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "property_draw.h"

/* ---- graphs ---- */

static void add_edge(property_graph *graph, int u, int v) {
    if ((u == v && !graph->keep_loops) || graph->linked[u][v])
        return;
    graph->linked[u][v] = 1;
    if (!graph->directed)
        graph->linked[v][u] = 1;
    graph->edges[graph->count][0] = (uint32_t)u;
    graph->edges[graph->count++][1] = (uint32_t)v;
}

static void draw_tree(check_random *random, property_graph *graph) {
    for (int u = 1; u < graph->nodes; u++)
        if (check_random_chance(random, 0.9))
            add_edge(graph, check_random_below(random, u), u);
}

static void draw_ring(check_random *random, property_graph *graph) {
    for (int u = 0; u < graph->nodes; u++)
        add_edge(graph, u, (u + 1) % graph->nodes);
    for (int k = check_random_below(random, 3); k > 0; k--)
        add_edge(graph, check_random_below(random, graph->nodes),
                 check_random_below(random, graph->nodes));
}

static void draw_density(check_random *random, property_graph *graph, double density) {
    for (int u = 0; u < graph->nodes; u++)
        for (int v = graph->directed ? 0 : u; v < graph->nodes; v++)
            if (check_random_chance(random, density))
                add_edge(graph, u, v);
}

void property_draw_graph(check_random *random, int max_nodes, bool directed,
                         property_graph *graph) {
    memset(graph, 0, sizeof *graph);
    graph->nodes =
        check_random_chance(random, 0.02) ? 0 : check_random_between(random, 1, max_nodes);
    graph->directed = directed;
    graph->keep_loops = check_random_chance(random, 0.2);
    if (graph->nodes == 0)
        return;
    switch (check_random_below(random, 6)) {
    case 0:
        draw_tree(random, graph);
        break;
    case 1:
        draw_ring(random, graph);
        break;
    case 2:
        draw_density(random, graph, 0.5);
        break;
    case 3: /* dust */
        draw_density(random, graph, 0.3 / graph->nodes);
        break;
    default:
        draw_density(random, graph, 2.5 / graph->nodes);
    }
}

/* ---- lenses ---- */

/* Integer ranges on which cell ends of common covers fall: n at gain 0, n + 1 at 1/2, 4n + 1 at
 * 1/5, 3n + 1 at 1/4, and multiples. */
static int tying_range(check_random *random, int n) {
    int ranges[] = {n, n + 1, 4 * n + 1, 3 * n + 1, 7 * n + 3, 10 * n};
    return ranges[check_random_below(random, 6)] * check_random_between(random, 1, 2);
}

void property_draw_column(check_random *random, property_case *problem, int column) {
    int64_t n = problem->options.intervals[0];
    for (int k = 1; k <= column && k < DGM_MAX_AXES; k++)
        n = problem->options.intervals[k] > 0 ? problem->options.intervals[k] : n;
    int kind = check_random_below(random, 10), range = tying_range(random, (int)n);
    double scale = ldexp(1, check_random_between(random, -8, 8));
    double offset = check_random_between(random, -50, 50);
    for (int u = 0; u < problem->graph.nodes; u++) {
        int integer = u < 2 ? u * range : check_random_between(random, 0, range);
        double *x = &problem->lens[u * problem->columns + column];
        if (kind < 5) /* on a grid that ties with ends */
            *x = (integer + offset) * scale;
        else if (kind < 8)
            *x = check_random_unit(random) * scale + offset * scale;
        else if (kind == 8) /* few values */
            *x = check_random_below(random, 3);
        else
            *x = -7.25;
    }
}

static void draw_simplex(check_random *random, property_case *problem) {
    problem->columns = check_random_between(random, 1, 20);
    for (int i = 0; i < problem->graph.nodes * problem->columns; i++)
        problem->lens[i] =
            check_random_chance(random, 0.3)
                ? ldexp(check_random_unit(random) + 0.1, -check_random_below(random, 900))
                : 0;
}

static void draw_given(check_random *random, property_case *problem) {
    int count = check_random_between(random, 1, PROPERTY_MAX_GIVEN - 1);
    problem->columns = 1;
    for (int i = 0; i < count; i++) {
        double low = check_random_between(random, -5, 8) * 0.5;
        problem->given[i] = (dgm_interval){low, low + check_random_between(random, 1, 8) * 0.5};
    }
    if (check_random_chance(random, 0.3))
        problem->given[0].low = -INFINITY;
    if (check_random_chance(random, 0.3)) /* a clear highest one */
        problem->given[count++] =
            (dgm_interval){7, check_random_chance(random, 0.5) ? 10 : INFINITY};
    problem->options.given = problem->given;
    problem->options.given_count = count;
    for (int u = 0; u < problem->graph.nodes; u++)
        problem->lens[u] = check_random_between(random, -12, 44) * 0.25;
}

/* Few parts or many, of numbers with gaps. */
static void draw_parts(check_random *random, property_case *problem) {
    static const double common[] = {0.01, 0.1, 0.2, 0.25, 0.3, 1.0 / 3, 0.5, 0.75, 1};
    int parts = check_random_between(random, 1, 9);
    problem->columns = 1;
    problem->options.share = check_random_chance(random, 0.8)
                                 ? common[check_random_below(random, 9)]
                                 : 1 - check_random_unit(random);
    for (int u = 0; u < problem->graph.nodes; u++)
        problem->lens[u] = 3 * check_random_below(random, parts) - 4;
}

/* ---- options ---- */

static double draw_overlap(check_random *random, int rule) {
    static const double common[] = {0, 0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9};
    double p = check_random_chance(random, 0.7) ? common[check_random_below(random, 10)]
                                                : 0.9 * check_random_unit(random);
    if (rule == DGM_RULE_GIOTTO && p == 0)
        return 0.15;
    if ((rule == DGM_RULE_DGM || rule == DGM_RULE_KEPLER) && check_random_chance(random, 0.05))
        return 1;
    return p;
}

static void draw_axes(check_random *random, property_case *problem) {
    dgm_mapper_options *options = &problem->options;
    static const int most[] = {0, 30, 8, 4, 3};
    problem->columns = check_random_between(random, 1, 4);
    int given = check_random_between(random, 1, problem->columns); /* the others repeat the last */
    for (int k = 0; k < given; k++) {
        options->intervals[k] = check_random_between(random, 1, most[problem->columns]);
        options->overlap[k] = draw_overlap(random, options->rule);
        if (problem->columns > 2 && options->overlap[k] > 0.5)
            options->overlap[k] = 0.4;
    }
    for (int k = 0; k < problem->columns; k++)
        property_draw_column(random, problem, k);
}

static void draw_options(check_random *random, dgm_mapper_options *options) {
    static const double eps[] = {0, 0, 0, 0.05, 0.2, 0.5, 1};
    static const int sizes[] = {1, 1, 1, 2, 3};
    static const int components[] = {0, 0, 0, 2, 4, 9};
    dgm_mapper_options_init(options);
    options->rule =
        check_random_chance(random, 0.4) ? DGM_RULE_GAIN : check_random_below(random, 6);
    options->cluster = check_random_chance(random, 0.8) ? DGM_CLUSTER_COMPONENTS : DGM_CLUSTER_NONE;
    options->edges = check_random_below(random, 2);
    /* The reference's count is for the default strength; what `sas` means beside it is nowhere
     * said. */
    options->strength =
        options->rule == DGM_RULE_DGM ? DGM_STRENGTH_LINKS : check_random_below(random, 2);
    options->eps = eps[check_random_below(random, 7)];
    options->min_size = sizes[check_random_below(random, 5)];
    options->min_component = components[check_random_below(random, 6)];
}

void property_draw(check_random *random, property_case *problem) {
    memset(problem, 0, sizeof *problem);
    property_draw_graph(random, check_random_chance(random, 0.1) ? CHECK_MAX_NODES : 30,
                        check_random_chance(random, 0.2), &problem->graph);
    draw_options(random, &problem->options);
    int cover = check_random_below(random, 13);
    if (cover == 0) {
        problem->options.cover = DGM_COVER_SIMPLEX;
        draw_simplex(random, problem);
    } else if (cover == 1) {
        problem->options.cover = DGM_COVER_INTERVALS;
        draw_given(random, problem);
    } else if (cover == 12) {
        problem->options.cover = DGM_COVER_PARTS;
        draw_parts(random, problem);
    } else if (cover > 9) {
        problem->options.cover = DGM_COVER_ADAPTIVE;
        problem->options.rule = DGM_RULE_GAIN;
        problem->options.cell_size = check_random_between(random, 1, problem->graph.nodes + 1);
        draw_axes(random, problem);
    } else {
        problem->options.cover = cover < 4 ? DGM_COVER_QUANTILE : DGM_COVER_UNIFORM;
        draw_axes(random, problem);
    }
    if (problem->options.cover >= DGM_COVER_INTERVALS)
        problem->options.rule = DGM_RULE_GAIN;
}

check_problem property_problem(const property_case *problem) {
    return (check_problem){.nodes = problem->graph.nodes,
                           .edge_count = problem->graph.count,
                           .edges = (const uint32_t(*)[2])problem->graph.edges,
                           .columns = problem->columns,
                           .lens = problem->lens,
                           .options = &problem->options};
}

/* ---- into the library ---- */

/* Some edges are given twice, and turned around where that is the same edge: the builder merges
 * them. */
static void add_repeats(dgm_graph_builder *builder, const property_graph *graph) {
    for (int e = 0; e < graph->count; e += 3) {
        bool turn = !graph->directed && e % 2;
        const uint32_t ends[] = {graph->edges[e][turn], graph->edges[e][!turn]};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
    }
}

dgm_graph *property_build_graph(dgm_context *ctx, const property_graph *graph) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgm_graph *out = NULL;
    options.directed = graph->directed;
    options.keep_loops = graph->keep_loops;
    options.nodes = graph->nodes;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, graph->nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, graph->count, &graph->edges[0][0], NULL),
                     DGM_OK);
    add_repeats(builder, graph);
    assert_int_equal(dgm_graph_builder_finish(builder, &out), DGM_OK);
    assert_int_equal(dgm_graph_nodes(out), graph->nodes);
    assert_int_equal(dgm_graph_edges(out), graph->count);
    return out;
}

dgm_matrix *property_build_matrix(dgm_context *ctx, int rows, int columns, const double *values) {
    dgm_matrix *matrix = NULL;
    assert_int_equal(dgm_matrix_create(ctx, rows, columns, &matrix), DGM_OK);
    if (rows > 0 && columns > 0)
        memcpy(dgm_matrix_values_mutable(matrix), values,
               sizeof *values * (size_t)rows * (size_t)columns);
    return matrix;
}

dgm_summary *property_run(dgm_context *ctx, const property_case *problem) {
    dgm_graph *graph = property_build_graph(ctx, &problem->graph);
    dgm_matrix *lens =
        property_build_matrix(ctx, problem->graph.nodes, problem->columns, problem->lens);
    dgm_summary *summary = NULL;
    dgm_status status = dgm_mapper_run(ctx, graph, lens, &problem->options, &summary);
    if (status != DGM_OK)
        fprintf(stderr, "dgm_mapper_run: %s\n", dgm_context_error(ctx));
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    assert_int_equal(status, DGM_OK);
    return summary;
}

void property_print(const property_case *problem) {
    static const char *const rules[] = {"gain", "dgm", "kepler", "giotto", "gudhi", "mog"};
    static const char *const covers[] = {"uniform", "quantile",  "intervals", "simplex", "adaptive",
                                         "balls",   "landmarks", "gmeans",    "cmo",     "parts"};
    const dgm_mapper_options *o = &problem->options;
    fprintf(stderr, "%d nodes%s%s, edges", problem->graph.nodes,
            problem->graph.directed ? ", directed" : "",
            problem->graph.keep_loops ? ", loops" : "");
    for (int e = 0; e < problem->graph.count; e++)
        fprintf(stderr, " %u-%u", problem->graph.edges[e][0], problem->graph.edges[e][1]);
    fprintf(stderr,
            "\ncover %s, rule %s, cluster %d, edges %d, strength %d, eps %g, min-size %lld, "
            "min-component %lld%s\n",
            covers[o->cover], rules[o->rule], o->cluster, o->edges, o->strength, o->eps,
            (long long)o->min_size, (long long)o->min_component, o->attach ? ", attach" : "");
    if (o->cover == DGM_COVER_PARTS)
        fprintf(stderr, "share %.17g\n", o->share);
    for (int64_t i = 0; i < o->given_count; i++)
        fprintf(stderr, "interval %g..%g\n", o->given[i].low, o->given[i].high);
    for (int k = 0; k < problem->columns && k < DGM_MAX_AXES; k++)
        fprintf(stderr, "axis %d: intervals %lld overlap %.17g\n", k, (long long)o->intervals[k],
                o->overlap[k]);
    for (int u = 0; u < problem->graph.nodes; u++)
        for (int k = 0; k < problem->columns; k++)
            fprintf(stderr, "%.17g%c", problem->lens[u * problem->columns + k],
                    k + 1 < problem->columns ? '\t' : '\n');
}
