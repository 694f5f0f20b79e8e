/* SPDX-License-Identifier: Apache-2.0 */
/* Moves discs apart that overlap. They push each other, the smaller one further, until none
 * overlaps. A pair is found by its larger disc, which looks through the cells of a grid within its
 * reach. Cells have the size of an ordinary disc, so a few large discs among many small ones cost
 * little.
 *
 * If there is no room, all places are spread a little from time to time. The number of passes that
 * this takes grows with the crowd. It therefore stops if marks are too crowded, if everything was
 * spread to twice its size, or if too many pairs were looked at. A largest set of discs that do not
 * overlap then stays, and each of the others goes to the nearest free cell (layout_slots.c). In the
 * end no two discs overlap, whatever the start was, and both the cost and the spread are bounded.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "base_sort.h"
#include "layout_layout.h"

enum {
    PASSES = 400,
    SPREAD_EVERY = 10,
    MOST_PARTNERS = 64,   /* that a disc pushes in one pass */
    MOST_LOOKED_AT = 512, /* and that it looks at, */
    MORE_LOOKED_AT = 16,  /* and as many more for each cell in its reach */
    MOST_WORK = 400,      /* discs looked at in all passes, for each of them */
    CELLS_A_MARK = 4,
    MOST_WIDENINGS = 4 /* of cells, before far ones share a place in the grid */
};
#define SPREAD       1.02
#define LATE_SPREAD  1.05
#define MOST_SPREAD  1.5
#define MOST_KEPT    1.25 /* more spread than that was in vain where discs still overlap */
#define FARTHEST     1e7  /* in ordinary discs: wider drawings are drawn together */
#define FINISH       1.02 /* so little is left that all places are spread by it */
#define AIM          1.02 /* pushed a little further than needed, so that passes come to an end */
#define SLACK        1e-9 /* of the distance that is needed */
#define NUDGE_STREAM 0x6e75646765

typedef struct {
    dgm_context *ctx;
    int64_t marks;
    const double *radius;
    double gap;
    const double *places;
    double *moved; /* the same; NULL: they stay */
    /* the grid of this pass */
    double x, y, cell;
    int64_t columns, rows;
    bool wrapped;      /* the grid is smaller than the drawing, and goes on from its other side */
    int64_t room;      /* cells that there is memory for */
    int64_t *starts;   /* of each cell in `order`, room + 2 */
    uint32_t *order;   /* marks by cell */
    uint32_t *cell_of; /* of each mark */
    double usual;      /* a radius that few are above */
    /* what it found */
    int64_t overlaps, crowded;
    double worst; /* the largest needed distance over the one there is */
    uint64_t pass;
    double spread_by; /* all passes together */
    int64_t work;     /* discs and cells looked at */
} separation;

/* ---- the grid ---- */

static void measure(const separation *s, double low[2], double high[2]) {
    low[0] = low[1] = INFINITY;
    high[0] = high[1] = -INFINITY;
    for (int64_t i = 0; i < 2 * s->marks; i++) {
        low[i & 1] = fmin(low[i & 1], s->places[i]);
        high[i & 1] = fmax(high[i & 1], s->places[i]);
    }
}

static bool has_room(const separation *s, double width, double height) {
    return (floor(width / s->cell) + 1) * (floor(height / s->cell) + 1) <= (double)s->room;
}

/* The drawing is much wider than its discs: as many cells as there is memory for, each for several
 * places far from each other. Sides without a common divisor share them evenly. */
static void wrap_grid(separation *s, double width, double height) {
    int64_t side = (int64_t)sqrt((double)s->room);
    double columns = floor(width / s->cell) + 1, rows = floor(height / s->cell) + 1;
    s->wrapped = true;
    s->columns = columns < (double)side ? (int64_t)columns : side;
    s->rows = rows < (double)side ? (int64_t)rows : s->room / s->columns - 1;
    if (rows < (double)side)
        s->columns = s->room / s->rows - 1;
    else if (columns >= (double)side)
        s->rows = side - 1;
}

static void lay_grid(separation *s) {
    double low[2], high[2];
    measure(s, low, high);
    double width = high[0] - low[0], height = high[1] - low[1];
    double cell = 2 * s->usual + s->gap;
    s->cell = cell = cell > 0 ? cell : 1;
    s->x = low[0];
    s->y = low[1];
    s->wrapped = false;
    s->cell = fmax(s->cell, (width + height) / (double)s->room * 4);
    for (int turn = 0; turn < MOST_WIDENINGS && !has_room(s, width, height); turn++)
        s->cell *= 1.5;
    if (has_room(s, width, height) && s->cell < 8 * cell) {
        s->columns = (int64_t)(width / s->cell) + 1;
        s->rows = (int64_t)(height / s->cell) + 1;
        return;
    }
    s->cell = cell;
    wrap_grid(s, width, height);
}

