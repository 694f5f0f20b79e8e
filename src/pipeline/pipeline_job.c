/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: graph -> lens -> reduce -> mapper -> files. What follows the lens runs in a
 * workspace. */
#include "pipeline_job.h"

#include <assert.h>
#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "archive_write.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "kernels_machine.h"
#include "pipeline_lens.h"
#include "pipeline_origin.h"
#include "workspace_workspace.h"

void dgm_job_result_free(dgm_job_result *result) {
    dgm_view_free(result->view); /* which borrows the next two */
    dgm_profile_free(result->profile);
    dgm_summary_free(result->summary);
    dgm_lens_result_free(result->lens);
    dgm_graph_free(result->graph);
    *result = (dgm_job_result){.graph = NULL};
}

/* ---- option structs inside a job ---- */

/* NOLINTBEGIN(bugprone-macro-parentheses): an initialiser takes no brackets */
#define STAGE(type, field, init)                                                                   \
    { #type, offsetof(dgm_job, field), sizeof(type), &(const type)init }
/* NOLINTEND(bugprone-macro-parentheses) */

static const struct {
    const char *type;
    size_t offset, size;
    const void *defaults;
} stages[] = {STAGE(dgm_graph_options, graph_options, DGM_GRAPH_OPTIONS_INIT),
              STAGE(dgm_mapper_options, mapper, DGM_MAPPER_OPTIONS_INIT),
              STAGE(dgm_layout_options, layout, DGM_LAYOUT_OPTIONS_INIT),
              STAGE(dgm_figure_options, figure, DGM_FIGURE_OPTIONS_INIT)};
enum { STAGES = sizeof stages / sizeof *stages };

#define FITS(type) static_assert(sizeof(type) <= DGM_JOB_ROOM, "outgrew its room in a job")
FITS(dgm_graph_options);
FITS(dgm_mapper_options);
FITS(dgm_layout_options);
FITS(dgm_figure_options);

/* The room is the job's own, so a struct can be completed where it stands. */
dgm_status dgmi_pipeline_job_complete(dgm_context *ctx, dgm_job *job) {
    const size_t least = 2 * sizeof(size_t); /* a size, and something that it is for */
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < STAGES; i++) {
        alignas(max_align_t) char given[DGM_JOB_ROOM];
        char *options = (char *)job + stages[i].offset;
        memcpy(given, options, sizeof given);
        memcpy(options, stages[i].defaults, stages[i].size);
        status = dgmi_options_take(ctx, stages[i].type, given, least, stages[i].size, options);
        if (status != DGM_OK)
            memcpy(options, given, sizeof given);
    }
    return status;
}

/* ---- checks ---- */

/* The cover's text becomes part of the mapper's options; given intervals are in scratch memory. */
static dgm_status parse_cover(dgm_context *ctx, dgm_job *job) {
    int64_t most = 1;
    for (const char *c = job->cover; *c; c++)
        most += *c == ',';
    dgm_interval *given = dgmi_scratch(ctx, most, sizeof *given);
    return given ? dgm_cover_parse(ctx, job->cover, &job->mapper, given, most) : DGM_ERROR_MEMORY;
}

bool dgm_job_has_parts(const dgm_job *job) {
    const dgm_reduce_kind *reduction = job->reduce ? dgm_reduce_find(job->reduce) : NULL;
    const dgm_lens_kind *lens = job->lens_count == 1 ? dgm_lens_find(job->lenses[0]) : NULL;
    if (reduction && !(reduction->flags & DGM_REDUCE_KEEPS))
        return reduction->flags & DGM_REDUCE_PARTS;
    return lens && !job->lens_file && (lens->flags & DGM_LENS_PARTS);
}

