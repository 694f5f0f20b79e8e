/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "reproduce_measure.h"

/* A path of six nodes, 0-1-2-3-4-5, through its node numbers with cells [0, 2.5], [1.5, 4.5] and
 * [3.5, 5]: clusters {0, 1, 2}, {2, 3, 4} and {4, 5}. */
static dgm_summary *map_path(dgm_graph **graph) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    static const dgm_interval cells[] = {{0, 2.5}, {1.5, 4.5}, {3.5, 5}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary;
    *graph = build_graph(NULL, 6, 5, ends, NULL);
    dgm_matrix *lens = build_matrix(6, 1, (const double[]){0, 1, 2, 3, 4, 5});
    options.cover = DGM_COVER_INTERVALS;
    options.given = cells;
    options.given_count = 3;
    assert_int_equal(dgm_mapper_run(ctx, *graph, lens, &options, &summary), DGM_OK);
    assert_int_equal(dgm_summary_get_clusters(summary).count, 3);
    dgm_matrix_free(lens);
    return summary;
}

static void the_majority_is_the_first_of_the_most_frequent_classes(void **state) {
    static const int64_t offsets[] = {0, 2, 4, 4}, counts[] = {2, 3, 5, 5};
    static const int32_t values[] = {0, 1, 2, 4};
    const dgm_profile_counts labels = {offsets, values, counts}, none = {NULL, NULL, NULL};
    int32_t majority[3];
    (void)state;
    dgmi_reproduce_majorities(labels, 3, majority);
    assert_int_equal(majority[0], 1);
    assert_int_equal(majority[1], 2);
    assert_int_equal(majority[2], -1);
    dgmi_reproduce_majorities(none, 3, majority);
    for (int i = 0; i < 3; i++)
        assert_int_equal(majority[i], -1);
}

static void sizes_are_those_of_one_class(void **state) {
    dgm_graph *graph;
    dgmi_reproduce_sizes sizes;
    const int32_t majority[] = {0, 1, 0};
    dgm_summary *summary = map_path(&graph);
    (void)state;
    assert_int_equal(dgmi_reproduce_measure_sizes(ctx, summary, majority, 0, &sizes), DGM_OK);
    assert_int_equal(sizes.clusters, 2);
    assert_near(sizes.mean, 2.5, 0);
    assert_near(sizes.median, 2.5, 0);
    assert_int_equal(sizes.largest, 3);
    assert_int_equal(
        dgmi_reproduce_measure_sizes(ctx, summary, majority, DGMI_REPRODUCE_ANY, &sizes), DGM_OK);
    assert_int_equal(sizes.clusters, 3);
    assert_near(sizes.mean, 8.0 / 3, 1e-15);
    assert_near(sizes.median, 3, 0);
    assert_int_equal(dgmi_reproduce_measure_sizes(ctx, summary, majority, 7, &sizes), DGM_OK);
    assert_int_equal(sizes.clusters, 0);
    assert_near(sizes.mean, 0, 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void edges_are_counted_between_classes_either_way(void **state) {
    dgm_graph *graph;
    const int32_t majority[] = {0, 1, 1};
    dgm_summary *summary = map_path(&graph);
    (void)state;
    assert_int_equal(dgmi_reproduce_count_edges(summary, majority, 0, 1), 1);
    assert_int_equal(dgmi_reproduce_count_edges(summary, majority, 1, 0), 1);
    assert_int_equal(dgmi_reproduce_count_edges(summary, majority, 1, 1), 1);
    assert_int_equal(dgmi_reproduce_count_edges(summary, majority, 0, 0), 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void the_deepest_node_lies_in_the_most_clusters(void **state) {
    dgm_graph *graph;
    int64_t deepest;
    dgm_summary *summary = map_path(&graph);
    (void)state;
    assert_int_equal(dgmi_reproduce_count_deepest(ctx, summary, &deepest), DGM_OK);
    assert_int_equal(deepest, 2);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_majority_is_the_first_of_the_most_frequent_classes),
        cmocka_unit_test(sizes_are_those_of_one_class),
        cmocka_unit_test(edges_are_counted_between_classes_either_way),
        cmocka_unit_test(the_deepest_node_lies_in_the_most_clusters),
    };
    return RUN_WITH_CONTEXT(tests);
}
