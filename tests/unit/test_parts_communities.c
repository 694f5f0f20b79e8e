/* SPDX-License-Identifier: Apache-2.0 */
/* Communities whose best partition is known by hand, and modularity by its definition. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "parts_communities.h"
#include "unit_faults.h"

enum { MOST_NODES = 256, MOST_EDGES = 2000 };

typedef struct {
    uint32_t ends[2 * MOST_EDGES];
    double weights[MOST_EDGES];
    int64_t count;
} edge_list;

static void add_edge(edge_list *list, uint32_t u, uint32_t v, double weight) {
    assert_true(list->count < MOST_EDGES);
    list->ends[2 * list->count] = u;
    list->ends[2 * list->count + 1] = v;
    list->weights[list->count++] = weight;
}

static void add_clique(edge_list *list, uint32_t first, uint32_t size, double weight) {
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t j = 0; j < i; j++)
            add_edge(list, first + i, first + j, weight);
}

/* `count` cliques of `size` nodes, each joined with the next by an edge, in a ring if `ring`. */
static dgm_graph *build_cliques(uint32_t count, uint32_t size, bool ring) {
    edge_list list = {.count = 0};
    for (uint32_t c = 0; c < count; c++) {
        add_clique(&list, c * size, size, 1);
        if (ring || c + 1 < count)
            add_edge(&list, c * size, (c + 1) % count * size + 1, 1);
    }
    return build_graph(NULL, 0, list.count, list.ends, NULL);
}

/* ---- the definition ---- */

/* An edge between u and v of weight w counts for both ends, a loop twice for its one; directions do
 * not count. */
static double naive_modularity(const dgm_graph *graph, const uint32_t *parts, double resolution,
                               bool weighted) {
    static double matrix[MOST_NODES][MOST_NODES], strengths[MOST_NODES];
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double whole = 0, sum = 0;
    memset(matrix, 0, sizeof matrix);
    memset(strengths, 0, sizeof strengths);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            double weight = weighted && rows.weights ? fmax(rows.weights[e], 0) : 1;
            uint32_t v = rows.targets[e];
            matrix[u][v] += weight;
            if (rows.directed || u == v)
                matrix[v][u] += weight;
        }
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t v = 0; v < rows.nodes; v++)
            strengths[u] += matrix[u][v];
    for (int64_t u = 0; u < rows.nodes; u++)
        whole += strengths[u];
    for (int64_t u = 0; whole > 0 && u < rows.nodes; u++)
        for (int64_t v = 0; v < rows.nodes; v++)
            if (parts[u] == parts[v])
                sum += matrix[u][v] / whole -
                       resolution * (strengths[u] / whole) * (strengths[v] / whole);
    return sum;
}

/* ---- cases ---- */

static void assert_parts(const dgm_graph *graph, const dgm_communities_options *given,
                         const uint32_t *expected, int64_t expected_count) {
    uint32_t parts[MOST_NODES];
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    if (given)
        options = *given;
    for (options.seed = 0; options.seed < 10; options.seed++) {
        int64_t count = -1;
        double found;
        assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_OK);
        assert_int_equal(count, expected_count);
        for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
            assert_int_equal(parts[u], expected[u]);
        assert_int_equal(dgm_modularity(ctx, graph, parts, count, &options, &found), DGM_OK);
        assert_near(found, naive_modularity(graph, parts, options.resolution, options.weighted),
                    1e-12);
    }
}

static void two_cliques_with_a_bridge(void **state) {
    (void)state;
    edge_list list = {.count = 0};
    add_clique(&list, 0, 4, 1);
    add_clique(&list, 4, 5, 1);
    add_edge(&list, 3, 4, 1);
    dgm_graph *graph = build_graph(NULL, 0, list.count, list.ends, NULL);
    /* The larger has number 0. */
    assert_parts(graph, NULL, (const uint32_t[]){1, 1, 1, 1, 0, 0, 0, 0, 0}, 2);
    dgm_graph_free(graph);
}

