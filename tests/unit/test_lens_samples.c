/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses of distances from some sources alone, against the exact values: errors are what they are
 * said to be. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "distance_sample.h"

static char note[512];

static void keep_note(void *user, const char *text) {
    (void)user;
    snprintf(note, sizeof note, "%s", text);
}

static double largest_difference(const dgm_matrix *a, const dgm_matrix *b) {
    double largest = 0;
    for (int64_t i = 0; i < dgm_matrix_rows(a); i++)
        largest = fmax(largest, fabs(dgm_matrix_values(a)[i] - dgm_matrix_values(b)[i]));
    return largest;
}

/* Runs the lens 200 times and counts those in which every node lies within the printed interval;
 * *share is the mean of the largest error, as a part of the interval. */
static int count_held(const dgm_graph *graph, const char *name, const char *keys, double *share) {
    char lens[64];
    snprintf(lens, sizeof lens, "%s:%s", name, keys);
    dgm_matrix *exact = run(graph, name, 1);
    int held = 0;
    *share = 0;
    for (int64_t seed = 1; seed <= 200; seed++) {
        dgm_matrix *values = run(graph, lens, seed);
        const char *at = strstr(note, "95% interval +-");
        assert_non_null(at);
        double interval = strtod(at + strlen("95% interval +-"), NULL);
        double error = largest_difference(values, exact);
        assert_true(dgm_matrix_column_error(values, 0) > 0);
        held += error <= interval;
        *share += error / interval / 200;
        dgm_matrix_free(values);
    }
    dgm_matrix_free(exact);
    return held;
}

/* Intervals of 95% hold in nine runs of ten, and errors are not far below them. */
static void check_intervals(const dgm_graph *graph, const char *lens, double least_share) {
    double share;
    int held = count_held(graph, lens, "samples=80", &share);
    print_message("# %s: held in %d of 200, error %.2f of the interval\n", lens, held, share);
    assert_in_range(held, 180, 200);
    assert_true(share > least_share);
}

static dgm_graph *generate(dgm_generator kind, int64_t nodes, int64_t edges, bool directed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    const dgm_graph_options reading = {.size = sizeof(dgm_graph_options), .directed = directed};
    assert_int_equal(dgm_graph_generate(ctx, &options, &reading, &graph), DGM_OK);
    return graph;
}

static void the_printed_intervals_hold(void **state) {
    (void)state;
    static const char *const names[] = {"agd", "closeness", "harmonic"};
    static const dgm_generator kinds[] = {DGM_GENERATE_BA, DGM_GENERATE_WS};
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t k = 0; k < COUNT(kinds); k++)
        for (int64_t i = 0; i < COUNT(names); i++) {
            dgm_graph *graph = generate(kinds[k], 400, 1200, false);
            check_intervals(graph, names[i], 0.2);
            dgm_graph_free(graph);
        }
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* A ring with chords, one way, and a tail that leads out of it, or (tail < 0) into it: one of the
 * two reaches all, the other only itself. */
static dgm_graph *one_way_ring(int64_t nodes, int64_t tail) {
    uint32_t ends[4 * MOST];
    int64_t count = 0;
    for (int64_t u = 0; u < nodes; u++) {
        ends[2 * count] = (uint32_t)u;
        ends[2 * count++ + 1] = (uint32_t)((u + 1) % nodes);
        if (u % 3 != 0)
            continue;
        ends[2 * count] = (uint32_t)u;
        ends[2 * count++ + 1] = (uint32_t)(u * u * 7 % nodes);
    }
    for (int64_t u = nodes; u < nodes + llabs(tail); u++, count++) {
        int64_t before = u > nodes ? u - 1 : 0;
        ends[2 * count] = (uint32_t)(tail > 0 ? before : u);
        ends[2 * count + 1] = (uint32_t)(tail > 0 ? u : before);
    }
    return build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true},
                       nodes, count, ends, NULL);
}

