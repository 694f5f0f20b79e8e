/* SPDX-License-Identifier: Apache-2.0 */
/* Communities of seeded random graphs: each hangs together, they are numbered by size, no node
 * gains by moving, modularity is that of its definition and at least that of a naive method,
 * and threads change nothing. */
#include "property_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 64, GRAPHS = 150 };

/* What modularity sees of a graph. */
typedef struct {
    int nodes;
    double weight[MOST_NODES][MOST_NODES]; /* symmetric; a loop stands there twice */
    double strength[MOST_NODES], whole;
} picture;

/* ---- graphs ---- */

typedef struct {
    int nodes, count;
    uint32_t ends[2 * MOST_NODES * MOST_NODES];
    double weights[MOST_NODES * MOST_NODES];
    bool directed, loops, weighted;
} sketch;

static void add_edge(check_random *random, sketch *s, int u, int v) {
    double weight = 1;
    if (s->count == MOST_NODES * MOST_NODES)
        return;
    if (s->weighted) /* now and then nothing, or less */
        weight = check_random_chance(random, 0.1) ? check_random_between(random, -1, 0)
                                                  : pow(10, 4 * check_random_unit(random) - 2);
    s->ends[2 * s->count] = (uint32_t)u;
    s->ends[2 * s->count + 1] = (uint32_t)v;
    s->weights[s->count++] = weight;
}

static void add_anywhere(check_random *random, sketch *s, int edges) {
    for (int i = 0; i < edges; i++)
        add_edge(random, s, check_random_below(random, s->nodes),
                 check_random_below(random, s->nodes));
}

static void add_cliques(check_random *random, sketch *s) {
    int size = check_random_between(random, 2, 8);
    for (int u = 0; u < s->nodes; u++) {
        for (int v = u / size * size; v < u; v++)
            add_edge(random, s, u, v);
        if (u % size == 0)
            add_edge(random, s, u, (u + size) % s->nodes);
    }
}

static void add_tree(check_random *random, sketch *s, bool star) {
    for (int u = 1; u < s->nodes; u++)
        add_edge(random, s, u, star ? 0 : check_random_below(random, u));
}

static void add_grid(check_random *random, sketch *s) {
    for (int u = 0; u < s->nodes; u++) {
        if (u % 8 != 7 && u + 1 < s->nodes)
            add_edge(random, s, u, u + 1);
        if (u + 8 < s->nodes)
            add_edge(random, s, u, u + 8);
    }
}

static void add_blocks(check_random *random, sketch *s) {
    int blocks = check_random_between(random, 2, 5);
    for (int u = 0; u < s->nodes; u++)
        for (int v = 0; v < u; v++)
            if (check_random_chance(random, u % blocks == v % blocks ? 0.5 : 0.05))
                add_edge(random, s, u, v);
}

static void draw_sketch(check_random *random, sketch *s) {
    *s = (sketch){.nodes = check_random_between(random, 1, MOST_NODES)};
    s->directed = check_random_chance(random, 0.3);
    s->loops = check_random_chance(random, 0.3);
    s->weighted = check_random_chance(random, 0.4);
    switch (check_random_below(random, 7)) {
    case 0:
        add_anywhere(random, s, check_random_below(random, 3 * s->nodes));
        break;
    case 1:
        add_anywhere(random, s, s->nodes * s->nodes / 4);
        break;
    case 2:
        add_cliques(random, s);
        break;
    case 3:
        add_tree(random, s, false);
        break;
    case 4:
        add_tree(random, s, true);
        break;
    case 5:
        add_grid(random, s);
        break;
    default:
        add_blocks(random, s);
    }
}

static dgm_graph *build(const sketch *s) {
    const dgm_graph_options options = {
        .size = sizeof options, .directed = s->directed, .keep_loops = s->loops, .nodes = s->nodes};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, s->nodes), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add(builder, s->count, s->ends, s->weighted ? s->weights : NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void take_picture(const dgm_graph *graph, bool weighted, picture *p) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    *p = (picture){.nodes = (int)rows.nodes};
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            double weight = weighted && rows.weights ? fmax(rows.weights[e], 0) : 1;
            uint32_t v = rows.targets[e];
            p->weight[u][v] += weight;
            if (rows.directed || v == u)
                p->weight[v][u] += weight;
        }
    for (int u = 0; u < p->nodes; u++)
        for (int v = 0; v < p->nodes; v++) {
            p->strength[u] += p->weight[u][v];
            p->whole += p->weight[u][v];
        }
}

/* ---- by definition ---- */

static double naive_modularity(const picture *p, const uint32_t *parts, double resolution) {
    double sum = 0;
    for (int u = 0; p->whole > 0 && u < p->nodes; u++)
        for (int v = 0; v < p->nodes; v++)
            if (parts[u] == parts[v])
                sum += p->weight[u][v] / p->whole -
                       resolution * (p->strength[u] / p->whole) * (p->strength[v] / p->whole);
    return sum;
}

/* Louvain's first phase from the partition that is there: nodes go to the best community by the
 * definition itself, as long as one gains. */
