/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that pool: gradients, batches, graphs that hardly are graphs, and what the newest version
 * of MPR comes down to. */
#include "unit_fixture.h"

#include "../check_pool.h"
#include "unit_faults.h"
#include "unit_progress.h"

#define LEARNED "mpr:lens=learned,clusters=3-2"

static const char *const poolings[] = {"mpr:clusters=3-2",
                                       "mpr:clusters=3-2,variant=feb2020",
                                       "mpr:clusters=3-2,variant=newest",
                                       "mpr:clusters=3-2,cover=quantile,lens=degree",
                                       "mpr:clusters=3-2,lens=random",
                                       LEARNED,
                                       LEARNED ",axes=2",
                                       "topk",
                                       "topk:gate=tanh",
                                       "sagpool",
                                       "mincut:clusters=3-2",
                                       "diffpool:clusters=3-2",
                                       "graclus",
                                       "sum",
                                       "mean",
                                       "max",
                                       "none"};

static pool_draft draft;
static pool_net net;

/* Random connected graphs of 4 to 12 nodes with features between 0 and 1. */
static void draft_graphs(int64_t graphs, uint64_t seed) {
    check_random random = check_random_case(seed, 1, 0);
    memset(&draft, 0, sizeof draft);
    draft.width = 3;
    for (int64_t g = 0; g < graphs; g++) {
        int nodes = check_random_between(&random, 4, 12);
        pool_draft_graph(&draft, nodes);
        for (int u = 1; u < nodes; u++)
            pool_draft_edge(&draft, u, check_random_below(&random, u), 1);
        for (int extra = 0; extra < nodes / 2; extra++) {
            int u = check_random_below(&random, nodes), v = check_random_below(&random, nodes);
            if (u != v)
                pool_draft_edge(&draft, u, v, 1);
        }
    }
    for (int64_t i = 0; i < 3 * draft.starts[graphs]; i++)
        draft.features[i] = (float)check_random_unit(&random);
}

static void count_up(int64_t *list, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        list[i] = i;
}

/* ---- gradients ---- */

static double loss_at(const float *origin, const float *direction, double step, const int64_t *list,
                      int64_t graphs) {
    dgmi_pool_pass pass;
    for (int64_t i = 0; i < net.network.weights.total; i++)
        net.network.weights.values[i] = origin[i] + (float)(step * (double)direction[i]);
    dgmi_nn_node *scores = pool_net_run(&net, list, graphs, false, &pass);
    return (double)pool_net_loss(&net, scores, &pass)->value.values[0];
}

/* Weights are positive, so that no ReLU is near its kink. Three directions of all weights; steps are
 * small where nodes are chosen, so that the same ones are. */
static void check_slopes(const pool_shape *shape) {
    enum { LISTED = 4, MOST = 1 << 12 };
    static float origin[MOST], gradient[MOST], direction[MOST];
    int64_t list[LISTED];
    check_random random = check_random_case(3, 2, 0);
    count_up(list, LISTED);
    pool_net_make(&draft, shape, &net);
    pool_net_draw(&net, &random, 0.02, 0.4);
    int64_t total = net.network.weights.total;
    assert_true(total <= MOST);
    dgmi_pool_pass pass;
    dgmi_nn_node *scores = pool_net_run(&net, list, LISTED, true, &pass);
    assert_int_equal(dgmi_nn_tape_backward(net.tape, pool_net_loss(&net, scores, &pass)), DGM_OK);
    memcpy(gradient, net.optimiser.gradient, (size_t)total * sizeof *gradient);
    memcpy(origin, net.network.weights.values, (size_t)total * sizeof *origin);
    for (int round = 0; round < 3; round++) {
        const double h = net.request.family == DGMI_POOL_SELECT ? 0x1p-8 : 0x1p-5;
        double expected = 0, size = 0;
        for (int64_t i = 0; i < total; i++) {
            direction[i] = (float)((check_random_unit(&random) - 0.5) / sqrt((double)total));
            expected += (double)gradient[i] * (double)direction[i];
            size += (double)gradient[i] * (double)gradient[i];
        }
        double found = (8 * (loss_at(origin, direction, h, list, LISTED) -
                             loss_at(origin, direction, -h, list, LISTED)) -
                        (loss_at(origin, direction, 2 * h, list, LISTED) -
                         loss_at(origin, direction, -2 * h, list, LISTED))) /
                       (12 * h);
        if (!(fabs(found - expected) <= 1e-3 * sqrt(size) + 1e-4))
            fail_msg("%s, net %d: slope %g, difference quotient %g", shape->pool, shape->net,
                     expected, found);
    }
    pool_net_free(&net);
}

