/* SPDX-License-Identifier: Apache-2.0 */
/* The preset that looks at the graph: what it learns where the others do not, that it goes on from
 * a checkpoint, and what it says of networks that are no good. */
#include "nn_training.h"

static const char path[] = "run.ckpt";
static char all_notes[4096];

static void keep_all_notes(void *user, const char *note) {
    (void)user;
    size_t used = strlen(all_notes);
    snprintf(all_notes + used, sizeof all_notes - used, "%s\n", note);
}

static void listen_to_all_notes(void) {
    all_notes[0] = '\0';
    dgm_context_set_notes(ctx, keep_all_notes, NULL);
}

static dgm_gcn_options automatic_gcn(void) {
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.preset = DGM_GCN_AUTO;
    return options;
}

static dgm_dgi_options automatic_dgi(void) {
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.preset = DGM_DGI_AUTO;
    return options;
}

/* ---- what it learns ---- */

/* A toy whose columns have units from a thousandth to a million and lie far from 0. */
static dgm_graph *make_units(void) {
    static toy t;
    draw_toy(&t, TOY_DENSE, 4);
    for (int i = 0; i < TOY_NODES * TOY_WIDTH; i++)
        t.values[i] = (t.values[i] + 7) * powf(10, (float)(i % TOY_WIDTH) - 4);
    return build_sample(&t.s);
}

static double train_accuracy(const dgm_graph *graph, int preset, int normalise) {
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgm_training_report report;
    options.preset = preset;
    options.normalise = normalise;
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    dgm_training_report_free(&report);
    return report.test_accuracy;
}

static void columns_of_any_unit_are_learnt(void **state) {
    (void)state;
    dgm_graph *graph = make_units();
    assert_true(train_accuracy(graph, DGM_GCN_KIPF, DGM_NORMALISE_AUTO) < 0.6);
    assert_true(train_accuracy(graph, DGM_GCN_AUTO, DGM_NORMALISE_AUTO) > 0.9);
    assert_true(train_accuracy(graph, DGM_GCN_KIPF, DGM_NORMALISE_COLUMNS) > 0.9);
    dgm_graph_free(graph);
}

/* Named rows are what the preset does anyway. */
static void kipf_is_rows(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgm_model *expected = train_gcn(graph, &options, NULL, NULL);
    options.normalise = DGM_NORMALISE_ROWS;
    dgm_model *rows = train_gcn(graph, &options, NULL, NULL);
    assert_true(are_same_weights(rows, expected));
    options.normalise = DGM_NORMALISE_NONE;
    dgm_model *none = train_gcn(graph, &options, NULL, NULL);
    assert_false(are_same_weights(none, expected));
    dgm_model_free(none);
    assert_same_weights(rows, expected);
    dgm_graph_free(graph);
}

/* The answer of the training, of the model, and of the model in a file. */
static void a_model_answers_in_the_same_bytes(void **state) {
    (void)state;
    dgm_graph *graphs[] = {make_toy(TOY_SPARSE, 4), make_toy(TOY_DENSE, 4), make_units()};
    for (int i = 0; i < 3; i++) {
        dgm_gcn_options options = automatic_gcn();
        dgm_model *model, *read;
        dgm_matrix *answers[3];
        size_t bytes = sizeof(double) * TOY_NODES * TOY_CLASSES;
        assert_int_equal(dgm_gcn_train(ctx, graphs[i], &options, NULL, &model, NULL, &answers[0]),
                         DGM_OK);
        assert_int_equal(dgm_model_run(ctx, model, graphs[i], &answers[1]), DGM_OK);
        assert_int_equal(dgm_model_write(ctx, model, "m.safetensors"), DGM_OK);
        assert_int_equal(dgm_model_read(ctx, "m.safetensors", &read), DGM_OK);
        assert_int_equal(dgm_model_run(ctx, read, graphs[i], &answers[2]), DGM_OK);
        for (int k = 1; k < 3; k++)
            assert_memory_equal(dgm_matrix_values(answers[k]), dgm_matrix_values(answers[0]),
                                bytes);
        for (int k = 0; k < 3; k++)
            dgm_matrix_free(answers[k]);
        dgm_model_free(model);
        dgm_model_free(read);
        dgm_graph_free(graphs[i]);
    }
}

