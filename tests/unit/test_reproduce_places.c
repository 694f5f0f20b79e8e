/* SPDX-License-Identifier: Apache-2.0 */
/* Places by design: nodes stand where they are put, and clusters in the middle of their nodes. */
#include "unit_fixture.h"

#include "reproduce_places.h"
#include "unit_faults.h"

static const dgmi_reproduce_place places[] = {{0, 0}, {4, 2}, {1, 5}, {7, -3}, {2, 2}};
enum { NODES = sizeof places / sizeof *places, CLUSTERS = 2 };

/* Cluster 0 is {0, 1, 2, 4} and cluster 1 is {3}. */
static dgm_summary *make_summary(const dgm_graph *graph) {
    static const double table[NODES * CLUSTERS] = {1, 0, 1, 0, 1, 0, 0, 1, 1, 0};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_matrix *lens;
    dgm_summary *summary;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    assert_int_equal(dgm_matrix_create(ctx, NODES, CLUSTERS, &lens), DGM_OK);
    memcpy(dgm_matrix_values_mutable(lens), table, sizeof table);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_matrix_free(lens);
    return summary;
}

static dgm_graph *make_path(void) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4};
    return build_graph(NULL, NODES, 4, ends, NULL);
}

static void nodes_stand_where_they_are_put(void **state) {
    (void)state;
    dgm_graph *graph = make_path();
    dgm_view *view;
    assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &view), DGM_OK);
    assert_int_equal(dgmi_reproduce_place_nodes(ctx, places, 0.25, view), DGM_OK);
    dgm_places are = dgm_view_get_places(view);
    for (int u = 0; u < NODES; u++) {
        assert_true(are.x[u] == places[u].x && are.y[u] == places[u].y);
        assert_true(are.radius[u] == 0.25);
    }
    dgm_view_free(view);
    dgm_graph_free(graph);
}

/* (0 + 4 + 1 + 2) / 4 = 1.75 and (0 + 2 + 5 + 2) / 4 = 2.25; the roots of 4 and 1 are 2 and 1. */
static void clusters_stand_in_the_middle_of_their_nodes(void **state) {
    (void)state;
    dgm_graph *graph = make_path();
    dgm_summary *summary = make_summary(graph);
    dgm_view *view;
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, NULL, &view), DGM_OK);
    assert_int_equal(dgmi_reproduce_place_clusters(ctx, places, summary, 0.5, 0.25, view), DGM_OK);
    dgm_places are = dgm_view_get_places(view);
    assert_near(are.x[0], 1.75, 1e-12);
    assert_near(are.y[0], 2.25, 1e-12);
    assert_near(are.radius[0], 1, 1e-12);
    assert_true(are.x[1] == 7 && are.y[1] == -3);
    assert_near(are.radius[1], 0.75, 1e-12);
    dgm_view_free(view);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

typedef struct placed {
    const dgm_summary *summary;
    dgm_view *nodes, *clusters;
} placed;

static dgm_status place_both(dgm_context *own, void *argument) {
    const placed *is = argument;
    dgm_status status = dgmi_reproduce_place_nodes(own, places, 1, is->nodes);
    return status == DGM_OK
               ? dgmi_reproduce_place_clusters(own, places, is->summary, 1, 1, is->clusters)
               : status;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    dgm_graph *graph = make_path();
    dgm_summary *summary = make_summary(graph);
    placed is = {.summary = summary};
    assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &is.nodes), DGM_OK);
    assert_int_equal(dgm_view_from_summary(ctx, summary, NULL, NULL, &is.clusters), DGM_OK);
    fail_each_allocation(place_both, &is);
    dgm_view_free(is.clusters);
    dgm_view_free(is.nodes);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_where_they_are_put),
        cmocka_unit_test(clusters_stand_in_the_middle_of_their_nodes),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
