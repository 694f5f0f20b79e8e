/* SPDX-License-Identifier: Apache-2.0 */
/* Straight lines put into an image by ourselves: a graph has half a million of them, and Cairo,
 * which takes each as an outline to fill, is several times slower. */
#ifndef DRAW_PIXELS_H
#define DRAW_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "draw_colour.h"

typedef struct dgmi_draw_pixels {
    uint32_t *data; /* alpha, red, green, blue from the highest byte down; premultiplied */
    int width, height;
    size_t stride; /* pixels from row to row */
} dgmi_draw_pixels;

/* In pixels, with round ends. */
void dgmi_draw_pixels_line(const dgmi_draw_pixels *pixels, double x1, double y1, double x2,
                           double y2, double width, dgmi_draw_colour colour, double opacity);

#endif
