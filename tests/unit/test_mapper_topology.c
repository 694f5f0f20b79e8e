/* SPDX-License-Identifier: Apache-2.0 */
/* Betti numbers of nerves that are known. A node of a soft assignment lies in the clusters where
 * its row is positive, so each node is a simplex, and any complex can be written down by its
 * simplices. */
#include "mapper_sample.h"
#include "unit_progress.h"

enum { MOST_VERTICES = 600, MOST_SIMPLICES = 64 };

typedef struct {
    int64_t b0, b1, triangles, skeleton_loops;
} shape;

/* The nerve whose simplices are given as words, a letter a vertex. */
static shape shape_of(int64_t vertices, int64_t count, const char *const *simplices,
                      const dgm_mapper_options *wanted) {
    static double values[MOST_SIMPLICES * 26];
    memset(values, 0, sizeof values);
    for (int64_t i = 0; i < count; i++)
        for (const char *letter = simplices[i]; *letter; letter++)
            values[i * vertices + *letter - 'a'] = 1;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    if (wanted)
        options = *wanted;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_graph *graph = build_graph(NULL, count, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, vertices, values, &options);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return (shape){topology.b0, topology.b1, topology.triangles, topology.skeleton_loops};
}

#define ASSERT_SHAPE(vertices, want_b0, want_b1, want_triangles, want_loops, ...)                  \
    do {                                                                                           \
        static const char *const simplices[] = {__VA_ARGS__};                                      \
        shape found = shape_of(vertices, COUNT(simplices), simplices, NULL);                       \
        assert_int_equal(found.b0, want_b0);                                                       \
        assert_int_equal(found.b1, want_b1);                                                       \
        assert_int_equal(found.triangles, want_triangles);                                         \
        assert_int_equal(found.skeleton_loops, want_loops);                                        \
    } while (0)

static void points_and_edges_have_no_loops(void **state) {
    (void)state;
    ASSERT_SHAPE(1, 1, 0, 0, 0, "a");
    ASSERT_SHAPE(3, 3, 0, 0, 0, "a", "b", "c");
    ASSERT_SHAPE(3, 2, 0, 0, 0, "ab", "c");
    ASSERT_SHAPE(4, 1, 0, 0, 0, "ab", "bc", "bd");
}

static void a_circle_has_one_loop(void **state) {
    (void)state;
    ASSERT_SHAPE(3, 1, 1, 0, 1, "ab", "bc", "ca");
    ASSERT_SHAPE(6, 1, 1, 0, 1, "ab", "bc", "cd", "de", "ef", "fa");
}

static void a_filled_triangle_has_none(void **state) {
    (void)state;
    ASSERT_SHAPE(3, 1, 0, 1, 1, "abc");
    ASSERT_SHAPE(3, 1, 0, 1, 1, "ab", "bc", "ca", "abc", "abc");
    ASSERT_SHAPE(4, 1, 1, 1, 2, "abc", "cd", "da"); /* a hole beside it */
}

static void two_circles_are_two_loops_apart_or_joined(void **state) {
    (void)state;
    ASSERT_SHAPE(6, 2, 2, 0, 2, "ab", "bc", "ca", "de", "ef", "fd");
    ASSERT_SHAPE(5, 1, 2, 0, 2, "ab", "bc", "ca", "ad", "de", "ea");
}

static void an_annulus_has_one_loop(void **state) {
    (void)state;
    ASSERT_SHAPE(6, 1, 1, 6, 7, "abd", "bde", "bce", "cef", "caf", "afd");
}

/* Spheres: every loop bounds, and no edge is free, so columns must be reduced. */
static void spheres_have_no_loops(void **state) {
    (void)state;
    ASSERT_SHAPE(4, 1, 0, 4, 3, "abc", "abd", "acd", "bcd");
    ASSERT_SHAPE(4, 1, 0, 4, 3, "abcd");
    ASSERT_SHAPE(6, 1, 0, 8, 7, "abc", "acd", "ade", "aeb", "fbc", "fcd", "fde", "feb");
}

/* The torus on seven vertices: i, i + 1, i + 3 and i, i + 2, i + 3 mod 7; 21 edges, 14 triangles.
 */
static void the_torus_of_seven_vertices_has_two_loops(void **state) {
    (void)state;
    ASSERT_SHAPE(7, 1, 2, 14, 15, "abd", "bce", "cdf", "deg", "efa", "fgb", "gac", "acd", "bde",
                 "cef", "dfg", "ega", "fab", "gbc");
}

/* The projective plane on six vertices: one loop mod 2, none over the rationals. */
static void the_projective_plane_has_one_loop_mod_2(void **state) {
    (void)state;
    ASSERT_SHAPE(6, 1, 1, 10, 10, "abc", "acd", "ade", "aef", "afb", "bce", "cdf", "deb", "efc",
                 "fbd");
}

static void simplices_of_high_dimension_are_solid(void **state) {
    (void)state;
    ASSERT_SHAPE(8, 1, 0, 56, 21, "abcdefgh");
    /* two solid tetrahedra that share an edge, and a strip that closes a loop */
    ASSERT_SHAPE(7, 1, 1, 8, 7, "abcd", "cdef", "ag", "gf");
    /* a circle of three tetrahedra, joined in points */
    ASSERT_SHAPE(9, 1, 1, 12, 10, "abcd", "defg", "ghia");
}

