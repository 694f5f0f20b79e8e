/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the marks and links of a view into a box of the page. */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

/* More links than that are grey fog, and a file nobody opens. */
enum { MOST_LINKS = 60000, SAMPLE_SEED = 1 };
#define WIDEST_LINK   1.3 /* mm, of weight 1 */
#define THINNEST_LINK 0.1
#define SMALLEST_MARK 0.18
#define STRONG_LINK   0.25 /* mm, of a graph that regions or bands lie behind */
#define STRONG_SHADE  0.9
#define LEAST_GRAINED 0.7 /* mm, the radius from which a pile of dust shows grains */
#define LARGEST_GRAIN 0.4
#define MOST_SPREAD   2.5 /* mm, the largest radius that grains spread over */
#define STRETCH       1.5 /* how far places may spread while marks stay as they are */

/* ---- frames ---- */

void dgmi_draw_frame_of(dgmi_draw_plot *plot) {
    dgmi_draw_frame *frame = &plot->frame;
    bool any = false;
    *frame = (dgmi_draw_frame){.left = -1, .top = 1, .right = 1, .bottom = -1};
    for (int64_t m = 0; m < plot->panel->view->marks; m++) {
        double r = plot->radius[m], x = plot->x[m], y = plot->y[m];
        if (!dgmi_draw_view_is_drawn(plot->panel->view, m))
            continue;
        frame->left = any && frame->left < x - r ? frame->left : x - r;
        frame->right = any && frame->right > x + r ? frame->right : x + r;
        frame->bottom = any && frame->bottom < y - r ? frame->bottom : y - r;
        frame->top = any && frame->top > y + r ? frame->top : y + r;
        frame->largest = fmax(frame->largest, r);
        any = true;
    }
}

double dgmi_draw_frame_scale(const dgmi_draw_frame *frame, double width, double height) {
    double wide = frame->right - frame->left, high = frame->top - frame->bottom;
    double least = 1e-9 * (fabs(frame->right) + fabs(frame->top)) + 1e-300;
    double scale = fmin(width / fmax(wide, least), height / fmax(high, least));
    if (frame->largest > 0 && scale * frame->largest > STRETCH * DGMI_DRAW_WIDEST_MARK)
        scale = STRETCH * DGMI_DRAW_WIDEST_MARK / frame->largest;
    return scale;
}

void dgmi_draw_frame_fit(dgmi_draw_frame *frame, dgmi_draw_box box) {
    double wide = frame->right - frame->left, high = frame->top - frame->bottom;
    double scale = dgmi_draw_frame_scale(frame, box.width, box.height);
    frame->scale = scale;
    frame->x = box.x + (box.width - scale * wide) / 2 - scale * frame->left;
    frame->y = box.y + (box.height - scale * high) / 2 + scale * frame->top;
}

double dgmi_draw_frame_x(const dgmi_draw_frame *frame, double x) {
    return frame->x + frame->scale * x;
}

double dgmi_draw_frame_y(const dgmi_draw_frame *frame, double y) {
    return frame->y - frame->scale * y;
}

double dgmi_draw_mark_radius(const dgmi_draw_plot *plot, int64_t mark) {
    return fmax(plot->radius[mark] * plot->frame.scale * plot->shrink, SMALLEST_MARK);
}

/* ---- links ---- */

static int64_t strength_of(const dgm_view *view, const dgm_summary_edge *link) {
    return view->structural ? link->links : link->shared;
}

/* Weights are shares of the heaviest edge of the summary, which may be one that is folded. */
int64_t dgmi_draw_link_heaviest(const dgm_view *view) {
    const dgm_summary_edge *links = view->dust ? view->summary->edges : view->links;
    int64_t count = view->dust ? view->summary->edge_count : view->link_count, heaviest = 0;
    if (view->weighed && !view->structural)
        return 0;
    for (int64_t i = 0; i < count; i++)
        heaviest =
            strength_of(view, &links[i]) > heaviest ? strength_of(view, &links[i]) : heaviest;
    for (int64_t i = 0; i < count && heaviest; i++)
        if (fabs((double)strength_of(view, &links[i]) / (double)heaviest - links[i].weight) > 1e-6)
            return 0;
    return heaviest;
}

