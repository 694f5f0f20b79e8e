/* SPDX-License-Identifier: Apache-2.0 */
/* Lowers the stress of a piece by stochastic gradient descent (Zheng, Pawar, Goodman, "Graph
 * drawing by stochastic gradient descent", 2018). Each pair i, j at d hops with weight w moves both
 * its ends towards the distance d by
 *
 *   mu (|x_i - x_j| - d) / 2,   mu = min(1, step w),
 *
 * with steps that fall exponentially, and w = 1 / d^2. Pairs are visited in rounds in which every
 * mark occurs at most once. The piece is shuffled, and each sweep has a new order of rounds. The
 * pairs of a round do not depend on each other, so vectors of any width give the same bits.
 *
 * Large pieces follow Ortmann, Klimenta and Brandes, "A sparse stress model" (2016). The pairs are
 * the links, and each mark with each pivot p; of the latter only the mark moves, with weight
 * s / d^2, where s is the number of marks that p stands for: those nearest to p that are within
 * d / 2 of it. Marks move in blocks, each with its own order of pivots.
 */
#include "layout_piece.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_cpu.h"
#include "base_memory.h"
#include "base_random.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    EXACT_SWEEPS = DGMI_LAYOUT_SWEEPS,
    SPARSE_SWEEPS = DGMI_LAYOUT_SWEEPS,
    BLOCK = DGMI_LAYOUT_PIECE_BLOCK,
    LANES = 16
};
#define ORDER_STREAM 0x6f72646572
#define NEAREST      1e-6F /* keeps directions finite */
#define LAST_STEP    0.1   /* in the largest weight's inverse */

/* ---- steps ---- */

typedef struct {
    float step; /* of this sweep */
    float fall; /* to the next */
    int sweep, sweeps;
} schedule;

/* The factor that takes `first` to `last` in that many steps: a root, found by halving since it is
 * to be the same everywhere. */
