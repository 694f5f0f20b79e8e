/* SPDX-License-Identifier: Apache-2.0 */
/* Colormaps, each as straight lines between a few colours of its published table. */
#include "draw_colour.h"

#include <math.h>
#include <stddef.h>

#include "dgm/draw.h"

/* A colour and its place in a table of 256. */
typedef struct knot {
    unsigned char at, red, green, blue;
} knot;

/* S. van der Walt and N. Smith (2015, public domain). Within 2 / 255 of it. */
static const knot viridis[] = {
    {0, 0x44, 0x01, 0x54},   {13, 0x48, 0x14, 0x67},  {35, 0x46, 0x30, 0x7E},
    {62, 0x3C, 0x50, 0x8B},  {106, 0x28, 0x7C, 0x8E}, {127, 0x21, 0x90, 0x8D},
    {141, 0x1E, 0x9D, 0x89}, {158, 0x26, 0xAD, 0x81}, {177, 0x40, 0xBD, 0x72},
    {200, 0x70, 0xCF, 0x57}, {238, 0xD2, 0xE2, 0x1B}, {246, 0xE7, 0xE4, 0x19},
    {255, 0xFD, 0xE7, 0x25},
};

/* J. Nunez, C. Anderton, R. Renslow, "Optimizing colormaps with consideration for color vision
 * deficiency" (PLOS ONE 13, 2018). Within 3 / 255. */
static const knot cividis[] = {
    {0, 0x00, 0x22, 0x4E},   {15, 0x00, 0x2D, 0x68},  {22, 0x00, 0x31, 0x71},
    {27, 0x0F, 0x35, 0x70},  {39, 0x26, 0x3D, 0x6E},  {74, 0x4D, 0x55, 0x6C},
    {122, 0x77, 0x77, 0x77}, {156, 0x97, 0x91, 0x77}, {201, 0xC5, 0xB5, 0x68},
    {234, 0xE9, 0xD3, 0x4E}, {251, 0xFD, 0xE3, 0x34}, {255, 0xFE, 0xE8, 0x38},
};

/* K. Moreland, "Diverging color maps for scientific visualization" (ISVC 2009). Within 2 / 255. */
static const knot coolwarm[] = {
    {0, 0x3B, 0x4C, 0xC0},   {5, 0x40, 0x55, 0xC8},   {31, 0x61, 0x80, 0xE9},
    {55, 0x81, 0xA4, 0xFB},  {78, 0xA1, 0xC0, 0xFF},  {102, 0xC0, 0xD4, 0xF5},
    {125, 0xDA, 0xDC, 0xE0}, {136, 0xE5, 0xD8, 0xD1}, {158, 0xF4, 0xC6, 0xAF},
    {180, 0xF7, 0xAA, 0x8C}, {204, 0xEE, 0x84, 0x68}, {231, 0xD5, 0x50, 0x42},
    {246, 0xC1, 0x2B, 0x30}, {255, 0xB4, 0x04, 0x26},
};

/* Two maps of C. Brewer's colorbrewer2.org back to back, "Blues" and "Oranges" of nine classes
 * without their lightest and darkest, and her neutral #F7F7F7, twice so that it lies in the middle.
 */
static const knot diverging[] = {
    {0, 0x08, 0x51, 0x9C},   {18, 0x21, 0x71, 0xB5},  {36, 0x42, 0x92, 0xC6},
    {54, 0x6B, 0xAE, 0xD6},  {73, 0x9E, 0xCA, 0xE1},  {91, 0xC6, 0xDB, 0xEF},
    {109, 0xDE, 0xEB, 0xF7}, {127, 0xF7, 0xF7, 0xF7}, {128, 0xF7, 0xF7, 0xF7},
    {146, 0xFE, 0xE6, 0xCE}, {164, 0xFD, 0xD0, 0xA2}, {182, 0xFD, 0xAE, 0x6B},
    {201, 0xFD, 0x8D, 0x3C}, {219, 0xF1, 0x69, 0x13}, {237, 0xD9, 0x48, 0x01},
    {255, 0xA6, 0x36, 0x03},
};

/* matplotlib's: cyan to magenta, straight. */
static const knot cool[] = {{0, 0x00, 0xFF, 0xFF}, {255, 0xFF, 0x00, 0xFF}};

static const knot *const maps[DGMI_DRAW_COLORMAPS] = {viridis, cividis, coolwarm, diverging, cool};

const char *const *dgmi_draw_colormap_names(void) {
    static const char *const names[DGMI_DRAW_COLORMAPS + 1] = {"viridis",   "cividis", "coolwarm",
                                                               "diverging", "cool",    NULL};
    return names;
}

static int blend(int low, int high, double share) {
    return (int)lround(low + (high - low) * share);
}

dgmi_draw_colour dgmi_draw_colormap_at(dgmi_draw_colormap map, double value) {
    double at = value > 0 ? fmin(value, 1) * 255 : 0;
    const knot *low = maps[map], *high = low + 1;
    while (high->at < at)
        low = high++;
    double share = (at - low->at) / (high->at - low->at);
    return (dgmi_draw_colour){blend(low->red, high->red, share),
                              blend(low->green, high->green, share),
                              blend(low->blue, high->blue, share)};
}

/* ---- two axes ---- */

/* Blue to yellow along x, which every eye sees, dark to light along y; red and cyan come with it
 * for those who see them. Hardly lighter or darker than the ground can bear anywhere. */
static const dgmi_draw_colour corners[2][2] = {
    {{0x4A, 0x4F, 0xB5}, {0xC9, 0x43, 0x2F}},
    {{0x55, 0xC4, 0xE0}, {0xF5, 0xCF, 0x4D}},
};

static dgmi_draw_colour square_of_corners(double x, double y) {
    dgmi_draw_oklab sum = {0, 0, 0};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double part = (i ? x : 1 - x) * (j ? y : 1 - y);
            dgmi_draw_oklab corner = dgmi_draw_oklab_of(corners[j][i]);
            sum.l += part * corner.l;
            sum.a += part * corner.a;
            sum.b += part * corner.b;
        }
    return dgmi_draw_colour_of_oklab(sum);
}

static dgmi_draw_colour square_of_maps(double x, double y) {
    dgmi_draw_colour p = dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOL, x),
                     q = dgmi_draw_colormap_at(DGMI_DRAW_COLORMAP_COOLWARM, y);
    return (dgmi_draw_colour){blend(p.red, q.red, 0.5), blend(p.green, q.green, 0.5),
                              blend(p.blue, q.blue, 0.5)};
}

static double clipped(double value) {
    return value > 0 ? fmin(value, 1) : 0;
}

dgmi_draw_colour dgmi_draw_square_at(int style, double x, double y) {
    return style == DGM_STYLE_PAPER ? square_of_maps(clipped(x), clipped(y))
                                    : square_of_corners(clipped(x), clipped(y));
}
