/* SPDX-License-Identifier: Apache-2.0 */
/* Results read back: finished folds to go on from, and results to compare with. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_jansson.h"
#include "bytes_path.h"
#include "pool_report.h"

/* ---- finished folds ---- */

static dgm_status load(dgm_context *ctx, const char *path, json_t **root) {
    dgmi_bytes_stream *stream = NULL;
    *root = NULL;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(ctx, stream, "reading results", root);
    dgmi_bytes_stream_close(stream);
    return status;
}

static bool is_hash(const json_t *value, uint64_t hash) {
    char text[32];
    const char *found = json_string_value(value);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return found && strcmp(found, text) == 0;
}

static bool has_hash(const json_t *root, const char *key, uint64_t hash) {
    return is_hash(json_object_get(root, key), hash);
}

static double real_at(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int64_t integer_at(const json_t *object, const char *key) {
    return (int64_t)json_integer_value(json_object_get(object, key));
}

/* Whether all counts are there. */
static bool take_counts(const json_t *rows, int32_t classes, int64_t *counts) {
    for (int32_t i = 0; i < classes; i++)
        for (int32_t j = 0; j < classes; j++) {
            const json_t *count = json_array_get(json_array_get(rows, (size_t)i), (size_t)j);
            if (!json_is_integer(count) || json_integer_value(count) < 0)
                return false;
            counts[i * classes + j] = (int64_t)json_integer_value(count);
        }
    return true;
}

/* Whether the counts are those of a run with this accuracy. */
static bool agree(const dgm_fold_result *run, const int64_t *counts, int32_t classes) {
    int64_t all = 0, right = 0;
    for (int32_t i = 0; i < classes; i++)
        for (int32_t j = 0; j < classes; j++) {
            all += counts[i * classes + j];
            right += i == j ? counts[i * classes + j] : 0;
        }
    return all > 0 && all == run->tested &&
           fabs(run->accuracy - (double)right / (double)all) < 1e-12;
}

static bool has_integers(const json_t *from) {
    static const char *const keys[] = {"seed",    "fold",       "epoch", "tested",
                                       "setting", "parameters", "bytes", NULL};
    for (int i = 0; keys[i]; i++)
        if (!json_is_integer(json_object_get(from, keys[i])) || integer_at(from, keys[i]) < 0)
            return false;
    return true;
}

/* Keeps a run that is not asked for now, so that the file does not lose it. */
static dgm_status keep_other(const json_t *run, dgmi_text *others) {
    if (others->length)
        dgmi_text_string(others, ",\n    ");
    return dgmi_bytes_json_write(run, JSON_COMPACT, "the runs of before", others);
}

static bool is_asked_for(const dgm_classify_report *report, const dgm_fold_result *run) {
    return run->seed >= report->options.seed &&
           run->seed - report->options.seed < report->options.seeds && run->fold < report->folds;
}

/* Takes a run of this plan. *whole becomes false if something is missing or does not fit. */
static dgm_status take_run(const json_t *from, dgm_classify_report *report, dgmi_text *others,
                           bool *whole) {
    int64_t square = (int64_t)report->classes * report->classes;
    const dgm_fold_result run = {.seed = integer_at(from, "seed"),
                                 .fold = integer_at(from, "fold"),
                                 .accuracy = real_at(from, "accuracy"),
                                 .validation = real_at(from, "validation"),
                                 .train = real_at(from, "train"),
                                 .loss = real_at(from, "loss"),
                                 .epoch = integer_at(from, "epoch"),
                                 .tested = integer_at(from, "tested"),
                                 .seconds = real_at(from, "seconds"),
                                 .bytes = integer_at(from, "bytes"),
                                 .setting = integer_at(from, "setting"),
                                 .parameters = integer_at(from, "parameters")};
    *whole = has_integers(from) && run.setting < report->grid_count;
    if (!*whole || !is_asked_for(report, &run))
        return *whole ? keep_other(from, others) : DGM_OK;
    int64_t index = (run.seed - report->options.seed) * report->folds + run.fold;
    int64_t *counts = report->confusions + index * square;
    *whole = take_counts(json_object_get(from, "confusion"), report->classes, counts) &&
             agree(&run, counts, report->classes) && !report->done[index];
    report->results[index] = run;
    report->done[index] = *whole;
    return DGM_OK;
}

static dgm_status check_checkpoint(dgm_context *ctx, const char *path, const json_t *root,
                                   const dgm_classify_report *report) {
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || (strcmp(format, DGMI_POOL_CHECKPOINT_FORMAT) != 0 &&
                    strcmp(format, DGMI_POOL_RESULT_FORMAT) != 0))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this is no checkpoint of a classification");
    if (!has_hash(root, "data_hash", report->data))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this checkpoint is of another data set; remove it, or name another "
                            "file");
    if (!has_hash(root, "plan_hash", report->plan))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this checkpoint is of other options; remove it, or name another file");
    if (!json_is_array(json_object_get(root, "runs")) || isnan(real_at(root, "seconds")))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1, "this checkpoint is not whole");
    return DGM_OK;
}

