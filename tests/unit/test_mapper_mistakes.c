/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes in clusters and among the nodes left out, each node once. */
#include "unit_fixture.h"

#include <string.h>

/* Twelve nodes: a path of nine, and one of three that --min-component leaves out. */
enum { NODES = 12, LONG = 9 };
static const int32_t labels[NODES] = {0, 1, 0, 1, 0, -1, 1, 0, 1, 0, 1, -1};
/* Wrong at 0, 3 (in several clusters), 8; and at 9, 10 and, unjudged, at 5 and 11. */
static const int32_t said[NODES] = {1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1};
static const uint8_t splits[NODES] = {DGM_SPLIT_TRAIN,      DGM_SPLIT_TRAIN, DGM_SPLIT_TRAIN,
                                      DGM_SPLIT_TEST,       DGM_SPLIT_TEST,  DGM_SPLIT_TEST,
                                      DGM_SPLIT_VALIDATION, DGM_SPLIT_NONE,  DGM_SPLIT_NONE,
                                      DGM_SPLIT_TEST,       DGM_SPLIT_TRAIN, DGM_SPLIT_TEST};

static dgm_graph *make_graph(bool with_labels, bool with_splits) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 1; u < NODES; u++)
        if (u != LONG)
            assert_int_equal(dgm_graph_builder_add(builder, 1, (uint32_t[]){u - 1, u}, NULL),
                             DGM_OK);
    if (with_labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    if (with_splits)
        assert_int_equal(dgm_graph_builder_set_splits(builder, NODES, splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static dgm_predictions *predict(const dgm_graph *graph, const uint8_t *drawn) {
    dgm_predictions *made;
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, said, drawn, &made), DGM_OK);
    return made;
}

static dgm_summary_mistakes count(const dgm_summary *summary, const dgm_graph *graph,
                                  const dgm_predictions *predictions) {
    dgm_summary_mistakes found;
    assert_int_equal(dgm_summary_count_mistakes(ctx, summary, graph, predictions, &found), DGM_OK);
    return found;
}

/* Cells that overlap by more than half: most nodes are in two clusters or three. */
static dgm_summary *map(const dgm_graph *graph, int64_t min_component) {
    double values[NODES];
    dgm_summary *summary;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 4;
    options.overlap[0] = 0.6;
    options.min_component = min_component;
    for (int u = 0; u < NODES; u++)
        values[u] = u % LONG;
    dgm_matrix *lens = build_matrix(NODES, 1, values);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_matrix_free(lens);
    return summary;
}

static void assert_judged(dgm_judged found, int64_t judged, int64_t mistakes) {
    assert_int_equal(found.judged, judged);
    assert_int_equal(found.mistakes, mistakes);
}

static void mistakes_are_counted_once_in_clusters_and_left_out(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(true, true);
    dgm_predictions *says = predict(graph, NULL);
    dgm_summary *summary = map(graph, 12);
    int64_t members =
        dgm_summary_get_clusters(summary).offsets[dgm_summary_get_clusters(summary).count];
    assert_int_equal(dgm_summary_get_coverage(summary).covered, LONG);
    assert_true(members > LONG); /* so that counting memberships would be seen */
    dgm_summary_mistakes found = count(summary, graph, says);
    assert_true(found.known && found.split);
    assert_judged(dgm_judged_sum(found.covered), 8, 3);
    assert_judged(dgm_judged_sum(found.left_out), 2, 2);
    assert_judged(found.covered[DGM_SPLIT_TRAIN], 3, 1);
    assert_judged(found.covered[DGM_SPLIT_VALIDATION], 1, 0);
    assert_judged(found.covered[DGM_SPLIT_TEST], 2, 1);
    assert_judged(found.covered[DGM_SPLIT_NONE], 2, 1);
    assert_judged(found.left_out[DGM_SPLIT_TEST], 1, 1);
    assert_judged(found.left_out[DGM_SPLIT_TRAIN], 1, 1);
    dgm_summary_free(summary);
    summary = map(graph, 0);
    found = count(summary, graph, says);
    assert_judged(dgm_judged_sum(found.covered), 10, 5);
    assert_judged(dgm_judged_sum(found.left_out), 0, 0);
    dgm_summary_free(summary);
    summary = map(graph, 1000);
    found = count(summary, graph, says);
    assert_judged(dgm_judged_sum(found.covered), 0, 0);
    assert_judged(dgm_judged_sum(found.left_out), 10, 5);
    dgm_summary_free(summary);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

static void without_labels_or_predictions_nothing_is_known(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        dgm_graph *graph = make_graph(i == 1, true);
        dgm_predictions *says = i == 2 ? predict(graph, NULL) : NULL;
        dgm_summary *summary = map(graph, 0);
        assert_false(count(summary, graph, says).known);
        dgm_summary_free(summary);
        dgm_predictions_free(says);
        dgm_graph_free(graph);
    }
}

static void nodes_without_a_prediction_are_not_judged(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(true, false);
    dgm_summary *summary = map(graph, 0);
    int32_t some[NODES];
    dgm_predictions *says;
    memcpy(some, said, sizeof some);
    some[0] = some[1] = -1; /* the first was a mistake, the second right */
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, some, NULL, &says), DGM_OK);
    assert_judged(dgm_judged_sum(count(summary, graph, says).covered), 8, 4);
    dgm_predictions_free(says);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void who_trained_what_predicts_wins_over_the_split_of_the_graph(void **state) {
    (void)state;
    uint8_t drawn[NODES];
    memset(drawn, DGM_SPLIT_TEST, sizeof drawn);
    for (int with_splits = 0; with_splits < 2; with_splits++) {
        dgm_graph *graph = make_graph(true, with_splits);
        dgm_predictions *usual = predict(graph, NULL), *own = predict(graph, drawn);
        dgm_summary *summary = map(graph, 12);
        dgm_summary_mistakes found = count(summary, graph, usual);
        assert_int_equal(found.split, with_splits);
        assert_judged(dgm_judged_sum(found.covered), 8, 3);
        found = count(summary, graph, own);
        assert_true(found.split);
        assert_judged(found.covered[DGM_SPLIT_TEST], 8, 3);
        assert_judged(found.left_out[DGM_SPLIT_TEST], 2, 2);
        dgm_summary_free(summary);
        dgm_predictions_free(usual);
        dgm_predictions_free(own);
        dgm_graph_free(graph);
    }
}

