/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a legend that tell what colours mean. */
#include "draw_legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BAR         20.0 /* mm, height of a colour bar */
#define SWATCH      2.2  /* mm, side of a sample of a colour */
#define SQUARE      14.0 /* mm, side of a square of two axes */
#define LONGEST_BAR 30.0 /* mm, of a colour bar that lies */
#define OVERHANG    1.6  /* mm of numbers beyond its ends */
#define COLUMN_GAP  2.4  /* mm between columns of classes */
enum { SHADES = 48, SQUARES = 18, FEW = 8 };

/* Panels that share the plot's legend. */
static bool shares_legend(const dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t other) {
    return page->plots[other].panel->kind == DGMI_DRAW_PANEL_VIEW &&
           page->plots[other].first_alike == plot - page->plots;
}

/* How many marks have no value, if that is one number for all panels; -1: some have, and panels
 * differ. */
static int64_t count_unknown(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    int64_t unknown = plot->paint.unknown;
    for (int64_t i = 0; i < page->count; i++)
        if (shares_legend(page, plot, i) && page->plots[i].paint.unknown != plot->paint.unknown)
            unknown = -1;
    return unknown;
}

static void outline(dgmi_draw_item *item, dgmi_draw_colour ink) {
    item->stroked = true;
    item->stroke = ink;
    item->width = 0.12;
}

static double draw_unknown(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y) {
    char text[96], count[DGMI_DRAW_WORDS_SPACE];
    int64_t unknown = count_unknown(page, plot);
    if (unknown == 0)
        return 0;
    outline(dgmi_draw_list_rect(page->list, x, y + 1, SWATCH, SWATCH,
                                dgmi_draw_unknown_colour(page->options->theme)),
            page->look.faint);
    if (unknown > 0)
        snprintf(text, sizeof text, "no value (%s)", dgmi_draw_view_count(unknown, count));
    else
        snprintf(text, sizeof text, "no value");
    dgmi_draw_legend_text(page, x + SWATCH + 1.2, y + 1 + SWATCH / 2, DGMI_DRAW_ANCHOR_START,
                          page->look.faint, text);
    return DGMI_DRAW_LINE + 1;
}

static double ramp_share(const dgmi_draw_paint_scale *scale, double value) {
    double low = scale->low[0], high = scale->high[0];
    return high > low ? (value - low) / (high - low) : 0.5;
}

/* A share of the bar's height, between 0 and 1, as a place on the colormap: the middle of a centred
 * map is where its threshold stands. */
static double map_share(const dgmi_draw_paint_scale *scale, double share) {
    if (!scale->centred)
        return share;
    double middle = ramp_share(scale, scale->middle);
    return share < middle ? 0.5 * share / middle : 0.5 + 0.5 * (share - middle) / (1 - middle);
}

/* A pale end of the bar has an edge all the same. */
static void draw_frame(dgmi_draw_page *page, double x, double y, double width, double height) {
    dgmi_draw_item *frame = dgmi_draw_list_rect(page->list, x, y, width, height, page->look.ground);
    frame->filled = false;
    outline(frame, page->look.faint);
}

/* Lying, where blocks stand side by side: low ends are on the left. */
static double draw_lying_ramp(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                              double width) {
    const dgmi_draw_paint *paint = &plot->paint;
    const dgmi_draw_paint_scale *scale = &paint->scale;
    double top = y + dgmi_draw_legend_heading(page, x, y, width, paint->title) + 0.4,
           left = x + OVERHANG;
    double length = fmin(width - 2 * OVERHANG, LONGEST_BAR);
    for (int i = SHADES; i-- > 0;) /* each reaches under the one before */
        dgmi_draw_list_rect(
            page->list, left + length * i / SHADES, top, length / SHADES * (i + 1 < SHADES ? 2 : 1),
            3, dgmi_draw_colormap_at(paint->map, map_share(scale, (i + 0.5) / SHADES)));
    draw_frame(page, left, top, length, 3);
    double ticks[8], end = -INFINITY;
    int count = dgmi_draw_words_ticks(scale->low[0], scale->high[0], 4, ticks);
    for (int i = 0; i < count; i++) {
        char text[DGMI_DRAW_WORDS_SPACE];
        double at = left + length * ramp_share(scale, ticks[i]);
        double half =
            dgmi_draw_text_width(dgmi_draw_words_number(ticks[i], text), DGMI_DRAW_SMALL, false) /
            2;
        dgmi_draw_list_line(page->list, at, top + 3, at, top + 3.8, 0.15, page->look.ink);
        if (at - half < end + 1) /* no room for its number */
            continue;
        end = at + half;
        dgmi_draw_legend_text(page, at, top + 5.4, DGMI_DRAW_ANCHOR_MIDDLE, page->look.ink, text);
    }
    double bottom = top + 3.8 + DGMI_DRAW_LINE;
    return bottom + draw_unknown(page, plot, x, bottom) - y;
}

