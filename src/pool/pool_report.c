/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a cross-validation: numbers, JSON, finished folds in a file, and comparisons. */
#include "pool_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_jansson.h"
#include "bytes_output.h"
#include "bytes_path.h"
#include "nn_train.h"
#include "pool_statistics.h"

/* ---- making ---- */

/* Everything that decides results, so that nobody goes on from other ones. */
static uint64_t hash_plan(const dgm_classify_report *report) {
    const dgm_classify_options *o = &report->options;
    const double numbers[] = {o->net,          (double)o->width,  (double)o->layers,
                              (double)o->steps, o->dropout,        o->rate,
                              o->decay,        (double)o->epochs, (double)o->batch,
                              o->features,     (double)o->clamp,  (double)report->fold_total,
                              (double)o->seed, report->skip,      report->from_files};
    uint64_t hash = dgmi_nn_fingerprint(report->data, numbers, sizeof numbers);
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

dgm_status dgmi_pool_report_make(dgm_context *ctx, const dgm_graph_set *set,
                                 const dgmi_pool_settings *settings, int64_t folds,
                                 int64_t fold_total, dgm_classify_report **out) {
    dgm_classify_report *report = *out = dgmi_alloc_zero(ctx, 1, sizeof *report);
    if (!report)
        return DGM_ERROR_MEMORY;
    report->allocator = ctx->allocator;
    report->options = settings->options;
    report->skip = settings->skip;
    report->from_files = settings->folds == 0;
    memcpy(report->pool, settings->pool, sizeof report->pool);
    const char *search = settings->options.search ? settings->options.search : "";
    if ((size_t)snprintf(report->search, sizeof report->search, "%s", search) >=
        sizeof report->search) {
        dgmi_free(ctx, report);
        *out = NULL;
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "search: more than %d characters",
                         (int)sizeof report->search - 1);
    }
    name_set(set, report->name, sizeof report->name);
    report->graphs = dgm_graph_set_count(set);
    dgm_graph_set_classes(set, &report->classes);
    report->data = hash_data(set);
    report->folds = folds;
    report->fold_total = fold_total;
    report->runs = folds * settings->options.seeds;
    report->plan = hash_plan(report);
    int64_t square = (int64_t)report->classes * report->classes;
    report->fold_hash = dgmi_alloc_zero(ctx, settings->options.seeds, sizeof *report->fold_hash);
    report->results = dgmi_alloc_zero(ctx, report->runs, sizeof *report->results);
    report->done = dgmi_alloc_zero(ctx, report->runs, sizeof *report->done);
    report->confusions = dgmi_alloc_zero(ctx, report->runs * square, sizeof *report->confusions);
    report->confusion = dgmi_alloc_zero(ctx, square, sizeof *report->confusion);
    if (report->fold_hash && report->results && report->done && report->confusions &&
        report->confusion)
        return DGM_OK;
    dgm_classify_report_free(report);
    *out = NULL;
    return DGM_ERROR_MEMORY;
}

