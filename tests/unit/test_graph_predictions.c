/* SPDX-License-Identifier: Apache-2.0 */
/* Predictions: from logits, from probabilities and from classes, for a graph that stays as it is.
 */
#include "unit_fixture.h"

#include <math.h>

#include "graph_predictions.h"
#include "table_matrix.h"
#include "unit_faults.h"

/* `nodes` nodes without edges; labels NULL: none. */
static dgm_graph *build_labelled(int64_t nodes, const int32_t *labels, int32_t name_count,
                                 const char *const *names) {
    dgm_graph_builder *builder;
    dgm_graph *graph = NULL;
    if (dgm_graph_builder_create(ctx, NULL, &builder) != DGM_OK)
        return NULL;
    dgm_status status = dgm_graph_builder_reserve_nodes(builder, nodes);
    if (status == DGM_OK && labels)
        status = dgm_graph_builder_set_labels(builder, nodes, labels);
    if (status == DGM_OK && name_count)
        status = dgm_graph_builder_set_class_names(builder, name_count, names);
    if (status == DGM_OK)
        dgm_graph_builder_finish(builder, &graph);
    else
        dgm_graph_builder_free(builder);
    return graph;
}

static dgm_graph *labelled(int64_t nodes, const int32_t *labels) {
    dgm_graph *graph = build_labelled(nodes, labels, 0, NULL);
    assert_non_null(graph);
    return graph;
}

static dgm_predictions *from_table(const dgm_graph *graph, int32_t columns, const double *values) {
    dgm_predictions *made;
    assert_int_equal(dgm_predictions_from_probabilities(ctx, graph, values, columns, NULL, &made),
                     DGM_OK);
    return made;
}

/* The numbers of the classes that are predicted. */
static void assert_numbers(const dgm_predictions *made, const int32_t *numbers) {
    for (int64_t u = 0; u < dgm_predictions_nodes(made); u++)
        assert_int_equal(dgm_predictions_class_number(made, dgm_predictions_classes(made)[u]),
                         numbers[u]);
}

/* ---- logits ---- */

static void probabilities_are_the_softmax_of_logits(void **state) {
    (void)state;
    dgm_graph *graph = labelled(3, (const int32_t[]){0, 1, 2});
    dgm_matrix *logits =
        build_matrix(3, 3, (const double[]){0, log(2), 0, 1000, 0, 1000, -5000, -5001, -5002});
    dgm_predictions *made;
    int32_t columns;
    assert_int_equal(dgm_predictions_from_logits(ctx, graph, logits, NULL, &made), DGM_OK);
    const float *p = dgm_predictions_probabilities(made, &columns);
    assert_int_equal(columns, 3);
    const double expected[] = {0.25, 0.5, 0.25, 0.5, 0, 0.5, 0.66524096, 0.24472847, 0.09003057};
    for (int i = 0; i < 9; i++)
        assert_near(p[i], expected[i], 1e-7);
    const int32_t classes[] = {1, 0, 0};
    assert_memory_equal(dgm_predictions_classes(made), classes, sizeof classes);
    assert_int_equal(dgm_predictions_nodes(made), 3);
    assert_null(dgm_predictions_splits(made));
    dgm_predictions_free(made);
    dgm_matrix_free(logits);
    dgm_graph_free(graph);
}

static void logits_that_know_their_classes_are_believed(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){2, 3});
    dgm_matrix *logits = build_matrix(2, 3, (const double[]){0, 0, 9, 9, 0, 0});
    dgm_predictions *made;
    for (int32_t j = 0; j < 3; j++)
        dgmi_table_matrix_set_column_class(logits, j, j + 1);
    assert_int_equal(dgm_predictions_from_logits(ctx, graph, logits, NULL, &made), DGM_OK);
    assert_numbers(made, (const int32_t[]){3, 1});
    assert_int_equal(dgm_predictions_known_classes(made), 3);
    assert_int_equal(dgm_predictions_classes(made)[1], 2);
    dgm_predictions_free(made);
    dgm_matrix_free(logits);
    dgm_graph_free(graph);
}

