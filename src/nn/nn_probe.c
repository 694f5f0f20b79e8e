/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_probe.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "nn_options.h"
#include "nn_report.h"
#include "nn_train.h"

enum { PROBE_EPOCHS = 300 };

typedef struct probe_task {
    dgmi_view view; /* the embedding's training rows as features */
    dgmi_split split;
    dgm_model *model;
    float *rows;      /* of the training nodes */
    uint32_t *all;    /* 0, 1, ...: their numbers among themselves */
    int32_t *classes; /* theirs */
} probe_task;

static dgm_status gather_rows(dgm_context *ctx, const dgmi_tensor *embedding, const int32_t *labels,
                              probe_task *task) {
    int64_t count = task->split.train_count, width = embedding->columns;
    task->rows = dgmi_alloc(ctx, count * width, sizeof *task->rows);
    task->all = dgmi_alloc(ctx, count, sizeof *task->all);
    task->classes = dgmi_alloc(ctx, count, sizeof *task->classes);
    if (!task->rows || !task->all || !task->classes)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        uint32_t node = task->split.train[i];
        memcpy(task->rows + i * width, embedding->values + node * width,
               (size_t)width * sizeof *task->rows);
        task->all[i] = (uint32_t)i;
        task->classes[i] = labels[node];
    }
    task->view.features = (dgmi_features){.rows = count, .width = width, .dense = task->rows};
    return DGM_OK;
}

static dgmi_node *training_loss(void *argument, const dgmi_pass *pass) {
    const probe_task *task = argument;
    const dgmi_targets targets = {task->split.train_count, task->all, task->classes, NULL};
    return dgmi_op_cross_entropy(pass->tape, dgmi_pass_run(pass), &targets);
}

static dgm_status train(dgm_context *ctx, probe_task *task, int64_t width, int32_t classes,
                        int64_t seed) {
    dgmi_trained trained;
    dgm_status status = dgmi_model_create(ctx, DGM_MODEL_GCN, &task->model);
    if (status == DGM_OK)
        status = dgmi_model_add_layer(ctx, task->model, (dgmi_layer){.in = width, .out = classes},
                                      false);
    if (status == DGM_OK)
        status = dgmi_model_finish(ctx, task->model, seed);
    const dgmi_training training = {
        .model = task->model,
        .optimiser = {.descent = DGMI_ADAM, .rate = 0.01},
        .epochs = PROBE_EPOCHS,
        .seed = seed,
        .what = "probe",
        .loss = training_loss,
        .task = task,
        .view = &task->view,
    };
    return status == DGM_OK ? dgmi_train(ctx, &training, &trained) : status;
}

static dgm_status evaluate(dgm_context *ctx, const probe_task *task, const dgmi_tensor *embedding,
                           const int32_t *labels, dgm_training_report *report) {
    dgmi_tape *tape = NULL;
    dgm_status status = dgmi_tape_create(ctx, &tape);
    if (status != DGM_OK)
        return status;
    const dgmi_view all = {.features = {.rows = embedding->rows,
                                        .width = embedding->columns,
                                        .dense = embedding->values}};
    const dgmi_pass pass = {.tape = tape, .model = task->model, .view = &all};
    dgmi_node *scores = dgmi_pass_run(&pass);
    status = dgmi_tape_status(tape);
    if (status == DGM_OK)
        status = dgmi_report_classes(ctx, &scores->value, labels, &task->split, report);
    dgmi_tape_free(tape);
    return status;
}

dgm_status dgmi_probe(dgm_context *ctx, const dgm_graph *graph, const dgmi_tensor *embedding,
                      const char *split, int64_t seed, dgm_training_report *report) {
    probe_task task = {0};
    const int32_t *labels;
    int32_t classes;
    double train_share, validation_share;
    dgm_status status = dgmi_labels_find(ctx, graph, &labels, &classes);
    if (status == DGM_OK)
        status = dgmi_split_parse(ctx, split, &train_share, &validation_share);
    if (status == DGM_OK)
        status =
            dgmi_split_make(ctx, graph, labels, train_share, validation_share, seed, &task.split);
    if (status == DGM_OK)
        status = gather_rows(ctx, embedding, labels, &task);
    if (status == DGM_OK)
        status = train(ctx, &task, embedding->columns, classes, seed);
    if (status == DGM_OK)
        status = evaluate(ctx, &task, embedding, labels, report);
    dgm_model_free(task.model);
    dgmi_free(ctx, task.rows);
    dgmi_free(ctx, task.all);
    dgmi_free(ctx, task.classes);
    dgmi_split_free(ctx, &task.split);
    return status;
}
