/* SPDX-License-Identifier: Apache-2.0 */
/* Every node is a source, or, beyond the budget, K nodes of each component that has more, drawn
 * without replacement (Eppstein and Wang 2004 for closeness; here with the other nodes of the
 * component as the population, so that a node's own draw says nothing about the rest).
 */
#include "lens_geodesic.h"

#include <math.h>
#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_random.h"

enum { DRAWS = 1024, FEWEST = 16, STREAM = 0x67656f /* of this file's random numbers */ };

const char *const dgmi_lens_direction_names[] = {"usual", "in", "out", "both", NULL};

dgm_status dgmi_lens_geodesic_check(dgm_context *ctx, const char *lens, int64_t samples) {
    if (samples == 0 || samples >= FEWEST)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "the lens '%s': samples takes a whole number from %d on (or 0: %d beyond the "
                     "budget), not %lld",
                     lens, FEWEST, DRAWS, (long long)samples);
}

/* `draws` of the places [begin, end), marked (Floyd's way: each new end of the range is drawn, or
 * stands for a draw that was there already). */
static void draw(dgmi_lens_geodesic *g, dgmi_random *random, int64_t begin, int64_t end) {
    for (int64_t last = end - g->draws; last < end; last++) {
        int64_t p = begin + (int64_t)dgmi_random_next_below(random, (uint64_t)(last - begin + 1));
        g->drawn[g->drawn[p] ? last : p] = 1;
    }
}

/* Marks the sources, and counts them. */
static int64_t choose_sources(dgmi_lens_geodesic *g) {
    const dgmi_graph_patches *patches = &g->patches;
    dgmi_random random = {(uint64_t)g->seed, STREAM, 0};
    bool all = g->samples == 0 && patches->nodes <= g->budget;
    int64_t count = 0;
    g->draws = all ? patches->nodes : g->samples > 0 ? g->samples : DRAWS;
    g->estimated = 0;
    for (int64_t c = 0; c < patches->components; c++) {
        int64_t begin = patches->starts[c], end = patches->starts[c + 1];
        if (end - begin > g->draws) {
            draw(g, &random, begin, end);
            g->estimated += end - begin;
            count += g->draws;
            continue;
        }
        for (int64_t p = begin; p < end; p++)
            g->drawn[p] = 1;
        count += end - begin;
    }
    return count;
}

/* A kernel of distances in the graph's own unit. */
static double apply_scaled(const void *argument, double distance) {
    const dgmi_lens_geodesic *g = argument;
    return g->kernel(g->argument, ldexp(distance, g->patches.exponent));
}

dgm_status dgmi_lens_geodesic_again(dgm_context *ctx, dgmi_lens_geodesic *g,
                                    const uint32_t *sources, int64_t count) {
    for (int64_t p = 0; p < g->patches.nodes; p++) {
        g->sums[p] = 0;
        if (g->reached)
            g->reached[p] = 0;
        if (g->farthest)
            g->farthest[p] = 0;
        if (g->squares)
            g->squares[p] = 0;
    }
    const dgmi_graph_sweep sweep = {.sources = sources,
                                    .count = count,
                                    .cutoff = ldexp(g->cutoff, -g->patches.exponent),
                                    .kernel = g->absolute ? apply_scaled : g->kernel,
                                    .argument = g->absolute ? g : g->argument,
                                    .sums = g->sums,
                                    .squares = g->squares,
                                    .reached = g->reached,
                                    .farthest = g->farthest,
                                    .stage = "measuring distances"};
    return g->patches.out.lengths ? dgmi_graph_dijkstra_sweep(ctx, &g->patches, &sweep)
                                  : dgmi_graph_bfs_sweep(ctx, &g->patches, &sweep);
}

/* Of a sweep on components of at most `nodes` nodes, if each source is searched by itself and if
 * they make batches. */
static void sweep_bytes(bool lengths, int64_t nodes, double *least, double *most) {
    *least = (double)(lengths ? DGMI_GRAPH_DIJKSTRA_NODE : DGMI_GRAPH_SEARCH_NODE) * (double)nodes;
    *most = (double)(lengths ? DGMI_GRAPH_DIJKSTRA_NODE : DGMI_GRAPH_BFS_NODE) * (double)nodes;
}

static const char *const ADVICE = "use another lens (pagerank, core and degree need far less) or "
                                  "a part of the graph";

/* Places, sums and a sweep. Before there are places the largest component is not known: it may be
 * tiny or the whole graph. */
static dgm_status tell_need(dgm_context *ctx, dgm_graph_rows rows, dgmi_graph_walk walk,
                            const dgmi_lens_geodesic *g) {
    char what[64];
    double one_by_one, batches;
    bool sampled = g->samples > 0 || rows.nodes > g->budget;
    int64_t node = 8 + 1 + 8 * (g->counts + g->ranges + sampled);
    double base = dgmi_graph_patches_bytes(rows, walk, g->weighted, DGMI_GRAPH_PATCHES_MOVED) +
                  (double)node * (double)rows.nodes;
    snprintf(what, sizeof what, "the lens '%s'", g->lens);
    sweep_bytes(g->weighted && rows.weights, rows.nodes, &one_by_one, &batches);
    const dgmi_need need = {what, base, base + batches, ADVICE};
    return dgmi_need_tell(ctx, &need);
}