double dgmi_draw_link_width(const dgmi_draw_plot *plot, double weight) {
    const dgm_view *view = plot->panel->view;
    if (view->kind == DGM_VIEW_GRAPH)
        return view->link_count < 2000 ? 0.15 : 0.08;
    double share = plot->heaviest ? (double)plot->heaviest / (double)plot->widest : 1;
    return fmax(WIDEST_LINK * plot->slim * weight * share, THINNEST_LINK * fmax(plot->slim, 0.4));
}

typedef struct {
    double weight;
    uint64_t tie; /* orders those of the same weight */
    int64_t link;
} weighed;

static int compare_weights(const void *a, const void *b) {
    const weighed *p = a, *q = b;
    if (p->weight != q->weight)
        return p->weight < q->weight ? -1 : 1;
    return (p->tie > q->tie) - (p->tie < q->tie);
}

/* Of equals the later one first. */
static weighed weigh(double weight, int64_t index) {
    return (weighed){weight, UINT64_MAX - (uint64_t)index, index};
}

static void title_link(dgmi_draw_list *list, dgmi_draw_item *item, const dgm_view *view,
                       int64_t index) {
    const dgm_summary_edge *link = &view->links[index];
    char text[160], weight[DGMI_DRAW_WORDS_SPACE];
    bool from_dust = !dgmi_draw_view_is_plain(view, link->source);
    if (from_dust || !dgmi_draw_view_is_plain(view, link->target))
        snprintf(text, sizeof text, "dust \xe2\x80\x93 %u",
                 from_dust ? link->target : link->source);
    else if (view->kind == DGM_VIEW_SUMMARY && link->shared >= 0)
        snprintf(text, sizeof text, "%u \xe2\x80\x93 %u: %lld shared nodes, %lld graph edges",
                 link->source, link->target, (long long)link->shared, (long long)link->links);
    else
        snprintf(text, sizeof text, "%u \xe2\x80\x93 %u: weight %s", link->source, link->target,
                 dgmi_draw_words_number(link->weight, weight));
    item->title = dgmi_draw_list_words(list, text);
}

/* Many links of a hairball show where they are dense, single ones of a summary where they are. */
static double link_opacity(const dgm_view *view) {
    if (view->kind != DGM_VIEW_GRAPH)
        return view->link_count > 3000 ? 0.45 : 0.7;
    return fmax(0.05, fmin(0.5, 30 / sqrt((double)view->link_count + 1)));
}

/* Light ones first, so that heavy ones lie on top. `sampled`: equals in an order of chance, so that
 * any number of them from the end is a sample. Scratch memory; NULL without it. */
static int64_t *order_links(dgm_context *ctx, const dgm_view *view, bool sampled) {
    int64_t count = view->link_count;
    int64_t *links = dgmi_scratch(ctx, count + 1, sizeof *links);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    weighed *order = dgmi_scratch(ctx, count + 1, sizeof *order);
    for (int64_t i = 0; order && i < count; i++) {
        order[i] = weigh(view->links[i].weight, i);
        if (sampled)
            order[i].tie = dgmi_random_bits(SAMPLE_SEED, 0, (uint64_t)i);
    }
    if (order)
        qsort(order, (size_t)count, sizeof *order, compare_weights);
    for (int64_t i = 0; links && order && i < count; i++)
        links[i] = order[i].link;
    dgmi_arena_release(ctx, hold);
    return order ? links : NULL;
}

dgm_status dgmi_draw_panel_choose(dgm_context *ctx, dgmi_draw_plot *plot) {
    const dgm_view *view = plot->panel->view;
    int64_t last = view->link_count - 1;
    if (view->link_count <= MOST_LINKS)
        return DGM_OK;
    plot->order = order_links(ctx, view, true);
    if (!plot->order)
        return DGM_ERROR_MEMORY;
    plot->thin = view->link_count - MOST_LINKS;
    double out = view->links[plot->order[plot->thin - 1]].weight;
    plot->choice = out < view->links[plot->order[plot->thin]].weight ? DGMI_DRAW_CHOICE_HEAVIEST
                   : out < view->links[plot->order[last]].weight     ? DGMI_DRAW_CHOICE_BOTH
                                                                     : DGMI_DRAW_CHOICE_SAMPLE;
    return DGM_OK;
}

