/* SPDX-License-Identifier: Apache-2.0 */
/* A graph rewired: what stays, what goes, and that it ends whatever the graph is. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_graph.h"
#include "../check_random.h"
#include "base_context.h"
#include "base_memory.h"
#include "generated_graph.h"
#include "graph_simple.h"
#include "rich_sample.h"
#include "unit_faults.h"

static dgm_graph *rewire(const dgm_graph *graph, int64_t seed) {
    dgm_graph *made;
    assert_int_equal(dgm_graph_rewire(ctx, graph, seed, &made), DGM_OK);
    return made;
}

/* The sums of the weights of all edges and of their squares say whether the weights are the same. */
typedef struct {
    double sum, squares;
} moments;

static moments moments_of(const dgm_graph *graph) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    moments m = {0};
    for (int64_t e = 0; rows.weights && e < rows.entries; e++) {
        m.sum += rows.weights[e];
        m.squares += rows.weights[e] * rows.weights[e];
    }
    return m;
}

static bool has_loop(const dgm_graph_rows *rows, int64_t u) {
    for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++)
        if (rows->targets[e] == u)
            return true;
    return false;
}

/* It is a graph, and nodes have the edges out of them, into them, and to themselves that they had. */
static void assert_rewired(const dgm_graph *graph, const dgm_graph *made) {
    const dgm_graph_rows was = dgm_graph_get_rows(graph), is = dgm_graph_get_rows(made);
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = was.directed;
    options.keep_loops = true;
    assert_null(check_graph(made, &options));
    assert_int_equal(is.nodes, was.nodes);
    assert_int_equal(dgm_graph_edges(made), dgm_graph_edges(graph));
    assert_memory_equal(is.offsets, was.offsets, (size_t)(was.nodes + 1) * sizeof *was.offsets);
    int64_t *into = calloc((size_t)was.nodes + 1, sizeof *into);
    for (int64_t e = 0; e < was.entries; e++) {
        into[was.targets[e]]++;
        into[is.targets[e]]--;
    }
    for (int64_t u = 0; u < was.nodes; u++) {
        assert_int_equal(into[u], 0);
        assert_int_equal(has_loop(&is, u), has_loop(&was, u));
    }
    free(into);
    assert_near(moments_of(made).sum, moments_of(graph).sum, 1e-6);
    assert_near(moments_of(made).squares, moments_of(graph).squares, 1e-6);
}

static bool same_edges(const dgm_graph *a, const dgm_graph *b) {
    const dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    return memcmp(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets) == 0;
}

/* A random graph with loops; no two of its edges have the same weight. */
static dgm_graph *make_random(bool directed, bool weighted, int64_t nodes, int64_t edges) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    uint32_t *ends = malloc((size_t)(2 * edges) * sizeof *ends), state = 7;
    double *weights = malloc((size_t)edges * sizeof *weights);
    options.directed = directed;
    options.keep_loops = true;
    for (int64_t i = 0; i < 2 * edges; i++) {
        state = state * 1664525U + 1013904223U;
        ends[i] = i % 50 == 1 ? ends[i - 1] : (state >> 8) % (uint32_t)nodes;
        weights[i / 2] = (double)(i / 2) + 0.5;
    }
    dgm_graph *graph = build_graph(&options, nodes, edges, ends, weighted ? weights : NULL);
    free(weights);
    free(ends);
    return graph;
}

/* Few edges for the nodes are paired anew, and many change ends in pairs. */
static void degrees_loops_and_weights_stay(void **state) {
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        int64_t nodes = kind & 4 ? 30 : 2000;
        dgm_graph *graph = make_random(kind & 1, kind & 2, nodes, kind & 4 ? 200 : 3000);
        assert_true(dgm_graph_get_counts(graph).loops_kept > 0);
        for (int64_t seed = 1; seed <= 5; seed++) {
            dgm_graph *made = rewire(graph, seed);
            assert_rewired(graph, made);
            assert_false(same_edges(graph, made));
            dgm_graph_free(made);
        }
        dgm_graph_free(graph);
    }
}

static void heavy_tails_stay(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 4096, 20000), *made = rewire(graph, 1);
    assert_rewired(graph, made);
    dgm_graph_free(made);
    dgm_graph_free(graph);
}

