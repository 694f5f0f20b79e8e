/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a legend that tell what sizes of marks and widths of links mean. */
#include "draw_legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_SPACE = 2 * DGMI_DRAW_WORDS_SPACE + 8 };

/* A summary's links and another's mean the same by their widths. */
bool dgmi_draw_legend_widths_alike(const dgmi_draw_plot *a, const dgmi_draw_plot *b) {
    const dgm_view *p = a->panel->view, *q = b->panel->view;
    return p->kind == DGM_VIEW_SUMMARY && q->kind == DGM_VIEW_SUMMARY &&
           q->link_count > q->dust_links && p->structural == q->structural &&
           !p->weighed == !q->weighed && !a->heaviest == !b->heaviest;
}

typedef struct {
    double size;   /* the number of nodes, or their weight */
    double radius; /* mm */
    bool least;    /* no cluster of the figure is smaller */
} sample;

/* Walks over the clusters of all panels; start with {0}. False at the end. */
typedef struct {
    int64_t plot, mark;
} sample_cursor;

static double size_of(const dgm_view *view, int64_t mark) {
    return view->weighed ? view->weighed[mark] : (double)view->size[mark];
}

static bool next_sample(const dgmi_draw_page *page, sample_cursor *at, sample *out) {
    for (; at->plot < page->count; at->plot++, at->mark = 0) {
        const dgmi_draw_plot *plot = &page->plots[at->plot];
        const dgm_view *view = plot->panel->view;
        if (plot->panel->kind != DGMI_DRAW_PANEL_VIEW || view->kind != DGM_VIEW_SUMMARY)
            continue;
        while (at->mark < view->marks && !dgmi_draw_view_is_plain(view, at->mark))
            at->mark++;
        if (at->mark == view->marks)
            continue;
        *out = (sample){size_of(view, at->mark), dgmi_draw_mark_radius(plot, at->mark), false};
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
static double largest_of(const dgmi_draw_page *page, double radius) {
    double size = 0;
    sample own;
    for (sample_cursor at = {0, 0}; next_sample(page, &at, &own);)
        if (own.radius <= radius * 1.02 && own.size > size)
            size = own.size;
    return size;
}

/* The largest cluster of the figure, the smallest, and one between them; how many there are. */
static int sample_sizes(const dgmi_draw_page *page, sample samples[3]) {
    sample most = {0, 0, false}, least = {INFINITY, 0, false}, own;
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

/* Whether some cluster of the figure is as large as the weights of its members. */
static bool any_weighed(const dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->kind == DGMI_DRAW_PANEL_VIEW &&
            page->plots[i].panel->view->weighed)
            return true;
    return false;
}

static const char *size_heading(const dgmi_draw_page *page) {
    bool paper = page->options->style == DGM_STYLE_PAPER;
    if (any_weighed(page))
        return paper ? "size: weighted members (area as the square root)"
                     : "size: weighted members";
    return paper ? "size: nodes (area as the square root)" : "size: nodes";
}

static const char *write_size(const dgmi_draw_page *page, double size,
                              char text[DGMI_DRAW_WORDS_SPACE]) {
    return any_weighed(page) ? dgmi_draw_words_number(size, text)
                             : dgmi_draw_view_count((int64_t)size, text);
}

/* "40", or of marks as small as can be "1 to 40". */
static void size_words(const dgmi_draw_page *page, const sample *own, char text[SIZE_SPACE]) {
    char least[DGMI_DRAW_WORDS_SPACE], most[DGMI_DRAW_WORDS_SPACE];
    double largest = own->least ? largest_of(page, own->radius) : own->size;
    write_size(page, own->size, least);
    write_size(page, largest, most);
    bool several = strcmp(least, most) != 0;
    snprintf(text, SIZE_SPACE, "%s%s%s", least, several ? " to " : "", several ? most : "");
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
double dgmi_draw_legend_sizes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                              double width) {
    (void)plot; /* sizes mean the same in every panel */
    sample samples[3];
    char text[SIZE_SPACE];
    int count = sample_sizes(page, samples);
    double top = y + dgmi_draw_legend_heading(page, x, y, width, size_heading(page)), at[3];
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
        dgmi_draw_legend_text(page, label, at[i], DGMI_DRAW_ANCHOR_START, page->look.ink, text);
    }
    return bottom + 0.5 - y;
}

/* Where areas would say nothing: every mark is as small as can be. */
bool dgmi_draw_legend_sizes_alike(const dgmi_draw_page *page) {
    sample samples[3];
    int count = sample_sizes(page, samples);
    return count > 1 && samples[0].radius - samples[count - 1].radius < 0.02;
}

double dgmi_draw_legend_one_size(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x,
                                 double y, double width) {
    (void)plot;
    sample samples[3];
    char least[DGMI_DRAW_WORDS_SPACE], most[DGMI_DRAW_WORDS_SPACE],
        text[2 * DGMI_DRAW_WORDS_SPACE + 64];
    int count = sample_sizes(page, samples);
    snprintf(text, sizeof text, "a mark is a cluster of %s to %s %s; all have one size",
             write_size(page, samples[count - 1].size, least),
             write_size(page, samples[0].size, most),
             any_weighed(page) ? "weighted members" : "nodes");
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, false, page->look.faint,
                                text);
}

