/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of every kind of map fails in turn: nothing is left, and nothing half made is
 * used. */
#include "mapper_sample.h"

#include "unit_faults.h"

enum { NODES = 14 };

typedef struct {
    const dgm_graph *graph;
    int64_t columns;
    dgm_mapper_options options;
    int weighed; /* a dgm_membership is made of it, too */
} work;

/* Two rings with a bridge, weights and features. */
static dgm_graph *build_rings(bool directed) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = directed;
    float features[2 * NODES];
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (uint32_t u = 0; u < NODES; u++) {
        uint32_t ends[] = {u, u % 7 == 6 ? u - 6 : u + 1, u, (u + 2) % NODES};
        double weights[] = {1 + u % 3, 0.5};
        assert_int_equal(dgm_graph_builder_add(builder, 2, ends, weights), DGM_OK);
        features[2 * u] = (float)(u % 7);
        features[2 * u + 1] = (float)(u / 7);
    }
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES,
                                                    &(dgm_graph_features){2, NULL, NULL, features}),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static dgm_status run_once(dgm_context *own, void *argument) {
    const work *w = argument;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_membership *membership = NULL;
    dgm_status status = dgm_matrix_create(own, NODES, w->columns, &lens);
    for (int64_t i = 0; status == DGM_OK && i < NODES * w->columns; i++)
        dgm_matrix_values_mutable(lens)[i] = (double)(i * i % 11) + (double)(i % 3) / 8;
    if (status == DGM_OK)
        status = dgm_mapper_run(own, w->graph, lens, &w->options, &summary);
    if (status == DGM_OK && w->weighed)
        status = dgm_membership_from_summary(own, summary, DGM_MEMBERSHIP_ONES, &membership);
    assert_true(status != DGM_OK || dgm_summary_get_coverage(summary).nodes == NODES);
    dgm_membership_free(membership);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void fail_each(int64_t columns, const dgm_mapper_options *options) {
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = build_rings(directed);
        work w = {graph, columns, *options, true};
        fail_each_allocation(run_once, &w);
        dgm_graph_free(graph);
    }
}

static dgm_mapper_options few(void) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.overlap[0] = 0.3;
    return options;
}

static void covers_may_run_out_of_memory(void **state) {
    (void)state;
    dgm_mapper_options options = few();
    fail_each(1, &options);
    options.cover = DGM_COVER_QUANTILE;
    fail_each(2, &options);
    options.cover = DGM_COVER_SIMPLEX;
    fail_each(3, &options);
    options.cover = DGM_COVER_ADAPTIVE;
    options.cell_size = 3;
    fail_each(2, &options);
    options.cover = DGM_COVER_GMEANS;
    options.critical = 0.1;
    fail_each(1, &options);
    options.cover = DGM_COVER_CMO;
    fail_each(1, &options);
    options.near = DGM_NEAR_FEATURES;
    options.subsamples = 2;
    fail_each(1, &options);
    options = few();
    options.intervals[0] = 12; /* cells that are looked up */
    fail_each(4, &options);
}

static void covers_of_distances_may_run_out_of_memory(void **state) {
    (void)state;
    dgm_mapper_options options = few();
    for (int metric = DGM_METRIC_L2; metric <= DGM_METRIC_COSINE; metric++) {
        options.metric = metric;
        options.cover = DGM_COVER_BALLS;
        options.radius = metric == DGM_METRIC_L2 ? 4 : 0.3;
        fail_each(2, &options);
        options.cover = DGM_COVER_LANDMARKS;
        options.landmarks = 4;
        fail_each(2, &options);
    }
}

static void clusterings_may_run_out_of_memory(void **state) {
    (void)state;
    dgm_mapper_options options = few();
    options.cluster = DGM_CLUSTER_LOUVAIN;
    fail_each(1, &options);
    options.cluster = DGM_CLUSTER_LABELPROP;
    fail_each(1, &options);
    options.cluster = DGM_CLUSTER_SINGLE;
    options.space = DGM_SPACE_FEATURES;
    fail_each(1, &options);
    options.cluster = DGM_CLUSTER_DBSCAN;
    options.reach = 1.5;
    options.min_points = 2;
    options.metric = DGM_METRIC_COSINE;
    options.space = DGM_SPACE_LENS;
    fail_each(2, &options);
}

static void filters_and_weights_may_run_out_of_memory(void **state) {
    (void)state;
    dgm_mapper_options options = few();
    options.min_size = 2;
    options.min_component = 3;
    options.weights = DGM_WEIGHTS_GAUSSIAN;
    fail_each(1, &options);
    options.attach = true;
    options.weights = DGM_WEIGHTS_BUMP;
    options.edges = DGM_EDGES_STRUCTURAL;
    fail_each(1, &options);
    options.pieces = DGM_PIECES_JOINED;
    options.overlap[0] = 0;
    fail_each(1, &options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covers_may_run_out_of_memory),
        cmocka_unit_test(covers_of_distances_may_run_out_of_memory),
        cmocka_unit_test(clusterings_may_run_out_of_memory),
        cmocka_unit_test(filters_and_weights_may_run_out_of_memory),
    };
    return RUN_WITH_CONTEXT(tests);
}
