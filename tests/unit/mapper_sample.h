/* SPDX-License-Identifier: Apache-2.0 */
/* Running Mapper on small cases, and saying what the clusters should be as text: "0 1|1 2 3". */
#ifndef MAPPER_SAMPLE_H
#define MAPPER_SAMPLE_H

#include "unit_fixture.h"

#include <stdio.h>

static inline dgm_summary *map_graph(const dgm_graph *graph, int64_t columns, const double *values,
                                     const dgm_mapper_options *options) {
    dgm_matrix *lens = build_matrix(dgm_graph_nodes(graph), columns, values);
    dgm_summary *summary;
    if (dgm_mapper_run(ctx, graph, lens, options, &summary) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_matrix_free(lens);
    return summary;
}

static inline void assert_clusters(const dgm_summary *summary, const char *expected) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    char text[4096] = "";
    size_t used = 0;
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u",
                                     i > clusters.offsets[c] ? " "
                                     : c                     ? "|"
                                                             : "",
                                     clusters.members[i]);
    assert_string_equal(text, expected);
}

/* Edges as "source-target shared/links/inner weight". */
static inline void assert_edges(const dgm_summary *summary, const char *expected) {
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    char text[4096] = "";
    size_t used = 0;
    for (int64_t e = 0; e < count; e++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u-%u %lld/%lld/%lld %.4g",
                                 e ? ", " : "", edges[e].source, edges[e].target,
                                 (long long)edges[e].shared, (long long)edges[e].links,
                                 (long long)edges[e].inner, edges[e].weight);
    assert_string_equal(text, expected);
}

#endif
