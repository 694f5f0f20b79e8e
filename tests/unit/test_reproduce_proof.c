/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 8: the proof of proposition 4.2 on eight nodes. */
#include "unit_fixture.h"

#include "figure_sample.h"
#include "reproduce_proof.h"
#include "unit_faults.h"

/* C1 and C2 share node c, an edge joins C2 and C3, and C4 is alone. On the graph itself C1 and C3
 * would meet at e; without an expansion C2 and C3 would not. */
static void the_example_tells_the_controls_apart(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    const dgmi_reproduce_expansion *facts = &proof.facts;
    assert_int_equal(facts->nodes, 8);
    assert_int_equal(facts->clusters, 4);
    assert_int_equal(facts->memberships, 9);
    assert_int_equal(facts->copies, 2 + 2 + 4 + 2 + 3 + 2 + 1 + 2);
    assert_int_equal(facts->pairs, 2);
    assert_true(facts->nerve.missing == 0 && facts->nerve.extra == 0);
    assert_true(facts->on_graph.missing == 0 && facts->on_graph.extra == 1);
    assert_true(facts->plain.missing == 1 && facts->plain.extra == 0);
    dgmi_reproduce_proof_free(&proof);
}

/* The last panel is drawn from a summary of Mapper: its edges are those of S'AS. */
static void the_nerve_that_is_drawn_is_the_pooled_graph(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    dgm_graph *pooled;
    int64_t edges, pairs = 0;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    assert_int_equal(dgm_membership_adjacency(ctx, proof.graph, proof.assignment, true, &pooled),
                     DGM_OK);
    const dgm_summary_edge *edge = dgm_summary_edges(proof.nerve, &edges);
    dgm_graph_rows rows = dgm_graph_get_rows(pooled);
    for (int64_t x = 0; x < rows.nodes; x++)
        for (int64_t i = rows.offsets[x]; i < rows.offsets[x + 1]; i++) {
            if (rows.targets[i] <= x)
                continue;
            assert_true(pairs < edges);
            assert_int_equal(edge[pairs].source, x);
            assert_int_equal(edge[pairs++].target, rows.targets[i]);
        }
    assert_int_equal(pairs, edges);
    assert_int_equal(edges, proof.facts.pairs);
    dgm_graph_free(pooled);
    dgmi_reproduce_proof_free(&proof);
}

static void the_figure_has_four_panels(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    char *svg;
    size_t length;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, proof.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_int_equal(count_in(svg, "p1-nodes", "<circle"), 8);
    assert_int_equal(count_in(svg, "p2-nodes", "<circle"), 18);
    assert_int_equal(count_in(svg, "p3-nodes", "<circle"), 18);
    assert_int_equal(count_in(svg, "p4-nodes", "<circle"), 4);
    assert_int_equal(count_in(svg, "p4-edges", "<path"), 2);
    assert_int_equal(count_in(svg, "p2-regions", "C2: 9 nodes"), 2); /* the line and the filling */
    assert_int_equal(count_in(svg, "p3-regions", "C2: 12 nodes"), 2);
    for (int panel = 1; panel <= 4; panel++) { /* every name found a place */
        char id[16];
        snprintf(id, sizeof id, "p%d-labels", panel);
        assert_int_equal(count_in(svg, id, "</text>"), 4);
    }
    dgm_figure_bytes_free(ctx, svg);
    dgmi_reproduce_proof_free(&proof);
}

static void a_bad_option_leaves_nothing(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgmi_reproduce_proof proof;
    options.width = "wide";
    assert_int_equal(dgmi_reproduce_proof_make(ctx, &options, &proof), DGM_ERROR_USAGE);
    assert_null(proof.graph);
}

static dgm_status make_and_free(dgm_context *own, void *argument) {
    (void)argument;
    dgmi_reproduce_proof proof;
    dgm_status status = dgmi_reproduce_proof_make(own, NULL, &proof);
    if (status == DGM_OK)
        dgmi_reproduce_proof_free(&proof);
    return status;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    fail_each_allocation(make_and_free, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_tells_the_controls_apart),
        cmocka_unit_test(the_nerve_that_is_drawn_is_the_pooled_graph),
        cmocka_unit_test(the_figure_has_four_panels),
        cmocka_unit_test(a_bad_option_leaves_nothing),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