dgm_status dgmi_pipeline_plan_take(dgm_context *ctx, const dgm_job *job, const dgm_job_input *input,
                                   dgmi_pipeline_plan *out) {
    dgm_job_init(&out->job);
    dgm_job_input_init(&out->input);
    out->lenses = NULL;
    out->reduction = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_job, seed, job, &out->job);
    if (status == DGM_OK)
        status = dgmi_pipeline_job_complete(ctx, &out->job);
    if (status == DGM_OK)
        status = DGMI_OPTIONS_TAKE(ctx, dgm_job_input, summary, input, &out->input);
    if (status == DGM_OK && out->job.cover)
        status = parse_cover(ctx, &out->job);
    else if (status == DGM_OK && out->job.mapper.cover == DGM_COVER_UNIFORM &&
             dgm_job_has_parts(&out->job))
        out->job.mapper.cover = DGM_COVER_PARTS;
    bool has_lens = out->job.lens_count || out->job.lens_file || out->input.lens;
    if (!has_lens)
        out->job.lenses[out->job.lens_count++] = "pagerank";
    out->job.mapper.seed = out->job.layout.seed = out->job.seed;
    return status;
}

static dgm_status check_counts(dgm_context *ctx, const dgm_job *job) {
    if (job->lens_count < 0 || job->lens_count > DGM_MAX_LENSES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d lenses stand side by side",
                         DGM_MAX_LENSES);
    if (job->output_count < 0 || job->output_count > DGM_MAX_OUTPUTS)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d outputs are written", DGM_MAX_OUTPUTS);
    if (job->transform_count < 0 || job->transform_count > DGM_MAX_AXES)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "at most %d axes can be transformed", DGM_MAX_AXES);
    return DGM_OK;
}

static dgm_status read_lenses(dgm_context *ctx, dgmi_pipeline_plan *plan) {
    const dgm_job *job = &plan->job;
    dgm_status status =
        dgmi_lens_parse(ctx, job->lenses, job->lens_count, job->seed, &plan->lenses);
    if (status == DGM_OK)
        status = dgm_lens_check_model(ctx, job->lenses, job->lens_count, job->model);
    if (status == DGM_OK && job->reduce)
        status = dgmi_reduce_parse(ctx, job->reduce, job->dim, job->seed, &plan->reduction);
    else if (status == DGM_OK && job->dim != 0)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE,
                           DGMI_NAMED("dim") " needs a reduction: " DGMI_NAMED("reduce=pca"));
    return status;
}

/* What would do nothing is refused: somebody meant something by it. */
static dgm_status check_attach(dgm_context *ctx, const dgm_mapper_options *options) {
    if (!options->attach || options->min_size > 1)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     DGMI_NAMED("attach") " gives away clusters below " DGMI_NAMED(
                         "min-size") ", and none is below %lld; raise it to 2 or more",
                     (long long)options->min_size);
}

dgm_status dgmi_pipeline_plan_check(dgm_context *ctx, dgmi_pipeline_plan *plan) {
    const dgm_job *job = &plan->job;
    if (!job->graph && !plan->input.graph && !plan->input.summary)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "no graph was given");
    dgm_status status = check_counts(ctx, job);
    if (status == DGM_OK)
        status = dgm_mapper_check(ctx, &job->mapper);
    if (status == DGM_OK)
        status = check_attach(ctx, &job->mapper);
    if (status == DGM_OK)
        status = read_lenses(ctx, plan);
    if (status == DGM_OK)
        status = dgm_figure_check(ctx, &job->figure);
    for (int i = 0; status == DGM_OK && i < job->output_count; i++)
        status = dgm_export_format_find(ctx, job->outputs[i], &plan->formats[i]);
    return status;
}

