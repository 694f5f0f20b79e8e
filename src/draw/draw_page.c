/* SPDX-License-Identifier: Apache-2.0 */
/* Lays a figure out on a page: finds the paint and the frame of each panel, cuts the page into
 * boxes, draws everything into one display list, and writes that as bytes.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "layout_layout.h"

#define LEGEND       29.0 /* mm, the least width of the legend's column */
#define BETWEEN      4.0  /* mm from panel to panel */
#define FRAME_WIDTH  0.4  /* mm, of the line around a panel */
#define UNDER_TITLE  1.5  /* mm between a title and its panel */
#define GAP          2.0  /* mm over the footer */
#define LEAST_HEIGHT 15.0 /* mm, of a panel */
#define CHART_ASPECT 0.62
#define LEAST_ASPECT 0.22 /* of a panel, height by width */
#define OUTGROWN     1.35 /* a legend that is so much higher than the panels goes underneath */
#define MOST_ASPECT  1.15

enum { MANY_LINKS = 4000 }; /* of a panel: more become thinner */
#define SUBGRAPH_LINK                                                                              \
    0.3 /* the width of links that all weigh the same, where they are a subgraph's */

static const dgmi_draw_look looks[] = {
    [DGM_THEME_LIGHT] = {{255, 255, 255},
                         {26, 28, 32},
                         {102, 107, 115},
                         {214, 217, 222},
                         {138, 143, 152},
                         {176, 0, 32}},
    [DGM_THEME_DARK] = {{22, 24, 29},
                        {236, 238, 241},
                        {160, 165, 173},
                        {62, 66, 74},
                        {122, 128, 138},
                        {255, 122, 122}},
};

/* ---- paints ---- */

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

static bool has_back(const dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->region_count || page->plots[i].panel->band_count)
            return true;
    return false;
}

/* Marks without a colouring, where regions have colours that mean something. */
static void paint_grey(const dgmi_draw_page *page, dgmi_draw_plot *plot) {
    dgmi_draw_colour grey = dgmi_draw_colour_mix(page->look.ground, page->look.faint, 0.75);
    for (int64_t m = 0; m < plot->panel->view->marks; m++)
        plot->paint.fill[m] = grey;
}

static dgm_status paint_plots(dgmi_draw_page *page) {
    dgmi_draw_paint_scale *scales = dgmi_scratch_zero(page->ctx, page->count + 1, sizeof *scales);
    if (!scales)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < page->count && status == DGM_OK; i++)
        if (page->plots[i].panel->kind == DGMI_DRAW_PANEL_VIEW)
            status = dgmi_draw_paint_scale_of(page->ctx, page->plots[i].panel->view,
                                              page->plots[i].colour, page->options, &scales[i]);
    for (int64_t i = 0; i < page->count && status == DGM_OK; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        dgmi_draw_paint_scale scale = join_scales(page, scales, i);
        status = dgmi_draw_paint_make(page->ctx, plot->panel->view, plot->colour, page->options,
                                      &scale, &plot->paint);
        if (status == DGM_OK && page->backed && same_text(plot->colour, "none"))
            paint_grey(page, plot);
    }
    return status;
}

/* ---- frames ---- */

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

static dgm_status frame_plots(dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        plot->first_alike = i;
        plot->shrink = 1;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        dgm_status status = place_marks(page, plot);
        if (status != DGM_OK)
            return status;
        dgmi_draw_frame_of(plot);
        plot->room = room_of(plot->panel);
        for (int64_t j = i; j-- > 0;)
            if (page->plots[j].panel->kind == DGMI_DRAW_PANEL_VIEW &&
                (legends_alike(&page->plots[j], plot) || lists_alike(page, &page->plots[j], plot)))
                plot->first_alike = j;
    }
    if (page->figure->aligned)
        align_plots(page);
    find_widest(page);
    return DGM_OK;
}

/* ---- boxes ---- */

typedef struct {
    int64_t columns, rows;
    double panel_width, panel_height, title;
    double legend_x, legend_y, legend_width;
    bool across; /* the legend stands underneath */
} grid;

