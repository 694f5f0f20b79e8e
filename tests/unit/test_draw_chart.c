/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of persistence and lines over the steps of a tower. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_sample.h"

enum { STEPS = 20 };
static char step_words[STEPS][16];
static const char *step_names[STEPS];

static int name_steps(void **state) {
    for (int s = 0; s < STEPS; s++) {
        snprintf(step_words[s], sizeof step_words[s], "s%d", s);
        step_names[s] = step_words[s];
    }
    return make_context(state);
}

static char *render(dgm_figure *figure) {
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

static char *draw_bars(int64_t steps, int64_t count, const dgm_figure_bar *bars) {
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_barcode(figure, "bars", steps, step_names, count, bars),
                     DGM_OK);
    return render(figure);
}

/* ---- bars ---- */

/* A disc stands at the right end of what is there to the last, and of nothing else. */
static void a_bar_that_never_ends_has_a_head(void **state) {
    (void)state;
    static const struct {
        dgm_figure_bar bar;
        const char *title;
        int heads;
    } cases[] = {
        {{0, 0, -1}, "piece: from s0 on", 1},
        {{0, 0, 2}, "piece: from s0 to s2", 0},
        {{1, 1, -1}, "loop: from s1 on", 1},
        {{1, 1, 2}, "loop: from s1 to s2", 0},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        char *svg = draw_bars(4, 1, &cases[i].bar);
        ASSERT_HAS(svg, cases[i].title);
        assert_int_equal(count_of(svg, "<circle"), cases[i].heads);
        dgm_figure_bytes_free(ctx, svg);
    }
}

static void no_bars_are_an_empty_barcode(void **state) {
    (void)state;
    char *svg = draw_bars(3, 0, NULL);
    ASSERT_HAS(svg, ">pieces (0)</text>");
    ASSERT_HAS(svg, ">loops (0)</text>");
    ASSERT_HAS(svg, ">s2</text>");
    assert_null(strstr(svg, "not shown"));
    dgm_figure_bytes_free(ctx, svg);
}

/* A hundred bars in four kinds: each kind is one row that says how many it stands for, right of the
 * bar's end. */
static void crowds_of_bars_that_are_alike_are_one_row(void **state) {
    (void)state;
    static const struct {
        int count;
        dgm_figure_bar bar;
        const char *times;
    } kinds[] = {{60, {0, 0, 1}, ">\xc3\x97 60</text>"},
                 {9, {0, 0, -1}, ">\xc3\x97 9</text>"},
                 {1, {0, 1, 2}, NULL},
                 {20, {1, 0, 2}, ">\xc3\x97 20</text>"},
                 {10, {1, 1, 2}, ">\xc3\x97 10</text>"}};
    dgm_figure_bar bars[100];
    int64_t count = 0;
    for (int64_t k = 0; k < COUNT(kinds); k++)
        for (int i = 0; i < kinds[k].count; i++)
            bars[count++] = kinds[k].bar;
    char *svg = draw_bars(3, count, bars);
    assert_int_equal(count_of(svg, "<title>piece: "), 3);
    assert_int_equal(count_of(svg, "<title>loop: "), 2);
    assert_int_equal(count_of(svg, ">\xc3\x97 "), 4);
    double ends[5];
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        if (!kinds[k].times)
            continue;
        const char *at = strstr(svg, kinds[k].times);
        assert_non_null(at);
        while (strncmp(at, "<text", 5) != 0)
            at--;
        ends[k] = strtod(strstr(at, " x=\"") + 4, NULL);
    }
    assert_true(ends[0] < ends[1]); /* one that ends at the middle and one that never ends */
    assert_near(ends[3], ends[4], 0.01);
    assert_near(ends[1], ends[3], 0.01);
    ASSERT_HAS(svg, ">pieces (70)</text>");
    ASSERT_HAS(svg, ">loops (30)</text>");
    assert_null(strstr(svg, "not shown"));
    dgm_figure_bytes_free(ctx, svg);
}

/* Every pair of steps once: those that stay away are said, and shorter than all that are drawn. */
static void the_shortest_bars_stay_away_where_there_is_no_room(void **state) {
    (void)state;
    dgm_figure_bar bars[STEPS * STEPS];
    int64_t count = 0, drawn = 0;
    for (int64_t birth = 0; birth < STEPS; birth++)
        for (int64_t death = birth + 1; death < STEPS; death++)
            bars[count++] = (dgm_figure_bar){0, birth, death};
    char *svg = draw_bars(STEPS, count, bars), said[64];
    int shortest = STEPS;
    for (const char *at = svg; (at = strstr(at, "<title>piece: from s")); at++, drawn++) {
        int birth, death;
        assert_int_equal(sscanf(at, "<title>piece: from s%d to s%d", &birth, &death), 2);
        shortest = death - birth < shortest ? death - birth : shortest;
    }
    assert_true(drawn > 0 && drawn < count);
    int64_t longer = (int64_t)(STEPS - shortest) * (STEPS - shortest + 1) / 2;
    assert_int_equal(drawn, longer); /* all of those that are as long as the shortest drawn */
    snprintf(said, sizeof said, ">%d short bars are not shown</text>", (int)(count - drawn));
    ASSERT_HAS(svg, said);
    dgm_figure_bytes_free(ctx, svg);
}

