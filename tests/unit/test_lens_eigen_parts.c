/* SPDX-License-Identifier: Apache-2.0 */
/* Components as blocks of the graph's own rows and as copies: the same matrix, bit for bit. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"
#include "generated_graph.h"
#include "lens_eigen_parts.h"
#include "spectral_elimination.h"

enum { WANTED = 2 };

/* Every node u of `inner` becomes 2u + 1; between them lie a path of three and nodes alone. */
static dgm_graph *spread(dgm_graph *inner, bool weighted) {
    dgm_graph_rows rows = dgm_graph_get_rows(inner);
    uint32_t *ends = malloc((size_t)(rows.entries + 4) * sizeof *ends);
    double *weights = malloc((size_t)(rows.entries / 2 + 2) * sizeof *weights);
    int64_t edges = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.targets[e] > u) {
                ends[2 * edges] = (uint32_t)(2 * u + 1);
                ends[2 * edges + 1] = 2 * rows.targets[e] + 1;
                weights[edges] = 1 + (double)(edges % 7);
                edges++;
            }
    for (uint32_t i = 0; i < 2; i++) {
        ends[2 * edges] = 20 + 2 * i;
        ends[2 * edges + 1] = 22 + 2 * i;
        weights[edges++] = 1;
    }
    dgm_graph *graph =
        build_graph(NULL, 2 * rows.nodes + 2, edges, ends, weighted ? weights : NULL);
    dgm_graph_free(inner);
    free(ends);
    free(weights);
    return graph;
}

static dgm_graph *path(uint32_t nodes) {
    uint32_t *ends = malloc((size_t)nodes * 2 * sizeof *ends);
    for (uint32_t u = 0; u + 1 < nodes; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = u + 1;
    }
    dgm_graph *graph = build_graph(NULL, 0, nodes - 1, ends, NULL);
    free(ends);
    return graph;
}

static void take_parts(const dgm_graph *graph, bool weighted, dgmi_lens_eigen_parts *parts,
                       dgmi_spectral_adjacency *borrowed, dgmi_spectral_adjacency *copied) {
    assert_int_equal(dgmi_lens_eigen_parts_make(ctx, graph, weighted, parts), DGM_OK);
    assert_int_equal(dgmi_lens_eigen_parts_rows(ctx, parts, parts->largest, 0, borrowed), DGM_OK);
    assert_int_equal(dgmi_lens_eigen_parts_rows(ctx, parts, parts->largest, INT64_MAX, copied),
                     DGM_OK);
    assert_ptr_equal(borrowed->columns, parts->rows.columns);
    assert_ptr_not_equal(copied->columns, parts->rows.columns);
}

static dgmi_spectral_eigen_report solve(dgmi_spectral_adjacency rows, bool normalised,
                                        double *vectors, double *values) {
    dgmi_spectral_laplacian laplacian = {rows, NULL};
    const dgmi_spectral_eigen_request request = {WANTED, 1e-8, 3000, 1, 0};
    dgmi_spectral_eigen_report report;
    double residuals[WANTED];
    double *root = malloc((size_t)rows.rows * sizeof *root);
    for (int64_t i = 0; i < rows.rows; i++) {
        int64_t row = dgmi_spectral_adjacency_row(&rows, i);
        root[i] = 0;
        for (int64_t e = rows.offsets[row]; e < rows.offsets[row + 1]; e++)
            root[i] += rows.values ? rows.values[e] : 1;
        root[i] = sqrt(root[i]);
    }
    laplacian.root = normalised ? root : NULL;
    assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &laplacian, &request, vectors, values,
                                                   residuals, &report),
                     DGM_OK);
    assert_true(report.converged);
    free(root);
    return report;
}

static dgmi_spectral_eigen_report compare(dgm_graph *graph, bool weighted, bool normalised) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_lens_eigen_parts parts;
    dgmi_spectral_adjacency borrowed, copied;
    take_parts(graph, weighted, &parts, &borrowed, &copied);
    size_t size = (size_t)(WANTED * copied.rows) * sizeof(double);
    double *one = malloc(size), *other = malloc(size), values[WANTED], others[WANTED];
    dgmi_spectral_eigen_report report = solve(borrowed, normalised, one, values);
    solve(copied, normalised, other, others);
    assert_memory_equal(values, others, sizeof values);
    assert_memory_equal(one, other, size);
    free(one);
    free(other);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
    return report;
}

static void borrowed_rows_are_the_same_matrix(void **state) {
    (void)state;
    for (int normalised = 0; normalised < 2; normalised++)
        for (int weighted = 0; weighted < 2; weighted++) {
            compare(spread(path(40), weighted), weighted, normalised); /* dense */
            compare(spread(generate(DGM_GENERATE_BA, 2000, 12000), weighted), weighted, normalised);
        }
}

static void borrowed_rows_are_filtered_alike(void **state) {
    (void)state;
    dgmi_spectral_eigen_report report =
        compare(spread(generate(DGM_GENERATE_BA, 12000, 36000), false), false, true);
    assert_true(report.filters > 0);
}

static void borrowed_rows_are_inverted_alike(void **state) {
    (void)state;
    dgmi_spectral_eigen_report report = compare(spread(path(4000), true), true, true);
    assert_true(report.solves > 0);
}

/* An elimination that keeps a core looks at columns more than once. */
static void borrowed_rows_are_eliminated_alike(void **state) {
    (void)state;
    dgm_graph *graph = spread(generate(DGM_GENERATE_BA, 3000, 15000), true);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_lens_eigen_parts parts;
    dgmi_spectral_adjacency borrowed, copied;
    dgmi_spectral_elimination one, other;
    take_parts(graph, true, &parts, &borrowed, &copied);
    assert_int_equal(dgmi_spectral_elimination_listed(&borrowed, 4000),
                     dgmi_spectral_elimination_listed(&copied, 4000));
    assert_int_equal(dgmi_spectral_elimination_create(
                         ctx, &(dgmi_spectral_laplacian){borrowed, NULL}, 0, 5, 4000, 100000, &one),
                     DGM_OK);
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &(dgmi_spectral_laplacian){copied, NULL},
                                                      0, 5, 4000, 100000, &other),
                     DGM_OK);
    assert_true(one.entries > 0);
    assert_int_equal(one.entries, other.entries);
    assert_memory_equal(one.order, other.order, (size_t)one.rows * sizeof *one.order);
    assert_memory_equal(one.pivots, other.pivots, (size_t)one.rows * sizeof *one.pivots);
    assert_memory_equal(one.shares, other.shares, (size_t)one.entries * sizeof *one.shares);
    dgmi_spectral_elimination_free(&one);
    dgmi_spectral_elimination_free(&other);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borrowed_rows_are_the_same_matrix),
        cmocka_unit_test(borrowed_rows_are_filtered_alike),
        cmocka_unit_test(borrowed_rows_are_inverted_alike),
        cmocka_unit_test(borrowed_rows_are_eliminated_alike),
    };
    return RUN_WITH_CONTEXT(tests);
}
