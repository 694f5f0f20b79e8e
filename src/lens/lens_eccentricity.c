/* SPDX-License-Identifier: Apache-2.0 */
/* Eccentricities from few searches, after Takes and Kosters, "Computing the eccentricity
 * distribution of large graphs" (2013). In an undirected graph a search from s, which finds e(s),
 * bounds every other node of its component:
 *
 *   max(d(s, v), e(s) - d(s, v))  <=  e(v)  <=  e(s) + d(s, v)
 *
 * A node whose bounds meet is done. The first sources are a node of many neighbours, the node that is
 * farthest from it, and the node that is farthest from that one; then, twice, the node that may be
 * nearest the middle, whose search lowers upper bounds. From then on it is in turn the one that may
 * still be the farthest out, whose search raises lower bounds, and one near the middle. Lattices, paths
 * and trees take a handful of searches; O(n + m) each. In a tree the second and the third source are
 * the ends of a longest path, which give every lower bound its value, and the fourth and the fifth its
 * middle, which may be two nodes. A choice by bounds alone would never take the third, whose bounds
 * meet.
 */
#include "lens_eccentricity.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_search.h"

enum { GRAIN = 1 << 14 };
#define UNBOUNDED UINT32_MAX

/* Everything stays in memory over all searches: what is large goes back to the system when it is
 * freed, and the system clears it before it hands it out again. */
typedef struct {
    const dgmi_graph_patches *patches;
    uint32_t *lower, *upper; /* by place */
    uint32_t *levels;        /* by place: one more than the distance from its source */
    uint32_t *queue;         /* space for searches */
    uint32_t *sources;       /* one of each component that is not done */
    uint32_t *depths;        /* by source: its eccentricity */
    uint32_t *remaining;     /* the components that are not done, ascending */
    int64_t left;            /* of them */
} bounds;

typedef enum {
    BUSIEST,  /* the most neighbours */
    OPPOSITE, /* the farthest from the source before, whether its bounds differ or not */
    INNER,    /* the smallest lower bound */
    OUTER,    /* the largest upper bound */
} choice;

static choice choose_by(int64_t round) {
    return round == 0                     ? BUSIEST
           : round <= 2                   ? OPPOSITE
           : round == 3 || round % 2 == 0 ? INNER
                                          : OUTER;
}

static uint32_t merit(const bounds *b, int64_t p, choice by) {
    switch (by) {
    case OPPOSITE:
        return b->levels[p];
    case INNER:
        return UNBOUNDED - b->lower[p];
    case OUTER:
        return b->upper[p];
    default:
        return 0;
    }
}

/* Of the component's nodes whose bounds differ the best by that choice, and among equals the first
 * with the most neighbours; -1: all are done. */
static int64_t choose_source(const bounds *b, uint32_t component, choice by) {
    const dgmi_graph_patches *patches = b->patches;
    int64_t best = -1, most = 0;
    uint32_t best_merit = 0;
    bool done = true;
    for (int64_t p = patches->starts[component]; p < patches->starts[component + 1]; p++) {
        bool differ = b->lower[p] < b->upper[p];
        done = done && !differ;
        if (!differ && by != OPPOSITE)
            continue;
        uint32_t own = merit(b, p, by);
        if (best >= 0 && own < best_merit)
            continue;
        int64_t degree = dgmi_graph_arcs_degree(&patches->out, p);
        if (best < 0 || own > best_merit || degree > most) {
            best = p;
            best_merit = own;
            most = degree;
        }
    }
    return done ? -1 : best;
}

static void choose_sources(bounds *b, choice by) {
    int64_t kept = 0;
    for (int64_t i = 0; i < b->left; i++) {
        int64_t source = choose_source(b, b->remaining[i], by);
        if (source < 0)
            continue;
        b->sources[kept] = (uint32_t)source;
        b->remaining[kept++] = b->remaining[i];
    }
    b->left = kept;
}

typedef struct {
    const bounds *b;
    int64_t begin, end; /* places of the component */
    uint32_t own;       /* the source's eccentricity */
} tighten_job;

