/* SPDX-License-Identifier: Apache-2.0 */
/* Preimages split into connected components, not at all, or by a function of the caller's. */
#include "mapper_sample.h"

#include "unit_faults.h"

static dgm_mapper_options two_cells(double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = overlap;
    return options;
}

static const uint32_t path[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};

static void clusters_are_numbered_by_cell_then_by_smallest_member(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_mapper_options options = two_cells(0);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 1, 0, 1, 1, 0}, &options);
    assert_clusters(summary, "0|2|5|1|3 4");
    const int32_t cells[] = {0, 0, 0, 1, 1};
    assert_memory_equal(dgm_summary_get_clusters(summary).cells, cells, sizeof cells);
    dgm_summary_free(summary);
    options.cluster = DGM_CLUSTER_NONE;
    summary = map_graph(graph, 1, (const double[]){0, 1, 0, 1, 1, 0}, &options);
    assert_clusters(summary, "0 2 5|1 3 4");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* [0, 2) [1, 3]: nodes 1 and 2 of the path are in both, joined to what their cell holds. */
static void a_node_of_two_cells_is_in_a_cluster_of_each(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_mapper_options options = two_cells(0.5);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 1, 1, 3, 0, 3}, &options);
    assert_clusters(summary, "0 1 2|4|1 2 3|5");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void directed_edges_join_both_ways(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    const uint32_t ends[] = {1, 0, 1, 2, 4, 3};
    dgm_graph *graph = build_graph(&directed, 6, 3, ends, NULL);
    dgm_mapper_options options = two_cells(0);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){5, 5, 5, 5, 5, 5}, &options);
    assert_clusters(summary, "0 1 2|3 4|5");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    /* arcs that only their source knows of, more than are tried first */
    const uint32_t star[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5};
    graph = build_graph(&directed, 0, 5, star, NULL);
    summary = map_graph(graph, 1, (const double[]){5, 5, 5, 5, 5, 5}, &options);
    assert_clusters(summary, "0 1 2 3 4 5");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* One hub joins 3,000 leaves, half of them in each cell: the hub's own cell stays whole, the other
 * falls into dust. The same by any number of threads. */
static void a_hub_holds_its_cell_together(void **state) {
    (void)state;
    enum { LEAVES = 3000 };
    static uint32_t ends[2 * LEAVES];
    static double values[LEAVES + 1];
    for (uint32_t i = 0; i < LEAVES; i++) {
        ends[2 * i] = i; /* the hub is the last node */
        ends[2 * i + 1] = LEAVES;
        values[i] = i % 2;
    }
    values[LEAVES] = 1;
    dgm_mapper_options options = two_cells(0);
    const dgm_graph_options kinds[] = {DGM_GRAPH_OPTIONS_INIT,
                                       {.size = sizeof(dgm_graph_options), .directed = true}};
    for (int64_t k = 0; k < COUNT(kinds); k++)
        for (int threads = 1; threads <= 4; threads += 3) {
            dgm_graph *graph = build_graph(&kinds[k], 0, LEAVES, ends, NULL);
            dgm_context_set_threads(ctx, threads);
            dgm_summary *summary = map_graph(graph, 1, values, &options);
            dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
            assert_int_equal(clusters.count, LEAVES / 2 + 1);
            for (int64_t c = 0; c < LEAVES / 2; c++) {
                assert_int_equal(clusters.offsets[c], c);
                assert_int_equal(clusters.members[c], 2 * c);
            }
            assert_int_equal(clusters.offsets[clusters.count] - clusters.offsets[LEAVES / 2],
                             LEAVES / 2 + 1);
            dgm_summary_free(summary);
            dgm_graph_free(graph);
        }
    dgm_context_set_threads(ctx, 0);
}