dgm_status dgm_job_check(dgm_context *ctx, const dgm_job *job) {
    dgmi_pipeline_plan plan;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_plan_take(ctx, job, NULL, &plan);
    if (status == DGM_OK)
        status = dgmi_pipeline_plan_check(ctx, &plan);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the stages ---- */

dgm_status dgmi_pipeline_open_graph(dgm_context *ctx, const dgm_job *job, dgm_graph **out) {
    const dgm_graph_tables tables = {job->nodes_table, job->labels};
    return dgm_graph_open(ctx, job->graph, (dgm_format)job->format, &job->graph_options, &tables,
                          job->seed, out);
}

dgm_status dgmi_pipeline_open_predictions(dgm_context *ctx, const dgm_job *job,
                                          const dgm_graph *graph, dgm_predictions **out) {
    *out = NULL;
    return job->predictions && graph ? dgm_predictions_read(ctx, graph, job->predictions, out)
                                     : DGM_OK;
}

/* One layout serves all outputs: the one that needs it most decides. */
static dgm_placing placing_of(const dgmi_pipeline_plan *plan) {
    dgm_placing most = DGM_PLACING_NONE;
    for (int i = 0; i < plan->job.output_count; i++) {
        dgm_placing placing = dgm_export_placing(plan->formats[i]);
        most = placing > most ? placing : most;
    }
    return most;
}

/* Figures fold dust. Where there are none, every cluster has a place of its own. */
static dgm_layout_options layout_of(const dgmi_pipeline_plan *plan, unsigned keep) {
    dgm_layout_options layout = plan->job.layout;
    bool drawn = placing_of(plan) == DGM_PLACING_ALWAYS || (keep & DGM_KEEP_VIEW) == DGM_KEEP_VIEW;
    if (layout.dust == DGM_DUST_AUTO && !drawn)
        layout.dust = DGM_DUST_SHOW;
    return layout;
}

static dgm_status set_options(dgm_context *ctx, const dgmi_pipeline_plan *plan, unsigned keep,
                              dgm_workspace *workspace) {
    const dgm_job *job = &plan->job;
    const dgm_layout_options layout = layout_of(plan, keep);
    dgm_status status = dgmi_workspace_take_mapper(ctx, workspace, &job->mapper);
    if (status == DGM_OK)
        status = dgm_workspace_set_layout(ctx, workspace, &layout);
    if (status == DGM_OK)
        status = dgmi_workspace_take_figure(ctx, workspace, &job->figure);
    return status;
}

dgm_provenance dgmi_pipeline_provenance(const dgm_job *job, const dgm_lens_result *lens,
                                        char blas[DGMI_KERNELS_MACHINE_SPACE]) {
    return (dgm_provenance){.lens = lens->name,
                            .command = job->command,
                            .seed = job->seed,
                            .kernels = lens->varies ? dgmi_kernels_machine_name() : NULL,
                            .blas = lens->varies ? dgmi_kernels_machine_blas(blas) : NULL};
}

/* What the files say of the lens, and the lens itself, into the workspace. */
static dgm_status show_lens(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                            const dgm_predictions *given, const dgm_lens_result *lens,
                            dgm_workspace *workspace) {
    char blas[DGMI_KERNELS_MACHINE_SPACE];
    const dgm_provenance provenance = dgmi_pipeline_provenance(&plan->job, lens, blas);
    dgm_status status = dgm_workspace_set_provenance(ctx, workspace, &provenance);
    if (status == DGM_OK)
        status = dgm_workspace_set_axes(ctx, workspace, lens->axes);
    if (status == DGM_OK)
        status = dgm_workspace_set_predictions(ctx, workspace, given ? given : lens->predictions);
    return status;
}

/* The lens that was made before, or the one that the job asks for. */
static dgm_status look(dgm_context *ctx, const dgmi_pipeline_plan *plan, const dgm_graph *graph,
                       const dgm_predictions *given, dgm_workspace *workspace,
                       dgm_lens_result **lens) {
    const dgm_lens_result *made = plan->input.made;
    if (made && (!made->axes || !made->name))
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the lens that was given is not one of dgm_job_lens");
    dgm_status status = made ? DGM_OK : dgmi_pipeline_job_lens(ctx, plan, graph, lens);
    return status == DGM_OK ? show_lens(ctx, plan, given, made ? made : *lens, workspace) : status;
}

/* A summary that was made before, or one of the graph through its lens. What the caller does not
 * want of the lens goes before anything else is made. */
static dgm_status summarise(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                            const dgm_graph *graph, const dgm_predictions *given, unsigned keep,
                            dgm_workspace *workspace, dgm_lens_result **lens) {
    const dgm_job_input *input = &plan->input;
    const dgm_summary *summary;
    if (input->summary) {
        dgm_status status = dgm_workspace_set_predictions(ctx, workspace, given);
        return status == DGM_OK
                   ? dgm_workspace_set_summary(ctx, workspace, input->summary, NULL, NULL)
                   : status;
    }
    dgm_status status = look(ctx, plan, graph, given, workspace, lens);
    if (status == DGM_OK)
        status = dgm_workspace_summary(ctx, workspace, &summary);
    if (status == DGM_OK && input->chance)
        dgmi_workspace_set_chance(workspace, input->chance);
    dgm_workspace_forget_axes(workspace);
    if (status == DGM_OK && *lens && !(keep & DGM_KEEP_LENS))
        dgmi_lens_result_set_axes(*lens, NULL);
    return status;
}

static dgm_status write_outputs(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                                dgm_workspace *workspace) {
    const dgm_job *job = &plan->job;
    dgm_export_subject subject;
    dgm_status status = dgm_workspace_subject(ctx, workspace, placing_of(plan), &subject);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "writing", 0);
    if (status == DGM_OK)
        status = dgmi_archive_write(ctx, &subject, job->outputs, plan->formats, job->output_count);
    return status;
}