double dgmi_draw_legend_ramp(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                             double width) {
    const dgmi_draw_paint *paint = &plot->paint;
    const dgmi_draw_paint_scale *scale = &paint->scale;
    if (page->across)
        return draw_lying_ramp(page, plot, x, y, width);
    double top = y + dgmi_draw_legend_heading(page, x, y, width, paint->title) + 0.8;
    for (int i = 0; i < SHADES; i++) /* each reaches under the next: no seams */
        dgmi_draw_list_rect(
            page->list, x, top + BAR * i / SHADES, 3, BAR / SHADES * (i + 1 < SHADES ? 2 : 1),
            dgmi_draw_colormap_at(paint->map, map_share(scale, 1 - (i + 0.5) / SHADES)));
    draw_frame(page, x, top, 3, BAR);
    double ticks[8];
    int count = dgmi_draw_words_ticks(scale->low[0], scale->high[0], 5, ticks);
    for (int i = 0; i < count; i++) {
        char text[DGMI_DRAW_WORDS_SPACE];
        double share = ramp_share(scale, ticks[i]), at = top + BAR * (1 - share);
        dgmi_draw_list_line(page->list, x + 3, at, x + 3.8, at, 0.15, page->look.ink);
        dgmi_draw_legend_text(page, x + 4.6, at, DGMI_DRAW_ANCHOR_START, page->look.ink,
                              dgmi_draw_words_number(ticks[i], text));
    }
    double end = top + BAR + 1.2;
    return end + draw_unknown(page, plot, x, end) - y;
}

double dgmi_draw_legend_square(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                               double width) {
    const dgmi_draw_paint *paint = &plot->paint;
    double top = y + dgmi_draw_legend_heading(page, x, y, width, paint->title) + 0.8,
           left = x + DGMI_DRAW_LINE;
    double side = SQUARE / SQUARES;
    for (int i = 0; i < SQUARES; i++)
        for (int j = 0; j < SQUARES; j++)
            dgmi_draw_list_rect(page->list, left + j * side, top + i * side,
                                side + (j + 1 < SQUARES ? 0.1 : 0),
                                side + (i + 1 < SQUARES ? 0.1 : 0),
                                dgmi_draw_square_at(page->options->style, (j + 0.5) / SQUARES,
                                                    1 - (i + 0.5) / SQUARES));
    char fitted[96];
    dgmi_draw_list_text(page->list, left + SQUARE / 2, top + SQUARE + 2.9, DGMI_DRAW_SMALL,
                        DGMI_DRAW_ANCHOR_MIDDLE, page->look.ink,
                        dgmi_draw_text_fit(paint->axes[0], DGMI_DRAW_SMALL, false, SQUARE + 6,
                                           fitted, sizeof fitted));
    dgmi_draw_item *item =
        dgmi_draw_list_text(page->list, left - 1, top + SQUARE / 2, DGMI_DRAW_SMALL,
                            DGMI_DRAW_ANCHOR_MIDDLE, page->look.ink,
                            dgmi_draw_text_fit(paint->axes[1], DGMI_DRAW_SMALL, false, SQUARE + 6,
                                               fitted, sizeof fitted));
    item->b = -90;
    double end = top + SQUARE + 4;
    return end + draw_unknown(page, plot, x, end) - y;
}

/* The classes of all panels that share a legend, in the scale's order. */
typedef struct {
    dgmi_draw_class_entry entries[DGMI_DRAW_SLOTS];
    int64_t count;
    bool counted; /* members are the same in every panel: they are said */
} class_list;

static int64_t members_of(const dgmi_draw_paint *paint, int slot) {
    for (int64_t e = 0; e < paint->entry_count; e++)
        if (paint->entries[e].slot == slot)
            return paint->entries[e].members;
    return 0;
}

