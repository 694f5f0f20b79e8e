/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the panels of a page show of their views, and how wide their links are: the places of
 * the marks, the frame around them, the room that it leaves, and one scale of widths for all panels.
 */
#include <math.h>

#include "base_memory.h"
#include "draw_figure.h"
#include "layout_layout.h"

enum { MANY_LINKS = 4000 }; /* of a panel: more become thinner */
#define SUBGRAPH_LINK                                                                              \
    0.3 /* the width of links that all weigh the same, where they are a subgraph's */

/* ---- places ---- */

/* The marks that are drawn, one after another; returns how many there are. */
static int64_t gather_marks(const dgm_view *view, int64_t *size, double *places) {
    int64_t drawn = 0;
    for (int64_t m = 0; m < view->marks; m++) {
        if (!dgmi_draw_view_is_drawn(view, m))
            continue;
        size[drawn] = dgmi_draw_view_area(view, m);
        places[2 * drawn] = view->x[m];
        places[2 * drawn++ + 1] = view->y[m];
    }
    return drawn;
}

/* The way back, into x, y and radius of each mark, one array after another. */
static void spread_marks(const dgm_view *view, const double *places, const double *radius,
                         double *own) {
    int64_t marks = view->marks, drawn = 0;
    for (int64_t m = 0; m < marks; m++) {
        if (!dgmi_draw_view_is_drawn(view, m))
            continue;
        own[m] = places[2 * drawn];
        own[marks + m] = places[2 * drawn + 1];
        own[2 * marks + m] = radius[drawn++];
    }
}

/* Where the style sizes marks in its own way, they are moved apart once more: still for every
 * colouring, but not where the default style has them. */
static dgm_status place_marks(dgmi_draw_page *page, dgmi_draw_plot *plot) {
    const dgm_view *view = plot->panel->view;
    int64_t marks = view->marks;
    plot->x = view->x;
    plot->y = view->y;
    plot->radius = view->radius;
    if (page->options->style != DGM_STYLE_PAPER || view->kind != DGM_VIEW_SUMMARY)
        return DGM_OK;
    int64_t *size = dgmi_scratch(page->ctx, marks + 1, sizeof *size);
    double *radius = dgmi_scratch(page->ctx, marks + 1, sizeof *radius);
    double *places = dgmi_scratch(page->ctx, 2 * marks + 1, sizeof *places);
    double *own = dgmi_scratch_zero(page->ctx, 3 * marks + 1, sizeof *own);
    if (!size || !radius || !places || !own)
        return DGM_ERROR_MEMORY;
    int64_t drawn = gather_marks(view, size, places);
    dgmi_layout_radii(drawn, size, 0.5, radius);
    dgm_status status = dgmi_layout_separate(page->ctx, drawn, radius, 0.05, places, NULL);
    spread_marks(view, places, radius, own);
    plot->x = own;
    plot->y = own + marks;
    plot->radius = own + 2 * marks;
    return status;
}

/* ---- widths ---- */

/* Whether links show a pooled graph whose edges all weigh the same, as those of a subgraph do: wide
 * lines would say nothing and hide much. */
static bool is_subgraph(const dgmi_draw_panel *panel) {
    const dgm_view *view = panel->kind == DGMI_DRAW_PANEL_VIEW ? panel->view : NULL;
    if (!view || !view->summary || !dgm_summary_pooling(view->summary))
        return false;
    for (int64_t i = 0; i < view->link_count; i++)
        if (view->links[i].weight != view->links[0].weight)
            return false;
    return view->link_count > 1;
}

/* Links of one kind share one scale of widths over all panels. */
static void find_widest(dgmi_draw_page *page) {
    int64_t widest[2] = {0, 0}; /* by whether links are structural */
    int64_t most = MANY_LINKS;
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW ||
            plot->panel->view->kind != DGM_VIEW_SUMMARY)
            continue;
        int kind = plot->panel->view->structural;
        plot->heaviest = dgmi_draw_link_heaviest(plot->panel->view);
        widest[kind] = plot->heaviest > widest[kind] ? plot->heaviest : widest[kind];
        most = plot->panel->view->link_count > most ? plot->panel->view->link_count : most;
    }
    for (int64_t i = 0; i < page->count; i++) {
        page->plots[i].slim = sqrt((double)MANY_LINKS / (double)most);
        if (is_subgraph(page->plots[i].panel))
            page->plots[i].slim *= SUBGRAPH_LINK;
        if (page->plots[i].heaviest)
            page->plots[i].widest = widest[page->plots[i].panel->view->structural];
    }
}

/* ---- frames ---- */

static dgmi_draw_room room_of(const dgmi_draw_panel *panel) {
    dgmi_draw_room regions = dgmi_draw_region_room(panel), bands = dgmi_draw_band_room(panel);
    return (dgmi_draw_room){fmax(regions.left, bands.left), fmax(regions.right, bands.right),
                            fmax(regions.above, bands.above), fmax(regions.below, bands.below)};
}

/* One frame and one room for all views: the least that hold those of each. */
static void align_plots(dgmi_draw_page *page) {
    dgmi_draw_frame frame = {INFINITY, -INFINITY, -INFINITY, INFINITY, 0, 0, 0, 0};
    dgmi_draw_room room = {0, 0, 0, 0};
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW || plot->panel->view->marks == 0)
            continue;
        frame.left = fmin(frame.left, plot->frame.left);
        frame.right = fmax(frame.right, plot->frame.right);
        frame.top = fmax(frame.top, plot->frame.top);
        frame.bottom = fmin(frame.bottom, plot->frame.bottom);
        frame.largest = fmax(frame.largest, plot->frame.largest);
        room = (dgmi_draw_room){
            fmax(room.left, plot->room.left), fmax(room.right, plot->room.right),
            fmax(room.above, plot->room.above), fmax(room.below, plot->room.below)};
    }
    for (int64_t i = 0; i < page->count && frame.left <= frame.right; i++) {
        page->plots[i].frame = frame;
        page->plots[i].room = room;
    }
}

dgm_status dgmi_draw_page_frame(dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        plot->shrink = 1;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        dgm_status status = place_marks(page, plot);
        if (status != DGM_OK)
            return status;
        dgmi_draw_frame_of(plot);
        plot->room = room_of(plot->panel);
    }
    if (page->figure->aligned)
        align_plots(page);
    find_widest(page);
    return DGM_OK;
}
