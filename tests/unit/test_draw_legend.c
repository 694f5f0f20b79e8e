/* SPDX-License-Identifier: Apache-2.0 */
/* Legends: what they say, and how much of a figure they take. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_sample.h"

static void a_legend_underneath_has_names_in_full_where_there_is_room(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    set_text(ctx, view, &view->own.profile->class_names[0], "Reinforcement_Learning");
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    options.width = "74mm";
    options.names = "0";
    char *svg = draw(ctx, view, &options, &length);
    assert_non_null(strstr(svg, ">Reinforcement_Learning</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* There is no legend of areas where all areas are one. */
static void marks_that_are_all_as_small_as_can_be_have_no_legend_of_areas(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 4000, 0);
    char *svg = draw(ctx, view, NULL, &length);
    assert_null(strstr(svg, "size: nodes"));
    assert_non_null(strstr(svg, "a mark is a cluster"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* Of marks that are as small as can be the legend says all sizes that look so. */
static void the_smallest_area_of_the_legend_says_what_it_stands_for(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 40, 0);
    for (int64_t m = 0; m < 40; m++)
        view->radius[m] = m == 39 ? 4 : 0.001;
    view->size[39] = 900;
    char *svg = draw(ctx, view, NULL, &length);
    assert_non_null(strstr(svg, ">2 to 18</text>"));
    assert_non_null(strstr(svg, ">900</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* From the top of a group to where the next begins, by the first text of each. */
static double height_between(const char *svg, const char *group, const char *next) {
    const char *from = strstr(svg, group), *to = strstr(svg, next);
    assert_non_null(from);
    assert_non_null(to);
    from = strstr(strstr(from, "<text"), " y=\"");
    to = strstr(strstr(to, "<text"), " y=\"");
    return strtod(to + 4, NULL) - strtod(from + 4, NULL);
}

static double figure_height(const char *svg) {
    return strtod(strstr(svg, " height=\"") + 9, NULL);
}

/* One column of a journal: what is drawn takes more than what explains it. */
static void a_legend_takes_less_than_half_of_a_narrow_figure(void **state) {
    (void)state;
    static const char *const colours[] = {"lens", "labels"};
    static const int64_t marks[] = {12, 60, 400};
    for (int c = 0; c < 2; c++)
        for (int m = 0; m < 3; m++) {
            size_t length;
            dgm_view *view = ring(ctx, marks[m], 0);
            dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
            options.width = "89mm";
            options.colour = colours[c];
            char *svg = draw(ctx, view, &options, &length);
            double legend = height_between(svg, "id=\"legend\"", "id=\"parameters\"");
            if (!(legend < 0.35 * figure_height(svg)))
                fail_msg("%s, %lld marks: %g of %g mm", colours[c], (long long)marks[m], legend,
                         figure_height(svg));
            dgm_figure_bytes_free(ctx, svg);
            dgm_view_free(view);
        }
}

/* The numbers of one panel would be wrong for the other, and what the first has not is in the
 * second. */
static void a_legend_of_two_panels_speaks_for_both(void **state) {
    (void)state;
    dgm_view *coarse = ring(ctx, 5, 0), *fine = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    options.names = "0";
    for (int64_t m = 0; m < 5; m++) /* the first panel has no green */
        coarse->own.profile->labels.values[2 * m] = 0;
    char *svg = draw_two(coarse, "coarse", fine, "fine", &options);
    char *legend = strstr(svg, "id=\"legend\""), *end = strstr(legend, "size: nodes");
    assert_non_null(end);
    *end = '\0';
    assert_int_equal(count_of(legend, ">red</text>"), 1);
    assert_int_equal(count_of(legend, ">green &amp; &lt;blue&gt;</text>"), 1);
    assert_int_equal(count_of(legend, "<text"), 4 + 1); /* a heading, three names and no number */
    dgm_figure_bytes_free(ctx, svg);
    svg = draw_two(coarse, "coarse", coarse, "again", &options);
    legend = strstr(svg, "id=\"legend\"");
    *strstr(legend, "size: nodes") = '\0';
    assert_int_equal(count_of(legend, "<text"), 5 + 1); /* the numbers of both */
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(coarse);
    dgm_view_free(fine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_legend_underneath_has_names_in_full_where_there_is_room),
        cmocka_unit_test(marks_that_are_all_as_small_as_can_be_have_no_legend_of_areas),
        cmocka_unit_test(the_smallest_area_of_the_legend_says_what_it_stands_for),
        cmocka_unit_test(a_legend_takes_less_than_half_of_a_narrow_figure),
        cmocka_unit_test(a_legend_of_two_panels_speaks_for_both),
    };
    return RUN_WITH_CONTEXT(tests);
}
