/* SPDX-License-Identifier: Apache-2.0 */
/* Where the lines, bars and words of a chart stand, in millimetres. */
#include "unit_fixture.h"

#include "list_sample.h"

enum { STEPS = 5, MANY = 90 };
static const char *const step_names[] = {"s0", "s1", "s2", "s3", "s4"};

/* Under a box of 110 x 61 at (10, 20) the bars have 100 x 50 at (14, 24). */
static const dgmi_draw_box box = {10, 20, 110, 61};

static dgmi_draw_colour colour_of(int index) {
    return dgmi_draw_class_colour(DGM_STYLE_DEFAULT, DGM_THEME_LIGHT, index);
}

static dgm_figure *bars_figure(int64_t steps, const char *const *names, int64_t count,
                               const dgm_figure_bar *bars) {
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_barcode(figure, NULL, steps, names, count, bars), DGM_OK);
    return figure;
}

static void expect_group(sheet *s, const char *id) {
    assert_string_equal(word_at(s, next_item(s, DGMI_DRAW_ITEM_OPEN)->text), id);
}

/* The axis of an area, with the name of every so manieth step. */
static void expect_axis(sheet *s, double x, double y, double width, double height, int64_t steps,
                        const char *const *names, int64_t every) {
    double bottom = y + height, apart = steps > 1 ? width / (double)(steps - 1) : 0;
    expect_line(s, x, bottom, x + width, bottom, 0.2, sample_look.faint);
    for (int64_t i = 0; i < steps; i++) {
        double at = x + apart * (double)i;
        expect_line(s, at, bottom, at, bottom + 0.8, 0.2, sample_look.faint);
        assert_near(expect_line(s, at, y, at, bottom, 0.1, sample_look.rule)->opacity, 0.6, 1e-12);
        if (i % every == 0)
            expect_text(s, at, bottom + 3.6, DGMI_DRAW_ANCHOR_MIDDLE, sample_look.ink, names[i]);
    }
}

static void expect_keys(sheet *s, double x, double y, double line, double between,
                        const char *pieces, const char *loops) {
    for (int k = 0; k < 2; k++) {
        const char *words = k ? loops : pieces;
        expect_line(s, x + 0.5, y + 1.6, x + 0.5 + line, y + 1.6, 0.9, colour_of(k));
        expect_text(s, x + line + 1.5, y + 2.5, DGMI_DRAW_ANCHOR_START, sample_look.ink, words);
        x += line + between + small_width(words);
    }
}

static void expect_bar(sheet *s, double from, double to, double y, double width, int dimension,
                       const char *title) {
    const dgmi_draw_item *bar = expect_line(s, from, y, to, y, width, colour_of(dimension));
    assert_string_equal(word_at(s, bar->title), title);
}

/* Rows are 1.4 mm apart where there is room, bars 0.6 of that high, pieces over loops. */
static void bars_lie_in_rows_from_birth_to_death(void **state) {
    (void)state;
    static const dgm_figure_bar bars[] = {{1, 1, 3}, {0, 0, -1}, {0, 2, 3}, {0, 4, -1}, {1, 0, -1}};
    dgm_figure *figure = bars_figure(STEPS, step_names, COUNT(bars), bars);
    sheet s;
    sheet_open(&s, figure, box);
    dgmi_draw_chart_draw(&s.page, &s.plot, 6);
    expect_group(&s, "p7-barcode");
    expect_axis(&s, 14, 24, 100, 50, STEPS, step_names, 1);
    expect_keys(&s, 10, 20, 3.5, 4, "pieces (3)", "loops (2)");
    double y = 24 + 1.4 * 0.8;
    expect_bar(&s, 14, 114, y, 0.84, 0, "piece: from s0 on");
    expect_disc(&s, 114, y, 0.84 * 0.9, colour_of(0));
    expect_bar(&s, 64, 89, y + 1.4, 0.84, 0, "piece: from s2 to s3");
    expect_bar(&s, 114, 114.3, y + 2.8, 0.84, 0, "piece: from s4 on");
    expect_disc(&s, 114.3, y + 2.8, 0.84 * 0.9, colour_of(0));
    expect_bar(&s, 39, 89, y + 4.2, 0.84, 1, "loop: from s1 to s3");
    expect_bar(&s, 14, 114, y + 5.6, 0.84, 1, "loop: from s0 on");
    expect_disc(&s, 114, y + 5.6, 0.84 * 0.9, colour_of(1));
    next_item(&s, DGMI_DRAW_ITEM_CLOSE);
    assert_int_equal(s.at, s.list.count);
    sheet_close(&s);
    dgm_figure_free(figure);
}

