/* SPDX-License-Identifier: Apache-2.0 */
/* Training and applying networks; one JSON object a line.
 *
 *     bench_train gcn|gcn-reference|dgi|dgi-reference GRAPH SEEDS [EPOCHS [THREADS]]
 *         accuracy over seeds 1 .. SEEDS (dgi: of its probe), seconds the best and the median of
 *         them without the probe; EPOCHS: exactly so many, no early stopping
 *     bench_train infer NODES EDGES FEATURES HIDDEN [THREADS]
 *         two convolutions of HIDDEN over a random graph with dense features
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dgm/dgm.h"

#include "base_random.h"
#include "nn_network.h"

static dgm_context *ctx;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(dgm_status status) {
    if (status == DGM_OK)
        return;
    fprintf(stderr, "bench_train: %s\n", dgm_context_error(ctx));
    exit(1);
}

static double peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- training ---- */

static void train_once(const char *what, const dgm_graph *graph, int64_t seed, int64_t epochs,
                       dgm_training_report *report) {
    dgm_model *model = NULL;
    bool reference = strstr(what, "-reference") != NULL;
    if (strncmp(what, "gcn", 3) == 0) {
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        options.preset = reference ? DGM_GCN_REFERENCE : DGM_GCN_KIPF;
        options.seed = seed;
        if (epochs > 0)
            options.epochs = epochs;
        need(dgm_gcn_train(ctx, graph, &options, NULL, &model, report, NULL));
    } else {
        dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
        options.preset = reference ? DGM_DGI_REFERENCE : DGM_DGI_DGI;
        options.seed = seed;
        options.probe = true;
        if (epochs > 0) {
            options.epochs = epochs;
            options.patience = 0;
        }
        need(dgm_dgi_train(ctx, graph, &options, NULL, &model, report, NULL));
    }
    dgm_model_free(model);
}

static void measure_training(const char *what, const char *name, int64_t seeds, int64_t epochs) {
    dgm_graph *graph = NULL;
    double *accuracy = calloc((size_t)seeds, sizeof *accuracy);
    double *time = calloc((size_t)seeds, sizeof *time), mean = 0, square = 0;
    int64_t run = 0, bytes = 0;
    if (!accuracy || !time)
        exit(1);
    need(dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph));
    for (int64_t s = 0; s < seeds; s++) {
        dgm_training_report report;
        train_once(what, graph, s + 1, epochs, &report);
        accuracy[s] = report.test_accuracy;
        time[s] = report.seconds;
        run += report.epochs;
        bytes = report.bytes;
        mean += accuracy[s] / (double)seeds;
        dgm_training_report_free(&report);
    }
    for (int64_t s = 0; s < seeds; s++)
        square += (accuracy[s] - mean) * (accuracy[s] - mean) / (double)(seeds > 1 ? seeds - 1 : 1);
    qsort(time, (size_t)seeds, sizeof *time, ascending);
    printf(
        "{\"bench\": \"%s\", \"graph\": \"%s\", \"seeds\": %lld, \"threads\": %d, "
        "\"test_accuracy\": %.4f, \"deviation\": %.4f, \"epochs\": %.1f, \"seconds_best\": %.4f, "
        "\"seconds_median\": %.4f, \"tensor_mb\": %.1f, \"peak_mb\": %.1f}\n",
        what, dgm_graph_source(graph), (long long)seeds, dgm_context_threads(ctx), mean,
        sqrt(square), (double)run / (double)seeds, time[0], time[seeds / 2], (double)bytes / 1e6,
        peak_megabytes());
    free(accuracy);
    free(time);
    dgm_graph_free(graph);
}

/* ---- applying ---- */

static dgm_graph *random_graph(int64_t nodes, int64_t edges, int64_t width) {
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    uint32_t *ends = malloc((size_t)edges * 2 * sizeof *ends);
    float *values = malloc((size_t)(nodes * width) * sizeof *values);
    if (!ends || !values)
        exit(1);
    for (int64_t i = 0; i < 2 * edges; i++)
        ends[i] = (uint32_t)dgmi_random_below(1, 0, (uint64_t)i, (uint64_t)nodes);
    for (int64_t i = 0; i < nodes * width; i++)
        values[i] = (float)(i * 2654435761 % 1024) / 1024;
    const dgm_graph_features features = {.width = width, .values = values};
    need(dgm_graph_builder_create(ctx, NULL, &builder));
    need(dgm_graph_builder_reserve_nodes(builder, nodes));
    need(dgm_graph_builder_add(builder, edges, ends, NULL));
    need(dgm_graph_builder_set_features(builder, nodes, &features));
    need(dgm_graph_builder_finish(builder, &graph));
    free(ends);
    free(values);
    return graph;
}

static void measure_inference(int64_t nodes, int64_t edges, int64_t width, int64_t hidden) {
    dgm_graph *graph = random_graph(nodes, edges, width);
    dgm_model *model = NULL;
    double best = INFINITY;
    need(dgmi_nn_model_create(ctx, DGM_MODEL_GCN, &model));
    need(dgmi_nn_model_add_layer(
        ctx, model,
        (dgmi_nn_layer){
            .convolution = true, .in = width, .out = hidden, .activation = DGMI_NN_ACTIVATION_RELU},
        false));
    need(dgmi_nn_model_add_layer(
        ctx, model, (dgmi_nn_layer){.convolution = true, .in = hidden, .out = hidden}, false));
    need(dgmi_nn_model_finish(ctx, model, 1));
    for (int run = 0; run < 3; run++) {
        dgm_matrix *answer = NULL;
        double start = seconds();
        need(dgm_model_run(ctx, model, graph, &answer));
        best = fmin(best, seconds() - start);
        dgm_matrix_free(answer);
    }
    printf("{\"bench\": \"infer\", \"nodes\": %lld, \"edges\": %lld, \"features\": %lld, "
           "\"hidden\": %lld, \"threads\": %d, \"seconds_best\": %.3f, \"peak_mb\": %.0f}\n",
           (long long)nodes, (long long)dgm_graph_edges(graph), (long long)width, (long long)hidden,
           dgm_context_threads(ctx), best, peak_megabytes());
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static int64_t number(char **words, int count, int index, int64_t otherwise) {
    return index < count ? strtoll(words[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv) {
    bool infer = argc > 5 && strcmp(argv[1], "infer") == 0;
    if (argc < 4) {
        fputs("usage: bench_train gcn|gcn-reference|dgi|dgi-reference GRAPH SEEDS [EPOCHS "
              "[THREADS]]\n       bench_train infer NODES EDGES FEATURES HIDDEN [THREADS]\n",
              stderr);
        return 2;
    }
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, (int)number(argv, argc, infer ? 6 : 5, 0));
    if (infer)
        measure_inference(number(argv, argc, 2, 0), number(argv, argc, 3, 0),
                          number(argv, argc, 4, 0), number(argv, argc, 5, 0));
    else
        measure_training(argv[1], argv[2], number(argv, argc, 3, 1), number(argv, argc, 4, 0));
    dgm_context_free(ctx);
    return 0;
}
