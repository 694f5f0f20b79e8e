/* SPDX-License-Identifier: Apache-2.0 */
#include "draw_carry.h"

#include <math.h>

static void add_cluster(const dgm_summary_clusters *clusters, const dgm_places *places,
                        int64_t cluster, double *node, double *count) {
    for (int64_t i = clusters->offsets[cluster]; i < clusters->offsets[cluster + 1]; i++) {
        int64_t u = clusters->members[i];
        node[2 * u] += places->x[cluster];
        node[2 * u + 1] += places->y[cluster];
        count[u]++;
    }
}

void dgmi_draw_carry_nodes(const dgm_summary_clusters *clusters, const dgm_places *places,
                           int64_t nodes, double *node, double *count) {
    for (int64_t u = 0; u < nodes; u++)
        node[2 * u] = node[2 * u + 1] = count[u] = 0;
    for (int64_t c = 0; c < clusters->count; c++)
        add_cluster(clusters, places, c, node, count);
    for (int64_t u = 0; u < nodes; u++)
        for (int axis = 0; axis < 2; axis++)
            node[2 * u + axis] = count[u] > 0 ? node[2 * u + axis] / count[u] : NAN;
}

void dgmi_draw_carry_clusters(const dgm_summary_clusters *clusters, const double *node,
                              double *start) {
    for (int64_t c = 0; c < clusters->count; c++) {
        double sum[2] = {0, 0}, known = 0;
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++) {
            const double *at = node + 2 * (int64_t)clusters->members[i];
            if (isnan(at[0]))
                continue;
            sum[0] += at[0];
            sum[1] += at[1];
            known++;
        }
        start[2 * c] = known > 0 ? sum[0] / known : NAN;
        start[2 * c + 1] = known > 0 ? sum[1] / known : NAN;
    }
}
