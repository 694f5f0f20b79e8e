/* SPDX-License-Identifier: Apache-2.0 */
/* Packs connected pieces side by side, as boxes, on a page of about 4 : 3. The largest stands in
 * the middle. Each of the next ones touches the pieces that are there, at the place where the page
 * grows least. The many small ones that are left stand in rows under them, tallest first, or beside
 * them if that is nearer to 4 : 3.
 *
 * Pieces that are held, such as those of a panel that starts from another one, keep their places,
 * the largest first, or stand as near to them as there is room. The other pieces stand around them
 * as above. If that leaves the page mostly empty, all pieces move towards the largest in
 * proportion.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_memory.h"
#include "base_sort.h"
#include "layout_layout.h"

enum { MOST_AROUND = 64, MOST_HELD = 2048, MOST_MOVES = 512 };
#define ASPECT        (4.0 / 3.0)
#define SMALL_PART    (1.0 / 400) /* of the largest box: smaller ones stand in rows */
#define LARGE_PART    (1.0 / 4)   /* where too many are larger than that */
#define AIR           3           /* gaps around a piece of several marks */
#define ROWS_FULLNESS 0.9         /* of a row, guessed */
#define GIVE          0.75        /* of a gap: so much nearer may pieces stand that are held */
#define WIDEST        2.0         /* page of held pieces, in those of pieces packed anew */

typedef struct {
    double x, y, width, height; /* lower left corner; half the air between boxes is inside */
    double from_x, from_y;      /* where it was */
    double near_x, near_y;      /* where it is to stand, if it is held */
    int64_t marks;
} box;

typedef struct {
    int64_t count;
    box *boxes;
    uint32_t *order; /* by area, largest first */
} packing;

/* The box of the discs of each piece. */
static void box_discs(int64_t marks, const uint32_t *piece, const double *radius,
                      const double *places, box *boxes) {
    for (int64_t m = 0; m < marks; m++) {
        box *b = boxes + piece[m];
        assert(radius[m] >= 0);
        b->x = fmin(b->x, places[2 * m] - radius[m]);
        b->y = fmin(b->y, places[2 * m + 1] - radius[m]);
        b->width = fmax(b->width, places[2 * m] + radius[m]);
        b->height = fmax(b->height, places[2 * m + 1] + radius[m]);
        b->marks++;
    }
}

static dgm_status measure_boxes(dgm_context *ctx, int64_t marks, const uint32_t *piece,
                                const double *radius, double gap, const double *places,
                                packing *p) {
    p->boxes = dgmi_scratch(ctx, p->count, sizeof *p->boxes);
    if (!p->boxes)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < p->count; i++)
        p->boxes[i] = (box){INFINITY, INFINITY, -INFINITY, -INFINITY, 0, 0, 0, 0, 0};
    box_discs(marks, piece, radius, places, p->boxes);
    for (int64_t i = 0; i < p->count; i++) {
        box *b = p->boxes + i;
        double air = b->marks > 1 ? AIR * gap : gap;
        if (b->marks == 0)
            *b = (box){0, 0, -air, -air, 0, 0, 0, 0, 0};
        b->from_x = b->x -= air / 2;
        b->from_y = b->y -= air / 2;
        /* a hair more, so that rounding brings no two together */
        b->width = (b->width + air / 2 - b->x) * (1 + 1e-9);
        b->height = (b->height + air / 2 - b->y) * (1 + 1e-9);
    }
    return DGM_OK;
}

/* Largest `value` first; of equals the first piece. */
static dgm_status order_by(dgm_context *ctx, int64_t count, uint32_t *order, const packing *p,
                           double (*value)(const box *b)) {
    uint64_t *keys = dgmi_scratch(ctx, count, sizeof *keys);
    if (!keys)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++)
        keys[i] = ~dgmi_sort_key(value(p->boxes + order[i]));
    return dgmi_sort_pairs(ctx, keys, order, count);
}

static double area_of(const box *b) {
    return b->width * b->height;
}

