/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

static int make_context(void **state) {
    (void)state;
    return dgm_context_create(NULL, &ctx);
}

static int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

static dgm_graph *build(const dgm_graph_options *options, int64_t count, const uint32_t *ends,
                        const double *weights) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, count, ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void repeats_and_loops_are_counted(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 0, 1, 2, 2, 1, 2};
    dgm_graph *graph = build(NULL, 5, ends, NULL);
    dgm_graph_counts counts = dgm_graph_get_counts(graph);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(counts.edges, 2);
    assert_int_equal(counts.records, 5);
    assert_int_equal(counts.loops_dropped, 1);
    assert_int_equal(counts.repeats_merged, 2);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t expected[] = {1, 0, 2, 1};
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.targets, expected, sizeof expected);
    assert_null(rows.weights);
    dgm_graph_free(graph);
}

static void weights_of_one_direction_add_and_the_larger_direction_counts(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 0, 1, 1, 0, 1, 2};
    const double weights[] = {1, 2, 2.5, 4};
    dgm_graph *graph = build(NULL, 4, ends, weights);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const double expected[] = {3, 3, 4, 4};
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.weights, expected, sizeof expected);
    assert_int_equal(dgm_graph_get_counts(graph).uneven_weights, 1);
    dgm_graph_free(graph);
}

static void kept_loops_stand_once(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 0, 0, 1, 0, 0};
    const dgm_graph_options options = {.keep_loops = true};
    dgm_graph *graph = build(&options, 3, ends, NULL);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_get_rows(graph).entries, 3);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_and_loops_are_counted),
        cmocka_unit_test(weights_of_one_direction_add_and_the_larger_direction_counts),
        cmocka_unit_test(kept_loops_stand_once),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
