/* SPDX-License-Identifier: Apache-2.0 */
/* A batch: some graphs of a bank as one block-diagonal graph. All memory comes from a tape and stays
 * until the tape is rewound. */
#ifndef POOL_BATCH_H
#define POOL_BATCH_H

#include "nn_ops.h"
#include "pool_bank.h"

typedef struct dgmi_pool_batch {
    const dgmi_pool_bank *bank;
    dgmi_nn_tape *tape;
    int64_t graphs;
    const int64_t *list; /* their numbers in the bank; they stay the caller's */
    int64_t *starts[DGMI_POOL_MOST_STEPS + 1]; /* of each level: the first node of each graph */
} dgmi_pool_batch;

/* Finds where the nodes of each graph begin. It returns false if the tape has failed. */
bool dgmi_pool_batch_make(dgmi_nn_tape *tape, const dgmi_pool_bank *bank, const int64_t *list,
                          int64_t graphs, dgmi_pool_batch *out);

/* These copy the rows of the batch out of matrices of the bank. They return NULL if the tape has
 * failed. */

/* The symmetric propagation of a level, or A of level 0. */
const dgmi_nn_sparse *dgmi_pool_batch_propagation(const dgmi_pool_batch *batch, int level);
const dgmi_nn_sparse *dgmi_pool_batch_adjacency(const dgmi_pool_batch *batch);
/* S' of a level. */
const dgmi_nn_sparse *dgmi_pool_batch_down(const dgmi_pool_batch *batch, int level);
/* A matrix whose columns are features: X, or P X. */
const dgmi_nn_sparse *dgmi_pool_batch_features(const dgmi_pool_batch *batch,
                                               const dgmi_pool_stack *stack);

/* Returns a constant with the given value in every row. */
dgmi_nn_node *dgmi_pool_constant(dgmi_nn_tape *tape, int64_t rows, int64_t columns, float value);

#endif
