/* SPDX-License-Identifier: Apache-2.0 */
#include "lens_golden.h"

static void betweenness_is_that_of_networkx(void **state) {
    (void)state;
    assert_int_equal(check_golden("lens_local.txt", "betweenness"), 50);
}

static void run(const dgm_graph *graph, const dgm_betweenness_options *options, dgm_matrix **lens) {
    assert_int_equal(dgm_lens_betweenness(ctx, graph, options, lens), DGM_OK);
    assert_string_equal(dgm_matrix_column_name(*lens, 0), "betweenness");
    assert_int_equal(dgm_matrix_rows(*lens), dgm_graph_nodes(graph));
    for (int64_t u = 0; u < dgm_matrix_rows(*lens); u++)
        assert_true(isfinite(dgm_matrix_values(*lens)[u]));
}

/* ---- against all pairs: distances and numbers of paths by Floyd and Warshall's order ---- */

enum { MOST = 40 };

static void all_pairs(dgm_graph_rows rows, bool weighted, double d[MOST][MOST],
                      double paths[MOST][MOST]) {
    int64_t n = rows.nodes;
    for (int64_t s = 0; s < n; s++)
        for (int64_t t = 0; t < n; t++) {
            d[s][t] = s == t ? 0 : INFINITY;
            paths[s][t] = s == t;
        }
    for (int64_t u = 0; u < n; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.targets[e] != u) {
                d[u][rows.targets[e]] = weighted ? rows.weights[e] : 1;
                paths[u][rows.targets[e]] = 1;
            }
    for (int64_t v = 0; v < n; v++)
        for (int64_t s = 0; s < n; s++)
            for (int64_t t = 0; t < n; t++) {
                double through = d[s][v] + d[v][t];
                if (s == v || t == v || s == t || isinf(through) || through > d[s][t])
                    continue;
                if (through < d[s][t])
                    paths[s][t] = 0;
                d[s][t] = through;
                paths[s][t] += paths[s][v] * paths[v][t];
            }
}

static double sum_of_shares(int64_t n, int64_t v, double d[MOST][MOST], double paths[MOST][MOST]) {
    double sum = 0;
    for (int64_t s = 0; s < n; s++)
        for (int64_t t = 0; t < n; t++)
            if (s != t && s != v && t != v && isfinite(d[s][t]) && d[s][v] + d[v][t] == d[s][t])
                sum += paths[s][v] * paths[v][t] / paths[s][t];
    return sum;
}

/* Lengths are small whole numbers, so that sums and ties are exact. */
static dgm_graph *draw_graph(int64_t seed, bool directed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const dgm_graph_options graph_options = {
        .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
    uint32_t ends[2 * 1024];
    double weights[1024];
    int64_t count = 0;
    dgm_graph *drawn;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = 32;
    options.edges = 30 + 12 * (seed % 5);
    options.seed = seed;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &drawn), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(drawn);
    for (uint32_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = rows.targets[e];
            weights[count] = (double)(1 + (u * 7 + rows.targets[e] * 7 + seed) % 3);
        }
    ends[1] = ends[0]; /* a loop */
    dgm_graph *graph = build_graph(&graph_options, 36, count, ends, weights);
    dgm_graph_free(drawn);
    return graph;
}

