/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a cross-validation: how it is made, and its numbers. */
#include "pool_report.h"

#include <stdio.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "nn_train.h"

/* ---- making ---- */

/* Everything that decides results, so that nobody goes on from other ones. */
static uint64_t hash_plan(const dgm_classify_report *report) {
    const dgm_classify_options *o = &report->options;
    const double numbers[] = {o->net,           (double)o->width,  (double)o->layers,
                              (double)o->steps, o->dropout,        o->rate,
                              o->decay,         (double)o->epochs, (double)o->batch,
                              o->features,      (double)o->clamp,  (double)report->fold_total,
                              (double)o->seed,  report->skip,      report->from_files};
    uint64_t hash = dgmi_nn_fingerprint(report->data, numbers, sizeof numbers);
    hash = dgmi_nn_fingerprint(hash, &report->fold_hash[0], sizeof *report->fold_hash);
    hash = dgmi_nn_fingerprint(hash, report->pool, strlen(report->pool));
    return dgmi_nn_fingerprint(hash, report->search, strlen(report->search));
}

static uint64_t hash_data(const dgm_graph_set *set) {
    int32_t count;
    const int32_t *classes = dgm_graph_set_classes(set, &count);
    int64_t graphs = dgm_graph_set_count(set);
    uint64_t hash = dgmi_nn_fingerprint_graph(dgm_graph_set_union(set));
    hash = dgmi_nn_fingerprint(hash, dgm_graph_set_offsets(set),
                               (size_t)(graphs + 1) * sizeof(int64_t));
    return dgmi_nn_fingerprint(hash, classes, (size_t)graphs * sizeof *classes);
}

static void name_set(const dgm_graph_set *set, char *name, size_t size) {
    const char *source = dgm_graph_source(dgm_graph_set_union(set));
    size_t end = strlen(source);
    while (end && source[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin && source[begin - 1] != '/')
        begin--;
    snprintf(name, size, "%.*s", (int)(end - begin), source + begin);
}

/* Numbers are kept, and texts that the report has room for. */
static dgm_status take_settings(dgm_context *ctx, const dgmi_pool_settings *settings,
                                dgm_classify_report *report) {
    const char *search = settings->options.search ? settings->options.search : "";
    report->options = settings->options;
    report->options.pool = report->options.folds = report->options.search = NULL;
    report->options.checkpoint = report->options.against = NULL;
    report->skip = settings->skip;
    report->from_files = settings->folds == 0;
    memcpy(report->pool, settings->pool, sizeof report->pool);
    if ((size_t)snprintf(report->search, sizeof report->search, "%s", search) >=
        sizeof report->search)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, DGMI_NAMED("search") ": more than %d characters",
                         (int)sizeof report->search - 1);
    report->grid = dgmi_alloc(ctx, DGMI_POOL_MOST_SETTINGS, sizeof *report->grid);
    return report->grid ? dgmi_pool_settings_grid(ctx, settings, report->grid, &report->grid_count)
                        : DGM_ERROR_MEMORY;
}

static void take_set(const dgm_graph_set *set, dgm_classify_report *report) {
    name_set(set, report->name, sizeof report->name);
    report->graphs = dgm_graph_set_count(set);
    dgm_graph_set_classes(set, &report->classes);
    report->data = hash_data(set);
}

