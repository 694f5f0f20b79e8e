/* SPDX-License-Identifier: Apache-2.0 */
/* The line of parameters under a figure: what is said of all panels, and what of each. */
#include "unit_fixture.h"

#include <stdio.h>

#include "figure_sample.h"

/* The line of two panels, all lines of it joined by blanks. */
static char *parameters_of(const dgm_view *a, const dgm_view *b, bool chart) {
    static const char *const steps[] = {"x", "y"};
    static const dgm_figure_bar bar = {0, 0, -1};
    static char joined[4096];
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *svg;
    size_t length;
    options.names = "0";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    if (chart)
        assert_int_equal(dgm_figure_add_barcode(figure, NULL, 2, steps, 1, &bar), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, a, NULL, "a", NULL, 0), DGM_OK);
    if (b)
        assert_int_equal(dgm_figure_add_view(figure, b, NULL, "b", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    joined[0] = '\0';
    for (const char *at = strstr(svg, "id=\"parameters\""); (at = strstr(at, "<text"));) {
        at = strchr(at, '>') + 1;
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%.*s",
                 joined[0] ? " " : "", (int)strcspn(at, "<"), at);
    }
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    return joined;
}

static void panels_of_other_data_say_where_they_are_from(void **state) {
    (void)state;
    dgm_view *a = ring(ctx, 5, 0), *b = ring(ctx, 5, 0);
    set_text(ctx, a, &a->parameters, "one");
    set_text(ctx, b, &b->parameters, "two");
    b->lens_name = "depth";
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one | two");
    assert_string_equal(parameters_of(a, b, true), "ring, 100 nodes, 200 edges: one | two");
    b->nodes = 1;
    b->edges = 1;
    assert_string_equal(parameters_of(a, b, false),
                        "ring, 100 nodes, 200 edges: one. ring, 1 node, 1 edge: two");
    b->source = "path";
    assert_string_equal(parameters_of(a, b, false),
                        "ring, 100 nodes, 200 edges: one. path, 1 node, 1 edge: two");
    set_text(ctx, b, &b->parameters, "");
    b->nodes = 0;
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one. path");
    dgm_view_free(a);
    dgm_view_free(b);
}

/* A lens without a name is known by its parameters alone, and a graph is no summary. */
static void lenses_are_said_once(void **state) {
    (void)state;
    dgm_view *a = ring(ctx, 5, 0), *b = ring(ctx, 5, 0);
    set_text(ctx, a, &a->parameters, "one");
    set_text(ctx, b, &b->parameters, "one");
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one");
    a->lens_name = "";
    b->lens_name = "";
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one");
    set_text(ctx, b, &b->parameters, "two");
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one | two");
    set_text(ctx, b, &b->parameters, "one");
    b->kind = DGM_VIEW_GRAPH;
    assert_string_equal(parameters_of(a, b, false), "ring, 100 nodes, 200 edges: one | one");
    dgm_view_free(a);
    dgm_view_free(b);
}

/* Where two panels of one lens leave links out, each says how many; one that is drawn twice says it
 * once. */
static void every_panel_says_how_many_links_it_leaves_out(void **state) {
    (void)state;
    dgm_view *a = ring(ctx, 1000, 60000), *b = ring(ctx, 1000, 62000);
    for (int64_t l = 0; l < b->link_count; l++) /* the first thousand are heavier */
        b->own.links[l].weight = l < 1000 ? 1 : 0.5;
    set_text(ctx, a, &a->parameters, "one");
    set_text(ctx, b, &b->parameters, "one");
    assert_string_equal(parameters_of(a, b, false),
                        "ring, 100 nodes, 200 edges: one \xc2\xb7 60,000 of 61,000 edges drawn, "
                        "the heaviest, of equal ones a random sample \xc2\xb7 panel 2: 60,000 of "
                        "63,000 edges drawn, the heaviest, of equal ones a random sample");
    assert_string_equal(parameters_of(a, a, false),
                        "ring, 100 nodes, 200 edges: one \xc2\xb7 60,000 of 61,000 edges drawn, "
                        "the heaviest, of equal ones a random sample");
    dgm_view_free(a);
    dgm_view_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_of_other_data_say_where_they_are_from),
        cmocka_unit_test(lenses_are_said_once),
        cmocka_unit_test(every_panel_says_how_many_links_it_leaves_out),
    };
    return RUN_WITH_CONTEXT(tests);
}
