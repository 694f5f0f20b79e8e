/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a pooling: what an operator has made of one graph. */
#ifndef POOL_POOLING_H
#define POOL_POOLING_H

#include "pool_pool.h"

typedef struct dgmi_pool_part {
    dgm_membership *assignment;
    dgm_graph *graph;
    dgm_matrix *features, *lens; /* NULL: none */
    double losses[DGM_POOL_LOSSES];
} dgmi_pool_part;

struct dgm_pooling {
    dgm_allocator allocator;
    char pool[DGMI_SPEC_LONGEST]; /* the whole specification */
    int method;                   /* a dgm_pool_method */
    bool soft;                    /* every entry of S is above 0 */
    bool trained;
    int64_t nodes; /* of the graph itself */
    int64_t seed;
    int64_t steps;
    dgmi_pool_part parts[DGMI_POOL_MOST_STEPS];
    dgm_matrix *scores; /* NULL: there was no model */
};

#endif
