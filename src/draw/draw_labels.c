/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the largest marks, where they hide neither each other nor other marks.
 *
 * A mark coloured by class is named by its class, each class once, at its largest mark: direct
 * labels that need no legend. Other clusters are named by how many members they have.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"

enum { NAME_SPACE = 128, LONGEST = 34 /* mm */ };
#define BESIDE   2.0  /* mm, how far a number may stand from its mark */
#define LED      14.0 /* mm, how far a name may, at the end of a line */
#define CAPITALS 0.72 /* height of figures and capitals by that of the text */

typedef struct {
    double x1, y1, x2, y2;
} segment;

typedef struct {
    int64_t size, mark;
} sized;

typedef struct {
    dgmi_page *page;
    const dgmi_plot *plot;
    dgmi_box *taken; /* by labels so far */
    int64_t taken_count;
    segment *leaders; /* drawn so far */
    int64_t leader_count;
} labelling;

/* Largest first, of equals the first. */
static int compare_sizes(const void *a, const void *b) {
    const sized *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return (p->mark > q->mark) - (p->mark < q->mark);
}

static bool boxes_meet(const dgmi_box *a, const dgmi_box *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

static bool disc_meets(const dgmi_box *box, double x, double y, double radius) {
    double dx = fmax(fmax(box->x - x, 0), x - (box->x + box->width));
    double dy = fmax(fmax(box->y - y, 0), y - (box->y + box->height));
    return dx * dx + dy * dy < radius * radius;
}

static bool segment_meets(const dgmi_box *box, const segment *line) {
    enum { POINTS = 24 };
    for (int i = 0; i <= POINTS; i++) {
        double share = (double)i / POINTS;
        double x = line->x1 + (line->x2 - line->x1) * share;
        double y = line->y1 + (line->y2 - line->y1) * share;
        if (x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height)
            return true;
    }
    return false;
}

/* Whether a label in `box` hides nothing, its own mark aside. */
static bool is_free(const labelling *job, const dgmi_box *box, int64_t own) {
    const dgmi_plot *plot = job->plot;
    const dgm_view *view = plot->panel->view;
    const dgmi_box *panel = &plot->box;
    if (box->x < panel->x - 1 || box->x + box->width > panel->x + panel->width + 1 ||
        box->y < panel->y - 1 || box->y + box->height > panel->y + panel->height + 1)
        return false;
    for (int64_t i = 0; i < job->taken_count; i++)
        if (boxes_meet(&job->taken[i], box))
            return false;
    for (int64_t i = 0; i < job->leader_count; i++)
        if (segment_meets(box, &job->leaders[i]))
            return false;
    for (int64_t m = 0; m < view->marks; m++)
        if (m != own &&
            disc_meets(box, dgmi_frame_x(&plot->frame, plot->x[m]),
                       dgmi_frame_y(&plot->frame, plot->y[m]), dgmi_mark_radius(plot, m)))
            return false;
    return true;
}

/* From the edge of a mark to the nearest point of a label's box. */
static segment leader_of(const dgmi_plot *plot, int64_t mark, const dgmi_box *box) {
    double x = dgmi_frame_x(&plot->frame, plot->x[mark]);
    double y = dgmi_frame_y(&plot->frame, plot->y[mark]);
    double to_x = fmin(fmax(x, box->x), box->x + box->width);
    double to_y = fmin(fmax(y, box->y), box->y + box->height);
    double length = sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y));
    double share = length > 0 ? fmin(1, dgmi_mark_radius(plot, mark) / length) : 0;
    return (segment){x + (to_x - x) * share, y + (to_y - y) * share, to_x, to_y};
}

static bool leader_is_free(const labelling *job, const segment *line) {
    for (int64_t i = 0; i < job->taken_count; i++)
        if (segment_meets(&job->taken[i], line))
            return false;
    return true;
}

/* Inside the mark if the text fits there, else beside it, nearer rather than farther: right, left,
 * above, below, and the corners. False: nowhere. */
static bool find_place(const labelling *job, int64_t mark, double farthest, dgmi_box *box,
                       double *away) {
    static const double ways[][2] = {{1, 0},      {-1, 0},      {0, -1},     {0, 1},
                                     {0.7, -0.7}, {-0.7, -0.7}, {-0.7, 0.7}, {0.7, 0.7}};
    const dgmi_plot *plot = job->plot;
    double width = box->width, height = box->height;
    double x = dgmi_frame_x(&plot->frame, plot->x[mark]);
    double y = dgmi_frame_y(&plot->frame, plot->y[mark]);
    double radius = dgmi_mark_radius(plot, mark);
    *away = 0;
    *box = (dgmi_box){x - width / 2, y - height / 2, width, height};
    double glyphs = CAPITALS * height;
    if (width * width + glyphs * glyphs < 4 * 0.81 * radius * radius && is_free(job, box, mark))
        return true;
    for (*away = 0.5; *away <= farthest; *away += 1.5)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            *box = (dgmi_box){x + ways[i][0] * (radius + *away + width / 2) - width / 2,
                              y + ways[i][1] * (radius + *away + height / 2) - height / 2, width,
                              height};
            segment line = leader_of(plot, mark, box);
            if (is_free(job, box, mark) && leader_is_free(job, &line))
                return true;
        }
    return false;
}

