/* SPDX-License-Identifier: Apache-2.0 */
/* Networks to files and back; files that PyTorch Geometric saved. */
#include "bytes_safetensors.h"
#include "model_sample.h"

/* ---- there and back ---- */

/* The same answers, the same file; the model is freed. */
static void check_round_trip(dgm_model *model, const dgm_graph *graph) {
    assert_int_equal(dgm_model_write(ctx, model, "model.safetensors"), DGM_OK);
    dgm_model *again = read_model("model.safetensors");
    dgm_matrix *expected = run_model(model, graph), *answer = run_model(again, graph);
    int64_t columns = dgm_matrix_columns(expected);
    assert_int_equal(dgm_model_get_kind(again), dgm_model_get_kind(model));
    assert_int_equal(dgm_model_width(again), dgm_model_width(model));
    assert_int_equal(dgm_model_classifies(again), dgm_model_classifies(model));
    assert_int_equal(dgm_matrix_columns(answer), columns);
    assert_memory_equal(dgm_matrix_values(answer), dgm_matrix_values(expected),
                        (size_t)(columns * dgm_graph_nodes(graph)) * sizeof(double));
    for (int64_t j = 0; j < columns; j++)
        assert_string_equal(dgm_matrix_column_name(answer, j), dgm_matrix_column_name(expected, j));
    assert_int_equal(dgm_model_write(ctx, again, "again.safetensors"), DGM_OK);
    size_t size, other;
    char *bytes = file_bytes("model.safetensors", &size);
    char *rest = file_bytes("again.safetensors", &other);
    assert_int_equal(size, other);
    assert_memory_equal(bytes, rest, size);
    free(bytes);
    free(rest);
    dgm_matrix_free(expected);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_model_free(again);
}

static void a_model_that_was_written_answers_the_same(void **state) {
    (void)state;
    for (int kind = TOY_NONE; kind <= TOY_DENSE; kind++) {
        dgm_graph *graph = make_toy((toy_features)kind, 1);
        for (int preset = 0; preset < 2; preset++) {
            dgm_gcn_options gcn = DGM_GCN_OPTIONS_INIT;
            dgm_dgi_options dgi = DGM_DGI_OPTIONS_INIT;
            gcn.preset = dgi.preset = preset;
            gcn.epochs = dgi.epochs = 3;
            gcn.features = dgi.features = kind == TOY_NONE ? preset + 1 : DGM_FEATURES_AUTO;
            dgi.hidden = preset ? "5-9" : "7";
            check_round_trip(train_gcn(graph, &gcn, NULL, NULL), graph);
            check_round_trip(train_dgi(graph, &dgi, NULL, NULL), graph);
        }
        dgm_graph_free(graph);
    }
}

/* ---- what a model keeps ---- */

