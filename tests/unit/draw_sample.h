/* SPDX-License-Identifier: Apache-2.0 */
/* A page with every kind of item on it, and texts that are hard to write. Included after
 * unit_fixture.h. */
#ifndef DRAW_SAMPLE_H
#define DRAW_SAMPLE_H

#include <stdlib.h>

#include "draw_list.h"

static const dgmi_draw_colour sample_black = {0, 0, 0}, sample_white = {255, 255, 255},
                              sample_blue = {0, 114, 178}, sample_red = {213, 94, 0};

static const char *const sample_texts[] = {
    "a < b && c > d",
    "]]> \"double\" 'single'",
    "</text><script>alert(1)</script>",
    "\xF0\x9F\x98\x80 \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC", /* emoji, joined ones too */
    "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D (3)",                          /* Hebrew */
    "\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7 - 7",                  /* Arabic */
    "\xE2\x80\xAE mirrored", /* from right to left by force */
    "one\ntwo\r\n\tthree",
    "\x01\x02\x1B[31m\x7F\xC2\x85",           /* control characters */
    "\xFF\xC0\x80 \xED\xA0\x80 \xE2\x82 end", /* no UTF-8 */
    "\xEF\xBF\xBE\xEF\xBF\xBF",               /* U+FFFE, U+FFFF */
    "cut short \xF0\x9F",
    "",
    "   ",
};
enum { SAMPLE_TEXTS = sizeof sample_texts / sizeof *sample_texts };

static inline void sample_page(dgmi_draw_list *list, dgm_context *own) {
    static char title[] = "Sample <&> page";
    dgmi_draw_list_init(list, own);
    list->width = 60;
    list->height = 40;
    list->paper = true;
    list->ground = sample_white;
    list->title = title;
}

/* Lines at the top, shapes below, text at the foot. */
static inline void sample_items(dgmi_draw_list *list) {
    dgmi_draw_list_open(list, "edges");
    for (int i = 0; i < 3; i++) {
        dgmi_draw_item *line =
            dgmi_draw_list_line(list, 5, 5 + i, 55, 5.125 + 2 * i, 0.1, sample_black);
        line->opacity = 0.5;
        line->title = dgmi_draw_list_words(list, "0 & 1");
    }
    dgmi_draw_list_close(list);
    dgmi_draw_list_open(list, "nodes");
    dgmi_draw_item *disc = dgmi_draw_list_disc(list, 10, 20, 5, sample_blue);
    disc->id = dgmi_draw_list_words(list, "node-0");
    disc->stroked = true;
    disc->stroke = sample_white;
    disc->width = 0.2;
    disc->opacity = 0.75;
    dgmi_draw_list_wedge(list, 25, 20, 5, 0, 0.25, sample_red);
    dgmi_draw_list_wedge(list, 25, 20, 5, 0.25, 1, sample_blue);
    dgmi_draw_list_wedge(list, 40, 20, 5, 0.5, 1.5, sample_red);
    dgmi_draw_list_rect(list, 50, 15, 5, 10, sample_red)->filled = true;
    dgmi_draw_list_close(list);
    dgmi_draw_list_open(list, "labels");
    dgmi_draw_list_text(list, 5, 35, 8, DGMI_DRAW_ANCHOR_START, sample_black, "left");
    dgmi_draw_list_text(list, 30, 35, 8, DGMI_DRAW_ANCHOR_MIDDLE, sample_black, "middle")->bold =
        true;
    dgmi_draw_list_text(list, 55, 34, 8, DGMI_DRAW_ANCHOR_END, sample_black, "right")->b = -90;
    dgmi_draw_list_close(list);
}

/* 10,000 characters. */
static inline void sample_long_text(char text[10001]) {
    memset(text, 'm', 10000);
    text[10000] = '\0';
}

#endif