static void a_seed_gives_one_graph_for_any_threads(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 1000, 5000), *one = rewire(graph, 5);
    dgm_graph *other = rewire(graph, 6);
    assert_false(same_edges(one, other));
    for (int threads = 1; threads <= 5; threads += 2) {
        dgm_context_set_threads(ctx, threads);
        dgm_graph *again = rewire(graph, 5);
        assert_null(check_same_graph(one, again, CHECK_NAMES | CHECK_TABLES));
        dgm_graph_free(again);
    }
    dgm_context_set_threads(ctx, 0);
    dgm_graph_free(other);
    dgm_graph_free(one);
    dgm_graph_free(graph);
}

static void all_that_is_known_stays(void **state) {
    (void)state;
    dgm_graph *graph = rich_graph(ctx), *made = rewire(graph, 3);
    assert_rewired(graph, made);
    assert_string_equal(dgm_graph_source(made), "path");
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    memcpy((uint32_t *)(uintptr_t)dgm_graph_get_rows(made).targets, rows.targets,
           (size_t)rows.entries * sizeof *rows.targets);
    assert_null(check_same_graph(graph, made, CHECK_NAMES | CHECK_TABLES));
    dgm_graph_free(made);
    dgm_graph_free(graph);
}

/* What was dropped or merged was so in the graph that was read. */
static void counts_are_those_of_the_edges(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 2, 3, 2, 2};
    dgm_graph *graph = build_graph(NULL, 0, 4, ends, NULL), *made = rewire(graph, 1);
    dgm_graph_counts counts = dgm_graph_get_counts(made);
    assert_int_equal(counts.edges, 2);
    assert_int_equal(counts.records, 2);
    assert_int_equal(counts.loops_dropped + counts.repeats_merged, 0);
    dgm_graph_free(made);
    dgm_graph_free(graph);
}

/* ---- graphs that are the only ones of their degrees ---- */

static dgm_graph *make_bipartite(uint32_t left, uint32_t right, bool directed) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    uint32_t *ends = malloc((size_t)(2 * left * right + 1) * sizeof *ends);
    options.directed = directed;
    for (uint32_t i = 0; i < left * right; i++) {
        ends[2 * i] = i / right;
        ends[2 * i + 1] = left + i % right;
    }
    dgm_graph *graph = build_graph(&options, 0, left * right, ends, NULL);
    free(ends);
    return graph;
}

static dgm_graph *make_complete(uint32_t nodes) {
    uint32_t *ends = malloc((size_t)(nodes * nodes) * sizeof *ends), at = 0;
    for (uint32_t u = 0; u < nodes; u++)
        for (uint32_t v = 0; v < u; v++) {
            ends[at++] = u;
            ends[at++] = v;
        }
    dgm_graph *graph = build_graph(NULL, nodes, at / 2, ends, NULL);
    free(ends);
    return graph;
}

static void graphs_without_another_come_back(void **state) {
    (void)state;
    dgm_graph *graphs[] = {
        build_graph(NULL, 0, 0, NULL, NULL),
        build_graph(NULL, 5, 0, NULL, NULL),
        make_bipartite(1, 1, false),
        make_bipartite(1, 1, true),
        make_bipartite(1, 2000, false),
        make_bipartite(1, 2000, true),
        make_bipartite(30, 40, true),
        make_complete(2),
        make_complete(3),
        make_complete(60),
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        dgm_graph *made = rewire(graphs[i], 1);
        assert_rewired(graphs[i], made);
        assert_true(same_edges(graphs[i], made));
        dgm_graph_free(made);
        dgm_graph_free(graphs[i]);
    }
}

/* Its sides are not kept apart. */
static void complete_bipartite_graphs_end(void **state) {
    (void)state;
    dgm_graph *graph = make_bipartite(20, 25, false), *made = rewire(graph, 1);
    assert_rewired(graph, made);
    assert_false(same_edges(graph, made));
    dgm_graph_free(made);
    dgm_graph_free(graph);
}

/* ---- what chance gives ---- */

