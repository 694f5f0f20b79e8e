/* SPDX-License-Identifier: Apache-2.0 */
/* What a summary is like, against answers by hand; and when clusters are dust. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgm/study.h"

#include "unit_faults.h"

/* Two triangles 0 1 2 and 3 4 5 that the edge 2-3 joins, the pair 6-7, and node 8 alone. */
static dgm_graph *scene(void) {
    const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3, 2, 3, 6, 7};
    return build_graph(NULL, 9, 8, ends, NULL);
}

static dgm_study_measures measure(const dgm_graph *graph, const double *values, int64_t intervals,
                                  double overlap, int64_t dust) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_study_measures is;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    assert_int_equal(dgm_matrix_borrow(ctx, values, dgm_graph_nodes(graph), 1, &lens), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    assert_int_equal(dgm_study_measure(ctx, graph, summary, dust, &is), DGM_OK);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return is;
}

/* Cells [0, 1) and [1, 2]: the triangles, the pair with the second one, and the lone node. */
static void shares_and_counts_are_those_by_hand(void **state) {
    (void)state;
    const double values[] = {0, 0, 0, 2, 2, 2, 2, 2, 0};
    dgm_graph *graph = scene();
    dgm_study_measures is = measure(graph, values, 2, 0, 3);
    assert_int_equal(is.clusters, 4);
    assert_int_equal(is.shown, 2);
    assert_int_equal(is.singles, 1);
    assert_near(is.largest, 3.0 / 9, 1e-12);
    assert_near(is.held, 1, 1e-12); /* of the six nodes whose component has three or more */
    assert_near(is.inside, 7.0 / 8, 1e-12);
    assert_int_equal(is.pieces, 2);
    assert_near(is.joined, 0.5, 1e-12); /* the six are in two pieces of three */
    assert_int_equal(is.loops, 0);
    /* Four nodes in the first cell and five in the second: (6 + 10) of 36 pairs. */
    assert_near(is.chance, 16.0 / 36, 0.03);
    dgm_graph_free(graph);
}

/* With one cell nothing is cut. */
static void one_cell_holds_what_hangs_together(void **state) {
    (void)state;
    const double values[9] = {0};
    dgm_graph *graph = scene();
    dgm_study_measures is = measure(graph, values, 1, 0, 3);
    assert_int_equal(is.clusters, 3);
    assert_near(is.largest, 6.0 / 9, 1e-12);
    assert_near(is.inside, 1, 1e-12);
    assert_near(is.joined, 1, 1e-12);
    assert_near(is.chance, 1, 1e-12);
    dgm_graph_free(graph);
}

/* A node in two clusters of one piece counts once: the path 0 - 1 - 2 in two cells that share 1. */
static void nodes_of_a_piece_count_once(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    const double values[] = {0, 1, 2};
    dgm_graph *graph = build_graph(NULL, 3, 2, ends, NULL);
    dgm_study_measures is = measure(graph, values, 2, 0.5, 4);
    assert_int_equal(is.clusters, 2);
    assert_int_equal(is.pieces, 0); /* three nodes, not four */
    is = measure(graph, values, 2, 0.5, 3);
    assert_int_equal(is.pieces, 1);
    assert_near(is.joined, 1, 1e-12);
    dgm_graph_free(graph);
}

/* A ring of twelve nodes in a lens of two axes has one loop. */
static void loops_are_those_of_the_nerve(void **state) {
    (void)state;
    uint32_t ends[24];
    double places[24];
    for (uint32_t i = 0; i < 12; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % 12;
        places[2 * i] = cos(acos(-1) * i / 6);
        places[2 * i + 1] = sin(acos(-1) * i / 6);
    }
    dgm_graph *graph = build_graph(NULL, 12, 12, ends, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_study_measures is;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    options.intervals[0] = 3;
    options.overlap[0] = 0.5;
    assert_int_equal(dgm_matrix_borrow(ctx, places, 12, 2, &lens), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    assert_int_equal(dgm_study_measure(ctx, graph, summary, 1, &is), DGM_OK);
    assert_int_equal(is.loops, 1);
    assert_int_equal(is.pieces, 1);
    assert_int_equal(dgm_study_measure(ctx, graph, summary, 0, &is), DGM_ERROR_USAGE);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void a_graph_without_edges_or_nodes_is_measured(void **state) {
    (void)state;
    const double value = 0;
    dgm_graph *none = build_graph(NULL, 0, 0, NULL, NULL),
              *one = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_study_measures is = measure(none, &value, 2, 0, 5);
    assert_int_equal(is.clusters, 0);
    assert_near(is.largest, 0, 0);
    is = measure(one, &value, 2, 0, 5);
    assert_int_equal(is.clusters, 1);
    assert_near(is.largest, 1, 0);
    assert_near(is.inside, 1, 0);
    dgm_graph_free(none);
    dgm_graph_free(one);
}

typedef struct {
    const dgm_graph *graph;
    const dgm_summary *summary;
} mapped;

static dgm_status measure_and_diagnose(dgm_context *own, void *argument) {
    const mapped *of = argument;
    dgm_study_measures is;
    dgm_diagnosis found;
    dgm_status status = dgm_study_measure(own, of->graph, of->summary, 2, &is);
    return status == DGM_OK ? dgm_summary_diagnose(own, of->graph, of->summary, &found) : status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    enum { NODES = 30 };
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    uint32_t ends[2 * (NODES - 1)];
    double values[NODES];
    dgm_matrix *lens;
    dgm_summary *summary;
    for (uint32_t i = 0; i < NODES; i++) {
        values[i] = i;
        ends[i ? 2 * i - 2 : 0] = i - (i > 0);
        ends[i ? 2 * i - 1 : 1] = i;
    }
    dgm_graph *path = build_graph(NULL, NODES, NODES - 1, ends, NULL);
    options.intervals[0] = 4;
    options.overlap[0] = 0.3;
    assert_int_equal(dgm_matrix_borrow(ctx, values, NODES, 1, &lens), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, path, lens, &options, &summary), DGM_OK);
    fail_each_allocation(measure_and_diagnose, &(mapped){path, summary});
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(path);
}

/* 5 up to 19,999 nodes, then the largest of 10, 20, 50, 100, ... below a 2,000th. */
static void dust_grows_with_the_graph(void **state) {
    (void)state;
    const int64_t cases[][2] = {{0, 5},        {34, 5},        {19999, 5},  {20000, 10},
                                {39999, 10},   {40000, 20},    {75879, 20}, {100000, 50},
                                {325729, 100}, {2000000, 1000}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(dgm_study_dust_size(cases[i][0]), cases[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_and_counts_are_those_by_hand),
        cmocka_unit_test(one_cell_holds_what_hangs_together),
        cmocka_unit_test(nodes_of_a_piece_count_once),
        cmocka_unit_test(loops_are_those_of_the_nerve),
        cmocka_unit_test(a_graph_without_edges_or_nodes_is_measured),
        cmocka_unit_test(dust_grows_with_the_graph),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
