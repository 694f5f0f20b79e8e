/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a complex smaller by strong collapses (Barmak and Minian 2012; Boissonnat, Pritam and
 * Pareek 2018).
 *
 * A vertex is dominated by another one that lies in all its simplices. It can be left out without
 * changing the homotopy type. A simplex inside another one can be left out too. In the incidence
 * matrix of vertices and simplices both are the same thing: a row, or a column, whose ones are
 * among those of another. Both kinds wait in one queue. A row can become dominated only when it
 * loses a one, so every row that loses one is looked at again.
 */
#include "mapper_complex.h"

#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"

enum { VERTICES, SIMPLICES, SIDES };

/* ---- the nerve ---- */

static int64_t copy_kept(const uint32_t *list, int64_t count, const bool *kept, uint32_t *to) {
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++)
        if (!kept || kept[list[i]])
            to[used++] = list[i];
    return used;
}

/* vertex_start and around, from the simplices. */
static void turn_over(dgmi_mapper_complex *complex) {
    int64_t n = complex->vertices, *start = complex->vertex_start;
    memset(start, 0, (size_t)(n + 1) * sizeof *start);
    for (int64_t i = 0; i < complex->simplex_start[complex->simplices]; i++)
        start[complex->corners[i] + 1]++;
    for (int64_t v = 0; v < n; v++)
        start[v + 1] += start[v];
    for (int64_t s = 0; s < complex->simplices; s++) /* placing shifts starts by one vertex */
        for (int64_t i = complex->simplex_start[s]; i < complex->simplex_start[s + 1]; i++)
            complex->around[start[complex->corners[i]]++] = (uint32_t)s;
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
    assert(start[n] == complex->simplex_start[complex->simplices]);
}

dgm_status dgmi_mapper_complex_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                    const bool *kept, dgmi_mapper_complex *complex) {
    int64_t lists = bundles->count - bundles->clusters, entries = bundles->list_start[lists];
    *complex = (dgmi_mapper_complex){.vertices = bundles->clusters,
                                     .simplex_start = dgmi_scratch(ctx, lists + 1, sizeof(int64_t)),
                                     .corners = dgmi_scratch(ctx, entries, sizeof(uint32_t)),
                                     .vertex_start =
                                         dgmi_scratch(ctx, bundles->clusters + 1, sizeof(int64_t)),
                                     .around = dgmi_scratch(ctx, entries, sizeof(uint32_t))};
    if (!complex->simplex_start || !complex->corners || !complex->vertex_start || !complex->around)
        return DGM_ERROR_MEMORY;
    int64_t used = 0;
    complex->simplex_start[0] = 0;
    for (int64_t k = 0; k < lists; k++) {
        int64_t begin = bundles->list_start[k];
        int64_t count = copy_kept(bundles->lists + begin, bundles->list_start[k + 1] - begin, kept,
                                  complex->corners + used);
        if (count < 2)
            continue;
        used += count;
        complex->simplex_start[++complex->simplices] = used;
        complex->largest = count > complex->largest ? count : complex->largest;
    }
    DGMI_ASSERT_WALK(dgmi_rows_sorted(complex->simplex_start, complex->corners, complex->simplices,
                                      complex->vertices));
    turn_over(complex);
    return DGM_OK;
}

/* ---- domination ---- */

/* Rows of one side of the incidence matrix. A row's list may still name what is gone. */
typedef struct {
    int64_t count;
    const int64_t *start;
    uint32_t *ones;
    uint32_t *length; /* of the list */
    uint32_t *left;   /* ones that are not gone */
    bool *gone, *waiting;
} side;

typedef struct {
    side sides[SIDES];
    uint64_t *queue; /* row * SIDES + side; a ring */
    int64_t head, held, room;
    uint32_t *candidates;
} collapse;

/* Names of what is gone are struck out once they are half of the list. */
static void tidy(collapse *c, int which, uint32_t row) {
    side *s = &c->sides[which];
    const bool *gone = c->sides[!which].gone;
    uint32_t *ones = s->ones + s->start[row], kept = 0;
    if (s->length[row] <= 2 * s->left[row])
        return;
    for (uint32_t i = 0; i < s->length[row]; i++)
        if (!gone[ones[i]])
            ones[kept++] = ones[i];
    s->length[row] = kept;
    assert(kept == s->left[row]);
}

static bool has_one(const uint32_t *ones, uint32_t length, uint32_t wanted) {
    uint32_t low = 0;
    while (length > 1) {
        uint32_t half = length / 2;
        low = ones[low + half] <= wanted ? low + half : low;
        length -= half;
    }
    return length && ones[low] == wanted;
}

/* The one of the row that has fewest ones itself. */
static uint32_t scarcest(const collapse *c, int which, uint32_t row) {
    const side *s = &c->sides[which], *other = &c->sides[!which];
    const uint32_t *ones = s->ones + s->start[row];
    uint32_t best = UINT32_MAX, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < s->length[row] && fewest > 2; i++)
        if (!other->gone[ones[i]] && other->left[ones[i]] < fewest) {
            best = ones[i];
            fewest = other->left[best];
        }
    return best;
}

