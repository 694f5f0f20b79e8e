/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the legend, which tells what colours, sizes and widths mean. Its blocks stand one under the
 * other, or side by side under the panels of a narrow figure.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_memory.h"

#define GAP         2.6  /* mm between blocks */
#define BAR         20.0 /* mm, height of a colour bar */
#define BLOCK       22.0 /* mm, the least width of colours where blocks stand side by side */
#define HEADING     36.0 /* mm, from which headings there are broken into lines */
#define SWATCH      2.2
#define SQUARE      14.0
#define LONGEST_BAR 30.0 /* mm, of a colour bar that lies */
#define OVERHANG    1.6  /* mm of numbers beyond its ends */
#define COLUMN_GAP  2.4  /* mm between columns of classes */
enum { SHADES = 48, SQUARES = 18, FEW = 8, SIZE_SPACE = 2 * DGMI_DRAW_WORDS_SPACE + 8 };

/* A block draws itself at (x, y) and returns its height. */
typedef struct {
    double (*draw)(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                   double width);
    const dgmi_draw_plot *plot;
    double width, height; /* that it would like to have beside others */
} block;

static double heading(dgmi_draw_page *page, double x, double y, double width, const char *text) {
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, true, page->look.ink,
                                text) +
           0.8;
}

static void small_text(dgmi_draw_page *page, double x, double y, dgmi_draw_anchor anchor,
                       dgmi_draw_colour ink, const char *text) {
    /* y is the middle of the line */
    dgmi_draw_list_text(page->list, x, y + DGMI_DRAW_SMALL * DGMI_DRAW_POINT * 0.35,
                        DGMI_DRAW_SMALL, anchor, ink, text);
}

/* ---- colour ---- */

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
    small_text(page, x + SWATCH + 1.2, y + 1 + SWATCH / 2, DGMI_DRAW_ANCHOR_START, page->look.faint,
               text);
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
    double top = y + heading(page, x, y, width, paint->title) + 0.4, left = x + OVERHANG;
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
        small_text(page, at, top + 5.4, DGMI_DRAW_ANCHOR_MIDDLE, page->look.ink, text);
    }
    double bottom = top + 3.8 + DGMI_DRAW_LINE;
    return bottom + draw_unknown(page, plot, x, bottom) - y;
}

static double draw_ramp(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                        double width) {
    const dgmi_draw_paint *paint = &plot->paint;
    const dgmi_draw_paint_scale *scale = &paint->scale;
    if (page->across)
        return draw_lying_ramp(page, plot, x, y, width);
    double top = y + heading(page, x, y, width, paint->title) + 0.8;
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
        small_text(page, x + 4.6, at, DGMI_DRAW_ANCHOR_START, page->look.ink,
                   dgmi_draw_words_number(ticks[i], text));
    }
    double end = top + BAR + 1.2;
    return end + draw_unknown(page, plot, x, end) - y;
}

static double draw_square(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                          double width) {
    const dgmi_draw_paint *paint = &plot->paint;
    double top = y + heading(page, x, y, width, paint->title) + 0.8, left = x + DGMI_DRAW_LINE;
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
    small_text(page, x + SWATCH + 1.2, y, DGMI_DRAW_ANCHOR_START, page->look.ink,
               dgmi_draw_text_fit(entry->name, DGMI_DRAW_SMALL, false, width - SWATCH - 1.2 - taken,
                                  name, sizeof name));
    if (counted)
        small_text(page, x + width, y, DGMI_DRAW_ANCHOR_END, page->look.faint, count);
}

/* Labels and predictions have one name where they share a list. */
static const char *classes_title(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    for (int64_t i = 0; i < page->count; i++)
        if (shares_legend(page, plot, i) && strcmp(page->plots[i].colour, plot->colour) != 0)
            return "most frequent class";
    return plot->paint.title;
}

static double draw_classes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                           double width) {
    class_list list;
    list_classes(page, plot, &list);
    int64_t columns = class_columns(&list, width), rows = (list.count + columns - 1) / columns;
    double top = y + heading(page, x, y, width, classes_title(page, plot));
    double each = (width - COLUMN_GAP * (double)(columns - 1)) / (double)columns;
    if (columns > 1)
        each = fmin(each, entry_width(&list) + COLUMN_GAP);
    for (int64_t e = 0; e < list.count; e++)
        draw_class(page, &list.entries[e], list.counted,
                   x + (double)(e / rows) * (each + COLUMN_GAP),
                   top + (double)(e % rows) * DGMI_DRAW_LINE + 1.5, each);
    return top + (double)rows * DGMI_DRAW_LINE - y;
}

