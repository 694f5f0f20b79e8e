/* SPDX-License-Identifier: Apache-2.0 */
/* What a builder is told of the nodes: labels, splits, features, attributes. */
#include "graph_numbers.h"
#include "unit_fixture.h"

#include <math.h>

#include "builder_sample.h"
#include "graph_labels.h"
#include "unit_faults.h"

static void labels_splits_features_and_attributes_are_kept(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 3};
    dgm_graph_builder *builder = start(&options);
    static const char *const classes[] = {"cat", "dog"}, *const texts[] = {"one", NULL, ""};
    const uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_NONE, DGM_SPLIT_TEST};
    const float dense[] = {1, 2, 3, 4, 5, 6};
    const double numbers[] = {1.5, NAN, -2};
    assert_int_equal(dgm_graph_builder_set_source(builder, "first"), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "the zoo"), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 3, (const int32_t[]){1, -1, 4}), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 2, classes), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, 3, splits), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_set_features(builder, 3, &(dgm_graph_features){2, NULL, NULL, dense}),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "height", 3, numbers), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "kind", 3, texts), DGM_OK);
    assert_true(dgmi_graph_builder_has_labels(builder));
    assert_int_equal(dgmi_graph_builder_records(builder), 0);
    dgm_graph *graph = finish(builder);
    assert_string_equal(dgm_graph_source(graph), "the zoo");
    ASSERT_LABEL_NUMBERS(graph, ((const int32_t[]){1, -1, 4}));
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 0), "dog");
    assert_null(dgm_graph_class_name(graph, 1));
    assert_null(dgm_graph_class_name(graph, -1));
    assert_memory_equal(dgm_graph_splits(graph), splits, sizeof splits);
    assert_int_equal(dgm_graph_get_features(graph).width, 2);
    assert_null(dgm_graph_get_features(graph).columns);
    assert_memory_equal(dgm_graph_get_features(graph).values, dense, sizeof dense);
    assert_int_equal(dgm_graph_attributes(graph), 2);
    assert_int_equal(dgm_graph_attribute_find(graph, "kind"), 1);
    assert_int_equal(dgm_graph_attribute_find(graph, "Kind"), -1);
    dgm_attribute height = dgm_graph_attribute(graph, 0), kind = dgm_graph_attribute(graph, 1);
    assert_int_equal(height.kind, DGM_ATTRIBUTE_NUMBER);
    assert_memory_equal(height.numbers, numbers, sizeof numbers);
    assert_int_equal(kind.kind, DGM_ATTRIBUTE_TEXT);
    assert_string_equal(kind.texts[0], "one");
    assert_null(kind.texts[1]);
    assert_string_equal(kind.texts[2], "");
    dgm_graph_free(graph);
}

static void sparse_features_are_kept(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 2};
    const int64_t offsets[] = {0, 2, 3};
    const uint32_t columns[] = {0, 7, 3};
    dgm_graph_builder *builder = start(&options);
    assert_int_equal(dgm_graph_builder_set_features(
                         builder, 2, &(dgm_graph_features){8, offsets, columns, NULL}),
                     DGM_OK);
    dgm_graph *graph = finish(builder);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_int_equal(features.width, 8);
    assert_memory_equal(features.offsets, offsets, sizeof offsets);
    assert_memory_equal(features.columns, columns, sizeof columns);
    assert_null(features.values);
    dgm_graph_free(graph);
}

static void the_names_of_classes_given_last_count(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 2, (const int32_t[]){0, 1}), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_set_class_names(builder, 3, (const char *const[]){"a", "b", "c"}),
        DGM_OK);
    assert_int_equal(
        dgm_graph_builder_set_class_names(builder, 2, (const char *const[]){"ham", "spam"}),
        DGM_OK);
    dgm_graph *graph = finish(builder);
    assert_string_equal(dgm_graph_class_name(graph, 0), "ham");
    assert_string_equal(dgm_graph_class_name(graph, 1), "spam");
    dgm_graph_free(graph);
}

enum { FAR = INT32_MAX };