/* The height that panels of this width would like to have: what the highest takes. */
static double wanted_height(const dgmi_draw_page *page, double width) {
    double height = 0;
    for (int64_t i = 0; i < page->count; i++) {
        const dgmi_draw_panel *panel = page->plots[i].panel;
        const dgmi_draw_frame *frame = &page->plots[i].frame;
        const dgmi_draw_room *room = &page->plots[i].room;
        double own = CHART_ASPECT * width, high = frame->top - frame->bottom;
        double beside = room->left + room->right, over = room->above + room->below;
        if (panel->kind == DGMI_DRAW_PANEL_VIEW)
            own = panel->view->marks ? high * dgmi_draw_frame_scale(frame, width - beside,
                                                                    MOST_ASPECT * width - over) +
                                           over
                                     : LEAST_HEIGHT;
        height = fmax(height, own);
    }
    return fmax(height, fmin(LEAST_ASPECT * width, LEAST_HEIGHT));
}

/* Over every panel: what the longest title takes, broken into lines where it is wider than that. */
static double titles_height(const dgmi_draw_page *page, double width) {
    double height = 0;
    dgmi_draw_list spare;
    dgmi_draw_list_init(&spare, page->ctx);
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->title)
            height =
                fmax(height, dgmi_draw_words_wrap(&spare, 0, 0, width, DGMI_DRAW_MEDIUM, true,
                                                  page->look.ink, page->plots[i].panel->title));
    if (spare.status != DGM_OK)
        page->list->status = spare.status;
    dgmi_draw_list_free(&spare);
    return height > 0 ? height + UNDER_TITLE : 0;
}

static grid cut_grid(const dgmi_draw_page *page, bool across) {
    grid cut = {.across = across};
    int64_t views = page->count ? page->count : 1;
    cut.columns = page->figure->columns;
    if (!cut.columns)
        cut.columns = (int64_t)ceil(sqrt((double)views));
    if (cut.columns > views)
        cut.columns = views;
    cut.rows = (views + cut.columns - 1) / cut.columns;
    double usable = page->figure->width - 2 * DGMI_DRAW_MARGIN;
    cut.legend_width = usable;
    if (!cut.across) {
        cut.legend_width = fmin(fmax(LEGEND, dgmi_draw_legend_width(page)), usable * 0.4);
        usable -= cut.legend_width + BETWEEN;
    }
    cut.panel_width = (usable - BETWEEN * (double)(cut.columns - 1)) / (double)cut.columns;
    cut.title = titles_height(page, cut.panel_width);
    cut.panel_height = wanted_height(page, cut.panel_width);
    return cut;
}

static double panels_height(const grid *cut) {
    return (double)cut->rows * (cut->panel_height + cut->title) + BETWEEN * (double)(cut->rows - 1);
}

/* By how much radii shrink so that the largest is not too large. */
static double own_shrink(const dgmi_draw_plot *plot) {
    double largest = plot->frame.largest * plot->frame.scale;
    return largest > DGMI_DRAW_WIDEST_MARK ? DGMI_DRAW_WIDEST_MARK / largest : 1;
}

/* Radius in mm of a mark of one member, by the largest mark; 0: the panel shows no cluster by itself. */
static double unit_radius(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgm_view *view = plot->panel->view;
    int64_t largest = -1;
    if (view->kind != DGM_VIEW_SUMMARY || view->marks == 0)
        return 0;
    for (int64_t m = 0; m < view->marks; m++)
        if (dgmi_draw_view_is_plain(view, m) &&
            (largest < 0 ||
             dgmi_draw_view_cluster_area(view, m) > dgmi_draw_view_cluster_area(view, largest)))
            largest = m;
    if (largest < 0) /* all of it is dust */
        return 0;
    double root = sqrt((double)dgmi_draw_view_cluster_area(view, largest) /
                       (double)dgmi_draw_view_parts(view));
    if (page->options->style == DGM_STYLE_PAPER)
        root = sqrt(root);
    return plot->radius[largest] * plot->frame.scale / root;
}

/* What is left for the marks. The room never takes more than half of a box. */
static dgmi_draw_box inner_box(const dgmi_draw_plot *plot) {
    const dgmi_draw_room *room = &plot->room;
    const dgmi_draw_box *box = &plot->box;
    double beside = room->left + room->right, over = room->above + room->below;
    double wide = beside > box->width / 2 ? box->width / 2 / beside : 1;
    double high = over > box->height / 2 ? box->height / 2 / over : 1;
    return (dgmi_draw_box){box->x + wide * room->left, box->y + high * room->above,
                           box->width - wide * beside, box->height - high * over};
}

/* Every panel fills its box; then radii shrink, to the least panel's, so that a size means the same
 * in all of them. */
