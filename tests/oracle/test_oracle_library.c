/* SPDX-License-Identifier: Apache-2.0 */
/* Every recorded case through dgm_mapper_run with the rule of the paper's code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "dgm/dgm.h"
#include "oracle_case.h"

static dgm_graph *build(dgm_context *ctx, const oracle_case *c) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    options.nodes = c->nodes;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, c->edge_count, c->edges, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static oracle_result run(dgm_context *ctx, const oracle_case *c) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_graph *graph = build(ctx, c);
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    oracle_result result = {0};
    options.rule = DGM_RULE_DGM;
    options.intervals[0] = c->intervals;
    options.overlap[0] = c->overlap;
    options.edges = c->structural ? DGM_EDGES_STRUCTURAL : DGM_EDGES_NERVE;
    options.eps = c->eps;
    options.min_component = c->min_component;
    assert_int_equal(dgm_matrix_create(ctx, c->nodes, c->columns, &lens), DGM_OK);
    memcpy(dgm_matrix_values_mutable(lens), c->lens,
           sizeof *c->lens * (size_t)(c->nodes * c->columns));
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    for (int64_t i = 0; i < clusters.count; i++)
        oracle_result_add(&result, clusters.offsets[i + 1] - clusters.offsets[i],
                          clusters.members + clusters.offsets[i]);
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t e = 0; e < count; e++)
        oracle_result_join(&result, edges[e].source, edges[e].target, edges[e].weight);
    assert_int_equal(dgm_summary_get_coverage(summary).lost, 0);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return result;
}

static void the_library_returns_what_the_papers_code_returned(void **state) {
    (void)state;
    char **paths = oracle_list(), why[200];
    if (!paths) {
        print_message("# no oracle folder beside the source tree (DGM_SHARED): skipped\n");
        skip();
    }
    dgm_context *ctx = NULL;
    assert_int_equal(dgm_context_create(NULL, &ctx), DGM_OK);
    int wrong = 0, cases = 0;
    for (char **path = paths; *path; path++, cases++) {
        oracle_case c;
        assert_true(oracle_load(*path, &c));
        oracle_result result = run(ctx, &c);
        if (!oracle_result_equal(&c.expected, &result, why)) {
            print_error("%s: expected; got: %s\n", c.name, why);
            wrong++;
        }
        oracle_result_free(&result);
        oracle_free(&c);
    }
    dgm_context_free(ctx);
    oracle_list_free(paths);
    print_message("# %d cases\n", cases);
    assert_int_equal(wrong, 0);
}

/* The comparison itself can fail: another weight, another member, another pair. */
static void the_comparison_sees_a_difference(void **state) {
    (void)state;
    const uint32_t one[] = {1, 2}, two[] = {2, 3}, other[] = {2, 4};
    char why[200];
    for (int change = 0; change < 4; change++) {
        oracle_result a = {0}, b = {0};
        oracle_result_add(&a, 2, one);
        oracle_result_add(&a, 2, two);
        oracle_result_add(&a, 2, two);
        oracle_result_join(&a, 0, 1, 0.5);
        oracle_result_add(&b, 2, two);
        oracle_result_add(&b, 2, change == 1 ? other : two);
        oracle_result_add(&b, 2, one);
        oracle_result_join(&b, change == 2 ? 1 : 2, 0, change == 3 ? 0.50002 : 0.500001);
        assert_int_equal(oracle_result_equal(&a, &b, why), change == 0);
        oracle_result_free(&a);
        oracle_result_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_returns_what_the_papers_code_returned),
        cmocka_unit_test(the_comparison_sees_a_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
