/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts that do not look at links: on a grid, on a circle, and by the lens. */
#include <assert.h>
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_sort.h"
#include "layout_layout.h"

#define PI 3.14159265358979323846

static double gap_of(int64_t marks, const double *radius) {
    return DGMI_LAYOUT_GAP * dgmi_layout_usual(marks, radius);
}

static double largest_of(int64_t marks, const double *radius) {
    double largest = 0;
    for (int64_t m = 0; m < marks; m++)
        largest = fmax(largest, radius[m]);
    return largest;
}

/* ---- grid ---- */

void dgmi_layout_grid(int64_t marks, const double *radius, double *places) {
    double cell = fmax(1, 2 * largest_of(marks, radius) + gap_of(marks, radius));
    int64_t columns = (int64_t)ceil(sqrt((double)marks * 4 / 3));
    for (int64_t m = 0; m < marks; m++) {
        int64_t row = m / columns, column = m % columns;
        places[2 * m] = (double)column * cell;
        places[2 * m + 1] = -(double)row * cell;
    }
}

/* ---- circle ---- */

enum { TURN_BITS = 44 };

typedef struct {
    double cosine[TURN_BITS], sine[TURN_BITS]; /* of 1/2, 1/4, 1/8, .. of a turn */
} turns;

/* cos(a / 2) = sqrt((1 + cos a) / 2), sin(a / 2) = sin a / (2 cos(a / 2)): square roots are the
 * same everywhere, cosines are not. */
static void turns_make(turns *t) {
    t->cosine[0] = -1;
    t->sine[0] = 0;
    t->cosine[1] = 0;
    t->sine[1] = 1;
    for (int b = 2; b < TURN_BITS; b++) {
        t->cosine[b] = sqrt((1 + t->cosine[b - 1]) / 2);
        t->sine[b] = t->sine[b - 1] / (2 * t->cosine[b]);
    }
}

/* The direction at that part of a turn, from the top and clockwise: x = sin, y = cos. */
static void direction_at(const turns *t, double part, double place[2]) {
    double cosine = 1, sine = 0;
    for (int b = 0; b < TURN_BITS; b++) {
        part *= 2;
        if (part < 1)
            continue;
        part -= 1;
        double next = cosine * t->cosine[b] - sine * t->sine[b];
        sine = sine * t->cosine[b] + cosine * t->sine[b];
        cosine = next;
    }
    place[0] = sine;
    place[1] = cosine;
}

/* Each mark has as much of the circle as it is wide. Chords are shorter than arcs, so the circle is
 * then made as large as it must be. */
dgm_status dgmi_layout_circular(dgm_context *ctx, int64_t marks, const double *radius,
                                double *places) {
    double gap = gap_of(marks, radius), total = 0, at = 0, worst;
    int64_t overlaps;
    turns t;
    turns_make(&t);
    for (int64_t m = 0; m < marks; m++)
        total += 2 * radius[m] + gap;
    double circle = marks > 1 ? total / (2 * PI) : 0;
    for (int64_t m = 0; m < marks; m++) {
        direction_at(&t, (at + radius[m] + gap / 2 - radius[0] - gap / 2) / total, places + 2 * m);
        places[2 * m] *= circle;
        places[2 * m + 1] *= circle;
        at += 2 * radius[m] + gap;
    }
    dgm_status status = dgmi_layout_crowding(ctx, marks, radius, gap, places, &overlaps, &worst);
    for (int64_t i = 0; status == DGM_OK && i < 2 * marks; i++)
        places[i] *= worst * (1 + 1e-9);
    return status;
}

/* ---- lens ---- */

typedef struct {
    double low, length,
        quarter; /* a quarter of the length, which may be more than a number can be */
} axis;

