/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a view that a colouring shows. The files draw_paint*.c share this header. */
#ifndef DRAW_SOURCE_H
#define DRAW_SOURCE_H

#include "draw_paint.h"

typedef enum dgmi_draw_subject {
    DGMI_DRAW_SUBJECT_NONE,
    DGMI_DRAW_SUBJECT_LENS,
    DGMI_DRAW_SUBJECT_LABELS,
    DGMI_DRAW_SUBJECT_PREDICTION,
    DGMI_DRAW_SUBJECT_ERROR,
    DGMI_DRAW_SUBJECT_ENTROPY,
    DGMI_DRAW_SUBJECT_OUTWARD,
    DGMI_DRAW_SUBJECT_ATTRIBUTE,
} dgmi_draw_subject;

typedef struct dgmi_draw_source {
    const dgm_view *view;
    dgmi_draw_subject subject;
    dgmi_draw_paint_kind kind;
    const dgmi_mapper_counts *counts; /* the classes, for LABELS, PREDICTION and texts */
    const char *const *names;         /* the name of each class */
    int64_t classes;                  /* the number of classes */
    const dgmi_mapper_profile_attribute *attribute;
} dgmi_draw_source;

/* Finds what a colouring shows; DGM_ERROR_USAGE if the view has no such values. If `colour` is
 * NULL, it is the default of the view. If `ctx` is NULL, no error is recorded. */
dgm_status dgmi_draw_source_find(dgm_context *ctx, const dgm_view *view, const char *colour,
                                 dgmi_draw_source *out);
/* Returns whether marks have several members. Their numbers are then means, and of two classes the
 * share of one is shown. */
static inline bool dgmi_draw_source_grouped(const dgmi_draw_source *source) {
    return source->view->kind == DGM_VIEW_SUMMARY;
}
/* Returns whether the lens is the probability of a class. */
bool dgmi_draw_source_probability(const dgmi_draw_source *source);

/* ---- draw_paint_values.c: RAMP and SQUARE ---- */

void dgmi_draw_values_scale(const dgmi_draw_source *source, const dgm_figure_options *options,
                            dgmi_draw_paint_scale *scale);
/* Returns the number of a mark, or NaN if it is unknown. */
double dgmi_draw_values_of(const dgmi_draw_source *source, int64_t mark);
dgm_status dgmi_draw_values_paint(dgm_context *ctx, const dgmi_draw_source *source,
                                  const dgm_figure_options *options, dgmi_draw_paint *paint);

/* ---- draw_paint_classes.c: CLASSES ---- */

dgm_status dgmi_draw_classes_scale(dgm_context *ctx, const dgmi_draw_source *source,
                                   const dgm_figure_options *options, dgmi_draw_paint_scale *scale);
dgm_status dgmi_draw_classes_paint(dgm_context *ctx, const dgmi_draw_source *source,
                                   const dgm_figure_options *options, dgmi_draw_paint *paint);

/* ---- draw_paint_words.c ---- */

/* Returns the heading of the legend, in scratch memory, or NULL after an error. */
const char *dgmi_draw_paint_title(dgm_context *ctx, const dgmi_draw_source *source, bool pies);

#endif
