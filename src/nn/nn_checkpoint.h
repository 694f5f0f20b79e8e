/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a training run in a safetensors file, whole or not at all. */
#ifndef NN_CHECKPOINT_H
#define NN_CHECKPOINT_H

#include "nn_weights.h"

/* Everything that the rest of a run depends on. */
typedef struct dgmi_nn_run_state {
    int64_t epoch;           /* epochs done */
    double best;             /* measure, while patience counts */
    int64_t since_best;      /* epochs */
    double loss, first_loss; /* of the last epoch and the first */
    dgmi_nn_weights *weights;
    dgmi_nn_optimiser *optimiser;
    float *best_weights; /* NULL: not kept */
} dgmi_nn_run_state;

dgm_status dgmi_nn_checkpoint_write(dgm_context *ctx, const char *path, const char *what,
                                    uint64_t fingerprint, const dgmi_nn_run_state *state);
/* *found is false where there is no such file. A file of another model, graph or option is
 * DGM_ERROR_DATA that says so. */
dgm_status dgmi_nn_checkpoint_read(dgm_context *ctx, const char *path, const char *what,
                                   uint64_t fingerprint, dgmi_nn_run_state *state, bool *found);

#endif
