/* SPDX-License-Identifier: Apache-2.0 */
/* What a training comes to: the same bytes for any thread count, what is learned and reported, losses as
 * they are defined, data that cannot be learned. */
#include "nn_training.h"

#include "base_clock.h"
#include "nn_probe.h"
#include "nn_report.h"

/* ---- threads and seeds ---- */

static void check_gcn_threads(const dgm_graph *graph, const dgm_gcn_options *options) {
    static const int threads[] = {2, 5};
    for (int i = 0; i < COUNT(threads); i++) {
        dgm_context_set_threads(ctx, 1);
        dgm_model *expected = train_gcn(graph, options, NULL, NULL);
        dgm_context_set_threads(ctx, threads[i]);
        assert_same_weights(train_gcn(graph, options, NULL, NULL), expected);
    }
    dgm_context_set_threads(ctx, 1);
}

static void check_dgi_threads(const dgm_graph *graph, const dgm_dgi_options *options) {
    static const int threads[] = {2, 5};
    for (int i = 0; i < COUNT(threads); i++) {
        dgm_context_set_threads(ctx, 1);
        dgm_model *expected = train_dgi(graph, options, NULL, NULL);
        dgm_context_set_threads(ctx, threads[i]);
        assert_same_weights(train_dgi(graph, options, NULL, NULL), expected);
    }
    dgm_context_set_threads(ctx, 1);
}

static void one_seed_gives_the_same_weights_on_any_number_of_threads(void **state) {
    (void)state;
    const dgm_generate_options spam = {
        sizeof(dgm_generate_options), DGM_GENERATE_SPAM, 300, 0, 4, 0.9, 0.1, 1};
    dgm_graph *graphs[] = {make_toy(TOY_SPARSE, 1), make_toy(TOY_DENSE, 2), make_toy(TOY_NONE, 3),
                           generate(spam)};
    for (int g = 0; g < COUNT(graphs); g++) {
        for (int preset = 0; preset < 2; preset++) {
            dgm_gcn_options gcn = gcn_options(preset, 5);
            check_gcn_threads(graphs[g], &gcn);
            dgm_dgi_options dgi = dgi_options(preset, preset ? "8-70" : "130", 5);
            check_dgi_threads(graphs[g], &dgi);
        }
        dgm_graph_free(graphs[g]);
    }
}

/* Large enough that ops share their rows out. */
static void a_larger_graph_gives_the_same_weights_on_any_number_of_threads(void **state) {
    (void)state;
    const dgm_generate_options blocks = {
        sizeof(dgm_generate_options), DGM_GENERATE_SBM, 3000, 12000, 4, 0.9, 0.1, 1};
    dgm_graph *graph = generate(blocks);
    dgm_gcn_options gcn = gcn_options(DGM_GCN_REFERENCE, 2);
    gcn.split = "0.5,0.2";
    check_gcn_threads(graph, &gcn);
    dgm_dgi_options dgi = dgi_options(DGM_DGI_REFERENCE, "32-64", 2);
    dgi.features = DGM_FEATURES_DEGREE;
    check_dgi_threads(graph, &dgi);
    dgm_graph_free(graph);
}

static void another_seed_gives_other_weights(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 3);
    dgm_model *one = train_gcn(graph, &options, NULL, NULL);
    options.seed = 2;
    dgm_model *two = train_gcn(graph, &options, NULL, NULL);
    assert_false(are_same_weights(one, two));
    dgm_model_free(one);
    dgm_model_free(two);
    dgm_graph_free(graph);
}

/* ---- learning ---- */