static bool naive_moves(const picture *p, double resolution, const uint32_t *group,
                        uint32_t *parts) {
    bool any = false, moved = true;
    uint32_t tried[MOST_NODES];
    for (int sweep = 0; moved && sweep < 50; sweep++) {
        moved = false;
        for (uint32_t g = 0; g < (uint32_t)p->nodes; g++) { /* all nodes of a group together */
            double most = naive_modularity(p, parts, resolution) + 1e-12;
            uint32_t best = UINT32_MAX;
            for (uint32_t c = 0; c < (uint32_t)p->nodes; c++) {
                for (int u = 0; u < p->nodes; u++)
                    tried[u] = group[u] == g ? c : parts[u];
                double found = naive_modularity(p, tried, resolution);
                if (found > most) {
                    most = found;
                    best = c;
                }
            }
            for (int u = 0; best != UINT32_MAX && u < p->nodes; u++)
                parts[u] = group[u] == g ? best : parts[u];
            moved |= best != UINT32_MAX;
        }
        any |= moved;
    }
    return any;
}

/* Louvain: nodes, then what they became, and so on. */
static double naive_louvain(const picture *p, double resolution) {
    uint32_t group[MOST_NODES], parts[MOST_NODES];
    for (int u = 0; u < p->nodes; u++)
        group[u] = parts[u] = (uint32_t)u;
    while (naive_moves(p, resolution, group, parts))
        memcpy(group, parts, sizeof group);
    return naive_modularity(p, parts, resolution);
}

/* ---- what must hold ---- */

static void check_numbers(const uint32_t *parts, int64_t nodes, int64_t count) {
    int64_t *sizes = calloc((size_t)count + 1, sizeof *sizes);
    int64_t *first = calloc((size_t)count + 1, sizeof *first);
    for (int64_t u = nodes - 1; u >= 0; u--) {
        assert_true(parts[u] < count);
        sizes[parts[u]]++;
        first[parts[u]] = u;
    }
    for (int64_t c = 0; c < count; c++) {
        assert_true(sizes[c] > 0);
        if (c > 0)
            assert_true(sizes[c] < sizes[c - 1] ||
                        (sizes[c] == sizes[c - 1] && first[c] > first[c - 1]));
    }
    free(sizes);
    free(first);
}

/* From the first node of each community all its others are reached inside it. */
static void check_connected(const picture *p, const uint32_t *parts) {
    bool reached[MOST_NODES] = {false}, seen[MOST_NODES] = {false};
    for (int u = 0; u < p->nodes; u++) {
        reached[u] = reached[u] || !seen[parts[u]];
        seen[parts[u]] = true;
    }
    for (int step = 0; step < p->nodes; step++)
        for (int u = 0; u < p->nodes; u++)
            for (int v = 0; reached[u] && v < p->nodes; v++)
                reached[v] = reached[v] || (parts[u] == parts[v] && p->weight[u][v] > 0);
    for (int u = 0; u < p->nodes; u++)
        assert_true(reached[u]);
}

/* No node gains by going to another community, or off by itself. */
static void check_no_move_gains(const picture *p, const uint32_t *parts, int64_t count,
                                double resolution) {
    uint32_t moved[MOST_NODES];
    double worth = naive_modularity(p, parts, resolution);
    memcpy(moved, parts, (size_t)p->nodes * sizeof *moved);
    for (int u = 0; u < p->nodes; u++) {
        for (uint32_t c = 0; c <= (uint32_t)count; c++) {
            moved[u] = c;
            assert_true(naive_modularity(p, moved, resolution) <= worth + 1e-11);
        }
        moved[u] = parts[u];
    }
}

static double draw_resolution(check_random *random) {
    return check_random_chance(random, 0.5) ? 1 : pow(10, 2 * check_random_unit(random) - 1);
}

static void small_graphs_keep_every_promise(void **state) {
    (void)state;
    double ahead = 0;
    for (int number = 0; number < GRAPHS; number++) {
        check_random random = check_random_case(seed, 41, number);
        dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
        static sketch s;
        static picture p;
        uint32_t parts[MOST_NODES];
        int64_t count;
        double found;
        draw_sketch(&random, &s);
        dgm_graph *graph = build(&s);
        options.resolution = draw_resolution(&random);
        options.weighted = check_random_chance(&random, 0.8);
        options.seed = number;
        take_picture(graph, options.weighted, &p);
        assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_OK);
        check_numbers(parts, p.nodes, count);
        check_connected(&p, parts);
        check_no_move_gains(&p, parts, count, options.resolution);
        assert_int_equal(dgm_modularity(ctx, graph, parts, count, &options, &found), DGM_OK);
        double naive = naive_modularity(&p, parts, options.resolution);
        if (fabs(found - naive) > 1e-11 * (1 + options.resolution))
            fail_msg("case %d: modularity %.17g and not %.17g", number, found, naive);
        double of_twin = naive_louvain(&p, options.resolution);
        if (found < of_twin - 0.01)
            fail_msg("case %d: modularity %g, a naive method finds %g", number, found, of_twin);
        ahead += (found - of_twin) / GRAPHS;
        dgm_graph_free(graph);
    }
    printf("# on average %.5f above a naive method\n", ahead);
    assert_true(ahead >= 0);
}

