/* SPDX-License-Identifier: Apache-2.0 */
/* The probe of Deep Graph Infomax, which measures what an embedding knows about classes. */
#ifndef NN_PROBE_H
#define NN_PROBE_H

#include "nn_data.h"

/* Trains a logistic regression on the training nodes, which predicts the classes of the graph from
 * the embedding. Its accuracies, F1, confusion and calibration go into the report. */
dgm_status dgmi_nn_probe(dgm_context *ctx, const dgm_graph *graph,
                         const dgmi_table_tensor *embedding, const char *split, int64_t seed,
                         dgm_training_report *report);

#endif