static void a_ring_of_cliques_falls_into_its_cliques(void **state) {
    (void)state;
    uint32_t expected[40];
    double found;
    for (uint32_t u = 0; u < 40; u++)
        expected[u] = u / 5;
    dgm_graph *graph = build_cliques(8, 5, true);
    assert_parts(graph, NULL, expected, 8);
    /* 8 (10/88 - (22/176)^2) */
    assert_int_equal(dgm_modularity(ctx, graph, expected, 8, NULL, &found), DGM_OK);
    assert_near(found, 8 * (10 / 88.0 - 22 * 22 / (176.0 * 176)), 1e-15);
    dgm_graph_free(graph);
}

/* 20 triangles in a ring are worth 0.7 alone, and 0.775 by pairs: a high resolution tells them
 * apart. */
static void resolution_tells_triangles_apart(void **state) {
    (void)state;
    uint32_t expected[60], parts[60];
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    int64_t count;
    double found;
    for (uint32_t u = 0; u < 60; u++)
        expected[u] = u / 3;
    dgm_graph *graph = build_cliques(20, 3, true);
    options.resolution = 4;
    assert_parts(graph, &options, expected, 20);
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(dgm_modularity(ctx, graph, parts, count, NULL, &found), DGM_OK);
    assert_true(found >= 0.77);
    options.resolution = 1e-6;
    assert_parts(graph, &options, (const uint32_t[60]){0}, 1);
    options.resolution = 1e6;
    assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_OK);
    assert_int_equal(count, 60);
    dgm_graph_free(graph);
}

static void a_star_is_one_community(void **state) {
    (void)state;
    edge_list list = {.count = 0};
    for (uint32_t u = 1; u < 100; u++)
        add_edge(&list, 0, u, 1);
    dgm_graph *graph = build_graph(NULL, 0, list.count, list.ends, NULL);
    uint32_t parts[100];
    int64_t count;
    double found;
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(dgm_modularity(ctx, graph, parts, count, NULL, &found), DGM_OK);
    assert_true(found >= -1e-15); /* no partition of a star is worth more than none */
    dgm_graph_free(graph);
}

/* 25 nodes in pieces of five: 4 * 4 + 4 edges, of 48 ends pieces have 9, 10, 10, 10, 9. */
static void a_path_falls_into_pieces(void **state) {
    (void)state;
    edge_list list = {.count = 0};
    for (uint32_t u = 0; u + 1 < 25; u++)
        add_edge(&list, u, u + 1, 1);
    dgm_graph *graph = build_graph(NULL, 0, list.count, list.ends, NULL);
    uint32_t parts[25];
    int64_t count;
    double found, best = 20 / 24.0 - (3 * 100 + 2 * 81) / (48.0 * 48);
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(dgm_modularity(ctx, graph, parts, count, NULL, &found), DGM_OK);
    assert_true(found >= best - 0.005);
    for (uint32_t u = 0; u + 2 < 25; u++) /* a community of a path is a stretch of it */
        assert_true(parts[u] != parts[u + 2] || parts[u] == parts[u + 1]);
    dgm_graph_free(graph);
}

static void nothing_has_no_communities(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    int64_t count = -1;
    double found = -1;
    uint32_t parts[1];
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(dgm_modularity(ctx, graph, parts, 0, NULL, &found), DGM_OK);
    assert_near(found, 0, 0);
    dgm_graph_free(graph);
}

static void isolated_nodes_are_communities(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 0, NULL, NULL);
    assert_parts(graph, NULL, (const uint32_t[]){0, 1, 2, 3}, 4);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 5, 1, (const uint32_t[]){1, 3}, NULL);
    assert_parts(graph, NULL, (const uint32_t[]){1, 0, 2, 0, 3}, 4);
    dgm_graph_free(graph);
}