static dgm_status take_folds(dgm_context *ctx, const dgmi_pool_folds *folds,
                             dgm_classify_report *report) {
    int64_t first = report->options.first, seeds = report->options.seeds;
    report->fold_total = folds[0].count;
    report->folds = first > 0 && first < report->fold_total ? first : report->fold_total;
    report->runs = report->folds * seeds;
    report->fold_hash = dgmi_alloc(ctx, seeds, sizeof *report->fold_hash);
    for (int64_t i = 0; report->fold_hash && i < seeds; i++)
        report->fold_hash[i] = dgmi_pool_folds_hash(&folds[i]);
    return report->fold_hash ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status alloc_results(dgm_context *ctx, dgm_classify_report *report) {
    int64_t square = (int64_t)report->classes * report->classes;
    report->results = dgmi_alloc_zero(ctx, report->runs, sizeof *report->results);
    report->done = dgmi_alloc_zero(ctx, report->runs, sizeof *report->done);
    report->confusions = dgmi_alloc_zero(ctx, report->runs * square, sizeof *report->confusions);
    report->confusion = dgmi_alloc_zero(ctx, square, sizeof *report->confusion);
    return report->results && report->done && report->confusions && report->confusion
               ? DGM_OK
               : DGM_ERROR_MEMORY;
}

dgm_status dgmi_pool_report_make(dgm_context *ctx, const dgm_graph_set *set,
                                 const dgmi_pool_settings *settings, const dgmi_pool_folds *folds,
                                 dgm_classify_report **out) {
    dgm_classify_report *report = *out = dgmi_alloc_zero(ctx, 1, sizeof *report);
    if (!report)
        return DGM_ERROR_MEMORY;
    report->allocator = ctx->allocator;
    report->started = dgmi_seconds();
    take_set(set, report);
    dgm_status status = take_settings(ctx, settings, report);
    if (status == DGM_OK)
        status = take_folds(ctx, folds, report);
    if (status == DGM_OK)
        status = alloc_results(ctx, report);
    if (status == DGM_OK) {
        report->plan = hash_plan(report);
        return DGM_OK;
    }
    dgm_classify_report_free(report);
    *out = NULL;
    return status;
}

void dgm_classify_report_free(dgm_classify_report *report) {
    if (!report)
        return;
    dgm_allocator allocator = report->allocator;
    dgmi_allocator_free(&allocator, report->grid);
    dgmi_allocator_free(&allocator, report->others);
    dgmi_allocator_free(&allocator, report->fold_hash);
    dgmi_allocator_free(&allocator, report->results);
    dgmi_allocator_free(&allocator, report->done);
    dgmi_allocator_free(&allocator, report->confusions);
    dgmi_allocator_free(&allocator, report->confusion);
    dgm_classifier_free(report->model);
    dgmi_allocator_free(&allocator, report);
}

/* ---- asking ---- */

const dgm_classifier *dgm_classify_report_model(const dgm_classify_report *report) {
    return report->model;
}

const dgm_fold_result *dgm_classify_report_folds(const dgm_classify_report *report,
                                                 int64_t *count) {
    *count = report->runs;
    return report->results;
}

const int64_t *dgm_classify_report_confusion(const dgm_classify_report *report, int32_t *classes) {
    *classes = report->classes;
    return report->confusion;
}

const dgm_paired_test *dgm_classify_report_paired(const dgm_classify_report *report) {
    return report->compared ? &report->paired : NULL;
}

dgm_status dgmi_pool_report_interval(dgm_context *ctx, const dgm_classify_report *report,
                                     const double *minus, dgmi_pool_interval *out) {
    double *values = dgmi_alloc(ctx, report->runs, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < report->runs; i++)
        values[i] = report->results[i].accuracy - (minus ? minus[i] : 0);
    *out = dgmi_pool_interval_of(values, report->runs, report->fold_total);
    dgmi_free(ctx, values);
    return DGM_OK;
}

dgm_status dgm_classify_report_summary(dgm_context *ctx, const dgm_classify_report *report,
                                       dgm_classify_summary *out) {
    dgmi_pool_interval all;
    dgm_status status = dgmi_pool_report_interval(ctx, report, NULL, &all);
    if (status != DGM_OK)
        return status;
    *out = (dgm_classify_summary){.mean = all.mean,
                                  .deviation = all.deviation,
                                  .ci95 = all.ci95,
                                  .ci95_corrected = all.ci95_corrected,
                                  .seconds = report->seconds};
    for (int64_t i = 0; i < report->runs; i++) {
        const dgm_fold_result *run = &report->results[i];
        out->bytes = run->bytes > out->bytes ? run->bytes : out->bytes;
        out->parameters = run->parameters > out->parameters ? run->parameters : out->parameters;
    }
    return DGM_OK;
}