static void a_model_remembers_how_its_training_went(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_DENSE, 1);
    dgm_gcn_options gcn = DGM_GCN_OPTIONS_INIT;
    dgm_dgi_options dgi = DGM_DGI_OPTIONS_INIT;
    dgm_training_report report;
    int64_t count;
    gcn.epochs = dgi.epochs = 6;
    gcn.patience = 6;
    dgi.hidden = "7";
    dgm_model *model = train_gcn(graph, &gcn, NULL, &report);
    const dgm_training_epoch *history = dgm_model_history(model, &count);
    assert_int_equal(count, 6);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(history[i].epoch, i + 1);
        assert_true(history[i].loss > 0 && history[i].val_loss > 0);
        assert_true(history[i].accuracy >= 0 && history[i].accuracy <= 1);
        assert_true(history[i].val_accuracy >= 0 && history[i].val_accuracy <= 1);
    }
    assert_true(history[5].loss == report.loss);
    dgm_training_report_free(&report);
    dgm_model_write(ctx, model, "remembered.safetensors");
    dgm_model_free(model);
    gcn.patience = 0; /* nobody looks at the validation nodes */
    model = train_gcn(graph, &gcn, NULL, NULL);
    history = dgm_model_history(model, &count);
    assert_true(count == 6 && isnan(history[5].val_loss) && isnan(history[5].val_accuracy));
    dgm_model_free(model);
    model = train_dgi(graph, &dgi, NULL, NULL); /* which classifies nothing */
    history = dgm_model_history(model, &count);
    assert_true(count == 6 && history[5].loss > 0 && isnan(history[5].accuracy));
    dgm_model_free(model);
    model = read_model("remembered.safetensors"); /* files do not have it */
    assert_null(dgm_model_history(model, &count));
    assert_int_equal(count, 0);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static void weights_are_those_of_the_file(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_DENSE, 1);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgmi_bytes_safetensors *file;
    dgm_model_weight weight;
    int64_t index = 0;
    options.epochs = 2;
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_write(ctx, model, "weights.safetensors"), DGM_OK);
    assert_int_equal(dgmi_bytes_safetensors_open(ctx, "weights.safetensors", &file), DGM_OK);
    for (; dgm_model_weight_at(model, index, &weight); index++) {
        const dgmi_bytes_named_tensor *tensor = dgmi_bytes_safetensors_find(file, weight.name);
        assert_non_null(tensor);
        float *values = calloc((size_t)(weight.rows * weight.columns), sizeof *values);
        assert_int_equal(tensor->rank, weight.vector ? 1 : 2);
        assert_int_equal(dgmi_bytes_safetensors_floats(ctx, file, weight.name, tensor->rank,
                                                       tensor->shape, values),
                         DGM_OK);
        for (int64_t i = 0; i < weight.rows; i++)
            for (int64_t j = 0; j < weight.columns; j++)
                assert_true(
                    values[weight.transpose ? j * weight.rows + i : i * weight.columns + j] ==
                    weight.values[i * weight.columns + j]);
        free(values);
    }
    assert_int_equal(index, dgmi_bytes_safetensors_count(file));
    assert_int_equal(index, 4); /* two convolutions with their biases */
    assert_false(dgm_model_weight_at(model, -1, &weight));
    dgmi_bytes_safetensors_free(file);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static void a_regression_comes_back_in_its_unit(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){sizeof(dgm_generate_options),
                                                       DGM_GENERATE_GRID, 36, 0, 4, 0.9, 0.1, 1});
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.target = "y";
    options.split = "0.7";
    options.epochs = 4;
    check_round_trip(train_gcn(graph, &options, NULL, NULL), graph);
    dgm_graph_free(graph);
}

static void answers_are_named_by_classes(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){sizeof(dgm_generate_options),
                                                       DGM_GENERATE_KARATE, 34, 0, 4, 0.9, 0.1, 1});
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.split = "0.3";
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    dgm_matrix *answer = run_model(model, graph);
    assert_string_equal(dgm_matrix_column_name(answer, 0), dgm_graph_class_name(graph, 0));
    dgm_predictions *says;
    int32_t classes;
    assert_int_equal(dgm_predictions_from_logits(ctx, graph, answer, NULL, &says), DGM_OK);
    const float *probabilities = dgm_predictions_probabilities(says, &classes);
    assert_int_equal(classes, 2);
    for (int i = 0; i < 34; i++) {
        assert_near((double)probabilities[2 * i] + (double)probabilities[2 * i + 1], 1, 1e-6);
        const double *row = dgm_matrix_values(answer) + 2 * i;
        assert_int_equal(dgm_predictions_classes(says)[i], row[1] > row[0]);
    }
    dgm_predictions_free(says);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

/* ---- PyTorch Geometric ---- */

/* A toy whose labels have these numbers. */
static dgm_graph *renumbered_toy(const int32_t *numbers) {
    dgm_graph *plain = make_toy(TOY_DENSE, 1), *graph;
    int64_t nodes = dgm_graph_nodes(plain);
    int32_t *labels = malloc((size_t)nodes * sizeof *labels);
    for (int64_t u = 0; u < nodes; u++)
        labels[u] = numbers[dgm_graph_labels(plain)[u]];
    assert_int_equal(dgm_graph_with_labels(ctx, plain, labels, 0, NULL, &graph), DGM_OK);
    dgm_graph_free(plain);
    free(labels);
    return graph;
}

