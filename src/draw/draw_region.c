/* SPDX-License-Identifier: Apache-2.0 */
/* Draws regions: translucent outlines around some marks of a view. An outline goes around the convex
 * hull of the marks' centres at an equal distance, which is a little more than the radius of the
 * largest of them. The hull is found by the monotone chain of A. M. Andrew (1979), O(n log n).
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"

#define AWAY    0.8  /* mm from the largest mark to the outline */
#define APART   0.35 /* mm by which outlines differ, so that they do not run along each other */
#define OUTLINE 0.35 /* mm, the width of the line */
#define BESIDE  0.5  /* mm from an outline to its name */
#define AROUND  0.3  /* mm between a name and marks */
enum { NESTED = 3 }; /* that many distances follow each other */

typedef struct {
    dgmi_draw_point *corners; /* clockwise; scratch memory */
    int64_t count;            /* 0: none of the marks is drawn */
    double distance;          /* mm */
} outline;

/* ---- outlines ---- */

static int compare_points(const void *a, const void *b) {
    const dgmi_draw_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Above 0 if the way from a over b to c turns clockwise on the page, whose y points downwards. */
static double turn_of(dgmi_draw_point a, dgmi_draw_point b, dgmi_draw_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Sorted points without repeats into corners, for which there is twice the room; returns how many. */
static int64_t chain(const dgmi_draw_point *points, int64_t count, dgmi_draw_point *corners) {
    int64_t used = 0;
    for (int way = 0; way < 2 && count > 1; way++) {
        int64_t start = used;
        for (int64_t i = 0; i < count; i++) {
            dgmi_draw_point next = points[way ? count - 1 - i : i];
            while (used - start >= 2 && turn_of(corners[used - 2], corners[used - 1], next) <= 0)
                used--;
            corners[used++] = next;
        }
        used--; /* the last point begins the other half */
    }
    if (count == 1)
        corners[used++] = points[0];
    return used;
}

/* The mark that shows the given one: itself, that of its pile of dust, or -1. */
static int64_t shown_by(const dgm_view *view, int64_t mark) {
    if (dgmi_draw_view_is_plain(view, mark))
        return mark;
    return view->dust_dropped ? -1 : (int64_t)view->dust->piles[view->dust->pile[mark]].first;
}

static dgm_status find_outline(dgm_context *ctx, const dgmi_draw_plot *plot, int64_t index,
                               outline *out) {
    const dgmi_draw_region *region = &plot->panel->regions[index];
    double largest = 0;
    int64_t count = 0, different = 0;
    *out = (outline){dgmi_scratch(ctx, 2 * region->count, sizeof *out->corners), 0, 0};
    dgmi_draw_point *points = dgmi_scratch(ctx, region->count, sizeof *points);
    if (!out->corners || !points)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < region->count; i++) {
        int64_t mark = shown_by(plot->panel->view, region->marks[i]);
        if (mark < 0)
            continue;
        points[count++] = (dgmi_draw_point){dgmi_draw_frame_x(&plot->frame, plot->x[mark]),
                                            dgmi_draw_frame_y(&plot->frame, plot->y[mark])};
        largest = fmax(largest, dgmi_draw_mark_radius(plot, mark));
    }
    qsort(points, (size_t)count, sizeof *points, compare_points);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || compare_points(&points[i], &points[different - 1]) != 0)
            points[different++] = points[i];
    out->count = chain(points, different, out->corners);
    out->distance = largest + AWAY + APART * (double)(index % NESTED);
    return DGM_OK;
}

/* ---- drawing ---- */

static dgmi_draw_colour colour_of(const dgmi_draw_page *page, const dgmi_draw_region *region) {
    return dgmi_draw_class_colour(page->options->style, page->options->theme,
                                  (int)(region->colour % DGMI_DRAW_CLASS_COLOURS));
}

/* Of a line or a name: pale colours are not seen on paper, nor dark ones in the dark. */
static dgmi_draw_colour ink_of(const dgmi_draw_page *page, const dgmi_draw_region *region) {
    return dgmi_draw_colour_mix(colour_of(page, region), page->look.ink, 0.25);
}

static void title_region(dgmi_draw_page *page, dgmi_draw_item *item, const dgmi_draw_plot *plot,
                         const dgmi_draw_region *region) {
    char text[256], count[DGMI_DRAW_WORDS_SPACE];
    static const char *const words[] = {
        [DGM_VIEW_SUMMARY] = "cluster", [DGM_VIEW_GRAPH] = "node", [DGM_VIEW_POINTS] = "point"};
    snprintf(text, sizeof text, "%.200s%s%s %s%s", region->name ? region->name : "",
             region->name ? ": " : "", dgmi_draw_view_count(region->count, count),
             words[plot->panel->view->kind], region->count == 1 ? "" : "s");
    item->title = dgmi_draw_list_words(page->list, text);
}

