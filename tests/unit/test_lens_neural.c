/* SPDX-License-Identifier: Apache-2.0 */
/* Networks as lenses: by name, from a file, and through the whole job. */
#include "nn_training.h"

#include "unit_faults.h"

#include "../check_lens.h"

#include "lens_result.h"

static dgm_graph *karate(void) {
    return generate((dgm_generate_options){sizeof(dgm_generate_options), DGM_GENERATE_KARATE, 34, 0,
                                           4, 0.9, 0.1, 1});
}

static void a_gcn_by_name_is_the_trained_network(void **state) {
    (void)state;
    dgm_graph *graph = karate();
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.preset = DGM_GCN_AUTO;
    options.epochs = 30;
    options.split = "0.5,0.2";
    options.seed = 7;
    dgm_matrix *expected, *lens;
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_run(ctx, model, graph, &expected), DGM_OK);
    listen_to_notes();
    if (lens_axes(ctx, graph, "gcn:epochs=30,split=0.5;0.2", 7, &lens) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(note_count, 2); /* one-hot features, said once; how good it is */
    assert_int_equal(dgm_matrix_columns(lens), 2);
    assert_memory_equal(dgm_matrix_values(lens), dgm_matrix_values(expected),
                        2 * 34 * sizeof(double));
    dgm_matrix_free(lens);
    dgm_matrix_free(expected);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static char quality[256];

static void keep_quality(void *user, const char *note) {
    (void)user;
    if (strstr(note, " epochs, loss "))
        snprintf(quality, sizeof quality, "%s", note);
}

static void how_good_it_is_is_noted(void **state) {
    (void)state;
    dgm_graph *graph = karate();
    dgm_matrix *lens;
    dgm_context_set_notes(ctx, keep_quality, NULL);
    assert_int_equal(lens_axes(ctx, graph, "gcn:preset=kipf,split=0.5;0.2", 1, &lens), DGM_OK);
    dgm_matrix_free(lens);
    assert_true(strncmp(quality, "gcn: 200 epochs, loss ", 22) == 0);
    ASSERT_HAS(quality, " on training, ");
    ASSERT_HAS(quality, " on validation, ");
    ASSERT_HAS(quality, " on test nodes");
    assert_int_equal(lens_axes(ctx, graph, "dgi:hidden=6,epochs=4", 1, &lens), DGM_OK);
    assert_int_equal(dgm_matrix_columns(lens), 6);
    assert_string_equal(dgm_matrix_column_name(lens, 5), "dgi6");
    assert_true(strncmp(quality, "dgi: 4 epochs, loss ", 20) == 0);
    assert_null(strstr(quality, "accuracy"));
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    dgm_generate_options grid = DGM_GENERATE_OPTIONS_INIT; /* a number is explained, not guessed */
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    grid.kind = DGM_GENERATE_GRID;
    grid.nodes = 64;
    options.target = "x";
    options.split = "0.5,0.2";
    options.epochs = 5;
    assert_int_equal(dgm_graph_generate(ctx, &grid, NULL, &graph), DGM_OK);
    dgm_lens_result *result;
    assert_int_equal(dgm_lens_gcn(ctx, graph, &options, &result), DGM_OK);
    assert_true(strncmp(quality, "gcn: 5 epochs, loss ", 20) == 0);
    ASSERT_HAS(quality, ", R^2 ");
    assert_null(dgm_lens_result_predictions(result));
    dgm_lens_result_free(result);
    assert_int_equal(dgm_lens_gcn(ctx, graph, NULL, &result), DGM_ERROR_DATA); /* no labels */
    assert_null(result);
    listen_to_notes();
    dgm_graph_free(graph);
}

/* Loss with four digits, shares with three, those that are known, in the order of the parts. */
static void the_note_has_the_numbers_of_the_report(void **state) {
    (void)state;
    static const char *const splits[] = {"0.5,0.2", "0.6,0"};
    for (int64_t k = 0; k < COUNT(splits); k++) {
        dgm_graph *graph = karate();
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        dgm_lens_result *result;
        char wanted[256];
        options.split = splits[k];
        options.epochs = 4;
        dgm_context_set_notes(ctx, keep_quality, NULL);
        assert_int_equal(dgm_lens_gcn(ctx, graph, &options, &result), DGM_OK);
        listen_to_notes();
        const dgm_training_report *report = dgm_lens_result_report(result);
        assert_int_equal(isnan(report->val_accuracy), k == 1);
        if (k == 0)
            snprintf(wanted, sizeof wanted,
                     "gcn: 4 epochs, loss %.4f, accuracy %.3f on training, %.3f on validation, "
                     "%.3f on test nodes",
                     report->loss, report->train_accuracy, report->val_accuracy,
                     report->test_accuracy);
        else
            snprintf(wanted, sizeof wanted,
                     "gcn: 4 epochs, loss %.4f, accuracy %.3f on training, %.3f on test nodes",
                     report->loss, report->train_accuracy, report->test_accuracy);
        assert_string_equal(quality, wanted);
        dgm_lens_result_free(result);
        dgm_graph_free(graph);
    }
}

static void networks_are_found_by_the_names_of_lenses(void **state) {
    (void)state;
    dgm_model_kind kind = DGM_MODEL_GCN;
    assert_true(dgmi_lens_find_network("dgi:hidden=3", &kind));
    assert_int_equal(kind, DGM_MODEL_DGI);
    assert_true(dgmi_lens_find_network("gcn", &kind));
    assert_int_equal(kind, DGM_MODEL_GCN);
    assert_false(dgmi_lens_find_network("pagerank", &kind));
    assert_false(dgmi_lens_find_network("nothing", &kind));
    assert_int_equal(kind, DGM_MODEL_GCN);
}

static void a_lens_that_cannot_learn_says_why(void **state) {
    (void)state;
    dgm_graph *graph = karate();
    dgm_matrix *lens;
    assert_int_equal(lens_axes(ctx, graph, "gcn", 1, &lens), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "lens=gcn:split=0.8,0.1,");
    assert_null(lens);
    assert_int_equal(lens_axes(ctx, graph, "gcn:hidden=x", 1, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    assert_int_equal(lens_axes(ctx, graph, "dgi:dropout=0.5", 1, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    dgm_graph_free(graph);
}

/* ---- from a file ---- */

static void write_gcn(const dgm_graph *graph, const char *path) {
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 20;
    options.split = "0.5";
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_write(ctx, model, path), DGM_OK);
    dgm_model_free(model);
}

static dgm_status run_model(const dgm_graph *graph, const char *lens, const char *model,
                            dgm_lens_result **out) {
    const dgm_lens_options options = {
        .size = sizeof(dgm_lens_options), .model = model, .seed = 1, .predict = true};
    return dgm_lens_run(ctx, graph, &lens, 1, &options, out);
}

static void a_network_of_the_other_kind_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = karate();
    dgm_lens_result *lens;
    write_gcn(graph, "gcn.safetensors");
    assert_int_equal(run_model(graph, "gcn", "gcn.safetensors", &lens), DGM_OK);
    assert_non_null(dgm_lens_result_predictions(lens));
    assert_null(dgm_predictions_splits(dgm_lens_result_predictions(lens)));
    assert_null(dgm_lens_result_report(lens));
    dgm_lens_result_free(lens);
    ASSERT_FAILS(run_model(graph, "dgi", "gcn.safetensors", &lens), DGM_ERROR_DATA,
                 "gcn.safetensors: the network is a 'gcn', but the lens is 'dgi'");
    assert_null(lens);
    ASSERT_FAILS(run_model(graph, "gcn", "none.safetensors", &lens), DGM_ERROR_FILE,
                 "none.safetensors: no such file");
    assert_null(lens);
    dgm_graph_free(graph);
}

/* ---- what comes with the axes ---- */

static void a_classifier_gives_predictions_and_a_report(void **state) {
    (void)state;
    static const char *const lenses[] = {"degree", "gcn:epochs=20,split=0.5;0.2"};
    dgm_graph *graph = karate();
    dgm_lens_result *result;
    int64_t counts[DGM_SPLITS] = {0};
    assert_int_equal(dgm_lens_run(ctx, graph, lenses, 2, NULL, &result), DGM_OK);
    assert_int_equal(dgm_matrix_columns(dgm_lens_result_axes(result)), 3);
    const dgm_predictions *says = dgm_lens_result_predictions(result);
    const dgm_training_report *report = dgm_lens_result_report(result);
    assert_int_equal(report->epochs, 20);
    assert_true(report->train_accuracy > 0.5);
    assert_memory_equal(dgm_predictions_splits(says), report->splits, 34);
    for (int64_t u = 0; u < 34; u++) {
        const double *row = dgm_matrix_values(dgm_lens_result_axes(result)) + 3 * u;
        assert_int_equal(dgm_predictions_classes(says)[u], row[2] > row[1]);
        counts[dgm_predictions_splits(says)[u]]++;
    }
    assert_int_equal(counts[DGM_SPLIT_NONE], 0);
    assert_true(counts[DGM_SPLIT_TRAIN] > 14 && counts[DGM_SPLIT_TRAIN] < 20);
    dgm_matrix *axes = dgm_lens_result_take_axes(result);
    dgm_predictions *taken = dgm_lens_result_take_predictions(result);
    assert_ptr_equal(taken, says);
    assert_null(dgm_lens_result_axes(result));
    assert_null(dgm_lens_result_predictions(result));
    dgm_lens_result_free(result);
    dgm_predictions_free(taken);
    dgm_matrix_free(axes);
    dgm_graph_free(graph);
}

static void predictions_are_left_out_where_nobody_asks(void **state) {
    (void)state;
    static const char *const lens = "gcn:epochs=2,split=0.5";
    const dgm_lens_options options = {.size = sizeof(dgm_lens_options), .seed = 1};
    dgm_graph *graph = karate();
    dgm_lens_result *result;
    assert_int_equal(dgm_lens_run(ctx, graph, &lens, 1, &options, &result), DGM_OK);
    assert_null(dgm_lens_result_predictions(result));
    assert_non_null(dgm_lens_result_report(result));
    dgm_lens_result_free(result);
    assert_int_equal(dgm_lens_run(ctx, graph, &lens, 0, NULL, &result), DGM_ERROR_USAGE);
    assert_null(result);
    dgm_graph_free(graph);
}

static dgm_status run_several(dgm_context *own, void *graph) {
    static const char *const lenses[] = {"gcn:epochs=1,split=0.5", "degree",
                                         "dgi:epochs=1,hidden=2"};
    dgm_lens_result *result;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgm_lens_run(own, graph, lenses, 3, NULL, &result);
    dgm_lens_result_free(result);
    return status;
}

static void every_allocation_of_a_lens_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = karate();
    fail_each_allocation(run_several, graph);
    dgm_graph_free(graph);
}

/* ---- the job ---- */

static dgm_job job_of(const char *lens) {
    dgm_job job;
    dgm_job_init(&job);
    job.graph = "karate";
    job.lenses[0] = lens;
    job.lens_count = 1;
    return job;
}

static void two_classes_are_seen_through_a_probability(void **state) {
    (void)state;
    static const char *const outputs[] = {"out.json"};
    dgm_graph *graph = karate();
    write_gcn(graph, "two.safetensors");
    dgm_graph_free(graph);
    dgm_job job = job_of("gcn");
    job.model = "two.safetensors";
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    dgm_job_result made;
    if (dgm_job_run(ctx, &job, NULL, DGM_KEEP_LENS | DGM_KEEP_SUMMARY, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    const dgm_summary *summary = made.summary;
    const dgm_lens_result *result = made.lens;
    assert_int_equal(dgm_summary_get_clusters(summary).dimension, 1);
    double low, high;
    dgm_summary_lens_range(summary, 0, &low, &high);
    assert_true(low >= 0 && low < high && high <= 1);
    assert_non_null(dgm_lens_result_predictions(result));
    assert_int_equal(dgm_matrix_columns(dgm_lens_result_axes(result)), 1);
    size_t size;
    char *text = file_bytes("out.json", &size);
    text[size] = '\0';
    ASSERT_HAS(text, "\"name\": \"gcn+prob\"");
    ASSERT_HAS(text, "\"mistakes\": ");
    free(text);
    dgm_job_result_free(&made);
    job.reduce = "none"; /* both logits */
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_SUMMARY, &made), DGM_OK);
    assert_int_equal(dgm_summary_get_clusters(made.summary).dimension, 2);
    dgm_job_result_free(&made);
}

static void an_embedding_of_many_columns_is_reduced(void **state) {
    (void)state;
    dgm_job job = job_of("dgi:hidden=9,epochs=2");
    dgm_job_result made;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_SUMMARY, &made), DGM_OK);
    assert_int_equal(dgm_summary_get_clusters(made.summary).dimension, 2);
    dgm_job_result_free(&made);
    job.reduce = "pca";
    job.dim = 2;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_SUMMARY, &made), DGM_OK);
    assert_int_equal(dgm_summary_get_clusters(made.summary).dimension, 2);
    dgm_job_result_free(&made);
}