static double root_of(double ratio, int steps) {
    assert(ratio > 0 && ratio <= 1 && steps >= 0);
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, power = 1;
        for (int s = 0; s < steps; s++)
            power *= middle;
        if (power < ratio)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static schedule schedule_make(double first, double last, int sweeps) {
    assert(last > 0 && sweeps > 0);
    if (first < last)
        first = last;
    return (schedule){(float)first, (float)root_of(last / first, sweeps - 1), 0, sweeps};
}

/* Marks go back to where they hold on to, more so the later it is. */
static void hold(dgmi_layout_piece *piece, const schedule *s) {
    float late = (float)(s->sweep + 1) / (float)s->sweeps;
    float share = piece->anchor / (1 + piece->anchor) * late * late;
    if (!(piece->anchor > 0))
        return;
    for (int64_t m = 0; m < piece->graph.marks; m++) {
        float pull = piece->known[m] ? share : 0;
        piece->x[m] += pull * (piece->start_x[m] * piece->scale - piece->x[m]);
        piece->y[m] += pull * (piece->start_y[m] * piece->scale - piece->y[m]);
    }
}

static dgm_status end_sweep(dgm_context *ctx, dgmi_layout_piece *piece, schedule *s) {
    assert(s->sweep < s->sweeps);
    hold(piece, s);
    s->step *= s->fall;
    s->sweep++;
    return dgmi_progress(ctx, "laying out", (double)s->sweep / (double)s->sweeps);
}

/* Fisher and Yates. */
static void shuffle(const dgmi_layout_piece *piece, uint64_t turn, int64_t count, uint32_t *order) {
    dgmi_random random = {piece->seed, ORDER_STREAM + (piece->stream << 40), turn << 32};
    for (int64_t i = count; i > 1; i--) {
        uint64_t j = dgmi_random_next_below(&random, (uint64_t)i);
        uint32_t swap = order[j];
        order[j] = order[i - 1];
        order[i - 1] = swap;
    }
}

static uint32_t *numbers(dgm_context *ctx, int64_t count) {
    uint32_t *order = dgmi_scratch(ctx, count, sizeof *order);
    for (int64_t i = 0; order && i < count; i++)
        order[i] = (uint32_t)i;
    return order;
}

/* ---- the inner loops ---- */

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t lanes_short __attribute__((vector_size(2 * LANES)));
typedef int32_t lanes_int __attribute__((vector_size(4 * LANES)));

/* The share of the difference of two places that both move by, where `square` is that difference's
 * square: mu (far - d) / (2 far). */
INLINE float share_of(float square, float d, float step) {
    float far = sqrtf(square), mu = step / (d * d);
    far = far > NEAREST ? far : NEAREST;
    mu = mu < 1 ? mu : 1;
    return mu * (far - d) / (2 * far);
}

INLINE void move_pair(float d, float step, float *low_x, float *low_y, float *high_x,
                      float *high_y) {
    float dx = *low_x - *high_x, dy = *low_y - *high_y;
    float share = share_of(dx * dx + dy * dy, d, step);
    *low_x -= share * dx;
    *low_y -= share * dy;
    *high_x += share * dx;
    *high_y += share * dy;
}

INLINE void load(lanes *to, const float *from) {
    memcpy(to, from, sizeof *to);
}
INLINE void store(float *to, const lanes *from) {
    memcpy(to, from, sizeof *from);
}
INLINE void turn_round(lanes *v) {
    *v = __builtin_shufflevector(*v, *v, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
}

/* LANES pairs low[0], high[LANES - 1], low[1], high[LANES - 2], .. */
INLINE void move_lanes(const uint16_t *hops, float step, float *low_x, float *low_y, float *high_x,
                       float *high_y) {
    lanes lx, ly, hx, hy, share;
    lanes_short shorts;
    load(&lx, low_x);
    load(&ly, low_y);
    load(&hx, high_x);
    load(&hy, high_y);
    memcpy(&shorts, hops, sizeof shorts);
    lanes d = __builtin_convertvector(__builtin_convertvector(shorts, lanes_int), lanes);
    turn_round(&hx);
    turn_round(&hy);
    lanes dx = lx - hx, dy = ly - hy, square = dx * dx + dy * dy;
    for (int l = 0; l < LANES; l++)
        share[l] = share_of(square[l], d[l], step);
    lx -= share * dx;
    ly -= share * dy;
    hx += share * dx;
    hy += share * dy;
    turn_round(&hx);
    turn_round(&hy);
    store(low_x, &lx);
    store(low_y, &ly);
    store(high_x, &hx);
    store(high_y, &hy);
}

/* Pairs low[i], high[-i] at hops[i], of a round: no mark occurs twice. */
INLINE void move_pairs(int64_t count, const uint16_t *hops, float step, float *low_x, float *low_y,
                       float *high_x, float *high_y) {
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        move_lanes(hops + i, step, low_x + i, low_y + i, high_x - i - LANES + 1,
                   high_y - i - LANES + 1);
    for (; i < count; i++)
        move_pair((float)hops[i], step, low_x + i, low_y + i, high_x - i, high_y - i);
}

/* A block of marks and one pivot at px, py, which stays. */
INLINE void move_block(const float *restrict hops, const float *restrict weight, float step,
                       float px, float py, float *restrict x, float *restrict y) {
    for (int64_t i = 0; i < BLOCK; i++) {
        float dx = x[i] - px, dy = y[i] - py;
        float far = sqrtf(dx * dx + dy * dy);
        float mu = step * weight[i];
        far = far > NEAREST ? far : NEAREST;
        mu = mu < 1 ? mu : 1;
        float move = mu * (far - hops[i]) / (2 * far);
        x[i] -= move * dx;
        y[i] -= move * dy;
    }
}

INLINE void move_round_any(dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds,
                           int64_t round, float step) {
    int64_t n = rounds->marks, low = dgmi_layout_round_low(round),
            high = dgmi_layout_round_high(n, round);
    const uint16_t *hops = rounds->hops + round * rounds->stride;
    float *x = piece->x, *y = piece->y;
    move_pairs(low, hops, step, x, y, x + round, y + round);
    move_pairs(high, hops + low, step, x + round + 1, y + round + 1, x + n - 1, y + n - 1);
}

typedef struct {
    const dgmi_layout_pivot_set *pivots;
    const float *weight; /* count * stride */
    uint32_t *order;     /* of the pivots */
} sparse;

INLINE void move_to_pivots_any(dgmi_layout_piece *piece, const sparse *s, int64_t block,
                               float step) {
    for (int64_t i = 0; i < s->pivots->count; i++) {
        int64_t p = s->order[i], at = p * s->pivots->stride + block * BLOCK;
        uint32_t mark = s->pivots->mark[p];
        move_block(s->pivots->hops + at, s->weight + at, step, piece->x[mark], piece->y[mark],
                   piece->x + block * BLOCK, piece->y + block * BLOCK);
    }
}

typedef struct {
    void (*round)(dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds, int64_t round,
                  float step);
    void (*pivots)(dgmi_layout_piece *piece, const sparse *s, int64_t block, float step);
} moves;

/* NOLINTBEGIN(bugprone-macro-parentheses): attributes take no brackets */
#define MOVES(name, attributes)                                                                    \
    attributes static void move_round_##name(                                                      \
        dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds, int64_t round, float step) {   \
        move_round_any(piece, rounds, round, step);                                                \
    }                                                                                              \
    attributes static void move_to_pivots_##name(dgmi_layout_piece *piece, const sparse *s,        \
                                                 int64_t block, float step) {                      \
        move_to_pivots_any(piece, s, block, step);                                                 \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

MOVES(plain, )
#if defined(__x86_64__) && defined(__GNUC__)
MOVES(avx2, __attribute__((target("avx2"))))
MOVES(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))
static moves choose_moves(void) {
    static const moves compiled[] = {
        [DGMI_CPU_PLAIN] = {move_round_plain, move_to_pivots_plain},
        [DGMI_CPU_AVX2] = {move_round_avx2, move_to_pivots_avx2},
        [DGMI_CPU_AVX512] = {move_round_avx512, move_to_pivots_avx512},
    };
    return compiled[dgmi_cpu_best()];
}
#else
static moves choose_moves(void) {
    return (moves){move_round_plain, move_to_pivots_plain};
}
#endif

