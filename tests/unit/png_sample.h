/* SPDX-License-Identifier: Apache-2.0 */
/* Display lists as PNG, read back by libpng. Include after unit_fixture.h. */
#ifndef PNG_SAMPLE_H
#define PNG_SAMPLE_H

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "base_memory.h"
#include "draw_sample.h"

typedef struct file_bytes {
    char *data;
    size_t length;
} file_bytes;

static inline file_bytes render(const dgmi_draw_list *list, dgm_figure_format format, int64_t dpi) {
    file_bytes bytes;
    assert_int_equal(list->status, DGM_OK);
    if (dgmi_draw_cairo_write(ctx, list, format, dpi, &bytes.data, &bytes.length) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return bytes;
}

/* Four bytes a pixel: red, green, blue, alpha. */
typedef struct png_picture {
    png_image image;
    unsigned char *pixels;
} png_picture;

static inline png_picture read_png(file_bytes bytes) {
    png_picture picture = {{.version = PNG_IMAGE_VERSION}, NULL};
    assert_true(png_image_begin_read_from_memory(&picture.image, bytes.data, bytes.length));
    picture.image.format = PNG_FORMAT_RGBA;
    picture.pixels = malloc(PNG_IMAGE_SIZE(picture.image));
    assert_true(png_image_finish_read(&picture.image, NULL, picture.pixels, 0, NULL));
    return picture;
}

/* At 254 dots an inch a millimetre has ten. */
static inline const unsigned char *at(const png_picture *picture, double x, double y) {
    return picture->pixels + 4 * ((size_t)(y * 10) * picture->image.width + (size_t)(x * 10));
}

static inline void assert_colour(const unsigned char *pixel, dgmi_draw_colour colour) {
    if (abs(pixel[0] - colour.red) > 2 || abs(pixel[1] - colour.green) > 2 ||
        abs(pixel[2] - colour.blue) > 2 || pixel[3] != 255)
        fail_msg("%d %d %d %d is not %d %d %d", pixel[0], pixel[1], pixel[2], pixel[3], colour.red,
                 colour.green, colour.blue);
}

/* Pixels other than the ground's in a part of the page. */
static inline int inked(const png_picture *picture, double x1, double y1, double x2, double y2) {
    int count = 0;
    const unsigned char *ground = at(picture, 0, 0);
    for (long y = lround(y1 * 10); y < lround(y2 * 10); y++)
        for (long x = lround(x1 * 10); x < lround(x2 * 10); x++)
            count += memcmp(at(picture, (x + 0.5) / 10, (y + 0.5) / 10), ground, 4) != 0;
    return count;
}

#endif
