/* SPDX-License-Identifier: Apache-2.0 */
/* A figure under way: panels, and the parts that lay them onto the page.
 *
 * Rendering goes figure -> page (boxes, scales and paints are found) -> display list -> bytes.
 */
#ifndef DRAW_FIGURE_H
#define DRAW_FIGURE_H

#include "draw_list.h"
#include "draw_paint.h"

/* ---- what was asked for ---- */

typedef enum dgmi_draw_panel_kind {
    DGMI_DRAW_PANEL_VIEW,
    DGMI_DRAW_PANEL_BARCODE,
    DGMI_DRAW_PANEL_LINES,
} dgmi_draw_panel_kind;

typedef struct dgmi_draw_panel {
    dgmi_draw_panel_kind kind;
    char *title; /* or NULL */
    /* VIEW */
    const dgm_view *view;
    char *colour;
    uint32_t *ringed;
    int64_t ringed_count;
    /* BARCODE, LINES */
    int64_t steps, rows;
    char **step_names, **row_names;
    dgm_figure_bar *bars; /* rows of them */
    double *values;       /* rows * steps */
} dgmi_draw_panel;

/* What marks are named by. */
typedef enum dgmi_draw_naming {
    DGMI_DRAW_NAMING_AUTO,    /* their class, or how many members they have */
    DGMI_DRAW_NAMING_NUMBERS, /* #12 */
    DGMI_DRAW_NAMING_MEMBERS, /* the member with the most neighbours, "and 12 more" */
} dgmi_draw_naming;

struct dgm_figure {
    dgm_context *ctx;
    dgm_figure_options options;
    char *colour, *colormap; /* owned copies of the options' */
    double width, height;    /* mm; height 0: what the content takes */
    dgmi_draw_naming naming;
    int64_t names; /* at most so many */
    int64_t columns;
    dgmi_draw_panel *panels;
    int64_t count, capacity;
    char **notes;
    int64_t note_count, note_capacity;
};

/* ---- the page ---- */

typedef struct dgmi_draw_box {
    double x, y, width, height; /* mm */
} dgmi_draw_box;

/* Colours of everything that is no data. */
typedef struct dgmi_draw_look {
    dgmi_draw_colour ground, ink, faint, rule, link, ring;
} dgmi_draw_look;

/* From a view's units to the page: mm = origin + scale * unit, y turned over. */
typedef struct dgmi_draw_frame {
    double left, top, right, bottom; /* what is to be shown, in the view's units; y upwards */
    double largest;                  /* radius, likewise */
    double scale, x, y;
} dgmi_draw_frame;

/* Which links are drawn where not all of them are. */
typedef enum dgmi_draw_choice {
    DGMI_DRAW_CHOICE_HEAVIEST, /* every one that is heavier than all that are left out */
    DGMI_DRAW_CHOICE_SAMPLE,   /* any: all weigh the same */
    DGMI_DRAW_CHOICE_BOTH, /* the heaviest, and some of those that weigh less and all the same */
} dgmi_draw_choice;

/* A panel on its way onto the page. */
typedef struct dgmi_draw_plot {
    const dgmi_draw_panel *panel;
    dgmi_draw_box box; /* without the title */
    dgmi_draw_frame frame;
    const double *x, *y,
        *radius;      /* of the marks, in the view's units: the style may want its own */
    double shrink;    /* of radii, so that a size means the same in every panel */
    int64_t heaviest; /* strength of a link of weight 1; 0: weights are no counts */
    int64_t widest;   /* likewise over all panels of such links: the widest there is */
    double slim;      /* of widths, where a panel has very many links: at most 1 */
    const char *colour;
    dgmi_draw_paint paint;
    int64_t first_alike; /* first plot of the same colouring (itself mostly): one legend */
    int64_t thin;        /* links left out, where there are too many to be seen */
    int64_t *order;      /* links in the order of drawing, the first `thin` left out; NULL: all are
                            drawn, in an order that is found when they are */
    dgmi_draw_choice choice; /* what the others have before them */
} dgmi_draw_plot;

