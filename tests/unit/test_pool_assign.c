/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings that the graph alone decides, worked out by hand. */
#include "unit_fixture.h"

#include <math.h>

#include "pool_assign.h"

/* S as a matrix, and S'AS. */
typedef struct pooled {
    int64_t clusters;
    double s[8][8], a[8][8];
} pooled;

static dgm_membership *assign(const char *pool, const dgmi_pool_subject *subject) {
    dgmi_pool_request request;
    dgm_membership *membership;
    assert_int_equal(dgmi_pool_parse(ctx, pool, &request), DGM_OK);
    if (dgmi_pool_assign(ctx, &request, subject, &membership) != DGM_OK)
        fail_msg("%s: %s", pool, dgm_context_error(ctx));
    return membership;
}

static pooled pool_graph(const char *pool, const dgm_graph *graph, int64_t clusters) {
    const dgmi_pool_subject subject = {.graph = graph, .clusters = clusters, .seed = 1};
    dgmi_pool_request request;
    dgm_graph *coarse;
    pooled out = {0};
    dgm_membership *membership = assign(pool, &subject);
    assert_int_equal(dgmi_pool_parse(ctx, pool, &request), DGM_OK);
    assert_int_equal(dgmi_pool_coarsen(ctx, &request, graph, membership, &coarse), DGM_OK);
    dgm_membership_rows s = dgm_membership_get_rows(membership);
    dgm_graph_rows a = dgm_graph_get_rows(coarse);
    out.clusters = s.clusters;
    assert_int_equal(a.nodes, s.clusters);
    assert_true(s.nodes <= 8 && s.clusters <= 8);
    for (int64_t u = 0; u < s.nodes; u++)
        for (int64_t i = s.offsets[u]; i < s.offsets[u + 1]; i++)
            out.s[u][s.columns[i]] = s.values[i];
    for (int64_t c = 0; c < a.nodes; c++)
        for (int64_t e = a.offsets[c]; e < a.offsets[c + 1]; e++)
            out.a[c][a.targets[e]] = a.weights ? a.weights[e] : 1;
    dgm_graph_free(coarse);
    dgm_membership_free(membership);
    return out;
}

static void assert_table(double table[8][8], int64_t rows, int64_t columns,
                         const double *expected) {
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            assert_near(table[i][j], expected[i * columns + j], 1e-12);
}

/* ---- MPR ---- */

/* Node 0 joins 1, 2 and 3, and 3 joins 4: the degrees are 3, 1, 1, 2, 1. */
static dgm_graph *make_broom(void) {
    return build_graph(NULL, 5, 4, (const uint32_t[]){0, 1, 0, 2, 0, 3, 3, 4}, NULL);
}

#define BROOM "mpr:lens=degree,overlap=0.5"

/* Degrees scaled to [0, 1] are 1, 0, 0, 1/2, 0. The cells are [0, 2/3) and [1/3, 1], so that node 3
 * is in both. */
static void a_node_in_two_cells_is_split(void **state) {
    (void)state;
    dgm_graph *broom = make_broom();
    pooled paper = pool_graph(BROOM, broom, 2);
    assert_int_equal(paper.clusters, 2);
    assert_table(paper.s, 5, 2, (const double[]){0, 1, 1, 0, 1, 0, 0.5, 0.5, 1, 0});
    assert_table(paper.a, 2, 2, (const double[]){1, 3, 3, 1});
    dgm_graph_free(broom);
}

static void in_february_2020_it_was_in_both(void **state) {
    (void)state;
    dgm_graph *broom = make_broom();
    pooled whole = pool_graph(BROOM ",variant=feb2020", broom, 2);
    assert_table(whole.s, 5, 2, (const double[]){0, 1, 1, 0, 1, 0, 1, 1, 1, 0});
    assert_table(whole.a, 2, 2, (const double[]){2, 4, 4, 2});
    dgm_graph_free(broom);
}

