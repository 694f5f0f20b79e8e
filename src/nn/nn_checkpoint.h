/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: the state of a training in a safetensors file, so that it can go on later. The file
 * is replaced as a whole or not at all. */
#ifndef NN_CHECKPOINT_H
#define NN_CHECKPOINT_H

#include "nn_weights.h"

/* Everything that the rest of a run depends on. */
typedef struct dgmi_nn_run_state {
    int64_t epoch;           /* the number of epochs that are done */
    double best;             /* the best measure so far, if there is a patience */
    int64_t since_best;      /* the number of epochs since then */
    double loss, first_loss; /* the loss of the last epoch and of the first */
    dgmi_nn_weights *weights;
    dgmi_nn_optimiser *optimiser;
    float *best_weights; /* the weights of the best measure; NULL: they are not kept */
    /* Of a training with a schedule: */
    bool scheduled;
    int64_t round;           /* the number of rounds that are done */
    double slowdown;         /* what the rate is multiplied by: 1, 1/2, 1/4, ... */
    double champion_score;   /* that of the best round so far, */
    double champion_best;    /* and its best measure */
    float *champion_weights; /* its weights; NULL: there is one round */
} dgmi_nn_run_state;

dgm_status dgmi_nn_checkpoint_write(dgm_context *ctx, const char *path, const char *what,
                                    uint64_t fingerprint, const dgmi_nn_run_state *state);
/* *found is false if there is no such file. A checkpoint of another model or graph, or with other
 * options, is DGM_ERROR_DATA. */
dgm_status dgmi_nn_checkpoint_read(dgm_context *ctx, const char *path, const char *what,
                                   uint64_t fingerprint, dgmi_nn_run_state *state, bool *found);

#endif
