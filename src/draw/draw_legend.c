/* SPDX-License-Identifier: Apache-2.0 */
/* The legend: what colour, size and width mean. Blocks stand under one another, or side by side
 * under the panels of a narrow figure.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_memory.h"

#define GAP    2.6  /* mm between blocks */
#define BAR    20.0 /* mm, height of a colour bar */
#define BLOCK  31.0 /* mm, width of a block where they stand side by side */
#define SWATCH 2.2
#define SQUARE 14.0
enum { SHADES = 48, SQUARES = 14 };

/* A block draws itself at (x, y) and returns its height. */
typedef struct {
    double (*draw)(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width);
    const dgmi_plot *plot;
} block;

static double heading(dgmi_page *page, double x, double y, double width, const char *text) {
    return dgmi_words_wrap(page->list, x, y, width, DGMI_SMALL, true, page->look.ink, text) + 0.8;
}

static void small_text(dgmi_page *page, double x, double y, dgmi_anchor anchor, dgmi_colour ink,
                       const char *text) {
    /* y is the middle of the line */
    dgmi_list_text(page->list, x, y + DGMI_SMALL * DGMI_POINT * 0.35, DGMI_SMALL, anchor, ink,
                   text);
}

/* ---- colour ---- */

static double draw_unknown(dgmi_page *page, const dgmi_plot *plot, double x, double y) {
    char text[96], count[DGMI_WORDS_SPACE];
    if (plot->paint.unknown == 0)
        return 0;
    dgmi_list_rect(page->list, x, y + 1, SWATCH, SWATCH, dgmi_unknown_colour(page->options->theme));
    snprintf(text, sizeof text, "no value (%s)", dgmi_words_count(plot->paint.unknown, count));
    small_text(page, x + SWATCH + 1.2, y + 1 + SWATCH / 2, DGMI_ANCHOR_START, page->look.faint,
               text);
    return DGMI_LINE + 1;
}

static double ramp_share(const dgmi_paint_scale *scale, double value) {
    double low = scale->low[0], high = scale->high[0];
    return high > low ? (value - low) / (high - low) : 0.5;
}

/* A share of the bar's height as a place on the colormap: the middle of a centred map is where its
 * threshold stands. */
static double map_share(const dgmi_paint_scale *scale, double share) {
    if (!scale->centred)
        return share;
    double middle = ramp_share(scale, scale->middle);
    if (share < middle)
        return middle > 0 ? 0.5 * share / middle : 0.5;
    return middle < 1 ? 0.5 + 0.5 * (share - middle) / (1 - middle) : 0.5;
}

static double draw_ramp(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width) {
    const dgmi_paint *paint = &plot->paint;
    const dgmi_paint_scale *scale = &paint->scale;
    double top = y + heading(page, x, y, width, paint->title) + 0.8;
    for (int i = 0; i < SHADES; i++) /* a little overlap leaves no seams */
        dgmi_list_rect(page->list, x, top + BAR * i / SHADES, 3,
                       BAR / SHADES + (i + 1 < SHADES ? 0.1 : 0),
                       dgmi_colormap_at(paint->map, map_share(scale, 1 - (i + 0.5) / SHADES)));
    double ticks[8];
    int count = dgmi_words_ticks(scale->low[0], scale->high[0], 5, ticks);
    for (int i = 0; i < count; i++) {
        char text[DGMI_WORDS_SPACE];
        double share = ramp_share(scale, ticks[i]), at = top + BAR * (1 - share);
        dgmi_list_line(page->list, x + 3, at, x + 3.8, at, 0.15, page->look.ink);
        small_text(page, x + 4.6, at, DGMI_ANCHOR_START, page->look.ink,
                   dgmi_words_number(ticks[i], text));
    }
    double end = top + BAR + 1.2;
    return end + draw_unknown(page, plot, x, end) - y;
}

static double draw_square(dgmi_page *page, const dgmi_plot *plot, double x, double y,
                          double width) {
    const dgmi_paint *paint = &plot->paint;
    double top = y + heading(page, x, y, width, paint->title) + 0.8, left = x + DGMI_LINE;
    double side = SQUARE / SQUARES;
    for (int i = 0; i < SQUARES; i++)
        for (int j = 0; j < SQUARES; j++)
            dgmi_list_rect(
                page->list, left + j * side, top + i * side, side + (j + 1 < SQUARES ? 0.1 : 0),
                side + (i + 1 < SQUARES ? 0.1 : 0),
                dgmi_square_at(page->options->style, (j + 0.5) / SQUARES, 1 - (i + 0.5) / SQUARES));
    char fitted[96];
    dgmi_list_text(
        page->list, left + SQUARE / 2, top + SQUARE + 2.9, DGMI_SMALL, DGMI_ANCHOR_MIDDLE,
        page->look.ink,
        dgmi_text_fit(paint->axes[0], DGMI_SMALL, false, SQUARE + 6, fitted, sizeof fitted));
    dgmi_item *item = dgmi_list_text(
        page->list, left - 1, top + SQUARE / 2, DGMI_SMALL, DGMI_ANCHOR_MIDDLE, page->look.ink,
        dgmi_text_fit(paint->axes[1], DGMI_SMALL, false, SQUARE + 6, fitted, sizeof fitted));
    item->b = -90;
    double end = top + SQUARE + 4;
    return end + draw_unknown(page, plot, x, end) - y;
}

