/* SPDX-License-Identifier: Apache-2.0 */
/* The training loop: epochs, early stopping, checkpoints, progress. The caller gives the functions
 * that make it a certain training: the loss, and a measure of how good the weights are. */
#ifndef NN_TRAIN_H
#define NN_TRAIN_H

#include "nn_network.h"

typedef struct dgmi_nn_training {
    dgm_model *model;
    dgmi_nn_optimiser_options optimiser;
    int64_t epochs, patience; /* patience 0: run all epochs and keep the last weights */
    int64_t seed;
    uint64_t fingerprint; /* a hash of options and data; a checkpoint with another one is refused */
    const char *what;     /* the name of the network in messages: "gcn" */
    const dgm_checkpoint_options *checkpoint; /* NULL: there are no checkpoints */
    /* Builds the loss of this epoch on the tape. */
    dgmi_nn_node *(*loss)(void *task, const dgmi_nn_pass *pass);
    /* Returns how good the weights are; smaller is better. NULL: patience looks at the loss. */
    double (*measure)(void *task, const dgmi_nn_pass *pass);
    /* Writes a few words on how good the weights are, for progress; NULL: none. */
    void (*describe)(void *task, const dgmi_nn_pass *pass, char *text, size_t size);
    void *task;
    const dgmi_nn_sight *sight;
    const dgmi_nn_reach *reach; /* the reach of the nodes that the loss looks at; NULL: all */
} dgmi_nn_training;

typedef struct dgmi_nn_trained {
    double loss;    /* the loss of the last epoch */
    int64_t epochs; /* the number of epochs that were run */
    int64_t bytes;  /* the most memory that tensors took */
} dgmi_nn_trained;

dgm_status dgmi_nn_train(dgm_context *ctx, const dgmi_nn_training *training, dgmi_nn_trained *out);

/* These return a hash of bytes, continued from `hash`, and a hash of a graph. */
uint64_t dgmi_nn_fingerprint(uint64_t hash, const void *bytes, size_t size);
uint64_t dgmi_nn_fingerprint_graph(const dgm_graph *graph);

#endif
