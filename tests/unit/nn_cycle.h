/* SPDX-License-Identifier: Apache-2.0 */
/* A small graph with features for the tests of fused ops. Included once per program, after
 * nn_gradient.h. */
#ifndef NN_CYCLE_H
#define NN_CYCLE_H

#include "nn_gradient.h"

enum { NODES = 5, FEATURES = 4 };

/* A directed cycle with loops, and sparse features: neither matrix is its own transpose. */
static const int64_t edge_offsets[] = {0, 2, 4, 6, 8, 10};
static const uint32_t edge_indices[] = {0, 1, 1, 2, 2, 3, 3, 4, 0, 4};
static const float edge_values[] = {0.5F, 0.7F, 0.4F, 0.6F, 0.9F, 0.3F, 0.5F, 0.5F, 0.8F, 0.2F};
static const int64_t word_offsets[] = {0, 2, 3, 3, 5, 7};
static const uint32_t word_indices[] = {0, 2, 1, 0, 3, 1, 2};
static const float word_values[] = {1, 0.5F, 2, 0.5F, 1, 1, 1.5F};
static const dgmi_table_csr edges = {NODES, NODES, edge_offsets, edge_indices, edge_values};
static const dgmi_table_csr words = {NODES, FEATURES, word_offsets, word_indices, word_values};
static const uint32_t shuffle[] = {3, 0, 4, 1, 2}, inverse[] = {1, 3, 4, 0, 2};
static dgmi_nn_sparse propagation, features;

static int make_matrices(void **state) {
    return make_context(state) != DGM_OK || dgmi_nn_sparse_make(ctx, &edges, false, &propagation) ||
           dgmi_nn_sparse_make(ctx, &words, false, &features);
}

static int free_matrices(void **state) {
    dgmi_nn_sparse_free(ctx, &propagation);
    dgmi_nn_sparse_free(ctx, &features);
    return free_context(state);
}

#endif
