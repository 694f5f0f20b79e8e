/* SPDX-License-Identifier: Apache-2.0 */
/* What blocks explain of a graph against its definition (mapper_bits.c), on random graphs and random
 * blocks: a dense matrix of shares, and factorials as sums of logarithms. */
#include "property_fixture.h"

#include <math.h>
#include <string.h>

#include "mapper_bits.h"

enum { GRAPHS = 600, MOST_BLOCKS = 12 };

static double log2_factorial(int n) {
    double sum = 0;
    for (int i = 2; i <= n; i++)
        sum += log2(i);
    return sum;
}

/* Directions and loops are not seen. */
static int list_edges(const property_graph *graph, bool joined[CHECK_MAX_NODES][CHECK_MAX_NODES]) {
    int count = 0;
    memset(joined, 0, CHECK_MAX_NODES * sizeof *joined);
    for (int e = 0; e < graph->count; e++) {
        uint32_t u = graph->edges[e][0], v = graph->edges[e][1];
        count += u != v && !joined[u][v];
        joined[u][v] = joined[v][u] = u != v;
    }
    return count;
}

static dgm_bits naive(const property_graph *graph, const uint32_t *block, int blocks,
                      const uint32_t *cluster) {
    bool joined[CHECK_MAX_NODES][CHECK_MAX_NODES];
    double share[MOST_BLOCKS][MOST_BLOCKS] = {{0}}, of[MOST_BLOCKS] = {0}, degrees = 0;
    int edges = list_edges(graph, joined), sizes[MOST_BLOCKS] = {0};
    dgm_bits bits = {.known = true, .blocks = blocks, .edges = edges};
    if (edges == 0)
        return bits;
    for (int u = 0; u < graph->nodes; u++) {
        int degree = 0;
        for (int v = 0; v < graph->nodes; v++) {
            degree += joined[u][v];
            share[block[u]][block[v]] += joined[u][v] / (2.0 * edges);
            bits.inside += u < v && joined[u][v] && cluster[u] == cluster[v] &&
                           cluster[u] != DGMI_MAPPER_NO_CLUSTER;
        }
        sizes[block[u]]++;
        degrees += log2_factorial(degree);
    }
    for (int r = 0; r < blocks; r++)
        for (int s = 0; s < blocks; s++)
            of[r] += share[r][s];
    for (int r = 0; r < blocks; r++)
        for (int s = 0; s < blocks; s++)
            if (share[r][s] > 0)
                bits.gained += share[r][s] * log2(share[r][s] / (of[r] * of[s]));
    for (int r = 0; r < blocks; r++)
        if (sizes[r] > 0)
            bits.told += sizes[r] * log2((double)graph->nodes / sizes[r]) / edges;
    int counts = blocks * (blocks + 1) / 2;
    bits.cost = bits.told + (log2_factorial(counts + edges - 1) - log2_factorial(edges) -
                             log2_factorial(counts - 1)) /
                                edges;
    bits.whole = (log2_factorial(2 * edges) - edges - log2_factorial(edges) - degrees) / edges;
    return bits;
}

static void assert_close(double actual, double expected) {
    if (!(fabs(actual - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.17g is not %.17g", actual, expected);
}

static void bits_are_those_of_the_definition(void **state) {
    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        check_random random = check_random_case(seed, 1, k);
        property_graph graph;
        uint32_t block[CHECK_MAX_NODES], cluster[CHECK_MAX_NODES];
        dgm_bits is;
        property_draw_graph(&random, CHECK_MAX_NODES, check_random_chance(&random, 0.3), &graph);
        int blocks = check_random_between(&random, 1, MOST_BLOCKS);
        for (int u = 0; u < graph.nodes; u++) {
            block[u] = (uint32_t)check_random_below(&random, blocks);
            cluster[u] = check_random_chance(&random, 0.2)
                             ? DGMI_MAPPER_NO_CLUSTER
                             : (uint32_t)check_random_below(&random, 4);
        }
        dgm_graph *made = property_build_graph(ctx, &graph);
        assert_int_equal(dgmi_mapper_bits_measure(ctx, made, block, blocks, cluster, &is), DGM_OK);
        dgm_graph_free(made);
        dgm_bits expected = naive(&graph, block, blocks, cluster);
        assert_close(is.gained, expected.gained);
        assert_close(is.told, expected.told);
        assert_close(is.cost, expected.cost);
        assert_close(is.whole, expected.whole);
        assert_int_equal(is.blocks, expected.blocks);
        assert_int_equal(is.edges, expected.edges);
        assert_int_equal(is.inside, expected.inside);
    }
}

/* Blocks that are split say no less of the edges, and it costs no less to tell them. */
static void finer_blocks_gain_and_cost_more(void **state) {
    (void)state;
    for (int k = 0; k < GRAPHS; k++) {
        check_random random = check_random_case(seed, 2, k);
        property_graph graph;
        uint32_t coarse[CHECK_MAX_NODES], fine[CHECK_MAX_NODES];
        dgm_bits a, b;
        property_draw_graph(&random, CHECK_MAX_NODES, false, &graph);
        int blocks = check_random_between(&random, 1, MOST_BLOCKS / 2);
        for (int u = 0; u < graph.nodes; u++) {
            coarse[u] = (uint32_t)check_random_below(&random, blocks);
            fine[u] = 2 * coarse[u] + (uint32_t)check_random_below(&random, 2);
        }
        dgm_graph *made = property_build_graph(ctx, &graph);
        assert_int_equal(dgmi_mapper_bits_measure(ctx, made, coarse, blocks, coarse, &a), DGM_OK);
        assert_int_equal(dgmi_mapper_bits_measure(ctx, made, fine, 2 * blocks, fine, &b), DGM_OK);
        dgm_graph_free(made);
        assert_true(b.gained >= a.gained - 1e-12 && a.gained >= 0);
        assert_true(b.told >= a.told - 1e-12 && b.cost >= a.cost - 1e-12);
        assert_true(b.inside <= a.inside && b.whole == a.whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_the_definition),
        cmocka_unit_test(finer_blocks_gain_and_cost_more),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
