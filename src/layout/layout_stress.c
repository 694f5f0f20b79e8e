/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out a graph by stress, one connected piece after another: the distances of marks on paper
 * become close to the number of hops between them. */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "layout_piece.h"

enum { SCALE_SOURCES = 16 };
#define SHUFFLE_STREAM 0x73687566666c65

typedef struct {
    dgm_context *ctx;
    const dgmi_layout_graph *graph;
    const dgm_layout_options *options;
    double *places;
    uint32_t *local; /* of each mark, its number in its piece */
} stress_job;

/* ---- a piece of its own ---- */

/* Members in random order: neighbours in the input are then no neighbours in the rounds. */
static dgm_status shuffle_members(const stress_job *job, dgmi_layout_piece *piece,
                                  const uint32_t *members) {
    int64_t n = piece->graph.marks;
    uint32_t *order = dgmi_scratch(job->ctx, n, sizeof *order);
    dgmi_random random = {piece->seed, SHUFFLE_STREAM + piece->stream, 0};
    if (!order)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        uint64_t j = dgmi_random_next_below(&random, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = members[i];
    }
    for (int64_t i = 0; i < n; i++)
        job->local[order[i]] = (uint32_t)i;
    piece->member = order;
    return DGM_OK;
}

static dgm_status take_graph(const stress_job *job, dgmi_layout_piece *piece) {
    const dgmi_layout_graph *whole = job->graph;
    int64_t n = piece->graph.marks, links = 0;
    int64_t *offsets = dgmi_scratch(job->ctx, n + 1, sizeof *offsets);
    if (!offsets)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        uint32_t m = piece->member[i];
        offsets[i] = links;
        links += whole->offsets[m + 1] - whole->offsets[m];
    }
    offsets[n] = links;
    uint32_t *targets = dgmi_scratch(job->ctx, links, sizeof *targets), *next = targets;
    if (!targets)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        uint32_t m = piece->member[i];
        for (int64_t e = whole->offsets[m]; e < whole->offsets[m + 1]; e++)
            *next++ = job->local[whole->targets[e]];
    }
    piece->graph = (dgmi_layout_graph){n, offsets, targets};
    return DGM_OK;
}

/* Where the known starts are: middle of their box, and its longer side. */
typedef struct {
    double x, y, side;
} extent;

static extent start_extent(const stress_job *job, const dgmi_layout_piece *piece) {
    double low[2] = {0, 0}, high[2] = {0, 0};
    bool any = false;
    for (int64_t i = 0; i < piece->graph.marks; i++) {
        const double *place = job->places + 2 * (int64_t)piece->member[i];
        if (!piece->known[i])
            continue;
        for (int a = 0; a < 2; a++) {
            low[a] = any && low[a] < place[a] ? low[a] : place[a];
            high[a] = any && high[a] > place[a] ? high[a] : place[a];
        }
        any = true;
    }
    extent box = {low[0] / 2 + high[0] / 2, low[1] / 2 + high[1] / 2,
                  fmax(high[0] / 2 - low[0] / 2, high[1] / 2 - low[1] / 2)};
    if (!(box.side > 1e-12 * (fabs(box.x) + fabs(box.y))))
        box.side = 0;
    return box;
}

/* The start around its mean. One whose known places coincide says nothing. */
static void take_start(const stress_job *job, dgmi_layout_piece *piece, double middle[2]) {
    int64_t n = piece->graph.marks;
    for (int64_t i = 0; i < n; i++) {
        const double *place = job->places + 2 * (int64_t)piece->member[i];
        piece->known[i] = isfinite(place[0]) && isfinite(place[1]);
    }
    extent box = start_extent(job, piece);
    double x = 0, y = 0, count = 0;
    for (int64_t i = 0; i < n; i++) {
        const double *place = job->places + 2 * (int64_t)piece->member[i];
        piece->known[i] = piece->known[i] && box.side > 0;
        if (!piece->known[i])
            continue;
        piece->start_x[i] = (float)((place[0] - box.x) / box.side);
        piece->start_y[i] = (float)((place[1] - box.y) / box.side);
        x += (double)piece->start_x[i];
        y += (double)piece->start_y[i];
        count += 1;
    }
    for (int64_t i = 0; i < n; i++)
        if (piece->known[i]) {
            piece->start_x[i] -= (float)(x / count);
            piece->start_y[i] -= (float)(y / count);
        }
    middle[0] = box.x + (count > 0 ? x / count * box.side : 0);
    middle[1] = box.y + (count > 0 ? y / count * box.side : 0);
}

