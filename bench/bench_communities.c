/* SPDX-License-Identifier: Apache-2.0 */
/* bench_communities GRAPH [RUNS [THREADS [RESOLUTION]]]: reads a graph once and finds its
 * communities RUNS times, with the seeds 1, 2, ...; one JSON object with the best wall time, the
 * least CPU time, the modularity of the best and the mean run, and the peak memory. GRAPH is what
 * dgm takes, or KIND:NODES:EDGES[:BLOCKS] for a generated one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dgm/dgm.h"

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(dgm_context *ctx, dgm_status status) {
    if (status == DGM_OK)
        return;
    fprintf(stderr, "bench_communities: %s\n", dgm_context_error(ctx));
    exit(1);
}

/* "sbm:300000:3000000:40" */
static bool generate(dgm_context *ctx, const char *name, dgm_graph **graph) {
    char kind[16];
    long long nodes, edges, blocks = 1;
    if (sscanf(name, "%15[a-z]:%lld:%lld:%lld", kind, &nodes, &edges, &blocks) < 3)
        return false;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const char *const *names = dgm_generator_names();
    for (options.kind = 0; names[options.kind] && strcmp(names[options.kind], kind) != 0;)
        options.kind++;
    options.nodes = nodes;
    options.edges = edges;
    options.blocks = blocks;
    check(ctx, dgm_graph_generate(ctx, &options, NULL, graph));
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: bench_communities GRAPH|KIND:NODES:EDGES[:BLOCKS] [RUNS [THREADS "
                        "[RESOLUTION]]]\n");
        return 2;
    }
    int runs = argc > 2 ? atoi(argv[2]) : 3, threads = argc > 3 ? atoi(argv[3]) : 0;
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    dgm_context *ctx;
    dgm_graph *graph;
    if (argc > 4)
        options.resolution = atof(argv[4]);
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, threads);
    if (!generate(ctx, argv[1], &graph))
        check(ctx, dgm_graph_open(ctx, argv[1], DGM_FORMAT_AUTO, NULL, NULL, 1, &graph));
    uint32_t *parts = malloc((size_t)dgm_graph_nodes(graph) * sizeof *parts + 1);
    int64_t count = 0;
    double best = INFINITY, cpu = INFINITY, most = -1, sum = 0;
    if (!parts)
        return 1;
    for (int run = 0; run < runs; run++) {
        double start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        options.seed = run + 1;
        check(ctx, dgm_communities(ctx, graph, &options, parts, &count));
        best = fmin(best, seconds(CLOCK_MONOTONIC) - start);
        cpu = fmin(cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
        double modularity;
        check(ctx, dgm_modularity(ctx, graph, parts, count, &options, &modularity));
        most = fmax(most, modularity);
        sum += modularity;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"graph\": \"%s\", \"nodes\": %lld, \"edges\": %lld, \"threads\": %d, \"best_s\": %.4f, "
        "\"cpu_s\": %.4f, \"communities\": %lld, \"modularity\": %.5f, \"mean_modularity\": %.5f, "
        "\"peak_mb\": %.1f}\n",
        argv[1], (long long)dgm_graph_nodes(graph), (long long)dgm_graph_edges(graph),
        dgm_context_threads(ctx), best, cpu, (long long)count, most, sum / runs,
        (double)usage.ru_maxrss / 1024);
    free(parts);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return 0;
}
