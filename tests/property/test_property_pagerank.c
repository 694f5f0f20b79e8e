/* SPDX-License-Identifier: Apache-2.0 */
/* PageRank against a dense power iteration and against closed forms; degree against a count. */
#include "property_fixture.h"

#include <math.h>
#include <string.h>

/* The whole Google matrix, dense, until nothing moves: r = alpha M r + (1 - alpha) / N, and a node
 * without out-edges spreads uniformly. weight[u][v]: u -> v. */
static void dense_pagerank(int nodes, const double (*weight)[CHECK_MAX_NODES], double alpha,
                           double *rank) {
    for (int u = 0; u < nodes; u++)
        rank[u] = 1.0 / nodes;
    for (int step = 0; step < 20000; step++) {
        double next[CHECK_MAX_NODES], change = 0;
        for (int v = 0; v < nodes; v++)
            next[v] = (1 - alpha) / nodes;
        for (int u = 0; u < nodes; u++) {
            double total = 0;
            for (int v = 0; v < nodes; v++)
                total += weight[u][v];
            for (int v = 0; v < nodes; v++)
                next[v] += alpha * rank[u] * (total > 0 ? weight[u][v] / total : 1.0 / nodes);
        }
        for (int v = 0; v < nodes; v++) {
            change += fabs(next[v] - rank[v]);
            rank[v] = next[v];
        }
        if (change < 1e-15)
            return;
    }
}

static dgm_graph *build_weighted(const property_graph *drawn, const double *weights) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    options.directed = drawn->directed;
    options.keep_loops = drawn->keep_loops;
    options.nodes = drawn->nodes;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, drawn->count, &drawn->edges[0][0], weights),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void compare_ranks(const property_graph *drawn, const double *weights,
                          const dgm_pagerank_options *options, int number) {
    static double dense[CHECK_MAX_NODES][CHECK_MAX_NODES];
    double expected[CHECK_MAX_NODES], sum = 0;
    memset(dense, 0, sizeof dense);
    for (int e = 0; e < drawn->count; e++) {
        double w = options->weighted && weights ? weights[e] : 1;
        dense[drawn->edges[e][0]][drawn->edges[e][1]] = w;
        if (!drawn->directed)
            dense[drawn->edges[e][1]][drawn->edges[e][0]] = w;
    }
    dense_pagerank(drawn->nodes, (const double(*)[CHECK_MAX_NODES])dense, options->alpha, expected);
    dgm_graph *graph = build_weighted(drawn, weights);
    dgm_matrix *rank = NULL;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, options, &rank), DGM_OK);
    assert_int_equal(dgm_matrix_rows(rank), drawn->nodes);
    assert_int_equal(dgm_matrix_columns(rank), 1);
    for (int u = 0; u < drawn->nodes; u++) {
        double r = dgm_matrix_values(rank)[u];
        sum += r;
        if (!(fabs(r - expected[u]) < 1e-9))
            fail_msg("seed %llu, case %d, node %d: expected %.12g, got %.12g",
                     (unsigned long long)seed, number, u, expected[u], r);
    }
    if (drawn->nodes)
        assert_true(fabs(sum - 1) < 1e-9);
    dgm_matrix_free(rank);
    dgm_graph_free(graph);
}

static void pagerank_equals_a_dense_power_iteration(void **state) {
    (void)state;
    static property_graph drawn;
    static double weights[PROPERTY_MAX_EDGES];
    for (int number = 0; number < 300; number++) {
        check_random random = check_random_case(seed, 30, number);
        property_draw_graph(&random, 30, number % 2, &drawn);
        for (int e = 0; e < drawn.count; e++)
            weights[e] = check_random_between(&random, 1, 9) * 0.25;
        dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
        options.alpha = number % 3 ? 0.85 : 0.1 + 0.85 * check_random_unit(&random);
        options.tolerance = 1e-12;
        options.iterations = 5000;
        options.weighted = number % 5 > 1;
        compare_ranks(&drawn, number % 5 ? weights : NULL, &options, number);
    }
}

