/* SPDX-License-Identifier: Apache-2.0 */
/* Figures as PNG and PDF, read back by others: libpng, and poppler where it is there. */
#include "unit_fixture.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "png_sample.h"
#include "unit_faults.h"

static file_bytes render_sample(dgm_figure_format format, bool paper) {
    dgmi_draw_list list;
    sample_page(&list, ctx);
    sample_items(&list);
    list.paper = paper;
    file_bytes bytes = render(&list, format, 254);
    dgmi_draw_list_free(&list);
    return bytes;
}

static void a_png_has_its_size_and_resolution(void **state) {
    (void)state;
    static const char chunk[] = "\0\0\0\x09pHYs\0\0\x27\x10\0\0\x27\x10\x01"; /* 10,000 a metre */
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, true);
    png_picture picture = read_png(bytes);
    assert_int_equal(picture.image.width, 600);
    assert_int_equal(picture.image.height, 400);
    assert_memory_equal(bytes.data + 33, chunk, sizeof chunk - 1);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
}

/* libpng's own words about the chunks, checksums included. */
static void read_from(png_structp png, png_bytep data, size_t length) {
    file_bytes *rest = png_get_io_ptr(png);
    assert_true(length <= rest->length);
    memcpy(data, rest->data, length);
    rest->data += length;
    rest->length -= length;
}

static void the_resolution_chunk_is_sound(void **state) {
    (void)state;
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, true), rest = bytes;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_uint_32 x, y;
    int unit;
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_read_fn(png, &rest, read_from);
    png_read_info(png, info);
    assert_true(png_get_pHYs(png, info, &x, &y, &unit));
    assert_true(x == 10000 && y == 10000 && unit == PNG_RESOLUTION_METER);
    png_destroy_read_struct(&png, &info, NULL);
    dgmi_free(ctx, bytes.data);
}

static void everything_stands_where_the_list_says(void **state) {
    (void)state;
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, true);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 1, 1), sample_white);
    assert_colour(at(&picture, 27, 17), sample_red);  /* the first quarter, right of the top */
    assert_colour(at(&picture, 27, 23), sample_blue); /* and clockwise from there */
    assert_colour(at(&picture, 23, 17), sample_blue);
    assert_colour(at(&picture, 40, 17), sample_red); /* a whole turn */
    assert_colour(at(&picture, 40, 23), sample_red);
    assert_colour(at(&picture, 52, 20), sample_red);
    assert_colour(at(&picture, 10, 20), (dgmi_draw_colour){64, 149, 197}); /* three quarters blue */
    assert_true(inked(&picture, 4, 4.5, 56, 10) > 1000);                   /* lines */
    assert_int_equal(inked(&picture, 0, 11, 60, 14.5), 0);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
}

/* Around a triangle with its right angle at (20, 10), at the distance of 2 mm. */
static void a_hull_is_filled_up_to_its_distance(void **state) {
    (void)state;
    const dgmi_draw_point triangle[] = {{20, 10}, {40, 10}, {20, 30}};
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_hull(&list, triangle, 3, 2, sample_red);
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 25, 15), sample_red);
    assert_colour(at(&picture, 30, 8.2), sample_red); /* beyond a side */
    assert_colour(at(&picture, 31.2, 21.2), sample_red);
    assert_colour(at(&picture, 41.7, 10), sample_red); /* beyond a corner */
    assert_colour(at(&picture, 30, 7.8), sample_white);
    assert_colour(at(&picture, 31.7, 21.7), sample_white);
    assert_colour(at(&picture, 18.3, 8.3), sample_white); /* corners are round */
    assert_colour(at(&picture, 42.2, 10), sample_white);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

