/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of a graph are those that occur, and keep the numbers of the data. */
#include "unit_fixture.h"

#include <math.h>

#include "../check_memory.h"
#include "graph_labels.h"
#include "graph_numbers.h"

static dgm_graph *labelled(int64_t nodes, const int32_t *labels) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    assert_int_equal(dgm_graph_set_labels(ctx, graph, labels, 0, NULL), DGM_OK);
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
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    assert_int_equal(dgm_graph_set_labels(ctx, graph, (const int32_t[]){3, 1, 9}, 4, names),
                     DGM_OK);
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
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    const int32_t labels[] = {INT32_MAX, 1000000, 0};
    assert_int_equal(dgm_graph_set_labels(counted, graph, labels, 0, NULL), DGM_OK);
    ASSERT_LABEL_NUMBERS(graph, labels);
    assert_true(memory.peak < 1 << 20);
    dgm_graph_free(graph);
    dgm_context_free(counted);
}

/* ---- what a classifier says ---- */

static void as_many_outputs_as_classes_are_the_classes(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){7, 3});
    assert_int_equal(
        dgm_graph_set_probabilities(ctx, graph, 2, (const float[]){0.25F, 0.75F, 0.75F, 0.25F}),
        DGM_OK);
    assert_int_equal(dgm_graph_class_number(graph, dgm_graph_predictions(graph)[0]), 7);
    assert_int_equal(dgm_graph_class_number(graph, dgm_graph_predictions(graph)[1]), 3);
    assert_int_equal(dgm_graph_probability_class(graph, 1), 1);
    assert_int_equal(dgm_graph_probability_class(graph, 2), -1);
    dgm_graph_free(graph);
}

/* A network that was trained elsewhere on labels from 1 has an output that no label has. */
static void more_outputs_are_numbers_from_0(void **state) {
    (void)state;
    const float says[] = {0, 1, 0, 0, /**/ 0, 0, 0, 1, /**/ 1, 0, 0, 0};
    dgm_graph *graph = labelled(3, (const int32_t[]){1, 3, 2});
    assert_int_equal(dgm_graph_set_probabilities(ctx, graph, 4, says), DGM_OK);
    const int32_t *labels = dgm_graph_labels(graph), *predictions = dgm_graph_predictions(graph);
    assert_int_equal(dgm_graph_classes(graph), 3);
    assert_int_equal(predictions[0], labels[0]);
    assert_int_equal(predictions[1], labels[1]);
    assert_int_equal(dgm_graph_class_number(graph, predictions[2]), 0);
    assert_int_equal(dgm_graph_class_number(graph, dgm_graph_probability_class(graph, 3)), 3);
    /* The next network takes the place of this one. */
    assert_int_equal(dgm_graph_set_probabilities(ctx, graph, 3, says), DGM_OK);
    assert_int_equal(dgm_graph_class_number(graph, 3), -1);
    dgm_graph_free(graph);
}

static void outputs_that_are_neither_classes_nor_numbers_are_refused(void **state) {
    (void)state;
    const float says[6] = {0};
    dgm_graph *graph = labelled(2, (const int32_t[]){2, 3});
    ASSERT_FAILS(dgm_graph_set_probabilities(ctx, graph, 3, says), DGM_ERROR_DATA,
                 "the network has 3 outputs, but the labels are 2 classes with numbers up to 3: "
                 "number the labels as the outputs, from 0 to 2 (--labels FILE)");
    assert_null(dgm_graph_predictions(graph));
    /* Without gaps it only does not know the last classes. */
    assert_int_equal(dgm_graph_set_labels(ctx, graph, (const int32_t[]){0, 1}, 0, NULL), DGM_OK);
    assert_int_equal(dgm_graph_set_probabilities(ctx, graph, 1, says), DGM_OK);
    dgm_graph_free(graph);
}

static void a_network_that_knows_its_numbers_is_believed(void **state) {
    (void)state;
    const float says[] = {0, 0, 1, /**/ 1, 0, 0};
    dgm_graph *graph = labelled(2, (const int32_t[]){2, 3});
    assert_int_equal(dgmi_graph_set_probabilities(ctx, graph, 3, (const int32_t[]){1, 2, 3}, says),
                     DGM_OK);
    const int32_t *predictions = dgm_graph_predictions(graph);
    assert_int_equal(dgm_graph_class_number(graph, predictions[0]), 3);
    assert_int_equal(dgm_graph_class_number(graph, predictions[1]), 1);
    assert_true(predictions[1] >= dgm_graph_classes(graph));
    dgm_graph_free(graph);
}