static dgm_status draw_links(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgm_view *view = plot->panel->view;
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    const int64_t *order = plot->order ? plot->order : order_links(page->ctx, view, false);
    if (!order)
        return DGM_ERROR_MEMORY;
    bool strong = page->backed && view->kind == DGM_VIEW_GRAPH;
    double opacity = strong ? STRONG_SHADE : link_opacity(view);
    for (int64_t i = plot->thin; i < view->link_count; i++) {
        const dgm_summary_edge *link = &view->links[order[i]];
        if (!dgmi_draw_view_is_drawn(view, link->source) ||
            !dgmi_draw_view_is_drawn(view, link->target))
            continue;
        dgmi_draw_item *item = dgmi_draw_list_line(
            page->list, dgmi_draw_frame_x(&plot->frame, plot->x[link->source]),
            dgmi_draw_frame_y(&plot->frame, plot->y[link->source]),
            dgmi_draw_frame_x(&plot->frame, plot->x[link->target]),
            dgmi_draw_frame_y(&plot->frame, plot->y[link->target]),
            strong ? STRONG_LINK : dgmi_draw_link_width(plot, link->weight), page->look.link);
        item->opacity = opacity;
        title_link(page->list, item, view, order[i]);
    }
    dgmi_arena_release(page->ctx, hold);
    return page->list->status;
}

/* ---- marks ---- */

/* Small ones are paler, since many of them would stand out more than what they hang on. */
dgmi_draw_item *dgmi_draw_dust_disc(dgmi_draw_page *page, double x, double y, double radius) {
    const dgmi_draw_look *look = &page->look;
    bool small = radius <= LEAST_GRAINED;
    dgmi_draw_item *disc = dgmi_draw_list_disc(
        page->list, x, y, radius, dgmi_draw_colour_mix(look->ground, look->faint, 0.12));
    disc->stroked = true;
    disc->stroke = small ? dgmi_draw_colour_mix(look->ground, look->faint, 0.6) : look->faint;
    disc->width = radius > 1.2 ? 0.2 : small ? 0.1 : 0.12;
    return disc;
}

/* As far as they can be seen, and in the middle of a large disc. */
void dgmi_draw_dust_grains(dgmi_draw_page *page, double x, double y, double radius) {
    static const double grains[][2] = {{0, -0.42}, {-0.38, 0.26}, {0.38, 0.26}};
    double spread = fmin(radius, MOST_SPREAD);
    for (int i = 0; i < 3 && radius > LEAST_GRAINED; i++)
        dgmi_draw_list_disc(page->list, x + grains[i][0] * spread, y + grains[i][1] * spread,
                            fmin(0.16 * radius, LARGEST_GRAIN), page->look.faint);
}

static void list_tops(const dgmi_mapper_tops *tops, int64_t mark, const char *before,
                      dgmi_text *text) {
    for (int64_t i = tops->offsets[mark]; i < tops->offsets[mark + 1]; i++) {
        dgmi_text_string(text, i == tops->offsets[mark] ? before : ", ");
        dgmi_text_string(text, dgmi_mapper_tops_name(tops, i));
    }
}

/* "; highest pagerank: a, b, c; most neighbours: d, e, f", or of a few members all. */
static void title_members(dgm_context *ctx, const dgm_view *view, int64_t mark, dgmi_text *text) {
    char before[256];
    if (view->profile->peaks.offsets) {
        dgmi_hold kept = dgmi_arena_hold(ctx);
        const char *axis = dgmi_draw_view_axis(ctx, view, 0);
        snprintf(before, sizeof before, "; highest %.200s: ", axis ? axis : "");
        if (!axis)
            text->status = DGM_ERROR_MEMORY;
        list_tops(&view->profile->peaks, mark, before, text);
        dgmi_arena_release(ctx, kept);
    }
    if (view->profile->hubs.offsets)
        list_tops(&view->profile->hubs, mark,
                  view->size[mark] > DGM_PROFILE_TOPS ? "; most neighbours: "
                  : view->size[mark] > 1              ? "; members "
                                                      : "; member ",
                  text);
}