void dgm_classify_report_free(dgm_classify_report *report) {
    if (!report)
        return;
    dgm_allocator allocator = report->allocator;
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

static dgm_status interval(dgm_context *ctx, const dgm_classify_report *report,
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
    dgm_status status = interval(ctx, report, NULL, &all);
    if (status != DGM_OK)
        return status;
    *out = (dgm_classify_summary){.mean = all.mean,
                                  .deviation = all.deviation,
                                  .ci95 = all.ci95,
                                  .ci95_corrected = all.ci95_corrected,
                                  .parameters = report->parameters,
                                  .seconds = report->seconds};
    for (int64_t i = 0; i < report->runs; i++)
        if (report->results[i].bytes > out->bytes)
            out->bytes = report->results[i].bytes;
    return DGM_OK;
}

/* ---- JSON ---- */

static void put_text(dgmi_text *text, const char *key, const char *value) {
    dgmi_text_format(text, ",\n  \"%s\": \"", key);
    dgmi_escape_json(text, value, strlen(value));
    dgmi_text_string(text, "\"");
}

static void put_integer(dgmi_text *text, const char *key, int64_t value) {
    dgmi_text_format(text, ",\n  \"%s\": %" PRId64, key, value);
}

/* JSON has no number for what is none. */
static void put_number(dgmi_text *text, double value) {
    if (isfinite(value))
        dgmi_text_real(text, value);
    else
        dgmi_text_string(text, "null");
}

static void put_real(dgmi_text *text, const char *key, double value) {
    dgmi_text_format(text, ",\n  \"%s\": ", key);
    put_number(text, value);
}

static void put_settings(dgmi_text *text, const dgm_classify_report *report) {
    static const char *const nets[] = {"gcn", "gin", "mlp"};
    static const char *const features[] = {"auto", "labels", "degree", "attributes", "all"};
    const dgm_classify_options *options = &report->options;
    put_text(text, "pool", report->pool);
    put_text(text, "net", nets[options->net]);
    put_integer(text, "width", options->width);
    put_integer(text, "layers", options->layers);
    put_integer(text, "steps", options->steps);
    dgmi_text_format(text, ",\n  \"skip\": %s", report->skip ? "true" : "false");
    put_real(text, "dropout", options->dropout);
    put_real(text, "rate", options->rate);
    put_real(text, "decay", options->decay);
    put_integer(text, "epochs", options->epochs);
    put_integer(text, "batch", options->batch);
    put_text(text, "features", features[options->features]);
    put_integer(text, "clamp", options->clamp);
    put_integer(text, "seed", options->seed);
    put_integer(text, "seeds", options->seeds);
    if (*report->search)
        put_text(text, "search", report->search);
}

static void put_counts(dgmi_text *text, const int64_t *counts, int32_t classes) {
    for (int32_t i = 0; i < classes; i++) {
        dgmi_text_string(text, i ? ", [" : "[[");
        for (int32_t j = 0; j < classes; j++)
            dgmi_text_format(text, "%s%" PRId64, j ? ", " : "", counts[i * classes + j]);
        dgmi_text_string(text, "]");
    }
    dgmi_text_string(text, "]");
}

static void put_run(dgmi_text *text, const dgm_classify_report *report, int64_t i) {
    const dgm_fold_result *run = &report->results[i];
    int64_t square = (int64_t)report->classes * report->classes;
    dgmi_text_format(text, "{\"seed\": %" PRId64 ", \"fold\": %" PRId64 ", \"accuracy\": ",
                     run->seed, run->fold);
    put_number(text, run->accuracy);
    dgmi_text_string(text, ", \"validation\": ");
    put_number(text, run->validation);
    dgmi_text_string(text, ", \"train\": ");
    put_number(text, run->train);
    dgmi_text_string(text, ", \"loss\": ");
    put_number(text, run->loss);
    dgmi_text_format(text,
                     ", \"epoch\": %" PRId64 ", \"tested\": %" PRId64 ", \"setting\": %" PRId64
                     ", \"bytes\": %" PRId64 ", \"seconds\": ",
                     run->epoch, run->tested, run->setting, run->bytes);
    put_number(text, run->seconds);
    dgmi_text_string(text, ", \"confusion\": ");
    put_counts(text, report->confusions + i * square, report->classes);
    dgmi_text_string(text, "}");
}

static void put_runs(dgmi_text *text, const dgm_classify_report *report) {
    bool any = false;
    dgmi_text_string(text, ",\n  \"runs\": [");
    for (int64_t i = 0; i < report->runs; i++) {
        if (!report->done[i])
            continue;
        dgmi_text_string(text, any ? ",\n    " : "\n    ");
        put_run(text, report, i);
        any = true;
    }
    dgmi_text_string(text, "\n  ]");
}

static void put_folds(dgmi_text *text, const dgm_classify_report *report) {
    put_text(text, "folds_from", report->from_files ? "files" : "seed");
    put_integer(text, "fold_count", report->fold_total);
    dgmi_text_string(text, ",\n  \"fold_hashes\": [");
    for (int64_t i = 0; i < report->options.seeds; i++)
        dgmi_text_format(text, "%s\"%016" PRIx64 "\"", i ? ", " : "", report->fold_hash[i]);
    dgmi_text_string(text, "],\n  \"folds\": [");
    for (int64_t i = 0; i < report->runs; i++) {
        dgmi_text_string(text, i ? ", " : "");
        put_number(text, report->results[i].accuracy);
    }
    dgmi_text_string(text, "]");
}

static void put_head(dgmi_text *text, const dgm_classify_report *report, const char *what) {
    dgmi_text_format(text, "{\n  \"format\": \"%s\",\n  \"version\": 1", what);
    put_text(text, "data", report->name);
    put_integer(text, "graphs", report->graphs);
    put_integer(text, "classes", report->classes);
    dgmi_text_format(text, ",\n  \"data_hash\": \"%016" PRIx64 "\"", report->data);
    dgmi_text_format(text, ",\n  \"plan_hash\": \"%016" PRIx64 "\"", report->plan);
}

/* The text belongs to the caller. */
static dgm_status take_text(dgmi_text *text, char **out) {
    dgm_status status = text->status;
    *out = status == DGM_OK ? text->data : NULL;
    if (status == DGM_OK)
        text->data = NULL;
    dgmi_text_free(text);
    return status;
}

dgm_status dgm_classify_report_json(dgm_context *ctx, const dgm_classify_report *report,
                                    char **out) {
    dgm_classify_summary summary;
    dgmi_text text;
    *out = NULL;
    dgm_status status = dgm_classify_report_summary(ctx, report, &summary);
    if (status != DGM_OK)
        return status;
    dgmi_text_init(&text, ctx);
    put_head(&text, report, "dgm classify");
    put_settings(&text, report);
    put_folds(&text, report);
    put_real(&text, "mean", summary.mean);
    put_real(&text, "deviation", summary.deviation);
    put_real(&text, "ci95", summary.ci95);
    put_real(&text, "ci95_corrected", summary.ci95_corrected);
    put_integer(&text, "parameters", summary.parameters);
    put_integer(&text, "tensor_bytes", summary.bytes);
    put_real(&text, "seconds", summary.seconds);
    dgmi_text_string(&text, ",\n  \"confusion\": ");
    put_counts(&text, report->confusion, report->classes);
    put_runs(&text, report);
    dgmi_text_string(&text, "\n}\n");
    return take_text(&text, out);
}

dgm_status dgm_classify_report_write(dgm_context *ctx, const dgm_classify_report *report,
                                     const char *path) {
    char *text;
    dgm_status status = dgm_classify_report_json(ctx, report, &text);
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, path, text, strlen(text));
    dgmi_free(ctx, text);
    return status;
}