/* Class 0 is a class like the others: who knows of 0 and 2 is not asked about 1. */
static void logits_that_know_of_class_0_are_believed(void **state) {
    (void)state;
    dgm_graph *graph = labelled(3, (const int32_t[]){0, 1, 2});
    dgm_matrix *logits = build_matrix(3, 2, (const double[]){9, 0, 0, 9, 0, 9});
    dgm_predictions *made;
    for (int32_t j = 0; j < 2; j++)
        dgmi_table_matrix_set_column_class(logits, j, 2 * j);
    assert_int_equal(dgm_predictions_from_logits(ctx, graph, logits, NULL, &made), DGM_OK);
    assert_numbers(made, (const int32_t[]){0, 2, 2});
    dgm_predictions_free(made);
    dgm_matrix_free(logits);
    dgm_graph_free(graph);
}

static void logits_that_do_not_fit_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){0, 1});
    dgm_predictions *made;
    dgm_matrix *rows = build_matrix(3, 2, NULL), *none = build_matrix(2, 0, NULL);
    dgm_matrix *flawed = build_matrix(2, 2, (const double[]){0, 0, 0, NAN});
    ASSERT_FAILS(dgm_predictions_from_logits(ctx, graph, rows, NULL, &made), DGM_ERROR_USAGE,
                 "logits of 3 nodes for a graph of 2");
    assert_null(made);
    ASSERT_FAILS(dgm_predictions_from_logits(ctx, graph, none, NULL, &made), DGM_ERROR_USAGE,
                 "predictions need at least one class");
    assert_null(made);
    ASSERT_FAILS(dgm_predictions_from_logits(ctx, graph, flawed, NULL, &made), DGM_ERROR_DATA,
                 "the prediction of node number 1 is not a number");
    assert_null(made);
    dgm_matrix_free(rows);
    dgm_matrix_free(none);
    dgm_matrix_free(flawed);
    dgm_graph_free(graph);
}

/* ---- probabilities ---- */

static void as_many_columns_as_classes_are_the_classes(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){7, 3});
    dgm_predictions *made = from_table(graph, 2, (const double[]){0.25, 0.75, 0.75, 0.25});
    assert_numbers(made, (const int32_t[]){7, 3});
    assert_int_equal(dgm_predictions_probability_class(made, 1), 1);
    assert_int_equal(dgm_predictions_probability_class(made, 2), -1);
    assert_int_equal(dgm_predictions_probability_class(made, -1), -1);
    assert_int_equal(dgm_predictions_class_number(made, 2), -1);
    assert_int_equal(dgm_predictions_class_number(made, -1), -1);
    dgm_predictions_free(made);
    dgm_graph_free(graph);
}

/* A network that was trained elsewhere on labels from 1 has an output that no label has. */
static void more_columns_are_numbers_from_0(void **state) {
    (void)state;
    static const char *const names[] = {"ant", "bee"};
    char buffer[12];
    dgm_graph *graph = build_labelled(3, (const int32_t[]){1, 3, 2}, 2, names);
    const double says[] = {0, 1, 0, 0, /**/ 0, 0, 0, 1, /**/ 1, 0, 0, 0};
    dgm_predictions *made = from_table(graph, 4, says);
    assert_int_equal(dgm_graph_classes(graph), 3);
    assert_int_equal(dgm_predictions_known_classes(made), 4);
    assert_numbers(made, (const int32_t[]){1, 3, 0});
    assert_int_equal(dgm_predictions_classes(made)[0], dgm_graph_labels(graph)[0]);
    assert_int_equal(dgm_predictions_probability_class(made, 3), 2);
    assert_string_equal(dgm_predictions_class_name(made, graph, 3), "ant");
    assert_string_equal(dgm_predictions_class_text(made, graph, 0, buffer, sizeof buffer), "bee");
    assert_null(dgm_predictions_class_name(made, graph, 2));
    assert_string_equal(dgm_predictions_class_text(made, graph, 2, buffer, sizeof buffer), "3");
    dgm_predictions_free(made);
    dgm_graph_free(graph);
}

static void columns_that_are_neither_classes_nor_numbers_are_refused(void **state) {
    (void)state;
    const double says[6] = {1, 0, 0, 1, 0, 0};
    dgm_predictions *made;
    dgm_graph *graph = labelled(2, (const int32_t[]){2, 3});
    ASSERT_FAILS(dgm_predictions_from_probabilities(ctx, graph, says, 3, NULL, &made),
                 DGM_ERROR_DATA,
                 "the network has 3 outputs, but the labels are 2 classes with numbers up to 3: "
                 "number the labels as the outputs, from 0 to 2 (labels=FILE)");
    assert_null(made);
    ASSERT_FAILS(dgm_predictions_from_probabilities(ctx, graph, says, 0, NULL, &made),
                 DGM_ERROR_USAGE, "predictions need at least one class");
    dgm_graph_free(graph);
    /* Where numbers have no gaps, the classifier only does not know the last classes. */
    graph = labelled(2, (const int32_t[]){0, 1});
    made = from_table(graph, 1, (const double[]){1, 1});
    assert_int_equal(dgm_predictions_known_classes(made), 2);
    dgm_predictions_free(made);
    dgm_graph_free(graph);
}

