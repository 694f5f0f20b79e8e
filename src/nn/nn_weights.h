/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of a network: named tensors in one block, so that saving, restoring and updating all
 * of them is one loop; and the optimisers that change them. */
#ifndef NN_WEIGHTS_H
#define NN_WEIGHTS_H

#include "dgm/neural.h"

#include "nn_tape.h"
#include <assert.h>

enum { DGMI_WEIGHT_NAME = 48 };

typedef struct dgmi_weight {
    char name[DGMI_WEIGHT_NAME]; /* as PyTorch Geometric has it: "conv1.lin.weight" */
    int64_t rows, columns;
    int64_t at;     /* in the block */
    bool decays;    /* under the optimiser's decay */
    bool transpose; /* in files: columns x rows, as PyTorch's linear layers keep it */
    bool vector;    /* in files: rank 1 */
} dgmi_weight;

typedef struct dgmi_weights {
    dgm_allocator allocator;
    dgmi_weight *list;
    int count;
    int64_t total; /* numbers in the block, padding included */
    float *values; /* the block */
    void *owned;   /* its memory, before alignment */
} dgmi_weights;

/* Adds a weight to the list; the block is made by dgmi_weights_finish, all zero. */
dgm_status dgmi_weights_add(dgm_context *ctx, dgmi_weights *weights, dgmi_weight weight);
dgm_status dgmi_weights_finish(dgm_context *ctx, dgmi_weights *weights);
void dgmi_weights_free(dgmi_weights *weights);

/* Uniform in +-sqrt(6 / fans); fans = rows + columns: Glorot and Bengio, 2010. */
void dgmi_weights_draw(dgmi_weights *weights, int index, double fans, int64_t seed);
void dgmi_weights_fill(dgmi_weights *weights, int index, float value);
static inline float *dgmi_weights_at(const dgmi_weights *weights, int index) {
    assert(index >= 0 && index < weights->count && weights->values);
    return weights->values + weights->list[index].at;
}

/* ---- optimisers ---- */

typedef enum dgmi_descent { DGMI_ADAM, DGMI_SGD } dgmi_descent;
typedef struct dgmi_optimiser_options {
    dgmi_descent descent;
    double rate;
    double decay;    /* of the weights that decay */
    bool decoupled;  /* decay apart from the gradient (Loshchilov and Hutter, 2019), else L2 */
    double momentum; /* SGD */
} dgmi_optimiser_options;

typedef struct dgmi_optimiser {
    dgmi_optimiser_options options;
    const dgmi_kernels *kernels;
    int64_t steps;         /* taken */
    int64_t total;         /* of each block below */
    float *gradient;       /* laid out as the weights are */
    float *first, *second; /* Adam's moments; SGD keeps its velocity in the first */
    void *owned;
} dgmi_optimiser;

dgm_status dgmi_optimiser_make(dgm_context *ctx, const dgmi_weights *weights,
                               const dgmi_optimiser_options *options, dgmi_optimiser *out);
void dgmi_optimiser_free(dgm_context *ctx, dgmi_optimiser *optimiser);
void dgmi_optimiser_step(dgm_context *ctx, dgmi_optimiser *optimiser, dgmi_weights *weights);

/* The weight on a tape; `optimiser` NULL: a constant. */
dgmi_node *dgmi_weight_node(dgmi_tape *tape, const dgmi_weights *weights, int index,
                            const dgmi_optimiser *optimiser);

#endif