static void betweenness_is_the_sum_over_all_pairs(void **state) {
    (void)state;
    static double d[MOST][MOST], paths[MOST][MOST];
    for (int64_t seed = 0; seed < 24; seed++) {
        bool directed = seed % 2, weighted = seed / 2 % 2;
        dgm_graph *graph = draw_graph(seed, directed);
        const dgm_betweenness_options options = {
            sizeof(dgm_betweenness_options), weighted, false, 100, 3, 1};
        dgm_matrix *lens;
        run(graph, &options, &lens);
        assert_true(isnan(dgm_matrix_column_error(lens, 0)));
        all_pairs(dgm_graph_get_rows(graph), weighted, d, paths);
        for (int64_t v = 0; v < dgm_graph_nodes(graph); v++) {
            double expected = sum_of_shares(dgm_graph_nodes(graph), v, d, paths);
            assert_near(dgm_matrix_values(lens)[v], directed ? expected : expected / 2,
                        1e-10 * (1 + expected));
        }
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* The middle of three is on the only path between the other two; of two nodes none is between. */
static void the_smallest_graphs_are_normalised(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    const dgm_betweenness_options options = {
        sizeof(dgm_betweenness_options), false, true, 100, 3, 1};
    for (int64_t edges = 1; edges <= 2; edges++) {
        dgm_graph *graph = build_graph(NULL, 0, edges, ends, NULL);
        dgm_matrix *lens;
        run(graph, &options, &lens);
        assert_true(dgm_matrix_values(lens)[0] == 0);
        assert_near(dgm_matrix_values(lens)[1], edges == 2 ? 1 : 0, 1e-15);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
    dgm_graph_options directed = DGM_GRAPH_OPTIONS_INIT;
    directed.directed = true;
    dgm_graph *graph = build_graph(&directed, 0, 2, ends, NULL);
    dgm_matrix *lens;
    run(graph, &options, &lens);
    assert_near(dgm_matrix_values(lens)[1], 0.5, 1e-15); /* one of the two ordered pairs */
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* ---- paths beyond the range of a double ---- */

/* `count` squares in a row, corner to corner: ends 0, 3, 6, ..., and between them two ways. */
static dgm_graph *row_of_squares(int64_t count, double length) {
    enum { SQUARES = 1100 };
    static uint32_t ends[8 * SQUARES];
    static double weights[4 * SQUARES];
    assert_true(count <= SQUARES);
    for (int64_t i = 0; i < count; i++) {
        uint32_t a = (uint32_t)(3 * i);
        const uint32_t square[] = {a, a + 1, a, a + 2, a + 1, a + 3, a + 2, a + 3};
        memcpy(ends + 8 * i, square, sizeof square);
        for (int j = 0; j < 4; j++)
            weights[4 * i + j] = length;
    }
    return build_graph(NULL, 0, 4 * count, ends, weights);
}

/* A node between two ends lies on half of the paths from what is left of it to what is right. */
static void more_paths_than_a_double_can_count_are_fine(void **state) {
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++) {
        int64_t squares = weighted ? 1030 : 1100; /* 2^1100 paths from end to end */
        dgm_graph *graph = row_of_squares(squares, 0.5);
        const dgm_betweenness_options options = {
            sizeof(dgm_betweenness_options), weighted, false, 10000, 3, 1};
        dgm_matrix *lens;
        run(graph, &options, &lens);
        for (int64_t i = 0; i < squares; i++) {
            double left = (double)(3 * i + 1), right = (double)(3 * (squares - i - 1) + 1);
            assert_near(dgm_matrix_values(lens)[3 * i + 1], left * right / 2, 1e-9 * left * right);
            assert_near(dgm_matrix_values(lens)[3 * i + 2], left * right / 2, 1e-9 * left * right);
        }
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* 1e-300 vanishes beside 1: distances are equal, and still every node is behind the one before. */
static void lengths_that_vanish_in_rounding_give_finite_values(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 1, 3, 4};
    const double weights[] = {1, 1e-300, 1e-300, 1e-300, 1};
    dgm_graph *graph = build_graph(NULL, 0, 5, ends, weights);
    const dgm_betweenness_options options = {
        sizeof(dgm_betweenness_options), true, true, 100, 3, 1};
    dgm_matrix *lens;
    run(graph, &options, &lens);
    for (int u = 0; u < 5; u++)
        assert_true(dgm_matrix_values(lens)[u] >= 0 && dgm_matrix_values(lens)[u] <= 1);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* ---- samples ---- */

static char last_note[512];
static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
}

static double printed(const char *before) {
    const char *found = strstr(last_note, before);
    assert_non_null(found);
    return strtod(found + strlen(before), NULL);
}

static double largest_difference(const dgm_matrix *a, const dgm_matrix *b) {
    double largest = 0;
    for (int64_t u = 0; u < dgm_matrix_rows(a); u++)
        largest = fmax(largest, fabs(dgm_matrix_values(a)[u] - dgm_matrix_values(b)[u]));
    return largest;
}

/* In how many of 200 runs all nodes lie in the printed interval; numbers are printed to 3 digits.
 */
static int runs_within(const dgm_graph *graph, bool weighted, int64_t samples) {
    const dgm_betweenness_options all = {
        sizeof(dgm_betweenness_options), weighted, true, 100000, 3, 1};
    dgm_matrix *exact;
    int within = 0;
    run(graph, &all, &exact);
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t seed = 0; seed < 200; seed++) {
        const dgm_betweenness_options some = {
            sizeof(dgm_betweenness_options), weighted, true, 0, samples, seed};
        dgm_matrix *lens;
        run(graph, &some, &lens);
        double error = dgm_matrix_column_error(lens, 0);
        assert_near(printed("standard error "), error, 0.006 * error);
        within += largest_difference(lens, exact) <= 1.006 * printed("interval +-") + 1e-12;
        dgm_matrix_free(lens);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(exact);
    return within;
}

static void all_nodes_are_in_the_printed_interval_in_180_of_200_runs(void **state) {
    (void)state;
    static const int kinds[] = {DGM_GENERATE_KARATE, DGM_GENERATE_BA,  DGM_GENERATE_WS,
                                DGM_GENERATE_GRID,   DGM_GENERATE_SBM, DGM_GENERATE_RMAT};
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.nodes = 200;
    options.edges = 500;
    for (int64_t i = 0; i < COUNT(kinds); i++)
        for (int64_t samples = 16; samples <= 32; samples *= 2) {
            dgm_graph *graph;
            options.kind = kinds[i];
            assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
            int within = runs_within(graph, false, samples);
            if (within < 180)
                fail_msg("%s, %d samples: %d runs of 200", dgm_generator_names()[kinds[i]],
                         (int)samples, within);
            dgm_graph_free(graph);
        }
}

static void weighted_and_directed_samples_hold_their_interval(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = draw_graph(4, directed);
        assert_true(runs_within(graph, true, 12) >= 180);
        dgm_graph_free(graph);
    }
}

/* Every source but the centre says the same of it, so any sample is exact. */
static void a_star_is_exact_from_any_sample(void **state) {
    (void)state;
    uint32_t ends[2 * 50];
    for (uint32_t i = 0; i < 50; i++) {
        ends[2 * i] = 0;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *graph = build_graph(NULL, 0, 50, ends, NULL);
    for (int64_t seed = 0; seed < 20; seed++) {
        const dgm_betweenness_options some = {
            sizeof(dgm_betweenness_options), false, true, 50, 5, seed};
        dgm_matrix *lens;
        run(graph, &some, &lens);
        assert_near(dgm_matrix_values(lens)[0], 1, 1e-14);
        assert_near(dgm_matrix_values(lens)[1], 0, 0);
        assert_near(dgm_matrix_column_error(lens, 0), 0, 1e-14);
        dgm_matrix_free(lens);
    }
    dgm_graph_free(graph);
}

static void samples_that_are_all_nodes_are_exact(void **state) {
    (void)state;
    dgm_graph *graph = draw_graph(1, false);
    const dgm_betweenness_options some = {sizeof(dgm_betweenness_options), false, true, 0, 36, 1};
    dgm_matrix *lens, *exact;
    run(graph, &some, &lens);
    run(graph, NULL, &exact);
    assert_true(isnan(dgm_matrix_column_error(lens, 0)));
    assert_near(largest_difference(lens, exact), 0, 0);
    dgm_matrix_free(lens);
    dgm_matrix_free(exact);
    dgm_graph_free(graph);
}

static void the_seed_of_the_run_draws_the_sample(void **state) {
    (void)state;
    dgm_graph *graph = draw_graph(1, false);
    dgm_matrix *one, *same, *other;
    assert_int_equal(lens_axes(ctx, graph, "betweenness:budget=9,samples=9", 5, &one), DGM_OK);
    assert_int_equal(lens_axes(ctx, graph, "betweenness:budget=9,samples=9,seed=5", 1, &same),
                     DGM_OK);
    assert_int_equal(lens_axes(ctx, graph, "betweenness:budget=9,samples=9", 6, &other), DGM_OK);
    assert_near(largest_difference(one, same), 0, 0);
    assert_true(largest_difference(one, other) > 0);
    dgm_matrix_free(one);
    dgm_matrix_free(same);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

/* ---- the rest ---- */

static void values_are_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = 1 << 11;
    options.edges = 6000;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    for (int64_t budget = 0; budget <= 10000; budget += 10000) {
        const dgm_betweenness_options use = {
            sizeof(dgm_betweenness_options), false, true, budget, 300, 1};
        dgm_matrix *one, *other;
        dgm_context_set_threads(ctx, 1);
        run(graph, &use, &one);
        dgm_context_set_threads(ctx, 5);
        run(graph, &use, &other);
        dgm_context_set_threads(ctx, 0);
        assert_memory_equal(dgm_matrix_values(one), dgm_matrix_values(other),
                            (size_t)dgm_matrix_rows(one) * sizeof(double));
        dgm_matrix_free(one);
        dgm_matrix_free(other);
    }
    dgm_graph_free(graph);
}

static void lengths_must_be_positive(void **state) {
    (void)state;
    const dgm_betweenness_options options = {
        sizeof(dgm_betweenness_options), true, true, 100, 3, 1};
    static const double bad[] = {0, -2};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, &bad[i]);
        dgm_matrix *lens;
        assert_int_equal(dgm_lens_betweenness(ctx, graph, &options, &lens), DGM_ERROR_DATA);
        ASSERT_HAS(dgm_context_error(ctx),
                   "weighted betweenness takes weights as lengths, which must be above 0; an edge "
                   "of node '0' weighs");
        assert_null(lens);
        dgm_graph_free(graph);
    }
}

static void options_out_of_bounds_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"betweenness:samples=2", "betweenness:budget=-1",
                                      "betweenness:seed=-1",   "betweenness:samples=x",
                                      "betweenness:k=3",       "betweenness:normalised=yes"};
    for (int64_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(dgm_lens_check(ctx, bad[i]), DGM_ERROR_USAGE);
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    const dgm_betweenness_options options = {sizeof(dgm_betweenness_options), false, true, 0, 0, 1};
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_betweenness(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    dgm_graph_free(graph);
}

static void an_empty_graph_has_an_empty_lens(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_matrix *lens;
    run(graph, NULL, &lens);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static bool stop(void *user, const char *stage, double fraction) {
    (void)fraction;
    ++*(int *)user;
    return strcmp(stage, "computing betweenness") != 0;
}

static void a_run_can_be_cancelled(void **state) {
    (void)state;
    dgm_graph *graph = draw_graph(1, false);
    dgm_matrix *lens;
    int calls = 0;
    dgm_context_set_progress(ctx, stop, &calls);
    assert_int_equal(dgm_lens_betweenness(ctx, graph, NULL, &lens), DGM_ERROR_CANCELLED);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_int_equal(calls, 1);
    assert_null(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(betweenness_is_that_of_networkx),
        cmocka_unit_test(betweenness_is_the_sum_over_all_pairs),
        cmocka_unit_test(the_smallest_graphs_are_normalised),
        cmocka_unit_test(more_paths_than_a_double_can_count_are_fine),
        cmocka_unit_test(lengths_that_vanish_in_rounding_give_finite_values),
        cmocka_unit_test(all_nodes_are_in_the_printed_interval_in_180_of_200_runs),
        cmocka_unit_test(weighted_and_directed_samples_hold_their_interval),
        cmocka_unit_test(a_star_is_exact_from_any_sample),
        cmocka_unit_test(samples_that_are_all_nodes_are_exact),
        cmocka_unit_test(the_seed_of_the_run_draws_the_sample),
        cmocka_unit_test(values_are_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(lengths_must_be_positive),
        cmocka_unit_test(options_out_of_bounds_are_refused),
        cmocka_unit_test(an_empty_graph_has_an_empty_lens),
        cmocka_unit_test(a_run_can_be_cancelled),
    };
    return RUN_WITH_CONTEXT(tests);
}