static void other_labels_forget_what_was_predicted(void **state) {
    (void)state;
    dgm_graph *graph = labelled(1, (const int32_t[]){4});
    int32_t columns;
    assert_int_equal(dgm_graph_set_probabilities(ctx, graph, 1, (const float[]){1}), DGM_OK);
    assert_int_equal(dgm_graph_set_labels(ctx, graph, (const int32_t[]){5}, 0, NULL), DGM_OK);
    assert_null(dgm_graph_predictions(graph));
    assert_null(dgm_graph_probabilities(graph, &columns));
    assert_int_equal(columns, 0);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

static dgm_status label_and_predict(dgm_context *context, dgm_graph *graph) {
    static const char *const names[] = {"a", "b"};
    dgm_status status =
        dgm_graph_set_labels(context, graph, (const int32_t[]){900, 1, 5}, 2, names);
    return status == DGM_OK ? dgm_graph_set_probabilities(context, graph, 3, (const float[9]){0.5F})
                            : status;
}

static void every_failed_allocation_is_told_and_nothing_leaks(void **state) {
    (void)state;
    for (int k = 1;; k++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *counted, *usual = ctx;
        assert_int_equal(dgm_context_create(&allocator, &counted), DGM_OK);
        ctx = counted;
        dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
        ctx = usual;
        memory.fail_at = memory.calls + k;
        dgm_status status = label_and_predict(counted, graph);
        bool failed = memory.calls >= memory.fail_at;
        assert_int_equal(status, failed ? DGM_ERROR_MEMORY : DGM_OK);
        dgm_graph_free(graph);
        dgm_context_free(counted);
        assert_int_equal(memory.blocks, 0);
        if (failed)
            continue;
        assert_true(k > 8);
        return;
    }
}

static void labels_and_predictions_that_cannot_be_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    const float flawed[] = {0.5F, 0.5F, 0.5F, NAN};
    ASSERT_FAILS(dgm_graph_set_labels(ctx, graph, (const int32_t[]){0, -2}, 0, NULL),
                 DGM_ERROR_DATA, "label -2 of node 1 is below -1 (-1 means unlabelled)");
    assert_null(dgm_graph_labels(graph));
    ASSERT_FAILS(dgm_graph_set_probabilities(ctx, graph, 0, flawed), DGM_ERROR_USAGE,
                 "predictions need at least one class");
    ASSERT_FAILS(dgm_graph_set_probabilities(ctx, graph, 2, flawed), DGM_ERROR_DATA,
                 "the prediction of node number 1 is not a number");
    assert_null(dgm_graph_predictions(graph));
    dgm_graph_free(graph);
}

static void a_graph_without_nodes_has_labels_and_predictions_of_none(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    int32_t columns;
    assert_int_equal(dgm_graph_set_labels(ctx, graph, NULL, 0, NULL), DGM_OK);
    assert_int_equal(dgm_graph_classes(graph), 0);
    assert_int_equal(dgm_graph_set_probabilities(ctx, graph, 2, NULL), DGM_OK);
    assert_non_null(dgm_graph_probabilities(graph, &columns));
    assert_int_equal(columns, 2);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_left_out_are_no_classes),
        cmocka_unit_test(without_gaps_classes_are_the_numbers),
        cmocka_unit_test(names_stay_with_their_numbers),
        cmocka_unit_test(far_numbers_take_no_memory),
        cmocka_unit_test(as_many_outputs_as_classes_are_the_classes),
        cmocka_unit_test(more_outputs_are_numbers_from_0),
        cmocka_unit_test(outputs_that_are_neither_classes_nor_numbers_are_refused),
        cmocka_unit_test(a_network_that_knows_its_numbers_is_believed),
        cmocka_unit_test(other_labels_forget_what_was_predicted),
        cmocka_unit_test(every_failed_allocation_is_told_and_nothing_leaks),
        cmocka_unit_test(labels_and_predictions_that_cannot_be_are_refused),
        cmocka_unit_test(a_graph_without_nodes_has_labels_and_predictions_of_none),
    };
    return RUN_WITH_CONTEXT(tests);
}