static dgm_model *train_on_labels_3_and_7(void) {
    dgm_graph *graph = renumbered_toy((const int32_t[]){3, 7, 8, 9});
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 20;
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_width(model), dgm_graph_classes(graph));
    check_round_trip(model, graph);
    dgm_graph_free(graph);
    return read_model("model.safetensors");
}

/* On a graph that lacks the class of the first output, and has one that the network does not know.
 */
static void a_model_keeps_the_numbers_of_its_classes(void **state) {
    (void)state;
    dgm_model *model = train_on_labels_3_and_7();
    dgm_graph *graph = renumbered_toy((const int32_t[]){-1, 7, 5, 5});
    dgm_matrix *answer = run_model(model, graph);
    assert_string_equal(dgm_matrix_column_name(answer, 0), "logit3");
    assert_string_equal(dgm_matrix_column_name(answer, 1), "logit7");
    dgm_predictions *says;
    assert_int_equal(dgm_predictions_from_logits(ctx, graph, answer, NULL, &says), DGM_OK);
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++) {
        const double *row = dgm_matrix_values(answer) + u * dgm_matrix_columns(answer);
        int32_t number = dgm_predictions_class_number(says, dgm_predictions_classes(says)[u]);
        assert_true(number == (row[0] >= row[1] ? 3 : 7) || dgm_matrix_columns(answer) > 2);
    }
    assert_int_equal(dgm_predictions_class_number(says, dgm_predictions_probability_class(says, 0)),
                     3);
    assert_int_equal(dgm_predictions_class_number(says, dgm_predictions_probability_class(says, 1)),
                     7);
    dgm_predictions_free(says);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static void check_answer(const char *file, bool directed, const char *golden) {
    char path[4096];
    snprintf(path, sizeof path, "%s/oracle/%s", getenv("DGM_TEST_DATA"), file);
    dgm_graph *graph = golden_graph(directed);
    dgm_model *model = read_model(path);
    dgm_matrix *answer = run_model(model, graph);
    const golden_table *table = find_golden(golden, -1);
    assert_true(dgm_model_classifies(model));
    assert_int_equal(dgm_matrix_columns(answer), table->columns);
    for (int64_t i = 0; i < table->rows * table->columns; i++)
        assert_near(dgm_matrix_values(answer)[i], table->values[i], 1e-5);
    dgm_matrix_free(answer);
    check_round_trip(model, graph); /* also under the names that we write */
    dgm_graph_free(graph);
}

static void networks_of_pytorch_geometric_answer_as_they_do_there(void **state) {
    (void)state;
    listen_to_notes();
    check_answer("nn_pyg_conv.safetensors", false, "conv");
    ASSERT_HAS(last_note, "does not say whether features are normalised");
    check_answer("nn_pyg_conv.safetensors", true, "conv_directed");
    check_answer("nn_pyg_convs.safetensors", false, "convs");
    listen_to_notes();
    check_answer("nn_pyg_head.safetensors", false, "head");
    assert_int_equal(note_count, 0);
}

/* ---- faults ---- */

static dgm_status write_read_and_run(dgm_context *context, const dgm_graph *graph) {
    dgm_model *model;
    dgm_matrix *answer = NULL;
    dgm_status status = dgm_model_read(context, "kept.safetensors", &model);
    if (status == DGM_OK)
        status = dgm_model_write(context, model, "faults.safetensors");
    if (status == DGM_OK)
        status = dgm_model_run(context, model, graph, &answer);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    return status;
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 1;
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_write(ctx, model, "kept.safetensors"), DGM_OK);
    assert_true(fail_every_allocation(write_read_and_run, graph) > 5);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_was_written_answers_the_same),
        cmocka_unit_test(a_model_remembers_how_its_training_went),
        cmocka_unit_test(weights_are_those_of_the_file),
        cmocka_unit_test(a_regression_comes_back_in_its_unit),
        cmocka_unit_test(answers_are_named_by_classes),
        cmocka_unit_test(a_model_keeps_the_numbers_of_its_classes),
        cmocka_unit_test(networks_of_pytorch_geometric_answer_as_they_do_there),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return RUN_GROUP(tests, enter_golden, leave_folder);
}
