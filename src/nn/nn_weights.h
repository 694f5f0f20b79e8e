/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of a network, and the optimisers that change them. Weights are named tensors in one
 * block of memory, so that one loop saves, restores or updates all of them. */
#ifndef NN_WEIGHTS_H
#define NN_WEIGHTS_H

#include "dgm/neural.h"

#include "nn_tape.h"
#include <assert.h>

enum { DGMI_NN_WEIGHT_NAME = 48 };

typedef struct dgmi_nn_weight {
    char name[DGMI_NN_WEIGHT_NAME]; /* as PyTorch Geometric has it: "conv1.lin.weight" */
    int64_t rows, columns;
    int64_t at;     /* where it begins in the block */
    bool decays;    /* the decay of the optimiser applies to it */
    bool transpose; /* files have it as columns x rows, as PyTorch's linear layers do */
    bool vector;    /* files have it as a tensor of rank 1 */
} dgmi_nn_weight;

typedef struct dgmi_nn_weights {
    dgm_allocator allocator;
    dgmi_nn_weight *list;
    int count;
    int64_t total; /* the number of values in the block, with padding */
    float *values; /* the block */
    void *owned;   /* its memory before alignment */
} dgmi_nn_weights;

/* Adds a weight to the list; the block is made by dgmi_nn_weights_finish, all zero. */
dgm_status dgmi_nn_weights_add(dgm_context *ctx, dgmi_nn_weights *weights, dgmi_nn_weight weight);
dgm_status dgmi_nn_weights_finish(dgm_context *ctx, dgmi_nn_weights *weights);
void dgmi_nn_weights_free(dgmi_nn_weights *weights);

/* Draws a weight uniformly from +-sqrt(6 / fans). With fans = rows + columns it is the rule of
 * Glorot and Bengio (2010). */
void dgmi_nn_weights_draw(dgmi_nn_weights *weights, int index, double fans, int64_t seed);
void dgmi_nn_weights_fill(dgmi_nn_weights *weights, int index, float value);
static inline float *dgmi_nn_weights_at(const dgmi_nn_weights *weights, int index) {
    assert(index >= 0 && index < weights->count && weights->values);
    return weights->values + weights->list[index].at;
}

/* ---- optimisers ---- */

typedef enum dgmi_nn_descent { DGMI_NN_ADAM, DGMI_NN_SGD } dgmi_nn_descent;
typedef struct dgmi_nn_optimiser_options {
    dgmi_nn_descent descent;
    double rate;
    double decay;    /* the decay of the weights that have one */
    bool decoupled;  /* the decay is not part of the gradient (Loshchilov and Hutter, 2019);
                        otherwise it is an L2 penalty */
    double momentum; /* the momentum of SGD */
} dgmi_nn_optimiser_options;

typedef struct dgmi_nn_optimiser {
    dgmi_nn_optimiser_options options;
    const dgmi_kernels *kernels;
    int64_t steps;         /* the number of steps so far */
    int64_t total;         /* the number of values in each of the next three blocks */
    float *gradient;       /* the gradients, in the same order as the weights */
    float *first, *second; /* the moments of Adam; SGD has its velocity in the first */
    void *owned;
} dgmi_nn_optimiser;

dgm_status dgmi_nn_optimiser_make(dgm_context *ctx, const dgmi_nn_weights *weights,
                                  const dgmi_nn_optimiser_options *options, dgmi_nn_optimiser *out);
void dgmi_nn_optimiser_free(dgm_context *ctx, dgmi_nn_optimiser *optimiser);
/* Forgets all steps: the next one is the first. */
void dgmi_nn_optimiser_reset(dgmi_nn_optimiser *optimiser);
void dgmi_nn_optimiser_step(dgm_context *ctx, dgmi_nn_optimiser *optimiser,
                            dgmi_nn_weights *weights);

/* Adds the weight to a tape; as a constant if `optimiser` is NULL. */
dgmi_nn_node *dgmi_nn_weight_node(dgmi_nn_tape *tape, const dgmi_nn_weights *weights, int index,
                                  const dgmi_nn_optimiser *optimiser);

#endif
