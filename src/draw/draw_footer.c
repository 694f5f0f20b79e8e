/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what stands under the panels: the notes, and the line with the parameters of the summary.
 */
#include "draw_figure.h"

#include <ctype.h>
#include <string.h>

#define DOT " \xc2\xb7 " /* between parameters */

static bool same_text(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static bool same_data(const dgm_view *a, const dgm_view *b) {
    return same_text(a->source, b->source) && a->nodes == b->nodes;
}

static bool same_view(const dgm_view *a, const dgm_view *b) {
    return a == b;
}

static bool same_lens(const dgm_view *a, const dgm_view *b) {
    return same_data(a, b) && a->kind == b->kind &&
           (same_text(a->parameters, b->parameters) ||
            (a->lens_name[0] && same_text(a->lens_name, b->lens_name)));
}

/* The first panel that says the same of the plot's data, or of its lens: itself perhaps. */
static int64_t first_said(const dgmi_draw_page *page, int64_t plot,
                          bool (*alike)(const dgm_view *, const dgm_view *)) {
    const dgm_view *view = page->plots[plot].panel->view;
    int64_t i = 0;
    while (i < plot && (page->plots[i].panel->kind != DGMI_DRAW_PANEL_VIEW ||
                        !alike(page->plots[i].panel->view, view)))
        i++;
    return i;
}

/* Whether `part` stands between the dots of the parameters. */
static bool has_part(const char *parameters, const char *part, size_t length) {
    for (const char *at = parameters;; at += strlen(DOT)) {
        const char *end = strstr(at, DOT);
        size_t own = end ? (size_t)(end - at) : strlen(at);
        if (own == length && memcmp(at, part, length) == 0)
            return true;
        if (!end)
            return false;
        at = end;
    }
}

static bool all_have_part(const dgmi_draw_page *page, const dgm_view *view, const char *part,
                          size_t length) {
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].panel->kind == DGMI_DRAW_PANEL_VIEW &&
            same_lens(view, page->plots[i].panel->view) &&
            !has_part(page->plots[i].panel->view->parameters, part, length))
            return false;
    return true;
}

/* The parameters of a view, without those in which panels of the same lens differ: their titles say
 * how. */
static void write_shared(const dgmi_draw_page *page, const dgmi_draw_plot *plot, dgmi_text *text) {
    const dgm_view *view = plot->panel->view;
    bool whole = view->kind == DGM_VIEW_GRAPH;
    bool first = true;
    for (const char *at = plot->thin && whole ? "every node" : view->parameters; *at;) {
        const char *end = strstr(at, DOT);
        size_t length = end ? (size_t)(end - at) : strlen(at);
        if (whole || all_have_part(page, view, at, length)) {
            dgmi_text_string(text, first ? "" : DOT);
            dgmi_text_append(text, at, length);
            first = false;
        }
        at += length + (end ? strlen(DOT) : 0);
    }
}

/* "60,000 of 70,000 edges drawn, a sample". */
static void write_drawn(const dgmi_draw_plot *plot, dgmi_text *text) {
    static const char *const choices[] = {
        [DGMI_DRAW_CHOICE_HEAVIEST] = "the heaviest",
        [DGMI_DRAW_CHOICE_SAMPLE] = "a random sample",
        [DGMI_DRAW_CHOICE_BOTH] = "the heaviest, of equal ones a random sample",
    };
    char a[DGMI_DRAW_WORDS_SPACE], b[DGMI_DRAW_WORDS_SPACE];
    int64_t links = plot->panel->view->link_count;
    dgmi_text_format(text, "%s of %s edges drawn, %s", dgmi_draw_view_count(links - plot->thin, a),
                     dgmi_draw_view_count(links, b), choices[plot->choice]);
}

static bool has_dust(const dgmi_draw_plot *plot) {
    return plot->panel->kind == DGMI_DRAW_PANEL_VIEW && plot->panel->view->dust;
}

