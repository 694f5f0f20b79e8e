/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, groups, halos and sizes of figures as PNG. */
#include "unit_fixture.h"

#include "png_sample.h"
#include "unit_progress.h"

/* What is both filled and stroked is one shape: where its line lies over its filling nothing is
 * seen of that. */
static void a_shape_with_a_line_fades_as_one(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    for (int i = 0; i < 2; i++) {
        dgmi_draw_item *item = dgmi_draw_list_rect(&list, 10 + 25 * i, 10, 15, 20, sample_black);
        item->stroked = true;
        item->stroke = sample_red;
        item->width = 4;
        item->opacity = i == 0 ? 1 : 0.5;
    }
    dgmi_draw_item *bare = dgmi_draw_list_disc(&list, 5, 5, 3, sample_black);
    bare->opacity = 0.5;
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    dgmi_draw_colour half = {(sample_red.red + 255) / 2, (sample_red.green + 255) / 2,
                             (sample_red.blue + 255) / 2};
    assert_colour(at(&picture, 17, 20), sample_black);
    assert_colour(at(&picture, 11.5, 20), sample_red); /* inside of the edge, and outside */
    assert_colour(at(&picture, 8.5, 20), sample_red);
    assert_colour(at(&picture, 7.5, 20), sample_white);
    assert_colour(at(&picture, 42, 20), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 36.5, 20), half);
    assert_colour(at(&picture, 33.5, 20), half);
    assert_colour(at(&picture, 5, 5), (dgmi_draw_colour){127, 127, 127});
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

/* Where a group fades Cairo draws them itself: their ends are round there, too. */
static void lines_end_round_and_corners_are_round(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_open(&list, NULL)->opacity = 0.5;
    dgmi_draw_list_line(&list, 10, 20, 30, 20, 6, sample_black);
    dgmi_draw_item *square = dgmi_draw_list_rect(&list, 42, 12, 8, 8, sample_black);
    square->filled = false;
    square->stroked = true;
    square->stroke = sample_black;
    square->width = 6;
    dgmi_draw_list_close(&list);
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 7.3, 20), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 7.3, 22.7), sample_white);
    assert_colour(at(&picture, 6.8, 20), sample_white);
    assert_colour(at(&picture, 39.3, 16), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 39.3, 9.3), sample_white);
    assert_colour(at(&picture, 40.3, 10.3), (dgmi_draw_colour){127, 127, 127});
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

/* Of 32 groups inside each other the last may fade, and one more does not. */
static void the_32nd_group_may_fade(void **state) {
    (void)state;
    for (int depth = 32; depth <= 33; depth++) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        for (int i = 1; i < depth; i++)
            dgmi_draw_list_open(&list, NULL);
        dgmi_draw_list_open(&list, NULL)->opacity = 0.5;
        dgmi_draw_list_rect(&list, 10, 10, 20, 20, sample_black);
        for (int i = 0; i < depth; i++)
            dgmi_draw_list_close(&list);
        dgmi_draw_list_rect(&list, 35, 10, 20, 20, sample_black);
        file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
        png_picture picture = read_png(bytes);
        assert_colour(at(&picture, 15, 20),
                      depth == 32 ? (dgmi_draw_colour){127, 127, 127} : sample_black);
        assert_colour(at(&picture, 45, 20), sample_black);
        free(picture.pixels);
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
}

