/* SPDX-License-Identifier: Apache-2.0 */
/* Features that are made of the edges alone: numbers worked by hand, positions that are
 * eigenvectors, and which graphs get them. */
#include "nn_training.h"

#include <math.h>

#include "base_memory.h"
#include "nn_structure.h"

static float *make_table(const dgm_graph *graph) {
    float *table;
    assert_int_equal(dgmi_nn_structure_make(ctx, graph, &table), DGM_OK);
    return table;
}

/* A triangle 0 1 2 with a tail 2 3 and a node alone. */
static void degree_core_and_clustering_are_those_of_the_node(void **state) {
    (void)state;
    const double degrees[] = {2, 2, 3, 1, 0}, cores[] = {2, 2, 2, 1, 0};
    const double clusterings[] = {1, 1, 1.0 / 3, 0, 0};
    dgm_graph *graph = build_graph(NULL, 5, 4, (const uint32_t[]){0, 1, 1, 2, 2, 0, 2, 3}, NULL);
    float *table = make_table(graph);
    for (int u = 0; u < 5; u++) {
        const float *row = table + u * DGMI_NN_STRUCTURE;
        assert_near(row[0], log1p(degrees[u]), 1e-6);
        assert_near(row[1], log1p(cores[u]), 1e-6);
        assert_near(row[2], clusterings[u], 1e-6);
    }
    dgmi_free(ctx, table);
    dgm_graph_free(graph);
}

/* The columns of D^1/2 positions are orthonormal, and S maps their span into itself as far as the
 * iteration has gone: for two dense blocks with a bridge, the second tells the blocks apart. */
static void positions_tell_blocks_apart(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){
        sizeof(dgm_generate_options), DGM_GENERATE_SBM, 400, 4000, 2, 0.99, 0.1, 1});
    const int32_t *labels = dgm_graph_labels(graph);
    const int64_t *offsets = dgm_graph_get_rows(graph).offsets;
    float *table = make_table(graph);
    double length = 0, overlap = 0;
    int64_t right = 0;
    for (int u = 0; u < 400; u++) {
        double weight = (double)(offsets[u + 1] - offsets[u]) + 1;
        const float *row = table + u * DGMI_NN_STRUCTURE + 3;
        length += weight * (double)row[0] * row[0];
        overlap += weight * (double)row[0] * row[1];
    }
    assert_near(length, 1, 1e-4);
    assert_near(overlap, 0, 1e-4);
    /* The first is constant or the blocks, the second the other, or a mixture: in the plane of both
     * the line through the means of two nodes parts them. */
    const float *a = NULL, *b = NULL;
    for (int u = 0; u < 400; u++) {
        const float *row = table + u * DGMI_NN_STRUCTURE + 3;
        a = !a && labels[u] == 0 ? row : a;
        b = !b && labels[u] == 1 ? row : b;
    }
    for (int u = 0; u < 400; u++) {
        const float *row = table + u * DGMI_NN_STRUCTURE + 3;
        double to_a = hypot(row[0] - a[0], row[1] - a[1]),
               to_b = hypot(row[0] - b[0], row[1] - b[1]);
        right += (to_a < to_b) == (labels[u] == 0);
    }
    assert_true(right > 380);
    dgmi_free(ctx, table);
    dgm_graph_free(graph);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){
        sizeof(dgm_generate_options), DGM_GENERATE_SBM, 3000, 9000, 5, 0.9, 0.1, 1});
    dgm_context_set_threads(ctx, 1);
    float *one = make_table(graph);
    dgm_context_set_threads(ctx, 7);
    float *many = make_table(graph);
    assert_memory_equal(one, many, sizeof(float) * 3000 * DGMI_NN_STRUCTURE);
    dgmi_free(ctx, one);
    dgmi_free(ctx, many);
    dgm_graph_free(graph);
}

/* Fewer nodes than columns: the rest of the columns is 0. */
static void small_and_empty_graphs_have_positions(void **state) {
    (void)state;
    dgm_graph *pair = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    float *table = make_table(pair);
    for (int i = 0; i < 2 * DGMI_NN_STRUCTURE; i++)
        assert_true(isfinite(table[i]));
    dgmi_free(ctx, table);
    dgm_graph_free(pair);
    dgm_graph *none = build_graph(NULL, 0, 0, NULL, NULL);
    dgmi_free(ctx, make_table(none));
    dgm_graph_free(none);
}

/* The network that was trained reads the same features again from its file. */
static void a_model_of_structure_answers_in_the_same_bytes(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_NONE, 4);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.preset = DGM_GCN_AUTO;
    options.features = DGM_FEATURES_STRUCTURE;
    dgm_model *model, *read;
    dgm_matrix *expected, *answer;
    dgm_training_report report;
    assert_int_equal(dgm_gcn_train(ctx, graph, &options, NULL, &model, &report, &expected), DGM_OK);
    assert_true(report.train_accuracy > 0.9);
    assert_int_equal(dgm_model_write(ctx, model, "s.safetensors"), DGM_OK);
    assert_int_equal(dgm_model_read(ctx, "s.safetensors", &read), DGM_OK);
    assert_int_equal(dgm_model_run(ctx, read, graph, &answer), DGM_OK);
    assert_memory_equal(dgm_matrix_values(answer), dgm_matrix_values(expected),
                        sizeof(double) * TOY_NODES * TOY_CLASSES);
    dgm_matrix_free(answer);
    dgm_matrix_free(expected);
    dgm_training_report_free(&report);
    dgm_model_free(model);
    dgm_model_free(read);
    dgm_graph_free(graph);
}

/* Only where the preset looks at the graph, and only above so many nodes. */
static void many_nodes_without_features_have_structure(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        dgm_graph *graph =
            build_graph(NULL, DGM_STRUCTURE_NODES + more, 1, (const uint32_t[]){0, 1}, NULL);
        for (int automatic = 0; automatic < 2; automatic++) {
            const dgmi_nn_reading reading = {.structure = automatic};
            dgmi_nn_features x;
            listen_to_notes();
            assert_int_equal(dgmi_nn_features_read(ctx, graph, &reading, &x), DGM_OK);
            assert_int_equal(x.kind,
                             more && automatic ? DGM_FEATURES_STRUCTURE : DGM_FEATURES_ONE_HOT);
            assert_int_equal(note_count, 1);
            if (more && automatic)
                ASSERT_HAS(last_note, "50001 nodes are many");
            dgmi_nn_features_free(ctx, &x);
        }
        dgm_graph_free(graph);
    }
}

static dgm_status make_and_free(dgm_context *context, const dgm_graph *graph) {
    float *table;
    dgm_status status = dgmi_nn_structure_make(context, graph, &table);
    assert_true((table != NULL) == (status == DGM_OK));
    dgmi_free(context, table);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    assert_true(fail_every_allocation(make_and_free, graph) > 1);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degree_core_and_clustering_are_those_of_the_node),
        cmocka_unit_test(positions_tell_blocks_apart),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(small_and_empty_graphs_have_positions),
        cmocka_unit_test(a_model_of_structure_answers_in_the_same_bytes),
        cmocka_unit_test(many_nodes_without_features_have_structure),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
