/* SPDX-License-Identifier: Apache-2.0 */
/* Memberships as a matrix S, and S'AS. */
#include "mapper_sample.h"

#include <math.h>

#include "base_random.h"
#include "unit_progress.h"

static dgm_membership *create(int64_t nodes, int64_t clusters, const int64_t *offsets,
                              const uint32_t *columns, const double *values) {
    const dgm_membership_rows rows = {nodes, clusters, offsets, columns, values};
    dgm_membership *membership;
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    return membership;
}

/* ---- from a summary ---- */

/* The path 0-1-2-3 covered by 0 1 | 1 2 3 | 2 3 */
static void memberships_are_ones_or_split_evenly(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, (const uint32_t[]){0, 1, 1, 2, 2, 3}, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[4];
    assert_int_equal(dgm_cover_parse(ctx, "intervals:-1..1.5,0.5..9,1.5..9", &options, given, 4),
                     DGM_OK);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 1, 2, 3}, &options);
    assert_clusters(summary, "0 1|1 2 3|2 3");
    const int64_t offsets[] = {0, 1, 3, 5, 7};
    const uint32_t columns[] = {0, 0, 1, 1, 2, 1, 2};
    const double ones[] = {1, 1, 1, 1, 1, 1, 1}, split[] = {1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    for (int kind = DGM_MEMBERSHIP_ONES; kind <= DGM_MEMBERSHIP_SPLIT; kind++) {
        dgm_membership *membership;
        assert_int_equal(
            dgm_membership_from_summary(ctx, summary, (dgm_membership_kind)kind, &membership),
            DGM_OK);
        dgm_membership_rows rows = dgm_membership_get_rows(membership);
        assert_int_equal(rows.nodes, 4);
        assert_int_equal(rows.clusters, 3);
        assert_memory_equal(rows.offsets, offsets, sizeof offsets);
        assert_memory_equal(rows.columns, columns, sizeof columns);
        assert_memory_equal(rows.values, kind == DGM_MEMBERSHIP_ONES ? ones : split, sizeof ones);
        dgm_membership_free(membership);
    }
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void a_node_that_was_filtered_has_an_empty_row(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 2, (const uint32_t[]){0, 1, 2, 3}, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[4];
    assert_int_equal(dgm_cover_parse(ctx, "intervals:2..9", &options, given, 4), DGM_OK);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){0, 3, 1, 4}, &options);
    dgm_membership *membership;
    assert_int_equal(dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_SPLIT, &membership),
                     DGM_OK);
    const int64_t offsets[] = {0, 0, 1, 1, 2};
    assert_memory_equal(dgm_membership_get_rows(membership).offsets, offsets, sizeof offsets);
    dgm_membership_free(membership);
    dgm_membership_free(NULL);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- from a lens ---- */

