/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a ring, around whose centres everything is known. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_memory.h"
#include "study_sample.h"

enum { RING = 20000, CENTRES = 8, PART = 10 };

static dgm_graph *make_ring(bool directed) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    uint32_t *ends = malloc(2 * RING * sizeof *ends);
    assert_non_null(ends);
    for (uint32_t u = 0; u < RING; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = (u + 1) % RING;
    }
    options.directed = directed;
    dgm_graph *graph = build_graph(&options, RING, RING, ends, NULL);
    free(ends);
    return graph;
}

/* A node of a ring brings one edge more. So a sample is eight arcs, each with an eighth of the
 * nodes. Of 20000 nodes eight are hardly ever drawn so near that their arcs touch. */
static void each_centre_has_an_equal_part_around_it(void **state) {
    (void)state;
    dgm_graph *rings[] = {make_ring(false), make_ring(true)};
    for (int64_t seed = 1; seed <= 10; seed++) {
        const dgm_graph *ring = rings[seed % 2];
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_study_sample sample;
        assert_int_equal(dgmi_study_sample_draw(ctx, ring, CENTRES * PART, seed, &sample), DGM_OK);
        assert_int_equal(dgm_graph_nodes(sample.graph), CENTRES * PART);
        assert_int_equal(dgm_graph_edges(sample.graph), CENTRES * (PART - 1));
        assert_int_equal(dgm_graph_get_rows(sample.graph).directed, seed % 2);
        for (int i = 0; i < CENTRES * PART; i++)
            assert_int_equal(sample.nodes[i], sample.nodes[i / PART * PART] + i % PART);
        dgm_graph_rows rows = dgm_graph_get_rows(sample.graph);
        for (int64_t u = 0; u < rows.nodes; u++)
            for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                assert_true(rows.targets[e] == u + 1 ||
                            (seed % 2 == 0 && rows.targets[e] == u - 1));
        dgm_graph_free(sample.graph);
        dgmi_arena_release(ctx, hold);
    }
    dgm_graph_free(rings[0]);
    dgm_graph_free(rings[1]);
}

/* Where there are fewer edges than are wanted, the sample is the graph. */
static void a_sample_ends_with_the_graph(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 4, 5};
    dgm_graph *graph = build_graph(NULL, 7, 3, ends, NULL);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_study_sample sample;
    assert_int_equal(dgmi_study_sample_draw(ctx, graph, 100, 1, &sample), DGM_OK);
    assert_int_equal(dgm_graph_nodes(sample.graph), 7);
    assert_int_equal(dgm_graph_edges(sample.graph), 3);
    for (uint32_t u = 0; u < 7; u++)
        assert_int_equal(sample.nodes[u], u);
    dgm_graph_free(sample.graph);
    assert_int_equal(dgmi_study_sample_draw(ctx, graph, 1, 1, &sample), DGM_OK);
    assert_true(dgm_graph_edges(sample.graph) <= 2 && dgm_graph_nodes(sample.graph) < 7);
    dgm_graph_free(sample.graph);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(graph);
}

/* The rows of a table of the numbers of the nodes, and of their negatives. */
static void rows_are_those_of_the_nodes(void **state) {
    (void)state;
    dgm_graph *ring = make_ring(false);
    dgm_matrix *table = build_matrix(RING, 2, NULL), *rows;
    for (int64_t i = 0; i < 2 * RING; i++)
        dgm_matrix_values_mutable(table)[i] = (double)(i % 2 ? -i / 2 : i / 2);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_study_sample sample;
    assert_int_equal(dgmi_study_sample_draw(ctx, ring, CENTRES * PART, 1, &sample), DGM_OK);
    assert_int_equal(dgmi_study_sample_rows(ctx, &sample, table, &rows), DGM_OK);
    assert_int_equal(dgm_matrix_rows(rows), CENTRES * PART);
    for (int64_t i = 0; i < CENTRES * PART; i++)
        for (int64_t k = 0; k < 2; k++)
            assert_near(dgm_matrix_values(rows)[2 * i + k],
                        k ? -(double)sample.nodes[i] : sample.nodes[i], 0);
    dgm_matrix_free(rows);
    dgm_matrix_free(table);
    dgm_graph_free(sample.graph);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_centre_has_an_equal_part_around_it),
        cmocka_unit_test(a_sample_ends_with_the_graph),
        cmocka_unit_test(rows_are_those_of_the_nodes),
    };
    return RUN_WITH_CONTEXT(tests);
}
