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

static dgm_study_measures measure_by(const dgm_graph *graph, const double *values, int64_t axes,
                                     const dgm_mapper_options *options, int64_t dust) {
    dgm_study_measures is;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    assert_int_equal(dgm_matrix_borrow(ctx, values, dgm_graph_nodes(graph), axes, &lens), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, options, &summary), DGM_OK);
    assert_int_equal(dgm_study_measure(ctx, graph, summary, dust, &is), DGM_OK);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return is;
}

static dgm_study_measures measure(const dgm_graph *graph, const double *values, int64_t intervals,
                                  double overlap, int64_t dust) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    return measure_by(graph, values, 1, &options, dust);
}

/* A path whose nodes have their numbers as values, in these cells. */
static dgm_study_measures measure_path(uint32_t nodes, const char *cells, int pieces,
                                       int64_t dust) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[8];
    uint32_t ends[64];
    double values[32];
    for (uint32_t i = 0; i < nodes; i++) {
        values[i] = i;
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *path = build_graph(NULL, nodes, nodes - 1, ends, NULL);
    assert_int_equal(dgm_cover_parse(ctx, cells, &options, given, COUNT(given)), DGM_OK);
    options.pieces = pieces;
    dgm_study_measures is = measure_by(path, values, 1, &options, dust);
    dgm_graph_free(path);
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
    assert_int_equal(is.loops, 0);
    assert_int_equal(is.taken, 0);
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
    dgm_graph_free(graph);
}

/* A component of just the size of dust is none, and neither is such a cluster or piece. */
static void what_has_the_size_of_dust_is_no_dust(void **state) {
    (void)state;
    const double one[9] = {0}, two[] = {0, 0, 0, 2, 2, 2, 2, 2, 0};
    dgm_graph *graph = scene();
    dgm_study_measures is = measure(graph, one, 1, 0, 6);
    assert_true(is.shown == 1 && is.pieces == 1 && is.held == 1);
    is = measure(graph, one, 1, 0, 7); /* nothing can be held */
    assert_true(is.shown == 0 && is.pieces == 0 && is.held == 1);
    is = measure(graph, two, 2, 0, 2); /* eight nodes: two pieces of three, and the pair */
    assert_int_equal(is.shown, 3);
    assert_int_equal(is.pieces, 3);
    assert_near(is.held, 1, 1e-12);
    is = measure(graph, two, 2, 0, 4); /* of the six nodes none is in a cluster of four */
    assert_near(is.held, 0, 1e-12);
    dgm_graph_free(graph);
}

/* A path of six in two pieces of two and four. */
static void pieces_are_counted_by_their_nodes(void **state) {
    (void)state;
    static const char *const cells[] = {"intervals:0..1.5,1.6..5.5", "intervals:0..3.5,3.6..5.5"};
    for (int64_t i = 0; i < COUNT(cells); i++) {
        dgm_study_measures is = measure_path(6, cells[i], DGM_PIECES_APART, 2);
        assert_true(is.pieces == 2 && is.shown == 2);
        assert_near(is.held, 1, 1e-12);
        is = measure_path(6, cells[i], DGM_PIECES_APART, 3);
        assert_true(is.pieces == 1 && is.shown == 1);
        assert_near(is.held, 4.0 / 6, 1e-12);
    }
}

/* 0 1 2 and 2 3 4 share a node; 5 6 7 8 is another piece until a node is taken across. */
static void nodes_that_were_taken_are_counted(void **state) {
    (void)state;
    static const char cells[] = "intervals:0..2.5,1.6..4.5,4.6..8.5";
    dgm_study_measures is = measure_path(9, cells, DGM_PIECES_APART, 3);
    assert_true(is.pieces == 2 && is.taken == 0 && is.clusters == 3);
    is = measure_path(9, cells, DGM_PIECES_JOINED, 3);
    assert_true(is.pieces == 1 && is.taken == 1 && is.clusters == 3);
    is = measure_path(9, "intervals:0..2.5,2.6..5.5,5.6..8.5", DGM_PIECES_JOINED, 3);
    assert_true(is.pieces == 1 && is.taken == 2 && is.clusters == 3);
}

