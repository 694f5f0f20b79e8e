/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of training, epoch by epoch, against PyTorch: tests/data/oracle/nn_runs.txt, made by
 * tools/oracle/nn_runs.py, which draws weights, dropout and shuffles from their description. */
#include "nn_golden.h"

#include "nn_training.h"

enum { NODES = 30, WIDTH = 20, EPOCHS = 4, SEED = 5, MOST_WEIGHTS = 16 };

static dgm_graph *sparse_graph, *dense_graph;

/* ---- the data of nn_gcn.txt ---- */

static int64_t take_features(bool dense, int64_t *offsets, uint32_t *columns, float *values) {
    const golden_table *table = find_golden("features", -1);
    int64_t entries = 0;
    for (int64_t i = 0; i < NODES; i++) {
        offsets[i] = entries;
        for (uint32_t j = 0; j < WIDTH; j++)
            if (dense || table->values[i * WIDTH + j] != 0) {
                columns[entries] = j;
                values[entries++] = (float)table->values[i * WIDTH + j];
            }
    }
    return offsets[NODES] = entries;
}

static dgm_graph *make_graph(bool dense) {
    static uint32_t ends[2 * 256], columns[NODES * WIDTH];
    static double weights[256];
    static int64_t offsets[NODES + 1];
    static float values[NODES * WIDTH];
    const golden_table *edges = find_golden("edges", -1), *train = find_golden("train", -1);
    int32_t labels[NODES];
    uint8_t splits[NODES];
    for (int64_t e = 0; e < edges->rows; e++) {
        ends[2 * e] = (uint32_t)edges->values[3 * e];
        ends[2 * e + 1] = (uint32_t)edges->values[3 * e + 1];
        weights[e] = edges->values[3 * e + 2];
    }
    for (int64_t i = 0; i < NODES; i++) {
        labels[i] = (int32_t)find_golden("classes", -1)->values[i];
        splits[i] = DGM_SPLIT_TEST;
    }
    for (int64_t i = 0; i < train->columns; i++)
        splits[(int64_t)train->values[i]] = DGM_SPLIT_TRAIN;
    take_features(dense, offsets, columns, values);
    const dgm_graph_features features = {WIDTH, dense ? NULL : offsets, dense ? NULL : columns,
                                         values};
    const sample s = {.nodes = NODES,
                      .edges = edges->rows,
                      .weighted = true,
                      .ends = ends,
                      .weights = weights,
                      .features = &features,
                      .labels = labels,
                      .splits = splits};
    return build_sample(&s);
}

static int make_graphs(void **state) {
    if (make_context(state) != 0)
        return 1;
    read_golden("nn_gcn.txt");
    sparse_graph = make_graph(false);
    dense_graph = make_graph(true);
    read_golden("nn_runs.txt");
    return 0;
}

static int free_graphs(void **state) {
    dgm_graph_free(sparse_graph);
    dgm_graph_free(dense_graph);
    return free_context(state);
}

/* ---- runs ---- */

/* Names of the weights in the order in which the model has them. */
typedef struct run_names {
    const char *prefix;
    int layers;
    bool slopes, discriminator;
} run_names;

static int list_names(const run_names *names, char list[MOST_WEIGHTS][32]) {
    int count = 0;
    for (int l = 0; l < names->layers; l++) {
        snprintf(list[count++], 32, "%s_w%d", names->prefix, l);
        snprintf(list[count++], 32, "%s_b%d", names->prefix, l);
        if (names->slopes)
            snprintf(list[count++], 32, "%s_slope%d", names->prefix, l);
    }
    if (names->discriminator) {
        snprintf(list[count++], 32, "%s_m", names->prefix);
        snprintf(list[count++], 32, "%s_mb", names->prefix);
    }
    return count;
}

