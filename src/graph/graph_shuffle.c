/* SPDX-License-Identifier: Apache-2.0 */
/* Deals the rows of features out to the nodes at random, by the shuffle of Fisher and Yates. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "graph_graph.h"
#include "graph_labels.h"

/* Node u gets the row order[u]. */
static uint32_t *draw_order(dgm_context *ctx, int64_t rows, int64_t seed) {
    enum { STREAM = 302 };
    dgmi_random random = {(uint64_t)seed, STREAM, 0};
    uint32_t *order = dgmi_scratch(ctx, rows, sizeof *order);
    for (int64_t i = 0; order && i < rows; i++) {
        uint64_t j = dgmi_random_next_below(&random, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

static void deal_dense(const dgm_graph *from, const uint32_t *order, dgm_graph *to) {
    size_t width = (size_t)from->feature_width;
    for (int64_t u = 0; u < from->feature_rows; u++)
        memcpy(to->feature_values + (size_t)u * width, from->feature_values + order[u] * width,
               width * sizeof(float));
}

static void deal_sparse(const dgm_graph *from, const uint32_t *order, dgm_graph *to) {
    int64_t at = 0;
    for (int64_t u = 0; u < from->feature_rows; u++) {
        int64_t begin = from->feature_offsets[order[u]];
        int64_t count = from->feature_offsets[order[u] + 1] - begin;
        memcpy(to->feature_columns + at, from->feature_columns + begin,
               (size_t)count * sizeof(uint32_t));
        if (to->feature_values)
            memcpy(to->feature_values + at, from->feature_values + begin,
                   (size_t)count * sizeof(float));
        to->feature_offsets[u] = at;
        at += count;
    }
}

dgm_status dgm_graph_shuffle_features(dgm_context *ctx, const dgm_graph *graph, int64_t seed,
                                      dgm_graph **out) {
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const uint32_t *order = draw_order(ctx, graph->feature_rows, seed);
    dgm_status status = order ? dgmi_graph_copy(ctx, graph, out) : DGM_ERROR_MEMORY;
    if (status == DGM_OK && graph->feature_offsets)
        deal_sparse(graph, order, *out);
    else if (status == DGM_OK && graph->feature_width > 0)
        deal_dense(graph, order, *out);
    dgmi_arena_release(ctx, hold);
    return status;
}