/* All fillings lie under all lines, so that no filling hides a line. */
dgm_status dgmi_draw_region_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot) {
    bool dark = page->options->theme == DGM_THEME_DARK;
    dgm_status status = DGM_OK;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < plot->panel->region_count && status == DGM_OK; i++) {
            const dgmi_draw_region *region = &plot->panel->regions[i];
            dgmi_hold hold = dgmi_arena_hold(page->ctx);
            outline around;
            status = find_outline(page->ctx, plot, i, &around);
            if (status == DGM_OK && around.count) {
                dgmi_draw_item *item =
                    dgmi_draw_list_hull(page->list, around.corners, around.count, around.distance,
                                        colour_of(page, region));
                item->filled = pass == 0;
                item->stroked = pass == 1;
                item->stroke = ink_of(page, region);
                item->width = OUTLINE;
                item->opacity = pass == 1 ? 0.9 : dark ? 0.26 : 0.2;
                title_region(page, item, plot, region);
            }
            dgmi_arena_release(page->ctx, hold);
        }
    return status == DGM_OK ? page->list->status : status;
}

/* ---- names ---- */

dgmi_draw_room dgmi_draw_region_room(const dgmi_draw_panel *panel) {
    double around = AWAY + APART * (NESTED - 1) + OUTLINE / 2;
    bool named = false;
    for (int64_t i = 0; i < panel->region_count; i++)
        named = named || panel->regions[i].name;
    if (!panel->region_count)
        return (dgmi_draw_room){0, 0, 0, 0};
    double above = around + (named ? BESIDE + DGMI_DRAW_SMALL * DGMI_DRAW_POINT : 0);
    return (dgmi_draw_room){around, around, above, above};
}

/* Whether a point lies within an outline. */
static bool is_within(const outline *around, double x, double y) {
    bool inside = around->count > 2;
    double nearest = INFINITY;
    for (int64_t i = 0; i < around->count; i++) {
        dgmi_draw_point p = around->corners[i], q = around->corners[(i + 1) % around->count];
        double dx = q.x - p.x, dy = q.y - p.y, length = dx * dx + dy * dy;
        double share = length > 0 ? ((x - p.x) * dx + (y - p.y) * dy) / length : 0;
        share = fmin(fmax(share, 0), 1);
        nearest = fmin(nearest, hypot(p.x + share * dx - x, p.y + share * dy - y));
        inside = inside && turn_of(p, q, (dgmi_draw_point){x, y}) >= 0;
    }
    return inside || nearest <= around->distance;
}

/* How many regions lie under a box: by its corners and its middle. */
static int64_t count_under(const outline *outlines, int64_t count, const dgmi_draw_box *box) {
    int64_t under = 0;
    for (int64_t i = 0; i < count; i++) {
        bool met = is_within(&outlines[i], box->x + box->width / 2, box->y + box->height / 2);
        for (int c = 0; c < 4; c++)
            met = met || is_within(&outlines[i], box->x + (c & 1 ? box->width : 0),
                                   box->y + (c & 2 ? box->height : 0));
        under += met;
    }
    return under;
}

