/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.1: Mapper through the Fiedler vector cuts a connected graph in two. */
#include "unit_fixture.h"

#include <math.h>

#include "base_random.h"
#include "reproduce_cut.h"
#include "unit_faults.h"

enum { MOST = 40 };

static dgm_graph *build_path(int64_t nodes) {
    uint32_t ends[2 * MOST];
    for (uint32_t i = 0; i + 1 < nodes; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    return build_graph(NULL, nodes, nodes - 1, ends, NULL);
}

/* A tree to which edges are added. */
static dgm_graph *draw_connected(uint64_t seed, int64_t nodes) {
    dgmi_random random = {.seed = seed};
    uint32_t ends[4 * MOST];
    int64_t edges = 0;
    for (int64_t u = 1; u < nodes; u++)
        for (int again = 0; again < 2; again++) {
            if (again && dgmi_random_next(&random) > 0.6)
                continue;
            ends[2 * edges] = (uint32_t)u;
            ends[2 * edges++ + 1] = (uint32_t)dgmi_random_next_below(&random, (uint64_t)u);
        }
    return build_graph(NULL, nodes, edges, ends, NULL);
}

/* l(i) = cos(pi (i + 1/2) / n), eigenvalue 2 - 2 cos(pi / n): the halves of the path. */
static void a_path_is_cut_in_the_middle(void **state) {
    (void)state;
    dgm_graph *graph = build_path(6);
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_OK);
    assert_near(cut.eigenvalue, 2 - 2 * cos(M_PI / 6), 1e-10);
    assert_near(cut.next, 2 - 2 * cos(2 * M_PI / 6), 1e-10);
    assert_near(cut.least, cos(M_PI * 2.5 / 6) / sqrt(3), 1e-9); /* |l|^2 is 3 by the formula */
    assert_true(cut.residual < 1e-10 && cut.error < 1e-9 && cut.certain);
    assert_true(cut.eps == cut.least / 2);
    assert_int_equal(cut.negative, 3);
    assert_int_equal(cut.positive, 3);
    assert_int_equal(cut.crossing, 1);
    assert_true(cut.bipartition);
    assert_int_equal(cut.clusters, 2);
    assert_int_equal(cut.joined, 0);
    dgm_graph_free(graph);
}

static void the_normalised_laplacian_cuts_in_two_as_well(void **state) {
    (void)state;
    dgm_graph *graph = build_path(8);
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_SYM, &cut), DGM_OK);
    assert_near(cut.eigenvalue, 1 - cos(M_PI / 7), 1e-10);
    assert_true(cut.residual < 1e-10 && cut.certain && cut.bipartition);
    assert_int_equal(cut.clusters, 2);
    dgm_graph_free(graph);
}

/* Where both sides are certain, Fiedler's theorem makes them connected. */
static void random_graphs_are_cut_in_two(void **state) {
    (void)state;
    int64_t certain = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dgm_graph *graph = draw_connected(seed, MOST - 5);
        dgmi_reproduce_cut cut;
        assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_OK);
        dgm_graph_free(graph);
        if (!cut.certain)
            continue;
        certain++;
        assert_true(cut.bipartition);
        assert_int_equal(cut.negative + cut.positive, MOST - 5);
        assert_int_equal(cut.clusters, 2);
        assert_int_equal(cut.joined, 0);
    }
    assert_true(certain >= 20);
}

/* In the middle of five nodes l is 0, and what is computed there has no sign. */
static void a_sign_of_a_zero_is_not_certain(void **state) {
    (void)state;
    dgm_graph *graph = build_path(5);
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_OK);
    assert_true(cut.least < 1e-8);
    assert_false(cut.certain);
    const double exact[] = {2, 1, 0, -1, -2};
    assert_int_equal(dgmi_reproduce_cut_judge(ctx, graph, DGM_LAPLACIAN_PLAIN, exact, 1, &cut),
                     DGM_OK);
    assert_true(cut.least == 0 && cut.eps == 0);
    assert_false(cut.bipartition); /* there is no eps for it */
    dgm_graph_free(graph);
}

/* The third eigenvector of a path has three parts of one sign each: no bipartition into two pieces,
 * but still one by its signs. */
