/* SPDX-License-Identifier: Apache-2.0 */
/* Writes summaries and figures to files. Either all files appear or none. */
#include "archive_write.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_output.h"
#include "export_formats.h"

/* ---- paths ---- */

/* out/k.csv.gz -> out/k.clusters.csv.gz, in scratch memory. */
static const char *part_path(dgm_context *ctx, const char *path, int part) {
    size_t space = dgm_export_part_path(path, part, NULL, 0) + 1;
    char *result = dgmi_scratch(ctx, (int64_t)space, 1);
    if (result)
        dgm_export_part_path(path, part, result, space);
    return result;
}

/* Past "./" and repeated slashes, which do not change where a path leads. */
static const char *skip_idle(const char *path, const char *start) {
    for (;;) {
        bool begins = path == start || path[-1] == '/';
        if (begins && path > start && *path == '/')
            path++;
        else if (begins && path[0] == '.' && path[1] == '/')
            path += 2;
        else
            return path;
    }
}

static bool same_path(const char *a, const char *b) {
    for (const char *x = a, *y = b;; x++, y++) {
        x = skip_idle(x, a);
        y = skip_idle(y, b);
        if (*x != *y)
            return false;
        if (!*x)
            return true;
    }
}

/* ---- the files of one call ---- */

typedef struct {
    const char *path;
    dgmi_export_writer write;
    dgmi_bytes_output *output;
    char *drawn; /* a figure's bytes, owned */
    int64_t length;
} target;

static dgm_status add_target(dgm_context *ctx, target *targets, int *count, const char *path,
                             dgmi_export_writer write) {
    if (!path)
        return DGM_ERROR_MEMORY;
    for (int i = 0; i < *count; i++)
        if (same_path(targets[i].path, path))
            return dgmi_fail_at(ctx, DGM_ERROR_USAGE, path, 0, -1,
                                "this output is asked for twice; give each its own name");
    targets[(*count)++] = (target){.path = path, .write = write};
    return DGM_OK;
}

static dgm_status list_targets(dgm_context *ctx, const char *const *paths,
                               const dgm_export_format *formats, int count, target *targets,
                               int *found) {
    dgm_status status = DGM_OK;
    *found = 0;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        dgm_export_format format = formats[i];
        status = add_target(ctx, targets, found, paths[i], dgmi_export_writer_of(format, 0));
        for (int part = 1; status == DGM_OK && dgmi_export_writer_of(format, part); part++)
            status = add_target(ctx, targets, found, part_path(ctx, paths[i], part),
                                dgmi_export_writer_of(format, part));
    }
    return status;
}

/* ---- writing them ---- */

static dgm_status write_bytes(void *user, const void *bytes, size_t length) {
    return dgmi_bytes_output_write(user, bytes, length);
}

/* Standard output comes first: it fails more often than a rename does. */
static dgm_status publish(target *targets, int count) {
    dgm_status status = DGM_OK;
    for (int files = 0; files < 2; files++)
        for (int i = 0; i < count && status == DGM_OK; i++) {
            if ((strcmp(targets[i].path, "-") != 0) != files)
                continue;
            status = dgmi_bytes_output_publish(targets[i].output);
            targets[i].output = NULL;
        }
    return status;
}

/* Figures come first, while no file is open: the libraries that draw them may end the process, and
 * then nothing half written is left behind. */
static dgm_status draw_targets(dgmi_export *job, target *targets, int count) {
    dgm_status status = DGM_OK;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        if (targets[i].write != dgmi_export_pdf && targets[i].write != dgmi_export_png)
            continue;
        status = dgmi_export_run(job, targets[i].write, NULL);
        targets[i].drawn = job->text.data;
        targets[i].length = job->text.length;
        dgmi_text_init(&job->text, job->ctx);
    }
    return status;
}

static dgm_status write_target(dgmi_export *job, const target *to) {
    dgm_sink sink = {write_bytes, to->output};
    dgm_status status = to->drawn
                            ? dgmi_bytes_output_write(to->output, to->drawn, (size_t)to->length)
                            : dgmi_export_run(job, to->write, &sink);
    return status == DGM_OK ? dgmi_bytes_output_close(to->output) : status;
}

