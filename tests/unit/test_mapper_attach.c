/* SPDX-License-Identifier: Apache-2.0 */
/* Small clusters that are given to their neighbours; tests/property has random graphs. */
#include "mapper_sample.h"

#include "unit_faults.h"

/* Nodes by their cell, one interval each. */
static dgm_summary *map_cells(int64_t nodes, int64_t edges, const uint32_t *ends,
                              const double *cells, dgm_mapper_options options, bool directed) {
    dgm_graph_options reading = DGM_GRAPH_OPTIONS_INIT;
    reading.directed = directed;
    dgm_graph *graph = build_graph(&reading, nodes, edges, ends, NULL);
    static const dgm_interval given[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 4;
    dgm_summary *summary = map_graph(graph, 1, cells, &options);
    dgm_graph_free(graph);
    return summary;
}

static dgm_mapper_options attaching(int64_t min_size) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_size = min_size;
    options.attach = true;
    return options;
}

/* Two triangles in cells 0 and 2, and node 3 in cell 1 with one link to the first of them and two to
 * the second. */
static void the_neighbour_with_most_links_takes_a_small_cluster(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 0, 2, 4, 5, 5, 6, 4, 6, 3, 0, 3, 4, 3, 5};
    const double cells[] = {0, 0, 0, 1, 2, 2, 2};
    dgm_summary *summary = map_cells(7, 9, ends, cells, attaching(2), false);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_clusters(summary, "0 1 2|3 4 5 6");
    assert_int_equal(coverage.covered, 7);
    assert_int_equal(coverage.filtered, 0);
    assert_int_equal(coverage.attached_clusters, 1);
    assert_int_equal(coverage.attached_nodes, 1);
    assert_int_equal(coverage.edges_inside, 8); /* all but 0-3 */
    assert_near(dgm_summary_get_clusters(summary).lens[1], 7.0 / 4, 1e-15);
    dgm_summary_free(summary);
}

static void of_equals_the_first_takes_it(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 3, 4, 2, 0, 2, 4};
    const double cells[] = {0, 0, 1, 2, 2};
    dgm_summary *summary = map_cells(5, 4, ends, cells, attaching(2), false);
    assert_clusters(summary, "0 1 2|3 4");
    dgm_summary_free(summary);
}

/* A chain 0 1 2 3 4 5 whose nodes alternate between cells, behind the pair 0 1; and a pair of nodes
 * far from it, of which each is small. */
static void chains_follow_and_what_has_no_neighbour_is_dropped(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7};
    const double cells[] = {0, 0, 1, 2, 1, 2, 0, 3};
    dgm_summary *summary = map_cells(8, 6, ends, cells, attaching(2), false);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_clusters(summary, "0 1 2 3 4 5");
    assert_int_equal(coverage.attached_clusters, 4);
    assert_int_equal(coverage.filtered_min_size, 2);
    dgm_summary_free(summary);
}

/* Whichever end an arc starts from. */
static void arcs_are_links_in_both_directions(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 2, 0, 3, 4, 4, 2, 3, 2};
    const double cells[] = {0, 0, 1, 2, 2};
    dgm_summary *summary = map_cells(5, 5, ends, cells, attaching(2), true);
    assert_clusters(summary, "0 1|2 3 4");
    dgm_summary_free(summary);
}

/* In overlapping cells a node of a small cluster may lie in the large one already. */
static void a_member_is_in_a_cluster_once(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    const double heights[] = {0, 1, 2, 3};
    dgm_mapper_options options = attaching(3);
    static const dgm_interval given[] = {{0, 2.5}, {2, 4}};
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    dgm_graph *graph = build_graph(NULL, 4, 3, ends, NULL);
    dgm_summary *summary = map_graph(graph, 1, heights, &options);
    assert_clusters(summary, "0 1 2 3"); /* 2 3 joins 0 1 2 */
    assert_int_equal(dgm_summary_get_coverage(summary).attached_nodes, 2);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void where_no_cluster_is_too_small_nothing_is_attached(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    const double cells[] = {0, 0, 1};
    for (int64_t least = 1; least <= 2; least++) {
        dgm_summary *summary = map_cells(3, least, ends, cells, attaching(least), false);
        assert_clusters(summary, least == 1 ? "0 1|2" : "0 1 2");
        assert_int_equal(dgm_summary_get_coverage(summary).attached_clusters, least - 1);
        dgm_summary_free(summary);
    }
}

static dgm_status map_poorly(dgm_context *own, void *graph) {
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_mapper_options options = attaching(3);
    dgm_status status = dgm_matrix_create(own, dgm_graph_nodes(graph), 1, &lens);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(lens)[u] = (double)(u * u % 7);
    if (status == DGM_OK)
        status = dgm_mapper_run(own, graph, lens, &options, &summary);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void failing_allocations_leave_nothing(void **state) {
    (void)state;
    uint32_t ends[60];
    for (uint32_t e = 0; e < 30; e++) {
        ends[2 * e] = e;
        ends[2 * e + 1] = e % 3 ? e + 1 : (e * 7 + 2) % 30;
    }
    dgm_graph_options reading = DGM_GRAPH_OPTIONS_INIT;
    for (int directed = 0; directed < 2; directed++) {
        reading.directed = directed;
        dgm_graph *graph = build_graph(&reading, 31, 30, ends, NULL);
        fail_each_allocation(map_poorly, graph);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_neighbour_with_most_links_takes_a_small_cluster),
        cmocka_unit_test(of_equals_the_first_takes_it),
        cmocka_unit_test(chains_follow_and_what_has_no_neighbour_is_dropped),
        cmocka_unit_test(arcs_are_links_in_both_directions),
        cmocka_unit_test(a_member_is_in_a_cluster_once),
        cmocka_unit_test(where_no_cluster_is_too_small_nothing_is_attached),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