static void loops_count_twice(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof options, .keep_loops = true};
    dgm_graph *graph = build_graph(&options, 0, 3, (const uint32_t[]){0, 0, 0, 1, 1, 1}, NULL);
    double found;
    /* Strengths of 3 each: apart 2/6 + 2/6 - 2 (1/2)^2 = 1/6, together 0. */
    assert_parts(graph, NULL, (const uint32_t[]){0, 1}, 2);
    assert_int_equal(dgm_modularity(ctx, graph, (const uint32_t[]){0, 1}, 2, NULL, &found), DGM_OK);
    assert_near(found, 1 / 6.0, 1e-15);
    assert_int_equal(dgm_modularity(ctx, graph, (const uint32_t[]){0, 0}, 1, NULL, &found), DGM_OK);
    assert_near(found, 0, 1e-15);
    dgm_graph_free(graph);
}

static void directions_do_not_count(void **state) {
    (void)state;
    edge_list list = {.count = 0};
    const dgm_graph_options options = {
        .size = sizeof options, .directed = true, .keep_loops = true};
    add_clique(&list, 0, 4, 1);
    add_clique(&list, 4, 4, 2);
    add_edge(&list, 0, 7, 1);
    add_edge(&list, 2, 2, 3);
    add_edge(&list, 0, 1, 1); /* the other direction of an edge */
    for (int weighted = 0; weighted < 2; weighted++) {
        dgm_graph *graph =
            build_graph(&options, 0, list.count, list.ends, weighted ? list.weights : NULL);
        assert_parts(graph, NULL, (const uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1}, 2);
        dgm_graph_free(graph);
    }
}

static void weights_count_where_they_are_asked_for(void **state) {
    (void)state;
    /* A ring of six: heavy edges 0-1, 2-3, 4-5; by number all edges are alike. */
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0};
    const double weights[] = {9, 1, 9, 1, 9, 1};
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    dgm_graph *graph = build_graph(NULL, 0, 6, ends, weights);
    double of_pairs;
    assert_parts(graph, NULL, (const uint32_t[]){0, 0, 1, 1, 2, 2}, 3);
    options.weighted = false;
    assert_int_equal(
        dgm_modularity(ctx, graph, (const uint32_t[]){0, 0, 1, 1, 2, 2}, 3, &options, &of_pairs),
        DGM_OK);
    assert_near(of_pairs, 0.5 - 1 / 3.0, 1e-15);
    dgm_graph_free(graph);
}

/* Nothing of weight 0 or less holds a community together. */
static void weights_below_zero_are_zero(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 4, 5};
    const double weights[] = {1, -5, 1, 0};
    dgm_graph *graph = build_graph(NULL, 0, 4, ends, weights);
    assert_parts(graph, NULL, (const uint32_t[]){0, 0, 1, 1, 2, 3}, 4);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 0, 2, ends, (const double[]){-1, 0});
    assert_parts(graph, NULL, (const uint32_t[]){0, 1, 2}, 3);
    dgm_graph_free(graph);
}

static void weights_may_be_huge_or_tiny(void **state) {
    (void)state;
    static const double scales[] = {1e-320, 5e-324, 1e-300, 1e-9, 1, 1e9, 1e300, 1.7e308};
    for (int64_t s = 0; s < COUNT(scales); s++) {
        edge_list list = {.count = 0};
        add_clique(&list, 0, 5, scales[s]);
        add_clique(&list, 5, 5, scales[s]);
        add_edge(&list, 0, 5, scales[s]);
        dgm_graph *graph = build_graph(NULL, 0, list.count, list.ends, list.weights);
        uint32_t parts[10];
        int64_t count;
        double found;
        assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
        assert_int_equal(count, 2);
        for (uint32_t u = 0; u < 10; u++)
            assert_int_equal(parts[u], u / 5);
        assert_int_equal(dgm_modularity(ctx, graph, parts, count, NULL, &found), DGM_OK);
        assert_near(found, 20 / 21.0 - 0.5, 1e-12);
        dgm_graph_free(graph);
    }
}

/* One edge outweighs all others by more digits than a number has: they hold together all the
 * same. */
