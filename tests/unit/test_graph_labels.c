/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of a graph are those that occur, and keep the numbers of the data. */
#include "unit_fixture.h"

#include <math.h>

#include "graph_labels.h"
#include "graph_numbers.h"
#include "unit_faults.h"

static dgm_graph *labelled(int64_t nodes, const int32_t *labels) {
    dgm_graph *bare = build_graph(NULL, nodes, 0, NULL, NULL), *graph;
    assert_int_equal(dgm_graph_with_labels(ctx, bare, labels, 0, NULL, &graph), DGM_OK);
    dgm_graph_free(bare);
    return graph;
}

static void numbers_that_are_left_out_are_no_classes(void **state) {
    (void)state;
    dgm_graph *graph = labelled(5, (const int32_t[]){7, 3, -1, 8, 3});
    const int32_t classes[] = {1, 0, -1, 2, 0};
    char buffer[12];
    assert_int_equal(dgm_graph_classes(graph), 3);
    assert_memory_equal(dgm_graph_labels(graph), classes, sizeof classes);
    ASSERT_LABEL_NUMBERS(graph, ((const int32_t[]){7, 3, -1, 8, 3}));
    assert_null(dgm_graph_class_name(graph, 0));
    assert_string_equal(dgm_graph_class_text(graph, 1, buffer, sizeof buffer), "7");
    assert_int_equal(dgm_graph_class_number(graph, -1), -1);
    assert_int_equal(dgm_graph_class_number(graph, 3), -1);
    dgm_graph_free(graph);
}

static void without_gaps_classes_are_the_numbers(void **state) {
    (void)state;
    const int32_t labels[] = {1, 0, -1, 2};
    dgm_graph *graph = labelled(4, labels);
    assert_int_equal(dgm_graph_classes(graph), 3);
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    ASSERT_LABEL_NUMBERS(graph, labels);
    dgm_graph_free(graph);
    graph = labelled(2, (const int32_t[]){-1, -1});
    assert_int_equal(dgm_graph_classes(graph), 0);
    dgm_graph_free(graph);
}

static void names_stay_with_their_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"ant", "bee", "cat", "dog"};
    char buffer[12];
    dgm_graph *bare = build_graph(NULL, 3, 0, NULL, NULL), *graph;
    assert_int_equal(dgm_graph_with_labels(ctx, bare, (const int32_t[]){3, 1, 9}, 4, names, &graph),
                     DGM_OK);
    dgm_graph_free(bare);
    assert_string_equal(dgm_graph_class_name(graph, 0), "bee");
    assert_string_equal(dgm_graph_class_name(graph, 1), "dog");
    assert_null(dgm_graph_class_name(graph, 2));
    assert_string_equal(dgm_graph_class_text(graph, 1, buffer, sizeof buffer), "dog");
    assert_string_equal(dgm_graph_class_text(graph, 2, buffer, sizeof buffer), "9");
    assert_string_equal(dgmi_graph_number_name(graph, 0), "ant");
    dgm_graph_free(graph);
}

static void far_numbers_take_no_memory(void **state) {
    (void)state;
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *counted;
    assert_int_equal(dgm_context_create(&allocator, &counted), DGM_OK);
    dgm_graph *bare = build_graph(NULL, 3, 0, NULL, NULL), *graph;
    const int32_t labels[] = {INT32_MAX, 1000000, 0};
    assert_int_equal(dgm_graph_with_labels(counted, bare, labels, 0, NULL, &graph), DGM_OK);
    dgm_graph_free(bare);
    ASSERT_LABEL_NUMBERS(graph, labels);
    assert_true(memory.peak < 1 << 20);
    dgm_graph_free(graph);
    dgm_context_free(counted);
}

/* ---- a graph with other labels is another graph ---- */

static dgm_graph *rich_graph(dgm_context *own) {
    static const char *const node_names[] = {"ann", "bob", "cy"}, *const classes[] = {"x", "y"};
    static const char *const towns[] = {"Ulm", NULL, "Rom"};
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    dgm_graph_features features = {.width = 2, .values = (const float[]){1, 2, 3, 4, 5, 6}};
    dgm_status status = dgm_graph_builder_create(own, NULL, &builder);
    for (int i = 0; status == DGM_OK && i < 3; i++)
        status =
            dgm_graph_builder_node(builder, node_names[i], strlen(node_names[i]), &(uint32_t){0});
    if (status == DGM_OK)
        status = dgm_graph_builder_add(builder, 2, (const uint32_t[]){0, 1, 1, 2},
                                       (const double[]){0.5, 2});
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, 3, (const int32_t[]){1, 5, 1});
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, 2, classes);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_splits(builder, 3, (const uint8_t[]){1, 2, 3});
    if (status == DGM_OK)
        status = dgm_graph_builder_set_features(builder, 3, &features);
    if (status == DGM_OK)
        status = dgm_graph_builder_add_texts(builder, "town", 3, towns);
    if (status == DGM_OK)
        status = dgm_graph_builder_add_numbers(builder, "age", 3, (const double[]){1, NAN, 3});
    if (status == DGM_OK)
        status = dgm_graph_builder_set_source(builder, "three");
    if (status == DGM_OK)
        dgm_graph_builder_finish(builder, &graph);
    else
        dgm_graph_builder_free(builder);
    return graph;
}