static double *rank_of(const uint32_t (*edges)[2], int count, int nodes, double *rank) {
    dgm_graph_options graph_options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    options.tolerance = 1e-13;
    graph_options.nodes = nodes;
    assert_int_equal(dgm_graph_builder_create(ctx, &graph_options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, count, &edges[0][0], NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_OK);
    memcpy(rank, dgm_matrix_values(lens), sizeof *rank * (size_t)nodes);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return rank;
}

static void assert_near(double actual, double expected) {
    if (!(fabs(actual - expected) < 1e-10))
        fail_msg("expected %.15g, got %.15g", expected, actual);
}

/* Star of m leaves, N = m + 1: centre c = (1-a)/N + a m l, leaf l = (1-a)/N + a c / m. */
static void a_star_has_its_closed_form(void **state) {
    (void)state;
    for (int m = 1; m <= 20; m++) {
        uint32_t edges[20][2];
        double rank[21], a = 0.85, n = m + 1;
        for (int i = 0; i < m; i++) {
            edges[i][0] = 0;
            edges[i][1] = (uint32_t)i + 1;
        }
        rank_of((const uint32_t(*)[2])edges, m, m + 1, rank);
        double centre = (1 - a) * (1 + a * m) / (n * (1 - a * a));
        assert_near(rank[0], centre);
        for (int i = 1; i <= m; i++)
            assert_near(rank[i], (1 - a) / n + a * centre / m);
    }
}

/* Regular graphs (complete, ring) and graphs without edges are uniform. */
static void regular_graphs_are_uniform(void **state) {
    (void)state;
    for (int n = 1; n <= 12; n++) {
        uint32_t ring[12][2], complete[66][2];
        double rank[12];
        int count = 0;
        for (int u = 0; u < n; u++) {
            ring[u][0] = (uint32_t)u;
            ring[u][1] = (uint32_t)((u + 1) % n);
            for (int v = 0; v < u; v++, count++) {
                complete[count][0] = (uint32_t)u;
                complete[count][1] = (uint32_t)v;
            }
        }
        for (int kind = 0; kind < 3; kind++) {
            int edges = kind == 0 ? n : kind == 1 ? count : 0;
            rank_of((const uint32_t(*)[2])(kind ? complete : ring), edges, n, rank);
            for (int u = 0; u < n; u++)
                assert_near(rank[u], 1.0 / n);
        }
    }
}

/* A path of three: ends e, middle m with m = (1-a)/3 + 2 a e and e = (1-a)/3 + a m / 2; of four:
 * the equations r0 = (1-a)/4 + a r1 / 2, r1 = (1-a)/4 + a (r0 + r1 / 2). */
static void short_paths_have_their_closed_forms(void **state) {
    (void)state;
    const uint32_t edges[3][2] = {{0, 1}, {1, 2}, {2, 3}};
    double rank[4], a = 0.85;
    rank_of(edges, 2, 3, rank);
    double middle = (1 - a) / 3 * (1 + 2 * a) / (1 - a * a);
    assert_near(rank[1], middle);
    assert_near(rank[0], (1 - middle) / 2);
    assert_near(rank[2], (1 - middle) / 2);
    rank_of(edges, 3, 4, rank);
    double inner = (1 - a) / 4 * (1 + a) / (1 - a / 2 - a * a / 2);
    assert_near(rank[1], inner);
    assert_near(rank[2], inner);
    assert_near(rank[0], 0.5 - inner);
    assert_near(rank[3], 0.5 - inner);
}

/* 0 -> 1 and nothing else: 1 is dangling. r0 = (1-a)/2 + a r1 / 2, r1 = (1-a)/2 + a (r0 + r1 / 2).
 */
static void a_dangling_node_spreads_uniformly(void **state) {
    (void)state;
    property_graph arc = {.nodes = 2, .directed = true, .count = 1, .edges = {{0, 1}}};
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    dgm_graph *graph = build_weighted(&arc, NULL);
    dgm_matrix *rank = NULL;
    options.tolerance = 1e-13;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &rank), DGM_OK);
    double source = 1 / (2 + options.alpha);
    assert_near(dgm_matrix_values(rank)[0], source);
    assert_near(dgm_matrix_values(rank)[1], 1 - source);
    dgm_matrix_free(rank);
    dgm_graph_free(graph);
}

/* Neighbours in both directions of a directed graph; a kept loop counts two. */
static void degree_counts_ends_of_edges(void **state) {
    (void)state;
    static property_graph drawn;
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 31, number);
        property_draw_graph(&random, 30, number % 3 == 0, &drawn);
        int degree[CHECK_MAX_NODES] = {0};
        for (int e = 0; e < drawn.count; e++) {
            degree[drawn.edges[e][0]]++;
            degree[drawn.edges[e][1]]++;
        }
        dgm_graph *graph = property_build_graph(ctx, &drawn);
        dgm_matrix *lens = NULL;
        assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK);
        for (int u = 0; u < drawn.nodes; u++)
            if (dgm_matrix_values(lens)[u] != degree[u])
                fail_msg("seed %llu, case %d, node %d: expected %d, got %g",
                         (unsigned long long)seed, number, u, degree[u],
                         dgm_matrix_values(lens)[u]);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pagerank_equals_a_dense_power_iteration),
        cmocka_unit_test(a_star_has_its_closed_form),
        cmocka_unit_test(regular_graphs_are_uniform),
        cmocka_unit_test(short_paths_have_their_closed_forms),
        cmocka_unit_test(a_dangling_node_spreads_uniformly),
        cmocka_unit_test(degree_counts_ends_of_edges),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
