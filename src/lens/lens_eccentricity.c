/* SPDX-License-Identifier: Apache-2.0 */
/* Eccentricities from few searches, after Takes and Kosters, "Computing the eccentricity
 * distribution of large graphs" (2013). In an undirected graph a search from s, which finds e(s),
 * bounds every other node of its component:
 *
 *   max(d(s, v), e(s) - d(s, v))  <=  e(v)  <=  e(s) + d(s, v)
 *
 * A node whose bounds meet is done. The next source is in turn the one that may still be the
 * farthest out, whose search raises lower bounds, and the one that may be nearest the middle, whose
 * search lowers upper bounds. Lattices, paths and trees take a handful of searches; O(n + m) each.
 */
#include "lens_eccentricity.h"

#include <math.h>

#include "base_memory.h"

typedef struct {
    dgmi_geodesic *g;
    double *lower, *upper;
    uint32_t *sources;   /* one of each component that is not done */
    uint32_t *remaining; /* the components that are not done, ascending */
    int64_t left;        /* of them */
} bounds;

/* Of the component's nodes whose bounds differ, the one of the largest upper or of the smallest
 * lower bound, and among equals the first with the most neighbours; -1: there is none. */
static int64_t choose_source(const bounds *b, uint32_t component, bool outer) {
    const dgmi_patches *patches = &b->g->patches;
    int64_t best = -1;
    double best_bound = 0;
    for (int64_t p = patches->starts[component]; p < patches->starts[component + 1]; p++) {
        if (b->lower[p] >= b->upper[p])
            continue;
        double bound = outer ? b->upper[p] : -b->lower[p];
        if (best < 0 || bound > best_bound ||
            (bound == best_bound &&
             dgmi_arcs_degree(&patches->out, p) > dgmi_arcs_degree(&patches->out, best))) {
            best = p;
            best_bound = bound;
        }
    }
    return best;
}

static void choose_sources(bounds *b, bool outer) {
    int64_t kept = 0;
    for (int64_t i = 0; i < b->left; i++) {
        int64_t source = choose_source(b, b->remaining[i], outer);
        if (source < 0)
            continue;
        b->sources[kept] = (uint32_t)source;
        b->remaining[kept++] = b->remaining[i];
    }
    b->left = kept;
}

/* What the search from the source says about its component. */
static void tighten(bounds *b, uint32_t component, uint32_t source) {
    const dgmi_patches *patches = &b->g->patches;
    const double *distance = b->g->farthest;
    int64_t begin = patches->starts[component], end = patches->starts[component + 1];
    double own = 0;
    for (int64_t p = begin; p < end; p++)
        own = fmax(own, distance[p]);
    for (int64_t p = begin; p < end; p++) {
        double d = p == source ? 0 : distance[p];
        b->lower[p] = fmax(b->lower[p], fmax(d, own - d));
        b->upper[p] = fmin(b->upper[p], own + d);
    }
}

static dgm_status make_bounds(dgm_context *ctx, dgmi_geodesic *g, bounds *b) {
    const dgmi_patches *patches = &g->patches;
    *b = (bounds){.g = g,
                  .lower = dgmi_scratch(ctx, patches->nodes, sizeof *b->lower),
                  .upper = dgmi_scratch(ctx, patches->nodes, sizeof *b->upper),
                  .sources = dgmi_scratch(ctx, patches->components, sizeof *b->sources),
                  .remaining = dgmi_scratch(ctx, patches->components, sizeof *b->remaining)};
    if (!b->lower || !b->upper || !b->sources || !b->remaining)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < patches->components; c++) {
        int64_t begin = patches->starts[c], end = patches->starts[c + 1];
        for (int64_t p = begin; p < end; p++) {
            b->lower[p] = 0;
            b->upper[p] = end - begin > 1 ? INFINITY : 0;
        }
        if (end - begin > 1)
            b->remaining[b->left++] = (uint32_t)c;
    }
    return DGM_OK;
}

dgm_status dgmi_eccentricity_bound(dgm_context *ctx, dgmi_geodesic *g, int64_t searches,
                                   double **lower, double **upper, bool *exact) {
    bounds b;
    dgm_status status = make_bounds(ctx, g, &b);
    *exact = false;
    for (int64_t round = 0; status == DGM_OK && round <= searches; round++) {
        choose_sources(&b, round % 2 == 0);
        *exact = b.left == 0;
        if (*exact || round == searches)
            break;
        status = dgmi_geodesic_again(ctx, g, b.sources, b.left);
        for (int64_t i = 0; status == DGM_OK && i < b.left; i++)
            tighten(&b, b.remaining[i], b.sources[i]);
    }
    *lower = b.lower;
    *upper = b.upper;
    return status;
}
