/* SPDX-License-Identifier: Apache-2.0 */
/* Networks to files and back; files that PyTorch Geometric saved; files that are no network. */
#include "nn_golden.h"
#include "nn_training.h"

#include "bytes_safetensors.h"
#include "nn_options.h"

static int enter(void **state) {
    int status = enter_folder(state);
    read_golden("nn_pyg.txt");
    return status;
}

/* Kipf and Welling's, and those of the reference. */
static void presets_have_their_epochs(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT, out;
    options.preset = DGM_GCN_KIPF;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 200);
    assert_string_equal(out.hidden, "16");
    options.preset = DGM_GCN_REFERENCE;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 81);
    assert_string_equal(out.hidden, "32-64-128-128");
    assert_near(out.rate, 1e-3, 0);
    assert_near(out.dropout, 0.5, 0);
    assert_near(out.decay, 0, 0);
    options.epochs = 7;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 7);
}

/* Velickovic's and others', and those of the reference. */
static void presets_of_dgi_have_their_layers_and_patience(void **state) {
    (void)state;
    static const struct {
        int preset;
        const char *hidden;
        int64_t epochs, patience;
    } cases[] = {{DGM_DGI_DGI, "512", 1000, 20}, {DGM_DGI_REFERENCE, "32-64-512", 201, 0}};
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_dgi_options options = DGM_DGI_OPTIONS_INIT, out;
        options.preset = cases[i].preset;
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &options, &out), DGM_OK);
        assert_string_equal(out.hidden, cases[i].hidden);
        assert_int_equal(out.epochs, cases[i].epochs);
        assert_int_equal(out.patience, cases[i].patience);
        options.hidden = "8";
        options.epochs = 3;
        options.patience = 2;
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &options, &out), DGM_OK);
        assert_string_equal(out.hidden, "8");
        assert_int_equal(out.epochs, 3);
        assert_int_equal(out.patience, 2);
    }
}

static void checkpoints_come_by_epochs_or_by_seconds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t epochs;
        double seconds;
    } good[] = {{NULL, 0, 60}, {"1", 1, 60},     {"250", 250, 60},  {"30s", 0, 30},
                {"0s", 0, 0},  {"0.5s", 0, 0.5}, {"1e3", 1000, 60}, {"1000000000s", 0, 1e9}};
    static const char *const bad[] = {"",           "s",    "0", "1.5",  "-1",  "-1s",
                                      "2000000000", "2e9s", "x", "3sec", "nan", "nans"};
    int64_t epochs;
    double seconds;
    for (int i = 0; i < COUNT(good); i++) {
        assert_int_equal(dgmi_nn_checkpoint_every(ctx, good[i].text, &epochs, &seconds), DGM_OK);
        assert_int_equal(epochs, good[i].epochs);
        assert_near(seconds, good[i].seconds, 0);
    }
    for (int i = 0; i < COUNT(bad); i++)
        if (dgmi_nn_checkpoint_every(ctx, bad[i], &epochs, &seconds) != DGM_ERROR_USAGE)
            fail_msg("checkpoints come every '%s'", bad[i]);
}

