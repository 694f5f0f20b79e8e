/* SPDX-License-Identifier: Apache-2.0 */
/* Against NetworkX and SciPy (tools/oracle/lens_distance.py), closed forms, and all distances by a
 * slow checker. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "distance_sample.h"

static double agreement(double expected) {
    return 1e-6 * fabs(expected);
}

/* ---- golden values ---- */

static FILE *open_golden(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/oracle/lens_distance.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

static dgm_graph *read_golden_graph(FILE *file) {
    static uint32_t ends[2 * MOST];
    static double weights[MOST];
    long long nodes, edges;
    int directed, weighted;
    assert_int_equal(fscanf(file, "%*s %lld %lld %d %d", &nodes, &edges, &directed, &weighted), 4);
    assert_in_range(edges, 0, MOST);
    for (int64_t i = 0; i < edges; i++)
        assert_int_equal(fscanf(file, "%u %u %lf", &ends[2 * i], &ends[2 * i + 1], &weights[i]), 3);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = directed};
    return build_graph(&options, nodes, edges, ends, weighted ? weights : NULL);
}

static void compare_golden_lens(FILE *file, const dgm_graph *graph) {
    char lens[128];
    assert_int_equal(fscanf(file, "%127s", lens), 1);
    dgm_matrix *values = run(graph, lens, 1);
    for (int64_t i = 0; i < dgm_matrix_rows(values); i++) {
        double expected;
        assert_int_equal(fscanf(file, "%lf", &expected), 1);
        assert_near(dgm_matrix_values(values)[i], expected, agreement(expected));
    }
    assert_true(isnan(dgm_matrix_column_error(values, 0)));
    dgm_matrix_free(values);
}

static void lenses_are_those_of_networkx_and_scipy(void **state) {
    (void)state;
    FILE *file = open_golden();
    char word[64];
    dgm_graph *graph = NULL;
    int graphs = 0, lenses = 0;
    assert_int_equal(fscanf(file, "%*[^\n]"), 0);
    while (fscanf(file, "%63s", word) == 1 && strcmp(word, "end") != 0) {
        if (strcmp(word, "graph") == 0) {
            dgm_graph_free(graph);
            graph = read_golden_graph(file);
            graphs++;
        } else {
            assert_string_equal(word, "lens");
            compare_golden_lens(file, graph);
            lenses++;
        }
    }
    assert_string_equal(word, "end");
    assert_int_equal(graphs, 13);
    assert_int_equal(lenses, 12 * 8 + 3);
    dgm_graph_free(graph);
    fclose(file);
}

/* ---- by hand ---- */

static void assert_lens(const dgm_graph *graph, const char *lens, const double *expected) {
    dgm_matrix *values = run(graph, lens, 1);
    for (int64_t i = 0; i < dgm_matrix_rows(values); i++)
        assert_near(dgm_matrix_values(values)[i], expected[i], 1e-14 * fabs(expected[i]));
    dgm_matrix_free(values);
}

/* 0 - 1 - 2, 3 - 4 and 5 alone: N = 6. */
static void small_components_are_not_central(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 6, 3, (const uint32_t[]){0, 1, 1, 2, 3, 4}, NULL);
    const double end = 3.0 / 2 * 5 / 2, middle = 2.0 / 2 * 5 / 2;
    assert_lens(graph, "agd", (const double[]){end, middle, end, 5, 5, 5});
    assert_lens(graph, "closeness",
                (const double[]){1 / end, 1 / middle, 1 / end, 1.0 / 5, 1.0 / 5, 0});
    assert_lens(graph, "harmonic", (const double[]){1.5, 2, 1.5, 1, 1, 0});
    assert_lens(graph, "eccentricity", (const double[]){2, 1, 2, 1, 1, 0});
    dgm_graph_free(graph);
}

/* 0 -> 1 -> 2: agd and eccentricity look ahead, closeness and harmonic back. */
static void directions_are_those_of_the_measure(void **state) {
    (void)state;
    dgm_graph *graph =
        build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true}, 0, 2,
                    (const uint32_t[]){0, 1, 1, 2}, NULL);
    assert_lens(graph, "agd", (const double[]){1.5, 2, 2});
    assert_lens(graph, "eccentricity", (const double[]){2, 1, 0});
    assert_lens(graph, "closeness", (const double[]){0, 0.5, 2.0 / 3});
    assert_lens(graph, "harmonic", (const double[]){0, 1, 1.5});
    dgm_graph_free(graph);
}