static dgm_status take_piece(const stress_job *job, const uint32_t *members, int64_t number,
                             dgmi_layout_piece *piece) {
    int64_t n = piece->graph.marks;
    piece->padded = dgmi_chunks(n, DGMI_LAYOUT_PIECE_BLOCK) * DGMI_LAYOUT_PIECE_BLOCK;
    piece->seed = (uint64_t)job->options->seed;
    piece->stream = (uint64_t)number;
    piece->anchor = job->options->anchor > 0 ? (float)fmin(job->options->anchor, 1e6) : 0;
    piece->x = dgmi_scratch(job->ctx, piece->padded, sizeof *piece->x);
    piece->y = dgmi_scratch(job->ctx, piece->padded, sizeof *piece->y);
    piece->start_x = dgmi_scratch_zero(job->ctx, piece->padded, sizeof *piece->start_x);
    piece->start_y = dgmi_scratch_zero(job->ctx, piece->padded, sizeof *piece->start_y);
    piece->known = dgmi_scratch(job->ctx, n, sizeof *piece->known);
    if (!piece->x || !piece->y || !piece->start_x || !piece->start_y || !piece->known)
        return DGM_ERROR_MEMORY;
    dgm_status status = shuffle_members(job, piece, members);
    return status == DGM_OK ? take_graph(job, piece) : status;
}

/* ---- lower its stress ---- */

/* Pivots stand at the rim, where a hairball is stretched. Its scale is that of marks at random: the
 * first ones of a shuffled piece. */
static dgm_status rescale(const stress_job *job, dgmi_layout_piece *piece) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    int64_t n = piece->graph.marks;
    uint32_t *queue = dgmi_scratch(job->ctx, n, sizeof *queue), sources[SCALE_SOURCES];
    dgmi_layout_pivot_set some = {.stride = n, .mark = sources};
    some.hops = dgmi_scratch(job->ctx, SCALE_SOURCES * n, sizeof *some.hops);
    bool fits = queue && some.hops;
    for (; fits && some.count < SCALE_SOURCES && some.count < n; some.count++) {
        sources[some.count] = (uint32_t)some.count;
        dgmi_layout_piece_hops(&piece->graph, sources[some.count], some.hops + some.count * n,
                               queue);
    }
    if (fits)
        dgmi_layout_piece_scale(piece, NULL, &some);
    dgmi_arena_release(job->ctx, hold);
    return fits ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status descend(const stress_job *job, dgmi_layout_piece *piece) {
    int64_t n = piece->graph.marks, exact = job->options->exact;
    dgm_status status;
    if (n <= exact && n <= DGMI_LAYOUT_MOST_EXACT) {
        dgmi_layout_rounds rounds;
        status = dgmi_layout_piece_rounds(job->ctx, &piece->graph, &rounds);
        if (status == DGM_OK)
            status = dgmi_layout_piece_start(job->ctx, piece, &rounds, NULL);
        return status == DGM_OK ? dgmi_layout_piece_descend_exact(job->ctx, piece, &rounds)
                                : status;
    }
    dgmi_layout_pivot_set pivots;
    status = dgmi_layout_piece_pivots(job->ctx, &piece->graph, dgmi_layout_pivot_count(n), &pivots);
    if (status == DGM_OK)
        status = dgmi_layout_piece_start(job->ctx, piece, NULL, &pivots);
    if (status == DGM_OK)
        status = dgmi_layout_piece_descend_sparse(job->ctx, piece, &pivots);
    if (status != DGM_OK || piece->anchor > 0)
        return status;
    dgmi_layout_piece_open_fans(piece, &pivots);
    return rescale(job, piece);
}

static dgm_status lay_out_piece(const stress_job *job, const uint32_t *members, int64_t count,
                                int64_t number) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    dgmi_layout_piece piece = {.graph.marks = count};
    double middle[2];
    dgm_status status = take_piece(job, members, number, &piece);
    if (status == DGM_OK) {
        take_start(job, &piece, middle);
        status = descend(job, &piece);
    }
    if (status == DGM_OK) {
        dgmi_layout_piece_align(&piece);
        bool stay = piece.anchor > 0;
        for (int64_t i = 0; i < count; i++) {
            double *place = job->places + 2 * (int64_t)piece.member[i];
            place[0] = (double)piece.x[i] + (stay ? middle[0] : 0);
            place[1] = (double)piece.y[i] + (stay ? middle[1] : 0);
        }
    }
    dgmi_arena_release(job->ctx, hold);
    return status;
}

static void place_alone(double *place) {
    place[0] = isfinite(place[0]) ? place[0] : 0;
    place[1] = isfinite(place[1]) ? place[1] : 0;
}

dgm_status dgmi_layout_stress(dgm_context *ctx, const dgmi_layout_graph *graph,
                              const dgm_layout_options *options, double *places) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    stress_job job = {ctx, graph, options, places, NULL};
    uint32_t *piece = dgmi_scratch(ctx, graph->marks, sizeof *piece);
    int64_t pieces = 0;
    dgmi_layout_sets sets;
    job.local = dgmi_scratch(ctx, graph->marks, sizeof *job.local);
    dgm_status status = piece && job.local ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_layout_find_pieces(ctx, graph, piece, &pieces);
    if (status == DGM_OK)
        status = dgmi_layout_members(ctx, graph->marks, piece, pieces, &sets);
    for (int64_t p = 0; status == DGM_OK && p < pieces; p++) {
        const uint32_t *members = sets.members + sets.offsets[p];
        int64_t count = sets.offsets[p + 1] - sets.offsets[p];
        if (count == 1)
            place_alone(places + 2 * (int64_t)members[0]);
        else
            status = lay_out_piece(&job, members, count, p);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
