/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places from which a descent starts. Known places are scaled to units of links, and
 * unknown ones lie beside their neighbours. If no place is known, they come from PivotMDS (Brandes
 * and Pich, "Eigensolver methods for progressive multidimensional scaling of large data", 2006):
 * the two main axes of the double-centred squared distances to the pivots.
 */
#include "layout_piece.h"

#include <math.h>
#include <string.h>

#include "base_memory.h"
#include "base_random.h"

enum { AXIS_PIVOTS = 24, POWER_STEPS = 60, FIT_ROUNDS = 64 };
#define JITTER_STREAM 0x6a6974746572

/* ---- PivotMDS ---- */

typedef struct {
    const dgmi_layout_pivot_set *pivots;
    int64_t marks, count;
    double column[AXIS_PIVOTS]; /* mean of a pivot's squared distances */
    double all;                 /* and of all of them */
} centred;

static void centre_columns(centred *c) {
    c->all = 0;
    for (int64_t p = 0; p < c->count; p++) {
        const float *hops = c->pivots->hops + p * c->pivots->stride;
        double sum = 0;
        for (int64_t m = 0; m < c->marks; m++)
            sum += (double)hops[m] * (double)hops[m];
        c->column[p] = sum / (double)c->marks;
        c->all += c->column[p] / (double)c->count;
    }
}

static void centred_row(const centred *c, int64_t m, double row[AXIS_PIVOTS]) {
    double mean = 0;
    for (int64_t p = 0; p < c->count; p++) {
        double hops = (double)c->pivots->hops[p * c->pivots->stride + m];
        row[p] = hops * hops;
        mean += row[p] / (double)c->count;
    }
    for (int64_t p = 0; p < c->count; p++)
        row[p] = -0.5 * (row[p] - mean - c->column[p] + c->all);
}

/* The largest eigenvector by powers; false where the matrix is zero. */
static bool main_axis(int64_t count, double matrix[AXIS_PIVOTS][AXIS_PIVOTS],
                      double axis[AXIS_PIVOTS]) {
    double next[AXIS_PIVOTS];
    for (int64_t p = 0; p < count; p++)
        axis[p] = 1 + (double)(p * p % 7) / 7; /* orthogonal to nothing that matters */
    for (int step = 0; step < POWER_STEPS; step++) {
        double norm = 0;
        for (int64_t p = 0; p < count; p++) {
            next[p] = 0;
            for (int64_t q = 0; q < count; q++)
                next[p] += matrix[p][q] * axis[q];
            norm += next[p] * next[p];
        }
        norm = sqrt(norm);
        if (!(norm > 1e-12))
            return false;
        for (int64_t p = 0; p < count; p++)
            axis[p] = next[p] / norm;
    }
    return true;
}

static void take_away(int64_t count, double matrix[AXIS_PIVOTS][AXIS_PIVOTS],
                      const double axis[AXIS_PIVOTS]) {
    double value = 0;
    for (int64_t p = 0; p < count; p++)
        for (int64_t q = 0; q < count; q++)
            value += axis[p] * matrix[p][q] * axis[q];
    for (int64_t p = 0; p < count; p++)
        for (int64_t q = 0; q < count; q++)
            matrix[p][q] -= value * axis[p] * axis[q];
}

static void place_by_pivots(dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots) {
    centred c = {.pivots = pivots, .marks = piece->graph.marks};
    double matrix[AXIS_PIVOTS][AXIS_PIVOTS] = {{0}}, row[AXIS_PIVOTS], axis[2][AXIS_PIVOTS] = {{0}};
    c.count = pivots->count < AXIS_PIVOTS ? pivots->count : AXIS_PIVOTS;
    centre_columns(&c);
    for (int64_t m = 0; m < c.marks; m++) {
        centred_row(&c, m, row);
        for (int64_t p = 0; p < c.count; p++)
            for (int64_t q = 0; q < c.count; q++)
                matrix[p][q] += row[p] * row[q];
    }
    if (main_axis(c.count, matrix, axis[0])) {
        take_away(c.count, matrix, axis[0]);
        if (!main_axis(c.count, matrix, axis[1]))
            memset(axis[1], 0, sizeof axis[1]);
    }
    for (int64_t m = 0; m < c.marks; m++) {
        double x = 0, y = 0;
        centred_row(&c, m, row);
        for (int64_t p = 0; p < c.count; p++) {
            x += row[p] * axis[0][p];
            y += row[p] * axis[1][p];
        }
        piece->x[m] = (float)x;
        piece->y[m] = (float)y;
    }
}

/* ---- known places ---- */

