/* SPDX-License-Identifier: Apache-2.0 */
/* map: a graph from an array of edges, and its summary.
 *
 *   cc map.c -o map $(pkg-config --cflags --libs dgm)
 *
 * Two groups of four nodes hang together by a chain. The lens is the mean distance to all others,
 * which is small in the middle, so the summary is a line: group, chain, group.
 */
#include <inttypes.h>
#include <stdio.h>

#include <dgm/dgm.h>

/* The ends of each edge, one edge after the other. Nodes are numbers from 0. */
static const uint32_t ends[] = {
    0, 1, 0, 2,  0, 3,  1, 2,  1, 3,  2,  3,  /* one group */
    3, 4, 4, 5,  5, 6,  6, 7,  7, 8,          /* the chain */
    8, 9, 8, 10, 8, 11, 9, 10, 9, 11, 10, 11, /* the other group */
};
enum { EDGES = sizeof ends / sizeof *ends / 2 };

static dgm_status build(dgm_context *ctx, dgm_graph **graph) {
    dgm_graph_builder *builder;
    dgm_status status = dgm_graph_builder_create(ctx, NULL, &builder);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_builder_add(builder, EDGES, ends, NULL); /* NULL: every weight is 1 */
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, graph); /* this frees the builder, too */
    dgm_graph_builder_free(builder);
    return status;
}

static dgm_status map(dgm_context *ctx, dgm_graph **graph, dgm_matrix **lens,
                      dgm_summary **summary) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT; /* the defaults */
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    dgm_status status = build(ctx, graph);
    if (status == DGM_OK)
        status = dgm_lens_agd(ctx, *graph, NULL, lens); /* average geodesic distance */
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, *graph, *lens, &options, summary);
    return status;
}

static void print(const dgm_summary *summary) { /* what it shows belongs to it */
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    for (int64_t c = 0; c < clusters.count; c++) {
        printf("cluster %" PRId64 ": nodes", c);
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            printf(" %" PRIu32, clusters.members[i]);
        printf("\n");
    }
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t e = 0; e < count; e++)
        printf("%" PRIu32 " - %" PRIu32 ": %" PRId64 " in both\n", edges[e].source, edges[e].target,
               edges[e].shared);
}

int main(void) {
    dgm_context *ctx = NULL;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_context_create(NULL, &ctx); /* NULL: memory from malloc */
    if (status == DGM_OK)
        status = map(ctx, &graph, &lens, &summary);
    if (status == DGM_OK)
        print(summary);
    else
        fprintf(stderr, "map: %s\n", ctx ? dgm_context_error(ctx) : dgm_status_name(status));
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return status == DGM_OK ? 0 : 1;
}