static dgm_membership *cells_of(int64_t nodes, const double *values, int64_t intervals,
                                double overlap, dgm_membership_kind kind) {
    dgm_matrix *lens = build_matrix(nodes, 1, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_membership *membership;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    assert_int_equal(dgm_membership_from_lens(ctx, lens, &options, kind, &membership), DGM_OK);
    dgm_matrix_free(lens);
    return membership;
}

/* 0 .. 4 in two cells of gain 1/3: length 12/5, [0, 2.4) and [1.6, 4], so that 2 is in both. */
static void cells_of_a_lens_overlap(void **state) {
    (void)state;
    const double lens[] = {0, 1, 2, 3, 4};
    const int64_t offsets[] = {0, 1, 2, 4, 5, 6};
    const uint32_t columns[] = {0, 0, 0, 1, 1, 1};
    const double ones[] = {1, 1, 1, 1, 1, 1}, split[] = {1, 1, 0.5, 0.5, 1, 1};
    for (int kind = DGM_MEMBERSHIP_ONES; kind <= DGM_MEMBERSHIP_SPLIT; kind++) {
        dgm_membership *cells = cells_of(5, lens, 2, 1.0 / 3, (dgm_membership_kind)kind);
        dgm_membership_rows rows = dgm_membership_get_rows(cells);
        assert_int_equal(rows.nodes, 5);
        assert_int_equal(rows.clusters, 2);
        assert_memory_equal(rows.offsets, offsets, sizeof offsets);
        assert_memory_equal(rows.columns, columns, sizeof columns);
        assert_memory_equal(rows.values, kind == DGM_MEMBERSHIP_ONES ? ones : split, sizeof ones);
        dgm_membership_free(cells);
    }
}

/* A cell is a cluster even where its nodes do not hang together, and an empty one is none. */
static void empty_cells_are_left_out(void **state) {
    (void)state;
    dgm_membership *cells = cells_of(3, (const double[]){9, 0, 10}, 10, 0, DGM_MEMBERSHIP_SPLIT);
    dgm_membership_rows rows = dgm_membership_get_rows(cells);
    const uint32_t columns[] = {1, 0, 1};
    assert_int_equal(rows.clusters, 2); /* of ten */
    assert_memory_equal(rows.columns, columns, sizeof columns);
    dgm_membership_free(cells);
    cells = cells_of(3, (const double[]){7, 7, 7}, 10, 0.5, DGM_MEMBERSHIP_SPLIT);
    rows = dgm_membership_get_rows(cells);
    assert_int_equal(rows.clusters, 1); /* a constant lens */
    assert_int_equal(rows.offsets[3], 3);
    dgm_membership_free(cells);
}

static void a_lens_that_is_no_lens_is_refused(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(2, 1, (const double[]){1, NAN});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_membership *membership;
    ASSERT_FAILS(dgm_membership_from_lens(ctx, lens, NULL, DGM_MEMBERSHIP_ONES, &membership),
                 DGM_ERROR_DATA, "the lens is not a number at node 1, counted from 0 (column 1)");
    assert_null(membership);
    options.overlap[0] = 1;
    assert_int_equal(
        dgm_membership_from_lens(ctx, lens, &options, DGM_MEMBERSHIP_ONES, &membership),
        DGM_ERROR_USAGE);
    assert_null(membership);
    dgm_matrix_free(lens);
}

/* ---- by hand ---- */

static void rows_are_copied(void **state) {
    (void)state;
    int64_t offsets[] = {0, 2, 2, 3};
    uint32_t columns[] = {0, 4, 2};
    double values[] = {0.25, 0.75, 1e-300};
    dgm_membership *membership = create(3, 5, offsets, columns, values);
    memset(offsets, 0, sizeof offsets);
    memset(columns, 0, sizeof columns);
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    assert_int_equal(rows.offsets[3], 3);
    assert_int_equal(rows.columns[1], 4);
    assert_true(rows.values[2] == 1e-300);
    dgm_membership_free(membership);
}

static void rows_that_are_no_memberships_are_refused(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 3};
    static const struct {
        uint32_t columns[3];
        double values[3];
    } bad[] = {{{0, 1, 1}, {1, 1, 1}},       {{0, 1, 0}, {1, 1, 1}},  {{0, 0, 2}, {1, 1, 1}},
               {{0, 0, 1}, {1, 0, 1}},       {{0, 0, 1}, {1, -1, 1}}, {{0, 0, 1}, {1, 1, NAN}},
               {{0, 0, 1}, {1, 1, INFINITY}}};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        const dgm_membership_rows rows = {2, 2, offsets, bad[i].columns, bad[i].values};
        dgm_membership *membership;
        ASSERT_FAILS(dgm_membership_create(ctx, &rows, &membership), DGM_ERROR_DATA,
                     "memberships of node 1: clusters must ascend below 2 and values be positive");
        assert_null(membership);
    }
}

static void counts_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const int64_t offsets[] = {0};
    static const struct {
        int64_t nodes, clusters;
        const char *words;
    } bad[] = {
        {-1, 2, "memberships of -1 nodes in 2 clusters are not possible"},
        {0, -2, "memberships of 0 nodes in -2 clusters are not possible"},
        {0, DGM_MAX_NODES + 1, "memberships of 0 nodes in %lld clusters are not possible"},
    };
    for (int64_t i = 0; i < COUNT(bad); i++) {
        const dgm_membership_rows rows = {bad[i].nodes, bad[i].clusters, offsets, NULL, NULL};
        dgm_membership *membership;
        char words[128];
        snprintf(words, sizeof words, bad[i].words, (long long)bad[i].clusters);
        ASSERT_FAILS(dgm_membership_create(ctx, &rows, &membership), DGM_ERROR_USAGE, words);
        assert_null(membership);
    }
}

static void no_nodes_are_memberships_too(void **state) {
    (void)state;
    dgm_membership *membership = create(0, 3, NULL, NULL, NULL);
    assert_int_equal(dgm_membership_get_rows(membership).clusters, 3);
    assert_int_equal(dgm_membership_get_rows(membership).offsets[0], 0);
    dgm_membership_free(membership);
}

/* ---- S'AS ---- */