static double triangles_of(const dgm_graph *graph) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    double *triangles = dgmi_scratch(ctx, dgm_graph_nodes(graph), sizeof *triangles), sum = 0;
    assert_int_equal(dgmi_graph_simple_make(ctx, graph, &rows), DGM_OK);
    assert_int_equal(dgmi_graph_triangles(ctx, &rows, triangles), DGM_OK);
    for (int64_t u = 0; u < rows.nodes; u++)
        sum += triangles[u] / 3;
    dgmi_arena_release(ctx, hold);
    return sum;
}

/* Of a random graph whose nodes have d edges each, (d - 1)^3 / 6 are expected, however large it is:
 * https://en.wikipedia.org/wiki/Random_regular_graph. A hundred cliques of ten have 12,000. */
static void triangles_vanish(void **state) {
    (void)state;
    uint32_t ends[9000];
    int at = 0;
    for (uint32_t clique = 0; clique < 1000; clique += 10)
        for (uint32_t u = 0; u < 10; u++)
            for (uint32_t v = 0; v < u; v++) {
                ends[at++] = clique + u;
                ends[at++] = clique + v;
            }
    dgm_graph *graph = build_graph(NULL, 0, at / 2, ends, NULL);
    double sum = 0;
    assert_near(triangles_of(graph), 12000, 0);
    for (int64_t seed = 1; seed <= 20; seed++) {
        dgm_graph *made = rewire(graph, seed);
        assert_rewired(graph, made);
        sum += triangles_of(made) / 20;
        dgm_graph_free(made);
    }
    assert_near(sum, 512.0 / 6, 8); /* of a deviation of 9 each, 2 of their mean */
    dgm_graph_free(graph);
}

/* Two edges on four nodes: three ways. */
static void pairs_are_equally_likely(void **state) {
    (void)state;
    enum { SEEDS = 3000 };
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 2, 3}, NULL);
    int64_t met[4] = {0};
    for (int64_t seed = 1; seed <= SEEDS; seed++) {
        dgm_graph *made = rewire(graph, seed);
        met[dgm_graph_get_rows(made).targets[0]]++;
        dgm_graph_free(made);
    }
    for (int v = 1; v < 4; v++)
        assert_near((double)met[v], SEEDS / 3.0, 4 * sqrt(SEEDS * 2 / 9.0));
    dgm_graph_free(graph);
}

/* Of the 70 graphs on six nodes of two edges each 10 are two triangles, the others hexagons. */
static void hexagons_become_triangles(void **state) {
    (void)state;
    enum { SEEDS = 3500 };
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0};
    dgm_graph *graph = build_graph(NULL, 0, 6, ends, NULL);
    int64_t met = 0;
    for (int64_t seed = 1; seed <= SEEDS; seed++) {
        dgm_graph *made = rewire(graph, seed);
        met += triangles_of(made) > 0;
        dgm_graph_free(made);
    }
    assert_near((double)met, SEEDS / 7.0, 4 * sqrt(SEEDS * 6 / 49.0));
    dgm_graph_free(graph);
}

/* The plainest chain: two edges drawn at random change ends, a hundred times for each edge. */
enum { HUBS = 600 };
static double triangles_by_chain(const dgm_graph *graph, uint64_t seed) {
    static bool joined[HUBS][HUBS];
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    uint32_t edges = (uint32_t)dgm_graph_edges(graph), at = 0;
    check_random random = {seed};
    uint32_t *ends = malloc((size_t)(2 * edges) * sizeof *ends);
    memset(joined, 0, sizeof joined);
    for (uint32_t u = 0; u < HUBS; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            joined[u][rows.targets[e]] = true;
            if (rows.targets[e] > u) {
                ends[at++] = u;
                ends[at++] = rows.targets[e];
            }
        }
    for (uint32_t t = 0; t < 100 * edges; t++) {
        int i = check_random_below(&random, 2 * (int)edges);
        int j = check_random_below(&random, 2 * (int)edges);
        uint32_t a = ends[i], b = ends[i ^ 1], c = ends[j], d = ends[j ^ 1];
        if (a == d || c == b || joined[a][d] || joined[c][b])
            continue;
        joined[a][b] = joined[b][a] = joined[c][d] = joined[d][c] = false;
        joined[a][d] = joined[d][a] = joined[c][b] = joined[b][c] = true;
        ends[i ^ 1] = d;
        ends[j ^ 1] = b;
    }
    dgm_graph *made = build_graph(NULL, HUBS, edges, ends, NULL);
    double triangles = triangles_of(made);
    dgm_graph_free(made);
    free(ends);
    return triangles;
}

