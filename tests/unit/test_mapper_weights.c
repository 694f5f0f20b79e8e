/* SPDX-License-Identifier: Apache-2.0 */
/* How much nodes belong to clusters, against the formulas. */
#include "mapper_sample.h"

#include <math.h>

#include "../check_random.h"

static dgm_mapper_options weighed(int kind) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = DGM_CLUSTER_NONE;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    options.weights = kind;
    return options;
}

/* Cells {0 1 2 3} and {2 3 4 5}: node 2 is 0.5 and 1.5 away from the means 1.5 and 3.5, and the mean
 * of d^2 is 1.25 in both. */
static void a_gaussian_falls_with_the_square_of_the_distance(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2, 3, 4, 5};
    dgm_graph *graph = build_graph(NULL, 6, 0, NULL, NULL);
    dgm_mapper_options options = weighed(DGM_WEIGHTS_GAUSSIAN);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_clusters(summary, "0 1 2 3|2 3 4 5");
    const double *weights = dgm_summary_weights(summary);
    double near = exp(-0.25 / 2.5), far = exp(-2.25 / 2.5);
    const double expected[] = {
        1, 1, near / (near + far), far / (near + far), far / (near + far), near / (near + far),
        1, 1};
    for (int i = 0; i < 8; i++)
        assert_near(weights[i], expected[i], 1e-14);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* The same with r^2 = 1.1 * 2.25. */
static void a_bump_ends_beyond_the_farthest_member(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2, 3, 4, 5};
    dgm_graph *graph = build_graph(NULL, 6, 0, NULL, NULL);
    dgm_mapper_options options = weighed(DGM_WEIGHTS_BUMP);
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    double near = exp(1 - 1 / (1 - 0.25 / 2.475)), far = exp(1 - 1 / (1 - 1 / 1.1));
    assert_near(dgm_summary_weights(summary)[2], near / (near + far), 1e-12);
    assert_near(dgm_summary_weights(summary)[3], far / (near + far), 1e-12);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void weights_of_a_node_add_up_to_one(void **state) {
    (void)state;
    enum { NODES = 200 };
    check_random random = check_random_case(1, 2, 3);
    double lens[NODES * 2];
    for (int i = 0; i < NODES; i++) {
        lens[2 * i] = check_random_unit(&random) * 1e9; /* units do not matter */
        lens[2 * i + 1] = check_random_unit(&random) * 1e-9;
    }
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    for (int kind = DGM_WEIGHTS_GAUSSIAN; kind <= DGM_WEIGHTS_BUMP; kind++) {
        dgm_mapper_options options = weighed(kind);
        dgm_membership *membership;
        options.intervals[0] = 4;
        dgm_summary *summary = map_graph(graph, 2, lens, &options);
        assert_int_equal(
            dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_WEIGHTS, &membership), DGM_OK);
        dgm_membership_rows rows = dgm_membership_get_rows(membership);
        for (int64_t u = 0; u < NODES; u++) {
            double sum = 0;
            for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
                assert_true(rows.values[i] > 0);
                sum += rows.values[i];
            }
            assert_near(sum, 1, 1e-12);
        }
        dgm_membership_free(membership);
        dgm_summary_free(summary);
    }
    dgm_graph_free(graph);
}

static void constant_lenses_and_single_nodes_weigh_one(void **state) {
    (void)state;
    static const double same[] = {7, 7, 7};
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_mapper_options options = weighed(DGM_WEIGHTS_GAUSSIAN);
    dgm_summary *summary = map_graph(graph, 1, same, &options);
    for (int i = 0; i < 3; i++)
        assert_true(dgm_summary_weights(summary)[i] == 1);
    dgm_summary_free(summary);
    options.min_size = 10; /* no clusters at all */
    summary = map_graph(graph, 1, same, &options);
    assert_int_equal(dgm_summary_get_clusters(summary).count, 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void without_weights_there_are_none(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2};
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_matrix *matrix = build_matrix(3, 1, lens);
    dgm_mapper_options options = weighed(DGM_WEIGHTS_NONE);
    dgm_membership *membership;
    dgm_summary *summary = map_graph(graph, 1, lens, &options);
    assert_null(dgm_summary_weights(summary));
    ASSERT_FAILS(dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_WEIGHTS, &membership),
                 DGM_ERROR_USAGE, "there are no weights: make the summary with weights=gaussian");
    assert_int_equal(
        dgm_membership_from_lens(ctx, matrix, &options, DGM_MEMBERSHIP_WEIGHTS, &membership),
        DGM_ERROR_USAGE);
    options.weights = 3;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_summary_free(summary);
    dgm_matrix_free(matrix);
    dgm_graph_free(graph);
}

static void edges_weigh_what_both_clusters_have_of_a_node(void **state) {
    (void)state;
    enum { NODES = 60 };
    check_random random = check_random_case(1, 5, 1);
    double lens[2 * NODES];
    for (int i = 0; i < 2 * NODES; i++)
        lens[i] = check_random_unit(&random);
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    dgm_mapper_options options = weighed(DGM_WEIGHTS_GAUSSIAN);
    options.intervals[0] = 3;
    options.overlap[0] = 0.4;
    dgm_summary *summary = map_graph(graph, 2, lens, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    const double *weights = dgm_summary_weights(summary);
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    double sums[200] = {0}, most = 0;
    assert_in_range(count, 5, 200);
    for (int64_t e = 0; e < count; e++) {
        for (int64_t i = clusters.offsets[edges[e].source];
             i < clusters.offsets[edges[e].source + 1]; i++)
            for (int64_t j = clusters.offsets[edges[e].target];
                 j < clusters.offsets[edges[e].target + 1]; j++)
                if (clusters.members[i] == clusters.members[j])
                    sums[e] += fmin(weights[i], weights[j]);
        most = fmax(most, sums[e]);
    }
    for (int64_t e = 0; e < count; e++)
        assert_near(edges[e].weight, sums[e] / most, 1e-12);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gaussian_falls_with_the_square_of_the_distance),
        cmocka_unit_test(a_bump_ends_beyond_the_farthest_member),
        cmocka_unit_test(weights_of_a_node_add_up_to_one),
        cmocka_unit_test(constant_lenses_and_single_nodes_weigh_one),
        cmocka_unit_test(without_weights_there_are_none),
        cmocka_unit_test(edges_weigh_what_both_clusters_have_of_a_node),
    };
    return RUN_WITH_CONTEXT(tests);
}