static void gradients_are_difference_quotients(void **state) {
    (void)state;
    draft_graphs(4, 7);
    for (int64_t k = 0; k < COUNT(poolings); k++)
        for (int kind = DGM_NET_GCN; kind <= DGM_NET_MLP; kind++)
            check_slopes(&(pool_shape){poolings[k], kind, k % 2, 2, 1, 4, 1});
}

/* ---- batches ---- */

static void a_batch_gives_the_scores_of_its_graphs(void **state) {
    (void)state;
    enum { ALL = 8 };
    int64_t list[ALL] = {4, 0, 7, 6, 2, 1, 5, 3};
    draft_graphs(ALL - 1, 8);
    pool_draft_graph(&draft, 0); /* the last one has no nodes */
    for (int64_t k = 0; k < COUNT(poolings); k++) {
        float together[2 * ALL];
        dgmi_pool_pass pass;
        pool_net_make(&draft, &(pool_shape){poolings[k], (int)(k % 3), k % 2, 2, 2, 5, 1}, &net);
        memcpy(together, pool_net_run(&net, list, ALL, false, &pass)->value.values,
               sizeof together);
        for (int i = 0; i < ALL; i++) {
            const float *alone = pool_net_run(&net, &list[i], 1, false, &pass)->value.values;
            for (int c = 0; c < 2; c++)
                assert_near((double)alone[c], (double)together[2 * i + c], 1e-5);
        }
        pool_net_free(&net);
    }
}

static void threads_change_nothing(void **state) {
    (void)state;
    enum { ALL = 20 };
    int64_t list[ALL];
    count_up(list, ALL);
    draft_graphs(ALL, 11);
    for (int64_t k = 0; k < COUNT(poolings); k++) {
        static float first[1 << 12];
        for (int threads = 1; threads <= 4; threads += 3) {
            dgmi_pool_pass pass;
            dgm_context_set_threads(ctx, threads);
            pool_net_make(&draft, &(pool_shape){poolings[k], DGM_NET_GCN, false, 2, 2, 5, 1}, &net);
            dgmi_nn_node *scores = pool_net_run(&net, list, ALL, true, &pass);
            assert_int_equal(dgmi_nn_tape_backward(net.tape, pool_net_loss(&net, scores, &pass)),
                             DGM_OK);
            size_t size = (size_t)net.optimiser.total * sizeof *first;
            assert_true(size <= sizeof first);
            if (threads == 1)
                memcpy(first, net.optimiser.gradient, size);
            else
                assert_memory_equal(first, net.optimiser.gradient, size);
            pool_net_free(&net);
        }
    }
}

/* ---- graphs that hardly are graphs ---- */

/* No nodes, one node, three nodes without edges, an edge, a triangle, a path, and no nodes again. */
static void draft_oddities(int64_t width) {
    memset(&draft, 0, sizeof draft);
    draft.width = width;
    pool_draft_graph(&draft, 0);
    pool_draft_graph(&draft, 1);
    pool_draft_graph(&draft, 3);
    pool_draft_graph(&draft, 2);
    pool_draft_edge(&draft, 0, 1, 1);
    pool_draft_graph(&draft, 3);
    for (int u = 0; u < 3; u++)
        pool_draft_edge(&draft, u, (u + 1) % 3, 1);
    pool_draft_graph(&draft, 6);
    for (int u = 1; u < 6; u++)
        pool_draft_edge(&draft, u - 1, u, 1);
    pool_draft_graph(&draft, 0);
    for (int64_t i = 0; i < 15 * width; i++)
        draft.features[i] = (float)(i % 7) / 7;
}

static void assert_finite(const char *pool, const char *what, const float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            fail_msg("%s: %s %lld is %g", pool, what, (long long)i, (double)values[i]);
}