/* They are those of dgm_summary_measure_bits, with dust of the same size. */
static void bits_are_those_of_the_marks(void **state) {
    (void)state;
    const double values[] = {0, 0, 0, 2, 2, 2, 2, 2, 0};
    dgm_graph *graph = scene();
    dgm_matrix *lens = build_matrix(9, 1, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary;
    options.intervals[0] = 2;
    options.overlap[0] = 0;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    for (int64_t dust = 1; dust < 4; dust++) {
        dgm_study_measures is;
        dgm_bits bits;
        assert_int_equal(dgm_study_measure(ctx, graph, summary, dust, &is), DGM_OK);
        assert_int_equal(dgm_summary_measure_bits(ctx, summary, graph, dust, &bits), DGM_OK);
        assert_true(bits.known && is.bits.known && bits.blocks == is.bits.blocks);
        assert_true(bits.gained == is.bits.gained && bits.cost == is.bits.cost);
        assert_int_equal(bits.blocks, 4); /* the pair and the lone node are a mark each */
        assert_int_equal(bits.runs, 0);
    }
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* What a figure shows of small clusters (mapper_dust.h), with dust below five nodes. */
static void marks_are_clusters_and_piles(void **state) {
    (void)state;
    /* Two pairs hang on one large cluster: one pile of both. */
    dgm_study_measures is = measure_path(8, "intervals:0..1.2,0.8..6.2,5.8..7.2", 0, 5);
    assert_true(is.clusters == 3 && is.shown == 1 && is.marks == 2);
    /* One pair hangs there: a pile that looks like a cluster. */
    is = measure_path(7, "intervals:0..1.2,0.8..6.2", 0, 5);
    assert_true(is.clusters == 2 && is.shown == 1 && is.marks == 2);
    /* A bridge of one cluster is no pile. */
    is = measure_path(12, "intervals:0..5.2,4.8..6.2,5.8..11.2", 0, 5);
    assert_true(is.clusters == 3 && is.shown == 2 && is.marks == 3);
    /* A pair at either end, and a bridge. */
    is = measure_path(14, "intervals:0..1.2,0.8..6.2,5.8..7.2,6.8..12.2,11.8..13.2", 0, 5);
    assert_true(is.clusters == 5 && is.shown == 2 && is.marks == 5);
    /* Nothing is small. */
    is = measure_path(7, "intervals:0..1.2,0.8..6.2", 0, 2);
    assert_true(is.clusters == 2 && is.shown == 2 && is.marks == 2);
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
    ASSERT_FAILS(dgm_study_measure(ctx, graph, summary, 0, &is), DGM_ERROR_USAGE,
                 "the size of dust is at least 1");
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
    assert_true(is.held == 1 && is.inside == 1 && is.bits.gained == 0 && is.bits.cost == 0);
    is = measure(one, &value, 2, 0, 5);
    assert_int_equal(is.clusters, 1);
    assert_int_equal(is.singles, 1);
    assert_near(is.largest, 1, 0);
    assert_true(is.held == 1 && is.inside == 1 && is.bits.gained == 0 && is.bits.cost == 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_and_counts_are_those_by_hand),
        cmocka_unit_test(one_cell_holds_what_hangs_together),
        cmocka_unit_test(what_has_the_size_of_dust_is_no_dust),
        cmocka_unit_test(pieces_are_counted_by_their_nodes),
        cmocka_unit_test(nodes_that_were_taken_are_counted),
        cmocka_unit_test(bits_are_those_of_the_marks),
        cmocka_unit_test(marks_are_clusters_and_piles),
        cmocka_unit_test(nodes_of_a_piece_count_once),
        cmocka_unit_test(loops_are_those_of_the_nerve),
        cmocka_unit_test(a_graph_without_edges_or_nodes_is_measured),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