/* What a model says of a graph; freed by the caller. */
static dgm_matrix *run_model(const dgm_model *model, const dgm_graph *graph) {
    dgm_matrix *answer;
    if (dgm_model_run(ctx, model, graph, &answer) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return answer;
}

static dgm_model *read_model(const char *path) {
    dgm_model *model;
    if (dgm_model_read(ctx, path, &model) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return model;
}

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

static dgm_graph *golden_graph(bool directed) {
    const golden_table *edges = find_golden("edges", -1), *table = find_golden("features", -1);
    static uint32_t ends[256];
    static double weights[128];
    static float values[24 * 9];
    for (int64_t e = 0; e < edges->rows; e++) {
        ends[2 * e] = (uint32_t)edges->values[3 * e];
        ends[2 * e + 1] = (uint32_t)edges->values[3 * e + 1];
        weights[e] = edges->values[3 * e + 2];
    }
    for (int64_t i = 0; i < 24 * 9; i++)
        values[i] = (float)table->values[i];
    const dgm_graph_features features = {.width = 9, .values = values};
    const sample s = {.options = {.size = sizeof(dgm_graph_options), .directed = directed},
                      .weighted = true,
                      .nodes = 24,
                      .edges = edges->rows,
                      .ends = ends,
                      .weights = weights,
                      .features = &features};
    return build_sample(&s);
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

/* ---- files that are no network, or another ---- */

typedef struct made_tensor {
    const char *name;
    int rank;
    int64_t shape[2];
} made_tensor;

/* A file of zeros in these shapes. */
static void write_tensors(const made_tensor *made, int count, const char *const *metadata) {
    static const float zeros[1 << 20];
    dgmi_bytes_named_tensor tensors[40];
    for (int i = 0; i < count; i++) {
        tensors[i] =
            (dgmi_bytes_named_tensor){.name = made[i].name, .rank = made[i].rank, .data = zeros};
        memcpy(tensors[i].shape, made[i].shape, sizeof made[i].shape);
    }
    if (dgmi_bytes_safetensors_write(ctx, "made.safetensors", tensors, count, metadata) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

static void refuse(const char *words) {
    dgm_model *model;
    assert_int_equal(dgm_model_read(ctx, "made.safetensors", &model), DGM_ERROR_DATA);
    assert_null(model);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("\"%s\" is not in \"%s\"", words, dgm_context_error(ctx));
    ASSERT_HAS(dgm_context_error(ctx), "made.safetensors: ");
}

static void layers_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *words;
        int count;
        made_tensor tensors[5];
    } cases[] = {
        {"no graph network: it has no tensor conv1.lin.weight", 1, {{"w", 2, {3, 3}}}},
        {"conv2.lin.weight takes 5 numbers, but the layer before it gives 4",
         2,
         {{"conv1.lin.weight", 2, {4, 9}}, {"conv2.lin.weight", 2, {3, 5}}}},
        {"lin.weight takes 5 numbers, but the layer before it gives 4",
         2,
         {{"conv1.lin.weight", 2, {4, 9}}, {"lin.weight", 2, {3, 5}}}},
        {"conv1.lin.weight is not a matrix", 1, {{"conv1.lin.weight", 1, {4}}}},
        {"conv1.lin.weight is not a matrix", 1, {{"conv1.lin.weight", 2, {0, 1000000000000}}}},
        {"conv1.lin.weight is not a matrix", 1, {{"conv1.lin.weight", 2, {3, 0}}}},
        {"conv1.bias", 2, {{"conv1.lin.weight", 2, {4, 9}}, {"conv1.bias", 1, {5}}}},
        {"conv1.bias", 2, {{"conv1.lin.weight", 2, {4, 9}}, {"conv1.bias", 2, {4, 1}}}},
        {"the tensor conv3.lin.weight belongs to no layer of a gcn",
         2,
         {{"conv1.lin.weight", 2, {4, 9}}, {"conv3.lin.weight", 2, {4, 4}}}},
        {"the tensor conv1.att_src belongs to no layer of a gcn",
         2,
         {{"conv1.lin.weight", 2, {4, 9}}, {"conv1.att_src", 2, {1, 4}}}},
        {"the tensor conv1.lin.weight belongs to no layer",
         2,
         {{"convs.0.lin.weight", 2, {4, 9}}, {"conv1.lin.weight", 2, {4, 9}}}},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        write_tensors(cases[i].tensors, cases[i].count, NULL);
        refuse(cases[i].words);
    }
}

static void class_numbers_that_do_not_fit_the_outputs_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"1,2",  "1,2,3,4", "3,2,1", "1,1,2",  "-1,2,3",
                                        "1,,3", "1,2,x",   "",      "1,2,3,", "1,2,3000000000"};
    const made_tensor layer = {"conv1.lin.weight", 2, {3, 9}};
    for (int i = 0; i < COUNT(wrong); i++) {
        write_tensors(&layer, 1, (const char *const[]){"class_numbers", wrong[i], NULL});
        refuse("class_numbers are not 3 ascending numbers from 0, one for each output");
    }
    write_tensors(&layer, 1, (const char *const[]){"class_numbers", "1,4,20", NULL});
    dgm_model_free(read_model("made.safetensors"));
}

static void a_layer_without_a_bias_has_a_bias_of_0(void **state) {
    (void)state;
    const made_tensor tensors[] = {{"conv1.lin.weight", 2, {4, 9}}};
    write_tensors(tensors, 1, NULL);
    dgm_model *model = read_model("made.safetensors");
    dgm_graph *graph = golden_graph(false);
    dgm_matrix *answer = run_model(model, graph);
    assert_true(dgm_matrix_values(answer)[0] == 0);
    dgm_matrix_free(answer);
    dgm_graph_free(graph);
    dgm_model_free(model);
}

static void too_many_layers_are_refused(void **state) {
    (void)state;
    static made_tensor tensors[40];
    static char names[40][32];
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "convs.%d.lin.weight", i);
        tensors[i] = (made_tensor){names[i], 2, {2, 2}};
    }
    write_tensors(tensors, 40, NULL);
    refuse("more than 32 layers");
}

