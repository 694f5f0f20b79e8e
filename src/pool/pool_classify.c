/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-validation: every pair of a seed and a fold is a training of its own, and trainings run side
 * by side. What a training gives depends on nothing but its seed and fold. */
#include <pthread.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "kernels_kernels.h"
#include "pool_model.h"
#include "pool_report.h"
#include "pool_train.h"

typedef struct classify_job {
    const dgm_graph_set *set;
    dgmi_pool_settings *settings;
    dgm_classify_options *grid; /* the settings of a search, or the one there is */
    int64_t grid_count;
    dgmi_pool_folds *folds; /* of each seed */
    dgmi_pool_bank *banks;  /* of each seed; one for all unless the lens is random */
    int64_t bank_count;
    dgm_classify_report *report;
    pthread_mutex_t lock; /* of the report and its checkpoint */
} classify_job;

/* ---- preparing ---- */

static dgm_status make_folds(dgm_context *ctx, classify_job *job) {
    const dgmi_pool_settings *settings = job->settings;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < settings->options.seeds; i++)
        status = settings->folds
                     ? dgmi_pool_folds_draw(ctx, job->set, settings->folds,
                                            settings->options.seed + i, &job->folds[i])
                     : dgmi_pool_folds_take(ctx, job->set, &job->folds[i]);
    return status;
}

static bool draws_lens(const dgmi_pool_request *request) {
    return request->options.method == DGM_POOL_MPR && strcmp(request->lens, "random") == 0;
}

static dgm_status make_banks(dgm_context *ctx, classify_job *job) {
    const dgm_classify_options *options = &job->settings->options;
    dgm_status status = DGM_OK;
    int64_t banks = draws_lens(&job->settings->request) ? options->seeds : 1;
    for (; status == DGM_OK && job->bank_count < banks; job->bank_count++) {
        const dgmi_pool_plan plan = {.set = job->set,
                                     .request = &job->settings->request,
                                     .net = options->net,
                                     .features = options->features,
                                     .clamp = options->clamp,
                                     .steps = (int)options->steps,
                                     .seed = options->seed + job->bank_count};
        status = dgmi_pool_bank_make(ctx, &plan, &job->banks[job->bank_count]);
        if (status != DGM_OK)
            break;
    }
    return status;
}

static dgm_status prepare(dgm_context *ctx, classify_job *job) {
    const dgm_classify_options *options = &job->settings->options;
    job->folds = dgmi_alloc_zero(ctx, options->seeds, sizeof *job->folds);
    job->banks = dgmi_alloc_zero(ctx, options->seeds, sizeof *job->banks);
    job->grid = dgmi_alloc(ctx, DGMI_POOL_MOST_SETTINGS, sizeof *job->grid);
    if (!job->folds || !job->banks || !job->grid)
        return DGM_ERROR_MEMORY;
    dgm_status status =
        dgmi_pool_settings_grid(ctx, job->settings, job->grid, &job->grid_count);
    if (status == DGM_OK)
        status = make_folds(ctx, job);
    int64_t total = status == DGM_OK ? job->folds[0].count : 0;
    int64_t folds = options->first > 0 && options->first < total ? options->first : total;
    if (status == DGM_OK)
        status = dgmi_pool_report_make(ctx, job->set, job->settings, folds, total, &job->report);
    for (int64_t i = 0; status == DGM_OK && i < options->seeds; i++)
        job->report->fold_hash[i] = dgmi_pool_folds_hash(&job->folds[i]);
    if (status == DGM_OK && options->checkpoint)
        status = dgmi_pool_checkpoint_read(ctx, options->checkpoint, job->report);
    return status;
}

static void free_job(dgm_context *ctx, classify_job *job) {
    for (int64_t i = 0; job->folds && i < job->settings->options.seeds; i++)
        dgmi_pool_folds_free(ctx, &job->folds[i]);
    for (int64_t i = 0; i < job->bank_count; i++)
        dgmi_pool_bank_free(&job->banks[i]);
    dgmi_free(ctx, job->folds);
    dgmi_free(ctx, job->banks);
    dgmi_free(ctx, job->grid);
}

/* ---- one training ---- */