/* ---- size and width ---- */

/* A summary's links and another's mean the same by their widths. */
static bool widths_alike(const dgmi_draw_plot *a, const dgmi_draw_plot *b) {
    const dgm_view *p = a->panel->view, *q = b->panel->view;
    return p->kind == DGM_VIEW_SUMMARY && q->kind == DGM_VIEW_SUMMARY && q->link_count > 0 &&
           p->structural == q->structural && !a->heaviest == !b->heaviest;
}

typedef struct {
    int64_t size;
    double radius; /* mm */
    bool least;    /* no cluster of the figure is smaller */
} sample;

/* Walks over the clusters of all panels; start with {0}. False at the end. */
typedef struct {
    int64_t plot, mark;
} sample_cursor;

static bool next_sample(const dgmi_draw_page *page, sample_cursor *at, sample *out) {
    for (; at->plot < page->count; at->plot++, at->mark = 0) {
        const dgmi_draw_plot *plot = &page->plots[at->plot];
        const dgm_view *view = plot->panel->view;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW || view->kind != DGM_VIEW_SUMMARY ||
            at->mark == view->marks)
            continue;
        *out = (sample){view->size[at->mark], dgmi_draw_mark_radius(plot, at->mark), false};
        at->mark++;
        return true;
    }
    return false;
}

/* A cluster of another size than both, its radius nearest to the middle of theirs; size 0: none. */
static sample sample_between(const dgmi_draw_page *page, sample most, sample least) {
    sample found = {0, 0, false}, own;
    double middle = (most.radius + least.radius) / 2, nearest = INFINITY;
    for (sample_cursor at = {0, 0}; next_sample(page, &at, &own);) {
        double away = fabs(own.radius - middle);
        if (away < nearest && own.size != most.size && own.size != least.size) {
            nearest = away;
            found = own;
        }
    }
    return found;
}

/* The most members that a mark of this radius has: of those as small as can be there are many. */
static int64_t largest_of(const dgmi_draw_page *page, double radius) {
    int64_t size = 0;
    sample own;
    for (sample_cursor at = {0, 0}; next_sample(page, &at, &own);)
        if (own.radius <= radius * 1.02 && own.size > size)
            size = own.size;
    return size;
}

/* The largest cluster of the figure, the smallest, and one between them; how many there are. */
static int sample_sizes(const dgmi_draw_page *page, sample samples[3]) {
    sample most = {0, 0, false}, least = {INT64_MAX, 0, false}, own;
    for (sample_cursor at = {0, 0}; next_sample(page, &at, &own);) {
        most = own.size > most.size ? own : most;
        least = own.size < least.size ? own : least;
    }
    int count = 0;
    least.least = true;
    sample between = sample_between(page, most, least);
    samples[count++] = most;
    if (between.size > 0)
        samples[count++] = between;
    if (least.size != most.size)
        samples[count++] = least;
    return count;
}

static const char *size_heading(const dgmi_draw_page *page) {
    return page->options->style == DGM_STYLE_PAPER ? "size: nodes (area as the square root)"
                                                   : "size: nodes";
}

/* "40", or of marks as small as can be "1 to 40". */
static void size_words(const dgmi_draw_page *page, const sample *own, char text[SIZE_SPACE]) {
    char least[DGMI_DRAW_WORDS_SPACE], most[DGMI_DRAW_WORDS_SPACE];
    int64_t largest = own->least ? largest_of(page, own->radius) : own->size;
    dgmi_draw_view_count(own->size, least);
    snprintf(text, SIZE_SPACE, "%s%s%s", least, largest > own->size ? " to " : "",
             largest > own->size ? dgmi_draw_view_count(largest, most) : "");
}

/* Where the tops of the discs are, as far apart as lines of text. */
static void place_sizes(const sample *samples, int count, double bottom, double at[3]) {
    double floor = bottom - DGMI_DRAW_LINE / 2 + 0.4;
    for (int i = 0; i < count; i++)
        at[i] =
            fmax(bottom - 2 * samples[i].radius + 0.3, i ? at[i - 1] + DGMI_DRAW_LINE : -INFINITY);
    for (int i = count; i-- > 0; floor = at[i] - DGMI_DRAW_LINE)
        at[i] = fmin(at[i], floor);
}