/* Four megabytes of file do not make four terabytes of discriminator. */
static void only_what_the_file_holds_is_believed(void **state) {
    (void)state;
    static const char *const dgi[] = {"model", "dgi", "activation", "elu", NULL};
    static const char *const prelu[] = {"model", "dgi", "activation", "prelu", NULL};
    const made_tensor wide[] = {{"conv1.lin.weight", 2, {1 << 20, 1}},
                                {"discriminator.weight", 2, {1, 1}}};
    write_tensors(wide, 1, dgi);
    refuse("no tensor discriminator.weight of 1048576 x 1048576 numbers");
    write_tensors(wide, 2, dgi);
    refuse("not a tensor discriminator.weight of 1048576 x 1048576 numbers");
    static const made_tensor others[] = {{"discriminator.weight", 1, {2}},
                                         {"discriminator.weight", 2, {3, 2}},
                                         {"discriminator.weight", 2, {2, 3}}};
    for (int i = 0; i < COUNT(others); i++) {
        const made_tensor pair[] = {{"conv1.lin.weight", 2, {2, 2}}, others[i]};
        write_tensors(pair, 2, dgi);
        refuse("not a tensor discriminator.weight of 2 x 2 numbers");
    }
    const made_tensor small[] = {{"conv1.lin.weight", 2, {2, 2}},
                                 {"discriminator.weight", 2, {2, 2}}};
    write_tensors(small, 2, prelu);
    refuse("prelu1.weight");
    write_tensors(small, 2, dgi);
    dgm_model_free(read_model("made.safetensors"));
}

/* Files did not always say it: all convolutions of DGI had the same activation then. */
static void the_last_activation_is_as_the_file_says(void **state) {
    (void)state;
    static const char *const unsaid[] = {"model", "dgi", "activation", "elu", NULL};
    static const char *const said[] = {"model", "dgi", "activation", "elu", "last", "none", NULL};
    const made_tensor tensors[] = {{"conv1.lin.weight", 2, {2, 2}},
                                   {"conv2.lin.weight", 2, {3, 2}},
                                   {"discriminator.weight", 2, {3, 3}}};
    for (int way = 0; way < 2; way++) {
        write_tensors(tensors, 3, way ? said : unsaid);
        dgm_model *model = read_model("made.safetensors");
        assert_int_equal(model->layers[0].activation, DGMI_NN_ACTIVATION_ELU);
        assert_int_equal(model->layers[1].activation,
                         way ? DGMI_NN_ACTIVATION_NONE : DGMI_NN_ACTIVATION_ELU);
        dgm_model_free(model);
    }
}

/* What is no number says nothing of the unit, so the network's own is kept. */
static void a_unit_that_is_no_number_is_left_aside(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double scale;
    } cases[] = {{"2.5", 2.5}, {"wide", 1}, {"inf", 1}, {"", 1}};
    const made_tensor layer = {"conv1.lin.weight", 2, {1, 2}};
    for (int i = 0; i < COUNT(cases); i++) {
        write_tensors(&layer, 1,
                      (const char *const[]){"task", "regression", "scale", cases[i].text, NULL});
        dgm_model *model = read_model("made.safetensors");
        assert_near(model->scale, cases[i].scale, 0);
        assert_near(model->shift, 0, 0);
        dgm_model_free(model);
    }
}