static double draw_classes(dgmi_page *page, const dgmi_plot *plot, double x, double y,
                           double width) {
    const dgmi_paint *paint = &plot->paint;
    double at = y + heading(page, x, y, width, paint->title);
    for (int64_t e = 0; e < paint->entry_count; e++) {
        const dgmi_class_entry *entry = &paint->entries[e];
        char count[DGMI_WORDS_SPACE], name[160];
        dgmi_words_count(entry->members, count);
        double room = width - SWATCH - 1.2 - dgmi_text_width(count, DGMI_SMALL, false) - 1.5;
        dgmi_item *swatch =
            dgmi_list_disc(page->list, x + SWATCH / 2, at + 1.5, SWATCH / 2, entry->colour);
        swatch->stroked = true;
        swatch->stroke = dgmi_colour_mix(entry->colour, page->look.ink, 0.45);
        swatch->width = 0.12;
        small_text(page, x + SWATCH + 1.2, at + 1.5, DGMI_ANCHOR_START, page->look.ink,
                   dgmi_text_fit(entry->name, DGMI_SMALL, false, room, name, sizeof name));
        small_text(page, x + width, at + 1.5, DGMI_ANCHOR_END, page->look.faint, count);
        at += DGMI_LINE;
    }
    return at - y;
}

/* ---- size and width ---- */

/* The marks of the smallest and the largest size, and of one whose radius lies between. */
static int sample_marks(const dgmi_plot *plot, int64_t samples[3]) {
    const dgm_view *view = plot->panel->view;
    int64_t least = 0, most = 0, between = -1;
    for (int64_t m = 1; m < view->marks; m++) {
        if (view->size[m] < view->size[least])
            least = m;
        if (view->size[m] > view->size[most])
            most = m;
    }
    double middle = (plot->radius[least] + plot->radius[most]) / 2, nearest = INFINITY;
    for (int64_t m = 0; m < view->marks; m++) {
        double away = fabs(plot->radius[m] - middle);
        if (away < nearest && view->size[m] != view->size[least] &&
            view->size[m] != view->size[most]) {
            nearest = away;
            between = m;
        }
    }
    int count = 0;
    samples[count++] = most;
    if (between >= 0)
        samples[count++] = between;
    if (view->size[least] != view->size[most])
        samples[count++] = least;
    return count;
}

static double draw_sizes(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width) {
    const dgm_view *view = plot->panel->view;
    int64_t samples[3];
    int count = sample_marks(plot, samples);
    double at = y + heading(page, x, y, width,
                            page->options->style == DGM_STYLE_PAPER
                                ? "size: nodes (area as the square root)"
                                : "size: nodes");
    double widest = fmax(plot->radius[samples[0]] * plot->frame.scale, SWATCH / 2);
    for (int i = 0; i < count; i++) {
        double radius = fmax(plot->radius[samples[i]] * plot->frame.scale, 0.18);
        double half = fmax(radius, DGMI_LINE / 2);
        char text[DGMI_WORDS_SPACE];
        dgmi_item *disc =
            dgmi_list_disc(page->list, x + widest, at + half, radius, page->look.ground);
        disc->filled = false;
        disc->stroked = true;
        disc->stroke = page->look.faint;
        disc->width = 0.2;
        small_text(page, x + 2 * widest + 1.2, at + half, DGMI_ANCHOR_START, page->look.ink,
                   dgmi_words_count(view->size[samples[i]], text));
        at += 2 * half + 0.5;
    }
    return at - y;
}

/* What weight 1 stands for, if weights are as the counts of shared nodes or graph edges; 0
 * otherwise. */
static int64_t largest_strength(const dgm_view *view) {
    int64_t largest = 0;
    for (int64_t i = 0; i < view->link_count; i++) {
        int64_t strength = view->structural ? view->links[i].links : view->links[i].shared;
        largest = strength > largest ? strength : largest;
    }
    for (int64_t i = 0; i < view->link_count && largest; i++) {
        int64_t strength = view->structural ? view->links[i].links : view->links[i].shared;
        if (fabs((double)strength / (double)largest - view->links[i].weight) > 1e-6)
            return 0;
    }
    return largest;
}