/* Discs inside each other on one ground, each led to its number. */
static double draw_sizes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                         double width) {
    (void)plot; /* sizes mean the same in every panel */
    sample samples[3];
    char text[SIZE_SPACE];
    int count = sample_sizes(page, samples);
    double top = y + heading(page, x, y, width, size_heading(page)), at[3];
    double largest = samples[0].radius;
    double bottom = top + fmax(2 * largest + 0.4, (double)count * DGMI_DRAW_LINE);
    place_sizes(samples, count, bottom, at);
    for (int i = 0; i < count; i++) {
        double high = bottom - 2 * samples[i].radius, label = x + 2 * largest + 2.6;
        dgmi_draw_item *disc =
            dgmi_draw_list_disc(page->list, x + largest + 0.2, high + samples[i].radius,
                                samples[i].radius, page->look.ground);
        disc->filled = false;
        disc->stroked = true;
        disc->stroke = page->look.faint;
        disc->width = 0.2;
        dgmi_draw_list_line(page->list, x + largest + 0.2, high, label - 0.6, at[i], 0.1,
                            page->look.faint);
        size_words(page, &samples[i], text);
        small_text(page, label, at[i], DGMI_DRAW_ANCHOR_START, page->look.ink, text);
    }
    return bottom + 0.5 - y;
}

/* Where areas would say nothing: every mark is as small as can be. */
static bool sizes_alike(const dgmi_draw_page *page) {
    sample samples[3];
    int count = sample_sizes(page, samples);
    return count > 1 && samples[0].radius - samples[count - 1].radius < 0.02;
}

static double draw_one_size(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                            double width) {
    (void)plot;
    sample samples[3];
    char least[DGMI_DRAW_WORDS_SPACE], most[DGMI_DRAW_WORDS_SPACE],
        text[2 * DGMI_DRAW_WORDS_SPACE + 64];
    int count = sample_sizes(page, samples);
    snprintf(text, sizeof text, "a mark is a cluster of %s to %s nodes; all have one size",
             dgmi_draw_view_count(samples[count - 1].size, least),
             dgmi_draw_view_count(samples[0].size, most));
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, false, page->look.faint,
                                text);
}

/* The smallest weight among the links, as a share of the widest that the figure has. */
static double least_share(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    double least = 1;
    for (int64_t p = 0; p < page->count; p++) {
        const dgmi_draw_plot *other = &page->plots[p];
        if (other->panel->kind != DGMI_DRAW_PANEL_VIEW || !widths_alike(plot, other))
            continue;
        double share = plot->heaviest ? (double)other->heaviest / (double)plot->widest : 1;
        for (int64_t i = 0; i < other->panel->view->link_count; i++)
            least = fmin(least, other->panel->view->links[i].weight * share);
    }
    return least;
}

static double draw_widths(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                          double width) {
    const dgm_view *view = plot->panel->view;
    double unit = plot->heaviest ? (double)plot->widest : 1, before = -1;
    double least = least_share(page, plot);
    double at = y + heading(page, x, y, width,
                            !plot->heaviest    ? "width: weight"
                            : view->structural ? "width: graph edges"
                                               : "width: shared nodes");
    for (int i = 0; i < 3; i++) {
        double share = i == 0 ? 1 : i == 2 ? least : (1 + least) / 2;
        double value = plot->heaviest ? round(share * unit) : share;
        char text[DGMI_DRAW_WORDS_SPACE];
        if (value == before)
            continue;
        before = value;
        double weight = plot->heaviest ? value / (double)plot->heaviest : value;
        dgmi_draw_item *line =
            dgmi_draw_list_line(page->list, x + 0.6, at + 1.5, x + 7, at + 1.5,
                                dgmi_draw_link_width(plot, weight), page->look.link);
        line->opacity = 0.8;
        if (plot->heaviest)
            dgmi_draw_view_count((int64_t)value, text);
        else
            dgmi_draw_words_number(value, text);
        small_text(page, x + 8.2, at + 1.5, DGMI_DRAW_ANCHOR_START, page->look.ink, text);
        at += DGMI_DRAW_LINE;
    }
    return at - y;
}

static double draw_ring(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                        double width) {
    (void)plot;
    dgmi_draw_item *ring = dgmi_draw_list_disc(page->list, x + 1.5, y + 1.6, 1.3, page->look.ring);
    ring->filled = false;
    ring->stroked = true;
    ring->stroke = page->look.ring;
    ring->width = 0.45;
    return fmax(DGMI_DRAW_LINE,
                dgmi_draw_words_wrap(page->list, x + 4.2, y + 0.2, width - 4.2, DGMI_DRAW_SMALL,
                                     false, page->look.ink, "they disagree most"));
}

