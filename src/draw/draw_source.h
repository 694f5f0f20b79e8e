/* SPDX-License-Identifier: Apache-2.0 */
/* What a colouring reads from a view; between the files draw_paint*.c. */
#ifndef DRAW_SOURCE_H
#define DRAW_SOURCE_H

#include "draw_paint.h"

typedef enum dgmi_subject {
    DGMI_SUBJECT_NONE,
    DGMI_SUBJECT_LENS,
    DGMI_SUBJECT_LABELS,
    DGMI_SUBJECT_PREDICTION,
    DGMI_SUBJECT_ERROR,
    DGMI_SUBJECT_ENTROPY,
    DGMI_SUBJECT_ATTRIBUTE,
} dgmi_subject;

typedef struct dgmi_source {
    const dgm_view *view;
    dgmi_subject subject;
    dgmi_paint_kind kind;
    const dgmi_counts *counts; /* of classes: LABELS, PREDICTION, an ATTRIBUTE of texts */
    const char *const *names;  /* one a class */
    int64_t classes;
    const dgmi_profile_attribute *attribute;
} dgmi_source;

/* colour NULL: the view's own. ctx NULL: no error is recorded. */
dgm_status dgmi_source_find(dgm_context *ctx, const dgm_view *view, const char *colour,
                            dgmi_source *out);
/* Marks of several members: numbers are means, two classes a share. */
static inline bool dgmi_source_grouped(const dgmi_source *source) {
    return source->view->kind == DGM_VIEW_SUMMARY;
}
/* The lens is the probability of a class. */
bool dgmi_source_probability(const dgmi_source *source);

/* ---- draw_paint_values.c: RAMP and SQUARE ---- */

void dgmi_values_scale(const dgmi_source *source, const dgm_figure_options *options,
                       dgmi_paint_scale *scale);
/* NaN: unknown. */
double dgmi_values_of(const dgmi_source *source, int64_t mark);
dgm_status dgmi_values_paint(dgm_context *ctx, const dgmi_source *source,
                             const dgm_figure_options *options, dgmi_paint *paint);

/* ---- draw_paint_classes.c: CLASSES ---- */

dgm_status dgmi_classes_scale(dgm_context *ctx, const dgmi_source *source,
                              const dgm_figure_options *options, dgmi_paint_scale *scale);
dgm_status dgmi_classes_paint(dgm_context *ctx, const dgmi_source *source,
                              const dgm_figure_options *options, dgmi_paint *paint);

/* ---- draw_paint_words.c ---- */

/* The legend's heading; scratch memory, NULL with the error recorded. */
const char *dgmi_paint_title(dgm_context *ctx, const dgmi_source *source, bool pies);

#endif