/* Of a network whose columns are scaled, a graph of another width is refused, not read beyond. */
static void another_width_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_units();
    static toy t;
    draw_toy(&t, TOY_DENSE, 4);
    t.features.width = TOY_WIDTH / 2;
    dgm_graph *narrow = build_sample(&t.s);
    dgm_gcn_options options = automatic_gcn();
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    dgm_matrix *answer;
    ASSERT_FAILS(dgm_model_run(ctx, model, narrow, &answer), DGM_ERROR_DATA,
                 "the network takes 12 features a node and the graph has 6");
    dgm_model_free(model);
    dgm_graph_free(narrow);
    dgm_graph_free(graph);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_graph *graph = make_units();
    dgm_gcn_options options = automatic_gcn();
    dgm_context_set_threads(ctx, 1);
    dgm_model *one = train_gcn(graph, &options, NULL, NULL);
    dgm_context_set_threads(ctx, 5);
    dgm_model *many = train_gcn(graph, &options, NULL, NULL);
    assert_same_weights(many, one);
    dgm_graph_free(graph);
}

/* ---- what it chooses ---- */

static dgm_model *train_epochs(const dgm_graph *graph, dgm_gcn_options options, const char *hidden,
                               double rate, double decay, int64_t *epochs) {
    dgm_training_report report;
    options.hidden = hidden;
    options.rate = rate;
    options.decay = decay;
    dgm_model *model = train_gcn(graph, &options, NULL, &report);
    *epochs = report.epochs;
    dgm_training_report_free(&report);
    return model;
}

/* What it chooses by itself is what a caller may ask for: 32 columns and a rate of 0.01 below 256
 * training nodes, 64 columns and 0.02 from there on. */
static void few_training_nodes_have_a_narrow_network_and_short_steps(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){
        sizeof(dgm_generate_options), DGM_GENERATE_PAPERS, 400, 800, 4, 0.9, 0.1, 1});
    for (int64_t training = 255; training <= 256; training++) {
        dgm_gcn_options options = automatic_gcn();
        char split[32];
        dgm_training_report report;
        int64_t found = 0, epochs;
        /* with nodes that validate none is held out */
        snprintf(split, sizeof split, "%.4f,0.1", ((double)training + 0.2) / 400);
        options.split = split;
        options.epochs = 4; /* after which it looks first */
        dgm_model *chosen = train_gcn(graph, &options, NULL, &report);
        for (int64_t u = 0; u < 400; u++)
            found += report.splits[u] == DGM_SPLIT_TRAIN;
        dgm_training_report_free(&report);
        assert_int_equal(found, training);
        assert_same_weights(chosen, training < 256
                                        ? train_epochs(graph, options, "32", 0.01, -1, &epochs)
                                        : train_epochs(graph, options, "64", 0.02, -1, &epochs));
    }
    dgm_graph_free(graph);
}

/* Two rounds, without and with the decay of the prior, 0.01 at most; the better one stays. Without
 * dropout a round by itself is the same. */
static void both_rounds_are_tried_and_one_of_them_is_kept(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = automatic_gcn();
    int64_t both, one, other;
    options.dropout = 0;
    options.patience = 12;
    dgm_model *chosen = train_epochs(graph, options, "6", 0.3, -1, &both);
    dgm_model *plain = train_epochs(graph, options, "6", 0.3, 0, &one);
    dgm_model *prior = train_epochs(graph, options, "6", 0.3, 0.01, &other);
    assert_false(are_same_weights(plain, prior));
    assert_true(are_same_weights(chosen, plain) || are_same_weights(chosen, prior));
    assert_int_equal(both, one + other);
    assert_true(both < 1000);
    dgm_model_free(chosen);
    dgm_model_free(plain);
    dgm_model_free(prior);
    dgm_graph_free(graph);
}

/* One-hot features have no prior, and without validation nodes nothing can tell. */
static void one_round_is_enough_where_nothing_is_to_be_compared(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = automatic_gcn();
    int64_t chosen_epochs, asked_epochs;
    options.patience = 12;
    options.features = DGM_FEATURES_ONE_HOT;
    dgm_model *chosen = train_epochs(graph, options, "6", 0.1, -1, &chosen_epochs);
    dgm_model *asked = train_epochs(graph, options, "6", 0.1, 0, &asked_epochs);
    assert_int_equal(chosen_epochs, asked_epochs);
    assert_same_weights(chosen, asked);
    options.features = DGM_FEATURES_AUTO;
    options.split = "0.5";
    chosen = train_epochs(graph, options, "6", 0.1, -1, &chosen_epochs);
    asked = train_epochs(graph, options, "6", 0.1, 0.01, &asked_epochs);
    assert_int_equal(chosen_epochs, asked_epochs);
    assert_same_weights(chosen, asked);
    dgm_graph_free(graph);
}

