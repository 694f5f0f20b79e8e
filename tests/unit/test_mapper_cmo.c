/* SPDX-License-Identifier: Apache-2.0 */
/* As many intervals as the edges allow. */
#include "mapper_sample.h"

#include <math.h>

#include "base_random.h"
#include "mapper_stages.h"

#include "../check_random.h"

static dgm_mapper_options cmo(double gain) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_CMO;
    options.cluster = DGM_CLUSTER_NONE;
    options.gain = gain;
    return options;
}

/* A path with the lens 0, 1, ..., 100: V = 1, r = 1 / 0.4 = 2.5, n = (100 / 2.5 - 0.4) / 0.6 = 66. */
static void a_path_has_intervals_that_share_one_edge(void **state) {
    (void)state;
    double lens[101];
    uint32_t edges[100][2];
    for (uint32_t i = 0; i <= 100; i++)
        lens[i] = i;
    for (uint32_t i = 0; i < 100; i++) {
        edges[i][0] = i;
        edges[i][1] = i + 1;
    }
    dgm_graph *graph = build_graph(NULL, 101, 100, edges[0], NULL);
    dgm_mapper_options options = cmo(0.4);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    const dgm_mapper_options *found = dgm_summary_options(summary);
    assert_true(found->cover == DGM_COVER_CMO && found->intervals[0] == 66);
    assert_true(found->overlap[0] == 0.4 && found->intervals[1] == DGM_SAME);
    assert_int_equal(dgm_summary_get_clusters(summary).axes, 1);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 100);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void no_edge_is_lost_and_no_interval_more_would_do(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 100; number++) {
        check_random random = check_random_case(seed, 1, number);
        enum { NODES = 40, EDGES = 60 };
        double lens[NODES], longest = 0, low = INFINITY, high = -INFINITY;
        uint32_t edges[EDGES][2];
        for (int u = 0; u < NODES; u++) {
            lens[u] = u + check_random_unit(&random);
            low = fmin(low, lens[u]);
            high = fmax(high, lens[u]);
        }
        for (int e = 0; e < EDGES; e++) {
            uint32_t u = (uint32_t)check_random_below(&random, NODES - 5);
            edges[e][0] = u;
            edges[e][1] = u + (uint32_t)check_random_between(&random, 1, 5);
            longest = fmax(longest, fabs(lens[u] - lens[edges[e][1]]));
        }
        double gain = 0.34 + 0.15 * check_random_unit(&random);
        dgm_graph *graph = build_graph(NULL, NODES, EDGES, edges[0], NULL);
        dgm_mapper_options options = cmo(gain);
        dgm_summary *summary = map_graph(graph, 1, lens, &options);
        dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
        assert_int_equal(coverage.edges_inside, coverage.edges);
        double n = (double)dgm_summary_options(summary)->intervals[0] + 1;
        assert_true(gain * (high - low) / (n * (1 - gain) + gain) < longest * 1.000001);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

static void what_has_no_differences_is_one_interval_or_an_error(void **state) {
    (void)state;
    static const double same[] = {5, 5, 5}, steps[] = {1, 2, 3}, ends[] = {0, 1, 1};
    static const uint32_t edge[] = {0, 1};
    dgm_mapper_options options = cmo(0.4);
    dgm_graph *bare = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_graph *graph = build_graph(NULL, 3, 1, edge, NULL);
    dgm_summary *summary = map_graph(bare, 1, same, &options);
    assert_clusters(summary, "0 1 2");
    dgm_summary_free(summary);
    summary = map_graph(graph, 1, ends, &options); /* an edge as long as the range */
    assert_clusters(summary, "0 1 2");
    dgm_summary_free(summary);
    dgm_matrix *lens = build_matrix(3, 1, steps);
    ASSERT_FAILS(dgm_mapper_run(ctx, bare, lens, &options, &summary), DGM_ERROR_DATA,
                 "the cover cmo follows the differences of the lens along edges, and there are "
                 "none; use cover=adaptive:size=K");
    dgm_matrix_free(lens);
    dgm_graph_free(bare);
    dgm_graph_free(graph);
}

static void other_lenses_gains_and_graphs_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    dgm_matrix *two = build_matrix(2, 2, (const double[]){1, 2, 3, 4});
    dgm_matrix *one = build_matrix(2, 1, (const double[]){1, 2});
    dgm_mapper_options options = cmo(0.4);
    dgm_summary *summary;
    dgm_membership *membership;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, two, &options, &summary), DGM_ERROR_USAGE,
                 "the cover cmo is for one axis, and this lens has 2");
    ASSERT_FAILS(dgm_membership_from_lens(ctx, one, &options, DGM_MEMBERSHIP_ONES, &membership),
                 DGM_ERROR_USAGE, "the cover cmo needs the edges of a graph");
    options = cmo(0.5);
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover=cmo:gain=G takes a gain above 1/3 and below 1/2");
    assert_int_equal(dgm_cover_parse(ctx, "cmo:gain=0.35", &options, NULL, 0), DGM_OK);
    assert_true(options.cover == DGM_COVER_CMO && options.gain == 0.35);
    dgm_matrix_free(one);
    dgm_matrix_free(two);
    dgm_graph_free(graph);
}

