/* SPDX-License-Identifier: Apache-2.0 */
/* What a training run tells at its end. */
#ifndef NN_REPORT_H
#define NN_REPORT_H

#include "nn_data.h"
#include "nn_train.h"

/* Clears the report (NULL is fine) and returns the time, in seconds. */
double dgmi_nn_report_start(const dgm_context *ctx, dgm_training_report *report);
void dgmi_nn_report_finish(dgm_training_report *report, double start,
                           const dgmi_nn_trained *trained);
/* Which nodes trained, validated and tested. */
dgm_status dgmi_nn_report_split(dgm_context *ctx, int64_t nodes, const dgmi_nn_split *split,
                                dgm_training_report *report);
/* Accuracies, and on the test nodes, if there are any, confusion, F1 and calibration. */
dgm_status dgmi_nn_report_classes(dgm_context *ctx, const dgmi_table_tensor *scores,
                                  const int32_t *labels, const dgmi_nn_split *split,
                                  dgm_training_report *report);
/* The share of the variance that is explained, in place of accuracies. */
void dgmi_nn_report_numbers(const dgmi_table_tensor *scores, const float *targets,
                            const dgmi_nn_split *split, dgm_training_report *report);

#endif