/* ---- finished folds ---- */

static const char checkpoint_format[] = "dgm classify checkpoint";

dgm_status dgmi_pool_checkpoint_write(dgm_context *ctx, const char *path,
                                      const dgm_classify_report *report) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    put_head(&text, report, checkpoint_format);
    put_integer(&text, "parameters", report->parameters);
    put_runs(&text, report);
    dgmi_text_string(&text, "\n}\n");
    dgm_status status = text.status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, path, text.data, (size_t)text.length);
    dgmi_text_free(&text);
    return status;
}

static dgm_status load(dgm_context *ctx, const char *path, json_t **root) {
    dgmi_bytes_stream *stream = NULL;
    *root = NULL;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(ctx, stream, "reading results", root);
    dgmi_bytes_stream_close(stream);
    return status;
}

static bool has_hash(const json_t *root, const char *key, uint64_t hash) {
    char text[32];
    const char *found = json_string_value(json_object_get(root, key));
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return found && strcmp(found, text) == 0;
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

/* A run of this plan; those of seeds and folds that are not asked for now are passed over. */
static bool take_run(const json_t *from, dgm_classify_report *report) {
    int64_t square = (int64_t)report->classes * report->classes;
    int64_t seed = integer_at(from, "seed"), fold = integer_at(from, "fold");
    if (!json_is_integer(json_object_get(from, "seed")) ||
        !json_is_integer(json_object_get(from, "fold")) || fold < 0 || isnan(real_at(from, "accuracy")))
        return false;
    int64_t index = (seed - report->options.seed) * report->folds + fold;
    if (seed < report->options.seed || fold >= report->folds || index >= report->runs)
        return true;
    report->results[index] = (dgm_fold_result){.seed = seed,
                                               .fold = fold,
                                               .accuracy = real_at(from, "accuracy"),
                                               .validation = real_at(from, "validation"),
                                               .train = real_at(from, "train"),
                                               .loss = real_at(from, "loss"),
                                               .epoch = integer_at(from, "epoch"),
                                               .tested = integer_at(from, "tested"),
                                               .seconds = real_at(from, "seconds"),
                                               .bytes = integer_at(from, "bytes"),
                                               .setting = integer_at(from, "setting")};
    report->done[index] = take_counts(json_object_get(from, "confusion"), report->classes,
                                      report->confusions + index * square);
    return report->done[index];
}

dgm_status dgmi_pool_checkpoint_read(dgm_context *ctx, const char *path,
                                     dgm_classify_report *report) {
    json_t *root;
    if (!dgmi_bytes_path_is_file(path))
        return DGM_OK;
    dgm_status status = load(ctx, path, &root);
    if (status != DGM_OK)
        return status;
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strcmp(format, checkpoint_format) != 0)
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "this is no checkpoint of a classification");
    else if (!has_hash(root, "plan_hash", report->plan))
        status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                              "this checkpoint is of another data set or of other options; remove "
                              "it, or name another file");
    const json_t *runs = json_object_get(root, "runs");
    for (size_t i = 0; status == DGM_OK && i < json_array_size(runs); i++)
        if (!take_run(json_array_get(runs, i), report))
            status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                                  "run %d of this checkpoint is not whole", (int)i + 1);
    if (status == DGM_OK)
        report->parameters = integer_at(root, "parameters");
    json_decref(root);
    return status;
}

