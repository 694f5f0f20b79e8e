/* SPDX-License-Identifier: Apache-2.0 */
/* Features that are made of the edges alone. */
#ifndef NN_STRUCTURE_H
#define NN_STRUCTURE_H

#include "dgm/graph.h"
#include "nn_orthonormal.h"

/* log(1 + degree), log(1 + core), clustering, and the columns of positions. */
enum { DGMI_NN_POSITIONS = DGMI_NN_ORTHONORMAL, DGMI_NN_STRUCTURE = 3 + DGMI_NN_POSITIONS };

/* Makes the table, nodes x DGMI_NN_STRUCTURE, freed by dgmi_free. Directions, weights and loops are
 * not seen. What is drawn is drawn from a seed of its own, so that one graph has one table. */
dgm_status dgmi_nn_structure_make(dgm_context *ctx, const dgm_graph *graph, float **out);

#endif