/* Liberation Sans has the widths that dgmi_draw_text_width counts on; other fonts are near them. */
static void text_stands_on_its_baseline_by_its_anchor(void **state) {
    (void)state;
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, true);
    png_picture picture = read_png(bytes);
    if (inked(&picture, 0, 26, 60, 40) == 0)
        skip(); /* no fonts here */
    double left = dgmi_draw_text_width("left", 8, false),
           middle = dgmi_draw_text_width("middle", 8, true);
    assert_true(inked(&picture, 5, 32, 5 + left, 35) > 50);
    assert_int_equal(inked(&picture, 0, 30, 4.5, 40), 0);
    assert_int_equal(inked(&picture, 5, 35.3, 5 + left, 40), 0);
    assert_true(inked(&picture, 30 - middle / 2, 32, 30 - middle / 4, 35) > 20);
    assert_true(inked(&picture, 30 + middle / 4, 32, 30 + middle / 2, 35) > 20);
    assert_true(inked(&picture, 52, 34, 55.2, 40) > 50);
    assert_int_equal(inked(&picture, 51, 28, 60, 33.7), 0); /* it ends at its anchor, downwards */
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
}

static void without_paper_the_ground_is_transparent(void **state) {
    (void)state;
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, false);
    png_picture picture = read_png(bytes);
    assert_int_equal(at(&picture, 1, 1)[3], 0);
    assert_colour(at(&picture, 52, 20), sample_red);
    assert_true(at(&picture, 30, 5.05)[3] > 0); /* a line, half transparent at most */
    assert_true(at(&picture, 30, 5.05)[3] < 140);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
}

static void the_same_list_gives_the_same_bytes(void **state) {
    (void)state;
    for (int format = DGM_FIGURE_PDF; format <= DGM_FIGURE_PNG; format++) {
        file_bytes first = render_sample((dgm_figure_format)format, true);
        usleep(1100 * 1000); /* a file that holds the time would differ */
        file_bytes second = render_sample((dgm_figure_format)format, true);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.data, second.data, first.length);
        dgmi_free(ctx, first.data);
        dgmi_free(ctx, second.data);
    }
}

static bool holds(file_bytes bytes, const char *part) {
    return memmem(bytes.data, bytes.length, part, strlen(part)) != NULL;
}

static void a_pdf_has_its_size_and_no_date(void **state) {
    (void)state;
    file_bytes bytes = render_sample(DGM_FIGURE_PDF, true);
    assert_memory_equal(bytes.data, "%PDF-1.", 7);
    assert_memory_equal(bytes.data + bytes.length - 6, "%%EOF\n", 6);
    assert_true(holds(bytes, "/MediaBox [ 0 0 170.0787"));
    assert_true(holds(bytes, "/Creator (dgm "));
    assert_true(holds(bytes, "/Title (Sample <&> page)"));
    assert_false(holds(bytes, "/CreationDate"));
    dgmi_free(ctx, bytes.data);
}

/* What a program of poppler's says of the bytes. */
static void ask_poppler(const char *command, file_bytes bytes, char *said, size_t size) {
    char path[] = "/tmp/dgm-test-XXXXXX", line[256];
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes.data, bytes.length), (ssize_t)bytes.length);
    close(file);
    snprintf(line, sizeof line, command, path);
    FILE *pipe = popen(line, "r");
    said[fread(said, 1, size - 1, pipe)] = '\0';
    pclose(pipe);
    unlink(path);
}

static void poppler_finds_the_page_and_its_words(void **state) {
    (void)state;
    char said[4096];
    if (system("pdfinfo -v >/dev/null 2>&1 && pdftotext -v >/dev/null 2>&1") != 0)
        skip();
    file_bytes bytes = render_sample(DGM_FIGURE_PDF, true);
    ask_poppler("pdfinfo %s 2>&1", bytes, said, sizeof said);
    ASSERT_HAS(said, "Page size:       170.079 x 113.386 pts");
    ASSERT_HAS(said, "Pages:           1\n");
    ask_poppler("pdftotext %s - 2>&1", bytes, said, sizeof said);
    ASSERT_HAS(said, "left");
    ASSERT_HAS(said, "middle");
    ASSERT_HAS(said, "right");
    dgmi_free(ctx, bytes.data);
}

