/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAPPER_MEMBERSHIP_H
#define MAPPER_MEMBERSHIP_H

#include "dgm/mapper.h"

struct dgm_membership {
    dgm_allocator allocator;
    int64_t nodes, clusters;
    int64_t *offsets;  /* nodes + 1 */
    uint32_t *columns; /* ascending in a row */
    double *values;    /* positive */
};

/* Offsets zero, columns and values to be filled. */
dgm_status dgmi_mapper_membership_alloc(dgm_context *ctx, int64_t nodes, int64_t clusters,
                                        int64_t entries, dgm_membership **out);

#endif
