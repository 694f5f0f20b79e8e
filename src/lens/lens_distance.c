/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses of distances. With R other nodes in reach, D the sum of their distances and N nodes in
 * all:
 *
 *   agd          (D / R) (N - 1) / R        average geodesic distance, Wasserman and Faust 1994;
 *                                           where R = 0: the largest value of the others
 *   closeness    (R / D) R / (N - 1)        where R = 0: 0
 *   harmonic     sum of 1 / d
 *   eccentricity largest d; where R = 0: 0
 *
 * agd and eccentricity look at distances from the node, closeness and harmonic (as in NetworkX) at
 * distances to it, unless a direction is given; it matters in directed graphs only.
 *
 * Sampled, R and D are estimated from the draws; the standard error of f(R, D) is that of the total
 * of z = f_R [reached] + f_D d over the draws (the delta method).
 */
#include "lens_columns.h"
#include "lens_eccentricity.h"
#include "lens_geodesic.h"
#include "lens_lens.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

static const dgm_option distance_options[] = {
    DGMI_LENS_GEODESIC_KEYS(dgm_distance_options),
};
const dgm_option_table dgmi_lens_distance_table = {
    "distance", distance_options, sizeof distance_options / sizeof *distance_options};

const dgm_option_table *dgm_distance_option_table(void) {
    return &dgmi_lens_distance_table;
}

static double distance_itself(const void *argument, double distance) {
    (void)argument;
    return distance;
}

static double reciprocal(const void *argument, double distance) {
    (void)argument;
    return 1 / distance;
}

/* ---- what is made of the sums ---- */

/* f(R, D) and its derivatives. */
typedef struct {
    double value, by_reach, by_distance;
} measure;

static measure agd(double reach, double distance, double nodes) {
    double value = distance / reach * ((nodes - 1) / reach);
    return (measure){value, -2 * value / reach, value / distance};
}

static measure closeness(double reach, double distance, double nodes) {
    double value = reach / distance * (reach / (nodes - 1));
    return (measure){value, 2 * value / reach, -value / distance};
}

/* Values where anything is in reach, NaN elsewhere; the largest standard error. */
static double apply(const dgmi_lens_geodesic *g, measure (*f)(double, double, double),
                    double *values) {
    double worst = 0;
    for (int64_t p = 0; p < g->patches.nodes; p++) {
        int64_t others = dgmi_lens_geodesic_others(g, p), draws = dgmi_lens_geodesic_draws(g, p);
        double *value = &values[g->patches.node[p]], reached = (double)g->reached[p];
        *value = NAN;
        if (reached == 0)
            continue;
        double scale = draws < others ? (double)others / (double)draws : 1;
        measure m = f(scale * reached, scale * g->sums[p], (double)g->patches.nodes);
        *value = m.value;
        if (draws == others)
            continue;
        double a = m.by_reach, b = m.by_distance, sum = g->sums[p];
        double squares = a * a * reached + 2 * a * b * sum + b * b * g->squares[p];
        worst = fmax(worst, dgmi_lens_geodesic_error(g, p, a * reached + b * sum, squares));
    }
    return worst;
}

static void replace_missing(double *values, int64_t count, double by) {
    for (int64_t i = 0; i < count; i++)
        if (isnan(values[i]))
            values[i] = by;
}

static dgm_status find_agd(dgm_context *ctx, dgmi_lens_geodesic *g, dgm_matrix *lens) {
    dgm_status status = dgmi_lens_geodesic_sweep(ctx, g);
    if (status != DGM_OK)
        return status;
    double *values = dgm_matrix_values_mutable(lens), largest = 0;
    double error = apply(g, agd, values);
    for (int64_t i = 0; i < g->patches.nodes; i++)
        largest = values[i] > largest ? values[i] : largest;
    replace_missing(values, g->patches.nodes, largest);
    dgmi_lens_geodesic_tell(ctx, g, error, lens);
    return DGM_OK;
}

static dgm_status find_closeness(dgm_context *ctx, dgmi_lens_geodesic *g, dgm_matrix *lens) {
    dgm_status status = dgmi_lens_geodesic_sweep(ctx, g);
    if (status != DGM_OK)
        return status;
    double *values = dgm_matrix_values_mutable(lens);
    double error = apply(g, closeness, values);
    replace_missing(values, g->patches.nodes, 0);
    dgmi_lens_geodesic_tell(ctx, g, error, lens);
    return DGM_OK;
}

