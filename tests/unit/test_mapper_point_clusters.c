/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters by distances inside a cell: by hand, and against their definitions. */
#include "mapper_sample.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"

/* One cell that holds everything. */
static dgm_mapper_options one_cell(int cluster) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    options.cluster = cluster;
    return options;
}

static dgm_mapper_options dbscan(double reach, int64_t min_points) {
    dgm_mapper_options options = one_cell(DGM_CLUSTER_DBSCAN);
    options.reach = reach;
    options.min_points = min_points;
    return options;
}

static void assert_parts(int64_t nodes, int64_t columns, const double *values,
                         dgm_mapper_options options, const char *expected) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, columns, values, &options);
    assert_clusters(summary, expected);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void single_linkage_is_cut_at_the_first_gap(void **state) {
    (void)state;
    dgm_mapper_options options = one_cell(DGM_CLUSTER_SINGLE);
    static const double two[] = {0, 1, 2, 10, 11, 12}, even[] = {0, 1, 2, 3};
    assert_parts(6, 1, two, options, "0 1 2|3 4 5"); /* lengths 1 and 8: bins 1 and 9 of ten */
    options.gap_bins = 1;
    assert_parts(6, 1, two, options, "0 1 2 3 4 5"); /* one bin has no gap */
    options.gap_bins = 10;
    assert_parts(4, 1, even, options, "0 1 2 3"); /* all lengths are equal */
    /* Lengths 1, 2.9 and 9: of three bins the second is empty, and the first holds 1 and 2.9. */
    static const double grow[] = {0, 1, 3.9, 12.9};
    options.gap_bins = 3;
    assert_parts(4, 1, grow, options, "0 1 2|3");
    options.gap_bins = 20; /* 1 and 2.9 in bins 2 and 6 */
    assert_parts(4, 1, grow, options, "0 1|2|3");
}

static void tied_points_are_together(void **state) {
    (void)state;
    dgm_mapper_options options = one_cell(DGM_CLUSTER_SINGLE);
    static const double same[] = {4, 4, 4}, some[] = {4, 4, 9, 4, 9};
    assert_parts(3, 1, same, options, "0 1 2");
    assert_parts(5, 1, some, options, "0 1 3|2 4"); /* lengths 0 and 5 */
    assert_parts(1, 1, same, options, "0");
    assert_parts(0, 1, same, options, "");
}

static void dense_points_and_what_lies_near_them_are_clusters(void **state) {
    (void)state;
    /* 1 and 2 have three neighbours within 1, and so have 11 and 12; 0, 3, 10, 13 lie near; 20 does
     * not. */
    static const double line[] = {0, 1, 2, 3, 10, 11, 12, 13, 20};
    assert_parts(9, 1, line, dbscan(1, 3), "0 1 2 3|4 5 6 7|8");
    assert_parts(9, 1, line, dbscan(1, 4), "0|1|2|3|4|5|6|7|8");
    assert_parts(9, 1, line, dbscan(7, 2), "0 1 2 3 4 5 6 7 8");
    assert_parts(9, 1, line, dbscan(0.5, 1), "0|1|2|3|4|5|6|7|8");
}

/* 1.0 is within reach of cores on both sides. If it is a core itself, it joins them. */
static void a_point_between_two_clusters_belongs_to_the_nearer_core(void **state) {
    (void)state;
    static const double between[] = {0, 0, 0.1, 0.2, 1.0, 1.86, 1.9, 2, 2};
    assert_parts(9, 1, between, dbscan(0.87, 5), "0 1 2 3 4|5 6 7 8");
    static const double middle[] = {0, 0, 0, 1, 2, 2, 2};
    assert_parts(7, 1, middle, dbscan(1, 4), "0 1 2 3 4 5 6");
}

static void the_cosine_joins_directions(void **state) {
    (void)state;
    static const double arrows[] = {1, 0, 9, 0.1, 0, 1, 0.1, 7, 100, 0};
    dgm_mapper_options options = dbscan(0.01, 2);
    options.intervals[0] = 1;
    options.metric = DGM_METRIC_COSINE;
    assert_parts(5, 2, arrows, options, "0 1 4|2 3");
}

/* ---- definitions ---- */

enum { NODES = 24 };

typedef struct {
    int nodes, columns;
    double values[NODES * 3];
    int label[NODES];
} points;

static double distance(const points *p, int a, int b) {
    double sum = 0;
    for (int k = 0; k < p->columns; k++)
        sum += pow(p->values[a * p->columns + k] - p->values[b * p->columns + k], 2);
    return sqrt(sum);
}

