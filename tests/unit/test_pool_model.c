/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that classify graphs: kept by a cross-validation, to files and back, and shown other
 * graphs. */
#include "nn_training.h"

#include "bytes_safetensors.h"
#include "pool_folds.h"
#include "pool_graphs.h"
#include "pool_model.h"
#include "unit_faults.h"

static dgm_classify_report *classify(const dgm_graph_set *set,
                                     const dgm_classify_options *options) {
    dgm_classify_report *report = NULL;
    if (dgm_classify(ctx, set, options, &report) != DGM_OK)
        fail_msg("%s: %s", options->pool, dgm_context_error(ctx));
    return report;
}

static dgm_matrix *scores_of(const dgm_classifier *model, const dgm_graph_set *set) {
    dgm_matrix *scores = NULL;
    if (dgm_classifier_run(ctx, model, set, &scores) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return scores;
}

static void assert_same_scores(const dgm_matrix *a, const dgm_matrix *b) {
    assert_int_equal(dgm_matrix_rows(a), dgm_matrix_rows(b));
    assert_int_equal(dgm_matrix_columns(a), dgm_matrix_columns(b));
    assert_memory_equal(dgm_matrix_values(a), dgm_matrix_values(b),
                        (size_t)(dgm_matrix_rows(a) * dgm_matrix_columns(a)) * sizeof(double));
}

/* ---- what is kept ---- */

/* The run of the highest validation accuracy, the first of equals. */
static const dgm_fold_result *find_best(const dgm_classify_report *report) {
    int64_t count;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &count), *best = folds;
    for (int64_t i = 1; i < count; i++)
        best = folds[i].validation > best->validation ? &folds[i] : best;
    return best;
}

/* The share of graphs whose highest score is that of their class. */
static double judge(const dgm_matrix *scores, const dgm_graph_set *set, const int64_t *graphs,
                    int64_t count) {
    const int32_t *classes = dgm_graph_set_classes(set, NULL);
    double right = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *row = dgm_matrix_values(scores) + graphs[i] * 2;
        right += (row[1] > row[0]) == (classes[graphs[i]] == 1);
    }
    return right / (double)count;
}