/* Three cells, of which the degrees meet all; then four, of which one stays empty and counts. */
static void the_newest_has_no_zeros_and_a_complete_graph(void **state) {
    (void)state;
    dgm_graph *broom = make_broom();
    double e = exp(1);
    pooled soft = pool_graph(BROOM ",variant=newest", broom, 2);
    assert_near(soft.s[0][0], 1 / (1 + e), 1e-12);
    assert_near(soft.s[0][1], e / (1 + e), 1e-12);
    assert_near(soft.s[3][0], 0.5, 1e-12);
    assert_table(soft.a, 2, 2, (const double[]){0, 1, 1, 0});
    soft = pool_graph("mpr:lens=degree,overlap=0,variant=newest", broom, 4);
    assert_int_equal(soft.clusters, 4);
    for (int u = 0; u < 5; u++) {
        double sum = 0;
        for (int c = 0; c < 4; c++)
            sum += soft.s[u][c];
        assert_near(sum, 1, 1e-12);
        assert_near(soft.s[u][3], 1 / (3 + e), 1e-12); /* the cell without nodes */
    }
    for (int c = 0; c < 16; c++)
        assert_true(soft.a[c / 4][c % 4] == (c / 4 != c % 4));
    dgm_graph_free(broom);
}

/* On a ring all nodes are alike: one cell, whose self-loop weighs all edges twice. */
static void nodes_that_are_alike_are_one_cluster(void **state) {
    (void)state;
    dgm_graph *ring =
        build_graph(NULL, 5, 5, (const uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4, 4, 0}, NULL);
    pooled one = pool_graph("mpr", ring, 8);
    assert_int_equal(one.clusters, 1);
    assert_table(one.s, 5, 1, (const double[]){1, 1, 1, 1, 1});
    assert_table(one.a, 1, 1, (const double[]){10});
    dgm_graph_free(ring);
}

/* The path 0-1-2 with the weights 1 and 9: node 2 is nearly as high as node 1. Without weights it is
 * as low as node 0. */
static void pagerank_follows_the_weights(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    dgm_graph *heavy = build_graph(NULL, 3, 2, ends, (const double[]){1, 9});
    dgm_graph *plain = build_graph(NULL, 3, 2, ends, NULL);
    pooled cells = pool_graph("mpr:overlap=0", heavy, 2);
    assert_table(cells.s, 3, 2, (const double[]){1, 0, 0, 1, 0, 1});
    cells = pool_graph("mpr:overlap=0", plain, 2);
    assert_table(cells.s, 3, 2, (const double[]){1, 0, 0, 1, 1, 0});
    dgm_graph_free(heavy);
    dgm_graph_free(plain);
}

/* A star of three leaves and k edges by themselves. PageRank is a multiple of 1 + a / 3 on leaves,
 * 1 + a on ends of edges and 1 + 3 a in the middle: scaled to [0, 1] these are 0, 1/4 and 1, and 1/4
 * is the end of the first of four cells, whatever rounding makes of it. */
static void a_value_on_an_end_is_not_moved_by_rounding(void **state) {
    (void)state;
    for (uint32_t k = 1; k <= 12; k++)
        for (uint32_t first = 0; first <= 2 * k; first += 2 * k) { /* the star stands there */
            uint32_t ends[64] = {first, first + 1, first, first + 2, first, first + 3};
            for (uint32_t e = 0; e < k; e++) {
                ends[6 + 2 * e] = first ? 2 * e : 4 + 2 * e;
                ends[7 + 2 * e] = ends[6 + 2 * e] + 1;
            }
            dgm_graph *graph = build_graph(NULL, 4 + 2 * k, 3 + k, ends, NULL);
            const dgmi_pool_subject subject = {.graph = graph, .clusters = 4};
            dgm_membership *membership = assign("mpr:overlap=0", &subject);
            dgm_membership_rows rows = dgm_membership_get_rows(membership);
            assert_int_equal(rows.clusters, 3);
            for (uint32_t u = 0; u < 4 + 2 * k; u++)
                assert_int_equal(rows.columns[u], u == first                    ? 2
                                                  : u > first && u <= first + 3 ? 0
                                                                                : 1);
            dgm_membership_free(membership);
            dgm_graph_free(graph);
        }
}

