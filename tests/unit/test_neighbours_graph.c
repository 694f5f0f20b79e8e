/* SPDX-License-Identifier: Apache-2.0 */
/* The graph of nearest neighbours against a plain loop over its lists. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_random.h"
#include "unit_faults.h"

enum { POINTS = 700, DIM = 3, K = 6 };

static float *random_points(void) {
    float *points = malloc(POINTS * DIM * sizeof *points);
    for (int64_t i = 0; i < POINTS * DIM; i++)
        points[i] = (float)dgmi_random_unit(4, 2, (uint64_t)i);
    return points;
}

static dgm_neighbours *lists_of(const float *points, int64_t count, int64_t dim, int64_t k) {
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *lists;
    options.k = k;
    assert_int_equal(dgm_knn(ctx, points, count, dim, &options, &lists), DGM_OK);
    return lists;
}

static bool lists_name(const dgm_neighbours *lists, int64_t from, int64_t to) {
    int64_t k = dgm_neighbours_k(lists);
    for (int64_t j = 0; j < k; j++)
        if (dgm_neighbours_indices(lists)[from * k + j] == to)
            return true;
    return false;
}

static void an_edge_is_there_where_one_names_the_other(void **state) {
    (void)state;
    float *points = random_points();
    dgm_neighbours *lists = lists_of(points, POINTS, DIM, K);
    dgm_graph *graph;
    assert_int_equal(dgm_knn_graph(ctx, lists, NULL, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), POINTS);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_true(!rows.directed && !rows.weights);
    for (int64_t i = 0; i < POINTS; i++) {
        bool joined[POINTS] = {false};
        for (int64_t e = rows.offsets[i]; e < rows.offsets[i + 1]; e++)
            joined[rows.targets[e]] = true;
        for (int64_t j = 0; j < POINTS; j++)
            assert_int_equal(joined[j], lists_name(lists, i, j) || lists_name(lists, j, i));
    }
    assert_int_equal(dgm_graph_edges(graph), rows.entries / 2);
    dgm_graph_free(graph);
    dgm_neighbours_free(lists);
    free(points);
}

/* Distances once each, not added up where two points name each other. */
static void weights_are_distances(void **state) {
    (void)state;
    const float points[] = {0, 3, 4, 10};
    dgm_neighbours *lists = lists_of(points, 4, 1, 1);
    dgm_graph *graph;
    assert_int_equal(dgm_knn_graph(ctx, lists,
                                   &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                                            .distances = true,
                                                            .source = "a line"},
                                   &graph),
                     DGM_OK);
    assert_int_equal(dgm_graph_edges(graph), 3);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t targets[] = {1, 0, 2, 1, 3, 2};
    const double weights[] = {3, 3, 1, 1, 6, 6};
    assert_int_equal(rows.entries, 6);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_memory_equal(rows.weights, weights, sizeof weights);
    assert_string_equal(dgm_graph_source(graph), "a line");
    dgm_graph_free(graph);
    dgm_neighbours_free(lists);
}

/* In the same place and still a neighbour: the distance is 0, the edge stays. */
static void points_in_one_place_are_joined(void **state) {
    (void)state;
    const float points[] = {1, 1, 1, 9};
    dgm_neighbours *lists = lists_of(points, 4, 1, 2);
    dgm_graph *graph;
    assert_int_equal(dgm_knn_graph(ctx, lists,
                                   &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                                            .distances = true},
                                   &graph),
                     DGM_OK);
    assert_int_equal(dgm_graph_edges(graph), 5);
    dgm_graph_free(graph);
    dgm_neighbours_free(lists);
}

