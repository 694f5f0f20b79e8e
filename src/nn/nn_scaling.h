/* SPDX-License-Identifier: Apache-2.0 */
/* Scales a table of features for a network. */
#ifndef NN_SCALING_H
#define NN_SCALING_H

#include "nn_data.h"

/* *values become the numbers of the table `from`, scaled as `reading` says: those of `from` itself
 * if nothing changes, otherwise memory of `out`, whose scaling, factor, shift and scale say what was
 * done. Numbers that are not finite, and columns that do not ascend, are errors. */
dgm_status dgmi_nn_scale(dgm_context *ctx, const dgm_graph *graph, const dgm_graph_features *from,
                         const dgmi_nn_reading *reading, dgmi_nn_features *out,
                         const float **values);

#endif
