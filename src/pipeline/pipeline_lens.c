/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses by name, networks from a file, a file's columns, side by side; then the reduction. */
#include "pipeline_lens.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_path.h"
#include "bytes_stream.h"
#include "mapper_words.h"

/* The flags of a lens whose specification was checked. */
static unsigned lens_flags(const char *specification) {
    const dgm_lens_kind *kind = dgm_lens_find(specification);
    return kind ? kind->flags : 0;
}

static unsigned reduction_flags(const char *specification) {
    const dgm_reduce_kind *kind = dgm_reduce_find(specification);
    return kind ? kind->flags : 0;
}

/* ---- columns ---- */

/* What a lens file is called: its name without folder and endings, "tsne" of "maps/tsne.npy.gz".
 * The caller owns it; NULL with the error recorded. */
static char *name_file(dgm_context *ctx, const char *path) {
    if (strcmp(path, "-") == 0)
        return dgmi_strdup(ctx, "file");
    const char *last = dgmi_bytes_path_last(path);
    char *inner = dgmi_bytes_inner_name(ctx, path);
    if (!inner)
        return NULL;
    size_t length = strlen(inner);
    dgmi_free(ctx, inner);
    for (size_t i = length; i > 1; i--)
        if (last[i - 1] == '.') {
            length = i - 1;
            break;
        }
    return dgmi_strndup(ctx, last, length);
}

/* Columns that the file does not name are called after it: "tsne1", "tsne2". */
static dgm_status name_columns(dgm_context *ctx, const char *path, dgm_matrix *columns) {
    int64_t count = dgm_matrix_columns(columns);
    char *file = name_file(ctx, path);
    dgm_status status = file ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t k = 0; status == DGM_OK && k < count; k++) {
        char plain[32], name[128];
        snprintf(plain, sizeof plain, "axis%lld", (long long)k + 1);
        if (strcmp(dgm_matrix_column_name(columns, k), plain) != 0)
            continue;
        if (count == 1)
            snprintf(name, sizeof name, "%.100s", file);
        else
            snprintf(name, sizeof name, "%.100s%lld", file, (long long)k + 1);
        status = dgm_matrix_set_column_name(ctx, columns, k, name);
    }
    dgmi_free(ctx, file);
    return status;
}

static dgm_status read_lens(dgm_context *ctx, const char *path, const dgm_graph *graph,
                            dgm_matrix **out) {
    dgm_status status = dgm_matrix_read(ctx, path, graph, out);
    return status == DGM_OK ? name_columns(ctx, path, *out) : status;
}

/* The file's columns behind those that are there. */
static dgm_status append_axes(dgm_context *ctx, dgm_matrix *more, dgm_lens_result *result) {
    const dgm_matrix *const parts[] = {result->axes, more};
    dgm_matrix *joined = NULL;
    dgm_status status = dgm_matrix_join(ctx, parts, 2, &joined);
    dgm_matrix_free(more);
    if (status == DGM_OK)
        dgmi_lens_result_set_axes(result, joined);
    return status;
}

static dgm_status add_columns(dgm_context *ctx, dgm_status status, dgm_matrix *more,
                              dgm_lens_result **out) {
    if (status != DGM_OK) {
        dgm_matrix_free(more);
        return status;
    }
    return *out ? append_axes(ctx, more, *out) : dgmi_lens_result_of(ctx, more, out);
}

/* The lenses by name, then the file's columns, then those that the caller has. */
static dgm_status make_columns(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                               const dgm_graph *graph, dgm_lens_result **out) {
    const dgm_job *job = &plan->job;
    dgm_lens_options options = DGM_LENS_OPTIONS_INIT;
    options.model = job->model;
    options.seed = job->seed;
    dgm_matrix *more = NULL;
    dgm_status status = DGM_OK;
    if (job->lens_count)
        status = dgmi_lens_run_parsed(ctx, graph, plan->lenses, job->lens_count, &options, out);
    if (status == DGM_OK && job->lens_file) {
        status = read_lens(ctx, job->lens_file, graph, &more);
        status = add_columns(ctx, status, more, out);
    }
    if (status == DGM_OK && plan->input.lens) { /* a copy: transforms work in place */
        more = NULL;
        status = dgm_matrix_join(ctx, &plan->input.lens, 1, &more);
        status = add_columns(ctx, status, more, out);
    }
    return status;
}

/* ---- reduction ---- */

/* The reduction that the job asks for, or the one that its lens is usually seen through; NULL:
 * none. A cover of many axes is mostly dust, so more than three are mapped only when asked for, or
 * when the cover lies in a space of any dimension.
 */