static void merge(points *p, int a, int b) {
    int from = p->label[a] > p->label[b] ? p->label[a] : p->label[b];
    int to = p->label[a] + p->label[b] - from;
    for (int u = 0; u < p->nodes; u++)
        p->label[u] = p->label[u] == from ? to : p->label[u];
}

/* Merges the nearest two clusters until none are left or `most` is reached, and lists the lengths. */
static int merge_nearest(points *p, double most, double *lengths) {
    for (int u = 0; u < p->nodes; u++)
        p->label[u] = u;
    for (int count = 0;; count++) {
        int x = -1, y = -1;
        for (int a = 0; a < p->nodes; a++)
            for (int b = 0; b < a; b++)
                if (p->label[a] != p->label[b] &&
                    (x < 0 || distance(p, a, b) < distance(p, x, y))) {
                    x = a;
                    y = b;
                }
        if (x < 0 || distance(p, x, y) > most)
            return count;
        lengths[count] = distance(p, x, y);
        merge(p, x, y);
    }
}

static void cut_single(points *p, int64_t bins) {
    double lengths[NODES], longest = 0;
    bool filled[64] = {false}, begun = false;
    int count = merge_nearest(p, INFINITY, lengths);
    for (int i = 0; i < count; i++)
        longest = fmax(longest, lengths[i]);
    for (int i = 0; i < count; i++)
        filled[(int)fmin(floor(lengths[i] / longest * (double)bins), (double)bins - 1)] = true;
    for (int64_t bin = 0; longest > 0 && bin < bins; bin++) {
        if (begun && !filled[bin]) {
            double most = 0;
            for (int i = 0; i < count; i++)
                if (lengths[i] / longest * (double)bins < (double)bin)
                    most = fmax(most, lengths[i]);
            merge_nearest(p, most, lengths);
            return;
        }
        begun = begun || filled[bin];
    }
}

static bool is_core(const points *p, int u, const dgm_mapper_options *options) {
    int64_t near = 0;
    for (int v = 0; v < p->nodes; v++)
        near += distance(p, u, v) <= options->reach;
    return near >= options->min_points;
}

static void join_dense(points *p, const dgm_mapper_options *options) {
    for (int u = 0; u < p->nodes; u++)
        p->label[u] = u;
    for (int u = 0; u < p->nodes; u++)
        for (int v = 0; v < u; v++)
            if (is_core(p, u, options) && is_core(p, v, options) &&
                distance(p, u, v) <= options->reach)
                merge(p, u, v);
    for (int u = 0; u < p->nodes; u++) {
        int best = -1;
        for (int v = 0; v < p->nodes; v++)
            if (!is_core(p, u, options) && is_core(p, v, options) &&
                distance(p, u, v) <= options->reach &&
                (best < 0 || distance(p, u, v) < distance(p, u, best)))
                best = v;
        if (best >= 0)
            merge(p, u, best);
    }
}

static void assert_labels(const points *p, const dgm_mapper_options *options) {
    char expected[2000] = "";
    size_t used = 0;
    bool done[NODES] = {false};
    for (int u = 0; u < p->nodes; u++) {
        bool first = true;
        for (int v = u; v < p->nodes && !done[u]; v++)
            if (!done[v] && p->label[v] == p->label[u] && v != u) {
                if (first)
                    used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%d",
                                             u ? "|" : "", u);
                used += (size_t)snprintf(expected + used, sizeof expected - used, " %d", v);
                first = false;
                done[v] = true;
            }
        if (first && !done[u])
            used +=
                (size_t)snprintf(expected + used, sizeof expected - used, "%s%d", u ? "|" : "", u);
    }
    assert_parts(p->nodes, p->columns, p->values, *options, expected);
}

static void both_are_what_their_definitions_say(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int number = 0; number < 150; number++) {
        check_random random = check_random_case(seed, 1, number);
        points p = {.nodes = check_random_between(&random, 1, NODES),
                    .columns = check_random_between(&random, 1, 3)};
        for (int i = 0; i < p.nodes * p.columns; i++)
            p.values[i] = check_random_between(&random, 0, 20) * (number % 2 ? 1 : 0.5);
        dgm_mapper_options options = one_cell(DGM_CLUSTER_SINGLE);
        options.gap_bins = check_random_between(&random, 1, 20);
        cut_single(&p, options.gap_bins);
        assert_labels(&p, &options);
        options = dbscan(check_random_between(&random, 1, 8), check_random_between(&random, 1, 5));
        join_dense(&p, &options);
        assert_labels(&p, &options);
    }
}

