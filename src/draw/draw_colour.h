/* SPDX-License-Identifier: Apache-2.0 */
/* Colours: between sRGB and Oklab, colormaps by published control points, the colours of classes,
 * and what colour-blind readers see of them. */
#ifndef DRAW_COLOUR_H
#define DRAW_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dgmi_draw_colour {
    int red, green, blue; /* sRGB, 0 .. 255 */
} dgmi_draw_colour;

typedef struct dgmi_draw_oklab {
    double l, a, b; /* Ottosson (2020): lightness 0 .. 1, green-red, blue-yellow */
} dgmi_draw_oklab;

dgmi_draw_oklab dgmi_draw_oklab_of(dgmi_draw_colour colour);
dgmi_draw_colour dgmi_draw_colour_of_oklab(dgmi_draw_oklab oklab); /* clipped to sRGB */
double dgmi_draw_oklab_distance(dgmi_draw_oklab p, dgmi_draw_oklab q);
/* Returns the colour on the straight line in Oklab from a (share 0) to b (share 1). */
dgmi_draw_colour dgmi_draw_colour_mix(dgmi_draw_colour a, dgmi_draw_colour b, double share);
/* These return the colour as a deuteranope or a protanope sees it: Machado, Oliveira and Fernandes
 * (2009), severity 1, in linear RGB. */
dgmi_draw_colour dgmi_draw_colour_deuteranopia(dgmi_draw_colour colour);
dgmi_draw_colour dgmi_draw_colour_protanopia(dgmi_draw_colour colour);
/* Returns whether the colour is so near to the background that it needs an outline. */
bool dgmi_draw_colour_pale(dgmi_draw_colour colour, dgmi_draw_colour ground);
/* Returns black or white, whichever reads better on the background. */
dgmi_draw_colour dgmi_draw_colour_ink_on(dgmi_draw_colour ground);

typedef enum dgmi_draw_colormap {
    DGMI_DRAW_COLORMAP_VIRIDIS,
    DGMI_DRAW_COLORMAP_CIVIDIS,
    DGMI_DRAW_COLORMAP_COOLWARM,  /* Moreland's diverging colormap */
    DGMI_DRAW_COLORMAP_DIVERGING, /* from blue by a light colour to orange, for thresholds;
                                     deuteranopes can read it */
    DGMI_DRAW_COLORMAP_COOL,      /* matplotlib's cool, for two columns in the style of the paper */
    DGMI_DRAW_COLORMAPS,
} dgmi_draw_colormap;

/* Returns the names in the order of the enum, then NULL. */
const char *const *dgmi_draw_colormap_names(void);
/* Returns the colour of a value, which is clipped to 0 .. 1. */
dgmi_draw_colour dgmi_draw_colormap_at(dgmi_draw_colormap map, double value);

/* Returns the colour of two values at once, both in 0 .. 1: bilinear in Oklab between four corners,
 * or, in the style of the paper, the mean of cool at x and coolwarm at y. */
dgmi_draw_colour dgmi_draw_square_at(int style, double x, double y);

/* A class is shown by a colour, and by a shape too if there are more classes than colours. */
typedef enum dgmi_draw_shape {
    DGMI_DRAW_SHAPE_DISC,
    DGMI_DRAW_SHAPE_SQUARE,
    DGMI_DRAW_SHAPE_DIAMOND
} dgmi_draw_shape;
enum {
    DGMI_DRAW_CLASS_COLOURS = 12,
    DGMI_DRAW_CLASS_SHAPES = 3,
    DGMI_DRAW_CLASS_LOOKS = DGMI_DRAW_CLASS_COLOURS * DGMI_DRAW_CLASS_SHAPES,
};
/* These return the look of class `index`, below DGMI_DRAW_CLASS_LOOKS. The colours are those of
 * Okabe and Ito and four more, or Dark2 and further ones in the style of the paper. Each shape goes
 * through all colours. On a dark background some colours are lighter. */
dgmi_draw_colour dgmi_draw_class_colour(int style, int theme, int index);
dgmi_draw_shape dgmi_draw_class_shape(int index);
dgmi_draw_colour dgmi_draw_other_colour(int theme);   /* for all further classes, "other" */
dgmi_draw_colour dgmi_draw_unknown_colour(int theme); /* for marks without a value */
/* Returns the smallest distance in Oklab between any two of the colours as a deuteranope or a
 * protanope sees them, or infinity if there are fewer than two. */
double dgmi_draw_classes_apart(const dgmi_draw_colour *colours, int64_t count);

/* The least distance that the colours of a figure should have. It is three times the difference in
 * Oklab that is just noticeable (0.02 by CSS Color Module Level 4), since discs are small and do
 * not touch. */
#define DGMI_DRAW_APART 0.06

#endif