static void another_eigenvector_makes_more_clusters(void **state) {
    (void)state;
    dgm_graph *graph = build_path(8);
    double third[8];
    dgmi_reproduce_cut cut;
    for (int i = 0; i < 8; i++)
        third[i] = cos(2 * M_PI * (i + 0.5) / 8);
    assert_int_equal(dgmi_reproduce_cut_judge(ctx, graph, DGM_LAPLACIAN_PLAIN, third,
                                              2 - 2 * cos(3 * M_PI / 8), &cut),
                     DGM_OK);
    assert_near(cut.residual, 0, 1e-12);
    assert_true(cut.bipartition);
    assert_int_equal(cut.clusters, 3);
    assert_int_equal(cut.crossing, 2);
    dgm_graph_free(graph);
}

/* What is no eigenvector has a residual, and its signs mean nothing. */
static void what_is_no_eigenvector_is_not_certain(void **state) {
    (void)state;
    dgm_graph *graph = build_path(4);
    const double vector[] = {1, -1, 1, 2};
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_judge(ctx, graph, DGM_LAPLACIAN_PLAIN, vector, 2, &cut),
                     DGM_OK);
    assert_near(cut.eigenvalue, (4 + 4 + 1) / 7.0, 1e-12);
    assert_near(cut.residual, sqrt(73) / 7, 1e-12); /* L x is (2, -4, 1, 1) */
    assert_near(cut.error, sqrt(2) * (sqrt(73) / 7) / (2 - 9 / 7.0), 1e-12);
    assert_false(cut.certain);
    dgm_graph_free(graph);
}

/* L x is (1, 1, -1, -1): a quotient of 0.6 and a residual of 0.2. The least entry is 1 of a
 * vector as long as sqrt(10), so that the error may be 0.316: it is 0.202 beside 2 and 0.471
 * beside 1.2. */
static void the_error_is_a_share_of_the_length(void **state) {
    (void)state;
    dgm_graph *graph = build_path(4);
    const double vector[] = {2, 1, -1, -2};
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_judge(ctx, graph, DGM_LAPLACIAN_PLAIN, vector, 2, &cut),
                     DGM_OK);
    assert_near(cut.eigenvalue, 0.6, 1e-12);
    assert_near(cut.residual, 0.2, 1e-12);
    assert_near(cut.error, sqrt(2) * 0.2 / 1.4, 1e-12);
    assert_true(cut.least == 1 && cut.certain && cut.bipartition);
    assert_int_equal(dgmi_reproduce_cut_judge(ctx, graph, DGM_LAPLACIAN_PLAIN, vector, 1.2, &cut),
                     DGM_OK);
    assert_near(cut.error, sqrt(2) * 0.2 / 0.6, 1e-12);
    assert_false(cut.certain);
    dgm_graph_free(graph);
}

/* A path of four nodes, and a ring of four. */
static void the_first_of_equal_components_is_cut(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 4, 5, 5, 6, 6, 7, 7, 4};
    dgm_graph *graph = build_graph(NULL, 8, 7, ends, NULL);
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_OK);
    assert_int_equal(cut.nodes, 4);
    assert_int_equal(cut.edges, 3);
    dgm_graph_free(graph);
}

static void the_largest_component_is_cut(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 2, 3, 3, 4, 4, 5};
    dgm_graph *graph = build_graph(NULL, 7, 4, ends, NULL);
    dgmi_reproduce_cut cut;
    assert_int_equal(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_OK);
    assert_int_equal(cut.nodes, 4);
    assert_int_equal(cut.edges, 3);
    assert_int_equal(cut.clusters, 2);
    dgm_graph_free(graph);
    graph = build_path(3);
    ASSERT_FAILS(dgmi_reproduce_cut_check(ctx, graph, DGM_LAPLACIAN_PLAIN, &cut), DGM_ERROR_DATA,
                 "the largest component has 3 nodes, too few to be cut in two");
    dgm_graph_free(graph);
}

static dgm_status check_one(dgm_context *own, void *argument) {
    dgmi_reproduce_cut cut;
    return dgmi_reproduce_cut_check(own, argument, DGM_LAPLACIAN_PLAIN, &cut);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    dgm_graph *graph = build_path(6);
    fail_each_allocation(check_one, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_cut_in_the_middle),
        cmocka_unit_test(the_normalised_laplacian_cuts_in_two_as_well),
        cmocka_unit_test(random_graphs_are_cut_in_two),
        cmocka_unit_test(a_sign_of_a_zero_is_not_certain),
        cmocka_unit_test(another_eigenvector_makes_more_clusters),
        cmocka_unit_test(what_is_no_eigenvector_is_not_certain),
        cmocka_unit_test(the_error_is_a_share_of_the_length),
        cmocka_unit_test(the_largest_component_is_cut),
        cmocka_unit_test(the_first_of_equal_components_is_cut),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
