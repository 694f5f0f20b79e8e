/* SPDX-License-Identifier: Apache-2.0 */
/* Pooling inside a network of the caller's, against dense matrices and differences of the loss. */
#include "unit_fixture.h"

#include "../check_random.h"
#include "pool_graphs.h"
#include "pool_rings.h"
#include "unit_faults.h"

/* ---- assignments of a set ---- */

/* Each graph of the set is pooled as it is pooled alone. */
static void assert_pooled_alike(const dgm_graph_set *set, const char *pool) {
    int64_t count = dgm_graph_set_count(set), starts[RINGS_MOST + 1];
    const int64_t *nodes = dgm_graph_set_offsets(set);
    dgm_membership *all = NULL;
    assert_int_equal(dgm_pool_run_set(ctx, set, pool, 7, &all, starts), DGM_OK);
    dgm_membership_rows rows = dgm_membership_get_rows(all);
    assert_int_equal(rows.nodes, nodes[count]);
    assert_int_equal(rows.clusters, starts[count]);
    for (int64_t g = 0; g < count; g++) {
        dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
        dgm_pooling *pooling;
        dgm_graph *graph;
        options.pool = pool;
        options.index = g;
        options.seed = 7;
        assert_int_equal(dgm_graph_set_get(ctx, set, g, &graph), DGM_OK);
        assert_int_equal(dgm_pool_run(ctx, graph, &options, &pooling), DGM_OK);
        dgm_membership_rows alone =
            dgm_membership_get_rows(dgm_pooling_get_step(pooling, 0).assignment);
        assert_int_equal(alone.clusters, starts[g + 1] - starts[g]);
        for (int64_t u = 0; u < alone.nodes; u++) {
            int64_t at = rows.offsets[nodes[g] + u],
                    count_here = alone.offsets[u + 1] - alone.offsets[u];
            assert_int_equal(rows.offsets[nodes[g] + u + 1] - at, count_here);
            for (int64_t i = 0; i < count_here; i++) {
                assert_int_equal(rows.columns[at + i],
                                 starts[g] + alone.columns[alone.offsets[u] + i]);
                assert_true(rows.values[at + i] == alone.values[alone.offsets[u] + i]);
            }
        }
        dgm_pooling_free(pooling);
        dgm_graph_free(graph);
    }
    dgm_membership_free(all);
}

static void graphs_are_pooled_together_as_alone(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(9);
    assert_pooled_alike(set, "mpr:clusters=3");
    assert_pooled_alike(set, "mpr:cover=quantile");
    assert_pooled_alike(set, "mpr:lens=random,clusters=4,overlap=0.4");
    assert_pooled_alike(set, "graclus");
    assert_pooled_alike(set, "sum");
    dgm_graph_set_free(set);
}

static void a_method_that_learns_is_refused(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(2);
    dgm_membership *all = NULL;
    int64_t starts[3];
    static const char *const wrong[] = {"mincut", "mpr:lens=learned,clusters=3", "nothing"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dgm_pool_run_set(ctx, set, wrong[i], 1, &all, starts), DGM_ERROR_USAGE);
        assert_null(all);
    }
    dgm_graph_set_free(set);
}

/* The centre of a star has the highest PageRank of n nodes, all others share the ranks below. */
static void ranks_are_those_inside_each_graph(void **state) {
    (void)state;
    const int32_t star_and_ring[] = {1, 0};
    dgm_graph_set *set = make_shapes(2, star_and_ring, NULL);
    dgm_matrix *ranks = NULL;
    assert_int_equal(dgm_pool_ranks(ctx, set, &ranks), DGM_OK);
    const double *values = dgm_matrix_values(ranks);
    assert_int_equal(dgm_matrix_rows(ranks), 3 + 4);
    assert_near(values[0], log(2.5 / 0.5), 1e-6);
    assert_near(values[1], log(1.0 / 2.0), 1e-6);
    assert_near(values[2], values[1], 0);
    for (int64_t u = 3; u < 7; u++)
        assert_near(values[u], 0, 1e-6); /* all nodes of a ring are alike */
    dgm_matrix_free(ranks);
    dgm_graph_set_free(set);
}

/* Whatever the caller's pointer held before. */
static void ranks_that_were_cancelled_are_not_there(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(2);
    dgm_matrix *rubbish = build_matrix(1, 1, NULL), *ranks = rubbish;
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_pool_ranks(ctx, set, &ranks), DGM_ERROR_CANCELLED);
    dgm_context_resume(ctx);
    assert_null(ranks);
    dgm_matrix_free(rubbish);
    dgm_graph_set_free(set);
}

/* ---- forwards and backwards ---- */

enum { NODES = 9, CLUSTERS = 4, WIDTH = 3, EDGES = 20, MOST = 64 };

/* A graph with directed edges, of which some repeat and some are self-loops, and an assignment that
 * leaves out a node and a cluster. */