static void intervals_hold_in_directed_graphs(void **state) {
    (void)state;
    static const char *const names[] = {"agd", "closeness", "harmonic"};
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int tailed = 0; tailed < 2; tailed++)
        for (int64_t i = 0; i < COUNT(names); i++) {
            dgm_graph *graph = one_way_ring(401, tailed ? 100 : 0);
            check_intervals(graph, names[i], 0.05);
            dgm_graph_free(graph);
        }
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* The stated error is the largest over the nodes of what the runs really scatter by. */
static void errors_are_what_runs_scatter_by(void **state) {
    (void)state;
    enum { NODES = 501, RUNS = 200 };
    static const struct {
        const char *lens;
        int64_t tail;
    } cases[] = {{"agd:samples=150", -100},
                 {"density:delta=2,samples=150", -100},
                 {"closeness:samples=150", 100},
                 {"harmonic:samples=150", 100}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        double sums[NODES] = {0}, squares[NODES] = {0}, stated = 0, scatter = 0;
        dgm_graph *graph = one_way_ring(401, cases[i].tail);
        for (int64_t seed = 1; seed <= RUNS; seed++) {
            dgm_matrix *values = run(graph, cases[i].lens, seed);
            stated += dgm_matrix_column_error(values, 0) / RUNS;
            for (int64_t u = 0; u < NODES; u++) {
                double value = dgm_matrix_values(values)[u];
                sums[u] += value;
                squares[u] += value * value;
            }
            dgm_matrix_free(values);
        }
        for (int64_t u = 0; u < NODES; u++)
            scatter = fmax(scatter, sqrt((squares[u] - sums[u] * sums[u] / RUNS) / (RUNS - 1)));
        print_message("# %s: stated %.3g, scatter %.3g\n", cases[i].lens, stated, scatter);
        assert_true(stated > 0.8 * scatter && stated < 1.6 * scatter);
        dgm_graph_free(graph);
    }
}

