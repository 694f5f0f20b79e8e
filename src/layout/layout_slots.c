/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the discs of a crowd into free cells of a quadtree, each into the nearest one.
 *
 * A disc takes a cell that is as wide as it needs, rounded up to the next power of two. The largest
 * discs choose first, and of equal ones those nearest to the middle, so that a crowd grows outwards
 * and keeps its order. Cells that touch a disc which stays are taken from the beginning. Free cells
 * are found from the root downwards: each node of the tree counts the taken cells below it, a node
 * that does not exist is free, and a full one is not entered.
 *
 * After a disc has found a cell, it looks at no more than MOST_VISITS further nodes, so the cost is
 * bounded. The area of all taken cells is bounded by the areas of the discs, and so is the distance
 * to a free one.
 */
#include <assert.h>
#include <math.h>

#include "base_memory.h"
#include "base_sort.h"
#include "layout_layout.h"

enum { MOST_VISITS = 256, MOST_LEVEL = 27, LEVEL_SHIFT = 58, AXIS_BITS = 29, WIDTHS = 8 };
#define NEAR_ENOUGH 1.03 /* a cell that much farther than the nearest will do */

typedef struct {
    uint64_t key; /* level, column, row; 0: nobody */
    int64_t taken;
} node;

typedef struct {
    dgm_context *ctx;
    int64_t marks;
    const double *radius;
    double gap;
    double *places;
    const uint8_t *moves;
    int64_t *work;
    /* the tree: cells of level 0 are `cell` wide, the root holds all places */
    double x, y, cell;
    int root;
    /* nodes of level `floor` and above, open addressing */
    int floor;
    node *nodes;
    int64_t room, used;
} slots;

/* ---- nodes ---- */

static uint64_t key_of(int level, int64_t column, int64_t row) {
    return (uint64_t)(level + 1) << LEVEL_SHIFT | (uint64_t)column << AXIS_BITS | (uint64_t)row;
}

static node *find(const slots *s, uint64_t key) {
    uint64_t at = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    uint64_t mask = (uint64_t)s->room - 1;
    assert((s->room & (s->room - 1)) == 0 && s->used < s->room);
    while (s->nodes[at & mask].key != 0 && s->nodes[at & mask].key != key)
        at++;
    return s->nodes + (at & mask);
}

static dgm_status grow(slots *s) {
    node *old = s->nodes;
    int64_t count = s->room;
    node *wider = dgmi_alloc_zero(s->ctx, 2 * count, sizeof *wider);
    if (!wider)
        return DGM_ERROR_MEMORY;
    s->nodes = wider;
    s->room = 2 * count;
    for (int64_t i = 0; i < count; i++)
        if (old[i].key != 0)
            *find(s, old[i].key) = old[i];
    dgmi_free(s->ctx, old);
    return DGM_OK;
}

/* Takes a cell of the floor, and counts it in all nodes above; a taken one stays so. */
static dgm_status take(slots *s, int64_t column, int64_t row) {
    if (find(s, key_of(s->floor, column, row))->key != 0)
        return DGM_OK;
    for (int level = s->floor; level <= s->root; level++) {
        int up = level - s->floor;
        node *n = find(s, key_of(level, column >> up, row >> up));
        ++*s->work;
        s->used += n->key == 0;
        n->key = key_of(level, column >> up, row >> up);
        n->taken++;
    }
    return 2 * (s->used + s->root + 1) > s->room ? grow(s) : DGM_OK;
}

static bool is_full(const slots *s, const node *n, int level) {
    assert(level >= s->floor && level <= s->root);
    int below = level - s->floor;
    return below < 31 && n->taken == INT64_C(1) << 2 * below;
}

/* ---- the nearest free cell ---- */

typedef struct {
    double x, y; /* in cells of the floor */
    double best; /* distance to the middle of the best cell so far */
    int64_t column, row;
    int64_t visits; /* since there is one */
} query;

static double beyond(double at, double low, double high) {
    return at < low ? low - at : at > high ? at - high : 0;
}