static void no_edges_and_no_nodes_are_fine(void **state) {
    (void)state;
    static const char *const lenses[] = {"agd", "closeness", "harmonic", "eccentricity",
                                         "agd:samples=16"};
    for (int64_t i = 0; i < COUNT(lenses); i++)
        for (int64_t nodes = 0; nodes < 3; nodes++) {
            dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
            assert_lens(graph, lenses[i], (const double[]){0, 0});
            dgm_graph_free(graph);
        }
}

static void loops_change_nothing(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 1, 1, 2, 2};
    dgm_graph *graph =
        build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .keep_loops = true}, 0,
                    4, ends, NULL);
    assert_lens(graph, "agd", (const double[]){1.5, 1, 1.5});
    assert_lens(graph, "agd:weighted", (const double[]){1.5, 1, 1.5});
    dgm_graph_free(graph);
}

static void bad_values_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){0});
    dgm_matrix *lens;
    ASSERT_FAILS(lens_axes(ctx, graph, "harmonic:weighted", 1, &lens), DGM_ERROR_DATA,
                 "weights as lengths must be above 0; the edge from 0 to 1 weighs 0");
    assert_null(lens);
    ASSERT_FAILS(lens_axes(ctx, graph, "agd:samples=2", 1, &lens), DGM_ERROR_USAGE,
                 "the lens 'agd': samples takes a whole number from 16 on (or 0: 1024 beyond the "
                 "budget), not 2");
    assert_int_equal(lens_axes(ctx, graph, "closeness:budget=-1", 1, &lens), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "budget takes a whole number from 0 to 2147483647");
    dgm_graph_free(graph);
    graph = build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true},
                        0, 1, (const uint32_t[]){0, 1}, NULL);
    ASSERT_FAILS(lens_axes(ctx, graph, "eccentricity:budget=1", 1, &lens), DGM_ERROR_USAGE,
                 "the lens 'eccentricity' cannot be sampled in a directed graph; budget=2 without "
                 "samples makes it exact, direction=both forgets the directions");
    assert_null(lens);
    dgm_graph_free(graph);
}

/* ---- a slow checker ---- */

enum { SLOW = 90 };

/* All distances by Floyd and Warshall: between[u][v] along arcs, shorter where both ways count. */
static void all_distances(const dgm_graph *graph, bool weighted, bool both,
                          double between[SLOW][SLOW]) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t v = 0; v < rows.nodes; v++)
            between[u][v] = u == v ? 0 : INFINITY;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            uint32_t v = rows.targets[e];
            double length = weighted ? rows.weights[e] : 1;
            between[u][v] = fmin(between[u][v], length);
            if (both)
                between[v][u] = fmin(between[v][u], length);
        }
    for (int64_t k = 0; k < rows.nodes; k++)
        for (int64_t u = 0; u < rows.nodes; u++)
            for (int64_t v = 0; v < rows.nodes; v++)
                between[u][v] = fmin(between[u][v], between[u][k] + between[k][v]);
}

/* The lens by its definition. `in`: distances to the node. */
static double slow_value(const char *name, double between[SLOW][SLOW], int64_t nodes, int64_t u,
                         bool in) {
    double reach = 0, sum = 0, harmonic = 0, most = 0, density = 1, others = (double)nodes - 1;
    for (int64_t v = 0; v < nodes; v++) {
        double d = in ? between[v][u] : between[u][v];
        if (v == u || isinf(d))
            continue;
        reach++;
        sum += d;
        harmonic += 1 / d;
        most = fmax(most, d);
        density += exp(-d);
    }
    if (strcmp(name, "agd") == 0)
        return reach > 0 ? sum / reach * others / reach : NAN;
    if (strcmp(name, "closeness") == 0)
        return reach > 0 ? reach / sum * reach / others : 0;
    return strcmp(name, "harmonic") == 0 ? harmonic : strcmp(name, "density") == 0 ? density : most;
}