static void fit_frames(dgmi_draw_page *page) {
    double least = INFINITY;
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        dgmi_draw_frame_fit(&plot->frame, inner_box(plot));
        double unit = unit_radius(page, plot);
        if (unit > 0)
            least = fmin(least, unit * own_shrink(plot));
    }
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        double unit = plot->panel->kind == DGMI_DRAW_PANEL_VIEW ? unit_radius(page, plot) : 0;
        plot->shrink = unit > 0 ? least / unit : own_shrink(plot);
    }
}

static void place_boxes(dgmi_draw_page *page, const grid *cut) {
    for (int64_t i = 0; i < page->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        int64_t row = i / cut->columns, column = i % cut->columns;
        plot->box = (dgmi_draw_box){
            DGMI_DRAW_MARGIN + (double)column * (cut->panel_width + BETWEEN),
            DGMI_DRAW_MARGIN + (double)row * (cut->panel_height + cut->title + BETWEEN) +
                cut->title,
            cut->panel_width, cut->panel_height};
    }
    fit_frames(page);
}

/* ---- drawing ---- */

/* A line around a panel and its title, halfway to its neighbours. */
static void draw_panel_frame(const dgmi_draw_page *page, dgmi_draw_box box, double titles) {
    double beyond = BETWEEN / 4;
    dgmi_draw_item *frame = dgmi_draw_list_rect(
        page->list, box.x - beyond, box.y - titles - beyond, box.width + 2 * beyond,
        box.height + titles + 2 * beyond, page->look.ground);
    frame->filled = false;
    frame->stroked = true;
    frame->stroke = page->look.ink;
    frame->width = FRAME_WIDTH;
}

/* titles: their height over each panel. */
static dgm_status draw_plots(dgmi_draw_page *page, double titles) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < page->count && status == DGM_OK; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        if (plot->panel->framed)
            draw_panel_frame(page, plot->box, titles);
        if (plot->panel->title)
            dgmi_draw_words_wrap(page->list, plot->box.x, plot->box.y - titles, plot->box.width,
                                 DGMI_DRAW_MEDIUM, true, page->look.ink, plot->panel->title);
        if (plot->panel->kind == DGMI_DRAW_PANEL_VIEW)
            status = dgmi_draw_panel_draw(page, plot, i);
        else
            dgmi_draw_chart_draw(page, plot, i);
        if (status == DGM_OK)
            status = dgmi_progress(page->ctx, "drawing", (double)(i + 1) / (double)page->count);
    }
    return status;
}

/* How high legend and footer are: drawn into a list that is thrown away. */
static void measure(dgmi_draw_page *page, const grid *cut, double *legend, double *footer) {
    dgmi_draw_list *kept = page->list, spare;
    dgmi_draw_list_init(&spare, page->ctx);
    page->list = &spare;
    *legend = dgmi_draw_legend_draw(page, 0, 0, cut->legend_width, cut->across);
    *footer = dgmi_draw_footer_draw(page, 0);
    if (spare.status != DGM_OK)
        kept->status = spare.status;
    page->list = kept;
    dgmi_draw_list_free(&spare);
}

static dgm_status fail_height(dgmi_draw_page *page, double needed) {
    return dgmi_fail(
        page->ctx, DGM_ERROR_USAGE,
        "legend and panels need a height of %.0fmm: ask for that, or leave " DGMI_NAMED(
            "height") " out",
        ceil(needed));
}

/* The legend stands beside the panels, or underneath where the figure is narrow or the panels are
 * flat. */
static grid choose_grid(dgmi_draw_page *page) {
    grid cut = cut_grid(page, page->figure->width < DGMI_DRAW_NARROW);
    double legend, footer;
    place_boxes(page, &cut);
    measure(page, &cut, &legend, &footer);
    if (!cut.across && page->figure->height == 0 && legend > OUTGROWN * panels_height(&cut))
        cut = cut_grid(page, true);
    return cut;
}

/* A chart at the right end of a row that the legend does not reach takes the legend's column too.
 */
static void widen_charts(dgmi_draw_page *page, const grid *cut) {
    double legend, footer;
    measure(page, cut, &legend, &footer);
    for (int64_t i = 0; i < page->count && !cut->across; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        bool last = i % cut->columns == cut->columns - 1;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW && last &&
            plot->box.y - cut->title > DGMI_DRAW_MARGIN + cut->title + legend)
            plot->box.width += cut->legend_width + BETWEEN;
    }
}

/* Gives the panels the height that the figure has for them, or that the legend beside them needs. A
 * higher panel may have larger marks, and then the legend grows with them: a few rounds settle it.
 */