static double height_of(const box *b) {
    return b->height;
}

/* ---- around the largest ---- */

typedef struct {
    double left, low, right, high;
} page;

static void page_add(page *p, const box *b) {
    p->left = fmin(p->left, b->x);
    p->low = fmin(p->low, b->y);
    p->right = fmax(p->right, b->x + b->width);
    p->high = fmax(p->high, b->y + b->height);
}

/* Whether the box overlaps none of those that are placed by more than `give`. */
static bool is_free(const packing *p, int64_t placed, const box *b, double give) {
    for (int64_t i = 0; i < placed; i++) {
        const box *o = p->boxes + p->order[i];
        double slack = give + 1e-12 * (fabs(b->x) + fabs(b->y) + b->width + b->height);
        if (b->x + b->width > o->x + slack && o->x + o->width > b->x + slack &&
            b->y + b->height > o->y + slack && o->y + o->height > b->y + slack)
            return false;
    }
    return true;
}

/* How far a page with the box reaches from the middle, sides counted as 4 : 3; of equal ones the
 * nearest box. */
static double cost_of(const page *p, const box *b) {
    page with = *p;
    page_add(&with, b);
    double side = fmax(fmax(with.right, -with.left) / ASPECT, fmax(with.high, -with.low));
    double x = b->x + b->width / 2, y = b->y + b->height / 2;
    return side + 1e-3 * sqrt(x * x / (ASPECT * ASPECT) + y * y);
}

/* Corners and middles of the sides of `o` that `b` can touch it at. */
static void try_around(const packing *p, int64_t placed, const box *o, const page *now,
                       double *best, box *b) {
    double xs[5] = {o->x - b->width, o->x, o->x + (o->width - b->width) / 2,
                    o->x + o->width - b->width, o->x + o->width};
    double ys[5] = {o->y - b->height, o->y, o->y + (o->height - b->height) / 2,
                    o->y + o->height - b->height, o->y + o->height};
    box at = *b;
    for (int i = 0; i < 25; i++) {
        bool beside = i % 5 == 0 || i % 5 == 4, above = i / 5 == 0 || i / 5 == 4;
        if (!beside && !above)
            continue;
        at.x = xs[i % 5];
        at.y = ys[i / 5];
        double cost = cost_of(now, &at);
        if (cost < *best && is_free(p, placed, &at, 0)) {
            *best = cost;
            b->x = at.x;
            b->y = at.y;
        }
    }
}

/* How many boxes have at least that part of the largest one's area. */
static int64_t count_large(const packing *p, double part) {
    int64_t count = 1;
    while (count < p->count &&
           area_of(p->boxes + p->order[count]) >= part * area_of(p->boxes + p->order[0]))
        count++;
    return count;
}

/* None where there are too many of about the same size: they all stand in rows. */
static int64_t count_around(const packing *p) {
    int64_t count = count_large(p, SMALL_PART);
    if (count > MOST_AROUND)
        count = count_large(p, LARGE_PART);
    return count > MOST_AROUND ? 0 : count;
}

/* Those from `placed` on, around those before. */
static void go_on_around(packing *p, int64_t placed, int64_t count, page *now) {
    for (; placed < count; placed++) {
        box *b = p->boxes + p->order[placed];
        double best = INFINITY;
        for (int64_t i = 0; i < placed; i++)
            try_around(p, placed, p->boxes + p->order[i], now, &best, b);
        page_add(now, b);
    }
}

static void place_around(packing *p, int64_t count, page *now) {
    box *first = p->boxes + p->order[0];
    first->x = -first->width / 2;
    first->y = -first->height / 2;
    *now = (page){first->x, first->y, -first->x, -first->y};
    go_on_around(p, 1, count, now);
}

/* ---- rows ---- */

/* Rows of that width downwards from (x, y), the upper left corner, boxes of a row on the same
 * line of middles. */