typedef struct example {
    int64_t offsets[NODES + 1];
    uint32_t columns[MOST], ends[2 * EDGES];
    double s[MOST], x[NODES * WIDTH], w[EDGES];
    dgm_coarsening *coarsening;
} example;

static double draw(check_random *random) {
    return check_random_unit(random) + 0.25;
}

static void make_example(example *is) {
    check_random random = check_random_case(11, 0, 0);
    int64_t at = 0;
    for (int64_t u = 0; u < NODES; u++) {
        for (uint32_t c = 0; u != 4 && c + 1 < CLUSTERS;
             c++) /* node 4 is nowhere, cluster 3 empty */
            if (c == u % 3 || check_random_unit(&random) < 0.4) {
                is->columns[at] = c;
                is->s[at++] = draw(&random);
            }
        is->offsets[u + 1] = at;
    }
    for (int64_t e = 0; e < 2 * EDGES; e++)
        is->ends[e] = (uint32_t)check_random_below(&random, NODES);
    memcpy(is->ends + 2, is->ends, 2 * sizeof *is->ends); /* edge 1 is edge 0 again */
    is->ends[4] = is->ends[5] = 2;
    for (int64_t i = 0; i < NODES * WIDTH; i++)
        is->x[i] = draw(&random) - 0.75;
    for (int64_t e = 0; e < EDGES; e++)
        is->w[e] = draw(&random);
    const dgm_membership_rows rows = {NODES, CLUSTERS, is->offsets, is->columns, NULL};
    assert_int_equal(dgm_coarsening_create(ctx, &rows, EDGES, is->ends, &is->coarsening), DGM_OK);
}

static dgm_coarsening_input input_of(const example *is) {
    return (dgm_coarsening_input){is->s, is->x, is->w, WIDTH};
}

static dense dense_of(const example *is, bool weighted) {
    dense a = make_dense(NODES, NODES);
    for (int64_t e = 0; e < EDGES; e++)
        a.values[is->ends[2 * e] * NODES + is->ends[2 * e + 1]] += weighted ? is->w[e] : 1;
    return a;
}

static void assert_forward(const example *is, bool weighted) {
    int64_t count;
    const uint32_t *ends = dgm_coarsening_edges(is->coarsening, &count);
    double features[CLUSTERS * WIDTH], weights[MOST];
    dgm_coarsening_input input = input_of(is);
    assert_true(count > 0 && count <= 9); /* among three clusters */
    if (!weighted)
        input.weights = NULL;
    assert_int_equal(dgm_coarsening_forward(ctx, is->coarsening, &input,
                                            &(dgm_coarsening_output){features, weights}),
                     DGM_OK);
    dense s = make_dense(NODES, CLUSTERS), x = {NODES, WIDTH, (double *)is->x};
    for (int64_t u = 0; u < NODES; u++)
        for (int64_t i = is->offsets[u]; i < is->offsets[u + 1]; i++)
            s.values[u * CLUSTERS + is->columns[i]] = is->s[i];
    dense a = dense_of(is, weighted), pooled = pool_dense(&s, &a);
    dense y = multiply_dense(&s, true, &x), made = make_dense(CLUSTERS, CLUSTERS);
    for (int64_t e = 0; e < count; e++)
        made.values[ends[2 * e] * CLUSTERS + ends[2 * e + 1]] = weights[e];
    assert_dense_near(&made, &pooled, 1e-12);
    for (int64_t i = 0; i < CLUSTERS * WIDTH; i++)
        assert_near(features[i], y.values[i], 1e-12);
    free(s.values);
    free(a.values);
    free(pooled.values);
    free(y.values);
    free(made.values);
}

static void it_computes_what_dense_matrices_do(void **state) {
    (void)state;
    example is = {0};
    make_example(&is);
    assert_forward(&is, true);
    assert_forward(&is, false);
    dgm_coarsening_free(is.coarsening);
    dgm_coarsening_free(NULL);
}

/* A loss with another derivative by every number of the output. */
static double loss_of(const example *is, bool by_features, bool by_weights) {
    int64_t count;
    dgm_coarsening_edges(is->coarsening, &count);
    double features[CLUSTERS * WIDTH], weights[MOST], loss = 0;
    dgm_coarsening_input input = input_of(is);
    assert_int_equal(dgm_coarsening_forward(ctx, is->coarsening, &input,
                                            &(dgm_coarsening_output){features, weights}),
                     DGM_OK);
    for (int64_t i = 0; by_features && i < CLUSTERS * WIDTH; i++)
        loss += (double)(i + 1) * features[i];
    for (int64_t e = 0; by_weights && e < count; e++)
        loss += (double)(2 * e - 3) * weights[e];
    return loss;
}

