/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "base_memory.h"
#include "graph_simple.h"

static void simple_undirected_rows_are_borrowed(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    dgmi_graph_simple_rows rows;
    assert_int_equal(dgmi_graph_simple_make(ctx, graph, &rows), DGM_OK);
    assert_ptr_equal(rows.targets, dgm_graph_get_rows(graph).targets);
    assert_int_equal(dgmi_graph_simple_degree(&rows, 1), 2);
    dgm_graph_free(graph);
}

static void assert_rows(const dgm_graph *graph, const int64_t *offsets, const uint32_t *targets) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    assert_int_equal(dgmi_graph_simple_make(ctx, graph, &rows), DGM_OK);
    assert_int_equal(rows.nodes, dgm_graph_nodes(graph));
    assert_memory_equal(rows.offsets, offsets, (size_t)(rows.nodes + 1) * sizeof *offsets);
    assert_memory_equal(rows.targets, targets, (size_t)offsets[rows.nodes] * sizeof *targets);
    dgmi_arena_release(ctx, hold);
}

static void directions_loops_and_repeats_go(void **state) {
    (void)state;
    const uint32_t ends[] = {2, 1, 0, 1, 1, 0, 0, 0, 3, 1, 0, 2, 3, 3};
    const int64_t offsets[] = {0, 2, 5, 7, 8, 8};
    const uint32_t targets[] = {1, 2, 0, 2, 3, 0, 1, 1};
    for (int directed = 0; directed < 2; directed++) {
        const dgm_graph_options options = {
            .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
        dgm_graph *graph = build_graph(&options, 5, 7, ends, NULL);
        assert_rows(graph, offsets, targets);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_undirected_rows_are_borrowed),
        cmocka_unit_test(directions_loops_and_repeats_go),
    };
    return RUN_WITH_CONTEXT(tests);
}
