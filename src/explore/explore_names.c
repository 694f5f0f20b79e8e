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

/* Returns the most frequent value of a cluster, the smallest of equal ones, or -1. */
static int32_t most_frequent(const dgm_profile_counts *counts, int64_t cluster) {
    int32_t best = -1;
    int64_t most = 0;
    if (!counts->offsets)
        return -1;
    for (int64_t i = counts->offsets[cluster]; i < counts->offsets[cluster + 1]; i++)
        if (counts->counts[i] > most) {
            most = counts->counts[i];
            best = counts->values[i];
        }
    return best;
}

void dgmi_explore_say_cluster(dgmi_explore_answer *answer, const char *key,
                              const dgmi_explore_shown *shown, int64_t cluster) {
    dgm_profile_counts labels = dgm_profile_labels(shown->profile);
    int32_t class_index = most_frequent(&labels, cluster);
    const char *name = class_index >= 0 ? dgm_profile_class_name(shown->profile, class_index)
                                        : dgm_profile_hub(shown->profile, cluster, 0);
    dgmi_explore_text(answer, key, name ? name : "");
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