static double draw_widths(dgmi_page *page, const dgmi_plot *plot, double x, double y,
                          double width) {
    const dgm_view *view = plot->panel->view;
    int64_t largest = largest_strength(view);
    double at = y + heading(page, x, y, width,
                            !largest           ? "width: weight"
                            : view->structural ? "width: graph edges"
                                               : "width: shared nodes");
    double least = 1;
    for (int64_t i = 0; i < view->link_count; i++)
        least = fmin(least, view->links[i].weight);
    double before = -1;
    for (int i = 0; i < 3; i++) {
        double weight = i == 0 ? 1 : i == 2 ? least : (1 + least) / 2;
        char text[DGMI_WORDS_SPACE];
        double value = largest ? round(weight * (double)largest) : weight;
        if (value == before)
            continue;
        before = value;
        dgmi_item *line = dgmi_list_line(
            page->list, x + 0.6, at + 1.5, x + 7, at + 1.5,
            dgmi_link_width(view, largest ? value / (double)largest : weight), page->look.link);
        line->opacity = 0.8;
        if (largest)
            dgmi_words_count((int64_t)value, text);
        else
            dgmi_words_number(value, text);
        small_text(page, x + 8.2, at + 1.5, DGMI_ANCHOR_START, page->look.ink, text);
        at += DGMI_LINE;
    }
    return at - y;
}

static double draw_ring(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width) {
    (void)plot;
    dgmi_item *ring = dgmi_list_disc(page->list, x + 1.5, y + 1.6, 1.3, page->look.ring);
    ring->filled = false;
    ring->stroked = true;
    ring->stroke = page->look.ring;
    ring->width = 0.45;
    return fmax(DGMI_LINE, dgmi_words_wrap(page->list, x + 4.2, y + 0.2, width - 4.2, DGMI_SMALL,
                                           false, page->look.ink, "they disagree most"));
}

static double draw_nodes(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width) {
    const dgm_view *view = plot->panel->view;
    return dgmi_words_wrap(page->list, x, y, width, DGMI_SMALL, false, page->look.faint,
                           view->kind == DGM_VIEW_GRAPH ? "a dot is a node, a line an edge"
                                                        : "a dot is a node");
}

/* ---- the whole ---- */

/* At most four blocks a plot. */
static int64_t list_blocks(const dgmi_page *page, block *blocks) {
    int64_t count = 0;
    bool ring = false;
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_PANEL_VIEW || plot->panel->view->marks == 0)
            continue;
        if (plot->first_alike == i)
            blocks[count++] = (block){plot->paint.scale.kind == DGMI_PAINT_RAMP     ? draw_ramp
                                      : plot->paint.scale.kind == DGMI_PAINT_SQUARE ? draw_square
                                                                                    : draw_classes,
                                      plot};
        bool summary = plot->panel->view->kind == DGM_VIEW_SUMMARY;
        if (plot->first_framed == i && summary)
            blocks[count++] = (block){draw_sizes, plot};
        if (plot->first_framed == i && summary && plot->panel->view->link_count)
            blocks[count++] = (block){draw_widths, plot};
        if (plot->first_framed == i && !summary)
            blocks[count++] = (block){draw_nodes, plot};
        if (plot->panel->ringed_count && !ring) {
            blocks[count++] = (block){draw_ring, plot};
            ring = true;
        }
    }
    return count;
}

double dgmi_legend_draw(dgmi_page *page, double x, double y, double width, bool across) {
    dgmi_mark mark = dgmi_arena_mark(page->ctx);
    block *blocks = dgmi_scratch(page->ctx, 5 * page->count + 1, sizeof *blocks);
    double at_x = x, at_y = y, row = 0;
    int64_t count = blocks ? list_blocks(page, blocks) : 0;
    if (!blocks)
        page->list->status = DGM_ERROR_MEMORY;
    dgmi_list_open(page->list, "legend");
    for (int64_t i = 0; i < count; i++) {
        double step = across ? fmin(BLOCK, width) : width;
        if (across && at_x > x && at_x + step > x + width + 0.1) {
            at_x = x;
            at_y += row;
            row = 0;
        }
        double height =
            blocks[i].draw(page, blocks[i].plot, at_x, at_y, step - (across ? 2 : 0)) + GAP;
        row = fmax(row, height);
        if (across) {
            at_x += step;
        } else {
            at_y += height;
            row = 0;
        }
    }
    dgmi_list_close(page->list);
    dgmi_arena_release(page->ctx, mark);
    return at_y + row - y - (count ? GAP : 0);
}