static void a_checkpoint_is_no_model(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "made.safetensors",
                                               "1"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 1;
    remove("made.safetensors");
    dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
    refuse("a checkpoint of a training run, not a trained network");
    dgm_graph_free(graph);
}

static void a_graph_of_other_features_is_refused(void **state) {
    (void)state;
    dgm_graph *toy_graph = make_toy(TOY_DENSE, 1), *golden = golden_graph(false);
    dgm_graph *bare = make_toy(TOY_NONE, 1);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 1;
    dgm_matrix *answer;
    dgm_model *model = train_gcn(toy_graph, &options, NULL, NULL);
    ASSERT_FAILS(dgm_model_run(ctx, model, golden, &answer), DGM_ERROR_DATA,
                 "the network takes 12 features a node and the graph has 9");
    assert_null(answer);
    ASSERT_FAILS(dgm_model_run(ctx, model, bare, &answer), DGM_ERROR_DATA,
                 "the network takes 12 features a node and the graph has 48 (one a node: one-hot "
                 "networks fit only the graph they learned)");
    dgm_model_free(model);
    dgm_graph_free(toy_graph);
    dgm_graph_free(golden);
    dgm_graph_free(bare);
}

static void damaged_files_are_refused_or_read_but_never_more(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.hidden = "4";
    options.epochs = 1;
    dgm_model *model = train_dgi(graph, &options, NULL, NULL);
    assert_int_equal(dgm_model_write(ctx, model, "made.safetensors"), DGM_OK);
    dgm_model_free(model);
    size_t size;
    char *bytes = file_bytes("made.safetensors", &size);
    check_random random = check_random_case(1, 9, 0);
    for (int k = 0; k < 400; k++) {
        size_t at = (size_t)check_random_below(&random, (int)size), length = size;
        char kept = bytes[at];
        if (k % 4 == 0)
            length = at;
        else
            bytes[at] = (char)check_random_below(&random, 256);
        write_bytes("made.safetensors", bytes, length);
        bytes[at] = kept;
        dgm_status status = dgm_model_read(ctx, "made.safetensors", &model);
        assert_true(status == DGM_OK || status == DGM_ERROR_FORMAT || status == DGM_ERROR_DATA);
        assert_true(length == size || status != DGM_OK);
        assert_int_equal(status == DGM_OK, model != NULL);
        dgm_model_free(model);
    }
    free(bytes);
    dgm_graph_free(graph);
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
        cmocka_unit_test(presets_have_their_epochs),
        cmocka_unit_test(a_model_that_was_written_answers_the_same),
        cmocka_unit_test(a_model_remembers_how_its_training_went),
        cmocka_unit_test(weights_are_those_of_the_file),
        cmocka_unit_test(a_regression_comes_back_in_its_unit),
        cmocka_unit_test(answers_are_named_by_classes),
        cmocka_unit_test(a_model_keeps_the_numbers_of_its_classes),
        cmocka_unit_test(networks_of_pytorch_geometric_answer_as_they_do_there),
        cmocka_unit_test(layers_that_do_not_fit_are_refused),
        cmocka_unit_test(class_numbers_that_do_not_fit_the_outputs_are_refused),
        cmocka_unit_test(a_layer_without_a_bias_has_a_bias_of_0),
        cmocka_unit_test(too_many_layers_are_refused),
        cmocka_unit_test(only_what_the_file_holds_is_believed),
        cmocka_unit_test(the_last_activation_is_as_the_file_says),
        cmocka_unit_test(a_checkpoint_is_no_model),
        cmocka_unit_test(a_graph_of_other_features_is_refused),
        cmocka_unit_test(damaged_files_are_refused_or_read_but_never_more),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(presets_of_dgi_have_their_layers_and_patience),
        cmocka_unit_test(checkpoints_come_by_epochs_or_by_seconds),
        cmocka_unit_test(a_unit_that_is_no_number_is_left_aside),
    };
    return RUN_GROUP(tests, enter, leave_folder);
}
