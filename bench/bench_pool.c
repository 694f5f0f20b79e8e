/* SPDX-License-Identifier: Apache-2.0 */
/* Networks that pool; one JSON object a line.
 *
 *     bench_pool step SET POOL [THREADS]
 *         a training step of one graph: forward, backward, Adam; the mean over the graphs of a fold
 *     bench_pool folds SET POOL [THREADS]
 *         a whole cross-validation, as dgm classify runs it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

static void need(dgm_status status) {
    if (status == DGM_OK)
        return;
    fprintf(stderr, "bench_pool: %s\n", dgm_context_error(ctx));
    exit(1);
}

static double peak_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* The seconds of one fold with batches of one graph. */
static double run_fold(const dgm_graph_set *set, const char *pool, int64_t epochs) {
    dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
    dgm_classify_report *report;
    int64_t count;
    options.pool = pool;
    options.batch = 1;
    options.epochs = epochs;
    options.first = 1;
    need(dgm_classify(ctx, set, &options, &report));
    double seconds = dgm_classify_report_folds(report, &count)->seconds;
    dgm_classify_report_free(report);
    return seconds;
}

/* An epoch also answers for the validation fold, an eighth of the training graphs, without
 * gradients: this is counted. */
static void bench_step(const dgm_graph_set *set, const char *name, const char *pool) {
    enum { TRIES = 3, MORE = 4 };
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double one = run_fold(set, pool, 1), more = run_fold(set, pool, 1 + MORE);
        double step = (more - one) / MORE / (0.8 * (double)dgm_graph_set_count(set));
        best = step < best ? step : best;
    }
    printf("{\"what\": \"pool step\", \"set\": \"%s\", \"pool\": \"%s\", \"threads\": %d, "
           "\"milliseconds\": %.4f, \"peak_mb\": %.0f}\n",
           name, pool, dgm_context_threads(ctx), 1e3 * best, peak_megabytes());
}

static void bench_folds(const dgm_graph_set *set, const char *name, const char *pool) {
    dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
    dgm_classify_summary summary;
    dgm_classify_report *report;
    options.pool = pool;
    need(dgm_classify(ctx, set, &options, &report));
    need(dgm_classify_report_summary(ctx, report, &summary));
    printf("{\"what\": \"pool folds\", \"set\": \"%s\", \"pool\": \"%s\", \"threads\": %d, "
           "\"seconds\": %.2f, \"mean\": %.4f, \"tensor_mb\": %.1f, \"peak_mb\": %.0f}\n",
           name, pool, dgm_context_threads(ctx), summary.seconds, summary.mean,
           (double)summary.bytes / 1e6, peak_megabytes());
    dgm_classify_report_free(report);
}

int main(int argc, char **argv) {
    dgm_graph_set *set;
    if (argc < 4 || dgm_context_create(NULL, &ctx) != DGM_OK)
        return 2;
    dgm_context_set_threads(ctx, argc > 4 ? atoi(argv[4]) : 2);
    need(dgm_graph_set_open(ctx, argv[2], NULL, &set));
    const char *slash = strrchr(argv[2], '/');
    const char *name = slash ? slash + 1 : argv[2];
    if (strcmp(argv[1], "step") == 0)
        bench_step(set, name, argv[3]);
    else
        bench_folds(set, name, argv[3]);
    dgm_graph_set_free(set);
    dgm_context_free(ctx);
    return 0;
}