static dgm_status fit_heights(dgmi_draw_page *page, grid *cut) {
    for (int round = 0; round < 4; round++) {
        double legend, footer;
        place_boxes(page, cut);
        measure(page, cut, &legend, &footer);
        double rest = 2 * DGMI_DRAW_MARGIN + footer + GAP + (cut->across ? legend + BETWEEN : 0);
        double titles = panels_height(cut) - (double)cut->rows * cut->panel_height;
        double beside = cut->across ? 0 : legend + cut->title;
        if (page->figure->height > 0) {
            cut->panel_height = (page->figure->height - rest - titles) / (double)cut->rows;
            double least = titles + LEAST_HEIGHT * (double)cut->rows;
            if (cut->panel_height < LEAST_HEIGHT || page->figure->height - rest < beside)
                return fail_height(page, rest + fmax(beside, least));
        } else if (panels_height(cut) < beside) {
            cut->panel_height += (beside - panels_height(cut)) / (double)cut->rows;
        } else if (round) {
            break;
        }
    }
    place_boxes(page, cut);
    widen_charts(page, cut);
    return page->list->status;
}

/* Cuts the page, and draws everything into its list. */
static dgm_status compose(dgmi_draw_page *page) {
    grid cut = choose_grid(page);
    dgm_status status = fit_heights(page, &cut);
    if (status == DGM_OK)
        status = draw_plots(page, cut.title);
    if (status != DGM_OK)
        return status;
    double y = DGMI_DRAW_MARGIN + panels_height(&cut);
    if (cut.across)
        y += BETWEEN +
             dgmi_draw_legend_draw(page, DGMI_DRAW_MARGIN, y + BETWEEN, cut.legend_width, true);
    else
        dgmi_draw_legend_draw(page, page->figure->width - DGMI_DRAW_MARGIN - cut.legend_width,
                              DGMI_DRAW_MARGIN + cut.title, cut.legend_width, false);
    y += GAP;
    y += dgmi_draw_footer_draw(page, y);
    page->list->width = page->figure->width;
    page->list->height = page->figure->height > 0 ? page->figure->height : y + DGMI_DRAW_MARGIN;
    return page->list->status;
}

static dgm_status make_page(dgmi_draw_page *page, const dgm_figure *figure) {
    page->count = figure->count;
    page->plots = dgmi_scratch_zero(page->ctx, figure->count + 1, sizeof *page->plots);
    if (!page->plots)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < figure->count; i++) {
        dgmi_draw_plot *plot = &page->plots[i];
        plot->panel = &figure->panels[i];
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        dgm_status status = dgmi_draw_panel_choose(page->ctx, plot);
        if (status != DGM_OK)
            return status;
        plot->colour = plot->panel->colour ? plot->panel->colour
                       : figure->colour    ? figure->colour
                                           : dgmi_draw_paint_default(plot->panel->view);
    }
    page->backed = has_back(page);
    dgm_status status = paint_plots(page);
    if (status == DGM_OK)
        status = frame_plots(page);
    return status == DGM_OK ? compose(page) : status;
}

static dgm_status write_bytes(dgm_context *ctx, const dgmi_draw_list *list,
                              dgm_figure_format format, int64_t dpi, char **bytes, size_t *length) {
    if (format != DGM_FIGURE_SVG)
        return dgmi_draw_cairo_write(ctx, list, format, dpi, bytes, length);
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_draw_svg_write(list, &text);
    if (text.status != DGM_OK) {
        dgmi_text_free(&text);
        return text.status;
    }
    *bytes = text.data;
    *length = (size_t)text.length;
    return DGM_OK;
}

dgm_status dgm_figure_render(dgm_context *ctx, const dgm_figure *figure, dgm_figure_format format,
                             char **bytes, size_t *length) {
    *bytes = NULL;
    *length = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    list.paper = !figure->options.transparent;
    dgmi_draw_page page = {.ctx = ctx,
                           .figure = figure,
                           .options = &figure->options,
                           .look = looks[figure->options.theme],
                           .list = &list};
    list.ground = page.look.ground;
    dgm_status status = make_page(&page, figure);
    if (status == DGM_OK)
        status = list.status;
    if (status == DGM_OK)
        status = write_bytes(ctx, &list, format, figure->options.dpi, bytes, length);
    dgmi_draw_list_free(&list);
    dgmi_arena_release(ctx, hold);
    return status;
}
