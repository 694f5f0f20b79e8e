/* SPDX-License-Identifier: Apache-2.0 */
/* The training loop: epochs, early stopping, checkpoints, progress. What is trained is the
 * caller's: a step that leaves gradients, and a measure that tells how good the weights are. */
#ifndef NN_TRAIN_H
#define NN_TRAIN_H

#include "nn_network.h"

typedef struct dgmi_nn_training {
    dgm_model *model;
    dgmi_nn_optimiser_options optimiser;
    int64_t epochs, patience; /* patience 0: run all epochs and keep the last weights */
    int64_t seed;
    uint64_t fingerprint; /* of options and data: a checkpoint of another is refused */
    const char *what;     /* for messages: "gcn" */
    const dgm_checkpoint_options *checkpoint; /* NULL: none */
    /* Builds the loss of this epoch on the tape, differentiable by the pass's optimiser. */
    dgmi_nn_node *(*loss)(void *task, const dgmi_nn_pass *pass);
    /* Smaller is better; NULL: the loss itself decides about patience. */
    double (*measure)(void *task, const dgmi_nn_pass *pass);
    /* A few words on how good it is now, for progress; NULL: none. */
    void (*describe)(void *task, const dgmi_nn_pass *pass, char *text, size_t size);
    void *task;
    const dgmi_nn_sight *sight;
    const dgmi_nn_field *field; /* of the loss, or NULL */
} dgmi_nn_training;

typedef struct dgmi_nn_trained {
    double loss; /* of the last epoch */
    int64_t epochs;
    int64_t bytes; /* of tensors */
} dgmi_nn_trained;

dgm_status dgmi_nn_train(dgm_context *ctx, const dgmi_nn_training *training, dgmi_nn_trained *out);

/* A hash of bytes that does not depend on the machine's threads. */
uint64_t dgmi_nn_fingerprint(uint64_t hash, const void *bytes, size_t size);
uint64_t dgmi_nn_fingerprint_graph(const dgm_graph *graph);

#endif
