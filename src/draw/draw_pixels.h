/* SPDX-License-Identifier: Apache-2.0 */
/* Draws straight lines into an image without Cairo. A graph has half a million of them, and Cairo,
 * which fills the outline of each, is several times slower. */
#ifndef DRAW_PIXELS_H
#define DRAW_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#include "draw_colour.h"

typedef struct dgmi_draw_pixels {
    uint32_t *data; /* alpha, red, green, blue from the highest byte down, premultiplied by alpha */
    int width, height;
    size_t stride; /* the number of pixels from one row to the next */
} dgmi_draw_pixels;

/* Draws a line with round ends. All lengths are in pixels. */
void dgmi_draw_pixels_line(const dgmi_draw_pixels *pixels, double x1, double y1, double x2,
                           double y2, double width, dgmi_draw_colour colour, double opacity);

#endif