static int64_t widest_component(const dgmi_graph_patches *patches) {
    int64_t widest = 0;
    for (int64_t c = 0; c < patches->components; c++) {
        int64_t size = patches->starts[c + 1] - patches->starts[c];
        widest = size > widest ? size : widest;
    }
    return widest;
}

/* Places and sums are held; the largest component is known now. */
static dgm_status check_need(dgm_context *ctx, const dgmi_lens_geodesic *g) {
    char what[64];
    bool lengths = g->patches.out.lengths != NULL;
    dgmi_need need = {.what = what, .advice = ADVICE};
    snprintf(what, sizeof what, "the lens '%s'", g->lens);
    sweep_bytes(lengths, lengths ? g->patches.nodes : widest_component(&g->patches), &need.least,
                &need.most);
    return dgmi_need_check(ctx, &need);
}

dgm_status dgmi_lens_geodesic_prepare(dgm_context *ctx, const dgm_graph *graph,
                                      dgmi_lens_geodesic *g) {
    /* Sums gather at the end of a walk, so walks go against the arcs where distances from the node
     * are asked for. */
    dgmi_graph_walk walk = g->direction == DGM_DIRECTION_BOTH  ? DGMI_GRAPH_WALK_BOTH
                           : g->direction == DGM_DIRECTION_OUT ? DGMI_GRAPH_WALK_AGAINST
                                                               : DGMI_GRAPH_WALK_ALONG;
    dgm_status status = tell_need(ctx, dgm_graph_get_rows(graph), walk, g);
    if (status == DGM_OK)
        status = dgmi_graph_patches_make(ctx, graph, DGMI_GRAPH_BFS_BATCH, walk, g->weighted,
                                         &g->patches);
    if (status != DGM_OK)
        return status;
    g->directed = dgm_graph_get_rows(graph).directed && walk != DGMI_GRAPH_WALK_BOTH;
    int64_t n = g->patches.nodes;
    g->sums = dgmi_scratch(ctx, n, sizeof *g->sums);
    g->reached = g->counts ? dgmi_scratch(ctx, n, sizeof *g->reached) : NULL;
    g->farthest = g->ranges ? dgmi_scratch(ctx, n, sizeof *g->farthest) : NULL;
    g->drawn = dgmi_scratch_zero(ctx, n, sizeof *g->drawn);
    bool fits = g->sums && g->drawn && (!g->counts || g->reached) && (!g->ranges || g->farthest);
    return fits ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_lens_geodesic_sweep(dgm_context *ctx, dgmi_lens_geodesic *g) {
    int64_t n = g->patches.nodes;
    int64_t count = choose_sources(g), at = 0;
    uint32_t *sources = dgmi_scratch(ctx, count, sizeof *sources);
    g->squares = g->estimated > 0 ? dgmi_scratch(ctx, n, sizeof *g->squares) : NULL;
    if (!sources || (g->estimated > 0 && !g->squares))
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < n; p++)
        if (g->drawn[p])
            sources[at++] = (uint32_t)p;
    dgm_status status = check_need(ctx, g);
    return status == DGM_OK ? dgmi_lens_geodesic_again(ctx, g, sources, count) : status;
}

dgm_status dgmi_lens_geodesic_run(dgm_context *ctx, const dgm_graph *graph, dgmi_lens_geodesic *g) {
    dgm_status status = dgmi_lens_geodesic_prepare(ctx, graph, g);
    return status == DGM_OK ? dgmi_lens_geodesic_sweep(ctx, g) : status;
}

int64_t dgmi_lens_geodesic_others(const dgmi_lens_geodesic *g, int64_t place) {
    uint32_t component = g->patches.component[place];
    return g->patches.starts[component + 1] - g->patches.starts[component] - 1;
}

int64_t dgmi_lens_geodesic_draws(const dgmi_lens_geodesic *g, int64_t place) {
    int64_t others = dgmi_lens_geodesic_others(g, place);
    return others + 1 > g->draws ? g->draws - g->drawn[place] : others;
}

double dgmi_lens_geodesic_error(const dgmi_lens_geodesic *g, int64_t place, double sum,
                                double squares) {
    double others = (double)dgmi_lens_geodesic_others(g, place);
    double draws = (double)dgmi_lens_geodesic_draws(g, place);
    if (draws >= others)
        return 0;
    double variance = fmax(squares - sum * sum / draws, 0) / (draws - 1);
    return others * sqrt((1 - draws / others) * variance / draws);
}

/* z with P(|Z| > z) = share for a normal Z, by bisection. */
static double two_sided_quantile(double share) {
    double low = 0, high = 40;
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        *(erfc(middle / sqrt(2)) > share ? &low : &high) = middle;
    }
    return high;
}

void dgmi_lens_geodesic_tell(dgm_context *ctx, const dgmi_lens_geodesic *g, double error,
                             dgm_matrix *lens) {
    if (g->estimated == 0)
        return;
    error = ldexp(error, g->power * g->patches.exponent);
    dgm_matrix_set_column_error(lens, 0, error);
    dgmi_note(ctx,
              "%s is estimated from %lld sources a component: standard error %.3g or less, 95%% "
              "interval +-%.3g for all nodes at once (budget=%lld without samples makes it exact)",
              g->lens, (long long)g->draws, error,
              error * two_sided_quantile(0.05 / (double)g->estimated), (long long)g->patches.nodes);
}
