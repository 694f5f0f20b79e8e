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
    dgmi_free(list->ctx, list->points);
    dgmi_text_free(&list->words);
    list->items = NULL;
    list->points = NULL;
    list->count = list->capacity = list->point_count = list->point_capacity = 0;
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

dgmi_draw_item *dgmi_draw_list_hull(dgmi_draw_list *list, const dgmi_draw_point *corners,
                                    int64_t count, double distance, dgmi_draw_colour fill) {
    void *points = list->points;
    if (count == 1)
        return dgmi_draw_list_disc(list, corners[0].x, corners[0].y, distance, fill);
    if (list->status == DGM_OK)
        list->status = dgmi_reserve(list->ctx, &points, &list->point_capacity,
                                    list->point_count + count, sizeof *list->points);
    list->points = points;
    dgmi_draw_item hull = filled(DGMI_DRAW_ITEM_HULL, corners[0].x, corners[0].y, fill);
    hull.a = distance;
    hull.first = list->point_count;
    hull.corners = count;
    if (list->status == DGM_OK) {
        memcpy(list->points + list->point_count, corners, (size_t)count * sizeof *corners);
        list->point_count += count;
    }
    return append(list, hull);
}

/* The unit normal of the side from p to q on the left of the way, which is outside. */
static dgmi_draw_point normal_of(dgmi_draw_point p, dgmi_draw_point q) {
    double dx = q.x - p.x, dy = q.y - p.y, length = hypot(dx, dy);
    return (dgmi_draw_point){dy / length, -dx / length};
}

/* The turn is that from one normal to the next. Rounding may make a straight corner turn back by a
 * little, and the end of a line turn by a little less than -pi instead of pi. */
dgmi_draw_arc dgmi_draw_item_arc(const dgmi_draw_list *list, const dgmi_draw_item *item,
                                 int64_t index) {
    const dgmi_draw_point *corners = list->points + item->first;
    dgmi_draw_point at = corners[index];
    dgmi_draw_point before = normal_of(corners[(index + item->corners - 1) % item->corners], at);
    dgmi_draw_point after = normal_of(at, corners[(index + 1) % item->corners]);
    double turn =
        atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y);
    if (turn < 0)
        turn = turn < -M_PI / 2 ? turn + 2 * M_PI : 0;
    return (dgmi_draw_arc){at.x, at.y, atan2(before.y, before.x), turn};
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