/* Without wrapping, what left the grid is at its border. */
static int64_t index_of(const separation *s, double at, int64_t count) {
    if (s->wrapped)
        return (int64_t)floor(at);
    return at < 0 ? 0 : at >= (double)count ? count - 1 : (int64_t)at;
}

static int64_t column_of(const separation *s, double x) {
    return index_of(s, (x - s->x) / s->cell, s->columns);
}

static int64_t row_of(const separation *s, double y) {
    return index_of(s, (y - s->y) / s->cell, s->rows);
}

/* Where that column or row is in the grid. */
static int64_t fold(int64_t index, int64_t count) {
    assert(count > 0);
    int64_t rest = index % count;
    return rest < 0 ? rest + count : rest;
}

static void fill_grid(separation *s) {
    int64_t cells = s->columns * s->rows, *next = s->starts + 1;
    assert(s->columns > 0 && s->rows > 0 && cells <= s->room);
    for (int64_t c = 0; c < cells + 2; c++)
        s->starts[c] = 0;
    for (int64_t m = 0; m < s->marks; m++) {
        s->cell_of[m] = (uint32_t)(fold(row_of(s, s->places[2 * m + 1]), s->rows) * s->columns +
                                   fold(column_of(s, s->places[2 * m]), s->columns));
        next[s->cell_of[m] + 1]++;
    }
    for (int64_t c = 0; c < cells; c++)
        next[c + 1] += next[c];
    for (int64_t m = 0; m < s->marks; m++)
        s->order[next[s->cell_of[m]]++] = (uint32_t)m;
}

/* ---- pairs ---- */

/* A direction for two discs with the same centre. */
static void any_direction(const separation *s, uint32_t a, uint32_t b, double *dx, double *dy) {
    for (uint64_t turn = 0;; turn++) {
        uint64_t key = ((uint64_t)a << 32) ^ b;
        *dx = 2 * dgmi_random_unit(key, NUDGE_STREAM + s->pass, 2 * turn) - 1;
        *dy = 2 * dgmi_random_unit(key, NUDGE_STREAM + s->pass, 2 * turn + 1) - 1;
        double square = *dx * *dx + *dy * *dy;
        if (square > 0.01 && square <= 1)
            return;
    }
}

/* Moves a and b apart where they overlap; whether they did. */
static bool push(separation *s, uint32_t a, uint32_t b, bool move) {
    const double *pa = s->places + 2 * (int64_t)a, *pb = s->places + 2 * (int64_t)b;
    double need = s->radius[a] + s->radius[b] + s->gap;
    double dx = pa[0] - pb[0], dy = pa[1] - pb[1], square = dx * dx + dy * dy;
    if (square >= need * need * (1 - SLACK))
        return false;
    double far = sqrt(square);
    s->worst = fmax(s->worst, need / far);
    if (!move)
        return true;
    double push_by = need * AIM - far;
    if (!(far > 1e-6 * need)) {
        any_direction(s, a, b, &dx, &dy);
        far = sqrt(dx * dx + dy * dy);
    }
    double wa = s->radius[a] * s->radius[a], wb = s->radius[b] * s->radius[b];
    double share = wa + wb > 0 ? wb / (wa + wb) : 0.5;
    dx *= push_by / far;
    dy *= push_by / far;
    s->moved[2 * (int64_t)a] += share * dx;
    s->moved[2 * (int64_t)a + 1] += share * dy;
    s->moved[2 * (int64_t)b] -= (1 - share) * dx;
    s->moved[2 * (int64_t)b + 1] -= (1 - share) * dy;
    return true;
}

/* Of two discs the larger looks for the smaller; of equal ones the first. */
static bool looks_for(const separation *s, uint32_t a, uint32_t b) {
    return s->radius[a] > s->radius[b] || (s->radius[a] == s->radius[b] && a < b);
}

/* The columns and rows that a disc's reach covers; no more than all of them. */
typedef struct {
    int64_t left, right, low, high;
} window;

static window window_of(const separation *s, uint32_t a) {
    double reach = 2 * s->radius[a] + s->gap;
    const double *place = s->places + 2 * (int64_t)a;
    window w = {column_of(s, place[0] - reach), column_of(s, place[0] + reach),
                row_of(s, place[1] - reach), row_of(s, place[1] + reach)};
    if (w.right - w.left >= s->columns)
        w.right = w.left + s->columns - 1;
    if (w.high - w.low >= s->rows)
        w.high = w.low + s->rows - 1;
    return w;
}

typedef struct {
    bool move;
    int64_t partners, looked, most_looked;
} pushing;

