/* SPDX-License-Identifier: Apache-2.0 */
/* Several panels on one page: what they share, and what is said of each. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_sample.h"

/* How often the words stand in the legend. */
static int64_t in_legend(const char *svg, const char *words) {
    const char *legend = strstr(svg, "id=\"legend\""), *end = strstr(svg, "id=\"parameters\"");
    assert_true(legend && end > legend);
    return count_of(legend, words) - count_of(end, words);
}

static int64_t headings(const char *svg) {
    return in_legend(svg, "font-weight=\"bold\">");
}

static void predict_labels(dgm_view *view) {
    int64_t marks = view->marks;
    view->own.profile->predictions.offsets =
        dgmi_draw_view_alloc(ctx, view, marks + 1, sizeof(int64_t));
    view->own.profile->predictions.values =
        dgmi_draw_view_alloc(ctx, view, 2 * marks + 1, sizeof(int32_t));
    view->own.profile->predictions.counts =
        dgmi_draw_view_alloc(ctx, view, 2 * marks + 1, sizeof(int64_t));
    memcpy(view->own.profile->predictions.offsets, view->own.profile->labels.offsets,
           (size_t)(marks + 1) * sizeof(int64_t));
    memcpy(view->own.profile->predictions.values, view->own.profile->labels.values,
           (size_t)(2 * marks) * sizeof(int32_t));
    memcpy(view->own.profile->predictions.counts, view->own.profile->labels.counts,
           (size_t)(2 * marks) * sizeof(int64_t));
}

/* Predictions as the labels are. */
static dgm_view *predicted_ring(int64_t marks) {
    dgm_view *view = ring(ctx, marks, 0);
    predict_labels(view);
    return view;
}

/* ---- legends that panels share ---- */

static void change_nothing(dgm_view *view) {
    (void)view;
}

static void change_source(dgm_view *view) {
    view->source = "another";
}

static void change_lens(dgm_view *view) {
    view->lens_name = "depth";
}

static void change_kind(dgm_view *view) {
    view->kind = DGM_VIEW_POINTS;
}

/* The second axis is the first once more. */
static void change_dimension(dgm_view *view) {
    double *lens = view->own.lens;
    char **axes = view->own.axes;
    assert_int_equal(dgmi_draw_view_own_lens(ctx, view, 2), DGM_OK);
    for (int64_t m = 0; m < view->marks; m++)
        view->own.lens[2 * m] = view->own.lens[2 * m + 1] = lens[m];
    view->own.axes[0] = axes[0];
    view->own.axes[1] = dgmi_draw_view_strdup(ctx, view, "height");
    dgmi_allocator_free(&view->allocator, axes);
    dgmi_allocator_free(&view->allocator, lens);
}

static void change_transform(dgm_view *view) {
    static char *rank[] = {"rank"};
    view->transforms = rank;
}

static void change_class_name(dgm_view *view) {
    set_text(ctx, view, &view->own.profile->class_names[1], "violet");
}

static void change_class_count(dgm_view *view) {
    char **names = dgmi_draw_view_alloc(ctx, view, 4, sizeof *names);
    memcpy(names, view->own.profile->class_names, 3 * sizeof *names);
    names[3] = dgmi_draw_view_strdup(ctx, view, "violet");
    dgmi_allocator_free(&view->allocator, view->own.profile->class_names);
    view->own.profile->class_names = names;
    view->own.profile->classes = 4;
}

/* No colour of one panel may be read by the legend of another that means something else. */
static void panels_share_a_legend_where_colours_mean_the_same(void **state) {
    (void)state;
    static const struct {
        const char *colour;
        void (*change)(dgm_view *);
        int64_t legends;
    } cases[] = {
        {"lens", change_nothing, 1},      {"lens", change_source, 2},
        {"lens", change_lens, 2},         {"lens", change_kind, 2},
        {"lens", change_dimension, 2},    {"lens", change_transform, 2},
        {"lens", change_class_name, 1},   {"labels", change_nothing, 1},
        {"labels", change_class_name, 2}, {"labels", change_class_count, 2},
        {"labels", change_lens, 1},
    };
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.names = "0";
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view *first = ring(ctx, 5, 0), *second = ring(ctx, 5, 0);
        cases[i].change(second);
        options.colour = cases[i].colour;
        char *svg = draw_two(first, "a", second, "b", &options);
        /* beside those of sizes and widths */
        if (headings(svg) != cases[i].legends + 2)
            fail_msg("case %d: %d headings", (int)i, (int)headings(svg));
        dgm_figure_bytes_free(ctx, svg);
        dgm_view_free(first);
        dgm_view_free(second);
    }
}

