/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_places.h"

#include <math.h>

#include "base_memory.h"

/* Room for x, y and radius of so many marks, one after the other. */
static double *make_room(dgm_context *ctx, int64_t count) {
    return dgmi_scratch_zero(ctx, 3 * count + 1, sizeof(double));
}

dgm_status dgmi_reproduce_place_nodes(dgm_context *ctx, const dgmi_reproduce_place *places,
                                      double radius, dgm_view *view) {
    int64_t count = dgm_view_marks(view);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *x = make_room(ctx, count);
    dgm_status status = x ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < count && status == DGM_OK; u++) {
        x[u] = places[u].x;
        x[count + u] = places[u].y;
        x[2 * count + u] = radius;
    }
    if (status == DGM_OK)
        status = dgm_view_set_places(ctx, view, x, x + count, x + 2 * count);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_reproduce_place_clusters(dgm_context *ctx, const dgmi_reproduce_place *places,
                                         const dgm_summary *summary, double radius, double per_root,
                                         dgm_view *view) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t count = clusters.count;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *x = make_room(ctx, count);
    dgm_status status = x ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count && status == DGM_OK; c++) {
        double size = (double)(clusters.offsets[c + 1] - clusters.offsets[c]);
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            x[c] += places[clusters.members[i]].x / size;
            x[count + c] += places[clusters.members[i]].y / size;
        }
        x[2 * count + c] = radius + per_root * sqrt(size);
    }
    if (status == DGM_OK)
        status = dgm_view_set_places(ctx, view, x, x + count, x + 2 * count);
    dgmi_arena_release(ctx, hold);
    return status;
}
