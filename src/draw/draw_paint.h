/* SPDX-License-Identifier: Apache-2.0 */
/* Paints: the colours of all marks of a view by one colouring ("lens", "labels", ...), and what the
 * legend says about them. */
#ifndef DRAW_PAINT_H
#define DRAW_PAINT_H

#include "base_text.h"
#include "draw_colour.h"
#include "draw_view.h"

typedef enum dgmi_draw_paint_kind {
    DGMI_DRAW_PAINT_RAMP,    /* each mark has one number; the legend is a bar of colours */
    DGMI_DRAW_PAINT_SQUARE,  /* each mark has two numbers; the legend is a square of colours */
    DGMI_DRAW_PAINT_CLASSES, /* each mark has a class; the legend is a list */
} dgmi_draw_paint_kind;

/* What panels of the same colouring share: the ranges of numbers, and which classes have a colour.
 * It is scratch memory. */
typedef struct dgmi_draw_paint_scale {
    dgmi_draw_paint_kind kind;
    double low[2], high[2]; /* the range of each number */
    bool centred;           /* the colormap diverges from `middle`, and the ranges are fixed */
    double middle;
    int64_t most;  /* how many classes can be told apart: DGMI_DRAW_CLASS_LOOKS, or the number of
                      colours alone in pies; 0: all */
    int64_t shown; /* how many classes have a look of their own, at most `most` */
    int32_t classes[DGMI_DRAW_CLASS_LOOKS]; /* these classes, in the order of the legend */
    bool other;                             /* there are further classes, which are grey */
} dgmi_draw_paint_scale;

/* A part of a pie. */
typedef struct dgmi_draw_slice {
    dgmi_draw_colour colour;
    double share; /* its share of the pie; all shares sum to 1 */
} dgmi_draw_slice;

/* The slot of a mark says how it looks. It is the place of its class in the scale, or one of
 * these. */
enum { DGMI_DRAW_SLOT_OTHER = DGMI_DRAW_CLASS_LOOKS, DGMI_DRAW_SLOT_NOTHING, DGMI_DRAW_SLOTS };

/* A line of the legend. */
typedef struct dgmi_draw_class_entry {
    const char *name; /* the class, or at the end "other (12 classes)" and "unlabelled" */
    int slot;
    dgmi_draw_colour colour;
    dgmi_draw_shape shape;
    int64_t members; /* how many members have the class */
} dgmi_draw_class_entry;

/* All of it is scratch memory; the caller holds the arena. */
typedef struct dgmi_draw_paint {
    dgmi_draw_paint_scale scale;
    dgmi_draw_colormap map;  /* RAMP: the colormap */
    const char *title;       /* "mean PageRank", "share of spammers", "most frequent label", ... */
    const char *axes[2];     /* SQUARE: the names of x and y */
    dgmi_draw_colour *fill;  /* the colour of each mark */
    unsigned char *slot;     /* CLASSES: the slot of each mark; NULL: all look alike */
    double *value;           /* RAMP: the number of each mark, NaN if it is unknown; else NULL */
    int64_t unknown;         /* how many marks have no value and are grey */
    int64_t *slice_offsets;  /* pies: marks + 1 positions in `slices`; NULL: marks are plain */
    dgmi_draw_slice *slices; /* the parts of all pies */
    dgmi_draw_class_entry *entries; /* CLASSES: the legend, with the classes that occur */
    int64_t entry_count;
} dgmi_draw_paint;

/* Returns DGM_ERROR_USAGE, with a suggestion, if the text does not name a colouring. */
dgm_status dgmi_draw_paint_check(dgm_context *ctx, const char *colour);
/* Finds the colormap of that name; DGM_ERROR_USAGE, with a suggestion, if there is none. If `ctx`
 * is NULL, no error is recorded. */
dgm_status dgmi_draw_colormap_find(dgm_context *ctx, const char *name, dgmi_draw_colormap *out);
/* Returns the colouring that a view has by default. Graphs and points have "labels" if they can, or
 * "lens". A summary has what is known of the nodes: "labels", "prediction" or an attribute of a few
 * different texts; otherwise "outward" if the lens is a partition, whose numbers mean nothing, and
 * else "lens". It is "none" (one colour for all, and the title "") where there is nothing to show,
 * or where chance draws the same. */
const char *dgmi_draw_paint_default(const dgm_view *view);
/* Whether clusters of several classes are pies. */
bool dgmi_draw_paint_pies(const dgm_figure_options *options);
/* Finds the scale of a colouring. DGM_ERROR_USAGE if the view has no such values ("the summary has
 * no predictions: ..."). If no mark has a number, low > high, so that joining changes nothing. */
dgm_status dgmi_draw_paint_scale_of(dgm_context *ctx, const dgm_view *view, const char *colour,
                                    const dgm_figure_options *options, dgmi_draw_paint_scale *out);
/* Widens `scale` so that it serves both. */
void dgmi_draw_paint_scale_join(dgmi_draw_paint_scale *scale, const dgmi_draw_paint_scale *other);
/* Finds the colour of each mark. If `scale` is NULL, the view has its own. In the scale of the
 * paint, which the legend shows, low <= high always. A note names two classes whose colours a
 * deuteranope could not tell apart. */
dgm_status dgmi_draw_paint_make(dgm_context *ctx, const dgm_view *view, const char *colour,
                                const dgm_figure_options *options,
                                const dgmi_draw_paint_scale *scale, dgmi_draw_paint *out);
/* Returns the shape of a mark. It is a disc unless there are more classes than colours. */
dgmi_draw_shape dgmi_draw_paint_shape(const dgmi_draw_paint *paint, int64_t mark);
/* Appends the value of a mark in words, for tooltips: "pagerank 0.0012", "Theory 31 of 40, Neural
 * 9". */
void dgmi_draw_paint_describe(const dgm_view *view, const char *colour, int64_t mark,
                              dgmi_text *text);

#endif