/* One column of a journal has no room for two lists of the same classes. */
static void labels_and_predictions_share_a_list_in_a_narrow_figure(void **state) {
    (void)state;
    static const struct {
        const char *width, *first, *second;
        void (*change)(dgm_view *);
        bool shared;
    } cases[] = {
        {"89mm", "labels", "prediction", change_nothing, true},
        {"89mm", "prediction", "labels", change_nothing, true},
        {"120mm", "labels", "prediction", change_nothing, false},
        {"89mm", "labels", "lens", change_nothing, false},
        {"89mm", "lens", "prediction", change_nothing, false},
        {"89mm", "labels", "prediction", change_class_name, false},
        {"89mm", "labels", "prediction", change_class_count, false},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        dgm_view *first = predicted_ring(6), *second = predicted_ring(6);
        dgm_figure *figure;
        char *svg;
        size_t length;
        options.names = "0";
        options.width = cases[i].width;
        cases[i].change(second);
        assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
        assert_int_equal(dgm_figure_add_view(figure, first, cases[i].first, "a", NULL, 0), DGM_OK);
        assert_int_equal(dgm_figure_add_view(figure, second, cases[i].second, "b", NULL, 0),
                         DGM_OK);
        assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
        assert_int_equal(in_legend(svg, ">most frequent class</text>"), cases[i].shared);
        if (headings(svg) != (cases[i].shared ? 1 : 2) + 2)
            fail_msg("case %d: %d headings", (int)i, (int)headings(svg));
        dgm_figure_bytes_free(ctx, svg);
        dgm_figure_free(figure);
        dgm_view_free(first);
        dgm_view_free(second);
    }
}

