/* SPDX-License-Identifier: Apache-2.0 */
/* bench_lens GRAPH LENS [RUNS [THREADS]]: reads a graph once and computes the lens RUNS times; one
 * JSON object with the best wall time, the least CPU time and the peak memory. GRAPH is what dgm
 * takes, or KIND:NODES:EDGES for a generated one.
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
    fprintf(stderr, "bench_lens: %s\n", dgm_context_error(ctx));
    exit(1);
}

static void print_note(void *user, const char *note) {
    (void)user;
    fprintf(stderr, "bench_lens: %s\n", note);
}

/* "rmat:1048576:10000000" */
static bool generate(dgm_context *ctx, const char *name, dgm_graph **graph) {
    char kind[16];
    long long nodes, edges;
    if (sscanf(name, "%15[a-z]:%lld:%lld", kind, &nodes, &edges) != 3)
        return false;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const char *const *names = dgm_generator_names();
    for (options.kind = 0; names[options.kind] && strcmp(names[options.kind], kind) != 0;)
        options.kind++;
    options.nodes = nodes;
    options.edges = edges;
    options.blocks = 1; /* sbm of one block: uniform */
    check(ctx, dgm_graph_generate(ctx, &options, NULL, graph));
    return true;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: bench_lens GRAPH|KIND:NODES:EDGES LENS [RUNS [THREADS]]\n");
        return 2;
    }
    int runs = argc > 3 ? atoi(argv[3]) : 3, threads = argc > 4 ? atoi(argv[4]) : 0;
    dgm_context *ctx;
    dgm_graph *graph;
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, threads);
    dgm_context_set_notes(ctx, print_note, NULL);
    if (!generate(ctx, argv[1], &graph))
        check(ctx, dgm_graph_open(ctx, argv[1], DGM_FORMAT_AUTO, NULL, NULL, 1, &graph));
    double best = INFINITY, cpu = INFINITY;
    for (int run = 0; run < runs; run++) {
        dgm_lens_result *lens;
        const char *const name = argv[2];
        double start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        check(ctx, dgm_lens_run(ctx, graph, &name, 1, NULL, &lens));
        best = fmin(best, seconds(CLOCK_MONOTONIC) - start);
        cpu = fmin(cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
        dgm_lens_result_free(lens);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"graph\": \"%s\", \"nodes\": %lld, \"edges\": %lld, \"lens\": \"%s\", \"threads\": "
           "%d, \"best_s\": %.4f, "
           "\"cpu_s\": %.4f, \"peak_mb\": %.1f}\n",
           argv[1], (long long)dgm_graph_nodes(graph), (long long)dgm_graph_edges(graph), argv[2],
           dgm_context_threads(ctx), best, cpu, (double)usage.ru_maxrss / 1024);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return 0;
}