static void a_model_without_a_neural_lens_is_refused_before_anything_is_read(void **state) {
    (void)state;
    dgm_job job = job_of("degree");
    dgm_job_result made;
    job.graph = "not even there";
    job.model = "two.safetensors";
    ASSERT_FAILS(dgm_job_run(ctx, &job, NULL, DGM_KEEP_SUMMARY, &made), DGM_ERROR_USAGE,
                 "model is for the lenses gcn and dgi: add lens=gcn or lens=dgi");
    assert_null(made.summary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gcn_by_name_is_the_trained_network),
        cmocka_unit_test(how_good_it_is_is_noted),
        cmocka_unit_test(the_note_has_the_numbers_of_the_report),
        cmocka_unit_test(networks_are_found_by_the_names_of_lenses),
        cmocka_unit_test(a_lens_that_cannot_learn_says_why),
        cmocka_unit_test(a_network_of_the_other_kind_is_refused),
        cmocka_unit_test(a_classifier_gives_predictions_and_a_report),
        cmocka_unit_test(predictions_are_left_out_where_nobody_asks),
        cmocka_unit_test(every_allocation_of_a_lens_may_fail),
        cmocka_unit_test(two_classes_are_seen_through_a_probability),
        cmocka_unit_test(an_embedding_of_many_columns_is_reduced),
        cmocka_unit_test(a_model_without_a_neural_lens_is_refused_before_anything_is_read),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
