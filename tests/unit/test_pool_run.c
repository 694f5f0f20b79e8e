/* SPDX-License-Identifier: Apache-2.0 */
/* Each operator on one graph, against the plainest arithmetic on dense matrices. */
#include "unit_fixture.h"

#include <stdio.h>

#include "pool_graphs.h"
#include "unit_faults.h"

static int notes;
static char last_note[256];

static void keep_note(void *user, const char *note) {
    (void)user;
    notes++;
    snprintf(last_note, sizeof last_note, "%s", note);
}

/* The pooled graph of each step has the weights S'AS of its own S and of the graph before. */
static void assert_pooled_by_s(const dgm_graph *graph, const dgm_pooling *pooling,
                               double tolerance) {
    dense before = dense_of_graph(graph);
    for (int64_t l = 0; l < dgm_pooling_steps(pooling); l++) {
        dgm_pool_step step = dgm_pooling_get_step(pooling, l);
        dense s = dense_of_membership(step.assignment), after = dense_of_graph(step.graph);
        dense expected = pool_dense(&s, &before);
        assert_dense_near(&after, &expected, tolerance);
        free(before.values);
        free(s.values);
        free(expected.values);
        before = after;
    }
    free(before.values);
}

static void assert_rows_sum_to_1(const dgm_membership *membership) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    for (int64_t u = 0; u < rows.nodes; u++) {
        double sum = 0;
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++) {
            assert_true(rows.values[i] > 0);
            sum += rows.values[i];
        }
        assert_near(sum, 1, 1e-5);
    }
}

/* Every node in every cluster. */
static void assert_soft(const dgm_membership *membership) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    assert_int_equal(rows.offsets[rows.nodes], rows.nodes * rows.clusters);
    assert_rows_sum_to_1(membership);
}

/* ---- what the graph alone decides ---- */

static void mpr_pools_cells_of_its_lens(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "mpr:lens=degree,clusters=5-2", 2, NULL);
    assert_int_equal(dgm_pooling_steps(pooling), 2);
    assert_false(dgm_pooling_trained(pooling));
    assert_null(dgm_pooling_scores(pooling));
    assert_string_equal(dgm_pooling_specification(pooling), "mpr:lens=degree,clusters=5-2");
    dgm_pool_step first = dgm_pooling_get_step(pooling, 0),
                  second = dgm_pooling_get_step(pooling, 1);
    assert_rows_sum_to_1(first.assignment);
    assert_rows_sum_to_1(second.assignment);
    assert_pooled_by_s(graph, pooling, 1e-9);
    assert_null(first.loss_names[0]);
    assert_null(first.features);
    assert_int_equal(dgm_graph_nodes(second.graph), 2);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(dgm_matrix_rows(first.lens), 34);
    for (int64_t u = 0; u < 34; u++)
        assert_near(dgm_matrix_values(first.lens)[u],
                    (double)(rows.offsets[u + 1] - rows.offsets[u]), 0);
    assert_int_equal(dgm_matrix_rows(second.lens), dgm_graph_nodes(first.graph));
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* The defaults are one step of MPR. */
static void options_have_defaults(void **state) {
    (void)state;
    dgm_pool_run_options options;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling;
    dgm_pool_run_options_init(&options);
    assert_int_equal(options.size, sizeof options);
    assert_int_equal(options.seed, 1);
    assert_int_equal(dgm_pool_run(ctx, graph, NULL, &pooling), DGM_OK);
    assert_string_equal(dgm_pooling_specification(pooling), "mpr");
    assert_int_equal(dgm_pooling_steps(pooling), 1);
    dgm_pooling_free(pooling);
    dgm_pooling_free(NULL);
    dgm_graph_free(graph);
}

/* A path 0 - 1 - 2 with weights 2 and 3. */
static dgm_graph *make_path(void) {
    return build_graph(NULL, 3, 2, (const uint32_t[]){0, 1, 1, 2}, (const double[]){2, 3});
}

static void controls_pool_to_one_node(void **state) {
    (void)state;
    static const struct {
        const char *pool;
        double features[2], weight;
    } cases[] = {{"sum", {9, -6}, 10}, {"mean", {3, -2}, 10.0 / 9}, {"max", {5, -1}, 10}};
    dgm_graph *graph = make_path();
    dgm_matrix *features = build_matrix(3, 2, (const double[]){1, -1, 3, -2, 5, -3});
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_pooling *pooling = pool_graph(graph, cases[i].pool, 1, features);
        dgm_pool_step step = dgm_pooling_get_step(pooling, 0);
        assert_int_equal(dgm_graph_nodes(step.graph), 1);
        assert_near(dgm_graph_get_rows(step.graph).weights[0], cases[i].weight, 1e-12);
        for (int j = 0; j < 2; j++)
            assert_near(dgm_matrix_values(step.features)[j], cases[i].features[j], 1e-12);
        assert_null(step.lens);
        dgm_pooling_free(pooling);
    }
    dgm_matrix_free(features);
    dgm_graph_free(graph);
}