static dgm_status find_harmonic(dgm_context *ctx, dgmi_lens_geodesic *g, dgm_matrix *lens) {
    dgm_status status = dgmi_lens_geodesic_sweep(ctx, g);
    if (status != DGM_OK)
        return status;
    double *values = dgm_matrix_values_mutable(lens), worst = 0;
    for (int64_t p = 0; p < g->patches.nodes; p++) {
        int64_t others = dgmi_lens_geodesic_others(g, p), draws = dgmi_lens_geodesic_draws(g, p);
        double *value = &values[g->patches.node[p]];
        *value = g->sums[p];
        if (draws == others)
            continue;
        *value *= (double)others / (double)draws;
        worst = fmax(worst, dgmi_lens_geodesic_error(g, p, g->sums[p], g->squares[p]));
    }
    dgmi_lens_geodesic_tell(ctx, g, worst, lens);
    return DGM_OK;
}

/* ---- eccentricity ---- */

/* In every component that was sampled, the place whose bound is lowest: it is near the middle. */
static int64_t choose_middles(const dgmi_lens_geodesic *g, uint32_t *middles) {
    const int64_t *starts = g->patches.starts;
    int64_t count = 0;
    for (int64_t c = 0; c < g->patches.components; c++) {
        int64_t middle = starts[c];
        if (starts[c + 1] - starts[c] <= g->draws)
            continue;
        for (int64_t p = middle; p < starts[c + 1]; p++)
            if (g->farthest[p] < g->farthest[middle])
                middle = p;
        middles[count++] = (uint32_t)middle;
    }
    return count;
}

/* Raises lower[p] to what the middle says, e(m) - d(m, p) and d(m, p), and lowers upper[p] to e(m)
 * + d(m, p). */
static void tighten(const dgmi_lens_geodesic *g, uint32_t middle, double *lower, double *upper) {
    uint32_t component = g->patches.component[middle];
    int64_t begin = g->patches.starts[component], end = g->patches.starts[component + 1];
    double radius = 0;
    for (int64_t p = begin; p < end; p++)
        radius = fmax(radius, g->farthest[p]);
    for (int64_t p = begin; p < end; p++) {
        double d = p == middle ? 0 : g->farthest[p];
        lower[p] = fmax(lower[p], fmax(d, radius - d));
        upper[p] = fmin(upper[p], radius + d);
    }
}

/* The bounds of the searches before, and what the samples add to them. */
static dgm_status sample_eccentricity(dgm_context *ctx, dgmi_lens_geodesic *g, double *lower,
                                      double *upper, dgm_matrix *lens) {
    int64_t n = g->patches.nodes;
    uint32_t *middles = dgmi_scratch(ctx, g->patches.components, sizeof *middles);
    if (!middles)
        return DGM_ERROR_MEMORY;
    for (int64_t p = 0; p < n; p++) {
        lower[p] = fmax(lower[p], g->farthest[p]);
        if (dgmi_lens_geodesic_others(g, p) < g->draws)
            upper[p] = lower[p]; /* every node of the component was a source */
    }
    int64_t count = choose_middles(g, middles);
    dgm_status status = dgmi_lens_geodesic_again(ctx, g, middles, count);
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        tighten(g, middles[i], lower, upper);
    if (status != DGM_OK)
        return status;
    double gap = 0;
    for (int64_t p = 0; p < n; p++)
        gap = fmax(gap, upper[p] - lower[p]);
    gap = ldexp(gap, g->power * g->patches.exponent);
    dgm_matrix_set_column_error(lens, 0, gap);
    dgmi_note(ctx,
              "eccentricity is a lower bound from %lld sources a component: at most %.6g too small "
              "at any node (budget=%lld without samples makes it exact)",
              (long long)g->draws, gap, (long long)n);
    return DGM_OK;
}

/* Searches with which bounds are tried before all nodes, or samples, become sources. */
enum { SEARCHES = 64 };