/* S = (1 0; 1/2 1/2; 0 1) on the path of three: S'(A + I)S = (9/4 5/4; 5/4 9/4). */
static void pooling_a_path_gives_nine_fourths_and_five(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL), *pooled;
    const int64_t offsets[] = {0, 1, 3, 4};
    const uint32_t columns[] = {0, 0, 1, 1};
    const double values[] = {1, 0.5, 0.5, 1};
    dgm_membership *membership = create(3, 2, offsets, columns, values);
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(pooled);
    const uint32_t targets[] = {0, 1, 0, 1};
    const double expected[] = {2.25, 1.25, 1.25, 2.25};
    assert_int_equal(rows.nodes, 2);
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_memory_equal(rows.weights, expected, sizeof expected);
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* The pooled graph is a full matrix of two clusters with these entries. */
static void pools_to(dgm_graph *graph, bool loops, const double expected[4]) {
    const int64_t offsets[] = {0, 1, 3, 4};
    const uint32_t columns[] = {0, 0, 1, 1};
    const double values[] = {1, 0.5, 0.5, 1};
    dgm_membership *membership = create(3, 2, offsets, columns, values);
    dgm_graph *pooled;
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, loops, &pooled), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(pooled);
    assert_int_equal(rows.entries, 4);
    assert_false(rows.directed);
    for (int e = 0; e < 4; e++)
        assert_near(rows.weights[e], expected[e], 1e-12);
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* The same S and path. Without loops S'AS = (1 1; 1 1). The edges weigh 2 and 3: (2 2.5; 2.5 3).
 * A loop of node 1 of weight 4 adds 4 / 4 to each entry, unless it is replaced by loops of 1. */
static void the_switch_decides_whose_loops_count(void **state) {
    (void)state;
    const uint32_t path[] = {0, 1, 1, 2}, looped[] = {0, 1, 1, 2, 1, 1};
    const double weights[] = {2, 3}, heavy[] = {2, 3, 4};
    const dgm_graph_options keep = {.size = sizeof keep, .keep_loops = true};
    pools_to(build_graph(NULL, 3, 2, path, NULL), false, (const double[]){1, 1, 1, 1});
    pools_to(build_graph(NULL, 3, 2, path, weights), false, (const double[]){2, 2.5, 2.5, 3});
    pools_to(build_graph(&keep, 3, 3, looped, heavy), false, (const double[]){3, 3.5, 3.5, 4});
    pools_to(build_graph(&keep, 3, 3, looped, heavy), true,
             (const double[]){3.25, 2.75, 2.75, 4.25});
}

/* An arc counts in both directions, and its loop once. */
static void a_directed_graph_is_pooled_as_an_undirected_one(void **state) {
    (void)state;
    const uint32_t arcs[] = {0, 1, 2, 1, 1, 1};
    const double weights[] = {2, 3, 4};
    const dgm_graph_options options = {
        .size = sizeof options, .directed = true, .keep_loops = true};
    pools_to(build_graph(&options, 3, 3, arcs, weights), false, (const double[]){3, 3.5, 3.5, 4});
    pools_to(build_graph(&options, 3, 2, arcs, weights), true,
             (const double[]){3.25, 2.75, 2.75, 4.25});
}

static void a_graph_without_edges_pools_to_one(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL), *pooled;
    dgm_membership *membership =
        create(2, 2, (const int64_t[]){0, 1, 2}, (const uint32_t[]){0, 1}, (const double[]){1, 1});
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, false, &pooled), DGM_OK);
    assert_int_equal(dgm_graph_nodes(pooled), 2);
    assert_int_equal(dgm_graph_edges(pooled), 0);
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

enum { NODES = 12, CLUSTERS = 5 };

/* The whole product with dense matrices; signs of weights included. */
static void pooling_equals_the_dense_product(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double a[NODES][NODES] = {{0}}, s[NODES][CLUSTERS] = {{0}};
        uint32_t ends[2 * NODES * NODES], columns[NODES * CLUSTERS];
        double weights[NODES * NODES], values[NODES * CLUSTERS];
        int64_t edges = 0, entries = 0, offsets[NODES + 1] = {0};
        dgmi_random random = {seed, 5, 0};
        for (uint32_t u = 0; u < NODES; u++) {
            a[u][u] = 1;
            for (uint32_t v = 0; v < u; v++)
                if (dgmi_random_next(&random) < 0.3) {
                    ends[2 * edges] = u;
                    ends[2 * edges + 1] = v;
                    a[u][v] = a[v][u] = weights[edges++] = dgmi_random_next(&random) - 0.3;
                }
            for (uint32_t c = 0; c < CLUSTERS; c++)
                if (dgmi_random_next(&random) < 0.4) {
                    columns[entries] = c;
                    s[u][c] = values[entries++] = dgmi_random_next(&random) + 0.01;
                }
            offsets[u + 1] = entries;
        }
        dgm_graph *graph = build_graph(NULL, NODES, edges, ends, weights), *pooled;
        dgm_membership *membership = create(NODES, CLUSTERS, offsets, columns, values);
        assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_OK);
        dgm_graph_rows rows = dgm_graph_get_rows(pooled);
        double found[CLUSTERS][CLUSTERS] = {{0}};
        assert_int_equal(rows.nodes, CLUSTERS);
        for (int64_t x = 0; x < CLUSTERS; x++)
            for (int64_t e = rows.offsets[x]; e < rows.offsets[x + 1]; e++)
                found[x][rows.targets[e]] = rows.weights[e];
        for (int x = 0; x < CLUSTERS; x++)
            for (int y = 0; y < CLUSTERS; y++) {
                double expected = 0;
                for (int u = 0; u < NODES; u++)
                    for (int v = 0; v < NODES; v++)
                        expected += s[u][x] * a[u][v] * s[v][y];
                assert_near(found[x][y], expected, 1e-12);
            }
        dgm_graph_free(pooled);
        dgm_membership_free(membership);
        dgm_graph_free(graph);
    }
}

