/* SPDX-License-Identifier: Apache-2.0 */
/* The expanded graph and the 1-hop expansion of appendix A. */
#include "mapper_sample.h"

static void assert_expands(const dgm_graph *graph, int64_t copies, const uint32_t *origins,
                           int64_t entries, const uint32_t *targets) {
    dgm_graph *expanded;
    uint32_t *origin;
    assert_int_equal(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(expanded);
    assert_int_equal(rows.nodes, copies);
    assert_int_equal(rows.entries, entries);
    assert_memory_equal(origin, origins, (size_t)copies * sizeof *origin);
    assert_memory_equal(rows.targets, targets, (size_t)entries * sizeof *targets);
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
}

/* 0-1-2 and 3 alone: copies 0 | 1 2 | 3 | 4 5, all with loops; 1-2 and 4-5 are copies joined, 0-1
 * and 2-3 the edges. */
static void a_path_and_a_lone_node_expand_to_six_copies(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    const uint32_t origins[] = {0, 1, 1, 2, 3, 3};
    const uint32_t targets[] = {0, 1, /**/ 0, 1, 2, /**/ 1, 2, 3, /**/ 2, 3, /**/ 4, 5, /**/ 4, 5};
    assert_expands(graph, 6, origins, COUNT(targets), targets);
    dgm_graph_free(graph);
}

/* The hub's four copies form a clique, each holds one leaf: 4 + 4 copies, 8 loops + 6 + 4 edges. */
static void a_star_expands_to_a_clique_with_leaves(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 4, (const uint32_t[]){0, 1, 0, 2, 0, 3, 0, 4}, NULL);
    dgm_graph *expanded;
    uint32_t *origin;
    assert_int_equal(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(expanded);
    assert_int_equal(rows.nodes, 8);
    assert_int_equal(dgm_graph_edges(expanded), 8 + 6 + 4);
    for (int64_t c = 0; c < 8; c++) {
        assert_int_equal(origin[c], c < 4 ? 0 : c - 3);
        assert_int_equal(rows.offsets[c + 1] - rows.offsets[c], c < 4 ? 5 : 2);
    }
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
    dgm_graph_free(graph);
}

static void loops_of_the_graph_make_no_copies(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph = build_graph(&keep, 2, 3, (const uint32_t[]){0, 0, 0, 1, 1, 1}, NULL);
    const uint32_t origins[] = {0, 1}, targets[] = {0, 1, 0, 1};
    assert_expands(graph, 2, origins, 4, targets);
    dgm_graph_free(graph);
    graph = build_graph(&keep, 1, 1, (const uint32_t[]){0, 0}, NULL); /* alone, loop or not */
    const uint32_t twice[] = {0, 0};
    assert_expands(graph, 2, twice, 4, targets);
    dgm_graph_free(graph);
}

static void an_empty_graph_expands_to_itself(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL), *expanded;
    uint32_t *origin;
    assert_int_equal(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_OK);
    assert_int_equal(dgm_graph_nodes(expanded), 0);
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
    dgm_graph_free(graph);
}

static void a_directed_graph_does_not_expand(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&directed, 0, 1, (const uint32_t[]){0, 1}, NULL), *expanded;
    uint32_t *origin;
    ASSERT_FAILS(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_ERROR_DATA,
                 "only an undirected graph can be expanded");
    assert_null(expanded);
    assert_null(origin);
    dgm_graph_free(graph);
}

/* ---- rows copied and spread ---- */

/* Node 0 in cluster 2, node 1 in 0 and 1 (1/4, 3/4), node 2 in nothing. */
static dgm_membership *sample(void) {
    const int64_t offsets[] = {0, 1, 3, 3};
    const uint32_t columns[] = {2, 0, 1};
    const double values[] = {1, 0.25, 0.75};
    const dgm_membership_rows rows = {3, 3, offsets, columns, values};
    dgm_membership *membership;
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    return membership;
}

static void assert_rows(dgm_membership *membership, int64_t nodes, const int64_t *offsets,
                        const uint32_t *columns, const double *values) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    assert_int_equal(rows.nodes, nodes);
    assert_int_equal(rows.clusters, 3);
    assert_memory_equal(rows.offsets, offsets, (size_t)(nodes + 1) * sizeof *offsets);
    assert_memory_equal(rows.columns, columns, (size_t)offsets[nodes] * sizeof *columns);
    for (int64_t i = 0; i < offsets[nodes]; i++)
        assert_near(rows.values[i], values[i], 1e-15);
    dgm_membership_free(membership);
}

