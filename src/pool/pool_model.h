/* SPDX-License-Identifier: Apache-2.0 */
/* A trained network that classifies graphs, with all that is needed to show it other graphs. */
#ifndef POOL_MODEL_H
#define POOL_MODEL_H

#include "pool_network.h"

struct dgm_classifier {
    dgm_allocator allocator;
    char pool[DGMI_SPEC_LONGEST]; /* the whole specification */
    dgmi_pool_request request;    /* the same, read; the design of the network points to it */
    int features;                 /* a dgm_pool_features, not AUTO */
    int64_t clamp;
    int64_t seed;           /* of its training, and of a random lens */
    int32_t *label_numbers; /* what the columns of labels stand for; NULL: it looks at none */
    int64_t label_count;
    int32_t *class_numbers; /* the number of each class in the data */
    char set[256];          /* the name of the data set */
    dgmi_pool_network network;
};

/* What a training knows of a network. */
typedef struct dgmi_pool_origin {
    const dgm_graph_set *set;
    const char *pool; /* the whole specification */
    const char *name; /* of the set */
    int features;     /* a dgm_pool_features */
    int64_t clamp;
} dgmi_pool_origin;

/* Makes a classifier that takes over the network; on failure it stays the caller's. */
dgm_status dgmi_pool_model_make(dgm_context *ctx, const dgmi_pool_origin *origin,
                                const dgmi_pool_network *network, dgm_classifier **out);

/* Makes the bank of a set as the network looks at it. `first` is the number of the set's first graph
 * in the set that it was taken from. */
dgm_status dgmi_pool_model_bank(dgm_context *ctx, const dgm_classifier *model,
                                const dgm_graph_set *set, int64_t first, dgmi_pool_bank *bank);

/* Makes a table of scores of floats, with the classes as columns. */
dgm_status dgmi_pool_model_table(dgm_context *ctx, const dgm_classifier *model, int64_t rows,
                                 const float *scores, dgm_matrix **out);

#endif