static const char *choose_reduction(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                                    const dgm_lens_result *lens) {
    assert(lens);
    int64_t columns = dgm_matrix_columns(lens->axes);
    char number[16];
    if (job->reduce)
        return reduction_flags(job->reduce) & DGM_REDUCE_KEEPS ? NULL : job->reduce;
    if (job->lens_count == 1 && lens->predictions && columns == 2) {
        const dgm_predictions *says = lens->predictions;
        int32_t second = dgm_predictions_probability_class(says, 1);
        dgmi_note(
            ctx, "two classes: the lens is the probability of %s%s (" DGMI_NAMED("reduce=prob") ")",
            dgm_predictions_class_name(says, graph, second) ? "" : "class ",
            dgm_predictions_class_text(says, graph, second, number, sizeof number));
        return "prob";
    }
    if (columns <= 3 || job->mapper.cover == DGM_COVER_SIMPLEX ||
        dgmi_mapper_cover_has_metric(job->mapper.cover))
        return NULL;
    dgmi_note(ctx,
              "the lens has %lld columns: reduced to 2 by t-SNE (" DGMI_NAMED(
                  "reduce=tsne") "); " DGMI_NAMED("reduce=none") " maps "
                                                                 "all of them",
              (long long)columns);
    return "tsne";
}

/* The axes give way to their reduction. */
static dgm_status reduce(dgm_context *ctx, const dgmi_pipeline_plan *plan, const char *reduction,
                         dgm_lens_result *lens) {
    dgm_points points = dgm_points_of_matrix(lens->axes);
    const dgmi_reduce_request *request = plan->reduction;
    dgm_matrix *axes;
    dgm_status status = DGM_OK;
    if (!request) /* the lens chose it */
        status = dgmi_reduce_parse(ctx, reduction, plan->job.dim, plan->job.seed, &request);
    if (status == DGM_OK)
        status = dgmi_reduce_run_parsed(ctx, &points, request, NULL, &axes);
    if (status == DGM_OK)
        dgmi_lens_result_set_axes(lens, axes);
    return status;
}

/* "pagerank+degree+embedding+pca": names without their keys. */
static dgm_status write_name(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                             const char *reduction, dgmi_text *name) {
    const dgm_job *job = &plan->job;
    const char *own = plan->input.lens_name ? plan->input.lens_name : "lens";
    for (int i = 0; i < job->lens_count; i++) {
        const char *lens = job->lenses[i];
        bool named = lens_flags(lens) & DGM_LENS_NEEDS_NAME;
        dgmi_text_string(name, i ? "+" : "");
        dgmi_text_append(name, lens, named ? strlen(lens) : strcspn(lens, ":"));
    }
    if (job->lens_file) {
        char *file = name_file(ctx, job->lens_file);
        if (!file)
            return DGM_ERROR_MEMORY;
        dgmi_text_string(name, job->lens_count ? "+" : "");
        dgmi_text_string(name, file);
        dgmi_free(ctx, file);
    }
    if (plan->input.lens) {
        dgmi_text_string(name, job->lens_count || job->lens_file ? "+" : "");
        dgmi_text_string(name, own);
    }
    if (reduction) {
        dgmi_text_string(name, "+");
        dgmi_text_append(name, reduction, strcspn(reduction, ":"));
    }
    return name->status;
}

static dgm_status name_lens(dgm_context *ctx, const dgmi_pipeline_plan *plan, const char *reduction,
                            dgm_lens_result *lens) {
    dgmi_text name;
    dgmi_text_init(&name, ctx);
    dgm_status status = write_name(ctx, plan, reduction, &name);
    if (status == DGM_OK)
        lens->name = dgmi_strdup(ctx, name.data ? name.data : "");
    if (status == DGM_OK && !lens->name)
        status = DGM_ERROR_MEMORY;
    dgmi_text_free(&name);
    return status;
}

/* Whether some stage's last digits depend on the processor: those that multiply matrices do. */
static bool depends_on_machine(const dgm_job *job, const char *reduction) {
    bool depends = reduction && (reduction_flags(reduction) & DGM_REDUCE_VARIES);
    for (int i = 0; i < job->lens_count; i++)
        depends = depends || (lens_flags(job->lenses[i]) & DGM_LENS_VARIES);
    return depends;
}

dgm_status dgmi_pipeline_job_lens(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                                  const dgm_graph *graph, dgm_lens_result **out) {
    const dgm_job *job = &plan->job;
    const char *reduction = NULL;
    *out = NULL;
    dgm_status status = make_columns(ctx, plan, graph, out);
    if (status == DGM_OK)
        reduction = choose_reduction(ctx, job, graph, *out);
    if (status == DGM_OK && reduction)
        status = reduce(ctx, plan, reduction, *out);
    if (status == DGM_OK)
        status =
            dgm_transform_axes(ctx, graph, (*out)->axes, job->transforms, job->transform_count);
    if (status == DGM_OK)
        status = name_lens(ctx, plan, reduction, *out);
    if (status == DGM_OK)
        (*out)->varies = depends_on_machine(job, reduction);
    return dgmi_lens_result_finish(status, out);
}

dgm_status dgm_job_lens_with(dgm_context *ctx, const dgm_job *job, const dgm_job_input *input,
                             dgm_lens_result **out) {
    dgmi_pipeline_plan plan;
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_plan_take(ctx, job, input, &plan);
    if (status == DGM_OK && !plan.input.graph)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "a lens needs a graph");
    if (status == DGM_OK)
        status = dgmi_pipeline_plan_check(ctx, &plan);
    if (status == DGM_OK)
        status = dgmi_pipeline_job_lens(ctx, &plan, plan.input.graph, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_job_lens(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                        dgm_lens_result **out) {
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    input.graph = graph;
    return dgm_job_lens_with(ctx, job, &input, out);
}