/* ---- comparing ---- */

static dgm_status check_folds(dgm_context *ctx, const char *path, const json_t *root,
                              const dgm_classify_report *report) {
    const json_t *hashes = json_object_get(root, "fold_hashes");
    const char *format = json_string_value(json_object_get(root, "format"));
    bool same = (int64_t)json_array_size(hashes) == report->options.seeds;
    if (!format || strcmp(format, "dgm classify") != 0)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this is no result of a classification (dgm classify --json)");
    if (!has_hash(root, "data_hash", report->data))
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this result is of another data set, so the two cannot be compared");
    for (int64_t i = 0; same && i < report->options.seeds; i++) {
        char text[32];
        const char *found = json_string_value(json_array_get(hashes, (size_t)i));
        snprintf(text, sizeof text, "%016" PRIx64, report->fold_hash[i]);
        same = found && strcmp(found, text) == 0;
    }
    same = same && (int64_t)json_array_size(json_object_get(root, "folds")) == report->runs;
    if (!same)
        return dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                            "this result has other folds; run both with the same " DGMI_NAMED(
                                "seed") ", " DGMI_NAMED("seeds") " and " DGMI_NAMED("folds"));
    return DGM_OK;
}

dgm_status dgm_classify_report_compare(dgm_context *ctx, const dgm_classify_report *report,
                                       const char *path, dgm_paired_test *out) {
    json_t *root;
    dgmi_pool_interval difference = {0};
    dgm_status status = load(ctx, path, &root);
    if (status != DGM_OK)
        return status;
    status = check_folds(ctx, path, root, report);
    double *other = dgmi_alloc(ctx, report->runs, sizeof *other);
    if (!other && status == DGM_OK)
        status = DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < report->runs; i++) {
        const json_t *value = json_array_get(json_object_get(root, "folds"), (size_t)i);
        other[i] = json_number_value(value);
        if (!json_is_number(value))
            status = dgmi_fail_at(ctx, DGM_ERROR_DATA, path, 0, -1,
                                  "entry %d of its folds is no number", (int)i + 1);
    }
    if (status == DGM_OK)
        status = interval(ctx, report, other, &difference);
    *out = (dgm_paired_test){.difference = difference.mean,
                             .ci95 = difference.ci95_corrected,
                             .t = difference.t_corrected,
                             .p = report->runs > 1 && isfinite(difference.t_corrected)
                                      ? dgmi_pool_student_p(difference.t_corrected,
                                                            (double)report->runs - 1)
                                      : NAN,
                             .folds = report->runs};
    dgmi_free(ctx, other);
    json_decref(root);
    return status;
}