/* A graph of three nodes whose classes have high numbers, of which two have names. */
static dgm_status make_far(dgm_context *own, dgm_graph **out) {
    static const char *const old[] = {"a", "b"}, *const names[] = {"five", "far"};
    dgm_graph_builder *builder;
    *out = NULL;
    dgm_status status = dgm_graph_builder_create(own, NULL, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_reserve_nodes(builder, 3);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_labels(builder, 3, (const int32_t[]){FAR, 1000000, 5});
    if (status == DGM_OK)
        status = dgm_graph_builder_set_class_names(builder, 2, old);
    for (int twice = 0; status == DGM_OK && twice < 2; twice++)
        status = dgm_graph_builder_name_classes(builder, 2, (const int32_t[]){5, FAR}, names);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

static void assert_far(const dgm_graph *graph) {
    assert_string_equal(dgm_graph_class_name(graph, 0), "five");
    assert_string_equal(dgm_graph_class_name(graph, 1), "");
    assert_string_equal(dgm_graph_class_name(graph, 2), "far");
    assert_string_equal(dgmi_graph_number_name(graph, 0), "");
    assert_null(dgmi_graph_number_name(graph, -1));
}

static void names_of_far_classes_take_no_memory(void **state) {
    (void)state;
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *counted;
    dgm_graph *graph, *copy;
    assert_int_equal(dgm_context_create(&allocator, &counted), DGM_OK);
    assert_int_equal(make_far(counted, &graph), DGM_OK);
    assert_far(graph);
    assert_int_equal(dgmi_graph_copy(counted, graph, &copy), DGM_OK);
    assert_far(copy);
    dgm_graph_free(copy);
    /* Other labels bring names of their own. */
    assert_int_equal(dgm_graph_with_labels(counted, graph, (const int32_t[]){1, 0, 6}, 1,
                                           (const char *const[]){"other"}, &copy),
                     DGM_OK);
    assert_string_equal(dgm_graph_class_name(copy, 0), "other");
    assert_null(dgm_graph_class_name(copy, 1));
    assert_true(memory.peak < 1 << 20);
    dgm_graph_free(copy);
    dgm_graph_free(graph);
    dgm_context_free(counted);
}

static dgm_status make_far_once_more(dgm_context *own, void *nothing) {
    (void)nothing;
    dgm_graph *graph, *copy = NULL;
    dgm_status status = make_far(own, &graph);
    if (status == DGM_OK)
        status = dgmi_graph_copy(own, graph, &copy);
    dgm_graph_free(copy);
    dgm_graph_free(graph);
    return status;
}

static void memory_may_end_while_classes_get_names(void **state) {
    (void)state;
    fail_each_allocation(make_far_once_more, NULL);
}

/* Numbers without gaps are as good as none, and none may be named. */
static void numbers_of_classes_with_names_ascend(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b"};
    static const char words[] =
        "the numbers of the classes with names do not ascend from 0 or more";
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 2, (const int32_t[]){0, 1}), DGM_OK);
    assert_int_equal(dgm_graph_builder_name_classes(builder, 2, (const int32_t[]){0, 1}, names),
                     DGM_OK);
    ASSERT_FAILS(dgm_graph_builder_name_classes(builder, 2, (const int32_t[]){1, 1}, names),
                 DGM_ERROR_DATA, words);
    ASSERT_FAILS(dgm_graph_builder_name_classes(builder, 2, (const int32_t[]){1, 0}, names),
                 DGM_ERROR_DATA, words);
    ASSERT_FAILS(dgm_graph_builder_name_classes(builder, 2, (const int32_t[]){-1, 0}, names),
                 DGM_ERROR_DATA, words);
    dgm_graph *graph = finish(builder);
    assert_string_equal(dgm_graph_class_name(graph, 0), "a");
    assert_string_equal(dgm_graph_class_name(graph, 1), "b");
    assert_null(dgmi_graph_number_name(graph, 2));
    dgm_graph_free(graph);
    builder = start(NULL);
    assert_int_equal(dgm_graph_builder_name_classes(builder, 1, (const int32_t[]){3}, names),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_name_classes(builder, 0, NULL, NULL), DGM_OK);
    graph = finish(builder);
    assert_null(dgmi_graph_number_name(graph, 3));
    dgm_graph_free(graph);
}

static void a_label_below_minus_one_is_refused(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    ASSERT_FAILS(dgm_graph_builder_set_labels(builder, 3, (const int32_t[]){0, -1, -2}),
                 DGM_ERROR_DATA, "label -2 of node 2 is below -1 (-1 means unlabelled)");
    dgm_graph_builder_free(builder);
}

static void assert_finish_fails(dgm_graph_builder *builder, const char *words) {
    dgm_graph *graph;
    ASSERT_FAILS(dgm_graph_builder_finish(builder, &graph), DGM_ERROR_DATA, words);
    assert_null(graph);
}