static void assert_same_but_labels(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    assert_int_equal(x.nodes, y.nodes);
    assert_int_equal(x.entries, y.entries);
    assert_memory_equal(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets);
    assert_memory_equal(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets);
    assert_memory_equal(x.weights, y.weights, (size_t)x.entries * sizeof *x.weights);
    assert_ptr_not_equal(x.offsets, y.offsets);
    assert_memory_equal(dgm_graph_splits(a), dgm_graph_splits(b), 3);
    assert_memory_equal(dgm_graph_get_features(a).values, dgm_graph_get_features(b).values,
                        6 * sizeof(float));
    assert_string_equal(dgm_graph_source(a), dgm_graph_source(b));
    for (int64_t u = 0; u < 3; u++)
        assert_string_equal(dgm_graph_name_text(a, u, NULL), dgm_graph_name_text(b, u, NULL));
    dgm_attribute towns = dgm_graph_attribute(b, dgm_graph_attribute_find(b, "town"));
    assert_string_equal(towns.texts[0], "Ulm");
    assert_null(towns.texts[1]);
    assert_string_equal(towns.texts[2], "Rom");
    assert_true(dgm_graph_attribute(b, dgm_graph_attribute_find(b, "age")).numbers[2] == 3);
}

static void other_labels_make_another_graph(void **state) {
    (void)state;
    static const char *const names[] = {"left", "right"};
    dgm_graph *graph = rich_graph(ctx), *other;
    dgm_graph_index *index;
    assert_int_equal(
        dgm_graph_with_labels(ctx, graph, (const int32_t[]){0, 1, -1}, 2, names, &other), DGM_OK);
    assert_same_but_labels(graph, other);
    ASSERT_LABEL_NUMBERS(graph, ((const int32_t[]){1, 5, 1}));
    assert_string_equal(dgm_graph_class_name(graph, 0), "y");
    ASSERT_LABEL_NUMBERS(other, ((const int32_t[]){0, 1, -1}));
    assert_string_equal(dgm_graph_class_name(other, 1), "right");
    dgm_graph_free(graph); /* the copy stands by itself */
    assert_int_equal(dgm_graph_index_create(ctx, other, &index), DGM_OK);
    assert_int_equal(dgm_graph_index_find(index, "cy", 2), 2);
    dgm_graph_index_free(index);
    dgm_graph_free(other);
}

static void labels_that_cannot_be_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL), *other;
    ASSERT_FAILS(dgm_graph_with_labels(ctx, graph, (const int32_t[]){0, -2}, 0, NULL, &other),
                 DGM_ERROR_DATA, "label -2 of node 1 is below -1 (-1 means unlabelled)");
    assert_null(other);
    assert_null(dgm_graph_labels(graph));
    dgm_graph_free(graph);
}

static void a_graph_without_nodes_has_labels_of_none(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL), *other;
    assert_int_equal(dgm_graph_with_labels(ctx, graph, NULL, 0, NULL, &other), DGM_OK);
    assert_int_equal(dgm_graph_classes(other), 0);
    dgm_graph_free(other);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

static dgm_status label_once_more(dgm_context *own, void *graph) {
    static const char *const names[] = {"a", "b"};
    dgm_graph *other;
    dgm_status status =
        dgm_graph_with_labels(own, graph, (const int32_t[]){900, 1, 5}, 2, names, &other);
    dgm_graph_free(other);
    return status;
}

static void every_failed_allocation_is_told_and_nothing_leaks(void **state) {
    (void)state;
    dgm_graph *graph = rich_graph(ctx);
    fail_each_allocation(label_once_more, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_left_out_are_no_classes),
        cmocka_unit_test(without_gaps_classes_are_the_numbers),
        cmocka_unit_test(names_stay_with_their_numbers),
        cmocka_unit_test(far_numbers_take_no_memory),
        cmocka_unit_test(other_labels_make_another_graph),
        cmocka_unit_test(labels_that_cannot_be_are_refused),
        cmocka_unit_test(a_graph_without_nodes_has_labels_of_none),
        cmocka_unit_test(every_failed_allocation_is_told_and_nothing_leaks),
    };
    return RUN_WITH_CONTEXT(tests);
}