static void a_gcn_learns_classes_and_says_how_well(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_training_report report;
    double began = dgmi_seconds();
    dgm_model *model = train_gcn(graph, NULL, NULL, &report);
    assert_true(report.seconds > 0 && report.seconds <= dgmi_seconds() - began);
    assert_int_equal(report.epochs, 200);
    assert_int_equal(report.classes, TOY_CLASSES);
    assert_true(report.train_accuracy > 0.9);
    assert_true(report.test_accuracy > 0.6);
    int64_t counted = 0;
    for (int i = 0; i < TOY_CLASSES * TOY_CLASSES; i++)
        counted += report.confusion[i];
    assert_int_equal(counted, 15);
    assert_true(report.bytes > 0 && report.loss < 1);
    dgm_training_report_free(&report);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

/* The answer of a training is what the network says of the same graph afterwards, to the byte. */
static void assert_answers(const dgm_model *model, const dgm_graph *graph,
                           const dgm_matrix *answer) {
    dgm_matrix *again;
    assert_int_equal(dgm_model_run(ctx, model, graph, &again), DGM_OK);
    int64_t rows = dgm_matrix_rows(again), columns = dgm_matrix_columns(again);
    assert_int_equal(dgm_matrix_rows(answer), rows);
    assert_int_equal(dgm_matrix_columns(answer), columns);
    assert_memory_equal(dgm_matrix_values(answer), dgm_matrix_values(again),
                        (size_t)(rows * columns) * sizeof(double));
    for (int64_t j = 0; j < columns; j++)
        assert_string_equal(dgm_matrix_column_name(answer, j), dgm_matrix_column_name(again, j));
    dgm_matrix_free(again);
}

static void training_answers_as_the_network_does(void **state) {
    (void)state;
    const toy_features kinds[] = {TOY_SPARSE, TOY_DENSE, TOY_NONE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        dgm_graph *graph = make_toy(kinds[i], 1);
        dgm_gcn_options gcn = DGM_GCN_OPTIONS_INIT;
        dgm_dgi_options dgi = dgi_options(DGM_DGI_DGI, "8", 3);
        dgm_model *model;
        dgm_matrix *answer;
        gcn.epochs = 5;
        assert_int_equal(dgm_gcn_train(ctx, graph, &gcn, NULL, &model, NULL, &answer), DGM_OK);
        assert_answers(model, graph, answer);
        dgm_matrix_free(answer);
        dgm_model_free(model);
        dgi.probe = i > 0; /* the probe and the answer share a pass */
        assert_int_equal(dgm_dgi_train(ctx, graph, &dgi, NULL, &model, NULL, &answer), DGM_OK);
        assert_answers(model, graph, answer);
        dgm_matrix_free(answer);
        dgm_model_free(model);
        dgm_graph_free(graph);
    }
}

static void the_report_says_who_trained(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgm_training_report own, drawn;
    int64_t nodes = dgm_graph_nodes(graph), counts[DGM_SPLITS] = {0};
    options.epochs = 1;
    dgm_model_free(train_gcn(graph, &options, NULL, &own));
    options.split = "0.5,0.25";
    dgm_model_free(train_gcn(graph, &options, NULL, &drawn));
    for (int64_t u = 0; u < nodes; u++) {
        bool labelled = dgm_graph_labels(graph)[u] >= 0;
        assert_int_equal(own.splits[u], labelled ? dgm_graph_splits(graph)[u] : DGM_SPLIT_NONE);
        assert_int_equal(drawn.splits[u] != DGM_SPLIT_NONE, labelled);
        counts[drawn.splits[u]]++;
    }
    assert_true(counts[DGM_SPLIT_TRAIN] > counts[DGM_SPLIT_VALIDATION]);
    assert_true(counts[DGM_SPLIT_VALIDATION] > 0 && counts[DGM_SPLIT_TEST] > 0);
    dgm_training_report_free(&own);
    dgm_training_report_free(&drawn);
    dgm_graph_free(graph);
}

static void the_spam_graph_is_separated(void **state) {
    (void)state;
    const dgm_generate_options spam = {
        sizeof(dgm_generate_options), DGM_GENERATE_SPAM, 400, 0, 4, 0.9, 0.1, 1};
    dgm_graph *graph = generate(spam);
    dgm_training_report report;
    dgm_model_free(train_gcn(graph, NULL, NULL, &report));
    assert_true(report.test_accuracy > 0.85);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

static void a_probe_reads_classes_off_an_embedding(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_training_report report;
    dgm_dgi_options options = dgi_options(DGM_DGI_DGI, "32", 200);
    options.probe = true;
    dgm_model_free(train_dgi(graph, &options, NULL, &report));
    assert_true(report.loss < 0.69);
    assert_true(report.train_accuracy > 0.8);
    assert_true(report.test_accuracy > 0.5);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

static dgm_training_report probe(const dgm_graph *graph, const dgmi_table_tensor *embedding) {
    dgm_training_report report;
    dgmi_nn_report_start(ctx, &report);
    assert_int_equal(dgmi_nn_probe(ctx, graph, embedding, NULL, 1, &report), DGM_OK);
    return report;
}

/* How long a row is means nothing to a probe, only where it points. */
static void a_probe_does_not_see_how_long_rows_are(void **state) {
    (void)state;
    enum { COLUMNS = 3 };
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    const int32_t *labels = dgm_graph_labels(graph);
    float values[2][TOY_NODES * COLUMNS];
    for (int64_t i = 0; i < TOY_NODES; i++)
        for (int64_t j = 0; j < COLUMNS; j++) {
            float value = (float)(j == labels[i]) + (float)((5 * i + 3 * j) % 7) / 8;
            values[0][i * COLUMNS + j] = value;
            values[1][i * COLUMNS + j] = value * (float)(1 << i % 5);
        }
    dgm_training_report reports[2];
    for (int scaled = 0; scaled < 2; scaled++) {
        const dgmi_table_tensor embedding = {TOY_NODES, COLUMNS, values[scaled]};
        reports[scaled] = probe(graph, &embedding);
    }
    assert_true(reports[0].train_accuracy > 0.6);
    assert_true(reports[0].calibration_error == reports[1].calibration_error);
    assert_true(reports[0].train_accuracy == reports[1].train_accuracy);
    for (int scaled = 0; scaled < 2; scaled++)
        dgm_training_report_free(&reports[scaled]);
    dgm_graph_free(graph);
}

/* One column says on which side a node lies: one class of three on the left. */
static void a_probe_reads_a_single_column(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    const int32_t *labels = dgm_graph_labels(graph);
    float values[TOY_NODES];
    int64_t right = 0;
    for (int64_t i = 0; i < TOY_NODES; i++)
        values[i] = labels[i] == 0 ? -0.01F : 3;
    const dgmi_table_tensor embedding = {TOY_NODES, 1, values};
    dgm_training_report report = probe(graph, &embedding);
    for (int32_t true_class = 0; true_class < report.classes; true_class++)
        right += true_class == 0 ? report.confusion[0] : -report.confusion[true_class * 3];
    int64_t left = report.confusion[0] + report.confusion[1] + report.confusion[2];
    assert_true(left > 0);
    assert_int_equal(right, left); /* all of class 0 and no other are said to be of class 0 */
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

static void a_number_is_learned_and_its_variance_explained(void **state) {
    (void)state;
    const dgm_generate_options grid = {
        sizeof(dgm_generate_options), DGM_GENERATE_GRID, 100, 0, 4, 0.9, 0.1, 1};
    dgm_graph *graph = generate(grid);
    dgm_training_report report;
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 300);
    options.target = "x";
    options.split = "0.6,0.2";
    options.dropout = 0;
    dgm_matrix *answer;
    dgm_model *model = train_gcn(graph, &options, NULL, &report);
    assert_true(report.train_accuracy > 0.9 && report.train_accuracy <= 1);
    assert_true(report.test_accuracy > 0.5);
    assert_null(report.confusion);
    assert_false(dgm_model_classifies(model));
    assert_int_equal(dgm_model_width(model), 1);
    assert_int_equal(dgm_model_run(ctx, model, graph, &answer), DGM_OK);
    assert_string_equal(dgm_matrix_column_name(answer, 0), "prediction");
    double mean = 0; /* in the unit of the attribute, not standardised */
    for (int i = 0; i < 100; i++)
        mean += dgm_matrix_values(answer)[i] / 100;
    assert_near(mean, 4.5, 1);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

/* A path with one number and one text for each node. */
static dgm_graph *measured(int64_t nodes, const double *heights, const uint8_t *splits) {
    const char *texts[16];
    uint32_t ends[16][2];
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (uint32_t i = 0; i < nodes; i++) {
        texts[i] = "red";
        ends[i][0] = i;
        ends[i][1] = i + 1;
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, nodes - 1, ends[0], NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "height", nodes, heights), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "colour", nodes, texts), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, nodes, splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void texts_and_missing_numbers_cannot_be_predicted(void **state) {
    (void)state;
    static const double heights[] = {NAN, NAN, NAN, 1, 2, 3};
    static const uint8_t splits[] = {1, 1, 1, 2, 3, 3};
    dgm_graph *graph = measured(6, heights, splits);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 3);
    dgm_model *model;
    options.target = "colour";
    ASSERT_FAILS(dgm_gcn_train(ctx, graph, &options, NULL, &model, NULL, NULL), DGM_ERROR_DATA,
                 "the attribute 'colour' holds texts; only numbers can be predicted");
    assert_null(model);
    options.target = "height";
    ASSERT_FAILS(dgm_gcn_train(ctx, graph, &options, NULL, &model, NULL, NULL), DGM_ERROR_DATA,
                 "no training node has a value of 'height'");
    assert_null(model);
    dgm_graph_free(graph);
}

/* A number that is the same everywhere has no variance to explain; nodes without one are in no
 * part, and the answer stays about that number. */
static void a_constant_number_is_learned_and_explains_nothing(void **state) {
    (void)state;
    static const double heights[] = {7, 7, NAN, 7, 7, 7, 7, NAN};
    static const uint8_t splits[] = {1, 1, 1, 1, 2, 2, 3, 3};
    dgm_graph *graph = measured(8, heights, splits);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 30);
    dgm_training_report report;
    dgm_matrix *answer;
    options.target = "height";
    dgm_model *model = train_gcn(graph, &options, NULL, &report);
    assert_true(isnan(report.train_accuracy) && isnan(report.test_accuracy));
    assert_int_equal(dgm_model_run(ctx, model, graph, &answer), DGM_OK);
    for (int i = 0; i < 8; i++)
        assert_near(dgm_matrix_values(answer)[i], 7, 2);
    dgm_matrix_free(answer);
    dgm_model_free(model);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

/* All nodes train or validate: there is nothing to test by, and no table of mistakes. */
static void without_test_nodes_nothing_is_said_of_them(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 3);
    dgm_training_report report;
    options.split = "0.5,0.5";
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    assert_true(report.train_accuracy >= 0 && isnan(report.test_accuracy));
    assert_null(report.confusion);
    dgm_training_report_free(&report);
    dgm_graph_free(graph);
}

/* ---- losses ---- */

/* The loss of the first epoch, before any step. */
static double first_loss(const dgm_graph *graph, const char *weights) {
    dgm_gcn_options options = gcn_options(DGM_GCN_KIPF, 1);
    dgm_training_report report;
    options.dropout = 0;
    options.rate = 1e-9;
    options.class_weights = weights;
    dgm_model_free(train_gcn(graph, &options, NULL, &report));
    dgm_training_report_free(&report);
    return report.loss;
}

static void class_weights_change_the_loss_as_defined(void **state) {
    (void)state;
    static toy t;
    draw_toy(&t, TOY_SPARSE, 5);
    for (int i = 0; i < TOY_NODES; i++) /* 9 training nodes of class 0, 4 of 1, 3 of 2 */
        if (t.splits[i] == DGM_SPLIT_TRAIN && i % 3 != 0 && i > 27)
            t.labels[i] = i % 2 ? 0 : t.labels[i];
    dgm_graph *graph = build_sample(&t.s);
    double counts[3] = {0}, parts[3], all = 0;
    for (int i = 0; i < TOY_NODES; i++)
        counts[t.labels[i]] += t.splits[i] == DGM_SPLIT_TRAIN;
    assert_true(counts[0] > counts[1]);
    parts[0] = first_loss(graph, "1;0;0"); /* the mean over nodes of one class */
    parts[1] = first_loss(graph, "0;1;0");
    parts[2] = first_loss(graph, "0;0;1");
    for (int c = 0; c < 3; c++)
        all += counts[c];
    double plain = 0, twice = 0;
    for (int c = 0; c < 3; c++)
        plain += counts[c] * parts[c] / all;
    assert_near(first_loss(graph, NULL), plain, 1e-6);
    assert_near(first_loss(graph, "balanced"), (parts[0] + parts[1] + parts[2]) / 3, 1e-6);
    twice = (2 * counts[0] * parts[0] + counts[1] * parts[1]) / (2 * counts[0] + counts[1]);
    assert_near(first_loss(graph, "2;1;0"), twice, 1e-6);
    dgm_graph_free(graph);
}

/* ---- data that cannot be learned ---- */

static void refuse_gcn(dgm_graph *graph, const dgm_gcn_options *options, dgm_status status,
                       const char *words) {
    dgm_model *model;
    dgm_training_report report;
    assert_int_equal(dgm_gcn_train(ctx, graph, options, NULL, &model, &report, NULL), status);
    assert_null(model);
    assert_null(report.confusion);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("\"%s\" is not in \"%s\"", words, dgm_context_error(ctx));
    dgm_graph_free(graph);
}

static void what_cannot_be_learned_is_said(void **state) {
    (void)state;
    static toy t;
    draw_toy(&t, TOY_SPARSE, 1);
    t.s.labels = NULL;
    refuse_gcn(build_sample(&t.s), NULL, DGM_ERROR_DATA, "no node has a label");
    draw_toy(&t, TOY_SPARSE, 1);
    memset(t.labels, 0, sizeof t.labels);
    refuse_gcn(build_sample(&t.s), NULL, DGM_ERROR_DATA, "needs two classes");
    draw_toy(&t, TOY_SPARSE, 1);
    t.s.splits = NULL;
    refuse_gcn(build_sample(&t.s), NULL, DGM_ERROR_DATA, "split=0.8,0.1");
    draw_toy(&t, TOY_SPARSE, 1);
    t.values[3] = NAN;
    refuse_gcn(build_sample(&t.s), NULL, DGM_ERROR_DATA, "has nan in column");
    draw_toy(&t, TOY_DENSE, 1);
    t.values[TOY_WIDTH + 2] = INFINITY;
    refuse_gcn(build_sample(&t.s), NULL, DGM_ERROR_DATA, "column 2 (from 0)");
}

static void options_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *hidden, *split, *target, *weights, *words;
    } cases[] = {
        {"16-", NULL, NULL, NULL, "hidden sizes are"},
        {"0", NULL, NULL, NULL, "hidden sizes are"},
        {"", NULL, NULL, NULL, "hidden sizes are"},
        {"8-99999999999", NULL, NULL, NULL, "hidden sizes are"},
        {"2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2-2", NULL, NULL, NULL,
         "hidden sizes are 1 to 31 numbers"},
        {NULL, "0.8,0.3", NULL, NULL, "a split is"},
        {NULL, "nan", NULL, NULL, "a split is"},
        {NULL, NULL, "height", NULL, "no node attribute 'height'"},
        {NULL, NULL, NULL, "1;2", "2 class weights for 3 classes"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        options.hidden = cases[i].hidden;
        options.split = cases[i].split;
        options.target = cases[i].target;
        options.class_weights = cases[i].weights;
        refuse_gcn(make_toy(TOY_SPARSE, 1), &options,
                   cases[i].target ? DGM_ERROR_DATA : DGM_ERROR_USAGE, cases[i].words);
    }
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "x.ckpt", "often"};
    static const char words[] =
        "checkpoints come every so many epochs (100) or seconds (30s), not 'often'";
    dgm_graph *graph = make_toy(TOY_SPARSE, 1);
    for (int i = 0; i < 2; i++) { /* no model and no answer come of it, whatever was there before */
        dgm_model *model = (dgm_model *)ctx;
        dgm_matrix *answer = (dgm_matrix *)ctx;
        ASSERT_FAILS(i == 0 ? dgm_gcn_train(ctx, graph, NULL, &checkpoint, &model, NULL, &answer)
                            : dgm_dgi_train(ctx, graph, NULL, &checkpoint, &model, NULL, &answer),
                     DGM_ERROR_USAGE, words);
        assert_null(model);
        assert_null(answer);
    }
    dgm_graph_free(graph);
}