/* After `epochs` of a run, each weight is PyTorch's. Frees model and report. */
static void check_model(const run_names *names, int epochs, dgm_model *model,
                        dgm_training_report *report) {
    char list[MOST_WEIGHTS][32], loss[32];
    assert_int_equal(list_names(names, list), model->weights.count);
    for (int k = 0; k < model->weights.count; k++) {
        const dgmi_nn_weight *weight = &model->weights.list[k];
        check_golden(list[k], epochs, dgmi_nn_weights_at(&model->weights, k), weight->rows,
                     weight->columns, 2e-4);
    }
    snprintf(loss, sizeof loss, "%s_loss", names->prefix);
    if (epochs > 0)
        assert_float_equal(report->loss, find_golden(loss, epochs)->values[0], 1e-5);
    dgm_training_report_free(report);
    dgm_model_free(model);
}

static void check_gcn(const dgm_graph *graph, run_names names, dgm_gcn_options options) {
    options.decay = 0.05;
    options.rate = 0.01;
    options.seed = SEED;
    for (int epochs = 1; epochs <= EPOCHS; epochs++) {
        dgm_training_report report;
        options.epochs = epochs;
        check_model(&names, epochs, train_gcn(graph, &options, NULL, &report), &report);
    }
}

static void check_dgi(const dgm_graph *graph, run_names names, dgm_dgi_options options) {
    names.discriminator = true;
    options.patience = 0;
    options.seed = SEED;
    for (int epochs = 1; epochs <= EPOCHS; epochs++) {
        dgm_training_report report;
        options.epochs = epochs;
        check_model(&names, epochs, train_dgi(graph, &options, NULL, &report), &report);
    }
}

/* ---- tests ---- */

static void a_run_of_kipfs_gcn_is_pytorchs(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.hidden = "8";
    options.dropout = 0.5;
    check_gcn(sparse_graph, (run_names){.prefix = "kipf", .layers = 2}, options);
}

static void a_run_on_dense_features_is_pytorchs(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.hidden = "7-5";
    options.dropout = 0.25;
    check_gcn(dense_graph, (run_names){.prefix = "kipfdense", .layers = 3}, options);
}

static void a_run_of_the_references_gcn_is_pytorchs(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.preset = DGM_GCN_REFERENCE;
    options.hidden = "8-6";
    options.dropout = 0.5;
    check_gcn(sparse_graph, (run_names){.prefix = "authors", .layers = 3}, options);
}

static void a_run_of_dgi_is_pytorchs(void **state) {
    (void)state;
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.hidden = "8";
    check_dgi(sparse_graph, (run_names){.prefix = "infomax", .layers = 1, .slopes = true}, options);
    check_dgi(dense_graph, (run_names){.prefix = "infomaxdense", .layers = 1, .slopes = true},
              options);
}

static void a_run_of_a_deep_dgi_is_pytorchs(void **state) {
    (void)state;
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.hidden = "6-5";
    check_dgi(sparse_graph, (run_names){.prefix = "infomaxdeep", .layers = 2, .slopes = true},
              options);
}

/* Layers of 32 and 32 fit the op that takes both graphs at once; those of 9, 4 and 7 do not, and
 * some of them gather before they multiply, some after. */
static void a_run_of_the_references_dgi_is_pytorchs(void **state) {
    (void)state;
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.preset = DGM_DGI_REFERENCE;
    options.hidden = "32-32-6";
    check_dgi(sparse_graph, (run_names){.prefix = "pairs", .layers = 3}, options);
    options.hidden = "9-4-7-6";
    check_dgi(sparse_graph, (run_names){.prefix = "unpaired", .layers = 4}, options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_kipfs_gcn_is_pytorchs),
        cmocka_unit_test(a_run_on_dense_features_is_pytorchs),
        cmocka_unit_test(a_run_of_the_references_gcn_is_pytorchs),
        cmocka_unit_test(a_run_of_dgi_is_pytorchs),
        cmocka_unit_test(a_run_of_a_deep_dgi_is_pytorchs),
        cmocka_unit_test(a_run_of_the_references_dgi_is_pytorchs),
    };
    return RUN_GROUP(tests, make_graphs, free_graphs);
}
