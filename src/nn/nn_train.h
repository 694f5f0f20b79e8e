/* SPDX-License-Identifier: Apache-2.0 */
/* The training loop: epochs, early stopping, checkpoints, progress. The caller gives the functions
 * that make it a certain training: the loss, and a measure of how good the weights are. */
#ifndef NN_TRAIN_H
#define NN_TRAIN_H

#include "nn_network.h"

enum { DGMI_NN_MOST_ROUNDS = 2 };

/* A training that looks at its measure and acts on it. Where it stands still, the rate is halved.
 * Several rounds, each from the first weights and with a decay of its own, share the epochs; the weights of
 * the best round are kept. */
typedef struct dgmi_nn_schedule {
    int64_t every;   /* the number of epochs between two looks at the measure */
    int64_t plateau; /* the rate is halved after this many epochs without a better value, and again
                        after as many more */
    double gain;     /* a value is better if it is less by this share of the best one */
    int rounds;
    double decays[DGMI_NN_MOST_ROUNDS]; /* one for each round */
    /* Returns how good the weights of a round are; larger is better. Of equal rounds the one with
     * the smaller measure is better, then the first. NULL: there is one round. */
    double (*score)(void *task, const dgmi_nn_pass *pass);
} dgmi_nn_schedule;

/* Accuracies of a classifier, where its task knows them: of the last loss, and of the last measure. */
typedef struct dgmi_nn_accuracies {
    double training, validation;
} dgmi_nn_accuracies;

typedef struct dgmi_nn_training {
    dgm_model *model; /* which keeps the history of the training */
    dgmi_nn_optimiser_options optimiser;
    int64_t epochs, patience;         /* patience 0: run all epochs and keep the last weights */
    const dgmi_nn_schedule *schedule; /* needs a patience; NULL: one round of one rate */
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
    const dgmi_nn_accuracies *accuracies; /* which the task changes; NULL: it knows none */
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
