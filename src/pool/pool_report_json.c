/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a cross-validation as JSON, and the file of finished folds. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base_clock.h"
#include "base_escape.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_output.h"
#include "pool_report.h"

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
    static const char *const presets[] = {"paper", "equal"};
    static const char *const nets[] = {"gcn", "gin", "mlp"};
    static const char *const features[] = {"auto", "labels", "degree", "attributes", "all"};
    const dgm_classify_options *options = &report->options;
    put_text(text, "pool", report->pool);
    put_text(text, "preset", presets[options->preset]);
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
}

/* What a search tried: run["setting"] counts these from 0. */
static void put_search(dgmi_text *text, const dgm_classify_report *report) {
    if (!*report->search)
        return;
    put_text(text, "search", report->search);
    dgmi_text_string(text, ",\n  \"settings\": [");
    for (int64_t i = 0; i < report->grid_count; i++) {
        const dgm_classify_options *setting = &report->grid[i];
        dgmi_text_format(text,
                         "%s\n    {\"width\": %" PRId64 ", \"layers\": %" PRId64
                         ", \"batch\": %" PRId64 ", \"dropout\": ",
                         i ? "," : "", setting->width, setting->layers, setting->batch);
        put_number(text, setting->dropout);
        dgmi_text_string(text, ", \"rate\": ");
        put_number(text, setting->rate);
        dgmi_text_string(text, ", \"decay\": ");
        put_number(text, setting->decay);
        dgmi_text_string(text, "}");
    }
    dgmi_text_string(text, "\n  ]");
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
    dgmi_text_format(text,
                     "{\"seed\": %" PRId64 ", \"fold\": %" PRId64 ", \"accuracy\": ", run->seed,
                     run->fold);
    put_number(text, run->accuracy);
    dgmi_text_string(text, ", \"validation\": ");
    put_number(text, run->validation);
    dgmi_text_string(text, ", \"train\": ");
    put_number(text, run->train);
    dgmi_text_string(text, ", \"loss\": ");
    put_number(text, run->loss);
    dgmi_text_format(text,
                     ", \"epoch\": %" PRId64 ", \"tested\": %" PRId64 ", \"setting\": %" PRId64
                     ", \"parameters\": %" PRId64 ", \"bytes\": %" PRId64 ", \"seconds\": ",
                     run->epoch, run->tested, run->setting, run->parameters, run->bytes);
    put_number(text, run->seconds);
    dgmi_text_string(text, ", \"confusion\": ");
    put_counts(text, report->confusions + i * square, report->classes);
    dgmi_text_string(text, "}");
}

/* The runs that are known, and `others`, which are text already. */
static void put_runs(dgmi_text *text, const dgm_classify_report *report, const char *others) {
    bool any = others != NULL;
    dgmi_text_string(text, ",\n  \"runs\": [");
    if (others)
        dgmi_text_format(text, "\n    %s", others);
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

static void put_paired(dgmi_text *text, const dgm_classify_report *report) {
    const dgm_paired_test *test = &report->paired;
    if (!report->compared)
        return;
    dgmi_text_string(text, ",\n  \"against\": {\"difference\": ");
    put_number(text, test->difference);
    dgmi_text_string(text, ", \"ci95\": ");
    put_number(text, test->ci95);
    dgmi_text_string(text, ", \"t\": ");
    put_number(text, test->t);
    dgmi_text_string(text, ", \"p\": ");
    put_number(text, test->p);
    dgmi_text_format(text, ", \"folds\": %" PRId64 "}", test->folds);
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
    put_head(&text, report, DGMI_POOL_RESULT_FORMAT);
    put_settings(&text, report);
    put_search(&text, report);
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
    put_paired(&text, report);
    put_runs(&text, report, NULL);
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

dgm_status dgmi_pool_checkpoint_write(dgm_context *ctx, const char *path,
                                      const dgm_classify_report *report) {
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    put_head(&text, report, DGMI_POOL_CHECKPOINT_FORMAT);
    put_real(&text, "seconds", report->earlier + dgmi_seconds() - report->started);
    put_runs(&text, report, report->others);
    dgmi_text_string(&text, "\n}\n");
    dgm_status status = text.status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, path, text.data, (size_t)text.length);
    dgmi_text_free(&text);
    return status;
}
