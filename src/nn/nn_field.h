/* SPDX-License-Identifier: Apache-2.0 */
/* The receptive field: what a network has to compute for its answer at some nodes alone. A layer
 * answers for the nodes that the next one gathers from, so with few labelled nodes most of the last
 * layers' work falls away, and nothing changes in the answer. */
#ifndef NN_FIELD_H
#define NN_FIELD_H

#include "nn_network.h"

struct dgmi_nn_field {
    dgmi_nn_sparse
        propagation[DGMI_NN_MOST_LAYERS]; /* rows: nodes that the layer answers for, columns:
                                                  nodes that the one before did */
    bool restricted[DGMI_NN_MOST_LAYERS]; /* else the layer sees the whole graph */
    bool restricts_features;
    dgmi_nn_features features; /* of the nodes that the first layer gathers from */
};

/* For the answer at `rows`, ascending. Layers whose field is most of the graph see all of it. */
dgm_status dgmi_nn_field_make(dgm_context *ctx, const dgm_model *model, const dgmi_nn_sight *sight,
                              const uint32_t *rows, int64_t count, dgmi_nn_field *out);
void dgmi_nn_field_free(dgm_context *ctx, dgmi_nn_field *field);

#endif