/* Marks without a place get the mean of their neighbours that have one, nearest first. */
static dgm_status place_unknown(dgm_context *ctx, dgmi_layout_piece *piece) {
    const dgmi_layout_graph *graph = &piece->graph;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *queue = dgmi_scratch(ctx, graph->marks, sizeof *queue);
    uint8_t *placed = dgmi_scratch(ctx, graph->marks, sizeof *placed);
    int64_t reached = 0;
    if (!queue || !placed)
        return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < graph->marks; m++) {
        placed[m] = piece->known[m];
        if (placed[m])
            queue[reached++] = (uint32_t)m;
    }
    for (int64_t q = 0; q < reached; q++) {
        uint32_t m = queue[q];
        float x = 0, y = 0, count = 0;
        for (int64_t e = graph->offsets[m]; e < graph->offsets[m + 1]; e++) {
            uint32_t other = graph->targets[e];
            if (placed[other] == 1) {
                x += piece->x[other];
                y += piece->y[other];
                count += 1;
            } else if (placed[other] == 0) {
                placed[other] = 2; /* waits for its turn */
                queue[reached++] = other;
            }
        }
        if (placed[m] == 2) {
            piece->x[m] = x / count;
            piece->y[m] = y / count;
            placed[m] = 1;
        }
    }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

/* ---- units ---- */

/* Adds a pair to the sums whose ratio is the scale of least stress, sum |x| / d over
 * sum |x|^2 / d^2. */
static void add_pair(const dgmi_layout_piece *piece, int64_t a, int64_t b, double hops,
                     double sums[2]) {
    double dx = (double)piece->x[a] - (double)piece->x[b];
    double dy = (double)piece->y[a] - (double)piece->y[b];
    double square = dx * dx + dy * dy;
    sums[0] += sqrt(square) / hops;
    sums[1] += square / (hops * hops);
}

static void add_round(const dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds,
                      int64_t round, double sums[2]) {
    int64_t n = rounds->marks, low = dgmi_layout_round_low(round),
            high = dgmi_layout_round_high(n, round);
    const uint16_t *hops = rounds->hops + round * rounds->stride;
    for (int64_t i = 0; i < low; i++)
        add_pair(piece, i, round - i, hops[i], sums);
    for (int64_t i = 0; i < high; i++)
        add_pair(piece, round + 1 + i, n - 1 - i, hops[low + i], sums);
}

static void add_pivot(const dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots,
                      int64_t p, double sums[2]) {
    const float *hops = pivots->hops + p * pivots->stride;
    for (int64_t m = 0; m < piece->graph.marks; m++)
        if (hops[m] > 0)
            add_pair(piece, pivots->mark[p], m, (double)hops[m], sums);
}

void dgmi_layout_piece_scale(dgmi_layout_piece *piece, const dgmi_layout_rounds *rounds,
                             const dgmi_layout_pivot_set *pivots) {
    double sums[2] = {0, 0};
    if (rounds)
        for (int64_t r = 0; r < FIT_ROUNDS && r < rounds->marks; r++)
            add_round(piece, rounds, r, sums);
    else
        for (int64_t p = 0; p < AXIS_PIVOTS && p < pivots->count; p++)
            add_pivot(piece, pivots, p, sums);
    piece->scale = sums[1] > 0 ? (float)(sums[0] / sums[1]) : 1;
    for (int64_t m = 0; m < piece->graph.marks; m++) {
        piece->x[m] *= piece->scale;
        piece->y[m] *= piece->scale;
    }
}

/* No two marks stand in the same place, nor all on one line: the descent could not part them. */
static void jitter(dgmi_layout_piece *piece, float reach) {
    for (int64_t m = 0; m < piece->graph.marks; m++) {
        uint64_t bits = dgmi_random_bits(piece->seed, JITTER_STREAM + piece->stream, (uint64_t)m);
        piece->x[m] += reach * ((float)(bits >> 40) * 0x1p-23F - 1);
        piece->y[m] += reach * ((float)(bits & 0xffffff) * 0x1p-23F - 1);
    }
}

dgm_status dgmi_layout_piece_start(dgm_context *ctx, dgmi_layout_piece *piece,
                                   const dgmi_layout_rounds *rounds,
                                   const dgmi_layout_pivot_set *pivots) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_OK;
    bool known = memchr(piece->known, 1, (size_t)piece->graph.marks);
    dgmi_layout_pivot_set own;
    memcpy(piece->x, piece->start_x, (size_t)piece->padded * sizeof *piece->x);
    memcpy(piece->y, piece->start_y, (size_t)piece->padded * sizeof *piece->y);
    if (known)
        status = place_unknown(ctx, piece);
    else if (!pivots)
        status = dgmi_layout_piece_pivots(ctx, &piece->graph, AXIS_PIVOTS, &own);
    if (status == DGM_OK) {
        if (!known)
            place_by_pivots(piece, pivots ? pivots : &own);
        dgmi_layout_piece_scale(piece, rounds, pivots);
        jitter(piece, known && piece->anchor > 0 ? 1e-4F : 0.1F);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