/* Arcs count from whichever node they start, the first and the last one, too. */
static void the_longest_arc_counts_wherever_it_starts(void **state) {
    (void)state;
    static const double lens[] = {0, 10, 100, 15};
    static const struct {
        uint32_t arcs[4];
        int64_t intervals; /* floor((0.4 * 100 / V - 0.4) / 0.6) */
    } cases[] = {{{3, 1, 1, 0}, 6}, {{0, 1, 3, 1}, 6}, {{3, 0, 1, 0}, 3}, {{0, 3, 1, 0}, 3}};
    dgm_graph_options directed = DGM_GRAPH_OPTIONS_INIT;
    directed.directed = true;
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_graph *graph = build_graph(&directed, 4, 2, cases[i].arcs, NULL);
        dgm_mapper_options options = cmo(0.4);
        dgm_summary *summary = map_graph(graph, 1, lens, &options);
        assert_int_equal(dgm_summary_options(summary)->intervals[0], cases[i].intervals);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

/* No more than a million intervals, and one where an edge is nearly the whole range. */
static void the_number_of_intervals_has_bounds(void **state) {
    (void)state;
    static const double lens[] = {0, 1e-9, 1};
    const dgm_mapper_options options = cmo(0.4);
    for (uint32_t to = 1; to <= 2; to++) {
        const uint32_t edge[] = {0, to};
        dgm_graph *graph = build_graph(NULL, 3, 1, edge, NULL);
        dgm_summary *summary = map_graph(graph, 1, lens, &options);
        assert_int_equal(dgm_summary_options(summary)->intervals[0], to == 1 ? 1000000 : 1);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

/* ---- points ---- */

enum { POINTS = 120, WIDTH = 3 };

static dgm_graph *build_points(const float *features, int64_t count, int64_t width) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, count), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(
                         builder, count, &(dgm_graph_features){width, NULL, NULL, features}),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static double distance(const float *features, int a, int b, int metric) {
    double sum = 0, product = 0, x = 0, y = 0;
    for (int k = 0; k < WIDTH; k++) {
        double p = (double)features[a * WIDTH + k], q = (double)features[b * WIDTH + k];
        sum += (p - q) * (p - q);
        product += p * q;
        x += p * p;
        y += q * q;
    }
    return metric == DGM_METRIC_L2 ? sqrt(sum) : 1 - product / sqrt(x * y);
}

/* delta by its definition, over the subsamples that the library draws: the first places of a
 * shuffle of the points in the order of their widest column, which is column 0 here. */
static double slow_delta(const float *features, const int *order, int size, int runs, int metric) {
    double sum = 0;
    for (int k = 0; k < runs; k++) {
        int shuffled[POINTS];
        double most = 0;
        memcpy(shuffled, order, sizeof shuffled);
        for (int i = 0; i < size; i++) {
            int other = i + (int)dgmi_random_below(1, UINT64_C(0xc307) << 32 | (uint64_t)k,
                                                   (uint64_t)i, (uint64_t)(POINTS - i));
            int kept = shuffled[i];
            shuffled[i] = shuffled[other];
            shuffled[other] = kept;
        }
        for (int u = 0; u < POINTS; u++) {
            double nearest = INFINITY;
            for (int i = 0; i < size; i++)
                nearest = fmin(nearest, distance(features, u, shuffled[i], metric));
            most = fmax(most, nearest);
        }
        sum += most;
    }
    return sum / runs;
}

static const float *sorted_by;
static int compare_first(const void *a, const void *b) {
    float p = sorted_by[*(const int *)a * WIDTH], q = sorted_by[*(const int *)b * WIDTH];
    return (p > q) - (p < q);
}

static void points_near_each_other_are_those_of_the_definition(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 8; number++) {
        check_random random = check_random_case(seed, 2, number);
        int metric = number % 2 ? DGM_METRIC_COSINE : DGM_METRIC_L2, order[POINTS];
        float features[POINTS * WIDTH];
        double lens[POINTS], longest = 0, delta, found;
        for (int u = 0; u < POINTS; u++) {
            for (int k = 0; k < WIDTH; k++)
                features[u * WIDTH + k] = (float)((k ? 1 : 4) * (check_random_unit(&random) - 0.5));
            lens[u] = check_random_unit(&random);
            order[u] = u;
        }
        dgm_mapper_options options = cmo(0.4);
        options.near = DGM_NEAR_FEATURES;
        options.metric = metric;
        options.subsamples = 5;
        dgm_graph *graph = build_points(features, POINTS, WIDTH);
        assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, lens, &options, &found, &delta),
                         DGM_OK);
        if (metric == DGM_METRIC_L2) {
            /* 120 / (log 120)^1.001 = 25.03 */
            sorted_by = features;
            qsort(order, POINTS, sizeof *order, compare_first);
            assert_near(delta, slow_delta(features, order, 25, 5, metric), 1e-9);
        }
        for (int u = 0; u < POINTS; u++)
            for (int v = 0; v < u; v++)
                if (distance(features, u, v, metric) <= delta * (1 + 1e-12))
                    longest = fmax(longest, fabs(lens[u] - lens[v]));
        assert_near(found, longest, 1e-12);
        dgm_graph_free(graph);
    }
}

