/* SPDX-License-Identifier: Apache-2.0 */
/* Density: sum over all nodes u, the node itself included, of
 *
 *   exp(-d(v, u) / delta)        (the paper), or
 *   exp(-d(v, u)^2 / epsilon)    (Mapper on Graphs),
 *
 * where nodes that v cannot reach are infinitely far, and those beyond the cutoff left out.
 */
#include "lens_columns.h"
#include "lens_geodesic.h"
#include "lens_lens.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

static const dgm_option density_options[] = {
    {.name = "delta",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_density_options, delta),
     .minimum = 1e-6,
     .maximum = INFINITY,
     .default_text = "1",
     .argument = "D",
     .help = "scale: a node at distance d counts exp(-d/D)"},
    {.name = "epsilon",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_density_options, epsilon),
     .minimum = 1e-6,
     .maximum = INFINITY,
     .default_text = "none",
     .argument = "E",
     .help = "instead of delta: it counts exp(-d^2/E)"},
    {.name = "cutoff",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(dgm_density_options, cutoff),
     .minimum = 0,
     .maximum = INFINITY,
     .default_text = "none",
     .argument = "C",
     .help = "nodes farther than this do not count"},
    DGMI_LENS_GEODESIC_KEYS(dgm_density_options),
};
const dgm_option_table dgmi_lens_density_table = {"density", density_options,
                                                  sizeof density_options / sizeof *density_options};

const dgm_option_table *dgm_density_option_table(void) {
    return &dgmi_lens_density_table;
}

/* 0 means not given, which the bounds of a value that is given do not allow. */
static dgm_status check(dgm_context *ctx, dgm_density_options *options) {
    if (options->delta != 0 && options->epsilon != 0)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the lens 'density' takes delta or epsilon, not both");
    dgm_density_options given = *options;
    given.delta = given.delta != 0 ? given.delta : 1;
    given.epsilon = given.epsilon != 0 ? given.epsilon : 1;
    dgm_status status = dgm_options_check(ctx, &dgmi_lens_density_table, &given);
    if (status != DGM_OK)
        return status;
    if (options->epsilon == 0)
        options->delta = given.delta;
    return dgmi_lens_geodesic_check(ctx, "density", options->samples);
}

static double kernel(const void *argument, double distance) {
    const dgm_density_options *options = argument;
    return options->epsilon != 0 ? exp(-distance * distance / options->epsilon)
                                 : exp(-distance / options->delta);
}

static void density(dgm_context *ctx, const dgmi_lens_geodesic *g, dgm_matrix *lens) {
    double *values = dgm_matrix_values_mutable(lens), worst = 0;
    for (int64_t p = 0; p < g->patches.nodes; p++) {
        int64_t others = dgmi_lens_geodesic_others(g, p), draws = dgmi_lens_geodesic_draws(g, p);
        double sum = g->sums[p];
        if (draws < others) {
            worst = fmax(worst, dgmi_lens_geodesic_error(g, p, sum, g->squares[p]));
            sum *= (double)others / (double)draws;
        }
        values[g->patches.node[p]] = 1 + sum;
    }
    dgmi_lens_geodesic_tell(ctx, g, worst, lens);
}

dgm_status dgm_lens_density(dgm_context *ctx, const dgm_graph *graph,
                            const dgm_density_options *options, dgm_matrix **out) {
    *out = NULL;
    dgm_density_options use = DGM_DENSITY_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_density_options, direction, options, &use);
    if (status == DGM_OK)
        status = check(ctx, &use);
    dgmi_lens_geodesic g = {.lens = "density",
                            .kernel = kernel,
                            .argument = &use,
                            .absolute = true,
                            .cutoff = use.cutoff,
                            .direction = use.direction != DGM_DIRECTION_USUAL ? use.direction
                                                                              : DGM_DIRECTION_OUT,
                            .weighted = use.weighted,
                            .budget = use.budget,
                            .samples = use.samples,
                            .seed = use.seed};
    if (status == DGM_OK)
        status = dgmi_lens_column(ctx, graph, "density", out);
    if (status == DGM_OK)
        status = dgmi_lens_geodesic_run(ctx, graph, &g);
    if (status == DGM_OK)
        density(ctx, &g, *out);
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}