/* The smallest weight among the links, as a share of the widest that the figure has. */
static double least_share(const dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    double least = 1;
    for (int64_t p = 0; p < page->count; p++) {
        const dgmi_draw_plot *other = &page->plots[p];
        if (other->panel->kind != DGMI_DRAW_PANEL_VIEW ||
            !dgmi_draw_legend_widths_alike(plot, other))
            continue;
        double share = plot->heaviest ? (double)other->heaviest / (double)plot->widest : 1;
        for (int64_t i = 0; i < other->panel->view->link_count - other->panel->view->dust_links;
             i++)
            least = fmin(least, other->panel->view->links[i].weight * share);
    }
    return least;
}

double dgmi_draw_legend_widths(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                               double width) {
    const dgm_view *view = plot->panel->view;
    double unit = plot->heaviest ? (double)plot->widest : 1, before = -1;
    double least = least_share(page, plot);
    double at =
        y + dgmi_draw_legend_heading(page, x, y, width,
                                     view->weighed && !view->structural ? "width: shared weight"
                                     : !plot->heaviest                  ? "width: weight"
                                     : view->structural                 ? "width: graph edges"
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
        dgmi_draw_legend_text(page, x + 8.2, at + 1.5, DGMI_DRAW_ANCHOR_START, page->look.ink,
                              text);
        at += DGMI_DRAW_LINE;
    }
    return at - y;
}

double dgmi_draw_legend_ring(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                             double width) {
    (void)plot;
    dgmi_draw_item *ring = dgmi_draw_list_disc(page->list, x + 1.5, y + 1.6, 1.3, page->look.ring);
    ring->filled = false;
    ring->stroked = true;
    ring->stroke = page->look.ring;
    ring->width = 0.45;
    return fmax(DGMI_DRAW_LINE, dgmi_draw_words_wrap(page->list, x + 4.2, y + 0.2, width - 4.2,
                                                     DGMI_DRAW_SMALL, false, page->look.ink,
                                                     page->figure->ring ? page->figure->ring
                                                                        : "they disagree most"));
}

static bool any_pile_is_capped(const dgmi_draw_page *page) {
    for (int64_t i = 0; i < page->count; i++) {
        const dgm_view *view = page->plots[i].panel->view;
        if (page->plots[i].panel->kind != DGMI_DRAW_PANEL_VIEW)
            continue;
        for (int64_t p = 0; view->dust && p < view->dust->pile_count; p++)
            if (dgmi_draw_view_pile_area(view, &view->dust->piles[p]) > view->largest)
                return true;
    }
    return false;
}

double dgmi_draw_legend_dust(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                             double width) {
    char text[160], least[DGMI_DRAW_WORDS_SPACE];
    dgmi_draw_dust_disc(page, x + 1.5, y + 1.6, 1.3);
    dgmi_draw_dust_grains(page, x + 1.5, y + 1.6, 1.3);
    snprintf(text, sizeof text, "dust: clusters of fewer than %s nodes, folded%s",
             dgmi_draw_view_count(plot->panel->view->dust->least, least),
             any_pile_is_capped(page) ? ", up to the size of the largest cluster" : "");
    return fmax(DGMI_DRAW_LINE, dgmi_draw_words_wrap(page->list, x + 4.2, y + 0.2, width - 4.2,
                                                     DGMI_DRAW_SMALL, false, page->look.ink, text));
}

double dgmi_draw_legend_nodes(dgmi_draw_page *page, const dgmi_draw_plot *plot, double x, double y,
                              double width) {
    const dgm_view *view = plot->panel->view;
    return dgmi_draw_words_wrap(page->list, x, y, width, DGMI_DRAW_SMALL, false, page->look.faint,
                                view->kind == DGM_VIEW_GRAPH ? "a dot is a node, a line an edge"
                                : view->source[0]            ? "a dot is a node"
                                                             : "a dot is a point");
}

double dgmi_draw_legend_sizes_width(const dgmi_draw_page *page) {
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
