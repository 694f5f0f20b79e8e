/* SPDX-License-Identifier: Apache-2.0 */
/* Graph convolutional networks (Kipf and Welling, 2017), which classify nodes or predict a numeric
 * attribute. This file is a good start for reading: it goes from options to trained weights. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "nn_options.h"
#include "nn_reach.h"
#include "nn_report.h"
#include "nn_train.h"

typedef struct gcn_task {
    dgm_gcn_options options; /* resolved */
    dgmi_nn_sight sight;
    dgmi_nn_split split;
    const int32_t *labels; /* of a classifier */
    int32_t classes;
    float *class_weights;
    float *numbers;        /* of a regression, standardised */
    dgmi_nn_reach reach;   /* of the training nodes */
    uint32_t *places;      /* theirs among the rows of its answer: 0, 1, ... */
    int32_t *train_labels; /* theirs */
    float *train_numbers;
    dgm_model *model;
} gcn_task;

/* ---- the data ---- */

static dgm_status find_target(dgm_context *ctx, const dgm_graph *graph, const char *name,
                              const double **numbers) {
    int64_t index = dgm_graph_attribute_find(graph, name);
    if (index < 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph has no node attribute '%s' to predict",
                         name);
    dgm_attribute attribute = dgm_graph_attribute(graph, index);
    if (attribute.kind != DGM_ATTRIBUTE_NUMBER)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the attribute '%s' holds texts; only numbers can be predicted", name);
    *numbers = attribute.numbers;
    return DGM_OK;
}

/* Nodes whose target is missing are in no part. */
static int64_t drop_missing(uint32_t *rows, int64_t count, const double *numbers) {
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(numbers[rows[i]]))
            rows[kept++] = rows[i];
    return kept;
}

/* Targets with mean 0 and deviation 1 over the training nodes: any unit trains alike. */
static dgm_status standardise(dgm_context *ctx, gcn_task *task, const double *numbers,
                              int64_t nodes) {
    const dgmi_nn_split *split = &task->split;
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < split->train_count; i++)
        mean += numbers[split->train[i]] / (double)split->train_count;
    for (int64_t i = 0; i < split->train_count; i++) {
        double difference = numbers[split->train[i]] - mean;
        variance += difference * difference / (double)split->train_count;
    }
    task->numbers = dgmi_alloc(ctx, nodes, sizeof *task->numbers);
    if (!task->numbers)
        return DGM_ERROR_MEMORY;
    task->model->shift = mean;
    task->model->scale = variance > 0 ? sqrt(variance) : 1;
    for (int64_t i = 0; i < nodes; i++)
        task->numbers[i] = (float)((numbers[i] - mean) / task->model->scale);
    return DGM_OK;
}

static dgm_status prepare_regression(dgm_context *ctx, const dgm_graph *graph, gcn_task *task,
                                     const double *numbers) {
    dgmi_nn_split *split = &task->split;
    split->train_count = drop_missing(split->train, split->train_count, numbers);
    split->validation_count = drop_missing(split->validation, split->validation_count, numbers);
    split->test_count = drop_missing(split->test, split->test_count, numbers);
    if (split->train_count == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "no training node has a value of '%s'",
                         task->options.target);
    return standardise(ctx, task, numbers, dgm_graph_nodes(graph));
}

/* ---- the network ---- */

static dgm_status build_model(dgm_context *ctx, gcn_task *task) {
    const dgm_gcn_options *options = &task->options;
    bool kipf = options->preset == DGM_GCN_KIPF;
    int64_t sizes[DGMI_NN_MOST_LAYERS], in = task->sight.features.width;
    int64_t out = options->target ? 1 : task->classes;
    int count;
    dgm_status status = dgmi_nn_model_sizes(ctx, options->hidden, sizes, &count);
    float dropout = (float)options->dropout;
    for (int l = 0; status == DGM_OK && l < count; l++) {
        const dgmi_nn_layer layer = {.convolution = true,
                                     .in = in,
                                     .out = sizes[l],
                                     .activation = DGMI_NN_ACTIVATION_RELU,
                                     .dropout = kipf ? dropout : 0};
        status = dgmi_nn_model_add_layer(ctx, task->model, layer, l == 0 || !kipf);
        in = sizes[l];
    }
    const dgmi_nn_layer last = {.convolution = kipf, .in = in, .out = out, .dropout = dropout};
    if (status == DGM_OK)
        status = dgmi_nn_model_add_layer(ctx, task->model, last, !kipf);
    if (status == DGM_OK)
        status = dgmi_nn_model_finish(ctx, task->model, options->seed);
    return status;
}

