/* SPDX-License-Identifier: Apache-2.0 */
/* bench_cover POINTS COVER...: makes points, ROWS:COLUMNS:CLUSTERS (0: noise), joins each with its
 * ten nearest neighbours, and maps them with each cover once; one JSON object for each with the wall
 * time, the CPU time and the peak memory of all so far. Covers of one axis see the first column.
 */
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "bench_points.h"

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(dgm_context *ctx, dgm_status status) {
    if (status == DGM_OK)
        return;
    fprintf(stderr, "bench_cover: %s\n", dgm_context_error(ctx));
    exit(1);
}

static dgm_graph *join_neighbours(dgm_context *ctx, const dgm_matrix *points) {
    enum { NEIGHBOURS = 10 };
    dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
    dgm_neighbours *neighbours;
    dgm_graph *graph;
    options.k = NEIGHBOURS;
    check(ctx, dgm_knn_matrix(ctx, points, &options, &neighbours));
    check(ctx, dgm_knn_graph(ctx, neighbours, NULL, &graph));
    dgm_neighbours_free(neighbours);
    return graph;
}

static dgm_matrix *first_column(dgm_context *ctx, const dgm_matrix *points) {
    dgm_matrix *column;
    check(ctx, dgm_matrix_create(ctx, dgm_matrix_rows(points), 1, &column));
    for (int64_t u = 0; u < dgm_matrix_rows(points); u++)
        dgm_matrix_values_mutable(column)[u] =
            dgm_matrix_values(points)[u * dgm_matrix_columns(points)];
    return column;
}

static void map_points(dgm_context *ctx, const char *name, const dgm_graph *graph,
                       const dgm_matrix *lens, const char *cover) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary;
    struct rusage usage;
    int64_t joined;
    check(ctx, dgm_cover_parse(ctx, cover, &options, NULL, 0));
    double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    check(ctx, dgm_mapper_run(ctx, graph, lens, &options, &summary));
    double took = seconds(CLOCK_MONOTONIC) - start;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    getrusage(RUSAGE_SELF, &usage);
    dgm_summary_edges(summary, &joined);
    printf("{\"points\": \"%s\", \"cover\": \"%s\", \"threads\": %d, \"seconds\": %.3f, \"cpu_s\": "
           "%.3f, \"peak_mb\": %.1f, \"cells\": %lld, \"clusters\": %lld, \"edges\": %lld}\n",
           name, cover, dgm_context_threads(ctx), took, cpu, (double)usage.ru_maxrss / 1024,
           (long long)dgm_summary_options(summary)->intervals[0],
           (long long)dgm_summary_get_clusters(summary).count, (long long)joined);
    fflush(stdout);
    dgm_summary_free(summary);
}

int main(int argc, char **argv) {
    dgm_context *ctx;
    dgm_matrix *points;
    dgm_status status;
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    if (argc < 3 || !bench_make_points(ctx, argv[1], &points, &status)) {
        fprintf(stderr, "usage: bench_cover ROWS:COLUMNS:CLUSTERS COVER...\n");
        return 2;
    }
    check(ctx, status);
    dgm_graph *graph = join_neighbours(ctx, points);
    dgm_matrix *column = first_column(ctx, points);
    for (int i = 2; i < argc; i++) {
        bool one_axis = strncmp(argv[i], "gmeans", strlen("gmeans")) == 0;
        map_points(ctx, argv[1], graph, one_axis ? column : points, argv[i]);
    }
    dgm_matrix_free(column);
    dgm_graph_free(graph);
    dgm_matrix_free(points);
    dgm_context_free(ctx);
    return 0;
}
