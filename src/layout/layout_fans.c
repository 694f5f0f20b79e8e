/* SPDX-License-Identifier: Apache-2.0 */
/* Spreads the leaves of a hub in a fan. All leaves of a hub have the same distances to the pivots,
 * so a descent by pivots leaves them in clumps that mean nothing. A descent over all pairs would
 * spread them evenly. A fan does the same: it is a disc of leaves around their hub, each leaf a
 * golden angle further than the one before (Vogel, "A better way to construct the sunflower head",
 * 1979).
 *
 * Leaves are two hops from each other. The mean distance of two points in a disc of radius R is
 * 0.9054 R, and its mean square is R^2, so their stress is least at R = 2 * 0.9054.
 */
#include "layout_piece.h"

#include <math.h>

enum { FEWEST_LEAVES = 64 /* fewer are left where they are */, SETTLING_STEPS = 30 };
#define FAN_RADIUS    1.8108
#define GOLDEN_COSINE (-0.73736887807831985597)
#define GOLDEN_SINE   0.67549029426152362720

static bool is_leaf(const dgmi_layout_graph *graph, uint32_t m) {
    return graph->offsets[m + 1] - graph->offsets[m] == 1;
}

static int64_t count_leaves(const dgmi_layout_graph *graph, int64_t hub) {
    int64_t count = 0;
    for (int64_t e = graph->offsets[hub]; e < graph->offsets[hub + 1]; e++)
        count += is_leaf(graph, graph->targets[e]);
    return count;
}

/* So many links pull at a hub that it ends anywhere near its place. All other marks stay while it
 * goes to where its stress with the pivots is least, by majorization: the mean of where each pivot
 * wants it, with weights 1 / d^2. */
static void settle(dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots, int64_t hub) {
    double x = (double)piece->x[hub], y = (double)piece->y[hub];
    for (int step = 0; step < SETTLING_STEPS; step++) {
        double sum_x = 0, sum_y = 0, weights = 0;
        for (int64_t p = 0; p < pivots->count; p++) {
            double hops = (double)pivots->hops[p * pivots->stride + hub];
            double px = (double)piece->x[pivots->mark[p]], py = (double)piece->y[pivots->mark[p]];
            double dx = x - px, dy = y - py, far = sqrt(dx * dx + dy * dy);
            if (!(hops > 0 && far > 0))
                continue;
            sum_x += (px + dx * hops / far) / (hops * hops);
            sum_y += (py + dy * hops / far) / (hops * hops);
            weights += 1 / (hops * hops);
        }
        x = weights > 0 ? sum_x / weights : x;
        y = weights > 0 ? sum_y / weights : y;
    }
    piece->x[hub] = (float)x;
    piece->y[hub] = (float)y;
}

static void open_fan(dgmi_layout_piece *piece, int64_t hub, int64_t leaves) {
    const dgmi_layout_graph *graph = &piece->graph;
    double x = 1, y = 0, number = 0.5;
    for (int64_t e = graph->offsets[hub]; e < graph->offsets[hub + 1]; e++) {
        uint32_t leaf = graph->targets[e];
        if (!is_leaf(graph, leaf))
            continue;
        double far = FAN_RADIUS * sqrt(number / (double)leaves);
        double turned = x * GOLDEN_COSINE - y * GOLDEN_SINE;
        y = x * GOLDEN_SINE + y * GOLDEN_COSINE;
        x = turned;
        piece->x[leaf] = piece->x[hub] + (float)(far * x);
        piece->y[leaf] = piece->y[hub] + (float)(far * y);
        number += 1;
    }
}

void dgmi_layout_piece_open_fans(dgmi_layout_piece *piece, const dgmi_layout_pivot_set *pivots) {
    for (int64_t m = 0; m < piece->graph.marks; m++) {
        int64_t leaves = count_leaves(&piece->graph, m);
        if (leaves < FEWEST_LEAVES)
            continue;
        settle(piece, pivots, m);
        open_fan(piece, m, leaves);
    }
}
