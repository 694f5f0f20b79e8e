/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_excerpt.h"

#include <string.h>

#include "explore_explorer.h"
#include "graph_graph.h"

static dgm_status take_axes(dgm_context *ctx, const dgm_matrix *axes, const uint32_t *nodes,
                            int64_t count, dgm_matrix **out) {
    int64_t columns = dgm_matrix_columns(axes);
    dgm_status status = dgm_matrix_create(ctx, count, columns, out);
    for (int64_t c = 0; status == DGM_OK && c < columns; c++) {
        status = dgm_matrix_set_column_name(ctx, *out, c, dgm_matrix_column_name(axes, c));
        if (status == DGM_OK)
            status =
                dgm_matrix_set_column_transform(ctx, *out, c, dgm_matrix_column_transform(axes, c));
    }
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        memcpy(dgm_matrix_values_mutable(*out) + i * columns,
               dgm_matrix_values(axes) + nodes[i] * columns, (size_t)columns * sizeof(double));
    return status;
}

dgm_status dgmi_explore_excerpt_make(dgm_context *ctx, const dgm_explorer *explorer,
                                     const uint32_t *nodes, int64_t count, bool features,
                                     dgmi_explore_excerpt *out) {
    const dgm_explorer_lens *lens = &explorer->lens;
    *out = (dgmi_explore_excerpt){NULL, NULL, NULL};
    dgm_status status =
        features ? dgm_graph_induced(ctx, explorer->graph, nodes, count, &out->graph)
                 : dgmi_graph_induced_bare(ctx, explorer->graph, nodes, count, &out->graph);
    if (status == DGM_OK)
        status = take_axes(ctx, lens->axes, nodes, count, &out->axes);
    if (status == DGM_OK && lens->predictions)
        status =
            dgm_predictions_induced(ctx, lens->predictions, out->graph, nodes, &out->predictions);
    return status;
}

void dgmi_explore_excerpt_free(dgmi_explore_excerpt *excerpt) {
    dgm_predictions_free(excerpt->predictions);
    dgm_matrix_free(excerpt->axes);
    dgm_graph_free(excerpt->graph);
    *excerpt = (dgmi_explore_excerpt){NULL, NULL, NULL};
}