static void title_mark(dgmi_draw_page *page, dgmi_draw_item *item, const dgmi_draw_plot *plot,
                       int64_t mark, dgmi_text *text) {
    const dgm_view *view = plot->panel->view;
    char count[DGMI_DRAW_WORDS_SPACE], weight[DGMI_DRAW_WORDS_SPACE];
    text->length = 0;
    if (view->kind == DGM_VIEW_SUMMARY)
        dgmi_text_format(text, "cluster %lld: %s node%s%s%s; ", (long long)mark,
                         dgmi_draw_view_count(view->size[mark], count),
                         view->size[mark] == 1 ? "" : "s", view->weighed ? ", weight " : "",
                         view->weighed ? dgmi_draw_words_size(view, mark, weight) : "");
    else if (view->names)
        dgmi_text_format(text, "%s; ", view->names[mark]);
    else
        dgmi_text_format(text, "%lld; ", (long long)(mark + view->name_base));
    dgmi_draw_paint_describe(view, plot->colour, mark, text);
    if (view->kind == DGM_VIEW_SUMMARY)
        title_members(page->ctx, view, mark, text);
    if (text->status == DGM_OK)
        item->title = dgmi_draw_list_words(page->list, text->data);
}

static void draw_pie(dgmi_draw_page *page, const dgmi_draw_paint *paint, int64_t mark, double x,
                     double y, double radius) {
    double from = 0;
    for (int64_t s = paint->slice_offsets[mark]; s < paint->slice_offsets[mark + 1]; s++) {
        double to = from + paint->slices[s].share;
        dgmi_draw_list_wedge(page->list, x, y, radius, from, to < 1 - 1e-9 ? to : 1,
                             paint->slices[s].colour);
        from = to;
    }
}

/* Panels are told apart by their number, a single one has plain ids. */
static void name_item(dgmi_draw_page *page, dgmi_draw_item *item, char kind, int64_t index,
                      int64_t mark) {
    char id[64];
    if (page->count > 1)
        snprintf(id, sizeof id, "p%lld-%c%lld", (long long)index + 1, kind, (long long)mark);
    else
        snprintf(id, sizeof id, "%c%lld", kind, (long long)mark);
    item->id = dgmi_draw_list_words(page->list, id);
}

static void draw_pile(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index, int64_t mark,
                      dgmi_text *text) {
    double x = dgmi_draw_frame_x(&plot->frame, plot->x[mark]);
    double y = dgmi_draw_frame_y(&plot->frame, plot->y[mark]);
    double radius = dgmi_draw_mark_radius(plot, mark);
    dgmi_draw_item *item = dgmi_draw_dust_disc(page, x, y, radius);
    name_item(page, item, 'd', index, mark);
    text->length = 0;
    dgmi_text_string(text, "dust: ");
    dgmi_draw_dust_say(dgmi_draw_view_pile(plot->panel->view, mark), text);
    if (text->status == DGM_OK)
        item->title = dgmi_draw_list_words(page->list, text->data);
    dgmi_draw_dust_grains(page, x, y, radius);
}

static void draw_mark(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index, int64_t mark,
                      dgmi_text *text) {
    const dgm_view *view = plot->panel->view;
    const dgmi_draw_paint *paint = &plot->paint;
    double x = dgmi_draw_frame_x(&plot->frame, plot->x[mark]);
    double y = dgmi_draw_frame_y(&plot->frame, plot->y[mark]);
    double radius = dgmi_draw_mark_radius(plot, mark);
    bool pie =
        paint->slice_offsets && paint->slice_offsets[mark + 1] - paint->slice_offsets[mark] > 1;
    if (pie)
        draw_pie(page, paint, mark, x, y, radius);
    dgmi_draw_item *item = dgmi_draw_list_shape(page->list, dgmi_draw_paint_shape(paint, mark), x,
                                                y, radius, paint->fill[mark]);
    item->filled = !pie;
    bool pale = dgmi_draw_colour_pale(paint->fill[mark], page->look.ground);
    item->stroked = radius > 0.4 || pale;
    item->stroke = dgmi_draw_colour_mix(paint->fill[mark], page->look.ink, pale ? 0.55 : 0.45);
    if (pie)
        item->stroke = page->look.ink;
    item->width = radius > 1.2 ? 0.15 : 0.1;
    if (view->kind == DGM_VIEW_SUMMARY)
        name_item(page, item, 'n', index, mark);
    title_mark(page, item, plot, mark, text);
}

