/* SPDX-License-Identifier: Apache-2.0 */
/* Whole figures, looked at through their SVG. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check_memory.h"
#include "figure_sample.h"

/* ---- what a figure holds ---- */

static void a_figure_has_its_layers_and_a_title_on_everything(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 3);
    char *svg = draw(ctx, view, NULL, &length);
    const char *const layers[] = {"id=\"edges\"", "id=\"nodes\"", "id=\"labels\"", "id=\"legend\"",
                                  "id=\"parameters\""};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        assert_int_equal(count_of(svg, layers[i]), 1);
    assert_int_equal(length, strlen(svg));
    assert_true(count_of(svg, "<title>") >= 12 + 15);
    assert_int_equal(count_of(svg, "id=\"n11\""), 1);
    assert_non_null(strstr(svg, "ring, 100 nodes, 200 edges: height lens"));
    assert_non_null(strstr(svg, "width: shared nodes"));
    assert_non_null(strstr(svg, "size: nodes"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* The centre of node `id`, as text. */
static void find_centre(const char *svg, const char *id, char centre[64]) {
    const char *at = strstr(svg, id);
    assert_non_null(at);
    while (*at != '<')
        at--;
    const char *cx = strstr(at, "cx="), *end = strstr(at, " r=");
    assert_non_null(cx);
    assert_non_null(end);
    assert_true(end > cx && end - cx < 63);
    snprintf(centre, 64, "%.*s", (int)(end - cx), cx);
}

static void recolouring_moves_nothing(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 3);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    char *by_lens = draw(ctx, view, NULL, &length), *by_labels = draw(ctx, view, &options, &length);
    for (int m = 0; m < 12; m++) {
        char id[32], a[64], b[64];
        snprintf(id, sizeof id, "id=\"n%d\"", m);
        find_centre(by_lens, id, a);
        find_centre(by_labels, id, b);
        assert_string_equal(a, b);
    }
    assert_non_null(strstr(by_labels, "green &amp; &lt;blue&gt;"));
    dgm_figure_bytes_free(ctx, by_lens);
    dgm_figure_bytes_free(ctx, by_labels);
    dgm_view_free(view);
}

static void pies_show_what_a_majority_hides(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    char *plain = draw(ctx, view, &options, &length);
    options.mixture = DGM_MIXTURE_PIE;
    char *pies = draw(ctx, view, &options, &length);
    assert_int_equal(count_of(pies, "<path"), count_of(plain, "<path") + 24);
    dgm_figure_bytes_free(ctx, plain);
    dgm_figure_bytes_free(ctx, pies);
    dgm_view_free(view);
}

static void no_clusters_make_a_figure_that_says_so(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 0, 0);
    char *svg = draw(ctx, view, NULL, &length);
    assert_non_null(strstr(svg, "No clusters."));
    assert_non_null(strstr(svg, "ring, 100 nodes"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void a_single_cluster_stays_of_a_readable_size(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 1, 0);
    char *svg = draw(ctx, view, NULL, &length);
    const char *radius = strstr(strstr(svg, "id=\"nodes\""), " r=\"");
    assert_non_null(radius);
    double value = strtod(radius + 4, NULL);
    assert_true(value > 1 && value < 8);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void the_same_figure_has_the_same_bytes(void **state) {
    (void)state;
    size_t first_length, second_length;
    dgm_view *view = ring(ctx, 50, 20);
    char *first = draw(ctx, view, NULL, &first_length);
    char *second = draw(ctx, view, NULL, &second_length);
    assert_int_equal(first_length, second_length);
    assert_memory_equal(first, second, first_length);
    dgm_figure_bytes_free(ctx, first);
    dgm_figure_bytes_free(ctx, second);
    dgm_view_free(view);
}

/* ---- the page ---- */

static void a_wide_figure_of_few_marks_is_no_higher_than_they_need(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.width = "500mm";
    char *svg = draw(ctx, view, &options, &length);
    const char *height = strstr(svg, " height=\"");
    assert_non_null(height);
    assert_true(strtod(height + 9, NULL) < 200);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void lines_are_not_broken_at_signs(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    for (int width = 20; width < 110; width++) {
        char text[16];
        snprintf(text, sizeof text, "%dmm", width);
        options.width = text;
        char *svg = draw(ctx, view, &options, &length);
        assert_null(strstr(svg, " =</text>"));
        assert_null(strstr(svg, ">= "));
        assert_null(strstr(svg, ">\xc2\xb7 "));
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(view);
}

/* ---- notes of mistakes ---- */

/* A view of 100 nodes in clusters of which `mistakes` are wrong. */
static dgm_view *mistaken_ring(int64_t mistakes) {
    dgm_view *view = ring(ctx, 5, 0);
    view->own.profile->judged =
        dgmi_draw_view_alloc(ctx, view, 5, sizeof *view->own.profile->judged);
    view->own.profile->mistakes =
        dgmi_draw_view_alloc(ctx, view, 5, sizeof *view->own.profile->mistakes);
    view->own.profile->ledger.known = true;
    view->own.profile->ledger.covered[DGM_SPLIT_NONE] =
        (dgm_judged){.judged = 100, .mistakes = mistakes};
    return view;
}

static void a_note_says_how_many_mistakes_there_are(void **state) {
    (void)state;
    static const struct {
        const char *figure, *own, *title, *note;
    } cases[] = {
        {"error", NULL, NULL, "Mistakes: 7 of 100"},
        {"error", NULL, "n = 5", "n = 5: Mistakes: 7 of 100"},
        {"prediction", NULL, "n = 5", "n = 5: Mistakes: 7 of 100"},
        {"labels", "error", "wrong", "Mistakes: 7 of 100"}, /* panels of one summary */
        {"error", "labels", "right", NULL},
        {"lens", NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_view *view = mistaken_ring(7);
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        dgm_figure *figure;
        options.colour = cases[i].figure;
        assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
        for (int twice = 0; twice < 2; twice++) /* once is enough */
            assert_int_equal(
                dgm_figure_add_view(figure, view, cases[i].own, cases[i].title, NULL, 0), DGM_OK);
        assert_int_equal(figure->note_count, cases[i].note ? 1 : 0);
        if (cases[i].note)
            assert_int_equal(strncmp(figure->notes[0], cases[i].note, strlen(cases[i].note)), 0);
        dgm_figure_free(figure);
        dgm_view_free(view);
    }
}

static void of_many_panels_the_first_four_have_notes(void **state) {
    (void)state;
    dgm_view *views[6];
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    options.colour = "error";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    for (int i = 0; i < 6; i++) {
        views[i] = mistaken_ring(i);
        assert_int_equal(dgm_figure_add_view(figure, views[i], NULL, NULL, NULL, 0), DGM_OK);
        assert_int_equal(figure->note_count, i < 4 ? i + 1 : 4);
    }
    dgm_figure_free(figure);
    for (int i = 0; i < 6; i++)
        dgm_view_free(views[i]);
}

/* ---- several panels ---- */

static void what_panels_do_not_share_is_not_said_of_all(void **state) {
    (void)state;
    dgm_view *coarse = ring(ctx, 5, 0), *fine = ring(ctx, 12, 0);
    set_text(ctx, fine, &fine->parameters,
             "height lens \xc2\xb7 n = 50 \xc2\xb7 g = 0.2 \xc2\xb7 4 of 9 nodes covered");
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, coarse, NULL, "n = 5", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, fine, NULL, "n = 50", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_non_null(strstr(svg, "edges: height lens \xc2\xb7 g = 0.2</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_view_free(coarse);
    dgm_view_free(fine);
}

static void titles_of_panels_are_not_cut(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.width = "89mm";
    char *svg = draw_two(view, "n = 10, g = 0.25 \xc2\xb7 1,234 / 56,789 and a word or two", view,
                         "short", &options);
    assert_null(strstr(svg, "\xe2\x80\xa6"));
    assert_non_null(strstr(svg, "or two</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void panels_of_one_summary_share_layout_and_legend(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure *figure;
    char *svg;
    size_t length;
    const uint32_t ringed[] = {3, 99};
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    dgm_figure_set_columns(figure, 2);
    assert_int_equal(dgm_figure_add_view(figure, view, "labels", "a labels", NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, "labels", "b again", ringed, 2), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    char a[64], b[64];
    find_centre(svg, "id=\"p1-n5\"", a);
    find_centre(svg, "id=\"p2-n5\"", b);
    assert_string_equal(strstr(a, "cy="), strstr(b, "cy="));
    assert_int_equal(count_of(svg, "size: nodes"), 1);
    assert_int_equal(count_of(svg, "they disagree most"), 1);
    dgm_figure_bytes_free(ctx, svg);
    assert_int_equal(dgm_figure_set_ring(figure, "they go"), DGM_OK);
    assert_int_equal(dgm_figure_set_ring(figure, "they stay"), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_int_equal(count_of(svg, "they disagree most") + count_of(svg, "they go"), 0);
    assert_int_equal(count_of(svg, "they stay"), 1);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

static void charts_are_panels_too(void **state) {
    (void)state;
    static const char *const steps[] = {"n = 20", "n = 10", "n = 5"};
    static const char *const rows[] = {"red \xe2\x80\x93 blue", "<&>"};
    static const double values[] = {1, 2, 3, 4, NAN, 6};
    static const dgm_figure_bar bars[] = {{0, 0, -1}, {0, 0, 1}, {1, 1, 2}};
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_barcode(figure, "bars", 3, steps, 3, bars), DGM_OK);
    assert_int_equal(dgm_figure_add_lines(figure, "lines", 3, steps, 2, rows, values), DGM_OK);
    assert_int_equal(dgm_figure_add_note(figure, "a note"), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_non_null(strstr(svg, "piece: from n = 20 on"));
    assert_non_null(strstr(svg, "loop: from n = 10 to n = 5"));
    assert_non_null(strstr(svg, "pieces (2)"));
    assert_non_null(strstr(svg, "a note"));
    dgm_figure_bytes_free(ctx, svg);
    const dgm_figure_bar outside = {0, 3, -1};
    assert_int_equal(dgm_figure_add_barcode(figure, NULL, 3, steps, 1, &outside), DGM_ERROR_USAGE);
    dgm_figure_free(figure);
}

static void points_without_a_graph_are_called_points(void **state) {
    (void)state;
    static const double rows[] = {0, 0, 1, 2, 3, 1};
    dgm_matrix *points = NULL;
    dgm_view *view;
    size_t length;
    assert_int_equal(dgm_matrix_create(ctx, 3, 2, &points), DGM_OK);
    memcpy(dgm_matrix_values_mutable(points), rows, sizeof rows);
    assert_int_equal(dgm_view_from_points(ctx, points, NULL, NULL, &view), DGM_OK);
    char *svg = draw(ctx, view, NULL, &length);
    assert_non_null(strstr(svg, ">3 points</text>"));
    assert_non_null(strstr(svg, ">a dot is a point</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
    dgm_matrix_free(points);
}

static void every_line_of_a_chart_has_its_name(void **state) {
    (void)state;
    static const char *const steps[] = {"a", "b"};
    static const char *const rows[] = {"0 Probabilistic_Methods and Neural_Networks, long",
                                       "1 Probabilistic_Methods and Neural_Networks, long",
                                       "2 Probabilistic_Methods and Neural_Networks, long",
                                       "3 Probabilistic_Methods and Neural_Networks, long",
                                       "4 Probabilistic_Methods and Neural_Networks, long",
                                       "5 Probabilistic_Methods and Neural_Networks, long",
                                       "6 Probabilistic_Methods and Neural_Networks, long",
                                       "7 Probabilistic_Methods and Neural_Networks, long"};
    static const double values[16] = {1, 2};
    dgm_figure *figure;
    char *svg;
    size_t length;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.width = "90mm";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_lines(figure, "lines", 2, steps, 8, rows, values), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    for (char row = '0'; row < '8'; row++) {
        char name[] = {'>', row, ' ', 'P', 'r', 'o', 'b', '\0'};
        assert_int_equal(count_of(svg, name), 3); /* two dots have titles */
    }
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
}

/* ---- much, and wrong ---- */

static void thin_links_stay_away_where_there_are_too_many(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 1000, 69000);
    char *svg = draw(ctx, view, NULL, &length);
    assert_int_equal(count_of(svg, "shared nodes, 3 graph edges"), 60000);
    assert_non_null(strstr(svg, "60,000 of 70,000 edges drawn, the heaviest</text>"));
    assert_null(strstr(svg, "stroke-width=\"1.3\"")); /* and the others are thinner */
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* Where all weigh the same, none is the thinnest: those that are drawn come from everywhere. */
static void links_that_weigh_the_same_are_drawn_as_a_sample(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 1000, 79000);
    view->kind = DGM_VIEW_GRAPH;
    set_text(ctx, view, &view->parameters, "every node and edge");
    int64_t late = 0;
    for (int64_t i = 0; i < 80000; i++) {
        view->own.links[i].weight = 1;
        view->own.links[i].shared = view->own.links[i].links = -1;
        late += i >= 60000;
    }
    char *svg = draw(ctx, view, NULL, &length);
    assert_int_equal(count_of(svg, ": weight 1"), 60000);
    assert_null(strstr(svg, "every node and edge"));
    assert_non_null(strstr(svg, "every node \xc2\xb7 60,000 of"));
    assert_non_null(strstr(svg, "80,000 edges drawn, a random sample"));
    /* Links 60,000 .. 79,999 join nodes 60 to 79 apart: three quarters of them are there. */
    int64_t found = 0;
    for (const char *at = svg; *at; at++) { /* by hand, as count_of does */
        if (*at != '<' || strncmp(at, "<title>", 7) != 0)
            continue;
        char *next;
        long a = strtol(at + 7, &next, 10);
        if (strncmp(next, " \xe2\x80\x93 ", 5) != 0)
            continue;
        long apart = strtol(next + 5, NULL, 10) - a;
        found += (apart < 1000 - apart ? apart : 1000 - apart) > 60;
    }
    assert_true(found > 0.7 * (double)late && found < 0.8 * (double)late);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    dgm_figure *figure;
    char *bytes;
    size_t length;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    const char *const widths[] = {"", "89 mm", "wide", "1mm", "3000mm", "nan", "-89mm", "5"};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        options.width = widths[i];
        assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_ERROR_USAGE);
        assert_null(figure);
    }
    options.width = "3.5in";
    options.colormap = "virids";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_ERROR_USAGE);
    assert_non_null(strstr(dgm_context_error(ctx), "viridis"));
    options.colormap = NULL;
    options.height = "21mm";
    dgm_view *view = ring(ctx, 12, 0);
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, "entropi", NULL, NULL, 0), DGM_ERROR_USAGE);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &bytes, &length),
                     DGM_ERROR_USAGE);
    assert_null(bytes);
    assert_non_null(strstr(dgm_context_error(ctx), "height"));
    dgm_figure_free(figure);
    dgm_view_free(view);
}

static void options_are_checked_before_anything_is_drawn(void **state) {
    (void)state;
    static const struct {
        const char *colormap, *names, *words; /* words NULL: fine */
    } cases[] = {
        {"cividis", NULL, NULL},
        {"qqqqqqqqqqqqqqqq", NULL,
         "unknown colormap 'qqqqqqqqqqqqqqqq'; use viridis, cividis, coolwarm or diverging"},
        {"virids", NULL, "unknown colormap 'virids'; did you mean 'viridis'?"},
        {NULL, "0", NULL},
        {NULL, "1000", NULL},
        {NULL, "numbers", NULL},
        {NULL, "members:30", NULL},
        {NULL, "1001", "names '1001' are none; "},
        {NULL, "-1", "names '-1' are none; "},
        {NULL, "many", "names 'many' are none; "},
        {NULL, "numbers:x", "names 'numbers:x' are none; "},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        dgm_figure *figure;
        options.colormap = cases[i].colormap;
        options.names = cases[i].names;
        assert_int_equal(dgm_figure_create(ctx, &options, &figure),
                         cases[i].words ? DGM_ERROR_USAGE : DGM_OK);
        if (cases[i].words)
            ASSERT_HAS(dgm_context_error(ctx), cases[i].words);
        dgm_figure_free(figure);
    }
}

static void a_view_must_be_laid_out(void **state) {
    (void)state;
    dgm_view *view;
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, 2, &view), DGM_OK);
    ASSERT_FAILS(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_ERROR_USAGE,
                 "the view was not laid out: call dgm_view_lay_out first");
    dgm_view_free(view);
    dgm_figure_free(figure);
}

static void a_failed_allocation_leaves_nothing(void **state) {
    (void)state;
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *faulty;
    assert_int_equal(dgm_context_create(&allocator, &faulty), DGM_OK);
    dgm_view *view = ring(faulty, 5, 1);
    static const dgm_figure_bar bar = {0, 0, -1};
    static const char *const step = "n";
    const uint32_t ringed = 2;
    bool whole = false;
    for (long long k = 1; !whole; k++) {
        dgm_figure *figure = NULL;
        char *bytes = NULL;
        size_t length;
        long long blocks = memory.blocks;
        memory.fail_at = memory.calls + k;
        dgm_figure_options options = {
            .size = sizeof(dgm_figure_options), .colour = "labels", .dpi = 300, .names = "3"};
        dgm_status status = dgm_figure_create(faulty, &options, &figure);
        if (status == DGM_OK)
            status = dgm_figure_add_view(figure, view, "labels", "t", &ringed, 1);
        if (status == DGM_OK)
            status = dgm_figure_add_barcode(figure, "b", 1, &step, 1, &bar);
        if (status == DGM_OK)
            status = dgm_figure_add_note(figure, "note");
        if (status == DGM_OK)
            status = dgm_figure_set_ring(figure, "ring");
        if (status == DGM_OK)
            status = dgm_figure_render(faulty, figure, DGM_FIGURE_SVG, &bytes, &length);
        whole = status == DGM_OK;
        assert_true(whole || status == DGM_ERROR_MEMORY);
        assert_true(whole == (bytes != NULL));
        memory.fail_at = 0;
        dgm_figure_bytes_free(faulty, bytes);
        dgm_figure_free(figure);
        /* the context keeps its arena's blocks */
        assert_true(memory.blocks <= blocks + 8);
    }
    dgm_view_free(view);
    dgm_context_free(faulty);
    assert_int_equal(memory.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_has_its_layers_and_a_title_on_everything),
        cmocka_unit_test(recolouring_moves_nothing),
        cmocka_unit_test(pies_show_what_a_majority_hides),
        cmocka_unit_test(no_clusters_make_a_figure_that_says_so),
        cmocka_unit_test(a_single_cluster_stays_of_a_readable_size),
        cmocka_unit_test(the_same_figure_has_the_same_bytes),
        cmocka_unit_test(a_wide_figure_of_few_marks_is_no_higher_than_they_need),
        cmocka_unit_test(lines_are_not_broken_at_signs),
        cmocka_unit_test(titles_of_panels_are_not_cut),
        cmocka_unit_test(what_panels_do_not_share_is_not_said_of_all),
        cmocka_unit_test(panels_of_one_summary_share_layout_and_legend),
        cmocka_unit_test(charts_are_panels_too),
        cmocka_unit_test(every_line_of_a_chart_has_its_name),
        cmocka_unit_test(points_without_a_graph_are_called_points),
        cmocka_unit_test(thin_links_stay_away_where_there_are_too_many),
        cmocka_unit_test(links_that_weigh_the_same_are_drawn_as_a_sample),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_note_says_how_many_mistakes_there_are),
        cmocka_unit_test(of_many_panels_the_first_four_have_notes),
        cmocka_unit_test(options_are_checked_before_anything_is_drawn),
        cmocka_unit_test(a_view_must_be_laid_out),
        cmocka_unit_test(a_failed_allocation_leaves_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