/* Opens all the files, writes them, closes them, and only then gives them their names. */
static dgm_status write_targets(dgmi_export *job, target *targets, int count) {
    dgm_status status = draw_targets(job, targets, count);
    for (int i = 0; i < count && status == DGM_OK; i++)
        status = dgmi_bytes_output_open(job->ctx, targets[i].path, &targets[i].output);
    for (int i = 0; i < count && status == DGM_OK; i++)
        status = write_target(job, &targets[i]);
    if (status == DGM_OK)
        status = publish(targets, count);
    if (status == DGM_OK)
        dgmi_export_note_replaced(job);
    for (int i = 0; i < count; i++) {
        dgmi_bytes_output_discard(targets[i].output);
        dgmi_free(job->ctx, targets[i].drawn);
    }
    return status;
}

/* figure NULL: that of the summary alone. */
static dgm_status write_subject(dgm_context *ctx, const dgm_figure *figure,
                                const dgm_export_subject *subject, const char *const *paths,
                                const dgm_export_format *formats, int count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job = {.ctx = ctx};
    int found = 0;
    dgm_status status = DGM_ERROR_MEMORY;
    dgmi_text_init(&job.text, ctx);
    target *targets = dgmi_scratch(ctx, (int64_t)count * DGMI_EXPORT_PARTS, sizeof *targets);
    if (targets)
        status = list_targets(ctx, paths, formats, count, targets, &found);
    if (status == DGM_OK)
        status = dgmi_export_open(&job, ctx, subject);
    job.figure = figure;
    if (status == DGM_OK)
        status = write_targets(&job, targets, found);
    dgmi_export_close(&job);
    dgmi_text_free(&job.text);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_archive_write(dgm_context *ctx, const dgm_export_subject *subject,
                              const char *const *paths, const dgm_export_format *formats,
                              int count) {
    return write_subject(ctx, NULL, subject, paths, formats, count);
}

dgm_status dgm_figure_write_with(dgm_context *ctx, const dgm_figure *figure,
                                 const dgm_export_subject *subject, const char *const *paths,
                                 int count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_export_format *formats = dgmi_scratch(ctx, count, sizeof *formats);
    dgm_status status = formats ? DGM_OK : DGM_ERROR_MEMORY;
    for (int i = 0; i < count && status == DGM_OK; i++)
        status = dgm_export_format_find(ctx, paths[i], &formats[i]);
    if (status == DGM_OK)
        status = write_subject(ctx, figure, subject, paths, formats, count);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_export_write(dgm_context *ctx, const dgm_export_subject *subject,
                            const char *const *paths, int count) {
    return dgm_figure_write_with(ctx, NULL, subject, paths, count);
}

/* ---- figures that stand for themselves ---- */

static void write_given_json(dgmi_export *job) {
    dgmi_text_append(&job->text, job->json, job->json_length);
}

static dgm_status list_figure_targets(dgm_context *ctx, const char *const *paths, int count,
                                      bool json, target *targets, int *found) {
    const char *const known[] = {"svg", "pdf", "png", json ? "json" : NULL, NULL};
    dgm_status status = DGM_OK;
    for (int i = 0; i < count && status == DGM_OK; i++) {
        dgm_export_format format;
        status = dgm_export_format_among(ctx, paths[i], "figures", known, &format);
        if (status == DGM_OK)
            status = add_target(ctx, targets, found, paths[i],
                                format == DGM_EXPORT_JSON ? write_given_json
                                                          : dgmi_export_writer_of(format, 0));
    }
    return status;
}

dgm_status dgm_figure_write(dgm_context *ctx, const dgm_figure *figure, const char *json,
                            size_t json_length, const char *const *paths, int count) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_export job = {.ctx = ctx, .figure = figure, .json = json, .json_length = json_length};
    int found = 0;
    dgm_status status = DGM_ERROR_MEMORY;
    dgmi_text_init(&job.text, ctx);
    target *targets = dgmi_scratch(ctx, count, sizeof *targets);
    if (targets)
        status = list_figure_targets(ctx, paths, count, json != NULL, targets, &found);
    if (status == DGM_OK)
        status = write_targets(&job, targets, found);
    dgmi_text_free(&job.text);
    dgmi_arena_release(ctx, hold);
    return status;
}
