/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries with clusters of our choice, and their reports. */
#ifndef REPORT_SAMPLE_H
#define REPORT_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "mapper_summary.h"
#include "rich_sample.h"

/* Cluster c has the nodes u with has[u * clusters + c]; the graph has these edges. */
static inline sample cast_sample(int64_t nodes, int64_t clusters, const char *has, int64_t edges,
                                 const uint32_t *ends, const int32_t *classes_of, int how) {
    sample made = {.graph = build_graph(NULL, nodes, edges, ends, NULL),
                   .lens = build_matrix(nodes, clusters, NULL)};
    if (classes_of) {
        dgm_graph *bare = made.graph;
        assert_int_equal(dgm_graph_with_labels(ctx, bare, classes_of, 0, NULL, &made.graph),
                         DGM_OK);
        dgm_graph_free(bare);
    }
    for (int64_t i = 0; i < nodes * clusters; i++)
        dgm_matrix_values_mutable(made.lens)[i] = has[i] == 'x';
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    options.edges = how;
    sample_map(ctx, &made, &options);
    return made;
}

static inline dgm_report *report_of(const sample *made, const dgm_report_options *options) {
    dgm_report *report;
    if (dgm_report_create(ctx, made->summary, made->graph, made->profile, options, &report) !=
        DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return report;
}

/* The summary as it is read from a file: it knows its members by their names. */
static inline void forget_graph(sample *made) {
    dgm_summary *summary = made->summary;
    int64_t count = summary->offsets[summary->clusters], used = 0;
    summary->name_text = dgmi_alloc(ctx, 12 * count + 1, 1);
    summary->name_starts = dgmi_alloc(ctx, count + 1, sizeof *summary->name_starts);
    assert_true(summary->name_text && summary->name_starts);
    for (int64_t i = 0; i < count; i++) {
        summary->name_starts[i] = used;
        used += sprintf(summary->name_text + used, "%u", summary->members[i]);
    }
    summary->name_starts[count] = used;
    dgmi_free(ctx, summary->members);
    summary->members = NULL;
    dgm_graph_free(made->graph);
    made->graph = NULL;
}

/* The nerve of a graph: each of its edges is a node that lies in both ends, and `own` nodes more lie
 * in one cluster each, from the first cluster on. */
static inline sample nerve_sample(int64_t clusters, int64_t own, int64_t edges,
                                  const int (*ends)[2]) {
    char *has = calloc((size_t)((edges + own) * clusters + 1), 1);
    assert_non_null(has);
    for (int64_t e = 0; e < edges; e++)
        has[e * clusters + ends[e][0]] = has[e * clusters + ends[e][1]] = 'x';
    for (int64_t c = 0; c < own; c++)
        has[(edges + c) * clusters + c] = 'x';
    sample made = cast_sample(edges + own, clusters, has, 0, NULL, NULL, DGM_EDGES_NERVE);
    free(has);
    return made;
}

static inline void assert_clusters(const uint32_t *clusters, int64_t count, const char *expected) {
    char words[512] = "";
    for (int64_t i = 0; i < count; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%u", i ? " " : "",
                 clusters[i]);
    assert_string_equal(words, expected);
}

#endif
