/* SPDX-License-Identifier: Apache-2.0 */
/* Trains a logistic regression on an embedding, to measure what the embedding knows of classes. */
#include "nn_probe.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "nn_options.h"
#include "nn_report.h"
#include "nn_train.h"

enum { PROBE_EPOCHS = 300 };
static const double PROBE_RATE = 0.05;
/* Strengths of the penalty, as C of its usual form; the validation nodes choose one. */
static const double penalties[] = {0.01, 0.1, 1, 10, 100};
enum { PENALTIES = sizeof penalties / sizeof *penalties, USUAL_PENALTY = 2 };

typedef struct probe_task {
    dgmi_nn_sight sight;        /* the embedding's training rows as features */
    dgmi_table_tensor all_rows; /* the embedding, each row of length 1 */
    const int32_t *labels;
    int32_t class_count;
    int64_t seed;
    dgmi_nn_split split;
    dgm_model *model;
    float *rows;      /* of the training nodes */
    uint32_t *all;    /* 0, 1, ...: their numbers among themselves */
    int32_t *classes; /* theirs */
} probe_task;

/* Rows of length 1: the penalty then means the same whatever the embedding's scale. */
static void normalise_rows(const dgmi_table_tensor *from, float *to) {
    for (int64_t i = 0; i < from->rows; i++) {
        const float *row = from->values + i * from->columns;
        double squares = 0;
        for (int64_t j = 0; j < from->columns; j++)
            squares += (double)row[j] * row[j];
        float scale = squares > 0 ? (float)(1 / sqrt(squares)) : 0;
        for (int64_t j = 0; j < from->columns; j++)
            to[i * from->columns + j] = scale * row[j];
    }
}

static dgm_status gather_rows(dgm_context *ctx, const dgmi_table_tensor *embedding,
                              probe_task *task) {
    int64_t count = task->split.train_count, width = embedding->columns;
    float *normal = dgmi_alloc(ctx, dgmi_table_tensor_count(embedding), sizeof *normal);
    task->all_rows = (dgmi_table_tensor){embedding->rows, width, normal};
    task->rows = dgmi_alloc(ctx, count * width, sizeof *task->rows);
    task->all = dgmi_alloc(ctx, count, sizeof *task->all);
    task->classes = dgmi_alloc(ctx, count, sizeof *task->classes);
    if (!normal || !task->rows || !task->all || !task->classes)
        return DGM_ERROR_MEMORY;
    normalise_rows(embedding, normal);
    for (int64_t i = 0; i < count; i++) {
        uint32_t node = task->split.train[i];
        memcpy(task->rows + i * width, normal + node * width, (size_t)width * sizeof *normal);
        task->all[i] = (uint32_t)i;
        task->classes[i] = task->labels[node];
    }
    task->sight.features = (dgmi_nn_features){.rows = count, .width = width, .dense = task->rows};
    return DGM_OK;
}

static dgmi_nn_node *training_loss(void *argument, const dgmi_nn_pass *pass) {
    const probe_task *task = argument;
    const dgmi_nn_targets targets = {task->split.train_count, task->all, task->classes, NULL};
    return dgmi_nn_op_cross_entropy(pass->tape, dgmi_nn_pass_run(pass), &targets);
}

/* A regression under one penalty: mean loss + |w|^2 / (2 C n). */
static dgm_status train(dgm_context *ctx, probe_task *task, double penalty, dgm_model **model) {
    int64_t width = task->sight.features.width;
    dgmi_nn_trained trained;
    dgm_status status = dgmi_nn_model_create(ctx, DGM_MODEL_GCN, model);
    if (status == DGM_OK)
        status = dgmi_nn_model_add_layer(
            ctx, *model, (dgmi_nn_layer){.in = width, .out = task->class_count}, true);
    if (status == DGM_OK)
        status = dgmi_nn_model_finish(ctx, *model, task->seed);
    const dgmi_nn_training training = {
        .model = *model,
        .optimiser = {.descent = DGMI_NN_ADAM,
                      .rate = PROBE_RATE,
                      .decay = 1 / (penalty * (double)task->split.train_count)},
        .epochs = PROBE_EPOCHS,
        .seed = task->seed,
        .what = "probe",
        .loss = training_loss,
        .task = task,
        .sight = &task->sight,
    };
    return status == DGM_OK ? dgmi_nn_train(ctx, &training, &trained) : status;
}

