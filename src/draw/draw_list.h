/* SPDX-License-Identifier: Apache-2.0 */
/* The display list: what a page holds, in millimetres, y downwards, in the order of painting. One
 * list is written as SVG (draw_svg.c) and painted by Cairo into PDF and PNG (draw_cairo.c).
 *
 * Appending never fails at once: as with dgmi_text, the status is kept and checked at the end.
 */
#ifndef DRAW_LIST_H
#define DRAW_LIST_H

#include "dgm/draw.h"

#include "base_text.h"
#include "draw_colour.h"

typedef enum dgmi_draw_anchor {
    DGMI_DRAW_ANCHOR_START,
    DGMI_DRAW_ANCHOR_MIDDLE,
    DGMI_DRAW_ANCHOR_END
} dgmi_draw_anchor;

typedef enum dgmi_draw_item_kind {
    DGMI_DRAW_ITEM_OPEN,  /* a group begins: text is its id; its opacity holds for the whole */
    DGMI_DRAW_ITEM_CLOSE, /* and ends */
    DGMI_DRAW_ITEM_LINE,  /* (x, y) to (a, b), `width` wide, round ends */
    DGMI_DRAW_ITEM_DISC,  /* centre (x, y), radius a */
    DGMI_DRAW_ITEM_WEDGE, /* of the disc (x, y, a), from b to c in turns clockwise from the top */
    DGMI_DRAW_ITEM_RECT,  /* corner (x, y), a wide, b high */
    DGMI_DRAW_ITEM_FOUR, /* square around (x, y) of as much area as a disc of radius a; b: its turn,
                        0 stands on a side, 1 on a corner */
    DGMI_DRAW_ITEM_TEXT, /* baseline at (x, y), a points high, b degrees clockwise */
} dgmi_draw_item_kind;

typedef struct dgmi_draw_item {
    dgmi_draw_item_kind kind;
    dgmi_draw_anchor anchor; /* TEXT */
    bool bold;               /* TEXT */
    bool filled, stroked;    /* a stroked text has its stroke behind it, as a halo */
    double x, y, a, b, c;
    double width; /* of the stroke */
    double opacity;
    dgmi_draw_colour fill, stroke; /* a text has its fill, a line its stroke */
    int64_t text;                  /* offset into `words`, -1: none */
    int64_t title;                 /* likewise: what a pointer sees */
    int64_t id;                    /* likewise */
} dgmi_draw_item;

typedef struct dgmi_draw_list {
    dgm_context *ctx;
    double width, height; /* of the page, mm */
    bool paper;           /* there is a background */
    dgmi_draw_colour ground;
    char *title; /* of the document, or NULL; borrowed */
    dgmi_draw_item *items;
    int64_t count, capacity;
    dgmi_text words; /* terminated strings, one after another */
    dgm_status status;
    dgmi_draw_item spare; /* what a caller gets after a failure */
} dgmi_draw_list;

void dgmi_draw_list_init(dgmi_draw_list *list, dgm_context *ctx);
void dgmi_draw_list_free(dgmi_draw_list *list);

/* Every one returns the item, for setting what is not in its arguments (opacity, title, id, ...),
 * or a spare one after a failure: never NULL. Valid until the next call. */
dgmi_draw_item *dgmi_draw_list_open(dgmi_draw_list *list, const char *id);
void dgmi_draw_list_close(dgmi_draw_list *list);
dgmi_draw_item *dgmi_draw_list_line(dgmi_draw_list *list, double x1, double y1, double x2,
                                    double y2, double width, dgmi_draw_colour stroke);
dgmi_draw_item *dgmi_draw_list_disc(dgmi_draw_list *list, double x, double y, double radius,
                                    dgmi_draw_colour fill);
dgmi_draw_item *dgmi_draw_list_wedge(dgmi_draw_list *list, double x, double y, double radius,
                                     double from, double to, dgmi_draw_colour fill);
dgmi_draw_item *dgmi_draw_list_rect(dgmi_draw_list *list, double x, double y, double width,
                                    double height, dgmi_draw_colour fill);
/* A disc, or a square on a side or on a corner of as much area as a disc of that radius. */
dgmi_draw_item *dgmi_draw_list_shape(dgmi_draw_list *list, dgmi_draw_shape shape, double x,
                                     double y, double radius, dgmi_draw_colour fill);
/* The corners of such a square, clockwise. */
void dgmi_draw_item_corners(const dgmi_draw_item *item, double corners[4][2]);
dgmi_draw_item *dgmi_draw_list_text(dgmi_draw_list *list, double x, double y, double points,
                                    dgmi_draw_anchor anchor, dgmi_draw_colour fill,
                                    const char *text);
/* Keeps a string for title or id: dgmi_draw_item.title = dgmi_draw_list_words(...). Formatted ones may follow
 * one another while an item waits. */
int64_t dgmi_draw_list_words(dgmi_draw_list *list, const char *text);
/* What was kept there; NULL for -1. */
const char *dgmi_draw_list_string(const dgmi_draw_list *list, int64_t offset);

/* ---- draw_metrics.c ---- */

#define DGMI_DRAW_FONT  "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
#define DGMI_DRAW_POINT (25.4 / 72.0) /* mm */
/* Width of a line of text in mm, by the advance widths of Helvetica (and a wide guess for what it
 * does not have): the same everywhere, whatever fonts a machine has. */
double dgmi_draw_text_width(const char *text, double points, bool bold);
/* The text cut so that it fits, with an ellipsis; whole characters only. In `buffer`, which it
 * returns. */
const char *dgmi_draw_text_fit(const char *text, double points, bool bold, double width,
                               char *buffer, size_t size);
/* The character at *text, which is not at its end, as every writer shows it, and past it: U+FFFD
 * for bytes that are no UTF-8 and for control characters other than line ends and tabs. */
uint32_t dgmi_draw_text_next(const char **text);

/* ---- the two writers ---- */

/* Appends the document to text. */
void dgmi_draw_svg_write(const dgmi_draw_list *list, dgmi_text *text);
/* PDF or PNG, in a target of its own; both give DGM_ERROR_USAGE from a stand-in where the build has
 * no Cairo. */
dgm_status dgmi_draw_cairo_check(dgm_context *ctx);
dgm_status dgmi_draw_cairo_write(dgm_context *ctx, const dgmi_draw_list *list,
                                 dgm_figure_format format, int64_t dpi, char **bytes,
                                 size_t *length);

#endif