/* Of 71 bars each has 0.7 mm and a row; of 72 those that are alike share one, which says how many
 * they are, and the area is 6 mm narrower for that. */
static void crowded_bars_share_rows(void **state) {
    (void)state;
    static dgm_figure_bar bars[MANY];
    for (int count = 71; count <= 72; count++) {
        for (int i = 0; i < count; i++)
            bars[i] = i < 40          ? (dgm_figure_bar){0, 0, 1}
                      : i < count - 1 ? (dgm_figure_bar){0, 0, -1}
                                      : (dgm_figure_bar){1, 1, 2};
        dgm_figure *figure = bars_figure(STEPS, step_names, count, bars);
        sheet s;
        sheet_open(&s, figure, box);
        dgmi_draw_chart_draw(&s.page, &s.plot, 0);
        expect_group(&s, "p1-barcode");
        if (count == 71) {
            double apart = 50.0 / 72;
            expect_axis(&s, 14, 24, 100, 50, STEPS, step_names, 1);
            expect_keys(&s, 10, 20, 3.5, 4, "pieces (70)", "loops (1)");
            for (int i = 0; i < 40; i++)
                expect_bar(&s, 14, 39, 24 + apart * (i + 0.8), apart * 0.6, 0,
                           "piece: from s0 to s1");
        } else {
            expect_axis(&s, 14, 24, 94, 50, STEPS, step_names, 1);
            expect_keys(&s, 10, 20, 3.5, 4, "pieces (71)", "loops (1)");
            double y = 24 + 4.8 * 0.8;
            expect_bar(&s, 14, 37.5, y, 0.84, 0, "piece: from s0 to s1");
            expect_text(&s, 37.5 + 1.2, y + 0.9, DGMI_DRAW_ANCHOR_START, sample_look.ink,
                        "\xc3\x97 40");
            expect_bar(&s, 14, 108, y + 4.8, 0.84, 0, "piece: from s0 on");
            expect_disc(&s, 108, y + 4.8, 0.84 * 0.9, colour_of(0));
            expect_text(&s, 108 + 1.2, y + 4.8 + 0.9, DGMI_DRAW_ANCHOR_START, sample_look.ink,
                        "\xc3\x97 31");
            expect_bar(&s, 37.5, 61, y + 9.6, 0.84, 1, "loop: from s1 to s2");
            next_item(&s, DGMI_DRAW_ITEM_CLOSE);
        }
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

/* 50 mm have room for 20 rows that say how many they are, and no more: of 21 kinds the shortest
 * stays away. Rows are as far apart as they can be, with one more below. */
static void rows_without_room_stay_away(void **state) {
    (void)state;
    enum { WIDE = 30 };
    static dgm_figure_bar bars[MANY];
    static char words[WIDE][16];
    const char *names[WIDE];
    for (int i = 0; i < WIDE; i++) {
        snprintf(words[i], sizeof words[i], "%d", i);
        names[i] = words[i];
    }
    for (int kinds = 20; kinds <= 21; kinds++) {
        int count = 0;
        for (int k = 0; k < kinds; k++) /* from 0 to k + 2; all but the shortest occur four times */
            for (int i = 0; i < (k == 0 ? 1 : 4); i++)
                bars[count++] = (dgm_figure_bar){0, 0, k + 2};
        dgm_figure *figure = bars_figure(WIDE, names, count, bars);
        sheet s;
        sheet_open(&s, figure, box);
        dgmi_draw_chart_draw(&s.page, &s.plot, 0);
        int rows = 0, times = 0, hidden = 0;
        double first = 0, second = 0;
        for (int64_t i = 0; i < s.list.count; i++) {
            const dgmi_draw_item *item = &s.list.items[i];
            if (item->title >= 0 && rows++ < 2)
                *(rows == 1 ? &first : &second) = item->y;
            if (item->kind != DGMI_DRAW_ITEM_TEXT)
                continue;
            times += strcmp(word_at(&s, item->text), "\xc3\x97 4") == 0;
            if (strcmp(word_at(&s, item->text), "1 short bars are not shown") == 0) {
                assert_places(item, box.x, box.y + box.height, DGMI_DRAW_SMALL, 0);
                assert_int_equal(item->anchor, DGMI_DRAW_ANCHOR_START);
                assert_true(same_colour(item->fill, sample_look.faint));
                hidden++;
            }
        }
        assert_int_equal(rows, 20);
        assert_int_equal(times, kinds == 20 ? 19 : 20);
        assert_int_equal(hidden, kinds == 21);
        assert_near(second - first, 50.0 / 21, 1e-9);
        assert_near(first, 24 + 50.0 / 21 * 0.8, 1e-9);
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

/* A name needs its width and a millimetre more. */
static void names_of_steps_do_not_meet(void **state) {
    (void)state;
    static const char *const names[] = {"a", "a long name of a step", "b", "c", "d"};
    double wide = small_width(names[1]);
    static const double rooms[] = {2, 1.01, 0.99, -0.01};
    for (int64_t i = 0; i < COUNT(rooms) + 1; i++) {
        double apart = i < COUNT(rooms) ? wide + rooms[i] : (wide + 1) / 3 + 0.01;
        dgm_figure *figure = bars_figure(STEPS, names, 0, NULL);
        sheet s;
        sheet_open(&s, figure, (dgmi_draw_box){10, 20, 4 * apart + 10, 61});
        dgmi_draw_chart_draw(&s.page, &s.plot, 0);
        expect_group(&s, "p1-barcode");
        expect_axis(&s, 14, 24, 4 * apart, 50, STEPS, names, i < 2 ? 1 : i < 4 ? 2 : 3);
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

static void one_step_stands_at_the_left(void **state) {
    (void)state;
    static const dgm_figure_bar bar = {0, 0, -1};
    dgm_figure *figure = bars_figure(1, step_names, 1, &bar);
    sheet s;
    sheet_open(&s, figure, box);
    dgmi_draw_chart_draw(&s.page, &s.plot, 0);
    expect_group(&s, "p1-barcode");
    expect_axis(&s, 14, 24, 100, 50, 1, step_names, 1);
    expect_keys(&s, 10, 20, 3.5, 4, "pieces (1)", "loops (0)");
    expect_bar(&s, 14, 114, 24 + 1.4 * 0.8, 0.84, 0, "piece: from s0 on");
    sheet_close(&s);
    dgm_figure_free(figure);
}

/* Keys are shorter in a narrow panel, by half of what is missing each, down to a millimetre. */
static void keys_shrink_in_a_narrow_panel(void **state) {
    (void)state;
    double wanted = 2 * (3.5 + 4) - 2.5 + small_width("pieces (0)") + small_width("loops (0)");
    static const double missing[] = {-1, 0, 2, 4.9, 6};
    for (int64_t i = 0; i < COUNT(missing); i++) {
        dgm_figure *figure = bars_figure(1, step_names, 0, NULL);
        sheet s;
        sheet_open(&s, figure, (dgmi_draw_box){10, 20, wanted - missing[i], 61});
        dgmi_draw_chart_draw(&s.page, &s.plot, 0);
        expect_group(&s, "p1-barcode");
        expect_axis(&s, 14, 24, wanted - missing[i] - 10, 50, 1, step_names, 1);
        double line = fmin(fmax(3.5 - missing[i] / 2, 1), 3.5);
        expect_keys(&s, 10, 20, line, i < 2 ? 4 : 3, "pieces (0)", "loops (0)");
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

/* A panel so low that nothing fits between its keys and its names, and so narrow that its steps
 * have no room: no bar is drawn, and all are said to be away. */
static void a_panel_without_room_has_no_bars(void **state) {
    (void)state;
    static const char *const nameless[] = {"", "", ""};
    static const dgm_figure_bar bars[] = {{0, 0, -1}, {1, 1, 2}};
    static const dgmi_draw_box boxes[] = {{10, 20, 110, 8}, {10, 20, 2, 8}, {10, 20, 10, 11}};
    for (int64_t i = 0; i < COUNT(boxes); i++)
        for (int64_t count = 0; count <= COUNT(bars); count++) {
            dgm_figure *figure = bars_figure(3, nameless, count, bars);
            sheet s;
            sheet_open(&s, figure, boxes[i]);
            dgmi_draw_chart_draw(&s.page, &s.plot, 0);
            int drawn = 0, said = 0;
            for (int64_t k = 0; k < s.list.count; k++) {
                drawn += s.list.items[k].title >= 0;
                said += strstr(word_at(&s, s.list.items[k].text), "not shown") != NULL;
            }
            assert_int_equal(drawn, 0);
            assert_int_equal(said, count > 0);
            sheet_close(&s);
            dgm_figure_free(figure);
        }
}

/* ---- lines ---- */

static dgm_figure *lines_figure(int64_t rows, const char *const *names, const double *values) {
    dgm_figure *figure;
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_lines(figure, NULL, STEPS, step_names, rows, names, values),
                     DGM_OK);
    return figure;
}

/* In the box the lines have 56 x 52 at (18, 22), and names the 46 mm at their right. The last row
 * lies at the bottom; where a value is missing a line is broken. */
static void lines_lead_from_value_to_value(void **state) {
    (void)state;
    static const char *const names[] = {"up", "gap"};
    static const double values[] = {0, 2, 4, 6, 8, 1, NAN, 4, 4, INFINITY};
    dgm_figure *figure = lines_figure(2, names, values);
    sheet s;
    sheet_open(&s, figure, box);
    dgmi_draw_chart_draw(&s.page, &s.plot, 1);
    expect_group(&s, "p2-lines");
    expect_axis(&s, 18, 22, 56, 52, STEPS, step_names, 1);
    for (int tick = 0; tick <= 1; tick++) { /* 0 and 5 */
        char text[8];
        snprintf(text, sizeof text, "%d", 5 * tick);
        expect_text(&s, 16.5, 74 - 52 * 5.0 * tick / 8 + 0.9, DGMI_DRAW_ANCHOR_END, sample_look.ink,
                    text);
    }
    static const struct {
        int row, step;
        bool joined;
        const char *title;
    } dots[] = {{1, 0, false, "gap, s0: 1"}, {1, 2, false, "gap, s2: 4"},
                {1, 3, true, "gap, s3: 4"},  {0, 0, false, "up, s0: 0"},
                {0, 1, true, "up, s1: 2"},   {0, 2, true, "up, s2: 4"},
                {0, 3, true, "up, s3: 6"},   {0, 4, true, "up, s4: 8"}};
    for (int64_t i = 0; i < COUNT(dots); i++) {
        double x = 18 + 14 * dots[i].step;
        double y = 74 - 52 * values[STEPS * dots[i].row + dots[i].step] / 8;
        if (dots[i].joined)
            expect_line(&s, x - 14, 74 - 52 * values[STEPS * dots[i].row + dots[i].step - 1] / 8, x,
                        y, 0.35, colour_of(dots[i].row));
        const dgmi_draw_item *dot = expect_disc(&s, x, y, 0.6, colour_of(dots[i].row));
        assert_string_equal(word_at(&s, dot->title), dots[i].title);
    }
    double small = DGMI_DRAW_SMALL * DGMI_DRAW_POINT, y = 22;
    for (int r = 0; r < 2; r++, y += 1.25 * small + 0.2) {
        expect_disc(&s, 78, y + 1.2, 0.8, colour_of(r));
        expect_text(&s, 79.8, y + 0.8 * small, DGMI_DRAW_ANCHOR_START, sample_look.ink, names[r]);
    }
    next_item(&s, DGMI_DRAW_ITEM_CLOSE);
    assert_int_equal(s.at, s.list.count);
    sheet_close(&s);
    dgm_figure_free(figure);
}

/* How many texts of the page begin with those words, and how high the last one stands. */
static int texts_with(const sheet *s, const char *words, double *y) {
    int count = 0;
    for (int64_t i = 0; i < s->list.count; i++) {
        const dgmi_draw_item *item = &s->list.items[i];
        if (item->kind != DGMI_DRAW_ITEM_TEXT ||
            strncmp(word_at(s, item->text), words, strlen(words)) != 0)
            continue;
        *y = item->y;
        count++;
    }
    return count;
}

/* A row of names takes 3.4 mm: there is room for 17 in 59 mm, of which one more is left out. Names
 * longer than 40 mm take two lines, if all have room for that; otherwise they are cut. */
static void names_of_rows_have_the_room_there_is(void **state) {
    (void)state;
    enum { ROWS = 18 };
    static const char *const name = "a name that is so long that it takes two lines";
    assert_true(small_width(name) > 40 && small_width(name) < 60);
    const char *names[ROWS];
    double values[ROWS * STEPS] = {0}, y;
    for (int rows = 8; rows <= ROWS; rows++) {
        for (int r = 0; r < ROWS; r++)
            names[r] = r < 4 ? name : "row";
        dgm_figure *figure = lines_figure(rows, names, values);
        sheet s;
        sheet_open(&s, figure, box);
        dgmi_draw_chart_draw(&s.page, &s.plot, 0);
        int shown = rows < 17 ? rows : 17;
        bool whole = rows + 4 <= 17; /* 17 lines have 57.8 mm, and 18 would have 61.2 */
        assert_int_equal(texts_with(&s, "row", &y), shown - 4);
        assert_int_equal(texts_with(&s, "a name that", &y), 4);
        assert_int_equal(texts_with(&s, "lines", &y) + texts_with(&s, "two lines", &y) +
                             texts_with(&s, "takes two lines", &y),
                         whole ? 4 : 0);
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

/* Names take 46 mm, or 55 hundredths of a narrower panel. */
static void a_narrow_panel_has_narrow_names(void **state) {
    (void)state;
    static const char *const names[] = {"up"};
    static const double values[] = {0, 2, 4, 6, 8}, widths[] = {40, 80, 84, 100};
    for (int64_t i = 0; i < COUNT(widths); i++) {
        dgm_figure *figure = lines_figure(1, names, values);
        sheet s;
        sheet_open(&s, figure, (dgmi_draw_box){10, 20, widths[i], 61});
        dgmi_draw_chart_draw(&s.page, &s.plot, 1);
        expect_group(&s, "p2-lines");
        double wide = widths[i] - 8 - fmin(46, 0.55 * widths[i]);
        int64_t every = (int64_t)ceil((small_width("s4") + 1) / (wide / 4));
        expect_axis(&s, 18, 22, wide, 52, STEPS, step_names, every);
        sheet_close(&s);
        dgm_figure_free(figure);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_lie_in_rows_from_birth_to_death),
        cmocka_unit_test(crowded_bars_share_rows),
        cmocka_unit_test(rows_without_room_stay_away),
        cmocka_unit_test(names_of_steps_do_not_meet),
        cmocka_unit_test(one_step_stands_at_the_left),
        cmocka_unit_test(keys_shrink_in_a_narrow_panel),
        cmocka_unit_test(a_panel_without_room_has_no_bars),
        cmocka_unit_test(lines_lead_from_value_to_value),
        cmocka_unit_test(names_of_rows_have_the_room_there_is),
        cmocka_unit_test(a_narrow_panel_has_narrow_names),
    };
    return RUN_WITH_CONTEXT(tests);
}
