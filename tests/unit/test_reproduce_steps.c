/* SPDX-License-Identifier: Apache-2.0 */
/* Figure 2: the steps of Mapper on a small graph. */
#include "unit_fixture.h"

#include "figure_sample.h"
#include "reproduce_steps.h"
#include "unit_faults.h"

static void the_nerve_has_the_loop_and_the_limbs_of_the_graph(void **state) {
    (void)state;
    dgmi_reproduce_steps steps;
    assert_int_equal(dgmi_reproduce_steps_make(ctx, NULL, &steps), DGM_OK);
    const dgmi_reproduce_steps_facts *facts = &steps.facts;
    assert_int_equal(facts->nodes, 34);
    assert_int_equal(facts->edges, 55);
    assert_int_equal(facts->components, 1);
    assert_int_equal(facts->graph_loops, 55 - 34 + 1);
    assert_int_equal(facts->graph_holes, 1); /* 21 of them are triangles */
    assert_int_equal(facts->cells, facts->intervals);
    assert_int_equal(facts->clusters, 8); /* legs, hips, both sides, shoulders, arms */
    assert_int_equal(facts->nerve_edges, 8);
    assert_int_equal(facts->nerve_pieces, 1);
    assert_int_equal(facts->nerve_loops, 1);
    assert_int_equal(facts->nerve_ends, 4);
    assert_int_equal(facts->shared, 10);
    dgmi_reproduce_steps_free(&steps);
}

/* The bands that are drawn are the cells that the library has: each holds the heights of its own
 * nodes and no other. */
static void bands_and_cells_agree(void **state) {
    (void)state;
    dgmi_reproduce_steps steps;
    double low, high;
    assert_int_equal(dgmi_reproduce_steps_make(ctx, NULL, &steps), DGM_OK);
    dgm_summary_clusters cells = dgm_summary_get_clusters(steps.cells);
    const double *height = dgm_matrix_values(steps.lens);
    dgm_summary_lens_range(steps.cells, 0, &low, &high);
    for (int64_t k = 0; k < cells.count; k++) {
        dgm_interval band =
            dgmi_reproduce_steps_interval(low, high, steps.facts.intervals, steps.facts.overlap, k);
        int64_t next = cells.offsets[k];
        for (uint32_t u = 0; u < steps.facts.nodes; u++) {
            bool member = next < cells.offsets[k + 1] && cells.members[next] == u;
            bool inside = height[u] >= band.low && height[u] <= band.high;
            assert_true(member == inside);
            next += member;
        }
    }
    dgmi_reproduce_steps_free(&steps);
}

/* Two of them share the given part of a length, and together they fill the range. */
static void intervals_follow_the_gain_rule(void **state) {
    (void)state;
    double length = 0;
    for (int64_t k = 0; k < 7; k++) {
        dgm_interval own = dgmi_reproduce_steps_interval(-2, 5, 7, 0.4, k);
        if (k == 0)
            length = own.high - own.low;
        assert_near(own.high - own.low, length, 1e-12);
        if (k > 0)
            assert_near(dgmi_reproduce_steps_interval(-2, 5, 7, 0.4, k - 1).high - own.low,
                        0.4 * length, 1e-12);
    }
    assert_true(dgmi_reproduce_steps_interval(-2, 5, 7, 0.4, 0).low == -2);
    assert_true(dgmi_reproduce_steps_interval(-2, 5, 7, 0.4, 6).high == 5);
}

