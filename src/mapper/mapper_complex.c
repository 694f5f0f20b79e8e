/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a complex smaller by strong collapses (Barmak and Minian 2012; Boissonnat, Pritam and
 * Pareek 2018).
 *
 * A vertex is dominated by another one that lies in all its simplices. It can be left out without
 * changing the homotopy type. A simplex inside another one can be left out too. In the incidence
 * matrix of vertices and simplices both are the same thing: a row, or a column, whose ones are
 * among those of another. Simplices inside others are left out first. Then both kinds wait in one
 * queue. A row can become dominated only when it loses a one, so every row that loses one is looked
 * at again.
 *
 * In a space of many dimensions a point lies in many balls and shares them with no other, so that
 * there are as many simplices as points, most of them inside a few. So the largest come first, and
 * each is compared only with larger ones that have stayed. A simplex has a signature, a bit for
 * each corner modulo the number of bits: what lacks one of its bits cannot hold it.
 */
#include "mapper_complex.h"

#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"

enum { VERTICES, SIMPLICES, SIDES, WORD = 64, MOST_WORDS = 8, CORNERS_A_WORD = 16 };
#define MOST_LOOKS (INT64_C(1) << 33) /* about twenty seconds */

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

/* Puts the largest simplices first, and those of one size in the order in which they were. The
 * corners go where the simplices of vertices will be listed. */
static dgm_status sort_simplices(dgm_context *ctx, dgmi_mapper_complex *complex) {
    int64_t *old = complex->simplex_start, sum = 0;
    int64_t *place = dgmi_scratch_zero(ctx, complex->largest + 2, sizeof *place);
    int64_t *start = dgmi_scratch(ctx, complex->simplices + 1, sizeof *start);
    if (!place || !start)
        return DGM_ERROR_MEMORY;
    for (int64_t s = 0; s < complex->simplices; s++)
        place[old[s + 1] - old[s]]++;
    for (int64_t size = complex->largest; size >= 0; size--) {
        int64_t count = place[size];
        place[size] = sum;
        sum += count;
    }
    start[0] = 0;
    for (int64_t s = 0; s < complex->simplices; s++)
        start[++place[old[s + 1] - old[s]]] = old[s + 1] - old[s];
    for (int64_t s = 0; s < complex->simplices; s++)
        start[s + 1] += start[s];
    for (int64_t s = complex->simplices; s-- > 0;) {
        int64_t size = old[s + 1] - old[s];
        memcpy(complex->around + start[--place[size]], complex->corners + old[s],
               (size_t)size * sizeof *complex->corners);
    }
    uint32_t *sorted = complex->around;
    complex->around = complex->corners;
    complex->corners = sorted;
    complex->simplex_start = start;
    return DGM_OK;
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
    complex->repeats = kept;
    complex->most_looks = MOST_LOOKS;
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
    dgm_status status = sort_simplices(ctx, complex);
    if (status == DGM_OK)
        turn_over(complex);
    return status;
}

/* ---- signatures ---- */

typedef struct {
    uint64_t *bits; /* `words` of each simplex */
    int words;
} signatures;

static void sign_corner(const signatures *all, uint64_t *signature, uint32_t corner) {
    signature[corner % ((uint32_t)all->words * WORD) / WORD] |= UINT64_C(1) << corner % WORD;
}

static bool open_signatures(dgm_context *ctx, const dgmi_mapper_complex *complex, signatures *all) {
    int64_t words = (complex->largest + CORNERS_A_WORD - 1) / CORNERS_A_WORD;
    int64_t enough = (complex->vertices + WORD - 1) / WORD;
    words = words < enough ? words : enough;
    all->words = (int)(words < 1 ? 1 : words > MOST_WORDS ? MOST_WORDS : words);
    all->bits = dgmi_scratch_zero(ctx, complex->simplices * all->words, sizeof *all->bits);
    for (int64_t s = 0; all->bits && s < complex->simplices; s++)
        for (int64_t i = complex->simplex_start[s]; i < complex->simplex_start[s + 1]; i++)
            sign_corner(all, all->bits + s * all->words, complex->corners[i]);
    return all->bits;
}