/* A long path through one cell, numbered against its direction: unions run long. */
static void a_long_path_is_one_cluster(void **state) {
    (void)state;
    enum { NODES = 20000 };
    static uint32_t ends[2 * NODES];
    static double values[NODES];
    for (uint32_t i = 0; i + 1 < NODES; i++) {
        ends[2 * i] = i * 7919 % NODES; /* 7919 and 20,000 have no common divisor */
        ends[2 * i + 1] = (i + 1) * 7919 % NODES;
        values[i] = i % 2;
    }
    dgm_graph *graph = build_graph(NULL, NODES, NODES - 1, ends, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.rule = DGM_RULE_KEPLER;
    options.intervals[0] = 2;
    options.overlap[0] = 1; /* both cells hold everything */
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_int_equal(clusters.count, 2);
    assert_int_equal(clusters.offsets[1], NODES);
    assert_int_equal(clusters.offsets[2], 2 * NODES);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* Two thousand cells, more than a table of what classes share is made for; every second node is in
 * none, so nothing joins its neighbours. */
static void nodes_in_no_cell_join_nothing_among_thousands_of_cells(void **state) {
    (void)state;
    enum { CELLS = 2000, NODES = 2 * CELLS };
    static dgm_interval given[CELLS];
    static uint32_t ends[NODES - 1][2];
    static double lens[NODES];
    for (uint32_t i = 0; i < NODES; i++)
        lens[i] = i;
    for (uint32_t i = 0; i + 1 < NODES; i++) {
        ends[i][0] = i;
        ends[i][1] = i + 1;
    }
    for (int i = 0; i < CELLS; i++)
        given[i] = (dgm_interval){2 * i - 0.5, 2 * i + 0.5};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = CELLS;
    dgm_graph *graph = build_graph(NULL, NODES, NODES - 1, ends[0], NULL);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_int_equal(clusters.count, CELLS);
    for (int64_t c = 0; c < CELLS; c++) {
        assert_int_equal(clusters.offsets[c + 1] - clusters.offsets[c], 1);
        assert_int_equal(clusters.members[clusters.offsets[c]], 2 * c);
    }
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- a function of the caller's ---- */

/* Labels of nodes in a cell that holds all of them; how often it was asked; when it refuses. */
typedef struct {
    const int64_t *labels;
    int asked, refuses_at;
} wishes;

static bool label_as_wished(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    wishes *is = user;
    assert_true(count > 0);
    for (int64_t i = 0; i < count; i++) {
        assert_true(i == 0 || nodes[i - 1] < nodes[i]);
        labels[i] = is->labels[nodes[i]];
    }
    return ++is->asked != is->refuses_at;
}

static dgm_mapper_options as_wished(wishes *is, double overlap) {
    dgm_mapper_options options = two_cells(overlap);
    options.cluster = DGM_CLUSTER_GIVEN;
    options.clusterer = label_as_wished;
    options.clusterer_user = is;
    return options;
}

static void a_function_of_the_callers_makes_clusters_and_noise(void **state) {
    (void)state;
    static const int64_t labels[] = {7, -1, INT64_MAX, 7, -5, 0};
    wishes is = {.labels = labels};
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_mapper_options options = as_wished(&is, 0);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 0, 0, 0, 1, 1}, &options);
    assert_clusters(summary, "0 3|2|5");
    assert_int_equal(is.asked, 2);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_int_equal(coverage.covered, 4);
    assert_int_equal(coverage.filtered_noise, 2);
    assert_int_equal(coverage.filtered, 2);
    assert_int_equal(coverage.lost, 0);
    assert_null(dgm_summary_options(summary)->clusterer);
    assert_int_equal(dgm_summary_options(summary)->cluster, DGM_CLUSTER_GIVEN);
    dgm_summary_free(summary);
    options.min_size = 2; /* 2 and 5 are alone, and no noise */
    summary = map_graph(graph, 1, (const double[]){0, 0, 0, 0, 1, 1}, &options);
    assert_clusters(summary, "0 3");
    coverage = dgm_summary_get_coverage(summary);
    assert_true(coverage.filtered_noise == 2 && coverage.filtered_min_size == 2 &&
                coverage.lost == 0);
    dgm_summary_free(summary);
    options.attach = true; /* 2 goes to 0 3 over the edge 2-3; 5 has noise beside it alone */
    summary = map_graph(graph, 1, (const double[]){0, 0, 0, 0, 1, 1}, &options);
    assert_clusters(summary, "0 2 3");
    coverage = dgm_summary_get_coverage(summary);
    assert_true(coverage.filtered_noise == 2 && coverage.filtered_min_size == 1 &&
                coverage.attached_nodes == 1 && coverage.lost == 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void all_may_be_noise(void **state) {
    (void)state;
    static const int64_t labels[] = {-1, -1, -1, -1, -1, -1};
    wishes is = {.labels = labels};
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_mapper_options options = as_wished(&is, 0.5);
    for (int attach = 0; attach < 2; attach++) {
        options.attach = attach;
        options.min_size = 1 + attach;
        dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 1, 1, 3, 0, 3}, &options);
        assert_clusters(summary, "");
        assert_int_equal(dgm_summary_get_coverage(summary).filtered_noise, 6);
        assert_int_equal(dgm_summary_get_coverage(summary).lost, 0);
        dgm_summary_free(summary);
    }
    dgm_graph_free(graph);
}

static void a_function_that_says_false_ends_the_work(void **state) {
    (void)state;
    static const int64_t labels[6] = {0};
    wishes is = {.labels = labels, .refuses_at = 2};
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_mapper_options options = as_wished(&is, 0);
    dgm_matrix *lens = build_matrix(6, 1, (const double[]){0, 0, 0, 0, 1, 1});
    dgm_summary *summary;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_CANCELLED);
    assert_null(summary);
    options.clusterer = NULL;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_USAGE,
                 "a clustering by a function of the caller's needs the function");
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* A mapper keeps its stages for the same function, and asks another one again. */
static void another_function_is_asked_again(void **state) {
    (void)state;
    static const int64_t one[6] = {0}, two[] = {0, 0, 1, 1, 0, 1};
    wishes first = {.labels = one}, second = {.labels = two};
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    dgm_matrix *lens = build_matrix(6, 1, (const double[]){0, 0, 0, 0, 1, 1});
    dgm_mapper *mapper;
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    for (int i = 0; i < 3; i++) {
        dgm_mapper_options options = as_wished(i < 2 ? &first : &second, 0);
        dgm_summary *summary;
        assert_int_equal(dgm_mapper_summarise(ctx, mapper, &options, &summary), DGM_OK);
        assert_clusters(summary, i < 2 ? "0 1 2 3|4 5" : "0 1|2 3|4|5");
        dgm_summary_free(summary);
    }
    assert_true(first.asked == 2 && second.asked == 2);
    dgm_mapper_free(mapper);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static dgm_status map_as_wished(dgm_context *own, void *graph) {
    static const int64_t labels[] = {7, -1, 2, 7, -5, 0};
    wishes is = {.labels = labels};
    dgm_mapper_options options = as_wished(&is, 0.5);
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_matrix_create(own, 6, 1, &lens);
    for (int i = 0; status == DGM_OK && i < 6; i++)
        dgm_matrix_values_mutable(lens)[i] = i;
    if (status == DGM_OK)
        status = dgm_mapper_run(own, graph, lens, &options, &summary);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void memory_may_end_around_a_function_of_the_callers(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 5, path, NULL);
    fail_each_allocation(map_as_wished, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_numbered_by_cell_then_by_smallest_member),
        cmocka_unit_test(a_node_of_two_cells_is_in_a_cluster_of_each),
        cmocka_unit_test(directed_edges_join_both_ways),
        cmocka_unit_test(a_hub_holds_its_cell_together),
        cmocka_unit_test(a_long_path_is_one_cluster),
        cmocka_unit_test(nodes_in_no_cell_join_nothing_among_thousands_of_cells),
        cmocka_unit_test(a_function_of_the_callers_makes_clusters_and_noise),
        cmocka_unit_test(all_may_be_noise),
        cmocka_unit_test(a_function_that_says_false_ends_the_work),
        cmocka_unit_test(another_function_is_asked_again),
        cmocka_unit_test(memory_may_end_around_a_function_of_the_callers),
    };
    return RUN_WITH_CONTEXT(tests);
}
