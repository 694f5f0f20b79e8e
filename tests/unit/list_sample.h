/* SPDX-License-Identifier: Apache-2.0 */
/* A page whose display list is looked at item by item. Include after unit_fixture.h. */
#ifndef LIST_SAMPLE_H
#define LIST_SAMPLE_H

#include <math.h>
#include <stdio.h>

#include "draw_figure.h"

/* Colours that differ, so that each shows where it was taken. */
static const dgmi_draw_look sample_look = {{255, 255, 255}, {1, 1, 1}, {2, 2, 2},
                                           {3, 3, 3},       {4, 4, 4}, {5, 5, 5}};

typedef struct sheet {
    dgmi_draw_page page;
    dgmi_draw_plot plot;
    dgmi_draw_list list;
    int64_t at; /* the next item to look at */
} sheet;

/* A page with the first panel of the figure in that box. */
static inline void sheet_open(sheet *s, const dgm_figure *figure, dgmi_draw_box box) {
    *s = (sheet){.plot = {.box = box, .shrink = 1, .slim = 1}};
    dgmi_draw_list_init(&s->list, ctx);
    s->plot.panel = figure->panels;
    s->page = (dgmi_draw_page){.ctx = ctx,
                               .figure = figure,
                               .options = &figure->options,
                               .look = sample_look,
                               .plots = &s->plot,
                               .count = 1,
                               .list = &s->list};
}

static inline void sheet_close(sheet *s) {
    assert_int_equal(s->list.status, DGM_OK);
    dgmi_draw_list_free(&s->list);
}

static inline const char *word_at(const sheet *s, int64_t offset) {
    return offset < 0 ? "" : dgmi_draw_list_string(&s->list, offset);
}

static inline bool same_colour(dgmi_draw_colour a, dgmi_draw_colour b) {
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

static inline const dgmi_draw_item *next_item(sheet *s, dgmi_draw_item_kind kind) {
    assert_true(s->at < s->list.count);
    const dgmi_draw_item *item = &s->list.items[s->at++];
    if (item->kind != kind)
        fail_msg("item %d is of kind %d, and not %d", (int)s->at - 1, item->kind, kind);
    return item;
}

static inline void assert_places(const dgmi_draw_item *item, double x, double y, double a,
                                 double b) {
    assert_near(item->x, x, 1e-9);
    assert_near(item->y, y, 1e-9);
    assert_near(item->a, a, 1e-9);
    assert_near(item->b, b, 1e-9);
}

static inline const dgmi_draw_item *expect_line(sheet *s, double x1, double y1, double x2,
                                                double y2, double width, dgmi_draw_colour stroke) {
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_LINE);
    assert_places(item, x1, y1, x2, y2);
    assert_near(item->width, width, 1e-9);
    assert_true(item->stroked && same_colour(item->stroke, stroke));
    return item;
}

static inline const dgmi_draw_item *expect_disc(sheet *s, double x, double y, double radius,
                                                dgmi_draw_colour fill) {
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_DISC);
    assert_places(item, x, y, radius, 0);
    assert_true(item->filled && same_colour(item->fill, fill));
    return item;
}

static inline const dgmi_draw_item *expect_rect(sheet *s, double x, double y, double width,
                                                double height, dgmi_draw_colour fill) {
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_RECT);
    assert_places(item, x, y, width, height);
    assert_true(same_colour(item->fill, fill));
    return item;
}

/* A text of small letters. */
static inline const dgmi_draw_item *expect_text(sheet *s, double x, double y,
                                                dgmi_draw_anchor anchor, dgmi_draw_colour ink,
                                                const char *words) {
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_TEXT);
    assert_string_equal(word_at(s, item->text), words);
    assert_places(item, x, y, DGMI_DRAW_SMALL, 0);
    assert_int_equal(item->anchor, anchor);
    assert_true(same_colour(item->fill, ink));
    return item;
}

/* The width of small letters. */
static inline double small_width(const char *words) {
    return dgmi_draw_text_width(words, DGMI_DRAW_SMALL, false);
}

#endif