static void copies_take_the_row_of_their_origin(void **state) {
    (void)state;
    dgm_membership *membership = sample(), *copied;
    const uint32_t origin[] = {1, 2, 0, 1};
    assert_int_equal(dgm_membership_copy_rows(ctx, membership, 4, origin, &copied), DGM_OK);
    assert_rows(copied, 4, (const int64_t[]){0, 2, 2, 3, 5}, (const uint32_t[]){0, 1, 2, 0, 1},
                (const double[]){0.25, 0.75, 1, 0.25, 0.75});
    ASSERT_FAILS(dgm_membership_copy_rows(ctx, membership, 1, (const uint32_t[]){3}, &copied),
                 DGM_ERROR_DATA, "copy 0 stands for node 3 of 3");
    assert_null(copied);
    dgm_membership_free(membership);
}

/* The path 0-1-2: rows (A + I) S are (1/4, 3/4, 1), (1/4, 3/4, 1), (1/4, 3/4, 0), divided by 2, 2
 * and 1. */
static void one_hop_spreads_rows_to_neighbours(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    dgm_membership *membership = sample(), *spread;
    assert_int_equal(dgm_membership_expand(ctx, graph, membership, &spread), DGM_OK);
    assert_rows(spread, 3, (const int64_t[]){0, 3, 6, 8},
                (const uint32_t[]){0, 1, 2, 0, 1, 2, 0, 1},
                (const double[]){0.125, 0.375, 0.5, 0.125, 0.375, 0.5, 0.25, 0.75});
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* Weight 3: the neighbour counts three times; the loop that was kept is not needed. */
static void one_hop_follows_weights(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph =
        build_graph(&keep, 3, 2, (const uint32_t[]){0, 1, 0, 0}, (const double[]){3, 99});
    dgm_membership *membership = sample(), *spread;
    assert_int_equal(dgm_membership_expand(ctx, graph, membership, &spread), DGM_OK);
    assert_rows(spread, 3, (const int64_t[]){0, 3, 6, 6}, (const uint32_t[]){0, 1, 2, 0, 1, 2},
                (const double[]){0.1875, 0.5625, 0.25, 0.0625, 0.1875, 0.75});
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

static void one_hop_loses_nothing_to_underflow(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){1e-200});
    const dgm_membership_rows rows = {2, 2, (const int64_t[]){0, 1, 2}, (const uint32_t[]){0, 1},
                                      (const double[]){1, 1e-200}};
    dgm_membership *membership, *spread;
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    assert_int_equal(dgm_membership_expand(ctx, graph, membership, &spread), DGM_OK);
    dgm_membership_rows found = dgm_membership_get_rows(spread);
    assert_int_equal(found.offsets[2], 4); /* both nodes in both clusters */
    for (int i = 0; i < 4; i++)
        assert_true(found.values[i] > 0);
    dgm_membership_free(spread);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* Node 1 is in no cluster, and what its neighbour gives it is less than the least number. */
static void a_share_below_every_number_still_counts(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){1e-200});
    const dgm_membership_rows rows = {2, 1, (const int64_t[]){0, 1, 1}, (const uint32_t[]){0},
                                      (const double[]){1e-200}};
    dgm_membership *membership, *spread;
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    assert_int_equal(dgm_membership_expand(ctx, graph, membership, &spread), DGM_OK);
    dgm_membership_rows found = dgm_membership_get_rows(spread);
    assert_int_equal(found.offsets[2] - found.offsets[1], 1);
    assert_true(found.values[0] == 1 && found.values[1] == 0x1p-1074);
    dgm_membership_free(spread);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

static void one_hop_needs_a_graph_that_fits(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_membership *membership = sample(), *spread;
    dgm_graph *graph = build_graph(&directed, 3, 0, NULL, NULL);
    ASSERT_FAILS(dgm_membership_expand(ctx, graph, membership, &spread), DGM_ERROR_DATA,
                 "a 1-hop expansion needs an undirected graph of as many nodes as memberships");
    assert_null(spread);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 4, 0, NULL, NULL);
    assert_int_equal(dgm_membership_expand(ctx, graph, membership, &spread), DGM_ERROR_DATA);
    dgm_graph_free(graph);
    dgm_membership_free(membership);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_and_a_lone_node_expand_to_six_copies),
        cmocka_unit_test(a_star_expands_to_a_clique_with_leaves),
        cmocka_unit_test(loops_of_the_graph_make_no_copies),
        cmocka_unit_test(an_empty_graph_expands_to_itself),
        cmocka_unit_test(a_directed_graph_does_not_expand),
        cmocka_unit_test(copies_take_the_row_of_their_origin),
        cmocka_unit_test(one_hop_spreads_rows_to_neighbours),
        cmocka_unit_test(one_hop_follows_weights),
        cmocka_unit_test(one_hop_loses_nothing_to_underflow),
        cmocka_unit_test(a_share_below_every_number_still_counts),
        cmocka_unit_test(one_hop_needs_a_graph_that_fits),
    };
    return RUN_WITH_CONTEXT(tests);
}