/* Only what is finite counts; the rest stands in the middle. */
static axis axis_of(int64_t marks, int64_t dimension, const double *lens, int64_t column) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t m = 0; m < marks; m++) {
        double value = lens[m * dimension + column];
        if (isfinite(value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    if (!(low <= high))
        return (axis){0, 0, 0};
    return (axis){low, high - low, high / 4 - low / 4};
}

/* In 0 .. 1. */
static double along(const axis *a, double value) {
    if (!isfinite(value) || !(a->length > 0))
        return 0.5;
    return isfinite(a->length) ? (value - a->low) / a->length
                               : (value / 4 - a->low / 4) / a->quarter;
}

static void place_plane(int64_t marks, int64_t dimension, const double *lens, bool alike,
                        double *places) {
    axis x = axis_of(marks, dimension, lens, 0), y = axis_of(marks, dimension, lens, 1);
    double side = sqrt((double)marks), wide = side, high = side;
    if (alike && x.length > 0 && y.length > 0 && isfinite(x.length) && isfinite(y.length)) {
        /* the same area, but not a strip without end */
        double aspect = fmin(fmax(x.length / y.length, 0.125), 8);
        wide = side * sqrt(aspect);
        high = wide * (y.length / x.length);
        if (high > side * 3) {
            high = side * 3;
            wide = high * (x.length / y.length);
        }
    }
    for (int64_t m = 0; m < marks; m++) {
        places[2 * m] = wide * along(&x, lens[m * dimension]);
        places[2 * m + 1] = high * along(&y, lens[m * dimension + 1]);
    }
}

/* ---- one axis ---- */

#define MOST_SWARM_WORK                                                                            \
    1e9 /* pairs of neighbours looked at; above, marks are stacked in columns                      \
         */

typedef struct {
    double low, high;
} interval;

typedef struct {
    int64_t marks;
    const double *radius;
    double gap, largest;
    double *places;
    uint32_t *order;   /* by x */
    interval *blocked; /* y that others take, by `low` */
} swarm;

static void block(swarm *s, int64_t *count, double low, double high) {
    int64_t i = (*count)++;
    for (; i > 0 && s->blocked[i - 1].low > low; i--)
        s->blocked[i] = s->blocked[i - 1];
    s->blocked[i] = (interval){low, high};
}

/* The free y nearest to 0; above it of equals. Intervals are open and ascending. */
static double nearest_free(const swarm *s, int64_t count) {
    double above = 0, below = 0;
    for (int64_t i = 0; i < count; i++)
        if (s->blocked[i].low < above && above < s->blocked[i].high)
            above = s->blocked[i].high;
    /* downwards ends cannot be had from the same order in one pass */
    for (bool moved = true; moved;) {
        moved = false;
        for (int64_t i = count; i-- > 0;)
            if (s->blocked[i].low < below && below < s->blocked[i].high) {
                below = s->blocked[i].low;
                moved = true;
            }
    }
    return above <= -below ? above : below;
}

/* Marks from left to right, each as near to the axis as those to its left leave it. */
static void place_next(swarm *s, int64_t i) {
    uint32_t a = s->order[i];
    double x = s->places[2 * (int64_t)a];
    int64_t count = 0;
    for (int64_t j = i; j-- > 0;) {
        uint32_t b = s->order[j];
        double need = (s->radius[a] + s->radius[b] + s->gap) * (1 + 1e-9);
        double dx = x - s->places[2 * (int64_t)b];
        if (dx >= s->radius[a] + s->largest + s->gap)
            break;
        if (dx >= need)
            continue;
        double reach = sqrt(need * need - dx * dx), y = s->places[2 * (int64_t)b + 1];
        block(s, &count, y - reach, y + reach);
    }
    assert(count <= i);
    s->places[2 * (int64_t)a + 1] = nearest_free(s, count);
}

/* Columns as wide as the largest disc, marks by turns above and below; as many columns as give a
 * page of 4 : 3 where the lens is even. */
static dgm_status stack_columns(dgm_context *ctx, swarm *s) {
    double cell = 2 * s->largest + s->gap, wide = sqrt((double)s->marks), total = 0;
    for (int64_t m = 0; m < s->marks; m++)
        total += 2 * s->radius[m] + s->gap;
    double stretch = fmax(1, sqrt(cell * total * 4 / 3) / wide);
    wide *= stretch;
    int64_t columns = (int64_t)(wide / cell) + 1;
    interval *taken = dgmi_scratch_zero(ctx, columns, sizeof *taken);
    if (!taken)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < s->marks; i++) {
        double *place = s->places + 2 * (int64_t)s->order[i];
        double size = 2 * s->radius[s->order[i]] + s->gap;
        int64_t column = (int64_t)(place[0] * stretch / cell);
        interval *t = taken + column; /* no place is beyond the last column's */
        place[0] = ((double)(t - taken) + 0.5) * cell;
        if (t->low == t->high) {
            *t = (interval){-size / 2, size / 2};
            place[1] = 0;
        } else if (t->high <= -t->low) {
            place[1] = t->high + size / 2;
            t->high += size;
        } else {
            place[1] = t->low - size / 2;
            t->low -= size;
        }
    }
    return DGM_OK;
}

/* Each mark looks at those to its left in reach, and keeps them in order. */
static double swarm_work(const swarm *s) {
    double work = 0;
    int64_t left = 0;
    for (int64_t i = 0; i < s->marks; i++) {
        double x = s->places[2 * (int64_t)s->order[i]];
        while (x - s->places[2 * (int64_t)s->order[left]] >= 2 * s->largest + s->gap)
            left++;
        work += (double)(i - left) * (double)(i - left);
    }
    return work;
}

static dgm_status place_line(dgm_context *ctx, int64_t marks, int64_t dimension, const double *lens,
                             const double *radius, double *places) {
    axis x = axis_of(marks, dimension, lens, 0);
    swarm s = {marks, radius, gap_of(marks, radius), largest_of(marks, radius), places, NULL, NULL};
    uint64_t *keys = dgmi_scratch(ctx, marks, sizeof *keys);
    s.order = dgmi_scratch(ctx, marks, sizeof *s.order);
    s.blocked = dgmi_scratch(ctx, marks, sizeof *s.blocked);
    if (!keys || !s.order || !s.blocked)
        return DGM_ERROR_MEMORY;
    double wide = sqrt((double)marks);
    for (int64_t m = 0; m < marks; m++) {
        places[2 * m] = wide * along(&x, lens[m * dimension]);
        keys[m] = dgmi_sort_key(places[2 * m]);
        s.order[m] = (uint32_t)m;
    }
    dgm_status status = dgmi_sort_pairs(ctx, keys, s.order, marks);
    if (status != DGM_OK)
        return status;
    if (swarm_work(&s) > MOST_SWARM_WORK)
        return stack_columns(ctx, &s);
    for (int64_t i = 0; i < marks; i++)
        place_next(&s, i);
    return DGM_OK;
}

dgm_status dgmi_layout_lens(dgm_context *ctx, int64_t marks, int64_t dimension, const double *lens,
                            bool alike, const double *radius, double *places) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_OK;
    if (dimension >= 2)
        place_plane(marks, dimension, lens, alike, places);
    else
        status = place_line(ctx, marks, dimension, lens, radius, places);
    dgmi_arena_release(ctx, hold);
    return status;
}