/* The letters are there with and without one, and a halo is around them and not over them. */
static void a_halo_lies_behind_its_text(void **state) {
    (void)state;
    int black[2], red[2];
    for (int halo = 0; halo < 2; halo++) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        dgmi_draw_item *item =
            dgmi_draw_list_text(&list, 30, 25, 40, DGMI_DRAW_ANCHOR_MIDDLE, sample_black, "HI");
        item->stroked = halo;
        item->stroke = (dgmi_draw_colour){255, 0, 0};
        item->width = 1;
        file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
        png_picture picture = read_png(bytes);
        black[halo] = red[halo] = 0;
        for (double y = 0.05; y < 40; y += 0.1)
            for (double x = 0.05; x < 60; x += 0.1) {
                const unsigned char *pixel = at(&picture, x, y);
                black[halo] += pixel[0] < 20 && pixel[1] < 20 && pixel[2] < 20;
                red[halo] += pixel[0] > 235 && pixel[1] < 20 && pixel[2] < 20;
            }
        free(picture.pixels);
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
    if (black[0] == 0)
        skip(); /* no fonts here */
    assert_int_equal(red[0], 0);
    assert_near(black[1], black[0], 0.03 * black[0]);
    /* half a millimetre around three stems of 10 mm and a bar: about 70 mm of edges */
    assert_true(red[1] > 70 * 10 * 3 && red[1] < 70 * 10 * 7);
}

static void bold_text_has_more_ink(void **state) {
    (void)state;
    int ink[2];
    for (int bold = 0; bold < 2; bold++) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        dgmi_draw_list_text(&list, 30, 25, 40, DGMI_DRAW_ANCHOR_MIDDLE, sample_black, "HI")->bold =
            bold;
        file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
        png_picture picture = read_png(bytes);
        ink[bold] = inked(&picture, 0, 0, 60, 40);
        free(picture.pixels);
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
    if (ink[0] == 0)
        skip(); /* no fonts here */
    assert_true(ink[1] > 1.2 * ink[0]);
}

/* From one pixel to 32,767 a side. */
static void a_picture_has_from_one_pixel_to_the_most(void **state) {
    (void)state;
    static const struct {
        double width, height;
        unsigned pixels[2];
    } cases[] = {{0.01, 0.01, {1, 1}},       {0.16, 0.14, {2, 1}},   {3276.74, 0.1, {32767, 1}},
                 {0.1, 3276.74, {1, 32767}}, {3276.76, 0.1, {0, 0}}, {0.1, 3276.76, {0, 0}}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgmi_draw_list list;
        file_bytes bytes;
        sample_page(&list, ctx);
        list.width = cases[i].width;
        list.height = cases[i].height;
        dgm_status status =
            dgmi_draw_cairo_write(ctx, &list, DGM_FIGURE_PNG, 254, &bytes.data, &bytes.length);
        assert_int_equal(status, cases[i].pixels[0] ? DGM_OK : DGM_ERROR_USAGE);
        if (status == DGM_OK) {
            png_image image = {.version = PNG_IMAGE_VERSION};
            assert_true(png_image_begin_read_from_memory(&image, bytes.data, bytes.length));
            assert_int_equal(image.width, cases[i].pixels[0]);
            assert_int_equal(image.height, cases[i].pixels[1]);
            png_image_free(&image);
        }
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
}

/* A report for every 4,096 items, of the part that is drawn. */
static void a_long_painting_tells_how_far_it_is(void **state) {
    (void)state;
    for (int count = 4095; count <= 8192; count += count == 4096 ? 4096 : 1) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        for (int i = 0; i < count; i++)
            dgmi_draw_list_line(&list, 0, 1, 5, 1, 0.1, sample_black);
        hear_progress();
        file_bytes bytes = render(&list, DGM_FIGURE_PNG, 50);
        hear_no_more();
        assert_int_equal(reports_of("figure"), count / 4096);
        for (int64_t i = 0; i < heard_count; i++)
            assert_near(heard_reports[i].fraction, (double)(i + 1) * 4096 / count, 1e-3);
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shape_with_a_line_fades_as_one),
        cmocka_unit_test(lines_end_round_and_corners_are_round),
        cmocka_unit_test(the_32nd_group_may_fade),
        cmocka_unit_test(a_halo_lies_behind_its_text),
        cmocka_unit_test(bold_text_has_more_ink),
        cmocka_unit_test(a_picture_has_from_one_pixel_to_the_most),
        cmocka_unit_test(a_long_painting_tells_how_far_it_is),
    };
    return RUN_WITH_CONTEXT(tests);
}
