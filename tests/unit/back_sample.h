/* SPDX-License-Identifier: Apache-2.0 */
/* A panel of points at given places, for what lies behind marks. Include after unit_fixture.h. */
#ifndef BACK_SAMPLE_H
#define BACK_SAMPLE_H

#include "draw_figure.h"
#include "draw_view.h"

/* A figure of one panel, and its plot in a box of 100 by 100 mm. */
typedef struct back_sample {
    dgm_view *view;
    dgm_figure *figure;
    dgmi_draw_list list;
    dgmi_draw_page page;
    dgmi_draw_plot plot;
} back_sample;

/* Points of radius 1; x and y alternate. */
static inline void open_sample(back_sample *s, dgm_context *use, int64_t count,
                               const double *places) {
    double x[32], y[32], radius[32];
    dgm_matrix *points;
    memset(s, 0, sizeof *s);
    dgmi_draw_list_init(&s->list, use);
    for (int64_t m = 0; m < count; m++) {
        x[m] = places[2 * m];
        y[m] = places[2 * m + 1];
        radius[m] = 1;
    }
    assert_int_equal(dgm_matrix_create(use, count, 1, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(use, points, NULL, NULL, &s->view), DGM_OK);
    dgm_matrix_free(points);
    assert_int_equal(dgm_view_set_places(use, s->view, x, y, radius), DGM_OK);
    assert_int_equal(dgm_figure_create(use, NULL, &s->figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(s->figure, s->view, "none", NULL, NULL, 0), DGM_OK);
}

/* After everything was added: the page, a millimetre of which is one unit of the places if these
 * fill 100 of them. */
static inline void lay_sample(back_sample *s) {
    s->page = (dgmi_draw_page){.ctx = s->figure->ctx,
                               .figure = s->figure,
                               .options = &s->figure->options,
                               .look = {.ground = {255, 255, 255}},
                               .plots = &s->plot,
                               .count = 1,
                               .list = &s->list};
    s->plot = (dgmi_draw_plot){.panel = &s->figure->panels[0],
                               .box = {0, 0, 100, 100},
                               .x = s->view->x,
                               .y = s->view->y,
                               .radius = s->view->radius,
                               .shrink = 1};
    dgmi_draw_frame_of(&s->plot);
    dgmi_draw_frame_fit(&s->plot.frame, s->plot.box);
}

static inline void close_sample(back_sample *s) {
    dgmi_draw_list_free(&s->list);
    dgm_figure_free(s->figure);
    dgm_view_free(s->view);
}

#endif
