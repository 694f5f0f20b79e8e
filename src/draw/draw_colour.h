/* SPDX-License-Identifier: Apache-2.0 */
/* Colours: sRGB, Oklab, colormaps from published control points, and what a deuteranope sees. */
#ifndef DRAW_COLOUR_H
#define DRAW_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dgmi_colour {
    int red, green, blue; /* sRGB, 0 .. 255 */
} dgmi_colour;

typedef struct dgmi_oklab {
    double l, a, b; /* Ottosson (2020): lightness 0 .. 1, green-red, blue-yellow */
} dgmi_oklab;

dgmi_oklab dgmi_oklab_of(dgmi_colour colour);
dgmi_colour dgmi_colour_of_oklab(dgmi_oklab oklab); /* clipped to sRGB */
double dgmi_oklab_distance(dgmi_oklab p, dgmi_oklab q);
/* share 0: a, 1: b, straight through Oklab. */
dgmi_colour dgmi_colour_mix(dgmi_colour a, dgmi_colour b, double share);
/* As seen by a deuteranope: Machado, Oliveira, Fernandes (2009), severity 1, in linear RGB. */
dgmi_colour dgmi_colour_deuteranopia(dgmi_colour colour);
dgmi_colour dgmi_colour_protanopia(dgmi_colour colour); /* likewise by a protanope */
/* So near to the ground that it needs an outline to be seen. */
bool dgmi_colour_pale(dgmi_colour colour, dgmi_colour ground);
/* Black or white, whichever reads better on it. */
dgmi_colour dgmi_colour_ink_on(dgmi_colour ground);

typedef enum dgmi_colormap {
    DGMI_MAP_VIRIDIS,
    DGMI_MAP_CIVIDIS,
    DGMI_MAP_COOLWARM,  /* Moreland's diverging map */
    DGMI_MAP_DIVERGING, /* blue - light - orange, for thresholds, safe under deuteranopia */
    DGMI_MAP_COOL,      /* matplotlib's cool, for the paper's two-dimensional map */
    DGMI_MAPS,
} dgmi_colormap;

/* NULL-terminated, in the order of the enum. */
const char *const *dgmi_colormap_names(void);
/* value in 0 .. 1, clipped. */
dgmi_colour dgmi_colormap_at(dgmi_colormap map, double value);

/* Two axes at once, both in 0 .. 1: bilinear in Oklab between four corners, or the mean of cool on
 * x and coolwarm on y (style paper). */
dgmi_colour dgmi_square_at(int style, double x, double y);

/* A class looks by its colour; where there are more classes than colours, by colour and shape. */
typedef enum dgmi_shape { DGMI_SHAPE_DISC, DGMI_SHAPE_SQUARE, DGMI_SHAPE_DIAMOND } dgmi_shape;
enum {
    DGMI_CLASS_COLOURS = 12,
    DGMI_CLASS_SHAPES = 3,
    DGMI_CLASS_LOOKS = DGMI_CLASS_COLOURS * DGMI_CLASS_SHAPES,
};
/* Okabe-Ito and four more, or Dark2 and these (style paper); index 0 .. DGMI_CLASS_LOOKS - 1, each
 * shape going through all colours. Dark ground: lighter variants where needed. */
dgmi_colour dgmi_class_colour(int style, int theme, int index);
dgmi_shape dgmi_class_shape(int index);
dgmi_colour dgmi_other_colour(int theme);   /* classes beyond, "other" */
dgmi_colour dgmi_unknown_colour(int theme); /* no value at all */
/* The smallest Oklab distance between any two of the colours as a deuteranope or a protanope sees
 * them; infinite where there are no two. */
double dgmi_classes_apart(const dgmi_colour *colours, int64_t count);

/* What it must be in a figure: three times the difference in Oklab that is just noticed, 0.02 by
 * CSS Color Module Level 4, since discs are small and do not touch. */
#define DGMI_APART 0.06

#endif
