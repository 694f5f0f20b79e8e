/* SPDX-License-Identifier: Apache-2.0 */
/* Draws panels that are not views: bars of persistence and lines, both over the steps of a tower.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>

#define FOOT  7.0  /* mm under the axis for the names of steps */
#define KEYS  4.0  /* mm above the bars for what their colours mean */
#define BARS  1.4  /* mm from bar to bar, at most */
#define THIN  0.35 /* and at least */
#define CROWD 0.7  /* mm a bar: closer ones that are alike are drawn as one */
#define TIMES 2.4  /* mm from row to row where rows say how many they are */
#define ROW   3.4  /* mm, a line of a row's name */
enum { KEY_SPACE = 96 };

static double step_x(const dgmi_draw_box *area, int64_t steps, double step) {
    return steps > 1 ? area->x + area->width * step / (double)(steps - 1) : area->x;
}

/* Names under the axis; where they would meet, only every second, third, ... */
static void draw_axis(dgmi_draw_page *page, const dgmi_draw_panel *panel,
                      const dgmi_draw_box *area) {
    double bottom = area->y + area->height, widest = 0;
    for (int64_t s = 0; s < panel->steps; s++)
        widest = fmax(widest, dgmi_draw_text_width(panel->step_names[s], DGMI_DRAW_SMALL, false));
    double apart = panel->steps > 1 ? area->width / (double)(panel->steps - 1) : area->width;
    int64_t every = apart > 0 ? (int64_t)ceil((widest + 1) / apart) : panel->steps;
    dgmi_draw_list_line(page->list, area->x, bottom, area->x + area->width, bottom, 0.2,
                        page->look.faint);
    for (int64_t s = 0; s < panel->steps; s++) {
        double x = step_x(area, panel->steps, (double)s);
        dgmi_draw_list_line(page->list, x, bottom, x, bottom + 0.8, 0.2, page->look.faint);
        dgmi_draw_item *guide =
            dgmi_draw_list_line(page->list, x, area->y, x, bottom, 0.1, page->look.rule);
        guide->opacity = 0.6;
        if (s % every == 0)
            dgmi_draw_list_text(page->list, x, bottom + 3.6, DGMI_DRAW_SMALL,
                                DGMI_DRAW_ANCHOR_MIDDLE, page->look.ink, panel->step_names[s]);
    }
}

/* ---- bars ---- */

static void draw_bar(dgmi_draw_page *page, const dgmi_draw_panel *panel, const dgmi_draw_box *area,
                     const dgm_figure_bar *bar, double y, double width) {
    bool ends = bar->death >= 0;
    double from = step_x(area, panel->steps, (double)bar->birth);
    double to = ends ? step_x(area, panel->steps, (double)bar->death) : area->x + area->width;
    dgmi_draw_colour colour =
        dgmi_draw_class_colour(page->options->style, page->options->theme, bar->dimension ? 1 : 0);
    char title[128];
    /* A bar that never ends has an arrow's head; one born at the last step is a point. */
    dgmi_draw_item *line =
        dgmi_draw_list_line(page->list, from, y, fmax(to, from + 0.3), y, width, colour);
    if (ends)
        snprintf(title, sizeof title, "%s: from %s to %s", bar->dimension ? "loop" : "piece",
                 panel->step_names[bar->birth], panel->step_names[bar->death]);
    else
        snprintf(title, sizeof title, "%s: from %s on", bar->dimension ? "loop" : "piece",
                 panel->step_names[bar->birth]);
    line->title = dgmi_draw_list_words(page->list, title);
    if (!ends)
        dgmi_draw_list_disc(page->list, fmax(to, from + 0.3), y, width * 0.9, colour);
}

static int64_t bar_length(const dgmi_draw_panel *panel, const dgm_figure_bar *bar) {
    return (bar->death < 0 ? panel->steps : bar->death) - bar->birth;
}

/* How many bars from `first` on are alike: one row where bars are drawn together. */
static int64_t alike_from(const dgmi_draw_panel *panel, int64_t first, bool together) {
    const dgm_figure_bar *bar = &panel->bars[first];
    int64_t count = 1;
    for (; together && first + count < panel->rows; count++) {
        const dgm_figure_bar *next = bar + count;
        if (next->dimension != bar->dimension || next->birth != bar->birth ||
            next->death != bar->death)
            break;
    }
    return count;
}

/* Rows of bars at least that long, and the bars in them. */
static int64_t count_rows(const dgmi_draw_panel *panel, int64_t length, bool together,
                          int64_t *bars) {
    int64_t rows = 0;
    *bars = 0;
    for (int64_t b = 0, next; b < panel->rows; b = next) {
        next = b + alike_from(panel, b, together);
        if (bar_length(panel, &panel->bars[b]) < length)
            continue;
        rows++;
        *bars += next - b;
    }
    return rows;
}