typedef struct dgmi_draw_page {
    dgm_context *ctx;
    const dgm_figure *figure;
    const dgm_figure_options *options;
    dgmi_draw_look look;
    dgmi_draw_plot *plots;
    int64_t count;
    bool across; /* the legend stands under the panels, its blocks side by side */
    dgmi_draw_list *list;
} dgmi_draw_page;

enum { DGMI_DRAW_SMALL = 7, DGMI_DRAW_MEDIUM = 8 }; /* points of text */
#define DGMI_DRAW_LINE 3.1                          /* mm from one line of small text to the next */

/* ---- draw_panel.c: marks and links ---- */

/* The part of the view that its marks take. */
void dgmi_draw_frame_of(dgmi_draw_plot *plot);
#define DGMI_DRAW_WIDEST_MARK 6.5 /* mm, the largest radius */
/* The scale at which the frame fits; where its marks are few and large, a smaller one. */
double dgmi_draw_frame_scale(const dgmi_draw_frame *frame, double width, double height);
void dgmi_draw_frame_fit(dgmi_draw_frame *frame, dgmi_draw_box box);
double dgmi_draw_frame_x(const dgmi_draw_frame *frame, double x);
double dgmi_draw_frame_y(const dgmi_draw_frame *frame, double y);
/* The mark's radius on the page, mm. */
double dgmi_draw_mark_radius(const dgmi_draw_plot *plot, int64_t mark);
/* What weight 1 stands for, if weights are as the counts of shared nodes or graph edges; 0
 * otherwise. */
int64_t dgmi_draw_link_heaviest(const dgm_view *view);
/* Width in mm of a link of that weight. */
double dgmi_draw_link_width(const dgmi_draw_plot *plot, double weight);
/* Chooses the links to draw where there are too many to be seen: the heaviest, and of those that
 * weigh the same a sample that is spread over all of them. */
dgm_status dgmi_draw_panel_choose(dgm_context *ctx, dgmi_draw_plot *plot);
#define DGMI_DRAW_RING       0.55 /* mm from a mark to the middle of its ring */
#define DGMI_DRAW_RING_WIDTH 0.45
dgm_status dgmi_draw_panel_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index);

/* ---- draw_labels.c ---- */

/* Names of the largest marks, where they hide neither each other nor other marks. */
dgm_status dgmi_draw_labels_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot);

/* ---- draw_chart.c: panels that are no views ---- */

void dgmi_draw_chart_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index);

/* ---- draw_legend.c ---- */

/* The width that its longest entry would like to have, mm. */
double dgmi_draw_legend_width(const dgmi_draw_page *page);
/* Draws the legend into page->list from (x, y) on, one block under the other or, where `across`,
 * side by side; returns the height that it takes. */
double dgmi_draw_legend_draw(dgmi_draw_page *page, double x, double y, double width, bool across);

/* ---- draw_footer.c ---- */

#define DGMI_DRAW_MARGIN 3.0  /* mm, of the page */
#define DGMI_DRAW_NARROW 95.0 /* mm: a narrower figure has its legend underneath */
/* Notes and the line of parameters, from y downwards; returns their height. */
double dgmi_draw_footer_draw(dgmi_draw_page *page, double y);

/* ---- draw_words.c: numbers and lines of text for people ---- */

enum { DGMI_DRAW_WORDS_SPACE = 64 };
/* A number to about three digits: "0.0021", "12.5", "3.2e-7". */
const char *dgmi_draw_words_number(double value, char buffer[DGMI_DRAW_WORDS_SPACE]);
/* Round numbers in low .. high, at least two where the range is not empty, at most `most`, which is
 * 4 or more; their count. */
int dgmi_draw_words_ticks(double low, double high, int most, double *ticks);
/* Draws text broken into lines at blanks, but not around signs ("n = 5"); returns the height. */
double dgmi_draw_words_wrap(dgmi_draw_list *list, double x, double y, double width, double points,
                            bool bold, dgmi_draw_colour ink, const char *text);

#endif