/* ---- the rest ---- */

static void features_may_be_looked_at_in_place_of_the_lens(void **state) {
    (void)state;
    static const float values[] = {0, 0, 5, 5};
    static const double lens[] = {1, 2, 3, 4};
    const dgm_graph_features features = {.width = 1, .values = values};
    dgm_graph_options nodes = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    nodes.nodes = 4;
    assert_int_equal(dgm_graph_builder_create(ctx, &nodes, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, 4, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_mapper_options options = dbscan(1, 2);
    options.space = DGM_SPACE_FEATURES;
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1|2 3");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 4, 0, NULL, NULL);
    dgm_matrix *matrix = build_matrix(4, 1, lens);
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, matrix, &options, &summary), DGM_ERROR_DATA,
                 "the graph has no features to cluster the nodes of a cell by; without of=features "
                 "their lens is taken");
    dgm_matrix_free(matrix);
    dgm_graph_free(graph);
}

static void too_many_distances_are_refused(void **state) {
    (void)state;
    enum { MANY = 300000, MORE = 400000 };
    dgm_graph *graph = build_graph(NULL, MORE, 0, NULL, NULL);
    double *values = calloc(MORE, sizeof *values);
    for (int u = MANY; u < MORE; u++)
        values[u] = 9;
    dgm_matrix *lens = build_matrix(MORE, 1, values);
    dgm_mapper_options options = one_cell(DGM_CLUSTER_SINGLE);
    options.intervals[0] = 3; /* the last has the others, and the one between has none */
    dgm_summary *summary;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_USAGE,
                 "a cell has 300000 nodes, and all their distances are too many for "
                 "cluster=single; use smaller cells, or cluster=components");
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    free(values);
}

static void texts_have_keys_and_what_is_missing_is_refused(void **state) {
    (void)state;
    const dgm_option *option = dgm_option_find(dgm_mapper_option_table(), "cluster");
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_option_set(ctx, option, "single:gap", &options), DGM_OK);
    assert_true(options.cluster == DGM_CLUSTER_SINGLE && options.gap_bins == 10);
    assert_int_equal(dgm_option_set(ctx, option, "single:gap=25", &options), DGM_OK);
    assert_int_equal(options.gap_bins, 25);
    assert_int_equal(dgm_option_set(ctx, option, "dbscan:eps=0.5,min=3,of=features", &options),
                     DGM_OK);
    assert_true(options.cluster == DGM_CLUSTER_DBSCAN && options.reach == 0.5 &&
                options.min_points == 3 && options.space == DGM_SPACE_FEATURES);
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    ASSERT_FAILS(dgm_option_set(ctx, option, "dbscan:epsilon=1", &options), DGM_ERROR_USAGE,
                 "the clustering 'dbscan' has no key 'epsilon' (it takes eps, min, of)");
    ASSERT_FAILS(dgm_option_set(ctx, option, "single:gap=0", &options), DGM_ERROR_USAGE,
                 "the clustering 'single': gap takes a whole number from 1 to 1000000, not '0'");
    ASSERT_FAILS(
        dgm_option_set(ctx, option, "dbscan:eps=1,min=1000001", &options), DGM_ERROR_USAGE,
        "the clustering 'dbscan': min takes a whole number from 1 to 1000000, not '1000001'");
    ASSERT_FAILS(dgm_option_set(ctx, option, "louvain:eps=1", &options), DGM_ERROR_USAGE,
                 "the clustering 'louvain' takes no keys, not 'eps'");
    assert_true(options.cluster == DGM_CLUSTER_DBSCAN && options.reach == 0.5);
    dgm_mapper_options_init(&options);
    options.cluster = DGM_CLUSTER_DBSCAN;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cluster=dbscan:eps=E needs a distance above 0");
    options.reach = 1;
    options.min_points = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options.min_points = 1;
    options.space = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options = one_cell(DGM_CLUSTER_SINGLE);
    options.gap_bins = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_linkage_is_cut_at_the_first_gap),
        cmocka_unit_test(tied_points_are_together),
        cmocka_unit_test(dense_points_and_what_lies_near_them_are_clusters),
        cmocka_unit_test(a_point_between_two_clusters_belongs_to_the_nearer_core),
        cmocka_unit_test(the_cosine_joins_directions),
        cmocka_unit_test(both_are_what_their_definitions_say),
        cmocka_unit_test(features_may_be_looked_at_in_place_of_the_lens),
        cmocka_unit_test(too_many_distances_are_refused),
        cmocka_unit_test(texts_have_keys_and_what_is_missing_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
