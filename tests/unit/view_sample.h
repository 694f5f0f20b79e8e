/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of layouts of views share. */
#ifndef VIEW_SAMPLE_H
#define VIEW_SAMPLE_H

#include "unit_fixture.h"

#include "layout_sample.h"
#include "unit_faults.h"

static inline dgm_view *view_of(sample s, int64_t dimension, int layout) {
    dgm_view *view = sample_view(ctx, &s, dimension);
    dgm_layout_options options = DGM_LAYOUT_OPTIONS_INIT;
    assert_non_null(view);
    options.layout = layout;
    assert_int_equal(dgm_view_lay_out(ctx, view, &options), DGM_OK);
    assert_int_equal(view->layout, layout);
    for (int64_t m = 0; m < view->marks; m++) {
        assert_true(isfinite(view->x[m]) && isfinite(view->y[m]));
        assert_true(view->radius[m] > 0 && isfinite(view->radius[m]));
    }
    free(s.links);
    return view;
}

static inline double overlap_of(const dgm_view *view) {
    return worst_overlap(view->marks, view->x, view->y, 1, view->radius, 0);
}

/* The box of marks from .. to - 1: low x, low y, high x, high y. */
static inline void box_of(const dgm_view *view, int64_t from, int64_t to, double box[4]) {
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (int64_t m = from; m < to; m++) {
        box[0] = fmin(box[0], view->x[m] - view->radius[m]);
        box[1] = fmin(box[1], view->y[m] - view->radius[m]);
        box[2] = fmax(box[2], view->x[m] + view->radius[m]);
        box[3] = fmax(box[3], view->y[m] + view->radius[m]);
    }
}

#endif