static void draw_leader(labelling *job, int64_t mark, const dgmi_box *box) {
    segment line = leader_of(job->plot, mark, box);
    dgmi_list_line(job->page->list, line.x1, line.y1, line.x2, line.y2, 0.15, job->page->look.ink);
    job->leaders[job->leader_count++] = line;
}

static void put_label(labelling *job, int64_t mark, const char *name, double farthest) {
    dgmi_box box = {0, 0, dgmi_text_width(name, DGMI_SMALL, false), DGMI_SMALL * DGMI_POINT};
    double away;
    if (!find_place(job, mark, farthest, &box, &away))
        return;
    const dgmi_paint *paint = &job->plot->paint;
    bool inside = away == 0;
    dgmi_colour ink = inside && !paint->slice_offsets ? dgmi_colour_ink_on(paint->fill[mark])
                                                      : job->page->look.ink;
    if (away > 1)
        draw_leader(job, mark, &box);
    dgmi_item *item =
        dgmi_list_text(job->page->list, box.x + box.width / 2, box.y + box.height * 0.8, DGMI_SMALL,
                       DGMI_ANCHOR_MIDDLE, ink, name);
    if (!inside || paint->slice_offsets) { /* a halo keeps it readable over links */
        item->stroked = true;
        item->stroke = job->page->look.ground;
        item->width = 0.5;
    }
    job->taken[job->taken_count++] = box;
}

/* The name of the class that colours the mark, or NULL. */
static const char *class_name(const dgmi_paint *paint, int64_t mark) {
    for (int64_t e = 0; e < paint->entry_count; e++)
        if (paint->entries[e].slot == paint->slot[mark])
            return paint->entries[e].name;
    return NULL;
}

/* At the largest mark of each class or nowhere: a name at a smaller one would mislead. */
static void name_classes(labelling *job, const sized *order, int64_t marks, int64_t most) {
    const dgmi_paint *paint = &job->plot->paint;
    bool named[DGMI_SLOTS] = {false};
    for (int64_t i = 0; paint->slot && i < marks && job->taken_count < most; i++) {
        int slot = paint->slot[order[i].mark];
        const char *name = class_name(paint, order[i].mark);
        if (!name || slot >= paint->scale.shown || named[slot])
            continue;
        char fitted[NAME_SPACE];
        named[slot] = true;
        put_label(job, order[i].mark,
                  dgmi_text_fit(name, DGMI_SMALL, false, LONGEST, fitted, sizeof fitted), LED);
    }
}

static void name_sizes(labelling *job, const sized *order, int64_t marks, int64_t most) {
    /* clusters of one node are many, and say nothing by their number */
    for (int64_t i = 0; i < marks && i < most && (i == 0 || order[i].size > 1); i++) {
        char name[DGMI_WORDS_SPACE];
        put_label(job, order[i].mark, dgmi_view_count(order[i].size, name), BESIDE);
    }
}

dgm_status dgmi_labels_draw(dgmi_page *page, const dgmi_plot *plot) {
    const dgm_view *view = plot->panel->view;
    int64_t most = page->options->names;
    if (view->kind != DGM_VIEW_SUMMARY || most == 0 || view->marks == 0)
        return DGM_OK;
    dgmi_mark mark = dgmi_arena_mark(page->ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    sized *order = dgmi_scratch(page->ctx, view->marks, sizeof *order);
    labelling job = {.page = page, .plot = plot};
    job.taken = dgmi_scratch(page->ctx, most, sizeof *job.taken);
    job.leaders = dgmi_scratch(page->ctx, most, sizeof *job.leaders);
    if (order && job.taken && job.leaders) {
        for (int64_t m = 0; m < view->marks; m++)
            order[m] = (sized){view->size[m], m};
        qsort(order, (size_t)view->marks, sizeof *order, compare_sizes);
        if (plot->paint.scale.kind == DGMI_PAINT_CLASSES)
            name_classes(&job, order, view->marks, most);
        else
            name_sizes(&job, order, view->marks, most);
        status = page->list->status;
    }
    dgmi_arena_release(page->ctx, mark);
    return status;
}