/* ---- the random lens ---- */

static void draw_cells(const dgm_graph *graph, int64_t index, int level, int64_t seed,
                       uint32_t *columns) {
    const dgmi_pool_subject subject = {graph, index, level, 8, seed, NULL};
    dgm_membership *membership = assign("mpr:lens=random,overlap=0", &subject);
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    assert_int_equal(rows.offsets[rows.nodes], rows.nodes);
    memcpy(columns, rows.columns, (size_t)rows.nodes * sizeof *columns);
    dgm_membership_free(membership);
}

static void a_random_lens_is_fixed_by_seed_graph_and_level(void **state) {
    (void)state;
    enum { NODES = 40 };
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    uint32_t first[NODES], again[NODES];
    draw_cells(graph, 3, 1, 7, first);
    draw_cells(graph, 3, 1, 7, again);
    assert_memory_equal(first, again, sizeof first);
    for (int changed = 0; changed < 3; changed++) {
        draw_cells(graph, 3 + (changed == 0), 1 + (changed == 1), 7 + (changed == 2), again);
        assert_memory_not_equal(first, again, sizeof first);
    }
    dgm_graph_free(graph);
}

/* ---- the others ---- */

/* In the order of nodes: 0 takes its only neighbour 1, 2 takes 3, and 4 is left alone. */
static void pairs_are_matched_along_edges(void **state) {
    (void)state;
    dgm_graph *path = build_graph(NULL, 5, 4, (const uint32_t[]){0, 1, 1, 2, 2, 3, 3, 4}, NULL);
    pooled pairs = pool_graph("graclus", path, 0);
    assert_int_equal(pairs.clusters, 3);
    assert_table(pairs.s, 5, 3,
                 (const double[]){0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0.5, 0, 0, 0, 1});
    assert_table(pairs.a, 3, 3, (const double[]){0.5, 0.25, 0, 0.25, 0.5, 0.5, 0, 0.5, 0});
    dgm_graph_free(path);
}

/* Node 0 gains 3 (1/4 + 1/3) by node 2, and 1 (1/4 + 1/1) by node 1. */
static void the_heavier_edge_is_taken(void **state) {
    (void)state;
    const double weights[] = {1, 3};
    dgm_graph *wedge = build_graph(NULL, 3, 2, (const uint32_t[]){0, 1, 0, 2}, weights);
    pooled pairs = pool_graph("graclus", wedge, 0);
    assert_table(pairs.s, 3, 2, (const double[]){0.5, 0, 0, 1, 0.5, 0});
    dgm_graph_free(wedge);
}

/* Of two edges of equal weight the one to the node with fewer others: 1/2 + 1 against 1/2 + 1/3. */
static void a_node_without_other_edges_is_preferred(void **state) {
    (void)state;
    dgm_graph *tree = build_graph(NULL, 5, 4, (const uint32_t[]){0, 1, 0, 2, 1, 3, 1, 4}, NULL);
    pooled pairs = pool_graph("graclus", tree, 0);
    assert_int_equal(pairs.clusters, 3);
    assert_true(pairs.s[0][0] == 0.5 && pairs.s[2][0] == 0.5);
    assert_true(pairs.s[1][1] == 0.5 && pairs.s[3][1] == 0.5 && pairs.s[4][2] == 1);
    dgm_graph_free(tree);
}