static void place_rows(packing *p, int64_t begin, double x, double y, double width) {
    for (int64_t i = begin; i < p->count;) {
        double height = p->boxes[p->order[i]].height, at = x;
        int64_t first = i;
        for (; i < p->count; i++) {
            box *b = p->boxes + p->order[i];
            if (i > first && at + b->width > x + width)
                break;
            b->x = at;
            b->y = y - height / 2 - b->height / 2;
            at += b->width;
        }
        y -= height;
    }
}

static double off_aspect(double aspect) {
    return fmax(aspect / ASPECT, ASPECT / aspect);
}

static void place_rest(packing *p, int64_t begin, page *now) {
    double area = 0, widest = 0;
    for (int64_t i = begin; i < p->count; i++) {
        area += area_of(p->boxes + p->order[i]) / ROWS_FULLNESS;
        widest = fmax(widest, p->boxes[p->order[i]].width);
    }
    double width = now->right - now->left, height = now->high - now->low;
    /* under: as wide as what is there, or more where that is little; beside: as high */
    double under = fmax(fmax(width, widest), sqrt(ASPECT * (width * height + area)));
    double beside = fmax(widest, area / height);
    double low = height + area / under, wide = width + beside;
    if (begin == 0 || off_aspect(under / low) <= off_aspect(wide / height))
        place_rows(p, begin, (now->left + now->right - under) / 2, now->low, under);
    else
        place_rows(p, begin, now->right, now->high, beside);
}

/* ---- near where they were ---- */

/* The nearest place beside, above or below `o` that is free: slid out along an axis, or at a
 * corner. */
static void try_near(const packing *p, int64_t placed, const box *o, double *best, box *b) {
    const double xs[3] = {o->x - b->width, b->near_x, o->x + o->width};
    const double ys[3] = {o->y - b->height, b->near_y, o->y + o->height};
    box at = *b;
    for (int i = 0; i < 9; i++) {
        at.x = xs[i % 3];
        at.y = ys[i / 3];
        double x = at.x - b->near_x, y = at.y - b->near_y, moved = x * x + y * y;
        if (i != 4 && moved < *best && is_free(p, placed, &at, 0)) {
            *best = moved;
            b->x = at.x;
            b->y = at.y;
        }
    }
}

/* How much nearer to the largest the held boxes stand: 1, or less where much has gone, since on a
 * page that is mostly empty nothing can be made out. */
static double nearness(const packing *p, const bool *held, double usual) {
    page all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < p->count; i++)
        if (held[i])
            page_add(&all, p->boxes + i);
    double area = (all.right - all.left) * (all.high - all.low);
    return area > WIDEST * usual ? sqrt(WIDEST * usual / area) : 1;
}

static void draw_near(packing *p, const bool *held, double usual) {
    double share = nearness(p, held, usual), x = 0, y = 0;
    for (int64_t i = p->count - 1; i >= 0; i--)
        if (held[p->order[i]]) {
            const box *largest = p->boxes + p->order[i];
            x = largest->x + largest->width / 2;
            y = largest->y + largest->height / 2;
        }
    for (int64_t i = 0; i < p->count; i++) {
        box *b = p->boxes + i;
        b->near_x = b->x += (share - 1) * (b->x + b->width / 2 - x);
        b->near_y = b->y += (share - 1) * (b->y + b->height / 2 - y);
    }
}

/* Whether the next box has a place: its own, or one of a few near ones. */
static bool hold(packing *p, int64_t placed, double give, int64_t *moves, box *b) {
    if (is_free(p, placed, b, give))
        return true;
    if (*moves == MOST_MOVES)
        return false;
    double best = INFINITY;
    for (int64_t i = 0; i < placed; i++)
        try_near(p, placed, p->boxes + p->order[i], &best, b);
    ++*moves;
    return best < INFINITY;
}

/* Those that are held go first in the order, by area, as far as they have a place; then the others,
 * by area. */