/* With the discs of cells `from` to `to` - 1; false: enough for this pass. */
static bool push_cells(separation *s, uint32_t a, pushing *p, const int64_t *from,
                       const int64_t *to) {
    for (int64_t i = *from; i < *to; i++) {
        uint32_t b = s->order[i];
        p->looked++;
        if (looks_for(s, a, b) && push(s, a, b, p->move))
            p->partners++;
        if (p->partners == MOST_PARTNERS || p->looked == p->most_looked)
            return false;
    }
    return true;
}

/* A disc with all smaller ones in reach. Marks move meanwhile, but the grid stays: what leaves its
 * cell is found in the next pass. */
static void push_smaller(separation *s, uint32_t a, bool move) {
    window w = window_of(s, a);
    pushing p = {move, 0, 0, MOST_LOOKED_AT};
    bool more = true;
    int64_t left = fold(w.left, s->columns), width = w.right - w.left + 1;
    int64_t wrapped = left + width > s->columns ? left + width - s->columns : 0;
    p.most_looked += MORE_LOOKED_AT * width * (w.high - w.low + 1);
    for (int64_t r = w.low; more && r <= w.high; r++) {
        const int64_t *starts = s->starts + fold(r, s->rows) * s->columns;
        more = push_cells(s, a, &p, starts + left, starts + left + width - wrapped);
        if (more && wrapped > 0)
            more = push_cells(s, a, &p, starts, starts + wrapped);
    }
    s->crowded += !more;
    s->overlaps += p.partners;
    s->work += p.looked + 1;
}

/* Too many discs have more than they can push. */
static bool is_crowded(const separation *s) {
    return s->crowded > s->marks / 10;
}

static void look_at_all(separation *s, bool move) {
    s->overlaps = s->crowded = 0;
    s->worst = 1;
    lay_grid(s);
    fill_grid(s);
    /* by cells: neighbours are then in the cache */
    for (int64_t i = 0; i < s->marks && !is_crowded(s); i++)
        push_smaller(s, s->order[i], move);
}

static void spread(separation *s, double factor) {
    double x = 0, y = 0;
    for (int64_t m = 0; m < s->marks; m++) {
        x += s->places[2 * m] / (double)s->marks;
        y += s->places[2 * m + 1] / (double)s->marks;
    }
    for (int64_t m = 0; m < s->marks; m++) {
        s->moved[2 * m] = x + (s->places[2 * m] - x) * factor;
        s->moved[2 * m + 1] = y + (s->places[2 * m + 1] - y) * factor;
    }
}

/* ---- what cannot be pushed ---- */

/* The larger ones first: a disc that stays sends all smaller ones away that overlap it. Those that
 * stay do not overlap, so there are few of them in reach of any disc. */
static void send_away(separation *s, uint32_t a, uint8_t *moves) {
    window w = window_of(s, a);
    for (int64_t r = w.low; r <= w.high; r++)
        for (int64_t c = w.left; c <= w.right; c++) {
            const int64_t *starts = s->starts + fold(r, s->rows) * s->columns + fold(c, s->columns);
            s->work += starts[1] - starts[0];
            for (int64_t i = starts[0]; i < starts[1]; i++)
                if (s->order[i] != a && push(s, a, s->order[i], false))
                    moves[s->order[i]] = 1;
        }
}

static dgm_status choose_moves(separation *s, uint8_t *moves) {
    uint64_t *keys = dgmi_scratch(s->ctx, s->marks, sizeof *keys);
    uint32_t *order = dgmi_scratch(s->ctx, s->marks, sizeof *order);
    if (!keys || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < s->marks; m++) {
        keys[m] = dgmi_sort_key(-s->radius[m]);
        order[m] = (uint32_t)m;
    }
    dgm_status status = dgmi_sort_pairs(s->ctx, keys, order, s->marks);
    if (status != DGM_OK)
        return status;
    lay_grid(s);
    fill_grid(s);
    for (int64_t i = 0; i < s->marks; i++)
        if (!moves[order[i]])
            send_away(s, order[i], moves);
    return DGM_OK;
}

static dgm_status place_rest(separation *s) {
    dgmi_hold hold = dgmi_arena_hold(s->ctx);
    uint8_t *moves = dgmi_scratch_zero(s->ctx, s->marks, sizeof *moves);
    dgm_status status = moves ? choose_moves(s, moves) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_layout_slots(s->ctx, s->marks, s->radius, s->gap, moves, s->moved, &s->work);
    dgmi_arena_release(s->ctx, hold);
    return status;
}

/* ---- the whole ---- */

/* Pushing moves a crowd outwards by a disc a pass; spreading all places makes room at once. The
 * more overlaps, the more room there has to be. */