static void what_belongs_to_another_graph_is_wrong_usage(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(true, false);
    dgm_graph *other = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_predictions *says;
    dgm_summary *summary = map(graph, 0);
    dgm_summary_mistakes found;
    assert_int_equal(
        dgm_predictions_from_classes(ctx, other, (const int32_t[]){0, 0, 0}, NULL, &says), DGM_OK);
    ASSERT_FAILS(dgm_summary_count_mistakes(ctx, summary, other, NULL, &found), DGM_ERROR_USAGE,
                 "the summary is not one of this graph");
    ASSERT_FAILS(dgm_summary_count_mistakes(ctx, summary, graph, says, &found), DGM_ERROR_USAGE,
                 "predictions of 3 nodes for a graph of 12");
    dgm_predictions_free(says);
    dgm_summary_free(summary);
    dgm_graph_free(other);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_counted_once_in_clusters_and_left_out),
        cmocka_unit_test(without_labels_or_predictions_nothing_is_known),
        cmocka_unit_test(who_trained_what_predicts_wins_over_the_split_of_the_graph),
        cmocka_unit_test(nodes_without_a_prediction_are_not_judged),
        cmocka_unit_test(what_belongs_to_another_graph_is_wrong_usage),
    };
    return RUN_WITH_CONTEXT(tests);
}