static dgm_status start_bounds(dgm_context *ctx, dgmi_lens_geodesic *g, double **lower,
                               double **upper) {
    int64_t n = g->patches.nodes;
    *lower = dgmi_scratch_zero(ctx, n, sizeof **lower);
    *upper = dgmi_scratch(ctx, n, sizeof **upper);
    for (int64_t p = 0; *upper && p < n; p++)
        (*upper)[p] = INFINITY;
    return *lower && *upper ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status find_eccentricity(dgm_context *ctx, dgmi_lens_geodesic *g, dgm_matrix *lens) {
    double *values = dgm_matrix_values_mutable(lens), *lower, *upper;
    bool exact = false, bounded = !g->directed && !g->patches.out.lengths && g->samples == 0;
    dgm_status status =
        bounded ? dgmi_lens_eccentricity_bound(ctx, &g->patches, SEARCHES, &lower, &upper, &exact)
                : start_bounds(ctx, g, &lower, &upper);
    if (status == DGM_OK && !exact) {
        status = dgmi_lens_geodesic_sweep(ctx, g);
        if (status == DGM_OK && g->estimated > 0)
            status = sample_eccentricity(ctx, g, lower, upper, lens);
        else
            lower = g->farthest;
    }
    for (int64_t p = 0; status == DGM_OK && p < g->patches.nodes; p++)
        values[g->patches.node[p]] = lower[p];
    return status;
}

/* ---- the lenses ---- */

/* Distances were measured in units of 2^exponent. */
static void restore_unit(const dgmi_lens_geodesic *g, dgm_matrix *lens) {
    double *values = dgm_matrix_values_mutable(lens);
    int exponent = g->power * g->patches.exponent;
    for (int64_t i = 0; exponent != 0 && i < g->patches.nodes; i++)
        values[i] = ldexp(values[i], exponent);
}

typedef struct {
    const char *name;
    int power;           /* of the unit of lengths */
    int direction;       /* dgm_direction: the usual one */
    bool counts, ranges; /* what it needs besides the sums, as in dgmi_lens_geodesic */
    double (*kernel)(const void *argument, double distance);
    dgm_status (*find)(dgm_context *ctx, dgmi_lens_geodesic *g, dgm_matrix *lens);
} distance_lens;

static dgm_status run(dgm_context *ctx, const dgm_graph *graph, const distance_lens *kind,
                      const dgm_distance_options *options, dgm_matrix **out) {
    *out = NULL;
    dgm_distance_options use = DGM_DISTANCE_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_distance_options, direction, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_distance_table, &use);
    dgmi_lens_geodesic g = {.lens = kind->name,
                            .kernel = kind->kernel,
                            .cutoff = INFINITY,
                            .power = kind->power,
                            .counts = kind->counts,
                            .ranges = kind->ranges,
                            .direction = use.direction != DGM_DIRECTION_USUAL ? use.direction
                                                                              : kind->direction,
                            .weighted = use.weighted,
                            .budget = use.budget,
                            .samples = use.samples,
                            .seed = use.seed};
    if (status == DGM_OK)
        status = dgmi_lens_geodesic_check(ctx, kind->name, use.samples);
    if (status == DGM_OK)
        status = dgmi_lens_column(ctx, graph, kind->name, out);
    if (status == DGM_OK)
        status = dgmi_lens_geodesic_prepare(ctx, graph, &g);
    if (status == DGM_OK)
        status = kind->find(ctx, &g, *out);
    if (status == DGM_OK)
        restore_unit(&g, *out);
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}

dgm_status dgm_lens_agd(dgm_context *ctx, const dgm_graph *graph,
                        const dgm_distance_options *options, dgm_matrix **out) {
    static const distance_lens kind = {"agd",           1,       DGM_DIRECTION_OUT, true, false,
                                       distance_itself, find_agd};
    return run(ctx, graph, &kind, options, out);
}

dgm_status dgm_lens_closeness(dgm_context *ctx, const dgm_graph *graph,
                              const dgm_distance_options *options, dgm_matrix **out) {
    static const distance_lens kind = {
        "closeness", -1, DGM_DIRECTION_IN, true, false, distance_itself, find_closeness};
    return run(ctx, graph, &kind, options, out);
}

dgm_status dgm_lens_harmonic(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_distance_options *options, dgm_matrix **out) {
    static const distance_lens kind = {"harmonic", -1,         DGM_DIRECTION_IN, false,
                                       false,      reciprocal, find_harmonic};
    return run(ctx, graph, &kind, options, out);
}

/* d(s, v) of samples s bounds e(v) from below, and so does |e(m) - d(m, v)|, in undirected graphs.
 */
dgm_status dgm_lens_eccentricity(dgm_context *ctx, const dgm_graph *graph,
                                 const dgm_distance_options *options, dgm_matrix **out) {
    static const distance_lens kind = {
        "eccentricity", 1, DGM_DIRECTION_OUT, false, true, distance_itself, find_eccentricity};
    dgm_distance_options use = DGM_DISTANCE_OPTIONS_INIT;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_distance_options, direction, options, &use);
    if (status != DGM_OK)
        return status;
    bool sampled = use.samples > 0 || dgm_graph_nodes(graph) > use.budget;
    if (sampled && dgm_graph_get_rows(graph).directed && use.direction != DGM_DIRECTION_BOTH)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the lens 'eccentricity' cannot be sampled in a directed graph; "
                         "budget=%lld without samples makes it exact, direction=both forgets the "
                         "directions",
                         (long long)dgm_graph_nodes(graph));
    return run(ctx, graph, &kind, &use, out);
}