static void dropped_clusters_leave_the_nerve(void **state) {
    (void)state;
    static const char *const square[] = {"ab", "bc", "cd", "da", "ab", "bc", "cd"};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    shape whole = shape_of(4, COUNT(square), square, &options);
    assert_int_equal(whole.b1, 1);
    options.min_size = 4; /* sizes: a 3, b 4, c 4, d 3 */
    shape kept = shape_of(4, COUNT(square), square, &options);
    assert_int_equal(kept.b0, 1);
    assert_int_equal(kept.b1, 0);
    assert_int_equal(kept.skeleton_loops, 0);
    static const char *const parts[] = {"ab", "bc", "ca", "d", "e"};
    options.min_size = 1;
    options.min_component = 2;
    kept = shape_of(5, COUNT(parts), parts, &options);
    assert_int_equal(kept.b0, 1);
    assert_int_equal(kept.b1, 1);
}

/* Over 20 million triples in one simplex: triangles are not listed (-1), the loops are counted all
 * the same. */
static void one_simplex_of_600_clusters_is_solid(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.rule = DGM_RULE_KEPLER;
    options.intervals[0] = MOST_VERTICES;
    options.overlap[0] = 1;
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 1}, &options);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    assert_int_equal(dgm_summary_get_clusters(summary).count, MOST_VERTICES);
    assert_int_equal(topology.b0, 1);
    assert_int_equal(topology.b1, 0);
    assert_int_equal(topology.triangles, -1);
    assert_int_equal(topology.skeleton_loops, (MOST_VERTICES - 1) * (MOST_VERTICES - 2) / 2);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* 494 clusters have 19970444 triples, and 495 have 20092270: the limit is 20 million. */
static void triangles_are_counted_up_to_the_limit(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    static double values[495];
    for (int i = 0; i < 495; i++)
        values[i] = 1;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    for (int64_t clusters = 494; clusters <= 495; clusters++) {
        dgm_summary *summary = map_graph(graph, clusters, values, &options);
        dgm_summary_topology topology = dgm_summary_get_topology(summary);
        assert_int_equal(topology.triangles, clusters == 494 ? 19970444 : -1);
        assert_int_equal(topology.b1, 0);
        dgm_summary_free(summary);
    }
    dgm_graph_free(graph);
}

/* ---- nerves of covers of graphs ---- */

/* A cycle over a lens that goes up and comes down: each cell but the outer ones holds two arcs. */
static void a_cycle_seen_from_its_height_is_a_circle(void **state) {
    (void)state;
    enum { NODES = 40 };
    uint32_t ends[2 * NODES];
    double values[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % NODES;
        values[i] = i <= NODES / 2 ? i : NODES - i;
    }
    dgm_graph *graph = build_graph(NULL, 0, NODES, ends, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 4;
    options.overlap[0] = 0.3;
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    assert_int_equal(dgm_summary_get_clusters(summary).count, 6);
    assert_int_equal(topology.b0, 1);
    assert_int_equal(topology.b1, 1);
    assert_int_equal(topology.triangles, 0);
    assert_int_equal(topology.cycle_rank, 1);
    dgm_summary_free(summary);
    /* Without overlap nothing is shared, but the graph's edges close the circle. */
    options.overlap[0] = 0;
    options.edges = DGM_EDGES_STRUCTURAL;
    summary = map_graph(graph, 1, values, &options);
    topology = dgm_summary_get_topology(summary);
    assert_int_equal(topology.b0, 6);
    assert_int_equal(topology.b1, 0);
    assert_int_equal(topology.cycle_rank, 1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* A filled square seen by its own coordinates: corners of four cells make loops in the 1-skeleton
 * that are no holes. */
static void a_filled_grid_has_no_hole(void **state) {
    (void)state;
    enum { SIDE = 13 };
    dgm_generate_options generate = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    double values[2 * SIDE * SIDE];
    generate.kind = DGM_GENERATE_GRID;
    generate.nodes = SIDE * SIDE;
    assert_int_equal(dgm_graph_generate(ctx, &generate, NULL, &graph), DGM_OK);
    for (int i = 0; i < SIDE * SIDE; i++) {
        values[2 * i] = i % SIDE;
        values[2 * i + 1] = (double)i / SIDE - (double)(i % SIDE) / SIDE;
    }
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.overlap[0] = 0.4;
    dgm_summary *summary = map_graph(graph, 2, values, &options);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    assert_int_equal(dgm_summary_get_clusters(summary).count, 9);
    assert_int_equal(topology.b0, 1);
    assert_int_equal(topology.b1, 0);
    assert_int_equal(topology.skeleton_loops, 20 - 9 + 1); /* 12 sides and 8 diagonals */
    assert_int_equal(topology.triangles, 16);              /* four a corner */
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* A thousand triangles lie between two reports, so that the few of a torus are told of once. */
static void counting_loops_says_that_it_begins(void **state) {
    (void)state;
    hear_progress();
    the_torus_of_seven_vertices_has_two_loops(state);
    hear_no_more();
    assert_int_equal(reports_of("counting loops"), 1);
    assert_stages_rise();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_and_edges_have_no_loops),
        cmocka_unit_test(a_circle_has_one_loop),
        cmocka_unit_test(a_filled_triangle_has_none),
        cmocka_unit_test(two_circles_are_two_loops_apart_or_joined),
        cmocka_unit_test(an_annulus_has_one_loop),
        cmocka_unit_test(spheres_have_no_loops),
        cmocka_unit_test(the_torus_of_seven_vertices_has_two_loops),
        cmocka_unit_test(the_projective_plane_has_one_loop_mod_2),
        cmocka_unit_test(simplices_of_high_dimension_are_solid),
        cmocka_unit_test(dropped_clusters_leave_the_nerve),
        cmocka_unit_test(one_simplex_of_600_clusters_is_solid),
        cmocka_unit_test(triangles_are_counted_up_to_the_limit),
        cmocka_unit_test(a_cycle_seen_from_its_height_is_a_circle),
        cmocka_unit_test(a_filled_grid_has_no_hole),
        cmocka_unit_test(counting_loops_says_that_it_begins),
    };
    return RUN_WITH_CONTEXT(tests);
}
