/* SPDX-License-Identifier: Apache-2.0 */
#include "mapper_summary.h"

#include "base_memory.h"

void dgm_summary_free(dgm_summary *summary) {
    if (!summary)
        return;
    dgm_allocator allocator = summary->allocator;
    for (int64_t k = 0; summary->axis_names && k < summary->dimension; k++)
        dgmi_allocator_free(&allocator, summary->axis_names[k]);
    for (int64_t k = 0; summary->transforms && k < summary->dimension; k++)
        dgmi_allocator_free(&allocator, summary->transforms[k]);
    void *blocks[] = {summary->given, summary->cells,      summary->offsets,    summary->members,
                      summary->lens,  summary->edges,      summary->low,        summary->high,
                      summary->peaks, summary->axis_names, summary->transforms, summary->errors,
                      summary};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        dgmi_allocator_free(&allocator, blocks[i]);
}

dgm_summary_clusters dgm_summary_get_clusters(const dgm_summary *summary) {
    return (dgm_summary_clusters){summary->clusters, summary->axes,    summary->cells,
                                  summary->offsets,  summary->members, summary->dimension,
                                  summary->lens};
}

const dgm_summary_edge *dgm_summary_edges(const dgm_summary *summary, int64_t *count) {
    *count = summary->edge_count;
    return summary->edges;
}

dgm_summary_coverage dgm_summary_get_coverage(const dgm_summary *summary) {
    return summary->coverage;
}

dgm_summary_topology dgm_summary_get_topology(const dgm_summary *summary) {
    return summary->topology;
}

const dgm_mapper_options *dgm_summary_options(const dgm_summary *summary) {
    return &summary->options;
}

void dgm_summary_lens_range(const dgm_summary *summary, int64_t column, double *low, double *high) {
    *low = summary->low[column];
    *high = summary->high[column];
}

const char *dgm_summary_axis_name(const dgm_summary *summary, int64_t column) {
    return summary->axis_names[column];
}

const uint32_t *dgm_summary_get_peaks(const dgm_summary *summary) {
    return summary->peaks;
}

const char *dgm_summary_axis_transform(const dgm_summary *summary, int64_t column) {
    return summary->transforms[column];
}

double dgm_summary_axis_error(const dgm_summary *summary, int64_t column) {
    return summary->errors[column];
}
