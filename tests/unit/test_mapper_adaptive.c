/* SPDX-License-Identifier: Apache-2.0 */
/* Cells that split while they hold too many nodes, worked out by hand. The property tests compare
 * them with boxes that are cut by definition (check_mapper_cover.c). */
#include "mapper_sample.h"

#include <math.h>

#include "../check_random.h"

static dgm_mapper_options adaptive(int64_t size, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_ADAPTIVE;
    options.cluster = DGM_CLUSTER_NONE;
    options.cell_size = size;
    options.overlap[0] = overlap;
    return options;
}

/* The cells of points without edges. */
static void assert_cells(int64_t nodes, int64_t columns, const double *values,
                         dgm_mapper_options options, const char *expected) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, columns, values, &options);
    assert_clusters(summary, expected);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static const double to_eight[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

static void boxes_are_cut_in_the_middle_until_they_hold_few(void **state) {
    (void)state;
    assert_cells(9, 1, to_eight, adaptive(9, 0), "0 1 2 3 4 5 6 7 8");
    /* [0, 4) [4, 8] */
    assert_cells(9, 1, to_eight, adaptive(8, 0), "0 1 2 3|4 5 6 7 8");
    /* [0, 2) [2, 4) [4, 6) [6, 8] */
    assert_cells(9, 1, to_eight, adaptive(3, 0), "0 1|2 3|4 5|6 7 8");
    assert_cells(9, 1, to_eight, adaptive(2, 0), "0 1|2 3|4 5|6|7 8");
    assert_cells(9, 1, to_eight, adaptive(1, 0), "0|1|2|3|4|5|6|7|8");
}

static void boxes_are_widened_by_their_own_length_and_count_with_it(void **state) {
    (void)state;
    /* A gain of 1/2 doubles the length: [0, 4) reaches to 6 and holds six, [4, 8] begins at 2 and
     * holds seven; its halves reach from 3 to 7 and from 5 on. */
    assert_cells(9, 1, to_eight, adaptive(6, 0.5), "0 1 2 3 4 5|3 4 5 6|5 6 7 8");
    assert_cells(9, 1, to_eight, adaptive(7, 0.5), "0 1 2 3 4 5|2 3 4 5 6 7 8");
}

static void nodes_that_agree_stay_together(void **state) {
    (void)state;
    static const double tied[] = {0, 0, 0, 0, 0, 1};
    assert_cells(6, 1, tied, adaptive(2, 0.5), "0 1 2 3 4|5");
    /* [0, 1/2) holds the five zeros and reaches to 3/4: one node more is not too many, two are. */
    static const double beside[] = {0, 0, 0, 0, 0, 0.7, 1}, two[] = {0, 0, 0, 0, 0, 0.6, 0.7, 1};
    assert_cells(7, 1, beside, adaptive(1, 0.5), "0 1 2 3 4 5|5|5 6");
    assert_cells(8, 1, two, adaptive(2, 0.5), "0 1 2 3 4 5 6|5 6|6 7");
    assert_cells(8, 1, two, adaptive(1, 0.5), "0 1 2 3 4|5|5 6|6 7");
}

static void the_longest_side_is_cut_and_of_equals_the_first(void **state) {
    (void)state;
    static const double corners[] = {0, 0, 0, 10, 1, 0, 1, 10}; /* sides are shares of the range */
    assert_cells(4, 2, corners, adaptive(2, 0), "0 1|2 3");
    assert_cells(4, 2, corners, adaptive(1, 0), "0|1|2|3");
    static const double tall[] = {5, 0, 5, 1, 5, 2, 5, 3}; /* no cut parts them along the first */
    assert_cells(4, 2, tall, adaptive(2, 0), "0 1|2 3");
}

static void an_outlier_does_not_swallow_the_rest(void **state) {
    (void)state;
    double values[101];
    for (int i = 0; i < 100; i++)
        values[i] = i * 1e-6;
    values[100] = 1;
    dgm_graph *graph = build_graph(NULL, 101, 0, NULL, NULL);
    dgm_mapper_options options = adaptive(20, 0.2);
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_true(clusters.count > 5 && clusters.count < 20);
    for (int64_t c = 0; c < clusters.count; c++)
        assert_true(clusters.offsets[c + 1] - clusters.offsets[c] <= 20);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* Any number of axes: a grid of 10 intervals would have 10^40 cells. */
static void many_axes_cost_no_more_than_the_nodes(void **state) {
    (void)state;
    enum { NODES = 300, COLUMNS = 40, SIZE = 50 };
    static double values[NODES * COLUMNS];
    check_random random = check_random_case(1, 1, 1);
    for (int i = 0; i < NODES * COLUMNS; i++)
        values[i] = check_random_unit(&random);
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    dgm_mapper_options options = adaptive(SIZE, 0.2);
    dgm_summary *summary = map_graph(graph, COLUMNS, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_true(clusters.axes == 1 && clusters.count > NODES / SIZE && clusters.count < NODES);
    for (int64_t c = 0; c < clusters.count; c++) {
        assert_int_equal(clusters.cells[c], c);
        assert_true(clusters.offsets[c + 1] - clusters.offsets[c] <= SIZE);
    }
    assert_int_equal(dgm_summary_get_coverage(summary).covered, NODES);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void a_summary_says_how_many_cells_were_found(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 9, 0, NULL, NULL);
    dgm_mapper_options options = adaptive(3, 0.1);
    options.intervals[0] = 7; /* nobody asks */
    options.intervals[1] = 8;
    dgm_summary *summary = map_graph(graph, 1, to_eight, &options);
    const dgm_mapper_options *said = dgm_summary_options(summary);
    assert_true(said->cover == DGM_COVER_ADAPTIVE && said->cell_size == 3);
    assert_true(said->intervals[0] == 4 && said->intervals[1] == DGM_SAME);
    assert_true(said->overlap[0] == 0.1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void few_nodes_and_constant_lenses_are_one_cell(void **state) {
    (void)state;
    static const double same[] = {3, 3, 3, 3}, nearly[] = {1, 1 + 1e-12, 1 - 1e-12, 1};
    assert_cells(0, 1, same, adaptive(1, 0.2), "");
    assert_cells(1, 1, same, adaptive(1, 0.2), "0");
    assert_cells(4, 1, same, adaptive(1, 0.2), "0 1 2 3");
    assert_cells(4, 1, nearly, adaptive(1, 0.2), "0 1 2 3");
    assert_cells(2, 2, same, adaptive(1, 0.2), "0 1");
}

static void extreme_values_are_cut_like_any(void **state) {
    (void)state;
    static const double huge[] = {-1.7e308, 0, 1.7e308}, tiny[] = {0, 2e-320, 4e-320};
    assert_cells(3, 1, huge, adaptive(1, 0), "0|1|2");
    assert_cells(3, 1, tiny, adaptive(1, 0), "0|1|2");
}

static void another_size_starts_again_and_the_same_does_not(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 9, 0, NULL, NULL);
    dgm_matrix *lens = build_matrix(9, 1, to_eight);
    dgm_mapper *mapper;
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    for (int turn = 0; turn < 4; turn++) {
        dgm_mapper_options options = adaptive(turn % 2 ? 3 : 8, 0);
        dgm_summary *summary;
        assert_int_equal(dgm_mapper_summarise(ctx, mapper, &options, &summary), DGM_OK);
        assert_clusters(summary, turn % 2 ? "0 1|2 3|4 5|6 7 8" : "0 1 2 3|4 5 6 7 8");
        dgm_summary_free(summary);
    }
    dgm_mapper_free(mapper);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void a_size_is_needed_and_rules_of_others_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = adaptive(0, 0.2);
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover=adaptive:size=K needs the number of nodes above which a cell is split");
    options = adaptive(5, 0.2);
    options.rule = DGM_RULE_KEPLER;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "compat=kepler is a rule for equal intervals, which this cover does not have");
}

static void the_text_of_a_cover_has_its_size(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_cover_parse(ctx, "adaptive:size=50", &options, NULL, 0), DGM_OK);
    assert_true(options.cover == DGM_COVER_ADAPTIVE && options.cell_size == 50);
    ASSERT_FAILS(dgm_cover_parse(ctx, "adaptive:sizes=5", &options, NULL, 0), DGM_ERROR_USAGE,
                 "the cover 'adaptive' has no key 'sizes' (it takes size); did you mean 'size'?");
    ASSERT_FAILS(dgm_cover_parse(ctx, "adaptive:size=0", &options, NULL, 0), DGM_ERROR_USAGE,
                 "the cover 'adaptive': size takes a whole number from 1 to 9007199254740992, not "
                 "'0'");
    ASSERT_FAILS(dgm_cover_parse(ctx, "uniform:size=3", &options, NULL, 0), DGM_ERROR_USAGE,
                 "the cover 'uniform' takes no keys, not 'size'");
    assert_true(options.cover == DGM_COVER_ADAPTIVE && options.cell_size == 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_cut_in_the_middle_until_they_hold_few),
        cmocka_unit_test(boxes_are_widened_by_their_own_length_and_count_with_it),
        cmocka_unit_test(nodes_that_agree_stay_together),
        cmocka_unit_test(the_longest_side_is_cut_and_of_equals_the_first),
        cmocka_unit_test(an_outlier_does_not_swallow_the_rest),
        cmocka_unit_test(many_axes_cost_no_more_than_the_nodes),
        cmocka_unit_test(a_summary_says_how_many_cells_were_found),
        cmocka_unit_test(few_nodes_and_constant_lenses_are_one_cell),
        cmocka_unit_test(extreme_values_are_cut_like_any),
        cmocka_unit_test(another_size_starts_again_and_the_same_does_not),
        cmocka_unit_test(a_size_is_needed_and_rules_of_others_are_refused),
        cmocka_unit_test(the_text_of_a_cover_has_its_size),
    };
    return RUN_WITH_CONTEXT(tests);
}
