/* SPDX-License-Identifier: Apache-2.0 */
/* How a page is cut into panels, by the frames around them: charts, whose height goes with their
 * width. A frame is a millimetre outside its panel and its title. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_sample.h"

enum { MOST = 10 };
#define TITLE (8 * 25.4 / 72 * 1.25 + 1.5) /* mm, a line and what is under it */

typedef struct {
    double x, y, width, height;
} rectangle;

/* Charts, framed but for `bare`; their boxes without frames, the height of the page. */
static int64_t draw_charts(const dgm_figure_options *options, int64_t panels, int64_t columns,
                           const char *title, int64_t bare, rectangle *boxes, double *height) {
    static const char *const steps[] = {"a", "b"};
    const double title_height = title ? TITLE : 0;
    dgm_figure *figure;
    char *svg;
    size_t length;
    int64_t found = 0;
    assert_int_equal(dgm_figure_create(ctx, options, &figure), DGM_OK);
    dgm_figure_set_columns(figure, columns);
    for (int64_t i = 0; i < panels; i++) {
        assert_int_equal(dgm_figure_add_barcode(figure, title, 2, steps, 0, NULL), DGM_OK);
        if (i != bare)
            dgm_figure_frame_panel(figure, i);
    }
    dgm_figure_frame_panel(figure, -1); /* there are none */
    dgm_figure_frame_panel(figure, panels);
    dgm_status status = dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length);
    dgm_figure_free(figure);
    if (status != DGM_OK)
        return -1;
    *height = strtod(strstr(svg, " height=\"") + 9, NULL);
    for (const char *at = svg; (at = strstr(at, "<rect x=")); at++) {
        rectangle r;
        char looks[64];
        assert_int_equal(sscanf(at,
                                "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" %50[^/]",
                                &r.x, &r.y, &r.width, &r.height, looks),
                         5);
        assert_string_equal(looks, "fill=\"none\" stroke=\"#1a1c20\" stroke-width=\"0.4\"");
        boxes[found++] =
            (rectangle){r.x + 1, r.y + 1 + title_height, r.width - 2, r.height - 2 - title_height};
    }
    dgm_figure_bytes_free(ctx, svg);
    return found;
}

static void assert_box(const rectangle *box, double x, double y, double width, double height) {
    assert_near(box->x, x, 0.02);
    assert_near(box->y, y, 0.02);
    assert_near(box->width, width, 0.02);
    assert_near(box->height, height, 0.02);
}

/* Beside the legend's 29 mm and 4 mm more; below the first row a chart at the right end has these,
 * too. Under a figure of less than 95 mm there is the legend, and panels have all of its width. */
static void panels_stand_in_rows_and_columns(void **state) {
    (void)state;
    static const int64_t columns_of[] = {0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4};
    for (int narrow = 0; narrow < 2; narrow++)
        for (int titled = 0; titled < 2; titled++)
            for (int64_t panels = 1; panels <= MOST; panels++) {
                dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
                rectangle boxes[MOST];
                double height, title = titled ? TITLE : 0;
                options.width = narrow ? "94.9mm" : "95mm";
                int64_t asked = panels == 7 ? 2 : panels == 4 ? 9 : 0;
                int64_t columns = panels == 7 ? 2 : panels == 4 ? 4 : columns_of[panels];
                int64_t rows = (panels + columns - 1) / columns;
                double usable = narrow ? 94.9 - 6 : 95 - 6 - 33;
                double wide = (usable - 4 * (double)(columns - 1)) / (double)columns;
                double high = 0.62 * wide;
                if (high < fmin(0.22 * wide, 15))
                    high = 15;
                assert_int_equal(
                    draw_charts(&options, panels, asked, titled ? "t" : NULL, -1, boxes, &height),
                    panels);
                for (int64_t i = 0; i < panels; i++) {
                    int64_t row = i / columns, column = i % columns;
                    bool wider = !narrow && column == columns - 1 && row > 0;
                    assert_box(&boxes[i], 3 + (double)column * (wide + 4),
                               3 + title + (double)row * (high + title + 4),
                               wide + (wider ? 33 : 0), high);
                }
                double all = (double)rows * (high + title) + 4 * (double)(rows - 1);
                assert_near(height, 3 + all + 2 + 3 + (narrow ? 4 : 0), 0.02);
            }
}

static void only_panels_that_are_asked_for_have_a_frame(void **state) {
    (void)state;
    rectangle boxes[MOST];
    double height;
    assert_int_equal(draw_charts(NULL, 3, 0, NULL, 1, boxes, &height), 2);
    assert_int_equal(draw_charts(NULL, 1, 0, NULL, 0, boxes, &height), 0);
}

/* Panels share what the margins, 2 mm over the footer and the titles leave of a height; each needs
 * 15 mm. */
static void panels_share_the_height_that_is_asked_for(void **state) {
    (void)state;
    static const struct {
        const char *height;
        int64_t panels;
        bool titled, narrow;
        double high; /* of a panel; 0: there is no room */
    } cases[] = {
        {"100mm", 1, false, false, 92},
        {"100mm", 2, false, false, (100 - 8 - 4) / 2.0},
        {"100mm", 2, true, false, (100 - 8 - 4 - 2 * TITLE) / 2.0},
        {"100mm", 2, false, true, (100 - 8 - 4 - 4) / 2.0},
        {"23mm", 1, false, false, 15},
        {"22.9mm", 1, false, false, 0},
        {"27mm", 1, false, true, 15},
        {"26.9mm", 1, false, true, 0},
        {"42mm", 2, false, false, 15},
        {"41.9mm", 2, false, false, 0},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        rectangle boxes[MOST];
        double height = 0;
        options.width = cases[i].narrow ? "90mm" : "120mm";
        options.height = cases[i].height;
        int64_t found = draw_charts(&options, cases[i].panels, 1, cases[i].titled ? "t" : NULL, -1,
                                    boxes, &height);
        if (cases[i].high == 0) {
            char words[100];
            assert_int_equal(found, -1);
            snprintf(words, sizeof words,
                     "legend and panels need a height of %.0fmm: ask for that, or leave height out",
                     ceil(strtod(cases[i].height, NULL)));
            assert_string_equal(dgm_context_error(ctx), words);
            continue;
        }
        assert_int_equal(found, cases[i].panels);
        assert_near(height, strtod(cases[i].height, NULL), 0);
        for (int64_t p = 0; p < found; p++)
            assert_near(boxes[p].height, cases[i].high, 0.02);
    }
}

/* However long the names of its classes are. */
static void a_legend_beside_panels_has_at_most_four_tenths(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 12, 0);
    char name[90];
    memset(name, 'w', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    set_text(ctx, view, &view->own.profile->class_names[0], name);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *svg;
    size_t length;
    double x, y, wide, high;
    options.colour = "labels";
    options.width = "100mm";
    options.names = "0";
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
    dgm_figure_frame_panel(figure, 0);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_int_equal(sscanf(strstr(svg, "<rect x="),
                            "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y, &wide,
                            &high),
                     4);
    assert_near(wide - 2, 94 - 0.4 * 94 - 4, 0.02);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_stand_in_rows_and_columns),
        cmocka_unit_test(only_panels_that_are_asked_for_have_a_frame),
        cmocka_unit_test(panels_share_the_height_that_is_asked_for),
        cmocka_unit_test(a_legend_beside_panels_has_at_most_four_tenths),
    };
    return RUN_WITH_CONTEXT(tests);
}
