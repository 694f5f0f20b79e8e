/* SPDX-License-Identifier: Apache-2.0 */
/* Colours: sRGB, Oklab, colormaps from published control points, and what a deuteranope sees. */
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
/* share 0: a, 1: b, straight through Oklab. */
dgmi_draw_colour dgmi_draw_colour_mix(dgmi_draw_colour a, dgmi_draw_colour b, double share);
/* As seen by a deuteranope: Machado, Oliveira, Fernandes (2009), severity 1, in linear RGB. */
dgmi_draw_colour dgmi_draw_colour_deuteranopia(dgmi_draw_colour colour);
dgmi_draw_colour dgmi_draw_colour_protanopia(dgmi_draw_colour colour); /* likewise by a protanope */
/* So near to the ground that it needs an outline to be seen. */
bool dgmi_draw_colour_pale(dgmi_draw_colour colour, dgmi_draw_colour ground);
/* Black or white, whichever reads better on it. */
dgmi_draw_colour dgmi_draw_colour_ink_on(dgmi_draw_colour ground);

typedef enum dgmi_draw_colormap {
    DGMI_DRAW_COLORMAP_VIRIDIS,
    DGMI_DRAW_COLORMAP_CIVIDIS,
    DGMI_DRAW_COLORMAP_COOLWARM, /* Moreland's diverging map */
    DGMI_DRAW_COLORMAP_DIVERGING, /* blue - light - orange, for thresholds, safe under deuteranopia */
    DGMI_DRAW_COLORMAP_COOL,      /* matplotlib's cool, for the paper's two-dimensional map */
    DGMI_DRAW_COLORMAPS,
} dgmi_draw_colormap;

/* NULL-terminated, in the order of the enum. */
const char *const *dgmi_draw_colormap_names(void);
/* value in 0 .. 1, clipped. */
dgmi_draw_colour dgmi_draw_colormap_at(dgmi_draw_colormap map, double value);

/* Two axes at once, both in 0 .. 1: bilinear in Oklab between four corners, or the mean of cool on
 * x and coolwarm on y (style paper). */
dgmi_draw_colour dgmi_draw_square_at(int style, double x, double y);

/* A class looks by its colour; where there are more classes than colours, by colour and shape. */
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
/* Okabe-Ito and four more, or Dark2 and these (style paper); index 0 .. DGMI_DRAW_CLASS_LOOKS - 1, each
 * shape going through all colours. Dark ground: lighter variants where needed. */
dgmi_draw_colour dgmi_draw_class_colour(int style, int theme, int index);
dgmi_draw_shape dgmi_draw_class_shape(int index);
dgmi_draw_colour dgmi_draw_other_colour(int theme);   /* classes beyond, "other" */
dgmi_draw_colour dgmi_draw_unknown_colour(int theme); /* no value at all */
/* The smallest Oklab distance between any two of the colours as a deuteranope or a protanope sees
 * them; infinite where there are no two. */
double dgmi_draw_classes_apart(const dgmi_draw_colour *colours, int64_t count);

/* What it must be in a figure: three times the difference in Oklab that is just noticed, 0.02 by
 * CSS Color Module Level 4, since discs are small and do not touch. */
#define DGMI_DRAW_APART 0.06

#endif