static void the_network_of_the_best_fold_is_kept(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classify_options options = quick_options("mpr:clusters=3-2");
    options.seeds = 2;
    options.epochs = 6;
    options.search = "width=3;6";
    dgm_classify_report *report = classify(set, &options);
    const dgm_classifier *model = dgm_classify_report_model(report);
    const dgm_fold_result *best = find_best(report);
    dgm_matrix *scores = scores_of(model, set);
    dgmi_pool_folds folds;
    dgmi_pool_split split;
    assert_int_equal(dgmi_pool_folds_draw(ctx, set, 3, best->seed, &folds), DGM_OK);
    assert_int_equal(dgmi_pool_split_make(ctx, &folds, (int32_t)best->fold, &split), DGM_OK);
    assert_near(judge(scores, set, split.test, split.test_count), best->accuracy, 1e-12);
    assert_near(judge(scores, set, split.validation, split.validation_count), best->validation,
                1e-12);
    assert_near(judge(scores, set, split.train, split.train_count), best->train, 1e-12);
    assert_int_equal(model->seed, best->seed);
    ASSERT_HAS(dgm_classifier_pool(model), "overlap=0.25"); /* of the preset */
    ASSERT_HAS(dgm_classifier_pool(model), ",clusters=3-2");
    assert_int_equal(dgm_classifier_steps(model), 2);
    assert_int_equal(dgm_classifier_classes(model), 2);
    assert_int_equal(dgm_classifier_class_number(model, 0), 3);
    assert_int_equal(dgm_classifier_class_number(model, 1), 7);
    assert_string_equal(dgm_matrix_column_name(scores, 1), "7");
    dgmi_pool_split_free(ctx, &split);
    dgmi_pool_folds_free(ctx, &folds);
    dgm_matrix_free(scores);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

/* Networks that have hardly moved say one class of all graphs, so that all folds are equally bad. */
static void of_equal_folds_the_first_is_kept(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classify_options options = quick_options("sum");
    options.seeds = 3;
    options.epochs = 1;
    options.rate = 1e-8;
    dgm_classify_report *report = classify(set, &options);
    const dgm_fold_result *best = find_best(report);
    int64_t count, last = 0;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &count);
    for (int64_t i = 0; i < count; i++)
        last = folds[i].validation == best->validation ? folds[i].seed : last;
    assert_true(last > best->seed);
    assert_int_equal(dgm_classify_report_model(report)->seed, best->seed);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

static void no_network_is_kept_unless_asked_for(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classify_options options = quick_options("sum");
    options.keep_model = false;
    dgm_classify_report *report = classify(set, &options);
    assert_null(dgm_classify_report_model(report));
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

/* Where all folds come from a checkpoint, the network is trained all the same. */
static void finished_folds_give_the_same_network(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classify_options options = quick_options("topk");
    options.checkpoint = "folds.json";
    dgm_classify_report *first = classify(set, &options), *second = classify(set, &options);
    dgm_matrix *a = scores_of(dgm_classify_report_model(first), set);
    dgm_matrix *b = scores_of(dgm_classify_report_model(second), set);
    assert_same_scores(a, b);
    dgm_matrix_free(a);
    dgm_matrix_free(b);
    dgm_classify_report_free(first);
    dgm_classify_report_free(second);
    dgm_graph_set_free(set);
}

/* ---- to a file and back ---- */

typedef struct variety {
    const char *pool;
    int net, features, preset;
} variety;

static const variety varieties[] = {
    {"mpr:clusters=3-2", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"mpr:lens=random,clusters=3-2", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"mpr:lens=learned,clusters=3-2", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"mpr:lens=learned,axes=2", DGM_NET_GIN, DGM_POOL_FEATURES_DEGREE, DGM_CLASSIFY_PAPER},
    {"mincut", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"mincut:ratio=0.6", DGM_NET_GIN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_EQUAL},
    {"diffpool", DGM_NET_GCN, DGM_POOL_FEATURES_DEGREE, DGM_CLASSIFY_PAPER},
    {"diffpool", DGM_NET_MLP, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_EQUAL},
    {"topk", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"sagpool", DGM_NET_GIN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"graclus", DGM_NET_MLP, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
    {"none", DGM_NET_GCN, DGM_POOL_FEATURES_AUTO, DGM_CLASSIFY_PAPER},
};

static void a_network_comes_back_from_its_file(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    for (int i = 0; i < COUNT(varieties); i++) {
        dgm_classify_options options = quick_options(varieties[i].pool);
        options.net = varieties[i].net;
        options.features = varieties[i].features;
        options.preset = varieties[i].preset;
        options.clamp = 3;
        options.first = 1;
        dgm_classify_report *report = classify(set, &options);
        const dgm_classifier *model = dgm_classify_report_model(report);
        dgm_classifier *again;
        assert_int_equal(dgm_classifier_write(ctx, model, "model.safetensors"), DGM_OK);
        if (dgm_classifier_read(ctx, "model.safetensors", &again) != DGM_OK)
            fail_msg("%s: %s", varieties[i].pool, dgm_context_error(ctx));
        assert_string_equal(dgm_classifier_pool(again), dgm_classifier_pool(model));
        assert_string_equal(dgm_classifier_set(again), dgm_classifier_set(model));
        assert_int_equal(dgm_classifier_steps(again), 2);
        assert_int_equal(dgm_classifier_class_number(again, 1), 7);
        dgm_matrix *a = scores_of(model, set), *b = scores_of(again, set);
        assert_same_scores(a, b);
        assert_int_equal(dgm_classifier_write(ctx, again, "again.safetensors"), DGM_OK);
        size_t sizes[2];
        void *bytes[] = {file_bytes("model.safetensors", &sizes[0]),
                         file_bytes("again.safetensors", &sizes[1])};
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
        dgm_matrix_free(a);
        dgm_matrix_free(b);
        dgm_classifier_free(again);
        dgm_classify_report_free(report);
    }
    dgm_graph_set_free(set);
}

/* ---- one graph ---- */

/* Graph k alone has the scores that it has in its set, and what it was pooled by is there. */
static void a_network_pools_one_graph_as_in_its_set(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    for (int i = 0; i < COUNT(varieties); i++) {
        dgm_classify_options options = quick_options(varieties[i].pool);
        options.net = varieties[i].net;
        options.features = varieties[i].features;
        options.preset = varieties[i].preset;
        options.first = 1;
        dgm_classify_report *report = classify(set, &options);
        dgm_pool_run_options run = DGM_POOL_RUN_OPTIONS_INIT;
        run.model = dgm_classify_report_model(report);
        dgm_matrix *scores = scores_of(run.model, set);
        for (int64_t k = 4; k < 8; k++) {
            dgm_graph *graph;
            dgm_pooling *pooling;
            run.index = k;
            assert_int_equal(dgm_graph_set_get(ctx, set, k, &graph), DGM_OK);
            if (dgm_pool_run(ctx, graph, &run, &pooling) != DGM_OK)
                fail_msg("%s: %s", varieties[i].pool, dgm_context_error(ctx));
            assert_true(dgm_pooling_trained(pooling));
            assert_int_equal(dgm_pooling_steps(pooling), 2);
            for (int64_t c = 0; c < 2; c++)
                assert_near(dgm_matrix_values(dgm_pooling_scores(pooling))[c],
                            dgm_matrix_values(scores)[2 * k + c], 1e-5);
            dgm_pooling_free(pooling);
            dgm_graph_free(graph);
        }
        dgm_matrix_free(scores);
        dgm_classify_report_free(report);
    }
    dgm_graph_set_free(set);
}

static void a_network_is_shown_what_it_can_see(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classify_options options = quick_options("mincut:ratio=0.4");
    options.first = 1;
    dgm_classify_report *report = classify(set, &options);
    dgm_pool_run_options run = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_graph *graph, *other, *bare;
    dgm_pooling *pooling;
    run.model = dgm_classify_report_model(report);
    assert_int_equal(dgm_graph_set_get(ctx, set, 0, &graph), DGM_OK);
    assert_int_equal(
        dgm_graph_with_labels(ctx, graph, (const int32_t[]){1, 2, 1, 1}, 0, NULL, &other), DGM_OK);
    ASSERT_FAILS(dgm_pool_run(ctx, other, &run, &pooling), DGM_ERROR_DATA,
                 "a node has the label 2, which the network has never seen");
    bare = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    assert_int_equal(dgm_pool_run(ctx, bare, &run, &pooling), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "have no labels");
    run.pool = "diffpool";
    assert_int_equal(dgm_pool_run(ctx, graph, &run, &pooling), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "the model pools by 'mincut:");
    run.pool = "mincut";
    run.steps = 3;
    ASSERT_FAILS(dgm_pool_run(ctx, graph, &run, &pooling), DGM_ERROR_USAGE,
                 "the model pools 2 times, not 3 times");
    run.steps = 1;
    assert_int_equal(dgm_pool_run(ctx, graph, &run, &pooling), DGM_OK);
    assert_int_equal(dgm_pooling_steps(pooling), 1);
    assert_int_equal(dgm_graph_nodes(dgm_pooling_get_step(pooling, 0).graph), 3);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
    dgm_graph_free(other);
    dgm_graph_free(bare);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

/* A graph whose nodes have the label 5 alone has it in the column of 5, and not in the first. */
static void labels_go_by_their_numbers(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 3, 4, 4, 5};
    static const int64_t offsets[] = {0, 3, 6};
    static const int32_t labels[] = {5, 5, 5, 1, 1, 1};
    dgm_graph_set *set = make_sample_set(), *both;
    dgm_classify_options options = quick_options("topk");
    options.first = 1;
    dgm_classify_report *report = classify(set, &options);
    dgm_pool_run_options run = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_graph *bare = build_graph(NULL, 6, 4, ends, NULL), *united, *first;
    dgm_pooling *pooling;
    run.model = dgm_classify_report_model(report);
    assert_int_equal(dgm_graph_with_labels(ctx, bare, labels, 0, NULL, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, 2, offsets, NULL, &both), DGM_OK);
    assert_int_equal(dgm_graph_set_get(ctx, both, 0, &first), DGM_OK);
    assert_int_equal(dgm_graph_classes(first), 1);
    dgm_matrix *scores = scores_of(run.model, both);
    const double *rows = dgm_matrix_values(scores);
    assert_int_equal(dgm_pool_run(ctx, first, &run, &pooling), DGM_OK);
    for (int c = 0; c < 2; c++) {
        assert_near(dgm_matrix_values(dgm_pooling_scores(pooling))[c], rows[c], 1e-5);
        assert_true(fabs(rows[c] - rows[2 + c]) > 1e-4); /* labels make a difference */
    }
    dgm_pooling_free(pooling);
    dgm_matrix_free(scores);
    dgm_graph_free(first);
    dgm_graph_free(bare);
    dgm_graph_set_free(both);
    dgm_classify_report_free(report);
    dgm_graph_set_free(set);
}

/* ---- files that are no such network ---- */

static void write_small_model(const dgm_graph_set *set) {
    dgm_classify_options options = quick_options("mincut:ratio=0.3");
    options.width = 2;
    options.steps = 1;
    options.epochs = 1;
    options.first = 1;
    dgm_classify_report *report = classify(set, &options);
    assert_int_equal(
        dgm_classifier_write(ctx, dgm_classify_report_model(report), "model.safetensors"), DGM_OK);
    dgm_classify_report_free(report);
}

/* Every byte is changed in turn. The file is refused, unless the change means the same, as the
 * letters of the checksum do in upper case. */
static void a_changed_byte_is_noticed(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    size_t size, accepted = 0;
    write_small_model(set);
    unsigned char *bytes = file_bytes("model.safetensors", &size);
    dgm_classifier *model, *changed;
    assert_int_equal(dgm_classifier_read(ctx, "model.safetensors", &model), DGM_OK);
    dgm_matrix *scores = scores_of(model, set);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= 0x20;
        write_bytes("changed.safetensors", bytes, size);
        bytes[i] ^= 0x20;
        if (dgm_classifier_read(ctx, "changed.safetensors", &changed) != DGM_OK) {
            assert_null(changed);
            continue;
        }
        dgm_matrix *same = scores_of(changed, set);
        assert_same_scores(scores, same);
        dgm_matrix_free(same);
        dgm_classifier_free(changed);
        accepted++;
    }
    assert_true(accepted <= 8);
    dgm_matrix_free(scores);
    dgm_classifier_free(model);
    free(bytes);
    dgm_graph_set_free(set);
}

static void a_cut_file_is_refused(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    dgm_classifier *model;
    size_t size;
    write_small_model(set);
    void *bytes = file_bytes("model.safetensors", &size);
    for (size_t length = 0; length < size; length += 1 + length / 7) {
        write_bytes("cut.safetensors", bytes, length);
        assert_int_not_equal(dgm_classifier_read(ctx, "cut.safetensors", &model), DGM_OK);
        assert_null(model);
    }
    free(bytes);
    dgm_graph_set_free(set);
}

static void other_files_are_refused_by_name(void **state) {
    (void)state;
    static const float number = 1;
    static const dgmi_bytes_named_tensor tensor = {"x", DGMI_BYTES_F32, 2, {1, 1}, &number};
    static const struct {
        const char *metadata[5], *words;
    } cases[] = {
        {{NULL},
         "other.safetensors: weights of another program, not a classifier of graphs as "
         "'dgm classify -o FILE.safetensors' writes it"},
        {{"format", "dgm-model", NULL},
         "other.safetensors: a network that looks at nodes, not a "
         "classifier of graphs as 'dgm classify -o "
         "FILE.safetensors' writes it"},
        {{"format", "dgm-checkpoint", NULL},
         "other.safetensors: a checkpoint of a training run, not a classifier of graphs as 'dgm "
         "classify -o FILE.safetensors' writes it"},
        {{"format", "dgm-classifier", "version", "2", NULL},
         "other.safetensors: a classifier of version 2, and this program reads version 1"},
        {{"format", "dgm-classifier", "version", "1", NULL},
         "other.safetensors: a damaged classifier: its metadata have no 'pool'"},
    };
    dgm_classifier *model;
    for (int i = 0; i < COUNT(cases); i++) {
        assert_int_equal(
            dgmi_bytes_safetensors_write(ctx, "other.safetensors", &tensor, 1, cases[i].metadata),
            DGM_OK);
        ASSERT_FAILS(dgm_classifier_read(ctx, "other.safetensors", &model), DGM_ERROR_DATA,
                     cases[i].words);
    }
    assert_int_equal(dgm_classifier_read(ctx, "missing.safetensors", &model), DGM_ERROR_FILE);
}

/* Metadata that promise the world, in a file that holds one number. */
static void promises_are_not_believed(void **state) {
    (void)state;
    static const float number = 1;
    static const dgmi_bytes_named_tensor tensor = {
        "level0.layer0.weight", DGMI_BYTES_F32, 2, {1, 1}, &number};
    static const char *const keys[] = {"pool",   "net",      "width",    "layers", "steps",
                                       "skip",   "clusters", "features", "clamp",  "feature_width",
                                       "labels", "classes",  "seed",     "set"};
    static const char *const good[] = {"mincut", "gcn", "1", "1", "1",   "0", "2",
                                       "degree", "0",   "1", "",  "1,2", "1", "x"};
    static const struct {
        int key;
        const char *value, *words;
    } cases[] = {
        {0, "mincat", "the pool 'mincat'"},
        {1, "gat", "the net 'gat'"},
        {2, "1048576", "no tensor level0.layer0.weight of 1 x 1048576 numbers"},
        {2, "1048577", "the width '1048577'"},
        {2, "0", "the width '0'"},
        {3, "9", "the layers '9'"},
        {3, "8", "no tensor level0.layer1.weight of 1 x 1 numbers"},
        {3, "0", "the layers '0'"},
        {4, "9", "the steps '9'"},
        {4, "8", "the clusters '2'"},
        {4, "0", "the clusters '2'"},
        {4, "-1", "the steps '-1'"},
        {5, "2", "the skip '2'"},
        {5, "1", "no tensor level1.layer0.weight of 1 x 1 numbers"},
        {5, "-1", "the skip '-1'"},
        {6, "2-2", "the clusters '2-2'"},
        {6, "0", "the clusters '0'"},
        {6, "1", "no tensor level1.layer0.weight of 1 x 1 numbers"},
        {6, "2147483648", "the clusters '2147483648'"},
        {7, "auto", "the features 'auto'"},
        {8, "x", "the clamp 'x'"},
        {8, "-1", "the clamp '-1'"},
        {8, "1048577", "the clamp '1048577'"},
        {8, "1048576", "no tensor level1.layer0.weight of 1 x 1 numbers"},
        {9, "-1", "the feature_width '-1'"},
        {9, "0", "no tensor level0.layer0.weight of 0 x 1 numbers"},
        {9, "4000000000", "the feature_width '4000000000'"},
        {9, "2000000000", "no tensor level0.layer0.weight of 2000000000 x 1 numbers"},
        {11, "", "the classes ''"},
        {11, "2,1", "the classes '2,1'"},
        {11, "1,,2", "the classes '1,,2'"},
        {11, "1,1", "the classes '1,1'"},
        {11, "1,2,", "the classes '1,2,'"},
        {11, "7", "no tensor level1.layer0.weight of 1 x 1 numbers"},
        {11, "-2147483648,2147483647", "no tensor level1.layer0.weight of 1 x 1 numbers"},
        {11, "-2147483649,1", "the classes '-2147483649,1'"},
        {11, "1,2147483648", "the classes '1,2147483648'"},
        {12, "", "the seed ''"},
        {13, "x", "no tensor level1.layer0.weight of 1 x 1 numbers"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const char *metadata[2 * COUNT(keys) + 5] = {"format", "dgm-classifier", "version", "1"};
        dgm_classifier *model;
        for (int k = 0; k < COUNT(keys); k++) {
            metadata[4 + 2 * k] = keys[k];
            metadata[5 + 2 * k] = cases[i].key == k ? cases[i].value : good[k];
        }
        metadata[2 * COUNT(keys) + 4] = NULL;
        assert_int_equal(
            dgmi_bytes_safetensors_write(ctx, "promise.safetensors", &tensor, 1, metadata), DGM_OK);
        assert_int_equal(dgm_classifier_read(ctx, "promise.safetensors", &model), DGM_ERROR_DATA);
        if (!strstr(dgm_context_error(ctx), cases[i].words))
            fail_msg("%s: %s", cases[i].words, dgm_context_error(ctx));
    }
}

/* ---- memory ---- */

static dgm_status read_run_write(dgm_context *own, void *argument) {
    dgm_classifier *model = NULL;
    dgm_pooling *pooling = NULL;
    dgm_matrix *scores = NULL;
    const dgm_graph_set *set = argument;
    dgm_graph *graph = NULL;
    dgm_pool_run_options run = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_status status = dgm_classifier_read(own, "model.safetensors", &model);
    if (status == DGM_OK)
        status = dgm_classifier_run(own, model, set, &scores);
    if (status == DGM_OK)
        status = dgm_classifier_write(own, model, "again.safetensors");
    if (status == DGM_OK)
        status = dgm_graph_set_get(own, set, 0, &graph);
    run.model = model;
    if (status == DGM_OK)
        status = dgm_pool_run(own, graph, &run, &pooling);
    dgm_graph_free(graph);
    dgm_pooling_free(pooling);
    dgm_matrix_free(scores);
    dgm_classifier_free(model);
    return status;
}

static dgm_status classify_once(dgm_context *own, void *argument) {
    dgm_classify_options options = quick_options("sum");
    dgm_classify_report *report = NULL;
    options.width = 2;
    options.epochs = 1;
    options.first = 1;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgm_classify(own, argument, &options, &report);
    dgm_classify_report_free(report);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph_set *set = make_sample_set();
    write_small_model(set);
    fail_each_allocation(read_run_write, set);
    fail_each_allocation(classify_once, set);
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_network_of_the_best_fold_is_kept),
        cmocka_unit_test(of_equal_folds_the_first_is_kept),
        cmocka_unit_test(no_network_is_kept_unless_asked_for),
        cmocka_unit_test(finished_folds_give_the_same_network),
        cmocka_unit_test(a_network_comes_back_from_its_file),
        cmocka_unit_test(a_network_pools_one_graph_as_in_its_set),
        cmocka_unit_test(a_network_is_shown_what_it_can_see),
        cmocka_unit_test(labels_go_by_their_numbers),
        cmocka_unit_test(a_changed_byte_is_noticed),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(other_files_are_refused_by_name),
        cmocka_unit_test(promises_are_not_believed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