/* Whether a simplex may have all corners that were signed. */
static bool may_hold(const signatures *all, int64_t simplex, const uint64_t *signature) {
    const uint64_t *own = all->bits + simplex * all->words;
    for (int w = 0; w < all->words; w++)
        if (signature[w] & ~own[w])
            return false;
    return true;
}

/* ---- simplices inside others ---- */

/* Those that stay, of which each vertex has a list: `around`, as far as it was written. */
typedef struct {
    dgmi_mapper_complex *complex;
    signatures all;
    uint32_t *held; /* by vertex: the length of its list */
    int64_t kept;
} pruning;

/* Whether the corners are among those of a simplex that stays; both ascend. */
static bool holds(const dgmi_mapper_complex *complex, uint32_t simplex, const uint32_t *corners,
                  int64_t count) {
    int64_t at = complex->simplex_start[simplex], end = complex->simplex_start[simplex + 1], i = 0;
    for (; i < count && end - at >= count - i; at++)
        i += complex->corners[at] == corners[i];
    return i == count;
}

/* The corner that is in the fewest simplices which stay. */
static uint32_t rarest(const pruning *p, const uint32_t *corners, int64_t count) {
    uint32_t best = corners[0];
    for (int64_t i = 1; i < count; i++)
        best = p->held[corners[i]] < p->held[best] ? corners[i] : best;
    return best;
}

/* Simplices come in the order of their sizes, and one of the same size holds no other. */
static bool lies_inside(const pruning *p, const uint32_t *corners, int64_t count,
                        const uint64_t *signature) {
    dgmi_mapper_complex *complex = p->complex;
    uint32_t corner = rarest(p, corners, count);
    const uint32_t *rivals = complex->around + complex->vertex_start[corner];
    for (uint32_t i = 0; i < p->held[corner]; i++) {
        int64_t size = complex->simplex_start[rivals[i] + 1] - complex->simplex_start[rivals[i]];
        if (size == count && !complex->repeats)
            return false;
        complex->looks++;
        if (may_hold(&p->all, rivals[i], signature) && holds(complex, rivals[i], corners, count))
            return true;
    }
    return false;
}

/* Moves a simplex behind those that stay. */
static void keep_simplex(pruning *p, int64_t from, int64_t count, const uint64_t *signature) {
    dgmi_mapper_complex *complex = p->complex;
    int64_t to = complex->simplex_start[p->kept];
    for (int64_t i = 0; i < count; i++) {
        uint32_t corner = complex->corners[from + i];
        complex->corners[to + i] = corner;
        complex->around[complex->vertex_start[corner] + p->held[corner]++] = (uint32_t)p->kept;
    }
    memmove(p->all.bits + p->kept * p->all.words, signature,
            (size_t)p->all.words * sizeof *signature);
    complex->simplex_start[++p->kept] = to + count;
}

static dgm_status prune(dgm_context *ctx, pruning *p) {
    dgmi_mapper_complex *complex = p->complex;
    dgm_status status = DGM_OK;
    int64_t begin = 0;
    for (int64_t s = 0; status == DGM_OK && s < complex->simplices; s++) {
        int64_t end = complex->simplex_start[s + 1], count = end - begin;
        const uint64_t *signature = p->all.bits + s * p->all.words;
        if (complex->looks > complex->most_looks ||
            !lies_inside(p, complex->corners + begin, count, signature))
            keep_simplex(p, begin, count, signature);
        begin = end;
        if (s % 4096 == 0)
            status = dgmi_progress(ctx, "collapsing the nerve", 0);
    }
    return status;
}

dgm_status dgmi_mapper_complex_prune(dgm_context *ctx, dgmi_mapper_complex *complex) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = complex->pruned ? DGM_OK : DGM_ERROR_MEMORY;
    pruning p = {.complex = complex};
    if (!complex->pruned && open_signatures(ctx, complex, &p.all) &&
        (p.held = dgmi_scratch_zero(ctx, complex->vertices, sizeof *p.held))) {
        status = prune(ctx, &p);
        complex->simplices = p.kept;
        complex->pruned = true;
        turn_over(complex);
    }
    dgmi_arena_release(ctx, hold);
    return status;
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
    signatures all; /* with corners that are gone */
    int64_t looks;
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

