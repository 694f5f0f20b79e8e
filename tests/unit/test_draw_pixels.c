/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "base_random.h"
#include "draw_pixels.h"

enum { SIDE = 40 };
static uint32_t image[SIDE * SIDE + 1]; /* and one that must stay as it is */
static const dgmi_draw_pixels pixels = {image, SIDE, SIDE, SIDE};
static const dgmi_draw_colour white = {255, 255, 255};

static void clear(void) {
    memset(image, 0, sizeof image);
}

static unsigned alpha(int x, int y) {
    return image[y * SIDE + x] >> 24;
}

static double area(void) {
    double sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += (image[i] >> 24) / 255.0;
    assert_int_equal(image[SIDE * SIDE], 0);
    return sum;
}

static void a_line_along_pixels_covers_them_wholly(void **state) {
    (void)state;
    clear();
    dgmi_draw_pixels_line(&pixels, 10, 20.5, 30, 20.5, 1, white, 1);
    for (int x = 10; x < 30; x++)
        assert_int_equal(alpha(x, 20), 255);
    assert_int_equal(alpha(20, 19), 0);
    assert_int_equal(alpha(20, 21), 0);
    clear();
    dgmi_draw_pixels_line(&pixels, 20, 30, 20, 10, 2, white,
                          0.5); /* between two columns, upwards */
    for (int y = 10; y < 30; y++)
        assert_true(alpha(19, y) == 128 && alpha(20, y) == 128);
    assert_int_equal(alpha(18, 20), 0);
    assert_int_equal(image[20 * SIDE + 20], 0x80808080U); /* premultiplied */
}

/* Length times width and two half discs; the direction does not matter. */
static void the_ink_of_a_line_is_its_area(void **state) {
    (void)state;
    for (double width = 0.1; width < 6; width *= 1.7)
        for (double angle = 0; angle < 6.3; angle += 0.1) {
            double x = 12 * cos(angle), y = 12 * sin(angle);
            clear();
            dgmi_draw_pixels_line(&pixels, 20 - x, 20 - y, 20 + x, 20 + y, width, white, 1);
            double expected = 24 * width + M_PI * width * width / 4;
            assert_near(area(), expected, 0.06 * expected + 0.3);
        }
}

static void lines_blend_over_what_is_there(void **state) {
    (void)state;
    clear();
    for (int i = 0; i < SIDE * SIDE; i++)
        image[i] = 0xFFFFFFFFU;
    dgmi_draw_pixels_line(&pixels, 0, 5.5, 40, 5.5, 1, (dgmi_draw_colour){255, 0, 51}, 0.2);
    assert_int_equal(image[5 * SIDE + 20], 0xFFFFCCD6U);
    image[SIDE * SIDE] = 0;
}

static void what_lies_outside_is_left_out(void **state) {
    (void)state;
    static const double far[] = {-1e300, -1e9, -50, -0.5, 20, 40.5, 90, 1e9, 1e300, INFINITY, NAN};
    clear();
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        for (size_t j = 0; j < sizeof far / sizeof *far; j++) {
            dgmi_draw_pixels_line(&pixels, far[i], far[j], 20, 20, 1, white, 0.1);
            dgmi_draw_pixels_line(&pixels, 20, far[j], far[i], 60, 3, white, 0.1);
            dgmi_draw_pixels_line(&pixels, far[i], -60, far[j], -50, far[i], white, 0.1);
        }
    area();
}

static void a_line_without_length_is_a_dot_and_without_width_nothing(void **state) {
    (void)state;
    clear();
    dgmi_draw_pixels_line(&pixels, 20, 20, 20, 20, 4, white, 1);
    assert_near(area(), M_PI * 4, 1);
    clear();
    dgmi_draw_pixels_line(&pixels, 10, 20, 30, 20, 0, white, 1);
    dgmi_draw_pixels_line(&pixels, 10, 20, 30, 20, -1, white, 1);
    assert_near(area(), 0, 0);
}

/* ---- a slow twin ---- */

/* The share of a pixel under a band, by the distance between their middles: all of it or of the
 * band, less where the pixel lies across an edge, nothing outside. */
static double share_under(double half, double distance) {
    return fmax(0, fmin(fmin(1, 2 * half), half + 0.5 - distance));
}

/* The same at pixel (i, j), i along the longer axis, of a line from (a1, b1) to (a2, b2). Between
 * the ends shares are counted by columns. Near an end a wide line is what is not farther from it
 * than half of its width, and a thin one ends straight. */