static dgm_status draw_marks(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index) {
    const dgm_view *view = plot->panel->view;
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    weighed *order = dgmi_scratch(page->ctx, view->marks + 1, sizeof *order);
    if (!order)
        return DGM_ERROR_MEMORY;
    dgmi_text text;
    dgmi_text_init(&text, page->ctx);
    for (int64_t m = 0; m < view->marks; m++) /* large ones first: small ones lie on top */
        order[m] = weigh(-plot->radius[m], m);
    qsort(order, (size_t)view->marks, sizeof *order, compare_weights);
    for (int64_t i = 0; i < view->marks; i++)
        if (dgmi_draw_view_is_plain(view, order[i].link))
            draw_mark(page, plot, index, order[i].link, &text);
        else if (dgmi_draw_view_is_drawn(view, order[i].link))
            draw_pile(page, plot, index, order[i].link, &text);
    for (int64_t i = 0; i < plot->panel->ringed_count; i++) {
        int64_t m = plot->panel->ringed[i];
        dgmi_draw_item *ring =
            dgmi_draw_list_disc(page->list, dgmi_draw_frame_x(&plot->frame, plot->x[m]),
                                dgmi_draw_frame_y(&plot->frame, plot->y[m]),
                                dgmi_draw_mark_radius(plot, m) + DGMI_DRAW_RING, page->look.ring);
        ring->filled = false;
        ring->stroked = true;
        ring->stroke = page->look.ring;
        ring->width = DGMI_DRAW_RING_WIDTH;
    }
    dgm_status status = text.status == DGM_OK ? page->list->status : text.status;
    dgmi_text_free(&text);
    dgmi_arena_release(page->ctx, hold);
    return status;
}

/* ---- the panel ---- */

static void open_layer(dgmi_draw_page *page, const char *layer, int64_t index) {
    char id[64];
    if (page->count > 1)
        snprintf(id, sizeof id, "p%lld-%s", (long long)index + 1, layer);
    else
        snprintf(id, sizeof id, "%s", layer);
    dgmi_draw_list_open(page->list, id);
}

static void say_empty(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    const dgmi_draw_box *box = &plot->box;
    bool summary = plot->panel->view->kind == DGM_VIEW_SUMMARY;
    double x = box->x + box->width / 2, y = box->y + box->height / 2;
    dgmi_draw_list_text(page->list, x, y - 1, DGMI_DRAW_MEDIUM, DGMI_DRAW_ANCHOR_MIDDLE,
                        page->look.ink, summary ? "No clusters." : "Nothing to draw.");
    if (summary)
        dgmi_draw_list_text(page->list, x, y + DGMI_DRAW_LINE, DGMI_DRAW_SMALL,
                            DGMI_DRAW_ANCHOR_MIDDLE, page->look.faint,
                            "The filters left none, or the graph has no nodes.");
}

/* What lies behind links and marks; most panels have nothing there. */
static dgm_status draw_back(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index) {
    dgm_status status = DGM_OK;
    if (plot->panel->band_count) {
        open_layer(page, "bands", index);
        status = dgmi_draw_band_draw(page, plot);
        dgmi_draw_list_close(page->list);
    }
    if (plot->panel->region_count && status == DGM_OK) {
        open_layer(page, "regions", index);
        status = dgmi_draw_region_draw(page, plot);
        dgmi_draw_list_close(page->list);
    }
    return status;
}

static dgm_status draw_names(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    int64_t taken_count = 0;
    dgmi_draw_box *taken = dgmi_scratch(page->ctx, plot->panel->region_count, sizeof *taken);
    dgm_status status =
        taken ? dgmi_draw_region_name(page, plot, taken, &taken_count) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_draw_labels_draw(page, plot, taken, taken_count);
    dgmi_arena_release(page->ctx, hold);
    return status;
}

dgm_status dgmi_draw_panel_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index) {
    dgm_status status = draw_back(page, plot, index);
    open_layer(page, "edges", index);
    if (status == DGM_OK)
        status = draw_links(page, plot);
    dgmi_draw_list_close(page->list);
    open_layer(page, "nodes", index);
    if (status == DGM_OK)
        status = draw_marks(page, plot, index);
    dgmi_draw_list_close(page->list);
    open_layer(page, "labels", index);
    if (status == DGM_OK && plot->panel->view->marks == 0)
        say_empty(page, plot);
    if (status == DGM_OK)
        status = draw_names(page, plot);
    dgmi_draw_list_close(page->list);
    return status;
}
