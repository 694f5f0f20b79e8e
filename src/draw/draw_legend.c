/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the legend, which tells what colours, sizes and widths mean. Its blocks stand one under the
 * other, or side by side under the panels of a narrow figure.
 */
#include "draw_legend.h"

#include <math.h>

#include "base_memory.h"

#define GAP     2.6  /* mm between blocks */
#define BLOCK   22.0 /* mm, the least width of colours where blocks stand side by side */
#define HEADING 36.0 /* mm, from which headings there are broken into lines */

typedef struct {
    dgmi_draw_legend_block *draw;
    const dgmi_draw_plot *plot;
    double width, height; /* that it would like to have beside others */
} block;

double dgmi_draw_legend_heading(dgmi_draw_page *page, double x, double y, double width,
                                const char *text) {
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, true, page->look.ink,
                                text) +
           0.8;
}

void dgmi_draw_legend_text(dgmi_draw_page *page, double x, double y, dgmi_draw_anchor anchor,
                           dgmi_draw_colour ink, const char *text) {
    dgmi_draw_list_text(page->list, x, y + DGMI_DRAW_SMALL * DGMI_DRAW_POINT * 0.35,
                        DGMI_DRAW_SMALL, anchor, ink, text);
}

static block colour_block(const dgmi_draw_plot *plot) {
    switch (plot->paint.scale.kind) {
    case DGMI_DRAW_PAINT_RAMP:
        return (block){dgmi_draw_legend_ramp, plot, 0, 0};
    case DGMI_DRAW_PAINT_SQUARE:
        return (block){dgmi_draw_legend_square, plot, 0, 0};
    case DGMI_DRAW_PAINT_CLASSES:
        break;
    }
    return (block){dgmi_draw_legend_classes, plot, 0, 0};
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

/* Links of piles have no width that says something. */
static bool has_widths(const dgm_view *view) {
    return view->link_count > view->dust_links;
}

static bool widths_are_new(const dgmi_draw_page *page, int64_t plot) {
    for (int64_t i = 0; i < plot; i++)
        if (is_shown(&page->plots[i]) && has_widths(page->plots[i].panel->view) &&
            dgmi_draw_legend_widths_alike(&page->plots[i], &page->plots[plot]))
            return false;
    return dgmi_draw_legend_widths_alike(&page->plots[plot], &page->plots[plot]);
}

static bool shows_dust(const dgmi_draw_plot *plot) {
    return is_shown(plot) && plot->panel->view->dust && !plot->panel->view->dust_dropped;
}

/* Colours first, then sizes and widths, then the rest: at most two a plot and four more. */
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
        blocks[count++] = (block){dgmi_draw_legend_sizes_alike(page) ? dgmi_draw_legend_one_size
                                                                     : dgmi_draw_legend_sizes,
                                  summary, 0, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && widths_are_new(page, i))
            blocks[count++] = (block){dgmi_draw_legend_widths, &page->plots[i], 0, 0};
    if (graph || points)
        blocks[count++] = (block){dgmi_draw_legend_nodes, graph ? graph : points, 0, 0};
    for (int64_t i = 0; i < page->count; i++)
        if (is_shown(&page->plots[i]) && page->plots[i].panel->ringed_count) {
            blocks[count++] = (block){dgmi_draw_legend_ring, &page->plots[i], 0, 0};
            break;
        }
    for (int64_t i = 0; i < page->count; i++)
        if (shows_dust(&page->plots[i])) {
            blocks[count++] = (block){dgmi_draw_legend_dust, &page->plots[i], 0, 0};
            break;
        }
    return count;
}

double dgmi_draw_legend_width(const dgmi_draw_page *page) {
    double width = 0;
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->kind == DGMI_DRAW_PANEL_VIEW && page->plots[i].first_alike == i)
            width = fmax(width, dgmi_draw_legend_classes_width(page, &page->plots[i], false));
    return width;
}

static double block_width(const dgmi_draw_page *page, const block *own) {
    const dgmi_draw_paint *paint = &own->plot->paint;
    if (own->draw == dgmi_draw_legend_sizes)
        return dgmi_draw_legend_sizes_width(page);
    if (own->draw == dgmi_draw_legend_widths)
        return 24.5;
    if (own->draw == dgmi_draw_legend_nodes)
        return 40;
    if (own->draw == dgmi_draw_legend_ring || own->draw == dgmi_draw_legend_dust ||
        own->draw == dgmi_draw_legend_one_size)
        return 31;
    return fmax(fmax(BLOCK, dgmi_draw_legend_classes_width(page, own->plot, true)),
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
    block *blocks = dgmi_scratch(page->ctx, 2 * page->count + 4, sizeof *blocks);
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