static void one_cluster_holds_all(void **state) {
    (void)state;
    dgm_graph *broom = make_broom();
    pooled sum = pool_graph("sum", broom, 0), mean = pool_graph("mean", broom, 0);
    pooled none = pool_graph("none", broom, 0);
    assert_table(sum.s, 5, 1, (const double[]){1, 1, 1, 1, 1});
    assert_table(sum.a, 1, 1, (const double[]){8});
    assert_table(mean.s, 5, 1, (const double[]){0.2, 0.2, 0.2, 0.2, 0.2});
    assert_table(mean.a, 1, 1, (const double[]){8 / 25.0});
    assert_int_equal(none.clusters, 5);
    for (int u = 0; u < 5; u++)
        assert_true(none.s[u][u] == 1);
    dgm_graph_free(broom);
}

/* ---- graphs that hardly are graphs ---- */

static void odd_graphs_have_the_obvious_clusters(void **state) {
    (void)state;
    static const struct {
        const char *pool;
        int64_t clusters[3]; /* of no nodes, one node, and three nodes without edges */
    } odd[] = {{"mpr", {0, 1, 1}},     {"mpr:variant=feb2020", {0, 1, 1}},
               {"graclus", {0, 1, 3}}, {"mpr:cover=quantile", {0, 1, 1}},
               {"sum", {0, 1, 1}},     {"mean", {0, 1, 1}},
               {"max", {0, 1, 1}},     {"none", {0, 1, 3}}};
    static const int64_t sizes[] = {0, 1, 3};
    for (int i = 0; i < 3; i++) {
        dgm_graph *graph = build_graph(NULL, sizes[i], 0, NULL, NULL);
        for (int64_t k = 0; k < COUNT(odd); k++) {
            pooled found = pool_graph(odd[k].pool, graph, 5);
            assert_int_equal(found.clusters, odd[k].clusters[i]);
            for (int64_t u = 0; u < sizes[i]; u++) {
                double sum = 0;
                for (int64_t c = 0; c < found.clusters; c++)
                    sum += found.s[u][c];
                assert_true(sum > 0 && sum <= 1);
            }
        }
        dgm_graph_free(graph);
    }
}

/* More cells than nodes: each value has its own cell, or several where they overlap. */
static void more_cells_than_nodes_leave_none_empty(void **state) {
    (void)state;
    dgm_graph *broom = make_broom();
    pooled apart = pool_graph("mpr:lens=degree,overlap=0", broom, 100);
    assert_int_equal(apart.clusters, 3);
    assert_table(apart.a, 3, 3, (const double[]){0, 1, 2, 1, 0, 1, 2, 1, 0});
    const dgmi_pool_subject subject = {.graph = broom, .clusters = 100, .seed = 1};
    dgm_membership *membership = assign("mpr:overlap=0.9", &subject);
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    bool held[100] = {false};
    for (int64_t i = 0; i < rows.offsets[rows.nodes]; i++)
        held[rows.columns[i]] = true;
    for (int64_t c = 0; c < rows.clusters; c++)
        assert_true(held[c]);
    dgm_membership_free(membership);
    dgm_graph_free(broom);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_in_two_cells_is_split),
        cmocka_unit_test(in_february_2020_it_was_in_both),
        cmocka_unit_test(the_newest_has_no_zeros_and_a_complete_graph),
        cmocka_unit_test(nodes_that_are_alike_are_one_cluster),
        cmocka_unit_test(pagerank_follows_the_weights),
        cmocka_unit_test(a_value_on_an_end_is_not_moved_by_rounding),
        cmocka_unit_test(a_random_lens_is_fixed_by_seed_graph_and_level),
        cmocka_unit_test(pairs_are_matched_along_edges),
        cmocka_unit_test(the_heavier_edge_is_taken),
        cmocka_unit_test(a_node_without_other_edges_is_preferred),
        cmocka_unit_test(one_cluster_holds_all),
        cmocka_unit_test(odd_graphs_have_the_obvious_clusters),
        cmocka_unit_test(more_cells_than_nodes_leave_none_empty),
    };
    return RUN_WITH_CONTEXT(tests);
}