/* The validation nodes are asked after every fourth epoch. */
static void every_fourth_epoch_is_validated(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = automatic_gcn();
    options.epochs = 9;
    dgm_model *model = train_gcn(graph, &options, NULL, NULL);
    assert_int_equal(model->history_count, 9);
    for (int64_t i = 0; i < 9; i++) {
        assert_int_equal(model->history[i].epoch, i + 1);
        assert_true(isfinite(model->history[i].val_loss) == ((i + 1) % 4 == 0));
        assert_true(isfinite(model->history[i].val_accuracy) == ((i + 1) % 4 == 0));
    }
    dgm_model_free(model);
    dgm_graph_free(graph);
}

/* ---- holding out ---- */

/* Without validation nodes, one in five training nodes is held out where there are 50 or more. */
static void training_nodes_are_held_out(void **state) {
    (void)state;
    dgm_graph *graph = generate((dgm_generate_options){
        sizeof(dgm_generate_options), DGM_GENERATE_PAPERS, 400, 800, 4, 0.9, 0.1, 1});
    dgm_gcn_options options = automatic_gcn();
    dgm_training_report report;
    int64_t counts[4] = {0};
    options.split = "0.5";
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    for (int64_t u = 0; u < 400; u++)
        counts[report.splits[u]]++;
    assert_int_equal(counts[DGM_SPLIT_TRAIN], 160);
    assert_int_equal(counts[DGM_SPLIT_VALIDATION], 40);
    assert_int_equal(counts[DGM_SPLIT_TEST], 200);
    ASSERT_HAS(all_notes, "40 of the 200 training nodes are held out");
    assert_true(report.val_accuracy > 0.5 && report.test_accuracy > 0.5);
    dgm_training_report_free(&report);
    options.split = "0.1";
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    assert_null(strstr(all_notes, "held out"));
    assert_true(isnan(report.val_accuracy) && report.test_accuracy > 0.4);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

static void one_labelled_node_of_each_class_is_enough(void **state) {
    (void)state;
    static toy t;
    draw_toy(&t, TOY_SPARSE, 4);
    for (int i = 0; i < TOY_NODES; i++)
        t.splits[i] = i < TOY_CLASSES ? DGM_SPLIT_TRAIN : DGM_SPLIT_TEST;
    dgm_graph *graph = build_sample(&t.s);
    dgm_gcn_options options = automatic_gcn();
    dgm_training_report report;
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    assert_true(report.train_accuracy == 1 && report.test_accuracy > 0.5);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

/* ---- going on ---- */

/* The first k epochs are those of the whole run, in whichever round it is. */
static void it_goes_on_from_any_epoch_to_the_same_bytes(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = automatic_gcn();
    dgm_training_report whole, report;
    options.hidden = "6";
    options.rate = 0.3;
    options.patience = 12;
    dgm_model *expected = train_gcn(graph, &options, NULL, &whole);
    assert_true(whole.epochs > 24 && whole.epochs < 300); /* both rounds, and both were enough */
    for (int64_t k = 1; k <= whole.epochs; k += 9) {
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
        options.epochs = k;
        dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
        options.epochs = 1000;
        dgm_model *model = train_gcn(graph, &options, &checkpoint, &report);
        assert_true(are_same_weights(model, expected));
        assert_int_equal(report.epochs, whole.epochs);
        dgm_model_free(model);
        dgm_training_report_free(&report);
        assert_int_equal(remove(path), 0);
    }
    dgm_training_report_free(&whole);
    dgm_model_free(expected);
    dgm_graph_free(graph);
}

static void dgi_goes_on_to_the_same_bytes(void **state) {
    (void)state;
    dgm_graph *graph = make_units();
    dgm_dgi_options options = automatic_dgi();
    options.hidden = "10";
    options.rate = 0.05;
    dgm_training_report whole;
    dgm_model *expected = train_dgi(graph, &options, NULL, &whole);
    for (int64_t k = 1; k <= whole.epochs; k += 16) {
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
        options.epochs = k;
        dgm_model_free(train_dgi(graph, &options, &checkpoint, NULL));
        options.epochs = 1000;
        dgm_model *model = train_dgi(graph, &options, &checkpoint, NULL);
        assert_true(are_same_weights(model, expected));
        dgm_model_free(model);
        assert_int_equal(remove(path), 0);
    }
    dgm_model_free(expected);
    dgm_graph_free(graph);
}

/* ---- what is said ---- */

/* Classes that neither edges nor features know of; the most frequent one has 7 of the 18 training
 * nodes. */
static dgm_graph *make_noise(bool zero) {
    static toy t;
    draw_toy(&t, TOY_SPARSE, 4);
    for (int i = 0; i < TOY_NODES; i++)
        t.labels[i] = i / 4 % TOY_CLASSES;
    for (int64_t e = 0; zero && e < t.offsets[TOY_NODES]; e++)
        t.values[e] = 0;
    return build_sample(&t.s);
}

static void features_that_say_nothing_are_told_in_one_line(void **state) {
    (void)state;
    dgm_graph *graph = make_noise(true);
    for (int preset = DGM_GCN_KIPF; preset <= DGM_GCN_AUTO; preset++) {
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        options.preset = preset;
        dgm_training_report report;
        listen_to_all_notes();
        dgm_model_free(train_gcn(graph, &options, NULL, &report));
        ASSERT_HAS(all_notes, "the network is still no good: 0.");
        ASSERT_HAS(all_notes, "the most frequent class alone gives 0.389");
        ASSERT_HAS(all_notes, "features=one-hot");
        assert_true((strstr(all_notes, "preset=auto") != NULL) == (preset != DGM_GCN_AUTO));
        dgm_training_report_free(&report);
    }
    dgm_graph_free(graph);
}

/* More epochs where they were not enough, and another input in any case. */
static void advice_is_what_has_not_been_tried(void **state) {
    (void)state;
    dgm_graph *graph = make_noise(true);
    dgm_gcn_options options = automatic_gcn();
    dgm_training_report report;
    options.epochs = 4;
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    dgm_training_report_free(&report);
    ASSERT_HAS(all_notes, "; try epochs=40 or features=one-hot\n");
    options.epochs = 1000;
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    dgm_training_report_free(&report);
    ASSERT_HAS(all_notes, "; try normalise=columns or features=one-hot\n");
    options.normalise = DGM_NORMALISE_COLUMNS;
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    dgm_training_report_free(&report);
    ASSERT_HAS(all_notes, "; try normalise=rows or features=one-hot\n");
    dgm_graph_free(graph);
}

static void a_good_network_is_not_spoken_of(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = automatic_gcn();
    dgm_training_report report;
    listen_to_all_notes();
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    assert_string_equal(all_notes, "");
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

/* ---- faults ---- */

static dgm_status train_shortly(dgm_context *context, const dgm_graph *graph) {
    dgm_gcn_options options = automatic_gcn();
    dgm_model *model;
    options.hidden = "2";
    options.epochs = 6;
    options.patience = 2;
    options.rate = 1;
    dgm_status status = dgm_gcn_train(context, graph, &options, NULL, &model, NULL, NULL);
    dgm_model_free(model);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_DENSE, 4);
    assert_true(fail_every_allocation(train_shortly, graph) > 20);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_any_unit_are_learnt),
        cmocka_unit_test(kipf_is_rows),
        cmocka_unit_test(a_model_answers_in_the_same_bytes),
        cmocka_unit_test(another_width_is_refused),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(few_training_nodes_have_a_narrow_network_and_short_steps),
        cmocka_unit_test(both_rounds_are_tried_and_one_of_them_is_kept),
        cmocka_unit_test(one_round_is_enough_where_nothing_is_to_be_compared),
        cmocka_unit_test(every_fourth_epoch_is_validated),
        cmocka_unit_test(training_nodes_are_held_out),
        cmocka_unit_test(one_labelled_node_of_each_class_is_enough),
        cmocka_unit_test(it_goes_on_from_any_epoch_to_the_same_bytes),
        cmocka_unit_test(dgi_goes_on_to_the_same_bytes),
        cmocka_unit_test(features_that_say_nothing_are_told_in_one_line),
        cmocka_unit_test(advice_is_what_has_not_been_tried),
        cmocka_unit_test(a_good_network_is_not_spoken_of),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
