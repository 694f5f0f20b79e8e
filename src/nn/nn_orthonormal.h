/* SPDX-License-Identifier: Apache-2.0 */
/* Orthonormal columns, for subspaces that are found by multiplying again and again. */
#ifndef NN_ORTHONORMAL_H
#define NN_ORTHONORMAL_H

#include "dgm/context.h"

enum { DGMI_NN_ORTHONORMAL = 64 }; /* the number of columns */

/* Makes the columns of a table with `rows` rows of DGMI_NN_ORTHONORMAL numbers orthonormal: X L^-T
 * with X'X = L L' (Cholesky). A column that depends on those before it becomes 0. */
dgm_status dgmi_nn_orthonormalise(dgm_context *ctx, int64_t rows, float *table);

#endif
