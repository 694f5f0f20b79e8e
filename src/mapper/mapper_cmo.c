/* SPDX-License-Identifier: Apache-2.0 */
/* The number of intervals that the edges of the graph allow: DGM_COVER_CMO.
 *
 * Carriere, Michel and Oudot, Statistical Analysis and Parameter Selection for Mapper (JMLR 2018),
 * choose the resolution r (the length of an interval) and the gain g of a Mapper of points with a
 * filter f from a graph that joins points that are near each other: g lies between 1/3 and 1/2, and
 * r = V / g, where V is the largest |f(u) - f(v)| over the edges. Neighbouring intervals then share
 * at least V, so that the ends of every edge lie in one interval together, and no edge is lost.
 *
 * Here the edges are those of the graph that is mapped, such as the nearest neighbours of points, or
 * with DGM_NEAR_FEATURES the pairs of points that the authors take (mapper_cmo_points.c). A range R has n equal intervals of length L = R / (n (1 - g) + g), and L >= r holds for
 * n = floor((R / r - g) / (1 - g)), or for one interval. Time O(edges).
 */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "mapper_cover.h"

#define MOST_INTERVALS 1e6   /* as the option has it */
#define ROUNDING       1e-12 /* of a number of intervals that is whole but for it */

/* The largest difference along an edge, as a share of the range. */
static double longest_edge(dgm_graph_rows rows, const double *values,
                           const dgmi_mapper_span *span) {
    double longest = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            double there = values[rows.targets[e]] * span->shrink;
            double length = fabs(values[u] * span->shrink - there);
            longest = length > longest ? length : longest;
        }
    return span->constant ? 0 : longest / span->range;
}

/* The same between points that are near each other. */
static dgm_status longest_pair(dgm_context *ctx, const dgm_graph *graph, const double *values,
                               const dgmi_mapper_span *span, const dgm_mapper_options *options,
                               double *longest) {
    int64_t nodes = dgm_graph_nodes(graph);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *shrunk = dgmi_scratch(ctx, nodes, sizeof *shrunk), delta;
    for (int64_t u = 0; shrunk && u < nodes; u++)
        shrunk[u] = values[u] * span->shrink;
    dgm_status status = shrunk
                            ? dgmi_mapper_cmo_points(ctx, graph, shrunk, options, longest, &delta)
                            : DGM_ERROR_MEMORY;
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK) {
        *longest = span->constant ? 0 : *longest / span->range;
        dgmi_note(ctx,
                  "cmo: points within %.4g are neighbours; " DGMI_NAMED(
                      "cluster=dbscan:eps=%.4g,min=1,of=features") " makes clusters of them, too",
                  delta, delta);
    }
    return status;
}

/* n, for V as a share of the range. */
static int64_t count_intervals(double longest, double gain) {
    double count = floor((gain / longest - gain) / (1 - gain) * (1 + ROUNDING));
    return (int64_t)(count < 1 ? 1 : count > MOST_INTERVALS ? MOST_INTERVALS : count);
}

dgm_status dgmi_mapper_cmo_resolve(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                   dgm_mapper_options *options) {
    if (dgm_matrix_columns(lens) != 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the cover cmo is for one axis, and this lens has %lld",
                         (long long)dgm_matrix_columns(lens));
    const double *values = dgm_matrix_values(lens);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_mapper_span span = dgmi_mapper_span_make(values, rows.nodes, 1);
    bool points = options->near == DGM_NEAR_FEATURES;
    double longest = 0;
    dgm_status status = DGM_OK;
    if (points)
        status = longest_pair(ctx, graph, values, &span, options, &longest);
    else
        longest = longest_edge(rows, values, &span);
    if (status != DGM_OK)
        return status;
    if (!span.constant && longest == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the cover cmo follows the differences of the lens along %s, and there "
                         "are none; use " DGMI_NAMED("cover=adaptive:size=K"),
                         points ? "pairs of near points" : "edges");
    options->cover = DGM_COVER_UNIFORM;
    options->intervals[0] = span.constant ? 1 : count_intervals(longest, options->gain);
    options->overlap[0] = options->gain;
    return DGM_OK;
}