/* "cora, 2,708 nodes, 5,278 edges: parameters" of every data set and lens that the panels show. */
static void write_parameters(const dgmi_draw_page *page, dgmi_text *text) {
    char a[DGMI_DRAW_WORDS_SPACE], b[DGMI_DRAW_WORDS_SPACE];
    for (int64_t i = 0; i < page->count; i++) {
        if (page->plots[i].panel->kind != DGMI_DRAW_PANEL_VIEW ||
            first_said(page, i, same_lens) != i)
            continue;
        const dgm_view *view = page->plots[i].panel->view;
        bool said = first_said(page, i, same_data) != i;
        if (text->length)
            dgmi_text_string(text, said ? " | " : ". ");
        if (!said && (view->source[0] || view->kind != DGM_VIEW_POINTS)) {
            dgmi_text_string(text, view->source[0] ? view->source : "graph");
            if (view->nodes > 0)
                dgmi_text_format(text, ", %s node%s, %s edge%s",
                                 dgmi_draw_view_count(view->nodes, a), view->nodes == 1 ? "" : "s",
                                 dgmi_draw_view_count(view->edges, b), view->edges == 1 ? "" : "s");
            if (view->parameters[0])
                dgmi_text_string(text, ": ");
        }
        write_shared(page, &page->plots[i], text);
        if (page->plots[i].thin) {
            dgmi_text_string(text, DOT);
            write_drawn(&page->plots[i], text);
        }
    }
    for (int64_t i = 0; i < page->count; i++)
        if (page->plots[i].thin && first_said(page, i, same_lens) != i &&
            first_said(page, i, same_view) == i) {
            dgmi_text_format(text, DOT "panel %lld: ", (long long)i + 1);
            write_drawn(&page->plots[i], text);
        }
}

/* How much dust is folded: of one view all about it, of several how much each has. */
static void write_dust(const dgmi_draw_page *page, dgmi_text *text) {
    const dgm_view *least = NULL, *most = NULL;
    int64_t views = 0;
    for (int64_t i = 0; i < page->count; i++) {
        const dgm_view *view = page->plots[i].panel->view;
        if (!has_dust(&page->plots[i]) || first_said(page, i, same_view) != i)
            continue;
        views++;
        least = !least || view->dust->clusters < least->dust->clusters ? view : least;
        most = !most || view->dust->clusters > most->dust->clusters ? view : most;
    }
    if (views)
        dgmi_text_string(text, text->length ? DOT : "");
    if (views == 1)
        dgmi_draw_dust_say_all(most, text);
    else if (views)
        dgmi_draw_dust_say_range(least, most, views, text);
}

/* Of a picture of one summary. */
static void write_plain(const dgmi_draw_page *page, dgmi_text *text) {
    const dgm_view *view = page->count == 1 && page->plots[0].panel->kind == DGMI_DRAW_PANEL_VIEW
                               ? page->plots[0].panel->view
                               : NULL;
    if (view && view->kind == DGM_VIEW_SUMMARY && view->summary && !view->summary->pooled)
        dgmi_draw_view_say_plainly(view, text);
}

double dgmi_draw_footer_draw(dgmi_draw_page *page, double y) {
    double width = page->figure->width - 2 * DGMI_DRAW_MARGIN, at = y;
    dgmi_text text;
    dgmi_text_init(&text, page->ctx);
    dgmi_draw_list_open(page->list, "parameters");
    for (int64_t i = 0; i < page->figure->note_count; i++)
        at += dgmi_draw_words_wrap(page->list, DGMI_DRAW_MARGIN, at, width, DGMI_DRAW_SMALL, false,
                                   page->look.ink, page->figure->notes[i]);
    write_plain(page, &text);
    if (text.status == DGM_OK && text.length) {
        text.data[0] = (char)toupper((unsigned char)text.data[0]);
        at += dgmi_draw_words_wrap(page->list, DGMI_DRAW_MARGIN, at, width, DGMI_DRAW_SMALL, false,
                                   page->look.ink, text.data);
        text.length = 0;
    }
    write_parameters(page, &text);
    write_dust(page, &text);
    if (text.status == DGM_OK && text.length)
        at += dgmi_draw_words_wrap(page->list, DGMI_DRAW_MARGIN, at, width, DGMI_DRAW_SMALL, false,
                                   page->look.faint, text.data);
    dgmi_draw_list_close(page->list);
    if (text.status != DGM_OK)
        page->list->status = text.status;
    dgmi_text_free(&text);
    return at - y;
}