static void hard_texts_are_painted(void **state) {
    (void)state;
    static char text[10001], title[10001];
    sample_long_text(text);
    for (int format = DGM_FIGURE_PDF; format <= DGM_FIGURE_PNG; format++) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        for (int t = 0; t <= SAMPLE_TEXTS; t++) {
            const char *hard = t < SAMPLE_TEXTS ? sample_texts[t] : text;
            list.title = strcpy(title, t < SAMPLE_TEXTS ? hard : "long");
            dgmi_draw_item *item = dgmi_draw_list_text(&list, 1, 2 + t, 7, DGMI_DRAW_ANCHOR_MIDDLE,
                                                       sample_black, hard);
            item->stroked = t % 2 == 0; /* with a halo */
            item->stroke = sample_white;
            item->width = 0.5;
        }
        file_bytes bytes = render(&list, (dgm_figure_format)format, 100);
        assert_true(bytes.length > 100);
        dgmi_free(ctx, bytes.data);
        dgmi_draw_list_free(&list);
    }
}

static void groups_fade_as_one_and_need_not_match(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_close(&list);
    dgmi_draw_list_open(&list, "half")->opacity = 0.5;
    dgmi_draw_list_rect(&list, 10, 10, 20, 20, sample_black);
    dgmi_draw_list_rect(&list, 20, 10, 20, 20, sample_black); /* over it, and yet no darker */
    dgmi_draw_list_line(&list, 10, 35, 40, 35, 4, sample_black);
    dgmi_draw_list_close(&list);
    for (int i = 0; i < 100; i++)
        dgmi_draw_list_open(&list, NULL);
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 15, 20), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 25, 20), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 25, 35), (dgmi_draw_colour){127, 127, 127});
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

static void squares_stand_on_a_side_or_a_corner(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_SQUARE, 15, 20, 5, sample_red);
    dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_DIAMOND, 40, 20, 5, sample_blue);
    dgmi_draw_list_wedge(&list, 15, 35, 4, 0.25, 0.25, sample_black); /* nothing */
    dgmi_draw_list_text(&list, 40, 35, 8, DGMI_DRAW_ANCHOR_START, sample_black,
                        NULL); /* no words */
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 19, 24), sample_red); /* into its corner */
    assert_colour(at(&picture, 15, 25), sample_white);
    assert_colour(at(&picture, 44, 24), sample_white);
    assert_colour(at(&picture, 40, 25.5), sample_blue); /* its corner is below */
    assert_int_equal(inked(&picture, 0, 30, 60, 40), 0);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

/* Whatever a line's fill says. */
static void a_line_is_never_filled(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_open(&list, NULL)->opacity = 0.5;
    dgmi_draw_item *line = dgmi_draw_list_line(&list, 10, 20, 50, 20, 4, sample_black);
    line->filled = true;
    line->fill = sample_red;
    dgmi_draw_list_close(&list);
    file_bytes bytes = render(&list, DGM_FIGURE_PNG, 254);
    png_picture picture = read_png(bytes);
    assert_colour(at(&picture, 30, 20), (dgmi_draw_colour){127, 127, 127});
    assert_colour(at(&picture, 30, 25), sample_white);
    free(picture.pixels);
    dgmi_free(ctx, bytes.data);
    dgmi_draw_list_free(&list);
}

static void a_picture_too_large_says_what_to_lower(void **state) {
    (void)state;
    dgmi_draw_list list;
    file_bytes bytes;
    sample_page(&list, ctx);
    list.width = 2000;
    ASSERT_FAILS(dgmi_draw_cairo_write(ctx, &list, DGM_FIGURE_PNG, 600, &bytes.data, &bytes.length),
                 DGM_ERROR_USAGE,
                 "a PNG of 47244 by 945 pixels is too large, 32767 a side is the most; lower dpi "
                 "to 416, or width");
    assert_null(bytes.data);
    dgmi_draw_list_free(&list);
}

static bool stop(void *user, const char *stage, double fraction) {
    (void)user;
    (void)stage;
    (void)fraction;
    return false;
}