/* 1 and 2 are matched, since 3 (1/5 + 1/3) is more than 2 (1/2 + 1/5), but 0 comes first. */
static void graclus_pools_pairs(void **state) {
    (void)state;
    dgm_graph *graph = make_path();
    dgm_pooling *pooling = pool_graph(graph, "graclus", 1, NULL);
    dgm_membership_rows rows = dgm_membership_get_rows(dgm_pooling_get_step(pooling, 0).assignment);
    assert_int_equal(rows.clusters, 2);
    assert_memory_equal(rows.columns, ((const uint32_t[]){0, 0, 1}), 3 * sizeof(uint32_t));
    assert_near(rows.values[0], 0.5, 0);
    assert_near(rows.values[2], 1, 0);
    assert_pooled_by_s(graph, pooling, 1e-12);
    dgm_pooling_free(pooling);
    pooling = pool_graph(graph, "none", 3, NULL);
    assert_int_equal(dgm_graph_nodes(dgm_pooling_get_step(pooling, 2).graph), 3);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

static void a_random_lens_draws_by_seed_and_number(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    double first[4];
    for (int i = 0; i < 4; i++) {
        dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
        dgm_pooling *pooling;
        options.pool = "mpr:lens=random";
        options.seed = i == 1 ? 2 : 1;
        options.index = i == 2;
        assert_int_equal(dgm_pool_run(ctx, graph, &options, &pooling), DGM_OK);
        first[i] = dgm_matrix_values(dgm_pooling_get_step(pooling, 0).lens)[0];
        dgm_pooling_free(pooling);
    }
    assert_true(first[0] != first[1] && first[0] != first[2] && first[1] != first[2]);
    assert_near(first[3], first[0], 0);
    dgm_graph_free(graph);
}

/* ---- learned partitions ---- */

/* -tr S'AS / tr S'DS and |S'S / |S'S| - I / sqrt K|, from dense matrices. */
static void assert_mincut_losses(const dgm_pool_step *step, const dense *a) {
    dense s = dense_of_membership(step->assignment), pooled = pool_dense(&s, a);
    dense square = multiply_dense(&s, true, &s);
    double degrees = 0, norm = norm_of(&square), side = (double)s.columns, sum = 0;
    for (int64_t u = 0; u < s.rows; u++)
        for (int64_t v = 0; v < s.rows; v++)
            for (int64_t k = 0; k < s.columns; k++)
                degrees += a->values[u * s.rows + v] * s.values[u * s.columns + k] *
                           s.values[u * s.columns + k];
    for (int64_t i = 0; i < s.columns; i++)
        for (int64_t j = 0; j < s.columns; j++)
            sum += pow(square.values[i * s.columns + j] / norm - (i == j) / sqrt(side), 2);
    assert_string_equal(step->loss_names[0], "cut");
    assert_string_equal(step->loss_names[1], "orthogonality");
    assert_near(step->losses[0], -trace_of(&pooled) / degrees, 1e-4);
    assert_near(step->losses[1], sqrt(sum), 1e-4);
    free(s.values);
    free(pooled.values);
    free(square.values);
}

/* The diagonal of S'AS is dropped, and rows and columns are divided by the roots of their sums. */
static void assert_renormalised(const dgm_pool_step *step, const dense *a) {
    dense s = dense_of_membership(step->assignment), expected = pool_dense(&s, a);
    dense actual = dense_of_graph(step->graph);
    int64_t k = expected.rows;
    double sums[64] = {0};
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            sums[i] += i == j ? 0 : expected.values[i * k + j];
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++)
            expected.values[i * k + j] *= i == j ? 0 : 1 / sqrt(sums[i] * sums[j]);
    assert_dense_near(&actual, &expected, 1e-5);
    free(s.values);
    free(actual.values);
    free(expected.values);
}

