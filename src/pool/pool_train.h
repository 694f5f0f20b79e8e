/* SPDX-License-Identifier: Apache-2.0 */
/* One training of a classifier, on one split of the graphs. */
#ifndef POOL_TRAIN_H
#define POOL_TRAIN_H

#include "pool_folds.h"
#include "pool_network.h"

typedef struct dgmi_pool_training {
    const dgmi_pool_bank *bank;
    const int32_t *classes; /* of each graph */
    const dgmi_pool_split *split;
    dgmi_pool_design design;
    double rate, decay;
    int64_t epochs, batch;
} dgmi_pool_training;

typedef struct dgmi_pool_trained {
    double loss, train, validation, test; /* accuracies at the best epoch; loss of the last one */
    int64_t epoch;                        /* the best one, counted from 1 */
    int64_t *confusion;                   /* of the test graphs; room of the caller, set to 0 */
    int64_t bytes, parameters;
    dgmi_pool_network network; /* with the weights of the best epoch; the caller frees it */
} dgmi_pool_trained;

/* Trains for all epochs and keeps the weights of the epoch with the highest validation accuracy, the
 * first of equals. It reports progress as a fraction of the epochs. */
dgm_status dgmi_pool_train(dgm_context *ctx, const dgmi_pool_training *training,
                           dgmi_pool_trained *out);

/* Answers for some graphs: scores has room for a row per graph and a column per class. */
dgm_status dgmi_pool_answer(dgm_context *ctx, const dgmi_pool_bank *bank,
                            const dgmi_pool_network *network, const int64_t *graphs, int64_t count,
                            float *scores);

#endif