static void list_classes(const dgmi_draw_page *page, const dgmi_draw_plot *plot, class_list *out) {
    const dgmi_draw_class_entry *first[DGMI_DRAW_SLOTS] = {NULL};
    *out = (class_list){.counted = true};
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_draw_paint *paint = &page->plots[i].paint;
        for (int64_t e = 0; shares_legend(page, plot, i) && e < paint->entry_count; e++)
            if (!first[paint->entries[e].slot])
                first[paint->entries[e].slot] = &paint->entries[e];
    }
    for (int slot = 0; slot < DGMI_DRAW_SLOTS; slot++) {
        if (!first[slot])
            continue;
        for (int64_t i = 0; i < page->count; i++)
            if (shares_legend(page, plot, i) &&
                members_of(&page->plots[i].paint, slot) != first[slot]->members)
                out->counted = false;
        out->entries[out->count++] = *first[slot];
    }
    for (int64_t e = 0; e < out->count && !out->counted; e++)
        if (out->entries[e].slot == DGMI_DRAW_SLOT_OTHER)
            out->entries[e].name = "other"; /* how many differs, too */
}

/* What the longest entry takes with its count. */
static double entry_width(const class_list *list) {
    double width = 0;
    for (int64_t e = 0; e < list->count; e++) {
        char count[DGMI_DRAW_WORDS_SPACE];
        dgmi_draw_view_count(list->entries[e].members, count);
        width = fmax(
            width,
            dgmi_draw_text_width(list->entries[e].name, DGMI_DRAW_SMALL, false) + SWATCH + 1.7 +
                (list->counted ? dgmi_draw_text_width(count, DGMI_DRAW_SMALL, false) + 1.8 : 0));
    }
    return width;
}

/* Lists of more than a few stand in columns where they fit beside each other. */
static int64_t class_columns(const class_list *list, double width) {
    double each = entry_width(list) + COLUMN_GAP;
    int64_t fitting = (int64_t)((width + COLUMN_GAP) / each);
    int64_t wanted = (list->count + FEW - 1) / FEW;
    return fitting < 1 || wanted < 1 ? 1 : fitting < wanted ? fitting : wanted;
}

static void draw_class(dgmi_draw_page *page, const dgmi_draw_class_entry *entry, bool counted,
                       double x, double y, double width) {
    char count[DGMI_DRAW_WORDS_SPACE], name[160];
    dgmi_draw_view_count(entry->members, count);
    double taken = counted ? dgmi_draw_text_width(count, DGMI_DRAW_SMALL, false) + 1.5 : 0;
    outline(dgmi_draw_list_shape(page->list, entry->shape, x + SWATCH / 2, y, SWATCH / 2,
                                 entry->colour),
            dgmi_draw_colour_mix(entry->colour, page->look.ink, 0.45));
    dgmi_draw_legend_text(page, x + SWATCH + 1.2, y, DGMI_DRAW_ANCHOR_START, page->look.ink,
                          dgmi_draw_text_fit(entry->name, DGMI_DRAW_SMALL, false,
                                             width - SWATCH - 1.2 - taken, name, sizeof name));
    if (counted)
        dgmi_draw_legend_text(page, x + width, y, DGMI_DRAW_ANCHOR_END, page->look.faint, count);
}

/* Labels and predictions have one name where they share a list. */
static const char *classes_title(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    for (int64_t i = 0; i < page->count; i++)
        if (shares_legend(page, plot, i) && strcmp(page->plots[i].colour, plot->colour) != 0)
            return "most frequent class";
    return plot->paint.title;
}

double dgmi_draw_legend_classes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x,
                                double y, double width) {
    class_list list;
    list_classes(page, plot, &list);
    int64_t columns = class_columns(&list, width), rows = (list.count + columns - 1) / columns;
    double top = y + dgmi_draw_legend_heading(page, x, y, width, classes_title(page, plot));
    double each = (width - COLUMN_GAP * (double)(columns - 1)) / (double)columns;
    if (columns > 1)
        each = fmin(each, entry_width(&list) + COLUMN_GAP);
    for (int64_t e = 0; e < list.count; e++) {
        int64_t column = e / rows, row = e % rows;
        draw_class(page, &list.entries[e], list.counted, x + (double)column * (each + COLUMN_GAP),
                   top + (double)row * DGMI_DRAW_LINE + 1.5, each);
    }
    return top + (double)rows * DGMI_DRAW_LINE - y;
}

/* What the plot's list of classes takes, in as many columns as it would like; 0: there is none. */
double dgmi_draw_legend_classes_width(const dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                      bool across) {
    class_list list;
    list_classes(page, plot, &list);
    int64_t columns = across && list.count ? (list.count + FEW - 1) / FEW : 1;
    return list.count ? (entry_width(&list) + COLUMN_GAP) * (double)columns - COLUMN_GAP : 0;
}
