/* SPDX-License-Identifier: Apache-2.0 */
/* PageRank against systems solved by hand; a is the chance of following an edge. */
#include "unit_fixture.h"

#include <math.h>

enum { MOST = 64 };

static void rank(const dgm_graph *graph, const dgm_pagerank_options *options, double *ranks) {
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, options, &lens), DGM_OK);
    int64_t n = dgm_matrix_rows(lens);
    double sum = 0;
    assert_int_equal(n, dgm_graph_nodes(graph));
    assert_int_equal(dgm_matrix_columns(lens), 1);
    assert_string_equal(dgm_matrix_column_name(lens, 0), "pagerank");
    for (int64_t i = 0; i < n; i++)
        sum += ranks[i] = dgm_matrix_values(lens)[i];
    assert_near(sum, 1, 1e-12);
    dgm_matrix_free(lens);
}

static dgm_graph *star(int64_t leaves) {
    uint32_t ends[2 * MOST];
    for (int64_t i = 0; i < leaves; i++) {
        ends[2 * i] = 0;
        ends[2 * i + 1] = (uint32_t)i + 1;
    }
    return build_graph(NULL, 0, leaves, ends, NULL);
}

/* c = b + a k l, l = b + a c / k, b = (1 - a) / (k + 1): c = (1 + a k) / ((k + 1) (1 + a)). */
static void a_star_has_its_closed_form(void **state) {
    (void)state;
    static const double alphas[] = {0, 0.5, 0.85, 0.99};
    for (int64_t leaves = 1; leaves <= 40; leaves += 13)
        for (int64_t i = 0; i < COUNT(alphas); i++) {
            double a = alphas[i], k = (double)leaves, ranks[MOST];
            double centre = (1 + a * k) / ((k + 1) * (1 + a));
            const dgm_pagerank_options options = {
                sizeof(dgm_pagerank_options), a, 1e-12, 100000, false, NULL};
            dgm_graph *graph = star(leaves);
            rank(graph, &options, ranks);
            assert_near(ranks[0], centre, 1e-9);
            for (int64_t leaf = 1; leaf <= leaves; leaf++)
                assert_near(ranks[leaf], (1 - centre) / k, 1e-9);
            dgm_graph_free(graph);
        }
}

/* The path of three is a star of two leaves: (1 + 1.7) / (3 * 1.85) = 18/37, and half of 19/37. */
static void a_path_of_three_is_18_37ths_in_the_middle(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    double ranks[3];
    rank(graph, NULL, ranks);
    assert_near(ranks[1], 18.0 / 37, 1e-10);
    assert_near(ranks[0], 9.5 / 37, 1e-10);
    assert_near(ranks[2], 9.5 / 37, 1e-10);
    dgm_graph_free(graph);
}

static void regular_graphs_are_uniform(void **state) {
    (void)state;
    uint32_t ends[2 * MOST * MOST];
    double ranks[MOST];
    int64_t count = 0;
    for (uint32_t u = 0; u < 10; u++, count++) {
        ends[2 * count] = u;
        ends[2 * count + 1] = (u + 1) % 10;
    }
    dgm_graph *cycle = build_graph(NULL, 0, count, ends, NULL);
    rank(cycle, NULL, ranks);
    for (int u = 0; u < 10; u++)
        assert_near(ranks[u], 0.1, 1e-15);
    dgm_graph_free(cycle);
    count = 0;
    for (uint32_t u = 0; u < 9; u++)
        for (uint32_t v = 0; v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
    dgm_graph *complete = build_graph(NULL, 0, count, ends, NULL);
    rank(complete, NULL, ranks);
    for (int u = 0; u < 9; u++)
        assert_near(ranks[u], 1.0 / 9, 1e-15);
    dgm_graph_free(complete);
}

/* 0 -> 1, and 1 gives to both alike: x0 = (1 - a) / 2 + a x1 / 2 with x1 = 1 - x0, so x0 = 1 / (2 +
 * a). */
static void a_dangling_node_spreads_to_all(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&directed, 0, 1, (const uint32_t[]){0, 1}, NULL);
    double ranks[2];
    rank(graph, NULL, ranks);
    assert_near(ranks[0], 1 / 2.85, 1e-10);
    assert_near(ranks[1], 1.85 / 2.85, 1e-10);
    dgm_graph_free(graph);
}

/* 0 -> 1 -> 2 -> 0 and 0 -> 2: x0 = b + a x2, x1 = b + a x0 / 2, x2 = b + a (x0 / 2 + x1), b = (1 -
 * a) / 3. */
