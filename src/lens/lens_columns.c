/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses that read a number straight off each node: degree, strength, label, attribute. */
#include "lens_columns.h"

#include <math.h>

#include "base_context.h"

dgm_status dgmi_lens_column(dgm_context *ctx, const dgm_graph *graph, const char *name,
                            dgm_matrix **out) {
    dgm_status status = dgm_matrix_create(ctx, dgm_graph_nodes(graph), 1, out);
    if (status == DGM_OK)
        status = dgm_matrix_set_column_name(ctx, *out, 0, name);
    return dgmi_lens_column_end(status, out);
}

dgm_status dgmi_lens_column_end(dgm_status status, dgm_matrix **out) {
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}

dgm_status dgm_lens_degree(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgm_status status = dgmi_lens_column(ctx, graph, "degree", out);
    if (status != DGM_OK)
        return status;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double *degree = dgm_matrix_values_mutable(*out);
    for (int64_t u = 0; u < rows.nodes; u++) {
        degree[u] += (double)(rows.offsets[u + 1] - rows.offsets[u]);
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.directed || rows.targets[e] == u)
                degree[rows.targets[e]] += 1;
    }
    return DGM_OK;
}

dgm_status dgm_lens_strength(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_status status = dgmi_lens_column(ctx, graph, "strength", out);
    double *strength = status == DGM_OK ? dgm_matrix_values_mutable(*out) : NULL;
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            double weight = rows.weights ? rows.weights[e] : 1;
            strength[u] += weight;
            if (rows.directed || rows.targets[e] == u)
                strength[rows.targets[e]] += weight;
        }
    for (int64_t u = 0; status == DGM_OK && u < rows.nodes; u++)
        if (!isfinite(strength[u])) {
            char name[64];
            dgm_graph_name(graph, u, name, sizeof name);
            status =
                dgmi_fail(ctx, DGM_ERROR_DATA,
                          "the weights of node '%s' add up to more than a number can hold", name);
        }
    return dgmi_lens_column_end(status, out);
}

dgm_status dgm_lens_labels(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out) {
    *out = NULL;
    const int32_t *labels = dgm_graph_labels(graph);
    if (!labels)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the lens 'labels' needs a labelled graph; this one has none");
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        if (labels[u] < 0) {
            char name[64];
            dgm_graph_name(graph, u, name, sizeof name);
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the lens 'labels' needs every node labelled; node '%s' is not", name);
        }
    dgm_status status = dgmi_lens_column(ctx, graph, "label", out);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(*out)[u] = dgm_graph_class_number(graph, labels[u]);
    return status;
}

static dgm_status fail_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name) {
    enum { SHOWN = 32 };
    const char *known[SHOWN + 1];
    int count = 0;
    for (int64_t k = 0; k < dgm_graph_attributes(graph) && count < SHOWN; k++)
        known[count++] = dgm_graph_attribute(graph, k).name;
    known[count] = NULL;
    const char *near = dgm_name_nearest(name, known);
    if (near)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graph has no attribute '%.100s'; did you mean '%.100s'?", name, near);
    if (count == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the graph has no attributes, so none called '%.100s': " DGMI_NAMED(
                             "nodes-table=FILE") " "
                                                 "brings them, a CSV with a column id",
                         name);
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "the graph has no attribute '%.100s' (it has %lld, the first is %.100s)", name,
                     (long long)dgm_graph_attributes(graph), known[0]);
}

dgm_status dgm_lens_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name,
                              dgm_matrix **out) {
    *out = NULL;
    int64_t index = dgm_graph_attribute_find(graph, name);
    if (index < 0)
        return fail_attribute(ctx, graph, name);
    dgm_attribute attribute = dgm_graph_attribute(graph, index);
    if (attribute.kind != DGM_ATTRIBUTE_NUMBER)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "attribute '%.100s' holds text, and a lens needs numbers", name);
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
        if (!isfinite(attribute.numbers[u])) {
            char node[64];
            dgm_graph_name(graph, u, node, sizeof node);
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "attribute '%.100s' has no finite value at node '%s'", name, node);
        }
    dgm_status status = dgmi_lens_column(ctx, graph, name, out);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(*out)[u] = attribute.numbers[u];
    return status;
}
