/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes, clusters and axes are called in answers. */
#include <math.h>
#include <string.h>

#include "explore_explorer.h"

const char *dgmi_explore_node_name(const dgm_graph *graph, int64_t node,
                                   char buffer[DGMI_EXPLORE_NAME], size_t *length) {
    const char *text = dgm_graph_name_text(graph, node, length);
    if (text)
        return text;
    *length = dgm_graph_name(graph, node, buffer, DGMI_EXPLORE_NAME);
    return buffer;
}

void dgmi_explore_say_node(dgmi_explore_answer *answer, const char *key, const dgm_graph *graph,
                           int64_t node) {
    char buffer[DGMI_EXPLORE_NAME];
    size_t length;
    const char *name = dgmi_explore_node_name(graph, node, buffer, &length);
    dgmi_explore_bytes(answer, key, name, length);
}

dgm_status dgmi_explore_name_clusters(dgm_context *ctx, dgm_explorer *explorer,
                                      const dgmi_explore_shown *shown) {
    const dgmi_mapper_name_source from = {.summary = shown->summary,
                                          .graph = explorer->graph,
                                          .profile = shown->profile,
                                          .comparison = explorer->comparison};
    if (explorer->names.starts && explorer->named == explorer->serial)
        return DGM_OK;
    dgmi_mapper_names_free(&explorer->names);
    explorer->named = explorer->serial;
    return dgmi_mapper_names_make(ctx, &from, &explorer->names);
}

void dgmi_explore_say_cluster(dgmi_explore_answer *answer, const char *key,
                              const dgm_explorer *explorer, int64_t cluster) {
    dgmi_explore_text(answer, key, dgmi_mapper_names_get(&explorer->names, cluster));
}

void dgmi_explore_say_axes(const dgm_explorer *explorer, dgmi_explore_answer *answer) {
    const dgm_matrix *axes = explorer->lens.axes;
    int64_t rows = axes ? dgm_matrix_rows(axes) : 0, columns = axes ? dgm_matrix_columns(axes) : 0;
    dgmi_explore_open(answer, "axes", '[');
    for (int64_t c = 0; c < columns; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t u = 0; u < rows; u++) {
            low = fmin(low, dgm_matrix_values(axes)[u * columns + c]);
            high = fmax(high, dgm_matrix_values(axes)[u * columns + c]);
        }
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", dgm_matrix_column_name(axes, c));
        dgmi_explore_text(answer, "transform", dgm_matrix_column_transform(axes, c));
        dgmi_explore_real(answer, "low", low);
        dgmi_explore_real(answer, "high", high);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}
