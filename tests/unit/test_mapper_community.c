/* SPDX-License-Identifier: Apache-2.0 */
/* Communities inside a preimage; a constant lens makes the whole graph one. */
#include "mapper_sample.h"

enum { MOST_NODES = 64, MOST_EDGES = 400 };

static dgm_summary *map_whole(const dgm_graph *graph, int cluster, int64_t seed) {
    static const double values[MOST_NODES];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = cluster;
    options.seed = seed;
    return map_graph(graph, 1, values, &options);
}

static void assert_communities(const dgm_graph *graph, int cluster, const char *expected) {
    for (int64_t seed = 1; seed <= 10; seed++) {
        dgm_summary *summary = map_whole(graph, cluster, seed);
        assert_clusters(summary, expected);
        dgm_summary_free(summary);
    }
}

/* `count` cliques of `size` nodes in a row, one edge between neighbours, and round the ring if
 * there are three. */
static dgm_graph *cliques(uint32_t count, uint32_t size) {
    uint32_t ends[2 * MOST_EDGES];
    int64_t edges = 0;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t i = 0; i < size; i++)
            for (uint32_t j = 0; j < i; j++, edges++) {
                ends[2 * edges] = c * size + i;
                ends[2 * edges + 1] = c * size + j;
            }
        if (c + 1 < count || count > 2) {
            ends[2 * edges] = c * size;
            ends[2 * edges++ + 1] = (c + 1) % count * size + 1;
        }
    }
    return build_graph(NULL, 0, edges, ends, NULL);
}

static void two_cliques_with_a_bridge_are_two_communities(void **state) {
    (void)state;
    dgm_graph *graph = cliques(2, 5);
    assert_communities(graph, DGM_CLUSTER_COMPONENTS, "0 1 2 3 4 5 6 7 8 9");
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0 1 2 3 4|5 6 7 8 9");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0 1 2 3 4|5 6 7 8 9");
    dgm_graph_free(graph);
}

/* Modularity of 8 cliques of 5: 8 (10/88 - (22/176)^2) = 0.784; merged by pairs 0.705. */
static void a_ring_of_cliques_falls_into_its_cliques(void **state) {
    (void)state;
    dgm_graph *graph = cliques(8, 5);
    assert_communities(graph, DGM_CLUSTER_LOUVAIN,
                       "0 1 2 3 4|5 6 7 8 9|10 11 12 13 14|15 16 17 18 19|20 21 22 23 24|"
                       "25 26 27 28 29|30 31 32 33 34|35 36 37 38 39");
    dgm_graph_free(graph);
}

/* 20 triangles in a ring, 80 edges: modularity 20 (3/80 - (8/160)^2) = 0.7 for triangles alone, 10
 * (7/80 - (16/160)^2) = 0.775 by pairs (the resolution limit), so merged nodes of the second level
 * must move too. */
static void a_ring_of_triangles_is_merged_further(void **state) {
    (void)state;
    uint32_t ends[2 * MOST_EDGES];
    int64_t edges = 0;
    enum { RING = 20 };
    for (uint32_t c = 0; c < RING; c++) {
        const uint32_t links[] = {3 * c, 3 * c + 1, 3 * c + 1,        3 * c + 2,
                                  3 * c, 3 * c + 2, (3 * c + 2) % 60, (3 * c + 3) % 60};
        memcpy(ends + 2 * edges, links, sizeof links);
        edges += 4;
    }
    dgm_graph *graph = build_graph(NULL, 0, edges, ends, NULL);
    for (int64_t seed = 1; seed <= 5; seed++) {
        dgm_summary *summary = map_whole(graph, DGM_CLUSTER_LOUVAIN, seed);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        assert_true(clusters.count >= 5 && clusters.count <= 12);
        dgm_summary_free(summary);
    }
    dgm_graph_free(graph);
}