static void weights_may_differ_by_any_factor(void **state) {
    (void)state;
    edge_list list = {.count = 0};
    add_edge(&list, 0, 1, 1e300);
    add_clique(&list, 2, 4, 1e-300);
    dgm_graph *graph = build_graph(NULL, 0, list.count, list.ends, list.weights);
    uint32_t parts[6];
    int64_t count;
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(count, 2);
    assert_int_equal(parts[0], 1);
    assert_int_equal(parts[1], 1);
    for (int u = 2; u < 6; u++)
        assert_int_equal(parts[u], 0);
    dgm_graph_free(graph);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    static const double resolutions[] = {0, -1, 1e-7, 2e6, NAN, INFINITY};
    dgm_graph *graph = build_cliques(2, 3, false);
    dgm_communities_options options;
    uint32_t parts[6] = {0, 0, 0, 1, 1, 2};
    int64_t count;
    double found;
    for (int64_t i = 0; i < COUNT(resolutions); i++) {
        dgm_communities_options_init(&options);
        options.resolution = resolutions[i];
        assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_ERROR_USAGE);
        ASSERT_HAS(dgm_context_error(ctx), "resolution");
        assert_int_equal(dgm_modularity(ctx, graph, parts, 3, &options, &found), DGM_ERROR_USAGE);
    }
    dgm_communities_options_init(&options);
    options.seed = -1;
    assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_ERROR_USAGE);
    dgm_communities_options_init(&options);
    options.size = 3;
    assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_ERROR_USAGE);
    assert_int_equal(count, 0);
    ASSERT_FAILS(dgm_modularity(ctx, graph, parts, 2, NULL, &found), DGM_ERROR_DATA,
                 "node 5 is in part 2, but there are 2");
    ASSERT_FAILS(dgm_modularity(ctx, graph, parts, -1, NULL, &found), DGM_ERROR_DATA,
                 "-1 is no number of parts");
    assert_int_equal(dgm_modularity(ctx, graph, parts, 100, NULL, &found), DGM_OK);
    dgm_graph_free(graph);
}

static void the_table_has_all_options(void **state) {
    (void)state;
    const dgm_option_table *table = dgm_communities_option_table();
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    assert_int_equal(table->count, 3);
    assert_int_equal(dgm_option_set(ctx, dgm_option_find(table, "resolution"), "2.5", &options),
                     DGM_OK);
    assert_int_equal(dgm_option_set(ctx, dgm_option_find(table, "weighted"), "false", &options),
                     DGM_OK);
    assert_int_equal(dgm_option_set(ctx, dgm_option_find(table, "seed"), "7", &options), DGM_OK);
    assert_near(options.resolution, 2.5, 0);
    assert_false(options.weighted);
    assert_int_equal(options.seed, 7);
}

/* ---- large enough to be moved in groups ---- */

enum { BLOCKS = 12, BLOCK = 250, LARGE = BLOCKS * BLOCK };

static dgm_graph *build_blocks(bool directed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph_options rows = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_SBM;
    options.nodes = LARGE;
    options.edges = 8 * LARGE;
    options.blocks = BLOCKS;
    rows.directed = directed;
    assert_int_equal(dgm_graph_generate(ctx, &options, &rows, &graph), DGM_OK);
    return graph;
}

static void planted_blocks_are_found(void **state) {
    (void)state;
    dgm_graph *graph = build_blocks(false);
    uint32_t *parts = malloc(LARGE * sizeof *parts);
    uint32_t *planted = malloc(LARGE * sizeof *planted);
    int64_t count;
    double found, best;
    for (int64_t u = 0; u < LARGE; u++)
        planted[u] = (uint32_t)dgm_graph_labels(graph)[u];
    assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
    assert_int_equal(count, BLOCKS);
    assert_int_equal(dgm_modularity(ctx, graph, parts, count, NULL, &found), DGM_OK);
    assert_int_equal(dgm_modularity(ctx, graph, planted, BLOCKS, NULL, &best), DGM_OK);
    assert_true(found >= best - 1e-6);
    free(parts);
    free(planted);
    dgm_graph_free(graph);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_graph *graph = build_blocks(true);
    uint32_t *first = malloc(LARGE * sizeof *first), *parts = malloc(LARGE * sizeof *parts);
    int64_t first_count, count;
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgm_communities(ctx, graph, NULL, first, &first_count), DGM_OK);
    for (int threads = 2; threads <= 8; threads++) {
        dgm_context_set_threads(ctx, threads);
        assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_OK);
        assert_int_equal(count, first_count);
        assert_memory_equal(parts, first, LARGE * sizeof *parts);
    }
    dgm_context_set_threads(ctx, 0);
    free(first);
    free(parts);
    dgm_graph_free(graph);
}