static void directions_are_followed(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 0, 2};
    dgm_graph *graph = build_graph(&directed, 0, 4, ends, NULL);
    double ranks[3], a = 0.85, b = (1 - a) / 3;
    /* x2 = b + a x0 / 2 + a b + a^2 x0 / 2, put into x0 = b + a x2: */
    double x0 = b * (1 + a + a * a) / (1 - a * a / 2 - a * a * a / 2);
    rank(graph, NULL, ranks);
    assert_near(ranks[0], x0, 1e-10);
    assert_near(ranks[1], b + a * x0 / 2, 1e-10);
    assert_near(ranks[2], b + a * x0 / 2 + a * b + a * a * x0 / 2, 1e-10);
    dgm_graph_free(graph);
}

static void a_node_without_edges_is_dangling_too(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 5, 0, NULL, NULL);
    double ranks[5];
    rank(graph, NULL, ranks);
    for (int u = 0; u < 5; u++)
        assert_near(ranks[u], 0.2, 1e-15);
    dgm_graph_free(graph);
    /* An edge and a lone node z: z = (1 - a) / 3 + a z / 3 = (1 - a) / (3 - a). */
    graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    rank(graph, NULL, ranks);
    assert_near(ranks[2], 0.15 / 2.15, 1e-10);
    assert_near(ranks[0], 1 / 2.15, 1e-10);
    dgm_graph_free(graph);
}

/* Weights 3 and 1: x1 = b (1 + 2a) / (1 - a^2), x0 = b + 3/4 a x1, x2 = b + 1/4 a x1. */
static void weights_count_only_where_they_are_asked_to(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    const double weights[] = {3, 1};
    dgm_graph *graph = build_graph(NULL, 0, 2, ends, weights);
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    double ranks[3], a = 0.85, b = (1 - a) / 3, x1 = b * (1 + 2 * a) / (1 - a * a);
    options.weighted = true;
    rank(graph, &options, ranks);
    assert_near(ranks[1], x1, 1e-10);
    assert_near(ranks[0], b + 0.75 * a * x1, 1e-10);
    assert_near(ranks[2], b + 0.25 * a * x1, 1e-10);
    rank(graph, NULL, ranks);
    assert_near(ranks[0], 9.5 / 37, 1e-10);
    dgm_graph_free(graph);
}

static void an_edge_of_no_weight_is_none(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&directed, 0, 1, (const uint32_t[]){0, 1}, (const double[]){0});
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    double ranks[2];
    options.weighted = true;
    rank(graph, &options, ranks); /* both dangle */
    assert_near(ranks[0], 0.5, 1e-15);
    dgm_graph_free(graph);
}

static void negative_weights_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){-2.5});
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    dgm_matrix *lens;
    options.weighted = true;
    ASSERT_FAILS(
        dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_DATA,
        "weighted PageRank needs finite weights of at least 0; an edge of node 0 weighs -2.5");
    assert_null(lens);
    dgm_graph_free(graph);
}

static void too_few_steps_are_an_error_that_says_so(void **state) {
    (void)state;
    /* A path of six: conjugate gradients need as many steps as there are different eigenvalues. */
    dgm_graph *graph =
        build_graph(NULL, 0, 5, (const uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, NULL);
    const dgm_pagerank_options options = {
        sizeof(dgm_pagerank_options), 0.85, 1e-10, 2, false, NULL};
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "in 2 steps; raise iterations or tolerance");
    assert_null(lens);
    dgm_graph_free(graph);
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = build_graph(&directed, 0, 3, (const uint32_t[]){0, 1, 1, 2, 2, 1}, NULL);
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "in 2 steps; raise iterations or tolerance");
    assert_null(lens);
    dgm_graph_free(graph);
}