/* Makes what the caller wants beside the files. */
static dgm_status make_wanted(dgm_context *ctx, unsigned keep, dgm_workspace *workspace) {
    const dgm_profile *profile;
    const dgm_view *view;
    if ((keep & DGM_KEEP_VIEW) == DGM_KEEP_VIEW)
        return dgm_workspace_view(ctx, workspace, &view);
    return keep & DGM_KEEP_PROFILE ? dgm_workspace_profile(ctx, workspace, &profile) : DGM_OK;
}

static dgm_status run_plan(dgm_context *ctx, const dgmi_pipeline_plan *plan, unsigned keep,
                           dgm_job_result *made) {
    const dgm_job_input *input = &plan->input;
    dgm_predictions *read = NULL;
    dgm_workspace *workspace = NULL;
    dgm_status status = DGM_OK;
    if (!input->graph && plan->job.graph)
        status = dgmi_pipeline_open_graph(ctx, &plan->job, &made->graph);
    const dgm_graph *graph = input->graph ? input->graph : made->graph;
    if (status == DGM_OK && !input->predictions)
        status = dgmi_pipeline_open_predictions(ctx, &plan->job, graph, &read);
    const dgm_predictions *given = input->predictions ? input->predictions : read;
    if (status == DGM_OK)
        status = dgm_workspace_create(ctx, graph, &workspace);
    if (status == DGM_OK)
        status = set_options(ctx, plan, keep, workspace);
    if (status == DGM_OK)
        status = summarise(ctx, plan, graph, given, keep, workspace, &made->lens);
    if (status == DGM_OK && plan->job.output_count)
        status = write_outputs(ctx, plan, workspace);
    if (status == DGM_OK)
        status = make_wanted(ctx, keep, workspace);
    if (workspace)
        dgm_workspace_take(workspace, &made->summary, &made->profile, &made->view);
    dgm_workspace_free(workspace);
    dgm_predictions_free(read);
    return status;
}

/* Moves what is wanted from `made` to `result`. */
static void give(unsigned keep, dgm_job_result *made, dgm_job_result *result) {
    if ((keep & DGM_KEEP_VIEW) == DGM_KEEP_VIEW) {
        result->view = made->view;
        made->view = NULL;
    }
    if (keep & DGM_KEEP_PROFILE) {
        result->profile = made->profile;
        made->profile = NULL;
    }
    if (keep & DGM_KEEP_SUMMARY) {
        result->summary = made->summary;
        made->summary = NULL;
    }
    if (keep & DGM_KEEP_LENS) {
        result->lens = made->lens;
        made->lens = NULL;
    }
    if (keep & DGM_KEEP_GRAPH) {
        result->graph = made->graph;
        made->graph = NULL;
    }
}

dgm_status dgm_job_run(dgm_context *ctx, const dgm_job *job, const dgm_job_input *input,
                       unsigned keep, dgm_job_result *result) {
    dgm_job_result made = {.graph = NULL};
    dgmi_pipeline_plan plan;
    if (result)
        *result = made;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = dgmi_pipeline_plan_take(ctx, job, input, &plan);
    if (status == DGM_OK)
        status = dgmi_pipeline_plan_check(ctx, &plan);
    if (status == DGM_OK)
        status = run_plan(ctx, &plan, keep, &made);
    if (status == DGM_OK && result)
        give(keep, &made, result);
    dgm_job_result_free(&made);
    dgmi_arena_release(ctx, hold);
    return status;
}