static dgm_graph *named_nodes(int64_t count, bool text, int64_t base) {
    static const char *const names[] = {"ana", "bob", "cy"};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int64_t i = 0; text && i < count; i++)
        assert_int_equal(
            dgm_graph_builder_node(builder, names[i], strlen(names[i]), &(uint32_t){0}), DGM_OK);
    if (!text) {
        dgm_graph_builder_set_name_base(builder, base);
        assert_int_equal(dgm_graph_builder_reserve_nodes(builder, count), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void nodes_are_named_as_the_points_are(void **state) {
    (void)state;
    const float points[] = {5, 0, 6};
    dgm_neighbours *lists = lists_of(points, 3, 1, 1);
    dgm_graph *names = named_nodes(3, true, 0), *graph;
    assert_int_equal(dgm_knn_graph(ctx, lists,
                                   &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                                            .names = names},
                                   &graph),
                     DGM_OK);
    size_t length;
    const char *name = dgm_graph_name_text(graph, 1, &length);
    assert_int_equal(length, 3);
    assert_memory_equal(name, "bob", 3);
    dgm_graph_free(graph);
    dgm_graph_free(names);
    names = named_nodes(3, false, 1);
    assert_int_equal(dgm_knn_graph(ctx, lists,
                                   &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                                            .names = names},
                                   &graph),
                     DGM_OK);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    assert_null(dgm_graph_name_text(graph, 1, &length));
    dgm_graph_free(graph);
    dgm_graph_free(names);
    names = named_nodes(2, true, 0);
    ASSERT_FAILS(dgm_knn_graph(ctx, lists,
                               &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                                        .names = names},
                               &graph),
                 DGM_ERROR_DATA, "2 names for 3 points");
    assert_null(graph);
    dgm_graph_free(names);
    dgm_neighbours_free(lists);
}

static void few_points_have_few_edges(void **state) {
    (void)state;
    const float points[] = {1, 2};
    for (int64_t count = 0; count <= 2; count++) {
        dgm_neighbours *lists = lists_of(points, count, 1, 5);
        dgm_graph *graph;
        assert_int_equal(dgm_knn_graph(ctx, lists, NULL, &graph), DGM_OK);
        assert_int_equal(dgm_graph_nodes(graph), count);
        assert_int_equal(dgm_graph_edges(graph), count == 2);
        dgm_graph_free(graph);
        dgm_neighbours_free(lists);
    }
}

static void threads_make_the_same_graph(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 5};
    float *points = random_points();
    dgm_neighbours *lists[3];
    for (int t = 0; t < 3; t++) {
        dgm_context_set_threads(ctx, threads[t]);
        lists[t] = lists_of(points, POINTS, DIM, K);
        assert_memory_equal(dgm_neighbours_indices(lists[t]), dgm_neighbours_indices(lists[0]),
                            POINTS * K * sizeof(uint32_t));
        assert_memory_equal(dgm_neighbours_distances(lists[t]), dgm_neighbours_distances(lists[0]),
                            POINTS * K * sizeof(float));
    }
    dgm_context_set_threads(ctx, 0);
    for (int t = 0; t < 3; t++)
        dgm_neighbours_free(lists[t]);
    free(points);
}

typedef struct {
    const dgm_neighbours *lists;
    const dgm_graph *names;
} graph_work;

static dgm_status make_graph(dgm_context *own, void *argument) {
    const graph_work *work = argument;
    dgm_graph *graph;
    dgm_status status =
        dgm_knn_graph(own, work->lists,
                      &(dgm_knn_graph_options){.size = sizeof(dgm_knn_graph_options),
                                               .distances = true,
                                               .names = work->names,
                                               .source = "x"},
                      &graph);
    assert_true((status == DGM_OK) == (graph != NULL));
    dgm_graph_free(graph);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    const float points[] = {5, 0, 6};
    dgm_neighbours *lists = lists_of(points, 3, 1, 1);
    dgm_graph *names = named_nodes(3, true, 0);
    fail_each_allocation(make_graph, &(graph_work){lists, names});
    fail_each_allocation(make_graph, &(graph_work){lists, NULL});
    dgm_graph_free(names);
    dgm_neighbours_free(lists);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_there_where_one_names_the_other),
        cmocka_unit_test(weights_are_distances),
        cmocka_unit_test(points_in_one_place_are_joined),
        cmocka_unit_test(nodes_are_named_as_the_points_are),
        cmocka_unit_test(few_points_have_few_edges),
        cmocka_unit_test(threads_make_the_same_graph),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