static void nodes_without_edges_stay_alone(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 5, 1, (const uint32_t[]){1, 3}, NULL);
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0|1 3|2|4");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0|1 3|2|4");
    dgm_graph_free(graph);
    graph = build_graph(NULL, 3, 0, NULL, NULL);
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0|1|2");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0|1|2");
    dgm_graph_free(graph);
}

/* A square whose opposite sides are heavy. */
static const uint32_t square[] = {0, 1, 1, 2, 2, 3, 3, 0};

static void weights_decide_where_a_square_is_cut(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 4, square, (const double[]){10, 0.1, 10, 0.1});
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0 1|2 3");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0 1|2 3");
    dgm_graph_free(graph);
    graph = build_graph(NULL, 0, 4, square, (const double[]){0.1, 10, 0.1, 10});
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0 3|1 2");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0 3|1 2");
    dgm_graph_free(graph);
}

static void directed_edges_count_both_ways(void **state) {
    (void)state;
    const dgm_graph_options directed = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    const uint32_t arcs[] = {0, 1, 1, 2, 2, 3, 3, 0, 2, 2}; /* a loop changes nothing */
    dgm_graph *graph = build_graph(&directed, 0, 5, arcs, (const double[]){10, 0.1, 10, 0.1, 50});
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0 1|2 3");
    assert_communities(graph, DGM_CLUSTER_LABELPROP, "0 1|2 3");
    dgm_graph_free(graph);
}

static void weights_below_zero_do_not_attract(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 4, square, (const double[]){1, -9, 1, -9});
    assert_communities(graph, DGM_CLUSTER_LOUVAIN, "0 1|2 3");
    dgm_graph_free(graph);
}

/* Communities stay inside their cell: each half of a clique is its own. */
static void a_community_ends_with_its_cell(void **state) {
    (void)state;
    dgm_graph *graph = cliques(1, 6);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0;
    static const int kinds[] = {DGM_CLUSTER_LOUVAIN, DGM_CLUSTER_LABELPROP};
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        options.cluster = kinds[k];
        dgm_summary *summary = map_graph(graph, 1, (const double[]){1, 0, 1, 0, 1, 0}, &options);
        assert_clusters(summary, "1 3 5|0 2 4");
        dgm_summary_free(summary);
    }
    dgm_graph_free(graph);
}

static void a_seed_decides_whatever_the_threads(void **state) {
    (void)state;
    dgm_generate_options generate = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    generate.kind = DGM_GENERATE_WS;
    generate.nodes = MOST_NODES;
    generate.edges = 2 * MOST_NODES;
    assert_int_equal(dgm_graph_generate(ctx, &generate, NULL, &graph), DGM_OK);
    static const int kinds[] = {DGM_CLUSTER_LOUVAIN, DGM_CLUSTER_LABELPROP};
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        dgm_context_set_threads(ctx, 1);
        dgm_summary *one = map_whole(graph, kinds[k], 3);
        dgm_context_set_threads(ctx, 4);
        dgm_summary *other = map_whole(graph, kinds[k], 3);
        dgm_context_set_threads(ctx, 0);
        dgm_summary_clusters a = dgm_summary_get_clusters(one), b = dgm_summary_get_clusters(other);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.offsets, b.offsets, (size_t)(a.count + 1) * sizeof *a.offsets);
        assert_memory_equal(a.members, b.members, (size_t)a.offsets[a.count] * sizeof *a.members);
        dgm_summary_free(one);
        dgm_summary_free(other);
    }
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cliques_with_a_bridge_are_two_communities),
        cmocka_unit_test(a_ring_of_cliques_falls_into_its_cliques),
        cmocka_unit_test(a_ring_of_triangles_is_merged_further),
        cmocka_unit_test(nodes_without_edges_stay_alone),
        cmocka_unit_test(weights_decide_where_a_square_is_cut),
        cmocka_unit_test(directed_edges_count_both_ways),
        cmocka_unit_test(weights_below_zero_do_not_attract),
        cmocka_unit_test(a_community_ends_with_its_cell),
        cmocka_unit_test(a_seed_decides_whatever_the_threads),
    };
    return RUN_WITH_CONTEXT(tests);
}