static void mincut_gives_a_soft_partition_and_its_losses(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "mincut:ratio=0.2", 2, NULL);
    dense a = dense_of_graph(graph);
    static const int64_t clusters[] = {7, 2}; /* ceil(0.2 34) and ceil(0.04 34) */
    for (int64_t l = 0; l < 2; l++) {
        dgm_pool_step step = dgm_pooling_get_step(pooling, l);
        assert_soft(step.assignment);
        assert_int_equal(dgm_graph_nodes(step.graph), clusters[l]);
        assert_mincut_losses(&step, &a);
        assert_renormalised(&step, &a);
        free(a.values);
        a = dense_of_graph(step.graph);
    }
    free(a.values);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

static void diffpool_gives_a_soft_partition_and_its_losses(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "diffpool:clusters=5-3", 2, NULL);
    dgm_pool_step step = dgm_pooling_get_step(pooling, 0);
    dense s = dense_of_membership(step.assignment), a = dense_of_graph(graph);
    double sum = 0, entropy = 0;
    for (int64_t u = 0; u < 34; u++)
        for (int64_t v = 0; v < 34; v++) {
            double product = 0;
            for (int64_t k = 0; k < 5; k++)
                product += s.values[u * 5 + k] * s.values[v * 5 + k];
            sum += pow(a.values[u * 34 + v] - product, 2);
        }
    for (int64_t i = 0; i < 34 * 5; i++)
        entropy -= s.values[i] * log(s.values[i]) / 34;
    assert_soft(step.assignment);
    assert_string_equal(step.loss_names[0], "link");
    assert_string_equal(step.loss_names[1], "entropy");
    assert_near(step.losses[0], sqrt(sum) / (34 * 34), 1e-6);
    assert_near(step.losses[1], entropy, 1e-4);
    assert_pooled_by_s(graph, pooling, 1e-3);
    free(s.values);
    free(a.values);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* Before any training, f is (mid-rank of PageRank + 1/2) / n: nodes in the same order. */
static void a_learned_lens_begins_at_pagerank(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_matrix *pagerank;
    dgm_pooling *pooling = pool_graph(graph, "mpr:lens=learned,clusters=6,axes=2", 1, NULL);
    dgm_pool_step step = dgm_pooling_get_step(pooling, 0);
    assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &pagerank), DGM_OK);
    const double *rank = dgm_matrix_values(pagerank), *lens = dgm_matrix_values(step.lens);
    assert_int_equal(dgm_matrix_columns(step.lens), 2);
    assert_string_equal(dgm_matrix_column_name(step.lens, 0), "lens");
    for (int64_t u = 0; u < 34; u++) {
        assert_near(lens[2 * u + 1], 0.5, 0);
        for (int64_t v = 0; v < 34; v++)
            if (rank[u] > rank[v] + 1e-9)
                assert_true(lens[2 * u] > lens[2 * v]);
    }
    assert_soft(step.assignment);
    assert_pooled_by_s(graph, pooling, 1e-3);
    dgm_matrix_free(pagerank);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* ---- selections ---- */

static void selections_keep_the_highest_scores(void **state) {
    (void)state;
    static const char *const pools[] = {"topk:ratio=0.3", "sagpool:ratio=0.3"};
    dgm_graph *graph = make_karate();
    dgm_matrix *features = build_matrix(34, 1, NULL);
    for (int64_t u = 0; u < 34; u++)
        dgm_matrix_values_mutable(features)[u] = (double)u + 1;
    for (int p = 0; p < 2; p++) {
        dgm_pooling *pooling = pool_graph(graph, pools[p], 1, features);
        dgm_pool_step step = dgm_pooling_get_step(pooling, 0);
        dgm_membership_rows rows = dgm_membership_get_rows(step.assignment);
        const double *scores = dgm_matrix_values(step.lens);
        double least = INFINITY, most = -INFINITY;
        assert_int_equal(rows.clusters, 11); /* ceil(0.3 34) */
        assert_string_equal(dgm_matrix_column_name(step.lens, 0), "score");
        for (int64_t u = 0; u < 34; u++) {
            bool stays = rows.offsets[u] < rows.offsets[u + 1];
            least = stays ? fmin(least, scores[u]) : least;
            most = stays ? most : fmax(most, scores[u]);
            if (stays) {
                double gate = p ? tanh(scores[u]) : 1 / (1 + exp(-scores[u]));
                assert_near(rows.values[rows.offsets[u]], 1, 0);
                assert_near(dgm_matrix_values(step.features)[rows.columns[rows.offsets[u]]],
                            gate * ((double)u + 1), 1e-5);
            }
        }
        assert_true(least >= most);
        assert_pooled_by_s(graph, pooling, 0); /* ones: the subgraph */
        dgm_pooling_free(pooling);
    }
    dgm_matrix_free(features);
    dgm_graph_free(graph);
}