/* The signature of the corners that a simplex has left. */
static void sign_rest(const collapse *c, uint32_t simplex, uint64_t *signature) {
    const side *s = &c->sides[SIMPLICES];
    const uint32_t *corners = s->ones + s->start[simplex];
    memset(signature, 0, (size_t)c->all.words * sizeof *signature);
    for (uint32_t i = 0; i < s->length[simplex]; i++)
        if (!c->sides[VERTICES].gone[corners[i]])
            sign_corner(&c->all, signature, corners[i]);
}

/* The rows that may have all ones of this one: they share the scarcest. */
static int64_t find_rivals(collapse *c, int which, uint32_t row, uint32_t scarce) {
    const side *s = &c->sides[which], *other = &c->sides[!which];
    const uint32_t *rivals = other->ones + other->start[scarce];
    uint64_t signature[MOST_WORDS];
    int64_t count = 0;
    if (which == SIMPLICES)
        sign_rest(c, row, signature);
    for (uint32_t i = 0; i < other->length[scarce]; i++) {
        uint32_t rival = rivals[i];
        c->looks++;
        if (rival != row && !s->gone[rival] && s->left[rival] >= s->left[row] &&
            (which == VERTICES || may_hold(&c->all, rival, signature)))
            c->candidates[count++] = rival;
    }
    return count;
}

/* Whether another row has all its ones. */
static bool dominated(collapse *c, int which, uint32_t row) {
    const side *s = &c->sides[which], *other = &c->sides[!which];
    if (s->left[row] == 0)
        return false;
    tidy(c, which, row);
    uint32_t first = scarcest(c, which, row);
    /* A single one is among those of whatever shares it. Many simplices that hang on one vertex end
     * like this, and need not be compared with each other. */
    if (s->left[row] == 1)
        return other->left[first] > 1;
    tidy(c, !which, first);
    int64_t count = find_rivals(c, which, row, first);
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

static void take_out(collapse *c, int which, uint32_t row) {
    side *s = &c->sides[which], *other = &c->sides[!which];
    assert(!s->gone[row]);
    s->gone[row] = true;
    for (uint32_t i = 0; i < s->length[row]; i++) {
        uint32_t one = s->ones[s->start[row] + i];
        if (other->gone[one])
            continue;
        assert(other->left[one] > 0);
        other->left[one]--;
        look_at(c, !which, one);
    }
}

static dgm_status empty_queue(dgm_context *ctx, collapse *c, int64_t most_looks) {
    dgm_status status = DGM_OK;
    for (int64_t done = 0; status == DGM_OK && c->held && c->looks <= most_looks; done++) {
        uint64_t item = c->queue[c->head];
        int which = (int)(item % SIDES);
        uint32_t row = (uint32_t)(item / SIDES);
        c->head = (c->head + 1) % c->room;
        c->held--;
        c->sides[which].waiting[row] = false;
        if (dominated(c, which, row))
            take_out(c, which, row);
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

static dgm_status leave_out(dgm_context *ctx, dgmi_mapper_complex *complex) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    collapse c = {.room = complex->vertices + complex->simplices, .looks = complex->looks};
    if (!open_side(ctx, complex->vertices, complex->vertex_start, complex->around,
                   &c.sides[VERTICES]) ||
        !open_side(ctx, complex->simplices, complex->simplex_start, complex->corners,
                   &c.sides[SIMPLICES]))
        goto done;
    c.queue = dgmi_scratch(ctx, c.room, sizeof *c.queue);
    c.candidates = dgmi_scratch(ctx, longest_row(&c), sizeof *c.candidates);
    if (!c.queue || !c.candidates || !open_signatures(ctx, complex, &c.all))
        goto done;
    for (int64_t v = 0; v < complex->vertices; v++)
        look_at(&c, VERTICES, (uint32_t)v);
    status = empty_queue(ctx, &c, complex->most_looks);
    complex->looks = c.looks;
    if (status == DGM_OK)
        close_ranks(&c, complex);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_mapper_complex_collapse(dgm_context *ctx, dgmi_mapper_complex *complex) {
    dgm_status status = dgmi_mapper_complex_prune(ctx, complex);
    return status == DGM_OK ? leave_out(ctx, complex) : status;
}
