/* SPDX-License-Identifier: Apache-2.0 */
/* The features of the nodes of a set, and the memory of the bank's matrices. */
#ifndef POOL_FEATURES_H
#define POOL_FEATURES_H

#include "pool_bank.h"

/* Makes X with one row per node of the union. *width becomes the number of its columns. It is
 * DGM_ERROR_DATA if the nodes do not have what is asked for. */
dgm_status dgmi_pool_features_make(dgm_context *ctx, const dgmi_pool_plan *plan,
                                   dgmi_pool_stack *out, int64_t *width);

/* Makes room for a matrix; with `ones` it has no values. The offsets are zeros. */
dgm_status dgmi_pool_stack_alloc(dgm_context *ctx, int64_t rows, int64_t entries, bool ones,
                                 dgmi_pool_stack *out);
void dgmi_pool_stack_free(const dgm_allocator *allocator, dgmi_pool_stack *stack);

#endif
