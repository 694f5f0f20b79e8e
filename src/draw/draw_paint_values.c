/* SPDX-License-Identifier: Apache-2.0 */
/* Colours marks by numbers: one number per mark on a ramp of colours, or two on a square. */
#include "draw_source.h"

#include <math.h>

/* ---- numbers ---- */

/* Of the members that have a class, the part that is in the second of two: the positive one. */
static double share_of(const dgmi_mapper_counts *counts, int64_t mark) {
    double positive = 0, all = 0;
    for (int64_t i = counts->offsets[mark]; i < counts->offsets[mark + 1]; i++) {
        all += (double)counts->counts[i];
        if (counts->values[i] == 1)
            positive += (double)counts->counts[i];
    }
    return all > 0 ? positive / all : NAN;
}

static double known(double value) {
    return isfinite(value) ? value : NAN;
}

static double axis_of(const dgmi_draw_source *source, int axis, int64_t mark) {
    return known(source->view->lens[mark * source->view->dimension + axis]);
}

double dgmi_draw_values_of(const dgmi_draw_source *source, int64_t mark) {
    const dgm_view *view = source->view;
    if (source->counts)
        return share_of(source->counts, mark);
    switch (source->subject) {
    case DGMI_DRAW_SUBJECT_ERROR:
        return view->profile->judged[mark] > 0
                   ? (double)view->profile->mistakes[mark] / (double)view->profile->judged[mark]
                   : NAN;
    case DGMI_DRAW_SUBJECT_ENTROPY:
        return known(view->profile->entropy[mark]);
    case DGMI_DRAW_SUBJECT_OUTWARD:
        return known(view->profile->outward[mark]);
    case DGMI_DRAW_SUBJECT_ATTRIBUTE:
        return known(source->attribute->means[mark]);
    default:
        return axis_of(source, 0, mark);
    }
}

/* ---- scales ---- */

static void widen(dgmi_draw_paint_scale *scale, int axis, double value) {
    scale->low[axis] = fmin(scale->low[axis], value); /* NaN changes nothing */
    scale->high[axis] = fmax(scale->high[axis], value);
}

static bool two_sided(const dgm_figure_options *options) {
    dgmi_draw_colormap map;
    if (!options->colormap)
        return true;
    return dgmi_draw_colormap_find(NULL, options->colormap, &map) == DGM_OK &&
           (map == DGMI_DRAW_COLORMAP_DIVERGING || map == DGMI_DRAW_COLORMAP_COOLWARM);
}

/* Fractions and probabilities: 0 .. 1 whatever occurs, so that figures can be compared. */
static void scale_fractions(const dgm_figure_options *options, dgmi_draw_paint_scale *scale) {
    scale->low[0] = 0;
    scale->high[0] = 1;
    scale->centred = two_sided(options);
    scale->middle = options->threshold;
}

/* From none to the most there is. On a light ground one half of a diverging map: no mistakes are
 * nearly the ground itself, many stand out. */
static void scale_mistakes(const dgmi_draw_source *source, const dgm_figure_options *options,
                           dgmi_draw_paint_scale *scale) {
    scale->low[0] = scale->high[0] = 0;
    for (int64_t m = 0; m < source->view->marks; m++)
        widen(scale, 0, dgmi_draw_values_of(source, m));
    scale->centred = !options->colormap && options->theme == DGM_THEME_LIGHT;
    scale->middle = 0;
}

void dgmi_draw_values_scale(const dgmi_draw_source *source, const dgm_figure_options *options,
                            dgmi_draw_paint_scale *scale) {
    scale->low[0] = scale->low[1] = INFINITY;
    scale->high[0] = scale->high[1] = -INFINITY;
    if (source->counts || dgmi_draw_source_probability(source)) {
        scale_fractions(options, scale);
    } else if (source->subject == DGMI_DRAW_SUBJECT_ERROR) {
        scale_mistakes(source, options, scale);
    } else if (source->subject == DGMI_DRAW_SUBJECT_ENTROPY) {
        scale->low[0] = 0;
        scale->high[0] = 1;
    } else {
        for (int64_t m = 0; m < source->view->marks; m++) {
            widen(scale, 0, dgmi_draw_values_of(source, m));
            if (source->kind == DGMI_DRAW_PAINT_SQUARE)
                widen(scale, 1, axis_of(source, 1, m));
        }
    }
}

/* Where a value lies on the map. No range: in the middle. Halves, so that a range beyond the
 * largest double is still one. */
static double place_between(double low, double high, double value) {
    double range = high / 2 - low / 2;
    return range > 0 ? fmin(fmax((value / 2 - low / 2) / range, 0), 1) : 0.5;
}

static double place_of(const dgmi_draw_paint_scale *scale, int axis, double value) {
    double low = scale->low[axis], high = scale->high[axis], middle = scale->middle;
    if (!scale->centred)
        return place_between(low, high, value);
    if (value < middle)
        return 0.5 * place_between(low, middle, value);
    return middle < high ? 0.5 + 0.5 * place_between(middle, high, value) : 0.5;
}

/* ---- colours ---- */

static dgmi_draw_colormap map_of(const dgmi_draw_source *source, const dgm_figure_options *options,
                                 const dgmi_draw_paint_scale *scale) {
    dgmi_draw_colormap map;
    if (options->colormap && dgmi_draw_colormap_find(NULL, options->colormap, &map) == DGM_OK)
        return map;
    if (scale->centred)
        return options->style == DGM_STYLE_PAPER ? DGMI_DRAW_COLORMAP_COOLWARM
                                                 : DGMI_DRAW_COLORMAP_DIVERGING;
    return source->subject == DGMI_DRAW_SUBJECT_ERROR ||
                   source->subject == DGMI_DRAW_SUBJECT_ENTROPY
               ? DGMI_DRAW_COLORMAP_CIVIDIS
               : DGMI_DRAW_COLORMAP_VIRIDIS;
}

static dgm_status paint_square(dgm_context *ctx, const dgmi_draw_source *source,
                               const dgm_figure_options *options, dgmi_draw_paint *paint) {
    const dgmi_draw_paint_scale *scale = &paint->scale;
    for (int axis = 0; axis < 2; axis++)
        if (!(paint->axes[axis] = dgmi_draw_view_axis(ctx, source->view, axis)))
            return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < source->view->marks; m++) {
        double x = axis_of(source, 0, m), y = axis_of(source, 1, m);
        bool unknown = isnan(x) || isnan(y);
        paint->unknown += unknown;
        paint->fill[m] = unknown ? dgmi_draw_unknown_colour(options->theme)
                                 : dgmi_draw_square_at(options->style, place_of(scale, 0, x),
                                                       place_of(scale, 1, y));
    }
    return DGM_OK;
}

dgm_status dgmi_draw_values_paint(dgm_context *ctx, const dgmi_draw_source *source,
                                  const dgm_figure_options *options, dgmi_draw_paint *paint) {
    if (source->kind == DGMI_DRAW_PAINT_SQUARE)
        return paint_square(ctx, source, options, paint);
    paint->map = map_of(source, options, &paint->scale);
    paint->value = dgmi_scratch(ctx, source->view->marks, sizeof *paint->value);
    if (!paint->value)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < source->view->marks; m++) {
        double value = paint->value[m] = dgmi_draw_values_of(source, m);
        paint->unknown += isnan(value);
        paint->fill[m] = isnan(value)
                             ? dgmi_draw_unknown_colour(options->theme)
                             : dgmi_draw_colormap_at(paint->map, place_of(&paint->scale, 0, value));
    }
    return DGM_OK;
}
