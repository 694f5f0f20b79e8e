/* SPDX-License-Identifier: Apache-2.0 */
/* The network that classifies graphs:
 *
 *     [layers, pool] x steps, layers, dropout, mean over nodes, linear, softmax
 *
 * A state is the batch at one level of it. Its graphs are sparse as long as the pooling keeps them
 * so; after a learned assignment, which has no zeros, they are dense blocks of one size. */
#ifndef POOL_NETWORK_H
#define POOL_NETWORK_H

#include "nn_weights.h"
#include "pool_batch.h"

enum { DGMI_POOL_MOST_LAYERS = 8 }; /* between two poolings */

/* The indices of the weights of a layer; -1: it has none of these. */
typedef struct dgmi_pool_layer {
    int weight, bias;
    int second, second_bias; /* of the second linear map of GIN */
    int skip;                /* of the linear map around a convolution */
} dgmi_pool_layer;

/* The same of a pooling. */
typedef struct dgmi_pool_gate {
    int weight, bias;   /* scores of nodes or clusters; of a learned lens, its first axis */
    int weight2, bias2; /* its second axis */
    int centres, spreads, centres2; /* its cover */
} dgmi_pool_gate;

typedef struct dgmi_pool_design {
    const dgmi_pool_request *request;
    int net;    /* a dgm_pool_net */
    int steps;  /* how often the network pools */
    int layers; /* the layers of a level */
    bool skip;  /* ReLU(P x w + x v) in place of ReLU(P x w + b) */
    int64_t features, width, classes;
    int64_t clusters[DGMI_POOL_MOST_STEPS]; /* of learned assignments */
    float dropout;
    int64_t seed;
} dgmi_pool_design;

typedef struct dgmi_pool_network {
    dgmi_pool_design design;
    dgmi_nn_weights weights;
    dgmi_pool_layer layer[DGMI_POOL_MOST_STEPS + 1][DGMI_POOL_MOST_LAYERS];
    dgmi_pool_gate gate[DGMI_POOL_MOST_STEPS];
    int weight, bias; /* of the last linear map */
} dgmi_pool_network;

/* Makes a network and draws its weights. */
dgm_status dgmi_pool_network_make(dgm_context *ctx, const dgmi_pool_design *design,
                                  dgmi_pool_network *out);
void dgmi_pool_network_free(dgmi_pool_network *network);

/* The batch at one level. */
typedef struct dgmi_pool_state {
    int64_t graphs;
    const int64_t *starts; /* the first node of each graph, and last the number of nodes */
    dgmi_nn_node *x;       /* the state of nodes; NULL: still the features */
    int level;             /* how often it was pooled */

    const dgmi_nn_sparse *propagation; /* sparse graphs: the matrix of layers */
    const dgmi_nn_sparse *adjacency;   /* sparse graphs: A, where the pooling needs it */

    dgmi_nn_node *matrix;  /* dense graphs: M, side x side for each graph; NULL: they are sparse */
    dgmi_nn_node *scale;   /* A_ij = scale_i M_ij scale_j, a column; NULL: A is M */
    dgmi_nn_node *inverse; /* 1 / sqrt of the row sums of A + I, a column */
    int64_t side;
} dgmi_pool_state;

/* One forward pass. */
typedef struct dgmi_pool_pass {
    dgmi_nn_tape *tape;
    const dgmi_pool_network *network;
    const dgmi_nn_optimiser *optimiser; /* NULL: no gradients and no dropout */
    uint64_t stream;                    /* what dropout draws from */
    dgmi_nn_node *extra;                /* the sum of the poolings' own losses; NULL: none */
    dgmi_nn_node *losses[2 * DGMI_POOL_MOST_STEPS]; /* these losses, to look at */
    int loss_count;
    dgmi_nn_node *assignment[DGMI_POOL_MOST_STEPS]; /* S of learned poolings, to look at */
    const uint32_t *kept[DGMI_POOL_MOST_STEPS];     /* the nodes that a selection has kept */
    dgmi_nn_node *lens[DGMI_POOL_MOST_STEPS][2]; /* what decides: f of a learned lens, or scores */
    dgmi_pool_state after[DGMI_POOL_MOST_STEPS]; /* the state after each pooling */
    dgmi_pool_state last;                        /* the state before the mean over nodes */
} dgmi_pool_pass;

/* Returns the scores of classes, one row per graph. The pass keeps what the poolings did. */
dgmi_nn_node *dgmi_pool_network_run(dgmi_pool_pass *pass, const dgmi_pool_batch *batch);

/* ---- for the poolings ---- */

/* Returns a weight, which is trained if the pass trains. */
dgmi_nn_node *dgmi_pool_weight(const dgmi_pool_pass *pass, int index);
/* A x. */
dgmi_nn_node *dgmi_pool_times(const dgmi_pool_pass *pass, const dgmi_pool_state *state,
                              dgmi_nn_node *x);
/* P x, by the network's own rule. */
dgmi_nn_node *dgmi_pool_propagate(const dgmi_pool_pass *pass, dgmi_pool_state *state,
                                  dgmi_nn_node *x);
/* The blocks of the state's graphs. */
static inline dgmi_nn_blocks dgmi_pool_blocks(const dgmi_pool_state *state) {
    return (dgmi_nn_blocks){state->graphs, state->starts};
}
/* Returns where the blocks of graphs begin that have `side` rows each; NULL if the tape has failed. */
const int64_t *dgmi_pool_equal_starts(dgmi_nn_tape *tape, int64_t graphs, int64_t side);
/* Makes the state after a learned assignment: S'X and the matrix of S'AS, or of `matrix` and `scale`
 * where they are given. */
void dgmi_pool_state_coarsen(dgmi_pool_pass *pass, dgmi_pool_state *state, dgmi_nn_node *s,
                             dgmi_nn_node *matrix, dgmi_nn_node *scale);
void dgmi_pool_add_loss(dgmi_pool_pass *pass, dgmi_nn_node *loss);

/* Each pools a state. `before` is the state of the nodes before the layers of this level. */
void dgmi_pool_mincut(dgmi_pool_pass *pass, dgmi_pool_state *state); /* dense */
void dgmi_pool_diffpool(dgmi_pool_pass *pass, dgmi_pool_state *state,
                        dgmi_nn_node *before); /* dense */
void dgmi_pool_learned(dgmi_pool_pass *pass, dgmi_pool_state *state,
                       const dgmi_pool_batch *batch);                /* learned */
void dgmi_pool_select(dgmi_pool_pass *pass, dgmi_pool_state *state); /* select */

#endif