static void a_graph_without_nodes_has_nothing_to_embed(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_model *model;
    ASSERT_FAILS(dgm_dgi_train(ctx, graph, NULL, NULL, &model, NULL, NULL), DGM_ERROR_DATA,
                 "the graph has no nodes to learn from");
    assert_null(model);
    dgm_graph_free(graph);
}

static void a_probe_without_labels_says_so(void **state) {
    (void)state;
    static toy t;
    draw_toy(&t, TOY_SPARSE, 1);
    t.s.labels = NULL;
    dgm_graph *graph = build_sample(&t.s);
    dgm_dgi_options options = dgi_options(DGM_DGI_DGI, "4", 2);
    options.probe = true;
    dgm_training_report report;
    dgm_model *model;
    assert_int_equal(dgm_dgi_train(ctx, graph, &options, NULL, &model, &report, NULL),
                     DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "no node has a label");
    assert_null(model);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_seed_gives_the_same_weights_on_any_number_of_threads),
        cmocka_unit_test(a_larger_graph_gives_the_same_weights_on_any_number_of_threads),
        cmocka_unit_test(another_seed_gives_other_weights),
        cmocka_unit_test(a_gcn_learns_classes_and_says_how_well),
        cmocka_unit_test(training_answers_as_the_network_does),
        cmocka_unit_test(the_report_says_who_trained),
        cmocka_unit_test(the_spam_graph_is_separated),
        cmocka_unit_test(a_probe_reads_classes_off_an_embedding),
        cmocka_unit_test(a_probe_does_not_see_how_long_rows_are),
        cmocka_unit_test(a_probe_reads_a_single_column),
        cmocka_unit_test(a_number_is_learned_and_its_variance_explained),
        cmocka_unit_test(texts_and_missing_numbers_cannot_be_predicted),
        cmocka_unit_test(a_constant_number_is_learned_and_explains_nothing),
        cmocka_unit_test(without_test_nodes_nothing_is_said_of_them),
        cmocka_unit_test(class_weights_change_the_loss_as_defined),
        cmocka_unit_test(what_cannot_be_learned_is_said),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(a_graph_without_nodes_has_nothing_to_embed),
        cmocka_unit_test(a_probe_without_labels_says_so),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
