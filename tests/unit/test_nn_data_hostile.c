/* SPDX-License-Identifier: Apache-2.0 */
/* Features that a file or a caller should never have given: each is an error in words, whatever the
 * number of threads, and nothing is read or written outside. */
#include "nn_sample.h"

#include <math.h>

enum { NODES = 20000, WIDTH = 3 };

static void assert_features_fail(int64_t nodes, const dgm_graph_features *features,
                                 const char *words) {
    const sample s = {.nodes = nodes, .features = features};
    dgm_graph *graph = build_sample(&s);
    for (int normalise = 0; normalise < 2; normalise++)
        for (int threads = 1; threads <= 4; threads += 3) {
            dgmi_nn_features x;
            dgm_context_set_threads(ctx, threads);
            ASSERT_FAILS(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, normalise, &x),
                         DGM_ERROR_DATA, words);
            assert_null(x.dense);
            assert_null(x.sparse.matrix.offsets);
        }
    dgm_context_set_threads(ctx, 0);
    dgm_graph_free(graph);
}

/* Of several the first is named, in whatever chunk a thread meets them first. */
static void what_is_not_finite_in_dense_features_is_named(void **state) {
    (void)state;
    static float values[NODES * WIDTH];
    const dgm_graph_features features = {.width = WIDTH, .values = values};
    values[(NODES - 1) * WIDTH] = NAN;
    assert_features_fail(NODES, &features,
                         "node 19999 has nan in column 0 (from 0) of its features: they must be "
                         "finite numbers");
    values[7 * WIDTH + 2] = -INFINITY;
    assert_features_fail(NODES, &features,
                         "node 7 has an infinity in column 2 (from 0) of its features: they must "
                         "be finite numbers");
    values[7 * WIDTH + 1] = NAN;
    assert_features_fail(NODES, &features,
                         "node 7 has nan in column 1 (from 0) of its features: they must be "
                         "finite numbers");
}

static void what_is_not_finite_in_sparse_features_is_named(void **state) {
    (void)state;
    static int64_t offsets[NODES + 1];
    static uint32_t columns[NODES];
    static float values[NODES];
    for (int64_t u = 0; u < NODES; u++) {
        offsets[u + 1] = u + 1;
        columns[u] = (uint32_t)u % 1000;
        values[u] = 1;
    }
    const dgm_graph_features features = {1000, offsets, columns, values};
    values[15432] = INFINITY;
    assert_features_fail(NODES, &features,
                         "node 15432 has an infinity in column 432 (from 0) of its features: they "
                         "must be finite numbers");
    values[8001] = NAN;
    assert_features_fail(NODES, &features,
                         "node 8001 has nan in column 1 (from 0) of its features: they must be "
                         "finite numbers");
}

static void rows_that_do_not_ascend_are_refused(void **state) {
    (void)state;
    static const char *const words =
        "the features of node 1 are not in ascending order of their columns, each once";
    const int64_t offsets[] = {0, 1, 3};
    const float values[] = {1, 1, 1};
    const uint32_t falling[] = {2, 2, 1}, twice[] = {2, 1, 1};
    assert_features_fail(2, &(dgm_graph_features){3, offsets, falling, values}, words);
    assert_features_fail(2, &(dgm_graph_features){3, offsets, twice, NULL}, words);
}

static void dense_features_without_values_are_refused(void **state) {
    (void)state;
    assert_features_fail(2, &(dgm_graph_features){.width = 3},
                         "the graph's features are dense, but have no values");
}

/* Labels far beyond the nodes would ask for an array of 16 GiB. */
static void a_split_of_absurd_labels_is_refused(void **state) {
    (void)state;
    const int32_t labels[] = {0, INT32_MAX - 1};
    const sample s = {.nodes = 2, .labels = labels};
    dgm_graph *graph = build_sample(&s);
    dgmi_nn_split split;
    ASSERT_FAILS(dgmi_nn_split_make(ctx, graph, labels, 0.8, 0.1, 1, &split), DGM_ERROR_DATA,
                 "the highest label is 2147483646, but there are only 2 nodes: number the classes "
                 "from 0");
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_in_dense_features_is_named),
        cmocka_unit_test(what_is_not_finite_in_sparse_features_is_named),
        cmocka_unit_test(rows_that_do_not_ascend_are_refused),
        cmocka_unit_test(dense_features_without_values_are_refused),
        cmocka_unit_test(a_split_of_absurd_labels_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
