/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what a layout by stress costs before it is made. It counts operations: a link that a
 * search follows, a pair that the descent moves, a disc that is looked at while discs are moved
 * apart. It does not measure seconds, so that the same input gives the same file on every machine.
 */
#include "base_memory.h"
#include "draw_view.h"
#include "layout_layout.h"
#include "layout_piece.h"

/* A layout of 20,000 clusters with 80,000 links takes 1.7e8. */
#define LEAST_BUDGET 2e8
#define FOR_EACH     20.0 /* node and edge of the graph: about what lens, cover and clusters cost */
#define PARTING      400.0 /* discs looked at for each mark, where many crowd */

static double cost_of_piece(double marks, double links, const dgm_layout_options *options) {
    double sweeps = DGMI_LAYOUT_SWEEPS;
    if (marks <= (double)options->exact && marks <= DGMI_LAYOUT_MOST_EXACT)
        return marks * (marks + 2 * links) + sweeps * marks * marks / 2 + PARTING * marks;
    double pivots = (double)dgmi_layout_pivot_count((int64_t)marks);
    return pivots * (marks + 2 * links) + sweeps * (pivots * marks + links) + PARTING * marks;
}

static dgm_status count_operations(dgm_context *ctx, const dgm_view *view,
                                   const dgm_layout_options *options, double *operations) {
    dgmi_layout_parts parts;
    dgm_status status = dgmi_draw_view_take_apart(ctx, view, &parts);
    const dgmi_layout_sets *sets = &parts.sets;
    for (int64_t p = 0; status == DGM_OK && p < sets->pieces; p++) {
        double links = 0;
        int64_t begin = sets->offsets[p], end = sets->offsets[p + 1];
        for (int64_t i = begin; i < end; i++) {
            uint32_t m = sets->members[i];
            links += (double)(parts.graph.offsets[m + 1] - parts.graph.offsets[m]) / 2;
        }
        *operations += end - begin > 1 ? cost_of_piece((double)(end - begin), links, options) : 1;
    }
    return status;
}

dgm_status dgmi_draw_view_weigh_layout(dgm_context *ctx, dgm_view *view,
                                       const dgm_layout_options *options, bool *worth) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double operations = 0, budget = FOR_EACH * ((double)view->nodes + (double)view->edges);
    dgm_status status = DGM_OK;
    if (budget < LEAST_BUDGET)
        budget = LEAST_BUDGET;
    if (options->layout == DGM_LAYOUT_STRESS)
        status = count_operations(ctx, view, options, &operations);
    *worth = operations <= budget;
    view->layout_operations = *worth ? 0 : operations;
    view->layout_budget = *worth ? 0 : budget;
    dgmi_arena_release(ctx, hold);
    return status;
}