/* ---- all of them ---- */

static const char *const all[] = {
    "mpr:clusters=4-2",
    "mpr:clusters=4-2,variant=newest",
    "mpr:clusters=4-2,variant=feb2020",
    "mpr:lens=random,clusters=4-2",
    "mpr:lens=learned,clusters=4-2",
    "topk",
    "sagpool",
    "mincut",
    "diffpool",
    "graclus",
    "sum",
    "mean",
    "max",
    "none",
};

/* The product of all S takes nodes to clusters, and S'X of each step is that of X. */
static void assignments_of_steps_are_multiplied(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    for (int i = 0; i < COUNT(all); i++) {
        dgm_pooling *pooling = pool_graph(graph, all[i], 2, NULL);
        dgm_membership *product;
        dense first = dense_of_membership(dgm_pooling_get_step(pooling, 0).assignment);
        dense second = dense_of_membership(dgm_pooling_get_step(pooling, 1).assignment);
        dense expected = multiply_dense(&first, false, &second);
        assert_int_equal(dgm_pooling_assignment(ctx, pooling, 1, &product), DGM_OK);
        dense actual = dense_of_membership(product);
        assert_dense_near(&actual, &expected, 1e-12);
        dgm_membership_free(product);
        ASSERT_FAILS(dgm_pooling_assignment(ctx, pooling, 2, &product), DGM_ERROR_USAGE,
                     "there is no step 2: the graph was pooled 2 times");
        assert_null(product);
        free(first.values);
        free(second.values);
        free(expected.values);
        free(actual.values);
        dgm_pooling_free(pooling);
    }
    dgm_graph_free(graph);
}

/* Nothing, one node, and three nodes without an edge. */
static void the_smallest_graphs_are_pooled(void **state) {
    (void)state;
    static const int64_t nodes[] = {0, 1, 3};
    for (int n = 0; n < COUNT(nodes); n++) {
        dgm_graph *graph = build_graph(NULL, nodes[n], 0, NULL, NULL);
        dgm_matrix *features = build_matrix(nodes[n], 2, NULL);
        for (int i = 0; i < COUNT(all); i++) {
            dgm_pooling *pooling = pool_graph(graph, all[i], 2, features);
            for (int64_t l = 0; l < 2; l++) {
                dgm_pool_step step = dgm_pooling_get_step(pooling, l);
                dgm_membership_rows rows = dgm_membership_get_rows(step.assignment);
                assert_int_equal(rows.clusters, dgm_graph_nodes(step.graph));
                assert_int_equal(rows.clusters, dgm_matrix_rows(step.features));
                assert_int_equal(nodes[n] == 0, rows.clusters == 0);
                for (int k = 0; k < DGM_POOL_LOSSES; k++)
                    assert_true(isfinite(step.losses[k]));
            }
            dgm_pooling_free(pooling);
        }
        dgm_matrix_free(features);
        dgm_graph_free(graph);
    }
}

/* More clusters than nodes are not refused. */
static void clusters_may_be_more_than_nodes(void **state) {
    (void)state;
    static const char *const pools[] = {"mincut:clusters=9", "diffpool:clusters=9",
                                        "mpr:clusters=9", "mpr:lens=learned,clusters=9"};
    dgm_graph *graph = make_path();
    for (int i = 0; i < COUNT(pools); i++) {
        dgm_pooling *pooling = pool_graph(graph, pools[i], 1, NULL);
        int64_t clusters = dgm_graph_nodes(dgm_pooling_get_step(pooling, 0).graph);
        assert_int_equal(clusters, i == 2 ? 3 : 9); /* cells without a node are left out */
        dgm_pooling_free(pooling);
    }
    dgm_graph_free(graph);
}

static void the_same_seed_gives_the_same_numbers(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    for (int i = 0; i < COUNT(all); i++) {
        dgm_pooling *one = pool_graph(graph, all[i], 1, NULL);
        dgm_context_set_threads(ctx, 3);
        dgm_pooling *two = pool_graph(graph, all[i], 1, NULL);
        dgm_context_set_threads(ctx, 1);
        dense a = dense_of_membership(dgm_pooling_get_step(one, 0).assignment);
        dense b = dense_of_membership(dgm_pooling_get_step(two, 0).assignment);
        assert_memory_equal(a.values, b.values, (size_t)(a.rows * a.columns) * sizeof(double));
        free(a.values);
        free(b.values);
        dgm_pooling_free(one);
        dgm_pooling_free(two);
    }
    dgm_graph_free(graph);
}

