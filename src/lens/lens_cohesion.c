/* SPDX-License-Identifier: Apache-2.0 */
/* How well a node is held by its neighbourhood: core number, triangles, clustering. */
#include "lens_columns.h"

#include "base_context.h"
#include "base_memory.h"
#include "graph_simple.h"

/* The column of that name, and the rows of the graph without directions, which is noted. */
static dgm_status begin(dgm_context *ctx, const dgm_graph *graph, const char *lens,
                        dgmi_graph_simple_rows *rows, dgm_matrix **out) {
    dgm_status status = dgmi_lens_column(ctx, graph, lens, out);
    if (status == DGM_OK && dgm_graph_get_rows(graph).directed)
        dgmi_note(ctx, "the lens '%s' takes directed edges without their direction", lens);
    return status == DGM_OK ? dgmi_graph_simple_make(ctx, graph, rows) : status;
}

dgm_status dgm_lens_core(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    dgm_status status = begin(ctx, graph, "core", &rows, out);
    if (status == DGM_OK)
        status = dgmi_graph_cores(ctx, &rows, dgm_matrix_values_mutable(*out));
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}

dgm_status dgm_lens_triangles(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    dgm_status status = begin(ctx, graph, "triangles", &rows, out);
    if (status == DGM_OK)
        status = dgmi_graph_triangles(ctx, &rows, dgm_matrix_values_mutable(*out));
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}

dgm_status dgm_lens_clustering(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    dgm_status status = begin(ctx, graph, "clustering", &rows, out);
    if (status == DGM_OK)
        status = dgmi_graph_triangles(ctx, &rows, dgm_matrix_values_mutable(*out));
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++) {
        double *value = &dgm_matrix_values_mutable(*out)[u];
        *value = dgmi_graph_clustering(&rows, u, *value);
    }
    dgmi_arena_release(ctx, hold);
    return dgmi_lens_column_end(status, out);
}