static double draw_nodes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                         double width) {
    const dgm_view *view = plot->panel->view;
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, false, page->look.faint,
                                view->kind == DGM_VIEW_GRAPH ? "a dot is a node, a line an edge"
                                : view->source[0]            ? "a dot is a node"
                                                             : "a dot is a point");
}

/* ---- the whole ---- */

static block colour_block(const dgmi_draw_plot *plot) {
    switch (plot->paint.scale.kind) {
    case DGMI_DRAW_PAINT_RAMP:
        return (block){draw_ramp, plot, 0, 0};
    case DGMI_DRAW_PAINT_SQUARE:
        return (block){draw_square, plot, 0, 0};
    case DGMI_DRAW_PAINT_CLASSES:
        break;
    }
    return (block){draw_classes, plot, 0, 0};
}

static bool is_shown(const dgmi_draw_plot *plot) {
    return plot->panel->kind == DGMI_DRAW_PANEL_VIEW && plot->panel->view->marks > 0;
}

/* The first panel of that kind that shows something, or NULL. */
static const dgmi_draw_plot *first_of(const dgmi_draw_page *page, dgm_view_kind kind) {
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->view->kind == kind)
            return &page->plots[i];
    return NULL;
}

static bool widths_are_new(const dgmi_draw_page *page, int64_t plot) {
    for (int64_t i = 0; i < plot; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->view->link_count &&
            widths_alike(&page->plots[i], &page->plots[plot]))
            return false;
    return widths_alike(&page->plots[plot], &page->plots[plot]);
}

/* Colours first, then sizes and widths, then the rest: at most two a plot and three more. */
static int64_t list_blocks(const dgmi_draw_page *page, block *blocks) {
    int64_t count = 0;
    const dgmi_draw_plot *summary = first_of(page, DGM_VIEW_SUMMARY);
    const dgmi_draw_plot *graph = first_of(page, DGM_VIEW_GRAPH);
    const dgmi_draw_plot *points = first_of(page, DGM_VIEW_POINTS);
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_draw_plot *plot = &page->plots[i];
        if (is_shown(plot) && plot->first_alike == i && plot->paint.title[0])
            blocks[count++] = colour_block(plot);
    }
    if (summary)
        blocks[count++] = (block){sizes_alike(page) ? draw_one_size : draw_sizes, summary, 0, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && widths_are_new(page, i))
            blocks[count++] = (block){draw_widths, &page->plots[i], 0, 0};
    if (graph || points)
        blocks[count++] = (block){draw_nodes, graph ? graph : points, 0, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->ringed_count) {
            blocks[count++] = (block){draw_ring, &page->plots[i], 0, 0};
            break;
        }
    return count;
}

/* What the plot's list of classes takes, in as many columns as it would like; 0: there is none. */
static double list_width(const dgmi_draw_page *page, const dgmi_draw_plot *plot, bool across) {
    class_list list;
    list_classes(page, plot, &list);
    int64_t columns = across && list.count ? (list.count + FEW - 1) / FEW : 1;
    return list.count ? (entry_width(&list) + COLUMN_GAP) * (double)columns - COLUMN_GAP : 0;
}

double dgmi_draw_legend_width(const dgmi_draw_page *page) {
    double width = 0;
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->kind == DGMI_DRAW_PANEL_VIEW && page->plots[i].first_alike == i)
            width = fmax(width, list_width(page, &page->plots[i], false));
    return width;
}

static double sizes_width(const dgmi_draw_page *page) {
    sample samples[3];
    double width = page->options->style == DGM_STYLE_PAPER ? 26 : 15;
    int count = sample_sizes(page, samples);
    for (int i = 0; i < count; i++) {
        char text[SIZE_SPACE];
        size_words(page, &samples[i], text);
        width = fmax(width, 2 * samples[0].radius + 2.8 +
                                dgmi_draw_text_width(text, DGMI_DRAW_SMALL, false));
    }
    return width;
}

static double block_width(const dgmi_draw_page *page, const block *own) {
    const dgmi_draw_paint *paint = &own->plot->paint;
    if (own->draw == draw_sizes)
        return sizes_width(page);
    if (own->draw == draw_widths)
        return 24.5;
    if (own->draw == draw_nodes)
        return 40;
    if (own->draw == draw_ring || own->draw == draw_one_size)
        return 31;
    return fmax(fmax(BLOCK, list_width(page, own->plot, true)),
                fmin(dgmi_draw_text_width(paint->title, DGMI_DRAW_SMALL, true), HEADING));
}

