/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a figure, and the files that draw it.
 *
 * A figure holds what was asked for. To draw it, a page is made first, on which each panel gets its
 * box, its scale and its colours; then the page is drawn into a display list (draw_list.h), and
 * that is written as bytes.
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

/* Marks that an outline goes around. */
typedef struct dgmi_draw_region {
    uint32_t *marks; /* at least one */
    int64_t count, colour;
    char *name; /* or NULL */
} dgmi_draw_region;

/* A strip between two heights, in the view's units. */
typedef struct dgmi_draw_band {
    double low, high;
    int64_t colour;
    int64_t column; /* where its bar stands: those of bands that overlap stand side by side */
    char *name;     /* or NULL */
} dgmi_draw_band;

typedef struct dgmi_draw_panel {
    dgmi_draw_panel_kind kind;
    char *title; /* or NULL */
    bool framed; /* a line goes around it and its title */
    /* VIEW */
    const dgm_view *view;
    char *colour;
    uint32_t *ringed;
    int64_t ringed_count;
    dgmi_draw_region *regions;
    int64_t region_count, region_capacity;
    dgmi_draw_band *bands;
    int64_t band_count, band_capacity;
    /* BARCODE, LINES */
    int64_t steps, rows; /* the number of steps, and of bars or lines */
    char **step_names, **row_names;
    dgm_figure_bar *bars; /* BARCODE: `rows` bars */
    double *values;       /* LINES: `steps` values for each row */
} dgmi_draw_panel;

/* What the text beside a mark says. */
typedef enum dgmi_draw_naming {
    DGMI_DRAW_NAMING_AUTO,    /* its class, or how many members it has */
    DGMI_DRAW_NAMING_NUMBERS, /* its number: #12 */
    DGMI_DRAW_NAMING_MEMBERS, /* its member with the most neighbours, "and 12 more" */
} dgmi_draw_naming;

struct dgm_figure {
    dgm_context *ctx;
    dgm_figure_options options;
    char *colour, *colormap; /* owned copies of the texts in `options` */
    char *ring;              /* what a ring means; NULL: "they disagree most" */
    double width, height;    /* in mm; a height of 0 means as much as the content takes */
    dgmi_draw_naming naming;
    int64_t names;   /* the largest number of marks that have a text */
    int64_t columns; /* panels in a row; 0: as square as possible */
    bool aligned;    /* all views are drawn in one plane */
    dgmi_draw_panel *panels;
    int64_t count, capacity;
    char **notes;
    int64_t note_count, note_capacity;
};

/* ---- the page ---- */

typedef struct dgmi_draw_box {
    double x, y, width, height; /* mm */
} dgmi_draw_box;

/* What a panel leaves free around its marks, for outlines and names. */
typedef struct dgmi_draw_room {
    double left, right, above, below; /* mm */
} dgmi_draw_room;

/* The colours of everything that does not show data. */
typedef struct dgmi_draw_look {
    dgmi_draw_colour ground, ink, faint, rule, link, ring;
} dgmi_draw_look;

/* How the units of a view become millimetres of the page: origin + scale * unit, with y turned
 * over. */
typedef struct dgmi_draw_frame {
    double left, top, right, bottom; /* the part that is shown, in the view's units, y upwards */
    double largest;                  /* the largest radius, in the view's units */
    double scale, x, y;              /* the scale and the origin */
} dgmi_draw_frame;

/* Which links are drawn if there are too many to draw all of them. */
typedef enum dgmi_draw_choice {
    DGMI_DRAW_CHOICE_HEAVIEST, /* the heaviest; each is heavier than all that are left out */
    DGMI_DRAW_CHOICE_SAMPLE,   /* a sample, since all have the same weight */
    DGMI_DRAW_CHOICE_BOTH,     /* the heaviest, and a sample of lighter ones of equal weight */
} dgmi_draw_choice;

/* A panel and where it lies on the page. */
typedef struct dgmi_draw_plot {
    const dgmi_draw_panel *panel;
    dgmi_draw_box box; /* the box of the panel without its title */
    dgmi_draw_room room;
    dgmi_draw_frame frame;
    const double *x, *y,
        *radius;        /* the places of the marks in the view's units; a style may have its own */
    double shrink;      /* the factor of radii that makes sizes mean the same in every panel */
    int64_t heaviest;   /* the strength of a link of weight 1; 0: weights are not counts */
    int64_t widest;     /* the largest such strength over all panels */
    double slim;        /* the factor of widths if a panel has very many links; at most 1 */
    const char *colour; /* the colouring of the panel */
    dgmi_draw_paint paint;
    int64_t first_alike; /* the first plot of the same colouring, which has the legend for both */
    int64_t thin;        /* how many links are left out, because there are too many to be seen */
    int64_t *order;      /* the links in the order of drawing, of which the first `thin` are left
                            out; NULL: all are drawn, in an order that is found later */
    dgmi_draw_choice choice; /* which links are drawn if `thin` is not 0 */
} dgmi_draw_plot;

typedef struct dgmi_draw_page {
    dgm_context *ctx;
    const dgm_figure *figure;
    const dgm_figure_options *options;
    dgmi_draw_look look;
    dgmi_draw_plot *plots;
    int64_t count;
    bool across; /* the legend stands under the panels, its blocks side by side */
    bool backed; /* a panel has regions or bands, whose colours speak: marks without a colouring are
                    grey, and the links of graphs are drawn stronger */
    dgmi_draw_list *list;
} dgmi_draw_page;

