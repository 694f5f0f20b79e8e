/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are no network, or another than they say, or damaged; and what one may leave out. */
#include "bytes_safetensors.h"
#include "model_sample.h"

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

/* Numbers of as many digits as there are come back from a file. */
static void the_largest_class_numbers_are_kept(void **state) {
    (void)state;
    static const int32_t numbers[] = {1999999999, 2147483646, 2147483647};
    const made_tensor layer = {"conv1.lin.weight", 2, {3, 9}};
    write_tensors(&layer, 1,
                  (const char *const[]){"class_numbers", "1999999999,2147483646,2147483647", NULL});
    dgm_model *model = read_model("made.safetensors");
    assert_int_equal(dgm_model_write(ctx, model, "again.safetensors"), DGM_OK);
    dgm_model_free(model);
    model = read_model("again.safetensors");
    for (int j = 0; j < 3; j++)
        assert_int_equal(model->class_numbers[j], numbers[j]);
    dgm_model_free(model);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_that_do_not_fit_are_refused),
        cmocka_unit_test(class_numbers_that_do_not_fit_the_outputs_are_refused),
        cmocka_unit_test(the_largest_class_numbers_are_kept),
        cmocka_unit_test(a_layer_without_a_bias_has_a_bias_of_0),
        cmocka_unit_test(too_many_layers_are_refused),
        cmocka_unit_test(only_what_the_file_holds_is_believed),
        cmocka_unit_test(the_last_activation_is_as_the_file_says),
        cmocka_unit_test(a_unit_that_is_no_number_is_left_aside),
        cmocka_unit_test(a_checkpoint_is_no_model),
        cmocka_unit_test(a_graph_of_other_features_is_refused),
        cmocka_unit_test(damaged_files_are_refused_or_read_but_never_more),
    };
    return RUN_GROUP(tests, enter_golden, leave_folder);
}