/* Two steps of training, of which the second would show what the first has spoilt. */
static void train_twice(const char *pool, const int64_t *list, int64_t graphs) {
    for (int step = 0; step < 2; step++) {
        dgmi_pool_pass pass;
        dgmi_nn_node *scores = pool_net_run(&net, list, graphs, true, &pass);
        dgmi_nn_node *loss = pool_net_loss(&net, scores, &pass);
        assert_int_equal(scores->value.rows, graphs);
        assert_finite(pool, "score", scores->value.values, 2 * graphs);
        assert_finite(pool, "loss", loss->value.values, 1);
        assert_int_equal(dgmi_nn_tape_backward(net.tape, loss), DGM_OK);
        dgmi_nn_optimiser_step(ctx, &net.optimiser, &net.network.weights);
        assert_finite(pool, "weight", net.network.weights.values, net.network.weights.total);
    }
}

static void odd_graphs_are_pooled(void **state) {
    (void)state;
    static const char *const larger[] = {"mpr:clusters=50-20",
                                         "mpr:clusters=50-20,variant=feb2020",
                                         "mpr:clusters=50-20,variant=newest",
                                         "mpr:clusters=50-20,overlap=0.9,cover=quantile",
                                         "mpr:clusters=1",
                                         "mpr:lens=learned,clusters=50-20",
                                         "mpr:lens=learned,clusters=1,axes=2",
                                         "mincut:clusters=50-20",
                                         "mincut:clusters=1",
                                         "diffpool:clusters=50-20",
                                         "diffpool:clusters=1",
                                         "topk:ratio=1",
                                         "topk:ratio=0.001",
                                         "sagpool:ratio=0.001"};
    int64_t list[7];
    count_up(list, 7);
    for (int64_t k = 0; k < COUNT(poolings) + COUNT(larger); k++) {
        const char *pool = k < COUNT(poolings) ? poolings[k] : larger[k - COUNT(poolings)];
        for (int kind = DGM_NET_GCN; kind <= DGM_NET_MLP; kind++) {
            draft_oddities(k % 2 ? 2 : 0);
            pool_net_make(&draft, &(pool_shape){pool, kind, false, 2, 1, 3, 1}, &net);
            train_twice(pool, list, 7);
            for (int i = 0; i < 7; i++)
                train_twice(pool, &list[i], 1);
            pool_net_free(&net);
        }
    }
}

/* Any lens that looks at the graph alone, on graphs that hardly are graphs as well. */
static void any_lens_pools(void **state) {
    (void)state;
    static const char *const lenses[] = {
        "degree",      "strength",     "core",      "triangles", "clustering",
        "betweenness", "random",       "eigen",     "density",   "density:delta=2;cutoff=5",
        "agd",         "eccentricity", "closeness", "harmonic",  "pagerank:alpha=0.5"};
    int64_t list[7];
    count_up(list, 7);
    draft_oddities(0);
    for (int64_t k = 0; k < COUNT(lenses); k++) {
        char pool[96];
        snprintf(pool, sizeof pool, "mpr:clusters=3-2,lens=%s", lenses[k]);
        pool_net_make(&draft, &(pool_shape){pool, DGM_NET_GCN, false, 2, 1, 3, 1}, &net);
        train_twice(pool, list, 7);
        pool_net_free(&net);
    }
    draft_graphs(7, 12); /* two axes need three nodes */
    const char *pool = "mpr:clusters=3,lens=eigen:k=2";
    pool_net_make(&draft, &(pool_shape){pool, DGM_NET_GCN, false, 1, 1, 3, 1}, &net);
    train_twice(pool, list, 7);
    pool_net_free(&net);
}

/* A set in which no graph has a node. */
static void graphs_without_nodes_are_pooled(void **state) {
    (void)state;
    const int64_t list[] = {0, 1};
    memset(&draft, 0, sizeof draft);
    pool_draft_graph(&draft, 0);
    pool_draft_graph(&draft, 0);
    for (int64_t k = 0; k < COUNT(poolings); k++) {
        pool_net_make(&draft, &(pool_shape){poolings[k], DGM_NET_GCN, false, 2, 1, 3, 1}, &net);
        train_twice(poolings[k], list, 2);
        pool_net_free(&net);
    }
}