/* ---- every pair ---- */

dgm_status dgmi_layout_piece_descend_exact(dgm_context *ctx, dgmi_layout_piece *piece,
                                           const dgmi_layout_rounds *rounds) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_OK;
    int64_t n = rounds->marks;
    double first = piece->anchor > 0 ? 1 : (double)rounds->farthest * (double)rounds->farthest;
    schedule s = schedule_make(first, LAST_STEP, EXACT_SWEEPS);
    moves move = choose_moves();
    uint32_t *order = numbers(ctx, n);
    if (!order)
        return DGM_ERROR_MEMORY;
    while (status == DGM_OK && s.sweep < s.sweeps) {
        shuffle(piece, (uint64_t)s.sweep, n, order);
        for (int64_t r = 0; r < n; r++)
            move.round(piece, rounds, order[r], s.step);
        status = end_sweep(ctx, piece, &s);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- pivots ---- */

/* within[h]: marks of the pivot's region at most h hops from it. */
static void count_region(const dgmi_layout_pivot_set *pivots, int64_t marks, int64_t p,
                         float *within) {
    const float *hops = pivots->hops + p * pivots->stride;
    int64_t most = (int64_t)pivots->farthest;
    for (int64_t h = 0; h <= most; h++)
        within[h] = 0;
    for (int64_t m = 0; m < marks; m++)
        if (pivots->nearest[m] == p)
            within[(int64_t)hops[m]] += 1;
    for (int64_t h = 1; h <= most; h++)
        within[h] += within[h - 1];
}

/* Links have terms of their own: marks one hop from a pivot have no weight here. */
static dgm_status weigh(dgm_context *ctx, const dgmi_layout_pivot_set *pivots, int64_t marks,
                        float *weight, float *largest) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *within = dgmi_scratch(ctx, (int64_t)pivots->farthest + 1, sizeof *within);
    if (!within)
        return DGM_ERROR_MEMORY;
    *largest = 1;
    for (int64_t p = 0; p < pivots->count; p++) {
        const float *hops = pivots->hops + p * pivots->stride;
        float *row = weight + p * pivots->stride;
        count_region(pivots, marks, p, within);
        for (int64_t m = 0; m < pivots->stride; m++) {
            row[m] = hops[m] > 1 ? within[(int64_t)hops[m] / 2] / (hops[m] * hops[m]) : 0;
            *largest = row[m] > *largest ? row[m] : *largest;
        }
    }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

typedef struct {
    int64_t count;
    uint32_t (*ends)[2];
} links;

static dgm_status list_links(dgm_context *ctx, const dgmi_layout_piece *piece, links *out) {
    const dgmi_layout_graph *graph = &piece->graph;
    out->count = 0;
    out->ends = dgmi_scratch(ctx, graph->offsets[graph->marks] / 2, sizeof *out->ends);
    if (!out->ends)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < graph->marks; m++)
        for (int64_t e = graph->offsets[m]; e < graph->offsets[m + 1]; e++)
            if (graph->targets[e] > m) {
                out->ends[out->count][0] = (uint32_t)m;
                out->ends[out->count++][1] = graph->targets[e];
            }
    dgmi_random random = {piece->seed, ORDER_STREAM + (piece->stream << 40), UINT64_C(1) << 60};
    for (int64_t i = out->count; i > 1; i--) {
        uint64_t j = dgmi_random_next_below(&random, (uint64_t)i);
        uint32_t a = out->ends[j][0], b = out->ends[j][1];
        out->ends[j][0] = out->ends[i - 1][0];
        out->ends[j][1] = out->ends[i - 1][1];
        out->ends[i - 1][0] = a;
        out->ends[i - 1][1] = b;
    }
    return DGM_OK;
}

