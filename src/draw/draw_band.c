/* SPDX-License-Identifier: Apache-2.0 */
/* Draws bands: translucent strips across a panel, such as the intervals of a cover of heights. At the
 * right end of each stands a bar of its height, and its name. Bars of bands that overlap stand side
 * by side, so that both ends of each can be seen. */
#include "draw_figure.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"

#define BAR     1.0  /* mm, the width of a bar */
#define BETWEEN 0.5  /* mm from the strip to the first bar, from bar to bar and to the names */
#define LONGEST 20.0 /* mm, of a name */
#define EDGE    0.15 /* mm, the width of the lines at both ends of a strip */
enum { NAME_SPACE = 256 };

/* A band on the page, as far as the panel goes. */
typedef struct {
    double top, bottom; /* mm */
    const dgmi_draw_band *band;
} strip;

/* ---- room ---- */

static double bars_width(const dgmi_draw_panel *panel) {
    int64_t columns = 0;
    for (int64_t i = 0; i < panel->band_count; i++)
        columns = panel->bands[i].column >= columns ? panel->bands[i].column + 1 : columns;
    return (double)columns * (BETWEEN + BAR);
}

dgmi_draw_room dgmi_draw_band_room(const dgmi_draw_panel *panel) {
    double name = 0;
    for (int64_t i = 0; i < panel->band_count; i++)
        if (panel->bands[i].name)
            name = fmax(name, dgmi_draw_text_width(panel->bands[i].name, DGMI_DRAW_SMALL, false));
    double right = bars_width(panel) + (name > 0 ? BETWEEN + fmin(name, LONGEST) : 0);
    return (dgmi_draw_room){0, right, 0, 0};
}

/* ---- drawing ---- */

static dgmi_draw_colour colour_of(const dgmi_draw_page *page, const dgmi_draw_band *band) {
    return dgmi_draw_class_colour(page->options->style, page->options->theme,
                                  (int)(band->colour % DGMI_DRAW_CLASS_COLOURS));
}

static dgmi_draw_colour ink_of(const dgmi_draw_page *page, const dgmi_draw_band *band) {
    return dgmi_draw_colour_mix(colour_of(page, band), page->look.ink, 0.25);
}

/* From the top of the page downwards. */
static int compare_strips(const void *a, const void *b) {
    const strip *p = a, *q = b;
    double above = p->top + p->bottom, below = q->top + q->bottom;
    if (above != below)
        return above < below ? -1 : 1;
    return (p->band > q->band) - (p->band < q->band);
}

/* The bands that the panel shows a part of, sorted; returns how many. */
static int64_t find_strips(const dgmi_draw_plot *plot, strip *strips) {
    int64_t count = 0;
    for (int64_t i = 0; i < plot->panel->band_count; i++) {
        const dgmi_draw_band *band = &plot->panel->bands[i];
        double top = fmax(dgmi_draw_frame_y(&plot->frame, band->high), plot->box.y);
        double bottom =
            fmin(dgmi_draw_frame_y(&plot->frame, band->low), plot->box.y + plot->box.height);
        if (top < bottom)
            strips[count++] = (strip){top, bottom, band};
    }
    qsort(strips, (size_t)count, sizeof *strips, compare_strips);
    return count;
}

static void draw_strip(dgmi_draw_page *page, const strip *own, double left, double right) {
    bool dark = page->options->theme == DGM_THEME_DARK;
    dgmi_draw_item *item = dgmi_draw_list_rect(page->list, left, own->top, right - left,
                                               own->bottom - own->top, colour_of(page, own->band));
    item->opacity = dark ? 0.26 : 0.2;
    item->title = dgmi_draw_list_words(page->list, own->band->name);
    for (int end = 0; end < 2; end++) {
        double y = end ? own->bottom : own->top;
        dgmi_draw_list_line(page->list, left, y, right, y, EDGE, ink_of(page, own->band))->opacity =
            0.7;
    }
    double x = right + BETWEEN + (double)own->band->column * (BETWEEN + BAR);
    dgmi_draw_list_rect(page->list, x, own->top, BAR, own->bottom - own->top,
                        colour_of(page, own->band));
}

/* Each name stands at the middle of its band, or a line under the name before it. */
static void draw_names(dgmi_draw_page *page, const strip *strips, int64_t count, double x) {
    double height = DGMI_DRAW_SMALL * DGMI_DRAW_POINT, last = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        char fitted[NAME_SPACE];
        if (!strips[i].band->name)
            continue;
        last = fmax((strips[i].top + strips[i].bottom) / 2, last + DGMI_DRAW_LINE);
        dgmi_draw_list_text(page->list, x, last + 0.3 * height, DGMI_DRAW_SMALL,
                            DGMI_DRAW_ANCHOR_START, ink_of(page, strips[i].band),
                            dgmi_draw_text_fit(strips[i].band->name, DGMI_DRAW_SMALL, false,
                                               LONGEST, fitted, sizeof fitted));
    }
}

dgm_status dgmi_draw_band_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgmi_draw_panel *panel = plot->panel;
    double right = plot->box.x + plot->box.width - dgmi_draw_band_room(panel).right;
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    strip *strips = dgmi_scratch(page->ctx, panel->band_count, sizeof *strips);
    if (!strips)
        return DGM_ERROR_MEMORY;
    int64_t count = find_strips(plot, strips);
    for (int64_t i = 0; i < count; i++)
        draw_strip(page, &strips[i], plot->box.x, right);
    draw_names(page, strips, count, right + bars_width(panel) + BETWEEN);
    dgmi_arena_release(page->ctx, hold);
    return page->list->status;
}