/* Scores of all nodes; they live as long as the tape. */
static dgmi_nn_node *score(dgmi_nn_tape *tape, const probe_task *task, const dgm_model *model) {
    const dgmi_nn_sight all = {.features = {.rows = task->all_rows.rows,
                                            .width = task->all_rows.columns,
                                            .dense = task->all_rows.values}};
    const dgmi_nn_pass pass = {.tape = tape, .model = model, .sight = &all};
    return dgmi_nn_pass_run(&pass);
}

/* Trains under a penalty and keeps the model where it validates better than all before. */
static dgm_status try_penalty(dgm_context *ctx, dgmi_nn_tape *tape, probe_task *task,
                              double penalty, double *best) {
    dgm_model *model = NULL;
    dgm_status status = train(ctx, task, penalty, &model);
    dgmi_nn_tape_rewind(tape);
    dgmi_nn_node *scores = status == DGM_OK ? score(tape, task, model) : NULL;
    if (status == DGM_OK)
        status = dgmi_nn_tape_status(tape);
    if (status == DGM_OK) {
        double accuracy = dgmi_nn_accuracy(&scores->value, task->labels, task->split.validation,
                                           task->split.validation_count);
        if (!task->model || accuracy > *best) {
            dgm_model *worse = task->model;
            task->model = model;
            model = worse;
            *best = accuracy;
        }
    }
    dgm_model_free(model);
    return status;
}

static dgm_status choose_and_report(dgm_context *ctx, probe_task *task,
                                    dgm_training_report *report) {
    dgmi_nn_tape *tape = NULL;
    double best = -1;
    bool choose = task->split.validation_count > 0;
    dgm_status status = dgmi_nn_tape_create(ctx, &tape);
    for (int p = choose ? 0 : USUAL_PENALTY; status == DGM_OK && p < PENALTIES; p++) {
        status = try_penalty(ctx, tape, task, penalties[p], &best);
        if (!choose)
            break;
    }
    if (status == DGM_OK) {
        dgmi_nn_tape_rewind(tape);
        dgmi_nn_node *scores = score(tape, task, task->model);
        status = dgmi_nn_tape_status(tape);
        if (status == DGM_OK)
            status =
                dgmi_nn_report_classes(ctx, &scores->value, task->labels, &task->split, report);
    }
    dgmi_nn_tape_free(tape);
    return status;
}

dgm_status dgmi_nn_probe(dgm_context *ctx, const dgm_graph *graph,
                         const dgmi_table_tensor *embedding, const char *split, int64_t seed,
                         dgm_training_report *report) {
    probe_task task = {.seed = seed};
    double train_share, validation_share;
    dgm_status status = dgmi_nn_labels_find(ctx, graph, &task.labels, &task.class_count);
    if (status == DGM_OK)
        status = dgmi_nn_split_parse(ctx, split, &train_share, &validation_share);
    if (status == DGM_OK)
        status = dgmi_nn_split_make(ctx, graph, task.labels, train_share, validation_share, seed,
                                    &task.split);
    if (status == DGM_OK)
        status = gather_rows(ctx, embedding, &task);
    if (status == DGM_OK)
        status = choose_and_report(ctx, &task, report);
    dgm_model_free(task.model);
    dgmi_free(ctx, task.all_rows.values);
    dgmi_free(ctx, task.rows);
    dgmi_free(ctx, task.all);
    dgmi_free(ctx, task.classes);
    dgmi_nn_split_free(ctx, &task.split);
    return status;
}
