/* SPDX-License-Identifier: Apache-2.0 */
/* Discs that overlap push each other apart, the smaller one further, until none does. A pair is
 * found by its larger member, which looks through the cells of a grid within its reach; cells have
 * the size of an ordinary disc, so few large discs among many small ones cost little.
 *
 * Where there is no room all places are spread a little now and then. What is left after many
 * passes is spread apart at once, so that in the end no two discs overlap, whatever the start was.
 */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "layout_layout.h"

enum {
    PASSES = 400,
    SPREAD_EVERY = 10,
    MOST_PARTNERS = 64,    /* that a disc pushes in one pass */
    MOST_LOOKED_AT = 4096, /* and that it looks at */
    CELLS_A_MARK = 4
};
#define SPREAD       1.02
#define LATE_SPREAD  1.05
#define CROWD_SPREAD 1.5
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
    int64_t room;      /* cells that there is memory for */
    int64_t *starts;   /* of each cell in `order`, room + 2 */
    uint32_t *order;   /* marks by cell */
    uint32_t *cell_of; /* of each mark */
    double usual;      /* a radius that few are above */
    /* what it found */
    int64_t overlaps, crowded;
    double worst; /* the largest needed distance over the one there is */
    uint64_t pass;
} separation;

/* ---- the grid ---- */

static void lay_grid(separation *s) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < 2 * s->marks; i++) {
        low[i & 1] = fmin(low[i & 1], s->places[i]);
        high[i & 1] = fmax(high[i & 1], s->places[i]);
    }
    double width = high[0] - low[0], height = high[1] - low[1];
    s->cell = 2 * s->usual + s->gap;
    if (!(s->cell > 0))
        s->cell = 1;
    /* no more cells than there is memory for */
    s->cell = fmax(s->cell, (width + height) / (double)s->room * 4);
    while ((floor(width / s->cell) + 1) * (floor(height / s->cell) + 1) > (double)s->room)
        s->cell *= 1.5;
    s->columns = (int64_t)(width / s->cell) + 1;
    s->rows = (int64_t)(height / s->cell) + 1;
    s->x = low[0];
    s->y = low[1];
}

static int64_t column_of(const separation *s, double x) {
    double at = (x - s->x) / s->cell;
    return at < 0 ? 0 : at >= (double)s->columns ? s->columns - 1 : (int64_t)at;
}

static int64_t row_of(const separation *s, double y) {
    double at = (y - s->y) / s->cell;
    return at < 0 ? 0 : at >= (double)s->rows ? s->rows - 1 : (int64_t)at;
}

static void fill_grid(separation *s) {
    int64_t cells = s->columns * s->rows, *next = s->starts + 1;
    for (int64_t c = 0; c < cells + 2; c++)
        s->starts[c] = 0;
    for (int64_t m = 0; m < s->marks; m++) {
        s->cell_of[m] = (uint32_t)(row_of(s, s->places[2 * m + 1]) * s->columns +
                                   column_of(s, s->places[2 * m]));
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

/* A disc with all smaller ones in reach. Marks move meanwhile, but the grid stays: what leaves its
 * cell is found in the next pass. */
static void push_smaller(separation *s, uint32_t a, bool move) {
    double reach = 2 * s->radius[a] + s->gap;
    const double *place = s->places + 2 * (int64_t)a;
    int64_t left = column_of(s, place[0] - reach), right = column_of(s, place[0] + reach);
    int64_t low = row_of(s, place[1] - reach), high = row_of(s, place[1] + reach);
    int64_t partners = 0, looked = 0;
    for (int64_t r = low; r <= high; r++) {
        const int64_t *starts = s->starts + r * s->columns;
        for (int64_t i = starts[left]; i < starts[right + 1]; i++) {
            uint32_t b = s->order[i];
            looked++;
            if (looks_for(s, a, b) && push(s, a, b, move))
                partners++;
            if (move && (partners == MOST_PARTNERS || looked == MOST_LOOKED_AT)) {
                s->crowded++;
                s->overlaps += partners;
                return;
            }
        }
    }
    s->overlaps += partners;
}

static void look_at_all(separation *s, bool move) {
    s->overlaps = s->crowded = 0;
    s->worst = 1;
    lay_grid(s);
    fill_grid(s);
    /* by cells: neighbours are then in the cache */
    for (int64_t i = 0; i < s->marks; i++)
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

/* ---- the whole ---- */

/* Pushing moves a crowd outwards by a disc a pass; spreading all places makes room at once. The
 * more overlaps, the more room there has to be. */
static double room_factor(const separation *s) {
    double overlaps = (double)s->overlaps / (double)s->marks;
    if (s->crowded > s->marks / 10)
        return CROWD_SPREAD;
    if (overlaps > 1)
        return overlaps > 2 ? 1.2 : 1.1;
    bool late = s->pass > PASSES / 4;
    return s->pass % (late ? SPREAD_EVERY / 2 : SPREAD_EVERY) == 4 ? (late ? LATE_SPREAD : SPREAD)
                                                                   : 1;
}

/* Passes until one finds nothing to push. */
static dgm_status push_apart(separation *s) {
    for (s->pass = 0; s->pass < PASSES; s->pass++) {
        dgm_status status = dgmi_progress(s->ctx, "laying out", -1);
        if (status != DGM_OK)
            return status;
        look_at_all(s, true);
        if (s->overlaps == 0 && s->crowded == 0)
            return DGM_OK;
        if (s->worst < FINISH && s->crowded == 0)
            break;
        double factor = room_factor(s);
        if (factor > 1)
            spread(s, factor);
    }
    return DGM_OK;
}

/* Spreading by the worst ratio parts every pair; rounding may ask for a second time. */
static void spread_rest(separation *s) {
    for (int turn = 0; turn < 8; turn++) {
        look_at_all(s, false);
        if (s->overlaps == 0)
            return;
        spread(s, fmin(s->worst, 1e6) * (1 + 1e-12));
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

dgm_status dgmi_layout_separate(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                double *places) {
    if (marks < 2)
        return DGM_OK;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    separation s = {.ctx = ctx,
                    .marks = marks,
                    .radius = radius,
                    .gap = gap,
                    .places = places,
                    .moved = places};
    dgm_status status = take_space(&s);
    if (status == DGM_OK)
        status = push_apart(&s);
    if (status == DGM_OK && s.overlaps > 0)
        spread_rest(&s);
    dgmi_arena_release(ctx, mark);
    return status;
}

/* Nothing moves: the search alone, on places that are only read. */
dgm_status dgmi_layout_crowding(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                const double *places, int64_t *overlaps, double *worst) {
    *worst = 1;
    *overlaps = 0;
    if (marks < 2)
        return DGM_OK;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    separation s = {.ctx = ctx, .marks = marks, .radius = radius, .gap = gap, .places = places};
    dgm_status status = take_space(&s);
    if (status == DGM_OK)
        look_at_all(&s, false);
    *worst = s.worst;
    *overlaps = s.overlaps;
    dgmi_arena_release(ctx, mark);
    return status;
}
