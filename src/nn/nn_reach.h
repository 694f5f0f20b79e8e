/* SPDX-License-Identifier: Apache-2.0 */
/* The receptive field: what a network must compute if only its answers at some nodes are needed. A
 * layer computes the nodes that the next one gathers from. With few labelled nodes this saves most
 * of the work of the last layers, and the answers stay the same. */
#ifndef NN_REACH_H
#define NN_REACH_H

#include "nn_network.h"

struct dgmi_nn_reach {
    /* The rows are the nodes that the layer answers for, the columns those of the layer before. */
    dgmi_nn_sparse propagation[DGMI_NN_MOST_LAYERS];
    bool restricted[DGMI_NN_MOST_LAYERS]; /* whether the layer sees only a part of the graph */
    bool restricts_features;              /* whether `features` are used */
    dgmi_nn_features features; /* the features of the nodes that the first layer gathers from */
};

/* Makes the reach of the nodes `rows`, which ascend. A layer whose reach is most of the graph sees
 * all of it. */
dgm_status dgmi_nn_reach_make(dgm_context *ctx, const dgm_model *model, const dgmi_nn_sight *sight,
                              const uint32_t *rows, int64_t count, dgmi_nn_reach *out);
void dgmi_nn_reach_free(dgm_context *ctx, dgmi_nn_reach *reach);

#endif