/* 0.55 x 20 and 100 x 0.1 x 0.1 are a little more than 11 and 1 in binary. */
static void shares_are_rounded_up_from_what_is_meant(void **state) {
    (void)state;
    dgmi_pool_request request;
    assert_int_equal(dgmi_pool_parse(ctx, "diffpool:ratio=0.1", &request), DGM_OK);
    assert_int_equal(dgmi_pool_clusters(&request, 0, 100), 10);
    assert_int_equal(dgmi_pool_clusters(&request, 1, 100), 1);
    assert_int_equal(dgmi_pool_clusters(&request, 0, 101), 11);
    assert_int_equal(dgmi_pool_clusters(&request, 5, 101), 1);
    const int64_t list[] = {0};
    dgmi_pool_pass pass;
    memset(&draft, 0, sizeof draft);
    pool_draft_graph(&draft, 20);
    const pool_shape shape = {"topk:ratio=0.55", DGM_NET_GCN, false, 1, 1, 3, 1};
    pool_net_make(&draft, &shape, &net);
    pool_net_run(&net, list, 1, false, &pass);
    assert_int_equal(pass.last.starts[1], 11);
    for (uint32_t i = 0; i < 11; i++) /* all nodes are alike: the first stay */
        assert_int_equal(pass.kept[0][i], i);
    pool_net_free(&net);
}

static void refuses(const dgm_graph_options *options, double weight, const char *words) {
    const int64_t starts[] = {0, 2};
    dgm_graph_set *set;
    dgmi_pool_request request;
    dgmi_pool_bank bank;
    dgm_graph *united = build_graph(options, 2, 1, (const uint32_t[]){0, 1}, &weight);
    assert_int_equal(dgm_graph_set_create(ctx, united, 1, starts, NULL, &set), DGM_OK);
    assert_int_equal(dgmi_pool_parse(ctx, "sum", &request), DGM_OK);
    const dgmi_pool_plan plan = {.set = set,
                                 .request = &request,
                                 .features = DGM_POOL_FEATURES_DEGREE,
                                 .clamp = 3,
                                 .steps = 1};
    ASSERT_FAILS(dgmi_pool_bank_make(ctx, &plan, &bank), DGM_ERROR_DATA, words);
    dgm_graph_set_free(set);
}

/* Propagation matrices are symmetric, and their scales are roots of sums of weights. */
static void graphs_that_cannot_be_propagated_are_refused(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof directed, .directed = true};
    refuses(&directed, 1, "the graphs of this set are directed; pooling takes undirected ones");
    refuses(NULL, -1, "an edge of node 0 weighs -1; pooling takes no weights below 0");
}

/* The row of node 2 begins with the edge, and so the first that has it is node 2. */
static void the_node_of_a_bad_edge_is_named(void **state) {
    (void)state;
    const int64_t starts[] = {0, 4};
    const double weights[] = {1, -2};
    dgm_graph *united = build_graph(NULL, 4, 2, (const uint32_t[]){0, 1, 2, 3}, weights);
    dgm_graph_set *set;
    dgmi_pool_request request;
    dgmi_pool_bank bank;
    assert_int_equal(dgm_graph_set_create(ctx, united, 1, starts, NULL, &set), DGM_OK);
    assert_int_equal(dgmi_pool_parse(ctx, "sum", &request), DGM_OK);
    const dgmi_pool_plan plan = {.set = set,
                                 .request = &request,
                                 .features = DGM_POOL_FEATURES_DEGREE,
                                 .clamp = 3,
                                 .steps = 1};
    ASSERT_FAILS(dgmi_pool_bank_make(ctx, &plan, &bank), DGM_ERROR_DATA,
                 "an edge of node 2 weighs -2; pooling takes no weights below 0");
    dgm_graph_set_free(set);
}

/* Features are gathered in two passes of the same length. */
static void progress_of_gathering_is_that_of_two_passes(void **state) {
    (void)state;
    draft_graphs(3, 13);
    hear_progress();
    pool_net_make(&draft, &(pool_shape){"sum", DGM_NET_GCN, false, 1, 1, 3, 1}, &net);
    hear_no_more();
    double expected = 0;
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "gathering features") == 0) {
            assert_true(heard_reports[i].fraction == expected);
            expected += 0.5;
        }
    assert_true(expected == 1);
    pool_net_free(&net);
}

