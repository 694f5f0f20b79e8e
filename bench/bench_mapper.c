/* SPDX-License-Identifier: Apache-2.0 */
/* bench_mapper NODES EDGES [RUNS [THREADS [structural]]]: an R-MAT graph made in memory, PageRank,
 * then Mapper (20 intervals, gain 0.2, shared nodes and links both counted) RUNS times; one JSON
 * object with the best and the median time, and the cost an edge. With a file name instead of NODES
 * EDGES the graph is read from there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dgm/dgm.h"

static double clock_seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) {
    return clock_seconds(CLOCK_MONOTONIC);
}

static double peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void check(dgm_context *ctx, dgm_status status) {
    if (status == DGM_OK)
        return;
    fprintf(stderr, "bench_mapper: %s\n", dgm_context_error(ctx));
    exit(1);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    bool from_file = argc > 1 && strspn(argv[1], "0123456789") != strlen(argv[1]);
    int next = from_file ? 2 : 3;
    if (argc < next) {
        fprintf(stderr,
                "usage: bench_mapper NODES EDGES [RUNS [THREADS]] | FILE [RUNS [THREADS]]\n");
        return 2;
    }
    enum { MOST = 64 };
    int runs = argc > next ? atoi(argv[next]) : 5,
        threads = argc > next + 1 ? atoi(argv[next + 1]) : 0;
    double times[MOST], cpu = INFINITY;
    if (runs < 1 || runs > MOST)
        runs = 5;
    dgm_context *ctx;
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, threads);
    dgm_graph *graph;
    double start = now();
    if (from_file) {
        check(ctx, dgm_graph_read(ctx, argv[1], DGM_FORMAT_AUTO, NULL, NULL, &graph));
    } else {
        dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
        options.kind = DGM_GENERATE_RMAT;
        options.nodes = atoll(argv[1]);
        options.edges = atoll(argv[2]);
        check(ctx, dgm_graph_generate(ctx, &options, NULL, &graph));
    }
    double made = now(), load_peak = peak_megabytes();
    dgm_matrix *lens;
    check(ctx, dgm_lens_pagerank(ctx, graph, NULL, &lens));
    double ranked = now();
    dgm_mapper_options mapper = DGM_MAPPER_OPTIONS_INIT;
    mapper.intervals[0] = 20;
    mapper.overlap[0] = 0.2;
    bool structural = argc > next + 2 && strcmp(argv[next + 2], "structural") == 0;
    mapper.edges = structural ? DGM_EDGES_STRUCTURAL : DGM_EDGES_NERVE;
    dgm_summary *summary = NULL;
    for (int run = 0; run < runs; run++) {
        dgm_summary_free(summary);
        double begin = now(), cpu_begin = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
        check(ctx, dgm_mapper_run(ctx, graph, lens, &mapper, &summary));
        times[run] = now() - begin;
        cpu = fmin(cpu, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
    }
    qsort(times, (size_t)runs, sizeof *times, compare);
    int64_t nodes = dgm_graph_nodes(graph), edges = dgm_graph_edges(graph), joined;
    dgm_summary_edges(summary, &joined);
    printf(
        "{\"edges_of\": \"%s\", \"nodes\": %lld, \"edges\": %lld, \"records\": %lld, \"threads\": "
        "%d, \"make_s\": %.3f, "
        "\"pagerank_s\": %.3f, \"map_best_s\": %.4f, \"map_median_s\": %.4f, \"map_cpu_s\": %.4f, "
        "\"map_ns_per_edge\": %.2f, "
        "\"peak_mb\": %.1f, \"load_peak_mb\": %.1f, \"budget_mb\": %.1f, \"clusters\": %lld, "
        "\"summary_edges\": %lld}\n",
        structural ? "structural" : "nerve", (long long)nodes, (long long)edges,
        (long long)dgm_graph_get_counts(graph).records, dgm_context_threads(ctx), made - start,
        ranked - made, times[0], times[runs / 2], cpu, 1e9 * times[0] / (double)edges,
        peak_megabytes(), load_peak, (32.0 * (double)edges + 64.0 * (double)nodes) / 1048576.0,
        (long long)dgm_summary_get_clusters(summary).count, (long long)joined);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return 0;
}
