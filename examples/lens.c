/* SPDX-License-Identifier: Apache-2.0 */
/* lens: a lens of one's own.
 *
 *   cc lens.c -o lens $(pkg-config --cflags --libs dgm)
 *
 * Any table with one row per node is a lens. Here twelve nodes stand on a ring, and the lens is
 * their height. Cut into bands of height, the ring has a top, a bottom and two sides: the summary
 * has the loop, too.
 */
#include <inttypes.h>
#include <stdio.h>

#include <dgm/dgm.h>

enum { NODES = 12 };

/* A graph from compressed sparse rows, as SciPy has them: the neighbours of node u are targets[i]
 * for i from offsets[u] to offsets[u + 1]. Each node is joined with the next one. An edge may be
 * given from one of its ends or from both. */
static dgm_status make_ring(dgm_context *ctx, dgm_graph **graph) {
    int64_t offsets[NODES + 1];
    uint32_t targets[NODES];
    for (int u = 0; u < NODES; u++) {
        offsets[u] = u;
        targets[u] = (uint32_t)(u + 1) % NODES;
    }
    offsets[NODES] = NODES;
    dgm_graph_rows rows = {
        .nodes = NODES, .entries = NODES, .offsets = offsets, .targets = targets};
    return dgm_graph_from_rows(ctx, &rows, NULL, graph); /* copies the rows */
}

/* The table borrows `heights`, which has to be there as long as the table is. */
static dgm_status map(dgm_context *ctx, const double *heights, dgm_graph **graph, dgm_matrix **lens,
                      dgm_summary **summary) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.overlap[0] = 0.5;
    dgm_status status = make_ring(ctx, graph);
    if (status == DGM_OK)
        status = dgm_matrix_borrow(ctx, heights, NODES, 1, lens);
    if (status == DGM_OK)
        status = dgm_matrix_set_column_name(ctx, *lens, 0, "height");
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, *graph, *lens, &options, summary);
    return status;
}

static void print(const dgm_summary *summary) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    for (int64_t c = 0; c < clusters.count; c++)
        printf("cluster %" PRId64 ": %" PRId64 " nodes, mean height %g\n", c,
               clusters.offsets[c + 1] - clusters.offsets[c], clusters.lens[c]);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    printf("%" PRId64 " piece, %" PRId64 " loop\n", topology.b0, topology.b1);
}

int main(void) {
    double heights[NODES];
    for (int u = 0; u < NODES; u++)
        heights[u] = u < NODES - u ? u : NODES - u; /* up one side and down the other */

    dgm_context *ctx = NULL;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status = map(ctx, heights, &graph, &lens, &summary);
    if (status == DGM_OK)
        print(summary);
    else
        fprintf(stderr, "lens: %s\n", ctx ? dgm_context_error(ctx) : dgm_status_name(status));
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return status == DGM_OK ? 0 : 1;
}
