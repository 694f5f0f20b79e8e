/* SPDX-License-Identifier: Apache-2.0 */
/* The subgraph of some nodes: the edges between them, and all that is known of them. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "rich_sample.h"
#include "unit_faults.h"

enum { NODES = 40 };

/* The weight of the edge from one node to another, or NaN if there is none. */
static double weight_between(const dgm_graph *graph, uint32_t from, uint32_t to) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t e = rows.offsets[from]; e < rows.offsets[from + 1]; e++)
        if (rows.targets[e] == to)
            return rows.weights ? rows.weights[e] : 1;
    return NAN;
}

/* A random graph with weights and loops; `step` makes it another one. */
static dgm_graph *make_random(bool directed, uint32_t step) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    uint32_t ends[4 * NODES], state = 7 + step;
    double weights[2 * NODES];
    options.directed = directed;
    options.keep_loops = true;
    for (int i = 0; i < 4 * NODES; i++) {
        state = state * 1664525U + 1013904223U;
        ends[i] = (state >> 8) % NODES;
    }
    for (int i = 0; i < 2 * NODES; i++)
        weights[i] = 1 + i;
    return build_graph(&options, NODES, 2 * NODES, ends, weights);
}

static void edges_are_those_between_the_nodes(void **state) {
    (void)state;
    static const uint32_t nodes[] = {31, 2, 17, 5, 0, 39, 8, 9, 10, 23, 22, 21};
    enum { TAKEN = sizeof nodes / sizeof *nodes };
    for (uint32_t round = 0; round < 20; round++) {
        dgm_graph *graph = make_random(round % 2 == 1, round), *part;
        assert_int_equal(dgm_graph_induced(ctx, graph, nodes, TAKEN, &part), DGM_OK);
        assert_int_equal(dgm_graph_nodes(part), TAKEN);
        assert_int_equal(dgm_graph_get_rows(part).directed, round % 2 == 1);
        for (uint32_t i = 0; i < TAKEN; i++)
            for (uint32_t j = 0; j < TAKEN; j++) {
                double was = weight_between(graph, nodes[i], nodes[j]);
                double is = weight_between(part, i, j);
                assert_true(isnan(was) == isnan(is));
                if (!isnan(was))
                    assert_near(is, was, 0);
            }
        dgm_graph_free(part);
        dgm_graph_free(graph);
    }
}

static void numbers_stay_names(void **state) {
    (void)state;
    dgm_graph *graph = make_random(false, 1), *part;
    char name[16];
    assert_int_equal(dgm_graph_induced(ctx, graph, (const uint32_t[]){31, 2}, 2, &part), DGM_OK);
    dgm_graph_name(part, 0, name, sizeof name);
    assert_string_equal(name, "31");
    dgm_graph_name(part, 1, name, sizeof name);
    assert_string_equal(name, "2");
    dgm_graph_free(part);
    dgm_graph_free(graph);
}

static void all_that_is_known_comes_along(void **state) {
    (void)state;
    dgm_graph *graph = rich_graph(ctx), *part;
    assert_int_equal(dgm_graph_induced(ctx, graph, (const uint32_t[]){4, 2, 3}, 3, &part), DGM_OK);
    assert_string_equal(dgm_graph_source(part), "path");
    assert_string_equal(dgm_graph_class_name(part, dgm_graph_labels(part)[0]), "high");
    assert_string_equal(dgm_graph_class_name(part, dgm_graph_labels(part)[1]), "high");
    assert_int_equal(dgm_graph_labels(part)[2], -1);
    dgm_attribute age = dgm_graph_attribute(part, dgm_graph_attribute_find(part, "age"));
    assert_near(age.numbers[0], 50, 0);
    assert_near(age.numbers[1], 30, 0);
    assert_true(isnan(age.numbers[2]));
    dgm_attribute town = dgm_graph_attribute(part, dgm_graph_attribute_find(part, "town"));
    assert_string_equal(town.texts[0], "c");
    assert_null(town.texts[1]);
    assert_string_equal(town.texts[2], "a");
    dgm_graph_free(part);
    dgm_graph_free(graph);
}

/* A path of four nodes with features, dense or sparse, and splits. */
static dgm_graph *make_featured(bool sparse) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3}, columns[] = {1, 0, 2, 2};
    static const float dense[] = {0, 1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4}, entries[] = {1, 2, 3, 4};
    static const int64_t offsets[] = {0, 1, 3, 3, 4};
    static const uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_TEST, 0, DGM_SPLIT_VALIDATION};
    const dgm_graph_features features = {3, sparse ? offsets : NULL, sparse ? columns : NULL,
                                         sparse ? entries : dense};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, 4, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, 4, splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static float feature_at(const dgm_graph *graph, int64_t node, uint32_t column) {
    const dgm_graph_features is = dgm_graph_get_features(graph);
    if (!is.offsets)
        return is.values[node * is.width + column];
    for (int64_t e = is.offsets[node]; e < is.offsets[node + 1]; e++)
        if (is.columns[e] == column)
            return is.values ? is.values[e] : 1;
    return 0;
}

static void features_and_splits_come_along(void **state) {
    (void)state;
    static const uint32_t nodes[] = {3, 1, 2};
    for (int sparse = 0; sparse < 2; sparse++) {
        dgm_graph *graph = make_featured(sparse), *part;
        assert_int_equal(dgm_graph_induced(ctx, graph, nodes, 3, &part), DGM_OK);
        assert_int_equal(dgm_graph_get_features(part).width, 3);
        for (int i = 0; i < 3; i++) {
            for (uint32_t c = 0; c < 3; c++)
                assert_near(feature_at(part, i, c), feature_at(graph, nodes[i], c), 0);
            assert_int_equal(dgm_graph_splits(part)[i], dgm_graph_splits(graph)[nodes[i]]);
        }
        dgm_graph_free(part);
        dgm_graph_free(graph);
    }
}

static void wrong_nodes_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_random(false, 3), *part;
    assert_int_equal(dgm_graph_induced(ctx, graph, (const uint32_t[]){1, NODES}, 2, &part),
                     DGM_ERROR_USAGE);
    assert_null(part);
    assert_int_equal(dgm_graph_induced(ctx, graph, (const uint32_t[]){1, 1}, 2, &part),
                     DGM_ERROR_USAGE);
    assert_null(part);
    assert_int_equal(dgm_graph_induced(ctx, graph, NULL, 0, &part), DGM_OK);
    assert_int_equal(dgm_graph_nodes(part), 0);
    dgm_graph_free(part);
    dgm_graph_free(graph);
}

static dgm_status take_part(dgm_context *own, void *argument) {
    dgm_graph *part;
    dgm_status status = dgm_graph_induced(own, argument, (const uint32_t[]){3, 1, 2}, 3, &part);
    dgm_graph_free(part);
    return status;
}

static void every_failure_is_told(void **state) {
    (void)state;
    dgm_graph *rich = rich_graph(ctx), *featured = make_featured(true);
    fail_each_allocation(take_part, rich);
    fail_each_allocation(take_part, featured);
    dgm_graph_free(rich);
    dgm_graph_free(featured);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_those_between_the_nodes),
        cmocka_unit_test(numbers_stay_names),
        cmocka_unit_test(all_that_is_known_comes_along),
        cmocka_unit_test(features_and_splits_come_along),
        cmocka_unit_test(wrong_nodes_are_refused),
        cmocka_unit_test(every_failure_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