static dgmi_pool_design make_design(const classify_job *job, const dgmi_pool_bank *bank,
                                    const dgm_classify_options *options, int64_t seed) {
    const dgmi_pool_request *request = &job->settings->request;
    dgmi_pool_design design = {.request = request,
                               .net = options->net,
                               .steps = (int)options->steps,
                               .layers = (int)options->layers,
                               .skip = job->settings->skip,
                               .features = bank->width,
                               .width = options->width,
                               .classes = job->report->classes,
                               .dropout = (float)options->dropout,
                               .seed = seed};
    for (int l = 0; l < design.steps; l++)
        design.clusters[l] = dgmi_pool_clusters(request, l, dgmi_pool_bank_base(bank, request));
    return design;
}

/* What one setting is trained with. */
static dgmi_pool_training make_training(const classify_job *job, const dgmi_pool_split *split,
                                        int64_t setting, int64_t seed) {
    const dgm_classify_options *options = &job->grid[setting];
    const dgmi_pool_bank *bank =
        &job->banks[job->bank_count > 1 ? seed - job->settings->options.seed : 0];
    return (dgmi_pool_training){.bank = bank,
                                .classes = dgm_graph_set_classes(job->set, NULL),
                                .split = split,
                                .design = make_design(job, bank, options, seed),
                                .rate = options->rate,
                                .decay = options->decay,
                                .epochs = options->epochs,
                                .batch = options->batch};
}

/* Trains one setting, and keeps it in *best if it is the best so far by its validation. */
static dgm_status try_setting(dgm_context *ctx, const classify_job *job,
                              const dgmi_pool_split *split, int64_t setting, int64_t seed,
                              dgm_fold_result *best, int64_t *confusion, int64_t *parameters) {
    int64_t square = (int64_t)job->report->classes * job->report->classes;
    const dgmi_pool_training training = make_training(job, split, setting, seed);
    dgmi_pool_trained trained = {.confusion = dgmi_alloc_zero(ctx, square, sizeof(int64_t))};
    if (!trained.confusion)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_pool_train(ctx, &training, &trained);
    if (status == DGM_OK && (setting == 0 || trained.validation > best->validation)) {
        best->accuracy = trained.test;
        best->validation = trained.validation;
        best->train = trained.train;
        best->loss = trained.loss;
        best->epoch = trained.epoch;
        best->bytes = trained.bytes;
        best->setting = setting;
        *parameters = trained.parameters;
        memcpy(confusion, trained.confusion, (size_t)square * sizeof *confusion);
    }
    if (status == DGM_OK)
        dgmi_pool_network_free(&trained.network);
    dgmi_free(ctx, trained.confusion);
    return status;
}

/* Puts a result into the report, and into the file of finished folds. */
static dgm_status keep(dgm_context *ctx, classify_job *job, int64_t index,
                       const dgm_fold_result *result, const int64_t *confusion,
                       int64_t parameters) {
    dgm_classify_report *report = job->report;
    int64_t square = (int64_t)report->classes * report->classes;
    const char *path = job->settings->options.checkpoint;
    pthread_mutex_lock(&job->lock);
    report->results[index] = *result;
    report->parameters = parameters;
    report->done[index] = true;
    memcpy(report->confusions + index * square, confusion, (size_t)square * sizeof *confusion);
    dgm_status status = path ? dgmi_pool_checkpoint_write(ctx, path, report) : DGM_OK;
    pthread_mutex_unlock(&job->lock);
    return status;
}

static dgm_status run_fold(dgm_context *ctx, void *argument, int64_t index) {
    classify_job *job = argument;
    dgm_classify_report *report = job->report;
    int64_t seed = index / report->folds, fold = index % report->folds, parameters = 0;
    int64_t square = (int64_t)report->classes * report->classes;
    dgmi_pool_split split = {0};
    dgm_fold_result result = {.seed = job->settings->options.seed + seed, .fold = fold};
    if (report->done[index])
        return DGM_OK;
    double start = dgmi_seconds();
    int64_t *confusion = dgmi_alloc_zero(ctx, square, sizeof *confusion);
    dgm_status status = confusion ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_pool_split_make(ctx, &job->folds[seed], (int32_t)fold, &split);
    result.tested = split.test_count;
    for (int64_t s = 0; status == DGM_OK && s < job->grid_count; s++)
        status =
            try_setting(ctx, job, &split, s, result.seed, &result, confusion, &parameters);
    result.seconds = dgmi_seconds() - start;
    if (status == DGM_OK)
        status = keep(ctx, job, index, &result, confusion, parameters);
    dgmi_pool_split_free(ctx, &split);
    dgmi_free(ctx, confusion);
    return status;
}

