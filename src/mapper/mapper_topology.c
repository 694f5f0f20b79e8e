/* SPDX-License-Identifier: Apache-2.0 */
/* Betti numbers of the nerve, mod 2: b1 = edges - vertices + b0 - rank of the triangles'
 * boundaries.
 *
 * The nerve is the union of one simplex per bundle. A triangle for each edge that has an apex (see
 * mapper_skeleton.c) counts one for the rank; where this kills all loops of the 1-skeleton, as on
 * most covers of a filled region, nothing is left to do. Else the nerve is collapsed to its core,
 * which has the same loops, and these are found by reduction.
 */
#include "mapper_cycles.h"

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

/* Above this many triples, triangles are not counted. A triple counts once for each simplex that it
 * is in. */
#define MOST_TRIPLES 20000000

static bool few_triples(const dgmi_mapper_complex *complex) {
    double sum = 0;
    for (int64_t s = 0; s < complex->simplices; s++) {
        double k = (double)(complex->simplex_start[s + 1] - complex->simplex_start[s]);
        sum += k * (k - 1) * (k - 2) / 6;
    }
    return sum <= MOST_TRIPLES;
}

/* Loops of the complex, which is collapsed. */
static dgm_status count_loops(dgm_context *ctx, dgmi_mapper_complex *complex, int64_t *loops) {
    dgmi_mapper_skeleton skeleton;
    dgmi_mapper_cycles cycles;
    dgm_status status = dgmi_mapper_complex_collapse(ctx, complex);
    if (status == DGM_OK)
        status = dgmi_mapper_skeleton_make(ctx, complex, false, &skeleton);
    if (status != DGM_OK)
        return status;
    status = dgmi_mapper_cycles_open(ctx, &skeleton, &cycles);
    *loops = cycles.open;
    dgmi_mapper_cycles_close(&cycles);
    return status;
}

/* triangles, and b1 where the 1-skeleton's loops are known. */
static dgm_status fill_loops(dgm_context *ctx, const dgmi_mapper_bundles *bundles, const bool *kept,
                             dgm_summary_topology *topology) {
    dgmi_mapper_complex complex;
    dgmi_mapper_skeleton skeleton = {0};
    topology->triangles = 0;
    topology->b1 = topology->skeleton_loops;
    dgm_status status = dgmi_mapper_complex_make(ctx, bundles, kept, &complex);
    if (status != DGM_OK || complex.largest < 3)
        return status;
    bool tell = few_triples(&complex);
    status = dgmi_mapper_complex_prune(ctx, &complex);
    if (status == DGM_OK && tell) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        status = dgmi_mapper_skeleton_make(ctx, &complex, true, &skeleton);
        dgmi_arena_release(ctx, hold);
        topology->b1 -= skeleton.apexes;
    }
    topology->triangles = tell ? skeleton.triangles : -1;
    if (status == DGM_OK && topology->b1)
        status = count_loops(ctx, &complex, &topology->b1);
    return status;
}

dgm_status dgmi_mapper_topology_make(dgm_context *ctx, const dgmi_mapper_bundles *bundles,
                                     const bool *kept, const dgmi_mapper_meeting *meetings,
                                     int64_t meeting_count, dgm_summary_topology *topology) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    int64_t vertices = 0, edges = 0;
    uint32_t *parent = dgmi_scratch(ctx, bundles->clusters, sizeof *parent);
    if (!parent)
        goto done;
    for (int64_t c = 0; c < bundles->clusters; c++)
        parent[c] = (uint32_t)c;
    for (int64_t i = 0; i < meeting_count; i++)
        if (meetings[i].shared > 0 && kept[meetings[i].low] && kept[meetings[i].high]) {
            edges++;
            dgmi_graph_union_link(parent, meetings[i].low, meetings[i].high);
        }
    topology->b0 = 0;
    for (int64_t c = 0; c < bundles->clusters; c++) {
        vertices += kept[c];
        topology->b0 += kept[c] && parent[c] == c;
    }
    topology->skeleton_loops = edges - vertices + topology->b0;
    status = fill_loops(ctx, bundles, kept, topology);
done:
    dgmi_arena_release(ctx, hold);
    return status;
}
