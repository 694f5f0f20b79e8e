/* SPDX-License-Identifier: Apache-2.0 */
/* Fills in the dgm_training_report of a training. */
#ifndef NN_REPORT_H
#define NN_REPORT_H

#include "nn_data.h"
#include "nn_train.h"

/* Clears the report (NULL is fine) and returns the time, in seconds. */
double dgmi_nn_report_start(const dgm_context *ctx, dgm_training_report *report);
void dgmi_nn_report_finish(dgm_training_report *report, double start,
                           const dgmi_nn_trained *trained);
/* Fills in which nodes were for training, validation and test. */
dgm_status dgmi_nn_report_split(dgm_context *ctx, int64_t nodes, const dgmi_nn_split *split,
                                dgm_training_report *report);
/* Fills in the accuracies, and if there are test nodes their confusion, F1 and calibration. */
dgm_status dgmi_nn_report_classes(dgm_context *ctx, const dgmi_table_tensor *scores,
                                  const int32_t *labels, const dgmi_nn_split *split,
                                  dgm_training_report *report);
/* Fills in R^2, the share of the variance that is explained, in place of accuracies. */
void dgmi_nn_report_numbers(const dgmi_table_tensor *scores, const float *targets,
                            const dgmi_nn_split *split, dgm_training_report *report);

#endif
