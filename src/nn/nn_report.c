/* SPDX-License-Identifier: Apache-2.0 */
/* Fills in the report of a training. */
#include "nn_report.h"

#include <math.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"

double dgmi_nn_report_start(const dgm_context *ctx, dgm_training_report *report) {
    if (report)
        *report = (dgm_training_report){.loss = NAN,
                                        .train_accuracy = NAN,
                                        .val_accuracy = NAN,
                                        .test_accuracy = NAN,
                                        .macro_f1 = NAN,
                                        .calibration_error = NAN,
                                        .allocator = ctx->allocator};
    return dgmi_seconds();
}

void dgmi_nn_report_finish(dgm_training_report *report, double start,
                           const dgmi_nn_trained *trained) {
    if (!report)
        return;
    report->loss = trained->loss;
    report->epochs = trained->epochs;
    report->bytes = trained->bytes;
    report->seconds = dgmi_seconds() - start;
}

void dgm_training_report_free(dgm_training_report *report) {
    if (!report)
        return;
    dgmi_allocator_free(&report->allocator, report->confusion);
    dgmi_allocator_free(&report->allocator, report->splits);
    report->confusion = NULL;
    report->splits = NULL;
}

static void put_part(const uint32_t *nodes, int64_t count, dgm_split part, uint8_t *splits) {
    for (int64_t i = 0; i < count; i++)
        splits[nodes[i]] = (uint8_t)part;
}

dgm_status dgmi_nn_report_split(dgm_context *ctx, int64_t nodes, const dgmi_nn_split *split,
                                dgm_training_report *report) {
    report->splits = dgmi_alloc_zero(ctx, nodes, sizeof *report->splits);
    if (!report->splits)
        return DGM_ERROR_MEMORY;
    put_part(split->train, split->train_count, DGM_SPLIT_TRAIN, report->splits);
    put_part(split->validation, split->validation_count, DGM_SPLIT_VALIDATION, report->splits);
    put_part(split->test, split->test_count, DGM_SPLIT_TEST, report->splits);
    return DGM_OK;
}

dgm_status dgmi_nn_report_classes(dgm_context *ctx, const dgmi_table_tensor *scores,
                                  const int32_t *labels, const dgmi_nn_split *split,
                                  dgm_training_report *report) {
    report->classes = (int32_t)scores->columns;
    report->train_accuracy = dgmi_nn_accuracy(scores, labels, split->train, split->train_count);
    report->val_accuracy =
        dgmi_nn_accuracy(scores, labels, split->validation, split->validation_count);
    report->test_accuracy = dgmi_nn_accuracy(scores, labels, split->test, split->test_count);
    if (split->test_count == 0)
        return DGM_OK;
    report->confusion =
        dgmi_alloc_zero(ctx, scores->columns * scores->columns, sizeof *report->confusion);
    if (!report->confusion)
        return DGM_ERROR_MEMORY;
    dgmi_nn_confusion(scores, labels, split->test, split->test_count, report->confusion);
    report->macro_f1 = dgmi_nn_macro_f1(report->confusion, report->classes);
    report->calibration_error =
        dgmi_nn_calibration_error(scores, labels, split->test, split->test_count);
    return DGM_OK;
}

/* R^2 = 1 - residual / variance; NaN without rows or variance. */
static double explained(const dgmi_table_tensor *scores, const float *targets, const uint32_t *rows,
                        int64_t count) {
    double mean = 0, residual = 0, variance = 0;
    for (int64_t i = 0; i < count; i++)
        mean += targets[rows[i]] / (double)count;
    for (int64_t i = 0; i < count; i++) {
        double miss = scores->values[rows[i]] - targets[rows[i]], off = targets[rows[i]] - mean;
        residual += miss * miss;
        variance += off * off;
    }
    return variance > 0 ? 1 - residual / variance : NAN;
}

void dgmi_nn_report_numbers(const dgmi_table_tensor *scores, const float *targets,
                            const dgmi_nn_split *split, dgm_training_report *report) {
    report->train_accuracy = explained(scores, targets, split->train, split->train_count);
    report->val_accuracy = explained(scores, targets, split->validation, split->validation_count);
    report->test_accuracy = explained(scores, targets, split->test, split->test_count);
}