static char *draw_colours(dgm_view *a, const char *first, dgm_view *b, const char *second,
                          dgm_mixture mixture) {
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *svg;
    size_t length;
    options.names = "0";
    options.width = "89mm";
    options.mixture = mixture;
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, a, first, "a", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, b, second, "b", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

/* What classes clusters and nodes have of two is a share and a list. */
static void bars_and_lists_are_not_one_legend(void **state) {
    (void)state;
    dgm_view *clusters = predicted_ring(6), *nodes = predicted_ring(6);
    nodes->kind = DGM_VIEW_GRAPH;
    clusters->own.profile->classes = nodes->own.profile->classes = 2;
    for (int64_t i = 0; i < 12; i++)
        for (int k = 0; k < 2; k++)
            (k ? nodes : clusters)->own.profile->labels.values[i] =
                (k ? nodes : clusters)->own.profile->predictions.values[i] = (int32_t)(i % 2);
    for (int turn = 0; turn < 2; turn++) {
        char *svg = draw_colours(turn ? nodes : clusters, "labels", turn ? clusters : nodes,
                                 "prediction", DGM_MIXTURE_MAJORITY);
        assert_int_equal(in_legend(svg, ">most frequent class"), 0);
        assert_int_equal(in_legend(svg, ">share "), 1);
        assert_int_equal(in_legend(svg, ">red</text>"), 1);
        dgm_figure_bytes_free(ctx, svg);
    }
    clusters->own.profile->classes = nodes->own.profile->classes =
        3; /* as many names as there are to free */
    dgm_view_free(clusters);
    dgm_view_free(nodes);
}

/* ---- what the legend says of panels ---- */

static void marks_without_a_value_are_counted_where_panels_agree(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_view *first = ring(ctx, 6, 0), *second = ring(ctx, 6, 0);
    first->own.lens[2] = second->own.lens[3] = NAN;
    options.colour = "lens";
    options.names = "0";
    for (int agree = 1; agree >= 0; agree--) {
        if (!agree)
            second->own.lens[4] = NAN;
        char *svg = draw_two(first, "a", second, "b", &options);
        assert_int_equal(in_legend(svg, ">no value (1)</text>"), agree);
        assert_int_equal(in_legend(svg, ">no value</text>"), !agree);
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(first);
    dgm_view_free(second);
}

/* The number of a tick stays away where it would run into the one before. */
static void numbers_of_a_lying_bar_do_not_touch(void **state) {
    (void)state;
    size_t length;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_view *view = ring(ctx, 6, 0);
    options.width = "60mm";
    options.names = "0";
    options.colour = "lens";
    for (int64_t m = 0; m < 6; m++)
        view->own.lens[m] = 123456000.0 + 1000000 * (double)m;
    char *svg = draw(ctx, view, &options, &length);
    int64_t ticks = 0, numbers = in_legend(svg, "000,000</text>");
    double high[8];
    ticks = dgmi_draw_words_ticks(123456000, 128456000, 4, high);
    assert_true(numbers >= 1 && numbers < ticks);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* Weights that are counts and weights that are none have scales of their own, and a panel without
 * links has none. */
static void widths_are_explained_for_each_kind_of_links(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_view *counted = ring(ctx, 12, 0), *weighed = ring(ctx, 12, 0), *bare = ring(ctx, 2, 0);
    options.names = "0";
    for (int64_t l = 0; l < weighed->link_count; l++)
        weighed->own.links[l].weight = 1 / (1.0 + (double)l);
    char *svg = draw_two(counted, "a", weighed, "b", &options);
    assert_int_equal(in_legend(svg, ">width: shared nodes</text>"), 1);
    assert_int_equal(in_legend(svg, ">width: weight</text>"), 1);
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_two(bare, "a", counted, "b", &options);
    assert_int_equal(in_legend(svg, ">width: shared nodes</text>"), 1);
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_two(bare, "a", bare, "b", &options);
    assert_int_equal(in_legend(svg, ">width:"), 0);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(counted);
    dgm_view_free(weighed);
    dgm_view_free(bare);
}

/* `classes` classes, one a mark; of mark m the class m. */
static dgm_view *ring_of_classes(int64_t marks, int32_t classes) {
    dgm_view *view = ring(ctx, marks, 0);
    char name[32];
    for (int c = 0; c < 3; c++)
        dgmi_allocator_free(&view->allocator, view->own.profile->class_names[c]);
    dgmi_allocator_free(&view->allocator, view->own.profile->class_names);
    view->own.profile->class_names =
        dgmi_draw_view_alloc(ctx, view, classes, sizeof *view->own.profile->class_names);
    for (int32_t c = 0; c < classes; c++) {
        snprintf(name, sizeof name, "kind%d", (int)c);
        view->own.profile->class_names[c] = dgmi_draw_view_strdup(ctx, view, name);
    }
    view->own.profile->classes = classes;
    for (int64_t m = 0; m < marks; m++) {
        view->own.profile->labels.values[m] = (int32_t)(m % classes);
        view->own.profile->labels.counts[m] = view->size[m];
        view->own.profile->labels.offsets[m + 1] = m + 1;
    }
    return view;
}

/* A pie has fewer colours than marks have looks. */
static void pies_and_marks_of_many_classes_have_lists_of_their_own(void **state) {
    (void)state;
    dgm_view *clusters = ring_of_classes(20, 20), *nodes = ring_of_classes(20, 20);
    nodes->kind = DGM_VIEW_GRAPH;
    predict_labels(nodes);
    for (int pies = 0; pies < 2; pies++) {
        char *svg = draw_colours(clusters, "labels", nodes, "prediction",
                                 pies ? DGM_MIXTURE_PIE : DGM_MIXTURE_MAJORITY);
        assert_int_equal(in_legend(svg, ">kind16</text>"), pies ? 2 : 1);
        assert_int_equal(in_legend(svg, ">kind17</text>"), 1);
        assert_int_equal(in_legend(svg, ">other ("), pies);
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(clusters);
    dgm_view_free(nodes);
}

/* How many classes are gathered as others is not said where it differs from panel to panel. */
static void other_classes_of_several_panels_are_other(void **state) {
    (void)state;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_view *few = ring_of_classes(60, 80), *all = ring_of_classes(80, 80);
    options.colour = "labels";
    options.names = "0";
    char *svg = draw_two(all, "a", all, "b", &options);
    assert_int_equal(in_legend(svg, ">other ("), 1);
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_two(few, "a", all, "b", &options);
    assert_int_equal(in_legend(svg, ">other ("), 0);
    assert_int_equal(in_legend(svg, ">other</text>"), 1);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(few);
    dgm_view_free(all);
}

/* Twelve classes under a narrow figure: two columns, so names share a line. */
static void long_lists_stand_in_columns(void **state) {
    (void)state;
    size_t length;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_view *view = ring_of_classes(12, 12);
    double x[12], y[12];
    options.colour = "labels";
    options.names = "0";
    options.width = "89mm";
    char *svg = draw(ctx, view, &options, &length);
    for (int c = 0; c < 12; c++) {
        char words[32];
        snprintf(words, sizeof words, ">kind%d</text>", c);
        const char *at = strstr(strstr(svg, "id=\"legend\""), words);
        assert_non_null(at);
        while (strncmp(at, "<text", 5) != 0)
            at--;
        x[c] = strtod(strstr(at, " x=\"") + 4, NULL);
        y[c] = strtod(strstr(at, " y=\"") + 4, NULL);
    }
    assert_true(x[0] == x[5] && x[0] < x[6] && x[6] == x[11]);
    assert_true(y[0] == y[6] && y[5] == y[11] && y[0] < y[1]);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* Beyond as many as there are colours classes have other shapes: squares and diamonds are paths of
 * four corners. */
static void marks_of_many_classes_have_corners(void **state) {
    (void)state;
    size_t length;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    options.names = "0";
    for (int many = 0; many < 2; many++) {
        dgm_view *view = ring_of_classes(36, many ? 36 : 12);
        char *svg = draw(ctx, view, &options, &length);
        int64_t closed = 0;
        for (const char *at = svg; (at = strstr(at, "<path d=\"M")); at++) {
            const char *end = strchr(at, 'Z'), *quote = strchr(at + 9, '"');
            int corners = 1;
            if (!end || end > quote)
                continue;
            for (const char *c = at; c < end; c++)
                corners += *c == 'L';
            closed += corners == 4;
        }
        assert_true(many ? closed >= 24 : closed == 0);
        dgm_figure_bytes_free(ctx, svg);
        dgm_view_free(view);
    }
}

/* The ring and marks of one size are explained under a narrow figure too. */
static void everything_is_explained_under_a_narrow_figure(void **state) {
    (void)state;
    static const uint32_t ringed[] = {3};
    dgm_view *view = ring(ctx, 4000, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *svg;
    size_t length;
    options.width = "80mm";
    options.names = "0";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, ringed, 1), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_int_equal(in_legend(svg, ">a mark is a cluster"), 1);
    assert_int_equal(in_legend(svg, ">they disagree most"), 1);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

/* ---- sizes ---- */

/* Both have a cluster of 18 nodes, and the larger ring has half as much room for it: a size means
 * the same in both panels. */
static void clusters_of_a_size_are_as_large_in_every_panel(void **state) {
    (void)state;
    static const dgm_style styles[] = {DGM_STYLE_DEFAULT, DGM_STYLE_PAPER};
    dgm_view *small = ring(ctx, 40, 0), *large = ring(ctx, 80, 0);
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        options.style = styles[i];
        char *svg = draw_two(small, "small", large, "large", &options);
        double radius = largest_circle(svg, "p1-nodes");
        assert_true(radius > 0);
        assert_near(largest_circle(svg, "p2-nodes"), radius, 0.011);
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(small);
    dgm_view_free(large);
}

/* ---- boxes ---- */

static double page_height(const char *svg) {
    return strtod(strstr(svg, " height=\"") + 9, NULL);
}

/* Nothing is drawn over a title, so whichever panel has the longest, all make room for it. */
static void the_longest_title_has_room_over_every_panel(void **state) {
    (void)state;
    static const char longest[] = "a title of so many words that it is broken into several lines";
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.width = "89mm";
    char *first = draw_two(view, longest, view, "short", &options);
    char *last = draw_two(view, "short", view, longest, &options);
    char *none = draw_two(view, "short", view, "short", &options);
    assert_true(page_height(first) > page_height(none));
    assert_near(page_height(last), page_height(first), 0);
    dgm_figure_bytes_free(ctx, first);
    dgm_figure_bytes_free(ctx, last);
    dgm_figure_bytes_free(ctx, none);
    dgm_view_free(view);
}

static void a_figure_has_the_height_that_is_asked_for(void **state) {
    (void)state;
    static const char *const widths[] = {"80mm", "120mm"};
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.height = "150mm";
    for (int i = 0; i < 2; i++) {
        options.width = widths[i];
        char *svg = draw(ctx, view, &options, &length);
        assert_near(page_height(svg), 150, 0);
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(view);
}

/* A legend beside the panels that is higher than the figure, and panels that have no room left. */
static void a_height_that_is_too_little_is_refused_with_what_is_needed(void **state) {
    (void)state;
    static const struct {
        const char *width, *height;
        int32_t classes;
    } cases[] = {{"120mm", "50mm", 36}, {"80mm", "36mm", 3}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view *view = ring_of_classes(36, cases[i].classes);
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        dgm_figure *figure;
        char *svg, enough[32];
        size_t length;
        options.colour = "labels";
        options.width = cases[i].width;
        options.height = cases[i].height;
        assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
        assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
        assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length),
                         DGM_ERROR_USAGE);
        dgm_figure_free(figure);
        int needed = 0;
        assert_int_equal(
            sscanf(dgm_context_error(ctx), "legend and panels need a height of %dmm", &needed), 1);
        snprintf(enough, sizeof enough, "%dmm", needed);
        options.height = enough;
        svg = draw(ctx, view, &options, &length);
        assert_near(page_height(svg), needed, 0);
        dgm_figure_bytes_free(ctx, svg);
        dgm_view_free(view);
    }
}

static void a_figure_of_no_panels_is_an_empty_page(void **state) {
    (void)state;
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_note(figure, "nothing to see"), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    ASSERT_HAS(svg, ">nothing to see</text>");
    assert_true(page_height(svg) > 0);
    assert_int_equal(count_of(svg, "<circle"), 0);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
}

/* The paper's style gives clusters sizes of its own; nodes and points stay as they are. */
static void the_style_of_the_paper_leaves_nodes_alone(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    view->kind = DGM_VIEW_GRAPH;
    options.colour = "labels";
    char *plain = draw(ctx, view, &options, &length);
    options.style = DGM_STYLE_PAPER;
    char *paper = draw(ctx, view, &options, &length);
    const char *a = plain, *b = paper;
    for (int m = 0; m < 12; m++) {
        a = strstr(a + 1, "<circle");
        b = strstr(b + 1, "<circle");
        assert_true(a && b);
        assert_int_equal(strcspn(a, "f"), strcspn(b, "f"));
        assert_memory_equal(a, b, strcspn(a, "f")); /* up to its fill */
    }
    dgm_figure_bytes_free(ctx, plain);
    dgm_figure_bytes_free(ctx, paper);
    dgm_view_free(view);
}

static void nothing_to_draw_is_said_of_points_too(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 0, 0);
    view->kind = DGM_VIEW_POINTS;
    char *svg = draw(ctx, view, NULL, &length);
    ASSERT_HAS(svg, ">Nothing to draw.</text>");
    assert_null(strstr(svg, "No clusters."));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_share_a_legend_where_colours_mean_the_same),
        cmocka_unit_test(labels_and_predictions_share_a_list_in_a_narrow_figure),
        cmocka_unit_test(bars_and_lists_are_not_one_legend),
        cmocka_unit_test(marks_without_a_value_are_counted_where_panels_agree),
        cmocka_unit_test(numbers_of_a_lying_bar_do_not_touch),
        cmocka_unit_test(widths_are_explained_for_each_kind_of_links),
        cmocka_unit_test(pies_and_marks_of_many_classes_have_lists_of_their_own),
        cmocka_unit_test(other_classes_of_several_panels_are_other),
        cmocka_unit_test(long_lists_stand_in_columns),
        cmocka_unit_test(marks_of_many_classes_have_corners),
        cmocka_unit_test(everything_is_explained_under_a_narrow_figure),
        cmocka_unit_test(clusters_of_a_size_are_as_large_in_every_panel),
        cmocka_unit_test(the_longest_title_has_room_over_every_panel),
        cmocka_unit_test(a_figure_has_the_height_that_is_asked_for),
        cmocka_unit_test(a_height_that_is_too_little_is_refused_with_what_is_needed),
        cmocka_unit_test(a_figure_of_no_panels_is_an_empty_page),
        cmocka_unit_test(the_style_of_the_paper_leaves_nodes_alone),
        cmocka_unit_test(nothing_to_draw_is_said_of_points_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