/* A network that never pools is one of layers, whatever the pooling would be. */
static void a_network_may_pool_not_at_all(void **state) {
    (void)state;
    const int64_t list[] = {0, 1, 2};
    float none[6];
    draft_graphs(3, 13);
    for (int64_t k = COUNT(poolings) - 1; k >= 0; k--) { /* "none" is the last */
        dgmi_pool_pass pass;
        pool_net_make(&draft, &(pool_shape){poolings[k], DGM_NET_GCN, false, 0, 2, 3, 1}, &net);
        const float *scores = pool_net_run(&net, list, 3, false, &pass)->value.values;
        if (k == COUNT(poolings) - 1)
            memcpy(none, scores, sizeof none);
        assert_memory_equal(scores, none, sizeof none);
        pool_net_free(&net);
    }
}

/* ---- memory ---- */

static dgm_status learn_once(dgm_context *own, dgmi_pool_bank *bank, dgmi_pool_network *network) {
    const dgmi_nn_optimiser_options options = {.descent = DGMI_NN_ADAM, .rate = 0.01};
    const int64_t list[] = {0, 1};
    dgmi_nn_optimiser optimiser = {0};
    dgmi_nn_tape *tape = NULL;
    dgmi_pool_batch batch;
    dgm_status status = dgmi_nn_optimiser_make(own, &network->weights, &options, &optimiser);
    if (status == DGM_OK)
        status = dgmi_nn_tape_create(own, &tape);
    if (status == DGM_OK) {
        dgmi_pool_pass pass = {.tape = tape, .network = network, .optimiser = &optimiser};
        dgmi_nn_node *scores = dgmi_pool_batch_make(tape, bank, list, 2, &batch)
                                   ? dgmi_pool_network_run(&pass, &batch)
                                   : NULL;
        dgmi_nn_node *loss = dgmi_nn_op_sum(tape, scores);
        status = dgmi_nn_tape_status(tape);
        assert_int_equal(status == DGM_OK, loss != NULL); /* a failure has its reason */
        if (status == DGM_OK)
            status = dgmi_nn_tape_backward(tape, loss);
    }
    dgmi_nn_tape_free(tape);
    dgmi_nn_optimiser_free(own, &optimiser);
    return status;
}

static dgm_status build_and_learn(dgm_context *own, void *argument) {
    dgmi_pool_request request;
    dgmi_pool_bank bank;
    dgmi_pool_network network;
    dgm_context_set_threads(own, 1);
    dgm_status status = dgmi_pool_parse(own, argument, &request);
    const dgmi_pool_plan plan = {.set = net.set,
                                 .request = &request,
                                 .net = DGM_NET_GCN,
                                 .features = DGM_POOL_FEATURES_ATTRIBUTES,
                                 .clamp = 3,
                                 .steps = 2,
                                 .seed = 1};
    if (status == DGM_OK)
        status = dgmi_pool_bank_make(own, &plan, &bank);
    if (status != DGM_OK)
        return status;
    const dgmi_pool_design design = {.request = &request,
                                     .steps = 2,
                                     .layers = 1,
                                     .features = bank.width,
                                     .width = 3,
                                     .classes = 2,
                                     .clusters = {3, 2}};
    status = dgmi_pool_network_make(own, &design, &network);
    if (status == DGM_OK)
        status = learn_once(own, &bank, &network);
    dgmi_pool_network_free(&network);
    dgmi_pool_bank_free(&bank);
    return status;
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    static const char *const kinds[] = {"mpr:clusters=3-2", LEARNED ",axes=2", "topk", "mincut",
                                        "diffpool",         "graclus",         "max"};
    draft_graphs(2, 10);
    net.set = pool_draft_set(&draft);
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        char pool[64];
        snprintf(pool, sizeof pool, "%s", kinds[k]);
        fail_each_allocation(build_and_learn, pool);
    }
    dgm_graph_set_free(net.set);
}

/* ---- the newest version of MPR ---- */