static void compare_direction(const dgm_graph *graph, const char *name, const char *direction,
                              bool weighted, bool in) {
    static double between[SLOW][SLOW];
    char lens[64];
    snprintf(lens, sizeof lens, "%s:direction=%s%s", name, direction, weighted ? ",weighted" : "");
    dgm_matrix *values = run(graph, lens, 1);
    double largest = 0;
    all_distances(graph, weighted, strcmp(direction, "both") == 0, between);
    for (int64_t u = 0; u < SLOW; u++)
        largest = fmax(largest, dgm_matrix_values(values)[u]);
    for (int64_t u = 0; u < SLOW; u++) {
        double expected = slow_value(name, between, SLOW, u, in);
        if (isnan(expected))
            expected = largest;
        assert_near(dgm_matrix_values(values)[u], expected, 1e-12 * fabs(expected));
    }
    dgm_matrix_free(values);
}

static void directions_are_those_asked_for(void **state) {
    (void)state;
    static const char *const names[] = {"agd", "closeness", "harmonic", "eccentricity", "density"};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint32_t ends[2 * 200];
        double weights[200];
        uint64_t bits = seed;
        for (int i = 0; i < 200; i++) {
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            ends[2 * i] = (uint32_t)(bits >> 33) % SLOW;
            ends[2 * i + 1] = (uint32_t)(bits >> 43) % SLOW;
            weights[i] = 1 + (double)(bits >> 60);
        }
        /* From 60 arcs, many parts, to 200, nearly one. */
        dgm_graph *graph =
            build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true},
                        SLOW, seed % 2 ? 60 : 200, ends, weights);
        for (int64_t i = 0; i < COUNT(names); i++)
            for (int weighted = 0; weighted < 2; weighted++) {
                bool usually_in = i == 1 || i == 2;
                compare_direction(graph, names[i], "in", weighted, true);
                compare_direction(graph, names[i], "out", weighted, false);
                compare_direction(graph, names[i], "both", weighted, false);
                compare_direction(graph, names[i], "usual", weighted, usually_in);
            }
        dgm_graph_free(graph);
    }
}

/* Bounds that meet are the values: against all distances, on graphs that take few searches and on
 * graphs that take more than are tried. */
static void eccentricities_are_exact(void **state) {
    (void)state;
    static double between[SLOW][SLOW];
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint32_t ends[2 * 2 * SLOW];
        int64_t count = 0;
        uint64_t bits = seed + 1;
        for (uint32_t u = 1; u < SLOW; u++, count++) { /* a path, or trees from long to short */
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            uint32_t back = seed % 6 == 0 ? 1 : 1 + (uint32_t)(bits >> 40) % (1 + seed % 6 * 4);
            ends[2 * count] = u;
            ends[2 * count + 1] = back > u ? 0 : u - back;
        }
        for (uint64_t more = seed / 6 * 4; more > 0; more--, count++) { /* and chords */
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            ends[2 * count] = (uint32_t)(bits >> 33) % SLOW;
            ends[2 * count + 1] = (uint32_t)(bits >> 43) % SLOW;
        }
        dgm_graph *graph = build_graph(NULL, SLOW, count, ends, NULL);
        dgm_matrix *values = run(graph, seed % 2 ? "eccentricity:budget=10" : "eccentricity", 1);
        all_distances(graph, false, true, between);
        for (int64_t u = 0; u < SLOW; u++)
            assert_near(dgm_matrix_values(values)[u],
                        slow_value("eccentricity", between, SLOW, u, false), 0);
        dgm_matrix_free(values);
        dgm_graph_free(graph);
    }
}

/* A ring has no middle: no two bounds meet before half of its nodes were sources. Beyond the budget
 * the value is a bound, and within what the note says. */
static void eccentricities_of_a_ring_are_bounds_beyond_the_budget(void **state) {
    (void)state;
    enum { RING = 3001 };
    static uint32_t ends[2 * RING];
    for (uint32_t u = 0; u < RING; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = (u + 1) % RING;
    }
    dgm_graph *graph = build_graph(NULL, 0, RING, ends, NULL);
    dgm_matrix *exact = run(graph, "eccentricity", 1);
    dgm_matrix *values = run(graph, "eccentricity:budget=10", 1);
    double most = dgm_matrix_column_error(values, 0);
    for (int64_t u = 0; u < RING; u++) {
        double lack = RING / 2 - dgm_matrix_values(values)[u];
        assert_near(dgm_matrix_values(exact)[u], RING / 2, 0);
        assert_true(lack >= 0 && lack <= most);
    }
    assert_true(most < RING / 10);
    dgm_matrix_free(exact);
    dgm_matrix_free(values);
    dgm_graph_free(graph);
}