/* Restarts at one end of an edge: x = (1 - a) + a y, y = a x, so x = 1 / (1 + a). */
static void seeds_are_where_walks_restart(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    double ranks[3];
    options.seeds = "1";
    rank(graph, &options, ranks);
    assert_near(ranks[1], 1 / 1.85, 1e-10);
    assert_near(ranks[0], 0.85 / 1.85, 1e-10);
    assert_true(ranks[2] == 0);
    options.seeds = "1;2";
    rank(graph, &options, ranks);
    assert_near(ranks[0] / ranks[1], 0.85, 1e-9);
    /* The lone node gives all it gets back to the restarts. */
    assert_near(ranks[2], ranks[1] * (1 - 0.85 * 0.85), 1e-9);
    double again[3];
    options.seeds = "1,2";
    rank(graph, &options, again);
    assert_memory_equal(again, ranks, sizeof ranks);
    dgm_matrix *lens;
    options.seeds = "1;7";
    ASSERT_FAILS(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_DATA,
                 "the graph has no node '7' for PageRank's seeds");
    options.seeds = "";
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

/* A name may hold a comma, which parts names only where no node is called by the whole. */
static void seeds_are_found_by_names_with_commas(void **state) {
    (void)state;
    static const char *const names[] = {"x,y", "x", "y", "z"};
    static const struct {
        const char *seeds;
        double share[4]; /* of the restarts */
    } cases[] = {{"x,y", {1, 0, 0, 0}},
                 {"x,y;z", {0.5, 0, 0, 0.5}},
                 {"z;x,y", {0.5, 0, 0, 0.5}},
                 {"x,z", {0, 0.5, 0, 0.5}},
                 {"y,x,z;y", {0, 0.25, 0.5, 0.25}},
                 {"z;z;x", {0, 1 / 3.0, 0, 2 / 3.0}}};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int u = 0; u < 4; u++) {
        uint32_t node;
        assert_int_equal(dgm_graph_builder_node(builder, names[u], strlen(names[u]), &node),
                         DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    for (int64_t k = 0; k < COUNT(cases); k++) {
        dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
        double ranks[4];
        options.seeds = cases[k].seeds;
        rank(graph, &options, ranks); /* without edges walks are where they restart */
        for (int u = 0; u < 4; u++)
            assert_near(ranks[u], cases[k].share[u], 1e-12);
    }
    dgm_graph_free(graph);
}

static void options_out_of_bounds_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = star(2);
    dgm_matrix *lens;
    static const struct {
        double alpha, tolerance;
        int64_t iterations;
    } bad[] = {{1, 1e-10, 1000},
               {-0.1, 1e-10, 1000},
               {NAN, 1e-10, 1000},
               {0.85, 0, 1000},
               {0.85, 1e-10, 0}};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
        options.alpha = bad[i].alpha;
        options.tolerance = bad[i].tolerance;
        options.iterations = bad[i].iterations;
        assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
        assert_null(lens);
    }
    dgm_graph_free(graph);
}

static void an_empty_graph_has_an_empty_rank(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &lens), DGM_OK);
    assert_int_equal(dgm_matrix_rows(lens), 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void ranks_are_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph;
    dgm_matrix *one, *other;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = 1 << 14; /* four chunks */
    options.edges = 40000;
    assert_int_equal(dgm_graph_generate(ctx, &options, &directed, &graph), DGM_OK);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &one), DGM_OK);
    dgm_context_set_threads(ctx, 5);
    assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &other), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(dgm_matrix_values(one), dgm_matrix_values(other),
                        (size_t)dgm_matrix_rows(one) * sizeof(double));
    dgm_matrix_free(one);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

/* Conjugate gradients need as many steps as there are different eigenvalues in what they look for:
 * on a star with its restarts everywhere, two. As many as are needed are enough. */
static void exactly_as_many_steps_as_are_needed_are_enough(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, (const uint32_t[]){0, 1, 0, 2, 0, 3}, NULL);
    dgm_pagerank_options options = DGM_PAGERANK_OPTIONS_INIT;
    dgm_matrix *lens;
    options.tolerance = 1e-10;
    options.iterations = 2;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_OK);
    dgm_matrix_free(lens);
    options.iterations = 1;
    assert_int_equal(dgm_lens_pagerank(ctx, graph, &options, &lens), DGM_ERROR_DATA);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_has_its_closed_form),
        cmocka_unit_test(a_path_of_three_is_18_37ths_in_the_middle),
        cmocka_unit_test(regular_graphs_are_uniform),
        cmocka_unit_test(a_dangling_node_spreads_to_all),
        cmocka_unit_test(directions_are_followed),
        cmocka_unit_test(a_node_without_edges_is_dangling_too),
        cmocka_unit_test(weights_count_only_where_they_are_asked_to),
        cmocka_unit_test(an_edge_of_no_weight_is_none),
        cmocka_unit_test(negative_weights_are_refused),
        cmocka_unit_test(too_few_steps_are_an_error_that_says_so),
        cmocka_unit_test(seeds_are_where_walks_restart),
        cmocka_unit_test(seeds_are_found_by_names_with_commas),
        cmocka_unit_test(options_out_of_bounds_are_refused),
        cmocka_unit_test(an_empty_graph_has_an_empty_rank),
        cmocka_unit_test(ranks_are_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(exactly_as_many_steps_as_are_needed_are_enough),
    };
    return RUN_WITH_CONTEXT(tests);
}
