/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs and dense matrices for tests of poolings. Included after unit_fixture.h. */
#ifndef POOL_GRAPHS_H
#define POOL_GRAPHS_H

#include <math.h>
#include <stdlib.h>

#include "dgm/pool.h"

/* Zachary's karate club, whose nodes have labels. */
static inline dgm_graph *make_karate(void) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_KARATE;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

/* Rows of doubles; the caller frees them. */
typedef struct dense {
    int64_t rows, columns;
    double *values;
} dense;

static inline dense make_dense(int64_t rows, int64_t columns) {
    dense made = {rows, columns, calloc((size_t)(rows * columns + 1), sizeof(double))};
    assert_non_null(made.values);
    return made;
}

static inline dense dense_of_membership(const dgm_membership *membership) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    dense made = make_dense(rows.nodes, rows.clusters);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++)
            made.values[u * rows.clusters + rows.columns[i]] = rows.values[i];
    return made;
}

static inline dense dense_of_graph(const dgm_graph *graph) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dense made = make_dense(rows.nodes, rows.nodes);
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            made.values[u * rows.nodes + rows.targets[e]] = rows.weights ? rows.weights[e] : 1;
    return made;
}

/* A B, or A' B. */
static inline dense multiply_dense(const dense *a, bool turned, const dense *b) {
    int64_t rows = turned ? a->columns : a->rows, inner = turned ? a->rows : a->columns;
    dense made = make_dense(rows, b->columns);
    assert_int_equal(inner, b->rows);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < inner; k++)
            for (int64_t j = 0; j < b->columns; j++)
                made.values[i * b->columns + j] +=
                    a->values[turned ? k * a->columns + i : i * a->columns + k] *
                    b->values[k * b->columns + j];
    return made;
}

/* S'AS */
static inline dense pool_dense(const dense *s, const dense *a) {
    dense product = multiply_dense(a, false, s), made = multiply_dense(s, true, &product);
    free(product.values);
    return made;
}

static inline double trace_of(const dense *a) {
    double sum = 0;
    for (int64_t i = 0; i < a->rows; i++)
        sum += a->values[i * a->columns + i];
    return sum;
}

static inline double norm_of(const dense *a) {
    double sum = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        sum += a->values[i] * a->values[i];
    return sqrt(sum);
}

static inline void assert_dense_near(const dense *actual, const dense *expected, double tolerance) {
    assert_int_equal(actual->rows, expected->rows);
    assert_int_equal(actual->columns, expected->columns);
    for (int64_t i = 0; i < actual->rows * actual->columns; i++)
        assert_near(actual->values[i], expected->values[i], tolerance);
}

/* Pools with a specification, and nothing else. */
static inline dgm_pooling *pool_graph(const dgm_graph *graph, const char *pool, int64_t steps,
                                      const dgm_matrix *features) {
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_pooling *pooling = NULL;
    options.pool = pool;
    options.steps = steps;
    options.features = features;
    if (dgm_pool_run(ctx, graph, &options, &pooling) != DGM_OK)
        fail_msg("%s: %s", pool, dgm_context_error(ctx));
    return pooling;
}

/* Twelve rings and twelve stars of four to nine nodes, by turns, in classes that the data call 3 and
 * 7. Nodes have the labels 1 and 5, by turns. */
enum { SAMPLE_GRAPHS = 24 };

static inline dgm_graph_set *make_sample_set(void) {
    int64_t offsets[SAMPLE_GRAPHS + 1] = {0};
    int32_t classes[SAMPLE_GRAPHS], labels[512];
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int64_t g = 0; g < SAMPLE_GRAPHS; g++) {
        int64_t nodes = 4 + g % 6, first = offsets[g];
        offsets[g + 1] = first + nodes;
        classes[g] = g % 2 ? 7 : 3;
        for (int64_t i = 0; i < nodes; i++) {
            bool star = g % 2;
            uint32_t edge[] = {(uint32_t)(first + (star ? 0 : i)),
                               (uint32_t)(first + (i + 1) % nodes)};
            labels[first + i] = i % 2 ? 5 : 1;
            assert_int_equal(dgm_graph_builder_add(builder, edge[0] != edge[1], edge, NULL),
                             DGM_OK);
        }
    }
    assert_int_equal(dgm_graph_builder_set_labels(builder, offsets[SAMPLE_GRAPHS], labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, SAMPLE_GRAPHS, offsets, classes, &set),
                     DGM_OK);
    return set;
}

/* Options of a training that takes a moment. */
static inline dgm_classify_options quick_options(const char *pool) {
    dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
    options.pool = pool;
    options.width = 6;
    options.epochs = 3;
    options.batch = 8;
    options.rate = 0.01;
    options.folds = "3";
    options.keep_model = true;
    return options;
}

#endif