/* ---- the network of the best fold ---- */

/* The run of highest validation accuracy, the first of equals. */
static int64_t find_best(const dgm_classify_report *report) {
    int64_t best = 0;
    for (int64_t i = 1; i < report->runs; i++)
        if (report->results[i].validation > report->results[best].validation)
            best = i;
    return best;
}

/* The best run is trained once more, which gives the same weights: the others need not be kept. */
static dgm_status keep_network(dgm_context *ctx, classify_job *job) {
    dgm_classify_report *report = job->report;
    const dgm_fold_result *best = &report->results[find_best(report)];
    const dgmi_pool_origin origin = {job->set, job->settings->pool, report->name,
                                     job->settings->options.features,
                                     job->settings->options.clamp};
    int64_t square = (int64_t)report->classes * report->classes;
    dgmi_pool_trained trained = {.confusion = dgmi_alloc_zero(ctx, square, sizeof(int64_t))};
    dgmi_pool_split split = {0};
    dgm_status status = trained.confusion ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_pool_split_make(ctx, &job->folds[best->seed - job->settings->options.seed],
                                      (int32_t)best->fold, &split);
    const dgmi_pool_training training = make_training(job, &split, best->setting, best->seed);
    if (status == DGM_OK)
        status = dgmi_pool_train(ctx, &training, &trained);
    if (status == DGM_OK) {
        status = dgmi_pool_model_make(ctx, &origin, &trained.network, &report->model);
        if (status != DGM_OK)
            dgmi_pool_network_free(&trained.network);
    }
    dgmi_pool_split_free(ctx, &split);
    dgmi_free(ctx, trained.confusion);
    return status;
}

/* ---- the whole ---- */

static void add_confusions(dgm_classify_report *report) {
    int64_t square = (int64_t)report->classes * report->classes;
    for (int64_t i = 0; i < report->runs * square; i++)
        report->confusion[i % square] += report->confusions[i];
}

static bool all_done(const dgm_classify_report *report) {
    for (int64_t i = 0; i < report->runs; i++)
        if (!report->done[i])
            return false;
    return true;
}

static dgm_status cross_validate(dgm_context *ctx, classify_job *job) {
    bool trains = !all_done(job->report) || job->settings->options.keep_model;
    dgm_status status = trains ? make_banks(ctx, job) : DGM_OK;
    if (status == DGM_OK)
        status = dgmi_kernels_blas_open(ctx);
    pthread_mutex_init(&job->lock, NULL);
    if (status == DGM_OK)
        status = dgmi_each(ctx, "training", job->report->runs, run_fold, job);
    pthread_mutex_destroy(&job->lock);
    if (status == DGM_OK)
        add_confusions(job->report);
    return status == DGM_OK && job->settings->options.keep_model ? keep_network(ctx, job) : status;
}

dgm_status dgm_classify(dgm_context *ctx, const dgm_graph_set *set,
                        const dgm_classify_options *options, dgm_classify_report **out) {
    *out = NULL;
    double start = dgmi_seconds();
    dgmi_pool_settings *settings = dgmi_alloc(ctx, 1, sizeof *settings);
    classify_job job = {.set = set, .settings = settings};
    if (!settings)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_pool_settings_make(ctx, set, options, settings);
    if (status == DGM_OK)
        status = prepare(ctx, &job);
    if (status == DGM_OK)
        status = cross_validate(ctx, &job);
    if (status == DGM_OK) {
        job.report->seconds = dgmi_seconds() - start;
        job.report->options.folds = job.report->options.pool = NULL;
        *out = job.report;
    } else {
        dgm_classify_report_free(job.report);
    }
    free_job(ctx, &job);
    dgmi_free(ctx, settings);
    return status;
}
