/* SPDX-License-Identifier: Apache-2.0 */
/* A bank holds the graphs of a set as a network sees them: features, propagation matrices and, for
 * poolings that the graph alone decides, all pooled graphs. It is made once. A batch then copies the
 * rows of its graphs out of it (pool_batch.h), and no training computes any of it again. */
#ifndef POOL_BANK_H
#define POOL_BANK_H

#include "pool_pool.h"
#include "table_tensor.h"

/* A sparse matrix over all graphs, block-diagonal where columns are nodes. */
typedef struct dgmi_pool_stack {
    int64_t *offsets;
    uint32_t *indices; /* nodes counted over the whole level, or columns of features */
    float *values;     /* NULL: all 1 */
} dgmi_pool_stack;

/* A stack as a reader sees it, whoever owns its arrays. */
typedef struct dgmi_pool_rows {
    const int64_t *offsets;
    const uint32_t *indices;
    const float *values;
} dgmi_pool_rows;

static inline dgmi_pool_rows dgmi_pool_stack_rows(const dgmi_pool_stack *stack) {
    return (dgmi_pool_rows){stack->offsets, stack->indices, stack->values};
}

/* All graphs after a number of poolings. */
typedef struct dgmi_pool_level {
    int64_t *starts;             /* the first node of each graph, and last the number of nodes */
    dgmi_pool_stack propagation; /* the matrix of a layer; of an MLP there is none */
    dgmi_pool_stack down;        /* S': rows are nodes of the next level, columns those of this */
    dgmi_pool_stack up;          /* S */
} dgmi_pool_level;

typedef struct dgmi_pool_bank {
    dgm_allocator allocator;
    int64_t graphs, width; /* width: the columns of the features */
    int levels;            /* the levels that are made: 1 if the pooling is learned */
    dgmi_pool_level level[DGMI_POOL_MOST_STEPS + 1];
    dgmi_pool_stack features; /* X */
    dgmi_pool_stack gathered; /* the propagation of level 0 times X: the first layer's product */
    dgmi_pool_rows adjacency; /* A of level 0: the rows of the union, and `weights` */
    float *weights;           /* the weights of the union's entries; NULL: all 1 */
    float *positions; /* for a learned lens: logit((mid-rank of PageRank + 1/2) / n) of each node */
    const dgm_graph *united; /* borrowed */
    double mean_nodes, most_nodes;
} dgmi_pool_bank;

typedef struct dgmi_pool_plan {
    const dgm_graph_set *set;
    const dgmi_pool_request *request;
    int net;       /* a dgm_pool_net */
    int features;  /* a dgm_pool_features */
    int64_t clamp; /* of degrees */
    int steps;     /* how often the network pools */
    int64_t seed;  /* of the random lens */
    int64_t first; /* the number of graph 0 in the set that it was taken from */
    /* The numbers of the labels that the columns of a trained network stand for; NULL: columns are
     * the labels that the set has. */
    const int32_t *label_numbers;
    int64_t label_count;
} dgmi_pool_plan;

/* Makes a bank. The set must outlive it. */
dgm_status dgmi_pool_bank_make(dgm_context *ctx, const dgmi_pool_plan *plan, dgmi_pool_bank *bank);
void dgmi_pool_bank_free(dgmi_pool_bank *bank);

/* The number of nodes that ratios of a pooling are shares of. */
double dgmi_pool_bank_base(const dgmi_pool_bank *bank, const dgmi_pool_request *request);

#endif