static void tighten_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const tighten_job *job = argument;
    const bounds *b = job->b;
    int64_t begin, end;
    dgmi_chunk(job->end - job->begin, GRAIN, chunk, &begin, &end);
    for (int64_t p = job->begin + begin; p < job->begin + end; p++) {
        uint32_t d = b->levels[p] - 1, back = job->own - d;
        uint32_t low = d > back ? d : back;
        uint32_t high = d < UNBOUNDED - job->own ? job->own + d : UNBOUNDED;
        b->lower[p] = b->lower[p] > low ? b->lower[p] : low;
        b->upper[p] = b->upper[p] < high ? b->upper[p] : high;
    }
}

/* What the search from source i says about its component. */
static void tighten(dgm_context *ctx, const bounds *b, int64_t i) {
    const int64_t *starts = b->patches->starts + b->remaining[i];
    tighten_job job = {b, starts[0], starts[1], b->depths[i]};
    dgmi_parallel(ctx, dgmi_chunks(job.end - job.begin, GRAIN), tighten_chunk, &job);
}

static dgm_status make_bounds(dgm_context *ctx, const dgmi_graph_patches *patches, bounds *b) {
    *b = (bounds){.patches = patches,
                  .lower = dgmi_scratch(ctx, patches->nodes, sizeof *b->lower),
                  .upper = dgmi_scratch(ctx, patches->nodes, sizeof *b->upper),
                  .levels = dgmi_scratch(ctx, patches->nodes, sizeof *b->levels),
                  .queue = dgmi_scratch(ctx, patches->nodes, sizeof *b->queue),
                  .sources = dgmi_scratch(ctx, patches->components, sizeof *b->sources),
                  .depths = dgmi_scratch(ctx, patches->components, sizeof *b->depths),
                  .remaining = dgmi_scratch(ctx, patches->components, sizeof *b->remaining)};
    if (!b->lower || !b->upper || !b->levels || !b->queue || !b->sources || !b->depths ||
        !b->remaining)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < patches->components; c++) {
        int64_t begin = patches->starts[c], end = patches->starts[c + 1];
        for (int64_t p = begin; p < end; p++) {
            b->lower[p] = 0;
            b->upper[p] = end - begin > 1 ? UNBOUNDED : 0;
        }
        if (end - begin > 1)
            b->remaining[b->left++] = (uint32_t)c;
    }
    return DGM_OK;
}

/* Whether all bounds meet after at most `searches` of them in each component. */
static dgm_status search(dgm_context *ctx, bounds *b, int64_t searches, bool *exact) {
    for (int64_t round = 0;; round++) {
        choose_sources(b, choose_by(round));
        *exact = b->left == 0;
        if (*exact || round == searches)
            return DGM_OK;
        dgm_status status = dgmi_progress(ctx, "measuring distances", 0);
        if (status != DGM_OK)
            return status;
        dgmi_graph_search_levels(ctx, b->patches, b->sources, b->left, b->levels, b->queue,
                                 b->depths);
        for (int64_t i = 0; i < b->left; i++)
            tighten(ctx, b, i);
    }
}

dgm_status dgmi_lens_eccentricity_bound(dgm_context *ctx, const dgmi_graph_patches *patches,
                                        int64_t searches, double **lower, double **upper,
                                        bool *exact) {
    *exact = false;
    *lower = dgmi_scratch(ctx, patches->nodes, sizeof **lower);
    *upper = dgmi_scratch(ctx, patches->nodes, sizeof **upper);
    if (!*lower || !*upper)
        return DGM_ERROR_MEMORY;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    bounds b;
    dgm_status status = make_bounds(ctx, patches, &b);
    if (status == DGM_OK)
        status = search(ctx, &b, searches, exact);
    for (int64_t p = 0; status == DGM_OK && p < patches->nodes; p++)
        (*lower)[p] = b.lower[p];
    for (int64_t p = 0; status == DGM_OK && !*exact && p < patches->nodes; p++)
        (*upper)[p] = b.upper[p] == UNBOUNDED ? INFINITY : b.upper[p];
    if (*exact)
        *upper = *lower;
    dgmi_arena_release(ctx, hold);
    return status;
}