/* The network keeps the numbers that the data gives its classes: other graphs may lack some. */
static dgm_status number_classes(dgm_context *ctx, const dgm_graph *graph, gcn_task *task) {
    dgm_status status = dgmi_nn_model_number_classes(ctx, task->model);
    for (int32_t c = 0; status == DGM_OK && c < task->classes; c++)
        task->model->class_numbers[c] = dgm_graph_class_number(graph, c);
    return status;
}

static dgm_status prepare_training_rows(dgm_context *ctx, gcn_task *task) {
    const dgmi_nn_split *split = &task->split;
    task->places = dgmi_alloc(ctx, split->train_count, sizeof *task->places);
    task->train_labels = dgmi_alloc(ctx, split->train_count, sizeof *task->train_labels);
    task->train_numbers = dgmi_alloc(ctx, split->train_count, sizeof *task->train_numbers);
    if (!task->places || !task->train_labels || !task->train_numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < split->train_count; i++) {
        task->places[i] = (uint32_t)i;
        task->train_labels[i] = task->labels ? task->labels[split->train[i]] : 0;
        task->train_numbers[i] = task->numbers ? task->numbers[split->train[i]] : 0;
    }
    return dgmi_nn_reach_make(ctx, task->model, &task->sight, split->train, split->train_count,
                              &task->reach);
}

static dgm_status prepare(dgm_context *ctx, const dgm_graph *graph, gcn_task *task) {
    const dgm_gcn_options *options = &task->options;
    const double *numbers = NULL;
    double train, validation;
    dgm_status status = options->target
                            ? find_target(ctx, graph, options->target, &numbers)
                            : dgmi_nn_labels_find(ctx, graph, &task->labels, &task->classes);
    if (status == DGM_OK)
        status = dgmi_nn_split_parse(ctx, options->split, &train, &validation);
    if (status == DGM_OK)
        status = dgmi_nn_split_make(ctx, graph, task->labels, train, validation, options->seed,
                                    &task->split);
    if (status == DGM_OK)
        status = dgmi_nn_model_create(ctx, DGM_MODEL_GCN, &task->model);
    if (status == DGM_OK && numbers)
        status = prepare_regression(ctx, graph, task, numbers);
    if (status == DGM_OK && !numbers)
        status = dgmi_nn_class_weights(ctx, options->class_weights, task->labels, task->classes,
                                       &task->split, &task->class_weights);
    if (status != DGM_OK)
        return status;
    task->model->regression = options->target != NULL;
    status = dgmi_nn_sight_make(ctx, graph, options->features, true, &task->sight);
    if (status != DGM_OK)
        return status;
    task->model->features = task->sight.features.one_hot ? DGM_FEATURES_ONE_HOT : options->features;
    task->model->normalise = true;
    status = build_model(ctx, task);
    if (status == DGM_OK && !numbers)
        status = number_classes(ctx, graph, task);
    return status == DGM_OK ? prepare_training_rows(ctx, task) : status;
}

/* ---- training ---- */

/* `labels` or `numbers` by row of the scores. */
static dgmi_nn_node *loss_on(const gcn_task *task, const dgmi_nn_pass *pass, const uint32_t *rows,
                             int64_t count, const int32_t *labels, const float *numbers) {
    dgmi_nn_node *scores = dgmi_nn_pass_run(pass);
    if (task->options.target)
        return dgmi_nn_op_squared_error(pass->tape, scores, rows, count, numbers);
    const dgmi_nn_targets targets = {count, rows, labels, task->class_weights};
    return dgmi_nn_op_cross_entropy(pass->tape, scores, &targets);
}

static dgmi_nn_node *training_loss(void *argument, const dgmi_nn_pass *pass) {
    const gcn_task *task = argument;
    int64_t count = task->split.train_count;
    return loss_on(task, pass, task->places, count, task->train_labels, task->train_numbers);
}

static double validation_loss(void *argument, const dgmi_nn_pass *pass) {
    const gcn_task *task = argument;
    dgmi_nn_node *loss = loss_on(task, pass, task->split.validation, task->split.validation_count,
                                 task->labels, task->numbers);
    return loss ? loss->value.values[0] : NAN;
}

static void describe(void *argument, const dgmi_nn_pass *pass, char *text, size_t size) {
    const gcn_task *task = argument;
    if (task->options.target || task->split.validation_count == 0)
        return;
    dgmi_nn_node *scores = dgmi_nn_pass_run(pass);
    if (scores)
        snprintf(text, size, ", validation accuracy %.3f",
                 dgmi_nn_accuracy(&scores->value, task->labels, task->split.validation,
                                  task->split.validation_count));
}