static dgm_status place_held(dgm_context *ctx, packing *p, const bool *held, double gap,
                             double usual, int64_t *placed, page *now) {
    int64_t moves = 0, left = 0;
    uint32_t *others = dgmi_scratch(ctx, p->count, sizeof *others);
    if (!others)
        return DGM_ERROR_MEMORY;
    draw_near(p, held, usual);
    for (int64_t i = 0; i < p->count; i++) {
        uint32_t next = p->order[i];
        box *b = p->boxes + next;
        if (!held[next] || *placed == MOST_HELD || !hold(p, *placed, GIVE * gap, &moves, b)) {
            others[left++] = next;
            continue;
        }
        if (*placed == 0)
            *now = (page){b->x, b->y, b->x, b->y};
        page_add(now, b);
        p->order[(*placed)++] = next;
    }
    memcpy(p->order + *placed, others, (size_t)left * sizeof *others);
    return DGM_OK;
}

/* ---- the whole ---- */

static dgm_status order_by_area(dgm_context *ctx, packing *p) {
    for (int64_t i = 0; i < p->count; i++)
        p->order[i] = (uint32_t)i;
    return order_by(ctx, p->count, p->order, p, area_of);
}

/* Those from `placed` on into rows. */
static dgm_status pack_rest(dgm_context *ctx, packing *p, int64_t placed, page *now) {
    if (placed == p->count)
        return DGM_OK;
    dgm_status status = order_by(ctx, p->count - placed, p->order + placed, p, height_of);
    if (status == DGM_OK)
        place_rest(p, placed, now);
    return status;
}

static dgm_status pack_anew(dgm_context *ctx, packing *p) {
    page now = {0, 0, 0, 0};
    dgm_status status = order_by_area(ctx, p);
    if (status != DGM_OK)
        return status;
    int64_t placed = count_around(p);
    if (placed > 0)
        place_around(p, placed, &now);
    return pack_rest(ctx, p, placed, &now);
}

/* The area of the page with all boxes, which go back to where they were. */
static double leave_page(packing *p) {
    page all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int64_t i = 0; i < p->count; i++) {
        box *b = p->boxes + i;
        page_add(&all, b);
        b->x = b->from_x;
        b->y = b->from_y;
    }
    return (all.right - all.left) * (all.high - all.low);
}

static dgm_status pack_held(dgm_context *ctx, packing *p, const bool *held, double gap) {
    page now = {0, 0, 0, 0};
    int64_t placed = 0;
    double usual = leave_page(p);
    dgm_status status = order_by_area(ctx, p);
    if (status == DGM_OK)
        status = place_held(ctx, p, held, gap, usual, &placed, &now);
    if (status == DGM_OK && p->count - placed <= MOST_AROUND) {
        go_on_around(p, placed, p->count, &now);
        placed = p->count;
    }
    return status == DGM_OK ? pack_rest(ctx, p, placed, &now) : status;
}

static dgm_status pack_boxes(dgm_context *ctx, packing *p, const bool *held, double gap) {
    bool any = false;
    p->order = dgmi_scratch(ctx, p->count, sizeof *p->order);
    if (!p->order)
        return DGM_ERROR_MEMORY;
    dgm_status status = pack_anew(ctx, p);
    for (int64_t i = 0; held && i < p->count; i++)
        any |= held[i];
    return status == DGM_OK && any ? pack_held(ctx, p, held, gap) : status;
}

dgm_status dgmi_layout_pack(dgm_context *ctx, int64_t marks, const uint32_t *piece, int64_t pieces,
                            const bool *held, const double *radius, double gap, double *places) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    packing p = {.count = pieces};
    if (marks == 0 || pieces == 0)
        return DGM_OK;
    dgm_status status = measure_boxes(ctx, marks, piece, radius, gap, places, &p);
    if (status == DGM_OK)
        status = pack_boxes(ctx, &p, held, gap);
    for (int64_t m = 0; status == DGM_OK && m < marks; m++) {
        const box *b = p.boxes + piece[m];
        places[2 * m] += b->x - b->from_x;
        places[2 * m + 1] += b->y - b->from_y;
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