static dgm_status take_runs(dgm_context *ctx, const char *path, const json_t *runs,
                            dgm_classify_report *report) {
    dgmi_text others;
    bool whole = true;
    dgm_status status = DGM_OK;
    dgmi_text_init(&others, ctx);
    for (size_t i = 0; status == DGM_OK && i < json_array_size(runs); i++) {
        status = take_run(json_array_get(runs, i), report, &others, &whole);
        if (status == DGM_OK && !whole)
            status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                                  "run %d of this checkpoint is not whole", (int)i + 1);
    }
    if (status == DGM_OK && others.length) {
        report->others = others.data;
        others.data = NULL;
    }
    dgmi_text_free(&others);
    return status;
}

static void tell_done(dgm_context *ctx, const char *path, const dgm_classify_report *report) {
    int64_t done = 0;
    for (int64_t i = 0; i < report->runs; i++)
        done += report->done[i];
    if (done)
        dgmi_note(ctx, "%s has %lld of the %lld trainings", path, (long long)done,
                  (long long)report->runs);
}

dgm_status dgmi_pool_checkpoint_read(dgm_context *ctx, const char *path,
                                     dgm_classify_report *report) {
    json_t *root;
    if (!dgmi_bytes_path_is_file(path))
        return DGM_OK;
    dgm_status status = load(ctx, path, &root);
    if (status != DGM_OK)
        return status;
    status = check_checkpoint(ctx, path, root, report);
    if (status == DGM_OK)
        status = take_runs(ctx, path, json_object_get(root, "runs"), report);
    if (status == DGM_OK) {
        report->earlier = real_at(root, "seconds");
        tell_done(ctx, path, report);
    }
    json_decref(root);
    return status;
}

/* ---- comparing ---- */

static bool has_folds(const json_t *root, const dgm_classify_report *report) {
    const json_t *hashes = json_object_get(root, "fold_hashes");
    if ((int64_t)json_array_size(hashes) != report->options.seeds ||
        (int64_t)json_array_size(json_object_get(root, "folds")) != report->runs)
        return false;
    for (int64_t i = 0; i < report->options.seeds; i++)
        if (!is_hash(json_array_get(hashes, (size_t)i), report->fold_hash[i]))
            return false;
    return true;
}

static dgm_status check_folds(dgm_context *ctx, const char *path, const json_t *root,
                              const dgm_classify_report *report) {
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, DGMI_POOL_RESULT_FORMAT) != 0)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this is no result of a classification (dgm classify -o)");
    if (!has_hash(root, "data_hash", report->data))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this result is of another data set, so the two cannot be compared");
    if (!has_folds(root, report))
        return dgmi_fail_at(
            ctx, DGM_ERROR_DATA, path, 0, -1,
            "this result has other folds; run both with the same " DGMI_NAMED(
                "seed") ", " DGMI_NAMED("seeds") ", " DGMI_NAMED("folds") " and " DGMI_NAMED("firs"
                                                                                             "t"));
    return DGM_OK;
}

/* The accuracies of a result that has the same folds, one per run. */
static dgm_status read_folds(dgm_context *ctx, const char *path, const dgm_classify_report *report,
                             double *accuracies) {
    json_t *root;
    dgm_status status = load(ctx, path, &root);
    if (status != DGM_OK)
        return status;
    status = check_folds(ctx, path, root, report);
    for (int64_t i = 0; status == DGM_OK && i < report->runs; i++) {
        const json_t *value = json_array_get(json_object_get(root, "folds"), (size_t)i);
        accuracies[i] = json_number_value(value);
        if (!json_is_number(value))
            status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                                  "entry %d of its folds is no number", (int)i + 1);
    }
    json_decref(root);
    return status;
}

dgm_status dgmi_pool_report_check_against(dgm_context *ctx, const dgm_classify_report *report,
                                          const char *path) {
    double *other = dgmi_alloc(ctx, report->runs, sizeof *other);
    dgm_status status = other ? read_folds(ctx, path, report, other) : DGM_ERROR_MEMORY;
    dgmi_free(ctx, other);
    return status;
}

dgm_status dgm_classify_report_compare(dgm_context *ctx, const dgm_classify_report *report,
                                       const char *path, dgm_paired_test *out) {
    dgmi_pool_interval difference = {0};
    double *other = dgmi_alloc(ctx, report->runs, sizeof *other);
    dgm_status status = other ? read_folds(ctx, path, report, other) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_pool_report_interval(ctx, report, other, &difference);
    double t = difference.t_corrected;
    if (status == DGM_OK)
        *out = (dgm_paired_test){.difference = difference.mean,
                                 .ci95 = difference.ci95_corrected,
                                 .t = t,
                                 .p = isnan(t) ? NAN
                                               : dgmi_pool_student_p(t, (double)report->runs - 1),
                                 .folds = report->runs};
    dgmi_free(ctx, other);
    return status;
}