/* From the target to the middle of the nearest cell of a node. */
static double distance_to(const query *q, int below, int64_t column, int64_t row) {
    assert(below >= 0 && below < 63);
    double side = (double)(INT64_C(1) << below);
    double low_x = (double)column * side + 0.5, low_y = (double)row * side + 0.5;
    double dx = beyond(q->x, low_x, low_x + side - 1), dy = beyond(q->y, low_y, low_y + side - 1);
    return sqrt(dx * dx + dy * dy);
}

static int64_t nearest_in(double at, int below, int64_t node_at) {
    int64_t first = node_at << below, last = first + (INT64_C(1) << below) - 1;
    int64_t cell = (int64_t)floor(at);
    return cell < first ? first : cell > last ? last : cell;
}

static void search(slots *s, query *q, int level, int64_t column, int64_t row) {
    int below = level - s->floor;
    const node *n = find(s, key_of(level, column, row));
    ++*s->work;
    q->visits += q->best < INFINITY;
    if (n->key == 0) {
        q->best = distance_to(q, below, column, row);
        q->column = nearest_in(q->x, below, column);
        q->row = nearest_in(q->y, below, row);
        return;
    }
    if (level == s->floor || is_full(s, n, level))
        return;
    double half = (double)(INT64_C(1) << (below - 1));
    int first =
        (q->x >= (double)(2 * column + 1) * half) + 2 * (q->y >= (double)(2 * row + 1) * half);
    for (int turn = 0; turn < 4; turn++) {
        int child = first ^ turn;
        int64_t c = 2 * column + (child & 1), r = 2 * row + (child >> 1);
        if (NEAR_ENOUGH * distance_to(q, below - 1, c, r) < q->best && q->visits < MOST_VISITS)
            search(s, q, level - 1, c, r);
    }
}

/* ---- discs ---- */

static double width_of(const slots *s, int64_t m) {
    return 2 * s->radius[m] + s->gap;
}

/* The level whose cells hold the disc. */
static int level_of(const slots *s, int64_t m) {
    int level = 0;
    double side = s->cell, width = width_of(s, m);
    for (; side < width && level < s->root; level++)
        side *= 2;
    return level;
}

static double side_of(const slots *s, int level) {
    return s->cell * (double)(INT64_C(1) << level);
}

/* Every cell of the floor that the disc touches. */
static dgm_status take_touched(slots *s, int64_t m) {
    double side = side_of(s, s->floor), half = width_of(s, m) / 2 / side;
    double x = (s->places[2 * m] - s->x) / side, y = (s->places[2 * m + 1] - s->y) / side;
    int64_t low = (int64_t)floor(y - half), high = (int64_t)floor(y + half);
    int64_t left = (int64_t)floor(x - half), right = (int64_t)floor(x + half);
    dgm_status status = DGM_OK;
    for (int64_t r = low; r <= high; r++)
        for (int64_t c = left; status == DGM_OK && c <= right; c++) {
            double dx = beyond(x, (double)c, (double)(c + 1));
            double dy = beyond(y, (double)r, (double)(r + 1));
            if (dx * dx + dy * dy < half * half * (1 - 1e-9))
                status = take(s, c, r);
        }
    return status;
}

/* In its cell a disc stands as near to where it was as it can. */
static double within(double at, double cell, double slack) {
    return fmin(fmax(at, cell + 0.5 - slack), cell + 0.5 + slack);
}

static dgm_status move_disc(slots *s, int64_t m) {
    double side = side_of(s, s->floor), *place = s->places + 2 * m;
    query q = {(place[0] - s->x) / side, (place[1] - s->y) / side, INFINITY, 0, 0, 0};
    search(s, &q, s->root, 0, 0);
    double slack = fmax(0, 0.5 - width_of(s, m) / 2 / side);
    place[0] = s->x + within(q.x, (double)q.column, slack) * side;
    place[1] = s->y + within(q.y, (double)q.row, slack) * side;
    return take(s, q.column, q.row);
}

