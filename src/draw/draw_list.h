/* SPDX-License-Identifier: Apache-2.0 */
/* The display list: everything that is drawn on a page, in the order of painting, in millimetres
 * with y downwards. The same list is written as SVG (draw_svg.c), or painted by Cairo into PDF and
 * PNG (draw_cairo.c).
 *
 * Appending returns no status. The list keeps the first failure in `status`, as dgmi_text does, and
 * the caller checks it at the end.
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
    DGMI_DRAW_ITEM_OPEN,  /* the beginning of a group; `text` is its id, and its opacity holds for
                             the group as a whole */
    DGMI_DRAW_ITEM_CLOSE, /* the end of a group */
    DGMI_DRAW_ITEM_LINE,  /* a line from (x, y) to (a, b), `width` wide, with round ends */
    DGMI_DRAW_ITEM_DISC,  /* a disc with centre (x, y) and radius a */
    DGMI_DRAW_ITEM_WEDGE, /* a wedge of that disc, from b to c in turns clockwise from the top */
    DGMI_DRAW_ITEM_RECT,  /* a rectangle with the corner (x, y), a wide and b high */
    DGMI_DRAW_ITEM_FOUR,  /* a square around (x, y) with the area of a disc of radius a; it stands
                             on a side if b is 0 and on a corner if b is 1 */
    DGMI_DRAW_ITEM_HULL,  /* what is not farther than a from a convex polygon, whose corners are
                             `corners` points of the list from `first` on, clockwise */
    DGMI_DRAW_ITEM_TEXT,  /* a text with its baseline at (x, y), a points high, turned clockwise by
                             b degrees */
} dgmi_draw_item_kind;

typedef struct dgmi_draw_item {
    dgmi_draw_item_kind kind;
    dgmi_draw_anchor anchor; /* TEXT */
    bool bold;               /* TEXT */
    bool filled, stroked;    /* the stroke of a text lies behind it, as a halo */
    double x, y, a, b, c;    /* as the kind says */
    double width;            /* the width of the stroke */
    double opacity;
    dgmi_draw_colour fill, stroke; /* a text has the colour `fill`, a line `stroke` */
    int64_t first, corners;        /* HULL */
    /* Offsets into the words of the list; -1: none. */
    int64_t text;
    int64_t title; /* what is shown when the pointer rests on the item */
    int64_t id;
} dgmi_draw_item;

typedef struct dgmi_draw_point {
    double x, y;
} dgmi_draw_point;

typedef struct dgmi_draw_list {
    dgm_context *ctx;
    double width, height; /* the size of the page, in mm */
    bool paper;           /* the page has a background */
    dgmi_draw_colour ground;
    char *title; /* the title of the document, or NULL; it stays the caller's */
    dgmi_draw_item *items;
    int64_t count, capacity;
    dgmi_draw_point *points; /* the corners of hulls */
    int64_t point_count, point_capacity;
    dgmi_text words;      /* texts, each with its final 0, one after another */
    dgm_status status;    /* the first failure */
    dgmi_draw_item spare; /* the item that a caller gets after a failure */
} dgmi_draw_list;

void dgmi_draw_list_init(dgmi_draw_list *list, dgm_context *ctx);
void dgmi_draw_list_free(dgmi_draw_list *list);

/* Each of these appends an item and returns it, so that the caller can set what is not among the
 * arguments (opacity, title, id, ...). After a failure they return the spare item, never NULL. The
 * pointer is valid until the next call. */
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
/* Appends a disc, or a square with the area of a disc of that radius, which stands on a side or on
 * a corner. */
dgmi_draw_item *dgmi_draw_list_shape(dgmi_draw_list *list, dgmi_draw_shape shape, double x,
                                     double y, double radius, dgmi_draw_colour fill);
/* The corners of such a square, clockwise. */
void dgmi_draw_item_corners(const dgmi_draw_item *item, double corners[4][2]);
/* Appends the hull of a convex polygon, whose corners are given clockwise; one corner makes a disc,
 * and two make a line with round ends. */
dgmi_draw_item *dgmi_draw_list_hull(dgmi_draw_list *list, const dgmi_draw_point *corners,
                                    int64_t count, double distance, dgmi_draw_colour fill);
/* The outline of a hull around its corner `index`: an arc around (x, y) from the angle `from`, which
 * is counted clockwise from the right in radians, over `turn`, which is 0 or more. A straight line
 * leads from its end to the arc of the next corner. */
typedef struct dgmi_draw_arc {
    double x, y, from, turn;
} dgmi_draw_arc;
dgmi_draw_arc dgmi_draw_item_arc(const dgmi_draw_list *list, const dgmi_draw_item *item,
                                 int64_t index);
dgmi_draw_item *dgmi_draw_list_text(dgmi_draw_list *list, double x, double y, double points,
                                    dgmi_draw_anchor anchor, dgmi_draw_colour fill,
                                    const char *text);
/* Stores a text for the title or the id of an item and returns its offset. */
int64_t dgmi_draw_list_words(dgmi_draw_list *list, const char *text);
/* Returns the text at that offset, or NULL for -1. */
const char *dgmi_draw_list_string(const dgmi_draw_list *list, int64_t offset);

/* ---- draw_metrics.c ---- */

#define DGMI_DRAW_FONT  "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
#define DGMI_DRAW_POINT (25.4 / 72.0) /* mm */
/* Returns the width of a line of text in mm, by the advance widths of Helvetica, and a wide guess
 * for characters that it does not have. So the width does not depend on the fonts of a machine. */
double dgmi_draw_text_width(const char *text, double points, bool bold);
/* Writes the text into `buffer`, which it returns. If the text is too wide, it is cut between two
 * characters and ends with an ellipsis. */
const char *dgmi_draw_text_fit(const char *text, double points, bool bold, double width,
                               char *buffer, size_t size);
/* Returns the character at *text, which is not the end of the text, and moves *text past it. Bytes
 * that are not UTF-8, and control characters other than line ends and tabs, give U+FFFD. */
uint32_t dgmi_draw_text_next(const char **text);

/* ---- the two writers ---- */

/* Appends the document to text. */
void dgmi_draw_svg_write(const dgmi_draw_list *list, dgmi_text *text);
/* These check for Cairo, and write PDF or PNG. In a build without Cairo both return DGM_ERROR_USAGE
 * (draw_cairo_none.c). */
dgm_status dgmi_draw_cairo_check(dgm_context *ctx);
dgm_status dgmi_draw_cairo_write(dgm_context *ctx, const dgmi_draw_list *list,
                                 dgm_figure_format format, int64_t dpi, char **bytes,
                                 size_t *length);

#endif