/* All distances are 1: every sample tells the whole, also that a node was drawn itself. */
static void a_complete_graph_has_no_error(void **state) {
    (void)state;
    static uint32_t ends[2 * 60 * 59 / 2];
    static const char *const names[] = {"agd", "closeness", "harmonic", "density"};
    int64_t count = 0;
    for (uint32_t u = 0; u < 60; u++)
        for (uint32_t v = 0; v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
    dgm_graph *graph = build_graph(NULL, 0, count, ends, NULL);
    for (int64_t i = 0; i < COUNT(names); i++) {
        char lens[64];
        snprintf(lens, sizeof lens, "%s:samples=16", names[i]);
        dgm_matrix *exact = run(graph, names[i], 1), *values = run(graph, lens, 2);
        for (int64_t u = 0; u < 60; u++)
            assert_near(dgm_matrix_values(values)[u], dgm_matrix_values(exact)[u],
                        1e-12 * dgm_matrix_values(exact)[u]);
        assert_near(dgm_matrix_column_error(values, 0), 0, 1e-6);
        dgm_matrix_free(exact);
        dgm_matrix_free(values);
    }
    dgm_graph_free(graph);
}

static void a_sampled_eccentricity_is_a_bound(void **state) {
    (void)state;
    static const dgm_generator kinds[] = {DGM_GENERATE_BA, DGM_GENERATE_WS, DGM_GENERATE_GRID};
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        dgm_graph *graph = generate(kinds[k], 400, 800, false);
        dgm_matrix *exact = run(graph, "eccentricity", 1);
        for (int64_t seed = 1; seed <= 50; seed++) {
            dgm_matrix *values = run(graph, "eccentricity:samples=40", seed);
            ASSERT_HAS(note, "eccentricity is a lower bound from 40 sources a component");
            double most = dgm_matrix_column_error(values, 0);
            for (int64_t i = 0; i < dgm_matrix_rows(values); i++) {
                double lack = dgm_matrix_values(exact)[i] - dgm_matrix_values(values)[i];
                assert_true(lack >= 0 && lack <= most);
            }
            dgm_matrix_free(values);
        }
        dgm_matrix_free(exact);
        dgm_graph_free(graph);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
}

/* A star of short rays, with two long ones, to node 1 and to the last node. Where the last node is
 * drawn and node 1 is not, the last node is the only one whose value is too small. */
static void the_last_node_counts_for_the_bound(void **state) {
    (void)state;
    enum { NODES = 41, LAST = NODES - 1 };
    uint32_t ends[2 * LAST];
    double weights[LAST];
    int only_last = 0;
    for (uint32_t u = 1; u < NODES; u++) {
        ends[2 * u - 2] = 0;
        ends[2 * u - 1] = u;
        weights[u - 1] = u == 1 ? 99 : u == LAST ? 100 : 1;
    }
    dgm_graph *graph = build_graph(NULL, NODES, LAST, ends, weights);
    for (int64_t seed = 1; seed <= 100; seed++) {
        dgm_matrix *values = run(graph, "eccentricity:weighted,samples=16", seed);
        double most = dgm_matrix_column_error(values, 0), others = 0, last = 0;
        for (int64_t u = 0; u < NODES; u++) {
            double truth = u == 0 ? 100 : u == 1 || u == LAST ? 199 : 101;
            double lack = truth - dgm_matrix_values(values)[u];
            assert_true(lack >= -1e-9 && lack <= most + 1e-9);
            *(u == LAST ? &last : &others) += lack;
        }
        only_last += last > 1 && others < 1e-9;
        dgm_matrix_free(values);
    }
    assert_true(only_last > 0);
    dgm_graph_free(graph);
}

/* Components of no more nodes than samples are exact, whatever is drawn elsewhere. */
static void small_components_are_exact_in_samples(void **state) {
    (void)state;
    uint32_t ends[2 * MOST];
    int64_t count = 0;
    for (uint32_t u = 0; u < 200; u++, count++) {
        ends[2 * count] = u;
        ends[2 * count + 1] = (u + 1) % 200;
    }
    for (uint32_t u = 200; u < 219; u++, count++) {
        ends[2 * count] = u;
        ends[2 * count + 1] = u + 1;
    }
    dgm_graph *graph = build_graph(NULL, 225, count, ends, NULL);
    static const char *const names[] = {"agd", "closeness", "harmonic", "eccentricity", "density"};
    for (int64_t i = 0; i < COUNT(names); i++) {
        char lens[64];
        snprintf(lens, sizeof lens, "%s:samples=20", names[i]);
        dgm_matrix *exact = run(graph, names[i], 1), *values = run(graph, lens, 3);
        for (int64_t u = 200; u < 220; u++)
            assert_near(dgm_matrix_values(values)[u], dgm_matrix_values(exact)[u], 0);
        dgm_matrix_free(exact);
        dgm_matrix_free(values);
    }
    dgm_graph_free(graph);
}

static void weighted_samples_are_near(void **state) {
    (void)state;
    uint32_t ends[2 * MOST];
    double weights[MOST];
    for (uint32_t u = 0; u < 300; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = (u + 1) % 300;
        weights[u] = 1 + u % 7;
    }
    dgm_graph *graph = build_graph(NULL, 0, 300, ends, weights);
    dgm_matrix *exact = run(graph, "agd:weighted", 1);
    dgm_matrix *values = run(graph, "agd:weighted,samples=100", 5);
    assert_true(largest_difference(exact, values) < 5 * dgm_matrix_column_error(values, 0));
    assert_true(largest_difference(exact, values) > 0);
    dgm_matrix_free(exact);
    dgm_matrix_free(values);
    dgm_graph_free(graph);
}

static void joined_columns_keep_their_errors(void **state) {
    (void)state;
    static const char *const lenses[] = {"agd", "agd:samples=20"};
    dgm_graph *graph = generate(DGM_GENERATE_WS, 100, 300, false);
    dgm_lens_result *result;
    assert_int_equal(dgm_lens_run(ctx, graph, lenses, 2, NULL, &result), DGM_OK);
    const dgm_matrix *joined = dgm_lens_result_axes(result);
    assert_true(isnan(dgm_matrix_column_error(joined, 0)));
    assert_true(dgm_matrix_column_error(joined, 1) > 0);
    dgm_lens_result_free(result);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_intervals_hold),
        cmocka_unit_test(intervals_hold_in_directed_graphs),
        cmocka_unit_test(errors_are_what_runs_scatter_by),
        cmocka_unit_test(a_complete_graph_has_no_error),
        cmocka_unit_test(a_sampled_eccentricity_is_a_bound),
        cmocka_unit_test(the_last_node_counts_for_the_bound),
        cmocka_unit_test(small_components_are_exact_in_samples),
        cmocka_unit_test(weighted_samples_are_near),
        cmocka_unit_test(joined_columns_keep_their_errors),
    };
    return RUN_WITH_CONTEXT(tests);
}