/* Those that stay and the larger ones are there; then the discs of this level in turn. */
static dgm_status fill_level(slots *s, const uint32_t *order) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < s->room; i++)
        s->nodes[i] = (node){0, 0};
    s->used = 0;
    for (int64_t m = 0; status == DGM_OK && m < s->marks; m++)
        if (!s->moves[m] || level_of(s, m) > s->floor)
            status = take_touched(s, m);
    for (int64_t i = 0; status == DGM_OK && i < s->marks; i++)
        if (s->moves[order[i]] && level_of(s, order[i]) == s->floor)
            status = move_disc(s, order[i]);
    return status;
}

/* ---- the tree ---- */

/* The width of the smallest cells: of some between half an ordinary disc and a whole one, that
 * which wastes least. */
static double best_width(const slots *s) {
    double usual = 2 * dgmi_layout_usual(s->marks, s->radius) + s->gap, best = usual;
    double least = INFINITY;
    for (int k = 0; k < WIDTHS; k++) {
        double width = usual * (1 - 0.5 * k / WIDTHS), area = 0;
        for (int64_t m = 0; m < s->marks; m++) {
            double side = width;
            while (side < width_of(s, m))
                side *= 2;
            area += side * side;
        }
        best = area < least ? width : best;
        least = fmin(area, least);
    }
    return best;
}

/* A root with room for all discs on every side of the places. */
static void plant(slots *s) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, area = 0, widest = 0;
    for (int64_t i = 0; i < 2 * s->marks; i++) {
        low[i & 1] = fmin(low[i & 1], s->places[i]);
        high[i & 1] = fmax(high[i & 1], s->places[i]);
    }
    s->cell = best_width(s);
    for (int64_t m = 0; m < s->marks; m++) {
        area += width_of(s, m) * width_of(s, m);
        widest = fmax(widest, width_of(s, m));
    }
    double air = 8 * sqrt(area) + 4 * widest;
    double side = fmax(high[0] - low[0], high[1] - low[1]) + 2 * air;
    for (s->root = 1; side_of(s, s->root) < side && s->root < MOST_LEVEL; s->root++)
        ;
    s->x = low[0] - (side_of(s, s->root) - (high[0] - low[0])) / 2;
    s->y = low[1] - (side_of(s, s->root) - (high[1] - low[1])) / 2;
}

/* Those that move by how far they are from their middle. */
static dgm_status order_discs(const slots *s, uint32_t *order) {
    uint64_t *keys = dgmi_scratch(s->ctx, s->marks, sizeof *keys);
    double x = 0, y = 0, count = 0;
    if (!keys)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < s->marks; m++)
        if (s->moves[m]) {
            x += s->places[2 * m];
            y += s->places[2 * m + 1];
            count += 1;
        }
    for (int64_t m = 0; m < s->marks; m++) {
        double dx = s->places[2 * m] - x / count, dy = s->places[2 * m + 1] - y / count;
        keys[m] = dgmi_sort_key(dx * dx + dy * dy);
        order[m] = (uint32_t)m;
    }
    return dgmi_sort_pairs(s->ctx, keys, order, s->marks);
}

dgm_status dgmi_layout_slots(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                             const uint8_t *moves, double *places, int64_t *work) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    slots s = {.ctx = ctx,
               .marks = marks,
               .radius = radius,
               .gap = gap,
               .places = places,
               .moves = moves,
               .work = work,
               .room = 1024};
    uint32_t *order = dgmi_scratch(ctx, marks, sizeof *order);
    s.nodes = dgmi_alloc_zero(ctx, s.room, sizeof *s.nodes);
    dgm_status status = order && s.nodes ? order_discs(&s, order) : DGM_ERROR_MEMORY;
    plant(&s);
    int largest = 0;
    bool used[MOST_LEVEL + 1] = {false};
    for (int64_t m = 0; m < marks; m++)
        if (moves[m]) {
            int level = level_of(&s, m);
            used[level] = true;
            largest = level > largest ? level : largest;
        }
    for (s.floor = largest; status == DGM_OK && s.floor >= 0; s.floor--)
        if (used[s.floor])
            status = fill_level(&s, order);
    dgmi_free(ctx, s.nodes);
    dgmi_arena_release(ctx, hold);
    return status;
}