static void bars_outside_of_the_steps_are_refused(void **state) {
    (void)state;
    static const dgm_figure_bar wrong[] = {{0, -1, 2}, {0, 3, -1}, {0, 0, 3}};
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        dgm_figure_bar bars[] = {{0, 0, -1}, wrong[i]};
        dgm_figure *figure;
        assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
        ASSERT_FAILS(dgm_figure_add_barcode(figure, NULL, 3, step_names, 2, bars), DGM_ERROR_USAGE,
                     "bar 1 does not lie in the tower's 3 steps");
        dgm_figure_free(figure);
    }
}

/* ---- lines ---- */

static char *draw_rows(int64_t steps, int64_t rows, const double *values) {
    static char words[16][16];
    const char *names[16];
    dgm_figure *figure;
    for (int r = 0; r < 16; r++) {
        snprintf(words[r], sizeof words[r], "r%d", r);
        names[r] = words[r];
    }
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_lines(figure, "lines", steps, step_names, rows, names, values),
                     DGM_OK);
    return render(figure);
}

/* Nothing but zeros has an axis from 0 to 1, and all dots on its ground. */
static void lines_of_zeros_lie_on_the_ground(void **state) {
    (void)state;
    static const double values[] = {0, 0, 0, 0, NAN, 0};
    char *svg = draw_rows(3, 2, values);
    ASSERT_HAS(svg, ">0</text>");
    ASSERT_HAS(svg, ">1</text>");
    double ground = -1;
    int64_t dots = 0;
    for (const char *at = svg; (at = strstr(at, "<circle cx=")); at++) {
        double y = strtod(strstr(at, " cy=\"") + 5, NULL);
        if (!strstr(at, "<title>") || strstr(at, "<title>") > strchr(at, '>') + 8)
            continue; /* one beside a name */
        assert_true(ground < 0 || y == ground);
        ground = y;
        dots++;
    }
    assert_int_equal(dots, 5);
    dgm_figure_bytes_free(ctx, svg);
}

static void no_rows_are_an_empty_chart(void **state) {
    (void)state;
    char *svg = draw_rows(3, 0, NULL);
    ASSERT_HAS(svg, ">s1</text>");
    assert_int_equal(count_of(svg, "<circle"), 0);
    dgm_figure_bytes_free(ctx, svg);
}

/* There are twelve colours; the thirteenth line and its name have the grey of all others. */
static void lines_beyond_the_colours_are_grey(void **state) {
    (void)state;
    double values[13];
    char grey[16];
    dgmi_draw_colour other = dgmi_draw_other_colour(DGM_THEME_LIGHT);
    snprintf(grey, sizeof grey, "\"#%02x%02x%02x\"", (unsigned)other.red, (unsigned)other.green,
             (unsigned)other.blue);
    for (int r = 0; r < 13; r++)
        values[r] = r + 1;
    for (int rows = 12; rows <= 13; rows++) {
        char *svg = draw_rows(1, rows, values);
        assert_int_equal(count_of(svg, ">r11</text>"), 1);
        assert_int_equal(count_of(svg, ">r12</text>"), rows == 13);
        int64_t found = 0;
        for (const char *at = svg; (at = strstr(at, "<circle")); at++) {
            const char *fill = strstr(at, grey);
            found += fill && fill < strchr(at, '>');
        }
        assert_int_equal(found, rows == 13 ? 2 : 0);
        dgm_figure_bytes_free(ctx, svg);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_that_never_ends_has_a_head),
        cmocka_unit_test(no_bars_are_an_empty_barcode),
        cmocka_unit_test(crowds_of_bars_that_are_alike_are_one_row),
        cmocka_unit_test(the_shortest_bars_stay_away_where_there_is_no_room),
        cmocka_unit_test(bars_outside_of_the_steps_are_refused),
        cmocka_unit_test(lines_of_zeros_lie_on_the_ground),
        cmocka_unit_test(no_rows_are_an_empty_chart),
        cmocka_unit_test(lines_beyond_the_colours_are_grey),
    };
    return RUN_GROUP(tests, name_steps, free_context);
}
