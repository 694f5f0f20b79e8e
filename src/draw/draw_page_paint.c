/* SPDX-License-Identifier: Apache-2.0 */
/* Colours the panels of a page. Those whose colours mean the same share a scale, and one legend
 * serves them all.
 */
#include <string.h>

#include "base_memory.h"
#include "draw_figure.h"

/* ---- which panels are alike ---- */

static bool same_text(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* Ranks and logarithms of one lens are not on one scale. */
static bool transforms_alike(const dgm_view *a, const dgm_view *b) {
    if (!a->summary || !b->summary)
        return true;
    for (int64_t k = 0; k < a->dimension; k++)
        if (!same_text(dgm_summary_axis_transform(a->summary, k),
                       dgm_summary_axis_transform(b->summary, k)))
            return false;
    return true;
}

/* Panels of one colouring of one data set share a scale and a legend. */
static bool colours_alike(const dgmi_draw_plot *a, const dgmi_draw_plot *b) {
    const dgm_view *p = a->panel->view, *q = b->panel->view;
    if (!same_text(a->colour, b->colour))
        return false;
    if (same_text(a->colour, "lens"))
        return p->dimension == q->dimension && p->kind == q->kind &&
               same_text(p->source, q->source) && same_text(p->lens_name, q->lens_name) &&
               transforms_alike(p, q);
    if (p->profile->classes != q->profile->classes)
        return false;
    for (int32_t c = 0; c < p->profile->classes; c++)
        if (!same_text(p->profile->class_names[c], q->profile->class_names[c]))
            return false;
    return true;
}

/* The means of clusters and the values of nodes share a scale, and so a bar of colours. */
static const char *without_mean(const char *title) {
    static const char mean[] = "mean ";
    return strncmp(title, mean, sizeof mean - 1) == 0 ? title + sizeof mean - 1 : title;
}

/* A list of classes serves every panel that has those, whatever it calls them. */
static bool legends_alike(const dgmi_draw_plot *a, const dgmi_draw_plot *b) {
    return colours_alike(a, b) && a->paint.scale.kind == b->paint.scale.kind &&
           (a->paint.scale.kind == DGMI_DRAW_PAINT_CLASSES ||
            same_text(without_mean(a->paint.title), without_mean(b->paint.title)));
}

/* Where there is little room, labels and predictions of the same classes have one list. */
static bool lists_alike(const dgmi_draw_page *page, const dgmi_draw_plot *a,
                        const dgmi_draw_plot *b) {
    const dgm_view *p = a->panel->view, *q = b->panel->view;
    static const char *const classes[] = {"labels", "prediction"};
    bool both = true;
    for (int i = 0; i < 2; i++)
        both = both && (same_text(i ? a->colour : b->colour, classes[0]) ||
                        same_text(i ? a->colour : b->colour, classes[1]));
    if (!both || page->figure->width >= DGMI_DRAW_NARROW ||
        p->profile->classes != q->profile->classes ||
        a->paint.scale.kind != DGMI_DRAW_PAINT_CLASSES ||
        b->paint.scale.kind != DGMI_DRAW_PAINT_CLASSES ||
        a->paint.scale.shown != b->paint.scale.shown)
        return false;
    for (int64_t i = 0; i < a->paint.scale.shown; i++)
        if (!same_text(p->profile->class_names[a->paint.scale.classes[i]],
                       q->profile->class_names[b->paint.scale.classes[i]]))
            return false;
    return true;
}

/* ---- their colours ---- */

/* Joined in the order of the panels, so that each of those that are alike has the same. */
static dgmi_draw_paint_scale join_scales(const dgmi_draw_page *page,
                                         const dgmi_draw_paint_scale *scales, int64_t plot) {
    dgmi_draw_paint_scale joined = scales[plot];
    bool first = true;
    for (int64_t j = 0; j < page->count; j++) {
        if (page->plots[j].panel->kind != DGMI_DRAW_PANEL_VIEW || scales[j].kind != joined.kind ||
            !colours_alike(&page->plots[plot], &page->plots[j]))
            continue;
        if (first)
            joined = scales[j];
        else
            dgmi_draw_paint_scale_join(&joined, &scales[j]);
        first = false;
    }
    return joined;
}

/* Marks without a colouring, where regions have colours that mean something. */
static void paint_grey(const dgmi_draw_page *page, dgmi_draw_plot *plot) {
    dgmi_draw_colour grey = dgmi_draw_colour_mix(page->look.ground, page->look.faint, 0.75);
    for (int64_t m = 0; m < plot->panel->view->marks; m++)
        plot->paint.fill[m] = grey;
}

/* The first of panels that are alike has the legend of all of them. */
static void share_legends(dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        plot->first_alike = i;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        for (int64_t j = i; j-- > 0;)
            if (page->plots[j].panel->kind == DGMI_DRAW_PANEL_VIEW &&
                (legends_alike(&page->plots[j], plot) || lists_alike(page, &page->plots[j], plot)))
                plot->first_alike = j;
    }
}

/* A panel's own colouring is given as much as that of the figure. */
static dgm_figure_options options_of(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    dgm_figure_options options = *page->options;
    if (plot->panel->colour)
        options.colour = plot->panel->colour;
    return options;
}

dgm_status dgmi_draw_page_paint(dgmi_draw_page *page) {
    dgmi_draw_paint_scale *scales = dgmi_scratch_zero(page->ctx, page->count + 1, sizeof *scales);
    if (!scales)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < page->count && status == DGM_OK; i++) {
        const dgmi_draw_plot *plot = &page->plots[i];
        const dgm_figure_options options = options_of(page, plot);
        if (plot->panel->kind == DGMI_DRAW_PANEL_VIEW)
            status = dgmi_draw_paint_scale_of(page->ctx, plot->panel->view, plot->colour, &options,
                                              &scales[i]);
    }
    for (int64_t i = 0; i < page->count && status == DGM_OK; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        const dgm_figure_options options = options_of(page, plot);
        dgmi_draw_paint_scale scale = join_scales(page, scales, i);
        status = dgmi_draw_paint_make(page->ctx, plot->panel->view, plot->colour, &options, &scale,
                                      &plot->paint);
        if (status == DGM_OK && page->backed && same_text(plot->colour, "none"))
            paint_grey(page, plot);
    }
    if (status == DGM_OK)
        share_legends(page);
    return status;
}