static char *draw_steps(const dgm_figure_options *options) {
    dgmi_reproduce_steps steps;
    char *svg;
    size_t length;
    assert_int_equal(dgmi_reproduce_steps_make(ctx, options, &steps), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, steps.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgmi_reproduce_steps_free(&steps);
    return svg;
}

static void the_figure_has_six_panels(void **state) {
    (void)state;
    char *svg = draw_steps(NULL);
    assert_int_equal(count_in(svg, "p1-edges", "<path"), 55);
    assert_int_equal(count_in(svg, "p1-nodes", "<circle"), 34);
    assert_int_equal(count_in(svg, "p3-bands", "<rect"), 2 * 5);
    assert_int_equal(count_in(svg, "p4-regions", "<path"), 2 * 5);
    assert_int_equal(count_in(svg, "p5-regions", "<path"), 2 * 8);
    assert_int_equal(count_in(svg, "p6-nodes", "<circle"), 8);
    assert_int_equal(count_in(svg, "p6-edges", "<path"), 8);
    assert_int_equal(count_of(svg, "-regions\""), 2);
    assert_int_equal(count_in(svg, "p5-labels", ">U1<"), 2); /* both legs */
    char *again = draw_steps(NULL);
    assert_string_equal(svg, again);
    dgm_figure_bytes_free(ctx, again);
    dgm_figure_bytes_free(ctx, svg);
}

static void panels_are_three_by_two_and_of_one_scale(void **state) {
    (void)state;
    static const char *const titles[] = {
        "a  graph",           "b  height of its nodes",     "c  cover of the heights",
        "d  pull-back cover", "e  refined pull-back cover", "f  nerve"};
    dgmi_reproduce_steps steps;
    char *svg;
    size_t length;
    double largest = 0;
    assert_int_equal(dgmi_reproduce_steps_make(ctx, NULL, &steps), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, steps.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    check_grid(svg, titles, 6, 3);
    dgm_places clusters = dgm_view_get_places(steps.nerve_view);
    for (int64_t c = 0; c < steps.facts.clusters; c++)
        largest = fmax(largest, clusters.radius[c]);
    double scale =
        largest_circle(svg, "p1-nodes") / dgm_view_get_places(steps.graph_view).radius[0];
    assert_near(largest_circle(svg, "p6-nodes"), scale * largest, 0.01 * scale);
    dgm_figure_bytes_free(ctx, svg);
    dgmi_reproduce_steps_free(&steps);
}

/* The limbs and sides of the person come in pairs: every node has one that stands where a mirror
 * would show it, nearly. */
static void the_person_is_nearly_symmetric(void **state) {
    static const int pairs[][2] = {{0, 5},   {1, 6},   {2, 7},   {3, 8},   {4, 9},   {10, 11},
                                   {12, 17}, {13, 18}, {14, 19}, {15, 20}, {16, 21}, {22, 23},
                                   {24, 29}, {25, 30}, {26, 31}, {27, 32}, {28, 33}};
    (void)state;
    dgmi_reproduce_steps steps;
    assert_int_equal(dgmi_reproduce_steps_make(ctx, NULL, &steps), DGM_OK);
    dgm_places at = dgm_view_get_places(steps.graph_view);
    assert_int_equal(2 * COUNT(pairs), steps.facts.nodes);
    for (int64_t i = 0; i < COUNT(pairs); i++) {
        int right = pairs[i][0], left = pairs[i][1];
        assert_true(at.x[right] > 0 && at.x[left] < 0);
        assert_near(-at.x[left], at.x[right], 0.35);
        assert_near(at.y[left], at.y[right], 0.5);
    }
    dgmi_reproduce_steps_free(&steps);
}

static void options_are_obeyed(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgmi_reproduce_steps steps;
    options.width = "100mm";
    char *svg = draw_steps(&options);
    ASSERT_HAS(svg, "width=\"100mm\"");
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_steps(NULL);
    ASSERT_HAS(svg, "width=\"170mm\"");
    dgm_figure_bytes_free(ctx, svg);
    options.width = "wide";
    assert_int_equal(dgmi_reproduce_steps_make(ctx, &options, &steps), DGM_ERROR_USAGE);
    assert_null(steps.graph); /* nothing is left */
}

static dgm_status make_and_free(dgm_context *own, void *argument) {
    (void)argument;
    dgmi_reproduce_steps steps;
    dgm_status status = dgmi_reproduce_steps_make(own, NULL, &steps);
    if (status == DGM_OK)
        dgmi_reproduce_steps_free(&steps);
    return status;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    fail_each_allocation(make_and_free, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nerve_has_the_loop_and_the_limbs_of_the_graph),
        cmocka_unit_test(bands_and_cells_agree),
        cmocka_unit_test(intervals_follow_the_gain_rule),
        cmocka_unit_test(the_figure_has_six_panels),
        cmocka_unit_test(panels_are_three_by_two_and_of_one_scale),
        cmocka_unit_test(the_person_is_nearly_symmetric),
        cmocka_unit_test(options_are_obeyed),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