static bool boxes_meet(const dgmi_draw_box *a, const dgmi_draw_box *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* Whether a name in the box stays in the panel and hides neither a mark nor another name. */
static bool is_free(const dgmi_draw_plot *plot, const dgmi_draw_box *box,
                    const dgmi_draw_box *taken, int64_t taken_count) {
    const dgmi_draw_box *panel = &plot->box;
    const dgm_view *view = plot->panel->view;
    if (box->x < panel->x || box->x + box->width > panel->x + panel->width || box->y < panel->y ||
        box->y + box->height > panel->y + panel->height)
        return false;
    for (int64_t i = 0; i < taken_count; i++)
        if (boxes_meet(box, &taken[i]))
            return false;
    for (int64_t m = 0; m < view->marks; m++) {
        if (!dgmi_draw_view_is_drawn(view, m))
            continue;
        double x = dgmi_draw_frame_x(&plot->frame, plot->x[m]);
        double y = dgmi_draw_frame_y(&plot->frame, plot->y[m]);
        double dx = fmax(fmax(box->x - x, 0), x - (box->x + box->width));
        double dy = fmax(fmax(box->y - y, 0), y - (box->y + box->height));
        if (hypot(dx, dy) < dgmi_draw_mark_radius(plot, m) + AROUND)
            return false;
    }
    return true;
}

/* A box of that size outside the outline, away from a point of the polygon in the direction (x, y). */
static dgmi_draw_box box_beside(const outline *around, dgmi_draw_point from, double x, double y,
                                const dgmi_draw_box *size) {
    double away = around->distance + OUTLINE / 2 + BESIDE;
    return (dgmi_draw_box){from.x + x * (away + size->width / 2) - size->width / 2,
                           from.y + y * (away + size->height / 2) - size->height / 2, size->width,
                           size->height};
}

static dgmi_draw_point farthest(const outline *around, double x, double y) {
    dgmi_draw_point far = around->corners[0];
    for (int64_t i = 1; i < around->count; i++)
        if (around->corners[i].x * x + around->corners[i].y * y > far.x * x + far.y * y)
            far = around->corners[i];
    return far;
}

/* Places for the name of a region: in eight directions from the corner that is farthest there, above
 * first, then along the sides. */
enum { WAYS = 8, ON_SIDE = 3 };

static dgmi_draw_box try_place(const outline *around, int64_t index, const dgmi_draw_box *size) {
    static const double ways[WAYS][2] = {{0, -1},   {0, 1},     {1, 0},    {-1, 0},
                                         {.7, -.7}, {-.7, -.7}, {-.7, .7}, {.7, .7}};
    if (index < WAYS)
        return box_beside(around, farthest(around, ways[index][0], ways[index][1]), ways[index][0],
                          ways[index][1], size);
    int64_t side = (index - WAYS) / ON_SIDE;
    double share = (double)((index - WAYS) % ON_SIDE + 1) / (ON_SIDE + 1);
    dgmi_draw_point p = around->corners[side], q = around->corners[(side + 1) % around->count];
    double dx = q.x - p.x, dy = q.y - p.y, length = hypot(dx, dy);
    return box_beside(around, (dgmi_draw_point){p.x + share * dx, p.y + share * dy}, dy / length,
                      -dx / length, size);
}

/* Where the fewest regions are under it, of such places the first. */
static bool find_place(const dgmi_draw_plot *plot, const outline *outlines, int64_t own,
                       const dgmi_draw_box *taken, int64_t taken_count, dgmi_draw_box *box) {
    const outline *around = &outlines[own];
    int64_t least = INT64_MAX;
    int64_t tries = WAYS + (around->count > 1 ? ON_SIDE * around->count : 0);
    const dgmi_draw_box size = *box;
    for (int64_t i = 0; i < tries && least > 0; i++) {
        dgmi_draw_box beside = try_place(around, i, &size);
        int64_t under = count_under(outlines, plot->panel->region_count, &beside);
        if (under < least && is_free(plot, &beside, taken, taken_count)) {
            least = under;
            *box = beside;
        }
    }
    return least < INT64_MAX;
}

static void put_name(dgmi_draw_page *page, const dgmi_draw_region *region,
                     const dgmi_draw_box *box) {
    dgmi_draw_item *item = dgmi_draw_list_text(
        page->list, box->x + box->width / 2, box->y + box->height * 0.8, DGMI_DRAW_SMALL,
        DGMI_DRAW_ANCHOR_MIDDLE, ink_of(page, region), region->name);
    item->stroked = true;
    item->stroke = page->look.ground;
    item->width = 0.5;
}

dgm_status dgmi_draw_region_name(dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                 dgmi_draw_box *taken, int64_t *count) {
    int64_t regions = plot->panel->region_count;
    dgm_status status = DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    outline *outlines = dgmi_scratch(page->ctx, regions, sizeof *outlines);
    *count = 0;
    if (!outlines)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < regions && status == DGM_OK; i++)
        status = find_outline(page->ctx, plot, i, &outlines[i]);
    for (int64_t i = 0; i < regions && status == DGM_OK; i++) {
        const dgmi_draw_region *region = &plot->panel->regions[i];
        if (!region->name || !outlines[i].count)
            continue;
        dgmi_draw_box box = {0, 0, dgmi_draw_text_width(region->name, DGMI_DRAW_SMALL, false),
                             DGMI_DRAW_SMALL * DGMI_DRAW_POINT};
        if (!find_place(plot, outlines, i, taken, *count, &box))
            continue;
        put_name(page, region, &box);
        taken[(*count)++] = box;
    }
    dgmi_arena_release(page->ctx, hold);
    return status == DGM_OK ? page->list->status : status;
}