enum { DGMI_DRAW_SMALL = 7, DGMI_DRAW_MEDIUM = 8 }; /* points of text */
#define DGMI_DRAW_LINE 3.1                          /* mm from one line of small text to the next */

/* ---- draw_page_paint.c ---- */

/* Colours the marks of every panel, and finds which panels share a legend. */
dgm_status dgmi_draw_page_paint(dgmi_draw_page *page);

/* ---- draw_page_frame.c ---- */

/* Finds the places of the marks, the frame and the room of every panel, and the widths of links. */
dgm_status dgmi_draw_page_frame(dgmi_draw_page *page);

/* ---- draw_panel.c: marks and links ---- */

/* Finds the part of the view that its marks take. */
void dgmi_draw_frame_of(dgmi_draw_plot *plot);
#define DGMI_DRAW_WIDEST_MARK 6.5 /* mm, the largest radius */
/* Returns the scale at which the frame fits, or a smaller one if its marks are few and large. */
double dgmi_draw_frame_scale(const dgmi_draw_frame *frame, double width, double height);
void dgmi_draw_frame_fit(dgmi_draw_frame *frame, dgmi_draw_box box);
double dgmi_draw_frame_x(const dgmi_draw_frame *frame, double x);
double dgmi_draw_frame_y(const dgmi_draw_frame *frame, double y);
/* Returns the radius of a mark on the page, in mm. */
double dgmi_draw_mark_radius(const dgmi_draw_plot *plot, int64_t mark);
/* Returns the count of shared nodes or graph edges that a weight of 1 stands for, or 0 if weights
 * are not proportional to counts. */
int64_t dgmi_draw_link_heaviest(const dgm_view *view);
/* Returns the width of a link of that weight, in mm. */
double dgmi_draw_link_width(const dgmi_draw_plot *plot, double weight);
/* Chooses the links to draw if there are too many to be seen: the heaviest, and among links of
 * equal weight a sample that is spread over all of them. */
dgm_status dgmi_draw_panel_choose(dgm_context *ctx, dgmi_draw_plot *plot);
/* These draw the mark of a pile of dust: a pale disc, and on it three grains. */
dgmi_draw_item *dgmi_draw_dust_disc(dgmi_draw_page *page, double x, double y, double radius);
void dgmi_draw_dust_grains(dgmi_draw_page *page, double x, double y, double radius);
#define DGMI_DRAW_RING       0.55 /* mm from a mark to the middle of its ring */
#define DGMI_DRAW_RING_WIDTH 0.45
dgm_status dgmi_draw_panel_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index);

/* ---- draw_region.c ---- */

/* Returns the room that the regions of a panel need. */
dgmi_draw_room dgmi_draw_region_room(const dgmi_draw_panel *panel);
/* Draws the outlines and fillings of the regions. */
dgm_status dgmi_draw_region_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot);
/* Writes the names of the regions, of which those that find no place are left out. `taken` has room
 * for a box per region, *count becomes the number of those that names took. */
dgm_status dgmi_draw_region_name(dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                 dgmi_draw_box *taken, int64_t *count);

/* ---- draw_band.c ---- */

/* Returns the room that the bars and names of the bands of a panel need. */
dgmi_draw_room dgmi_draw_band_room(const dgmi_draw_panel *panel);
dgm_status dgmi_draw_band_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot);

/* ---- draw_labels.c ---- */

/* Writes names beside the largest marks, where they hide neither each other nor other marks nor what
 * was written in the boxes `taken`. */
dgm_status dgmi_draw_labels_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                 const dgmi_draw_box *taken, int64_t taken_count);

/* ---- draw_chart.c: panels that are no views ---- */

void dgmi_draw_chart_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot, int64_t index);

/* ---- draw_legend.c ---- */

/* Returns the width that the longest entry of the legend needs, in mm. */
double dgmi_draw_legend_width(const dgmi_draw_page *page);
/* Draws the legend into page->list with its corner at (x, y), and returns its height. Its blocks
 * stand one under the other, or side by side with `across`. */
double dgmi_draw_legend_draw(dgmi_draw_page *page, double x, double y, double width, bool across);

/* ---- draw_footer.c ---- */

#define DGMI_DRAW_MARGIN 3.0  /* the margin of the page, in mm */
#define DGMI_DRAW_NARROW 95.0 /* mm; the legend of a narrower figure stands underneath */
/* Draws the notes and the line of parameters, from y downwards, and returns their height. */
double dgmi_draw_footer_draw(dgmi_draw_page *page, double y);

/* ---- draw_words.c: numbers and lines of text for people ---- */

enum { DGMI_DRAW_WORDS_SPACE = 64 };
/* Writes a number with about three digits: "0.0021", "12.5", "3.2e-7". Returns `buffer`. */
const char *dgmi_draw_words_number(double value, char buffer[DGMI_DRAW_WORDS_SPACE]);
/* Writes how large a cluster is: its number of nodes, or its weight, as "4.61". */
const char *dgmi_draw_words_size(const dgm_view *view, int64_t mark,
                                 char buffer[DGMI_DRAW_WORDS_SPACE]);
/* Finds round numbers from `low` to `high` and returns how many: at least two if the range is not
 * empty, and at most `most`, which is 4 or more. */
int dgmi_draw_words_ticks(double low, double high, int most, double *ticks);
/* Draws text in lines that are broken at blanks, but not around signs ("n = 5"), and returns their
 * height. */
double dgmi_draw_words_wrap(dgmi_draw_list *list, double x, double y, double width, double points,
                            bool bold, dgmi_draw_colour ink, const char *text);

#endif
