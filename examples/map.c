/* SPDX-License-Identifier: Apache-2.0 */
/* map GRAPH: the whole job in plain calls of the library, one a stage.
 *
 *   cc map.c -o map $(pkg-config --cflags --libs dgm)
 */
#include <inttypes.h>
#include <stdio.h>

#include <dgm/dgm.h>

static dgm_status map(dgm_context *ctx, const char *name, dgm_graph **graph, dgm_matrix **lens,
                      dgm_summary **summary) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 20;
    options.overlap[0] = 0.2;

    dgm_status status = dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, 1, graph);
    if (status == DGM_OK)
        status = dgm_lens_pagerank(ctx, *graph, NULL, lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, *graph, *lens, &options, summary);
    return status;
}

static void print(const dgm_summary *summary) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    for (int64_t c = 0; c < clusters.count; c++)
        printf("cluster %" PRId64 ": %" PRId64 " nodes, mean lens %g\n", c,
               clusters.offsets[c + 1] - clusters.offsets[c], clusters.lens[c]);

    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t e = 0; e < count; e++)
        printf("%u - %u share %" PRId64 " nodes\n", edges[e].source, edges[e].target,
               edges[e].shared);
}

int main(int argc, char **argv) {
    dgm_context *ctx = NULL;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status = map(ctx, argc > 1 ? argv[1] : "karate", &graph, &lens, &summary);
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
