/* SPDX-License-Identifier: Apache-2.0 */
/* Lays a figure out on a page: cuts the page into boxes, draws everything into one display list,
 * and writes that as bytes.
 */
#include "draw_figure.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"

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

static bool has_back(const dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->region_count || page->plots[i].panel->band_count)
            return true;
    return false;
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
    dgm_status status = dgmi_draw_page_paint(page);
    if (status == DGM_OK)
        status = dgmi_draw_page_frame(page);
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