static double draw_under(dgmi_draw_page *page, const block *blocks, int64_t count, double x,
                         double y, double width) {
    double at = y;
    for (int64_t i = 0; i < count; i++)
        at += blocks[i].draw(page, blocks[i].plot, x, at, width) + GAP;
    return at - y;
}

/* A column of blocks, in a row of them under the panels. */
typedef struct {
    double width, height;
} column;

static void measure_blocks(dgmi_draw_page *page, block *blocks, int64_t count, double width) {
    dgmi_draw_list *kept = page->list, spare;
    dgmi_draw_list_init(&spare, page->ctx);
    page->list = &spare;
    for (int64_t i = 0; i < count; i++) {
        blocks[i].width = fmin(block_width(page, &blocks[i]), width);
        blocks[i].height = blocks[i].draw(page, blocks[i].plot, 0, 0, blocks[i].width);
    }
    if (spare.status != DGM_OK)
        kept->status = spare.status;
    page->list = kept;
    dgmi_draw_list_free(&spare);
}

/* The lowest column that the block may stand under without making the row too wide, or -1. */
static int64_t find_column(const column *columns, int64_t count, const block *own, double left) {
    int64_t best = -1;
    for (int64_t c = 0; c < count; c++)
        if (own->width <= columns[c].width + left &&
            (best < 0 || columns[c].height < columns[best].height))
            best = c;
    return best;
}

/* As many blocks as fit stand beside each other in a row, the others under those that leave room;
 * what is left of the width is between them. Returns the first block of the next row. */
static int64_t fill_row(const block *blocks, int64_t first, int64_t count, double width,
                        column *columns, int64_t *column_count, int64_t *column_of) {
    double left = width + GAP;
    *column_count = 0;
    for (int64_t i = first; i < count; i++) {
        int64_t c = *column_count;
        if (GAP + blocks[i].width <= left) { /* no block is wider than the row */
            columns[(*column_count)++] = (column){blocks[i].width, blocks[i].height};
            left -= GAP + blocks[i].width;
        } else if ((c = find_column(columns, c, &blocks[i], left)) >= 0) {
            double wider = fmax(blocks[i].width - columns[c].width, 0);
            left -= wider;
            columns[c].width += wider;
            columns[c].height += GAP + blocks[i].height;
        } else {
            return i;
        }
        column_of[i] = c;
    }
    return count;
}

static double draw_row(dgmi_draw_page *page, const block *blocks, int64_t first, int64_t last,
                       const column *columns, int64_t column_count, const int64_t *column_of,
                       double x, double y, double width) {
    double used = -GAP, at_x = x, row = 0;
    for (int64_t c = 0; c < column_count; c++)
        used += GAP + columns[c].width;
    for (int64_t c = 0; c < column_count; c++) {
        double at_y = y;
        for (int64_t i = first; i < last; i++)
            if (column_of[i] == c)
                at_y += blocks[i].draw(page, blocks[i].plot, at_x, at_y, columns[c].width) + GAP;
        at_x += columns[c].width + GAP + (width - used) / (double)column_count;
        row = fmax(row, at_y - y);
    }
    return row;
}

static double draw_across(dgmi_draw_page *page, block *blocks, int64_t count, double x, double y,
                          double width) {
    double at_y = y;
    column *columns = dgmi_scratch(page->ctx, count + 1, sizeof *columns);
    int64_t *column_of = dgmi_scratch(page->ctx, count + 1, sizeof *column_of), column_count;
    if (!columns || !column_of) {
        page->list->status = DGM_ERROR_MEMORY;
        return 0;
    }
    measure_blocks(page, blocks, count, width);
    for (int64_t first = 0, last; first < count; first = last) {
        last = fill_row(blocks, first, count, width, columns, &column_count, column_of);
        at_y +=
            draw_row(page, blocks, first, last, columns, column_count, column_of, x, at_y, width);
    }
    return at_y - y;
}

double dgmi_draw_legend_draw(dgmi_draw_page *page, double x, double y, double width, bool across) {
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    block *blocks = dgmi_scratch(page->ctx, 5 * page->count + 1, sizeof *blocks);
    int64_t count = blocks ? list_blocks(page, blocks) : 0;
    if (!blocks)
        page->list->status = DGM_ERROR_MEMORY;
    dgmi_draw_list_open(page->list, "legend");
    page->across = across;
    double height = across ? draw_across(page, blocks, count, x, y, width)
                           : draw_under(page, blocks, count, x, y, width);
    dgmi_draw_list_close(page->list);
    dgmi_arena_release(page->ctx, hold);
    return height - (count ? GAP : 0);
}