/* Whether another row has all its ones. Those that may: they share the scarcest. */
static bool dominated(collapse *c, int which, uint32_t row) {
    const side *s = &c->sides[which], *other = &c->sides[!which];
    int64_t count = 0;
    if (s->left[row] == 0)
        return false;
    tidy(c, which, row);
    uint32_t first = scarcest(c, which, row);
    tidy(c, !which, first);
    const uint32_t *rivals = other->ones + other->start[first];
    for (uint32_t i = 0; i < other->length[first]; i++)
        if (rivals[i] != row && !s->gone[rivals[i]] && s->left[rivals[i]] >= s->left[row])
            c->candidates[count++] = rivals[i];
    for (uint32_t i = 0; count && i < s->length[row]; i++) {
        uint32_t one = s->ones[s->start[row] + i];
        int64_t kept = 0;
        if (one == first || other->gone[one])
            continue;
        for (int64_t k = 0; k < count; k++)
            if (has_one(other->ones + other->start[one], other->length[one], c->candidates[k]))
                c->candidates[kept++] = c->candidates[k];
        count = kept;
    }
    return count > 0;
}

/* ---- the queue ---- */

static void look_at(collapse *c, int which, uint32_t row) {
    assert(row < c->sides[which].count);
    if (c->sides[which].waiting[row])
        return;
    c->sides[which].waiting[row] = true;
    assert(c->held < c->room); /* nobody waits twice, so there is room for all */
    c->queue[(c->head + c->held++) % c->room] = (uint64_t)row * SIDES + (uint64_t)which;
}

static void take_out(collapse *c, int which, uint32_t row, bool both) {
    side *s = &c->sides[which], *other = &c->sides[!which];
    assert(!s->gone[row]);
    s->gone[row] = true;
    for (uint32_t i = 0; i < s->length[row]; i++) {
        uint32_t one = s->ones[s->start[row] + i];
        if (other->gone[one])
            continue;
        assert(other->left[one] > 0);
        other->left[one]--;
        if (both)
            look_at(c, !which, one);
    }
}

static dgm_status empty_queue(dgm_context *ctx, collapse *c, bool both) {
    dgm_status status = DGM_OK;
    for (int64_t done = 0; status == DGM_OK && c->held; done++) {
        uint64_t item = c->queue[c->head];
        int which = (int)(item % SIDES);
        uint32_t row = (uint32_t)(item / SIDES);
        c->head = (c->head + 1) % c->room;
        c->held--;
        c->sides[which].waiting[row] = false;
        if (dominated(c, which, row))
            take_out(c, which, row, both);
        if (done % 4096 == 0)
            status = dgmi_progress(ctx, "collapsing the nerve", 0);
    }
    return status;
}

/* ---- the whole ---- */

static bool open_side(dgm_context *ctx, int64_t count, const int64_t *start, uint32_t *ones,
                      side *s) {
    *s = (side){count,
                start,
                ones,
                dgmi_scratch(ctx, count, sizeof *s->length),
                dgmi_scratch(ctx, count, sizeof *s->left),
                dgmi_scratch_zero(ctx, count, sizeof *s->gone),
                dgmi_scratch_zero(ctx, count, sizeof *s->waiting)};
    if (!s->length || !s->left || !s->gone || !s->waiting)
        return false;
    for (int64_t row = 0; row < count; row++)
        s->length[row] = s->left[row] = (uint32_t)(start[row + 1] - start[row]);
    return true;
}

/* Room for the candidates of one row. */
static int64_t longest_row(const collapse *c) {
    int64_t longest = 0;
    for (int which = 0; which < SIDES; which++)
        for (int64_t row = 0; row < c->sides[which].count; row++)
            longest = c->sides[which].length[row] > longest ? c->sides[which].length[row] : longest;
    return longest;
}

static void close_ranks(const collapse *c, dgmi_mapper_complex *complex) {
    const side *simplices = &c->sides[SIMPLICES];
    int64_t used = 0, kept = 0, begin = 0;
    complex->largest = 0;
    for (int64_t s = 0; s < simplices->count; s++) {
        const uint32_t *ones = complex->corners + begin;
        int64_t from = used;
        begin = complex->simplex_start[s + 1];
        for (uint32_t i = 0; !simplices->gone[s] && i < simplices->length[s]; i++)
            if (!c->sides[VERTICES].gone[ones[i]])
                complex->corners[used++] = ones[i];
        if (simplices->gone[s])
            continue;
        complex->simplex_start[++kept] = used;
        complex->largest = used - from > complex->largest ? used - from : complex->largest;
    }
    complex->simplices = kept;
    turn_over(complex);
}

static dgm_status leave_out(dgm_context *ctx, dgmi_mapper_complex *complex, bool both) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    collapse c = {.room = complex->vertices + complex->simplices};
    if (!open_side(ctx, complex->vertices, complex->vertex_start, complex->around,
                   &c.sides[VERTICES]) ||
        !open_side(ctx, complex->simplices, complex->simplex_start, complex->corners,
                   &c.sides[SIMPLICES]))
        goto done;
    c.queue = dgmi_scratch(ctx, c.room, sizeof *c.queue);
    c.candidates = dgmi_scratch(ctx, longest_row(&c), sizeof *c.candidates);
    if (!c.queue || !c.candidates)
        goto done;
    for (int64_t s = 0; s < complex->simplices; s++)
        look_at(&c, SIMPLICES, (uint32_t)s);
    for (int64_t v = 0; both && v < complex->vertices; v++)
        look_at(&c, VERTICES, (uint32_t)v);
    status = empty_queue(ctx, &c, both);
    if (status == DGM_OK)
        close_ranks(&c, complex);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_mapper_complex_prune(dgm_context *ctx, dgmi_mapper_complex *complex) {
    return leave_out(ctx, complex, false);
}

dgm_status dgmi_mapper_complex_collapse(dgm_context *ctx, dgmi_mapper_complex *complex) {
    return leave_out(ctx, complex, true);
}