static void subsamples_follow_the_seed_and_not_the_threads(void **state) {
    (void)state;
    enum { MANY = 3000 };
    static float features[MANY * 2];
    static double lens[MANY];
    check_random random = check_random_case(1, 3, 1);
    for (int u = 0; u < MANY; u++) {
        features[2 * u] = (float)(lens[u] = check_random_unit(&random));
        features[2 * u + 1] = (float)check_random_unit(&random);
    }
    dgm_graph *graph = build_points(features, MANY, 2);
    dgm_mapper_options options = cmo(0.4);
    double longest, delta, others, other;
    options.subsamples = 3;
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, lens, &options, &longest, &delta), DGM_OK);
    dgm_context_set_threads(ctx, 4);
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, lens, &options, &others, &other), DGM_OK);
    assert_true(longest == others && delta == other);
    options.seed = 2;
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, lens, &options, &others, &other), DGM_OK);
    assert_true(delta != other);
    dgm_context_set_threads(ctx, 0);
    dgm_graph_free(graph);
}

/* Points on a line, the lens along it: neighbouring intervals share delta at least. */
static void intervals_are_as_long_as_near_points_allow(void **state) {
    (void)state;
    enum { MANY = 500 };
    float features[MANY];
    double lens[MANY], longest, delta;
    for (int u = 0; u < MANY; u++)
        features[u] = (float)(lens[u] = u);
    dgm_graph *graph = build_points(features, MANY, 1);
    dgm_mapper_options options = cmo(0.4);
    options.near = DGM_NEAR_FEATURES;
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, lens, &options, &longest, &delta), DGM_OK);
    assert_true(longest == floor(delta));
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    double length = longest / 0.4;
    assert_int_equal(dgm_summary_options(summary)->intervals[0],
                     (int64_t)floor((499 / length - 0.4) / 0.6 * (1 + 1e-12)));
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_matrix *table = build_matrix(3, 1, (const double[]){0, 1, 2});
    assert_int_equal(dgm_mapper_run(ctx, graph, table, &options, &summary), DGM_ERROR_DATA);
    assert_non_null(strstr(dgm_context_error(ctx), "the graph has no features to take for points"));
    options.beta = -1;
    assert_int_equal(dgm_mapper_run(ctx, graph, table, &options, &summary), DGM_ERROR_USAGE);
    dgm_matrix_free(table);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_intervals_that_share_one_edge),
        cmocka_unit_test(no_edge_is_lost_and_no_interval_more_would_do),
        cmocka_unit_test(what_has_no_differences_is_one_interval_or_an_error),
        cmocka_unit_test(other_lenses_gains_and_graphs_are_refused),
        cmocka_unit_test(the_longest_arc_counts_wherever_it_starts),
        cmocka_unit_test(the_number_of_intervals_has_bounds),
        cmocka_unit_test(points_near_each_other_are_those_of_the_definition),
        cmocka_unit_test(subsamples_follow_the_seed_and_not_the_threads),
        cmocka_unit_test(intervals_are_as_long_as_near_points_allow),
    };
    return RUN_WITH_CONTEXT(tests);
}