static void key_words(const dgmi_draw_panel *panel, int dimension, char text[KEY_SPACE]) {
    static const char *const words[] = {"pieces", "loops"};
    char count[DGMI_DRAW_WORDS_SPACE];
    int64_t bars = 0;
    for (int64_t b = 0; b < panel->rows; b++)
        bars += (panel->bars[b].dimension != 0) == dimension;
    snprintf(text, KEY_SPACE, "%s (%s)", words[dimension], dgmi_draw_view_count(bars, count));
}

/* Keys are shorter where both would not fit over the panel otherwise. */
static void draw_keys(dgmi_draw_page *page, const dgmi_draw_panel *panel, const dgmi_draw_box *box,
                      int64_t hidden) {
    char text[KEY_SPACE], count[DGMI_DRAW_WORDS_SPACE];
    double x = box->x, line = 3.5, wanted = -2.5;
    for (int dimension = 0; dimension < 2; dimension++) {
        key_words(panel, dimension, text);
        wanted += line + 4 + dgmi_draw_text_width(text, DGMI_DRAW_SMALL, false);
    }
    if (wanted > box->width)
        line = fmax(line - (wanted - box->width) / 2, 1);
    for (int dimension = 0; dimension < 2; dimension++) {
        key_words(panel, dimension, text);
        dgmi_draw_list_line(
            page->list, x + 0.5, box->y + 1.6, x + 0.5 + line, box->y + 1.6, 0.9,
            dgmi_draw_class_colour(page->options->style, page->options->theme, dimension));
        dgmi_draw_list_text(page->list, x + line + 1.5, box->y + 2.5, DGMI_DRAW_SMALL,
                            DGMI_DRAW_ANCHOR_START, page->look.ink, text);
        x += line + (line < 3.5 ? 3 : 4) + dgmi_draw_text_width(text, DGMI_DRAW_SMALL, false);
    }
    if (hidden == 0)
        return;
    snprintf(text, sizeof text, "%s short bars are not shown", dgmi_draw_view_count(hidden, count));
    dgmi_draw_list_text(page->list, box->x, box->y + box->height, DGMI_DRAW_SMALL,
                        DGMI_DRAW_ANCHOR_START, page->look.faint, text);
}

/* "x 213" behind a row that stands for several bars. */
static void draw_times(dgmi_draw_page *page, const dgmi_draw_panel *panel,
                       const dgmi_draw_box *area, const dgm_figure_bar *bar, double y,
                       int64_t count) {
    char text[DGMI_NUMBER_SPACE + 8], number[DGMI_NUMBER_SPACE];
    double end =
        bar->death < 0 ? area->x + area->width : step_x(area, panel->steps, (double)bar->death);
    snprintf(text, sizeof text, "\xc3\x97 %s", dgmi_draw_view_count(count, number));
    dgmi_draw_list_text(page->list, end + 1.2, y + 0.9, DGMI_DRAW_SMALL, DGMI_DRAW_ANCHOR_START,
                        page->look.ink, text);
}

/* Pieces above, loops below. Where there is no room for all, those that are alike and follow each
 * other share a row that says how many they are; and then the shortest stay away. */
static void draw_barcode(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgmi_draw_panel *panel = plot->panel;
    dgmi_draw_box area = {plot->box.x + 4, plot->box.y + KEYS, plot->box.width - 10,
                          plot->box.height - KEYS - FOOT};
    bool together = (double)panel->rows > area.height / CROWD;
    double high = fmax(area.height, 0); /* a low panel has no room */
    int64_t room = (int64_t)(high / (together ? TIMES : THIN)), length = 0, bars, row = 0;
    area.width -= together ? 6 : 0;
    while (count_rows(panel, length, together, &bars) > room) /* none is longer than all steps */
        length++;
    int64_t shown = count_rows(panel, length, together, &bars);
    double apart = fmin(together ? 2 * TIMES : BARS, area.height / (double)(shown + 1));
    draw_axis(page, panel, &area);
    draw_keys(page, panel, &plot->box, panel->rows - bars);
    for (int dimension = 0; dimension < 2; dimension++)
        for (int64_t b = 0, next; b < panel->rows; b = next) {
            const dgm_figure_bar *bar = &panel->bars[b];
            next = b + alike_from(panel, b, together);
            if ((bar->dimension != 0) != dimension || bar_length(panel, bar) < length)
                continue;
            double y = area.y + apart * ((double)row++ + 0.8);
            draw_bar(page, panel, &area, bar, y, fmin(apart, BARS) * 0.6);
            if (next - b > 1)
                draw_times(page, panel, &area, bar, y, next - b);
        }
}

/* ---- lines ---- */

static double most_of(const dgmi_draw_panel *panel) {
    double most = 0;
    for (int64_t i = 0; i < panel->rows * panel->steps; i++)
        if (isfinite(panel->values[i]))
            most = fmax(most, panel->values[i]);
    return most;
}

