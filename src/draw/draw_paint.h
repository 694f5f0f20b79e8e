/* SPDX-License-Identifier: Apache-2.0 */
/* From "colour by ..." to a colour for every mark, and what the legend says about it. */
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include "base_text.h"
#include "draw_colour.h"
#include "draw_view.h"

typedef enum dgmi_draw_paint_kind {
    DGMI_DRAW_PAINT_RAMP,    /* one number a mark: a bar of colours */
    DGMI_DRAW_PAINT_SQUARE,  /* two: a square of colours */
    DGMI_DRAW_PAINT_CLASSES, /* a class a mark: a list */
} dgmi_draw_paint_kind;

/* What panels of one colouring share: ranges of the numbers, which classes have a colour. Scratch
 * memory. */
typedef struct dgmi_draw_paint_scale {
    dgmi_draw_paint_kind kind;
    double low[2], high[2];
    bool centred; /* a diverging map: `middle` lies in its middle, the ranges are fixed */
    double middle;
    int64_t
        most; /* looks that there are: DGMI_DRAW_CLASS_LOOKS, or colours alone in pies; 0: all */
    int64_t shown; /* classes with a look of their own, at most that many */
    int32_t classes[DGMI_DRAW_CLASS_LOOKS]; /* which, in the order of the legend */
    bool other;                             /* there are more, in grey */
} dgmi_draw_paint_scale;

/* A part of a pie. */
typedef struct dgmi_draw_slice {
    dgmi_draw_colour colour;
    double share; /* of the mark, all of them sum to 1 */
} dgmi_draw_slice;

/* What colours a mark: a class of the scale by its place there, or one of these. */
enum { DGMI_DRAW_SLOT_OTHER = DGMI_DRAW_CLASS_LOOKS, DGMI_DRAW_SLOT_NOTHING, DGMI_DRAW_SLOTS };

typedef struct dgmi_draw_class_entry {
    const char *name; /* "other (12 classes)" at the end, "unlabelled" */
    int slot; /* in the scale's order; DGMI_DRAW_SLOT_OTHER or DGMI_DRAW_SLOT_NOTHING at the end */
    dgmi_draw_colour colour;
    dgmi_draw_shape shape;
    int64_t members;
} dgmi_draw_class_entry;

/* Scratch memory: the caller holds the mark. */
typedef struct dgmi_draw_paint {
    dgmi_draw_paint_scale scale;
    dgmi_draw_colormap map; /* RAMP */
    const char *title;      /* "mean PageRank", "share of spammers", "most frequent label", ... */
    const char *axes[2];    /* SQUARE: names of x and y */
    dgmi_draw_colour *fill; /* one a mark */
    unsigned char *slot;    /* CLASSES: one a mark, its look; NULL: all look alike */
    double *value;          /* RAMP: one a mark, NaN unknown; else NULL */
    int64_t unknown;        /* marks without a value, drawn in grey */
    int64_t *slice_offsets; /* pies: marks + 1; NULL: plain discs */
    dgmi_draw_slice *slices;
    dgmi_draw_class_entry *entries; /* CLASSES: for the legend, those that occur */
    int64_t entry_count;
} dgmi_draw_paint;

/* Whether the text names a colouring at all; DGM_ERROR_USAGE with a suggestion otherwise. */
dgm_status dgmi_draw_paint_check(dgm_context *ctx, const char *colour);
/* The map of that name; DGM_ERROR_USAGE with a suggestion otherwise. ctx NULL: no error recorded.
 */
dgm_status dgmi_draw_colormap_find(dgm_context *ctx, const char *name, dgmi_draw_colormap *out);
/* The colouring that a view has by itself: "lens", or "labels" of graphs and points that have them,
 * or "none" (one colour for all, title "") where there is neither. */
const char *dgmi_draw_paint_default(const dgm_view *view);
/* DGM_ERROR_USAGE if the view has no such values ("the summary has no predictions: ..."). A view
 * without any number has low > high here, so that joining it changes nothing. */
dgm_status dgmi_draw_paint_scale_of(dgm_context *ctx, const dgm_view *view, const char *colour,
                                    const dgm_figure_options *options, dgmi_draw_paint_scale *out);
/* Widens `scale` so that it serves both. */
void dgmi_draw_paint_scale_join(dgmi_draw_paint_scale *scale, const dgmi_draw_paint_scale *other);
/* scale NULL: the view's own. The paint's scale is for legends: its ranges are ranges. Notes a pair
 * of classes that a deuteranope would take for one. */
dgm_status dgmi_draw_paint_make(dgm_context *ctx, const dgm_view *view, const char *colour,
                                const dgm_figure_options *options,
                                const dgmi_draw_paint_scale *scale, dgmi_draw_paint *out);
/* A disc but for classes beyond as many as there are colours. */
dgmi_draw_shape dgmi_draw_paint_shape(const dgmi_draw_paint *paint, int64_t mark);
/* The mark's value for people, for tooltips: "pagerank 0.0012", "Theory 31 of 40, Neural 9". */
void dgmi_draw_paint_describe(const dgm_view *view, const char *colour, int64_t mark,
                              dgmi_text *text);

#endif
