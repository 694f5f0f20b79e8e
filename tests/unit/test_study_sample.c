/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a ring, around whose centres everything is known. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_memory.h"
#include "study_sample.h"

enum { RING = 20000, CENTRES = 8, PART = 10 };

static dgm_graph *make_ring(void) {
    uint32_t *ends = malloc(2 * RING * sizeof *ends);
    assert_non_null(ends);
    for (uint32_t u = 0; u < RING; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = (u + 1) % RING;
    }
    dgm_graph *graph = build_graph(NULL, RING, RING, ends, NULL);
    free(ends);
    return graph;
}

/* A node of a ring brings one edge more. So a sample is eight arcs, each with an eighth of the
 * nodes. Of 20000 nodes eight are hardly ever drawn so near that their arcs touch. */
static void each_centre_has_an_equal_part_around_it(void **state) {
    (void)state;
    dgm_graph *ring = make_ring();
    for (int64_t seed = 1; seed <= 5; seed++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_study_sample sample;
        assert_int_equal(dgmi_study_sample_draw(ctx, ring, CENTRES * PART, seed, &sample), DGM_OK);
        assert_int_equal(dgm_graph_nodes(sample.graph), CENTRES * PART);
        assert_int_equal(dgm_graph_edges(sample.graph), CENTRES * (PART - 1));
        for (int i = 0; i < CENTRES * PART; i++)
            assert_int_equal(sample.nodes[i], sample.nodes[i / PART * PART] + i % PART);
        dgm_graph_free(sample.graph);
        dgmi_arena_release(ctx, hold);
    }
    dgm_graph_free(ring);
}

/* The rows of a table whose only entry is the number of the node. */
static void rows_are_those_of_the_nodes(void **state) {
    (void)state;
    dgm_graph *ring = make_ring();
    dgm_matrix *table = build_matrix(RING, 1, NULL), *rows;
    for (int64_t u = 0; u < RING; u++)
        dgm_matrix_values_mutable(table)[u] = (double)u;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_study_sample sample;
    assert_int_equal(dgmi_study_sample_draw(ctx, ring, CENTRES * PART, 1, &sample), DGM_OK);
    assert_int_equal(dgmi_study_sample_rows(ctx, &sample, table, &rows), DGM_OK);
    assert_int_equal(dgm_matrix_rows(rows), CENTRES * PART);
    for (int64_t i = 0; i < CENTRES * PART; i++)
        assert_near(dgm_matrix_values(rows)[i], sample.nodes[i], 0);
    dgm_matrix_free(rows);
    dgm_matrix_free(table);
    dgm_graph_free(sample.graph);
    dgmi_arena_release(ctx, hold);
    dgm_graph_free(ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_centre_has_an_equal_part_around_it),
        cmocka_unit_test(rows_are_those_of_the_nodes),
    };
    return RUN_WITH_CONTEXT(tests);
}
