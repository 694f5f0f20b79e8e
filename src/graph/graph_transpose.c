/* SPDX-License-Identifier: Apache-2.0 */
/* Transposes sparse rows by counting. */
#include "graph_transpose.h"

#include "base_assert.h"
#include "base_memory.h"

dgm_status dgmi_graph_rows_transpose(dgm_context *ctx, dgm_graph_rows rows, dgm_graph_rows *out) {
    assert(rows.offsets[rows.nodes] == rows.entries);
    DGMI_ASSERT_WALK(dgmi_rows_fit(rows.offsets, rows.targets, rows.nodes, rows.nodes));
    int64_t *offsets = dgmi_scratch_zero(ctx, rows.nodes + 2, sizeof *offsets);
    uint32_t *sources = dgmi_scratch(ctx, rows.entries, sizeof *sources);
    double *weights = rows.weights ? dgmi_scratch(ctx, rows.entries, sizeof *weights) : NULL;
    if (!offsets || !sources || (rows.weights && !weights))
        return DGM_ERROR_MEMORY;
    /* Counted two places on, a row's start stands one place on while it is filled, and in its own
     * place after. */
    for (int64_t e = 0; e < rows.entries; e++)
        offsets[rows.targets[e] + 2]++;
    for (int64_t u = 0; u < rows.nodes; u++)
        offsets[u + 2] += offsets[u + 1];
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t place = offsets[rows.targets[e] + 1]++;
            sources[place] = (uint32_t)u;
            if (weights)
                weights[place] = rows.weights[e];
        }
    assert(offsets[0] == 0 && offsets[rows.nodes] == rows.entries);
    *out = (dgm_graph_rows){rows.nodes, rows.entries, offsets, sources, weights, rows.directed};
    return DGM_OK;
}