/* Pairs that were mended and left as they are have a tenth more triangles. */
static void hubs_have_what_long_chains_give_them(void **state) {
    (void)state;
    enum { SEEDS = 60 };
    dgm_graph *graph = generate(DGM_GENERATE_BA, HUBS, 3 * HUBS);
    double sums[2] = {0}, squares = 0;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        dgm_graph *made = rewire(graph, seed);
        double triangles = triangles_of(made), chain = triangles_by_chain(graph, seed);
        sums[0] += triangles;
        sums[1] += chain;
        squares += triangles * triangles + chain * chain;
        dgm_graph_free(made);
    }
    double mean = (sums[0] + sums[1]) / (2 * SEEDS);
    double deviation = sqrt(squares / (2 * SEEDS) - mean * mean);
    assert_near(sums[0] / SEEDS, sums[1] / SEEDS, 3 * deviation * sqrt(2.0 / SEEDS));
    dgm_graph_free(graph);
}

/* ---- failures ---- */

static bool stop_at_once(void *user, const char *stage, double fraction) {
    (void)fraction;
    return strcmp(stage, user) != 0;
}

static void it_can_be_stopped(void **state) {
    (void)state;
    char stage[] = "rewiring";
    dgm_graph *graph = make_complete(10), *made;
    dgm_context_set_progress(ctx, stop_at_once, stage);
    assert_int_equal(dgm_graph_rewire(ctx, graph, 1, &made), DGM_ERROR_CANCELLED);
    assert_null(made);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_graph_free(graph);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_complete(10), *made;
    ctx->memory = 1;
    assert_int_equal(dgm_graph_rewire(ctx, graph, 1, &made), DGM_ERROR_MEMORY);
    ASSERT_HAS(dgm_context_error(ctx), "rewiring needs about ");
    assert_null(made);
    ctx->memory = 0;
    dgm_graph_free(graph);
}

/* The estimate says what is taken beside the graph that comes out. */
static void the_estimate_fits(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        check_memory memory = {.fail_at = 0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *own;
        dgm_graph *graph = make_random(kind & 1, kind & 2, 20000, 100000), *made;
        assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
        assert_int_equal(dgm_graph_rewire(own, graph, 1, &made), DGM_OK);
        double taken = (double)memory.peak;
        own->memory = 0.5 * taken;
        dgm_graph_free(made);
        assert_int_equal(dgm_graph_rewire(own, graph, 1, &made), DGM_ERROR_MEMORY);
        own->memory = 1.1 * taken;
        assert_int_equal(dgm_graph_rewire(own, graph, 1, &made), DGM_OK);
        dgm_graph_free(made);
        dgm_context_free(own);
        dgm_graph_free(graph);
    }
}

static dgm_status rewire_again(dgm_context *own, void *argument) {
    dgm_graph *made;
    dgm_status status = dgm_graph_rewire(own, argument, 1, &made);
    assert_true((made != NULL) == (status == DGM_OK));
    dgm_graph_free(made);
    return status;
}

static void every_failure_is_told(void **state) {
    (void)state;
    dgm_graph *rich = rich_graph(ctx), *weighted = make_random(true, true, 20, 40);
    fail_each_allocation(rewire_again, rich);
    fail_each_allocation(rewire_again, weighted);
    dgm_graph_free(weighted);
    dgm_graph_free(rich);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_loops_and_weights_stay),
        cmocka_unit_test(heavy_tails_stay),
        cmocka_unit_test(a_seed_gives_one_graph_for_any_threads),
        cmocka_unit_test(all_that_is_known_stays),
        cmocka_unit_test(counts_are_those_of_the_edges),
        cmocka_unit_test(graphs_without_another_come_back),
        cmocka_unit_test(complete_bipartite_graphs_end),
        cmocka_unit_test(triangles_vanish),
        cmocka_unit_test(pairs_are_equally_likely),
        cmocka_unit_test(hexagons_become_triangles),
        cmocka_unit_test(hubs_have_what_long_chains_give_them),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(the_estimate_fits),
        cmocka_unit_test(every_failure_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
