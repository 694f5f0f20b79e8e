/* SPDX-License-Identifier: Apache-2.0 */
/* bench_load FILE [THREADS]: reads a graph once; one JSON object with the speed in MB/s of text and
 * the memory that loading took above the finished rows, in bytes an edge (peak of the process less
 * what it held before less the rows).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "dgm/dgm.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_bytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

int main(int argc, char **argv) {
    struct stat file;
    dgm_context *ctx;
    dgm_graph *graph;
    if (argc < 2 || stat(argv[1], &file) != 0) {
        fprintf(stderr, "usage: bench_load FILE [THREADS]\n");
        return 2;
    }
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, argc > 2 ? atoi(argv[2]) : 0);
    double before = peak_bytes(), start = now();
    if (dgm_graph_read(ctx, argv[1], DGM_FORMAT_AUTO, NULL, NULL, &graph) != DGM_OK) {
        fprintf(stderr, "bench_load: %s\n", dgm_context_error(ctx));
        return 1;
    }
    double seconds = now() - start;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    double edges = (double)dgm_graph_edges(graph);
    double csr = 8.0 * (double)(rows.nodes + 1) + 4.0 * (double)rows.entries;
    printf(
        "{\"bytes\": %lld, \"nodes\": %lld, \"edges\": %.0f, \"threads\": %d, \"seconds\": %.4f, "
        "\"mb_per_s\": %.1f, \"csr_bytes_per_edge\": %.2f, \"extra_bytes_per_edge\": %.2f}\n",
        (long long)file.st_size, (long long)rows.nodes, edges, dgm_context_threads(ctx), seconds,
        (double)file.st_size / 1e6 / seconds, csr / edges, (peak_bytes() - before - csr) / edges);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return 0;
}
