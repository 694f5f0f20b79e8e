/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-validation: every pair of a seed and a fold is a training of its own, and trainings run side
 * by side. What a training gives depends on nothing but its seed and fold. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "dgm/lens.h"
#include "kernels_kernels.h"
#include "pool_model.h"
#include "pool_report.h"
#include "pool_train.h"

typedef struct classify_job {
    const dgm_graph_set *set;
    dgmi_pool_settings *settings;
    dgmi_pool_folds *folds; /* of each seed */
    dgmi_pool_bank *banks;  /* of each seed; one for all unless the lens draws */
    int64_t bank_count;
    dgm_classify_report *report;
    pthread_mutex_t lock; /* of the report and its checkpoint */
} classify_job;

/* ---- preparing ---- */

static dgm_status make_folds(dgm_context *ctx, classify_job *job) {
    const dgmi_pool_settings *settings = job->settings;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < settings->options.seeds; i++)
        status = settings->folds ? dgmi_pool_folds_draw(ctx, job->set, settings->folds,
                                                        settings->options.seed + i, &job->folds[i])
                                 : dgmi_pool_folds_take(ctx, job->set, &job->folds[i]);
    if (status == DGM_OK)
        dgmi_pool_folds_tell(ctx, job->set, &job->folds[0]);
    return status;
}

/* Whether the lens has random numbers in it, which differ from seed to seed. */
static bool draws_lens(const dgmi_pool_request *request) {
    char name[DGMI_SPEC_LONGEST];
    if (request->options.method != DGM_POOL_MPR || dgmi_pool_learns_lens(request))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(request->lens, ":"), request->lens);
    const dgm_lens_kind *kind = dgm_lens_find(name);
    return kind && kind->options && dgm_option_find(kind->options, "seed");
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
    if (!job->folds || !job->banks)
        return DGM_ERROR_MEMORY;
    dgm_status status = make_folds(ctx, job);
    if (status == DGM_OK)
        status = dgmi_pool_report_make(ctx, job->set, job->settings, job->folds, &job->report);
    if (status == DGM_OK && options->against)
        status = dgmi_pool_report_check_against(ctx, job->report, options->against);
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
    const dgm_classify_options *options = &job->report->grid[setting];
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

/* The settings of a search on one split, each trained by itself. */
typedef struct fold_job {
    classify_job *job;
    dgmi_pool_split split;
    int64_t seed;
    dgm_fold_result *results; /* of each setting */
    int64_t *confusions;      /* likewise */
} fold_job;

static dgm_status try_setting(dgm_context *ctx, void *argument, int64_t setting) {
    const fold_job *fold = argument;
    const classify_job *job = fold->job;
    int64_t square = (int64_t)job->report->classes * job->report->classes;
    const dgmi_pool_training training = make_training(job, &fold->split, setting, fold->seed);
    dgmi_pool_trained trained = {.confusion = fold->confusions + setting * square};
    dgm_status status = dgmi_pool_train(ctx, &training, &trained);
    if (status != DGM_OK)
        return status;
    fold->results[setting] = (dgm_fold_result){.accuracy = trained.test,
                                               .validation = trained.validation,
                                               .train = trained.train,
                                               .loss = trained.loss,
                                               .epoch = trained.epoch,
                                               .tested = fold->split.test_count,
                                               .bytes = trained.bytes,
                                               .setting = setting,
                                               .parameters = trained.parameters};
    dgmi_pool_network_free(&trained.network);
    return DGM_OK;
}

/* The best setting by validation alone, the first of equals. */
static int64_t choose(const dgm_fold_result *results, int64_t count) {
    int64_t best = 0;
    for (int64_t s = 1; s < count; s++)
        if (results[s].validation > results[best].validation)
            best = s;
    return best;
}

/* A run that is being stopped keeps what it has finished: nobody is asked meanwhile whether to go
 * on. */
