/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NN_PROBE_H
#define NN_PROBE_H

#include "nn_data.h"

/* How well a logistic regression, trained on the training nodes alone, reads the graph's classes
 * off the embedding: accuracies, F1, confusion and calibration into the report. */
dgm_status dgmi_nn_probe(dgm_context *ctx, const dgm_graph *graph,
                         const dgmi_table_tensor *embedding, const char *split, int64_t seed,
                         dgm_training_report *report);

#endif
