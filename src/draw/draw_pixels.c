/* SPDX-License-Identifier: Apache-2.0 */
/* Draws smooth straight lines into the pixels of an image. */
#include "draw_pixels.h"

#include <math.h>
#include <stdbool.h>

/* Each byte of (over share + under (255 - share)) / 255, rounded; two bytes at a time, in halves of
 * a word that have room for the products. */
static uint32_t blend(uint32_t under, uint32_t over, uint32_t share) {
    const uint32_t halves = 0x00FF00FF, half = 0x00800080;
    uint32_t low = (over & halves) * share + (under & halves) * (255 - share) + half;
    uint32_t high = (over >> 8 & halves) * share + (under >> 8 & halves) * (255 - share) + half;
    low = (low + (low >> 8 & halves)) >> 8 & halves;
    high = (high + (high >> 8 & halves)) & ~halves;
    return low | high;
}

/* Along the axis on which the line is longer, and across it. */
typedef struct segment {
    double along, across; /* where it starts */
    double length, rise;  /* where it goes from there */
    double square;        /* of its length */
    double slope, narrow; /* its rise a pixel; the cosine of its direction */
    double half;          /* of its width */
} segment;

/* The share of a pixel under a band of that half width, by the distance between their middles. */
static double covered(double half, double distance) {
    double share = half + 0.5 - distance, most = 2 * half < 1 ? 2 * half : 1;
    return share <= 0 ? 0 : share < most ? share : most;
}

/* Near an end. Of lines hardly wider than a pixel the ends are as good as straight, and the
 * ink of a column is counted, for a distance would miss what falls between pixels. */
static double covered_at_end(const segment *line, double along, double across, double middle) {
    double p = along - line->along, q = across - line->across;
    double t = line->square > 0 ? (p * line->length + q * line->rise) / line->square : 0;
    if (line->half < 0.75) {
        double beyond = (fabs(t - 0.5) - 0.5) * sqrt(line->square);
        double inside = fmin(fmax(line->half + 0.5 - beyond, 0), 1);
        return inside * covered(line->half / line->narrow, fabs(across - middle));
    }
    t = fmin(fmax(t, 0), 1);
    p -= t * line->length;
    q -= t * line->rise;
    return covered(line->half, sqrt(p * p + q * q));
}

static segment make_segment(double along1, double across1, double along2, double across2,
                            double width) {
    segment line = {along1, across1, along2 - along1, across2 - across1, 0, 0, 1, width / 2};
    line.square = line.length * line.length + line.rise * line.rise;
    if (line.length != 0)
        line.slope = line.rise / line.length;
    line.narrow = 1 / sqrt(1 + line.slope * line.slope);
    return line;
}

/* Pixel (i, j), i along the line, is at i * step + j * leap. Between the ends the shares of a
 * column add up to the length that the line has of it, wherever it falls. */
static void put_segment(const segment *line, int columns, int rows, uint32_t *data, size_t step,
                        size_t leap, uint32_t ink, double strength) {
    double half = line->half / line->narrow, spread = (line->half + 0.5) / line->narrow;
    double low = fmin(line->along, line->along + line->length);
    double high = fmax(line->along, line->along + line->length);
    double end = line->half + 0.5; /* an end reaches out so far, and twice that in */
    int last = (int)fmin(ceil(high + end), columns);
    for (int i = (int)fmax(floor(low - end), 0); i < last; i++) {
        double along = i + 0.5, middle = line->across + line->slope * (along - line->along);
        int from = (int)fmin(fmax(middle - spread, 0), rows);
        int to = (int)fmax(fmin(middle + spread + 1, rows), 0);
        bool inner = along > low + 2 * end && along < high - 2 * end;
        for (int j = from; j < to; j++) {
            double share = inner ? covered(half, fabs(j + 0.5 - middle))
                                 : covered_at_end(line, along, j + 0.5, middle);
            uint32_t *pixel = data + (size_t)i * step + (size_t)j * leap;
            *pixel = blend(*pixel, ink, (uint32_t)(share * strength + 0.5));
        }
    }
}

void dgmi_draw_pixels_line(const dgmi_draw_pixels *pixels, double x1, double y1, double x2,
                           double y2, double width, dgmi_draw_colour colour, double opacity) {
    bool steep = fabs(y2 - y1) > fabs(x2 - x1);
    segment line =
        steep ? make_segment(y1, x1, y2, x2, width) : make_segment(x1, y1, x2, y2, width);
    uint32_t ink = 0xFF000000U | (uint32_t)colour.red << 16 | (uint32_t)colour.green << 8 |
                   (uint32_t)colour.blue;
    double strength = 255 * fmin(fmax(opacity, 0), 1);
    if (!isfinite(line.square + line.along + line.across + width) || width <= 0)
        return;
    if (steep)
        put_segment(&line, pixels->height, pixels->width, pixels->data, pixels->stride, 1, ink,
                    strength);
    else
        put_segment(&line, pixels->width, pixels->height, pixels->data, 1, pixels->stride, ink,
                    strength);
}