static dgm_status write_undisturbed(dgm_context *ctx, const char *path,
                                    const dgm_classify_report *report) {
    dgm_progress_fn progress = ctx->progress;
    bool cancelled = dgmi_cancelled(ctx);
    ctx->progress = NULL;
    dgm_context_resume(ctx);
    dgm_status status = dgmi_pool_checkpoint_write(ctx, path, report);
    ctx->progress = progress;
    if (cancelled)
        dgm_context_cancel(ctx);
    return status;
}

/* Puts a result into the report, and into the file of finished folds. */
static dgm_status keep(dgm_context *ctx, classify_job *job, int64_t index,
                       const dgm_fold_result *result, const int64_t *confusion) {
    dgm_classify_report *report = job->report;
    int64_t square = (int64_t)report->classes * report->classes;
    const char *path = job->settings->options.checkpoint;
    pthread_mutex_lock(&job->lock);
    report->results[index] = *result;
    report->done[index] = true;
    memcpy(report->confusions + index * square, confusion, (size_t)square * sizeof *confusion);
    dgm_status status = path ? write_undisturbed(ctx, path, report) : DGM_OK;
    pthread_mutex_unlock(&job->lock);
    return status;
}

static dgm_status search(dgm_context *ctx, fold_job *fold, int64_t index, double start) {
    classify_job *job = fold->job;
    dgm_classify_report *report = job->report;
    int64_t square = (int64_t)report->classes * report->classes, count = report->grid_count;
    fold->results = dgmi_alloc_zero(ctx, count, sizeof *fold->results);
    fold->confusions = dgmi_alloc_zero(ctx, count * square, sizeof *fold->confusions);
    dgm_status status = fold->results && fold->confusions ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_each(ctx, "training", count, try_setting, fold);
    if (status == DGM_OK) {
        int64_t best = choose(fold->results, count);
        dgm_fold_result *result = &fold->results[best];
        result->seed = fold->seed;
        result->fold = index % report->folds;
        result->seconds = dgmi_seconds() - start;
        status = keep(ctx, job, index, result, fold->confusions + best * square);
    }
    dgmi_free(ctx, fold->results);
    dgmi_free(ctx, fold->confusions);
    return status;
}

static dgm_status run_fold(dgm_context *ctx, void *argument, int64_t index) {
    classify_job *job = argument;
    const dgm_classify_report *report = job->report;
    int64_t place = index / report->folds; /* of the seed */
    fold_job fold = {.job = job, .seed = job->settings->options.seed + place};
    if (report->done[index])
        return DGM_OK;
    double start = dgmi_seconds();
    dgm_status status = dgmi_pool_split_make(ctx, &job->folds[place],
                                             (int32_t)(index % report->folds), &fold.split);
    if (status == DGM_OK)
        status = search(ctx, &fold, index, start);
    dgmi_pool_split_free(ctx, &fold.split);
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
                                     job->settings->options.features, job->settings->options.clamp};
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

static dgm_status compare(dgm_context *ctx, const classify_job *job) {
    const char *path = job->settings->options.against;
    if (!path)
        return DGM_OK;
    job->report->compared = true;
    return dgm_classify_report_compare(ctx, job->report, path, &job->report->paired);
}

dgm_status dgm_classify(dgm_context *ctx, const dgm_graph_set *set,
                        const dgm_classify_options *options, dgm_classify_report **out) {
    *out = NULL;
    dgmi_pool_settings *settings = dgmi_alloc(ctx, 1, sizeof *settings);
    classify_job job = {.set = set, .settings = settings};
    if (!settings)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_pool_settings_make(ctx, set, options, settings);
    if (status == DGM_OK)
        status = prepare(ctx, &job);
    if (status == DGM_OK)
        status = cross_validate(ctx, &job);
    if (status == DGM_OK)
        status = compare(ctx, &job);
    if (status == DGM_OK) {
        job.report->seconds = job.report->earlier + dgmi_seconds() - job.report->started;
        *out = job.report;
    } else {
        dgm_classify_report_free(job.report);
    }
    free_job(ctx, &job);
    dgmi_free(ctx, settings);
    return status;
}
