/* SPDX-License-Identifier: Apache-2.0 */
/* The legend: what colour, size and width mean. Blocks stand under one another, or side by side
 * under the panels of a narrow figure.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_memory.h"

#define GAP     2.6  /* mm between blocks */
#define BAR     20.0 /* mm, height of a colour bar */
#define BLOCK   22.0 /* mm, the least width of colours where blocks stand side by side */
#define HEADING 36.0 /* mm, from which headings there are broken into lines */
#define SWATCH  2.2
#define SQUARE  14.0
enum { SHADES = 48, SQUARES = 18 };

/* A block draws itself at (x, y) and returns its height. */
typedef struct {
    double (*draw)(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width);
    const dgmi_plot *plot;
    double width; /* that it would like to have beside others */
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
    snprintf(text, sizeof text, "no value (%s)", dgmi_view_count(plot->paint.unknown, count));
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
    for (int i = 0; i < SHADES; i++) /* each reaches under the next: no seams */
        dgmi_list_rect(page->list, x, top + BAR * i / SHADES, 3,
                       BAR / SHADES * (i + 1 < SHADES ? 2 : 1),
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
        dgmi_view_count(entry->members, count);
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

/* A summary's links and another's mean the same by their widths. */
static bool widths_alike(const dgmi_plot *a, const dgmi_plot *b) {
    const dgm_view *p = a->panel->view, *q = b->panel->view;
    return p->kind == DGM_VIEW_SUMMARY && q->kind == DGM_VIEW_SUMMARY && q->link_count > 0 &&
           p->structural == q->structural && !a->heaviest == !b->heaviest;
}

typedef struct {
    int64_t size;
    double radius; /* mm */
} sample;

/* Walks over the clusters of all panels; start with {0}. False at the end. */
typedef struct {
    int64_t plot, mark;
} sample_cursor;

static bool next_sample(const dgmi_page *page, sample_cursor *at, sample *out) {
    for (; at->plot < page->count; at->plot++, at->mark = 0) {
        const dgmi_plot *plot = &page->plots[at->plot];
        const dgm_view *view = plot->panel->view;
        if (plot->panel->kind != DGMI_PANEL_VIEW || view->kind != DGM_VIEW_SUMMARY ||
            at->mark == view->marks)
            continue;
        *out = (sample){view->size[at->mark], dgmi_mark_radius(plot, at->mark)};
        at->mark++;
        return true;
    }
    return false;
}

/* A cluster of another size than both, its radius nearest to the middle of theirs; size 0: none. */
static sample sample_between(const dgmi_page *page, sample most, sample least) {
    sample found = {0, 0}, own;
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

/* The largest cluster of the figure, the smallest, and one between them; how many there are. */
static int sample_sizes(const dgmi_page *page, sample samples[3]) {
    sample most = {0, 0}, least = {INT64_MAX, 0}, own;
    for (sample_cursor at = {0, 0}; next_sample(page, &at, &own);) {
        most = own.size > most.size ? own : most;
        least = own.size < least.size ? own : least;
    }
    int count = 0;
    sample between = sample_between(page, most, least);
    samples[count++] = most;
    if (between.size > 0)
        samples[count++] = between;
    if (least.size != most.size)
        samples[count++] = least;
    return count;
}

static double draw_sizes(dgmi_page *page, const dgmi_plot *plot, double x, double y, double width) {
    (void)plot; /* sizes mean the same in every panel */
    sample samples[3];
    int count = sample_sizes(page, samples);
    double at = y + heading(page, x, y, width,
                            page->options->style == DGM_STYLE_PAPER
                                ? "size: nodes (area as the square root)"
                                : "size: nodes");
    double widest = fmax(samples[0].radius, SWATCH / 2);
    char least[DGMI_WORDS_SPACE], text[2 * DGMI_WORDS_SPACE + 8];
    dgmi_view_count(samples[count - 1].size, least);
    bool alike = samples[0].radius - samples[count - 1].radius < 0.02; /* all as small as can be */
    for (int i = 0; i < (alike ? 1 : count); i++) {
        double half = fmax(samples[i].radius, DGMI_LINE / 2);
        char size[DGMI_WORDS_SPACE];
        dgmi_view_count(samples[i].size, size);
        snprintf(text, sizeof text, "%s%s%s", alike && count > 1 ? least : "",
                 alike && count > 1 ? " to " : "", size);
        dgmi_item *disc =
            dgmi_list_disc(page->list, x + widest, at + half, samples[i].radius, page->look.ground);
        disc->filled = false;
        disc->stroked = true;
        disc->stroke = page->look.faint;
        disc->width = 0.2;
        small_text(page, x + 2 * widest + 1.2, at + half, DGMI_ANCHOR_START, page->look.ink, text);
        at += 2 * half + 0.5;
    }
    return at - y;
}

/* The smallest weight among the links, as a share of the widest that the figure has. */
static double least_share(const dgmi_page *page, const dgmi_plot *plot) {
    double least = 1;
    for (int64_t p = 0; p < page->count; p++) {
        const dgmi_plot *other = &page->plots[p];
        if (other->panel->kind != DGMI_PANEL_VIEW || !widths_alike(plot, other))
            continue;
        double share = plot->heaviest ? (double)other->heaviest / (double)plot->widest : 1;
        for (int64_t i = 0; i < other->panel->view->link_count; i++)
            least = fmin(least, other->panel->view->links[i].weight * share);
    }
    return least;
}

static double draw_widths(dgmi_page *page, const dgmi_plot *plot, double x, double y,
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
        char text[DGMI_WORDS_SPACE];
        if (value == before)
            continue;
        before = value;
        double weight = plot->heaviest ? value / (double)plot->heaviest : value;
        dgmi_item *line = dgmi_list_line(page->list, x + 0.6, at + 1.5, x + 7, at + 1.5,
                                         dgmi_link_width(plot, weight), page->look.link);
        line->opacity = 0.8;
        if (plot->heaviest)
            dgmi_view_count((int64_t)value, text);
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
                           : view->source[0]            ? "a dot is a node"
                                                        : "a dot is a point");
}

/* ---- the whole ---- */

static block colour_block(const dgmi_plot *plot) {
    switch (plot->paint.scale.kind) {
    case DGMI_PAINT_RAMP:
        return (block){draw_ramp, plot, 0};
    case DGMI_PAINT_SQUARE:
        return (block){draw_square, plot, 0};
    case DGMI_PAINT_CLASSES:
        break;
    }
    return (block){draw_classes, plot, 0};
}

static bool is_shown(const dgmi_plot *plot) {
    return plot->panel->kind == DGMI_PANEL_VIEW && plot->panel->view->marks > 0;
}

/* The first panel of that kind that shows something, or NULL. */
static const dgmi_plot *first_of(const dgmi_page *page, dgm_view_kind kind) {
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->view->kind == kind)
            return &page->plots[i];
    return NULL;
}

static bool widths_are_new(const dgmi_page *page, int64_t plot) {
    for (int64_t i = 0; i < plot; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->view->link_count &&
            widths_alike(&page->plots[i], &page->plots[plot]))
            return false;
    return widths_alike(&page->plots[plot], &page->plots[plot]);
}

/* Colours first, then sizes and widths, then the rest: at most two a plot and three more. */
static int64_t list_blocks(const dgmi_page *page, block *blocks) {
    int64_t count = 0;
    const dgmi_plot *summary = first_of(page, DGM_VIEW_SUMMARY);
    const dgmi_plot *graph = first_of(page, DGM_VIEW_GRAPH);
    const dgmi_plot *points = first_of(page, DGM_VIEW_POINTS);
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_plot *plot = &page->plots[i];
        if (is_shown(plot) && plot->first_alike == i && plot->paint.title[0])
            blocks[count++] = colour_block(plot);
    }
    if (summary)
        blocks[count++] = (block){draw_sizes, summary, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && widths_are_new(page, i))
            blocks[count++] = (block){draw_widths, &page->plots[i], 0};
    if (graph || points)
        blocks[count++] = (block){draw_nodes, graph ? graph : points, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->ringed_count) {
            blocks[count++] = (block){draw_ring, &page->plots[i], 0};
            break;
        }
    return count;
}

