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

/* Training nodes: below the first the network is narrow, from the second on wide. */
enum { FEW_NODES = 256, MANY_NODES = 16384 };
static const double MOST_DECAY = 0.01;

/* The nodes of one part of the split, as a loss sees them. */
typedef struct gcn_part {
    int64_t count;
    dgmi_nn_reach reach;
    uint32_t *places; /* of the nodes among the rows of its answer: 0, 1, ... */
    int32_t *labels;  /* theirs */
    float *numbers;
} gcn_part;

typedef struct gcn_task {
    dgm_gcn_options options; /* resolved */
    bool automatic;          /* the preset looks at the graph */
    dgmi_nn_sight sight;
    dgmi_nn_split split;
    const int32_t *labels; /* of a classifier */
    int32_t classes;
    float *class_weights;
    float *numbers;                /* of a regression, standardised */
    gcn_part training, validation; /* the second where the preset looks at the graph */
    dgmi_nn_schedule schedule;     /* likewise */
    dgmi_nn_accuracies accuracies; /* what the last losses knew of them */
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

/* ---- the preset that looks at the graph ---- */

/* Measured on Cora, CiteSeer, PubMed, Facebook pages, LastFM and generated graphs: bench/networks.
 * Few training nodes want few weights and small steps. The features have a length near 1, so the
 * decay 1/n is the prior that the weights are normal with variance 1. It helps where few nodes
 * teach many columns, and harms elsewhere, so that both are tried where validation nodes can tell.
 * One-hot features have a row of weights for each node, which a prior only holds back. */
static void choose(gcn_task *task) {
    dgm_gcn_options *options = &task->options;
    int64_t nodes = task->split.train_count;
    bool validates = task->split.validation_count > 0;
    if (!options->hidden)
        options->hidden = nodes < FEW_NODES ? "32" : nodes < MANY_NODES ? "64" : "128";
    if (options->rate < 0)
        options->rate = nodes < FEW_NODES ? 0.01 : 0.02;
    task->schedule = (dgmi_nn_schedule){
        .every = validates ? 4 : 1, .plateau = 16, .rounds = 1, .decays = {options->decay}};
    if (options->decay >= 0)
        return;
    double prior = fmin(1 / (double)nodes, MOST_DECAY);
    bool both = validates && !task->sight.features.one_hot;
    task->schedule.rounds = both ? 2 : 1;
    task->schedule.decays[0] = both || task->sight.features.one_hot ? 0 : prior;
    task->schedule.decays[1] = prior;
}

/* ---- the network ---- */

static dgm_status build_model(dgm_context *ctx, gcn_task *task) {
    const dgm_gcn_options *options = &task->options;
    bool kipf = options->preset != DGM_GCN_REFERENCE;
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
    if (status == DGM_OK && task->model->normalise == DGMI_NN_SCALE_COLUMNS)
        status = dgmi_nn_model_add_columns(ctx, task->model);
    if (status == DGM_OK)
        status = dgmi_nn_model_finish(ctx, task->model, options->seed);
    if (status == DGM_OK)
        dgmi_nn_model_remember(task->model, &task->sight.features);
    return status;
}

/* The network keeps the numbers that the data gives its classes: other graphs may lack some. */
static dgm_status number_classes(dgm_context *ctx, const dgm_graph *graph, gcn_task *task) {
    dgm_status status = dgmi_nn_model_number_classes(ctx, task->model);
    for (int32_t c = 0; status == DGM_OK && c < task->classes; c++)
        task->model->class_numbers[c] = dgm_graph_class_number(graph, c);
    return status;
}

static dgm_status prepare_part(dgm_context *ctx, const gcn_task *task, const uint32_t *rows,
                               int64_t count, gcn_part *part) {
    part->count = count;
    part->places = dgmi_alloc(ctx, count, sizeof *part->places);
    part->labels = dgmi_alloc(ctx, count, sizeof *part->labels);
    part->numbers = dgmi_alloc(ctx, count, sizeof *part->numbers);
    if (!part->places || !part->labels || !part->numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        part->places[i] = (uint32_t)i;
        part->labels[i] = task->labels ? task->labels[rows[i]] : 0;
        part->numbers[i] = task->numbers ? task->numbers[rows[i]] : 0;
    }
    return dgmi_nn_reach_make(ctx, task->model, &task->sight, rows, count, &part->reach);
}

static void free_part(dgm_context *ctx, gcn_part *part) {
    dgmi_free(ctx, part->places);
    dgmi_free(ctx, part->labels);
    dgmi_free(ctx, part->numbers);
    dgmi_nn_reach_free(ctx, &part->reach);
}

static dgm_status prepare_targets(dgm_context *ctx, const dgm_graph *graph, gcn_task *task) {
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
    if (status == DGM_OK && task->automatic)
        status = dgmi_nn_split_hold_out(ctx, task->labels, dgm_graph_nodes(graph), options->seed,
                                        &task->split);
    if (status == DGM_OK && numbers)
        return prepare_regression(ctx, graph, task, numbers);
    return status == DGM_OK
               ? dgmi_nn_class_weights(ctx, options->class_weights, task->labels, task->classes,
                                       &task->split, &task->class_weights)
               : status;
}

static dgm_status prepare(dgm_context *ctx, const dgm_graph *graph, gcn_task *task) {
    const dgm_gcn_options *options = &task->options;
    const dgmi_nn_split *split = &task->split;
    const dgmi_nn_reading reading = {.kind = options->features,
                                     .scaling =
                                         dgmi_nn_scaling_of(options->normalise, task->automatic),
                                     .unit = task->automatic,
                                     .structure = task->automatic};
    dgm_status status = prepare_targets(ctx, graph, task);
    if (status != DGM_OK)
        return status;
    task->model->regression = options->target != NULL;
    status = dgmi_nn_sight_read(ctx, graph, &reading, &task->sight);
    if (status != DGM_OK)
        return status;
    dgmi_nn_model_reads(task->model, &reading, &task->sight.features);
    if (task->automatic)
        choose(task);
    status = build_model(ctx, task);
    if (status == DGM_OK && !options->target)
        status = number_classes(ctx, graph, task);
    if (status == DGM_OK)
        status = prepare_part(ctx, task, split->train, split->train_count, &task->training);
    if (status == DGM_OK && task->automatic)
        status =
            prepare_part(ctx, task, split->validation, split->validation_count, &task->validation);
    return status;
}

/* ---- training ---- */

/* `labels` or `numbers` by row of the scores. *accuracy becomes that of a classifier. */
static dgmi_nn_node *loss_on(const gcn_task *task, const dgmi_nn_pass *pass, const uint32_t *rows,
                             int64_t count, const int32_t *labels, const float *numbers,
                             double *accuracy) {
    dgmi_nn_node *scores = dgmi_nn_pass_run(pass);
    if (task->options.target)
        return dgmi_nn_op_squared_error(pass->tape, scores, rows, count, numbers);
    const dgmi_nn_targets targets = {count, rows, labels, task->class_weights};
    *accuracy = scores ? dgmi_nn_accuracy(&scores->value, labels, rows, count) : NAN;
    return dgmi_nn_op_cross_entropy(pass->tape, scores, &targets);
}

static dgmi_nn_node *training_loss(void *argument, const dgmi_nn_pass *pass) {
    gcn_task *task = argument;
    const gcn_part *part = &task->training;
    return loss_on(task, pass, part->places, part->count, part->labels, part->numbers,
                   &task->accuracies.training);
}

static double validation_loss(void *argument, const dgmi_nn_pass *pass) {
    gcn_task *task = argument;
    dgmi_nn_node *loss = loss_on(task, pass, task->split.validation, task->split.validation_count,
                                 task->labels, task->numbers, &task->accuracies.validation);
    return loss ? loss->value.values[0] : NAN;
}

/* The same, of what the validation nodes see alone. */
static double validation_loss_in_reach(void *argument, const dgmi_nn_pass *whole) {
    gcn_task *task = argument;
    const gcn_part *part = &task->validation;
    dgmi_nn_pass pass = *whole;
    pass.reach = &part->reach;
    dgmi_nn_node *loss = loss_on(task, &pass, part->places, part->count, part->labels,
                                 part->numbers, &task->accuracies.validation);
    return loss ? loss->value.values[0] : NAN;
}

/* How a round of training is judged: the accuracy on the validation nodes. A regression is judged
 * by its loss alone, since all its rounds have one score. */
static double validation_score(void *argument, const dgmi_nn_pass *whole) {
    const gcn_task *task = argument;
    const gcn_part *part = &task->validation;
    dgmi_nn_pass pass = *whole;
    pass.reach = &part->reach;
    if (task->options.target)
        return 0;
    dgmi_nn_node *scores = dgmi_nn_pass_run(&pass);
    return scores ? dgmi_nn_accuracy(&scores->value, part->labels, part->places, part->count) : 0;
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
    if (options->normalise != DGM_NORMALISE_AUTO)
        hash = dgmi_nn_fingerprint(hash, &options->normalise, sizeof options->normalise);
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
    bool validates = task->split.validation_count > 0;
    if (options->patience > 0 && !validates && !task->automatic)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "patience needs validation nodes, and the split has none");
    dgmi_nn_training training = {
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
        .accuracies = options->target ? NULL : &task->accuracies,
        .sight = &task->sight,
        .reach = &task->training.reach,
    };
    if (task->automatic) {
        task->schedule.score = validation_score;
        training.schedule = &task->schedule;
        training.measure = validates ? validation_loss_in_reach : NULL;
        training.patience = options->patience > 0 ? options->patience : options->epochs + 1;
    }
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

/* The share of training nodes of their most frequent class. */
static double guess(const gcn_task *task) {
    const gcn_part *part = &task->training;
    int64_t most = 0;
    for (int32_t c = 0; c < task->classes; c++) {
        int64_t count = 0;
        for (int64_t i = 0; i < part->count; i++)
            count += part->labels[i] == c;
        most = count > most ? count : most;
    }
    return (double)most / (double)part->count;
}

/* A share that is less than `part` of the way from guessing to knowing. */
static bool is_poor(double accuracy, double chance, double part) {
    return accuracy < chance + part * (1 - chance);
}

/* What to try first: what the training itself says, then another input. */
static void advise(dgm_context *ctx, const gcn_task *task, int64_t epochs,
                   char advice[2][DGMI_ADVICE_SPACE]) {
    bool rows = task->model->normalise == DGMI_NN_SCALE_ROWS;
    char more[24];
    snprintf(more, sizeof more, "%lld", 10 * (long long)task->options.epochs);
    if (!task->automatic)
        dgmi_advice(ctx, "preset", "auto", advice[0]);
    else if (epochs >= task->options.epochs)
        dgmi_advice(ctx, "epochs", more, advice[0]);
    else if (task->sight.features.one_hot)
        dgmi_advice(ctx, "hidden", "128", advice[0]);
    else
        dgmi_advice(ctx, "normalise", rows ? "columns" : "rows", advice[0]);
    dgmi_advice(ctx, "features", task->sight.features.one_hot ? "structure" : "one-hot", advice[1]);
}

/* One line where the network has learnt little even of its training nodes, or nothing that holds
 * for others. */
static void note_quality(dgm_context *ctx, const gcn_task *task,
                         const dgm_training_report *report) {
    char advice[2][DGMI_ADVICE_SPACE];
    if (!report || task->options.target || isnan(report->train_accuracy))
        return;
    double chance = guess(task);
    bool learns = !is_poor(report->train_accuracy, chance, 0.5);
    if (learns && !is_poor(report->val_accuracy, chance, 0.05))
        return;
    advise(ctx, task, report->epochs, advice);
    dgmi_note(ctx,
              "the network is still no good: %.3f of the training nodes are right%s, and the most "
              "frequent class alone gives %.3f; try %s or %s",
              report->train_accuracy, learns ? ", but hardly any others" : "", chance, advice[0],
              advice[1]);
}

static void free_task(dgm_context *ctx, gcn_task *task) {
    dgm_model_free(task->model);
    dgmi_free(ctx, task->numbers);
    dgmi_free(ctx, task->class_weights);
    free_part(ctx, &task->training);
    free_part(ctx, &task->validation);
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
    task.automatic = task.options.preset == DGM_GCN_AUTO;
    if (status == DGM_OK)
        status = prepare(ctx, graph, &task);
    if (status == DGM_OK)
        status = train(ctx, graph, &task, &saving, &trained);
    if (status == DGM_OK)
        status = evaluate(ctx, graph, &task, report, answer);
    if (status == DGM_OK) {
        dgmi_nn_report_finish(report, start, &trained);
        note_quality(ctx, &task, report);
        dgmi_nn_model_settle(task.model, &task.sight.features);
        *out = task.model;
        task.model = NULL;
    }
    free_task(ctx, &task);
    return status;
}