static double room_factor(const separation *s) {
    double overlaps = (double)s->overlaps / (double)s->marks;
    if (overlaps > 1)
        return overlaps > 2 ? 1.2 : 1.1;
    bool late = s->pass > PASSES / 4;
    return s->pass % (late ? SPREAD_EVERY / 2 : SPREAD_EVERY) == 4 ? (late ? LATE_SPREAD : SPREAD)
                                                                   : 1;
}

/* Passes until one finds nothing to push, or finds that pushing takes too long. */
static dgm_status push_apart(separation *s) {
    for (s->pass = 0; s->pass < PASSES; s->pass++) {
        dgm_status status = dgmi_progress(s->ctx, "laying out", -1);
        if (status != DGM_OK)
            return status;
        look_at_all(s, true);
        if (is_crowded(s) || s->work > MOST_WORK * s->marks)
            return DGM_OK;
        if (s->overlaps == 0 && s->crowded == 0)
            return DGM_OK;
        if (s->worst < FINISH && s->crowded == 0)
            break;
        double factor = room_factor(s);
        if (factor * s->spread_by > MOST_SPREAD)
            return DGM_OK;
        if (factor > 1)
            spread(s, factor);
        s->spread_by *= factor;
    }
    return DGM_OK;
}

/* So little is left that spreading by the worst ratio parts every pair; rounding may ask for a
 * second time. */
static void spread_rest(separation *s) {
    for (int turn = 0; turn < 4 && s->overlaps > 0 && s->crowded == 0 && s->worst < FINISH;
         turn++) {
        spread(s, s->worst * (1 + 1e-12));
        look_at_all(s, false);
    }
}

static double usual_radius(int64_t marks, const double *radius) {
    double squares = 0;
    for (int64_t m = 0; m < marks; m++)
        squares += radius[m] * radius[m];
    return sqrt(squares / (double)marks);
}

static dgm_status take_space(separation *s) {
    s->usual = usual_radius(s->marks, s->radius);
    s->room = CELLS_A_MARK * s->marks + 16;
    s->starts = dgmi_scratch(s->ctx, s->room + 2, sizeof *s->starts);
    s->order = dgmi_scratch(s->ctx, s->marks, sizeof *s->order);
    s->cell_of = dgmi_scratch(s->ctx, s->marks, sizeof *s->cell_of);
    return s->starts && s->order && s->cell_of ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Nothing can be seen of discs that are so small beside their drawing. */
static void draw_together(separation *s) {
    double low[2], high[2], most = FARTHEST * (2 * s->usual + s->gap);
    measure(s, low, high);
    double side = fmax(high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2);
    if (most == 0 || !(side > most))
        return;
    for (int64_t i = 0; i < 2 * s->marks; i++)
        s->moved[i] = (s->places[i] / 2 - low[i & 1] / 2) / side * most;
}

/* Where the discs crowd, pushing says nothing: the rest is placed from where all stood. */
static dgm_status separate(separation *s) {
    double *start = dgmi_scratch(s->ctx, 2 * s->marks, sizeof *start);
    if (!start)
        return DGM_ERROR_MEMORY;
    draw_together(s);
    memcpy(start, s->places, (size_t)(2 * s->marks) * sizeof *start);
    dgm_status status = push_apart(s);
    if (status != DGM_OK || (s->overlaps == 0 && s->crowded == 0))
        return status;
    if (is_crowded(s) || s->spread_by > MOST_KEPT)
        memcpy(s->moved, start, (size_t)(2 * s->marks) * sizeof *start);
    else
        look_at_all(s, false);
    spread_rest(s);
    return s->overlaps > 0 || s->crowded > 0 ? place_rest(s) : DGM_OK;
}

dgm_status dgmi_layout_separate(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                double *places, int64_t *work) {
    if (marks < 2)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    separation s = {.ctx = ctx,
                    .marks = marks,
                    .radius = radius,
                    .gap = gap,
                    .places = places,
                    .moved = places,
                    .spread_by = 1};
    dgm_status status = take_space(&s);
    if (status == DGM_OK)
        status = separate(&s);
    if (work)
        *work += s.work;
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Nothing moves: the search alone, on places that are only read. */
dgm_status dgmi_layout_crowding(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                const double *places, int64_t *overlaps, double *worst) {
    *worst = 1;
    *overlaps = 0;
    if (marks < 2)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    separation s = {.ctx = ctx, .marks = marks, .radius = radius, .gap = gap, .places = places};
    dgm_status status = take_space(&s);
    if (status == DGM_OK)
        look_at_all(&s, false);
    *worst = s.worst;
    *overlaps = s.overlaps;
    dgmi_arena_release(ctx, hold);
    return status;
}