/* The loss is of the third degree, so a central difference is near to the derivative. */
static void assert_derivatives(const example *is, double *values, int64_t count,
                               const double *gradient, bool by_features, bool by_weights) {
    const double step = 1e-5;
    for (int64_t i = 0; i < count; i++) {
        double before = values[i];
        values[i] = before + step;
        double more = loss_of(is, by_features, by_weights);
        values[i] = before - step;
        double less = loss_of(is, by_features, by_weights);
        values[i] = before;
        assert_near(gradient[i], (more - less) / (2 * step), 1e-7);
    }
}

static void assert_backward(bool by_features, bool by_weights) {
    example is = {0};
    make_example(&is);
    double features[CLUSTERS * WIDTH], weights[MOST], ds[MOST], dx[NODES * WIDTH], dw[EDGES];
    for (int64_t i = 0; i < CLUSTERS * WIDTH; i++)
        features[i] = (double)(i + 1);
    for (int64_t e = 0; e < MOST; e++)
        weights[e] = (double)(2 * e - 3);
    const dgm_coarsening_input input = input_of(&is);
    const dgm_coarsening_output by = {by_features ? features : NULL, by_weights ? weights : NULL};
    const dgm_coarsening_gradient gradient = {ds, dx, dw};
    assert_int_equal(dgm_coarsening_backward(ctx, is.coarsening, &input, &by, &gradient), DGM_OK);
    assert_derivatives(&is, is.s, is.offsets[NODES], ds, by_features, by_weights);
    assert_derivatives(&is, is.x, NODES * WIDTH, dx, by_features, by_weights);
    assert_derivatives(&is, is.w, EDGES, dw, by_features, by_weights);
    double alone[EDGES]; /* one that is asked for alone is the same */
    assert_int_equal(dgm_coarsening_backward(ctx, is.coarsening, &input, &by,
                                             &(dgm_coarsening_gradient){.weights = alone}),
                     DGM_OK);
    assert_memory_equal(alone, dw, sizeof dw);
    dgm_coarsening_free(is.coarsening);
}

static void derivatives_are_those_of_differences(void **state) {
    (void)state;
    assert_backward(true, true);
    assert_backward(true, false);
    assert_backward(false, true);
}

static void what_is_not_there_is_refused(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 2};
    const uint32_t columns[] = {0, 1}, ends[] = {0, 2};
    dgm_coarsening *made = NULL;
    const dgm_membership_rows short_rows = {2, 1, offsets, columns, NULL};
    const dgm_membership_rows rows = {2, 2, offsets, columns, NULL};
    assert_int_equal(dgm_coarsening_create(ctx, &short_rows, 0, NULL, &made), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx), "the assignment names cluster 1 of 1 clusters");
    assert_int_equal(dgm_coarsening_create(ctx, &rows, 1, ends, &made), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx), "edge 0 has node 2, and there are 2 nodes");
    assert_null(made);
}

/* ---- memory ---- */

static dgm_status work_once(dgm_context *own, void *argument) {
    example *is = argument;
    const dgm_membership_rows rows = {NODES, CLUSTERS, is->offsets, is->columns, NULL};
    const dgm_coarsening_input input = input_of(is);
    double features[CLUSTERS * WIDTH], weights[MOST] = {0}, dw[EDGES];
    dgm_coarsening *made = NULL;
    dgm_status status = dgm_coarsening_create(own, &rows, EDGES, is->ends, &made);
    if (status == DGM_OK)
        status =
            dgm_coarsening_forward(own, made, &input, &(dgm_coarsening_output){features, weights});
    if (status == DGM_OK)
        status = dgm_coarsening_backward(own, made, &input, &(dgm_coarsening_output){NULL, weights},
                                         &(dgm_coarsening_gradient){.weights = dw});
    dgm_coarsening_free(made);
    return status;
}

static dgm_status pool_once(dgm_context *own, void *argument) {
    const dgm_graph_set *set = argument;
    dgm_membership *all = NULL;
    dgm_matrix *ranks = NULL;
    int64_t starts[4];
    dgm_status status = dgm_pool_run_set(own, set, "mpr:clusters=2", 1, &all, starts);
    if (status == DGM_OK)
        status = dgm_pool_ranks(own, set, &ranks);
    dgm_membership_free(all);
    dgm_matrix_free(ranks);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    example is = {0};
    make_example(&is);
    fail_each_allocation(work_once, &is);
    dgm_coarsening_free(is.coarsening);
    dgm_graph_set *set = make_rings(3);
    fail_each_allocation(pool_once, set);
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_are_pooled_together_as_alone),
        cmocka_unit_test(a_method_that_learns_is_refused),
        cmocka_unit_test(ranks_are_those_inside_each_graph),
        cmocka_unit_test(ranks_that_were_cancelled_are_not_there),
        cmocka_unit_test(it_computes_what_dense_matrices_do),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return RUN_WITH_CONTEXT(tests);
}
