/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries to be drawn, and their SVG. Include after unit_fixture.h. */
#ifndef FIGURE_SAMPLE_H
#define FIGURE_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw_figure.h"

static inline void set_text(dgm_context *use, dgm_view *view, char **field, const char *text) {
    dgmi_allocator_free(&view->allocator, *field);
    *field = dgmi_draw_view_strdup(use, view, text);
    assert_non_null(*field);
}

/* Clusters on a ring with a chord here and there: sizes from 1 up, a lens of one axis, three
 * classes.
 */
static inline dgm_view *ring(dgm_context *use, int64_t marks, int64_t chords) {
    dgm_view *view;
    int64_t links = marks > 2 ? marks + chords : 0;
    assert_int_equal(dgmi_draw_view_create(use, DGM_VIEW_SUMMARY, marks, &view), DGM_OK);
    assert_int_equal(dgmi_draw_view_own_profile(use, view), DGM_OK);
    assert_int_equal(dgmi_draw_view_own_links(use, view, links), DGM_OK);
    assert_int_equal(dgmi_draw_view_own_lens(use, view, 1), DGM_OK);
    view->source = "ring";
    view->lens_name = "height";
    set_text(use, view, &view->parameters, "height lens \xc2\xb7 n = 5 \xc2\xb7 g = 0.2");
    view->nodes = 100;
    view->edges = 200;
    view->own.axes[0] = dgmi_draw_view_strdup(use, view, "height");
    view->own.profile->classes = 3;
    view->own.profile->class_names =
        dgmi_draw_view_alloc(use, view, 3, sizeof *view->own.profile->class_names);
    const char *const names[] = {"red", "green & <blue>", "\"grey\""};
    for (int c = 0; c < 3; c++)
        view->own.profile->class_names[c] = dgmi_draw_view_strdup(use, view, names[c]);
    view->own.profile->labels.offsets = dgmi_draw_view_alloc(use, view, marks + 1, sizeof(int64_t));
    view->own.profile->labels.values =
        dgmi_draw_view_alloc(use, view, 2 * marks + 1, sizeof(int32_t));
    view->own.profile->labels.counts =
        dgmi_draw_view_alloc(use, view, 2 * marks + 1, sizeof(int64_t));
    double *x = calloc((size_t)marks + 1, sizeof *x), *y = calloc((size_t)marks + 1, sizeof *y);
    double *radius = calloc((size_t)marks + 1, sizeof *radius);
    for (int64_t m = 0; m < marks; m++) {
        double turn = 6.283185307179586 * (double)m / (double)marks;
        view->size[m] = 2 + m % 17;
        view->own.lens[m] = sin(turn);
        x[m] = (double)marks * 0.16 * cos(turn);
        y[m] = (double)marks * 0.16 * sin(turn);
        radius[m] = 0.1 * sqrt((double)view->size[m]);
        view->own.profile->labels.values[2 * m] = (int32_t)(m % 2);
        view->own.profile->labels.values[2 * m + 1] = 2;
        view->own.profile->labels.counts[2 * m] = view->size[m] - 1;
        view->own.profile->labels.counts[2 * m + 1] = 1;
        view->own.profile->labels.offsets[m + 1] = 2 * m + 2;
    }
    assert_int_equal(dgm_view_set_places(use, view, x, y, radius), DGM_OK);
    for (int64_t i = 0; i < links; i++) {
        uint32_t a = (uint32_t)(i % marks), b = (uint32_t)((i + 1 + i / marks) % marks);
        view->own.links[i] = (dgm_summary_edge){.source = a < b ? a : b,
                                                .target = a < b ? b : a,
                                                .shared = 1 + i % 7,
                                                .links = 3,
                                                .weight = (double)(1 + i % 7) / 7};
    }
    free(x);
    free(y);
    free(radius);
    return view;
}

static inline char *draw(dgm_context *use, const dgm_view *view, const dgm_figure_options *options,
                         size_t *length) {
    dgm_figure *figure;
    char *bytes;
    assert_int_equal(dgm_figure_create(use, options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
    dgm_status status = dgm_figure_render(use, figure, DGM_FIGURE_SVG, &bytes, length);
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(use));
    dgm_figure_free(figure);
    return bytes;
}

/* By hand: a sanitizer's strstr measures all that is left of the text each time. */
static inline int64_t count_of(const char *text, const char *word) {
    int64_t count = 0;
    for (const char *at = text; *at; at++) {
        size_t i = 0;
        while (word[i] && at[i] == word[i])
            i++;
        count += !word[i];
    }
    return count;
}

/* How often a word occurs between the layer of that id and the end of it. */
static inline int64_t count_in(const char *svg, const char *id, const char *word) {
    char open[64];
    snprintf(open, sizeof open, "<g id=\"%s\"", id);
    const char *start = strstr(svg, open);
    assert_non_null(start);
    return count_of(start, word) - count_of(strstr(start, "</g>"), word);
}

/* Where a text of the figure stands. */
static inline void find_text(const char *svg, const char *text, double *x, double *y) {
    char end[128];
    const char *found, *start;
    snprintf(end, sizeof end, ">%s</text>", text);
    found = strstr(svg, end);
    assert_non_null(found);
    for (start = found; strncmp(start, "<text ", 6) != 0; start--)
        assert_true(start > svg);
    assert_int_equal(sscanf(start, "<text x=\"%lf\" y=\"%lf\"", x, y), 2);
}

/* Panels whose titles these are stand in rows of so many, from left to right. */
static inline void check_grid(const char *svg, const char *const *titles, int count, int columns) {
    double x[16], y[16];
    for (int i = 0; i < count; i++) {
        find_text(svg, titles[i], &x[i], &y[i]);
        assert_true(i % columns == 0 || (x[i] > x[i - 1] && y[i] == y[i - 1]));
        assert_true(i < columns || (x[i] == x[i - columns] && y[i] > y[i - columns]));
    }
}

/* The largest radius of the circles of a layer. */
static inline double largest_circle(const char *svg, const char *id) {
    char open[64];
    double largest = 0, radius;
    snprintf(open, sizeof open, "<g id=\"%s\"", id);
    const char *at = strstr(svg, open);
    assert_non_null(at);
    const char *end = strstr(at, "</g>");
    while ((at = strstr(at, " r=\"")) && at < end) {
        assert_int_equal(sscanf(at, " r=\"%lf\"", &radius), 1);
        largest = fmax(largest, radius);
        at++;
    }
    return largest;
}

static inline char *draw_two(const dgm_view *a, const char *title, const dgm_view *b,
                             const char *second, const dgm_figure_options *options) {
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_create(ctx, options, &figure), DGM_OK);
    dgm_figure_set_columns(figure, 2);
    assert_int_equal(dgm_figure_add_view(figure, a, NULL, title, NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, b, NULL, second, NULL, 0), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

#endif