static void refuse_row(const dgm_graph *graph, double first, double second, const char *words) {
    dgm_predictions *made;
    const double says[] = {0.5, 0.5, first, second};
    ASSERT_FAILS(dgm_predictions_from_probabilities(ctx, graph, says, 2, NULL, &made),
                 DGM_ERROR_DATA, words);
    assert_null(made);
}

static void rows_that_are_no_probabilities_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){0, 1});
    refuse_row(graph, 0, NAN, "the prediction of node number 1 is not a number");
    refuse_row(graph, INFINITY, 0, "the prediction of node number 1 is not a number");
    refuse_row(graph, 1.25, -0.25,
               "a probability of node number 1 is negative (-0.25): probabilities are expected, "
               "not logits");
    refuse_row(graph, 40, 60, "the probabilities of node number 1 sum to 100 instead of 1");
    refuse_row(graph, 0.5, 0.48, "the probabilities of node number 1 sum to 0.98 instead of 1");
    refuse_row(graph, 0, 0, "the probabilities of node number 1 sum to 0 instead of 1");
    /* What was rounded to two digits is still a row of probabilities. */
    dgm_predictions_free(from_table(graph, 2, (const double[]){0.49, 0.505, 0.505, 0.5}));
    dgm_graph_free(graph);
}

/* ---- classes ---- */

static void classes_alone_have_no_probabilities(void **state) {
    (void)state;
    dgm_graph *graph = labelled(3, (const int32_t[]){7, 3, 3});
    const int32_t says[] = {0, -1, 1};
    dgm_predictions *made;
    int32_t columns;
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, says, NULL, &made), DGM_OK);
    assert_memory_equal(dgm_predictions_classes(made), says, sizeof says);
    assert_null(dgm_predictions_probabilities(made, &columns));
    assert_int_equal(columns, 0);
    assert_int_equal(dgm_predictions_probability_class(made, 0), -1);
    assert_int_equal(dgm_predictions_known_classes(made), 2);
    assert_numbers(made, (const int32_t[]){3, -1, 7});
    dgm_predictions_free(made);
    dgm_graph_free(graph);
}

static void classes_out_of_range_are_refused(void **state) {
    (void)state;
    dgm_predictions *made;
    dgm_graph *graph = labelled(2, (const int32_t[]){7, 3});
    ASSERT_FAILS(dgm_predictions_from_classes(ctx, graph, (const int32_t[]){0, 2}, NULL, &made),
                 DGM_ERROR_DATA,
                 "the prediction of node number 1 is class 2, but classes are counted from 0 to 1 "
                 "(-1 means none)");
    assert_null(made);
    assert_int_equal(
        dgm_predictions_from_classes(ctx, graph, (const int32_t[]){-2, 0}, NULL, &made),
        DGM_ERROR_DATA);
    assert_null(made);
    dgm_graph_free(graph);
}

static void a_graph_without_labels_has_the_classes_that_are_predicted(void **state) {
    (void)state;
    dgm_predictions *made;
    dgm_graph *graph = labelled(3, NULL);
    assert_int_equal(
        dgm_predictions_from_classes(ctx, graph, (const int32_t[]){0, 2, -1}, NULL, &made), DGM_OK);
    assert_int_equal(dgm_predictions_known_classes(made), 3);
    assert_numbers(made, (const int32_t[]){0, 2, -1});
    dgm_predictions_free(made);
    assert_int_equal(
        dgm_predictions_from_classes(ctx, graph, (const int32_t[]){0, 3, 0}, NULL, &made),
        DGM_ERROR_DATA);
    dgm_graph_free(graph);
}

/* ---- splits, and the graph they belong to ---- */

static void splits_are_copied_and_checked(void **state) {
    (void)state;
    uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_TEST};
    const int32_t classes[] = {0, 0};
    dgm_predictions *made;
    dgm_graph *graph = labelled(2, (const int32_t[]){0, 0});
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, classes, splits, &made), DGM_OK);
    splits[1] = DGM_SPLITS;
    assert_int_equal(dgm_predictions_splits(made)[0], DGM_SPLIT_TRAIN);
    assert_int_equal(dgm_predictions_splits(made)[1], DGM_SPLIT_TEST);
    dgm_predictions_free(made);
    ASSERT_FAILS(dgm_predictions_from_classes(ctx, graph, classes, splits, &made), DGM_ERROR_USAGE,
                 "node number 1 is in a part 4 of the split");
    assert_null(made);
    dgm_graph_free(graph);
}

