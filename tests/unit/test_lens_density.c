/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static dgm_graph *generate(dgm_generator kind, int64_t nodes, int64_t edges) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static dgm_matrix *density(const dgm_graph *graph, const dgm_density_options *options) {
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_density(ctx, graph, options, &lens), DGM_OK);
    assert_int_equal(dgm_matrix_columns(lens), 1);
    assert_string_equal(dgm_matrix_column_name(lens, 0), "density");
    return lens;
}

/* A path of ends 0 .. n - 1: node v has a node at distance d on each side that is long enough. */
static void a_path_is_a_sum_over_both_sides(void **state) {
    (void)state;
    enum { N = 40 };
    uint32_t ends[2 * N];
    for (uint32_t i = 0; i + 1 < N; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *graph = build_graph(NULL, 0, N - 1, ends, NULL);
    for (int which = 0; which < 3; which++) {
        dgm_density_options options = DGM_DENSITY_OPTIONS_INIT;
        if (which == 1)
            options.epsilon = 6;
        if (which == 2) {
            options.delta = 3;
            options.cutoff = 7.5;
        }
        dgm_matrix *lens = density(graph, &options);
        assert_true(isnan(dgm_matrix_column_error(lens, 0)));
        for (int v = 0; v < N; v++) {
            double expected = 0;
            for (int u = 0; u < N; u++) {
                double d = abs(u - v);
                if (d <= options.cutoff)
                    expected += which == 0 ? exp(-d) : which == 1 ? exp(-d * d / 6) : exp(-d / 3);
            }
            assert_near(dgm_matrix_values(lens)[v], expected, 1e-12 * expected);
        }
        dgm_matrix_free(lens);
    }
    dgm_graph_free(graph);
}

static void a_star_and_a_complete_graph_have_closed_forms(void **state) {
    (void)state;
    uint32_t ends[200];
    for (uint32_t i = 0; i < 9; i++) {
        ends[2 * i] = 0;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *star = build_graph(NULL, 0, 9, ends, NULL);
    dgm_matrix *lens = density(star, NULL);
    assert_near(dgm_matrix_values(lens)[0], 1 + 9 * exp(-1), 1e-13);
    for (int leaf = 1; leaf <= 9; leaf++)
        assert_near(dgm_matrix_values(lens)[leaf], 1 + exp(-1) + 8 * exp(-2), 1e-13);
    dgm_matrix_free(lens);
    dgm_graph_free(star);
    int64_t count = 0;
    for (uint32_t u = 0; u < 10; u++)
        for (uint32_t v = 0; v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
    dgm_graph *complete = build_graph(NULL, 0, count, ends, NULL);
    lens = density(complete,
                   &(dgm_density_options){
                       .size = sizeof(dgm_density_options), .delta = 2, .cutoff = 1, .budget = 10});
    for (int v = 0; v < 10; v++)
        assert_near(dgm_matrix_values(lens)[v], 1 + 9 * exp(-0.5), 1e-13);
    dgm_matrix_free(lens);
    dgm_graph_free(complete);
}

static void nodes_out_of_reach_do_not_count(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 5, 1, (const uint32_t[]){1, 3}, NULL);
    dgm_matrix *lens = density(graph, NULL);
    const double expected[] = {1, 1 + exp(-1), 1, 1 + exp(-1), 1};
    for (int v = 0; v < 5; v++)
        assert_near(dgm_matrix_values(lens)[v], expected[v], 1e-15);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 0, 0, NULL, NULL);
    lens = density(graph, NULL);
    assert_int_equal(dgm_matrix_rows(lens), 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void directions_are_followed(void **state) {
    (void)state;
    dgm_graph *graph =
        build_graph(&(dgm_graph_options){.size = sizeof(dgm_graph_options), .directed = true}, 0, 2,
                    (const uint32_t[]){0, 1, 1, 2}, NULL);
    dgm_matrix *lens = density(graph, NULL);
    assert_near(dgm_matrix_values(lens)[0], 1 + exp(-1) + exp(-2), 1e-15);
    assert_near(dgm_matrix_values(lens)[1], 1 + exp(-1), 1e-15);
    assert_near(dgm_matrix_values(lens)[2], 1, 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* The direct way from 0 to 2 is longer than the one through 1. */
static void weights_are_lengths_on_request(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 0, 2};
    dgm_graph *graph = build_graph(NULL, 0, 3, ends, (const double[]){0.5, 0.75, 2});
    dgm_density_options options = DGM_DENSITY_OPTIONS_INIT;
    options.weighted = true;
    dgm_matrix *lens = density(graph, &options);
    assert_near(dgm_matrix_values(lens)[0], 1 + exp(-0.5) + exp(-1.25), 1e-15);
    dgm_matrix_free(lens);
    lens = density(graph, NULL);
    assert_near(dgm_matrix_values(lens)[0], 1 + 2 * exp(-1), 1e-15);
    dgm_matrix_free(lens);
    options.cutoff = 0.5;
    lens = density(graph, &options);
    assert_near(dgm_matrix_values(lens)[2], 1, 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 0, 1, ends, (const double[]){-1});
    ASSERT_FAILS(dgm_lens_density(ctx, graph, &options, &lens), DGM_ERROR_DATA,
                 "weights as lengths must be above 0; the edge from 0 to 1 weighs -1");
    assert_null(lens);
    dgm_graph_free(graph);
}

static void bad_values_say_the_bounds(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"density:delta=0", "the lens 'density': delta takes a number of at least 1e-06, not '0'"},
        {"density:epsilon=-1", "the lens 'density': epsilon takes a number of at least 1e-06, not "
                               "'-1'"},
        {"density:cutoff=-1", "the lens 'density': cutoff takes a number of at least 0, not '-1'"},
        {"density:delta=1,epsilon=2", "the lens 'density' takes delta or epsilon, not both"},
        {"density:samples=15", "the lens 'density': samples takes a whole number from 16 on (or 0: "
                               "1024 beyond the budget), not 15"},
    };
    dgm_graph *graph = generate(DGM_GENERATE_KARATE, 0, 0);
    dgm_matrix *lens;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        ASSERT_FAILS(lens_axes(ctx, graph, cases[i][0], 1, &lens), DGM_ERROR_USAGE, cases[i][1]);
        assert_null(lens);
    }
    dgm_density_options options = DGM_DENSITY_OPTIONS_INIT;
    options.delta = -1;
    assert_int_equal(dgm_lens_density(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    options.delta = NAN;
    assert_int_equal(dgm_lens_density(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    options.delta = 0;
    options.samples = -1;
    assert_int_equal(dgm_lens_density(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

/* ---- samples ---- */

static char note[512];
static int notes;

static void keep_note(void *user, const char *text) {
    (void)user;
    notes++;
    snprintf(note, sizeof note, "%s", text);
}

/* The half-width that the note prints. */
static double printed_interval(void) {
    const char *at = strstr(note, "95% interval +-");
    assert_non_null(at);
    return strtod(at + strlen("95% interval +-"), NULL);
}

static double largest_difference(const dgm_matrix *a, const dgm_matrix *b) {
    double largest = 0;
    for (int64_t i = 0; i < dgm_matrix_rows(a); i++)
        largest = fmax(largest, fabs(dgm_matrix_values(a)[i] - dgm_matrix_values(b)[i]));
    return largest;
}

/* In at least 180 of 200 runs all nodes lie within the printed interval; and it says something: it
 * is a small multiple of what the error really is. */
static void the_printed_interval_holds(void **state) {
    (void)state;
    static const dgm_generator kinds[] = {DGM_GENERATE_BA, DGM_GENERATE_WS};
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t i = 0; i < COUNT(kinds); i++) {
        dgm_graph *graph = generate(kinds[i], 400, 1200);
        dgm_density_options options = DGM_DENSITY_OPTIONS_INIT;
        options.delta = 2;
        dgm_matrix *exact = density(graph, &options);
        int held = 0;
        double share = 0;
        for (options.seed = 1; options.seed <= 200; options.seed++) {
            options.samples = 80;
            dgm_matrix *lens = density(graph, &options);
            double interval = printed_interval(), error = largest_difference(lens, exact);
            assert_true(dgm_matrix_column_error(lens, 0) < interval);
            held += error <= interval;
            share += error / interval / 200;
            dgm_matrix_free(lens);
        }
        print_message("# held in %d of 200, error %.2f of the interval\n", held, share);
        assert_in_range(held, 180, 200);
        assert_true(share > 0.2);
        dgm_matrix_free(exact);
        dgm_graph_free(graph);
    }
    dgm_context_set_notes(ctx, NULL, NULL);
}

static void samples_begin_beyond_the_budget(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 1200, 4000);
    dgm_context_set_notes(ctx, keep_note, NULL);
    notes = 0;
    dgm_matrix *exact = density(graph, NULL), *lens;
    dgm_density_options options = DGM_DENSITY_OPTIONS_INIT;
    options.budget = 1200;
    lens = density(graph, &options);
    assert_memory_equal(dgm_matrix_values(lens), dgm_matrix_values(exact), 1200 * sizeof(double));
    dgm_matrix_free(lens);
    assert_int_equal(notes, 0);
    options.budget = 1199;
    lens = density(graph, &options);
    assert_int_equal(notes, 1);
    ASSERT_HAS(note, "density is estimated from 1024 sources a component: standard error ");
    ASSERT_HAS(note, "(budget=1200 without samples makes it exact)");
    assert_true(dgm_matrix_column_error(lens, 0) > 0);
    assert_true(largest_difference(lens, exact) > 0);
    assert_true(largest_difference(lens, exact) < printed_interval());
    dgm_matrix_free(lens);
    /* As many draws as nodes are all of them. */
    options.samples = 1200;
    lens = density(graph, &options);
    assert_memory_equal(dgm_matrix_values(lens), dgm_matrix_values(exact), 1200 * sizeof(double));
    assert_true(isnan(dgm_matrix_column_error(lens, 0)));
    assert_int_equal(notes, 1);
    dgm_matrix_free(lens);
    dgm_matrix_free(exact);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_graph_free(graph);
}

static void a_sample_is_of_the_seed_alone(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_BA, 600, 2000);
    dgm_matrix *first, *again, *other;
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(lens_axes(ctx, graph, "density:samples=50", 7, &first), DGM_OK);
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(lens_axes(ctx, graph, "density:samples=50,seed=7", 1, &again), DGM_OK);
    assert_int_equal(lens_axes(ctx, graph, "density:samples=50", 8, &other), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(dgm_matrix_values(first), dgm_matrix_values(again), 600 * sizeof(double));
    assert_true(largest_difference(first, other) > 0);
    dgm_matrix_free(first);
    dgm_matrix_free(again);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_a_sum_over_both_sides),
        cmocka_unit_test(a_star_and_a_complete_graph_have_closed_forms),
        cmocka_unit_test(nodes_out_of_reach_do_not_count),
        cmocka_unit_test(directions_are_followed),
        cmocka_unit_test(weights_are_lengths_on_request),
        cmocka_unit_test(bad_values_say_the_bounds),
        cmocka_unit_test(the_printed_interval_holds),
        cmocka_unit_test(samples_begin_beyond_the_budget),
        cmocka_unit_test(a_sample_is_of_the_seed_alone),
    };
    return RUN_WITH_CONTEXT(tests);
}
