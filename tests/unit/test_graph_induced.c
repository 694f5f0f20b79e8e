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
    assert_string_equal(dgm_graph_source(part), "path (3 of 6 nodes)");
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

/* The data may name its first classes alone, or classes of numbers that are far apart. */
static void classes_keep_their_numbers_and_names(void **state) {
    (void)state;
    static const char *const names[] = {"zero", "one"};
    static const int32_t given[][3] = {{9, 1, 0}, {7000000, 0, 7000001}};
    static const int32_t named[][2] = {{0, 1}, {0, 7000000}};
    for (int far = 0; far < 2; far++) {
        dgm_graph_builder *builder;
        dgm_graph *graph, *part;
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 3), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_labels(builder, 3, given[far]), DGM_OK);
        assert_int_equal(dgm_graph_builder_name_classes(builder, 2, named[far], names), DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        assert_int_equal(dgm_graph_induced(ctx, graph, (const uint32_t[]){0, 1, 2}, 3, &part),
                         DGM_OK);
        assert_int_equal(dgm_graph_classes(part), 3);
        for (int32_t c = 0; c < 3; c++) {
            assert_int_equal(dgm_graph_class_number(part, c), dgm_graph_class_number(graph, c));
            if (c < 2)
                assert_string_equal(dgm_graph_class_name(part, c), names[c]);
            else
                assert_null(dgm_graph_class_name(part, c));
        }
        dgm_graph_free(part);
        dgm_graph_free(graph);
    }
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

/* Of three classes one is left among the labels of the part, and another is predicted there. */
static void predictions_come_along(void **state) {
    (void)state;
    static const int32_t says[] = {0, 1, 1, -1, 0, 1};
    static const double table[] = {1, 0, 0.25, 0.75, 0.5, 0.5, 0, 1, 0, 1, 1, 0};
    static const uint32_t nodes[] = {4, 2, 3}; /* of the class "high", and one of none */
    char buffer[16];
    dgm_graph *graph = rich_graph(ctx), *part;
    dgm_predictions *whole, *made;
    assert_int_equal(dgm_graph_induced(ctx, graph, nodes, 3, &part), DGM_OK);
    for (int probable = 0; probable < 2; probable++) {
        dgm_status status =
            probable ? dgm_predictions_from_probabilities(ctx, graph, table, 2, NULL, &whole)
                     : dgm_predictions_from_classes(ctx, graph, says, NULL, &whole);
        assert_int_equal(status, DGM_OK);
        assert_int_equal(dgm_predictions_induced(ctx, whole, part, nodes, &made), DGM_OK);
        assert_int_equal(dgm_predictions_known_classes(made), 2);
        for (int i = 0; i < 3; i++) {
            int32_t was = dgm_predictions_classes(whole)[nodes[i]];
            int32_t is = dgm_predictions_classes(made)[i];
            assert_true((was < 0) == (is < 0));
            if (was >= 0)
                assert_string_equal(
                    dgm_predictions_class_text(made, part, is, buffer, sizeof buffer),
                    dgm_graph_class_name(graph, was));
        }
        int32_t columns;
        const float *rows = dgm_predictions_probabilities(made, &columns);
        assert_int_equal(columns, probable ? 2 : 0);
        for (int i = 0; probable && i < 3; i++)
            for (int32_t j = 0; j < 2; j++) {
                assert_near(rows[2 * i + j], table[2 * nodes[i] + j], 0);
                assert_string_equal(dgm_predictions_class_name(
                                        made, part, dgm_predictions_probability_class(made, j)),
                                    dgm_graph_class_name(graph, j));
            }
        dgm_predictions_free(whole);
        dgm_predictions_free(made);
    }
    dgm_graph_free(part);
    dgm_graph_free(graph);
}

/* The split of a classifier comes along, and nodes that it knows nothing of are refused. */
static void splits_of_predictions_come_along(void **state) {
    (void)state;
    static const int32_t says[] = {0, 1, 1, -1, 0, 1};
    static const uint8_t splits[] = {1, 2, 3, 0, 3, 1};
    static const uint32_t nodes[] = {5, 2, 3}, beyond[] = {5, 2, 6};
    dgm_graph *graph = rich_graph(ctx), *part;
    dgm_predictions *whole, *made;
    assert_int_equal(dgm_graph_induced(ctx, graph, nodes, 3, &part), DGM_OK);
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, says, splits, &whole), DGM_OK);
    assert_int_equal(dgm_predictions_induced(ctx, whole, part, nodes, &made), DGM_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(dgm_predictions_splits(made)[i], splits[nodes[i]]);
    dgm_predictions_free(made);
    ASSERT_FAILS(dgm_predictions_induced(ctx, whole, part, beyond, &made), DGM_ERROR_USAGE,
                 "there are no predictions of node 6");
    assert_null(made);
    dgm_predictions_free(whole);
    dgm_graph_free(part);
    dgm_graph_free(graph);
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
        cmocka_unit_test(classes_keep_their_numbers_and_names),
        cmocka_unit_test(features_and_splits_come_along),
        cmocka_unit_test(predictions_come_along),
        cmocka_unit_test(splits_of_predictions_come_along),
        cmocka_unit_test(wrong_nodes_are_refused),
        cmocka_unit_test(every_failure_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