static void draw_line(dgmi_draw_page *page, const dgmi_draw_panel *panel, const dgmi_draw_box *area,
                      int64_t row, double most) {
    dgmi_draw_colour colour =
        row < DGMI_DRAW_CLASS_COLOURS
            ? dgmi_draw_class_colour(page->options->style, page->options->theme, (int)row)
            : dgmi_draw_other_colour(page->options->theme);
    const double *values = panel->values + row * panel->steps;
    double base = area->y + area->height, last_x = 0, last_y = 0;
    bool drawn = false;
    for (int64_t s = 0; s < panel->steps; s++) {
        if (!isfinite(values[s])) {
            drawn = false;
            continue;
        }
        double x = step_x(area, panel->steps, (double)s),
               y = base - area->height * values[s] / most;
        if (drawn)
            dgmi_draw_list_line(page->list, last_x, last_y, x, y, 0.35, colour);
        dgmi_draw_item *dot = dgmi_draw_list_disc(page->list, x, y, 0.6, colour);
        char title[160], number[DGMI_DRAW_WORDS_SPACE];
        snprintf(title, sizeof title, "%.80s, %.40s: %s", panel->row_names[row],
                 panel->step_names[s], dgmi_draw_words_number(values[s], number));
        dot->title = dgmi_draw_list_words(page->list, title);
        last_x = x;
        last_y = y;
        drawn = true;
    }
}

/* Names in full take up to two lines each, if there is room for that. */
static bool names_wrap(const dgmi_draw_panel *panel, double width, double height) {
    double lines = 0;
    for (int64_t r = 0; r < panel->rows; r++)
        lines += dgmi_draw_text_width(panel->row_names[r], DGMI_DRAW_SMALL, false) > width ? 2 : 1;
    return lines * ROW <= height;
}

/* Returns the height that the name takes. */
static double name_line(dgmi_draw_page *page, const dgmi_draw_panel *panel, double x, double y,
                        double width, bool wrap, int64_t row) {
    char fitted[256];
    const char *name = panel->row_names[row];
    dgmi_draw_colour colour =
        row < DGMI_DRAW_CLASS_COLOURS
            ? dgmi_draw_class_colour(page->options->style, page->options->theme, (int)row)
            : dgmi_draw_other_colour(page->options->theme);
    dgmi_draw_list_disc(page->list, x, y + 1.2, 0.8, colour);
    if (!wrap)
        name = dgmi_draw_text_fit(name, DGMI_DRAW_SMALL, false, width - 2, fitted, sizeof fitted);
    return dgmi_draw_words_wrap(page->list, x + 1.8, y, width - 2, DGMI_DRAW_SMALL, false,
                                page->look.ink, name);
}

/* A line and its name for every row that has room for its name. */
static void draw_lines(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgmi_draw_panel *panel = plot->panel;
    double names = fmin(46, plot->box.width * 0.55);
    dgmi_draw_box area = {plot->box.x + 8, plot->box.y + 2, plot->box.width - 8 - names,
                          plot->box.height - 2 - FOOT};
    double most = most_of(panel), ticks[8], room = plot->box.height - 2;
    int64_t rows = (int64_t)fmin((double)panel->rows, floor(room / ROW));
    bool wrap = names_wrap(panel, names - 6, room);
    draw_axis(page, panel, &area);
    int count = dgmi_draw_words_ticks(0, most > 0 ? most : 1, 4, ticks);
    for (int i = 0; i < count; i++) {
        char text[DGMI_DRAW_WORDS_SPACE];
        double y = area.y + area.height - area.height * ticks[i] / (most > 0 ? most : 1);
        dgmi_draw_list_text(page->list, area.x - 1.5, y + 0.9, DGMI_DRAW_SMALL,
                            DGMI_DRAW_ANCHOR_END, page->look.ink,
                            dgmi_draw_words_number(ticks[i], text));
    }
    for (int64_t r = rows - 1; r >= 0; r--) /* the first row lies on top */
        draw_line(page, panel, &area, r, most > 0 ? most : 1);
    double y = area.y;
    for (int64_t r = 0; r < rows; r++)
        y += name_line(page, panel, area.x + area.width + 4, y, names - 4, wrap, r) + 0.2;
}

void dgmi_draw_chart_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index) {
    char id[64];
    snprintf(id, sizeof id, "p%lld-%s", (long long)index + 1,
             plot->panel->kind == DGMI_DRAW_PANEL_BARCODE ? "barcode" : "lines");
    dgmi_draw_list_open(page->list, id);
    if (plot->panel->kind == DGMI_DRAW_PANEL_BARCODE)
        draw_barcode(page, plot);
    else
        draw_lines(page, plot);
    dgmi_draw_list_close(page->list);
}