/* Epochs and learning rate may change when a run goes on: longer, or slower after it diverged. */
static uint64_t fingerprint(const dgm_graph *graph, const gcn_task *task) {
    const dgm_gcn_options *options = &task->options;
    uint64_t hash = dgmi_nn_fingerprint_graph(graph);
    const double numbers[] = {
        (double)options->preset,   options->dropout,          options->decay,
        (double)options->patience, (double)options->features, (double)options->seed};
    const char *const texts[] = {options->hidden, options->class_weights,
                                 options->target ? options->target : "",
                                 options->split ? options->split : ""};
    hash = dgmi_nn_fingerprint(hash, numbers, sizeof numbers);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = dgmi_nn_fingerprint(hash, texts[i], strlen(texts[i]));
    if (task->numbers)
        hash = dgmi_nn_fingerprint(hash, task->numbers,
                                   (size_t)dgm_graph_nodes(graph) * sizeof *task->numbers);
    return hash;
}

static dgm_status train(dgm_context *ctx, const dgm_graph *graph, gcn_task *task,
                        const dgm_checkpoint_options *checkpoint, dgmi_nn_trained *trained) {
    const dgm_gcn_options *options = &task->options;
    if (options->patience > 0 && task->split.validation_count == 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "patience needs validation nodes, and the split has none");
    const dgmi_nn_training training = {
        .model = task->model,
        .optimiser = {.descent = DGMI_NN_ADAM, .rate = options->rate, .decay = options->decay},
        .epochs = options->epochs,
        .patience = options->patience,
        .seed = options->seed,
        .fingerprint = fingerprint(graph, task),
        .what = "gcn",
        .checkpoint = checkpoint,
        .loss = training_loss,
        .measure = validation_loss,
        .describe = describe,
        .task = task,
        .sight = &task->sight,
        .reach = &task->reach,
    };
    return dgmi_nn_train(ctx, &training, trained);
}

static dgm_status measure(dgm_context *ctx, const gcn_task *task, const dgmi_table_tensor *scores,
                          dgm_training_report *report) {
    dgm_status status = dgmi_nn_report_split(ctx, scores->rows, &task->split, report);
    if (status != DGM_OK || !task->options.target)
        return status == DGM_OK
                   ? dgmi_nn_report_classes(ctx, scores, task->labels, &task->split, report)
                   : status;
    dgmi_nn_report_numbers(scores, task->numbers, &task->split, report);
    return DGM_OK;
}

/* One pass over the graph as it was prepared for the training, for the report and the answer. */
static dgm_status evaluate(dgm_context *ctx, const dgm_graph *graph, const gcn_task *task,
                           dgm_training_report *report, dgm_matrix **answer) {
    dgmi_nn_tape *tape = NULL;
    if (!report && !answer)
        return DGM_OK;
    dgm_status status = dgmi_nn_tape_create(ctx, &tape);
    if (status != DGM_OK)
        return status;
    const dgmi_nn_pass pass = {.tape = tape, .model = task->model, .sight = &task->sight};
    dgmi_nn_node *scores = dgmi_nn_pass_run(&pass);
    status = dgmi_nn_tape_status(tape);
    if (status == DGM_OK && report)
        status = measure(ctx, task, &scores->value, report);
    if (status == DGM_OK && answer)
        status = dgmi_nn_model_table(ctx, task->model, graph, &scores->value, answer);
    dgmi_nn_tape_free(tape);
    return status;
}

static void free_task(dgm_context *ctx, gcn_task *task) {
    dgm_model_free(task->model);
    dgmi_free(ctx, task->numbers);
    dgmi_free(ctx, task->class_weights);
    dgmi_free(ctx, task->places);
    dgmi_free(ctx, task->train_labels);
    dgmi_free(ctx, task->train_numbers);
    dgmi_nn_reach_free(ctx, &task->reach);
    dgmi_nn_split_free(ctx, &task->split);
    dgmi_nn_sight_free(ctx, &task->sight);
}

dgm_status dgm_gcn_train(dgm_context *ctx, const dgm_graph *graph, const dgm_gcn_options *options,
                         const dgm_checkpoint_options *checkpoint, dgm_model **out,
                         dgm_training_report *report, dgm_matrix **answer) {
    gcn_task task = {0};
    dgmi_nn_trained trained = {0};
    dgm_checkpoint_options saving;
    double start = dgmi_nn_report_start(ctx, report);
    *out = NULL;
    if (answer)
        *answer = NULL;
    dgm_status status = dgmi_nn_gcn_resolve(ctx, options, &task.options);
    if (status == DGM_OK)
        status = dgmi_nn_checkpoint_resolve(ctx, checkpoint, &saving);
    if (status == DGM_OK)
        status = prepare(ctx, graph, &task);
    if (status == DGM_OK)
        status = train(ctx, graph, &task, &saving, &trained);
    if (status == DGM_OK)
        status = evaluate(ctx, graph, &task, report, answer);
    if (status == DGM_OK) {
        dgmi_nn_report_finish(report, start, &trained);
        *out = task.model;
        task.model = NULL;
    }
    free_task(ctx, &task);
    return status;
}