/* Not of each graph, but of many together. */
static void larger_resolutions_give_more_communities(void **state) {
    (void)state;
    static const double resolutions[] = {0.1, 0.3, 1, 3, 10};
    double before = 0;
    for (size_t r = 0; r < sizeof resolutions / sizeof *resolutions; r++) {
        dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
        double sum = 0;
        options.resolution = resolutions[r];
        for (int number = 0; number < 60; number++) {
            check_random random = check_random_case(seed, 42, number);
            static sketch s;
            uint32_t parts[MOST_NODES];
            int64_t count;
            draw_sketch(&random, &s);
            dgm_graph *graph = build(&s);
            assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_OK);
            sum += (double)count;
            dgm_graph_free(graph);
        }
        assert_true(sum > before);
        before = sum;
    }
}

/* ---- large enough for groups ---- */

/* By the rows of an undirected graph without weights. */
static void check_large(const dgm_graph *graph, const uint32_t *parts, int64_t count) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double *totals = calloc((size_t)count + 1, sizeof *totals);
    double *towards = calloc((size_t)count + 1, sizeof *towards);
    for (int64_t u = 0; u < rows.nodes; u++)
        totals[parts[u]] += (double)(rows.offsets[u + 1] - rows.offsets[u]);
    for (int64_t u = 0; u < rows.nodes; u++) {
        double strength = (double)(rows.offsets[u + 1] - rows.offsets[u]);
        double pull = strength / (double)rows.entries;
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            towards[parts[rows.targets[e]]]++;
        double stay = towards[parts[u]] - pull * (totals[parts[u]] - strength);
        assert_true(stay >= -1e-9); /* alone is 0 */
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            uint32_t c = parts[rows.targets[e]];
            assert_true(c == parts[u] || towards[c] - pull * totals[c] <= stay + 1e-9);
        }
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            towards[parts[rows.targets[e]]] = 0;
    }
    free(totals);
    free(towards);
}

/* The edges inside communities alone have as many components as there are communities. */
static void check_large_connected(const dgm_graph *graph, const uint32_t *parts, int64_t count) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_builder *builder;
    dgm_graph *inside;
    int64_t pieces;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, rows.nodes), DGM_OK);
    for (uint32_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (parts[rows.targets[e]] == parts[u])
                assert_int_equal(
                    dgm_graph_builder_add(builder, 1, (const uint32_t[]){u, rows.targets[e]}, NULL),
                    DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &inside), DGM_OK);
    assert_int_equal(dgm_graph_components(ctx, inside, NULL, &pieces), DGM_OK);
    assert_int_equal(pieces, count);
    dgm_graph_free(inside);
}

static void large_graphs_do_not_see_threads(void **state) {
    (void)state;
    static const int kinds[] = {DGM_GENERATE_SBM, DGM_GENERATE_RMAT, DGM_GENERATE_BA,
                                DGM_GENERATE_WS, DGM_GENERATE_GRID};
    static const int threads[] = {1, 2, 3, 8};
    for (int number = 0; number < 10; number++) {
        check_random random = check_random_case(seed, 43, number);
        dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
        dgm_graph_options rows = DGM_GRAPH_OPTIONS_INIT;
        dgm_communities_options finding = DGM_COMMUNITIES_OPTIONS_INIT;
        dgm_graph *graph;
        options.kind = kinds[number % 5];
        options.nodes = check_random_between(&random, 6000, 12000);
        options.edges = options.nodes * check_random_between(&random, 3, 6);
        options.blocks = check_random_between(&random, 1, 30);
        options.seed = number;
        rows.directed = number >= 5;
        assert_int_equal(dgm_graph_generate(ctx, &options, &rows, &graph), DGM_OK);
        int64_t nodes = dgm_graph_nodes(graph), count, first_count = 0;
        uint32_t *first = malloc((size_t)nodes * sizeof *first);
        uint32_t *parts = malloc((size_t)nodes * sizeof *parts);
        finding.seed = number;
        for (int t = 0; t < 4; t++) {
            dgm_context_set_threads(ctx, threads[t]);
            assert_int_equal(
                dgm_communities(ctx, graph, &finding, t ? parts : first, t ? &count : &first_count),
                DGM_OK);
            if (t > 0 &&
                (count != first_count || memcmp(parts, first, (size_t)nodes * sizeof *parts) != 0))
                fail_msg("case %d: %d threads find others than one", number, threads[t]);
        }
        check_numbers(first, nodes, first_count);
        check_large_connected(graph, first, first_count);
        if (!rows.directed)
            check_large(graph, first, first_count);
        dgm_context_set_threads(ctx, 1);
        free(first);
        free(parts);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_keep_every_promise),
        cmocka_unit_test(larger_resolutions_give_more_communities),
        cmocka_unit_test(large_graphs_do_not_see_threads),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
