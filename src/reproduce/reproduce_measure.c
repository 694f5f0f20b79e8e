/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_measure.h"

#include <stdlib.h>

#include "base_memory.h"

void dgmi_reproduce_majorities(dgm_profile_counts counts, int64_t clusters, int32_t *majority) {
    for (int64_t c = 0; c < clusters; c++) {
        int64_t most = 0;
        majority[c] = -1;
        if (!counts.offsets)
            continue;
        for (int64_t i = counts.offsets[c]; i < counts.offsets[c + 1]; i++)
            if (counts.counts[i] > most) {
                most = counts.counts[i];
                majority[c] = counts.values[i];
            }
    }
}

static int compare_sizes(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

dgm_status dgmi_reproduce_measure_sizes(dgm_context *ctx, const dgm_summary *summary,
                                        const int32_t *majority, int32_t class_index,
                                        dgmi_reproduce_sizes *out) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t *sizes = dgmi_scratch(ctx, clusters.count, sizeof *sizes), count = 0;
    double sum = 0;
    *out = (dgmi_reproduce_sizes){0, 0, 0, 0};
    if (!sizes)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < clusters.count; c++)
        if (class_index == DGMI_REPRODUCE_ANY || majority[c] == class_index) {
            sizes[count] = clusters.offsets[c + 1] - clusters.offsets[c];
            sum += (double)sizes[count++];
        }
    if (count > 0) {
        const int64_t below = (count - 1) / 2,
                      above = count / 2; /* the middle, or both beside it */
        qsort(sizes, (size_t)count, sizeof *sizes, compare_sizes);
        *out =
            (dgmi_reproduce_sizes){count, sum / (double)count,
                                   0.5 * (double)(sizes[below] + sizes[above]), sizes[count - 1]};
    }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

int64_t dgmi_reproduce_count_edges(const dgm_summary *summary, const int32_t *majority, int32_t one,
                                   int32_t other) {
    int64_t edges, count = 0;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    for (int64_t i = 0; i < edges; i++) {
        int32_t a = majority[edge[i].source], b = majority[edge[i].target];
        count += (a == one && b == other) || (a == other && b == one);
    }
    return count;
}

dgm_status dgmi_reproduce_count_deepest(dgm_context *ctx, const dgm_summary *summary,
                                        int64_t *out) {
    dgm_membership *membership;
    *out = 0;
    dgm_status status = dgm_membership_from_summary(ctx, summary, DGM_MEMBERSHIP_ONES, &membership);
    if (status != DGM_OK)
        return status;
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    for (int64_t i = 0; i < rows.nodes; i++)
        if (rows.offsets[i + 1] - rows.offsets[i] > *out)
            *out = rows.offsets[i + 1] - rows.offsets[i];
    dgm_membership_free(membership);
    return DGM_OK;
}