/* ---- notes and mistakes ---- */

static void a_note_says_that_weights_are_not_trained(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_context_set_notes(ctx, keep_note, NULL);
    dgm_pooling_free(pool_graph(graph, "graclus", 1, NULL));
    assert_int_equal(notes, 0);
    dgm_pooling_free(pool_graph(graph, "mincut", 1, NULL));
    assert_int_equal(notes, 1);
    assert_string_equal(last_note, "the weights of 'mincut' are not trained but drawn by seed 1; a "
                                   "model of 'dgm classify' has trained ones");
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_graph_free(graph);
}

static void mistakes_are_told(void **state) {
    (void)state;
    dgm_graph_options directed = DGM_GRAPH_OPTIONS_INIT;
    directed.directed = true;
    dgm_graph *path = make_path();
    dgm_graph *arrow = build_graph(&directed, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_graph *negative = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, (const double[]){-2});
    dgm_matrix *features = build_matrix(2, 1, NULL);
    dgm_pooling *pooling;
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    options.pool = "topk";
    ASSERT_FAILS(dgm_pool_run(ctx, arrow, &options, &pooling), DGM_ERROR_DATA,
                 "a network pools undirected graphs, and this one is directed");
    assert_null(pooling);
    ASSERT_FAILS(dgm_pool_run(ctx, negative, &options, &pooling), DGM_ERROR_DATA,
                 "a network pools graphs without negative weights, and this one has the weight -2");
    options.features = features;
    ASSERT_FAILS(dgm_pool_run(ctx, path, &options, &pooling), DGM_ERROR_DATA,
                 "features of 2 nodes for a graph of 3 nodes");
    options.features = NULL;
    options.steps = 9;
    ASSERT_FAILS(dgm_pool_run(ctx, path, &options, &pooling), DGM_ERROR_USAGE,
                 "steps must be from 1 to 8");
    options.steps = -1;
    assert_int_equal(dgm_pool_run(ctx, path, &options, &pooling), DGM_ERROR_USAGE);
    options.steps = 1;
    options.pool = "minicut";
    assert_int_equal(dgm_pool_run(ctx, path, &options, &pooling), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "did you mean 'mincut'?");
    options.size = 1;
    assert_int_equal(dgm_pool_run(ctx, path, &options, &pooling), DGM_ERROR_USAGE);
    dgm_matrix_free(features);
    dgm_graph_free(path);
    dgm_graph_free(arrow);
    dgm_graph_free(negative);
}

/* ---- memory ---- */

typedef struct fault {
    const dgm_graph *graph;
    const dgm_matrix *features;
    const char *pool;
} fault;

static dgm_status pool_once(dgm_context *own, void *argument) {
    const fault *f = argument;
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_pooling *pooling;
    dgm_membership *product = NULL;
    options.pool = f->pool;
    options.steps = 2;
    options.features = f->features;
    dgm_status status = dgm_pool_run(own, f->graph, &options, &pooling);
    if (status == DGM_OK)
        status = dgm_pooling_assignment(own, pooling, 1, &product);
    dgm_membership_free(product);
    dgm_pooling_free(pooling);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static const char *const pools[] = {"mpr:clusters=2", "mpr:lens=learned,clusters=2", "topk",
                                        "mincut:clusters=2", "max"};
    dgm_graph *graph = make_path();
    dgm_matrix *features = build_matrix(3, 1, NULL);
    for (int i = 0; i < COUNT(pools); i++)
        fail_each_allocation(pool_once, &(fault){graph, features, pools[i]});
    dgm_matrix_free(features);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mpr_pools_cells_of_its_lens),
        cmocka_unit_test(options_have_defaults),
        cmocka_unit_test(controls_pool_to_one_node),
        cmocka_unit_test(graclus_pools_pairs),
        cmocka_unit_test(a_random_lens_draws_by_seed_and_number),
        cmocka_unit_test(mincut_gives_a_soft_partition_and_its_losses),
        cmocka_unit_test(diffpool_gives_a_soft_partition_and_its_losses),
        cmocka_unit_test(a_learned_lens_begins_at_pagerank),
        cmocka_unit_test(selections_keep_the_highest_scores),
        cmocka_unit_test(assignments_of_steps_are_multiplied),
        cmocka_unit_test(the_smallest_graphs_are_pooled),
        cmocka_unit_test(clusters_may_be_more_than_nodes),
        cmocka_unit_test(the_same_seed_gives_the_same_numbers),
        cmocka_unit_test(a_note_says_that_weights_are_not_trained),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
