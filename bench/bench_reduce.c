/* SPDX-License-Identifier: Apache-2.0 */
/* bench_reduce POINTS WORK [RUNS [THREADS]]: makes or reads points once and does the work RUNS
 * times; one JSON object with the best wall time, the least CPU time, the peak memory and what the
 * work says of itself. POINTS is a table, a dataset folder (its features), or
 * ROWS:COLUMNS:CLUSTERS for a Gaussian mixture whose directions fall off. WORK is a reduction,
 * knn:K, or knn:K:approximate, knn:K:cells or knn:K:descent.
 */
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
    fprintf(stderr, "bench_reduce: %s\n", dgm_context_error(ctx));
    exit(1);
}

static void print_note(void *user, const char *note) {
    (void)user;
    fprintf(stderr, "bench_reduce: %s\n", note);
}

/* The work once; *figures is filled with what it says, as JSON members. */
static void work(dgm_context *ctx, const dgm_points *points, const float *floats, const char *what,
                 char *figures, size_t size) {
    long long k;
    if (sscanf(what, "knn:%lld", &k) == 1) {
        dgm_knn_options options = DGM_KNN_OPTIONS_INIT;
        dgm_neighbours *neighbours;
        options.k = k;
        options.method = strstr(what, "approximate") ? DGM_KNN_APPROXIMATE
                         : strstr(what, "cells")     ? DGM_KNN_CELLS
                         : strstr(what, "descent")   ? DGM_KNN_DESCENT
                                                     : DGM_KNN_EXACT;
        check(ctx, dgm_knn(ctx, floats, points->rows, points->columns, &options, &neighbours));
        snprintf(figures, size, ", \"recall\": %.4f", dgm_neighbours_recall(neighbours));
        dgm_neighbours_free(neighbours);
        return;
    }
    dgm_reduce_report report;
    dgm_matrix *axes;
    check(ctx, dgm_reduce_run(ctx, points, what, 0, 1, &report, &axes));
    size_t used = 0;
    for (int i = 0; i < report.figure_count; i++)
        used += (size_t)snprintf(figures + used, size - used, ", \"%s\": %.6g",
                                 report.figures[i].name, report.figures[i].values[0]);
    dgm_matrix_free(axes);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: bench_reduce POINTS|ROWS:COLUMNS:CLUSTERS WORK [RUNS [THREADS]]\n");
        return 2;
    }
    int runs = argc > 3 ? atoi(argv[3]) : 3;
    dgm_context *ctx;
    dgm_matrix *matrix = NULL;
    dgm_graph *graph = NULL;
    dgm_points points;
    struct stat found;
    char figures[512] = "";
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_threads(ctx, argc > 4 ? atoi(argv[4]) : 0);
    dgm_context_set_notes(ctx, print_note, NULL);
    if (stat(argv[1], &found) == 0 && S_ISDIR(found.st_mode)) {
        check(ctx, dgm_graph_open(ctx, argv[1], DGM_FORMAT_AUTO, NULL, NULL, 1, &graph));
        points = dgm_points_of_features(graph);
    } else {
        dgm_status status;
        if (!bench_make_points(ctx, argv[1], &matrix, &status))
            status = dgm_matrix_read(ctx, argv[1], NULL, &matrix);
        check(ctx, status);
        points = dgm_points_of_matrix(matrix);
    }
    float *floats = matrix ? malloc((size_t)(points.rows * points.columns) * sizeof *floats) : NULL;
    for (int64_t i = 0; floats && i < points.rows * points.columns; i++)
        floats[i] = (float)dgm_matrix_values(matrix)[i];
    double best = INFINITY, cpu = INFINITY;
    for (int run = 0; run < runs; run++) {
        double start = seconds(CLOCK_MONOTONIC), cpu_start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        work(ctx, &points, floats, argv[2], figures, sizeof figures);
        best = fmin(best, seconds(CLOCK_MONOTONIC) - start);
        cpu = fmin(cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
        dgm_context_set_notes(ctx, NULL, NULL);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"points\": \"%s\", \"rows\": %lld, \"columns\": %lld, \"work\": \"%s\", \"threads\": "
           "%d, \"best_s\": %.4f, \"cpu_s\": %.4f, \"peak_mb\": %.1f%s}\n",
           argv[1], (long long)points.rows, (long long)points.columns, argv[2],
           dgm_context_threads(ctx), best, cpu, (double)usage.ru_maxrss / 1024, figures);
    free(floats);
    dgm_matrix_free(matrix);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return 0;
}