static void a_long_painting_can_be_stopped(void **state) {
    (void)state;
    dgmi_draw_list list;
    file_bytes bytes;
    sample_page(&list, ctx);
    for (int i = 0; i < 10000; i++)
        dgmi_draw_list_line(&list, 0, i, 60, 1, 0.1, sample_black);
    dgm_context_set_progress(ctx, stop, NULL);
    for (int format = DGM_FIGURE_PDF; format <= DGM_FIGURE_PNG; format++)
        assert_int_equal(dgmi_draw_cairo_write(ctx, &list, (dgm_figure_format)format, 100,
                                               &bytes.data, &bytes.length),
                         DGM_ERROR_CANCELLED);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgmi_draw_list_free(&list);
}

static dgm_status write_one(dgm_context *own, void *argument) {
    dgmi_draw_list list;
    file_bytes bytes;
    sample_page(&list, own);
    sample_items(&list);
    dgm_status status = dgmi_draw_cairo_write(own, &list, *(dgm_figure_format *)argument, 50,
                                              &bytes.data, &bytes.length);
    dgmi_free(own, bytes.data);
    dgmi_draw_list_free(&list);
    return status;
}

static void no_memory_of_ours_is_said(void **state) {
    (void)state;
    for (dgm_figure_format format = DGM_FIGURE_PDF; format <= DGM_FIGURE_PNG; format++)
        fail_each_allocation(write_one, &format);
}

static void keep_note(void *user, const char *note) {
    snprintf(user, 256, "%s", note);
}

/* In a process of its own, for fonts are looked for once. 0: as it should be. */
static int draw_without_fonts(void) {
    char note[256] = "";
    make_context(NULL);
    dgm_context_set_notes(ctx, keep_note, note);
    file_bytes bytes = render_sample(DGM_FIGURE_PNG, true);
    dgmi_free(ctx, bytes.data);
    free_context(NULL);
    return strncmp(note, "this machine has no fonts", 25) != 0;
}

static void a_machine_without_fonts_is_told(void **state) {
    (void)state;
    static const char nothing[] = "<?xml version=\"1.0\"?><fontconfig></fontconfig>";
    char path[] = "/tmp/dgm-test-XXXXXX";
    int file = mkstemp(path), status;
    assert_true(file >= 0);
    assert_int_equal(write(file, nothing, sizeof nothing - 1), (ssize_t)sizeof nothing - 1);
    close(file);
    pid_t child = fork();
    if (child == 0) {
        setenv("FONTCONFIG_FILE", path, 1);
        fclose(stderr); /* Fontconfig has its own remarks */
        execl("/proc/self/exe", "test_draw_cairo", "without-fonts", (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(path);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "without-fonts") == 0)
        return draw_without_fonts();

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_has_its_size_and_resolution),
        cmocka_unit_test(the_resolution_chunk_is_sound),
        cmocka_unit_test(everything_stands_where_the_list_says),
        cmocka_unit_test(a_hull_is_filled_up_to_its_distance),
        cmocka_unit_test(text_stands_on_its_baseline_by_its_anchor),
        cmocka_unit_test(without_paper_the_ground_is_transparent),
        cmocka_unit_test(the_same_list_gives_the_same_bytes),
        cmocka_unit_test(a_pdf_has_its_size_and_no_date),
        cmocka_unit_test(poppler_finds_the_page_and_its_words),
        cmocka_unit_test(hard_texts_are_painted),
        cmocka_unit_test(groups_fade_as_one_and_need_not_match),
        cmocka_unit_test(squares_stand_on_a_side_or_a_corner),
        cmocka_unit_test(a_line_is_never_filled),
        cmocka_unit_test(a_picture_too_large_says_what_to_lower),
        cmocka_unit_test(a_long_painting_can_be_stopped),
        cmocka_unit_test(no_memory_of_ours_is_said),
        cmocka_unit_test(a_machine_without_fonts_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
