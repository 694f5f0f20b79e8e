/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_along_pixels_covers_them_wholly),
        cmocka_unit_test(the_ink_of_a_line_is_its_area),
        cmocka_unit_test(lines_blend_over_what_is_there),
        cmocka_unit_test(what_lies_outside_is_left_out),
        cmocka_unit_test(a_line_without_length_is_a_dot_and_without_width_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
