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
        char id[32];
        snprintf(id, sizeof id, "p%d-labels", panel);
        assert_int_equal(count_in(svg, id, "</text>"), 4);
    }
    dgm_figure_bytes_free(ctx, svg);
    dgmi_reproduce_proof_free(&proof);
}

static void panels_are_two_by_two_and_of_one_scale(void **state) {
    (void)state;
    static const char *const titles[] = {"a  graph and clusters",
                                         "b  expanded graph and copied clusters",
                                         "c  1-hop expansion of the clusters", "d  nerve"};
    dgmi_reproduce_proof proof;
    char *svg;
    size_t length;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, proof.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    ASSERT_HAS(svg, "width=\"170mm\"");
    check_grid(svg, titles, 4, 2);
    double scale =
        largest_circle(svg, "p1-nodes") / dgm_view_get_places(proof.graph_view).radius[0];
    assert_near(largest_circle(svg, "p2-nodes"),
                scale * dgm_view_get_places(proof.expanded_view).radius[0], 0.01);
    assert_near(largest_circle(svg, "p4-nodes"),
                scale * dgm_view_get_places(proof.nerve_view).radius[0], 0.01);
    dgm_figure_bytes_free(ctx, svg);
    dgmi_reproduce_proof_free(&proof);
}

/* A cluster has one colour in all panels, and none that a node has. */
static void clusters_have_colours_of_their_own(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    char *svg;
    size_t length;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, proof.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    for (int k = 1; k <= 4; k++) {
        char end[32], colour[32] = "", fill[48];
        snprintf(end, sizeof end, ">C%d</text>", k);
        assert_int_equal(count_of(svg, end), 4);
        for (const char *at = svg; (at = strstr(at, end)); at++) {
            const char *start = at;
            char own[32];
            while (strncmp(start, "fill=\"", 6) != 0)
                start--;
            assert_int_equal(sscanf(start, "fill=\"%31[^\"]", own), 1);
            if (!*colour)
                strcpy(colour, own);
            assert_string_equal(own, colour);
        }
        snprintf(fill, sizeof fill, "fill=\"%s\"", colour);
        assert_int_equal(count_of(svg, fill), 4); /* no other cluster has it */
    }
    for (const char *at = strstr(svg, "<g id=\"p1-regions\""); (at = strstr(at, " fill=\"#"));
         at++) {
        char fill[16];
        assert_int_equal(sscanf(at, " %15[^ >]", fill), 1);
        if (at > strstr(svg, "<g id=\"p1-edges\""))
            break;
        assert_int_equal(count_in(svg, "p1-nodes", fill), 0);
        assert_int_equal(count_of(svg, fill), 4); /* in every panel */
    }
    dgm_figure_bytes_free(ctx, svg);
    dgmi_reproduce_proof_free(&proof);
}

/* a, e and f stand below, b, d and g above, c and h half way between them. */
static void nodes_stand_in_three_rows(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    dgm_places at = dgm_view_get_places(proof.graph_view);
    assert_true(at.y[0] == at.y[4] && at.y[4] == at.y[5]);
    assert_true(at.y[1] == at.y[3] && at.y[3] == at.y[6]);
    assert_true(at.y[2] == at.y[7] && at.y[1] > at.y[0]);
    assert_near(at.y[2], (at.y[0] + at.y[1]) / 2, 1e-12);
    dgmi_reproduce_proof_free(&proof);
}

/* A copy stands half a unit from its node, towards the only other node that it is joined with. */
static void copies_stand_on_a_ring_around_their_nodes(void **state) {
    (void)state;
    dgmi_reproduce_proof proof;
    assert_int_equal(dgmi_reproduce_proof_make(ctx, NULL, &proof), DGM_OK);
    dgm_places nodes = dgm_view_get_places(proof.graph_view);
    dgm_places copies = dgm_view_get_places(proof.expanded_view);
    dgm_graph_rows rows = dgm_graph_get_rows(proof.expanded);
    int64_t alone = 0;
    for (int64_t c = 0; c < rows.nodes; c++) {
        uint32_t node = proof.origin[c], other = node;
        for (int64_t e = rows.offsets[c]; e < rows.offsets[c + 1]; e++)
            if (proof.origin[rows.targets[e]] != node)
                other = proof.origin[rows.targets[e]];
        double dx = nodes.x[other] - nodes.x[node], dy = nodes.y[other] - nodes.y[node];
        if (other == node) { /* node h: one copy to the left, and one to the right */
            assert_int_equal(node, 7);
            dx = alone++ == 0 ? -1 : 1;
            dy = 0;
        }
        assert_near(copies.x[c], nodes.x[node] + 0.5 * dx / hypot(dx, dy), 1e-12);
        assert_near(copies.y[c], nodes.y[node] + 0.5 * dy / hypot(dx, dy), 1e-12);
        assert_true(copies.radius[c] < nodes.radius[node]);
    }
    assert_int_equal(alone, 2);
    dgmi_reproduce_proof_free(&proof);
}

static void options_are_obeyed(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgmi_reproduce_proof proof;
    char *svg;
    size_t length;
    options.width = "100mm";
    assert_int_equal(dgmi_reproduce_proof_make(ctx, &options, &proof), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, proof.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    ASSERT_HAS(svg, "width=\"100mm\"");
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
        cmocka_unit_test(panels_are_two_by_two_and_of_one_scale),
        cmocka_unit_test(clusters_have_colours_of_their_own),
        cmocka_unit_test(nodes_stand_in_three_rows),
        cmocka_unit_test(copies_stand_on_a_ring_around_their_nodes),
        cmocka_unit_test(options_are_obeyed),
        cmocka_unit_test(a_bad_option_leaves_nothing),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