typedef struct {
    const dgm_graph *graph;
    uint32_t *parts;
} request;

static dgm_status find_communities(dgm_context *own, void *argument) {
    const request *r = argument;
    int64_t count;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgm_communities(own, r->graph, NULL, r->parts, &count);
    if (status != DGM_OK)
        assert_int_equal(count, 0);
    return status;
}

static dgm_status find_modularity(dgm_context *own, void *argument) {
    const request *r = argument;
    double found;
    dgm_context_set_threads(own, 1);
    return dgm_modularity(own, r->graph, r->parts, LARGE, NULL, &found);
}

/* Of large graphs some allocations fail, of a small one each. */
static void every_allocation_may_fail(void **state) {
    (void)state;
    uint32_t *parts = calloc(LARGE, sizeof *parts);
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = build_blocks(directed);
        request r = {graph, parts};
        fail_some_allocations(find_communities, &r, 23);
        memset(parts, 0, LARGE * sizeof *parts);
        fail_each_allocation(find_modularity, &r);
        dgm_graph_free(graph);
    }
    dgm_graph *weighted =
        build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, (const double[]){1, 2});
    request r = {weighted, parts};
    fail_each_allocation(find_communities, &r);
    dgm_graph_free(weighted);
    free(parts);
}

static void the_need_is_foreseen(void **state) {
    (void)state;
    uint32_t *parts = calloc(LARGE, sizeof *parts);
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = build_blocks(directed);
        request r = {graph, parts};
        check_memory memory = {.fail_at = 0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *own;
        assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
        assert_int_equal(find_communities(own, &r), DGM_OK);
        double need = dgmi_parts_need(graph, true), peak = (double)atomic_load(&memory.peak);
        dgm_context_free(own);
        if (need < 0.9 * peak || need > 2 * peak)
            fail_msg("%.0f bytes foreseen, %.0f taken", need, peak);
        dgm_graph_free(graph);
    }
    free(parts);
}

static bool stop_at(void *user, const char *stage, double fraction) {
    int *left = user;
    (void)fraction;
    assert_string_equal(stage, "finding communities");
    return --*left > 0;
}

static void a_run_can_be_cancelled(void **state) {
    (void)state;
    dgm_graph *graph = build_blocks(false);
    uint32_t *parts = malloc(LARGE * sizeof *parts);
    int64_t count;
    for (int reports = 1; reports < 5; reports++) {
        int left = reports;
        dgm_context_set_progress(ctx, stop_at, &left);
        assert_int_equal(dgm_communities(ctx, graph, NULL, parts, &count), DGM_ERROR_CANCELLED);
    }
    dgm_context_set_progress(ctx, NULL, NULL);
    free(parts);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cliques_with_a_bridge),
        cmocka_unit_test(a_ring_of_cliques_falls_into_its_cliques),
        cmocka_unit_test(resolution_tells_triangles_apart),
        cmocka_unit_test(a_star_is_one_community),
        cmocka_unit_test(a_path_falls_into_pieces),
        cmocka_unit_test(nothing_has_no_communities),
        cmocka_unit_test(isolated_nodes_are_communities),
        cmocka_unit_test(loops_count_twice),
        cmocka_unit_test(directions_do_not_count),
        cmocka_unit_test(weights_count_where_they_are_asked_for),
        cmocka_unit_test(weights_below_zero_are_zero),
        cmocka_unit_test(weights_may_be_huge_or_tiny),
        cmocka_unit_test(weights_may_differ_by_any_factor),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(the_table_has_all_options),
        cmocka_unit_test(planted_blocks_are_found),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_need_is_foreseen),
        cmocka_unit_test(a_run_can_be_cancelled),
    };
    return RUN_WITH_CONTEXT(tests);
}
