/* SPDX-License-Identifier: Apache-2.0 */
/* Appends items to the display list of a page. */
#include "draw_list.h"

#include <math.h>
#include <string.h>

#include "base_memory.h"

void dgmi_draw_list_init(dgmi_draw_list *list, dgm_context *ctx) {
    memset(list, 0, sizeof *list);
    list->ctx = ctx;
    dgmi_text_init(&list->words, ctx);
}

void dgmi_draw_list_free(dgmi_draw_list *list) {
    dgmi_free(list->ctx, list->items);
    dgmi_text_free(&list->words);
    list->items = NULL;
    list->count = list->capacity = 0;
}

int64_t dgmi_draw_list_words(dgmi_draw_list *list, const char *text) {
    int64_t offset = list->words.length;
    if (!text || list->status != DGM_OK)
        return -1;
    dgmi_text_append(&list->words, text, strlen(text) + 1);
    list->status = list->words.status;
    return list->status == DGM_OK ? offset : -1;
}

const char *dgmi_draw_list_string(const dgmi_draw_list *list, int64_t offset) {
    return offset >= 0 ? list->words.data + offset : NULL;
}

static dgmi_draw_item *append(dgmi_draw_list *list, dgmi_draw_item item) {
    void *items = list->items;
    item.opacity = 1;
    item.title = item.id = -1;
    if (list->status == DGM_OK)
        list->status =
            dgmi_reserve(list->ctx, &items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items = items;
    dgmi_draw_item *place = list->status == DGM_OK ? &list->items[list->count++] : &list->spare;
    *place = item;
    return place;
}

dgmi_draw_item *dgmi_draw_list_open(dgmi_draw_list *list, const char *id) {
    return append(list, (dgmi_draw_item){.kind = DGMI_DRAW_ITEM_OPEN,
                                         .text = dgmi_draw_list_words(list, id)});
}

void dgmi_draw_list_close(dgmi_draw_list *list) {
    append(list, (dgmi_draw_item){.kind = DGMI_DRAW_ITEM_CLOSE, .text = -1});
}

dgmi_draw_item *dgmi_draw_list_line(dgmi_draw_list *list, double x1, double y1, double x2,
                                    double y2, double width, dgmi_draw_colour stroke) {
    return append(list, (dgmi_draw_item){.kind = DGMI_DRAW_ITEM_LINE,
                                         .x = x1,
                                         .y = y1,
                                         .a = x2,
                                         .b = y2,
                                         .width = width,
                                         .stroked = true,
                                         .stroke = stroke,
                                         .text = -1});
}

static dgmi_draw_item filled(dgmi_draw_item_kind kind, double x, double y, dgmi_draw_colour fill) {
    return (dgmi_draw_item){.kind = kind, .x = x, .y = y, .filled = true, .fill = fill, .text = -1};
}

dgmi_draw_item *dgmi_draw_list_disc(dgmi_draw_list *list, double x, double y, double radius,
                                    dgmi_draw_colour fill) {
    dgmi_draw_item disc = filled(DGMI_DRAW_ITEM_DISC, x, y, fill);
    disc.a = radius;
    return append(list, disc);
}

dgmi_draw_item *dgmi_draw_list_wedge(dgmi_draw_list *list, double x, double y, double radius,
                                     double from, double to, dgmi_draw_colour fill) {
    dgmi_draw_item wedge = filled(DGMI_DRAW_ITEM_WEDGE, x, y, fill);
    wedge.a = radius;
    wedge.b = from;
    wedge.c = to;
    return append(list, wedge);
}

dgmi_draw_item *dgmi_draw_list_rect(dgmi_draw_list *list, double x, double y, double width,
                                    double height, dgmi_draw_colour fill) {
    dgmi_draw_item rect = filled(DGMI_DRAW_ITEM_RECT, x, y, fill);
    rect.a = width;
    rect.b = height;
    return append(list, rect);
}

dgmi_draw_item *dgmi_draw_list_shape(dgmi_draw_list *list, dgmi_draw_shape shape, double x,
                                     double y, double radius, dgmi_draw_colour fill) {
    if (shape == DGMI_DRAW_SHAPE_DISC)
        return dgmi_draw_list_disc(list, x, y, radius, fill);
    dgmi_draw_item four = filled(DGMI_DRAW_ITEM_FOUR, x, y, fill);
    four.a = radius;
    four.b = shape == DGMI_DRAW_SHAPE_DIAMOND;
    return append(list, four);
}

/* A side of sqrt(pi) r, so that the area is pi r^2. */
void dgmi_draw_item_corners(const dgmi_draw_item *item, double corners[4][2]) {
    double half = sqrt(M_PI) * item->a / 2, reach = sqrt(2) * half;
    static const double on_side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const double on_corner[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    bool corner = item->b != 0;
    for (int i = 0; i < 4; i++) {
        const double *way = corner ? on_corner[i] : on_side[i];
        corners[i][0] = item->x + (corner ? reach : half) * way[0];
        corners[i][1] = item->y + (corner ? reach : half) * way[1];
    }
}

dgmi_draw_item *dgmi_draw_list_text(dgmi_draw_list *list, double x, double y, double points,
                                    dgmi_draw_anchor anchor, dgmi_draw_colour fill,
                                    const char *text) {
    dgmi_draw_item words = filled(DGMI_DRAW_ITEM_TEXT, x, y, fill);
    words.a = points;
    words.anchor = anchor;
    words.text = dgmi_draw_list_words(list, text);
    return append(list, words);
}
