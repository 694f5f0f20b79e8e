/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the rows of the undirected graph without self-loops. */
#include "graph_simple.h"

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "graph_transpose.h"

/* Merges two sorted rows without `self` and without repeats; the length of what was written. */
static int64_t merge_row(const uint32_t *a, int64_t a_count, const uint32_t *b, int64_t b_count,
                         uint32_t self, uint32_t *out) {
    int64_t i = 0, j = 0, count = 0;
    while (i < a_count || j < b_count) {
        uint32_t next;
        if (j == b_count || (i < a_count && a[i] <= b[j]))
            next = a[i++];
        else
            next = b[j++];
        if (next != self && (count == 0 || out[count - 1] != next))
            out[count++] = next;
    }
    return count;
}

static dgm_status merge_rows(dgm_context *ctx, dgm_graph_rows rows, dgmi_graph_simple_rows *out) {
    dgm_graph_rows back = {0};
    rows.weights = NULL;
    if (rows.directed && dgmi_graph_rows_transpose(ctx, rows, &back) != DGM_OK)
        return DGM_ERROR_MEMORY;
    int64_t most = rows.directed ? 2 * rows.entries : rows.entries, place = 0;
    int64_t *offsets = dgmi_scratch(ctx, rows.nodes + 1, sizeof *offsets);
    uint32_t *targets = dgmi_scratch(ctx, most, sizeof *targets);
    if (!offsets || !targets)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows.nodes; u++) {
        int64_t in = rows.directed ? back.offsets[u + 1] - back.offsets[u] : 0;
        offsets[u] = place;
        place +=
            merge_row(rows.targets + rows.offsets[u], rows.offsets[u + 1] - rows.offsets[u],
                      in ? back.targets + back.offsets[u] : NULL, in, (uint32_t)u, targets + place);
    }
    offsets[rows.nodes] = place;
    assert(place <= most);
    DGMI_ASSERT_WALK(dgmi_rows_sorted(offsets, targets, rows.nodes, rows.nodes));
    *out = (dgmi_graph_simple_rows){rows.nodes, offsets, targets};
    return DGM_OK;
}

dgm_status dgmi_graph_simple_make(dgm_context *ctx, const dgm_graph *graph,
                                  dgmi_graph_simple_rows *out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    if (rows.directed || dgm_graph_get_counts(graph).loops_kept > 0)
        return merge_rows(ctx, rows, out);
    DGMI_ASSERT_WALK(dgmi_rows_sorted(rows.offsets, rows.targets, rows.nodes, rows.nodes));
    *out = (dgmi_graph_simple_rows){rows.nodes, rows.offsets, rows.targets};
    return DGM_OK;
}
