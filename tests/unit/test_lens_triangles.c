/* SPDX-License-Identifier: Apache-2.0 */
#include "lens_golden.h"

static void triangles_are_those_of_networkx(void **state) {
    (void)state;
    assert_int_equal(check_golden("lens_local.txt", "triangles"), 20);
}

static void clustering_is_that_of_networkx(void **state) {
    (void)state;
    assert_int_equal(check_golden("lens_local.txt", "clustering"), 20);
}

static bool joined(dgm_graph_rows rows, uint32_t u, uint32_t v) {
    for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
        if (rows.targets[e] == v)
            return true;
    return false;
}

/* Pairs of neighbours that are joined. */
static int64_t count_slowly(dgm_graph_rows rows, int64_t u) {
    int64_t count = 0;
    for (int64_t a = rows.offsets[u]; a < rows.offsets[u + 1]; a++)
        for (int64_t b = a + 1; b < rows.offsets[u + 1]; b++)
            count += joined(rows, rows.targets[a], rows.targets[b]);
    return count;
}

static void triangles_are_pairs_of_neighbours_that_are_joined(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.nodes = 600; /* three chunks */
    options.edges = 3000;
    for (options.seed = 0; options.seed < 6; options.seed++) {
        dgm_graph *graph;
        dgm_matrix *triangles, *clustering;
        options.kind = options.seed % 2 ? DGM_GENERATE_WS : DGM_GENERATE_RMAT;
        assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
        assert_int_equal(dgm_lens_triangles(ctx, graph, &triangles), DGM_OK);
        assert_int_equal(dgm_lens_clustering(ctx, graph, &clustering), DGM_OK);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        for (int64_t u = 0; u < rows.nodes; u++) {
            double count = (double)count_slowly(rows, u);
            double degree = (double)(rows.offsets[u + 1] - rows.offsets[u]);
            assert_near(dgm_matrix_values(triangles)[u], count, 0);
            assert_near(dgm_matrix_values(clustering)[u],
                        degree < 2 ? 0 : 2 * count / degree / (degree - 1), 1e-12);
        }
        dgm_matrix_free(triangles);
        dgm_matrix_free(clustering);
        dgm_graph_free(graph);
    }
}

static void directions_and_loops_do_not_count(void **state) {
    (void)state;
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    const uint32_t ends[] = {0, 1, 1, 0, 1, 2, 2, 0, 2, 3, 3, 3, 0, 0};
    const double expected[] = {1, 1, 1.0 / 3, 0};
    dgm_graph *graph = build_graph(&options, 0, 7, ends, NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_clustering(ctx, graph, &lens), DGM_OK);
    assert_string_equal(dgm_matrix_column_name(lens, 0), "clustering");
    for (int u = 0; u < 4; u++)
        assert_near(dgm_matrix_values(lens)[u], expected[u], 1e-15);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void triangles_are_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    dgm_matrix *one, *other;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = 1 << 12;
    options.edges = 40000;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgm_lens_clustering(ctx, graph, &one), DGM_OK);
    dgm_context_set_threads(ctx, 5);
    assert_int_equal(dgm_lens_clustering(ctx, graph, &other), DGM_OK);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(dgm_matrix_values(one), dgm_matrix_values(other),
                        (size_t)dgm_matrix_rows(one) * sizeof(double));
    dgm_matrix_free(one);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_those_of_networkx),
        cmocka_unit_test(clustering_is_that_of_networkx),
        cmocka_unit_test(triangles_are_pairs_of_neighbours_that_are_joined),
        cmocka_unit_test(directions_and_loops_do_not_count),
        cmocka_unit_test(triangles_are_the_same_for_any_number_of_threads),
    };
    return RUN_WITH_CONTEXT(tests);
}