static void move_links(dgmi_layout_piece *piece, const links *l, int64_t begin, int64_t end,
                       float step) {
    float mu = step < 1 ? step : 1, *x = piece->x, *y = piece->y;
    for (int64_t i = begin; i < end; i++) {
        uint32_t a = l->ends[i][0], b = l->ends[i][1];
        float dx = x[a] - x[b], dy = y[a] - y[b];
        float far = sqrtf(dx * dx + dy * dy);
        far = far > NEAREST ? far : NEAREST;
        float move = mu * (far - 1) / (2 * far);
        x[a] -= move * dx;
        y[a] -= move * dy;
        x[b] += move * dx;
        y[b] += move * dy;
    }
}

/* Blocks in a new order, and after each its share of the links. */
static void sweep_blocks(dgmi_layout_piece *piece, const sparse *s, const links *l,
                         uint32_t *blocks, const schedule *now, moves move) {
    int64_t count = piece->padded / BLOCK;
    shuffle(piece, (uint64_t)now->sweep << 16, count, blocks);
    for (int64_t b = 0; b < count; b++) {
        shuffle(piece, ((uint64_t)now->sweep << 16) + (uint64_t)b + 1, s->pivots->count, s->order);
        move.pivots(piece, s, blocks[b], now->step);
        move_links(piece, l, l->count * b / count, l->count * (b + 1) / count, now->step);
    }
}

dgm_status dgmi_layout_piece_descend_sparse(dgm_context *ctx, dgmi_layout_piece *piece,
                                            const dgmi_layout_pivot_set *pivots) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *weight = dgmi_scratch(ctx, pivots->count * pivots->stride, sizeof *weight), largest;
    uint32_t *blocks = numbers(ctx, piece->padded / BLOCK);
    sparse terms = {pivots, weight, numbers(ctx, pivots->count)};
    links l;
    dgm_status status = list_links(ctx, piece, &l);
    if (!weight || !blocks || !terms.order)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = weigh(ctx, pivots, piece->graph.marks, weight, &largest);
    if (status == DGM_OK) {
        double far = piece->anchor > 0 ? 1 : (double)pivots->farthest;
        schedule s = schedule_make(far * far, LAST_STEP / (double)largest, SPARSE_SWEEPS);
        while (status == DGM_OK && s.sweep < s.sweeps) {
            sweep_blocks(piece, &terms, &l, blocks, &s, choose_moves());
            status = end_sweep(ctx, piece, &s);
        }
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