/* ---- memory and defaults ---- */

/* Lets `left` more allocations pass. */
typedef struct {
    int64_t left;
} rationed;

static void *ration(void *user, void *block, size_t size) {
    rationed *r = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return r->left-- > 0 ? realloc(block, size) : NULL;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static const char *const lenses[] = {"agd", "eccentricity:samples=64", "harmonic:samples=64",
                                         "density:weighted"};
    uint32_t ends[2 * MOST];
    double weights[MOST];
    for (uint32_t u = 0; u < 1500; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = (u * 7 + 1) % 1500;
        weights[u] = 1;
    }
    dgm_graph *graph =
        build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .keep_loops = true}, 0,
                    1500, ends, weights);
    for (int64_t i = 0; i < COUNT(lenses); i++) {
        dgm_status status = DGM_ERROR_MEMORY;
        for (int64_t k = 0; status != DGM_OK; k++) {
            rationed r = {INT64_MAX};
            const dgm_allocator allocator = {ration, &r};
            dgm_context *poor;
            dgm_matrix *lens;
            assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
            r.left = k;
            status = lens_axes(poor, graph, lenses[i], 1, &lens);
            assert_true(status == DGM_OK || (status == DGM_ERROR_MEMORY && !lens));
            assert_int_equal(status == DGM_OK, dgm_context_error(poor)[0] == '\0');
            dgm_matrix_free(lens);
            dgm_context_free(poor);
        }
    }
    dgm_graph_free(graph);
}

/* Without options the defaults hold, and a directed graph may be sampled where its directions do
 * not count. */
static void defaults_and_forgotten_directions(void **state) {
    (void)state;
    const dgm_distance_options options = DGM_DISTANCE_OPTIONS_INIT;
    dgm_status (*const lenses[])(dgm_context *, const dgm_graph *, const dgm_distance_options *,
                                 dgm_matrix **) = {dgm_lens_closeness, dgm_lens_eccentricity};
    dgm_graph *path = build_graph(NULL, 0, 3, (const uint32_t[]){0, 1, 1, 2, 2, 3}, NULL);
    for (int64_t i = 0; i < COUNT(lenses); i++) {
        dgm_matrix *plain, *same;
        assert_int_equal(lenses[i](ctx, path, NULL, &plain), DGM_OK);
        assert_int_equal(lenses[i](ctx, path, &options, &same), DGM_OK);
        assert_memory_equal(dgm_matrix_values(plain), dgm_matrix_values(same), 4 * sizeof(double));
        dgm_matrix_free(plain);
        dgm_matrix_free(same);
    }
    dgm_graph_free(path);
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *arcs = build_graph(&directed, 0, 3, (const uint32_t[]){0, 1, 2, 1, 2, 3}, NULL);
    dgm_distance_options sampled = options;
    dgm_matrix *lens;
    sampled.samples = 100;
    sampled.direction = DGM_DIRECTION_OUT;
    assert_int_equal(dgm_lens_eccentricity(ctx, arcs, &sampled, &lens), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "direction=both forgets the directions");
    sampled.direction = DGM_DIRECTION_BOTH;
    assert_int_equal(dgm_lens_eccentricity(ctx, arcs, &sampled, &lens), DGM_OK);
    assert_memory_equal(dgm_matrix_values(lens), ((const double[]){3, 2, 2, 3}),
                        4 * sizeof(double));
    dgm_matrix_free(lens);
    dgm_graph_free(arcs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lenses_are_those_of_networkx_and_scipy),
        cmocka_unit_test(small_components_are_not_central),
        cmocka_unit_test(directions_are_those_of_the_measure),
        cmocka_unit_test(no_edges_and_no_nodes_are_fine),
        cmocka_unit_test(loops_change_nothing),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(directions_are_those_asked_for),
        cmocka_unit_test(eccentricities_are_exact),
        cmocka_unit_test(eccentricities_of_a_ring_are_bounds_beyond_the_budget),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(defaults_and_forgotten_directions),
    };
    return RUN_WITH_CONTEXT(tests);
}