static void pooling_keeps_edges_that_underflow(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, NULL), *pooled;
    dgm_membership *membership = create(2, 2, (const int64_t[]){0, 1, 2}, (const uint32_t[]){0, 1},
                                        (const double[]){1e-200, 1e-200});
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_OK);
    assert_int_equal(dgm_graph_edges(pooled), 3); /* two loops and the edge */
    for (int e = 0; e < 4; e++)
        assert_true(dgm_graph_get_rows(pooled).weights[e] > 0);
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

static void memberships_of_another_graph_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL), *pooled;
    dgm_membership *membership = create(0, 1, NULL, NULL, NULL);
    ASSERT_FAILS(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_ERROR_DATA,
                 "memberships of 0 nodes for a graph of 3");
    assert_null(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* Many nodes are pooled between two reports, so that few are told of once, when it begins. */
static void pooling_says_that_it_begins(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 2, 3};
    const uint32_t columns[] = {0, 0, 1};
    const double values[] = {1, 1, 1};
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL), *pooled;
    dgm_membership *membership = create(3, 2, offsets, columns, values);
    hear_progress();
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("pooling"), 1);
    assert_stages_rise();
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* 130 clusters of one node each, in two reports more. */
static void pooling_is_told_every_64_clusters(void **state) {
    (void)state;
    enum { POOLED = 130 };
    int64_t offsets[POOLED + 1];
    uint32_t columns[POOLED];
    double values[POOLED];
    for (int i = 0; i <= POOLED; i++) {
        offsets[i] = i;
        columns[i % POOLED] = (uint32_t)(i % POOLED);
        values[i % POOLED] = 1;
    }
    dgm_graph *graph = build_graph(NULL, POOLED, 0, NULL, NULL), *pooled;
    dgm_membership *membership = create(POOLED, POOLED, offsets, columns, values);
    hear_progress();
    assert_int_equal(dgm_membership_adjacency(ctx, graph, membership, true, &pooled), DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("pooling"), 3);
    for (int i = 0; i < 3; i++)
        assert_near(heard_reports[i].fraction, i * 64.0 / POOLED, 1e-15);
    dgm_graph_free(pooled);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memberships_are_ones_or_split_evenly),
        cmocka_unit_test(a_node_that_was_filtered_has_an_empty_row),
        cmocka_unit_test(cells_of_a_lens_overlap),
        cmocka_unit_test(empty_cells_are_left_out),
        cmocka_unit_test(a_lens_that_is_no_lens_is_refused),
        cmocka_unit_test(rows_are_copied),
        cmocka_unit_test(rows_that_are_no_memberships_are_refused),
        cmocka_unit_test(counts_that_cannot_be_are_refused),
        cmocka_unit_test(no_nodes_are_memberships_too),
        cmocka_unit_test(pooling_a_path_gives_nine_fourths_and_five),
        cmocka_unit_test(the_switch_decides_whose_loops_count),
        cmocka_unit_test(a_directed_graph_is_pooled_as_an_undirected_one),
        cmocka_unit_test(a_graph_without_edges_pools_to_one),
        cmocka_unit_test(pooling_equals_the_dense_product),
        cmocka_unit_test(pooling_keeps_edges_that_underflow),
        cmocka_unit_test(memberships_of_another_graph_are_refused),
        cmocka_unit_test(pooling_says_that_it_begins),
        cmocka_unit_test(pooling_is_told_every_64_clusters),
    };
    return RUN_WITH_CONTEXT(tests);
}
