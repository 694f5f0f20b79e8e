/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs to pool, and networks that pool them, for the tests of the room pool. Whoever includes this
 * has a context `ctx` and cmocka. */
#ifndef CHECK_POOL_H
#define CHECK_POOL_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check_random.h"
#include "dgm/pool.h"
#include "pool_network.h"

enum { POOL_MOST_NODES = 512, POOL_MOST_EDGES = 4096, POOL_MOST_GRAPHS = 64 };

/* ---- sets of graphs, one graph after the other ---- */

typedef struct pool_draft {
    int64_t graphs, starts[POOL_MOST_GRAPHS + 1];
    int64_t edges;
    uint32_t ends[2 * POOL_MOST_EDGES]; /* numbers in the union */
    double weights[POOL_MOST_EDGES];
    bool weighted;
    int64_t width; /* of the features */
    float features[POOL_MOST_NODES * 8];
} pool_draft;

/* Begins a graph of the given size and returns the number of its first node. */
static inline int64_t pool_draft_graph(pool_draft *draft, int64_t nodes) {
    int64_t first = draft->starts[draft->graphs++];
    draft->starts[draft->graphs] = first + nodes;
    assert_true(draft->graphs < POOL_MOST_GRAPHS && first + nodes <= POOL_MOST_NODES);
    return first;
}

/* Adds an edge of the graph that was begun last, whose nodes are counted from 0. */
static inline void pool_draft_edge(pool_draft *draft, int64_t u, int64_t v, double weight) {
    int64_t first = draft->starts[draft->graphs - 1];
    assert_true(draft->edges < POOL_MOST_EDGES);
    draft->ends[2 * draft->edges] = (uint32_t)(first + u);
    draft->ends[2 * draft->edges + 1] = (uint32_t)(first + v);
    draft->weights[draft->edges++] = weight;
    draft->weighted = draft->weighted || weight != 1;
}

static inline dgm_graph_set *pool_draft_set(const pool_draft *draft) {
    const dgm_graph_features features = {.width = draft->width, .values = draft->features};
    int64_t nodes = draft->starts[draft->graphs];
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, draft->edges, draft->ends,
                                           draft->weighted ? draft->weights : NULL),
                     DGM_OK);
    if (draft->width)
        assert_int_equal(dgm_graph_builder_set_features(builder, nodes, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    if (dgm_graph_set_create(ctx, united, draft->graphs, draft->starts, NULL, &set) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return set;
}

/* ---- a network over the bank of a set ---- */

typedef struct pool_net {
    dgm_graph_set *set;
    dgmi_pool_request request;
    dgmi_pool_bank bank;
    dgmi_pool_network network;
    dgmi_nn_optimiser optimiser;
    dgmi_nn_tape *tape;
} pool_net;

typedef struct pool_shape {
    const char *pool;
    int net; /* a dgm_pool_net */
    bool skip;
    int steps, layers;
    int64_t width, seed;
} pool_shape;

/* Features are attributes where the draft has them, and degrees up to 3 otherwise. */
static inline void pool_net_bank(const pool_draft *draft, const pool_shape *shape, pool_net *out) {
    memset(out, 0, sizeof *out);
    out->set = pool_draft_set(draft);
    if (dgmi_pool_parse(ctx, shape->pool, &out->request) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    const dgmi_pool_plan plan = {.set = out->set,
                                 .request = &out->request,
                                 .net = shape->net,
                                 .features = draft->width ? DGM_POOL_FEATURES_ATTRIBUTES
                                                          : DGM_POOL_FEATURES_DEGREE,
                                 .clamp = 3,
                                 .steps = shape->steps,
                                 .seed = shape->seed};
    if (dgmi_pool_bank_make(ctx, &plan, &out->bank) != DGM_OK)
        fail_msg("%s: %s", shape->pool, dgm_context_error(ctx));
}

static inline void pool_net_make(const pool_draft *draft, const pool_shape *shape, pool_net *out) {
    pool_net_bank(draft, shape, out);
    dgmi_pool_design design = {.request = &out->request,
                               .net = shape->net,
                               .steps = shape->steps,
                               .layers = shape->layers,
                               .skip = shape->skip,
                               .features = out->bank.width,
                               .width = shape->width,
                               .classes = 2,
                               .seed = shape->seed};
    for (int l = 0; l < shape->steps; l++)
        design.clusters[l] =
            dgmi_pool_clusters(&out->request, l, dgmi_pool_bank_base(&out->bank, &out->request));
    const dgmi_nn_optimiser_options options = {.descent = DGMI_NN_ADAM, .rate = 0.01, .decay = 0.1};
    assert_int_equal(dgmi_pool_network_make(ctx, &design, &out->network), DGM_OK);
    assert_int_equal(dgmi_nn_optimiser_make(ctx, &out->network.weights, &options, &out->optimiser),
                     DGM_OK);
    assert_int_equal(dgmi_nn_tape_create(ctx, &out->tape), DGM_OK);
}

static inline void pool_net_free(pool_net *net) {
    dgmi_nn_tape_free(net->tape);
    dgmi_nn_optimiser_free(ctx, &net->optimiser);
    dgmi_pool_network_free(&net->network);
    dgmi_pool_bank_free(&net->bank);
    dgm_graph_set_free(net->set);
}

/* Draws all weights anew, also those that start at 0. */
static inline void pool_net_draw(pool_net *net, check_random *random, double low, double high) {
    const dgmi_nn_weights *weights = &net->network.weights;
    for (int i = 0; i < weights->count; i++)
        for (int64_t j = 0; j < weights->list[i].rows * weights->list[i].columns; j++)
            dgmi_nn_weights_at(weights, i)[j] =
                (float)(low + (high - low) * check_random_unit(random));
}

/* The scores of graphs of the bank; gradients are wanted if `trains`. */
static inline dgmi_nn_node *pool_net_run(pool_net *net, const int64_t *list, int64_t graphs,
                                         bool trains, dgmi_pool_pass *pass) {
    static dgmi_pool_batch batch;
    *pass = (dgmi_pool_pass){
        .tape = net->tape, .network = &net->network, .optimiser = trains ? &net->optimiser : NULL};
    dgmi_nn_tape_rewind(net->tape);
    assert_true(dgmi_pool_batch_make(net->tape, &net->bank, list, graphs, &batch));
    dgmi_nn_node *scores = dgmi_pool_network_run(pass, &batch);
    if (!scores || dgmi_nn_tape_status(net->tape) != DGM_OK)
        fail_msg("%s: %s", dgmi_pool_name(&net->request), dgm_context_error(ctx));
    return scores;
}

/* The mean cross-entropy of scores, where graph i of the list has class i % 2, and the poolings' own
 * losses. */
static inline dgmi_nn_node *pool_net_loss(pool_net *net, dgmi_nn_node *scores,
                                          const dgmi_pool_pass *pass) {
    static uint32_t rows[POOL_MOST_GRAPHS];
    static int32_t classes[POOL_MOST_GRAPHS];
    for (int i = 0; i < POOL_MOST_GRAPHS; i++) {
        rows[i] = (uint32_t)i;
        classes[i] = i % 2;
    }
    static dgmi_nn_targets targets;
    targets = (dgmi_nn_targets){scores->value.rows, rows, classes, NULL};
    dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(net->tape, scores, &targets);
    return pass->extra ? dgmi_nn_op_algebra(net->tape, DGMI_NN_ADD, loss, pass->extra) : loss;
}

#endif