static void scale_weight(pool_net *of, const char *name, double factor) {
    const dgmi_nn_weights *weights = &of->network.weights;
    for (int i = 0; i < weights->count; i++)
        for (int64_t j = 0; strcmp(weights->list[i].name, name) == 0 &&
                            j < weights->list[i].rows * weights->list[i].columns;
             j++)
            dgmi_nn_weights_at(weights, i)[j] *= (float)factor;
}

/* The scores of `graphs` graphs by weights of one seed; those of the layer after each pooling are
 * multiplied. */
static void score(const char *pool, int64_t graphs, const double factors[2], float *scores) {
    int64_t list[POOL_MOST_GRAPHS];
    dgmi_pool_pass pass;
    check_random random = check_random_case(5, 3, 0);
    count_up(list, graphs);
    pool_net_make(&draft, &(pool_shape){pool, DGM_NET_GCN, false, 2, 2, 6, 1}, &net);
    pool_net_draw(&net, &random, -0.4, 0.6);
    scale_weight(&net, "level1.layer0.weight", factors[0]);
    scale_weight(&net, "level2.layer0.weight", factors[1]);
    memcpy(scores, pool_net_run(&net, list, graphs, false, &pass)->value.values,
           (size_t)(2 * graphs) * sizeof *scores);
    pool_net_free(&net);
}

static double largest_difference(const float *a, const float *b, int64_t count) {
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    return largest;
}

/* S has no zeros, so that the pooled graph of K clusters is complete and without weights: P = 1 / K
 * everywhere. Rows of S sum to 1, and P S'X is the sum of all nodes divided by K, whatever the lens
 * is. With clusters 6 and 4 the sum-pool has these weights divided by 6, and then multiplied by 6 / 4:
 * its one node stands for six. */
static void the_newest_mpr_is_a_sum_pool(void **state) {
    (void)state;
    enum { ALL = 10 };
    static const char *const newest[] = {
        "mpr:variant=newest,clusters=6-4", "mpr:variant=newest,clusters=6-4,lens=random",
        "mpr:variant=newest,clusters=6-4,lens=degree,overlap=0.5,cover=quantile"};
    float sums[2 * ALL], found[2 * ALL], paper[2 * ALL];
    draft_graphs(ALL, 9);
    score("sum", ALL, (const double[]){1.0 / 6, 6.0 / 4}, sums);
    for (int64_t k = 0; k < COUNT(newest); k++) {
        score(newest[k], ALL, (const double[]){1, 1}, found);
        assert_true(largest_difference(found, sums, 2 * ALL) < 1e-5);
    }
    score("mpr:clusters=6-4", ALL, (const double[]){1, 1}, paper);
    assert_true(largest_difference(paper, sums, 2 * ALL) > 1e-2);
    assert_true(fabs((double)sums[0] - (double)sums[2]) > 1e-2); /* graphs differ */
}

/* Where a graph has no edges its pooled graph has none, and nothing is averaged. */
static void without_edges_the_newest_mpr_is_no_sum_pool(void **state) {
    (void)state;
    enum { ALL = 10 };
    float sums[2 * ALL], found[2 * ALL];
    draft_graphs(ALL, 9);
    draft.edges = 0;
    score("sum", ALL, (const double[]){1.0 / 6, 6.0 / 4}, sums);
    score("mpr:variant=newest,clusters=6-4", ALL, (const double[]){1, 1}, found);
    assert_true(largest_difference(found, sums, 2 * ALL) > 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_difference_quotients),
        cmocka_unit_test(a_batch_gives_the_scores_of_its_graphs),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(odd_graphs_are_pooled),
        cmocka_unit_test(any_lens_pools),
        cmocka_unit_test(graphs_without_nodes_are_pooled),
        cmocka_unit_test(shares_are_rounded_up_from_what_is_meant),
        cmocka_unit_test(graphs_that_cannot_be_propagated_are_refused),
        cmocka_unit_test(the_node_of_a_bad_edge_is_named),
        cmocka_unit_test(progress_of_gathering_is_that_of_two_passes),
        cmocka_unit_test(a_network_may_pool_not_at_all),
        cmocka_unit_test(memory_may_end_anywhere),
        cmocka_unit_test(the_newest_mpr_is_a_sum_pool),
        cmocka_unit_test(without_edges_the_newest_mpr_is_no_sum_pool),
    };
    return RUN_WITH_CONTEXT(tests);
}
