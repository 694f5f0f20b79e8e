/* SPDX-License-Identifier: Apache-2.0 */
/* Converts colours between sRGB, linear RGB and Oklab, simulates colour blindness, and has the
 * colours of classes. */
#include "draw_colour.h"

#include <math.h>

#include "dgm/draw.h"

typedef struct linear {
    double red, green, blue; /* light, not bytes: 0 .. 1 within sRGB */
} linear;

/* The transfer function of sRGB (IEC 61966-2-1) and its inverse. */
static double light_of(int byte) {
    double value = byte / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static int byte_of(double light) {
    double clipped = fmin(fmax(light, 0), 1);
    double value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * pow(clipped, 1 / 2.4) - 0.055;
    return (int)lround(value * 255);
}

static linear linear_of(dgmi_draw_colour colour) {
    return (linear){light_of(colour.red), light_of(colour.green), light_of(colour.blue)};
}

static dgmi_draw_colour colour_of(linear light) {
    return (dgmi_draw_colour){byte_of(light.red), byte_of(light.green), byte_of(light.blue)};
}

/* The matrices of Oklab: B. Ottosson, "A perceptual color space for image processing" (2020). */
dgmi_draw_oklab dgmi_draw_oklab_of(dgmi_draw_colour colour) {
    linear c = linear_of(colour);
    double l = cbrt(0.4122214708 * c.red + 0.5363325363 * c.green + 0.0514459929 * c.blue);
    double m = cbrt(0.2119034982 * c.red + 0.6806995451 * c.green + 0.1073969566 * c.blue);
    double s = cbrt(0.0883024619 * c.red + 0.2817188376 * c.green + 0.6299787005 * c.blue);
    return (dgmi_draw_oklab){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                             1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                             0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

dgmi_draw_colour dgmi_draw_colour_of_oklab(dgmi_draw_oklab o) {
    double l = o.l + 0.3963377774 * o.a + 0.2158037573 * o.b;
    double m = o.l - 0.1055613458 * o.a - 0.0638541728 * o.b;
    double s = o.l - 0.0894841775 * o.a - 1.2914855480 * o.b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return colour_of((linear){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                              -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                              -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s});
}

double dgmi_draw_oklab_distance(dgmi_draw_oklab p, dgmi_draw_oklab q) {
    double l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
    return sqrt(l * l + a * a + b * b);
}

static double between(double low, double high, double share) {
    return low + (high - low) * share;
}

dgmi_draw_colour dgmi_draw_colour_mix(dgmi_draw_colour a, dgmi_draw_colour b, double share) {
    dgmi_draw_oklab p = dgmi_draw_oklab_of(a), q = dgmi_draw_oklab_of(b);
    return dgmi_draw_colour_of_oklab((dgmi_draw_oklab){
        between(p.l, q.l, share), between(p.a, q.a, share), between(p.b, q.b, share)});
}

/* Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision
 * deficiency" (IEEE TVCG 15, 2009), their matrix of deuteranomaly at severity 1. */
dgmi_draw_colour dgmi_draw_colour_deuteranopia(dgmi_draw_colour colour) {
    linear c = linear_of(colour);
    return colour_of((linear){0.367322 * c.red + 0.860646 * c.green - 0.227968 * c.blue,
                              0.280085 * c.red + 0.672501 * c.green + 0.047413 * c.blue,
                              -0.011820 * c.red + 0.042940 * c.green + 0.968881 * c.blue});
}

/* Their matrix of protanomaly at severity 1. */
dgmi_draw_colour dgmi_draw_colour_protanopia(dgmi_draw_colour colour) {
    linear c = linear_of(colour);
    return colour_of((linear){0.152286 * c.red + 1.052583 * c.green - 0.204868 * c.blue,
                              0.114503 * c.red + 0.786281 * c.green + 0.099216 * c.blue,
                              -0.003882 * c.red - 0.048116 * c.green + 1.051998 * c.blue});
}

/* Contrast (Y1 + 0.05) / (Y2 + 0.05) as in WCAG 2: white wins where 1.05 / (Y + 0.05) is more than
 * (Y + 0.05) / 0.05. */
dgmi_draw_colour dgmi_draw_colour_ink_on(dgmi_draw_colour ground) {
    linear c = linear_of(ground);
    double flare = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue + 0.05;
    return flare * flare < 1.05 * 0.05 ? (dgmi_draw_colour){255, 255, 255}
                                       : (dgmi_draw_colour){0, 0, 0};
}

bool dgmi_draw_colour_pale(dgmi_draw_colour colour, dgmi_draw_colour ground) {
    return dgmi_draw_oklab_distance(dgmi_draw_oklab_of(colour), dgmi_draw_oklab_of(ground)) < 0.12;
}

/* ---- classes ---- */

enum { PUBLISHED = 8, MORE = DGMI_DRAW_CLASS_COLOURS - PUBLISHED };

/* M. Okabe and K. Ito, "Color Universal Design" (2008), all eight, in an order that keeps the first
 * few far apart for a deuteranope and yellow and black, weak or loud on white, for many classes. */
static const dgmi_draw_colour okabe_ito[PUBLISHED] = {
    {0x00, 0x72, 0xB2}, /* blue */
    {0xE6, 0x9F, 0x00}, /* orange */
    {0x00, 0x9E, 0x73}, /* bluish green */
    {0x56, 0xB4, 0xE9}, /* sky blue */
    {0xD5, 0x5E, 0x00}, /* vermillion */
    {0xF0, 0xE4, 0x42}, /* yellow */
    {0xCC, 0x79, 0xA7}, /* reddish purple */
    {0x00, 0x00, 0x00}, /* black */
};

/* Dark2 of C. Brewer's colorbrewer2.org, as the paper's figures have it. Its pairs pink and teal,
 * green and orange, brown and orange, brown and green are less than DGMI_DRAW_APART for a
 * deuteranope: the first five here have no such pair, the three that make them come last. */
static const dgmi_draw_colour dark2[PUBLISHED] = {
    {0x1B, 0x9E, 0x77}, /* teal */
    {0xD9, 0x5F, 0x02}, /* orange */
    {0x75, 0x70, 0xB3}, /* purple */
    {0xE6, 0xAB, 0x02}, /* gold */
    {0x66, 0x66, 0x66}, /* grey */
    {0xA6, 0x76, 0x1D}, /* brown */
    {0x66, 0xA6, 0x1E}, /* green */
    {0xE7, 0x29, 0x8A}, /* pink */
};
enum { BLACK = 7, GREY = 4 };

/* The four that a search found farthest from Okabe and Ito's eight, the two greys, the ground and
 * each other, to everybody (twice as far), to deuteranopes and to protanopes; by theme. */
static const dgmi_draw_colour more[][MORE] = {
    [DGM_THEME_LIGHT] = {{0x66, 0x44, 0x00},  /* brown */
                         {0x88, 0x00, 0xFF},  /* violet */
                         {0xAA, 0x00, 0x66},  /* crimson */
                         {0x11, 0x00, 0xBB}}, /* indigo */
    [DGM_THEME_DARK] = {{0xEE, 0xBB, 0xCC},   /* pale pink */
                        {0x99, 0x33, 0xFF},   /* violet */
                        {0xCC, 0x11, 0xAA},   /* magenta */
                        {0x00, 0xDD, 0x88}},  /* mint */
};

dgmi_draw_shape dgmi_draw_class_shape(int index) {
    return index < 0 ? DGMI_DRAW_SHAPE_DISC
                     : (dgmi_draw_shape)(index / DGMI_DRAW_CLASS_COLOURS % DGMI_DRAW_CLASS_SHAPES);
}

dgmi_draw_colour dgmi_draw_class_colour(int style, int theme, int index) {
    bool dark = theme == DGM_THEME_DARK;
    int which = index < 0 ? 0 : index % DGMI_DRAW_CLASS_COLOURS;
    if (which >= PUBLISHED)
        return more[dark ? DGM_THEME_DARK : DGM_THEME_LIGHT][which - PUBLISHED];
    if (style == DGM_STYLE_PAPER)
        return dark && which == GREY ? (dgmi_draw_colour){0xD9, 0xD9, 0xD9} : dark2[which];
    return dark && which == BLACK ? (dgmi_draw_colour){0xFF, 0xFF, 0xFF} : okabe_ito[which];
}

dgmi_draw_colour dgmi_draw_other_colour(int theme) {
    return theme == DGM_THEME_DARK ? (dgmi_draw_colour){0x66, 0x66, 0x66}
                                   : (dgmi_draw_colour){0xBD, 0xBD, 0xBD};
}

dgmi_draw_colour dgmi_draw_unknown_colour(int theme) {
    return theme == DGM_THEME_DARK ? (dgmi_draw_colour){0x40, 0x40, 0x40}
                                   : (dgmi_draw_colour){0xE6, 0xE6, 0xE6};
}

double dgmi_draw_classes_apart(const dgmi_draw_colour *colours, int64_t count) {
    double least = INFINITY;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++) {
            double green = dgmi_draw_oklab_distance(
                dgmi_draw_oklab_of(dgmi_draw_colour_deuteranopia(colours[i])),
                dgmi_draw_oklab_of(dgmi_draw_colour_deuteranopia(colours[j])));
            double red = dgmi_draw_oklab_distance(
                dgmi_draw_oklab_of(dgmi_draw_colour_protanopia(colours[i])),
                dgmi_draw_oklab_of(dgmi_draw_colour_protanopia(colours[j])));
            least = fmin(least, fmin(green, red));
        }
    return least;
}