static void predictions_fit_the_graph_they_were_made_for(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){7, 3}), *fewer = labelled(1, NULL);
    dgm_graph *other = labelled(2, (const int32_t[]){7, 4}), *none = labelled(2, NULL);
    dgm_predictions *made = from_table(graph, 2, (const double[]){0.25, 0.75, 0.75, 0.25});
    assert_int_equal(dgmi_graph_predictions_check(ctx, NULL, fewer), DGM_OK);
    assert_int_equal(dgmi_graph_predictions_check(ctx, made, graph), DGM_OK);
    assert_int_equal(dgmi_graph_predictions_check(ctx, made, none), DGM_OK);
    ASSERT_FAILS(dgmi_graph_predictions_check(ctx, made, fewer), DGM_ERROR_USAGE,
                 "predictions of 2 nodes for a graph of 1");
    ASSERT_FAILS(dgmi_graph_predictions_check(ctx, made, other), DGM_ERROR_USAGE,
                 "the predictions were made for a graph with other classes");
    dgm_predictions_free(made);
    dgm_graph_free(graph);
    dgm_graph_free(fewer);
    dgm_graph_free(other);
    dgm_graph_free(none);
}

static void a_graph_without_nodes_has_predictions_of_none(void **state) {
    (void)state;
    dgm_graph *graph = labelled(0, NULL);
    dgm_predictions *made;
    int32_t columns;
    made = from_table(graph, 2, NULL);
    assert_non_null(dgm_predictions_probabilities(made, &columns));
    assert_int_equal(columns, 2);
    dgm_predictions_free(made);
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, NULL, NULL, &made), DGM_OK);
    dgm_predictions_free(made);
    dgm_predictions_free(NULL);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

typedef struct {
    const dgm_graph *graph;
    const dgm_matrix *logits;
} sample;

static dgm_status make_all(dgm_context *own, void *argument) {
    const sample *from = argument;
    const uint8_t splits[] = {1, 2, 3};
    const double says[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    dgm_predictions *made[3] = {NULL};
    dgm_status status =
        dgm_predictions_from_logits(own, from->graph, from->logits, splits, &made[0]);
    if (status == DGM_OK)
        status = dgm_predictions_from_probabilities(own, from->graph, says, 3, splits, &made[1]);
    if (status == DGM_OK)
        status = dgm_predictions_from_classes(own, from->graph, (const int32_t[]){0, 1, 2}, splits,
                                              &made[2]);
    for (int i = 0; i < 3; i++)
        dgm_predictions_free(made[i]);
    return status;
}

static void every_failed_allocation_is_told_and_nothing_leaks(void **state) {
    (void)state;
    sample from = {labelled(3, (const int32_t[]){900, 1, 5}), build_matrix(3, 3, NULL)};
    fail_each_allocation(make_all, &from);
    dgm_graph_free((dgm_graph *)from.graph);
    dgm_matrix_free((dgm_matrix *)from.logits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_the_softmax_of_logits),
        cmocka_unit_test(logits_that_know_their_classes_are_believed),
        cmocka_unit_test(logits_that_know_of_class_0_are_believed),
        cmocka_unit_test(logits_that_do_not_fit_are_refused),
        cmocka_unit_test(as_many_columns_as_classes_are_the_classes),
        cmocka_unit_test(more_columns_are_numbers_from_0),
        cmocka_unit_test(columns_that_are_neither_classes_nor_numbers_are_refused),
        cmocka_unit_test(rows_that_are_no_probabilities_are_refused),
        cmocka_unit_test(classes_alone_have_no_probabilities),
        cmocka_unit_test(classes_out_of_range_are_refused),
        cmocka_unit_test(a_graph_without_labels_has_the_classes_that_are_predicted),
        cmocka_unit_test(splits_are_copied_and_checked),
        cmocka_unit_test(predictions_fit_the_graph_they_were_made_for),
        cmocka_unit_test(a_graph_without_nodes_has_predictions_of_none),
        cmocka_unit_test(every_failed_allocation_is_told_and_nothing_leaks),
    };
    return RUN_WITH_CONTEXT(tests);
}
