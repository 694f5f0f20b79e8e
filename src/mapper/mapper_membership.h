/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a membership matrix (dgm/mapper.h): sparse rows, one per node. */
#ifndef MAPPER_MEMBERSHIP_H
#define MAPPER_MEMBERSHIP_H

#include "dgm/mapper.h"

struct dgm_membership {
    dgm_allocator allocator;
    int64_t nodes, clusters;
    int64_t *offsets;  /* nodes + 1 positions in the next two arrays */
    uint32_t *columns; /* clusters, ascending inside a row */
    double *values;    /* all of them positive */
};

/* Makes a membership whose offsets are zeros; the caller fills all three arrays. */
dgm_status dgmi_mapper_membership_alloc(dgm_context *ctx, int64_t nodes, int64_t clusters,
                                        int64_t entries, dgm_membership **out);

#endif