static void tables_of_another_length_are_refused(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 3};
    const float values[4] = {0};
    const double numbers[4] = {0};
    const uint8_t splits[4] = {0};
    const int32_t labels[4] = {0};
    static const char *const texts[4] = {0};

    dgm_graph_builder *builder = start(&options);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 4, labels), DGM_OK);
    assert_finish_fails(builder, "labels: 4 rows for 3 nodes");
    builder = start(&options);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 0, labels), DGM_OK);
    assert_finish_fails(builder, "labels: 0 rows for 3 nodes");
    builder = start(&options);
    assert_int_equal(dgm_graph_builder_set_splits(builder, 2, splits), DGM_OK);
    assert_finish_fails(builder, "split: 2 rows for 3 nodes");
    builder = start(&options);
    assert_int_equal(
        dgm_graph_builder_set_features(builder, 4, &(dgm_graph_features){1, NULL, NULL, values}),
        DGM_OK);
    assert_finish_fails(builder, "features: 4 rows for 3 nodes");
    builder = start(&options);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "height", 1, numbers), DGM_OK);
    assert_finish_fails(builder, "height: 1 rows for 3 nodes");
    builder = start(&options);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "kind", 4, texts), DGM_OK);
    assert_finish_fails(builder, "kind: 4 rows for 3 nodes");
}

/* Nothing of a refused table stays, and the builder goes on. */
static void tables_that_point_outside_are_refused(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 2, 3}, late[] = {1, 1, 2, 3}, backwards[] = {0, 3, 2, 3},
                  beyond[] = {0, 1, 1000, 3};
    const uint32_t columns[] = {2, UINT32_MAX, 0}, inside[] = {0, 1, 2};
    const float values[] = {1, 1, 1};
    dgm_graph_builder *builder = start(NULL);
    ASSERT_FAILS(
        dgm_graph_builder_set_features(builder, 3, &(dgm_graph_features){3, late, inside, values}),
        DGM_ERROR_DATA, "the offsets of the features begin with 1, not with 0");
    ASSERT_FAILS(dgm_graph_builder_set_features(
                     builder, 3, &(dgm_graph_features){3, backwards, inside, values}),
                 DGM_ERROR_DATA, "the offsets of the features fall from 3 to 2 at row 1");
    ASSERT_FAILS(dgm_graph_builder_set_features(builder, 3,
                                                &(dgm_graph_features){3, beyond, inside, values}),
                 DGM_ERROR_DATA, "the offsets of the features fall from 1000 to 3 at row 2");
    ASSERT_FAILS(dgm_graph_builder_set_features(builder, 3,
                                                &(dgm_graph_features){3, offsets, columns, NULL}),
                 DGM_ERROR_DATA,
                 "row 1 has a feature in column 4294967295 (from 0), but there are only 3 columns");
    ASSERT_FAILS(
        dgm_graph_builder_set_features(builder, 3, &(dgm_graph_features){3, NULL, inside, values}),
        DGM_ERROR_DATA, "sparse features need both offsets and columns");
    ASSERT_FAILS(
        dgm_graph_builder_set_features(builder, 3, &(dgm_graph_features){3, offsets, NULL, values}),
        DGM_ERROR_DATA, "sparse features need both offsets and columns");
    ASSERT_FAILS(dgm_graph_builder_set_splits(builder, 2, (const uint8_t[]){3, DGM_SPLITS}),
                 DGM_ERROR_DATA, "node number 1 is in a part 4 of the split");
    dgm_graph *graph = finish(builder);
    assert_int_equal(dgm_graph_get_features(graph).width, 0);
    assert_null(dgm_graph_splits(graph));
    dgm_graph_free(graph);
}

/* Nodes that nothing but the highest number of an edge tells of; a table for each node says how
 * many there are. */
static void nodes_are_counted_by_ids_where_nothing_else_tells(void **state) {
    (void)state;
    static const int32_t labels[] = {0, 1};
    static const float values[] = {1, 2};
    const dgm_graph_features features = {.width = 1, .values = values};
    for (int way = 0; way < 4; way++) {
        dgm_graph_builder *builder = start(NULL);
        if (way == 1)
            assert_int_equal(dgm_graph_builder_set_labels(builder, 2, labels), DGM_OK);
        if (way == 2)
            assert_int_equal(dgm_graph_builder_set_features(builder, 2, &features), DGM_OK);
        assert_false(dgmi_graph_builder_counts_by_ids(builder));
        if (way < 3)
            assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, NULL),
                             DGM_OK);
        assert_int_equal(dgmi_graph_builder_counts_by_ids(builder), way == 0);
        dgm_graph_builder_free(builder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_splits_features_and_attributes_are_kept),
        cmocka_unit_test(sparse_features_are_kept),
        cmocka_unit_test(the_names_of_classes_given_last_count),
        cmocka_unit_test(names_of_far_classes_take_no_memory),
        cmocka_unit_test(memory_may_end_while_classes_get_names),
        cmocka_unit_test(numbers_of_classes_with_names_ascend),
        cmocka_unit_test(a_label_below_minus_one_is_refused),
        cmocka_unit_test(tables_of_another_length_are_refused),
        cmocka_unit_test(tables_that_point_outside_are_refused),
        cmocka_unit_test(nodes_are_counted_by_ids_where_nothing_else_tells),
    };
    return RUN_WITH_CONTEXT(tests);
}