/* What the longest entry of a list of classes takes with its count; 0: there is no list. */
static double entries_width(const dgmi_paint *paint) {
    double width = 0;
    for (int64_t e = 0; e < paint->entry_count; e++) {
        char count[DGMI_WORDS_SPACE];
        dgmi_view_count(paint->entries[e].members, count);
        width = fmax(width, dgmi_text_width(paint->entries[e].name, DGMI_SMALL, false) +
                                dgmi_text_width(count, DGMI_SMALL, false) + SWATCH + 3.5);
    }
    return width;
}

double dgmi_legend_width(const dgmi_page *page) {
    double width = 0;
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->kind == DGMI_PANEL_VIEW)
            width = fmax(width, entries_width(&page->plots[i].paint));
    return width;
}

static double block_width(const dgmi_page *page, const block *own) {
    const dgmi_paint *paint = &own->plot->paint;
    if (own->draw == draw_sizes)
        return page->options->style == DGM_STYLE_PAPER ? 26 : 15;
    if (own->draw == draw_widths)
        return 24.5;
    if (own->draw == draw_ring || own->draw == draw_nodes)
        return 31;
    return fmax(fmax(BLOCK, entries_width(paint)),
                fmin(dgmi_text_width(paint->title, DGMI_SMALL, true), HEADING));
}

static double draw_under(dgmi_page *page, const block *blocks, int64_t count, double x, double y,
                         double width) {
    double at = y;
    for (int64_t i = 0; i < count; i++)
        at += blocks[i].draw(page, blocks[i].plot, x, at, width) + GAP;
    return at - y;
}

/* As many blocks as fit stand in a row, what is left of its width between them. */
static double draw_across(dgmi_page *page, block *blocks, int64_t count, double x, double y,
                          double width) {
    double at_y = y;
    for (int64_t i = 0; i < count; i++)
        blocks[i].width = fmin(block_width(page, &blocks[i]), width);
    for (int64_t first = 0, last; first < count; first = last) {
        double used = blocks[first].width, row = 0, at_x = x;
        for (last = first + 1; last < count && used + GAP + blocks[last].width <= width; last++)
            used += GAP + blocks[last].width;
        double between = GAP + (width - used) / (double)(last - first);
        for (int64_t i = first; i < last; i++) {
            row = fmax(row, blocks[i].draw(page, blocks[i].plot, at_x, at_y, blocks[i].width));
            at_x += blocks[i].width + between;
        }
        at_y += row + GAP;
    }
    return at_y - y;
}

double dgmi_legend_draw(dgmi_page *page, double x, double y, double width, bool across) {
    dgmi_mark mark = dgmi_arena_mark(page->ctx);
    block *blocks = dgmi_scratch(page->ctx, 5 * page->count + 1, sizeof *blocks);
    int64_t count = blocks ? list_blocks(page, blocks) : 0;
    if (!blocks)
        page->list->status = DGM_ERROR_MEMORY;
    dgmi_list_open(page->list, "legend");
    double height = across ? draw_across(page, blocks, count, x, y, width)
                           : draw_under(page, blocks, count, x, y, width);
    dgmi_list_close(page->list);
    dgmi_arena_release(page->ctx, mark);
    return height - (count ? GAP : 0);
}
