/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of eccentricities from few searches: what one search says, how soon bounds meet, and what
 * a sample leaves open. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "generated_graph.h"
#include "graph_bfs.h"
#include "lens_eccentricity.h"

enum { MOST = 400 };

static dgm_graph *build_path(uint32_t nodes) {
    uint32_t ends[2 * MOST];
    for (uint32_t u = 0; u + 1 < nodes; u++)
        ends[2 * u] = u, ends[2 * u + 1] = u + 1;
    return build_graph(NULL, nodes, nodes - 1, ends, NULL);
}

/* A binary tree: the parent of node u is (u - 1) / 2. */
static dgm_graph *build_tree(uint32_t nodes) {
    uint32_t ends[2 * MOST];
    for (uint32_t u = 1; u < nodes; u++)
        ends[2 * u - 2] = u, ends[2 * u - 1] = (u - 1) / 2;
    return build_graph(NULL, nodes, nodes - 1, ends, NULL);
}

/* Distances between all nodes, by waves over all edges; -1: out of reach. */
static int distance[MOST][MOST];
static int far[MOST];
static void measure(const dgm_graph *graph) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t s = 0; s < rows.nodes; s++) {
        for (int64_t u = 0; u < rows.nodes; u++)
            distance[s][u] = u == s ? 0 : -1;
        far[s] = 0;
        for (int level = 0; level <= far[s]; level++)
            for (int64_t u = 0; u < rows.nodes; u++)
                for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                    if (distance[s][u] == level && distance[s][rows.targets[e]] < 0)
                        distance[s][rows.targets[e]] = far[s] = level + 1;
    }
}

typedef struct {
    double lower[MOST], upper[MOST]; /* by node */
    bool exact;
} found;

static found bound(const dgm_graph *graph, int64_t searches) {
    found f;
    double *lower, *upper;
    dgmi_graph_patches patches;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH,
                                             DGMI_GRAPH_WALK_ALONG, false, &patches),
                     DGM_OK);
    assert_int_equal(
        dgmi_lens_eccentricity_bound(ctx, &patches, searches, &lower, &upper, &f.exact), DGM_OK);
    for (int64_t p = 0; p < patches.nodes; p++) {
        f.lower[patches.node[p]] = lower[p];
        f.upper[patches.node[p]] = upper[p];
    }
    dgmi_arena_release(ctx, hold);
    return f;
}

/* max(d, e - d) <= e(v) <= e + d, where d is the distance from the one source and e its own. */
static bool is_said_by(const found *f, int64_t nodes, int64_t source) {
    for (int64_t u = 0; u < nodes; u++) {
        int d = distance[source][u], e = far[source];
        if (f->lower[u] != (d > e - d ? d : e - d) || f->upper[u] != e + d)
            return false;
    }
    return true;
}

static void one_search_bounds_every_node(void **state) {
    (void)state;
    dgm_graph *const graphs[] = {build_path(31), build_tree(60),
                                 generate(DGM_GENERATE_GRID, 90, 0)};
    for (int64_t k = 0; k < COUNT(graphs); k++) {
        const int64_t nodes = dgm_graph_nodes(graphs[k]);
        found none = bound(graphs[k], 0), one = bound(graphs[k], 1);
        int64_t sources = 0;
        measure(graphs[k]);
        for (int64_t u = 0; u < nodes; u++) {
            assert_near(none.lower[u], 0, 0);
            assert_true(isinf(none.upper[u]));
            sources += is_said_by(&one, nodes, u);
        }
        assert_true(sources > 0 && !none.exact && !one.exact);
        dgm_graph_free(graphs[k]);
    }
}

/* Bounds never cross the values, and meet them after a few searches. */
static void bounds_meet_after_a_few_searches(void **state) {
    (void)state;
    const struct {
        dgm_graph *graph;
        int64_t searches;
    } cases[] = {{build_path(300), 5},
                 {build_tree(31), 5},
                 {build_tree(300), 5}, /* the deepest leaves are on one side */
                 {generate(DGM_GENERATE_GRID, 400, 0), 13},
                 {generate(DGM_GENERATE_KARATE, 34, 0), 15}};
    for (int64_t k = 0; k < COUNT(cases); k++) {
        const int64_t nodes = dgm_graph_nodes(cases[k].graph);
        measure(cases[k].graph);
        int64_t searches = 0;
        for (bool exact = false; !exact; searches++) {
            found f = bound(cases[k].graph, searches);
            exact = f.exact;
            for (int64_t u = 0; u < nodes; u++) {
                assert_true(f.lower[u] <= far[u] && f.upper[u] >= far[u]);
                assert_true(!exact || f.lower[u] == far[u]);
            }
        }
        if (searches - 1 > cases[k].searches)
            fail_msg("case %d took %d searches", (int)k, (int)searches - 1);
        dgm_graph_free(cases[k].graph);
    }
}

/* Components are searched side by side, those of a single node not at all. */
static void components_have_bounds_of_their_own(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 9, 10, 10, 8};
    static const double wanted[] = {4, 3, 2, 3, 4, 0, 1, 1, 1, 1, 1, 0};
    dgm_graph *graph = build_graph(NULL, 12, 8, ends, NULL);
    found f = bound(graph, 64), none = bound(graph, 0);
    assert_true(f.exact);
    for (int u = 0; u < 12; u++)
        assert_near(f.lower[u], wanted[u], 0);
    assert_near(none.upper[5], 0, 0);
    assert_near(none.upper[11], 0, 0);
    assert_true(isinf(none.upper[6]));
    dgm_graph_free(graph);
}

/* What a sample leaves open is no more than the eccentricity of the middle, and the weights' unit
 * is the unit of what is said. */
static void a_sample_leaves_no_more_open_than_its_middle_is_far(void **state) {
    (void)state;
    static const double units[] = {0, 1, 0x1p40};
    for (int64_t k = 0; k < COUNT(units); k++) {
        uint32_t ends[2 * MOST];
        double weights[MOST];
        const double unit = units[k] > 0 ? units[k] : 1;
        for (uint32_t u = 0; u + 1 < MOST; u++) {
            ends[2 * u] = u, ends[2 * u + 1] = u + 1;
            weights[u] = unit;
        }
        dgm_graph *graph = build_graph(NULL, MOST, MOST - 1, ends, units[k] > 0 ? weights : NULL);
        for (int64_t seed = 1; seed <= 5; seed++) {
            dgm_matrix *lens;
            assert_int_equal(lens_axes(ctx, graph,
                                       units[k] > 0 ? "eccentricity:samples=40,weighted=true"
                                                    : "eccentricity:samples=40",
                                       seed, &lens),
                             DGM_OK);
            double open = dgm_matrix_column_error(lens, 0), most = 0;
            for (int u = 0; u < MOST; u++) {
                double exact = unit * (u > MOST - 1 - u ? u : MOST - 1 - u);
                double lack = exact - dgm_matrix_values(lens)[u];
                assert_true(lack >= 0);
                most = fmax(most, lack);
            }
            assert_true(open >= most && open <= 0.6 * MOST * unit && open > 0);
            dgm_matrix_free(lens);
        }
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_search_bounds_every_node),
        cmocka_unit_test(bounds_meet_after_a_few_searches),
        cmocka_unit_test(components_have_bounds_of_their_own),
        cmocka_unit_test(a_sample_leaves_no_more_open_than_its_middle_is_far),
    };
    return RUN_WITH_CONTEXT(tests);
}