static double share_at(int i, int j, const double from[2], const double to[2], double width) {
    double along = i + 0.5, across = j + 0.5, half = width / 2, end = half + 0.5;
    double length = to[0] - from[0], rise = to[1] - from[1], square = length * length + rise * rise;
    double slope = length != 0 ? rise / length : 0, narrow = 1 / sqrt(1 + slope * slope);
    double middle = from[1] + slope * (along - from[0]);
    double low = fmin(from[0], to[0]), high = fmax(from[0], to[0]);
    if (along > low + 2 * end && along < high - 2 * end)
        return share_under(half / narrow, fabs(across - middle));
    double p = along - from[0], q = across - from[1];
    double t = square > 0 ? (p * length + q * rise) / square : 0;
    if (half < 0.75) {
        double beyond = fmax(-t, t - 1) * sqrt(square);
        return fmax(0, fmin(1, half + 0.5 - beyond)) *
               share_under(half / narrow, fabs(across - middle));
    }
    t = fmin(fmax(t, 0), 1);
    return share_under(half, hypot(p - t * length, q - t * rise));
}

static uint32_t over(uint32_t under, uint32_t ink, unsigned share) {
    uint32_t mixed = 0;
    for (int byte = 0; byte < 32; byte += 8) {
        double value =
            (double)(ink >> byte & 255) * share + (double)(under >> byte & 255) * (255 - share);
        mixed |= (uint32_t)floor(value / 255 + 0.5) << byte;
    }
    return mixed;
}

/* Lines of all widths and directions, inside and across the borders, one over the other. */
static void pixels_are_those_of_a_slow_twin(void **state) {
    (void)state;
    static uint32_t twin[SIDE * SIDE];
    static const double widths[] = {0.3, 0.9, 1.49, 1.5, 2.2, 5};
    clear();
    memset(twin, 0, sizeof twin);
    for (uint64_t turn = 0; turn < 240; turn++) {
        double ends[2][2], width = widths[turn % COUNT(widths)];
        double reach = turn % 5 == 0 ? 1.6 : turn % 7 == 0 ? 0.05 : 0.9;
        for (int k = 0; k < 4; k++)
            ends[k / 2][k % 2] =
                20 + SIDE * reach * (dgmi_random_unit(31, (uint64_t)k, turn) - 0.5);
        if (turn % 11 == 0)
            ends[1][turn % 2] = ends[0][turn % 2]; /* along an axis */
        double opacity = turn % 13 == 0 ? 7 : turn % 17 == 0 ? -1 : 0.3;
        dgmi_draw_colour ink = {(int)(turn * 37 % 256), (int)(turn * 91 % 256), (int)(turn % 256)};
        uint32_t bytes =
            0xFF000000U | (uint32_t)ink.red << 16 | (uint32_t)ink.green << 8 | (uint32_t)ink.blue;
        bool steep = fabs(ends[1][1] - ends[0][1]) > fabs(ends[1][0] - ends[0][0]);
        const double from[] = {ends[0][steep], ends[0][!steep]};
        const double to[] = {ends[1][steep], ends[1][!steep]};
        dgmi_draw_pixels_line(&pixels, ends[0][0], ends[0][1], ends[1][0], ends[1][1], width, ink,
                              opacity);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                double share = share_at(steep ? y : x, steep ? x : y, from, to, width);
                unsigned part = (unsigned)(share * 255 * fmin(fmax(opacity, 0), 1) + 0.5);
                twin[y * SIDE + x] = over(twin[y * SIDE + x], bytes, part);
                for (int byte = 0; byte < 32; byte += 8) /* a share may be rounded otherwise */
                    assert_near((double)(image[y * SIDE + x] >> byte & 255),
                                (double)(twin[y * SIDE + x] >> byte & 255), 1);
            }
        memcpy(twin, image, sizeof twin);
    }
    assert_int_equal(image[SIDE * SIDE], 0);
}

static void bytes_are_blended_and_rounded(void **state) {
    (void)state;
    for (unsigned under = 0; under < 256; under += 5)
        for (unsigned ink = 0; ink < 256; ink += 3)
            for (int part = 0; part <= 255; part += 51) {
                clear();
                image[0] = under * 0x01010101U;
                dgmi_draw_pixels_line(&pixels, -3, 0.5, 9, 0.5, 1,
                                      (dgmi_draw_colour){(int)ink, (int)ink, (int)ink},
                                      part / 255.0);
                assert_int_equal(image[0], over(under * 0x01010101U, 0xFF000000U | ink * 0x010101U,
                                                (unsigned)part));
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_along_pixels_covers_them_wholly),
        cmocka_unit_test(the_ink_of_a_line_is_its_area),
        cmocka_unit_test(lines_blend_over_what_is_there),
        cmocka_unit_test(pixels_are_those_of_a_slow_twin),
        cmocka_unit_test(bytes_are_blended_and_rounded),
        cmocka_unit_test(what_lies_outside_is_left_out),
        cmocka_unit_test(a_line_without_length_is_a_dot_and_without_width_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
